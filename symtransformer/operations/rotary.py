"""Rotary positions: the angles, the quarter turn of each pair of columns, and the rotation made of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Eq, Expr, Mod, Piecewise, Pow, Rational, S, floor

from symtransformer.arguments import CHOICE, SCALAR, SIZE, Parameter
from symtransformer.errors import ShapeError, UnreadableInput
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Primitive, Property, Stages, entry_of
from symtransformer.operations.addition import Addition
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.infinity import all_finite
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.trigonometric import Cosine, Sine

INTERLEAVED, HALVES = "interleaved", "halves"
_PAIRING = Parameter("pairing", CHOICE, default=INTERLEAVED, choices=(INTERLEAVED, HALVES))
_START = Parameter("start", SCALAR, default=S.Zero)
_BASE = Parameter("base", SCALAR, default=S(10_000))


class RotaryAngles(Primitive):
    """angles_ij = (start + i) b^{-2k/d}, with k the pair that column j belongs to; i, j and k count from 0.

    With "interleaved" pairs the columns 2k and 2k + 1 belong together, with "halves" the columns
    k and k + d/2. The number of columns d is even, or a `ShapeError` is raised.

    >>> from symtransformer import evaluate, parameter
    >>> evaluate(RotaryAngles(1, 4, start=parameter("p")))
    Matrix([[p, p, p/100, p/100]])
    >>> evaluate(RotaryAngles(1, 4, start=parameter("p"), pairing="halves"))
    Matrix([[p, p/100, p, p/100]])
    """

    __slots__ = ()
    parameters = (Parameter("rows", SIZE), Parameter("columns", SIZE), _START, _BASE, _PAIRING)
    title = Words("Rotary angles", "回転の角度（RoPE）")
    explanation = Words(
        "The angle of a pair of columns grows with the position; the further right the pair, the slower.",
        "列の組ごとの角度は、位置に比例して大きくなります。後ろの組ほど、ゆっくり大きくなります。",
    )
    gradient_words = Words(
        "The angles are constant, so there is no gradient to take.",
        "角度は定数なので、求める勾配はありません。",
    )
    source = Words(
        "Su et al. 2021, section 3.2.2, eq. (15): m θ_i, m our start + i, θ_i = 10000^{-2(i-1)/d}, i there our k + 1",
        "Su ほか 2021, 3.2.2 節, 式 (15)：m θ_i。そこでの m がここでの start + i、θ_i = 10000^{-2(i-1)/d}、そこでの i がここでの k + 1",
    )
    notation = Call("angles")
    follows = ()

    @classmethod
    def shortcut(cls, *arguments: Any) -> Any:
        if arguments[3].is_nonpositive:
            raise UnreadableInput(f"{cls.__name__}: base must be positive, got {arguments[3]}")
        return None

    def find_shape(self) -> Any:
        _require_pairs(self.args[1].is_odd, self.args[1])
        return self.args[:2]

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        _, columns, start, base, _ = self.args
        pair = floor(j / 2) if self.argument("pairing") == INTERLEAVED else Mod(j, columns / 2)
        return (start + i) * Pow(base, -2 * pair / columns)  # type: ignore[no-any-return]

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return ()

    @staticmethod
    def numpy(rows: Any, columns: Any, start: Any, base: Any, pairing: str) -> Any:
        _require_pairs(columns % 2 == 1, columns)
        column = np.arange(columns)
        pairs = column // 2 if pairing == INTERLEAVED else column % (columns // 2)
        return (start + np.arange(rows)[:, None]) * np.asarray(base, float) ** (-2 * pairs / columns)

    def value(self, numbers: Any, rows: int, columns: int, start: Any, base: Any, pairing: str) -> Any:
        _require_pairs(columns % 2 == 1, columns)
        pairs = [j // 2 if pairing == INTERLEAVED else j % (columns // 2) for j in range(columns)]
        speeds = [numbers.power(base, -Rational(2 * k, columns)) for k in pairs]
        return [[(start + numbers.scalar(S(i))) * speed for speed in speeds] for i in range(rows)]

    properties = (
        Property(
            Words("both columns of a pair have the same angle", "同じ組の 2 つの列の角度は等しい"),
            lambda result, rows, columns, start, base, pairing: np.array_equal(*_pair(result, pairing)),
        ),
    )


class PairTurn(Primitive):
    """turn(A): in every pair of columns (a, b) becomes (-b, a), a quarter turn; its adjoint is -turn.

    Pairs as in `RotaryAngles`: "interleaved" columns 2k and 2k + 1, or "halves" k and k + d/2.

    >>> from symtransformer import evaluate, matrix
    >>> A = matrix("A", 1, 4)
    >>> evaluate(PairTurn(A), {A: [[1, 2, 3, 4]]})
    Matrix([[-2, 1, -4, 3]])
    >>> evaluate(PairTurn(A, "halves"), {A: [[1, 2, 3, 4]]})
    Matrix([[-3, -4, 1, 2]])
    """

    __slots__ = ()
    parameters = (Parameter("argument"), _PAIRING)
    title = Words("Quarter turn of each pair of columns", "列の組ごとの 90 度回転")
    explanation = Words(
        "In every pair of columns the two entries change places: the new first is minus the old second, and the new "
        "second is the old first.",
        "列の組ごとに 2 つの成分を入れ替えます。新しい 1 つ目は元の 2 つ目の符号を反転した値で、新しい 2 つ目は元の 1 つ目です。",
    )
    gradient_words = Words(
        "Every pair of columns of the cotangent is turned back, by a quarter turn the other way.",
        "上流の勾配を、列の組ごとに、逆向きに 90 度回転させます。",
    )
    source = Words(
        "Su et al. 2021, section 3.4.2, eq. (34), where pairs are interleaved, as in Meta's Llama code; in halves as in GPT-NeoX and in Hugging Face's Llama code",
        "Su ほか 2021, 3.4.2 節, 式 (34)。そこと Meta の Llama のコードでは隣どうしを組にし、GPT-NeoX と Hugging Face の Llama のコードでは前半と後半を組にする",
    )
    notation = Call("turn")
    follows = (("row", 0, "row"),)

    def find_shape(self) -> Any:
        _require_pairs(self.args[0].shape[1].is_odd, self.args[0].shape[1])
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        argument, half = self.args[0], self.args[0].shape[1] / 2
        if self.argument("pairing") == INTERLEAVED:
            first, step = Eq(Mod(j, 2), 0), S.One
        else:
            first, step = j < half, half
        if first == S.true:
            return -entry_of(argument, i, j + step)
        if first == S.false:
            return entry_of(argument, i, j - step)
        return Piecewise((-entry_of(argument, i, j + step), first), (entry_of(argument, i, j - step), True))

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (Scaling(PairTurn(cotangent, self.args[1]), S.NegativeOne, S.One),)

    @staticmethod
    def numpy(argument: Any, pairing: str) -> Any:
        columns = all_finite("PairTurn", argument).shape[-1]
        _require_pairs(columns % 2 == 1, columns)
        first, second = _pair(argument, pairing)
        if pairing == HALVES:
            return np.concatenate([-second, first], axis=-1)
        return np.stack([-second, first], axis=-1).reshape(argument.shape)

    def value(self, numbers: Any, argument: Any, pairing: str) -> Any:
        columns = len(argument[0])
        _require_pairs(columns % 2 == 1, columns)
        half = columns // 2
        if pairing == INTERLEAVED:
            return [[row[j - 1] if j % 2 else -row[j + 1] for j in range(columns)] for row in argument]
        return [[-x for x in row[half:]] + row[:half] for row in argument]

    properties = (
        Property(
            Words("two quarter turns change every sign", "2 回行うと、すべての符号が反転する"),
            lambda result, argument, pairing: np.array_equal(PairTurn.numpy(result, pairing), -argument),
        ),
    )


class RotaryEmbedding(Composite):
    """rotate(A) = A ⊙ cos(Φ) + turn(A) ⊙ sin(Φ), with Φ = angles: row i is turned by its position start + i.

    >>> from symtransformer import evaluate, matrix, parameter
    >>> A = matrix("A", 1, 2)
    >>> evaluate(RotaryEmbedding(A, start=parameter("p")), {A: [[1, 0]]})
    Matrix([[cos(p), sin(p)]])
    """

    __slots__ = ()
    parameters = (Parameter("argument"), _START, _BASE, _PAIRING)
    title = Words("Rotary position embedding", "回転位置埋め込み（RoPE）")
    explanation = Words(
        "Every pair of columns is turned by an angle that grows with the position of the row; lengths stay.",
        "列の組ごとに、行の位置に比例した角度だけ回転します。長さは変わりません。",
    )
    source = Words(
        "Su et al. 2021, section 3.4.2, eq. (34), where pairs are interleaved, as in Meta's Llama code; in halves as in GPT-NeoX and in Hugging Face's Llama code",
        "Su ほか 2021, 3.4.2 節, 式 (34)。そこと Meta の Llama のコードでは隣どうしを組にし、GPT-NeoX と Hugging Face の Llama のコードでは前半と後半を組にする",
    )
    notation = Call("rotate")
    letter = "R"

    def definition(self) -> Stages:
        argument, start, base, pairing = self.args
        angles = RotaryAngles(*argument.shape, start, base, pairing)  # type: ignore[attr-defined]
        turned = PairTurn(argument, pairing)
        parts = (("Phi", angles), ("C", Cosine(angles)), ("D", Sine(angles)), ("T", turned))
        whole = Addition(Hadamard(argument, Cosine(angles)), Hadamard(turned, Sine(angles)))
        return Stages(parts, whole, {name: (type(part).title, type(part).explanation) for name, part in parts})


def _require_pairs(odd: Any, columns: Any) -> None:
    if odd:
        raise ShapeError(f"rotary positions: columns come in pairs, but there are {columns}")


def _pair(array: Any, pairing: str) -> tuple[Any, Any]:
    """The first and the second column of every pair."""
    half = array.shape[-1] // 2
    return (array[..., 0::2], array[..., 1::2]) if pairing == INTERLEAVED else (array[..., :half], array[..., half:])
