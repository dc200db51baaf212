"""Slips that leave every number right but one thing: two rows swapped, two columns, or rows for columns; the sign."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from symtransformer.checking.number_words import SIGN, Note
from symtransformer.checking.regions import is_right, scaled
from symtransformer.checking.values import Comparisons, Undecided, Value
from symtransformer.notation import Words

LINES_AT_MOST = 12  # rows, or columns
RESULT_TRANSPOSED = Note(
    "result_transposed",
    Words("The result is transposed: its rows stand as columns.", "結果が転置されている（行と列が入れ替わっている）。"),
)
At = Callable[[int, int], Value]
Places = Callable[[int, int], tuple[int, int]]


def misplaced(cells: Any, at: At) -> Note | None:
    """Two rows or two columns swapped, or the whole transposed, gives all that is shown; None where it is right.

    >>> from symtransformer.checking import number, read_number
    >>> cells = [[read_number("3"), read_number("4")], [read_number("1"), read_number("2")]]
    >>> misplaced(cells, lambda i, j: number(2 * i + j + 1)).name
    'rows_swapped'
    """
    known = cache(lambda i, j: Comparisons(at(i, j)))

    def fits(place: Places) -> bool:
        return all(is_right(claim, known(*place(i, j))) for i, row in enumerate(cells) for j, claim in enumerate(row))

    with suppress(Undecided):
        if not fits(lambda i, j: (i, j)):
            return next((note for note, place in _ways(len(cells), len(cells[0])) if fits(place)), None)
    return None


def _ways(rows: int, columns: int) -> Iterator[tuple[Note, Places]]:
    if max(rows, columns) > LINES_AT_MOST:
        return
    for a, b in combinations(range(rows), 2):
        yield _swapped("row", "行", a, b), lambda i, j, a=a, b=b: (_other(i, a, b), j)  # type: ignore[misc]
    for a, b in combinations(range(columns), 2):
        if rows > 1:
            yield _swapped("column", "列", a, b), lambda i, j, a=a, b=b: (i, _other(j, a, b))  # type: ignore[misc]
        else:
            yield _swapped("entry", "成分", a, b), lambda i, j, a=a, b=b: (i, _other(j, a, b))  # type: ignore[misc]
    if rows == columns:
        yield RESULT_TRANSPOSED, lambda i, j: (j, i)


def _other(k: int, a: int, b: int) -> int:
    return b if k == a else a if k == b else k


def _swapped(one: str, one_ja: str, a: int, b: int) -> Note:
    many = "entries" if one == "entry" else one + "s"
    words = Words(
        f"The {many} {a + 1} and {b + 1} are swapped.", f"{one_ja} {a + 1} と{one_ja} {b + 1} が入れ替わっている。"
    )
    return Note(f"{many}_swapped", words)


def other_sign(cells: Any, at: At) -> tuple[Note, bool] | None:
    """The other sign makes entries right that are not; and whether it makes all of them right."""
    wrong, cured, count = [], [], 0
    with suppress(Undecided):
        for i, row in enumerate(cells):
            for j, claim in enumerate(row):
                known = Comparisons(at(i, j))
                count += claim.value != 0
                if not is_right(claim, known):
                    wrong.append((i, j))
                    cured += [(i, j)] if claim.value and is_right(scaled(claim, Fraction(-1)), known) else []
        if cured and len(cured) == len(wrong):
            return (SIGN if len(cured) == count else _in_entries(cured)), True
        return (_in_entries(cured), False) if cured else None
    return None


def _in_entries(places: list[tuple[int, int]]) -> Note:
    listed = ", ".join(f"({i + 1}, {j + 1})" for i, j in places[:LINES_AT_MOST])
    many = "entry" if len(places) == 1 else "entries"
    return Note(
        "sign",
        Words(
            f"With the other sign it would be right in the {many} {listed}.", f"成分 {listed} は、符号が逆なら正しい。"
        ),
    )
