"""One changed number of the input that would tell apart the slips that all explain what is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from sympy import Integer, Rational

from symtransformer.checking.number_words import Note
from symtransformer.checking.slips.catalog import SLIPS
from symtransformer.checking.slips.diagnosis import Budget, Fits, Trials, alterations
from symtransformer.checking.slips.records import Known, ball_rows, nearest, put_in, whole
from symtransformer.errors import SymtransformerError
from symtransformer.node import Node
from symtransformer.notation import Words
from symtransformer.symbols import Letter, Literal

NUMBERS = (*map(Integer, (2, 3, -1, 5, 0, 1)), *(Rational(k, 10) for k in (5, 15, -7, 23, 8, -13)))


@dataclass(frozen=True)
class TellingEntry:
    """A letter and a place of it, from 1, with the number that should stand there."""

    letter: str
    row: int
    column: int
    number: Rational
    instead_of: Rational

    @property
    def note(self) -> Note:
        return Note("telling_entry", self.words)

    @property
    def words(self) -> Words:
        is_short = re.fullmatch("[A-Z]", self.letter) and max(self.row, self.column) < 10
        at = (
            f"{self.letter.lower()}_{self.row}{self.column}"
            if is_short
            else f"{self.letter}[{self.row}, {self.column}]"
        )
        number, before = _plain(self.number), _plain(self.instead_of)
        return Words(
            f"With {at} = {number} instead of {before}, the likely mistakes would show different digits.",
            f"{at} を {before} から {number} に変えて計算し直せば、どの誤りかを見分けられる。",
        )


def _plain(number: Rational) -> str:
    """As a short decimal, or else as a fraction."""
    tenths = number * 10
    if number.is_Integer or not tenths.is_Integer:
        return str(number)
    return f"{'-' if tenths < 0 else ''}{abs(tenths) // 10}.{abs(tenths) % 10}"


def telling_entry(
    expression: Node,
    values: Known,
    fits: Fits,
    found: Iterable[Note],
    decimals: int,
    *,
    shape: tuple[Any, Any] | None = None,
    budget: Budget | None = None,
) -> TellingEntry | None:
    """A change of one entry for which the right way and each of the slips `found` would show different digits.

    None where there are fewer than two, or none was found before the budget was spent; the other arguments are those
    of `diagnose`.
    """
    budget = budget or Budget(500)
    slips = tuple(slip for slip in SLIPS if slip.name in {note.name for note in found})
    trials = Trials(values, fits, shape or expression.shape, budget)
    ways: dict[str, list[Node]] = {slip.name: [] for slip in slips}
    for slip, altered in alterations(expression, values, slips):
        if trials.fit(altered) and altered not in ways[slip.name]:
            ways[slip.name].append(altered)
    if len(slips) < 2 or not all(ways.values()):
        return None
    every = [[expression], *ways.values()]
    for letter, i, j, number in _changes(expression, values):
        if not values[letter].matrix[i, j].is_Rational:  # −∞ of a mask stays
            continue
        if not budget.take():
            return None
        changed = {**values, letter: _with(values[letter], i, j, number)}
        if _are_apart(every, changed, decimals):
            return TellingEntry(letter.name, i + 1, j + 1, number, values[letter].matrix[i, j])
    return None


def _changes(expression: Node, values: Known) -> Iterator[tuple[Letter, int, int, Rational]]:
    letters = sorted((x for x in expression._free if isinstance(values.get(x), Literal)), key=str)
    for number in NUMBERS:
        for letter in letters:
            rows, columns = map(whole, letter.shape)
            yield from ((letter, i, j, number) for i in range(rows) for j in range(columns))  # type: ignore[misc]


def _with(value: Any, i: int, j: int, number: Rational) -> Literal:
    rows = value.matrix.tolist()
    rows[i][j] = number
    return Literal(rows)


def _are_apart(every: list[list[Node]], values: Known, decimals: int) -> bool:
    """No two ways show the same; a way that has no value shows nothing, and tells nothing."""
    try:
        tables = [{_table(way, values, decimals) for way in ways} for ways in every]
    except SymtransformerError:
        return False
    return all(one.isdisjoint(other) for one, other in combinations(tables, 2))


def _table(way: Node, values: Known, decimals: int) -> tuple[Any, ...]:
    return tuple(tuple(nearest(x, decimals) for x in row) for row in ball_rows(put_in(way, values)))
