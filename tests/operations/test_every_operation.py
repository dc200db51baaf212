"""Every operation of the registry passes every check: a new one is taken up by being there."""

from __future__ import annotations

import inspect

import pytest
from facet_behaviour import (
    INFINITY_BY_HAND,
    check_batches,
    check_infinity,
    check_infinity_refused,
    check_large,
    check_notation,
    check_properties,
    check_words,
    infinite_cases,
)
from facet_cases import SQUARE, all_cases, count_of_arguments, make_case
from facet_checks import COMPOSITE_CHECKS, PRIMITIVE_CHECKS, check_element, check_numpy_code
from facet_references import REFERENCES
from references_layers import TOO_LONG

import symtransformer.operations
from symtransformer.errors import LimitExceeded
from symtransformer.operation import MATRICES, MATRIX, REGISTRY, Composite, Primitive

# A new operation raises these numbers, on purpose, together with its line in REFERENCES.
PRIMITIVES, COMPOSITES = 49, 29

# Arguments that are square whatever the sizes: a mask of a row against itself, the weight of a state.
SQUARE_BY_MEANING = {
    "SingleHead": {"A4"}, "EncoderLayer": {"A18"}, "DecoderLayer": {"A25"}, "RecurrentStep": {"A2"},
}  # fmt: skip

WITHOUT_MATRICES = {"CausalMask", "Identity", "Ones", "PaddingMask", "RotaryAngles", "SinusoidalEncoding"}

PRIMITIVE = {name: op for name, op in sorted(REGISTRY.items()) if issubclass(op, Primitive)}
COMPOSITE = {name: op for name, op in sorted(REGISTRY.items()) if issubclass(op, Composite)}
TAKES_MATRICES = {n: op for n, op in PRIMITIVE.items() if any(p.kind in (MATRIX, MATRICES) for p in op.parameters)}


def test_how_many_operations_were_met():
    assert (len(PRIMITIVE), len(COMPOSITE)) == (PRIMITIVES, COMPOSITES)
    assert len(REGISTRY) == PRIMITIVES + COMPOSITES
    assert set(REFERENCES) == set(REGISTRY)
    assert symtransformer.operations.__all__ == sorted(REGISTRY)
    assert set(PRIMITIVE) - set(TAKES_MATRICES) == WITHOUT_MATRICES


@pytest.mark.parametrize("check", PRIMITIVE_CHECKS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("name", PRIMITIVE)
def test_primitive(name, check):
    cases = all_cases(PRIMITIVE[name], draws=2)
    assert len(cases) >= 2
    for case in cases:
        check(case)


CHECKED = [(name, check) for name in COMPOSITE for check in COMPOSITE_CHECKS if (name, check.__name__) not in TOO_LONG]


@pytest.mark.parametrize(("name", "check"), CHECKED, ids=lambda x: getattr(x, "__name__", x))
def test_composite(name, check):
    for case in all_cases(COMPOSITE[name]):
        check(case)


def test_what_is_too_long_is_known():
    assert len(CHECKED) + len(TOO_LONG) == COMPOSITES * len(COMPOSITE_CHECKS)
    for name in ("DecoderLayer", "EncoderLayer"):
        with pytest.raises(LimitExceeded, match="more than 12 nested operations"):
            check_element(all_cases(COMPOSITE[name])[0])


@pytest.mark.parametrize("name", REGISTRY)
def test_sizes_are_unequal(name):
    for case in all_cases(REGISTRY[name]):
        assert case.node.shape[0] != case.node.shape[1] or (name, len(case.node.args)) in SQUARE
        squares = [a for a in case.letters if a.shape[0] == a.shape[1]]
        assert {a.name for a in squares} <= SQUARE_BY_MEANING.get(name, set())


@pytest.mark.parametrize("name", PRIMITIVE)
def test_properties_hold_and_can_fail(name):
    assert len(PRIMITIVE[name].properties) >= 1
    for case in all_cases(PRIMITIVE[name], draws=2):
        check_properties(case)


@pytest.mark.parametrize("name", PRIMITIVE)
def test_numpy_code(name):
    for case in all_cases(PRIMITIVE[name], draws=2):
        check_numpy_code(case)


@pytest.mark.parametrize("name", TAKES_MATRICES)
def test_batches(name):
    for count in count_of_arguments(PRIMITIVE[name]):
        check_batches(make_case(PRIMITIVE[name], count, 0), make_case(PRIMITIVE[name], count, 1))


@pytest.mark.parametrize("name", REGISTRY)
def test_large_inputs(name):
    for case in all_cases(REGISTRY[name]):
        check_large(case)


@pytest.mark.parametrize(
    "name", [n for n, op in TAKES_MATRICES.items() if op.accepts_infinity and n not in INFINITY_BY_HAND]
)
def test_minus_infinity_is_carried_through(name):
    case = all_cases(PRIMITIVE[name])[-1]
    places = infinite_cases(case)
    assert places
    for letter, place in places:
        check_infinity(case, letter, place)


@pytest.mark.parametrize("name", [n for n, op in TAKES_MATRICES.items() if not op.accepts_infinity or n == "Hadamard"])
def test_minus_infinity_is_refused(name):
    check_infinity_refused(all_cases(PRIMITIVE[name])[-1])


@pytest.mark.parametrize("name", REGISTRY)
def test_words_and_notation(name):
    check_words(REGISTRY[name])
    for case in all_cases(REGISTRY[name]):
        check_notation(case)


@pytest.mark.parametrize("name", REGISTRY)
def test_the_class_is_where_its_facets_are(name):
    operation = REGISTRY[name]
    assert operation.__module__.startswith("symtransformer.operations.")
    assert operation.__name__ == name
    names = list(inspect.signature(operation.numpy).parameters) if issubclass(operation, Primitive) else []
    assert operation.__slots__ == ()
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", COMPOSITE)
def test_composite_names_its_result(name):
    operation = COMPOSITE[name]
    assert operation.letter[0].isupper()
    for case in all_cases(operation):
        parts = [part for part, _ in case.node.definition().parts]
        assert len(set(parts)) == len(parts)
