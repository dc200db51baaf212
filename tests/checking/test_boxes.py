"""Balls around all that a name may be if each digit shown for it is a rounding."""

from fractions import Fraction

import pytest
from sympy import Abs, Integer, Rational, S, Symbol, exp, log, sqrt
from test_computed_values import cells, is_about, reach

from symtransformer import check
from symtransformer.checking import read_number
from symtransformer.checking.boxes import box, claim_box, is_rounded, number_ball, value_of
from symtransformer.checking.definitions import Definition
from symtransformer.errors import NotSupported
from symtransformer.symbols import Literal

THIRD = Rational(1, 3)


@pytest.mark.parametrize(
    ("text", "value"),
    [("3", 3), ("0.25", Rational(1, 4)), ("-1/3", -THIRD), ("√2/2", sqrt(2) / 2), ("∞", S.Infinity), ("-∞", S.NegativeInfinity), ("nan", S.NaN), ("33%", Rational(33, 100))],
)  # fmt: skip
def test_a_number_that_is_written_is_itself(text, value):
    assert value_of(read_number(text)) == value or (value is S.NaN and value_of(read_number(text)) is S.NaN)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("0.5", Fraction(45, 100), Fraction(55, 100)), ("-0.50", Fraction(-505, 1000), Fraction(-495, 1000)), ("3", 3, 3), ("1/2", Fraction(1, 2), Fraction(1, 2)), ("6.7e2", 670, 670),
        ("33%", Fraction(325, 1000), Fraction(335, 1000)), ("2.0", Fraction(195, 100), Fraction(205, 100)),
    ],
)  # fmt: skip
def test_decimals_may_be_all_that_is_rounded_to_them(text, low, high):
    assert is_about(claim_box(read_number(text)), low, high)


@pytest.mark.parametrize(("text", "expected"), [("0.5", True), ("3", False), ("1/2", False), ("30", False), ("5%", True), ("∞", False), (None, False)])  # fmt: skip
def test_which_digits_are_roundings(text, expected):
    assert is_rounded(Definition("x", Integer(1), False, 1, None if text is None else cells(text))) is expected


def test_what_is_not_finite_is_no_ball():
    assert claim_box(read_number("-∞")) is S.NegativeInfinity
    assert claim_box(read_number("nan")) is S.NaN


def test_the_box_of_a_matrix_has_its_rows_and_columns():
    shown = box(Definition("A", Literal([[1, 2, 3], [4, 5, 6]]), False, 1, cells("1.0 2 3", "4 5 6.00")))
    assert [[is_about(b, m - r, m + r) for b, m, r in zip(row, (3 * i + 1, 3 * i + 2, 3 * i + 3), rads, strict=True)]
            for i, (row, rads) in enumerate(zip(shown, ((Fraction(1, 20), 0, 0), (0, 0, Fraction(1, 200))), strict=True))] == [[True] * 3] * 2  # fmt: skip
    exact = box(Definition("A", Literal([[1, 2, 3], [4, 5, 6]]), False, 1))
    assert [
        [is_about(b, k, k) for b, k in zip(row, ks, strict=True)]
        for row, ks in zip(exact, ((1, 2, 3), (4, 5, 6)), strict=True)
    ] == [[True] * 3] * 2


X, Y = Symbol("x"), Symbol("y")


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [
        (X, Fraction(15, 100), Fraction(25, 100)), (X + 1, Fraction(115, 100), Fraction(125, 100)), (3 * X, Fraction(45, 100), Fraction(75, 100)), (X**2, Fraction(225, 10**4), Fraction(625, 10**4)),
        (X + Y + 2, Fraction(410, 100), Fraction(430, 100)), (1 / X, 4, Fraction(100, 15)), (X * Y, Fraction(292500, 10**6), Fraction(512500, 10**6)), (Abs(X), Fraction(15, 100), Fraction(25, 100)),
        (X - 1, Fraction(-85, 100), Fraction(-75, 100)), (Abs(X - 1), Fraction(75, 100), Fraction(85, 100)), (S(7), 7, 7), (2 * X * Y, Fraction(585000, 10**6), Fraction(1025000, 10**6)),
    ],
)  # fmt: skip
def test_what_a_number_made_of_names_may_be(value, low, high):
    boxes = {
        X: Definition("x", Rational(1, 5), False, 1, cells("0.2")),
        Y: Definition("y", Integer(2), False, 1, cells("2.0")),
    }
    lower, upper = reach(number_ball(value, boxes, 128))
    assert lower <= low
    assert high <= upper
    assert upper - lower < 2 * (high - low) + Fraction(1, 10**9)


@pytest.mark.parametrize("value", [exp(X), log(X)])
def test_other_functions_of_names_have_no_range(value):
    with pytest.raises(NotSupported, match=f"a range of {type(value).__name__}"):
        number_ball(value, {X: Definition("x", Rational(1, 5), False, 1, cells("0.2"))}, 64)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [("3 |x| = 1.000", "right"), ("3 |x| = 0.999", "right_if_rounded"), ("3 x = -0.999", "right_if_rounded"), ("30 |x| + 1 ≈ 10.99", "right_if_rounded"), ("30 |x| + 1 ≈ 10.91", "wrong"),
     ("3 |x| = -0.999", "wrong")],
)  # fmt: skip
def test_a_bar_around_a_rounded_number_is_no_fault(claim, verdict):
    assert check(f"$x = -1/3 ≈ -0.333$. ${claim}$", name="a.md").equations[-1].verdict == verdict
