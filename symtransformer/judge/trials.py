"""Two sides at random points, as balls: they differ at one, or are equal at all of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import flint
from sympy import Basic, S

from symtransformer.enclosures import Balls, precision
from symtransformer.errors import LimitExceeded, SymtransformerError
from symtransformer.exact import Rows
from symtransformer.judge.degrees import Degrees, degrees_of, larger
from symtransformer.judge.moderate import require_moderate
from symtransformer.judge.verdicts import TESTED, UNDECIDABLE, Verdict, refuted
from symtransformer.judge.work import Work
from symtransformer.node import Node
from symtransformer.operation import compute
from symtransformer.random_points import POINTS, TRIES, Point, points, require_short, wide_points

BITS = (192, 768, 3072)
CHECKED_DIGITS = 30
NO_VALUE = (SymtransformerError, ArithmeticError, IndexError, ValueError)


class Sides(Protocol):
    """What is compared at points: the expressions it is made of, and pairs of balls that must agree, with their places."""

    @property
    def roots(self) -> tuple[Node, ...]: ...

    @property
    def degrees(self) -> Degrees:
        """How often a size may be multiplied with itself in the difference of both."""
        ...

    def pairs(self, point: Point, memo: dict[Any, Rows]) -> Iterator[tuple[int, int, Any, Any]]: ...

    def refuted(self, point: Point, i: int, j: int, a: Any, b: Any) -> Verdict:
        """What is said where the pair at (i, j) differs."""
        ...


@dataclass(frozen=True)
class Equation:
    """Two expressions, entry by entry."""

    left: Node
    right: Node

    @property
    def roots(self) -> tuple[Node, ...]:
        return self.left, self.right

    @property
    def degrees(self) -> Degrees:
        return larger(degrees_of(self.left), degrees_of(self.right))

    def pairs(self, point: Point, memo: dict[Any, Rows]) -> Iterator[tuple[int, int, Any, Any]]:
        sides = [side.xreplace(point.parameters) for side in self.roots]
        left, right = (compute(side, Balls(), point.rows, point.sizes, memo) for side in sides)
        for i, rows in enumerate(zip(left, right, strict=True)):
            for j, (a, b) in enumerate(zip(*rows, strict=True)):
                yield i, j, a, b

    def refuted(self, point: Point, i: int, j: int, a: Any, b: Any) -> Verdict:
        place, shown = f"({i + 1}, {j + 1})", shown_apart(a, b)
        en = f"entry {place} is {shown[0]} on one side and {shown[1]} on the other for {point.described}"
        ja = f"{place} 成分が、一方の辺では {shown[0]}、他方では {shown[1]} になる（{point.described} のとき）"
        return refuted(en, ja, point.shown)


def at_points(sides: Sides) -> Verdict:
    """Refuted by a point, tested by many, undecidable where too few of them decide."""
    worst, decided, skipped, obstacle = flint.arb(0), 0, 0, "none of them fits what is known of the letters"
    tried_sizes: dict[str, set[int]] = {}
    tried: dict[Basic, set[Basic]] = {}
    work = Work(sides.roots)
    for point in points(*sides.roots):
        try:
            found = _at_point(sides, point, work, closely=True)
        except NO_VALUE as error:
            skipped += 1
            obstacle = str(error)  # outside of the domain, such as a division by 0: another point
            continue
        if isinstance(found, Verdict):
            return found
        worst = max(worst, found)
        decided += 1
        _note(tried, point)
        for size, number in point.counts.items():
            tried_sizes.setdefault(str(size), set()).add(int(number))  # type: ignore[call-overload]
        if decided == POINTS:
            wide = _at_wide_points(sides, work, tried_sizes, tried)
            return wide or _if_enough(sides, tried, _tested(decided, worst, tried_sizes, skipped))
    reason = f"only {decided} of {TRIES} random points could be decided; at another: {obstacle}"
    ja = f"{TRIES} 個のランダムな点のうち判定できたのは {decided} 個だけ（ほかの点では {obstacle}）"
    return Verdict(UNDECIDABLE, reason, reason_ja=ja)


def _tested(decided: int, worst: Any, tried_sizes: dict[str, set[int]], skipped: int) -> Verdict:
    residual = f"1e{_exponent(worst)}"
    shown = "; ".join(f"{s} = {', '.join(map(str, sorted(numbers)))}" for s, numbers in tried_sizes.items())
    sizes_en, sizes_ja = (f", for {shown}", f"（{shown}）") if shown else ("", "")
    left_out = f"; {skipped} points were left out, where a side has no value or an extreme one" if skipped else ""
    left_out_ja = f"。値を持たないか極端な値になる辺のある {skipped} 点は除いた" if skipped else ""
    reason = f"equal at {decided} random points within {residual}{sizes_en}{left_out}"
    ja = f"{decided} 個のランダムな点で、誤差 {residual} 以内で一致{sizes_ja}{left_out_ja}"
    return Verdict(TESTED, reason, decided, residual, reason_ja=ja)


def _note(tried: dict[Basic, set[Basic]], point: Point) -> None:
    for letter, number in {**point.sizes, **point.parameters}.items():
        tried.setdefault(letter, set()).add(number)


def _if_enough(sides: Sides, tried: dict[Basic, set[Basic]], verdict: Verdict) -> Verdict:
    """The verdict, unless both sides may agree at just the numbers tried, as a polynomial may be 0 at them."""
    for letter, degree in sides.degrees.items():
        numbers = tried.get(letter, set())
        if degree >= len(numbers):
            reason = f"{verdict.reason}; but a polynomial of degree {degree} in {letter} may be 0 at all of these"
            ja = f"{verdict.reason_ja}。ただし、{letter} の {degree} 次式は、試した値すべてで 0 になりうる"
            return Verdict(UNDECIDABLE, reason, reason_ja=ja)
    return verdict


def _at_wide_points(
    sides: Sides, work: Work, tried_sizes: dict[str, set[int]], tried: dict[Basic, set[Basic]]
) -> Verdict | None:
    """Each size once as a large number; None where the sides are equal there too."""
    for letter, tries in wide_points(*sides.roots):
        for point in tries:
            try:
                found = _at_point(sides, point, work, closely=False)
            except NO_VALUE:
                continue
            if isinstance(found, Verdict):
                return found
            tried_sizes.setdefault(str(letter), set()).add(int(point.counts[letter]))  # type: ignore[call-overload]
            _note(tried, point)
            break
        else:
            reason = f"no point with a large {letter} could be decided"
            return Verdict(UNDECIDABLE, reason, reason_ja=f"{letter} が大きい点では判定できない")
    return None


def _at_point(sides: Sides, point: Point, work: Work, closely: bool) -> Any:
    """A refutation, or how far apart the sides are at most: less than 1e-30.

    `closely` compares once more with all bits, and only where no number is so small or so large that
    a difference could hide behind them.
    """
    require_short(sides.roots, {**point.parameters, **point.sizes})
    for bits in BITS:
        work.spend(point)
        found = _compared(sides, point, bits)
        if isinstance(found, Verdict):
            return found
        if found < flint.arb(10) ** -CHECKED_DIGITS:
            if closely:
                work.spend(point)
                again = _compared(sides, point, BITS[-1], moderately=True)
                return again if isinstance(again, Verdict) else found
            return found
    raise LimitExceeded(f"{CHECKED_DIGITS} digits are not decided with {BITS[-1]} bits")


def _compared(sides: Sides, point: Point, bits: int, moderately: bool = False) -> Any:
    """A refutation, or how far apart the sides are at most, with so many bits."""
    worst, memo = flint.arb(0), dict[Any, Rows]()
    with precision(bits):
        for i, j, a, b in sides.pairs(point, memo):
            apart = apart_at_most(a, b)
            if apart is None:
                return sides.refuted(point, i, j, a, b)
            worst = max(worst, apart)
        if moderately:
            require_moderate([side.xreplace(point.parameters) for side in sides.roots], point.sizes, memo)
    return worst


def apart_at_most(a: Any, b: Any) -> Any:
    """An upper bound of |a - b|; None where they certainly differ."""
    if isinstance(a, Basic) or isinstance(b, Basic):  # infinite
        return flint.arb(0) if a is b else None
    return abs(a - b).upper() if (a - b).contains(0) else None


def _exponent(size: Any) -> int:
    return math.floor(float(((size + flint.arb(10) ** -99).log() / flint.arb(10).log()).mid()))


def shown_apart(a: Any, b: Any) -> tuple[str, str]:
    """Two numbers that differ, with as many digits as it takes to see it."""
    shown = _short(a, 6), _short(b, 6)
    for digits in (12, 24, 48, 96, 192, 384, 768):
        if shown[0] != shown[1]:
            break
        shown = _short(a, digits), _short(b, digits)
    return shown


def _short(value: Any, digits: int) -> str:
    if isinstance(value, Basic):
        return "−∞" if value is S.NegativeInfinity else "∞"
    middle = value.mid()
    plain = f"{float(middle):.6g}"
    if digits == 6 and "inf" not in plain and (float(middle) != 0 or middle == 0):
        return plain
    return str(middle.str(digits, radius=False))
