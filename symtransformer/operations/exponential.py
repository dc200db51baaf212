"""The exponential of every entry."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sympy import Expr, S, exp

from symtransformer.arguments import Parameter
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property, entry_of
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.infinity import entry_by_entry


class Exponential(Primitive):
    """exp(S)_ij = e^{S_ij}, entry by entry; −∞ gives exactly 0, +∞ is refused.

    >>> from symtransformer import dimension, matrix
    >>> Exponential(matrix("S", dimension("n"), dimension("m")))[1, 0]
    exp(S[1, 0])
    """

    __slots__ = ()
    parameters = (Parameter("argument"),)
    title = Words("Exponential of each entry", "各成分の指数関数")
    explanation = Words(
        "Each entry {s} becomes {e^s} (exactly 0 where the entry is −∞), with {e} ≈ 2.71828.",
        "各成分 {s} を {e^s} に変えます（{e} ≈ 2.71828。成分が −∞ なら 0）。",
    )
    gradient_words = Words(
        "The exponential is its own derivative, so each entry of the cotangent is multiplied by the exponential "
        "in the same place.",
        "指数関数は微分しても変わらないので、上流の勾配の各成分に、同じ位置の指数関数の値を掛けます。",
    )
    source = Words(
        "first step of softmax, Vaswani et al. 2017, eq. (1)", "Softmax の第 1 段階。Vaswani ほか 2017, 式 (1)"
    )
    notation = Call("exp")
    follows = (("row", 0, "row"), ("column", 0, "column"))
    accepts_infinity: ClassVar[bool] = True

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return exp(entry_of(self.args[0], i, j), evaluate=False)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (Hadamard(cotangent, self),)

    @staticmethod
    def numpy(argument: Any) -> Any:
        return np.exp(argument)

    def value(self, numbers: Any, argument: Any) -> Any:
        return entry_by_entry("Exponential", argument, numbers.scalar(S.Zero), numbers.exp)

    properties = (
        Property(
            Words("sums turn into products", "和は積になる"),
            lambda result, argument: np.allclose(np.exp(argument + 0.5), result * np.exp(0.5)),
        ),
    )
