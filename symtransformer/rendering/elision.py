"""Matrices that no page can hold: the first and the last rows and columns, and dots for those in between.

And a row of long formulas, which stands as a column with the sign of the transpose.
"""

from __future__ import annotations

from symtransformer.dialects import LATEX
from symtransformer.rendering.document import Grid
from symtransformer.rendering.latex_text import width_of
from symtransformer.rendering.numbers import Shown

COLUMNS_AT_MOST, ROWS_AT_MOST = 24, 30  # a matrix that has more is shown in part
UPRIGHT_AT_MOST, UPRIGHT_FROM = (
    8,
    72,
)  # so few formulas that are so wide together, in characters, stand below each other
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


def upright(grid: Grid) -> Grid | None:
    """The column that stands for a row; nothing where the row may stay."""
    if len(grid.cells) > 1 or len(grid.cells[0]) > UPRIGHT_AT_MOST or grid.labels:
        return None
    formulas = [shown.formula for shown in grid.cells[0] if shown.formula is not None]
    if sum(width_of(LATEX.scalar(formula)) + 2 for formula in formulas) <= UPRIGHT_FROM:
        return None
    turned = {"row": "column", "column": "row"}
    return Grid(tuple((shown,) for shown in grid.cells[0]), frozenset((turned[axis], k) for axis, k in grid.marks))


def _kept(count: int, at_most: int) -> list[int | None]:
    """The places that are shown; None for all those that are not."""
    if count <= at_most:
        return list(range(count))
    return [*range(FIRST), None, *range(count - LAST, count)]


def _cell(grid: Grid, i: int | None, j: int | None) -> Shown:
    if i is None:
        return BOTH if j is None else DOWN
    return ACROSS if j is None else grid.cells[i][j]
