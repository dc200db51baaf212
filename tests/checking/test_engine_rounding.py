"""The engine on numbers that may be roundings: traced to their exact values, not told, followed from wrong ones.

√(1/3) = 0.577350, e^0.577 = 1.7807 by mpmath; sums and products of decimals by hand.
"""

import re
from fractions import Fraction

import mpmath as mp
import pytest
from engine_documents import equations, last, names, verdicts

from symtransformer.checking.checks import check
from symtransformer.checking.computing import Computed
from symtransformer.checking.rounded_operands import Rounded, decimals_in
from symtransformer.reading.claimed_numbers import read_number
from symtransformer.reading.sides import read_side

mp.mp.dps = 50
RIGHT, WRONG, DEFINED, LAST, FOLLOWS, OPEN, SHAPES = "right", "wrong", "definition", "last_place", "follows", "undecidable", "shapes"  # fmt: skip
ROOT = "a = √(1/3) ≈ 0.577"


def plain(text):
    """Without zeros behind a point, however many places a whole number is told with."""
    return text and re.sub(r"\.0+(?![0-9])", "", text)


def entries(equation):
    return [(e.row, e.column, e.shown, e.verdict, e.right) for e in equation.entries]


# -- not told ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("line", "verdict", "code"),
    [
        ("0.333 + 0.667 ≈ 1.001", OPEN, "rounded_operands"),  # 1.000 ± 0.001
        ("0.333 + 0.667 ≈ 1.000", RIGHT, ""),
        ("0.333 + 0.667 ≈ 1.003", WRONG, ""),
        ("0.333 · 0.667 ≈ 0.223", OPEN, "rounded_operands"),  # 0.2221 ± 0.0005
        ("0.333 · 0.667 ≈ 0.225", WRONG, ""),
        ("0.333 · 0.667 ≈ 0.23", LAST, ""),  # two places, in a document of three
        ("0.33 + 0.67 ≈ 1.001", LAST, ""),  # two decimals are exact
        ("100 · 0.577 ≈ 57.735", OPEN, "rounded_operands"),  # 57.65 to 57.75
        ("100 · 0.577 ≈ 57.835", WRONG, ""),
        ("100 · 0.57 ≈ 57.735", WRONG, ""),
        ("softmax([0.123, 0.456]) ≈ [0.417, 0.583]", OPEN, "rounded_operands"),
        ("softmax([0.123, 0.456]) ≈ [0.427, 0.573]", WRONG, ""),
        ("softmax([0.12, 0.45]) ≈ [0.417, 0.583]", LAST, ""),
        ("0.333 + 0.667 ≈ 1", RIGHT, ""),
    ],
)
def test_what_roundings_may_give_is_not_told(line, verdict, code):
    """In a document that rounds to three places."""
    found = last("√2 + 1 ≈ 2.414", line)
    assert (found.verdict, found.code) == (verdict, code)
    assert found.from_start is None


def test_a_document_of_other_places_rounds_otherwise():
    assert last("0.333 + 0.667 ≈ 1.001").verdict == OPEN  # the line itself rounds to three places
    assert verdicts("0.333 + 0.667 = 1.001") == [LAST]
    assert verdicts("√2 + 1 ≈ 2.4142", "0.333 + 0.667 = 1.001")[-1] == LAST
    assert verdicts("√2 + 1 ≈ 2.414", "0.333 + 0.667 = 1.001")[-1] == OPEN


# -- traced --------------------------------------------------------------------------------------------------------------
def test_digits_that_were_shown_stand_for_what_they_are_a_rounding_of():
    value = 100 / mp.sqrt(3)
    assert mp.nstr(value, 5) == "57.735"
    for shown in ("57.735", "57.74"):
        found = last(ROOT, f"100 · 0.577 ≈ {shown}")
        assert (found.verdict, found.local, found.from_start, found.code) == (RIGHT, WRONG, RIGHT, "")
        assert "result_right_expression_wrong" in names(found.remarks)
    found = last(ROOT, "100 · 0.577 ≈ 57.7")
    assert (found.verdict, found.local, found.from_start, found.remarks) == (RIGHT, RIGHT, None, ())
    found = last(ROOT, "100 · 0.577 ≈ 58.735")
    assert (found.verdict, found.right_value) == (WRONG, "57.700")
    assert verdicts(ROOT, "100 · 0.577 ≈ 57.736")[-1] == WRONG  # traced, so that nothing is excused


def test_digits_of_two_values_come_from_nowhere():
    given = [ROOT, "b = 5772/10000 + 0 ≈ 0.577"]
    found = last(*given, "100 · 0.577 ≈ 57.735")
    assert (found.verdict, found.code) == (OPEN, "rounded_operands")
    assert verdicts(ROOT, "b = √3/3 ≈ 0.577", "100 · 0.577 ≈ 57.735")[-1] == RIGHT  # the same one


def test_signs_and_entries_are_traced():
    """−√(1/3) and √(1/3) both end in 0.577."""
    given = ["S = [√(1/3), -√(1/7)] ≈ [0.577, -0.378]"]
    assert mp.nstr(mp.sqrt(mp.mpf(1) / 7), 3) == "0.378"
    assert mp.nstr(100 / mp.sqrt(7), 5) == "37.796"
    assert verdicts(*given, "100 · 0.378 ≈ 37.796", "-100 · 0.378 ≈ -37.796", "100 · (-0.378) ≈ -37.796", "100 · 0.378 ≈ -37.796")[-4:] == [RIGHT, RIGHT, RIGHT, WRONG]  # fmt: skip
    assert verdicts(*given, "[100 · 0.577, 100 · 0.378] ≈ [57.735, 37.796]")[-1] == RIGHT
    found = last(*given, "[100 · 0.577, 100 · 0.378] ≈ [57.735, 38.796]")
    assert found.verdict == WRONG


# -- within the rounding of what is shown --------------------------------------------------------------------------------
def test_rounded_numbers_put_in_excuse_what_they_give():
    """1/3 is 0.333, and 2 · 0.333 = 0.666, where 2/3 = 0.667."""
    given = "p = 1/3 ≈ 0.333"
    for line, right in [("c = 2p = 2 · 0.333 ≈ 0.666", "0.667"), ("c = [2p, 1] = [2 · 0.333, 1] ≈ [0.666, 1]", "[0.667, 1]"), ("c = 30p = 30 · 0.333 ≈ 9.99", "10")]:  # fmt: skip
        found = last(given, line)
        assert (found.verdict, plain(found.right_value), found.local) == ("right_if_rounded", right, RIGHT)
        assert found.from_start == LAST
    found = last(given, "c = 2p = 2 · 0.333 ≈ 0.668")
    assert (found.verdict, found.local) == (LAST, WRONG)
    found = last(given, "c = 2p = 2 · 0.353 ≈ 0.706")
    assert (found.verdict, found.follows_from, found.right_value) == (FOLLOWS, 2, "0.667")


def test_a_rounded_decimal_of_the_line_excuses_what_it_gives():
    """2/3 is 0.667: 0.667 · 10000 is 6670, where the line begins with 6667."""
    found = last("y = 2/3 · 10000 ≈ 0.667 · 10000 = 6670")
    assert (found.verdict, plain(found.right_value)) == ("right_if_rounded", "6667")
    for twin in ("0.667 · 10000 = 6660", "0.667 · 10000 = 6680"):
        assert last(f"y = 2/3 · 10000 ≈ {twin}").verdict == WRONG


def test_a_name_alone_is_judged_by_what_it_was_computed_from():
    found = equations("x = 1/3 ≈ 0.33", "y = 2x", "y ≈ 0.66", "y ≈ 0.67", "y ≈ 0.64")
    assert [(e.verdict, e.local, e.from_start) for e in found[-3:]] == [
        ("right_if_rounded", RIGHT, LAST), (RIGHT, LAST, RIGHT), (WRONG, WRONG, WRONG),
    ]  # fmt: skip
    assert names(found[-2].remarks) == {"not_from_shown_operands"}


def test_digits_of_a_line_of_plain_numbers_are_traced():
    """√(2/3) is 0.8165, and √0.667 is 0.8167."""
    given = "((1-2)^2 + (2-2)^2 + (3-2)^2)/3 = 0.667"
    assert [last(given, f"√0.667 = {shown}").verdict for shown in ("0.816", "0.817", "0.818", "0.828")] == [
        RIGHT,
        RIGHT,
        LAST,
        WRONG,
    ]
    assert [last(f"√0.667 = {shown}").verdict for shown in ("0.816", "0.817")] == [LAST, RIGHT]
    assert last("2.001/3 = 0.667", "√0.667 = 0.816").verdict == LAST  # 0.667 itself


def test_a_trace_of_roundings_is_followed_to_its_beginning():
    """(0.5 - 0.25 + 0.4472²)/1.1180 = 0.40249; by 0.5/1.118 = 0.44723 it would be 0.40250, and 0.403."""
    given = "σ = √1.25 ≈ 1.118", "z = 0.5/1.118 ≈ 0.447"
    found = [last(*given, f"(0.25 + 0.447 · 0.447)/1.118 ≈ {shown}").verdict for shown in ("0.402", "0.403", "0.404")]
    assert found == [RIGHT, LAST, WRONG]


def test_digits_of_exponentials_of_numbers_are_traced():
    """e^-1.5 + e^0.7 + e^-0.5 = 2.8434, and 0.223 + 2.014 + 0.607 = 2.844."""
    given = "e^{-1.5} = 0.223", "e^{0.7} = 2.014", "e^{-0.5} = 0.607"
    found = [last(*given, f"0.223 + 2.014 + 0.607 = {shown}").verdict for shown in ("2.843", "2.844", "2.845", "2.834")]
    assert found == [RIGHT, RIGHT, LAST, WRONG]


def test_two_decimals_that_are_traced_only_excuse():
    """e^-2.11 is 0.12 or 0.1212, and -ln 0.12 is 2.12: 2.11 is right unrounded, though 0.12 may be meant as it stands."""
    given = "e^{-2.11} ≈ 0.12", "e^{1.4} ≈ 4.06"
    assert mp.nstr(-mp.log(mp.mpf("0.12")), 3) == "2.12"
    found = [last(*given, f"-ln 0.12 ≈ {shown}").verdict for shown in ("2.12", "2.11", "2.10", "2.21")]
    assert found == [RIGHT, "undecidable", WRONG, WRONG]
    assert last("-ln 0.12 ≈ 2.11").verdict == LAST


def test_what_is_excused_is_traced_further():
    """e^-1.3/(e^-1.3 + e^-1.4 + e^-0.3) = 0.2159, where 0.27/1.26 is 0.2143; 100 · 0.2159 = 21.6, 100 · 0.22 = 22."""
    given = "u = e^{-1.3} = 0.27", "v = e^{-1.4} = 0.25", "w = e^{-0.3} = 0.74", "c = u + v + w = 1.26"
    assert last(*given, "p = 0.27/1.26 = 0.22").verdict == "undecidable"
    found = [
        last(*given, "p = 0.27/1.26 = 0.22", f"100 · 0.22 = {shown}").verdict
        for shown in ("22", "21.6", "21.4", "23.0")
    ]
    assert found == [RIGHT, "undecidable", WRONG, WRONG]


def test_a_trace_by_a_name_that_is_made_of_roundings():
    """-ln(e^-0.1/(e^1.2 + e^-0.1 + e^-1)) = 1.6244, -ln 0.197 = 1.6246 and -ln(e^-0.1/4.593) = 1.6245."""
    given = "u = e^{1.2} ≈ 3.320", "v = e^{-0.1} ≈ 0.905", "c = 3.320 + 0.905 + 0.368 ≈ 4.593", "p = v/c ≈ 0.197"
    found = [last(*given, f"L = -ln 0.197 ≈ {shown}").verdict for shown in ("1.625", "1.624", "1.604")]
    assert found == [RIGHT, "undecidable", WRONG]


def test_a_trace_that_begins_with_roundings_only_excuses():
    """0.607/3.325 = 0.18256, four times of which is 0.7302; 4 · 0.183 is 0.732."""
    found = [
        last("a = 0.607/3.325 = 0.183", f"0.183 · 4 = {shown}").verdict
        for shown in ("0.732", "0.730", "0.731", "0.750")
    ]
    assert found == [RIGHT, "undecidable", LAST, WRONG]


def test_wrong_digits_are_no_trace():
    found = last("a = √(1/3) ≈ 0.677", "100 · 0.677 ≈ 57.735")
    assert (found.verdict, found.from_start) == (WRONG, None)


# -- followed ------------------------------------------------------------------------------------------------------------
def test_what_follows_unrounded_from_a_wrong_line():
    """√2 = 1.414; with 1.51 instead 2·1.51 = 3.02, 3·1.51 = 4.53, e^3.02 = 20.49."""
    assert (mp.nstr(mp.exp(mp.mpf("3.02")), 4), mp.nstr(mp.exp(2 * mp.sqrt(2)), 4)) == ("20.49", "16.92")
    found = equations("S = [0, √2] = [0, 1.51]", "T = 2S", "T = [0, 3.02]", "U = S + T", "U = [0, 4.53]", "U = [0, 4.63]", "exp(T) = [1, 20.49]", "exp(T) = [1, 16.92]")  # fmt: skip
    found = [e for e in found if e.verdict != DEFINED]
    assert [(e.verdict, e.follows_from, e.right_value) for e in found] == [
        (WRONG, None, "[0, 1.41]"), (FOLLOWS, 1, "[0, 2.83]"), (FOLLOWS, 1, "[0, 4.24]"), (WRONG, None, "[0, 4.24]"),
        (FOLLOWS, 1, "[1, 16.92]"), (RIGHT, None, None),
    ]  # fmt: skip
    assert entries(found[1]) == [(1, 2, "3.02", FOLLOWS, "2.83")]
    found = equations("x = 3", "y = x^2 = 90", "z = y + 1", "w = 2z = 182", "v = 2z = 192")
    assert [(e.verdict, e.follows_from, e.right_value) for e in found[-3::2]] == [(FOLLOWS, 2, "20"), (WRONG, None, "20")]  # fmt: skip


def test_a_chain_follows_from_its_own_line():
    found = equations("y = 2 · 3 = 9", "y + 1 = 10", "z = 5 + 5 = 35 = 35")
    assert [(e.verdict, e.follows_from) for e in found if e.verdict != DEFINED] == [(WRONG, None), (FOLLOWS, 1), (WRONG, None), (FOLLOWS, 3)]  # fmt: skip


# -- sizes and readings ----------------------------------------------------------------------------------------------------
def test_a_number_or_a_matrix():
    """[1, 2] as a column beside itself as a row is [[1, 2], [2, 4]], as a row beside a column 5."""
    for line, verdict, right in [
        ("p^T p = 5", RIGHT, None), ("p^T p = [[1, 2], [2, 4]]", RIGHT, None), ("p^T p = [[1, 2], [2, 9]]", WRONG, "[[1, 2], [2, 4]]"), ("p^T p = 7", WRONG, "5"),
    ]:  # fmt: skip
        found = last("p = [1, 2]", line)
        assert (found.verdict, plain(found.right_value)) == (verdict, right)
    found = last("p = [1, 2]", "p^T p = [1, 2, 3]")
    assert (found.verdict, found.code, found.words.en) == (SHAPES, "shapes", "The sizes do not fit: the value is 2 × 2, what is shown is 1 × 3.")  # fmt: skip
    found = last("x = 2", "x + 1 = [3, 4]")
    assert (found.verdict, found.code, found.right_value) == (SHAPES, "shapes", None)
    assert "1 × 1, what is shown is 1 × 2" in found.words.en


def test_the_number_may_stand_first():
    for line, verdict, right in [("5 = 2 + 3", RIGHT, None), ("9 = 2 + 3", WRONG, "5"), ("[2, 3] = [1, 1] + [1, 2]", RIGHT, None), ("[2, 9] = [1, 1] + [1, 2]", WRONG, "[2, 3]")]:  # fmt: skip
        found = last(line)
        assert (found.verdict, plain(found.right_value), found.local, found.from_start) == (
            verdict,
            right,
            verdict,
            None,
        )


def test_a_name_of_itself_has_no_line_of_its_own():
    found = last("w = 3", "w = w - 1 = 8")
    assert (found.verdict, plain(found.right_value), found.local, found.from_start) == (WRONG, "2", None, WRONG)
    found = last("w = 3", "v = w - 1 = 8")
    assert (found.local, found.from_start) == (WRONG, WRONG)


def test_a_turned_matrix_that_was_shown_is_no_convention():
    """[1, 1] [[1, 3], [2, 4]] = [3, 7], and [4, 6] with the matrix not turned."""
    found = equations("M = [[1, 2], [3, 4]]", "W = M^T", "W = [[1, 3], [2, 4]]", "x = [1, 1]", "x W = [3, 7]", "x W = [4, 6]")  # fmt: skip
    assert found[-2].verdict == RIGHT
    assert found[-1].verdict in (WRONG, "by_convention")


def test_what_is_undefined():
    assert verdicts("x = 2", "y = x/0", "y + 1 = undefined")[-1] == RIGHT
    found = last("x = 2", "y = x/0", "y + 1 = 3")
    assert found.verdict not in (RIGHT, DEFINED)


# -- how far roundings go ------------------------------------------------------------------------------------------------
def rounded(text, places=3):
    def value(other):
        side = read_side(other, {})
        return Computed(side.value, side.listed)

    return Rounded(text, value, places)


def test_decimals_that_may_be_roundings():
    found = [m.group() for m in decimals_in("0.577 + 0.25 + 1.2345 + 3 + 1.2.345")]
    assert found == ["0.577", "1.2345"]
    assert [m.group() for m in decimals_in("0.577 + 0.25", 2)] == ["0.577", "0.25"]


def test_how_far_an_entry_moves():
    """0.5 units of the last place, each."""
    half = Fraction(1, 2000)
    assert rounded("0.333 + 0.667").spread() == [[2 * half]]
    assert rounded("0.333 - 0.667").spread() == [[2 * half]]
    assert rounded("100 · 0.577").spread() == [[100 * half]]
    assert rounded("100 · 0.57").spread() == [[0]]
    assert rounded("100 · 0.57", 2).spread() == [[Fraction(1, 2)]]
    assert rounded("[0.333, 3 · 0.667]").spread() == [[half, 3 * half]]
    assert rounded("0.333 + 0.667").numbers() == [[1]]
    assert rounded("0.333/0").spread() is None


def claims(*texts):
    return (tuple(read_number(text) for text in texts),)


def test_what_a_side_may_give():
    side = rounded("100 · 0.577")  # 57.65 to 57.75
    for shown, may in (("57.75", True), ("57.65", True), ("57.755", True), ("57.756", False), ("57.76", False), ("57.8", True), ("57.9", False), ("57.644", False), ("57.645", False)):  # fmt: skip
        assert side.may_give(claims(shown)) == (abs(Fraction(shown) - Fraction("57.7")) <= Fraction("0.05") + Fraction(1, 2 * 10 ** len(shown.partition(".")[2]))), (shown, may)  # fmt: skip
    assert not side.may_give(claims("57.7", "57.7"))
    assert not side.may_give(claims("577/10"))
    both = rounded("[0.333, 0.667]")
    assert both.may_give(claims("0.3335", "0.6665"))
    assert not both.may_give(claims("0.3335", "0.6685"))
    assert not both.may_give(claims("0.3435", "0.6665"))


def test_what_may_be_equal():
    assert rounded("0.333 + 0.667").may_equal(rounded("1.001 + 0"))
    assert rounded("0.333 + 0.667").may_equal(rounded("1.0 + 0.001"))  # 1.000 ± 0.001, 1.001 ± 0.0005
    assert not rounded("0.333 + 0.667").may_equal(rounded("1.002 + 0"))
    assert not rounded("0.33 + 0.67").may_equal(rounded("1.001 + 0"))
    assert not rounded("[0.333, 1]").may_equal(rounded("0.333"))
    assert not rounded("0.333/0").may_equal(rounded("0.333"))


def test_balls_hold_all_of_it():
    ((ball,),) = rounded("100 · 0.577").balls()
    for inside in ("57.65", "57.7", "57.75"):
        assert ball.contains(read_side(inside, {}).value.p / read_side(inside, {}).value.q)
    assert not ball.contains(57.76)
    assert not ball.contains(57.64)
    assert rounded("0.333/0").balls() is None


def test_decimals_are_limited():
    def text(n):
        return " + ".join(["0.001"] * n)

    assert not rounded(text(40)).has_too_many
    assert rounded(text(40)).spread() == [[Fraction(40, 2000)]]
    assert rounded(text(41)).has_too_many
    assert rounded(text(41)).spread() is None


def test_nothing_is_explained_of_what_may_be_a_rounding():
    """One entry is a unit off by the numbers shown; it is not said to be wrong, and no remark speaks of the others."""
    given = "X = [[0.123, 0.456], [0.789, 0.234]]", "W = [[1.117, 2.713], [3.141, 1.999]]"
    entry = 0.123 * 1.117 + 0.456 * 3.141
    assert f"{entry:.3f}" == "1.570"
    found = last(*given, "X W ≈ [[1.571, 1.245], [1.616, 2.608]]")
    assert (found.verdict, found.code) == (OPEN, "rounded_operands")
    assert (found.entries, found.remarks) == ((), ())
    assert plain(found.right_value) == "[[1.570, 1.245], [1.616, 2.608]]"


def test_a_long_line_of_names_is_followed_without_end():
    """x_i = 0.5321 + 0.25 i: many names behind one another are no matter of depth."""
    lines = [f"x_{i} = x_{i - 1} + 0.25 = {0.5321 + 0.25 * i:.4f}" for i in range(1, 200)]
    assert {e.verdict for e in equations("x_0 = 0.5321", *lines)} == {DEFINED, RIGHT}


@pytest.mark.parametrize(
    ("line", "verdict"),
    [("$2^{3.322} \\approx 10.000$", "right"), ("$2^{3.322} \\approx 2.99$", "wrong"), ("$2^{3.322} \\approx 10.0006$", "undecidable"), ("$2^{3.322} \\approx 10.0059$", "wrong")],
)  # fmt: skip
def test_a_rounding_in_an_exponent(line, verdict):
    """3.322 is log₂ 10 rounded; 2^3.322 is 10.00050, and between 9.997 and 10.004 by half a unit of its last place each way."""
    found = check(f"Bits: $\\log_2 10 \\approx 3.322$.\n\n{line}", name="a.md").equations[-1]
    assert found.verdict == verdict
    assert "traced" not in str(found)
