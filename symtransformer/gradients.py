"""Gradients: a reverse sweep over the named steps of a derivation.

The sweep adds up over every use of a step, and names no operation: each gives its own product of a
cotangent with its Jacobian (`vjp`). What comes out is brought into the form that a person writes by
the rules of `rules`, each of which is an identity.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from sympy import Basic, S

from symtransformer.derivation import Derivation, Derivative, Step, written_out
from symtransformer.errors import NotSupported, ShapeError, UnreadableInput
from symtransformer.node import Node, as_node, postorder, substitute
from symtransformer.notation import Words
from symtransformer.operation import Primitive, unfolded
from symtransformer.operations.addition import Addition
from symtransformer.operations.heads import HeadSum
from symtransformer.operations.ones import Ones
from symtransformer.rules import readable
from symtransformer.scalars import without_namespace
from symtransformer.symbols import Letter
from symtransformer.unfolding import derive


@dataclass(frozen=True)
class Gradient:
    """The derivation of a gradient: the steps forward, the cotangents backward, and what was asked for last."""

    derivation: Derivation
    output: Letter  # the last step forward
    cotangent: Node  # of the output: a letter, or the number 1 of a loss
    wrt: tuple[Letter, ...]

    def __getitem__(self, which: str | Letter) -> Step:
        """The step that gives the gradient by this letter, or by the one of this name; of head 2: `"W_Q^(2)"`."""
        found = [letter for letter in self.wrt if which in (letter, letter.name, str(letter))]
        if len(found) > 1:
            names = ", ".join(map(str, found))
            raise UnreadableInput(f"the gradient by {which}: there is one for each head; name one of {names}")
        return self.derivation[cotangent_letter(found[0]).name if found else cotangent_name(str(which))]

    @property
    def formulas(self) -> dict[str, Node]:
        """Each gradient in terms of the named steps, by the name of the letter; of one head with its number."""
        return {str(x) if _is_member(x) else x.name: self[x].expression for x in self.wrt}


def cotangent_name(name: str) -> str:
    """dQ for Q, enc1.dQ for enc1.Q."""
    place, bare = without_namespace(name)
    return f"{place}.d{bare}" if place else f"d{bare}"


def cotangent_letter(letter: Letter) -> Letter:
    """The letter of the gradient by a letter; where it belongs to head 2, dW_Q2 or dA_2, since each head has its own."""
    name = cotangent_name(letter.name)
    if not _is_member(letter):
        return Letter(name, *letter.args[1:])
    return Letter(f"{name}{'' if '_' in name else '_'}{int(letter.head) + 1}", *letter.args[1:3])  # type: ignore[arg-type]


def _is_member(letter: Letter) -> bool:
    return letter.head is not None and letter.head.is_Integer


def differentiate(subject: Any, wrt: Any = None, *, cotangent: Any = None) -> Gradient:
    """dX = Σ_ij G_ij ∂Y_ij/∂X, for each letter X of `wrt` (all of them, if none is named), with G the cotangent.

    `subject` is an expression Y or a derivation whose last step is Y. The cotangent is a letter of the
    size of Y unless it is given; for a loss, a Y of size 1 x 1, it is 1. A gradient has the shape of its letter.

    >>> from symtransformer import dimension, matrix
    >>> from symtransformer.operations import ScaledDotProductAttention
    >>> n, m, d_k, d_v = map(dimension, ("n", "m", "d_k", "d_v"))
    >>> Q, K, V = matrix("Q", n, d_k), matrix("K", m, d_k), matrix("V", m, d_v)
    >>> for name, formula in differentiate(ScaledDotProductAttention(Q, K, V), "Q,K,V").formulas.items():
    ...     print(f"d{name} =", formula)
    dQ = dS K / sqrt(d_k)
    dK = dS^T Q / sqrt(d_k)
    dV = A^T dZ
    """
    forward = subject if isinstance(subject, Derivation) else derive(as_node(subject))
    output = forward.steps[-1].letter
    chosen = _letters(forward, wrt)
    given = _cotangent(output, cotangent)
    if forward is not subject:
        _require_other_names(forward, given)
    sweep = _Sweep(forward, given)
    sweep.run(chosen)
    derivation = replace(forward, steps=(*forward.steps, *sweep.steps), sections=(), follow=None)
    return Gradient(derivation, output, given, chosen)


def _letters(forward: Derivation, wrt: Any) -> tuple[Letter, ...]:
    inputs = forward.inputs
    if wrt is None:
        return inputs
    names = (
        [w.strip() for w in wrt.split(",")]
        if isinstance(wrt, str)
        else list(wrt)
        if isinstance(wrt, Iterable)
        else [wrt]
    )
    chosen = []
    for name in names:
        text = name.name if isinstance(name, Letter) and not _is_member(name) else str(name)
        found = [letter for letter in inputs if text in (letter.name, str(letter))]
        if not found:
            known = ", ".join(dict.fromkeys(letter.name for letter in inputs))
            raise UnreadableInput(f"differentiating: {text[:40]} is not an input; the inputs are {known}")
        chosen += found
    return tuple(dict.fromkeys(chosen))


def _cotangent(output: Letter, given: Any) -> Node:
    if given is None:
        return Ones(S.One, S.One) if output.shape == (1, 1) else cotangent_letter(output)
    node = as_node(given)
    if node.shape != output.shape:
        raise ShapeError(
            f"differentiating: the cotangent must have the size {output.shape} of {output}, got {node.shape}"
        )
    return node


def _require_other_names(forward: Derivation, cotangent: Node) -> None:
    """The names of steps were found here, so that a letter of the cotangent cannot mean one of them."""
    steps = {step.name for step in forward.steps}
    if both := sorted(x.name for x in cotangent._free if isinstance(x, Letter) and x.name in steps):
        raise UnreadableInput(f"differentiating: {both[0]} of the cotangent also names a step; rename it")


class _Sweep:
    """Contributions to the gradient of each letter, from the last step to the first."""

    def __init__(self, forward: Derivation, cotangent: Node) -> None:
        self.forward, self.cotangent = forward, cotangent
        self.parts: dict[Letter, list[Node]] = {}
        self.uses: dict[Letter, list[tuple[Letter, Node, Node]]] = {}
        self.steps: list[Step] = []
        self.behind: dict[Basic, Node] = {step.letter: step.stands_for for step in forward.steps}
        bound = [node for step in forward.steps for node in postorder(unfolded(step.definition)) if node.bound]
        self.counts = {node.args[node.bound[0]]: node.args[-1] for node in bound}

    def run(self, wrt: Iterable[Letter]) -> None:
        output = self.forward.steps[-1].letter
        wanted = self._on_the_way(set(wrt))
        for step in reversed(self.forward.steps):
            if step.letter not in wanted:
                continue
            if step.letter is output:
                cotangent = self.cotangent
            elif step.letter in self.parts:
                cotangent = self._step(step.letter, step.title)
            else:
                continue
            for letter, parts in self._local(step, cotangent).items():
                self.parts.setdefault(letter, []).extend(parts)
                self.uses.setdefault(letter, []).append((step.letter, step.definition, cotangent))
        for letter in wrt:
            if letter not in self.parts:
                raise NotSupported(f"differentiating: {self.forward.steps[-1].letter} does not depend on {letter}")
            self._step(letter, Words(f"{{{letter.name}}}", f"{{{letter.name}}}"))

    def _on_the_way(self, wrt: set[Letter]) -> set[Letter]:
        """The steps that lead to what is asked for."""
        families = {letter.family for letter in wrt}
        found: set[Letter] = set()
        for step in self.forward.steps:
            if any(isinstance(x, Letter) and x.family in families for x in step.definition._free):
                families.add(step.letter.family)
                found.add(step.letter)
        return found

    def _step(self, letter: Letter, what: Words) -> Letter:
        """The named sum of all contributions."""
        parts = self.parts[letter]
        total = readable(parts[0] if len(parts) == 1 else Addition(*parts))
        name = cotangent_letter(letter)
        title = Words(f"Gradient by {{{letter.name}}}", f"{{{letter.name}}} による勾配")
        claim = Derivative(letter, tuple(self.uses[letter]))
        self.behind[name] = whole = written_out(total, self.behind)
        self.steps.append(Step(name, total, whole, title, _explained(letter, len(parts)), derivative=claim))
        return name

    def _local(self, step: Step, cotangent: Node) -> dict[Letter, list[Node]]:
        """The contributions of one step, written with the letter of the step where its result is meant."""
        root = unfolded(step.definition)
        received: dict[Node, list[Node]] = {root: [cotangent]}
        found: dict[Letter, list[Node]] = {}
        for node in reversed(list(postorder(root))):
            if node not in received:
                continue
            total = received[node][0] if len(received[node]) == 1 else Addition(*received[node])
            if isinstance(node, Letter):
                found.setdefault(node, []).append(substitute(total, {root: step.letter}))
            elif isinstance(node, Primitive):
                for argument, part in zip(node._children, node.vjp(total), strict=True):
                    received.setdefault(argument, []).append(self._over_heads(node, argument, part))
        return found

    def _over_heads(self, node: Primitive, argument: Node, part: Node) -> Node:
        """What every head contributes to something that all of them share is added up."""
        mentioned = [head for head in self.counts if head in node._mentions] + [node.args[k] for k in node.bound]
        for head in dict.fromkeys(mentioned):
            if head not in argument._mentions:
                part = HeadSum(part, head, self.counts[head])
        return part


def _explained(letter: Letter, uses: int) -> Words:
    if uses == 1:
        return Words(f"The gradient has the shape of {{{letter.name}}}.", f"勾配の形は {{{letter.name}}} と同じです。")
    return Words(
        f"{{{letter.name}}} is used {uses} times, and what comes from each use is added up.",
        f"{{{letter.name}}} は {uses} 回使われているので、それぞれから来る勾配を足します。",
    )
