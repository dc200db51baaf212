"""The module that is written for every operation gives its value and its gradient, and says so when it is run."""

from __future__ import annotations

import numpy as np
import pytest
from facet_cases import all_cases
from facet_checks import as_arrays

from symtransformer import evaluate
from symtransformer.numpy_module import as_numpy_module
from symtransformer.operation import REGISTRY, Primitive
from symtransformer.symbols import Letter


def cases_of(operation):
    """All of a primitive; of what is made of these, the one with the fewest and the one with the most arguments."""
    cases = all_cases(operation)
    return cases if issubclass(operation, Primitive) else cases[:: max(1, len(cases) - 1)]


CASES = [
    pytest.param(case, id=f"{name}-{len(case.order)}")
    for name, operation in sorted(REGISTRY.items())
    for case in cases_of(operation)
]


def run(text):
    """What a module defines."""
    defined = {"__name__": "written"}
    exec(compile(text, "written.py", "exec"), defined)
    return defined


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("case", CASES)
def test_module_gives_the_value_and_the_gradient_of_every_operation(case, capsys):
    written = run(as_numpy_module(case.node))
    arrays = {a.name: x for a, x in zip(case.order, as_arrays(case), strict=True) if isinstance(a, Letter)}
    expected = evaluate(case.node, {a.name: case.values[a] for a in case.letters}, backend="numpy")
    np.testing.assert_allclose(written["forward"](*arrays.values()), expected, rtol=1e-13, atol=1e-14)
    written["PLACES_AT_MOST"] = 12
    if case.letters:
        assert written["check"](written["forward"], written["gradient"], written["shapes"], []) == 0
        assert "largest error against central differences" in capsys.readouterr().out
