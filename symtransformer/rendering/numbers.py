"""How a number is shown: digits, zeros, rounding, percent. Typesetting rules as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sympy import Expr, S

from symtransformer.enclosures import ball, rounded
from symtransformer.errors import LimitExceeded, UnreadableInput

PLACES = 4  # decimals, unless asked
PLACES_AT_MOST = 100
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
class Shown:
    """A number as it is shown. `exact` where that is its value; `value` is what it is shown as."""

    text: str
    exact: bool
    value: Expr | None = None
    formula: Expr | None = None  # shown as a formula instead of digits

    @property
    def is_negative(self) -> bool:
        return self.text.startswith("-") or (self.formula is not None and bool(self.formula.could_extract_minus_sign()))


def decimal_text(units: int, places: int, trim: bool) -> str:
    """Units of 10^-places as a decimal; never a negative zero."""
    digits = str(abs(units)).rjust(places + 1, "0")
    text = digits if places == 0 else f"{digits[:-places]}.{digits[-places:]}"
    if trim and "." in text:
        text = text.rstrip("0").rstrip(".")
    return ("-" if units < 0 else "") + text


def show(value: Expr | None, ball_at: Any, style: Style, percent: bool = False, places: int | None = None) -> Shown:
    """A computed number: rounded once, from its exact value or from balls."""
    if value is S.NegativeInfinity:
        return Shown("-∞", True, S.NegativeInfinity, S.NegativeInfinity)
    if value is not None and value.free_symbols:
        return Shown("", True, None, value)
    if places is None:
        places = style.percent_places if percent else style.decimals
    hundred = 100 if percent else 1

    def scaled(bits: int) -> Any:
        return ball_at(bits) * hundred

    exact_value = None if value is None else value * hundred
    try:
        units, exact = rounded(scaled, exact_value, places, style.rounding == "half-even")
    except LimitExceeded:  # a number of thousands of digits: as a formula, if it is a short one
        if exact_value is None or exact_value.count_ops() > FORMULA_AT_MOST:
            raise
        return Shown("", True, None, exact_value)
    text = decimal_text(units, places, trim=exact or style.zeros == "trim")
    return Shown(text + ("%" if percent else ""), exact, S(units) / 10**places)


def show_exact(value: Expr, style: Style, percent: bool = False, places: int | None = None) -> Shown:
    """A number whose exact value is at hand."""
    return show(value, lambda bits: ball(value), style, percent, places)


def show_given(value: Expr) -> Shown:
    """A number that was given: all its digits, or the fraction or formula that it is."""
    if value.is_Rational:
        places = _terminating(int(value.q))
        if places is not None and places <= PLACES_AT_MOST:
            return Shown(decimal_text(int(value * 10**places), places, trim=True), True, value)
    if value is S.NegativeInfinity:
        return Shown("-∞", True, value, value)
    return Shown("", True, value if not value.free_symbols else None, value)


def _terminating(denominator: int) -> int | None:
    """Decimals of a fraction with this denominator, or None if they do not end."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    return max(twos, fives) if denominator == 1 else None
