"""Wrong operations, planted one by one: the checks of every operation must refuse each of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from facet_behaviour import (
    INFINITY_BY_HAND,
    check_batches,
    check_infinity,
    check_large,
    check_properties,
    infinite_cases,
)
from facet_cases import all_cases, make_case
from facet_checks import COMPOSITE_CHECKS, PRIMITIVE_CHECKS, Refused
from sympy import S, sqrt
from test_every_operation import PRIMITIVES, WITHOUT_MATRICES

import symtransformer.operations as ops
from symtransformer.errors import SymtransformerError
from symtransformer.operation import (
    COMPOSITE_FACETS,
    PRIMITIVE_FACETS,
    REGISTRY,
    Composite,
    Primitive,
    Property,
    Stages,
)

_numbers = itertools.count(1)
# What a wrong operation may also run into, when its own code leaves the bounds of its arguments.
REFUSALS = (Refused, SymtransformerError, IndexError)


def broken(operation, **facets):
    """A copy of the operation with some facets replaced, which the registry forgets at once."""
    parent = Primitive if issubclass(operation, Primitive) else Composite
    wanted = PRIMITIVE_FACETS if parent is Primitive else COMPOSITE_FACETS
    body = {
        f: operation.__dict__[f] for f in (*wanted, "shortcut", "stages", "accepts_infinity") if f in operation.__dict__
    }
    name = f"Broken{next(_numbers)}{operation.__name__}"
    body |= {"__slots__": (), "__module__": __name__, **facets}
    copy = type(operation)(name, (parent,), body)
    copy.stands_in_for = operation.__name__
    assert REGISTRY.pop(name) is copy
    return copy


def run_all(operation):
    """Every check of the registry run, in its order, on every case."""
    checks = PRIMITIVE_CHECKS if issubclass(operation, Primitive) else COMPOSITE_CHECKS
    cases = all_cases(operation)
    for case in cases:
        for check in checks:
            check(case)
        check_large(case)
    if not issubclass(operation, Primitive):
        return
    check_properties(cases[-1])
    count = len(cases[-1].node.args)
    check_batches(make_case(operation, count, 0), make_case(operation, count, 1))
    if operation.accepts_infinity and cases[-1].name not in INFINITY_BY_HAND:
        for letter, place in infinite_cases(cases[-1]):
            check_infinity(cases[-1], letter, place)


# -- every facet of every primitive, broken by rule ------------------------------------------------
def _scaled_element(op):
    return {"element": lambda self, i, j, fresh: op.element(self, i, j, fresh) * (S(1001) / 1000)}


def _swapped_element(op):
    return {"element": lambda self, i, j, fresh: op.element(self, j, i, fresh)}


def _scaled_value(op):
    def value(self, numbers, *arguments):
        factor = numbers.scalar(S(1001) / 1000)
        return [[x * factor for x in row] for row in op.value(self, numbers, *arguments)]

    return {"value": value}


def _turned_value(op):
    return {"value": lambda self, numbers, *a: [list(c) for c in zip(*op.value(self, numbers, *a), strict=True)]}


def _scaled_numpy(op):
    return {"numpy": staticmethod(lambda *a: op.numpy(*a) * 1.001)}


def _single_precision(op):
    return {"numpy": staticmethod(lambda *a: op.numpy(*a).astype(np.float32))}


def _turned_numpy(op):
    return {"numpy": staticmethod(lambda *a: np.swapaxes(op.numpy(*a), -1, -2))}


def _turned_shape(op):
    return {"find_shape": lambda self: tuple(reversed(op.find_shape(self)))}


def _scaled_vjp(op):
    return {"vjp": lambda self, g: tuple((S(1001) / 1000) * rule for rule in op.vjp(self, g))}


def _scaled_last_vjp(op):
    return {"vjp": lambda self, g: (*op.vjp(self, g)[:-1], (S(1001) / 1000) * op.vjp(self, g)[-1])}


def _negative_vjp(op):
    return {"vjp": lambda self, g: tuple(-rule for rule in op.vjp(self, g))}


def _turned_vjp(op):
    return {"vjp": lambda self, g: tuple(rule.T for rule in op.vjp(self, g))}


def _short_vjp(op):
    return {"vjp": lambda self, g: op.vjp(self, g)[:-1]}


def _empty_property(op):
    return {"properties": (Property(op.title, lambda result, *arguments: True),)}


def _false_property(op):
    return {"properties": (*op.properties, Property(op.title, lambda result, *arguments: bool((result > 1e9).all())))}


RULES = [
    _scaled_element, _swapped_element, _scaled_value, _turned_value, _scaled_numpy, _single_precision, _turned_numpy,
    _turned_shape, _scaled_vjp, _scaled_last_vjp, _negative_vjp, _turned_vjp, _short_vjp, _empty_property,
    _false_property,
]  # fmt: skip
# The same function as before, so nothing to refuse: a symmetric constant, turned around; 0 times a factor; no rule at all.
_FACTORS = (_scaled_vjp, _scaled_last_vjp, _negative_vjp)
HARMLESS = {("Ones", _swapped_element)} | {
    ("Identity", rule) for rule in (_swapped_element, _turned_value, _turned_numpy, _turned_shape)
}
HARMLESS |= {(name, rule) for name in ("Hardmax", "Heaviside") for rule in _FACTORS}
HARMLESS |= {(name, rule) for name in WITHOUT_MATRICES for rule in (*_FACTORS, _turned_vjp, _short_vjp)}
# 0 and −∞ times a factor
HARMLESS |= {
    (n, rule) for n in ("CausalMask", "PaddingMask") for rule in (_scaled_element, _scaled_value, _scaled_numpy)
}
PLANTED = [
    (name, rule)
    for name, op in sorted(REGISTRY.items())
    if issubclass(op, Primitive)
    for rule in RULES
    if (name, rule) not in HARMLESS
]


@pytest.mark.parametrize(("name", "rule"), PLANTED, ids=lambda x: getattr(x, "__name__", x))
def test_a_broken_facet_is_refused(name, rule):
    operation = broken(REGISTRY[name], **rule(REGISTRY[name]))
    with pytest.raises(REFUSALS):
        run_all(operation)


# -- errors that people make -----------------------------------------------------------------------------
def _attention(self, root=True, transposed=True, mask_after=False):
    queries, keys, values = self.args[:3]
    scores = queries @ (keys.T if transposed else keys)
    scores = scores / sqrt(queries.shape[1]) if root else scores
    usable = ops.Mask(scores, self.args[3]) if len(self.args) == 4 else scores
    return Stages((("S", scores), ("A", ops.Softmax(usable))), ops.Softmax(usable) @ values)


def _by_columns(scores):
    powers = np.exp(scores - np.max(scores, axis=-2, keepdims=True))
    return powers / np.sum(powers, axis=-2, keepdims=True)


def _without_shift(scores):
    return np.exp(scores) / np.sum(np.exp(scores), axis=-1, keepdims=True)


def _softmax_first_axis_one(scores):
    powers = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    return powers / np.sum(powers, axis=1, keepdims=True)


def _keys_for_values(self):
    x, wq, wk, wv = self.args[:4]
    whole = ops.ScaledDotProductAttention(ops.Linear(x, wk), ops.Linear(x, wq), ops.Linear(x, wv), *self.args[4:])
    return Stages((), whole)


H = ops.Hadamard
SLIPS = {
    "attention without 1/sqrt(d_k)": ("ScaledDotProductAttention", {"definition": lambda s: _attention(s, root=False)}),
    "attention divided by d_k": ("ScaledDotProductAttention", {
        "definition": lambda s: Stages((), ops.Softmax(s.args[0] @ s.args[1].T / s.args[0].shape[1]) @ s.args[2])}),
    "attention without Kᵀ": ("ScaledDotProductAttention", {"definition": lambda s: _attention(s, transposed=False)}),
    "attention that forgets its mask": ("ScaledDotProductAttention", {
        "definition": lambda s: ops.ScaledDotProductAttention(*s.args[:3]).definition()}),
    "queries and keys exchanged": ("SingleHead", {"definition": _keys_for_values}),
    "a part that is not used": ("Linear", {
        "definition": lambda s: Stages((("P", s.args[0].T),), ops.Linear(*s.args).definition().whole)}),
    "a bias left out": ("Linear", {"definition": lambda s: Stages((), s.args[0] @ s.args[1])}),
    "softmax by columns": ("Softmax", {"numpy": staticmethod(_by_columns)}),
    "softmax that overflows": ("Softmax", {"numpy": staticmethod(_without_shift)}),
    "softmax that takes no batch": ("Softmax", {"numpy": staticmethod(_softmax_first_axis_one)}),
    "softmax with its diagonal Jacobian only": ("Softmax", {
        "vjp": lambda s, g: (H(H(s, g), ops.Ones(*s.shape) - s),)}),
    "softmax without its diagonal": ("Softmax", {
        "vjp": lambda s, g: (-H(s, ops.Broadcast(ops.RowSum(H(s, g)), s.shape[1])),)}),
    "softmax with g summed unweighted": ("Softmax", {
        "vjp": lambda s, g: (H(s, g - ops.Broadcast(ops.RowSum(g), s.shape[1])),)}),
    "product without the transpose": ("Product", {"vjp": lambda s, g: (g @ s.args[1], s.args[0] @ g)}),
    "product with exchanged rules": ("Product", {"vjp": lambda s, g: tuple(reversed(ops.Product.vjp(s, g)))}),
    "entry product with its own factor": ("Hadamard", {"vjp": lambda s, g: (H(g, s.args[0]), H(g, s.args[1]))}),
    "exponential that forgets itself": ("Exponential", {"vjp": lambda s, g: (H(g, s.args[0]),)}),
    "division without its minus": ("RowDivision", {
        "vjp": lambda s, g: (ops.RowDivision.vjp(s, g)[0], -ops.RowDivision.vjp(s, g)[1])}),
    "division by the square left out": ("RowDivision", {
        "vjp": lambda s, g: (ops.RowDivision(g, s.args[1]), -ops.RowSum(H(g, s)))}),
    "scaling turned over": ("Scaling", {"vjp": lambda s, g: (ops.Scaling(g, s.args[2], s.args[1]),)}),
    "a mean for a sum": ("Broadcast", {"vjp": lambda s, g: (ops.RowSum(g) / s.args[1],)}),
    "columns taken one too early": ("ColumnSlice", {"vjp": lambda s, g: (ops.ColumnPad(g, 0, s.args[0].shape[1]),)}),
    "columns put one too late": ("ColumnPad", {"vjp": lambda s, g: (ops.ColumnSlice(g, 2, s.args[0].shape[1]),)}),
    "the wrong row": ("Row", {"element": lambda s, i, j, f: s.args[0][s.args[1] - 1, j]}),
    "a row of the wrong gradient": ("Row", {"vjp": lambda s, g: (ops.RowPad(g, 0, s.args[0].shape[0]),)}),
    "parts in the wrong order": ("Concatenation", {"numpy": staticmethod(lambda *p: np.concatenate(p[::-1], axis=-1))}),
    "parts along the rows": ("HeadConcatenation", {"numpy": staticmethod(lambda b, c: np.concatenate(list(b), 0))}),
    "heads in the wrong order": ("HeadConcatenation", {
        "vjp": lambda s, g: (ops.ColumnSlice(g, (s.args[2] - 1 - s.args[1]) * s.args[0].shape[1], s.args[0].shape[1]),)}),
    "a mean over heads": ("HeadSum", {"numpy": staticmethod(lambda b, c: np.mean(b, axis=-3))}),
    "a head too few": ("HeadSum", {"value": lambda s, n, b, c: ops.HeadSum.value(s, n, b[:-1], c)}),
    "a mask that gives nan": ("Mask", {"numpy": staticmethod(lambda s, m: s + m * (s * 0 + 1) * np.exp(m * 0))}),
    "a transpose that turns the batch": ("Transpose", {"numpy": staticmethod(lambda a: a.T)}),
    "a sum that loses its axis": ("RowSum", {"numpy": staticmethod(lambda a: np.sum(a, axis=-1))}),
}  # fmt: skip


PLANTED_IN = sorted({name for name, _ in PLANTED} | {name for name, _ in SLIPS.values()})


@pytest.mark.parametrize("name", PLANTED_IN)
def test_an_unbroken_copy_passes(name):
    """So that what is refused here is refused for what was planted; the operations themselves are tested beside this."""
    run_all(broken(REGISTRY[name]))


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_refused(slip):
    name, facets = SLIPS[slip]
    with pytest.raises(REFUSALS):
        run_all(broken(REGISTRY[name], **facets))


def test_how_many_were_planted():
    assert len(SLIPS) == 33
    assert len(PLANTED_IN) == PRIMITIVES + 3
    assert len(PLANTED) == PRIMITIVES * len(RULES) - len(HARMLESS)
