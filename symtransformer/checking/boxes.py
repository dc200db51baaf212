"""Balls around all that a name may be if each digit shown for it is a rounding."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import Any

import flint
from sympy import Abs, Basic, Expr, Integer, Rational, S, sqrt

from symtransformer.checking.definitions import Definition
from symtransformer.enclosures import Balls, ball, precision
from symtransformer.errors import NotSupported
from symtransformer.evaluation import cells_of
from symtransformer.node import Node
from symtransformer.reading.claimed_numbers import DECIMAL, EXACT, INFINITE, ClaimedNumber


def value_of(claim: ClaimedNumber) -> Any:
    """The number that is written, exactly."""
    if claim.kind == INFINITE:
        return S.NegativeInfinity if claim.is_negative else S.Infinity
    if claim.kind not in (DECIMAL, EXACT):
        return S.NaN
    exact = Rational(claim.value.numerator, claim.value.denominator)
    return exact if claim.radicand == 1 else exact * sqrt(Integer(claim.radicand))


class Boxed(Balls):
    """Balls, with what names of numbers may be inside of a matrix."""

    def __init__(self, boxes: Mapping[Any, Definition]) -> None:
        self.boxes = {symbol: box(definition)[0][0] for symbol, definition in boxes.items()}

    def scalar(self, value: Basic) -> Any:
        return _evaluated(value, self.boxes) if value.free_symbols else super().scalar(value)


def is_rounded(definition: Definition) -> bool:
    claim = definition.shown[0][0] if definition.shown is not None else None
    return claim is not None and claim.kind == DECIMAL and claim.place is not None and claim.place < 1


def number_ball(value: Expr, boxes: Mapping[Any, Definition], bits: int) -> Any:
    """A ball around a number made of names, each of which may be whatever its digits are a rounding of."""
    with precision(bits):
        return _evaluated(value, {symbol: box(definition)[0][0] for symbol, definition in boxes.items()})


def _evaluated(value: Any, balls: Mapping[Any, Any]) -> Any:
    if value in balls:
        return balls[value]
    if not value.free_symbols:
        return ball(value)
    parts = [_evaluated(part, balls) for part in value.args]
    if value.is_Add:
        return sum(parts[1:], parts[0])
    if value.is_Mul:
        return prod(parts[1:], start=parts[0])
    if value.is_Pow:
        return parts[0] ** parts[1]
    if not isinstance(value, Abs):  # e^x and log x are matrices of one entry
        raise NotSupported(f"a range of {value.func.__name__}")
    return abs(parts[0])


def box(definition: Definition) -> list[list[Any]]:
    if definition.shown is None and not isinstance(definition.exact, Node):
        return [[Balls().scalar(definition.exact)]]
    if definition.shown is None:
        cells = cells_of(definition.exact)
        rows, columns = cells.shape
        return [[cells.ball_at(i, j)(flint.ctx.prec) for j in range(columns)] for i in range(rows)]
    return [[claim_box(claim) for claim in row] for row in definition.shown]


def claim_box(claim: ClaimedNumber) -> Any:
    """Around all that a shown number may be a rounding of; a whole number is itself."""
    value = value_of(claim)
    if isinstance(value, Basic) and not value.is_finite:
        return value
    middle = Balls().scalar(value)
    if claim.kind != DECIMAL or claim.place is None or claim.place >= 1:
        return middle
    half = claim.place / 2
    return middle + flint.arb(0, _upper(half))


def _upper(x: Fraction) -> Any:
    return flint.arb(flint.fmpq(x.numerator, x.denominator)).upper()
