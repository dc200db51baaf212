"""Every value of a derivation by itself: letters with their formulas and entries, sizes and parameters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symtransformer.derivation import Derivation
from symtransformer.errors import UnreadableInput
from symtransformer.judge import Verified
from symtransformer.rendering.compose import comment_of, require_names_apart
from symtransformer.rendering.document import Document, LetterValues, ScalarValue
from symtransformer.rendering.numbers import Shown, Style, show_given
from symtransformer.rendering.page_steps import EXACT_FORM_AT_MOST, PageSteps
from symtransformer.symbols import Letter


def compose_values(
    subject: Derivation | Verified, *, style: Style | None = None, only: tuple[str, ...] = (), command: str = "",
    name: str = "", detail: str = "steps", follow: Any = None, row: int | None = None,
) -> Document:  # fmt: skip
    """The values under a name; what is refuted is left out, and `only` chooses steps."""
    if row is not None:
        raise UnreadableInput("row: macros are made of whole matrices")
    derivation = subject.derivation if isinstance(subject, Verified) else subject
    if unknown := [step for step in only if step not in {s.name for s in derivation.steps}]:
        raise UnreadableInput(f"only: there is no step {unknown[0][:40]!r}")
    require_names_apart(derivation)
    page = _Values(subject, derivation, "steps", style or Style(), None, None)
    comment = (*comment_of(subject, command), f"name: {name or 'derivation'}")
    return Document(derivation.title, tuple(page.blocks(only)), comment, name=name or "derivation")


class _Values(PageSteps):
    def blocks(self, only: tuple[str, ...]) -> Iterable[LetterValues | ScalarValue]:
        self.evaluation = self._evaluation_of({})
        if self.evaluation is not None:
            for symbol, value in sorted(self._scalars().items(), key=lambda pair: str(pair[0])):
                yield ScalarValue(symbol, show_given(value))
        for letter in self.derivation.inputs:
            for member in self._members(letter) if self.evaluation is not None else [letter]:
                yield self._values(member, None)
        for step in self.derivation.steps:
            if (not only or step.name in only) and not self._is_refuted(step):
                yield self._values(step.letter, step.definition)

    def _values(self, letter: Letter, formula: Any) -> LetterValues:
        if self.evaluation is None or (letter.head is not None and not letter.head.is_Integer):
            return LetterValues(letter, formula, None, ())
        grid = self._grid(letter)
        exact = tuple(
            tuple(self._exact(letter, i, j, shown) for j, shown in enumerate(row)) for i, row in enumerate(grid.cells)
        )
        return LetterValues(letter, formula, grid, exact)

    def _exact(self, letter: Letter, i: int, j: int, shown: Shown) -> Shown | None:
        """The exact form, if it is short enough to be read."""
        if shown.exact:
            return shown
        number = self._number(letter, i, j)
        if number is None or number.count_ops() > EXACT_FORM_AT_MOST:
            return None
        return Shown("", True, None, number)
