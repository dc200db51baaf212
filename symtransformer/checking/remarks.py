"""Remarks on a claimed number, and the value that would have been right, in the writer's own places."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from symtransformer.checking import number_words as words
from symtransformer.checking.number_words import Note
from symtransformer.checking.regions import is_right, region_of, scaled, without_last_zeros
from symtransformer.checking.values import Comparisons, Undecided
from symtransformer.notation import Words
from symtransformer.reading.claimed_numbers import DECIMAL, EXACT, INFINITE, UNDEFINED, ClaimedNumber

WRITTEN_OUT_AT_MOST = 12  # decimals, or zeros at the end
PLACES_OF_EXACT = 6
MORE_PLACES_AT_MOST = 1000  # than those of the claim
PLACES_OF_A_FRACTION = 4  # that are shown where a whole number should be one


def rounding_notes(claim: ClaimedNumber, value: Comparisons, equals: bool, zeros_are_digits: bool) -> list[Note]:
    """What is said of a right decimal."""
    notes = []
    if not zeros_are_digits:
        notes.append(words.WHOLE_ZEROS)
    if claim.is_negative_zero:
        notes.append(words.NEGATIVE_ZERO)
    if not claim.goes_on and region_of(claim, zeros_are_digits).has_at_its_end(value):
        notes.append(words.HALF_WAY)
    if equals and not claim.goes_on and value.is_apart_from(claim.value):
        notes.append(words.EQUALS_ROUNDED)
    return notes


def accusing_notes(claim: ClaimedNumber, value: Comparisons, is_last_place: bool) -> tuple[Note, ...]:
    """What explains a claim that is not right, by its digits alone."""
    if claim.kind in (INFINITE, UNDEFINED) or value.value.is_undefined or value.infinite_sign():
        return ()
    notes: list[Note] = []
    with suppress(Undecided):
        if is_last_place:
            notes += _how_rounded(claim, value)
        if not is_last_place and _is_padded(claim, value):
            notes.append(words.PADDED_ZEROS)
        if claim.value and not is_last_place:
            notes += _moved(claim, value)
        if claim.kind == EXACT:
            notes.append(words.CLAIMS_EXACTNESS)
    return tuple(notes)


def _is_padded(claim: ClaimedNumber, value: Comparisons) -> bool:
    """0.3300 for 1/3; not 2.0 for 2.3, where 2 is right only because it is coarse, but 1.000 for 1.0001."""
    short = without_last_zeros(claim)
    if short is None or short.place is None or not is_right(short, value):
        return False
    near = [value.sign_from(short.value + sign * short.place / 1000) for sign in (-1, 1)]
    return abs(short.value) >= 10 * short.place or near == [1, -1]


def _moved(claim: ClaimedNumber, value: Comparisons) -> list[Note]:
    """The other sign, the point elsewhere, a percent sign too many or too few."""
    notes = [words.SIGN] if is_right(scaled(claim, Fraction(-1)), value) else []
    for places in (1, -1, 2, -2, 3, -3):
        if is_right(scaled(claim, Fraction(10) ** -places), value):
            notes.append(words.PERCENT if abs(places) == 2 else words.factor_of_ten(places))
            break
    return notes


def _how_rounded(claim: ClaimedNumber, value: Comparisons) -> list[Note]:
    """How the last digit came about; nothing of a whole number beside another one, as neither is rounded."""
    if claim.goes_on:
        return [words.NOT_FIRST_DIGITS]
    if not claim.decimals and (value.is_whole() or value.nearest(Fraction(1)) == claim.value):
        return []
    assert claim.widest is not None
    side = -1 if claim.value < 0 or (claim.value == 0 and value.sign_from(Fraction(0)) < 0) else 1
    beyond = side * value.sign_from(claim.value)  # 1 where the value is farther from 0
    if beyond > 0 and side * value.sign_from(claim.value + side * claim.widest) < 0:
        return [words.TRUNCATED]
    if beyond < 0 and side * value.sign_from(claim.value - side * claim.widest) > 0:
        return [words.ROUNDED_AWAY]
    return [words.ONE_UNIT] if claim.decimals else []


def right_value(claim: ClaimedNumber, value: Comparisons, is_far: bool = False, equals: bool = False) -> Words:
    """The right value, rounded to the places of the claim; with more where that is far off, or says nothing of the value."""
    if value.value.is_undefined:
        return words.UNDEFINED_VALUE
    if infinite := value.infinite_sign():
        return _both("∞" if infinite > 0 else "-∞")
    exact = value.value.rational
    if claim.kind == DECIMAL:
        claim = _told_with(claim, value, is_far, equals)
        assert claim.place is not None
        rounded = value.nearest(claim.place)
        is_shown = rounded is not None and (rounded or not value.is_apart_from(rounded))
        return _both(_as_written(rounded, claim)) if rounded is not None and is_shown else words.NOT_SHOWN
    if exact is not None and exact.denominator < 10**PLACES_OF_EXACT:
        return _both(str(exact))
    rounded = value.nearest(Fraction(1, 10**PLACES_OF_EXACT))
    return words.NOT_SHOWN if rounded is None else _both(decimal_text(rounded, PLACES_OF_EXACT))


def first_digits(value: Comparisons) -> Words | None:
    """The first decimals of a value that is no whole number, and dots where it goes on."""
    for places in range(2, PLACES_OF_EXACT + 1):
        unit = Fraction(1, 10**places)
        found = value.nearest(unit)
        if found is None:
            return None
        if found and value.sign_from(found) * (1 if found > 0 else -1) < 0:  # it was rounded away from 0
            found -= unit if found > 0 else -unit
        if found.denominator != 1:
            text = decimal_text(found, places)
            return _both(f"{text}..." if value.is_apart_from(found) else text.rstrip("0"))
    return None


def _told_with(claim: ClaimedNumber, value: Comparisons, is_far: bool, equals: bool) -> ClaimedNumber:
    """With as many places as it takes: nothing is told as 0 that is not, and no fraction to be equal to a whole number."""
    assert claim.place is not None
    is_fraction = equals and claim.is_whole and not value.is_whole()
    for decimals in range(1, PLACES_OF_A_FRACTION + 1) if is_fraction else ():
        place = Fraction(1, 10**decimals)
        rounded = value.nearest(place)
        if rounded is not None and not value.is_apart_from(rounded):
            return replace(claim, place=place, decimals=decimals)
    if is_far or is_fraction or value.nearest(claim.place) == 0:
        return _with_more_digits(claim, value, int(is_fraction and claim.place >= 1))
    return claim


def _with_more_digits(claim: ClaimedNumber, value: Comparisons, least: int) -> ClaimedNumber:
    """With so many places more that two digits are seen, where 0.25 % would be told as 0 %; `least` so many."""
    assert claim.place is not None
    for more in range(least, MORE_PLACES_AT_MOST + 1):
        place = claim.place / 10**more
        rounded = value.nearest(place)
        if rounded is None or abs(rounded) >= 10 * place or not value.is_apart_from(rounded):
            return replace(claim, place=place, decimals=claim.decimals + more) if more else claim
    return claim


def _as_written(rounded: Fraction, claim: ClaimedNumber) -> str:
    return (
        decimal_text(rounded * 100, claim.places - 2) + "%" if claim.is_percent else decimal_text(rounded, claim.places)
    )


def decimal_text(number: Fraction, places: int) -> str:
    """With so many decimals, all shown; with a power of ten where that takes many zeros."""
    minus, units = "-" if number < 0 else "", abs(int(number * Fraction(10) ** places))
    if -WRITTEN_OUT_AT_MOST <= places <= WRITTEN_OUT_AT_MOST:
        behind = max(places, 0)
        digits = str(units * 10 ** (behind - places)).rjust(behind + 1, "0")
        return minus + (f"{digits[:-behind]}.{digits[-behind:]}" if behind else digits)
    digits = str(units)
    shown = digits[0] + ("." + digits[1:] if digits[1:] else "")
    return f"{minus}{shown} × 10^{len(digits) - 1 - places}"


def _both(text: str) -> Words:
    return Words(text, text)
