"""Errors that point at the character: code, message, the line of text, and a caret below it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from symtransformer.errors import ShapeError, UnreadableInput

SHOWN_OF_A_LINE = 72
QUOTED_AT_MOST = 40


@dataclass(frozen=True)
class Span:
    """From one character of a text to another, counted from 0."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        return Span(self.start, other.end)


START = Span(0, 0)  # where no one place is to blame


class ReadingError(UnreadableInput):
    """A text that has no single documented reading: `code`, `line` and `column` (both from 1)."""

    has_caret = True  # the message has three lines
    is_about: str | None = None  # the text as it was given, where the place is one of that

    def __init__(self, text: str, span: Span, code: str, message: str) -> None:
        start = min(span.start, len(text))
        self.code, self.message = code, message
        self.line = text.count("\n", 0, start) + 1
        begin = text.rfind("\n", 0, start) + 1
        self.column = start - begin + 1
        whole = text[begin:].partition("\n")[0]
        first = max(0, self.column - 1 - SHOWN_OF_A_LINE // 2) if len(whole) > SHOWN_OF_A_LINE else 0
        shown = printable(whole[first : first + SHOWN_OF_A_LINE])
        caret = " " * (self.column - 1 - first) + "^"
        super().__init__(f"line {self.line}, column {self.column}: {message} [{code}]\n  {shown}\n  {caret}")


class ReadingShapeError(ReadingError, ShapeError):
    """Sizes in a text that do not fit together."""

    sides = None


def printable(text: str) -> str:
    """The same number of characters, none of which moves the cursor."""
    return "".join(c if c.isprintable() else "?" for c in text)


def quoted(text: str) -> str:
    """A piece of somebody's text in a message."""
    shown = printable(" ".join(text.split()))
    return repr(shown if len(shown) <= QUOTED_AT_MOST else shown[: QUOTED_AT_MOST - 1] + "…")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The known word that was probably meant; one in another case first."""
    known = list(known)
    close = [k for k in known if k.casefold() == word.casefold()] or difflib.get_close_matches(word, known, 1, 0.5)
    return f"did you mean {close[0]}?" if close else f"known are: {', '.join(known) or 'none'}"
