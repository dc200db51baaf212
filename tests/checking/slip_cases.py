"""What a case of a planted slip is, and how the tests look at a value."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mpmath import mpf
from planted_numbers import literal, real, seeded, shown

from symtransformer.checking.number_words import Note
from symtransformer.errors import SymtransformerError
from symtransformer.evaluation import evaluate
from symtransformer.node import substitute

HALF = Fraction(1, 20_000)


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


def fits_of(planted):
    """Every entry, as it is printed: compared with the value at 30 digits."""
    digits = shown(planted)

    def fits(expression):
        try:
            value = evaluate(expression, digits=30)
        except SymtransformerError:
            return False
        if value.shape != (len(digits), len(digits[0])):
            return False
        for i, row in enumerate(digits):
            for j, claim in enumerate(row):
                x = value[i, j]
                if not x.is_finite:
                    return False
                exact = Fraction(str(x))
                if not abs(exact - claim) < HALF:
                    return False
        return True

    return fits


def names(notes):
    assert all(isinstance(note, Note) for note in notes)
    return [note.name for note in notes]


def right_rows(expression, drawn):
    """What is right, to 40 digits."""
    value = evaluate(substitute(expression, drawn), digits=40)
    return [[mpf(str(x)) for x in row] for row in value.tolist()]
