"""Which numbers a claim is right for: an interval around what is shown, its ends included or not."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from symtransformer.checking.values import Comparisons
from symtransformer.reading.claimed_numbers import DECIMAL, EXACT, INFINITE, UNDEFINED, ClaimedNumber

HALF = Fraction(1, 2)
NOISE = Fraction(4, 2**52)


@dataclass(frozen=True)
class Region:
    """From `low` to `high`; `near` are the places that an end may be off by one of."""

    low: Fraction
    high: Fraction
    with_low: bool
    with_high: bool
    below: Fraction
    above: Fraction

    def holds(self, value: Comparisons) -> bool:
        from_low = value.sign_from(self.low)
        if from_low < 0 or (from_low == 0 and not self.with_low):
            return False
        from_high = value.sign_from(self.high)
        return from_high < 0 or (from_high == 0 and self.with_high)

    def has_at_its_end(self, value: Comparisons) -> bool:
        return value.sign_from(self.low) == 0 or value.sign_from(self.high) == 0

    def holds_one_place_off(self, value: Comparisons) -> bool:
        return value.sign_from(self.low - self.below) >= 0 and value.sign_from(self.high + self.above) <= 0

    def mirrored(self) -> Region:
        return Region(-self.high, -self.low, self.with_high, self.with_low, self.above, self.below)


def region_of(claim: ClaimedNumber, zeros_are_digits: bool) -> Region:
    """c - q/2 < x < c + q/2; an end belongs to it where c is the half-up or half-even rounding of it.

    Zeros at the end of a whole number may be no digits: 700 is right from 650 up to 750, and 100 from 95 up to 150,
    as 94 has no one digit that is 100. What goes on, as 0.66..., is right from 0.66 up to 0.67.
    """
    assert claim.place is not None
    assert claim.widest is not None
    size = abs(claim.value)
    if claim.goes_on:
        nines = (size / claim.place + 1) % 10**claim.decimals == 0  # 0.99... may be 1
        region = Region(size, size + claim.place, True, nines, claim.place, claim.place)
        return region.mirrored() if claim.is_negative else region
    outer = claim.place if zeros_are_digits else claim.widest
    inner = outer / 10 if size == outer and not zeros_are_digits and claim.ends_in_whole_zeros else outer
    even = size / outer % 2 == 0
    region = Region(size - inner * HALF, size + outer * HALF, True, even, inner, outer)
    return region.mirrored() if claim.value < 0 else region


def is_right(claim: ClaimedNumber, value: Comparisons, zeros_are_digits: bool = False) -> bool:
    """Whether the claim is right for the value, by the digits that it shows."""
    if claim.kind == UNDEFINED or value.value.is_undefined:
        return claim.kind == UNDEFINED and value.value.is_undefined
    infinite = value.infinite_sign()
    if claim.kind == INFINITE or infinite:
        return claim.kind == INFINITE and infinite == (-1 if claim.is_negative else 1)
    if claim.kind == EXACT:
        return value.sign_from(claim.value, claim.radicand) == 0
    return region_of(claim, zeros_are_digits).holds(value)


def is_one_place_off(claim: ClaimedNumber, value: Comparisons, zeros_are_digits: bool) -> bool:
    """Within one and a half places: truncated, rounded away, or one unit too much or too little."""
    if claim.kind != DECIMAL or value.value.is_undefined or value.infinite_sign():
        return False
    return region_of(claim, zeros_are_digits).holds_one_place_off(value)


def is_float_noise(claim: ClaimedNumber, value: Comparisons) -> bool:
    """Whether the claim is a printed binary64 number that a calculation in binary64 may give for the value.

    It has the 15 to 17 digits of one, and differs by a few units of its last bit; or it stands for 0.
    """
    if claim.kind != DECIMAL or claim.goes_on or value.value.is_undefined or value.infinite_sign():
        return False
    digits = re.sub(r"^[^1-9]*|[eE].*$|[^0-9]", "", claim.text)
    if not 15 <= len(digits) <= 17 or not claim.decimals:
        return False
    printed = claim.text.strip().lstrip("+-−－ ").removesuffix("%").strip()
    if not re.fullmatch(r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?", printed) or repr(float(printed)) != printed:
        return False
    slack = abs(claim.value) * NOISE or NOISE
    if abs(claim.value) < NOISE:
        slack = NOISE  # 5.551115123125783e-17 for 0
    return value.sign_from(claim.value - slack) > 0 and value.sign_from(claim.value + slack) < 0


def scaled(claim: ClaimedNumber, factor: Fraction) -> ClaimedNumber:
    """The same digits with the point elsewhere, or the other sign."""
    size = abs(factor)
    return replace(
        claim,
        value=claim.value * factor,
        is_negative=claim.is_negative != (factor < 0),
        place=None if claim.place is None else claim.place * size,
        widest=None if claim.widest is None else claim.widest * size,
    )


def without_last_zeros(claim: ClaimedNumber) -> ClaimedNumber | None:
    """0.33 for 0.3300; None where no zeros stand at the end."""
    if claim.kind != DECIMAL or not claim.decimals or not claim.value or claim.goes_on:
        return None
    assert claim.place is not None
    place, decimals = claim.place, claim.decimals
    while decimals and abs(claim.value) / place % 10 == 0:
        place, decimals = place * 10, decimals - 1
    if decimals == claim.decimals:
        return None
    return replace(claim, place=place, widest=place, decimals=decimals)
