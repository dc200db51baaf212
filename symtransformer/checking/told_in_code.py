"""Programs in a document that give a letter another value: `u += x`, and u = 5 where the words say u = 3."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from symtransformer.checking.quoted import FENCES, LISTINGS, PROGRAMS, blocks
from symtransformer.documents import Document

NAME = r"(?P<name>[A-Za-zα-ω]\w{0,15})"
CHANGED = re.compile(
    rf"(?<![\w.\\\]]){NAME}(?:\[[^\]\n]{{0,40}}\])?(?:\s*(?:\+|-|−|\*\*?|//?|@|%|×)=(?![=>])|(?:\+\+|--)(?=[`;\n]|\Z)|\.(?!__)\w{{1,20}}_\()"
)
ENTRY = re.compile(rf"(?:^|[\"`]|\\n)[ \t]*{NAME}\[[^\]\n]{{0,40}}\][ \t]*=(?!=)", re.MULTILINE)  # x[0] = 5
CELL = re.compile(
    r'"cell_type"\s*:\s*"code".{0,4000}?"source"\s*:\s*(?P<code>\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\]|"(?:[^"\\]|\\.)*")',
    re.DOTALL,
)
ASSIGNED = re.compile(
    rf'(?:^|["`>]|\\n)[ \t]*{NAME}[ \t]*=(?!=)[ \t]*(?P<value>[^=\n"#;<]{{1,80}}?)[ \t]*(?=\\n|[\n"#;<]|\Z)',
    re.MULTILINE,
)
PLAIN = re.compile(r"(?:[A-Za-z_]\w*(?![\w(.])|[0-9]+(?:\.[0-9]*)?|[-+*/()\[\], ])+")  # no calls, no attributes
PARTS = re.compile(r"[A-Za-z](?:_\w+|(?<=[A-Za-z])[0-9]+)?|[0-9]+(?:\.[0-9]+)?")
SETS = re.compile(r"\\[A-Za-z]+\*?(?:\{[a-z]*matrix\})?|[{}]")


@dataclass(frozen=True)
class InCode:
    """A name, where, and what a program assigns to it; nothing where the value is made of the one before."""

    file: str
    name: str
    at: tuple[int, int]
    value: str = ""

    def is_other_than(self, text: str) -> bool:
        """Whether it is not what the document's formula or number for the name is, as far as its letters and digits tell.

        >>> [InCode("", "u", (1, 1), "x**2").is_other_than(text) for text in ("x^2", "x^3")]
        [False, True]
        """
        return not self.value or (PLAIN.fullmatch(self.value) is not None and _parts(self.value) != _parts(text))


def _parts(text: str) -> Counter[str]:
    plain = SETS.sub(" ", text.replace("_{", "_").replace("\\text{", ""))
    return Counter(f"{float(part):g}" if part[0].isdigit() else part for part in PARTS.findall(plain))


def assigned_in_code(document: Document) -> Iterator[InCode]:
    """What programs assign, between ticks, in blocks and in cells; `u += x` also among the words."""
    for _, source in document.sources.read_texts():
        for found in CHANGED.finditer(source.text):
            yield _made(document, found, source.origins[found.start("name")])
    for base, text in zip(document.sources.bases, document.sources.texts, strict=True):
        for start, end in _programs(document, text):
            block, origin = text[start:end], base + start
            for found in ASSIGNED.finditer(block):
                value = found["value"]
                is_own = re.search(rf"(?<![\w.]){re.escape(found['name'])}(?!\w)", value) is not None
                yield _made(document, found, origin + found.start("name"), "" if is_own else value)
            others = (ENTRY, CHANGED) if document.kind == "html" else (ENTRY,)  # programs are no part of its words
            for found in (m for pattern in others for m in pattern.finditer(block)):
                yield _made(document, found, origin + found.start("name"))


def _programs(document: Document, text: str) -> Iterator[tuple[int, int]]:
    if document.kind == "notebook":
        yield from (cell.span("code") for cell in CELL.finditer(text))
    elif document.kind == "latex":
        yield from blocks(text, LISTINGS)
    else:
        yield from blocks(text, PROGRAMS)
        yield from blocks(text, FENCES) if document.kind == "markdown" else ()


def _made(document: Document, found: re.Match[str], origin: int, value: str = "") -> InCode:
    place = document.place(origin)
    return InCode(place.file, found["name"], (place.line, place.column), value)
