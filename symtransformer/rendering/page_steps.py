"""The steps of a page: formula, numbers put in, result; rows, entries, exact forms, verdicts."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import replace
from typing import Any

from symtransformer.derivation import Derivation, Follow, Section, Step, row_of
from symtransformer.errors import LimitExceeded
from symtransformer.judge import PROVED, REFUTED, Verified
from symtransformer.node import Node, postorder, substitute
from symtransformer.operation import unfolded
from symtransformer.operations.rows import Row
from symtransformer.rendering.arithmetic import Arithmetic, entry_arithmetic, value_of
from symtransformer.rendering.document import (
    Block,
    Chain,
    EntryFormula,
    EntryOf,
    Equations,
    Formula,
    Grid,
    Heading,
    Paragraph,
    Remark,
    Slider,
    Term,
    VerdictBlock,
)  # fmt: skip
from symtransformer.rendering.following import Marks, marks_in_step, marks_of
from symtransformer.rendering.numbers import Shown, Style, show_given
from symtransformer.rendering.page_definitions import PageDefinitions
from symtransformer.rendering.recomputing import as_shown
from symtransformer.rendering.slider_range import slider_range
from symtransformer.symbols import Letter, exact_number

OPERANDS_AT_MOST = 20_000  # on the arithmetic of all entries of one step
EXACT_FORM_AT_MOST = 24  # operations; a longer exact form is not shown beside the digits


class PageSteps(PageDefinitions):
    """Steps, at the level of detail of the page."""

    section: Section  # the one at hand

    def __init__(
        self, subject: Any, derivation: Derivation, detail: str, style: Style, follow: Follow | None, row: int | None
    ) -> None:
        super().__init__(derivation, style)
        self.verified = subject if isinstance(subject, Verified) else None
        self.detail, self.row = detail, row
        self.blank = detail == "problem"
        self.marks: Marks = marks_of(derivation, follow)

    # -- one step -------------------------------------------------------------------------------
    def _step(self, step: Step) -> Iterable[Block]:
        if self.detail == "results":
            yield from self._verdict(step)
            yield Equations((self._value_chain(step),))
            return
        if self._is_refuted(step):
            yield Heading(step.title, 3, step.letter)  # the claim and the verdict; no number stands behind it
            yield from self._verdict(step)
            yield from self._definitions([step])
            yield Equations((Chain(Formula(step.letter), (("=", Formula(step.expression)),)),))
            self.defined.add(step.name)
            return
        yield Heading(step.title, 3, step.letter)
        yield Paragraph(step.explanation)
        yield from self._verdict(step)
        yield from self._definitions([step])
        rows = [] if _counts_heads(step) else self._followed_rows(step)
        whole = () if self.row is not None and rows else (self._matrix_chain(step),)
        yield Equations((*whole, *(self._row_chain(step, k, False) for k in rows)))
        self.defined.add(step.name)
        if self.evaluation is None or _belongs_to_heads(step) or self.blank:
            return
        if (self.detail == "entries" or step.name in self.section.entries) and not _counts_heads(step):
            yield Remark("each_entry")
            yield Equations(tuple(self._entries(step)))
        rounded = self.style.round_steps is not None or not self.section.exact
        exact = [] if rounded else list(self._exact_forms(step))
        if chains := tuple(chain for chain in exact if chain is not None):
            yield Remark("exactly") if len(chains) == len(exact) else Remark("exactly_short")
            yield Equations(chains)

    def _rows_alone(self, steps: list[Step]) -> Iterable[Block]:
        """The followed rows of proved steps; any other step in full, since its verdict belongs to it."""
        plain = [step for step in steps if not list(self._verdict(step)) and not _counts_heads(step)]
        rows = tuple(self._row_chain(step, k, True) for step in plain for k in self._followed_rows(step))
        yield from self._definitions(plain)
        self.defined.update(step.name for step in plain)
        if plain:
            yield Equations(rows or tuple(self._formula_chain(step) for step in plain))
        if self.detail == "entries" and rows and not self.section.values and not self.blank:
            yield Remark("each_entry")
            yield Equations(tuple(chain for step in plain for chain in self._entries(step, self._followed_rows(step))))
        for step in steps:
            if step not in plain:
                yield from self._step(step)

    def _slider(self, section: Section) -> Slider | None:
        """The steps of the section where its parameter starts; None where its values are no rational numbers."""
        sweep = section.sweep
        assert sweep is not None
        span = slider_range([exact_number(value, f"a value of {sweep.parameter}") for value in sweep.at])
        if span is None:
            return None
        values = {**section.values, sweep.parameter: span.start}
        # values of its own: a row of the table that starts at the same number stays where it is
        before, self.evaluation = self.evaluation, copy(self._evaluation_of(values))
        steps = [self.derivation[name] for name in section.steps]
        whole = [step for step in steps if not _counts_heads(step) and not self._is_refuted(step)]
        chains: list[Chain] = []
        for step in whole:
            rows = self._followed_rows(step)
            chains += [self._row_chain(step, k, True) for k in rows] if rows else [self._matrix_chain(step)]
        row = tuple(self._swept(column) for column in sweep.columns)
        made = Slider(sweep.parameter, span, self._scope(), tuple(chains), row)
        self.evaluation = before
        return made

    def _is_refuted(self, step: Step) -> bool:
        return self.verified is not None and self.verified.verdicts[step.name].kind == REFUTED

    def _verdict(self, step: Step) -> Iterable[Block]:
        if self.verified is None:
            yield VerdictBlock("not_verified", None)
        elif (verdict := self.verified.verdicts[step.name]).kind != PROVED:
            yield VerdictBlock(verdict.kind, verdict.words)
        elif verdict.where_defined:
            yield Remark("where_defined")

    def _followed_rows(self, step: Step) -> list[int]:
        if self.row is not None:
            return [self.row]
        return sorted(k for axis, k in self.marks.get(step.name, frozenset()) if axis == "row")

    def _matrix_chain(self, step: Step) -> Chain:
        expression = self._made_from(step)
        rights: list[tuple[str, Term]] = [("=", Formula(step.definition))]
        if step.definition is not expression:
            rights.append(("=", Formula(expression)))
        if self.evaluation is None:
            return Chain(Formula(step.letter), tuple(rights))
        if _belongs_to_heads(step):  # no number stands for all heads at once
            if step.letter.head is None:
                grid = self._marked_grid(step)
                rights.append(("=" if self.blank else self._sign(grid), grid))
            return Chain(Formula(step.letter), tuple(rights))
        if self.blank:
            return Chain(Formula(step.letter), (*rights, ("=", self._grid(step.letter))))
        marks = marks_in_step(expression, step.name, self.marks)
        filled = self._filled(expression, marks)
        grid = self._marked_grid(step)
        sign, wrong = self._result(expression, step.letter, _places(grid))
        rights += [(self._sign(filled), filled), (sign, grid)]
        return Chain(Formula(step.letter), tuple(rights), operands_rounded=wrong)

    def _value_chain(self, step: Step) -> Chain:
        """The step and its value, without the numbers put in."""
        without = self.evaluation is None or (step.letter.head is not None and step.letter.head.is_Symbol)
        if without:
            return Chain(Formula(step.letter), (("=", Formula(step.definition)),))
        left, grid = Formula(step.letter), self._marked_grid(step)
        if self.row is not None:
            left, grid = Formula(Row(step.letter, self.row)), self._row_grid(step, self.row)
        return Chain(left, (("=" if self.blank else self._sign(grid), grid),))

    def _formula_chain(self, step: Step) -> Chain:
        """The step and its value with the formula between them, where that is another thing than the value."""
        (sign, value), *_ = (chain := self._value_chain(step)).rights
        return (
            chain
            if isinstance(value, Formula)
            else replace(chain, rights=(("=", Formula(step.definition)), (sign, value)))
        )

    def _row_grid(self, step: Step, i: int) -> Grid:
        marks = frozenset({("row", 0)}) if self._is_followed(step, i) else frozenset()
        return Grid((self._grid(step.letter).cells[i],), marks)

    def _is_followed(self, step: Step, i: int) -> bool:
        return ("row", i) in self.marks.get(step.name, frozenset())

    def _row_chain(self, step: Step, i: int, coarse: bool) -> Chain:
        expression = step.definition if coarse else self._made_from(step)
        row = row_of(expression, i)
        left, label = Formula(Row(step.letter, i)), self._label(step.letter, "row", i)
        rights: list[tuple[str, Term]] = [("=", Formula(row))]
        followed = self._is_followed(step, i)
        if self.evaluation is None:
            return Chain(left, tuple(rights), followed, label)
        grid = self._row_grid(step, i)
        if self.blank:
            return Chain(left, (*rights, ("=", grid)), followed, label)
        filled = self._filled(row, {})
        if not _is_bare_row(row):
            rights.append((self._sign(filled), filled))
        sign, wrong = self._result(expression, step.letter, [(i, j) for _, j in _places(grid)])
        rights.append((sign, grid))
        return Chain(left, tuple(rights), followed, label, operands_rounded=wrong)

    def _entries(self, step: Step, rows: Iterable[int] | None = None) -> Iterable[Chain]:
        grid = self._marked_grid(step)
        expression = self._made_from(step)
        first = len(entry_arithmetic(substitute(expression, self._sizes()), 0, 0).leaves())
        if first * len(grid.cells) * len(grid.cells[0]) > OPERANDS_AT_MOST:
            raise LimitExceeded(
                f"the arithmetic of every entry of {step.letter} has more than {OPERANDS_AT_MOST} operands; "
                "use the detail 'steps'"
            )
        sized, filled = (substitute(expression, rule) for rule in (self._sizes(), self._scalars()))
        for i in self._rows_shown(len(grid.cells)) if rows is None else rows:
            for j, shown in enumerate(grid.cells[i]):
                trees = entry_arithmetic(sized, i, j), entry_arithmetic(filled, i, j)
                yield self._entry_chain(step, (i, j), trees, shown, grid.is_marked(i, j))

    def _entry_chain(
        self, step: Step, place: tuple[int, int], trees: tuple[Arithmetic, Arithmetic], shown: Shown, followed: bool
    ) -> Chain:
        (i, j), (in_letters, tree) = place, trees
        operands = self._operands(tree)
        filled = EntryFormula(tree, tuple(operands.items()))
        exact = all(s.exact for s in operands.values())
        rights: list[tuple[str, Term]] = [("=", EntryFormula(in_letters))]
        if tree.kind != "entry":
            rights.append(("=" if exact else "≈", filled))
            worked = _products_worked_out(tree, operands) if exact else None
            if worked is not None:
                rights.append(("=", worked))
        sign, wrong = self._result(self._made_from(step), step.letter, [(i, j)], exact)
        rights.append((sign, shown))
        return Chain(EntryOf(step.letter, i, j), tuple(rights), followed, operands_rounded=wrong)

    def _exact_forms(self, step: Step) -> Iterable[Chain | None]:
        """The exact value of each entry beside its digits, where it is not rational; None where it is long."""
        assert self.evaluation is not None
        value = self._value(step.letter)
        if value is None:
            return
        grid = self._marked_grid(step)
        for i in self._rows_shown(len(grid.cells)):
            for j, shown in enumerate(grid.cells[i]):
                exact = value[i, j]
                marked = grid.is_marked(i, j)
                asked = marked or self.detail == "entries" or self.row is not None or not grid.marks
                if shown.exact or not asked:
                    continue
                if exact.count_ops() > EXACT_FORM_AT_MOST:
                    yield None
                    continue
                formula = Shown("", True, None, exact)
                yield Chain(EntryOf(step.letter, i, j), (("=", formula), ("≈", shown)), marked)

    def _behind(self, name: str, stops: tuple[str, ...]) -> Chain:
        """The step with what lies behind it put in, down to the named steps."""
        step = self.derivation[name]
        rule = {self.derivation[stop].stands_for: self.derivation[stop].letter for stop in stops}
        tree = substitute(step.stands_for, rule)
        rights: list[tuple[str, Term]] = [("=", Formula(tree))]
        if self.evaluation is None:
            return Chain(Formula(step.letter), tuple(rights))
        if (
            self.blank or self.style.round_steps is not None
        ):  # rounded steps lie between, so its operands do not give it
            shown = self._grid(step.letter)
            return Chain(Formula(step.letter), (*rights, (self._sign(shown), shown)))
        filled, grid = self._filled(tree, {}), self._marked_grid(step)
        sign, wrong = self._result(tree, step.letter, _places(grid))
        rights += [(self._sign(filled), filled), (sign, grid)]
        return Chain(Formula(step.letter), tuple(rights), operands_rounded=wrong)


def _belongs_to_heads(step: Step) -> bool:
    """A step of one head of a family, or over all of them, whose number is a letter in the expression."""
    of_one = step.letter.head is not None and step.letter.head.is_Symbol
    return bool(of_one or any(node.bound for node in postorder(step.expression)))


def _counts_heads(step: Step) -> bool:
    """Whether heads are counted inside: the whole is shown with its numbers, but rows and entries stay unopened."""
    sides = (step.expression, step.definition)
    return _belongs_to_heads(step) or any(node.bound for side in sides for node in postorder(unfolded(side)))


def _places(grid: Grid) -> list[tuple[int, int]]:
    return [(i, j) for i, row in enumerate(grid.cells) for j in range(len(row))]


def _is_bare_row(row: Node) -> bool:
    return isinstance(row, Row) and isinstance(row.args[0], Letter)


def _products_worked_out(tree: Arithmetic, operands: dict[tuple[str, Any, int, int], Shown]) -> EntryFormula | None:
    """1 + 0 + 3 - 4 for 1 x 1 + 2 x 0 + 3 x 1 + 4 x (-1)."""
    if tree.kind != "sum" or len(tree.parts) < 3 or not any(part.kind == "product" for part in tree.parts):
        return None
    parts = []
    for part in tree.parts:
        value = value_of(part, lambda letter, a, b: as_shown(operands[(letter.name, letter.head, a, b)]))
        parts.append(Arithmetic("shown", (show_given(value),)))
    return EntryFormula(Arithmetic("sum", tuple(parts)), ())
