"""What every operation means, written once more in plain Python over mpmath numbers.

Nothing here is shared with the library: rows are lists, indices are written out. A family of
heads is a list of matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import references_layers
import references_positions
import references_training
from mpmath import mp

Matrix = list[list[Any]]


def _table(rows: int, cols: int, entry: Callable[[int, int], Any]) -> Matrix:
    return [[entry(i, j) for j in range(cols)] for i in range(rows)]


def _product(a: Matrix, b: Matrix) -> Matrix:
    return _table(len(a), len(b[0]), lambda i, j: mp.fsum(a[i][k] * b[k][j] for k in range(len(b))))


def _softmax(s: Matrix) -> Matrix:
    # written as 1 / Σ e^(difference), not as the library writes it
    return _table(len(s), len(s[0]), lambda i, j: 1 / mp.fsum(mp.exp(x - s[i][j]) for x in s[i]))


def _linear(x: Matrix, w: Matrix, b: Matrix | None = None) -> Matrix:
    y = _product(x, w)
    return y if b is None else _table(len(y), len(y[0]), lambda i, j: y[i][j] + b[j][0])


def _attention(q: Matrix, k: Matrix, v: Matrix, mask: Matrix | None = None) -> Matrix:
    root = mp.sqrt(len(q[0]))

    def score(i: int, j: int) -> Any:
        marked = mp.mpf(0) if mask is None else mask[i][j]
        return mp.fsum(a * b for a, b in zip(q[i], k[j], strict=True)) / root + marked

    return _product(_softmax(_table(len(q), len(k), score)), v)


def _single_head(x: Matrix, wq: Matrix, wk: Matrix, wv: Matrix, mask: Matrix | None = None) -> Matrix:
    return _attention(_product(x, wq), _product(x, wk), _product(x, wv), mask)


def _concatenation(*parts: Matrix) -> Matrix:
    return [[x for part in parts for x in part[i]] for i in range(len(parts[0]))]


def _column_pad(block: Matrix, start: int, columns: int) -> Matrix:
    def entry(i: int, j: int) -> Any:
        return block[i][j - start] if start <= j < start + len(block[0]) else mp.mpf(0)

    return _table(len(block), columns, entry)


def _each(function: Callable[[Any], Any]) -> Callable[..., Matrix]:
    """The function on every entry."""
    return lambda a: _table(len(a), len(a[0]), lambda i, j: function(a[i][j]))


def _gelu_tanh(x: Any) -> Any:
    return x / 2 * (1 + mp.tanh(mp.sqrt(2 / mp.pi) * (x + mp.mpf("0.044715") * x**3)))


def _row_wise(function: Callable[[list[Any]], list[Any]]) -> Callable[[Matrix], Matrix]:
    return lambda a: [function(row) for row in a]


def _standardization(a: Matrix, eps: Any) -> Matrix:
    # the variance as mean of squares less square of mean, not as the library has it
    def row(x: list[Any]) -> list[Any]:
        mean = mp.fsum(x) / len(x)
        spread = mp.sqrt(mp.fsum(y**2 for y in x) / len(x) - mean**2 + eps)
        return [(y - mean) / spread for y in x]

    return _row_wise(row)(a)


def _rms_division(a: Matrix, eps: Any) -> Matrix:
    return _row_wise(lambda x: [y / mp.sqrt(mp.fdot(x, x) / len(x) + eps) for y in x])(a)


REFERENCES: dict[str, Callable[..., Matrix]] = {
    **references_layers.REFERENCES,
    **references_positions.REFERENCES,
    **references_training.REFERENCES,
    "Addition": lambda *m: _table(len(m[0]), len(m[0][0]), lambda i, j: mp.fsum(a[i][j] for a in m)),
    "Broadcast": lambda c, columns: _table(len(c), columns, lambda i, j: c[i][0]),
    "ColumnPad": _column_pad,
    "ColumnSlice": lambda a, start, width: _table(len(a), width, lambda i, j: a[i][start + j]),
    "Concatenation": _concatenation,
    "Cosine": _each(mp.cos),
    "ColumnSum": lambda a: _table(len(a[0]), 1, lambda i, j: mp.fsum(row[i] for row in a)),
    "EntryDivision": lambda a, b: _table(len(a), len(a[0]), lambda i, j: a[i][j] / b[i][j]),
    "Exponential": lambda a: _table(len(a), len(a[0]), lambda i, j: mp.exp(a[i][j])),
    "GELU": _each(lambda x: x * mp.ncdf(x)),
    "GELUTanh": _each(_gelu_tanh),
    "Hadamard": lambda a, b: _table(len(a), len(a[0]), lambda i, j: a[i][j] * b[i][j]),
    "HeadConcatenation": lambda bodies, count: _concatenation(*(bodies[h] for h in range(count))),
    "HeadSum": lambda bodies, count: _table(
        len(bodies[0]), len(bodies[0][0]), lambda i, j: mp.fsum(bodies[h][i][j] for h in range(count))
    ),
    "Identity": lambda n: _table(n, n, lambda i, j: mp.mpf(i == j)),
    "Linear": _linear,
    "LogSumExp": lambda a: _table(len(a), 1, lambda i, j: a[i][0] + mp.log(mp.fsum(mp.exp(x - a[i][0]) for x in a[i]))),
    "Logarithm": _each(mp.log),
    "Mask": lambda s, m: _table(len(s), len(s[0]), lambda i, j: s[i][j] + m[i][j]),
    "NormalDensity": _each(mp.npdf),
    "NormalDistribution": _each(mp.ncdf),
    "Ones": lambda rows, columns: _table(rows, columns, lambda i, j: mp.mpf(1)),
    "Product": _product,
    "RMSDivision": _rms_division,
    "RootMeanSquare": lambda a, eps: _table(len(a), 1, lambda i, j: mp.sqrt(mp.fdot(a[i], a[i]) / len(a[i]) + eps)),
    "RowMean": lambda a: _table(len(a), 1, lambda i, j: mp.fsum(a[i]) / len(a[i])),
    "StandardDeviation": lambda a, eps: _table(
        len(a), 1, lambda i, j: mp.sqrt(mp.fdot(a[i], a[i]) / len(a[i]) - (mp.fsum(a[i]) / len(a[i])) ** 2 + eps)
    ),
    "ReLU": _each(lambda x: (x + abs(x)) / 2),
    "Row": lambda a, index: _table(1, len(a[0]), lambda i, j: a[index][j]),
    "RowDivision": lambda a, c: _table(len(a), len(a[0]), lambda i, j: a[i][j] / c[i][0]),
    "RowSum": lambda a: _table(len(a), 1, lambda i, j: mp.fsum(a[i])),
    "ScaledDotProductAttention": _attention,
    "Scaling": lambda a, factor, divisor: _table(len(a), len(a[0]), lambda i, j: factor * a[i][j] / divisor),
    "SiLU": _each(lambda x: x / 2 + x * mp.tanh(x / 2) / 2),
    "Sigmoid": _each(lambda x: (1 + mp.tanh(x / 2)) / 2),
    "Sine": _each(mp.sin),
    "SingleHead": _single_head,
    "Softmax": _softmax,
    "SquareRoot": lambda a, added: _table(len(a), len(a[0]), lambda i, j: mp.sqrt(a[i][j] + added)),
    "Standardization": _standardization,
    "Heaviside": _each(lambda x: mp.mpf(x > 0)),
    "Tanh": _each(mp.tanh),
    "Transpose": lambda a: _table(len(a[0]), len(a), lambda i, j: a[j][i]),
}


def as_mp(value: Any) -> Any:
    """Rationals, nested as they come, as mpmath numbers; sizes stay whole numbers, words words."""
    if isinstance(value, list):
        return [as_mp(x) for x in value]
    return value if value is None or isinstance(value, (int, str)) else mp.mpf(int(value.p)) / int(value.q)
