"""Chains of equations as rows of LaTeX: what fits stands on one row, the rest is broken at relations and signs."""

from __future__ import annotations

import re

from symtransformer.rendering.breaking import Marks, lines_of
from symtransformer.rendering.document import Chain
from symtransformer.rendering.latex_terms import LatexTerms
from symtransformer.rendering.latex_text import escape, width_of

SIGNS = {"=": "=", "≈": r"\approx"}
LINE = 62  # characters of mathematics that surely fit on a line

FULL_LINE = 70  # that mostly do


def _high(rows: int) -> tuple[str, str]:
    size = ("big", "big", "bigg")[rows] if rows < 3 else "Bigg"
    return rf"\{size}l(", rf"\{size}r)"


_ROW_END = re.compile(r"\\\\(?![a-z])")
MARKS = Marks(
    re.compile(
        r"(?P<whole>\\begin\{(?P<sort>[bp]matrix)\}.*?\\end\{(?P=sort)\})|(?P<open>\\left\()|(?P<close>\\right\))|(?P<inner>\{|\\left[^(])|(?P<outer>\}|\\right[^)])|\\[{}]"
        r"|(?P<sign> [-+] )|(?P<tight> \\(?:odot|oslash) )"
    ),
    r"\left(", r"\right)", _high, lambda matrix: len(_ROW_END.findall(matrix)) + 1,
)  # fmt: skip


class LatexChains(LatexTerms):
    """Rows of an aligned block, with & in front of the relation."""

    def left(self, chain: Chain) -> str:
        left = self.term(chain.left)
        return left if chain.label is None else rf"{self.in_math(self.words(chain.label))}\colon\;\; {left}"

    line = LINE

    def note(self, text: str) -> str:
        """A remark behind an equation."""
        return rf"\quad\text{{\small {escape(text)}}}"

    def aligned(self, chain: Chain, indent: int) -> list[str]:
        """One row for a short chain, otherwise a row for each relation."""
        left = self.left(chain)
        shown = self.rights(chain)
        rights = [(SIGNS[sign], text) for sign, text, _ in shown]
        if chain.operands_rounded:
            rights[-1] = (rights[-1][0], rights[-1][1] + self.note(self.sentence("operands_rounded")))
        narrow = sum(width_of(text) for _, text in rights) + indent <= self.line
        if narrow:
            head, tail = rights[0], rights[1:]
            rows = [left + f" &{head[0]} {head[1]}" + "".join(f" {sign} {text}" for sign, text in tail)]
        else:
            broken = [line for sign, text in rights for line in _broken(sign, text)]
            rows = [f"{left} &{broken[0]}", *(f"&{line}" for line in broken[1:])]
        return [self.followed_row(row) for row in rows] if chain.followed else rows

    def followed_row(self, row: str) -> str:
        """A row of the calculation that is followed."""
        if row.startswith("&"):
            return f"&{self.followed_mark}{row[1:]}"
        return self.followed_mark + row.replace(" &", f" &{self.followed_mark}", 1)

    def beside(self, chains: tuple[Chain, ...]) -> list[str]:
        """Short chains side by side, as many on a row as fit."""
        lines, line = [], ""
        for chain in chains:
            text = self.term(chain.left) + "".join(f" {SIGNS[sign]} {right}" for sign, right, _ in self.rights(chain))
            if line and width_of(line) + width_of(text) > LINE:
                lines.append(line)
                line = ""
            line += (r" \qquad " if line else "") + text
        return [*lines, line]


def _broken(sign: str, text: str) -> list[str]:
    """One side of an equation, which is broken before signs where it is too long for a line."""
    if width_of(text) <= LINE:
        return [f"{sign} {text}"]
    first, *others = lines_of(text, MARKS, width_of, LINE, FULL_LINE)
    return [f"{sign} {first}", *(rf"\quad {line}" for line in others)]
