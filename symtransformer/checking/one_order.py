"""Several files as one text: what is said in the first holds in the second, where they share what they define."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from symtransformer.documents import Document, Relation
from symtransformer.documents.placed import Place, Placed, Sources

LINES = sys.maxsize  # more than a file has


class OrderedSources(Sources):
    """The same sources, their lines counted on from file to file, under one name."""

    def __init__(self, sources: Sources, before: dict[str, int]) -> None:
        super().__init__(sources.names, sources.texts, sources.bases, sources.starts, sources.words)
        self.before = before

    def place(self, origin: int) -> Place:
        """Its line behind those of all files before."""
        place = super().place(origin)
        return Place("", place.line + self.before[place.file], place.column)

    def read_texts(self) -> Iterator[tuple[str, Placed]]:
        """All of them under one name."""
        yield from (("", text) for _, text in super().read_texts())


@dataclass
class OneOrder:
    """How many lines stand before each file, in the order in which they come.

    >>> from symtransformer.documents import read_document
    >>> order = OneOrder()
    >>> [order.of(read_document(b"a", name)).place(0).line % LINES for name in ("1.md", "2.md")], [*order.before]
    ([1, 1], ['1.md', '2.md'])
    """

    before: dict[str, int] = field(default_factory=dict)

    def of(self, document: Document) -> Document:
        """The document behind those that came before it."""
        for name in document.sources.names:
            self.before[name] = LINES * (len(self.before) + 1)
        return replace(document, sources=OrderedSources(document.sources, dict(self.before)))

    def relation(self, relation: Relation) -> Relation:
        """The relation as it stands in the order."""
        return replace(relation, file="", line=relation.line + self.before.get(relation.file, 0))
