"""Lines that are true at small sizes, for small entries or far from where pieces meet are not shown as tested."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from sympy import (
    Abs,
    Derivative,
    Integer,
    KroneckerDelta,
    Max,
    Min,
    Rational,
    S,
    Sum,
    exp,
    floor,
    log,
    pi,
    prod,
    sqrt,
    tanh,
)

from symtransformer import Words, differentiate, dimension, matrix, verify
from symtransformer.derivation import Derivation
from symtransformer.index_letters import index_letter
from symtransformer.index_notation import index_form
from symtransformer.judge import PROVED, REFUTED, TESTED, UNDECIDABLE, judge_equation, judge_line
from symtransformer.judge.degrees import degrees_of
from symtransformer.operation import REGISTRY
from symtransformer.operations import HeadSum, Ones, Product, ReLU, SiLU, Softmax, Tanh
from symtransformer.sections import IndexLine, Section
from symtransformer.symbols import Entry, head_index

n, d, m, h = (dimension(name) for name in "ndmh")
SAYS = Words("t", "t")
i, j, r = map(index_letter, "ijr")
X, Y = matrix("X", n, d), matrix("Y", n, d)
x, y = Entry(X, i, j), Entry(Y, i, j)
FAR = Entry(ReLU(X + 10 * Ones(n, d)), i, j)


def judged(left, right):
    return judge_line(IndexLine(S(left), S(right), SAYS, SAYS))


def slope(formula, by=x):
    return Derivative(formula, by, evaluate=False)


MANY = [index_letter(name) for name in "abcefkpq"]
ALIKE = prod(KroneckerDelta(a, b) for a, b in pairwise(MANY)) * prod(1 - KroneckerDelta(a, MANY[0]) for a in (i, j))
FALSE = {
    "letters that are seldom equal": (ALIKE * prod(Entry(matrix("S", n, n), a, 0) for a in (*MANY, i, j)), 0),
    "entries that are large": (FAR, 10 + x),
    "the slope where entries are large": (slope(FAR), 1),
    "a maximum": (Max(-100, x), x),
    "the slope of a maximum": (slope(Max(-100, x)), 1),
    "a distance": (Abs(x - 100), 100 - x),
    "a root of a square": (sqrt((x + 100) ** 2), x + 100),
    "zeros at small sizes": ((n - 2) * (n - 3) * (n - 4) * x + x, x),
    "zeros at all sizes tried": (prod(n - k for k in (*range(1, 12), *range(24, 49))) * x + x, x),
    "zeros multiplied out": (x + x * prod(n - k for k in (*range(1, 12), *range(24, 49))).expand(), x),
    "zeros at heads": (prod(head_index("g") - k for k in range(40)) * x + x, x),
    "zeros at rows": (prod(i - k for k in range(60)) * x + x, x),
    "one row among many": (Sum(KroneckerDelta(i, 5) * x, (i, 0, n - 1)), 0 * x),
    "one row among very many": (Sum(KroneckerDelta(i, 99) * x, (i, 0, n - 1)), Sum(0 * x, (i, 0, n - 1))),
    "one size among many": (KroneckerDelta(n, 99) * x, 0),
    "sizes that are equal": (KroneckerDelta(n, d) * x, 0),
    "a sum that is empty": (Sum(KroneckerDelta(r, r), (r, 99, n - 1)) * x, 0),
    "a part of a size": (floor(n / 99) * x, 0),
    "a smaller size": (Min(99, n) * x, n * x),
    "numbers too small to be seen": (exp(x - 100000) + x, x),
    "a constant too small to be seen": (x + Rational(1, 10**300), x),
    "a limit too near": (tanh(x + 1000), 1),
    "logarithms of what may be negative": (log(x**2), 2 * log(x)),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_a_line_that_is_false_somewhere_is_not_shown_as_true(name):
    verdict = judged(*FALSE[name])
    assert verdict.kind in (REFUTED, UNDECIDABLE), verdict
    assert verdict.reason_ja != verdict.reason


def test_what_points_leave_open_is_said():
    assert "points decide nothing about ReLU" in judged(*FALSE["entries that are large"]).reason
    assert "a polynomial of degree 36 in n may be 0" in judged(*FALSE["zeros at all sizes tried"]).reason
    assert "points decide nothing about Max" in judged(*FALSE["a maximum"]).reason
    assert "points decide nothing about KroneckerDelta(5" not in judged(*FALSE["one row among many"]).reason
    assert judged(*FALSE["one row among many"]).kind == REFUTED
    assert "n = " in judged(*FALSE["one row among many"]).reason


TRUE = {
    "a function of a product": (exp(x) ** 2 / (1 + exp(2 * x)), 1 / (1 + exp(-2 * x))),
    "a slope": (slope(1 / (1 + exp(-2 * x))), 2 * exp(-2 * x) / (1 + exp(-2 * x)) ** 2),
    "a slope by another entry": (
        slope(tanh(Entry(X, r, j)) ** 3), 3 * KroneckerDelta(i, r) * tanh(x) ** 2 / ((exp(x) + exp(-x)) / 2) ** 2,
    ),
    "known sizes": (Sum(r * Entry(matrix("U", 2, d), r, j), (r, 0, 1)), Entry(matrix("U", 2, d), 1, j)),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_a_line_that_is_true_is_tested_or_proved(name):
    left, right = TRUE[name]
    assert judged(left, right).kind in (PROVED, TESTED), judged(left, right)
    assert judged(left, right * Rational(10**9 + 1, 10**9)).kind == REFUTED
    assert judged(left, right + Rational(1, 10**25)).kind == REFUTED


def test_a_derivative_is_taken_forward():
    """∂SiLU/∂x as it is worked out by hand from x / (1 + e^-x)."""
    right = 1 / (1 + exp(-x)) + x * exp(-x) / (1 + exp(-x)) ** 2
    assert judged(slope(Entry(SiLU(X), i, j)), right).kind in (PROVED, TESTED)
    assert judged(slope(Entry(SiLU(X), i, j)), right + exp(-x) / 10**6).kind == REFUTED


def test_a_line_about_a_gradient_that_is_wrong_is_not_proved():
    gradient = differentiate(X @ matrix("W", d, m), "X")
    (line,) = index_form(gradient, "X").lines[:1]
    steps = [*gradient.derivation.steps]
    good = Derivation(tuple(steps), SAYS, sections=(Section(SAYS, lines=(line,)),))
    assert verify(good).lines[line].kind == PROVED
    claim = steps[-1].derivative
    assert claim is not None
    steps[-1] = replace(steps[-1], derivative=replace(claim, output=None))
    bad = Derivation(tuple(steps), SAYS, sections=(Section(SAYS, lines=(line,)),))
    assert verify(bad).lines[line].kind == UNDECIDABLE


# -- polynomials in sizes -------------------------------------------------------------------------------
TRIED = [n - k for k in (*range(1, 10), *range(24, 49))]
VANISHING = prod(TRIED)


def powers(size):
    """Ones times ones times ...: the size once for every product."""
    one = Ones(1, size) @ Ones(size, 1)
    return Product(one, Product(one, one))


HIDDEN = {
    "in a factor": (X * VANISHING + X, X),
    "in a function": (Tanh(X * VANISHING) + X, X),
    "multiplied out": (X * VANISHING.expand() + X, X),
    "in two factors": ((X * prod(TRIED[:17])) * prod(TRIED[17:]) + X, X),
    "in heads": (HeadSum(Softmax(X) * prod(head_index("g") - k for k in range(60)), head_index("g"), h) + X, X),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_a_polynomial_that_is_zero_at_all_sizes_tried_is_not_shown_as_zero(name):
    verdict = judge_equation(*HIDDEN[name])
    assert verdict.kind in (REFUTED, UNDECIDABLE), verdict


def test_sizes_made_of_ones_count_as_well():
    assert degrees_of(powers(n))[n] == 3
    assert degrees_of(X / sqrt(d) + X * (n**3 - Integer(1)) / n)[n] == 4
    assert degrees_of(X @ Y.T).get(d, 0) == 0


def test_few_factors_are_still_tested():
    """What no rule shows: cos x as sin(x + π/2), times a polynomial of low degree."""
    sine, cosine = REGISTRY["Sine"], REGISTRY["Cosine"]
    left, right = cosine(X) * (n**2 - 1), sine(X + pi / 2 * Ones(n, d)) * (n**2 - 1)
    assert judge_equation(left, right).kind == TESTED
    assert judge_equation(left, right * Rational(1001, 1000)).kind == REFUTED
