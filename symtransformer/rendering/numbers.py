"""How a number is shown: digits, zeros, rounding, percent. Typesetting rules as data."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import flint
from sympy import Expr, Rational, S

from symtransformer.enclosures import BITS, ball, precision, require_printable, rounded
from symtransformer.errors import LimitExceeded, UnreadableInput
from symtransformer.zero import is_exactly_zero

PLACES = 4  # decimals, unless asked
PLACES_AT_MOST = 100
SCIENTIFIC_BELOW, SCIENTIFIC_FROM = -6, 7  # powers of ten outside of which significant digits go with a power
GROUPED_FROM = 10_000
FORMULA_AT_MOST = 24  # operations


@dataclass(frozen=True)
class Style:
    """Decimals, trailing zeros ('keep' or 'trim'), rounding ('half-up' or 'half-even'), decimals of percentages.

    One of three says how long numbers are: `places` decimals (4 where nothing is said),
    `significant` digits, or `round_steps` decimals to which every line is rounded before the
    next one uses it, as with a pocket calculator.
    """

    places: int | None = None
    zeros: str = "keep"
    rounding: str = "half-up"
    percent_places: int = 1
    significant: int | None = None
    round_steps: int | None = None

    def __post_init__(self) -> None:
        lengths = {"digits": self.places, "significant": self.significant, "round_steps": self.round_steps}
        if len(given := [name for name, length in lengths.items() if length is not None]) > 1:
            raise UnreadableInput(
                f"the length of numbers: expected one of {', '.join(lengths)}, got {' and '.join(given)}"
            )
        for name, length in lengths.items():
            least, what = (1, "significant digits") if name == "significant" else (0, "decimals")
            if length is not None and not least <= length <= PLACES_AT_MOST:
                raise UnreadableInput(f"{name}: expected {least} to {PLACES_AT_MOST} {what}, got {length}")
        if self.zeros not in ("keep", "trim"):
            raise UnreadableInput(f"zeros: expected keep or trim, got {self.zeros!r}")
        if self.rounding not in ("half-up", "half-even"):
            raise UnreadableInput(f"rounding: expected half-up or half-even, got {self.rounding!r}")

    @property
    def decimals(self) -> int:
        """Decimals of a number, where they are counted from the point."""
        chosen = self.round_steps if self.places is None else self.places
        return PLACES if chosen is None else chosen


@dataclass(frozen=True)
class Source:
    """Which number is shown: an entry (from 0) of a letter, under the values of that number on the page, and how."""

    scope: int
    name: str
    head: Any
    i: int
    j: int
    percent: bool = False
    places: int | None = None
    given: bool = False  # an input, with all its digits
    minus: Source | None = None  # the difference to this one


@dataclass(frozen=True)
class Shown:
    """A number as it is shown. `exact` where that is its value; `value` is what it is shown as."""

    text: str
    exact: bool
    value: Expr | None = None
    formula: Expr | None = None  # shown as a formula instead of digits
    power: int | None = None  # times this power of ten
    source: Source | None = field(default=None, compare=False, repr=False)

    @property
    def is_negative(self) -> bool:
        return self.text.startswith("-") or (self.formula is not None and bool(self.formula.could_extract_minus_sign()))


BLANK = Shown("___", False)  # an answer to be filled in
NOTHING = Shown("–", True)  # no number: the difference of two infinities


def decimal_text(units: int, places: int, trim: bool) -> str:
    """Units of 10^-places as a decimal; never a negative zero."""
    digits = str(abs(units)).rjust(places + 1, "0")
    text = digits if places == 0 else f"{digits[:-places]}.{digits[-places:]}"
    if trim and "." in text:
        text = text.rstrip("0").rstrip(".")
    return ("-" if units < 0 else "") + text


def show(
    value: Expr | None, ball_at: Any, style: Style, percent: bool = False, places: int | None = None, true: bool = True
) -> Shown:
    """A computed number: rounded once, from its exact value or from balls.

    `true` says that `value` is what the number is; one that was rounded on the way is never exact.
    """
    if value is None and isinstance(found := ball_at(BITS[0]), Expr):
        value = found  # an infinity is no ball
    if value in (S.NegativeInfinity, S.Infinity):
        return Shown("-∞" if value is S.NegativeInfinity else "∞", True, value, value)
    if value is not None and value.free_symbols:
        return Shown("", True, None, value)
    by_digits = style.significant is not None and not percent and places is None
    if places is None:
        places = style.percent_places if percent else style.decimals
    hundred, half_even = 100 if percent else 1, style.rounding == "half-even"

    def scaled(bits: int) -> Any:
        return ball_at(bits) * hundred

    exact_value = value if value is None or not percent else value * hundred
    try:
        if by_digits:
            assert style.significant is not None
            units, places, exact = significant_units(scaled, exact_value, style.significant, half_even)
        else:
            units, exact = rounded(scaled, exact_value, places, half_even)
    except LimitExceeded:  # a number of thousands of digits: as a formula, if it is a short one
        if exact_value is None or exact_value.count_ops() > FORMULA_AT_MOST:
            raise
        return Shown("", True, None, exact_value)
    exact = exact and true
    trim, number = exact or style.zeros == "trim", Rational(units) / S(10) ** places
    if by_digits and units:
        magnitude = len(str(abs(units))) - 1 - places
        if not SCIENTIFIC_BELOW <= magnitude < max(SCIENTIFIC_FROM, style.significant or 0):
            return Shown(decimal_text(units, len(str(abs(units))) - 1, trim), exact, number, None, magnitude)
        if places < 0:
            units, places = units * 10**-places, 0
    return Shown(decimal_text(units, places, trim) + ("%" if percent else ""), exact, number)


def significant_units(ball_at: Any, exact: Expr | None, digits: int, half_even: bool = False) -> tuple[int, int, bool]:
    """The number as so many digits, in units of 10^-places, correctly rounded; the places; whether it is exact.

    >>> significant_units(lambda bits: ball(Rational(2, 3) / 1000), Rational(2, 3) / 1000, 4)
    (6667, 7, False)
    """
    if exact is not None and is_exactly_zero(exact):
        return 0, 0, True
    require_printable(ball_at, in_digits=True)
    magnitude = _magnitude(ball_at)
    if magnitude is None:  # a ball around nothing but 0
        return 0, 0, True
    places = digits - 1 - magnitude
    while True:
        factor = S(10) ** places

        def shifted(bits: int, factor: Any = factor) -> Any:
            return ball_at(bits) * ball(factor)

        asked = exact is not None and (exact.is_Rational or _is_near_a_half(shifted))
        units, is_exact = rounded(shifted, exact * factor if asked else None, 0, half_even)  # type: ignore[operator]
        if abs(units) >= 10**digits:  # the guess was low, or 9.99996 became 10.000
            places -= 1
        elif abs(units) < 10 ** (digits - 1):
            places += 1
        else:
            return units, places, is_exact


def _is_near_a_half(ball_at: Any) -> bool:
    """Whether only the exact value can tell how a number is rounded to a whole one; multiplying it out is slow."""
    with precision(BITS[2]):
        twice = 2 * ball_at(BITS[2])
        nearest = (twice + flint.arb(1) / 2).floor().unique_fmpz()
        return nearest is None or bool((twice - nearest).contains(0))


def _magnitude(ball_at: Any) -> int | None:
    """The power of ten of the first digit, or one beside it; None for 0."""
    for bits in BITS:
        with precision(bits):
            size = abs(ball_at(bits))
            if size.is_zero():
                return None
            if size > 0:
                return math.floor(float((size.log() / flint.arb(10).log()).mid()))
    raise LimitExceeded(f"whether a number is 0 is not decided with {BITS[-1]} bits, so it has no first digit")


def show_exact(value: Expr, style: Style, percent: bool = False, places: int | None = None, true: bool = True) -> Shown:
    """A number whose exact value is at hand."""
    return show(value, lambda bits: ball(value), style, percent, places, true)


def show_given(value: Expr) -> Shown:
    """A number that was given: all its digits, or the fraction or formula that it is."""
    if value.is_Rational:
        places = _terminating(int(value.q))
        if places is not None and places <= PLACES_AT_MOST:
            return Shown(decimal_text(int(value * 10**places), places, trim=True), True, value)
    if value is S.NegativeInfinity:
        return Shown("-∞", True, value, value)
    return Shown("", True, value if not value.free_symbols else None, value)


def show_counted(value: Expr) -> Shown:
    """A count: long whole numbers in groups of three."""
    if value.is_Integer and abs(value) >= GROUPED_FROM:
        return Shown(f"{int(value):,}", True, value)
    return show_given(value)


def _terminating(denominator: int) -> int | None:
    """Decimals of a fraction with this denominator, or None if they do not end."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    return max(twos, fives) if denominator == 1 else None
