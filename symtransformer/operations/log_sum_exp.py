"""The logarithm of a sum of exponentials, row by row."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sympy import Expr, S, Sum, exp, log

from symtransformer.arguments import Parameter
from symtransformer.errors import NotSupported
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property, Stages, entry_of
from symtransformer.operations.exponential import Exponential
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.logarithm import Logarithm
from symtransformer.operations.row_sum import Broadcast, RowSum
from symtransformer.operations.softmax import Softmax


class LogSumExp(Primitive):
    """logsumexp(S)_i = ln Σ_k e^{S_ik}: an n x m matrix gives a column of n numbers; −∞ adds nothing.

    A row in which every entry is −∞ has none: `NotSupported` names it.

    >>> from symtransformer import dimension, matrix
    >>> LogSumExp(matrix("S", dimension("n"), dimension("m")))[1, 0]
    log(Sum(exp(S[1, k]), (k, 0, m - 1)))
    """

    __slots__ = ()
    parameters = (Parameter("scores"),)
    title = Words("Log-sum-exp of each row", "各行の log-sum-exp")
    explanation = Words(
        "The logarithm of the sum of the exponentials of each row: the number that turns logits into "
        "log-probabilities when it is subtracted.",
        "行ごとに指数関数の値を合計し、その対数をとります。ロジットからこの値を引くと対数確率になります。",
    )
    gradient_words = Words(
        "Every row of the gradient is the softmax of the same row of the argument, times the cotangent of that row.",
        "勾配の各行は、もとの行の Softmax に、その行の上流の勾配を掛けたものです。",
    )
    source = Words(
        "denominator of softmax, Vaswani et al. 2017, eq. (1), as a logarithm",
        "Softmax の分母（Vaswani ほか 2017, 式 (1)）の対数",
    )
    notation = Call("logsumexp")
    follows = (("row", 0, "row"),)
    accepts_infinity: ClassVar[bool] = True

    def find_shape(self) -> Any:
        return self.args[0].shape[0], S.One

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        k = fresh()
        return log(Sum(exp(entry_of(self.args[0], i, k)), (k, 0, self.args[0].shape[1] - 1)))  # type: ignore[no-any-return]

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        scores = self._children[0]
        return (Hadamard(Softmax(scores), Broadcast(cotangent, scores.shape[1])),)

    def saved(self) -> tuple[tuple[str, Node], ...]:
        return (("P", Softmax(self.args[0])),)

    @staticmethod
    def numpy(scores: Any) -> Any:
        top = np.max(scores, axis=-1, keepdims=True)
        if np.isposinf(top).any():
            row = int(np.argwhere(np.isposinf(top))[0][-2])
            raise NotSupported(f"LogSumExp: row {row + 1} holds +∞")
        if np.isneginf(top).any():
            row = int(np.argwhere(np.isneginf(top))[0][-2])
            raise NotSupported(f"LogSumExp: every entry of row {row + 1} is −∞, so its sum of exponentials is 0")
        return top + np.log(np.sum(np.exp(scores - top), axis=-1, keepdims=True))

    def value(self, numbers: Any, scores: Any) -> Any:
        return [[_log_sum_exp(numbers, row, k)] for k, row in enumerate(scores)]

    def stages(self) -> Stages:
        powers = Exponential(self.args[0])
        sums = RowSum(powers)
        return Stages((("U", powers), ("c", sums)), Logarithm(sums), Softmax(self.args[0]).stages().words)

    properties = (
        Property(
            Words(
                "adding a number to a whole row adds it to the result",
                "行全体に同じ数を足すと、結果にもその数が足される",
            ),
            lambda result, scores: np.allclose(LogSumExp.numpy(scores + 3.25), result + 3.25),
        ),
        Property(
            Words("it is at least the largest entry of the row", "行の最大の成分以上になる"),
            lambda result, scores: bool((result >= np.max(scores, axis=-1, keepdims=True)).all()),
        ),
    )


def _log_sum_exp(numbers: Any, row: list[Any], k: int) -> Any:
    usable = [x for x in row if x is not S.NegativeInfinity]
    if not usable:
        raise NotSupported(f"LogSumExp: every entry of row {k + 1} is −∞, so its sum of exponentials is 0")
    if any(x is S.Infinity for x in usable):
        raise NotSupported(f"LogSumExp: row {k + 1} holds +∞")
    return numbers.apply("log", sum(map(numbers.exp, usable), numbers.scalar(S.Zero)))
