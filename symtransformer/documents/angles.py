r"""`<u, v>` and `\left< u, v \right>`: brackets, where < and > cannot relate what stands beside them."""

from __future__ import annotations

from collections.abc import Iterator

from symtransformer.documents.signs import BINARY, RELATIONS, Sign

ANGLES = "⟨⟩"
OF_FUNCTIONS = frozenset((r"\cos", r"\sin", r"\log", r"\ln", r"\exp", r"\tan"))
SIGNS_INSIDE = 40


def angle_brackets(signs: list[Sign]) -> Iterator[tuple[Sign, Sign, bool]]:
    r"""Each < with its >, and whether nothing but operators stands between them.

    < opens where nothing stands that could be smaller, and where a comma parts what it holds, or a bracket or an
    operator stands before it.

    >>> from symtransformer.documents.signs import signs_of
    >>> [(a.start, b.start, c) for a, b, c in angle_brackets(signs_of(r"e^{<x, y>} + \cos <u, v> < 1"))]
    [(3, 8, False), (18, 23, False)]
    >>> [*angle_brackets(signs_of("0 < x, y > 0")), *angle_brackets(signs_of("< 50, > 20 a^{<1>}"))]
    []
    """
    at = 0
    while at < len(signs):
        sign = signs[at]
        closing = _closing(signs, at) if sign.kind == "other" and sign.text == "<" else None
        if closing is None:
            at += 1
            continue
        inner = [s for s in signs[at + 1 : closing] if s.kind != "space"]
        is_empty = bool(inner) and all(s.kind == "operator" for s in inner)
        if is_empty or (inner and _opens(signs, at, any(s.kind == "comma" and s.depth == sign.depth for s in inner))):
            yield sign, signs[closing], is_empty
            at = closing
        at += 1


def _closing(signs: list[Sign], at: int) -> int | None:
    """The > that belongs to it: nothing relates between them."""
    for behind in range(at + 1, min(at + SIGNS_INSIDE, len(signs))):
        sign = signs[behind]
        if sign.depth < signs[at].depth or sign.kind in ("relation", "row", "rows", "text", "stop"):
            return None
        if sign.kind == "other" and sign.depth == signs[at].depth:
            return behind if sign.text == ">" else None
    return None


def _opens(signs: list[Sign], at: int, has_comma: bool) -> bool:
    before = next((s for s in reversed(signs[:at]) if s.kind != "space"), None)
    if before is None:
        inside = next(s for s in signs[at + 1 :] if s.kind != "space")
        return has_comma and inside.kind != "number"
    if before.text == "{" and not has_comma:
        return False  # the mark of a^{<1>}
    if before.kind in ("operator", "open") or before.text in BINARY or before.text in RELATIONS:
        return True
    return has_comma and before.text in OF_FUNCTIONS
