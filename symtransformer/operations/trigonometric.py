"""Sine and cosine of every entry: each is the slope of the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Expr, cos, sin

from symtransformer.arguments import Parameter
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property, entry_of
from symtransformer.operations.hadamard import Hadamard


class Sine(Primitive):
    """sin(A)_ij = sin(A_ij), entry by entry, angles in radians.

    >>> from symtransformer import dimension, matrix
    >>> Sine(matrix("P", dimension("n"), dimension("d")))[1, 0]
    sin(P[1, 0])
    """

    __slots__ = ()
    parameters = (Parameter("argument"),)
    title = Words("Sine of each entry", "各成分の正弦（sin）")
    explanation = Words(
        "Each entry is taken as an angle in radians, and becomes its sine.",
        "各成分をラジアン単位の角とみて、その正弦に変えます。",
    )
    gradient_words = Words(
        "The slope of the sine is the cosine: each entry of the cotangent is multiplied by the cosine of the entry "
        "in the same place.",
        "正弦の傾きは余弦です。上流の勾配の各成分に、同じ位置の成分の余弦を掛けます。",
    )
    source = Words(
        "Vaswani et al. 2017, section 3.5; rotations in Su et al. 2021, section 3.2",
        "Vaswani ほか 2017, 3.5 節。回転については Su ほか 2021, 3.2 節",
    )
    notation = Call("sin")
    follows = (("row", 0, "row"), ("column", 0, "column"))

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return sin(entry_of(self.args[0], i, j))  # type: ignore[no-any-return]

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (Hadamard(cotangent, Cosine(self.args[0])),)

    @staticmethod
    def numpy(argument: Any) -> Any:
        return np.sin(argument)

    def value(self, numbers: Any, argument: Any) -> Any:
        return [[numbers.apply("sin", x) for x in row] for row in argument]

    properties = (
        Property(
            Words("the squares of sine and cosine add up to 1", "正弦の 2 乗と余弦の 2 乗の和は 1"),
            lambda result, argument: np.allclose(result**2 + np.cos(argument) ** 2, 1),
        ),
    )


class Cosine(Primitive):
    """cos(A)_ij = cos(A_ij), entry by entry, angles in radians.

    >>> from symtransformer import dimension, matrix
    >>> Cosine(matrix("P", dimension("n"), dimension("d")))[1, 0]
    cos(P[1, 0])
    """

    __slots__ = ()
    parameters = (Parameter("argument"),)
    title = Words("Cosine of each entry", "各成分の余弦（cos）")
    explanation = Words(
        "Each entry is taken as an angle in radians, and becomes its cosine.",
        "各成分をラジアン単位の角とみて、その余弦に変えます。",
    )
    gradient_words = Words(
        "The slope of the cosine is minus the sine: each entry of the cotangent is multiplied by minus the sine of "
        "the entry in the same place.",
        "余弦の傾きは、符号を反転した正弦です。上流の勾配の各成分に、"
        "同じ位置の成分の正弦に負号を付けたものを掛けます。",
    )
    source = Words(
        "Vaswani et al. 2017, section 3.5; rotations in Su et al. 2021, section 3.2",
        "Vaswani ほか 2017, 3.5 節。回転については Su ほか 2021, 3.2 節",
    )
    notation = Call("cos")
    follows = (("row", 0, "row"), ("column", 0, "column"))

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return cos(entry_of(self.args[0], i, j))  # type: ignore[no-any-return]

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (-Hadamard(cotangent, Sine(self.args[0])),)

    @staticmethod
    def numpy(argument: Any) -> Any:
        return np.cos(argument)

    def value(self, numbers: Any, argument: Any) -> Any:
        return [[numbers.apply("cos", x) for x in row] for row in argument]

    properties = (
        Property(
            Words(
                "it is 1 less twice the squared sine of the half angle",
                "半分の角の正弦の 2 乗を 2 倍して 1 から引いた値",
            ),
            lambda result, argument: np.allclose(result, 1 - 2 * np.sin(argument / 2) ** 2),
        ),
    )
