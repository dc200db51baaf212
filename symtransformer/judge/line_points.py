"""A line in index notation at points: the same points as for any equation, and every value of the index letters.

A derivative is taken by forward differentiation of what it is taken of: no rule of an index derivation
is used, and no product with a Jacobian that an operation declares.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product as every_choice
from typing import Any

import flint
from sympy import Abs, Basic, Derivative, Expr, Integer, KroneckerDelta, Max, Min, Pow, S, Sum, Symbol

from symtransformer.domains import functions_in_pieces, is_in_pieces
from symtransformer.enclosures import Balls
from symtransformer.errors import NotSupported
from symtransformer.exact import Rows
from symtransformer.index_letters import bound_letters, free_letters, subformulas
from symtransformer.judge.degrees import Degrees, degrees_of, larger
from symtransformer.judge.duals import Dual, Duals
from symtransformer.judge.moderate import FAR, require_within
from symtransformer.judge.trials import shown_apart
from symtransformer.judge.verdicts import Verdict, refuted
from symtransformer.node import Node
from symtransformer.operation import compute
from symtransformer.operations.entry_formula import FormulaValues
from symtransformer.operations.ones import Ones
from symtransformer.operations.scaling import Scaling
from symtransformer.random_points import Point, size_letters
from symtransformer.symbols import Entry, Letter

PLACES_AT_MOST, SAMPLED = 81, 40
LETTERS_AT_MOST = 4  # of which some small point has every value, so that all ways in which they can be equal are met
WITH_PARTS = (Entry, Derivative, Sum, KroneckerDelta)


@dataclass(frozen=True)
class Line:
    """Two formulas of entries, for every value of the letters that count as far as `sizes` says."""

    left: Expr
    right: Expr
    sizes: Mapping[Symbol, Any]

    @property
    def indices(self) -> set[Symbol]:
        sides = (self.left, self.right)
        return {s for side in sides for s in (*free_letters(side), *bound_letters(side))}

    @property
    def roots(self) -> tuple[Node, ...]:
        """The matrices in it, and expressions that hold its sizes and numbers."""
        found: dict[Any, None] = {Ones(S.One, S.One): None}
        for side in (self.left, self.right):
            found |= dict.fromkeys(_matrices(side))
            found |= dict.fromkeys(_numbers_as_matrices(side, self.indices))
        return tuple(found)

    @property
    def degrees(self) -> Degrees:
        found = larger(degrees_of(self.left), degrees_of(self.right))
        return {s: degree for s, degree in found.items() if s not in self.indices}

    def pairs(self, point: Point, memo: dict[Any, Rows]) -> Iterator[tuple[int, int, Any, Any]]:
        reading = _Reading(point, Balls(), memo)
        for k, places in enumerate(self.places(point)):
            yield k, 0, reading.number(self.left, places), reading.number(self.right, places)

    def refuted(self, point: Point, i: int, j: int, a: Any, b: Any) -> Verdict:
        shown, places = shown_apart(a, b), self.places(point)[i]
        at = ", ".join([*(f"{x} = {k + 1}" for x, k in places.items()), point.described])
        en = f"one side is {shown[0]} and the other {shown[1]} for {at}"
        return refuted(en, f"一方の辺は {shown[0]}、他方は {shown[1]} になる（{at} のとき）", point.shown)

    def places(self, point: Point) -> list[dict[Any, int]]:
        """Every value of the index letters, or some where there are many."""
        reading = _Reading(point, Balls(), {})
        counts = [reading.whole(size, {}) for size in self.sizes.values()]
        choices: Any = every_choice(*map(range, counts))
        if math.prod(counts) > PLACES_AT_MOST:
            source = random.Random(str(counts))
            choices = [[source.randrange(count) for count in counts] for _ in range(SAMPLED)]
        return [dict(zip(self.sizes, choice, strict=True)) for choice in choices]


def _matrices(formula: Any) -> Iterator[Node]:
    for part in subformulas(formula):
        if isinstance(part, Entry):
            yield part.parent  # type: ignore[misc]


def _numbers_as_matrices(formula: Any, indices: set[Symbol]) -> Iterator[Node]:
    """The ranges of sums as sizes, and numbers as factors, so that points are drawn for the letters in them."""
    if isinstance(formula, Sum):
        for _, low, high in formula.limits:
            if not (high + 1 - low).free_symbols & indices:
                yield Ones(high + 1 - low, S.One)
        yield from _numbers_as_matrices(formula.function, indices)
        return
    if isinstance(formula, Entry) or not formula.free_symbols:
        return
    if isinstance(formula, Pow) and formula.exp.free_symbols - indices:
        yield Scaling(Ones(S.One, S.One), 2**formula.exp, S.One)
    if not formula.atoms(*WITH_PARTS) and not formula.free_symbols & indices:
        yield Scaling(Ones(S.One, S.One), formula, S.One)
        return
    for part in formula.args:
        yield from _numbers_as_matrices(part, indices)


class _Reading(FormulaValues):
    """Reads a formula at a point, over balls, or over balls with the slope by one entry."""

    def __init__(self, point: Point, numbers: Any, memo: dict[Any, Rows], by: tuple[Any, int, int] | None = None):
        super().__init__(numbers, [], {**point.parameters, **point.sizes})
        self.point, self.memo, self.by = point, memo, by
        self.slopes: dict[Any, _Reading] = {}
        self.rows: dict[Node, Rows] = {}

    def number(self, x: Any, letters: Mapping[Basic, int]) -> Any:
        value = self._number(x, letters)
        self.numbers.check([[value]])
        if self.by is None:
            require_within([[value]])
        return value

    def _number(self, x: Any, letters: Mapping[Basic, int]) -> Any:
        if isinstance(x, Derivative):
            return self._slope(x, letters)
        if not isinstance(x, Entry) and not x.atoms(*WITH_PARTS):
            return self.numbers.scalar(x.xreplace(self._known(letters)))
        if isinstance(x, Pow) and x.exp.free_symbols:
            x = Pow(x.base, x.exp.xreplace(self._known(letters)), evaluate=False)
        if isinstance(x, (Abs, Max, Min)) and self.by is None:
            first, *others = (self.number(a, letters) for a in x.args)
            for other in others:
                first = first.max(other) if isinstance(x, Max) else first.min(other)
            return abs(first) if isinstance(x, Abs) else first
        if type(x) in FAR:
            self._require_near(x, letters)
        return super().number(x, letters)

    def _require_near(self, x: Any, letters: Mapping[Basic, int]) -> None:
        inside = self.number(x.args[0], letters)
        if not abs(inside.x if isinstance(inside, Dual) else inside) < FAR[type(x)]:
            raise NotSupported(f"{type(x).__name__} of a number too far from 0")

    def _known(self, letters: Mapping[Basic, int]) -> dict[Basic, Basic]:
        return {**self.known, **{s: Integer(k) for s, k in letters.items()}}

    def _slope(self, x: Derivative, letters: Mapping[Basic, int]) -> Any:
        """The derivative by the entry at this place."""
        if self.by is not None:
            raise NotSupported("a derivative of a derivative")
        by = x.variables[0]
        letter, i, j = self._of_heads(by.parent, letters), self.whole(by.i, letters), self.whole(by.j, letters)
        rows, columns = (self.whole(size, letters) for size in letter.shape)
        if not (0 <= i < rows and 0 <= j < columns):
            raise NotSupported("a derivative by an entry outside of its matrix")
        self.number(x.expr, letters)  # has a value, whose parts are looked at
        own = self.slopes.setdefault((letter, i, j), _Reading(self.point, Duals(), {}, (letter, i, j)))
        value = own.number(x.expr, letters)
        self.terms = max(self.terms, own.terms)
        return flint.arb(0) if not isinstance(value, Dual) or value.t is None else value.t

    def _entry(self, x: Entry, letters: Mapping[Basic, int]) -> Any:
        node = self._of_heads(x.parent, letters)
        if node not in self.rows:
            self.rows[node] = compute(node, self.numbers, self._leaf, self.point.sizes, self.memo)
        rows, i, j = self.rows[node], self.whole(x.i, letters), self.whole(x.j, letters)
        if not (0 <= i < len(rows) and 0 <= j < len(rows[0])):
            raise NotSupported("an entry outside of its matrix")
        return rows[i][j]

    def _of_heads(self, node: Any, letters: Mapping[Basic, int]) -> Any:
        """The expression for the heads that are counted in it, or that the point has chosen."""
        heads: dict[Basic, Basic] = {s: v for s, v in self.point.parameters.items() if s in node._mentions}
        heads |= {s: Integer(k) for s, k in letters.items() if s in node._mentions}
        return node.xreplace(heads) if heads else node

    def _leaf(self, letter: Letter) -> Rows:
        rows = self.point.rows(letter)
        if self.by is None:
            return rows
        varied, r, c = self.by
        if letter.family is varied.family and letter.head != varied.head and letter.head is None:
            raise NotSupported(f"a slope by one head of {letter}")
        here = letter == varied
        return [
            [Dual(x, flint.arb(1) if here and (i, j) == (r, c) else None) for j, x in enumerate(row)]
            for i, row in enumerate(rows)
        ]


def what_points_leave_open(line: Line) -> str:
    """Parts of the line that may be one thing at every point tried and another elsewhere."""
    roots, found = line.roots, set[str]()
    has_sizes = bool(size_letters(*roots))
    for side in (line.left, line.right):
        found |= _open(side, line.indices, has_sizes)
    if pieces := functions_in_pieces(*roots):
        found |= set(pieces.split(", "))
    if has_sizes and len(line.sizes) > LETTERS_AT_MOST:
        found.add(f"more than {LETTERS_AT_MOST} index letters")
    if not has_sizes and math.prod(int(size) for size in line.sizes.values()) > PLACES_AT_MOST:
        found.add("places that were not tried")
    return ", ".join(sorted(found))


def _open(x: Any, indices: set[Symbol], has_sizes: bool) -> set[str]:
    if isinstance(x, Entry):
        plain = all(p in indices or p.is_Integer for p in (x.i, x.j))
        return set() if plain or not has_sizes else {"entries at places that are worked out"}
    if isinstance(x, KroneckerDelta):
        return set() if set(x.args[:2]) <= indices or not has_sizes else {str(x)}
    found = {str(x)[:40] if isinstance(x, Pow) else type(x).__name__} if is_in_pieces(x) else set()
    if x in indices and has_sizes:
        found.add(f"the number {x}")
    parts = x.args
    if isinstance(x, Sum):
        parts = (x.function,)
        if has_sizes and not all(low == 0 and (high + 1).is_positive for _, low, high in x.limits):
            found.add("a sum from or to a number")
    if isinstance(x, Derivative):
        parts = (x.expr, x.variables[0])
    return found.union(*(_open(part, indices, has_sizes) for part in parts))
