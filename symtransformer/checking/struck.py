r"""Equations of which a part is struck out: \cancel{2} + 2 = 4 may say that 2 is left, and in a fraction that both 2 go."""

from __future__ import annotations

import re

from symtransformer.documents import Document, Relation
from symtransformer.documents.macros import group_after

BEGINS = re.compile(
    r"\\(?:[xbh]?cancel|sout|st(?=\s*\{))(?![A-Za-z])|\\cancelto\s*\{[^{}]{0,20}\}|(?P<tilde>~~)|<(?P<tag>s|del|strike)\b[^<>]{0,80}>|"
    r"<(?P<math>menclose)[^<>]{0,80}(?:strike|cross)[^<>]{0,40}>",
    re.IGNORECASE,
)
QUOTIENT = re.compile(r"\\[dtc]?frac|/(?!\w+>)|÷|\\div|<mfrac")
TAG = re.compile(r"<[^<>]*>")
BEFORE = 80  # characters


def is_partly_struck(document: Document, relation: Relation) -> bool:
    """Whether it matters which part is left: nothing is said of factors that go above and below."""
    origins = [o for o in (*relation.left.origins, *relation.right.origins) if o >= 0]
    if not origins:
        return False
    text, at = _around(document, min(origins), max(origins))
    for begins in BEGINS.finditer(text):
        if begins.end() <= at and TAG.sub("", text[begins.end() : at]).strip(" {$\\(["):
            continue  # it stands before the equation
        end = _end(text, begins)
        is_part = begins.start() >= at or at < end < len(text)  # else it is all of the equation, or none of it
        if is_part and not QUOTIENT.search(text[at:]):
            return True
    return False


def _around(document: Document, first: int, last: int) -> tuple[str, int]:
    """The equation as it stands in the file, with a little before it, and where it begins in that."""
    text = document.sources.written(first, last)
    before = document.sources.written(first - BEFORE, first - 1) if first else ""
    before = before[before.rfind("\n") + 1 :]
    return before + text, len(before)


def _end(text: str, begins: re.Match[str]) -> int:
    """Where what is struck ends; beyond the text, or -1, if it does not end in it."""
    if begins["tilde"]:
        return text.find("~~", begins.end())
    if tag := begins["tag"] or begins["math"]:
        return text.lower().find(f"</{tag.lower()}", begins.end())
    group = group_after(text, begins.end())
    if group is not None:
        return group[1]
    return -1 if text[begins.end() :].lstrip().startswith("{") else begins.end() + 1
