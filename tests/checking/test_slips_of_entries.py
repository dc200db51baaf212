"""Formulas of entries as the matrices that they are on the document's numbers, and norms written with numbers of their own."""

import math

import pytest
from made_by_slips import Letters, assert_made
from sympy import KroneckerDelta, Rational, S, Sum, Symbol, sqrt, symbols

from symtransformer.checking.slips.recognition import recognized
from symtransformer.checking.slips.softmax_gradient import jacobian
from symtransformer.checking.slips.written_norms import eps_outside
from symtransformer.operations.addition import Addition
from symtransformer.operations.entry_formula import EntryFormula
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.product import Product
from symtransformer.operations.row_sum import Broadcast, RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.transpose import Transpose
from symtransformer.symbols import Literal

i, j, k = symbols("i j k", integer=True, nonnegative=True)


def entries(rows, columns, formula):
    return EntryFormula.of(rows, columns, i, j, formula)


def test_products_of_entries():
    letters = Letters(41)
    A, B, C, D = letters("A", 3, 2), letters("B", 2, 4), letters("C", 4, 2), letters("D", 2, 3)
    for formula, meant in (
        (entries(3, 4, Sum(A[i, k] * B[k, j], (k, 0, 1))), Product(A, B)),
        (entries(3, 4, Sum(A[i, k] * C[j, k], (k, 0, 1))), Product(A, Transpose(C))),
        (entries(3, 4, Sum(D[k, i] * B[k, j], (k, 0, 1))), Product(Transpose(D), B)),
        (entries(3, 4, Sum(D[k, i] * C[j, k], (k, 0, 1))), Product(Transpose(D), Transpose(C))),
        (entries(4, 3, Sum(A[j, k] * B[k, i], (k, 0, 1))), Product(Transpose(B), Transpose(A))),
        (entries(3, 4, Sum(A[i, k] * C[j, k], (k, 0, 1)) / sqrt(2)), Scaling(Product(A, Transpose(C)), S.One, sqrt(2))),
        (entries(3, 4, Sum(A[i, k] * C[j, k], (k, 0, 1)) / 2), None),
        (entries(3, 4, Sum(A[i, k] * B[k, j], (k, 0, 0))), None),
    ):
        found = recognized(formula, letters.known)
        assert found is (formula if meant is None else meant)
        whole = Hadamard(formula, formula)
        assert recognized(whole, letters.known) is (whole if meant is None else Hadamard(meant, meant))
        assert recognized(formula, {}) is formula  # without numbers nothing is seen


def test_the_root_of_either_width():
    letters = Letters(42)
    A, B = letters("A", 3, 2), letters("B", 2, 5)
    total = Sum(A[i, k] * B[k, j], (k, 0, 1))
    for width in (2, 5):
        found = recognized(entries(3, 5, total / sqrt(width)), letters.known)
        assert found is Scaling(Product(A, B), S.One, sqrt(width))
    formula = entries(3, 5, total / sqrt(3))
    assert recognized(formula, letters.known) is formula


def test_the_gradient_through_softmax():
    letters = Letters(43)
    A, G = letters("A", 3, 4), letters("dA", 3, 4)

    def through(weights, above):
        return Hadamard(weights, Addition(above, -Broadcast(RowSum(Hadamard(weights, above)), 4)))

    formula = entries(3, 4, A[i, j] * (G[i, j] - Sum(A[i, k] * G[i, k], (k, 0, 3))))
    assert recognized(formula, letters.known) is through(A, G)
    formula = entries(3, 4, G[i, j] * (A[i, j] - Sum(A[i, k] * G[i, k], (k, 0, 3))))
    assert recognized(formula, letters.known) is through(G, A)
    formula = entries(3, 4, A[i, j] * (G[i, j] + Sum(A[i, k] * G[i, k], (k, 0, 3))))
    assert recognized(formula, letters.known) is formula


def test_the_jacobian():
    letters = Letters(44)
    p, q, M = letters("p", 3, 1), letters("q", 1, 3), letters("M", 3, 3)
    column = entries(3, 3, p[i, 0] * (KroneckerDelta(i, j) - p[j, 0]))
    row = entries(3, 3, q[0, i] * (KroneckerDelta(i, j) - q[0, j]))
    assert recognized(column, letters.known) is jacobian(p)
    assert recognized(row, letters.known) is jacobian(Transpose(q))
    for other in (
        entries(3, 3, p[i, 0] * (KroneckerDelta(i, j) + p[j, 0])),
        entries(3, 3, M[i, j] * KroneckerDelta(i, j)),
    ):
        assert recognized(other, letters.known) is other


# -- (x − μ) / √(v + ε) -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("is_letter", [True, False])
def test_a_norm_written_with_numbers(is_letter):
    letters = Letters(45)
    X, M = letters("X", 1, 4), letters("mu", 1, 1)
    v, eps = Symbol("v"), Symbol("eps")
    x, m = letters["X"], letters["mu"]
    added = eps if is_letter else Rational(1, 5)
    known = {**letters.known, v: Rational(9, 4), eps: Rational(1, 5)}
    for rows in (Addition(X, -Broadcast(M, 4)), Addition(-Broadcast(M, 4), X)):
        assert_made(
            Scaling(rows, S.One, sqrt(v + added)), known,
            variance_for_root=[(x - m) / 2.45, (x - m) / 2.25], deviation_not_divided=[x - m], eps_left_out=[(x - m) / 1.5],
            root_eps_added=[(x - m) / (1.5 + math.sqrt(0.2))], mean_not_subtracted=[x / math.sqrt(2.45)],
            median_for_mean=(), norm_for_root=(),
        )  # fmt: skip
    bare = Scaling(Addition(X, -Broadcast(M, 4)), S.One, sqrt(v))
    assert_made(
        bare, known,
        variance_for_root=[(x - m) / 2.25], eps_left_out=(), root_eps_added=(), deviation_not_divided=[x - m],
    )  # fmt: skip
    for other in (Scaling(X, S.One, sqrt(Symbol("d_k"))), Scaling(X, S.One, v), Scaling(X, S(2), sqrt(v + eps))):
        assert_made(
            other, known, variance_for_root=(), deviation_not_divided=(), eps_left_out=(), mean_not_subtracted=()
        )
    assert_made(Scaling(X, S.One, sqrt(v + eps)), known, mean_not_subtracted=(), deviation_not_divided=[x])
    assert_made(Scaling(Addition(X, X, X), S.One, sqrt(v + eps)), known, mean_not_subtracted=())
    assert_made(Scaling(Addition(X, Literal([[1, 2, 3, 4]])), S.One, sqrt(v + eps)), known, mean_not_subtracted=())


def test_eps_outside_the_root():
    X, v, eps = Letters(46)("X", 1, 4), Symbol("v"), Symbol("eps")
    assert [*eps_outside(Scaling(X, S.One, sqrt(v + eps)), {})] == [Scaling(X, S.One, sqrt(v) + eps)]
    assert [*eps_outside(Scaling(X, S.One, sqrt(v)), {})] == []
