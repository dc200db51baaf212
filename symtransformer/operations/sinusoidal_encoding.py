"""Positions as sines and cosines."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Eq, Expr, Mod, Piecewise, Pow, Rational, S, cos, sin

from symtransformer.arguments import SCALAR, SIZE, Parameter
from symtransformer.errors import UnreadableInput
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property


class SinusoidalEncoding(Primitive):
    """PE_ij = sin(p / b^{2k/d}) where j = 2k, cos(p / b^{2k/d}) where j = 2k + 1, with p = start + i.

    n rows, one for each position from `start` (0 unless given, and it may be a letter), d columns,
    base b = 10000 unless given; i and j count from 0.

    >>> from symtransformer import dimension, evaluate, parameter
    >>> SinusoidalEncoding(dimension("n"), 4)[3, 2]
    sin(3/100)
    >>> evaluate(SinusoidalEncoding(1, 2, start=parameter("p")))
    Matrix([[sin(p), cos(p)]])
    """

    __slots__ = ()
    parameters = (
        Parameter("rows", SIZE),
        Parameter("columns", SIZE),
        Parameter("start", SCALAR, default=S.Zero),
        Parameter("base", SCALAR, default=S(10_000)),
    )
    title = Words("Sinusoidal positional encoding", "正弦・余弦による位置エンコーディング")
    explanation = Words(
        "Each position gets a row of sines and cosines, the wavelengths of which grow from pair to pair of columns.",
        "位置ごとに、正弦と余弦を並べた行を作ります。正弦と余弦の列の組が右に進むほど、波長が長くなります。",
    )
    gradient_words = Words(
        "The encoding is constant, so there is no gradient to take.",
        "位置エンコーディングは定数なので、求める勾配はありません。",
    )
    source = Words(
        "Vaswani et al. 2017, section 3.5; pos is start + i there, i our k, d_model our d",
        "Vaswani ほか 2017, 3.5 節。そこでの pos がここでの start + i、i が k、d_model が d",
    )
    notation = Call("PE")
    follows = ()

    @classmethod
    def shortcut(cls, *arguments: Any) -> Any:
        if arguments[3].is_nonpositive:
            raise UnreadableInput(f"{cls.__name__}: base must be positive, got {arguments[3]}")
        return None

    def find_shape(self) -> Any:
        return self.args[:2]

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        _, columns, start, base = self.args
        even = sin((start + i) * Pow(base, -j / columns))
        odd = cos((start + i) * Pow(base, -(j - 1) / columns))
        if j.is_even is not None:
            return even if j.is_even else odd  # type: ignore[no-any-return]
        return Piecewise((even, Eq(Mod(j, 2), 0)), (odd, True))

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return ()

    @staticmethod
    def numpy(rows: Any, columns: Any, start: Any, base: Any) -> Any:
        column = np.arange(columns)
        angles = (start + np.arange(rows)[:, None]) * np.asarray(base, float) ** (-(column - column % 2) / columns)
        return np.where(column % 2 == 0, np.sin(angles), np.cos(angles))

    def value(self, numbers: Any, rows: int, columns: int, start: Any, base: Any) -> Any:
        speeds = [numbers.power(base, -Rational(j - j % 2, columns)) for j in range(columns)]
        places = [start + numbers.scalar(S(i)) for i in range(rows)]
        return [[numbers.apply("cos" if j % 2 else "sin", p * s) for j, s in enumerate(speeds)] for p in places]

    properties = (
        Property(
            Words("sine and cosine of one angle have squares that add up to 1", "同じ角の正弦と余弦の 2 乗の和は 1"),
            lambda result, rows, columns, start, base: np.allclose(
                result[:, 0 : columns - 1 : 2] ** 2 + result[:, 1:columns:2] ** 2, 1
            ),
        ),
    )
