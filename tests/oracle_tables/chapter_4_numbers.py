"""The numbers of chapter 4 of the explainer: one attention head on two tokens, with a slider on the query."""

from fractions import Fraction

from mpmath import mpf
from oracle_reading import BACKENDS, Document, Figure, as_mpf, assert_close, by_mpmath, of
from sympy import Matrix, Rational, symbols

from symtransformer import derive, dimension, evaluate, matrix, parameter, with_values
from symtransformer.operations import (
    Concatenation,
    Exponential,
    Hadamard,
    Linear,
    Row,
    SingleHead,
)  # fmt: skip
from symtransformer.symbols import Literal

DOCUMENT = Document("explainer-ch4")
GIVEN = DOCUMENT.inputs
HALF = Rational(1, 2)
CAT, SLEEPS = 0, 1

T, d_model, d_k, d_v = (dimension(name) for name in ("T", "d_model", "d_k", "d_v"))
t = parameter("t")
X, W_Q, W_K, W_V = (
    matrix("X", T, d_model),
    matrix("W_Q", d_model, d_k),
    matrix("W_K", d_model, d_k),
    matrix("W_V", d_model, d_v),
)
HEAD = SingleHead(X, W_Q, W_K, W_V)
STEPS = derive(HEAD)
VALUES = {name: GIVEN[name] for name in ("X", "W_Q", "W_K", "W_V")}
SCORES = {name: GIVEN[name] for name in ("X", "W_Q", "W_K")}
SLIDER = {**VALUES, "W_Q": Matrix([[0, 1], [t, 1 - t]])}
AT_TWO = evaluate(STEPS, VALUES)
DEFAULT, LEFT_END, RIGHT_END = (with_values(STEPS, v) for v in (VALUES, {**SLIDER, t: 0}, {**SLIDER, t: 1}))
Q, K, SCALED = (STEPS[name].stands_for for name in "QKS")

Z_1, Z_2, W_O = matrix("Z_1", 1, 2), matrix("Z_2", 1, 2), matrix("W_O", 4, 2)
CONCAT = Concatenation(Z_1, Z_2)
PAIR = {Z_1: [GIVEN["concat_head1"]], Z_2: [GIVEN["concat_head2"]]}
PROJECTED = {**PAIR, W_O: GIVEN["W_O_4to2"]}
JOINED = Concatenation(Literal([GIVEN["concat_head1"]]), Literal([GIVEN["concat_head2"]]))
ONE, ROW = matrix("s", 1, 1), matrix("x", 1, d_model)
q, k = matrix("Q", T, d_k), matrix("K", T, d_k)
i, j = symbols("i j", integer=True, nonnegative=True)
row, w = matrix("x", 1, 2), matrix("w", 2, 2)

NUMBERS = {
    "ch4.q.cat": Figure(DEFAULT, "Q", (CAT,)),
    "ch4.k.cat": Figure(DEFAULT, "K", (CAT,)),
    "ch4.v.cat": Figure(DEFAULT, "V", (CAT,)),
    "ch4.q.nemuru": Figure(RIGHT_END, "Q", (SLEEPS,)),
    "ch4.k.nemuru": Figure(DEFAULT, "K", (SLEEPS,)),
    "ch4.v.nemuru": Figure(DEFAULT, "V", (SLEEPS,)),
    "ch4.K": Figure(DEFAULT, "K"),
    "ch4.V": Figure(DEFAULT, "V"),
    "ch4.KT": of(K.T, {X: GIVEN["X"], W_K: GIVEN["W_K"]}),
    "ch4.k.nemuru.product": of(ROW @ W_K, {ROW: [[0, 1]], W_K: GIVEN["W_K"]}, 0),
    "ch4.v.nemuru.product": of(ROW @ W_V, {ROW: [[0, 1]], W_V: GIVEN["W_V"]}, 0),
    "ch4.slider.left.q": Figure(LEFT_END, "Q", (SLEEPS,)),
    "ch4.slider.right.q": Figure(RIGHT_END, "Q", (SLEEPS,)),
    "ch4.e": of(Exponential(ONE), {ONE: [[1]]}, 0, 0),
    "ch4.scores": of(Q @ K.T, SCORES),
    "ch4.weight_cat.q10": Figure(RIGHT_END, "A", (SLEEPS, CAT)),
    "ch4.weight_cat.q01": Figure(LEFT_END, "A", (SLEEPS, CAT)),
    "ch4.concat": of(CONCAT, PAIR, 0),
    "ch4.wo.out": of(Linear(CONCAT, W_O), PROJECTED, 0),
    "ch4.wo.terms1": of(Hadamard(CONCAT, Row(W_O.T, 0)), PROJECTED, 0),
    "ch4.wo.out1": of(Linear(CONCAT, W_O), PROJECTED, 0, 0),
    "ch4.wo.terms2": of(Hadamard(CONCAT, Row(W_O.T, 1)), PROJECTED, 0),
    "ch4.wo.out2": of(Linear(CONCAT, W_O), PROJECTED, 0, 1),
    "ch4.d.Q": Figure(DEFAULT, "Q"),
    "ch4.d.scaled": Figure(DEFAULT, "S"),
    "ch4.d.exp": of(Exponential(SCALED), SCORES),
    "ch4.d.A": Figure(DEFAULT, "A"),
    "ch4.d.Z": Figure(DEFAULT, "Z"),
    "ch4.d.z2": Figure(DEFAULT, "Z", (SLEEPS,)),
    "ch4.d.A00": Figure(DEFAULT, "A", (0, 0)),
    "ch4.d.A10": Figure(DEFAULT, "A", (1, 0)),
    "ch4.d.z2_1": Figure(RIGHT_END, "Z", (1, 0)),
    "ch4.d.z2_2": Figure(RIGHT_END, "Z", (1, 1)),
}


def slider_table():
    """Queries, scores, weights and outputs of the second row, at each place of the slider."""
    rows = DOCUMENT.derived["ch4.d.slider"]["independently_computed"]
    places = [Rational(0), Rational(1, 4), HALF, Rational(2, 3), Rational(3, 4), Rational(1)]
    for expected, place in zip(rows, places, strict=True):
        moved = with_values(STEPS, {**SLIDER, t: place})
        scores = of(Q @ K.T, {**SCORES, "W_Q": Matrix([[0, 1], [t, 1 - t]]), t: place}, SLEEPS)
        figures = (Figure(moved, "Q", (1,)), scores, Figure(moved, "A", (1,)), Figure(moved, "Z", (1,)))
        for backend in BACKENDS:
            numbers = [place, *(x for figure in figures for x in figure.numbers(backend))]
            assert_close(numbers, expected)
    return True


def slope():
    item = DOCUMENT.derived["ch4.d.dcoef_dt"]
    by_t = evaluate(STEPS, SLIDER)["A"][SLEEPS, CAT].diff(t).subs(t, 1)
    assert_close([by_t], [Fraction(item["independently_computed"])])
    return abs(as_mpf(by_t) - by_mpmath(item["closed_form"])) < mpf("1e-40")
