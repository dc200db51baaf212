"""How the steps of a derivation use one another: a graph in layers, laid out without crossings where that is easy."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from symtransformer.derivation import Derivation, Step
from symtransformer.node import Node, postorder
from symtransformer.rendering.document import Flow, FlowEdge, FlowNode
from symtransformer.symbols import Letter

LEAST, NODES_AT_MOST, LAYERS_AT_MOST, ROWS_AT_MOST = 3, 30, 14, 8  # what is larger is no help to anybody
PARTS_AT_MOST = 2  # that no arrow joins: many claims of their own are no flow
SWEEPS = 6
Key = tuple[str, Any]


def flow_of(derivation: Derivation, shown: Sequence[str]) -> Flow | None:
    """The graph of the steps that are shown, or of all where those use others.

    None where it is too small to be worth a drawing, or too large to be read.
    """
    steps = [derivation[name] for name in dict.fromkeys(shown)]
    hidden = {_key(step.letter) for step in derivation.steps if step.name not in shown}
    if any(_key(letter) in hidden for step in steps for letter in _letters(step.expression)):
        steps = list(derivation.steps)
    if not LEAST <= len(steps) <= NODES_AT_MOST:
        return None
    graph = _Graph(steps)
    if len(graph.nodes) > NODES_AT_MOST or graph.parts() > PARTS_AT_MOST:
        return None
    rows = graph.rows()
    if len(rows) > LAYERS_AT_MOST or max(map(len, rows)) > ROWS_AT_MOST:
        return None
    places = {item: (x, (len(row) - 1) / 2 - k) for x, row in enumerate(rows) for k, item in enumerate(row)}
    nodes = tuple(
        FlowNode(letter, key in graph.steps, graph.aside.get(key, ()), *places[(key,)])
        for key, letter in graph.nodes.items()
    )
    order = list(graph.nodes)
    edges = tuple(
        FlowEdge(order.index(a), order.index(b), tuple(places[item] for item in graph.bends(a, b)))
        for a, b in graph.edges
    )
    return Flow(nodes, edges, *_formulas(steps))


def _key(letter: Letter) -> Key:
    return letter.name, letter.head


def _letters(node: Node) -> list[Letter]:
    return list(dict.fromkeys(x for x in postorder(node) if isinstance(x, Letter)))


class _Graph:
    """Nodes by key, edges, and the layer of each node."""

    def __init__(self, steps: list[Step]) -> None:
        self.steps = {_key(step.letter): step for step in steps}
        used = {key: _letters(step.expression) for key, step in self.steps.items()}
        users: dict[Key, list[Key]] = {}
        for key, letters in used.items():
            for letter in letters:
                users.setdefault(_key(letter), []).append(key)
        self.nodes: dict[Key, Letter] = {}
        self.aside: dict[Key, tuple[Letter, ...]] = {}
        for key, step in self.steps.items():
            given = [letter for letter in used[key] if _key(letter) not in self.steps]
            alone = tuple(letter for letter in given if len(users[_key(letter)]) == 1)
            self.aside[key] = alone
            self.nodes |= {_key(letter): letter for letter in given if letter not in alone}
            self.nodes[key] = step.letter
        self.edges = [(_key(x), key) for key, letters in used.items() for x in letters if _key(x) in self.nodes]
        self.layer: dict[Key, int] = {}
        for key in self.steps:  # each after what it uses
            self.layer[key] = max((self.layer.get(a, 0) + 1 for a, b in self.edges if b == key), default=0)
        for key in self.nodes:
            if key not in self.steps:
                self.layer[key] = max(0, min(self.layer[b] for a, b in self.edges if a == key) - 1)

    def parts(self) -> int:
        """How many pieces there are that no arrow joins."""
        part = {key: key for key in self.nodes}
        for a, b in self.edges:
            old, new = part[a], part[b]
            part = {key: new if value == old else value for key, value in part.items()}
        return len(set(part.values()))

    def bends(self, a: Key, b: Key) -> list[Any]:
        """Where an edge over several layers goes through those in between."""
        return [(a, b, x) for x in range(self.layer[a] + 1, self.layer[b])]

    def rows(self) -> list[list[Any]]:
        """What stands in each layer, from top to bottom: nodes as (key,), and bends of edges."""
        rows: list[list[Any]] = [[] for _ in range(max(self.layer.values()) + 1)]
        for key in self.nodes:
            rows[self.layer[key]].append((key,))
        joined: list[tuple[Any, Any]] = []
        for a, b in self.edges:
            path = [(a,), *self.bends(a, b), (b,)]
            for item in path[1:-1]:
                rows[item[2]].append(item)
            joined += pairwise(path)
        for sweep in range(SWEEPS):
            forward = sweep % 2 == 0
            for x in range(1, len(rows)) if forward else range(len(rows) - 2, -1, -1):
                beside = {item: k for k, item in enumerate(rows[x - 1 if forward else x + 1])}
                rows[x] = _by_neighbors(rows[x], beside, joined)
        return rows


def _by_neighbors(row: list[Any], beside: dict[Any, int], joined: list[tuple[Any, Any]]) -> list[Any]:
    """A layer in the order of the middle of what each item is joined to; what is joined to nothing stays."""

    def middle(item: Any) -> float:
        found = [beside[a if b == item else b] for a, b in joined if item in (a, b) and (a in beside or b in beside)]
        return sum(found) / len(found) if found else float(row.index(item))

    return [row[k] for k in sorted(range(len(row)), key=lambda k: (middle(row[k]), k))]


def _formulas(steps: list[Step]) -> tuple[tuple[Letter, ...], tuple[tuple[Letter, Node], ...]]:
    """The results, and all steps whose formula may stand in the place of their letter: those that are used once."""
    counts: dict[Key, int] = {}
    for step in steps:
        for x in postorder(step.expression):
            for child in x._children:
                if isinstance(child, Letter):
                    counts[_key(child)] = counts.get(_key(child), 0) + 1
    results = tuple(step.letter for step in steps if _key(step.letter) not in counts)
    return results, tuple((s.letter, s.expression) for s in steps if counts.get(_key(s.letter), 1) == 1)
