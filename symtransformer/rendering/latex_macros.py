r"""Every value of a derivation as a TeX macro, so that prose cannot drift from the tables: \symvalue{Z}{2}{1}."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from symtransformer.notation import from_one
from symtransformer.rendering.document import Block, Document, Grid, LetterValues, ScalarValue
from symtransformer.rendering.latex_terms import LatexTerms
from symtransformer.rendering.numbers import Shown
from symtransformer.rendering.visible import visible
from symtransformer.symbols import Letter
from symtransformer.writing import piece_of

SIGNS = {True: "=", False: r"\approx"}
NOT_IN_A_KEY = re.compile(r"[^A-Za-z0-9_.-]")
COMMANDS = r"""
% \symvalue{Z}{2}{1}   row 2, column 1 of Z as the pages show it; \symexact: its exact form, where it is short
% \symis{Z}{2}{1}      with its sign: = where it is exact, \approx where it is rounded
% \symentry{Z}{2}{1}   its name; \symletter{Z}: the name of Z; \symformula{Z}: what Z is computed from
% \symmatrix{Z}        the whole matrix; \symmatrixis{Z}: with its sign
% \symnumber{d_k}      a size or a parameter
% Head 2 of W_Q is {W_Q^(2)}. After another file was read, \symuse{NAME} turns back to this one. In text and in formulas;
% whatever is not there stops TeX with an error.
\ifdefined\symuse\else
\newcommand{\symset}[2]{\expandafter\gdef\csname sym/\symnow/\detokenize{#1}\endcsname{#2}}
\newcommand{\symuse}[1]{\ifcsname sym/\detokenize{#1}\endcsname\xdef\symnow{\detokenize{#1}}\else
  \errmessage{symtransformer: no values of \detokenize{#1} were read}\fi}
\newcommand{\symlookup}[1]{\ifcsname sym/\symnow/\detokenize{#1}\endcsname
  \ensuremath{\csname sym/\symnow/\detokenize{#1}\endcsname}\else
  \errmessage{symtransformer: \symnow\space has no \detokenize{#1}}\fi}
\newcommand{\symvalue}[3]{\symlookup{value/#1/#2/#3}}
\newcommand{\symexact}[3]{\symlookup{exact/#1/#2/#3}}
\newcommand{\symis}[3]{\symlookup{is/#1/#2/#3}}
\newcommand{\symentry}[3]{\symlookup{entry/#1/#2/#3}}
\newcommand{\symletter}[1]{\symlookup{letter/#1}}
\newcommand{\symformula}[1]{\symlookup{formula/#1}}
\newcommand{\symmatrix}[1]{\symlookup{matrix/#1}}
\newcommand{\symmatrixis}[1]{\symlookup{matrixis/#1}}
\newcommand{\symnumber}[1]{\symlookup{number/#1}}
\fi
"""


class MacrosPrinter(LatexTerms):
    """Values as macros; words have no place here."""

    takes_template: ClassVar[bool] = False

    def laid_out(self, document: Document, blocks: list[str]) -> str:
        key = NOT_IN_A_KEY.sub("-", document.name)
        begin = rf"\expandafter\gdef\csname sym/{key}\endcsname{{}}\symuse{{{key}}}"
        return "\n".join([self.comment(document.comment), COMMANDS.strip(), begin, *blocks])

    def comment(self, lines: tuple[str, ...]) -> str:
        return "\n".join("% " + visible(line) for line in lines)

    def block(self, block: Block) -> str:
        if isinstance(block, ScalarValue):
            return _set("number", str(block.symbol), self.number(block.value))
        assert isinstance(block, LetterValues)
        return "\n".join(self._of_letter(block))

    def _of_letter(self, block: LetterValues) -> list[str]:
        letter = block.letter
        head = from_one(letter.head, self.heads)
        key = letter.name if head is None else f"{letter.name}^({self._counted(letter)})"
        lines = [_set("letter", key, self.dialect.letter(letter.name, head))]
        if block.formula is not None:
            lines.append(_set("formula", key, piece_of(block.formula, self.dialect, heads=self.heads).text))
        if block.grid is None:
            return lines
        grid = self.grid_piece(Grid(block.grid.cells)).text
        lines += [_set("matrix", key, grid), _set("matrixis", key, f"{SIGNS[block.grid.exact]} {grid}")]
        for i, (row, exact) in enumerate(zip(block.grid.cells, block.exact, strict=True)):
            for j, (shown, form) in enumerate(zip(row, exact, strict=True)):
                lines += self._of_entry(f"{key}/{i + 1}/{j + 1}", self.entry(letter, i, j), shown, form)
        return lines

    def _counted(self, letter: Letter) -> str:
        head: Any = letter.head
        return str(head + 1) if head.is_Integer else str(head)

    def _of_entry(self, key: str, name: str, shown: Shown, exact: Shown | None) -> list[str]:
        lines = [
            _set("value", key, self.number(shown)), _set("is", key, f"{SIGNS[shown.exact]} {self.number(shown)}"),
            _set("entry", key, name),
        ]  # fmt: skip
        return lines if exact is None else [*lines, _set("exact", key, self.number(exact))]

    # words have no place here, and blocks of words none either
    def heading(self, block: Any) -> str:
        raise NotImplementedError

    paragraph = equations = table = heat_map = verdict = index_equations = rule_note = heading


def _set(kind: str, key: str, text: str) -> str:
    return rf"\symset{{{kind}/{key}}}{{{text}}}"
