"""The gradient of every operation, of blocks and of small models, by three other routes than its own.

Exactly: by SymPy's derivative of the formula of each entry, and by arithmetic of values with slopes, which reaches
whole models. To at least 25 digits: by central differences in 600 bits.
"""

from __future__ import annotations

import flint
import pytest
from generic_numbers import PRIME, SQUARES
from sympy import isprime
from test_every_operation import COMPOSITES, PRIMITIVES, WITHOUT_MATRICES
from vjp_cases import BLOCKS, COTANGENT, all_subjects, subjects
from vjp_checks import check_by_sympy, differences_of, slopes_of

from symtransformer import dimension, evaluate, matrix
from symtransformer.errors import UnreadableInput
from symtransformer.gradients import differentiate
from symtransformer.operation import REGISTRY, Primitive
from symtransformer.operations import FeedForward, Hardmax, Heaviside, MultiHeadAttention, ReLU

# The formula of an entry would be too long, or SymPy takes some seconds for its derivatives: the slopes do these.
TOO_LONG = {
    "DecoderLayer", "EncoderLayer", "GroupedQueryAttention", "MultiHeadAttention", "language model, tied",
    "attention with rotary positions", "encoder and decoder", "heads over another sequence",
    "two encoder layers, norm after and before",
}  # fmt: skip
SLOW = {
    "AdditiveAttention", "AdditiveScores", "CachedAttention", "CrossAttention", "FeedForward", "KeyValueMemory",
    "ScaledDotProductAttention", "SingleHead", "SwiGLU", "tied embedding", "AddNorm", "label smoothing",
}  # fmt: skip
BY_SYMPY = [
    pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name
    for name in all_subjects()
    if name not in TOO_LONG
]
largest: list[float] = []


def test_how_many_subjects_were_met():
    """A new operation is taken up by being there; the numbers are those of `test_every_operation`."""
    assert len(all_subjects()) == PRIMITIVES + COMPOSITES + len(BLOCKS)
    assert len(REGISTRY) == PRIMITIVES + COMPOSITES
    for name, operation in REGISTRY.items():
        routes = {"vjp", "sweep"} if issubclass(operation, Primitive) else {"sweep"}
        for subject in subjects(name):
            assert bool(subject.letters) == (name not in WITHOUT_MATRICES)
            assert not subject.letters or routes <= set(subject.gradients)
            assert all(set(g) == {a.name for a in subject.letters} for g in subject.gradients.values())
            assert subject.letters or subject.gradients == {"vjp": {}}


@pytest.mark.parametrize("name", all_subjects())
def test_a_gradient_is_exactly_that_of_values_with_slopes(name):
    for subject in subjects(name):
        for gradients in subject.gradients.values():
            for letter in subject.letters:
                for head, gradient in gradients[letter.name]:
                    slopes_of(subject).check(letter, head, gradient)


@pytest.mark.parametrize("name", BY_SYMPY)
def test_a_gradient_is_exactly_that_of_the_entries(name):
    for subject in subjects(name):
        check_by_sympy(subject)


@pytest.mark.parametrize("name", all_subjects())
def test_a_gradient_agrees_with_differences_in_600_bits(name):
    for subject in subjects(name):
        for gradients in subject.gradients.values():
            for letter in subject.letters:
                for head, gradient in gradients[letter.name]:
                    residual = differences_of(subject).check(letter, head, gradient)
                    largest.append(float(residual))
                    assert residual < flint.arb(10) ** -25


def test_the_residuals_are_far_below_what_is_allowed():
    """Of 600 bits, 400 are left after the division by the step."""
    assert max(largest, default=0) < 1e-60


def test_the_field_is_as_described():
    assert isprime(PRIME)
    assert PRIME % 8 == 7
    assert all(SQUARES % q for q in (2, 3, 5, 7, 11, 13))
    assert all(pow(q, SQUARES, PRIME) == 1 for q in (2, 3, 5, 7, 11, 13))
    assert pow(PRIME - 1, SQUARES, PRIME) != 1


# -- at the boundaries, and what an expression may call its letters --------------------------------------------
@pytest.mark.parametrize(
    ("operation", "values", "wanted"),
    [(ReLU, [[0, 2, -3]], [[0, 7, 0]]), (Heaviside, [[0, 2, -3]], [[0, 0, 0]]), (Hardmax, [[2, 2, 1]], [[0, 0, 0]])],
)
def test_the_value_at_a_boundary_is_the_one_that_is_stated(operation, values, wanted):
    A, G = matrix("A", 1, 3), matrix("G", 1, 3)
    for gradient in (*operation(A).vjp(G), differentiate(operation(A), cotangent=G)["A"].stands_for):
        given = {"A": values, "G": [[5, 7, 11]]}
        used = {x.name for x in gradient._free}
        assert evaluate(gradient, {k: v for k, v in given.items() if k in used}).tolist() == wanted


def test_every_head_has_a_gradient_of_its_own():
    """With a number of heads the steps are taken apart, and no head is lost."""
    n, d, k, v = map(dimension, ("n", "d", "k", "v"))
    letters = [matrix("W_Q", d, k), matrix("W_K", d, k), matrix("W_V", d, v), matrix("W_O", 3 * v, d)]
    gradient = differentiate(MultiHeadAttention(matrix("X", n, d), *letters, heads=3))
    assert list(gradient.formulas)[:4] == ["X", "W_Q^(1)", "W_Q^(2)", "W_Q^(3)"]
    assert [str(gradient[f"W_Q^({h})"].letter) for h in (1, 2, 3)] == ["dW_Q1", "dW_Q2", "dW_Q3"]
    assert str(gradient["W_V^(2)"].expression) == "X^T dV_2"
    with pytest.raises(UnreadableInput, match="one for each head; name one of"):
        gradient["W_Q"]
    assert len(differentiate(MultiHeadAttention(matrix("X", n, d), *letters, heads=3), "W_Q").wrt) == 3


def test_a_cotangent_does_not_bear_the_name_of_a_step():
    """It would be taken for the step, here for the result itself."""
    network = FeedForward(matrix("X", 2, 3), matrix("W_1", 3, 4), matrix("W_2", 4, 5))
    name = differentiate(network).output.name
    with pytest.raises(UnreadableInput, match="also names a step"):
        differentiate(network, cotangent=matrix(name, 2, 5))
    assert COTANGENT not in {step.name for step in differentiate(network).derivation.steps}
