"""Words that make hundredths of a number: 25 percent, 25 percentage points, 25 パーセントポイント."""

from __future__ import annotations

import re

POINTS = r"percent(?:age)?[- ]points?(?![A-Za-z])|(?:pp|p\.p\.)(?![A-Za-z])|%-?\s?points?(?![A-Za-z])|(?:パーセント|[%％]) ?ポイント"
PERCENT = r"per ?cent(?![A-Za-z])|パーセント(?!ポイント)"
SIGN = r"\\?[%％](?!-?\s?points?| ?ポイント)"  # behind the dollar: $12.5$\,\%
ANYWHERE = re.compile(rf"(?<![A-Za-z])(?:{POINTS})", re.IGNORECASE)
BEHIND = re.compile(rf"[\s(~]*(?:(?P<points>{POINTS})|(?P<percent>{PERCENT}|{SIGN}))", re.IGNORECASE)
ALONE = re.compile(r"[\s,;:]*(?:(?:points?|pts)(?![A-Za-z])|ポイント)", re.IGNORECASE)
COUNTED_IN = re.compile(
    rf"(?<![A-Za-z])(?:measured |expressed |given |written )?in (?:(?P<points>{POINTS})|(?P<percent>{PERCENT}))|(?P<ja>{POINTS})(?:単位)?で",
    re.IGNORECASE,
)


def hundredths_told(before: str, behind: str) -> str:
    """What the number at the end of an equation is said to count: percent, points, perhaps points, or nothing.

    >>> hundredths_told("", " percent"), hundredths_told("The gap in percentage points is ", ""), hundredths_told("", " points")
    ('percent', 'points', 'perhaps')
    >>> hundredths_told("", ", which is 25 percentage points"), hundredths_told("", ".")
    ('perhaps', '')
    """
    found = BEHIND.match(behind) or COUNTED_IN.search(before) or COUNTED_IN.match(behind.lstrip(" ,;"))
    if found is not None:
        return "percent" if found["percent"] else "points"
    return "perhaps" if ALONE.match(behind) or ANYWHERE.search(behind) or ANYWHERE.search(before) else ""
