"""The verdict on a claimed number: right to the digits shown, excused, following from a wrong line, or wrong."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from symtransformer.checking import number_words as words
from symtransformer.checking.number_words import (
    FOLLOWS,
    LAST_PLACE,
    RIGHT,
    RIGHT_IF_ROUNDED,
    UNDECIDABLE,
    UNPARSED,
    WRONG,
    Note,
)
from symtransformer.checking.refusals import in_japanese
from symtransformer.checking.regions import is_float_noise, is_one_place_off, is_right
from symtransformer.checking.remarks import accusing_notes, first_digits, right_value, rounding_notes
from symtransformer.checking.values import Comparisons, Undecided, Value
from symtransformer.errors import SymtransformerError, UnreadableInput
from symtransformer.notation import Words
from symtransformer.reading.claimed_number_words import REFUSALS
from symtransformer.reading.claimed_numbers import DECIMAL, EXACT, INFINITE, UNDEFINED, ClaimedNumber
from symtransformer.reading.problems import ReadingError

NEARLY = Fraction(1, 200)


@dataclass(frozen=True)
class NumberVerdict:
    """One of seven kinds, and why. `from_start` and `local` are the verdicts on the two values, where there are two.

    `right` is the right value, rounded as the claim is; `code` says why a number is not read or not decided, and
    `detail` what was raised; `decimals` to how many the intermediate results were rounded; `line` from which wrong
    line it follows.
    """

    kind: str
    words: Words
    notes: tuple[Note, ...] = ()
    right: Words | None = None
    from_start: str | None = None
    local: str | None = None
    code: str = ""
    detail: str = ""
    decimals: int | None = None
    line: str | None = None

    @property
    def is_accepted(self) -> bool:
        """Whether nobody is accused and the number was found right."""
        return self.kind in (RIGHT, RIGHT_IF_ROUNDED)

    def __str__(self) -> str:
        return " ".join([f"{self.kind}: {self.words.en}", *(note.words.en for note in self.notes)])


def judge_number(
    claim: ClaimedNumber | ReadingError,
    value: Value | None,
    *,
    operands: Value | None = None,
    operand_range: Callable[[int], Any] | None = None,
    relation: str = "≈",
    wrong_line: str | None = None,
    rounded_to: Callable[[int], Value | None] | None = None,
    expired: Callable[[], bool] | None = None,
) -> NumberVerdict:
    """Whether the claimed number is right for `value`, the one computed from the start; None where nothing reaches it.

    `operands` is what the numbers shown on the line give, and `operand_range(bits)` a ball around all that they give if
    each is anything that it may have been rounded from: only a value in it is excused by rounding. `wrong_line` is an earlier line
    among them that is not right, `rounded_to(d)` the value with every intermediate result rounded to d decimals, `expired()` whether time is up.

    >>> from sympy import Rational
    >>> from symtransformer.checking import number, read_number
    >>> print(judge_number(read_number("0.33"), number(Rational(1, 3)), relation="="))
    right: Right to the digits shown. An equals sign stands before a rounded value; write ≈.
    >>> print(judge_number(read_number("0.3303"), number(Rational(3302, 10000))))
    last_place: The last place is not right: it is 0.3302. It is one unit of the last place off.
    >>> print(judge_number(read_number("33%"), number(Rational(-1, 3))))
    wrong: Wrong: it is -33%. With the other sign it would be right.
    """
    if relation not in ("=", "≈"):
        raise UnreadableInput(f"judge_number: relation is '=' or '≈', not {str(relation)[:40]!r}")
    if isinstance(claim, ReadingError):
        reason = REFUSALS.get(claim.code) or Words(claim.message, in_japanese(claim.code, claim.message))
        return NumberVerdict(UNPARSED, words.unparsed_words(reason), code=claim.code)
    judging = _Judging(claim, relation == "=", wrong_line, operand_range, rounded_to, expired)
    try:
        verdict = judging.verdict(value, operands)
    except Undecided as gap:
        reason = words.undecided_words(gap.code, gap.boundary, gap.bits)
        verdict = NumberVerdict(UNDECIDABLE, reason, code=gap.code, detail="" if str(gap) == gap.code else str(gap))
    return verdict if claim.comma is None else replace(verdict, notes=(*verdict.notes, words.COMMAS[claim.comma]))


@dataclass(frozen=True)
class _Fit:
    """How a claim fits one value."""

    kind: str  # right, last_place, wrong
    value: Comparisons
    zeros_are_digits: bool = True  # or: right only where the zeros at the end are none
    is_noise: bool = False  # the digits of a binary number next to it


@dataclass(frozen=True)
class _Judging:
    claim: ClaimedNumber
    equals: bool
    wrong_line: str | None
    operand_range: Callable[[int], Any] | None
    rounded_to: Callable[[int], Value | None] | None
    expired: Callable[[], bool] | None

    def verdict(self, value: Value | None, operands: Value | None) -> NumberVerdict:
        start = None if value is None else self._fit(value)
        try:
            local, gap = None if operands is None else self._fit(operands), None
        except Undecided as undecided:
            local, gap = None, undecided
        verdict = self._decided(start, local, gap)
        here = UNDECIDABLE if gap else None if local is None else local.kind
        return replace(verdict, from_start=None if start is None else start.kind, local=here)

    def _decided(self, start: _Fit | None, local: _Fit | None, gap: Undecided | None) -> NumberVerdict:
        deciding = start or local
        if deciding is None:
            raise gap or Undecided("no_value")
        if deciding.kind == RIGHT and (start is not None or self.wrong_line is None):
            return NumberVerdict(RIGHT, self._right_words(), self._right_notes(deciding, start and local))
        if gap is not None:  # it may be an excuse
            raise gap
        excused = self._excused(start, local)
        if excused is not None:
            return excused
        right = right_value(self.claim, deciding.value, deciding.kind == WRONG, self.equals)
        notes = accusing_notes(self.claim, deciding.value, deciding.kind == LAST_PLACE)
        if deciding.kind == WRONG:
            return NumberVerdict(WRONG, words.wrong_words(right), notes, right)
        try:
            said = self._last_place_words(deciding.value, right)
        except Undecided:
            said = words.last_place_words(right)
        return NumberVerdict(LAST_PLACE, said, notes, right)

    def _last_place_words(self, value: Comparisons, right: Words) -> Words:
        """5 for 2 + 2 is no matter of rounding, and 59874 for e¹¹ is one, though it is not equal to it."""
        claim = self.claim
        if not claim.is_whole or claim.is_percent or claim.place is None:
            return words.last_place_words(right)
        if value.is_whole():
            is_one_off = value.nearest(Fraction(1)) in (claim.value - 1, claim.value + 1)
            return words.off_by_one_words(right) if is_one_off else words.last_place_words(right)
        if value.nearest(Fraction(1)) == claim.value:
            more = first_digits(value)
            return words.last_place_words(right) if more is None else words.only_rounded_words(more, claim.text.strip())
        return words.last_place_words(right)

    def _fit(self, value: Value) -> _Fit:
        """Right; or right as soon as the zeros at the end of a whole number are no digits; or not right.

        After an equals sign a whole number stands for itself: 12² = 100, 3/4 = 1 and 2 + 2 = 5 are wrong.
        """
        known = Comparisons(value, self.expired)
        if self.equals and self.claim.is_whole and not self._is_near(known):
            return _Fit(LAST_PLACE if is_one_place_off(self.claim, known, True) else WRONG, known)
        if is_right(self.claim, known, zeros_are_digits=True):
            return _Fit(RIGHT, known)
        zeros_are_digits = not self.claim.ends_in_whole_zeros
        if not zeros_are_digits and is_right(self.claim, known):
            if not (self.equals and known.is_whole(100 if self.claim.is_percent else 1)):  # 50% + 49% = 100%
                return _Fit(RIGHT, known, zeros_are_digits=False)
            zeros_are_digits = True
        if is_float_noise(self.claim, known):
            return _Fit(RIGHT, known, is_noise=True)
        return _Fit(LAST_PLACE if is_one_place_off(self.claim, known, zeros_are_digits) else WRONG, known)

    def _is_near(self, known: Comparisons) -> bool:
        """Within what anybody leaves off without a word, as in 0.99999 = 1; what has no finite value is told elsewhere."""
        if known.value.is_undefined or known.infinite_sign():
            return True
        apart = [known.sign_from(self.claim.value + sign * NEARLY) for sign in (-1, 1)]
        return apart == [1, -1]

    def _excused(self, start: _Fit | None, local: _Fit | None) -> NumberVerdict | None:
        """Right if rounded in between, or right for a wrong line before it."""
        right = None if start is None else right_value(self.claim, start.value)
        is_local = local is not None and local.kind == RIGHT
        if is_local and self.wrong_line is None and right is not None and start is not None:
            if self.operand_range is not None and start.value.may_be_in(self.operand_range):
                return NumberVerdict(RIGHT_IF_ROUNDED, words.from_shown_words(right), right=right)
        if right is not None and (decimals := self._decimals_that_give_it()) is not None:
            said = words.rounded_words(decimals, right)
            return NumberVerdict(RIGHT_IF_ROUNDED, said, right=right, decimals=decimals)
        if is_local and self.wrong_line is not None:
            said = words.follows_words(self.wrong_line, right)
            return NumberVerdict(FOLLOWS, said, right=right, line=self.wrong_line)
        return None

    def _decimals_that_give_it(self) -> int | None:
        """How many decimals each intermediate result was rounded to, if that gives the claim."""
        if self.rounded_to is None or self.claim.kind != DECIMAL:
            return None
        for decimals in range(max(self.claim.places, 1), self.claim.places + 3):
            try:
                value = self.rounded_to(decimals)
            except SymtransformerError:  # as 0.00 / 0.00
                continue
            if value is not None and self._fit(value).kind == RIGHT:
                return decimals
        return None

    def _right_words(self) -> Words:
        kinds = {EXACT: words.EXACTLY_RIGHT, INFINITE: words.INFINITE_RIGHT, UNDEFINED: words.UNDEFINED_RIGHT}
        return kinds.get(self.claim.kind, words.RIGHT_WORDS)

    def _right_notes(self, fit: _Fit, local: _Fit | None) -> tuple[Note, ...]:
        notes = [words.FLOAT_NOISE] if fit.is_noise else []
        if self.claim.kind == DECIMAL and not fit.is_noise:
            with suppress(Undecided):
                notes += rounding_notes(self.claim, fit.value, self.equals, fit.zeros_are_digits)
        if local is not None and local.kind != RIGHT:
            notes.append(words.NOT_FROM_SHOWN_OPERANDS)
        return tuple(notes)
