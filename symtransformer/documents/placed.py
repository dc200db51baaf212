"""Text of which every character knows where it stands: a number for each, its place in all the sources."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

FAR = 400  # what is further away does not go on here
LINE_END = re.compile(r"\r\n|\r|\n")
ABBREVIATED = r"(?<!\bi\.e)(?<!\be\.g)(?<!\bcf)(?<!\bvs)(?<!\bresp)(?<!\bw\.r\.t)"  # no sentence ends there
SENTENCE_END = re.compile(rf"{ABBREVIATED}[.!?](?=\s)|[。！？]|\n[ \t]{{0,99}}\n")
SENTENCE = 300  # characters on one side
# signs of mathematics, digits and letters in full width; what opens formulas, tables or comments is left as it is
FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if chr(code) not in "＄＃＼｀｜"}
FULL_WIDTH[0x3000] = FULL_WIDTH[0xA0] = " "
PRIMES = {0x2019: "'"}  # what a typesetter makes of H'; among prose it is an apostrophe
# brackets in full width belong to prose more often than to formulas, so among prose they are told apart
IN_PROSE = {code: sign for code, sign in FULL_WIDTH.items() if sign not in "()[]{}"}


@dataclass(frozen=True)
class Placed:
    """A text and, for each of its characters, where that stands.

    >>> Placed("x = 1", range(10, 15)).cut(4, 5)
    Placed(text='1', origins=range(14, 15))
    """

    text: str
    origins: Sequence[int]

    def cut(self, start: int, end: int | None = None) -> Placed:
        return Placed(self.text[start:end], self.origins[start:end])

    def strip(self, characters: str | None = None) -> Placed:
        left = len(self.text) - len(self.text.lstrip(characters))
        return self.cut(left, max(left, len(self.text.rstrip(characters))))

    def folded(self, in_prose: bool = False) -> Placed:
        """Full-width digits and signs as the usual ones: one character for one."""
        return Placed(self.text.translate(IN_PROSE if in_prose else FULL_WIDTH | PRIMES), self.origins)

    def fixed(self) -> Placed:
        """With its places as a tuple, so that equal texts at equal places are equal."""
        return Placed(self.text, tuple(self.origins))


def made(text: str, origin: int) -> Placed:
    """Text that stands for something written at one place."""
    return Placed(text, (origin,) * len(text))


def joined(parts: Iterable[Placed]) -> Placed:
    parts = list(parts)
    return Placed("".join(p.text for p in parts), tuple(chain.from_iterable(p.origins for p in parts)))


@dataclass(frozen=True)
class Place:
    """Line and column count from 1, and a column is a character."""

    file: str
    line: int
    column: int


@dataclass
class Sources:
    """The files that were read, one behind the other: a place is one number over all of them."""

    names: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    bases: list[int] = field(default_factory=list)
    starts: list[list[int]] = field(default_factory=list)

    def add(self, name: str, text: str) -> Placed:
        base = self.bases[-1] + len(self.texts[-1]) + 1 if self.bases else 0
        self.names.append(name)
        self.texts.append(text)
        self.bases.append(base)
        self.starts.append([0, *(found.end() for found in LINE_END.finditer(text))])
        return Placed(text, range(base, base + len(text)))

    def place(self, origin: int) -> Place:
        which = bisect_right(self.bases, origin) - 1
        inside = origin - self.bases[which]
        line = bisect_right(self.starts[which], inside)
        return Place(self.names[which], line, inside - self.starts[which][line - 1] + 1)

    def between(self, first: int, last: int) -> str:
        """What stands in the file after the one character and before the other; a gap that is too wide is told apart."""
        if last - first > FAR:
            return "\0"
        which = bisect_right(self.bases, first) - 1
        base = self.bases[which]
        return self.texts[which][first - base + 1 : max(0, last - base)]

    def line_before(self, origin: int) -> str:
        """What stands before a character on its line."""
        which = bisect_right(self.bases, origin) - 1
        inside = origin - self.bases[which]
        line = bisect_right(self.starts[which], inside)
        return self.texts[which][self.starts[which][line - 1] : inside]

    def sentence(self, first: int, last: int) -> tuple[str, str]:
        """What stands in the sentence before the one character, and after the other."""
        which = bisect_right(self.bases, first) - 1
        text, base = self.texts[which], self.bases[which]
        before = text[max(0, first - base - SENTENCE) : max(0, first - base)]
        after = text[last - base + 1 : last - base + 1 + SENTENCE] if base <= last < base + len(text) else ""
        end = SENTENCE_END.search(after)
        return SENTENCE_END.split(before)[-1], after[: end.start()] if end else after

    def character(self, origin: int) -> str:
        """What stands there in the file."""
        which = bisect_right(self.bases, origin) - 1
        inside = origin - self.bases[which]
        return self.texts[which][inside : inside + 1]
