r"""Commas between groups of digits: beside 1,048,576, which can be read in one way only, 2,048 is 2048 as well."""

from __future__ import annotations

import re
from dataclasses import replace

from symtransformer.documents.placed import Placed, joined
from symtransformer.documents.signs import Sign

COMMA = r"(?:,|\{,\})"
HEAD, GROUP = re.compile("[1-9][0-9]{0,2}"), re.compile("[0-9]{3}(?:[.][0-9]+)?")
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


def with_groups(signs: list[Sign]) -> list[Sign]:
    """786 , 432 as one number where another has two commas: nothing of it is cut off."""
    if not any(sign.kind == "number" and sign.text.count(",") > 1 for sign in signs):
        return signs
    made: list[Sign] = []
    for sign in signs:
        if len(made) > 1 and _is_group(made[-2], made[-1], sign):
            first = made[-2]
            made[-2:] = [replace(first, text=f"{first.text},{sign.text}", end=sign.end)]
        else:
            made.append(sign)
    return made


def _is_group(first: Sign, comma: Sign, behind: Sign) -> bool:
    touch = first.end == comma.start and comma.end == behind.start
    return (
        touch
        and comma.text == ","
        and HEAD.fullmatch(first.text) is not None
        and GROUP.fullmatch(behind.text) is not None
    )


def _is_inside(text: str, place: int) -> bool:
    """In brackets that are open at a place."""
    before = text[:place]
    return before.count("(") > before.count(")") or before.count("[") > before.count("]")
