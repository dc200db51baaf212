"""Gradients in index notation: the formulas by finite differences, the letters, the lines, what is not reached."""

from __future__ import annotations

from dataclasses import replace

import mpmath
import pytest
from index_values import jacobian_by_differences, value_of
from sympy import Derivative, Integer, KroneckerDelta, Sum, sqrt

from symtransformer import derive, differentiate, dimension, head_index, matrix
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.index_letters import derivative, index_letter, require_clear_letters, with_letters
from symtransformer.index_notation import index_form, softmax_jacobian
from symtransformer.judge import judge_line
from symtransformer.judge.line_meaning import misleading
from symtransformer.node import postorder
from symtransformer.operations import (
    AddNorm,
    ColumnSlice,
    CrossEntropy,
    FeedForward,
    GELUTanh,
    Hadamard,
    LayerNorm,
    Linear,
    LogSumExp,
    MultiHeadAttention,
    Ones,
    ReLU,
    RMSNorm,
    RowSlice,
    ScaledDotProductAttention,
    SingleHead,
    Softmax,
    StandardDeviation,
    Standardization,
    Tanh,
)
from symtransformer.rules.sums import delta_picks
from symtransformer.symbols import Entry

n, m, d, d_k, d_v, h = (dimension(name) for name in ("n", "m", "d", "d_k", "d_v", "h"))
i, j, c = map(index_letter, "ijc")
X, Q, K, V = matrix("X", n, d), matrix("Q", n, d_k), matrix("K", m, d_k), matrix("V", m, d_v)
G = matrix("G", n, m)
gamma, beta = matrix("gamma", d, 1), matrix("beta", d, 1)
head = head_index("u")


def test_queries_add_up_a_row_of_the_table_and_keys_a_column():
    gradient = differentiate(Q @ K.T, cotangent=G)
    of_query, of_key = (index_form(gradient, name) for name in ("Q", "K"))
    assert of_query.formula == Sum(G[i, j] * K[j, c], (j, 0, m - 1))
    assert of_key.formula == Sum(G[i, j] * Q[i, c], (i, 0, n - 1))
    assert of_query.lines[0].left == Entry(gradient["Q"].letter, i, c)
    assert of_key.lines[0].left == Entry(gradient["K"].letter, j, c)
    assert [line.whole for line in (*of_query.rows, *of_key.rows)] == [(c,), (c,)]
    assert of_query.matrix.right.parent is gradient["Q"].expression


def test_every_line_names_its_rule():
    lines = index_form(differentiate(Q @ K.T, cotangent=G), "Q").every_line
    assert [line.rule.en for line in lines] == [
        "chain rule",
        "substituting the definition",
        "derivative of a sum, term by term",
        "taking out a constant factor",
        "derivative of an entry",
        "a delta in a sum picks one term",
        "for whole rows",
        "in matrix form",
    ]
    assert all(line.rule.ja and line.explanation.ja for line in lines)


def test_the_scaling_stands_before_the_sum():
    formula = index_form(differentiate(ScaledDotProductAttention(Q, K, V)), "Q").formula
    cotangent = matrix("dS", n, m)
    assert formula == Sum(cotangent[i, j] * K[j, c], (j, 0, m - 1)) / sqrt(d_k)


def test_softmax_gives_the_weight_times_what_is_left_of_the_gradient():
    weights = Softmax(matrix("S", n, m))
    formula = index_form(differentiate(ScaledDotProductAttention(Q, K, V)), "S").formula
    l, upstream = index_letter("l"), matrix("dA", n, m)  # noqa: E741
    mean = Sum(upstream[i, j] * Entry(weights, i, j), (j, 0, m - 1))
    assert formula == Entry(weights, i, l) * (upstream[i, l] - mean)


@pytest.mark.parametrize(
    "expression",
    [
        Q @ K.T,
        X @ X.T,
        Softmax(X),
        Softmax(X @ X.T),
        LogSumExp(X),
        GELUTanh(X),
        StandardDeviation(X),
        Linear(X, matrix("W", d, m), matrix("b", m, 1)),
        LayerNorm(X, gamma, beta),
        RMSNorm(X, gamma),
        AddNorm(X, matrix("Y", n, d), gamma, beta),
        ScaledDotProductAttention(Q, K, V),
        SingleHead(X, matrix("W_Q", d, d_k), matrix("W_K", d, d_k), matrix("W_V", d, d_v)),
    ],
    ids=lambda e: type(e).__name__,
)
def test_formulas_are_those_of_finite_differences(expression):
    """The whole Jacobian of each step by differences at 40 digits, contracted with random numbers for its gradient."""
    gradient = differentiate(expression)
    sizes = {n: 2, m: 3, d: 4, d_k: 2, d_v: 3}
    met = 0
    for step in gradient.derivation.steps:
        if step.derivative is None:
            continue
        form = index_form(gradient, step.name[1:])
        with mpmath.workdps(40):
            given, wanted = jacobian_by_differences(step.derivative, sizes, seed=met)
            for (row, column), value in wanted.items():
                at = dict(zip((form.lines[0].left.i, form.lines[0].left.j), (row, column), strict=True))
                found = value_of(form.formula, given, sizes, at)
                assert abs(found - value) < mpmath.mpf(10) ** -15, (step.name, row, column)
        met += 1
    assert met >= 1


@pytest.mark.parametrize(
    "expression",
    [
        ScaledDotProductAttention(Q, K, V),
        LayerNorm(X, gamma, beta),
        FeedForward(X, matrix("W_1", d, 5), matrix("b_1", 5, 1), matrix("W_2", 5, d), matrix("b_2", d, 1), activation="GELU"),
        MultiHeadAttention(
            X, *(matrix(w, d, d_k).of_head(head) for w in ("W_Q", "W_K", "W_V")), matrix("W_O", d_k * h, d), head, h
        ),
    ],
    ids=lambda e: type(e).__name__,
)  # fmt: skip
def test_every_line_is_proved(expression):
    gradient = differentiate(expression)
    proved = 0
    for step in gradient.derivation.steps:
        if step.derivative is None:
            continue
        if any(node.bound for _, definition, _ in step.derivative.uses for node in postorder(definition)):
            continue  # heads put side by side have no index form
        for line in index_form(gradient, step.name[1:]).every_line:
            assert judge_line(line, gradient.derivation).kind == "proved", (step.name, line.rule.en)
            proved += 1
    assert proved >= 21


def test_the_jacobian_of_softmax():
    scores, weights, powers, total = matrix("S", n, m), matrix("A", n, m), matrix("U", n, m), matrix("c", n, 1)
    lines = softmax_jacobian(scores, weights, powers, total)
    l = index_letter("l")  # noqa: E741
    a = Softmax(scores)
    assert lines[-1].right == Entry(a, i, j) * (KroneckerDelta(j, l) - Entry(a, i, l))
    assert [judge_line(line).kind for line in lines] == ["proved"] * 7


def test_a_use_in_every_head_is_summed_over_heads():
    weights = [matrix(w, d, d_k).of_head(head) for w in ("W_Q", "W_K", "W_V")]
    gradient = differentiate(MultiHeadAttention(X, *weights, matrix("W_O", d_k * h, d), head, h))
    form = index_form(gradient, "X")
    assert {limit for part in form.formula.atoms(Sum) for limit in part.limits if limit[0] == head}
    assert len(form.formula.args) == 3
    assert all(judge_line(line, gradient.derivation).kind == "proved" for line in form.every_line)


@pytest.mark.parametrize(
    ("expression", "name", "words"),
    [
        (ReLU(X), "X", "the entries of ReLU in Y are given by cases"),
        (X @ X.T, "Z", "there is no gradient with respect to Z; there are those with respect to X"),
    ],
)
def test_what_is_not_reached_says_why(expression, name, words):
    with pytest.raises((NotSupported, UnreadableInput), match=words):
        index_form(differentiate(expression), name)


@pytest.mark.parametrize(
    "cotangent", [2 * G, matrix("P", n, d) @ matrix("R", d, m), Ones(n, m), Softmax(matrix("P", n, m))], ids=str
)
def test_a_cotangent_may_be_an_expression(cotangent):
    gradient = differentiate(Q @ K.T, cotangent=cotangent)
    for name in ("Q", "K"):
        for line in index_form(gradient, name).every_line:
            assert judge_line(line, gradient.derivation).kind == "proved", line.rule.en


# -- letters ---------------------------------------------------------------------------------------------------
def test_letters_avoid_every_name_and_every_entry():
    """Of I, J and C the entries are written i, j and c, and a size n is not counted with n."""
    left, right = matrix("I", n, d), matrix("J", n, d)
    form = index_form(differentiate(left @ right.T, cotangent=matrix("C", n, n)), "I")
    used = {str(s) for line in form.lines for part in (line.left, line.right) for s in letters_of(part)}
    assert used & {"i", "j", "c", "n", "d", "I", "J", "C"} == set()
    assert all(judge_line(line).kind == "proved" for line in form.every_line)


def letters_of(formula):
    bound = {s for part in formula.atoms(Sum) for s in part.variables}
    return bound | {s for e in formula.atoms(Entry) for p in (e.i, e.j) for s in p.free_symbols}


def test_a_letter_that_is_free_and_summed_is_refused():
    for formula in (
        G[i, j] * Sum(G[i, j], (j, 0, m - 1)),
        Sum(G[i, j] * Sum(G[i, j], (j, 0, m - 1)), (j, 0, m - 1)),
    ):
        with pytest.raises(NotSupported, match=r"j is free in one place|inside another sum over j"):
            require_clear_letters(formula)
    require_clear_letters(Sum(G[i, j], (j, 0, m - 1)) * Sum(G[i, j] ** 2, (j, 0, m - 1)))  # side by side


def test_a_letter_that_a_sum_would_catch_is_refused():
    with pytest.raises(NotSupported, match="the sum over j would catch it"):
        with_letters(Sum(G[i, j], (j, 0, m - 1)), {i: j})
    assert with_letters(Sum(G[i, j], (j, 0, m - 1)), {j: i}) == Sum(G[i, j], (j, 0, m - 1))


def test_another_head_by_a_letter_may_be_the_same():
    family = matrix("W", n, d)
    first, second, any_head = (family.of_head(k) for k in (0, 1, head))
    assert derivative(first[i, j], second[i, j]) == 0
    assert derivative(any_head[i, j], any_head[i, c]) != 0
    with pytest.raises(NotSupported, match="another head may be the same"):
        derivative(any_head[i, j], second[i, j])


def test_no_derivative_is_left():
    for name in ("Q", "K", "V", "A", "S"):
        form = index_form(differentiate(derive(ScaledDotProductAttention(Q, K, V))), name)
        assert not form.formula.atoms(Derivative, KroneckerDelta)


X_2, W_2 = matrix("X", dimension("n"), dimension("d")), matrix("W", dimension("d"), dimension("d"))


@pytest.mark.parametrize("inner", [Tanh(X_2), X_2 @ W_2, Softmax(X_2), Standardization(X_2)])
@pytest.mark.parametrize("outer", [lambda x, f: x + f, Hadamard])
def test_a_letter_on_two_ways_at_once_has_its_direct_slope_in_place_of_an_ambiguous_sign(inner, outer):
    """∂y/∂x would not say whether F, which x goes into as well, is held fixed; with ∂L/∂f ∂f/∂x beside it, it is."""
    gradient = differentiate(derive({"F": inner, "Y": outer(X_2, inner)}), "X")
    form = index_form(gradient, "X")
    by_step = {d.expr.parent for line in form.lines for d in line.right.atoms(Derivative) if isinstance(d.expr, Entry)}
    assert by_step.isdisjoint((outer(X_2, inner), outer(X_2, gradient.forward["F"].letter)))
    first = form.lines[0]
    assert [judge_line(line, gradient.derivation).kind for line in (first, form.lines[-1])] == ["proved"] * 2
    assert "directly" in first.explanation.en
    twice = first.right + Entry(gradient.derivation["dF"].letter, *first.left.indices)  # F counted once more
    assert judge_line(replace(first, right=twice), gradient.derivation).kind != "proved"


@pytest.mark.parametrize("axis", [0, 1])
def test_a_delta_stays_where_the_sum_does_not_reach_every_value(axis):
    """Y has the first 2 rows, or columns, of X: ∂L/∂x_ic is 0 further on, and not ∂L/∂y_ic."""
    A = matrix("A", n, d)
    part = RowSlice(A, 0, 2) if axis == 0 else ColumnSlice(A, 0, 2)
    H = matrix("H", *part.shape)
    form = index_form(differentiate(part, cotangent=H), "A")
    assert isinstance(form.formula, Sum)
    ((counted, first, last),) = form.formula.limits
    assert (first, last) == (0, 1)
    rows, columns = form.lines[0].left.args[1:]
    for place in [(row, column) for row in range(3) for column in range(4)]:
        at = dict(zip((rows, columns), map(Integer, place), strict=True))
        terms = [with_letters(form.formula.function, at | {counted: Integer(k)}) for k in (0, 1)]
        assert [term for term in terms if term != 0] == ([H[place]] if place[axis] < 2 else [])


def test_a_letter_takes_the_place_of_another_only_where_it_counts_no_further():
    k, free = index_letter("k"), index_letter("l")
    summed = Sum(KroneckerDelta(k, free) * Q[k, c], (k, 0, n - 1))
    for size, picked in ((n, True), (n + 1, False), (m, False), (2, False), (1, True)):
        found = delta_picks({free: {size}}).rewrite(summed)
        assert found == (Q[free, c] if picked else None), size
    assert delta_picks({}).rewrite(summed) is None
    assert delta_picks({free: {n, m}}).rewrite(summed) is None
    assert delta_picks({}).rewrite(Sum(KroneckerDelta(k, 0) * Q[k, c], (k, 0, n - 1))) == Q[0, c]
    assert delta_picks({}).rewrite(Sum(KroneckerDelta(k, 1) * Q[k, c], (k, 0, n - 1))) is None


def test_entries_that_would_be_written_alike_have_no_lines():
    small = matrix("x", n, d)
    with pytest.raises(NotSupported, match="entries of X and of x would be written alike"):
        index_form(differentiate(Hadamard(X, small)), "X")
    assert index_form(differentiate(Hadamard(X, matrix("b", n, d))), "X").lines


def test_the_loss_is_called_by_its_name():
    of_loss = differentiate(CrossEntropy(matrix("L", n, d), matrix("T", n, d)), "L")
    lines = index_form(of_loss, "L").every_line
    assert {line.loss for line in lines} == {of_loss.output.name} == {"J"}
    assert all(misleading(line, of_loss.derivation) is None for line in lines)
    assert all(
        misleading(replace(line, loss=name), of_loss.derivation) for line in lines for name in ("L", "P", "Lambda")
    )
    assert {line.loss for line in index_form(differentiate(Q @ K.T, cotangent=G), "Q").every_line} == {"L"}
