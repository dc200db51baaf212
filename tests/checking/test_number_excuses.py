"""Numbers that are right only with rounded numbers, or follow from a wrong line; and the words of every verdict."""

import re

import flint
import pytest
from number_cases import dark, judged, kind, names, refused
from sympy import Rational, oo

from symtransformer.checking import KINDS, UNDEFINED, judge_number, number, number_words
from symtransformer.errors import NotSupported

# -- excuses ---------------------------------------------------------------------------------------------------
WITHOUT = Rational(6605, 10000) + Rational(1, 30000)


def around(low, high):
    """The ball of all that shown operands give, each anything that it may have been rounded from."""
    middle, radius = (low + high) / 2, (high - low) / 2
    return lambda bits: flint.arb(flint.fmpq(middle.p, middle.q), flint.arb(flint.fmpq(radius.p, radius.q)))


TWICE = around(Rational(6603, 10000), Rational(6606, 10000))


def test_right_if_rounded_from_the_numbers_shown():
    """0.3302 × 2 = 0.6604, where the unrounded value is 0.66053."""
    verdict = judged("0.6604", WITHOUT, operands=number(Rational(6604, 10000)), operand_range=TWICE)
    assert (verdict.kind, verdict.from_start, verdict.local) == ("right_if_rounded", "last_place", "right")
    assert "0.6605" in verdict.words.en
    assert verdict.is_accepted


def test_only_what_the_operands_give_is_excused():
    """0.7 is not 2 × 0.3302, though the true value lies where rounded operands lead."""
    assert kind("0.7001", WITHOUT, operands=number(Rational(6604, 10000)), operand_range=TWICE) == "wrong"
    assert kind("0.7001", WITHOUT, operand_range=TWICE) == "wrong"
    wrong_line = {"operands": number(Rational(6604, 10000)), "operand_range": TWICE, "wrong_line": "A"}
    assert kind("0.6604", WITHOUT, **wrong_line) == "follows"


def broken(bits):
    raise NotSupported("a division by a number that may be 0")


@pytest.mark.parametrize(
    "operand_range",
    [None, around(Rational(233, 100), Rational(234, 100)), broken, lambda bits: flint.arb("nan"), lambda bits: flint.arb("inf"), lambda bits: oo],
    ids=["none", "elsewhere", "broken", "nan", "infinite", "∞"],
)  # fmt: skip
def test_another_expression_is_not_excused_by_rounding(operand_range):
    """0.3302 + 2 = 2.3302 is what that line gives, but no rounding leads there from 0.66053."""
    verdict = judged("2.3302", WITHOUT, operands=number(Rational(23302, 10000)), operand_range=operand_range)
    assert (verdict.kind, verdict.local) == ("wrong", "right")
    for value in (oo, UNDEFINED):
        verdict = judged("2.3302", value, operands=number(Rational(23302, 10000)), operand_range=operand_range)
        assert verdict.kind == "wrong"


def test_right_if_every_intermediate_result_is_rounded():
    asked = []

    def rounded_to(decimals):
        asked.append(decimals)
        return number(Rational(7, 10) if decimals == 4 else Rational(1, 2))

    verdict = judged("0.700", Rational(2, 3), rounded_to=rounded_to)
    assert (verdict.kind, verdict.decimals) == ("right_if_rounded", 4)
    assert asked == [3, 4]
    assert "4 decimals" in verdict.words.en


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0.900", [3, 4, 5]), ("9", [1, 2]), ("90%", [2, 3, 4]), ("9e1", [1]), ("9e2", []), ("1/9", []), ("∞", [])],
)
def test_how_many_decimals_are_tried(text, expected):
    asked = []

    def rounded_to(decimals):
        asked.append(decimals)
        raise NotSupported("a division by 0")

    assert kind(text, Rational(2, 3), rounded_to=rounded_to) == "wrong"
    assert asked == expected


def test_a_right_number_needs_no_excuse():
    def fail(decimals):
        raise AssertionError

    assert kind("0.67", Rational(2, 3), rounded_to=fail, operands=number(0), wrong_line="line 3") == "right"


def test_it_follows_from_a_wrong_line():
    verdict = judged("1.2", Rational(2, 3), operands=number(Rational(6, 5)), wrong_line="line 3")
    assert (verdict.kind, verdict.line, verdict.right.en) == ("follows", "line 3", "0.7")
    assert "line 3" in verdict.words.en
    assert "line 3" in verdict.words.ja
    assert not verdict.is_accepted
    assert kind("1.5", Rational(2, 3), operands=number(Rational(6, 5)), wrong_line="line 3") == "wrong"
    excused = judged(
        "1.2",
        Rational(2, 3),
        operands=number(Rational(6, 5)),
        wrong_line="l",
        rounded_to=lambda d: number(Rational(6, 5)),
    )
    assert excused.kind == "right_if_rounded"  # the first that applies
    near = judged("0.66", Rational(2, 3), operands=number(Rational(66, 100)), wrong_line="l")
    assert near.kind == "follows"


def test_without_a_value_from_the_start_the_operands_decide():
    verdict = judged("0.66", None, operands=number(Rational(66, 100)))
    assert (verdict.kind, verdict.from_start, verdict.local) == ("right", None, "right")
    assert kind("0.6", None, operands=number(Rational(66, 100))) == "last_place"
    assert kind("0.5", None, operands=number(Rational(66, 100))) == "wrong"
    follows = judged("0.66", None, operands=number(Rational(66, 100)), wrong_line="line 2")
    assert (follows.kind, follows.right) == ("follows", None)


def test_a_right_number_that_the_printed_operands_do_not_give():
    """0.3302 × 2 printed as 0.6605."""
    verdict = judged("0.6605", WITHOUT, operands=number(Rational(6604, 10000)))
    assert (verdict.kind, names(verdict)) == ("right", ["not_from_shown_operands"])
    assert (verdict.from_start, verdict.local) == ("right", "last_place")
    assert names(judged("0.6605", WITHOUT, operands=number(WITHOUT))) == []


def test_an_undecided_excuse_accuses_nobody():
    verdict = judged("0.12", Rational(1, 2), operands=dark((1, 10**9)))
    assert verdict.kind == "undecidable"
    unknown = judged("0.12", Rational(12, 100), operands=dark((1, 10**9)))
    assert (unknown.kind, unknown.local, names(unknown)) == ("right", "undecidable", [])
    assert kind("0.12", dark((1, 10**9)), operands=number(Rational(12, 100))) == "undecidable"


# -- words --------------------------------------------------------------------------------------------------------
def all_verdicts():
    tie, third = number(Rational(1, 8)), number(Rational(1, 3))
    yield judge_number(refused("0,5"), tie)
    yield judged("0.12", dark((1, 10**9)))
    yield judged("0.12", dark((1, 10**9)), expired=lambda: True)
    yield judged("0.12", None)
    yield judged("0.13", tie, relation="=")
    yield judged("-∞", -oo)
    yield judged("undefined", UNDEFINED)
    yield judged("1/3", third)
    yield judged("0.4", third, operands=number(Rational(2, 5)), operand_range=around(Rational(3, 10), Rational(1, 2)))
    yield judged("0.4", third, rounded_to=lambda d: number(Rational(2, 5)))
    yield judged("0.4", third, operands=number(Rational(2, 5)), wrong_line="S")
    yield judged("0.4", None, operands=number(Rational(2, 5)), wrong_line="S")
    yield judged("0.4", third)
    yield judged("0.35", third)
    yield judged("0.9", third)
    yield judged("0.9", UNDEFINED)


def test_every_kind_has_words_in_both_languages_with_the_same_numbers():
    verdicts = list(all_verdicts())
    assert {v.kind for v in verdicts} == set(KINDS)
    assert len(KINDS) == 7
    begins = {"right": ("Right", "Exactly"), "last_place": "The last place", "wrong": "Wrong", "follows": "It follows"}
    assert all(v.words.en.startswith(begins.get(v.kind, ("Not", "Right if"))) for v in verdicts)
    for words in [v.words for v in verdicts]:
        assert words.en.endswith(".")
        assert words.ja.endswith("。")
        assert re.search("[ぁ-ん]", words.ja)
        numbers = [sorted(re.findall(r"[0-9]+(?:[./][0-9]+)?", text)) for text in (words.en, words.ja)]
        assert numbers[0] == numbers[1]


def test_every_note_has_words_and_a_name_of_its_own():
    notes = [x for x in vars(number_words).values() if isinstance(x, number_words.Note)]
    notes += [*number_words.COMMAS.values(), *(number_words.factor_of_ten(k) for k in (1, -3))]
    assert len({n.words.ja for n in notes}) == len({n.words.en for n in notes}) == len(notes) == 18
    for note in notes:
        assert note.words.en.endswith(".")
        assert note.words.ja.endswith("。")
        assert re.search("[ぁ-ん]", note.words.ja)
