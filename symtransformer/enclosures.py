"""Numbers enclosed in balls (Arb, by python-flint): zero, sign and rounding, decided and never guessed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import flint
from sympy import (
    Abs,
    Add,
    Basic,
    E,
    Expr,
    Float,
    Max,
    Min,
    Mul,
    Piecewise,
    Pow,
    S,
    cos,
    erf,
    erfc,
    exp,
    log,
    pi,
    sin,
    tanh,
)
from sympy.core.relational import Relational

from symtransformer.errors import LimitExceeded, NotSupported, UnreadableInput
from symtransformer.zero import is_exactly_zero

BITS = (64, 128, 256, 512, 1024, 2048, 4096)
DIGITS_AT_MOST = 1000
WRITTEN_OUT_AT_MOST = 5_000  # digits before the point
EXPONENT_AT_MOST = 500_000
FUNCTIONS = {exp: "exp", log: "log", tanh: "tanh", erf: "erf", erfc: "erfc", sin: "sin", cos: "cos", Abs: "__abs__"}


# -- balls --------------------------------------------------------------------------------------
@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Balls with so many bits inside the block."""
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def ball(value: Any) -> Any:
    """A ball that contains the number; a formula of +, *, powers, π, cases and the functions of the operations only."""
    if value.is_Rational:
        return flint.arb(flint.fmpq(int(value.p), int(value.q)))
    if isinstance(value, Add):
        return sum((ball(a) for a in value.args[1:]), ball(value.args[0]))
    if isinstance(value, Mul):
        product = ball(value.args[0])
        for a in value.args[1:]:
            product = product * ball(a)
        return product
    if isinstance(value, Pow):
        if value.base is E:
            return ball(value.exp).exp()
        if value.exp == S.Half:
            return ball(value.base).sqrt()
        if value.exp == -S.Half:
            return 1 / ball(value.base).sqrt()
        if value.exp.is_Integer:
            return ball(value.base) ** int(value.exp)
        return ball(value.base) ** ball(value.exp)
    if type(value) in FUNCTIONS:
        return getattr(ball(value.args[0]), FUNCTIONS[type(value)])()
    if isinstance(value, (Max, Min)):
        found, *others = map(ball, value.args)
        for other in others:
            found = found.max(other) if isinstance(value, Max) else found.min(other)
        return found
    if isinstance(value, Piecewise):
        return ball(_case(value))
    if value is pi:
        return flint.arb.pi()
    if value is E:
        return flint.arb(1).exp()
    if value.free_symbols:
        names = ", ".join(sorted(str(s) for s in value.free_symbols))
        raise UnreadableInput(f"digits of {str(value)[:40]}: {names} has no value; give it one")
    raise NotSupported(f"digits of {str(value)[:40]}: no enclosure is known for {type(value).__name__}")


def _case(value: Piecewise) -> Any:
    """The case that applies, every condition before it decided."""
    for case, condition in value.args:
        rule = {c: S.true if _holds(c) else S.false for c in condition.atoms(Relational)}
        decided = condition.xreplace(rule)
        if decided is S.true:
            return case
        if decided is not S.false:
            raise NotSupported(f"the condition {str(condition)[:40]} is not decided")
    raise NotSupported(f"digits of {str(value)[:40]}: no case applies")


def _holds(relation: Any) -> bool:
    return bool(relation.func(sign_of(relation.lhs - relation.rhs), 0))


def sign_of(value: Expr) -> int:
    """-1, 0 or 1: by balls with more and more bits, and the exact zero test."""
    if value.is_Rational:
        return int(value.p > 0) - int(value.p < 0)
    for bits in BITS:
        with precision(bits):
            found = ball(value)
        if found > 0 or found < 0:
            return 1 if found > 0 else -1
        if bits == BITS[1] and is_exactly_zero(value):
            return 0
    raise LimitExceeded(f"whether {str(value)[:40]} is 0 is not decided with {BITS[-1]} bits")


class Balls:
    """Arb balls as the number type of a walk; precision is that of the surrounding block."""

    def scalar(self, value: Basic) -> Any:
        return value if value in (S.NegativeInfinity, S.Infinity) else ball(value)

    def exp(self, x: Any) -> Any:
        return x.exp()

    def divide(self, x: Any, y: Any) -> Any:
        return x / y

    def apply(self, name: str, x: Any) -> Any:
        return getattr(x, name)()

    def sign(self, x: Any) -> int | None:
        return 1 if x > 0 else -1 if x < 0 else 0 if x.is_zero() else None

    def relu(self, x: Any) -> Any:
        return x.nonnegative_part() if self.sign(x) is None else x if x > 0 else flint.arb(0)

    def step(self, x: Any) -> Any:
        sign = self.sign(x)
        return either(flint.arb(0), flint.arb(1)) if sign is None else flint.arb(int(sign > 0))

    def shares(self, row: list[Any]) -> list[Any]:
        """1/c for each of the c largest, 0 for the others; between 0 and 1 where that is not decided."""
        others = [(x, row[:k] + row[k + 1 :]) for k, x in enumerate(row)]
        return [self._share([0 if y is x else self.sign(y - x) for y in rest]) for x, rest in others]

    def _share(self, signs: list[int | None]) -> Any:
        if 1 in signs:
            return flint.arb(0)
        return either(flint.arb(0), flint.arb(1)) if None in signs else 1 / flint.arb(1 + signs.count(0))

    def power(self, x: Any, exponent: Any) -> Any:
        return x ** ball(exponent)

    def normal(self, x: Any) -> Any:
        return (-x / flint.arb(2).sqrt()).erfc() / 2

    def half_tanh(self, x: Any) -> Any:
        return 1 / (1 + (-2 * x).exp())

    def check(self, rows: list[list[Any]]) -> None:
        for row in rows:
            for x in row:
                if x is not S.NegativeInfinity and x is not S.Infinity and not x.is_finite():
                    raise NotSupported("a division by a number that may be 0, or a root or logarithm of one below")


def either(x: Any, y: Any) -> Any:
    """A ball around both, where it is not decided which of them is meant."""
    return x.union(y)


# -- zero, sign and rounding, decided ---------------------------------------------------------------
def rounded(
    ball_at: Callable[[int], Any], exact: Expr | None, places: int, half_even: bool = False
) -> tuple[int, bool]:
    """The number in units of 10^-places, correctly rounded, and whether that is its exact value.

    Halves go away from zero, or to the even neighbour. Decided on the exact value: balls with
    more and more bits until the boundary is excluded, then the exact zero test.
    """
    scale = 10**places
    require_printable(ball_at)
    if exact is not None and exact.is_Rational:
        units, rest = divmod(abs(exact.p) * scale, exact.q)
        twice = 2 * rest
        up = twice > exact.q or (twice == exact.q and (not half_even or units % 2 == 1))
        units += up
        return int(units if exact.p >= 0 else -units), rest == 0
    for bits in BITS:
        with precision(bits):
            scaled = ball_at(bits) * scale
            size = abs(scaled)
            whole = (size + flint.arb(1) / 2).floor().unique_fmpz()
            if whole is not None and (int(whole) == 0 or scaled > 0 or scaled < 0):
                units = int(whole) if not scaled < 0 else -int(whole)
                if scaled.is_exact() and scaled == units:
                    return units, True  # a ball without a radius is the number itself
                whole_number = exact is not None and (scaled - units).contains(0)
                return units, whole_number and is_exactly_zero(exact - S(units) / scale) is True
        if bits >= 128 and exact is not None:
            tie = _exact_tie(exact, size, scale)
            if tie is not None:
                return rounded(ball_at, tie, places, half_even)
    raise LimitExceeded(f"rounding to {places} places is not decided with {BITS[-1]} bits")


def require_printable(ball_at: Callable[[int], Any], in_digits: bool = False) -> None:
    """Raise a LimitExceeded where the digits of a number would fill books: e^1000000000, say."""
    most = EXPONENT_AT_MOST if in_digits else WRITTEN_OUT_AT_MOST
    for bits in BITS:
        with precision(bits):
            size = abs(ball_at(bits))
            if size > flint.arb(10) ** most:
                raise LimitExceeded(f"a number above 1e{most} is not written out")
            if not size < flint.arb(10) ** most:  # so large that its size is not known with so few bits
                continue
            if in_digits and size > 0 and size < flint.arb(10) ** -most:
                raise LimitExceeded(f"a number below 1e-{most} is not written out to significant digits")
            return
    raise LimitExceeded(f"a number above 1e{most} is not written out")


def _exact_tie(exact: Expr, size: Any, scale: int) -> Expr | None:
    """The half that the number is exactly equal to, if it is one."""
    doubled = (2 * size + flint.arb(1) / 2).floor().unique_fmpz()
    if doubled is None:
        return None
    for sign in (1, -1):
        half = S(int(doubled)) * sign / (2 * scale)
        if is_exactly_zero(exact - half):
            return half
    return None


def significant(ball_at: Callable[[int], Any], exact: Expr | None, digits: int) -> Float:
    """The number to so many significant digits, all of them proven."""
    if not 1 <= digits <= DIGITS_AT_MOST:
        raise UnreadableInput(f"digits: expected 1 to {DIGITS_AT_MOST}, got {digits}")
    if exact is S.Zero:
        return Float("0", digits)
    require_printable(ball_at, in_digits=True)
    for bits in (b for b in BITS if b > 3.33 * digits + 32):
        with precision(bits):
            value = ball_at(bits)
            size = abs(value)
            if value == 0:
                return Float("0", digits)
            if not size > 0:
                if exact is not None and (is_exactly_zero(exact) or exact.is_zero):
                    return Float("0", digits)
                continue
            magnitude = (size.log() / flint.arb(10).log()).floor().unique_fmpz()
        if magnitude is None:
            with precision(bits):
                magnitude = _power_of_ten_at(size, digits)
        if magnitude is None:
            continue
        places = digits - 1 - int(magnitude)
        factor = S(10) ** places

        def shifted(bits: int, factor: Any = factor) -> Any:
            return ball_at(bits) * ball(factor)

        units, _ = rounded(shifted, None if exact is None else exact * factor, 0)
        return Float(f"{units}e{-places}", digits)
    raise LimitExceeded(f"{digits} digits are not decided with {BITS[-1]} bits")


def _power_of_ten_at(size: Any, digits: int) -> int | None:
    """The exponent, where the number is certain to be rounded to a power of ten."""
    guess = round(float((size.log() / flint.arb(10).log()).mid()))
    near = abs(size / flint.arb(10) ** guess - 1) < flint.arb(10) ** (-digits - 2)
    return guess if near else None
