"""The reverse sweep: what each step hands back to the letters that it is made from.

Contributions are added up over every use. The sweep names no operation: each gives its own product of
a cotangent with its Jacobian (`vjp`), and the parts of it that deserve a name (`saved`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from symtransformer.derivation import Derivation, Derivative, Step
from symtransformer.errors import NotSupported
from symtransformer.gradients.letters import Namer, key_of, require_one_form_of_heads
from symtransformer.gradients.totals import RowTotals
from symtransformer.node import Node, postorder
from symtransformer.operation import Primitive, unfolded
from symtransformer.operations.addition import Addition
from symtransformer.operations.heads import HeadSum
from symtransformer.rules import Rule, readable
from symtransformer.symbols import Letter

KNOWN_AT_MOST = 5  # operations that are written again instead of being named
Use = tuple[Letter, Node, Node]


@dataclass(frozen=True)
class Part:
    """A named part of a gradient: a cotangent with what it claims to be, or what cotangents are made from."""

    letter: Letter
    expression: Node
    claim: Derivative | None  # None for a part that an operation names
    rules: tuple[Rule, ...] = ()
    assumed: tuple[Letter, ...] = ()  # rows that were taken to add up to 1


class Sweep:
    """Contributions to the gradient of each letter, from the last step to the first."""

    def __init__(self, forward: Derivation, cotangent: Node, inputs: Iterable[Letter], namer: Namer) -> None:
        self.forward, self.cotangent, self.namer = forward, cotangent, namer
        self.received: dict[Letter, list[Node]] = {}
        self.uses: dict[Letter, list[Use]] = {}
        self.parts: list[Part] = []
        self.given = {*inputs, *(step.letter for step in forward.steps)}
        self.in_stages = any(step.coarse is not None for step in forward.steps)
        self.totals = RowTotals(forward.steps)
        self.made: dict[Letter, Node] = {}  # the cotangent of each letter that has one
        self.flat: dict[Node, Node] = {}
        self.definitions = {step.letter: unfolded(step.definition, self.flat) for step in forward.steps}
        self.named: dict[Node, Node] = {root: letter for letter, root in self.definitions.items()}
        self.counts = {head: count for root in self.definitions.values() for head, count in root._families}
        self.heads = frozenset(self.counts)
        used = {x for root in self.definitions.values() for x in root._letters}
        require_one_form_of_heads(used | self.definitions.keys())

    def run(self, wrt: Iterable[Letter]) -> None:
        output = self.forward.steps[-1].letter
        asked = set(wrt)
        on_the_way = self._on_the_way(wrt)
        wanted = asked | on_the_way
        for step in reversed(self.forward.steps):
            letter = step.letter
            if letter is output:
                cotangent = self.cotangent
            elif letter in self.received:
                cotangent = self._cotangent_of(letter)
            else:
                continue
            if letter in on_the_way:
                self._hand_back(step, cotangent, wanted)
        for letter in wrt:
            if letter not in self.received:
                raise NotSupported(f"differentiating: {output} does not depend on {key_of(letter)}")
            if letter not in self.made:
                self._cotangent_of(letter)

    def _on_the_way(self, wrt: Iterable[Letter]) -> set[Letter]:
        """The steps that lead to what is asked for."""
        found: set[Letter] = set(wrt)
        leads: set[Letter] = set()
        for letter, root in self.definitions.items():
            if not found.isdisjoint(root._letters):
                found.add(letter)
                leads.add(letter)
        return leads

    def _cotangent_of(self, letter: Letter) -> Node:
        """The named sum of all contributions; what is known without any cotangent is written itself from then on."""
        contributions = sorted(self.received[letter], key=lambda node: not isinstance(node, Letter))
        used: dict[str, Rule] = {}
        self.totals.used.clear()
        total = readable(_sum_of(contributions), self.named, self.totals.rule, used)
        name = self.namer.cotangent(letter)
        claim = Derivative(letter, tuple(self.uses[letter]), self.forward.steps[-1].letter, self.cotangent)
        self.parts.append(Part(name, total, claim, tuple(used.values()), self.totals.assumed()))
        self.made[letter] = name
        return total if self._is_plain(total) else name

    def _is_plain(self, node: Node) -> bool:
        """1/n, -Y/n: short, and made of one letter at most that is known before any cotangent is."""
        letters = node._letters
        if len(letters) > 1 or any(x not in self.given for x in letters):
            return False
        return sum(bool(inner._children) for inner in postorder(node)) <= KNOWN_AT_MOST

    def _hand_back(self, step: Step, cotangent: Node, wanted: set[Letter]) -> None:
        """What one step contributes to the letters that it is made from."""
        root = self.definitions[step.letter]
        received: dict[Node, list[Node]] = {
            root: [self._added_over(frozenset(_own_heads(step.letter)) - root._symbols, cotangent)]
        }
        for node in reversed(list(postorder(root))):
            if node not in received:
                continue
            if isinstance(node, Letter):
                if node not in self.given:
                    raise NotSupported(f"differentiating: {node} is one head of what a step defines for all heads")
                self.received.setdefault(node, []).insert(0, _sum_of(received[node]))
                self.uses.setdefault(node, []).insert(0, (step.letter, step.definition, cotangent))
            elif isinstance(node, Primitive):
                self._save(node, step)
                for argument, part in zip(node._children, node.vjp(_sum_of(received[node])), strict=True):
                    if not wanted.isdisjoint(argument._letters):
                        received.setdefault(argument, []).append(self._over_heads(node, argument, part))

    def _save(self, node: Primitive, step: Step) -> None:
        """Names for the parts that the gradient of an operation is written with, unless a step has them already."""
        for name, part in node.saved():
            finer = part.stages() if self.in_stages and isinstance(part, Primitive) else None
            if part in self.named:
                continue
            if finer is not None and isinstance(known := readable(finer.whole, self.named), Letter):
                self.named[part] = known
                continue
            letter = self.namer.part(name, step.letter, part)
            self.parts.append(Part(letter, part, None))
            self.named[part] = letter

    def _over_heads(self, node: Primitive, argument: Node, part: Node) -> Node:
        """What every head contributes to something that all of them share is added up."""
        inside = self.heads & (node._symbols | part._symbols)
        heads = inside.union(node.args[k] for k in node.bound) if node.bound else inside
        return self._added_over(heads - argument._symbols, part) if heads else part

    def _added_over(self, heads: frozenset[Any], part: Node) -> Node:
        for head in sorted(heads & self.heads, key=attrgetter("name")):
            part = HeadSum(part, head, self.counts[head])
        return part


def _own_heads(letter: Letter) -> set[Any]:
    return set() if letter.head is None else letter.head.free_symbols


def _sum_of(contributions: list[Node]) -> Any:
    return contributions[0] if len(contributions) == 1 else Addition(*contributions)
