"""−∞ and +∞ as entries: exact numbers, balls and NumPy give the same, or refuse alike."""

import numpy as np
import pytest
from mpmath import mp, mpf
from sympy import I, Rational, S, oo, zoo

from symtransformer import evaluate, matrix
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.node import as_node
from symtransformer.operations import (
    GELU,
    Addition,
    Broadcast,
    CrossEntropy,
    EntryDivision,
    Exponential,
    GELUTanh,
    Hadamard,
    Hardmax,
    HeadSum,
    Heaviside,
    InfoNCE,
    LogSumExp,
    Mask,
    NormalDistribution,
    PairTurn,
    Product,
    ReLU,
    RMSDivision,
    RowDivision,
    RowSum,
    Scaling,
    Sigmoid,
    SiLU,
    Softmax,
    Standardization,
    Tanh,
)
from symtransformer.operations.temperature import temperature_limits
from symtransformer.symbols import head_index

ROUTES = ({}, {"digits": 20}, {"backend": "numpy"})
HALF = Rational(1, 2)


def flat(value):
    return [float(x) for x in np.array(value.tolist(), dtype=float).ravel()]


# the value at −∞ beside a finite entry of 1, from the limit of each function
LIMITS = {
    ReLU: [0, 1],
    Heaviside: [0, 1],
    Tanh: [-1, float(mp.tanh(1))],
    Sigmoid: [0, float(1 / (1 + mp.exp(-1)))],
    NormalDistribution: [0, float(mp.ncdf(1))],
    Exponential: [0, float(mp.e)],
    Hardmax: [0, 1],
    Softmax: [0, 1],
    LogSumExp: [1],
    RowSum: [-np.inf],
}


@pytest.mark.parametrize("route", ROUTES, ids=str)
@pytest.mark.parametrize("operation", LIMITS, ids=lambda op: op.__name__)
def test_a_function_of_minus_infinity_is_its_limit(operation, route):
    assert np.allclose(flat(evaluate(operation([[-oo, 1]]), **route)), LIMITS[operation], rtol=1e-15)


@pytest.mark.parametrize("route", ROUTES, ids=str)
@pytest.mark.parametrize("operation", LIMITS, ids=lambda op: op.__name__)
def test_plus_infinity_is_refused(operation, route):
    with pytest.raises(NotSupported):
        evaluate(operation([[1, oo]]), **route)


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_a_sum_with_minus_infinity_is_minus_infinity(route):
    i = head_index("i")
    A = matrix("A", 1, 2).of_head(i)
    assert flat(evaluate(Addition([[-oo, 1]], [[2, 5]], [[3, -oo]]), **route)) == [-np.inf, -np.inf]
    assert flat(evaluate(Broadcast([[-oo], [3]], 2), **route)) == [-np.inf, -np.inf, 3, 3]
    assert flat(evaluate(HeadSum(A, i, 3), {A: [[[1, 2]], [[-oo, 3]], [[5, 7]]]}, **route)) == [-np.inf, 12]


REFUSED = {
    "Scaling turns the sign": lambda: Scaling([[-oo, 1]], -1, 1),
    "Scaling by 0": lambda: Scaling([[-oo, 1]], 0, 1),
    "softmax of a changed sign": lambda: Softmax(-matrix_of([-oo, 1])),
    "Exponential of a changed sign": lambda: Exponential(-Exponential([[oo, 1]])),
    "Mask with +∞": lambda: Mask([[1, 2]], [[oo, 0]]),
    "softmax under +∞": lambda: Softmax(Mask([[1, 2, 3]], [[0, oo, -oo]])),
    "Hadamard with 3": lambda: Hadamard([[-oo, 1]], [[3, 0]]),
    "Hadamard of both": lambda: Hadamard([[-oo, 1]], [[-oo, 0]]),
    "Hadamard of 0 and +∞": lambda: Hadamard([[oo, 1]], [[0, 0]]),
    "Product": lambda: Product([[-oo, 1]], [[2], [3]]),
    "GELU": lambda: GELU([[-oo, 1]]),
    "GELUTanh": lambda: GELUTanh([[-oo, 1]]),
    "SiLU": lambda: SiLU([[-oo, 1]]),
    "EntryDivision below": lambda: EntryDivision([[1, 1]], [[-oo, 2]]),
    "EntryDivision above": lambda: EntryDivision([[-oo, 1]], [[1, 2]]),
    "EntryDivision by 0": lambda: EntryDivision([[1, 1]], [[0, 2]]),
    "RowDivision by −∞": lambda: RowDivision([[1, 1]], [[-oo]]),
    "RowDivision by 0": lambda: RowDivision([[0, 1]], [[0]]),
    "PairTurn": lambda: PairTurn([[-oo, 1]]),
    "Standardization": lambda: Standardization([[-oo, 1]]),
    "RMSDivision": lambda: RMSDivision([[-oo, 1]]),
    "cross-entropy of an impossible target": lambda: CrossEntropy([[-oo, 1, 2]], [[Rational(1, 9), Rational(8, 9), 0]]),
}


def matrix_of(row):
    return Addition([row], [[0] * len(row)])


@pytest.mark.parametrize("route", ROUTES, ids=str)
@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_value_is_refused_in_every_route(name, route):
    with pytest.raises(NotSupported):
        evaluate(REFUSED[name](), **route)


def test_refusals_are_short_and_say_what_would_do():
    with pytest.raises(NotSupported, match="any other number is added to it"):
        evaluate(Mask([[1]], [[oo]]))
    with pytest.raises(NotSupported, match="scale before the mask") as found:
        evaluate(Scaling([[-oo, 1]], -1, 3), digits=5)
    assert len(str(found.value)) < 100


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_a_finite_mark_is_added(route):
    assert flat(evaluate(Mask([[1, 2, 7]], [[0, -HALF, -oo]]), **route)) == [1, 1.5, -np.inf]


# -- a candidate that cannot be chosen ------------------------------------------------------------------
def loss(row, targets):
    """−Σ y ln p over the candidates that can be chosen, in 40 digits."""
    with mp.workdps(40):
        usable = [(mpf(x), mpf(y.p) / y.q) for x, y in zip(row, targets, strict=True) if x != -oo]
        total = mp.log(mp.fsum(mp.exp(x) for x, _ in usable))
        return -mp.fsum(y * (x - total) for x, y in usable)


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_cross_entropy_beside_a_candidate_that_cannot_be_chosen(route):
    logits, targets = [[-oo, 1, 3], [2, 0, -oo]], [[S.Zero, S.One, S.Zero], [HALF, HALF, S.Zero]]
    wanted = [loss(*pair) for pair in zip(logits, targets, strict=True)]
    found = flat(evaluate(CrossEntropy(logits, targets, reduction="none"), **route))
    assert np.allclose(found, [float(x) for x in wanted], rtol=1e-14)
    assert np.allclose(flat(evaluate(CrossEntropy(logits, targets), **route)), float(sum(wanted) / 2), rtol=1e-14)
    scaled = [2 * x for x in logits[0]]
    masked = evaluate(InfoNCE([logits[0]], [targets[0]], HALF), **route)
    assert np.allclose(flat(masked), float(loss(scaled, targets[0])), rtol=1e-14)


def test_0_times_minus_infinity_is_0_only_where_the_0_is_certain():
    x = matrix("x", 1, 1)
    with pytest.raises(NotSupported):
        Hadamard(x, [[-oo]]).as_explicit()
    assert evaluate(Hadamard([[0, 5]], [[-oo, 2]])).tolist() == [[0, 10]]


def test_the_limit_of_a_high_temperature_leaves_minus_infinity_at_0():
    assert evaluate(temperature_limits([[0, -oo, 1]])[1]).tolist() == [[HALF, 0, HALF]]
    masked = Mask([[5, 1, 2]], [[0, 0, -oo]])
    assert evaluate(temperature_limits(masked)[1]).tolist() == [[HALF, HALF, 0]]
    with pytest.raises(NotSupported, match="put numbers in first"):
        temperature_limits(Mask(matrix("L", 1, 3), [[0, 0, -oo]]))


def test_an_entry_that_is_no_number_is_refused():
    for wrong in (zoo, I):
        with pytest.raises((NotSupported, UnreadableInput)):
            evaluate(Softmax([[wrong, 1]]))


def test_a_mask_does_not_hide_what_is_undefined():
    with pytest.raises(NotSupported):
        Mask.numpy(np.array([[np.nan, 1.0]]), np.array([[-np.inf, 0.0]]))
    with pytest.raises(NotSupported):
        Heaviside.numpy(np.array([[np.nan, 1.0]]))


def test_behind_softmax_the_cotangent_of_a_hidden_score_is_0():
    """Only so may the rule of the mask pass it on."""
    G = [[3, -7, 11]]
    masked = Mask([[1, 2, 4]], [[0, -oo, -HALF]])
    for behind, cotangent in ((Softmax, G), (Exponential, G), (LogSumExp, [[5]])):
        passed = evaluate(behind(masked).vjp(as_node(cotangent))[0])
        assert passed[0, 1] == 0
        assert passed[0, 0] != 0
    assert "where M is −∞ the Jacobian is 0" in Mask.__doc__
