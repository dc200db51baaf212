"""What was written, as records: no shapes yet, no operations, only places."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from symtransformer.reading.problems import Span


@dataclass(frozen=True)
class Syntax:
    span: Span


@dataclass(frozen=True)
class Number(Syntax):
    text: str


@dataclass(frozen=True)
class Infinity(Syntax):
    """∞, which only an entry of a matrix may be."""


@dataclass(frozen=True)
class Name(Syntax):
    name: str


@dataclass(frozen=True)
class OnesColumn(Syntax):
    """A column of ones, as long as its place asks for."""


@dataclass(frozen=True)
class Sum(Syntax):
    """Terms, each with its sign; one term alone where the sign is a minus."""

    terms: tuple[tuple[str, Syntax], ...]


@dataclass(frozen=True)
class Entrywise(Syntax):
    factors: tuple[Syntax, ...]
    divided: bool = False


@dataclass(frozen=True)
class Chain(Syntax):
    """Factors from left to right, each with the sign before it: "", "*", "@" or "/"."""

    factors: tuple[tuple[str, Syntax], ...]


@dataclass(frozen=True)
class Power(Syntax):
    base: Syntax
    exponent: Syntax


@dataclass(frozen=True)
class Transposed(Syntax):
    argument: Syntax
    times: int


@dataclass(frozen=True)
class Root(Syntax):
    argument: Syntax


@dataclass(frozen=True)
class Fraction(Syntax):
    above: Syntax
    below: Syntax


@dataclass(frozen=True)
class Grouped(Syntax):
    """What stands in brackets: a unit of its own."""

    inner: Syntax


@dataclass(frozen=True)
class Given(Syntax):
    """An explicit matrix, row by row; or a list inside one."""

    rows: tuple[Syntax, ...]


@dataclass(frozen=True)
class Word(Syntax):
    """A word after = in brackets, such as GELU."""

    text: str


@dataclass(frozen=True)
class Call(Syntax):
    function: str
    arguments: tuple[Syntax, ...]
    keywords: tuple[tuple[str, Syntax], ...]


@dataclass(frozen=True)
class Line(Syntax):
    """name = expression; the name is empty where none is given."""

    name: str
    name_span: Span
    value: Syntax


def is_constant(place: Any) -> bool:
    """An explicit matrix, or a number without letters: a line that gives a value."""
    if isinstance(place, Given):
        return True
    waiting = [place]
    while waiting:
        part = waiting.pop()
        if isinstance(part, (Name, Call, Given, Transposed, OnesColumn, Word)):
            return False
        waiting += [getattr(part, f.name) for f in fields(part) if isinstance(getattr(part, f.name), Syntax)]
        for pairs in (getattr(part, "terms", ()), getattr(part, "factors", ())):
            waiting += [p[1] if isinstance(p, tuple) else p for p in pairs]
    return True
