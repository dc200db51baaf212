"""Masks of any size as constants: no key that comes later, no key that only fills up."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Expr, Piecewise, S

from symtransformer.arguments import SIZE, Parameter
from symtransformer.errors import ShapeError
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property


class CausalMask(Primitive):
    """causal(n, m)_ij = 0 where j ≤ i + m - n, else −∞; m is n unless given.

    Aligned at the lower right corner: the last query sees every key, as with a cache of
    earlier keys. With more rows than columns the first n - m rows hold −∞ only, and have no softmax.

    >>> from symtransformer import evaluate
    >>> evaluate(CausalMask(2)), evaluate(CausalMask(1, 3))
    (Matrix([
    [0, -oo],
    [0,   0]]), Matrix([[0, 0, 0]]))
    """

    __slots__ = ()
    parameters = (Parameter("rows", SIZE), Parameter("columns", SIZE, optional=True))
    title = Words("Causal mask", "因果マスク（causal mask）")
    explanation = Words(
        "Each token may use itself and the tokens before it; the places of later tokens hold −∞. The last row belongs to "
        "the last column; if there are more rows than columns, the first rows hold −∞ only.",
        "各トークンは自分自身とそれより前のトークンだけを使えます。後ろのトークンの位置は −∞ です。"
        "最後の行が最後の列に対応し、行のほうが多いときは、先頭の余った行の成分がすべて −∞ になります。",
    )
    gradient_words = Words(
        "The mask is constant, so there is no gradient to take.",
        "マスクは定数なので、求める勾配はありません。",
    )
    source = Words(
        "Vaswani et al. 2017, section 3.2.3: connections to later positions are set to −∞",
        "Vaswani ほか 2017, 3.2.3 節：後の位置への接続を −∞ にする",
    )
    notation = Call("causal")
    follows = ()

    @classmethod
    def shortcut(cls, *arguments: Any) -> Any:
        return cls(arguments[0]) if len(arguments) == 2 and arguments[0] == arguments[1] else None

    def find_shape(self) -> Any:
        return self.args[0], self.args[-1]

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return Piecewise((S.Zero, j - i <= self.args[-1] - self.args[0]), (S.NegativeInfinity, True))

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return ()

    @staticmethod
    def numpy(rows: Any, columns: Any = None) -> Any:
        columns = rows if columns is None else columns
        return np.where(np.arange(columns) - np.arange(rows)[:, None] <= columns - rows, 0.0, -np.inf)

    def value(self, numbers: Any, rows: int, columns: int | None = None) -> Any:
        columns = rows if columns is None else columns
        usable = numbers.scalar(S.Zero)
        return [
            [usable if j - i <= columns - rows else S.NegativeInfinity for j in range(columns)] for i in range(rows)
        ]

    properties = (
        Property(
            Words("the last row sees every key", "最後の行はすべてのキーを使える"),
            lambda result, rows, columns=None: bool((result[-1] == 0).all()),
        ),
        Property(
            Words(
                "each row sees one key more than the row before, from the first row that sees one",
                "キーを 1 つ以上使える最初の行から先は、使えるキーが 1 行ごとに 1 つ増える",
            ),
            lambda result, rows, columns=None: bool(
                (np.diff(np.sum(result == 0, axis=-1)[max(rows - (columns or rows), 0) :]) == 1).all()
            ),
        ),
    )


class PaddingMask(Primitive):
    """padding(n, m, l)_ij = 0 where j < l, else −∞, with j counted from 0: the first l keys may be used.

    >>> from symtransformer import evaluate
    >>> evaluate(PaddingMask(2, 3, 1))
    Matrix([
    [0, -oo, -oo],
    [0, -oo, -oo]])
    """

    __slots__ = ()
    parameters = (Parameter("rows", SIZE), Parameter("columns", SIZE), Parameter("length", SIZE))
    title = Words("Padding mask", "パディングマスク")
    explanation = Words(
        "Only the real tokens of a sentence may be used; the places of the tokens that fill it up hold −∞.",
        "文に実際にあるトークンだけを使えます。長さをそろえるための詰め物の位置は −∞ です。",
    )
    gradient_words = Words(
        "The mask is constant, so there is no gradient to take.",
        "マスクは定数なので、求める勾配はありません。",
    )
    source = Words(
        "standard for sentences of unlike lengths; −∞ as in Vaswani et al. 2017, section 3.2.3, there for later positions only",
        "長さの違う文をまとめるときの標準的な方法。−∞ は Vaswani ほか 2017, 3.2.3 節にならう（そこでは後の位置だけ）",
    )
    notation = Call("padding")
    follows = ()

    def find_shape(self) -> Any:
        rows, columns, length = self.args
        if length.is_negative or (columns - length).is_negative:
            raise ShapeError(f"padding mask: {length} real tokens among {columns}")
        return rows, columns

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return Piecewise((S.Zero, j < self.args[2]), (S.NegativeInfinity, True))

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return ()

    @staticmethod
    def numpy(rows: Any, columns: Any, length: Any) -> Any:
        return np.where(np.arange(columns) < length, 0.0, np.full((rows, columns), -np.inf))

    def value(self, numbers: Any, rows: int, columns: int, length: int) -> Any:
        if not 0 <= length <= columns:
            raise ShapeError(f"padding mask: {length} real tokens among {columns}")
        usable = numbers.scalar(S.Zero)
        return [[usable if j < length else S.NegativeInfinity for j in range(columns)] for _ in range(rows)]

    properties = (
        Property(
            Words(
                "every row sees as many keys as there are real tokens",
                "どの行も、実際にあるトークンの数だけキーを使える",
            ),
            lambda result, rows, columns, length: bool((np.sum(result == 0, axis=-1) == length).all()),
        ),
    )
