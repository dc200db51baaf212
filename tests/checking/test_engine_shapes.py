"""The engine on vectors and matrices: sizes, lists that may stand either way, entries, rows, and products; NumPy says what is right."""

import numpy as np
import pytest
from engine_documents import equations, last, verdicts

RIGHT, WRONG, DEFINED, LAST, SHAPES = "right", "wrong", "definition", "last_place", "shapes"
M = np.array([[1, 2, 3], [4, 5, 6]])
V = np.array([[2, 0], [1, 1], [0, 3]])
GIVEN = ["M = [[1, 2, 3], [4, 5, 6]]", "V = [[2, 0], [1, 1], [0, 3]]", "x = [1, 2, 3]", "y = [4, 5, 6]"]


def rows(array):
    array = np.atleast_2d(array)
    return "[" + ", ".join("[" + ", ".join(f"{v:g}" for v in row) + "]" for row in array) + "]"


def said(line):
    return last(*GIVEN, line)


PRODUCTS = {
    "M V": M @ V, "M M^T": M @ M.T, "M^T M": M.T @ M, "V M": V @ M, "V^T M^T": V.T @ M.T, "2M": 2 * M, "M + M": 2 * M, "M - M": 0 * M, "M ⊙ M": M * M, "M / 2": M / 2,
    "M V - [[1, 1], [1, 1]]": M @ V - 1, "(M V)^T": (M @ V).T, "M V V^T": M @ V @ V.T, "-M": -M, "M x": M @ [[1], [2], [3]], "x V": np.array([[1, 2, 3]]) @ V,
}  # fmt: skip


@pytest.mark.parametrize("text", PRODUCTS)
def test_products(text):
    value = PRODUCTS[text]
    assert said(f"{text} = {rows(value)}").verdict == RIGHT
    i, j = value.shape[0] - 1, value.shape[1] - 1
    wrong = value.astype(float)
    wrong[i, j] += 70
    equation = said(f"{text} = {rows(wrong)}")
    assert equation.verdict == WRONG
    assert [(e.row, e.column) for e in equation.entries if e.verdict != RIGHT][-1] in ((i + 1, j + 1), (j + 1, i + 1))
    taller = np.vstack([value, value[:1], value[:1], value[:1], value[:1]])
    assert said(f"{text} = {rows(taller)}").verdict == SHAPES


def test_shapes_are_told():
    equation = said("M V = [[4, 11, 1], [13, 23, 1]]")
    assert (equation.verdict, equation.code) == (SHAPES, "shapes")
    assert "2 × 2" in equation.words.en
    assert "2 × 3" in equation.words.en
    assert said("M M = [[1, 2], [3, 4]]").verdict == SHAPES
    assert said("x + [1, 2] = [2, 4]").verdict == SHAPES


def test_a_list_may_stand_as_a_row_or_as_a_column():
    assert said("M x = [14, 32]").verdict == RIGHT
    assert said("M x = [[14], [32]]").verdict == RIGHT
    assert said("x V = [4, 11]").verdict == RIGHT
    assert said("M x = [14, 33]").verdict == LAST
    assert said("x M^T = [14, 32]").verdict == RIGHT
    assert said("x = [[1], [2], [3]]").verdict in (RIGHT, DEFINED)


def test_inner_products():
    for text in ("x · y", "x y^T", "x^T y"):
        assert said(f"{text} = 32").verdict == RIGHT
        assert said(f"{text} = 42").verdict == WRONG


def test_outer_products_are_taken_where_a_table_is_shown():
    outer = np.outer([1, 2, 3], [4, 5, 6])
    assert said(f"x^T y = {rows(outer)}").verdict == RIGHT
    assert said(f"x^T y = {rows(outer + 50)}").verdict == WRONG


def test_lists_are_columns_too_where_a_table_is_shown():
    outer, wide = np.outer([1, 2, 3], [4, 5, 6]), np.outer([1, 2, 3], [2, 4])
    assert said(f"x y^T = {rows(outer)}").verdict == RIGHT
    assert said(f"x y^T = {rows(outer + 50)}").verdict == WRONG
    assert verdicts(*GIVEN, "w = [2, 4]", f"x w^T = {rows(wide)}")[-1] == RIGHT
    assert verdicts(*GIVEN, "w = [2, 4]", f"x w^T = {rows(wide + 50)}")[-1] == WRONG
    assert verdicts(*GIVEN, "w = [2, 4]", "x w^T = 10")[-1] == SHAPES


def test_one_zero_stands_for_all_entries():
    for text in ("M - M = 0", "x - x = 0", "0 M = 0"):
        assert said(text).verdict == RIGHT, text
    assert said("0.1 x = 0").verdict == WRONG  # none of its entries is a rounding of 0.1, 0.2, 0.3
    for text in ("M - M = 1", "M - M = 0.0001"):
        assert said(text).verdict == SHAPES, text


def test_a_statistic_of_a_matrix_is_of_its_rows_or_of_all_entries():
    given = ["A = [[1, 2, 3], [4, 5, 9]]"]
    matrix = np.array([[1, 2, 3], [4, 5, 9]])
    for name, value, by_rows in (
        ("mean", matrix.mean(), matrix.mean(axis=1)),
        ("var", matrix.var(), matrix.var(axis=1)),
        ("std", matrix.std(), matrix.std(axis=1)),
    ):
        assert verdicts(*given, f"{name}(A) = {value:.6f}")[-1] == RIGHT, name
        assert verdicts(*given, f"{name}(A) = {value + 2:.6f}")[-1] == WRONG, name
        assert verdicts(*given, f"{name}(A) = [{', '.join(f'{v:.6f}' for v in by_rows)}]")[-1] == RIGHT, name
    for name, value in (("var", matrix.var(ddof=1)), ("std", matrix.std(ddof=1))):
        assert verdicts(*given, f"{name}(A) = {value:.6f}")[-1] == "by_convention", name


def test_rows_and_entries():
    for line in ("m_2 = [4, 5, 6]", "m_{21} = 4", "m_12 = 2", "M_{23} = 6"):
        assert said(line).verdict == RIGHT, line
    for line in ("m_2 = [4, 5, 16]", "m_{21} = 12", "m_12 = 24", "M_{23} = 16"):
        assert said(line).verdict == WRONG, line


def test_rows_of_a_product_go_back_to_what_it_is_made_of():
    given = [*GIVEN, "P = M V"]
    assert verdicts(*given, "p_2 = [13, 23]", "p_{21} = 13", "p_1 = [4, 11]")[-3:] == [RIGHT] * 3
    assert verdicts(*given, "p_2 = [13, 53]", "p_{21} = 43", "p_1 = [11, 4]")[-3:] == [WRONG] * 3


def test_a_name_of_its_own_is_no_row():
    """q_2 of another size is defined, and used as such."""
    found = verdicts("Q = [[1, 2], [3, 4]]", "q_2 = [7, 8, 9]", "q_2 · q_2 = 194")
    assert found == [DEFINED, DEFINED, RIGHT]


def test_functions_of_rows():
    e = np.exp(M - M.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    table = "[" + ", ".join("[" + ", ".join(f"{v:.3f}" for v in row) + "]" for row in weights) + "]"
    assert said(f"softmax(M) ≈ {table}").verdict == RIGHT
    assert said(f"softmax(M) ≈ {table.replace('0.245', '0.345', 1)}").verdict == WRONG
    norm = (M - M.mean(axis=1, keepdims=True)) / M.std(axis=1, keepdims=True)
    table = "[" + ", ".join("[" + ", ".join(f"{v:.3f}" for v in row) + "]" for row in norm) + "]"
    assert said(f"LayerNorm(M) ≈ {table}").verdict == RIGHT
    assert said("ReLU(M - 3) = [[0, 0, 0], [1, 2, 3]]").verdict in (RIGHT, "unparsed")
    assert said("mean(x) = 2").verdict == RIGHT
    assert said("sum(x) = 6").verdict == RIGHT
    assert said("max(x) = 3").verdict in (RIGHT, "unparsed")


def test_masks_drop_columns():
    given = ["S = [[1, 2], [3, 4]]", "M = [[0, -∞], [0, 0]]"]
    e = np.exp([3.0, 4.0])
    assert verdicts(*given, "softmax(S + M) ≈ [[1, 0], [0.269, 0.731]]")[-1] == RIGHT
    assert [f"{v:.3f}" for v in e / e.sum()] == ["0.269", "0.731"]
    assert verdicts(*given, "softmax(S + M) ≈ [[0.269, 0.731], [0.269, 0.731]]")[-1] == WRONG


def test_two_expressions():
    found = equations(*GIVEN, "M V = (V^T M^T)^T", "M V = V^T M^T", "M V = M V + [[0, 0], [0, 1]]", "x · y = y · x")
    assert [e.verdict for e in found[4:]] == [RIGHT, WRONG, WRONG, RIGHT]
    assert (
        found[5].right_value == "[[4, 9], [13, 23]]" or str((M @ V).tolist()).replace(".0", "") == found[5].right_value
    )


def test_vectors_are_divided_entry_by_entry():
    """Two of one size, or a number by one: nothing else can be meant."""
    given = [*GIVEN, "a = [1, 2]", "b = [4, 5]"]
    for right, wrong in (
        ("a / b = [0.25, 0.4]", "a / b = [0.25, 0.9]"), ("1 / a = [1, 0.5]", "1 / a = [1, 0.9]"), ("a / sqrt(a ⊙ a) = [1, 1]", "a / sqrt(a ⊙ a) = [1, 3]"),
        ("tanh(x) = (exp(x) - exp(-x)) / (exp(x) + exp(-x))", "tanh(x) = (exp(x) + exp(-x)) / (exp(x) - exp(-x))"), ("sigmoid(x) = 1 / (1 + exp(-x))", "sigmoid(x) = 1 / (1 - exp(-x))"),
    ):  # fmt: skip
        assert verdicts(*given, right)[-1] == RIGHT, right
        assert verdicts(*given, wrong)[-1] == WRONG, wrong
    assert verdicts(*given, "a / x = [1, 1]")[-1] == SHAPES
    assert verdicts(*given, "1 / M = [[1, 2, 3], [4, 5, 6]]")[-1] == SHAPES
