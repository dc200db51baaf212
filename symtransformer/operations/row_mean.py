"""The mean of each row."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Expr, Mul, Pow, S, Sum

from symtransformer.arguments import Parameter
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property, entry_of
from symtransformer.operations.row_sum import Broadcast, RowSum
from symtransformer.operations.scaling import Scaling


class RowMean(Primitive):
    """mean(A)_i = Σ_k A_ik / d: an n x d matrix gives a column of n means.

    >>> from symtransformer import evaluate, matrix
    >>> A = matrix("A", 2, 3)
    >>> evaluate(RowMean(A), {A: [[1, 2, 6], [0, 1, 0]]}).T
    Matrix([[3, 1/3]])
    """

    __slots__ = ()
    parameters = (Parameter("argument"),)
    title = Words("Mean of each row", "行ごとの平均")
    explanation = Words(
        "The entries of each row are added up and divided by how many there are.",
        "行ごとに成分を合計し、成分の個数で割ります。",
    )
    gradient_words = Words(
        "Every entry of a row gets the cotangent of the mean of that row, divided by the number of entries in the row.",
        "行のどの成分にも、その行の平均に対する上流の勾配を、行の成分の個数で割った値が伝わります。",
    )
    source = Words("Ba et al. 2016, eq. (3), where it is μ", "Ba ほか 2016, 式 (3) の μ")
    notation = Call("mean")
    follows = (("row", 0, "row"),)

    def find_shape(self) -> Any:
        return self.args[0].shape[0], S.One

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        argument, k = self.args[0], fresh()
        return mean_of(Sum(entry_of(argument, i, k), (k, 0, argument.shape[1] - 1)), argument.shape[1])

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        columns = self.args[0].shape[1]
        return (Scaling(Broadcast(cotangent, columns), S.One, columns),)

    @staticmethod
    def numpy(argument: Any) -> Any:
        return np.sum(argument / argument.shape[-1], axis=-1, keepdims=True)  # the sum itself may be too large

    def value(self, numbers: Any, argument: Any) -> Any:
        count = numbers.scalar(S(len(argument[0])))
        return [[sum(row[1:], row[0]) / count] for row in argument]

    properties = (
        Property(
            Words("the deviations from it add up to 0", "平均からの偏差の合計は 0"),
            lambda result, argument: np.allclose(np.sum(argument - result, axis=-1), 0),
        ),
    )


def mean_of(total: Any, count: Any) -> Any:
    """total / count as a formula, in the order in which it is written."""
    return Mul(total, Pow(count, S.NegativeOne, evaluate=False), evaluate=False)


def row_mean(argument: Any) -> Any:
    """The mean of each row as a sum over a number, as it is worked out by hand."""
    return Scaling(RowSum(argument), S.One, argument.shape[1])


def repeated_mean(argument: Any) -> Any:
    """The mean of each row in every entry of the row."""
    return Broadcast(RowMean(argument), argument.shape[1])
