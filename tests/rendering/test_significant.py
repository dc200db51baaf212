"""Significant digits: against the decimal module, in text and in LaTeX, and never together with decimals."""

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal, localcontext

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from page_reading import HasLetters, chains, value
from sympy import Rational, S, exp, sqrt

from symtransformer import Style, derive, matrix, render, verify
from symtransformer.enclosures import ball
from symtransformer.errors import LimitExceeded, UnreadableInput
from symtransformer.operations import Exponential, Hadamard, RowDivision, RowSum
from symtransformer.rendering.numbers import show, show_exact

MODES = {"half-up": ROUND_HALF_UP, "half-even": ROUND_HALF_EVEN}


def shown(number, digits=4, **options):
    found = show_exact(Rational(number) if isinstance(number, str) else S(number), Style(significant=digits, **options))
    power = "" if found.power is None else f" × 10^{found.power}"
    return f"{'=' if found.exact else '≈'} {found.text}{power}"


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0, "= 0"), ("0.5", "= 0.5"), ("-2.25", "= -2.25"), (100, "= 100"), ("2/3", "≈ 0.6667"), ("-200/3", "≈ -66.67"),
        ("9.9996", "≈ 10.00"), ("0.99996", "≈ 1.000"), ("0.00001234", "= 0.00001234"), ("0.000012341", "≈ 0.00001234"),
        ("0.000001", "= 0.000001"), ("0.00000099994", "≈ 9.999 × 10^-7"), ("0.00000099996", "≈ 0.000001000"),
        ("0.000000001234", "= 1.234 × 10^-9"), ("-0.0000000012349", "≈ -1.235 × 10^-9"), (123456, "≈ 123500"),
        ("9999999", "≈ 1.000 × 10^7"), ("12345678", "≈ 1.235 × 10^7"), ("0.12345", "≈ 0.1235"), ("-0.12345", "≈ -0.1235"),
    ],
)  # fmt: skip
def test_four_significant_digits(number, expected):
    assert shown(number) == expected


def test_zeros_rounding_and_length_are_chosen():
    assert shown("9.9996", zeros="trim") == "≈ 10"
    assert [shown("0.12345", rounding=mode) for mode in MODES] == ["≈ 0.1235", "≈ 0.1234"]
    assert [shown("123456789", digits) for digits in (1, 8, 9, 12)] == [
        "≈ 1 × 10^8", "≈ 1.2345679 × 10^8", "= 123456789", "= 123456789",
    ]  # fmt: skip


def test_a_half_hidden_behind_roots_is_found():
    hidden = (1 + sqrt(2)) * (sqrt(2) - 1) * Rational("0.12345")  # exactly 0.12345
    assert [shown(hidden), shown(-hidden), shown(hidden, rounding="half-even")] == ["≈ 0.1235", "≈ -0.1235", "≈ 0.1234"]


def by_decimal(number, digits, mode):
    with localcontext() as context:
        context.prec = 200
        if not number:
            return "= 0"
        cut = Context(prec=digits, rounding=MODES[mode]).plus(number)
        exact, power = cut == number, cut.adjusted()
        if -6 <= power < max(7, digits):
            text = format(cut.quantize(Decimal(1).scaleb(min(0, power - digits + 1))), "f")
        else:
            text = format(cut.scaleb(-power).quantize(Decimal(1).scaleb(1 - digits)), "f")
        text = text.rstrip("0").rstrip(".") if exact and "." in text else text
        return f"{'=' if exact else '≈'} {text}" + ("" if -6 <= power < max(7, digits) else f" × 10^{power}")


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.integers(-(10**9), 10**9), st.integers(-14, 6), st.integers(1, 9), st.sampled_from(sorted(MODES)))
def test_decimals_of_any_size_round_as_the_decimal_module_rounds(units, power, digits, mode):
    number = Decimal(units).scaleb(power)
    expected = by_decimal(number, digits, mode)
    assert shown(str(number), digits, rounding=mode) == expected


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.integers(-90, 40), st.integers(1, 30), st.integers(1, 30))
def test_exponentials_of_roots_agree_with_decimals(above, below, digits):
    with localcontext() as context:
        context.prec = 120
        number = (Decimal(above) * Decimal(2).sqrt() / below).exp()
    assert shown(exp(above * sqrt(2) / below), digits) == by_decimal(number, digits, "half-up")


def test_a_number_that_may_be_zero_has_no_first_digit():
    with pytest.raises(LimitExceeded, match="no first digit"):
        show(None, lambda bits: ball(sqrt(2)) * ball(sqrt(2)) - 2, Style(significant=3))
    assert show(None, lambda bits: ball(S.Zero), Style(significant=3)).text == "0"


@pytest.mark.parametrize(
    "options",
    [{"significant": 0}, {"significant": 101}, {"significant": 3, "places": 4}, {"significant": 3, "round_steps": 2},
     {"places": 4, "round_steps": 2}, {"round_steps": -1}],
)  # fmt: skip
def test_one_length_of_numbers_and_a_possible_one(options):
    with pytest.raises(UnreadableInput, match="expected"):
        Style(**options)


A, D = matrix("A", 1, 3), matrix("d", 1, 1)
TINY = {A: [["0.0001", -3, "0.7"]], D: [[30_000_000]]}
TINY = {key: [[Rational(x) for x in row] for row in rows] for key, rows in TINY.items()}


def test_powers_of_ten_are_fenced_as_products_and_read_back():
    quotient = RowDivision(A, D)
    derivation = verify(derive({"Y": Hadamard(quotient, quotient)}, names={quotient: "T"}, values=TINY))
    page = render(derivation, style=Style(significant=3), detail="entries")
    assert "y_1 = t_1 t_1 ≈ (3.33 × 10^-12) × (3.33 × 10^-12) ≈ 1.11 × 10^-23" in page
    (line,) = [c for c in chains(page) if c.left == "y_3" and len(c.terms) == 3]
    assert [value(term)[0][0] for term in line.terms[1:]] == [Decimal("2.33e-8") ** 2, Decimal("5.44e-16")]
    assert line.rounded  # 2.33² is 5.43
    page = render(derivation, "tex", style=Style(significant=3), detail="entries")
    assert (
        r"\left(3.33 \times 10^{-12}\right) \times \left(3.33 \times 10^{-12}\right) \approx 1.11 \times 10^{-23}"
        in page
    )


@settings(derandomize=True, deadline=None, max_examples=3)
@given(st.lists(st.decimals(-9, 9, places=2), min_size=6, max_size=6), st.integers(1, 5))
def test_every_line_of_a_page_is_what_its_shown_operands_give_or_says_so(numbers, digits):
    scores = matrix("S", 2, 3)
    rows = [[Rational(str(x)) for x in numbers[:3]], [Rational(str(x)) for x in numbers[3:]]]
    powers = Exponential(scores)
    derivation = derive({"A": RowDivision(powers, RowSum(powers))}, names={powers: "U"}, values={scores: rows})
    page = render(verify(derivation), style=Style(significant=digits), detail="entries")
    seen = 0
    for chain in chains(page):
        if len(chain.terms) < 2:
            continue
        try:
            operands, result = value(chain.terms[-2])[0][0], value(chain.terms[-1])[0][0]
        except HasLetters:
            continue
        if len(value(chain.terms[-2])) == len(value(chain.terms[-2])[0]) == 1:
            seen += 1
            rounded = Context(prec=digits, rounding=ROUND_HALF_UP).plus(operands)
            assert chain.rounded == (rounded != result), chain
    assert seen >= 6
