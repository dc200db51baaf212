"""Gradients: a reverse sweep over the named steps of a derivation.

The sweep adds up over every use of a step, and names no operation: each gives its own product of a
cotangent with its Jacobian (`vjp`). What comes out is brought into the form that a person writes by
the rules of `rules`, each of which is an identity.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sympy import Expr, S, Symbol

from symtransformer.derivation import Derivation, Derivative, Step
from symtransformer.display import DrawnInNotebooks
from symtransformer.errors import NotSupported, ShapeError, UnreadableInput
from symtransformer.gradients.expansion import Expansion
from symtransformer.gradients.letters import Namer, chosen_letters, cotangent_name, key_of
from symtransformer.gradients.parts import Part
from symtransformer.gradients.sweep import Sweep
from symtransformer.gradients.words import assumption, explanation_of, title_of
from symtransformer.node import Node, as_node, postorder
from symtransformer.notation import Words
from symtransformer.operations.ones import Ones
from symtransformer.rules import Rule
from symtransformer.symbols import DistributionLetter, Letter
from symtransformer.unfolding import derive

CALLED = re.compile(r"([A-Za-z][A-Za-z0-9_]*)\(")
MAY_BE_CALLED = re.compile(r"(?!d[A-Za-z][0-9]*(?:_|$))[A-Za-z]{2}[A-Za-z0-9_]*")  # a word, and no dX


@dataclass(frozen=True)
class Gradient(DrawnInNotebooks):
    """The derivation of a gradient: the steps forward, the cotangents backward, and what was asked for last."""

    forward: Derivation
    output: Letter  # the last step forward
    cotangent: Node  # of the output: a letter, or the number 1 of a loss
    wrt: tuple[Letter, ...]
    parts: tuple[Part, ...]  # the steps backward, before they are written out in inputs

    @cached_property
    def derivation(self) -> Derivation:
        """All steps, each with what it stands for in terms of the inputs."""
        expansion = Expansion(self.forward.steps)
        definitions = {step.letter: step.definition for step in self.forward.steps}
        steps = []
        for part in self.parts:
            uses = tuple((x, definitions[x], cotangent) for x, cotangent in part.uses)
            claim = None if part.by is None else Derivative(part.by, uses, self.output, self.cotangent)
            meaning = expansion.define(part.letter, part.expression)
            words = title_of(part), explanation_of(part, claim)
            steps.append(Step(part.letter, part.expression, meaning, *words, derivative=claim))
        return replace(self.forward, steps=(*self.forward.steps, *steps), sections=(), follow=None)

    def __getitem__(self, which: str | Letter) -> Step:
        """The step that gives the gradient by this letter, or by the one of this name; of head 2: `"W_Q^(2)"`."""
        return self.derivation[self._part(which).letter.name]

    @property
    def formulas(self) -> dict[str, Node]:
        """Each gradient in terms of the named steps, by the name of the letter; of one head with its number."""
        found = {part.by.number: part.expression for part in self.parts if part.by is not None}
        return {key_of(letter): found[letter.number] for letter in self.wrt}

    @property
    def rules(self) -> dict[str, tuple[Rule, ...]]:
        """The rules that brought each step backward into its form, by the name of the step."""
        return {part.letter.name: part.rules for part in self.parts}

    @property
    def assumptions(self) -> tuple[Words, ...]:
        """What the formulas take for granted, beside what the expression itself needs."""
        return tuple(assumption(x) for x in dict.fromkeys(x for part in self.parts for x in part.assumed))

    def _part(self, which: str | Letter) -> Part:
        """The part that gives a gradient; also by a step on the way, as dS for S."""
        claimed = {part.by: part for part in self.parts if part.by is not None}
        found = [letter for letter in claimed if which in (letter, letter.name, key_of(letter))]
        if len(found) != 1:
            names = ", ".join(map(key_of, found or self.wrt))
            said = "there is one for each head; name one of" if found else "it was not asked for; there are those by"
            raise UnreadableInput(f"the gradient by {str(which)[:40]}: {said} {names}")
        return claimed[found[0]]


def differentiate(
    subject: Any, wrt: Any = None, *, cotangent: Any = None, distributions: Any = ()
) -> Gradient:  # fmt: skip
    """dX = Σ_ij G_ij ∂Y_ij/∂X, for each letter X of `wrt` (all of them, if none is named), with G the cotangent.

    `subject` is an expression Y or a derivation whose last step is Y. The cotangent is a letter of the
    size of Y unless it is given; for a loss, a Y of size 1 x 1, it is 1. A gradient has the shape of its letter.

    >>> from symtransformer import dimension, matrix
    >>> from symtransformer.operations import CrossEntropy, ScaledDotProductAttention
    >>> n, m, d_k, d_v = map(dimension, ("n", "m", "d_k", "d_v"))
    >>> Q, K, V = matrix("Q", n, d_k), matrix("K", m, d_k), matrix("V", m, d_v)
    >>> for name, formula in differentiate(ScaledDotProductAttention(Q, K, V), "Q,K,V").formulas.items():
    ...     print(f"d{name} =", formula)
    dQ = dS K / sqrt(d_k)
    dK = dS^T Q / sqrt(d_k)
    dV = A^T dZ

    The rows of the letters that `distributions` names (or that `symbols.distribution` made) are assumed
    to add up to 1; `assumptions` says so.

    >>> loss = CrossEntropy(matrix("L", n, m), matrix("Y", n, m))
    >>> differentiate(loss, "L").formulas["L"]
    (P ⊙ broadcast(rowsum(Y), m) - Y) / n
    >>> gradient = differentiate(loss, "L", distributions="Y")
    >>> gradient.formulas["L"], gradient.assumptions[0].plain("en")
    ((P - Y) / n, 'Every row of Y is assumed to add up to 1.')

    A result on the way can be asked for, too: `differentiate(loss, "Lambda")`.
    """
    forward = subject if isinstance(subject, Derivation) else derive(as_node(subject))
    forward = _with_distributions(forward, distributions)
    output, inputs = forward.steps[-1].letter, forward.inputs
    chosen = chosen_letters(wrt, inputs, [step.letter for step in forward.steps], lambda: _numbers(forward))
    if output in chosen:
        raise UnreadableInput(f"differentiating: {output} is the result itself; name what it is made from")
    if tied := [str(x) for x in chosen if isinstance(x, DistributionLetter)]:
        raise NotSupported(
            f"differentiating: rows of {tied[0]} are assumed to add up to 1, so its entries are not free"
        )
    namer = Namer(_names(forward))
    given = _cotangent(output, cotangent, namer)
    if forward is not subject:
        _require_other_names(forward, given)
    sweep = Sweep(forward, given, inputs, namer)
    sweep.run(chosen)
    _require_names_unlike_functions(forward, sweep.parts)
    return Gradient(forward, output, given, chosen, tuple(sweep.parts))


def _names(forward: Derivation) -> set[str]:
    """Every name that a derivation knows: of steps, inputs, sizes and heads."""
    names = {letter.name for letter in [*[step.letter for step in forward.steps], *forward.inputs]}
    coarse = [step.coarse for step in forward.steps if step.coarse is not None]
    names.update(*[[x.name for x in root._letters] for root in coarse])
    for facts in {root._facts for root in [*[step.expression for step in forward.steps], *coarse]}:
        names.update([symbol.name for symbol in facts.symbols])
    return names


def _cotangent(output: Letter, given: Any, namer: Namer) -> Node:
    if given is None:
        return Ones(S.One, S.One) if output.shape == (1, 1) else namer.cotangent(output)
    node = as_node(given)
    if node.shape != output.shape:
        raise ShapeError(
            f"differentiating: the cotangent must have the size {output.shape} of {output}, got {node.shape}"
        )
    namer.taken |= {str(thing.name) for thing in node._mentions}  # type: ignore[attr-defined]
    return node


def _require_other_names(forward: Derivation, cotangent: Node) -> None:
    """The names of steps were found here, so that a letter of the cotangent cannot mean one of them."""
    steps = {step.name for step in forward.steps}
    if both := sorted(x.name for x in cotangent._free if isinstance(x, Letter) and x.name in steps):
        raise UnreadableInput(f"differentiating: {both[0]} of the cotangent also names a step; rename it")


def _require_names_unlike_functions(forward: Derivation, parts: list[Part]) -> None:
    """mean(dY) is the mean of each row, and sqrt(pi) a number: no letter beside them is called mean, or pi."""
    lines = [*((x.letter, x.expression) for x in forward.steps), *((x.letter, x.expression) for x in parts)]
    names = {x.name for x in (*forward.inputs, *(letter for letter, _ in lines)) if MAY_BE_CALLED.fullmatch(x.name)}
    for letter, expression in lines if names else ():  # to write every formula takes longer than to derive it
        called = set(CALLED.findall(str(expression)))
        numbers = {x for node in postorder(expression) for x in node.args if isinstance(x, Expr) and x.has(S.Pi)}
        if both := sorted(names & (called | ({"pi"} if numbers else set()))):
            what = "the number π stands" if both[0] == "pi" else f"the function {both[0]}(...) stands"
            raise UnreadableInput(
                f"differentiating: {both[0]} is a letter here, and {what} in the formula of {letter}; give the letter another name"
            )


def _numbers(forward: Derivation) -> set[str]:
    """The names of sizes and other numbers, for a message."""
    return {s.name for step in forward.steps for s in step.definition._mentions if isinstance(s, Symbol)}


def _with_distributions(forward: Derivation, names: Any) -> Derivation:
    """The same derivation, with the rows of these inputs assumed to add up to 1."""
    if not names:
        return forward
    letters = chosen_letters(names, forward.inputs, (), lambda: _numbers(forward))
    rule = {x: DistributionLetter(*x.args) for x in letters}
    changed = [
        replace(
            step,
            expression=step.expression.xreplace(rule),
            stands_for=step.stands_for.xreplace(rule),
            coarse=None if step.coarse is None else step.coarse.xreplace(rule),
        )
        for step in forward.steps
    ]
    values = tuple((rule.get(key, key), value) for key, value in forward.values)
    return replace(forward, steps=tuple(changed), values=values)


__all__ = ["Gradient", "cotangent_name", "differentiate"]
