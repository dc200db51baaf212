"""The proof pages: every step is proved, a planted error is refuted, and the law of variances is counted out."""

import importlib.util
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from oracle_tables.variance import SIGNS, independent_components, second_moments, variance_of_dot_product

from symtransformer import evaluate, verify, with_values

FOLDER = Path(__file__).parents[1] / "derivations"
STEPS = {
    "proof_linear_collapse": 10,
    "proof_permutation_equivariance": 14,
    "proof_rotary_positions": 15,
    "proof_variance_of_scores": 8,
    "proof_heads": 10,
}
LOPSIDED = {-1: Fraction(2, 3), 2: Fraction(1, 3)}  # mean 0, variance 2, not symmetric


@cache
def derivation_of(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.derivation


@pytest.mark.parametrize(("name", "count"), STEPS.items())
def test_every_step_is_proved(name, count):
    verified = verify(derivation_of(name))
    assert {step: verdict.kind for step, verdict in verified.verdicts.items()} == dict.fromkeys(
        verified.verdicts, "proved"
    )
    assert len(verified.verdicts) == count


def with_step(name, step, expression):
    """The same page with another right side in one step."""
    derivation = derivation_of(name)
    steps = tuple(replace(s, expression=expression(s.expression)) if s.name == step else s for s in derivation.steps)
    return verify(replace(derivation, steps=steps)).verdicts[step].kind


@pytest.mark.parametrize(
    ("name", "step", "wrong"),
    [
        ("proof_linear_collapse", "Y_2", lambda right: right - right.args[1]),  # a bias is lost
        ("proof_linear_collapse", "Z", lambda right: 2 * right),
        ("proof_permutation_equivariance", "U", lambda right: 1 * right + right),
        ("proof_permutation_equivariance", "S_P", lambda right: right.args[0]),  # the columns stay in the old order
        ("proof_permutation_equivariance", "A_P", lambda right: right.T),
        ("proof_rotary_positions", "S_3", lambda right: right.args[0] - right.args[1]),  # the other sign
        ("proof_rotary_positions", "U", lambda right: 3 * right / 2),
        ("proof_variance_of_scores", "G", lambda right: right / 2),
        ("proof_variance_of_scores", "N", lambda right: 2 * right),
        ("proof_heads", "O", lambda right: right / 3),
        ("proof_heads", "H", lambda right: right - right.args[0] @ right.args[1] / 7),
    ],
)
def test_a_planted_error_is_refuted(name, step, wrong):
    assert with_step(name, step, lambda right: right) == "proved"
    assert with_step(name, step, wrong) == "refuted"


# -- the law of variances, by counting ----------------------------------------------------------------------
def variance_by_formula(queries, keys):
    """The line of the page that is assumed, with the second moments of both laws put in."""
    moments = {"C_q": second_moments(queries), "C_k": second_moments(keys)}
    page = with_values(derivation_of("proof_variance_of_scores"), moments)
    return Fraction(str(evaluate(page["V"].expression, moments)[0, 0]))


@pytest.mark.parametrize("size", range(1, 7))
def test_all_pairs_of_signs_give_the_width(size):
    vectors = independent_components(SIGNS, size)
    assert len(vectors) ** 2 == 4**size
    assert variance_of_dot_product(vectors, vectors) == size == variance_by_formula(vectors, vectors)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_lopsided_law_gives_the_product_of_the_variances(size):
    queries, keys = independent_components(LOPSIDED, size), independent_components(SIGNS, size)
    assert sum(x * p for x, p in LOPSIDED.items()) == 0
    assert variance_of_dot_product(queries, keys) == 2 * size == variance_by_formula(queries, keys)
    assert variance_of_dot_product(queries, queries) == 4 * size == variance_by_formula(queries, queries)


def test_components_that_depend_on_one_another_follow_the_assumed_line_but_not_the_width():
    tied = {
        (1, 1, 2): Fraction(1, 4),
        (-1, -1, -2): Fraction(1, 4),
        (1, -1, 0): Fraction(1, 4),
        (-1, 1, 0): Fraction(1, 4),
    }
    signs = independent_components(SIGNS, 3)
    equal = {(1, 1, 1): Fraction(1, 2), (-1, -1, -1): Fraction(1, 2)}
    for queries, keys in ((tied, signs), (tied, equal), (equal, equal)):
        assert variance_of_dot_product(queries, keys) == variance_by_formula(queries, keys)
    assert variance_of_dot_product(equal, equal) == 9


def test_the_assumed_line_needs_a_mean_of_zero():
    """With means other than 0 the mean of the square is not the variance; the page says so as an assumption."""
    shifted = independent_components({1: Fraction(1, 2), 2: Fraction(1, 2)}, 2)
    assert variance_of_dot_product(shifted, shifted) != variance_by_formula(shifted, shifted)
