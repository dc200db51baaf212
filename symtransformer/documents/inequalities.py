r"""Signs that compare, as `<` and \ge: which they are, and how far what they compare reaches among prose."""

from __future__ import annotations

import re

from symtransformer.documents.lines import Span, counts
from symtransformer.documents.right_sides import right_of, whole
from symtransformer.documents.sides import left_of
from symtransformer.documents.signs import Sign

MEANT = {
    "<": "<", ">": ">", "≤": "≤", "≥": "≥", "≦": "≤", "≧": "≥", "≠": "≠", "<=": "≤", "=<": "≤", ">=": "≥", "!=": "≠", "=/=": "≠",
    r"\lt": "<", r"\gt": ">", r"\le": "≤", r"\leq": "≤", r"\leqq": "≤", r"\leqslant": "≤", r"\ge": "≥", r"\geq": "≥",
    r"\geqq": "≥", r"\geqslant": "≥", r"\ne": "≠", r"\neq": "≠", r"\not=": "≠",
}  # fmt: skip
COMPARING = frozenset(MEANT.values())
COMPARES = re.compile(r"[<>＜＞≤≥≦≧≠]|!=|=/=|\\(?:lt|gt|leq?q?|leqslant|geq?q?|geqslant|neq?|not\s*=)(?![A-Za-z])")
TAG = re.compile(
    r"</?(?:a|b|br|center|code|del|details|div|em|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|s|small|span|strong|sub|summary|"
    r"sup|table|tbody|td|th|thead|tr|tt|u|ul)(?:[ \t/][^<>\r\n]{0,300})?>",
    re.IGNORECASE,
)
ENDS = ("stop", "other", "url", "row", "rows", "relation")


def comparison(sign: Sign) -> str:
    r"""What the sign says, or nothing where it compares nothing: ≤ for \leq and <=."""
    return MEANT.get("".join(sign.text.split()), "") if sign.kind == "other" else ""


def comparing_spans(signs: list[Sign]) -> list[Span]:
    """The comparisons of a line that have mathematics on both sides, in order."""
    found = []
    for at, sign in enumerate(signs):
        if not comparison(sign) or _may_be_a_factorial(signs, at):
            continue
        low, high = _reach(signs, at)
        left, right = left_of(signs, at, low), whole(signs, right_of(signs, at, high), high)
        if left is not None and right is not None and counts(signs, left, at, right, False):
            found.append(Span(left, right[0]))
    return found


def _may_be_a_factorial(signs: list[Sign], at: int) -> bool:
    """4!=24, where no space tells ! from !=."""
    before = signs[at - 1] if at else None
    return signs[at].text == "!=" and before is not None and before.kind != "space"


def _reach(signs: list[Sign], at: int) -> tuple[int, int]:
    """The signs around it that belong to no other statement."""
    level = signs[at].depth
    low, high = at, at + 1
    while low > 0 and not _ends(signs[low - 1], level):
        low -= 1
    while high < len(signs) and not _ends(signs[high], level):
        high += 1
    return low, high


def _ends(sign: Sign, level: int) -> bool:
    """Outside of the bracket that a comparison stands in, or the sign of another statement beside it."""
    return sign.depth < level or (sign.depth == level and sign.kind in ENDS)
