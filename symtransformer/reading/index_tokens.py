r"""The tokens of an index formula: names are told from the indices below them by what is known.

`W_Q` is a name where a letter W_Q is known, and `q_i` is row i of Q; what stands below is read letter by
letter. Whatever has no meaning here is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sympy import S

from symtransformer.reading import patterns
from symtransformer.reading.index_marks import BASE, HIGH, LOW, plain_base, plain_mark, spellings, unknown
from symtransformer.reading.index_places import names_in, plain, value_of
from symtransformer.reading.index_signs import BETWEEN, COMMANDS, FUNCTIONS, INDEX, LATEX_LOW, SIGNS, SKIPPED
from symtransformer.reading.index_sums import SUM, SumRanges, sum_sign
from symtransformer.reading.limits import DEPTH, DIGITS, TOKENS
from symtransformer.reading.problems import ReadingError, Span, quoted

_BASE = re.compile(BASE)
WORKED_OUT, MULTIPLE = re.compile(r"[-−+*(]|[a-z]\w*_"), re.compile(r"[0-9]\s+[a-z]")
HEAD = re.compile(r"\^\(([a-z])\)")
GREEK_FACTOR = re.compile("(?<=[A-Za-z0-9])[α-ω]")
LONG_LOW = re.compile(r"_([A-Za-z0-9]{2,15})")


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    span: Span
    indices: tuple[str, ...] = ()
    ranges: SumRanges = ()
    head: str = ""  # the letter in W_Q^(i)


class IndexTokenizer:
    """One pass over a text; `known` are the names that may stand in it, which of them are `numbers`, and which `families`."""

    def __init__(
        self, text: str, known: Iterable[str], start: int = 0, end: int | None = None, numbers: Iterable[str] = (),
        families: Iterable[str] = (),
    ) -> None:  # fmt: skip
        self.text, self.known, self.numbers, self.families = text, {*known, *numbers}, set(numbers), set(families)
        self.at, self.end = start, len(text) if end is None else end
        self.latex = "\\" in text
        self.depth = 0
        self.tokens: list[Token] = []

    def refuse(self, code: str, message: str, start: int | None = None) -> ReadingError:
        return ReadingError(self.text, Span(self.at if start is None else start, self.at), code, message)

    def all(self) -> list[Token]:
        while self.at < self.end:
            self._next()
        return self.tokens

    def _add(self, kind: str, text: str, end: int, **more: Any) -> None:
        self.depth += (kind in ("OPEN", "LANGLE")) - (kind in ("CLOSE", "RANGLE"))
        if self.depth > DEPTH:
            raise self.refuse("too_deep", f"more than {DEPTH} brackets inside each other")
        if end > self.end:
            raise self.refuse("syntax", "the formula is cut here")
        self.tokens.append(Token(kind, text, Span(self.at, end), **more))
        if len(self.tokens) > TOKENS:
            raise self.refuse("too_long", f"more than {TOKENS} signs, names and numbers")
        self.at = end

    def _next(self) -> None:
        c = self.text[self.at]
        if c in " \t\r~\u3000\n":
            self.at += 1
        elif found := SUM.match(self.text, self.at):
            self._sum(found)
        elif transposed := (patterns.RAISED_T_IN_LATEX if self.latex else patterns.RAISED_T).match(self.text, self.at):
            self._add("T", "^T", transposed.end())
        elif c == "ᵀ" or (self.text.startswith(".T", self.at) and not self.text[self.at + 2 : self.at + 3].isalnum()):
            self._add("T", "^T", self.at + (1 if c == "ᵀ" else 2))
        elif c == "⊤":
            raise self.refuse("syntax", "write ^T for a transpose")
        elif c.isascii() and c.isdigit():
            self._number()
        elif c == "\\" and not _BASE.match(self.text, self.at):
            self._command()
        elif _BASE.match(self.text, self.at):
            self._name()
        elif c == "_" and self.tokens and self.tokens[-1].kind == "CLOSE":
            self._below_brackets()
        elif c in SIGNS:
            self._add(SIGNS[c], c, self.at + 1)
        else:
            raise self.refuse("character", f"{quoted(c)} has no meaning in an index formula")

    def _number(self) -> None:
        number = patterns.NUMBER.match(self.text, self.at).group()  # type: ignore[union-attr]
        if "e" in number.lower() or len(number) > DIGITS:
            raise self.refuse("number", f"write a number with at most {DIGITS} digits and no power of ten")
        self._add("NUMBER", number, self.at + len(number))

    def _command(self) -> None:
        found = patterns.COMMAND.match(self.text, self.at)
        command, end = (found.group(1), found.end()) if found else ("", self.at + 1)
        if command in SKIPPED:
            self.at = end
        elif command in COMMANDS:
            self._add(COMMANDS[command], command, end)
        elif command in FUNCTIONS:
            self._add("FUNCTION", FUNCTIONS[command], end)
        elif command in ("{", "}"):
            self._add(SIGNS[command], command, end)
        elif command == "\\":
            self.at = end
        else:
            shown = quoted(found.group() if found else "\\")
            raise self.refuse("command", f"the command {shown} has no meaning in an index formula")

    # -- names ------------------------------------------------------------------------------------------------
    def _name(self) -> None:
        start = self.at
        found = _BASE.match(self.text, start)
        assert found is not None
        base, end = plain_base(found.group()), found.end()
        if namespace := patterns.NAMESPACE.match(self.text, start):
            found = _BASE.match(self.text, namespace.end())
            if found is None:
                raise self.refuse("name", "expected a name")
            base, end = namespace.group() + plain_base(found.group()), found.end()
        if base in FUNCTIONS and base not in self.known and not self.text.startswith("_", end):
            self._add("FUNCTION", FUNCTIONS[base], end)
            return
        if base == "e" and "e" not in self.known and (power := re.compile(r"\s*\^\s*(?=[{(])").match(self.text, end)):
            self._add("FUNCTION", "exp", power.end())
            return
        lows, highs, (head, family), end = self._marks(end, base)
        resolved = (family, lows) if family else self._resolved(base, lows, highs)
        if resolved is None and found.group().isalpha() and len(base) > 1 and (self.latex or base.isupper()):
            if all(self._resolved(letter, [], []) for letter in base[:-1]):  # a product of letters
                self._add("NAME", self._resolved(base[0], [], [])[0], start + 1)  # type: ignore[index]
                return
        if resolved is None:
            self.at = found.end()
            raise self.refuse("unknown_name", unknown(base, self.known), start)
        name, rest = resolved
        indices = tuple(letter for low in rest for letter in self._indices(low, start))
        if name == "delta" and "delta" not in self.known:
            if len(indices) != 2:
                raise self.refuse("index", "a Kronecker delta has two indices, as in δ_ij")
            self._add("DELTA", name, end, indices=indices)
            return
        self._add("NAME", name, end, indices=indices, head=head)

    def _low(self, end: int, base: str = "") -> re.Match[str] | None:
        """What stands below; without braces one sign in LaTeX, or several where the others could be nothing else."""
        low = re.compile(LATEX_LOW if self.latex else LOW).match(self.text, end)
        if low is not None and (factor := next((x for x in GREEK_FACTOR.finditer(low.group()) if plain_base(x.group()) in self.known), None)):  # fmt: skip
            low = re.compile(LOW).match(self.text, end, end + factor.start())  # g_ij α, where α is a number
        longer = LONG_LOW.match(self.text, end) if self.latex else None
        if longer is None:
            return low
        name, letters = longer.group(1), set(longer.group(1)[1:])
        is_name = any(f"{spelled}_{name}" in self.known for spelled in spellings(base))
        are_indices = name.isalpha() and name.islower() and not letters & self.known
        return longer if is_name or are_indices else low

    def _marks(self, end: int, base: str) -> tuple[list[str], list[str], tuple[str, str], int]:
        """What stands below and above a name, as plain text; before it the letter of its head and the family."""
        lows: list[str] = []
        highs: list[str] = []
        head = "", ""
        while True:
            of_head = HEAD.match(self.text, end) if self.families and not head[0] else None
            if of_head and (family := self._family(base, lows)):
                head, lows, end = (of_head.group(1), family), [], of_head.end()
                continue
            low = self._low(end, base)
            high = None if low else re.compile(rf"\s*{HIGH}").match(self.text, end)
            above = plain_mark(high.group().strip()[1:]) if high else ""
            if low is not None:
                lows.append(plain_mark(low.group()[1:]))
                end = low.end()
            elif (
                high is not None
                and not re.fullmatch(r"[0-9]+|[a-z-]|-.*", above)
                and re.fullmatch(r"[A-Za-z0-9]+", above)
            ):
                highs.append(above)
                end = high.end()
            else:
                return lows, highs, head, end

    def _family(self, base: str, lows: list[str]) -> str:
        """The family of which this is a member, as W_Q of W_Q^(i), and Q of an entry q^(i)_jc."""
        place, dot, bare = base.rpartition(".")
        names = (f"{place}{dot}{spelled}{''.join(f'_{low}' for low in lows)}" for spelled in spellings(bare))
        return next((name for name in names if name in self.families), "")

    def _resolved(self, base: str, lows: list[str], highs: list[str]) -> tuple[str, list[str]] | None:
        """The known name that is meant, and what remains as indices."""
        place, _, bare = base.rpartition(".")
        place = f"{place}." if place else ""
        for spelled in spellings(bare):
            for mark in highs[:1]:
                if f"{place}{spelled}_{mark}" in self.known:
                    return f"{place}{spelled}_{mark}", [*highs[1:], *lows]
            if highs:
                continue
            if lows and f"{place}{spelled}_{lows[0]}" in self.known:
                if spelled != bare and f"{place}{spelled}" in self.known and len("".join(lows)) <= 2:
                    raise self.refuse(
                        "index", f"{bare}_{lows[0]} could be {spelled}_{lows[0]}, or row {lows[0]} of {spelled}"
                    )
                return f"{place}{spelled}_{lows[0]}", lows[1:]
            for cut in range(len(lows[0]) - 1, 0, -1) if lows and "," in lows[0] else ():  # W_{Q,ab}
                if lows[0][cut] == "," and f"{place}{spelled}_{lows[0][:cut]}" in self.known:
                    return f"{place}{spelled}_{lows[0][:cut]}", [lows[0][cut + 1 :], *lows[1:]]
        for spelled in spellings(bare) if not highs else ():
            if f"{place}{spelled}" in self.known - (self.numbers if lows else set()):  # n_ij is an entry of N
                return f"{place}{spelled}", lows
        if lows and bare in self.numbers and not highs and not place:
            return bare, lows
        if bare in ("delta", "I") and lows and not highs and not place:
            return "delta", lows
        return None

    def _indices(self, low: str, start: int) -> list[str]:
        found: list[str] = []
        fenced = low[:1] == "(" and low[-1:] == ")"
        low = low[1:-1] if fenced else low
        apart = plain(low)
        if WORKED_OUT.search(low) or ((fenced or "," in apart) and MULTIPLE.search(apart)):
            return [self._place(part.strip(), start) for part in apart.split(",")]
        at = 0
        while at < len(low):
            if between := re.compile(BETWEEN).match(low, at):
                at = between.end()
                continue
            index = re.compile(INDEX).match(low, at)
            if index is None:
                raise self.refuse(
                    "index", f"{quoted(low)} are no indices; each is one small letter, or a number from 1", start
                )
            place = plain_base(index.group())
            if place.isdigit() and len(place) > 1 and "," not in low:
                message = f"{place} could be the place {place}, or {' and '.join(place)}; write {{{','.join(place)}}}, or {{{place},}}"
                raise self.refuse("index", message, start)
            found.append(place)
            at = index.end()
        return found

    def _place(self, place: str, start: int) -> str:
        """j + 1, for letters of indices and sizes."""
        unlike = [x for x in names_in(place) if x not in self.numbers and not (len(x) == 1 and x.islower())]
        try:
            value_of(place, lambda name: S.One)
        except ValueError:
            unlike.append(place)
        if unlike:
            message = f"{quoted(unlike[-1])} are no indices; each is one small letter, a number from 1, or as j + 1"
            raise self.refuse("index", message, start)
        return place

    def _below_brackets(self) -> None:
        low = self._low(self.at)
        if low is None:
            raise self.refuse("index", "expected indices, as in (S K)_{ia}")
        self._add("BELOW", "_", low.end(), indices=tuple(self._indices(plain_mark(low.group()[1:]), self.at)))

    def _sum(self, found: re.Match[str]) -> None:
        start = found.end()

        def refuse(code: str, message: str) -> ReadingError:
            return ReadingError(self.text, Span(found.start(), start), code, message)

        end, ranges = sum_sign(self.text, start, self.latex, refuse)
        self._add("SUM", "Σ", end, ranges=ranges)
