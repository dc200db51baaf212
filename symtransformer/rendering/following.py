"""Which row or column of each operand a followed row or column comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from symtransformer.derivation import Derivation, Follow
from symtransformer.node import Node, postorder
from symtransformer.operation import Primitive
from symtransformer.operations.product import Product
from symtransformer.rendering.document import Mark
from symtransformer.symbols import Letter

Marks = dict[str, frozenset[Mark]]


def marks_inside(expression: Node, marks: frozenset[Mark]) -> Marks:
    """The marks of the letters of one step, from the marks of its result."""
    found: dict[Node, set[Mark]] = {expression: set(marks)}
    for node in reversed(list(postorder(expression))):
        if not isinstance(node, Primitive):
            continue
        own = found.get(node, set())
        for source, target, axis in node.follows:
            if "." in source:
                continue
            chosen = node._children if target == -1 else node._children[target : target + 1]
            for child in chosen:
                found.setdefault(child, set()).update((axis, k) for name, k in own if name == source)
        for source, target, axis in node.follows:  # a contraction: column k of the left meets row k of the right
            if "." in source:
                first, name = source.split(".")
                partner = found.get(node._children[int(first)], set())
                found.setdefault(node._children[target], set()).update((axis, k) for n, k in partner if n == name)
    return {node.name: frozenset(m) for node, m in found.items() if isinstance(node, Letter) and m}


def marks_onward(expression: Node, marks: Mapping[str, Iterable[Mark]]) -> set[Mark]:
    """The marks of the result of one step, from those of its letters: what becomes of a followed row."""
    found: dict[Node, set[Mark]] = {}
    for node in postorder(expression):
        own = found.setdefault(node, set())
        if isinstance(node, Letter):
            own.update(marks.get(node.name, ()))
        elif isinstance(node, Primitive):
            for result, target, axis in node.follows:
                chosen = node._children if target == -1 else node._children[target : target + 1]
                own.update(
                    (result, k) for child in chosen for name, k in found[child] if name == axis and "." not in result
                )
    return found[expression]


def marks_of(derivation: Derivation, follow: Follow | None) -> Marks:
    """The marks of every letter of a derivation: what becomes of the followed row or column, and where all of
    that comes from.
    """
    if follow is None:
        return {}
    marks: dict[str, set[Mark]] = {derivation[follow.step].name: {(follow.axis, follow.index)}}
    for step in derivation.steps:
        if onward := marks_onward(step.expression, marks):
            marks.setdefault(step.name, set()).update(onward)
    for step in reversed(derivation.steps):
        inside = marks_inside(step.expression, frozenset(marks.get(step.name, set())))
        for name, found in inside.items():
            marks.setdefault(name, set()).update(found)
    for step in derivation.steps:
        for _, right, rows in _meetings(step.expression, marks):
            marks.setdefault(right, set()).update(rows)
    return {name: frozenset(found) for name, found in marks.items()}


def marks_in_step(expression: Node, name: str, marks: Marks) -> Marks:
    """The marks to show inside one equation: of what its followed result comes from, or what it weighs."""
    if marks.get(name):
        return marks_inside(expression, marks[name])
    shown: Marks = {}
    for left, right, rows in _meetings(expression, marks):
        shown[left] = frozenset(m for m in marks[left] if m[0] == "column")
        shown[right] = frozenset(rows)
    return shown


def _meetings(expression: Node, marks: Mapping[str, Iterable[Mark]]) -> Iterator[tuple[str, str, set[Mark]]]:
    """Products in which a followed column of weights meets a row of values: both names, and the rows."""
    for node in postorder(expression):
        if not isinstance(node, Product):
            continue
        left, right = node._children
        if isinstance(left, Letter) and isinstance(right, Letter):
            rows: set[Mark] = {("row", k) for axis, k in marks.get(left.name, ()) if axis == "column"}
            if rows:
                yield left.name, right.name, rows
