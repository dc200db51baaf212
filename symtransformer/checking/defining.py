"""When a relation gives a name its value, and when it claims something about a value that is known."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from fractions import Fraction

from sympy import E, S, pi

from symtransformer.checking import equation_words as words
from symtransformer.checking.computing import Computed, Computing
from symtransformer.checking.definitions import Cells, Definition, Definitions
from symtransformer.checking.equal_sides import judge_sides
from symtransformer.checking.equations import Equation
from symtransformer.checking.faulty_line import FaultyLine
from symtransformer.checking.number_equations import Routes, gives, judge_cells
from symtransformer.checking.number_words import FOLLOWS, LAST_PLACE, RIGHT, RIGHT_WORDS, UNDECIDABLE, WRONG
from symtransformer.checking.situation import Asked
from symtransformer.checking.values import Comparisons, Undecided, number
from symtransformer.documents import Relation
from symtransformer.documents.giving import REMINDED
from symtransformer.errors import SymtransformerError
from symtransformer.node import Node
from symtransformer.reading.claimed_numbers import EXACT
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.sides import Side, read_side
from symtransformer.symbols import Literal

CONSTANTS = {"e": E, "pi": pi}
NEAR = 0.3  # what is nearer to a constant is meant to be it
BEYOND = re.compile(r"index (?P<row>\d+)(?:, (?P<column>\d+))? of a matrix of size (?P<rows>\d+) x (?P<columns>\d+)")
WORDS_FOR_RESULTS = frozenset(("sum", "total", "result", "numerator", "denominator", "average"))


class Defining:
    """Decides what is a definition, and keeps it."""

    def __init__(self, definitions: Definitions, computing: Computing) -> None:
        self.definitions, self.computing = definitions, computing
        self.constants: dict[str, str] = {}  # the digits that are given for e and π

    def read(
        self,
        name: str | None,
        left: Side | ReadingError,
        right: Side,
        relation: Relation,
        made: Equation,
        asked: Asked,
    ) -> Equation | None:
        """The equation as a definition; None if it claims something, as a deliberate mistake does."""
        if name is None:
            return None
        if name in CONSTANTS and name not in self.definitions and (found := _constant(name, right, asked, made)):
            if found.verdict == RIGHT:
                self.constants[name] = right.text
            return found
        if name not in self.definitions and name in self.definitions.formulas and right.shown is not None:
            self._evaluate_formula(name)
        old = self.definitions.get(name)
        if old is None and isinstance(left, Side) and self._is_part(left, right):
            return None  # row 2 of a matrix that is known
        beyond = self._beyond(left, right) if old is None and isinstance(left, ReadingError) else None
        if beyond is not None and beyond["column"]:  # an entry; a row of another number may be that of another matrix
            said = words.beyond(name, int(beyond["rows"]), int(beyond["columns"]))
            is_of_list = "1" in (beyond["rows"], beyond["columns"])
            return replace(made, words=said, code="beyond") if is_of_list else None
        if old is not None and self._is_supposed(old, right, asked):
            return replace(made, verdict="definition", words=words.DEFINED, remarks=(words.SUPPOSED,), code="")
        if old is not None and not old.is_implied:
            if (
                old.is_reference
                or (asked.is_pitfall and self._has_shape(old, right))
                or not self._replaces(old, right, asked)
            ):
                return None
        if not self.define(name, right, relation.line, relation.sign == "≈"):
            return None
        remarks = () if old is None or old.is_implied else (words.redefined(old.line),)
        if beyond is not None:
            remarks = (words.another_row(name, int(beyond["rows"])),)
        return replace(made, verdict="definition", words=words.DEFINED, remarks=remarks, code="")

    def _is_supposed(self, old: Definition, right: Side, asked: Asked) -> bool:
        """Another value of a number that is given from outside, told in a sentence: it holds for that sentence."""
        if not (old.is_reference and old.side is None and asked.is_in_a_sentence) or asked.relation.sign == "≈":
            return False
        value = self.computing.from_start(right) if right.shown is not None else None
        if value is None or isinstance(value.node, Node) or isinstance(old.exact, Node):
            return False
        return value.node != old.exact and not _is_near(value, old)

    def _evaluate_formula(self, name: str) -> None:
        """The value of a formula whose letters have got values since."""
        try:
            side = read_side(self.definitions.formulas[name], self.definitions.scope)
        except ReadingError:
            return
        if self.definitions.letters(side):
            self.define(name, side, self.definitions.lines.get(name, 0))

    def _is_part(self, left: Side, right: Side) -> bool:
        """Whether q_2 is row 2 of Q here; if what is given for it has another size, the document defines it."""
        if not self.definitions.letters(left):
            return False
        part, given = self.computing.from_start(left), self.computing.from_start(right)
        return part is None or given is None or part.shape in (given.shape, given.shape[::-1])

    def _beyond(self, left: ReadingError, right: Side) -> re.Match[str] | None:
        """That it would be an entry or a row of a matrix that is known, were there so many; 0 counts none."""
        found = BEYOND.match(left.message) if left.code == "shapes" else None
        given = self.computing.from_start(right) if found else None
        if found is None or given is None or "0" in (found["row"], found["column"]):
            return None
        size = (1, 1) if found["column"] or found["columns"] == "1" else (1, int(found["columns"]))
        return found if given.shape in (size, size[::-1]) else None

    def _is_concluded(self, old: Definition, asked: Asked) -> bool:
        """Behind `therefore`, unless something else was given in that line: then the value follows from that."""
        line = asked.relation.line
        given = (d for d in self.definitions.by_name.values() if d.line == line and d.name != old.name)
        is_drawn = asked.is_concluded and old.line <= line and not self.definitions.are_apart(old.line, line)
        return is_drawn and not any(not d.is_implied and d.version > old.version for d in given)

    def _has_shape(self, old: Definition, right: Side) -> bool:
        value = self.computing.from_start(right)
        return value is not None and value.shape == Computed(old.exact).shape

    def _replaces(self, old: Definition, right: Side, asked: Asked) -> bool:
        """Whether a name that has a value is given a new one.

        Numbers where it was computed before are a claim about it, unless what it was computed from has changed, or it
        is a word such as 合計, which names one sum after another, or a sentence sets another number. A formula is a
        claim only if it is true, or if ≈ stands before it.
        """
        value = self.computing.from_start(right)
        if value is None or value.node == old.exact:
            return False
        if (
            self._is_concluded(old, asked)
            and value.shape == Computed(old.exact).shape
            and not self.definitions.is_stale(old)
        ):
            return False
        if right.shown is None:
            if (
                asked.saying.gives == REMINDED
                and value.shape == Computed(old.exact).shape
                and self.definitions.letters(right)
            ):
                return False  # `note that d_k = d / 8` claims it
            if asked.relation.sign == "≈" and old.side is not None and value.shape == Computed(old.exact).shape:
                return False
            return not self.agrees(value, old)
        if gives(right.shown, Computed(old.exact, old.listed)) and not _is_another_whole(right, old):
            return False
        if old.side is None:
            is_fraction = old.shown is not None and old.shown[0][0].kind == EXACT
            return not ((is_fraction or asked.relation.sign == "≈") and _is_near(value, old))
        is_other = value.shape != Computed(old.exact).shape and right.listed is False
        if (
            self.definitions.is_stale(old)
            or (is_other and self.definitions.are_apart(old.line, asked.relation.line))
            or _masks(value, old)
            or (value.shape == (1, 1)) != (Computed(old.exact).shape == (1, 1))
        ):
            return True
        is_free = (_is_word(old.name) and not old.inputs) or (
            asked.is_in_a_sentence and asked.relation.sign != "≈" and not old.inputs
        )
        return is_free and not isinstance(value.node, Node) and not _is_near(value, old)

    def agrees(self, value: Computed, old: Definition) -> bool:
        """Whether a value is the one that a name has."""
        before = Computed(old.exact, old.listed)
        return value.shape == before.shape and judge_sides(value, before).kind == RIGHT

    def define(self, name: str, side: Side, line: int, is_near: bool = False) -> bool:
        """Keep the value of a side under a name; False if it has none."""
        value = self.computing.from_start(side)
        if value is None:
            return False
        exact = value.node
        if value.shape == (1, 1) and not side.listed and (number := value.exact_entry(0, 0)) is not None:
            exact = number
        letters = self.definitions.letters(side)
        computed = side if (letters or side.shown is None) and name not in letters else None  # w = w - 0.1
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
                is_near=is_near and computed is None,
            )
        )
        if letters:
            self.definitions.add_formula(name, side.text)
        return True

    def show(self, name: str | None, shown: Cells | None, faulty: FaultyLine | None, verdict: str) -> None:
        """The digits last shown for a name, and the line where they go wrong; none where they are right from the start,
        as behind numbers that were put in wrongly and not used."""
        known = self.definitions.get(name)
        if known is None or shown is None:
            return
        if (len(shown), len(shown[0])) == Computed(known.exact).shape:
            faulty = None if verdict == RIGHT else faulty or known.faulty
            if faulty is not None and verdict not in (WRONG, LAST_PLACE) and gives(shown, Computed(known.exact)):
                faulty = None
            is_own = (
                verdict == FOLLOWS and faulty is not None and faulty >= known.line
            )  # from another step of its chain
            self.definitions.show(known.name, shown, faulty, is_own or verdict in (WRONG, LAST_PLACE))


def _is_another_whole(right: Side, old: Definition) -> bool:
    """ε = 0 after ε = 0.1."""
    if right.shown is None or right.listed or isinstance(old.exact, Node):
        return False
    return right.shown[0][0].is_whole and right.value != old.exact


def _masks(value: Computed, old: Definition) -> bool:
    """Entries −∞ where there were none: the scores of another exercise, now masked."""
    if not isinstance(value.node, Literal) or S.NegativeInfinity not in value.node.matrix.flat():
        return False
    before = Computed(old.exact)
    rows, columns = before.shape
    return before.shape == value.shape and not any(
        Comparisons(before.at(i, j)).infinite_sign() for i in range(rows) for j in range(columns)
    )


def _is_near(value: Computed, old: Definition) -> bool:
    """3.6 after t = 7/2: hardly a new t."""
    if isinstance(value.node, Node) or isinstance(old.exact, Node):
        return False
    try:
        apart = Comparisons(number(value.node - old.exact))
        near = [] if apart.infinite_sign() else [apart.sign_from(Fraction(s, 10) * _size(old)) for s in (-1, 1)]
    except (Undecided, SymtransformerError):
        return False
    return near == [1, -1]


def _size(old: Definition) -> Fraction:
    """How large the old value is, to a few digits."""
    return abs(Comparisons(number(old.exact)).nearest(Fraction(1, 10**6)) or Fraction(0))


def _is_word(name: str) -> bool:
    return name.lower() in WORDS_FOR_RESULTS or any(unicodedata.category(c) == "Lo" for c in name)


def _constant(name: str, right: Side, asked: Asked, made: Equation) -> Equation | None:
    """e ≈ 2.72 is right, and e = 2.82 or e ≈ 7.72 is not; e = 5 is another e, and so are e = 3 and `let e = 2.5`."""
    relation = asked.relation
    if right.shown is None or right.listed or right.value is None or isinstance(right.value, Node):
        return None
    if relation.sign == ":=":
        return None
    if name == "e" and relation.sign != "≈" and right.shown[0][0].is_whole:
        return None
    value = Computed(CONSTANTS[name])
    if gives(right.shown, value):
        return replace(made, verdict=RIGHT, words=RIGHT_WORDS, from_start=RIGHT, code="")
    is_near = right.value.is_Rational and abs(right.value - CONSTANTS[name]) <= NEAR
    if relation.sign != "≈" and (not is_near or asked.is_in_a_sentence):
        return None
    found = judge_cells(right.shown, Routes(value, None), "≈", False)
    if found.kind == WRONG and relation.sign == "≈" and right.shown[0][0].kind == EXACT:  # π ≈ 22/7
        return replace(made, verdict=UNDECIDABLE, words=words.HOW_NEAR, code="how_near")
    return replace(made, verdict=found.kind, words=found.words, from_start=found.kind, right_value=found.right, code="")
