"""The hyperbolic tangent of every entry."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sympy import Expr, S, tanh

from symtransformer.arguments import Parameter
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property, entry_of
from symtransformer.operations.addition import Addition
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.infinity import below_infinity, entry_by_entry
from symtransformer.operations.ones import Ones


class Tanh(Primitive):
    """tanh(A)_ij = tanh(A_ij), entry by entry, between -1 and 1; −∞ gives -1.

    >>> from symtransformer import dimension, matrix
    >>> Tanh(matrix("H", dimension("n"), dimension("d")))[1, 0]
    tanh(H[1, 0])
    """

    __slots__ = ()
    parameters = (Parameter("argument"),)
    title = Words("Hyperbolic tangent of each entry", "各成分の双曲線正接（tanh）")
    explanation = Words(
        "Each entry is squeezed into the range between −1 and 1; its sign stays.",
        "各成分を −1 から 1 の範囲に収めます。符号は変わりません。",
    )
    gradient_words = Words(
        "The slope of tanh is 1 minus its square, so each entry of the cotangent is multiplied by 1 minus the "
        "square of the result in the same place.",
        "tanh の傾きは、1 から tanh の 2 乗を引いたものです。上流の勾配の各成分に、同じ位置のその値を掛けます。",
    )
    source = Words(
        "additive attention, Bahdanau et al. 2015, appendix A.1.2; tanh form of GELU, Hendrycks and Gimpel 2016",
        "加法的アテンションは Bahdanau ほか 2015, 付録 A.1.2。GELU の tanh による形は Hendrycks・Gimpel 2016",
    )
    notation = Call("tanh")
    follows = (("row", 0, "row"), ("column", 0, "column"))
    accepts_infinity: ClassVar[bool] = True

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return tanh(entry_of(self.args[0], i, j))  # type: ignore[no-any-return]

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (Hadamard(cotangent, Addition(Ones(*self.shape), -Hadamard(self, self))),)

    @staticmethod
    def numpy(argument: Any) -> Any:
        return np.tanh(below_infinity("Tanh", argument))

    def value(self, numbers: Any, argument: Any) -> Any:
        least = numbers.scalar(S.NegativeOne)
        return entry_by_entry("Tanh", argument, least, lambda x: numbers.apply("tanh", x))

    properties = (
        Property(
            Words("it is the quotient (e^(2x) - 1) / (e^(2x) + 1)", "(e^(2x) - 1) / (e^(2x) + 1) に等しい"),
            lambda result, argument: np.allclose(result, np.expm1(2 * argument) / (np.exp(2 * argument) + 1)),
        ),
    )
