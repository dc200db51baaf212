"""Explainer, chapter 5: its formulas, counts and statements."""

import pytest
from oracle_reading import Table, of, rounds_to

from oracle_tables import layers
from oracle_tables.chapter_5_numbers import (
    CONCAT,
    DOCUMENT,
    EPS,
    FFN,
    FFN_OF_X,
    GIVEN,
    HALF,
    HIDDEN,
    NORM_1,
    NORM_2,
    NUMBERS,
    OUT,
    PRE,
    ROOT_2,
    SUM_1,
    VALUES,
    W_1,
    W_2,
    W_O,
    X,
    b_1,
    b_2,
    column,
)
from oracle_tables.layers import dec, is_equal, is_refuted
from oracle_tables.trees import shape_in, shape_of, sizes_of
from symtransformer import derive, evaluate, matrix
from symtransformer.errors import ShapeError
from symtransformer.models import BASE, encoder, encoder_decoder
from symtransformer.models.weights import walked
from symtransformer.operation import unfolded
from symtransformer.operations import (
    AddNorm,
    EncoderLayer,
    FeedForward,
    Hadamard,
    LayerNorm,
    Linear,
    MultiHeadAttention,
    Ones,
    ReLU,
    RowSum,
    SinusoidalEncoding,
    SquareRoot,
    Standardization,
)  # fmt: skip
from symtransformer.symbols import Entry, Letter, Literal
from symtransformer.zero import is_exactly_zero

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
    # twelve letters: four projections, two weights and two biases of the network, two gains and two shifts
    order = [s.name for s in layers.ENCODER.steps if s.name in ("O", "N_1", "G", "H")] == ["O", "N_1", "G", "H"]
    chain = layers.read(
        layers.ENCODER, ("R_1", "N_1", "R_2", "H"), "X + O", NORM.format("R_1"), "N_1 + G", NORM.format("R_2")
    )
    return disjoint and {len(letters) for letters in learned} == {12} and order and chain


def own_gains_and_shifts():
    """The gain multiplies and the shift adds, column by column; no two norms of the base model share either."""
    gain, shift = matrix("gamma", 4, 1), matrix("beta", 4, 1)
    right = is_equal(LayerNorm(X, gain, shift), Hadamard(LayerNorm(X), gain.T) + shift.T)
    norms = [node for node in walked(encoder_decoder(BASE)) if type(node) is LayerNorm]
    learned = {norm.argument(name) for norm in norms for name in ("gain", "shift")}
    return (
        right
        and len(learned) == 2 * len(norms) == 60
        and is_equal(LayerNorm(X, Ones(4, 1), 0 * Ones(4, 1)), LayerNorm(X))
    )


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
    "ch5.s.gamma_beta": own_gains_and_shifts,
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
