r"""A number that somebody claims, as it is written: 66.5%, 6.7e2, 1.2 \times 10^{-3}, 0.66..., √2/2, −∞, undefined."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from symtransformer.errors import UnreadableInput
from symtransformer.reading.exact_claims import Surd, exact_claim
from symtransformer.reading.limits import DIGITS, FORMULA_CHARACTERS
from symtransformer.reading.number_cursor import SPACE, Cursor
from symtransformer.reading.numbers import NumberError, fraction

DECIMAL, EXACT, INFINITE, UNDEFINED = "decimal", "exact", "infinite", "undefined"
COMMAS = (None, "thousands", "decimal")


@dataclass(frozen=True)
class ClaimedNumber:
    """value·√radicand as it is written; `place` is the place value of the last shown digit, None where it is exact.

    `widest` is that place if the zeros at the end of a whole number are no digits: 100 for 700. Of an infinity
    only the sign is meant.

    >>> claim = read_number("66.5%")
    >>> claim.value, claim.place
    (Fraction(133, 200), Fraction(1, 1000))
    >>> read_number("6.7e2").place, read_number("700").widest
    (Fraction(10, 1), Fraction(100, 1))
    """

    text: str
    kind: str  # decimal, exact, infinite or undefined
    value: Fraction = Fraction(0)
    place: Fraction | None = None
    widest: Fraction | None = None
    radicand: int = 1
    is_negative: bool = False  # as it is written: also -0.00
    is_percent: bool = False
    goes_on: bool = False  # 0.66...: digits were left off, not rounded
    decimals: int = 0  # digits behind the point as they stand there
    comma: str | None = None  # what a comma in it was declared to be

    @property
    def is_negative_zero(self) -> bool:
        return self.kind == DECIMAL and self.is_negative and self.value == 0

    @property
    def ends_in_whole_zeros(self) -> bool:
        return self.widest != self.place

    @property
    def is_whole(self) -> bool:
        """Written as a whole number, and no percentage or power of ten."""
        return self.kind == DECIMAL and self.text.strip(" +-−－＋").isdigit()

    @property
    def places(self) -> int:
        """Decimals of the value: 4 for 0.3302, 3 for 66.5%, -1 for 6.7e2."""
        assert self.place is not None
        size = len(str(max(self.place.numerator, self.place.denominator))) - 1
        return size if self.place < 1 else -size


def read_number(text: str, comma: str | None = None) -> ClaimedNumber:
    """The number that a text claims; `ReadingError` with code and place where it has no single reading.

    `comma` says what commas inside numbers are: "thousands", "decimal", or not declared (then they are refused).

    >>> read_number("1,234", comma="thousands").value
    Fraction(1234, 1)
    >>> read_number("1,234")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    symtransformer.reading.problems.ReadingError: line 1, column 2: a comma or gap inside a number ...
    """
    if comma not in COMMAS:
        raise UnreadableInput(f"comma: expected thousands, decimal or None, got {str(comma)[:40]!r}")
    cursor = Cursor(text)
    if len(text) > FORMULA_CHARACTERS:
        raise cursor.refuse("too_long", FORMULA_CHARACTERS)
    cursor.skip()
    if cursor.is_at_end():
        raise cursor.refuse("empty")
    if cursor.take(_UNDEFINED):
        cursor.expect_end()
        return ClaimedNumber(text, UNDEFINED)
    sign = cursor.take(_SIGN)
    is_negative = sign is not None and sign.group()[0] in "-−－"
    if cursor.looks_at(_FURTHER_SIGN):
        raise cursor.refuse("sign")
    if cursor.take(_INFINITY):
        cursor.expect_end()
        return ClaimedNumber(text, INFINITE, is_negative=is_negative)
    if cursor.looks_at(_EXACT):
        surd = exact_claim(cursor)
        cursor.expect_end()
        return _exactly(text, surd, is_negative)
    return _Decimal(cursor, comma, is_negative).read()


def _exactly(text: str, surd: Surd | None, is_negative: bool) -> ClaimedNumber:
    if surd is None:  # 0/0
        return ClaimedNumber(text, UNDEFINED)
    value = -surd.factor if is_negative else surd.factor
    return ClaimedNumber(text, EXACT, value, radicand=surd.radicand, is_negative=is_negative)


_UNDEFINED = re.compile(r"(?:undefined|nan|NaN|未定義)(?![A-Za-z])|\\(?:text|mathrm)\{(?:undefined|nan|NaN|未定義)\}")
_SIGN = re.compile(rf"[+\-−－＋]{SPACE}")
_FURTHER_SIGN = re.compile(r"[+\-−－＋±∓]|\\pm|\\mp")
_INFINITY = re.compile(r"∞|(?:\\infty|[Ii]nfinity|inf|oo)(?![A-Za-z])")
_A_ROOT, _A_PRODUCT = r"(?:√|\\?sqrt)", r"(?:·|⋅|×|\\cdot|\\times)"
_EXACT = re.compile(rf"\\[dt]?frac|{_A_ROOT}|[0-9]+{SPACE}(?:/|{_A_ROOT}|\\[dt]?frac|{_A_PRODUCT}{SPACE}{_A_ROOT})")

_PLAIN = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:(?:,|\{,\})[0-9]{3})+(?![0-9])(?:\.[0-9]+)?")
_WITH_COMMA = re.compile(r"[0-9]+(?:,|\{,\})[0-9]+")
_COMMA = re.compile(r"(?:,|，|、|\{,\}|\\[,;: ]|'|’)[0-9]")
_DOTS = re.compile(r"\.\.\.(?!\.)|…|⋯|\\[lc]?dots(?![A-Za-z])")
_LETTER_E = re.compile(r"[eE]([+\-−]?)([0-9]+)")
_TIMES_TEN = re.compile(rf"{SPACE}(?:×|·|⋅|\*|\\times|\\cdot){SPACE}10{SPACE}(?=[\^⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺])")
_POWER = re.compile(rf"{SPACE}[\^⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]")
_BRACED = re.compile(rf"{SPACE}\^{SPACE}\{{{SPACE}([+\-−]?){SPACE}([0-9]+){SPACE}\}}")
_BARE = re.compile(rf"{SPACE}\^{SPACE}([+\-−]?)([0-9]+)")
_RAISED = re.compile(r"([⁻⁺]?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_FROM_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_PERCENT = re.compile(rf"{SPACE}(?:\\%|%|％)")


class _Decimal:
    """Digits, a point, perhaps dots that go on, a power of ten, a percent sign."""

    def __init__(self, cursor: Cursor, comma: str | None, is_negative: bool) -> None:
        self.cursor, self.comma, self.is_negative = cursor, comma, is_negative
        self.start = cursor.at
        self.read_as: str | None = None

    def read(self) -> ClaimedNumber:
        cursor = self.cursor
        digits = self._digits()
        whole, _, fraction = digits.partition(".")
        if len(whole) + len(fraction) > DIGITS:
            raise cursor.refuse("too_many_digits", self.start)
        if digits == "10" and cursor.looks_at(_POWER):
            return self._finish("1", self._power(), EXACT, False)
        goes_on = cursor.take(_DOTS) is not None
        if goes_on and not fraction:
            raise cursor.refuse("ellipsis", self.start)
        exponent = 0
        if not goes_on and (found := cursor.take(_LETTER_E)):
            exponent = self._signed(found)
        elif cursor.take(_TIMES_TEN):
            exponent = self._power()
        return self._finish(digits, exponent, DECIMAL, goes_on)

    def _digits(self) -> str:
        cursor = self.cursor
        if self.comma == "thousands" and (found := cursor.take(_GROUPED)):
            digits, self.read_as = re.sub(r"[{},]", "", found.group()), self.comma
        elif self.comma == "decimal" and (found := cursor.take(_WITH_COMMA)):
            digits, self.read_as = re.sub(r"\{?,\}?", ".", found.group()), self.comma
        elif found := cursor.take(_PLAIN):
            digits = found.group()
            if self.comma == "decimal" and "." in digits:
                raise cursor.refuse("point", self.start + digits.index("."))
        else:
            raise cursor.refuse(self._why_no_digits())
        if cursor.looks_at(_COMMA):
            declared = {"thousands": "thousands", "decimal": "number"}
            raise cursor.refuse(declared.get(self.comma or "", "comma"))
        if cursor.looks_at(re.compile(r"\.(?!\.\.)")):
            raise cursor.refuse("number")
        return digits

    def _why_no_digits(self) -> str:
        here = self.cursor.text[self.cursor.at : self.cursor.at + 1]
        if here in (".", ","):
            return "number"
        return "digits" if here.isdigit() else "empty" if not here else "form"

    def _power(self) -> int:
        """What stands behind 10: ^{-3}, ^-3 or ⁻³."""
        cursor = self.cursor
        if found := cursor.take(_BRACED):
            return self._signed(found)
        at = cursor.at
        if found := cursor.take(_BARE):
            if "\\" in cursor.text and len(found.group(1) + found.group(2)) > 1:
                raise cursor.refuse("braces", at)
            return self._signed(found)
        if found := cursor.take(_RAISED):
            return self._signed(found)
        raise cursor.refuse("form")

    def _signed(self, found: re.Match[str]) -> int:
        digits = found.group(2).translate(_FROM_RAISED).lstrip("0")
        if len(digits) > 3:
            raise self.cursor.refuse("exponent", found.start(2))
        return int(digits or "0") * (-1 if found.group(1) in ("-", "−", "⁻") else 1)

    def _finish(self, digits: str, exponent: int, kind: str, goes_on: bool) -> ClaimedNumber:
        cursor, is_percent = self.cursor, kind == DECIMAL and self.cursor.take(_PERCENT) is not None
        cursor.expect_end()
        try:
            size, unit = fraction(f"{digits}e{exponent}"), fraction(f"1e{exponent}")
        except NumberError as error:
            raise cursor.refuse(error.code, self.start) from None
        hundred = 100 if is_percent else 1
        decimals = len(digits.partition(".")[2])
        value = size / hundred
        if kind == EXACT:
            return ClaimedNumber(cursor.text, kind, -value if self.is_negative else value, is_negative=self.is_negative)
        place = unit / hundred / 10**decimals
        zeros = len(digits) - len(digits.rstrip("0")) if value and "." not in digits else 0
        return ClaimedNumber(
            cursor.text, kind, -value if self.is_negative else value, place, place * 10**zeros, 1, self.is_negative,
            is_percent, goes_on, decimals, self.read_as,
        )  # fmt: skip
