"""Plain text of a neutral document: one equation a line, matrices as [[1, 0], [0.5, 1]]."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from functools import cache
from typing import Any

from sympy import Symbol

from symtransformer.dialects import TEXT, Dialect
from symtransformer.notation import ATOM, PRODUCT, Piece, Words
from symtransformer.rendering.document import (
    Cell,
    Chain,
    Document,
    EntryOf,
    Equations,
    Grid,
    Heading,
    HeatMap,
    IndexEquations,
    Paragraph,
    Remark,
    RuleNote,
    Statement,
    Table,
    VerdictBlock,
)  # fmt: skip
from symtransformer.rendering.index_formulas import IndexFormulas
from symtransformer.rendering.numbers import BLANK, Shown
from symtransformer.rendering.printer import Printer
from symtransformer.rendering.visible import visible
from symtransformer.symbols import Entry, Letter, written_entry
from symtransformer.writing import written

WIDTH = 100
MATRIX_IN_LINE, COLUMNS_IN_LINE = 96, 8  # a matrix that is wider is written row by row
SHADES = "░▒▓█"
NEVER_FIRST = "、。，．・：；！？）」』】〉》〕］｝々ー〜ヽヾゝゞぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ,.:;!?)]}"
NEVER_LAST = "（「『【〈《〔［｛([{"
LINE_END = "\n"  # inside a term: here a line of a wide matrix ends


class TextPrinter(Printer):
    """Blocks as plain text."""

    dialect = TEXT
    followed_key = "followed_text"

    def comment(self, lines: tuple[str, ...]) -> str:
        return "\n".join("# " + visible(line) for line in lines)

    def escape(self, text: str) -> str:
        return visible(text)

    def inline(self, math: str) -> str:
        return math

    def page(self, document: Document) -> str:
        blocks = document.blocks
        lines = (chain for block in blocks if isinstance(block, Equations) for chain in block.chains)
        rows = (axis for block in blocks if isinstance(block, (Table, HeatMap)) for axis, _ in block.marks)
        self.marks_lines = any(chain.followed for chain in lines) or "row" in rows
        return super().page(document)

    def laid_out(self, document: Document, blocks: list[str]) -> str:
        return "\n\n".join([self.comment(document.comment), *blocks])

    def remark(self, remark: Remark) -> str:
        return wrapped(super().remark(remark)) if remark.key != "followed" or self.marks_lines else ""

    def statement(self, block: Statement) -> str:
        return wrapped(super().statement(block))

    # -- blocks -----------------------------------------------------------------------------
    def heading(self, block: Heading) -> str:
        title = self.escape(self.words(block.words))
        if block.letter is not None:
            title = self.with_letters(self.words(block.words))
            title = f"{written(block.letter, self.dialect)}: {title}"
        if block.level == 3:
            return f"-- {title}"
        line = ("=" if block.level == 1 else "-") * display_width(title)
        return f"{title}\n{line}"

    def paragraph(self, block: Paragraph) -> str:
        return wrapped(self.with_letters(self.words(block.words)))

    def equations(self, block: Equations) -> str:
        return "\n".join(line for chain in block.chains for line in self._lines(chain))

    def _lines(self, chain: Chain) -> list[str]:
        margin = "> " if chain.followed else "  "
        label = f"{self.escape(self.words(chain.label))}: " if chain.label is not None else ""
        left = margin + label + self.term(chain.left)
        rights = [f"{sign} {text}" for sign, text, _ in self.rights(chain)]
        if chain.operands_rounded:
            rights[-1] += "  " + self.sentence("operands_rounded")
        one_line = " ".join([left, *rights])
        if display_width(one_line) <= WIDTH and LINE_END not in one_line:
            return [one_line]
        indent = margin + " " * max(2, display_width(left) - 2 + 1)
        lines = [f"{left} {rights[0]}", *(indent + right for right in rights[1:])]
        return [margin + part[2:] for line in lines for part in in_lines(line, display_width(indent) + 2)]

    def index_equations(self, block: IndexEquations) -> str:
        lines: list[str] = []
        widest = len(str(block.lines[-1].number))
        for item in block.lines:
            formulas = IndexFormulas(item.line, self.dialect, self.heads)
            number, left = f"  {padded(f'({item.number})', widest + 2)} ", formulas.left()
            start = number + (padded("", display_width(left)) if item.goes_on else left) + " = "
            rule = f"  [{self.escape(self.words(item.line.rule))}]" if block.rules else ""
            terms = [BLANK.text] if block.blank else formulas.right()
            lines += _broken(start, terms, rule)
        return "\n".join(lines)

    def rule_note(self, block: RuleNote) -> str:
        words = self.with_letters(self.words(block.explanation))
        return wrapped(f"({block.number}) {self.words(block.rule)}{self.colon}{words}")

    def table(self, block: Table) -> str:
        rows = []
        for i, row in enumerate(block.rows):
            cells = [self._cell(cell) for cell in row]
            rows.append(([self.escape(self.words(block.labels[i]))] if block.labels else []) + cells)
        left = {k + bool(block.labels) for k in block.columns_of_words}
        return self._columns(block.heads, rows, block.caption, left, {k for axis, k in block.marks if axis == "row"})

    def _columns(
        self, heads: Iterable[Any], rows: list[list[str]], caption: Remark | Words | None,
        left: Collection[int] = (), followed: Collection[int] = (),
    ) -> str:  # fmt: skip
        """Cells below each other: numbers on the right of their column, words on the left."""
        lines = [[self.head(head) for head in heads], *rows]
        widths = [max(display_width(line[k]) for line in lines) for k in range(len(lines[0]))]
        texts = [
            "  ".join(
                cell + padded("", width - display_width(cell)) if k in left else padded(cell, width)
                for k, (cell, width) in enumerate(zip(line, widths, strict=True))
            )
            for line in lines
        ]
        marked = [("> " if k - 1 in followed else "  ") + text for k, text in enumerate(texts)]
        return "\n".join([*([self.caption(caption)] if caption else []), *marked])

    def _cell(self, cell: Cell) -> str:
        if cell is None:
            return ""
        if isinstance(cell, Words):
            return self.escape(self.words(cell))
        if isinstance(cell, Letter):
            return written(cell, self.dialect)
        return self.entry(cell.letter, cell.i, cell.j) if isinstance(cell, EntryOf) else self.number(cell)

    def heat_map(self, block: HeatMap) -> str:
        rows = []
        for label, numbers, shades in zip(block.labels, block.rows, block.shades, strict=True):
            cells = [
                f"{self.number(x)} {shade_sign(s)}" if x is not BLANK else x.text
                for x, s in zip(numbers, shades, strict=True)
            ]
            rows.append([self.escape(self.words(label)), *cells])
        text = self._columns(block.heads, rows, block.caption, (), {k for axis, k in block.marks if axis == "row"})
        if block.rows[0][0] is BLANK:
            return text
        if block.ends is None:
            return f"{text}\n{wrapped(self.sentence('heat_from_white_text'))}"
        low, high = (self.number(end) for end in block.ends)
        return f"{text}\n{wrapped(self.sentence('heat_from_least_text', low=low, high=high))}"

    def in_math(self, text: str) -> str:
        return self.escape(text)

    def verdict(self, block: VerdictBlock) -> str:
        return wrapped("!! " + self.verdict_sentence(block))

    # -- terms ---------------------------------------------------------------------------------
    def grid(self, grid: Grid) -> str:
        text = matrix_text([[self.number(shown) for shown in row] for row in grid.cells], self.dialect)
        labels = self.dialect.list_separator.join(self.escape(self.words(words)) for words in grid.labels)
        return f"{text}  ({self.sentence('rows', labels=labels)})" if labels else text

    def number(self, shown: Shown) -> str:
        if shown.formula is not None and not shown.text:
            return self.dialect.scalar(_counted_from_1(shown.formula, self.dialect))
        grouped = shown.text if self.dialect.notation.decimal == "." else shown.text.replace(",", "")
        text = self.dialect.with_decimal_sign(grouped)
        return text if shown.power is None else f"{text} × 10^{shown.power}"

    def power(self, base: Piece, exponent: str) -> Piece:
        return Piece(f"{self.dialect.fenced(base, ATOM)}^{exponent}")

    def quotient(self, above: Piece, below: Piece) -> Piece:
        return Piece(f"{self.dialect.fenced(above, PRODUCT)} / {self.dialect.fenced(below, ATOM)}", PRODUCT)

    def exponential(self, argument: Piece) -> Piece:
        return Piece(f"exp({argument.text})")


def _broken(start: str, terms: list[str], rule: str) -> list[str]:
    """The terms of a side behind each other, on further lines where they do not fit; the rule stands at the end."""
    lines = [start + terms[0]]
    for term in terms[1:]:
        if display_width(f"{lines[-1]} {term}") <= WIDTH:
            lines[-1] += f" {term}"
        else:
            lines.append(padded("", display_width(start)) + term)
    if display_width(lines[-1] + rule) <= WIDTH:
        return [*lines[:-1], lines[-1] + rule]
    return [*lines, padded("", display_width(start) - 2) + rule]


def shade_sign(shade: int | None) -> str:
    """Light to dark in quarters; nothing where nothing is shaded."""
    return " " if shade is None else SHADES[min(shade, 99) * len(SHADES) // 100]


def _counted_from_1(formula: Any, dialect: Dialect) -> Any:
    """x_12 for the entry X[0, 1] of a letter without a value."""
    entries = formula.atoms(Entry)
    return formula.xreplace({e: Symbol(written_entry(e, dialect, lambda k: k + 1)) for e in entries})


def matrix_text(cells: list[list[str]], dialect: Dialect = TEXT) -> str:
    """A matrix in one line; a wide one with aligned columns, and a mark where a line of it ends."""
    comma = dialect.list_separator
    if BLANK.text in cells[0]:
        return f"[{comma.join('[ ' + comma.join(row) + ' ]' for row in cells)}]"
    text = dialect.matrix(cells)  # type: ignore[arg-type]
    if display_width(text) <= MATRIX_IN_LINE and (len(cells) == 1 or len(cells[0]) <= COLUMNS_IN_LINE):
        return text
    widths = [max(display_width(row[k]) for row in cells) for k in range(len(cells[0]))]
    if sum(widths) + 2 * len(widths) > MATRIX_IN_LINE:  # a row takes several lines
        widths = [max(widths)] * len(widths)
    in_line = max(1, MATRIX_IN_LINE // (widths[0] + 2)) if len(set(widths)) == 1 else len(widths)
    rows = [[padded(cell, width) for cell, width in zip(row, widths, strict=True)] for row in cells]
    lines = [[comma.join(row[k : k + in_line]) for k in range(0, len(row), in_line)] for row in rows]
    end = comma.rstrip() + LINE_END
    return f"[{end.join('[' + end.join(row) + ']' for row in lines)}]"


def in_lines(text: str, indent: int) -> list[str]:
    """The lines of a term with wide matrices, each line of a matrix below the one before."""
    lines: list[str] = []
    start = indent
    for k, piece in enumerate(text.split(LINE_END)):
        line = piece if k == 0 else " " * (start + (1 if piece.startswith("[") else 2)) + piece
        begins = line.rfind("[[")
        if begins > indent and display_width(line) > WIDTH and line[indent:begins].strip() and "]" in line[:begins]:
            lines.append(line[:begins].rstrip())
            line = " " * indent + line[begins:]
        lines.append(line)
        start = display_width(line[: line.rfind("[[")]) if "[[" in line else start
    return lines


def display_width(text: str) -> int:
    """Columns on a terminal: Japanese letters take two."""
    return len(text) if text.isascii() else sum(map(_columns, text))


@cache
def _columns(c: str) -> int:
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def padded(cell: str, width: int) -> str:
    """The cell, filled up on the left."""
    return " " * (width - display_width(cell)) + cell


def wrapped(text: str, width: int = WIDTH) -> str:
    """Lines of at most so many columns; English breaks at spaces, Japanese anywhere but where its rules forbid it."""
    lines: list[str] = []
    line, columns = "", 0
    for word in text.replace("\n", " ").split(" "):
        for piece in _pieces(word):
            taken = display_width(piece)
            if line and columns + taken > width and piece.strip():
                lines.append(line.rstrip())
                line, columns = "", 0
            line, columns = line + piece, columns + taken
        line, columns = line + " ", columns + 1
    return "\n".join([*lines, line.rstrip()])


def _pieces(word: str) -> list[str]:
    if word.isascii():
        return [word] if word else []
    pieces: list[str] = []
    for c in word:
        narrow = _columns(c) == 1 and pieces and _columns(pieces[-1][-1]) == 1
        if pieces and (narrow or c in NEVER_FIRST or pieces[-1][-1] in NEVER_LAST):
            pieces[-1] += c
        else:
            pieces.append(c)
    return pieces
