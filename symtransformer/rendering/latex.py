"""LaTeX of a neutral document: a complete page for LuaLaTeX (and pdfLaTeX where it holds no Japanese)."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

from symtransformer.notation import Words
from symtransformer.rendering.displays import with_joined_displays
from symtransformer.rendering.document import (
    Block,
    Cell,
    Chain,
    Document,
    EntryOf,
    Equations,
    Flow,
    Grid,
    Heading,
    HeatMap,
    IndexEquations,
    Paragraph,
    PartsFlow,
    Remark,
    RuleNote,
    Statement,
    Table,
    VerdictBlock,
)  # fmt: skip
from symtransformer.rendering.elision import ACROSS, BOTH, DOWN, elided, upright
from symtransformer.rendering.latex_chains import LatexChains
from symtransformer.rendering.latex_flow import drawing, summary
from symtransformer.rendering.latex_lines import NEAR, numbered_lines, together
from symtransformer.rendering.latex_parts import column
from symtransformer.rendering.latex_text import escape, width_of
from symtransformer.rendering.layout import laid_out
from symtransformer.rendering.numbers import BLANK, Shown
from symtransformer.rendering.ties import tied
from symtransformer.rendering.visible import visible
from symtransformer.symbols import Letter
from symtransformer.writing import written

DOTS = {ACROSS.text: r"\cdots", DOWN.text: r"\vdots", BOTH.text: r"\ddots"}
PACKAGES = ("amsmath", "amssymb", "booktabs", "graphicx", "xcolor")
TABLE_LINE = 64  # of a table, the gaps between its columns counted
FITTED_FROM = 72  # wider equations stand apart, and shrink if they are wider than the page
LIGHTEST, DARKEST, BLACK_ON = 6, 85, 45  # percent of black in a shaded cell, and up to where its number is black
OPERAND, SIGN = r"\$[^$ ]+\$|[0-9](?:[0-9.,]*[0-9])?", r"[=+/]|\$(?:-|\\(?:times|ge|le|approx))\$"  # among words
ON_ONE_PAGE = 3000  # signs of a paragraph that no page parts
WORDS_TOGETHER = 4  # so few blocks of words below a heading are not parted
KEPT_TOGETHER, ROWS_TOGETHER = 4, 8  # so few equations, and rows, are not torn apart at the end of a page
_BEHIND_ANOTHER = re.compile(
    r"(\\end\{(?:align|gather)\*\}|\\fitted\{[^\n]*\})\n\\nopagebreak\n(\\begin\{align\*\}.*?\\end\{align\*\})$",
    re.S | re.M,
)


class LatexPrinter(LatexChains):
    """Blocks as LaTeX."""

    template = "page.tex.j2"

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.labels: set[str] = set()  # of steps
        self.begun = 0  # the level of the last heading, 0 where more than words has come since
        self.told = 0  # blocks of words below it

    def page(self, document: Document) -> str:
        # a display belongs to the paragraph before it; one of its own would begin with an empty line
        text = super().page(with_joined_displays(document)).replace("\n\n\\nopagebreak\n", "\n\\nopagebreak\n")
        # and so would one behind another, if anything stood between them
        return _BEHIND_ANOTHER.sub(r"\1\n\\predisplaypenalty=0\n\2\n\\predisplaypenalty=10000\n", text)

    def comment(self, lines: tuple[str, ...]) -> str:
        return "\n".join("% " + visible(line) for line in lines)

    def context(self, document: Document, blocks: list[str]) -> dict[str, Any]:
        """Also the commands that the blocks use."""
        context = super().context(document, blocks) | {"joins": any(text.startswith(r"\joined") for text in blocks)}
        further = ["colortbl"] * context["has_shades"] + ["tikz"] * context["has_drawings"]
        return {
            **context, "definitions": laid_out("definitions.tex.j2", context),
            "fonts": laid_out("fonts.tex.j2", context),
            "packages": rf"\usepackage{{{','.join([*PACKAGES, *further])}}}",
        }  # fmt: skip

    def widest(self, blocks: list[str]) -> int:
        matrices = re.findall(r"\\begin\{[bp]matrix\}(.*?)\\end\{[bp]matrix\}", "\n".join(blocks), re.DOTALL)
        return max((row.count("&") + 1 for matrix in matrices for row in matrix.split(r"\\")), default=0)

    # -- blocks -----------------------------------------------------------------------------
    def block(self, block: Block) -> str:
        """A heading and the words below it stand on the page of the first formula, those of a section with its first step."""
        text = super().block(block)
        if not text:
            return text
        if isinstance(block, Heading):
            text = self.joins + text if block.level > 2 == self.begun and self.told else text
            self.begun, self.told = block.level, 0
        elif isinstance(block, (Paragraph, Remark, Statement, VerdictBlock)):
            text = tied(text, OPERAND, SIGN)
            text = self.keeps + text if self.begun and 0 < self.told < WORDS_TOGETHER else text
            self.told += 1
        else:
            self.begun = 0
        return text

    joins, keeps = "\\joined\n", "\\nobreak\n"  # before a heading, and before words, that stay with the words above

    def heading(self, block: Heading) -> str:
        title = self.with_letters(self.words(block.words)) if block.letter else escape(self.words(block.words))
        if block.level == 1:
            return ""  # the template has it
        if block.level == 2:
            return rf"\section{{{title}}}"
        if block.letter is None:
            return rf"\subsection{{{title}}}"
        return rf"\subsection{{{self.inline(written(block.letter, self.dialect))}\quad {title}}}{self._label(block.letter)}"

    def _label(self, letter: Letter) -> str:
        """For references of one's own; a step that is shown again keeps its first number."""
        head = "" if letter.head is None else f"-{letter.head}"
        label = rf"\label{{step:{letter.name}{head}}}"
        if label in self.labels:
            return ""
        self.labels.add(label)
        return label

    def paragraph(self, block: Paragraph) -> str:
        text = self.with_letters(self.words(block.words))
        return text if len(text) <= ON_ONE_PAGE else f"{{\\interlinepenalty=0 {text}\\par}}"

    def equations(self, block: Equations) -> str:
        if block.side_by_side:
            return self._side_by_side(block.chains)
        indent = max(width_of(self.left(chain)) for chain in block.chains)
        rows = [[_narrowed(row, indent) for row in self.aligned(chain, indent)] for chain in block.chains]
        return "\\nopagebreak\n" + _display([" \\\\*\n".join(own) for own in rows])

    def _side_by_side(self, chains: tuple[Chain, ...]) -> str:
        displays: list[str] = []
        for wide, group in groupby(self.beside(chains), lambda text: width_of(text) > FITTED_FROM):
            rows = list(group)
            gathered = "\\begin{gather*}\n" + " \\\\\n".join(rows) + "\n\\end{gather*}"
            displays += [f"\\fitted{{{row}}}" for row in rows] if wide else [gathered]
        return "\\nopagebreak\n" + "\n".join(displays)

    def index_equations(self, block: IndexEquations) -> str:
        return numbered_lines(self, block)

    def rule_note(self, block: RuleNote) -> str:
        rule, words = escape(self.words(block.rule)), self.with_letters(self.words(block.explanation))
        rule = rf"\textit{{{rule}}}" if self.language != "ja" else rule
        return f"({block.number}) {rule}{self.colon}{words}"

    def table(self, block: Table) -> str:
        words = block.columns_of_words
        columns = "l" * bool(block.labels) + "".join("l" if k in words else "r" for k in range(len(block.rows[0])))
        heads = [
            rf"\multicolumn{{1}}{{c}}{{{self.head(head)}}}"
            if block.labels and head and column == "r"
            else self.head(head)
            for head, column in zip(block.heads, columns, strict=True)
        ]
        lines = [" & ".join(heads) + r" \\ \midrule"]
        for i, row in enumerate(block.rows):
            cells = [
                self._cell(cell, ("row", i) in block.marks or ("column", j) in block.marks)
                for j, cell in enumerate(row)
            ]
            if block.labels:
                cells.insert(0, f"{{{escape(self.words(block.labels[i]))}}}")  # \\ [CLS] would be a length
            lines.append(" & ".join(cells) + r" \\")
        return self._centered(columns, "\\toprule\n" + "\n".join(lines) + "\n\\bottomrule", block.caption)

    def _cell(self, cell: Cell, followed: bool) -> str:
        if cell is None:
            return ""
        if isinstance(cell, Words):
            return f"{{{escape(self.words(cell))}}}"
        if isinstance(cell, Letter):
            return self.inline(written(cell, self.dialect))
        return self.inline(
            self.entry(cell.letter, cell.i, cell.j) if isinstance(cell, EntryOf) else self.marked(cell, followed)
        )

    def _centered(self, columns: str, body: str, caption: Remark | Words | None) -> str:
        above = rf"{self.caption(caption)}\par\nobreak\smallskip" if caption else ""
        table = f"\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}"
        shown = re.sub(r"\$|\\multicolumn\{1\}\{c\}|\\cellcolor\{[^}]*\}|\\textcolor\{[^}]*\}", "", body).split("\n")
        if max(width_of(line) + 3 * line.count("&") for line in shown) > TABLE_LINE:
            table = f"\\fittedtable{{%\n{table}}}"
        return f"\\begin{{center}}\n{above}\n{table}\n\\end{{center}}"

    def heat_map(self, block: HeatMap) -> str:
        lines = [" & ".join(self.head(head) for head in block.heads) + r" \\"]
        for i, (label, row) in enumerate(zip(block.labels, block.rows, strict=True)):
            bold = [("row", i) in block.marks or ("column", j) in block.marks for j in range(len(row))]
            cells = [self._shaded(*cell) for cell in zip(row, block.shades[i], bold, strict=True)]
            lines.append(" & ".join([f"{{{escape(self.words(label))}}}", *cells]) + r" \\")
        body = "\n".join(lines)
        text = self._centered("l" + "c" * len(block.rows[0]), body, block.caption).replace(
            r"\begin{tabular}", "\\renewcommand{\\arraystretch}{1.3}\n\\begin{tabular}"
        )
        if block.rows[0][0] is BLANK:
            return text
        if block.ends is None:
            return f"{text}\n{escape(self.sentence('heat_from_white'))}"
        low, high = (self.inline(self.number(end)) for end in block.ends)
        legend = escape(self.sentence("heat_from_least", low="⟦0⟧", high="⟦1⟧"))
        return f"{text}\n{legend.replace('⟦0⟧', low).replace('⟦1⟧', high)}"

    def _shaded(self, shown: Shown, shade: int | None, bold: bool) -> str:
        text = self.inline(
            rf"\mathbf{{{self.number(shown)}}}" if bold and shown.formula is None else self.number(shown)
        )
        if shade is None:
            return text
        ink = LIGHTEST + shade * (DARKEST - LIGHTEST) // 100
        text = text if ink <= BLACK_ON else rf"\textcolor{{white}}{{{text}}}"
        return rf"\cellcolor{{black!{ink}}}{text}"

    # -- terms ------------------------------------------------------------------------------
    def grid(self, grid: Grid) -> str:
        if (column := upright(grid)) is not None:
            return f"{{{self.dialect.suffix['transpose'].format(super().grid(column))}}}"
        return super().grid(elided(grid))

    def number(self, shown: Shown) -> str:
        return DOTS.get(shown.text) or super().number(shown)

    def statement(self, block: Statement) -> str:
        return super().statement(block).replace(r"$\blank$", r"\gap{}")

    def flow(self, flow: Flow) -> str:
        parts = [self.drawn(escape(self.sentence("flow")), drawing(self, flow))]
        if (whole := summary(self, flow)) is not None:
            parts += [escape(self.sentence("flow_summary")), self.display(whole)]
        return "\n\n".join(parts)

    def parts_flow(self, flow: PartsFlow) -> str:
        return self.drawn(escape(self.sentence("flow_parts")), column(self, flow))

    def drawn(self, words: str, picture: str) -> str:
        return f"{words}\n\n\\begin{{center}}\n\\fittedtable{{%\n{picture}}}\n\\end{{center}}"

    def display(self, math: str) -> str:
        return f"\\nopagebreak\n\\[\n{math}\n\\]"

    def verdict(self, block: VerdictBlock) -> str:
        return rf"\textbf{{{escape(self.verdict_sentence(block))}}}"


def _narrowed(row: str, indent: int) -> str:
    """A row that is too wide for the line: what stands behind its sign is set smaller, if it really is too wide."""
    left, _, right = row.partition("&")
    mark, sign, shown = re.fullmatch(r"((?:\\followed)?)( ?(?:=|\\approx|\\quad) )(.*)", right, re.DOTALL).groups()  # type: ignore[union-attr]
    if width_of(shown) + max(indent, width_of(left)) <= FITTED_FROM:
        return row
    return f"{left}&{mark}{sign}\\narrowed{{{indent}}}{{{shown}}}"


def _display(equations: list[str]) -> str:
    rows = [text.count("\n") + 1 for text in equations]
    if len(equations) <= KEPT_TOGETHER and sum(rows) <= ROWS_TOGETHER:
        near = len(equations)
    else:  # an equation of several rows stands alone
        near = NEAR if max(rows) == 1 else 2 if 1 in (rows[0], rows[-1]) else 1
    return f"\\begin{{align*}}\n{together(equations, set(range(len(equations))), near)}\n\\end{{align*}}"
