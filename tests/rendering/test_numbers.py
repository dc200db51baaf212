"""How numbers are shown: digits, zeros, rounding, percent, and when a line says that operands are rounded."""

import importlib.util
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from page_reading import HasLetters, chains, value
from sympy import Rational, S, exp, sqrt

from symtransformer import Follow, Style, derive, dimension, matrix, render, verify
from symtransformer.errors import UnreadableInput
from symtransformer.operations import RowDivision, Scaling, Softmax
from symtransformer.rendering.numbers import show_exact, show_given

CHAPTER = Path(__file__).parents[2] / "derivations" / "explainer_chapter_4.py"
KEEP, TRIM, EVEN = Style(), Style(zeros="trim"), Style(rounding="half-even")


def shown(number, style=KEEP, percent=False, places=None):
    found = show_exact(S(number) if not isinstance(number, str) else Rational(number), style, percent, places)
    return ("= " if found.exact else "≈ ") + found.text


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0, "= 0"), ("0.5", "= 0.5"), ("-2.25", "= -2.25"), ("0.1234", "= 0.1234"), (100, "= 100"),
        ("1/3", "≈ 0.3333"), ("-2/3", "≈ -0.6667"), ("0.00004", "≈ 0.0000"), ("-0.00004", "≈ 0.0000"),
        ("0.00005", "≈ 0.0001"), ("-0.00005", "≈ -0.0001"), ("0.12345", "≈ 0.1235"), ("-0.12345", "≈ -0.1235"),
        ("2.50004", "≈ 2.5000"), ("0.99996", "≈ 1.0000"), ("-0.99996", "≈ -1.0000"), ("123456789.00001", "≈ 123456789.0000"),
    ],
)  # fmt: skip
def test_four_decimals_equals_only_where_exact_and_halves_away_from_zero(number, expected):
    assert shown(number) == expected


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("1.17496", "≈ 1.175"),
        ("2.50004", "≈ 2.5"),
        ("0.99996", "≈ 1"),
        ("-0.00004", "≈ 0"),
        ("0.5", "= 0.5"),
        ("10", "= 10"),
    ],
)
def test_zeros_are_trimmed_on_request(number, expected):
    assert shown(number, TRIM) == expected


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("0.12345", "≈ 0.1234"),
        ("0.12355", "≈ 0.1236"),
        ("-0.12345", "≈ -0.1234"),
        ("-0.00005", "≈ 0.0000"),
        ("0.123451", "≈ 0.1235"),
    ],
)
def test_halves_go_to_the_even_neighbor_on_request(number, expected):
    assert shown(number, EVEN) == expected


@pytest.mark.parametrize(
    ("number", "style", "places", "expected"),
    [
        ("0.5875", KEEP, None, "≈ 58.8%"), ("0.125", KEEP, None, "= 12.5%"), ("0.3302", KEEP, 0, "≈ 33%"),
        ("0.1245", KEEP, None, "≈ 12.5%"), ("0.1245", EVEN, None, "≈ 12.4%"), ("-0.1245", KEEP, None, "≈ -12.5%"),
        ("0.145", KEEP, 0, "≈ 15%"), ("0.145", EVEN, 0, "≈ 14%"), ("-0.0004", KEEP, None, "≈ 0.0%"), ("1", KEEP, None, "= 100%"),
        ("0.29996", TRIM, None, "≈ 30%"), ("0.29996", KEEP, None, "≈ 30.0%"),
    ],
)  # fmt: skip
def test_percent_has_one_decimal_and_is_decided_on_the_exact_value(number, style, places, expected):
    assert shown(number, style, percent=True, places=places) == expected


def test_a_half_hidden_behind_roots_is_found():
    hidden = (1 + sqrt(2)) * (sqrt(2) - 1) / 20000  # exactly 0.00005
    assert not hidden.is_Rational
    assert [shown(hidden), shown(-hidden), shown(hidden, EVEN)] == ["≈ 0.0001", "≈ -0.0001", "≈ 0.0000"]
    assert shown(20000 * hidden) == "= 1"


def test_minus_infinity_and_letters_are_shown_as_they_are():
    found = show_exact(S.NegativeInfinity, KEEP)
    assert (found.text, found.exact, found.is_negative) == ("-∞", True, True)
    assert show_given(S.NegativeInfinity).text == "-∞"
    assert show_exact(S("t"), KEEP).formula == S("t")


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("0.123456789", "0.123456789"),
        ("-0.50", "-0.5"),
        ("3", "3"),
        ("1/1024", "0.0009765625"),
        ("-0.0", "0"),
        ("1e-7", "0.0000001"),
    ],
)
def test_given_numbers_are_shown_in_full(number, expected):
    found = show_given(Rational(number))
    assert (found.text, found.exact, found.value) == (expected, True, Rational(number))


def test_given_fractions_and_roots_stay_formulas():
    for number in (Rational(1, 3), Rational(-22, 7), sqrt(2), exp(1)):
        found = show_given(number)
        assert (found.text, found.formula, found.exact) == ("", number, True)


@pytest.mark.parametrize("options", [{"places": -1}, {"places": 101}, {"zeros": "drop"}, {"rounding": "down"}])
def test_a_style_that_does_not_exist_is_refused(options):
    with pytest.raises(UnreadableInput, match="expected"):
        Style(**options)


# -- against the decimal module and fractions -------------------------------------------------------
MODES = {"half-up": ROUND_HALF_UP, "half-even": ROUND_HALF_EVEN}


def by_decimal(number, places, mode):
    with localcontext() as context:
        context.prec = 200
        quantized = number.quantize(Decimal(1).scaleb(-places), rounding=MODES[mode])
        text = format(quantized + 0 if quantized else abs(quantized), "f")
        exact = quantized == number
    trimmed = text.rstrip("0").rstrip(".") if exact and "." in text else text
    return ("= " if exact else "≈ ") + trimmed


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.decimals(-(10**6), 10**6, places=7), st.integers(0, 8), st.sampled_from(sorted(MODES)), st.booleans())
def test_terminating_decimals_round_as_the_decimal_module_rounds(number, places, mode, percent):
    expected = by_decimal(number * 100 if percent else number, places, mode) + ("%" if percent else "")
    assert shown(str(number), Style(rounding=mode), percent, places) == expected


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.fractions(max_denominator=10**4), st.integers(0, 6))
def test_fractions_round_to_the_nearest_halves_away_from_zero(number, places):
    found = show_exact(Rational(number.numerator, number.denominator), Style(places))
    distance = abs(Fraction(found.text) - number)
    assert distance <= Fraction(1, 2 * 10**places)
    assert distance < Fraction(1, 2 * 10**places) or abs(Fraction(found.text)) > abs(number)
    assert found.exact == (distance == 0)
    assert not found.text.startswith("-0") or Fraction(found.text) != 0


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.integers(-40, 40), st.integers(1, 30), st.integers(0, 30))
def test_exponentials_of_roots_agree_with_decimals(above, below, places):
    with localcontext() as context:
        context.prec = 120
        number = (Decimal(above) * Decimal(2).sqrt() / below).exp()
        expected = by_decimal(number, places, "half-up")
    assert shown(exp(above * sqrt(2) / below), KEEP, places=places) == expected


# -- "operands are rounded" ---------------------------------------------------------------------------
@cache
def verified_chapter():
    spec = importlib.util.spec_from_file_location("chapter", CHAPTER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return verify(module.derivation)


def check_remarks(page, places=4):
    """For each line: = is literally true, and the remark stands exactly where the operands do not give the result."""
    seen = {"with": 0, "without": 0, "formula": 0}
    for chain in chains(page):
        numeric = numbers_at_the_end(chain)
        if len(numeric) < 2:
            seen["formula"] += 1
            assert not chain.rounded, chain
            continue
        seen["with" if chain.rounded else "without"] += 1
        *operands, result = numeric
        signs = [sign for sign, _ in chain.rights[1 - len(numeric) :]]
        for before, after, sign in zip(operands, numeric[1:], signs, strict=True):
            apart = max(
                abs(a - b) if a != b else 0
                for x, y in zip(before, after, strict=True)
                for a, b in zip(x, y, strict=True)
            )
            assert sign == "≈" or apart < Decimal(10) ** -50, chain
        assert chain.rounded == any(not _gives(term, result, places) for term in operands), chain
    return seen


def numbers_at_the_end(chain):
    """The values of the last terms of a chain, as many as hold no letters."""
    numeric = []
    for term in reversed(chain.terms):
        try:
            numeric.insert(0, value(term))
        except HasLetters:
            break
    return numeric


def _gives(operands, result, places):
    unit = Decimal(1).scaleb(-places)
    for a, b in zip((x for row in operands for x in row), (x for row in result for x in row), strict=True):
        if a.is_nan() or (a != b and (a.is_infinite() or a.quantize(unit, ROUND_HALF_UP) != b)):
            return False
    return True


@pytest.mark.parametrize("detail", ["results", "steps", "entries"])
@pytest.mark.parametrize(
    ("options", "follow"),
    [({}, None), ({"places": 2}, Follow("Z", "column", 0)), ({"places": 7}, None), ({"zeros": "trim"}, False)],
)
def test_the_chapter_says_operands_are_rounded_exactly_where_they_do_not_give_the_result(detail, options, follow):
    page = render(verified_chapter(), detail=detail, style=Style(**options), follow=follow)
    seen = check_remarks(page, options.get("places", 4))
    assert (seen["with"] > 0) == (detail != "results")
    assert seen["without"] + seen["formula"] > 0 or detail == "results"


def test_the_remark_stands_at_known_lines_of_the_chapter():
    lines = {
        chain.left: chain for chain in chains(render(verified_chapter(), detail="entries")) if len(chain.rights) == 3
    }
    assert lines["z_11"].rounded  # 0.3302 × 2 is 0.6604, the result 0.6605
    assert not lines["z_21"].rounded  # 0.5875 × 2 is 1.1750
    assert not lines["c_2"].rounded  # 2.0281 + 1.4241 is 3.4522


def test_operands_that_are_rounded_to_zero_give_nothing_and_the_line_says_so():
    scores = matrix("S", 1, 2)
    page = render(verify(derive(Softmax(scores), stages=True, values={scores: [[-30, -31]]})), detail="entries")
    last = [chain for chain in chains(page) if chain.left == "y_1"]
    assert [chain.rounded for chain in last] == [True, False]
    assert last[0].terms == ["u_1 / c_1", "0.0000 / 0.0000", "0.7311"]


@settings(derandomize=True, deadline=None, max_examples=8)
@given(st.lists(st.decimals(-3, 3, places=2), min_size=6, max_size=6), st.integers(1, 7))
def test_remarks_are_right_for_other_numbers_too(numbers, divisor):
    given_ = [[Rational(str(x)) for x in numbers[:3]], [Rational(str(x)) for x in numbers[3:]]]
    scores, values = matrix("R", 2, 3), matrix("V", 3, 2)
    weights = Softmax(Scaling(scores, 1, divisor))
    page = render(
        verify(
            derive(
                {"Z": weights @ values},
                names={weights: "A"},
                stages=True,
                values={scores: given_, values: [[1, -2], [3, 0], [Rational("0.7"), 5]]},
            )
        ),
        detail="entries",
    )
    assert check_remarks(page)["without"] > 0


def test_a_behind_line_that_stops_at_rounded_names_says_so():
    from symtransformer import Section, Words

    scores, divisors, values = matrix("R", 1, 2), matrix("d", 1, 1), matrix("V", 2, 1)
    derivation = derive(
        {"Z": RowDivision(scores, divisors) @ values},
        names={RowDivision(scores, divisors): "A"},
        values={scores: [[1, 2]], divisors: [[3]], values: [[3], [3]]},
        sections=[Section(Words("a", "あ"), steps=("A",), behind=(("Z", ("A",)),))],
    )
    (chain,) = (c for c in chains(render(verify(derivation))) if c.left == "Z")
    assert (chain.terms, chain.rounded) == (["A V", "[[0.3333, 0.6667]] [[3], [3]]", "3"], False)
    assert chain.rights[-1][0] == "="  # 0.3333 × 3 + 0.6667 × 3 is 3 as shown, and 3 is exact


@pytest.mark.parametrize(
    ("printed", "planted"),
    [
        ("0.6698 × 0 ≈ 0.6605  (operands are rounded)", "0.6698 × 0 ≈ 0.6605"),
        ("0.4125 × 0 ≈ 1.1750", "0.4125 × 0 ≈ 1.1750  (operands are rounded)"),
        ("= exp(0) = 1", "= exp(0) = 1.0001"),
        ("≈ 1 + 2.0281 ≈ 3.0281", "≈ 1 + 2.0281 = 3.0282"),
        ("sqrt(2)/2 ≈ 0.7071", "sqrt(2)/2 = 0.7071"),
    ],
)
def test_the_check_of_remarks_refuses_planted_errors(printed, planted):
    page = render(verified_chapter(), detail="entries")
    assert printed in page
    with pytest.raises(AssertionError):
        check_remarks(page.replace(printed, planted, 1))


# -- wide matrices in text ------------------------------------------------------------------------------------
def test_wide_matrices_are_written_row_by_row_and_read_back():
    import golden_cases

    page = render(golden_cases.wide())
    assert max(map(len, page.splitlines())) <= 105
    lines = {chain.left: chain for chain in chains(page)}
    left = [[Fraction(i * j - 5, 7) for j in range(11)] for i in range(3)]
    right = [[Fraction(i - j, 10) for j in range(12)] for i in range(11)]
    product = [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*right, strict=True)] for row in left
    ]
    shown = value(lines["Y"].terms[-1])
    assert [[round(x * 10**9) for x in row] for row in value(lines["A"].terms[0])] == [
        [round(x * 10**9) for x in row] for row in left
    ]
    assert all(
        abs(Fraction(a) - b) <= Fraction(1, 20000)
        for x, y in zip(shown, product, strict=True)
        for a, b in zip(x, y, strict=True)
    )
    assert check_remarks(page)["without"] > 0
    printed = next(line for line in page.splitlines() if line.strip().startswith("≈ [["))
    digit = next(k for k in range(len(printed) - 1, 0, -1) if printed[k].isdigit())
    planted = printed[:digit] + str((int(printed[digit]) + 3) % 10) + printed[digit + 1 :]
    with pytest.raises(AssertionError):
        check_remarks(page.replace(printed, planted))


def test_columns_are_aligned_and_short_matrices_stay_on_their_line():
    from symtransformer.rendering.text import matrix_text

    assert matrix_text([["1", "-22"], ["333", "4"]]) == "[[1, -22], [333, 4]]"
    tall = matrix_text([["1" * 60, "2" * 20], ["3", "猫" * 8]])
    assert tall.splitlines() == ["[[" + "1" * 60 + ", " + "2" * 20 + "],", "[" + " " * 59 + "3,     " + "猫" * 8 + "]]"]
    assert len({len(row) for row in matrix_text([["0"] * 9, ["-1"] * 9]).strip("[]").split("],\n[")}) == 1
    one_row = matrix_text([[str(k) for k in range(60)]])
    assert len(one_row.splitlines()) == 3
    assert [x.strip() for x in one_row.strip("[]").replace("\n", " ").split(",")] == [str(k) for k in range(60)]


def test_the_only_row_of_a_matrix_has_its_numbers():
    """With the number of rows put in, row 1 is the matrix: its numbers stand there, and not its letter."""
    n, m, d = dimension("n"), dimension("m"), dimension("d_k")
    query, keys = matrix("Q", n, d), matrix("K", m, d)
    given = {query: [[1, 2]], keys: [[1, 2], [3, 4]]}
    scores = derive(query @ keys.T, values=given, names={query @ keys.T: "Z"}, follow=Follow("Z", "row", 0))
    lines = [line for line in render(scores, "txt").splitlines() if line.startswith("> z_1")]
    assert lines == ["> z_1 = q_1 K^T = [[1, 2]] [[1, 2], [3, 4]]^T = [[5, 11]]"]
