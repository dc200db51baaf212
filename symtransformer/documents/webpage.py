r"""Web pages: MathML, KaTeX and MathJax as the author's LaTeX, tables, and formulas among the text of each block."""

from __future__ import annotations

import re
from dataclasses import replace

from symtransformer.documents.collecting import Collector
from symtransformer.documents.decoding import DocumentError
from symtransformer.documents.hidden import classes_not_shown
from symtransformer.documents.limits import SIGNS
from symtransformer.documents.markup import Tag, events
from symtransformer.documents.page_formulas import DRAWN, FormulasOfPage
from symtransformer.documents.placed import ASIDE, Placed, joined, made
from symtransformer.documents.prose import cell_of, read_prose
from symtransformer.documents.rows import read_table

BLOCKS = frozenset([
    "p", "div", "li", "ul", "ol", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote",
    "section", "article", "header", "footer", "main", "table", "tr", "figure", "figcaption", "body", "html",
    "details", "summary", "aside", "hr", "form", "fieldset", "nav", "tbody", "thead", "caption",
])  # fmt: skip
# what stands in one does not go on in the next
APART = frozenset(
    ("li", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "table", "tr", "hr", "blockquote", "section", "article")
)
SCRIPT = re.compile(r"<script\b[^>]{0,500}>(.*?)</script", re.DOTALL | re.IGNORECASE)
HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
STRUCK = ("s", "del", "strike")
SCRIPTS = {"sub": "_{", "sup": "^{"}  # 10<sup>-5</sup> is not 10-5
LINE_IN_CELL = "\u2028"  # parts formulas
BREAK = "\n\n\u2029\n\n"  # among what is read of a page: nothing goes on behind it


class PageReader(FormulasOfPage):
    """Gathers the text of a block, then reads it like prose."""

    def __init__(self, found: Collector) -> None:
        super().__init__(found)
        self.tables: list[list[list[Placed]]] = []
        self.cells: list[list[Placed]] = []  # what was gathered outside of each open cell
        self.named = 0  # passages whose language is settled

    def read(self, text: Placed) -> None:
        if text.text.count("&") > SIGNS:
            raise DocumentError(self.found.name, "too_many", f"more than {SIGNS} entities")
        if not text.text:
            return
        self.words = self.found.sources.words_of(text.origins[0])
        self.not_shown = classes_not_shown(text.text)
        for script in SCRIPT.finditer(text.text):
            self.macros.define_in_scripts(script.group(1))
        for number, event in enumerate(events(text)):
            if number > 2 * SIGNS:
                raise DocumentError(self.found.name, "too_many", f"more than {SIGNS} tags")
            if isinstance(event, Placed):
                self._text(event)
            elif self.math:
                self._in_math(event)
            else:
                self._tag(event)
        self._end_hidden()
        while self.frames:
            self._end_frame()
        while self.cells:
            self._end_cell()
        while self.tables:
            self._end_table()
        self._end_block()

    def _text(self, piece: Placed) -> None:
        if self.math:
            self.math[-1].children.append(piece)
        elif not self.unseen:
            self._put(piece)
        else:
            self._text_unseen(piece.text)

    def _tag(self, tag: Tag) -> None:
        if self.unseen:
            self._while_unseen(tag)
        elif self.frames and self._ends_frame(tag):
            if tag.name in BLOCKS:
                self._between_blocks(tag)
        elif tag.raw is not None:
            self._script(tag, tag.raw)
        elif tag.closes:
            self._between_blocks(tag)
        elif self._begins_formula(tag):
            if tag.name in BLOCKS and self.frames and not self.unseen:
                before, self.block = self.block, self.frames[-1].outside
                self._end_block()
                self.frames[-1].outside, self.block = [], before
        elif tag.name == "br":
            self._put(made(LINE_IN_CELL if self.cells else "\n", tag.origin))
        else:
            self._between_blocks(tag)

    def _between_blocks(self, tag: Tag) -> None:
        if tag.name in SCRIPTS:
            self._put(made("}" if tag.closes else SCRIPTS[tag.name], tag.origin))
        elif tag.name in STRUCK:
            self._say("~~", tag.origin)
        elif tag.name == "small":
            self._say(ASIDE[tag.closes], tag.origin)
        elif tag.name in ("td", "th"):
            self._cell(tag)
        elif tag.name in BLOCKS:
            self._block(tag)
            if not tag.closes and tag.name in HEADINGS:
                self._say(HEADINGS[tag.name], tag.origin)

    # -- blocks and tables -----------------------------------------------------------------------------------
    def _block(self, tag: Tag) -> None:
        if tag.name == "table":
            if not tag.closes:
                self._end_block()
                self._say(BREAK, tag.origin)
                self.tables.append([])
            elif self.tables:
                self._end_table()
        elif tag.name == "tr" and self.tables:
            if not tag.closes:
                self.tables[-1].append([])
        elif not self.cells and not self.frames:
            self._end_block()
            self._say(BREAK if tag.name in APART else "\n\n", tag.origin)
        else:
            self._put(made(LINE_IN_CELL, tag.origin))

    def _cell(self, tag: Tag) -> None:
        if not self.tables:
            self._end_block()
        elif not tag.closes:
            self._say(BREAK, tag.origin)
            self.cells.append(self.block)
            self.block = []
        elif self.cells:
            self._end_cell()

    def _end_cell(self) -> None:
        if self.tables:
            rows = self.tables[-1] or [[]]
            self.tables[-1] = rows
            rows[-1].append(joined(self.block))
        self.block = self.cells.pop()

    def _end_table(self) -> None:
        rows = [[cell_of(self._expanded(cell), self.found) for cell in row] for row in self.tables.pop() if row]
        read_table(rows, self.found)
        self._languages()

    def _end_block(self) -> None:
        text, self.block = joined(self.block), []
        for origin in self.drawn[self.scripted :]:
            self.found.problem("drawn", DRAWN, origin)
        self.drawn, self.scripted = [], 0
        if text.text.strip():
            read_prose(self._on_its_own(text), self.found, tables=False)
            self._languages()

    def _languages(self) -> None:
        """Formulas that were rewritten from MathML say so."""
        if self.from_mathml:
            for i in range(self.named, len(self.found.passages)):
                passage = self.found.passages[i]
                if passage.language == "latex" and not self.from_mathml.isdisjoint(passage.origins):
                    self.found.passages[i] = replace(passage, language="mathml")
        self.named = len(self.found.passages)
