"""The sigmoid of every entry, and SiLU, which multiplies each entry by its own sigmoid."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sympy import Add, Expr, Mul, Pow, S, exp

from symtransformer.arguments import Parameter
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property, Stages, entry_of
from symtransformer.operations.addition import Addition
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.infinity import below_infinity, entry_by_entry
from symtransformer.operations.ones import Ones


class Sigmoid(Primitive):
    """sigmoid(A)_ij = 1 / (1 + e^{-A_ij}), entry by entry, between 0 and 1; −∞ gives 0.

    >>> from symtransformer import dimension, matrix
    >>> Sigmoid(matrix("H", dimension("n"), dimension("d")))[1, 0]
    1/(1 + exp(-H[1, 0]))
    """

    __slots__ = ()
    parameters = (Parameter("argument"),)
    title = Words("Sigmoid of each entry", "各成分のシグモイド関数")
    explanation = Words(
        "Each entry becomes a number from 0 to 1: 0 becomes 1/2; the larger the entry, the closer to 1, and the "
        "smaller, the closer to 0.",
        "各成分を 0 から 1 までの数に変えます。0 は 1/2 になり、大きいほど 1 に、小さいほど 0 に近づきます。",
    )
    gradient_words = Words(
        "The slope of the sigmoid is its value times 1 minus its value, so each entry of the cotangent is multiplied "
        "by that product in the same place.",
        "シグモイド関数の傾きは、関数の値と、1 からその値を引いたものとの積です。"
        "上流の勾配の各成分に、同じ位置のその積を掛けます。",
    )
    source = Words(
        "Elfwing et al. 2017, section 2: σ(x) = 1 / (1 + e^(-x))", "Elfwing ほか 2017, 2 節：σ(x) = 1 / (1 + e^(-x))"
    )
    notation = Call("sigmoid")
    follows = (("row", 0, "row"), ("column", 0, "column"))
    accepts_infinity: ClassVar[bool] = True

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return _sigmoid_of(entry_of(self.args[0], i, j))  # type: ignore[no-any-return]

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (Hadamard(cotangent, Hadamard(self, Addition(Ones(*self.shape), -self))),)

    @staticmethod
    def numpy(argument: Any) -> Any:
        small = np.exp(-np.abs(below_infinity("Sigmoid", argument)))
        return np.where(argument >= 0, 1.0, small) / (1 + small)

    def value(self, numbers: Any, argument: Any) -> Any:
        return entry_by_entry("Sigmoid", argument, numbers.scalar(S.Zero), lambda x: _value(numbers, x))

    properties = (
        Property(
            Words("the values at x and at -x add up to 1", "x での値と -x での値の和は 1"),
            lambda result, argument: np.allclose(result + Sigmoid.numpy(-argument), 1),
        ),
        Property(
            Words("it is (1 + tanh(x/2)) / 2", "(1 + tanh(x/2)) / 2 に等しい"),
            lambda result, argument: np.allclose(result, (1 + np.tanh(argument / 2)) / 2),
        ),
    )


class SiLU(Primitive):
    """SiLU(A)_ij = A_ij sigmoid(A_ij) = A_ij / (1 + e^{-A_ij}), also called swish.

    >>> from symtransformer import evaluate, matrix
    >>> H = matrix("H", 1, 2)
    >>> evaluate(SiLU(H), {H: [[1, -1]]}, digits=12)
    Matrix([[0.73105857863, -0.26894142137]])
    """

    __slots__ = ()
    parameters = (Parameter("argument"),)
    title = Words("SiLU of each entry", "各成分の SiLU")
    explanation = Words(
        "Each entry is multiplied by its own sigmoid, a number from 0 to 1.",
        "各成分に、その成分のシグモイド関数の値（0 から 1 までの数）を掛けます。",
    )
    gradient_words = Words(
        "With s for the sigmoid of an entry x, the slope is s (1 + x (1 − s)); each entry of the cotangent is "
        "multiplied by the slope in the same place.",
        "成分を x、そのシグモイド関数の値を s とすると、傾きは s (1 + x (1 − s)) です。上流の勾配の各成分に、"
        "同じ位置の傾きを掛けます。",
    )
    source = Words(
        "Elfwing et al. 2017, section 2; Ramachandran et al. 2017 as Swish with β = 1: x σ(x)",
        "Elfwing ほか 2017, 2 節。Ramachandran ほか 2017 の Swish で β = 1 の場合：x σ(x)",
    )
    notation = Call("SiLU")
    follows = (("row", 0, "row"), ("column", 0, "column"))

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        x = entry_of(self.args[0], i, j)
        return Mul(x, _sigmoid_of(x), evaluate=False)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        argument, ones = self._children[0], Ones(*self.shape)
        share = Sigmoid(argument)
        slope = Hadamard(share, Addition(ones, Hadamard(argument, Addition(ones, -share))))
        return (Hadamard(cotangent, slope),)

    @staticmethod
    def numpy(argument: Any) -> Any:
        return argument * Sigmoid.numpy(argument)

    def value(self, numbers: Any, argument: Any) -> Any:
        return [[x * _value(numbers, x) for x in row] for row in argument]

    def stages(self) -> Stages:
        shares = Sigmoid(self.args[0])
        words = {"P": (Sigmoid.title, Sigmoid.explanation)}
        return Stages((("P", shares),), Hadamard(self.args[0], shares), words)

    properties = (
        Property(
            Words("the values at x and at -x differ by x", "x での値と -x での値の差は x"),
            lambda result, argument: np.allclose(result - SiLU.numpy(-argument), argument),
        ),
    )


def _sigmoid_of(x: Any) -> Any:
    """1 / (1 + e^(-x)), in the order in which it is written."""
    return Pow(Add(1, exp(-x, evaluate=False), evaluate=False), S.NegativeOne, evaluate=False)


def _value(numbers: Any, x: Any) -> Any:
    one = numbers.scalar(S.One)
    return one / (one + numbers.exp(-x))
