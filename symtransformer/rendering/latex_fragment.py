r"""A fragment of LaTeX for \input: no preamble, no command that stays behind, widths measured by TeX itself."""

from __future__ import annotations

import re

from symtransformer.notation import Words
from symtransformer.rendering.document import Chain, Document, Equations, Heading, IndexEquations, Remark
from symtransformer.rendering.latex import LatexPrinter
from symtransformer.rendering.latex_chains import SIGNS
from symtransformer.rendering.latex_lines import INDEX_LINE, numbered_rows
from symtransformer.rendering.latex_text import escape
from symtransformer.writing import written

ROWS_TOGETHER, LINES_TOGETHER = (
    6,
    8,
)  # of broken equations in one box, which no page break can part, and of their matrices
NARROW = 36  # signs of a numbered line where a slide or a column is too narrow for it
NO_LINE = -1  # no width at all: whatever may be broken is


class FragmentPrinter(LatexPrinter):
    r"""Each display in two forms, in one line and broken at relations; \symlines takes the first that fits."""

    template = "fragment.tex.j2"
    line = NO_LINE
    joins = keeps = ""

    def page(self, document: Document) -> str:
        return super().page(document).replace("\n\n\\symlines", "\n\\symlines")

    def heading(self, block: Heading) -> str:
        if block.level == 1:
            return ""
        title = self.with_letters(self.words(block.words)) if block.letter else escape(self.words(block.words))
        if block.letter is not None:
            title = rf"{self.inline(written(block.letter, self.dialect))}\enspace {title}"
        return rf"\{'symsection' if block.level == 2 else 'symstep'}{{{title}}}"

    def equations(self, block: Equations) -> str:
        groups: list[tuple[list[str], list[str]]] = [([], [])]
        for chain in block.chains:
            broken = self.aligned(chain, 0)
            lines = sum(map(_lines_of, [*groups[-1][1], *broken]))
            if groups[-1][0] and (len(groups[-1][1]) + len(broken) > ROWS_TOGETHER or lines > LINES_TOGETHER):
                groups.append(([], []))
            groups[-1][0].append(self._row(chain))
            groups[-1][1].extend(broken)
        return "\n".join(_lines(*group) for group in groups)

    def _row(self, chain: Chain) -> str:
        """All of it on one row."""
        rights = [f"{SIGNS[sign]} {text}" for sign, text, _ in self.rights(chain)]
        note = self.note(self.sentence("operands_rounded")) if chain.operands_rounded else ""
        row = f"{self.left(chain)} &{' '.join(rights)}{note}"
        return self.followed_row(row) if chain.followed else row

    def index_equations(self, block: IndexEquations) -> str:
        def rule(name: str) -> str:
            return rf"\quad\text{{\footnotesize {escape(name)}}}"

        wide, narrow = (
            numbered_rows(self, block, lambda part: part, rule, tagged=False, room=room)
            for room in (INDEX_LINE, NARROW)
        )
        return "\n".join(_lines([row], [broken]) for row, broken in zip(wide, narrow, strict=True))

    def display(self, math: str) -> str:
        return _lines([math.replace(" = ", " &= ", 1)], [math.replace(" = ", " &= ", 1)])

    def drawn(self, words: str, picture: str) -> str:
        return f"\\symdrawing{{{words}}}{{%\n{picture}}}"

    def _centered(self, columns: str, body: str, caption: Remark | Words | None) -> str:
        above = rf"{self.caption(caption)}\par\nobreak\smallskip" if caption else ""
        table = f"\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}"
        return f"\\begin{{center}}\n{above}\n\\fittedtable{{%\n{table}}}\n\\end{{center}}"


def _lines(in_one: list[str], broken: list[str]) -> str:
    first, second = (" \\\\\n".join(rows) for rows in (in_one, broken))
    return f"\\symlines{{%\n{first}}}{{%\n{second}}}" if first != second else f"\\symlines{{%\n{first}}}{{}}"


def _lines_of(row: str) -> int:
    """How many lines the highest matrix in a row has."""
    return max((matrix.count(r"\\") + 1 for matrix in re.findall(r"\\begin\{.matrix\}(.*?)\\end", row)), default=1)
