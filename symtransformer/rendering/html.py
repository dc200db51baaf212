"""HTML of a neutral document: one page that needs no other file, readable without JavaScript.

Formulas are LaTeX that KaTeX sets in the browser; until then, and without JavaScript, the text notation stands there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from markupsafe import Markup

from symtransformer.chosen_notation import USUAL, Notation
from symtransformer.notation import Words
from symtransformer.rendering.document import (
    Block,
    Cell,
    Chain,
    Document,
    EntryOf,
    Equations,
    Heading,
    HeatMap,
    IndexEquations,
    Paragraph,
    Remark,
    RuleNote,
    Statement,
    Table,
    Term,
    VerdictBlock,
)  # fmt: skip
from symtransformer.rendering.html_assets import macro, whole_page
from symtransformer.rendering.index_formulas import IndexFormulas
from symtransformer.rendering.latex_terms import LatexTerms
from symtransformer.rendering.numbers import BLANK, NOTHING, Shown
from symtransformer.rendering.printer import Printer, visible
from symtransformer.rendering.text import TextPrinter
from symtransformer.symbols import Letter
from symtransformer.writing import written

_SIGNS = {"=": "=", "≈": r"\approx"}
FOLDED = {
    "each_entry": False,
    "exactly": True,
    "exactly_short": True,
}  # what a remark introduces, and whether it is open
DARKEST, LIGHTEST, BLACK_ON = 85, 6, 53  # percent of black in a shaded cell, and up to where its number is black


class _Formulas(TextPrinter):
    """Words as text, the formulas in them noted one by one."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.noted: list[str] = []

    def inline(self, math: str) -> str:
        self.noted.append(math)
        return math


class HtmlPrinter(LatexTerms):
    """Blocks as HTML."""

    def __init__(
        self, language: str, letters: dict[str, Letter], heads: frozenset[Any] = frozenset(),
        notation: Notation = USUAL,
    ) -> None:  # fmt: skip
        super().__init__(language, letters, heads, notation)
        self.twin = _Formulas(language, letters, heads, notation)
        self.places: list[str] | None = None  # of the formulas in words that are being written
        self.headings: list[tuple[str, Markup]] = []

    # -- the page ---------------------------------------------------------------------------
    def page(self, document: Document) -> str:
        parts: list[dict[str, Any]] = [{"id": "", "blocks": []}]
        for block in self.folded(document.blocks):
            if isinstance(block, Heading) and block.level == 2:
                self.headings.append((f"s{len(self.headings) + 1}", self.title(block)))
                parts.append({"id": self.headings[-1][0], "blocks": []})
            text = block if isinstance(block, Markup) else self.block(block)
            if text:
                parts[-1]["blocks"].append(text)
        return whole_page(
            language=self.language, title=visible(self.words(document.title)), comment=[visible(c) for c in document.comment],
            contents=self.headings, parts=parts, words=self.page_words(),
        )  # fmt: skip

    def page_words(self) -> dict[str, str]:
        """The sentences of the page's own furniture."""
        return {name: self.sentence(f"html_{name}") for name in ("skip", "contents")}

    def folded(self, blocks: tuple[Block, ...]) -> list[Block | Markup]:
        """The blocks; what a remark introduces that is detail stands below a line that opens and closes it."""
        found: list[Block | Markup] = []
        waiting = list(blocks)
        while waiting:
            block = waiting.pop(0)
            detail = isinstance(block, Remark) and block.key in FOLDED and waiting and isinstance(waiting[0], Equations)
            if not detail:
                found.append(block)
                continue
            assert isinstance(block, Remark)
            summary = self.remark(block).rstrip(":：")
            found.append(macro("folded", summary, self.block(waiting.pop(0)), FOLDED[block.key]))
        return found

    def comment(self, lines: tuple[str, ...]) -> str:
        return "\n".join(map(visible, lines))

    # -- words --------------------------------------------------------------------------------
    def escape(self, text: str) -> str:
        return str(Markup.escape(visible(text)))

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
        return self._worded(Printer.with_letters, text) if self.places is None else super().with_letters(text)

    def remark(self, remark: Remark) -> str:
        return self._worded(Printer.remark, remark)

    def head(self, head: Any) -> str:
        return self._worded(Printer.head, head)

    # -- blocks -----------------------------------------------------------------------------
    def block(self, block: Block) -> str:
        if isinstance(block, Remark):
            return macro("paragraph", self.remark(block), "remark", "")
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
            name += f"-{block.letter.name}" if block.letter is not None else "-"
        return macro("heading", block.level, name, self.title(block), letter)

    def letter_of(self, letter: Letter) -> Markup:
        return self.math(written(letter, self.dialect), written(letter, self.twin.dialect))

    def paragraph(self, block: Paragraph) -> str:
        return macro("paragraph", Markup(self.with_letters(self.words(block.words))), "", "")

    def statement(self, block: Statement) -> str:
        text = self._worded(Printer.statement, block).replace(r'"\blank"', r'"\gap"')
        return macro("paragraph", text, "statement", "")

    def equations(self, block: Equations) -> str:
        return macro("equations", [self.chain(chain) for chain in block.chains], block.side_by_side)

    def chain(self, chain: Chain) -> dict[str, Any]:
        label = None if chain.label is None else visible(self.words(chain.label))
        return {
            "left": self.math(self.term(chain.left), self.twin.term(chain.left), True), "label": label,
            "colon": self.colon, "followed": chain.followed, "rights": self.terms(chain),
            "note": self.sentence("operands_rounded"), "note_shown": chain.operands_rounded, "key": "",
        }  # fmt: skip

    def terms(self, chain: Chain) -> list[dict[str, Any]]:
        """The right sides with their signs; one that looks like the side before it is not said twice."""
        return [
            {
                "math": self.math(f"{_SIGNS[sign]} {tex}", f"{sign} {self.twin.term(term)}".replace("\n", " "), True),
                "hidden": False,
            }
            for sign, tex, term in self.rights(chain)
        ]

    def index_equations(self, block: IndexEquations) -> str:
        lines = []
        for item in block.lines:
            tex = IndexFormulas(item.line, self.dialect, self.heads)
            text = IndexFormulas(item.line, self.twin.dialect, self.heads)
            terms = [(r"\blank", BLANK.text)] if block.blank else list(zip(tex.right(), text.right(), strict=True))
            terms[0] = f"= {terms[0][0]}", f"= {terms[0][1]}"
            lines.append(
                {
                    "number": item.number, "left": "" if item.goes_on else self.math(tex.left(), text.left(), True),
                    "terms": [self.math(*term, True) for term in terms],
                    "rule": visible(self.words(item.line.rule)) if block.rules else "",
                }
            )  # fmt: skip
        return macro("index_lines", lines)

    def rule_note(self, block: RuleNote) -> str:
        words = Markup(self.with_letters(self.words(block.explanation)))
        return macro("rule_note", block.number, visible(self.words(block.rule)), self.colon, words)

    def verdict(self, block: VerdictBlock) -> str:
        return macro("verdict", block.kind, visible(self.verdict_sentence(block)))

    # -- tables -------------------------------------------------------------------------------
    def table(self, block: Table) -> str:
        words = block.columns_of_words
        rows = [
            {
                "label": visible(self.words(block.labels[i])) if block.labels else None,
                "followed": ("row", i) in block.marks,
                "cells": [
                    self.cell(cell, ("row", i) in block.marks or ("column", j) in block.marks, j in words)
                    for j, cell in enumerate(row)
                ],
            }
            for i, row in enumerate(block.rows)
        ]
        caption = "" if block.caption is None else Markup(self.caption(block.caption))
        return macro("table", caption, self.heads_of(block), rows)

    def heads_of(self, block: Table | HeatMap) -> list[dict[str, Any]]:
        words = block.columns_of_words if isinstance(block, Table) else set()
        shift = len(block.heads) - len(block.rows[0])
        return [{"text": Markup(self.head(h)), "words": k - shift in words} for k, h in enumerate(block.heads)]

    def cell(self, cell: Cell, followed: bool, words: bool = False, shade: int | None = None) -> dict[str, Any]:
        kinds = ["words"] * words + ["marked"] * (followed and isinstance(cell, Shown))
        return {"text": self.in_cell(cell), "kind": " ".join(kinds), "shade": shade, "key": ""}

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
        return _with_minus(self.twin.number(cell)) if plain or cell is NOTHING else self.of_term(cell)

    def of_term(self, term: Term) -> Markup:
        return self.math(self.term(term), self.twin.term(term))

    def blank(self) -> Markup:
        return macro("blank", self.sentence("html_blank"))

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
                    "followed": ("row", i) in block.marks,
                    "cells": list(map(_shaded, cells)),
                }
            )
        legend = "" if block.rows[0][0] is BLANK else self.legend(block)
        return macro("table", Markup(self.caption(block.caption)), self.heads_of(block), rows, "heat", legend)

    def legend(self, block: HeatMap) -> Markup | str:
        if block.ends is None:
            return self.sentence("heat_from_white")
        low, high = (Markup(self.in_cell(end)) for end in block.ends)
        return (
            Markup(self.escape(self.sentence("heat_from_least", low="⟦0⟧", high="⟦1⟧")))
            .replace("⟦0⟧", low)
            .replace("⟦1⟧", high)
        )


def _with_minus(text: str) -> str:
    return text.replace("-", "−", 1) if text.startswith("-") else text


def _shaded(cell: dict[str, Any]) -> dict[str, Any]:
    """Percent of black, and white numbers where that is dark: each at least 4.5 times as light as the other."""
    if cell["shade"] is None:
        return cell
    ink = LIGHTEST + cell["shade"] * (DARKEST - LIGHTEST) // 100
    return {**cell, "shade": ink, "kind": f"{cell['kind']} {'on-light' if ink <= BLACK_ON else 'on-dark'}".strip()}
