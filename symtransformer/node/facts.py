"""What is known of an expression, found once and shared by all that differ in names of letters only."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sympy import Basic, S


class Facts:
    """What is known of an expression beside its arguments; those that differ in names of letters only share it."""

    __slots__ = ("explicit", "families", "open_symbols", "plain", "shape", "symbols")

    def __init__(
        self,
        shape: tuple[Basic, Basic],
        open_symbols: frozenset[Basic],
        symbols: frozenset[Basic],
        families: frozenset[tuple[Basic, Basic]],
        plain: bool,
        explicit: bool,
    ) -> None:
        self.shape = shape
        self.open_symbols = open_symbols  # of numbers and heads
        self.symbols = symbols  # the same and those of sizes
        self.families = families  # letters that are counted inside, and how far
        self.plain = plain  # no composite is inside
        self.explicit = explicit  # every leaf is an explicit matrix


class FactsOfLetters(Facts):
    """What is known of all letters of one kind, size and head, which differ in their names; by those they are found."""

    __slots__ = ("__weakref__", "kind", "named", "of_one_head", "sizes")

    def __init__(self, kind: type, sizes: tuple[Basic, ...]) -> None:
        self.kind = kind
        self.sizes = sizes  # rows, columns, and the head of a member of a family
        self.named: dict[Any, Any] = {}
        of_head = frozenset[Basic]().union(*[x.free_symbols for x in sizes[2:]])
        self.of_one_head = len(sizes) > 2 and not of_head
        every = of_head.union(*[x.free_symbols for x in sizes[:2]])
        super().__init__((sizes[0], sizes[1]), of_head, every, NOTHING, plain=True, explicit=False)


NOTHING: frozenset[Any] = frozenset()
OF_NOTHING = Facts((S.Zero, S.Zero), NOTHING, NOTHING, NOTHING, plain=True, explicit=False)


facts_of = lru_cache(maxsize=4096)(Facts)  # what is equal is one object: a model says little of much


@lru_cache(maxsize=1024)
def symbols_of(scalar: Basic) -> frozenset[Basic]:
    """The symbols of a size or a factor: a model has thousands of a few."""
    return frozenset(scalar.free_symbols)


def joined(one: frozenset[Any], other: frozenset[Any]) -> frozenset[Any]:
    """Both together; what one of them holds already is that one."""
    return one if one is other or one >= other else other if other >= one else one | other
