"""What a document says of its symbols in words alone: log is to base 2, σ denotes tanh, ∘ is the matrix product."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from symtransformer.checking.declared import TOPICS, Declared
from symtransformer.checking.doubts import undecided
from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.checking.one_order import OneOrder
from symtransformer.checking.opaque_names import opaque_in
from symtransformer.checking.prose import sentences
from symtransformer.checking.told_anew import ToldAnew
from symtransformer.checking.told_bases import base_told
from symtransformer.checking.told_behind import ToldBehind
from symtransformer.checking.told_cases import ToldCases
from symtransformer.checking.told_dependence import ToldDependence
from symtransformer.checking.told_dress import ToldDress
from symtransformer.checking.told_eps import ToldEps
from symtransformer.checking.told_functions import BY_CONVENTION, OF_FUNCTIONS, PHI, own_function
from symtransformer.checking.told_meanings import (
    BASES,
    JAPANESE_NOT,
    MEANINGS,
    NOT,
    OWN_FUNCTIONS,
    SAMPLE,
    Meaning,
    may_say,
)
from symtransformer.checking.told_premises import ToldPremises
from symtransformer.checking.told_superscripts import ToldSuperscripts
from symtransformer.checking.told_vectors import ToldVectors
from symtransformer.documents import Document, Relation

ABOUT = "≈"  # GELU(x) ≈ x σ(1.702 x)
# one of these stands in every sentence that tells a meaning
OF_LOGARITHMS = ("log", "対数", "底", "bits", "ビット")  # in small letters, in every sentence that tells a base


@dataclass(frozen=True)
class Told:
    """`meaning` is another one than the usual, or empty where a sentence says the usual one; `base` of logarithms."""

    file: str
    line: int
    column: int
    topic: str
    meaning: Meaning | None = None
    declares: str = ""  # log=2
    is_local: bool = False  # it holds for its own sentence only
    end: tuple[int, int] = (0, 0)

    @property
    def at(self) -> tuple[int, int]:
        return self.line, self.column


class ToldInWords:
    """What was said in words up to a relation, and what becomes doubtful by it."""

    def __init__(self, declared: Declared) -> None:
        self.declared = declared
        self.marked: set[str] = set()  # topics that a mark of the author declares
        self.doubtful: list[Told] = []  # at the present relation
        self._told: dict[tuple[str, str], list[Told]] = {}  # by file and topic
        self._names: dict[str, Meaning] = {}  # made of what is doubtful
        self._order = OneOrder()
        self._premises = ToldPremises()
        self._anew = ToldAnew()
        self._eps = ToldEps()
        self._ways = ToldDependence()
        self._vectors = ToldVectors()
        self._superscripts = ToldSuperscripts()
        self._cases = ToldCases()
        self._dress = ToldDress()
        self._behind = ToldBehind()
        self._own: list[Meaning] = []  # functions that the document has formulas of its own for

    def add(self, document: Document, relations: Sequence[Relation]) -> None:
        """What its words say holds for what follows, in later documents too."""
        self._behind.add(document, relations)
        document = self._order.of(document)
        self._premises.add(document)
        self._anew.add(document)
        self._eps.add(document)
        self._ways.add(document)
        self._vectors.add(document)
        self._superscripts.add(document)
        self._cases.add(document)
        for found in _told(document):
            self._told.setdefault((found.file, found.topic), []).append(found)

    def adopt_mark(self, convention: str) -> bool:
        """A mark goes before all words."""
        if not self.declared.adopt(convention):
            return False
        self.marked.add(convention.partition("=")[0].strip())
        return True

    def cases_of(self, relation: Relation) -> frozenset[str]:
        """The cases that the sentence of a relation speaks of."""
        return self._cases.of(self._order.relation(relation))

    def come_to(self, relation: Relation) -> None:
        """What holds for a relation: what its own sentence says, or was said last before it, or else first after it."""
        self.doubtful = []
        relation = self._order.relation(relation)
        at = relation.line, relation.column
        for (file, topic), rows in self._told.items():
            if file != relation.file or topic in self.marked:
                continue
            lasting = [row for row in rows if not row.is_local]
            before = bisect_right([row.at for row in lasting], at)
            row = next((row for row in rows if row.is_local and row.at <= at <= row.end), None)
            row = row or (lasting[before - 1] if before else next(iter(lasting), None))
            if row is not None and row.declares and row.at <= at:
                self.declared.adopt(row.declares)
            else:
                self.declared.by_topic.pop(topic, None)
            if row is not None and row.meaning is not None:
                self.doubtful.append(row)

    def heeded(
        self, equation: Equation, relation: Relation, name: str | None, language: str, formulas: Mapping[str, str]
    ) -> Equation:
        """The equation, or the same undecided where it rests on a meaning that is not the document's."""
        equation = self._behind.heeded(equation, relation)
        relation = self._order.relation(relation)
        equation = self._premises.heeded(equation, relation, language, formulas)
        equation = self._anew.heeded(equation, relation, language, formulas)
        equation = self._ways.heeded(self._eps.heeded(equation, relation), relation, formulas)
        equation = self._dress.heeded(equation, relation)
        equation = self._cases.heeded(equation, relation, name, language, formulas)
        equation = self._superscripts.heeded(self._vectors.heeded(equation, relation, language), relation)
        texts = relation.left.text, relation.right.text
        if equation.code == "own_function":
            self._own += [m for m in OWN_FUNCTIONS if m.concerns.search(texts[0])]
        if (own := own_function(*texts)) is not None and self._gives(own, equation, relation.sign):
            return equation
        told = next((t for t in self.doubtful if t.meaning and any(map(t.meaning.concerns.search, texts))), None)
        given = [m for m in self._own if not (m.declares and own is not None and m.name == own.name)]
        found = told.meaning if told else next((m for m in given if any(map(m.concerns.search, texts))), None)
        if told is not None and _follows(equation, told, told.topic in self.declared.by_topic):
            return equation
        if found is None and (opaque := opaque_in(texts, language, dict.fromkeys(self._names, 0))) is not None:
            found = self._names[opaque]
        if name is not None and equation.verdict == "definition":
            self._names.pop(name, None)
        if found is None or (told is None and _is_worked_out(equation, found.declares)):
            return equation
        if name is not None and not (told is not None and told.topic in self.declared.by_topic):
            self._names.setdefault(name, found)
        return _undecided(equation, found)

    def _gives(self, own: Meaning, equation: Equation, sign: str) -> bool:
        """Whether it gives a known function a formula that is none of its usual ones; kept, or forgotten, from here on."""
        notes = {note.name for note in equation.remarks} & BY_CONVENTION
        if equation.verdict in (*ACCEPTED, "definition") and not notes:
            self._own = [m for m in self._own if m.name != own.name or not m.declares]
            return False
        declares = next(iter(notes), "")
        is_about = sign == "≈" and (declares or own.concerns is PHI)
        self._own.append(replace(own, declares=ABOUT if is_about else declares))
        return not notes


def _is_worked_out(equation: Equation, declares: str) -> bool:
    """As the document's formula has it; what is about another formula is the usual function all the same."""
    if declares == ABOUT:
        return equation.verdict in ACCEPTED
    return equation.convention is not None and equation.convention.name == declares


def _follows(equation: Equation, told: Told, is_declared: bool) -> bool:
    """Whether the equation was judged by what is told."""
    if not told.declares or equation.kind != "number":
        return False
    topic, _, word = told.declares.partition("=")
    if equation.convention is not None and equation.convention.name == TOPICS[topic][word]:
        return True
    return is_declared and not any(note.name == "declared_not_followed" for note in equation.remarks)


def _undecided(equation: Equation, meaning: Meaning) -> Equation:
    """Neither true nor anybody's fault."""
    is_claimed = equation.verdict in (*ACCEPTED, *ACCUSING)
    return undecided(equation, meaning.words, "told_in_words") if is_claimed else equation


def _told(document: Document) -> Iterator[Told]:
    for file, start, end, sentence in sentences(document):
        small = sentence.lower()
        asked = [meaning for meaning in (SAMPLE, *MEANINGS, *OF_FUNCTIONS) if may_say(meaning, small)]
        is_of_logarithms = any(word in small for word in OF_LOGARITHMS)
        if not (asked or is_of_logarithms):
            continue
        said = JAPANESE_NOT.sub("", NOT.sub("", sentence))
        place, last = document.place(start), document.place(end)
        if is_of_logarithms and (found := base_told(said)) is not None:
            base, is_local = found
            ends = last.line, last.column
            yield Told(file, place.line, place.column, "log", BASES[base], f"log={base}", is_local, ends)
        for meaning in asked:
            if meaning.usual is not None and meaning.usual.search(said):
                yield Told(file, place.line, place.column, meaning.name)
            elif any(pattern.search(said) for pattern in meaning.said):
                yield Told(file, place.line, place.column, meaning.name, meaning, meaning.declares)
