"""What slips make of one operation, in numbers: values of letters, and the entries of what a slip makes."""

from fractions import Fraction

import numpy as np
from slip_cases import Mpmath

from symtransformer import matrix
from symtransformer.checking.slips import SLIPS
from symtransformer.checking.slips.records import put_in
from symtransformer.errors import SymtransformerError
from symtransformer.operation import compute
from symtransformer.symbols import Literal


class Letters:
    """`letters("Q", 3, 2)` is a letter with numbers of its own; `letters["Q"]` are these numbers."""

    def __init__(self, seed):
        self.random, self.known, self.numbers = np.random.default_rng(seed), {}, {}

    def __call__(self, name, rows, columns, low=-20, high=20):
        drawn = self.random.permutation([k for k in range(low, high) if k])[: rows * columns].reshape(rows, columns)
        return self.given(name, [[Fraction(int(k), 10) for k in row] for row in drawn])

    def given(self, name, rows):
        letter = matrix(name, len(rows), len(rows[0]))
        self.known[letter] = Literal([[Fraction(x) for x in row] for row in rows])
        self.numbers[name] = np.array([[float(Fraction(x)) for x in row] for row in rows])
        return letter

    def __getitem__(self, name):
        return self.numbers[name]


def seen(rows):
    """A table as it is compared: its size, and its entries to nine digits; no short decimal is half way."""
    rows = np.atleast_2d(np.array(rows, dtype=float))
    return rows.shape, tuple(round(float(x) + 3e-11, 9) + 0.0 for x in rows.ravel())


def made(name, node, known):
    """All that the slips of this name make of the operation, in numbers; what has no value is left out."""
    found = set()
    for slip in SLIPS:
        for altered in slip.altered(node, known) if slip.name == name else ():
            try:
                found.add(seen(compute(put_in(altered, known), Mpmath(), lambda letter: [])))
            except SymtransformerError:
                continue
    return found


def assert_made(node, known, **expected):
    """By the name of the slip, the tables that a writer with this slip may show, and no others."""
    for name, tables in expected.items():
        assert made(name, node, known) == {seen(table) for table in tables}, name


NOTHING = ()


def softmax(rows):
    powers = np.exp(rows)
    return powers / powers.sum(axis=1, keepdims=True)


def total(rows):
    return rows.sum(axis=1, keepdims=True)


def mean(rows):
    return rows.mean(axis=1, keepdims=True)
