"""What a claim is about: the steps of an expression forward and backward, and every name that may be used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from sympy import Basic, S, Symbol

from symtransformer.claims.heads import members_of
from symtransformer.derivation import Derivation, Step, written_out
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.gradients import Gradient, cotangent_name, differentiate
from symtransformer.gradients.words import assumption
from symtransformer.node import CONVERTERS, Node, as_node
from symtransformer.notation import Words
from symtransformer.reading import Reading, read_expression
from symtransformer.symbols import DistributionLetter, Letter
from symtransformer.usual_names import derive_named


@dataclass(frozen=True)
class Subject:
    """The forward derivation, its gradient, and what each name stands for."""

    forward: Derivation
    gradient: Gradient | None
    why_no_gradient: str
    usual: frozenset[str]  # names of steps that nobody chose, and that a claim may take for something else
    source: Any = None
    distributions: tuple[str, ...] = ()  # letters whose rows are assumed to add up to 1
    inferred: tuple[Letter, ...] = ()  # letters with one row or column that nobody gave
    steps: dict[str, Step] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)
    numbers: dict[str, Symbol] = field(default_factory=dict)
    behind: dict[Basic, Node] = field(default_factory=dict)
    members: dict[tuple[str, str], str] = field(default_factory=dict)  # of families, by head
    heads: dict[Symbol, Any] = field(default_factory=dict)  # how many each letter counts
    gradients: dict[str, str] = field(default_factory=dict)  # what the gradient by each letter is called
    without: dict[str, str] = field(default_factory=dict)  # names that the other gradients would have, and why none is

    @property
    def notes(self) -> tuple[Words, ...]:
        """What was assumed and inferred."""
        assumed = (assumption(x) for x in self.forward.inputs if isinstance(x, DistributionLetter))
        found = ", ".join(f"{x.name}: {x.shape[0]} x {x.shape[1]}" for x in self.inferred)
        sizes = Words(f"inferred sizes: {found}", f"推定した大きさ：{found}")
        given = {letter.name for letter in self.forward.inputs}
        other = [
            Words(
                f"{cotangent_name(x)} is the input of that name; the gradient with respect to {x} is called {made}",
                f"{cotangent_name(x)} はその名前の入力です。{x} に関する勾配は {made} と呼びます。",
            )
            for x, made in self.gradients.items()
            if cotangent_name(x) in given and made not in self.without
        ]
        return (*(Words(w.plain("en"), w.plain("ja")) for w in assumed), *([sizes] if found else []), *other)

    def __post_init__(self) -> None:
        """The letters by name, and what they stand for in terms of the inputs."""
        every = self.forward.steps if self.gradient is None else self.gradient.derivation.steps
        for letter in self.forward.inputs:
            self.nodes.setdefault(letter.name, letter)
        for step in every:
            self.steps[step.name], self.nodes[step.name] = step, step.letter
            self.behind[step.letter] = step.stands_for
        self._name_gradients()
        self.members.update(members_of(self.forward.inputs, every, self.nodes))
        sides = [side for step in every for side in (step.letter, step.expression, step.stands_for)]
        for side in sides:
            self.heads.update(side._families)
        letters = {s for side in sides for s in side._mentions if isinstance(s, Symbol)}
        for symbol in sorted(letters, key=str):
            if symbol.is_integer and symbol.is_positive is not True:
                continue  # it counts heads
            self.numbers.setdefault(symbol.name, symbol)

    def _name_gradients(self) -> None:
        """Each gradient under the name that it has; dX is not that by X where an input is called dX."""
        if self.gradient is not None:
            output, coming_in = self.forward.steps[-1].name, self.gradient.cotangent
            named = coming_in.name if isinstance(coming_in, Letter) else self._unlike_known(output)
            self.gradients.setdefault(output, named)  # this is asked again where a field is replaced
            self.nodes[self.gradients[output]] = coming_in
            for step in self.gradient.derivation.steps:
                if step.derivative is not None and not step.derivative.letter.of_one_head:
                    self.gradients.setdefault(step.derivative.letter.name, step.name)
        for letter in (*self.forward.inputs, *(step.letter for step in self.forward.steps)):
            if letter.name not in self.gradients and not letter.of_one_head:
                name = self.gradients[letter.name] = self._unlike_known(letter.name)
                self.without[name] = self._why_none(letter)

    def _unlike_known(self, name: str) -> str:
        plain = cotangent_name(name)
        return next(x for k in count(1) if (x := f"{plain}{'' if k == 1 else k}") not in self.nodes)

    def _why_none(self, letter: Letter) -> str:
        if self.gradient is None:
            return f"there is no gradient of this expression: {self.why_no_gradient}"
        if isinstance(letter, DistributionLetter) or letter.name in self.distributions:
            return f"there is no gradient with respect to {letter}: rows of {letter} are assumed to add up to 1, so its entries are not free"  # fmt: skip
        output = self.forward.steps[-1].letter
        return f"there is no gradient with respect to {letter}, as {output} is not made from {letter}, or nothing that is free goes into {letter}"  # fmt: skip

    @property
    def no_loss(self) -> set[str]:
        """Names that are not read as the loss, as the L in ∂L/∂Q; a step that nobody named takes none."""
        last = self.forward.steps[-1]
        own = self.nodes.keys() - self.usual
        return {name for name in own if not (last.letter.shape == (1, 1) and name == last.name)}

    @property
    def cotangents(self) -> dict[Basic, Node]:
        """What the letters of the backward steps stand for, in terms of forward letters."""
        forward = {step.name for step in self.forward.steps}
        behind: dict[Basic, Node] = {}
        for name, step in self.steps.items():
            if name not in forward:
                behind[step.letter] = written_out(step.expression, behind)
        return behind


def subject_of(given: Any, more_names: Mapping[Node, str] | None = None, distributions: Any = ()) -> Subject:
    """The subject of an expression (text, LaTeX, several lines, an expression in Python) or of a derivation."""
    if isinstance(given, Subject):
        return subject_of(given.source, more_names, given.distributions)
    assumed = _names_in(distributions)
    if isinstance(given, Gradient):
        if assumed:
            raise UnreadableInput("verify: a gradient is given; name the distributions where it is derived")
        return Subject(_forward_part(given), given, "", frozenset(), given)
    if isinstance(given, Derivation):
        return _with_gradient(given, frozenset(), given, assumed)
    inferred: tuple[Letter, ...] = ()
    if isinstance(given, str):
        given = read_expression(given)
    if isinstance(given, Reading):
        inferred = tuple(x for name, x in given.letters.items() if name not in given.given and S.One in x.shape)
        named: dict[Node, str] = {}
        for name, node in given.lines:
            named.setdefault(node, name)
        targets = {name: node for node, name in named.items()}
    elif isinstance(given, Mapping):
        targets = {name: as_node(node) for name, node in given.items()}
    elif isinstance(given, Node) or any(isinstance(given, kind) for kind, _ in CONVERTERS):
        targets = {"": as_node(given)}
    else:
        raise UnreadableInput(f"verify: expected an expression or a derivation, got {type(given).__name__}")
    return replace(_derived(targets, dict(more_names or {}), given, assumed), inferred=inferred)


def _names_in(distributions: Any) -> tuple[str, ...]:
    """The names in "Y, T", or in a list of names or letters."""
    given = distributions.split(",") if isinstance(distributions, str) else distributions
    given = [given] if isinstance(given, Letter) else given
    return tuple(name for x in given if (name := (x.name if isinstance(x, Letter) else str(x)).strip()))


def _derived(targets: dict[str, Node], chosen: dict[Node, str], source: Any, assumed: tuple[str, ...] = ()) -> Subject:
    """The steps, with usual names for the parts that nobody named."""
    forward = derive_named(targets, names=chosen)
    own = set(targets) | set(chosen.values()) | {letter.name for letter in forward.inputs}
    return _with_gradient(forward, frozenset(s.name for s in forward.steps if s.name not in own), source, assumed)


def _with_gradient(forward: Derivation, usual: frozenset[str], source: Any, assumed: tuple[str, ...] = ()) -> Subject:
    if unknown := [name for name in assumed if name not in {x.name for x in forward.inputs}]:
        known = ", ".join(x.name for x in forward.inputs)
        raise UnreadableInput(f"distributions: {unknown[0][:40]!r} is no letter of the expression; those are {known}")
    used: set[str] = set()
    needed = {forward.steps[-1].name}
    for step in reversed(forward.steps):
        if step.name in needed:
            inner = {s.name for side in (step.expression, step.definition) for s in side._free if isinstance(s, Letter)}
            needed |= inner
            used |= inner
    free = [x for x in forward.inputs if not isinstance(x, DistributionLetter) and x.name not in assumed]
    wrt = [letter for letter in free if letter.name in used]
    try:
        gradient = differentiate(forward, wrt, distributions=[x for x in forward.inputs if x.name in assumed])
        return Subject(gradient.forward, gradient, "", usual, source, assumed)
    except (NotSupported, UnreadableInput) as error:
        return Subject(forward, None, str(error), usual, source)


def _forward_part(gradient: Gradient) -> Derivation:
    steps = gradient.derivation.steps
    end = next(k for k, step in enumerate(steps) if step.letter is gradient.output)
    return replace(gradient.derivation, steps=steps[: end + 1])
