"""One token of a formula with letters, and its text in plain signs, from which the tokens are cut."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from symtransformer.checking.formula_signs import HIGH, LOW, SPELLINGS
from symtransformer.reading.index_marks import check_size, marked
from symtransformer.reading.problems import Span


@dataclass(frozen=True)
class Token:
    """`kind` is NUMBER, NAME, T, SUM, FRAC, SQRT or the sign itself; a name has its base and its indices."""

    kind: str
    text: str
    span: Span
    base: str = ""
    indices: tuple[str, ...] = ()
    range: tuple[str, str, tuple[str, str] | None] | None = None
    bare: bool = False  # a function that needs no brackets: \log p
    pair: tuple[Any, ...] = ()  # of a derivative: what stands above and below


FRACTION = re.compile(r"\\[dtc]?frac(?![A-Za-z])")
FRACTIONS = 100  # more are left as they are
ARGUMENT = re.compile(r"\s*(?:\{|(?P<one>[A-Za-z0-9]))")


def with_braces(text: str) -> str:
    r"""Fractions as TeX takes them, each of their arguments in braces.

    >>> with_braces(r"\\frac12 x + \\frac1{\\frac n2} + \\frac{a}2")
    '\\\\frac{1}{2} x + \\\\frac{1}{\\\\frac{n}{2}} + \\\\frac{a}{2}'
    """
    for found in reversed([*FRACTION.finditer(text)][:FRACTIONS]):  # so that those inside of one come first
        end = found.end()
        arguments: list[str] = []
        while len(arguments) < 2 and (one := ARGUMENT.match(text, end)) is not None:
            inner, end = one["one"], one.end()
            if inner is None:
                inner, end = _braced(text, end)
            arguments.append(inner)
        if len(arguments) == 2:
            text = "".join([text[: found.end()], *("{" + argument + "}" for argument in arguments), text[end:]])
    return text


def _braced(text: str, start: int) -> tuple[str, int]:
    """What stands in braces that were opened right before, and where they end."""
    depth, at = 1, start
    while at < len(text) and depth:
        depth += (text[at] == "{") - (text[at] == "}")
        at += 1
    return text[start : at - (not depth)], at


def plain(text: str) -> str:
    """Small digits above and below as ^{2} and _{1}, full-width signs as usual ones, derivatives of a loss as dQ."""
    check_size(text)
    text = "".join(unicodedata.normalize("NFKC", c) if "\uff00" <= c <= "\uffef" else c for c in text)
    text = re.sub(f"[{''.join(HIGH)}]+", lambda m: "^{" + "".join(HIGH[c] for c in m.group()) + "}", text)
    text = re.sub(f"[{''.join(LOW)}]+", lambda m: "_{" + "".join(LOW[c] for c in m.group()) + "}", text)
    text = re.sub(r"\^\s*\{?\s*\\prime\s*\}?|[′’]|\\prime", "'", text)
    text = with_braces(text)
    for pattern, meant in SPELLINGS:
        text = pattern.sub(meant, text)
    return marked(text.replace("\u3000", " ")).text
