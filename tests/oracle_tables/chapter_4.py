"""Explainer, chapter 4: its formulas, counts and statements."""

from dataclasses import replace

from oracle_reading import Figure, Table
from sympy import Integer, Sum, exp, sqrt

from oracle_tables import layers
from oracle_tables.chapter_4_numbers import (  # fmt: skip
    AT_TWO,
    CONCAT,
    DEFAULT,
    DOCUMENT,
    GIVEN,
    HALF,
    HEAD,
    JOINED,
    NUMBERS,
    PROJECTED,
    SLEEPS,
    SLIDER,
    STEPS,
    VALUES,
    W_K,
    W_O,
    W_Q,
    W_V,
    T,
    X,
    d_k,
    d_model,
    d_v,
    i,
    j,
    k,
    q,
    row,
    slider_table,
    slope,
    w,
)
from oracle_tables.dot_products import divided_terms, undivided_scores_saturate
from oracle_tables.gradients import GRADIENTS
from oracle_tables.layers import is_equal, read, reads
from oracle_tables.trees import does_not_fit, shape_in, shape_of, shape_of_value, sizes_of, the_only
from symtransformer import derive, evaluate, head_index, matrix, verify
from symtransformer.models import BASE, counts_of, encoder_decoder
from symtransformer.operation import unfolded
from symtransformer.operations import (
    Concatenation,
    HeadConcatenation,
    Linear,
    MultiHeadAttention,
    Row,
    ScaledDotProductAttention,
    SingleHead,
    Softmax,
)  # fmt: skip
from symtransformer.symbols import Letter, Literal


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
    return shape_in(STEPS, "A") == (T, T) and shape_in(STEPS, "Z") == (T, d_v)


def kinds_of_weights():
    """Names of the learned matrices in one multi-head attention."""
    attention = MultiHeadAttention(X, W_Q, W_K, W_V, matrix("W_O", 3 * d_v, d_model), heads=3)
    families = {letter.family for letter in derive(attention).inputs} - {X}
    return [letter.name for letter in families]


def own_projections(heads):
    """The members of W_Q in a multi-head attention that is written out head by head."""
    attention = MultiHeadAttention(X, W_Q, W_K, W_V, matrix("W_O", heads * d_v, d_model), heads=heads)
    members = [letter for letter in derive(attention).inputs if letter.name == "W_Q"]
    assert all(letter.family is W_Q for letter in members)
    return {letter.head for letter in members}


FORMULAS = {
    "ch4.f.concat_row": lambda: evaluate(JOINED).tolist() == [[1, 2, 3, 4]],
    "ch4.f.Q": lambda: unfolds_to("Q", X @ W_Q),
    "ch4.f.K": lambda: unfolds_to("K", X @ W_K),
    "ch4.f.V": lambda: unfolds_to("V", X @ W_V),
    "ch4.f.qkv": lambda: read(STEPS, "QKV", "X W_Q", "X W_K", "X W_V"),
    "ch4.f.q1": lambda: component(0),
    "ch4.f.q2": lambda: component(1),
    "ch4.f.expsoftmax": softmax_in_words,
    "ch4.f.QKT": lambda: reads(STEPS, "S", "Q K^T / sqrt(d_k)"),
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
    "ch4.f.WiQ": lambda: reads(layers.ENCODER, "Q", "X W_Q^(i)") and len(own_projections(3)) == 3,
}
COUNTS = {
    "ch4.c.paper_heads": lambda: sizes_of(BASE).heads,
    "ch4.c.paper_head_dim": lambda: sizes_of(BASE).d_k,
    "ch4.c.paper_wo_shape": lambda: sizes_of(BASE).W_O,
    "ch4.c.wo_per_mha": lambda: kinds_of_weights().count("W_O"),
    "ch4.c.learned_kinds": lambda: len(set(kinds_of_weights())),
    "ch4.c.tokens": lambda: shape_of_value(Figure(DEFAULT, "Z"))[0],
    "ch4.c.dims": lambda: shape_of_value(Figure(DEFAULT, "X"))[1],
    "ch4.c.qk_components": lambda: shape_of_value(Figure(DEFAULT, "Q"))[1],
    "ch4.c.weights_per_head": lambda: len(derive(SingleHead(X, W_Q, W_K, W_V)).inputs) - 1,
    "ch4.c.coefficients": lambda: shape_of_value(Figure(DEFAULT, "A"))[1],
    "ch4.c.matrix_shape": lambda: the_only(tuple(shape_of_value(Figure(DEFAULT, name))) for name in "QKVSAZ"),
    "ch4.c.concat_size": lambda: shape_of(CONCAT, PROJECTED)[1],
    "ch4.c.wo_shape": lambda: shape_of(Linear(CONCAT, W_O), PROJECTED, "W_O"),
    "ch4.c.paper_concat": lambda: sizes_of(BASE).joined,
}


def changed(name, rows):
    """Where A and Z change when one input is given other rows."""
    other = evaluate(STEPS, {**VALUES, name: rows})
    return {s: {(r, c) for r in range(2) for c in range(2) if other[s][r, c] != AT_TWO[s][r, c]} for s in "SAZ"}


ROW_2, COLUMN_1, ALL = {(1, 0), (1, 1)}, {(0, 0), (1, 0)}, {(0, 0), (0, 1), (1, 0), (1, 1)}


def scores_use_one_query_and_one_key():
    """Entry (i, j) of the scores holds row i of Q and row j of K, and nothing else."""
    formula = (q @ k.T).entry(0, 1, full=True)
    bound = formula.limits[0][0]
    return formula.function == q[0, bound] * k[1, bound]


def own_weights():
    """In the whole base model no two attentions share a projection, and those of the decoder's cross-attention are its own."""
    names = {s.name for s in unfolded(encoder_decoder(replace(BASE, vocabulary=9)))._free if isinstance(s, Letter)}
    queries = {name for name in names if name.endswith(("W_Q", "U_Q"))}
    return len(queries) == 18 and sum(name.startswith("dec") for name in queries) == 12


def heads_cost_no_more():
    """The projections of 8 narrow heads have as many entries as one wide projection."""
    narrow, wide = (counts_of(encoder_decoder(replace(BASE, heads=heads, d_k=0, d_v=0))) for heads in (8, 1))
    return narrow.attention_parameters == wide.attention_parameters and narrow.heads == 8 * wide.heads


def query_along_the_slider():
    moved = evaluate(STEPS, SLIDER)
    row_2 = moved["Q"][SLEEPS, :]
    return row_2[0] + row_2[1] == 1 and moved["W_Q"][0, :] == AT_TWO["W_Q"][0, :]


def one_update_moves_many_rows():
    other = {**VALUES, "X": [[1, 1], [2, 1]]}
    first, second = (evaluate(STEPS, {**other, "W_Q": w})["Q"] for w in ([[0, 1], [1, 0]], [[0, 2], [1, 0]]))
    return all(first[r, :] != second[r, :] for r in (0, 1))


def each_row_meets_the_same_weight():
    joined, weight = matrix("Y", T, 4), matrix("W_O", 4, d_model)
    return is_equal(Row(joined @ weight, 1), Row(joined, 1) @ weight)


STATEMENTS = {
    "ch4.s.rowvec": lambda: STEPS["Q"].expression is X @ W_Q,
    "ch4.s.w_rows_cols": lambda: (
        (shape_in(STEPS, "Q"), W_Q.shape) == ((T, d_k), (d_model, d_k)) and does_not_fit(lambda: X @ W_Q.T)
    ),
    "ch4.s.rowcol": scores_use_one_query_and_one_key,
    "ch4.s.scale_reason": lambda: divided_terms() and undivided_scores_saturate(),
    "ch4.s.slider_effect": query_along_the_slider,
    "ch4.s.slider_moves_row2": query_along_the_slider,
    "ch4.s.concat_no_params": lambda: evaluate(JOINED).tolist()[0] == [*GIVEN["concat_head1"], *GIVEN["concat_head2"]],
    "ch4.s.wo_shared": each_row_meets_the_same_weight,
    "ch4.s.wo_need_not_shrink": lambda: Linear(CONCAT, matrix("W_O", 4, 7)).shape == (1, 7),
    "ch4.s.shared_update": one_update_moves_many_rows,
    "ch4.s.own_weights": own_weights,
    "ch4.s.multihead_cost": heads_cost_no_more,
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
    "ch4.s.out_rows": lambda: shape_in(STEPS, "Z") == (T, d_v),
    "ch4.s.head_all_tokens": lambda: (
        shape_in(STEPS, "Z")[0] == T and shape_of_value(Figure(DEFAULT, "Z"))[0] == len(GIVEN["X"])
    ),
    # W_Q row 2 moves only the Q of the second token, because X is the identity; W_K row 1 only the K of the first
    "ch4.s.q_row_effect": lambda: changed("W_Q", [[0, 1], [HALF, HALF]]) == {"S": ROW_2, "A": ROW_2, "Z": ROW_2},
    "ch4.s.k_col_effect": lambda: changed("W_K", [[3, 2], [HALF, 1]]) == {"S": COLUMN_1, "A": ALL, "Z": ALL},
    "ch4.s.same_row": lambda: [str(side) for side in STEPS["Z"].row(1)] == ["z_2", "a_2 V"],
}
LEFT = {
    "facts given, nothing to compute": frozenset(
        {
            "ch4.c.head_sets",
            "ch4.c.figure2_linears",
        }
    ),
    "conventions and words": frozenset(
        {
            "ch4.s.unrounded",
            "ch4.s.q_range",
            "ch4.s.attention_weight_two_meanings",
            "ch4.s.fig2_inputs",
            "ch4.s.paper_ref",
            "ch4.s.not_cut_from_ch3",
            "ch4.s.not_prediction",
            "ch4.s.wo_not_generated",
            "ch4.s.k_no_meaning",
        }
    ),
}
TABLE = Table(DOCUMENT, NUMBERS, COUNTS, {**FORMULAS, **STATEMENTS, **GRADIENTS}, left=LEFT)
