"""Superscripts that count layers or steps, and are no powers: by words, or by h^1, or by h^2_i on a left side."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from symtransformer.checking.doubts import undecided
from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.checking.prose import sentences
from symtransformer.documents import Document, Relation
from symtransformer.notation import Words

TOLD = re.compile(
    r"\bsuperscripts?\b[^.=]{0,40}\b(?:layers?|steps?|index|indices|indexes|heads?|times?|positions?|blocks?|labels?|iterations?|number|not (?:a )?powers?|no powers?)\b|"
    r"\b(?:layers?|steps?|heads?|blocks?|iterations?|indices)\b[^.=]{0,30}\b(?:as|by|in|with) (?:the |a )?superscripts?\b|"
    r"(?:上付き|右肩|肩の数|上添字)[^。=]{0,20}(?:層|番号|ステップ|添字|ヘッド|時刻|指数ではな|累乗ではな|べきではな)",
    re.IGNORECASE,
)
LETTER = r"(?<![A-Za-z\\])(?P<letter>\\?[A-Za-zα-ω]+?)(?:_(?:\{[^{}]{1,8}\}|\w))?"
ONE = re.compile(rf"{LETTER}\s*\^\s*(?:1(?![0-9])|\{{\s*1\s*\}})")  # nobody writes the first power
COUNTED = re.compile(r"\s*(?P<letter>\\?[A-Za-zα-ω]+)\s*\^\s*(?:[0-9]|\{\s*[0-9]{1,2}\s*\})\s*_")  # x^2_i
POWER = re.compile(rf"{LETTER}\s*(?:\^\s*(?:[0-9]|\{{\s*[0-9]{{1,2}}\s*\}})|[²³])")
IN_BRACKETS = re.compile(r"parenthes|bracket|\(l\)|括弧", re.IGNORECASE)  # x^{(2)} is no power
SQUARES = frozenset(("sigma", "σ", "s", "e", "chi", "rho"))  # σ²_i is a variance
COUNTS = Words(
    "Not decided: superscripts may count here, as those of layers do, and be no powers.",
    "判定できない。この文書の上付きの数字は、層などの番号であって累乗ではない可能性がある。",
)


@dataclass
class ToldSuperscripts:
    """Where it is told for all letters, and the letters of which equations show it."""

    _told: dict[str, int] = field(default_factory=dict)  # file -> line
    _letters: set[tuple[str, str]] = field(default_factory=set)

    def add(self, document: Document) -> None:
        for file, start, _, sentence in sentences(document):
            if "uper" in sentence or "上" in sentence or "肩" in sentence:
                if TOLD.search(sentence) and not IN_BRACKETS.search(sentence):
                    self._told.setdefault(file, document.place(start).line)

    def heeded(self, equation: Equation, relation: Relation) -> Equation:
        texts = relation.left.text, relation.right.text
        letters = {m["letter"].lstrip("\\") for text in texts for m in POWER.finditer(text)}
        own = {letter for file, letter in self._letters if file == relation.file}
        is_told = self._told.get(relation.file, relation.line + 1) <= relation.line
        if equation.verdict not in ACCEPTED:  # x^1 = 3 is right of x = 3
            shown = {m["letter"].lstrip("\\") for text in texts for m in ONE.finditer(text)}
            shown |= {m["letter"].lstrip("\\") for m in (COUNTED.match(texts[0]),) if m is not None}
            self._letters |= {(relation.file, letter) for letter in shown - SQUARES}
        is_claim = equation.verdict in (*ACCEPTED, *ACCUSING)
        is_counted = letters & own or (is_told and letters - {"e"})
        return undecided(equation, COUNTS, "own_letter") if is_claim and is_counted else equation
