"""Blocks of a neutral document as HTML, readable without JavaScript.

Formulas are LaTeX that KaTeX sets in the browser; until then, and without JavaScript, the text notation stands there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from symtransformer.chosen_notation import USUAL, Notation
from symtransformer.notation import Words
from symtransformer.rendering.document import (
    Block,
    Cell,
    Chain,
    Document,
    Equations,
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
from symtransformer.rendering.html_assets import macro, whole_page
from symtransformer.rendering.html_terms import HtmlTerms
from symtransformer.rendering.index_formulas import IndexFormulas
from symtransformer.rendering.numbers import BLANK, Shown
from symtransformer.rendering.printer import Printer
from symtransformer.rendering.visible import visible
from symtransformer.symbols import Letter

FOLDED = {
    "each_entry": False,
    "exactly": True,
    "exactly_short": True,
}  # what a remark introduces, and whether it is open
BRIEF = 8  # characters of a head, or of the label of a row, that stay in one line
DARKEST, LIGHTEST, BLACK_ON = 85, 6, 53  # percent of black in a shaded cell, and up to where its number is black


class HtmlBlocks(HtmlTerms):
    """Blocks as HTML."""

    takes_template = False  # its parts escape themselves, in templates of their own

    def __init__(
        self, language: str, letters: dict[str, Letter], heads: frozenset[Any] = frozenset(),
        notation: Notation = USUAL,
    ) -> None:  # fmt: skip
        super().__init__(language, letters, heads, notation)
        self.headings: list[tuple[str, Markup]] = []
        self.depth = 1  # of the last heading
        self.unnamed = 0  # headings without a letter, which are counted to tell them apart

    # -- the page ---------------------------------------------------------------------------
    def page(self, document: Document) -> str:
        parts = self.parts(document)
        return whole_page(
            language=self.language, title=visible(self.words(document.title)), comment=[visible(c) for c in document.comment],
            contents=self.headings, parts=parts, words=self.page_words(), **self.scripts(),
        )  # fmt: skip

    def parts(self, document: Document) -> list[dict[str, Any]]:
        """The sections, each with its blocks."""
        parts: list[dict[str, Any]] = [{"id": "", "blocks": []}]
        for block in self.folded(document.blocks):
            if isinstance(block, Heading) and block.level == 2:
                self.headings.append((f"s{len(self.headings) + 1}", self.title(block)))
                parts.append({"id": self.headings[-1][0], "blocks": []})
            self.depth = block.level if isinstance(block, Heading) else self.depth
            text = block if isinstance(block, Markup) else self.block(block)
            if text:
                parts[-1]["blocks"].append(text)
        return parts

    def scripts(self) -> dict[str, Any]:
        """What computes on the page: nothing."""
        return {}

    def page_words(self) -> dict[str, str]:
        """The sentences of the page's own furniture."""
        return {"skip": self.sentence("html_skip"), "contents": self.sentence("html_contents")}

    def folded(self, blocks: tuple[Block, ...]) -> Iterator[Block | Markup]:
        """The blocks; what a remark introduces that is detail stands below a line that opens and closes it."""
        waiting = list(reversed(blocks))
        while waiting:
            block = waiting.pop()
            if isinstance(block, Remark) and block.key in FOLDED and waiting and isinstance(waiting[-1], Equations):
                yield self.detail(block, self.block(waiting.pop()))
            else:
                yield block

    def detail(self, remark: Remark, content: str) -> Markup:
        return macro(
            "folded", self.remark(remark).rstrip(":："), content, FOLDED[remark.key], remark.key != "each_entry"
        )

    def comment(self, lines: tuple[str, ...]) -> str:
        return "\n".join(map(visible, lines))

    # -- blocks -----------------------------------------------------------------------------
    def block(self, block: Block) -> str:
        if isinstance(block, Remark):
            return macro("paragraph", self.remark(block), "remark", self.mark(block))
        return super().block(block)

    def title(self, block: Heading) -> Markup:
        words = self.words(block.words)
        return Markup(self.with_letters(words) if block.letter else self.escape(words))

    def heading(self, block: Heading) -> str:
        if block.level == 1:
            return ""  # the template has it
        letter = "" if block.letter is None else self.letter_of(block.letter)
        name = self.headings[-1][0] if self.headings else "s0"
        if block.level > 2:
            self.unnamed += block.letter is None
            name += f"-{block.letter.name if block.letter is not None else self.unnamed}"
        return macro("heading", block.level, name, self.title(block), letter)

    def paragraph(self, block: Paragraph) -> str:
        return macro("paragraph", Markup(self.with_letters(self.words(block.words))), "", self.mark(block))

    def statement(self, block: Statement) -> str:
        text = Markup(str(self._worded(Printer.statement, block)).replace(r'"\blank"', r'"\gap"'))
        return macro("paragraph", text, "statement", self.mark(block))

    def equations(self, block: Equations) -> str:
        return macro("equations", [self.chain(chain) for chain in block.chains], block.side_by_side)

    def mark(self, block: Block) -> str:
        """Words that say of a block that it is about the printed numbers, where they may change."""
        return ""

    def chain(self, chain: Chain) -> dict[str, Any]:
        label = None if chain.label is None else visible(self.words(chain.label))
        return {
            "left": self.math(self.term(chain.left), self.twin.term(chain.left), True), "label": label,
            "colon": self.colon, "followed": chain.followed, "rights": self.terms(chain),
            "note": self.sentence("operands_rounded"), "note_shown": chain.operands_rounded, "key": "", "mark": "",
        }  # fmt: skip

    def terms(self, chain: Chain) -> list[dict[str, Any]]:
        """The right sides with their signs; one that looks like the side before it is not said twice."""
        return [{"math": self.signed(sign, tex, term), "hidden": False} for sign, tex, term in self.rights(chain)]

    def index_equations(self, block: IndexEquations) -> str:
        lines = []
        for item in block.lines:
            own = IndexFormulas(item.line, self.dialect, self.heads)
            plain = IndexFormulas(item.line, self.twin.dialect, self.heads)
            terms = [(r"\blank", BLANK.text)] if block.blank else list(zip(own.right(), plain.right(), strict=True))
            terms = [(f"= {tex}" if k == 0 else f"{{}} {tex}", text) for k, (tex, text) in enumerate(terms)]
            terms[0] = terms[0][0], f"= {terms[0][1]}"
            lines.append(
                {
                    "number": item.number, "left": "" if item.goes_on else self.math(own.left(), plain.left(), True),
                    "terms": [self.math(*term, True) for term in terms],
                    "rule": Markup(self.with_letters(self.words(item.line.rule))) if block.rules else "",
                }
            )  # fmt: skip
        return macro("index_lines", lines)

    def rule_note(self, block: RuleNote) -> str:
        words = Markup(self.with_letters(self.words(block.explanation)))
        rule = Markup(self.with_letters(self.words(block.rule)))
        return macro("rule_note", block.number, rule, self.colon, words)

    def verdict(self, block: VerdictBlock) -> str:
        return macro("verdict", block.kind, visible(self.verdict_sentence(block)))

    # -- tables -------------------------------------------------------------------------------
    def table(self, block: Table) -> str:
        words = block.columns_of_words
        rows = [
            {
                "label": visible(self.words(block.labels[i])) if block.labels else None,
                "length": "".join(self._length(block.labels[i])) if block.labels else "",
                "followed": ("row", i) in block.marks,
                "cells": [
                    self.cell(cell, ("row", i) in block.marks or ("column", j) in block.marks, j in words)
                    for j, cell in enumerate(row)
                ],
            }
            for i, row in enumerate(block.rows)
        ]
        caption = "" if block.caption is None else Markup(self.caption(block.caption))
        return macro("table", caption, self.heads_of(block), rows, "", "", self.mark(block), self.table_key(block))

    def heads_of(self, block: Table | HeatMap) -> list[dict[str, Any]]:
        words = block.columns_of_words if isinstance(block, Table) else set()
        shift = len(block.heads) - len(block.rows[0])
        return [
            {"text": Markup(self.head(h)), "kind": " ".join(["words"] * (k - shift in words) + self._length(h))}
            for k, h in enumerate(block.heads)
        ]

    def _length(self, head: Any) -> list[str]:
        """Whether words at the edge of a table are too few to be broken; nothing for mathematics."""
        if not isinstance(head, (Words, str)):
            return []
        return ["brief" if len(head if isinstance(head, str) else self.words(head)) <= BRIEF else "long"]

    def cell(self, cell: Cell, followed: bool, words: bool = False, shade: int | None = None) -> dict[str, Any]:
        kinds = ["words"] * words + ["marked"] * (followed and isinstance(cell, Shown))
        return {"text": self.in_cell(cell), "kind": " ".join(kinds), "shade": shade, "key": self.cell_key(cell)}

    def cell_key(self, cell: Cell) -> str:
        """The number that stands in a cell and is computed again."""
        return ""

    def heat_map(self, block: HeatMap) -> str:
        rows = []
        for i, (label, row) in enumerate(zip(block.labels, block.rows, strict=True)):
            cells = [
                self.cell(shown, ("row", i) in block.marks or ("column", j) in block.marks, shade=block.shades[i][j])
                for j, shown in enumerate(row)
            ]
            rows.append(
                {
                    "label": visible(self.words(label)),
                    "length": "".join(self._length(label)),
                    "followed": ("row", i) in block.marks,
                    "cells": list(map(_shaded, cells)),
                }
            )
        legend = "" if block.rows[0][0] is BLANK else self.legend(block)
        return macro(
            "table",
            Markup(self.caption(block.caption)),
            self.heads_of(block),
            rows,
            "heat",
            legend,
            self.mark(block),
            self.table_key(block),
        )

    def table_key(self, block: Table | HeatMap) -> str:
        """Under which a table is computed again."""
        return ""

    def legend(self, block: HeatMap) -> Markup | str:
        if block.ends is None:
            return self.sentence("heat_from_white")
        low, high = (Markup(self.in_cell(end)) for end in block.ends)
        return (
            Markup(self.escape(self.sentence("heat_from_least", low="⟦0⟧", high="⟦1⟧")))
            .replace("⟦0⟧", low)
            .replace("⟦1⟧", high)
        )


def _shaded(cell: dict[str, Any]) -> dict[str, Any]:
    """Percent of black, and white numbers where that is dark: each at least 4.5 times as light as the other."""
    if cell["shade"] is None:
        return {**cell, "of": None}
    ink = LIGHTEST + cell["shade"] * (DARKEST - LIGHTEST) // 100
    return {
        **cell,
        "of": cell["shade"],
        "shade": ink,
        "kind": f"{cell['kind']} {'on-light' if ink <= BLACK_ON else 'on-dark'}".strip(),
    }
