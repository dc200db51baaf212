"""Every operation, differentiated by all its arguments; the judge decides each step against entry formulas."""

import pytest
from facet_cases import all_cases

from symtransformer import differentiate, verify
from symtransformer.operation import MATRICES, MATRIX, REGISTRY

TAKES_MATRICES = [n for n, op in sorted(REGISTRY.items()) if any(p.kind in (MATRIX, MATRICES) for p in op.parameters)]


@pytest.mark.parametrize("name", TAKES_MATRICES)
def test_the_judge_accepts_the_gradient(name):
    case = all_cases(REGISTRY[name], draws=1)[0]
    gradient = differentiate(case.node)
    assert {letter.name for letter in gradient.wrt} == {letter.name for letter in case.letters}
    verified = verify(gradient)
    for step in gradient.derivation.steps:
        assert verified.verdicts[step.name].kind in ("proved", "tested"), (step.name, verified.verdicts[step.name])
        if step.derivative is not None:
            assert step.letter.shape == step.derivative.letter.shape


def test_how_many_were_differentiated():
    assert len(TAKES_MATRICES) == len(REGISTRY) - 6  # ones, the identity, two masks, two tables of positions
