"""GELU, exact with the error function and in the tanh form, which is another function."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from sympy import Add, Expr, Mul, Pow, Rational, S, erf, exp, pi, sqrt, tanh

from symtransformer.arguments import Parameter
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property, Stages, entry_of
from symtransformer.operations.addition import Addition
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.infinity import below_infinity, entry_by_entry, float_type
from symtransformer.operations.ones import Ones
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.tanh import Tanh

CUBIC = Rational(44715, 10**6)


class NormalDistribution(Primitive):
    """Phi(A)_ij = (1 + erf(A_ij / √2)) / 2: how likely a standard normal number is at most A_ij; −∞ gives 0.

    >>> from symtransformer import dimension, matrix
    >>> NormalDistribution(matrix("H", dimension("n"), dimension("d_ff")))[1, 0]
    (erf(H[1, 0]/(sqrt(2))) + 1)/2
    """

    __slots__ = ()
    parameters = (Parameter("argument"),)
    title = Words("Standard normal distribution function", "標準正規分布の分布関数")
    explanation = Words(
        "Each entry becomes the probability that a standard normal random number is at most as large.",
        "各成分を、標準正規分布に従う乱数がその値以下になる確率に変えます。",
    )
    gradient_words = Words(
        "The slope is the density of the standard normal distribution: each entry of the cotangent is multiplied by "
        "the density at the entry in the same place.",
        "傾きは標準正規分布の密度です。上流の勾配の各成分に、同じ位置の成分での密度を掛けます。",
    )
    source = Words(
        "Hendrycks and Gimpel 2016, section 2: Φ(x) = P(X ≤ x), X ~ N(0, 1)",
        "Hendrycks・Gimpel 2016, 2 節：Φ(x) = P(X ≤ x), X ~ N(0, 1)",
    )
    notation = Call("Phi")
    follows = (("row", 0, "row"), ("column", 0, "column"))
    accepts_infinity: ClassVar[bool] = True

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return Mul(_one_and_erf(entry_of(self.args[0], i, j)), _HALF, evaluate=False)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (Hadamard(cotangent, NormalDensity(self._children[0])),)

    @staticmethod
    def numpy(argument: Any) -> Any:
        return (_erfc(below_infinity("NormalDistribution", argument) / -math.sqrt(2)) / 2).astype(float_type(argument))

    def value(self, numbers: Any, argument: Any) -> Any:
        return entry_by_entry("NormalDistribution", argument, numbers.scalar(S.Zero), numbers.normal)

    properties = (
        Property(
            Words("the values at x and at -x add up to 1", "x での値と -x での値の和は 1"),
            lambda result, argument: np.allclose(result + NormalDistribution.numpy(-argument), 1),
        ),
    )


class NormalDensity(Primitive):
    """phi(A)_ij = e^(-A_ij² / 2) / √(2π): the density of the standard normal distribution, the slope of Phi.

    >>> from symtransformer import evaluate, matrix
    >>> H = matrix("H", 1, 2)
    >>> evaluate(NormalDensity(H), {H: [[0, 1]]}, digits=12)
    Matrix([[0.398942280401, 0.241970724519]])
    """

    __slots__ = ()
    parameters = (Parameter("argument"),)
    title = Words("Standard normal density", "標準正規分布の密度関数")
    explanation = Words(
        "Each entry becomes the height of the bell curve of the standard normal distribution at that place.",
        "各成分を、その値での標準正規分布の密度に変えます。",
    )
    gradient_words = Words(
        "The slope is minus the entry times the density there; each entry of the cotangent is multiplied by the "
        "slope in the same place.",
        "傾きは、成分と、そこでの密度との積に負号を付けたものです。上流の勾配の各成分に、同じ位置の傾きを掛けます。",
    )
    source = Words("slope of the Φ of Hendrycks and Gimpel 2016, section 2", "Hendrycks・Gimpel 2016, 2 節の Φ の傾き")
    notation = Call("phi")
    follows = (("row", 0, "row"), ("column", 0, "column"))

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        power = exp(-(entry_of(self.args[0], i, j) ** 2) / 2)
        return Mul(power, Pow(sqrt(2 * pi), S.NegativeOne, evaluate=False), evaluate=False)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (-Hadamard(cotangent, Hadamard(self._children[0], self)),)

    @staticmethod
    def numpy(argument: Any) -> Any:
        with np.errstate(over="ignore"):
            squares = argument * argument
        return np.exp(squares / -2) / math.sqrt(2 * math.pi)

    def value(self, numbers: Any, argument: Any) -> Any:
        root = numbers.scalar(sqrt(2 * pi))
        return [[numbers.exp(x * x / numbers.scalar(S(-2))) / root for x in row] for row in argument]

    properties = (
        Property(
            Words("the values at x and at -x are equal", "x での値と -x での値は等しい"),
            lambda result, argument: np.array_equal(result, NormalDensity.numpy(-argument)),
        ),
    )


class GELU(Primitive):
    """GELU(A)_ij = A_ij Φ(A_ij), with Φ(x) = (1 + erf(x / √2)) / 2.

    >>> from symtransformer import evaluate, matrix
    >>> H = matrix("H", 1, 2)
    >>> evaluate(GELU(H), {H: [[1, -1]]}, digits=12)
    Matrix([[0.841344746069, -0.158655253931]])
    """

    __slots__ = ()
    parameters = (Parameter("argument"),)
    title = Words("GELU of each entry", "各成分の GELU")
    explanation = Words(
        "Each entry is multiplied by the probability that a standard normal random number is at most as large.",
        "各成分に、標準正規分布に従う乱数がその値以下になる確率を掛けます。",
    )
    gradient_words = Words(
        "Each entry of the cotangent is multiplied by the slope in the same place: the normal distribution "
        "function at the entry, plus the entry times the normal density there.",
        "上流の勾配の各成分に、同じ位置での傾きを掛けます。傾きは、正規分布の分布関数の値に、"
        "成分とそこでの密度の積を足したものです。",
    )
    source = Words(
        "Hendrycks and Gimpel 2016, section 2: x Φ(x) = x/2 (1 + erf(x/√2))",
        "Hendrycks・Gimpel 2016, 2 節：x Φ(x) = x/2 (1 + erf(x/√2))",
    )
    slope_calls: ClassVar[tuple[str, ...]] = ("Phi", "phi")
    notation = Call("GELU")
    follows = (("row", 0, "row"), ("column", 0, "column"))

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        x = entry_of(self.args[0], i, j)
        return Mul(x, _one_and_erf(x), _HALF, evaluate=False)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        argument = self._children[0]
        slope = Addition(NormalDistribution(argument), Hadamard(argument, NormalDensity(argument)))
        return (Hadamard(cotangent, slope),)

    @staticmethod
    def numpy(argument: Any) -> Any:
        return argument * NormalDistribution.numpy(argument)

    def value(self, numbers: Any, argument: Any) -> Any:
        return [[x * numbers.normal(x) for x in row] for row in argument]

    def stages(self) -> Stages:
        weights = NormalDistribution(self.args[0])
        return Stages((("P", weights),), Hadamard(self.args[0], weights), _WORDS)

    properties = (
        Property(
            Words("the values at x and at -x differ by x", "x での値と -x での値の差は x"),
            lambda result, argument: np.allclose(result - GELU.numpy(-argument), argument),
        ),
    )


class GELUTanh(Primitive):
    """GELUTanh(A)_ij = x/2 (1 + tanh(√(2/π) (x + 0.044715 x³))), x = A_ij: near GELU, but not equal to it.

    >>> from symtransformer import evaluate, matrix
    >>> H = matrix("H", 1, 2)
    >>> evaluate(GELUTanh(H), {H: [[1, -1]]}, digits=12)
    Matrix([[0.841191990608, -0.158808009392]])
    """

    __slots__ = ()
    parameters = (Parameter("argument"),)
    title = Words("GELU of each entry, tanh form", "各成分の GELU（tanh による近似形）")
    explanation = Words(
        "Each entry is multiplied by a number between 0 and 1 that tanh gives; this comes close to GELU.",
        "各成分に、tanh で作った 0 から 1 までの数を掛けます。GELU に近い値になりますが、同じではありません。",
    )
    gradient_words = Words(
        "Each entry of the cotangent is multiplied by the slope in the same place, which is the sum of two "
        "terms: half of 1 plus the tanh, and half of the entry times the slope of the tanh.",
        "上流の勾配の各成分に、同じ位置での傾きを掛けます。傾きは 2 つの項の和で、1 つは 1 と tanh の和の半分、"
        "もう 1 つは成分の半分に tanh の部分の傾きを掛けたものです。",
    )
    source = Words(
        "Hendrycks and Gimpel 2016, section 2: 0.5x(1 + tanh[√(2/π)(x + 0.044715x³)])",
        "Hendrycks・Gimpel 2016, 2 節：0.5x(1 + tanh[√(2/π)(x + 0.044715x³)])",
    )
    notation = Call("GELUTanh")
    follows = (("row", 0, "row"), ("column", 0, "column"))

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        x = entry_of(self.args[0], i, j)
        return Mul(x, Add(1, tanh(sqrt(2 / pi) * (x + CUBIC * x**3)), evaluate=False), _HALF, evaluate=False)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        argument, turned = self._children[0], _bent(self._children[0])[-1][1]
        ones = Ones(*self.shape)
        squares = Hadamard(argument, argument)
        inner = Scaling(Addition(ones, Scaling(squares, 3 * CUBIC, S.One)), sqrt(2), sqrt(pi))
        steep = Hadamard(Scaling(argument, S.One, S(2)), Hadamard(Addition(ones, -Hadamard(turned, turned)), inner))
        return (Hadamard(cotangent, Addition(Scaling(Addition(ones, turned), S.One, S(2)), steep)),)

    def saved(self) -> tuple[tuple[str, Node], ...]:
        return (_bent(self._children[0])[-1],)

    @staticmethod
    def numpy(argument: Any) -> Any:
        bent = math.sqrt(8 / math.pi) * (argument + float(CUBIC) * argument**3)
        small = np.exp(-np.abs(bent))  # (1 + tanh u) / 2 = 1 / (1 + e^(-2u))
        return argument * np.where(bent >= 0, 1.0, small) / (1 + small)

    def value(self, numbers: Any, argument: Any) -> Any:
        factor, cubic = numbers.scalar(sqrt(2 / pi)), numbers.scalar(CUBIC)
        return [[x * numbers.half_tanh(factor * (x + cubic * x**3)) for x in row] for row in argument]

    def stages(self) -> Stages:
        parts = _bent(self._children[0])
        doubled = Hadamard(self._children[0], Addition(Ones(*self.shape), parts[-1][1]))
        return Stages(parts, Scaling(doubled, S.One, S(2)), _WORDS)

    properties = (
        Property(
            Words("the values at x and at -x differ by x", "x での値と -x での値の差は x"),
            lambda result, argument: np.allclose(result - GELUTanh.numpy(-argument), argument),
        ),
    )


def _bent(argument: Node) -> tuple[tuple[str, Node], ...]:
    """The tanh and what it is taken of."""
    cubes = Hadamard(argument, Hadamard(argument, argument))
    inner = Scaling(Addition(argument, Scaling(cubes, CUBIC, S.One)), sqrt(2), sqrt(pi))
    return ("U", inner), ("T", Tanh(inner))


def _erfc(array: Any) -> Any:
    """1 - erf of every entry, also where that is tiny."""
    return np.vectorize(math.erfc, otypes=[float])(array)


def _one_and_erf(x: Any) -> Any:
    """1 + erf(x / √2), in the order in which it is written."""
    return Add(1, erf(Mul(x, Pow(sqrt(2), -1, evaluate=False), evaluate=False)), evaluate=False)


_HALF = Pow(S(2), S.NegativeOne, evaluate=False)  # written below the line


_WORDS = {
    "P": (NormalDistribution.title, NormalDistribution.explanation),
    "U": (
        Words("Argument of tanh", "tanh に入れる値"),
        Words(
            "Each entry and a small multiple of its cube are added, and scaled.",
            "各成分に、その 3 乗の小さな倍数を足し、定数倍します。",
        ),
    ),
    "T": (Tanh.title, Tanh.explanation),
}
