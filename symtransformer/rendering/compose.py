"""A derivation as a neutral document: what is shown, in which order, at which level of detail."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from symtransformer import __version__
from symtransformer.derivation import Derivation, Follow, Section, Step, row_of
from symtransformer.dialects import entry_name
from symtransformer.errors import LimitExceeded, NotSupported, UnreadableInput
from symtransformer.judge import PROVED, REFUTED, TESTED, UNDECIDABLE, Verified
from symtransformer.node import Node, postorder, substitute
from symtransformer.notation import Words
from symtransformer.operations.rows import Row
from symtransformer.rendering.arithmetic import Arithmetic, entry_arithmetic, value_of
from symtransformer.rendering.document import (
    Block,
    Chain,
    Document,
    EntryFormula,
    EntryOf,
    Equations,
    Formula,
    Grid,
    Heading,
    Paragraph,
    Remark,
    Term,
    VerdictBlock,
)  # fmt: skip
from symtransformer.rendering.following import Marks, marks_in_step, marks_of
from symtransformer.rendering.numbers import Shown, Style, show_given
from symtransformer.rendering.page_tables import PageTables
from symtransformer.rendering.recomputing import as_shown
from symtransformer.symbols import Letter

DETAILS = ("results", "steps", "entries", "problem")
OPERANDS_AT_MOST = 20_000  # on the arithmetic of all entries of one step
EXACT_FORM_AT_MOST = 24  # operations; a longer exact form is not shown beside the digits


def compose(
    subject: Derivation | Verified, *, detail: str = "steps", style: Style | None = None,
    follow: Follow | bool | None = None, only: tuple[str, ...] = (), row: int | None = None, command: str = "",
) -> Document:  # fmt: skip
    """The document of a derivation; what is not verified is marked as such at its step."""
    if detail not in DETAILS:
        raise UnreadableInput(f"detail: expected {', '.join(DETAILS)}, got {detail[:40]!r}")
    if (
        only
        or row is not None
        or detail == "problem"
        or (style and (style.significant or style.round_steps is not None))
    ):
        raise NotSupported("a page of some steps, of one row, a worksheet, significant digits, rounded steps: not yet")
    derivation = subject.derivation if isinstance(subject, Verified) else subject
    chosen = derivation.follow if follow is None else follow if isinstance(follow, Follow) else None
    _require_names_apart(derivation)
    page = _Page(subject, derivation, detail, style or Style(), chosen)
    return Document(derivation.title, tuple(page.blocks()), tuple(_comment(subject, derivation, command)))


def _require_names_apart(derivation: Derivation) -> None:
    """Entries are written with small letters: Q and q, or Z_1 and head 1 of Z, would be read as one."""
    seen: dict[tuple[str, str], Letter] = {}
    letters = dict.fromkeys([*derivation.inputs, *(step.letter for step in derivation.steps)])
    families = {letter.name for letter in letters if letter.head is not None}
    for letter in letters:
        base, mark = entry_name(letter.name, letter.head)
        other = seen.setdefault((base, mark), letter)
        head_of, _, low = letter.name.partition("_")
        if low.isdigit() and head_of[0].islower() and any(x.name.lower() == head_of for x in letters):
            raise UnreadableInput(f"a page: {letter} would be written as row {low} of {head_of}; rename one")
        if other is not letter or (head_of != letter.name and mark.startswith("(") and head_of in families):
            name = other if other is not letter else head_of
            raise UnreadableInput(f"a page: entries of {letter} and of {name} would be written alike; rename one")


def _comment(subject: Derivation | Verified, derivation: Derivation, command: str) -> Iterable[str]:
    yield f"symtransformer {__version__}"
    if command:
        yield f"command: {command}"
    if isinstance(subject, Verified):
        counts = ", ".join(f"{subject.count(kind)} {kind}" for kind in (PROVED, TESTED, UNDECIDABLE, REFUTED))
        yield f"steps: {len(derivation.steps)}: {counts}"
    else:
        yield f"steps: {len(derivation.steps)}, none verified"


class _Page(PageTables):
    def __init__(self, subject: Any, derivation: Derivation, detail: str, style: Style, follow: Follow | None) -> None:
        self.verified = subject if isinstance(subject, Verified) else None
        super().__init__(derivation, style)
        self.detail = detail
        self.follow = follow
        self.marks: Marks = marks_of(derivation, follow)

    # -- the page -----------------------------------------------------------------------------
    def blocks(self) -> Iterable[Block]:
        yield Heading(self.derivation.title, 1)
        if self._evaluation_of({}) is not None:
            yield Remark("rounded")
        if self.follow is not None:
            label = self._label(self.derivation[self.follow.step].letter, self.follow.axis, self.follow.index)
            yield Remark("followed", (("axis", self.follow.axis), ("number", self.follow.index + 1), ("label", label)))
        for section in self.derivation.sections or (self._whole(),):
            self.evaluation = self._evaluation_of(section.values)
            self._check_labels()
            self._check_follow()
            yield from self._section(section)

    def _check_follow(self) -> None:
        if self.follow is None:
            return
        letter, axis = self.derivation[self.follow.step].letter, self.follow.axis
        size: Any = letter.shape[0 if axis == "row" else 1]
        size = size if self.evaluation is None else size.xreplace(self._sizes())
        if size.is_Integer and self.follow.index >= size:
            raise UnreadableInput(f"following: {letter} has no {axis} {self.follow.index + 1}; the last one is {size}")

    def _whole(self) -> Section:
        names = tuple(step.name for step in self.derivation.steps)
        shown = () if self._evaluation_of({}) is None else tuple(self.inputs)
        return Section(Words("Steps", "計算の流れ"), inputs=shown, steps=names)

    def _section(self, section: Section) -> Iterable[Block]:
        yield Heading(section.title, 2)
        if section.text is not None and self.detail != "results":
            yield Paragraph(section.text)
        chains = [chain for name in section.inputs for chain in self._input(name)]
        if chains:
            yield Equations(tuple(chains), side_by_side=True)
        if section.rows_only and self.detail != "results":
            yield from self._rows_alone([self.derivation[name] for name in section.steps])
        else:
            for name in section.steps:
                yield from self._step(self.derivation[name])
        for name, stops in section.behind:
            yield Equations((self._behind(name, stops),))
        for name in section.percent:
            yield self._percent(name)
        if section.sweep is not None:
            yield self._sweep(section)

    def _input(self, name: str) -> Iterable[Chain]:
        if name not in self.inputs:
            raise UnreadableInput(f"section inputs: {name!r} is not an input; they are {', '.join(self.inputs)}")
        if self.evaluation is None:
            return
        for letter in (member for own in self.inputs[name] for member in self._members(own)):
            grid = self._grid(letter, self.marks.get(name, frozenset()))
            labels = [self._label(letter, "row", i) for i in range(len(grid.cells))]
            labeled = replace(grid, labels=tuple(w for w in labels if w is not None))
            yield Chain(Formula(letter), (("=", labeled),))

    # -- one step -------------------------------------------------------------------------------
    def _step(self, step: Step) -> Iterable[Block]:
        if self.detail == "results":
            yield from self._verdict(step)
            yield Equations((self._value_chain(step),))
            return
        if self.verified is not None and self.verified.verdicts[step.name].kind == REFUTED:
            yield Heading(step.title, 3, step.letter)  # the claim and the verdict; no number stands behind it
            yield from self._verdict(step)
            yield Equations((Chain(Formula(step.letter), (("=", Formula(step.expression)),)),))
            return
        yield Heading(step.title, 3, step.letter)
        yield Paragraph(step.explanation)
        yield from self._verdict(step)
        rows = () if _belongs_to_heads(step) else self._followed_rows(step)
        yield Equations((self._matrix_chain(step), *(self._row_chain(step, k, False) for k in rows)))
        if self.evaluation is None or _belongs_to_heads(step):
            return
        if self.detail == "entries":
            yield Remark("each_entry")
            yield Equations(tuple(self._entries(step)))
        exact = list(self._exact_forms(step))
        if chains := tuple(chain for chain in exact if chain is not None):
            yield Remark("exactly") if len(chains) == len(exact) else Remark("exactly_short")
            yield Equations(chains)

    def _rows_alone(self, steps: list[Step]) -> Iterable[Block]:
        """The followed rows of proved steps; any other step in full, since its verdict belongs to it."""
        plain = [step for step in steps if not list(self._verdict(step)) and not _belongs_to_heads(step)]
        rows = tuple(self._row_chain(step, k, True) for step in plain for k in self._followed_rows(step))
        if plain:
            yield Equations(rows or tuple(self._value_chain(step) for step in plain))
        for step in steps:
            if step not in plain:
                yield from self._step(step)

    def _verdict(self, step: Step) -> Iterable[Block]:
        if self.verified is None:
            yield VerdictBlock("not_verified", None)
        elif (verdict := self.verified.verdicts[step.name]).kind != PROVED:
            yield VerdictBlock(verdict.kind, verdict.words)

    def _followed_rows(self, step: Step) -> list[int]:
        return sorted(k for axis, k in self.marks.get(step.name, frozenset()) if axis == "row")

    def _matrix_chain(self, step: Step) -> Chain:
        rights: list[tuple[str, Term]] = [("=", Formula(step.definition))]
        if step.definition is not step.expression:
            rights.append(("=", Formula(step.expression)))
        if self.evaluation is None:
            return Chain(Formula(step.letter), tuple(rights))
        if _belongs_to_heads(step):  # no number stands for all heads at once
            if step.letter.head is None:
                grid = self._marked_grid(step)
                rights.append((self._sign(grid), grid))
            return Chain(Formula(step.letter), tuple(rights))
        marks = marks_in_step(step.expression, step.name, self.marks)
        filled = self._filled(step.expression, marks)
        grid = self._marked_grid(step)
        sign, wrong = self._result(step.expression, step.letter, _places(grid))
        rights += [(self._sign(filled), filled), (sign, grid)]
        return Chain(Formula(step.letter), tuple(rights), operands_rounded=wrong)

    def _value_chain(self, step: Step) -> Chain:
        """The step and its value, without the numbers put in."""
        without = self.evaluation is None or (step.letter.head is not None and step.letter.head.is_Symbol)
        right: Term = Formula(step.definition) if without else self._marked_grid(step)
        return Chain(Formula(step.letter), ((self._sign(right), right),))

    def _row_chain(self, step: Step, i: int, coarse: bool) -> Chain:
        expression = step.definition if coarse else step.expression
        row = row_of(expression, i)
        left, label = Formula(Row(step.letter, i)), self._label(step.letter, "row", i)
        rights: list[tuple[str, Term]] = [("=", Formula(row))]
        if self.evaluation is None:
            return Chain(left, tuple(rights), followed=True, label=label)
        filled = self._filled(row, {})
        grid = Grid((self._grid(step.letter).cells[i],), frozenset({("row", 0)}))
        if not _is_bare_row(row):
            rights.append((self._sign(filled), filled))
        sign, wrong = self._result(expression, step.letter, [(i, j) for _, j in _places(grid)])
        rights.append((sign, grid))
        return Chain(left, tuple(rights), followed=True, label=label, operands_rounded=wrong)

    def _entries(self, step: Step) -> Iterable[Chain]:
        grid = self._marked_grid(step)
        first = len(entry_arithmetic(substitute(step.expression, self._sizes()), 0, 0).leaves())
        if first * len(grid.cells) * len(grid.cells[0]) > OPERANDS_AT_MOST:
            raise LimitExceeded(
                f"the arithmetic of every entry of {step.letter} has more than {OPERANDS_AT_MOST} operands; "
                "use the detail 'steps'"
            )
        sized, filled = (substitute(step.expression, rule) for rule in (self._sizes(), self._scalars()))
        for i, row in enumerate(grid.cells):
            for j, shown in enumerate(row):
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
        sign, wrong = self._result(step.expression, step.letter, [(i, j)], exact)
        rights.append((sign, shown))
        return Chain(EntryOf(step.letter, i, j), tuple(rights), followed, operands_rounded=wrong)

    def _exact_forms(self, step: Step) -> Iterable[Chain | None]:
        """The exact value of each entry beside its digits, where it is not rational; None where it is long."""
        assert self.evaluation is not None
        value = self._value(step.letter)
        if value is None:
            return
        grid = self._marked_grid(step)
        for i, row in enumerate(grid.cells):
            for j, shown in enumerate(row):
                exact = value[i, j]
                marked = grid.is_marked(i, j)
                if shown.exact or not (marked or self.detail == "entries" or not grid.marks):
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
        filled, grid = self._filled(tree, {}), self._marked_grid(step)
        sign, wrong = self._result(tree, step.letter, _places(grid))
        rights += [(self._sign(filled), filled), (sign, grid)]
        return Chain(Formula(step.letter), tuple(rights), operands_rounded=wrong)


def _belongs_to_heads(step: Step) -> bool:
    """A step of one head of a family, or over all of them, whose number is a letter in the expression."""
    of_one = step.letter.head is not None and step.letter.head.is_Symbol
    return bool(of_one or any(node.bound for node in postorder(step.expression)))


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
