"""A place that moves through the text of a number, and refuses with code and place."""

from __future__ import annotations

import re

from symtransformer.reading.claimed_number_words import REFUSALS
from symtransformer.reading.problems import ReadingError, Span

SPACE = r"(?:[ \t\n~\u00a0\u2009\u202f\u3000]|\\[,;:!> ])*"
_SPACES = re.compile(SPACE)
_MIXED = re.compile(rf"(?:[0-9]+{SPACE}/|\\[dt]?frac)")
_NUMBER = re.compile(r"[0-9]")


class Cursor:
    """One pass over the text of a number."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
        return found

    def looks_at(self, pattern: re.Pattern[str]) -> bool:
        return pattern.match(self.text, self.at) is not None

    def skip(self) -> None:
        self.take(_SPACES)

    def is_at_end(self) -> bool:
        return self.at >= len(self.text)

    def refuse(self, code: str, at: int | None = None) -> ReadingError:
        start = self.at if at is None else at
        return ReadingError(self.text, Span(start, start + 1), code, REFUSALS[code].en)

    def expect_end(self) -> None:
        """Nothing but spaces may follow."""
        self.skip()
        if self.is_at_end():
            return
        if self.looks_at(_MIXED):
            raise self.refuse("mixed")
        if self.looks_at(_NUMBER):
            raise self.refuse("two_numbers")
        raise self.refuse("digits" if self.text[self.at].isdigit() else "form")
