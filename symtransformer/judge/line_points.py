"""A point for formulas of entries: numbers for sizes and entries, and balls of what a formula is there.

A derivative is that of the explicit entry by a symbol, which SymPy differentiates as a scalar: no rule of
an index derivation is used, and no product with a Jacobian that an operation declares.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import product as every_choice
from typing import Any

import flint
from sympy import Add, Basic, Derivative, Dummy, Integer, KroneckerDelta, Mul, Pow, Rational, Sum, Symbol, exp

from symtransformer.enclosures import Balls, ball
from symtransformer.errors import LimitExceeded, NotSupported
from symtransformer.exact import Exact, Rows
from symtransformer.index_letters import subformulas
from symtransformer.notation import counts_from_zero
from symtransformer.operation import compute
from symtransformer.symbols import Entry, Letter

ENTRIES_AT_MOST = 200
TINY = (2, 3, 4)  # sizes at which two sides are compared


class IndexPoint:
    """Numbers for sizes and entries, and the value of a formula there."""

    def __init__(self, left: Any, right: Any, seed: int) -> None:
        self.seed, self.draw = seed, random.Random(seed)
        letters = sorted({s for side in (left, right) for s in _size_letters(side)}, key=str)
        start = self.draw.randrange(len(TINY))
        self.sizes: dict[Basic, Basic] = {s: Integer(TINY[(start + k) % len(TINY)]) for k, s in enumerate(letters)}
        heads = sorted({s for side in (left, right) for s in _heads(side)}, key=str)
        self.heads = {s: self.draw.randrange(TINY[0]) for s in heads}  # of a free head: one that every count has
        self.letters: dict[tuple[Letter, int, int], tuple[Dummy, Rational]] = {}
        self.numbers: dict[Basic, Basic] = {}
        self.balls: dict[Any, Rows] = {}
        self.explicit: dict[Any, Rows] = {}
        self.bits = 0

    @property
    def described(self) -> list[str]:
        return [*(f"{s} = {k}" for s, k in self.sizes.items()), *(f"{s} = {k + 1}" for s, k in self.heads.items())]

    def of_entry(self, letter: Letter, i: int, j: int) -> tuple[Dummy, Rational]:
        key = (letter, i, j)
        if key not in self.letters:
            name, number = Dummy(f"x{len(self.letters)}", real=True), Rational(self.draw.randint(1, 40), 17)
            self.letters[key] = (name, number * self.draw.choice((1, 1, -1)))
            self.numbers[name] = self.letters[key][1]
        return self.letters[key]

    def whole(self, formula: Any, places: Mapping[Any, int]) -> int:
        known = {s: Integer(k) for s, k in {**self.heads, **places}.items()}
        value = formula.xreplace({**self.sizes, **known})
        if not value.is_Integer:
            raise NotSupported(f"{str(formula)[:40]} is no whole number")
        return int(value)

    def entry(self, x: Entry, places: Mapping[Any, int], symbolic: bool) -> Any:
        node: Any = self.of_heads(x.parent, places)
        table = self.explicit if symbolic else self.balls
        if not symbolic and self.bits != flint.ctx.prec:
            self.balls.clear()
            self.bits = flint.ctx.prec
        numbers = Exact(entries_at_most=ENTRIES_AT_MOST) if symbolic else Balls()
        rows = compute(node, numbers, lambda letter: self.rows(letter, symbolic), self.sizes, table)
        i, j = self.whole(x.i, places), self.whole(x.j, places)
        if not (0 <= i < len(rows) and 0 <= j < len(rows[0])):
            raise NotSupported("an entry outside of its matrix")
        return rows[i][j]

    def of_heads(self, node: Any, places: Mapping[Any, int]) -> Any:
        """The expression for the heads that are counted in it, or that the point has chosen."""
        heads = {s: Integer(k) for s, k in {**self.heads, **places}.items() if s in node._mentions}
        return node.xreplace(heads) if heads else node

    def by(self, x: Derivative, places: Mapping[Any, int]) -> Dummy:
        """The symbol of the entry by which a formula is differentiated."""
        by = x.variables[0]
        letter = self.of_heads(by.parent, places)
        return self.of_entry(letter, self.whole(by.i, places), self.whole(by.j, places))[0]

    def rows(self, letter: Letter, symbolic: bool) -> Rows:
        if letter.is_permutation:
            raise NotSupported("a permutation has no random entries")
        rows, columns = (self.whole(size, {}) for size in letter.shape)
        if rows * columns > ENTRIES_AT_MOST:
            raise LimitExceeded(f"{letter} is too large to be tried")
        cells = [[self.of_entry(letter, i, j) for j in range(columns)] for i in range(rows)]
        return [[cell[0] if symbolic else ball(cell[1]) for cell in row] for row in cells]

    def value(self, x: Any, places: Mapping[Any, int]) -> Any:
        """The formula as a ball."""
        if isinstance(x, Entry):
            return self.entry(x, places, symbolic=False)
        if isinstance(x, Derivative):
            return ball(self.formula(x.expr, places).diff(self.by(x, places)).xreplace(self.numbers))
        if isinstance(x, Sum):
            return sum((self.value(x.function, at) for at in self.ranges(x, places)), flint.arb(0))
        if isinstance(x, (Add, Mul)):
            parts = [self.value(a, places) for a in x.args]
            total = parts[0]
            for part in parts[1:]:
                total = total + part if isinstance(x, Add) else total * part
            return total
        if isinstance(x, Pow) and x.atoms(Entry):
            base = self.value(x.base, places)
            if x.exp.is_Integer:
                return base ** int(x.exp)
            return base ** ball(x.exp)
        if isinstance(x, KroneckerDelta):
            return flint.arb(int(self.whole(x.args[0], places) == self.whole(x.args[1], places)))
        if isinstance(x, exp):
            return self.value(x.args[0], places).exp()
        if x.atoms(Entry, Derivative, Sum, KroneckerDelta):
            return ball(self.formula(x, places).xreplace(self.numbers))
        return ball(x.xreplace({**self.sizes, **{s: Integer(k) for s, k in places.items()}}))

    def formula(self, x: Any, places: Mapping[Any, int]) -> Any:
        """The formula in letters for the entries, every sum written out."""
        if isinstance(x, Entry):
            return self.entry(x, places, symbolic=True)
        if isinstance(x, Derivative):
            return self.formula(x.expr, places).diff(self.by(x, places))
        if isinstance(x, Sum):
            return Add(*(self.formula(x.function, at) for at in self.ranges(x, places)))
        if isinstance(x, KroneckerDelta):
            return Integer(self.whole(x.args[0], places) == self.whole(x.args[1], places))
        if not x.args:
            return x.xreplace({**self.sizes, **{s: Integer(k) for s, k in places.items()}})
        return x.func(*(self.formula(a, places) for a in x.args))

    def ranges(self, x: Sum, places: Mapping[Any, int]) -> Iterator[dict[Any, int]]:
        letters = [limit[0] for limit in x.limits]
        spans = [range(self.whole(low, places), self.whole(high, places) + 1) for _, low, high in x.limits]
        for choice in every_choice(*spans):
            yield {**places, **dict(zip(letters, choice, strict=True))}


def _size_letters(formula: Any) -> set[Symbol]:
    """The letters of sizes: of matrices, and of the ranges of sums."""
    found: set[Symbol] = set()
    for part in subformulas(formula):
        if isinstance(part, Entry):
            found |= {s for s in part.parent._mentions if isinstance(s, Symbol) and s.is_positive}
        elif isinstance(part, Symbol) and part.is_integer and part.is_positive:
            found.add(part)
    return found


def _heads(formula: Any) -> set[Symbol]:
    """Letters of heads that no sum binds, nor an expression in which heads are put together."""
    bound = {s for part in subformulas(formula) if isinstance(part, Sum) for s in part.variables}
    entries = [part.parent for part in subformulas(formula) if isinstance(part, Entry)]
    return {s for node in entries for s in node._mentions if counts_from_zero(s)} - bound
