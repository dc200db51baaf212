r"""Documents in LaTeX: display and inline math, tables, an author's own commands, files of \input; nothing is run."""

from __future__ import annotations

import re

from symtransformer.documents.collecting import Collector
from symtransformer.documents.inputs import Inputs
from symtransformer.documents.limits import DISPLAY_CHARACTERS, FORMULA_CHARACTERS
from symtransformer.documents.macros import DEFINING, Macros, group_after
from symtransformer.documents.paragraphs import Paragraph
from symtransformer.documents.placed import Placed
from symtransformer.documents.records import Cell
from symtransformer.documents.regions import LONGEST, Finder
from symtransformer.documents.signs import ROWS

VERBATIM = (
    "verbatim",
    "verbatim*",
    "Verbatim",
    "lstlisting",
    "minted",
    "comment",
    "alltt",
    "filecontents",
    "filecontents*",
    "tikzpicture",
)
TABLES = ("tabular", "tabular*", "tabularx", "longtable", "array")
COLUMN_ARGUMENTS = {"tabular": 1, "longtable": 1, "tabular*": 2, "tabularx": 2}
INTERESTING = re.compile(
    r"""(?P<pair>\\\\|\\[$%&])|(?P<comment>%[^\r\n]*)|(?P<verb>\\(?:verb\*?|lstinline)(?![A-Za-z])[ ]?([^A-Za-z0-9\s{]))
    |(?P<begin>\\begin\s*\{(?P<env>[A-Za-z]+\*?)\})|(?P<end>\\end\s*\{(?P<closed>[A-Za-z]+\*?)\})
    |(?P<display>\$\$|\\\[)|(?P<inline>\$|\\\()|(?P<input>\\(?:input|include|subfile)(?![A-Za-z])\s*(?:\{(?P<path>[^{}\r\n]{0,200})\})?)
    |(?P<define>\\(?:newcommand|renewcommand|providecommand|DeclareMathOperator|def|let)\*?(?![A-Za-z]))|(?P<cell>&)
    |(?P<off>\\iffalse(?![A-Za-z]))|(?P<phantom>\\[hv]?phantom(?=\s*\{))""",
    re.VERBOSE,
)
TIE = re.compile(r"(?<!\\)~")  # a space at which no line ends: $t$~=~1 says that t is 1
COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\r\n]*")
BLANK_LINE = re.compile(r"(?:\r\n|\r(?!\n)|\n)[ \t]*(?:\r|\n)")
CLOSING = {"$$": "$$", r"\[": r"\]", "$": "$", r"\(": r"\)"}


class LatexReader:
    """One pass over a file; files of \\input are read where they stand."""

    def __init__(self, found: Collector, macros: Macros, inputs: Inputs | None) -> None:
        self.found, self.macros, self.inputs = found, macros, inputs
        self.tables: list[list[int]] = []  # number, row, column of each open table
        self.finder = Finder("")
        self.paragraph = Paragraph(found)

    def read(self, text: Placed) -> None:
        whole = text.text
        outer = self.finder
        begins = re.search(r"^[^%\r\n]*\\begin\s*\{document\}", whole, re.MULTILINE)
        body = begins.end() if begins else 0
        last = whole.rfind("\\end{document}", body) if begins else -1
        text = text.cut(0, last) if last >= 0 else text
        whole, at = text.text, 0
        self.finder = Finder(whole)
        while (sign := INTERESTING.search(whole, at)) is not None:
            kind = sign.lastgroup or ""
            in_preamble = sign.start() < body
            if not in_preamble:
                self.paragraph.add_text(without_ties(text.cut(max(at, body), sign.start())))
            at = max(sign.end(), self._sign(text, kind, sign, in_preamble))
        self.paragraph.add_text(without_ties(text.cut(max(at, body))))
        self.paragraph.end()
        self.finder = outer

    def _sign(self, text: Placed, kind: str, sign: re.Match[str], in_preamble: bool) -> int:
        """What one sign leads to; the place where reading goes on."""
        if kind == "define":
            return self._define(text, sign)
        if kind not in ("comment", "inline", "pair", "define"):
            self.paragraph.end()
        if kind == "verb":
            closing = text.text.find(sign.group(4), sign.end(), sign.end() + 1_000)
            return closing + 1 if closing >= 0 else sign.end()
        if kind == "off":
            return self._behind(text, r"\fi", sign.end())
        if kind == "phantom":
            inside = group_after(text.text, sign.end())
            return inside[1] + 1 if inside is not None else sign.end()
        if kind == "begin" and sign.group("env") in VERBATIM:
            return self._behind(text, f"\\end{{{sign.group('env')}}}", sign.end())
        if in_preamble and kind != "input":
            return sign.end()
        if kind == "input":
            self._input(text, sign)
        elif kind in ("display", "inline"):
            return self._math(text, sign, kind)
        elif kind == "begin":
            return self._environment(text, sign)
        elif kind in ("cell", "pair", "end"):
            self._table(sign, kind)
            if sign.group() in ("\\%", "\\&"):
                self.paragraph.add_text(text.cut(sign.start() + 1, sign.end()))
        return sign.end()

    def _behind(self, text: Placed, closing: str, at: int) -> int:
        end = self._find(closing, at)
        return end + len(closing) if end >= 0 else at

    def _find(self, closing: str, at: int) -> int:
        """The place of the next, or -1."""
        end = self.finder.find(closing, at)
        return end if end < len(self.finder.whole) else -1

    def _define(self, text: Placed, sign: re.Match[str]) -> int:
        at = DEFINING.match(text.text, sign.start())
        assert at is not None
        end, problem = self.macros.define(text.text, at)
        if problem:
            self.found.problem("macro", problem, text.origins[sign.start()])
        return end

    def _math(self, text: Placed, sign: re.Match[str], kind: str) -> int:
        closing = CLOSING[sign.group()]
        end = self._find(closing, sign.end())
        while end > 0 and text.text[end - 1] == "\\" and closing in ("$", "$$") and text.text[end - 2 : end] != "\\\\":
            end = self._find(closing, end + 1)
        blank = self.finder.match(BLANK_LINE, sign.end())
        if end < 0 or blank < end or end - sign.end() > LONGEST:
            self.found.problem("unclosed", "a formula begins here and does not end", text.origins[sign.start()])
            return sign.end()
        self._formula(text.cut(sign.end(), end), "display" if kind == "display" else "inline")
        return end + len(closing)

    def _environment(self, text: Placed, sign: re.Match[str]) -> int:
        name = sign.group("env")
        if name in TABLES:
            self.found.tables += 1
            self.tables.append([self.found.tables, 1, 1])
        if name not in ROWS:
            return _behind_columns(text.text, sign.end(), name)
        closing = f"\\end{{{name}}}"
        end = self._find(closing, sign.end())
        if end < 0 or end - sign.end() > DISPLAY_CHARACTERS:
            self.found.problem("unclosed", f"{name} begins here and does not end", text.origins[sign.start()])
            return sign.end()
        self._formula(text.cut(sign.start(), end + len(closing)), "display")
        return end + len(closing)

    def _table(self, sign: re.Match[str], kind: str) -> None:
        if not self.tables:
            return
        self.paragraph.end()
        table = self.tables[-1]
        if kind == "cell":
            table[2] += 1
        elif kind == "pair" and sign.group() == "\\\\":
            table[1:] = [table[1] + 1, 1]
        elif kind == "end" and sign.group("closed") in TABLES:
            self.tables.pop()

    def _formula(self, formula: Placed, where: str) -> None:
        bare = without_comments(formula)
        at_most = (2 if where == "inline" else 5) * FORMULA_CHARACTERS  # a display has rows
        expanded = self.macros.expand(bare, self.found.problem, at_most)
        if expanded is None:
            return
        self.paragraph.cell = Cell(self.tables[-1][0], self.tables[-1][1], self.tables[-1][2]) if self.tables else None
        if where == "inline":
            self.paragraph.add_formula(expanded)
        else:
            self.found.passage(expanded, "latex", where, self.paragraph.cell)

    def _input(self, text: Placed, sign: re.Match[str]) -> None:
        origin = text.origins[sign.start()]
        path = sign.group("path")
        if path is None or self.inputs is None:
            return
        included = self.inputs.read(path, origin, self.found)
        if included is not None:
            self.read(self.found.marks_in(included))
            self.inputs.leave()


def _behind_columns(text: str, at: int, table: str) -> int:
    """Where what is shown of an environment begins: {cc} says how the columns of a table are set."""
    for _ in range(COLUMN_ARGUMENTS.get(table, 0)):
        inside = group_after(text, at)
        at = inside[1] + 1 if inside is not None else at
    return at


def without_ties(words: Placed) -> Placed:
    """Words between formulas, where ~ is a space and no sign of approximation."""
    return Placed(TIE.sub(" ", words.text), words.origins)


def without_comments(formula: Placed) -> Placed:
    """A comment with spaces in its place; the end of the line stays."""
    if "%" not in formula.text:
        return formula
    text = COMMENT.sub(lambda found: found.group(1) + " " * (len(found.group()) - len(found.group(1))), formula.text)
    return Placed(text, formula.origins)
