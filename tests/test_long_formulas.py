"""Formulas of many parts: they are decided, and soon, or it is said that they are not."""

import pytest

from symtransformer import differentiate, dimension, matrix, read_expression
from symtransformer.formulas import have_same_formula
from symtransformer.formulas.same_derivative import Claim, Use, compare_with_derivative
from symtransformer.judge.trials import Equation, at_points
from symtransformer.judge.uses import Chain, Setting
from symtransformer.operations import Addition, Hadamard, Softmax
from symtransformer.usual_names import derive_named

LONG = {
    "a power": "Y = " + "X " * 90,
    "a sum of products": "Y = " + " + ".join(f"X_{k} W_{k}" for k in range(1, 51)),
}


@pytest.mark.parametrize("name", LONG)
def test_a_long_formula_is_proved_and_its_wrong_twins_are_not(name):
    gradient = differentiate(derive_named(dict(read_expression(LONG[name]).lines)))
    steps, last = gradient.derivation.steps, gradient.derivation.steps[-1]
    claim = last.derivative
    assert compare_with_derivative(next(Chain(last.expression, claim, Setting(steps)).of_letters())).equal
    first, *others = last.expression._children
    for wrong in [2 * last.expression] if name != "a power" else [Addition(first, first, *others)]:
        found = compare_with_derivative(next(Chain(wrong, claim, Setting(steps)).of_letters()))
        assert not found.equal


def test_a_sum_of_sums_counts_every_term_as_often_as_it_is_added():
    n, d = dimension("n"), dimension("d")
    X, W = matrix("X", n, d), matrix("W", n, d)
    total = X + W
    for _ in range(60):  # 2**60 times both, with 61 nodes
        total = Addition(total, total)
    assert have_same_formula(total, Addition(2**60 * X, 2**60 * W))
    assert not have_same_formula(total, Addition(2**60 * X, (2**60 - 1) * W))
    nested = Addition(Addition(X, W), Addition(W, Hadamard(X, W)))
    right = Addition(X, 2 * W, Hadamard(W, X))
    assert have_same_formula(nested, right)
    assert not have_same_formula(nested, Addition(X, W, Hadamard(W, X)))
    G = matrix("G", n, d)
    for gradient, equal in ((Addition(G, Hadamard(G, W)), True), (Addition(2 * G, Hadamard(G, W)), False), (G, False)):
        assert compare_with_derivative(Claim(gradient, X, X, (Use(nested, G),))).equal is equal
    twice = Addition(X, W, X)
    assert compare_with_derivative(Claim(2 * G, X, X, (Use(twice, G),))).equal
    assert not compare_with_derivative(Claim(G, X, X, (Use(twice, G),))).equal


def test_points_end_where_they_take_too_much_work():
    wide = matrix("X", 200, 200)  # one product of it takes 8 million products of entries
    found = at_points(Equation(Softmax(wide @ wide), Softmax(wide @ wide.T)))
    assert (found.kind, "would take more than" in found.reason) == ("undecidable", True)
    n = dimension("n")
    X = matrix("X", n, n)
    assert at_points(Equation(Softmax(X @ X.T), Softmax(X @ X))).kind == "refuted"
    assert at_points(Equation(Softmax(X @ (X @ X)), Softmax((X @ X) @ X))).kind == "tested"
