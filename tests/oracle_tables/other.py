"""Explainer, chapter 1 and the table: the base model of the paper beside the small one of eight components."""

from oracle_reading import Document, Figure, Table, of, page
from sympy import Integer, sqrt

from oracle_tables import layers
from oracle_tables.trees import shape_of_value, sizes_of
from symtransformer import evaluate
from symtransformer.models import BASE, DEMO, decoder_only
from symtransformer.operation import unfolded
from symtransformer.operations import Embedding, LayerNorm, Ones, SquareRoot
from symtransformer.symbols import Letter, Literal, one_hot

DOCUMENT = Document("explainer-other")
PAGE, CROSS_WEIGHTS = page("explainer_chapter_6"), "A_cross"
PAPER, SMALL = DOCUMENT.inputs["paper_base"], DOCUMENT.inputs["demo"]


def root(size):
    return of(SquareRoot(Literal([[size]])), {}, 0, 0)


def as_given():
    """The trees of the two models have the sizes of the table; the small one has no second stack."""
    base, demo = sizes_of(BASE), sizes_of(DEMO)
    return (
        [base.layers, base.decoder_layers, base.d_model, base.heads, base.d_ff] == list(PAPER.values())
        and [demo.layers, demo.d_model, demo.heads, demo.d_ff] == list(SMALL.values())
        and (base.decoder_layers, demo.decoder_layers) == (6, 0)
    )


def tokens_of(axis, which):
    """Rows and columns of the cross-attention weights of the page, which bears the tokens as labels."""
    words, place = dict(PAGE.labels)[axis], ("n", "m").index(axis)
    assert [word.ja for word in words] == DOCUMENT.everything["labels"][which]
    return shape_of_value(Figure(PAGE, CROSS_WEIGHTS))[place]


def scaled_embedding():
    """With the factor, the row of the table is multiplied by the square root of its width, exactly."""
    table = [[1, -2, 3], [0, 5, 7]]
    plain, scaled = (Embedding(one_hot([1, 0], 2), Literal(table), scaled=how) for how in ("no", "yes"))
    return evaluate(scaled) == sqrt(Integer(3)) * evaluate(plain)


def demo_letters():
    return {str(s) for s in unfolded(decoder_only(DEMO))._free if isinstance(s, Letter)}


def demo_omits():
    """No encoder, no cross-attention, no biases, no gains and shifts are letters of the small model."""
    return not any(name in letter for letter in demo_letters() for name in ("b_", "gamma", "beta", "U_"))


CHECKS = {
    "other.f.sqrt_dmodel": scaled_embedding,
    "other.f.gammabeta": lambda: layers.is_equal(
        LayerNorm(layers.X, Ones(layers.d, 1), 0 * Ones(layers.d, 1)), LayerNorm(layers.X)
    ),
    "other.s.structure": as_given,
    "other.s.demo_omits": demo_omits,
    "other.s.residual": lambda: (
        layers.reads(layers.ENCODER, "R_1", "X + O") and layers.reads(layers.ENCODER, "N_1", "norm(R_1, 0.00001)")
    ),
}
COUNTS = {
    "other.c.paper_layers": lambda: [sizes_of(BASE).layers, sizes_of(BASE).decoder_layers],
    "other.c.demo_layers": lambda: sizes_of(DEMO).layers,
    "other.c.paper_d_model": lambda: sizes_of(BASE).d_model,
    "other.c.demo_d_model": lambda: sizes_of(DEMO).d_model,
    "other.c.paper_heads": lambda: sizes_of(BASE).heads,
    "other.c.demo_heads": lambda: sizes_of(DEMO).heads,
    "other.c.paper_dff": lambda: sizes_of(BASE).d_ff,
    "other.c.demo_dff": lambda: sizes_of(DEMO).d_ff,
    "other.c.source_tokens": lambda: tokens_of("m", "source"),
    "other.c.decoder_tokens": lambda: tokens_of("n", "decoder_input"),
    "other.d.paper_head_dim": lambda: sizes_of(BASE).d_k,
    "other.d.demo_head_dim": lambda: sizes_of(DEMO).d_k,
    "other.d.ffn_ratio": lambda: [Integer(s.d_ff) / s.d_model for s in (sizes_of(BASE), sizes_of(DEMO))],
}
NUMBERS = {"other.d.sqrt512": root(sizes_of(BASE).d_model), "other.d.sqrt8": root(sizes_of(DEMO).d_model)}
LEFT = {
    "facts given, nothing to compute": frozenset({
        "other.c.chapters", "other.c.networks", "other.c.figure1_page", "other.c.ch4_dims", "other.c.ch5_dims",
    }),
    "conventions and words": frozenset({
        "other.s.roles", "other.s.not_train_vs_generate", "other.s.training", "other.s.attention_not_explanation",
        "other.s.redraw",
    }),
}  # fmt: skip
TABLE = Table(DOCUMENT, NUMBERS, COUNTS, CHECKS, left=LEFT)
