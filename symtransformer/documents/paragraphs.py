r"""Text of LaTeX between its displays: `$5$ $\\times$ $5$ = $25$` is one formula, though half of it is prose."""

from __future__ import annotations

import re

from symtransformer.documents.collecting import Collector
from symtransformer.documents.decoding import DocumentError
from symtransformer.documents.limits import CLAIMS, LINE_CHARACTERS
from symtransformer.documents.placed import Placed, joined, made
from symtransformer.documents.records import Cell
from symtransformer.documents.rows import Atom, read_line

WITH_ARGUMENT = r"includegraphics|label|ref|eqref|pageref|cite[a-z]*|url|href|[hv]space|bibliography|setlength|definecolor|begin|end"
COMMAND = re.compile(
    rf"\\(?:{WITH_ARGUMENT})\*?(?:\[[^\[\]]{{0,200}}\])?\s*\{{[^{{}}]{{0,200}}\}}|"
    r"\\(?:[A-Za-z]+\*?|.)(?:\[[^\[\]\r\n]{0,200}\])?|[{}]|(?:\r\n|\r|\n)[ \t]*(?=[\r\n])",
    re.DOTALL,
)
IN_A_SENTENCE = re.compile(
    r"\\(?:textbf|textit|emph|textrm|textsf|texttt|text|mbox|textup|underline|,|;|!|:| |quad|nolinebreak)\Z"
)
BREAK = "\u2028"  # parts formulas


class Paragraph:
    """What stands between two displays, cells or items; commands of text are taken out."""

    def __init__(self, found: Collector) -> None:
        self.found = found
        self.cell: Cell | None = None
        self._clear()

    def _clear(self) -> None:
        self.pieces: list[Placed] = []
        self.atoms: list[Atom] = []
        self.length = 0

    def _add(self, piece: Placed) -> None:
        self.pieces.append(piece)
        self.length += len(piece.text)

    def add_text(self, text: Placed) -> None:
        if text.text:
            plain = COMMAND.sub(lambda found: _instead(found.group()), text.text)
            self._add(Placed(plain, text.origins))

    def add_formula(self, formula: Placed) -> None:
        """One formula of the text; a space on both sides stands for its dollars."""
        if not formula.text.strip():
            return
        if len(self.atoms) >= CLAIMS:
            raise DocumentError(self.found.name, "too_many", f"more than {CLAIMS} formulas")
        self._add(made(" ", formula.origins[0]))
        self.atoms.append(Atom("inline", self.length, self.length + len(formula.text)))
        self._add(formula)
        self._add(made(" ", formula.origins[-1]))

    def end(self) -> None:
        """Reads what has been gathered."""
        text, atoms = joined(self.pieces), self.atoms
        cell = self.cell
        self._clear()
        self.cell = None
        if self.length <= LINE_CHARACTERS and len(text.text) <= LINE_CHARACTERS:
            read_line(text, atoms, self.found, "line", cell)
            return
        for atom in atoms:
            self.found.passage(text.cut(atom.start, atom.end), "latex", "table" if cell else "inline", cell)


def _instead(command: str) -> str:
    """As many characters, so that every place is kept."""
    is_quiet = command in "{}" or IN_A_SENTENCE.match(command)
    return " " * len(command) if is_quiet else BREAK * len(command)
