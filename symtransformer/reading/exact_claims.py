r"""Fractions and roots of whole numbers: 2/3, \frac{1}{\sqrt{2}}, 3√2/4; each claims to be exact."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from symtransformer.reading.limits import DIGITS
from symtransformer.reading.number_cursor import SPACE, Cursor

_WHOLE = re.compile(r"[0-9]+")
_FRAC = re.compile(r"\\[dt]?frac(?![A-Za-z])")
_ROOT = re.compile(rf"{SPACE}(?:√|\\?sqrt(?![A-Za-z])){SPACE}")
_TIMES_ROOT = re.compile(rf"{SPACE}(?:·|⋅|×|\\cdot|\\times)(?={SPACE}(?:√|\\?sqrt))")
_SLASH = re.compile(rf"{SPACE}/{SPACE}")
_OPEN, _CLOSE = re.compile(rf"{SPACE}(\{{|\(){SPACE}"), re.compile(rf"{SPACE}(\}}|\))")
_NEGATIVE = re.compile(r"[-−－]")


@dataclass(frozen=True)
class Surd:
    """factor·√radicand."""

    factor: Fraction
    radicand: int = 1

    def times(self, other: Surd) -> Surd:
        return _reduced(self.factor * other.factor, self.radicand * other.radicand)

    def over(self, other: Surd) -> Surd:
        """a√r / b√s is a√(r s) / (b s)."""
        return _reduced(self.factor / (other.factor * other.radicand), self.radicand * other.radicand)


def _reduced(factor: Fraction, radicand: int) -> Surd:
    root = isqrt(radicand)
    return Surd(factor * root) if root * root == radicand else Surd(factor, radicand)


def exact_claim(cursor: Cursor) -> Surd | None:
    """What a fraction, a root, or a whole number times a root says; None for 0/0."""
    if cursor.take(_FRAC):
        above, below = _in_brackets(cursor, "{"), _in_brackets(cursor, "{")
        found = _quotient(cursor, above, below)
        return found if found is None or not cursor.looks_at(_ROOT) else found.times(_root(cursor))
    above = _product(cursor)
    if not cursor.take(_SLASH):
        return above
    start = cursor.at
    if cursor.looks_at(_OPEN):
        below = _in_brackets(cursor, "(")
    else:
        below = _product(cursor)
        if cursor.text[start].isdigit() and below.radicand != 1:
            raise cursor.refuse("fraction", start)
    if cursor.looks_at(_SLASH) or cursor.looks_at(_ROOT):
        raise cursor.refuse("fraction")
    return _quotient(cursor, above, below)


def _quotient(cursor: Cursor, above: Surd, below: Surd) -> Surd | None:
    if below.factor:
        return above.over(below)
    if above.factor:
        raise cursor.refuse("division_by_zero", max(0, cursor.at - 1))
    return None


def _product(cursor: Cursor) -> Surd:
    """A whole number, a root, or one times the other."""
    if cursor.looks_at(_ROOT):
        return _root(cursor)
    number = Surd(Fraction(_whole(cursor)))
    cursor.take(_TIMES_ROOT)
    return number.times(_root(cursor)) if cursor.looks_at(_ROOT) else number


def _root(cursor: Cursor) -> Surd:
    found = cursor.take(_ROOT)
    assert found is not None
    if cursor.looks_at(_NEGATIVE):
        raise cursor.refuse("root")
    if "√" in found.group() and cursor.looks_at(_WHOLE):
        inside = Fraction(_whole(cursor))
    elif opened := cursor.take(_OPEN):
        if cursor.looks_at(_NEGATIVE):
            raise cursor.refuse("root")
        inside = _ratio(cursor)
        _closed(cursor, opened.group(1))
    else:
        raise cursor.refuse("braces" if cursor.looks_at(_WHOLE) else "form")
    return _reduced(Fraction(1, inside.denominator), inside.numerator * inside.denominator)


def _ratio(cursor: Cursor) -> Fraction:
    """A whole number, or one over another: nothing further stands below a root."""
    if cursor.take(_FRAC):
        above, below = (_whole_in_braces(cursor) for _ in range(2))
    else:
        above, below = _whole(cursor), _whole(cursor) if cursor.take(_SLASH) else 1
    if below == 0:
        raise cursor.refuse("division_by_zero")
    return Fraction(above, below)


def _whole_in_braces(cursor: Cursor) -> int:
    opened = cursor.take(_OPEN)
    if opened is None or opened.group(1) != "{":
        raise cursor.refuse("braces", None if opened is None else opened.start(1))
    if cursor.looks_at(_NEGATIVE):
        raise cursor.refuse("root")
    found = _whole(cursor)
    _closed(cursor, "{")
    return found


def _in_brackets(cursor: Cursor, sign: str) -> Surd:
    opened = cursor.take(_OPEN)
    if opened is None or opened.group(1) != sign:
        raise cursor.refuse("braces" if sign == "{" else "form", None if opened is None else opened.start(1))
    is_negative = cursor.take(_NEGATIVE) is not None
    found = _product(cursor)
    _closed(cursor, sign)
    return Surd(-found.factor, found.radicand) if is_negative else found


def _closed(cursor: Cursor, sign: str) -> None:
    at = cursor.at
    closed = cursor.take(_CLOSE)
    if closed is None or closed.group(1) != {"{": "}", "(": ")"}[sign]:
        raise cursor.refuse("form", at)


def _whole(cursor: Cursor) -> int:
    start = cursor.at
    found = cursor.take(_WHOLE)
    if found is None:
        raise cursor.refuse("form")
    if len(found.group()) > DIGITS:
        raise cursor.refuse("too_many_digits", start)
    return int(found.group())
