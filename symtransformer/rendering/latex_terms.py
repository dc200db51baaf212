"""The mathematics of a neutral document as LaTeX: what a LaTeX page, Markdown and HTML write alike."""

from __future__ import annotations

import re
from typing import ClassVar

from symtransformer.dialects import LATEX
from symtransformer.notation import ATOM, Piece
from symtransformer.rendering.document import Grid
from symtransformer.rendering.latex_text import displayed, escape, readable
from symtransformer.rendering.numbers import BLANK, NOTHING, Shown
from symtransformer.rendering.printer import Printer


class LatexTerms(Printer):
    """Terms as LaTeX; a target says what its own marks are."""

    dialect = LATEX
    followed_mark: ClassVar[str] = r"\followed "  # in front of what is followed

    def escape(self, text: str) -> str:
        return escape(text)

    def inline(self, math: str) -> str:
        return f"${math}$"

    def in_math(self, text: str) -> str:
        return rf"\text{{{escape(text)}}}"

    def grid(self, grid: Grid) -> str:
        cells = [
            [self.marked(shown, grid.is_marked(i, j)) for j, shown in enumerate(row)]
            for i, row in enumerate(grid.cells)
        ]
        tall = any(r"\frac" in cell for row in cells for cell in row)
        text = self.dialect.matrix([[displayed(cell) for cell in row] for row in cells])
        apart = r" \\[2ex] " if tall else r" \\[1ex] " if grid.cells[0][0] is BLANK else self.dialect.row_separator
        text = text.replace(self.dialect.row_separator, apart)
        if grid.labels:
            words = apart.join(self.in_math(self.words(label)) for label in grid.labels)
            text += rf"\begin{{array}}{{l}}{words}\end{{array}}"
        return text

    def marked(self, shown: Shown, followed: bool) -> str:
        text = self.number(shown)
        return (
            rf"{self.followed_mark}\mathbf{{{text}}}"
            if followed and shown.formula is None
            else rf"{self.followed_mark}{text}"
            if followed
            else text
        )

    def unmarked(self, text: str) -> str:
        return re.sub(r"\\followed |\\mathbf\{([^{}]*(?:\{,\}[^{}]*)*)\}", r"\1", text)

    def number(self, shown: Shown) -> str:
        if shown is BLANK:
            return r"\blank"
        if shown is NOTHING:
            return r"\text{--}"
        if shown.formula is not None:
            return readable(self.dialect.scalar(shown.formula))
        power = "" if shown.power is None else rf" \times 10^{{{shown.power}}}"
        grouped = "{,}" if self.dialect.notation.decimal == "." else r"\,"
        text = self.dialect.with_decimal_sign(shown.text.replace(",", grouped))
        return text.replace("%", r"\,\%").replace("∞", r"\infty") + power

    def power(self, base: Piece, exponent: str) -> Piece:
        shown = self.dialect.fenced(base, ATOM)
        return Piece(f"{{{shown}}}^{{{exponent}}}" if "^" in shown else f"{shown}^{{{exponent}}}")

    def quotient(self, above: Piece, below: Piece) -> Piece:
        return Piece(readable(rf"\frac{{{above.text}}}{{{below.text}}}"))

    def exponential(self, argument: Piece) -> Piece:
        return Piece(f"e^{{{argument.text}}}")
