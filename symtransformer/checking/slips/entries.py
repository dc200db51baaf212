"""Slips where one entry of a matrix is asked for, or one row: another one was taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symtransformer.checking.slips.records import Known, Slip, tried, whole
from symtransformer.notation import Words
from symtransformer.operations.concatenation import ColumnSlice
from symtransformer.operations.rows import Row


def _place(node: Any) -> tuple[Any, int, int] | None:
    """M, i and j of M_ij, counted from 0."""
    rows = node.args[0]
    if isinstance(rows, Row) and whole(node.args[2]) == 1:
        return rows.args[0], whole(rows.args[1]), whole(node.args[1])
    return None


def _turned(node: Any, known: Known) -> Iterator[Any]:
    found = _place(node)
    if found:
        table, i, j = found
        yield from tried((lambda: ColumnSlice(Row(table, j), i, 1),))


def _beside(node: Any, known: Known) -> Iterator[Any]:
    """One before or behind: of the rows, or of the columns where one column is taken."""
    at = whole(node.args[1])
    if isinstance(node, Row):
        yield from tried((lambda: Row(node.args[0], at - 1), lambda: Row(node.args[0], at + 1)))
    elif whole(node.args[2]) == 1:
        yield from tried((lambda: ColumnSlice(node.args[0], at - 1, 1), lambda: ColumnSlice(node.args[0], at + 1, 1)))


ENTRIES = (
    Slip(
        "index_swapped",
        Words(
            "Row and column were taken for each other: the entry stands in the mirrored place.",
            "行と列の添字を取り違え、対称の位置にある成分の値になっている。",
        ),
        (ColumnSlice,), _turned, everywhere=False, in_pairs=False,
    ),
    Slip(
        "neighboring_entry",
        Words("The entry, row or column next to it was taken.", "隣の成分（または隣の行・列）の値になっている。"),
        (ColumnSlice, Row), _beside, everywhere=False, in_pairs=False,
    ),
)  # fmt: skip
