"""What explains shown numbers that are not right: another convention, or the likely mistakes, as a set."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from fractions import Fraction
from typing import Any

from symtransformer.checking import equation_words as words
from symtransformer.checking.computing import Computed, Computing, put_in
from symtransformer.checking.conventions import by_convention
from symtransformer.checking.definitions import Cells, Definitions
from symtransformer.checking.equations import Equation
from symtransformer.checking.number_equations import gives
from symtransformer.checking.number_words import LAST_PLACE, WRONG, Note
from symtransformer.checking.slips import diagnose
from symtransformer.errors import SymtransformerError
from symtransformer.node import Node
from symtransformer.operation import REGISTRY
from symtransformer.reading.sides import Side
from symtransformer.symbols import Letter, Literal

SECONDS_AT_MOST = 1.5
LOGARITHMS = ("log_base_2", "log_base_10")
WRITTEN_BASE = re.compile(r"(?<![A-Za-z])ln(?![A-Za-z])|log\s*_")  # a base that is written is no convention
DECLARED = frozenset((
    "log=e", "log=2", "log=10", "variance=sample", "gelu=tanh", "eps=outside", "rope=halves", "rope=pairs",
    "smoothing=others", "weights=transposed",
))  # fmt: skip


class Diagnosis:
    """Looks for what explains the digits shown, on the writer's own input."""

    def __init__(self, definitions: Definitions, computing: Computing) -> None:
        self.definitions, self.computing = definitions, computing

    def adopt(self, convention: str) -> bool:
        """Take a convention as declared; False if it is not known."""
        return "".join(convention.split()) in DECLARED

    def explained(self, equation: Equation, cells: Cells, source: Side, turned: bool) -> Equation:
        """The equation with its convention, its slips and what else there is to say of its digits."""
        if equation.verdict not in (WRONG, LAST_PLACE):
            return equation
        remarks = (*equation.remarks, *_row_sums(cells, source.value))
        return self._with_causes(replace(equation, remarks=remarks), cells, source, turned)

    def _with_causes(self, equation: Equation, cells: Cells, source: Side, turned: bool) -> Equation:
        if source.value is None:
            return equation
        if not isinstance(source.value, Node):  # sin(3)
            source = replace(source, value=Literal([[source.value]]))
        shape = (len(cells[0]), len(cells)) if turned else (len(cells), len(cells[0]))
        deadline = time.monotonic() + SECONDS_AT_MOST

        def fits(altered: Node) -> bool:
            if time.monotonic() > deadline:
                return False
            try:
                value = Computed(altered)
                return gives(cells, value.turned() if turned else value)
            except SymtransformerError:
                return False

        found: tuple[Note, ...] = ()
        for side in (source, self._written_out(source)):
            if side is None or not isinstance(side.value, Node):
                continue
            for values in self._inputs(side):
                convention = by_convention(side.value, values, fits, shape=shape)
                if convention is not None and not (convention.name in LOGARITHMS and WRITTEN_BASE.search(source.text)):
                    return replace(equation, verdict="by_convention", convention=convention, words=convention.words)
                if equation.verdict == WRONG:
                    found = tuple(dict.fromkeys((*found, *diagnose(side.value, values, fits, shape=shape))))
            if found:
                break
        return replace(equation, slips=found)

    def _written_out(self, source: Side, depth: int = 6) -> Side | None:
        """With what its names were computed from, where no digits of them are shown; None if that is nothing new."""
        rule = {}
        for name, letter in self.definitions.letters(source).items():
            definition = self.definitions[name]
            if definition.side is None or definition.shown is not None or self.definitions.is_stale(definition):
                continue
            below = definition.side if depth == 0 else self._written_out(definition.side, depth - 1) or definition.side
            if isinstance(letter, Letter) and isinstance(below.value, Node) and below.value.shape == letter.shape:
                rule[letter] = below.value
        return replace(source, value=put_in(source.value, rule)) if rule else None

    def _inputs(self, source: Side) -> list[dict[Any, Any]]:
        """What stands for the names: by the digits shown, and from the start where that differs."""
        ways = []
        for shown in (True, False):
            values = self.computing.values(source, shown)
            if values is not None and values not in ways:
                ways.append(values)
        return ways


def _row_sums(cells: Cells, value: Any) -> list[Note]:
    """Rows of weights that do not add up to 1, by more than their rounding allows."""
    weights = REGISTRY["Softmax"]
    if not isinstance(value, Node) or not isinstance(value, weights):
        return []
    notes = []
    for i, row in enumerate(cells):
        places = [claim.place for claim in row if claim.place is not None]
        if len(places) < len(row):
            continue
        total = sum((claim.value for claim in row), Fraction(0))
        slack = sum(places, Fraction(0)) / 2
        if abs(total - 1) > slack:
            notes.append(words.row_sum(i + 1, f"{float(total):.6g}"))
    return notes
