"""Numbers for exact differentiation: residues modulo a prime, each with its derivative in one direction.

A letter's entry is a random residue. A value of a function is one as well, bound only by what defines the function:
e^(x+y) = e^x e^y, (√x)² = x, sin² + cos² = 1, the rule of its derivative. So two expressions that agree at a random
point are the same function; by chance they agree once in about 10^36 times, for each degree of the formula.
Which case of a function applies (above or below 0, the largest of a row) is decided by a real number that each
residue carries along.
"""

from __future__ import annotations

import random
from math import gcd, lcm
from typing import Any

import flint
from sympy import Add, Basic, E, Expr, Mul, Piecewise, Pow, S, exp, pi
from sympy.core.relational import Relational

from symtransformer.enclosures import ball, precision

# 2, 3, 5, 7, 11 and 13 are squares, -1 is none: of two square roots exactly one is a square again, and that one is
# taken, as the positive one is among real numbers, so that √(x y) = √x √y.
PRIME = 2**127 - 44_649
SQUARES = (PRIME - 1) // 2  # how many squares there are but 0: no multiple of a prime up to 13
MULTIPLES = lcm(*range(1, 13))  # e^x is drawn so that it has roots up to the twelfth
RATIOS = [(a * pow(b, -1, PRIME), a, b) for a in range(1, 9) for b in range(1, 5) if gcd(a, b) == 1]
BITS = 200


class NoRootError(ArithmeticError):
    """A number under a root is no square here: another point has to be drawn."""


class Number:
    """A residue, its derivative, and a real number that decides between cases."""

    __slots__ = ("real", "residue", "slope")

    def __init__(self, residue: int, slope: int, real: Any) -> None:
        self.residue, self.slope, self.real = residue % PRIME, slope % PRIME, real

    def __add__(self, other: Any) -> Number:
        if isinstance(other, int):
            return Number(self.residue + other, self.slope, self.real + other)
        return Number(self.residue + other.residue, self.slope + other.slope, self.real + other.real)

    def __neg__(self) -> Number:
        return Number(-self.residue, -self.slope, -self.real)

    def __sub__(self, other: Any) -> Number:
        return self + -other

    def __mul__(self, other: Any) -> Number:
        if isinstance(other, int):
            return Number(self.residue * other, self.slope * other, self.real * other)
        slope = self.slope * other.residue + self.residue * other.slope
        return Number(self.residue * other.residue, slope, self.real * other.real)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: int) -> Number:
        return -self + other

    def inverse(self) -> Number:
        if not self.residue:
            raise ZeroDivisionError("a division by 0")
        inverse = pow(self.residue, -1, PRIME)
        return Number(inverse, -self.slope * inverse * inverse, 1 / self.real)

    def __truediv__(self, other: Any) -> Number:
        return self * (
            other.inverse() if isinstance(other, Number) else Number(pow(other, -1, PRIME), 0, one() / other)
        )

    def __rtruediv__(self, other: int) -> Number:
        return self.inverse() * other

    def __pow__(self, exponent: int) -> Number:
        base = self if exponent >= 0 else self.inverse()
        result = constant(1)
        for _ in range(abs(exponent)):
            result = result * base
        return result

    @property
    def sign(self) -> int:
        if not (self.real > 0 or self.real < 0 or self.real == 0):
            raise ArithmeticError("the sign is not decided")
        return int(self.real > 0) - int(self.real < 0)


def one() -> Any:
    return flint.arb(1)


def constant(value: int) -> Number:
    return Number(value, 0, flint.arb(value))


class GenericNumbers:
    """The number type of a walk (`compute`); functions keep the values that were drawn for them."""

    def __init__(self, seed: str) -> None:
        self.rng = random.Random(seed)
        self.powers: dict[int, tuple[int, int]] = {}  # y -> (w, k) with e^y = w^k; of small multiples of y as well
        self.logarithms: dict[int, int] = {}  # e^y -> y
        self.drawn: list[int] = []  # exponents that are no sums of earlier ones
        self.turns: dict[int, int] = {}  # x -> tan(x/2)
        self.errors: dict[int, int] = {}
        self.root_of_pi = self.draw() ** 2 % PRIME
        self.roots_taken = 0

    def draw(self) -> int:
        return self.rng.randrange(1, PRIME)

    def scalar(self, value: Basic) -> Any:
        """A SymPy number or formula; infinities stay."""
        if value in (S.NegativeInfinity, S.Infinity):
            return value
        with precision(BITS):
            return self.read(value, {})

    def read(self, value: Any, known: dict[Basic, Number]) -> Number:
        """The same for a formula with letters: sums, products, powers, cases and functions."""
        if value in known:
            return known[value]
        if value.is_Rational:
            return Number(int(value.p) * pow(int(value.q), -1, PRIME), 0, ball(value))
        if isinstance(value, (Add, Mul)):
            first, *others = (self.read(a, known) for a in value.args)
            for other in others:
                first = first + other if isinstance(value, Add) else first * other
            return first
        if isinstance(value, Piecewise):
            return self.read(self._case(value, known), known)
        if value is pi:
            return Number(self.root_of_pi**2, 0, flint.arb.pi())
        if isinstance(value, exp) or value is E:
            return self.exp(self.read(value.exp, known) if isinstance(value, exp) else constant(1))
        if isinstance(value, Pow):
            return self.power(self.read(value.base, known), value.exp)
        arguments = [self.read(a, known) for a in value.args]
        name = type(value).__name__
        if name == "Max":
            return max(arguments, key=lambda x: float(x.real))
        return {"Heaviside": lambda x, *_: self.step(x), "Power": self.exp}.get(name, lambda x: self.apply(name, x))(
            *arguments
        )  # type: ignore[operator]

    def _case(self, value: Piecewise, known: dict[Basic, Number]) -> Expr:
        for case, condition in value.args:
            rule = {
                c: S(c.func(self.read(c.lhs - c.rhs, known).sign, 0)) for c in condition.atoms(Relational)
            }  # fmt: skip
            if condition.xreplace(rule) is S.true:
                return case
        raise ArithmeticError(f"no case of {value} applies")

    def divide(self, x: Any, y: Any) -> Any:
        return x / y

    def exp(self, x: Number) -> Number:
        value = self._power_of_e(x.residue)
        return Number(value, value * x.slope, x.real.exp())

    def _power_of_e(self, x: int) -> int:
        if x == 0:
            return 1
        found = self._of_two(x)
        if found is None and self.drawn:  # a row of scores, each with the same addend
            found = self._of_two((x - self.drawn[-1]) % PRIME)
            found = found and found * self._power_of_e(self.drawn[-1]) % PRIME
        if found is not None:
            self.powers[x] = (found, 1)
            return found
        self.drawn.append(x)
        w = self.draw()
        for ratio, above, below in RATIOS:
            for sign in (1, -1):
                self.powers.setdefault(sign * ratio * x % PRIME, (w, sign * above * MULTIPLES // below))
        self.logarithms[pow(w, MULTIPLES, PRIME)] = x
        return pow(w, MULTIPLES, PRIME)

    def _of_two(self, x: int) -> int | None:
        """e^x where it is e^a or e^(a ± b) of exponents that are known."""
        if x in self.powers:
            return pow(*self.powers[x], PRIME)
        for value, known in self.logarithms.items():
            for sign in (1, -1):
                rest = self.powers.get((x - sign * known) % PRIME)
                if rest is not None:
                    return pow(*rest, PRIME) * pow(value, sign, PRIME) % PRIME
        return None

    def sqrt(self, x: Number) -> Number:
        return self.power(x, S.Half)

    def apply(self, name: str, x: Number) -> Number:
        """sqrt, log, tanh, erf, erfc, sin, cos."""
        return getattr(self, name)(x)  # type: ignore[no-any-return]

    def log(self, x: Number) -> Number:
        if x.residue == 1:
            return Number(0, x.slope, x.real.log())
        value = self.logarithms.get(x.residue)
        if value is None:
            value = self.logarithms[x.residue] = self.draw()
            self.powers |= {value: (x.residue, 1), PRIME - value: (x.residue, -1)}
        return Number(value, x.slope * pow(x.residue, -1, PRIME), x.real.log())

    def tanh(self, x: Number) -> Number:
        return 1 - 2 / (self.exp(2 * x) + 1)

    def half_tanh(self, x: Number) -> Number:
        return 1 / (1 + self.exp(-2 * x))

    def erf(self, x: Number) -> Number:
        if -x.residue % PRIME in self.errors:
            return -self.erf(-x)
        value = self.errors.setdefault(x.residue, self.draw())
        steep = self.exp(-(x * x)) * 2 / Number(self.root_of_pi, 0, flint.arb.pi().sqrt())
        return Number(value, steep.residue * x.slope, x.real.erf())

    def erfc(self, x: Number) -> Number:
        return 1 - self.erf(x)

    def normal(self, x: Number) -> Number:
        return (1 + self.erf(x / self.sqrt(constant(2)))) / 2

    def sin(self, x: Number) -> Number:
        sine, cosine = self._turn(x.residue)
        return Number(sine, cosine * x.slope, x.real.sin())

    def cos(self, x: Number) -> Number:
        sine, cosine = self._turn(x.residue)
        return Number(cosine, -sine * x.slope, x.real.cos())

    def _turn(self, x: int) -> tuple[int, int]:
        if x == 0:
            return 0, 1
        sign = -1 if -x % PRIME in self.turns else 1
        t = self.turns.setdefault(sign * x % PRIME, self.draw())
        over = pow(1 + t * t, -1, PRIME)
        return sign * 2 * t * over % PRIME, (1 - t * t) * over % PRIME

    def power(self, x: Number, exponent: Any) -> Number:
        """x to a rational power: among the squares, whose number is odd, a root is unique."""
        if exponent.is_Integer:
            return x ** int(exponent)
        if pow(x.residue, SQUARES, PRIME) != 1:
            raise NoRootError
        self.roots_taken += 1
        value = pow(x.residue, int(exponent.p) * pow(int(exponent.q), -1, SQUARES), PRIME)
        ratio = int(exponent.p) * pow(int(exponent.q) * x.residue, -1, PRIME)
        return Number(value, ratio * value * x.slope, x.real ** ball(exponent))

    def sign(self, x: Number) -> int:
        return x.sign if x.residue else 0

    def relu(self, x: Number) -> Number:
        return x if self.sign(x) > 0 else constant(0)

    def step(self, x: Number) -> Number:
        return constant(int(self.sign(x) > 0))

    def shares(self, row: list[Number]) -> list[Number]:
        largest = [all(self.sign(x - y) >= 0 for y in row) for x in row]
        return [constant(int(best)) / sum(largest) for best in largest]

    def check(self, rows: Any) -> None:
        pass
