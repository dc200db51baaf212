"""What a part of a page shows: words, steps, tables, comparisons and counted facts, as frozen records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sympy import Add, Expr, Symbol

from symtransformer.errors import UnreadableInput
from symtransformer.facts import Fact, freeze, frozen, require_words
from symtransformer.node import Node
from symtransformer.notation import Words
from symtransformer.symbols import Letter, exact_number


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

    def __post_init__(self) -> None:
        freeze(self, "at", "columns")


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
        freeze(self, "heads")

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
class IndexLine:
    """left = right for all values of the index letters and of the entries, by one rule.

    Both sides are formulas of entries: sums, deltas, derivatives by an entry. `where` says what letters of
    results stand for, `losses` which letters hold the gradient of the loss and by what, `short` under
    which name one is written. `whole` are the letters left out in print: the line is said of whole rows.
    """

    left: Expr
    right: Expr
    rule: Words
    explanation: Words
    where: tuple[tuple[Letter, Node], ...] = ()
    losses: tuple[tuple[Letter, Letter], ...] = ()
    short: tuple[tuple[Letter, Letter], ...] = ()
    whole: tuple[Symbol, ...] = ()
    loss: str = "L"

    def __post_init__(self) -> None:
        require_words("the rule of a line", self.rule)
        require_words("the explanation of a line", self.explanation)
        if not isinstance(self.left, Expr) or not isinstance(self.right, Expr):
            raise UnreadableInput("an index line: both sides must be formulas of entries")
        freeze(self, "where", "losses", "short", "whole")


@dataclass(frozen=True)
class Section:
    """A part of a page: words, inputs to show, steps to show, under values of its own if it has any.

    Of the steps or inputs named in them, `percent` shows a table of percentages, `heat` a map of
    shades, `usable` which entries a mask leaves (−∞ hides), `kept` which components an activation
    keeps or sets to 0. `entries` works every entry of these steps out, also where the page shows
    steps only; with `exact=False` no exact value stands beside the digits. `lines` is a derivation
    in index notation, line by line.
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
    lines: tuple[IndexLine, ...] = ()

    def __post_init__(self) -> None:
        require_words("the title of a section", self.title)
        if self.text is not None:
            require_words("the text of a section", self.text)
        names = ("inputs", "steps", "percent", "heat", "usable", "kept", "entries")
        for name in names:
            if isinstance(getattr(self, name), str):
                raise UnreadableInput(f'a section: {name} expects a tuple of names, as in ("A",)')
        freeze(self, *names, "values", "behind", "compare", "facts", "tables", "lines")
        kinds = (("compare", Comparison), ("facts", Fact), ("tables", Counts), ("lines", IndexLine))
        for name, kind in kinds:
            if any(type(item) is not kind for item in getattr(self, name)):
                raise UnreadableInput(f"a section: {name} expects a tuple of {kind.__name__}(...)")


__all__ = ["Column", "Comparison", "Counts", "Fact", "IndexLine", "Section", "Sweep", "frozen", "require_words"]
