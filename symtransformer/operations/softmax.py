"""Softmax of every row."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sympy import Expr, Mul, Pow, S, Sum, exp

from symtransformer.arguments import Parameter
from symtransformer.errors import NotSupported, UndefinedValue
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property, Stages, entry_of
from symtransformer.operations.addition import Addition
from symtransformer.operations.exponential import Exponential
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_sum import Broadcast, RowSum


class Softmax(Primitive):
    """softmax(S)_ij = e^{S_ij} / Σ_k e^{S_ik}, row by row; −∞ gives exactly 0.

    A row in which every entry is −∞ has no softmax: `NotSupported` names it.

    >>> from symtransformer import dimension, matrix
    >>> S = matrix("S", dimension("n"), dimension("m"))
    >>> Softmax(S)[1, 0]
    exp(S[1, 0])/Sum(exp(S[1, k]), (k, 0, m - 1))
    """

    __slots__ = ()
    parameters = (Parameter("scores"),)
    title = Words("Softmax of each row", "各行の Softmax")
    explanation = Words(
        "Each score {s} becomes {e^s} (exactly 0 where the score is −∞), divided by the sum of its row; every row then "
        "adds up to 1.",
        "各点数 {s} を {e^s} に変え（点数が −∞ なら 0）、その行の合計で割ります。どの行も合計は 1 になります。",
    )
    gradient_words = Words(
        "Through softmax, the mean of each row of the cotangent, weighted by the results of softmax, is subtracted "
        "from that row; the rest is multiplied by these results, entry by entry.",
        "Softmax では、上流の勾配の各行から、Softmax の結果を係数とする加重平均を引き、"
        "それに Softmax の結果を成分ごとに掛けます。",
    )
    source = Words("Vaswani et al. 2017, section 3.2.1, eq. (1)", "Vaswani ほか 2017, 3.2.1 節, 式 (1)")
    notation = Call("softmax")
    follows = (("row", 0, "row"), ("column", 0, "column"))
    accepts_infinity: ClassVar[bool] = True

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        scores, k = self.args[0], fresh()
        total = Sum(exp(entry_of(scores, i, k)), (k, 0, scores.shape[1] - 1))
        return Mul(exp(entry_of(scores, i, j)), Pow(total, S.NegativeOne), evaluate=False)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        weighted = RowSum(Hadamard(self, cotangent))
        return (Hadamard(self, Addition(cotangent, -Broadcast(weighted, self.shape[1]))),)

    @staticmethod
    def numpy(scores: Any) -> Any:
        top = np.max(scores, axis=-1, keepdims=True)
        if np.isposinf(top).any():
            row = int(np.argwhere(np.isposinf(top))[0][-2])
            raise NotSupported(f"Softmax: row {row + 1} holds +∞")
        if np.isneginf(top).any():
            row = int(np.argwhere(np.isneginf(top))[0][-2])
            raise UndefinedValue(f"Softmax: every entry of row {row + 1} is −∞, so there is nothing to weight")
        powers = np.exp(scores - top)
        return powers / np.sum(powers, axis=-1, keepdims=True)

    def value(self, numbers: Any, scores: Any) -> Any:
        return [_softmax(numbers, row, k) for k, row in enumerate(scores)]

    def stages(self) -> Stages:
        powers = Exponential(self.args[0])
        sums = RowSum(powers)
        return Stages((("U", powers), ("c", sums)), RowDivision(powers, sums), _WORDS)

    properties = (
        Property(
            Words("every row adds up to 1", "どの行も合計は 1"),
            lambda result, scores: np.allclose(np.sum(result, axis=-1), 1),
        ),
        Property(
            Words("adding a number to a whole row changes nothing", "行全体に同じ数を足しても結果は同じ"),
            lambda result, scores: np.allclose(Softmax.numpy(scores + 3.25), result),
        ),
    )


def _softmax(numbers: Any, row: list[Any], k: int) -> list[Any]:
    usable = [x for x in row if x is not S.NegativeInfinity]
    if not usable:
        raise UndefinedValue(f"Softmax: every entry of row {k + 1} is −∞, so there is nothing to weight")
    if any(x is S.Infinity for x in usable):
        raise NotSupported(f"Softmax: row {k + 1} holds +∞")
    if len(usable) == 1:  # e^s / e^s is 1, also where s is known as a ball only
        return [numbers.scalar(S.Zero if x is S.NegativeInfinity else S.One) for x in row]
    powers = [S.NegativeInfinity if x is S.NegativeInfinity else numbers.exp(x) for x in row]
    total = sum((p for p in powers if p is not S.NegativeInfinity), numbers.scalar(S.Zero))
    return [numbers.scalar(S.Zero) if p is S.NegativeInfinity else numbers.divide(p, total) for p in powers]


_WORDS = {
    "U": (
        Words("Exponentials", "指数関数"),
        Words(
            "Each score {s} becomes {e^s} (exactly 0 where the score is −∞), with {e} ≈ 2.71828.",
            "各点数 {s} を {e^s} に変えます（{e} ≈ 2.71828。点数が −∞ なら 0）。",
        ),
    ),
    "c": (
        Words("Sum of each row", "行ごとの合計"),
        Words(
            "The exponentials of each row are added up.",
            "行ごとに指数関数の値を足します。",
        ),
    ),
}
