"""The product entry by entry."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Expr, Mul

from symtransformer.arguments import Parameter
from symtransformer.node import Node
from symtransformer.notation import PRODUCT, Infix, Words
from symtransformer.operation import Primitive, Property, entry_of, require_same_shape


class Hadamard(Primitive):
    """(A ⊙ B)_ij = A_ij B_ij, with A and B of the same size.

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
    source = "standard; Horn and Johnson, Topics in Matrix Analysis, chapter 5"
    notation = Infix("hadamard", PRODUCT - 5)
    follows = (("row", -1, "row"), ("column", -1, "column"))

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
        return left * right

    def value(self, numbers: Any, left: Any, right: Any) -> Any:
        return [[a * b for a, b in zip(x, y, strict=True)] for x, y in zip(left, right, strict=True)]

    properties = (
        Property(
            Words("the order of the factors does not matter", "掛ける順序を変えても結果は同じ"),
            lambda result, left, right: np.allclose(result, right * left),
        ),
    )
