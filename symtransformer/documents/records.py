"""What is found in a document: passages of mathematics, marks of its author, and what could not be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from symtransformer.documents.placed import Place, Placed, Sources


@dataclass(frozen=True)
class Cell:
    """Where in which table a passage stands, all from 1; row 1 is the head, if there is one."""

    table: int
    row: int
    column: int
    heading: str = ""  # what stands at the top of the column
    label: str = ""  # what stands first in the row


@dataclass(frozen=True)
class Passage:
    r"""A piece of mathematics as it is written, macros expanded, without what fences it off.

    `language` is latex, text, or mathml: MathML is rewritten in the notation of LaTeX. `where` is display, inline,
    table, code, or line (a formula among prose). `origins` tell the place of each character; see `Document.place`.
    `continues`: it begins with a relation whose left side stands in the passage before.
    """

    text: str
    origins: Sequence[int]
    file: str
    line: int
    column: int
    language: str
    where: str
    cell: Cell | None = None
    continues: bool = False

    @property
    def placed(self) -> Placed:
        return Placed(self.text, self.origins)


@dataclass(frozen=True)
class Mark:
    """A word of the author to this program: kind is skip, expect, let or convention; `text` what follows it."""

    kind: str
    text: str
    file: str
    line: int
    column: int


@dataclass(frozen=True)
class Problem:
    """What could not be read: a code, and words for a person."""

    code: str
    message: str
    file: str
    line: int
    column: int


@dataclass(frozen=True)
class Relation:
    """`left sign right`: what one relation sign claims.

    Line and column are those of the sign. Relations of one chain `a = b ≈ c` share its number, in order; `above`
    says that the left side stands in a line before, `passage` is the passage's index in the document. `condition` is
    for which indices alone it is claimed: `i = j` beside it, or in the words shortly before it.
    """

    left: Placed
    sign: str
    right: Placed
    file: str
    line: int
    column: int
    chain: int
    passage: int
    above: bool = False
    condition: str = ""


@dataclass(frozen=True)
class Document:
    """The mathematics of a document, in its order."""

    name: str
    kind: str
    passages: tuple[Passage, ...]
    marks: tuple[Mark, ...]
    problems: tuple[Problem, ...]
    sources: Sources = field(compare=False, repr=False)

    def place(self, origin: int) -> Place:
        """File, line and column of a character of a passage, by its origin."""
        return self.sources.place(origin)
