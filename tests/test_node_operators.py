"""Python's operators beside nodes: always our nodes, never stock ones, never object arrays."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import Identity, ImmutableMatrix, Integer, Matrix, MatrixSymbol, Rational, S, Symbol, sqrt
from sympy import diff as sympy_diff

import symtransformer.operations as ops
from symtransformer.errors import NotSupported, ShapeError, SymtransformerError, UnreadableInput
from symtransformer.node import Node, as_node
from symtransformer.symbols import dimension, matrix, parameter

n, d, t = dimension("n"), dimension("d"), parameter("t")
X, Y, A, W = matrix("X", 2, 3), matrix("Y", 2, 3), matrix("A", 2, 2), matrix("W", 3, 2)
M, ARRAY, STOCK = Matrix([[1, 2, 3], [4, 5, 6]]), np.array([[1.0, 2, 3], [4, 5, 6]]), MatrixSymbol("Y", 2, 3)
SQUARE = Matrix([[1, 2], [3, 4]])


@pytest.mark.parametrize(
    "other", [Y, M, ImmutableMatrix(M), ARRAY, ARRAY.astype(int), STOCK], ids=lambda o: type(o).__name__
)
def test_sums_and_differences(other):
    node = as_node(other)
    assert X + other is ops.Addition(X, node)
    assert other + X is ops.Addition(node, X)
    assert X - other is ops.Addition(X, ops.Scaling(node, -1, 1))
    assert other - X is ops.Addition(node, ops.Scaling(X, -1, 1))


@pytest.mark.parametrize(
    "other", [A, SQUARE, ImmutableMatrix(SQUARE), np.array([[1, 2], [3, 4]]), MatrixSymbol("A", 2, 2)]
)
def test_products(other):
    node = as_node(other)
    assert other @ X is ops.Product(node, X)
    assert other * X is ops.Product(node, X)
    assert W @ other is ops.Product(W, node)
    assert W * other is ops.Product(W, node)


@pytest.mark.parametrize(
    "factor",
    [2, -3, Integer(2), Rational(1, 3), sqrt(2), n, sqrt(d), t, 2 * t + 1, 0.5, np.float64(0.5), np.int64(7), A[0, 1]],
)
def test_numbers(factor):
    exact = (
        Rational(1, 2) if isinstance(factor, float) else S(int(factor)) if isinstance(factor, np.integer) else S(factor)
    )
    assert factor * X is ops.Scaling(X, exact, 1)
    assert X * factor is ops.Scaling(X, exact, 1)
    assert X / factor is ops.Scaling(X, 1, exact)
    assert type(factor * (X @ W)) is ops.Scaling


def test_signs_and_powers():
    assert -X is ops.Scaling(X, -1, 1)
    assert A**1 is A
    assert A**2 is A @ A
    assert A**3 is (A @ A) @ A
    assert 1 * X is X
    assert X / 1 is X
    assert X.T.T is X
    assert X.transpose() is X.T
    with pytest.raises(ShapeError, match="3 and 2"):
        X**2


@pytest.mark.parametrize("exponent", [0, -1, n, 65, 1.5, Rational(1, 2), "2"])
def test_powers_that_are_refused(exponent):
    with pytest.raises(NotSupported, match="1 to 64"):
        A**exponent


def test_operators_on_nested_expressions_stay_ours():
    e = ops.Softmax(X @ W)
    for result in (
        e + SQUARE,
        SQUARE + e,
        SQUARE @ e,
        SQUARE * e,
        e * SQUARE,
        np.eye(2) @ e,
        e - A,
        STOCK.T.T @ W + e,
        -e,
        e / 3,
    ):
        assert isinstance(result, Node)
        assert result.shape == (2, 2)


@pytest.mark.parametrize("other", ["a", None, object(), [1, 2]], ids=lambda o: type(o).__name__)
def test_what_is_no_matrix_and_no_number(other):
    for operation in (lambda: X + other, lambda: other + X, lambda: X - other, lambda: X @ other, lambda: X / other):
        with pytest.raises((TypeError, SymtransformerError), match=r"\S"):
            operation()


def test_a_number_is_not_added_to_a_matrix():
    for operation in (lambda: X + 1, lambda: 1 + X, lambda: X - 1, lambda: 1 - X, lambda: X + n, lambda: n + X):
        with pytest.raises(TypeError, match=r"\S"):
            operation()
    with pytest.raises(UnreadableInput, match="divided by 0"):
        X / 0
    with pytest.raises(TypeError, match="unsupported"):
        Identity(2) * X


def test_numpy_leaves_operators_to_nodes():
    for result in (ARRAY.T @ X, ARRAY + X, np.float64(2) * X, np.float32(2) * X, ARRAY[:, :2] * A):
        assert isinstance(result, Node)
        assert not isinstance(result, np.ndarray)
    with pytest.raises(TypeError, match=r"\S"):
        np.exp(X)


def test_unequal_sizes_are_refused_with_both_sizes():
    with pytest.raises(ShapeError, match=r"2 x 3.*2 x 3.*3 and 2"):
        X @ Y
    with pytest.raises(ShapeError, match="rows"):
        X + X.T
    with pytest.raises(ShapeError, match="n and 2"):
        matrix("B", 3, n) @ X


@pytest.mark.parametrize(
    "derive",
    [
        lambda: X.diff(t),
        lambda: (t * X).diff(t),
        lambda: (X @ W).diff(X),
        lambda: sympy_diff(ops.Softmax(X), Symbol("x")),
        lambda: ops.Softmax(X)._eval_derivative(t),
    ],
)
def test_diff_is_refused_and_names_differentiate(derive):
    with pytest.raises(NotSupported, match="differentiate"):
        derive()


def test_a_single_entry_can_be_differentiated():
    entry = (A @ A)[0, 1].doit()  # a00 a01 + a01 a11
    assert entry.diff(A[0, 1]) == A[0, 0] + A[1, 1]
    assert entry.diff(A[1, 0]) == 0
    assert A[0, 0].diff(t) == 0
