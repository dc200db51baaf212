"""Layers of the same structure: what the sweep found in one is written for another, with the letters of that.

A model repeats its layers, and only their letters differ. A layer is read as one that was swept before where
their definitions agree node by node, with one letter in place of another, and where all that the sweep looks
at agrees. What holds for the one then holds for the other, and need not be worked out again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from symtransformer.derivation import Step
from symtransformer.node import Node, postorder
from symtransformer.scalars import without_namespace
from symtransformer.symbols import Letter

if TYPE_CHECKING:
    from symtransformer.gradients.sweep import Part, Sweep, Use

KEPT = 4  # layers that others are compared with: those of an encoder and of a decoder, and two to spare
Layer = tuple[Step, ...]


def by_layer(steps: Iterable[Step]) -> list[Layer]:
    """Steps that follow one another in one namespace, such as enc1."""
    return [tuple(found) for _, found in groupby(steps, key=lambda step: without_namespace(step.name)[0])]


def letter_by_letter(old: Sequence[Node], new: Sequence[Node]) -> dict[Node, Node] | None:
    """Each node of the old expressions with the one in its place in the new; None if more than letters differ."""
    here, there = list(postorder(*old)), list(postorder(*new))
    found: dict[Node, Node] = {}
    for one, other in zip(here, there, strict=False):
        skipped = 1 if one.is_letter else 0  # the name
        args = one.args[skipped:], other.args[skipped:]
        if type(one) is not type(other) or one.shape != other.shape or len(args[0]) != len(args[1]):
            return None
        if any(found[a] is not b if isinstance(a, Node) else a != b for a, b in zip(*args, strict=True)):
            return None
        found[one] = other
    alike = len(here) == len(there) == len(set(found.values()))
    return found if alike and all(found[one] is other for one, other in zip(old, new, strict=True)) else None


@dataclass(frozen=True)
class Swept:
    """A layer, and what was found in it."""

    layer: Layer
    cotangent: Letter  # of the last step
    parts: tuple[Part, ...]
    own: tuple[Letter, ...]  # letters from outside that go into nothing else
    shared: tuple[tuple[Letter, tuple[Node, ...], tuple[Use, ...]], ...]  # other letters, with what they received here


class Layers:
    """The layers that were swept, and others read as one of them."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self.swept: list[Swept] = []
        self.inner: dict[Node, list[Node]] = {}  # the operations in an expression, in order
        self.readers: dict[Node, set[Letter]] = {}
        for letter, root in sweep.definitions.items():
            for used in root._letters:
                self.readers.setdefault(used, set()).add(letter)

    def repeats(self, layer: Layer, cotangent: Node | None) -> bool:
        """Whether others may be read as this one: all that the layer gives on is its last step, by a letter."""
        named = cotangent is not None and self.sweep.made.get(layer[-1].letter) is cotangent
        return named and len(layer) > 1 and not any(step.letter in self.sweep.received for step in layer[:-1])

    def remember(self, layer: Layer, start: int, before: dict[Letter, int]) -> None:
        """Keep what was found, unless it speaks of more than the layer and what goes into it."""
        sweep, cotangent, parts = self.sweep, self.sweep.made[layer[-1].letter], tuple(self.sweep.parts[start:])
        own, shared, inside = [], [], {step.letter for step in layer}
        for letter in self._outside(layer):
            if sweep.totals.of(letter) is not None:  # a rule may have used it, and what it rests on is said elsewhere
                return
            if letter in sweep.received and self.readers[letter] <= inside:
                own.append(letter)
            elif added := len(sweep.received.get(letter, ())) - before.get(letter, 0):
                shared.append((letter, tuple(sweep.received[letter][:added]), tuple(sweep.uses[letter][:added])))
        totals = [sweep.total_of(x) for x in (*own, *(part.claim.letter for part in parts if part.claim is not None))]
        written = {*(total.expression for total in totals), *(part.expression for part in parts)}
        written.update(*(found for _, found, _ in shared))
        known = {cotangent, *self._letters(layer), *(part.letter for part in parts)}
        if all(node._letters <= known for node in written) and not any(total.assumed for total in totals):
            self.swept.append(Swept(layer, cotangent, parts, tuple(own), tuple(shared)))

    def write(self, layer: Layer) -> bool:
        """What one that was swept before gives for this layer, with its letters; False where it is like none."""
        for old in self.swept[-KEPT:]:
            rule = self._read_as(old.layer, layer)
            if rule is not None:
                self._write(old, {**rule, old.cotangent: self.sweep.made[layer[-1].letter]})
                return True
        return False

    def _letters(self, layer: Layer) -> set[Node]:
        roots = [self.sweep.definitions[step.letter] for step in layer]
        return set[Node](step.letter for step in layer).union(*(root._letters for root in roots))

    def _outside(self, layer: Layer) -> list[Letter]:
        """The letters from outside, in the order in which they appear."""
        inside = {step.letter for step in layer}
        nodes = postorder(*(self.sweep.definitions[step.letter] for step in layer))
        return [node for node in nodes if isinstance(node, Letter) and node not in inside]

    def _read_as(self, old: Layer, new: Layer) -> dict[Node, Node] | None:
        """Each node of the old layer with the one in its place, where the sweep would do the same with both."""
        if len(old) != len(new):
            return None
        here, there = ([step.letter for step in layer] for layer in (old, new))
        sides = [[*letters, *(self.sweep.definitions[letter] for letter in letters)] for letters in (here, there)]
        rule = letter_by_letter(*sides)
        if rule is None:
            return None
        inside, inside_new = set(here), set(there)
        pairs = ((one, other) for one, other in rule.items() if one.is_letter)
        alike = all(self._facts(one, inside) == self._facts(other, inside_new) for one, other in pairs)
        return rule if alike else None

    def _facts(self, letter: Node, inside: set[Letter]) -> tuple[Any, ...]:
        """All that the sweep looks at in a letter."""
        sweep = self.sweep
        asked = letter in sweep.wanted, letter in sweep.given
        if letter in inside:
            return *asked, letter in sweep.on_the_way
        return *asked, self.readers[letter] <= inside, sweep.totals.of(letter)

    def _write(self, old: Swept, rule: dict[Node, Node]) -> None:
        sweep = self.sweep
        for part in old.parts:
            if part.claim is None:
                name, of = sweep.saved[part.letter]
                rule[part.letter] = sweep.name_part(name, rule[of], self._renamed(part.expression, rule))
            else:
                rule[part.letter] = sweep.cotangent_of(self._total(part.claim.letter, rule))
        for letter in old.own:
            self._total(letter, rule)
        for letter, contributions, uses in old.shared:
            new: Any = rule[letter]
            sweep.received.setdefault(new, [])[:0] = [self._renamed(part, rule) for part in contributions]
            sweep.uses.setdefault(new, [])[:0] = self._uses(uses, rule)

    def _total(self, letter: Letter, rule: dict[Node, Node]) -> Any:
        sweep, total, new = self.sweep, self.sweep.total_of(letter), rule[letter]
        sweep.summed[new] = replace(total, expression=self._renamed(total.expression, rule))
        sweep.received[new] = []  # they are added up already
        sweep.uses[new] = self._uses(sweep.uses[letter], rule)
        return new

    def _uses(self, uses: Iterable[Use], rule: dict[Node, Node]) -> list[Use]:
        steps: Any = self.sweep.steps
        return [(rule[x], steps[rule[x]].definition, self._renamed(cotangent, rule)) for x, _, cotangent in uses]

    def _renamed(self, root: Node, rule: dict[Node, Node]) -> Node:
        """The expression with the letters of another layer; what has a name by now is written with it."""
        if root not in self.inner:
            self.inner[root] = [node for node in postorder(root) if node._children]
        for node in self.inner[root]:
            if node not in rule:
                args = tuple([rule.get(a, a) if isinstance(a, Node) else a for a in node.args])
                new = node._intern(args)  # no shortcut fits: none did before
                rule[node] = self.sweep.named.get(new, new)
        return rule.get(root, root)
