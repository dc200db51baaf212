"""Very large, very small and equal entries in NumPy: the value that mpmath gives, or a refusal by name."""

import numpy as np
import pytest
from mpmath import mp, mpf
from sympy import Matrix, Rational

from symtransformer import evaluate, matrix
from symtransformer.errors import NotSupported
from symtransformer.numpy_code import numpy_function
from symtransformer.operations import (
    CausalMask,
    CosineSimilarity,
    InfoNCE,
    LayerNorm,
    Linear,
    Mask,
    RMSDivision,
    RMSNorm,
    RotaryEmbedding,
    Scaling,
    Softmax,
    SquareRoot,
    Standardization,
)

EPS = Rational(1, 100_000)


def normalized(row, eps, centered):
    """Row over the root of its mean square plus eps, by mpmath with 400 digits."""
    with mp.workdps(800):
        row = [mpf(x) for x in row]
        mean = mp.fsum(row) / len(row) if centered else 0
        row = [x - mean for x in row]
        root = mp.sqrt(mp.fsum(x * x for x in row) / len(row) + (mpf(eps.p) / eps.q if eps else 0))
        return [float(x / root) for x in row]


ROWS = [
    [1e200, -1e200, 3e199], [1.7e308, -1.7e308, 0.0], [1e-200, 3e-200, 2e-200], [3e19, 3e18, -1e19], [1e200, 1.0, 2.0],
    [5e-324, 0.0, 5e-324], [0.0, 1e-9, 0.0], [1000.1, 1000.1, 1000.2],
]  # fmt: skip


@pytest.mark.parametrize("eps", [0, EPS])
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_rows_are_normalized_whatever_their_size(row, eps):
    for operation, centered in ((Standardization, True), (RMSDivision, False)):
        found = operation.numpy(np.array([row]), float(eps))
        # what a mean as a double cannot tell apart: a unit in the last place of the largest entry
        room = 4e-16 * max(map(abs, row)) / max(max(row) / 2 - min(row) / 2, 1e-9) if centered else 0
        assert np.allclose(found, [normalized(row, eps, centered)], rtol=1e-13, atol=max(room, 1e-323)), (
            operation.__name__
        )


@pytest.mark.parametrize("row", [[3e19, 1e19], [1e-30, 2e-30], [1e38, -1e38]])
def test_single_numbers_have_less_room(row):
    array = np.array([row], dtype=np.float32)
    for operation, centered in ((Standardization, True), (RMSDivision, False)):
        found = operation.numpy(array, 0.0)
        assert found.dtype == np.float32
        assert np.allclose(found, [normalized(array[0].tolist(), 0, centered)], rtol=1e-6)


def test_equal_entries_have_no_deviation():
    assert (Standardization.numpy(np.full((1, 3), 1000.1, np.float32), 1e-5) == 0).all()
    assert (Standardization.numpy(np.full((2, 7), 0.1), 1e-5) == 0).all()


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (Standardization([[1, 2, 4], [Rational(1, 10)] * 3], 0), "Standardization: all entries of row 2 are equal"),
        (LayerNorm([[Rational(1, 10)] * 3], eps=0), "Standardization: all entries of row 1 are equal"),
        (RMSDivision([[1, 2], [3, 4], [0, 0]], 0), "RMSDivision: row 3 holds zeros only"),
        (RMSNorm([[0, 0, 0]], eps=0), "RMSDivision: row 1 holds zeros only"),
    ],
)
def test_a_root_of_0_is_refused_by_name(expression, text):
    for route in ({}, {"backend": "numpy"}):
        with pytest.raises(NotSupported, match=text):
            evaluate(expression, **route)
    with pytest.raises(NotSupported):
        evaluate(expression, digits=5)


def test_cosines_are_right_or_refused():
    """1/√2 by hand in every case."""
    for size in (-200, -160, -150, 0, 150, 200):
        cosines = CosineSimilarity([[Rational(10) ** size, 0]], [[1, 1]])
        if abs(size) <= 150:
            assert np.allclose(evaluate(cosines, backend="numpy"), 0.5**0.5, rtol=1e-15)
        else:
            with pytest.raises(NotSupported):
                evaluate(cosines, backend="numpy")
        assert str(evaluate(cosines, digits=12)[0, 0]) == "0.707106781187"
    with pytest.raises(NotSupported):  # a square below the smallest normal double has lost digits
        SquareRoot.numpy(np.array([[3e-310]]), 0)


def test_a_temperature_too_small_for_a_double_is_refused():
    small = Rational(1, 10**400)
    with pytest.raises(NotSupported, match="too small, for a double"):
        evaluate(InfoNCE([[1, 3, 2]], [[0, 1, 0]], small), backend="numpy")
    with pytest.raises(NotSupported, match="for a double"):
        evaluate(Scaling([[1, 3]], 10**400, 1), backend="numpy")
    assert evaluate(Scaling([[1, 3]], 10**400, 10**399), digits=3) == Matrix([[10, 30]]).evalf(3)


# -- types of numbers ------------------------------------------------------------------------------------
X = matrix("X", 3, 4)
EXPRESSIONS = {
    "positions": RotaryEmbedding(X, start=2),
    "mask": Softmax(Mask(X @ X.T, CausalMask(3))),
    "biases": Linear(X, matrix("W", 4, 2), matrix("b", 2, 1)),
}


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_compiled_code_gives_the_type_of_its_arguments(name, kind):
    function, letters = numpy_function(EXPRESSIONS[name])
    arrays = [
        np.arange(1, 1 + np.prod(shape)).reshape(shape) / 7 for shape in ([int(s) for s in x.shape] for x in letters)
    ]
    found = function(*(a.astype(kind) for a in arrays))
    assert found.dtype == kind
    assert np.allclose(found, function(*arrays), rtol=1e-5)


def test_whole_numbers_are_taken_as_doubles():
    function, _ = numpy_function(X @ X.T)
    assert function(np.arange(12).reshape(3, 4)).dtype == np.float64
    assert function(np.full((3, 4), 2**40))[0, 0] == 4.0 * 2.0**80
