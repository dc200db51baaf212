"""SymPy's calls cost in proportion to the graph: 6 layers at most 8 times as much as 1.

The expanded tree of 6 layers is astronomically larger, so any walk over it shows. Work is
counted in calls of Python and C functions, which are the same in every run; no time is measured.
"""

from __future__ import annotations

import itertools
import pickle
import sys

import pytest
from sympy import Dummy, Matrix, Symbol, lambdify, latex, sqrt, srepr

import symtransformer.operations as ops
from symtransformer.node import Node, as_node, postorder
from symtransformer.numpy_code import numpy_function
from symtransformer.operation import REGISTRY, unfolded
from symtransformer.symbols import Letter, dimension, matrix

MOST = 8
DEEP = 2000
n, d = dimension("n"), dimension("d")
_prefixes = (f"L{k}" for k in itertools.count())  # fresh letters: nothing is known from an earlier count


def layer(x, prefix, k):
    weights = [matrix(f"{prefix}_{name}{k}", d, d) for name in ("Q", "K", "V", "O", "F")]
    y = x + ops.SingleHead(x, *weights[:3]) @ weights[3]
    return y + ops.Hadamard(ops.Linear(y, weights[4]), y) / sqrt(d)


def stack(layers, prefix):
    x = matrix(f"{prefix}_X", n, d)
    x = ops.Hadamard(x, x)  # so that a replaced type changes every layer, the first as well
    for k in range(layers):
        x = layer(x, prefix, k)
    return x


def explicit(layers, prefix):
    """The same with every letter a matrix of numbers, in operations whose exact numbers stay short."""
    x = as_node(Matrix([[1, 0], [1, -1], [0, 1]]) * (1 + sum(map(ord, prefix))))
    signs = as_node(Matrix([[0, 1], [-1, 0]]))
    for _ in range(layers):
        x = ops.Concatenation(ops.ColumnSlice(x @ signs, 0, 1), ops.ColumnSlice((x + x - x) @ signs.T, 1, 1))
    return x


def tree_size(e):
    sizes = {}
    for node in postorder(e):
        sizes[node] = 1 + sum(sizes[c] for c in node._children)
    return sizes[e]


def calls(function):
    """How many functions are called in the course of one call."""
    count = 0

    def look(frame, event, arg):
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count


def first_letter(e):
    return next(a for a in postorder(e) if isinstance(a, Letter))


def other(e):
    return matrix("Other", *first_letter(e).shape)


CALLS = {
    "shape": lambda e: e.shape,
    "free_symbols": lambda e: e.free_symbols,
    "atoms": lambda e: (e.atoms(), e.atoms(Letter)),
    "has present": lambda e: (e.has(first_letter(e)), e.has(ops.SingleHead), e.has(n)),
    "has absent": lambda e: (e.has(other(e)), e.has(Dummy()), e.has(ops.ColumnPad), e.has(other(e) @ other(e).T)),
    "xreplace": lambda e: e.xreplace({first_letter(e): other(e)}),
    "xreplace absent": lambda e: e.xreplace({other(e): first_letter(e)}),
    "subs present": lambda e: e.subs(first_letter(e), other(e)),
    "subs size": lambda e: e.subs(n, 7),
    "subs absent": lambda e: (e.subs(other(e), first_letter(e)), e.subs(Symbol("absent"), 1)),
    "subs absent nested": lambda e: e.subs(other(e) @ other(e).T, other(e) @ other(e).T),
    "replace": lambda e: (e.replace(ops.Hadamard, ops.Addition), e.replace(ops.ColumnPad, ops.Softmax)),
    "replace function": lambda e: e.replace(lambda a: isinstance(a, Letter), lambda a: -a),
    "doit": lambda e: e.doit(),
    "==": lambda e: (e == e.func(*e.args), e == e + e),
    "hash": hash,
    "str": str,
    "latex": latex,
    "srepr": srepr,
    # SymPy measures the tree for its docstring, to a depth of Python's recursion limit, unless told not to
    "lambdify": lambda e: lambdify(sorted(e.atoms(Letter), key=str), e, docstring_limit=None),
    "numpy_function": numpy_function,
    "pickle": lambda e: pickle.loads(pickle.dumps(e)),
    "sort_key": lambda e: (e.sort_key(), e.compare(other(e))),
    "unfolded": unfolded,
    "building": lambda e: stack(sum(isinstance(a, ops.SingleHead) for a in postorder(e)), next(_prefixes)),
}


def ratio(call):
    call(stack(1, next(_prefixes)))  # what is done once in a process is done here
    small, large = (stack(k, next(_prefixes)) for k in (1, 6))
    one = calls(lambda: call(small))
    return calls(lambda: call(large)) / one


def test_lambdify_as_users_call_it():
    assert ratio(lambda e: lambdify(sorted(e.atoms(Letter), key=str), e)) <= MOST


def test_the_expanded_tree_would_show():
    one, six = (stack(k, next(_prefixes)) for k in (1, 6))
    assert tree_size(unfolded(six)) > 100_000 * tree_size(unfolded(one))
    assert len(list(postorder(unfolded(six)))) < 7 * len(list(postorder(unfolded(one))))


@pytest.mark.parametrize("name", CALLS)
def test_work_grows_with_the_graph(name):
    assert ratio(CALLS[name]) <= MOST


def test_doit_of_numbers_grows_with_the_graph():
    explicit(1, "w").doit()
    small, large = explicit(1, "a"), explicit(6, "b")
    assert tree_size(large) > 200 * tree_size(small)
    one = calls(small.doit)
    assert calls(large.doit) / one <= MOST


def test_a_walk_over_the_tree_is_caught():
    def walk(e):
        for argument in e.args:
            if isinstance(argument, Node):
                walk(argument)

    # 3 layers are enough to be caught, and few enough to end
    small, large = (stack(k, next(_prefixes)) for k in (1, 3))
    assert calls(lambda: walk(large)) > MOST * calls(lambda: walk(small))


# -- depth -----------------------------------------------------------------------------------------------
def deep(leaf):
    e = leaf
    for k in range(DEEP // 2):
        e = ops.Softmax(e) if k % 3 else e @ SQUARE
        e = e + leaf
    return e


SQUARE = matrix("S", 3, 3)
LEAF = matrix("Leaf", 2, 3)


@pytest.fixture
def shallow_stack():
    """Little room for recursion: a walk that recurses over 2000 levels cannot hide."""
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + 200)
    yield
    sys.setrecursionlimit(before)


DEEP_CALLS = [name for name in CALLS if name not in ("building", "subs size")]


@pytest.mark.parametrize("name", DEEP_CALLS)
def test_deep_chains_do_not_recurse(name, shallow_stack):
    e = deep(LEAF)
    assert len(list(postorder(e))) > DEEP
    CALLS[name](e)


def test_deep_chains_give_right_answers(shallow_stack):
    e = deep(LEAF)
    assert pickle.loads(pickle.dumps(e)) is e
    assert e.func(*e.args) is e
    assert e.has(SQUARE)
    assert not e.has(other(e))
    assert e.subs(LEAF, other(e)) is deep(other(e))
    assert e.free_symbols == {LEAF, SQUARE}
    names = {"Str": type(LEAF.args[0]), "Letter": Letter, **REGISTRY}
    from sympy import Integer

    from symtransformer.node import Reference, restore

    names |= {"Integer": Integer, "Reference": Reference, "restore": restore}
    assert eval(srepr(e), names) is e


def test_a_deep_chain_of_numbers_is_computed(shallow_stack):
    step = Matrix([[0, 1], [-1, 0]])
    e = as_node(Matrix([[1, 2]]))
    for _ in range(DEEP):
        e = e @ step
    assert e.doit() == Matrix([[1, 2]])  # the step turns by 90 degrees, 2000 times
