"""The base of logarithms that a sentence tells: "we take log to base 2", 「対数の底は 2 とする」."""

from __future__ import annotations

import re

WORDS_OF_BASES = {"2": "2|two|二|２", "10": "10|ten|十|１０", "e": "e"}
KINDS = {
    "2": "binary|dyadic",
    "10": "common log|decimal log|decadic|Briggsian",
    "e": r"natural(?: log|(?= ?[,.)]|\Z))|Napierian",
}
KINDS_JA = {"2": "(?:二|2|２) ?進対数", "10": "常用対数", "e": "自然対数"}
A_LOGARITHM = re.compile(r"(?<![A-Za-z_])logs?(?![A-Za-z_0-9])|\blogarithms?\b|対数", re.IGNORECASE)
ALONE = re.compile(r"底(?:は|を|に|には) ?(?P<base>2|二|２|10|十|１０|e) ?(?:と(?:する|し)|を?用い)")
BITS = re.compile(
    r"\b(?:information|entrop(?:y|ies)|surprisals?|loss(?:es)?)\b[^.=0-9]{0,30}\b(?:in|as) bits\b|(?:情報量|エントロピー|損失)[^。=0-9]{0,10}ビット(?:で|を単位)",
    re.IGNORECASE,
)
SAME = re.compile(r"\blog ?\(?(?P<x>[a-z]?)\)? ?(?::?=|≡) ?log_?(?P<base>2|10) ?\(?(?P=x)(?![0-9])", re.IGNORECASE)
# that log is natural is taken anyway; to say that nothing else is meant takes a whole sentence
NATURAL = re.compile(
    r"\blog(?:s|arithms?)?(?:\([a-z]\))?(?: \w+){0,3} (?:is|are|denotes?|means?|stands? for|to|be)(?: \w+){0,3} (?:natural|Napierian|base e)\b"
    r"|\b(?:use|take|all)(?: \w+){0,2} natural log|(?:log|対数)(?:\([a-z]\))? ?(?:は|を|の)[^。=]{0,10}(?:自然対数|底[^。=]{0,4}e)",
    re.IGNORECASE,
)
OF_A_NUMBER = re.compile(
    r"\bbase[- ]?\w+(?: log\w*)? of \S|\blog(?:arithm)? of [0-9]|\bin base[- ]\w+,|底[^。]{0,6}とする(?:と|とき)",
    re.IGNORECASE,
)


def _mention(base: str) -> re.Pattern[str]:
    words = WORDS_OF_BASES[base]
    subscript = "" if base == "e" else rf"|\blog_?{base}(?! ?\(?(?:[0-9]|[a-z](?![a-z])))"
    return re.compile(
        rf"\bbases?[- ]?(?:of |is |: ?|= ?)?(?:{words})\b|\bbase of (?:the |all |our )?log(?:arithm)?s?(?: is|:| =)? ?(?:{words})\b"
        rf"|\b(?:{KINDS[base]})|{KINDS_JA[base]}|底[^。=0-9]{{0,6}}(?:{words})(?![0-9a-z])|(?:{words}) ?を底{subscript}",
        re.IGNORECASE,
    )


MENTIONS = {base: _mention(base) for base in WORDS_OF_BASES}


def base_told(sentence: str) -> tuple[str, bool] | None:
    """2, 10 or e, and whether it is told of one number only; None where the sentence names no base, or several.

    >>> base_told("We take log to base 2"), base_told("log は常用対数とする"), base_told("the base-2 log of 8 is 3")
    (('2', False), ('10', False), ('2', True))
    """
    if found := SAME.search(sentence) or ALONE.search(sentence):
        word = found.group("base")
        return next(base for base, words in WORDS_OF_BASES.items() if word in words.split("|")), False
    if BITS.search(sentence):
        return "2", False
    if A_LOGARITHM.search(sentence) is None:
        return None
    bases = [base for base, pattern in MENTIONS.items() if pattern.search(sentence)]
    if bases == ["e"] and NATURAL.search(sentence) is None:
        return None
    return (bases[0], OF_A_NUMBER.search(sentence) is not None) if len(bases) == 1 else None
