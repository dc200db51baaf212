"""Where a side of a formula has a value, part by part: each is asked of, or is known to be positive, or a square."""

import pytest

from symtransformer import check
from symtransformer.checking.formula_document import Document
from symtransformer.checking.formula_domains import _conditions, domain_note, may_be_imaginary
from symtransformer.checking.formula_names import Names
from symtransformer.checking.formula_syntax import (
    Call,
    Delta,
    Factors,
    Indexed,
    Named,
    Number,
    Power,
    Terms,
    Total,
    Transposed,
)

a, b, n, x = Named("a"), Named("b"), Named("n"), Named("x")
ONE, TWO = Number("1"), Number("2")
SQUARE = Power(a, TWO)


def call(function, *arguments):
    return Call(function, arguments)


def over(below):
    return Factors((("", ONE), ("/", below)))


def plus(*terms):
    return Terms(tuple(("+", term) for term in terms))


def times(*factors):
    return Factors(tuple(("", factor) for factor in factors))


def signs(part):
    return [sign for _, sign in _conditions(part)]


@pytest.mark.parametrize(
    ("below", "is_asked"),
    [
        (Indexed(call("softmax", a), ("i",)), False), (Indexed(call("tanh", a), ("i",)), True), (call("sigma", a), False), (call("cos", a), True),
        (call("sqrt", TWO), False), (call("sqrt", n), False), (call("cos", TWO), True), (n, False), (x, True), (Named("tau"), False), (Named("mu"), True),
        (Transposed(TWO), False), (Transposed(a), True), (Delta("i", "j"), True), (Power(TWO, n), False), (Power(a, TWO), True), (Power(Named("pi"), a), False),
        (times(TWO, n), False), (times(TWO, a), True), (times(a, b), True), (plus(SQUARE, TWO), False), (plus(SQUARE, SQUARE), True), (plus(a, TWO), True),
        (Terms((("-", TWO),)), True), (Terms((("-", SQUARE), ("+", TWO))), True), (plus(times(SQUARE, TWO), TWO), False), (plus(times(SQUARE, a), TWO), True),
        (plus(times(SQUARE, SQUARE), TWO), False), (plus(plus(SQUARE, TWO), TWO), False), (plus(plus(SQUARE, SQUARE), TWO), False), (plus(plus(SQUARE, a), TWO), True),
        (plus(Terms((("-", SQUARE),)), TWO), True), (plus(Total("j", "", None, SQUARE), TWO), False), (plus(Total("j", "", None, a), TWO), True), (plus(call("Var", a), TWO), False),
        (plus(call("norm2", a), TWO), False), (plus(call("mean", a), TWO), True), (plus(call("mean", SQUARE), TWO), False), (plus(call("sum", SQUARE), TWO), False),
        (plus(call("E", SQUARE), TWO), False), (plus(call("max", SQUARE), TWO), True), (plus(call("log", SQUARE), TWO), True), (plus(Power(a, Number("3")), TWO), True),
        (call("sqrt", SQUARE), False), (call("std", SQUARE), False), (call("std", a), True), (call("exp2", SQUARE), True), (Total("j", "", None, n), False), (Total("j", "n", None, SQUARE), True),
    ],
)  # fmt: skip
def test_what_may_be_0_below_a_line_is_asked(below, is_asked):
    assert ("≠" in signs(over(below))) is is_asked


@pytest.mark.parametrize(
    ("part", "asked"),
    [
        (call("log", a, b), []), (call("sqrt", a, b), []), (call("exp", a), []), (times(a, b), []), (Factors((("", a), ("/", b), ("/", TWO))), ["≠"]),
        (Factors((("", a), ("/", b), ("/", x))), ["≠", "≠"]), (Power(a, Terms((("-", ONE),))), ["≠"]), (Power(TWO, Terms((("-", ONE),))), []), (Power(a, plus(ONE)), []),
        (Power(a, Terms((("+", b), ("-", ONE)))), []), (Power(Named("e"), Terms((("-", a),))), []), (Power(call("tanh", a), Terms((("-", ONE),))), ["≠"]),
        (call("sqrt", n), []), (call("sqrt", times(SQUARE, SQUARE)), []), (call("sqrt", times(SQUARE, a)), ["≥"]), (call("log", times(SQUARE, SQUARE)), [">"]),
    ],
)  # fmt: skip
def test_what_roots_logarithms_quotients_and_powers_ask(part, asked):
    assert signs(part) == asked


@pytest.mark.parametrize(
    ("left", "right", "told"),
    [
        (over(a), over(b), "a ≠ 0, b ≠ 0"), (over(b), over(a), "b ≠ 0, a ≠ 0"), (a, over(b), "b ≠ 0"), (over(b), a, "b ≠ 0"), (over(b), over(b), None), (a, b, None),
        (over(a), call("log", a), "a > 0"), (call("sqrt", a), call("log", a), "a > 0"), (times(over(a), over(b)), call("log", a), "b ≠ 0, a > 0"),
        (times(over(plus(a, b)), over(x)), call("log", a), "x ≠ 0, a > 0"), (call("log", plus(a, b)), over(a), "a + b > 0, a ≠ 0"),
        (times(over(a), over(b), over(x)), ONE, "a ≠ 0, b ≠ 0, x ≠ 0"), (times(over(a), over(b), over(x), over(Named("y"))), ONE, "a ≠ 0, b ≠ 0, x ≠ 0"),
        (times(over(a), over(a)), ONE, "a ≠ 0"),
    ],
)  # fmt: skip
def test_only_what_one_side_asks_more_is_told(left, right, told):
    note = domain_note(left, right)
    assert (note and (note.name, note.words.en, note.words.ja)) == (
        told
        and (
            "domain",
            f"It holds only where both sides have a value: for {told}.",
            f"両辺が値を持つところ（{told}）だけで成り立つ。",
        )
    )


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (call("exp", times(Named("i"), x)), True), (call("exp", x), False), (call("cos", Named("i")), False), (times(Named("i"), call("sin", x)), True), (call("sin", Named("i")), False),
        (times(Named("i"), call("cos", x)), False), (times(Named("j"), call("sin", x)), False), (plus(Named("i"), call("sin", x)), False), (plus(x, call("exp", Named("i"))), True),
        (call("exp", Named("x", ("i",))), False),
    ],
)  # fmt: skip
def test_i_of_which_nothing_is_said_may_be_the_root_of_minus_1(part, expected):
    assert may_be_imaginary(Document(Names(), {}), x, part) is expected
    assert may_be_imaginary(Document(Names(), {"i": None}), x, part) is False
    document = Document(Names(), {})
    document.add("i", "x + 1")
    assert may_be_imaginary(document, part) is False


def test_an_equation_with_i_is_judged_where_i_has_a_value():
    twins = {"1": "refuted", "i": "undecidable"}
    found = {i: check(f"$e^{{{i} x}} = e^{{2 x}}$", name="a.md").equations[-1].verdict for i in twins}
    assert found == twins
