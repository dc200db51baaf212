"""When a relation gives a name its value, and when it claims something about a value that is known."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

from sympy import E, pi

from symtransformer.checking import equation_words as words
from symtransformer.checking.computing import Computed, Computing
from symtransformer.checking.definitions import Cells, Definition, Definitions
from symtransformer.checking.equal_sides import judge_sides
from symtransformer.checking.equations import Equation
from symtransformer.checking.number_equations import gives
from symtransformer.checking.number_words import RIGHT, RIGHT_WORDS
from symtransformer.documents import Relation
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.sides import Side

CONSTANTS = {"e": E, "pi": pi}


class Defining:
    """Decides what is a definition, and keeps it."""

    def __init__(self, definitions: Definitions, computing: Computing) -> None:
        self.definitions, self.computing = definitions, computing

    def read(
        self, name: str | None, left: Side | ReadingError, right: Side, relation: Relation, made: Equation
    ) -> Equation | None:
        """The equation as a definition; None if it claims something."""
        if name is None:
            return None
        old = self.definitions.get(name)
        if (
            old is None
            and name in CONSTANTS
            and right.shown is not None
            and gives(right.shown, Computed(CONSTANTS[name]))
        ):
            return replace(made, verdict=RIGHT, words=RIGHT_WORDS, from_start=RIGHT, code="")
        if old is None and isinstance(left, Side) and self.definitions.letters(left):
            return None  # row 2 of a matrix that is known
        if old is not None and not old.is_implied and (old.is_reference or not self._replaces(old, right)):
            return None
        if not self.define(name, right, relation.line):
            return None
        remarks = () if old is None or old.is_implied else (words.redefined(old.line),)
        return replace(made, verdict="definition", words=words.DEFINED, remarks=remarks, code="")

    def _replaces(self, old: Definition, right: Side) -> bool:
        """Whether a name that has a value is given a new one.

        Numbers where it was computed before are a claim about it, unless what it was computed from has changed, or it
        is a word such as 合計, which names one sum after another. A formula is a claim only if it is true.
        """
        value = self.computing.from_start(right)
        if value is None or value.node == old.exact:
            return False
        if right.shown is None:
            before = Computed(old.exact, old.listed)
            return value.shape != before.shape or judge_sides(value, before).kind != RIGHT
        if gives(right.shown, Computed(old.exact, old.listed)):
            return False
        return old.side is None or self.definitions.is_stale(old) or _is_word(old.name)

    def define(self, name: str, side: Side, line: int) -> bool:
        """Keep the value of a side under a name; False if it has none."""
        value = self.computing.from_start(side)
        if value is None:
            return False
        exact = value.node
        if value.shape == (1, 1) and not side.listed and (number := value.exact_number()) is not None:
            exact = number
        letters = self.definitions.letters(side)
        computed = side if letters or side.shown is None else None
        self.definitions.define(
            Definition(
                name,
                exact,
                side.listed,
                line,
                side.shown,
                self.definitions.faulty_line(letters),
                computed,
                self.definitions.versions(letters),
            )  # fmt: skip
        )
        if letters:
            self.definitions.add_formula(name, side.text)
        return True

    def show(self, name: str | None, shown: Cells | None, faulty: int | None) -> None:
        """The digits last shown for a name, and the line where they go wrong."""
        known = self.definitions.get(name)
        if known is None or shown is None:
            return
        if (len(shown), len(shown[0])) == Computed(known.exact).shape:
            self.definitions.show(known.name, shown, faulty or known.faulty)


def _is_word(name: str) -> bool:
    return any(unicodedata.category(c) == "Lo" for c in name)
