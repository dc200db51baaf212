"""Numbers as they were written, exactly; every limit is checked before a number is built."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sympy import Add, Basic, Expr, Integer, Mul, Pow, Rational, S, sqrt

from symtransformer.reading.limits import DIGITS, EXPONENT, NUMBER_BITS, NUMBER_NODES, POWER, ROOT, ROOT_BITS


class NumberError(Exception):
    """A number that is not built: its code and why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def decimal(text: str) -> Rational:
    """0.50 is 1/2, 1e-5 is 1/100000; digits and exponent within the limits."""
    mantissa, _, exponent = text.lower().partition("e")
    whole, _, fraction = mantissa.lstrip("+-").partition(".")
    if len(whole) + len(fraction) > DIGITS:
        raise NumberError("too_many_digits", f"a number of more than {DIGITS} digits")
    if len(exponent.lstrip("+-0")) > 3 or abs(int(exponent or "0")) > EXPONENT:
        raise NumberError("exponent", f"a power of ten beyond 10^{EXPONENT}")
    units = Integer(int(whole + fraction)) * (-1 if mantissa.startswith("-") else 1)
    return Rational(units) * Integer(10) ** (int(exponent or "0") - len(fraction))


def _bits(number: Expr) -> int:
    if number.is_Rational:
        return max(int(number.p).bit_length(), int(number.q).bit_length())  # type: ignore[attr-defined]
    return max((_bits(r) for r in number.atoms(Rational)), default=1)


@lru_cache(maxsize=4096)
def _nodes(number: Basic) -> int:
    """Of the tree, each part counted as often as it stands there."""
    return 1 + sum(_nodes(part) for part in number.args)


def _small(number: Expr) -> Expr:
    if _nodes(number) > NUMBER_NODES:
        raise NumberError("too_large", f"a number of more than {NUMBER_NODES} parts")
    if _bits(number) > NUMBER_BITS:
        raise NumberError("too_large", f"a number of more than {NUMBER_BITS} binary digits")
    return number


def power(base: Expr, exponent: Expr) -> Expr:
    if not exponent.is_Integer:
        raise NumberError("exponent", "the exponent of a number must be a whole number; write sqrt(...) for a root")
    count = abs(int(exponent))  # type: ignore[call-overload]
    if count > POWER:
        raise NumberError("exponent", f"the exponent of a number is at most {POWER}")
    if not base.is_Rational and count > 1 and any(abs(p.exp) > 1 for p in base.atoms(Pow) if p.exp.is_Rational):
        raise NumberError("exponent", "a power of a power; multiply the exponents")
    if _bits(base) * count > NUMBER_BITS:
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
    if any(power.exp.is_Rational and power.exp.q > ROOT for power in argument.atoms(Pow)):
        raise NumberError("root", "too many roots inside each other")
    if _bits(argument) > ROOT_BITS:
        raise NumberError("root", f"the root of a number of more than {ROOT_BITS} binary digits")
    if _roots(argument) >= ROOT:
        raise NumberError("root", "too many roots inside each other")
    return sqrt(argument)


@lru_cache(maxsize=4096)
def _roots(number: Basic) -> int:
    """How many roots are inside each other."""
    below = max(map(_roots, number.args), default=0)
    return below + 1 if isinstance(number, Pow) and number.exp.is_Rational and not number.exp.is_Integer else below
