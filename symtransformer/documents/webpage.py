r"""Web pages: MathML, KaTeX and MathJax as the author's LaTeX, tables, and formulas among the text of each block."""

from __future__ import annotations

from dataclasses import replace

from symtransformer.documents.collecting import Collector
from symtransformer.documents.decoding import DocumentError
from symtransformer.documents.limits import SIGNS, TREE_DEPTH
from symtransformer.documents.markup import Tag, events
from symtransformer.documents.mathml import Element, as_latex, tex_annotation
from symtransformer.documents.placed import Placed, joined, made
from symtransformer.documents.prose import cell_of, read_prose
from symtransformer.documents.rows import read_table

BLOCKS = frozenset([
    "p", "div", "li", "ul", "ol", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote",
    "section", "article", "header", "footer", "main", "table", "tr", "figure", "figcaption", "body", "html",
    "details", "summary", "aside", "hr", "form", "fieldset", "nav", "tbody", "thead", "caption",
])  # fmt: skip
EMPTY = frozenset([
    "br", "hr", "img", "input", "meta", "link", "area", "base", "col", "embed", "source", "track", "wbr",
])  # fmt: skip
UNSEEN = frozenset(
    ("svg", "head", "template", "select", "button", "mjx-math", "mjx-speech", "canvas", "object", "video", "audio")
)
RENDERED = ("katex-html", "mathjax_preview", "mathjax", "mathjax_display", "mathjax_svg", "mathjax_chtml", "mjx-chtml")
PROGRAMS = ("language-", "lang-", "highlight-source", "brush:", "sourcecode")
SCRIPTS = {"sub": "_{", "sup": "^{"}  # 10<sup>-5</sup> is not 10-5
LINE_IN_CELL = "\u2028"  # parts formulas
FORMULA_FENCES = {True: (r"\[", r"\]"), False: (r"\(", r"\)")}


class PageReader:
    """Gathers the text of a block, then reads it like prose."""

    def __init__(self, found: Collector) -> None:
        self.found = found
        self.block: list[Placed] = []
        self.unseen: list[str] = []  # open elements, from the first that is not read
        self.math: list[Element] = []
        self.tables: list[list[list[Placed]]] = []
        self.cells: list[list[Placed]] = []  # what was gathered outside of each open cell
        self.from_mathml: set[int] = set()
        self.named = 0  # passages whose language is settled

    def read(self, text: Placed) -> None:
        if text.text.count("&") > SIGNS:
            raise DocumentError(self.found.name, "too_many", f"more than {SIGNS} entities")
        for number, event in enumerate(events(text)):
            if number > 2 * SIGNS:
                raise DocumentError(self.found.name, "too_many", f"more than {SIGNS} tags")
            if isinstance(event, Placed):
                self._text(event)
            elif self.math:
                self._in_math(event)
            else:
                self._tag(event)
        while self.cells:
            self._end_cell()
        while self.tables:
            self._end_table()
        self._end_block()

    def _text(self, piece: Placed) -> None:
        if self.math:
            self.math[-1].children.append(piece)
        elif not self.unseen:
            self.block.append(piece)

    def _tag(self, tag: Tag) -> None:
        if self.unseen:
            self._while_unseen(tag)
        elif tag.raw is not None:
            self._script(tag, tag.raw)
        elif tag.name == "math" and not tag.closes:
            self.math.append(Element("math", tag.origin, tag.attributes))
        elif not tag.closes and not tag.empty and tag.name not in EMPTY and _is_unseen(tag):
            self.unseen.append(tag.name)
        elif tag.name == "br":
            self.block.append(made(LINE_IN_CELL if self.cells else "\n", tag.origin))
        elif tag.name in SCRIPTS:
            self.block.append(made("}" if tag.closes else SCRIPTS[tag.name], tag.origin))
        elif tag.name in ("td", "th"):
            self._cell(tag)
        elif tag.name in BLOCKS:
            self._block(tag)

    def _while_unseen(self, tag: Tag) -> None:
        if tag.closes:
            if tag.name in self.unseen[-TREE_DEPTH:]:
                while self.unseen.pop() != tag.name:
                    pass
        elif not tag.empty and tag.name not in EMPTY:
            self.unseen.append(tag.name)

    def _script(self, tag: Tag, raw: Placed) -> None:
        kind = tag.attributes.get("type", "").lower()
        if tag.name == "script" and kind.startswith("math/tex") and raw.text.strip():
            self._formula(raw, "mode=display" in kind.replace(" ", ""))

    def _formula(self, formula: Placed, display: bool, mathml: bool = False) -> None:
        opening, closing = FORMULA_FENCES[display]
        formula = formula.strip()
        if not formula.text:
            return
        if mathml:
            self.from_mathml.add(formula.origins[0])
        self.block += [made(opening, formula.origins[0]), formula, made(closing, formula.origins[-1])]

    # -- MathML ------------------------------------------------------------------------------------------------
    def _in_math(self, tag: Tag) -> None:
        if tag.closes:
            if any(e.name == tag.name for e in self.math):
                while self.math:
                    element = self.math.pop()
                    if self.math:
                        self.math[-1].children.append(element)
                    else:
                        self._end_math(element)
                    if element.name == tag.name:
                        break
            return
        element = Element(tag.name, tag.origin, tag.attributes)
        if tag.empty or tag.raw is not None or len(self.math) >= TREE_DEPTH:
            if len(self.math) == TREE_DEPTH and not tag.empty:
                self.found.problem(
                    "too_deep", f"more than {TREE_DEPTH} elements of MathML inside each other", tag.origin
                )
                self.math, self.unseen = [], ["math"]
                return
            self.math[-1].children.append(element)
        else:
            self.math.append(element)

    def _end_math(self, element: Element) -> None:
        annotation = tex_annotation(element)
        display = element.attributes.get("display") == "block"
        self._formula(annotation or as_latex(element), display, mathml=annotation is None)

    # -- blocks and tables -----------------------------------------------------------------------------------
    def _block(self, tag: Tag) -> None:
        if tag.name == "table":
            if not tag.closes:
                self._end_block()
                self.tables.append([])
            elif self.tables:
                self._end_table()
        elif tag.name == "tr" and self.tables:
            if not tag.closes:
                self.tables[-1].append([])
        elif not self.cells:
            self._end_block()
        else:
            self.block.append(made(LINE_IN_CELL, tag.origin))

    def _cell(self, tag: Tag) -> None:
        if not self.tables:
            self._end_block()
        elif not tag.closes:
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
        rows = [[cell_of(cell, self.found) for cell in row] for row in self.tables.pop() if row]
        read_table(rows, self.found)
        self._languages()

    def _end_block(self) -> None:
        text, self.block = joined(self.block), []
        if text.text.strip():
            read_prose(text, self.found, tables=False)
            self._languages()

    def _languages(self) -> None:
        """Formulas that were rewritten from MathML say so."""
        if self.from_mathml:
            for i in range(self.named, len(self.found.passages)):
                passage = self.found.passages[i]
                if passage.language == "latex" and not self.from_mathml.isdisjoint(passage.origins):
                    self.found.passages[i] = replace(passage, language="mathml")
        self.named = len(self.found.passages)


def _is_unseen(tag: Tag) -> bool:
    classes = tag.attributes.get("class", "").lower()
    if tag.name in UNSEEN or tag.attributes.get("aria-hidden") == "true":
        return True
    if tag.name in ("code", "pre", "div") and any(p in classes for p in PROGRAMS):
        return not any(p in classes for p in ("language-text", "language-plaintext", "language-none", "language-math"))
    return any(word in RENDERED for word in classes.split())
