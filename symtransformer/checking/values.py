"""The true value of what somebody claims, and its comparison with a boundary: decided with balls, never with floats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import flint
from sympy import Basic, Expr, Float, Rational, S, sqrt

from symtransformer.enclosures import BITS, ball, precision
from symtransformer.errors import SymtransformerError, UnreadableInput
from symtransformer.zero import is_exactly_zero

ZERO_TEST_FROM, SPARE_BITS = 128, 64  # what so many bits, and more than the boundary has, do not part is probably equal


class Cells(Protocol):
    """The entries of an expression, as an evaluation has them."""

    def ball_at(self, i: int, j: int) -> Callable[[int], Any]: ...
    def exact(self) -> list[list[Any]] | None: ...


class Undecided(Exception):
    """A comparison that was not decided: with what, to how many bits, and the code of the reason."""

    def __init__(self, code: str, boundary: str = "", bits: int = 0, message: str = "") -> None:
        super().__init__(message or code)
        self.code, self.boundary, self.bits = code, boundary, bits


@dataclass(frozen=True)
class Value:
    """A number with balls of any precision, and its exact form where there is one.

    `ball_at(bits)` is an Arb ball, or ±∞; `exact()` is a SymPy number, or None where it is too long. An entry of
    an expression is `entry(cells, i, j)`, a SymPy number `number(x)`; what is undefined is `UNDEFINED`.
    """

    ball_at: Callable[[int], Any]
    exact: Callable[[], Expr | None] = lambda: None
    rational: Fraction | None = None
    is_undefined: bool = False


def number(x: Expr | int | Fraction) -> Value:
    """An exact number: a rational, or a formula of roots, exponentials and the functions of the operations."""
    if isinstance(x, (int, Fraction)):
        x = Rational(x.numerator, x.denominator)
    if not isinstance(x, Expr) or x.has(Float):
        raise UnreadableInput(f"number: expected an exact number, got {str(x)[:40]!r}")
    if x is S.NaN or x is S.ComplexInfinity:
        return UNDEFINED
    if x in (S.Infinity, S.NegativeInfinity):
        return Value(lambda bits: x)
    return Value(lambda bits: ball(x), lambda: x, Fraction(int(x.p), int(x.q)) if x.is_Rational else None)


def entry(cells: Cells, i: int, j: int) -> Value:
    """An entry of an expression; its exact form is worked out only where it is asked for."""

    def exact() -> Expr | None:
        rows = cells.exact()
        return None if rows is None else rows[i][j]

    return Value(cells.ball_at(i, j), exact)


def _nothing(bits: int) -> Any:
    raise Undecided("no_value")


UNDEFINED = Value(_nothing, is_undefined=True)


class Comparisons:
    """Comparisons with one value; `expired` says when there is no time left."""

    def __init__(self, value: Value, expired: Callable[[], bool] | None = None) -> None:
        self.value, self.expired = value, expired
        self._balls: dict[int, Any] = {}

    def infinite_sign(self) -> int:
        """1 for ∞, -1 for −∞, 0 for a finite number."""
        found = self._ball(BITS[0])
        return 0 if not isinstance(found, Basic) else 1 if found is S.Infinity else -1

    def sign_from(self, boundary: Fraction, radicand: int = 1) -> int:
        """The sign of value - boundary·√radicand: balls with more and more bits, and the exact zero test once."""
        if self.value.rational is not None and radicand == 1:
            return (self.value.rational > boundary) - (self.value.rational < boundary)
        tested, enough = False, max(ZERO_TEST_FROM, boundary.denominator.bit_length() + SPARE_BITS)
        for bits in BITS:
            found = self._ball(bits)
            with precision(bits):
                apart = found - _ball_of(boundary, radicand)
                if apart > 0 or apart < 0:
                    return 1 if apart > 0 else -1
                if apart.is_zero():  # without a radius
                    return 0
                is_near = apart.rad() < 1
            if bits >= enough and not tested and is_near:
                tested = True
                if self._is_exactly(boundary, radicand):
                    return 0
        raise Undecided("precision", _text(boundary, radicand), BITS[-1])

    def is_apart_from(self, boundary: Fraction) -> bool:
        """Proven different, by balls alone; False says nothing."""
        if self.value.rational is not None:
            return self.value.rational != boundary
        for bits in BITS[:4]:
            found = self._ball(bits)
            with precision(bits):
                apart = found - _ball_of(boundary, 1)
                if apart > 0 or apart < 0:
                    return True
        return False

    def nearest(self, unit: Fraction) -> Fraction | None:
        """The multiple of the unit that the value is rounded to, halves away from zero; None where not decided."""
        for bits in BITS:
            found = self._ball(bits)
            with precision(bits):
                twice = 2 * abs(found) * flint.arb(flint.fmpq(unit.denominator, unit.numerator))
                whole = ((twice + 1) / 2).floor().unique_fmpz()
                half = (twice + flint.arb(1) / 2).floor().unique_fmpz()
                sign = -1 if found < 0 else 1
            if whole is not None and (int(whole) == 0 or not found.contains(0)):
                return sign * int(whole) * unit
            if bits >= ZERO_TEST_FROM and half is not None and self._is_exactly(sign * int(half) * unit / 2, 1):
                return sign * ((int(half) + 1) // 2) * unit
        return None

    def is_whole(self, parts: int = 1) -> bool:
        """Whether the value is a whole number, or a whole number of such parts: of hundredths."""
        if self.value.rational is not None:
            return (self.value.rational * parts).denominator == 1
        with precision(BITS[-2]):
            middle = (self._ball(BITS[-2]).mid() * parts + flint.arb(1) / 2).floor().unique_fmpz()
        return middle is not None and self.sign_from(Fraction(int(middle), parts)) == 0

    def may_be_in(self, range_at: Callable[[int], Any]) -> bool:
        """Whether the value may lie in a ball; False where that is not bounded."""
        if self.value.is_undefined or self.infinite_sign():
            return False
        found = self._ball(BITS[1])
        try:
            with precision(BITS[1]):
                reach = range_at(BITS[1])
                return not isinstance(reach, Basic) and reach.is_finite() and (found - reach).contains(0)
        except SymtransformerError:
            return False

    def _ball(self, bits: int) -> Any:
        if bits not in self._balls:
            if self.expired is not None and self.expired():
                raise Undecided("deadline", bits=bits)
            try:
                with precision(bits):
                    self._balls[bits] = self.value.ball_at(bits)
            except SymtransformerError as error:
                raise Undecided("no_value", message=str(error)) from error
        return self._balls[bits]

    def _is_exactly(self, boundary: Fraction, radicand: int) -> bool:
        """Proven equal; False says nothing."""
        try:
            exact = self.value.exact()
            return exact is not None and is_exactly_zero(exact - _expression(boundary, radicand)) is True
        except SymtransformerError:
            return False


def _expression(boundary: Fraction, radicand: int) -> Expr:
    return Rational(boundary.numerator, boundary.denominator) * sqrt(S(radicand))


def _ball_of(boundary: Fraction, radicand: int) -> Any:
    found = flint.arb(flint.fmpq(boundary.numerator, boundary.denominator))
    return found if radicand == 1 else found * flint.arb(radicand).sqrt()


def _text(boundary: Fraction, radicand: int) -> str:
    shown = str(boundary) if len(str(boundary)) <= 60 else f"{str(boundary)[:59]}…"
    return shown if radicand == 1 else f"{shown} √{radicand}"
