"""The rectifier max(0, x), and the step that is its slope."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sympy import Expr, Max, Piecewise, S

from symtransformer.arguments import Parameter
from symtransformer.errors import NotSupported
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property, entry_of
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.infinity import below_infinity, entry_by_entry, float_type
from symtransformer.operations.scaling import Scaling


class ReLU(Primitive):
    """ReLU(A)_ij = max(0, A_ij); its slope at 0 is taken as 0. −∞ gives 0.

    >>> from symtransformer import dimension, matrix
    >>> ReLU(matrix("H", dimension("n"), dimension("d_ff")))[1, 0]
    Max(0, H[1, 0])
    """

    __slots__ = ()
    parameters = (Parameter("argument"),)
    title = Words("ReLU of each entry", "各成分の ReLU")
    explanation = Words(
        "Negative entries become 0, the others stay.",
        "負の成分を 0 にし、ほかはそのままにします。",
    )
    gradient_words = Words(
        "The cotangent passes where the entry is positive and becomes 0 elsewhere. At 0 itself the slope is taken "
        "as 0, as PyTorch and JAX have it.",
        "成分が正のところでは上流の勾配をそのまま通し、ほかでは 0 にします。ちょうど 0 での傾きは、"
        "PyTorch や JAX と同じく 0 とします。",
    )
    source = Words(
        "Vaswani et al. 2017, section 3.3, eq. (2): max(0, x)", "Vaswani ほか 2017, 3.3 節, 式 (2)：max(0, x)"
    )
    notation = Call("ReLU")
    follows = (("row", 0, "row"), ("column", 0, "column"))
    accepts_infinity: ClassVar[bool] = True

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return Max(S.Zero, entry_of(self.args[0], i, j))  # type: ignore[no-any-return]

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (Hadamard(cotangent, Heaviside(self.args[0])),)

    @staticmethod
    def numpy(argument: Any) -> Any:
        return np.maximum(argument, 0.0)

    def value(self, numbers: Any, argument: Any) -> Any:
        return entry_by_entry("ReLU", argument, numbers.scalar(S.Zero), numbers.relu)

    properties = (
        Property(
            Words("the values at x and at -x differ by x", "x での値と -x での値の差は x"),
            lambda result, argument: np.allclose(result - ReLU.numpy(-argument), argument),
        ),
    )


class Heaviside(Primitive):
    """step(A)_ij = 1 where A_ij > 0, else 0 (also at 0 and at −∞).

    >>> from symtransformer import dimension, matrix
    >>> Heaviside(matrix("H", dimension("n"), dimension("d_ff")))[1, 0]
    Piecewise((1, H[1, 0] > 0), (0, True))
    """

    __slots__ = ()
    parameters = (Parameter("argument"),)
    title = Words("Which entries are positive", "正の成分の判定")
    explanation = Words(
        "Positive entries become 1, all others 0.",
        "正の成分を 1、それ以外を 0 にします。",
    )
    gradient_words = Words(
        "The gradient is 0, since a small change of an entry leaves the result as it is; at 0, where the result "
        "jumps, 0 is taken as well.",
        "成分を少し変えても結果は変わらないので、勾配は 0 です。結果が不連続に変わる 0 でも、0 とします。",
    )
    source = Words(
        "slope of max(0, x), Vaswani et al. 2017, section 3.3; its value at 0 is a convention",
        "max(0, x) の傾き（Vaswani ほか 2017, 3.3 節）。0 での値は約束による",
    )
    notation = Call("step")
    follows = (("row", 0, "row"), ("column", 0, "column"))
    accepts_infinity: ClassVar[bool] = True

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return Piecewise((S.One, entry_of(self.args[0], i, j) > 0), (S.Zero, True))

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (Scaling(cotangent, S.Zero, S.One),)

    @staticmethod
    def numpy(argument: Any) -> Any:
        if np.isnan(argument).any():
            raise NotSupported("Heaviside: an entry is undefined")
        return (below_infinity("Heaviside", argument) > 0).astype(float_type(argument))

    def value(self, numbers: Any, argument: Any) -> Any:
        return entry_by_entry("Heaviside", argument, numbers.scalar(S.Zero), numbers.step)

    properties = (
        Property(
            Words("times the matrix it gives ReLU", "元の行列に成分ごとに掛けると ReLU になる"),
            lambda result, argument: np.array_equal(result * argument, ReLU.numpy(argument)),
        ),
    )
