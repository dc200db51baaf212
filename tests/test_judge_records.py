"""What a step says to be the gradient of: wrong or incomplete records are never proved, second derivatives are."""

from __future__ import annotations

import numpy as np
import pytest

from symtransformer import Words, derive, differentiate, dimension, evaluate, matrix, verify
from symtransformer.derivation import Derivation, Derivative, Step
from symtransformer.index_notation import index_form
from symtransformer.judge import PROVED, REFUTED, TESTED, UNDECIDABLE
from symtransformer.operations import CrossEntropy, Hadamard, Ones, RotaryEmbedding, Softmax, Tanh

n, m, d, k = (dimension(name) for name in "nmdk")
SAYS = Words("t", "t")
X, A, B, dX = matrix("X", n, d), matrix("A", m, n), matrix("B", m, n), matrix("dX", n, d)
Y, dY, V, dV, U = (matrix(name, m, d) for name in ("Y", "dY", "V", "dV", "U"))
LINEAR, SUM = A @ X, Tanh(Y) + B @ X
BEHIND = Tanh(LINEAR) + B @ X
SLOPE, SLOPE_BEHIND = (Hadamard(dV, Ones(m, d) - Hadamard(Tanh(x), Tanh(x))) for x in (Y, LINEAR))


def step(letter, expression, behind=None, record=None):
    return Step(letter, expression, expression if behind is None else behind, SAYS, SAYS, derivative=record)


def judged(*steps):
    """The verdict on the last of the steps."""
    return verify(Derivation(steps, SAYS)).verdicts[steps[-1].name]


ONE = (step(Y, LINEAR),)
TWO = (*ONE, step(V, SUM, BEHIND))
BY_Y = step(dY, SLOPE, SLOPE_BEHIND, Derivative(Y, ((V, SUM, dV),), V, dV))
USES = ((Y, LINEAR, dY), (V, SUM, dV))
BOTH, BOTH_BEHIND = A.T @ dY + B.T @ dV, A.T @ SLOPE_BEHIND + B.T @ dV


def test_a_right_record_is_proved():
    assert judged(*ONE, step(dX, A.T @ dY, None, Derivative(X, USES[:1], Y, dY))).kind == PROVED
    assert judged(*TWO, BY_Y, step(dX, BOTH, BOTH_BEHIND, Derivative(X, USES, V, dV))).kind == PROVED
    inlined = Derivative(X, ((Y, LINEAR, SLOPE), (V, SUM, dV)), V, dV)
    assert judged(*TWO, BY_Y, step(dX, A.T @ SLOPE + B.T @ dV, BOTH_BEHIND, inlined)).kind == PROVED


WRONG = {
    "no output": (ONE, A.T @ dY, (USES[:1],), UNDECIDABLE, "of which result"),
    "no uses": (ONE, 0 * X, ((), Y, dY), REFUTED, "X goes into Y as well"),
    "a letter that no step defines": (ONE, A.T @ dY, (((U, LINEAR, dY),), Y, dY), UNDECIDABLE, "U is no step"),
    "the result of no step": (ONE, A.T @ dY, (((U, LINEAR, dY),), U, dY), UNDECIDABLE, "is no step"),
    "another definition": ((step(Y, 2 * LINEAR),), A.T @ dY, (USES[:1], Y, dY), REFUTED, "named as its definition"),
    "twice the cotangent": (ONE, 2 * A.T @ dY, (((Y, LINEAR, 2 * dY),), Y, dY), REFUTED, "2 dY is not the gradient"),
    "given twice": (ONE, 2 * A.T @ dY, (((Y, LINEAR, 2 * dY),), Y, 2 * dY), UNDECIDABLE, "written as the gradient by Y"),
    "of another step": (TWO, A.T @ dV, (((Y, LINEAR, dV),), Y, dV), UNDECIDABLE, "written as the gradient by V"),
    "no gradient on the way": (TWO, A.T @ dV, (((Y, LINEAR, dV),), V, dV), UNDECIDABLE, "no step is the gradient by that"),
    "one itself a gradient": ((*TWO, BY_Y), A.T @ dY, (USES[:1], Y, dY), UNDECIDABLE, "itself a gradient"),
    "a use left out": ((*TWO, BY_Y), A.T @ dY, (USES[:1], V, dV), REFUTED, "X goes into V as well"),
    "an early step as a use": ((*TWO, BY_Y), BOTH, (((Y, LINEAR, U), USES[1]), Y, U), REFUTED, "does not go into V on the way to Y"),
    "an inlined one doubled": (
        (*TWO, BY_Y), 2 * A.T @ SLOPE + B.T @ dV, (((Y, LINEAR, 2 * SLOPE), USES[1]), V, dV), REFUTED, "is not the gradient by Y",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_record_is_not_proved(name):
    steps, expression, record, kind, words = WRONG[name]
    behind = {Y: LINEAR, dY: SLOPE_BEHIND} if BY_Y in steps else {Y: LINEAR}
    verdict = judged(*steps, step(dX, expression, expression.xreplace(behind), Derivative(X, *record)))
    assert (verdict.kind, words in verdict.reason) == (kind, True), verdict


def test_nothing_is_proved_by_a_gradient_that_is_wrong_or_missing():
    doubled = step(dY, 2 * SLOPE, 2 * SLOPE_BEHIND, Derivative(Y, ((V, SUM, dV),), V, dV))
    by_x = Derivative(X, USES, V, dV)
    verdict = judged(*TWO, doubled, step(dX, BOTH, 2 * A.T @ SLOPE_BEHIND + B.T @ dV, by_x))
    assert verdict.kind == UNDECIDABLE
    assert "it relies on dY" in verdict.reason
    silent = step(dY, SLOPE, SLOPE_BEHIND)
    assert judged(*TWO, silent, step(dX, BOTH, BOTH_BEHIND, by_x)).kind == UNDECIDABLE


def test_what_relies_on_a_tested_gradient_is_tested():
    verified = verify(differentiate(RotaryEmbedding(X @ matrix("W", d, d)), "W"))
    assert verified.verdicts["dT_2"].kind == TESTED
    assert verified.verdicts["dW"].kind == TESTED
    assert "it relies on dT_2, which is tested" in verified.verdicts["dW"].reason


# -- gradients of gradients ---------------------------------------------------------------------------------
W, Z, dZ, P, dP, dW, ddX = (
    matrix(name, *size)
    for name, size in {
        "W": (d, k), "Z": (n, k), "dZ": (n, k), "P": (n, k), "dP": (n, k), "dW": (d, k), "ddX": (n, d)
    }.items()
)  # fmt: skip
BACK = dZ @ W.T
PENALTY = (
    step(Z, X @ W),
    step(dX, BACK, None, Derivative(X, ((Z, X @ W, dZ),), Z, dZ)),
    step(P, dX @ W, BACK @ W),
)


def test_a_step_that_is_a_gradient_depends_on_letters_too():
    through = step(ddX, dP @ W.T, None, Derivative(dX, ((P, dX @ W, dP),), P, dP))
    hidden = Derivative(W, ((Z, X @ W, dZ), (P, dX @ W, dP)), P, dP)
    wrong = step(dW, X.T @ dZ + dX.T @ dP, X.T @ dZ + BACK.T @ dP, hidden)
    assert judged(*PENALTY, wrong).kind == UNDECIDABLE
    assert judged(*PENALTY, through, wrong).kind == REFUTED
    whole = Derivative(W, ((dX, BACK, ddX), (P, dX @ W, dP)), P, dP)
    short = step(dW, dX.T @ dP, BACK.T @ dP, whole)
    assert judged(*PENALTY, through, short).kind == REFUTED
    right = step(dW, dX.T @ dP + ddX.T @ dZ, BACK.T @ dP + W @ dP.T @ dZ, whole)
    assert judged(*PENALTY, through, right).kind == PROVED
    source = np.random.default_rng(0)
    values = {x: source.normal(size=size).round(4) for x, size in ((W, (2, 3)), (dZ, (4, 3)), (dP, (4, 3)))}
    assert np.allclose(
        np.array(evaluate(right.stands_for, values, backend="numpy"), float),
        differences(lambda w: (values[dZ] @ w.T @ w * values[dP]).sum(), values[W]),
        atol=1e-6,
    )


def differences(loss, at, h=1e-5):
    result = np.zeros(at.shape)
    for place in np.ndindex(at.shape):
        moved = np.zeros(at.shape)
        moved[place] = h
        result[place] = (loss(at + moved) - loss(at - moved)) / (2 * h)
    return result


SECOND = {
    "cross-entropy": (CrossEntropy(X @ W, matrix("T", n, k)), "W", ("W", "X")),
    "cube": (Hadamard(X, Hadamard(X, X)), "X", ("X",)),
    "product": (X @ W, "X", ("W",)),
    "softmax": (Softmax(X @ W), "X", ("W", "X")),
}


@pytest.mark.parametrize("name", SECOND)
def test_second_derivatives_are_proved(name):
    subject, first, letters = SECOND[name]
    gradient = differentiate(subject, first)
    for letter in letters:
        second = differentiate(gradient.derivation, letter)
        assert {verdict.kind for verdict in verify(second).verdicts.values()} == {PROVED}
        doubled = [*second.derivation.steps]
        doubled[-1] = step(
            doubled[-1].letter, 2 * doubled[-1].expression, 2 * doubled[-1].stands_for, doubled[-1].derivative
        )
        assert judged(*doubled).kind == REFUTED


def test_the_lines_of_a_second_derivative_are_of_one_loss():
    gradient = differentiate(X @ W, "X")
    form = index_form(differentiate(gradient.derivation, "W"), "W")
    assert {letter.name for line in form.lines for letter, _ in line.losses} <= {"dW", "ddX"}


def test_every_gradient_says_of_what_it_is_one():
    gradient = differentiate(derive(Softmax(X @ W)))
    claims = [step.derivative for step in gradient.derivation.steps if step.derivative is not None]
    assert {(claim.output, claim.cotangent) for claim in claims} == {(gradient.output, gradient.cotangent)}


def test_a_step_that_bears_the_name_of_another_gradient_is_not_proved():
    by_a = Derivative(A, ((U, Hadamard(A, A) @ X, dY),), U, dY)
    back = Hadamard(2 * A, dY @ X.T)
    start = step(U, Hadamard(A, A) @ X)
    assert judged(start, step(matrix("dA", m, n), back, None, by_a)).kind == PROVED
    verdict = judged(start, step(matrix("dX", m, n), back, None, by_a))
    assert (verdict.kind, "written as the gradient by X" in verdict.reason) == (UNDECIDABLE, True)
