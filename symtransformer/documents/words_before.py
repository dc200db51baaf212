"""What stands before the left side of an equation among prose and belongs to it: words that compute, what a colon divides."""

from __future__ import annotations

import re

from symtransformer.documents.operands import CJK_WORD, is_mathy, solid_before
from symtransformer.documents.sides import (
    CONJUNCTIONS,
    COUNTED,
    OPERATING,
    PARTICLE,
    is_number_in_brackets,
    left_of,
)
from symtransformer.documents.signs import Sign

COUNTED_JA = tuple(word for word in COUNTED if not word.isascii())
INTRODUCING = frozenset([
    "and", "is", "are", "so", "then", "thus", "that", "get", "gives", "where", "if", "when", "with", "since", "hence", "have",
    "therefore", "equals", "also", "but", "because", "here", "now", "finally", "becomes", "has", "namely",
])  # fmt: skip
INTRODUCES = re.compile(r"(?:[はがでにばとても]|から|なら|とき|ので)\Z")


def _before_colon(signs: list[Sign], at: int, left: int, bare: bool) -> int:
    """Where a side begins whose part behind a colon is at `at`: at 1/2 in 1/2 : 3/4, at 6 in `so 6 : 3 = 2`.

    What stands before the colon is a label if it ends in a word or a letter, is a number in brackets, or counts
    something, as in `Step 6: 3 = 3`. In doubt the side is taken whole, and read or refused.
    """
    colon = solid_before(signs, at)
    last = solid_before(signs, colon)
    if last < 0 or signs[colon].text != ":":
        return left
    if signs[last].kind not in ("number", "raised", "close") and not signs[last].text.startswith("√"):
        return left
    ended = next((i for i in range(last, -1, -1) if signs[i].kind in ("stop", "other", "relation")), -1)
    if ended >= 0 and signs[ended].kind == "relation":
        return left  # x = 2: 3 = 3
    start = left_of(signs, colon, ended + 1)
    if start is None:
        return left
    first = next(i for i in range(colon) if signs[i].end > start)
    as_label = signs[colon - 1].kind != "space" and signs[colon + 1].kind == "space"
    if signs[first].kind != "number" or first < last:
        if signs[first].partner == last and is_number_in_brackets(signs, first, last):
            return left
        computes = all(s.kind in ("number", "raised", "space", "operator") or s.text in "()" for s in signs[first:last])
        return start if computes or not as_label else left
    ahead = solid_before(signs, first)
    if ahead < 0 or signs[ahead].kind not in ("word", *CJK_WORD):
        return start if bare or not as_label else left
    word = signs[ahead].text.lower()
    if word in COUNTED or word.endswith(COUNTED_JA):
        return left
    introduces = word in INTRODUCING or (signs[ahead].kind == "cjk" and INTRODUCES.search(word) is not None)
    return start if not as_label or (introduces and bare) else left


def with_words_before(signs: list[Sign], left: int, relation: int, low: int, right: tuple[int, int]) -> int:
    """3 plus 4 = 7, half of 8 = 4: a number alone that equals a number, behind a word, is the end of what was said."""
    at = next(i for i in range(relation) if signs[i].end > left)
    before = solid_before(signs, at)
    number = solid_before(signs, before)
    if number >= low and signs[before].text.lower() in OPERATING and is_mathy(signs, number):
        begins = left_of(signs, before, low)
        return signs[number].start if begins is None else begins
    bare = [s.kind for s in signs[at:relation] if s.kind != "space"] == ["number"]
    bare &= [s.kind for s in signs[relation + 1 : right[1]] if s.kind != "space"] == ["number"]
    begins = _before_colon(signs, at, left, bare)
    if begins < left or not bare:
        return begins
    solid = [i for i in range(low, at) if signs[i].kind != "space"]
    if not solid or signs[solid[-1]].kind not in ("word", "plain", *CJK_WORD) or signs[right[1] - 1].text[-1] in "%％":
        return left
    word, counts = signs[solid[-1]], len(solid) > 1 and signs[solid[-2]].kind == "number"
    if word.text.lower() in INTRODUCING and not (counts and word.text.lower() == "and"):
        return left
    if word.kind == "cjk" and not counts and signs[at - 1].kind == "space":
        return left  # 結果 5 = 5
    if word.kind == "cjk" and (word.text in CONJUNCTIONS or (INTRODUCES if not counts else PARTICLE).search(word.text)):
        return left
    while len(solid) > 1 and signs[solid[-2]].kind in ("word", "plain", "number", *CJK_WORD):
        solid.pop()
    return signs[solid[-1]].start
