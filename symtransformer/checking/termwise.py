"""A sum of terms, and then each of them as a number: `e^3 + e^2 ≈ 20.086 + 7.389`, compared term by term."""

from __future__ import annotations

import re

OPENING, CLOSING = "([{（［｛", ")]}）］｝"
ENDS_A_TERM = frozenset("0123456789)]}）］｝²³'′ᵀ")


def terms_of(text: str) -> list[str]:
    """The text cut at every + and - outside brackets that stands behind a term; each piece keeps its sign."""
    pieces, depth, start = [], 0, 0
    for at, c in enumerate(text):
        if c in OPENING:
            depth += 1
        elif c in CLOSING:
            depth -= 1
        elif c in "+-−＋" and depth == 0 and _is_between(text[start:at], text[at + 1 :]):
            pieces.append(text[start:at])
            start = at + (c in "+＋")
    return [piece.strip() for piece in (*pieces, text[start:])]


def _is_between(before: str, behind: str) -> bool:
    """Whether a sign adds: a term stands before it, and neither a number in powers of ten nor a superscript."""
    before = before.rstrip()
    if re.search(r"(?<![A-Za-z_])[0-9.]*[0-9][eE]$", before):
        return False
    return bool(before) and (before[-1].isalnum() or before[-1] in ENDS_A_TERM) and bool(behind.strip())
