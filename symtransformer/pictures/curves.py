"""Entries of steps as a parameter moves: what the slider of a page goes through, as one picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sympy import Expr, Rational

from symtransformer.derivation import Derivation, Section
from symtransformer.errors import UnreadableInput
from symtransformer.evaluation import evaluate
from symtransformer.judge import Verified
from symtransformer.notation import Words
from symtransformer.pictures.drawing import as_svg, figure, mathematics, printer_of
from symtransformer.rendering.document import EntryOf
from symtransformer.sections import Sweep
from symtransformer.symbols import exact_number

POINTS = 61
STYLES = ("-", "--", "-.", ":")  # told apart in gray print as well
COLORS = ("#1B5299", "#B34700", "#2E7D32", "#6A1B9A")
TITLE = Words("Values as the parameter changes", "パラメータを変えたときの値")


def curve(
    subject: Derivation | Verified, parameter: str = "", language: str = "en", *,
    start: Any = None, stop: Any = None,
) -> str:  # fmt: skip
    """The entries that a page tabulates over a parameter, as curves over it, as SVG.

    A dot stands where the table has a value. The curves go from the least to the greatest of them, or from
    `start` to `stop`.
    """
    derivation = subject.derivation if isinstance(subject, Verified) else subject
    section, sweep = _sweep(derivation, parameter)
    printer = printer_of(subject, language)
    at = [exact_number(value, f"a value of {sweep.parameter}") for value in sweep.at]
    low = min(at) if start is None else exact_number(start, "the start of a curve")
    high = max(at) if stop is None else exact_number(stop, "the end of a curve")
    if not low < high:
        raise UnreadableInput(f"a curve: expected a start below its end, got {low} and {high}")
    along = [low + (high - low) * Rational(k, POINTS - 1) for k in range(POINTS)]
    lines = list(_values(derivation, section, sweep, along))
    dots = [value for value in at if low <= value <= high]
    points = list(_values(derivation, section, sweep, dots))
    name = mathematics(printer.dialect.scalar(sweep.parameter))
    with figure(6.4, 4.0) as (drawn, axes):
        for k, column in enumerate(sweep.columns):
            letter = derivation[column.step].letter
            label = mathematics(printer.term(EntryOf(letter, column.i, column.j)))
            color, style = COLORS[k % len(COLORS)], STYLES[k // len(COLORS) % len(STYLES)]
            axes.plot([float(x) for x in along], [line[k] for line in lines], style, color=color, label=label)
            axes.plot([float(x) for x in dots], [point[k] for point in points], "o", color=color, markersize=4)
        axes.set_xlabel(name)
        axes.grid(color="0.85", linewidth=0.6)
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
        axes.set_title(printer.words(TITLE))
        return as_svg(drawn, printer.words(TITLE))


def _sweep(derivation: Derivation, parameter: str) -> tuple[Section, Sweep]:
    """The first table over this parameter, or over any."""
    found = [(section, section.sweep) for section in derivation.sections if section.sweep is not None]
    for section, sweep in found:
        if not parameter or str(sweep.parameter) == parameter:
            return section, sweep
    names = ", ".join(dict.fromkeys(str(sweep.parameter) for _, sweep in found))
    known = f"there are tables over {names}" if found else "this derivation has no table over a parameter"
    raise UnreadableInput(f"a curve: no table over {parameter[:40]!r}; {known}" if parameter else f"a curve: {known}")


def _values(derivation: Derivation, section: Section, sweep: Sweep, at: list[Expr]) -> Iterator[list[float]]:
    """The entries of all columns in double precision, for each value of the parameter."""
    own = {**dict(derivation.values), **section.values}
    for value in at:
        evaluation = evaluate(derivation, {**own, sweep.parameter: value})
        arrays = {name: evaluation.numpy(name) for name in {column.step: None for column in sweep.columns}}
        yield [float(arrays[column.step][column.i, column.j]) for column in sweep.columns]
