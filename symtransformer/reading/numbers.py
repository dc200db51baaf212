"""Numbers as they were written, exactly; every limit is checked before a number is built."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from sympy import Add, Basic, Expr, Integer, Mul, Pow, Rational, S, sqrt

from symtransformer.reading.limits import DIGITS, EXPONENT, NUMBER_BITS, NUMBER_NODES, POWER, ROOT, ROOT_BITS


class NumberError(Exception):
    """A number that is not built: its code and why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def decimal(text: str) -> Rational:
    """0.50 is 1/2, 1e-5 is 1/100000; digits and exponent within the limits."""
    value = fraction(text)
    return Rational(value.numerator, value.denominator)


def fraction(text: str) -> Fraction:
    """The same as Python keeps it."""
    mantissa, _, exponent = text.lower().partition("e")
    whole, _, digits = mantissa.lstrip("+-").partition(".")
    if len(whole) + len(digits) > DIGITS:
        raise NumberError("too_many_digits", f"a number of more than {DIGITS} digits")
    if len(exponent.lstrip("+-0")) > 3 or abs(int(exponent or "0")) > EXPONENT:
        raise NumberError("exponent", f"a power of ten beyond 10^{EXPONENT}")
    units = -int(whole + digits) if mantissa.startswith("-") else int(whole + digits)
    tens = int(exponent or "0") - len(digits)
    return Fraction(units * 10**tens) if tens >= 0 else Fraction(units, 10**-tens)


class _Counts(NamedTuple):
    """What the limits ask of a number; found from those of its parts, so that none is walked twice."""

    nodes: int  # of the tree, each part counted as often as it stands there
    bits: int  # of the longest whole number in it
    roots: int  # that are inside each other
    power: Any  # the largest exponent
    degree: int  # of the highest root


@lru_cache(maxsize=8192)
def _counts(number: Basic) -> _Counts:
    if isinstance(number, Rational):
        return _Counts(1, max(int(number.p).bit_length(), int(number.q).bit_length()), 0, 0, 1)
    nodes, bits, roots, power, degree = 1, 0, 0, S.Zero, 1
    for part in map(_counts, number.args):
        nodes += part.nodes
        bits, roots = max(bits, part.bits), max(roots, part.roots)
        power, degree = max(power, part.power), max(degree, part.degree)
    if isinstance(number, Pow) and number.exp.is_Rational:
        power, degree = max(power, abs(number.exp)), max(degree, int(number.exp.q))
        roots += number.exp.q > 1
    return _Counts(nodes, bits or 1, roots, power, degree)


def _small(number: Expr) -> Expr:
    counts = _counts(number)
    if counts.nodes > NUMBER_NODES:
        raise NumberError("too_large", f"a number of more than {NUMBER_NODES} parts")
    if counts.bits > NUMBER_BITS:
        raise NumberError("too_large", f"a number of more than {NUMBER_BITS} binary digits")
    return number


def power(base: Expr, exponent: Expr) -> Expr:
    if isinstance(exponent, Rational) and exponent.q == 2:
        return power(root(base), Integer(exponent.p))
    if not exponent.is_Integer:
        raise NumberError("exponent", "the exponent of a number must be a whole or half number")
    count = abs(int(exponent))  # type: ignore[call-overload]
    if count > POWER:
        raise NumberError("exponent", f"the exponent of a number is at most {POWER}")
    if not base.is_Rational and count > 1 and _counts(base).power > 1:
        raise NumberError("exponent", "a power of a power; multiply the exponents")
    if _counts(base).bits * count > NUMBER_BITS:
        raise NumberError("too_large", f"a number of more than {NUMBER_BITS} binary digits")
    if base.is_zero and exponent.is_negative:
        raise NumberError("division_by_zero", "a division by 0")
    return Pow(base, exponent)


def quotient(above: Expr, below: Expr) -> Expr:
    if below.is_zero:
        raise NumberError("division_by_zero", "a division by 0")
    return _small(Mul(above, Pow(below, S.NegativeOne)))


def product(left: Expr, right: Expr) -> Expr:
    return _small(Mul(left, right))


def total(left: Expr, right: Expr) -> Expr:
    return _small(Add(left, right))


def root(argument: Expr) -> Any:
    if argument.is_negative:
        raise NumberError("root", "the square root of a negative number")
    counts = _counts(argument)
    if counts.degree > ROOT or counts.roots >= ROOT:
        raise NumberError("root", "too many roots inside each other")
    if counts.bits > ROOT_BITS:
        raise NumberError("root", f"the root of a number of more than {ROOT_BITS} binary digits")
    return sqrt(argument)
