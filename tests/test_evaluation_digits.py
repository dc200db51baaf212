"""Proven digits and correct rounding, against fractions, decimal and mpmath at high precision."""

import random
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from mpmath import mp, mpf
from sympy import Add, E, Float, Integer, Mul, Pow, Rational, S, cos, erf, exp, log, pi, sin, sqrt, tanh

from symtransformer import evaluate, matrix
from symtransformer.enclosures import ball, rounded, significant
from symtransformer.errors import LimitExceeded, UnreadableInput
from symtransformer.operations import Exponential, Softmax
from symtransformer.zero import is_exactly_zero

ROOT_2, ROOT_3, ROOT_6 = sqrt(2), sqrt(3), sqrt(6)


def balls(value):
    return lambda bits: ball(value)


def kept(*factors):
    """A product that SymPy does not simplify."""
    return Mul(*factors, evaluate=False)


def total(*terms):
    return Add(*terms, evaluate=False)


# -- rounded: halves away from zero, halves to even -------------------------------------------------
def by_decimal(value, places, rule):
    """Units of 10^-places of a fraction with a short decimal expansion, rounded by Python's decimal."""
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return int((exact.scaleb(places)).quantize(Decimal(1), rounding=rule))


@pytest.mark.parametrize("known", [True, False])
def test_rounding_of_decimals_and_of_ties(known):
    source = random.Random(4)
    for _ in range(300):
        places = source.randint(0, 6)
        value = Fraction(source.randint(-(10**6), 10**6), 10 ** source.randint(0, places + 1))
        number = Rational(value.numerator, value.denominator)
        tie = (abs(value) * 10**places) % 1 == Fraction(1, 2)
        if tie and not known:
            continue
        for half_even, rule in ((False, ROUND_HALF_UP), (True, ROUND_HALF_EVEN)):
            units, exact = rounded(balls(number), number if known else None, places, half_even)
            assert units == by_decimal(value, places, rule)
            assert not known or exact == (value * 10**places % 1 == 0)


@pytest.mark.parametrize(
    ("text", "away", "even"),
    [("0.5", 1, 0), ("-0.5", -1, 0), ("1.5", 2, 2), ("2.5", 3, 2), ("-2.5", -3, -2), ("0.49", 0, 0), ("-0.2", 0, 0)],
)
def test_halves_by_hand(text, away, even):
    number = Rational(text)
    assert rounded(balls(number), number, 0)[0] == away
    assert rounded(balls(number), number, 0, half_even=True)[0] == even


EIGHTH = {
    "√2 √8 / 32": kept(Pow(2, S.Half, evaluate=False), Pow(8, S.Half, evaluate=False), Rational(1, 32)),
    "e e⁻¹ / 8": kept(E, exp(-1), Rational(1, 8)),
    "e² / (e² + e²) / 4": kept(exp(2), Pow(total(exp(2), exp(2)), -1, evaluate=False), Rational(1, 4)),
    "(√2 - 1)(√2 + 1) / 8": (ROOT_2 - 1) * (ROOT_2 + 1) / 8,
    "(√6 - √2 √3 + 1) / 8": total(ROOT_6, kept(-1, ROOT_2, ROOT_3), 1) / 8,
    "e^√8 / e^(2 √2) / 8": kept(
        Pow(E, kept(2, ROOT_2), evaluate=False), Pow(exp(sqrt(8)), -1, evaluate=False), Rational(1, 8)
    ),
    "1/(1 + √2) - √2 + 9/8": 1 / (1 + ROOT_2) - ROOT_2 + Rational(9, 8),
    "(e^√2 + 1)² - e^(2 √2) - 2 e^√2 - 7/8": (exp(ROOT_2) + 1) ** 2
    - exp(2 * ROOT_2)
    - 2 * exp(ROOT_2)
    - Rational(7, 8),
}


@pytest.mark.parametrize("name", EIGHTH)
@pytest.mark.parametrize("sign", [1, -1])
def test_ties_hidden_in_roots_and_exponentials(name, sign):
    number = kept(sign, EIGHTH[name])
    assert rounded(balls(number), number, 2) == (13 * sign, False)
    assert rounded(balls(number), number, 2, half_even=True) == (12 * sign, False)
    assert rounded(balls(number), number, 3) == (125 * sign, True)
    assert rounded(balls(number), number, 0) == (0, False)
    assert significant(balls(number), number, 2) == Float("0.13" if sign > 0 else "-0.13", 2)


@pytest.mark.parametrize("shift", [1, -1])
@pytest.mark.parametrize("exponent", [20, 30, 60, 300, 900])
def test_values_next_to_a_tie(exponent, shift):
    for near in (Rational(shift, 10**exponent), shift * exp(-kept(exponent, log(10)))):
        for tie in (Rational(1, 8), EIGHTH["(√2 - 1)(√2 + 1) / 8"]):
            number = tie + near
            assert rounded(balls(number), number, 2)[0] == (13 if shift > 0 else 12)
            assert rounded(balls(-number), -number, 2)[0] == (-13 if shift > 0 else -12)


def test_a_tie_of_which_nothing_exact_is_known_is_refused():
    with pytest.raises(LimitExceeded, match="rounding to 2 places is not decided with 4096 bits"):
        rounded(balls(EIGHTH["√2 √8 / 32"]), None, 2)
    nested = sqrt(3 + 2 * ROOT_2) - ROOT_2 - 1 + Rational(1, 8)  # a root of a root: the zero test does not apply
    with pytest.raises(LimitExceeded):
        rounded(balls(nested), nested, 2)


# -- significant digits ----------------------------------------------------------------------------
def correctly_rounded(value, digits):
    """The fraction that the right digits mean: by fractions, or from 2,000 digits of mpmath; halves away from zero."""
    if isinstance(value, Fraction):
        size, one, ten, floor = abs(value), Fraction(1), Fraction(10), lambda x: x.numerator // x.denominator
        magnitude = len(str(size.numerator)) - len(str(size.denominator))
    else:
        with mp.workdps(2000):
            value = value()
            size, one, ten, floor = abs(value), mpf(1), mpf(10), lambda x: int(mp.floor(x))
            magnitude = int(mp.floor(mp.log10(size)))
    with mp.workdps(2000):
        magnitude += int(size >= ten ** (magnitude + 1)) - int(size < ten**magnitude)
        units = floor(size * ten ** (digits - 1 - magnitude) + one / 2)
    return Fraction(units) * Fraction(10) ** (magnitude + 1 - digits) * (1 if value > 0 else -1)


def is_tie(value, digits):
    """Whether it lies exactly between two numbers of so many digits: the smallest step down is rounded otherwise."""
    if not isinstance(value, Fraction):
        return False
    up, down = (correctly_rounded(value * (1 + side * Fraction(1, 10**300)), digits) for side in (1, -1))
    return up != down


def drawn_cases():
    """200 numbers as (SymPy, mpmath, digits): attention-like, near ties, near powers of ten, huge, tiny, negative."""
    source = random.Random(11)
    cases = []
    for k in range(200):
        digits = source.choice([1, 2, 5, 15, 19, 30, 38, 50, 76])
        sign = source.choice([1, -1])
        a, b = source.randint(1, 99), source.randint(1, 99)
        kind = k % 8
        fraction = None
        if kind == 0:
            cases.append(
                (
                    sign / (1 + exp(Rational(a, b) / ROOT_2)),
                    lambda s=sign, a=a, b=b: s / (1 + mp.exp(mpf(a) / b / mp.sqrt(2))),
                    digits,
                )
            )
        elif kind == 1:  # within 1e-30 or less of a rounding boundary
            unit, far = source.randint(10 ** (digits - 1), 10**digits - 1), source.randint(30, 110)
            fraction = sign * (unit + Fraction(1, 2)) + Fraction(source.choice([1, -1]), 10**far)
        elif kind == 2:  # an exact tie
            fraction = sign * (source.randint(10 ** (digits - 1), 10**digits - 1) + Fraction(1, 2)) / 10**a
        elif kind == 3:  # next to a power of ten, from either side
            far, power = (
                source.choice([digits - 1, digits, digits + 1, digits + 2, 3 * digits]),
                source.randint(-40, 40),
            )
            fraction = (1 + sign * Fraction(1, 10 ** max(far, 1))) * Fraction(10) ** power
        elif kind == 4:
            cases.append(
                (
                    sign * exp(Rational(100 * a, b)) * ROOT_3,
                    lambda s=sign, a=a, b=b: s * mp.exp(mpf(100 * a) / b) * mp.sqrt(3),
                    digits,
                )
            )
        elif kind == 5:
            cases.append(
                (sign * exp(-Rational(500 * a, b)), lambda s=sign, a=a, b=b: s * mp.exp(-mpf(500 * a) / b), digits)
            )
        elif kind == 6:  # most digits cancel
            cases.append((exp(Rational(a, 10**40)) - 1, lambda a=a: mp.expm1(mpf(a) / mpf(10) ** 40), digits))
        else:
            fraction = sign * Fraction(a, b)
        if fraction is not None:
            cases.append((Rational(fraction.numerator, fraction.denominator), fraction, digits))
    return cases


CASES = drawn_cases()


@pytest.mark.parametrize("known", [True, False])
def test_digits_agree_with_mpmath(known):
    compared = 0
    for number, value, digits in CASES:
        if not known and is_tie(value, digits):
            continue  # refused, as shown above
        found = significant(balls(number), number if known else None, digits)
        assert Fraction(str(found)) == correctly_rounded(value, digits), (number, digits)
        compared += 1
    assert compared >= (200 if known else 170)


def test_the_check_of_digits_can_fail():
    number = 1 / (1 + exp(1 / ROOT_2))
    assert Fraction(str(significant(balls(number), number, 20))) == correctly_rounded(
        lambda: 1 / (1 + mp.exp(1 / mp.sqrt(2))), 20
    )
    assert Fraction(str(significant(balls(number), number, 20))) != correctly_rounded(
        lambda: 1 / (1 + mp.exp(1 / mp.sqrt(2))) * (1 + mpf(10) ** -19), 20
    )


@pytest.mark.parametrize("digits", [1, 19, 38, 76, 153, 307, 613, 1000])
def test_next_below_a_power_of_ten_at_every_precision(digits):
    """Once, 1 - 10^-19 to 19 digits came out as 1: the ball was as wide as the distance."""
    for power in (0, 3, -3):
        number = (1 - Rational(1, 10**digits)) * Integer(10) ** power
        assert Fraction(str(significant(balls(number), None, digits))) == Fraction(number.p, number.q)


def test_a_ball_made_wide_by_cancellation_is_not_taken_for_a_power_of_ten():
    def wide(bits):
        big = ball(Integer(10) ** 9 * 2 ** (bits - 64 if bits <= 128 else 0))
        return (big + ball(1 - Rational(1, 10**11))) - big

    assert significant(wide, None, 11) == Float("0.99999999999", 11)


def test_zero_and_hidden_zero():
    for zero in (S.Zero, (ROOT_2 - 1) * (ROOT_2 + 1) - 1, kept(E, exp(-1)) - 1):
        found = significant(balls(zero), zero, 12)
        assert found.is_Float
        assert found.is_zero
    with pytest.raises(LimitExceeded, match="12 digits are not decided"):
        significant(balls((ROOT_2 - 1) * (ROOT_2 + 1) - 1), None, 12)


@pytest.mark.parametrize("digits", [0, -1, 1001])
def test_number_of_digits_has_limits(digits):
    with pytest.raises(UnreadableInput, match="expected 1 to 1000"):
        evaluate(matrix("A", 1, 1), {"A": [[1]]}, digits=digits)


def test_digits_of_huge_and_tiny_softmax():
    scores = matrix("S", 1, 2)
    value = evaluate(Softmax(scores), {scores: [[0, 1000]]}, digits=40)
    with mp.workdps(60):
        assert abs(mpf(str(value[0, 0])) / (1 / (1 + mp.exp(1000))) - 1) < mpf("1e-39")
    assert Fraction(str(value[0, 1])) == 1  # 1 - 5e-435, rounded to 40 digits
    huge = evaluate(Exponential(scores), {scores: [[10**6, -(10**6)]]}, digits=30)
    with mp.workdps(60):
        assert abs(mpf(str(huge[0, 0])) / mp.exp(10**6) - 1) < mpf("1e-29")
        assert abs(mpf(str(huge[0, 1])) * mp.exp(10**6) - 1) < mpf("1e-29")


# -- the exact zero test ----------------------------------------------------------------------------
PRIME, OTHER, THIRD = 1000003, 1000033, 1000037  # above the limit to which SymPy takes squares out of roots
FOUND_ZERO = [value - Rational(1, 8) for value in EIGHTH.values()] + [
    S.Zero,
    sqrt(2 * PRIME**2 * OTHER**2) - PRIME * OTHER * ROOT_2,
    sqrt(Integer(PRIME * OTHER**2)) + sqrt(Integer(PRIME * THIRD**2)) - (OTHER + THIRD) * sqrt(Integer(PRIME)),
    sqrt(Integer(PRIME * OTHER)) * sqrt(Integer(OTHER)) - OTHER * sqrt(Integer(PRIME)),
    kept(exp(sqrt(2 * PRIME**2 * OTHER**2)), exp(-PRIME * OTHER * ROOT_2)) - 1,
    sin(ROOT_3) ** 2 + cos(ROOT_3) ** 2 - 1,
    3 * sin(ROOT_2) - 4 * sin(ROOT_2) ** 3 - sin(3 * ROOT_2),
    sin(2 * sqrt(Integer(PRIME))) - sin(sqrt(Integer(4 * PRIME))),
    cos(1 + ROOT_2) - cos(1) * cos(ROOT_2) + sin(1) * sin(ROOT_2),
    tanh(ROOT_2) - (exp(ROOT_2) - exp(-ROOT_2)) / (exp(ROOT_2) + exp(-ROOT_2)),
    tanh(2) * (1 + tanh(1) ** 2) - 2 * tanh(1),
]
NOT_ZERO = [
    S.One, E - 1, E - Rational(2718281828, 10**9), exp(ROOT_2) - E, ROOT_2 + ROOT_3 - sqrt(10), ROOT_2 + ROOT_3 - Rational(31462643699419723423, 10**19),
    exp(ROOT_2 + ROOT_3) - exp(Integer(3)), exp(-1000), -exp(-ROOT_2) / 3,
    sqrt(Integer(PRIME)) - sqrt(Integer(OTHER)),
    sin(1) - cos(1), sin(ROOT_2) * E - 1, sin(1) ** 2 + cos(1 + Rational(1, 10**50)) ** 2 - 1, tanh(20) - 1,
    sin(ROOT_2 + ROOT_3) - sin(sqrt(10)), tanh(1) - sin(1),
]  # fmt: skip
UNKNOWN = [
    pi - 3,
    log(2) - 1,
    exp(exp(1)) - 15,
    sqrt(1 + ROOT_2) - 1,
    Pow(2, Rational(1, 3)) - 1,
    exp(pi) - 23,
    sin(sin(1)),
    cos(pi / 7) - Rational(9, 10),
    tanh(tanh(1)) - sin(1),
    erf(1) - 1,
]


@pytest.mark.parametrize(("values", "answer"), [(FOUND_ZERO, True), (NOT_ZERO, False), (UNKNOWN, None)])
def test_exact_zero(values, answer):
    for value in values:
        assert is_exactly_zero(value) is answer, value
