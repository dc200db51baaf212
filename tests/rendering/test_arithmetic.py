"""The arithmetic of one entry: in the order written, nothing sorted, merged or left out."""

import pytest
from page_reading import chains
from sympy import Rational, S, Symbol, exp, sqrt

from symtransformer import derive, dimension, head_index, matrix, parameter, render, verify
from symtransformer.dialects import LATEX, TEXT
from symtransformer.errors import NotSupported
from symtransformer.notation import Piece
from symtransformer.operations import (
    Addition,
    Concatenation,
    Exponential,
    Hadamard,
    HeadConcatenation,
    Linear,
    Mask,
    RowDivision,
    RowSum,
    ScaledDotProductAttention,
    Scaling,
    Softmax,
    Transpose,
)
from symtransformer.rendering.arithmetic import entry_arithmetic, value_of
from symtransformer.rendering.latex import LatexPrinter

oo, T = S.Infinity, Symbol("t")
A, B = matrix("A", 2, 3), matrix("B", 3, 2)
C, D = matrix("C", 2, 3), matrix("d", 2, 1)
GIVEN = {A: [[1, -2, 3], [0.5, 0, -1]], B: [[4, 5], [-6, 7], [8, 9]], C: [[2, 2, -4], [1, 1, 3]], D: [[-2], [4]]}


def entries(expression, values=None, format="txt", **options):
    """left: the right-hand sides of each entry, as printed, in one line."""
    letters = expression._free
    chosen = GIVEN if values is None else values
    derivation = derive(expression, values={k: v for k, v in chosen.items() if k in letters})
    page = render(verify(derivation), format, detail="entries", **options)
    if format == "tex":
        return page
    body = page.partition("Entry by entry:")[2].partition("Exact values")[0]
    return {chain.left: " ".join(f"{sign} {term}" for sign, term in chain.rights) for chain in chains(body)}


def test_products_keep_the_order_of_their_factors_and_sums_that_of_their_terms():
    shown = entries(A @ B)
    assert shown["y_11"] == "= a_11 b_11 + a_12 b_21 + a_13 b_31 = 1 × 4 + (-2) × (-6) + 3 × 8 = 4 + 12 + 24 = 40"
    assert shown["y_22"] == "= a_21 b_12 + a_22 b_22 + a_23 b_32 = 0.5 × 5 + 0 × 7 + (-1) × 9 = 2.5 + 0 - 9 = -6.5"
    swapped = entries(B @ A)
    assert swapped["y_13"] == "= b_11 a_13 + b_12 a_23 = 4 × 3 + 5 × (-1) = 7"
    assert len(swapped) == 9


def test_query_times_key_is_not_sorted_into_key_times_query():
    Q, K, V = matrix("Q", 2, 2), matrix("K", 3, 2), matrix("V", 3, 1)
    values = {Q: [[1, 2], [3, 4]], K: [[5, 6], [7, 8], [9, 10]], V: [[1], [1], [1]]}
    derivation = derive(ScaledDotProductAttention(Q, K, V), values=values)
    lines = [c for c in chains(render(verify(derivation), detail="entries")) if c.left == "s_23"]
    assert lines[0].terms[:2] == ["(q_21 k_31 + q_22 k_32) / sqrt(2)", "(3 × 9 + 4 × 10) / sqrt(2)"]


def test_equal_factors_and_equal_terms_are_not_merged():
    assert entries(Hadamard(A, A))["y_12"] == "= a_12 a_12 = (-2) × (-2) = 4"
    assert entries(Addition(A, A, C))["y_11"] == "= a_11 + a_11 + c_11 = 1 + 1 + 2 = 4"
    assert entries(A @ Transpose(A))["y_11"].startswith(
        "= a_11 a_11 + a_12 a_12 + a_13 a_13 = 1 × 1 + (-2) × (-2) + 3 × 3 = 1 + 4 + 9"
    )
    assert entries(Hadamard(A, Hadamard(A, A)))["y_21"] == "= a_21 (a_21 a_21) = 0.5 × (0.5 × 0.5) = 0.125"


def test_the_order_of_a_sum_is_that_of_the_expression():
    assert entries(Addition(C, A))["y_13"] == "= c_13 + a_13 = -4 + 3 = -1"
    assert entries(Addition(A, C))["y_13"] == "= a_13 + c_13 = 3 - 4 = -1"
    assert entries(A - C)["y_11"] == "= a_11 - c_11 = 1 - 2 = -1"
    assert entries(A - C)["y_13"] == "= a_13 - c_13 = 3 - (-4) = 7"
    assert entries(-C)["y_13"] == "= -c_13 = -(-4) = 4"


def test_row_sums_are_written_out_in_full():
    assert entries(RowSum(A)) == {
        "y_1": "= a_11 + a_12 + a_13 = 1 - 2 + 3 = 2",
        "y_2": "= a_21 + a_22 + a_23 = 0.5 + 0 - 1 = -0.5",
    }


def test_divisions_fence_what_is_negative_or_a_fraction():
    assert entries(RowDivision(A, D))["y_11"] == "= a_11 / d_1 = 1 / (-2) = -0.5"
    assert entries(RowDivision(A, D))["y_12"] == "= a_12 / d_1 = (-2) / (-2) = 1"
    fractions = {A: GIVEN[A], D: [[Rational(1, 3)], [sqrt(2) / 2]]}
    assert entries(RowDivision(A, D), fractions)["y_13"] == "= a_13 / d_1 = 3 / (1/3) = 9"
    assert entries(RowDivision(A, D), fractions)["y_21"] == "= a_21 / d_2 = 0.5 / (sqrt(2)/2) ≈ 0.7071"
    assert entries(Scaling(A, -2, 3))["y_11"] == "= (-2) a_11 / 3 = (-2) × 1 / 3 ≈ -0.6667"


def test_fractions_are_written_as_fractions_in_latex():
    page = entries(RowDivision(A, D), {A: GIVEN[A], D: [[Rational(1, 3)], [-2]]}, "tex")
    assert r"y_{11} &= \frac{a_{11}}{d_{1}} = \frac{1}{\dfrac{1}{3}} = 3" in page  # as large as one alone
    assert r"y_{23} &= \frac{a_{23}}{d_{2}} = \frac{-1}{-2} = 0.5" in page
    page = entries(A @ B, None, "tex")
    assert r"a_{11} b_{11} + a_{12} b_{21} + a_{13} b_{31}" in page
    assert r"1 \times 4 + \left(-2\right) \times \left(-6\right) + 3 \times 8" in page
    assert r"4 + 12 + 24" in page


def test_exponentials_and_softmax_keep_their_shape():
    scores = matrix("S", 1, 3)
    values = {scores: [[0, -1, 2]]}
    assert entries(Exponential(scores), values)["y_2"] == "= exp(s_2) = exp(-1) ≈ 0.3679"
    assert entries(Softmax(scores), values)["y_2"] == (
        "= exp(s_2) / (exp(s_1) + exp(s_2) + exp(s_3)) = exp(-1) / (exp(0) + exp(-1) + exp(2)) ≈ 0.0420"
    )


def test_masks_add_minus_infinity_and_the_result_is_exactly_that():
    marks = matrix("M", 2, 3)
    values = {A: GIVEN[A], marks: [[0, -oo, 0], [0, 0, -oo]]}
    shown = entries(Mask(A, marks), values)
    assert shown["y_11"] == "= a_11 + m_11 = 1 + 0 = 1"
    assert shown["y_12"] == "= a_12 + m_12 = -2 - ∞ = -∞"
    assert entries(Softmax(Mask(A, marks)), values)["y_12"].endswith("= 0")
    assert entries(Exponential(Mask(A, marks)), values)["y_23"] == "= exp(a_23 + m_23) = exp(-1 - ∞) = 0"


def test_rounded_scores_under_a_mask_still_give_exactly_minus_infinity():
    scores, marks = matrix("R", 1, 2), matrix("M", 1, 2)
    derivation = derive(
        {"Z": Mask(Scaling(scores, 1, sqrt(2)), marks)}, names={Scaling(scores, 1, sqrt(2)): "S"},
        values={scores: [[1, 2]], marks: [[0, -oo]]},
    )  # fmt: skip
    lines = [c for c in chains(render(verify(derivation), detail="entries")) if c.left == "z_2"]
    assert lines[0].rights == (("=", "s_2 + m_2"), ("≈", "1.4142 - ∞"), ("=", "-∞"))


def test_concatenated_entries_are_taken_from_their_part():
    shown = entries(Concatenation(A, D))
    assert (shown["y_13"], shown["y_24"]) == ("= a_13 = 3", "= d_2 = 4")


def test_a_single_index_is_used_where_the_matrix_is_a_row_or_a_column():
    row, column = matrix("x", 1, 2), matrix("w", 2, 1)
    shown = entries(row @ column, {row: [[3, -4]], column: [[5], [6]]})
    assert shown == {"y_1": "= x_1 w_1 + x_2 w_2 = 3 × 5 + (-4) × 6 = -9"}


def test_letters_without_a_value_are_counted_from_1():
    shown = entries(A @ B, {B: [[1, 0], [0, 1], [2, -1]]})
    assert (
        shown["y_12"]
        == "= a_11 b_12 + a_12 b_22 + a_13 b_32 = a_11 × 0 + a_12 × 1 + a_13 × (-1) = 0 + a_12 - a_13 = a_12 - a_13"
    )


def test_parameters_stay_letters():
    t = parameter("t")
    shown = entries(A @ B, {A: [[t, 1 - t, 0], [1, 1, 1]], B: GIVEN[B]})
    assert (
        shown["y_11"]
        == "= a_11 b_11 + a_12 b_21 + a_13 b_31 = t × 4 + (1 - t) × (-6) + 0 × 8 = 4*t - 6 + 6*t + 0 = -6 + 10*t"
    )


def test_each_head_is_worked_out_with_its_own_weights():
    i, X = head_index(), matrix("X", 1, 2)
    W = matrix("W", 2, 1).of_head(i)
    derivation = derive(HeadConcatenation(Linear(X, W), i, 2), values={X: [[3, 5]], "W": [[[1], [2]], [[7], [-1]]]})
    page = render(verify(derivation), detail="entries")
    lines = {c.left: c.terms for c in chains(page)}
    assert lines["W^(1)"] == ["[[1], [2]]"]
    assert lines["W^(2)"] == ["[[7], [-1]]"]
    assert lines["y_1"][-2:] == ["3 × 1 + 5 × 2", "13"]
    assert lines["y_2"][-2:] == ["3 × 7 + 5 × (-1)", "16"]


def test_heads_counted_by_a_letter_are_shown_with_their_numbers_too():
    i, h, X = head_index(), dimension("h"), matrix("X", 1, dimension("d"))
    W = matrix("W", dimension("d"), 1).of_head(i)
    derivation = derive(
        HeadConcatenation(Linear(X, W), i, h), values={X: [[3, 5]], "W": [[[1], [2]], [[7], [-1]]], h: 2}
    )
    lines = {c.left: c.terms for c in chains(render(verify(derivation), detail="entries"))}
    assert (lines["W^(1)"], lines["W^(2)"]) == (["[[1], [2]]"], ["[[7], [-1]]"])
    assert lines["y_2"] == ["x_1 w^(2)_1 + x_2 w^(2)_2", "3 × 7 + 5 × (-1)", "16"]


def test_the_tree_has_as_many_leaves_as_are_written_and_gives_the_value():
    tree = entry_arithmetic(A @ B, 0, 1)
    assert len(tree.leaves()) == 6
    assert [leaf.parts[0].name for leaf in tree.leaves()] == ["A", "B"] * 3
    assert value_of(tree, lambda letter, i, j: S(GIVEN[letter][i][j])) == 1 * 5 + (-2) * 7 + 3 * 9


def test_an_entry_that_is_too_long_is_refused_but_its_matrix_is_shown():
    left, right = matrix("A", 1, 250), matrix("B", 250, 1)
    derivation = verify(derive(left @ right, values={left: [[1] * 250], right: [[2]] * 250}))
    with pytest.raises(NotSupported, match="--detail steps"):
        render(derivation, detail="entries")
    assert render(derivation).rstrip().endswith("= 500")


@pytest.mark.parametrize(
    ("number", "latex", "text"),
    [
        (Rational(1, 10**5), "0.00001", "0.00001"), (Rational(-1, 8), "-0.125", "-0.125"), (Rational(1, 3), r"\frac{1}{3}", "1/3"),
        (T + Rational(1, 10**5), "0.00001 + t", "0.00001 + t"), (1 - T / 2, r"1 - \frac{t}{2}", "1 - t/2"),
        (Rational("0.044715") * T**3, "0.044715 t^{3}", "0.044715*t^3"), (1 - T / 10, "1 - 0.1 t", "1 - 0.1*t"),
        (sqrt(2) / 10, r"\frac{\sqrt{2}}{10}", "sqrt(2)/10"), (exp(-3 * T / 10), "e^{-0.3 t}", "exp(-0.3*t)"),
        (exp(-T / 3), "e^{-t/3}", "exp(-t/3)"), (sqrt(2) * T / 10, r"0.1 \sqrt{2} t", "0.1*sqrt(2)*t"),
        (Rational(3, 10) * 2**T, r"0.3 \cdot 2^{t}", "0.3*2^t"), (Rational(1, 10**13), r"\frac{1}{10000000000000}", "1/10000000000000"),
    ],
)  # fmt: skip
def test_decimals_that_end_are_decimals_and_thirds_stay_fractions(number, latex, text):
    assert (LATEX.scalar(number), TEXT.scalar(number)) == (latex, text)


def test_small_numbers_given_to_an_operation_are_printed_as_they_were_given():
    assert str(Scaling(A, Rational(1, 100), 1)) == "0.01 A"
    assert entries(Scaling(A, Rational(1, 100), 1))["y_12"] == "= 0.01 a_12 = 0.01 × (-2) = -0.02"


def test_a_power_of_a_marked_entry_is_no_double_superscript():
    printer = LatexPrinter("en", {})
    assert printer.power(Piece("w^{Q}_{11}"), "2").text == "{w^{Q}_{11}}^{2}"
    assert printer.power(Piece("x_{11}"), "2").text == "x_{11}^{2}"
