"""The engine on definitions and chains: what carries forward, what follows, what is excused, traced, put in, marked."""

import mpmath as mp
import pytest
from engine_documents import equations, last, names, verdicts

from symtransformer.checking.checks import check

mp.mp.dps = 50
RIGHT, WRONG, DEFINED, LAST, FOLLOWS, EXCUSED = (
    "right", "wrong", "definition", "last_place", "follows", "right_if_rounded",
)  # fmt: skip


# -- definitions ----------------------------------------------------------------------------------------------------
def test_definitions_carry_forward_and_are_replaced():
    assert verdicts("x = 2", "x + 1 = 3", "x = 5", "x + 1 = 6", "x + 1 = 3") == [DEFINED, RIGHT, DEFINED, RIGHT, WRONG]
    assert "redefined" in names(equations("x = 2", "x = 5")[1].remarks)
    assert "redefined" not in names(equations("x = 2", "x = 2.0")[1].remarks)


def test_a_claim_about_a_computed_value_is_no_definition():
    assert verdicts("x = 2", "y = 3x", "y = 6", "y = 7") == [DEFINED, DEFINED, RIGHT, LAST]
    assert verdicts("x = 2", "y = 3x", "y = 60") == [DEFINED, DEFINED, WRONG]


def test_a_value_that_is_stale_may_be_given_anew():
    assert verdicts("x = 2", "y = x + 1", "x = 5", "y = 6", "2y = 12") == [DEFINED, DEFINED, DEFINED, DEFINED, RIGHT]
    assert verdicts("x = 2", "y = x + 1", "z = 5", "y = 60") == [DEFINED, DEFINED, DEFINED, WRONG]


def test_a_new_formula_for_a_name_is_a_claim_only_if_it_is_true():
    assert verdicts("x = 2", "y = x + 1", "y = 2x - 1") == [DEFINED, DEFINED, RIGHT]
    assert verdicts("x = 2", "y = x + 1", "y = 2x", "y = 4") == [DEFINED, DEFINED, DEFINED, RIGHT]


def test_a_name_of_itself_has_the_value_of_before():
    """w = 3; 3 - 0.5 = 2.5; 2.5 - 0.5 = 2."""
    assert verdicts("w = 3", "w = w - 0.5 = 2.5", "w = w - 0.5 = 2", "w = 2") == [
        DEFINED,
        DEFINED,
        RIGHT,
        DEFINED,
        RIGHT,
        RIGHT,
    ]
    assert verdicts("w = 3", "w = w - 0.5 = 3.5")[-1] == WRONG


def test_a_size_follows_from_a_matrix():
    """d_k is the number of columns of K."""
    given = ["K = [[1, 2, 3], [4, 5, 6]]"]
    assert verdicts(*given, "√d_k ≈ 1.732", "√d_k ≈ 1.414") == [DEFINED, RIGHT, WRONG]
    assert verdicts(*given, "d_k = 4", "√d_k = 2") == [DEFINED, DEFINED, RIGHT]


def test_two_names_at_once():
    assert verdicts("a = b = 3", "a + b = 6", "a · b = 10") == [DEFINED, DEFINED, RIGHT, LAST]


def test_a_use_before_any_definition_is_not_guessed():
    assert verdicts("u + 1 = 3")[0] not in (RIGHT, WRONG, LAST)
    assert verdicts("u · v = 5", "u = [1, 2]", "v = [1, 2]", "u · v = 5")[0] not in (RIGHT, WRONG)
    assert verdicts("u · v = 5", "u = [1, 2]", "v = [1, 2]", "u · v = 5")[1:] == [DEFINED, DEFINED, RIGHT]


# -- chains ---------------------------------------------------------------------------------------------------------
def test_each_sign_of_a_chain_has_a_verdict():
    assert verdicts("x = 1 + 2 * 3 = 7 = 8 - 1 = 7") == [DEFINED, RIGHT, RIGHT, RIGHT]
    assert verdicts("y = (1 + 2) * 3 = 9 = 19 = 9") == [DEFINED, RIGHT, WRONG, RIGHT]
    assert verdicts("1 + 1 = 2 = 3 - 1 = 4 - 2") == [RIGHT] * 3


BEHIND_A_NUMBER = [  # a chain, what may stand behind a number in it, and what may not
    ("2 * 2 = 4 = {}", "5 - 1", "2 + 3"),  # 4; 5
    ("2 * 2 = 4 = {} = 4", "5 - 1", "5 - 2"),  # 4; 3
    ("t = 2 * 2 = 4 = {}", "2^2", "2^3"),  # 4; 8
    ("786432 + 262144 = 1048576 = {}", "2^20", "2^19"),  # 1048576; 524288
    ("exp(1) * exp(2) = 20.09 = {}", "2.72 * 7.39", "2.72 * 7.93"),  # e³ = 20.086: 20.1008 by roundings; 21.57
    ("2.718/3.718 = 0.731 = {}", "1 - 0.269", "1 - 0.296"),  # 0.7310; 0.704
    ("s = 4 = {}", "2^2", "2^3"),  # given as 4
    ("[1, 2] + [1, 1] = [2, 3] = {}", "[1, 1] + [1, 2]", "[1, 1] + [1, 3]"),
]


@pytest.mark.parametrize(("chain", "right", "wrong"), BEHIND_A_NUMBER)
def test_an_expression_behind_a_number_is_what_is_claimed_there(chain, right, wrong):
    """2 + 3 in 2 · 2 = 4 = 2 + 3 is accused, though the 4 before it is right."""
    assert set(verdicts(chain.format(right))) <= {DEFINED, RIGHT}
    assert verdicts(chain.format(wrong)).count(WRONG) == 1


def test_what_follows_from_a_wrong_line_is_not_accused():
    """y is 9, not 90; the writer's 90 + 1 = 91."""
    found = equations("x = 3", "y = x^2 = 90", "z = y + 1 = 91", "z = 10", "z = 92")
    assert [e.verdict for e in found] == [DEFINED, DEFINED, WRONG, DEFINED, FOLLOWS, RIGHT, WRONG]
    assert found[4].follows_from == 2
    assert found[4].right_value == "10"
    assert found[2].follows_from is None


def test_what_follows_from_what_follows_names_the_first_line():
    found = equations("x = 3", "y = x^2 = 90", "z = y + 1 = 91", "w = 2z = 182", "v = w - 2 = 18")
    assert [e.verdict for e in found if e.verdict != DEFINED] == [WRONG, FOLLOWS, FOLLOWS, RIGHT]
    assert [e.follows_from for e in found if e.verdict == FOLLOWS] == [2, 2]


def test_a_wrong_line_that_nobody_uses_excuses_nothing():
    assert verdicts("x = 3", "y = x^2 = 90", "u = x + 1 = 5")[-1] == LAST
    assert verdicts("x = 3", "y = x^2 = 90", "u = x + 1 = 91")[-1] == WRONG


def test_within_a_chain():
    found = equations("u = 11 + 11 = 35 = 35 = 22")
    assert [e.verdict for e in found] == [DEFINED, WRONG, FOLLOWS, RIGHT]
    assert found[2].follows_from == 1


def test_a_slip_that_was_mended_later_is_no_fault_any_more():
    assert verdicts("x = 3", "y = x^2 = 90", "y = 9", "z = y + 1 = 10", "z = 91")[-2:] == [RIGHT, WRONG]


# -- rounding between -----------------------------------------------------------------------------------------------
def test_the_digits_shown_excuse_what_they_give():
    """1/3 ≈ 0.33, and 2·0.33 = 0.66, where 2/3 ≈ 0.67."""
    found = equations("a = 1/3 ≈ 0.33", "b = 2a ≈ 0.66", "c = 2a ≈ 0.67", "d = 2a ≈ 0.68", "f = 2a ≈ 0.64")
    assert [e.verdict for e in found if e.verdict != DEFINED] == [RIGHT, EXCUSED, RIGHT, LAST, WRONG]
    assert found[3].right_value == "0.67"
    assert (found[3].local, found[3].from_start) == (RIGHT, LAST)
    assert "not_from_shown_operands" in names(found[5].remarks)


def test_a_value_beyond_what_rounding_explains_is_not_excused():
    """0.33 may be 0.325 to 0.335; three times that is 0.975 to 1.005, a thousand times 325 to 335."""
    assert verdicts("a = 1/3 ≈ 0.33", "b = 3a ≈ 0.99")[-1] == EXCUSED
    assert verdicts("a = 1/3 ≈ 0.33", "b = 1000a ≈ 330")[-1] in (EXCUSED, RIGHT)
    assert verdicts("a = 1/3 ≈ 0.43", "b = 3a ≈ 1.29")[-1] == FOLLOWS
    assert verdicts("a = 1/3 ≈ 0.33", "b = 3a ≈ 0.93")[-1] in (WRONG, LAST)


def test_put_in_numbers_are_claims_about_their_names():
    given = ["q = [1, 2]", "k = [3, 4]", "d_k = 2", "s = q · k / √d_k ≈ 7.778"]
    assert verdicts(*given, "s = 11/√2")[-1] == RIGHT
    assert verdicts(*given, "s = 12/√2")[-1] in (WRONG, DEFINED)
    assert verdicts("d_k = 4", "6/√d_k = 6/√4 = 3", "6/√d_k = 6/√9 = 2")[1:3] == [RIGHT, RIGHT]
    assert WRONG in verdicts("d_k = 4", "6/√d_k = 6/√9 = 2")


def test_rounded_numbers_are_put_in():
    value = mp.exp(mp.sqrt(mp.mpf(1) / 2))
    assert mp.nstr(value, 4) == "2.028"
    given = ["S = [0, √(1/2)] ≈ [0, 0.7071]"]
    assert verdicts(*given, "exp(S) = exp([0, 0.7071]) ≈ [1, 2.028]")[-2:] == [RIGHT, RIGHT]
    assert verdicts(*given, "exp(S) = exp([0, 0.8071]) ≈ [1, 2.241]")[-2] == WRONG


def test_a_sum_written_out_is_compared_term_by_term():
    assert verdicts("a = 1/3 ≈ 0.333", "b = 2/3 ≈ 0.667", "a + b = 0.333 + 0.667 = 1")[-2:] == [RIGHT, RIGHT]
    assert verdicts("a = 1/3 ≈ 0.333", "b = 2/3 ≈ 0.667", "a + b = 0.333 + 0.767 = 1.1")[-2] == WRONG


# -- result and expression ------------------------------------------------------------------------------------------
def test_a_wrong_expression_with_the_right_result():
    found = equations("x = 2", "y = 3x = 2 + 4 = 6")
    assert [e.verdict for e in found] == [DEFINED, DEFINED, RIGHT, RIGHT]
    found = equations("x = 2", "y = 3x = 2 + 5 = 6")
    assert [e.verdict for e in found][2] in (WRONG, LAST)
    assert found[3].verdict == RIGHT
    assert "result_right_expression_wrong" in names(equations("x = 2", "y = x + 1 = 30", "z = 2y = 6")[-1].remarks)


def test_a_right_expression_with_a_wrong_result():
    assert verdicts("x = 2", "y = 3x = 3 * 2 = 8")[2:] == [RIGHT, WRONG]


# -- marks ----------------------------------------------------------------------------------------------------------
def marked(*lines):
    return check("\n".join(lines), name="a.md").equations


def test_marks():
    skip, pitfall = "<!-- symtransformer: skip -->", "<!-- symtransformer: expect wrong -->"
    assert [e.verdict for e in marked(skip, "$1 + 1 = 3$", "", "$1 + 1 = 5$")] == ["skipped", WRONG]
    (found,) = marked(pitfall, "$1 + 1 = 5$")
    assert (found.verdict, found.expected_wrong, found.is_fault) == (WRONG, True, False)
    (found,) = marked(pitfall, "$1 + 1 = 2$")
    assert (found.verdict, found.expected_wrong, found.is_fault) == (RIGHT, True, True)
    assert "found_right" in names(found.remarks) or found.remarks


def test_a_pitfall_defines_nothing():
    pitfall = "<!-- symtransformer: expect wrong -->"
    found = marked(
        "$x = 2$", "", pitfall, "$x + 1 = 30$", "", "$x + 1 = 3$", "", pitfall, "$y = x^2 = 40$", "", "$y = x^2 = 4$"
    )
    assert [e.verdict for e in found if e.verdict != DEFINED] == [WRONG, RIGHT, WRONG, RIGHT]


def test_let_and_convention():
    assert [e.verdict for e in marked("<!-- symtransformer: let d_k = 64 -->", r"$\sqrt{d_k} = 8$")] == [RIGHT]
    report = check(
        "<!-- symtransformer: convention nonsense=5 -->\n<!-- symtransformer: let = -->\n$1 + 1 = 2$", name="a.md"
    )
    assert len(report.files[0].unread) >= 1
    assert all(u.code == "mark" for u in report.files[0].unread)


# -- against --------------------------------------------------------------------------------------------------------
def test_against_values_by_name():
    from sympy import Matrix

    reference = {"S": Matrix([[1, 2]]), "Scores": Matrix([[3, 4]])}
    assert verdicts("S = [1, 2]", "S = [1, 5]", against=reference) == [RIGHT, WRONG]
    assert verdicts("S = [3, 4]", "S = [3, 9]", against=reference, names={"S": "Scores"}) == [RIGHT, WRONG]
    assert verdicts("T = [3, 4]", "S T^T = 11", against=reference) == [DEFINED, RIGHT]


def test_several_documents_together(tmp_path):
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_text("x = 3\ny = x^2 = 90\n", encoding="utf-8")
    second.write_text("y + 1 = 10\nx = 3\n", encoding="utf-8")
    together = check([first, second], together=True)
    assert [[e.verdict for e in f.equations] for f in together.files] == [[DEFINED, DEFINED, WRONG], [RIGHT, RIGHT]]
    apart = check([first, second])
    assert next(e.verdict for e in apart.files[1].equations) not in (RIGHT, WRONG, LAST)
    missing = check([tmp_path / "none.txt", first])
    assert [bool(f.error) for f in missing.files] == [True, False]
    assert missing.exit_code() == 2


@pytest.mark.parametrize(
    ("lines", "code", "strict"),
    [(["1 + 1 = 2"], 0, 0), (["1 + 1 = 7"], 1, 1), (["u + 1 = 7"], 0, 1), (["x = 7"], 0, 0), ([], 0, 0)],
)
def test_exit_codes(lines, code, strict):
    report = check("\n".join(lines), name="a.txt")
    assert (report.exit_code(), report.exit_code(strict=True)) == (code, strict)


def test_the_right_line_has_its_own_numbers():
    equation = last("q = [1, 2]", "k = [3, 4]", "q · k = 25")
    assert equation.verdict == WRONG
    assert equation.right_value == "11"
    assert "11" in equation.right_line
