"""Plain text of a neutral document: one equation a line, matrices as [[1, 0], [0.5, 1]]."""

from __future__ import annotations

import unicodedata
from typing import Any

from sympy import Symbol

from symtransformer.dialects import TEXT
from symtransformer.notation import ATOM, PRODUCT, Piece, Words
from symtransformer.rendering.document import (
    Chain,
    Document,
    EntryOf,
    Equations,
    Grid,
    Heading,
    Paragraph,
    Remark,
    Table,
    VerdictBlock,
)  # fmt: skip
from symtransformer.rendering.numbers import Shown
from symtransformer.rendering.printer import Printer, visible
from symtransformer.symbols import Entry, written_entry

WIDTH = 100


class TextPrinter(Printer):
    """Blocks as plain text."""

    template = "page.txt.j2"
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
        rows = (axis for block in blocks if isinstance(block, Table) for axis, _ in block.marks)
        self.marks_lines = any(chain.followed for chain in lines) or "row" in rows
        return super().page(document)

    def remark(self, remark: Remark) -> str:
        return super().remark(remark) if remark.key != "followed" or self.marks_lines else ""

    # -- blocks -----------------------------------------------------------------------------
    def heading(self, block: Heading) -> str:
        title = self.escape(self.words(block.words))
        if block.letter is not None:
            title = f"{block.letter._written('text')}: {title}"
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
        rights = [f"{sign} {self.term(term)}" for sign, term in chain.rights]
        if chain.operands_rounded:
            rights[-1] += "  " + self.sentence("operands_rounded")
        one_line = " ".join([left, *rights])
        if display_width(one_line) <= WIDTH:
            return [one_line]
        indent = margin + " " * max(2, display_width(left) - 2 + 1)
        return [f"{left} {rights[0]}", *(indent + right for right in rights[1:])]

    def table(self, block: Table) -> str:
        heads = [self._head(head) for head in block.heads]
        rows = []
        for i, row in enumerate(block.rows):
            cells = [self.number(shown) for shown in row]
            rows.append(([self.escape(self.words(block.labels[i]))] if block.labels else []) + cells)
        widths = [max(display_width(line[k]) for line in [heads, *rows]) for k in range(len(heads))]
        lines = [
            "  ".join(padded(cell, width) for cell, width in zip(line, widths, strict=True)) for line in [heads, *rows]
        ]
        followed = {k for axis, k in block.marks if axis == "row"}
        lines = [("> " if k - 1 in followed else "  ") + line for k, line in enumerate(lines)]
        caption = [self.remark(block.caption)] if block.caption else []
        return "\n".join([*caption, *lines])

    def _head(self, head: Any) -> str:
        if isinstance(head, Words):
            return self.escape(self.words(head))
        if isinstance(head, str):
            return head
        return self.term(head) if isinstance(head, EntryOf) else TEXT.scalar(head)

    def verdict(self, block: VerdictBlock) -> str:
        return wrapped("!! " + self.verdict_sentence(block))

    # -- terms ---------------------------------------------------------------------------------
    def grid(self, grid: Grid) -> str:
        text = TEXT.matrix([[self.number(shown) for shown in row] for row in grid.cells])
        labels = ", ".join(self.escape(self.words(words)) for words in grid.labels)
        return f"{text}  ({self.sentence('rows', labels=labels)})" if labels else text

    def number(self, shown: Shown) -> str:
        return shown.text if shown.formula is None or shown.text else TEXT.scalar(_counted_from_1(shown.formula))

    def power(self, base: Piece, exponent: str) -> Piece:
        return Piece(f"{TEXT.fenced(base, ATOM)}^{exponent}")

    def quotient(self, above: Piece, below: Piece) -> Piece:
        return Piece(f"{TEXT.fenced(above, PRODUCT)} / {TEXT.fenced(below, ATOM)}", PRODUCT)

    def exponential(self, argument: Piece) -> Piece:
        return Piece(f"exp({argument.text})")


def _counted_from_1(formula: Any) -> Any:
    """x_12 for the entry X[0, 1] of a letter without a value."""
    entries = formula.atoms(Entry)
    return formula.xreplace({e: Symbol(written_entry(e, TEXT, lambda k: k + 1)) for e in entries})


def display_width(text: str) -> int:
    """Columns on a terminal: Japanese letters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def padded(cell: str, width: int) -> str:
    """The cell, filled up on the left."""
    return " " * (width - display_width(cell)) + cell


def wrapped(text: str) -> str:
    """Lines of at most so many columns; Japanese breaks anywhere, English at spaces."""
    lines, line = [], ""
    for word in text.replace("\n", " ").split(" "):
        for piece in _pieces(word):
            if (
                line
                and display_width(line) + display_width(piece) > WIDTH
                and piece.strip()
                and piece[0] not in "、。）」，．"
            ):
                lines.append(line.rstrip())
                line = ""
            line += piece
        line += " "
    return "\n".join([*lines, line.rstrip()])


def _pieces(word: str) -> list[str]:
    pieces: list[str] = []
    for c in word:
        wide = unicodedata.east_asian_width(c) in "WF"
        if pieces and not wide and unicodedata.east_asian_width(pieces[-1][-1]) not in "WF":
            pieces[-1] += c
        else:
            pieces.append(c)
    return pieces
