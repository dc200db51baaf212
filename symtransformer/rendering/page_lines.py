"""The lines of a section in index notation as blocks: numbered through the page, each rule explained once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count, groupby
from typing import Any

from symtransformer.judge import PROVED, REFUTED, TESTED, UNDECIDABLE, Verified
from symtransformer.rendering.document import Block, IndexEquations, NumberedLine, RuleNote, VerdictBlock
from symtransformer.sections import IndexLine, Section
from symtransformer.symbols import Entry

KEYS = {TESTED: "line_tested", UNDECIDABLE: "line_undecidable", REFUTED: "line_refuted"}


class PageLines:
    """Numbers and rules are told once on a page."""

    def __init__(self, verified: Verified | None, detail: str) -> None:
        self.verified, self.detail = verified, detail
        self.numbers = count(1)
        self.told: set[str] = set()

    def blocks(self, section: Section) -> Iterable[Block]:
        """All lines about one letter together; of results only the last of each chain, on a worksheet with a gap."""
        ends = self.detail in ("results", "problem")
        for _, lines in groupby(section.lines, key=_subject):
            numbered = [
                NumberedLine(next(self.numbers), line, k > 0)
                for chain in chains(lines)
                for k, line in enumerate(chain[-1:] if ends else chain)
            ]
            yield from self._verdicts(numbered)
            yield IndexEquations(tuple(numbered), rules=not ends, blank=self.detail == "problem")
            if not ends:
                yield from self._notes(numbered)

    def _verdicts(self, numbered: list[NumberedLine]) -> Iterator[Block]:
        if self.verified is None:
            yield VerdictBlock("lines_not_verified", None)
            return
        for item in numbered:
            verdict = self.verified.lines[item.line]
            if verdict.kind != PROVED:
                yield VerdictBlock(KEYS[verdict.kind], verdict.words, item.number)

    def _notes(self, numbered: list[NumberedLine]) -> Iterator[Block]:
        for item in numbered:
            if item.line.rule.en not in self.told:
                self.told.add(item.line.rule.en)
                yield RuleNote(item.number, item.line.rule, item.line.explanation)


def _subject(line: IndexLine) -> Any:
    """What the line is about: a gradient, or a derivative."""
    return line.left.parent if isinstance(line.left, Entry) else line.left


def chains(lines: Iterable[IndexLine]) -> list[list[IndexLine]]:
    """Lines that go on from each other: with the same left side, shown in the same way."""
    found: list[list[IndexLine]] = []
    for line in lines:
        if found and (found[-1][-1].left, found[-1][-1].whole) == (line.left, line.whole):
            found[-1].append(line)
        else:
            found.append([line])
    return found
