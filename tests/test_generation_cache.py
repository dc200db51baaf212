"""Keys and values kept from step to step: the same logits as full recomputation, in every step of generation."""

from sympy import Rational

from symtransformer import evaluate
from symtransformer.generation import generate
from symtransformer.operations import (
    CachedAttention,
    CausalMask,
    Embedding,
    Linear,
    Row,
    RowConcatenation,
    ScaledDotProductAttention,
)  # fmt: skip
from symtransformer.symbols import one_hot

START, END = "開始", "終了"
VOCABULARY = ["猫", "は", "眠る", "。", END]
TABLE_E = [[1, 0], [0, 1], [1, 1], [Rational(1, 2), -1], [-1, 1], [1, -1]]
W_Q, W_K, W_V = [[0, 1], [1, 0]], [[1, 0], [Rational(1, 2), 1]], [[2, 0, 1], [0, 4, -1]]
OUT = [[1, 0, -1, Rational(1, 2), 0], [0, 1, 1, 0, -1], [1, -1, 0, 1, Rational(1, 3)]]
IDS = {word: k for k, word in enumerate([START, *VOCABULARY])}


def embedded(tokens):
    return Embedding(one_hot([IDS[t] for t in tokens], 6), TABLE_E)


def recomputed(tokens):
    rows = embedded(tokens)
    return ScaledDotProductAttention(Linear(rows, W_Q), Linear(rows, W_K), Linear(rows, W_V), CausalMask(len(tokens)))


class WithCache:
    """Keys and values of earlier tokens are kept; each call computes one row of each."""

    def __init__(self):
        self.keys = self.values = None
        self.rows = []

    def __call__(self, tokens):
        new = embedded(tokens[-1:])
        query, key, value = Linear(new, W_Q), Linear(new, W_K), Linear(new, W_V)
        if self.keys is None:
            self.keys, self.values = key, value
            self.rows.append(ScaledDotProductAttention(query, key, value))
        else:
            self.rows.append(CachedAttention(query, self.keys, key, self.values, value))
            self.keys, self.values = RowConcatenation(self.keys, key), RowConcatenation(self.values, value)
        return Linear(self.rows[-1], OUT)


def test_a_cache_gives_the_logits_of_full_recomputation_in_every_step():
    cached = WithCache()
    run = generate(cached, [START], VOCABULARY, END, 5)
    full = generate(lambda tokens: Linear(Row(recomputed(tokens), len(tokens) - 1), OUT), [START], VOCABULARY, END, 5)
    assert run.tokens == full.tokens
    assert len(run.steps) == len(cached.rows) >= 3
    for a, b in zip(run.steps, full.steps, strict=True):
        assert evaluate(a.logits, digits=40) == evaluate(b.logits, digits=40)
        assert (a.tokens, a.choice) == (b.tokens, b.choice)


def test_without_the_mask_earlier_rows_would_change():
    """The mask is what makes the cache right: row 1 of unmasked attention depends on what comes later."""

    def first_row(count):
        rows = embedded([START, *VOCABULARY][:count])
        unmasked = ScaledDotProductAttention(Linear(rows, W_Q), Linear(rows, W_K), Linear(rows, W_V))
        return evaluate(Row(unmasked, 0), digits=20)

    assert first_row(2) != first_row(3)


def test_earlier_rows_of_a_causal_model_never_change():
    """Which is why they may be kept: with one token more, the rows before are the same numbers."""
    shorter, longer = (evaluate(recomputed([START, *VOCABULARY[:k]]), digits=30) for k in (2, 3))
    assert longer[:3, :] == shorter
