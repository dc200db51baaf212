"""The form that a person writes: rules applied until none fits."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from symtransformer.node import Node
from symtransformer.rules.algebra import RULES, Rule

REWRITINGS_AT_MOST = 100_000  # never met: the rules end (rules/algebra.py says why)


@cache
def _rules_for(kind: type[Node]) -> tuple[Rule, ...]:
    return tuple(rule for rule in RULES if issubclass(kind, rule.roots))


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
    done: dict[Node, Node] = {}
    becomes: dict[Node, Node] = {}
    stack, rewritings = [root], 0
    while stack:
        node = stack[-1]
        if node in named:
            done[node] = named[node]
        if node in done:
            stack.pop()
            continue
        if node in becomes:
            after = becomes[node]
            if after in done:
                done[node] = done[after]
                stack.pop()
            else:
                stack.append(after)
            continue
        if not node._children:  # no rule fits a leaf
            done[node] = node
            stack.pop()
            continue
        waiting = [child for child in node._children if child not in done]
        if waiting:
            stack.extend(waiting)
            continue
        new = _with_arguments(node, done)
        if new is node:
            new = _once(node, more, used)
            rewritings += new is not node
        if new is node or rewritings > REWRITINGS_AT_MOST:
            done[node] = node
            stack.pop()
        else:
            becomes[node] = new
    return done[root]


def _with_arguments(node: Node, done: Mapping[Node, Node]) -> Any:
    if all(done[child] is child for child in node._children):
        return node
    return node.func(*(done[a] if isinstance(a, Node) else a for a in node.args))


def _once(node: Node, more: Rule | None, used: dict[str, Rule] | None) -> Node:
    """One rewriting of the root by the first rule that fits; the node itself if none does."""
    rules = _rules_for(type(node))  # type: ignore[arg-type]
    for rule in rules if more is None or not isinstance(node, more.roots) else (*rules, more):
        if (after := rule.rewrite(node)) is not None:
            if used is not None:
                used[rule.name.en] = rule
            return after
    return node
