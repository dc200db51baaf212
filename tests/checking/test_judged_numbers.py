"""A claimed number beside a value, what its line's own numbers give, and what roundings excuse: each branch of the verdict."""

from fractions import Fraction

import flint
import pytest
from sympy import E, Rational, S, pi, sqrt

from symtransformer.checking import judge_number, number, read_number
from symtransformer.checking.values import UNDEFINED, Value
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.reading.problems import ReadingError

RIGHT, WRONG, LAST, FOLLOWS, ROUNDED, OPEN = (
    "right",
    "wrong",
    "last_place",
    "follows",
    "right_if_rounded",
    "undecidable",
)
THIRD = number(Rational(1, 3))


def judged(text, value, **more):
    return judge_number(
        read_number(text), value if value is None or isinstance(value, Value) else number(value), **more
    )


@pytest.mark.parametrize(
    ("text", "value", "relation", "kind"),
    [
        ("5", 4, "=", LAST), ("6", 4, "=", WRONG), ("4", 4, "=", RIGHT), ("100", 144, "=", WRONG), ("1", Rational(3, 4), "=", LAST), ("1", Rational(3, 4), "≈", RIGHT), ("1", Rational(99999, 100000), "=", RIGHT), ("1", Rational(199, 200), "=", LAST), ("1", Rational(1991, 2000), "=", RIGHT),
        ("1", Rational(201, 200), "=", LAST), ("700", Rational(6652, 10), "≈", RIGHT), ("700", 665, "≈", RIGHT), ("700", 665, "=", WRONG), ("700", 640, "≈", LAST), ("700", 540, "≈", WRONG), ("100%", Rational(99, 100), "=", LAST), ("100%", Rational(995, 1000), "=", RIGHT), ("100%", Rational(994, 1000), "=", RIGHT), ("99%", Rational(99, 100), "=", RIGHT),
        ("59874", E**11, "=", LAST), ("59874", E**11, "≈", RIGHT), ("3", pi, "=", LAST), ("3.14", pi, "=", RIGHT), ("3.15", pi, "=", LAST), ("3.16", pi, "=", WRONG), ("∞", S.Infinity, "=", RIGHT), ("∞", 3, "=", WRONG), ("-∞", S.Infinity, "=", WRONG), ("3", S.Infinity, "=", WRONG),
        ("nan", UNDEFINED, "=", RIGHT), ("nan", 3, "=", WRONG), ("3", UNDEFINED, "=", WRONG), ("3", UNDEFINED, "≈", WRONG), ("0.30000000000000004", Rational(3, 10), "=", RIGHT), ("0.30000000000000008", Rational(3, 10), "=", WRONG), ("1/3", Rational(1, 3), "=", RIGHT), ("1/3", Rational(1, 4), "=", WRONG),
        ("√2", sqrt(2), "=", RIGHT), ("√2", Rational(14142, 10000), "=", WRONG), ("0.0", Rational(1, 100), "=", RIGHT), ("-0.0", Rational(1, 100), "=", RIGHT),
    ],
)  # fmt: skip
def test_one_value(text, value, relation, kind):
    found = judged(text, value, relation=relation)
    assert found.kind == kind
    assert found.is_accepted is (kind == RIGHT)
    assert (found.from_start, found.local) == (kind, None)
    assert (found.right is None) is (kind == RIGHT)


@pytest.mark.parametrize(
    ("text", "start", "local", "wrong_line", "kind", "line"),
    [
        ("0.33", Rational(1, 3), Rational(1, 3), None, RIGHT, None), ("0.33", Rational(1, 3), Rational(1, 2), None, RIGHT, None), ("0.50", Rational(1, 3), Rational(1, 2), "7", FOLLOWS, "7"), ("0.50", Rational(1, 3), Rational(1, 2), None, WRONG, None), ("0.50", None, Rational(1, 2), None, RIGHT, None),
        ("0.50", None, Rational(1, 2), "7", FOLLOWS, "7"), ("0.60", None, Rational(1, 2), "7", WRONG, None), ("0.60", Rational(1, 3), Rational(1, 2), "7", WRONG, None), ("0.33", Rational(1, 3), Rational(1, 2), "7", RIGHT, None),
    ],
)  # fmt: skip
def test_two_values(text, start, local, wrong_line, kind, line):
    found = judged(text, start, operands=None if local is None else number(local), wrong_line=wrong_line)
    assert (found.kind, found.line) == (kind, line)
    assert (found.from_start is None) is (start is None)
    assert found.local is not None
    names = [note.name for note in found.notes]
    assert ("not_from_shown_operands" in names) is (kind == RIGHT and start is not None and local == Rational(1, 2))


@pytest.mark.parametrize(
    ("low", "high", "kind"),
    [(Fraction(3, 10), Fraction(4, 10), ROUNDED), (Fraction(4, 10), Fraction(6, 10), WRONG), (None, None, WRONG)],
)  # fmt: skip
def test_an_excuse_by_the_numbers_shown(low, high, kind):
    def reach(bits):
        middle, half = (low + high) / 2, (high - low) / 2
        return flint.arb(flint.fmpq(middle.numerator, middle.denominator)) + flint.arb(0, float(half))

    found = judged(
        "0.50", Rational(1, 3), operands=number(Rational(1, 2)), operand_range=None if low is None else reach
    )
    assert found.kind == kind
    assert (found.right is not None) is True
    assert found.is_accepted is (kind == ROUNDED)
    found = judged(
        "0.50",
        Rational(1, 3),
        operands=number(Rational(1, 2)),
        operand_range=None if low is None else reach,
        wrong_line="7",
    )
    assert found.kind == FOLLOWS
    assert (
        judged(
            "0.50", Rational(1, 3), operands=number(Rational(2, 5)), operand_range=None if low is None else reach
        ).kind
        == WRONG
    )


@pytest.mark.parametrize(("text", "asked", "gives", "decimals"), [("0.5", [1, 2, 3], 2, 2), ("0.50", [2, 3, 4], 4, 4), ("0.50", [2, 3, 4], 5, None), ("5", [1, 2], 1, 1), ("5", [1, 2], 3, None), ("0.5", [1, 2, 3], 1, 1), ("1/2", [], 1, None)])  # fmt: skip
def test_intermediate_results_that_are_rounded(text, asked, gives, decimals):
    seen = []

    def rounded_to(count):
        seen.append(count)
        if count == 3 and gives != 3:
            raise NotSupported("0.00 / 0.00")
        return number(read_number(text).value) if count == gives else None

    found = judged(text, Rational(1, 3) if text != "5" else 33, rounded_to=rounded_to)
    assert (found.kind, found.decimals) == ((ROUNDED, decimals) if decimals else (WRONG, None))
    assert seen == [k for k in asked if decimals is None or k <= decimals]


def test_what_cannot_be_decided():
    never = Value(lambda bits: (_ for _ in ()).throw(NotSupported("no ball")))
    found = judged("0.5", never)
    assert (found.kind, found.code, found.detail) == (OPEN, "no_value", "no ball")
    assert judged("0.5", None).code == "no_value"
    assert judged("0.5", None).detail == ""
    assert judged("0.33", Rational(1, 3), operands=never).kind == RIGHT
    assert judged("0.33", Rational(1, 3), operands=never).local == OPEN
    assert judged("0.50", Rational(1, 3), operands=never).kind == OPEN  # it may be an excuse
    assert judged("0.5", sqrt(2), expired=lambda: True).code == "deadline"
    assert judged("0.5", sqrt(2), expired=lambda: False).kind == WRONG


def test_what_is_asked_wrongly():
    with pytest.raises(UnreadableInput, match=r"relation is '=' or '≈', not '<'"):
        judged("1", 1, relation="<")
    with pytest.raises(UnreadableInput, match=f"not '{'x' * 40}'"):
        judged("1", 1, relation="x" * 41)


@pytest.mark.parametrize("text", ["0,665", "1{,}000", "2 3", ""])
def test_what_was_not_read_says_why(text):
    with pytest.raises(ReadingError) as caught:
        read_number(text)
    found = judge_number(caught.value, THIRD)
    assert (found.kind, found.code, found.is_accepted) == ("unparsed", caught.value.code, False)
    assert str(found) == f"unparsed: {found.words.en}"
    assert found.words.en.startswith("Not read: ")
    assert found.words.ja


@pytest.mark.parametrize(
    ("text", "value", "english"),
    [("5", 4, "it is exactly 4"), ("59874", E**11, "59874.1"), ("3.15", pi, "3.14"), ("6", 4, "it is 4")],
)  # fmt: skip
def test_the_right_value_is_told(text, value, english):
    assert english in str(judged(text, value, relation="="))
