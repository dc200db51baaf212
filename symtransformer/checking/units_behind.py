r"""A unit behind a formula that is worked out without one: `$524288 / 1024 = 512$ KiB`.

Right is what the numbers give. Where they do not, the unit may have been worked in, and nobody is accused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from symtransformer.checking.computing import Computed
from symtransformer.checking.regions import is_right, scaled
from symtransformer.checking.values import Comparisons, Undecided
from symtransformer.reading.claimed_numbers import DECIMAL, EXACT
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.sides import Side

UNIT = re.compile(r"\s*\\text\{\((?:[KMGTP](?:i?B|bits?|FLOPs?|FLOP/s|Hz|W)|k[BW]|[mµn]s)\)\}\s*\Z")
TIMES = (
    7,
    8,
    12,
    24,
    30,
    60,
    100,
    168,
    365,
    1000,
    1024,
    1440,
    3600,
    10**4,
    86400,
    604800,
    10**6,
    2**20,
    10**8,
    10**9,
    2**30,
    10**12,
    2**40,
)
FACTORS = tuple(factor for n in TIMES for factor in (Fraction(n), Fraction(1, n)))
Sides = list[Side | ReadingError]


def units_left_out(
    texts: Sequence[str], sides: Sides, read: Callable[[str], Side | ReadingError]
) -> tuple[Sides, frozenset[int]]:
    """The sides of a chain, those with such a unit read without it, and which those are; all before are numbers alone."""
    made, found = list(sides), set()
    for k, text in enumerate(texts):
        unit = UNIT.search(text)
        if unit is not None and k > 0 and all(isinstance(side, Side) and not side.names for side in made[:k]):
            side = read(text[: unit.start()])
            if isinstance(side, Side) and not side.names:
                made[k] = side
                found.add(k)
    return made, frozenset(found)


def may_be_converted(side: Side | ReadingError, value: Computed | None) -> bool:
    """7200 = 2 hours: the number that is claimed is the value in a unit that is so many times as large, or as small."""
    if not isinstance(side, Side) or side.names or side.shown is None or value is None or value.shape != (1, 1):
        return False
    claim = side.shown[0][0]
    if len(side.shown) * len(side.shown[0]) > 1 or claim.kind not in (DECIMAL, EXACT) or claim.radicand != 1:
        return False
    number = Comparisons(value.at(0, 0))
    try:
        return any(is_right(scaled(claim, factor), number) for factor in FACTORS)
    except Undecided:
        return True
