"""Slips in layer normalization and RMSNorm. The sample variance and ε outside the root are conventions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from sympy import Rational, S, sqrt

from symtransformer.checking.slips.patterns import absolute, base_name, is_repeated_row, meaning
from symtransformer.checking.slips.records import Known, Slip, ball_rows, matching, put_in
from symtransformer.node import postorder
from symtransformer.notation import Words
from symtransformer.operations.addition import Addition
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.ones import Ones
from symtransformer.operations.rms_division import RMSDivision
from symtransformer.operations.root_mean_square import RootMeanSquare
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_mean import repeated_mean, row_mean
from symtransformer.operations.row_sum import Broadcast, RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.square_root import SquareRoot
from symtransformer.operations.standard_deviation import StandardDeviation
from symtransformer.operations.standardization import Standardization
from symtransformer.operations.transpose import Transpose
from symtransformer.symbols import Literal

_NORMS = (Standardization, StandardDeviation)


def deviations(rows: Any) -> Any:
    return Addition(rows, -repeated_mean(rows))


def squares(rows: Any) -> Any:
    return Hadamard(rows, rows)


def plus(column: Any, number: Any) -> Any:
    """A number added to each entry of a column."""
    return column if number == 0 else Addition(column, Scaling(Ones(*column.shape), number, S.One))


def by(denominator: Callable[[Any, Any], Iterator[Any]]) -> Any:
    """Another denominator below the deviations, or the entries; alone where only the root is asked for."""

    def alter(node: Any, known: Known) -> Iterator[Any]:
        rows, eps = node.args
        for column in denominator(rows, eps):
            if isinstance(node, (StandardDeviation, RootMeanSquare)):
                yield column
            else:
                yield RowDivision(deviations(rows) if isinstance(node, Standardization) else rows, column)

    return alter


def _variance(rows: Any, eps: Any) -> Iterator[Any]:
    variance = row_mean(squares(deviations(rows)))
    yield from dict.fromkeys((plus(variance, eps), variance))


def _norm(rows: Any, eps: Any) -> Iterator[Any]:
    for of in (deviations(rows), rows):
        yield from dict.fromkeys(SquareRoot(RowSum(squares(of)), e) for e in (eps, S.Zero))


def _absolute(rows: Any, eps: Any) -> Iterator[Any]:
    mean = row_mean(absolute(deviations(rows)))
    yield from dict.fromkeys((plus(mean, eps), mean))


def _without_eps(rows: Any, eps: Any) -> Iterator[Any]:
    yield StandardDeviation(rows, S.Zero)


def _root_eps(rows: Any, eps: Any) -> Iterator[Any]:
    yield plus(StandardDeviation(rows, S.Zero), sqrt(eps))


def _mean_kept(node: Any, known: Known) -> Iterator[Any]:
    rows, eps = node.args
    if isinstance(node, StandardDeviation):
        yield RootMeanSquare(rows, eps)
    else:
        yield RowDivision(rows, StandardDeviation(rows, eps))
        yield RMSDivision(rows, eps)


def _over_tokens(node: Any, known: Known) -> Iterator[Any]:
    rows, eps = node.args
    yield Transpose(type(node)(Transpose(rows), eps))


def _around_median(node: Any, known: Known) -> Iterator[Any]:
    rows, eps = node.args
    middle = Literal([_middle(row) for row in ball_rows(put_in(rows, known))])
    apart = Addition(rows, -Broadcast(RowSum(Hadamard(middle, rows)), rows.shape[1]))
    about = SquareRoot(row_mean(squares(apart)), eps)
    if isinstance(node, StandardDeviation):
        yield about
    else:
        yield RowDivision(apart, StandardDeviation(rows, eps))
        yield RowDivision(apart, about)


def _middle(row: list[Any]) -> list[Any]:
    """1 at the middle entry of a row, 1/2 at both where their number is even."""
    order: Any = functools.cmp_to_key(lambda i, j: 1 if row[i] > row[j] else -1)
    places = sorted(range(len(row)), key=order)
    half = len(row) // 2
    chosen = places[half : half + 1] if len(row) % 2 else places[half - 1 : half + 1]
    return [Rational(int(k in chosen), len(chosen)) for k in range(len(row))]


# -- gamma and beta -------------------------------------------------------------------------------------------------
def gain_of(node: Any, known: Known) -> tuple[Any, Any] | None:
    """Normalized rows and γ in each row, of their product."""
    for rows, gain in (node.args, node.args[::-1]):
        is_norm = isinstance(meaning(rows, known), (Standardization, RMSDivision, RowDivision))
        named = any(base_name(part) in ("gamma", "g") for part in postorder(gain) if not part._children)
        if (is_norm or named) and is_repeated_row(gain):
            return rows, gain
    return None


def _with_shift(node: Any, known: Known) -> tuple[Any, Any, Any] | None:
    """Normalized rows, γ and β in each row."""
    for scaled, shift in (node.args, node.args[::-1]) if len(node.args) == 2 else ():
        found = gain_of(scaled, known) if isinstance(scaled, Hadamard) else None
        if found:
            return (*found, shift)
    return None


_gain_and_shift = matching(_with_shift)


def _gain_added(node: Any, known: Known) -> Iterator[Any]:
    found = gain_of(node, known)
    if found:
        rows, gain = found
        yield Addition(rows, gain)
        if isinstance(rows, (Standardization, RMSDivision)):
            yield type(rows)(Hadamard(rows.args[0], gain), rows.args[1])


LAYER_NORM = (
    Slip(
        "variance_for_root",
        Words(
            "The rows were divided by the variance instead of its root.",
            "標準偏差ではなく分散で割っている（平方根をとり忘れている）。",
        ),
        _NORMS, by(_variance),
    ),
    Slip(
        "norm_for_root",
        Words(
            "The rows were divided by their length, the root of the sum of squares, instead of the standard deviation.",
            "標準偏差ではなく、2 乗の和の平方根（ノルム）で割っている。",
        ),
        _NORMS, by(_norm),
    ),
    Slip(
        "deviation_not_divided",
        Words("The rows were not divided by their standard deviation.", "標準偏差で割っていない。"),
        (Standardization,), lambda node, known: [deviations(node.args[0])],
    ),
    Slip(
        "mean_absolute_deviation",
        Words(
            "The mean absolute deviation was used instead of the standard deviation.",
            "標準偏差ではなく平均絶対偏差を使っている。",
        ),
        _NORMS, by(_absolute),
    ),
    Slip(
        "mean_not_subtracted",
        Words("The mean was not subtracted.", "平均を引いていない。"),
        _NORMS, _mean_kept,
    ),
    Slip(
        "eps_left_out",
        Words("ε was left out.", "ε を足していない。"),
        _NORMS, by(_without_eps),
    ),
    Slip(
        "root_eps_added",
        Words(
            "√ε was added to the standard deviation instead of ε to the variance.",
            "分散に ε を足さず、標準偏差に √ε を足している。",
        ),
        _NORMS, by(_root_eps),
    ),
    Slip(
        "normalized_over_tokens",
        Words(
            "Each column was normalized over the tokens instead of each row over its components.",
            "各行を成分について正規化せず、各列をトークンについて正規化している。",
        ),
        (Standardization,), _over_tokens,
    ),
    Slip(
        "median_for_mean",
        Words("The median was used instead of the mean.", "平均ではなく中央値を使っている。"),
        _NORMS, _around_median,
    ),
    Slip(
        "gain_and_shift_swapped",
        Words("γ and β were swapped.", "γ と β を取り違えている。"),
        (Addition,), _gain_and_shift(lambda rows, gain, shift: Addition(Hadamard(rows, shift), gain)),
    ),
    Slip(
        "gain_or_shift_left_out",
        Words("γ or β was left out.", "γ または β を使っていない。"),
        (Addition,), _gain_and_shift(
            lambda rows, gain, shift: Addition(rows, shift),
            lambda rows, gain, shift: Hadamard(rows, gain),
            lambda rows, gain, shift: rows,
        ),
    ),
    Slip(
        "shift_before_gain",
        Words(
            "β was added before multiplying by γ instead of after it.", "β を、γ を掛けた後ではなく、掛ける前に足している。"
        ),
        (Addition,), _gain_and_shift(lambda rows, gain, shift: Hadamard(Addition(rows, shift), gain)),
    ),
    Slip(
        "gain_misplaced",
        Words(
            "γ was used in the wrong place: added, or multiplied before normalizing.",
            "γ を使う場所が違う（足している、または正規化の前に掛けている）。",
        ),
        (Hadamard,), _gain_added,
    ),
)  # fmt: skip
