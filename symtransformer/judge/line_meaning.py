"""What a line in index notation says in print: it must be what its formulas say, and what the derivation says.

Names are data of a line: what a result stands for, of what a letter is the gradient, which letters are left
out. A line whose formulas are equal is still not shown as proved where its names would tell something else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sympy import Basic, Symbol

from symtransformer.derivation import Derivation, Step, written_out
from symtransformer.index_letters import bound_letters, free_letters, subformulas
from symtransformer.index_notation.rows import says_rows
from symtransformer.node import Node
from symtransformer.operation import unfolded
from symtransformer.scalars import entry_name
from symtransformer.sections import IndexLine
from symtransformer.symbols import Entry, Letter

Reason = tuple[str, str]


def misleading(line: IndexLine, derivation: Derivation | None) -> Reason | None:
    """Why the line would be read as something that it does not say, in both languages; None where it would not."""
    checks = [_index_letters(line), _left_out(line)]
    if derivation is not None:
        checks += [_stands_for(line, derivation), _gradient_of(line, derivation)]
    checks.append(_short_names(line, derivation))
    return next((found for found in checks if found is not None), None)


def _letters(line: IndexLine, derivation: Derivation | None) -> Iterator[Basic]:
    """Everything with a name that can stand in the line, and in the derivation around it."""
    roots: list[Node] = [node for _, node in line.where]
    for side in (line.left, line.right):
        roots += [part.parent for part in subformulas(side) if isinstance(part, Entry)]
    if derivation is not None:
        roots += [root for step in derivation.steps for root in (step.letter, step.expression, step.stands_for)]
    for root in roots:
        yield from root._mentions
    yield from (letter for letter, _ in line.where)
    yield from (letter for pair in line.losses for letter in pair)


def _index_letters(line: IndexLine) -> Reason | None:
    """No index letter is printed like something else."""
    indices = {s for side in (line.left, line.right) for s in (*free_letters(side), *bound_letters(side))}
    for thing in _letters(line, None):
        name = str(getattr(thing, "name", thing))
        for index in indices:
            if index != thing and str(index) in (name, entry_name(name)[0] if isinstance(thing, Letter) else name):
                return (
                    f"the index letter {index} is written like {name}",
                    f"添字 {index} が {name} と同じ文字で書かれる",
                )
    return None


def _left_out(line: IndexLine) -> Reason | None:
    """Letters are left out only of a row, or of a whole matrix."""
    if not line.whole:
        return None
    reason = "the line is said of whole rows, but is none", "行全体の式として書かれているが、行の式になっていない"
    left, right = line.left, line.right
    if not isinstance(left, Entry):
        return reason
    if set(line.whole) == {p for p in (left.i, left.j) if isinstance(p, Symbol)} and isinstance(right, Entry):
        same = (right.i, right.j) == (left.i, left.j) and right.parent.shape == left.parent.shape
        return None if same else reason
    rows = says_rows(right, (left.i, left.j), left.parent)
    return None if len(line.whole) == 1 and rows is not None and rows == line.whole[0] else reason


def _stands_for(line: IndexLine, derivation: Derivation) -> Reason | None:
    """Results of steps stand for what their steps say, and inputs for nothing."""
    steps = {step.letter: step for step in derivation.steps}
    families = {letter.family for letter in (*steps, *derivation.inputs)}
    names = {letter.name for letter in (*steps, *derivation.inputs)}
    partly = dict(line.where)
    for letter, node in line.where:
        if letter in steps:
            right = _means(node, steps[letter], partly, derivation)
        else:
            right = letter.family not in families and letter.name not in names
        if not right:
            return f"{letter} does not stand for what its step says", f"{letter} の意味が、ステップの定義と異なる"
    return None


def _means(node: Node, step: Step, partly: dict[Letter, Node], derivation: Derivation) -> bool:
    behind: dict[Any, Node] = {s.letter: s.stands_for for s in derivation.steps}
    if unfolded(written_out(node, behind)) is unfolded(step.stands_for):
        return True
    others: dict[Any, Node] = {x: y for x, y in partly.items() if x is not step.letter}
    said = (step.expression, step.definition)
    return any(unfolded(written_out(side, others)) is unfolded(node) for side in said)


def _gradient_of(line: IndexLine, derivation: Derivation) -> Reason | None:
    """Letters are written as gradients only by what they are the gradients of, and in one line of one loss."""
    claims = {step.letter: step.derivative for step in derivation.steps if step.derivative is not None}
    losses: set[Any] = {(claim.output, claim.cotangent) for claim in claims.values()}
    for letter, by in line.losses:
        claim = claims.get(letter)
        own = (by, letter) if claim is None else (claim.output, claim.cotangent)
        if own not in losses or (claim is not None and claim.letter is not by):
            return f"{letter} is not the gradient with respect to {by}", f"{letter} は {by} に関する勾配ではない"
        losses = {own}
    return None


def _short_names(line: IndexLine, derivation: Derivation | None) -> Reason | None:
    """Short names and the name of the loss are names of nothing else; a loss that is a step has the name of it."""
    taken = {str(getattr(x, "name", x)) for x in _letters(line, derivation)}
    if line.losses and line.loss in _losses(derivation):
        taken.discard(line.loss)
    bases = {entry_name(x.name)[0] for x in _letters(line, derivation) if isinstance(x, Letter)}
    new = [short.name for _, short in line.short] + ([line.loss] if line.losses else [])
    for name in new:
        if name in taken or (name != line.loss and entry_name(name)[0] in bases) or new.count(name) > 1:
            return f"{name} names two things", f"{name} が 2 つのものを表している"
    return None


def _losses(derivation: Derivation | None) -> set[str]:
    """The steps of which gradients are taken as of a loss, which no cotangent multiplies: mostly one, or none."""
    steps = () if derivation is None else derivation.steps
    claims = [step.derivative for step in steps if step.derivative is not None]
    return {c.output.name for c in claims if c.output is not None and not isinstance(c.cotangent, Letter)}


__all__ = ["misleading"]
