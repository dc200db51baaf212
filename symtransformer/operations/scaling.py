"""A matrix times a number over a number, kept as written."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sympy import Expr, Mul, Pow, S

from symtransformer.arguments import SCALAR, Parameter
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.node import Node
from symtransformer.notation import Scaled, Words
from symtransformer.operation import Primitive, Property, entry_of


class Scaling(Primitive):
    """(c A / d)_ij = c A_ij / d, with numbers c and d ≠ 0. Neither is moved or rewritten.

    >>> from sympy import sqrt
    >>> from symtransformer import dimension, matrix
    >>> S = matrix("S", dimension("n"), dimension("m"))
    >>> S / sqrt(dimension("d_k")), 3 * S
    (S / sqrt(d_k), 3 S)
    """

    __slots__ = ()
    parameters = (Parameter("argument"), Parameter("factor", SCALAR), Parameter("divisor", SCALAR))
    title = Words("Scaling", "定数倍")
    explanation = Words(
        "Every entry is multiplied, or divided, by the same number.",
        "すべての成分に同じ数を掛けるか、同じ数で割ります。",
    )
    gradient_words = Words(
        "Through a scaling, the cotangent is multiplied by the same number, or divided by it.",
        "定数倍では、上流の勾配にも同じ数を掛けます（割り算なら、同じ数で割ります）。",
    )
    source = Words(
        "Vaswani et al. 2017, section 3.2.1: scores are divided by the square root of d_k",
        "Vaswani ほか 2017, 3.2.1 節：点数を d_k の平方根で割る",
    )
    notation = Scaled()
    follows = (("row", 0, "row"), ("column", 0, "column"))
    accepts_infinity: ClassVar[bool] = True
    python_operator: ClassVar[str] = "scale"

    @classmethod
    def shortcut(cls, *arguments: Any) -> Any:
        argument, factor, divisor = arguments
        if divisor is not S.One and divisor.is_zero:
            raise UnreadableInput(f"Scaling: {argument} is divided by 0")
        return argument if factor is S.One and divisor is S.One else None

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        argument, factor, divisor = self.args
        entry = entry_of(argument, i, j)
        above = entry if factor == 1 else Mul(factor, entry, evaluate=False)
        return above if divisor == 1 else Mul(above, Pow(divisor, S.NegativeOne, evaluate=False), evaluate=False)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (Scaling(cotangent, self.args[1], self.args[2]),)

    @staticmethod
    def numpy(argument: Any, factor: Any, divisor: Any) -> Any:
        try:
            ratio = factor / divisor
        except (OverflowError, ZeroDivisionError) as error:
            raise NotSupported("Scaling: the factor is too large, or the divisor too small, for a double") from error
        if not np.all(ratio > 0) and np.isinf(argument).any():
            raise NotSupported(_NOT_POSITIVE)
        return argument * (float(ratio) if np.ndim(ratio) == 0 else ratio)

    def value(self, numbers: Any, argument: Any, factor: Any, divisor: Any) -> Any:
        return [[_scaled(x, factor, divisor) for x in row] for row in argument]

    properties = (
        Property(
            Words("scaling by c and then by 1/c changes nothing", "c 倍してから 1/c 倍すると元に戻る"),
            lambda result, argument, factor, divisor: np.allclose(result * (divisor / factor), argument),
        ),
    )


def _scaled(x: Any, factor: Any, divisor: Any) -> Any:
    if x is S.NegativeInfinity or x is S.Infinity:
        if (
            (factor / divisor).is_positive is not True
            if hasattr(factor / divisor, "is_positive")
            else not factor / divisor > 0
        ):
            raise NotSupported(_NOT_POSITIVE)
        return x
    return x * factor / divisor


_NOT_POSITIVE = "Scaling: −∞ times a number that is not positive is left undefined; scale before the mask"
