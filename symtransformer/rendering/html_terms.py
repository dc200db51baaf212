"""Words and formulas as HTML: a formula is LaTeX that a browser sets, with the text notation until it does."""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Callable
from typing import Any
from unicodedata import lookup

from markupsafe import Markup

from symtransformer.chosen_notation import USUAL, Notation
from symtransformer.notation import Words
from symtransformer.rendering.document import Cell, EntryOf, Remark, Term
from symtransformer.rendering.html_assets import macro
from symtransformer.rendering.latex_terms import LatexTerms
from symtransformer.rendering.numbers import BLANK, NOTHING
from symtransformer.rendering.printer import Printer
from symtransformer.rendering.text import TextPrinter
from symtransformer.rendering.visible import visible
from symtransformer.scalars import GREEK
from symtransformer.symbols import Letter
from symtransformer.writing import written

_SIGNS = {"=": "=", "≈": r"\approx"}
_GREEK = {
    lookup(f"GREEK {'CAPITAL' if name[0].isupper() else 'SMALL'} LETTER {name.replace('ambda', 'amda')}"): name
    for name in GREEK
}
_ALONE = re.compile(
    rf"(?<![\u0370-\u03ff\u1f00-\u1fff])[{''.join(_GREEK)}](?![\u0370-\u03ff\u1f00-\u1fff_])"
)  # no word of Greek


class _Formulas(TextPrinter):
    """Words as text, the formulas in them noted one by one."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.noted: list[str] = []

    def inline(self, math: str) -> str:
        self.noted.append(math)
        return math


class HtmlTerms(LatexTerms, ABC):
    """Words, formulas and what stands in cells."""

    def __init__(
        self, language: str, letters: dict[str, Letter], heads: frozenset[Any] = frozenset(),
        notation: Notation = USUAL,
    ) -> None:  # fmt: skip
        super().__init__(language, letters, heads, notation)
        self.twin = _Formulas(language, letters, heads, notation)
        self.places: list[str] | None = None  # of the formulas in words that are being written

    # -- words --------------------------------------------------------------------------------
    def escape(self, text: str) -> str:
        return str(Markup.escape(visible(text)))

    def in_math(self, text: str) -> str:
        """As KaTeX reads it, which knows no command for a grave accent that stands alone."""
        return super().in_math(text).replace(r"\textasciigrave{}", r"$\grave{\,}$")

    def math(self, tex: str, text: str, display: bool = False, key: str = "") -> Markup:
        """A formula, and what stands there without JavaScript."""
        return macro("math", tex, text, display, key)

    def inline(self, math: str) -> str:
        assert self.places is not None
        return str(self.math(math, self.places.pop(0)))

    def _worded(self, write: Callable[..., str], argument: Any) -> Markup:
        """Words with formulas in them: the text of each formula is what the printer of text writes in its place."""
        self.twin.noted = []
        write(self.twin, argument)
        before, self.places = self.places, list(self.twin.noted)
        text = Markup(write(self, argument))
        assert not self.places
        self.places = before
        return text

    def with_letters(self, text: str) -> str:
        text = _ALONE.sub(lambda found: f"{{{_GREEK[found[0]]}}}", text)
        return self._worded(Printer.with_letters, text) if self.places is None else super().with_letters(text)

    def remark(self, remark: Remark) -> str:
        return self._worded(Printer.remark, remark)

    def head(self, head: Any) -> str:
        return self._worded(Printer.head, head)

    # -- formulas and cells ----------------------------------------------------------------------
    def letter_of(self, letter: Letter) -> Markup:
        return self.math(written(letter, self.dialect), written(letter, self.twin.dialect))

    def signed(self, sign: str, tex: str, term: Term) -> Markup:
        text = self.twin.term(term).replace("\n", " ")
        return self.math(f"{_SIGNS[sign]} {tex}", f"{sign} {text}", True)

    def in_cell(self, cell: Cell) -> Markup | str:
        if cell is None:
            return ""
        if cell is BLANK:
            return self.blank()
        if isinstance(cell, Words):
            return visible(self.words(cell))
        if isinstance(cell, Letter):
            return self.letter_of(cell)
        if isinstance(cell, EntryOf):
            return self.of_term(cell)
        plain = cell.formula is None and cell.power is None
        return with_minus(self.twin.number(cell)) if plain or cell is NOTHING else self.of_term(cell)

    def of_term(self, term: Term) -> Markup:
        return self.math(self.term(term), self.twin.term(term))

    def blank(self) -> Markup:
        return macro("blank", self.sentence("html_blank"))


def with_minus(text: str) -> str:
    return text.replace("-", "−", 1) if text.startswith("-") else text
