"""Where expressions have a value, and what points cannot decide about them."""

from __future__ import annotations

import pytest
from sympy import Function, Piecewise, Rational, Symbol, exp, log, oo, sqrt

import symtransformer.operations as ops
from symtransformer import dimension, head_index, matrix, parameter
from symtransformer.domains import conditions, functions_in_pieces
from symtransformer.judge import judge_equation
from symtransformer.symbols import Literal

n, m, d = dimension("n"), dimension("m"), dimension("d")
A, B, c, v = matrix("A", n, m), matrix("B", n, m), matrix("c", n, 1), matrix("v", n, 1)
eps, base = parameter("epsilon"), parameter("b")
index, head = Symbol("k", integer=True, nonnegative=True), head_index("i")
base_length = Symbol("l", integer=True, nonnegative=True)
HIDDEN = Literal([[0, -oo]])


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
        ops.SiLU(A),
        ops.Logarithm(ops.Sigmoid(A)),
        ops.EntryDivision(A, ops.Sigmoid(A)),
        ops.Sigmoid(ops.Mask(A, ops.CausalMask(n, m))),
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
        (ops.Standardization(A, 0), {("not 0", ROOT)}),
        (ops.Standardization(A, 0).stages().whole, {("not 0", ROOT)}),
        (ops.RMSDivision(A, eps), {("not 0", ROOT_EPS), ("root", ROOT_EPS)}),
        (ops.RMSDivision(A, eps).stages().whole, {("not 0", ROOT_EPS), ("root", ROOT_EPS)}),
        (ops.SquareRoot(v), {("root", ops.SquareRoot(v))}),
        (ops.SquareRoot(ops.RowSum(ops.Hadamard(A, A)), -1), {("root", ops.SquareRoot(ops.RowSum(ops.Hadamard(A, A)), -1))}),
        (ops.SquareRoot(ops.RowSum(ops.Hadamard(A, B))), {("root", ops.SquareRoot(ops.RowSum(ops.Hadamard(A, B))))}),
        (ops.Logarithm(A), {("positive", A)}),
        (ops.Logarithm(ops.Exponential(A)), set()),
        (ops.Logarithm(ops.Softmax(A)), set()),
        (ops.Logarithm(ops.Softmax(ops.Mask(A, B))), {("positive", ops.Softmax(ops.Mask(A, B))), ("some finite", ops.Mask(A, B))}),
        (ops.Logarithm(-ops.Ones(n, m)), {("positive", -ops.Ones(n, m))}),
        (ops.EntryDivision(A, B), {("not 0", B)}),
        (ops.EntryDivision(A, ops.Hadamard(ops.Exponential(A), ops.Softmax(B))), set()),
        (ops.RowDivision(A, ops.RowSum(ops.Heaviside(A))), {("not 0", ops.RowSum(ops.Heaviside(A)))}),
        (ops.RowDivision(A, ops.SquareRoot(ops.RowSum(ops.Hadamard(A, A)))),
         {("not 0", ops.SquareRoot(ops.RowSum(ops.Hadamard(A, A))))}),
        (ops.PairTurn(A), {("even", m)}),
        (ops.RotaryAngles(n, 2 * d, 0, base), {("positive", base)}),
        (ops.SinusoidalEncoding(n, d, 0, base), {("positive", base)}),
        (ops.Softmax(ops.Mask(A, B)), {("some finite", ops.Mask(A, B))}),
        (ops.Softmax(ops.Mask(A, B)).stages().whole, {("some finite", ops.Mask(A, B))}),
        (ops.LogSumExp(ops.Mask(A, B)).stages().whole, {("some finite", ops.Mask(A, B))}),
        (ops.Softmax(ops.Mask(matrix("S", n, n), ops.CausalMask(n))), set()),
        (ops.Softmax(ops.CausalMask(3, 2)), {("some finite", ops.CausalMask(3, 2))}),
        (ops.Softmax(ops.PaddingMask(n, m, base_length)), {("some finite", ops.PaddingMask(n, m, base_length))}),
        (ops.Softmax(Literal([[0, -oo], [-oo, 0]])), set()),
        (ops.Softmax(Literal([[0, -oo], [-oo, -oo]])), {("some finite", Literal([[0, -oo], [-oo, -oo]]))}),
        (ops.Hadamard(HIDDEN, HIDDEN), {("finite", ops.Hadamard(HIDDEN, HIDDEN))}),
        (-HIDDEN, {("finite", -HIDDEN)}),
        (HIDDEN * 2, set()),
        (Literal([[oo]]), {("finite", Literal([[oo]]))}),
        (ops.Row(A, index), {("not negative", n - index - 1)}),
        (ops.Row(A, n - 1), set()),
        (ops.HeadSum(ops.ColumnSlice(matrix("W", n, d * m), head * d, d), head, m), set()),
        (ops.HeadSum(ops.ColumnSlice(matrix("W", n, d * m), head * d, d), head, m + 1), {("not negative", d * m - d - d * head)}),
        (A * sqrt(base), {("value", sqrt(base))}),
        (A * (1 / base), {("value", 1 / base)}),
        (Literal([[log(base)]]), {("value", log(base))}),
        (A * Piecewise((1, base > 0)), {("value", Piecewise((1, base > 0)))}),
        (A * Function("f")(base), {("value", Function("f")(base))}),
        (A * exp(-base), set()),
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
        (ops.ReLU(A), "ReLU"),
        (ops.SquareRoot(A), "SquareRoot"),
        (ops.SquareRoot(ops.Hadamard(A, A)), "SquareRoot"),
        (ops.SquareRoot(ops.Hadamard(A, A), 1), ""),
        (ops.RMSDivision(A, 0), "RMSDivision"),
        (A * (-1) ** n, "(-1)**n"),
        (ops.ReLU(A + 100 * ops.Ones(n, m)), "ReLU"),
        (ops.ReLU(ops.ReLU(A) - ops.Ones(n, m)), "ReLU"),
        (ops.ReLU(ops.Cosine(A)), "ReLU"),
        (ops.ReLU(ops.Addition(matrix("A", 1, 2), [[5, 6]])), "ReLU"),
        (ops.GELU(A), ""),
        (ops.SiLU(ops.Sigmoid(A)), ""),
        (ops.Standardization(A, eps), "Standardization"),
        (ops.Standardization(A), ""),
    ],
)
def test_functions_in_pieces(expression, names):
    assert functions_in_pieces(expression) == names


def test_a_corner_that_no_point_meets_is_not_called_tested():
    far = A + 10**9 * ops.Ones(n, m)
    assert judge_equation(ops.ReLU(far), far).kind == "undecidable"
    assert judge_equation(ops.Hadamard(ops.Heaviside(far), A), A).kind == "undecidable"
    assert judge_equation(ops.ReLU(A), A).kind == "refuted"
    assert judge_equation(ops.ReLU(A) - ops.ReLU(-A), A).kind == "proved"
    assert judge_equation(ops.Hadamard(A, ops.Heaviside(A)), ops.ReLU(A)).kind == "proved"
    assert judge_equation(ops.GELU(A), ops.GELUTanh(A)).kind == "refuted"
    assert judge_equation(ops.Standardization(A), ops.Standardization(A, Rational(1, 10**12))).kind == "refuted"
