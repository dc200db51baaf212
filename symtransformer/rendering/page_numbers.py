"""The numbers of a page: of inputs, steps and heads, as they are shown, and the sign before a result."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import count
from typing import Any
from weakref import WeakKeyDictionary

from sympy import Expr, ImmutableDenseMatrix

from symtransformer.derivation import Derivation, Step
from symtransformer.enclosures import BITS, ball, precision
from symtransformer.errors import UnreadableInput
from symtransformer.evaluation import Evaluation
from symtransformer.node import Node, postorder, substitute
from symtransformer.notation import Words
from symtransformer.operations.rows import Row
from symtransformer.rendering.arithmetic import Arithmetic
from symtransformer.rendering.document import Filled, Grid, Mark, Term
from symtransformer.rendering.following import Marks
from symtransformer.rendering.numbers import BLANK, Shown, Source, Style, show, show_exact, show_given
from symtransformer.rendering.recomputing import as_shown, gives, recomputed
from symtransformer.rendering.rounded_steps import RoundedSteps
from symtransformer.symbols import Letter
from symtransformer.zero import is_exactly_zero

_KNOWN: WeakKeyDictionary[Evaluation, dict[Any, Any]] = WeakKeyDictionary()
_SCOPES = count()


class PageNumbers:
    """What a page knows of its numbers, under the values of the section at hand."""

    marks: Marks

    def __init__(self, derivation: Derivation, style: Style) -> None:
        self.derivation, self.style = derivation, style
        self.evaluation: Evaluation | None = None
        self.scopes: dict[int, Evaluation] = {}
        self.inputs: dict[str, list[Letter]] = {}
        for letter in derivation.inputs:  # the heads of a family share one name
            self.inputs.setdefault(letter.name, []).append(letter)
        self.row: int | None = None  # the only row to show, counted from 0
        self.blank = False  # whether every number that is no input is left out

    def _letter(self, name: str) -> Letter:
        return self.inputs[name][0] if name in self.inputs else self.derivation[name].letter

    def _sizes(self) -> dict[Any, Any]:
        assert self.evaluation is not None
        return self.evaluation.given.sizes

    def _value(self, letter: Letter) -> Any:
        """The exact value of an input, which may be one head of a family, or of a step."""
        return self._remembered(("value", letter.name, letter.head), lambda: self._found_value(letter))

    def _found_value(self, letter: Letter) -> Any:
        assert self.evaluation is not None
        of_name = self.inputs.get(letter.name)
        if of_name is None:
            return self.evaluation.true_value(letter.name)
        # asked for by name and head, since sizes may have become numbers
        own = next((other for other in of_name if other.head == letter.head), of_name[0].of_head(letter.head))
        return ImmutableDenseMatrix(self.evaluation.given.rows(own))

    def _remembered(self, key: Any, found: Callable[[], Any]) -> Any:
        """What was once found for these values: pages in other formats and languages show the same numbers."""
        assert self.evaluation is not None
        known = _KNOWN.setdefault(self.evaluation, {})
        if key not in known:
            known[key] = found()
        return known[key]

    def _shape(self, letter: Letter) -> tuple[int, int]:
        assert self.evaluation is not None
        matrix = self._value(letter)
        rows, cols = self.evaluation.cells(letter.name).shape if matrix is None else matrix.shape
        return int(rows), int(cols)

    def _scalars(self) -> dict[Any, Any]:
        """Sizes and parameters, as numbers."""
        assert self.evaluation is not None
        return self.evaluation.given.scalars

    def _members(self, letter: Letter) -> list[Letter]:
        """The heads of a family that has a value for each; otherwise the letter itself."""
        assert self.evaluation is not None
        if letter.head is None or not letter.head.is_Symbol:
            return [letter]
        count = len(self.evaluation.given.heads(letter))
        return [letter.of_head(k) for k in range(count)] or [letter]

    def _shown(self, letter: Letter, i: int, j: int, percent: bool = False, places: int | None = None) -> Shown:
        assert self.evaluation is not None
        if self.blank and letter.name not in self.inputs:
            return BLANK
        key = ("shown", letter.name, letter.head, i, j, percent, places, self.style)
        given = letter.name in self.inputs
        source = Source(self._scope(), letter.name, letter.head, i, j, percent, places, given and not percent)
        return self._remembered(  # type: ignore[no-any-return]
            key, lambda: replace(self._found_shown(letter, i, j, percent, places), source=source)
        )

    def _scope(self) -> int:
        """A number for the values at hand; the document says which they are."""
        assert self.evaluation is not None
        number: int = self._remembered("scope", lambda: next(_SCOPES))
        self.scopes[number] = self.evaluation
        return number

    def _found_shown(self, letter: Letter, i: int, j: int, percent: bool, places: int | None) -> Shown:
        assert self.evaluation is not None
        matrix = self._value(letter)
        if letter.name in self.inputs:
            return show_exact(matrix[i, j], self.style, True, places) if percent else show_given(matrix[i, j])
        if self.style.round_steps is not None:
            number = self._rounded_steps().rows(letter)[i][j]
            true = matrix is not None and self._is_unrounded(number, matrix[i, j])
            return show_exact(number, self.style, percent, places, true)
        if matrix is None:  # too long to be written out: balls alone, and never called exact
            return show(None, self.evaluation.cells(letter.name).ball_at(i, j), self.style, percent, places)
        if self._remembered(("open", letter.name, letter.head), lambda: bool(matrix.free_symbols)):
            # a letter without a value: balls of this entry's own formula
            return show_exact(matrix[i, j], self.style, percent, places)
        return show(matrix[i, j], self.evaluation.cells(letter.name).ball_at(i, j), self.style, percent, places)

    @staticmethod
    def _is_unrounded(number: Expr, true: Expr) -> bool:
        """Whether a number of rounded steps is the true one all the same; by balls first, which are quick."""
        if number == true:
            return True
        if number.free_symbols or true.free_symbols or number.is_infinite or true.is_infinite:
            return bool((number - true).expand() == 0)
        with precision(BITS[1]):
            if not (ball(true) - ball(number)).contains(0):
                return False
        return is_exactly_zero(number - true) is True

    def _rounded_steps(self) -> RoundedSteps:
        """The steps of the values at hand, each computed from rounded ones."""
        evaluation = self.evaluation
        assert evaluation is not None
        return self._remembered(("rounded", self.style), lambda: RoundedSteps(evaluation, self.style))  # type: ignore[no-any-return]

    def _number(self, letter: Letter, i: int, j: int) -> Expr | None:
        """The exact number behind what is shown; None where it is too long."""
        if self.style.round_steps is not None and letter.name not in self.inputs:
            return self._rounded_steps().rows(letter)[i][j]  # type: ignore[no-any-return]
        return self._unrounded(letter, i, j)

    def _unrounded(self, letter: Letter, i: int, j: int) -> Expr | None:
        """The true number, however the page rounds its steps; None where it is too long, and finite."""
        assert self.evaluation is not None
        matrix = self._value(letter)
        if matrix is not None:
            return matrix[i, j]  # type: ignore[no-any-return]
        found = self.evaluation.cells(letter.name).ball_at(i, j)(BITS[0])
        return found if isinstance(found, Expr) else None

    def _rows_shown(self, count: int) -> list[int]:
        """All rows, or the one that was asked for."""
        return list(range(count)) if self.row is None else [self.row] * (self.row < count)

    def _grid(self, letter: Letter, marks: frozenset[Mark] = frozenset()) -> Grid:
        rows, cols = self._shape(letter)
        return Grid(tuple(tuple(self._shown(letter, i, j) for j in range(cols)) for i in range(rows)), marks)

    def _marked_grid(self, step: Step) -> Grid:
        return self._grid(step.letter, self.marks.get(step.name, frozenset()))

    def _filled(self, tree: Node, marks: Marks) -> Filled:
        grids: dict[tuple[str, Any, int | None], Grid] = {}
        for node in postorder(tree):
            for child in node._children or (node,):
                if not isinstance(child, Letter):
                    continue
                if isinstance(node, Row):
                    index = int(node.args[1].xreplace(self._scalars()))
                    cells = self._grid(child).cells
                    of_row = grids[(child.name, child.head, index)] = Grid((cells[index],))
                    if len(cells) == 1:  # with its sizes put in, its only row is the matrix itself
                        grids[(child.name, child.head, None)] = of_row
                elif node is not child or node is tree:
                    grids[(child.name, child.head, None)] = self._grid(child, marks.get(child.name, frozenset()))
        return Filled(substitute(tree, self._scalars()), tuple(grids.items()))

    def _sign(self, term: Term) -> str:
        """= where everything shown is exact."""
        if isinstance(term, Grid):
            return "=" if term.exact else "≈"
        if isinstance(term, Filled):
            return "=" if all(grid.exact for _, grid in term.grids) else "≈"
        return "="

    def _operands(self, tree: Arithmetic) -> dict[tuple[str, Any, int, int], Shown]:
        found = {}
        for leaf in tree.leaves():
            if leaf.kind == "entry":
                letter, i, j = leaf.parts
                found[(letter.name, letter.head, i, j)] = self._shown(letter, i, j)
        return found

    def _result(
        self, tree: Node, letter: Letter, places: Iterable[tuple[int, int]], exact: bool | None = None
    ) -> tuple[str, bool]:
        """The sign before a result, and whether the shown operands do not give it.

        = where the result is exact and the operands, as they are shown, give exactly that:
        0.7071 - ∞ is −∞, and 0 / 2.0281 is 0, whatever was rounded.
        """
        if exact is None:
            exact = all(self._grid(node).exact for node in postorder(tree) if isinstance(node, Letter))
        sign, wrong = "=", False
        for i, j in places:
            shown = self._shown(letter, i, j)
            if exact:
                sign = sign if shown.exact else "≈"
                continue
            again = self._again(tree, i, j)
            sign = sign if shown.exact and again == as_shown(shown) else "≈"
            wrong = wrong or (shown.value is not None and not gives(again, shown, self.style))
        return sign, wrong

    def _again(self, tree: Node, i: int, j: int) -> Expr | None:
        """Entry (i, j) of an expression, computed from its operands as they are shown."""
        assert self.evaluation is not None
        scalars = self.evaluation.given.scalars
        rows = self._remembered(("again", tree, self.style), lambda: recomputed(tree, self._rows_as_shown, scalars))
        return None if rows is None else rows[i][j]

    def _rows_as_shown(self, letter: Letter) -> list[list[Expr]]:
        return [[as_shown(shown) for shown in row] for row in self._grid(letter).cells]

    def _check_labels(self) -> None:
        """As many labels as there are rows."""
        if self.evaluation is None:
            return
        for axis, words in self.derivation.labels:
            sizes = {str(size): number for size, number in self._sizes().items()}
            count = int(sizes.get(axis, int(axis) if axis.isdigit() else len(words)))
            if count != len(words):
                raise UnreadableInput(f"labels: {len(words)} for {axis}, which is {count} here")

    def _label(self, letter: Letter, axis: str, index: int) -> Words | None:
        return self.derivation.label_of(str(letter.shape[0 if axis == "row" else 1]), index)
