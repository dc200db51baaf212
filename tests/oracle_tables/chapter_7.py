"""Explainer, chapter 7: two heads, one encoder layer on two rows, the next layer's query, counts of the base model."""

from oracle_reading import Document, Figure, Table, of, rounds_to
from sympy import S, sqrt

from oracle_tables import layers
from oracle_tables.chapter_5 import own_weights_and_order
from oracle_tables.chapter_5_numbers import DOCUMENT as CHAPTER_5
from oracle_tables.chapter_5_numbers import stages_of
from oracle_tables.layers import dec, is_equal, is_refuted
from oracle_tables.trees import heads_in, shape_in, shape_of_value, sizes_of, the_only
from symtransformer import derive, evaluate, matrix, with_values
from symtransformer.models import BASE, counts_of, decoder, encoder, encoder_decoder
from symtransformer.models.weights import walked
from symtransformer.operations import (
    DecoderLayer,
    EncoderLayer,
    Exponential,
    FeedForward,
    Linear,
    RowSum,
    Softmax,
    Standardization,
)  # fmt: skip
from symtransformer.symbols import Literal
from symtransformer.zero import is_exactly_zero

DOCUMENT = Document("explainer-ch7")
GIVEN = DOCUMENT.inputs
CAT, SLEEPS = 0, 1

X, W_O = matrix("X", 2, 4), matrix("W_O", 4, 4)
W_Q, W_K, W_V = (matrix(name, 4, 2) for name in ("W_Q", "W_K", "W_V"))
W_1, b_1, W_2, b_2 = matrix("W_1", 4, 6), matrix("b_1", 6, 1), matrix("W_2", 6, 4), matrix("b_2", 4, 1)
NEXT = matrix("T_Q", 4, 2)
VALUES = {
    X: GIVEN["X"],
    **{w: [GIVEN[f"{w.name}_1"], GIVEN[f"{w.name}_2"]] for w in (W_Q, W_K, W_V)},
    **{w: GIVEN[w.name] for w in (W_O, W_1, W_2)},
    **{b: [[x] for x in GIVEN[b.name]] for b in (b_1, b_2)},
}
ENCODER = EncoderLayer(X, W_Q, W_K, W_V, W_O, W_1, b_1, W_2, b_2, heads=2)
LAYER = derive(ENCODER, values=VALUES)
SECOND = derive({"Q": Linear(ENCODER, NEXT)}, values={**VALUES, NEXT: GIVEN["W_Q_layer2_head1"]})
MEAN_1, _, _, _, ROOT_1 = stages_of(LAYER["R_1"].stands_for)
MEAN_2, _, _, _, ROOT_2 = stages_of(LAYER["R_2"].stands_for)


def step(name, *place):
    return Figure(LAYER, name, place)


def other(expression, *place):
    return of(expression, VALUES, *place)


def dots(head):
    """The scores of one head before they are divided."""
    return LAYER[f"Q_{head}"].stands_for @ LAYER[f"K_{head}"].stands_for.T


TWO_SCORES = Literal([[0, 1 / sqrt(S(2))]])
NUMBERS = {
    "ch7.X": step("X"),
    "ch7.x.nemuru": step("X", SLEEPS),
    **{f"ch7.h{h}.{x}": step(f"{x}_{h}") for h in (1, 2) for x in "QKV"},
    **{f"ch7.h{h}.q.nemuru": step(f"Q_{h}", SLEEPS) for h in (1, 2)},
    **{f"ch7.h{h}.dot": other(dots(h), SLEEPS) for h in (1, 2)},
    **{f"ch7.h{h}.scaled": step(f"S_{h}", SLEEPS) for h in (1, 2)},
    **{f"ch7.h{h}.{x}": step(f"A_{h}", SLEEPS) for h in (1, 2) for x in ("coef", "pct")},
    **{f"ch7.h{h}.z": step(f"Z_{h}", SLEEPS) for h in (1, 2)},
    "ch7.exp": of(Exponential(TWO_SCORES), {}, 0),
    "ch7.expsum": of(RowSum(Exponential(TWO_SCORES)), {}, 0, 0),
    "ch7.softmax.division": of(Softmax(TWO_SCORES), {}, 0),
    "ch7.concat": step("Y", SLEEPS),
    "ch7.o": step("O", SLEEPS),
    "ch7.o1": step("O", SLEEPS, 0),
    "ch7.o2": step("O", SLEEPS, 1),
    "ch7.add1": step("R_1", SLEEPS),
    "ch7.norm1": step("N_1", SLEEPS),
    "ch7.ffn.pre": step("P", SLEEPS),
    "ch7.ffn.relu": step("F", SLEEPS),
    "ch7.ffn.out": step("G", SLEEPS),
    "ch7.add2": step("R_2", SLEEPS),
    "ch7.out.nemuru": step("H", SLEEPS),
    "ch7.out.cat": step("H", CAT),
    "ch7.out": step("H"),
    "ch7.layer2.q.nemuru": Figure(SECOND, "Q", (SLEEPS,)),
    **{f"ch7.d.h{h}.S": other(dots(h)) for h in (1, 2)},
    **{f"ch7.d.h{h}.{x}": step(f"{x}_{h}") for h in (1, 2) for x in "AZ"},
    "ch7.d.concat": step("Y"),
    "ch7.d.O": step("O"),
    "ch7.d.add1": step("R_1"),
    "ch7.d.mean1": other(MEAN_1),
    "ch7.d.std1": other(ROOT_1),
    "ch7.d.norm1": step("N_1"),
    "ch7.d.ffn_pre": step("P"),
    "ch7.d.ffn_relu": step("F"),
    "ch7.d.ffn_out": step("G"),
    "ch7.d.add2": step("R_2"),
    "ch7.d.mean2": other(MEAN_2),
    "ch7.d.std2": other(ROOT_2),
    "ch7.d.out": step("H"),
    "ch7.d.layer2.Q": Figure(SECOND, "Q"),
    "ch7.d.h1.c": step("A_1", SLEEPS, CAT),
}


def value(expression):
    return evaluate(expression).tolist()[0]


def printed(*rows):
    return Literal([[dec(x) for x in row.split()] for row in rows])


def exact(name, row=SLEEPS):
    return step(name, row).numbers("exact")


def same(numbers, others):
    return len(numbers) == len(others) and all(is_exactly_zero(a - b) for a, b in zip(numbers, others, strict=True))


def swapped():
    """The next layer's query of a row is its first two components, in the other order."""
    rows = of(ENCODER, VALUES).numbers("digits")
    return Figure(SECOND, "Q").numbers("digits") == [rows[1], rows[0], rows[5], rows[4]]


def base_model():
    """What the tree of the whole base model holds."""
    return counts_of(encoder_decoder(BASE))


def shape(name):
    return shape_of_value(step(name))


def same_network():
    """With the weights of chapter 5 the network gives the same for every row; with one bias changed it does not."""
    rows = matrix("R", 2, 4)

    def network(w_1, c_1, w_2, c_2):
        return FeedForward(rows, Literal(w_1), Literal([[x] for x in c_1]), Literal(w_2), Literal([[x] for x in c_2]))

    here, there = ([given[name] for name in ("W_1", "b_1", "W_2", "b_2")] for given in (GIVEN, CHAPTER_5.inputs))
    changed = [*there[:3], [there[3][0] + 1, *there[3][1:]]]
    with_theirs = {**VALUES, **{w: CHAPTER_5.inputs[w.name] for w in (W_1, W_2)}}
    with_theirs |= {b: [[x] for x in CHAPTER_5.inputs[b.name]] for b in (b_1, b_2)}
    return (
        is_equal(network(*here), network(*there))
        and is_refuted(network(*here), network(*changed))
        and same(of(ENCODER, with_theirs).numbers("digits"), step("H").numbers("digits"))
    )


def rows_swapped():
    """With the two rows of X exchanged, every step gives the same rows in the other order: both go through the same."""
    names = ("Y", "O", "N_1", "F", "G", "H")
    other_way = with_values(LAYER, {**VALUES, X: GIVEN["X"][::-1]})
    return GIVEN["X"][CAT] != GIVEN["X"][SLEEPS] and all(
        same(Figure(other_way, name, (row,)).numbers("digits"), step(name, 1 - row).numbers("digits"))
        for name in names
        for row in (CAT, SLEEPS)
    )


def second_reads_first():
    """The query of the second layer is made from the last step of the first, and so from all of its weights."""
    first = {letter.name for letter in LAYER.inputs}
    return is_equal(SECOND.expanded("Q"), Linear(LAYER.expanded("H"), NEXT)) and first < {x.name for x in SECOND.inputs}


def one_memory():
    """All decoder layers of the base model read the same rows, and those are the last ones of the encoder."""
    nodes = list(walked(encoder_decoder(BASE)))
    read = {layer.argument("memory") for layer in nodes if type(layer) is DecoderLayer}
    last = [x for x in nodes if type(x) is EncoderLayer and x.argument("label") == "enc6"]
    return read == set(last) and layers.reads(layers.DECODER, "K_cross", "E U_K")


FORMULAS = {
    "ch7.f.q2": lambda: value(Literal([[0, 1, 0, 1]]) @ Literal([[0, 0], [0, 0], [0, 1], [1, 0]])) == [1, 0],
    "ch7.f.z1": lambda: (
        rounds_to(value(printed("0.3302 0.6698") @ printed("2 0", "0 2")), ["0.6604", "1.3396"], 4)
        and rounds_to(exact("Z_1"), ["0.6605", "1.3395"], 4)
    ),
    "ch7.f.z2": lambda: (
        rounds_to(value(printed("0.6698 0.3302") @ printed("1 0", "0 3")), ["0.6698", "0.9906"], 4)
        and rounds_to(exact("Z_2"), ["0.6698", "0.9907"], 4)
    ),
    "ch7.f.expargs": lambda: same(exact("S_1"), [S(0), 1 / sqrt(S(2))]) and same(exact("S_2"), [1 / sqrt(S(2)), S(0)]),
}
COUNTS = {
    "ch7.c.tokens": lambda: shape("H")[0],
    "ch7.c.dims": lambda: shape("H")[1],
    "ch7.c.heads": lambda: len(LAYER.expanded("Y").args),
    "ch7.c.X_shape": lambda: shape("X"),
    "ch7.c.head_dim": lambda: the_only(shape(f"{x}_{k}")[1] for x in "QKV" for k in (1, 2)),
    "ch7.c.weights_per_head": lambda: sum(letter.head == 0 for letter in derive(ENCODER).inputs),
    "ch7.c.weights_total": lambda: sum(letter.head is not None for letter in derive(ENCODER).inputs),
    "ch7.c.weight_shape": lambda: the_only(x.shape for x in derive(ENCODER).inputs if x.head is not None),
    "ch7.c.concat": lambda: shape("Y")[1],
    "ch7.c.w1_shape": lambda: shape("W_1"),
    "ch7.c.w2_shape": lambda: shape("W_2"),
    "ch7.c.out_shape": lambda: shape("H"),
    "ch7.c.head_layout": lambda: [shape(f"Z_{k}")[1] for k in (1, 2)],
    "ch7.c.paper_N_h": lambda: [sizes_of(BASE).layers, sizes_of(BASE).heads],
    "ch7.c.paper_head_dim": lambda: sizes_of(BASE).d_k,
    "ch7.c.paper_concat": lambda: [sizes_of(BASE).joined, sizes_of(BASE).d_model],
    "ch7.c.enc_layers": lambda: sizes_of(BASE).layers,
    "ch7.c.dec_layers": lambda: sizes_of(BASE).decoder_layers,
    "ch7.c.heads_per_box": lambda: [heads_in(encoder(BASE)), heads_in(decoder(BASE))],
    "ch7.c.enc_boxes": lambda: base_model().encoder_attentions,
    "ch7.c.dec_boxes": lambda: base_model().decoder_attentions,
    "ch7.c.boxes": lambda: base_model().attentions,
    "ch7.c.heads_total": lambda: base_model().heads,
}
STATEMENTS = {
    "ch7.s.parallel_heads": lambda: layers.read(LAYER, ("Q_1", "Q_2"), "X W_Q^(1)", "X W_Q^(2)"),
    "ch7.s.sequential_layers": second_reads_first,
    "ch7.s.encoder_sees_all": lambda: all(x > 0 for k in (1, 2) for x in step(f"A_{k}").numbers("digits")),
    "ch7.s.coef_order": lambda: same(exact("A_1"), exact("A_2")[::-1]) and same(exact("S_1"), exact("S_2")[::-1]),
    "ch7.s.concat_rowwise": lambda: exact("Y") == exact("Z_1") + exact("Z_2"),
    "ch7.s.wo_mixes": lambda: same(exact("O")[2:], exact("Y")[2:])
    and same(exact("O")[:2], [a + b for a, b in zip(exact("Y")[:2], exact("Y")[2:], strict=True)]),
    "ch7.s.residual1": lambda: layers.reads(LAYER, "R_1", "X + O"),
    "ch7.s.residual2": lambda: layers.reads(LAYER, "R_2", "N_1 + G"),
    "ch7.s.same_ffn": same_network,
    "ch7.s.norm": lambda: layers.count_of(Standardization, ENCODER) == 2 and layers.reads(LAYER, "H", "norm(R_2, 0.00001)"),
    "ch7.s.cat_same_steps": rows_swapped,
    "ch7.s.own_weights": own_weights_and_order,
    "ch7.s.layer2_swap": swapped,
    "ch7.s.layer2_input": lambda: second_reads_first() and shape_of_value(Figure(SECOND, "Q")) == [2, 2],
    "ch7.s.cross_same_encoder": one_memory,
    "ch7.s.head_count_fixed": lambda: shape_in(layers.ENCODER, "Y") == (layers.n, layers.d_v * layers.h),
    "ch7.s.not_layer_end": lambda: [s.name for s in derive(ENCODER).steps][-7:] == ["R_1", "N_1", "P", "F", "G", "R_2", "H"],
}  # fmt: skip
LEFT = {
    "facts given, nothing to compute": frozenset({"ch7.c.steps"}),
    "conventions and words": frozenset({
        "ch7.s.no_fixed_roles", "ch7.s.x_has_position", "ch7.s.own_example", "ch7.s.stops_at_q",
        "ch7.s.unrounded",
    }),
}  # fmt: skip
TABLE = Table(DOCUMENT, NUMBERS, COUNTS, {**FORMULAS, **STATEMENTS}, left=LEFT)
