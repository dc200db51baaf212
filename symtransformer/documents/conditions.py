r"""For which indices a formula is claimed: `a_i (1 - a_i), \quad i = j`, or `If $i \neq j$:` in the words before it."""

from __future__ import annotations

import re

from symtransformer.documents.dressing import QUAD

LETTER = r"[i-nrst](?:_[a-z0-9]|')?"
SIGN = r"(?:=|≠|!=|<=?|>=?|≤|≥|\\(?:not\s*=|neq?|leq?|geq?|lt|gt)(?![A-Za-z]))"
CONDITION = re.compile(
    rf"\s*(?:\\text\s*\{{[^{{}}]*\}}|if|for|when|where|case)?[\s~]*\(?\s*({LETTER}\s*{SIGN}\s*{LETTER})\s*\)?[\s.:,;]*(?:\\text\s*\{{[^{{}}]*\}})?[\s.:]*\Z"
)
PARTING = re.compile(rf"[,，;{QUAD}]|(?=\\text\s*\{{)")
REACH = 12  # lines for which what is said in words is remembered


def condition_of(formula: str) -> str:
    r"""The condition, if this is nothing else.

    >>> condition_of("i = j"), condition_of(r"\text{if } j \neq k"), condition_of("h = 8"), condition_of("q = k")
    ('i = j', 'j \\neq k', '', '')
    """
    found = CONDITION.match(formula)
    return found.group(1) if found else ""


def condition_beside(row: str) -> str:
    """The condition among the parts of a row, behind what it is said of."""
    parts = PARTING.split(row)
    return next((condition for part in parts[1:] if (condition := condition_of(part))), "")
