"""What is an operand of a formula, and what is a word of a language."""

from __future__ import annotations

import re
from functools import lru_cache

from symtransformer.documents.signs import Sign
from symtransformer.scalars import GREEK

SCRIPTS = frozenset("^＾_")
FUNCTIONS = frozenset([
    "softmax", "exp", "log", "ln", "tanh", "sin", "cos", "sqrt", "relu", "gelu", "layernorm", "attention",
    "√", "sigmoid", "mean", "var", "std", "max", "min", "argmax", "concat", "sum", "rmsnorm", "norm", "ffn",
])  # fmt: skip
BARE_FUNCTIONS = frozenset(["exp", "log", "ln", "sin", "cos", "tanh", "sqrt"])  # also without brackets
SMALL_WORDS = frozenset(("By", "My", "Hz", "Ok", "ok", "Eq"))
CJK_WORD = ("cjk", "foreign")
NO_NUMBERS = frozenset(("nan", "NaN", "inf", "Inf", "undefined"))


def is_mathy(signs: list[Sign], at: int) -> bool:
    """A sign that stands in formulas: a number, a letter, a call; no word of a language."""
    sign = signs[at]
    if sign.kind in ("number", "atom", "dots", "command", "text", "begin", "end", "raised"):
        return True
    if sign.kind == "quoted":
        return _is_quoted_name(signs, at)
    if sign.kind in ("open", "close"):
        first, last = sorted((at, sign.partner)) if sign.partner >= 0 else (at, at)
        return first < last and (_is_argument(signs, first, last) or _is_formula_group(signs, first, last))
    return sign.kind == "word" and (_is_letter(sign.text) or _calls(signs, at))


CONTRACTED = re.compile(r"[A-Za-z]{2,}['′’](?:s|t|re|ll|ve|d|m)")  # that's


@lru_cache(maxsize=4096)
def _is_letter(word: str) -> bool:
    if CONTRACTED.fullmatch(word):
        return False
    namespace, _, word = word.rpartition(".") if word[-2:] != ".T" else ("", "", word)
    if namespace and word[:1].isupper():
        return True
    word = f"{namespace}.{word}" if namespace else word
    bare = re.split(r"[_.'′]", word)[0]
    letters = "".join(
        c for c in bare if c.isalpha() and not 0x1D2C <= ord(c) <= 0x1D6A and not 0x2070 <= ord(c) <= 0x209F
    )
    if len(letters) <= 1 or bare != word or letters != bare or any(ord(c) > 0x24F for c in word):
        return True
    if letters.removeprefix("d") in GREEK or letters == "eps":
        return True
    if letters.isupper():
        return len(letters) <= 4
    if letters in BARE_FUNCTIONS:
        return True
    if len(letters) == 2 and letters not in SMALL_WORDS:
        if letters[0] == "d" and letters[1] not in "eiou":
            return True  # dx
        return letters[1].isupper() or (letters[0].isupper() and letters[1] in "xyzhkqv")
    return False


def _is_quoted_name(signs: list[Sign], at: int) -> bool:
    """Key("cat") = "cat" × W, and "cat" = [1, 0] in a line of its own; what is quoted in a sentence is a word."""
    beside = [_solid(signs, at, step) for step in (-1, 1)]
    if signs[at].depth > 0 or any(s is not None and is_operator(s) and s.text not in "-−－_" for s in beside):
        return True
    return beside[0] is None and beside[1] is not None and beside[1].kind == "relation"


def _solid(signs: list[Sign], at: int, step: int) -> Sign | None:
    """The next sign on one side that is no space."""
    at += step
    while 0 <= at < len(signs) and signs[at].kind == "space":
        at += step
    return signs[at] if 0 <= at < len(signs) else None


def solid_before(signs: list[Sign], at: int) -> int:
    """The index of the sign before it that is no space, or -1."""
    at -= 1
    while at >= 0 and signs[at].kind == "space":
        at -= 1
    return at


def _calls(signs: list[Sign], at: int) -> bool:
    following = at + 1
    if following < len(signs) and signs[following].text == "[" and signs[following].partner > following + 1:
        return signs[at].text[0].isascii()  # scores[0][1]
    if signs[at].text.lower() in FUNCTIONS and following < len(signs) and signs[following].kind == "space":
        following += 1
    return following < len(signs) and signs[following].text == "(" and signs[following].partner >= 0


def _is_argument(signs: list[Sign], first: int, last: int) -> bool:
    """softmax(Score), g_{ij}: what belongs to the sign before it, whatever stands inside."""
    before = signs[first - 1] if first else None
    if before is None:
        return False
    if signs[first].text == "{":
        return before.text in SCRIPTS or before.kind in ("command", "text") or before.text == "}"
    if before.text in SCRIPTS and signs[first].text == "(":
        return not any(s.kind in ("stop", "url", *CJK_WORD) for s in signs[first:last])  # e^(ab)
    known = before.text.lower() in FUNCTIONS
    named = known or (before.kind == "word" and not _is_letter(before.text))
    refused = ("stop", "url") if known else ("stop", "url", *CJK_WORD)
    return named and signs[first].text in "([" and not any(s.kind in refused for s in signs[first:last])


def _is_formula_group(signs: list[Sign], first: int, last: int) -> bool:
    """(see below) is a remark; (W_2 x) and [0, 1] are operands."""
    if signs[first].kind == "begin":
        return True
    inside = signs[first + 1 : last]
    if any(is_operator(s) for s in (_solid(signs, first, -1), _solid(signs, last, 1)) if s is not None):
        if [s.kind for s in inside if s.kind != "space"] == ["cjk"]:
            return True  # 2 × (合計)
    if _operates_on_names(signs, first, last):
        return True
    if any(s.kind in ("relation", "url", "cjk", "stop") and s.depth == signs[first].depth + 1 for s in inside):
        return signs[first].text == "["
    words = [
        i for i in range(first + 1, last) if signs[i].kind in ("word", "plain") and signs[i].text not in NO_NUMBERS
    ]
    return last > first + 1 and all(is_mathy_word(signs, i) for i in words)


def _operates_on_names(signs: list[Sign], first: int, last: int) -> bool:
    """(loss / 3.8), 2 (合計 - x): every word is an operand of its own, and there is more than words and hyphens."""
    solid = [i for i in range(first + 1, last) if signs[i].kind != "space"]
    if any(signs[i].kind in ("relation", "url", "stop", "plain", "foreign") for i in solid):
        return False
    names = [k for k, i in enumerate(solid) if signs[i].kind in ("word", "cjk") and not is_mathy_word(signs, i)]
    operators = [i for i in solid if is_operator(signs[i])]
    if not (names and operators):
        return False
    beside = [signs[solid[i]] for k in names for i in (k - 1, k + 1) if 0 <= i < len(solid)]
    apart = all(signs[i].text not in "-/" or signs[i - 1].kind == signs[i + 1].kind == "space" for i in operators)
    numbers = any(signs[i].kind == "number" or is_mathy_word(signs, i) for i in solid)
    operates = apart or (numbers and not any(signs[i].text == "-" for i in operators))
    return operates and all(is_operator(s) or s.kind in ("open", "close") for s in beside)


def is_mathy_word(signs: list[Sign], at: int) -> bool:
    return signs[at].kind == "word" and (_is_letter(signs[at].text) or _calls(signs, at))


def is_operator(sign: Sign) -> bool:
    return sign.kind == "operator"
