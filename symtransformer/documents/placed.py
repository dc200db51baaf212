"""Text of which every character knows where it stands: a number for each, its place in all the sources."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

FAR = 400  # what is further away does not go on here
ASIDE = ("\ufff9", "\ufffb")  # around a side comment of a page
IN_ASIDE = re.compile(r"\ufff9[^\ufffb]*\ufffb?")
NO_ASIDE = dict.fromkeys(map(ord, ASIDE), " ")
LINE_END = re.compile(r"\r\n|\r|\n")
# behind a point: no sentence ends in these; asked behind it, as that is quicker than before every character
ABBREVIATED = r"(?<!\bi\.e.)(?<!\be\.g.)(?<!\bcf.)(?<!\bvs.)(?<!\bresp.)(?<!\bw\.r\.t.)"
SENTENCE_END = re.compile(rf"[.!?]{ABBREVIATED}(?=[)\]”]?\s)|[。！？]|\n[ \t]{{0,99}}\n")
OPENED = re.compile(r"(?:\s|\$|\\\[|\\begin\{[a-z]+\*?\}){1,40}\Z")
OPEN = (",", ":", "：", "、", "，")
SENTENCE = 300  # characters on one side
# signs of mathematics, digits and letters in full width; what opens formulas, tables or comments is left as it is
FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if chr(code) not in "＄＃＼｀｜"}
FULL_WIDTH[0x3000] = FULL_WIDTH[0xA0] = " "
FULL_WIDTH[0x2044] = FULL_WIDTH[0x2215] = "/"  # 1⁄2
UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")  # characters that nobody sees
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

    def without_unseen(self) -> Placed:
        """As it is seen: 2, a space of no width, and 2 are 22."""
        if UNSEEN.search(self.text) is None:
            return self
        kept = [k for k, c in enumerate(self.text) if UNSEEN.match(c) is None]
        return Placed("".join(self.text[k] for k in kept), tuple(self.origins[k] for k in kept))

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


class Words:
    """What somebody reads of a source, piece after piece, where much of it only sets a page; places only grow."""

    def __init__(self) -> None:
        self.codes, self.origins = array("I"), array("Q")

    def add(self, piece: Placed) -> None:
        self.codes.extend(map(ord, piece.text))
        last = self.origins[-1] if self.origins else 0
        for origin in piece.origins:
            last = max(last, origin)
            self.origins.append(last)

    def cut(self, start: int, end: int) -> str:
        return "".join(map(chr, self.codes[start:end]))

    def said(self, start: int, end: int) -> str:
        return self.cut(start, end).translate(NO_ASIDE)


@dataclass
class Sources:
    """The files that were read, one behind the other: a place is one number over all of them."""

    names: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    bases: list[int] = field(default_factory=list)
    starts: list[list[int]] = field(default_factory=list)
    words: dict[int, Words] = field(default_factory=dict)  # of web pages, by the number of their source

    def add(self, name: str, text: str) -> Placed:
        base = self.bases[-1] + len(self.texts[-1]) + 1 if self.bases else 0
        self.names.append(name)
        self.texts.append(text)
        self.bases.append(base)
        self.starts.append([0, *(found.end() for found in LINE_END.finditer(text))])
        return Placed(text, range(base, base + len(text)))

    def words_of(self, origin: int) -> Words:
        """Where to put what is read of the source to which a character belongs, which is a web page."""
        return self.words.setdefault(self._which(origin), Words())

    def read_texts(self) -> Iterator[tuple[str, Placed]]:
        """The name of each source, and its text without what only sets a page."""
        for which, (name, text) in enumerate(zip(self.names, self.texts, strict=True)):
            words = self.words.get(which)
            if words is None:
                yield name, Placed(text, range(self.bases[which], self.bases[which] + len(text)))
            else:
                yield name, Placed(words.said(0, len(words.codes)), words.origins)

    def _which(self, origin: int) -> int:
        return bisect_right(self.bases, origin) - 1

    def place(self, origin: int) -> Place:
        which = self._which(origin)
        inside = origin - self.bases[which]
        line = bisect_right(self.starts[which], inside)
        return Place(self.names[which], line, inside - self.starts[which][line - 1] + 1)

    def between(self, first: int, last: int) -> str:
        """What stands in the file after the one character and before the other; a gap that is too wide is told apart."""
        which = self._which(first)
        words = self.words.get(which)
        if words is not None:
            start, end = bisect_right(words.origins, first), bisect_left(words.origins, last)
            return "\0" if end - start > FAR else IN_ASIDE.sub("", words.cut(start, end))
        if last - first > FAR:
            return "\0"
        base = self.bases[which]
        return self.texts[which][first - base + 1 : max(0, last - base)]

    def line_before(self, origin: int) -> str:
        """What stands before a character on its line."""
        which = self._which(origin)
        words = self.words.get(which)
        if words is not None:
            end = bisect_left(words.origins, origin)
            return words.said(max(0, end - FAR), end).rpartition("\n")[2]
        inside = origin - self.bases[which]
        line = bisect_right(self.starts[which], inside)
        return self.texts[which][self.starts[which][line - 1] : inside]

    def sentence(self, first: int, last: int) -> tuple[str, str]:
        """What stands in the sentence before the one character, and after the other."""
        which = self._which(first)
        words = self.words.get(which)
        if words is not None:
            start, end = bisect_left(words.origins, first), bisect_right(words.origins, last)
            before = words.said(max(0, start - SENTENCE), start)
            after = words.said(end, end + SENTENCE)
        else:
            text, base = self.texts[which], self.bases[which]
            before = text[max(0, first - base - SENTENCE) : max(0, first - base)]
            is_here = base <= last < base + len(text)
            after = text[last - base + 1 : last - base + 1 + SENTENCE] if is_here else ""
        found = SENTENCE_END.search(after)
        return SENTENCE_END.split(before)[-1], after[: found.start()] if found else after

    def leading(self, first: int) -> str:
        """The words before a display that lead to it, with an open end: `a larger model might use:`, and a blank line."""
        which = self._which(first)
        words = self.words.get(which)
        if words is not None:
            start = bisect_left(words.origins, first)
            before = words.said(max(0, start - SENTENCE), start)
        else:
            inside = first - self.bases[which]
            before = self.texts[which][max(0, inside - SENTENCE) : inside]
        before = OPENED.sub("", before)
        return SENTENCE_END.split(before)[-1] if before[-1:] in OPEN else ""

    def beginning(self, first: int, before: str) -> int:
        """The place where the sentence begins of which this stands before the character."""
        words = self.words.get(self._which(first))
        if words is None:
            return first - len(before)
        at = bisect_left(words.origins, first) - len(before)
        return words.origins[at] if 0 <= at < len(words.origins) else first

    def ending(self, last: int, after: str) -> int:
        """The place where the sentence ends of which this stands after the character."""
        words = self.words.get(self._which(last))
        if words is None:
            return last + 1 + len(after)
        at = bisect_right(words.origins, last) + len(after)
        return words.origins[at] if at < len(words.origins) else words.origins[-1]

    def beyond(self, last: int, size: int) -> str:
        """So many characters of what follows the one."""
        words = self.words.get(self._which(last))
        if words is None:
            return self.between(last, last + size)
        start = bisect_right(words.origins, last)
        return words.said(start, start + size)

    def written(self, first: int, last: int) -> str:
        """What stands in the file from the one place on up to the other, of the file that has the second."""
        which = self._which(last)
        base = self.bases[which]
        return self.texts[which][max(0, first - base) : last - base + 1]

    def character(self, origin: int) -> str:
        """What stands there in the file."""
        which = self._which(origin)
        inside = origin - self.bases[which]
        return self.texts[which][inside : inside + 1]
