"""Derivatives of entries by entries and of rows by rows: how they are read, what is between the two, and the verdict."""

import pytest
from sympy import Integer, KroneckerDelta, S, Symbol

from symtransformer import verify
from symtransformer.claims.jacobians import _between, _pins, _place
from symtransformer.claims.subject import subject_of
from symtransformer.errors import UnreadableInput
from symtransformer.operations import Softmax
from symtransformer.reading import ReadingError
from symtransformer.symbols import Letter, dimension

LINEAR, ROWS, COLUMNS, WEIGHTS = (
    "Y = X W",
    "x: 1 n\nW: n m\ny = x W",
    "x: n 1\nW: m n\ny = W x",
    "S: n m\nA = softmax(S)",
)
SIZED = "X: n a\nW: a b\nY = X W"  # sizes that are called as indices are otherwise
ATTENTION = "S = Q K^T / sqrt(d_k)\nA = softmax(S)\nZ = A V"

CLAIMS = [
    # rows by rows: y_i = x_i W, so that ∂y_ij/∂x_ic is w_cj
    ("∂y_i/∂x_i = W^T", LINEAR, "proved"), ("∂y_i/∂x_i = 2 W^T", LINEAR, "refuted"), ("∂y_a/∂x_a = W^T", LINEAR, "proved"), ("∂y_a/∂x_a = 2 W^T", LINEAR, "refuted"), ("∂y_a/∂x_b = δ_ab W^T", LINEAR, "proved"), ("∂y_a/∂x_b = W^T", LINEAR, "refuted"),
    ("∂y_i/∂x_i = W^T", SIZED, "proved"), ("∂y_i/∂x_i = 2 W^T", SIZED, "refuted"), ("∂y_c/∂x_c = W^T", SIZED, "proved"), ("∂y_c/∂x_c = -W^T", SIZED, "refuted"),
    # a row by an entry
    ("∂y_i/∂x_ia = w_a", LINEAR, "proved"), ("∂y_i/∂x_ia = 2 w_a", LINEAR, "refuted"), ("∂y_i/∂x_ja = δ_ij w_a", LINEAR, "proved"), ("∂y_i/∂x_ja = w_a", LINEAR, "refuted"),
    # vectors have one index
    ("∂y_i/∂x_j = w_ji", ROWS, "proved"), ("∂y_i/∂x_j = 2 w_ji", ROWS, "refuted"), ("∂y_i/∂x_j = w_ij", ROWS, "shapes"), ("∂y_i/∂x_j = w_ij", COLUMNS, "proved"), ("∂y_i/∂x_j = 2 w_ij", COLUMNS, "refuted"), ("∂y_i/∂x_j = w_ji", COLUMNS, "shapes"),
    ("∂y_1/∂x_2 = w_{1,2}", COLUMNS, "proved"), ("∂y_1/∂x_2 = w_{2,1}", COLUMNS, "refuted"), ("∂y_1/∂x_2 = w_{2,1}", ROWS, "proved"), ("∂y_1/∂x_2 = w_{1,2}", ROWS, "refuted"),
    # entries, some of which are fixed
    ("∂a_{1,1}/∂s_{1,2} = -a_{1,1} a_{1,2}", WEIGHTS, "proved"), ("∂a_{1,1}/∂s_{1,2} = a_{1,1} a_{1,2}", WEIGHTS, "refuted"), ("∂a_{1,1}/∂s_{2,2} = 0", WEIGHTS, "proved"), ("∂a_{1,1}/∂s_{1,1} = 0", WEIGHTS, "refuted"), ("∂a_i1/∂s_i2 = -a_i1 a_i2", WEIGHTS, "proved"), ("∂a_i1/∂s_i2 = -a_i1 a_i1", WEIGHTS, "refuted"),
    ("∂a_ij/∂s_kl = δ_ik a_ij (δ_jl - a_il)", WEIGHTS, "proved"), ("∂a_ij/∂s_kl = a_ij (δ_jl - a_il)", WEIGHTS, "refuted"), ("∂a_1j/∂s_1j = a_1j (1 - a_1j)", WEIGHTS, "proved"), ("∂a_1j/∂s_1j = a_1j (1 - a_2j)", WEIGHTS, "refuted"), ("∂a_1j/∂s_2j = 0", WEIGHTS, "proved"), ("∂a_1j/∂s_2j = a_1j", WEIGHTS, "refuted"),
    ("∂a_ij/∂s_ij = a_ij (1 - a_ij)", WEIGHTS, "proved"), ("∂a_ij/∂s_ij = a_ij", WEIGHTS, "refuted"), ("∂a_i1/∂s_ij = a_i1 (δ_1j - a_ij)", WEIGHTS, "proved"), ("∂a_i1/∂s_ij = a_i1 (δ_2j - a_ij)", WEIGHTS, "refuted"),
    # through a step between
    ("∂z_ic/∂s_ij = a_ij (v_jc - z_ic)", ATTENTION, "proved"), ("∂z_ic/∂s_ij = a_ij v_jc", ATTENTION, "refuted"), ("∂s_ij/∂q_ic = k_jc / sqrt(d_k)", ATTENTION, "proved"), ("∂s_ij/∂q_ic = k_jc", ATTENTION, "refuted"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "of", "kind"), CLAIMS)
def test_derivatives_of_entries_and_rows(claim, of, kind):
    assert verify(claim, of=of).kind == kind


REFUSED = [
    ("∂y_i/∂x_ia = W", "index", 14, "the right side should be d, but is d_model x d"), ("∂y_ij/∂x_ia = W", "index", 15, "the right side should be a number, but is d_model x d"), ("∂y_i/∂x_i = 1", "index", 13, "the right side should be d x d_model, but is 1 x 1"),
    ("∂x_ij/∂y_ia = 1", "derivative", 1, "X is not computed from Y"), ("∂y_ij/∂y_ij = 1", "derivative", 1, "Y is not computed from Y"), ("∂x_ij/∂w_jk = 1", "derivative", 1, "X is not computed from W"),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "code", "column", "said"), REFUSED)
def test_what_is_no_derivative_is_refused_at_its_place(claim, code, column, said):
    with pytest.raises(ReadingError, match=said) as caught:
        verify(claim, of=LINEAR)
    assert (caught.value.code, caught.value.line, caught.value.column) == (code, 1, column)


@pytest.mark.parametrize(
    ("claim", "said"),
    [("∂y_i/∂x_i = W^T", ["rows"]), ("∂y_i/∂x_i = W", ["columns"]), ("∂y_ij/∂x_ic = w_cj", []), ("∂y_i/∂x_ia = w_a", [])],
)  # fmt: skip
def test_how_a_matrix_was_read_is_told_and_of_entries_nothing(claim, said):
    found = verify(claim, of=LINEAR).notes
    assert [x.en for x in found] == [f"read with the {x} of the right side for the entries of Y" for x in said]
    ja = {"rows": "行", "columns": "列"}
    assert [x.ja for x in found] == [f"右辺の{ja[x]}を Y の成分に対応させて読みました。" for x in said]


# -- what is between ---------------------------------------------------------------------------------------------------
SUBJECT = subject_of(ATTENTION)
S_, A, Z, Q, V, dQ = (SUBJECT.nodes[x] for x in ("S", "A", "Z", "Q", "V", "dQ"))
BETWEEN = [  # upper, lower, the letters of the upper step in terms of the lower one, the steps between
    (A, S_, {S_}, {A, Z}), (Z, S_, {S_, V}, {A, Z}), (Z, A, {A, V}, {Z}), (Z, V, {A, V}, {Z}), (S_, Q, {Q, SUBJECT.nodes["K"]}, {S_, A, Z}),
]  # fmt: skip


@pytest.mark.parametrize(("upper", "lower", "letters", "between"), BETWEEN, ids=str)
def test_what_is_between_two_steps(upper, lower, letters, between):
    output, behind = _between(SUBJECT, upper, lower)
    assert {x for x in output._free if isinstance(x, Letter)} == letters
    assert set(behind) == between
    assert behind[upper] is output


def test_what_a_step_is_in_terms_of_the_one_below_it():
    output, _ = _between(SUBJECT, A, S_)
    assert output is Softmax(S_)


@pytest.mark.parametrize(
    ("upper", "lower", "said"),
    [(A, A, "A is not computed from A"), (A, Z, "A is not computed from Z"), (A, V, "A is not computed from V"), (V, A, "V is not computed from A"), (dQ, A, "dQ is neither a forward step nor an input"), (A, dQ, "dQ is neither a forward step nor an input")],
)  # fmt: skip
def test_nothing_is_between_what_is_not_made_from_the_other(upper, lower, said):
    with pytest.raises(UnreadableInput, match=said):
        _between(SUBJECT, upper, lower)


def test_places_are_counted_from_0():
    n, d = dimension("n"), dimension("d")
    symbols = {}
    assert _place(Letter("A", n, d), ("1", "3"), symbols) == (0, 2)
    assert _place(Letter("r", S.One, d), ("2",), symbols) == (0, 1)
    assert _place(Letter("o", S.One, S.One), ("1", "1"), symbols) == (0, 0)
    assert symbols == {}


def test_an_index_is_fixed_where_it_stands_elsewhere_or_is_a_number():
    i, j, k, p, q = (Symbol(x, integer=True, nonnegative=True) for x in "ijkpq")
    n, d = dimension("n"), dimension("d")
    matrix, column = Letter("A", n, d), Letter("c", n, S.One)
    assert _pins((i, j), (p, q), matrix, {j: k}) == [KroneckerDelta(q, k)]
    assert _pins((i, i), (p, q), matrix, {i: k}) == [KroneckerDelta(p, k), KroneckerDelta(q, k)]
    assert _pins((Integer(0), Integer(2)), (p, q), matrix, {}) == [KroneckerDelta(p, 0), KroneckerDelta(q, 2)]
    assert _pins((Integer(1), S.Zero), (p, q), column, {}) == [KroneckerDelta(p, 1)]
    assert _pins((i, S.Zero), (p, q), column, {}) == []
