"""What a document says of its letters in words and no formula holds: A is symmetric, x has zero mean, B and C commute."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from symtransformer.checking import equation_words as words
from symtransformer.checking.doubts import undecided
from symtransformer.checking.equations import ACCUSING, Equation
from symtransformer.checking.opaque_names import names_behind
from symtransformer.checking.prose import sentences
from symtransformer.checking.told_meanings import JAPANESE_NOT, NOT
from symtransformer.documents import Document, Relation

PROPERTY = re.compile(
    r"symmetric|\bhermitian|\bself-adjoint|orthogonal|orthonormal|\bunitary|\bdiagonal (?:matri|and|with)|\b(?:is|are|be|both) diagonal|"
    r"\bidempotent|\binvolut|\bprojections?\b|\brotations?\b|\bpermutation matri|\bcommut|\bstochastic|\bnormal matri|\bnilpotent|"
    r"\b(?:is|are|be) (?:the |an? )?(?:identity|zero|invertible|the same|equal|identical|tied|shared|positive|negative|non-?negative|centered|"
    r"normalized|standardized|one-hot)\b|\b(?:entries|components|elements)\b[^.=]{0,30}\b(?:positive|negative|non-?negative|equal|zero)\b|"
    r"\bthe same (?:matri|vector|weights)|\b(?:zero|unit) (?:mean|variance|norm|length|vectors?)\b|\bunit vectors?\b|"
    r"\b[A-Za-z]\w* and [A-Za-z]\w* (?:both )?(?:coincide|agree|share)\b|\b(?:quer(?:y|ies)|keys?) (?:both )?(?:coincide|agree)\b|\b[A-Z]_\w+ (?:equals|coincides with) [A-Z]_\w+|"
    r"[A-Za-z]\w* ?と ?[A-Za-z]\w* ?[はがを][^。=]{0,10}(?:等し|同一|同じ|一致|共有|共通)|対称|直交|ユニタリ|対角行列|冪等|べき等|回転行列|射影|可換|交換可能|平均(?:が|は) ?0|単位ベクトル|非負|(?:成分|要素)[^。=]{0,8}(?:正|負|等し)|同じ行列",
    re.IGNORECASE,
)
# A = A^T, P = P P; A^T = A and P^2 = P only where the sentence supposes it, as they may be claims
_POWER = r"\^? ?(?:T(?![A-Za-z])|top|⊤|intercal|ᵀ|²|2|\( ?-1 ?\)|-1|⁻¹)"
_END = r"(?![A-Za-z0-9_^]| ?[A-Z0-9+*/·×⊙(\[-])"
OF_ITSELF = re.compile(rf"(?<![A-Za-z0-9_^])([A-Z]) ?= ?-? ?\1(?: ?{_POWER}| ?\1){_END}")
IS_ITSELF = re.compile(rf"(?<![A-Za-z0-9_^])([A-Z])(?: ?{_POWER}| ?\1) ?= ?-? ?\1{_END}")
SUPPOSES = re.compile(
    r"\b(?:let|suppose|assum\w+|if|when|whenever|where|for|with|given|provided|satisf\w+|such that)\b(?!.*\b(?:then|so|thus|hence|therefore|have|get)\b)",
    re.IGNORECASE,
)
SUPPOSED = re.compile(r" ?(?:とする|とおく|なら|のとき|と仮定|を満たす)")
IN_WORDS = {
    "Q": re.compile(r"\bquer(?:y|ies)\b|クエリ", re.IGNORECASE),
    "K": re.compile(r"\bkeys?\b|キー", re.IGNORECASE),
}
LETTER = re.compile(r"(?<![A-Za-z0-9\\])([A-Za-zα-ω])(?:_(?:([A-Z])|\w{1,6}))?(?![A-Za-z0-9])")
ARTICLE = re.compile(r"(?<![A-Za-z])a (?!(?:is|are|be|and)\b)(?=[a-z]{2})")


@dataclass
class ToldPremises:
    """Letters with a property that was told in words, each with the place where that was."""

    _told: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)  # by file and letter

    def add(self, document: Document) -> None:
        for file, start, _, sentence in sentences(document):
            for letter in letters_of_premise(sentence):
                place = document.place(start)
                self._told.setdefault((file, letter), (place.line, place.column))

    def heeded(self, equation: Equation, relation: Relation, language: str, formulas: Mapping[str, str]) -> Equation:
        """Nobody is accused of a formula that holds for some matrices, where something is told of its letters.

        Its letters are also those that the document's own `formulas` make it of.
        """
        if equation.verdict not in ACCUSING or equation.kind != "formula" or not self._told:
            return equation
        names = names_behind((relation.left.text, relation.right.text), language, formulas)
        for (file, letter), place in self._told.items():
            is_before = file == relation.file and place <= (relation.line, relation.column)
            if is_before and letter in names:
                return undecided(equation, words.CONDITIONAL, "conditional")
        return equation


def letters_of_premise(sentence: str) -> set[str]:
    """The letters of a sentence that tells a property of a matrix or a vector; of W_Q also Q, which is made of it.

    >>> sorted(letters_of_premise("Let A and B be diagonal matrices")), letters_of_premise("A is not symmetric")
    (['A', 'B'], set())
    >>> letters_of_premise("Suppose A^T = A"), letters_of_premise("Then A^T = A"), letters_of_premise("P = P^2")
    ({'A'}, set(), {'P'})
    >>> sorted(letters_of_premise("W_Q and W_K are the same matrix"))
    ['K', 'Q', 'W']
    """
    said = JAPANESE_NOT.sub("", NOT.sub("", sentence))
    supposed = (
        m for m in IS_ITSELF.finditer(said) if SUPPOSES.search(said[: m.start()]) or SUPPOSED.match(said, m.end())
    )
    found = {*OF_ITSELF.findall(said), *(m.group(1) for m in supposed)}
    if PROPERTY.search(said) is None:
        return found
    return (
        found
        | {letter for pair in LETTER.findall(ARTICLE.sub("", said)) for letter in pair if letter}
        | {letter for letter, word in IN_WORDS.items() if word.search(said)}
    )
