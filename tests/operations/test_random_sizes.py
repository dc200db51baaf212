"""Every operation whose sizes are free, at sizes that are drawn: shape, entries, 50 digits and NumPy agree."""

from __future__ import annotations

import random

import pytest
from facet_cases import Case, all_cases, drawn, kinds_of_arguments
from facet_checks import check_ball_value, check_element, check_numpy, check_shape

import symtransformer.operations
from symtransformer.arguments import LETTER, SIZE
from symtransformer.errors import ShapeError
from symtransformer.operation import REGISTRY, Primitive
from symtransformer.symbols import Letter

assert symtransformer.operations
LARGEST = 7
CASES = {
    name: [case for case in all_cases(operation) if not {SIZE, LETTER} & set(kinds_of_arguments(case.node))]
    for name, operation in sorted(REGISTRY.items())
}
FREE = [name for name, cases in CASES.items() if cases]


def resized(case, draw):
    """The case with each of its sizes replaced by another, all of them different; 1 stays."""
    rng = random.Random(f"{case.name}-{draw}")
    before = sorted({int(s) for letter in case.letters for s in letter.shape} - {1})
    for _ in range(40):
        new = dict(zip(before, rng.sample(range(2, LARGEST + 1), len(before)), strict=True)) | {1: 1}
        letters = {a: Letter(a.name, *(new[int(s)] for s in a.shape)) for a in case.letters}
        try:
            node = case.operation(*(letters.get(a, a) for a in case.node.args))
        except ShapeError:  # an even number of columns, say
            continue
        positive = all(x > 0 for rows in case.values.values() for row in rows for x in row if x.is_finite)
        names = {a: p.name for p, a in zip(case.operation.parameters, case.node.args, strict=False)}
        values = {b: drawn(rng, *map(int, b.shape), names.get(a, ""), positive) for a, b in letters.items()}
        order = [letters.get(a, a) if isinstance(a, Letter) else a for a in case.order]
        return Case(case.operation, node, list(letters.values()), values, case.others, 0, order, draw)
    raise AssertionError(f"{case.name}: no other sizes fit")


def test_how_many_operations_were_met():
    """The others have sizes or heads among their arguments, and are tried at the sizes of `facet_cases`."""
    assert len(FREE) == 60
    assert len(REGISTRY) - len(FREE) == 18


@pytest.mark.parametrize("draw", range(3))
@pytest.mark.parametrize("name", FREE)
def test_at_drawn_sizes(name, draw):
    for case in CASES[name]:
        other = resized(case, draw)
        check_shape(other)
        check_numpy(other)
        check_ball_value(other)
        if issubclass(other.operation, Primitive):
            check_element(other)
