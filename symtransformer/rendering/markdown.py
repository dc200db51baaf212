"""Markdown of a neutral document: for editors with KaTeX or MathJax; subclasses for code hosts and for Jupyter."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, ClassVar

from symtransformer.notation import Words
from symtransformer.rendering.document import (
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
    VerdictBlock,
)  # fmt: skip
from symtransformer.rendering.latex_chains import LatexChains
from symtransformer.rendering.latex_lines import numbered_rows
from symtransformer.rendering.latex_text import width_of
from symtransformer.rendering.markdown_text import (
    at_the_start,
    escape,
    escape_where_dollars_are_searched,
    in_math,
)
from symtransformer.rendering.numbers import BLANK, NOTHING, Shown
from symtransformer.rendering.text import shade_sign
from symtransformer.rendering.visible import visible
from symtransformer.symbols import Letter
from symtransformer.writing import written

BOX, GAP = r"\,\boxed{\rule{0pt}{0.8em}\qquad\quad}\,", r"\underline{\qquad\qquad}"  # an answer to be written in
SHOWN_ON_A_PAGE = 2000  # braces and formulas, counted by GitHub before it renders
BEGIN, END = "\ue000", "\ue001"  # around a formula in a line; no words hold them, since they are not visible


_FORMULA = re.compile(r"^```math\n.*?\n```$|\$`[^`]*`\$", re.DOTALL | re.MULTILINE)


class MarkdownPrinter(LatexChains):
    """Blocks as Markdown, formulas between dollars."""

    followed_mark = ""
    followed_key = "followed_bold"
    needs_space: ClassVar[str] = r"\w"  # in front of a formula

    # -- the page -------------------------------------------------------------------------------
    def laid_out(self, document: Document, blocks: list[str]) -> str:
        return spaced("\n\n".join([self.comment(document.comment), *blocks]), self.needs_space)

    def comment(self, lines: tuple[str, ...]) -> str:
        shown = "\n".join(visible(line) for line in lines)
        return f"<!--\n{re.sub(r'--(?=[ !]*>)', '- -', shown)}\n-->"

    def escape(self, text: str) -> str:
        return escape(visible(text.replace("\n", " ")))

    def inline(self, math: str) -> str:
        return f"{BEGIN}${self.mathematics(math)}${END}"

    def display(self, math: str) -> str:
        """A formula on lines of its own."""
        return f"$$\n{self.mathematics(math)}\n$$"

    def mathematics(self, math: str) -> str:
        """LaTeX in the words of this target."""
        return math

    def in_math(self, text: str) -> str:
        return in_math(text)

    def note(self, text: str) -> str:
        return rf"\quad{in_math(text)}"

    # -- words ------------------------------------------------------------------------------------
    def heading(self, block: Heading) -> str:
        title = self.words(block.words)
        shown = self.with_letters(title) if block.letter is not None else self.escape(title)
        letter = f"{self.inline(written(block.letter, self.dialect))}{self.colon}" if block.letter is not None else ""
        return f"{'#' * block.level} {letter}{shown}"

    def paragraph(self, block: Paragraph) -> str:
        return at_the_start(self.with_letters(self.words(block.words)))

    def remark(self, remark: Remark) -> str:
        return at_the_start(super().remark(remark))

    def statement(self, block: Statement) -> str:
        return at_the_start(super().statement(block)).replace(BOX, GAP)

    def rule_note(self, block: RuleNote) -> str:
        rule, words = self.escape(self.words(block.rule)), self.with_letters(self.words(block.explanation))
        rule = f"*{rule}*" if self.language == "en" else rule
        return f"({block.number}) {rule}{self.colon}{words}"

    def verdict(self, block: VerdictBlock) -> str:
        return f"**{self.escape(self.verdict_sentence(block))}**"

    # -- equations --------------------------------------------------------------------------------
    def equations(self, block: Equations) -> str:
        if block.side_by_side:
            return self.display(_rows("gathered", self.beside(block.chains)))
        indent = max(width_of(self.left(chain)) for chain in block.chains)
        return self.display(_rows("aligned", [row for chain in block.chains for row in self.aligned(chain, indent)]))

    def left(self, chain: Chain) -> str:
        if chain.label is None or not chain.followed:
            return super().left(chain)
        label = in_math(self.words(chain.label), r"\textbf")
        return rf"{label}\colon\;\; {self.term(chain.left)}"

    def index_equations(self, block: IndexEquations) -> str:
        rows = numbered_rows(self, block, lambda term: term, lambda rule: rf"\quad{in_math(rule)}")
        return self.tagged(f"\\begin{{align*}}\n{_below_each_other(rows)}\n\\end{{align*}}")

    def tagged(self, math: str) -> str:
        """Lines with numbers of their own."""
        return self.display(math)

    # -- tables -----------------------------------------------------------------------------------
    def table(self, block: Table) -> str:
        words = block.columns_of_words
        rows = []
        for i, row in enumerate(block.rows):
            cells = [
                self._cell(cell, ("row", i) in block.marks or ("column", j) in block.marks)
                for j, cell in enumerate(row)
            ]
            rows.append(([self.escape(self.words(block.labels[i]))] if block.labels else []) + cells)
        columns = ["---"] * bool(block.labels) + ["---" if k in words else "---:" for k in range(len(block.rows[0]))]
        return self._piped(block.heads, columns, rows, block.caption)

    def _cell(self, cell: Cell, followed: bool) -> str:
        if cell is None:
            return ""
        if isinstance(cell, Words):
            return self.escape(self.words(cell))
        if isinstance(cell, Letter):
            return self.inline(written(cell, self.dialect))
        return self.inline(
            self.entry(cell.letter, cell.i, cell.j) if isinstance(cell, EntryOf) else self.marked(cell, followed)
        )

    def _piped(
        self, heads: tuple[Any, ...], columns: list[str], rows: list[list[str]], caption: Remark | Words | None
    ) -> str:  # fmt: skip
        lines = [[self.head(head) for head in heads], columns, *rows]
        table = "\n".join(f"| {' | '.join(map(_in_cell, line))} |" for line in lines)
        return f"{at_the_start(self.caption(caption))}\n\n{table}" if caption else table

    def heat_map(self, block: HeatMap) -> str:
        rows = []
        for i, (label, numbers, shades) in enumerate(zip(block.labels, block.rows, block.shades, strict=True)):
            cells = []
            for j, (number, shade) in enumerate(zip(numbers, shades, strict=True)):
                shown = self._cell(number, ("row", i) in block.marks or ("column", j) in block.marks)
                cells.append(shown if number is BLANK else f"{shown} {shade_sign(shade)}".rstrip())
            rows.append([self.escape(self.words(label)), *cells])
        text = self._piped(block.heads, ["---", *["---:"] * len(block.rows[0])], rows, block.caption)
        if block.rows[0][0] is BLANK:
            return text
        if block.ends is None:
            return f"{text}\n\n{self.escape(self.sentence('heat_from_white_text'))}"
        low, high = (self.inline(self.number(end)) for end in block.ends)
        legend = self.escape(self.sentence("heat_from_least_text", low="⟦0⟧", high="⟦1⟧"))
        return f"{text}\n\n{legend.replace('⟦0⟧', low).replace('⟦1⟧', high)}"

    # -- terms --------------------------------------------------------------------------------------
    def marked(self, shown: Shown, followed: bool) -> str:
        text = self.number(shown)
        if not followed or shown in (BLANK, NOTHING):
            return text
        return rf"\mathbf{{{text}}}" if shown.formula is None else rf"\boldsymbol{{{text}}}"

    def unmarked(self, text: str) -> str:
        return _unwrapped(_unwrapped(text, r"\mathbf{"), r"\boldsymbol{")

    def number(self, shown: Shown) -> str:
        if shown is BLANK:
            return BOX
        return r"\text{–}" if shown is NOTHING else super().number(shown)


class CodeHostPrinter(MarkdownPrinter):
    """For code hosts, which take an underscore for emphasis, refuse commands, and search the page for dollars."""

    needs_space = r"[^\s(\[]"

    def laid_out(self, document: Document, blocks: list[str]) -> str:
        """With a word for the author where the page holds more formulas than a code host shows."""
        cost = sum(1 + formula.count("{") for block in blocks for formula in _FORMULA.findall(block))
        if cost > SHOWN_ON_A_PAGE:
            word = (
                f"formulas: {cost} braces and formulas; GitHub shows {SHOWN_ON_A_PAGE} on a page, so split it by --only"
            )
            document = replace(document, comment=(*document.comment, word))
        return super().laid_out(document, blocks)

    def escape(self, text: str) -> str:
        return escape_where_dollars_are_searched(visible(text.replace("\n", " ")))

    def inline(self, math: str) -> str:
        return f"{BEGIN}$`{self.mathematics(math)}`${END}"

    def display(self, math: str) -> str:
        return f"```math\n{self.mathematics(math)}\n```"

    def mathematics(self, math: str) -> str:
        return math.replace(r"\operatorname*{", r"\mathrm{").replace(r"\operatorname{", r"\mathrm{")

    def tagged(self, math: str) -> str:
        """The numbers as words, since a formula with a tag collapses there."""
        rows = re.sub(r" \\tag\{(\d+)\}", r"\\qquad\\text{(\1)}", math)
        return self.display(rows.replace("{align*}", "{aligned}"))


class JupyterPrinter(MarkdownPrinter):
    """For notebooks and the books that are made of them."""

    def escape(self, text: str) -> str:
        return escape_where_dollars_are_searched(visible(text.replace("\n", " ")))

    def tagged(self, math: str) -> str:
        return math  # an environment that stands alone is mathematics there, and no dollars may stand around it


def spaced(page: str, needs_space: str) -> str:
    """Spaces around formulas where a dollar beside a letter, or beside another one, would not count."""
    page = re.sub(f"{END}(?={BEGIN})", " ", page)
    page = re.sub(rf"(?<={needs_space}){BEGIN}", " ", page)
    return re.sub(rf"{END}(?=\w)", " ", page).replace(BEGIN, "").replace(END, "")


def _unwrapped(text: str, command: str) -> str:
    """What stands in the braces of a command, in place of the whole."""
    while (start := text.find(command)) >= 0:
        end = inside = start + len(command)
        depth = 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        text = text[:start] + text[inside : end - 1] + text[end:]
    return text


def _rows(environment: str, rows: list[str]) -> str:
    if len(rows) == 1:
        return rows[0].replace(" &", " ", 1) if environment == "aligned" else rows[0]
    return f"\\begin{{{environment}}}\n{_below_each_other(rows)}\n\\end{{{environment}}}"


def _below_each_other(rows: list[str]) -> str:
    """Rows with a gap where they are tall, since web pages set them close to each other."""
    tall = any(re.search(r"\\frac|\\sum|matrix", row) for row in rows)
    return (" \\\\[1ex]\n" if tall else " \\\\\n").join(row.replace(" \\\\*\n", " \\\\\n") for row in rows)


def _in_cell(cell: str) -> str:
    """A bar that parts no cells: as mathematics in a formula; in words it is escaped already."""
    return re.sub(rf"{BEGIN}.*?{END}", lambda found: found[0].replace("|", r"\vert "), cell)
