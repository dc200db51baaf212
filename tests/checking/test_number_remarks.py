"""What is said beside a verdict on a number: the right value in the writer's places, first digits, and what explains a slip."""

from fractions import Fraction

import pytest
from number_cases import dark
from sympy import E, Rational, exp, oo, pi, sqrt, zoo

from symtransformer.checking import number, read_number
from symtransformer.checking.remarks import accusing_notes, decimal_text, first_digits, right_value, rounding_notes
from symtransformer.checking.values import Comparisons


def compared(x):
    return Comparisons(number(Rational(x) if isinstance(x, str) else x))


# -- the value in the writer's places -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("number", "places", "text"),
    [
        ("1/8", 3, "0.125"),
        ("-1/8", 3, "-0.125"),
        ("0", 0, "0"),
        ("0", 2, "0.00"),
        ("5", 0, "5"),
        ("12", 1, "12.0"),
        ("0.7", 1, "0.7"),
        ("0.07", 2, "0.07"),
        ("1200", -2, "1200"),
        ("-1200", -2, "-1200"),
        ("5e-12", 12, "0.000000000005"),
        ("5e-13", 13, "5 × 10^-13"),
        ("-12e-13", 13, "-1.2 × 10^-12"),
        ("123e-14", 14, "1.23 × 10^-12"),
        ("3e12", -12, "3000000000000"),
        ("3e13", -13, "3 × 10^13"),
        ("32e13", -13, "3.2 × 10^14"),
    ],
)
def test_a_number_is_written_out_or_with_a_power_of_ten(number, places, text):
    assert decimal_text(Fraction(number), places) == text


@pytest.mark.parametrize(
    ("claim", "value", "right"),
    [
        ("0.31", "1/3", "0.33"),
        ("0.31", "-1/3", "-0.33"),
        ("0.315", "1/3", "0.333"),
        ("60%", "2/3", "67%"),
        ("60.0%", "2/3", "66.7%"),
        ("6.7e2", "1234", "1230"),
        ("7", "2/3", "1"),
        ("0.1", "1/20", "0.1"),  # half away from 0
        ("-0.1", "-1/20", "-0.1"),
        ("0.1", pi, "3.1"),
        ("1/2", "2/3", "2/3"),  # a fraction claims exactness
        ("1/2", "1/999999", "1/999999"),
        ("1/2", "1/1000000", "0.000001"),
        ("1/2", "7/3000000", "0.000002"),
        ("1/2", sqrt(2), "1.414214"),
        ("∞", "3/4", "3/4"),
        ("undefined", E, "2.718282"),
        ("0.5", oo, "∞"),
        ("0.5", -oo, "-∞"),
        ("0.5", zoo, "undefined"),
    ],
)
def test_the_right_value_stands_in_the_places_of_the_claim(claim, value, right):
    said = right_value(read_number(claim), compared(value))
    assert said.en == right
    assert right in (said.ja, "undefined")


def test_a_value_that_is_known_too_coarsely_is_not_shown():
    near = dark((1, 100))  # 1/8 ± 1/100
    assert right_value(read_number("0.3"), Comparisons(near)).en == "0.1"
    for claim in ("0.30", "1/3"):
        assert right_value(read_number(claim), Comparisons(near)).en.startswith("a number that is not decided")


@pytest.mark.parametrize(
    ("claim", "value", "right"),
    [  # what is far off is told with two digits that say something
        ("0.5", "2", "2.0"),
        ("0.5", "1", "1.0"),
        ("0.5", "1/4", "0.25"),
        ("0.5", "1/2", "0.5"),
        ("0.5", "-1/3", "-0.33"),
        ("0.5", "1/100", "0.01"),
        ("0.5", "17/1000", "0.017"),
        ("0.5", "1/3000", "0.00033"),
        ("0.5", "1/30000", "0.000033"),
        ("0.5", "-1/40000", "-0.000025"),
        ("3", "1/4000", "0.00025"),
        ("3", "0", "0"),
        ("3", "26", "26"),
        ("3", "10", "10"),
        ("3", "29/3", "10"),
        ("3", "28/3", "9.3"),
        ("50%", "1/400", "0.25%"),
        ("20%", "1/3000000", "0.000033%"),
        ("0.5", exp(-2000), "2.6 × 10^-869"),
    ],
)
def test_nothing_is_told_as_0_that_is_not(claim, value, right):
    assert right_value(read_number(claim), compared(value), is_far=True).en == right
    if right.startswith("0.00"):  # also where it is not far off
        assert right_value(read_number(claim), compared(value)).en == right


def test_what_is_too_near_0_to_be_shown_is_not_told_as_0():
    assert right_value(read_number("0.5"), compared(exp(-3000)), is_far=True).en.startswith("a number that is not")


@pytest.mark.parametrize(
    ("claim", "value", "equals", "right"),
    [  # no fraction is told to be equal to a whole number
        ("3", "5/2", True, "2.5"),
        ("3", "5/2", False, "3"),
        ("3", "1/4", True, "0.25"),
        ("3", "1/8", True, "0.125"),
        ("3", "1/16", True, "0.0625"),
        ("3", "4", True, "4"),
        ("1", "1/3", True, "0.33"),
        ("12", "37/3", True, "12.3"),
        ("700", "1996/3", True, "665.3"),
        ("3.0", "5/4", True, "1.3"),
    ],
)
def test_a_fraction_behind_an_equals_sign_is_no_whole_number(claim, value, equals, right):
    assert right_value(read_number(claim), compared(value), equals=equals).en == right


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1/3", "0.33..."), ("-1/3", "-0.33..."), ("2/3", "0.66..."), ("-2/3", "-0.66..."),
        ("1/4", "0.25"), ("-1/4", "-0.25"), ("1/2", "0.5"), ("-1/2", "-0.5"), ("1/8", "0.12..."), ("-1/8", "-0.12..."),
        ("19/10", "1.9"), ("3", None), ("-3", None), ("0", None), (pi, "3.14..."), (E, "2.71..."), (-E, "-2.71..."),
        ("1/1000", "0.001"), ("-1/1000", "-0.001"), ("1/3000", "0.0003..."), ("-1/3000", "-0.0003..."),
        ("3001/1000", "3.001"), ("2999/1000", "2.99..."), ("9001/3000", "3.0003..."),
        ("3000001/1000000", "3.000001"), ("30000001/10000000", None), ("1/10000000", None), ("-1/10000000", None),
        ("1/200", "0.005"), ("7/1500", "0.004..."),
    ],
)  # fmt: skip
def test_first_digits_are_cut_off_and_not_rounded(value, text):
    found = first_digits(compared(value))
    assert found is None if text is None else (found.en, found.ja) == (text, text)


def test_first_digits_of_what_is_known_too_coarsely():
    assert first_digits(Comparisons(dark((1, 100)))) is None


# -- notes ----------------------------------------------------------------------------------------------------------
def named(notes):
    return [note.name for note in notes]


@pytest.mark.parametrize(
    ("claim", "value", "notes"),
    [
        ("0.3300", "1/3", ["padded_zeros"]),
        ("0.3301", "1/3", []),
        ("2.0", "7/3", []),  # 2 is right only because it is coarse
        ("10.0", "31/3", ["padded_zeros"]),  # two digits remain
        ("9.0", "28/3", []),
        ("0.20", "7/30", []),
        ("1.000", "10005/10000", ["padded_zeros"]),  # nearer than a thousandth of the place that remains
        ("1.000", "9995/10000", ["padded_zeros"]),
        ("1.000", "1001/1000", []),
        ("1.000", "999/1000", []),
        ("0.33", "-1/3", ["sign"]),
        ("-0.33", "1/3", ["sign"]),
        ("0.33", "1/3", []),
        ("3.33", "1/3", ["factor_10"]),
        ("0.0333", "1/3", ["factor_10"]),
        ("33.3", "1/3", ["percent"]),
        ("0.00333", "1/3", ["percent"]),
        ("333.0", "333/1000", ["factor_10"]),
        ("0.000333", "1/3", ["factor_10"]),
        ("3333.0", "3333/10000", []),  # four places are no slip of the point
        ("0.0000333", "1/3", []),
        ("-3.33", "1/3", []),  # two slips
        ("0.00", "1/3", []),  # 0 moves nowhere
        ("0", "5", []),
        ("2/5", "1/3", ["claims_exactness"]),
        ("-1/3", "1/3", ["sign", "claims_exactness"]),
        ("10/3", "1/3", ["factor_10", "claims_exactness"]),
        ("∞", "1/3", []),
        ("undefined", "1/3", []),
        ("0.33", oo, []),
        ("0.33", zoo, []),
    ],
)
def test_what_explains_a_wrong_number(claim, value, notes):
    assert named(accusing_notes(read_number(claim), compared(value), False)) == notes


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("3.33", "1 place too far to the right"), ("0.0333", "1 place too far to the left"),
        ("333.3", "3 places too far to the right"), ("0.000333", "3 places too far to the left"),
    ],
)  # fmt: skip
def test_where_the_point_stands(claim, words):
    (note,) = accusing_notes(read_number(claim), compared("1/3"), False)
    assert words in note.words.en
    side = "右" if "right" in words else "左"
    assert f"{words[0]} 桁だけ{side}" in note.words.ja


@pytest.mark.parametrize(
    ("claim", "value", "note"),
    [
        ("0.66", "2/3", "truncated"),
        ("-0.66", "-2/3", "truncated"),
        ("0.34", "1/3", "rounded_away"),
        ("-0.34", "-1/3", "rounded_away"),
        ("0.00", "1/150", "truncated"),
        ("0.00", "-1/150", "truncated"),
        ("-0.00", "-1/150", "truncated"),
        ("0.66", "67/100", "one_unit"),
        ("0.68", "67/100", "one_unit"),
        ("-0.66", "-67/100", "one_unit"),
        ("2", "8/3", "truncated"),
        ("3", "7/3", "rounded_away"),
        ("5", "4", None),  # neither is rounded
        ("4", "13/3", None),  # it is what it is rounded to, and an equals sign made it wrong
        ("0.66...", "2/3", "not_first_digits"),
        ("600", "2000/3", "truncated"),
    ],
)
def test_how_the_last_digit_came_about(claim, value, note):
    assert named(accusing_notes(read_number(claim), compared(value), True)) == ([] if note is None else [note])


@pytest.mark.parametrize(
    ("claim", "value", "equals", "zeros", "notes"),
    [
        ("0.33", "1/3", False, True, []),
        ("0.33", "1/3", True, True, ["equals_rounded"]),
        ("0.25", "1/4", True, True, []),
        ("0.33...", "1/3", True, True, []),
        ("0.66...", "67/100", True, True, []),  # the end of what goes on is no half
        ("-0.00", "-1/400", False, True, ["negative_zero"]),
        ("0.12", "1/8", False, True, ["half_way"]),
        ("0.13", "1/8", True, True, ["half_way", "equals_rounded"]),
        ("700", "3326/5", False, False, ["whole_zeros"]),
        ("700", "650", False, False, ["whole_zeros", "half_way"]),
        ("700", "700", True, True, []),
    ],
)
def test_what_is_said_of_a_right_number(claim, value, equals, zeros, notes):
    assert named(rounding_notes(read_number(claim), compared(value), equals, zeros)) == notes
