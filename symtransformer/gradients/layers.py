"""Layers of the same structure: what the sweep found in one is written for another, with the letters of that.

A model repeats its layers, and only their letters differ. A layer is read as one that was swept before where
their definitions agree node by node, with one letter in place of another, and where all that the sweep looks
at agrees. What holds for the one then holds for the other, and need not be worked out again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from symtransformer.derivation import Step
from symtransformer.gradients.parts import Part, Total
from symtransformer.gradients.structure import Found, Places, Structure
from symtransformer.node import Node
from symtransformer.scalars import without_namespace
from symtransformer.symbols import Letter

if TYPE_CHECKING:
    from symtransformer.gradients.sweep import Sweep

KEPT = 4  # layers that others are compared with: those of an encoder and of a decoder, and two to spare
Layer = tuple[Step, ...]


def by_layer(steps: Iterable[Step]) -> list[Layer]:
    """Steps that follow one another in one namespace, such as enc1."""
    return [tuple(found) for _, found in groupby(steps, key=lambda step: without_namespace(step.name)[0])]


class Swept:
    """A layer, and what was found in it, as rows to be made again with other letters."""

    def __init__(self, layer: Layer, roots: Sequence[Node], cotangent: Letter) -> None:
        self.structure = Structure(roots)
        own = {step.letter for step in layer}
        self.outside = [k for k, x in enumerate(self.structure.nodes) if x.is_letter and x not in own]
        self.facts: list[Any] = []  # all that the sweep looked at in these letters
        self.places = Places([*self.structure.nodes, cotangent])
        self.parts: list[tuple[Part, Found]] = []
        self.own: list[tuple[Total, Found]] = []  # of letters from outside that go into nothing else
        self.shared: list[Found] = []  # of other letters: what they received here


class Layers:
    """The layers that were swept, and others read as one of them."""

    def __init__(self, sweep: Sweep, layers: Iterable[Layer]) -> None:
        self.sweep = sweep
        self.swept: list[Swept] = []
        self.home: dict[Node, Letter | None] = {}  # of a letter that goes into one layer only: the last step there
        for layer in layers:
            last = layer[-1].letter
            for used in set[Node]().union(*[sweep.letters[step.letter] for step in layer]):
                self.home[used] = None if used in self.home else last

    def repeats(self, layer: Layer, cotangent: Node | None) -> bool:
        """Whether others may be read as this one: all that the layer gives on is its last step, by a letter."""
        named = cotangent is not None and self.sweep.made.get(layer[-1].letter) is cotangent
        return named and len(layer) > 1 and self.sweep.received.keys().isdisjoint([step.letter for step in layer[:-1]])

    def remember(self, layer: Layer, start: int, before: dict[Letter, int]) -> None:
        """Keep what was found, unless it speaks of more than the layer and what goes into it."""
        sweep, parts, inside = self.sweep, self.sweep.parts[start:], {step.letter for step in layer}
        old = Swept(layer, self._roots(layer), sweep.made[layer[-1].letter])
        own, shared = [], []
        for k in old.outside:
            letter: Any = old.structure.nodes[k]
            if sweep.totals.of(letter) is not None:  # a rule may have used it, and what it rests on is said elsewhere
                return
            if letter in sweep.received and self.home[letter] is layer[-1].letter:
                own.append(letter)
            elif added := len(sweep.received.get(letter, ())) - before.get(letter, 0):
                shared.append((letter, added))
        totals = [sweep.total_of(x) for x in (*own, *(part.by for part in parts if part.by is not None))]
        if any(total.assumed for total in totals):
            return
        for part in parts:
            of = sweep.saved[part.letter][1] if part.by is None else part.by
            old.parts.append((part, old.places.found(of, [part.expression], part.uses)))
            old.places.add(part.letter)
        for letter in own:
            total = sweep.total_of(letter)
            old.own.append((total, old.places.found(letter, [total.expression], total.uses)))
        for letter, added in shared:
            new = sweep.received[letter][:added], sweep.uses[letter][:added]
            old.shared.append(old.places.found(letter, *new))
        belongs = inside.union(own)
        named = (part.expression._letters for part in parts if part.by is None)
        if old.places.strangers or any(belongs.isdisjoint(letters) for letters in named):
            return
        old.facts = self._facts(old, old.structure.nodes, layer)
        self.swept.append(old)

    def write(self, layer: Layer) -> bool:
        """What one that was swept before gives for this layer, with its letters; False where it is like none."""
        roots = self._roots(layer)
        for old in self.swept[-KEPT:]:
            nodes = old.structure.like(roots)
            if nodes is not None and self._facts(old, nodes, layer) == old.facts:
                self._write(old, [*nodes, self.sweep.made[layer[-1].letter]])
                return True
        return False

    def _roots(self, layer: Layer) -> list[Node]:
        letters = [step.letter for step in layer]
        return [*letters, *(self.sweep.definitions[letter] for letter in letters)]

    def _facts(self, old: Swept, nodes: list[Node], layer: Layer) -> list[Any]:
        """All that the sweep looks at in the letters of a layer, its own and then those from outside."""
        sweep, last = self.sweep, layer[-1].letter
        found: list[Any] = [(step.letter in sweep.wanted, step.letter in sweep.on_the_way) for step in layer]
        for k in old.outside:
            letter: Any = nodes[k]
            asked = letter in sweep.wanted, letter in sweep.given
            found.append((*asked, self.home[letter] is last, sweep.totals.of(letter)))
        return found

    def _write(self, old: Swept, values: list[Any]) -> None:
        sweep, named, alike = self.sweep, self.sweep.named, True
        for part, found in old.parts:
            alike = found.make(values, named, alike)
            of, result = values[found.of], values[found.results[0]]
            if part.by is None:
                values.append(sweep.name_part(sweep.saved[part.letter][0], of, result))
            else:
                values.append(sweep.add_part(of, Total(result, found.uses_among(values), part.rules, ())))
        for total, found in old.own:
            alike = found.make(values, named, alike)
            letter, result = values[found.of], values[found.results[0]]
            sweep.summed[letter] = Total(result, found.uses_among(values), total.rules, ())
            sweep.received[letter] = []  # added up already
        for found in old.shared:
            alike = found.make(values, named, alike)
            letter = values[found.of]
            sweep.received.setdefault(letter, [])[:0] = [values[k] for k in found.results]
            sweep.uses.setdefault(letter, [])[:0] = found.uses_among(values)
