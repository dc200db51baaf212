"""Words beside an equation that say in which arithmetic it holds: modulo 3, in binary, on a clock."""

from __future__ import annotations

import re

OTHER_ARITHMETIC = re.compile(
    r"(?<![A-Za-z])p?mod(?:ulo)?(?![A-Za-z])|(?<![A-Za-z])in binary(?! [a-z])|binary (?:arithmetic|numbers?|notation|digits|addition)|hexadecimal|octal|(?<![A-Za-z])in base [0-9]|"
    r"(?:二|2|八|8|十六|16) ?進|を法として|剰余|(?<![A-Za-z])saturating|carry-?less|(?<![A-Za-z])xor(?![a-z])|exclusive or|(?<![A-Za-z])clock(?![a-z])|-bit arithmetic",
    re.IGNORECASE,
)
OF_DIGITS = re.compile(
    r"(?<![A-Za-z])in binary(?! [a-z])|binary (?:arithmetic|numbers?|notation|digits|addition)|hexadecimal|octal|in base (?!10(?![0-9]))[0-9]|進(?!め|ん|む|み|展|化|歩|行)|"
    r"saturating|carry-?less|(?<![A-Za-z])xor(?![a-z])|exclusive or|(?<![A-Za-z])clock(?![a-z])|-bit arithmetic",
    re.IGNORECASE,
)
