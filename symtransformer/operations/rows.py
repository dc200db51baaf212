"""One row of a matrix, and its adjoint: a row put among zeros."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sympy import Eq, Expr, Piecewise, S

from symtransformer.errors import ShapeError
from symtransformer.node import Node
from symtransformer.notation import Subscripted, Words
from symtransformer.operation import SIZE, Parameter, Primitive, Property, entry_of, require_equal_sizes
from symtransformer.operations.ones import Ones


class Row(Primitive):
    """Row i (from 0) of a matrix: an n x m matrix gives 1 x m.

    >>> from symtransformer import dimension, matrix
    >>> Row(matrix("Q", dimension("n"), dimension("d_k")), 1)
    q_2
    """

    __slots__ = ()
    parameters = (Parameter("argument"), Parameter("index", SIZE))
    title = Words("One row", "1 つの行")
    explanation = Words(
        "One row of the matrix, the vector of one token.",
        "行列の 1 つの行、つまり 1 トークン分のベクトルです。",
    )
    source = "standard"
    notation = Subscripted("row")
    follows = (("column", 0, "column"),)
    accepts_infinity: ClassVar[bool] = True

    @classmethod
    def shortcut(cls, *arguments: Any) -> Any:
        argument, index = arguments
        if isinstance(argument, Ones) and index.is_nonnegative and (argument.shape[0] - index - 1).is_nonnegative:
            return Ones(S.One, argument.shape[1])
        return argument if argument.shape[0] == 1 and index == 0 else None

    def find_shape(self) -> Any:
        argument, index = self.args
        if index.is_negative or (argument.shape[0] - index - 1).is_negative:
            raise ShapeError(f"row {index} (from 0) of {argument}: there are {argument.shape[0]} rows")
        return S.One, argument.shape[1]

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return entry_of(self.args[0], self.args[1], j)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (RowPad(cotangent, self.args[1], self.args[0].shape[0]),)

    @staticmethod
    def numpy(argument: Any, index: Any) -> Any:
        for one in np.atleast_1d(index):
            _require_row(one, argument.shape[-2])
        if np.ndim(index):  # a row of its own for each head
            whole = argument if argument.ndim > 2 else argument[None]
            whole = np.broadcast_to(whole, (*whole.shape[:-3], len(index), *whole.shape[-2:]))
            places = np.broadcast_to(np.asarray(index)[:, None, None], (*whole.shape[:-2], 1, whole.shape[-1]))
            return np.take_along_axis(whole, places, axis=-2)
        return argument[..., index : index + 1, :]

    def value(self, numbers: Any, argument: Any, index: int) -> Any:
        _require_row(index, len(argument))
        return [argument[index]]

    properties = (
        Property(
            Words("it is the row itself", "その行そのもの"),
            lambda result, argument, index: np.array_equal(result[0], argument[index]),
        ),
    )


class RowPad(Primitive):
    """A row as row i (from 0) of a matrix of zeros with so many rows in all.

    >>> from symtransformer import dimension, matrix
    >>> RowPad(matrix("g", 1, dimension("m")), 1, 3).shape
    (3, m)
    """

    __slots__ = ()
    parameters = (Parameter("row"), Parameter("index", SIZE), Parameter("rows", SIZE))
    title = Words("A row put among zeros", "行を置き、ほかを 0 で埋める")
    explanation = Words(
        "The row keeps its entries; every other row is 0.",
        "その行の成分はそのままで、ほかの行はすべて 0 です。",
    )
    source = "adjoint of taking one row"
    notation = Subscripted("padrow")
    follows = (("column", 0, "column"),)

    def find_shape(self) -> Any:
        row, index, rows = self.args
        require_equal_sizes(lambda: f"{row} put among {rows} rows", "its number of rows and 1", row.shape[0], S.One)
        if index.is_negative or (rows - index - 1).is_negative:
            raise ShapeError(f"row {index} (from 0) among {rows} rows does not exist")
        return rows, row.shape[1]

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return Piecewise((entry_of(self.args[0], S.Zero, j), Eq(i, self.args[1])), (S.Zero, True))

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (Row(cotangent, self.args[1]),)

    @staticmethod
    def numpy(row: Any, index: Any, rows: Any) -> Any:
        for one in np.atleast_1d(index):
            _require_row(one, rows)
        if np.ndim(index):
            chosen = np.arange(rows)[:, None] == np.asarray(index)[:, None, None]  # head, row, column
            return chosen * row
        gaps = [(0, 0)] * (row.ndim - 2) + [(index, rows - index - 1), (0, 0)]
        return np.pad(row, gaps)

    def value(self, numbers: Any, row: Any, index: int, rows: int) -> Any:
        _require_row(index, rows)
        zero = numbers.scalar(S.Zero)
        return [row[0] if k == index else [zero] * len(row[0]) for k in range(rows)]

    properties = (
        Property(
            Words("taking the row gives it back", "その行を取り出すと元に戻る"),
            lambda result, row, index, rows: np.array_equal(result[index : index + 1], row),
        ),
    )


def _require_row(index: int, rows: int) -> None:
    if not 0 <= index < rows:
        raise ShapeError(f"row {index} (from 0) does not exist; there are {rows} rows")
