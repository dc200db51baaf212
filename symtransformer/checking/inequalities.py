"""Whether `left < right` holds: decided by exact signs, entry by entry; a number is compared with every entry."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from symtransformer.checking.computing import Computed, Computing
from symtransformer.checking.equations import Equation
from symtransformer.checking.number_words import RIGHT, UNDECIDABLE, UNPARSED, WRONG, undecided_words
from symtransformer.checking.refusals import refusal
from symtransformer.checking.situation import SECONDS_AT_MOST, Asked
from symtransformer.checking.two_expressions import balls_of, is_given_rounding
from symtransformer.checking.values import Comparisons, Undecided, number
from symtransformer.errors import SymtransformerError
from symtransformer.notation import Words
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.sides import Side

HOLDS = {"<": (-1,), "≤": (-1, 0), ">": (1,), "≥": (1, 0), "≠": (-1, 1)}
WITHOUT_VALUE = ("unknown_name", "no_value", "index")
PLACES = (6, 12, 24, 48)  # decimals that are shown: more where both sides look the same
Places = dict[tuple[int, int], Words]
TRUE = Words("Right: it holds.", "正しい。成り立つ。")
CONDITION = Words(
    "Not decided: it may be a condition, and not a claim.", "判定できない。条件であって、主張ではないかもしれない。"
)
DEPENDS = Words(
    "Not decided: by the rounded values shown it comes out otherwise than without rounding.",
    "判定できない。示された丸めた値と、丸めない値とで結果が異なる。",
)
GIVEN = Words(
    "Not decided: the document gives a value here that may be rounded, and this depends on what it is a rounding of.",
    "判定できない。文書が与えた値は丸めた値かもしれず、丸める前の値によって結果が変わる。",
)
SIZES = Words("Not decided: the two sides have different sizes.", "判定できない。両辺の大きさが違う。")


class Inequalities:
    """Judges what compares two sides."""

    def __init__(self, computing: Computing) -> None:
        self.computing = computing

    def judged(self, made: Equation, asked: Asked, left: Side | ReadingError, right: Side | ReadingError) -> Equation:
        """The equation with its verdict; where a side has no value it is not decided."""
        for side in (left, right):
            if isinstance(side, ReadingError):
                is_open = side.code in WITHOUT_VALUE
                if is_open and asked.is_supposed:
                    return replace(made, words=CONDITION, code="condition")
                known = self.computing.definitions
                said = refusal(side, known.lines, is_open, known.lacks)
                return replace(made, verdict=UNDECIDABLE if is_open else UNPARSED, words=said, code=side.code)
        deadline = time.thread_time() + SECONDS_AT_MOST
        try:
            return self._of_values(made, asked, (left, right), lambda: time.thread_time() > deadline)  # type: ignore[arg-type]
        except Undecided as error:
            return replace(made, words=undecided_words(error.code, error.boundary, error.bits), code=error.code)

    def _of_values(
        self, made: Equation, asked: Asked, sides: tuple[Side, Side], expired: Callable[[], bool]
    ) -> Equation:
        letters = any(self.computing.definitions.letters(side) for side in sides)
        if letters and asked.is_supposed:
            return replace(made, words=CONDITION, code="condition")
        by_start = [self.computing.from_start(side) for side in sides]
        by_shown = [self.computing.by_shown(side) for side in sides]
        if any(value is None for value in by_start):
            return made
        start = _failing(asked.relation.sign, by_start[0], by_start[1], expired)  # type: ignore[arg-type]
        if start is None:
            return replace(made, words=SIZES, code="shapes")
        if letters and all(value is not None for value in by_shown):
            shown = _failing(asked.relation.sign, by_shown[0], by_shown[1], expired)  # type: ignore[arg-type]
            if shown is not None and bool(shown) != bool(start):
                return replace(made, words=DEPENDS, code="rounded_operands")
        if self._may_be_of_roundings(sides, by_start, start):  # type: ignore[arg-type]
            return replace(made, words=GIVEN, code="rounded_operands")
        if not start:
            return replace(made, verdict=RIGHT, words=TRUE, from_start=RIGHT, code="")
        return replace(made, verdict=WRONG, words=next(iter(start.values())), from_start=WRONG, code="")

    def _may_be_of_roundings(self, sides: tuple[Side, Side], values: list[Computed], failing: Places) -> bool:
        """Whether what is given behind ≈ may be on the other side; where it fails, also decimals that may be roundings."""
        known = self.computing.definitions
        used = [known[name] for side in sides for name in known.letters(side)]
        if not any(d.is_near or (failing and is_given_rounding(d)) for d in used):
            return False
        rows, columns = max(value.shape for value in values)
        places = failing or [(i, j) for i in range(rows) for j in range(columns)]
        try:
            one, other = (balls_of(self.computing, side, value) for side, value in zip(sides, values, strict=True))
            overlaps = (one(i, j).overlaps(other(i, j)) for i, j in places)
            return all(overlaps) if failing else any(overlaps)
        except (SymtransformerError, AttributeError, TypeError):  # infinite, or of no known range
            return True


def _failing(sign: str, left: Computed, right: Computed, expired: Callable[[], bool]) -> Places | None:
    """What is said of each entry for which it does not hold; None if the sizes do not fit."""
    sizes = {value.shape for value in (left, right)} - {(1, 1)}
    if len(sizes) > 1:
        return None
    rows, columns = sizes.pop() if sizes else (1, 1)
    found = {}
    for i in range(rows):
        for j in range(columns):
            one, other = (v.at(*((i, j) if v.shape != (1, 1) else (0, 0))) for v in (left, right))
            a, b = Comparisons(one, expired), Comparisons(other, expired)
            if one.is_undefined or other.is_undefined:
                raise Undecided("no_value")
            if _sign(a, b, left, right, i, j) not in HOLDS[sign]:
                found[i, j] = _said(a, b, (i, j) if rows * columns > 1 else None)
    return found


def _sign(a: Comparisons, b: Comparisons, left: Computed, right: Computed, i: int, j: int) -> int:
    infinite = a.infinite_sign(), b.infinite_sign()
    if any(infinite):
        return (infinite[0] > infinite[1]) - (infinite[0] < infinite[1])
    if b.value.rational is not None:
        return a.sign_from(b.value.rational)
    if a.value.rational is not None:
        return -b.sign_from(a.value.rational)
    exact = [v.exact_entry(*((i, j) if v.shape != (1, 1) else (0, 0))) for v in (left, right)]
    if any(x is None for x in exact):
        raise Undecided("precision")
    try:
        return Comparisons(number(exact[0] - exact[1]), a.expired).sign_from(Fraction(0))
    except SymtransformerError as error:
        raise Undecided("no_value", message=str(error)) from error


def _said(a: Comparisons, b: Comparisons, place: tuple[int, int] | None) -> Words:
    one, other = _shown_apart(a, b)
    if place is None:
        return Words(
            f"Wrong: the left side is {one}, and the right side is {other}.",
            f"誤り。左辺は {one}、右辺は {other} である。",
        )
    where = f"({place[0] + 1}, {place[1] + 1})"
    return Words(
        f"Wrong: in entry {where} the left side is {one}, and the right side is {other}.",
        f"誤り。成分 {where} で左辺は {one}、右辺は {other} である。",
    )


def _shown_apart(a: Comparisons, b: Comparisons) -> tuple[str, str]:
    """Both with so many decimals that they differ: 0.333333333333 and 0.333333333."""
    shown = [(_shown(a, places), _shown(b, places)) for places in PLACES]
    apart = (pair for pair in shown if pair[0].removeprefix("≈ ") != pair[1].removeprefix("≈ "))
    return next(apart, shown[0])


def _shown(value: Comparisons, places: int) -> str:
    """Exact where it is short, else to so many decimals."""
    if sign := value.infinite_sign():
        return "∞" if sign > 0 else "−∞"
    near = value.nearest(Fraction(1, 10**places))
    if near is None:
        return "?"
    text = _decimal(near, places)
    return text if value.sign_from(near) == 0 else f"≈ {text}"


def _decimal(value: Fraction, places: int) -> str:
    units = str(abs(int(value * 10**places))).rjust(places + 1, "0")
    digits = f"{units[:-places]}.{units[-places:]}".rstrip("0").rstrip(".")
    return f"-{digits}" if value < 0 else digits


__all__ = ["HOLDS", "Inequalities"]
