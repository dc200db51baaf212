"""Normalization, attention of several heads, and whole layers, written once more over mpmath numbers.

As in `facet_references`, nothing is shared with the library: rows are lists, a family of heads is
a list of matrices, what is left out is None.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mpmath import mp

Matrix = list[list[Any]]
Optional = Matrix | None


def _times(rows: Matrix, weight: Matrix, bias: Optional = None) -> Matrix:
    made = []
    for row in rows:
        made.append([mp.mpf(0) if bias is None else bias[j][0] for j in range(len(weight[0]))])
        for x, weights in zip(row, weight, strict=True):
            made[-1] = [y + x * w for y, w in zip(made[-1], weights, strict=True)]
    return made


def _plus(a: Matrix, b: Matrix) -> Matrix:
    return [[x + y for x, y in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]


def _layer_norm(rows: Matrix, gain: Optional, shift: Optional, eps: Any) -> Matrix:
    made = []
    for row in rows:
        count, mean = len(row), mp.fsum(row) / len(row)
        # the variance from all pairs, not as the library has it
        spread = mp.sqrt(mp.fsum((x - y) ** 2 for x in row for y in row) / (2 * count**2) + eps)
        made.append([(x - mean) / spread for x in row])
    return _by_column(made, gain, shift)


def _rms_norm(rows: Matrix, gain: Optional, eps: Any) -> Matrix:
    made = [[x / mp.sqrt(mp.fdot(row, row) / len(row) + eps) for x in row] for row in rows]
    return _by_column(made, gain, None)


def _by_column(rows: Matrix, gain: Optional, shift: Optional) -> Matrix:
    def one(x: Any, j: int) -> Any:
        return x * (1 if gain is None else gain[j][0]) + (0 if shift is None else shift[j][0])

    return [[one(x, j) for j, x in enumerate(row)] for row in rows]


def _add_norm(residual: Matrix, update: Matrix, gain: Optional, shift: Optional, eps: Any) -> Matrix:
    return _layer_norm(_plus(residual, update), gain, shift, eps)


_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "ReLU": lambda x: x if x > 0 else mp.mpf(0),
    "GELU": lambda x: x * mp.erfc(-x / mp.sqrt(2)) / 2,
    "SiLU": lambda x: x * mp.exp(x / 2) / (2 * mp.cosh(x / 2)),
    "GELUTanh": lambda x: x / (1 + mp.exp(-2 * mp.sqrt(2 / mp.pi) * (x + mp.mpf(44715) / 10**6 * x**3))),
}


def _feed_forward(x: Matrix, w1: Matrix, b1: Optional, w2: Matrix, b2: Optional, activation: str) -> Matrix:
    return _times([[_FUNCTIONS[activation](p) for p in row] for row in _times(x, w1, b1)], w2, b2)


def _gated(
    x: Matrix, w1: Matrix, w2: Matrix, w3: Matrix, b1: Optional = None, b2: Optional = None, b3: Optional = None
) -> Matrix:
    gates, others = _times(x, w1, b1), _times(x, w3, b3)
    inner = [[a * u / (1 + mp.exp(-a)) for a, u in zip(r, s, strict=True)] for r, s in zip(gates, others, strict=True)]
    return _times(inner, w2, b2)


def _one_head(queries: Matrix, keys: Matrix, values: Matrix, mask: Optional) -> Matrix:
    made = []
    for i, q in enumerate(queries):
        scores = [mp.fdot(q, k) / mp.sqrt(len(q)) + (0 if mask is None else mask[i][j]) for j, k in enumerate(keys)]
        weights = [mp.exp(s - max(scores)) for s in scores]
        total = mp.fsum(weights)
        made.append([mp.fdot(weights, column) / total for column in zip(*values, strict=True)])
    return made


def _multi_head(
    x: Matrix, wq: Any, wk: Any, wv: Any, wo: Matrix, heads: int, memory: Optional = None, mask: Optional = None,
    bq: Any = None, bk: Any = None, bv: Any = None, bo: Optional = None,
) -> Matrix:  # fmt: skip
    other, sides = x if memory is None else memory, []
    for h in range(heads):
        q = _times(x, wq[h], bq and bq[h])
        k = _times(other, wk[h], bk and bk[h])
        v = _times(other, wv[h], bv and bv[h])
        sides.append(_one_head(q, k, v, mask))
    return _times([[y for side in sides for y in side[i]] for i in range(len(x))], wo, bo)


def _grouped(
    x: Matrix, wq: Any, wk: Any, wv: Any, wo: Matrix, heads: int, groups: int, memory: Optional = None,
    mask: Optional = None, bq: Any = None, bk: Any = None, bv: Any = None, bo: Optional = None,
) -> Matrix:  # fmt: skip
    other, sides, h = x if memory is None else memory, [], 0
    for g in range(groups):  # group by group, heads counted as they come
        k, v = _times(other, wk[g], bk and bk[g]), _times(other, wv[g], bv and bv[g])
        for _ in range(heads // groups):
            sides.append(_one_head(_times(x, wq[h], bq and bq[h]), k, v, mask))
            h += 1
    return _times([[y for side in sides for y in side[i]] for i in range(len(x))], wo, bo)


def _cross(x: Matrix, memory: Matrix, wq: Matrix, wk: Matrix, wv: Matrix, mask: Optional = None) -> Matrix:
    return _one_head(_times(x, wq), _times(memory, wk), _times(memory, wv), mask)


def _stacked(
    x: Matrix, norm: str, parts: list[tuple[Callable[[Matrix], Matrix], Optional, Optional]], eps: Any
) -> Matrix:
    """x through sub-layers, each with its residual connection, its gain and its shift."""
    for sub_layer, gain, shift in parts:
        if norm == "post":
            x = _layer_norm(_plus(sub_layer(x), x), gain, shift, eps)
        else:
            x = _plus(sub_layer(_layer_norm(x, gain, shift, eps)), x)
    return x


def _encoder_layer(
    x: Matrix, wq: Any, wk: Any, wv: Any, wo: Matrix, w1: Matrix, b1: Optional, w2: Matrix, b2: Optional,
    g1: Optional, s1: Optional, g2: Optional, s2: Optional, heads: int, eps: Any, activation: str, norm: str,
    mask: Optional = None, label: Any = None, *biases: Any,
) -> Matrix:  # fmt: skip
    def attention(rows: Matrix) -> Matrix:
        return _multi_head(rows, wq, wk, wv, wo, heads, None, mask, *biases)

    network = _network(w1, b1, w2, b2, activation)
    return _stacked(x, norm, [(attention, g1, s1), (network, g2, s2)], eps)


def _decoder_layer(
    x: Matrix, memory: Matrix, wq: Any, wk: Any, wv: Any, wo: Matrix, uq: Any, uk: Any, uv: Any, uo: Matrix,
    w1: Matrix, b1: Optional, w2: Matrix, b2: Optional,
    g1: Optional, s1: Optional, g2: Optional, s2: Optional, g3: Optional, s3: Optional,
    heads: int, eps: Any, activation: str, norm: str,
    mask: Optional = None, cross_mask: Optional = None, label: Any = None, *biases: Any,
) -> Matrix:  # fmt: skip
    own = [*biases[:4], None, None, None, None][:4]
    cross = [*biases[4:], None, None, None, None][:4]

    def attention(rows: Matrix) -> Matrix:
        return _multi_head(rows, wq, wk, wv, wo, heads, None, mask, *own)

    def attention_to_memory(rows: Matrix) -> Matrix:
        return _multi_head(rows, uq, uk, uv, uo, heads, memory, cross_mask, *cross)

    network = _network(w1, b1, w2, b2, activation)
    return _stacked(x, norm, [(attention, g1, s1), (attention_to_memory, g2, s2), (network, g3, s3)], eps)


def _network(w1: Matrix, b1: Optional, w2: Matrix, b2: Optional, activation: str) -> Callable[[Matrix], Matrix]:
    return lambda rows: _feed_forward(rows, w1, b1, w2, b2, activation)


REFERENCES: dict[str, Callable[..., Matrix]] = {
    "AddNorm": _add_norm,
    "CrossAttention": _cross,
    "DecoderLayer": _decoder_layer,
    "EncoderLayer": _encoder_layer,
    "FeedForward": _feed_forward,
    "GroupedQueryAttention": _grouped,
    "LayerNorm": _layer_norm,
    "MultiHeadAttention": _multi_head,
    "RMSNorm": _rms_norm,
    "SwiGLU": _gated,
}

# n = 2 rows of d = 5, a memory of m = 4 rows, h = 3 heads with d_k = 4 and d_v = 2, d_ff = 3.
_HEADS = ((5, 4), (5, 4), (5, 2), (6, 5))
_NETWORK, _COLUMN = ((5, 3), (3, 1), (3, 5), (5, 1)), (5, 1)
_BIASES = ((4, 1), (4, 1), (2, 1), (5, 1))
HINTS: dict[str, tuple[Any, ...]] = {
    "AddNorm": ((2, 5), (2, 5), _COLUMN, _COLUMN, None),
    "CrossAttention": ((2, 3), (4, 3), (3, 2), (3, 2), (3, 1), (2, 4)),
    "EncoderLayer": (
        (2, 5), *_HEADS, *_NETWORK, *[_COLUMN] * 4, None, 3, None, None, None, (2, 2), None, *_BIASES,
    ),
    "DecoderLayer": (
        (2, 5), (4, 5), *_HEADS, *_HEADS, *_NETWORK, *[_COLUMN] * 6, None, 3, None, None, None,
        (2, 2), (2, 4), None, *_BIASES, *_BIASES,
    ),
    "FeedForward": ((2, 5), *_NETWORK, None),
    "GroupedQueryAttention": (
        (2, 5), (5, 4), (5, 4), (5, 2), (12, 5), None, 6, 3, (4, 5), (2, 4), *_BIASES,
    ),
    "LayerNorm": ((2, 5), _COLUMN, _COLUMN, None),
    "MultiHeadAttention": ((2, 5), *_HEADS, None, 3, (4, 5), (2, 4), *_BIASES),
    "RMSNorm": ((2, 5), _COLUMN, None),
    "SwiGLU": ((2, 5), (5, 3), (3, 5), (5, 3), (3, 1), (5, 1), (3, 1)),
}  # fmt: skip
# Too deep for an entry formula down to the letters; of the two layers also for exact random numbers in a short time.
TOO_LONG = {
    ("GroupedQueryAttention", "check_element"),
    ("MultiHeadAttention", "check_element"),
    *((name, check) for name in ("DecoderLayer", "EncoderLayer") for check in ("check_element", "check_exact_value")),
}
