"""Sizes that are not known yet, and what follows when two of them must be equal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sympy import Expr, Integer, Symbol, cancel

from symtransformer.symbols import Letter, dimension

Shape = tuple[Any, Any]


class Sizes:
    """Unknown sizes are symbols of their own; `make_equal` finds out what they are."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.taken = set(taken)
        self.unknown: dict[Symbol, None] = {}
        self.found: dict[Symbol, Expr] = {}
        self._number = 0

    def fresh_name(self) -> str:
        while True:
            self._number += 1
            if (name := f"u{self._number}") not in self.taken:
                return name

    def fresh(self) -> Symbol:
        symbol = dimension(self.fresh_name())
        self.unknown[symbol] = None
        return symbol

    def resolved(self, size: Any) -> Any:
        """The size in terms of what is known now."""
        while open_ones := {s: self.found[s] for s in size.free_symbols if s in self.found}:
            size = size.xreplace(open_ones)
        return size

    def shape(self, shape: Shape) -> Shape:
        return self.resolved(shape[0]), self.resolved(shape[1])

    def of(self, letter: Letter) -> Letter:
        """The same letter with its sizes as they are known now."""
        name, rows, cols, *head = letter.args
        return Letter(name, *self.shape((rows, cols)), *head)

    def make_equal(self, left: Any, right: Any) -> bool:
        """Whether an unknown could be chosen so that both are equal; False where nothing is left to choose."""
        difference = (self.resolved(left) - self.resolved(right)).expand()
        if difference == 0:
            return False
        for symbol in reversed(self._in_order(difference)):
            factor = difference.coeff(symbol, 1)
            rest = (difference - factor * symbol).expand()
            if factor == 0 or symbol in rest.free_symbols or symbol in factor.free_symbols:
                continue
            solution = cancel(-rest / factor)
            whole = solution.is_Integer if not solution.free_symbols else solution.is_integer
            if whole and not solution.is_nonpositive:
                self.found[symbol] = solution
                return True
        return False

    def open_in(self, size: Any) -> list[Symbol]:
        return self._in_order(self.resolved(size))

    def _in_order(self, size: Any) -> list[Symbol]:
        return sorted((s for s in size.free_symbols if s in self.unknown), key=lambda s: int(s.name[1:]))


def is_one(size: Any) -> bool:
    return bool(size == Integer(1))
