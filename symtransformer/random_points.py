"""Random points at which two expressions are compared: sizes that differ, matrices and parameters of rationals."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sympy import Basic, Expr, ImmutableDenseMatrix, Integer, Rational, Symbol, srepr

from symtransformer.arguments import SIZE
from symtransformer.enclosures import Balls
from symtransformer.exact import Rows
from symtransformer.node import Node, digest, postorder
from symtransformer.operation import Operation
from symtransformer.symbols import Letter

SIZES = (2, 3, 5, 7, 4, 6)
MANY_HEADS, ALL_ONE = 2, 4  # the points at which counts are large, and at which every size is 1
POINTS, TRIES = 6, 30


def size_letters(*roots: Node) -> list[Symbol]:
    sizes = {s for node in postorder(*roots) for size in node.shape for s in size.free_symbols}
    return sorted(sizes, key=str)


@dataclass
class Point:
    sizes: dict[Basic, Basic]
    parameters: dict[Basic, Basic]
    matrices: dict[Letter, ImmutableDenseMatrix]
    small: bool
    source: random.Random

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
        return Rational(self.source.randint(-2 * 10**6, 2 * 10**6), self.source.randint(5 * 10**5, 10**6))

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


def points(left: Node, right: Node) -> Iterator[Point]:
    source = random.Random(digest(left) + digest(right))
    sizes = size_letters(left, right)
    free = {s for side in (left, right) for s in side._mentions if isinstance(s, Symbol)}
    counted = _counted(left, right)
    others = sorted(free - set(sizes), key=srepr)
    known = [*SIZES, *range(len(SIZES) + 2, len(sizes) + 2)]
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
            letter: Integer(n if letter.is_positive else n - 1) if letter in counted else _drawn(letter, a, k, source)
            for a, (letter, n) in enumerate(zip(others, small, strict=True))
        }
        yield Point({s: Integer(n) for s, n in zip(sizes, chosen, strict=True)}, parameters, {}, k == 0, source)


def _counted(*roots: Node) -> set[Basic]:
    """Letters that count something, such as heads and columns, and must stay small."""
    found: set[Basic] = set()
    for node in postorder(*roots):
        for k, arg in enumerate(node.args):
            of_letter = isinstance(node, Letter) and k == 3
            if of_letter or (
                isinstance(node, Operation) and k < len(node.parameters) and node.parameters[k].kind == SIZE
            ):
                found |= arg.free_symbols
    return found


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
