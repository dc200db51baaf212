"""Where a side of an equation that is too wide for a line is broken: in front of a sign, outside of brackets rather than inside.

A bracket that opens on one line and closes on another is as high as the matrices between: both halves then look alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

SHORTEST = 0.4  # of a line, that is filled before it may end


@dataclass(frozen=True)
class Part:
    """What stands between two signs, with the sign in front; `level` says how tightly that binds: 2 for each bracket around it."""

    level: int
    text: str


@dataclass(frozen=True)
class Marks:
    """How a target writes brackets, signs and matrices."""

    token: re.Pattern[
        str
    ]  # with the groups open, close, sign, tight (a product), whole (a matrix), inner (where no line ends) and outer
    open: str
    close: str
    high: Callable[[int], tuple[str, str]]  # the brackets around matrices of so many rows
    rows: Callable[[str], int]


@dataclass
class _Bracket:
    opened: int  # the part, and the place in it
    at: int
    rows: int = 0
    closed: tuple[int, int] | None = None


@dataclass
class _Reading:
    """A formula as parts, and the brackets in it."""

    parts: list[Part] = field(default_factory=list)
    brackets: list[_Bracket] = field(default_factory=list)


def _read(text: str, marks: Marks) -> _Reading:
    found, begin, before = _Reading(), 0, 0  # `before` is the level of the sign in front of the part at hand
    around: list[_Bracket | None] = []  # what is open; None for what no line ends in
    for token in marks.token.finditer(text):
        kind, inside = token.lastgroup, None in around
        if kind == "whole":
            for bracket in filter(None, around):
                bracket.rows = max(bracket.rows, marks.rows(token[0]))
        elif kind == "open" and not inside:
            found.brackets.append(_Bracket(len(found.parts), token.start() - begin))
            around.append(found.brackets[-1])
        elif kind in ("open", "inner"):
            around.append(None)
        elif kind in ("close", "outer") and around:
            if (closing := around.pop()) is not None:
                closing.closed = (len(found.parts), token.start() - begin)
        elif kind in ("sign", "tight") and not inside and token.start() > begin:
            found.parts.append(Part(before, text[begin : token.start()]))
            begin, before = token.start() + 1, 2 * len(around) + (kind == "tight")  # without the space in front
    found.parts.append(Part(before, text[begin:]))
    return found


def _with_high_brackets(reading: _Reading, line_of: list[int], marks: Marks) -> list[str]:
    """The texts of the parts; a bracket whose halves stand on different lines is written by its height."""
    changes: list[tuple[int, int, str, str]] = []
    for bracket in reading.brackets:
        if bracket.closed is None or line_of[bracket.opened] == line_of[bracket.closed[0]]:
            continue
        first, last = marks.high(bracket.rows)
        changes += [(bracket.opened, bracket.at, marks.open, first), (*bracket.closed, marks.close, last)]
    texts = [part.text for part in reading.parts]
    for part, at, old, new in sorted(changes, reverse=True):
        texts[part] = texts[part][:at] + new + texts[part][at + len(old) :]
    return texts


def parts_of(text: str, marks: Marks) -> list[Part]:
    """Parts between which a line may end, wherever it does."""
    reading = _read(text, marks)
    texts = _with_high_brackets(reading, list(range(len(reading.parts))), marks)
    return [Part(part.level, text) for part, text in zip(reading.parts, texts, strict=True)]


def lines_of(text: str, marks: Marks, width_of: Callable[[str], int], room: int, more: int) -> list[str]:
    """The formula in as many lines as it needs; what only a bracket could part may be as wide as `more`."""
    reading = _read(text, marks)
    if all(part.level for part in reading.parts[1:]) and width_of(text) <= more:
        return [text]
    widths = [width_of(part.text) for part in reading.parts]
    starts = list(_starts([part.level for part in reading.parts], widths, room))
    line_of = [sum(start <= k for start in starts) for k in range(len(widths))]
    texts = _with_high_brackets(reading, line_of, marks)
    return [" ".join(texts[start:end]) for start, end in zip(starts, [*starts[1:], len(texts)], strict=True)]


def _starts(levels: list[int], widths: list[int], room: int) -> Iterator[int]:
    """The first part of each line."""
    start = 0
    while True:
        yield start
        filled, end = widths[start], start + 1
        possible: list[int] = []  # parts before which the line may end
        while end < len(widths):
            if filled >= SHORTEST * room:
                possible.append(end)
            if filled + widths[end] > room:
                break
            filled += widths[end]
            end += 1
        if end == len(widths):
            return
        possible = possible or [end]
        start = max(k for k in possible if levels[k] == min(levels[p] for p in possible))
