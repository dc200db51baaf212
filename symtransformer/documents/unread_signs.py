r"""Signs that relate and have become no relation: each is told of, unless it claims nothing.

Nothing is claimed by a bound or an index, as in \sum_{i=1}, by an argument, as in f(eps=1), by a label, or in words.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence

from symtransformer.documents.collecting import Collector
from symtransformer.documents.inequalities import comparison
from symtransformer.documents.lines import is_bare_argument
from symtransformer.documents.operands import is_mathy, is_operator
from symtransformer.documents.placed import Placed
from symtransformer.documents.records import Document, Problem
from symtransformer.documents.signs import Sign, signs_of

ABOUT = re.compile(r"(?<=[0-9)])[ \t]*(~)[ \t]*(?=[-−(]?[0-9])")
LABELS = frozenset(
    [
        r"\label",
        r"\tag",
        r"\ref",
        r"\eqref",
        r"\color",
        r"\textcolor",
        r"\hspace",
        r"\cite",
        r"\url",
        r"\href",
        r"\resizebox",
        r"\resizebox*",
        r"\scalebox",
    ]
)
WITH_LABEL = frozenset([r"\underbrace", r"\overbrace", r"\underline", r"\overset", r"\underset"])
CURRENCIES = ("$", "\\$", "＄", "€", "¥", "￥", "£")
ENDS_OF_SIDES = frozenset(("⌋", "⌉", "⟩", "〉", "}", *CURRENCIES))
BARS = ("|", "‖", "∥")
INSIDE = "a relation inside of a formula, or a condition; it is not checked"
NOT_CLEAR = "an equation seems to stand here, but where its sides begin and end is not clear"
RANGE = "~ between numbers: about, or from one to the other? write ≈ or –"


def _relates(sign: Sign) -> bool:
    return sign.kind == "relation" or comparison(sign) != ""


# -- inside of formulas --------------------------------------------------------------------------------------------
def unread_signs(document: Document, claimed: Collection[int]) -> list[Problem]:
    """Signs of the formulas that are not among the claimed places, each with its reason."""
    found: dict[int, Problem] = {}
    for passage in document.passages:
        signs = signs_of(passage.text)
        around = _around(signs)
        for at, sign in enumerate(signs):
            origin = passage.origins[sign.start]
            if _relates(sign) and origin not in claimed and not _claims_nothing(signs, at, around):
                place = document.place(origin)
                found[origin] = Problem("inside", INSIDE, place.file, place.line, place.column)
    return list(found.values())


def _around(signs: list[Sign]) -> list[int]:
    """For each sign the bracket that it stands in, or -1."""
    found, inside = [], [-1]
    for at, sign in enumerate(signs):
        if sign.kind in ("close", "end") and 0 <= sign.partner < at and len(inside) > 1:
            inside.pop()
        found.append(inside[-1])
        if sign.kind in ("open", "begin") and sign.partner > at:
            inside.append(at)
    return found


def _claims_nothing(signs: list[Sign], at: int, around: Sequence[int]) -> bool:
    """Below a sum, in a call, in a label, or between nothing."""
    beside = [_solid(signs, at, -1), _solid(signs, at, 1)]
    if all(i is None or _relates(signs[i]) for i in beside):
        return True
    first = around[at]
    while first > 0:
        opener, before = signs[first], _solid(signs, first, -1)
        sign = signs[before] if before is not None else opener
        if opener.text == "{" and (sign.text in LABELS or (sign.text in "_^" and not _is_told_below(signs, before))):
            return True
        if opener.text in ("(", "（") and _is_called(signs, first):
            return True
        first = around[first]
    return False


def _is_told_below(signs: list[Sign], script: int | None) -> bool:
    r"""\underbrace{0.2 + 0.3}_{= 0.5} says something of what stands above."""
    closed = _solid(signs, script, -1) if script is not None else None
    opened = signs[closed].partner if closed is not None and signs[closed].text == "}" else -1
    return opened > 0 and signs[opened - 1].text in WITH_LABEL


def _is_called(signs: list[Sign], opened: int) -> bool:
    """f(eps=1): a name, or what closes its index, directly before the bracket."""
    before = signs[opened - 1] if opened else None
    return before is not None and (before.kind in ("word", "command", "text", "raised", "plain") or before.text == "}")


def _solid(signs: list[Sign], at: int, step: int) -> int | None:
    at += step
    while 0 <= at < len(signs) and signs[at].kind == "space":
        at += step
    return at if 0 <= at < len(signs) else None


# -- among prose ---------------------------------------------------------------------------------------------------
def tell_unread(
    line: Placed, signs: list[Sign], spans: Sequence[tuple[int, int]], where: str, found: Collector
) -> None:
    """Puts a problem into `found` for each sign of a line that looks like that of an equation and is in no span."""
    around, starts = _around(signs), [start for start, _ in spans]
    for at, sign in enumerate(signs):
        if _relates(sign) and not _is_within(sign.start, spans, starts) and not _is_argument(signs, around[at], at):
            if _is_like_an_equation(signs, at, where):
                found.problem("not_clear", NOT_CLEAR, line.origins[sign.start])
    if where == "inline" or "\\" in line.text:
        return  # in LaTeX it is a space
    for about in ABOUT.finditer(line.text):
        if not _is_within(about.start(1), spans, starts):
            found.problem("about", RANGE, line.origins[about.start(1)])


def _is_within(at: int, spans: Sequence[tuple[int, int]], starts: Sequence[int]) -> bool:
    """Whether it is in one of the spans, which are in order."""
    before = bisect_right(starts, at) - 1
    return before >= 0 and at < spans[before][1]


def _is_argument(signs: list[Sign], opened: int, at: int) -> bool:
    return opened > 0 and _is_called(signs, opened) and is_bare_argument(signs, opened, at)


def _is_like_an_equation(signs: list[Sign], at: int, where: str) -> bool:
    """Numbers, or what is built of them, on one side or both; not a word or a ruler."""
    left, right = _solid(signs, at, -1), _solid(signs, at, 1)
    if any(i is not None and signs[i].kind in ("relation", "other") for i in (left, right)):
        return False
    if left is not None and left > 0 and _is_compound(signs, left):
        return False
    if right is None or _counts(signs, right):
        return right is None and where != "code" and _is_solid(signs, left)
    begins = _begins_number(signs, right) or _opens_number(signs, right)
    solid = [_is_solid(signs, left) or _closes(signs, left), _is_solid(signs, right) or begins]
    if left is None:
        return where != "code" and solid[1]
    if solid[1] and where != "code" and _ends_behind_a_number(signs, left):
        return True
    if signs[left].kind in ("cjk", "foreign", "plain", "quoted") or signs[right].kind in ("cjk", "foreign", "plain"):
        return False
    letters = [_is_code(signs[i]) or (signs[i].kind == "word" and is_mathy(signs, i)) for i in (left, right)]
    both = all(s or x for s, x in zip(solid, letters, strict=True))
    if where == "code" or signs[at].kind == "other":
        return both and any(solid)
    partner = signs[left].partner if signs[left].kind == "close" else -1
    return both or (solid[1] and (signs[left].kind == "word" or (partner > 0 and _is_called(signs, partner))))


def _closes(signs: list[Sign], at: int | None) -> bool:
    """⌋ or €, or a tag such as </b>: what may stand at the end of a side, though it is not read."""
    sign = signs[at] if at is not None else None
    return sign is not None and (sign.text in ENDS_OF_SIDES or (sign.kind == "url" and sign.text.startswith("</")))


def _begins_number(signs: list[Sign], at: int) -> bool:
    """.05, $5 and <b>5."""
    is_number = at + 1 < len(signs) and signs[at + 1].kind == "number"
    is_tag = signs[at].kind == "url" and signs[at].text.startswith("<")
    return is_number and (is_tag or signs[at].text == "." or signs[at].text in CURRENCIES)


def _ends_behind_a_number(signs: list[Sign], left: int) -> bool:
    """5 + 2 (tokens) = 7, 136800 円 = 13.68, 2^3^ = 8: a unit, a remark or a mark behind a number."""
    sign = signs[left]
    first = sign.partner if sign.kind == "close" else left
    before = _solid(signs, first, -1) if first > 0 else None
    if before is None or signs[before].kind != "number":
        return False
    return (
        sign.text == "^"
        or (sign.kind == "close" and sign.text in ")）")
        or (sign.kind == "cjk" and len(sign.text) <= 2)
    )


def _opens_number(signs: list[Sign], at: int) -> bool:
    """[[1, 2] and (1 + 2, where a bracket was forgotten."""
    if signs[at].partner >= 0:
        return False
    behind = at
    while behind < len(signs) and (signs[behind].kind in ("open", "space") or signs[behind].text in "-−－"):
        behind += 1
    return signs[at].text in ("(", "[") and behind < len(signs) and signs[behind].kind == "number"


def _is_code(sign: Sign) -> bool:
    """A piece of code that stands in a sentence."""
    return sign.kind == "stop" and not sign.text


def _counts(signs: list[Sign], number: int) -> bool:
    """The 16 of 16人, and the 1 of 1行目."""
    number += signs[number].text in CURRENCIES and number + 1 < len(signs)
    behind = signs[number + 1] if number + 1 < len(signs) else None
    return signs[number].kind == "number" and behind is not None and behind.kind == "cjk"


def _is_solid(signs: list[Sign], at: int | None) -> bool:
    """A number, a bar, a bracket of mathematics: no letter and no word."""
    if at is None:
        return False
    sign = signs[at]
    if sign.kind in ("number", "raised", "atom", "dots", "begin", "end", "fraction") or sign.text in BARS:
        return True
    if is_operator(sign) and sign.text in "-−－+±√":
        return True
    return sign.kind in ("open", "close", "command") and sign.text not in "{}" and is_mathy(signs, at)


def _is_compound(signs: list[Sign], left: int) -> bool:
    """The K of Q-K=V, the name of a variant."""
    return signs[left].kind == "word" and signs[left - 1].text == "-"


__all__ = ["ABOUT", "NOT_CLEAR", "tell_unread", "unread_signs"]
