"""Letters that are usually numbers, I and δ_ij, where a sentence says that they are something else: "let c be a vector"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symtransformer.checking.prose import sentences
from symtransformer.checking.told_meanings import NOT
from symtransformer.documents import Document

NAMES = {
    **{x: x for x in "TNcdhmnI"}, "α": "alpha", "β": "beta", "γ": "gamma", "θ": "theta", "λ": "lambda", "μ": "mu", "ν": "nu",
    "τ": "tau", "η": "eta", "ε": "epsilon", "δ": "delta",
}  # fmt: skip
USUAL = {
    "I": re.compile(r"identity|unit matrix|単位行列|恒等", re.IGNORECASE),
    "δ": re.compile(r"kronecker|クロネッカー|delta function|デルタ", re.IGNORECASE),
}
LOW = r"(?:_\w{1,3})?"
ANY_LIST = rf"(?P<list>[A-Za-zα-ω]{LOW}(?:(?:, and |, | and | ?、| ?と) ?[A-Za-zα-ω]{LOW}(?![\w]))*)"
LIST = rf"(?<![\w^/+=∂-]){ANY_LIST}"
ONE = re.compile(rf"([A-Za-zα-ω]){LOW}(?!\w)")
IS = r"(?: (?:denotes?|represents?|stands? for|is|are|be|will be)(?: but| both| all)? (?=the |an? |our |some |any |this |arbitrary |vectors?\b|matri)|(?: ?:| ?=) (?=(?:an? )?(?:\w+ )?(?:vector|matri|tensor)))"
VECTOR = r"(?:vectors?|matrix|matrices|tensors?)"
SAID = (
    re.compile(rf"{LIST}{IS}(?P<what>[^.,;:=()]{{1,40}})"),
    re.compile(rf"{LIST} ?(?:は|を)、?(?P<what>[^。、，=A-Za-z0-9]{{1,20}})"),
    re.compile(rf"\b(?P<what>{VECTOR}) (?=\w){LIST}(?![\w(^]| ?[=+])"),
    re.compile(rf"(?P<what>ベクトル|行列|テンソル) ?{ANY_LIST}(?![\w(^]| ?[=+])"),
    re.compile(rf"(?P<what>errors?|error (?:terms?|signals?)|residuals?|誤差(?:信号|項)?|残差) ?(?P<list>δ{LOW})(?!\w| ?[-−=(+])"),
    re.compile(rf"(?P<what>誤差|残差|勾配)を ?(?P<list>δ{LOW})"),
    re.compile(rf"\bcall (?P<list>δ{LOW}) (?P<what>(?:the |an? )\w+)"),
    re.compile(rf"(?P<list>δ{LOW}) is (?P<what>not) (?:the|a) kronecker", re.IGNORECASE),
)  # fmt: skip
VECTORS = re.compile(
    r"\b(?:vectors?|matrix|matrices|tensors?|columns?|rows?|lists?|embeddings?|functions?)\b|ベクトル|行列|テンソル|関数",
    re.IGNORECASE,
)
SIZES = re.compile(
    r"^(?:the |an? |our |some |any |this )?(?:\w+ )?(?:number|dimension|length|size|width|depth|index|count|entry|component|scalar|"
    r"position|constant|multiple|function of)|数|次元|番号|成分|位置|長さ",
    re.IGNORECASE,
)
MAY_SAY = re.compile(
    r"\b(?:denotes?|represents?|stands?|is|are|be|call)\b|vector|matri|tensor|error|residual|は|を|ベクトル|行列|誤差|残差|[:=] "
)


def letters_told(document: Document) -> set[str]:
    """Letters that the words say are vectors or matrices, or another thing than the library takes them for."""
    said = (text for *_, sentence in sentences(document) for text in dict.fromkeys((sentence, NOT.sub("", sentence))))
    return {name for text in said for name in letters_in(text)}


def letters_in(sentence: str) -> Iterator[str]:
    """Names of the letters that the sentence says are something else than usual.

    >>> [*letters_in("Let c and d be vectors")], [*letters_in("n is the number of rows")], [*letters_in("δ_ij is an error")]
    (['c', 'd', 'd'], [], ['delta'])
    """
    for pattern in SAID if MAY_SAY.search(sentence) else ():
        for found in pattern.finditer(sentence):
            said = found.group("what")
            for letter in ONE.findall(found.group("list")):
                if letter in NAMES and _is_other(letter, said, pattern):
                    yield NAMES[letter]


def _is_other(letter: str, said: str, pattern: re.Pattern[str]) -> bool:
    if letter in USUAL:
        is_beside = pattern in SAID[2:4]  # the identity matrix I
        return not is_beside and USUAL[letter].search(said) is None
    return VECTORS.search(said) is not None and SIZES.search(said) is None
