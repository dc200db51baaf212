"""A formula, and then the same with its own numbers put in: `exp(S) ≈ exp([0, 0.7071])`, compared part by part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from sympy import Basic, Expr

from symtransformer.checking import equation_words as words
from symtransformer.checking.computing import Computing
from symtransformer.checking.definitions import Cells, Definitions
from symtransformer.checking.equations import Equation
from symtransformer.checking.number_equations import Routes, judge_cells
from symtransformer.checking.number_words import FOLLOWS, LAST_PLACE, RIGHT, RIGHT_IF_ROUNDED, UNDECIDABLE, WRONG
from symtransformer.node import Node
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.scaling import Scaling
from symtransformer.reading.claimed_numbers import ClaimedNumber, read_number
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.sides import Side
from symtransformer.symbols import Literal

WORST_FIRST = (WRONG, "shapes", LAST_PLACE, FOLLOWS, UNDECIDABLE, RIGHT_IF_ROUNDED, RIGHT)
NUMBER = re.compile(r"(?<![0-9.A-Za-z_])[0-9]+(?:\.[0-9]+)?(?![0-9.])")


class PutIn:
    """Judges each number that was put in as a claim about what stands in its place."""

    def __init__(self, definitions: Definitions, computing: Computing) -> None:
        self.definitions, self.computing = definitions, computing

    def judged(self, left: Side, right: Side, made: Equation, relation: str) -> Equation | None:
        """The verdict on the numbers put in; None where the sides differ in form."""
        for formula, numbers in ((left, right), (right, left)):
            parts = parts_put_in(formula.value, numbers.value)
            if parts and all(self._has_names(part) or part.free_symbols for part, _ in parts):
                return self._worst(formula, numbers, parts, made, relation)
        return None

    def _has_names(self, part: Any) -> bool:
        return bool(self.definitions.letters(Side("", part)))

    def _worst(
        self, formula: Side, numbers: Side, parts: list[tuple[Any, Any]], made: Equation, relation: str
    ) -> Equation | None:
        shown = ShownNumbers(numbers)
        found = []
        for part, value in parts:
            cells = shown.cells(value)
            source = Side("", part)
            start = self.computing.from_start(source)
            if cells is None or start is None:
                return None
            line = self.definitions.faulty_line(self.definitions.letters(source))
            routes = Routes(start, self.computing.by_shown(source), wrong_line=None if line is None else str(line))
            found.append((judge_cells(cells, routes, relation, isinstance(part, Node)), line))
        verdict, line = min(found, key=lambda pair: WORST_FIRST.index(pair[0].kind))
        said = words.NUMBERS_PUT_IN if verdict.kind == RIGHT else verdict.words
        return replace(
            made,
            verdict=verdict.kind,
            words=said,
            entries=verdict.entries,
            right_value=verdict.right,
            local=verdict.local,
            from_start=verdict.from_start,
            code=verdict.code,
            follows_from=line if verdict.kind == FOLLOWS else None,
        )


def parts_put_in(formula: Any, numbers: Any) -> list[tuple[Any, Any]] | None:
    """Each part of the formula for which numbers stand on the other side; None where the two differ in form."""
    if not isinstance(numbers, Node):
        return None
    found: list[tuple[Any, Any]] = []
    return found if _matched(formula, numbers, found) else None


def _matched(formula: Any, numbers: Any, found: list[tuple[Any, Any]]) -> bool:
    if formula is numbers or formula == numbers:
        return True
    if isinstance(numbers, Literal) and isinstance(formula, Node) and formula.shape == numbers.shape:
        found.append((formula, numbers))
        return True
    if not isinstance(numbers, Node) and not isinstance(formula, Node) and not numbers.free_symbols:
        found.append((formula, numbers))
        return True
    if isinstance(formula, RowDivision) and isinstance(numbers, Scaling) and numbers.args[1] == 1:
        pairs = zip(
            formula.args, (numbers.args[0], numbers.args[2]), strict=True
        )  # divided by a column, and by a number
        return formula.args[1].shape == (1, 1) and all(_matched(a, b, found) for a, b in pairs)
    if isinstance(formula, Node) and formula.shape == (1, 1) and not isinstance(numbers, Node):
        found.append((formula, numbers))
        return not numbers.free_symbols
    same = type(formula) is type(numbers) and isinstance(formula, Node) and not isinstance(formula, Literal)
    if not same or len(formula.args) != len(numbers.args):
        return False
    return all(_matched(a, b, found) for a, b in zip(formula.args, numbers.args, strict=True))


class ShownNumbers:
    """The numbers in the text of a side, to know with how many digits each was written."""

    def __init__(self, side: Side) -> None:
        self.by_value: dict[Fraction, ClaimedNumber] = {}
        for claim in _numbers_in(side.text):
            known = self.by_value.get(abs(claim.value))
            if known is None or (claim.decimals > known.decimals):
                self.by_value[abs(claim.value)] = claim

    def cells(self, value: Any) -> Cells | None:
        """A matrix or number as claims; None where an entry does not stand in the text."""
        rows = value.matrix.tolist() if isinstance(value, Literal) else [[value]]
        made = [[self._claim(x) for x in row] for row in rows]
        return None if any(claim is None for row in made for claim in row) else tuple(map(tuple, made))  # type: ignore[arg-type]

    def _claim(self, x: Basic) -> ClaimedNumber | None:
        if not isinstance(x, Expr) or not x.is_Rational:
            return None
        fraction = Fraction(int(x.p), int(x.q))
        written = self.by_value.get(abs(fraction))
        if written is None and fraction.denominator != 1:
            return None  # worked out, and not written
        if written is None:
            return read_number(f"{'-' if fraction < 0 else ''}{abs(fraction)}")
        return read_number("-" + written.text) if fraction < 0 else written


def _numbers_in(text: str) -> Iterator[ClaimedNumber]:
    for found in NUMBER.finditer(text):
        try:
            yield read_number(found.group())
        except ReadingError:
            continue
