"""The value of a side of an equation: from the start, by the digits shown, within their rounding, or rounded in between."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

from sympy import Expr, Integer, Rational, S

from symtransformer.checking.boxes import Boxed, box, is_rounded, number_ball, value_of
from symtransformer.checking.definitions import Cells, Definition, Definitions
from symtransformer.checking.growth import limit_growth
from symtransformer.checking.values import UNDEFINED, Comparisons, Undecided, Value, entry, number
from symtransformer.enclosures import BITS, precision
from symtransformer.errors import SymtransformerError, UndefinedValue
from symtransformer.evaluation import cells_of
from symtransformer.node import Node, substitute
from symtransformer.operation import compute
from symtransformer.operations.exponential import Exponential
from symtransformer.operations.logarithm import Logarithm
from symtransformer.operations.rows import Row
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.sigmoid import Sigmoid
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.tanh import Tanh
from symtransformer.operations.transpose import Transpose
from symtransformer.reading.sides import Side
from symtransformer.symbols import Letter, Literal

Rounding = dict[tuple[str, int], Any]  # a name, how far up it is followed -> its rounded value


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

    @cached_property
    def _row(self) -> Callable[[int], Computed]:
        return cache(lambda i: Computed(Softmax(Row(self.node.args[0], Integer(i)))))

    def at(self, i: int, j: int) -> Value:
        """One entry, counted from 0."""
        if not isinstance(self.node, Node):
            return number(self.node)
        if isinstance(self.node, Softmax) and self.shape[0] > 1:  # one row may be undefined, and another not
            return self._row(i).at(0, j)
        value = entry(self._cells, i, j)
        try:
            with precision(BITS[0]):
                value.ball_at(BITS[0])
        except SymtransformerError:
            return self._without_ball(value, i, j)
        return value

    def _without_ball(self, value: Value, i: int, j: int) -> Value:
        """Undefined, or what it tends to, as log 0 and e^∞; else as it is."""
        try:
            rows = self._cells.exact()
        except UndefinedValue:
            return UNDEFINED
        except SymtransformerError:
            limit = _limit(self.node)
            return value if limit is None else number(limit)
        undefined = rows is not None and rows[i][j].has(S.NaN, S.ComplexInfinity)
        return UNDEFINED if undefined else value

    def _exact_entry(self, i: int, j: int) -> Any:
        try:
            rows = self._cells.exact()
        except SymtransformerError:
            return None
        return None if rows is None else rows[i][j]

    def exact_entry(self, i: int, j: int) -> Any:
        """One entry as an exact number, where there is one; None else."""
        if not isinstance(self.node, Node):
            return self.node
        found = self._exact_entry(i, j)
        return found if isinstance(found, Expr) and not found.has(S.NaN, S.ComplexInfinity) else None

    def turned(self) -> Computed:
        """A row as a column, or the other way round."""
        return Computed(Transpose(self.node) if isinstance(self.node, Node) else self.node, self.listed)


# one-argument functions, each with what it tends to as its argument goes to −∞ and to ∞
AT_INFINITY: dict[type[Node], tuple[Any, Any]] = {
    Exponential: (S.Zero, S.Infinity), Logarithm: (None, S.Infinity), Tanh: (S.NegativeOne, S.One), Sigmoid: (S.Zero, S.One),
}  # fmt: skip


def _limit(node: Any) -> Any:
    """−∞ for log 0, ∞ for −log 0 and for e^∞, 1 for tanh ∞; None for anything else."""
    if isinstance(node, Scaling):
        inner, factor = _limit(node.args[0]), node.args[1] / node.args[2]
        return None if inner is None or not factor.is_nonzero else inner * factor
    if not isinstance(node, Node) or node.shape != (1, 1) or type(node) not in AT_INFINITY:
        return None
    inside = Computed(node.args[0]).exact_entry(0, 0) if isinstance(node.args[0], Node) else None
    if inside == 0 and isinstance(node, Logarithm):
        return S.NegativeInfinity
    is_infinite = inside is S.Infinity or inside is S.NegativeInfinity
    return AT_INFINITY[type(node)][inside is S.Infinity] if is_infinite else None


def computed_from(cells: Cells, is_number: bool, listed: bool) -> Computed | None:
    """What the digits say, taken for exact; None where one is undefined."""
    rows = [[value_of(claim) for claim in row] for row in cells]
    if len(rows) == len(rows[0]) == 1 and rows[0][0] is S.NaN:
        return Computed(S.NaN)
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

    def from_wrong(self, side: Side, depth: int = 12) -> Computed | None:
        """With the digits shown where they go wrong, and what follows from them unrounded."""

        def value(definition: Definition) -> Any:
            if definition.faulty is None or depth == 0:
                return definition.exact
            if definition.is_wrong or definition.side is None:
                return _shown_value(definition)
            below = self.from_wrong(definition.side, depth - 1)
            if below is None or isinstance(definition.exact, Node):
                return below and below.node
            return below.exact_entry(0, 0)

        return self._put_in(side, value)

    def rounded(self, side: Side, decimals: int, depth: int = 12, known: Rounding | None = None) -> Computed | None:
        """With every named value before it rounded to so many decimals; each is rounded once, however many use it."""
        known = {} if known is None else known

        def value(definition: Definition) -> Any:
            if definition.side is None or depth == 0:
                return definition.exact
            place = definition.name, depth
            if place not in known:
                below = self.rounded(definition.side, decimals, depth - 1, known)
                is_matrix = isinstance(definition.exact, Node)
                known[place] = None if below is None else _rounded(below, decimals, is_matrix)
            return known[place]

        return self._put_in(side, value)

    def values(self, side: Side, shown: bool) -> dict[Any, Any] | None:
        """What stands for the letters of a side: the digits shown for them, or their exact values."""
        return self._values(side, _shown_value if shown else lambda definition: definition.exact)

    def _values(self, side: Side, value: Callable[[Definition], Any]) -> dict[Any, Any] | None:
        letters = self.definitions.letters(side)
        if any(name not in self.definitions for name in letters):  # it has lost its value since
            return None
        found = {letter: value(self.definitions[name]) for name, letter in letters.items()}
        is_other = (isinstance(x, Node) and not isinstance(letter, Node) for letter, x in found.items())
        return None if any(x is None for x in found.values()) or any(is_other) else found  # a number became a matrix

    def _put_in(self, side: Side, value: Callable[[Definition], Any]) -> Computed | None:
        if side.value is None:
            return Computed(S.NaN) if side.shown is not None and len(side.shown) == len(side.shown[0]) == 1 else None
        rule = self._values(side, value)
        if rule is None:
            return None
        try:
            return Computed(put_in(side.value, rule) if rule else side.value, side.listed)
        except SymtransformerError:
            return None

    def range_of(self, side: Side) -> Callable[[int, int], Callable[[int], Any]] | None:
        """Balls around all that the side may be if each digit shown is a rounding; None where no name has digits."""
        letters = self.definitions.letters(side)
        if any(name not in self.definitions for name in letters):
            return None
        if not any(self.definitions[name].shown for name in letters):
            return None
        boxes = {letter: self.definitions[name] for name, letter in letters.items()}
        if not isinstance(side.value, Node):
            return lambda i, j: lambda bits: number_ball(side.value, boxes, bits)
        fixed = {x: d for x, d in boxes.items() if not isinstance(x, Letter) and not is_rounded(d)}
        numbers = {x: _shown_value(definition) for x, definition in fixed.items()}
        rounded = {x: d for x, d in boxes.items() if not isinstance(x, Letter) and x not in fixed}
        try:
            root = put_in(side.value, numbers) if numbers else side.value
        except SymtransformerError:
            return None
        found: dict[int, Any] = {}

        def rows_at(bits: int) -> Any:
            if bits not in found:
                with precision(bits):
                    found[bits] = compute(root, Boxed(rounded), lambda letter: box(boxes[letter]), {})
            return found[bits]

        return lambda i, j: lambda bits: rows_at(bits)[i][j]


def put_in(value: Any, rule: Mapping[Any, Any]) -> Any:
    """Values for the letters of a matrix expression, or of a number."""
    if isinstance(value, Node):
        return substitute(value, dict(rule))
    limit_growth(value, rule)
    return value.xreplace(dict(rule))


def _shown_value(definition: Definition) -> Any:
    if definition.shown is None:
        return definition.exact
    shown = computed_from(definition.shown, not isinstance(definition.exact, Node), definition.listed)
    return None if shown is None else shown.node


def _rounded(value: Computed, decimals: int, is_matrix: bool) -> Any:
    rows, columns = value.shape
    made = []
    for i in range(rows):
        made.append([_nearest(value.at(i, j), decimals) for j in range(columns)])
    if any(x is None for row in made for x in row):
        return None
    return Literal(made) if is_matrix else made[0][0]


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
