r"""Units that sides end in, as in 3 \text{ GB}, and values that are said once more in brackets, as in 0.25 (25\%)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from symtransformer.documents.placed import Placed

UNIT = re.compile(  # 3 \text{ GB} at the end of a side
    r"(?<=[0-9}\s~])\\(?:text|mathrm|textrm|mbox)\{[~\s]*([A-Za-zµ]{1,12}(?:/[a-z]{1,3})?|[\u3041-\u30ff\u4e00-\u9fff]{1,8}|thousand|million|billion|trillion)[~\s]*\}[\s.,;]*\Z"
)
IN_NUMBERS = re.compile(r"(?:[\s0-9.,{}()+\-−×·⋅*/~$]|\\(?:cdot|times|,|;|:|!|left|right|frac|approx)(?![A-Za-z]))*")
A_NUMBER = re.compile(r"[\s0-9.,{}~]*[0-9}][\s~\\,]*")
REPEATED = re.compile(
    r"(?<![0-9A-Za-z_^.+*/×·-])(?P<value>[0-9]{1,12}(?:\.[0-9]{1,12})?)(?:\s|~|\\[ ,;:])*[(（]\s*"
    r"(?P<again>[0-9]{1,9}(?:\.[0-9]{1,9})?\s*\\?[%％]|[0-9]{1,9}\s*/\s*[1-9][0-9]{0,8})\s*[)）]\s*\Z"
)


def with_units(sides: list[Placed]) -> Iterator[tuple[Placed, bool]]:
    r"""Each side, and whether its unit is kept: where there are several, or 1 \text{ epoch} = 1000.

    One unit that all sides have counts nothing: 2 \cdot 84.9\text{M} = 170\text{M}.
    """
    units = [UNIT.search(side.text) for side in sides]
    names = {unit.group(1) for unit in units if unit}
    numbers = [side.cut(0, unit.start()) for side, unit in zip(sides, units, strict=True) if unit]
    if len(names) == 1 and len(numbers) == len(sides) and all(IN_NUMBERS.fullmatch(side.text) for side in numbers):
        yield from ((side, False) for side in numbers)
        return
    is_converted = (
        units[0] is not None and len(numbers) < len(sides) and A_NUMBER.fullmatch(numbers[0].text) is not None
    )
    yield from ((side, len(names) > 1 or is_converted) for side in sides)


def without_repeated(side: Placed) -> Placed:
    r"""0.25 (25\%), 0.375 (3/8): the value said once more in brackets, if it is; what is another number is left to be judged."""
    found = REPEATED.search(side.text)
    if found is None:
        return side
    value, shown = Fraction(found["value"]), found["again"]
    again = Fraction(re.sub(r"\s|\\\\?[%％]|[%％]", "", shown)) / (100 if shown[-1] in "%％" else 1)
    decimals = len(found["value"].partition(".")[2])
    places = len(shown.partition(".")[2].strip(" \\%％")) + 2 if shown[-1] in "%％" else 99
    is_same = abs(value - again) <= Fraction(1, 2 * 10 ** min(decimals, places))
    return side.cut(0, found.end("value")) if is_same else side
