r"""What prose says beside a formula between dollars: its name in `Sum $= 3$`, its unit in `$x = 1.05$M`."""

from __future__ import annotations

import re
from collections.abc import Callable

from symtransformer.documents.operands import CJK_WORD, FUNCTIONS, is_mathy
from symtransformer.documents.placed import Placed, joined, made
from symtransformer.documents.signs import RELATING, Sign

NAME_WORDS, NAME_CHARACTERS = 3, 12
NO_NAMES = frozenset([
    "is", "are", "be", "so", "thus", "hence", "then", "and", "or", "where", "with", "that", "gives", "give", "get", "we", "have",
    "as", "which", "to", "by", "if", "when", "since", "equals", "yields", "bytes", "params", "for", "at", "in",
])  # fmt: skip
PARTICLE = re.compile(r"(?:です|では|から|なら|は|が|を|に|で|と|の|も|だ)\Z")
# words between a formula and `= b` that say that the chain goes on
GOING_ON = re.compile(
    r"(?:substitut|simplif|expand|rearrang|factor|collect|that is|i\.e\.|thus|hence|therefore|so\b|代入|整理|展開|計算|すなわち|つまり|よって|ゆえに)",
    re.IGNORECASE,
)
FENCES = re.compile(r"\s*[`~$\\\[\]>.,]*\s*(?:(?P<words>[^\r\n`$=]{1,80}[:：])\s*)?(?:[`~]{3,}\w*|[$\\\[>]*)\s*")
WORDS = re.compile(r"([A-Za-z]+(?:[ -][A-Za-z]{2,}){1,2})\s*(?=[=≈≒≃≡]|:=|~=|\\approx)")
# a unit that multiplies: without it the number is another one
UNIT = re.compile(
    r"[ \t]{1,2}(?:[KMGTP](?:i?B|bits?|FLOPs?|FLOP/s|Hz|W)?|B|k[BW]|[mµn]s|(?:hundred |ten )?thousand|hundred|dozen|million|billion|trillion|"
    r"percent(?:age points?)?|per cent|[百千万億兆]|百万|ダース|パーセント|割)(?![A-Za-z0-9])"
    r"|[ \t]{1,2}(?:\\?%|％)"
)
# what goes on in a formula between dollars that begins so: f$(3) = 9$, x$^2 = 9$
GOES_ON = re.compile(r"\s*(?:\\left\s*)?[(\[_^]")
FUNCTION = re.compile(r"softmax|exp|log|ln|tanh|sin|cos|relu|gelu|layernorm|rmsnorm|sigmoid|ffn|argmax", re.IGNORECASE)
CALL = re.compile(r"\s*(?:\\left\s*)?([(\[]).*?[)\]]\s*(?:[=≈≒≃≡]|\\approx)", re.DOTALL)
OPENING = re.compile(r"(?:\$\$?|\\\(|<math[^>]*>(?:<[^>]*>)*)?\s*")
TOUCHES = re.compile(r"[0-9+−√×·⋅/-]\s*\Z")
# an operator between an operand and the formula: 5 · $2 = 2$, 2($3 = 3$)
OPERATES = re.compile(r"[0-9A-Za-z)\]}²³]\s*[+−×·⋅∗*/÷^✕✖]\s*\Z|[0-9)\]}²³]\s+[-–—]\s*\Z|[0-9]\s*\^\s*\Z|[0-9]\(\s*\Z")
OPERAND = re.compile(r"[0-9)\]}²³]\s*\Z")
OPERATOR_FIRST = re.compile(r"\s*(?:[+×·⋅∗÷/]|\\(?:times|cdot|div|ast)(?![A-Za-z]))")
GOES_ON_BEHIND = re.compile(r"\s*[×·⋅÷+^]\s*(?:[0-9(\\$√]|[A-Za-z](?![A-Za-z]))")


def with_what_touches(formula: Placed, line: Placed, start: int, between: Callable[[int, int], str]) -> Placed | None:
    r"""A formula between dollars with the name that stands right before them: `ReLU$(-3) = 0$` is ReLU(-3) = 0.

    None where it is not clear whether a number, a sign or a function before it belongs to it.
    """
    before = line.text[:start].rstrip()
    if not before or not RELATING.search(formula.text):
        return formula
    first = formula.origins[len(formula.text) - len(formula.text.lstrip())]
    touches = OPENING.fullmatch(between(line.origins[len(before) - 1], first)) is not None
    word = re.search(r"(?<![A-Za-z0-9])[A-Za-z]{1,12}\Z", before)
    if touches and word is not None and GOES_ON.match(formula.text):
        name = line.cut(*word.span())
        opened = "" if len(name.text) == 1 else "\\operatorname{" if name.text.lower() in FUNCTIONS else "\\text{"
        return joined([made(opened, name.origins[0]), name, made("}" if opened else "", name.origins[-1]), formula])
    if touches and TOUCHES.search(before):
        return None
    if OPERATES.search(before) or (OPERAND.search(before) and OPERATOR_FIRST.match(formula.text)):
        return None
    is_called = word is not None and FUNCTION.fullmatch(word.group()) and CALL.match(formula.text)
    return None if is_called else formula


def goes_on_between(text: str) -> bool:
    """Whether what stands between a formula and a relation leaves them one chain: fences, and `Substituting:`."""
    found = FENCES.fullmatch(text)
    return found is not None and (not found["words"] or GOING_ON.match(found["words"].strip("*_ ")) is not None)


def begins_with_relation(formula: str) -> bool:
    return RELATING.match(formula.lstrip()) is not None


def unit_behind(text: str, end: int) -> str:
    """The unit that stands behind the closing dollar; the dollar itself is a space by now."""
    found = UNIT.match(text, end) if text[end - 1 : end] in tuple("0123456789}") else None
    return found.group().strip() if found else ""


def with_unit(formula: Placed, unit: str) -> Placed:
    """The number with its unit: no reader takes it for the bare number."""
    return joined([formula, made(rf" \text{{({unit})}}", formula.origins[-1])])


def named(formula: Placed, line: Placed, signs: list[Sign], start: int) -> Placed:
    r"""`= 3` with the words before it: `\text{Sum}= 3`."""
    name = name_before(signs, start)
    if name is None:
        return formula
    words = line.cut(*name)
    origins = words.origins
    return joined([made("\\text{", origins[0]), words, made("}", origins[-1]), formula])


def words_as_name(formula: Placed) -> Placed:
    r"""`Key size = 3` with its words as one name: `\text{Key size} = 3`."""
    words = WORDS.match(formula.text)
    if words is None:
        return formula
    name = formula.cut(*words.span(1))
    opened, closed = made("\\text{", name.origins[0]), made("}", name.origins[-1])
    return joined([opened, name, closed, formula.cut(words.end(1))])


def name_before(signs: list[Sign], start: int) -> tuple[int, int] | None:
    """From where to where up to three words stand that end at the formula and begin a part of the sentence."""
    at = next((i for i, s in enumerate(signs) if s.start >= start), len(signs)) - 1
    while at >= 0 and signs[at].kind == "space":
        at -= 1
    words: list[Sign] = []
    while at >= 0 and signs[at].kind in ("word", "plain", "space", *CJK_WORD) and len(words) <= NAME_WORDS:
        if signs[at].kind != "space":
            words.insert(0, signs[at])
            if is_mathy(signs, at) and signs[at].kind != "word":
                return None
        at -= 1
    begins = at < 0 or signs[at].kind in ("stop", "comma", "other")
    if not begins or not 0 < len(words) <= NAME_WORDS or any(w.text.lower() in NO_NAMES for w in words):
        return None
    first, last = words[0].start, words[-1].end
    particle = PARTICLE.search(words[-1].text) if words[-1].kind == "cjk" else None
    last -= len(particle.group()) if particle else 0
    return (first, last) if first < last and last - first <= NAME_CHARACTERS * len(words) else None
