"""Formulas among prose, in languages with and without spaces between words.

A formula is what stands around a sign that relates: the longest run of operands and operators on either side. It
counts where there is mathematics in it, so `Q = [0, 1]` does and `Q = Query` does not.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from symtransformer.documents.operands import CJK_WORD, is_mathy, is_operator, solid_before
from symtransformer.documents.right_sides import MULTIPLIER, right_of, whole
from symtransformer.documents.sides import left_of
from symtransformer.documents.signs import Sign
from symtransformer.documents.words_before import with_words_before

CURRENCIES = ("$", "\\$", "＄", "€", "¥", "￥", "£")
STRONG_WORD = re.compile(r"√|[A-Za-z]_[A-Za-z0-9]{1,5}\Z")  # alone on its side, and still no word of a language
BINARY_SIGNS = frozenset("+＋×÷·⋅*/∘⊗⊕⊘@")  # a side does not begin with one
ONLY_BINARY = frozenset("×÷⊙⊗⊘")
CROSSES = frozenset("✕✖")
PUNCTUATION = frozenset(":;!?。．、！？：；…)）」』】〕’”\"'|#>")
ENDS_A_PIECE = ("comma", "relation", "other", "row", "rows", "open", "begin", "word", "plain", "cjk", "foreign")
CLOSERS = frozenset(")）」』】〕’”\"'#")
UNREAD = ("stop", "ampersand", "dots", "stars")
UNREAD_RELATIONS = frozenset("↑↓∼∝≫≪")
BREAKS = ("stop", "comma", "other", "url", "row", "rows")


@dataclass(frozen=True)
class Span:
    """From where to where in the text; `continues`: its first left side stands in a line before."""

    start: int
    end: int
    continues: bool = False


def formula_spans(signs: list[Sign], may_continue: bool) -> list[Span]:
    """The formulas of a line, in order."""
    found = []
    first = next((i for i, sign in enumerate(signs) if sign.kind != "space"), 0)
    for low, high in _stretches(signs):
        found += _spans_between(signs, low, high, may_continue and low <= first)
    return sorted(found, key=lambda span: span.start)


def _stretches(signs: list[Sign]) -> list[tuple[int, int]]:
    """What stands between the signs that part sentences: of the line, and of each bracket of prose in it."""
    found: list[tuple[int, int]] = []
    waiting = [(0, len(signs))]
    while waiting:
        low, high = waiting.pop()
        start = at = low
        while at < high:
            sign = signs[at]
            if sign.kind in BREAKS and sign.kind != "comma":
                found.append((start, at))
                start = at + 1
            elif sign.kind == "open" and sign.partner >= 0:
                if _is_of_prose(signs, at):
                    waiting.append((at + 1, sign.partner))
                at = sign.partner
            elif sign.kind == "begin" and sign.partner >= 0:
                at = sign.partner
            at += 1
        found.append((start, high))
    return [(start, end) for start, end in found if start < end]


def _is_of_prose(signs: list[Sign], at: int) -> bool:
    """Not an argument as in f(eps=1), an index or a piece of a list; in round brackets of prose a relation counts."""
    if signs[at].text not in ("(", "（") or signs[at].depth > 1:
        return False
    return at == 0 or signs[at - 1].kind not in ("word", "command", "text", "number") or _is_worked_out(signs, at)


def _is_worked_out(signs: list[Sign], opened: int) -> bool:
    """GPU(80 / 2 = 40): a calculation with numbers is no argument that has a name; print(2 + 3 == 6) asks."""
    relation = next((i for i in range(opened, signs[opened].partner) if signs[i].kind == "relation"), opened)
    if signs[opened - 1].kind != "word" or signs[relation].text == "==":
        return False
    left = [s for s in signs[opened + 1 : relation] if s.kind != "space"]
    return any(is_operator(s) for s in left) and all(s.kind in ("number", "raised") or is_operator(s) for s in left)


def is_bare_argument(signs: list[Sign], opened: int, relation: int) -> bool:
    """The eps in f(x, eps=1), and not the 2 + x of f(2 + x = 5)."""
    begin = max((i for i in range(opened, relation) if signs[i].kind == "comma"), default=opened)
    return not any(is_operator(s) for s in signs[begin + 1 : relation])


def _spans_between(signs: list[Sign], low: int, high: int, may_continue: bool) -> list[Span]:
    chains: list[list[tuple[int, int | None, int]]] = []  # relation, start of the left side, end of the right side
    reached, before = low, -1  # the index up to which signs are taken; the relation before
    relations = [i for i in range(low, high) if signs[i].kind == "relation" and signs[i].depth == signs[low].depth]
    for at, next_one in zip(relations, [*relations[1:], high], strict=False):
        linked = before >= 0 and _only_spaces(signs, reached, at)
        left = signs[before].end if linked else left_of(signs, at, reached)
        right = whole(signs, right_of(signs, at, next_one), next_one)
        if left is not None and not linked and right is not None:
            left = with_words_before(signs, left, at, reached, right)
        first = may_continue and _only_spaces(signs, low, at)
        if right is not None and counts(signs, left, at, right, first):
            if linked and chains and chains[-1][-1][0] == before:
                chains[-1].append((at, left, right[0]))
            else:
                chains.append([(at, left, right[0])])
        reached = right[1] if right is not None else at + 1
        before = at
    return [Span(signs[c[0][0]].start if c[0][1] is None else c[0][1], c[-1][2], c[0][1] is None) for c in chains]


def _is_compound(signs: list[Sign], at: int, left: int | None, right: tuple[int, int]) -> bool:
    """Q-K=V, the name of a variant, in a sentence: letters, hyphens and signs without a space."""
    first = next(i for i, s in enumerate(signs) if left is not None and s.start >= left) if left is not None else at
    run = signs[first : right[1]]
    letters = all(s.text in ("-", "=") or re.fullmatch("[A-Z]", s.text) for s in run)
    return letters and any(s.text == "-" for s in run) and len(signs) > len(run) + 2


def _only_spaces(signs: list[Sign], start: int, end: int) -> bool:
    return start <= end and all(s.kind == "space" for s in signs[start:end])


def _is_in_open_brackets(signs: list[Sign], first: int) -> bool:
    """The 3 of 2 × (3 + 4 = 14, where a bracket was forgotten: the side begins before it."""
    at = solid_before(signs, first)
    before = solid_before(signs, at)
    return before >= 0 and signs[at].kind == "open" and signs[at].partner < 0 and is_operator(signs[before])


def _is_cut_off(signs: list[Sign], first: int) -> bool:
    """What stands before the side may belong to it: 2 ✕ 5 = 5, .5 = 5, q . k = 5, 10€ + 3 = 3."""
    at = solid_before(signs, first)
    if at < 0:
        return False
    sign, has_gap = signs[at], at < first - 1
    operand = solid_before(signs, at)
    has_operand = operand >= 0 and _may_be_operand(signs, operand)
    if sign.kind == "operator" and _has_lost_an_operand(signs, at, operand, is_apart=has_gap):
        return True
    if sign.kind == "stop" and sign.text == ".":
        begins = at == 0 or signs[at - 1].kind == "space" or is_operator(signs[at - 1])
        is_decimal = begins and not has_gap and signs[first].kind == "number"
        return is_decimal or (has_operand and operand < at - 1 and signs[operand].kind != "atom")
    if signs[first].text in BINARY_SIGNS:
        return sign.kind not in ENDS_A_PIECE and (sign.text not in PUNCTUATION or sign.text in CLOSERS)
    if sign.kind == "stop" and unicodedata.category(sign.text[:1] or "\0")[0] in "CZ":
        return False  # a line ends
    if not (sign.text and (sign.kind in UNREAD or sign.text in UNREAD_RELATIONS)) or sign.text in PUNCTUATION:
        return False
    while operand >= 0 and signs[operand].kind == "stop" and signs[operand].text not in PUNCTUATION | {"."}:
        operand = solid_before(signs, operand)  # two such signs
    is_sign = unicodedata.category(sign.text[0]) == "Sm"  # ∫ 2 + 3
    is_word = operand >= 0 and sign.text in CROSSES and signs[operand].kind in ("word", "plain", *CJK_WORD)
    return is_sign or is_word or (operand >= 0 and _may_be_operand(signs, operand))


def _has_lost_an_operand(signs: list[Sign], at: int, operand: int, is_apart: bool) -> bool:
    """10€ × 3 = 30, ⌊7/2⌋ × 2 = 6: what × operates on is not read. A * or a · may be a mark of a list, or stress."""
    if signs[at].text in ONLY_BINARY:
        return True
    if signs[at].text not in BINARY_SIGNS or operand < 0 or is_apart != (operand < at - 1):
        return False
    return signs[operand].kind == "close" or (
        signs[operand].kind == "stop" and signs[operand].text not in PUNCTUATION | {""}
    )


def _may_be_operand(signs: list[Sign], at: int) -> bool:
    sign = signs[at]
    return sign.kind in ("number", "raised", "atom") or (sign.kind in ("word", "close") and is_mathy(signs, at))


# -- whether it is mathematics --------------------------------------------------------------------------------
def counts(signs: list[Sign], left: int | None, at: int, right: tuple[int, int], may_continue: bool) -> bool:
    """Whether the two sides, the second given by its offset and index, are mathematics."""
    first = at
    while left is not None and first > 0 and signs[first - 1].end > left:
        first -= 1
    before = [i for i in range(first, at) if signs[i].kind != "space"]
    after = [i for i in range(at + 1, right[1]) if signs[i].kind != "space"]
    if _is_compound(signs, at, left, right):
        return False
    if not after or (signs[after[0]].text == "{" and "\\" not in "".join(signs[i].text for i in after)):
        return False
    if before and signs[before[0] - 1].text in CURRENCIES and before[0] > 0:
        return False  # a price
    if before and (_is_in_open_brackets(signs, before[0]) or _is_cut_off(signs, before[0])):
        return False
    if left is None:
        return may_continue and _is_strong(signs, after) and not _counts_things(signs, after)
    if _is_name(signs, after):
        computes = any(is_operator(signs[i]) for i in before)
        return computes and any(signs[i].kind == "number" for i in before)
    if _is_strong(signs, before) or _is_strong(signs, after):
        return True
    return all(is_mathy(signs, i) for i in (*before, *after))


def _counts_things(signs: list[Sign], side: list[int]) -> bool:
    """16 in 16人."""
    following = signs[side[-1] + 1] if side[-1] + 1 < len(signs) else None
    return len(side) == 1 and following is not None and following.kind == "cjk" and ord(following.text[0]) > 0x3100


def _is_name(signs: list[Sign], side: list[int]) -> bool:
    """Words only, or a word with a number beside it as in 平均0 and 1行目, but not 3万."""
    if len(side) == 2 and {signs[i].kind for i in side} == {"cjk", "number"}:
        return MULTIPLIER.match(signs[side[1]].text) is None
    return all(signs[i].kind in ("cjk", "foreign", "word", "plain") and not is_mathy(signs, i) for i in side)


def _is_strong(signs: list[Sign], side: list[int]) -> bool:
    kinds = {signs[i].kind for i in side}
    if kinds & {"number", "atom", "begin"} or (kinds & {"command"} and len(side) > 1):
        return True
    if len(side) == 1 and STRONG_WORD.match(signs[side[0]].text):
        return True
    mathy = any(is_mathy(signs, i) for i in side)
    operates = any(is_operator(signs[i]) for i in side)
    return mathy and (operates or any(signs[i].kind == "open" for i in side) or len(side) > 1)
