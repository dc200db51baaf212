"""The tables of a page: weights in percent, and values as a parameter changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symtransformer.derivation import Column, Section
from symtransformer.errors import UnreadableInput
from symtransformer.evaluation import Evaluation
from symtransformer.judge import Verified
from symtransformer.node import Node
from symtransformer.notation import Words
from symtransformer.operations.mask import Mask
from symtransformer.operations.product import Product
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.transpose import Transpose
from symtransformer.rendering.document import (
    EntryOf,
    Mark,
    Remark,
    Table,
)  # fmt: skip
from symtransformer.rendering.numbers import Shown, show_given
from symtransformer.rendering.page_numbers import PageNumbers
from symtransformer.symbols import Letter, exact_number


class PageTables(PageNumbers):
    """Tables, and the numbers of a section that has values of its own."""

    verified: Verified | None

    def _evaluation_of(self, values: Mapping[Any, Any]) -> Evaluation | None:
        """The numbers of the derivation with these in place of its own: judged ones, where it was verified."""
        if self.verified is not None:
            return self.verified.evaluation_of(values)
        given = {**dict(self.derivation.values), **values}
        return Evaluation(self.derivation, given) if given else None

    def _percent(self, name: str) -> Table:
        letter = self._letter(name)
        caption = Remark("percent_weights", (("name", letter),))
        if not weighs_keys(self._stands_for(name)):
            caption = Remark("percent", (("name", letter),))
        rows = tuple(
            tuple(self._shown(letter, i, j, percent=True) for j in range(self._shape(letter)[1]))
            for i in self._rows_shown(self._shape(letter)[0])
        )
        return Table(*self._heads_of_table(letter), rows, caption, self._marks_of_rows(name))

    def _marks_of_rows(self, name: str) -> frozenset[Mark]:
        """The marks of a table: with one row, that row is its first."""
        marks = self.marks.get(name, frozenset())
        if self.row is None:
            return marks
        return frozenset((axis, 0 if axis == "row" else k) for axis, k in marks if axis == "column" or k == self.row)

    def _heads_and_labels(self, letter: Letter) -> tuple[tuple[Any, ...], tuple[Words, ...]]:
        """Labels of tokens, or numbers, at the top and on the left of a table of all entries."""
        rows, cols = self._shape(letter)
        heads = tuple(self._label(letter, "column", j) or str(j + 1) for j in range(cols))
        labels = (self._label(letter, "row", i) or Words(str(i + 1), str(i + 1)) for i in self._rows_shown(rows))
        return ("", *heads), tuple(labels)

    def _heads_of_table(self, letter: Letter) -> tuple[tuple[Any, ...], tuple[Words, ...]]:
        """The same, without the number 1 of a row that is the only one."""
        heads, labels = self._heads_and_labels(letter)
        alone = self._shape(letter)[0] == 1 and self._label(letter, "row", 0) is None
        return (heads[1:], ()) if alone else (heads, labels)

    def _stands_for(self, name: str) -> Node:
        return self.inputs[name][0] if name in self.inputs else self.derivation[name].stands_for

    def _swept(self, column: Column) -> Shown:
        letter = self._letter(column.step)
        rows, cols = self._shape(letter)
        if not (0 <= column.i < rows and 0 <= column.j < cols):
            raise UnreadableInput(
                f"a table: {column.step} has no entry ({column.i}, {column.j}), counted from 0; it is {rows} x {cols}"
            )
        return self._shown(letter, column.i, column.j, column.percent, column.places)

    def _sweep(self, section: Section) -> Table:
        sweep = section.sweep
        assert sweep is not None
        rows = []
        for value in sweep.at:
            values = {**section.values, sweep.parameter: value}
            self.evaluation = self._evaluation_of(values)
            cells = [self._swept(column) for column in sweep.columns]
            rows.append((show_given(exact_number(value, f"a value of {sweep.parameter}")), *cells))
        heads = tuple(EntryOf(self._letter(c.step), c.i, c.j) for c in sweep.columns)
        return Table((sweep.parameter, *heads), (), tuple(rows), Remark("sweep", (("name", sweep.parameter),)))


def weighs_keys(node: Node) -> bool:
    """softmax of (masked) scores Q Kᵀ / √d: its rows belong to queries, its columns to keys."""
    if not isinstance(node, Softmax):
        return False
    scores = node._children[0]
    scores = scores._children[0] if isinstance(scores, Mask) else scores
    scores = scores._children[0] if isinstance(scores, Scaling) else scores
    return isinstance(scores, Product) and isinstance(scores._children[1], Transpose)
