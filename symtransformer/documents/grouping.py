r"""Commas between groups of digits: beside 1,048,576, which can be read in one way only, 2,048 is 2048 as well."""

from __future__ import annotations

import re

from symtransformer.documents.placed import Placed, joined

COMMA = r"(?:,|\{,\})"
NUMBER = re.compile(rf"(?<![\w.,}}])[1-9][0-9]{{0,2}}(?:{COMMA}[0-9]{{3}})+(?!\{{?,\}}?[0-9]|[0-9])")


def without_commas(formula: Placed) -> Placed:
    """Where one number has two commas, those with one go without it; not in brackets, where it may part entries.

    >>> from symtransformer.documents.placed import made
    >>> [without_commas(made(text, 0)).text for text in ("1,048,576 + 2,048 = (2,048)", "2,048 + 1 = 2,049")]
    ['1,048,576 + 2048 = (2,048)', '2,048 + 1 = 2,049']
    """
    numbers = [n for n in NUMBER.finditer(formula.text) if not _is_inside(formula.text, n.start())]
    commas = [list(re.compile(COMMA).finditer(formula.text, *n.span())) for n in numbers]
    pieces, done = [], 0
    for comma in (found[0] for found in commas if len(found) == 1):
        pieces.append(formula.cut(done, comma.start()))
        done = comma.end()
    return joined([*pieces, formula.cut(done)]) if any(len(found) > 1 for found in commas) else formula


def _is_inside(text: str, place: int) -> bool:
    """In brackets that are open at a place."""
    before = text[:place]
    return before.count("(") > before.count(")") or before.count("[") > before.count("]")
