"""How far the left side of a relation reaches among prose: operands, operators between them, and nothing else."""

from __future__ import annotations

import re

from symtransformer.documents.operands import CJK_WORD, SCRIPTS, is_mathy, is_operator, solid_before
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
PARTICLE = re.compile(r"(?<=.)[はをが]\Z")
PARTICLE_AND_GAP = re.compile(r"(?<=.)(?:[はをがにでともへ]|から|まで|より|なら|れば|して|って)\Z")
PARTICLES = frozenset("はがをにでともへや")
CONJUNCTIONS = frozenset(
    [
        "また",
        "よって",
        "ゆえに",
        "すると",
        "つまり",
        "すなわち",
        "従って",
        "したがって",
        "なお",
        "ここで",
        "そして",
        "次に",
    ]
)
JOINED = re.compile(rf"(?:{'|'.join(sorted(CONJUNCTIONS))})(?=.)")
BEFORE_A_SIGN = frozenset(
    ("is", "are", "gives", "give", "be", "equals", "becomes", "get", "to", "of", "as", "by", "from", "that", *JOINING)
)
# what operates in words
OPERATING = frozenset(
    [
        "plus",
        "minus",
        "times",
        "mod",
        "over",
        "choose",
        "of",
        "足す",
        "たす",
        "引く",
        "ひく",
        "かける",
        "掛ける",
        "割る",
        "わる",
    ]
)
NAME_CHARACTERS = 12
COUNTING_CHARACTERS = 4
COUNTING_WORDS = frozenset((
    "個", "台", "人", "枚", "本", "回", "倍", "時間", "分", "秒", "日", "円", "件", "語", "点", "度", "割", "乗", "次元", "トークン", "バイト", "ビット",
))  # fmt: skip


def left_of(signs: list[Sign], relation: int, low: int) -> int | None:
    """The offset where the left side begins, or None; `low` is the first sign that may belong to it."""
    start = _left_of(signs, relation, low)
    at = relation - 1
    while start is not None and at > low and signs[at - 1].end > start:
        at -= 1
    while start is not None and at > low and _operator_before(signs, at - 1, low) and signs[at].start == start:
        at -= 1  # also from the minus of 2 × -3
        while at > low and not is_operator(signs[at]):
            at -= 1
        at -= 1 + (signs[at - 1].kind == "space")
        at = signs[at].partner if low <= signs[at].partner < at else at
        while (
            at > low
            and signs[at - 1].kind in ("number", "word", *CJK_WORD)
            and not ends_before(signs[at - 1], has_gap=False)
        ):
            at -= 1
        if at > low and signs[at - 1].text in UNARY and not _operator_before(signs, at - 1, low):
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
            if (number := _number_with_unit(signs, at, low, start is None)) is not None:
                start, at, expecting, gap = signs[number].start, number - 1, False, False
                continue
            name = _name_before(signs, at, low, alone=start is None)
            start = start if name is None else name
            if name is None or name > sign.start or not _operator_before(signs, at - 1, low):
                signed = name == sign.start and at > low and signs[at - 1].text in UNARY
                return signs[at - 1].start if signed else start  # -合計 = 3
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


def _number_with_unit(signs: list[Sign], at: int, low: int, alone: bool) -> int | None:
    """The 4 of 5 cm × 4 cm, and its 5; 8 台 × 57 時間 has counting words."""
    number = solid_before(signs, at)
    if signs[at].kind != "word" and not _may_count(signs[at]):
        return None
    if number < low or signs[number].kind != "number" or _is_counted(signs, number, low):
        return None
    is_counted = signs[at].text in COUNTING_WORDS
    return number if not alone or is_counted or _operator_before(signs, number - 1, low) else None


def _may_count(sign: Sign) -> bool:
    """時間 in 57 時間, and no word with a particle."""
    return sign.kind == "cjk" and len(sign.text) <= COUNTING_CHARACTERS and not PARTICLES.intersection(sign.text)


def _with_numbers_before(signs: list[Sign], at: int, start: int, low: int) -> int:
    """1, 2, 3 = x: the last of several numbers is not the left side."""
    while at > low and signs[at].kind == "comma":
        number = solid_before(signs, at)
        behind = at + 1 + (signs[at + 1].kind == "space")
        if number < low or signs[number].kind != "number" or signs[behind].kind != "number":
            break
        if _is_counted(signs, number, low):
            break
        start, at = signs[number].start, solid_before(signs, number)
    return start


def _is_counted(signs: list[Sign], number: int, low: int) -> bool:
    """3 in `step 3`."""
    before = solid_before(signs, number)
    return before >= low and signs[before].text.lower() in COUNTED


def _operator_before(signs: list[Sign], at: int, low: int) -> bool:
    """At an operator that has an operand before it."""
    gap = at if signs[at].kind != "space" else solid_before(signs, at)
    if gap < low or not is_operator(signs[gap]):
        return False
    sign, at = signs[gap], solid_before(signs, gap)
    if at >= low and sign.text in UNARY and ends_before(signs[at], has_gap=at < gap - 1):
        return False
    return at >= low and (
        is_mathy(signs, at)
        or signs[at].kind in (*CJK_WORD, "plain", "word")
        or signs[at].text in SCRIPTS
        or (
            low <= signs[at].partner < at
            and (sign.text not in UNARY or (signs[gap - 1].kind == "space") == (signs[gap + 1].kind == "space"))
        )
    )


def ends_before(sign: Sign, has_gap: bool) -> bool:
    """Whether a word is no operand of the sign behind it: 損失は -ln(0.5), the loss is -ln(0.5)."""
    if sign.kind == "cjk" and (sign.text in CONJUNCTIONS or (has_gap and sign.text in PARTICLES)):
        return True
    if sign.kind == "cjk":
        return (PARTICLE_AND_GAP if has_gap else PARTICLE).search(sign.text) is not None
    return has_gap and sign.kind in ("word", "plain") and sign.text.lower() in BEFORE_A_SIGN


def _may_stand_before(signs: list[Sign], first: int, at: int, low: int, gap: bool) -> bool:
    """Whether an operand belongs to the product that begins behind it."""
    if signs[at].kind == "close" and signs[at].text != "}" and is_number_in_brackets(signs, first, at):
        return False  # (1) x = 2
    if not gap:
        return True
    before = solid_before(signs, first)
    among_words = before >= low and signs[before].kind in (*CJK_WORD, "plain", "word") and not is_mathy(signs, before)
    if signs[at].text == "A" and among_words:
        return _is_capital(signs, at + 1 + gap)  # inside a sentence the article is a small letter
    if signs[at].text in ARTICLES:
        return not among_words and (before >= low or _is_capital(signs, at + 1 + gap))
    return not (signs[at].kind == "number" and among_words and signs[before].text.lower() in COUNTED)


def _is_capital(signs: list[Sign], at: int) -> bool:
    """A Aᵀ, A B: a product, as no word of a language is one capital letter."""
    text = signs[at].text if at < len(signs) else ""
    return re.split(r"[_.'′0-9\u1d2c-\u1d6a\u2070-\u209c]", text)[0].isupper()


def is_number_in_brackets(signs: list[Sign], first: int, last: int) -> bool:
    """(2) is the number of an equation, or a footnote; in f(2) it is an argument, in (2)(3) and 4 + (2) a factor."""
    is_argument = first > 0 and signs[first - 1].kind in ("word", "command", "text", "close", "operator")
    is_factor = last + 1 < len(signs) and signs[last + 1].kind in ("open", "raised")
    is_term = first > 1 and signs[first - 1].kind == "space" and is_operator(signs[first - 2])
    return not (is_argument or is_factor or is_term) and [
        s.kind for s in signs[first + 1 : last] if s.kind != "space"
    ] == ["number"]


def _name_before(signs: list[Sign], at: int, low: int, alone: bool) -> int | None:
    """The beginning of the word, or words, that end here."""
    sign = signs[at]
    if sign.kind in CJK_WORD:
        joins = JOINED.match(sign.text)
        begin = joins.end() if joins else 0
        cuts = list(PARTICLES_INSIDE.finditer(sign.text, begin, len(sign.text) - 1))
        start = sign.start + (cuts[-1].end() if cuts else begin)
        if not cuts and at > low and signs[at - 1].kind in ("number", "word"):
            start = signs[at - 1].start
        return start if sign.end - start <= NAME_CHARACTERS else None
    words = [i for i in range(low, at + 1) if signs[i].kind != "space"]
    while len(words) > 1 and signs[words[0]].text.lower() in JOINING:
        words.pop(0)
    verbs = [k for k, i in enumerate(words[:-1]) if signs[i].text.lower() in BEFORE_A_SIGN]
    words = words[verbs[-1] + 1 :] if verbs and alone else words
    if alone and len(words) <= 3 and all(signs[i].kind in ("word", "plain") for i in words):
        return signs[words[0]].start
    return sign.start
