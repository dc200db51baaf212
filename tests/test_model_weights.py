"""Counts of models, by formula, from their letters and in the literature; weights that are drawn again as they were."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from plain_layers import layer
from sympy import Rational
from test_models import MODELS, TINY, causal, n, plain_weights

from symtransformer import derive, evaluate, head_index, matrix
from symtransformer.errors import NotSupported
from symtransformer.models import (
    ARTICLE,
    BASE,
    DEMO,
    GPT2,
    Configuration,
    counts,
    counts_of,
    decoder_only,
    encoder,
    encoder_decoder,
    random_weights,
    weights_of,
)
from symtransformer.models.weights import _LEARNED
from symtransformer.operation import REGISTRY, Composite
from symtransformer.operations import (
    AdditiveAttention,
    CrossAttention,
    DecoderLayer,
    EncoderLayer,
    GroupedQueryAttention,
    KeyValueMemory,
    MultiHeadAttention,
    RecurrentStep,
    RMSNorm,
    ScaledDotProductAttention,
    SingleHead,
    SwiGLU,
)


def oracle(name):
    path = Path(__file__).resolve().parent / "oracle" / f"{name}.json"
    return {x["id"]: x.get("expected") for x in json.loads(path.read_text(encoding="utf-8"))["claims"]}


# -- counts -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [name for name in MODELS if name != "decoder alone"])
def test_counts_by_formula_are_those_of_the_letters(name):
    config, build = MODELS[name]
    assert counts_of(build(config)) == counts(config)


def test_counts_of_the_literature():
    ours, seven = counts(BASE), oracle("explainer-ch7")
    assert ours.encoder_attentions == seven["ch7.c.enc_boxes"] == 6
    assert ours.decoder_attentions == seven["ch7.c.dec_boxes"] == 12
    assert ours.attentions == seven["ch7.c.boxes"] == 18
    assert ours.heads == seven["ch7.c.heads_total"] == 144
    assert [BASE.heads, BASE.heads * BASE.d_v] == [8, seven["ch7.c.paper_concat"][0]]
    assert [BASE.layers, BASE.heads] == seven["ch7.c.paper_N_h"]
    assert seven["ch7.c.paper_head_dim"] == BASE.d_k == 64
    other = oracle("explainer-other")
    assert [BASE.layers, BASE.decoder_layers] == other["other.c.paper_layers"]
    assert [other[f"other.c.{x}"] for x in ("demo_layers", "demo_d_model", "demo_heads", "demo_dff")] == [1, 8, 2, 16]
    assert (DEMO.layers, DEMO.d_model, DEMO.heads, DEMO.d_ff) == (1, 8, 2, 16)
    article = oracle("attention-article")
    assert (ARTICLE.heads, ARTICLE.d_k, ARTICLE.d_ff) == tuple(
        article[f"art.c.{x}"] for x in ("heads", "head_dim", "d_ff")
    )
    sizes = {letter.name: [int(s) for s in letter.shape] for letter in weights_of(encoder(ARTICLE))}
    assert sizes["enc1.W_1"] == article["art.c.w1_shape"]
    assert sizes["enc1.W_2"] == article["art.c.w2_shape"]
    slices = [[h * ARTICLE.d_k, (h + 1) * ARTICLE.d_k - 1] for h in (0, 1, 15)]
    assert slices == article["art.c.head_slices"]


def test_parameters_by_part():
    ours = counts(BASE)
    d, inner = 512, 2048
    assert ours.attention_parameters == 18 * 4 * d * d
    assert ours.feed_forward_parameters == 12 * (2 * d * inner + inner + d)
    assert ours.norm_parameters == (6 * 2 + 6 * 3) * 2 * d
    assert ours.embedding_parameters == 37_000 * d
    assert ours.parameters == 63_045_632
    assert counts(GPT2).parameters == 124_439_808  # as published with the weights
    assert ours.sub_layers == 6 * 2 + 6 * 3


def test_a_missing_part_changes_the_count():
    plain = counts(TINY)
    for change in (
        {"attention_biases": True},
        {"feed_forward_biases": False},
        {"norm_weights": False},
        {"tied": True},
        {"positions": 5},
    ):
        other = Configuration(**{**TINY.__dict__, **change})
        assert counts(other) != plain
        assert counts_of(encoder_decoder(other)) == counts(other)


X, Y = matrix("X", 5, 4), matrix("Z", 6, 4)
WIDE = [matrix(f"W_{x}", 4, 2) for x in "QKV"]
SMALL = {  # attentions, heads, networks, normalizations, parameters by hand
    "one head": (SingleHead(X, *WIDE), (1, 1, 0, 0), {"attention": 24}),
    "cross-attention": (CrossAttention(X, Y, *WIDE), (1, 1, 0, 0), {"attention": 24}),
    "three heads": (MultiHeadAttention(X, *WIDE, matrix("W_O", 6, 4), heads=3), (1, 3, 0, 0), {"attention": 96}),
    "a family of one": (
        MultiHeadAttention(X, *(w.of_head(head_index("i")) for w in WIDE), matrix("W_O", 2, 4), heads=1),
        (1, 1, 0, 0), {"attention": 32},
    ),
    "four heads in two groups": (
        GroupedQueryAttention(X, *WIDE, matrix("W_O", 8, 4), heads=4, groups=2, bias_K=matrix("b_K", 2, 1)),
        (1, 4, 0, 0), {"attention": 4 * 8 + 2 * 8 + 2 * 8 + 32 + 2 * 2},
    ),
    "a gate": (
        SwiGLU(X, matrix("W_1", 4, 7), matrix("W_2", 7, 4), matrix("W_3", 4, 7)),
        (0, 0, 1, 0), {"feed_forward": 3 * 28},
    ),
    "without weights": (ScaledDotProductAttention(X, Y, Y), (1, 1, 0, 0), {}),
    "additive": (
        AdditiveAttention(X, Y, matrix("V", 6, 3), matrix("W", 4, 7), matrix("U", 4, 7), matrix("w", 7, 1)),
        (1, 1, 0, 0), {"attention": 28 + 28 + 7},
    ),
    "memory": (
        KeyValueMemory(X, matrix("W_1", 4, 7), matrix("b_1", 7, 1), matrix("W_2", 7, 4), matrix("b_2", 4, 1)),
        (0, 0, 1, 0), {"feed_forward": 28 + 7 + 28 + 4},
    ),
    "RMS": (RMSNorm(X, matrix("gamma", 4, 1)), (0, 0, 0, 1), {"norm": 4}),
    "recurrent": (
        RecurrentStep(matrix("h", 1, 3), matrix("x", 1, 4), matrix("W_h", 3, 3), matrix("W_x", 4, 3), matrix("b", 3, 1)),
        (0, 0, 0, 0), {"recurrent": 9 + 12 + 3},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SMALL)
def test_every_operation_with_weights_is_counted(name):
    model, wanted, sizes = SMALL[name]
    found = counts_of(model)
    assert (found.attentions, found.heads, found.feed_forwards, found.norms) == wanted
    for part in ("embedding", "position", "attention", "feed_forward", "norm", "output", "recurrent"):
        assert getattr(found, f"{part}_parameters") == sizes.get(part, 0), part
    assert found.parameters == sum(sizes.values())
    drawn = random_weights(model, arrays=True)
    assert sum(value.size for value in drawn.values()) == found.parameters


def test_operations_with_weights_are_known():
    """Every argument of an operation that is named after a weight has a part of the model."""
    for operation in REGISTRY.values():
        for parameter in operation.parameters if issubclass(operation, Composite) else ():
            if (
                "weight" in parameter.name
                and parameter.name != "weights"
                and operation not in (EncoderLayer, DecoderLayer)
            ):
                assert any(
                    issubclass(operation, kind) and parameter.name.startswith(words) for kind, _, words in _LEARNED
                )


def test_a_weight_of_each_head_needs_the_number_of_heads():
    i = head_index("i")
    with pytest.raises(NotSupported, match="does not say how many"):
        counts_of(SingleHead(X, *(w.of_head(i) for w in WIDE)))
    assert counts_of(SingleHead(X, *(w.of_head(0) for w in WIDE))).parameters == 24


def test_attentions_of_a_decoder_are_told_apart_by_what_they_read():
    """GPT-2 has layers dec1, ..., dec12, none of which reads an encoder."""
    assert "decoder-only model" in counts(GPT2).__doc__
    assert (counts(GPT2).encoder_layers, counts(GPT2).decoder_layers) == (12, 0)
    assert counts(GPT2).attentions == 12


# -- weights ----------------------------------------------------------------------------------------------
def test_weights_come_in_the_order_of_the_layers():
    names = [letter.name for letter in weights_of(encoder_decoder(TINY))]
    assert len(names) == len(set(names)) == 2 + 2 * 12 + 3 * 18
    assert names[0] == "E"
    assert names[-1] == "W_vocab"
    assert [x for x in names if x.startswith("enc1.")] == [
        f"enc1.{x}" for x in ("W_Q", "W_K", "W_V", "W_O", "W_1", "b_1", "W_2", "b_2", "gamma_1", "beta_1", "gamma_2", "beta_2")
    ]  # fmt: skip
    assert "T_src" not in names


def test_numbers_are_drawn_again_as_they_were():
    model = decoder_only(DEMO)
    first, again, other = (random_weights(model, DEMO, seed) for seed in (7, 7, 8))
    assert first == again
    assert first != other
    rng = random.Random(7)
    flat = [Rational(int(17 * rng.random()) - 8, 8) for _ in range(2 * 8 * 4)]
    family = next(iter(first.values()))
    assert [x for member in family for row in member for x in row] == flat
    arrays = random_weights(model, DEMO, 7, arrays=True)
    for letter, rows in first.items():
        assert np.array_equal(np.array(rows, dtype=float), arrays[letter])


def test_initial_values():
    model = encoder(Configuration(layers=1, d_model=64, d_ff=96, heads=4))
    values = {
        letter.name: np.array(x, dtype=float) for letter, x in random_weights(model, seed=2, initial=True).items()
    }
    assert set(values["enc1.gamma_1"].flat) == {1.0}
    assert set(values["enc1.beta_2"].flat) == set(values["enc1.b_1"].flat) == {0.0}
    drawn = np.concatenate([values[f"enc1.{x}"].ravel() for x in ("W_Q", "W_O", "W_1", "W_2")])
    assert abs(drawn.std() - 0.02) < 0.0005
    assert abs(drawn.mean()) < 0.0005
    assert abs(np.mean(np.abs(drawn) < 0.02) - 0.6827) < 0.01
    exact = random_weights(model, seed=2, initial=True)[weights_of(model)[3]]
    assert all(isinstance(x, Rational) and 1_000_000 % x.q == 0 for row in exact for x in row)


def test_the_demo_runs_exactly_and_its_steps_bear_the_layer():
    model = decoder_only(DEMO)
    rows = matrix("X", n, 8)
    values = random_weights(model, DEMO, 3) | {rows: [[Rational(j - 3 * i, 4) for j in range(8)] for i in range(3)]}
    worked = evaluate(derive(model, values=values))
    wanted = layer(
        np.array([[(j - 3 * i) / 4 for j in range(8)] for i in range(3)]), plain_weights(values, "dec1", 2), mask=causal(3)
    )  # fmt: skip
    assert np.allclose(np.array(worked.digits("dec1.H", 20).tolist(), dtype=float), wanted, rtol=1e-12)
    assert worked["dec1.A_1"][0, 2] == 0
