"""Words that change what a letter has: double x, x is halved, swap the rows of A, x を 2 倍にする, x is 4 where it was 3."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from symtransformer.checking.prose import sentences
from symtransformer.checking.told_meanings import NOT
from symtransformer.checking.told_values import END, VALUE, number_told
from symtransformer.documents import Document

N = r"(?P<name>(?<![\w'\\])(?!a (?!is|are|be|denotes|means|refers|stands)[a-z])[A-Za-zα-ω](?:_[A-Za-z0-9]{1,6})?(?![\w']))"
ALSO = r"(?: and (?P<other>[A-Za-zα-ω])(?![\w']))?"
BEGIN = r"(?:\A|[,;:] ?|\b(?:we|now|then|next|us|and|let's|please|finally|afterwards|also) )"
COUNT = r"(?:[-−]?[0-9]|one\b|two\b|three\b|half\b|a factor|a hundred|ten\b)"
PARTS = r"(?:rows?|columns?|entr(?:y|ies)|elements?|components?|signs?|order)"
CHANGES = (
    re.compile(
        rf"{BEGIN}(?:double|triple|halve|negate|increment|decrement|overwrite|reset|swap|exchange|replace|redefine|reverse|shuffle|permute|forget|discard)"
        rf" (?:the (?:vector|matrix|value|number|order)(?: of)? |all of )?{N}{ALSO}(?!\()",
        re.IGNORECASE,
    ),
    re.compile(rf"{BEGIN}(?:increase|decrease|raise|lower|enlarge|reduce|shift|scale|multiply|divide) {N} by {COUNT}", re.IGNORECASE),
    re.compile(
        rf"{BEGIN}(?:swap|exchange|flip|set|change|replace|reverse|permute|negate|shuffle) (?:the |all |both )?(?:\w+ ){{0,2}}{PARTS} of {N}",
        re.IGNORECASE,
    ),
    re.compile(rf"{BEGIN}(?:add|subtract) {COUNT}[\w.]* (?:to|from) (?:every|each|all) (?:the )?{PARTS} (?:of|in) {N}", re.IGNORECASE),
    re.compile(rf"{BEGIN}(?:sort|reorder) {N} (?:in|by|from)\b", re.IGNORECASE),
    re.compile(rf"{BEGIN}set {N.replace('(?:_[A-Za-z0-9]{1,6})?', '_[0-9]{1,3}').replace('(?P<name>', '(?P<entry>')} (?:to|=)", re.IGNORECASE),
    re.compile(
        rf"{N} (?:is|are|gets|was|has been|is being) (?:now |then |here )?(?:doubled|tripled|halved|negated|incremented|decremented|reset|overwritten|redefined|"
        rf"reversed|swapped|zeroed|set to zero|replaced by|(?:increased|decreased|multiplied|divided|scaled|shifted) by {COUNT}|updated\b(?! (?:by|with|as|to|via|using)))"
    ),
    re.compile(rf"{N} (?:increases|decreases|grows|shrinks|drops|rises) (?:by|to) {COUNT}"),
    re.compile(rf"{N} (?:is|becomes|gets) (?:now )?(?:twice|half|three times|ten times|[0-9]+ times) as (?:large|big|long|small)"),
    re.compile(rf"\b{PARTS} (?:\w+ )?of {N} (?:is|are) (?:now|set|changed|replaced|swapped|flipped|zeroed)\b"),
    re.compile(rf"{N} ?を ?(?:[0-9.]+|二|三|半) ?(?:倍|分)(?:に|する|します)"),
    re.compile(rf"{N} ?を ?[0-9.]+ ?(?:だけ)?(?:増や|減ら|大きく|小さく)"),
    re.compile(rf"{N}(?: ?と ?(?P<other>[A-Za-zα-ω]))? ?を[^。、=]{{0,12}}(?:置き換え|入れ替え|交換し|交換する|更新し|更新する|反転|並べ替え|初期化|書き換え|ゼロに|倍に)"),
    re.compile(rf"{N} ?の ?(?:符号|行|列|順序|成分|第 ?[0-9]+ ?成分)を[^。、=]{{0,10}}(?:変え|入れ替え|反転|置き換え|にする)"),
)  # fmt: skip
SINCE = r"(?:from (?:this|that|here|now)(?: point)?(?: on(?:wards?)?)?|henceforth|hereafter|hereinafter|in the sequel|for the rest of [a-z ]{1,20}|by abuse of notation|abusing notation)"
AGAIN = r"(?:redefin|reassign|repurpos|renam|reinterpret|overwrit|overload|revis|amend|adjust|alter|modif|correct|chang|bump)"
ANEW = (  # another meaning, in whatever words
    re.compile(rf"\b{SINCE},?[^.=;]{{0,30}}?{N}", re.IGNORECASE),
    re.compile(rf"{N}[^.=;]{{0,60}}\b(?:{SINCE}|instead|for another|for a different|for something else)\b", re.IGNORECASE),
    re.compile(
        rf"\b(?:reus(?:e|ing)|{AGAIN}(?:e|ing|y|ying)?) (?:up |the |our )?(?:(?:symbol|letter|name|variable|notation|value|meaning|definition)s?(?: of)? )?{N}",
        re.IGNORECASE,
    ),
    re.compile(rf"{N} (?:is|was|has been|gets) (?:\w+ly )?{AGAIN}(?:en|ed|ied|ded|ped)\b"),
    re.compile(rf"\bcall(?:s|ed)? [\w ]{{1,30}} {N} again"),
    re.compile(rf"\b(?:take|make|let) {N} (?:be )?(?:twice|three times|half|grow|shrink|larger|smaller)\b", re.IGNORECASE),
    re.compile(rf"{N} should (?:be|read|have been)\b"),
    re.compile(rf"(?:以後|以降|ここから先?|今後)(?:は|では)?、? ?{N} ?[はをが]"),
    re.compile(rf"{N}(?: ?という(?:文字|記号))?[^。、=]{{0,12}}(?:別の意味|上書き|修正(?:する|し)|訂正|変更(?:する|し)|更新され|増加させ|減少させ|反転する|半分にする)"),
    re.compile(rf"(?:新しい|更新後の|修正後の|訂正後の) ?{N}"),
)  # fmt: skip
FREE = re.compile(
    rf"{N} (?:now |here |instead )?(?:is|be|denotes?|stands for|means) (?:again )?(?:an? |some |any )?(?:arbitrary|another|different|unknown|undefined|random|any)\b|"
    rf"{N.replace('name', 'ja')} ?[はを][^。、=]{{0,6}}(?:任意|未知|別の)"
)
IS_VALUE = re.compile(
    rf"(?:(?:\A|[,;] ?|\b(?i:then|now|and|so|that|here) ){N} (?:is|equals|is equal to)|{N.replace('name', 'become')} (?:has become|became|was|is (?:actually|really|in fact)|"
    rf"should (?:be|read|have been))) {VALUE}{END}|"
    rf"(?:\A|[、。，]){N.replace('name', 'ja')} ?は ?(?P<digits>[-−]?[0-9.]+) ?(?:です|である|になった|となった|が正しい)(?=[。，、]|\Z)"
)
LABEL = re.compile(r"\A\s*[^\s:：]{1,14} ?[:：] ")  # Correction: ...
# a result that has a name of its own, what is only thought of, and what comes later
ELSEWHERE = re.compile(
    r"[=≈:]|\b(?:if|would|could|might|may|can|will|later|suppose|imagine|when|whenever|were|unless|gives?|yields?|obtain|get|results?|returns?|produces?|"
    r"to (?:find|see|check|show|prove|compute)|not|never|without)\b|もし|なら|場合|とき|すると|得|後で|しない|せず",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Changed:
    """A name that words change, and where; `value` is told for it, or nothing."""

    file: str
    name: str
    at: tuple[int, int]
    value: str = ""

    def is_other_than(self, text: str) -> bool:
        """Whether it changes a name that has this value, or formula.

        >>> [Changed("", "x", (1, 1), value).is_other_than("3") for value in ("", "4", "3.0")]
        [True, True, False]
        """
        if not self.value:
            return True
        try:
            return float(text.strip().replace("−", "-")) != float(self.value)
        except ValueError:
            return False


def changes_told(document: Document) -> Iterator[Changed]:
    """All of them; of a sentence that tells a result, or that is only thought of, nothing is taken."""
    for file, start, _, sentence in sentences(document):
        place = document.place(start)
        at = place.line, place.column
        said = NOT.sub("", sentence)
        for found in FREE.finditer(said):
            yield Changed(file, next(filter(None, found.groups())), at)
        said = LABEL.sub("", said)
        if ELSEWHERE.search(said):
            continue
        for pattern in (*CHANGES, *ANEW):
            for found in pattern.finditer(said):
                names = found.groupdict()
                for name in (names.get("name"), names.get("other"), (names.get("entry") or "").partition("_")[0]):
                    if name:
                        yield Changed(file, name, at)
        for found in IS_VALUE.finditer(said):
            value = found["digits"] or number_told(found["value"])
            if value.replace(".", "", 1).replace("-", "", 1).replace("−", "", 1).isdigit():
                yield Changed(file, found["name"] or found["become"] or found["ja"], at, value.replace("−", "-"))
