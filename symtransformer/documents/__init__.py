"""The mathematics in a document: LaTeX, Markdown, plain text, notebooks, web pages, JSON; every formula with its place."""

from __future__ import annotations

from symtransformer.documents.assertions import Saying, said_of
from symtransformer.documents.decoding import DocumentError
from symtransformer.documents.document import read_document
from symtransformer.documents.placed import Place, Placed
from symtransformer.documents.records import Cell, Document, Mark, Passage, Problem, Relation
from symtransformer.documents.splitting import relations, split
from symtransformer.documents.unread_signs import unread_signs

__all__ = [
    "Cell", "Document", "DocumentError", "Mark", "Passage", "Place", "Placed", "Problem", "Relation", "Saying",
    "read_document", "relations", "said_of", "split", "unread_signs",
]  # fmt: skip
