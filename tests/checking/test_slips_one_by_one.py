"""Each slip by itself: what it makes of an expression has the value that plain formulas give, and none it makes is right."""

import pytest
from attention_slips import CASES as ATTENTION
from elementary_slips import CASES as ELEMENTARY
from gradient_slips import CASES as GRADIENTS
from loss_slips import CASES as LOSSES
from network_slips import CASES as NETWORKS
from normalization_slips import CASES as NORMS
from slip_cases import fits_of, literals, numbers_by_name, right_rows
from softmax_gradient_slips import CASES as SOFTMAX_GRADIENTS

from symtransformer.checking.slips import SLIPS
from symtransformer.checking.slips.diagnosis import Budget, Trials, alterations

IN_TWO_PLACES = ("weight_transposed", "weights_swapped")  # done twice, they are undone
BY_NAME = {}
for one in SLIPS:
    BY_NAME.setdefault(one.name, []).append(one)


def assert_made(case):
    drawn, expression = case.numbers(2), case.build()
    values, planted = literals(drawn), case.planted(**numbers_by_name(drawn))
    shape = (len(planted), len(planted[0]))
    altered = [e for _, e in alterations(expression, values, tuple(BY_NAME[case.slip]))]
    is_planted = Trials(values, fits_of(planted), shape, Budget()).fit
    is_right = Trials(values, fits_of(right_rows(expression, values)), shape, Budget()).fit
    assert any(map(is_planted, altered))
    assert case.slip in IN_TWO_PLACES or not any(map(is_right, altered))


def each(cases):
    return pytest.mark.parametrize("case", cases, ids=[f"{case.slip}-{k}" for k, case in enumerate(cases)])


@each(ATTENTION)
def test_in_attention(case):
    assert_made(case)


@each(LOSSES)
def test_in_a_loss(case):
    assert_made(case)


@each(NETWORKS)
def test_in_a_network(case):
    assert_made(case)


@each(GRADIENTS)
def test_in_a_gradient(case):
    assert_made(case)


@each(NORMS)
def test_in_a_normalization(case):
    assert_made(case)


@each(SOFTMAX_GRADIENTS)
def test_in_the_gradient_of_a_softmax(case):
    assert_made(case)


@each(ELEMENTARY)
def test_in_elementary_functions(case):
    assert_made(case)
