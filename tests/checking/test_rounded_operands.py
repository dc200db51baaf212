"""What a line may give if its decimals are roundings: each moved by half a unit of its last place, added up."""

from fractions import Fraction

import flint
import pytest
from sympy import Rational, S

from symtransformer.checking import read_number
from symtransformer.checking.computing import Computed
from symtransformer.checking.rounded_operands import LITERALS_AT_MOST, Rounded, decimals_in
from symtransformer.errors import NotSupported
from symtransformer.symbols import Literal


def F(text):
    return Fraction(text)


def rows(text):
    """`1 + 2, 3; 4, 5` as a matrix of sums."""
    return [[sum(map(Rational, entry.split("+")), S.Zero) for entry in row.split(",")] for row in text.split(";")]


def side(text, places=3, value=rows):
    def of(text):
        table = value(text)
        return Computed(table[0][0]) if len(table) == len(table[0]) == 1 else Computed(Literal(table))

    return Rounded(text, of, places)


@pytest.mark.parametrize(
    ("text", "places", "found"),
    [
        ("0.516 + 1.5", 3, ["0.516"]),
        ("0.516 + 1.5", 1, ["0.516", "1.5"]),
        ("0.516 + 1.50", 2, ["0.516", "1.50"]),
        ("0.5160", 3, ["0.5160"]),
        ("0.51", 3, []),
        ("516", 1, []),
        ("1.2.3", 1, []),
        (".516", 1, []),
        ("x0.516y", 3, ["0.516"]),
        ("12.345, -0.250", 3, ["12.345", "0.250"]),
        ("", 1, []),
    ],
)
def test_decimals_of_at_least_so_many_places(text, places, found):
    assert [m.group() for m in decimals_in(text, places)] == found


@pytest.mark.parametrize(
    ("text", "places", "base", "spread"),
    [
        ("0.516", 3, [["0.516"]], [["0.0005"]]),
        ("0.516 + 1.5", 3, [["2.016"]], [["0.0005"]]),
        ("0.516 + 1.5", 1, [["2.016"]], [["0.0505"]]),
        ("0.516 + 0.250", 3, [["0.766"]], [["0.001"]]),
        ("0.516, 0.2500", 3, [["0.516", "0.25"]], [["0.0005", "0.00005"]]),
        ("0.516; 2", 3, [["0.516"], ["2"]], [["0.0005"], ["0"]]),
        ("2 + 3", 3, [["5"]], [["0"]]),
    ],
)
def test_how_far_each_entry_moves(text, places, base, spread):
    found = side(text, places)
    assert found.numbers() == [[F(x) for x in row] for row in base]
    assert found.spread() == [[F(x) for x in row] for row in spread]


def test_more_decimals_than_are_moved():
    text = " + ".join(["0.125"] * LITERALS_AT_MOST)
    assert side(text).spread() == [[F("0.0005") * LITERALS_AT_MOST]]
    assert not side(text).has_too_many
    more = f"{text} + 0.125"
    assert side(more).has_too_many
    assert side(more).spread() is None
    assert side(more).balls() is None
    assert not side(more, 4).has_too_many
    assert side(more, 4).spread() == [[0]]


@pytest.mark.parametrize(
    ("text", "claim", "may"),
    [
        ("0.516 + 1", "1.516", True),
        ("0.516 + 1", "1.517", True),  # half a unit of each
        ("0.516 + 1", "1.515", True),
        ("0.516 + 1", "1.518", False),
        ("0.516 + 1", "1.514", False),
        ("0.516 + 0.250", "0.767", True),
        ("0.516 + 0.250", "0.7670", True),
        ("0.516 + 0.250", "0.76700", True),
        ("0.516 + 0.250", "0.76701", False),
        ("0.516 + 0.250", "0.768", False),
        ("0.516 + 0.250", "0.7649", False),
        ("2 + 3", "5.0", True),
        ("2 + 3", "5.1", False),
        ("2 + 3", "5", True),
        ("0.516", "1/2", False),  # a fraction is no rounding
        ("0.516", "∞", False),
    ],
)
def test_what_may_be_a_rounding_of_it(text, claim, may):
    assert side(text).may_give([[read_number(claim)]]) is may


def test_every_entry_has_to_fit():
    claims = [[read_number(x) for x in row] for row in (["0.516", "0.25"],)]
    assert side("0.516, 0.250").may_give(claims)
    assert not side("0.516, 0.270").may_give(claims)
    assert not side("0.536, 0.250").may_give(claims)
    assert not side("0.516").may_give(claims)
    assert not side("0.516; 0.250").may_give(claims)
    assert not side("0.516, 0.250, 1").may_give(claims)


@pytest.mark.parametrize(
    ("one", "other", "may"),
    [
        ("0.516", "0.516", True),
        ("0.516", "0.517", True),
        ("0.516", "0.518", False),
        ("0.516", "0.5165", True),
        ("0.516", "0.51650", True),  # 0.0005 apart, and 0.000505 are left open
        ("0.516", "0.51651", False),
        ("2", "2", True),
        ("2", "3", False),
        ("0.516, 1", "0.517, 1", True),
        ("0.516, 1", "0.517, 2", False),
        ("0.516, 1", "0.517", False),
        ("0.516", "0.517; 1", False),
    ],
)
def test_two_sides_that_may_be_equal(one, other, may):
    assert side(one).may_equal(side(other)) is may
    assert side(other).may_equal(side(one)) is may


def test_balls_hold_all_that_an_entry_may_be():
    ((first, second),) = side("0.516, 2").balls()
    for inside in ("0.5155", "0.516", "0.5165"):
        assert first.contains(flint.arb(flint.fmpq(F(inside).numerator, F(inside).denominator)))
    for outside in ("0.51549", "0.51651"):
        assert not first.contains(flint.arb(flint.fmpq(F(outside).numerator, F(outside).denominator)))
    assert second.contains(2)
    assert not second.contains(flint.arb("2.0001"))


def test_what_has_no_value_is_not_known():
    def refused(text):
        raise NotSupported("of no kind")

    nothing = Rounded("0.516", lambda text: None)
    unreadable = Rounded("0.516", refused)
    infinite = side("0.516", value=lambda text: [[S.Infinity]])
    undefined = side("0.516", value=lambda text: [[S.NaN]])
    other = side("0.516", value=lambda text: [[1, 2]] if text == "0.516" else [[1]])  # moved, it has another size
    only_there = Rounded("0.516", lambda text: Computed(S.One) if text == "0.516" else None)
    for one in (nothing, unreadable, infinite, undefined):
        assert one.numbers() is None
    for one in (nothing, unreadable, infinite, undefined, other, only_there):
        assert one.spread() is None
        assert one.balls() is None
        assert one.may_give([[read_number("0.516")]]) is False
        assert one.may_equal(side("0.516")) is False
        assert side("0.516").may_equal(one) is False
