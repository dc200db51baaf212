"""What is said beside a verdict: both formulas, the steps behind them, and for which sizes it holds."""

from __future__ import annotations

from collections.abc import Iterator

from symtransformer.claims.readings import Statement
from symtransformer.derivation import Step, written_out
from symtransformer.dialects import TEXT
from symtransformer.judge import REFUTED, TESTED, UNDECIDABLE, Verdict
from symtransformer.node import Node
from symtransformer.notation import Words
from symtransformer.random_points import size_letters
from symtransformer.symbols import Letter
from symtransformer.writing import heads_of, written

ALL_SIZES = Words("for all sizes", "すべての大きさについて")
AT_POINTS = Words("at the points that were tried", "試した点で")
NAMED_SIZES = Words("for the sizes named", "指定された大きさについて")


def derived(statement: Statement) -> str:
    if statement.letter is not None:
        return _of_step(statement.subject.steps[statement.letter.name])
    if statement.jacobian is not None:
        jacobian = statement.jacobian
        above, below = jacobian.above[0], jacobian.below[0]
        value = written(jacobian.derived, TEXT, heads_of(above, below, jacobian.derived))
        return f"Σ_ij {jacobian.cotangent}_ij ∂{above}_ij/∂{below} = {value}"
    if statement.readings[0].shown:
        return statement.readings[0].shown.partition(" = ")[0]
    reading = statement.readings[0]
    return written(reading.left, TEXT, heads_of(reading.left, reading.right))


def steps_behind(statement: Statement) -> Iterator[str]:
    """The equations of all steps that the formulas name, each after what it is made from; the one that is claimed is no such."""
    subject, letter, jacobian = statement.subject, statement.letter, statement.jacobian
    steps, output = subject.steps, subject.forward.steps[-1].letter
    coming_in = None if subject.gradient is None else subject.gradient.cotangent
    sides = [side for reading in statement.readings[:1] for side in (reading.left, reading.right)]
    sides += [] if letter is None else [steps[letter.name].definition]
    waiting = [x.name for side in sides for x in side._free if isinstance(x, Letter)]
    if jacobian is not None:
        waiting = [str(jacobian.above[0]), str(jacobian.below[0])]
    found = set[str]()
    while waiting:
        name = waiting.pop()
        if name in found or (letter is not None and name == letter.name):
            continue
        found.add(name)
        if isinstance(coming_in, Letter) and name == coming_in.name:
            waiting.append(output.name)
        elif name in steps:
            waiting += [x.name for x in steps[name].definition._free if isinstance(x, Letter)]
    forward = {step.name for step in subject.forward.steps}
    yield from (_of_step(step) for name, step in steps.items() if name in found & forward)
    if isinstance(coming_in, Letter) and coming_in.name in found:
        yield f"{coming_in} = ∂L/∂{output}"
    yield from (_of_step(step) for name, step in steps.items() if name in found - forward)


def _of_step(step: Step) -> str:
    return _equation(step.letter, step.definition)


def _equation(left: Node, right: Node) -> str:
    """Both sides with the same heads, counted from 1: what only the one names as a head is one in the other as well."""
    heads = heads_of(left, right)
    return " = ".join(written(side, TEXT, heads) for side in (left, right))


def claimed(statement: Statement) -> str:
    reading = statement.readings[0]
    if reading.shown:
        return reading.shown
    left = statement.letter if statement.letter is not None else reading.left
    return _equation(left, reading.right)


def scope(statement: Statement, verdict: Verdict) -> Words:
    whole = [
        written_out(side, statement.subject.behind)
        for side in (statement.readings[0].left, statement.readings[0].right)
    ]
    if verdict.kind in (TESTED, UNDECIDABLE):
        return AT_POINTS
    if verdict.kind == REFUTED:
        sizes = {str(s) for s in size_letters(*whole)}
        shown = ", ".join(f"{n} = {k}" for n, k in verdict.counterexample if n in sizes)
        return Words(f"at the sizes {shown}", f"大きさ {shown} で") if shown else NAMED_SIZES
    return ALL_SIZES if size_letters(*whole) else NAMED_SIZES
