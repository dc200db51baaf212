r"""Letters that an assignment gives another value, u \leftarrow u + 1, and letters of which a formula takes a meaning away."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from symtransformer.checking.doubts import undecided
from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.checking.opaque_names import names_behind
from symtransformer.checking.prose import sentences
from symtransformer.documents import Document, Relation
from symtransformer.notation import Words

ASSIGNED = re.compile(
    r"(?<![A-Za-z0-9_^{\\])\\?(?P<name>[A-Za-zα-ω]+)(?:_(?:\{\w{1,6}\}|\w))?\s*(?:\\leftarrow|\\gets|←)(?![A-Za-z])"
)
NAME = r"([A-Za-zα-ω])(?:_\w{1,6})?"
RETOLD = re.compile(
    rf"\b(?:let|now,?(?: let)?|instead,?(?: let)?|redefine|from (?:now|here) on,?) {NAME} (?:now |instead )?(?:be|is|are|as|to be|denotes?|means|stands for)\b|"
    rf"(?:今度は|改めて|新たに|今後は?|以後は?|以降は?)、? ?{NAME} ?[はを]|{NAME} ?[はを]、?(?:今度は|改めて|新たに|今後は?|以後は?|以降は?)",
    re.IGNORECASE,
)
HEAD = re.compile(r"\s*\\?([A-Za-zα-ω]+)")
A_LETTER = re.compile(r"(?<![A-Za-z\\])([A-Za-zα-ω])(?![A-Za-z])|\\([A-Za-z]+)")
TWO_INDICES = re.compile(r"(?:\\delta|δ)\s*_\s*\{?\s*[a-z]\s*,?\s*[a-z]\s*\}?")
A_CASE = re.compile(r"cases|array|if|otherwise|\[|1\s*_|mathbb|mathbf|I_|\A\s*[01]\s*\Z|\\delta|δ|\\partial|∂")
USUAL = {  # what has a meaning of its own, unless the document has a formula for it
    "e": ("e", re.compile(r"(?<![A-Za-z\\])e\s*(?:\^|²|³|[⁰-⁹])")),
    "pi": ("π", re.compile(r"\\pi(?![A-Za-z])|π")),
    "delta_ij": ("δ_ij", TWO_INDICES),
}


def _assigned(name: str) -> Words:
    return Words(
        f"Not decided: {name} is given another value by an arrow or in words before, and that is not followed.",
        f"判定できない。前にある矢印か文で {name} が改めて定められており、それは追跡していない。",
    )


def _is_own(sign: str) -> Words:
    return Words(
        f"Not decided: {sign} has a formula of its own here, so it may not be what it usually is.",
        f"判定できない。この文書には {sign} の式があり、通常の意味とは限らない。",
    )


@dataclass
class ToldAnew:
    """Where letters are assigned to, until an equation gives them a value again."""

    _assigned: dict[tuple[str, str], int] = field(default_factory=dict)  # file and letter -> the first line
    _retold: dict[tuple[str, str], list[int]] = field(default_factory=dict)  # and where words say what it is
    _own: set[str] = field(default_factory=set)  # signs that an equation says something else of
    _given: dict[tuple[str, str], float] = field(default_factory=dict)  # where it last got a formula

    def add(self, document: Document) -> None:
        for file, source in document.sources.read_texts():
            for found in ASSIGNED.finditer(source.text):
                line = document.place(source.origins[found.start("name")]).line
                self._assigned.setdefault((file, found["name"]), line)
        for file, start, _, text in sentences(document):
            for found in RETOLD.finditer(text):
                letter = next(filter(None, found.groups()))
                self._retold.setdefault((file, letter), []).append(document.place(start).line)

    def heeded(self, equation: Equation, relation: Relation, language: str, formulas: Mapping[str, str]) -> Equation:
        """The equation, or the same undecided where it rests on what was assigned, or on e, before."""
        texts = relation.left.text, relation.right.text
        for own, (sign, pattern) in USUAL.items():
            is_own = own in formulas or own in self._own
            if equation.verdict in ACCEPTED and is_own and any(map(pattern.search, texts)):
                return undecided(equation, _is_own(sign), "own_letter")
        if TWO_INDICES.fullmatch(texts[0].strip()) and A_CASE.search(texts[1]) is None:
            self._own.add("delta_ij")
        head = HEAD.match(texts[0])
        if head is not None and equation.verdict == "definition":
            key = relation.file, head[1]
            self._given[key] = relation.line if equation.kind == "formula" else math.inf
            self._assigned = {k: line for k, line in self._assigned.items() if k != key or line > relation.line}
        elif equation.verdict in (*ACCEPTED, *ACCUSING) and (self._assigned or self._retold):
            for letter in sorted(
                self._doubtful(relation) & (names_behind(texts, language, formulas) | _letters(texts))
            ):
                return undecided(equation, _assigned(letter), "assigned")
        return equation

    def _doubtful(self, relation: Relation) -> set[str]:
        """Letters that an arrow, or words behind their formula, gave another meaning before this line."""
        found = {n for (file, n), line in self._assigned.items() if file == relation.file and line < relation.line}
        for (file, letter), lines in self._retold.items():
            given = self._given.get((file, letter))
            if file == relation.file and given is not None and any(given < line <= relation.line for line in lines):
                found.add(letter)
        return found


def _letters(texts: tuple[str, str]) -> set[str]:
    """Letters as they are written, also where the text is not read."""
    return {name for text in texts for pair in A_LETTER.findall(text) for name in pair if name}
