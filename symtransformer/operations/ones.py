"""The matrix of ones, which repeats a bias in every row."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Expr, S

from symtransformer.arguments import SIZE, Parameter
from symtransformer.node import Node
from symtransformer.notation import Symbolic, Words
from symtransformer.operation import Primitive, Property


class Ones(Primitive):
    """1_ij = 1, of size n x m.

    >>> from symtransformer import dimension
    >>> Ones(dimension("n"), 1).shape
    (n, 1)
    """

    __slots__ = ()
    parameters = (Parameter("rows", SIZE), Parameter("columns", SIZE))
    title = Words("Ones", "すべて 1 の行列")
    explanation = Words(
        "Every entry is 1; a column of ones times a row repeats the row.",
        "すべての成分が 1 です。1 を並べた列ベクトルに行ベクトルを掛けると、同じ行が繰り返されます。",
    )
    gradient_words = Words(
        "The matrix of ones is constant, so there is no gradient to take.",
        "すべて 1 の行列は定数なので、求める勾配はありません。",
    )
    source = Words("standard", "標準的な定義")
    notation = Symbolic("ones")
    follows = ()

    def find_shape(self) -> Any:
        return self.args

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return S.One

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return ()

    @staticmethod
    def numpy(rows: Any, columns: Any) -> Any:
        return np.ones((rows, columns))

    def value(self, numbers: Any, rows: int, columns: int) -> Any:
        return [[numbers.scalar(S.One)] * columns for _ in range(rows)]

    properties = (
        Property(
            Words("every entry is 1", "すべての成分が 1"),
            lambda result, rows, columns: result.shape == (rows, columns) and bool((result == 1).all()),
        ),
    )
