"""Another route to index formulas: plain loops over mpmath numbers, and central differences of plain formulas."""

from __future__ import annotations

import random
from itertools import product

import mpmath
from sympy import Add, Integer, KroneckerDelta, Mul, Pow, S, Sum, exp, tanh

from symtransformer.operation import unfolded
from symtransformer.operations import (
    Addition,
    Broadcast,
    ColumnSum,
    GELUTanh,
    Hadamard,
    LogSumExp,
    Ones,
    Product,
    RMSDivision,
    RootMeanSquare,
    RowSum,
    Scaling,
    Softmax,
    StandardDeviation,
    Standardization,
    Transpose,
)
from symtransformer.symbols import Entry, Letter


def number(formula, sizes, at=None):
    value = S(formula).xreplace({x: Integer(k) for x, k in {**sizes, **(at or {})}.items()})
    return mpmath.mpf(int(value.p)) / int(value.q) if value.is_Rational else mpmath.mpf(str(value.evalf(60)))


def drawn(rows, columns, rng):
    return [[mpmath.mpf(rng.randint(-30, 30)) / 17 for _ in range(columns)] for _ in range(rows)]


def _mean(row):
    return mpmath.fsum(row) / len(row)


def _root(row, eps):
    return mpmath.sqrt(_mean([(x - _mean(row)) ** 2 for x in row]) + eps)


def _rms(row, eps):
    return mpmath.sqrt(_mean([x * x for x in row]) + eps)


def _softmax(row):
    powers = [mpmath.exp(x) for x in row]
    return [p / mpmath.fsum(powers) for p in powers]


def _gelu(x):
    return x / 2 * (1 + mpmath.tanh(mpmath.sqrt(2 / mpmath.pi) * (x + mpmath.mpf("0.044715") * x**3)))


def matrix_of(node, values, sizes):
    """The value of an expression, operation by operation, written down here once more."""
    if isinstance(node, Letter):
        return values[node]
    inner = [matrix_of(a, values, sizes) for a in node._children]
    eps = (
        number(node.args[1], sizes)
        if isinstance(node, (Standardization, StandardDeviation, RMSDivision, RootMeanSquare))
        else 0
    )
    if isinstance(node, Product):
        return [
            [mpmath.fsum(a * b for a, b in zip(row, col, strict=True)) for col in zip(*inner[1], strict=True)]
            for row in inner[0]
        ]
    if isinstance(node, Transpose):
        return [list(row) for row in zip(*inner[0], strict=True)]
    if isinstance(node, Ones):
        rows, columns = (int(number(s, sizes)) for s in node.shape)
        return [[mpmath.mpf(1)] * columns for _ in range(rows)]
    if isinstance(node, Scaling):
        factor = number(node.args[1], sizes) / number(node.args[2], sizes)
        return [[factor * x for x in row] for row in inner[0]]
    if isinstance(node, (Addition, Hadamard)):
        fold = mpmath.fsum if isinstance(node, Addition) else mpmath.fprod
        return [[fold(entries) for entries in zip(*rows, strict=True)] for rows in zip(*inner, strict=True)]
    by_row = {
        Softmax: _softmax,
        LogSumExp: lambda row: [mpmath.log(mpmath.fsum(mpmath.exp(x) for x in row))],
        RowSum: lambda row: [mpmath.fsum(row)],
        Standardization: lambda row: [(x - _mean(row)) / _root(row, eps) for x in row],
        StandardDeviation: lambda row: [_root(row, eps)],
        RMSDivision: lambda row: [x / _rms(row, eps) for x in row],
        RootMeanSquare: lambda row: [_rms(row, eps)],
        GELUTanh: lambda row: [_gelu(x) for x in row],
        Broadcast: lambda row: row * int(number(node.shape[1], sizes)),
    }  # fmt: skip
    if isinstance(node, ColumnSum):
        return [[mpmath.fsum(column)] for column in zip(*inner[0], strict=True)]
    return [by_row[type(node)](row) for row in inner[0]]


def jacobian_by_differences(claim, sizes, seed):
    """Values for all letters, and the gradient of Σ dt t over the uses, by central differences."""
    rng = random.Random(seed)
    letters = {claim.letter}
    for step, definition, cotangent in claim.uses:
        letters |= {x for node in (definition, cotangent) for x in unfolded(node)._free if isinstance(x, Letter)}
        assert step.shape == definition.shape
    values = {x: drawn(*(int(number(s, sizes)) for s in x.shape), rng) for x in sorted(letters, key=str)}

    def loss():
        total = []
        for _, definition, cotangent in claim.uses:
            sides = [matrix_of(unfolded(node), values, sizes) for node in (definition, cotangent)]
            total += [x * y for rows in zip(*sides, strict=True) for x, y in zip(*rows, strict=True)]
        return mpmath.fsum(total)

    step, wanted = mpmath.mpf(10) ** -10, {}
    cells = values[claim.letter]
    for row, column in product(range(len(cells)), range(len(cells[0]))):
        start, found = cells[row][column], []
        for k in (1, -1):
            cells[row][column] = start + k * step
            found.append(loss())
        cells[row][column] = start
        wanted[row, column] = (found[0] - found[1]) / (2 * step)
    return values, wanted


def value_of(formula, values, sizes, at):
    """An index formula by plain loops."""
    if isinstance(formula, Entry):
        place = [int(number(p, sizes, at)) for p in (formula.i, formula.j)]
        return matrix_of(unfolded(formula.parent), values, sizes)[place[0]][place[1]]
    if isinstance(formula, Sum):
        *inner, (letter, low, high) = formula.limits
        body = Sum(formula.function, *inner) if inner else formula.function
        span = range(int(number(low, sizes, at)), int(number(high, sizes, at)) + 1)
        return mpmath.fsum(value_of(body, values, sizes, {**at, letter: k}) for k in span)
    if isinstance(formula, (Add, Mul)):
        parts = [value_of(a, values, sizes, at) for a in formula.args]
        return mpmath.fsum(parts) if isinstance(formula, Add) else mpmath.fprod(parts)
    if isinstance(formula, KroneckerDelta):
        return mpmath.mpf(number(formula.args[0], sizes, at) == number(formula.args[1], sizes, at))
    if isinstance(formula, (exp, tanh)):
        return getattr(mpmath, type(formula).__name__)(value_of(formula.args[0], values, sizes, at))
    if isinstance(formula, Pow):
        return value_of(formula.base, values, sizes, at) ** value_of(formula.exp, values, sizes, at)
    return number(formula, sizes, at)
