"""No operation makes the search for slips fail: letters with and without values, sizes that are letters."""

import pytest
from planted_numbers import draw, literal, seeded
from sympy import Integer

import symtransformer.operations
from symtransformer.arguments import LETTER, MATRICES, MATRIX, SCALAR, SIZE
from symtransformer.checking.conventions import by_convention
from symtransformer.checking.slips import Budget, diagnose, diagnose_pairs
from symtransformer.checking.slips.records import ball_rows, put_in
from symtransformer.errors import SymtransformerError
from symtransformer.operation import REGISTRY
from symtransformer.symbols import Literal, dimension, matrix

assert symtransformer.operations is not None


def instance(operation, size):
    """The operation with square letters, or columns where squares do not fit; None where neither does."""
    for shape in ((size, size), (size, 1)):
        for shift in (False, True):
            given = {}
            for k, parameter in enumerate(p for p in operation.parameters if p.needed or shift):
                column = parameter.name.startswith(("bias", "gain", "shift"))
                letter = matrix(f"X{k}", *((size, 1) if column else shape))
                if parameter.kind in (MATRIX, MATRICES):
                    given[parameter.name] = letter
                elif parameter.kind in (SCALAR, SIZE) and parameter.needed:
                    given[parameter.name] = size if parameter.kind == SIZE else Integer(1) / 2
                elif parameter.kind == LETTER:
                    continue
            try:
                if any(p.kind == MATRICES for p in operation.parameters):
                    return operation(matrix("X0", *shape), matrix("X1", *shape))
                return operation(**given)
            except (SymtransformerError, TypeError):
                continue
    return None


def never(expression):
    return False


def worked_out(expression):
    """Every entry has a value, or is refused by name; that it is not what is shown is then said."""
    ball_rows(expression)
    return False


MADE = {name: instance(operation, 2) for name, operation in REGISTRY.items()}


def test_most_operations_are_tried():
    assert sum(made is not None for made in MADE.values()) > 50, [n for n, made in MADE.items() if made is None]


@pytest.mark.parametrize("name", [name for name, made in MADE.items() if made is not None])
def test_no_operation_makes_it_fail(name):
    expression = MADE[name]
    letters = sorted(expression._free, key=str)
    values = {x: literal(draw(seeded(name + str(x)), *map(int, x.shape))) for x in letters if hasattr(x, "shape")}
    for known in (values, {}, dict(list(values.items())[:1])):
        assert diagnose(expression, known, worked_out) == ()
        assert by_convention(expression, known, never) is None
        diagnose_pairs(expression, known, never, budget=Budget(40))
    diagnose(put_in(expression, values), {}, never)


@pytest.mark.parametrize("name", [name for name, made in MADE.items() if made is not None])
def test_sizes_that_are_letters_are_left_alone(name):
    expression = instance(REGISTRY[name], dimension("n"))
    if expression is not None:
        assert diagnose(expression, {}, never) == ()
        assert by_convention(expression, {}, never) is None


def test_zeros_and_ones_break_nothing():
    """Divisions by 0, logarithms of 0 and rows without a largest entry are no explanations."""
    for name, expression in MADE.items():
        if expression is not None:
            for number in (0, 1, -1):
                values = {x: Literal([[number] * int(x.shape[1])] * int(x.shape[0])) for x in expression._free}
                assert diagnose(expression, values, worked_out) == (), name
