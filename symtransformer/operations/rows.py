"""Rows of a matrix, one or several neighbors, and their adjoint: rows put among zeros."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from sympy import And, Eq, Expr, Piecewise, S

from symtransformer.arguments import SIZE, Parameter
from symtransformer.errors import ShapeError
from symtransformer.node import Node
from symtransformer.notation import Subscripted, Words
from symtransformer.operation import Primitive, Property, entry_of
from symtransformer.operations.infinity import all_finite
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
    gradient_words = Words(
        "The row that was taken gets the cotangent; every other row gets 0.",
        "取り出した行には上流の勾配が伝わり、ほかの行の勾配は 0 です。",
    )
    source = Words("standard", "標準的な定義")
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


class RowSlice(Primitive):
    """The rows start, ..., start + count - 1 (from 0) of a matrix.

    >>> from symtransformer import dimension, matrix
    >>> RowSlice(matrix("P", 5, dimension("d")), 1, 3).shape
    (3, d)
    """

    __slots__ = ()
    parameters = (Parameter("argument"), Parameter("start", SIZE), Parameter("count", SIZE))
    title = Words("Rows taken out", "行の切り出し")
    explanation = Words(
        "Some neighboring rows are kept, the others left out.",
        "隣り合う行だけを残し、ほかの行は使いません。",
    )
    gradient_words = Words(
        "The rows that were taken out get the cotangent; every other row gets 0.",
        "切り出した行には上流の勾配が伝わり、ほかの行の勾配は 0 です。",
    )
    source = Words("adjoint of a block of rows put among zeros", "行のブロックをゼロの間に置く演算の随伴")
    notation = Subscripted("rows")
    follows = (("column", 0, "column"),)
    accepts_infinity: ClassVar[bool] = True

    @classmethod
    def shortcut(cls, *arguments: Any) -> Any:
        argument, start, count = arguments
        if start == 0 and count == argument.shape[0]:
            return argument
        return Row(argument, start) if count == 1 else None

    def find_shape(self) -> Any:
        argument, start, count = self.args
        _check_rows(lambda: f"rows of {argument}", start, count, argument.shape[0])
        return count, argument.shape[1]

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return entry_of(self.args[0], self.args[1] + i, j)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (RowPad(cotangent, self.args[1], self.args[0].shape[0]),)

    @staticmethod
    def numpy(argument: Any, start: Any, count: Any) -> Any:
        for first in np.atleast_1d(start):
            _require_rows(first, count, argument.shape[-2])
        if np.ndim(start) == 0:
            return argument[..., start : start + count, :]
        rows = np.asarray(start)[:, None, None] + np.arange(count)[:, None]  # one start a head, before the rows
        whole = argument if argument.ndim > 2 else argument[None]
        whole = np.broadcast_to(whole, (*whole.shape[:-3], len(rows), *whole.shape[-2:]))
        places = np.broadcast_to(rows, (*whole.shape[:-2], count, whole.shape[-1]))
        return np.take_along_axis(whole, places, axis=-2)

    def value(self, numbers: Any, argument: Any, start: int, count: int) -> Any:
        _require_rows(start, count, len(argument))
        return argument[start : start + count]

    properties = (
        Property(
            Words("nothing is changed, only left out", "残した成分の値は変わらない"),
            lambda result, argument, start, count: np.array_equal(result, argument[..., start : start + count, :]),
        ),
    )


class RowPad(Primitive):
    """A block as the rows start, start + 1, ... (from 0) of a matrix of zeros with so many rows in all.

    >>> from symtransformer import dimension, matrix
    >>> RowPad(matrix("G", 2, dimension("m")), 1, 5).shape
    (5, m)
    """

    __slots__ = ()
    parameters = (Parameter("block"), Parameter("start", SIZE), Parameter("rows", SIZE))
    title = Words("Rows put among zeros", "行を置き、ほかを 0 で埋める")
    explanation = Words(
        "The rows of the block keep their entries; every other row is 0.",
        "ブロックの行の成分はそのままで、ほかの行はすべて 0 です。",
    )
    gradient_words = Words(
        "The block gets those rows of the cotangent in which it stands.",
        "ブロックには、上流の勾配のうち、ブロックが占める行が伝わります。",
    )
    source = Words("adjoint of taking rows out", "行の取り出しの随伴")
    notation = Subscripted("padrow")
    follows = (("column", 0, "column"),)

    @classmethod
    def shortcut(cls, *arguments: Any) -> Any:
        block, start, rows = arguments
        return block if start == 0 and rows == block.shape[0] else None

    def find_shape(self) -> Any:
        block, start, rows = self.args
        _check_rows(lambda: f"{block} put among {rows} rows", start, block.shape[0], rows)
        return rows, block.shape[1]

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        block, start, _ = self.args
        row = S.Zero if block.shape[0] == 1 else i - start
        inside = Eq(i, start) if block.shape[0] == 1 else And(start <= i, i < start + block.shape[0])
        return Piecewise((entry_of(block, row, j), inside), (S.Zero, True)) if inside != S.false else S.Zero

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (RowSlice(cotangent, self.args[1], self.args[0].shape[0]),)

    @staticmethod
    def numpy(block: Any, start: Any, rows: Any) -> Any:
        count = all_finite("RowPad", block).shape[-2]
        for first in np.atleast_1d(start):
            _require_rows(first, count, rows)
        if np.ndim(start) == 0:
            gaps = [(0, 0)] * (block.ndim - 2) + [(start, rows - start - count), (0, 0)]
            return np.pad(block, gaps)
        places = np.asarray(start)[:, None] + np.arange(count)
        chosen = np.arange(rows)[:, None] == places[:, None, :]  # head, row, place in block
        return chosen.astype(block.dtype) @ block

    def value(self, numbers: Any, block: Any, start: int, rows: int) -> Any:
        _require_rows(start, len(block), rows)
        zeros = [numbers.scalar(S.Zero)] * len(block[0])
        return [block[k - start] if start <= k < start + len(block) else zeros for k in range(rows)]

    properties = (
        Property(
            Words("cutting the rows out gives the block back", "その行を切り出すと元のブロックに戻る"),
            lambda result, block, start, rows: np.array_equal(result[..., start : start + block.shape[-2], :], block),
        ),
    )


def _check_rows(what: Callable[[], str], start: Any, count: Any, rows: Any) -> None:
    if start.is_negative or (rows - start - count).is_negative:
        raise ShapeError(f"{what()}: rows {start} to {start + count - 1} (from 0) do not exist; there are {rows}")


def _require_rows(start: int, count: int, rows: int) -> None:
    if start < 0 or count < 1 or start + count > rows:
        raise ShapeError(f"rows {start} to {start + count - 1} (from 0) do not exist; there are {rows}")


def _require_row(index: int, rows: int) -> None:
    if not 0 <= index < rows:
        raise ShapeError(f"row {index} (from 0) does not exist; there are {rows}")
