"""Slips in softmax, in the masks before it, and in a temperature."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import flint
from sympy import S, log

from symtransformer.checking.slips.patterns import (
    is_scores,
    largest,
    masked,
    ones,
    row_total,
    table_total,
    times,
    without_factor,
    zeros,
)
from symtransformer.checking.slips.records import Known, Slip, ball_rows, put_in, tried
from symtransformer.notation import Words
from symtransformer.operations.addition import Addition
from symtransformer.operations.entry_division import EntryDivision
from symtransformer.operations.exponential import Exponential
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.hardmax import Hardmax
from symtransformer.operations.mask import Mask
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_sum import RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.temperature import TemperatureSoftmax
from symtransformer.operations.transpose import Transpose
from symtransformer.symbols import Literal


def _of_scores(make: Any) -> Any:
    """The mask, where there is one, is added as before."""

    def alter(node: Any, known: Known) -> Iterator[Any]:
        added = masked(node.args[0], known)
        scores = node.args[0] if added is None else added[0]
        new = make(scores)
        yield Softmax(new if added is None else Mask(new, added[1]))

    return alter


def _by_formula(make: Any) -> Any:
    return lambda node, known: tried((make,), node.args[0])


def _largest_alone(node: Any, known: Known) -> Iterator[Any]:
    """1 at the largest score; of two that are equal at both a half, or at the first 1."""
    yield from _by_formula(Hardmax)(node, known)
    yield from _largest_first(node, known)


def _maximum_above(node: Any, known: Known) -> Iterator[Any]:
    yield from _by_formula(lambda scores: RowDivision(Softmax(scores), largest(Exponential(scores), scores)))(
        node, known
    )
    for chosen in _largest_first(node, known):  # of two that are equal
        yield RowDivision(node, RowSum(Hadamard(chosen, Exponential(node.args[0]))))


def _largest_first(node: Any, known: Known) -> Iterator[Any]:
    """1 at the largest score of each row."""
    rows = ball_rows(put_in(node.args[0], known))
    if all(isinstance(x, flint.arb) for row in rows for x in row):
        yield Literal([_first_of_the_largest(row) for row in rows])


def _first_of_the_largest(row: list[Any]) -> list[Any]:
    best = 0
    for k, x in enumerate(row):
        best = k if x > row[best] else best
    return [S(int(k == best)) for k in range(len(row))]


def _without_self(scores: Any) -> Any:
    powers = Exponential(scores)
    return EntryDivision(powers, Addition(row_total(powers), -powers))


def _uniform(node: Any, known: Known) -> Iterator[Any]:
    yield Scaling(ones(node), S.One, node.shape[1])
    added = masked(node.args[0], known)
    if added is not None:
        yield Softmax(Mask(zeros(node), added[1]))


SOFTMAX = (
    Slip(
        "softmax_over_columns",
        Words("Softmax was taken over the columns instead of the rows.", "Softmax を行ごとではなく列ごとに計算している。"),
        (Softmax,), _by_formula(lambda scores: Transpose(Softmax(Transpose(scores)))),
    ),
    Slip(
        "softmax_over_table",
        Words(
            "The exponentials were divided by the sum over the whole table instead of the sum of their row.",
            "指数関数の値を、行の合計ではなく表全体の合計で割っている。",
        ),
        (Softmax,), _by_formula(lambda scores: EntryDivision(Exponential(scores), table_total(Exponential(scores)))),
    ),
    Slip(
        "softmax_left_out",
        Words("Softmax was left out: the scores were used as they are.", "Softmax を省き、点数をそのまま使っている。"),
        (Softmax,), _by_formula(lambda scores: scores),
    ),
    Slip(
        "scores_over_their_sum",
        Words(
            "The scores were divided by their sum, without taking exponentials.",
            "指数関数を使わずに、点数をその合計で割っている。",
        ),
        (Softmax,), _by_formula(lambda scores: RowDivision(scores, RowSum(scores))),
    ),
    Slip(
        "exponentials_not_divided",
        Words(
            "The exponentials were not divided by the sum of their row.", "指数関数の値を、行の合計で割っていない。"
        ),
        (Softmax,), _by_formula(Exponential),
    ),
    Slip(
        "softmax_base_2",
        Words("Powers of 2 were used in softmax instead of powers of e.", "Softmax で e ではなく 2 の累乗を使っている。"),
        (Softmax,), _of_scores(lambda scores: times(scores, log(2))),
    ),
    Slip(
        "softmax_base_10",
        Words("Powers of 10 were used in softmax instead of powers of e.", "Softmax で e ではなく 10 の累乗を使っている。"),
        (Softmax,), _of_scores(lambda scores: times(scores, log(10))),
    ),
    Slip(
        "softmax_of_minus",
        Words("Softmax was taken of the scores with the other sign.", "符号を逆にした点数の Softmax を計算している。"),
        (Softmax,), _of_scores(lambda scores: -scores),
    ),
    Slip(
        "maximum_above_only",
        Words(
            "The largest score was subtracted above the line but not in the sum below it.",
            "最大の点数を分子では引いているが、分母の合計では引いていない。",
        ),
        (Softmax,), _maximum_above,
    ),
    Slip(
        "denominator_without_self",
        Words(
            "The sum below the line leaves out the exponential that stands above it.",
            "分母の合計に、分子の指数関数の値を入れ忘れている。",
        ),
        (Softmax,), _by_formula(_without_self),
    ),
    Slip(
        "argmax",
        Words(
            "The largest score was given all the weight, as by argmax.",
            "argmax のように、最大の点数だけに重み 1 を与えている。",
        ),
        (Softmax,), _largest_alone,
    ),
    Slip(
        "uniform_weights",
        Words("Every score was given the same weight.", "どの点数にも同じ重みを与えている。"),
        (Softmax,), _uniform,
    ),
)  # fmt: skip


# -- a temperature ------------------------------------------------------------------------------------------------
def _temperature(node: Any, known: Known) -> Any:
    """The logits, and the number that they are multiplied by."""
    if isinstance(node, TemperatureSoftmax):
        return node.args[0], S.One / node.args[1]
    argument, factor = without_factor(node.args[0])
    return None if factor == 1 or is_scores(argument, known) else (argument, factor)


def _heated(node: Any, known: Known) -> Iterator[Any]:
    found = _temperature(node, known)
    if found:
        yield Softmax(times(found[0], S.One / found[1]))


def _temperature_ignored(node: Any, known: Known) -> Iterator[Any]:
    found = _temperature(node, known)
    if found:
        yield Softmax(found[0])


TEMPERATURE = (
    Slip(
        "temperature_multiplied",
        Words(
            "The logits were multiplied by the temperature instead of divided by it.",
            "ロジットを温度で割らずに、掛けている。",
        ),
        (TemperatureSoftmax, Softmax), _heated,
    ),
    Slip(
        "temperature_ignored",
        Words("The temperature was left out.", "温度を使っていない。"),
        (TemperatureSoftmax, Softmax), _temperature_ignored,
    ),
)  # fmt: skip
