"""Short calculations among words: no line ends within 1 − p, and none in front of a sign."""

from __future__ import annotations

import re
from functools import cache


@cache
def _patterns(operand: str, sign: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    chain = re.compile(rf"(?:{operand})(?: (?:{sign}) -?(?:{operand}))+")
    return chain, re.compile(rf" ({sign}) (?=-?(?:{operand}))")


def tied(text: str, operand: str, sign: str, tie: str = "~") -> str:
    """Words of a target, with a space at which no line ends on both sides of a single sign, and before each of several.

    >>> tied("1 - p and 4 x 4 x 8 = 128", "[0-9]+|p", "[-x=]")
    '1~-~p and 4~x 4~x 8~= 128'
    """
    chain, signs = _patterns(operand, sign)

    def one(found: re.Match[str]) -> str:
        alone = len(signs.findall(found[0])) == 1
        return signs.sub(lambda sign: tie + sign[1] + (tie if alone else " "), found[0])

    return chain.sub(one, text)
