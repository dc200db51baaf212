r"""The tokens of one side of an equation: plain text and LaTeX become the same ones, in one pass of one pattern.

What only sets a formula (\left, \color{red}{...}, \underbrace{...}_{...}, \tag) is passed over, so that every token
keeps its place in the text. Digits are 0 to 9 only; those in full width are folded first, sign by sign.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from symtransformer.reading.limits import DEPTH, DIGITS, EXPONENT, FORMULA_CHARACTERS, TOKENS
from symtransformer.reading.patterns import RAISED_T, RAISED_T_IN_LATEX
from symtransformer.reading.problems import ReadingError, Span, quoted
from symtransformer.reading.side_patterns import (
    BOLD_ONE,
    BOUND,
    ENVIRONMENT,
    FROM_LOW,
    FROM_RAISED,
    FULL_WIDTH,
    IN_BRACES,
    IN_PLACE,
    LETTER,
    LOW_IN_LATEX,
    LOW_IN_TEXT,
    MORE_LOW,
    ONE_IN_A_CELL,
    ONE_LETTER,
    PLAIN_MODULES,
    PRIME,
    SPACING,
    TOKEN,
    WORD,
)
from symtransformer.reading.side_settings import without_settings
from symtransformer.reading.side_signs import (
    ACCENTS,
    CLOSING,
    COMMANDS,
    DOTS,
    ENVIRONMENTS,
    FUNCTION_COMMANDS,
    GREEK_LETTERS,
    OPENING,
    SIGNS,
    SPACES,
    UPRIGHT,
    VARIANTS,
)  # fmt: skip
from symtransformer.reading.vocabulary import BOLD
from symtransformer.scalars import GREEK


class Token(NamedTuple):
    """Kind, text (a name, number or index as it is meant) and place."""

    kind: str
    text: str
    start: int
    end: int
    tight: bool = False  # nothing stands between it and the token before


def refusal(text: str, start: int, end: int, code: str, message: str) -> ReadingError:
    return ReadingError(text, Span(start, end), code, message)


def folded(text: str) -> str:
    """Full-width digits and signs as the usual ones, each in its place."""
    return text if text.isascii() else text.translate(FULL_WIDTH)


def tokens_of(text: str, is_latex: bool) -> list[Token]:
    """All tokens of a folded text; every limit on their number and size is checked here."""
    if len(text) > FORMULA_CHARACTERS:
        message = f"more than {FORMULA_CHARACTERS} characters"
        raise refusal(text, FORMULA_CHARACTERS, FORMULA_CHARACTERS, "too_long", message)
    return _Scanner(text, is_latex).all()


class _Scanner:
    def __init__(self, text: str, is_latex: bool) -> None:
        self.text, self.is_latex = text, is_latex
        self.seen = without_settings(text) if "brace" in text or "\\" in text else text
        self.tokens: list[Token] = []
        self.at = self.last = self.depth = 0

    def refuse(self, code: str, message: str, end: int | None = None) -> ReadingError:
        return refusal(self.text, self.at, self.at if end is None else end, code, message)

    def add(self, kind: str, text: str, end: int) -> None:
        if kind in OPENING:
            self.depth += 1
            if self.depth > DEPTH:
                raise self.refuse("too_deep", f"more than {DEPTH} brackets inside each other")
        elif kind in CLOSING:
            self.depth -= 1
        if len(self.tokens) >= TOKENS:
            raise self.refuse("too_long", f"more than {TOKENS} signs, names and numbers")
        self.tokens.append(Token(kind, text, self.at, end, self.last == self.at))
        self.at = self.last = end

    def all(self) -> list[Token]:
        match = TOKEN.match
        while self.at < len(self.seen):
            found = match(self.seen, self.at)
            assert found is not None
            kind, end = found.lastgroup, found.end()
            if kind == "space":
                self.at = end
            elif kind == "number":
                self._number(found.group(), end)
            elif kind == "grouped":
                self._grouped(found.group())
            elif kind == "word":
                self._word(found.group(), end)
            else:
                getattr(self, f"_{kind}")(found.group(), end)
        return self.tokens

    def _number(self, digits: str, end: int) -> None:
        mantissa, _, exponent = digits.lower().replace("−", "-").partition("e")
        if len(mantissa) - ("." in mantissa) > DIGITS:
            raise self.refuse("too_many_digits", f"a number of more than {DIGITS} digits", end)
        if exponent and (len(exponent.lstrip("+-0")) > 3 or abs(int(exponent)) > EXPONENT):
            raise self.refuse("exponent", f"a power of ten beyond 10^{EXPONENT}", end)
        self.add("number", digits.replace("−", "-"), end)
        following = self.seen[end : end + 2]
        if following[:1] == "." and not self.seen.startswith("..", end) and not following[1:2].isalpha():
            raise self.refuse("number", "a decimal point needs digits on both sides")
        if self.seen.startswith("{,}", end):
            raise self.refuse("thousands", "a comma inside a number; write it without, or with a decimal point")

    def _grouped(self, digits: str) -> None:
        """16,777,216: a second comma leaves one reading, except among the numbers of a list."""
        plain = digits.replace("{,}", "").replace(",", "")
        if self.depth == 0 or "{" in digits:
            self.add("number", plain, self.at + len(digits))
        else:
            self._number(digits.partition(",")[0], self.at + len(digits.partition(",")[0]))

    def _word(self, word: str, end: int) -> None:
        module = None if self.is_latex else PLAIN_MODULES.match(self.seen, self.at)
        if module is not None:
            self.at = module.end()
            return
        place = None if self.is_latex else IN_PLACE.match(self.seen, self.at)
        if place is not None:  # enc1.W_Q
            word, end = place.group(), place.end()
        self.add("word", word, end)

    def _greek(self, sign: str, end: int) -> None:
        if sign == "Σ":
            self._sum(sign, end)
        elif sign in GREEK_LETTERS:
            self.add("greek", GREEK_LETTERS[sign], end)
        else:
            raise self._no_meaning(sign)

    def _raised(self, digits: str, end: int) -> None:
        self.add("raised", digits.translate(FROM_RAISED), end)

    def _low_sign(self, low: str, end: int) -> None:
        self.add("low", low.translate(FROM_LOW), end)

    def _upto(self, sign: str, end: int) -> None:
        self.add("upto", sign, end)

    def _dots(self, sign: str, end: int) -> None:
        raise self.refuse("dots", "dots stand for what is not written; write it out", end)

    def _method(self, method: str, end: int) -> None:
        axes = re.sub(r"[^-0-9,]", "", method.replace("−", "-"))
        if axes not in ("", "-2,-1", "-1,-2", "0,1", "1,0"):
            raise self.refuse("axis", "a matrix has two axes: transpose(-2, -1)", end)
        self.add("T", method, end)

    def _vulgar(self, c: str, end: int) -> None:
        """½ is (1/2); beside a digit or a letter it could be a part of a mixed number, or a factor."""
        before, after = self.seen[: self.at], self.seen[end : end + 1]
        if after.isalnum() or before[-1:].isalnum() or before.rstrip()[-1:].isdecimal():
            raise self.refuse(
                "mixed", "a fraction as one sign beside a digit or a letter; write an operator between", end
            )
        parts = unicodedata.normalize("NFKC", c).split("\N{FRACTION SLASH}")
        for kind, text in (("(", "("), ("number", parts[0]), ("/", "/"), ("number", parts[1]), (")", ")")):
            self.add(kind, text, self.at if kind != ")" else end)

    def _sign(self, c: str, end: int) -> None:
        seen = self.seen
        if c == "^":
            raised = (RAISED_T_IN_LATEX if self.is_latex else RAISED_T).match(seen, self.at)
            if raised is not None:
                self.add("T", "^T", raised.end())
                return
            prime = PRIME.match(seen, self.at)
            if prime is not None:
                self.add("'", "'", prime.end())
                return
        elif c == "_":
            low = (LOW_IN_LATEX if self.is_latex else LOW_IN_TEXT).match(seen, self.at)
            if low is None:
                raise self.refuse("subscript", "an index of letters and digits belongs here, as in W_Q or b_1")
            further = None if self.is_latex or self.depth or not low.group(1) else MORE_LOW.match(seen, low.end())
            end = further.end() if further else low.end()  # a_1,12
            self.add("low", next(g for g in low.groups() if g is not None) + seen[low.end() : end], end)
            return
        elif c == "*" and seen.startswith("**", self.at):
            self.add("^", "**", self.at + 2)
            return
        elif c == "{" and (empty := re.compile(r"\{\s*\}").match(seen, self.at)):
            self.at = empty.end()
            return
        elif c == "∑":
            self._sum(c, end)
            return
        if c == ":" and self.depth:
            raise self.refuse("index", "a slice in brackets counts from 0 or from 1, and with its end or without it")
        if c not in SIGNS:
            raise self._no_meaning(c)
        self.add(SIGNS[c], c, end)

    def _no_meaning(self, c: str) -> ReadingError:
        return self.refuse("character", f"the character U+{ord(c):04X} has no meaning here", self.at + 1)

    def _sum(self, sign: str, end: int) -> None:
        found = BOUND.match(self.seen, end)
        assert found is not None
        low = found.group(1) or found.group(2) or (found.group(3) or "").translate(FROM_LOW)
        high = found.group(4) or found.group(5) or ""
        self.add("sum", f"{low}^{high}", found.end())

    def _command(self, whole: str, end: int) -> None:
        name = whole[1:].rstrip("*")
        if name in SPACES:
            self.at = end
            if name in ("left", "right") and self.seen.startswith(".", end):
                self.at = end + 1
        elif name in COMMANDS:
            self.add(COMMANDS[name], whole, end)
        elif name == "\\":
            spacing = SPACING.match(self.seen, end)
            self.add("rowend", whole, spacing.end() if spacing else end)
        elif name in UPRIGHT:
            self._upright(end)
        elif name in BOLD:
            inner = IN_BRACES.match(self.seen, end)
            if BOLD_ONE.match(self.seen, end) and not self._in_cell(end):
                self.add("ones", "1", BOLD_ONE.match(self.seen, end).end())  # type: ignore[union-attr]
                return
            if inner is not None:  # these braces say only how far it is bold
                first, last = inner.end() - len(inner.group().lstrip()), inner.end() - 1
                self.seen = f"{self.seen[:first]} {self.seen[first + 1 : last]} {self.seen[last + 1 :]}"
            self.at = end
        elif name in GREEK or name in VARIANTS:
            self.add("greek", VARIANTS.get(name, name), end)
        elif name in FUNCTION_COMMANDS:
            self.add("upright", name, end)
        elif name == "sum":
            self._sum(whole, end)
        elif name in ("begin", "end"):
            self._environment(name, end)
        elif name in ACCENTS:
            self._accent(name, end)
        elif name == "mathcal":
            self._script(end)
        elif name in DOTS:
            self._dots(whole, end)
        else:
            raise self.refuse("command", f"the command {quoted(whole)} has no meaning here", end)

    def _accent(self, name: str, end: int) -> None:
        r"""\hat{x}, \bar{x}: a name of its own, the letter with its mark."""
        found = ONE_LETTER.match(self.seen, end)
        if found is None:
            raise self.refuse("command", "one letter belongs under this mark", end)
        self.add("upright", unicodedata.normalize("NFC", found.group(2) + ACCENTS[name]), found.end())

    def _in_cell(self, end: int) -> bool:
        r"""Whether \mathbf{1} is all that stands in a cell of a matrix: a number that is set bold."""
        opens = bool(self.tokens) and self.tokens[-1].kind in ("begin", "&", "rowend", "[", ",")
        return opens and ONE_IN_A_CELL.match(self.seen, end) is not None

    def _script(self, end: int) -> None:
        found = ONE_LETTER.match(self.seen, end)
        if found is None or not "A" <= found.group(2) <= "Z":
            raise self.refuse("command", "one capital letter belongs here", end)
        self.add("upright", chr(0x1D4D0 + ord(found.group(2)) - ord("A")), found.end())

    def _upright(self, end: int) -> None:
        if (phi := re.compile(r"\s*\{\s*\\Phi\s*\}").match(self.seen, end)) is not None:
            self.add("greek", "Phi", phi.end())
            return
        found = WORD.match(self.seen, end)
        if found is None:
            single = re.compile(rf"\s*({LETTER})").match(self.seen, end)
            if single is None:
                raise self.refuse("command", "expected a name in braces here", end)
            self.add("upright", single.group(1), single.end())
            return
        word = " ".join(re.sub(r"\\[ ,;!]", " ", found.group(1)).replace(r"\_", "_").split())
        if not word:
            self.at = found.end()
        elif re.fullmatch(r"[0-9]+(\.[0-9]+)?", word):
            self.add("number", word, found.end())
        else:
            self.add("upright", word, found.end())

    def _environment(self, command: str, end: int) -> None:
        found = ENVIRONMENT.match(self.seen, end)
        if found is None or found.group(1) not in ENVIRONMENTS:
            raise self.refuse("environment", "expected a matrix here: bmatrix, pmatrix, matrix or array", end)
        last = found.end()
        if command == "begin" and found.group(1) == "array":
            columns = re.compile(r"\s*(?:\[[tbc]\])?\{[lcr| ]*\}").match(self.seen, last)
            last = columns.end() if columns else last
        self.add(command, found.group(1), last)
