"""Layers of the same structure: what the sweep found in one is written for another, with the letters of that.

A model repeats its layers, and only their letters differ. A layer is read as one that was swept before where
their definitions agree node by node, with one letter in place of another, and where all that the sweep looks
at agrees. What holds for the one then holds for the other, and need not be worked out again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from symtransformer.derivation import Step
from symtransformer.gradients.parts import Part, Total, Use, total_of
from symtransformer.gradients.structure import Structure, Tape
from symtransformer.node import Node, interned_letter
from symtransformer.symbols import Letter

if TYPE_CHECKING:
    from symtransformer.gradients.sweep import Sweep

KEPT = 4  # layers that others are compared with: those of an encoder and of a decoder, and two to spare
Layer = tuple[Step, ...]
Source = TypeVar("Source")
Findings = Sequence[tuple[Source, Letter, Sequence[Node], Sequence[Use]]]


def by_layer(steps: Iterable[Step]) -> list[Layer]:
    """Steps that follow one another in one namespace, such as enc1."""
    return [tuple(found) for _, found in groupby(steps, key=lambda step: step.letter.name.rpartition(".")[0])]


class Found(NamedTuple):
    """What belongs to a letter, by places in the list of values of a tape."""

    of: int
    results: tuple[int, ...]
    uses: tuple[int, ...]  # places in the list of all uses


class Swept:
    """A layer, and what was found in it, as a tape to be played again with other letters."""

    def __init__(self, layer: Layer, roots: Sequence[Node], cotangent: Letter) -> None:
        self.structure = Structure(roots)
        own = {step.letter.number for step in layer}
        self.outside = [k for k, x in enumerate(self.structure.nodes) if x.is_letter and x.number not in own]
        self.cotangent = cotangent
        self.facts: list[Any] = []  # all that the sweep looked at in these letters
        self.parts: list[tuple[Part, Found]] = []
        self.own: list[tuple[Total, Found]] = []  # of letters from outside that go into nothing else
        self.shared: list[Found] = []  # of other letters: what they received here
        self.uses: list[tuple[int, int]] = []  # places of steps and of their cotangents

    def record(self, parts: Findings[Part], own: Findings[Total], shared: Findings[None]) -> bool:
        """What was found: for each letter, what is made for it and its uses; False if it speaks of other letters."""
        found = [*parts, *own, *shared]
        uses = list(chain.from_iterable([used for *_, used in found]))
        made = chain(*[results for _, _, results, _ in found], [cotangent for _, cotangent in uses])
        letters = [part.letter for part, *_ in parts]
        self.tape = Tape([*self.structure.nodes, self.cotangent, *letters], made)
        place = self.tape.place
        known = [*[of for _, of, *_ in found], *[x for x, _ in uses]]
        if self.tape.strangers or not place.keys() >= {x.number for x in known}:
            return False

        def placed(of: Node, results: Sequence[Node], used: Sequence[Use]) -> Found:
            places = [(place[x.number], place[cotangent.number]) for x, cotangent in used]
            where = tuple([place_of_use.setdefault(use, len(place_of_use)) for use in places])
            return Found(place[of.number], tuple([place[x.number] for x in results]), where)

        place_of_use: dict[tuple[int, int], int] = {}
        self.parts = [(part, placed(of, results, used)) for part, of, results, used in parts]
        self.own = [(total, placed(of, results, used)) for total, of, results, used in own]
        self.shared = [placed(of, results, used) for _, of, results, used in shared]
        self.uses = list(place_of_use)
        return True


class Layers:
    """The layers that were swept, and others read as one of them."""

    def __init__(self, sweep: Sweep, layers: Iterable[Layer]) -> None:
        self.sweep = sweep
        self.swept: list[Swept] = []
        read: set[Node] = set()
        self.in_several: set[Node] = set()  # letters that go into more layers than one
        for layer in layers:
            letters: set[Node] = set().union(*[sweep.letters[step.letter.number] for step in layer])
            self.in_several |= read & letters
            read |= letters

    def repeats(self, layer: Layer, cotangent: Node | None) -> bool:
        """Whether others may be read as this one: all that the layer gives on is its last step, by a letter."""
        if cotangent is None or len(layer) < 2:
            return False
        numbers = [step.letter.number for step in layer]
        return self.sweep.made.get(numbers[-1]) is cotangent and self.sweep.received.keys().isdisjoint(numbers[:-1])

    def remember(self, layer: Layer, start: int, before: dict[int, int]) -> None:
        """Keep what was found, unless it speaks of more than the layer and what goes into it."""
        sweep, parts, inside = self.sweep, self.sweep.parts[start:], {step.letter for step in layer}
        old = Swept(layer, self._roots(layer), sweep.made[layer[-1].letter.number])
        own, shared = [], []
        for k in old.outside:
            letter: Any = old.structure.nodes[k]
            if sweep.totals.of(letter) is not None:  # a rule may have used it, and what it rests on is said elsewhere
                return
            received = sweep.received.get(letter.number, ())
            if received and letter not in self.in_several:
                own.append(letter)
            elif added := len(received) - before.get(letter.number, 0):
                shared.append((letter, added))
        totals = [(x, sweep.total_of(x)) for x in own]
        if any(part.assumed for part in parts) or any(total.assumed for _, total in totals):
            return
        found = [(part, self._of(part), [part.expression, *self._named_after(part)], part.uses) for part in parts]
        totals_of_own = [(total, x, [total.expression], total.uses) for x, total in totals]
        of_shared = [(None, x, sweep.received[x.number][:k], sweep.uses[x.number][:k]) for x, k in shared]
        belongs = inside.union(own)
        named = (part.expression._letters for part in parts if part.by is None)
        if any(belongs.isdisjoint(letters) for letters in named) or not old.record(found, totals_of_own, of_shared):
            return
        old.facts = self._facts(old, old.structure.nodes, layer)
        self.swept.append(old)

    def write(self, layer: Layer) -> bool:
        """What one that was swept before gives for this layer, with its letters; False where it is like none."""
        roots = self._roots(layer)
        for old in self.swept[-KEPT:]:
            nodes = old.structure.like(roots)
            if nodes is not None and self._facts(old, nodes, layer) == old.facts:
                return self._write(old, [*nodes, self.sweep.made[layer[-1].letter.number]])
        return False

    def _roots(self, layer: Layer) -> list[Node]:
        letters = [step.letter for step in layer]
        return [*letters, *[self.sweep.definitions[letter.number] for letter in letters]]

    def _facts(self, old: Swept, nodes: list[Node], layer: Layer) -> list[Any]:
        """All that the sweep looks at in the letters of a layer, its own and then those from outside."""
        sweep, outside = self.sweep, [nodes[k] for k in old.outside]
        found: list[Any] = [x in self.in_several for x in outside]
        found += [sweep.totals.of(x) for x in outside]
        if not sweep.asks_for_all:
            found += [(x in sweep.wanted, x in sweep.on_the_way) for x in [step.letter.number for step in layer]]
            found += [(x in sweep.wanted, x in sweep.given) for x in [letter.number for letter in outside]]
        return found

    def _of(self, part: Part) -> Letter:
        """The letter that a part belongs to."""
        return self.sweep.saved[part.letter.number][1] if part.by is None else part.by

    def _named_after(self, part: Part) -> tuple[Node, ...]:
        """The letter that a part of a step is made from, if it is one: the name of the part says so."""
        first = part.expression._children[:1] if part.by is None else ()
        return first if all(node.is_letter for node in first) else ()

    def _write(self, old: Swept, given: list[Any]) -> bool:
        sweep, namer, parts = self.sweep, self.sweep.namer, set(self.sweep.namer.parts)
        letters: list[Letter] = []
        for part, (of, results, _) in old.parts:
            if part.by is None:
                argument = given[results[1]] if len(results) > 1 else None
                name = namer.name_of_part(sweep.saved[part.letter.number][0], given[of], argument)
            else:
                name = namer.name_of_cotangent(given[of])
            letters.append(interned_letter(name, part.letter._facts))
            given.append(letters[-1])
        values = old.tape.play(given, sweep.named.letters)
        if values is None:  # something in it has a name already
            namer.taken.difference_update([letter.name for letter in letters])
            namer.parts = parts
            return False
        uses = [(values[k], values[cotangent]) for k, cotangent in old.uses]
        for (part, (of, results, used)), letter in zip(old.parts, letters, strict=True):
            result = values[results[0]]
            if part.by is None:
                sweep.add_named(letter, result, sweep.saved[part.letter.number][0], values[of])
            else:
                sweep.add_cotangent(letter, result, values[of], tuple([uses[k] for k in used]), part.rules, ())
        for total, (of, results, used) in old.own:
            number = values[of].number
            sweep.summed[number] = total_of((values[results[0]], tuple([uses[k] for k in used]), total.rules, ()))
            sweep.received[number] = []  # added up already
        for of, results, used in old.shared:
            number = values[of].number
            sweep.received.setdefault(number, [])[:0] = [values[k] for k in results]
            sweep.uses.setdefault(number, [])[:0] = [uses[k] for k in used]
        return True
