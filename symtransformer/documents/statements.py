"""The statements of a row: what stands between commas and wide spaces, each with the signs that relate in it."""

from __future__ import annotations

import re

from symtransformer.documents.dressing import COLUMN, QUAD
from symtransformer.documents.inequalities import comparison
from symtransformer.documents.signs import BINARY, Sign

EQUATION_NUMBER = re.compile(
    r"\(\s*(?:[A-Z]?\.?[0-9]{1,3}(?:\.[0-9]{1,3}){0,2}[a-z]?|[ivx]{1,4}|[*†‡]{1,3}|\\(?:star|ast|dagger|ddagger))\s*\)'?"
)
LAYERS = 3  # of brackets around a whole statement


def unwrapped(signs: list[Sign]) -> list[Sign]:
    """Without the brackets around the whole statement; the same list if there are none."""
    inner = signs
    for _ in range(LAYERS):
        solid = [at for at, s in enumerate(inner) if s.kind != "space"]
        if len(solid) < 3 or inner[solid[0]].text not in ("(", "{", r"\{") or inner[solid[-1]].kind != "close":
            break
        within = inner[solid[0] + 1 : solid[-1]]
        if inner[solid[0]].partner < 0 or any(s.depth <= inner[solid[0]].depth for s in within):
            break
        inner = within
    return inner


def claims_something(signs: list[Sign]) -> bool:
    """Whether it claims something itself, or in brackets, as in (x = 1) => (y = 2)."""
    inner = unwrapped(signs)
    level = inner[0].depth
    if any(s.kind == "relation" and s.depth == level for s in inner):
        return True
    sides: list[list[Sign]] = [[]]
    for sign in inner:
        if sign.kind == "other" and sign.depth == level:
            sides.append([])
        else:
            sides[-1].append(sign)
    return len(sides) > 1 and any(side and claims_something(side) for side in sides)


def statements_of(signs: list[Sign]) -> list[tuple[list[Sign], int]]:
    """Statements between commas and wide spaces; what relates nothing belongs to the statement before, or to none."""
    parts: list[list[Sign]] = [[]]
    gaps = [""]  # what stands before each
    columns = 0
    for at, sign in enumerate(signs):
        columns += sign.depth == 0 and COLUMN in sign.text
        if sign.depth == 0 and (_parts(signs, at) or (COLUMN in sign.text and columns % 2 == 0)):
            gaps.append(sign.text if parts[-1] else gaps[-1] + sign.text)
            parts.append([])
        else:
            parts[-1].append(sign)
    found: list[tuple[list[Sign], int]] = []
    compared: list[tuple[list[Sign], int]] = []
    waiting: list[Sign] = []
    for number, part in enumerate(parts):
        solid = [s for s in part if s.kind != "space"]
        relates = claims_something(part) if part else False
        if not solid or (not relates and _is_remark(solid) and not _compares(part)):
            continue
        if not relates and _compares(part):
            compared.append((part, part[-1].end))
            continue
        if found and _is_equation_number(part, solid, behind_space=QUAD in gaps[number]):
            continue
        begins = solid[0].kind == "relation"
        if begins and found and not waiting:
            found[-1] = (found[-1][0] + part, part[-1].end)
        elif relates:
            found.append((waiting + part, part[-1].end))
            waiting = []
        elif found:
            found[-1] = (found[-1][0], part[-1].end)
        else:
            waiting += part
    return sorted(found + compared, key=lambda piece: piece[0][0].start) if compared else found


def _compares(part: list[Sign]) -> bool:
    """Whether it claims an inequality itself; not one that words stand before, as in (if x > 0)."""
    inner = unwrapped(part)
    solid = [s for s in inner if s.kind != "space"]
    level = inner[0].depth if inner else 0
    return bool(solid) and solid[0].kind != "text" and any(comparison(s) and s.depth == level for s in inner)


def _parts(signs: list[Sign], at: int) -> bool:
    """A comma, but not that of 1,000; a semicolon; a wide space, unless an operator stands beside it."""
    sign = signs[at]
    if QUAD in sign.text:
        before = next((s for s in reversed(signs[:at]) if s.kind != "space"), None)
        after = next((s for s in signs[at + 1 :] if s.kind != "space"), None)
        return not (_operates(before) or (_operates(after) and after is not None and after.text not in "-−±"))
    if sign.kind != "comma" or not 0 < at < len(signs) - 1:
        return sign.kind == "comma" or sign.text == ";"
    return not (signs[at - 1].kind == "number" and signs[at + 1].kind == "number")


def _operates(sign: Sign | None) -> bool:
    return sign is not None and (sign.kind == "operator" or sign.text in BINARY) and sign.text not in "|‖∥∣"


def _is_remark(solid: list[Sign]) -> bool:
    r"""\text{for all i}, i \in S, (n > 2), (\text{shape: } n): it claims no equality."""
    first = solid[1] if solid[0].kind == "open" and len(solid) > 1 else solid[0]
    return first.kind == "text" or any(s.kind == "other" for s in solid)


def _is_equation_number(part: list[Sign], solid: list[Sign], behind_space: bool) -> bool:
    """Behind a wide space, and nothing else."""
    return behind_space and EQUATION_NUMBER.fullmatch("".join(s.text for s in solid)) is not None
