"""The quotient entry by entry."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Expr, Mul, Pow, S

from symtransformer.arguments import Parameter
from symtransformer.node import Node
from symtransformer.notation import PRODUCT, Infix, Words
from symtransformer.operation import Primitive, Property, entry_of, require_same_shape
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.row_division import quotient


class EntryDivision(Primitive):
    """(A ⊘ B)_ij = A_ij / B_ij, with A and B of the same size and no entry of B equal to 0.

    >>> from symtransformer import dimension, matrix
    >>> n, m = dimension("n"), dimension("m")
    >>> EntryDivision(matrix("A", n, m), matrix("B", n, m))
    A ⊘ B
    """

    __slots__ = ()
    parameters = (Parameter("argument"), Parameter("divisors"))
    title = Words("Quotient entry by entry", "成分ごとの商")
    explanation = Words(
        "Each entry is divided by the entry in the same place.",
        "各成分を、同じ位置の成分で割ります。",
    )
    gradient_words = (
        Words(
            "The gradient with respect to the dividend is the cotangent divided by the divisors, entry by entry.",
            "割られるほうの勾配は、上流の勾配を成分ごとに除数で割ったものです。",
        ),
        Words(
            "The gradient with respect to the divisors is minus the cotangent times the quotient, divided by the "
            "divisors, entry by entry.",
            "除数の勾配は、上流の勾配に商を掛けて除数で割り、符号を反転したものです（すべて成分ごと）。",
        ),
    )
    source = Words("standard; inverse of the product entry by entry", "標準的な定義。成分ごとの積の逆の演算")
    notation = Infix("divide", PRODUCT - 4)
    follows = (("row", -1, "row"), ("column", -1, "column"))

    def find_shape(self) -> Any:
        argument, divisors = self.args
        require_same_shape(lambda: f"{argument} divided by {divisors}", argument.shape, divisors.shape)
        return argument.shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        below = Pow(entry_of(self.args[1], i, j), S.NegativeOne)
        return Mul(entry_of(self.args[0], i, j), below, evaluate=False)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        divisors = self.args[1]
        return EntryDivision(cotangent, divisors), -EntryDivision(Hadamard(cotangent, self), divisors)

    @staticmethod
    def numpy(argument: Any, divisors: Any) -> Any:
        return quotient("EntryDivision", argument, divisors)

    def value(self, numbers: Any, argument: Any, divisors: Any) -> Any:
        return [
            [numbers.divide(a, b) for a, b in zip(x, y, strict=True)] for x, y in zip(argument, divisors, strict=True)
        ]

    properties = (
        Property(
            Words("multiplying by the divisors gives the matrix back", "割った数を成分ごとに掛けると元に戻る"),
            lambda result, argument, divisors: np.allclose(result * divisors, argument),
        ),
    )
