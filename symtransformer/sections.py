"""What a part of a page shows: words, steps, tables, comparisons and counted facts, as frozen records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from sympy import Add, Expr, S

from symtransformer.errors import NotSupported, Refuted, UnreadableInput
from symtransformer.notation import Words
from symtransformer.symbols import exact_number
from symtransformer.zero import is_exactly_zero


def require_words(what: str, words: Any) -> None:
    """Texts are given in both languages."""
    if not isinstance(words, Words):
        raise UnreadableInput(f'{what}: expected Words("in English", "日本語で"), got {type(words).__name__}')


@dataclass(frozen=True)
class Column:
    """One column of a table over a parameter: an entry of a step, counted from 0."""

    step: str
    i: int
    j: int
    percent: bool = False
    places: int | None = None


@dataclass(frozen=True)
class Sweep:
    """A table: the parameter takes each value, and each column shows one entry."""

    parameter: Expr
    at: tuple[Any, ...]
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class Comparison:
    """A step under the derivation's own values against the same step, or `other`, under those of the section.

    Both are shown with the difference, second minus first.
    """

    step: str
    first: Words  # what the derivation's own values are: "with the mask"
    second: Words
    other: str = ""

    def __post_init__(self) -> None:
        require_words("a comparison", self.first)
        require_words("a comparison", self.second)


@dataclass(frozen=True)
class Fact:
    """A line of words in which {0}, {1}, ... are exact numbers.

    A relation written in the words is worked out and must be true; `equal` names two numbers
    that must be equal where the words alone do not say so. Letters of sizes may stand in the
    numbers: they take the values of the page.

    >>> from symtransformer import Words
    >>> fact = Fact(Words("{0} + {1} = {2} boxes.", "箱は {0} + {1} = {2} 個です。"), (6, 12, 18))
    >>> Fact(fact.words, (6, 12, 19))
    Traceback (most recent call last):
    symtransformer.errors.Refuted: a fact: 6 + 12 = 19 is not true
    """

    words: Words
    numbers: tuple[Any, ...] = ()
    equal: tuple[Any, Any] | None = None

    def __post_init__(self) -> None:
        require_words("a fact", self.words)
        object.__setattr__(self, "numbers", tuple(exact_number(n, "a number of a fact") for n in self.numbers))
        if self.equal is not None:
            object.__setattr__(self, "equal", tuple(exact_number(n, "a side of a fact") for n in self.equal))
        for text in (self.words.en, self.words.ja):
            if places := {int(k) for k in re.findall(r"\{(\d+)\}", text)} ^ set(range(len(self.numbers))):
                raise UnreadableInput(f"a fact: {{{min(places)}}} and the numbers given do not match in {text[:60]!r}")
        self.values({})

    def values(self, known: Mapping[Any, Any]) -> tuple[Expr, ...]:
        """The numbers with these sizes and parameters put in; `Refuted` where a relation does not hold."""
        numbers = tuple(number.xreplace(dict(known)) for number in self.numbers)
        for text in (self.words.en, self.words.ja):
            for relation in _relations(text, self.equal is not None):
                shown = re.sub(r"\{(\d+)\}", lambda m: str(numbers[int(m[1])]), relation)
                sides = [_Reader(side, numbers).whole() for side in relation.split("=")]
                for left, right in pairwise(sides):
                    _require_equal(left, right, shown)
        if self.equal is not None:
            left, right = (side.xreplace(dict(known)) for side in self.equal)
            _require_equal(left, right, f"{left} = {right}")
        return numbers

    def answers(self) -> set[int]:
        """The places that a worksheet leaves open: the side of a relation that is one number; all if there is none."""
        found = set()
        for relation in _relations(self.words.en, self.equal is not None):
            alone = [int(m[1]) for side in relation.split("=") if (m := re.fullmatch(r"\s*\{(\d+)\}\s*", side))]
            found |= set(alone[-1:])
        return found or set(range(len(self.numbers)))


@dataclass(frozen=True)
class Counts:
    """A table of words and exact numbers; `total` names a last row with the sum of each column of numbers."""

    caption: Words
    heads: tuple[Words, ...]
    rows: tuple[tuple[Any, ...], ...]
    total: Words | None = None

    def __post_init__(self) -> None:
        for words in (self.caption, *self.heads, *([] if self.total is None else [self.total])):
            require_words("a table of counts", words)
        rows = [[c if isinstance(c, Words) else exact_number(c, "a table of counts") for c in row] for row in self.rows]
        if not rows or any(len(row) != len(self.heads) for row in rows):
            raise UnreadableInput(f"a table of counts: expected rows of {len(self.heads)} cells, as many as heads")
        object.__setattr__(self, "rows", tuple(map(tuple, rows)))

    def values(self, known: Mapping[Any, Any]) -> list[list[Any]]:
        """The rows with these sizes put in, and the sums if they are asked for."""
        rows = [[c if isinstance(c, Words) else c.xreplace(dict(known)) for c in row] for row in self.rows]
        if self.total is None:
            return rows
        sums: list[Any] = [self.total]
        for k in range(1, len(self.heads)):
            column = [row[k] for row in rows]
            sums.append(None if any(isinstance(c, Words) for c in column) else Add(*column))
        return [*rows, sums]


@dataclass(frozen=True)
class Section:
    """A part of a page: words, inputs to show, steps to show, under values of its own if it has any.

    Of the steps or inputs named in them, `percent` shows a table of percentages, `heat` a map of
    shades, `usable` which entries a mask leaves (−∞ hides), `kept` which components an activation
    keeps or sets to 0. `entries` works every entry of these steps out, also where the page shows
    steps only; with `exact=False` no exact value stands beside the digits.
    """

    title: Words
    text: Words | None = None
    inputs: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    rows_only: bool = False
    percent: tuple[str, ...] = ()
    values: Mapping[Any, Any] = field(default_factory=dict)
    sweep: Sweep | None = None
    behind: tuple[tuple[str, tuple[str, ...]], ...] = ()  # a step, and the named steps at which to stop
    heat: tuple[str, ...] = ()
    usable: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    compare: tuple[Comparison, ...] = ()
    facts: tuple[Fact, ...] = ()
    tables: tuple[Counts, ...] = ()
    entries: tuple[str, ...] = ()
    exact: bool = True

    def __post_init__(self) -> None:
        require_words("the title of a section", self.title)
        if self.text is not None:
            require_words("the text of a section", self.text)
        for name, kind in (("compare", Comparison), ("facts", Fact), ("tables", Counts)):
            if any(not isinstance(item, kind) for item in getattr(self, name)):
                raise UnreadableInput(f"a section: {name} expects a tuple of {kind.__name__}(...)")
        for name in ("inputs", "steps", "percent", "heat", "usable", "kept", "entries"):
            if isinstance(getattr(self, name), str):
                raise UnreadableInput(f'a section: {name} expects a tuple of names, as in ("A",)')


# -- relations written in words ------------------------------------------------------------------------
_MAY_STAND_IN_ONE = re.compile(r"[\d{}()+\-−×·/=\s]+")


def _relations(text: str, told: bool) -> Iterator[str]:
    """The runs of numbers, signs and places that hold an equals sign."""
    if re.search(r"\}\s*[≈≠<>≤≥]|[≈≠<>≤≥]\s*\{", text):
        raise UnreadableInput(f"a fact: only = is checked, so nothing else may relate numbers: {text[:60]!r}")
    for found in _MAY_STAND_IN_ONE.finditer(text):
        run = found[0].strip()
        if "=" not in run:
            continue
        if re.search(r"^[\s)]*=|=[\s(]*$", run):  # a side is made of words
            if not told:
                raise UnreadableInput(f"a fact: a side of = in {text[:60]!r} cannot be read; give equal=(left, right)")
            continue
        while run[-1] == "(" or (run[-1] == ")" and run.count(")") > run.count("(")):
            run = run[:-1].rstrip()
        while run[0] == ")" or (run[0] == "(" and run.count("(") > run.count(")")):
            run = run[1:].lstrip()
        yield run


def _require_equal(left: Expr, right: Expr, shown: str) -> None:
    difference = (left - right).expand()
    if difference.free_symbols:
        return  # decided where the sizes are known
    zero = is_exactly_zero(difference)
    if zero is None:
        raise NotSupported(f"a fact: whether {shown} is true cannot be decided")
    if not zero:
        raise Refuted(f"a fact: {shown} is not true")


class _Reader:
    """{0} × ({1} + 2): sums of products of places and whole numbers."""

    def __init__(self, text: str, numbers: Sequence[Expr]) -> None:
        self.text, self.numbers = text.strip(), numbers
        self.tokens = re.findall(r"\{\d+\}|\d+|[()+×·/−-]|\S", text)

    def whole(self) -> Expr:
        value = self._sum()
        if self.tokens:
            raise UnreadableInput(f"a fact: {self.text[:60]!r} cannot be read as an expression")
        return value

    def _sum(self) -> Expr:
        value = self._product()
        while self.tokens and self.tokens[0] in "+-−":
            value = value + self._product() if self.tokens.pop(0) == "+" else value - self._product()
        return value

    def _product(self) -> Expr:
        value = self._factor()
        while self.tokens and self.tokens[0] in "×·/":
            value = value / self._factor() if self.tokens.pop(0) == "/" else value * self._factor()
        return value

    def _factor(self) -> Expr:
        token = self.tokens.pop(0) if self.tokens else ""
        if token in ("-", "−"):
            return -self._factor()
        if token == "(":
            value = self._sum()
            if self.tokens[:1] == [")"]:
                self.tokens.pop(0)
                return value
        elif token.isdigit():
            return S(int(token))
        elif token.startswith("{") and len(token) > 1:
            return self.numbers[int(token[1:-1])]
        raise UnreadableInput(f"a fact: {self.text[:60]!r} cannot be read as an expression")
