"""Three routes to a gradient: SymPy's derivative of each entry's formula, exact slopes, central differences."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import flint
from facet_checks import Refused, require, without_sums
from generic_numbers import BITS, PRIME, GenericNumbers, NoRootError, Number
from sympy import Basic, Dummy, Expr, Function, Integer, S, exp
from vjp_cases import COTANGENT, Subject

from symtransformer.enclosures import Balls, ball, precision
from symtransformer.node import Node, postorder
from symtransformer.operation import compute, unfolded
from symtransformer.operations import RMSDivision, RootMeanSquare, SquareRoot, StandardDeviation, Standardization
from symtransformer.symbols import Entry, Letter

Direction = tuple[tuple[tuple[int, ...], int], ...]  # places with weights
ENTRIES_AT_MOST = 150
TRIES = 500


def directions(subject: Subject, letter: Letter, head: tuple[int, ...]) -> list[Direction]:
    """Entry by entry; of a large subject, one drawn direction, in which every entry of the letter takes part."""
    places = [place for place in subject.places(letter) if place[:-2] == head]
    if sum(len(subject.places(a)) for a in subject.letters) <= ENTRIES_AT_MOST:
        return [((place, 1),) for place in places]
    rng = random.Random(f"{subject.name}, {letter.name}, {head}")
    return [tuple((place, rng.randrange(1, 10**9)) for place in places)]


def _along(rows: Any, direction: Direction) -> Any:
    first, *others = (rows[place[-2]][place[-1]] * weight for place, weight in direction)
    return sum(others, first)


def _row(rows: Any, place: tuple[int, ...]) -> Any:
    for k in place[:-1]:
        rows = rows[k]
    return rows


def _letters_in(key: Any) -> set[str]:
    """The names of the letters of a node, or of a node for some heads."""
    node = key[0] if isinstance(key, tuple) else key
    return {x.name for x in node._free if isinstance(x, Letter)}


WITH_ROOTS = (RMSDivision, RootMeanSquare, SquareRoot, StandardDeviation, Standardization)


# -- exact: a random point of a field ------------------------------------------------------------------
class Point:
    """Random residues for all letters, and what the expression and its slopes are there."""

    def __init__(self, subject: Subject, seed: str) -> None:
        self.subject, self.numbers = subject, GenericNumbers(seed)
        self.at = {name: self._drawn(rows) for name, rows in sorted(subject.values.items())}
        self.memo: dict[Any, Any] = {}

    def _drawn(self, rows: Any) -> Any:
        if isinstance(rows[0], list):
            return [self._drawn(row) for row in rows]
        return [Number(self.numbers.draw(), 0, ball(S(x))) for x in rows]

    def leaf(self, letter: Letter) -> Any:
        found = self.at[letter.name]
        return found if letter.head is None else found[int(letter.head)]  # type: ignore[call-overload]

    def settle(self, *expressions: Node) -> None:
        """Draw letters again until every number under a root is a square.

        The roots of few letters come first. At each, the letters are drawn that no earlier one holds; if there are
        none, those of the last one that shares some.
        """
        roots = [unfolded(root) for root in expressions]
        bound = {node.args[k] for node in postorder(*roots) for k in node.bound}
        nodes = [x for x in postorder(*roots) if isinstance(x, WITH_ROOTS) and not x._mentions & bound]
        nodes = [*sorted(nodes, key=lambda x: len(_letters_in(x))), *roots]
        drawn, at = dict[int, set[str]](), 0  # the letters that each of the first nodes was the first to hold
        for _ in range(TRIES):
            taken = self.numbers.roots_taken
            used = _letters_in(nodes[at])
            drawn[at] = used.difference(*(drawn[k] for k in range(at)))
            try:
                compute(nodes[at], self.numbers, self.leaf, memo=self.memo)
            except NoRootError:
                at = next((k for k in range(at, -1, -1) if drawn[k] & used), -1)
                if at < 0:
                    raise
                self._draw_again(drawn[at])
                continue
            drawn[at] = drawn[at] if self.numbers.roots_taken > taken else set()
            at += 1
            if at == len(nodes):
                return
        raise NoRootError

    def _draw_again(self, names: set[str]) -> None:
        self.at |= {name: self._drawn(self.subject.values[name]) for name in sorted(names)}
        self.memo = {key: rows for key, rows in self.memo.items() if not _letters_in(key) & names}

    def slope(self, letter: Letter, direction: Direction) -> int:
        """Σ_ij G_ij ∂Y_ij/∂x by arithmetic of pairs (value, slope)."""
        rows = self.at[letter.name]
        before = {place: _row(rows, place)[place[-1]] for place, _ in direction}
        for place, weight in direction:
            x = before[place]
            _row(rows, place)[place[-1]] = Number(x.residue, weight, x.real)
        terms = zip(self.at[COTANGENT], compute(self.subject.node, self.numbers, self.leaf), strict=True)
        total = sum(g.residue * y.slope for gs, ys in terms for g, y in zip(gs, ys, strict=True))
        for place, x in before.items():
            _row(rows, place)[place[-1]] = x
        return total % PRIME

    def gradient(self, gradient: Node) -> Any:
        return compute(gradient, self.numbers, self.leaf, memo=self.memo)


def point_of(subject: Subject, *others: Node, draw: int = 0) -> Point:
    """A point at which the subject, and other expressions of its letters, have values."""
    for attempt in range(10):
        with precision(BITS):
            point = Point(subject, f"{subject.name}, {draw}, {attempt}")
            try:
                point.settle(subject.node, *others)
            except NoRootError:
                continue
        return point
    raise NoRootError(f"{subject.name}: no point was found")


class Slopes:
    """The exact slopes of one subject, once for all gradients that are compared with them."""

    def __init__(self, subject: Subject) -> None:
        self.subject, self.point = subject, point_of(subject)
        self.known: dict[tuple[str, Direction], int] = {}

    def check(self, letter: Letter, head: tuple[int, ...], gradient: Node, quick: bool = False) -> None:
        """The gradient by a letter, or by one head of it.

        What is made of the roots that the function holds has a value wherever these exist. A gradient that has none
        there holds a root of something else; it is refused for that at once, or only if no other point is found.
        """
        what = f"{self.subject.name}: gradient by {letter.name}"
        require(gradient.shape == letter.shape, f"{what} has shape {gradient.shape}")
        point, known = self.point, self.known
        with precision(BITS):
            try:
                rows = point.gradient(gradient)
            except NoRootError as error:
                if quick:
                    raise Refused(f"{what} holds a root that the function does not hold") from error
                point, known = point_of(self.subject, gradient, draw=2), {}
                rows = point.gradient(gradient)
            for direction in directions(self.subject, letter, head):
                key = letter.name, direction
                if key not in known:
                    known[key] = point.slope(letter, direction)
                require(_along(rows, direction).residue == known[key], f"{what} at {direction[0][0]}")


# -- exact: SymPy's derivative of the formulas of the entries ---------------------------------------------------
class Power(Function):
    """e^x under another name, so that SymPy does not put powers together."""

    def fdiff(self, argindex: int = 1) -> Any:
        return self


def entry_formula(node: Any, i: int, j: int) -> Expr:
    """Entry (i, j) in entries of the letters, by the facet `element`."""
    return without_sums(node.entry(Integer(i), Integer(j), full=True).replace(exp, Power)).doit()  # type: ignore[no-any-return]


def check_by_sympy(subject: Subject) -> None:
    """Σ_ij G_ij ∂Y_ij/∂x minus the gradient is exactly 0, for each entry x."""
    rows, cols = (int(s) for s in subject.node.shape)
    point = point_of(subject, draw=1)
    formulas = [[entry_formula(subject.node, i, j) for j in range(cols)] for i in range(rows)]
    entries = sorted({e for row in formulas for x in row for e in x.atoms(Entry)}, key=str)
    names: dict[Basic, Basic] = {e: Dummy(real=True) for e in entries}
    with precision(BITS):
        known = {names[e]: point.leaf(e.parent)[int(e.i)][int(e.j)] for e in entries}  # type: ignore[attr-defined]
        plain = [[x.xreplace(names) for x in row] for row in formulas]
        found = {
            (route, letter, head): point.gradient(gradient)
            for route, gradients in subject.gradients.items()
            for letter in subject.letters
            for head, gradient in gradients[letter.name]
        }
        for letter in subject.letters:
            for place in subject.places(letter):
                member = letter if letter.head is None else letter.of_head(place[0])
                variable = names.get(member.entry(*place[-2:]))
                wanted = _slope(point, plain, variable, known) if variable is not None else 0
                for route in subject.gradients:
                    got = found[route, letter, place[:-2]][place[-2]][place[-1]].residue
                    require(
                        (got - wanted) % PRIME == 0, f"{subject.name}: {route} by {letter.name} at {place}, by SymPy"
                    )


def _slope(point: Point, plain: Any, variable: Basic, known: dict[Basic, Number]) -> int:
    total = 0
    for weights, row in zip(point.at[COTANGENT], plain, strict=True):
        for weight, formula in zip(weights, row, strict=True):
            if formula.has(variable):
                total += weight.residue * point.numbers.read(formula.diff(variable), known).residue
    return total


# -- central differences in 600 bits ---------------------------------------------------------------------------
class Differences:
    """(f(x + 2^-200) - f(x - 2^-200)) / 2^-199 for f = Σ_ij G_ij Y_ij, over balls."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.known: dict[tuple[str, Direction], Any] = {}
        self.memo: dict[Any, Any] = {}
        with precision(600):
            self.at = {name: _balls(rows) for name, rows in subject.values.items()}

    def leaf(self, letter: Letter) -> Any:
        found = self.at[letter.name]
        return found if letter.head is None else found[int(letter.head)]  # type: ignore[call-overload]

    def quotient(self, letter: Letter, direction: Direction) -> Any:
        rows, step = self.at[letter.name], flint.arb(2) ** -200
        before = {place: _row(rows, place)[place[-1]] for place, _ in direction}
        values = []
        for sign in (1, -1, 0):
            for place, weight in direction:
                _row(rows, place)[place[-1]] = before[place] + sign * weight * step
            if sign:
                terms = zip(self.at[COTANGENT], compute(self.subject.node, Balls(), self.leaf), strict=True)
                values.append(sum((g * y for gs, ys in terms for g, y in zip(gs, ys, strict=True)), flint.arb(0)))
        return (values[0] - values[1]) / (2 * step)

    def check(self, letter: Letter, head: tuple[int, ...], gradient: Node) -> Any:
        """The largest residual, a bound that holds."""
        largest = flint.arb(0)
        what = f"{self.subject.name}: gradient by {letter.name}"
        require(gradient.shape == letter.shape, f"{what} has shape {gradient.shape}")
        with precision(600):
            rows = compute(gradient, Balls(), self.leaf, memo=self.memo)
            for direction in directions(self.subject, letter, head):
                key = letter.name, direction
                if key not in self.known:
                    self.known[key] = self.quotient(letter, direction)
                residual = abs(_along(rows, direction) - self.known[key])
                require(bool(residual < flint.arb(10) ** -25), f"{what} at {direction[0][0]}, by differences")
                largest = largest.max(residual)
        return largest


def _balls(rows: Any) -> Any:
    return [_balls(row) for row in rows] if isinstance(rows[0], list) else [ball(S(x)) for x in rows]


@cache
def slopes_of(subject: Subject) -> Slopes:
    return Slopes(subject)


@cache
def differences_of(subject: Subject) -> Differences:
    return Differences(subject)


__all__ = ["Refused", "check_by_sympy", "differences_of", "slopes_of"]
