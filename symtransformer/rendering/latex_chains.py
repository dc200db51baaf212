"""Chains of equations as rows of LaTeX: what fits stands on one row, the rest is broken at relations and signs."""

from __future__ import annotations

from dataclasses import replace

from symtransformer.notation import Infix
from symtransformer.rendering.document import Chain, EntryFormula, Filled, Formula, Term
from symtransformer.rendering.latex_terms import LatexTerms
from symtransformer.rendering.latex_text import escape, width_of

SIGNS = {"=": "=", "≈": r"\approx"}
LINE = 62  # characters of mathematics that surely fit on a line


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
            broken = [
                line
                for (sign, text), (_, _, term) in zip(rights, shown, strict=True)
                for line in self._broken(sign, text, term)
            ]
            rows = [f"{left} &{broken[0]}", *(f"&{line}" for line in broken[1:])]
        return [self.followed_row(row) for row in rows] if chain.followed else rows

    def followed_row(self, row: str) -> str:
        """A row of the calculation that is followed."""
        if row.startswith("&"):
            return f"&{self.followed_mark}{row[1:]}"
        return self.followed_mark + row.replace(" &", f" &{self.followed_mark}", 1)

    def _broken(self, sign: str, text: str, term: Term) -> list[str]:
        """One side of an equation; a sum that is too long for a line is broken before a sign."""
        parts = self._summands(term) if width_of(text) > LINE else []
        if len(parts) < 2:
            return [f"{sign} {text}"]
        lines: list[str] = []
        for k, shown in enumerate(parts):
            signed = shown if k == 0 else f"- {shown[1:].lstrip()}" if shown.startswith("-") else f"+ {shown}"
            if lines and width_of(lines[-1]) + width_of(signed) <= LINE:
                lines[-1] += f" {signed}"
            else:
                lines.append((f"{sign} " if k == 0 else r"\quad ") + signed)
        return lines

    def _summands(self, term: Term) -> list[str]:
        """The terms of a sum, written; nothing where a side is no sum."""
        if isinstance(term, EntryFormula) and term.tree.kind == "sum":
            numbers = None if term.numbers is None else dict(term.numbers)
            return [self.arithmetic(part, numbers).text for part in term.tree.parts]
        form = term.tree.form() if isinstance(term, (Formula, Filled)) else None
        if not isinstance(form, Infix) or form.sign != "add" or not isinstance(term, (Formula, Filled)):
            return []
        parts = [self.piece(replace(term, tree=part)) for part in term.tree._children]
        return [self.dialect.fenced(part, form.level) for part in parts]

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
