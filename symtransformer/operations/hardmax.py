"""All weight on the largest entry of every row."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sympy import Eq, Expr, Ge, Piecewise, Product, S, Sum

from symtransformer.arguments import Parameter
from symtransformer.errors import NotSupported
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property, entry_of
from symtransformer.operations.infinity import below_infinity, float_type
from symtransformer.operations.scaling import Scaling


class Hardmax(Primitive):
    """hardmax(S)_ij = 1/c where S_ij is the largest entry of row i, which stands there c times, else 0.

    It is the limit of softmax(S / T) as T goes to 0 from above. Entries are compared exactly; in
    NumPy two entries are equal where their doubles are. A row of −∞ only is refused by name.

    >>> from symtransformer import evaluate, matrix
    >>> S = matrix("S", 1, 3)
    >>> evaluate(Hardmax(S), {S: [[0.3, 0.1, 0.3]]})
    Matrix([[1/2, 0, 1/2]])
    """

    __slots__ = ()
    parameters = (Parameter("scores"),)
    title = Words("Hardmax of each row", "各行の Hardmax")
    explanation = Words(
        "The largest entry of each row gets all the weight; equal ones share it.",
        "各行で最大の成分の係数を 1、ほかを 0 にします。最大の成分が複数あれば、等しく分けます。",
    )
    gradient_words = Words(
        "The gradient is 0, since a small change of the scores leaves the weights as they are; where several "
        "entries share the largest value, 0 is taken as well.",
        "点数を少し変えても係数は変わらないので、勾配は 0 です。最大の成分が複数あり、"
        "係数が変わりうるところでも、0 とします。",
    )
    source = Words(
        "limit of softmax at temperature 0; softmax as in Vaswani et al. 2017, eq. (1)",
        "温度 0 での Softmax の極限。Softmax は Vaswani ほか 2017, 式 (1)",
    )
    notation = Call("hardmax")
    follows = (("row", 0, "row"), ("column", 0, "column"))
    accepts_infinity: ClassVar[bool] = True

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        scores, k, other = self.args[0], fresh(), fresh()
        own, last = entry_of(scores, i, j), scores.shape[1] - 1
        largest = Product(Piecewise((S.One, Ge(own, entry_of(scores, i, k))), (S.Zero, True)), (k, 0, last))
        equal = Sum(Piecewise((S.One, Eq(entry_of(scores, i, other), own)), (S.Zero, True)), (other, 0, last))
        return largest / equal  # type: ignore[no-any-return]

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (Scaling(cotangent, S.Zero, S.One),)

    @staticmethod
    def numpy(scores: Any) -> Any:
        top = np.max(below_infinity("Hardmax", scores), axis=-1, keepdims=True)
        if np.isneginf(top).any():
            row = int(np.argwhere(np.isneginf(top))[0][-2])
            raise NotSupported(f"Hardmax: every entry of row {row + 1} is −∞, so there is nothing to weight")
        largest = (scores == top).astype(float_type(scores))
        return largest / np.sum(largest, axis=-1, keepdims=True)

    def value(self, numbers: Any, scores: Any) -> Any:
        return [_hardmax(numbers, row, k) for k, row in enumerate(scores)]

    properties = (
        Property(
            Words("every row adds up to 1", "どの行も合計は 1"),
            lambda result, scores: np.allclose(np.sum(result, axis=-1), 1),
        ),
        Property(
            Words("the weighted mean of a row is its largest entry", "係数を掛けた平均は、その行の最大の成分"),
            lambda result, scores: np.allclose(
                np.sum(np.where(result == 0, 0, result * scores), axis=-1), np.max(scores, axis=-1)
            ),
        ),
    )


def _hardmax(numbers: Any, row: list[Any], k: int) -> list[Any]:
    usable = [x for x in row if x is not S.NegativeInfinity]
    if not usable:
        raise NotSupported(f"Hardmax: every entry of row {k + 1} is −∞, so there is nothing to weight")
    if any(x is S.Infinity for x in usable):
        raise NotSupported(f"Hardmax: row {k + 1} holds +∞")
    shares = iter(numbers.shares(usable))
    return [numbers.scalar(S.Zero) if x is S.NegativeInfinity else next(shares) for x in row]
