"""A derivation as a neutral document: what is shown, in which order, at which level of detail."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sympy import Expr, S

from symtransformer import __version__
from symtransformer.derivation import Derivation, Follow, Section, Step, row_of
from symtransformer.errors import UnreadableInput
from symtransformer.evaluation import Evaluation
from symtransformer.judge import PROVED, REFUTED, TESTED, UNDECIDABLE, Verified
from symtransformer.node import Node, postorder, substitute
from symtransformer.notation import Words
from symtransformer.operations import Row
from symtransformer.rendering.arithmetic import Arithmetic, entry_arithmetic, value_of
from symtransformer.rendering.document import (
    Block, Chain, Document, EntryFormula, EntryOf, Equations, Filled, Formula, Grid, Heading, Mark, Paragraph,
    Remark, Table, Term, VerdictBlock,
)  # fmt: skip
from symtransformer.rendering.following import Marks, marks_in_step, marks_of
from symtransformer.rendering.numbers import Shown, Style, show, show_exact, show_given
from symtransformer.symbols import Letter

DETAILS = ("results", "steps", "entries")
EXACT_FORM_AT_MOST = 24  # operations; a longer exact form is not shown beside the digits


def compose(
    subject: Derivation | Verified, *, detail: str = "steps", style: Style | None = None,
    follow: Follow | bool | None = None, command: str = "",
) -> Document:  # fmt: skip
    """The document of a derivation; what is not verified is marked as such at its step."""
    if detail not in DETAILS:
        raise UnreadableInput(f"detail: expected {', '.join(DETAILS)}, got {detail[:40]!r}")
    derivation = subject.derivation if isinstance(subject, Verified) else subject
    chosen = derivation.follow if follow is None else follow or None
    page = _Page(subject, derivation, detail, style or Style(), chosen)
    return Document(derivation.title, tuple(page.blocks()), tuple(_comment(subject, derivation, command)))


def _comment(subject: Derivation | Verified, derivation: Derivation, command: str) -> Iterable[str]:
    yield f"symtransformer {__version__}"
    if command:
        yield f"command: {command}"
    if isinstance(subject, Verified):
        counts = ", ".join(f"{subject.count(kind)} {kind}" for kind in (PROVED, TESTED, UNDECIDABLE, REFUTED))
        yield f"steps: {len(derivation.steps)}: {counts}"
    else:
        yield f"steps: {len(derivation.steps)}, none verified"


class _Page:
    def __init__(self, subject: Any, derivation: Derivation, detail: str, style: Style, follow: Follow | None) -> None:
        self.verified = subject if isinstance(subject, Verified) else None
        self.derivation, self.detail, self.style = derivation, detail, style
        self.follow = follow
        self.marks: Marks = marks_of(derivation, follow)
        self.evaluation: Evaluation | None = None
        self.inputs = {letter.name: letter for letter in derivation.inputs}

    # -- the page -----------------------------------------------------------------------------
    def blocks(self) -> Iterable[Block]:
        yield Heading(self.derivation.title, 1)
        if self.derivation.values:
            yield Remark("rounded")
        if self.follow is not None:
            label = self._label(self.derivation[self.follow.step].letter, self.follow.axis, self.follow.index)
            yield Remark("followed", (("axis", self.follow.axis), ("number", self.follow.index + 1), ("label", label)))
        for section in self.derivation.sections or (self._whole(),):
            self.evaluation = self._evaluation_of(section)
            yield from self._section(section)

    def _whole(self) -> Section:
        names = tuple(step.name for step in self.derivation.steps)
        shown = tuple(self.inputs) if self.derivation.values else ()
        return Section(Words("Steps", "計算の流れ"), inputs=shown, steps=names)

    def _evaluation_of(self, section: Section) -> Evaluation | None:
        if self.verified is not None:
            return self.verified.evaluation_of(section.values)
        given = {**dict(self.derivation.values), **section.values}
        return Evaluation(self.derivation, given) if given else None

    def _section(self, section: Section) -> Iterable[Block]:
        yield Heading(section.title, 2)
        if section.text is not None and self.detail != "results":
            yield Paragraph(section.text)
        chains = [chain for name in section.inputs if (chain := self._input(name))]
        if chains:
            yield Equations(tuple(chains), side_by_side=True)
        if section.rows_only and self.detail != "results":
            steps = [self.derivation[name] for name in section.steps]
            yield Equations(tuple(self._row_chain(s, k, True) for s in steps for k in self._followed_rows(s)))
        else:
            for name in section.steps:
                yield from self._step(self.derivation[name])
        for name, stops in section.behind:
            yield Equations((self._behind(name, stops),))
        for name in section.percent:
            yield self._percent(name)
        if section.sweep is not None:
            yield self._sweep(section)

    def _input(self, name: str) -> Chain | None:
        if name not in self.inputs:
            raise UnreadableInput(f"section inputs: {name!r} is not an input; they are {', '.join(self.inputs)}")
        if self.evaluation is None:
            return None
        letter = self.inputs[name]
        grid = self._grid(name, self.marks.get(name, frozenset()))
        labels = [self._label(letter, "row", i) for i in range(len(grid.cells))]
        return Chain(Formula(letter), (("=", replace(grid, labels=tuple(w for w in labels if w is not None))),))

    # -- one step -------------------------------------------------------------------------------
    def _step(self, step: Step) -> Iterable[Block]:
        if self.detail == "results":
            yield from self._verdict(step)
            right: Term = Formula(step.definition) if self.evaluation is None else self._marked_grid(step)
            yield Equations((Chain(Formula(step.letter), ((self._sign(right), right),)),))
            return
        yield Heading(step.title, 3, step.letter)
        yield Paragraph(step.explanation)
        yield from self._verdict(step)
        rows = tuple(self._row_chain(step, k, False) for k in self._followed_rows(step))
        yield Equations((self._matrix_chain(step), *rows))
        if self.evaluation is None:
            return
        if self.detail == "entries":
            yield Remark("each_entry")
            yield Equations(tuple(self._entries(step)))
        exact = tuple(self._exact_forms(step))
        if exact:
            yield Remark("exactly")
            yield Equations(exact)

    def _verdict(self, step: Step) -> Iterable[Block]:
        if self.verified is None:
            yield VerdictBlock("not_verified", "")
        elif (verdict := self.verified.verdicts[step.name]).kind != PROVED:
            yield VerdictBlock(verdict.kind, verdict.reason)

    def _followed_rows(self, step: Step) -> list[int]:
        return sorted(k for axis, k in self.marks.get(step.name, frozenset()) if axis == "row")

    def _matrix_chain(self, step: Step) -> Chain:
        rights: list[tuple[str, Term]] = [("=", Formula(step.definition))]
        if step.definition is not step.expression:
            rights.append(("=", Formula(step.expression)))
        if self.evaluation is None:
            return Chain(Formula(step.letter), tuple(rights))
        marks = marks_in_step(step.expression, step.name, self.marks)
        filled = self._filled(step.expression, marks)
        grid = self._marked_grid(step)
        rights += [(self._sign(filled), filled), (self._sign(grid, filled), grid)]
        wrong = any(self._differs(step, i, j) for i in range(len(grid.cells)) for j in range(len(grid.cells[0])))
        return Chain(Formula(step.letter), tuple(rights), operands_rounded=wrong)

    def _row_chain(self, step: Step, i: int, coarse: bool) -> Chain:
        expression = step.definition if coarse else step.expression
        row = row_of(expression, i)
        left, label = Formula(Row(step.letter, i)), self._label(step.letter, "row", i)
        rights: list[tuple[str, Term]] = [("=", Formula(row))]
        if self.evaluation is None:
            return Chain(left, tuple(rights), followed=True, label=label)
        filled = self._filled(row, {})
        grid = Grid((self._grid(step.name).cells[i],), frozenset({("row", 0)}))
        if not _is_bare_row(row):
            rights.append((self._sign(filled), filled))
        rights.append((self._sign(grid, filled), grid))
        wrong = any(self._differs(step, i, j) for j in range(len(grid.cells[0])))
        return Chain(left, tuple(rights), followed=True, label=label, operands_rounded=wrong)

    def _entries(self, step: Step) -> Iterable[Chain]:
        grid = self._marked_grid(step)
        sized = substitute(step.expression, self._sizes())
        for i, row in enumerate(grid.cells):
            for j, shown in enumerate(row):
                tree = entry_arithmetic(sized, i, j)
                yield self._entry_chain(step, i, j, tree, shown, grid.is_marked(i, j))

    def _entry_chain(self, step: Step, i: int, j: int, tree: Arithmetic, shown: Shown, followed: bool) -> Chain:
        operands = self._operands(tree)
        filled = EntryFormula(tree, tuple(operands.items()))
        exact = all(s.exact for s in operands.values())
        rights: list[tuple[str, Term]] = [("=", EntryFormula(tree))]
        if tree.kind != "entry":
            rights.append(("=" if exact else "≈", filled))
            worked = _products_worked_out(tree, operands) if exact else None
            if worked is not None:
                rights.append(("=", worked))
        rights.append(("=" if exact and shown.exact else "≈", shown))
        return Chain(EntryOf(step.letter, i, j), tuple(rights), followed, operands_rounded=self._differs(step, i, j))

    def _exact_forms(self, step: Step) -> Iterable[Chain]:
        """The exact value of each entry beside its digits, where it is short and not rational."""
        assert self.evaluation is not None
        value = self.evaluation[step.name]
        grid = self._marked_grid(step)
        for i, row in enumerate(grid.cells):
            for j, shown in enumerate(row):
                exact = value[i, j]
                marked = grid.is_marked(i, j)
                if shown.exact or exact.count_ops() > EXACT_FORM_AT_MOST or not (marked or self.detail == "entries" or not grid.marks):
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
        rights += [(self._sign(filled), filled), (self._sign(grid, filled), grid)]
        return Chain(Formula(step.letter), tuple(rights))

    # -- tables ------------------------------------------------------------------------------------
    def _percent(self, name: str) -> Table:
        letter = self.derivation[name].letter
        rows = tuple(
            tuple(self._shown(name, i, j, percent=True) for j in range(len(cells)))
            for i, cells in enumerate(self._grid(name).cells)
        )
        heads = tuple(self._label(letter, "column", j) or str(j + 1) for j in range(len(rows[0])))
        labels = tuple(self._label(letter, "row", i) or Words(str(i + 1), str(i + 1)) for i in range(len(rows)))
        return Table(("", *heads), labels, rows, Remark("percent", (("name", letter),)), self.marks.get(name, frozenset()))

    def _sweep(self, section: Section) -> Table:
        sweep = section.sweep
        assert sweep is not None
        rows = []
        for value in sweep.at:
            values = {**section.values, sweep.parameter: value}
            if self.verified is not None:
                self.evaluation = self.verified.evaluation_of(values)
            else:
                self.evaluation = Evaluation(self.derivation, {**dict(self.derivation.values), **values})
            cells = [self._shown(c.step, c.i, c.j, c.percent, c.places) for c in sweep.columns]
            rows.append((show_given(S(value)), *cells))
        heads = tuple(EntryOf(self._letter(c.step), c.i, c.j) for c in sweep.columns)
        return Table((sweep.parameter, *heads), (), tuple(rows), Remark("sweep", (("name", sweep.parameter),)))

    # -- numbers -------------------------------------------------------------------------------------
    def _letter(self, name: str) -> Letter:
        return self.inputs[name] if name in self.inputs else self.derivation[name].letter

    def _sizes(self) -> dict[Any, Any]:
        assert self.evaluation is not None
        return self.evaluation.given.sizes

    def _shown(self, name: str, i: int, j: int, percent: bool = False, places: int | None = None) -> Shown:
        assert self.evaluation is not None
        value = self.evaluation[name][i, j]
        if name in self.inputs:
            return show_given(value)
        if self.evaluation[name].free_symbols:  # a letter without a value: balls of this entry's own formula
            return show_exact(value, self.style, percent, places)
        return show(value, self.evaluation.cells(name).ball_at(i, j), self.style, percent, places)

    def _grid(self, name: str, marks: frozenset[Mark] = frozenset()) -> Grid:
        assert self.evaluation is not None
        rows, cols = self.evaluation[name].shape
        return Grid(tuple(tuple(self._shown(name, i, j) for j in range(cols)) for i in range(rows)), marks)

    def _marked_grid(self, step: Step) -> Grid:
        return self._grid(step.name, self.marks.get(step.name, frozenset()))

    def _filled(self, tree: Node, marks: Marks) -> Filled:
        grids: dict[tuple[str, int | None], Grid] = {}
        for node in postorder(tree):
            for child in node._children or (node,):
                if not isinstance(child, Letter):
                    continue
                if isinstance(node, Row):
                    index = int(node.args[1])
                    grids[(child.name, index)] = Grid((self._grid(child.name).cells[index],))
                elif node is not child or node is tree:
                    grids[(child.name, None)] = self._grid(child.name, marks.get(child.name, frozenset()))
        return Filled(substitute(tree, self._sizes()), tuple(grids.items()))

    def _sign(self, term: Term, operands: Filled | None = None) -> str:
        """= where everything shown is exact."""
        if isinstance(term, Grid):
            return "=" if term.exact and (operands is None or self._sign(operands) == "=") else "≈"
        if isinstance(term, Filled):
            return "=" if all(grid.exact for _, grid in term.grids) else "≈"
        return "="

    def _operands(self, tree: Arithmetic) -> dict[tuple[str, int, int], Shown]:
        found = {}
        for leaf in tree.leaves():
            if leaf.kind == "entry":
                letter, i, j = leaf.parts
                found[(letter.name, i, j)] = self._shown(letter.name, i, j)
        return found

    def _differs(self, step: Step, i: int, j: int) -> bool:
        """Whether the shown operands of an entry do not give its shown result."""
        shown = self._shown(step.name, i, j)
        if shown.value is None or shown.formula is not None:
            return False
        tree = entry_arithmetic(substitute(step.expression, self._sizes()), i, j)
        operands = self._operands(tree)
        if all(s.exact for s in operands.values()):
            return False
        value = value_of(tree, lambda letter, a, b: _as_shown(operands[(letter.name, a, b)]))
        return show_exact(value, self.style).text != shown.text

    def _label(self, letter: Letter, axis: str, index: int) -> Words | None:
        return self.derivation.label_of(str(letter.shape[0 if axis == "row" else 1]), index)


def _as_shown(shown: Shown) -> Expr:
    return shown.formula if shown.formula is not None else shown.value  # type: ignore[return-value]


def _is_bare_row(row: Node) -> bool:
    return isinstance(row, Row) and isinstance(row.args[0], Letter)


def _products_worked_out(tree: Arithmetic, operands: dict[tuple[str, int, int], Shown]) -> EntryFormula | None:
    """1 + 0 + 3 - 4 for 1 x 1 + 2 x 0 + 3 x 1 + 4 x (-1)."""
    if tree.kind != "sum" or len(tree.parts) < 3 or not any(part.kind == "product" for part in tree.parts):
        return None
    parts = []
    for part in tree.parts:
        value = value_of(part, lambda letter, a, b: _as_shown(operands[(letter.name, a, b)]))
        parts.append(Arithmetic("shown", (show_given(value),)))
    return EntryFormula(Arithmetic("sum", tuple(parts)), ())

