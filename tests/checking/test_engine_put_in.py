"""The engine where a formula stands again with its own numbers put in: each number is a claim about what it replaces.

√(1/2) = 0.70711, √2 = 1.41421, √5 = 2.23607 by mpmath.
"""

import re
from fractions import Fraction

import mpmath as mp
import pytest
from engine_documents import equations, last, names, verdicts

from symtransformer.checking.put_in_numbers import ShownNumbers, parts_put_in
from symtransformer.reading.sides import Known, Side, read_side

mp.mp.dps = 50
RIGHT, WRONG, DEFINED, LAST, FOLLOWS = "right", "wrong", "definition", "last_place", "follows"
S = "S = [0, √(1/2)] ≈ [0, 0.7071]"
PUT_IN = "Right: the numbers put in are right."


def nearest(value, places):
    return mp.nstr(mp.nint(mp.mpf(value) * 10**places) / mp.mpf(10) ** places, 20)


def plain(text):
    """Without zeros behind a point, however many places a whole number is told with."""
    return text and re.sub(r"\.0+(?![0-9])", "", text)


def entries(equation):
    return [(e.row, e.column, e.shown, e.verdict, plain(e.right)) for e in equation.entries]


# -- matrices put in --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("line", ["exp(S) = exp([0, 0.7071])", "exp([0, 0.7071]) = exp(S)", "exp(-S) = exp([0, -0.7071])",
                                  "exp(S) = exp([0, 0.71])", "softmax(S) = softmax([0, 0.7071])", "S + [1, 2] = [0, 0.7071] + [1, 2]"])  # fmt: skip
def test_what_is_put_in_rightly_is_right(line):
    assert nearest(mp.sqrt(mp.mpf(1) / 2), 4) == "0.7071"
    found = last(S, line)
    assert (found.verdict, found.words.en, found.entries, found.right_value) == (RIGHT, PUT_IN, (), None)
    assert (found.local, found.from_start, found.follows_from, found.code) == (RIGHT, RIGHT, None, "")


@pytest.mark.parametrize(
    ("line", "verdict", "right", "told"),
    [
        ("exp(S) = exp([0, 0.7072])", LAST, "[0, 0.7071]", [(1, 2, "0.7072", LAST, "0.7071")]),
        ("exp(S) = exp([0, 0.8071])", WRONG, "[0, 0.7071]", [(1, 2, "0.8071", WRONG, "0.7071")]),
        ("exp([0, 0.8071]) = exp(S)", WRONG, "[0, 0.7071]", [(1, 2, "0.8071", WRONG, "0.7071")]),
        ("exp(-S) = exp([0, -0.7171])", WRONG, "[0, -0.7071]", [(1, 2, "-0.7171", WRONG, "-0.7071")]),
        ("exp(-S) = exp([0, 0.7071])", WRONG, "[0, -0.7071]", [(1, 2, "0.7071", WRONG, "-0.7071")]),
        ("exp(S) = exp([1, 0.7071])", WRONG, "[0, 0.7071]", [(1, 1, "1", WRONG, "0")]),
        ("exp(S) = exp([-1, 0.7071])", WRONG, "[0, 0.7071]", [(1, 1, "-1", WRONG, "0")]),
    ],
)
def test_what_is_put_in_wrongly_is_told_by_entry(line, verdict, right, told):
    found = last(S, line)
    assert (found.verdict, plain(found.right_value), entries(found)) == (verdict, right, told)
    assert (found.local, found.from_start, found.follows_from) == (verdict, verdict, None)
    assert found.words.en != PUT_IN


def test_another_form_is_no_number_put_in():
    """softmax of [0, √(1/2)] is [1, e^0.7071] / (1 + e^0.7071)."""
    x = mp.exp(mp.sqrt(mp.mpf(1) / 2))
    row = [nearest(y / (1 + x), 6) for y in (1, x)]
    found = last(S, "softmax(S) = exp([0, 0.7071])")
    assert (found.verdict, plain(found.right_value)) == (WRONG, f"[{', '.join(row)}]")
    assert "exponentials_not_divided" in names(found.slips)
    found = last(S, "S + [1, 2] = [0, 0.7071] + [1, 3]")
    assert (found.verdict, found.entries, found.right_value) == (WRONG, (), "[1, " + nearest(mp.sqrt(0.5) + 2, 6) + "]")


def test_products_with_numbers_put_in():
    """[1/3, 1] [[1, 2], [3, 4]] = [10/3, 14/3]."""
    given = ["K = [[1, 2], [3, 4]]", "q = [1/3, 1]"]
    assert last(*given, "q K = [0.33, 1] K").words.en == PUT_IN
    assert last(*given, "q K = [0.33, 1] [[1, 2], [3, 4]]").words.en == PUT_IN
    found = last(*given, "q K = [0.43, 1] [[1, 2], [3, 4]]")
    assert (found.verdict, plain(found.right_value), entries(found)) == (
        WRONG,
        "[0.33, 1]",
        [(1, 1, "0.43", WRONG, "0.33")],
    )
    assert last(*given, "q K = [0.33, 1] [[1, 2], [3, 9]]").verdict == WRONG
    found = last(*given, "q K = [1/4, 1] [[1, 2], [3, 4]]")  # no decimals: another product, and no roundings
    assert (found.verdict, plain(found.right_value), found.entries) == (WRONG, "[3.333333, 4.666667]", ())


def test_a_divisor_put_in():
    given = ["d = √5", "S = [1, 2]"]
    assert nearest(mp.sqrt(5), 3) == "2.236"
    found = last(*given, "S/d = [1, 2]/2.236")
    assert (found.verdict, found.words.en) == (RIGHT, PUT_IN)
    found = last(*given, "S/d = [1, 2]/2.336")
    assert (found.verdict, plain(found.right_value), found.entries) == (WRONG, "2.236", ())
    found = last(*given, "S/d = [1, 9]/2.236")
    assert (found.verdict, plain(found.right_value), entries(found)) == (WRONG, "[1, 2]", [(1, 2, "9", WRONG, "2")])
    assert last(*given, "S/d = [1, 2]/2.237").verdict == LAST


def test_the_worst_of_the_parts_decides():
    given = ["a = [√2, 1]", "b = [√5, 1]"]
    assert verdicts(*given, "exp(a) + exp(b) = exp([1.414, 1]) + exp([2.236, 1])")[-1] == RIGHT
    for first, second, verdict in [("1.415", "2.236", LAST), ("1.414", "2.237", LAST), ("1.514", "2.237", WRONG), ("1.415", "2.336", WRONG)]:  # fmt: skip
        found = last(*given, f"exp(a) + exp(b) = exp([{first}, 1]) + exp([{second}, 1])")
        assert found.verdict == verdict
        told = {e.shown for e in found.entries}
        assert told == {x for x in (first, second) if (x in ("1.514", "2.336")) == (verdict == WRONG) and x not in ("1.414", "2.236")}  # fmt: skip


def test_a_number_within_a_matrix_formula():
    """−ln p of p = 0.26894 with 0.269 put in."""
    p = 1 / (1 + mp.e)
    assert nearest(p, 3) == "0.269"
    given = "p = exp(1)/(exp(1)+exp(2)) ≈ 0.269"
    assert last(given, "-log(p) = -log(0.269)").words.en == PUT_IN
    assert last(given, "-log(p) = -log(0.27)").words.en == PUT_IN
    found = last(given, "-log(p) = -log(0.369)")
    assert (found.verdict, entries(found)) == (WRONG, [(1, 1, "0.369", WRONG, "0.269")])
    assert last(given, "-log(p) = -log(0.26)").verdict == LAST


# -- numbers that another name is shown with --------------------------------------------------------------------------
GRIDS = [
    "A = exp([[√(1/2), 0], [0, √(1/2)]]) ≈ [[2.0281, 1], [1, 2.0281]]",
    "B = exp([[0, √(1/2)], [√(1/2), 0]]) ≈ [[1, 2.0281], [2.0281, 1]]",
]


def test_numbers_of_another_name_are_right_where_both_sides_are_equal():
    """The rows of A and of B have one sum, 1 + e^√(1/2): that of B, written with what A is shown as, is true.

    From the start decides, as where A and B are whole numbers: an equation whose sides are equal is not accused.
    """
    assert nearest(mp.exp(mp.sqrt(mp.mpf(1) / 2)), 4) == "2.0281"
    found = last(*GRIDS, "rowsum(B) ≈ rowsum([[2.0281, 1], [1, 2.0281]])")
    assert (found.verdict, found.words.en, found.entries) == (RIGHT, "Right: both sides are equal.", ())
    for other in ("[[2.0282, 1], [1, 2.0281]]", "[[2.0281, 1], [1, 2.028]]", "[[2.0281, 2.0281], [1, 1]]",
                  "[[2.0281, 2], [1, 2.0281]]", "[[2.0281, -1], [1, 2.0281]]"):  # fmt: skip
        assert last(*GRIDS, f"rowsum(B) ≈ rowsum({other})").verdict == WRONG
    assert last(*GRIDS, "exp(B) ≈ exp([[2.0281, 1], [1, 2.0281]])").verdict == WRONG
    assert last(*GRIDS, "colsum(-B) ≈ colsum([[2.0281, 1], [1, 2.0281]])").verdict == WRONG


# -- after a wrong line -----------------------------------------------------------------------------------------------
def test_the_digits_of_a_wrong_line_put_in():
    """√2 = 1.41; the document has 1.51 in line 1, and goes on with it."""
    found = equations("S = [3, √2] = [3, 1.51]", "exp(S) = exp([3, 1.51])", "exp(S) = exp([3, 1.41])", "exp(S) = exp([3, 1.71])")  # fmt: skip
    assert [e.verdict for e in found if e.verdict != DEFINED] == [WRONG, FOLLOWS, RIGHT, WRONG]
    assert [e.follows_from for e in found[-3:]] == [1, None, None]
    assert found[-2].local == WRONG
    assert found[-2].from_start == RIGHT


# -- the numbers of a text --------------------------------------------------------------------------------------------
def test_numbers_as_they_are_written():
    known = ShownNumbers(Side("exp([0.5, 0.50, -2]) + 0.5 + x_7 + 1.2.3", None)).by_value
    assert set(known) == {Fraction(1, 2), Fraction(2)}
    assert known[Fraction(1, 2)].text == "0.50"  # with the most digits


def cells(text, value):
    found = ShownNumbers(Side(text, None)).cells(read_side(value, {}).value)
    return found and [[(claim.text, claim.value) for claim in row] for row in found]


def test_entries_are_found_in_the_text():
    assert cells("[0.250, 3]", "[0.25, -3]") == [[("0.250", Fraction(1, 4)), ("-3", Fraction(-3))]]
    assert cells("[0.250, 1]", "[-0.25, 1]") == [[("-0.250", Fraction(-1, 4)), ("1", 1)]]
    assert cells("nothing", "[2, -5]") == [[("2", 2), ("-5", -5)]]  # whole numbers may have been worked out
    assert cells("nothing", "[2, 0]") == [[("2", 2), ("0", 0)]]
    assert cells("nothing", "[2, 0.5]") is None
    assert cells("nothing", "[0.5, 2]") is None
    assert cells("[√2, 1]", "[√2, 1]") is None
    assert cells("0.5", "0.5") == [[("0.5", Fraction(1, 2))]]


def test_a_norm_put_in():
    """The norm of [1, 2] is √5 = 2.23607; 1 + e = 3.71828."""
    for line in ("x/√(x·x) = [1, 2]/2.236", "x/√(x·x) = x/2.24", "[1, 2]/2.236 = x/√(x·x)"):
        assert last("x = [1, 2]", line).verdict == RIGHT
    found = last("x = [1, 2]", "x/√(x·x) = x/2.336")
    assert (found.verdict, plain(found.right_value), entries(found)) == (
        WRONG,
        "[2.236]",
        [(1, 1, "2.336", WRONG, "2.236")],
    )
    assert last("x = [1, 2]", "x/√(x·x) = [1, 7]/2.236").verdict == WRONG
    assert last("S = [0, 1]", "exp(S)/sum(exp(S)) = [1, 2.718]/3.718").verdict == RIGHT
    found = last("S = [0, 1]", "exp(S)/sum(exp(S)) = [1, 2.718]/3.818")
    assert (found.verdict, plain(found.right_value)) == (WRONG, "[3.718]")


SCOPE = {"A": Known((2, 2)), "B": Known((2, 2)), "x": Known((1, 2)), "c": Known(None)}


@pytest.mark.parametrize(
    ("formula", "numbers", "parts"),
    [
        ("A B", "[[1, 2], [3, 4]] B", 1),
        ("A B", "[[1, 2], [3, 4]] [[1, 0], [0, 1]]", 2),
        ("A + B", "A + B", 0),
        ("A B", "A + [[1, 2], [3, 4]]", None),
        ("A + B", "A + B + [[1, 2], [3, 4]]", None),
        ("x A", "[1, 2] A", 1),
        ("c x A", "c [1, 2] A", 1),
        ("exp(x)", "exp([1, 2, 3])", None),
        ("exp(A)", "exp(B B)", None),
        ("A + [[1, 2], [3, 4]]", "[[5, 6], [7, 8]] + [[1, 2], [3, 4]]", 1),
        ("x/||x||", "[1, 2]/2.236", 2),
        ("x/||x||", "x/2.236", 1),
        ("x/||x||", "2 [1, 2]/2.236", None),
        ("x/||x||", "exp(x)/2.236", None),
        ("x/||x||", "x/c", None),
        ("x/||x||", "[1, 2, 3]/2.236", None),
        ("A/(x x^T)", "[[1, 2], [3, 4]]/2.236", None),
        ("x/c", "[1, 2]/2.236", 2),
        ("c", "2", None),
    ],
)
def test_parts_in_the_same_place(formula, numbers, parts):
    sides = [read_side(text, SCOPE).value for text in (formula, numbers)]
    found = parts_put_in(*sides)
    assert (None if found is None else len(found)) == parts
