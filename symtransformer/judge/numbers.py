"""The numbers of a step, reached step by step, against those computed from its inputs alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import flint
from sympy import Basic, Expr

from symtransformer.derivation import Step
from symtransformer.enclosures import Balls, precision
from symtransformer.errors import LimitExceeded
from symtransformer.evaluation import Evaluation
from symtransformer.judge.trials import BITS, CHECKED_DIGITS, apart_at_most, shown_apart
from symtransformer.judge.verdicts import REFUTED, TESTED, UNDECIDABLE, Verdict, refuted
from symtransformer.zero import is_exactly_zero


def judge_values(step: Step, evaluation: Evaluation) -> Verdict:
    """Each exact entry, reached step by step, against balls computed from the inputs alone."""
    if step.letter.head is not None and step.letter.head.is_Symbol:  # of any head, which may count rows or columns
        return Verdict(UNDECIDABLE, "a letter has no value")
    try:
        value = evaluation[step.name]
    except LimitExceeded:  # too long to be written out exactly
        return _judge_balls(step, evaluation)
    cells = evaluation.cells(step.name)
    if (value.rows, value.cols) != cells.shape:
        return refuted(
            f"the value has the size {value.shape}, but {step.letter} has {cells.shape}",
            f"値の大きさは {value.shape} だが、{step.letter} の大きさは {cells.shape}",
        )
    if value.free_symbols:
        return Verdict(UNDECIDABLE, "a letter has no value")
    verdicts = [
        _judge_number(f"entry ({i + 1}, {j + 1}) of {step.letter}", value[i, j], cells.ball_at(i, j))
        for i in range(value.rows)
        for j in range(value.cols)
    ]
    return max(verdicts, key=lambda v: (TESTED, UNDECIDABLE, REFUTED).index(v.kind))


def _judge_balls(step: Step, evaluation: Evaluation) -> Verdict:
    """Each entry as a ball, reached step by step, against the ball computed from the inputs alone."""
    for bits in BITS:
        by_steps = evaluation.balls_by_steps(step.name, bits)
        with precision(bits):
            worst = flint.arb(0)
            for i, row in enumerate(by_steps):
                for j, given in enumerate(row):
                    direct = evaluation.cells(step.name).ball_at(i, j)(bits)
                    apart = apart_at_most(direct, given)
                    if apart is None:
                        shown = shown_apart(given, direct)
                        what = f"entry ({i + 1}, {j + 1}) of {step.letter}"
                        return refuted(
                            f"{what} is given as {shown[0]}, but is {shown[1]}",
                            f"{what}: {shown[0]} とあるが、正しくは {shown[1]}",
                        )
                    worst = max(worst, apart)
            if worst < flint.arb(10) ** -CHECKED_DIGITS:
                return Verdict(TESTED, f"numbers agree to {CHECKED_DIGITS} decimals")
    return Verdict(UNDECIDABLE, f"the numbers are not decided with {BITS[-1]} bits")


def _judge_number(what: str, number: Expr, ball_at: Callable[[int], Any]) -> Verdict:
    """Whether the number lies within 1e-30 of its own size from the one computed directly."""
    for bits in BITS:
        with precision(bits):
            direct, given = ball_at(bits), Balls().scalar(number)
            apart = apart_at_most(direct, given)
            if apart is None:
                shown = shown_apart(given, direct)
                return refuted(
                    f"{what} is given as {shown[0]}, but is {shown[1]}",
                    f"{what}: {shown[0]} とあるが、正しくは {shown[1]}",
                )
            if isinstance(given, Basic):
                return Verdict(TESTED, f"numbers agree to {CHECKED_DIGITS} digits")
            size = abs(given).lower()
            if not size > 0:
                size = flint.arb(1 if is_exactly_zero(number) else 0)
            if apart <= size * flint.arb(10) ** -CHECKED_DIGITS:
                return Verdict(TESTED, f"numbers agree to {CHECKED_DIGITS} digits")
    return Verdict(UNDECIDABLE, f"{what} is not decided with {BITS[-1]} bits")


def with_numbers(verdict: Verdict, numbers: list[Verdict]) -> Verdict:
    """The verdict on the equation together with those on its numbers, one for each set of values."""
    for found in numbers:
        if found.kind == REFUTED:
            return found
    checked = [found for found in numbers if found.kind == TESTED]
    if not checked:
        return verdict
    everywhere = len(checked) == len(numbers)
    places = f"小数第 {CHECKED_DIGITS} 位まで" if "decimals" in checked[0].reason else f"{CHECKED_DIGITS} 桁まで"
    left, left_ja = ("", "") if everywhere else (" where every letter has a value", "すべての文字に値がある範囲で、")
    return replace(
        verdict,
        reason=f"{verdict.reason}; {checked[0].reason}{left}",
        reason_ja=f"{verdict.reason_ja}。{left_ja}数値は {places}一致" if verdict.reason_ja else "",
    )
