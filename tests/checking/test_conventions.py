"""A value that is right under another convention is named so; what is right as it is, or wrong, is not."""

import pytest
from gradient_slips import CONVENTIONS as OF_POSITIONS
from loss_slips import CONVENTIONS as OF_LOSSES
from network_slips import CONVENTIONS as OF_NETWORKS
from normalization_slips import CONVENTIONS as OF_NORMS
from slip_cases import fits_of, literals, numbers_by_name, right_rows

from symtransformer.checking.conventions import CONVENTIONS, by_convention
from symtransformer.checking.slips import SLIPS

CASES = [*OF_LOSSES, *OF_NETWORKS, *OF_POSITIONS, *OF_NORMS]
NAMED = [f"{case.slip}-{k}" for k, case in enumerate(CASES)]


@pytest.mark.parametrize("case", CASES, ids=NAMED)
def test_the_convention_is_named(case):
    for seed in range(3):
        drawn = case.numbers(seed)
        found = by_convention(case.build(), literals(drawn), fits_of(case.planted(**numbers_by_name(drawn))))
        assert found is not None
        assert found.name == case.slip


@pytest.mark.parametrize("case", CASES, ids=NAMED)
def test_what_is_right_as_it_is_needs_no_convention(case):
    drawn = literals(case.numbers())
    assert by_convention(case.build(), drawn, fits_of(right_rows(case.build(), drawn))) is None


@pytest.mark.parametrize("case", CASES, ids=NAMED)
def test_no_convention_excuses_a_wrong_number(case):
    drawn = case.numbers()
    planted = case.planted(**numbers_by_name(drawn))
    planted[-1][-1] += 1
    assert by_convention(case.build(), literals(drawn), fits_of(planted)) is None


def test_every_convention_is_tried_and_none_is_a_slip():
    assert {case.slip for case in CASES} == {convention.name for convention in CONVENTIONS}
    assert not {convention.name for convention in CONVENTIONS} & {slip.name for slip in SLIPS}
