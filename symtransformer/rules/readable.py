"""The form that a person writes: rules applied until none fits."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from symtransformer.node import Node
from symtransformer.rules.algebra import RULES, Rule

REWRITINGS_AT_MOST = 100_000  # never met: the rules end (rules/algebra.py says why)


_fitting: dict[tuple[type, ...], tuple[Rule, ...]] = {}  # by an operation and those that its arguments are


@cache
def _rules_of(root: type) -> tuple[Rule, ...]:
    return tuple(rule for rule in RULES if issubclass(root, rule.roots))


def _rules_for(node: Node) -> tuple[Rule, ...]:
    """The rules that may fit, by what the node and its arguments are."""
    kinds = (type(node), *map(type, node._children))
    found = _fitting.get(kinds)
    if found is None:
        inner = kinds[1:]
        found = _fitting[kinds] = tuple(
            [
                rule
                for rule in _rules_of(kinds[0])
                if not rule.inside or any(issubclass(kind, rule.inside) for kind in inner)
            ]
        )
    return found


def readable(
    root: Node,
    named: Mapping[Node, Node] | None = None,
    more: Rule | None = None,
    used: dict[str, Rule] | None = None,
) -> Node:
    """The expression with the rules applied until none fits; equal to it for all values.

    What `named` names is written with its letter, `more` is one more rule, and the rules that
    were `used` are noted by name.
    """
    named = {} if named is None else named
    done: dict[Node, Node] = {root: named[root]} if root in named else {}
    stack, rewritings = [[root]], 0  # expressions, each with what it was rewritten to so far
    while stack:
        forms = stack[-1]
        node = forms[-1]
        short = done.get(node)
        if short is None:
            waiting: list[list[Node]] = []
            short_of: dict[Any, Node] = {}  # what arguments are written as instead
            for child in node._children:
                known = done.get(child) or named.get(child)
                if known is None:
                    if child._children:  # no rule fits a leaf
                        waiting.append([child])
                elif known is not child:
                    short_of[child] = known
            if waiting:
                stack += waiting
                continue
            new = node.func(*[short_of.get(a, a) for a in node._args]) if short_of else _once(node, more, used)
            if new is not node and rewritings < REWRITINGS_AT_MOST:
                rewritings += 1
                forms.append(new)
                if new in named:
                    done[new] = named[new]
                continue
            short = node
        stack.pop()
        for form in forms:
            done[form] = short
    return done[root]


def _once(node: Node, more: Rule | None, used: dict[str, Rule] | None) -> Node:
    """One rewriting of the root by the first rule that fits; the node itself if none does."""
    rules = _rules_for(node)
    for rule in rules if more is None or not isinstance(node, more.roots) else (*rules, more):
        if (after := rule.rewrite(node)) is not None:
            if used is not None:
                used[rule.name.en] = rule
            return after
    return node
