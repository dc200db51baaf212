"""The constant below the root of a norm, told in words: "a small constant is added", "eps=1e-5", 「微小な値を足す」."""

from __future__ import annotations

import re

from symtransformer.checking.doubts import undecided
from symtransformer.checking.equations import Equation
from symtransformer.checking.formula_eps import EPS_0
from symtransformer.checking.prose import sentences
from symtransformer.documents import Document, Relation
from symtransformer.notation import Words

SAID = re.compile(
    r"(?<![A-Za-z])(?:eps|epsilon)(?![a-z])|ε|\b(?:small|tiny|stabili[sz]ing) (?:positive )?(?:constant|number|value|term)|"
    r"\b(?:below|under|inside) (?:of )?the (?:square )?root|\bstabili[sz]er|\bnumerical stability|微小|小さな(?:定数|値|数)|小さい(?:定数|値|数)|安定化|根号の(?:中|下|内)",
    re.IGNORECASE,
)
NONE = re.compile(
    r"\b(?:without|no|ignor\w+|neglect\w*|omit\w*|drop\w*|leav\w+ out|zero)\b|= ?0(?![.0-9])|無視|なし|除い|省|0 ?と|ゼロ",
    re.IGNORECASE,
)
WORDS = Words(
    "Not decided: it holds with ε = 0, and the document speaks of a constant below the root.",
    "判定できない。ε = 0 なら成り立つが、文書には根号の中の定数のことが書かれている。",
)


class ToldEps:
    """The files whose words speak of such a constant."""

    def __init__(self) -> None:
        self._files: set[str] = set()

    def add(self, document: Document) -> None:
        said = ((file, text) for file, _, _, text in sentences(document) if SAID.search(text))
        self._files |= {file for file, text in said if NONE.search(text) is None}

    def heeded(self, equation: Equation, relation: Relation) -> Equation:
        """The equation, or the same undecided where it holds with ε = 0 only."""
        is_at_0 = (
            relation.sign != "≈"
            and relation.file in self._files
            and any(note.name == EPS_0.name for note in equation.remarks)
        )
        return undecided(equation, WORDS, "told_in_words") if is_at_0 else equation
