"""Slips in RMSNorm, which divides rows by the root of the mean of their squares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sympy import S

from symtransformer.checking.slips.normalization import by, deviations, gain_of, plus, squares
from symtransformer.checking.slips.patterns import meaning
from symtransformer.checking.slips.records import Known, Slip
from symtransformer.notation import Words
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.rms_division import RMSDivision
from symtransformer.operations.root_mean_square import RootMeanSquare
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_mean import row_mean
from symtransformer.operations.row_sum import RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.square_root import SquareRoot
from symtransformer.operations.standard_deviation import StandardDeviation
from symtransformer.operations.standardization import Standardization

_RMS = (RMSDivision, RootMeanSquare)


def _gain_left_out(node: Any, known: Known) -> Iterator[Any]:
    found = gain_of(node, known)
    if found and isinstance(meaning(found[0], known), RMSDivision):
        yield found[0]


def _rms_mean_subtracted(node: Any, known: Known) -> Iterator[Any]:
    rows, eps = node.args
    if isinstance(node, RootMeanSquare):
        yield StandardDeviation(rows, eps)
    else:
        yield Standardization(rows, eps)
        yield RowDivision(deviations(rows), RootMeanSquare(rows, eps))


def _mean_square(rows: Any, eps: Any) -> Iterator[Any]:
    mean = row_mean(squares(rows))
    yield from dict.fromkeys((plus(mean, eps), mean))


def _sum_of_squares(rows: Any, eps: Any) -> Iterator[Any]:
    yield from dict.fromkeys(SquareRoot(RowSum(squares(rows)), e) for e in (eps, S.Zero))


def _one_less(rows: Any, eps: Any) -> Iterator[Any]:
    yield SquareRoot(Scaling(RowSum(squares(rows)), S.One, rows.shape[1] - 1), eps)


RMS_NORM = (
    Slip(
        "rms_mean_subtracted",
        Words("The mean was subtracted, which RMSNorm does not do.", "RMSNorm では引かない平均を引いている。"),
        _RMS, _rms_mean_subtracted,
    ),
    Slip(
        "rms_not_divided",
        Words("The rows were not divided by their root mean square.", "二乗平均平方根（RMS）で割っていない。"),
        (RMSDivision,), lambda node, known: node.args[:1],
    ),
    Slip(
        "rms_root_left_out",
        Words(
            "The rows were divided by the mean of the squares, without taking its root.",
            "2 乗の平均で、平方根をとらずに割っている。",
        ),
        _RMS, by(_mean_square),
    ),
    Slip(
        "rms_sum_for_mean",
        Words(
            "The sum of the squares was used instead of their mean.", "2 乗の平均ではなく合計を使っている。"
        ),
        _RMS, by(_sum_of_squares),
    ),
    Slip(
        "rms_one_less",
        Words(
            "The sum of the squares was divided by d − 1 instead of d.", "2 乗の合計を d ではなく d − 1 で割っている。"
        ),
        _RMS, by(_one_less),
    ),
    Slip(
        "gain_left_out",
        Words("The gain γ was left out.", "倍率 γ を掛けていない。"),
        (Hadamard,), _gain_left_out,
    ),
)  # fmt: skip
