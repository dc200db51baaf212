"""What holds if something is supposed, beside what holds else: `if x = 0` is said for its sentence, and perhaps for more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from sympy import Rational

from symtransformer.checking import equation_words as words
from symtransformer.checking.definitions import Definitions
from symtransformer.checking.doubts import undecided
from symtransformer.checking.equations import ACCEPTED, ACCUSING, NOTHING_CLAIMED, Equation
from symtransformer.checking.formula_verdicts import SIZES_TOLD
from symtransformer.checking.opaque_names import names_in
from symtransformer.checking.situation import Asked
from symtransformer.documents import Relation, Saying
from symtransformer.reading.sides import read_name

CHAINS = 40  # so far a supposition may be meant
CasesOf = Callable[[Relation], frozenset[str]]
Run = Callable[[Sequence[Asked]], Iterable[Equation]]


class Suppositions:
    """Two states of what is defined, where a document supposes another value of a name that has one.

    `if x = 0` holds for its sentence, `for x = 0` from there on; nobody is accused who is right in the other state.
    """

    def __init__(self, definitions: Definitions, cases_of: CasesOf) -> None:
        self.definitions, self.cases_of = definitions, cases_of
        self.before: tuple[Any, ...] | None = None  # what held before the sentence
        self.sentence: int | None = None  # in which it is supposed
        self.other: tuple[Any, ...] | None = None
        self.left = 0
        self.told_at = -1  # where a value was last supposed in words
        self.open_in = -1  # the sentence that gives values of a parameter, at t = 0 and at t = 1
        self.sentence_of_for: int | None = None  # that says `for x = 4`
        self.cases: frozenset[str] = frozenset()  # that it speaks of

    def check(self, items: Sequence[Asked], run: Run) -> list[Equation]:
        """The chain, as the words around it mean it."""
        saying, relation = items[0].saying, items[0].relation
        self._leave(saying.sentence)
        kept = self.definitions.kept() if saying.takes_back or saying.conditions else None
        name = read_name(relation.left.text, items[0].language)
        supposes = saying.supposes if self._is_known(name) else ""
        if saying.supposes == "for" and name is not None and not supposes:
            self.open_in = saying.sentence
        if supposes == "if" and self.before is None:
            self.before, self.sentence = self.definitions.kept(), saying.sentence
        elif supposes == "for":
            old = self.definitions.get(name)
            if old is not None and old.is_reference:  # a parameter of what it is checked against
                self.open_in = saying.sentence
            is_open = self.open_in == saying.sentence >= 0
            self.other, self.left = self.definitions.kept(), CHAINS
            self.sentence_of_for = None if is_open else saying.sentence
            self.cases = self.cases_of(relation)
        found = [*run(items)]
        if self.other is not None and not supposes:
            is_left = self._is_left(saying, relation)
            found = self._in_both(found, items, run, is_left or 0 <= saying.sentence <= self.told_at)
        is_conditional = any(_speaks_of(saying, asked) for asked in items)
        if kept is not None and (
            saying.takes_back in ("denied", "warned") or is_conditional
        ):  # a question may give data
            self.definitions.bring_back(kept)
        found = [_as_said(e, a, saying) for e, a in zip(found, items, strict=True)]
        return [self._at_its_values(e, a, saying) for e, a in zip(found, items, strict=True)]

    def suppose(self, before: tuple[Any, ...], told_at: int) -> None:
        """What is known now holds if something is supposed, by words at a place; `before` is what holds without it."""
        self.told_at, self.sentence_of_for = told_at, None
        self.other, self.left = self.definitions.kept(), CHAINS
        self.definitions.bring_back(before)

    def _is_left(self, saying: Saying, relation: Relation) -> bool:
        """Whether the sentence may not be said for x = 4 any more: it neither says so nor goes on with what does."""
        if self.sentence_of_for is None or saying.sentence == self.sentence_of_for:
            return False
        if saying.goes_on or (self.cases and self.cases == self.cases_of(relation)):
            self.sentence_of_for = saying.sentence
            return False
        return True

    def kept(self) -> tuple[Any, ...]:
        """What is supposed, to come back to it."""
        return self.before, self.sentence, self.other, self.left, self.told_at, self.sentence_of_for, self.cases

    def bring_back(self, kept: tuple[Any, ...]) -> None:
        self.before, self.sentence, self.other, self.left, self.told_at, self.sentence_of_for, self.cases = kept

    def _at_its_values(self, equation: Equation, asked: Asked, saying: Saying) -> Equation:
        """2x = 8 if x = 4, where x is 3: it is said for 4."""
        if equation.verdict not in ACCUSING:
            return equation
        texts = asked.relation.left.text, asked.relation.right.text
        for name, value in saying.given:
            known = self.definitions.get(name)
            is_other = known is not None and known.exact != Rational(value)
            if is_other and any(name in (names_in(text, asked.language) or set()) for text in texts):
                return undecided(equation, words.CONDITIONAL, "conditional")
        return equation

    def _is_known(self, name: str | None) -> bool:
        return name is not None and (name in self.definitions or name in self.definitions.formulas)

    def _leave(self, sentence: int) -> None:
        if self.before is not None and sentence != self.sentence:
            self.other, self.left, self.sentence_of_for = self.definitions.kept(), CHAINS, None
            self.definitions.bring_back(self.before)
            self.before = None

    def _in_both(self, found: list[Equation], items: Sequence[Asked], run: Run, is_here: bool) -> list[Equation]:
        """`is_here`: their own sentence supposes it, so that it is not enough to be right without."""
        mine = self.definitions.kept()
        assert self.other is not None
        self.definitions.bring_back(self.other)
        others = [*run(items)]
        self.left -= 1
        self.other = self.definitions.kept() if self.left else None
        self.definitions.bring_back(mine)
        return [
            undecided(one, words.SUPPOSED_OR_NOT, "supposed")
            if (one.verdict in ACCUSING and other.verdict not in ACCUSING)
            or (is_here and one.verdict in ACCEPTED and other.verdict in ACCUSING)
            else one
            for one, other in zip(found, others, strict=True)
        ]


def _as_said(equation: Equation, asked: Asked, saying: Saying) -> Equation:
    """Nobody is accused of what is denied, asked, or said for other values; what a mark calls a mistake is judged."""
    if asked.is_pitfall:
        return equation
    if saying.takes_back == "supposed" and equation.verdict in ACCUSING:
        return undecided(equation, words.ONLY_SUPPOSED, "conditional")
    if saying.takes_back == "asked" and equation.verdict in ACCUSING:
        return undecided(equation, words.ASKED, "asked")
    if saying.takes_back == "other_arithmetic" and (
        equation.verdict in ACCUSING or _is_of_other_digits(equation, saying)
    ):
        return undecided(equation, words.OTHER_ARITHMETIC, "other_arithmetic")
    if saying.takes_back == "warned" and equation.verdict in ACCUSING:
        return replace(equation, expected_wrong=True)
    if saying.takes_back == "denied":
        if equation.verdict in ACCEPTED:
            return replace(equation, remarks=(*equation.remarks, words.DENIED_AND_RIGHT))
        if equation.verdict in (*ACCUSING, NOTHING_CLAIMED[0]):
            return undecided(equation, words.DENIED, "denied")
    if equation.verdict in ACCUSING and equation.against != SIZES_TOLD and _speaks_of(saying, asked):
        return undecided(equation, words.CONDITIONAL, "conditional")
    return equation


def _is_of_other_digits(equation: Equation, saying: Saying) -> bool:
    """2 + 2 = 4 holds modulo 3 too, and not in base 3; a logarithm has a base of its own."""
    return saying.of_digits and equation.verdict in ACCEPTED and "log" not in equation.text.lower()


def _speaks_of(saying: Saying, asked: Asked) -> bool:
    """Whether the condition is one on a name of the equation."""
    texts = (asked.relation.left.text, asked.relation.right.text) if saying.conditions else ()
    return any(saying.conditions & (names_in(text, asked.language) or set()) for text in texts)
