"""The identity matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Expr, KroneckerDelta, S

from symtransformer.arguments import SIZE, Parameter
from symtransformer.node import Node
from symtransformer.notation import Symbolic, Words
from symtransformer.operation import Primitive, Property


class Identity(Primitive):
    """I_ij = 1 where i = j, else 0, of size n x n.

    >>> from symtransformer import dimension
    >>> Identity(dimension("n"))[1, 0], Identity(dimension("n")).shape
    (0, (n, n))
    """

    __slots__ = ()
    parameters = (Parameter("size", SIZE),)
    title = Words("Identity matrix", "単位行列")
    explanation = Words(
        "The diagonal holds 1, every other place 0; a product with it changes nothing.",
        "対角成分が 1、それ以外が 0 です。掛けても行列は変わりません。",
    )
    gradient_words = Words(
        "The identity matrix is constant, so there is no gradient to take.",
        "単位行列は定数なので、求める勾配はありません。",
    )
    source = Words("standard", "標準的な定義")
    notation = Symbolic("identity")
    follows = ()

    def find_shape(self) -> Any:
        return self.args[0], self.args[0]

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return KroneckerDelta(i, j)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return ()

    @staticmethod
    def numpy(size: Any) -> Any:
        return np.eye(size)

    def value(self, numbers: Any, size: int) -> Any:
        return [[numbers.scalar(S.One if i == j else S.Zero) for j in range(size)] for i in range(size)]

    properties = (
        Property(
            Words("a product with it changes nothing", "掛けても行列は変わらない"),
            lambda result, size: np.array_equal(np.arange(1.0, size + 1) @ result, np.arange(1.0, size + 1)),
        ),
    )
