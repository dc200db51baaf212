"""Every slip, planted by plain formulas on generic numbers, is among those that are named."""

import pytest
from attention_slips import CASES as ATTENTION
from elementary_slips import CASES as ELEMENTARY
from gradient_slips import CASES as GRADIENTS
from loss_slips import CASES as LOSSES
from network_slips import CASES as NETWORKS
from normalization_slips import CASES as NORMS
from slip_cases import fits_of, literals, names, numbers_by_name, right_rows
from softmax_gradient_slips import CASES as SOFTMAX_GRADIENTS

from symtransformer.checking.slips import SLIPS, diagnose

CASES = [*ATTENTION, *LOSSES, *NETWORKS, *GRADIENTS, *NORMS, *SOFTMAX_GRADIENTS, *ELEMENTARY]
DRAWS = 2


def numbered(cases):
    return [f"{case.slip}-{k}" for k, case in enumerate(cases)]


@pytest.mark.parametrize("case", CASES, ids=numbered(CASES))
def test_the_planted_slip_is_named(case):
    for seed in range(DRAWS):
        drawn = case.numbers(seed)
        planted = case.planted(**numbers_by_name(drawn))
        shape = (len(planted), len(planted[0]))
        found = names(diagnose(case.build(), literals(drawn), fits_of(planted), shape=shape))
        assert case.slip in found, (found, seed)


@pytest.mark.parametrize("case", CASES, ids=numbered(CASES))
def test_nobody_is_accused_where_the_numbers_are_right(case):
    drawn, expression = literals(case.numbers()), case.build()
    assert diagnose(expression, drawn, fits_of(right_rows(expression, drawn))) == ()


def test_every_slip_is_planted():
    assert {slip.name for slip in SLIPS} == {case.slip for case in CASES}
