"""Matrices that no page can hold: the first and the last rows and columns, and dots for those in between."""

from __future__ import annotations

from symtransformer.rendering.document import Grid
from symtransformer.rendering.numbers import Shown

COLUMNS_AT_MOST, ROWS_AT_MOST = 24, 30  # a matrix that has more is shown in part
FIRST, LAST = 8, 2  # of its columns or rows
ACROSS, DOWN, BOTH = Shown("⋯", True), Shown("⋮", True), Shown("⋱", True)


def elided(grid: Grid) -> Grid:
    """The grid, or its outer rows and columns where there are too many; exact only if all of it is."""
    rows, columns = _kept(len(grid.cells), ROWS_AT_MOST), _kept(len(grid.cells[0]), COLUMNS_AT_MOST)
    if None not in rows and None not in columns:
        return grid
    cells = tuple(tuple(_cell(grid, i, j) for j in columns) for i in rows)
    marks = {("row", k) for k, i in enumerate(rows) if i is not None and ("row", i) in grid.marks}
    marks |= {("column", k) for k, j in enumerate(columns) if j is not None and ("column", j) in grid.marks}
    labels = grid.labels if None not in rows else ()
    return Grid(cells, frozenset(marks), labels)


def _kept(count: int, at_most: int) -> list[int | None]:
    """The places that are shown; None for all those that are not."""
    if count <= at_most:
        return list(range(count))
    return [*range(FIRST), None, *range(count - LAST, count)]


def _cell(grid: Grid, i: int | None, j: int | None) -> Shown:
    if i is None:
        return BOTH if j is None else DOWN
    return ACROSS if j is None else grid.cells[i][j]
