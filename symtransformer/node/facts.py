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


NOTHING: frozenset[Any] = frozenset()
OF_NOTHING = Facts((S.Zero, S.Zero), NOTHING, NOTHING, NOTHING, plain=True, explicit=False)


@lru_cache(maxsize=1024)
def symbols_of(scalar: Basic) -> frozenset[Basic]:
    """The symbols of a size or a factor: a model has thousands of a few."""
    return frozenset(scalar.free_symbols)


@lru_cache(maxsize=4096)
def joined(one: frozenset[Any], other: frozenset[Any]) -> frozenset[Any]:
    """Both together; equal ones are one object, since a model says few of them often."""
    return one if one >= other else one | other
