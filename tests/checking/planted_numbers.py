"""Formulas of plain Python and mpmath at 50 digits: what a writer with a slip computes, without the library."""

import random
from fractions import Fraction

from mpmath import e, inf, mp, mpf

from symtransformer.symbols import Literal

mp.dps = 50


def draw(rng, rows, columns, low=-20, high=20, places=10):
    """A matrix of short decimals, no two of them alike and none of them 0."""
    numbers = rng.sample([k for k in range(low, high) if k], rows * columns)
    return [[Fraction(numbers.pop(), places) for _ in range(columns)] for _ in range(rows)]


def draw_from(rng, rows, columns, choices):
    return [[Fraction(rng.choice(choices)) for _ in range(columns)] for _ in range(rows)]


def literal(rows):
    return Literal(rows)


def real(rows):
    """Fractions as numbers of mpmath; −∞ stays."""
    return [[mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpf(x) for x in row] for row in rows]


def mul(a, b):
    assert len(a[0]) == len(b), "sizes do not fit"
    return [
        [sum((x * y for x, y in zip(row, column, strict=True)), mpf(0)) for column in zip(*b, strict=True)] for row in a
    ]


def t(a):
    return [list(column) for column in zip(*a, strict=True)]


def each(function, *matrices):
    """Entry by entry."""
    return [[function(*entries) for entries in zip(*rows, strict=True)] for rows in zip(*matrices, strict=True)]


def add(a, b):
    return each(lambda x, y: x + y, a, b)


def sub(a, b):
    return each(lambda x, y: x - y, a, b)


def had(a, b):
    return each(lambda x, y: x * y, a, b)


def scale(a, c):
    return each(lambda x: x * c, a)


def rows_of(function, a):
    """A function of each row."""
    return [function(list(row)) for row in a]


def softmax_row(row, base=None):
    base = e if base is None else base
    powers = [mpf(0) if x == -inf else mpf(base) ** x for x in row]
    return [p / sum(powers) for p in powers]


def softmax(a, base=None):
    return [softmax_row(row, base) for row in a]


def total(a):
    return sum(sum(row) for row in a)


def shown(rows, places=4):
    """As somebody prints it: rounded to so many decimals, halves away from 0, by exact decimals of 50 digits."""
    return each(lambda x: round_to(x, places), rows)


def round_to(x, places):
    size = abs(x) * 10**places
    units = int(mp.floor(size + mpf(1) / 2))
    assert abs(size - mp.floor(size) - mpf(1) / 2) > mpf(10) ** -30, "a tie: draw other numbers"
    return Fraction(-units if x < 0 else units, 10**places)


def seeded(name):
    return random.Random(f"slips {name}")
