"""The engine on what gives a name its value and what claims something of it: new values, words, constants, sizes, masks, rows."""

import mpmath as mp
import pytest
from engine_documents import equations, last, names, verdicts
from sympy import Integer

from symtransformer import check
from symtransformer.checking.definitions import Definition, Definitions, Known
from symtransformer.checking.faulty_line import FaultyLine
from symtransformer.reading.sides import read_side

RIGHT, WRONG, DEFINED, LAST, FOLLOWS = "right", "wrong", "definition", "last_place", "follows"


# -- a new value, or a claim -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("lines", "verdict"),
    [
        (["t = 7/2", "t = 3.6"], LAST),  # within a tenth of 3.5
        (["t = 7/2", "t = 3.8"], WRONG),
        (["t = 7/2", "t = 3.84"], WRONG),  # 0.35 is the tenth
        (["t = 7/2", "t = 3.86"], DEFINED),
        (["t = 7/2", "t = 3.2"], WRONG),
        (["t = 7/2", "t = 3.0"], DEFINED),
        (["t = 7/2", "t = 9"], DEFINED),
        (["t = -7/2", "t = -3.6"], LAST),
        (["t = -7/2", "t = 3.6"], DEFINED),
        (["t = 3.5", "t = 3.6"], DEFINED),  # no fraction: a value given anew
        (["y = 3 + 4", "y = 12"], WRONG),
        (["total = 3 + 4", "total = 12"], DEFINED),  # one sum after another
        (["Sum = 3 + 4", "Sum = 12"], DEFINED),
        (["合計 = 3 + 4", "合計 = 12"], DEFINED),
        (["total = 3 + 4", "total = 7.2"], WRONG),  # hardly another sum
        (["total = 3 + 4", "total = [1, 2]"], DEFINED),
        (["x = 2", "total = x + 4", "total = 12"], WRONG),  # of what is known
        (["x = 2", "y = x + 1", "y = 9"], WRONG),
        (["x = 2", "y = x + 1", "x = 5", "y = 9"], DEFINED),
        (["x = 2", "y = x + 1", "x = 2", "y = 9"], WRONG),
        (["x = 2", "y = x + 1", "y = [1, 2]"], DEFINED),
        (["x = 2", "y = x + 1", "y = 2x"], DEFINED),
        (["x = 2", "y = x + 1", "y = 2x - 1"], RIGHT),
        (["x = 2", "y = x + 1", "y ≈ 2x"], WRONG),
        (["x = 2", "y = x + 1", "y ≈ 2x - 1"], RIGHT),
        (["y = 2", "y ≈ 1 + 3"], DEFINED),
        (["w = 3", "w = w - 0.5", "w = 2.5"], RIGHT),
        (["w = 3", "w = w - 0.5", "w = 9"], DEFINED),
        (["S = [1, 2] + [3, 4]", "S = [4, 9]"], WRONG),
        (["S = [1, 2] + [3, 4]", "S = [4, -∞]"], DEFINED),  # now masked
        (["S = [1, 2] + [3, 4]", "S = [4, ∞]"], WRONG),
        (["S = [1, 2] + [3, -∞]", "S = [4, -∞]"], RIGHT),
        (["S = [1, 2] + [3, -∞]", "S = [9, -∞]"], WRONG),
    ],
)
def test_a_new_value_or_a_claim(lines, verdict):
    found = equations(*lines)
    assert [e.verdict for e in found][-1] == verdict
    assert ("redefined" in names(found[-1].remarks)) == (verdict == DEFINED)


def test_a_redefinition_names_the_line_of_before():
    (remark,) = last("x = 2", "y = 3", "y + 1 = 4", "y = 8").remarks
    assert remark.name == "redefined"
    assert "2" in remark.words.en
    assert last("x = 2").remarks == ()


def test_a_formula_gets_its_value_when_its_letters_have_one():
    """2 + 1 is 3."""
    assert verdicts("y = x + 1", "x = 2", "2y = 6") in ([DEFINED, DEFINED, RIGHT], [DEFINED, DEFINED, "unparsed"])
    assert verdicts("y = x + 1", "x = 2", "y ≈ 3")[-1] in (RIGHT, DEFINED)


# -- constants ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("line", "verdict", "right"),
    [
        ("e = 2.82", WRONG, "2.72"), ("e = 2.73", LAST, "2.72"), ("e ≈ 2.718", RIGHT, None), ("e = 3.01", WRONG, "2.72"), ("e = 3.02", DEFINED, None), ("e = 2.42", WRONG, "2.72"), ("e = 2.41", DEFINED, None),
        ("e = [2.72]", DEFINED, None), ("π ≈ 7.1416", WRONG, "3.1416"), ("π = 22/7", WRONG, "3.141593"), ("pi = 3", RIGHT, None), ("e ≈ 9.72", WRONG, "2.72"),
    ],
)  # fmt: skip
def test_constants(line, verdict, right):
    """e = 2.71828; 0.3 away is another e, unless ≈ says that it is this one."""
    found = last(line)
    assert (found.verdict, found.right_value, found.code) == (verdict, right, "")
    assert found.from_start == (None if verdict == DEFINED else verdict)
    if right is not None:
        places = len(right.partition(".")[2])
        value = mp.e if line[0] == "e" else mp.pi
        assert abs(mp.mpf(right) - value) <= mp.mpf(10) ** -places / 2


def test_another_e_stays_another():
    assert verdicts("e = 5", "e + 1 = 6", "2e = 5.437") == [DEFINED, RIGHT, WRONG]


# -- sizes, rows and entries ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("lines", "verdict"),
    [
        (["Q = [[1, 2, 3]]", "n + d_k = 4"], RIGHT),
        (["K = [[1, 2, 3], [4, 5, 6]]", "m + d_k = 5"], RIGHT),
        (["V = [[1, 2, 3], [4, 5, 6]]", "m + 2 d_v = 8"], RIGHT),
        (["X = [[1, 2, 3, 4], [4, 5, 6, 7]]", "n + 3 d_model = 14"], RIGHT),
        (["X = [[1, 2, 3, 4], [4, 5, 6, 7]]", "n + 3 d_model = 10"], WRONG),
        (["K = [[1, 2, 3]]", "K = [[1, 2]]", "d_k + 5 = 7"], RIGHT),
        (["K = [[1, 2, 3]]", "d_k = 5", "K = [[1, 2]]", "d_k + 5 = 10"], RIGHT),
        (["Q = [[1, 2, 3]]", "K = [[1, 2], [3, 4]]", "d_k + 5 = 7"], RIGHT),
        (["K_1 = [[1, 2, 3]]", "K_2 = [[1, 2], [3, 4]]", "d_k + 5 = 7"], "unparsed"),  # heads of several sizes
        (["K_1 = [[1, 2]]", "K_2 = [[1, 2]]", "d_k + 5 = 7"], RIGHT),
    ],
)
def test_sizes_that_a_matrix_gives(lines, verdict):
    assert verdicts(*lines)[-1] == verdict


def test_rows_and_entries():
    """[[1, 2], [3, 4]]² = [[7, 10], [15, 22]]."""
    given = ["Q = [[1, 2], [3, 4]]", "P = Q Q"]
    found = equations(*given, "p_1 = [7, 10]", "p_2 = [15, 27]", "p_{22} = 22", "P_{21} = 15", "p_{12} = 17")
    assert [e.verdict for e in found[2:]] == [RIGHT, WRONG, RIGHT, RIGHT, WRONG]
    assert [e.right_value for e in found[2:]] == [None, "[15, 22]", None, None, "10"]
    assert verdicts(given[0], "q_1 = [1, 2, 3]", "q_1 + q_1 = [2, 4, 6]") == [DEFINED, DEFINED, RIGHT]
    assert verdicts(given[0], "q_2 = [3, 9]")[-1] == WRONG
    assert verdicts(given[0], "q_2 = [3, 4]^T")[-1] == RIGHT


# -- the line that is not right --------------------------------------------------------------------------------------------
def test_the_first_faulty_line_is_named():
    """9 + 27 = 36."""
    found = equations("x = 3", "a = x^2 = 90", "b = x^3 = 20", "a + b = 110", "b + 1 = 21", "a + 1 = 91")
    assert [(e.verdict, e.follows_from, e.right_value) for e in found[-3:]] == [
        (FOLLOWS, 2, "36"), (FOLLOWS, 3, "28"), (FOLLOWS, 2, "10"),
    ]  # fmt: skip
    assert [(e.local, e.from_start) for e in found[-3:]] == [(RIGHT, WRONG)] * 3


def test_digits_shown_rightly_later_mend_a_name():
    """3 + 1 = 4 with z = 3."""
    found = equations("x = 2", "z = x + 1 = 8", "u = z", "u + 1 = 9", "u = 3", "u + 1 = 9")
    assert [e.verdict for e in found if e.verdict != DEFINED] == [WRONG, FOLLOWS, RIGHT, WRONG]
    assert found[-2].local == WRONG
    assert {"result_right_expression_wrong", "not_from_shown_operands"} <= names(found[-2].remarks)


# -- what is kept ------------------------------------------------------------------------------------------------------
def definition(name, text, line, known=None, **more):
    side = read_side(text, known or {})
    return Definition(name, side.value, side.listed, line, **more)


def test_versions_and_what_is_stale():
    kept = Definitions()
    kept.define(definition("x", "2", 1))
    before = kept.versions(["x", "nothing"])
    assert before == (("x", kept["x"].version),)
    made = definition("y", "3", 2, inputs=before)
    kept.define(made)
    assert not kept.is_stale(kept["y"])
    kept.define(definition("x", "2", 3))
    assert kept.is_stale(kept["y"])
    kept.forget("x")
    assert kept.is_stale(kept["y"])
    assert ("x" in kept, "y" in kept, None in kept, "x" in kept.scope) == (False, True, False, False)
    assert (kept.get("x"), kept.get(None), kept.get("y").line) == (None, None, 2)


def test_the_first_of_the_faulty_lines():
    kept = Definitions()
    for name, faulty in (("a", 7), ("b", 4), ("c", None)):
        kept.define(definition(name, "1", 1, faulty=faulty and FaultyLine(faulty, "a.md")))
    assert [kept.faulty_line(x) for x in ("ab", "a", "c", "", "cd", "ca")] == [4, 7, None, None, None, 7]


@pytest.mark.parametrize(
    ("text", "shape", "whole", "is_mask"),
    [
        ("2", None, 2, None), ("1", None, 1, None), ("0", None, None, None), ("-3", None, None, None), ("0.5", None, None, None), ("1000000", None, 10**6, None), ("1000001", None, None, None),
        ("[[1, 2, 3]]", (1, 3), None, False), ("[[0, -∞], [0, 0]]", (2, 2), None, True), ("[[0, 0], [0, 0]]", (2, 2), None, False), ("[[1, -∞], [0, 0]]", (2, 2), None, False),
    ],
)  # fmt: skip
def test_what_is_known_of_a_name(text, shape, whole, is_mask):
    known = definition("x", text, 1).known
    assert (known.shape, known.whole) == (shape, whole)
    if is_mask is not None:
        assert known == Known(shape, read_side(text, {}).listed, is_mask)


def test_what_is_kept_comes_back():
    kept = Definitions()
    kept.define(definition("x", "2", 1))
    before = kept.kept()
    kept.define(definition("x", "3", 2))
    kept.define(definition("y", "3", 3))
    kept.bring_back(before)
    assert (kept["x"].exact, kept["x"].line, "y" in kept, sorted(kept.scope)) == (2, 1, False, ["x"])


def test_a_product_of_a_row_and_a_column_is_a_number():
    """1·3 + 2·4 = 11, twice that and 1 is 23."""
    found = equations("q = [1, 2]", "k = [3, 4]", "s = q k^T", "2 s + 1 = 23", "2 s + 1 = 50", "s/(s + 11) = 0.5")
    assert [(e.verdict, e.right_value) for e in found[-3:]] == [(RIGHT, None), (WRONG, "23"), (RIGHT, None)]


def test_a_column_stays_a_column():
    """[1 + 2, 2 + 2] = [3, 4]; 9 + 16 = 25."""
    assert verdicts("c = [[1], [2]] + [[2], [2]]", "c^T c = 25", "c^T c = 9")[1:] == [RIGHT, WRONG]


def test_a_formula_without_a_value_takes_the_value_away():
    assert verdicts("y = 2", "y = a + b", "2 y = 4")[-1] not in (RIGHT, WRONG)


def test_another_value_in_a_sentence_is_a_supposition_and_the_given_one_stands():
    report = check("At x = 0 both agree.\nx + 1 = 3\nx = 2.4", against={"x": Integer(2)})
    assert [e.verdict for e in report.equations] == ["definition", "right", "wrong"]
    assert [note.name for note in report.equations[0].remarks] == ["supposed"]
