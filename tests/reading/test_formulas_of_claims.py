"""One formula of a claim, as a mathematician writes it and entry by entry as in NumPy, with the numbers of plain NumPy."""

import numpy as np
import pytest
from sympy import sqrt

from symtransformer.evaluation import cells_of
from symtransformer.node import substitute
from symtransformer.reading import ReadingError
from symtransformer.reading.claimed_lines import read_matrix_line
from symtransformer.symbols import Letter, Literal

NUMBERS = {
    "A": [[1, 2, 4], [3, 5, 7]],
    "B": [[2, 3, 5], [4, 6, 8]],
    "C": [[1, 2], [3, 5], [4, 7]],
    "S": [[1, 2], [3, 4]],
    "q": [[1, 4, 9], [16, 25, 36]],
    "r": [[2, 3, 5]],  # a row
    "c": [[2], [7]],  # columns
    "g": [[3], [1], [2]],
}
LETTERS = {name: Letter(name, len(rows), len(rows[0])) for name, rows in NUMBERS.items()}
VALUES = {name: np.array(rows, dtype=float) for name, rows in NUMBERS.items()}
A, B, C, S, q, r, c, g = VALUES.values()


def formula(text, entrywise, lying=False):
    return read_matrix_line(text, LETTERS, {}, {"entrywise": entrywise, "repeating": entrywise, "lying": lying})


def read(text, entrywise, lying=False):
    value = formula(text, entrywise, lying)
    rule = {LETTERS[name]: Literal(rows) for name, rows in NUMBERS.items()}
    exact = cells_of(substitute(value, rule)).exact()
    return np.array([[float(x) for x in row] for row in exact])


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        # entry by entry
        ("A * B", A * B), ("A @ C", A @ C), ("A / B", A / B), ("A * B / c", A * B / c), ("A / r", A / r), ("A / B * A", A / B * A),
        ("A / B @ C", A / B @ C), ("A / B * 2", A / B * 2), ("1 / A", 1 / A), ("2 / A", 2 / A), ("2 * A / B", 2 * A / B), ("A / 2", A / 2),
        ("A^2", A**2), ("A^3", A**3), ("A^{-1}", 1 / A), ("A^{-2}", A**-2.0), ("q^0.5", q**0.5), ("S^2", S**2), ("A^1", A),
        ("A + B", A + B), ("A - B", A - B), ("A + r", A + r), ("A - c", A - c), ("r + A", r + A), ("1 - A", 1 - A), ("A - 1", A - 1), ("A + B - 1", A + B - 1),
        ("2 + A + r", 2 + A + r), ("A * r", A * r), ("A * c", A * c), ("c * A", c * A), ("A * g", A * g.T), ("A * (1 - A)", A * (1 - A)),
        ("sum(A, axis=1)", A.sum(1, keepdims=True)), ("sum(A, axis=1, keepdims=True) * A", A.sum(1, keepdims=True) * A), ("matmul(A, C)", A @ C),
        ("dot(A, C)", A @ C), ("A - mean(A, axis=1)", A - A.mean(1, keepdims=True)), ("A / sum(A, axis=-1)", A / A.sum(1, keepdims=True)),
        ("diag(c)", np.diag(c[:, 0])), ("diag(r)", np.diag(r[0])), ("diag(S)", np.diag(S)[:, None]), ("trace(S)", [[S.trace()]]),
    ],
)  # fmt: skip
def test_entry_by_entry_it_is_what_numpy_computes(text, meant):
    assert np.allclose(read(text, True), meant, rtol=1e-12, atol=0)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("A C", A @ C), ("A @ C", A @ C), ("A ⊙ B", A * B), ("S^2", S @ S), ("S^3", S @ S @ S), ("2 A / 4", A / 2), ("A + B", A + B),
        ("A^T A", A.T @ A), ("rowsum(A)", A.sum(1, keepdims=True)), ("colsum(A)", A.sum(0)[:, None]), ("rowmean(A)", A.mean(1, keepdims=True)),
        ("colmean(A)", A.mean(0)[:, None]), ("mean(A)", A.mean(1, keepdims=True)), ("sum(A, 1)", A.sum(1, keepdims=True)), ("sum(A, 0)", A.sum(0)[:, None]),
        ("sum(A, -1)", A.sum(1, keepdims=True)), ("sum(A, -2)", A.sum(0)[:, None]), ("mean(A, axis=0)", A.mean(0)[:, None]),
        ("mean(A, dim=1)", A.mean(1, keepdims=True)), ("sum(A, axis=0, keepdims=True)", A.sum(0)[:, None]), ("diag(g)", np.diag(g[:, 0])),
        ("diag(S)", np.diag(S)[:, None]), ("trace(S)", [[S.trace()]]), ("trace(A C)", [[np.trace(A @ C)]]),
    ],
)  # fmt: skip
def test_of_matrices_it_is_what_is_meant(text, meant):
    assert np.allclose(read(text, False), meant, rtol=1e-12, atol=0)


@pytest.mark.parametrize("text", ["colsum(A)", "sum(A, axis=0)", "colmean(A)", "mean(A, axis=-2)"])
def test_sums_of_columns_are_a_row_where_that_is_asked(text):
    whole = A.sum(0) if "sum" in text else A.mean(0)
    assert np.allclose(read(text, False, True), whole[None, :])
    assert np.allclose(read(text, False, False), whole[:, None])


@pytest.mark.parametrize(
    ("text", "entrywise", "code"),
    [
        ("A^65", True, "exponent"), ("A^0", True, "exponent"), ("A^0.3", True, "exponent"), ("A / B C", True, "after_slash"),
        ("sum(A)", False, "keyword"), ("sum(A, axis=2)", False, "keyword"), ("sum(A, axis=1, keepdims=False)", False, "keyword"),
        ("sum(A, of=1)", False, "keyword"), ("sum(A, 3)", False, "keyword"), ("sum(A, 1, 2)", False, "refused"), ("diag(A, B)", False, "refused"),
        ("diag(S, axis=1)", False, "refused"), ("matmul(A)", False, "refused"), ("diag(A)", False, None), ("trace(A)", False, None),
        ("A Z", False, "unknown_name"), ("", False, None), ("A\nB", False, "lines"), ("r + c", True, None), ("A + C", False, None), ("A C C", False, None),
    ],
)  # fmt: skip
def test_what_is_refused_and_why(text, entrywise, code):
    with pytest.raises(ReadingError) as refused:
        formula(text, entrywise, False)
    assert refused.value.code == code or code is None, refused.value


def test_half_a_power_is_the_root_of_each_entry():
    value = formula("A^0.5", True, False)
    exact = cells_of(substitute(value, {LETTERS["A"]: Literal(NUMBERS["A"])})).exact()
    assert exact == [[sqrt(x) for x in row] for row in NUMBERS["A"]]


def test_a_sum_of_numbers_is_a_number():
    assert formula("1 + 2", True, False) == 3
    assert formula("1 - 2", False, False) == -1
