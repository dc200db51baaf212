"""How far a side of a relation reaches among prose: operands, operators between them, and nothing else."""

from __future__ import annotations

import re

from symtransformer.documents.operands import CJK_WORD, SCRIPTS, is_mathy, is_operator
from symtransformer.documents.signs import Sign

UNARY = frozenset("+-−－±∓")
COUNTED = frozenset([
    "step", "layer", "head", "figure", "table", "eq", "equation", "section", "chapter", "case", "row", "line", "part", "phase",
    "column", "token", "example", "第", "層", "ステップ", "手順",
])  # fmt: skip
JOINING = frozenset(
    ("and", "or", "so", "then", "thus", "with", "where", "if", "when", "has", "the", "since", "given", "let")
)
ARTICLES = frozenset(("a", "A", "I"))
PARTICLES_INSIDE = re.compile(r"[はがを]")
AFTER_A_NAME = re.compile(r"(?<=.)(?:です|では|から|なら|となる|は|が|を|に|で|と|の|も|だ)")
PARTICLE = re.compile(r"(?<=.)[はをが]\Z")
PARTICLE_AND_GAP = re.compile(r"(?<=.)(?:[はをがにでともへ]|から|まで|より|なら|れば|して|って)\Z")
BEFORE_A_SIGN = frozenset(
    ("is", "are", "gives", "give", "be", "equals", "becomes", "get", "to", "of", "as", "by", "from", *JOINING)
)
NAME_CHARACTERS = 12
ORDINAL = re.compile(r"[番回行列個目つ層章節項版]?[目]|番|行目|列目")


def left_of(signs: list[Sign], relation: int, low: int) -> int | None:
    """The offset where the left side begins, or None; `low` is the first sign that may belong to it."""
    start = _left_of(signs, relation, low)
    at = relation - 1
    while start is not None and at > low and signs[at - 1].end > start:
        at -= 1
    while start is not None and at > low and _operator_before(signs, at - 1, low) and signs[at].start == start:
        while at > low and not is_operator(signs[at]):
            at -= 1
        at -= 1 + (signs[at - 1].kind == "space")
        while at > low and signs[at - 1].kind in ("number", "word", *CJK_WORD):
            at -= 1
        start = signs[at].start
    return start


def _left_of(signs: list[Sign], relation: int, low: int) -> int | None:
    start: int | None = None
    at, expecting, gap = relation - 1, True, False
    while at >= low:
        sign = signs[at]
        first = sign.partner if sign.kind in ("close", "end") and sign.partner >= 0 else at
        if sign.kind == "space":
            gap = True
            at -= 1
        elif sign.kind == "raised":
            at -= 1
        elif expecting and sign.kind in (*CJK_WORD, "plain", "word") and not is_mathy(signs, at):
            name = _name_before(signs, at, low, alone=start is None)
            start = start if name is None else name
            if name is None or name > sign.start or not _operator_before(signs, at - 1, low):
                return start
            at, expecting, gap = at - 1, False, False
        elif (
            first >= low
            and is_mathy(signs, at if first == at else first)
            and (expecting or _may_stand_before(signs, first, at, low, gap))
        ):
            start = sign.start if first == at else signs[first].start
            at, expecting, gap = first - 1, False, False
        elif not expecting and is_operator(sign):
            if _operator_before(signs, at, low):
                at, expecting, gap = at - 1, True, False
            else:
                return sign.start if sign.text in UNARY and not (gap and at == low) else start
        elif expecting and is_operator(sign) and sign.text in UNARY and start is not None:
            start = sign.start
            at -= 1
        else:
            break
    return start if start is None else _with_numbers_before(signs, at, start, low)


def _with_numbers_before(signs: list[Sign], at: int, start: int, low: int) -> int:
    """1, 2, 3 = x: the last of several numbers is not the left side."""
    while at > low and signs[at].kind == "comma":
        number = at - 1 - (signs[at - 1].kind == "space")
        behind = at + 1 + (signs[at + 1].kind == "space")
        if number < low or signs[number].kind != "number" or signs[behind].kind != "number":
            break
        start, at = signs[number].start, number - 1
        at -= at >= low and signs[at].kind == "space"
    return start


def _operator_before(signs: list[Sign], at: int, low: int) -> bool:
    """At an operator that has an operand before it."""
    while at >= low and signs[at].kind == "space":
        at -= 1
    if at < low or not is_operator(signs[at]):
        return False
    sign, gap = signs[at], at
    at -= 1
    while at >= low and signs[at].kind == "space":
        at -= 1
    if at >= low and sign.text in UNARY and _ends_before(signs[at], has_gap=at < gap - 1):
        return False
    return at >= low and (
        is_mathy(signs, at) or signs[at].kind in (*CJK_WORD, "plain", "word") or signs[at].text in SCRIPTS
    )


def _ends_before(sign: Sign, has_gap: bool) -> bool:
    """Whether a word is no operand of the sign behind it: 損失は -ln(0.5), the loss is -ln(0.5)."""
    if sign.kind == "cjk":
        return (PARTICLE_AND_GAP if has_gap else PARTICLE).search(sign.text) is not None
    return has_gap and sign.kind in ("word", "plain") and sign.text.lower() in BEFORE_A_SIGN


def _may_stand_before(signs: list[Sign], first: int, at: int, low: int, gap: bool) -> bool:
    """Whether an operand belongs to the product that begins behind it."""
    if signs[at].kind == "close" and signs[at].text != "}" and is_number_in_brackets(signs, first, at):
        return False  # (1) x = 2
    if not gap:
        return True
    before = first - 1
    while before >= low and signs[before].kind == "space":
        before -= 1
    among_words = before >= low and signs[before].kind in (*CJK_WORD, "plain", "word") and not is_mathy(signs, before)
    if signs[at].text == "A" and among_words:
        return _is_capital(signs, at + 1 + gap)  # inside a sentence the article is a small letter
    if signs[at].text in ARTICLES:
        return not among_words and (before >= low or _is_capital(signs, at + 1 + gap))
    return not (signs[at].kind == "number" and among_words and signs[before].text.lower() in COUNTED)


def _is_capital(signs: list[Sign], at: int) -> bool:
    """A Aᵀ, A B: a product, as no word of a language is one capital letter."""
    text = signs[at].text if at < len(signs) else ""
    return re.split(r"[_.'′0-9]", text)[0].isupper()


def is_number_in_brackets(signs: list[Sign], first: int, last: int) -> bool:
    """(2) is the number of an equation, or a footnote; in f(2) it is an argument."""
    is_argument = first > 0 and signs[first - 1].kind in ("word", "command", "text")
    return not is_argument and [s.kind for s in signs[first + 1 : last] if s.kind != "space"] == ["number"]


def _name_before(signs: list[Sign], at: int, low: int, alone: bool) -> int | None:
    """The beginning of the word, or words, that end here."""
    sign = signs[at]
    if sign.kind in CJK_WORD:
        cuts = list(PARTICLES_INSIDE.finditer(sign.text, 0, len(sign.text) - 1))
        start = sign.start + (cuts[-1].end() if cuts else 0)
        if not cuts and at > low and signs[at - 1].kind in ("number", "word"):
            start = signs[at - 1].start
        return start if sign.end - start <= NAME_CHARACTERS else None
    words = [i for i in range(low, at + 1) if signs[i].kind != "space"]
    while len(words) > 1 and signs[words[0]].text.lower() in JOINING:
        words.pop(0)
    if alone and len(words) <= 3 and all(signs[i].kind in ("word", "plain") for i in words):
        return signs[words[0]].start
    return sign.start


def right_of(signs: list[Sign], relation: int, high: int) -> tuple[int, int] | None:
    """Offset and index where the right side ends, or None; `high` is the first sign that cannot belong to it."""
    end: tuple[int, int] | None = None
    at, expecting, gap = relation + 1, True, False
    while at < high:
        sign = signs[at]
        last = sign.partner if sign.kind in ("open", "begin") and sign.partner >= 0 else at
        if sign.kind == "space":
            gap = True
            at += 1
        elif expecting and is_operator(sign) and sign.text in (*UNARY, "|", "‖", "∥"):
            at += 1
        elif expecting and not is_mathy(signs, at) and sign.kind in (*CJK_WORD, "plain", "word"):
            name = _name_after(signs, at, high)
            if name is None or name[0] < sign.end:
                return name or end
            end, at, expecting, gap = name, name[1], False, False
        elif last < high and is_mathy(signs, at) and (expecting or _may_stand_after(signs, at, high, gap)):
            if sign.kind == "number" and _is_ordinal(signs, at, high):
                return None if end is None else end
            end = (signs[last].end, last + 1)
            at, expecting, gap = last + 1, False, False
        elif not expecting and is_operator(sign) and (sign.text in "|‖∥" or _operand_after(signs, at + 1, high)):
            if sign.text in "|‖∥" and not gap:
                end = (sign.end, at + 1)
            at, expecting, gap = at + 1, sign.text not in "|‖∥", False
        elif not expecting and sign.kind == "comma" and _more_numbers(signs, at + 1, high):
            at, expecting, gap = at + 1, True, False
        elif gap and not expecting and sign.kind in ("word", "plain") and _goes_on(signs, at, high):
            end = _name_after(signs, at, high)
            at, gap = (end or (0, high))[1], False
        elif not expecting and sign.kind == "cjk" and _goes_on(signs, at, high):
            end, at, gap = (sign.end, at + 1), at + 1, False
        else:
            break
    return end if at >= high or expecting or not is_operator(signs[at]) else (signs[high - 1].end, high)


def _goes_on(signs: list[Sign], at: int, high: int) -> bool:
    """A word in the middle of a formula: an operator follows, or up to two more words and an operator."""
    name = _name_after(signs, at, high)
    after = name[1] if name is not None and name[0] == signs[name[1] - 1].end else high
    while after < high and signs[after].kind == "space":
        after += 1
    operates = after < high and is_operator(signs[after]) and _operand_after(signs, after + 1, high)
    return operates and not (signs[at].kind == "cjk" and signs[after].text in "/／")  # 128次元/ヘッド


def _name_after(signs: list[Sign], at: int, high: int) -> tuple[int, int] | None:
    """The end of the word, or of up to three words that an operator or nothing follows."""
    sign = signs[at]
    if sign.kind in CJK_WORD:
        found = AFTER_A_NAME.search(sign.text)
        end = sign.start + (found.start() if found else len(sign.text))
        return (end, at + 1) if end - sign.start <= NAME_CHARACTERS else None
    last = at
    for i in range(at + 1, min(high, at + 6)):
        if signs[i].kind in ("word", "plain") and not is_mathy(signs, i):
            last = i
        elif signs[i].kind != "space":
            return (signs[last].end, last + 1) if is_operator(signs[i]) else (sign.end, at + 1)
    return (signs[last].end, last + 1) if last + 2 >= high else (sign.end, at + 1)


def _is_ordinal(signs: list[Sign], at: int, high: int) -> bool:
    """1行目 counts lines and is no number of a formula."""
    return at + 1 < high and signs[at + 1].kind == "cjk" and ORDINAL.match(signs[at + 1].text) is not None


def _operand_after(signs: list[Sign], at: int, high: int) -> bool:
    while at < high and (signs[at].kind == "space" or signs[at].text in UNARY or signs[at].text in "|‖∥"):
        at += 1
    return at < high and (is_mathy(signs, at) or signs[at].kind in (*CJK_WORD, "plain", "word"))


def _may_stand_after(signs: list[Sign], at: int, high: int, gap: bool) -> bool:
    sign = signs[at]
    if sign.kind == "open" and sign.text in ("(", "（"):
        percent = any(s.kind == "number" and s.text.endswith(("%", "％")) for s in signs[at : sign.partner])
        is_remark = percent or ((gap or sign.text == "（") and is_number_in_brackets(signs, at, sign.partner))
        return not is_remark and not (
            (gap or sign.text == "（") and _is_arithmetic(signs, at) and signs[at - 1 - gap].kind == "number"
        )
    after = at + 1
    while after < high and signs[after].kind == "space":
        after += 1
    words = after < high and signs[after].kind in ("word", "plain", *CJK_WORD) and not is_mathy(signs, after)
    return not (gap and (sign.kind == "number" or sign.text in ARTICLES) and words)


def _is_arithmetic(signs: list[Sign], at: int) -> bool:
    return all(s.kind in ("number", "operator", "space") for s in signs[at + 1 : signs[at].partner])


def _more_numbers(signs: list[Sign], at: int, high: int) -> bool:
    """1, 2, 3 is no single number, and its first is not what was claimed."""
    while at < high and (signs[at].kind == "space" or signs[at].text in UNARY):
        at += 1
    if at >= high or signs[at].kind != "number":
        return False
    after = at + 1
    while after < high and signs[after].kind == "space":
        after += 1
    return after >= high or signs[after].kind in ("comma", "stop")


def whole(signs: list[Sign], end: tuple[int, int] | None, high: int) -> tuple[int, int] | None:
    """A side is never cut in the middle of what is written without a space: it is taken to the end, and read or refused."""
    if end is None:
        return None
    at = end[1]
    while at < high and signs[at].start == end[0] and _belongs(signs, at, high):
        last = signs[at].partner if signs[at].kind in ("open", "begin") and at < signs[at].partner < high else at
        end = signs[last].end, last + 1
        at = last + 1
    return end


def _belongs(signs: list[Sign], at: int, high: int) -> bool:
    sign = signs[at]
    if sign.kind == "operator":  # of 128/ヘッド nothing is cut off, it is no operand
        return at + 1 < high and signs[at + 1].kind in ("word", "number", "open", "command")
    return sign.kind in ("word", "plain", "command", "number") or (
        sign.kind == "open" and sign.text in "([{" and _plain_inside(signs, at)
    )


def _plain_inside(signs: list[Sign], at: int) -> bool:
    return not any(s.kind in ("cjk", "stop") or s.text.endswith("%") for s in signs[at : max(at, signs[at].partner)])
