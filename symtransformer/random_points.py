"""Random points at which two expressions are compared: sizes that differ, matrices and parameters of rationals."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sympy import (
    Abs,
    Add,
    Basic,
    Expr,
    Function,
    ImmutableDenseMatrix,
    Integer,
    KroneckerDelta,
    Max,
    Min,
    Mod,
    Mul,
    Piecewise,
    Pow,
    Rational,
    Symbol,
    ceiling,
    cos,
    erf,
    erfc,
    exp,
    floor,
    log,
    sin,
    srepr,
    tanh,
)

from symtransformer.arguments import SIZE
from symtransformer.enclosures import Balls
from symtransformer.errors import LimitExceeded
from symtransformer.exact import Rows
from symtransformer.node import Node, digest, postorder
from symtransformer.operation import Operation
from symtransformer.symbols import Letter, Literal

SIZES = (2, 3, 5, 7)  # each size takes each of these, and then one that is drawn
MANY_HEADS, ALL_ONE = 2, 4  # the points at which counts are large, and at which every size is 1
POINTS, TRIES = 6, 30
WIDE, WIDE_TRIES = (24, 48), 8
DIGITS_AT_MOST = 6_000  # of a whole number that a power or a function makes of letters
# these take no whole number to a long one; exp of a number stays as it is
SHORT = (Abs, KroneckerDelta, Max, Min, Mod, Piecewise, ceiling, cos, erf, erfc, exp, floor, log, sin, tanh)


def size_letters(*roots: Node) -> list[Symbol]:
    shapes = {size for node in postorder(*roots) for size in node.shape}
    return sorted({s for size in shapes for s in size.free_symbols}, key=str)  # type: ignore[arg-type]


def has_size_letters(root: Node) -> bool:
    """Whether some size is a letter; the first one found ends the walk."""
    return any(size.free_symbols for node in postorder(root) for size in node.shape)


@dataclass
class Point:
    sizes: dict[Basic, Basic]
    parameters: dict[Basic, Basic]
    matrices: dict[Letter, ImmutableDenseMatrix]
    small: bool
    source: random.Random
    positive: bool = False

    def rows(self, letter: Letter) -> Rows:
        sized = letter.xreplace(self.sizes)
        if sized not in self.matrices:
            rows, cols = (int(s) for s in sized.shape)
            if letter.is_permutation:
                places = self.source.sample(range(cols), cols)
                self.matrices[sized] = ImmutableDenseMatrix(rows, cols, lambda i, j: Integer(places[int(i)] == j))
            else:
                self.matrices[sized] = ImmutableDenseMatrix(rows, cols, lambda i, j: self._entry())
        return [[Balls().scalar(x) for x in row] for row in self.matrices[sized].tolist()]

    def _entry(self) -> Expr:
        if self.small:
            return Integer(self.source.randint(-2, 2))
        least = 1 if self.positive else -2 * 10**6
        return Rational(self.source.randint(least, 2 * 10**6), self.source.randint(5 * 10**5, 10**6))

    @property
    def counts(self) -> dict[Basic, Basic]:
        """Sizes, and how many heads there are."""
        return {**self.sizes, **{k: v for k, v in self.parameters.items() if k.is_integer and k.is_positive}}

    @property
    def shown(self) -> tuple[tuple[str, Any], ...]:
        scalars = {**self.sizes, **self.parameters}
        numbers = [(str(k), int(v) if v.is_Integer else v) for k, v in sorted(scalars.items(), key=lambda p: str(p[0]))]
        return (*numbers, *((str(k), v.tolist()) for k, v in self.matrices.items()))

    @property
    def described(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self.shown)[:300]


def points(*roots: Node) -> Iterator[Point]:
    source = random.Random("".join(map(digest, roots)))
    sizes = size_letters(*roots)
    counted = _counted(*roots)
    others = _others(*roots)
    known = [*SIZES, *(4, 6, *range(8, len(sizes) + 8))[: max(0, len(sizes) - len(SIZES))]]
    for k in range(TRIES):
        chosen = source.sample(range(2, 2 * len(sizes) + 8), len(sizes))
        if k < POINTS - 1:
            chosen = [known[(a + k) % len(known)] for a in range(len(sizes))]
        if k == ALL_ONE:
            chosen = [1] * len(sizes)
        small = source.sample(range(1, len(others) + 4), len(others))
        if k == MANY_HEADS:
            small = [number + 5 for number in small]
        parameters = {
            letter: _fitting(letter, _small(letter, n) if letter in counted else _drawn(letter, a, k, source))
            for a, (letter, n) in enumerate(zip(others, small, strict=True))
        }
        numbers = {s: _fitting(s, Integer(n)) for s, n in zip(sizes, chosen, strict=True)}
        if (point := _point(numbers, parameters, k == 0, source)) is not None:
            point.positive = k >= POINTS and k % 2 == 0  # what logarithms are taken of is above 0 at few other points
            yield point


def wide_points(*roots: Node) -> Iterator[tuple[Symbol, Iterable[Point]]]:
    """For each letter that counts something, points at which it is large and the other sizes are small."""
    source = random.Random("".join(map(digest, reversed(roots))))
    sizes, counted, others = size_letters(*roots), _counted(*roots), _others(*roots)

    def tries(wide: Symbol) -> Iterator[Point]:
        for k in range(WIDE_TRIES):
            numbers = {s: _fitting(s, Integer(source.randint(2, 3))) for s in sizes}
            parameters = {
                letter: _fitting(
                    letter, _small(letter, source.randint(1, 3)) if letter in counted else _drawn(letter, a, k, source)
                )
                for a, letter in enumerate(others)
            }
            large: Any = _fitting(wide, Integer(source.randint(*WIDE)))
            (numbers if wide in numbers else parameters)[wide] = large
            if (point := _point(numbers, parameters, False, source)) is not None:
                yield point

    for letter in (*sizes, *(s for s in others if s in counted and s.is_positive)):
        yield letter, tries(letter)


def sizes_apart(left: Any, right: Any) -> tuple[tuple[str, Any], ...] | None:
    """Numbers for which two sizes are unequal, as a counterexample; None if none was met."""
    letters = sorted({s for size in (*left, *right) for s in size.free_symbols}, key=str)
    source = random.Random(len(letters))
    for top in (3, 5, 8, 13, 40, 100) * 10:
        numbers = {s: _fitting(s, Integer(source.randint(1, top))) for s in letters}
        if None in numbers.values():
            continue
        here = [[size.xreplace(numbers) for size in side] for side in (left, right)]
        if all(x.is_Integer for side in here for x in side) and here[0] != here[1]:
            return tuple((str(s), int(n)) for s, n in numbers.items())  # type: ignore[arg-type]
    return None


def _others(*roots: Node) -> list[Symbol]:
    free = {s for side in roots for s in side._mentions if isinstance(s, Symbol)}
    return sorted(free - set(size_letters(*roots)), key=srepr)


def _point(numbers: Any, parameters: Any, small: bool, source: random.Random) -> Point | None:
    """None where a letter found no number that it may be."""
    return None if None in (*numbers.values(), *parameters.values()) else Point(numbers, parameters, {}, small, source)


def _counted(*roots: Node) -> set[Basic]:
    """Letters that must stay small: they count heads or columns, or stand in exponents and functions."""
    found: set[Basic] = set()
    for node in postorder(*roots):
        for k, arg in enumerate(node.args):
            of_letter = isinstance(node, Letter) and k == 3
            if of_letter or (
                isinstance(node, Operation) and k < len(node.parameters) and node.parameters[k].kind == SIZE
            ):
                found |= arg.free_symbols
    for scalar in _scalars(*roots):
        for part in scalar.atoms(Pow, Function):
            inside = part.exp if isinstance(part, Pow) else part
            found |= {s for s in inside.free_symbols if s.is_integer}
    return found


def _scalars(*roots: Node) -> Iterator[Basic]:
    for node in postorder(*roots):
        yield from (
            node.matrix.flat() if isinstance(node, Literal) else (a for a in node.args if not isinstance(a, Node))
        )


def _small(letter: Symbol, n: int) -> Expr:
    return Integer(n if letter.is_positive else n - 1)


def _drawn(letter: Symbol, place: int, k: int, source: random.Random) -> Expr:
    """A number as large as anybody's coincidence is small.

    Over the points, each letter is negative at some and positive at others, two letters not always alike,
    and all are large at one.
    """
    number = source.randint(2, 10**6)
    sign = -1 if (k >> place % 3) & 1 and not letter.is_nonnegative else 1
    far = {2: 30, 4: 10**4}.get(k, 1)
    return (
        Integer(sign * number)
        if letter.is_integer
        else Rational(sign * far * (number % 1993 + 1), source.randint(500, 1500))
    )


def _fitting(letter: Symbol, number: Expr) -> Expr | None:
    """The number, or one near it, that is all that is known of the letter: negative, even, ...; None if none is."""
    whole = Integer(abs(number.p))
    tries = (number, -number, 2 * number, -2 * number, whole, -whole, 2 * whole + 1, 1 / (1 + abs(number)), *map(Integer, range(-4, 8)))  # fmt: skip
    return next((x for x in tries if all(getattr(x, f"is_{fact}") is truth for fact, truth in letter.assumptions0.items())), None)  # fmt: skip


# -- numbers too long to be made ----------------------------------------------------------------------
def require_short(roots: Iterable[Node], values: Mapping[Basic, Basic]) -> None:
    """`LimitExceeded` before SymPy works out 2**(2**40), or the factorial of a million."""
    for scalar in _scalars(*roots):
        if scalar.free_symbols and _digits(scalar, values) > DIGITS_AT_MOST:
            raise LimitExceeded(f"{str(scalar)[:40]} would be a number of more than {DIGITS_AT_MOST} digits")


def _digits(x: Any, values: Mapping[Basic, Basic]) -> float:
    """About how many digits a number needs at most, above and below the line."""
    if isinstance(x, Symbol):
        value = values.get(x)
        return 3 if value is None else _digits(value, {})
    if x.is_Rational:
        return math.log10(max(abs(x.p), x.q)) + 1
    inside = [_digits(a, values) for a in x.args]
    if isinstance(x, (Add, Mul)):
        return sum(inside) + 1
    if isinstance(x, Pow):
        size = _size(x.exp, inside[1], values)
        return inside[0] * size if x.exp.is_integer or x.base.is_Rational else inside[0] + inside[1]
    if isinstance(x, Function) and not isinstance(x, SHORT) and any(a.is_integer for a in x.args):
        return sum(10 * _size(a, digits, values) for a, digits in zip(x.args, inside, strict=True))
    return max(inside, default=1)


def _size(x: Any, digits: float, values: Mapping[Basic, Basic]) -> float:
    """How large a number is: worked out where that is short, else from its digits."""
    number = x.xreplace(dict(values)) if digits < 15 else x
    return float(abs(number)) if number.is_Rational else 10.0 ** min(digits, 300)
