"""Matrices given by formulas of entries: the same as expressions, and nothing wrong taken as equal."""

from __future__ import annotations

import pickle

import pytest
from sympy import KroneckerDelta, Sum, exp, sqrt, symbols

from symtransformer import dimension, evaluate, matrix
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.judge import judge_equation
from symtransformer.node import substitute
from symtransformer.operations import Softmax
from symtransformer.operations.entry_formula import EntryFormula

n, m, d = dimension("n"), dimension("m"), dimension("d_k")
G, K, S, A = matrix("G", n, m), matrix("K", m, d), matrix("S", n, m), matrix("A", n, m)
i, j, k, c = symbols("i j k c", integer=True, nonnegative=True)


CASES = {
    "a product": (EntryFormula.of(n, d, i, c, Sum(G[i, j] * K[j, c], (j, 0, m - 1))), G @ K),
    "a delta in a sum": (EntryFormula.of(n, m, i, j, Sum(KroneckerDelta(j, k) * G[i, k], (k, 0, m - 1))), G),
    "a transpose": (EntryFormula.of(d, m, i, j, K[j, i]), K.T),
    "a scaled one": (EntryFormula.of(m, d, i, j, K[i, j] / sqrt(d)), K / sqrt(d)),
    "softmax": (EntryFormula.of(n, m, i, j, exp(S[i, j]) / Sum(exp(S[i, k]), (k, 0, m - 1))), Softmax(S)),
    "two sums": (
        EntryFormula.of(n, n, i, j, Sum(G[i, k] * K[k, c] * K[k, c] * A[j, k], (c, 0, d - 1), (k, 0, m - 1))),
        EntryFormula.of(n, n, i, c, Sum(G[i, j] * Sum(K[j, k] ** 2, (k, 0, d - 1)) * A[c, j], (j, 0, m - 1))),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_right_formula_is_proved(name):
    left, right = CASES[name]
    assert judge_equation(left, right).kind == "proved"


@pytest.mark.parametrize("name", CASES)
def test_a_wrong_formula_is_refuted(name):
    left, right = CASES[name]
    assert judge_equation(1001 * left / 1000, right).kind == "refuted"


def test_the_gradient_of_softmax():
    weights = Softmax(S)

    def claimed(sign, other):
        total = Sum(other * weights[i, k], (k, 0, m - 1))
        return EntryFormula.of(n, m, i, j, weights[i, j] * (G[i, j] - sign * total))

    (derived,) = weights.vjp(G)
    assert judge_equation(claimed(1, G[i, k]), derived).kind == "proved"
    assert judge_equation(claimed(-1, G[i, k]), derived).kind == "refuted"
    assert judge_equation(claimed(1, G[i, j]), derived).kind == "refuted"


def test_values():
    product = CASES["a product"][0]
    given = {G: [[1, 2, 0]], K: [[1, 4], [2, 5], [3, 6]]}
    assert evaluate(product, given).tolist() == [[5, 14]]


def test_summed_letters_have_no_names():
    other = EntryFormula.of(n, d, k, i, Sum(G[k, c] * K[c, i], (c, 0, m - 1)))
    assert other is CASES["a product"][0]


def test_it_can_be_pickled():
    for left, right in CASES.values():
        assert judge_equation(pickle.loads(pickle.dumps(left)), right).kind == "proved"


def test_matrices_and_sizes_are_put_in():
    put = substitute(CASES["a product"][0], {G: Softmax(S)})
    assert judge_equation(put, Softmax(S) @ K).kind == "proved"
    assert CASES["a product"][0].subs(n, 2).shape == (2, d)


def test_a_letter_both_summed_and_free_is_refused():
    with pytest.raises(UnreadableInput, match="both summed over and free"):
        EntryFormula.of(n, d, i, c, Sum(G[i, j], (j, 0, m - 1)) * K[j, c])


def test_it_has_no_gradient():
    with pytest.raises(NotSupported):
        CASES["a transpose"][0].vjp(matrix("Y", d, m))
