"""The arithmetic of one entry where functions, roots and conditions stand in it: as written, and true."""

from __future__ import annotations

import pytest
from page_reading import chains
from sympy import Rational, S, erf, sqrt, tanh

import symtransformer.operations as ops
from symtransformer import derive, evaluate, matrix, render, verify
from symtransformer.rendering.arithmetic import entry_arithmetic, value_of

X = matrix("X", 2, 3)
GIVEN = {X: [[1, -2, 4], [-1, 0, Rational(1, 2)]]}


def entries(expression):
    page = render(verify(derive(expression, values=GIVEN)), "txt", detail="entries")
    body = page.partition("Entry by entry:")[2].partition("Exact values")[0]
    return {chain.left: " ".join(f"{sign} {term}" for sign, term in chain.rights) for chain in chains(body)}


@pytest.mark.parametrize(
    ("expression", "place", "shown"),
    [
        (ops.ReLU(X), "y_12", "= max(0, x_12) = max(0, -2) = 0"),
        (ops.ReLU(X), "y_13", "= max(0, x_13) = max(0, 4) = 4"),
        (ops.Heaviside(X), "y_11", "= step(x_11) = step(1) = 1"),
        (ops.Heaviside(X), "y_22", "= step(x_22) = step(0) = 0"),
        (ops.Hardmax(X), "y_13", "= hardmax(x_11, x_12, x_13)_3 = hardmax(1, -2, 4)_3 = 1"),
        (ops.Tanh(X), "y_21", "= tanh(x_21) = tanh(-1) ≈ -0.7616"),
        (ops.Sine(ops.Cosine(X)), "y_11", "= sin(cos(x_11)) = sin(cos(1)) ≈ 0.5144"),
        (ops.SquareRoot(X, 3), "y_13", "= sqrt(x_13 + 3) = sqrt(4 + 3) ≈ 2.6458"),
        (ops.SquareRoot(ops.Hadamard(X, X)), "y_12", "= sqrt(x_12 x_12) = sqrt((-2) × (-2)) = 2"),
        (ops.GELU(X), "y_23", "= x_23 (1 + erf(x_23 / sqrt(2))) / 2 = 0.5 × (1 + erf(0.5 / sqrt(2))) / 2 ≈ 0.3457"),
        (ops.Sigmoid(X), "y_11", "= 1 / (1 + exp(-x_11)) = 1 / (1 + exp(-1)) ≈ 0.7311"),
        (ops.SiLU(X), "y_12", "= x_12 / (1 + exp(-x_12)) = (-2) / (1 + exp(-(-2))) ≈ -0.2384"),
        (ops.RMSDivision(X, 1), "y_23", "= x_23 / sqrt((x_21^2 + x_22^2 + x_23^2) / 3 + 1) "
                                        "= 0.5 / sqrt(((-1)^2 + 0^2 + 0.5^2) / 3 + 1) ≈ 0.4201"),
        (ops.LogSumExp(X), "y_1", "= log(exp(x_11) + exp(x_12) + exp(x_13)) = log(exp(1) + exp(-2) + exp(4)) ≈ 4.0509"),
        (ops.EntryDivision(X, ops.Hadamard(X, X) + ops.Ones(2, 3)), "y_13",
         "= x_13 / (x_13 x_13 + 1) = 4 / (4 × 4 + 1) ≈ 0.2353"),
    ],
)  # fmt: skip
def test_entries_as_written(expression, place, shown):
    assert entries(expression)[place] == shown


def test_the_mean_and_the_variance_keep_their_order():
    shown = entries(ops.Standardization(X, Rational(1, 4)))["y_13"]
    mean = "(x_11 + x_12 + x_13) / 3"
    squares = " + ".join(f"(x_1{k} - {mean})^2" for k in (1, 2, 3))
    assert shown.startswith(f"= (x_13 - {mean}) / sqrt(({squares}) / 3 + 0.25) = (4 - (1 - 2 + 4) / 3) / ")


OPERATIONS = [
    ops.ReLU, ops.Heaviside, ops.Hardmax, ops.Tanh, ops.Sine, ops.Cosine, ops.GELU, ops.GELUTanh, ops.NormalDistribution,
    ops.Sigmoid, ops.SiLU, ops.Standardization, ops.RMSDivision, ops.LogSumExp, lambda a: ops.SquareRoot(a, 7), ops.PairTurn,
    lambda a: ops.Logarithm(ops.Hadamard(a, a) + ops.Ones(2, 4)),
]  # fmt: skip


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda x: getattr(x, "__name__", "lambda"))
def test_the_tree_has_the_value_of_the_entry(operation):
    A = matrix("A", 2, 4)
    numbers = [[Rational(7, 3), -2, sqrt(2), 0], [-1, Rational(1, 9), 3, Rational(-5, 2)]]
    expression = operation(A)
    exact = evaluate(expression, {A: numbers})
    for i in range(exact.rows):
        for j in range(exact.cols):
            tree = entry_arithmetic(expression, i, j)
            found = value_of(tree, lambda _, r, c: S(numbers[r][c]))
            assert abs((found - exact[i, j]).evalf(40)) < 1e-35


def test_values_of_calls():
    tree = entry_arithmetic(ops.GELU(X), 0, 2)
    assert value_of(tree, lambda *_: S(4)).equals(2 * (1 + erf(2 * sqrt(2))))
    assert value_of(entry_arithmetic(ops.Tanh(X), 0, 0), lambda *_: S(3)) == tanh(3)
    hard = entry_arithmetic(ops.Hardmax(X), 0, 1)
    assert value_of(hard, lambda _, i, j: S([5, 5, 1][j])) == Rational(1, 2)


def test_a_quotient_before_a_factor_is_fenced():
    """x / 2 (1 + t) would be read in two ways."""
    product = ops.Hadamard(X / 2, ops.Ones(2, 3) + X)
    assert entries(product)["y_11"] == "= (x_11 / 2) (1 + x_11) = (1 / 2) × (1 + 1) = 1"
