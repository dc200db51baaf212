"""What a side shows: exact numbers, 0/0, decimals that are given and may be roundings, 0.00 for what is not 0."""

from types import SimpleNamespace

import flint
import pytest
from sympy import Rational, S, exp

from symtransformer.checking import UNDEFINED, Value, read_number
from symtransformer.checking.computing import Computed
from symtransformer.checking.numeric import _is_exact, _is_quotient_by_zero, _with_other_reading
from symtransformer.checking.two_expressions import _vanishes, balls_of, is_given_rounding
from symtransformer.reading.sides import Side
from symtransformer.symbols import Literal


def cells(text):
    return tuple(tuple(read_number(x) for x in row.split()) for row in text.split(";"))


def shown(text):
    return SimpleNamespace(shown=None if text is None else cells(text), side=None)


@pytest.mark.parametrize(
    ("text", "exact", "by_zero", "given"),
    [
        (None, False, False, False),
        ("1/2", True, False, False),
        ("1/2 √2", True, False, False),
        ("1/2 0.5", False, False, False),
        ("0.5", False, False, False),
        ("0/0", False, True, False),
        ("undefined", False, False, False),
        ("0.5 0/0", False, True, False),
        ("1; 0/0", False, True, False),
        ("0.107", False, False, True),
        ("0.10", False, False, False),
        ("0.1 0.107", False, False, True),
        ("0.1; 0.1070", False, False, True),
        ("107", False, False, False),
    ],
)
def test_what_numbers_are_shown(text, exact, by_zero, given):
    side = shown(text)
    assert _is_exact(side) is exact
    assert _is_quotient_by_zero(side) is by_zero
    assert is_given_rounding(side) is given
    side.side = "worked out"
    assert is_given_rounding(side) is False


@pytest.mark.parametrize(
    ("text", "value", "vanishes"),
    [
        ("0.00", Rational(1, 300), True), ("0.00", -Rational(1, 300), True), ("0.00", S.Zero, False), ("0.01", Rational(1, 300), False),
        ("0", Rational(1, 300), True), ("0/5", Rational(1, 300), False), ("0.00", exp(-9), True), ("0.00", S.NaN, False),
    ],
)  # fmt: skip
def test_0_for_what_is_not_0(text, value, vanishes):
    assert _vanishes(shown(text), Computed(value)) is vanishes
    assert _vanishes(shown(None), Computed(value)) is False


def test_one_entry_that_vanishes_is_enough():
    table = Computed(Literal([[1, Rational(1, 300)], [2, 3]]))
    assert _vanishes(shown("1.00 0.00; 2.00 3.00"), table) is True
    assert _vanishes(shown("1.00 0.01; 2.00 3.00"), table) is False
    assert _vanishes(shown("1.00 0.01; 2.00 0.00"), table) is True


def test_what_cannot_be_told_apart_from_0_vanishes():
    dark = SimpleNamespace(at=lambda i, j: Value(lambda bits: flint.arb(0, "1e-9")))
    undefined = SimpleNamespace(at=lambda i, j: UNDEFINED)
    assert _vanishes(shown("0.00"), dark) is True
    assert _vanishes(shown("0.00"), undefined) is False


def test_the_other_reading_takes_the_place_of_the_first():
    one, other = Side("p", S.One), Side("p", S.One, other=S.Half)
    first, second = _with_other_reading(one, other)
    assert first is one
    assert (second.value, second.other) == (S.Half, None)


def test_balls_of_what_is_given_and_of_what_is_known():
    table = Computed(Literal([[1, 2], [3, 4]]))
    without = SimpleNamespace(range_of=lambda side: None)
    assert [[balls_of(without, None, table)(i, j) for j in (0, 1)] for i in (0, 1)] == [[1, 2], [3, 4]]
    assert balls_of(without, None, Computed(S.Half))(1, 1) == flint.arb("0.5")  # one number for every entry
    places = SimpleNamespace(range_of=lambda side: lambda i, j: lambda bits: (i, j, bits))
    assert balls_of(places, None, table)(1, 0) == (1, 0, 64)
    assert balls_of(places, None, Computed(S.Half))(1, 1) == (0, 0, 64)
