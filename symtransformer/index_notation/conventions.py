"""Which letter counts what: i, j for positions, c, a for components, and never one that the expression holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from sympy import S, Symbol

from symtransformer.errors import LimitExceeded
from symtransformer.index_letters import index_letter
from symtransformer.node import Node
from symtransformer.scalars import entry_name

POSITIONS = ("i", "j", "l", "p", "k", "u", "t", "q", "r", "s")  # i queries, j keys
COMPONENTS = ("c", "a", "b", "f", "h", "g", "m", "n")
GREEK_LETTERS = ("mu", "kappa", "rho", "tau", "alpha", "beta", "xi", "omega")  # for either, where these are taken


class Letters:
    """Gives index letters that nothing in an expression bears, nor an entry of it as it is printed."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.taken: set[str] = set()
        for thing in {s for node in nodes for s in node._mentions}:
            name = str(getattr(thing, "name", thing))
            self.taken.add(name)
            self.taken.add(entry_name(name)[0])  # the matrix K has entries k_ij, so k counts nothing

    def of(self, size: Any, others: Collection[str] = ()) -> Symbol:
        """The first letter for this size that is not taken, nor among the others."""
        free = [x for x in (*_pool(size), *GREEK_LETTERS) if x not in self.taken]
        for name in free:
            if name not in others:
                return index_letter(name)
        for number in range(1, 10):
            name = f"{(free or _pool(size))[0]}{number}"
            if name not in others and name not in self.taken:
                return index_letter(name)
        raise LimitExceeded("an index form: more index letters than there are")

    def for_places(self, shape: tuple[Any, Any], others: Collection[str] = ()) -> list[Any]:
        """Letters for row and column: i and j, each kept where it is not among the others; 0 of a size 1."""
        usual: list[Any] = []
        for size in shape:
            usual.append(S.Zero if size == 1 else self.of(size, set(map(str, usual))))
        taken = set(others) | set(map(str, usual))
        for k, size in enumerate(shape):
            if size != 1 and str(usual[k]) in others:
                usual[k] = self.of(size, taken)
                taken.add(str(usual[k]))
        return usual

    def gives(self, letter: Symbol) -> bool:
        """Whether the letter is one of these, and not one that the expression itself counts with."""
        return str(letter) not in self.taken


def counts_components(size: Any) -> bool:
    """By convention sizes that begin with d count components, and all others positions."""
    return any(str(s).lower().startswith("d") for s in size.free_symbols)


def _pool(size: Any) -> tuple[str, ...]:
    return COMPONENTS if counts_components(size) else POSITIONS
