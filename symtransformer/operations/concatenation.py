"""Matrices side by side; columns taken out, and put back among zeros: the adjoint pair."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import numpy as np
from sympy import Add, And, Eq, Expr, Mul, Piecewise, S

from symtransformer.arguments import MATRICES, SIZE, Parameter
from symtransformer.errors import ShapeError
from symtransformer.node import Node
from symtransformer.notation import Call, Subscripted, Words
from symtransformer.operation import Primitive, Property, entry_of, require_equal_sizes
from symtransformer.operations.infinity import all_finite


class Concatenation(Primitive):
    """Concat(A, B, ...): the columns of A, then those of B, ...; all with the same number of rows.

    >>> from symtransformer import dimension, matrix
    >>> n, d_v = dimension("n"), dimension("d_v")
    >>> heads = Concatenation(matrix("Z_1", n, d_v), matrix("Z_2", n, d_v))
    >>> heads, heads.shape
    (Concat(Z_1, Z_2), (n, 2*d_v))
    """

    __slots__ = ()
    parameters = (Parameter("parts", MATRICES),)
    title = Words("Concatenation", "連結（Concat）")
    explanation = Words(
        "The rows of the same token are written side by side; nothing is added or averaged.",
        "同じトークンの行どうしを横に並べます。足したり平均したりはしません。",
    )
    gradient_words = Words(
        "Each part gets those columns of the cotangent in which it stands.",
        "並べた行列のそれぞれに、上流の勾配のうち、その行列が占める列が伝わります。",
    )
    source = Words("Vaswani et al. 2017, section 3.2.2", "Vaswani ほか 2017, 3.2.2 節")
    notation = Call("Concat")
    follows = (("row", -1, "row"),)
    accepts_infinity: ClassVar[bool] = True

    @classmethod
    def shortcut(cls, *arguments: Any) -> Any:
        return arguments[0] if len(arguments) == 1 else None

    def find_shape(self) -> Any:
        rows = self.args[0].shape[0]
        for part in self.args[1:]:
            what = partial("{} beside {}".format, self.args[0], part)
            require_equal_sizes(what, "the numbers of rows", rows, part.shape[0])
        return rows, Add(*(part.shape[1] for part in self.args))

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        cases, start = [], S.Zero
        for part in self.args:
            room = start + part.shape[1] - j  # positive where column j stands in this part or before it
            if not room.is_nonpositive:
                cases.append((entry_of(part, i, j - start), True if room.is_positive else j < start + part.shape[1]))
            if room.is_positive:
                break
            start += part.shape[1]
        return cases[0][0] if len(cases) == 1 and cases[0][1] is True else Piecewise(*cases)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        blocks, start = [], S.Zero
        for part in self.args:
            blocks.append(ColumnSlice(cotangent, start, part.shape[1]))
            start += part.shape[1]
        return tuple(blocks)

    @staticmethod
    def numpy(*parts: Any) -> Any:
        batch = np.broadcast_shapes(*(part.shape[:-2] for part in parts))
        return np.concatenate([np.broadcast_to(part, (*batch, *part.shape[-2:])) for part in parts], axis=-1)

    def value(self, numbers: Any, *parts: Any) -> Any:
        return [[x for row in rows for x in row] for rows in zip(*parts, strict=True)]

    properties = (
        Property(
            Words("each part can be cut out again", "各部分はそのまま切り出せる"),
            lambda result, *parts: np.array_equal(result[..., : parts[0].shape[-1]], parts[0]),
        ),
    )


class ColumnSlice(Primitive):
    """The columns start, ..., start + width - 1 (from 0) of a matrix.

    >>> from symtransformer import dimension, matrix
    >>> ColumnSlice(matrix("G", dimension("n"), 5), 1, 3).shape
    (n, 3)
    """

    __slots__ = ()
    parameters = (Parameter("argument"), Parameter("start", SIZE), Parameter("width", SIZE))
    title = Words("Columns taken out", "列の切り出し")
    explanation = Words(
        "Some neighboring columns are kept, the others left out.",
        "隣り合う列だけを残し、ほかの列は使いません。",
    )
    gradient_words = Words(
        "The columns that were taken out get the cotangent; every other column gets 0.",
        "切り出した列には上流の勾配が伝わり、ほかの列の勾配は 0 です。",
    )
    source = Words(
        "adjoint of a column block put among zeros; cuts one head out of a wide projection",
        "列のブロックをゼロの間に置く演算の随伴。まとめた射影から 1 つのヘッドを切り出す",
    )
    notation = Subscripted("columns")
    follows = (("row", 0, "row"),)
    accepts_infinity: ClassVar[bool] = True

    @classmethod
    def shortcut(cls, *arguments: Any) -> Any:
        argument, start, width = arguments
        return argument if start == 0 and width == argument.shape[1] else None

    def find_shape(self) -> Any:
        argument, start, width = self.args
        _check_columns(lambda: f"columns of {argument}", start, width, argument.shape[1])
        return argument.shape[0], width

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return entry_of(self.args[0], i, self.args[1] + j)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (ColumnPad(cotangent, self.args[1], self.args[0].shape[1]),)

    @staticmethod
    def numpy(argument: Any, start: Any, width: Any) -> Any:
        for first in np.atleast_1d(start):
            _require_columns(first, width, argument.shape[-1])
        if np.ndim(start) == 0:
            return argument[..., start : start + width]
        columns = np.asarray(start)[:, None, None] + np.arange(width)  # one start a head, before the rows
        whole = argument if argument.ndim > 2 else argument[None]
        whole = np.broadcast_to(whole, (*whole.shape[:-3], len(columns), *whole.shape[-2:]))
        return np.take_along_axis(whole, np.broadcast_to(columns, (*whole.shape[:-1], width)), axis=-1)

    def value(self, numbers: Any, argument: Any, start: int, width: int) -> Any:
        _require_columns(start, width, len(argument[0]))
        return [row[start : start + width] for row in argument]

    properties = (
        Property(
            Words("nothing is changed, only left out", "残した成分の値は変わらない"),
            lambda result, argument, start, width: np.array_equal(result, argument[..., start : start + width]),
        ),
    )


class ColumnPad(Primitive):
    """A block as the columns start, start + 1, ... (from 0) of a matrix of zeros with so many columns in all.

    >>> from symtransformer import dimension, matrix
    >>> ColumnPad(matrix("G", dimension("n"), 2), 1, 5).shape
    (n, 5)
    """

    __slots__ = ()
    parameters = (Parameter("block"), Parameter("start", SIZE), Parameter("columns", SIZE))
    title = Words("Columns put among zeros", "列を置き、ほかを 0 で埋める")
    explanation = Words(
        "The block keeps its entries; every other column is 0.",
        "ブロックの成分はそのままで、ほかの列はすべて 0 です。",
    )
    gradient_words = Words(
        "The block gets those columns of the cotangent in which it stands.",
        "ブロックには、上流の勾配のうち、ブロックが占める列が伝わります。",
    )
    source = Words("adjoint of taking columns out", "列の取り出しの随伴")
    notation = Subscripted("pad")
    follows = (("row", 0, "row"),)

    def find_shape(self) -> Any:
        block, start, columns = self.args
        _check_columns(lambda: f"{block} put among {columns} columns", start, block.shape[1], columns)
        return block.shape[0], columns

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        block, start, _ = self.args
        column = S.Zero if block.shape[1] == 1 else j - start
        inside = Eq(j, start) if block.shape[1] == 1 else And(start <= j, j < start + block.shape[1])
        return Piecewise((entry_of(block, i, column), inside), (S.Zero, True)) if inside != S.false else S.Zero

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (ColumnSlice(cotangent, self.args[1], self.args[0].shape[1]),)

    @staticmethod
    def numpy(block: Any, start: Any, columns: Any) -> Any:
        width = all_finite("ColumnPad", block).shape[-1]
        for first in np.atleast_1d(start):
            _require_columns(first, width, columns)
        if np.ndim(start) == 0:
            gaps = [(0, 0)] * (block.ndim - 1) + [(start, columns - start - width)]
            return np.pad(block, gaps)
        places = np.asarray(start)[:, None] + np.arange(width)
        chosen = places[:, :, None] == np.arange(columns)  # head, place in block, column
        return block @ chosen.astype(block.dtype)

    def value(self, numbers: Any, block: Any, start: int, columns: int) -> Any:
        _require_columns(start, len(block[0]), columns)
        zero = numbers.scalar(S.Zero)
        return [[zero] * start + row + [zero] * (columns - start - len(row)) for row in block]

    properties = (
        Property(
            Words("cutting the columns out gives the block back", "その列を切り出すと元のブロックに戻る"),
            lambda result, block, start, columns: np.array_equal(result[..., start : start + block.shape[-1]], block),
        ),
    )


def _check_columns(what: Callable[[], str], start: Any, width: Any, columns: Any) -> None:
    # asked of a whole product, SymPy works out all that it could be known to be
    negative = not all(f.is_nonnegative for f in Mul.make_args(start)) and start.is_negative
    if negative or (not _has_room(start, width, columns) and (columns - start - width).is_negative):
        raise ShapeError(f"{what()}: columns {start} to {start + width} (from 0) do not exist; there are {columns}")


def _has_room(start: Any, width: Any, columns: Any) -> bool:
    """Whether so many columns grow with a size that neither place knows of: h in h d, for the d columns from i d on."""
    factors, known = Mul.make_args(columns), start.free_symbols | width.free_symbols
    return all(f.is_positive for f in factors) and any(f.is_Symbol and f not in known for f in factors)


def _require_columns(start: int, width: int, columns: int) -> None:
    if start < 0 or width < 1 or start + width > columns:
        raise ShapeError(f"columns {start} to {start + width - 1} (from 0) do not exist; there are {columns}")
