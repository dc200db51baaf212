"""Typst of a neutral document: a page that holds all it needs, for `typst compile` or the `pdf` format."""

from __future__ import annotations

import re

from symtransformer.notation import ATOM, Piece, Words
from symtransformer.rendering.document import (
    Cell,
    Chain,
    Document,
    EntryFormula,
    EntryOf,
    Equations,
    Grid,
    Heading,
    HeatMap,
    IndexEquations,
    NumberedLine,
    Paragraph,
    Remark,
    RuleNote,
    Statement,
    Table,
    Term,
    VerdictBlock,
)  # fmt: skip
from symtransformer.rendering.index_formulas import IndexFormulas
from symtransformer.rendering.numbers import BLANK, NOTHING, Shown
from symtransformer.rendering.printer import Printer, visible
from symtransformer.rendering.typst_dialect import TYPST
from symtransformer.rendering.typst_text import escape, quoted
from symtransformer.symbols import Letter
from symtransformer.writing import written

_DISPLAYED = ("#chains", "#aside", "#numbered", "#lined-table", "#heat-map")
_SIGNS = {"=": "=", "≈": "approx"}
LIGHTEST, DARKEST, BLACK_ON = 6, 85, 45  # percent of black in a shaded cell, and up to where its number is black


class TypstPrinter(Printer):
    """Blocks as calls of the functions at the head of the page; these measure, and break or shrink what is too wide."""

    template = "page.typ.j2"
    dialect = TYPST
    marks = True  # whether what is followed is marked

    def laid_out(self, document: Document, blocks: list[str]) -> str:
        for k, following in enumerate(blocks[1:]):
            if following.startswith(_DISPLAYED):
                blocks[k] = re.sub("^#words", "#lead", blocks[k])
        return super().laid_out(document, blocks)

    def comment(self, lines: tuple[str, ...]) -> str:
        return "\n".join("// " + visible(line) for line in lines)

    def escape(self, text: str) -> str:
        return escape(text)

    def inline(self, math: str) -> str:
        return f"${math}$"

    def in_math(self, text: str) -> str:
        return quoted(text)

    # -- blocks -----------------------------------------------------------------------------
    def heading(self, block: Heading) -> str:
        if block.level == 1:
            return ""  # the template has it
        title = self.with_letters(self.words(block.words)) if block.letter else escape(self.words(block.words))
        letter = "" if block.letter is None else f"{self.inline(written(block.letter, self.dialect))}#h(1em)"
        return f"#heading(level: {block.level - 1})[{letter}{title}]"

    def paragraph(self, block: Paragraph) -> str:
        return f"#words[{self.with_letters(self.words(block.words))}]"

    def remark(self, remark: Remark) -> str:
        return f"#words[{super().remark(remark)}]"

    def statement(self, block: Statement) -> str:
        return f"#words[{super().statement(block).replace('$blank$', '#gap')}]"

    def verdict(self, block: VerdictBlock) -> str:
        return f"#verdict[{escape(self.verdict_sentence(block))}]"

    def equations(self, block: Equations) -> str:
        if block.side_by_side:
            return "#aside(\n" + "".join(f"  {self._in_one(chain)},\n" for chain in block.chains) + ")"
        return "#chains(\n" + "".join(self._chain(chain) for chain in block.chains) + ")"

    def _in_one(self, chain: Chain) -> str:
        """A short chain as one formula."""
        rights = "".join(f" {_SIGNS[sign]} {right}" for sign, right, _ in self.rights(chain))
        return self.inline(self.term(chain.left) + rights)

    def _chain(self, chain: Chain) -> str:
        lines = [f"  (left: {self.inline(self.term(chain.left))}, rights: (\n"]
        for sign, text, term in self.rights(chain):
            parts = self._parts(text, term)
            shown = ", ".join(self.inline(part) for part in parts)
            lines.append(f"    ({self.inline(_SIGNS[sign])}, ({shown},)),\n")
        label = "none" if chain.label is None else f"[{escape(self.words(chain.label))}{self.colon.strip()}]"
        note = f"[{escape(self.sentence('operands_rounded'))}]" if chain.operands_rounded else "none"
        lines.append(f"  ), label: {label}, note: {note}, marked: {str(chain.followed).lower()}),\n")
        return "".join(lines)

    def _parts(self, text: str, term: Term) -> list[str]:
        """The terms of a sum, between which a line may end; anything else whole."""
        if not isinstance(term, EntryFormula) or term.tree.kind != "sum":
            return [text]
        numbers = None if term.numbers is None else dict(term.numbers)
        shown = [self.arithmetic(part, numbers).text for part in term.tree.parts]
        signed = [f"- {part[1:].lstrip()}" if part.startswith("-") else f"+ {part}" for part in shown[1:]]
        return [shown[0], *signed]

    # -- numbered lines ------------------------------------------------------------------------
    def index_equations(self, block: IndexEquations) -> str:
        return "#numbered(\n" + "".join(self._numbered(block, item) for item in block.lines) + ")"

    def _numbered(self, block: IndexEquations, item: NumberedLine) -> str:
        formulas = IndexFormulas(item.line, self.dialect, self.heads)
        parts = ["blank"] if block.blank else formulas.right()
        shown = ", ".join(self.inline(part) for part in parts)
        rule = f"[{escape(self.words(item.line.rule))}]" if block.rules else "none"
        left = self.inline(formulas.left())
        return (
            f"  (number: {item.number}, left: {left}, again: {str(item.goes_on).lower()}, "
            f"parts: ({shown},), rule: {rule}),\n"
        )

    def rule_note(self, block: RuleNote) -> str:
        rule, words = escape(self.words(block.rule)), self.with_letters(self.words(block.explanation))
        return f"#rule-note({block.number})[{rule}][{words}]"

    # -- tables ----------------------------------------------------------------------------------
    def table(self, block: Table) -> str:
        words = block.columns_of_words
        columns = ["left"] * bool(block.labels)
        columns += ["left" if k in words else "right" for k in range(len(block.rows[0]))]
        heads = "".join(f"[{self.head(head)}], " for head in block.heads)
        lines = []
        for i, row in enumerate(block.rows):
            cells = [f"[{escape(self.words(block.labels[i]))}]"] if block.labels else []
            cells += [
                self._cell(cell, ("row", i) in block.marks or ("column", j) in block.marks)
                for j, cell in enumerate(row)
            ]
            lines.append("  " + ", ".join(cells) + ",\n")
        caption = f"[{self.plain_caption(block.caption)}]" if block.caption else "none"
        return f"#lined-table({caption}, ({', '.join(columns)},), ({heads}),\n{''.join(lines)})"

    def plain_caption(self, caption: Remark | Words) -> str:
        return escape(self.words(caption)) if isinstance(caption, Words) else Printer.remark(self, caption)

    def _cell(self, cell: Cell, followed: bool) -> str:
        if cell is None:
            return "[]"
        if isinstance(cell, Words):
            return f"[{escape(self.words(cell))}]"
        if isinstance(cell, Letter):
            return self.inline(written(cell, self.dialect))
        if cell is BLANK:
            return "blank"
        return self.inline(
            self.entry(cell.letter, cell.i, cell.j) if isinstance(cell, EntryOf) else self.marked(cell, followed)
        )

    def heat_map(self, block: HeatMap) -> str:
        heads = "".join(f"[{self.head(head)}], " for head in block.heads)
        lines = []
        for i, (label, row) in enumerate(zip(block.labels, block.rows, strict=True)):
            bold = [("row", i) in block.marks or ("column", j) in block.marks for j in range(len(row))]
            cells = [self._shaded(*cell) for cell in zip(row, block.shades[i], bold, strict=True)]
            lines.append(f"  [{escape(self.words(label))}], " + ", ".join(cells) + ",\n")
        text = f"#heat-map([{self.plain_caption(block.caption)}], {len(block.rows[0])}, ({heads}),\n{''.join(lines)})"
        if block.rows[0][0] is BLANK:
            return text
        if block.ends is None:
            return f"{text}\n#legend[{escape(self.sentence('heat_from_white'))}]"
        low, high = (self.inline(self.number(end)) for end in block.ends)
        legend = escape(self.sentence("heat_from_least", low="⟦0⟧", high="⟦1⟧"))
        return f"{text}\n#legend[{legend.replace('⟦0⟧', low).replace('⟦1⟧', high)}]"

    def _shaded(self, shown: Shown, shade: int | None, bold: bool) -> str:
        if shown is BLANK:
            return "blank"
        text = self.inline(self.bold(shown) if bold else self.number(shown))
        if shade is None:
            return text
        ink = LIGHTEST + shade * (DARKEST - LIGHTEST) // 100
        return f"shaded({ink}, {text})"

    # -- terms ---------------------------------------------------------------------------------
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
        return Piece(self.dialect.fraction.format(above.text, below.text))

    def exponential(self, argument: Piece) -> Piece:
        return Piece(self.dialect.power_of_e.format(argument.text))
