"""Geometry of attention: its formulas, counts and statements."""

import numpy as np
from oracle_reading import Figure, Table, as_mpf, assert_close, of, page, rounds_to
from sympy import Integer, Rational, Sum, oo, sqrt

from oracle_tables import layers
from oracle_tables.dot_products import divided_terms, independent_terms
from oracle_tables.geometry_numbers import (
    ALL,
    DOCUMENT,
    DOTS,
    FOUND,
    GIVEN,
    LARGE,
    NUMBERS,
    SMALL,
    WORDS,
    K,
    Q,
    allowed,
    cells,
    d,
    d_k,
    d_v,
    m,
    n,
    number,
    ranking,
    saturation,
    softmax_of,
)
from oracle_tables.trees import attention_path, shape_in, shape_of, shape_of_value, the_only
from symtransformer import derive, evaluate, matrix
from symtransformer.models import GPT2, decoder_only
from symtransformer.models.weights import walked
from symtransformer.numpy_code import numpy_function
from symtransformer.operations import (
    Addition,
    CausalMask,
    CosineSimilarity,
    CrossAttention,
    EncoderLayer,
    EntryDivision,
    Hadamard,
    LayerNorm,
    Mask,
    MultiHeadAttention,
    Ones,
    PaddingMask,
    RowSum,
    ScaledDotProductAttention,
    SingleHead,
    Softmax,
    SquareRoot,
)  # fmt: skip
from symtransformer.symbols import Literal
from symtransformer.zero import is_exactly_zero

# -- formulas -------------------------------------------------------------------------------------------
HEAD = derive(SingleHead(layers.X, *layers.PROJECTIONS))
MASK = matrix("M", n, n)
MASKED = derive(ScaledDotProductAttention(matrix("Q", n, d_k), matrix("K", n, d_k), matrix("V", n, d_v), MASK))
CROSS = derive(CrossAttention(matrix("H_dec", n, d), matrix("H_enc", m, d), *layers.PROJECTIONS))


def exact(figure):
    return figure.numbers("exact")


def lengths_and_angle():
    """The dot product is the product of the lengths and the cosine."""
    q, k = matrix("A", n, d), matrix("B", m, d)
    lengths = SquareRoot(RowSum(Hadamard(q, q))) @ SquareRoot(RowSum(Hadamard(k, k))).T
    return layers.is_equal(Hadamard(CosineSimilarity(q, k), lengths), q @ k.T)


def batched():
    """NumPy code on three axes gives the scores of each member of the batch."""
    random = np.random.default_rng(20)
    queries, keys = random.normal(size=(4, 2, 3)), random.normal(size=(4, 5, 3))
    function, _ = numpy_function(matrix("Q", 2, 3) @ matrix("K", 5, 3).T)
    found = function(queries, keys)
    return found.shape == (4, 2, 5) and all(np.allclose(found[b], queries[b] @ keys[b].T, rtol=1e-13) for b in range(4))


def inner_flow():
    weight = matrix("W_O", 2 * d_v, d)
    steps = derive(MultiHeadAttention(layers.X, *layers.PROJECTIONS, weight, heads=2, mask=CausalMask(n)))
    texts = "Q_1 K_1^T / sqrt(d_k)", "softmax(S_1 + causal(n))", "A_1 V_1", "Concat(Z_1, Z_2)", "Y W_O"
    return [s.name for s in steps.steps][-4:] == ["Z_1", "Z_2", "Y", "O"] and layers.read(
        steps, ("S_1", "A_1", "Z_1", "Y", "O"), *texts
    )


FORMULAS = {
    "geo.f.attention": lambda: layers.read(MASKED, "SAZ", "Q K^T / sqrt(d_k)", "softmax(S + M)", "A V"),
    "geo.f.dot": lengths_and_angle,
    "geo.f.QKT": lambda: (matrix("Q", n, d_k) @ matrix("K", n, d_k).T).shape == (n, n),
    "geo.f.shapes1": lambda: (
        (shape_in(HEAD, "Q"), HEAD.expanded("K").T.shape, shape_in(HEAD, "S")) == ((n, d_k), (d_k, n), (n, n))
    ),
    "geo.f.shapes4": lambda: [shape_in(HEAD, name) for name in "AVZ"] == [(n, n), (n, d_v), (n, d_v)],
    "geo.f.proj": lambda: layers.read(HEAD, "QKV", "X W_Q", "X W_K", "X W_V"),
    "geo.f.proj_shapes": lambda: (
        [(layers.X @ weight).shape for weight in layers.PROJECTIONS]
        == [shape_in(HEAD, name) for name in "QKV"]
        == [(n, d_k), (n, d_k), (n, d_v)]
    ),
    "geo.f.cross": lambda: layers.read(CROSS, "QKV", "H_dec W_Q", "H_enc W_K", "H_enc W_V"),
    "geo.f.batched": batched,
    "geo.f.variance": lambda: independent_terms() and divided_terms(),
    "geo.f.scale": lambda: layers.reads(HEAD, "S", "Q K^T / sqrt(d_k)"),
    "geo.f.prenorm": lambda: (
        layers.reads(layers.PRE_NORM, "N_1", "norm(X, 0.00001)")
        and layers.reads(layers.PRE_NORM, "R_1", "X + O")
        and layers.reads(layers.PRE_NORM, "N_2", "norm(R_1, 0.00001)")
        and layers.reads(layers.PRE_NORM, "H", "R_1 + G")
    ),
    "geo.f.inner_flow": inner_flow,
    "geo.f.seq_sq": lambda: shape_in(HEAD, "S")[0] * shape_in(HEAD, "S")[1] == n**2,
}
PAGE = page("geometry")


def scores_of_the_example():
    """The scores of 512 positions, as an expression."""
    return HEAD.expanded("S").xreplace({n: Integer(GIVEN["seq_len_example"])})


def all_scores():
    """How many scores that are; the table of the page says the same of 512 positions, with those that a mask leaves."""
    rows, columns = scores_of_the_example().shape
    (table,) = (t for s in PAGE.sections for t in s.tables if "score matrix" in t.caption.en)
    small = [[size, size**2, *cells(size)] for size in (5, 8)]
    assert [list(map(int, row)) for row in table.rows[:2]] == small
    assert table.rows[2][:2] == (rows, rows * columns)
    assert sum(table.rows[2][2:]) == rows * columns
    return rows * columns


def width_of_the_example():
    """The square of what the large scores were divided by; divided by its root they are the small ones."""
    (ratio,) = set(evaluate(EntryDivision(Literal([LARGE]), Literal([SMALL]))))
    (width,) = evaluate(Literal([[ratio]]) @ Literal([[ratio]]))
    assert list(evaluate(Literal([LARGE]) / sqrt(width))) == [Rational(str(x)) for x in SMALL]
    figures = [fact.values({}) for section in PAGE.sections for fact in section.facts]
    assert (ratio, *(Rational(str(x)) for x in SMALL), width) in figures
    return width


def final_norm_and_pre_norm():
    """In the tree of GPT-2: every sub-layer reads what is normalized, and one more normalization stands on top."""
    model = decoder_only(GPT2)
    found = [node for node in walked(model) if type(node) is EncoderLayer]
    inside = {layer.definition().whole.func for layer in found}
    return type(model) is LayerNorm and len(found) == 12 and inside == {Addition} and FORMULAS["geo.f.prenorm"]()


COUNTS = {
    "geo.c.score_matrix": lambda: scores_of_the_example().shape,
    "geo.c.heatmap": lambda: shape_of_value(Figure(PAGE, "O")),
    "geo.c.vector_dims": lambda: shape_of(DOTS, WORDS, "Q")[1],
    "geo.c.mask_size": lambda: len(allowed(GIVEN["mask_tokens"])),
    "geo.c.grid": lambda: CausalMask(GIVEN["mask_tokens"]).shape,
    "geo.c.one_hop": lambda: the_only(attention_path(size) for size in (2, 5, 8)),
    "geo.d.d_k_of_20": width_of_the_example,
    "geo.d.allowed_count5": lambda: cells(5),
    "geo.d.allowed_count8": lambda: cells(8),
    "geo.d.score_count512": all_scores,
}


# -- statements -----------------------------------------------------------------------------------------
def longer_key():
    """With a key of twice the length the score doubles, and the cosine stays."""
    twice = {Q: WORDS[Q], K: 2 * Literal(WORDS[K]).matrix}
    score, cosine = of(DOTS, twice).numbers("exact"), of(CosineSimilarity(Q, K), twice).numbers("digits")
    assert_close(cosine, number(CosineSimilarity(Q, K)).numbers("digits"))
    return score == [2 * x for x in exact(number(DOTS))]


def scale_of_the_example():
    """The two rows of scores differ by 20, the root of 400; the root of 512 gives other weights."""
    return [Rational(x, 20) for x in LARGE] == [Rational(str(x)) for x in SMALL] and rounds_to(
        NUMBERS["geo.d.small_512"].numbers("exact"), ["0.847", "0.093", "0.06"], 3
    )


def padded():
    """The last two of five positions are padding: no row uses them."""
    scores = Literal([[1, 2, 3, 4, 5], [5, 4, 3, 2, 1]])
    marks = exact(of(Softmax(Mask(scores, PaddingMask(2, 5, 3)))))
    return all((marks[5 * i + j] == 0) == (j >= 3) for i in range(2) for j in range(5))


def all_values_enter():
    """A row of the output is the sum over all rows of the values, each times its weight."""
    formula = (matrix("A", n, m) @ matrix("V", m, d_v)).entry(0, 0)
    return isinstance(formula, Sum) and formula.limits[0][1:] == (0, m - 1)


def fifth_row():
    """The row of token 5 uses 1 to 5, and predicts token 6; while 5 is predicted, the last row is that of token 4."""
    return allowed(8)[4] == [1, 2, 3, 4, 5] and allowed(8)[3] == [1, 2, 3, 4]


def lengths_stay():
    """Dividing the scores does not make queries or keys of length 1."""
    lengths = number(SquareRoot(RowSum(Hadamard(ALL, ALL)))).numbers("exact")
    return not any(is_exactly_zero(x - 1) for x in lengths) and layers.reads(HEAD, "Q", "X W_Q")


def saturated():
    largest = max(map(as_mpf, saturation(LARGE).numbers("digits")))
    return largest < as_mpf(Rational(1, 10**20)) and as_mpf(saturation(SMALL).numbers("digits")[0]) > as_mpf(
        Rational(1, 10)
    )


def four_scores_only():
    """The softmax is that of the four scores; a fifth one changes all of them."""
    four, five = (exact(softmax_of(scores)) for scores in (GIVEN["scores"], [*GIVEN["scores"], 9]))
    return rounds_to(four, ["0.0055", "0", "0.9943", "0.0002"], 4) and not rounds_to(
        five[:4], ["0.0055", "0", "0.9943", "0.0002"], 4
    )


def connections():
    """Without a mask all pairs are connected; with the causal one each position with itself and earlier ones."""
    both = exact(of(Softmax(0 * Ones(5, 5))))
    return all(x > 0 for x in both) and allowed(5) == [list(range(1, k + 1)) for k in range(1, 6)]


STATEMENTS = {
    "geo.s.rows_sum_1": lambda: exact(of(RowSum(Softmax(Mask(0 * Ones(5, 5), CausalMask(5)))))) == [1] * 5,
    "geo.s.softmax_range": lambda: (
        layers.is_equal(RowSum(Softmax(matrix("S", n, m))), Ones(n, 1))
        and all(0 <= x <= 1 for x in softmax_of(GIVEN["scores"]).numbers("digits"))
    ),
    "geo.s.softmax_max": lambda: (
        max(range(4), key=lambda j: as_mpf(exact(softmax_of(GIVEN["scores"]))[j]))
        == GIVEN["scores"].index(max(GIVEN["scores"]))
    ),
    "geo.s.not_cosine": longer_key,
    "geo.s.masked_exact_zero": lambda: exact(of(Softmax(Mask(Literal([[5, 9]]), Literal([[0, -oo]]))))) == [1, 0],
    "geo.s.axes": lambda: shape_in(CROSS, "A") == (n, m),
    "geo.s.saturation": saturated,
    "geo.s.example_scale": scale_of_the_example,
    "geo.s.scores_ellipsis": four_scores_only,
    "geo.s.self": lambda: layers.read(HEAD, "QKV", "X W_Q", "X W_K", "X W_V"),
    "geo.s.cross": lambda: layers.reads(CROSS, "Q", "H_dec W_Q") and layers.reads(CROSS, "K", "H_enc W_K"),
    "geo.s.mask_order": lambda: layers.read(MASKED, "SA", "Q K^T / sqrt(d_k)", "softmax(S + M)"),
    "geo.s.padding_mask": padded,
    "geo.s.paths": connections,
    "geo.s.prenorm_gpt2": final_norm_and_pre_norm,
    "geo.s.ranking_hand_made": lambda: ranking()[-1] == "硯箱",
    "geo.s.every_value": all_values_enter,
    "geo.s.generating_token5": fifth_row,
    "geo.s.unit_vectors": lengths_stay,
}
LEFT = {
    "facts given, nothing to compute": frozenset({
        "geo.c.sublayers", "geo.c.steps", "geo.c.parts", "geo.c.rnn_problems", "geo.c.chapters", "geo.c.rnn_distance",
        "geo.c.future_example",
    }),
    "conventions and words": frozenset({
        "geo.s.additive", "geo.s.weight_not_probability", "geo.s.heatmap_limits", "geo.s.rnn", "geo.s.dot_not_unique",
        "geo.s.learned_proj", "geo.s.summary_table", "geo.s.heatmap_patterns",
    }),
}  # fmt: skip
TABLE = Table(DOCUMENT, NUMBERS, COUNTS, {**FORMULAS, **STATEMENTS}, FOUND, left=LEFT)
