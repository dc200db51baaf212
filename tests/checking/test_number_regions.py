"""Which numbers a shown one is right for, worked out by hand, and comparisons with them: exact, with balls, at the ends."""

from fractions import Fraction

import flint
import pytest
from sympy import E, Integer, Rational, exp, log, oo, pi, sqrt, zoo

from symtransformer.checking import Value, entry, number, read_number
from symtransformer.checking.regions import (
    Region,
    is_float_noise,
    is_one_place_off,
    is_right,
    region_of,
    scaled,
    without_last_zeros,
)
from symtransformer.checking.values import Comparisons, Undecided
from symtransformer.errors import UnreadableInput


def F(text):
    return Fraction(text)


def compared(x):
    return Comparisons(x if isinstance(x, Value) else number(Rational(x) if isinstance(x, str) else x))


# -- regions ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "zeros", "low", "high", "ends"),
    [  # ends: is the lower one in it, is the upper one
        ("0.12", False, "0.115", "0.125", (True, True)),  # half-even: 0.125 to 0.12
        ("0.13", False, "0.125", "0.135", (True, False)),  # half-up
        ("-0.12", False, "-0.125", "-0.115", (True, True)),
        ("-0.13", False, "-0.135", "-0.125", (False, True)),
        ("700", False, "650", "750", (True, False)),
        ("700", True, "699.5", "700.5", (True, True)),
        ("100", False, "95", "150", (True, False)),
        ("100", True, "99.5", "100.5", (True, True)),
        ("200", False, "150", "250", (True, True)),
        ("7", False, "6.5", "7.5", (True, False)),
        ("0", False, "-0.5", "0.5", (True, True)),
        ("0.66...", False, "0.66", "0.67", (True, False)),
        ("0.99...", False, "0.99", "1", (True, True)),
        ("-0.66...", False, "-0.67", "-0.66", (False, True)),
        ("1.99...", False, "1.99", "2", (True, True)),
        ("0.09...", False, "0.09", "0.1", (True, False)),
    ],
)
def test_a_shown_number_is_right_from_one_end_to_the_other(text, zeros, low, high, ends):
    region = region_of(read_number(text), zeros)
    assert (region.low, region.high, (region.with_low, region.with_high)) == (F(low), F(high), ends)
    for end, is_in in zip((low, high), ends, strict=True):
        assert region.holds(compared(end)) == is_in
        assert region.has_at_its_end(compared(end))
    assert not region.has_at_its_end(compared((region.low + region.high) / 2))
    assert region.holds(compared((region.low + region.high) / 2))
    assert not region.holds(compared(region.low - Fraction(1, 10**9)))
    assert not region.holds(compared(region.high + Fraction(1, 10**9)))


@pytest.mark.parametrize(
    ("text", "zeros", "low", "high"),
    [
        ("0.12", False, "0.105", "0.135"),
        ("-0.12", False, "-0.135", "-0.105"),
        ("100", False, "85", "250"),
        ("-100", False, "-250", "-85"),
        ("100", True, "98.5", "101.5"),
        ("0.66...", False, "0.65", "0.68"),
    ],
)
def test_one_place_more_on_each_side(text, zeros, low, high):
    claim = read_number(text)
    for end in map(F, (low, high)):
        assert is_one_place_off(claim, compared(end), zeros)
    assert not is_one_place_off(claim, compared(F(low) - Fraction(1, 10**9)), zeros)
    assert not is_one_place_off(claim, compared(F(high) + Fraction(1, 10**9)), zeros)


def test_what_is_no_decimal_is_in_no_place():
    assert not is_one_place_off(read_number("1/3"), compared("1/3"), False)
    assert not is_one_place_off(read_number("0.3"), compared(oo), False)
    assert not is_one_place_off(read_number("0.3"), compared(zoo), False)


def test_a_mirrored_region_is_that_of_the_other_sign():
    region = Region(F("1"), F("4"), True, False, F("0.5"), F("2"))
    assert region.mirrored() == Region(F("-4"), F("-1"), False, True, F("2"), F("0.5"))
    assert region.mirrored().mirrored() == region


@pytest.mark.parametrize(
    ("text", "value", "right"),
    [
        ("undefined", zoo, True), ("undefined", 1, False), ("1", zoo, False), ("∞", oo, True), ("-∞", oo, False), ("∞", -oo, False),
        ("-∞", -oo, True), ("∞", 1, False), ("1", oo, False), ("1/3", "1/3", True), ("1/3", "0.333", False), ("√2", sqrt(2), True),
        ("√2", sqrt(3), False), ("2√3", sqrt(12), True), ("1.41", sqrt(2), True), ("1.42", sqrt(2), False), ("0.33", "1/3", True),
    ],
)  # fmt: skip
def test_what_a_number_is_right_for(text, value, right):
    assert is_right(read_number(text), compared(value)) == right


# -- binary numbers -------------------------------------------------------------------------------------------------
NOISE = Fraction(4, 2**52)  # four units of the last bit of 1


@pytest.mark.parametrize(
    ("text", "value", "is_noise"),
    [
        ("0.30000000000000004", "0.3", True),
        ("-0.30000000000000004", "-0.3", True),
        ("0.3", "0.3", False),  # has not the digits of one
        ("0.3000000000000001", "0.3", True),
        ("0.300000000000001", "0.3", False),  # too far
        ("0.29999999999999", "0.3", False),
        ("5.551115123125783e-17", "0", True),
        ("1.2345678901234567e-10", "0", False),
        ("123456789012345678", "123456789012345677", False),  # no decimals
    ],
)
def test_a_printed_binary_number_may_be_a_few_bits_away(text, value, is_noise):
    assert is_float_noise(read_number(text), compared(value)) == is_noise


@pytest.mark.parametrize("text", ["0.6000000000000001", "-0.6000000000000001", "2.220446049250313e-16"])
def test_a_few_bits_are_four_units_of_the_last_and_no_more(text):
    claim = read_number(text)
    slack = abs(claim.value) * NOISE if abs(claim.value) >= NOISE else NOISE
    for sign in (-1, 1):
        assert not is_float_noise(claim, compared(claim.value + sign * slack))
        assert is_float_noise(claim, compared(claim.value + sign * slack * Fraction(999, 1000)))


def test_what_is_infinite_undefined_or_goes_on_is_no_binary_number():
    claim = read_number("0.30000000000000004")
    assert not is_float_noise(claim, compared(oo))
    assert not is_float_noise(claim, compared(zoo))
    assert not is_float_noise(read_number("3/10"), compared("0.3"))
    assert not is_float_noise(read_number("0.30000000000000004..."), compared("0.3"))


# -- the same digits elsewhere ----------------------------------------------------------------------------------------
def test_the_point_elsewhere():
    claim = read_number("0.25")
    other = scaled(claim, Fraction(-100))
    assert (other.value, other.is_negative, other.place, other.widest) == (-25, True, 1, 1)
    assert scaled(other, Fraction(-1)).is_negative is False
    assert scaled(read_number("1/3"), Fraction(2)).place is None


@pytest.mark.parametrize(
    ("text", "place", "decimals"), [("0.3300", "0.01", 2), ("2.50", "0.1", 1), ("4.00", "1", 0), ("-0.330", "0.01", 2)]
)
def test_zeros_at_the_end_are_left_out(text, place, decimals):
    found = without_last_zeros(read_number(text))
    assert (found.place, found.widest, found.decimals) == (F(place), F(place), decimals)
    assert found.value == read_number(text).value


@pytest.mark.parametrize("text", ["0.33", "300", "0.00", "1/2", "0.50...", "∞"])
def test_where_no_zeros_stand_at_the_end(text):
    assert without_last_zeros(read_number(text)) is None


# -- comparisons ------------------------------------------------------------------------------------------------------
TINY = Fraction(1, 10**60)


@pytest.mark.parametrize(
    ("value", "boundary", "radicand", "sign"),
    [
        ("1/3", "1/3", 1, 0), ("1/3", "0.3333", 1, 1), ("1/3", "0.3334", 1, -1), (sqrt(2), "1.4142", 1, 1), (sqrt(2), "1.4143", 1, -1),
        (sqrt(2), "1", 2, 0), (sqrt(8), "2", 2, 0), (sqrt(2), "1", 3, -1), (sqrt(3), "1", 2, 1), ("3/2", "1", 2, 1), ("7/5", "1", 2, -1),
        (exp(log(3)) + pi - pi, "3", 1, 0), (-pi, "-3", 1, -1),
    ],
)  # fmt: skip
def test_the_sign_from_a_boundary(value, boundary, radicand, sign):
    assert compared(value).sign_from(F(boundary), radicand) == sign


def test_a_difference_far_behind_the_point_is_seen():
    root = Fraction(int(sqrt(2) * 10**80 // 1), 10**80)  # 80 digits of √2
    assert compared(sqrt(2)).sign_from(root) == 1
    assert compared(sqrt(2)).sign_from(root + Fraction(1, 10**80)) == -1
    assert compared(sqrt(2)).is_apart_from(root + TINY)
    assert not compared("1/3").is_apart_from(F("1/3"))
    assert compared("1/3").is_apart_from(F("1/3") + TINY)


def test_infinite_values_have_a_sign_and_finite_ones_none():
    assert [compared(x).infinite_sign() for x in (oo, -oo, 3, sqrt(2))] == [1, -1, 0, 0]


@pytest.mark.parametrize(
    ("value", "unit", "multiple"),
    [
        (sqrt(2), "0.01", "1.41"), (-sqrt(2), "0.01", "-1.41"), (pi, "1", "3"), (-pi, "0.1", "-3.1"), (pi, "10", "0"), ("1/8", "0.01", "0.13"),
        ("-1/8", "0.01", "-0.13"), ("0", "0.01", "0"), (E, "0.001", "2.718"), ("25", "10", "30"), ("-25", "10", "-30"), (pi / 1000, "0.01", "0"),
    ],
)  # fmt: skip
def test_the_nearest_multiple_of_a_unit_halves_away_from_zero(value, unit, multiple):
    assert compared(value).nearest(F(unit)) == F(multiple)


def test_an_entry_that_is_exactly_half_way_is_rounded_away_from_zero_by_its_exact_value():
    class Cells:
        def ball_at(self, i, j):
            return lambda bits: flint.arb(2).sqrt() * flint.arb(8).sqrt() / 32

        def exact(self):
            return [[sqrt(2) * sqrt(8) / 32]]

    assert Comparisons(entry(Cells(), 0, 0)).nearest(F("0.01")) == F("0.13")
    without = Value(lambda bits: flint.arb(2).sqrt() * flint.arb(8).sqrt() / 32)
    assert Comparisons(without).nearest(F("0.01")) is None
    with pytest.raises(Undecided) as error:
        Comparisons(without).sign_from(F("1/8"))
    assert (error.value.code, error.value.boundary, error.value.bits) == ("precision", "1/8", 4096)


@pytest.mark.parametrize(
    ("value", "parts", "whole"),
    [
        (3, 1, True), ("7/2", 1, False), ("7/2", 2, True), ("0.25", 100, True), ("0.255", 100, False), (sqrt(16), 1, True), (pi, 1, False),
        (sqrt(2) * sqrt(8), 1, True), (exp(log(7)), 1, True), (exp(log(7)) / 4, 100, True), (exp(log(7)) / 3, 100, False), (-exp(log(7)), 1, True),
    ],
)  # fmt: skip
def test_whole_numbers_and_whole_parts(value, parts, whole):
    hidden = number(value) if not isinstance(value, str) else number(Rational(value))
    assert Comparisons(hidden).is_whole(parts) == whole
    if not isinstance(value, (int, str)):  # as an entry has it, with no rational number beside
        assert Comparisons(Value(hidden.ball_at, hidden.exact)).is_whole(parts) == whole


def test_a_value_may_be_in_a_ball():
    around_3 = flint.arb(3, flint.arb("0.2"))
    assert compared(pi).may_be_in(lambda bits: around_3)
    assert not compared(E).may_be_in(lambda bits: around_3)
    assert not compared(oo).may_be_in(lambda bits: around_3)
    assert not compared(zoo).may_be_in(lambda bits: around_3)
    assert not compared(pi).may_be_in(lambda bits: oo)
    assert not compared(pi).may_be_in(lambda bits: flint.arb("nan"))
    assert compared(Integer(3)).may_be_in(lambda bits: around_3)


def test_there_is_an_end_to_the_time():
    with pytest.raises(Undecided) as error:
        Comparisons(number(sqrt(2)), lambda: True).sign_from(F("1"))
    assert error.value.code == "deadline"


def recorded(number=None, exact=None):
    """A value that notes what is asked of it: the bits of each ball, and its exact form."""
    asked = []

    def ball(bits):
        asked.append(bits)
        return flint.arb(2).sqrt() * flint.arb(8).sqrt() / 32 if number is None else number()

    def form():
        asked.append("exact")
        return exact

    return asked, Comparisons(Value(ball, form))


@pytest.mark.parametrize(
    ("power", "before"), [(3, 128), (63, 128), (64, 256), (191, 256), (192, 512), (447, 512), (448, 1024)]
)
def test_the_exact_form_is_asked_for_once_where_balls_have_enough_bits(power, before):
    """Bits of the denominator and 64 more, and 128 at least."""
    asked, compared_with = recorded(lambda: flint.arb(flint.fmpq(1, 2**power), flint.arb("1e-2000")))
    with pytest.raises(Undecided):
        compared_with.sign_from(Fraction(1, 2**power))
    assert asked.count("exact") == 1
    assert asked[asked.index("exact") - 1] == before
    assert [x for x in asked if x != "exact"] == [64, 128, 256, 512, 1024, 2048, 4096]


def test_far_balls_ask_for_no_exact_form():
    asked, wide = recorded(lambda: flint.arb(0, 2))
    with pytest.raises(Undecided):
        wide.sign_from(F("1"))
    assert "exact" not in asked
    asked, near = recorded(exact=sqrt(2) * sqrt(8) / 32)
    assert near.sign_from(F("1/8")) == 0
    assert asked == [64, 128, "exact"]
    assert near.nearest(F("0.01")) == F("0.13")
    assert asked == [64, 128, "exact", "exact"]  # balls are kept


def test_numbers_that_are_very_near_are_proved_apart_with_512_bits_and_no_more():
    for power, apart in ((400, True), (600, False)):
        value = Value(lambda bits, power=power: flint.arb(1) + flint.arb(2) ** -power)
        assert Comparisons(value).is_apart_from(F("1")) is apart
        assert Comparisons(value).sign_from(F("1")) == 1
    assert compared(sqrt(2)).is_apart_from(F("1.5")) is True
    assert compared("3").is_apart_from(F("3")) is False


def test_numbers_are_exact():
    assert number(2).rational == 2
    assert number(F("2/3")).rational == F("2/3")
    assert number(sqrt(2)).rational is None
    assert number(sqrt(2)).is_undefined is False
    assert number(zoo).is_undefined is True
    for other in (1.5, "1", None, 2.0 * sqrt(2)):
        with pytest.raises(UnreadableInput):
            number(other)


def test_a_value_that_is_known_to_one_half_may_be_whole():
    assert Comparisons(Value(lambda bits: flint.arb(3), lambda: Integer(3))).is_whole() is True
    assert Comparisons(Value(lambda bits: flint.arb(7) / 2)).is_whole() is False
    assert Comparisons(Value(lambda bits: flint.arb(7) / 2)).is_whole(2) is True
    assert Comparisons(Value(lambda bits: flint.arb("3.2"))).is_whole() is False
    assert Comparisons(Value(lambda bits: flint.arb("2.8"))).is_whole() is False


def test_how_a_boundary_is_named():
    for boundary, radicand, text in (
        (F("1/8"), 1, "1/8"),
        (F("1/2"), 2, "1/2 √2"),
        (Fraction(10**59), 1, "1" + "0" * 59),
        (Fraction(10**60), 1, "1" + "0" * 58 + "…"),
    ):
        dark = Value(
            lambda bits, b=boundary, r=radicand: (
                flint.arb(flint.fmpq(b.numerator, b.denominator)) * flint.arb(r).sqrt() + flint.arb(0, 1)
            )
        )
        with pytest.raises(Undecided) as error:
            Comparisons(dark).sign_from(boundary, radicand)
        assert (error.value.boundary, error.value.bits) == (text, 4096)
