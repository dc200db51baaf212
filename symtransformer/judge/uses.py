"""What a step that claims to be a gradient must equal: its uses, as the derivation has them, and what stands behind.

The uses are read off the derivation itself: every step that the letter goes into and that leads on to
an output, with the gradient by that step as its cotangent. So a use that was left out is missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
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


class Setting:
    """The steps of a derivation, as those that a gradient goes through and those that are gradients."""

    def __init__(self, steps: Iterable[Step] = ()) -> None:
        self.steps = tuple(steps)
        self.names = {_family(step.letter) for step in self.steps}
        self.records = [step.derivative for step in self.steps if step.derivative is not None]
        used = {_family(use[0]) for record in self.records for use in record.uses}
        self.forward = {_family(s.letter): s for s in self.steps if s.derivative is None or _family(s.letter) in used}
        self.within = {family: _families(step.definition) for family, step in self.forward.items()}
        self.gradients: dict[Letter, list[Letter]] = {}  # by each letter
        for step in self.steps:
            if step.derivative is not None:
                self.gradients.setdefault(_family(step.derivative.letter), []).append(step.letter)

    def gradient_by(self, letter: Letter) -> Letter | None:
        found = self.gradients.get(_family(letter), [])
        if len(found) > 1:
            raise NotSupported(f"two steps say that they are the gradient by {letter}")
        return found[0] if found else None

    def leading_to(self, outputs: Iterable[Letter]) -> list[Step]:
        """The forward steps from which an output is reached, or another that has a gradient, the last one first."""
        wanted = {*outputs, *self.gradients}
        found = []
        for family, step in reversed(self.forward.items()):
            if family in wanted:
                found.append(step)
                wanted |= self.within[family]
        return found

    @cached_property
    def counts(self) -> dict[Letter, set[Any]]:
        return _counts([(step.letter, step.definition) for step in self.forward.values()])


def _counts(equations: list[tuple[Letter, Node]]) -> dict[Letter, set[Any]]:
    """How many heads each family has: what the steps that it goes into count."""
    counts: dict[Letter, set[Any]] = {}
    for t, definition in reversed(equations):
        own = counts.get(_family(t), set()) if t.head is not None else set()
        for node in postorder(unfolded(definition)):
            for position in node.bound:
                head, count = node.args[position : position + 2]
                for member in _letters(node._children[0]):
                    if member.head is not None and member.head.has(head):
                        counts.setdefault(_family(member), set()).add(count)
        for member in _letters(definition):
            if member.head is not None and member.head == t.head:
                counts.setdefault(_family(member), set()).update(own)
    return counts


class Chain:
    """A gradient by a letter in its derivation; `of_letters` and `written_out` say what it must equal."""

    def __init__(self, expression: Node, derivative: Derivative, setting: Setting) -> None:
        self.expression, self.derivative, self.setting = expression, derivative, setting
        self.letter, self.steps = derivative.letter, setting.steps
        self.uses = self._uses()

    def _uses(self) -> list[tuple[Letter, Node, Node]]:
        """(t, its definition, its cotangent) for every t that the letter goes into."""
        setting, given = self.setting, dict[Letter, tuple[Letter, Node, Node]]()
        for use in (use for record in (*setting.records, self.derivative) for use in record.uses):
            if given.setdefault(_family(use[0]), use)[2] is not use[2] and _family(use[0]) not in setting.gradients:
                raise NotSupported(f"two cotangents are given for {use[0]}")
        found = [use for use in self.derivative.uses if _family(use[0]) not in setting.forward]
        for step in setting.leading_to(t for t in given if t not in setting.gradients):
            family, t = _family(step.letter), step.letter
            if _family(self.letter) not in setting.within[family]:
                continue
            gradient = setting.gradient_by(t)
            if gradient is not None:
                found.append((t, step.definition, gradient if t.head is None else gradient.of_head(t.head)))
            elif family in given:
                found.append((t, step.definition, given[family][2]))
            else:
                raise NotSupported(f"{self.letter} goes into {t}, but no step is the gradient by that")
        return found

    def count_of(self, letter: Letter) -> Expr | None:
        """How many heads a family has; None for a single matrix."""
        if letter.head is None or not letter.head.is_Symbol:
            return None
        given = [(t, definition) for t, definition, _ in self.uses if _family(t) not in self.setting.forward]
        known = self.setting.counts.get(_family(letter), set()) | _counts(given).get(_family(letter), set())
        if len(known) != 1:
            raise NotSupported(f"how many heads {letter} has is not said")
        return known.pop()  # type: ignore[no-any-return]

    # -- claims ---------------------------------------------------------------------------------------
    def of_letters(self) -> Iterator[Claim]:
        """The claim with letters for what it is made from; then with cotangents put in, or what depends on the letter."""
        cotangents = _families(*(dt for _, _, dt in self.uses))
        met = {_family(self.letter), *cotangents, *_families(*(definition for _, definition, _ in self.uses))}
        yield self._claim(met)
        yield self._claim(met - (cotangents - _families(self.expression)))  # the expression has what they are
        yield self._claim(met - (self._dependent() - cotangents))

    def written_out(self) -> Claim:
        """The claim with everything that the derivation defines put in."""
        return self._claim(set())

    def _dependent(self) -> set[Letter]:
        """The forward letters that depend on the letter."""
        found = {_family(self.letter)}
        for family, within in self.setting.within.items():
            if within & found:
                found.add(family)
        return found - {_family(self.letter)}

    def _claim(self, stop: set[Letter]) -> Claim:
        letter = self.letter
        apart = any(self._defined(definition, stop) - {_family(letter)} for _, definition, _ in self.uses)
        behind_letter = self._put_in(letter, stop)
        marked = letter if behind_letter is letter and not apart else _Variable(*letter.args)
        made = []
        for t, definition, cotangent in self.uses:
            varied = definition if marked is letter else _marked(definition, letter)
            head = t.head if isinstance(t.head, Symbol) else None
            left, right = (unfolded(self._put_in(side, stop)) for side in (varied, cotangent))
            made.append(Use(left, right, head, self.count_of(t)))
        value = marked if marked is letter else unfolded(behind_letter)
        return Claim(unfolded(self._put_in(self.expression, stop)), marked, value, tuple(made), self.count_of(letter))

    def _defined(self, root: Node, stop: set[Letter]) -> set[Letter]:
        return (_families(root) - stop) & self.setting.names

    def _put_in(self, root: Node, stop: set[Letter]) -> Any:
        """The definitions of the steps in place of their letters, but for those at which to stop."""
        wanted = self._defined(root, stop)
        if not wanted:
            return root
        if not stop:
            return written_out(root, {s.letter: s.stands_for for s in self.steps})
        chosen = []
        for step in reversed(self.steps):
            if _family(step.letter) in wanted:
                chosen.append(step)
                wanted |= _families(step.definition) - stop
        behind: dict[Any, Node] = {}
        for step in reversed(chosen):
            behind[step.letter] = written_out(step.definition, behind)
        return written_out(root, behind)


def _family(letter: Letter) -> Letter:
    return letter if letter.head is None else letter.family


def _letters(*roots: Node) -> set[Letter]:
    return {x for root in roots for x in root._free if isinstance(x, Letter)}


def _families(*roots: Node) -> set[Letter]:
    return {_family(x) for x in _letters(*roots)}


def _marked(root: Node, letter: Letter) -> Any:
    """The expression with the letter, of whatever head, as the one that is varied."""

    def visit(node: Node, args: list[Any]) -> Any:
        if isinstance(node, Letter) and _family(node) == _family(letter):
            return _Variable(*node.args)
        return node if all(a is b for a, b in zip(args, node.args, strict=True)) else node.func(*args)

    return rebuild(root, visit, lambda scalar: scalar)
