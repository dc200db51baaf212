"""The product entry by entry."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sympy import Expr, Mul, S

from symtransformer.arguments import Parameter
from symtransformer.errors import NotSupported
from symtransformer.node import Node
from symtransformer.notation import PRODUCT, Infix, Words
from symtransformer.operation import Primitive, Property, entry_of, require_same_shape
from symtransformer.operations.infinity import all_finite


class Hadamard(Primitive):
    """(A ⊙ B)_ij = A_ij B_ij, with A and B of the same size.

    0 · (−∞) counts as 0, the limit of 0 · x: a target of 0 leaves out a candidate that cannot be
    chosen. −∞ times any other number is refused.

    >>> from symtransformer import dimension, matrix
    >>> n, m = dimension("n"), dimension("m")
    >>> Hadamard(matrix("A", n, m), matrix("B", n, m))
    A ⊙ B
    """

    __slots__ = ()
    parameters = (Parameter("left"), Parameter("right"))
    title = Words("Product entry by entry", "成分ごとの積")
    explanation = Words(
        "Entries in the same place are multiplied.",
        "同じ位置の成分どうしを掛けます。",
    )
    gradient_words = Words(
        "The gradient with respect to each factor is the cotangent times the other factor, entry by entry.",
        "それぞれの因子の勾配は、上流の勾配にもう一方の因子を成分ごとに掛けたものです。",
    )
    source = Words(
        "standard; Horn and Johnson, Topics in Matrix Analysis, chapter 5",
        "標準的な定義。Horn・Johnson, Topics in Matrix Analysis, 第 5 章",
    )
    notation = Infix("hadamard", PRODUCT - 5)
    follows = (("row", -1, "row"), ("column", -1, "column"))
    accepts_infinity: ClassVar[bool] = True

    def find_shape(self) -> Any:
        left, right = self.args
        require_same_shape(lambda: f"product entry by entry of {left} and {right}", left.shape, right.shape)
        return left.shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return Mul(entry_of(self.args[0], i, j), entry_of(self.args[1], i, j), evaluate=False)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return Hadamard(cotangent, self.args[1]), Hadamard(cotangent, self.args[0])

    @staticmethod
    def numpy(left: Any, right: Any) -> Any:
        with np.errstate(over="ignore", invalid="ignore"):
            products = left * right
        if not np.isfinite(products).all():
            left_out = (np.isneginf(left) & (right == 0)) | (np.isneginf(right) & (left == 0))
            products = np.where(left_out, 0, products)
        return all_finite("Hadamard", products)

    def value(self, numbers: Any, left: Any, right: Any) -> Any:
        return [[_times(numbers, *pair) for pair in zip(x, y, strict=True)] for x, y in zip(left, right, strict=True)]

    properties = (
        Property(
            Words("the order of the factors does not matter", "掛ける順序を変えても結果は同じ"),
            lambda result, left, right: np.allclose(result, right * left),
        ),
    )


def _times(numbers: Any, a: Any, b: Any) -> Any:
    infinite = (S.NegativeInfinity, S.Infinity)
    if not any(a is x or b is x for x in infinite):
        return a * b
    finite, other = (b, a) if a is S.NegativeInfinity else (a, b)
    if other is S.NegativeInfinity and not any(finite is x for x in infinite) and numbers.sign(finite) == 0:
        return numbers.scalar(S.Zero)
    raise NotSupported("Hadamard: an infinite entry times a number other than 0 is left undefined")
