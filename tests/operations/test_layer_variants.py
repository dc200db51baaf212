"""Layers in every variant against plain NumPy, against layers with a planted mistake, and what heads may be."""

import itertools
import pickle

import numpy as np
import pytest
from plain_layers import layer
from sympy import Rational
from test_layers import OWN, X, letters

from symtransformer import derive, dimension, evaluate, head_index, matrix
from symtransformer.errors import ShapeError, UnreadableInput
from symtransformer.judge import judge_equation
from symtransformer.operation import unfolded
from symtransformer.operations import (
    Addition,
    AddNorm,
    ColumnSlice,
    CrossAttention,
    DecoderLayer,
    EncoderLayer,
    FeedForward,
    LayerNorm,
    MultiHeadAttention,
    Product,
    RMSNorm,
)

i = head_index("i")


# -- every variant against plain NumPy ------------------------------------------------------------------------
def drawn(shape, rng):
    return rng.integers(-9, 10, shape) / 8


def variant(norm, activation, h, full, cross):
    """A layer of this kind, its values as arrays, and what plain NumPy makes of them."""
    n, m, d, d_k, d_v, d_ff = 3, 4, 5, 2, 3, 7
    rng = np.random.default_rng(8 * h + 2 * cross + full)
    names = {"W_Q": (d, d_k), "W_K": (d, d_k), "W_V": (d, d_v), "W_O": (h * d_v, d)}
    biases = {"b_Q": (d_k, 1), "b_K": (d_k, 1), "b_V": (d_v, 1), "b_O": (d, 1)} if full else {}
    network = {"W_1": (d, d_ff), "b_1": (d_ff, 1), "W_2": (d_ff, d), "b_2": (d, 1)}
    norms = {f"{w}_{k}": (d, 1) for k in range(1, 3 + cross) for w in ("gamma", "beta")} if full else {}
    values, plain, arguments = {}, {}, {}
    keywords = {"W": "weight_", "b": "bias_", "gamma": "gain_", "beta": "shift_"}

    def add(name, shape, into, prefix=""):
        base, _, low = name.partition("_")
        letter = matrix(("U_" if prefix and base == "W" else "c_" if prefix else base + "_") + low, *shape)
        family = low in ("Q", "K", "V") and h > 1
        array = drawn([h, *shape] if low in ("Q", "K", "V") else shape, rng)
        values[letter] = array if family or low not in ("Q", "K", "V") else array[0]
        into[name], arguments[prefix + keywords[base] + low] = array, letter

    for name, shape in {**names, **biases, **network, **norms}.items():
        if full or name not in ("b_1", "b_2"):
            add(name, shape, plain)
    x, y, mask = matrix("X", n, d), matrix("Y", m, d), matrix("M", n, n)
    values |= {x: drawn((n, d), rng)}
    options = {"heads": h, "norm": norm, "activation": activation}
    more = {"norm": norm, "activation": activation}
    if full:
        options |= {"mask": mask, "eps": Rational(1, 8)}
        values[mask] = np.where(np.tri(n) > 0, 0.0, -np.inf)
        more |= {"mask": values[mask], "eps": 0.125}
    if not cross:
        return EncoderLayer(input=x, **arguments, **options), values, layer(values[x], plain, **more)
    plain["cross"] = {}
    for name, shape in {**names, **biases}.items():
        add(name, shape, plain["cross"], "cross_")
    values[y] = drawn((m, d), rng)
    made = DecoderLayer(input=x, memory=y, **arguments, **options)
    return made, values, layer(values[x], plain, memory=values[y], **more)


VARIANTS = list(
    itertools.product(("post", "pre"), ("ReLU", "GELU", "GELUTanh"), (1, 2, 3), (False, True), (False, True))
)


@pytest.mark.parametrize(("norm", "activation", "h", "full", "cross"), VARIANTS)
def test_every_variant_agrees_with_plain_numpy(norm, activation, h, full, cross):
    made, values, wanted = variant(norm, activation, h, full, cross)
    assert made.func(*made.args) is made
    assert pickle.loads(pickle.dumps(made)) is made
    assert np.allclose(evaluate(made, values, backend="numpy"), wanted, rtol=1e-12, atol=1e-13)
    if h != 3 and activation != "GELU":
        digits = np.array(evaluate(made, values, digits=17).tolist(), dtype=float)
        assert np.allclose(digits, wanted, rtol=1e-12, atol=1e-13)


def test_no_two_variants_agree():
    kinds = list(itertools.product(("post", "pre"), ("ReLU", "GELU", "GELUTanh"), (False, True)))
    results = [variant(norm, activation, 2, True, cross)[2] for norm, activation, cross in kinds]
    for a, b in itertools.combinations(results, 2):
        assert not np.allclose(a, b, rtol=1e-6)


# -- planted mistakes -----------------------------------------------------------------------------------------
N, GAIN, SHIFT, M = matrix("X", 3, 4), matrix("g", 4, 1), matrix("s", 4, 1), matrix("M", 3, 3)
P = letters(n=3, d_k=3, d_v=2, d_ff=5)
HEADS_OF_P = [P[name] for name in ("W_Q", "W_K", "W_V", "W_O")]
NETWORK = [P[name] for name in ("W_1", "b_1", "W_2", "b_2")]
SHIFT_ROWS = LayerNorm(N, shift=SHIFT) - LayerNorm(N)
RIGHT = EncoderLayer(N, *P.values(), gain_1=GAIN, shift_2=SHIFT, heads=2, mask=M)
ATTENDED = MultiHeadAttention(N, *HEADS_OF_P, heads=2, mask=M)
FIRST = AddNorm(N, ATTENDED, gain=GAIN)
UNMASKED = AddNorm(N, MultiHeadAttention(N, *HEADS_OF_P, heads=2), gain=GAIN)
SPREAD = [w.of_head(1 - i) for w in HEADS_OF_P[:3]]
REVERSED = AddNorm(N, MultiHeadAttention(N, *SPREAD, P["W_O"], i, 2, mask=M), gain=GAIN)
JOINED = MultiHeadAttention(N, *HEADS_OF_P[:3], matrix("W_O", 4, 4), heads=2, mask=M).definition().parts[-1][1]


def out_of(first, read=None, residual=None, **options):
    network = FeedForward(first if read is None else read, *NETWORK)
    return AddNorm(first if residual is None else residual, network, **{"shift": SHIFT, **options})


MISTAKES = {
    "residual from the input of the layer": out_of(FIRST, residual=N),
    "network reads the input of the layer": out_of(FIRST, read=N),
    "no residual": LayerNorm(FeedForward(FIRST, *NETWORK), shift=SHIFT),
    "norm before instead of after": EncoderLayer(N, *P.values(), gain_1=GAIN, shift_2=SHIFT, heads=2, mask=M, norm="pre"),
    "mask missing": out_of(UNMASKED),
    "gain of the second norm": out_of(AddNorm(N, ATTENDED), gain=GAIN),
    "shift before the norm": LayerNorm(FIRST + FeedForward(FIRST, *NETWORK) + SHIFT_ROWS),
    "another eps": out_of(FIRST, eps=Rational(1, 1000)),
    "heads in another order": out_of(REVERSED),
    "W_O left out": out_of(AddNorm(N, JOINED, gain=GAIN)),
    "W_O transposed": out_of(AddNorm(N, Product(JOINED, P["W_O"].T), gain=GAIN)),
    "GELU for ReLU": EncoderLayer(N, *P.values(), gain_1=GAIN, shift_2=SHIFT, heads=2, mask=M, activation="GELU"),
    "RMS for variance": Addition(RMSNorm(FIRST + FeedForward(FIRST, *NETWORK)), out_of(FIRST) - out_of(FIRST, shift=None)),
}  # fmt: skip


def test_the_layer_is_what_its_parts_make():
    assert judge_equation(RIGHT, out_of(FIRST)).kind == "proved"


@pytest.mark.parametrize("name", MISTAKES)
def test_a_planted_mistake_is_refuted(name):
    assert judge_equation(RIGHT, MISTAKES[name]).kind == "refuted"


def test_rms_norm_is_layer_norm_only_where_the_mean_is_zero():
    x = matrix("X", 2, 2)
    assert judge_equation(LayerNorm(x), RMSNorm(x)).kind == "refuted"
    values = {x: [[3, -3], [Rational(1, 2), -Rational(1, 2)]]}
    assert evaluate(LayerNorm(x), values) == evaluate(RMSNorm(x), values)


# -- heads --------------------------------------------------------------------------------------------------
n, d, d_k, d_v, h = map(dimension, ("n", "d_model", "d_k", "d_v", "h"))
ROWS, WIDE = matrix("X", n, d), [matrix("W_Q", d, h * d_k), matrix("W_K", d, h * d_k), matrix("W_V", d, h * d_v)]
W_O = matrix("W_O", h * d_v, d)
SLICES = [ColumnSlice(w, i * width, width) for w, width in zip(WIDE, (d_k, d_k, d_v), strict=True)]


def test_columns_of_wide_weights_are_heads():
    rng = np.random.default_rng(5)
    wide = MultiHeadAttention(ROWS, *SLICES, W_O, i, h)
    narrow = MultiHeadAttention(
        ROWS, *(matrix(f"V_{k}", d, w) for k, w in zip("QKV", (d_k, d_k, d_v), strict=True)), W_O, heads=h
    )
    arrays = [drawn((4, 3 * width), rng) for width in (2, 2, 5)]
    values = {ROWS: drawn((2, 4), rng), W_O: drawn((15, 4), rng), **dict(zip(WIDE, arrays, strict=True))}
    cut = {
        f"V_{k}": [a[:, j * w : j * w + w] for j in range(3)] for k, a, w in zip("QKV", arrays, (2, 2, 5), strict=True)
    }
    one = evaluate(wide, {**values, h: 3, d_k: 2, d_v: 5}, digits=30)
    other = evaluate(narrow, {ROWS: values[ROWS], W_O: values[W_O], h: 3, **cut}, digits=30)
    assert one == other
    assert one.shape == (2, 4)


def test_identical_heads_repeat_their_output():
    shared = [matrix(f"W_{k}", d, w) for k, w in zip("QKV", (d_k, d_k, d_v), strict=True)]
    same = MultiHeadAttention(ROWS, *shared, matrix("W_O", 2 * d_v, d), i, 2)
    step = derive(same)["Y"]
    assert str(step.expression) == "Concat(Z, Z)"


def test_plain_letters_of_several_heads_become_families():
    plain = [matrix(f"W_{k}", d, w) for k, w in zip("QKV", (d_k, d_k, d_v), strict=True)]
    members = [w.of_head(i) for w in plain]
    explicit = MultiHeadAttention(ROWS, *members, W_O, i, h)
    assert explicit is MultiHeadAttention(ROWS, *plain, W_O, heads=h)
    assert explicit is MultiHeadAttention(ROWS, *plain, W_O, h)
    assert explicit is MultiHeadAttention(ROWS, *members, W_O, heads=h)
    j = head_index("j")
    assert MultiHeadAttention(ROWS, *(w.of_head(j) for w in plain), W_O, heads=h).argument("head") == j
    single = MultiHeadAttention(ROWS, *plain, matrix("W_O", d_v, d))
    assert single.free_symbols == {ROWS, *plain, matrix("W_O", d_v, d)}
    assert i not in explicit.free_symbols


def test_what_cannot_be_a_head_is_refused():
    plain = [matrix(f"W_{k}", d, w) for k, w in zip("QKV", (d_k, d_k, d_v), strict=True)]
    with pytest.raises(UnreadableInput, match="weight_K is the same for all heads"):
        MultiHeadAttention(ROWS, plain[0], plain[1] + plain[1], plain[2], W_O, heads=h)
    with pytest.raises(UnreadableInput, match="heads i, j at once"):
        MultiHeadAttention(ROWS, plain[0].of_head(i), plain[1].of_head(head_index("j")), plain[2], W_O, heads=h)
    inner = MultiHeadAttention(ROWS, *plain, matrix("W_O", 2 * d_v, d), heads=2)
    with pytest.raises(UnreadableInput, match="another number of heads"):
        unfolded(MultiHeadAttention(inner, *plain, matrix("W_O", 3 * d_v, d), heads=3))
    with pytest.raises(UnreadableInput, match="weight_O stands behind all heads"):
        MultiHeadAttention(ROWS, *(w.of_head(i) for w in plain), W_O.of_head(i), i, h)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: MultiHeadAttention(X, OWN["W_Q"], OWN["W_K"], OWN["W_V"], matrix("W_O", 3, 4), heads=2), "4 and 3"),
        (lambda: FeedForward(X, OWN["W_1"], OWN["W_2"].T), "6 and 4"),
        (lambda: FeedForward(X, OWN["W_1"], OWN["b_2"], OWN["W_2"], OWN["b_2"]), "6 and 4"),
        (lambda: AddNorm(X, matrix("O", 2, 5)), "columns"),
        (lambda: LayerNorm(X, gain=matrix("g", 5, 1)), "5 and 4"),
        (lambda: LayerNorm(X, shift=matrix("b", 1, 4)), "1 and 4"),
        (lambda: EncoderLayer(X, *OWN.values(), gain_1=matrix("g", 3, 1), heads=2), "3 and 4"),
        (lambda: CrossAttention(X, matrix("Y", 3, 5), OWN["W_Q"], OWN["W_K"], OWN["W_V"]), "5 and 4"),
    ],
)  # fmt: skip
def test_sizes_that_do_not_fit_are_refused(wrong, message):
    with pytest.raises(ShapeError, match=message):
        wrong()


def test_words_that_are_not_choices_are_refused():
    for options in ({"activation": "tanh"}, {"norm": "both"}, {"label": "Enc1"}):
        with pytest.raises(UnreadableInput):
            EncoderLayer(X, *OWN.values(), heads=2, **options)
