"""Gradients as formulas in named steps: against central differences, and as a person would write them."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import Integer

from symtransformer import derive, dimension, evaluate, matrix
from symtransformer.errors import NotSupported, ShapeError, UnreadableInput
from symtransformer.gradients import differentiate
from symtransformer.operations import (
    CrossEntropy,
    DecoderLayer,
    Embedding,
    EncoderLayer,
    FeedForward,
    Hadamard,
    InfoNCE,
    LayerNorm,
    MultiHeadAttention,
    RMSNorm,
    RotaryEmbedding,
    ScaledDotProductAttention,
    SingleHead,
    Softmax,
)  # fmt: skip

n, m, d, d_k, d_v, d_ff, h, K_ = (dimension(x) for x in ("n", "m", "d_model", "d_k", "d_v", "d_ff", "h", "K"))
SIZES = {n: 3, m: 4, d: 6, d_k: 2, d_v: 5, d_ff: 7, K_: 4, h: 3}
X, Y = matrix("X", n, d), matrix("Y", m, d)
Q, K, V = matrix("Q", n, d_k), matrix("K", m, d_k), matrix("V", m, d_v)
W_Q, W_K, W_V = matrix("W_Q", d, d_k), matrix("W_K", d, d_k), matrix("W_V", d, d_v)
W_O = matrix("W_O", h * d_v, d)
FFN = [matrix("W_1", d, d_ff), matrix("b_1", d_ff, 1), matrix("W_2", d_ff, d), matrix("b_2", d, 1)]
gamma, beta = matrix("gamma", d, 1), matrix("beta", d, 1)
E, T, ONE_HOT = matrix("E", K_, d), matrix("T", n, K_), matrix("Y_n", n, K_)
CROSS = [matrix("U_Q", d, d_k), matrix("U_K", d, d_k), matrix("U_V", d, d_v), matrix("U_O", h * d_v, d)]
A = matrix("A", n, m)

CASES = {
    "attention": (ScaledDotProductAttention(Q, K, V), "Q,K,V"),
    "head": (SingleHead(X, W_Q, W_K, W_V), None),
    "heads, their number a letter": (MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=h), None),
    "heads over another sequence": (MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=h, memory=Y), None),
    "FFN ReLU": (FeedForward(X, *FFN), None),
    "FFN GELU": (FeedForward(X, *FFN, activation="GELU"), None),
    "FFN GELUTanh": (FeedForward(X, *FFN, activation="GELUTanh"), None),
    "LayerNorm": (LayerNorm(X, gamma, beta), None),
    "RMSNorm": (RMSNorm(X, gamma), None),
    "encoder layer": (EncoderLayer(X, W_Q, W_K, W_V, W_O, *FFN, heads=h), None),
    "encoder layer, norm before": (EncoderLayer(X, W_Q, W_K, W_V, W_O, *FFN, heads=h, norm="pre"), None),
    "cross-entropy": (CrossEntropy(X @ E.T, ONE_HOT, reduction="mean"), "X,E"),
    "tied embedding": (CrossEntropy(Embedding(T, E) @ E.T, ONE_HOT, reduction="sum"), "E"),
    "InfoNCE": (InfoNCE(A, matrix("B", n, m), 2), "A"),
    "rotary": (RotaryEmbedding(matrix("R", n, 4), start=2), None),
    "a step used twice": (derive({"H": Hadamard(A, A), "Z": Hadamard(A, A) + Hadamard(A, A) @ (A.T @ A)}), None),
}


def drawn(letter, rng):
    shape = [int(size.subs(SIZES)) for size in letter.shape]
    if letter.name == "Y_n":
        return np.eye(shape[1])[rng.integers(0, shape[1], shape[0])]
    return rng.normal(size=[SIZES[h], *shape] if letter.head is not None else shape)


def value_of(expression, arrays, families):
    given = {k: list(v) if k in families else v for k, v in arrays.items()}
    return evaluate(expression.xreplace({size: Integer(k) for size, k in SIZES.items()}), given, backend="numpy")


@pytest.mark.parametrize("name", CASES)
def test_a_gradient_agrees_with_central_differences(name):
    subject, wrt = CASES[name]
    gradient = differentiate(subject, wrt)
    steps = gradient.derivation
    forward = steps[gradient.output.name].stands_for
    rng = np.random.default_rng(7)
    letters = {x.name: x for x in derive(forward).inputs if x.name != gradient.output.name}
    arrays = {k: drawn(x, rng) for k, x in sorted(letters.items())}
    families = {k for k, x in letters.items() if x.head is not None}
    value = value_of(forward, arrays, families)
    G = rng.normal(size=value.shape) if value.shape != (1, 1) else np.ones((1, 1))
    seed = {} if value.shape == (1, 1) else {f"d{gradient.output.name}": G}
    for letter in gradient.wrt:
        behind = gradient[letter.name].stands_for
        used = {x.name for x in behind._free if hasattr(x, "family")}
        mine = {k: v for k, v in {**arrays, **seed}.items() if k in used}
        variable = arrays[letter.name]
        for place in [tuple(rng.integers(0, k) for k in variable.shape) for _ in range(4)]:
            member = behind if letter.head is None else behind.xreplace({letter.head: place[0]})
            found = value_of(member, mine, families)[place[-2:]]
            step, kept = 1e-6, variable[place]
            variable[place] = kept + step
            above = np.sum(G * value_of(forward, arrays, families))
            variable[place] = kept - step
            below = np.sum(G * value_of(forward, arrays, families))
            variable[place] = kept
            assert found == pytest.approx((above - below) / (2 * step), rel=2e-5, abs=2e-7), (letter, place)


def test_the_gradients_of_attention_are_those_that_a_person_writes():
    steps = differentiate(ScaledDotProductAttention(Q, K, V)).derivation
    written = {step.name: str(step.expression) for step in steps.steps[3:]}
    assert written == {
        "dA": "dZ V^T",
        "dS": "A ⊙ (dA - broadcast(rowsum(A ⊙ dA), m))",
        "dQ": "dS K / sqrt(d_k)",
        "dK": "dS^T Q / sqrt(d_k)",
        "dV": "A^T dZ",
    }


def test_every_use_of_a_step_counts():
    x = matrix("x", 1, 1)
    gradient = differentiate(
        derive({"H": Hadamard(x, x), "Z": Hadamard(x, x) + Hadamard(Hadamard(x, x), Hadamard(x, x))})
    )
    assert evaluate(gradient["x"].stands_for, {"x": [[3]]})[0, 0] == 4 * 27 + 2 * 3


def test_a_missing_term_is_noticed():
    """The comparison with differences can fail: the row sum of the softmax gradient left out."""
    S = matrix("S", n, m)
    right = differentiate(Softmax(S))["S"].stands_for
    wrong = Hadamard(Softmax(S), matrix("dY", n, m))
    given = {"S": np.arange(12.0).reshape(3, 4), "dY": np.arange(12.0)[::-1].reshape(3, 4) ** 2}
    assert not np.allclose(evaluate(right, given, backend="numpy"), evaluate(wrong, given, backend="numpy"))


def test_what_cannot_be_asked_is_refused():
    with pytest.raises(UnreadableInput, match="the inputs are Q, K, V"):
        differentiate(ScaledDotProductAttention(Q, K, V), "W")
    with pytest.raises(ShapeError, match="must have the size"):
        differentiate(Softmax(A), cotangent=matrix("G", m, n))
    with pytest.raises(NotSupported, match="does not depend"):
        differentiate(derive({"P": A + A, "R": Softmax(Q)}), "A")


def test_decoder_layer_has_a_gradient_for_each_weight_and_the_memory():
    layer = DecoderLayer(X, Y, W_Q, W_K, W_V, W_O, *CROSS, *FFN, heads=h)
    gradient = differentiate(layer)
    assert {letter.name for letter in gradient.wrt} >= {"X", "Y", "W_Q", "U_K", "W_1", "b_2"}
    for letter in gradient.wrt:
        assert gradient[letter.name].letter.shape == letter.shape
