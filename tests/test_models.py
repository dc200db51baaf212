"""Whole models: every shape against a table of its own, counts two ways and against those of the literature, weights."""

import numpy as np
import pytest
from plain_layers import layer, layer_norm
from sympy import Integer

from symtransformer import dimension, evaluate, matrix
from symtransformer.errors import NotSupported, ShapeError, UnreadableInput
from symtransformer.models import (
    ARTICLE,
    BASE,
    DEMO,
    GPT2,
    Configuration,
    counts_of,
    decoder,
    decoder_only,
    encoder,
    encoder_decoder,
    language_model,
    random_weights,
)
from symtransformer.node import postorder
from symtransformer.operation import Composite, unfolded
from symtransformer.operations import Linear, Standardization
from symtransformer.symbols import Letter

n, m = dimension("n"), dimension("m")
TINY = Configuration(layers=2, decoder_layers=3, d_model=6, d_ff=10, heads=3, d_k=4, d_v=5, vocabulary=7, scaled=True)
TINY_PRE = Configuration(
    layers=2, d_model=6, d_ff=10, heads=2, vocabulary=7, norm="pre", activation="GELUTanh", final_norm=True, positions=9,
    attention_biases=True,
)  # fmt: skip


# -- sizes ------------------------------------------------------------------------------------------------
def table_of_sizes(c):
    """What each letter's size must be, by its name without the layer."""
    d, k, v, inner, h = c.d_model, c.d_k, c.d_v, c.d_ff, c.heads
    sizes = {
        "W_1": (d, inner),
        "b_1": (inner, 1),
        "W_2": (inner, d),
        "b_2": (d, 1),
        "E": (c.vocabulary, d),
        "P": (c.positions, d),
    }
    for weight, bias in (("W", "b"), ("U", "c")):
        sizes |= {f"{weight}_Q": (d, k), f"{weight}_K": (d, k), f"{weight}_V": (d, v), f"{weight}_O": (h * v, d)}
        sizes |= {f"{bias}_Q": (k, 1), f"{bias}_K": (k, 1), f"{bias}_V": (v, 1), f"{bias}_O": (d, 1)}
    sizes |= {f"{x}{low}": (d, 1) for x in ("gamma", "beta") for low in ("", "_1", "_2", "_3")}
    return sizes | {
        "W_vocab": (d, c.vocabulary), "T": (n, c.vocabulary), "T_src": (m, c.vocabulary), "T_tgt": (n, c.vocabulary),
        "X": (n, d), "Y": (n, d), "H": (m, d),
    }  # fmt: skip


def size_by_hand(node, of):
    """The size of one primitive from those of its arguments: rules written once more."""
    name, inner = type(node).__name__, [of[c] for c in node._children]
    if name == "Product":
        assert inner[0][1] == inner[1][0]
        return inner[0][0], inner[1][1]
    if name == "Transpose":
        return inner[0][::-1]
    if name == "HeadConcatenation":
        return inner[0][0], inner[0][1] * node.args[2]
    if name in ("Addition", "Hadamard", "Mask"):
        assert len(set(inner)) == 1
        return inner[0]
    if name in ("Scaling", "Softmax", "Standardization", "ReLU", "GELU", "GELUTanh"):
        return inner[0]
    if name == "RowSlice":
        return node.args[2], inner[0][1]
    if name == "CausalMask":
        return node.args[0], node.args[0]
    assert name in ("Ones", "SinusoidalEncoding"), name
    return node.args[0], node.args[1]


MODELS = {
    "base": (BASE, encoder_decoder), "gpt2": (GPT2, language_model), "tiny": (TINY, encoder_decoder),
    "tiny pre": (TINY_PRE, language_model), "demo": (DEMO, decoder_only), "article": (ARTICLE, encoder),
    "decoder alone": (TINY, decoder),
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_every_size_in_a_model_is_right(name):
    config, build = MODELS[name]
    model, table, of = build(config), table_of_sizes(config), {}
    nodes = list(postorder(unfolded(model)))
    for node in nodes:
        if isinstance(node, Letter):
            of[node] = tuple(Integer(s) if isinstance(s, int) else s for s in table[node.name.rpartition(".")[2]])
        else:
            of[node] = tuple(size_by_hand(node, of))
        assert node.shape == of[node], node
    seen = [node for node in postorder(model) if isinstance(node, Composite)]
    assert {of[unfolded(node)] == node.shape for node in seen} == {True}
    assert model.shape[0] == n
    assert len(nodes) > 20


def test_the_base_model_is_small_as_a_graph():
    model = encoder_decoder(BASE)
    assert len(list(postorder(model))) == 202
    assert len(list(postorder(unfolded(model)))) == 730
    assert model.shape == (n, 37_000)


def test_sizes_may_stay_letters():
    model = encoder_decoder(BASE, symbolic=True)
    d_model, d_k, d_v, h = (dimension(x) for x in ("d_model", "d_k", "d_v", "h"))
    of = {node.name: node.shape for node in postorder(model) if isinstance(node, Letter)}
    assert of["enc6.W_Q"] == (d_model, d_k)
    assert of["dec3.U_O"] == (h * d_v, d_model)
    assert model.shape == (n, dimension("K"))
    assert model.xreplace(BASE.values()) is encoder_decoder(BASE)


# -- the values -------------------------------------------------------------------------------------------
def plain_weights(values, label, heads):
    """The arrays of one layer, by the names that plain NumPy uses."""
    own = {
        k.name.partition(".")[2]: np.array(v, dtype=float) for k, v in values.items() if k.name.startswith(label + ".")
    }
    for name in [name for name in own if name[2:] in ("Q", "K", "V") and heads == 1]:
        own[name] = own[name][None]
    cross = {("W" if name[0] == "U" else "b") + name[1:]: x for name, x in own.items() if name[0] in "Uc"}
    return {**{name: x for name, x in own.items() if name[0] not in "Uc"}, "cross": cross}


def causal(count):
    return np.where(np.tri(count) > 0, 0.0, -np.inf)


def waves(count, width):
    return np.array([
        [(np.sin, np.cos)[j % 2](p / 10_000 ** (2 * (j // 2) / width)) for j in range(width)] for p in range(count)
    ])  # fmt: skip


def test_the_whole_encoder_decoder_agrees_with_plain_numpy():
    model = encoder_decoder(TINY)
    values = random_weights(model, TINY, seed=4, arrays=True)
    source, target = np.eye(7)[[2, 6, 0, 2]], np.eye(7)[[1, 5, 5]]
    named = {letter.name: letter for letter in postorder(model) if isinstance(letter, Letter)}
    table, out = values[named["E"]], values[named["W_vocab"]]
    x, y = (t @ table * 6**0.5 + waves(len(t), 6) for t in (source, target))
    for k in (1, 2):
        x = layer(x, plain_weights(values, f"enc{k}", 3))
    for k in (1, 2, 3):
        y = layer(y, plain_weights(values, f"dec{k}", 3), memory=x, mask=causal(3))
    given = values | {named["T_src"]: source, named["T_tgt"]: target}
    assert np.allclose(evaluate(model, given, backend="numpy"), y @ out, rtol=1e-11, atol=1e-12)
    digits = np.array(evaluate(model, given, digits=17).tolist(), dtype=float)
    assert np.allclose(digits, y @ out, rtol=1e-11, atol=1e-12)


def test_a_language_model_agrees_with_plain_numpy():
    model = language_model(TINY_PRE)
    values = random_weights(model, TINY_PRE, seed=9, arrays=True)
    tokens = np.eye(7)[[3, 3, 0, 6]]
    named = {letter.name: letter for letter in postorder(model) if isinstance(letter, Letter)}
    x = tokens @ values[named["E"]] + values[named["P"]][:4]
    for k in (1, 2):
        x = layer(x, plain_weights(values, f"dec{k}", 2), mask=causal(4), norm="pre", activation="GELUTanh")
    x = layer_norm(x, values[named["dec.gamma"]], values[named["dec.beta"]])
    wanted = x @ np.hstack([values[named["W_vocab"]]])
    assert np.allclose(evaluate(model, values | {named["T"]: tokens}, backend="numpy"), wanted, rtol=1e-11, atol=1e-12)


def test_a_tied_output_is_the_table_turned_around():
    model = language_model(GPT2)
    assert isinstance(model, Linear)
    assert model.args[1] is matrix("E", 50_257, 768).T
    assert not unfolded(model).has(matrix("W_vocab", 768, 50_257))


def test_where_the_last_normalization_stands():
    assert type(decoder_only(GPT2)).__name__ == "LayerNorm"
    assert isinstance(unfolded(decoder_only(DEMO)), Standardization)
    without = Configuration(layers=1, d_model=4, d_ff=3, heads=1, norm="pre")
    assert type(decoder_only(without)).__name__ == "EncoderLayer"


# -- what is refused ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (lambda: Configuration(layers=1, d_model=10, d_ff=4, heads=3), ShapeError),
        (lambda: Configuration(layers=0, d_model=10, d_ff=4, heads=2), ShapeError),
        (lambda: Configuration(layers=1, d_model=10, d_ff=4, heads=2, norm="middle"), UnreadableInput),
        (lambda: decoder(DEMO), ShapeError),
        (lambda: language_model(DEMO), ShapeError),
        (lambda: encoder(DEMO, matrix("X", n, 9)), ShapeError),
        (lambda: random_weights(encoder(DEMO, symbolic=True)), NotSupported),
        (lambda: counts_of(encoder(DEMO, symbolic=True)), NotSupported),
    ],
)
def test_what_does_not_fit_is_refused(wrong, error):
    with pytest.raises(error):
        wrong()
