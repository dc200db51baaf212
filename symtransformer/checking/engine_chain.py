"""A chain `a = b ≈ c` as the engine goes through it: its sides, each read once, and what has been found so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symtransformer.checking import equation_words as words
from symtransformer.checking.doubts import undecided
from symtransformer.checking.equations import Equation
from symtransformer.checking.faulty_line import FaultyLine
from symtransformer.checking.number_words import LAST_PLACE, RIGHT, RIGHT_IF_ROUNDED, UNDECIDABLE, WRONG
from symtransformer.checking.situation import Asked
from symtransformer.documents import Relation
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.sides import Side


@dataclass
class Chain:
    """Sides of `a = b ≈ c`, each read once; an error where one could not be."""

    relations: Sequence[Relation]
    language: str
    name: str | None
    sides: list[Side | ReadingError]
    asked: Asked
    start: int = 0  # the first relation behind a = b = ...
    faulty: FaultyLine | None = None  # the line of a relation that is not right
    is_doubtful: bool = False  # what it begins with may mean something else
    before: str = ""  # the verdict on the relation before

    def first(self, k: int) -> Side | None:
        """The first side that can be read, up to that before a relation."""
        return next((side for side in self.sides[: k + 1] if isinstance(side, Side)), None)

    def with_doubt(self, equation: Equation) -> Equation:
        """0.15 + 0.15 = 0.29 is right by what the chain begins with only if 0.15 + 0.15 is known to be that, and 0.30
        is excused only if these are its roundings."""
        leans = equation.verdict == RIGHT_IF_ROUNDED or (
            equation.verdict == RIGHT and equation.local in (LAST_PLACE, WRONG)
        )
        is_open, self.before = self.before == UNDECIDABLE, equation.verdict
        return undecided(equation, words.NOT_TOLD, "rounded_operands") if leans and is_open else equation

    def is_rounded(self, side: Side) -> bool:
        """Whether ≈ stands before it."""
        place = self.sides.index(side)
        return place > 0 and self.relations[place - 1].sign == "≈"


def open_equation(relation: Relation) -> Equation:
    """The equation as long as nothing is known of it."""
    text = " ".join(f"{relation.left.text} {relation.sign} {relation.right.text}".split())
    at = relation.file, relation.line, relation.column
    return Equation(*at, text, "number", UNDECIDABLE, words.NO_MEANING, code="no_value")
