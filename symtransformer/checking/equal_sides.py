"""Whether two expressions with values are equal: proved, or told apart by balls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symtransformer.checking import equation_words as words
from symtransformer.checking.computing import Computed
from symtransformer.checking.number_words import RIGHT, UNDECIDABLE, WRONG, undecided_words
from symtransformer.checking.values import Comparisons, Undecided, Value
from symtransformer.enclosures import BITS, precision
from symtransformer.errors import SymtransformerError
from symtransformer.node import postorder
from symtransformer.notation import Words
from symtransformer.operations.logarithm import Logarithm
from symtransformer.zero import is_exactly_zero

ZERO_TEST_AT = 128  # bits, of those that are tried
SHOWN_DECIMALS = 6
NO_VALUE = "no_value"


@dataclass(frozen=True)
class SidesVerdict:
    """Right, wrong, shapes or undecidable; `right` is the value of the left side, rounded where it is long."""

    kind: str
    words: Words
    right: str | None = None
    code: str = ""


def judge_sides(left: Computed, right: Computed, expired: Callable[[], bool] = lambda: False) -> SidesVerdict:
    """Entry by entry; a list may stand as a row or as a column."""
    if left.shape != right.shape:
        if not ((left.listed or right.listed) and left.shape == right.shape[::-1] and 1 in left.shape):
            return SidesVerdict("shapes", words.sizes_differ(left.shape, right.shape), code="shapes")
        right = right.turned()
    rows, columns = left.shape
    if left.node is right.node:
        return _without_value() if _has_none(left) else SidesVerdict(RIGHT, words.EQUAL)
    kinds = []
    for i in range(rows):
        for j in range(columns):
            if expired():
                return SidesVerdict(UNDECIDABLE, words.TOO_LONG, code="deadline")
            one, other = left.at(i, j), right.at(i, j)
            if rows == columns == 1 and _is_endless(one) and _is_endless(other):
                return _without_value()
            kinds.append(_compared(one, other))
    if WRONG in kinds:
        shown = written(left)
        return SidesVerdict(WRONG, words.unequal(shown), shown)
    if NO_VALUE in kinds:
        return _without_value()
    if "tested" in kinds and UNDECIDABLE not in kinds:
        return SidesVerdict("tested", words.AGREE)
    if UNDECIDABLE in kinds:
        return SidesVerdict(UNDECIDABLE, undecided_words("precision", "0", BITS[-1]), code="precision")
    return SidesVerdict(RIGHT, words.EQUAL)


def _without_value() -> SidesVerdict:
    return SidesVerdict(UNDECIDABLE, words.NEITHER_HAS_VALUE, code=NO_VALUE)


def _has_none(value: Computed) -> bool:
    """No value, or one entry without; where logarithms are taken, entries of a matrix may be infinite instead."""
    rows, columns = value.shape
    if rows == columns == 1:
        is_closed = not getattr(value.node, "_mentions", value.node.free_symbols)
        return is_closed and not _has_value(value.at(0, 0))
    if any(isinstance(node, Logarithm) for node in postorder(value.node)):
        return False
    return any(value.at(i, j).is_undefined for i in range(rows) for j in range(columns))


def _has_value(value: Value) -> bool:
    """A number, or infinite for certain; log 0 − log 0 is neither."""
    if value.is_undefined:
        return False
    try:
        with precision(BITS[0]):
            value.ball_at(BITS[0])
    except (SymtransformerError, TypeError, ValueError):
        return False
    return True


def _is_endless(value: Value) -> bool:
    """Undefined, or infinite: 1/0 and log 0 are equal to nothing; entries −∞ of a mask are, in their places."""
    try:
        return value.is_undefined or bool(Comparisons(value).infinite_sign())
    except Undecided:
        return False


def _compared(one: Value, other: Value) -> str:
    if one.is_undefined and other.is_undefined:
        return NO_VALUE
    if one.rational is not None and other.rational is not None:
        return RIGHT if one.rational == other.rational else WRONG
    try:
        infinite = [Comparisons(value).infinite_sign() for value in (one, other) if not value.is_undefined]
    except Undecided:
        return UNDECIDABLE
    if len(infinite) == 1:
        return WRONG
    if any(infinite):
        return RIGHT if infinite[0] == infinite[1] else WRONG
    for bits in BITS:
        try:
            with precision(bits):
                if one.ball_at(bits) - other.ball_at(bits) != 0:  # for certain
                    return WRONG
        except (SymtransformerError, TypeError, ValueError):
            return UNDECIDABLE
        if bits == ZERO_TEST_AT:
            if (exact := _difference(one, other)) is not None and is_exactly_zero(exact) is True:
                return RIGHT
    return "tested"  # the same to so many bits


def _difference(one: Value, other: Value) -> Any:
    try:
        first, second = one.exact(), other.exact()
    except SymtransformerError:
        return None
    return None if first is None or second is None else first - second


def written(value: Computed, decimals: int = SHOWN_DECIMALS) -> str:
    """A value for a reader: whole numbers and short decimals as they are, others rounded."""
    rows, columns = value.shape
    shown = [[_entry(value.at(i, j), decimals) for j in range(columns)] for i in range(rows)]
    is_number = rows == columns == 1 and not value.listed
    if is_number:
        return shown[0][0]
    lines = ["[" + ", ".join(row) + "]" for row in shown]
    return lines[0] if rows == 1 else "[" + ", ".join(lines) + "]"


def _entry(value: Value, decimals: int) -> str:
    if value.is_undefined:
        return "undefined"
    known = Comparisons(value)
    try:
        infinite = known.infinite_sign()
    except Undecided:
        return "?"
    if infinite:
        return "∞" if infinite > 0 else "-∞"
    exact = value.rational
    if exact is not None and exact.denominator == 1:
        return str(exact)
    found = known.nearest(Fraction(1, 10**decimals))
    if found is None:
        return "?"
    units = abs(int(found * 10**decimals))
    digits = str(units).rjust(decimals + 1, "0")
    text = f"{digits[:-decimals]}.{digits[-decimals:]}".rstrip("0").rstrip(".")
    return ("-" if found < 0 else "") + text
