"""Changes of what was named last, in words that do not name it: next we halve it, append a 5, それを 2 倍にする."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symtransformer.checking.prose import sentences
from symtransformer.checking.told_changes import BEGIN, COUNT, ELSEWHERE, LABEL, Changed, N
from symtransformer.checking.told_meanings import NOT
from symtransformer.documents import Document

VERB = (
    r"(?:halve|double|triple|square|negate|normali[sz]e|rescale|clip|sort|reverse|transpose|shuffle|permute|flip|invert|round|quantize|"
    r"zero(?: out)?|mask|truncate|increment|decrement|decay|anneal|shrink|reset)"
)
DOES = (
    r"(?:halves|doubles|triples|squares|negates|normali[sz]es|rescales|clips|sorts|reverses|transposes|shuffles|zero(?:e?s)(?: out)?|"
    r"masks|truncates|decays|anneals|resets|drops|removes|increments|decrements)"
)
DONE = (
    r"(?:halved|doubled|tripled|squared|negated|normali[sz]ed|rescaled|clipped|sorted|reversed|transposed|shuffled|flipped|rounded|"
    r"truncated|zeroed(?: out)?|masked|decayed|annealed|reset)"
)
WHICH = r"(?:first|second|third|fourth|last|[0-9]+(?:st|nd|rd|th))"
PART = r"(?:entry|element|component|coordinate|row|column|diagonal|sign)s?"
OF_A_NAME = (  # whose name stands in it
    re.compile(rf"{BEGIN}{VERB} {N}(?! ?[(\[])", re.IGNORECASE),
    re.compile(rf"\b[A-Za-z]{{3,}} {DOES} {N}(?! ?[(\[])"),
    re.compile(rf"\b(?:subtracts?|adds?) (?:{COUNT})[\w.]* (?:from|to) {N}"),
    re.compile(rf"\b(?:divides?|multiplies|multiply|scales?|increases|decreases|cuts?|lowers|raises) {N} by {COUNT}"),
    re.compile(rf"\b(?:the )?(?:value|norm|length|sign|entries|rows|columns) of {N} (?:is|are) (?:then |now |next )?{DONE}"),
    re.compile(rf"{BEGIN}(?:sort|reverse|reorder|shuffle|permute) (?P<name>a)(?= (?:in|by|from|to|so)\b|\Z)", re.IGNORECASE),
    re.compile(rf"{N} ?を ?(?:正規化|並べ替え|ソート|反転|転置|二乗|半分に|クリップ|丸め)(?:する|して|した|し、)"),
)  # fmt: skip
OF_THE_LAST = (  # what was given a value last
    re.compile(rf"{BEGIN}{VERB} (?:it|them|its|their|both|this|that)\b", re.IGNORECASE),
    re.compile(rf"\b[A-Za-z]{{3,}} {DOES} (?:it|them|its|their)\b"),
    re.compile(rf"{BEGIN}(?:set|change|replace|swap|flip) (?:it|its|their)\b", re.IGNORECASE),
    re.compile(rf"{BEGIN}(?:multiply|divide|increase|decrease|raise|lower|reduce|scale|shift) it by\b", re.IGNORECASE),
    re.compile(rf"{BEGIN}(?:add|subtract) {COUNT}[\w.]* (?:to|from) it\b", re.IGNORECASE),
    re.compile(rf"{BEGIN}(?:zero out|drop|remove|delete|mask|negate) (?:the |its )?{WHICH} {PART}\b", re.IGNORECASE),
    re.compile(rf"{BEGIN}(?:append|prepend|insert) (?:an? )?[-−]?[0-9]", re.IGNORECASE),
    re.compile(r"\bin[- ]place\b", re.IGNORECASE),
    re.compile(rf"\b(?:rate|temperature|value|size|width|weight|bias|parameter|step|dimension|number) (?:is|was|gets) (?:then |now |next )?(?:{DONE}|"
               rf"(?:decayed|divided|multiplied|reduced|increased|lowered|raised|scaled|cut) (?:by (?:{COUNT}|a )|in half))"),
    re.compile(r"(?:それ|これ|この値|その値)を[^。、=]{0,12}(?:倍|半分|二乗|反転|転置|並べ替え|正規化|増や|減ら|ゼロに|0 ?に)"),
)  # fmt: skip
DOING = re.compile(
    rf"\b(?:after|by) (?:sort|revers|transpos|halv|doubl|squar|normali[sz]|negat|clipp|shuffl|flipp|zero)ing {N}",
    re.IGNORECASE,
)
GIVEN = re.compile(rf"{N} ?[=≈]")


def changes_of_the_last(document: Document) -> Iterator[Changed]:
    """The names that such words change; nothing of a sentence that tells a result, or that is only thought of."""
    last: dict[str, str] = {}  # by file
    for file, start, _, sentence in sentences(document):
        said = LABEL.sub("", NOT.sub("", sentence))
        names = [found["name"] for found in DOING.finditer(said)]
        if not ELSEWHERE.search(said):
            names += [found["name"] for pattern in OF_A_NAME for found in pattern.finditer(said)]
            if file in last and any(pattern.search(said) for pattern in OF_THE_LAST):
                names.append(last[file])
        place = document.place(start)
        for name in dict.fromkeys(name.partition("_")[0] for name in names):
            yield Changed(file, name, (place.line, place.column))
        for found in GIVEN.finditer(sentence):
            last[file] = found["name"]
