"""The verdict on a relation both sides of which have values."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from sympy import S

from symtransformer.checking import equation_words as words
from symtransformer.checking.boxes import claim_box
from symtransformer.checking.computing import Computed, Computing, computed_from, put_in
from symtransformer.checking.definitions import Cells, Definitions
from symtransformer.checking.diagnosing import Diagnosis
from symtransformer.checking.doubts import has_weights
from symtransformer.checking.equal_sides import judge_sides, written
from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.checking.number_equations import CellsVerdict, Routes, fits_shape, judge_cells
from symtransformer.checking.number_words import FOLLOWS, LAST_PLACE, RIGHT, UNDECIDABLE, WRONG
from symtransformer.checking.right_lines import right_line
from symtransformer.checking.rounded_operands import DECIMALS_OF_A_ROUNDING, Rounded, decimals_in
from symtransformer.checking.situation import Situation
from symtransformer.checking.tracing import DECIMALS_OF_A_TERM, Traces
from symtransformer.checking.two_expressions import TwoExpressions, is_given_rounding
from symtransformer.checking.values import Undecided
from symtransformer.enclosures import BITS
from symtransformer.errors import NotSupported, SymtransformerError
from symtransformer.node import Node
from symtransformer.operations.concatenation import ColumnSlice
from symtransformer.operations.rows import Row
from symtransformer.reading.claimed_numbers import EXACT, UNDEFINED
from symtransformer.reading.sides import Side, read_side

TENS = re.compile(r"(?:×|\\times|\\cdot|·|\*)\s*10\s*\^")  # 8.6 × 10^9 is a rounding


class Numeric:
    """Judges shown numbers against what they claim to be, and two expressions against one another."""

    def __init__(self, definitions: Definitions, computing: Computing) -> None:
        self.definitions, self.computing = definitions, computing
        self.traces = Traces(definitions, computing)
        self.diagnosis = Diagnosis(definitions, computing)
        self.expressions = TwoExpressions(definitions, computing, self.traces, self.diagnosis)
        self.rounds_to: set[int] = set()  # decimals of the numbers that stand behind ≈

    def judged(self, made: Equation, left: Side, right: Side, now: Situation) -> Equation:
        """The equation with its verdict."""
        claimed, other = (right, left) if right.shown is not None or left.shown is None else (left, right)
        if now.relation == "≈" and left.shown is not None and _is_exact(claimed) and not _is_exact(left):
            claimed, other = left, right  # 0.67 ≈ 2/3
        if claimed.shown is None:
            return self.expressions.judged(made, left, right, now)
        if _is_quotient_by_zero(claimed) and (other.value is None or other.value is S.NaN):
            return replace(made, verdict=UNDECIDABLE, words=words.NEITHER_HAS_VALUE, code="no_value")
        source = self._source(other)
        routes = self._routes(other, source, now)
        if routes is None:
            return replace(made, verdict=UNDECIDABLE, words=words.NO_MEANING, code="no_value")
        fitting = fits_shape(claimed.shown, claimed.listed, routes)
        if fitting is None and other.other is not None:  # p^T p of lists: a number, or a matrix
            one, two = _with_other_reading(left, right)
            return self.judged(made, one, two, now)
        if fitting is None and _is_zero(claimed):  # A - A = 0: of each entry
            zeros = replace(claimed, shown=_zeros(claimed, routes.shape))
            return self.judged(made, *((zeros, right) if claimed is left else (left, zeros)), now)
        if fitting is None:
            size = len(claimed.shown), len(claimed.shown[0])
            unfit = replace(made, verdict="shapes", words=words.sizes_differ(routes.shape, size), code="shapes")
            return self.diagnosis.of_sizes(unfit, claimed.shown, source)
        if fitting.start and fitting.local and fitting.local.shape != fitting.start.shape:
            said = words.sizes_differ(fitting.local.shape, (len(claimed.shown), len(claimed.shown[0])))
            return replace(made, verdict="shapes", words=said, code="shapes")
        found = judge_cells(claimed.shown, fitting, now.relation, claimed.listed)
        if found.kind == WRONG and now.relation == "≈" and _is_exact(claimed):  # 22/7 ≈ π says not how near
            return replace(made, verdict=UNDECIDABLE, words=words.HOW_NEAR, code="how_near")
        if found.kind in (LAST_PLACE, WRONG) and (routes.start is None or self._is_of_this_line(source, now)):
            found = self._by_own_numbers(found, claimed, source, fitting, now)
        if (
            found.kind in (LAST_PLACE, WRONG)
            and routes.wrong_line is None
            and self._may_be_of_roundings(claimed, source, now)
        ):
            found = found.not_told()
        if found.kind == WRONG and _is_exact(claimed) and decimals_in(source.text, DECIMALS_OF_A_TERM):
            by_sides = self.expressions.judged(made, left, right, now)  # 100/√3 = 100 · 0.577
            if by_sides.verdict not in ACCUSING:
                return by_sides
        if found.kind in (LAST_PLACE, WRONG) and routes.wrong_line is not None:
            found = self._following(claimed, source, fitting, now) or found
        if found.kind == RIGHT and found.local == UNDECIDABLE:  # what it is said to follow from has no value
            found = replace(found, kind=UNDECIDABLE, words=words.NO_MEANING, code="no_value")
        if now.relation == "≈" and found.kind == RIGHT and found.local == WRONG and self._is_exact_number(source):
            found = replace(found, kind=WRONG, words=words.not_of_expression(written(fitting.local)))  # type: ignore[arg-type]
        if now.relation == "≈" and found.kind == RIGHT and found.local == WRONG and _is_exact(other):  # ≈ 3.1416 ≈ 22/7
            return replace(made, verdict=UNDECIDABLE, words=words.HOW_NEAR, code="how_near")
        if found.kind == RIGHT and found.local in (LAST_PLACE, WRONG) and claimed is left and now.head is not None:
            return self._behind_a_number(made, left, right, now)
        is_rounded = other.shown is not None and not _is_exact(other)
        exact = fitting.start or (None if self.definitions.letters(other) or is_rounded else fitting.local)
        if found.kind == RIGHT and exact is not None:
            self.traces.note(claimed.shown, source, exact, now.language)
        equation = self._with(made, found, source, now)
        explained = self.diagnosis.explained(equation, claimed.shown, source, fitting is not routes)
        is_turned = explained.convention is not None and explained.convention.name == "weights_stored_transposed"
        return equation if is_turned and (self._is_settled(other) or not has_weights(source)) else explained

    def _behind_a_number(self, made: Equation, left: Side, right: Side, now: Situation) -> Equation:
        """The expression in 2 · 2 = 4 = 2 + 3: it is what is claimed there, of all that stands before it."""
        if now.first is None or now.first.shown is not None:
            return self.judged(made, left, right, replace(now, head=None))
        return self.expressions.judged(made, now.first, right, now)

    def _is_exact_number(self, side: Side) -> bool:
        """A number that is worked out of numbers none of which is rounded: no rounding excuses another value."""
        is_number = side.value is not None and side.shown is None and not isinstance(side.value, Node)
        return is_number and not self.definitions.letters(side) and not decimals_in(side.text)

    def agree(self, left: Side, right: Side, now: Situation) -> bool:
        """Whether the sides have one value, to the digits of what is shown; nothing is said or kept."""
        claimed, other = (right, left) if right.shown is not None else (left, right)
        if claimed.shown is None:
            one, two = self.computing.from_start(left), self.computing.from_start(right)
            return one is not None and two is not None and judge_sides(one, two, now.expired).kind == RIGHT
        routes = self._routes(other, self._source(other), now)
        fitting = fits_shape(claimed.shown, claimed.listed, routes) if routes is not None else None
        found = judge_cells(claimed.shown, fitting, now.relation, claimed.listed) if fitting is not None else None
        return found is not None and found.kind in ACCEPTED

    def _is_settled(self, side: Side) -> bool:
        """The document has shown what it stands for, so that its matrices are not stored transposed here."""
        known = [self.definitions[name] for name in self.definitions.letters(side)]
        return side is not self._source(side) and all(d.shown is not None and d.faulty is None for d in known)

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
        is_of_tens = TENS.search(source.text) is not None and decimals_in(source.text, 1)
        if is_of_tens and claimed.shown is not None and self._as_shown(source, now, 1).may_give(claimed.shown):
            return found.not_told()
        places = DECIMALS_OF_A_ROUNDING if decimals_in(source.text) else DECIMALS_OF_A_TERM
        rounded = self.traces.rounded(source, now.language, places)
        if not decimals_in(source.text, places) or claimed.shown is None:
            return found
        try:
            value = rounded.value(rounded.text)
        except SymtransformerError:  # it stands where only a number that is written is read, as in 2^3.32
            value, rounded = None, replace(rounded, is_traced=False)
        else:
            if value is None:
                return found
        if value is not None and value.shape == routes.shape:
            traced = judge_cells(claimed.shown, replace(routes, start=value), now.relation, claimed.listed)
            if traced.kind == RIGHT:
                if places == DECIMALS_OF_A_ROUNDING and not rounded.is_of_roundings:
                    return traced
                self.traces.note(claimed.shown, source, value, now.language)
                return found.not_told()
        if (
            (rounded.is_of_roundings or not rounded.is_traced)
            and decimals_in(source.text)
            and self._shows_roundings(claimed)
            and self._as_shown(source, now).may_give(claimed.shown)
        ):
            return found.not_told()
        return found

    def _is_of_this_line(self, source: Side, now: Situation) -> bool:
        """The name that the chain begins with is nothing but the numbers of the line."""
        own = getattr(self.definitions.get(now.name), "side", None)
        return own is not None and own.text == source.text and not self.definitions.letters(source)

    def _as_shown(self, side: Side, now: Situation, places: int = DECIMALS_OF_A_ROUNDING) -> Rounded:
        scope, language = self.definitions.scope, now.language
        return Rounded(side.text, lambda text: self.computing.by_shown(read_side(text, scope, language)), places)

    def _range_of_decimals(self, source: Side, now: Situation) -> Any:
        """Balls around all that the line may give if its decimals are roundings, asked for only where it matters."""
        found: list[Any] = []

        def ball(i: int, j: int) -> Any:
            if not found:
                found.append(self._as_shown(source, now, 1 if now.head is not None else DECIMALS_OF_A_ROUNDING).balls())
            if found[0] is None:
                raise NotSupported("the numbers of this line are no roundings")
            return found[0][i][j]

        if not decimals_in(source.text, 1 if now.head is not None else DECIMALS_OF_A_ROUNDING):
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
        is_result_only = found.kind == RIGHT and found.local == WRONG
        remarks = (*found.notes, words.RESULT_ONLY) if is_result_only else found.notes
        sign = now.relation if found.is_exact or now.relation != "=" else "≈"
        line = right_line(source, self.definitions, sign, found.right) if found.right else ""
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

    def _may_be_of_roundings(self, claimed: Side, source: Side, now: Situation) -> bool:
        """Numbers that are given to three decimals or more, as p = 0.107 is, may be roundings of what gives the claim."""
        known = self.definitions.get(now.name)
        sides = [source, now.first, known.side if known is not None else None]
        return any(
            self._is_of_given_roundings(side) and self._shows_roundings(claimed) and self._is_in_range(claimed, side)
            for side in sides
            if side is not None and side.value is not None
        )

    def _is_of_given_roundings(self, side: Side) -> bool:
        """Made of names each of which has decimals that are given as they stand."""
        names = self.definitions.letters(side)
        return any(is_given_rounding(self.definitions[name]) for name in names if name in self.definitions)

    def _shows_roundings(self, claimed: Side) -> bool:
        """To as many decimals as the document rounds to elsewhere."""
        places = {claim.places for row in claimed.shown or () for claim in row if claim.place is not None} - {0}
        return min(places, default=0) >= DECIMALS_OF_A_ROUNDING and bool(places & self.rounds_to)

    def _is_in_range(self, claimed: Side, side: Side) -> bool:
        """Whether each entry can be what the names give, whatever their digits are roundings of."""
        range_at = self.computing.range_of(side)
        if range_at is None:
            return False
        try:
            return all(
                range_at(i, j)(BITS[0]).overlaps(claim_box(claim))
                for i, row in enumerate(claimed.shown or ())
                for j, claim in enumerate(row)
            )
        except (SymtransformerError, Undecided, LookupError, AttributeError, TypeError):
            return False

    def note_places(self, side: Side) -> None:
        """To how many decimals the document rounds."""
        for row in side.shown or ():
            self.rounds_to |= {claim.places for claim in row if claim.place is not None}


def _with_other_reading(*sides: Side) -> list[Side]:
    return [side if side.other is None else replace(side, value=side.other, other=None) for side in sides]


def _is_quotient_by_zero(side: Side) -> bool:
    """0/0, which is written as if it were a value, and not the word for what has none."""
    return side.shown is not None and any(
        claim.kind == UNDEFINED and any(c.isdigit() for c in claim.text) for row in side.shown for claim in row
    )


def _is_zero(side: Side) -> bool:
    """The number 0, which is written for a matrix or a list of zeros too."""
    assert side.shown is not None
    return len(side.shown) == len(side.shown[0]) == 1 and not side.listed and side.shown[0][0].text.strip() == "0"


def _zeros(side: Side, shape: tuple[int, int]) -> Cells:
    """As many zeros, none of which is a rounding of something else."""
    assert side.shown is not None
    rows, columns = shape
    return ((replace(side.shown[0][0], kind=EXACT, place=None),) * columns,) * rows


def _is_exact(side: Side) -> bool:
    return side.shown is not None and all(claim.kind == EXACT for row in side.shown for claim in row)
