"""Unfolding an expression into named steps: `derive`.

A step is cut where a composite operation names its part, where the caller names one, and
where a result has more than one reader.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from sympy import Basic

from symtransformer.derivation import Derivation, Follow, Section, Step
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.node import Node, as_node, postorder
from symtransformer.notation import Words
from symtransformer.operation import Composite, Operation, Primitive, unfolded
from symtransformer.operations.heads import counted_apart, heads_apart, members
from symtransformer.scalars import another_name, collides_with_entries, other_letter, without_namespace
from symtransformer.symbols import Letter, checked_name, exact_number


def derive(
    expression: Any,
    *,
    names: Mapping[Any, str | tuple[str, Words, Words]] | None = None,
    stages: bool = False,
    title: Words | None = None,
    values: Mapping[Any, Any] | None = None,
    labels: Mapping[Any, Iterable[Words]] | None = None,
    sections: Iterable[Section] = (),
    follow: Follow | None = None,
) -> Derivation:
    """Unfold an expression, or a mapping from names to expressions, into named steps.

    A step is cut where a composite operation names its part, where `names` names a
    subexpression (by a name, or a name with a title and an explanation), and where a result
    has more than one reader. With `stages=True` an
    operation that has a finer definition (softmax: exponentials, sums, division) shows it.

    >>> from symtransformer import derive, dimension, matrix
    >>> from symtransformer.operations import SingleHead
    >>> n, d, d_k = dimension("n"), dimension("d_model"), dimension("d_k")
    >>> X = matrix("X", n, d)
    >>> head = SingleHead(X, *(matrix(w, d, d_k) for w in ("W_Q", "W_K", "W_V")))
    >>> for step in derive(head).steps:
    ...     print(step.letter, "=", step.expression)
    Q = X W_Q
    K = X W_K
    V = X W_V
    S = Q K^T / sqrt(d_k)
    A = softmax(S)
    Z = A V
    """
    targets = dict(expression) if isinstance(expression, Mapping) else {"": expression}
    if not targets:
        raise UnreadableInput("derive: an empty mapping; give a name and an expression")
    counts = _known_counts(list(targets.values()), values or {})
    targets = {name: as_node(target).xreplace(counts) for name, target in targets.items()}
    namer = _Namer(stages, targets)
    for part, name in (names or {}).items():
        namer.prefer(as_node(part).xreplace(counts), name)
    roots = []
    for name, root in targets.items():
        if not isinstance(root, Operation):
            raise UnreadableInput(f"deriving {name or root}: {root} is a bare matrix, and there is nothing to unfold")
        roots.append(namer.add(root, name))
    steps = tuple(namer.steps(roots))
    return Derivation(
        steps=steps,
        title=title or _title(targets),
        values=tuple((values or {}).items()),
        labels=tuple((str(axis), tuple(words)) for axis, words in (labels or {}).items()),
        sections=tuple(sections),
        follow=follow,
    )


def _title(targets: Mapping[str, Any]) -> Words:
    """The name of the operation, where that is all there is."""
    only = next(iter(targets.values())) if len(targets) == 1 else None
    return only.title if isinstance(only, Composite) else Words("A worked calculation", "計算の手順")


def _known_counts(expressions: list[Any], values: Mapping[Any, Any]) -> dict[Basic, Basic]:
    """How many heads there are, where the values say so: such families are unfolded head by head."""
    if not values:
        return {}
    nodes = postorder(*(unfolded(as_node(e)) for e in expressions))
    counted = {node.args[2] for node in nodes if node.bound}
    return {key: exact_number(value, f"the value of {key}") for key, value in values.items() if key in counted}


class _Namer:
    """Names for parts, and the steps that follow from them."""

    def __init__(self, stages: bool, targets: Mapping[str, Node]) -> None:
        self.stages = stages
        self.targets = targets
        self.flat: dict[Node, Node] = {}  # what was unfolded before, in primitives
        self.apart: dict[Node, Node] = {}  # and head by head
        self.counts: dict[Any, Any] = {}  # what each letter counts
        self.counters: dict[Any, Any] = {}  # letters in place of those that count two numbers
        self.preferred: dict[Node, str] = {}
        self.places: dict[Node, str] = {}  # the layer that a node belongs to
        self.given: set[Node] = set()  # what is given to a layer, and all that it is made from
        self.heads: dict[Node, frozenset[Any]] = {}  # whose letters a part holds
        self.marks: dict[Node, str] = {}  # the head that a part belongs to
        self.asked: set[Node] = set()  # nodes whose names the caller chose
        self.names: dict[Node, str] = {}
        self.words: dict[Node, tuple[Words, Words]] = {}
        self.finer: dict[Node, Node] = {}  # a primitive: its definition by stages

    def _bare(self, expression: Node) -> Any:
        """In primitives only, families of so many heads head by head."""
        whole = heads_apart(unfolded(expression, self.flat), self.apart)
        return counted_apart(whole, self.counts, self.counters, self._taken)

    def _taken(self) -> set[str]:
        """Names that no letter may have that counts."""
        return {*self.targets, *(str(thing) for target in self.targets.values() for thing in target._mentions)}

    def _composites(self, root: Node) -> list[Composite]:
        """Every composite of an expression, outer ones first, also inside their definitions."""
        found: dict[Composite, None] = {}
        waiting, seen = deque([root]), set[Node]()
        while waiting:
            for inner in postorder(waiting.popleft(), stop=seen.__contains__):
                if isinstance(inner, Composite) and inner not in seen:
                    found[inner] = None
                    waiting.append(heads_apart(inner.definition().whole, self.apart))
                    waiting.extend(member for _, part in inner.definition().parts for member, _ in members(inner, part))
                seen.add(inner)
        return list(found)

    def prefer(self, part: Node, name: Any) -> None:
        bare = self._bare(part)
        if isinstance(name, tuple):
            name, *words = name
            self.words[bare] = tuple(words)  # type: ignore[assignment]
        self.preferred[bare] = checked_name(name)
        self.asked.add(bare)

    def add(self, root: Node, name: str) -> Node:
        composites = self._composites(heads_apart(root, self.apart))
        for composite in composites:
            self._place(composite)
        for composite in composites:
            definition = composite.definition()
            for part_name, part in definition.parts:
                for member, mark in members(composite, part):
                    self._name(member, part_name, definition.words, mark)
            if "" in definition.words:
                self.words.setdefault(self._bare(composite), definition.words[""])
            if composite.argument("label"):
                self._name(composite, composite.letter, {composite.letter: (composite.title, composite.explanation)})
        whole = self._bare(root)
        if name:
            self.asked.add(whole)
        place, usual = self.places.get(whole, ""), root.letter if isinstance(root, Composite) else "Y"
        self.names.pop(whole, None)
        self.names[whole] = name or (f"{place}.{usual}" if place else usual)
        if isinstance(root, Operation):
            self.words.setdefault(whole, (root.title, root.explanation))
        if self.stages:
            for node in postorder(whole):
                finer = node.stages() if isinstance(node, Primitive) else None
                if finer is not None:
                    for part_name, part in finer.parts:
                        self.places.setdefault(self._bare(part), self.places.get(node, ""))
                        self._name(part, part_name, finer.words, self.marks.get(node, ""))
                    self.finer[node] = finer.whole
                    self.names.setdefault(node, f"{self.places[node]}.Y" if self.places.get(node) else "Y")
        return whole

    def _place(self, composite: Composite) -> None:
        """What is computed inside a labeled layer, and not given to it, bears its label; what two layers share, none."""
        label = composite.argument("label")
        if label:
            for node in postorder(*map(self._bare, composite._children), stop=self.given.__contains__):
                self.given.add(node)
            for node in postorder(self._bare(composite), stop=self.given.__contains__):
                if node not in self.given and self.places.setdefault(node, label) != label:
                    self.places[node] = ""

    def _name(self, part: Node, name: str, words: Mapping[str, tuple[Words, Words]], mark: str = "") -> None:
        bare = self._bare(part)
        place = self.places.get(bare, "")
        mark = self.marks.setdefault(bare, mark or _head_mark(self._heads(bare)))
        marked = name + (mark.replace("_", "") if "_" in name else mark)  # Q_1, and Q_cross1
        self.names.setdefault(bare, f"{place}.{marked}" if place else marked)
        if name in words:
            self.words.setdefault(bare, words[name])

    def _heads(self, root: Node) -> frozenset[Any]:
        """The heads of all letters in it."""
        for node in postorder(root, stop=self.heads.__contains__):
            if node not in self.heads:
                own = [frozenset((node.head,))] if isinstance(node, Letter) and node.head is not None else []
                self.heads[node] = frozenset().union(*own, *(self.heads[c] for c in node._children))
        return self.heads[root]

    def steps(self, roots: list[Node]) -> list[Step]:
        self.names |= self.preferred
        graph = list(postorder(*roots, *self.finer.values()))
        inside = set(graph)
        for part, name in self.preferred.items():
            if part not in inside:
                raise UnreadableInput(
                    f"names: nothing to call {name}, because {str(part)[:40]} is no part of the expression"
                )
        order = [node for node in self.names if node in inside and isinstance(node, Operation)]
        self._name_shared(graph, order)
        letters = self._letters(graph, order)
        short: dict[Node, Node] = {}
        own: dict[Node, Node] = {}
        for node in graph:
            args = [short[a] if isinstance(a, Node) else a for a in node.args]
            same = all(a is b for a, b in zip(args, node.args, strict=True))
            own[node] = node if same else node.func(*args)
            short[node] = letters.get(node, own[node])
        coarse = {node: own[node] for node in self.finer}
        for node, finer in self.finer.items():
            own[node] = own[finer]
        return [self._step(node, letters[node], own[node], coarse.get(node)) for node in self._ordered(order, letters)]

    def _step(self, node: Node, letter: Letter, expression: Node, coarse: Node | None) -> Step:
        if not isinstance(node, Operation):
            raise UnreadableInput(f"{letter}: a step needs an operation, not the bare matrix {node}")
        title, explanation = self.words.get(node, (node.title, node.explanation))
        return Step(letter, expression, node, title, explanation, coarse)

    def _name_shared(self, graph: list[Node], order: list[Node]) -> None:
        readers: dict[Node, int] = {}
        for node in graph:
            for child in node._children:
                readers[child] = readers.get(child, 0) + 1
        finer = set(self.finer.values())
        counted = {letter for node in graph for letter, _ in node._families}
        for node in graph:
            plain = (
                all(not c._children or c in self.names for c in node._children) and type(node).__name__ == "Transpose"
            )
            if not counted.isdisjoint(node._symbols) and (counted & node._symbols) - self._heads(node):
                continue  # one of many that are counted, and no letter says which
            if readers.get(node, 0) > 1 and isinstance(node, Operation) and node._children and not plain:
                if node not in self.names and node not in finer:
                    self.names[node] = f"{self.places[node]}.T" if self.places.get(node) else "T"
                    order.append(node)

    def _letters(self, graph: list[Node], order: list[Node]) -> dict[Node, Letter]:
        taken = {node.name for node in graph if isinstance(node, Letter)}
        for node in order:  # names that somebody chose come first: those of parts give way
            if node in self.asked:
                if self.names[node] in taken:
                    raise UnreadableInput(
                        f"naming a step {self.names[node]}: an input or another step has this name; choose another"
                    )
                taken.add(self.names[node])
        taken |= {name for node in graph for name in getattr(node, "slope_calls", ())}
        self._number_alike(order)
        inputs = {node.name for node in graph if isinstance(node, Letter)}
        letters: dict[Node, Letter] = {}
        planned = taken | set(self.names.values())  # c beside C would be written as its entries are
        for node in order:
            if node not in self.asked and self.names[node] in inputs:
                self.names[node] = other_letter(self.names[node], planned | taken)
            name, number = self.names[node], 1
            while node not in self.asked and (name in taken or collides_with_entries(name, planned)):
                number += 1
                name = another_name(self.names[node], number, planned | taken)
            taken.add(name)
            heads = self._heads(node) & node._open_symbols
            if len(heads) > 1:
                raise NotSupported(
                    f"naming {name}: it belongs to the heads {', '.join(sorted(map(str, heads)))} at once"
                )
            letters[node] = Letter(name, *node.shape, *heads)
        return letters

    def _number_alike(self, order: list[Node]) -> None:
        """L_1 = norm(R_1) and L_2 = norm(R_2), where both would be L."""
        alike: dict[str, list[Node]] = {}
        for node in order:
            if node not in self.asked and not without_namespace(self.names[node])[1].count("_"):
                alike.setdefault(self.names[node], []).append(node)
        for name, nodes in alike.items():
            indices = ["".join(self.names.get(x, "").rpartition("_")[2] for x in node._children[:1]) for node in nodes]
            if len({*indices}) == len(nodes) > 1 and all(map(str.isdigit, indices)):
                self.names |= {node: f"{name}_{k}" for node, k in zip(nodes, indices, strict=True)}

    def _ordered(self, order: list[Node], letters: dict[Node, Letter]) -> list[Node]:
        """The order of the definitions, each after what it is made from."""
        done: dict[Node, None] = {}
        for target in order:
            finer = [self.finer[target]] if target in self.finer else []
            for node in postorder(target, *finer, stop=done.__contains__):
                if node in letters and node not in done and node is not target:
                    for deeper in postorder(self.finer.get(node, node), stop=done.__contains__):
                        if deeper in letters and deeper is not node:
                            done.setdefault(deeper)
                    done[node] = None
            done.setdefault(target)
        return list(done)


def _head_mark(heads: frozenset[Any]) -> str:
    """_1 for a part that belongs to head 1 alone."""
    return f"_{int(next(iter(heads))) + 1}" if len(heads) == 1 and all(h.is_Integer for h in heads) else ""
