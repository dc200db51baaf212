r"""A unit behind a formula that is worked out without one: `$524288 / 1024 = 512$ KiB`.

Right is what the numbers give. Where they do not, the unit may have been worked in, and nobody is accused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from symtransformer.reading.problems import ReadingError
from symtransformer.reading.sides import Side

UNIT = re.compile(r"\s*\\text\{\((?:[KMGTP](?:i?B|bits?|FLOPs?|FLOP/s|Hz|W)|k[BW]|[mµn]s)\)\}\s*\Z")
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
