"""Errors that people make with norms, activations, masks and positions: the checks refuse each of them."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import S
from test_planted_errors import PLANTED_IN, REFUSALS, broken, run_all

import symtransformer.operations as ops
from symtransformer.operation import REGISTRY

H = ops.Hadamard


def _own_frequencies(rows, columns, start, base):
    """2k for j in the exponent, also of the cosines."""
    j = np.arange(columns)
    angles = (start + np.arange(rows)[:, None]) * base ** (-j / columns)
    return np.where(j % 2 == 0, np.sin(angles), np.cos(angles))


SLIPS = {
    "variance divided by d - 1": ("Standardization", {"numpy": staticmethod(
        lambda a, eps: (a - a.mean(-1, keepdims=True)) / np.sqrt(a.var(-1, ddof=1, keepdims=True) + eps))}),
    "eps outside the root": ("Standardization", {"numpy": staticmethod(
        lambda a, eps: (a - a.mean(-1, keepdims=True)) / (a.std(-1, keepdims=True) + eps))}),
    "eps left out": ("Standardization", {"value": lambda s, n, a, eps: ops.Standardization.value(s, n, a, n.scalar(S(0)))}),
    "standardization by columns": ("Standardization", {"numpy": staticmethod(
        lambda a, eps: (a - a.mean(-2, keepdims=True)) / np.sqrt(a.var(-2, keepdims=True) + eps))}),
    "standardization that takes its statistics as constants": ("Standardization", {
        "vjp": lambda s, g: (ops.RowDivision(g, s.stages().whole.args[1]),)}),
    "standardization that forgets the mean of g": ("Standardization", {
        "vjp": lambda s, g: (ops.RowDivision(
            g - H(s, ops.Broadcast(ops.RowSum(H(g, s)) / s.shape[1], s.shape[1])), s.stages().whole.args[1]),)}),
    "root mean square of the deviations": ("RMSDivision", {"numpy": staticmethod(
        lambda a, eps: a / np.sqrt(a.var(-1, keepdims=True) + eps))}),
    "the tanh form for the exact one": ("GELU", {"numpy": staticmethod(ops.GELUTanh.numpy)}),
    "the sigmoid form for the exact one": ("GELU", {"numpy": staticmethod(lambda a: a / (1 + np.exp(-1.702 * a)))}),
    "the slope of GELU without its second term": ("GELU", {
        "vjp": lambda s, g: (H(g, ops.NormalDistribution(s.args[0])),)}),
    "a sigmoid that overflows": ("Sigmoid", {"numpy": staticmethod(lambda a: 1 / (1 + np.exp(-a)))}),
    "a sigmoid in steps of tanh": ("Sigmoid", {"numpy": staticmethod(lambda a: (1 + np.tanh(a)) / 2)}),
    "the hard sigmoid": ("Sigmoid", {"numpy": staticmethod(lambda a: np.clip(a / 6 + 0.5, 0, 1))}),
    "the sigmoid with the slope of tanh": ("Sigmoid", {"vjp": lambda s, g: (H(g, ops.Ones(*s.shape) - H(s, s)),)}),
    "the slope of the sigmoid without its second factor": ("Sigmoid", {"vjp": lambda s, g: (H(g, s),)}),
    "the sigmoid of the other sign": ("Sigmoid", {"value": lambda s, n, a: ops.Sigmoid.value(s, n, [[-x for x in r] for r in a])}),
    "a sigmoid of 1 at −∞": ("Sigmoid", {"value": lambda s, n, a: [
        [n.scalar(S.One) if x is S.NegativeInfinity else ops.Sigmoid.value(s, n, [[x]])[0][0] for x in r] for r in a]}),
    "GELU for SiLU": ("SiLU", {"numpy": staticmethod(lambda a: a / (1 + np.exp(-1.702 * a)))}),
    "the slope of SiLU without its second term": ("SiLU", {"vjp": lambda s, g: (H(g, ops.Sigmoid(s.args[0])),)}),
    "the slope of SiLU with SiLU for x": ("SiLU", {"vjp": lambda s, g: (
        H(g, H(ops.Sigmoid(s.args[0]), ops.Ones(*s.shape) + H(s, ops.Ones(*s.shape) - ops.Sigmoid(s.args[0])))),)}),
    "0.044715 rounded": ("GELUTanh", {"numpy": staticmethod(
        lambda a: a / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (a + 0.0447 * a**3))))}),
    "ReLU that leaks": ("ReLU", {"numpy": staticmethod(lambda a: np.where(a > 0, a, 0.001 * a))}),
    "ReLU whose slope is 1": ("ReLU", {"vjp": lambda s, g: (g,)}),
    "log-sum-exp without the largest taken out": ("LogSumExp", {"numpy": staticmethod(
        lambda a: np.log(np.sum(np.exp(a), axis=-1, keepdims=True)))}),
    "log-sum-exp with a mean": ("LogSumExp", {"value": lambda s, n, a: [
        [n.apply("log", sum((n.exp(x) for x in row), n.scalar(S(0))) / len(row))] for row in a]}),
    "tanh with the slope of tan": ("Tanh", {"vjp": lambda s, g: (H(g, ops.Ones(*s.shape) + H(s, s)),)}),
    "cosine without its minus": ("Cosine", {"vjp": lambda s, g: (H(g, ops.Sine(s.args[0])),)}),
    "logarithm to base 10": ("Logarithm", {"numpy": staticmethod(np.log10)}),
    "a root without the number below it": ("SquareRoot", {"numpy": staticmethod(lambda a, added: np.sqrt(a))}),
    "hardmax without ties": ("Hardmax", {"numpy": staticmethod(
        lambda a: np.where(np.arange(a.shape[-1]) == a.argmax(-1)[..., None], 1.0, 0.1))}),
    "hardmax of the smallest": ("Hardmax", {"numpy": staticmethod(lambda a: ops.Hardmax.numpy(-a))}),
    "a causal mask that hides the token itself": ("CausalMask", {"numpy": staticmethod(
        lambda r, c=None: np.where(np.arange(c or r) - np.arange(r)[:, None] < (c or r) - r, 0.0, -np.inf))}),
    "a causal mask aligned at the top": ("CausalMask", {"value": lambda s, n, r, c=None: [
        [n.scalar(S(0)) if j <= i else S.NegativeInfinity for j in range(c or r)] for i in range(r)]}),
    "padding that hides one too many": ("PaddingMask", {"numpy": staticmethod(lambda r, c, length: ops.PaddingMask.numpy(r, c, length - 1))}),
    "sine and cosine exchanged": ("SinusoidalEncoding", {"numpy": staticmethod(
        lambda r, c, p, b: ops.SinusoidalEncoding.numpy(r, c, p + np.pi / 2, b))}),
    "a frequency of its own for each column": ("SinusoidalEncoding", {"numpy": staticmethod(_own_frequencies)}),
    "positions from 1": ("SinusoidalEncoding", {"value": lambda s, n, r, c, p, b: ops.SinusoidalEncoding.value(s, n, r, c, p + 1, b)}),
    "halves for interleaved": ("RotaryAngles", {"value": lambda s, n, r, c, p, b, pairing: ops.RotaryAngles.value(
        s, n, r, c, p, b, {"halves": "interleaved"}.get(pairing, "halves"))}),
    "a turn the other way": ("PairTurn", {"numpy": staticmethod(lambda a, pairing: -ops.PairTurn.numpy(a, pairing))}),
    "a turn that is its own adjoint": ("PairTurn", {"vjp": lambda s, g: (ops.PairTurn(g, s.args[1]),)}),
    "a rotation the other way": ("RotaryEmbedding", {
        "definition": lambda s: ops.RotaryEmbedding(s.args[0], -s.args[1], *s.args[2:]).definition()}),
    "rows in the wrong order": ("RowConcatenation", {"numpy": staticmethod(lambda *p: np.concatenate(p[::-1], axis=-2))}),
    "rows taken one too early": ("RowSlice", {"vjp": lambda s, g: (ops.RowPad(g, 0, s.args[0].shape[0]),)}),
    "rows put one too late": ("RowPad", {"vjp": lambda s, g: (ops.RowSlice(g, s.args[1] + 1, s.args[0].shape[0]),)}),
    "a quotient turned over": ("EntryDivision", {"numpy": staticmethod(lambda a, b: b / a)}),
    "an identity off by one": ("Identity", {"numpy": staticmethod(lambda n: np.eye(n, k=1))}),
}  # fmt: skip


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_refused(slip):
    name, facets = SLIPS[slip]
    with pytest.raises(REFUSALS):
        run_all(broken(REGISTRY[name], **facets))


def test_how_many_were_planted():
    assert len(SLIPS) == 46
    for name in sorted({name for name, _ in SLIPS.values()} - set(PLANTED_IN)):  # the others are tried there
        run_all(broken(REGISTRY[name]))
