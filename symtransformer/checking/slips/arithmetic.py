"""Slips of the pen: two digits swapped, an intermediate result rounded too early.

The other sign and a shifted point are remarks of their own on every claimed number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from symtransformer.checking.number_words import Note
from symtransformer.checking.regions import is_right
from symtransformer.checking.slips.records import Known, Slip, ball_rows, nearest, put_in
from symtransformer.checking.values import Comparisons, Undecided
from symtransformer.notation import Words
from symtransformer.operation import Primitive
from symtransformer.operations.ones import Ones
from symtransformer.operations.row_sum import Broadcast
from symtransformer.operations.transpose import Transpose
from symtransformer.reading.claimed_numbers import DECIMAL, ClaimedNumber
from symtransformer.symbols import Literal

DIGITS_SWAPPED = Note(
    "digits_swapped",
    Words("Two neighboring digits are swapped.", "隣り合う二つの桁が入れ替わっている。"),
)


def swapped_digits(claim: ClaimedNumber, value: Comparisons) -> Note | None:
    """The claim with two neighboring digits swapped is right, and as it is written it is not.

    >>> from fractions import Fraction
    >>> from symtransformer.checking import number, read_number
    >>> value = Comparisons(number(Fraction(6652, 10000)))
    >>> swapped_digits(read_number("0.6562"), value).name, swapped_digits(read_number("0.6652"), value)
    ('digits_swapped', None)
    """
    if claim.kind != DECIMAL or claim.goes_on:
        return None
    try:
        if is_right(claim, value):
            return None
        return DIGITS_SWAPPED if any(is_right(other, value) for other in _swapped(claim)) else None
    except Undecided:
        return None


def _swapped(claim: ClaimedNumber) -> Iterator[ClaimedNumber]:
    assert claim.place is not None
    digits = str(int(abs(claim.value) / claim.place)).rjust(max(claim.decimals, 0) + 1, "0")
    for k in range(len(digits) - 1):
        if digits[k] != digits[k + 1]:
            swapped = digits[:k] + digits[k + 1] + digits[k] + digits[k + 2 :]
            size = int(swapped) * claim.place
            yield replace(claim, value=-size if claim.is_negative else size, widest=claim.place)


def rounded_between(places: int) -> Slip:
    """One intermediate result, or all of them, rounded to so many decimals before going on.

    >>> from symtransformer.operations.exponential import Exponential
    >>> rounded_between(2).altered(Exponential(Literal([[1]])), {})
    [[[2.72]]]
    """
    many = "decimal" if places == 1 else "decimals"
    words = Words(
        f"An intermediate result was rounded to {places} {many} before going on.",
        f"途中の結果を小数第 {places} 位に丸めてから、計算を続けている。",
    )
    return Slip("rounded_between", words, (Primitive,), lambda node, known: _rounded(node, known, places))


def _rounded(node: Any, known: Known, places: int) -> Iterator[Any]:
    if not isinstance(node, (Transpose, Broadcast, Ones)):
        yield Literal([[nearest(x, places) for x in row] for row in ball_rows(put_in(node, known))])
