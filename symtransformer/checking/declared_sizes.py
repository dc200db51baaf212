r"""Sizes that a document gives names, $A \in \mathbb{R}^{2 \times 3}$, or "A is a 2 × 3 matrix"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from symtransformer.checking.prose import sentences
from symtransformer.documents import Document, Relation
from symtransformer.reading.side_names import read_name

# a notebook doubles its backslashes
ELEMENT = re.compile(r"(?:∈|\\+in(?![A-Za-z]))\s*")
SPACE = re.compile(r"(?:\\+(?:mathbb|mathbf|bf|Bbb|mathds)\s*\{?\s*R\s*\}?|\\+R(?![A-Za-z])|ℝ|R(?![A-Za-z]))\s*\^?\s*")
POWER = re.compile(
    r"\{((?:[^{}\n]|\{(?:[^{}\n]|\{[^{}\n]{0,20}\}){0,30}\}){1,60})\}|\(([^()\n]{1,40})\)|([0-9A-Za-z]|[⁰¹²³-⁹ˣ]{1,9})"
)
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹ˣ", "0123456789×")
NAMES_BEFORE, NAMES_AT_MOST = re.compile(r"[A-Za-z0-9_{}^\\,' ]*\Z"), 80
SET = re.compile(r"\\+(?:mathrm|text|mathbf|bm|boldsymbol|textrm|operatorname|mathit|mathsf|displaystyle|[,;:! ])\s*")
DRESSED = re.compile(r"^\}?\{?([^{}]*)\}?")  # {W}_{Q} of \mathbf{W}_{Q}
TIMES = re.compile(r"\\+times(?![A-Za-z])|×|\\+cdot|·|\bx\b")
SIZE = re.compile(r"[0-9]{1,6}|[A-Za-z](?:_[A-Za-z0-9]{1,9})?")
PLAIN_SIZE = r"([0-9]{1,5}|[a-z](?:_[a-z]{1,5})?)"
ONE_NAME = r"[A-Z](?:_\w{1,5})?"
NAMES_IN_WORDS = rf"(?P<name>{ONE_NAME}(?:(?:, and |, | and |、 ?| ?と ?|，){ONE_NAME}(?!\w))*)"
BY = rf"{PLAIN_SIZE} ?(?:×|x|by) ?{PLAIN_SIZE}"
IN_WORDS = (
    re.compile(rf"(?<!\w){NAMES_IN_WORDS} (?:is|be|are|denotes?|both be) (?:an? |the |any |two |some |arbitrary )?(?:arbitrary |real |square )?{BY}(?:[ -]\w+)? matri(?:x|ces)"),
    re.compile(rf"(?<!\w){BY} (?:\w+ )?matri(?:x|ces) {NAMES_IN_WORDS}(?!\w)"),
    re.compile(rf"(?<!\w){NAMES_IN_WORDS} (?:is|be|are) (?:an? |two |any |arbitrary )?(?:real )?square matri(?:x|ces) of (?:size|order|dimension) {PLAIN_SIZE}()"),
    re.compile(rf"square matrices {NAMES_IN_WORDS},? of (?:size|order|dimension) {PLAIN_SIZE}()"),
    re.compile(rf"(?<![A-Za-z]){NAMES_IN_WORDS} ?[はを]、? ?{PLAIN_SIZE} ?(?:×|x) ?{PLAIN_SIZE} ?(?:の)?(?:実)?行列"),
    re.compile(rf"(?<![A-Za-z]){NAMES_IN_WORDS} ?[はを]、? ?{PLAIN_SIZE} ?行 ?{PLAIN_SIZE} ?列"),
    re.compile(rf"(?<![A-Za-z]){NAMES_IN_WORDS} ?[はを]、? ?{PLAIN_SIZE} ?次(?:の)?(?:実)?正方行列()"),
    re.compile(rf"(?<![A-Za-z]){PLAIN_SIZE} ?次(?:の)?(?:実)?正方行列() ?{NAMES_IN_WORDS}"),
    re.compile(rf"(?<![A-Za-z]){PLAIN_SIZE} ?(?:×|x) ?{PLAIN_SIZE} ?(?:の)?(?:実)?行列 ?{NAMES_IN_WORDS}"),
)  # fmt: skip
SINGLE_NAME = re.compile(rf"(?<!\w){ONE_NAME}")
FOLLOWING = re.compile(r"\s*(?:\$\s*)?(?:where|with|here|ここで|ただし)", re.IGNORECASE)
PARAGRAPH = re.compile(r"\n[ \t>]*\n")


@dataclass(frozen=True)
class SizeTold:
    """`size` is rows and columns, or a length, as they are written; None where it is told but cannot be used."""

    name: str
    size: tuple[str, ...] | None
    at: tuple[int, int]
    holds_from: tuple[int, int]  # the paragraph it belongs to begins there


class DeclaredSizes:
    """The sizes that hold at a place: those told last before it, or in its own paragraph.

    >>> from symtransformer.documents import read_document
    >>> sizes = DeclaredSizes()
    >>> sizes.add(read_document("Let $A, B ∈ R^{2×3}$.".encode(), "a.md"))
    >>> sizes.at("a.md", (9, 1))
    {'A': ('2', '3'), 'B': ('2', '3')}
    """

    def __init__(self) -> None:
        self._told: dict[tuple[str, str], list[SizeTold]] = {}  # by file and name

    def add(self, document: Document) -> None:
        for file, told in [*_elements(document), *_in_words(document)]:
            self._told.setdefault((file, told.name), []).append(told)
        for rows in self._told.values():
            rows.sort(key=lambda told: told.at)

    def at(self, file: str, at: tuple[int, int]) -> dict[str, tuple[str, ...]]:
        found = {}
        for (name_of_file, name), rows in self._told.items():
            if name_of_file != file:
                continue
            before = bisect_right([row.at for row in rows], at)
            row = rows[before - 1] if before else rows[0] if rows[0].holds_from <= at else None
            if row is not None and row.size is not None:
                found[name] = row.size
        return found

    def of(self, relation: Relation) -> dict[str, tuple[str, ...]]:
        return self.at(relation.file, (relation.line, relation.column)) if self._told else {}


def _elements(document: Document) -> Iterator[tuple[str, SizeTold]]:
    for file, source in document.sources.read_texts():
        text, origins = source.text, source.origins
        for element in ELEMENT.finditer(text):
            space = SPACE.match(text, element.end())
            power = POWER.match(text, space.end()) if space else None
            if space is None or power is None:
                continue
            size = _size(next(g for g in power.groups() if g is not None))
            before = NAMES_BEFORE.search(text[max(0, element.start() - NAMES_AT_MOST) : element.start()])
            place = document.place(origins[element.start()])
            start = _paragraph(text, element.start())
            begin = document.place(origins[start])
            for name in _names(before.group() if before else ""):
                yield file, SizeTold(name, size, (place.line, place.column), (begin.line, begin.column))


def _in_words(document: Document) -> Iterator[tuple[str, SizeTold]]:
    for file, start, _, sentence in sentences(document):
        for pattern in IN_WORDS if "matri" in sentence or "行" in sentence else ():
            for found in pattern.finditer(sentence):
                size = tuple(g for k, g in enumerate(found.groups(), 1) if k != pattern.groupindex["name"])
                size = (size[0], size[0]) if "" in size else size  # n 次正方行列
                place = document.place(start)
                at = place.line, place.column
                for name in SINGLE_NAME.findall(found.group("name")):
                    yield file, SizeTold(name, size, at, at)


def _paragraph(text: str, at: int) -> int:
    """Where the paragraph begins, or the one before for one that begins with where."""
    breaks = [found.end() for found in PARAGRAPH.finditer(text, max(0, at - 2000), at)]
    start = breaks[-1] if breaks else max(0, at - 2000)
    if breaks and FOLLOWING.match(text, start):
        return breaks[-2] if len(breaks) > 1 else max(0, at - 2000)
    return start


def _size(text: str) -> tuple[str, ...] | None:
    """2 and 3 of 2 \\times 3; None for what is no size of a vector or a matrix."""
    pieces = TIMES.split(SET.sub("", text.translate(RAISED)).replace("{", "").replace("}", ""))
    sizes = [SIZE.fullmatch(piece.strip()) for piece in pieces]
    if len(sizes) > 2 or None in sizes:
        return None
    return tuple(found.group() for found in sizes if found)


def _names(text: str) -> Iterator[str]:
    """W_Q and W_K of "Let W_Q, W_K"."""
    for piece in SET.sub("", text).split(","):
        *_, word = ["", *piece.split()]
        name = read_name(DRESSED.sub(r"\1", word), "latex")
        if name is not None and 0 < len(name) <= 20:
            yield name
