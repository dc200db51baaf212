"""Index forms of every operation: no letter is free and summed, none is shadowed or borrowed, and the judge proves them."""

from __future__ import annotations

from functools import cache

import pytest
from facet_cases import make_case
from sympy import KroneckerDelta, Sum

from symtransformer.arguments import MATRICES
from symtransformer.errors import NotSupported
from symtransformer.gradients import differentiate
from symtransformer.index_notation import index_form
from symtransformer.judge import judge_line
from symtransformer.operation import REGISTRY
from symtransformer.scalars import entry_name
from symtransformer.symbols import Entry

NAMES = sorted(REGISTRY)
LARGE = (
    "DecoderLayer",
    "EncoderLayer",
    "GroupedQueryAttention",
)  # made of the others; their lines are not judged again
REACHED, GRADIENTS = 60, 317  # operations with an index form by a letter at least, and how many in all, at least
BY_CASES = ("given by cases", "put together from heads")


@cache
def forms(name):
    """The index forms of all gradients of an operation, and why others have none."""
    operation = REGISTRY[name]
    count = 3 if any(p.kind == MATRICES for p in operation.parameters) else 1
    gradient = differentiate(make_case(operation, count).node)
    found, reasons = [], []
    for step in gradient.derivation.steps:
        if step.derivative is not None:
            try:
                found.append(index_form(gradient, step.name[1:] if "." not in step.name else step.name))
            except NotSupported as error:
                reasons.append(str(error))
    return gradient, found, reasons


def places(formula):
    """Letters in places of entries and deltas, each with the letters that the sums around it bind."""
    stack = [(formula, ())]
    while stack:
        part, bound = stack.pop()
        if isinstance(part, (Entry, KroneckerDelta)):
            inside = (part.i, part.j) if isinstance(part, Entry) else part.args
            yield from ((s, bound) for p in inside for s in p.free_symbols)
            continue
        if isinstance(part, Sum):
            yield from ((s, ("sum", *bound)) for s in part.variables)
            bound = (*bound, *part.variables)
        stack += [(a, bound) for a in part.args]


@pytest.mark.parametrize("name", NAMES)
def test_letters_are_free_or_summed_and_fresh(name):
    gradient, found, reasons = forms(name)
    assert all(any(words in reason for words in BY_CASES) for reason in reasons), reasons
    letters = {x for step in gradient.derivation.steps for x in step.expression._mentions}
    taken = {str(getattr(x, "name", x)) for x in letters}
    taken |= {entry_name(str(getattr(x, "name", x)))[0] for x in letters}
    for form in found:
        for line in form.every_line:
            met = [*places(line.left), *places(line.right)]
            summed = {s for s, bound in met if bound[:1] == ("sum",)}
            free = {s for s, bound in met if bound[:1] != ("sum",) and s not in bound}
            assert summed & free == set(), (line.left, line.right)
            for s, bound in met:
                if bound[:1] == ("sum",):
                    assert s not in bound[1:], (line.left, line.right)
            assert {str(s) for s in summed | free} & taken == set()


@pytest.mark.parametrize("name", [n for n in NAMES if n not in LARGE])
def test_lines_are_true(name):
    """Proved, or equal at random points where the normal form does not decide; never refuted, never left open."""
    gradient, found, _ = forms(name)
    for form in found:
        for line in form.every_line:
            verdict = judge_line(line, gradient.derivation)
            allowed = ("proved", "tested") if name in ("SiLU", "Sigmoid", "SwiGLU") else ("proved",)
            assert verdict.kind in allowed, (form.letter, line.rule.en, verdict.reason)


def test_how_many_are_reached():
    assert sum(bool(forms(name)[1]) for name in NAMES) >= REACHED
    assert sum(len(forms(name)[1]) for name in NAMES) >= GRADIENTS
