"""The verdict on two expressions with values: equal, or the same with numbers put in for what has a name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from sympy import Rational

from symtransformer.checking import equation_words as words
from symtransformer.checking.computing import Computed, Computing, put_in
from symtransformer.checking.definitions import Definition, Definitions
from symtransformer.checking.diagnosing import Diagnosis
from symtransformer.checking.equal_sides import SidesVerdict, judge_sides
from symtransformer.checking.equations import ACCUSING, Equation
from symtransformer.checking.faulty_line import FaultyLine
from symtransformer.checking.number_equations import gives
from symtransformer.checking.number_words import FOLLOWS, RIGHT, UNDECIDABLE, WRONG, follows_words
from symtransformer.checking.put_in_numbers import PutIn
from symtransformer.checking.rounded_operands import DECIMALS_OF_A_ROUNDING, Rounded, decimals_in
from symtransformer.checking.situation import Situation
from symtransformer.checking.termwise import parts_of
from symtransformer.checking.tracing import DECIMALS_OF_A_TERM, Traces
from symtransformer.checking.values import Comparisons, Undecided
from symtransformer.enclosures import BITS, precision
from symtransformer.errors import SymtransformerError
from symtransformer.node import Node
from symtransformer.reading.claimed_numbers import DECIMAL
from symtransformer.reading.sides import Side, read_side

ELSEWHERE = Rational(17, 10)  # another value of a number that stands on both sides


class TwoExpressions:
    """Judges two expressions against one another."""

    def __init__(self, definitions: Definitions, computing: Computing, traces: Traces, diagnosis: Diagnosis) -> None:
        self.definitions, self.computing, self.traces, self.diagnosis = definitions, computing, traces, diagnosis
        self.put_in = PutIn(definitions, computing)

    def judged(self, made: Equation, left: Side, right: Side, now: Situation) -> Equation:
        """The equation with its verdict."""
        one, other = self.computing.from_start(left), self.computing.from_start(right)
        if one is None or other is None:
            return replace(made, verdict=UNDECIDABLE, words=words.NO_MEANING, code="no_value")
        found = judge_sides(one, other, now.expired)
        if found.kind == RIGHT and not self._holds_elsewhere(left, right, now):
            return replace(made, verdict=UNDECIDABLE, words=words.ONLY_HERE, code="only_here")
        if found.kind not in (WRONG, UNDECIDABLE):
            return _with(made, found)
        put_in_numbers = self.put_in.judged(left, right, made, now.relation)
        if put_in_numbers is not None and put_in_numbers.verdict == RIGHT:
            return put_in_numbers
        if put_in_numbers is not None and put_in_numbers.verdict in ACCUSING:
            equal = self._equal_unrounded(left, right, now)
            if equal is not None:  # a + b with what b and a are shown as
                return _with(made, equal)
        faulty = now.faulty or self.definitions.faulty_line(self.definitions.letters(left))
        if self._is_by_shown(left, other, now):
            if faulty is None:
                return replace(made, verdict=RIGHT, words=words.NUMBERS_PUT_IN, code="")
            return self._following(made, found, faulty, left, right, now)
        if faulty is not None and self._is_by_wrong(left, right, other, now):
            return self._following(made, found, faulty, left, right, now)
        if put_in_numbers is not None:
            return put_in_numbers
        by_parts = self._by_parts(left, right, now)
        if by_parts == RIGHT:
            return replace(made, verdict=RIGHT, words=words.TERMS_RIGHT, code="")
        if found.kind == WRONG and by_parts is None and decimals_in(f"{left.text} {right.text}", DECIMALS_OF_A_TERM):
            found = self._with_unrounded(found, left, right, now)
        if found.kind == WRONG and self._may_be_of_roundings(left, right, one, other):
            return _with(
                made, replace(found, kind=UNDECIDABLE, words=words.NOT_TOLD, code="rounded_operands", right=None)
            )
        if found.kind == WRONG:
            return self.diagnosis.of_sides(_with(made, found), left, other, bool(self.definitions.letters(right)))
        return _with(made, found)

    def _holds_elsewhere(self, left: Side, right: Side, now: Situation) -> bool:
        """What holds for τ = 1, as 1 τ = 1/τ does, and for no other τ, is no formula in τ."""
        letters = [self.definitions.letters(side) for side in (left, right)]
        for name in letters[0].keys() & letters[1].keys():
            symbol = letters[0][name]
            if isinstance(symbol, Node) or getattr(symbol, "is_integer", None) or self._is_size(name):
                continue
            values = [self._with_other(side, symbol) for side in (left, right)]
            if None not in values and judge_sides(values[0], values[1], now.expired).kind == WRONG:  # type: ignore[arg-type]
                return False
        return True

    def _is_size(self, name: str) -> bool:
        exact = self.definitions[name].exact
        return not getattr(exact, "is_Integer", False) or exact > 1  # d_k = 2 is meant as it is given

    def _with_other(self, side: Side, symbol: Any) -> Computed | None:
        values = self.computing.values(side, shown=False)
        try:
            return None if values is None else Computed(put_in(side.value, {**values, symbol: ELSEWHERE}), side.listed)
        except SymtransformerError:
            return None

    def _is_by_shown(self, left: Side, right: Computed, now: Situation) -> bool:
        """The right side is the left one with the digits shown for its names."""
        letters = self.definitions.letters(left)
        shown = self.computing.by_shown(left)
        if not letters or shown is None:
            return False
        return judge_sides(shown, right, now.expired).kind == RIGHT

    def _is_by_wrong(self, left: Side, right: Side, value: Computed, now: Situation) -> bool:
        """The right side is the left one with what is wrong before it, or may be with its decimals unrounded."""
        wrong = self.computing.from_wrong(left)
        if wrong is None or wrong.shape != value.shape:
            return False
        if judge_sides(wrong, value, now.expired).kind == RIGHT:
            return True
        read, language = self.definitions.scope, now.language
        sides = [
            Rounded(
                side.text, lambda text: self.computing.from_wrong(read_side(text, read, language)), DECIMALS_OF_A_TERM
            )
            for side in (left, right)
        ]
        return bool(decimals_in(right.text, DECIMALS_OF_A_TERM)) and sides[0].may_equal(sides[1])

    def _following(
        self, made: Equation, found: SidesVerdict, faulty: FaultyLine, left: Side, right: Side, now: Situation
    ) -> Equation:
        """It follows from a line that is not right, unless it may have the value from the start all the same."""
        scope, language = self.definitions.scope, now.language
        sides = [
            Rounded(side.text, lambda text: self.computing.from_start(read_side(text, scope, language)))
            for side in (left, right)
        ]
        if decimals_in(right.text) and sides[0].may_equal(sides[1]):
            return replace(made, verdict=UNDECIDABLE, words=words.NOT_TOLD, code="rounded_operands")
        said = follows_words(str(faulty), None)
        return replace(made, verdict=FOLLOWS, words=said, right_value=found.right, code="", follows_from=faulty)

    def _may_be_of_roundings(self, left: Side, right: Side, one: Computed, other: Computed) -> bool:
        """Whether names that are given to three decimals or more may be roundings of what makes the sides equal."""
        used = [self.definitions[name] for side in (left, right) for name in self.definitions.letters(side)]
        if one.shape != other.shape or not any(is_given_rounding(definition) for definition in used):
            return False
        rows, columns = one.shape
        try:
            balls = [balls_of(self.computing, side, value) for side, value in ((left, one), (right, other))]
            return all(balls[0](i, j).overlaps(balls[1](i, j)) for i in range(rows) for j in range(columns))
        except (SymtransformerError, Undecided, LookupError, AttributeError, TypeError):
            return False

    def _equal_unrounded(self, left: Side, right: Side, now: Situation) -> SidesVerdict | None:
        """The verdict on sides that are equal with what their decimals are roundings of; None where they are not."""
        sides = self._traced(left, right, now)
        try:
            one, other = (side.value(side.text) for side in sides)
        except SymtransformerError:
            return None
        found = None if one is None or other is None else judge_sides(one, other, now.expired)
        if found is None or found.kind != RIGHT:
            return None
        if any(side.is_of_roundings for side in sides):
            return replace(found, kind=UNDECIDABLE, words=words.NOT_TOLD, code="rounded_operands")
        return found

    def _traced(self, left: Side, right: Side, now: Situation) -> list[Rounded]:
        return [self.traces.rounded(side, now.language, DECIMALS_OF_A_TERM) for side in (left, right)]

    def _with_unrounded(self, found: SidesVerdict, left: Side, right: Side, now: Situation) -> SidesVerdict:
        """Equal with what their decimals are roundings of; or not told, where that is not known of all of them."""
        if (equal := self._equal_unrounded(left, right, now)) is not None:
            return replace(equal, words=words.NUMBERS_PUT_IN) if equal.kind == RIGHT else equal
        sides = self._traced(left, right, now)
        if any(side.has_too_many for side in sides) or sides[0].may_equal(sides[1]):
            return replace(found, kind=UNDECIDABLE, words=words.NOT_TOLD, code="rounded_operands", right=None)
        return found

    def _by_parts(self, left: Side, right: Side, now: Situation) -> str | None:
        """Right where every part of the right side is the part in the same place to the digits shown, wrong where a
        number put in for a name is not; None where that cannot be told."""
        kinds = [self._part_agrees(one, other, now) for one, other in parts_of(left.text, right.text) or ()]
        if not kinds or None in kinds:
            return None
        return WRONG if WRONG in kinds else RIGHT

    def _part_agrees(self, one: str, other: str, now: Situation) -> str | None:
        try:
            left, right = (read_side(text, self.definitions.scope, now.language) for text in (one, other))
            value, claimed = self.computing.from_start(left), self.computing.from_start(right)
            if value is None or claimed is None:
                return None
            if right.shown is not None:
                is_right = gives(right.shown, value) and not _vanishes(right, value)
                return RIGHT if is_right else WRONG if self.definitions.letters(left) else None
            return RIGHT if judge_sides(value, claimed, now.expired).kind == RIGHT else None
        except SymtransformerError:
            return None


def is_given_rounding(definition: Definition) -> bool:
    """Given as it stands, with decimals that may be roundings."""
    cells = definition.shown if definition.side is None else None
    return cells is not None and any(c.decimals >= DECIMALS_OF_A_ROUNDING for row in cells for c in row)


def balls_of(computing: Computing, side: Side, value: Computed) -> Callable[[int, int], Any]:
    """For each entry a ball around all that it may be if each digit shown for a name is a rounding."""
    range_at, is_one = computing.range_of(side), value.shape == (1, 1)

    def ball(i: int, j: int) -> Any:
        i, j = (0, 0) if is_one else (i, j)
        with precision(BITS[0]):
            return value.at(i, j).ball_at(BITS[0]) if range_at is None else range_at(i, j)(BITS[0])

    return ball


def _with(made: Equation, found: SidesVerdict) -> Equation:
    return replace(made, verdict=found.kind, words=found.words, right_value=found.right, code=found.code)


def _vanishes(shown: Side, value: Computed) -> bool:
    """0.00 put in for what is not 0: nothing can be worked out with it."""
    try:
        return any(
            claim.kind == DECIMAL
            and claim.value == 0
            and not value.at(i, j).is_undefined
            and Comparisons(value.at(i, j)).sign_from(Fraction(0)) != 0
            for i, row in enumerate(shown.shown or ())
            for j, claim in enumerate(row)
        )
    except Undecided:
        return True
