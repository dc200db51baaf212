"""What a section shows beside its steps: maps of shades, masks, activations, comparisons, facts, counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from sympy import Expr, S

from symtransformer.derivation import Comparison, Counts, Fact, Section
from symtransformer.enclosures import BITS, ball, precision
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.notation import Words
from symtransformer.operations.mask import Mask
from symtransformer.operations.softmax import Softmax
from symtransformer.rendering.document import (
    Block,
    Chain,
    EntryOf,
    Equations,
    Formula,
    Grid,
    HeatMap,
    Remark,
    Statement,
    Table,
)  # fmt: skip
from symtransformer.rendering.numbers import BLANK, NOTHING, Shown, show, show_counted, show_exact
from symtransformer.rendering.page_tables import PageTables, weighs_keys
from symtransformer.rendering.recomputing import as_shown, gives
from symtransformer.symbols import Letter
from symtransformer.zero import is_exactly_zero

KEPT, ZEROED, CHANGED = Words("kept", "そのまま"), Words("set to 0", "0 になる"), Words("changed", "変わる")
USABLE, HIDDEN = Words("usable", "使える"), Words("hidden", "隠す")
COMPONENT, BEFORE, AFTER = Words("component", "成分"), Words("before", "前"), Words("after", "後")
EFFECT, DIFFERENCE = Words("effect", "結果"), Words("difference", "差")


class PageSections(PageTables):
    """Blocks that a section asks for by name."""

    def _tables_of(self, section: Section) -> Iterable[Block]:
        """Everything after the steps that shows numbers of letters."""
        if self.evaluation is None:
            return
        for name in section.percent:
            yield self._percent(name)
        for name in section.heat:
            yield self._heat(name)
        for name in section.usable:
            yield self._usable(name)
        for name in section.kept:
            yield self._kept(name)
        for comparison in section.compare:
            yield from self._compared(comparison, section)

    def _counted(self, section: Section) -> Iterable[Block]:
        """Facts and counts, worked out again for the sizes of the page."""
        known = {} if self.evaluation is None else self._scalars()
        for fact in section.facts:
            yield self._fact(fact, known)
        for counts in section.tables:
            yield self._counts(counts, known)

    def _fact(self, fact: Fact, known: Mapping[Any, Any]) -> Statement:
        numbers, hidden = fact.values(known), self._answers(known) if self.blank else set()
        return Statement(fact.words, tuple(BLANK if n in hidden else show_counted(n) for n in numbers))

    def _answers(self, known: Mapping[Any, Any]) -> set[Expr]:
        """What the facts of a worksheet ask for, so that none of them gives away the answer of another."""
        facts = [fact for section in self.derivation.sections for fact in section.facts]
        return {fact.values(known)[k] for fact in facts for k in fact.answers()}

    def _counts(self, counts: Counts, known: Mapping[Any, Any]) -> Table:
        def cell(value: Any) -> Any:
            if value is None or isinstance(value, Words):
                return value
            if self.blank or value.is_rational or value.free_symbols:
                return BLANK if self.blank else show_counted(value)
            return show(value, lambda bits: ball(value), self.style)  # a logarithm, say: its digits

        return Table(counts.heads, (), tuple(tuple(map(cell, row)) for row in counts.values(known)), counts.caption)

    # -- shades -----------------------------------------------------------------------------------
    def _heat(self, name: str) -> HeatMap:
        """Dark is large: of weights from 0 to 1, of other numbers from the least to the greatest of them."""
        letter = self._numeric(name, "heat")
        rows, cols = self._shape(letter)
        cells = [[self._shown(letter, i, j) for j in range(cols)] for i in range(rows)]
        values = [x.value for row in cells for x in row if x.value is not None and x.value.is_finite]
        if not values and not self.blank:
            raise UnreadableInput(f"heat: {name} has no finite number to shade")
        stands_for = self._stands_for(name)
        ends = None
        every_finite = len(values) == rows * cols
        if values and not isinstance(stands_for, Softmax) and not (every_finite and all(0 <= v <= 1 for v in values)):
            finite: list[Any] = [x for row in cells for x in row if x.value in values]
            ends = (min(finite, key=lambda x: x.value), max(finite, key=lambda x: x.value))
        low, high = (S.Zero, S.One) if ends is None else (ends[0].value, ends[1].value)
        shown = self._rows_shown(rows)
        caption = Remark("heat_weights", (("name", letter),))
        if not weighs_keys(stands_for):
            caption = Remark("heat", (("name", letter),))
        return HeatMap(
            *self._heads_and_labels(letter),
            tuple(tuple(cells[i]) for i in shown),
            tuple(tuple(_shade(x, low, high, ends is None) for x in cells[i]) for i in shown),
            caption,
            ends,
            self._marks_of_rows(name),
        )

    def _numeric(self, name: str, what: str) -> Letter:
        letter = self._letter(name)
        if letter.head is not None and letter.head.is_Symbol:
            raise UnreadableInput(f"{what}: {name} is a family of heads; name a step that is one matrix")
        return letter

    # -- masks and activations ----------------------------------------------------------------------
    def _usable(self, name: str) -> Table:
        """−∞ hides; in a matrix of 0 and 1 that is no result of a mask, 0 does."""
        letter = self._numeric(name, "usable")
        rows, cols = self._shape(letter)
        numbers = [[self._number(letter, i, j) for j in range(cols)] for i in range(rows)]
        every = {x for row in numbers for x in row}
        of_ones = every <= {S.Zero, S.One} and S.One in every and not isinstance(self._stands_for(name), Mask)
        hides = S.Zero if of_ones else S.NegativeInfinity

        def cell(number: Expr | None) -> Shown | Words:
            if self.blank and name not in self.inputs:
                return BLANK
            return HIDDEN if number is hides else USABLE

        return Table(
            *self._heads_of_table(letter),
            tuple(tuple(cell(x) for x in numbers[i]) for i in self._rows_shown(rows)),
            Remark("usable", (("name", letter),)),
        )

    def _kept(self, name: str) -> Table:
        step = self.derivation[name]
        before = step.definition._children[0] if step.definition._children else None
        if not isinstance(before, Letter) or before.shape != step.letter.shape:
            raise UnreadableInput(f"kept: {name} must be an activation of one named matrix, as in F = ReLU(H)")
        letter = self._numeric(name, "kept")
        count, cols = self._shape(letter)
        places = [(i, j) for i in self._rows_shown(count) for j in range(cols)]
        rows = [
            (EntryOf(letter, i, j), self._shown(before, i, j), self._shown(letter, i, j), self._effect(before, letter, i, j))
            for i, j in places
        ]  # fmt: skip
        labels = tuple(label for i, _ in places if (label := self._label(letter, "row", i)) is not None)
        heads = (COMPONENT, BEFORE, AFTER, EFFECT)
        return Table(("", *heads) if labels else heads, labels, tuple(rows), Remark("kept", (("name", letter),)))

    def _effect(self, before: Letter, after: Letter, i: int, j: int) -> Shown | Words:
        if self.blank:
            return BLANK
        old, new = (self._number(letter, i, j) for letter in (before, after))
        if self.style.round_steps is not None and old is not None and old.is_finite:
            old = self._rounded_steps().rounded(old)  # what is kept is shown rounded as well
        same = None if old is None or new is None else old == new or _is_zero(new - old)
        gone = None if new is None else _is_zero(new)
        if same is None or gone is None:
            raise NotSupported(f"kept: whether entry ({i + 1}, {j + 1}) of {after} is kept cannot be decided")
        return KEPT if same else ZEROED if gone else CHANGED

    # -- comparisons ----------------------------------------------------------------------------------
    @contextmanager
    def _under(self, values: Mapping[Any, Any]) -> Iterator[None]:
        """The numbers for other values, for a while."""
        before, self.evaluation = self.evaluation, self._evaluation_of(values)
        try:
            yield
        finally:
            self.evaluation = before

    def _compared(self, comparison: Comparison, section: Section) -> Iterable[Block]:
        first, second = (self._numeric(n, "compare") for n in (comparison.step, comparison.other or comparison.step))
        if first is second and not section.values:
            raise UnreadableInput(
                f"compare: {first} against itself; give the section values of its own, or name another step"
            )
        with self._under({}):
            if self.evaluation is None:
                raise UnreadableInput(f"compare: {first} has no values outside of this section")
            shape, old, olds = self._shape(first), *self._table_of(first)
        new, news = self._table_of(second)
        if shape != self._shape(second):
            raise UnreadableInput(f"compare: {first} and {second} have different sizes here")
        yield (
            Remark("compared_steps", (("first", first), ("second", second)))
            if comparison.other
            else Remark("compared", (("name", first),))
        )
        cells = [
            [_with_source(self._difference(a, b), a[2], b[2]) for a, b in zip(*rows, strict=True)]
            for rows in zip(olds, news, strict=True)
        ]
        wrong = any(
            not _agrees(a, b, c, self.style)
            for rows in zip(old.cells, new.cells, cells, strict=True)
            for a, b, c in zip(*rows, strict=True)
        )
        difference = Grid(tuple(map(tuple, cells)))
        yield Equations(
            (
                Chain(Formula(first), ((self._told(old), old),), label=comparison.first),
                Chain(Formula(second), ((self._told(new), new),), label=comparison.second),
                Chain(DIFFERENCE, ((self._told(difference), difference),), operands_rounded=wrong and not self.blank),
            )
        )

    def _told(self, grid: Grid) -> str:
        return "=" if self.blank or grid.exact else "≈"

    def _table_of(self, letter: Letter) -> tuple[Grid, list[list[Any]]]:
        """What is shown of a letter, and for each entry its exact number, balls of it, whether it is the true one."""
        assert self.evaluation is not None
        rows, cols = self._shape(letter)
        shown = [[self._shown(letter, i, j) for j in range(cols)] for i in self._rows_shown(rows)]
        behind = [[self._behind_shown(letter, i, j) for j in range(cols)] for i in self._rows_shown(rows)]
        return Grid(tuple(map(tuple, shown))), behind

    def _behind_shown(self, letter: Letter, i: int, j: int) -> tuple[Any, Any, Shown]:
        assert self.evaluation is not None
        number, shown = self._number(letter, i, j), self._shown(letter, i, j)
        if number is not None:
            return number, None, shown
        return None, self.evaluation.cells(letter.name).ball_at(i, j), shown

    def _difference(self, old: tuple[Any, Any, Shown], new: tuple[Any, Any, Shown]) -> Shown:
        """Second minus first; a dash where both are the same infinity."""
        (a, a_at, _), (b, b_at, _) = old, new
        if self.blank:
            return BLANK
        if a is not None and b is not None:
            if a == b and not a.is_finite and not a.free_symbols:
                return NOTHING
            true = self.style.round_steps is None or (old[2].exact and new[2].exact)
            return show_exact(S.Zero if _is_zero(b - a) else b - a, self.style, true=true)
        infinite = [x for x in (a, b) if x is not None and not x.is_finite]
        if infinite:
            return show_exact(infinite[0] if infinite[0] is b else -infinite[0], self.style)
        return show(
            None,
            lambda bits: (b_at(bits) if b is None else ball(b)) - (a_at(bits) if a is None else ball(a)),
            self.style,
        )


def _with_source(difference: Shown, first: Shown, second: Shown) -> Shown:
    if first.source is None or second.source is None or difference in (BLANK, NOTHING):
        return difference
    return replace(difference, source=replace(second.source, given=False, minus=replace(first.source, given=False)))


def _is_zero(number: Expr) -> bool | None:
    if number.free_symbols:
        return bool(number.expand() == 0) or None
    if number.is_infinite:
        return False
    zero = is_exactly_zero(number)
    for bits in BITS[:5] if zero is None else ():
        with precision(bits):
            if not ball(number).contains(0):
                return False
    return zero


def _shade(shown: Shown, low: Expr, high: Expr, of_weights: bool) -> int | None:
    """0 to 100; None for what is exactly 0 among weights, and for what is no finite number."""
    if shown.value is None or not shown.value.is_finite or (of_weights and shown.exact and shown.value == 0):
        return None
    span = high - low
    return int(100 * (shown.value - low) / span) if span else 50  # never beyond the quarter that a number is in


def _agrees(first: Shown, second: Shown, difference: Shown, style: Any) -> bool:
    """Whether the two numbers, as they are shown, give the difference as it is shown."""
    if difference.value is None or not difference.value.is_finite:
        return True
    return gives(as_shown(second) - as_shown(first), difference, style)
