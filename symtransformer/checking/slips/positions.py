"""Slips in positions: sines and cosines, and rotations by them. Which columns are pairs in RoPE is a convention."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sympy import Integer, Rational, S, cos, pi, sin, sqrt

from symtransformer.checking.slips.patterns import is_scores
from symtransformer.checking.slips.records import Known, Slip, whole
from symtransformer.notation import Words
from symtransformer.operations.addition import Addition
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.rotary import INTERLEAVED, PairTurn, RotaryAngles, RotaryEmbedding
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.sinusoidal_encoding import SinusoidalEncoding
from symtransformer.operations.trigonometric import Cosine, Sine
from symtransformer.symbols import Literal

Entry = Callable[[Any, int, int, Any], Any]  # of position, column, number of columns and base


def _speed(base: Any, k: int, d: int) -> Any:
    """b^(−2k/d) of pair k."""
    return base ** -Rational(2 * k, d)


def _sine_first(angle: Any, j: int) -> Any:
    return sin(angle) if j % 2 == 0 else cos(angle)


def _swapped(p: Any, j: int, d: int, base: Any) -> Any:
    return _sine_first(p * _speed(base, j // 2, d), j + 1)


def _degrees(p: Any, j: int, d: int, base: Any) -> Any:
    return _sine_first(p * _speed(base, j // 2, d) * pi / 180, j)


def _half_exponent(p: Any, j: int, d: int, base: Any) -> Any:
    """k/d in place of 2k/d, or j/d for the column j."""
    return _sine_first(p * base ** -Rational(j // 2, d), j)


def _own_exponent(p: Any, j: int, d: int, base: Any) -> Any:
    return _sine_first(p * base ** -Rational(2 * j, d), j)


def _all_sines(p: Any, j: int, d: int, base: Any) -> Any:
    return sin(p * _speed(base, j // 2, d))


def _sines_of_columns(p: Any, j: int, d: int, base: Any) -> Any:
    return sin(p * base ** -Rational(j, d))


def _halves(p: Any, j: int, d: int, base: Any) -> Any:
    first = (d + 1) // 2
    return sin(p * _speed(base, j, d)) if j < first else cos(p * _speed(base, j - first, d))


def _odd_exponent(p: Any, j: int, d: int, base: Any) -> Any:
    return _sine_first(p * base ** -Rational(j, d), j)


def _table(*entries: Entry) -> Any:
    """Another formula for every entry; those of angles alone stand for RoPE too."""

    def alter(node: Any, known: Known) -> Iterator[Any]:
        rows, columns, start, base = node.args
        count, d = whole(rows), whole(columns)
        for entry in entries:
            yield Literal([[entry(start + i, j, d, base) for j in range(d)] for i in range(count)])

    return alter


def _angles(change: Callable[[Any, int, int, Any], Any]) -> Any:
    """Another angle of position p in pair k."""

    def alter(node: Any, known: Known) -> Iterator[Any]:
        rows, columns, start, base = node.args[:4]
        d = whole(columns)
        pairs = [j // 2 if node.argument("pairing") == INTERLEAVED else j % (d // 2) for j in range(d)]
        yield Literal([[change(start + i, k, d, base) for k in pairs] for i in range(whole(rows))])

    return alter


def _either(table: Any, angles: Any, function: Any) -> Any:
    """For a table of positions, the angles of RoPE, and sin or cos of numbers."""

    def alter(node: Any, known: Known) -> Any:
        if isinstance(node, (Sine, Cosine)):
            return [function(node)]
        return (table if isinstance(node, SinusoidalEncoding) else angles)(node, known)

    return alter


def _shifted(node: Any, known: Known) -> Iterator[Any]:
    rows, columns, start, *rest = node.args
    for step in (1, -1):
        if (start + step).is_negative is not True:
            yield type(node)(rows, columns, start + step, *rest)


def _other_base(node: Any, known: Known) -> Iterator[Any]:
    rows, columns, start, base, *rest = node.args
    for other in (1000, 100, 100_000):
        if base != other:
            yield type(node)(rows, columns, start, S(other), *rest)


def _unscaled(node: Any, known: Known) -> Iterator[Any]:
    """E·√d_model without the root."""
    if node.args[1] == sqrt(node.shape[1]) and node.args[2] == 1 and not is_scores(node.args[0], known):
        yield node.args[0]


def _backwards(node: Any, known: Known) -> Iterator[Any]:
    rows, start, base, pairing = node.args
    angles = RotaryAngles(*rows.shape, start, base, pairing)
    turned = Hadamard(PairTurn(rows, pairing), Sine(angles))
    yield Addition(Hadamard(rows, Cosine(angles)), -turned)


_BOTH = (SinusoidalEncoding, RotaryAngles)
POSITIONS = (
    Slip(
        "sine_and_cosine_swapped",
        Words("Sine and cosine were swapped.", "正弦と余弦を取り違えている。"),
        (SinusoidalEncoding, Sine, Cosine), _either(
            _table(_swapped), None, lambda node: (Cosine if isinstance(node, Sine) else Sine)(node.args[0])
        ),
    ),
    Slip(
        "degrees",
        Words("The angles were taken in degrees instead of radians.", "角度を、ラジアンではなく度として計算している。"),
        (*_BOTH, Sine, Cosine), _either(
            _table(_degrees),
            _angles(lambda p, k, d, base: p * _speed(base, k, d) * pi / 180),
            lambda node: type(node)(Scaling(node.args[0], pi, Integer(180))),
        ),
    ),
    Slip(
        "positions_shifted",
        Words(
            "The positions were counted from 1 instead of 0, or the reverse.",
            "位置を 0 からではなく 1 から数えている（またはその逆）。",
        ),
        _BOTH, _shifted,
    ),
    Slip(
        "exponent_without_two",
        Words(
            "The exponent i/d was used instead of 2i/d.", "指数として 2i/d ではなく i/d を使っている。"
        ),
        _BOTH, _either(
            _table(_half_exponent, _own_exponent), _angles(lambda p, k, d, base: p * base ** -Rational(k, d)), None
        ),
    ),
    Slip(
        "other_base",
        Words(
            "Another base was used, such as 1000 instead of 10000.", "底が違う（10000 ではなく 1000 など）。"
        ),
        _BOTH, _other_base,
    ),
    Slip(
        "all_sines",
        Words("Sines were used in every column.", "すべての列で正弦を使っている。"),
        (SinusoidalEncoding,), _table(_all_sines, _sines_of_columns),
    ),
    Slip(
        "sines_then_cosines",
        Words(
            "All sines were put first and all cosines after them, instead of side by side in pairs.",
            "正弦と余弦を組にして並べず、前半に正弦、後半に余弦を並べている。",
        ),
        (SinusoidalEncoding,), _table(_halves),
    ),
    Slip(
        "odd_exponent",
        Words(
            "The cosine has an exponent of its own instead of that of the sine beside it.",
            "余弦の指数に、隣の正弦と同じものではなく、自分の列番号を使っている。",
        ),
        (SinusoidalEncoding,), _table(_odd_exponent),
    ),
    Slip(
        "embedding_not_scaled",
        Words(
            "The embeddings were not multiplied by √d_model before adding positions.",
            "位置を足す前に、埋め込みに √d_model を掛けていない。",
        ),
        (Scaling,), _unscaled,
    ),
    Slip(
        "turned_backwards",
        Words(
            "The rows were turned in the opposite direction.", "回転の向きが逆である。"
        ),
        (RotaryEmbedding,), _backwards,
    ),
)  # fmt: skip
