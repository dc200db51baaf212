"""The form that a person writes: rules applied until none fits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from symtransformer.node import Node
from symtransformer.rules.algebra import RULES, Rule

REWRITINGS_AT_MOST = 100_000  # never met: the rules end (rules/algebra.py says why)


_fitting: dict[tuple[type, ...], tuple[Rule, ...]] = {}  # by an operation and those that its arguments are


@cache
def _rules_of(root: type) -> tuple[Rule, ...]:
    return tuple([rule for rule in RULES if root in rule.roots])


def _rules_for(node: Node) -> tuple[Rule, ...]:
    """The rules that may fit, by what the node and its arguments are."""
    kinds = type(node), *map(type, node._children)
    inner = set(kinds[1:])
    rules = [r for r in _rules_of(kinds[0]) if not r.inside or not inner.isdisjoint(r.inside)]
    _fitting[kinds] = tuple(rules)
    return _fitting[kinds]


class Named:
    """Letters that are written for expressions, by the number of these; what has a letter does not vanish."""

    def __init__(self, named: Iterable[tuple[Node, Node]]) -> None:
        """Pairs of an expression and its letter."""
        pairs = list(named)
        self.held = [node for node, _ in pairs]
        self.letters = {node.number: letter for node, letter in pairs}

    def add(self, node: Node, letter: Node) -> None:
        self.held.append(node)
        self.letters[node.number] = letter


NOTHING_NAMED = Named(())


def readable(
    root: Node,
    names: Named = NOTHING_NAMED,
    more: Rule | None = None,
    used: dict[str, Rule] | None = None,
) -> Node:
    """The expression with the rules applied until none fits; equal to it for all values.

    What has one of the `names` is written with its letter, `more` is one more rule, and the rules that
    were `used` are noted by name.
    """
    named = names.letters
    done: dict[int, Node] = {root.number: named[root.number]} if root.number in named else {}
    stack, rewritings = [[root]], 0  # expressions, each with what it was rewritten to so far
    while stack:
        forms = stack[-1]
        node = forms[-1]
        short = done.get(node.number)
        if short is None:
            waits = shorter = False
            for child in node._children:
                number = child.number
                known = named.get(number) or done.get(number)
                if known is None:
                    if child._children:  # no rule fits a leaf
                        stack.append([child])
                        waits = True
                elif known is not child:
                    shorter = True
            if waits:
                continue
            new = _with_short(node, done, named) if shorter else _once(node, more, used)
            if new is not node and rewritings < REWRITINGS_AT_MOST:
                rewritings += 1
                forms.append(new)
                if new.number in named:
                    done[new.number] = named[new.number]
                continue
            short = node
        stack.pop()
        for form in forms:
            done[form.number] = short
    return done[root.number]


def _with_short(node: Node, done: Mapping[int, Node], named: Mapping[int, Node]) -> Any:
    """The same of what its arguments were rewritten to."""
    args = [(done.get(a.number) or named.get(a.number) or a) if isinstance(a, Node) else a for a in node._args]
    return type(node)(*args)


def _once(node: Node, more: Rule | None, used: dict[str, Rule] | None) -> Node:
    """One rewriting of the root by the first rule that fits; the node itself if none does."""
    rules = _fitting.get((type(node), *map(type, node._children)))
    if rules is None:
        rules = _rules_for(node)
    for rule in (*rules, more) if more is not None and type(node) in more.roots else rules:
        if (after := rule.rewrite(node)) is not None:
            if used is not None:
                used[rule.name.en] = rule
            return after
    return node
