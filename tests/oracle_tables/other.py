"""Explainer, chapter 1 and the table: the base model of the paper beside the small one of eight components."""

from oracle_reading import Document, Table, of
from sympy import Integer, sqrt

from oracle_tables import layers
from symtransformer import evaluate
from symtransformer.models import BASE, DEMO, decoder_only
from symtransformer.operation import unfolded
from symtransformer.operations import Embedding, LayerNorm, Ones, SquareRoot
from symtransformer.symbols import Letter, Literal, one_hot

DOCUMENT = Document("explainer-other")
PAPER, SMALL = DOCUMENT.inputs["paper_base"], DOCUMENT.inputs["demo"]


def root(size):
    return of(SquareRoot(Literal([[size]])), {}, 0, 0)


def as_given():
    """The two configurations are those of the table."""
    return (BASE.layers, BASE.decoder_layers, BASE.d_model, BASE.heads, BASE.d_ff) == tuple(PAPER.values()) and (
        DEMO.layers, DEMO.d_model, DEMO.heads, DEMO.d_ff
    ) == tuple(SMALL.values())  # fmt: skip


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
    "other.s.structure": lambda: BASE.decoder_layers == 6 and DEMO.decoder_layers == 0 and as_given(),
    "other.s.demo_omits": demo_omits,
    "other.s.residual": lambda: (
        layers.reads(layers.ENCODER, "R_1", "X + O") and layers.reads(layers.ENCODER, "N_1", "norm(R_1, 0.00001)")
    ),
}
COUNTS = {
    "other.c.paper_layers": lambda: [BASE.layers, BASE.decoder_layers],
    "other.c.demo_layers": lambda: DEMO.layers,
    "other.c.paper_d_model": lambda: BASE.d_model,
    "other.c.demo_d_model": lambda: DEMO.d_model,
    "other.c.paper_heads": lambda: BASE.heads,
    "other.c.demo_heads": lambda: DEMO.heads,
    "other.c.paper_dff": lambda: BASE.d_ff,
    "other.c.demo_dff": lambda: DEMO.d_ff,
    "other.c.source_tokens": lambda: len(DOCUMENT.everything["labels"]["source"]),
    "other.c.decoder_tokens": lambda: len(DOCUMENT.everything["labels"]["decoder_input"]),
    "other.d.paper_head_dim": lambda: BASE.d_k,
    "other.d.demo_head_dim": lambda: DEMO.d_k,
    "other.d.ffn_ratio": lambda: [Integer(c.d_ff) / c.d_model for c in (BASE, DEMO)],
}
NUMBERS = {"other.d.sqrt512": root(BASE.d_model), "other.d.sqrt8": root(DEMO.d_model)}
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
