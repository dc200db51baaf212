"""Equal expressions are one object: made again, copied, pickled, printed and read back."""

from __future__ import annotations

import copy
import gc
import pickle

import numpy as np
import pytest
import sympy
from sympy import Float, ImmutableMatrix, Integer, Matrix, MatrixSymbol, Rational, Symbol, default_sort_key, sqrt, srepr
from sympy.core.symbol import Str

import symtransformer.node
import symtransformer.operations as ops
from symtransformer.errors import NotSupported, ShapeError, UnreadableInput
from symtransformer.node import Node, Reference, as_node, digest, flatten, postorder, restore
from symtransformer.operation import REGISTRY
from symtransformer.symbols import Entry, Letter, Literal, dimension, head_index, matrix, parameter

n, d, m, h, i, t = *map(dimension, ("n", "d", "m", "h")), head_index(), parameter("t")
X, W, U = matrix("X", n, d), matrix("W", d, m), matrix("U", n, d)
SQUARE = matrix("A", 2, 2)
NESTED = ops.Softmax(X @ W / sqrt(d)) @ W.T + t * X
FAMILY = ops.HeadConcatenation(X @ matrix("V", d, m).of_head(i), i, h)
LITERAL = Literal(Matrix([[1, 2], [Rational(1, 3), t]]))
HEAD = ops.SingleHead(X, W, W, W)
ALL = [X, X.of_head(i), X.of_head(2), SQUARE, LITERAL, X @ W, NESTED, FAMILY, HEAD, ops.Ones(n, 1), LITERAL @ SQUARE]


@pytest.mark.parametrize("e", ALL, ids=str)
def test_interned(e):
    assert e.func(*e.args) is e
    assert copy.copy(e) is e
    assert copy.deepcopy(e) is e
    assert copy.deepcopy({"x": [e]})["x"][0] is e
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(e, protocol)) is e
    assert restore(flatten(e)) is e


@pytest.mark.parametrize("e", ALL, ids=str)
def test_srepr_reads_back(e):
    names = {**vars(sympy), **REGISTRY}
    names |= {"Letter": Letter, "Literal": Literal, "Str": Str, "Reference": Reference, "restore": restore}
    assert eval(srepr(e), names) is e


def test_pickle_of_things_that_hold_nodes():
    held = (NESTED, Entry(NESTED, 1, 0), {X: [W, X]}, sympy.Tuple(X, W))
    back = pickle.loads(pickle.dumps(held))
    assert back == held
    assert back[0] is NESTED
    assert back[1].parent is NESTED


def test_unequal_things_are_unequal():
    assert len(set(ALL)) == len(ALL)
    for e in ALL:
        for other in ALL:
            assert (e == other) is (e is other)
            assert (e != other) is (e is not other)
    assert MatrixSymbol("X", n, d) != X
    assert Literal([[1]]) != Matrix([[1]])
    assert matrix("X", n, m) is not X
    assert matrix("X", Symbol("n", integer=True), d) is not X
    assert ops.Scaling(X, 2, 1) is not ops.Scaling(X, 1, Rational(1, 2))
    assert X @ W + U @ W is not U @ W + X @ W


def test_hash_is_that_of_basic():
    assert hash(X) == hash(matrix("X", n, d))
    assert hash(NESTED) == sympy.Basic.__hash__(NESTED)
    assert {NESTED: 1}[ops.Softmax(X @ W / sqrt(d)) @ W.T + t * X] == 1


def test_the_table_of_nodes_lets_go():
    def known() -> int:
        return len(X._facts.named) + len(ops.Addition._table)  # the letters of this size, and the sums

    gc.collect()
    before = known()
    temporary = [matrix(f"T{k}", n, d) + X for k in range(50)]
    assert all(x._free and x._mentions for x in temporary)  # what is found when asked for keeps nothing alive
    assert known() == before + 100
    gc.disable()
    try:
        del temporary
        assert known() <= before + 2  # at once: no node holds itself
    finally:
        gc.enable()


def test_a_node_vanishes_quietly_when_python_ends_and_has_emptied_the_module(monkeypatch):
    late = matrix("T", n, d) + X
    key, table = late.args, ops.Addition._table
    monkeypatch.setattr(symtransformer.node.interned, "_interning", None)
    del late
    assert key not in table


def test_a_node_that_vanishes_forgets_only_itself():
    from symtransformer.node.interned import _forget, _Held

    kept = matrix("T", n, d) + X
    table = ops.Addition._table
    late = _Held(X)  # of a node that had the same arguments before
    late.key, late.table = kept.args, table
    _forget(late)
    assert table[kept.args]() is kept


def test_order_is_a_total_order_and_does_not_depend_on_addresses():
    others = [Symbol("x"), Integer(2), sympy.MatAdd(MatrixSymbol("P", 2, 2), MatrixSymbol("Q", 2, 2)), Symbol("Zz")]
    for e in ALL:
        assert e.compare(e) == 0
        for other in (*ALL, *others):
            assert e.compare(other) == -other.compare(e)
    backwards = list(reversed(ALL))
    assert sorted(ALL, key=default_sort_key) == sorted(backwards, key=default_sort_key)
    assert digest(X) == "7317a8887ae4c584af384ad9"  # fixed: the same in every process
    assert X.sort_key() == matrix("X", n, d).sort_key()
    assert sorted([X, U, W], key=digest) == sorted([W, X, U], key=lambda e: e.sort_key())


def test_shape_and_free_symbols():
    assert NESTED.shape == (n, d)
    assert NESTED.shape is NESTED.shape
    assert NESTED.free_symbols == {X, W, t, d}
    NESTED.free_symbols.clear()
    assert NESTED.free_symbols == {X, W, t, d}
    assert FAMILY.shape == (n, h * m)
    assert i not in FAMILY.free_symbols
    assert {X, h} <= FAMILY.free_symbols
    assert i in FAMILY.args[0].free_symbols
    assert LITERAL.free_symbols == {t}
    assert (X.rows, X.cols) == (n, d)
    assert SQUARE.is_square is True


def test_postorder_gives_every_node_once_and_arguments_first():
    seen = list(postorder(NESTED))
    assert len(seen) == len(set(seen)) == 9
    for k, e in enumerate(seen):
        assert all(c in seen[:k] for c in e._children)


def test_doit_is_the_matrix_where_all_leaves_are_matrices():
    A, B = Matrix([[1, 2, 0], [0, 1, 3]]), Matrix([[1, 1], [2, 0], [0, 5]])
    assert (as_node(A) @ B).doit() == A * B
    assert isinstance((as_node(A) @ B).doit(), ImmutableMatrix)
    assert (2 * as_node(A).T - B).doit() == 2 * A.T - B
    assert ops.Softmax(as_node(Matrix([[0, 0, 0], [1, 1, 1]]))).doit() == Matrix(2, 3, [Rational(1, 3)] * 6)
    assert LITERAL.doit() == LITERAL.matrix
    for e in (X, X @ W, NESTED, FAMILY, LITERAL @ SQUARE):
        assert e.doit() is e
    assert HEAD.xreplace({X: as_node(A), W: as_node(B)}).doit().shape == (2, 2)


def test_stock_expressions_are_converted_at_the_door():
    P, Q = MatrixSymbol("P", 2, 3), MatrixSymbol("Q", 3, 2)
    p, q = matrix("P", 2, 3), matrix("Q", 3, 2)
    assert as_node(P) is p
    assert as_node(P * Q) is p @ q
    assert as_node(2 * P * Q) is 2 * (p @ q)
    assert as_node(P.T) is p.T
    assert as_node(P + Q.T) in (p + q.T, q.T + p)
    assert as_node(MatrixSymbol("P", Symbol("n"), 3)).shape == (n, 3)
    assert as_node(Matrix([[1, 2]])) is as_node([[1, 2]]) is as_node(np.array([[1, 2]])) is Literal([[1, 2]])
    assert p @ Q is p @ q
    assert P @ q is p @ q
    assert P + p is p + p
    assert ops.Softmax(P * Q) is ops.Softmax(p @ q)
    with pytest.raises(NotSupported, match="Inverse"):
        as_node(MatrixSymbol("P", 2, 2).I)
    with pytest.raises(UnreadableInput, match="expected a matrix"):
        as_node("P")


def test_given_numbers_are_exact_however_they_come():
    wanted = Literal([[Rational(1, 10), 2]])
    for given in (
        [[0.1, 2]],
        np.array([[0.1, 2.0]]),
        Matrix([[0.1, 2]]),
        ImmutableMatrix([[0.1, 2]]),
        [[Float("0.1"), 2]],
    ):
        assert as_node(given) is wanted
    third = 1 / 3
    assert Literal([[third]]) is Literal(Matrix([[third]])) is Literal(np.array([[third]]))
    assert (0.1 * X).args[1] == Rational(1, 10)
    assert (X / np.float64(0.1)).args[2] == Rational(1, 10)
    for bad in (
        [[float("nan")]],
        ImmutableMatrix([[sympy.nan]]),
        ImmutableMatrix(0, 3, []),
        [[True]],
        [["1"]],
        [],
        [[]],
    ):
        with pytest.raises(UnreadableInput, match=r"\S"):
            Literal(bad)


@pytest.mark.parametrize("name", ["", "1X", "X__Q", "_X", "X_", "X;import os", "X.Y", "x" * 17, "é", "X_a_b", None, 3])
def test_names_carry_no_code(name):
    with pytest.raises(UnreadableInput, match="is not a name"):
        matrix(name, 2, 3)


@pytest.mark.parametrize("size", [0, -1, 1.5, "n", Symbol("x"), None, Rational(1, 2), True - 1])
def test_sizes_are_whole(size):
    with pytest.raises((ShapeError, TypeError), match=r"\S"):
        matrix("X", size, 3)


def test_nodes_are_matrices_to_sympy():
    assert isinstance(X, Node)
    assert X.is_Matrix is True
    assert sympy.sympify(X) is X
    assert sympy.Eq(X, X) is sympy.true
    assert (X == U) is False
