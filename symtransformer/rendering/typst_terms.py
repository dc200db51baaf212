"""The mathematics of a neutral document as Typst."""

from __future__ import annotations

from symtransformer.notation import ATOM, Piece
from symtransformer.rendering.document import Chain, Grid, Term
from symtransformer.rendering.numbers import BLANK, NOTHING, Shown
from symtransformer.rendering.printer import Printer
from symtransformer.rendering.typst_dialect import TYPST
from symtransformer.rendering.typst_text import escape, quoted


class TypstTerms(Printer):
    """Terms as mathematics of Typst."""

    dialect = TYPST
    marks = True  # whether what is followed is marked

    def escape(self, text: str) -> str:
        return escape(text)

    def inline(self, math: str) -> str:
        return f"${math}$"

    def in_math(self, text: str) -> str:
        return quoted(text)

    def grid(self, grid: Grid) -> str:
        cells = [
            [self.marked(shown, grid.is_marked(i, j)) for j, shown in enumerate(row)]
            for i, row in enumerate(grid.cells)
        ]
        tall = any("frac(" in cell for row in cells for cell in row)
        cells = [[f"display({cell})" if "frac(" in cell else cell for cell in row] for row in cells]
        blank = grid.cells[0][0] is BLANK
        align = "center" if blank or tall else "right"
        gap = "row-gap: #0.6em, " if blank or tall else ""
        body = "; ".join(", ".join(row) for row in cells)
        delimiter = "(" if self.dialect.notation.brackets == "round" else "["
        text = f'display(mat(delim: "{delimiter}", align: #{align}, {gap}{body}))'
        if grid.labels:
            words = "; ".join(f"tagged(#[{escape(self.words(label))}])" for label in grid.labels)
            text += f" med display(mat(delim: #none, align: #left, {gap}{words}))"
        return text

    def marked(self, shown: Shown, followed: bool) -> str:
        return f"followed({self.bold(shown)})" if followed and self.marks else self.number(shown)

    def rights(self, chain: Chain) -> list[tuple[str, str, Term]]:
        """What looks like the side before it, marks aside, is not said twice."""
        self.marks = False
        plain = [self.term(term) for _, term in chain.rights]
        self.marks = True
        sides: list[tuple[str, str, Term]] = []
        for k, (sign, term) in enumerate(chain.rights):
            again = k > 0 and plain[k] == plain[k - 1]
            sides.append((sides.pop()[0] if again else sign, self.term(term), term))
        return sides

    def bold(self, shown: Shown) -> str:
        """A number in bold, a formula as it is."""
        if shown.formula is not None or shown is BLANK or shown is NOTHING:
            return self.number(shown)
        return f'bolder("{self._digits(shown).replace("-", "−")}"){self._behind(shown)}'

    def number(self, shown: Shown) -> str:
        if shown is BLANK:
            return "blank"
        if shown is NOTHING:
            return '"–"'
        if shown.formula is not None:
            return self.dialect.scalar(shown.formula)
        digits = self._digits(shown)
        sign, size = ("-", digits[1:]) if digits.startswith("-") else ("", digits)
        size = size if size.replace(".", "", 1).isdigit() else f'"{size}"'
        return f"{sign}{size}{self._behind(shown)}"

    def _digits(self, shown: Shown) -> str:
        """Digits and the signs between them, which need no escape."""
        text = shown.text.removesuffix("%")
        comma = self.dialect.notation.decimal == ","
        return text.replace(",", "\u2009").replace(".", ",") if comma else text

    def _behind(self, shown: Shown) -> str:
        """The sign of a percentage, or a power of ten."""
        if shown.text.endswith("%"):
            return " thin %"
        return "" if shown.power is None else f" times 10^({shown.power})"

    def power(self, base: Piece, exponent: str) -> Piece:
        return Piece(self.dialect.raised(self.dialect.fenced(base, ATOM), exponent))

    def quotient(self, above: Piece, below: Piece) -> Piece:
        return Piece(self.dialect.over_line(above.text, below.text))

    def exponential(self, argument: Piece) -> Piece:
        return Piece(self.dialect.power_of_e.format(argument.text))
