"""The additive mask: 0, or a number to be added, where a key may be used, −∞ where it may not."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sympy import Add, Expr, S

from symtransformer.arguments import Parameter
from symtransformer.errors import NotSupported
from symtransformer.node import Node
from symtransformer.notation import ADDITION, Infix, Words
from symtransformer.operation import Primitive, Property, entry_of, require_same_shape


class Mask(Primitive):
    """(S + M)_ij = S_ij + M_ij, and −∞ where M_ij = −∞. S and M have the same size.

    −∞ hides a score, whatever it was; 0 leaves it as it is, any other number is added to it, as the
    biases of ALiBi are. +∞ is refused.

    `vjp` passes the cotangent on as it is. That is its product with the Jacobian where M is finite;
    where M is −∞ the Jacobian is 0, and the cotangent has to be 0 there already. Behind softmax,
    log-sum-exp and exp it is.

    >>> from symtransformer import dimension, matrix
    >>> n, m = dimension("n"), dimension("m")
    >>> Mask(matrix("S", n, m), matrix("M", n, m))
    S + M
    """

    __slots__ = ()
    parameters = (Parameter("scores"), Parameter("mask"))
    title = Words("Additive mask", "加算マスク")
    explanation = Words(
        "Scores that may not be used are replaced by −∞, so that softmax gives them exactly 0. A number in the mask is "
        "added to the score.",
        "使ってはいけない点数を −∞ に置き換えます。Softmax の後、その係数はちょうど 0 になります。"
        "マスクの成分が数なら、点数に足します。",
    )
    gradient_words = Words(
        "The mask is added to the scores, so the cotangent goes to both unchanged.",
        "点数にマスクを足しているので、上流の勾配がそのまま両方に伝わります。",
    )
    source = Words(
        "Vaswani et al. 2017, section 3.2.3: illegal connections are set to −∞ inside the softmax",
        "Vaswani ほか 2017, 3.2.3 節：許されない接続を Softmax の中で −∞ にする",
    )
    notation = Infix("add", ADDITION)
    follows = (("row", 0, "row"), ("column", 0, "column"), ("row", 1, "row"), ("column", 1, "column"))
    accepts_infinity: ClassVar[bool] = True

    def find_shape(self) -> Any:
        scores, mask = self.args
        require_same_shape(lambda: f"mask of {scores}", scores.shape, mask.shape)
        return scores.shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return Add(entry_of(self.args[0], i, j), entry_of(self.args[1], i, j), evaluate=False)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return cotangent, cotangent

    @staticmethod
    def numpy(scores: Any, mask: Any) -> Any:
        if np.isposinf(mask).any():
            raise NotSupported(_MARKS)
        if np.isnan(scores).any():
            raise NotSupported("Mask: a score is undefined")
        return np.where(np.isneginf(mask), -np.inf, scores + mask)

    def value(self, numbers: Any, scores: Any, mask: Any) -> Any:
        return [
            [_masked(s, m) for s, m in zip(row, marks, strict=True)] for row, marks in zip(scores, mask, strict=True)
        ]

    properties = (
        Property(
            Words("where the mask is 0 the score stays", "マスクが 0 の場所の点数は変わらない"),
            lambda result, scores, mask: np.array_equal(result[mask == 0], scores[mask == 0]),
        ),
    )


def _masked(score: Any, mark: Any) -> Any:
    if mark is S.Infinity:
        raise NotSupported(_MARKS)
    hidden = S.NegativeInfinity
    return hidden if mark is hidden or score is hidden else score + mark


_MARKS = "Mask: −∞ hides a score, any other number is added to it; +∞ is refused"
