"""Explainer, chapter 5: concatenation, output Linear, Add & Norm, feed-forward network, Add & Norm, one token."""

import pytest
from oracle_reading import Document, Table, of, rounds_to
from sympy import Rational

from oracle_tables import layers
from oracle_tables.layers import dec, is_equal, is_refuted
from oracle_tables.trees import shape_in, shape_of, sizes_of
from symtransformer import derive, evaluate, matrix
from symtransformer.errors import ShapeError
from symtransformer.models import BASE, encoder, encoder_decoder
from symtransformer.models.weights import walked
from symtransformer.operation import unfolded
from symtransformer.operations import (
    AddNorm,
    Concatenation,
    EncoderLayer,
    FeedForward,
    Hadamard,
    Heaviside,
    LayerNorm,
    Linear,
    MultiHeadAttention,
    Ones,
    ReLU,
    Row,
    RowConcatenation,
    RowDivision,
    RowSum,
    Scaling,
    SinusoidalEncoding,
    SquareRoot,
    Standardization,
)  # fmt: skip
from symtransformer.symbols import Entry, Letter, Literal
from symtransformer.zero import is_exactly_zero

DOCUMENT = Document("explainer-ch5")
GIVEN = DOCUMENT.inputs
HALF, EPS = Rational(1, 2), Rational(1, 100_000)

Z_1, Z_2, W_O, X = matrix("Z_1", 1, 2), matrix("Z_2", 1, 2), matrix("W_O", 4, 4), matrix("X", 1, 4)
W_1, b_1, W_2, b_2 = matrix("W_1", 4, 6), matrix("b_1", 6, 1), matrix("W_2", 6, 4), matrix("b_2", 4, 1)
VALUES = {
    Z_1: [GIVEN["head1"]],
    Z_2: [GIVEN["head2"]],
    X: [GIVEN["x"]],
    **{letter: GIVEN[letter.name] for letter in (W_O, W_1, W_2)},
    **{letter: [[x] for x in GIVEN[letter.name]] for letter in (b_1, b_2)},
}
CONCAT = Concatenation(Z_1, Z_2)
OUT = Linear(CONCAT, W_O)
SUM_1, NORM_1 = X + OUT, AddNorm(X, OUT)
PRE = Linear(NORM_1, W_1, b_1)
HIDDEN = ReLU(PRE)
FFN = FeedForward(NORM_1, W_1, b_1, W_2, b_2)
FFN_OF_X = FeedForward(X, W_1, b_1, W_2, b_2)
SUM_2, NORM_2 = NORM_1 + FFN, AddNorm(NORM_1, FFN)


def stages_of(total):
    """Mean, deviations, squares, variance and root of a layer normalization."""
    return [part for _, part in Standardization(total).stages().parts]


MEAN_1, DIFF_1, SQUARES_1, VAR_1, ROOT_1 = stages_of(SUM_1)
MEAN_2, DIFF_2, SQUARES_2, VAR_2, ROOT_2 = stages_of(SUM_2)


def by_sample_variance(total):
    """Another convention, told apart by its digits: the squares are divided by one less than their number."""
    _, deviations, squares, _, _ = stages_of(total)
    return RowDivision(deviations, SquareRoot(Scaling(RowSum(squares), 1, 3), EPS))


SAMPLE_1 = by_sample_variance(SUM_1)


def number(expression, *place):
    return of(expression, VALUES, *place)


def column(letter, j):
    return number(Row(letter.T, j), 0)


NUMBERS = {
    "ch5.concat": number(CONCAT, 0),
    **{f"ch5.wo.col{j + 1}": column(W_O, j) for j in range(4)},
    **{f"ch5.o{j + 1}": number(OUT, 0, j) for j in range(4)},
    "ch5.o": number(OUT, 0),
    "ch5.wo.col2_used": number(RowConcatenation(Row(CONCAT.T, 1), Row(CONCAT.T, 3))),
    "ch5.add1": number(SUM_1, 0),
    "ch5.add1.c12": [number(SUM_1, 0, 0), number(SUM_1, 0, 1)],
    "ch5.mean1": number(MEAN_1, 0, 0),
    "ch5.diff1": number(DIFF_1, 0),
    "ch5.sq1": number(SQUARES_1, 0),
    "ch5.var1": number(VAR_1, 0, 0),
    "ch5.std1": number(ROOT_1, 0, 0),
    "ch5.norm1": number(NORM_1, 0),
    "ch5.ffn.pre": number(PRE, 0),
    "ch5.ffn.w1col5": column(W_1, 4),
    "ch5.ffn.b1_5": number(Row(b_1, 4), 0, 0),
    "ch5.ffn.pre5": number(PRE, 0, 4),
    "ch5.ffn.relu": number(HIDDEN, 0),
    "ch5.ffn.relu_changed": number(Heaviside(-PRE), 0),
    "ch5.ffn.out": number(FFN, 0),
    "ch5.ffn.w2col2": column(W_2, 1),
    "ch5.ffn.w2_half": number(Row(W_2, 4), 0, 1),
    "ch5.ffn.b2_2": number(Row(b_2, 1), 0, 0),
    "ch5.ffn.out2": number(FFN, 0, 1),
    "ch5.add2": number(SUM_2, 0),
    "ch5.mean2": number(MEAN_2, 0, 0),
    "ch5.diff2": number(DIFF_2, 0),
    "ch5.sq2": number(SQUARES_2, 0),
    "ch5.var2": number(VAR_2, 0, 0),
    "ch5.std2": number(ROOT_2, 0, 0),
    "ch5.out": number(NORM_2, 0),
    "ch5.d.a": number(NORM_1, 0, 2),
    "ch5.d.var2": number(VAR_2, 0, 0),
    "ch5.d.out.sum": number(RowSum(NORM_2), 0, 0),
    "ch5.d.out.var": number(Scaling(RowSum(Hadamard(NORM_2, NORM_2)), 1, 4), 0, 0),
    "ch5.d.out.noeps": number(
        AddNorm(AddNorm(X, OUT, eps=0), FeedForward(AddNorm(X, OUT, eps=0), W_1, b_1, W_2, b_2), eps=0), 0
    ),
    "ch5.d.out.samplevar": number(by_sample_variance(SAMPLE_1 + FeedForward(SAMPLE_1, W_1, b_1, W_2, b_2)), 0),
    "ch5.d.out.prenorm": number(SUM_1 + FFN, 0),
}

TWO_ROWS, OTHER_ROW = [[1, 0, 3, 2], [5, 1, 0, -1]], [[1, 0, 3, 2], [7, 7, -2, 1]]


def value(expression):
    """All entries of row 1, for the values of the chapter."""
    return of(expression, VALUES).numbers("exact")


def printed(numbers):
    return Literal([[dec(x) for x in numbers.split()]])


def as_columns(*numbers):
    return Literal([[x] for x in numbers])


def first_row_alone(operation):
    """Row 1 of the result depends on row 1 of the input only, row 2 on row 2."""
    rows = matrix("R", 2, 4)
    first, second = (
        evaluate(operation(rows), {rows: given, **{k: VALUES[k] for k in (W_1, b_1, W_2, b_2) if k in operation(rows)._free}})
        for given in (TWO_ROWS, OTHER_ROW)
    )  # fmt: skip
    return first[0, :] == second[0, :] and first[1, :] != second[1, :]


FIRST_LINEAR = Linear(printed("0 -1.414 1.414 0"), Literal(GIVEN["W_1"]), as_columns(*GIVEN["b_1"]))
SECOND_LINEAR = Linear(printed("0 0 0 1.414 2.414 0"), Literal(GIVEN["W_2"]), as_columns(*GIVEN["b_2"]))


def spread_of_the_second_norm():
    """1.072 belongs to the unrounded variance; the printed one, 1.148, gives 1.071."""
    return rounds_to(value(SquareRoot(printed("1.148"), EPS)), ["1.071"], 3) and rounds_to(value(ROOT_2), ["1.072"], 3)


def eight_heads():
    attention = derive(
        MultiHeadAttention(layers.X, *layers.PROJECTIONS, matrix("W_O", 8 * layers.d_v, layers.d), heads=8)
    )
    joined, last = attention.steps[-2:]
    return str(
        joined.expression
    ) == f"Concat({', '.join(f'Z_{k}' for k in range(1, 9))})" and last.expression is joined.letter @ matrix(
        "W_O", 8 * layers.d_v, layers.d
    )


def collapse():
    """Without an activation two Linears are one, with the weight W_1 W_2 and the bias W_2^T b_1 + b_2."""
    w_1, c_1, w_2, c_2 = layers.NETWORK
    return is_equal(Linear(Linear(layers.X, w_1, c_1), w_2, c_2), Linear(layers.X, w_1 @ w_2, w_2.T @ c_1 + c_2))


def eps_stands_inside():
    four = printed("4")
    return value(SquareRoot(four, 5)) == [3] and is_refuted(
        SquareRoot(matrix("A", 1, 1), 5), SquareRoot(matrix("A", 1, 1))
    )


def any_inner_width():
    """The inner width is free; another output width does not fit the residual."""
    for width in (5, 6, 9):
        FeedForward(X, matrix("W_1", 4, width), matrix("W_2", width, 4))
    with pytest.raises(ShapeError):
        AddNorm(X, FeedForward(X, matrix("W_1", 4, 6), matrix("W_2", 6, 5)))
    return True


def encoder_layers(config):
    """From the first to the last, each with what enters it."""
    found = [node for node in walked(encoder(config)) if type(node) is EncoderLayer]
    return sorted(found, key=lambda layer: layer.argument("label"))


def layers_behind_the_first(config):
    """Those that read what another layer gives."""
    found = encoder_layers(config)
    return [layer for layer in found if layer.argument("input") in found]


def own_weights_and_order():
    """No learned letter of one layer stands in another; in each: attention, Add & Norm, network, Add & Norm."""
    found = encoder_layers(BASE)
    learned = [{s for s in layer._free if isinstance(s, Letter)} for layer in found]
    for layer, letters in zip(found, learned, strict=True):  # those of its own, without those below it
        letters -= {s for s in layer.argument("input")._free if isinstance(s, Letter)}
        assert {s.name.partition(".")[0] for s in letters} == {layer.argument("label")}
    disjoint = all(not first & second for k, first in enumerate(learned) for second in learned[:k])
    # sixteen letters: four projections, two weights and two biases of the network, two gains and two shifts
    order = [s.name for s in layers.ENCODER.steps if s.name in ("O", "N_1", "G", "H")] == ["O", "N_1", "G", "H"]
    chain = layers.read(
        layers.ENCODER, ("R_1", "N_1", "R_2", "H"), "X + O", NORM.format("R_1"), "N_1 + G", NORM.format("R_2")
    )
    return disjoint and {len(letters) for letters in learned} == {12} and order and chain


def in_every_stack_once():
    """The whole model adds positions before its first encoder layer and before its first decoder layer."""
    nodes = list(walked(encoder_decoder(BASE)))
    return sum(type(node) is SinusoidalEncoding for node in nodes) == 2


NORM = "norm({}, 0.00001)"


def all_six_enter():
    """Each output is a sum over all six hidden components."""
    output = ReLU(PRE) @ W_2
    return all({s for k in range(6) for s in [W_2[k, j]]} <= output.entry(0, j).doit().atoms(Entry) for j in range(4))


FORMULAS = {
    "ch5.f.wo": lambda: value(Literal([GIVEN["head1"] + GIVEN["head2"]]) @ Literal(GIVEN["W_O"])) == [1, 0, 3, 2],
    "ch5.f.std1": lambda: rounds_to(value(SquareRoot(Literal([[2]]), EPS)), ["1.414"], 3),
    "ch5.f.ffn1": lambda: rounds_to(value(FIRST_LINEAR), ["0", "0", "-1.414", "1.414", "2.414", "-1"], 3),
    "ch5.f.ffn1_5": lambda: value(FIRST_LINEAR)[4] == dec("2.414"),
    "ch5.f.ffn2": lambda: rounds_to(value(SECOND_LINEAR), ["1.414", "1.207", "1", "2.414"], 3),
    "ch5.f.ffn2_2": lambda: value(SECOND_LINEAR)[1] == dec("1.207"),
    "ch5.f.ffn": lambda: (
        FeedForward(X, W_1, b_1, W_2, b_2).definition().whole is Linear(ReLU(Linear(X, W_1, b_1)), W_2, b_2)
    ),
    "ch5.f.std2": spread_of_the_second_norm,
    "ch5.f.wo_terms": lambda: value(OUT) == [
        1 * 1 + 2 * 0 + 3 * 0 + 4 * 0, 1 * 0 + 2 * 1 + 3 * 0 - 4 * HALF, 1 * 0 + 2 * 0 + 3 * 1 + 4 * 0, 1 * 0 + 2 * 1 + 3 * 0 + 4 * 0,
    ],
    "ch5.f.O": eight_heads,
    "ch5.f.H": lambda: layers.ENCODER["N_1"].stands_for is unfolded(LayerNorm(layers.X + layers.ENCODER["O"].stands_for)),
    "ch5.f.Xnext": lambda: (
        layers.ENCODER["H"].stands_for
        is unfolded(LayerNorm(layers.ENCODER["N_1"].stands_for + layers.ENCODER["G"].stands_for))
    ),
    "ch5.f.gammabeta": lambda: is_equal(LayerNorm(X, Ones(4, 1), 0 * Ones(4, 1)), LayerNorm(X)),
}  # fmt: skip
COUNTS = {
    "ch5.c.dims": lambda: shape_of(SUM_1, VALUES)[1],
    "ch5.c.heads": lambda: [len(CONCAT.args), shape_of(CONCAT, VALUES, "Z_1")[1]],
    "ch5.c.concat": lambda: shape_of(CONCAT, VALUES)[1],
    "ch5.c.wo_terms": lambda: len(Linear(CONCAT, W_O).entry(0, 1).doit().args),
    "ch5.c.wo_col2_nonzero": lambda: sum(x != 0 for x in column(W_O, 1).numbers("exact")),
    "ch5.c.ffn_sizes": lambda: [shape_of(part, VALUES)[1] for part in (NORM_1, HIDDEN, FFN)],
    "ch5.c.ffn_sets": lambda: sum(letter.name.startswith("W") for letter in derive(FFN_OF_X).inputs),
    "ch5.c.w1_shape": lambda: shape_of(FFN, VALUES, "W_1"),
    "ch5.c.b1_size": lambda: shape_of(FFN, VALUES, "b_1")[0],
    "ch5.c.w2_shape": lambda: shape_of(FFN, VALUES, "W_2"),
    "ch5.c.b2_size": lambda: shape_of(FFN, VALUES, "b_2")[0],
    "ch5.c.norms": lambda: layers.count_of(Standardization, layers.ENCODER.expanded("H")),
    "ch5.c.paper_ffn": lambda: sizes_of(BASE).network,
    "ch5.c.paper_concat": lambda: [sizes_of(BASE).heads, sizes_of(BASE).d_k, sizes_of(BASE).joined],
    "ch5.c.paper_N": lambda: sizes_of(BASE).layers,
    "ch5.c.remaining_layers": lambda: len(layers_behind_the_first(BASE)),
}
STATEMENTS = {
    "ch5.s.concat_only": lambda: value(CONCAT) == [*GIVEN["head1"], *GIVEN["head2"]],
    "ch5.s.norm_rowwise": lambda: first_row_alone(LayerNorm),
    "ch5.s.norm_zero_mean": lambda: all(is_exactly_zero(x) for x in value(RowSum(NORM_1)) + value(RowSum(NORM_2))),
    "ch5.s.norm_not_softmax": lambda: not is_exactly_zero(value(RowSum(NORM_2))[0] - 1),
    "ch5.s.eps_inside": eps_stands_inside,
    "ch5.s.gamma_beta": lambda: (
        [str(x) for x in LayerNorm(X, matrix("gamma", 4, 1), matrix("beta", 4, 1)).args[1:3]] == ["gamma", "beta"]
    ),
    "ch5.s.relu": lambda: value(HIDDEN) == [x if x > 0 else 0 for x in value(PRE)],
    "ch5.s.linear_collapse": collapse,
    "ch5.s.ffn_rowwise": lambda: first_row_alone(lambda rows: FeedForward(rows, W_1, b_1, W_2, b_2)),
    "ch5.s.ffn_all_six": all_six_enter,
    "ch5.s.residual2": lambda: layers.reads(layers.ENCODER, "R_2", "N_1 + G"),
    "ch5.s.residual1": lambda: layers.reads(layers.ENCODER, "R_1", "X + O"),
    # not before the first encoder layer alone, but once in each stack: a layer itself adds none
    "ch5.s.no_pe_again": lambda: (
        layers.count_of(SinusoidalEncoding, layers.ENCODER.expanded("H")) == 0
        and layers.count_of(SinusoidalEncoding, layers.DECODER.expanded("H")) == 0
        and in_every_stack_once()
    ),
    "ch5.s.next_layer_input": lambda: (
        shape_in(layers.ENCODER, "H") == layers.X.shape
        and layers_behind_the_first(BASE)[0].argument("input").shape[1] == 512
    ),
    "ch5.s.layer_weights": own_weights_and_order,
    "ch5.s.last_to_decoder": lambda: (
        layers.reads(layers.DECODER, "K_cross", "E U_K") and layers.reads(layers.DECODER, "V_cross", "E U_V")
    ),
    "ch5.s.postnorm": lambda: (
        layers.reads(layers.ENCODER, "N_1", "norm(R_1, 0.00001)")
        and layers.reads(layers.ENCODER, "H", "norm(R_2, 0.00001)")
    ),
    "ch5.s.width_free": any_inner_width,
    "ch5.s.next_uses_unrounded_relu": lambda: (
        layers.reads(layers.ENCODER, "F", "ReLU(P)")
        and layers.ENCODER["G"].expression
        is unfolded(Linear(layers.ENCODER["F"].letter, layers.NETWORK[2], layers.NETWORK[3]))
    ),
}
LEFT = {
    "facts given, nothing to compute": frozenset({"ch5.c.stages"}),
    "conventions and words": frozenset({"ch5.s.unrounded", "ch5.s.init", "ch5.s.independent", "ch5.s.subscripts"}),
}
TABLE = Table(DOCUMENT, NUMBERS, COUNTS, {**FORMULAS, **STATEMENTS}, left=LEFT)
