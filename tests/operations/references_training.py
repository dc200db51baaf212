"""What stands before and behind the layers, written once more over mpmath numbers, with its sizes for the tests.

As in `facet_references`, nothing is shared with the library: rows are lists.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mpmath import mp
from sympy import Rational

Matrix = list[list[Any]]


def _dot(a: Any, b: Any) -> Any:
    return mp.fsum(x * y for x, y in zip(a, b, strict=True))


def _column(a: Matrix, j: int) -> list[Any]:
    return [row[j] for row in a]


def _looked_up(tokens: Matrix, table: Matrix, scaled: str) -> Matrix:
    factor = mp.sqrt(len(table[0])) if scaled == "yes" else 1
    return [[factor * _dot(t, _column(table, j)) for j in range(len(table[0]))] for t in tokens]


def _positioned(tokens: Matrix, table: Matrix, positions: Matrix, scaled: str) -> Matrix:
    rows = _looked_up(tokens, table, scaled)
    return [[x + y for x, y in zip(a, b, strict=True)] for a, b in zip(rows, positions, strict=True)]


def _at_temperature(row: list[Any], temperature: Any) -> list[Any]:
    return [1 / mp.fsum(mp.exp((y - x) / temperature) for y in row) for x in row]


def _cross_entropy(logits: Matrix, targets: Matrix, reduction: str) -> Matrix:
    # from probabilities, as the library does not
    losses = [
        -mp.fsum(y * mp.log(p) for y, p in zip(t, _at_temperature(row, 1), strict=True))
        for row, t in zip(logits, targets, strict=True)
    ]
    if reduction == "none":
        return [[x] for x in losses]
    return [[mp.fsum(losses) / (len(losses) if reduction == "mean" else 1)]]


def _smoothed(targets: Matrix, epsilon: Any, spread: str) -> Matrix:
    k = len(targets[0])

    def one(y: Any) -> Any:
        if spread == "all":
            return y - epsilon * y + epsilon / k
        return y - epsilon * y + epsilon * (1 - y) / (k - 1)

    return [[one(y) for y in row] for row in targets]


def _info_nce(similarities: Matrix, positives: Matrix, temperature: Any, reduction: str) -> Matrix:
    return _cross_entropy([[x / temperature for x in row] for row in similarities], positives, reduction)


def _cosines(a: Matrix, b: Matrix) -> Matrix:
    return [[_dot(x, y) / mp.sqrt(_dot(x, x) * _dot(y, y)) for y in b] for x in a]


def _dropout(a: Matrix, kept: Matrix, rate: Any) -> Matrix:
    return [[x * d / (1 - rate) for x, d in zip(r, s, strict=True)] for r, s in zip(a, kept, strict=True)]


def _descended(a: Matrix, slope: Matrix, rate: Any) -> Matrix:
    return [[x - rate * g for x, g in zip(r, s, strict=True)] for r, s in zip(a, slope, strict=True)]


def _additive_scores(queries: Matrix, keys: Matrix, w: Matrix, u: Matrix, v: Matrix) -> Matrix:
    def score(q: list[Any], k: list[Any]) -> Any:
        hidden = [mp.tanh(_dot(q, _column(w, a)) + _dot(k, _column(u, a))) for a in range(len(v))]
        return _dot(hidden, _column(v, 0))

    return [[score(q, k) for k in keys] for q in queries]


def _additive_attention(queries: Matrix, keys: Matrix, values: Matrix, *weights: Matrix) -> Matrix:
    shares = [_at_temperature(row, 1) for row in _additive_scores(queries, keys, *weights)]
    return [[_dot(row, _column(values, j)) for j in range(len(values[0]))] for row in shares]


def _cached(query: Matrix, keys: Matrix, key: Matrix, values: Matrix, value: Matrix) -> Matrix:
    every, width = [*values, *value], len(key[0])
    shares = _at_temperature([_dot(query[0], k) for k in [*keys, *key]], mp.sqrt(width))
    return [[_dot(shares, _column(every, j)) for j in range(len(value[0]))]]


def _recurrent(state: Matrix, rows: Matrix, w_h: Matrix, w_x: Matrix, bias: Matrix | None = None) -> Matrix:
    def one(h: list[Any], x: list[Any], j: int) -> Any:
        return mp.tanh(_dot(h, _column(w_h, j)) + _dot(x, _column(w_x, j)) + (bias[j][0] if bias else 0))

    return [[one(h, x, j) for j in range(len(w_h[0]))] for h, x in zip(state, rows, strict=True)]


def _memory(rows: Matrix, w_1: Matrix, b_1: Any, w_2: Matrix, b_2: Any, activation: str) -> Matrix:
    bend = {
        "ReLU": lambda x: max(x, mp.mpf(0)),
        "GELU": lambda x: x * mp.ncdf(x),
        "SiLU": lambda x: x / (1 + mp.exp(-x)),
        "GELUTanh": lambda x: x / 2 * (1 + mp.tanh(mp.sqrt(2 / mp.pi) * (x + mp.mpf("0.044715") * x**3))),
    }[activation]
    found = []
    for x in rows:
        total = [b[0] for b in b_2] if b_2 else [mp.mpf(0)] * len(w_2[0])
        for unit, value in enumerate(w_2):
            share = bend(_dot(x, _column(w_1, unit)) + (b_1[unit][0] if b_1 else 0))
            total = [t + share * v for t, v in zip(total, value, strict=True)]
        found.append(total)
    return found


REFERENCES: dict[str, Callable[..., Matrix]] = {
    "AdditiveAttention": _additive_attention,
    "AdditiveScores": _additive_scores,
    "CachedAttention": _cached,
    "CosineSimilarity": _cosines,
    "CrossEntropy": _cross_entropy,
    "Dropout": _dropout,
    "Embedding": _looked_up,
    "GradientStep": _descended,
    "InfoNCE": _info_nce,
    "KeyValueMemory": _memory,
    "PositionedEmbedding": _positioned,
    "RecurrentStep": _recurrent,
    "RightShift": lambda rows, start: [*start, *rows[:-1]],
    "SmoothedTargets": _smoothed,
    "TemperatureSoftmax": lambda logits, temperature: [_at_temperature(row, temperature) for row in logits],
}
HINTS: dict[str, tuple[Any, ...]] = {
    "AdditiveAttention": ((2, 3), (4, 1), (4, 3), (3, 5), (1, 5), (5, 1)),
    "AdditiveScores": ((2, 3), (4, 1), (3, 5), (1, 5), (5, 1)),
    "CachedAttention": ((1, 3), (4, 3), (1, 3), (4, 5), (1, 5)),
    "CosineSimilarity": ((2, 3), (4, 3)),
    "CrossEntropy": ((2, 3), (2, 3), None),
    "Dropout": ((2, 3), (2, 3), Rational(2, 7)),
    "Embedding": ((2, 3), (3, 4), None),
    "InfoNCE": ((2, 3), (2, 3), None, None),
    "KeyValueMemory": ((2, 3), (3, 4), (4, 1), (4, 5), (5, 1), None),
    "PositionedEmbedding": ((2, 3), (3, 4), (2, 4), None),
    "RecurrentStep": ((2, 3), (2, 4), (3, 3), (4, 3), (3, 1)),
    "RightShift": ((4, 3), (1, 3)),
    "SmoothedTargets": ((2, 3), Rational(2, 7), None),
}
SQUARE = {("CrossEntropy", 2), ("CrossEntropy", 3), ("InfoNCE", 3), ("InfoNCE", 4)}
