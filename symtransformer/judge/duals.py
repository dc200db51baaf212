"""Balls with a slope: forward differentiation, as a number type of the walk that computes values.

A number x + t ε with ε² = 0: x is a value on the way, t its derivative in one direction. So a value is
differentiated by the operations' own values, and by no product with a Jacobian that they declare.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import flint
from sympy import Basic, S

from symtransformer.enclosures import Balls, ball
from symtransformer.errors import NotSupported


@dataclass(frozen=True, slots=True)
class Dual:
    """x + t ε; t is None where the number does not depend on what is varied."""

    x: Any
    t: Any = None

    def __add__(self, other: Any) -> Dual:
        x, t = _parts(other)
        return Dual(self.x + x, _sum(self.t, t))

    __radd__ = __add__

    def __neg__(self) -> Dual:
        return Dual(-self.x, None if self.t is None else -self.t)

    def __sub__(self, other: Any) -> Dual:
        x, t = _parts(other)
        return Dual(self.x - x, _sum(self.t, None if t is None else -t))

    def __rsub__(self, other: Any) -> Dual:
        return -self + other

    def __mul__(self, other: Any) -> Dual:
        x, t = _parts(other)
        return Dual(self.x * x, _sum(_times(self.t, x), _times(t, self.x)))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Dual:
        x, t = _parts(other)
        quotient = self.x / x
        return Dual(quotient, _sum(_times(self.t, 1 / x), _times(t, -quotient / x)))

    def __rtruediv__(self, other: Any) -> Dual:
        return Dual(*_parts(other)) / self

    def __pow__(self, power: Any) -> Dual:
        if not isinstance(power, int) or power < 1:
            raise NotSupported("a slope of a power that is no positive whole number")
        return Dual(self.x**power, _times(self.t, power * self.x ** (power - 1)))

    def moved(self, value: Any, slope: Any) -> Dual:
        """The value of a function here, whose derivative is the slope."""
        return Dual(value, _times(self.t, slope))


def _parts(number: Any) -> tuple[Any, Any]:
    return (number.x, number.t) if isinstance(number, Dual) else (number, None)


def _sum(a: Any, b: Any) -> Any:
    return b if a is None else a if b is None else a + b


def _times(t: Any, factor: Any) -> Any:
    return None if t is None else t * factor


class Duals:
    """Balls with a slope; where a function is in pieces, only points inside of a piece have one."""

    def __init__(self) -> None:
        self.balls = Balls()

    def scalar(self, value: Basic) -> Any:
        return value if value in (S.NegativeInfinity, S.Infinity) else Dual(ball(value))

    def exp(self, x: Dual) -> Dual:
        value = x.x.exp()
        return x.moved(value, value)

    def divide(self, x: Dual, y: Dual) -> Dual:
        return x / y

    def apply(self, name: str, x: Dual) -> Dual:
        value = self.balls.apply(name, x.x)
        if name not in _SLOPES:
            raise NotSupported(f"no slope of {name}")
        return x if x.t is None and value is x.x else x.moved(value, _SLOPES[name](x.x, value))

    def sign(self, x: Dual) -> int | None:
        return self.balls.sign(x.x)

    def relu(self, x: Dual) -> Dual:
        return x if self._side(x) > 0 else Dual(flint.arb(0))

    def step(self, x: Dual) -> Dual:
        return Dual(flint.arb(int(self._side(x) > 0)))

    def _side(self, x: Dual) -> int:
        sign = self.balls.sign(x.x)
        if x.t is None and sign is not None:
            return sign
        if not sign:
            raise NotSupported("a point at which two pieces of a function meet, or near one")
        return sign

    def shares(self, row: list[Dual]) -> list[Dual]:
        signs = [self.balls.sign(a.x - b.x) for k, a in enumerate(row) for b in row[:k]]
        if not all(signs):
            raise NotSupported("a point at which two entries are equal, or nearly so")
        return [Dual(share) for share in self.balls.shares([a.x for a in row])]

    def power(self, x: Dual, exponent: Any) -> Dual:
        return x.moved(self.balls.power(x.x, exponent), ball(exponent) * self.balls.power(x.x, exponent - 1))

    def normal(self, x: Dual) -> Dual:
        bell = (-x.x * x.x / 2).exp() / (2 * flint.arb.pi()).sqrt()
        return x.moved(self.balls.normal(x.x), bell)

    def half_tanh(self, x: Dual) -> Dual:
        value = self.balls.half_tanh(x.x)
        return x.moved(value, 2 * value * (1 - value))

    def check(self, rows: list[list[Any]]) -> None:
        self.balls.check([[x.x if isinstance(x, Dual) else x for x in row] for row in rows])
        slopes = [x.t for row in rows for x in row if isinstance(x, Dual) and x.t is not None]
        if not all(t.is_finite() for t in slopes):
            raise NotSupported("a point at which there is no slope, such as that of a root at 0")


_SLOPES: dict[str, Any] = {
    "sqrt": lambda x, value: 1 / (2 * value),
    "log": lambda x, value: 1 / x,
    "tanh": lambda x, value: 1 - value * value,
    "erf": lambda x, value: 2 * (-x * x).exp() / flint.arb.pi().sqrt(),
    "sin": lambda x, value: x.cos(),
    "cos": lambda x, value: -x.sin(),
}
