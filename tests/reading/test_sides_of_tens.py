"""Powers of ten beside a slash, units behind numbers, and the order of growth: read as one thing, or refused."""

from __future__ import annotations

import pytest
from sympy import Rational

from symtransformer.reading.problems import ReadingError
from symtransformer.reading.sides import Known, read_side


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"8.80 \times 10^{12} / 6.87 \times 10^{10}", Rational(88000, 687)),
        ("6.0 × 10^3 / 2 × 10^3", 3),
        ("6.0×10³ / 2×10³", 3),
        ("3 * 10**2 / 6 * 10**2", Rational(1, 2)),
        (r"1 + 3 \cdot 10^2 / 6 \cdot 10^2", Rational(3, 2)),
        ("2 × 10^3 / 4", 500),
        ("12 / 2 × 3", 18),
        ("2 × 10^3 / 5 + 10^2", 500),
        ("2 × 10^3 / 5 × 10", 4000),
    ],
)
def test_a_number_times_a_power_of_ten_is_one_number_below_a_slash(text, value):
    assert read_side(text, {}).value == value


@pytest.mark.parametrize(
    "text", ["8 / 2 × 10^3", "12 × 10^3 / 20 × 10^3", "2 × 3 × 10^3 / 2 × 10^3", "(3 × 10^3) / 2 × 10^3"]
)
def test_what_could_be_a_further_factor_is_refused(text):
    with pytest.raises(ReadingError) as error:
        read_side(text, {})
    assert error.value.code == "after_slash"


def test_units_and_the_order_of_growth_are_no_products_of_matrices():
    scope = {name: Known((2, 2)) for name in "MBO"} | {"T": Known(), "d": Known()}
    for text, code in (("20 MB", "unknown_name"), ("O(T d)", "ambiguous"), (r"O(Td^2)", "ambiguous")):
        with pytest.raises(ReadingError) as error:
            read_side(text, scope, "latex")
        assert error.value.code == code
    assert read_side("M B", scope).value.shape == (2, 2)
    assert read_side("MB", scope).value.shape == (2, 2)
    assert read_side("O · (M + B)", scope).value.shape == (2, 2)
