"""subs, xreplace, replace, has, atoms: as SymPy users expect; bound letters are never captured."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import ImmutableMatrix, Integer, Matrix, MatrixSymbol, Rational, Symbol, Tuple, Wild, exp, sqrt

import symtransformer.operations as ops
from symtransformer.errors import NotSupported, ShapeError, UnreadableInput
from symtransformer.node import Node, as_node
from symtransformer.symbols import Letter, Literal, dimension, head_index, matrix, parameter

n, d, m, h, t, i = *map(dimension, ("n", "d", "m", "h")), parameter("t"), head_index()
X, W, U, A = matrix("X", n, d), matrix("W", d, m), matrix("U", n, d), matrix("A", 2, 2)
E = ops.Softmax(X @ W / sqrt(d))
M = Matrix([[1, 2], [3, 4]])
Z = matrix("Z", n, d).of_head(i)
FAMILY = ops.HeadConcatenation(Z @ W, i, h)


def test_subs_of_a_letter_by_a_matrix():
    for given in (M, ImmutableMatrix(M), as_node(M), as_node(np.array([[1, 2], [3, 4]]))):
        assert (A @ A.T).subs(A, given) is Literal(M) @ Literal(M).T
    assert (A @ A.T).subs(A, M).doit() == M * M.T
    assert A.subs(A, M) is Literal(M)
    with pytest.raises(ShapeError, match="2"):
        (A @ A).subs(A, Matrix([[1, 2, 3]]))
    with pytest.raises(UnreadableInput, match="expected a matrix"):
        (A @ A).subs(A, 2)


def test_subs_of_a_letter_by_an_expression():
    assert E.subs(X, U) is ops.Softmax(U @ W / sqrt(d))
    assert E.subs(X, X + U) is ops.Softmax((X + U) @ W / sqrt(d))
    assert E.subs(X @ W, X @ W + 2 * (U @ W)) is ops.Softmax((X @ W + 2 * (U @ W)) / sqrt(d))
    assert E.subs(E, U) is U
    with pytest.raises(ShapeError, match="m and d"):
        E.subs(X, matrix("U", n, m))


def test_subs_of_sizes():
    small = E.subs({n: 2, d: 9, m: 3})
    assert small is ops.Softmax(matrix("X", 2, 9) @ matrix("W", 9, 3) / 3)
    assert small.shape == (2, 3)
    assert E.subs(d, m) is ops.Softmax(matrix("X", n, m) @ matrix("W", m, m) / sqrt(m))
    assert E.subs([(n, 2), (d, 4)]).shape == (2, m)
    # to SymPy, and so here, the square root of a positive d is 4 where d is 16
    assert E.subs(sqrt(d), 4) is E.subs(d, 16)
    assert E.subs(d, 16) is ops.Softmax(matrix("X", n, 16) @ matrix("W", 16, m) / 4)
    with pytest.raises(ShapeError, match="at least 1"):
        E.subs(n, 0)


def test_subs_of_parameters():
    assert (t * X).subs(t, Rational(1, 3)) is X * Rational(1, 3)
    assert (t * X).subs(t, 1) is X
    assert (exp(t) * X / t).subs(t, 2) is exp(2) * X / 2
    assert as_node(Matrix([[t, 1]])).subs(t, 5) is Literal([[5, 1]])


@pytest.mark.parametrize("old", [t, Symbol("n"), dimension("zz"), U, matrix("X", n, m), U @ W, sqrt(t), "q"], ids=str)
def test_subs_of_what_is_absent(old):
    assert E.subs(old, U if isinstance(old, Node) else 3) is E
    assert E.xreplace({old: U if isinstance(old, Node) else Integer(3)} if old != "q" else {}) is E


def test_two_at_once():
    swapped = {X: U, U: X}
    assert (X + 2 * U).xreplace(swapped) is U + 2 * X
    assert (X + 2 * U).subs(swapped, simultaneous=True) is U + 2 * X
    assert (X + 2 * U).subs([(X, U), (U, X)], simultaneous=True) is U + 2 * X
    assert (n * X / d).subs({n: d, d: n}, simultaneous=True) is d * matrix("X", d, n) / n
    assert FAMILY.subs({W: matrix("V", d, m), h: 2, i: 5}, simultaneous=True) is ops.HeadConcatenation(
        Z @ matrix("V", d, m), i, 2
    )
    assert (X + 2 * U).subs([(X, U), (U, X)]) is X + 2 * X


def test_xreplace():
    assert E.xreplace({X: U}) is ops.Softmax(U @ W / sqrt(d))
    assert E.xreplace({X @ W: U @ W, X: Z}) is ops.Softmax(U @ W / sqrt(d))  # the larger one wins
    assert E.xreplace({}) is E
    assert E.xreplace({n: Integer(2)}).shape == (2, m)
    assert Tuple(X, E).xreplace({X: U}) == Tuple(U, E.xreplace({X: U}))


def test_entries_follow_a_substitution():
    assert A[0, 1].subs(A, M) == 2
    assert (A[0, 1] ** 2 + t).subs({A: M, t: 1}) == 5
    assert A[1, i].subs(i, 0) == A[1, 0]
    assert (A @ A).as_explicit().subs(A, M) == M * M
    assert (A @ A)[0, 1].subs(A, M).doit() == 10
    assert ops.Softmax(A)[1, 0].doit().subs(A, M) == exp(3) / (exp(3) + exp(4))


# -- bound letters ---------------------------------------------------------------------------------
def test_a_bound_letter_is_not_replaced():
    for new in (2, n, i + 1):
        assert FAMILY.subs(i, new) is FAMILY
        assert FAMILY.xreplace({i: Integer(2) if new == 2 else new}) is FAMILY
    assert (FAMILY + Z.of_head(1) @ W @ ops.Ones(m, h * m)).subs(i, 2).has(FAMILY)
    mixed = ops.Addition(FAMILY, Z @ ops.Ones(d, h * m))  # the second Z^(i) is free
    assert mixed.subs(i, 2) is ops.Addition(FAMILY, Z.of_head(2) @ ops.Ones(d, h * m))


def test_a_bound_letter_captures_nothing():
    V = matrix("V", d, m).of_head(i)  # of a head outside
    inside = FAMILY.subs(W, V)
    assert i in inside.free_symbols
    assert V in inside.free_symbols
    assert inside.subs(i, 3).has(V.of_head(3))
    fresh = inside.args[1]
    assert fresh != i
    assert inside is ops.HeadConcatenation(matrix("Z", n, d).of_head(fresh) @ V, fresh, h)
    assert FAMILY.xreplace({W: V}) is inside


def test_what_is_absent_renames_nothing():
    assert FAMILY.subs(X, Z) is FAMILY
    assert FAMILY.xreplace({X: Z, t: i}) is FAMILY
    assert FAMILY.subs(t, i) is FAMILY


def test_sizes_and_counts_of_a_family():
    assert FAMILY.subs(h, 2) is ops.HeadConcatenation(Z @ W, i, 2)
    assert FAMILY.subs(d, 5).shape == (n, h * m)
    assert FAMILY.subs(W, matrix("V", d, m)) is ops.HeadConcatenation(Z @ matrix("V", d, m), i, h)
    assert not FAMILY.has(i)
    assert FAMILY.has(h)
    assert FAMILY.args[0].has(i)


# -- replace ------------------------------------------------------------------------------------------
def test_replace_by_type():
    assert E.replace(ops.Softmax, ops.Exponential) is ops.Exponential(X @ W / sqrt(d))
    assert E.replace(ops.Softmax, lambda scores: 2 * scores) is 2 * (X @ W / sqrt(d))
    assert E.replace(ops.Hadamard, ops.Addition) is E
    assert E.replace(Letter, lambda *args: Letter("Q", *args[1:])).free_symbols == {
        matrix("Q", n, d),
        matrix("Q", d, m),
        d,
    }


def test_replace_by_function_and_of_one_expression():
    assert E.replace(lambda e: e == X, lambda e: 2 * e) is ops.Softmax((2 * X) @ W / sqrt(d))
    assert E.replace(X, U) is E.subs(X, U)
    assert E.replace(X @ W, lambda e: e + e) is ops.Softmax((X @ W + X @ W) / sqrt(d))
    assert E.replace(n, m) is E.subs(n, m)
    assert E.replace(d, Integer(4)) is E.subs(d, 4)
    assert E.replace(lambda e: e == d, lambda e: Integer(4)) is E.subs(d, 4)
    result, done = E.replace(X, U, map=True)
    assert result is E.subs(X, U)
    assert done == {X: U}
    with pytest.raises(NotSupported, match="Wild"):
        E.replace(Wild("w"), X)


# -- has, atoms --------------------------------------------------------------------------------------
def test_has():
    for present in (X, W, n, d, m, X @ W, E, ops.Product, ops.Softmax, Letter, Symbol, sqrt(d)):
        assert E.has(present)
    for absent in (U, t, Symbol("n"), U @ W, ops.Hadamard, MatrixSymbol, sqrt(n), matrix("X", n, m)):
        assert not E.has(absent)
    assert E.has(U, X)
    assert not E.has()


def test_atoms():
    assert E.atoms(Letter) == {X, W}
    assert E.atoms(Symbol) == {n, d, m}
    assert E.atoms(ops.Product, ops.Softmax) == {X @ W, E}
    assert E.atoms(ops.Hadamard) == set()
    assert {X, W, n, d, m} <= E.atoms()
    assert E.atoms(Integer) <= {Integer(1), Integer(2), Integer(-1)}
    assert as_node(M).atoms(Integer) >= {Integer(k) for k in (1, 2, 3, 4)}


def test_count_and_find():
    assert (E + E).count_ops() == 4  # product, scaling, softmax, sum: each distinct one once
    with pytest.raises(NotSupported, match="postorder"):
        E.find(X)
