"""What a step that claims to be a gradient must equal: its uses, as the derivation has them, and what stands behind.

The uses are read off the derivation itself: every step that the letter goes into and that leads on to
the output, with the gradient of the same output by that step as its cotangent. A step that is a gradient
depends on letters like any other. So a use that was left out is missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sympy import Expr, Symbol

from symtransformer.derivation import Derivative, Step, written_out
from symtransformer.errors import NotSupported
from symtransformer.formulas import have_same_formula
from symtransformer.formulas.same_derivative import Claim
from symtransformer.formulas.same_derivative import Use as PlacedUse
from symtransformer.gradients import cotangent_name
from symtransformer.judge.trials import Equation, at_points
from symtransformer.judge.verdicts import REFUTED, Verdict
from symtransformer.node import Node, postorder, rebuild
from symtransformer.operation import unfolded
from symtransformer.symbols import Letter

Use = tuple[Letter, Node, Node]
Reason = tuple[str, str]


class _Variable(Letter):
    """The letter where it is varied; where it is not, it stands as it is."""

    __slots__ = ()


class Setting:
    """The steps of a derivation: what each is made from, which of them are gradients, and what is known of those."""

    def __init__(self, steps: Iterable[Step] = (), verdicts: Mapping[Letter, Verdict] | None = None) -> None:
        self.steps = tuple(steps)
        self.verdicts = verdicts  # of the steps judged so far; None where gradients are taken as they are given
        self.named = {_family(step.letter): step for step in self.steps}
        flat: dict[Node, Node] = {}
        self.inside = {family: _letters(unfolded(s.definition, flat)) for family, s in self.named.items()}
        self.within = {family: {_family(x) for x in letters} for family, letters in self.inside.items()}
        self.counts: dict[Letter, dict[Letter, set[Any]]] = {}
        self.gradients: dict[Any, list[Letter]] = {}  # by each letter, of each output with its cotangent
        for step in self.steps:
            if (claim := step.derivative) is not None:
                self.gradients.setdefault((claim.letter, claim.output, claim.cotangent), []).append(step.letter)

    def gradient_by(self, letter: Letter, claim: Derivative) -> Letter:
        """The step that is the gradient of the same output by another letter."""
        found = self.gradients.get((letter, claim.output, claim.cotangent), [])
        if not found:
            raise NotSupported(f"{claim.letter} goes into {letter}, but no step is the gradient by that")
        if len(found) > 1:
            raise NotSupported(f"two steps say that they are the gradient by {letter}")
        return found[0]

    def written_like(self, step: Step) -> str | None:
        """The name of another letter whose gradient the step seems to be: a dX that is not the gradient by X."""
        own = None if step.derivative is None else step.derivative.letter.name
        names = {x.name for letters in self.inside.values() for x in letters} - {own}
        return next((name for name in sorted(names) if cotangent_name(name) == step.name), None)

    def leading_to(self, letters: Iterable[Letter]) -> list[Step]:
        """The steps that these letters are made from, those that define them included; the last one first."""
        wanted, found = set(letters), []
        for family, step in reversed(self.named.items()):
            if family in wanted:
                found.append(step)
                wanted |= self.within[family]
        return found

    def counts_on_the_way_to(self, output: Letter) -> dict[Letter, set[Any]]:
        if output not in self.counts:
            steps = reversed(self.leading_to([_family(output)]))
            self.counts[output] = _counts([(step.letter, step.definition) for step in steps])
        return self.counts[output]


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
        self.uses = self._uses() if self.steps else list(derivative.uses)

    def _uses(self) -> list[Use]:
        """(t, its definition, the gradient by t) for every step t that the letter goes into and that leads to the output."""
        claim, found = self.derivative, list[Use]()
        output, cotangent = self._output()
        for step in self.setting.leading_to([_family(output)]):
            t = step.letter
            if any(_may_be(self.letter, x) for x in self.setting.inside[_family(t)]):
                found.append((t, step.definition, cotangent if t is output else self.setting.gradient_by(t, claim)))
        return found

    def _output(self) -> tuple[Letter, Node]:
        """The result of which it is the gradient, and the cotangent of that: given, and not itself a gradient."""
        output, cotangent, named = self.derivative.output, self.derivative.cotangent, self.setting.named
        if output is None or cotangent is None:
            raise NotSupported("it does not say of which result it is the gradient, or with which cotangent")
        if _family(output) not in named or named[_family(output)].letter is not output:
            raise NotSupported(f"{output}, of which it says to be the gradient, is no step of the derivation")
        if output.shape != cotangent.shape or _family(self.letter) == _family(output):
            raise NotSupported(f"the cotangent of {output} does not fit")
        behind = self.setting.leading_to(_families(cotangent))
        if gradients := [step.letter for step in behind if step.derivative is not None]:
            raise NotSupported(f"the cotangent of {output} is made from {gradients[0]}, which is itself a gradient")
        for x in _letters(cotangent):
            of = [step.letter for step in self.steps if cotangent_name(step.name) == x.name]
            if of and (cotangent is not x or of[0] is not output):
                raise NotSupported(
                    f"{x}, written as the gradient by {of[0]}, stands in the given cotangent of {output}"
                )
        return output, cotangent

    @property
    def relies_on(self) -> list[Letter]:
        """The gradients by other letters that it is put together from."""
        return [dt for t, _, dt in self.uses if isinstance(dt, Letter) and t is not self.derivative.output]

    def contradiction(self) -> Reason | None:
        """Where the uses that the claim names are not those of the derivation, in both languages."""
        if not self.steps:
            return None
        known, told = {use[0]: use for use in self.uses}, {use[0]: use for use in self.derivative.uses}
        if strangers := [t for t in told if _family(t) not in self.setting.named]:
            raise NotSupported(f"{strangers[0]} is no step of the derivation")
        for t in known:
            if t not in told:
                en = f"{self.letter} goes into {t} as well, which is left out"
                return en, f"{self.letter} は {t} の計算にも使われているが、それが抜けている"
        for t, definition, cotangent in self.derivative.uses:
            if t not in known:
                by, of = self.letter, self.derivative.output
                return f"{by} does not go into {t} on the way to {of}", f"{by} は {t} を通って {of} には伝わらない"
            step = self.setting.named[_family(t)]
            if definition is not step.definition and self._apart(definition, step.definition):
                return f"{t} is not what is named as its definition", f"{t} の定義が、ステップの定義と異なる"
            if cotangent is not known[t][2] and self._apart(cotangent, known[t][2]):
                return f"{cotangent} is not the gradient by {t}", f"{cotangent} は {t} に関する勾配ではない"
        return None

    def _apart(self, told: Node, known: Node) -> bool:
        """Whether two expressions differ; refused where they are not known to be equal either."""
        sides = [unfolded(self._put_in(side, set())) for side in (told, known)]
        if sides[0] is sides[1] or have_same_formula(*sides):
            return False
        if sides[0].shape == sides[1].shape and at_points(Equation(*sides)).kind != REFUTED:
            raise NotSupported(f"whether {str(told)[:40]} is {str(known)[:40]} is not decided")
        return True

    def count_of(self, letter: Letter) -> Expr | None:
        """How many heads a family has; None for a single matrix."""
        if letter.head is None or not letter.head.is_Symbol:
            return None
        if self.steps and self.derivative.output is not None:
            counts = self.setting.counts_on_the_way_to(self.derivative.output)
        else:
            counts = _counts([(t, definition) for t, definition, _ in self.uses])
        known = counts.get(_family(letter), set()).copy()
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
        """The letters that depend on the letter."""
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
            made.append(PlacedUse(left, right, head, self.count_of(t)))
        value = marked if marked is letter else unfolded(behind_letter)
        return Claim(unfolded(self._put_in(self.expression, stop)), marked, value, tuple(made), self.count_of(letter))

    def _defined(self, root: Node, stop: set[Letter]) -> set[Letter]:
        return (_families(root) - stop) & self.setting.named.keys()

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


def _may_be(letter: Letter, other: Letter) -> bool:
    """Whether they are the same, or members of one family that no numbers tell apart."""
    if letter.head is None or other.head is None or not (letter.head.is_Integer and other.head.is_Integer):
        return _family(letter) == _family(other)
    return letter == other


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
