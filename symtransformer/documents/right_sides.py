"""How far the right side of a relation reaches among prose."""

from __future__ import annotations

import re

from symtransformer.documents.operands import CJK_WORD, is_mathy, is_operator
from symtransformer.documents.sides import (
    ARTICLES,
    BEFORE_A_SIGN,
    JOINING,
    NAME_CHARACTERS,
    OPERATING,
    PARTICLES,
    UNARY,
    ends_before,
    is_number_in_brackets,
)
from symtransformer.documents.signs import Sign

AFTER_A_NAME = re.compile(r"(?<=.)(?:です|では|から|なら|となる|は|が|を|に|で|と|の|も|だ)")
# without it the number is another one
MULTIPLIER = re.compile(r"thousand|million|billion|trillion|percent(?!age)|百万|[千万億兆]|パーセント(?!ポイント)")
POINTS = re.compile(r"points?")  # 25 percent points are a difference of percentages
NOUN = re.compile(r"[\u30a1-\u30fa\u4e00-\u9fff]")  # no particle, which would follow a letter d
ORDINAL = re.compile(r"[番回行列個目つ層章節項版]?[目]|番|行目|列目")


def right_of(signs: list[Sign], relation: int, high: int) -> tuple[int, int] | None:
    """Offset and index where the right side ends, or None; `high` is the first sign that cannot belong to it."""
    end = _right_of(signs, relation, high)
    while end is not None and _is_grouped(signs, end[1], high):
        end = signs[end[1] + 1].end, end[1] + 2
    if end is None or end[1] >= high or signs[end[1] - 1].kind != "number":
        return end
    at = end[1] + (signs[end[1]].kind == "space")
    found = MULTIPLIER.match(signs[at].text) if at < high else None
    if found is None or (signs[at].kind == "word" and found.group() != signs[at].text):
        return end
    if any(POINTS.fullmatch(sign.text) for sign in signs[at + 1 : at + 3]):
        return end
    return signs[at].start + found.end(), at + 1


def _is_grouped(signs: list[Sign], at: int, high: int) -> bool:
    """The ,096 of 4,096: nothing is cut off where no space stands."""
    if at + 1 >= high or signs[at].text != "," or signs[at - 1].kind != "number":
        return False
    return (
        re.fullmatch("[0-9]{3}(?:[.][0-9]+)?", signs[at + 1].text) is not None and signs[at - 1].end == signs[at].start
    )


def _right_of(signs: list[Sign], relation: int, high: int) -> tuple[int, int] | None:
    end: tuple[int, int] | None = None
    at, expecting, gap = relation + 1, True, False
    while at < high:
        sign = signs[at]
        last = sign.partner if sign.kind in ("open", "begin") and sign.partner >= 0 else at
        if sign.kind == "space":
            gap = True
            at += 1
        elif (gradient := _gradient_of_word(signs, at, high)) is not None and (expecting or gap):
            end, at, expecting, gap = gradient, gradient[1], False, False
            if gradient[0] < signs[gradient[1] - 1].end:
                break
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
        elif not expecting and sign.kind == "comma" and _more_numbers(signs, at, high):
            at, expecting, gap = at + 1, True, False
        elif not expecting and at < last < high and _is_factor(signs, last, high):
            end, at, gap = (signs[last].end, last + 1), last + 1, False
        elif not expecting and sign.text.lower() in OPERATING and _operand_of_words(signs, at, high):
            at, expecting, gap = at + 1, True, False
        elif gap and not expecting and sign.kind in ("word", "plain") and _goes_on(signs, at, high):
            end = _name_after(signs, at, high)
            at, gap = (end or (0, high))[1], False
        elif not expecting and sign.kind == "cjk" and _goes_on(signs, at, high):
            end, at, gap = (sign.end, at + 1), at + 1, False
        else:
            break
    return end if at >= high or expecting or not is_operator(signs[at]) else (signs[high - 1].end, high)


def _gradient_of_word(signs: list[Sign], at: int, high: int) -> tuple[int, int] | None:
    """d出力, the gradient of a name in Japanese: its end."""
    if signs[at].text != "d" or at + 1 >= high or signs[at + 1].kind != "cjk" or not NOUN.match(signs[at + 1].text):
        return None
    particle = AFTER_A_NAME.search(signs[at + 1].text)
    return (signs[at + 1].start + particle.start() if particle else signs[at + 1].end), at + 2


def _operand_of_words(signs: list[Sign], at: int, high: int) -> bool:
    """The 4 of 3 plus 4."""
    if signs[at - 1 - (signs[at - 1].kind == "space")].kind not in ("number", "close"):
        return False
    after = at + 1 + (at + 1 < high and signs[at + 1].kind == "space")
    return after < high and is_mathy(signs, after) and signs[after].text not in ARTICLES


def _is_factor(signs: list[Sign], last: int, high: int) -> bool:
    """Brackets that an operator and an operand follow are no remark: 2 (loss of text) + 3."""
    after = last + 1 + (last + 1 < high and signs[last + 1].kind == "space")
    behind = after + 1 + (after + 1 < high and signs[after + 1].kind == "space")
    return behind < high and is_operator(signs[after]) and signs[after].text not in "|‖∥" and is_mathy(signs, behind)


def _goes_on(signs: list[Sign], at: int, high: int) -> bool:
    """A word in the middle of a formula: an operator follows, or up to two more words and an operator."""
    if signs[at].text.lower() in JOINING:
        return False
    name = _name_after(signs, at, high)
    after = name[1] if name is not None and name[0] == signs[name[1] - 1].end else high
    while after < high and signs[after].kind == "space":
        after += 1
    operates = after < high and is_operator(signs[after]) and _operand_after(signs, after + 1, high)
    if operates and signs[after].text in UNARY and _joins(signs[at]):
        return False  # 2 + 3 = 5 and -2 + 3 = 1
    return operates and not (signs[at].kind == "cjk" and signs[after].text in "/／")  # 128次元/ヘッド


def _joins(word: Sign) -> bool:
    return word.text.lower() in BEFORE_A_SIGN or word.text in PARTICLES or ends_before(word, has_gap=True)


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
        called = not gap and signs[at - 1].kind in ("word", "command", "text")
        percent = not called and any(
            s.kind == "number" and s.text.endswith(("%", "％")) for s in signs[at : sign.partner]
        )
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
    """1, 2, 3 is no single number, and its first is not what was claimed; in 1, 2 = 3 + 4 another statement begins."""
    apart = signs[at].text == "、" or (at + 1 < high and signs[at + 1].kind == "space")
    at += 1
    while at < high and (signs[at].kind == "space" or signs[at].text in UNARY):
        at += 1
    if at >= high or signs[at].kind != "number":
        return False
    after = at + 1
    while after < high and signs[after].kind == "space":
        after += 1
    if after >= high and high < len(signs) and signs[high].kind == "relation":
        return not apart
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
