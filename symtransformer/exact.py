"""Exact numbers as the number type of a walk: SymPy's rationals, roots, exponentials and formulas."""

from __future__ import annotations

import math
from typing import Any

from sympy import (
    Abs,
    Add,
    And,
    Basic,
    E,
    Eq,
    Max,
    Mul,
    Piecewise,
    Pow,
    Rational,
    S,
    cos,
    erf,
    erfc,
    exp,
    log,
    sin,
    sqrt,
    tanh,
)

from symtransformer.enclosures import ball, precision, sign_of
from symtransformer.errors import LimitExceeded, NotSupported, UndefinedValue

Rows = list[list[Any]]
BITS_AT_MOST = 100_000  # of a numerator or denominator
NESTED_EXPONENT_AT_MOST = 1_000_000
BITS_BELOW_A_ROOT = 1_000  # SymPy looks for the prime factors of what stands there


def _root(x: Any) -> Any:
    if any(max(int(r.p).bit_length(), int(r.q).bit_length()) > BITS_BELOW_A_ROOT for r in x.atoms(Rational)):
        raise LimitExceeded(f"the root of a number of more than {BITS_BELOW_A_ROOT} bits")
    return sqrt(x)


FUNCTIONS = {"sqrt": _root, "log": log, "tanh": tanh, "erf": erf, "sin": sin, "cos": cos}


class Exact:
    """SymPy's exact numbers and formulas."""

    def __init__(self, entries_at_most: int = 1_000_000, terms_at_most: int = 200_000) -> None:
        self.entries_at_most, self.terms_at_most = entries_at_most, terms_at_most
        self.terms = 0

    def scalar(self, value: Basic) -> Any:
        return value

    def exp(self, x: Any) -> Any:
        return _power_of_e(_multiplied_out(x))

    def divide(self, x: Any, y: Any) -> Any:
        """x / y; an exponential above the line goes below it: e^a / (e^a + e^b) is 1 / (1 + e^(b-a))."""
        if self.sign(y) == 0:
            raise UndefinedValue("a division by 0")
        factor, exponent = _exponential(x)
        if _nodes(y, 1001) > 1000:  # SymPy looks for simpler forms for seconds, and finds none
            return Mul(x, Pow(y, S.NegativeOne, evaluate=False), evaluate=False)
        if exponent == 0:
            return x / y
        terms = [_exponential(term) for term in Add.make_args(y)]
        return factor / Add(*(c * _power_of_e(_multiplied_out(e - exponent)) for c, e in terms))

    def apply(self, name: str, x: Any) -> Any:
        """sqrt, log, tanh, erf, sin or cos of x, where that is a real number."""
        x = _multiplied_out(x)
        if name in ("sqrt", "log"):
            sign = self.sign(x)
            if sign is not None and sign < (name == "log"):
                kind = UndefinedValue if sign else NotSupported  # log 0 is −∞, which is no real number
                raise kind(f"{_NAMES[name]} of a number that is {'negative' if sign else '0'}")
        return FUNCTIONS[name](x)

    def sign(self, x: Any) -> int | None:
        """-1, 0 or 1, decided exactly; None where x holds letters."""
        return None if x.free_symbols else sign_of(x)

    def relu(self, x: Any) -> Any:
        """max(0, x); where the sign is not decided, (x + |x|) / 2, which is the same."""
        try:
            sign = self.sign(x)
        except LimitExceeded:
            return (x + Abs(x)) / 2
        return Max(S.Zero, x) if sign is None else x if sign > 0 else S.Zero

    def step(self, x: Any) -> Any:
        """1 where x is above 0, else 0; a `LimitExceeded` where that is not decided."""
        sign = self.sign(x)
        return Piecewise((S.One, x > 0), (S.Zero, True)) if sign is None else S(int(sign > 0))

    def shares(self, row: list[Any]) -> list[Any]:
        """1/c for each of the c largest, 0 for the others; a `LimitExceeded` where that is not decided."""
        if any(x.free_symbols for x in row):
            return [_share(x, row) for x in row]
        best = [0]
        for k in range(1, len(row)):
            sign = sign_of(row[k] - row[best[0]])
            best = [k] if sign > 0 else [*best, k] if sign == 0 else best
        return [S.One / len(best) if k in best else S.Zero for k in range(len(row))]

    def power(self, x: Any, exponent: Any) -> Any:
        """x to a rational power."""
        return x**exponent

    def normal(self, x: Any) -> Any:
        """Φ(x) = (1 + erf(x/√2)) / 2; below 0 by the complement, so that digits do not cancel."""
        sign, scaled = self.sign(x), x / sqrt(2)
        if any(inner.args[0].has(erf, erfc) for inner in x.atoms(erf, erfc)):
            raise LimitExceeded("Φ of Φ of Φ; SymPy would look for simpler forms of it for seconds")
        return erfc(-scaled) / 2 if sign is not None and sign < 0 else (1 + erf(scaled)) / 2

    def half_tanh(self, x: Any) -> Any:
        """(1 + tanh x) / 2 = 1 / (1 + e^(-2x)); the second form below 0, where digits would cancel."""
        sign = self.sign(x)
        return 1 / (1 + self.exp(-2 * x)) if sign is not None and sign < 0 else (1 + tanh(x)) / 2

    def check(self, rows: Rows) -> None:
        if len(rows) * len(rows[0]) > self.entries_at_most:
            raise LimitExceeded(f"more than {self.entries_at_most} entries; ask the named steps one by one")
        for row in rows:
            for x in row:
                if x is S.NaN:
                    raise NotSupported("an entry is undefined (nan)")
                if x.is_Rational and max(int(x.p).bit_length(), int(x.q).bit_length()) > BITS_AT_MOST:
                    raise LimitExceeded(f"an exact number has more than {BITS_AT_MOST} bits")
                self.terms += _nodes(x, self.terms_at_most - self.terms + 1)
                if self.terms > self.terms_at_most:
                    raise LimitExceeded(
                        f"the written-out entries pass {self.terms_at_most} terms; ask the named steps, or for digits"
                    )


_NAMES = {"sqrt": "the square root", "log": "the logarithm"}


def _share(x: Any, row: list[Any]) -> Any:
    """The same as a formula, where entries are letters."""
    equal = Add(*(Piecewise((S.One, Eq(x, y)), (S.Zero, True)) for y in row))
    return Piecewise((1 / equal, And(*(x >= y for y in row))), (S.Zero, True))


def _nodes(x: Basic, at_most: int) -> int:
    """How many nodes the written-out tree has, counted no further than that."""
    stack, count = [x], 0
    while stack and count < at_most:
        stack.extend(stack.pop().args)
        count += 1
    return count


def _multiplied_out(x: Any) -> Any:
    """x with its products multiplied out, unless that could grow long; both are the same number."""
    return x if _nodes(x, 401) > 400 or _terms(x) > 200 else x.expand()


def _power_of_e(x: Any) -> Any:
    """e^x; SymPy looks for simpler forms of a long x for seconds, and finds none."""
    nodes = _nodes(x, 101)
    if nodes <= 100 and x.is_number and x.has(exp, E) and not _is_moderate(x):
        raise LimitExceeded("e to the power of a huge number; SymPy would work out all its digits")
    return exp(x, evaluate=nodes <= 100)


def _is_moderate(x: Any) -> bool:
    with precision(64):
        found = ball(x)
        return bool(abs(found) < NESTED_EXPONENT_AT_MOST)


def _terms(x: Basic) -> int:
    """How many terms x has at most once it is multiplied out."""
    if isinstance(x, Add):
        return sum(_terms(a) for a in x.args)
    if isinstance(x, Mul):
        return min(math.prod(_terms(a) for a in x.args), 10**9)
    if isinstance(x, Pow) and x.exp.is_Integer:
        return min(_terms(x.base) ** min(abs(int(x.exp)), 64), 10**9)  # type: ignore[call-overload]
    return 1


def _exponential(x: Any) -> tuple[Any, Any]:
    """x as factor times e^exponent."""
    factors = Mul.make_args(x)
    exponent = Add(*(f.exp for f in factors if isinstance(f, exp)))
    return Mul(*(f for f in factors if not isinstance(f, exp))), exponent
