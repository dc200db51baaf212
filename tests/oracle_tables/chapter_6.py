"""Explainer, chapter 6: its formulas, counts and statements, and what the mask does."""

from mpmath import mpf
from oracle_reading import Figure, Table, as_mpf, assert_close, of, rounds_to
from sympy import oo

from oracle_tables import layers
from oracle_tables.chapter_6_numbers import (  # fmt: skip
    ALLOWED,
    CAT,
    CROSS,
    DOCUMENT,
    GIVEN,
    HALF,
    K_C,
    LAYER,
    MASKED,
    NORM_2,
    NUMBERS,
    OPEN,
    OUT,
    Q_C,
    S_DEC,
    SCALED,
    SELF,
    TOPIC,
    U_Q,
    V_C,
    VALUES,
    W_K,
    W_O,
    W_Q,
    WEIGHTS,
    WEIGHTS_C,
    H,
    K,
    Q,
    V,
    X,
    number,
)
from oracle_tables.layers import dec
from oracle_tables.trees import shape_in, shape_of, sizes_of
from symtransformer import derive, evaluate, matrix
from symtransformer.models import BASE
from symtransformer.operations import (
    CausalMask,
    DecoderLayer,
    Exponential,
    Hadamard,
    Linear,
    Mask,
    Ones,
    PaddingMask,
    Row,
    RowSum,
    Softmax,
)  # fmt: skip
from symtransformer.symbols import Literal
from symtransformer.zero import is_exactly_zero


def value(expression):
    """All entries, for the values of the chapter."""
    return of(expression, VALUES).numbers("exact")


def printed(*rows):
    return Literal([[dec(x) for x in row.split()] for row in rows])


def one_row(expression, row):
    return value(Row(expression, row))


def mask_after_softmax():
    """Zeroing after softmax would leave rows that do not add up to 1."""
    late = value(RowSum(Hadamard(Softmax(SCALED), ALLOWED)))
    return not is_exactly_zero(late[CAT] - 1) and str(LAYER["A"].expression) == "softmax(S + causal(3))"


def zero_does_not_hide():
    """A score of 0 has the exponential 1; only −∞ has the exponential 0."""
    share = NUMBERS["ch6.d.zero_instead_of_mask"].numbers("exact")[TOPIC]
    return share.is_positive and value(WEIGHTS)[3 * CAT + TOPIC] == 0


def future_value_changed():
    """Other values at the last position change its own row only."""
    other = {**VALUES, V_LETTER: [[2, 0], [0, 4], [9, -5]]}
    first = evaluate(WEIGHTS @ V_LETTER, {**scores_only(), V_LETTER: [[2, 0], [0, 4], [2, 4]]})
    second = evaluate(WEIGHTS @ V_LETTER, {**scores_only(), V_LETTER: other[V_LETTER]})
    return first[:TOPIC, :] == second[:TOPIC, :] and first[TOPIC, :] != second[TOPIC, :]


V_LETTER = matrix("V", 3, 2)


def scores_only():
    return {letter: VALUES[letter] for letter in (X, W_Q, W_K)}


def padding_is_another_mask():
    """Both masks are added to the scores; a position hidden by either has the weight 0."""
    both = Softmax(Mask(Mask(SCALED, CausalMask(3)), PaddingMask(3, 3, 2)))
    hidden = evaluate(both, scores_only())
    return hidden[2, 2] == 0 and hidden[0, 1] == 0 and as_mpf(hidden[2, 0]) > 0


def same_as_the_layer():
    """Add & Norm stands behind each sub-layer, and the whole layer gives the numbers worked out by parts."""
    for step, parts in (("N_1", S_DEC), ("O_cross", Linear(CROSS, W_O)), ("N_2", NORM_2)):
        assert_close(Figure(LAYER, step).numbers("digits"), of(parts, VALUES).numbers("digits"))
    return layers.reads(LAYER, "R_3", "N_2 + G") and layers.reads(LAYER, "H", "norm(R_3, 0.00001)")


def next_layer():
    """A second layer has projections of its own, and reads the same encoder rows."""
    second = DecoderLayer(
        LAYER["H"].letter, H, *(matrix(f"P_{x}", 2, 2) for x in "QKV"), W_O, *(matrix(f"T_{x}", 2, 2) for x in "QKV"), W_O,
        matrix("W_1", 2, 5), matrix("W_2", 5, 2), mask=CausalMask(3),
    )  # fmt: skip
    steps = derive(second)
    return layers.reads(steps, "Q", "H P_Q") and layers.reads(steps, "K_cross", "H_enc T_K")


def cross_weights():
    """Self-attention is made from W, cross-attention from U, and neither from letters of the other."""
    used = [{s.name for s in LAYER.expanded(name)._free} for name in ("Z", "K_cross", "V_cross")]
    query = {s.name for s in LAYER["Q_cross"].expression._free}
    return (
        used[0] == {"X", "W_Q", "W_K", "W_V"}
        and used[1:] == [{"H_enc", "U_K"}, {"H_enc", "U_V"}]
        and query == {"N_1", "U_Q"}
    )


FORMULAS = {
    "ch6.f.q": lambda: one_row(Q, CAT) == [0 * 0 + 1 * 1, 0 * 1 + 1 * 0],
    "ch6.f.k": lambda: one_row(K, CAT) == [0 * 1 + 1 * HALF, 0 * 0 + 1 * 1],
    "ch6.f.v": lambda: one_row(V, CAT) == [0 * 2 + 1 * 0, 0 * 0 + 1 * 4],
    "ch6.f.exp_neg_inf": lambda: value(Exponential(Literal([[-oo]]))) == [0],
    "ch6.f.exp0": lambda: value(Exponential(Literal([[0]]))) == [1],
    "ch6.f.exps": lambda: rounds_to(one_row(Exponential(MASKED), CAT), ["2.0281", "1.4241", "0"], 4),
    "ch6.f.z_self": lambda: rounds_to(
        value(printed("0.5875 0.4125 0") @ printed("2 0", "0 4", "2 4")), ["1.175", "1.65"], 4
    ),
    "ch6.f.add1": lambda: rounds_to(value(printed("0 1") + printed("1.175 1.6501")), ["1.175", "2.6501"], 4),
    "ch6.f.sdec": lambda: rounds_to(one_row(S_DEC, CAT), ["-1", "1"], 4),
    "ch6.f.q_cross": lambda: value(printed("-1 1") @ Literal(GIVEN["W_Q_cross"])) == [1, 0],
    "ch6.f.Qc": lambda: layers.reads(LAYER, "Q_cross", "N_1 U_Q"),
    "ch6.f.KVc": lambda: layers.reads(LAYER, "K_cross", "H_enc U_K") and layers.reads(LAYER, "V_cross", "H_enc U_V"),
    "ch6.f.AZ": lambda: (
        layers.reads(layers.DECODER, "S_cross", "Q_cross K_cross^T / sqrt(d_k)")
        and layers.reads(layers.DECODER, "A_cross", "softmax(S_cross)")
        and layers.reads(layers.DECODER, "Z_cross", "A_cross V_cross")
    ),
    "ch6.f.Aself": lambda: (
        layers.reads(layers.DECODER, "S", "Q K^T / sqrt(d_k)")
        and layers.reads(layers.DECODER, "A", "softmax(S + causal(n))")
    ),
    "ch6.f.M": lambda: value(CausalMask(3)) == [0 if j <= i else -oo for i in range(3) for j in range(3)],
}
COUNTS = {
    "ch6.c.enc_tokens": lambda: shape_of(CROSS, VALUES, "H_enc")[0],
    "ch6.c.dec_positions": lambda: shape_of(SELF, VALUES)[0],
    "ch6.c.dims": lambda: shape_of(SELF, VALUES, "X")[1],
    "ch6.c.weight_kinds": lambda: sum(letter.name.startswith("W_") for letter in derive(OPEN).inputs),
    "ch6.c.dec_attentions": lambda: layers.count_of(Softmax, LAYER.expanded("H")),
    "ch6.c.Q_shape": lambda: shape_of(Q_C, VALUES),
    "ch6.c.K_shape": lambda: shape_of(K_C, VALUES),
    "ch6.c.V_shape": lambda: shape_of(V_C, VALUES),
    "ch6.c.score_shape": lambda: shape_of(WEIGHTS_C, VALUES),
    "ch6.c.Z_shape": lambda: shape_of(CROSS, VALUES),
    "ch6.c.paper_heads": lambda: sizes_of(BASE).heads,
}
STATEMENTS = {
    "ch6.s.mask_before_softmax": mask_after_softmax,
    "ch6.s.zero_not_hidden": zero_does_not_hide,
    "ch6.s.future_only": future_value_changed,
    "ch6.s.self_allowed": lambda: value(ALLOWED) == [int(j <= i) for i in range(3) for j in range(3)],
    "ch6.s.rows_sum_1": lambda: all(is_exactly_zero(x - 1) for x in value(RowSum(WEIGHTS)))
    and layers.is_equal(RowSum(Softmax(matrix("S", layers.n, layers.m))), Ones(layers.n, 1)),
    "ch6.s.same_X": lambda: layers.read(LAYER, "QKV", "X W_Q", "X W_K", "X W_V"),
    "ch6.s.cross_sources": lambda: layers.read(
        LAYER, [f"{name}_cross" for name in "QKV"], "N_1 U_Q", "H_enc U_K", "H_enc U_V"
    ),
    "ch6.s.no_causal_cross": lambda: all(x > 0 for x in number(WEIGHTS_C).numbers("digits")),
    "ch6.s.cross_weights_separate": cross_weights,
    "ch6.s.shape_rule": lambda: shape_in(layers.DECODER, "Z_cross") == (layers.n, layers.d_v)
    and shape_in(layers.DECODER, "A_cross") == (layers.n, layers.m),
    "ch6.s.residual_cross": lambda: layers.reads(LAYER, "R_2", "N_1 + O_cross"),
    "ch6.s.two_component_norm": lambda: all(abs(abs(as_mpf(x)) - 1) < mpf("1e-4") for x in value(S_DEC)),
    "ch6.s.values_not_exactly_one": lambda: assert_close(
        [1 - as_mpf(value(S_DEC)[2 * CAT + 1])], [mpf("9.1911e-6")], mpf("1e-4")
    )
    is None
    and as_mpf(value(S_DEC)[2 * CAT + 1]) < 1,
    "ch6.s.padding_separate": padding_is_another_mask,
    "ch6.s.post_norm": same_as_the_layer,
    "ch6.s.next_layer": next_layer,
    "ch6.s.encoder_self": lambda: all(x.is_positive for x in value(Softmax(SCALED)))
    and layers.reads(layers.ENCODER, "A", "softmax(S^(i))"),
    "ch6.s.wo_identity": lambda: value(OUT) == value(SELF),
    "ch6.s.one_vector_out": lambda: shape_of(Row(CROSS, CAT), VALUES) == [1, 2] and shape_of(V_C, VALUES) == [4, 2],
    "ch6.s.other_rows_same_way": lambda: all(
        all(is_exactly_zero(a - b) for a, b in zip(one_row(Q_C, k), value(Row(S_DEC, k) @ U_Q), strict=True)) for k in (0, 1, 2)
    ),
    "ch6.s.training_parallel": lambda: value(Row(WEIGHTS, CAT))[:2]
    == value(Softmax(Mask(Row(SCALED, CAT), PaddingMask(1, 3, 2))))[:2],
    "ch6.s.cat_nomask_differs": lambda: not is_exactly_zero(one_row(OPEN, CAT)[0] - one_row(SELF, CAT)[0]),
}  # fmt: skip
LEFT = {
    "facts given, nothing to compute": frozenset({
        "ch6.c.followed_row", "ch6.c.heads", "ch6.c.attentions", "ch6.c.sleeps_pos",
    }),
    "conventions and words": frozenset({
        "ch6.s.final_softmax_distinct", "ch6.s.bias_zero", "ch6.s.own_example", "ch6.s.unrounded",
    }),
}  # fmt: skip
TABLE = Table(DOCUMENT, NUMBERS, COUNTS, {**FORMULAS, **STATEMENTS}, left=LEFT)
