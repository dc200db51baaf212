"""The verdict on a relation both sides of which have values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from symtransformer.checking import equation_words as words
from symtransformer.checking.computing import Computed, Computing, computed_from, put_in
from symtransformer.checking.definitions import Definitions
from symtransformer.checking.diagnosing import Diagnosis
from symtransformer.checking.equal_sides import SidesVerdict, judge_sides
from symtransformer.checking.equations import Equation
from symtransformer.checking.number_equations import CellsVerdict, Routes, fits_shape, gives, judge_cells
from symtransformer.checking.number_words import FOLLOWS, LAST_PLACE, RIGHT, UNDECIDABLE, WRONG, follows_words
from symtransformer.checking.put_in_numbers import PutIn
from symtransformer.checking.right_lines import right_line
from symtransformer.checking.rounded_operands import DECIMALS_OF_A_ROUNDING, Rounded, decimals_in
from symtransformer.checking.termwise import terms_of
from symtransformer.checking.tracing import Traces
from symtransformer.errors import NotSupported, SymtransformerError
from symtransformer.node import Node
from symtransformer.operations.concatenation import ColumnSlice
from symtransformer.operations.rows import Row
from symtransformer.reading.sides import Side, read_side


@dataclass(frozen=True)
class Situation:
    """What is known where a relation stands.

    `head` is the value from the start that its chain begins with, None where nothing reaches it; `name` what the chain
    begins with; `faulty` the line of an
    earlier relation of the chain that is not right; `relation` is = or ≈; `language` that of the passage.
    """

    head: Computed | None
    name: str | None
    faulty: int | None
    relation: str
    language: str
    expired: Callable[[], bool]


class Numeric:
    """Judges shown numbers against what they claim to be, and two expressions against one another."""

    def __init__(self, definitions: Definitions, computing: Computing) -> None:
        self.definitions, self.computing = definitions, computing
        self.traces = Traces(definitions, computing)
        self.put_in = PutIn(definitions, computing)
        self.diagnosis = Diagnosis(definitions, computing)
        self.rounds_to: set[int] = set()  # decimals of the numbers that stand behind ≈

    def judged(self, made: Equation, left: Side, right: Side, now: Situation) -> Equation:
        """The equation with its verdict."""
        claimed, other = (right, left) if right.shown is not None or left.shown is None else (left, right)
        if claimed.shown is None:
            return self._sides(made, left, right, now)
        source = self._source(other)
        routes = self._routes(other, source, now)
        if routes is None:
            return replace(made, verdict=UNDECIDABLE, words=words.NO_MEANING, code="no_value")
        fitting = fits_shape(claimed.shown, claimed.listed, routes)
        if fitting is None and other.other is not None:  # p^T p of lists: a number, or a matrix
            left, right = _with_other_reading(left, right)
            return self.judged(made, left, right, now)
        if fitting is None:
            size = len(claimed.shown), len(claimed.shown[0])
            unfit = replace(made, verdict="shapes", words=words.sizes_differ(routes.shape, size), code="shapes")
            return self.diagnosis.of_sizes(unfit, claimed.shown, source)
        found = judge_cells(claimed.shown, fitting, now.relation, claimed.listed)
        if found.kind in (LAST_PLACE, WRONG) and routes.start is None:
            found = self._by_own_numbers(found, claimed, source, fitting, now)
        if found.kind in (LAST_PLACE, WRONG) and routes.wrong_line is not None:
            found = self._following(claimed, source, fitting, now) or found
        if found.kind == RIGHT and fitting.start is not None:
            self.traces.note(claimed.shown, fitting.start)
        equation = self._with(made, found, source, now)
        return self.diagnosis.explained(equation, claimed.shown, source, fitting is not routes)

    def _routes(self, other: Side, source: Side, now: Situation) -> Routes | None:
        letters = self.definitions.letters(source)
        start = now.head or (self.computing.from_start(other) if self.definitions.letters(other) else None)
        local = self._local(source) if now.name not in letters else None  # w = w - 0.1 has the w of before
        if start is None and local is None:
            return None
        faulty = now.faulty or self.definitions.faulty_line(letters)
        return Routes(
            start,
            local,
            self.computing.range_of(source) or self._range_of_decimals(source, now),
            (lambda decimals: self.computing.rounded(source, decimals)) if letters and local else None,
            None if faulty is None else str(faulty),
            now.expired,
        )

    def _following(self, claimed: Side, source: Side, routes: Routes, now: Situation) -> CellsVerdict | None:
        """Right for a wrong line before, if the writer went on from it without rounding; None where it is not."""
        value = self.computing.from_wrong(source)
        if value is None or value.shape != routes.shape or claimed.shown is None:
            return None
        found = judge_cells(claimed.shown, replace(routes, local=value), now.relation, claimed.listed)
        return found if found.kind == FOLLOWS else None

    def _by_own_numbers(
        self, found: CellsVerdict, claimed: Side, source: Side, routes: Routes, now: Situation
    ) -> CellsVerdict:
        """Not right by the numbers of the line; they may be roundings, of what is known or of what is not told."""
        rounded = self.traces.rounded(source, now.language)
        value = rounded.value(rounded.text) if decimals_in(source.text) else None
        if value is None or claimed.shown is None:
            return found
        if value.shape == routes.shape:
            traced = judge_cells(claimed.shown, replace(routes, start=value), now.relation, claimed.listed)
            if traced.kind == RIGHT:
                return traced
        if (
            not rounded.is_traced
            and self._rounds_so(claimed, source)
            and self._as_shown(source, now).may_give(claimed.shown)
        ):
            return replace(found, kind=UNDECIDABLE, words=words.NOT_TOLD, code="rounded_operands")
        return found

    def _as_shown(self, side: Side, now: Situation) -> Rounded:
        scope, language = self.definitions.scope, now.language
        return Rounded(side.text, lambda text: self.computing.by_shown(read_side(text, scope, language)))

    def _range_of_decimals(self, source: Side, now: Situation) -> Any:
        """Balls around all that the line may give if its decimals are roundings, asked for only where it matters."""
        found: list[Any] = []

        def ball(i: int, j: int) -> Any:
            if not found:
                found.append(self._as_shown(source, now).balls())
            if found[0] is None:
                raise NotSupported("the numbers of this line are no roundings")
            return found[0][i][j]

        if not decimals_in(source.text):
            return None
        return lambda i, j: lambda bits: ball(i, j)

    def _source(self, side: Side) -> Side:
        """What a name was computed from, for a name alone, or for a row or an entry of it."""
        letters = self.definitions.letters(side)
        part = side.value
        while isinstance(part, (Row, ColumnSlice)):
            part = part.args[0]
        if part not in letters.values() or len(letters) != 1:
            return side
        below = self.definitions[next(iter(letters))].side
        if below is None or part is side.value:
            return below or side
        if not isinstance(below.value, Node) or below.value.shape != part.shape:
            return side
        return Side(side.text, put_in(side.value, {part: below.value}), listed=side.listed)

    def _local(self, side: Side) -> Computed | None:
        """By the numbers shown."""
        if side.shown is not None:
            return computed_from(side.shown, not isinstance(side.value, Node), side.listed)
        return self.computing.by_shown(side)

    def _with(self, made: Equation, found: CellsVerdict, source: Side, now: Situation) -> Equation:
        remarks = found.notes
        if found.kind == RIGHT and found.local == WRONG:
            remarks = (*remarks, words.RESULT_ONLY)
        line = right_line(source, self.definitions, now.relation, found.right) if found.right else ""
        faulty = now.faulty or self.definitions.faulty_line(self.definitions.letters(source))
        return replace(
            made,
            verdict=found.kind,
            words=found.words,
            local=found.local,
            from_start=found.from_start,
            right_value=found.right,
            right_line=line,
            entries=found.entries,
            remarks=remarks,
            code=found.code,
            follows_from=faulty if found.kind == FOLLOWS else None,
        )

    def _is_by_shown(self, left: Side, right: Computed, now: Situation) -> bool:
        """The right side is the left one with the digits shown for its names."""
        letters = self.definitions.letters(left)
        shown = self.computing.by_shown(left)
        if not letters or shown is None:
            return False
        return judge_sides(shown, right, now.expired).kind == RIGHT

    def _rounds_so(self, claimed: Side, source: Side) -> bool:
        """Numbers of at least three decimals, in a document that rounds to so many."""
        if not decimals_in(source.text):
            return False
        places = {claim.places for row in claimed.shown or () for claim in row if claim.place is not None} - {0}
        return bool(places) and min(places) >= DECIMALS_OF_A_ROUNDING and bool(places & self.rounds_to)

    def note_places(self, side: Side) -> None:
        """To how many decimals the document rounds."""
        for row in side.shown or ():
            self.rounds_to |= {claim.places for claim in row if claim.place is not None}

    def _sides(self, made: Equation, left: Side, right: Side, now: Situation) -> Equation:
        """Two expressions: equal, or the same with numbers put in for what has a name."""
        one, other = self.computing.from_start(left), self.computing.from_start(right)
        if one is None or other is None:
            return replace(made, verdict=UNDECIDABLE, words=words.NO_MEANING, code="no_value")
        found = judge_sides(one, other, now.expired)
        if found.kind == WRONG and self._is_by_shown(left, other, now):
            faulty = now.faulty or self.definitions.faulty_line(self.definitions.letters(left))
            if faulty is None:
                return replace(made, verdict=RIGHT, words=words.NUMBERS_PUT_IN, code="")
            said = follows_words(str(faulty), None)
            return replace(made, verdict=FOLLOWS, words=said, right_value=found.right, code="", follows_from=faulty)
        if found.kind == WRONG and self._agree_by_terms(left, right, now):
            return replace(made, verdict=RIGHT, words=words.TERMS_RIGHT, code="")
        if found.kind == WRONG and (put_in := self.put_in.judged(left, right, made)) is not None:
            return put_in
        if found.kind == WRONG and decimals_in(left.text + " " + right.text):
            found = self._with_unrounded(found, left, right, now)
        equation = replace(made, verdict=found.kind, words=found.words, right_value=found.right, code=found.code)
        return self.diagnosis.by_convention_of_sides(equation, left, other) if found.kind == WRONG else equation

    def _with_unrounded(self, found: SidesVerdict, left: Side, right: Side, now: Situation) -> SidesVerdict:
        """Equal with what their decimals are roundings of; or not told, where that is not known of all of them."""
        sides = [self.traces.rounded(side, now.language) for side in (left, right)]
        try:
            one, other = (side.value(side.text) for side in sides)
        except SymtransformerError:
            return found
        if one is not None and other is not None and judge_sides(one, other, now.expired).kind == RIGHT:
            return replace(found, kind=RIGHT, words=words.NUMBERS_PUT_IN, right=None)
        if sides[0].may_equal(sides[1]):
            return replace(found, kind=UNDECIDABLE, words=words.NOT_TOLD, code="rounded_operands", right=None)
        return found

    def _agree_by_terms(self, left: Side, right: Side, now: Situation) -> bool:
        """As many terms on both sides, and each right to the digits shown."""
        pairs = list(zip(terms_of(left.text), terms_of(right.text), strict=False))
        if len(pairs) < 2 or len(terms_of(left.text)) != len(terms_of(right.text)):
            return False
        try:
            return all(self._term_agrees(one, other, now) for one, other in pairs)
        except SymtransformerError:
            return False

    def _term_agrees(self, one: str, other: str, now: Situation) -> bool:
        left, right = (read_side(text, self.definitions.scope, now.language) for text in (one, other))
        value = self.computing.from_start(left)
        if value is None:
            return False
        if right.shown is not None:
            return gives(right.shown, value)
        claimed = self.computing.from_start(right)
        return claimed is not None and judge_sides(value, claimed, now.expired).kind == RIGHT


def _with_other_reading(*sides: Side) -> list[Side]:
    return [side if side.other is None else replace(side, value=side.other, other=None) for side in sides]
