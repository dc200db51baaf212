"""The reverse sweep: what each step hands back to the letters that it is made from.

Contributions are added up over every use. The sweep names no operation: each gives its own product of
a cotangent with its Jacobian (`vjp`), and the parts of it that deserve a name (`saved`).
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Any

from symtransformer.derivation import Derivation, Step
from symtransformer.errors import NotSupported
from symtransformer.gradients.layers import Layer, Layers, by_layer
from symtransformer.gradients.letters import Namer, key_of, require_one_form_of_heads
from symtransformer.gradients.parts import Part, Total, Use, part_of
from symtransformer.gradients.totals import RowTotals
from symtransformer.node import Node, postorder
from symtransformer.operation import Primitive, unfolded
from symtransformer.operations.addition import Addition
from symtransformer.operations.heads import HeadSum
from symtransformer.rules import Named, Rule, readable
from symtransformer.symbols import Letter

KNOWN_AT_MOST = 5  # operations that are written again instead of being named


class Sweep:
    """Contributions to the gradient of each letter, from the last step to the first.

    What belongs to a letter is looked up by its number, which takes Python a third of the time that the letter takes.
    """

    def __init__(self, forward: Derivation, cotangent: Node, inputs: Iterable[Letter], namer: Namer) -> None:
        self.forward, self.cotangent, self.namer = forward, cotangent, namer
        self.received: dict[int, list[Node]] = {}
        self.uses: dict[int, list[Use]] = {}
        self.parts: list[Part] = []
        self.in_stages = any(step.coarse is not None for step in forward.steps)
        self.summed: dict[int, Total] = {}
        self.made: dict[int, Letter] = {}  # the cotangent of each letter that has one
        self.saved: dict[int, tuple[str, Letter]] = {}  # what each named part of a step is called there
        self.flat: dict[Node, Node] = {}
        letters = [step.letter for step in forward.steps]
        roots = [step.expression if step.coarse is None else step.coarse for step in forward.steps]
        roots = [root if root._facts.plain else unfolded(root, self.flat) for root in roots]
        self.definitions = {x.number: root for x, root in zip(letters, roots, strict=True)}
        self.letters = {number: root._letters for number, root in self.definitions.items()}
        self.given = {x.number for x in inputs}.union(self.definitions)
        self.totals = RowTotals(self.definitions)
        self.named = Named(zip(roots, letters, strict=True))
        self.counts = {head: n for facts in dict.fromkeys([x._facts for x in roots]) for head, n in facts.families}
        self.heads = sorted(self.counts, key=attrgetter("name"))
        self.counted = frozenset(self.counts)
        require_one_form_of_heads([*letters, *set[Node]().union(*self.letters.values())])

    def run(self, wrt: Iterable[Letter]) -> None:
        self._find_the_way(wrt)
        steps = by_layer(self.forward.steps)
        layers = Layers(self, steps)
        for layer in reversed(steps):
            cotangent = self._given_to(layer[-1].letter)
            repeats = layers.repeats(layer, cotangent)
            if repeats and layers.write(layer):
                continue
            start, before = len(self.parts), {k: len(found) for k, found in self.received.items()} if repeats else {}
            self._sweep(layer, cotangent)
            if repeats:
                layers.remember(layer, start, before)
        for letter in wrt:
            if letter.number in self.made:
                continue
            if letter.number not in self.received:
                output = self.forward.steps[-1].letter
                raise NotSupported(f"differentiating: {output} does not depend on {key_of(letter)}")
            self.cotangent_of(letter)

    def _sweep(self, layer: Layer, cotangent: Node | None) -> None:
        """Steps from the last to the first; the cotangent is that of the last."""
        for step in reversed(layer):
            given = cotangent if step is layer[-1] else self._given_to(step.letter)
            if given is not None and step.letter.number in self.on_the_way:
                self._hand_back(step, given)

    def _given_to(self, letter: Letter) -> Node | None:
        """The cotangent of a step; what is known without any cotangent is written itself from then on."""
        if letter is self.forward.steps[-1].letter:
            return self.cotangent
        if letter.number not in self.received:
            return None
        name, total = self.cotangent_of(letter), self.total_of(letter).expression
        return total if self._is_plain(total) else name

    def _find_the_way(self, wrt: Iterable[Letter]) -> None:
        """The steps that lead to what is asked for, and these together with that."""
        self.wanted = {letter.number for letter in wrt}
        self.asks_for_all = all(self.letters.values()) and self.given <= self.wanted.union(self.definitions)
        if self.asks_for_all:
            self.wanted, self.on_the_way = self.given, set(self.definitions)
            return
        found, self.on_the_way = set[Node](wrt), set()
        for step, (number, used) in zip(self.forward.steps, self.letters.items(), strict=True):
            if not found.isdisjoint(used):
                found.add(step.letter)
                self.on_the_way.add(number)
        self.wanted |= self.on_the_way

    def _leads_to_wanted(self, argument: Node) -> bool:
        """Whether something that is asked for is in it."""
        if argument.is_letter:
            return argument.number in self.wanted
        letters = argument._letters
        return bool(letters) if self.asks_for_all else any(letter.number in self.wanted for letter in letters)

    def cotangent_of(self, letter: Letter) -> Letter:
        """The name of the sum of all contributions, as a part of the gradient."""
        name, (expression, uses, rules, assumed) = self.namer.cotangent(letter), self.total_of(letter)
        return self.add_cotangent(name, expression, letter, uses, rules, assumed)

    def add_cotangent(self, name: Letter, expression: Node, of: Letter, uses: Any, rules: Any, assumed: Any) -> Letter:
        """The total of a letter has a name."""
        self.made[of.number] = name
        self.parts.append(part_of((name, expression, of, uses, rules, assumed)))
        return name

    def total_of(self, letter: Letter) -> Total:
        """The sum of all contributions, in the form that a person writes."""
        number = letter.number
        found = self.summed.get(number)
        if found is None:
            contributions = self.received[number]
            if len(contributions) > 1:
                contributions = sorted(contributions, key=lambda node: not node.is_letter)
            used: dict[str, Rule] = {}
            self.totals.used.clear()
            expression = readable(_sum_of(contributions), self.named, self.totals.rule, used)
            rules, uses = tuple(used.values()), tuple(self.uses[number])
            found = self.summed[number] = Total(expression, uses, rules, self.totals.assumed())
        return found

    def _is_plain(self, node: Node) -> bool:
        """1/n, -Y/n: short, and made of one letter at most that is known before any cotangent is."""
        if node.is_letter:
            return node.number in self.given
        letters: set[int] = set()
        operations: set[int] = set()
        waiting = [node]
        while waiting:  # what is not plain is mostly not so at its first letters
            inner = waiting.pop()
            if inner.is_letter:
                letters.add(inner.number)
                if inner.number not in self.given or len(letters) > 1:
                    return False
            elif inner._children and inner.number not in operations:
                operations.add(inner.number)
                waiting += inner._children
        return len(operations) <= KNOWN_AT_MOST

    def _hand_back(self, step: Step, cotangent: Node) -> None:
        """What one step contributes to the letters that it is made from."""
        letter = step.letter
        root = self.definitions[letter.number]
        whole = cotangent
        for head in self.heads:
            if head in letter._facts.open_symbols and head not in root._facts.symbols:
                whole = HeadSum(whole, head, self.counts[head])
        received: dict[int, list[Node]] = {root.number: [whole]}
        use = letter, cotangent
        below: list[Any] = list(postorder(root))
        for node in reversed(below):
            number = node.number
            contributions = received.get(number)
            if contributions is None:
                continue
            total = _sum_of(contributions)
            if node.is_letter:
                if number not in self.given:
                    raise NotSupported(f"differentiating: {node} is one head of what a step defines for all heads")
                self.received.setdefault(number, []).insert(0, total)
                self.uses.setdefault(number, []).insert(0, use)
            elif node._children:  # definitions are unfolded: a primitive operation
                self._save(node, step)
                for argument, part in zip(node._children, node.vjp(total), strict=True):
                    if self._leads_to_wanted(argument):
                        received.setdefault(argument.number, []).append(self._over_heads(node, argument, part))

    def _save(self, node: Primitive, step: Step) -> None:
        """Names for the parts that the gradient of an operation is written with, unless a step has them already."""
        for name, part in node.saved():
            if part.number in self.named.letters:
                continue
            finer = part.stages() if self.in_stages and isinstance(part, Primitive) else None
            if finer is not None and isinstance(known := readable(finer.whole, self.named), Letter):
                self.named.add(part, known)
                continue
            self.add_named(self.namer.part(name, step.letter, part), part, name, step.letter)

    def add_named(self, letter: Letter, part: Node, name: str, of: Letter) -> None:
        """A part of a step has a letter of its own."""
        self.parts.append(Part(letter, part))
        self.named.add(part, letter)
        self.saved[letter.number] = name, of

    def _over_heads(self, node: Primitive, argument: Node, part: Node) -> Node:
        """What every head contributes to something that all of them share is added up."""
        inner, given, shared = node._facts.symbols, part._facts.symbols, argument._facts.symbols
        if not node.bound and self.counted.isdisjoint(inner) and self.counted.isdisjoint(given):
            return part
        for head in self.heads:
            if head in shared:
                continue
            if head in given or head in inner or head in [node._args[k] for k in node.bound]:
                part = HeadSum(part, head, self.counts[head])
        return part


def _sum_of(contributions: list[Node]) -> Any:
    return contributions[0] if len(contributions) == 1 else Addition(*contributions)
