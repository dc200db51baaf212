"""The judge: decides whether each equation of a derivation is true, and alone says so.

It imports no rule and no renderer. An equation between two expressions is decided in stages:

1. both unfold to the same expression, or to the same entry formula: *proved*;
2. balls at random rational points of unequal sizes: a ball that excludes 0 is a
   counterexample, *refuted*; balls around 0 smaller than 1e-30 at every point: *tested*;
3. what could not be decided is *undecidable*, with the reason.

A step that claims to be a gradient is decided twice: its equation, and that it is the derivative
(`judge_derivative`); the worse verdict counts.

Unknown is never shown as true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from sympy import Basic

from symtransformer.derivation import Derivation, Step, written_out
from symtransformer.domains import conditions, functions_in_pieces, parts_in_pieces
from symtransformer.errors import SymtransformerError, UnreadableInput
from symtransformer.evaluation import Evaluation
from symtransformer.formulas import have_same_formula
from symtransformer.gradients import Gradient
from symtransformer.judge.assumptions import step_without_assumptions, without_assumptions
from symtransformer.judge.derivatives import judge_derivative
from symtransformer.judge.lines import judge_line
from symtransformer.judge.numbers import judge_values, with_numbers
from symtransformer.judge.trials import Equation, at_points
from symtransformer.judge.uses import Setting
from symtransformer.judge.verdicts import (
    PROVED,
    REFUTED,
    SEAL,
    TESTED,
    UNDECIDABLE,
    Verdict,
    Verified,
    case_of,
    refuted,
    sizes_do_not_fit,
)
from symtransformer.node import Node, as_node, postorder, substitute
from symtransformer.operation import unfolded
from symtransformer.random_points import has_size_letters, sizes_apart
from symtransformer.sections import IndexLine
from symtransformer.symbols import Letter
from symtransformer.zero import is_exactly_zero


def verify(subject: Derivation | Gradient, values: Mapping[Any, Any] | None = None) -> Verified:
    """Judge every step of a derivation or a gradient, its index lines, and with values also every number.

    >>> from symtransformer import derive, matrix, verify
    >>> from symtransformer.operations import Softmax
    >>> verified = verify(derive(Softmax(matrix("S", 2, 3)), stages=True))
    >>> str(verified.verdicts["Y"])
    'proved: both sides have the same entry formula, for the sizes named'
    """
    derivation = subject.derivation if type(subject) is Gradient else subject
    if type(derivation) is not Derivation:  # a subclass could say one thing to the judge and another to the page
        raise UnreadableInput("verify: expected a derivation; derive(expression) makes one")
    evaluations = dict(_cases(derivation, values or {}))
    behind: dict[Basic, Node] = {}
    families: dict[Letter, Letter] = {}
    verdicts: dict[str, Verdict] = {}
    steps = [step_without_assumptions(step) for step in derivation.steps]
    judged: dict[Letter, Verdict] = {}
    setting = Setting(steps, judged)
    for step, free in zip(derivation.steps, steps, strict=True):
        verdict = _same_shape(step) or _judge_step(step, behind, families)
        if free.derivative is not None and verdict.kind != REFUTED:
            verdict = _worse(
                _name_of_another(step, setting) or judge_derivative(free.expression, free.derivative, setting), verdict
            )
        if evaluations and verdict.kind != REFUTED:
            verdict = with_numbers(verdict, [judge_values(step, e) for e in evaluations.values()])
        verdicts[step.name] = judged[step.letter] = verdict
        behind[step.letter] = step.stands_for
        families[step.letter.family] = step.letter
    lines = {line: _judge_line(line, derivation, judged) for section in derivation.sections for line in section.lines}
    return Verified(SEAL, derivation, evaluations, verdicts, lines)


def _judge_step(step: Step, behind: Mapping[Basic, Node], families: Mapping[Letter, Letter]) -> Verdict:
    """The step's equation, and where it shows a finer definition, the coarse one as well."""
    sides = [written_out(side, behind, families) for side in dict.fromkeys((step.expression, step.definition))]
    if all(side is step.stands_for for side in sides):
        return replace(_same_expression(step.stands_for), by_definition=True)
    verdicts = [judge_equation(step.stands_for, side) for side in sides]
    worst = _worse(*verdicts)
    if worst.kind != PROVED:
        return worst
    worst = next((v for v in verdicts if v.where_defined), worst)
    meant = unfolded(step.stands_for)
    return replace(worst, by_definition=all(unfolded(side) is meant for side in sides))


def _name_of_another(step: Step, setting: Setting) -> Verdict | None:
    other = setting.written_like(step)
    if other is None or step.derivative is None:
        return None
    reason = f"{step.name} is written as the gradient by {other}, but says to be that by {step.derivative.letter}"
    ja = f"{step.name} は {other} に関する勾配のように書かれているが、{step.derivative.letter} に関する勾配とされている"
    return Verdict(UNDECIDABLE, reason, reason_ja=ja)


def _judge_line(line: IndexLine, derivation: Derivation, judged: Mapping[Letter, Verdict]) -> Verdict:
    """The line, as far as what it writes as gradients is known to be that."""
    verdict = judge_line(line, derivation)
    for letter, by in line.losses if verdict.kind in (PROVED, TESTED) else ():
        if letter in judged and judged[letter].kind not in (PROVED, TESTED):
            reason = f"it is not known that {letter} is the gradient with respect to {by}"
            return Verdict(UNDECIDABLE, reason, reason_ja=f"{letter} が {by} に関する勾配かどうか分かっていない")
    return verdict


def _worse(*verdicts: Verdict) -> Verdict:
    """The verdict that says least; the first of those that say as little."""
    return max(verdicts, key=lambda v: (PROVED, TESTED, UNDECIDABLE, REFUTED).index(v.kind))


def _cases(derivation: Derivation, values: Mapping[Any, Any]) -> Iterator[tuple[Any, Evaluation]]:
    """The values of the derivation, of each section with values of its own, and of each row of a table."""
    base = {**dict(derivation.values), **values}
    own: list[dict[Any, Any]] = [{}]
    for section in derivation.sections:
        own.append(dict(section.values))
        if section.sweep is not None:
            own += [{**section.values, section.sweep.parameter: value} for value in section.sweep.at]
    for given in own:
        if base or given:
            yield case_of(given), Evaluation(derivation, {**base, **given})


def _same_shape(step: Step) -> Verdict | None:
    for side in (step.expression, step.definition, step.stands_for):
        if (verdict := _judge_sizes(step.letter.shape, side.shape)) is not None:
            return verdict
    return None


def _judge_sizes(left: Any, right: Any) -> Verdict | None:
    """None where the sizes are equal; refuted only by numbers for which they are not."""
    if all((a - b).expand() == 0 for a, b in zip(left, right, strict=True)):
        return None
    found = sizes_apart(left, right)
    if found is not None:
        return refuted(*sizes_do_not_fit(left, right), found)
    reason = f"whether the sizes fit is not decided: {left} against {right}"
    return Verdict(UNDECIDABLE, reason, reason_ja=f"大きさが合うかどうか判定できない（{left} と {right}）")


# -- equations ------------------------------------------------------------------------------------
def judge_equation(left: Any, right: Any) -> Verdict:
    """Whether two expressions are equal.

    >>> from symtransformer import dimension, matrix
    >>> n, d = dimension("n"), dimension("d")
    >>> A, B = matrix("A", n, d), matrix("B", n, d)
    >>> print(judge_equation(A @ B.T, (B @ A.T).T))
    proved: both sides have the same entry formula, for all sizes
    >>> judge_equation(A @ B.T, B @ A.T).kind
    'refuted'
    """
    left, right = (unfolded(without_assumptions(as_node(side))) for side in (left, right))
    if left is right:
        return _same_expression(left)
    scope = "for all sizes" if has_size_letters(left) else "for the sizes named"
    if (sizes := _judge_sizes(left.shape, right.shape)) is not None:
        return sizes
    if have_same_formula(*_common_parts_as_letters(left, right)) or have_same_formula(left, right):
        everywhere = conditions(left) == conditions(right)
        where, ja = (
            ("", "") if everywhere else (", wherever both are defined", "。両辺がともに値を持つところで成り立つ")
        )
        reason = f"both sides have the same entry formula, {scope}{where}"
        return Verdict(
            PROVED, reason, reason_ja=f"両辺の成分の式が同じ{ja}" if ja else "", where_defined=not everywhere
        )
    try:
        return _tested_or_not(left, right)
    except (SymtransformerError, ArithmeticError, RecursionError) as error:
        return Verdict(UNDECIDABLE, str(error), reason_ja=f"計算できなかった（{error}）")


def _same_expression(side: Node) -> Verdict:
    scope = "for all sizes" if has_size_letters(side) else "for the sizes named"
    return Verdict(PROVED, f"both sides are the same expression, {scope}")


def _tested_or_not(left: Node, right: Node) -> Verdict:
    """What points say, if they can decide: of both sides, or of both with letters for parts of which they cannot."""
    verdict = at_points(Equation(left, right))
    if verdict.kind != TESTED or not (pieces := functions_in_pieces(left, right)):
        return verdict
    lettered = _with_letters_for(parts_in_pieces(left, right), left, right)
    if not functions_in_pieces(*lettered) and (of_letters := at_points(Equation(*lettered))).kind == TESTED:
        return of_letters
    reason = f"{verdict.reason}, but points decide nothing about {pieces}"
    return Verdict(UNDECIDABLE, reason, reason_ja=f"{verdict.reason_ja}。ただし {pieces} は点では判定できない")


class _Part(Letter):
    """A letter for what both sides share, unlike every letter that they hold."""

    __slots__ = ()


def _common_parts_as_letters(left: Node, right: Node) -> tuple[Node, Node]:
    """Both sides with what they share replaced by letters: an identity in any matrix holds for this one.

    So the steps of a softmax are proved in a deep layer as they are in a shallow one.
    """
    inside = set(postorder(right))
    return _with_letters_for([n for n in postorder(left) if n in inside and n._children], left, right)


def _with_letters_for(parts: list[Node], left: Node, right: Node) -> tuple[Node, Node]:
    bound = {node.args[k] for node in postorder(left, right) for k in node.bound}
    names = (f"G{k}" for k in count())
    rule = {node: _Part(next(names), *node.shape) for node in parts if not node._mentions & bound}
    return substitute(left, rule), substitute(right, rule)


__all__ = [
    "PROVED",
    "REFUTED",
    "TESTED",
    "UNDECIDABLE",
    "Verdict",
    "Verified",
    "is_exactly_zero",
    "judge_derivative",
    "judge_equation",
    "judge_line",
    "verify",
]
