"""Index letters as people count them, from 1.

A formula counts from 0. In print every letter i is one larger than there, so i - 1 stands for i wherever it
occurs, and each place of an entry or a delta is one larger: x_{i+1} with i from 0 is x_{i+1} again, since
(i - 1) + 1 + 1 = i + 1, and X[0] is x_1.
"""

from __future__ import annotations

from typing import Any

from sympy import Sum, Symbol

from symtransformer.index_letters import subformulas
from symtransformer.notation import counts_from_zero
from symtransformer.symbols import Entry


class Counting:
    """The letters of some formulas that count places, and what numbers and places are called with them from 1.

    >>> from sympy import symbols
    >>> from symtransformer.index_letters import index_letter
    >>> k = index_letter("k")
    >>> counting = Counting(k)
    >>> counting.number(k), counting.place(k), counting.place(k + 1), counting.place(2 - k)
    (k - 1, k, k + 1, 4 - k)
    """

    def __init__(self, *formulas: Any) -> None:
        parts = [part for formula in formulas for part in subformulas(formula)]
        summed = {limit[0] for part in parts if isinstance(part, Sum) for limit in part.limits}
        heads = {s for part in parts if isinstance(part, Entry) for s in part.free_symbols}
        counted = {s for s in {*parts, *heads} if isinstance(s, Symbol) and counts_from_zero(s)}
        self.letters = frozenset(summed | counted)
        self._places: dict[Any, Any] = {}
        self.shift = {letter: letter - 1 for letter in self.letters}

    def has(self, formula: Any) -> bool:
        """Whether a letter that counts places occurs in it."""
        return any(isinstance(s, Symbol) and s in self.letters for s in formula.free_symbols)

    def number(self, formula: Any) -> Any:
        """A formula without entries, with letters that count from 1."""
        return formula.xreplace(self.shift) if self.has(formula) else formula

    def place(self, place: Any) -> Any:
        """A row or a column, counted from 1 as the letters in it are; the shorter of two ways to write it."""
        if place not in self._places:
            shown = self.number(place) + 1
            self._places[place] = min((shown, shown.expand()), key=lambda x: x.count_ops())
        return self._places[place]
