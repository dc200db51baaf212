r"""A fragment of LaTeX for \input: no preamble, no command that stays behind, widths measured by TeX itself."""

from __future__ import annotations

from symtransformer.notation import Words
from symtransformer.rendering.document import Chain, Document, Equations, Heading, IndexEquations, Remark
from symtransformer.rendering.latex import LatexPrinter
from symtransformer.rendering.latex_chains import SIGNS
from symtransformer.rendering.latex_lines import numbered_rows
from symtransformer.rendering.latex_text import escape
from symtransformer.writing import written

ROWS_TOGETHER = 6  # of broken equations in one box, which no page break can part
NO_LINE = -1  # no width at all: whatever may be broken is


class FragmentPrinter(LatexPrinter):
    r"""Each display in two forms, in one line and broken at relations; \symlines takes the first that fits."""

    template = "fragment.tex.j2"
    line = NO_LINE

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
            if groups[-1][0] and len(groups[-1][1]) + len(broken) > ROWS_TOGETHER:
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
        rows = numbered_rows(
            self, block, lambda part: part, lambda rule: rf"\quad\text{{\footnotesize {escape(rule)}}}", tagged=False
        )
        return "\n".join(_lines([row], [row]) for row in rows)

    def display(self, math: str) -> str:
        return _lines([math.replace(" = ", " &= ", 1)], [math.replace(" = ", " &= ", 1)])

    def _centered(self, columns: str, body: str, caption: Remark | Words | None) -> str:
        above = rf"{self.caption(caption)}\par\nobreak\smallskip" if caption else ""
        table = f"\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}"
        return f"\\begin{{center}}\n{above}\n\\fittedtable{{%\n{table}}}\n\\end{{center}}"


def _lines(in_one: list[str], broken: list[str]) -> str:
    first, second = (" \\\\\n".join(rows) for rows in (in_one, broken))
    return f"\\symlines{{%\n{first}}}{{%\n{second}}}" if first != second else f"\\symlines{{%\n{first}}}{{}}"
