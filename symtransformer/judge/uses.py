"""What a step that claims to be a gradient must equal: its uses, as the derivation has them, and what stands behind.

The uses are read off the derivation itself: every step that the letter goes into and that leads on to
an output, with the gradient by that step as its cotangent. So a use that was left out is missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sympy import Expr, Symbol

from symtransformer.derivation import Derivative, Step, written_out
from symtransformer.errors import NotSupported
from symtransformer.formulas.same_derivative import Claim, Use
from symtransformer.node import Node, postorder, rebuild
from symtransformer.operation import unfolded
from symtransformer.symbols import Letter


class _Variable(Letter):
    """The letter where it is varied; where it is not, it stands as it is."""

    __slots__ = ()


@dataclass(frozen=True)
class Chain:
    """A gradient by a letter in its derivation; `claims` says what it must equal."""

    expression: Node
    derivative: Derivative
    steps: tuple[Step, ...]

    @property
    def letter(self) -> Letter:
        return self.derivative.letter

    @property
    def forward(self) -> dict[Letter, Step]:
        """The steps that are no gradients, by the family of their letter."""
        return {step.letter.family: step for step in self.steps if step.derivative is None}

    def uses(self) -> list[tuple[Letter, Node, Node]]:
        """(t, its definition, its cotangent) for every t that the letter goes into."""
        records = [s.derivative for s in self.steps if s.derivative is not None]
        gradients = {s.derivative.letter.family: s.letter for s in self.steps if s.derivative is not None}
        given = {use[0].family: use for record in (*records, self.derivative) for use in record.uses}
        outputs = [t for t in given if t not in gradients]
        forward = self.forward
        found = [use for use in self.derivative.uses if use[0].family not in forward]
        for family in reversed(self._leading_to(outputs)):
            step = forward[family]
            if not _has(step.definition, self.letter.family):
                continue
            if family in gradients:
                of_head = step.letter.head
                cotangent: Node = gradients[family] if of_head is None else gradients[family].of_head(of_head)
            elif family in given:
                cotangent = given[family][2]
            else:
                raise NotSupported(f"{self.letter} goes into {step.letter}, but no step is the gradient by that")
            found.append((step.letter, step.definition, cotangent))
        return found

    def _leading_to(self, outputs: Iterable[Letter]) -> list[Letter]:
        """The forward steps from which an output is reached, or another that has a gradient, in order."""
        forward = self.forward
        wanted = {*outputs, *(s.derivative.letter.family for s in self.steps if s.derivative is not None)}
        found = []
        for family, step in reversed(forward.items()):
            if family in wanted:
                found.append(family)
                wanted |= _families(step.definition)
        return found[::-1]

    # -- heads ----------------------------------------------------------------------------------------
    def count_of(self, letter: Letter) -> Expr | None:
        """How many heads a family has: what the steps that it goes into count; None for a single matrix."""
        if letter.head is None or not letter.head.is_Symbol:
            return None
        counts: dict[Letter, set[Any]] = {}
        forward = self.forward
        given = [(t, definition) for t, definition, _ in self.derivative.uses if t.family not in forward]
        for t, definition in (*reversed([(s.letter, s.definition) for s in forward.values()]), *given):
            own = counts.get(t.family, set()) if t.head is not None else set()
            for node in postorder(unfolded(definition)):
                for position in node.bound:
                    head, count = node.args[position : position + 2]
                    for member in _letters(node._children[0]):
                        if member.head is not None and member.head.has(head):
                            counts.setdefault(member.family, set()).add(count)
            for member in _letters(definition):
                if member.head is not None and member.head == t.head:
                    counts.setdefault(member.family, set()).update(own)
        known = counts.get(letter.family, set())
        if len(known) != 1:
            raise NotSupported(f"how many heads {letter} has is not said")
        return known.pop()  # type: ignore[no-any-return]

    # -- claims ---------------------------------------------------------------------------------------
    def claims(self) -> Iterator[Claim]:
        """The same claim, first with letters for what it is made from, then with more and more written out."""
        uses = self.uses()
        met = {self.letter.family, *_families(*(side for _, definition, dt in uses for side in (definition, dt)))}
        dependent = self._dependent()
        cotangents = _families(*(dt for _, _, dt in uses))
        given: list[Claim] = []
        for stop in (met, met - (dependent - cotangents), set[Letter]()):
            claim = self._claim(uses, stop)
            if claim not in given:
                given.append(claim)
                yield claim

    def _dependent(self) -> set[Letter]:
        """The forward letters that depend on the letter."""
        found = {self.letter.family}
        for family, step in self.forward.items():
            if _families(step.definition) & found:
                found.add(family)
        return found - {self.letter.family}

    def _claim(self, uses: list[tuple[Letter, Node, Node]], stop: set[Letter]) -> Claim:
        letter = self.letter
        apart = any(self._defined(definition, stop) - {letter.family} for _, definition, _ in uses)
        behind_letter = self._put_in(letter, stop)
        marked = letter if behind_letter is letter and not apart else _Variable(*letter.args)
        made = []
        for t, definition, cotangent in uses:
            varied = definition if marked is letter else _marked(definition, letter)
            head = t.head if isinstance(t.head, Symbol) else None
            left, right = (unfolded(self._put_in(side, stop)) for side in (varied, cotangent))
            made.append(Use(left, right, head, self.count_of(t)))
        value = marked if marked is letter else unfolded(behind_letter)
        return Claim(unfolded(self._put_in(self.expression, stop)), marked, value, tuple(made), self.count_of(letter))

    def _defined(self, root: Node, stop: set[Letter]) -> set[Letter]:
        return {x for x in _families(root) if x not in stop and any(s.letter.family == x for s in self.steps)}

    def _put_in(self, root: Node, stop: set[Letter]) -> Any:
        """The definitions of the steps in place of their letters, but for those at which to stop."""
        wanted = self._defined(root, stop)
        if not wanted:
            return root
        if not stop:
            return written_out(root, {s.letter: s.stands_for for s in self.steps})
        chosen = []
        for step in reversed(self.steps):
            if step.letter.family in wanted:
                chosen.append(step)
                wanted |= _families(step.definition) - stop
        behind: dict[Any, Node] = {}
        for step in reversed(chosen):
            behind[step.letter] = written_out(step.definition, behind)
        return written_out(root, behind)


def _letters(*roots: Node) -> set[Letter]:
    return {x for root in roots for x in root._free if isinstance(x, Letter)}


def _families(*roots: Node) -> set[Letter]:
    return {x.family for x in _letters(*roots)}


def _has(root: Node, family: Letter) -> bool:
    return family in _families(root)


def _marked(root: Node, letter: Letter) -> Any:
    """The expression with the letter, of whatever head, as the one that is varied."""

    def visit(node: Node, args: list[Any]) -> Any:
        if isinstance(node, Letter) and node.family == letter.family:
            return _Variable(*node.args)
        return node if all(a is b for a, b in zip(args, node.args, strict=True)) else node.func(*args)

    return rebuild(root, visit, lambda scalar: scalar)
