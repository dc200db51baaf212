"""Errors planted into a gradient, each in one place: what people get wrong, by rule."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from sympy import S
from vjp_cases import COTANGENT, Subject

from symtransformer.errors import SymtransformerError
from symtransformer.node import Node, postorder, rebuild
from symtransformer.operation import Primitive, unfolded
from symtransformer.operations import (
    Addition,
    Broadcast,
    ColumnPad,
    ColumnSlice,
    EntryDivision,
    Hadamard,
    HeadSum,
    Product,
    Row,
    RowDivision,
    RowMean,
    RowPad,
    RowSlice,
    RowSum,
    Scaling,
    Transpose,
)  # fmt: skip
from symtransformer.symbols import Letter

Planted = tuple[str, Node]  # the kind of error, and the wrong gradient
AT_PLACES = (ColumnPad, ColumnSlice, Row, RowPad, RowSlice)


def planted(
    subject: Subject, letter: Letter, head: tuple[int, ...], gradient: Node, route: str, most: int, in_all: int = 0
) -> Iterator[Planted]:
    """Wrong gradients by this letter, at most so many of each kind, and in all if that is not 0.

    Those whose sizes do not fit are left out: nobody can write them down.
    """
    gradient = unfolded(gradient)
    slips = [*_as_a_whole(subject, letter, head, gradient, route), *_exchanged(gradient)]
    for node in postorder(gradient):
        slips += [(kind, partial(_put, gradient, node, make)) for kind, make in _slips(node)]
    random.Random(f"{subject.name}, {letter.name}").shuffle(slips)
    found: Counter[str] = Counter()
    for kind, make in slips:
        if in_all and found.total() == in_all:
            return
        if found[kind] == most:
            continue
        try:
            wrong = make()
        except (SymtransformerError, IndexError):
            continue
        if wrong.shape == gradient.shape and wrong != gradient:
            found[kind] += 1
            yield kind, wrong


def _as_a_whole(
    subject: Subject, letter: Letter, head: tuple[int, ...], gradient: Node, route: str
) -> Iterator[tuple[str, Callable[[], Node]]]:
    yield "0.1 % too much", lambda: Scaling(gradient, S(1001), S(1000))
    yield "sign", lambda: Scaling(gradient, S.NegativeOne, S.One)
    cotangent = Letter(COTANGENT, *subject.node.shape)
    if cotangent.shape == letter.shape:
        yield "cotangent passed on as it is", lambda: cotangent
    if gradient.shape[0] == gradient.shape[1] != 1:
        yield "transposed", lambda: Transpose(gradient)
    if head:
        others = dict(subject.gradients[route][letter.name])
        yield "another head", lambda: others[((head[0] + 1) % len(others),)]


def _put(root: Node, old: Node, make: Callable[[], Node]) -> Node:
    return _with(root, {old: make()})


def _exchanged(gradient: Node) -> Iterator[tuple[str, Callable[[], Node]]]:
    """Two letters of one size exchanged."""
    letters = sorted((x for x in gradient._free if isinstance(x, Letter)), key=str)
    for k, one in enumerate(letters):
        for other in letters[k + 1 :]:
            if one.shape == other.shape:
                exchange: dict[Node, Node] = {one: other, other: one}
                yield "exchanged arguments", partial(_with, gradient, exchange)


def _with(root: Node, new: dict[Node, Node]) -> Node:
    """Nodes replaced all at once, also inside a family of heads."""

    def visit(node: Node, args: list[Any]) -> Any:
        if node in new:
            return new[node]
        return node if all(a is b for a, b in zip(args, node.args, strict=True)) else node.func(*args)

    return rebuild(root, visit, lambda scalar: scalar)  # type: ignore[no-any-return]


def _slips(node: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """What may be wrong at one node."""
    args = node.args
    if isinstance(node, Addition):
        for k in range(len(args)):
            yield "a term left out", lambda k=k: Addition(*args[:k], *args[k + 1 :])
    elif isinstance(node, Transpose):
        if args[0].shape != (1, 1):
            yield "a transpose left out", lambda: args[0]
    elif isinstance(node, Product):
        left, right = args
        if left.shape != (1, 1):
            yield "a transpose too much", lambda: Product(Transpose(left), right)
        if right.shape != (1, 1):
            yield "a transpose too much", lambda: Product(left, Transpose(right))
        yield "factors exchanged", lambda: Product(right, left)
    elif isinstance(node, Scaling):
        if args[2] != 1:
            yield "a divisor left out", lambda: Scaling(args[0], args[1], S.One)
        if args[1] not in (1, -1):
            yield "a factor left out", lambda: Scaling(args[0], S.One, args[2])
        if args[1] == -1:
            yield "an inner sign", lambda: Scaling(args[0], S.One, args[2])
    elif isinstance(node, Broadcast) and isinstance(args[0], (RowSum, RowMean)):
        yield "diagonal only", lambda: args[0].args[0]
    elif isinstance(node, Hadamard):
        yield "a factor left out", lambda: args[0]
        yield "a factor left out", lambda: args[1]
    elif isinstance(node, (EntryDivision, RowDivision)):
        yield "a divisor left out", lambda: args[0]
    elif isinstance(node, AT_PLACES):
        if args[1].free_symbols:
            yield "an index that stays where it is", lambda: node.func(args[0], S.Zero, *args[2:])
        for shift in () if args[1].free_symbols else (1, -1):
            yield "an index off by one", lambda shift=shift: node.func(args[0], args[1] + shift, *args[2:])
    elif isinstance(node, HeadSum):
        yield "one head only", lambda: args[0].xreplace({args[1]: S.Zero})
    elif isinstance(node, Primitive) and len(node._children) == 1 and node._children[0].shape == node.shape:
        yield "a function left out", lambda: node._children[0]
