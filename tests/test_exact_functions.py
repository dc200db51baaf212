"""Functions over exact numbers and balls: values against mpmath, signs and ties decided exactly, refusals."""

from __future__ import annotations

import random

import numpy as np
import pytest
from mpmath import mp, mpf
from sympy import (
    Abs,
    Eq,
    Integer,
    Max,
    Min,
    Piecewise,
    Rational,
    S,
    cos,
    erf,
    erfc,
    exp,
    log,
    pi,
    sin,
    sqrt,
    symbols,
    tanh,
)  # fmt: skip

import symtransformer.operations as ops
from symtransformer import evaluate, matrix, parameter
from symtransformer.enclosures import Balls, ball, precision, sign_of
from symtransformer.errors import LimitExceeded, NotSupported
from symtransformer.exact import Exact
from symtransformer.operation import compute

ROOT_2, ROOT_3, ROOT_6 = sqrt(2), sqrt(3), sqrt(6)
NESTED, PLAIN = sqrt(3 + 2 * ROOT_2), 1 + ROOT_2  # the same number, which the zero test does not know
x, y = symbols("x y")
TWICE = {
    "tanh": (tanh, mp.tanh), "erf": (erf, mp.erf), "erfc": (erfc, mp.erfc), "sin": (sin, mp.sin), "cos": (cos, mp.cos),
    "exp": (exp, mp.exp), "log |x|": (lambda v: log(Abs(v)), lambda v: mp.log(abs(v))),
    "Max": (lambda v: Max(v, ROOT_2 / 3, evaluate=False), lambda v: max(v, mp.sqrt(2) / 3)),
    "Min": (lambda v: Min(v, ROOT_2 / 3, S.Zero, evaluate=False), lambda v: min(v, mp.sqrt(2) / 3, 0)),
    "cases": (lambda v: Piecewise((sin(x), x > pi / 3), (cos(x), x < 0), (x, True)).subs(x, v),
              lambda v: mp.sin(v) if v > mp.pi / 3 else mp.cos(v) if v < 0 else v),
}  # fmt: skip


# -- balls -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", TWICE)
def test_balls_hold_the_number(name):
    ours, theirs = TWICE[name]
    source = random.Random(name)
    for _ in range(20):
        value = Rational(source.randint(-900, 900), source.randint(50, 300)) or S.One
        with precision(300), mp.workdps(80):
            found = ball(ours(value))
            wanted = theirs(mpf(int(value.p)) / int(value.q))
            assert float(found.rad()) < 1e-70
            assert abs(mpf(found.str(75, radius=False)) - wanted) < mpf(10) ** -70, value
            assert (
                abs(mpf(found.str(75, radius=False)) - wanted * (1 + mpf(10) ** -60)) > mpf(10) ** -70
                or abs(wanted) < 1e-9
            )


def test_a_case_at_its_border():
    cases = Piecewise((S(1), x > y), (S(2), Eq(x, y)), (S(3), True))
    border = {x: ROOT_2 * ROOT_3 + 1, y: ROOT_6 + 1}
    for shift, wanted in ((0, 2), (Rational(1, 10**200), 1), (-Rational(1, 10**200), 3)):
        rule = {x: border[x] + shift, y: border[y]}
        assert ball(cases.xreplace({x: rule[x], y: rule[y]})) == wanted
    with pytest.raises(LimitExceeded, match="is not decided"):
        ball(Piecewise((S(1), x > y), (S(2), True), evaluate=False).xreplace({x: erf(1) + erfc(1), y: 1}))


# -- signs -----------------------------------------------------------------------------------------------
TINY = Rational(1, 10**400)
SIGNS = [
    (S.Zero, 0), (Rational(-1, 7), -1), (ROOT_2 * ROOT_3 - ROOT_6, 0), ((ROOT_2 - 1) * (ROOT_2 + 1) - 1, 0),
    ((ROOT_2 - 1) * (ROOT_2 + 1) - 1 - TINY, -1), (exp(1) - exp(1) / (1 + TINY), 1),
    (exp(ROOT_2) * exp(-ROOT_2) - 1, 0), (sin(ROOT_2) ** 2 + cos(ROOT_2) ** 2 - 1, 0),
    (2 * sin(ROOT_2) * cos(ROOT_2) - sin(2 * ROOT_2) + TINY, 1), (pi - Rational(355, 113), -1),
    (tanh(Rational(3, 2)) - (exp(3) - 1) / (exp(3) + 1), 0), (tanh(Integer(200)) - 1, -1), (erf(3) - 1, -1),
]  # fmt: skip


@pytest.mark.parametrize(("value", "sign"), SIGNS)
def test_signs_are_exact(value, sign):
    assert sign_of(value) == sign
    assert sign_of(-value) == -sign
    assert Exact().sign(value) == sign
    assert Exact().step(value) == int(sign > 0)
    assert Exact().relu(value) == (value if sign > 0 else 0)


def test_what_is_not_decided():
    nested = NESTED - PLAIN
    with pytest.raises(LimitExceeded, match="is not decided with 4096 bits"):
        sign_of(nested)
    with pytest.raises(LimitExceeded):
        Exact().step(nested)
    with pytest.raises(LimitExceeded):
        Exact().shares([NESTED, PLAIN, S.Zero])
    with precision(100):
        assert abs(ball(Exact().relu(nested))) < 1e-20  # max(0, x) stays, and is right whatever the sign
        step = Balls().step(ball(nested))
        assert step.contains(0)
        assert step.contains(1)
        shares = Balls().shares([ball(NESTED), ball(PLAIN), ball(S.Zero)])
        assert [s.contains(Rational(1, 2).p / 2) for s in shares] == [True, True, False]


def test_letters_stay_letters():
    t = parameter("t")
    A = matrix("A", 1, 2)
    value = evaluate(ops.ReLU(A), {A: [[t, -3]]})
    assert value[0, 0] == Max(0, t)
    assert value[0, 1] == 0
    for number in (-2, 0, Rational(7, 3)):
        for operation in (ops.ReLU, ops.Heaviside, ops.Hardmax, ops.GELU, ops.GELUTanh, ops.SiLU, ops.Standardization):
            symbolic = evaluate(operation(A), {A: [[t, -3]]}).subs(t, number)
            exact = evaluate(operation(A), {A: [[number, -3]]})
            assert max(abs(u - v).evalf(40) for u, v in zip(symbolic, exact, strict=True)) < 1e-35


# -- ties ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        ([1, 2, 2], [0, Rational(1, 2), Rational(1, 2)]),
        ([2, 1, 2, 2], [Rational(1, 3), 0, Rational(1, 3), Rational(1, 3)]),
        ([ROOT_2 * ROOT_3, ROOT_6], [Rational(1, 2)] * 2),
        ([ROOT_6, ROOT_2 * ROOT_3 + TINY], [0, 1]),
        ([-1, -S.Infinity, -1, -2], [Rational(1, 2), 0, Rational(1, 2), 0]),
        ([0.3, 0.1 + 0.2], [0, 1]),  # as decimals 0.3 and 0.30000000000000004
        ([5], [1]),
    ],
)
def test_hardmax_shares_exactly(row, wanted):
    A = matrix("A", 1, len(row))
    assert list(evaluate(ops.Hardmax(A), {A: [row]})) == wanted
    assert sum(evaluate(ops.Hardmax(A), {A: [row]})) == 1


def test_hardmax_is_the_limit_of_softmax():
    A = matrix("A", 2, 3)
    values = {A: [[1, 3, 2], [4, 0, 4]]}
    cold = evaluate(ops.Softmax(10**4 * A), values, digits=30)
    hard = evaluate(ops.Hardmax(A), values)
    assert max(abs(u - v) for u, v in zip(cold, hard, strict=True)) < 1e-29


def test_hardmax_over_balls_counts_equal_objects():
    with precision(64):
        one, two = ball(ROOT_2), ball(ROOT_3)
        assert [s == 0 for s in Balls().shares([one, two, two])] == [True, False, False]
        assert all((s * 2 - 1).contains(0) and s.rad() < 1e-10 for s in Balls().shares([one, two, two])[1:])


# -- digits where a plain formula would cancel ---------------------------------------------------------------
def _gelu_tanh(v):
    return v / (1 + mp.exp(-2 * mp.sqrt(2 / mp.pi) * (v + mpf("0.044715") * v**3)))


@pytest.mark.parametrize("value", [-100, -30, Rational(-7, 2), Rational(1, 10**20), 3, 50])
@pytest.mark.parametrize(
    ("operation", "wanted"),
    [
        (ops.GELU, lambda v: v * mp.erfc(-v / mp.sqrt(2)) / 2),
        (ops.NormalDistribution, lambda v: mp.erfc(-v / mp.sqrt(2)) / 2),
        (ops.GELUTanh, _gelu_tanh),
        (ops.Sigmoid, lambda v: mp.exp(v / 2) / (2 * mp.cosh(v / 2))),
        (ops.SiLU, lambda v: v * mp.exp(v / 2) / (2 * mp.cosh(v / 2))),
    ],
)
def test_digits_of_far_values(operation, wanted, value):
    A = matrix("A", 1, 1)
    found = evaluate(operation(A), {A: [[value]]}, digits=30)[0, 0]
    exact = evaluate(operation(A), {A: [[value]]})[0, 0]
    with mp.workdps(60):
        number = wanted(mpf(int(S(value).p)) / int(S(value).q))
        assert abs(mpf(str(found)) / number - 1) < mpf("1e-29")
        with precision(2048):
            assert abs(mpf(ball(exact).str(50, radius=False)) / number - 1) < mpf("1e-45")


def test_numpy_is_stable_on_both_sides():
    values = np.array([[-35.0, -20.0, -5.0, 0.0, 5.0, 1000.0]])
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        for operation in (ops.GELU, ops.GELUTanh, ops.NormalDistribution, ops.Sigmoid, ops.SiLU):
            found = operation.numpy(values)
            assert np.array_equal(operation.numpy(np.array([[-1000.0]])), [[0.0]])
            A = matrix("A", 1, 6)
            exact = evaluate(operation(A), {A: values.tolist()}, digits=20)
            assert np.allclose(found, np.array(exact.tolist(), dtype=float), rtol=1e-12, atol=1e-300)
        scores = np.array([[1000.0, 999.0, -np.inf], [-1000.0, -1000.0, -1000.0]])
        assert np.allclose(ops.LogSumExp.numpy(scores), [[1000.313261687518223], [-998.901387711331890]], rtol=1e-15)
        big = ops.Standardization.numpy(np.array([[1e6, 1e6 + 2.0]]), 1e-5)
        assert np.allclose(big, [[-1 / np.sqrt(1.00001), 1 / np.sqrt(1.00001)]], rtol=1e-9)


# -- refusals --------------------------------------------------------------------------------------------------
def by_every_route(operation, rows):
    A = matrix("A", len(rows), len(rows[0]))
    yield lambda: evaluate(operation(A), {A: rows})
    yield lambda: evaluate(operation(A), {A: rows}, digits=10)
    yield lambda: evaluate(operation(A), {A: rows}, backend="numpy")


@pytest.mark.parametrize(
    ("operation", "rows"),
    [
        (ops.Logarithm, [[1, 2], [0, 3]]),
        (ops.Logarithm, [[1, -2]]),
        (ops.SquareRoot, [[1, Rational(-1, 10**6)]]),
        (lambda a: ops.SquareRoot(a, Rational(-3, 2)), [[2, 1]]),
        (ops.LogSumExp, [[1, 2], [-S.Infinity, -S.Infinity]]),
        (ops.Hardmax, [[1, 2], [-S.Infinity, -S.Infinity]]),
    ],
)
def test_refused_by_every_route(operation, rows):
    for route in by_every_route(operation, rows):
        with pytest.raises(NotSupported):
            route()


@pytest.mark.parametrize("operation", [ops.LogSumExp, ops.Hardmax, ops.Softmax])
def test_a_row_without_keys_is_named(operation):
    masked = operation(ops.Mask(matrix("S", 3, 2), ops.CausalMask(3, 2)))
    for backend in ("exact", "numpy"):
        with pytest.raises(NotSupported, match="every entry of row 1 is −∞"):
            evaluate(masked, {"S": [[1, 2], [3, 4], [5, 6]]}, backend=backend)


def test_equal_entries_are_divided_by_the_root_of_eps():
    A = matrix("A", 1, 3)
    for value in (7, ROOT_2):
        assert evaluate(ops.Standardization(A), {A: [[value] * 3]}).is_zero_matrix
        with pytest.raises(NotSupported, match="division by"):
            evaluate(ops.Standardization(A, 0), {A: [[value] * 3]})
    assert list(evaluate(ops.RMSDivision(A), {A: [[0, 0, 0]]})) == [0, 0, 0]


def test_eps_stands_inside_the_root_and_the_variance_is_that_of_the_population():
    A = matrix("A", 1, 2)
    found = evaluate(ops.Standardization(A, Rational(1, 2)), {A: [[1, 2]]})[0, 1]
    assert found == Rational(1, 2) / sqrt(Rational(1, 4) + Rational(1, 2))
    assert evaluate(ops.RMSDivision(A, 2), {A: [[3, 1]]})[0, 0] == 3 / sqrt(Integer(7))


def test_roots_and_logarithms_of_hidden_zeros():
    hidden = ROOT_2 * ROOT_3 - ROOT_6 + (ROOT_2 - 1) * (ROOT_2 + 1) - 1
    assert Exact().apply("sqrt", hidden) == 0
    with pytest.raises(NotSupported, match="the logarithm of a number that is 0"):
        Exact().apply("log", hidden)
    with pytest.raises(NotSupported, match="the square root of a number that is negative"):
        Exact().apply("sqrt", hidden - TINY)
    with precision(100), pytest.raises(NotSupported, match="root or logarithm"):
        compute(ops.Logarithm(matrix("A", 1, 1)), Balls(), lambda a: [[ball(hidden)]])
