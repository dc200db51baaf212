"""Where the readers of all kinds of documents put what they find."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from symtransformer.documents.decoding import DocumentError
from symtransformer.documents.limits import CLAIMS, DEPTH, DISPLAY_CHARACTERS, FORMULA_CHARACTERS
from symtransformer.documents.placed import Placed, Sources
from symtransformer.documents.records import Cell, Mark, Passage, Problem
from symtransformer.documents.usual_notation import Translation
from symtransformer.reading.problems import quoted

MARK = re.compile(r"(?:%|<!--|#|//)[ \t]*symtransformer:[ \t]*([^\r\n]*)")
BRACKET = re.compile(r"[()\[\]{}]|\\begin(?![A-Za-z])|\\end(?![A-Za-z])")
MARK_WORDS = re.compile(r"(skip|expect[ \t]+wrong|let[ \t]+(?=\S)|convention[ \t]+(?=\S))(.*)", re.DOTALL)


def depth_of(text: str) -> int:
    """How deep brackets, braces and environments stand inside each other, at most."""
    depth = deepest = 0
    for found in BRACKET.finditer(text):
        depth = max(0, depth + (1 if found.group()[0] in "([{" or "begin" in found.group() else -1))
        deepest = max(deepest, depth)
    return deepest


@dataclass
class Collector:
    """Passages, marks and problems, each with its place."""

    name: str
    sources: Sources = field(default_factory=Sources)
    passages: list[Passage] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    tables: int = 0
    usual: Translation | None = None  # from the notation of the document

    def passage(
        self, piece: Placed, language: str, where: str, cell: Cell | None = None, continues: bool = False
    ) -> None:
        piece = piece.strip().folded()
        if not piece.text:
            return
        rows = piece.text.split("\\\\") if where == "display" else [piece.text]
        longest = max(len(row) for row in rows)
        if longest > FORMULA_CHARACTERS or len(piece.text) > DISPLAY_CHARACTERS:
            is_row = longest > FORMULA_CHARACTERS
            size, most = (longest, FORMULA_CHARACTERS) if is_row else (len(piece.text), DISPLAY_CHARACTERS)
            message = f"a formula of {size} characters; at most {most}"
            self.problem("too_long", message, piece.origins[0])
            return
        if depth_of(piece.text) > DEPTH:
            self.problem("too_deep", f"more than {DEPTH} brackets inside each other", piece.origins[0])
            return
        place = self.sources.place(piece.origins[0])
        if len(self.passages) >= CLAIMS:
            raise DocumentError(self.name, "too_many", f"more than {CLAIMS} formulas", place.line)
        self.passages.append(
            Passage(
                piece.text, tuple(piece.origins), place.file, place.line, place.column, language, where, cell, continues
            )
        )

    def problem(self, code: str, message: str, origin: int) -> None:
        place = self.sources.place(origin)
        if len(self.problems) >= CLAIMS:
            raise DocumentError(self.name, "too_many", f"more than {CLAIMS} things that cannot be read", place.line)
        self.problems.append(Problem(code, message, place.file, place.line, place.column))

    def marks_in(self, text: Placed) -> Placed:
        """Takes the author's marks out of comments; the text comes back with spaces there, in the usual notation."""
        pieces, done = [], 0
        for found in MARK.finditer(text.text):
            end = found.end()
            if "-->" in found.group(1):
                end = text.text.index("-->", found.start()) + 3
            said = text.text[found.start(1) : end].removesuffix("-->").strip()
            self._mark(said, text.origins[found.start()])
            pieces.append(text.text[done : found.start()] + " " * (end - found.start()))
            done = end
        rest = Placed("".join(pieces) + text.text[done:], text.origins)
        return rest if self.usual is None else self.usual.placed(rest)

    def _mark(self, said: str, origin: int) -> None:
        place = self.sources.place(origin)
        found = MARK_WORDS.fullmatch(said)
        words = found.group(1).split() if found else []
        rest = found.group(2).strip() if found else ""
        if not found or (words[0] in ("skip", "expect") and rest):
            known = "skip, expect wrong, let NAME = ..., convention log=2"
            self.problem("mark", f"{quoted(said)} is no mark; known are: {known}", origin)
            return
        text = rest if words[0] in ("let", "convention") else " ".join(words[1:])
        if len(text) > FORMULA_CHARACTERS:
            self.problem("too_long", f"a mark of {len(text)} characters; at most {FORMULA_CHARACTERS}", origin)
            return
        text = text if self.usual is None else self.usual.text(text)
        self.marks.append(Mark(words[0], text, place.file, place.line, place.column))
