"""The value of a side of an equation: from the start, by the digits shown, within their rounding, or rounded in between."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import flint
from sympy import Basic, Expr, Integer, Rational, S, sqrt

from symtransformer.checking.definitions import Cells, Definition, Definitions
from symtransformer.checking.values import UNDEFINED, Comparisons, Undecided, Value, entry, number
from symtransformer.enclosures import BITS, Balls, precision
from symtransformer.errors import SymtransformerError
from symtransformer.evaluation import cells_of
from symtransformer.node import Node, substitute
from symtransformer.operation import compute
from symtransformer.reading.claimed_numbers import DECIMAL, EXACT, INFINITE, ClaimedNumber
from symtransformer.reading.sides import Side
from symtransformer.symbols import Letter, Literal

BALLS_FROM = BITS[1]


@dataclass(frozen=True)
class Computed:
    """A value with all its entries; `node` has explicit numbers at its leaves, or is an exact number."""

    node: Any
    listed: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        if not isinstance(self.node, Node):
            return 1, 1
        rows, columns = self.node.shape
        return int(rows), int(columns)  # type: ignore[call-overload]

    @cached_property
    def _cells(self) -> Any:
        return cells_of(self.node)

    def at(self, i: int, j: int) -> Value:
        """One entry, counted from 0."""
        if not isinstance(self.node, Node):
            return number(self.node)
        value = entry(self._cells, i, j)
        try:
            with precision(BITS[0]):
                value.ball_at(BITS[0])
        except SymtransformerError:
            exact = self._exact_entry(i, j)
            return UNDEFINED if exact is not None and exact.has(S.NaN, S.ComplexInfinity) else value
        return value

    def _exact_entry(self, i: int, j: int) -> Any:
        try:
            rows = self._cells.exact()
        except SymtransformerError:
            return None
        return None if rows is None else rows[i][j]

    def exact_number(self) -> Any:
        """A single entry as an exact number, where there is one; None else."""
        if not isinstance(self.node, Node):
            return self.node
        found = self._exact_entry(0, 0)
        return found if isinstance(found, Expr) and not found.has(S.NaN, S.ComplexInfinity) else None

    def turned(self) -> Computed:
        """A row as a column, or the other way round."""
        from symtransformer.operations import Transpose

        return Computed(Transpose(self.node) if isinstance(self.node, Node) else self.node, self.listed)


def value_of(claim: ClaimedNumber) -> Any:
    """The number that is written, exactly."""
    if claim.kind == INFINITE:
        return S.NegativeInfinity if claim.is_negative else S.Infinity
    if claim.kind not in (DECIMAL, EXACT):
        return S.NaN
    exact = Rational(claim.value.numerator, claim.value.denominator)
    return exact if claim.radicand == 1 else exact * sqrt(Integer(claim.radicand))


def computed_from(cells: Cells, is_number: bool, listed: bool) -> Computed | None:
    """What the digits say, taken for exact; None where one is undefined."""
    rows = [[value_of(claim) for claim in row] for row in cells]
    if any(x is S.NaN for row in rows for x in row):
        return None
    return Computed(rows[0][0] if is_number else Literal(rows), listed)


class Computing:
    """Puts values in for the names of a side."""

    def __init__(self, definitions: Definitions) -> None:
        self.definitions = definitions

    def from_start(self, side: Side) -> Computed | None:
        """With the exact value of every name."""
        return self._put_in(side, lambda definition: definition.exact)

    def by_shown(self, side: Side) -> Computed | None:
        """With the digits that the document shows for every name, where it shows any."""
        return self._put_in(side, _shown_value)

    def rounded(self, side: Side, decimals: int, depth: int = 12) -> Computed | None:
        """With every named value before it rounded to so many decimals."""

        def value(definition: Definition) -> Any:
            if definition.side is None or depth == 0:
                return definition.exact
            below = self.rounded(definition.side, decimals, depth - 1)
            return None if below is None else _rounded(below, decimals)

        return self._put_in(side, value)

    def values(self, side: Side, shown: bool) -> dict[Any, Any] | None:
        """What stands for the letters of a side: the digits shown for them, or their exact values."""
        return self._values(side, _shown_value if shown else lambda definition: definition.exact)

    def _values(self, side: Side, value: Callable[[Definition], Any]) -> dict[Any, Any] | None:
        found = {letter: value(self.definitions[name]) for name, letter in self.definitions.letters(side).items()}
        return None if any(x is None for x in found.values()) else found

    def _put_in(self, side: Side, value: Callable[[Definition], Any]) -> Computed | None:
        rule = self._values(side, value)
        if rule is None:
            return None
        try:
            return Computed(put_in(side.value, rule) if rule else side.value, side.listed)
        except SymtransformerError:
            return None

    def range_of(self, side: Side) -> Callable[[int, int], Callable[[int], Any]] | None:
        """Balls around all that the side may be if each digit shown is a rounding; None where no name has digits."""
        if not any(self.definitions[name].shown for name in self.definitions.letters(side)) or not isinstance(
            side.value, Node
        ):
            return None
        numbers, boxes = {}, {}
        for name, letter in self.definitions.letters(side).items():
            definition = self.definitions[name]
            if isinstance(letter, Letter):
                boxes[letter.name] = definition
            else:
                numbers[letter] = _shown_value(definition)
        try:
            root = put_in(side.value, numbers) if numbers else side.value
        except SymtransformerError:
            return None
        found: dict[int, Any] = {}

        def rows_at(bits: int) -> Any:
            if bits not in found:
                with precision(bits):
                    found[bits] = compute(root, Balls(), lambda letter: _box(boxes[letter.name]), {})
            return found[bits]

        return lambda i, j: lambda bits: rows_at(bits)[i][j]


def put_in(value: Any, rule: Mapping[Any, Any]) -> Any:
    """Values for the letters of a matrix expression, or of a number."""
    if isinstance(value, Node):
        return substitute(value, dict(rule))
    return value.xreplace(dict(rule))


def _shown_value(definition: Definition) -> Any:
    if definition.shown is None:
        return definition.exact
    shown = computed_from(definition.shown, not isinstance(definition.exact, Node), definition.listed)
    return None if shown is None else shown.node


def _box(definition: Definition) -> list[list[Any]]:
    if definition.shown is None:
        cells = cells_of(definition.exact)
        rows, columns = cells.shape
        return [[cells.ball_at(i, j)(flint.ctx.prec) for j in range(columns)] for i in range(rows)]
    return [[_ball(claim) for claim in row] for row in definition.shown]


def _ball(claim: ClaimedNumber) -> Any:
    value = value_of(claim)
    if isinstance(value, Basic) and not value.is_finite:
        return value
    middle = Balls().scalar(value)
    if claim.kind != DECIMAL or claim.place is None or claim.place >= 1:
        return middle
    half = claim.place / 2
    return middle + flint.arb(0, _upper(half))


def _upper(x: Fraction) -> Any:
    return flint.arb(flint.fmpq(x.numerator, x.denominator)).upper()


def _rounded(value: Computed, decimals: int) -> Any:
    rows, columns = value.shape
    made = []
    for i in range(rows):
        made.append([_nearest(value.at(i, j), decimals) for j in range(columns)])
    if any(x is None for row in made for x in row):
        return None
    return Literal(made) if isinstance(value.node, Node) else made[0][0]


def _nearest(value: Value, decimals: int) -> Any:
    if value.is_undefined:
        return None
    known = Comparisons(value)
    try:
        if infinite := known.infinite_sign():
            return S.Infinity if infinite > 0 else S.NegativeInfinity
        found = known.nearest(Fraction(1, 10**decimals))
    except Undecided:
        return None
    return None if found is None else Rational(found.numerator, found.denominator)
