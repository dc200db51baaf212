"""Explainer, chapter 4: one attention head on two tokens, with a slider on the query."""

from fractions import Fraction

from mpmath import mpf
from oracle_reading import BACKENDS, Document, Figure, Table, as_mpf, assert_close, by_mpmath, of
from sympy import Integer, Matrix, Rational, Sum, Symbol, exp, sqrt, symbols

from symtransformer import derive, dimension, evaluate, head_index, matrix, parameter, verify, with_values
from symtransformer.operations import (
    Concatenation,
    Exponential,
    Hadamard,
    HeadConcatenation,
    Linear,
    Row,
    ScaledDotProductAttention,
    SingleHead,
    Softmax,
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
            assert_close(numbers, expected, mpf("2e-15") if backend == "exact" else mpf("1e-13"))
    return True


def slope():
    item = DOCUMENT.derived["ch4.d.dcoef_dt"]
    by_t = evaluate(STEPS, SLIDER)["A"][SLEEPS, CAT].diff(t).subs(t, 1)
    assert_close([by_t], [Fraction(item["independently_computed"])])
    return abs(as_mpf(by_t) - by_mpmath(item["closed_form"])) < mpf("1e-40")


def unfolds_to(name, expected):
    return STEPS[name].expression is expected and verify(STEPS).verdicts[name].kind == "proved"


def component(column):
    """q_1 = x_1 w_11 + x_2 w_21, from the entry formula of the row times the matrix."""
    formula = (row @ w).entry(0, column).doit()
    return formula == row[0, 0] * w[0, column] + row[0, 1] * w[1, column]


def score(query):
    """The one score of a query row [1, 0] or [0, 1] against a key row with letters k_1, k_2."""
    key_row = matrix("k", 1, 2)
    return evaluate(Literal([query]) @ key_row.T)[0, 0], key_row


def softmax_in_words():
    s = matrix("s", 1, T)
    formula = Softmax(s).entry(0, j)
    bound = next(iter(formula.atoms(Sum))).limits[0][0]
    return formula.func(*formula.args) == exp(s[0, j]) / Sum(exp(s[0, bound]), (bound, 0, T - 1))


def score_is_dot_product():
    formula = (q @ k.T).entry(i, j, full=True)
    bound = formula.limits[0][0]
    return formula.function - q[i, bound] * k[j, bound] == 0 and formula.limits[0][1:] == (0, d_k - 1)


def heads_concatenated():
    head = head_index()
    family = SingleHead(X, *(letter.of_head(head) for letter in (W_Q, W_K, W_V)))
    weight = matrix("W_O", 2 * d_v, d_model)
    names = {family.xreplace({head: Integer(number)}): f"Z_{number + 1}" for number in range(2)}
    steps = derive({"O": Linear(HeadConcatenation(family, head, 2), weight)}, names=names)
    return (
        str(steps["O"].expression) == "Concat(Z_1, Z_2) W_O" and verify(steps).count("proved") == len(steps.steps) == 13
    )


def shapes_with_letters():
    return STEPS["A"].letter.shape == (T, T) and STEPS["Z"].letter.shape == (T, d_v)


FORMULAS = {
    "ch4.f.concat_row": lambda: evaluate(JOINED).tolist() == [[1, 2, 3, 4]],
    "ch4.f.Q": lambda: unfolds_to("Q", X @ W_Q),
    "ch4.f.K": lambda: unfolds_to("K", X @ W_K),
    "ch4.f.V": lambda: unfolds_to("V", X @ W_V),
    "ch4.f.qkv": lambda: [str(s.expression) for s in STEPS.steps[:3]] == ["X W_Q", "X W_K", "X W_V"],
    "ch4.f.q1": lambda: component(0),
    "ch4.f.q2": lambda: component(1),
    "ch4.f.expsoftmax": softmax_in_words,
    "ch4.f.QKT": lambda: str(STEPS["S"].expression.args[0]) == "Q K^T",
    "ch4.f.A": lambda: (
        AT_TWO["S"] == AT_TWO["Q"] * AT_TWO["K"].T / sqrt(2) and unfolds_to("A", Softmax(STEPS["S"].letter))
    ),
    "ch4.f.Z": lambda: unfolds_to("Z", STEPS["A"].letter @ STEPS["V"].letter),
    "ch4.f.shapes": shapes_with_letters,
    "ch4.f.concat_heads": heads_concatenated,
    "ch4.f.WQnum": lambda: AT_TWO["W_Q"].tolist() == [[0, 1], [1, 0]],
    "ch4.f.WKnum": lambda: AT_TWO["W_K"].tolist() == [[1, 0], [HALF, 1]],
    "ch4.f.WVnum": lambda: AT_TWO["W_V"].tolist() == [[2, 0], [0, 4]],
    "ch4.f.kprod": lambda: (Literal([[0, 1]]) @ GIVEN["W_K"]).doit().tolist() == [[HALF, 1]],
    "ch4.f.vprod": lambda: (Literal([[0, 1]]) @ GIVEN["W_V"]).doit().tolist() == [[0, 4]],
    "ch4.f.wo_num": lambda: evaluate(Linear(JOINED, W_O), {W_O: GIVEN["W_O_4to2"]}).tolist() == [[8, 1]],
    "ch4.f.wo_sums": lambda: evaluate(JOINED @ GIVEN["W_O_4to2"]).tolist()[0] == [1 + 0 + 3 + 4, 0 + 2 + 3 - 4],
    "ch4.f.score.q10": lambda: score([1, 0])[0] == score([1, 0])[1][0, 0],
    "ch4.f.score.q01": lambda: score([0, 1])[0] == score([0, 1])[1][0, 1],
    "ch4.f.q_from_x": lambda: [str(side) for side in STEPS["Q"].row(1)] == ["q_2", "x_2 W_Q"],
    "ch4.f.sij": score_is_dot_product,
    "ch4.f.KKT": lambda: evaluate(matrix("K", 2, 2).T, {"K": AT_TWO["K"]}).tolist() == [[1, HALF], [0, 1]],
    "ch4.f.attention": lambda: (
        ScaledDotProductAttention(q, k, matrix("V", T, d_v)).definition().whole
        is Softmax((q @ k.T) / sqrt(d_k)) @ matrix("V", T, d_v)
    ),
    "ch4.f.WiQ": lambda: W_Q.of_head(i).head == i and W_Q.of_head(i).family is W_Q,
}
COUNTS = {
    "ch4.c.tokens": lambda: AT_TWO["X"].rows,
    "ch4.c.dims": lambda: AT_TWO["X"].cols,
    "ch4.c.qk_components": lambda: AT_TWO["Q"].cols,
    "ch4.c.weights_per_head": lambda: len(STEPS.inputs) - 1,
    "ch4.c.coefficients": lambda: AT_TWO["A"].cols,
    "ch4.c.matrix_shape": lambda: (
        next(iter({AT_TWO[s].shape for s in "QKVSAZ"})) if len({AT_TWO[s].shape for s in "QKVSAZ"}) == 1 else None
    ),
    "ch4.c.concat_size": lambda: JOINED.shape[1],
    "ch4.c.wo_shape": lambda: W_O.shape,
    "ch4.c.paper_concat": lambda: HeadConcatenation(
        matrix("Z", T, 64).of_head(Symbol("h", integer=True, nonnegative=True)),
        Symbol("h", integer=True, nonnegative=True),
        8,
    ).shape[1],
}


def changed(name, rows):
    """Where A and Z change when one input is given other rows."""
    other = evaluate(STEPS, {**VALUES, name: rows})
    return {s: {(r, c) for r in range(2) for c in range(2) if other[s][r, c] != AT_TWO[s][r, c]} for s in "SAZ"}


ROW_2, COLUMN_1, ALL = {(1, 0), (1, 1)}, {(0, 0), (1, 0)}, {(0, 0), (0, 1), (1, 0), (1, 1)}
STATEMENTS = {
    "ch4.d.slider": slider_table,
    "ch4.d.dcoef_dt": slope,
    "ch4.s.same_weights_all_tokens": lambda: all(
        AT_TWO["Q"][r, :] == AT_TWO["X"][r, :] * AT_TWO["W_Q"] for r in (0, 1)
    ),
    "ch4.s.identical_heads": lambda: (
        evaluate(Concatenation(HEAD, HEAD), VALUES)[:, :2] == evaluate(Concatenation(HEAD, HEAD), VALUES)[:, 2:]
    ),
    "ch4.s.softmax_rowwise": lambda: [sum(AT_TWO["A"][r, :]).simplify() for r in (0, 1)] == [1, 1],
    "ch4.s.scale_before_softmax": lambda: (
        STEPS["A"].expression is Softmax(STEPS["S"].letter) and str(STEPS["S"].expression).endswith("/ sqrt(d_k)")
    ),
    "ch4.s.z2": lambda: (
        AT_TWO["Z"][1, :] == AT_TWO["A"][1, 0] * AT_TWO["V"][0, :] + AT_TWO["A"][1, 1] * AT_TWO["V"][1, :]
    ),
    "ch4.s.out_rows": lambda: HEAD.shape == (T, d_v),
    "ch4.s.head_all_tokens": lambda: HEAD.shape[0] == X.shape[0],
    # W_Q row 2 moves only the Q of the second token, because X is the identity; W_K row 1 only the K of the first
    "ch4.s.q_row_effect": lambda: changed("W_Q", [[0, 1], [HALF, HALF]]) == {"S": ROW_2, "A": ROW_2, "Z": ROW_2},
    "ch4.s.k_col_effect": lambda: changed("W_K", [[3, 2], [HALF, 1]]) == {"S": COLUMN_1, "A": ALL, "Z": ALL},
    "ch4.s.same_row": lambda: [str(side) for side in STEPS["Z"].row(1)] == ["z_2", "a_2 V"],
}
GRADIENTS = frozenset(
    {
        "ch4.f.gij",
        "ch4.f.dLdq",
        "ch4.f.dLdk",
        "ch4.s.grad_q_sources",
        "ch4.s.grad_k_sources",
        "ch4.s.g_contains",
        "ch4.s.backprop_order",
        "ch4.d.grad.sumCZ",
        "ch4.d.grad.z21",
        "ch4.d.grad.ce",
        "ch4.d.grad.sumCZ.t0",
    }
)
LEFT = {
    "facts given, nothing to compute": frozenset(
        {
            "ch4.c.head_sets",
            "ch4.c.paper_heads",
            "ch4.c.paper_head_dim",
            "ch4.c.paper_wo_shape",
            "ch4.c.wo_per_mha",
            "ch4.c.figure2_linears",
            "ch4.c.learned_kinds",
        }
    ),
    "conventions and words": frozenset(
        {
            "ch4.s.rowvec",
            "ch4.s.w_rows_cols",
            "ch4.s.rowcol",
            "ch4.s.scale_reason",
            "ch4.s.unrounded",
            "ch4.s.q_range",
            "ch4.s.slider_moves_row2",
            "ch4.s.slider_effect",
            "ch4.s.concat_no_params",
            "ch4.s.wo_shared",
            "ch4.s.wo_need_not_shrink",
            "ch4.s.shared_update",
            "ch4.s.attention_weight_two_meanings",
            "ch4.s.fig2_inputs",
            "ch4.s.own_weights",
            "ch4.s.paper_ref",
            "ch4.s.not_cut_from_ch3",
            "ch4.s.not_prediction",
            "ch4.s.wo_not_generated",
            "ch4.s.k_no_meaning",
            "ch4.s.multihead_cost",
        }
    ),
}
TABLE = Table(DOCUMENT, NUMBERS, COUNTS, {**FORMULAS, **STATEMENTS}, gradients=GRADIENTS, left=LEFT)
