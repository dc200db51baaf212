r"""One side of an equation as people write it, in a scope of names whose sizes are known.

Read it or refuse it: what has no single documented reading is a `ReadingError` with code and place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sympy import Integer, Rational, S, sqrt

from symtransformer.reading.claimed_numbers import DECIMAL, EXACT, INFINITE, UNDEFINED, ClaimedNumber, read_number
from symtransformer.reading.limits import DIGITS, FORMULA_CHARACTERS
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.side_names import Known, is_latex_text, is_power, letter_name, name_of_letter, read_name
from symtransformer.reading.side_parser import Reader
from symtransformer.reading.side_settings import without_settings
from symtransformer.reading.side_tokens import folded, refusal, tokens_of
from symtransformer.reading.side_values import Part

__all__ = ["Known", "Side", "is_power", "letter_name", "name_of_letter", "read_name", "read_side"]


@dataclass(frozen=True)
class Side:
    """What stands on one side of a relation sign.

    `value` is a node whose sizes are whole numbers, or an exact number; its letters and symbols bear
    `letter_name(name)`. It is None where an entry is undefined. `shown` is what is written there digit by digit, if
    the side is nothing but a number, a list or a matrix of numbers; the value of 0.66... is that of the digits
    shown. `listed`: a flat list, or made of one, that may stand as a row or as a column.
    """

    text: str
    value: Any
    shown: tuple[tuple[ClaimedNumber, ...], ...] | None = None
    names: tuple[str, ...] = ()
    listed: bool = False
    other: Any = None  # a second reading of other sizes: the matrix p p^T for p^T p of a list, read as a number

    @property
    def goes_on(self) -> bool:
        """Whether it is a number of which digits were left off, as 0.66..."""
        return self.shown is not None and len(self.shown) == len(self.shown[0]) == 1 and self.shown[0][0].goes_on


def read_side(text: str, scope: Mapping[str, Known], language: str = "text") -> Side:
    """Read one side; `scope` has the names that are defined.

    >>> side = read_side("0.77×V₁ + [0.5, 1]", {"V_1": Known((1, 2), listed=True)})
    >>> side.value, side.names
    (0.77 V_1 + [[0.5, 1]], ('V_1',))
    >>> read_side("2 3", {})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    symtransformer.reading.problems.ReadingError: line 1, column 3: a number after something without a sign; ...
    """
    plain = folded(text)
    is_latex = is_latex_text(plain, language)
    seen = without_settings(plain) if is_latex and len(plain) <= FORMULA_CHARACTERS else plain
    if (claim := _number(seen)) is not None:
        return Side(text, _value(claim), ((claim,),))
    tokens = tokens_of(plain, is_latex)
    if not tokens:
        raise refusal(text, 0, 0, "empty", "nothing stands here")
    reader = Reader(plain, seen, tokens, scope, is_latex)
    try:
        part = reader.whole()
        value = reader.value(part)
        shown = _shown(part, seen)
        if reader.undefined is not None:
            if shown is None:
                raise reader.refuse(reader.undefined, "undefined", "an undefined number stands alone, or in a matrix")
            value = None
    except RecursionError:  # the limits on depth come first; this is the second fence
        raise refusal(text, 0, 0, "too_deep", "too many parts inside each other") from None
    return Side(text, value, shown, tuple(reader.used), part.listed, part.other)


_MAY_BE_A_NUMBER = re.compile(
    r"\s*[+\-−]?\s*(?:[0-9√∞]|\\(?:[dt]?frac|sqrt|infty|text|mathrm)|undefined|nan|NaN|未定義|inf|oo)"
)


GROUPED = re.compile(r"[-−+]?[0-9]{1,3}(?:(?:,|\{,\})[0-9]{3}){2,}(?:\.[0-9]+)?")
# 65 million, 1.2万, 65 \text{(million)}, 25 percent
_SCALED = re.compile(
    r"(?P<digits>[-−+]?[0-9]{1,30}(?:\.[0-9]{1,30})?)(?:\s|~|\\[,;: ])*(?:\\(?:text|mathrm|textrm)\s*\{\s*\(?)?"
    r"(?P<words>thousand|million|billion|trillion|percent|百万|[千万億兆]|パーセント)\)?\}?"
)
_HUNDREDTHS = ("percent", "パーセント")
_TENS = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12, "千": 3, "万": 4, "百万": 6, "億": 8, "兆": 12}
_BOLD = re.compile(r"\\(?:mathbf|bm|boldsymbol)(?![A-Za-z])")


def _number(text: str) -> ClaimedNumber | None:
    if len(text) > 200:
        return None
    seen = _bare(text) if text.lstrip()[:1] in ("\\", "{", "(") else text.strip()
    if seen == "1" and text != "1" and _BOLD.search(text):
        return None  # a column of ones
    if (scaled := _SCALED.fullmatch(seen)) is not None and scaled["words"] in _HUNDREDTHS:
        return replace(read_number(f"{scaled['digits']}%"), text=seen)
    if scaled is not None:
        return replace(read_number(f"{scaled['digits']}e{_TENS[scaled['words']]}"), text=seen)
    if not _MAY_BE_A_NUMBER.match(seen) or _MORE_THAN_A_NUMBER.search(seen, 1):
        return None
    if GROUPED.fullmatch(seen):
        return replace(read_number(re.sub("[{},]", "", seen)), text=seen)
    try:
        claim = claimed(seen)
        return None if claim.kind == EXACT and "." in seen else claim  # 2.5495/5 is worked out
    except ReadingError:
        return None


_SETS = re.compile(r"\\(?:boxed|underline|mathbf|boldsymbol|bm|textbf|mathrm|text|displaystyle)(?![A-Za-z])|\\[,;:! ]")
_MORE_THAN_A_NUMBER = re.compile(r"[\[(&@|]|(?<![\^{eE])\+|[0-9] *[×·÷-] *[0-9]+(?:\.[0-9]+)? *[^0-9^ ]")


def _value(claim: ClaimedNumber) -> Any:
    if claim.kind == UNDEFINED:
        return None
    if claim.kind == INFINITE:
        return S.NegativeInfinity if claim.is_negative else S.Infinity
    value = Rational(Integer(claim.value.numerator), Integer(claim.value.denominator))
    return value if claim.radicand == 1 else value * sqrt(Integer(claim.radicand))


def _shown(part: Part, seen: str) -> tuple[tuple[ClaimedNumber, ...], ...] | None:
    """The entries as they are written, where each is a number and nothing else."""
    if part.cells is None:
        return None
    rows = []
    for row in part.cells:
        made = []
        for start, end in row:
            try:
                claim = claimed(_bare(seen[start:end]))
            except ReadingError:
                return None
            if claim.kind == EXACT and "/" in claim.text and "." in claim.text:
                return None
            made.append(claim)
        rows.append(tuple(made))
    return tuple(rows)


_PLAIN = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?")


def claimed(text: str) -> ClaimedNumber:
    """What `read_number` says; at once for plain digits, of which most matrices are made."""
    found = _PLAIN.fullmatch(text)
    if found is None or len(text) > DIGITS:
        return read_number(text)
    minus, whole, fraction = found.group(1), found.group(2), found.group(3) or ""
    place = Fraction(1, 10 ** len(fraction))
    value = int(whole + fraction) * place
    zeros = 0 if fraction or not value else len(whole) - len(whole.rstrip("0"))
    return ClaimedNumber(
        text, DECIMAL, -value if minus else value, place, place * 10**zeros, 1, bool(minus), decimals=len(fraction)
    )


def _bare(text: str) -> str:
    r"""A number without what only sets it: \boxed{0.5}, {(0.5)}."""
    text = text.strip()
    while True:
        found = _SETS.match(text)
        if found:
            text = text[found.end() :].lstrip()
        elif text[:1] + text[-1:] in ("{}", "()") and _is_wrapped(text):
            text = text[1:-1].strip()
        else:
            return text


def _is_wrapped(text: str) -> bool:
    """Whether the first bracket is closed by the last character."""
    depth = 0
    for k, c in enumerate(text):
        depth += (c in "{(") - (c in "})")
        if depth == 0:
            return k == len(text) - 1
    return False
