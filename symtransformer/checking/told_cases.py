"""Names with a value in each of several cases: d = 64 for the small model, d = 128 for the large one, and back to the small."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field

from symtransformer.checking.doubts import undecided
from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.checking.opaque_names import names_behind
from symtransformer.checking.prose import sentences
from symtransformer.documents import Document, Relation
from symtransformer.notation import Words

THING = r"(?:models?|ones?|cases?|examples?|exercises?|settings?|scenarios?|variants?|versions?|layers?|heads?|experiments?|runs?|configurations?|networks?|blocks?|problems?|parts?|matrix|attempt)"
KEYS = (
    re.compile(rf"\b(?:in|for|of|with|under|at|to|from|by) (?:the |our |his |her )?(?P<key>[a-z-]{{2,15}}) {THING}\b", re.IGNORECASE),
    re.compile(
        r"\b(?P<key>(?i:case|example|exercise|scenario|layer|head|variant|version|part|problem|experiment|model|option|attempt|run|step) ?[(]?(?:[0-9]{1,3}|[A-Z]|[ivx]{2,4})\b)"
    ),
    re.compile(rf"\b(?:the|our) (?P<key>[a-z-]{{2,15}}) {THING} (?:has|have|had|uses?|gets?|takes?|needs?)\b", re.IGNORECASE),
    re.compile(r"(?:\A|[,;:] |\band |\bwhile )(?P<key>[A-Z][a-z]{2,12}) (?:sets?|finds?|has|gets|uses|takes|obtains|computes|writes|chooses|puts|lets)\b"),
    re.compile(r"(?P<key>(?:場合|例|例題|問|問題|ヘッド|層|ケース|モデル|実験|方法) ?[(（]?(?:[0-9]{1,3}|[A-Z]|[一二三四五]))"),
    re.compile(r"(?P<key>第 ?[0-9一二三四五]{1,2} ?(?:の)?(?:層|例|問|章|節|ヘッド|ステップ|モデル))"),
    re.compile(r"(?P<key>[^\s。、，はがのでをにと]{1,8})(?:モデル|ヘッド|層|設定|場合)(?=[では、の])"),
)  # fmt: skip
IN_BOTH = re.compile(r"\b(?:both|all|every|each|either|any|same)\b|どちら|両|すべて|いずれ", re.IGNORECASE)
NAME = r"[A-Za-zα-ω](?:_[A-Za-z0-9]{1,3})?(?![\w'])"
QUANTIFIED = re.compile(
    rf"\b(?:for|over|given) (?:all|every|each|any|general|arbitrary|an arbitrary) (?:[a-z]+ ){{0,2}}?(?P<all>{NAME})|\bfor (?P<among>{NAME}) in\b|"
    rf"(?:任意の|すべての|全ての)[^\s。、]{{0,4}}? ?(?P<ja>{NAME})",
    re.IGNORECASE,
)
A_VALUE = re.compile(r"\s*(?:[-−]?[0-9.]+%?|\[[-−0-9., \[\]]+\])\s*")
HEADING = re.compile(r"\s*#{1,6} ")
OF_ANOTHER = Words(
    "Not decided: a letter of it has several values in this document, and the sentence speaks of a case for which the value before does not hold.",
    "判定できない。式の中の文字には場合ごとの値があり、この文は直前の値とは別の場合について述べている。",
)
FOR_ALL = Words(
    "Not decided: the sentence says it for every value of a letter, and not for the one it has here.",
    "判定できない。文字のどの値についても成り立つと述べており、ここでの値についてではない。",
)
At = tuple[int, int]


@dataclass
class ToldCases:
    """The sentences that speak of a case, and for which case each name has got its values."""

    _starts: dict[str, list[At]] = field(default_factory=dict)  # by file
    _keys: dict[str, list[frozenset[str]]] = field(default_factory=dict)
    _quantified: dict[str, list[frozenset[str]]] = field(default_factory=dict)  # the letters of "for every x"
    _values: dict[tuple[str, str], list[tuple[frozenset[str], str]]] = field(default_factory=dict)

    def add(self, document: Document) -> None:
        section: frozenset[str] = frozenset()
        for file, start, _, sentence in sentences(document):
            keys = cases_in(sentence)
            if HEADING.match(sentence):
                section = keys
            place = document.place(start)
            self._starts.setdefault(file, []).append((place.line, place.column))
            self._keys.setdefault(file, []).append(keys or section)
            letters = (next(filter(None, m.groups())) for m in QUANTIFIED.finditer(sentence))
            self._quantified.setdefault(file, []).append(frozenset(letters))

    def of(self, relation: Relation) -> frozenset[str]:
        """The cases that its sentence speaks of."""
        at = bisect_right(self._starts.get(relation.file, []), (relation.line, relation.column)) - 1
        return self._keys[relation.file][at] if at >= 0 else frozenset()

    def heeded(self, equation: Equation, relation: Relation, name: str | None, language: str, formulas: Mapping[str, str]) -> Equation:  # fmt: skip
        """The equation, or the same undecided where its sentence goes back to a case with other values."""
        at = bisect_right(self._starts.get(relation.file, []), (relation.line, relation.column)) - 1
        keys, letters = (own[relation.file][at] if at >= 0 else frozenset() for own in (self._keys, self._quantified))
        if name is not None and equation.verdict == "definition":
            self._values.setdefault((relation.file, name), []).append((keys, relation.right.text))
        if not (keys or letters) or equation.verdict not in (*ACCEPTED, *ACCUSING):
            return equation
        names = names_behind((relation.left.text, relation.right.text), language, formulas)
        own = {n: rows for (file, n), rows in self._values.items() if file == relation.file and n in names}
        for known, (*before, (last_keys, last)) in own.items():
            if known in letters and A_VALUE.fullmatch(last):
                return undecided(equation, FOR_ALL, "conditional")
            is_of_this = last_keys & keys and last_keys <= keys  # and not of several, of which this is one
            if keys and not is_of_this and any(k & keys and text != last for k, text in before):
                return undecided(equation, OF_ANOTHER, "conditional")
        return equation


def cases_in(sentence: str) -> frozenset[str]:
    """Which cases a sentence speaks of.

    >>> sorted(cases_in("For the small model n = 2")), sorted(cases_in("In case 1, x = 2")), sorted(cases_in("Then x = 3"))
    (['small'], ['case1'], [])
    """
    if IN_BOTH.search(sentence):
        return frozenset()
    found = (m["key"] for pattern in KEYS for m in pattern.finditer(sentence))
    return frozenset(re.sub(r"[\s(（]", "", key).lower() for key in found) - {"the", "this", "that", "our", "an", "one"}
