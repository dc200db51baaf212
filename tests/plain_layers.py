"""Layers in plain NumPy, as one writes them by hand: a third implementation for the tests to compare with."""

import math

import numpy as np


def layer_norm(x, gain=None, shift=None, eps=1e-5):
    y = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps)
    y = y if gain is None else y * np.ravel(gain)
    return y if shift is None else y + np.ravel(shift)


def attention(q, k, v, mask=0.0):
    s = np.exp(q @ k.T / np.sqrt(q.shape[1]) + mask)
    return s / s.sum(1, keepdims=True) @ v


def multi_head(x, memory, w, mask=0.0):
    """`w` holds W_Q, W_K, W_V with a head axis, W_O, and biases b_Q, ... where there are some."""
    heads = []
    for h in range(len(w["W_Q"])):
        q, k, v = (
            rows @ w[f"W_{name}"][h] + (np.ravel(w[f"b_{name}"][h]) if f"b_{name}" in w else 0)
            for name, rows in (("Q", x), ("K", memory), ("V", memory))
        )
        heads.append(attention(q, k, v, mask))
    return np.hstack(heads) @ w["W_O"] + np.ravel(w.get("b_O", 0))


ACTIVATIONS = {
    "ReLU": lambda x: np.where(x > 0, x, 0),
    "GELU": lambda x: x * (1 + np.vectorize(math.erf)(x / 2**0.5)) / 2,
    "SiLU": lambda x: x / (1 + np.exp(-x)),
    "GELUTanh": lambda x: x * (1 + np.tanh((2 / np.pi) ** 0.5 * (x + 0.044715 * x**3))) / 2,
}


def feed_forward(x, w, activation="ReLU"):
    inner = ACTIVATIONS[activation](x @ w["W_1"] + np.ravel(w.get("b_1", 0)))
    return inner @ w["W_2"] + np.ravel(w.get("b_2", 0))


def layer(x, w, memory=None, mask=0.0, cross_mask=0.0, norm="post", activation="ReLU", eps=1e-5):
    """An encoder layer, or with a memory a decoder layer, whose second attention has the weights of `w["cross"]`."""
    subs = [lambda y: multi_head(y, y, w, mask)]
    if memory is not None:
        subs.append(lambda y: multi_head(y, memory, w["cross"], cross_mask))
    subs.append(lambda y: feed_forward(y, w, activation))
    for k, sub in enumerate(subs, 1):
        gain, shift = w.get(f"gamma_{k}"), w.get(f"beta_{k}")
        x = layer_norm(x + sub(x), gain, shift, eps) if norm == "post" else x + sub(layer_norm(x, gain, shift, eps))
    return x
