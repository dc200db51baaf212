"""Where expressions have a value, and what points cannot decide about them."""

from __future__ import annotations

import pytest
from sympy import Mod, Rational

import symtransformer.operations as ops
from symtransformer import dimension, matrix, parameter
from symtransformer.domains import conditions, functions_in_pieces
from symtransformer.judge import judge_equation

n, m, d = dimension("n"), dimension("m"), dimension("d")
A, B, c, v = matrix("A", n, m), matrix("B", n, m), matrix("c", n, 1), matrix("v", n, 1)
eps, base = parameter("epsilon"), parameter("b")


@pytest.mark.parametrize(
    "defined",
    [
        ops.Standardization(A),
        ops.Standardization(A).stages().whole,
        ops.RMSDivision(A, 1),
        ops.RMSDivision(A).stages().whole,
        ops.LogSumExp(A),
        ops.LogSumExp(A).stages().whole,
        ops.Softmax(A).stages().whole,
        ops.SquareRoot(ops.Hadamard(A, A)),
        ops.SquareRoot(ops.ReLU(A), Rational(1, 2)),
        ops.RowDivision(A, ops.SquareRoot(ops.RowSum(ops.Hadamard(A, A)), 1)),
        ops.Logarithm(ops.Ones(n, m) + ops.Softmax(A)),
        ops.Hardmax(A),
        ops.GELU(A),
        ops.RotaryEmbedding(matrix("Q", n, 2 * d)).definition().whole,
        ops.SinusoidalEncoding(n, m),
    ],
)
def test_always_defined(defined):
    assert conditions(defined) == set()


ROOT = ops.Standardization(A, 0).stages().whole.args[1]
ROOT_EPS = ops.RMSDivision(A, eps).stages().whole.args[1]


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        (ops.Standardization(A, 0), {ROOT}),
        (ops.Standardization(A, 0).stages().whole, {ROOT}),
        (ops.RMSDivision(A, eps), {ROOT_EPS}),
        (ops.RMSDivision(A, eps).stages().whole, {ROOT_EPS}),
        (ops.SquareRoot(v), {ops.SquareRoot(v)}),
        (ops.SquareRoot(ops.RowSum(ops.Hadamard(A, A)), -1), {ops.SquareRoot(ops.RowSum(ops.Hadamard(A, A)), -1)}),
        (ops.SquareRoot(ops.RowSum(ops.Hadamard(A, B))), {ops.SquareRoot(ops.RowSum(ops.Hadamard(A, B)))}),
        (ops.Logarithm(A), {A}),
        (ops.Logarithm(ops.Exponential(A)), {ops.Exponential(A)}),  # e^-∞ is 0
        (ops.Logarithm(ops.Softmax(A)), {ops.Softmax(A)}),
        (ops.Logarithm(-ops.Ones(n, m)), {-ops.Ones(n, m)}),
        (ops.EntryDivision(A, B), {B}),
        (ops.RowDivision(A, ops.RowSum(ops.Heaviside(A))), {ops.RowSum(ops.Heaviside(A))}),
        (ops.RowDivision(A, ops.SquareRoot(ops.RowSum(ops.Hadamard(A, A)))),
         {ops.SquareRoot(ops.RowSum(ops.Hadamard(A, A)))}),
        (ops.PairTurn(A), {Mod(m, 2)}),
        (ops.RotaryAngles(n, 2 * d, 0, base), {base}),
        (ops.SinusoidalEncoding(n, d, 0, base), {base}),
    ],
)  # fmt: skip
def test_conditions(expression, wanted):
    assert conditions(expression) == wanted


def test_the_note_on_where_both_are_defined():
    both = judge_equation(ops.Standardization(A), ops.Standardization(A).stages().whole)
    assert both.reason == "both sides have the same entry formula, for all sizes"
    one = judge_equation(ops.EntryDivision(ops.Hadamard(A, B), B), A)
    assert one.kind in ("proved", "tested")
    assert one.kind == "tested" or one.reason.endswith("wherever both are defined")


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        (ops.Heaviside(A), "Heaviside"),
        (ops.Hardmax(A + B), "Hardmax"),
        (ops.Hardmax(A) + ops.Heaviside(B), "Hardmax, Heaviside"),
        (ops.ReLU(A), ""),
        (ops.ReLU(A @ matrix("W", m, d) + ops.Ones(n, 1) @ matrix("b", d, 1).T), ""),
        (ops.ReLU(ops.Standardization(A)), ""),
        (ops.ReLU(A + 100 * ops.Ones(n, m)), "ReLU"),
        (ops.ReLU(ops.ReLU(A) - ops.Ones(n, m)), "ReLU"),
        (ops.ReLU(ops.Cosine(A)), "ReLU"),
        (ops.ReLU(ops.Addition(matrix("A", 1, 2), [[5, 6]])), "ReLU"),
        (ops.GELU(A), ""),
        (ops.Standardization(A, eps), ""),
    ],
)
def test_functions_in_pieces(expression, names):
    assert functions_in_pieces(expression) == names


def test_a_corner_that_no_point_meets_is_not_called_tested():
    far = A + 10**9 * ops.Ones(n, m)
    assert judge_equation(ops.ReLU(far), far).kind == "undecidable"
    assert judge_equation(ops.Hadamard(ops.Heaviside(far), A), A).kind == "undecidable"
    assert judge_equation(ops.ReLU(A), A).kind == "refuted"
    assert judge_equation(ops.ReLU(A) - ops.ReLU(-A), A).kind in ("proved", "tested")
    assert judge_equation(ops.Hadamard(A, ops.Heaviside(A)), ops.ReLU(A)).kind in ("proved", "undecidable")
    assert judge_equation(ops.GELU(A), ops.GELUTanh(A)).kind == "refuted"
    assert judge_equation(ops.Standardization(A), ops.Standardization(A, Rational(1, 10**12))).kind == "refuted"
