"""What a case of a planted slip is, and how the tests look at a value."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath
from mpmath import mpf
from planted_numbers import literal, real, seeded, shown
from sympy import S

from symtransformer.checking.number_words import Note
from symtransformer.errors import NotSupported, SymtransformerError
from symtransformer.evaluation import evaluate
from symtransformer.node import substitute
from symtransformer.operation import compute

HALF = mpf(1) / 20_000


@dataclass(frozen=True)
class Case:
    """`build()` gives the expression, `draw(rng)` its numbers by letter, `planted(numbers)` what the slip gives."""

    slip: str
    build: Callable[[], Any]
    draw: Callable[[Any], dict[Any, Any]]
    planted: Callable[..., Any]

    def numbers(self, seed=0):
        return self.draw(seeded(f"{self.slip} {seed}"))


def numbers_by_name(drawn):
    return {letter.name: real(rows) for letter, rows in drawn.items()}


def literals(drawn):
    return {letter: literal(rows) for letter, rows in drawn.items()}


class Mpmath:
    """Numbers of mpmath as the number type of a walk over an expression."""

    def scalar(self, x):
        if x in (S.Infinity, S.NegativeInfinity):
            return x
        return mpf(x.p) / x.q if x.is_Rational else x._to_mpmath(200)

    def exp(self, x):
        return mpmath.exp(x)

    def divide(self, x, y):
        return x / self.nonzero(y)

    def nonzero(self, y):
        if abs(y) < mpf(10) ** -40:
            raise NotSupported("a division by 0")
        return y

    def apply(self, name, x):
        if name in ("log", "sqrt") and x < 0:
            raise NotSupported("of a negative number")
        return getattr(mpmath, name)(self.nonzero(x) if name == "log" else x)

    def sign(self, x):
        return 0 if abs(x) < mpf(10) ** -40 else 1 if x > 0 else -1

    def relu(self, x):
        return max(x, mpf(0))

    def step(self, x):
        return mpf(x > 0)

    def shares(self, row):
        top = [abs(x - max(row)) < mpf(10) ** -40 for x in row]
        return [mpf(largest) / sum(top) for largest in top]

    def power(self, x, exponent):
        return x ** self.scalar(exponent)

    def normal(self, x):
        return (1 + mpmath.erf(x / mpmath.sqrt(2))) / 2

    def half_tanh(self, x):
        return (1 + mpmath.tanh(x)) / 2

    def check(self, rows):
        pass


def fits_of(planted):
    """Every entry of an expression, worked out with 50 digits, rounds to what is printed."""
    digits = shown(planted)

    def fits(expression):
        try:
            rows = compute(expression, Mpmath(), lambda letter: [])
        except SymtransformerError:
            return False
        if (len(rows), len(rows[0])) != (len(digits), len(digits[0])):
            return False
        pairs = [
            (x, claim) for row, claims in zip(rows, digits, strict=True) for x, claim in zip(row, claims, strict=True)
        ]
        return all(isinstance(x, mpf) and abs(x - mpf(c.numerator) / c.denominator) < HALF for x, c in pairs)

    return fits


def names(notes):
    assert all(isinstance(note, Note) for note in notes)
    return [note.name for note in notes]


def right_rows(expression, drawn):
    """What is right, to 40 digits."""
    value = evaluate(substitute(expression, drawn), digits=40)
    return [[mpf(str(x)) for x in row] for row in value.tolist()]
