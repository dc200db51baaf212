"""Short ways to a verdict on a number."""

import flint
import pytest

from symtransformer.checking import Value, judge_number, number, read_number
from symtransformer.reading import ReadingError


def judged(text, value, **more):
    return judge_number(
        read_number(text), value if isinstance(value, Value) or value is None else number(value), **more
    )


def kind(text, value, **more):
    return judged(text, value, **more).kind


def names(verdict):
    return [note.name for note in verdict.notes]


def refused(text):
    with pytest.raises(ReadingError) as error:
        read_number(text)
    return error.value


def dark(radius):
    """A number that is known no better than that, whatever the precision."""
    return Value(lambda bits: flint.arb(flint.fmpq(1, 8), flint.arb(flint.fmpq(*radius))))
