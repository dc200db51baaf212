"""The sum of each row, and its adjoint: a column repeated."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sympy import Expr, S, Sum

from symtransformer.arguments import SIZE, Parameter
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property, entry_of, require_equal_sizes
from symtransformer.operations.infinity import total


class RowSum(Primitive):
    """rowsum(A)_i = Σ_k A_ik: an n x m matrix gives a column of n sums; −∞ gives −∞.

    >>> from symtransformer import dimension, matrix
    >>> RowSum(matrix("U", dimension("n"), dimension("m"))).shape
    (n, 1)
    """

    __slots__ = ()
    parameters = (Parameter("argument"),)
    title = Words("Sum of each row", "各行の合計")
    explanation = Words(
        "The entries of each row are added up; there is one sum for each row.",
        "行ごとに成分をすべて足します。1 行につき 1 つの合計ができます。",
    )
    gradient_words = Words(
        "Every entry of a row gets the cotangent of the sum of that row.",
        "行のどの成分にも、その行の合計に対する上流の勾配が、そのまま伝わります。",
    )
    source = Words(
        "second step of softmax, Vaswani et al. 2017, eq. (1); equal to the product with a column of ones",
        "Softmax の第 2 段階（Vaswani ほか 2017, 式 (1)）。1 を並べた列との積に等しい",
    )
    notation = Call("rowsum")
    follows = (("row", 0, "row"),)
    accepts_infinity: ClassVar[bool] = True

    def find_shape(self) -> Any:
        return self.args[0].shape[0], S.One

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        k = fresh()
        return Sum(entry_of(self.args[0], i, k), (k, 0, self.args[0].shape[1] - 1))

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (Broadcast(cotangent, self.args[0].shape[1]),)

    @staticmethod
    def numpy(argument: Any) -> Any:
        return np.sum(argument, axis=-1, keepdims=True)

    def value(self, numbers: Any, argument: Any) -> Any:
        return [[total("RowSum", row)] for row in argument]

    properties = (
        Property(
            Words("it is the product with a column of ones", "1 を並べた列ベクトルとの積に等しい"),
            lambda result, argument: np.allclose(result, argument @ np.ones((argument.shape[-1], 1))),
        ),
    )


class Broadcast(Primitive):
    """broadcast(c)_ij = c_i: a column of n entries repeated in m columns.

    >>> from symtransformer import dimension, matrix
    >>> Broadcast(matrix("c", dimension("n"), 1), dimension("m")).shape
    (n, m)
    """

    __slots__ = ()
    parameters = (Parameter("column"), Parameter("columns", SIZE))
    title = Words("A column repeated", "列の繰り返し")
    explanation = Words(
        "The same column is written side by side as often as needed.",
        "同じ列を必要な数だけ横に並べます。",
    )
    gradient_words = Words(
        "Each entry of the column gets the sum of the cotangent over the row in which it is repeated.",
        "列ベクトルの各成分には、その成分を繰り返した行での、上流の勾配の合計が伝わります。",
    )
    source = Words("adjoint of the sum of each row", "行ごとの和の随伴")
    notation = Call("broadcast")
    follows = (("row", 0, "row"),)
    accepts_infinity: ClassVar[bool] = True

    def find_shape(self) -> Any:
        rows, cols = self.args[0].shape
        require_equal_sizes(lambda: f"repeating the column {self.args[0]}", "its number of columns and 1", cols, S.One)
        return rows, self.args[1]

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return entry_of(self.args[0], i, S.Zero)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (RowSum(cotangent),)

    @staticmethod
    def numpy(column: Any, columns: Any) -> Any:
        return np.repeat(column, columns, axis=-1)

    def value(self, numbers: Any, column: Any, columns: int) -> Any:
        return [[row[0]] * columns for row in column]

    properties = (
        Property(
            Words("its row sums are m times the column", "各行の合計は、元の列の m 倍"),
            lambda result, column, columns: np.allclose(np.sum(result, axis=-1, keepdims=True), columns * column),
        ),
    )
