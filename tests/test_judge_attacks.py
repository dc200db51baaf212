"""Equations that once were judged wrongly: untrue ones called true, and true ones refuted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sympy import (
    Function,
    KroneckerDelta,
    Max,
    Min,
    Piecewise,
    Rational,
    Symbol,
    binomial,
    ceiling,
    exp,
    factorial,
    floor,
    oo,
    prod,
    sqrt,
    tanh,
)

import symtransformer.operations as ops
from symtransformer import (
    Derivation,
    Section,
    Words,
    derive,
    dimension,
    evaluate,
    head_index,
    matrix,
    parameter,
    render,
    verify,
)
from symtransformer.derivation import Step
from symtransformer.errors import NotSupported, ShapeError, UnreadableInput
from symtransformer.judge import judge_equation
from symtransformer.sections import Fact, Sweep
from symtransformer.symbols import Literal, PermutationLetter

n, m, d, h = map(dimension, "nmdh")
t, i, k = parameter("t"), head_index("i"), Symbol("k", integer=True, nonnegative=True)
A, x, one = matrix("A", n, d), matrix("x", n, 1), ops.Ones(n, d)
y, E0, a = x + 5 * ops.Ones(n, 1), matrix("E0", 1, 1), matrix("a", 1, 1)
WORDS = Words("t", "あ")
cubic, far = ops.Hadamard(ops.Hadamard(x, x), y), ops.Hadamard(A, A) - A / 1000

NOT_TRUE = {
    "a letter named as those inside of a proof": (ops.Scaling(a, E0[0, 0], 1), ops.Hadamard(a, a)),
    "a corner between two points": (ops.ReLU(far), far),
    "a corner far from 0": (ops.ReLU(cubic), cubic),
    "a root of a square far from 0": (ops.SquareRoot(ops.Hadamard(y, y)), y),
    "a sign far from 0": (ops.RMSDivision(x - 100 * ops.Ones(n, 1), eps=0), -ops.Ones(n, 1)),
    "a root of a number far from 0": (ops.SquareRoot((t - 10**6) ** 2 * one), (10**6 - t) * one),
    "one in 4096": (
        ops.Hadamard(*(ops.Hadamard(ops.ReLU(A), ops.ReLU(-matrix(f"B_{c}", n, d))) for c in range(2))), 0 * A,
    ),
    "1e-300": (one + one / 10**300, one),
    "1e-1500": (one + one / 10**1500, one),
    "e^-10000": (one + exp(-10000) * one, one),
    "tanh near 1": (ops.Tanh(one * 10000), one),
    "tanh of a number near 1": (ops.Scaling(A, tanh(t**2 + 10**6), 1), A),
    "a sum in which one is lost": (ops.LogSumExp(Literal([[0, -10000]])), Literal([[0]])),
    "GELU far from 0": (ops.GELU(one * 100), one * 100),
    "a small number below a root": (ops.Standardization(A, Rational(1, 10**70)), ops.Standardization(A, 0)),
    "0 for all small sizes": (ops.Scaling(A, prod([n - c for c in range(1, 13)]), 1), 0 * A),
    "a function named as a permutation": (
        ops.Scaling(A, KroneckerDelta(Function("σx")(k), Function("σx")(n)), 1), ops.Scaling(A, KroneckerDelta(k, n), 1),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_TRUE)
def test_what_is_not_true_is_neither_proved_nor_tested(name):
    assert judge_equation(*NOT_TRUE[name]).kind in ("refuted", "undecidable")
    assert judge_equation(*reversed(NOT_TRUE[name])).kind in ("refuted", "undecidable")


@pytest.mark.parametrize("name", ["1e-300", "a small number below a root", "0 for all small sizes"])
def test_what_many_bits_or_a_large_size_show_is_refuted(name):
    assert judge_equation(*NOT_TRUE[name]).kind == "refuted"


PARTLY = {
    "a divisor in a literal": (ops.Scaling(Literal([[1 / t]]), t, 1), ops.Ones(1, 1)),
    "a root in a literal": (Literal([[sqrt(t)]]) @ Literal([[sqrt(t)]]), Literal([[t]])),
    "positive, or not 0": (ops.Exponential(ops.Logarithm(A)), ops.EntryDivision(ops.Hadamard(A, A), A)),
    "0 times −∞": (ops.Exponential(ops.Scaling(Literal([[0, -oo], [0, 0]]), 0, 1)), ops.Ones(2, 2)),
    "a hidden row": (ops.Softmax(ops.CausalMask(3, 2)) @ ops.Ones(2, 1), ops.Ones(3, 1)),
    "any row": (ops.Row(ops.Ones(n, d), k), ops.Ones(1, d)),
    "no case": (ops.Scaling(A, Piecewise((1, t > 0)), 1), A),
}


@pytest.mark.parametrize("name", PARTLY)
def test_what_holds_where_both_sides_have_a_value_says_so(name):
    verdict = judge_equation(*PARTLY[name])
    assert (verdict.kind, verdict.where_defined) == ("proved", True)
    assert verdict.reason.endswith("wherever both are defined")


def test_a_page_says_where_a_step_holds():
    step = Step(matrix("Y", n, d), one, ops.EntryDivision(A, A), WORDS, WORDS)
    verified = verify(Derivation((step,), WORDS))
    for detail in ("steps", "results", "entries"):
        assert "This holds wherever both sides have a value." in render(verified, detail=detail)
    assert "両辺がともに値を持つところで" in render(verified, language="ja")
    assert "wherever" not in render(verify(derive(ops.Softmax(A), stages=True)))


NOT_FALSE = {
    "a negative letter": (ops.ReLU(Symbol("u", negative=True) * one), 0 * A),
    "halves of a size": (
        ops.Concatenation(
            ops.ColumnSlice(matrix("B", n, d + 2), 0, floor(d / 2) + 1),
            ops.ColumnSlice(matrix("B", n, d + 2), floor(d / 2) + 1, ceiling(d / 2) + 1),
        ),
        matrix("B", n, d + 2),
    ),
    "the greater and the lesser": (ops.Ones(Min(n, m) + Max(n, m), 2), ops.Ones(n + m, 2)),
    "an even letter": (ops.Scaling(A, (-1) ** Symbol("v", even=True), 1), A),
}


@pytest.mark.parametrize("name", NOT_FALSE)
def test_what_is_true_is_not_refuted(name):
    assert judge_equation(*NOT_FALSE[name]).kind != "refuted"


def test_unequal_sizes_are_refuted_with_numbers():
    verdict = judge_equation(ops.Ones(n + m, 2), ops.Ones(n + 2 * m, 2))
    assert verdict.kind == "refuted"
    numbers = dict(verdict.counterexample)
    assert numbers["n"] + numbers["m"] != numbers["n"] + 2 * numbers["m"]


@pytest.mark.parametrize("factor", [t**k, factorial(k), binomial(2 * k, k), 2 ** (2**k), 2 ** (2 ** (2 ** (2**k)))])
def test_powers_and_factorials_of_letters_come_to_an_end(factor):
    assert judge_equation(ops.Scaling(A, factor, 1), ops.Scaling(A, factor + 1, 1)).kind in ("refuted", "undecidable")
    assert judge_equation(ops.Scaling(A, factor * t, 1), ops.Scaling(A, factor, 1 / t)).kind != "refuted"


@pytest.mark.parametrize(
    ("left", "right"),
    [(one / 10**400, 2 * one / 10**400), (-one - one / 10**300, -one), (A + one / 10**60, A + one / 10**70)],
)
def test_a_refutation_shows_digits_that_differ(left, right):
    verdict = judge_equation(left, right)
    first, second = verdict.reason.split(" is ")[1].split(" on one side and ")
    assert verdict.kind == "refuted"
    assert first != second.split(" on the other")[0]


TRUE = {
    "positive and negative part": (ops.ReLU(A) - ops.ReLU(-A), A),
    "ReLU by its step": (ops.ReLU(A), ops.Hadamard(A, ops.Heaviside(A))),
    "greater and lesser": (ops.Scaling(A, Max(t, k) + Min(t, k), 1), ops.Scaling(A, t + k, 1)),
}


@pytest.mark.parametrize("name", TRUE)
def test_functions_in_pieces_are_proved_by_cases(name):
    assert judge_equation(*TRUE[name]).kind == "proved"


def test_what_is_shared_is_a_letter_to_the_points_too():
    mixed = ops.Tanh(ops.ReLU(A) + ops.ReLU(A))
    square = ops.Hadamard(ops.Tanh(ops.ReLU(A)), ops.Tanh(ops.ReLU(A)))
    verdict = judge_equation(ops.Hadamard(mixed, one + square), 2 * ops.Tanh(ops.ReLU(A)))
    assert verdict.kind == "tested"


# -- derivations ---------------------------------------------------------------------------------------
Z = matrix("Z", n, d)
GOOD, WRONG = Step(Z, A + A, 2 * A, WORDS, WORDS), Step(Z, 3 * A, 2 * A, WORDS, WORDS)


def test_nothing_changes_after_the_verdict():
    lists = Derivation([GOOD], WORDS, [(A, [[1, 2]])], [["n", [WORDS]]], [Section(WORDS, steps=["Z"])])
    assert isinstance(lists.steps, tuple)
    with pytest.raises(TypeError):
        verify(lists).derivation.steps[0] = WRONG
    for container in (
        lists.values,
        lists.values[0][1],
        lists.labels,
        lists.labels[0],
        lists.sections,
        lists.sections[0].steps,
    ):
        assert isinstance(container, tuple)
    section = Section(WORDS, facts=[Fact(WORDS)], values={A: [[1, 2]]}, sweep=Sweep(t, [1, 2], []))
    assert (section.facts, section.sweep.at, section.sweep.columns) == ((Fact(WORDS),), (1, 2), ())
    with pytest.raises(TypeError):
        section.values[A] = [[3, 4]]


def test_subclasses_that_could_say_another_thing_are_refused():
    class Changing(Step):
        pass

    class Telling(Derivation):
        pass

    class Saying(Fact):
        pass

    with pytest.raises(UnreadableInput, match="expects a tuple of Step"):
        Derivation((Changing(Z, A + A, 2 * A, WORDS, WORDS),), WORDS)
    with pytest.raises(UnreadableInput, match="expected a derivation"):
        verify(Telling((GOOD,), WORDS))
    with pytest.raises(UnreadableInput, match="expects a tuple of Fact"):
        Section(WORDS, facts=(Saying(WORDS),))


@pytest.mark.parametrize(
    "used", [Z.of_head(0) + Z.of_head(1), ops.HeadSum(Z.of_head(i), i, h), ops.HeadConcatenation(Z.of_head(i), i, 2)]
)
def test_a_step_without_a_head_has_no_heads(used):
    with pytest.raises(UnreadableInput, match="what an earlier step defines is Z"):
        Derivation((GOOD, Step(matrix("Y", *used.shape), used, used.xreplace({Z: A}), WORDS, WORDS)), WORDS)


def test_a_step_of_heads_is_not_used_without_one():
    family = Step(Z.of_head(i), A.of_head(i), A.of_head(i), WORDS, WORDS)
    with pytest.raises(UnreadableInput, match="what an earlier step defines is Z"):
        Derivation((family, Step(matrix("Y", n, d), Z + Z, A + A, WORDS, WORDS)), WORDS)


def test_a_bound_letter_with_the_name_of_a_size_is_refused():
    other = Symbol("n", integer=True, nonnegative=True)
    with pytest.raises(UnreadableInput, match="n also names something else inside"):
        derive(ops.HeadSum(ops.Scaling(A, n * other, 1), other, h))


def test_a_letter_free_and_bound_has_no_value():
    family = matrix("W", 2, 2).of_head(i)
    with pytest.raises(NotSupported, match="counts heads in one place and is free in another"):
        evaluate(family + ops.HeadSum(family, i, 2), {"W": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]})


def test_a_permutation_is_square():
    with pytest.raises(ShapeError, match="must be square"):
        PermutationLetter("P", 2, 3)


def test_definitions_are_counted_apart():
    derivation = derive(ops.Softmax(A @ matrix("B", d, m)), stages=True)
    verified = verify(derivation)
    assert (verified.count("proved"), verified.definitions) == (len(derivation.steps), len(derivation.steps) - 1)
    assert not verified.verdicts["Y"].by_definition  # softmax is not by definition what its stages give
    head = render(verified).splitlines()[:3]
    assert f"proved: {verified.definitions} by definition, 1 beyond it" in "".join(head)
    assert verify(replace(derivation, steps=derivation.steps[:1])).definitions == 1
