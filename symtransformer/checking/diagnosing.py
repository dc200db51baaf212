"""What explains shown numbers that are not right: another convention, or the likely mistakes, as a set."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from itertools import chain, zip_longest
from typing import Any

from symtransformer.checking import equation_words as words
from symtransformer.checking.computing import Computed, Computing, put_in
from symtransformer.checking.conventions import LOGARITHMS, by_convention
from symtransformer.checking.declared import Declared, holds_for, not_followed
from symtransformer.checking.definitions import Cells, Definitions
from symtransformer.checking.equal_sides import judge_sides
from symtransformer.checking.equations import Equation
from symtransformer.checking.number_words import (
    LAST_PLACE,
    PADDED_ZEROS,
    PERCENT,
    RIGHT,
    RIGHT_IF_ROUNDED,
    SIGN,
    UNDECIDABLE,
    WRONG,
    Note,
    factor_of_ten,
)
from symtransformer.checking.regions import is_right
from symtransformer.checking.remarks import decimal_text
from symtransformer.checking.slips import (
    SLIPS,
    Budget,
    Shown,
    TellingEntry,
    diagnose,
    diagnose_pairs,
    rounded_between,
    swapped_digits,
    telling_entry,
)
from symtransformer.checking.slips.diagnosis import Trials
from symtransformer.checking.slips.places import misplaced, other_sign
from symtransformer.checking.values import Comparisons, Undecided
from symtransformer.node import Node
from symtransformer.operation import REGISTRY
from symtransformer.reading.sides import Side, letter_name
from symtransformer.symbols import Letter, Literal

SECONDS_AT_MOST = 1.2  # of work, for one equation
SECONDS_OF_PAIRS = 0.4  # from its beginning, for two slips at once
SECONDS_OF_TELLING, SLIPS_TOLD_APART = 0.3, 4
SECONDS_FOR_ALL, SHARE_OF_ONE = 30.0, 15  # for a document: one equation takes at most this share of what is left
PAIRS_AT_MOST = 6
EXPLAINS = frozenset(
    note.name for note in (PADDED_ZEROS, PERCENT, factor_of_ten(1), SIGN)
)  # the digits, without a slip
OF_ANOTHER_VALUE = EXPLAINS | {"truncated", "rounded_away", "one_unit", "not_first_digits", "claims_exactness"}


class Diagnosis:
    """Looks for what explains the digits shown, on the writer's own input."""

    def __init__(self, definitions: Definitions, computing: Computing) -> None:
        self.definitions, self.computing, self.declared = definitions, computing, Declared()
        self.spent = 0.0  # seconds
        self.base: tuple[str, int] | None = None  # of logarithms, by convention, and the first line with it

    def read(self, side: Side) -> Side:
        """The side as it is meant under the conventions that the document declares."""
        return self.declared.read(side, self._matrices()) if self.declared.by_topic else side

    def explained(self, equation: Equation, cells: Cells, source: Side, turned: bool) -> Equation:
        """The equation with its convention, its slips and what else there is to say of its digits."""
        applied = self.declared.applied_to(source)
        if applied and equation.verdict in (RIGHT, RIGHT_IF_ROUNDED):
            found = applied.convention.note
            return replace(equation, verdict="by_convention", convention=found, words=found.words)
        if equation.verdict not in (WRONG, LAST_PLACE):
            return equation
        if applied and self._is_right_with(applied.original, cells, source, turned):
            return replace(equation, remarks=(*equation.remarks, not_followed(applied.name)))
        remarks = (*equation.remarks, *_row_sums(cells, source.value))
        return self._with_causes(replace(equation, remarks=remarks), cells, source, turned)

    def _is_right_with(self, value: Node, cells: Cells, source: Side, turned: bool) -> bool:
        """Without what is declared."""
        looking = _Looking(tuple(zip(*cells, strict=True)) if turned else cells)
        return any(looking.gives(value, values) for values in self._inputs(source))

    def _may_be(self, found: Note, text: str) -> bool:
        """Whether a convention that explains the digits may be the writer's."""
        return holds_for(found.name, text) and self.declared.leaves_open(found.name)

    def _by(self, found: Note, equation: Equation) -> Equation:
        """Right by this convention; a document whose logarithms were to another base already has not said which it means."""
        remarks = tuple(note for note in equation.remarks if note.name not in OF_ANOTHER_VALUE)
        equation = replace(equation, remarks=remarks)
        if found.name in LOGARITHMS:
            base, line = self.base = self.base or (found.name, equation.line)
            if base != found.name:
                return replace(equation, verdict=UNDECIDABLE, words=words.another_base(line), code="another_base")
        return replace(equation, verdict="by_convention", convention=found, words=found.words)

    def of_sizes(self, equation: Equation, cells: Cells, source: Side) -> Equation:
        """The equation, whose sizes do not fit, with the slips that give what is shown."""
        if not isinstance(source.value, Node):
            return equation
        looking = _Looking(cells)
        return replace(equation, slips=self._slips(looking, [[(source, values)] for values in self._inputs(source)]))

    def of_sides(self, equation: Equation, left: Side, right: Computed, conventions: bool) -> Equation:
        """Two expressions, the left one with a convention, or with slips, under which both are equal."""
        if not isinstance(left.value, Node):
            return equation

        def fits(node: Node) -> bool:
            return judge_sides(Computed(node), right).kind == RIGHT

        for values in self._inputs(left):
            found = by_convention(left.value, values, fits, shape=right.shape) if conventions else None
            if found is not None and self._may_be(found, left.text):
                return self._by(found, equation)
        for values in self._inputs(left):
            start = time.thread_time()
            budget = _within(min(SECONDS_AT_MOST, (SECONDS_FOR_ALL - self.spent) / SHARE_OF_ONE))
            slips = diagnose(left.value, values, fits, shape=right.shape, budget=budget)
            self.spent += time.thread_time() - start
            if slips:
                return replace(equation, slips=slips)
        return equation

    def _with_causes(self, equation: Equation, cells: Cells, source: Side, turned: bool) -> Equation:
        if source.value is None:
            return equation
        if not isinstance(source.value, Node):  # sin(3)
            source = replace(source, value=Literal([[source.value]]))
        looking = _Looking(tuple(zip(*cells, strict=True)) if turned else cells)
        ways = self._ways(source)
        for side, values in chain(*ways):
            convention = looking.convention(side.value, values)
            if convention is not None and self._may_be(convention, source.text):
                return self._by(convention, equation)
        if equation.verdict != WRONG:
            return equation
        found = (looking.sign(way) for way in chain(*ways))
        signs, is_all = next((sign for sign in found if sign[0]), ((), False))
        if ways and ways[0]:
            equation = replace(equation, remarks=tuple(note for note in equation.remarks if note.name != SIGN.name))
        slips = self._slips(looking, ways, is_explained=is_all)
        if slips or is_all:
            slips += signs if is_all else ()
            return replace(equation, slips=slips, remarks=(*equation.remarks, *self._telling(looking)))
        remarks = (*equation.remarks, *signs)
        if any(note.name in EXPLAINS for note in remarks):
            return replace(equation, remarks=remarks)
        return replace(equation, remarks=(*remarks, words.NO_SLIP if looking.tried_all else words.SLIPS_OPEN))

    def _telling(self, looking: _Looking) -> tuple[Note, ...]:
        """What to change in order to see which slip it is, by the name that the document has for it."""
        entry = looking.telling()
        names = {letter_name(name): name for name in self.definitions.by_name}
        return () if entry is None else (replace(entry, letter=names.get(entry.letter, entry.letter)).note,)

    def _ways(self, source: Side) -> list[list[tuple[Side, Any]]]:
        """How the writer may have come to it, the likeliest first: as it is written, from digits shown or from the start."""
        near = [side for side in (source, self._written_out(source)) if side is not None]
        inputs = [[(side, values) for values in self._inputs(side)] for side in near]
        ways = [[way for way in row if way is not None] for row in zip_longest(*inputs)]
        if (far := self._written_out(source, shown=True)) is not None and far not in near:
            ways += [[(far, values)] for values in self._inputs(far)]
        return ways

    def _slips(
        self, looking: _Looking, ways: list[list[tuple[Side, Any]]], is_explained: bool = False
    ) -> tuple[Note, ...]:
        """Those that fit, in the time that is left for the document."""
        start = time.thread_time()
        left = (SECONDS_FOR_ALL - self.spent) / SHARE_OF_ONE
        found = looking.slips(ways, min(SECONDS_AT_MOST, left), is_explained)
        self.spent += time.thread_time() - start
        return found

    def _written_out(self, source: Side, shown: bool = False, depth: int = 6) -> Side | None:
        """With what its names were computed from, where no digits of them are `shown`, or all; None if that is nothing new."""
        rule = {}
        for name, letter in self.definitions.letters(source).items():
            definition = self.definitions[name]
            if definition.side is None or self.definitions.is_stale(definition):
                continue
            if definition.shown is not None and not shown:
                continue
            below = (depth and self._written_out(definition.side, shown, depth - 1)) or definition.side
            if isinstance(letter, Letter) and isinstance(below.value, Node) and below.value.shape == letter.shape:
                rule[letter] = below.value
        return replace(source, value=put_in(source.value, rule)) if rule else None

    def _inputs(self, source: Side) -> list[dict[Any, Any]]:
        """What stands for the names: by the digits shown, and from the start where that differs."""
        ways: list[dict[Any, Any]] = []
        for shown in (True, False):
            values = self.computing.values(source, shown)
            if values is not None and values not in ways:
                ways.append(values)
        others = self._matrices() if ways else {}  # a slip may take K for V
        return [{**others, **values} for values in ways]

    def _matrices(self) -> dict[Any, Any]:
        """Every matrix that the document has given so far."""
        found = {}
        for name, definition in self.definitions.by_name.items():
            if definition.known.shape is not None:
                found[Letter(letter_name(name), *definition.known.shape)] = definition.exact
        return found


class _Looking:
    """Looks for what gives the digits shown, within a time."""

    def __init__(self, cells: Cells) -> None:
        self.cells, self.fits = cells, Shown(cells)
        self.shape = len(cells), len(cells[0])
        self.tried_all = True
        self.found: dict[Node, tuple[Any, tuple[Note, ...]]] = {}  # by expression, with its values

    def convention(self, expression: Node, values: Any) -> Note | None:
        return by_convention(expression, values, self.fits, shape=self.shape, budget=_within(SECONDS_AT_MOST))

    def gives(self, expression: Node, values: Any) -> bool:
        return Trials(values, self.fits, self.shape, Budget()).fit(expression)

    def slips(self, ways: list[list[tuple[Side, Any]]], seconds: float, is_explained: bool = False) -> tuple[Note, ...]:
        """All that fit in the first way in which one does; two at once only where nothing else explains it."""
        places = {claim.places for row in self.cells for claim in row if claim.place is not None and claim.decimals}
        tried = (*SLIPS, *(rounded_between(count) for count in sorted(places)[-1:]))
        budget, pairs = _within(seconds), _within(min(seconds, SECONDS_OF_PAIRS))
        for alike in ways:
            found: list[Note] = []
            for side, values in alike:
                notes = diagnose(side.value, values, self.fits, tried, shape=self.shape, budget=budget)
                found += (*notes, *self._swapped(side, values), *(() if notes else self._misplaced(side, values)))
                self.found[side.value] = values, notes
            self.tried_all = not budget.is_over
            if found:
                return tuple({note.name: note for note in found}.values())
        for side, values in () if is_explained else chain(*ways[:1]):
            if two := diagnose_pairs(side.value, values, self.fits, shape=self.shape, budget=pairs):
                return two[:PAIRS_AT_MOST]
        return ()

    def telling(self) -> TellingEntry | None:
        """What to change in order to see which of several slips it is."""
        every = {note.name for _, notes in self.found.values() for note in notes}
        decimals = {claim.places for row in self.cells for claim in row if claim.place is not None}
        if not 1 < len(every) <= SLIPS_TOLD_APART or len(decimals) != 1 or not every <= {slip.name for slip in SLIPS}:
            return None
        for expression, (values, notes) in self.found.items():
            if {note.name for note in notes} == every:
                budget, own = (
                    _within(SECONDS_OF_TELLING),
                    {x: v for x, v in values.items() if x in expression._mentions},
                )
                return telling_entry(expression, own, self.fits, notes, max(decimals), shape=self.shape, budget=budget)
        return None

    def sign(self, way: tuple[Side, Any]) -> tuple[tuple[Note, ...], bool]:
        """What is said of the other sign, and whether it explains all entries that are not right."""
        value = Computed(put_in(way[0].value, way[1]))
        try:
            found = other_sign(self.cells, value.at) if value.shape == self.shape else None
        except Undecided:
            return (), False
        return ((), False) if found is None else ((found[0],), found[1])

    def _misplaced(self, side: Side, values: Any) -> tuple[Note, ...]:
        value = Computed(put_in(side.value, values))
        try:
            found = misplaced(self.cells, value.at) if value.shape == self.shape else None
        except Undecided:
            return ()
        return () if found is None else (found,)

    def _swapped(self, side: Side, values: Any) -> tuple[Note, ...]:
        """Two digits of one entry in the wrong order, all others right."""
        value = Computed(put_in(side.value, values))
        if value.shape != self.shape:
            return ()
        notes = set()
        for i, row in enumerate(self.cells):
            for j, claim in enumerate(row):
                known = Comparisons(value.at(i, j))
                try:
                    if not is_right(claim, known):
                        notes.add(swapped_digits(claim, known))
                except Undecided:
                    return ()
        return () if None in notes else tuple(notes)  # type: ignore[arg-type]


def _within(seconds: float) -> Budget:
    deadline = time.thread_time() + seconds
    return Budget(expired=lambda: time.thread_time() > deadline)


def _row_sums(cells: Cells, value: Any) -> list[Note]:
    """Rows of weights that do not add up to 1, by more than their rounding allows."""
    weights = REGISTRY["Softmax"]
    if not isinstance(value, Node) or not isinstance(value, weights):
        return []
    notes = []
    for i, row in enumerate(cells):
        places = [claim.place for claim in row if claim.place is not None]
        if len(places) < len(row):
            continue
        total = sum((claim.value for claim in row), Fraction(0))
        slack = sum(places, Fraction(0)) / 2
        if abs(total - 1) > slack:
            notes.append(words.row_sum(i + 1, decimal_text(total, max(claim.places for claim in row))))
    return notes
