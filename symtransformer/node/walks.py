"""Walks over the distinct nodes of an expression, each visited once, without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sympy import Basic, Symbol

from symtransformer.node.door import as_node
from symtransformer.node.interned import Interned

if TYPE_CHECKING:
    from symtransformer.node import Node


def postorder(*roots: Node, stop: Callable[[Node], bool] | None = None, without: Iterable[int] = ()) -> Iterator[Node]:
    """Every distinct node below the roots once, arguments before the node that uses them; nothing below a stop,
    and neither those of the numbers that are left out nor what is below them."""
    seen = set(without)
    users: list[Node] = []  # of those that are visited: each of the next
    waiting = [iter(roots)]
    while waiting:
        for node in waiting[-1]:
            if (number := node.number) not in seen:
                seen.add(number)
                if node._children and not (stop is not None and stop(node)):
                    users.append(node)
                    waiting.append(iter(node._children))
                    break
                yield node
        else:  # all below one is done
            waiting.pop()
            if waiting:
                yield users.pop()


def in_order_of_reading(letters: Iterable[Node], root: Node) -> list[Node]:
    """These letters of an expression as they are met first, from left to right."""
    found: list[Node] = []
    left = {letter.number for letter in letters}
    seen: set[int] = set()
    waiting = [root]
    while left:
        node = waiting.pop()
        number = node.number
        if number in left:
            found.append(node)
            left.remove(number)
        elif node._children and number not in seen:
            seen.add(number)
            waiting += node._children[::-1]
    return found


def rebuilt(node: Node, args: list[Any]) -> Any:
    if all(a is b for a, b in zip(args, node.args, strict=True)):
        return node
    return node.func(*args)


def rebuild(
    root: Node,
    visit: Callable[[Node, list[Any]], Any],
    scalar: Callable[[Basic], Basic],
    stays: Callable[[Node], bool] | None = None,
) -> Any:
    """Rebuild bottom-up: `visit(node, new arguments)` for nodes, `scalar` for other arguments; some nodes stay."""
    new: dict[Any, Any] = {}
    for node in postorder(root, stop=stays):
        if stays is not None and stays(node):
            new[node] = node
            continue
        args = [
            new[a] if isinstance(a, Interned) else a if k in node.bound else scalar(a) for k, a in enumerate(node.args)
        ]
        new[node] = visit(node, args)
    return new[root]


def substitute(root: Node, rule: Mapping[Any, Any], scalar: Callable[[Basic], Basic] | None = None) -> Any:
    """Replace exact subexpressions, each distinct node once; bound letters are never captured."""
    if scalar is None:

        def scalar(arg: Basic) -> Basic:
            return arg.xreplace(rule)

    def visit(node: Node, args: list[Any]) -> Any:
        if node in rule:
            return as_node(rule[node])
        if node.bound and isinstance(rule, Mapping):
            renamed = _without_capture(node, rule)
            if renamed is not None:
                return renamed
        return rebuilt(node, args)

    if isinstance(rule, Mapping) and all(isinstance(key, Symbol) for key in rule):  # what mentions none is not walked
        return rebuild(root, visit, scalar, lambda node: node._symbols.isdisjoint(rule))
    return rebuild(root, visit, scalar)


def _without_capture(node: Node, rule: Mapping[Any, Any]) -> Any:
    """The substituted binder where its letter meets the rule; None where it does not."""
    (position,) = node.bound
    letter = node.args[position]
    inner = {k: v for k, v in rule.items() if k != letter and node.has(k)}
    in_values = any(letter in getattr(v, "free_symbols", ()) for v in inner.values())
    if letter not in rule and not in_values:
        return None
    args = list(node.args)
    if in_values:
        taken = set().union(node._mentions, *(getattr(v, "free_symbols", set()) for v in inner.values()))
        fresh, number = letter, 0
        while fresh in taken or fresh == letter:
            number += 1
            fresh = Symbol(f"{letter.name}{number}", **letter.assumptions0)
        args = [substitute(a, {letter: fresh}) if isinstance(a, Interned) else a for a in args]
        args[position] = fresh
    new = [
        substitute(a, inner) if isinstance(a, Interned) else a if k == position else a.xreplace(inner)
        for k, a in enumerate(args)
    ]
    return node.func(*new)
