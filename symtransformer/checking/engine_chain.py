"""A chain `a = b ≈ c` as the engine goes through it: its sides, each read once, and what has been found so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symtransformer.checking import equation_words as words
from symtransformer.checking.equations import Equation
from symtransformer.checking.faulty_line import FaultyLine
from symtransformer.checking.number_words import UNDECIDABLE
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

    def first(self, k: int) -> Side | None:
        """The first side that can be read, up to that before a relation."""
        return next((side for side in self.sides[: k + 1] if isinstance(side, Side)), None)

    def is_rounded(self, side: Side) -> bool:
        """Whether ≈ stands before it."""
        place = self.sides.index(side)
        return place > 0 and self.relations[place - 1].sign == "≈"


def open_equation(relation: Relation) -> Equation:
    """The equation as long as nothing is known of it."""
    text = " ".join(f"{relation.left.text} {relation.sign} {relation.right.text}".split())
    at = relation.file, relation.line, relation.column
    return Equation(*at, text, "number", UNDECIDABLE, words.NO_MEANING, code="no_value")
