"""The formulas and counts of the article on self-attention; where one needs a word more, with it."""

from mpmath import mp
from oracle_reading import as_mpf, assert_close, of, rounds_to
from sympy import Rational

from oracle_tables import layers
from oracle_tables.article_numbers import (
    CONSISTENT,
    GIVEN,
    SIMILARITIES,
    TENTH,
    VALUES,
    WEIGHTS,
    S,
    d,
    d_ff,
    info_nce,
    mixed,
    number,
    power_of_two,
    slices,
)
from oracle_tables.dot_products import divided_terms, independent_terms, terms_that_are_not_independent
from oracle_tables.layers import dec, is_equal, is_refuted, read, reads
from oracle_tables.trees import shape_of, sizes_of, the_only
from symtransformer import derive, evaluate, matrix, parameter
from symtransformer.models import ARTICLE, decoder_only
from symtransformer.models.weights import walked
from symtransformer.operations import (
    GELU,
    EntryDivision,
    Exponential,
    FeedForward,
    GradientStep,
    Hadamard,
    Linear,
    Logarithm,
    NormalDistribution,
    RotaryEmbedding,
    RowDivision,
    RowSum,
    ScaledDotProductAttention,
    SingleHead,
    Softmax,
    SquareRoot,
    TemperatureSoftmax,
)  # fmt: skip
from symtransformer.symbols import Literal

# -- formulas -------------------------------------------------------------------------------------------
HEAD = derive(SingleHead(layers.X, *layers.PROJECTIONS))
QUERIES, KEYS, CONTENTS = matrix("Q", 3, 4), matrix("K", 3, 4), matrix("V", 3, 5)
TURNED = derive(ScaledDotProductAttention(RotaryEmbedding(QUERIES), RotaryEmbedding(KEYS), CONTENTS))


def exact(figure):
    return figure.numbers("exact")


def shown(figure, *expected, places=2):
    return rounds_to(exact(figure), list(expected), places)


def rotation_of_a_row():
    """At position 0 nothing is turned; every turn keeps the length."""
    row, p = matrix("A", 1, 4), parameter("p")
    turned = RotaryEmbedding(row, start=p)
    return is_equal(RotaryEmbedding(row), row) and is_equal(turned @ turned.T, row @ row.T)


def only_the_difference():
    """The score of two turned rows stays when both positions move, and changes when one does; for both pairings."""
    row, other, m, p, q = matrix("A", 1, 4), matrix("B", 1, 4), parameter("m"), parameter("p"), parameter("q")

    def score(first, second, pairing):
        return (
            RotaryEmbedding(row, start=first, pairing=pairing) @ RotaryEmbedding(other, start=second, pairing=pairing).T
        )

    return all(
        is_equal(score(m + p, q + p, pairing), score(m, q, pairing))
        and is_refuted(score(m + p, q, pairing), score(m, q, pairing))
        for pairing in ("interleaved", "halves")
    )


def two_linears():
    """Row vectors: X W_1 W_2; columns: (W_2 W_1) x, with the transposed matrices."""
    w_1, w_2 = matrix("W_1", d, d_ff), matrix("W_2", d_ff, d)
    rows = is_equal(layers.X @ w_1 @ w_2, layers.X @ (w_1 @ w_2))
    return rows and is_equal((layers.X @ w_1 @ w_2).T, (w_2.T @ w_1.T) @ layers.X.T)


def info_nce_by_hand():
    """-log of the share of the positive among the positive and all negatives."""
    for temperature in (1, TENTH):
        powers = [mp.exp(as_mpf(s / temperature)) for s in SIMILARITIES]
        assert_close(exact(info_nce(temperature)), [-mp.log(powers[0] / sum(powers))])
    return True


def column_convention():
    w, b, x = matrix("W", d, d_ff), matrix("b", d_ff, 1), matrix("X", 1, d)
    return is_equal(Linear(x, w, b).T, w.T @ x.T + b)


def printed_quotients():
    """The powers and their sum round to what is printed; its quotients round to the weights, and so do these."""
    powers, total = number(Exponential(S), 0), number(RowSum(Exponential(S)), 0, 0)
    rounded = RowDivision(Literal([[dec(x) for x in ("8.17", "1.65", "0.74")]]), Literal([[dec("10.56")]]))
    weights = ("0.77", "0.16", "0.07")
    return (
        shown(powers, "8.17", "1.65", "0.74")
        and shown(total, "10.56")
        and shown(of(rounded, {}, 0), *weights)
        and shown(number(RowDivision(Exponential(S), RowSum(Exponential(S))), 0), *weights)
    )


def network(name):
    """The shape of an argument of the feed-forward network in the tree of the article's model."""
    (found,) = (node for node in walked(decoder_only(ARTICLE)) if type(node) is FeedForward)
    return found.argument(name).shape


def ratio_of_roots():
    """The root of all columns over that of one head's."""
    sizes = sizes_of(ARTICLE)
    roots = EntryDivision(SquareRoot(Literal([[sizes.d_model]])), SquareRoot(Literal([[sizes.d_k]])))
    return evaluate(roots)[0, 0]


FORMULAS = {
    "art.f.proj": lambda: read(HEAD, "QKV", "X W_Q", "X W_K", "X W_V"),
    "art.f.rope": rotation_of_a_row,
    "art.f.score_rope_d": lambda: ratio_of_roots() == 4 and reads(HEAD, "S", "Q K^T / sqrt(d_k)"),
    "art.f.score_rope": lambda: is_equal(  # the root of 4 columns
        TURNED.expanded("S"), (RotaryEmbedding(QUERIES) @ RotaryEmbedding(KEYS).T) / 2
    ),
    "art.f.score": lambda: reads(HEAD, "S", "Q K^T / sqrt(d_k)"),
    "art.f.weight": lambda: reads(HEAD, "A", "softmax(S)"),
    "art.f.out": lambda: reads(HEAD, "Z", "A V"),
    "art.f.weight_num": printed_quotients,
    "art.f.out1": lambda: exact(mixed([dec("0.77"), dec("0.16"), dec("0.07")])) == [
        sum(w * Rational(str(row[j])) for w, row in zip((dec("0.77"), dec("0.16"), dec("0.07")), GIVEN["V_first_components"], strict=True))
        for j in (0, 1)
    ],
    "art.f.mix": lambda: exact(mixed(GIVEN["linear_mix_example"])) == [dec("0.25"), dec("0.68")],
    "art.f.collapse": two_linears,
    "art.f.ffn": lambda: FeedForward(layers.X, *layers.NETWORK, activation="GELU").definition().whole
    is Linear(GELU(Linear(layers.X, *layers.NETWORK[:2])), *layers.NETWORK[2:]),
    "art.f.gelu": lambda: is_equal(GELU(layers.X), Hadamard(layers.X, NormalDistribution(layers.X))),
    "art.f.infonce": info_nce_by_hand,
    "art.f.update": lambda: str(evaluate(GradientStep(Literal([[1, 2]]), Literal([[3, 5]]), TENTH)))
    == str(evaluate(Literal([[1, 2]]) - TENTH * Literal([[3, 5]]))),
    "art.f.bias": column_convention,
    "art.f.relpos": only_the_difference,
    "art.f.sqrt_dk": lambda: reads(HEAD, "S", "Q K^T / sqrt(d_k)"),
    "art.f.variance": lambda: independent_terms() and divided_terms() and terms_that_are_not_independent(),
    "art.f.exp_tau": lambda: is_equal(TemperatureSoftmax(layers.X, 3), Softmax(layers.X / 3)),
    "art.f.neglog": lambda: shown(of(-1 * Logarithm(Literal([[dec("0.5")]]))), "0.69"),
    "art.f.128dirs": lambda: power_of_two() and rounds_to([Rational(2**128, 10**38)], ["3.4"], 2),
}  # fmt: skip
COUNTS = {
    "art.c.d_model": lambda: sizes_of(ARTICLE).d_model,
    "art.c.heads": lambda: sizes_of(ARTICLE).heads,
    "art.c.head_dim": lambda: sizes_of(ARTICLE).d_k,
    "art.c.head_slices": slices,
    "art.c.d_ff": lambda: sizes_of(ARTICLE).d_ff,
    "art.c.ff_ratio": lambda: Rational(sizes_of(ARTICLE).d_ff, sizes_of(ARTICLE).d_model),
    "art.c.w1_shape": lambda: network("weight_1"),
    "art.c.b1_size": lambda: network("bias_1")[0],
    "art.c.w2_shape": lambda: network("weight_2"),
    "art.c.b2_size": lambda: network("bias_2")[0],
    "art.c.tokens": lambda: shape_of(WEIGHTS, VALUES)[1],
    "art.c.weights": lambda: len(derive(SingleHead(layers.X, *layers.PROJECTIONS)).inputs) - 1,
    "art.c.concat": lambda: sizes_of(ARTICLE).joined,
    "art.c.candidates": lambda: the_only(
        shape_of(TemperatureSoftmax(Literal([CONSISTENT]), tau) - Literal([GIVEN[name]]), {})[1]
        for tau, name in ((1, "softmax_high_tau"), (TENTH, "softmax_low_tau"))
    ),
    "art.d.scale_ratio": ratio_of_roots,
}
