"""The rules for sums, deltas and derivatives: an instance of each that the judge proves, and what they leave alone."""

from __future__ import annotations

import pytest
from sympy import Add, Derivative, KroneckerDelta, Mul, Sum, exp, tanh

from symtransformer import dimension, matrix
from symtransformer.index_letters import derivative, index_letter
from symtransformer.index_notation.jacobians import JACOBIANS, jacobian_rule
from symtransformer.judge import judge_line
from symtransformer.notation import Words
from symtransformer.operations import Softmax
from symtransformer.rules.calculus import (
    CALCULUS,
    CONSTANT_FACTOR,
    DERIVATIVE_OF_A_SUM,
    ENTRY_BY_ENTRY,
    FUNCTION_RULE,
    PRODUCT_RULE,
)
from symtransformer.rules.sums import (
    COMMON_FACTOR,
    DELTA_PICKS,
    FACTOR_OUT,
    INNER_SUM_OUT,
    MULTIPLY_OUT,
    SUM_TERM_BY_TERM,
    SUMS,
    renamed,
)
from symtransformer.sections import IndexLine
from symtransformer.symbols import Entry

n, m, d = dimension("n"), dimension("m"), dimension("d")
A, B, Q = matrix("A", n, m), matrix("B", n, m), matrix("Q", n, d)
i, j, k, l, p = map(index_letter, "ijklp")  # noqa: E741
SAYS = Words("rule", "規則")
over_k, over_l = (k, 0, n - 1), (l, 0, m - 1)

INSTANCES = {
    DERIVATIVE_OF_A_SUM: (
        derivative(Sum(A[i, l] * A[i, l], over_l), A[i, j]),
        Sum(Derivative(A[i, l] ** 2, A[i, j]), over_l),
    ),
    CONSTANT_FACTOR: (derivative(B[i, j] * A[i, j] ** 2, A[i, j]), B[i, j] * Derivative(A[i, j] ** 2, A[i, j])),
    PRODUCT_RULE: (
        derivative(A[i, l] * exp(A[k, j]), A[i, j]),
        exp(A[k, j]) * Derivative(A[i, l], A[i, j]) + A[i, l] * Derivative(exp(A[k, j]), A[i, j]),
    ),
    FUNCTION_RULE: (
        derivative(tanh(A[k, l]), A[i, j]),
        (1 - tanh(A[k, l]) ** 2) * Derivative(A[k, l], A[i, j]),
    ),
    ENTRY_BY_ENTRY: (derivative(A[k, l], A[i, j]), KroneckerDelta(k, i) * KroneckerDelta(l, j)),
    DELTA_PICKS: (
        Sum(KroneckerDelta(k, i) * KroneckerDelta(l, j) * A[k, l] * B[i, j], over_l, over_k),
        A[i, j] * B[i, j],
    ),
    SUM_TERM_BY_TERM: (
        Sum(A[i, l] + B[i, l] * KroneckerDelta(l, j), over_l),
        Sum(A[i, l], over_l) + Sum(B[i, l] * KroneckerDelta(l, j), over_l),
    ),
    MULTIPLY_OUT: (
        A[i, j] * (KroneckerDelta(j, l) - B[i, l]),
        A[i, j] * KroneckerDelta(j, l) - A[i, j] * B[i, l],
    ),
    INNER_SUM_OUT: (
        Sum(A[k, j] * Sum(B[k, l] * KroneckerDelta(k, i), over_l), over_k),
        Sum(A[k, j] * B[k, l] * KroneckerDelta(k, i), over_l, over_k),
    ),
    FACTOR_OUT: (Sum(3 * A[i, j] * B[i, l], over_l), 3 * A[i, j] * Sum(B[i, l], over_l)),
    COMMON_FACTOR: (A[i, j] * B[i, j] - A[i, j] * B[i, l], A[i, j] * (B[i, j] - B[i, l])),
}


def test_every_rule_has_an_instance():
    assert set(INSTANCES) == {*CALCULUS, *SUMS}
    assert all(rule.statement and rule.name.ja and rule.explanation.ja for rule in INSTANCES)


@pytest.mark.parametrize("rule", INSTANCES, ids=lambda rule: rule.name.en)
def test_an_instance_is_proved(rule):
    before, after = INSTANCES[rule]
    assert rule.rewrite(before) == after
    assert judge_line(IndexLine(before, after, SAYS, SAYS)).kind == "proved"
    assert judge_line(IndexLine(before, 2 * after, SAYS, SAYS)).kind == "refuted"


@pytest.mark.parametrize("rule", INSTANCES, ids=lambda rule: rule.name.en)
def test_a_rule_that_does_not_fit_gives_none(rule):
    for formula in (A[i, j], A[i, j] * B[i, j], KroneckerDelta(i, j), A[i, j] + B[k, l], exp(A[i, j])):
        assert rule.rewrite(formula) is None
        assert rule.everywhere(formula) is None


def test_a_rule_is_used_at_every_place_where_it_fits():
    formula = Add(Mul(A[i, j], Derivative(A[k, l], A[i, j])), Derivative(A[i, l], A[i, j]))
    assert ENTRY_BY_ENTRY.everywhere(formula) == (
        A[i, j] * KroneckerDelta(k, i) * KroneckerDelta(l, j) + KroneckerDelta(l, j)
    )


def test_a_delta_is_not_picked_where_the_sum_would_catch_the_other_letter():
    """δ_kk binds nothing, and a sum that does not begin at the first value is left alone."""
    assert DELTA_PICKS.rewrite(Sum(KroneckerDelta(k, i) * A[k, j], (k, 1, n - 1))) is None
    assert DELTA_PICKS.rewrite(Sum(KroneckerDelta(i, j) * A[k, j], over_k)) is None
    assert FACTOR_OUT.rewrite(Sum(A[k, j] * B[k, l], over_k)) is None


def test_the_derivative_by_another_letter_is_zero_and_by_the_same_is_not():
    assert derivative(B[k, l], A[i, j]) == 0
    assert derivative(A[i, j], A[i, j]) == Derivative(A[i, j], A[i, j], evaluate=False) != 1
    assert ENTRY_BY_ENTRY.rewrite(derivative(A[i, j], A[i, j])) == 1


def test_bound_letters_are_renamed_together():
    formula = A[i, j] * Sum(B[k, l] * Sum(A[k, p], (p, 0, m - 1)), over_l, over_k)
    u = index_letter("u")
    new = renamed(formula, {k: u})
    assert new == A[i, j] * Sum(B[u, l] * Sum(A[u, p], (p, 0, m - 1)), over_l, (u, 0, n - 1))
    assert judge_line(IndexLine(formula, new, SAYS, SAYS)).kind == "proved"


@pytest.mark.parametrize("kind", JACOBIANS, ids=lambda kind: kind.__name__)
def test_jacobians_are_proved(kind):
    X = matrix("X", n, m)
    whole, inner = kind(X), kind(Q @ matrix("W", d, m))
    rule = jacobian_rule(kind, lambda: lambda size: p)
    before = derivative(Entry(whole, k, l), X[i, j])
    after = rule.rewrite(before)
    assert judge_line(IndexLine(before, after, SAYS, SAYS)).kind == "proved"
    for wrong in (after.xreplace({KroneckerDelta(k, i): 1}), after.xreplace({KroneckerDelta(j, l): 1})):
        assert judge_line(IndexLine(before, wrong, SAYS, SAYS)).kind == "refuted"
    before = derivative(Entry(inner, k, l), Q[i, j])
    after = rule.rewrite(before)
    assert isinstance(after, Sum)
    assert judge_line(IndexLine(before, after, SAYS, SAYS)).kind == "proved"
    assert rule.rewrite(derivative(Entry(Softmax(X), k, l), X[i, j])) is None or kind is Softmax
