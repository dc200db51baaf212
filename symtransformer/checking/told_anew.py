r"""Letters that an assignment or words give another value, u \leftarrow u + 1, and letters of which a formula takes a meaning away."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from symtransformer.checking.doubts import headings_of, undecided
from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.checking.opaque_names import names_behind
from symtransformer.checking.prose import SIGN_COMMANDS, sentences
from symtransformer.checking.told_by_pronouns import changes_of_the_last
from symtransformer.checking.told_changes import Changed, changes_told
from symtransformer.checking.told_in_code import InCode, assigned_in_code
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
SAYS = r"(?:now |instead |here )?(?:is|are|be|denotes?|means|stands for|represents|refers to)"
HERE = re.compile(
    rf"(?:\bhere|\bin (?:this|the (?:next|following|present)) (?:part|section|chapter|exercise|problem|example|appendix|paragraph)|\bin what follows|\bbelow|"
    rf"\bin (?:section|chapter|exercise|problem|example|appendix) \w+)\b[^.=]{{0,30}}?(?<![\w']){NAME} {SAYS} (?:the|an?|any|some|our|another)\b|"
    rf"(?:ここで|この(?:節|章|問題|例|項)で|以下で|本(?:節|章)で)は?、? ?{NAME} ?[はを]",
    re.IGNORECASE,
)
# what nobody calls a quantity that is made of others: u denotes an arbitrary vector, u is the embedding of a token
FREE = re.compile(
    rf"(?<![\w']){NAME} {SAYS} (?:(?:[a-z]+ )?(?:[a-z-]+ ){{0,2}}?(?:arbitrary|any|another|different|unknown|learned|learnt|trainable|learnable|"
    rf"free|fixed|random|independent)|(?:the|an?|our) (?:token |word |position(?:al)? )?(?:embedding|input|parameter|constant|hyperparameter)s?)\b"
    rf"(?! (?:of|to|by|in) {NAME}\b)|"
    rf"{NAME} ?[はを](?:[^。、=]{{0,12}})(?:任意の|別の|未知の|学習(?:される|可能な)|独立な|ランダムな|(?:埋め込み|入力|パラメータ|定数)(?:ベクトル)?(?:を表す|である|とする))",
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


SPELLED = {
    sign: name for name, sign in SIGN_COMMANDS.items() if name.isalpha() and not name.startswith("var")
}  # of η, eta


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


E_OR_PI = re.compile(
    r"\s*\\?(?:(?:mathbf|boldsymbol|bm|vec|hat|tilde)\s*\{?\s*\\?)?(?P<name>e|pi|π)\}?\s*(?:_|\^\s*\{?\s*[(\[]|\()"
)
UNIT_VECTOR = re.compile(r"[\s0,;&\\\[\]()]*1[\s0,;&\\\[\]()]*|.*(?:\\delta|δ|onehot|one_hot).*", re.DOTALL)


At = tuple[float, int]  # line and column


@dataclass
class ToldAnew:
    """Where letters are assigned to, until an equation gives them a value again."""

    _assigned: dict[tuple[str, str], list[At]] = field(default_factory=dict)  # file and letter -> where
    _changed: list[InCode | Changed] = field(default_factory=list)  # by programs and by words
    _retold: dict[tuple[str, str], list[tuple[At, At]]] = field(default_factory=dict)  # where, and since when
    _own: set[str] = field(default_factory=set)  # signs that an equation says something else of
    _given: dict[tuple[str, str], At] = field(default_factory=dict)  # where it last got a formula
    _last: dict[tuple[str, str], tuple[At, str]] = field(default_factory=dict)  # where it last got anything, and what

    def add(self, document: Document) -> None:
        for file, source in document.sources.read_texts():
            for found in ASSIGNED.finditer(source.text):
                place = document.place(source.origins[found.start("name")])
                self._assigned.setdefault((file, found["name"]), []).append((place.line, place.column))
        self._changed += (*assigned_in_code(document), *changes_told(document), *changes_of_the_last(document))
        headings = headings_of(document)
        for file, start, _, text in sentences(document):
            place = document.place(start)
            at = place.line, place.column
            section = max((h for h in headings if h <= place.line), default=0), 0
            for pattern, since in ((RETOLD, at), (FREE, at), (HERE, section)):
                for found in pattern.finditer(text):
                    letter = next(filter(None, found.groups()))
                    self._retold.setdefault((file, letter), []).append((at, since))

    def heeded(self, equation: Equation, relation: Relation, language: str, formulas: Mapping[str, str]) -> Equation:
        """The equation, or the same undecided where it rests on what was assigned, or on e, before."""
        texts = relation.left.text, relation.right.text
        for own, (sign, pattern) in USUAL.items():
            is_own = own in formulas or own in self._own
            if equation.verdict in ACCEPTED and is_own and any(map(pattern.search, texts)):
                return undecided(equation, _is_own(sign), "own_letter")
        self._take_signs(equation, *texts)
        head = HEAD.match(texts[0])
        if head is not None and equation.verdict == "definition":
            key = relation.file, head[1]
            at = relation.line, relation.column
            self._given[key] = at if equation.kind == "formula" else (math.inf, 0)
            self._last[key] = at, texts[1]
        elif equation.verdict in (*ACCEPTED, *ACCUSING) and (self._assigned or self._retold or self._changed):
            for letter in sorted(
                self._doubtful(relation) & (names_behind(texts, language, formulas) | _letters(texts))
            ):
                return undecided(equation, _assigned(letter), "assigned")
        return equation

    def _take_signs(self, equation: Equation, left: str, right: str) -> None:
        """Signs with a usual meaning of which the document says something else: δ_ij = x_i - y_j, e_i = y_i - t_i."""
        if TWO_INDICES.fullmatch(left.strip()) and A_CASE.search(right) is None:
            self._own.add("delta_ij")
        found = E_OR_PI.match(left)
        if found is not None and equation.verdict not in ACCEPTED and UNIT_VECTOR.fullmatch(right) is None:
            self._own.add("e" if found["name"] == "e" else "pi")

    def _doubtful(self, relation: Relation) -> set[str]:
        """Letters that an arrow, a program, or words behind their formula, gave another meaning before this line."""
        found: set[str] = set()
        now = relation.line, relation.column
        for (file, name), assigned in self._assigned.items():
            since, _ = self._last.get((file, name), ((-1, 0), ""))
            if file == relation.file and any(since < at < now for at in assigned):
                found.add(name)
        for change in self._changed:
            name = SPELLED.get(change.name, change.name)
            since, text = self._last.get((change.file, name), self._last.get((change.file, change.name), (now, "")))
            if change.file == relation.file and since < change.at < now and change.is_other_than(text):
                found |= {name, change.name}
        for (file, letter), told in self._retold.items():
            given = self._given.get((file, letter), now)
            if file == relation.file:
                found |= {letter for at, since in told if given < since and at <= now}
        return found


def _letters(texts: tuple[str, str]) -> set[str]:
    """Letters as they are written, also where the text is not read."""
    return {name for text in texts for pair in A_LETTER.findall(text) for name in pair if name}
