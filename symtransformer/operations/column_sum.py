"""The sum of each column, as a column: what a bias that stands in every row collects."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Expr, S, Sum

from symtransformer.arguments import Parameter
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property, entry_of
from symtransformer.operations.infinity import all_finite
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.transpose import Transpose


class ColumnSum(Primitive):
    """colsum(A)_j = Σ_k A_kj: an n x d matrix gives a column of d sums, the row sums of Aᵀ.

    >>> from symtransformer import evaluate, matrix
    >>> A = matrix("A", 2, 3)
    >>> evaluate(ColumnSum(A), {A: [[1, 2, 6], [0, 1, 0]]}).T
    Matrix([[1, 3, 6]])
    """

    __slots__ = ()
    parameters = (Parameter("argument"),)
    title = Words("Sum of each column", "各列の合計")
    explanation = Words(
        "The entries of each column are added up; the sums stand below one another.",
        "列ごとに成分をすべて足し、その合計を縦に並べます。",
    )
    gradient_words = Words(
        "Every entry of a column gets the cotangent of the sum of that column.",
        "列のどの成分にも、その列の合計に対する上流の勾配が、そのまま伝わります。",
    )
    source = Words(
        "standard; equal to the transpose times a column of ones", "標準的な定義。転置と、1 を並べた列との積に等しい"
    )
    notation = Call("colsum")
    follows = (("row", 0, "column"),)

    def find_shape(self) -> Any:
        return self.args[0].shape[1], S.One

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        k = fresh()
        return Sum(entry_of(self.args[0], k, i), (k, 0, self.args[0].shape[0] - 1))

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (Product(Ones(self.args[0].shape[0], S.One), Transpose(cotangent)),)

    @staticmethod
    def numpy(argument: Any) -> Any:
        return np.swapaxes(np.sum(all_finite("ColumnSum", argument), axis=-2, keepdims=True), -1, -2)

    def value(self, numbers: Any, argument: Any) -> Any:
        return [[sum(column[1:], column[0])] for column in zip(*argument, strict=True)]

    properties = (
        Property(
            Words("it is the transpose times a column of ones", "転置に、1 を並べた列ベクトルを掛けたものに等しい"),
            lambda result, argument: np.allclose(
                result, np.swapaxes(argument, -1, -2) @ np.ones((argument.shape[-2], 1))
            ),
        ),
    )
