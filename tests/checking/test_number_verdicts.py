"""The seven verdicts on a number in their order, the notes, and the words; values and claims worked out by hand."""

import flint
import pytest
from number_cases import dark, judged, kind, names, refused
from sympy import Add, E, Float, I, Mul, Pow, Rational, S, Symbol, exp, log, oo, pi, sqrt, zoo

from symtransformer import derive, evaluate, matrix
from symtransformer.checking import UNDEFINED, Value, entry, judge_number, number
from symtransformer.errors import LimitExceeded, NotSupported, UnreadableInput
from symtransformer.operations import Exponential, Softmax


# -- unparsed, undecidable -------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", ["0,665", "2 3", "1e999", "1\\frac12", "x"])
def test_what_is_not_read_is_unparsed_with_its_code(text):
    error = refused(text)
    verdict = judge_number(error, number(1))
    assert (verdict.kind, verdict.code) == ("unparsed", error.code)
    assert error.message in verdict.words.en


def test_undecidable_says_what_was_compared_and_to_how_many_bits():
    verdict = judged("0.12", dark((1, 10**9)))
    assert (verdict.kind, verdict.code) == ("undecidable", "precision")
    assert "1/8" in verdict.words.en
    assert "4096" in verdict.words.en
    assert "4096" in verdict.words.ja
    assert kind("0.1", dark((1, 10**9))) == "right"
    assert kind("1/8", dark((1, 10**9))) == "undecidable"  # a fraction claims exactness


def test_a_tie_without_an_exact_value_is_undecidable_and_never_right():
    hidden = Value(lambda bits: flint.arb(2).sqrt() * flint.arb(8).sqrt() / 32)
    assert kind("0.12", hidden) == kind("0.13", hidden) == "undecidable"
    assert kind("0.1", hidden) == "right"
    assert kind("0.16", hidden) == "wrong"


def test_balls_without_a_radius_are_the_number_itself():
    eighth = Value(lambda bits: flint.arb(1) / 8)
    assert [kind(t, eighth) for t in ("0.12", "0.13", "1/8", "0.11", "0.10")] == [*["right"] * 3, "last_place", "wrong"]


def test_an_exact_value_that_is_not_worked_out_proves_nothing():
    def too_long():
        raise LimitExceeded("more than 20000 terms")

    hidden = Value(lambda bits: flint.arb(2).sqrt() * flint.arb(8).sqrt() / 32, too_long)
    assert [kind(t, hidden) for t in ("0.12", "0.13", "1/8", "0.1")] == [*["undecidable"] * 3, "right"]


def test_a_root_is_named_where_it_is_not_decided():
    near = Value(lambda bits: flint.arb(2).sqrt() / 2 + flint.arb(0, 1e-9))
    assert "the value and 1/2 √2 are" in judged("√2/2", near).words.en
    assert kind("√2/3", near) == "wrong"


def test_a_zero_test_that_does_not_apply_leaves_it_undecided():
    value = Mul(log(2) + log(3) - log(6), 1, evaluate=False)  # 0, but by no rule that the test knows
    assert kind("0", value) == "right"
    verdict = judged("0/5", value)
    assert (verdict.kind, verdict.code) == ("undecidable", "precision")


def test_a_deadline():
    asked = []

    def expired():
        asked.append(None)
        return len(asked) > 2

    verdict = judged("1/3", dark((1, 10**9)), expired=lambda: True)
    assert (verdict.kind, verdict.code) == ("undecidable", "deadline")
    assert kind("1/8", dark((1, 10**9)), expired=expired) == "undecidable"
    assert len(asked) == 3


def test_no_value_to_compare_with():
    assert judged("0.5", None).code == "no_value"
    letter = judged("0.5", Symbol("t"))
    assert (letter.kind, letter.code) == ("undecidable", "no_value")
    assert "t" in letter.detail

    def broken(bits):
        raise NotSupported("a division by a number that may be 0")

    assert judged("nan", Value(broken)).kind == "undecidable"  # not known to be undefined
    assert kind("0.5", Value(lambda bits: flint.arb("nan"))) == "undecidable"
    assert judged("0.5", I).kind == "undecidable"


def test_only_exact_numbers_are_values():
    for inexact in (0.5, Float("0.5"), "0.5", Float(2) * pi):
        with pytest.raises(UnreadableInput, match="an exact number"):
            number(inexact)
    with pytest.raises(UnreadableInput, match="relation"):
        judged("1", 1, relation="~")


# -- right ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.67", Rational(2, 3)), ("0.66...", Rational(2, 3)), ("2/3", Rational(2, 3)), ("66.7%", Rational(2, 3)),
        ("0.7", Rational(2, 3)), ("1", Rational(2, 3)), ("6.67e-1", Rational(2, 3)), ("0.999...", S.One), ("1.9...", S(2)),
        ("√2/2", 1 / sqrt(2)), ("1/√2", sqrt(2) / 2), ("1.414", sqrt(2)), ("2.71828", E), ("-0.3333", Rational(-1, 3)),
        ("700", Rational(6652, 10)), ("-700", Rational(-6652, 10)), ("0.00", Rational(1, 400)), ("0", Rational(-2, 5)),
        ("-∞", -oo), ("∞", oo), ("undefined", UNDEFINED), ("0/0", UNDEFINED), ("nan", zoo), ("0.5", exp(0) / 2),
        ("-0.33...", Rational(-1, 3)), ("0.5...", Rational(1, 2)), ("0.00...", Rational(1, 400)),
        ("10^{-3}", Rational(1, 1000)), ("√(2/3)", sqrt(6) / 3),
    ],
)  # fmt: skip
def test_right(text, value):
    assert kind(text, value) == "right"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.66", Rational(2, 3)), ("0.67...", Rational(2, 3)), ("0.65...", Rational(2, 3)), ("66.6%", Rational(2, 3)),
        ("1.415", sqrt(2)), ("600", Rational(6652, 10)), ("0.01", Rational(1, 400)), ("-0.01", Rational(1, 400)),
        ("1.00...", Rational(1999, 2000)),
    ],
)  # fmt: skip
def test_last_place(text, value):
    assert kind(text, value) == "last_place"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.65", Rational(2, 3)), ("0.69", Rational(2, 3)), ("0.68...", Rational(2, 3)), ("0.64...", Rational(2, 3)),
        ("667/1000", Rational(2, 3)), ("3/2", Rational(2, 3)), ("1.412", sqrt(2)), ("√3/2", sqrt(2) / 2), ("√2", S.One), ("√3/2", Rational(1, 2)),
        ("∞", -oo), ("-∞", oo), ("∞", S.One), ("1", oo), ("undefined", S.One), ("1", UNDEFINED), ("∞", UNDEFINED),
        ("undefined", oo), ("-0.66...", Rational(2, 3)), ("0.66...", Rational(-2, 3)), ("0.9...", Rational(6, 5)),
        ("100", S(60)), ("10%", Rational(6, 100)), ("100%", Rational(3, 5)), ("10", Rational(26, 5)),
    ],
)  # fmt: skip
def test_wrong(text, value):
    assert kind(text, value) == "wrong"


def test_zeros_that_are_no_digits_are_named():
    verdict = judged("700", Rational(6652, 10))
    assert names(verdict) == ["whole_zeros"]
    assert names(judged("700", S(700))) == []
    assert [kind("100", Rational(n, 10)) for n in (949, 950, 1000, 1499, 1500)] == [
        "last_place", "right", "right", "right", "last_place"
    ]  # fmt: skip


def test_after_an_equals_sign_whole_numbers_have_all_their_digits():
    """12² = 100 is not right, though 144 is 100 to one digit."""
    assert kind("100", S(144), relation="=") == "wrong"
    assert kind("140", S(144), relation="=") == "wrong"
    assert kind("140", Mul(144, sqrt(2), sqrt(2), Rational(1, 2), evaluate=False), relation="=") == "wrong"
    assert kind("140", S(144)) == kind("100", S(144)) == "right"
    assert kind("143", S(144), relation="=") == "last_place"
    assert kind("140", Rational(1441, 10), relation="=") == "wrong"
    assert names(judged("140", Rational(1441, 10))) == ["whole_zeros"]


TIES = {
    "roots": Mul(sqrt(2), Pow(S(8), S.Half, evaluate=False), Rational(1, 32), evaluate=False),
    "e": Mul(E, exp(-1), Rational(1, 8), evaluate=False),
    "share": Mul(exp(2), Pow(Add(exp(2), exp(2), evaluate=False), -1, evaluate=False), Rational(1, 4), evaluate=False),
}


def attention_ties():
    """The same three as entries of expressions, of which the balls have a radius."""
    a, b, s = matrix("A", 1, 1), matrix("B", 1, 1), matrix("S", 1, 2)
    half = matrix("H", 2, 1)
    return {
        "roots": (a @ b, {a: [[sqrt(2)]], b: [[sqrt(8) / 32]]}),
        "e": (Exponential(a) @ Exponential(b) / 8, {a: [[1]], b: [[-1]]}),
        "share": (Softmax(s) @ half, {s: [[2, 2]], half: [[Rational(1, 4)], [0]]}),
    }


@pytest.mark.parametrize("name", TIES)
@pytest.mark.parametrize("how", ["number", "entry"])
def test_ties_that_hide(name, how):
    if how == "number":
        value = number(TIES[name])
    else:
        expression, values = attention_ties()[name]
        value = entry(evaluate(derive({"R": expression}), values).cells("R"), 0, 0)
    assert not value.ball_at(64).is_exact() or how == "number"
    for text in ("0.12", "0.13"):
        verdict = judged(text, value)
        assert (verdict.kind, names(verdict)) == ("right", ["half_way"])
    for text in ("0.125", "0.1250", "12.5%", "1/8", "0.125...", "0.12...", "0.1"):
        assert (kind(text, value), names(judged(text, value, relation="="))[:1]) == (
            "right", ["equals_rounded"] if text == "0.1" else [],
        )  # fmt: skip
    assert [kind(text, value) for text in ("0.11", "0.14", "0.10", "0.15", "0.13...")] == [
        "last_place", "last_place", "wrong", "wrong", "last_place",
    ]  # fmt: skip
    assert kind("0.1250000000000000000000000000000000002", value) == "wrong"
    assert judged("0.99", value).right.en == "0.13"


def test_at_a_negative_tie_halves_go_away_from_zero_or_to_the_even_digit():
    assert [kind(t, Rational(-1, 8)) for t in ("-0.13", "-0.12", "-0.11")] == ["right", "right", "last_place"]
    assert [kind(t, Rational(-3, 8)) for t in ("-0.38", "-0.37", "0.38")] == ["right", "last_place", "wrong"]
    assert [kind(t, Rational(1, 2)) for t in ("0", "1", "-0")] == ["right", "right", "right"]
    assert [kind(t, Rational(3, 2)) for t in ("1", "2")] == ["last_place", "right"]


# -- notes ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "value", "relation", "expected"),
    [
        ("0.67", Rational(2, 3), "=", ["equals_rounded"]),
        ("0.67", Rational(67, 100), "=", []),
        ("0.67", Rational(2, 3), "≈", []),
        ("0.66...", Rational(2, 3), "=", []),
        ("1.41", sqrt(2), "=", ["equals_rounded"]),
        ("-0.00", Rational(1, 400), "≈", ["negative_zero"]),
        ("-0.00", Rational(1, 400), "=", ["negative_zero", "equals_rounded"]),
        ("-0.67", Rational(2, 3), "≈", ["sign"]),
        ("6.67", Rational(2, 3), "≈", ["factor_10"]),
        ("0.0667", Rational(2, 3), "≈", ["factor_10"]),
        ("667", Rational(2, 3), "≈", ["factor_10"]),
        ("66.7", Rational(2, 3), "≈", ["percent"]),
        ("0.667%", Rational(2, 3), "≈", ["percent"]),
        ("0.6700", Rational(2, 3), "≈", ["padded_zeros"]),
        ("0.6670", Rational(2, 3), "≈", ["padded_zeros"]),
        ("333/1000", Rational(1, 3), "≈", ["claims_exactness"]),
        ("-1/3", Rational(1, 3), "≈", ["sign", "claims_exactness"]),
        ("0.66", Rational(2, 3), "≈", ["truncated"]),
        ("-0.66", Rational(-2, 3), "≈", ["truncated"]),
        ("0.34", Rational(1, 3), "≈", ["rounded_away"]),
        ("0.35", Rational(1, 3), "≈", []),
        ("-0.34", Rational(-1, 3), "≈", ["rounded_away"]),
        ("0.32", Rational(1, 3), "≈", ["one_unit"]),
        ("0.12", Rational(13, 100), "≈", ["one_unit"]),
        ("0.0", Rational(7, 100), "≈", ["truncated"]),
        ("0.0", Rational(-7, 100), "≈", ["truncated"]),
        ("-0.0", Rational(7, 100), "≈", ["truncated"]),
        ("0.0", Rational(-12, 100), "≈", ["one_unit"]),
        ("0.13", Rational(12, 100), "≈", ["one_unit"]),
        ("0.01", Rational(-1, 500), "≈", ["one_unit"]),
        ("0.67...", Rational(2, 3), "≈", ["not_first_digits"]),
        ("-0.66...", Rational(2, 3), "≈", ["sign"]),
        ("0.66...", Rational(-2, 3), "≈", ["sign"]),
        ("6.66...", Rational(2, 3), "≈", ["factor_10"]),
        ("0.66...%", Rational(2, 3), "≈", ["percent"]),
        ("0.5", Rational(9, 5), "≈", []),
        ("undefined", S.One, "≈", []),
    ],
)  # fmt: skip
def test_notes(text, value, relation, expected):
    assert names(judged(text, value, relation=relation)) == expected


def test_no_exact_value_is_worked_out_for_a_remark():
    """A 0 deep in a network is near its claim with any number of bits; whether it is 0 exactly takes long to tell."""

    def exact():
        raise AssertionError

    third = Value(lambda bits: flint.arb(1) / 3 - flint.arb(1) / 3, exact)
    assert not third.ball_at(64).is_exact()
    verdict = judged("0.0000", third, relation="=")
    assert (verdict.kind, names(verdict)) == ("right", [])
    assert judged("0.5", third).right.en == "0.0"
    assert names(judged("0.3333", Value(lambda bits: flint.arb(1) / 3, exact), relation="=")) == ["equals_rounded"]


def test_the_point_says_how_far_it_is_off():
    assert "1 place too far to the right" in judged("6.67", Rational(2, 3)).notes[0].words.en
    assert "3 places too far to the right" in judged("667", Rational(2, 3)).notes[0].words.en
    assert "1 place too far to the left" in judged("0.0667", Rational(2, 3)).notes[0].words.en


@pytest.mark.parametrize(
    ("text", "value", "right"),
    [
        ("0.5", Rational(2, 3), "0.67"), ("0.50", Rational(2, 3), "0.67"), ("50%", Rational(2, 3), "67%"), ("50.5%", Rational(2, 3), "66.7%"),
        ("5e2", Rational(6652, 10), "670"), ("5.0e2", Rational(6652, 10), "670"), ("0.5", Rational(-1, 20), "-0.05"),
        ("1/2", Rational(2, 3), "2/3"), ("1/2", sqrt(2), "1.414214"), ("1.000e-20", Rational(2, 3) / 10**20, "6.67 × 10^-21"),
        ("5", oo, "∞"), ("5", -oo, "-∞"), ("5", UNDEFINED, "undefined"), ("5e30", S(10) ** 30, "1 × 10^30"), ("5", Rational(1, 4), "0.25"),
        ("0.99", Rational(-1, 8), "-0.13"), ("0.9", TIES["e"] * 2, "0.25"),
    ],
)  # fmt: skip
def test_the_right_value_has_the_places_of_the_claim_and_two_digits_at_least(text, value, right):
    assert judged(text, value).right.en == right
