r"""What dresses a formula and says nothing: \underbrace, \color, \tag, \label, \left, spacing; places are kept."""

from __future__ import annotations

import re

from symtransformer.documents.angles import ANGLES, angle_brackets
from symtransformer.documents.placed import Placed
from symtransformer.documents.signs import BINARY, Sign, signs_of

SPACING = frozenset([
    r"\,", r"\!", r"\;", r"\:", r"\>", "\\ ", "\\\n", r"\displaystyle", r"\textstyle", r"\scriptstyle", r"\limits",
    r"\nolimits", r"\nonumber", r"\notag", r"\hfill", r"\hfil", r"\big", r"\Big", r"\bigg", r"\Bigg", r"\bigl",
    r"\bigr", r"\Bigl", r"\Bigr", r"\biggl", r"\biggr", r"\Biggl", r"\Biggr", r"\mathstrut", r"\strut",
    r"\allowbreak", r"\relax", r"\bf", r"\rm", r"\boldmath", r"\centering", r"\hline", r"\noindent", r"\small",
    r"\large", r"\normalsize", r"\enspace", r"\enskip", r"\thinspace",
])  # fmt: skip
GONE = frozenset([
    r"\label", r"\tag", r"\tag*", r"\color", r"\hspace", r"\hspace*", r"\vspace", r"\phantom", r"\hphantom",
    r"\vphantom", r"\eqref", r"\ref", r"\footnote", r"\cite", r"\cref",
])  # fmt: skip
UNWRAPPED = frozenset([
    r"\boxed", r"\fbox", r"\underline", r"\cancel", r"\mathrel", r"\mathop", r"\mathord",
    r"\mathbin", r"\smash", r"\ensuremath", r"\mathclap", r"\bbox",
])  # fmt: skip
UNWRAPPED_AFTER_ONE = frozenset([
    r"\textcolor", r"\colorbox", r"\stackrel", r"\overset", r"\underset", r"\raisebox", r"\parbox",
    r"\cancelto", r"\class", r"\href", r"\htmlClass",
])  # fmt: skip
SCALING = {r"\resizebox": 2, r"\resizebox*": 2, r"\scalebox": 1}  # so many measures before what is scaled
BRACED = {r"\underbrace": "_", r"\overbrace": "^", r"\underbracket": "_", r"\overbracket": "^", r"\underparen": "_"}
QUADS = (r"\quad", r"\qquad")
QUAD = "\u2003"  # stands for \quad and \qquad, which part formulas
WIDE = re.compile(r"(?:~|\\[;:> ]|\\(?:quad|qquad|enspace)(?![A-Za-z])|\s){3,}")  # what else is as wide as a \quad
FILLING = frozenset([r"\hfill", r"\hfil", r"\dotfill", r"\hspace*{\fill}"])
LENGTH = re.compile(r"\{\s*([1-9][0-9]*(?:\.[0-9]+)?)\s*(cm|em|in|mm|pt|ex)\s*\}")
NARROW = {"cm": 1, "em": 1, "in": 1, "mm": 10, "pt": 10, "ex": 2}
COLUMN = "\u2001"  # stands for the & of an aligned block
# words as they stand in a formula: \text{50 }\%\text{ off}
PLAIN = r"\\text(?:bf)?\{[^{}]*\}"
SPECIAL = (
    r"(?:\\[{}$&#%_]|\\(?:hat|grave)\{\\,\}|\\(?:backslash|sim|lt|gt|vert|ast|[lr]brack|approx|infty|surd|cdot|times"
    r"|odot|oslash|le|ge|epsilon|delta|partial|Sigma) |\{[-\u203c-\u2a74]\})"
)
LABEL_BEFORE = re.compile(  # \text{cat}\colon q_2 = ...
    rf"({SPECIAL}{{0,40}}{PLAIN}(?:{PLAIN}|{SPECIAL}){{0,80}}\s*\\colon(?![A-Za-z]))"
)
LABELS_OF_ROWS = re.compile(
    r"\\end\{[a-z]*matrix\}(?:\s|\\[,;:! ])*"
    rf"(\\begin\{{(?:matrix|array\}}\{{[lcr])\}}\s*(?:(?:{PLAIN}|{SPECIAL})\s*(?:\\\\(?:\[[0-9]ex\])?\s*)?)+\\end\{{(?:matrix|array)\}})"
)
DELIMITERS = (r"\left", r"\right", r"\middle")
BOXES = (r"\boxed", r"\fbox")
NUMBER = re.compile(r"\s*[-−]?[0-9]+(?:\.[0-9]+)?\s*")
SETTINGS = re.compile(r"(?:\s*\\setlength\s*\{\\[A-Za-z]+\}\s*\{[^{}$]{0,20}\})+\s*")  # before what is set smaller


def undressed(formula: Placed) -> Placed:
    """The formula without what only sets it."""
    return Dressing(formula).undressed() if any(c in formula.text for c in "\\&<~") else formula


class Dressing:
    """Which characters of a formula are left out."""

    def __init__(self, formula: Placed) -> None:
        self.formula = formula
        self.signs = signs_of(formula.text)
        self.kept: list[str] = list(formula.text)

    def undressed(self) -> Placed:
        for pattern in (LABEL_BEFORE, LABELS_OF_ROWS):
            for found in pattern.finditer(self.formula.text):
                self._leave_out(*found.span(1))
        for at, sign in enumerate(self.signs):
            if sign.kind in ("command", "other"):
                self._command(at, sign)
            elif sign.kind in ("open", "close") and sign.text.startswith(DELIMITERS):
                self._delimiter(sign)
            elif sign.kind == "rows":
                self._rows(at, sign)
            elif sign.kind == "ampersand" and sign.depth == 0:
                self.kept[sign.start] = COLUMN
            elif sign.kind == "row" and sign.depth and (following := self._goes_on(at)):
                self._leave_out(sign.start, following.start)
        self._wide_spaces()
        self._angles()
        text = self.formula
        where = [i for i, c in enumerate(self.kept) if c]
        return Placed("".join(self.kept[i] for i in where), tuple(text.origins[i] for i in where))

    def _angles(self) -> None:
        """< and > that relate nothing: brackets, or a place that was left to be filled in, as <++>."""
        for opening, closing, is_empty in angle_brackets(self.signs):
            if is_empty:
                self._leave_out(opening.start, closing.end)
            else:
                for sign, bracket in zip((opening, closing), ANGLES, strict=True):
                    self.kept[sign.start] = bracket

    def _leave_out(self, start: int, end: int) -> None:
        """One space stays, so that what stands on both sides does not run together."""
        for i in range(start, end):
            self.kept[i] = ""
        if end > start:
            self.kept[start] = " "

    def _command(self, at: int, sign: Sign) -> None:
        if self.kept[sign.start] != "\\":
            return  # inside of what is left out
        if sign.text[1:] in ("\n", "\r") and self._in_matrix(at):
            self.kept[sign.start : sign.end] = "\\\\"  # what a page leaves of the two
        elif sign.text in FILLING and sign.depth == 0:
            self._part(sign)
        elif sign.text in SPACING:
            self._leave_out(sign.start, sign.end)
        elif sign.text in QUADS:
            self._part(sign)
        elif sign.text in GONE:
            argument = self._argument(at + 1)
            end = self.signs[argument[1]].end if argument else sign.end
            self._leave_out(sign.start, end)
            if sign.text.startswith(r"\hspace") and sign.depth == 0 and _is_wide(self.formula.text[sign.end : end]):
                self.kept[sign.start] = QUAD
            if sign.text == r"\color" and argument:
                self._unwrap(sign.start, self._argument(argument[1] + 1))
        elif sign.text in BOXES and (row := self._boxes(at)):
            self._row_of_boxes(sign, row)
        elif sign.text in UNWRAPPED:
            self._unwrap(sign.start, self._argument(at + 1))
        elif sign.text in UNWRAPPED_AFTER_ONE:
            first = self._argument(at + 1)
            second = self._argument(first[1] + 1) if first else None
            if first and second:
                self._leave_out(sign.start, self.signs[first[1]].end)
                self._unwrap(sign.start, second)
        elif sign.text in SCALING:
            self._scaled(at, sign)
        elif sign.text in BRACED:
            self._braced(at, sign)

    def _scaled(self, at: int, sign: Sign) -> None:
        r"""\resizebox{...}{!}{$x$}: a formula that is set smaller, in dollars of its own."""
        measures, following = [], at + 1
        for _ in range(SCALING[sign.text]):
            measures.append(self._argument(following))
            if measures[-1] is None:
                return
            following = measures[-1][1] + 1
        body = self._argument(following)
        if body is None:
            return
        start, end = self.signs[body[0]].end, self.signs[body[1]].start
        settings = SETTINGS.match(self.formula.text, start, end)
        inner = self.formula.text[settings.end() if settings else start : end].strip()
        if len(inner) < 3 or inner[0] != "$" or inner[-1] != "$" or "$" in inner[1:-1]:
            return
        self._leave_out(sign.start, self.signs[body[0]].start)
        self._unwrap(sign.start, body)
        if settings:
            self._leave_out(*settings.span())
        self.kept[self.formula.text.index("$", start)] = self.kept[self.formula.text.rindex("$", start, end)] = " "

    def _boxes(self, at: int) -> list[tuple[int, int]]:
        r"""The arguments of \boxed{2}\boxed{3}\boxed{4}, numbers in boxes one behind the other: the entries of a row."""
        found: list[tuple[int, int]] = []
        while at < len(self.signs) and self.signs[at].text in BOXES:
            argument = self._argument(at + 1)
            if argument is None or not NUMBER.fullmatch(self._inside(argument)):
                break
            found.append(argument)
            at = self._skip(argument[1] + 1)
        return found if len(found) > 1 else []

    def _inside(self, argument: tuple[int, int]) -> str:
        return self.formula.text[self.signs[argument[0]].end : self.signs[argument[1]].start]

    def _row_of_boxes(self, sign: Sign, row: list[tuple[int, int]]) -> None:
        start = sign.start
        for opener, closer in row:
            first, last = self.signs[opener], self.signs[closer]
            self._leave_out(start, first.end)
            self.kept[start] = "[" if start == sign.start else " "
            self.kept[last.start] = "," if (opener, closer) != row[-1] else "]"
            start = last.end

    def _part(self, sign: Sign) -> None:
        self._leave_out(sign.start, sign.end)
        self.kept[sign.start] = QUAD

    def _in_matrix(self, at: int) -> bool:
        """Between the beginning of an environment that is part of the formula, and its end."""
        return any(s.kind == "begin" and i < at < s.partner for i, s in enumerate(self.signs[:at]))

    def _braced(self, at: int, sign: Sign) -> None:
        argument = self._argument(at + 1)
        self._unwrap(sign.start, argument)
        after = self._skip(argument[1] + 1) if argument else len(self.signs)
        if argument and after < len(self.signs) and self.signs[after].text == BRACED[sign.text]:
            label = self._argument(after + 1) or (self._skip(after + 1),) * 2
            if label[1] < len(self.signs):
                self._leave_out(self.signs[after].start, self.signs[label[1]].end)

    def _unwrap(self, start: int, argument: tuple[int, int] | None) -> None:
        if argument is not None:
            opener, closer = self.signs[argument[0]], self.signs[argument[1]]
            for i in range(start, opener.end):
                self.kept[i] = "" if i > start or self.kept[i] != " " else " "
            self.kept[start] = " "
            self._leave_out(closer.start, closer.end)

    def _delimiter(self, sign: Sign) -> None:
        r"""`\left(` is `(`, and `\left.` is nothing."""
        bare = sign.text[5:] if sign.text.startswith(r"\left") else sign.text[6:]
        bare = bare.strip()
        self._leave_out(sign.start, sign.end if bare == "." else sign.end - len(bare))
        if bare in "<>":
            self.kept[sign.end - 1] = ANGLES["<>".index(bare)]

    def _goes_on(self, at: int) -> Sign | None:
        r"""The sign with which a formula goes on behind `\\\\`, if that ends a line within \bigl( ... \bigr)."""
        around = [s for i, s in enumerate(self.signs[:at]) if s.kind in ("open", "begin") and i < at < s.partner]
        if any(s.kind == "begin" for s in around) or around[-1].text[-1] not in "([":
            return None
        following = next(
            (s for s in self.signs[at + 1 :] if s.kind not in ("space", "ampersand") and s.text not in QUADS), None
        )
        goes_on = following is not None and (following.kind == "operator" or following.text in BINARY)
        return following if goes_on else None

    def _rows(self, at: int, sign: Sign) -> None:
        r"""\begin{align}, with what stands in brackets or braces directly behind it for alignat and aligned."""
        end = sign.end
        following = at + 1
        if sign.text.startswith(r"\begin") and following < len(self.signs) and self.signs[following].text in "[{":
            partner = self.signs[following].partner
            inner = self.formula.text[end + 1 : self.signs[partner].start] if partner > 0 else "?"
            if inner.strip() in ("t", "b", "c") or ("alignat" in sign.text and inner.strip().isdigit()):
                end = self.signs[partner].end
        self._leave_out(sign.start, end)

    def _skip(self, at: int) -> int:
        while at < len(self.signs) and self.signs[at].kind == "space":
            at += 1
        return at

    def _argument(self, at: int) -> tuple[int, int] | None:
        """The braces of an argument, by their index."""
        at = self._skip(at)
        if at < len(self.signs) and self.signs[at].text == "{" and self.signs[at].partner > at:
            return at, self.signs[at].partner
        return None

    def _wide_spaces(self) -> None:
        """~~~~ and \\;\\;\\; are as wide as \\quad, and part formulas as it does."""
        for gap in WIDE.finditer(self.formula.text):
            start, end = gap.span()
            is_made = gap.group().count("\\") + gap.group().count("~") >= 3
            if is_made and not any(s.kind in ("open", "begin") and s.start < start < self._end(s) for s in self.signs):
                self._leave_out(start, end)
                self.kept[start] = QUAD

    def _end(self, sign: Sign) -> int:
        return self.signs[sign.partner].start if sign.partner >= 0 else sign.end


def _is_wide(argument: str) -> bool:
    r"""{1cm}, and no {2pt}.

    >>> _is_wide("{1cm}"), _is_wide("{ 2pt }"), _is_wide("{-1em}")
    (True, False, False)
    """
    found = LENGTH.fullmatch(argument.strip())
    return found is not None and float(found.group(1)) >= NARROW[found.group(2)]
