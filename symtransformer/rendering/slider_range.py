"""Where a slider may stand: decimals between the least and the greatest value of a table, and one in the middle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sympy import Integer, Rational, ceiling, floor

LEAST_STEPS = 50


@dataclass(frozen=True)
class SliderRange:
    """low, low + step, ..., high; it starts at `start`. All of them are decimals."""

    low: Rational
    high: Rational
    step: Rational
    start: Rational


def slider_range(values: Sequence[Any]) -> SliderRange | None:
    """The range of these values; None where they are not rational, or all the same.

    >>> slider_range([Rational(1, 3), 1, 4])
    SliderRange(low=17/50, high=4, step=1/100, start=1)
    """
    if not all(value.is_Rational for value in map(_exact, values)) or len(set(values)) < 2:
        return None
    first, last = min(map(_exact, values)), max(map(_exact, values))
    step: Any = Integer(1)
    while step * LEAST_STEPS > last - first:
        step /= 10
    while step * 10 * LEAST_STEPS <= last - first:
        step *= 10
    low, high = ceiling(first / step) * step, floor(last / step) * step
    middle = min(map(_exact, values), key=lambda value: (abs(2 * value - low - high), value))
    start = min(max(low + floor((middle - low) / step + Rational(1, 2)) * step, low), high)
    return SliderRange(low, high, step, start)


def _exact(value: Any) -> Any:
    return Integer(value) if isinstance(value, int) else value
