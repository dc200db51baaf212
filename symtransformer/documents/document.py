"""From the bytes of a file to the mathematics in it."""

from __future__ import annotations

from pathlib import Path

from symtransformer.documents.collecting import Collector
from symtransformer.documents.data import read_answers, read_notebook
from symtransformer.documents.decoding import DocumentError, check_size, decoded
from symtransformer.documents.elements import without_elements
from symtransformer.documents.inputs import Inputs
from symtransformer.documents.kinds import kind_of
from symtransformer.documents.latex import LatexReader
from symtransformer.documents.limits import LINES, SIGNS
from symtransformer.documents.macros import Macros
from symtransformer.documents.markup import unescaped
from symtransformer.documents.placed import Placed
from symtransformer.documents.prose import read_prose
from symtransformer.documents.records import Document
from symtransformer.documents.signs import RELATING
from symtransformer.documents.usual_notation import Translation
from symtransformer.documents.webpage import PageReader


def read_document(
    content: bytes, name: str, kind: str = "", encoding: str = "", folder: Path | None = None,
    usual: Translation | None = None,
) -> Document:  # fmt: skip
    r"""The formulas of a document with their places; nothing in it is run.

    `kind` is latex, markdown, text, notebook, html or json, and is seen from content and name if it is left out.
    `usual` maps the notation of the document to the usual one. Files of \input are read only below `folder`, if one is given. Raises `DocumentError` where nothing can be read.

    >>> document = read_document("和は $1 + 2 = 3$ です。".encode(), "a.md")
    >>> [(p.text, p.line, p.column, p.language, p.where) for p in document.passages]
    [('1 + 2 = 3', 1, 5, 'latex', 'inline')]
    """
    text = decoded(content, name, encoding)
    kind = kind_of(text, name, kind)
    if kind != "notebook":
        check_size(content, name)
    _check_counts(text, name, kind)
    found = Collector(name, usual=usual)
    source = found.sources.add(name, text)
    source = source if kind in ("notebook", "json") else source.without_unseen()
    if kind == "notebook":
        read_notebook(source, found)
    elif kind == "json":
        read_answers(source, found)
    else:
        _read_text(found.marks_in(source), kind, found, Inputs(folder, encoding) if folder is not None else None)
    order = sorted(range(len(found.passages)), key=lambda i: found.passages[i].origins[0])
    if kind in ("latex", "notebook"):
        order = list(range(len(found.passages)))
    passages = tuple(found.passages[i] for i in order)
    return Document(name, kind, passages, tuple(found.marks), tuple(found.problems), found.sources)


def _check_counts(text: str, name: str, kind: str) -> None:
    """What would be much work is refused before it."""
    if sum(text.count(end) for end in "\n\r") > LINES:
        raise DocumentError(name, "too_many", f"more than {LINES} lines")
    if kind in ("latex", "markdown", "text") and sum(1 for _ in RELATING.finditer(text)) > SIGNS:
        raise DocumentError(name, "too_many", f"more than {SIGNS} signs that relate")


def _read_text(text: Placed, kind: str, found: Collector, inputs: Inputs | None) -> None:
    if kind == "latex":
        LatexReader(found, Macros(), inputs).read(text)
    elif kind == "html":
        PageReader(found).read(text)
    else:
        read_prose(unescaped(without_elements(text, found), signs_only=True), found)
