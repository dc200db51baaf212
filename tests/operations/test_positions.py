"""Positions, masks, rows and their identities; wrong versions of each are refused."""

from __future__ import annotations

import numpy as np
import pytest
from facet_cases import make_case
from facet_checks import check_ball_value
from mpmath import mp, mpf
from sympy import Mod, Piecewise, Rational, S, cos, sin

import symtransformer.operations as ops
from symtransformer import dimension, evaluate, head_index, matrix, parameter
from symtransformer.errors import NotSupported, ShapeError, UnreadableInput
from symtransformer.judge import judge_equation
from symtransformer.numpy_code import numpy_function

n, m, d = dimension("n"), dimension("m"), dimension("d")
p, q = parameter("p"), parameter("q")
oo = S.Infinity


# -- masks ---------------------------------------------------------------------------------------------
def test_causal_masks_by_hand():
    assert evaluate(ops.CausalMask(3)).tolist() == [[0, -oo, -oo], [0, 0, -oo], [0, 0, 0]]
    assert evaluate(ops.CausalMask(2, 4)).tolist() == [[0, 0, 0, -oo], [0, 0, 0, 0]]
    assert evaluate(ops.CausalMask(3, 2)).tolist() == [[-oo, -oo], [0, -oo], [0, 0]]
    assert evaluate(ops.PaddingMask(2, 3, 2)).tolist() == [[0, 0, -oo]] * 2
    assert ops.CausalMask(n, n) is ops.CausalMask(n)
    assert ops.CausalMask(n).shape == (n, n)


def test_masks_take_their_size_from_the_scores():
    scores = matrix("S", n, m)
    expression = ops.Softmax(ops.Mask(ops.Mask(scores, ops.CausalMask(n, m)), ops.PaddingMask(n, m, 2)))
    values = {scores: [[1, 2, 3], [4, 5, 6]]}
    exact = evaluate(expression, values)
    assert exact[0, 2] == exact[1, 2] == 0
    found = evaluate(expression, values, backend="numpy")
    assert np.allclose(found, np.array(exact.tolist(), dtype=float))
    assert found[0, 2] == found[1, 2] == 0


def test_element_of_a_mask_at_letters():
    i, j = head_index("a"), head_index("b")
    formula = ops.CausalMask(n, m)[i, j]
    assert isinstance(formula, Piecewise)
    assert formula.subs({i: 1, j: 3, n: 2, m: 4}) == 0
    assert formula.subs({i: 0, j: 3, n: 2, m: 4}) == -oo


def test_a_padding_mask_of_no_such_length():
    with pytest.raises(ShapeError):
        evaluate(ops.Mask(matrix("S", n, m), ops.PaddingMask(n, m, 4)), {"S": [[1, 2, 3]]})


# -- sines and cosines ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(("rows", "columns", "start", "base"), [(3, 4, 0, 10000), (2, 6, 5, 10000), (2, 5, 1, 50)])
def test_sinusoidal_encoding_to_thirty_digits(rows, columns, start, base):
    found = evaluate(ops.SinusoidalEncoding(rows, columns, start, base), digits=30)
    with mp.workdps(50):
        for i in range(rows):
            for j in range(columns):
                angle = (start + i) / mpf(base) ** (mpf(j - j % 2) / columns)
                wanted = mp.cos(angle) if j % 2 else mp.sin(angle)
                assert abs(mpf(str(found[i, j])) - wanted) < mpf("1e-29")


def test_sinusoidal_encoding_at_a_position_that_stays_a_letter():
    encoded = ops.SinusoidalEncoding(2, 4, start=p)
    exact = evaluate(encoded)
    assert exact[0, 0] == sin(p)
    assert exact[1, 3] == cos((p + 1) / 100)
    assert evaluate(encoded, {p: 3}) == evaluate(ops.SinusoidalEncoding(2, 4, 3))
    i, j = head_index("a"), head_index("b")
    symbolic = ops.SinusoidalEncoding(n, 4, p)[i, j]
    assert symbolic.has(Mod)
    assert symbolic.subs({i: 2, j: 2}) == sin((p + 2) / 100)
    assert symbolic.subs({i: 2, j: 1}) == cos(p + 2)


def test_a_shift_of_position_is_a_rotation():
    """Vaswani et al. 2017, section 3.5: PE at p + q is linear in PE at p. Pairs are (sin, cos): the turn is backwards."""
    encoded, shifted = (ops.SinusoidalEncoding(1, 4, start) for start in (p, p + q))
    turned = ops.RotaryEmbedding(encoded, start=-q)
    assert judge_equation(turned, shifted).kind in ("proved", "tested")
    assert judge_equation(ops.RotaryEmbedding(encoded, start=q), shifted).kind == "refuted"


# -- rotary positions ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("pairing", ["interleaved", "halves"])
def test_scores_depend_on_the_distance_only(pairing):
    Q, K = matrix("Q", 1, 4), matrix("K", 1, 4)

    def at(letter, place):
        return ops.RotaryEmbedding(letter, start=place, pairing=pairing)

    score = at(Q, p) @ at(K, q).T
    assert judge_equation(score, at(Q, p - q) @ K.T).kind in ("proved", "tested")
    assert judge_equation(score, Q @ at(K, q - p).T).kind in ("proved", "tested")
    assert judge_equation(score, at(Q, q - p) @ K.T).kind == "refuted"
    assert judge_equation(score, at(Q, p + q) @ K.T).kind == "refuted"
    other = "halves" if pairing == "interleaved" else "interleaved"
    assert judge_equation(score, ops.RotaryEmbedding(Q, p - q, pairing=other) @ K.T).kind == "refuted"


@pytest.mark.parametrize("pairing", ["interleaved", "halves"])
def test_lengths_stay(pairing):
    Q = matrix("Q", 2, 4)
    turned = ops.RotaryEmbedding(Q, start=p, pairing=pairing)
    squares = [ops.RowSum(ops.Hadamard(x, x)) for x in (turned, Q)]
    assert judge_equation(*squares).kind in ("proved", "tested")


def test_the_first_position_is_not_turned_and_the_rows_are_numbered():
    Q = matrix("Q", 2, 2)
    assert evaluate(ops.RotaryEmbedding(Q), {Q: [[3, 4], [1, 0]]}).tolist() == [[3, 4], [cos(1), sin(1)]]


def test_columns_of_unknown_parity():
    A = matrix("A", n, d)
    assert ops.RotaryEmbedding(A).shape == (n, d)
    for backend in ("exact", "numpy"):
        with pytest.raises(ShapeError, match="columns come in pairs, but there are 3"):
            evaluate(ops.RotaryEmbedding(A), {A: [[1, 2, 3]]}, backend=backend)
        with pytest.raises(ShapeError):
            evaluate(ops.PairTurn(A, "halves"), {A: [[1, 2, 3]]}, backend=backend)
    even = matrix("A", n, 2 * d)
    i, j = head_index("a"), head_index("b")
    for pairing in ("interleaved", "halves"):
        formula = ops.PairTurn(even, pairing)[i, j].subs({i: 0, j: 1, d: 2})
        assert formula == (even.subs(d, 2)[0, 0] if pairing == "interleaved" else -even.subs(d, 2)[0, 3])


def test_adjoint_of_a_quarter_turn():
    A, G = matrix("A", 2, 6), matrix("G", 2, 6)
    for pairing in ("interleaved", "halves"):
        (rule,) = ops.PairTurn(A, pairing).vjp(G)
        inner = ops.RowSum(ops.Hadamard(ops.PairTurn(A, pairing), G)), ops.RowSum(ops.Hadamard(A, rule))
        assert judge_equation(*inner).kind in ("proved", "tested")
        assert judge_equation(inner[0], -inner[1]).kind == "refuted"


# -- rows ---------------------------------------------------------------------------------------------------------
def test_rows_of_symbolic_size():
    K, k = matrix("K", n, d), matrix("k", 1, d)
    stacked = ops.RowConcatenation(K, k)
    assert stacked.shape == (n + 1, d)
    assert ops.Row(stacked, n).shape == (1, d)
    i = head_index("a")
    assert stacked[i, 0].subs({i: 4, n: 5}) == K.subs(n, 5)[4, 0]
    assert stacked[i, 0].subs({i: 5, n: 5}) == k[0, 0]
    assert judge_equation(ops.RowSlice(stacked, 0, n), K).kind in ("proved", "tested")
    assert judge_equation(ops.Row(stacked, n), k).kind in ("proved", "tested")
    assert judge_equation(ops.Row(stacked, n - 1), k).kind != "proved"
    assert [r.shape for r in stacked.vjp(matrix("G", n + 1, d))] == [(n, d), (1, d)]


def test_slices_that_are_something_simpler():
    A = matrix("A", 5, d)
    assert ops.RowSlice(A, 0, 5) is A
    assert ops.RowSlice(A, 2, 1) is ops.Row(A, 2)
    assert ops.RowPad(A, 0, 5) is A
    (rule,) = ops.RowSlice(A, 1, 2).vjp(matrix("G", 2, d))
    assert rule is ops.RowPad(matrix("G", 2, d), 1, 5)
    assert rule.vjp(matrix("H", 5, d)) == (ops.RowSlice(matrix("H", 5, d), 1, 2),)


@pytest.mark.parametrize(
    "build",
    [
        lambda x, g, i: ops.Row(x, i),
        lambda x, g, i: ops.Row(x, 2 - i),
        lambda x, g, i: ops.RowSlice(x, i, 2),
        lambda x, g, i: ops.RowPad(ops.Row(x, 1), i, 4),
        lambda x, g, i: ops.RowPad(ops.RowSlice(x, 0, 2), i, 5),
        lambda x, g, i: ops.RowPad(ops.Row(g.of_head(i), i), i, 3),
        lambda x, g, i: ops.RowSlice(g.of_head(i), i, 2),
        lambda x, g, i: x + ops.RowPad(ops.Row(g.of_head(i), 0), i, 4),
        lambda x, g, i: ops.RotaryEmbedding(x, start=i),
        lambda x, g, i: ops.SinusoidalEncoding(2, 4, start=2 * i),
        lambda x, g, i: ops.SquareRoot(ops.Hadamard(x, x), i),
    ],
)
def test_a_row_of_its_own_for_each_head(build):
    """In NumPy the head letter is an array; the exact route counts head by head."""
    i = head_index("i")
    X, G = matrix("X", 4, 2), matrix("G", 4, 2)
    body = build(X, G, i)
    values = {
        X: [[1, 2], [3, 4], [5, -6], [Rational(7, 2), 8]],
        G: [[[h + 10 * r + c for c in range(2)] for r in range(4)] for h in range(3)],
    }
    for family in (ops.HeadSum(body, i, 3), ops.HeadConcatenation(body, i, 3)):
        used = {k: v for k, v in values.items() if any(x.name == k.name for x in family.atoms(type(X)))}
        exact = evaluate(family, used)
        assert np.allclose(evaluate(family, used, backend="numpy"), np.array(exact.tolist(), dtype=float), rtol=1e-13)


def test_a_row_that_no_head_has_is_refused_in_numpy_too():
    i = head_index("i")
    X = matrix("X", n, 2)
    for body in (ops.Row(X, i), ops.RowSlice(X, i, 2)):
        function, _ = numpy_function(ops.HeadSum(body, i, 3))
        with pytest.raises(ShapeError):
            function(np.ones((2, 2)))


# -- words and refusals -------------------------------------------------------------------------------------------
def test_a_symbolic_position_has_no_array():
    with pytest.raises(UnreadableInput, match="p has no value"):
        evaluate(ops.SinusoidalEncoding(2, 4, start=p), backend="numpy")
    with pytest.raises(UnreadableInput, match="p has no value"):
        evaluate(ops.SinusoidalEncoding(2, 4, start=p), digits=10)


def test_a_base_that_turns_negative():
    b = parameter("b")
    assert evaluate(ops.SinusoidalEncoding(1, 4, 1, b), {b: 16})[0, 2] == sin(Rational(1, 4))
    with pytest.raises(UnreadableInput, match="base must be positive"):
        evaluate(ops.SinusoidalEncoding(1, 4, 1, b), {b: -16})


def test_balls_of_every_default_and_every_word():
    for operation, counts in (
        (ops.RotaryAngles, (2, 3, 4, 5)),
        (ops.SinusoidalEncoding, (2, 3, 4)),
        (ops.PairTurn, (1, 2)),
    ):
        for count in counts:
            check_ball_value(make_case(operation, count))


def test_infinite_entries_have_no_rotation():
    A = matrix("A", 1, 2)
    with pytest.raises(NotSupported, match="infinite"):
        evaluate(ops.PairTurn(A), {A: [[1, -oo]]})
