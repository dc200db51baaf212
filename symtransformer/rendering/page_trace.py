"""The arithmetic behind numbers, noted instead of carried out: operations on numbers that are not known yet.

The facets `value` of operations compute with any number type; with this one they leave a list of single
operations, each distinct one once, which another language can carry out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sympy import Add, Basic, E, Expr, Mul, Pow, S, exp, log, pi

from symtransformer.errors import LimitExceeded, NotSupported

OPERATIONS_AT_MOST = 40_000


@dataclass
class Tape:
    """Distinct operations in an order in which they can be carried out: name and arguments, places or constants."""

    operations: list[tuple[Any, ...]] = field(default_factory=list)
    places: dict[tuple[Any, ...], int] = field(default_factory=dict)

    def note(self, *operation: Any) -> Traced:
        if operation not in self.places:
            if len(self.operations) >= OPERATIONS_AT_MOST:
                raise LimitExceeded(f"more than {OPERATIONS_AT_MOST} operations on numbers")
            self.places[operation] = len(self.operations)
            self.operations.append(operation)
        return Traced(self, self.places[operation])

    def number(self, value: Any) -> Traced:
        """A number or a formula in parameters; an infinity is none."""
        if isinstance(value, Traced):
            return value
        value = S(value) if isinstance(value, int) else value
        if value.is_Rational:
            return self.note("rational", int(value.p), int(value.q))
        return self._formula(value)

    def _formula(self, value: Any) -> Traced:
        if value.is_Symbol:
            return self.note("parameter", value.name)
        if value is E:
            return self.number(S.One).applied("exp")
        if value is pi:
            return self.note("pi")
        if isinstance(value, Add):
            first, *others = map(self.number, value.args)
            return sum(others, first)
        if isinstance(value, Mul):
            above, below = value.as_numer_denom()
            if below != 1:
                return self.number(above) / self.number(below)
            first, *others = map(self.number, value.args)
            for other in others:
                first = first * other
            return first
        if isinstance(value, (exp, log)):
            return self.number(value.args[0]).applied(type(value).__name__)
        if isinstance(value, Pow) and value.exp.is_Rational:
            if value.exp == S.Half:
                return self.number(value.base).applied("sqrt")
            return self.number(value.base).power(value.exp)
        raise NotSupported(f"the number {value} in a page that computes")


class Traced:
    """A number that a tape knows at one of its places."""

    __slots__ = ("place", "tape")

    def __init__(self, tape: Tape, place: int) -> None:
        self.tape, self.place = tape, place

    @property
    def known(self) -> Any:
        """The rational number that it is; None where it is not known yet."""
        name, *rest = self.tape.operations[self.place]
        return S(rest[0]) / rest[1] if name == "rational" else None

    def _with(self, name: str, other: Any, combine: Callable[[Any, Any], Any], turned: bool = False) -> Traced:
        if other is S.NegativeInfinity or other is S.Infinity:
            raise NotSupported("an infinity where a page computes with finite numbers")
        left, right = self, self.tape.number(other)
        if turned:
            left, right = right, left
        if left.known is not None and right.known is not None and not (name == "divide" and right.known == 0):
            return self.tape.number(combine(left.known, right.known))
        return self.tape.note(name, left.place, right.place)

    def __add__(self, other: Any) -> Traced:
        if self.known == 0:
            return self.tape.number(other)
        return self if other is S.Zero else self._with("add", other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Traced:
        return self._with("subtract", other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Traced:
        return self._with("subtract", other, lambda a, b: a - b, turned=True)

    def __mul__(self, other: Any) -> Traced:
        return self if other is S.One else self._with("multiply", other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Traced:
        return self if other is S.One else self._with("divide", other, lambda a, b: a / b)

    def __rtruediv__(self, other: Any) -> Traced:
        return self._with("divide", other, lambda a, b: a / b, turned=True)

    def __neg__(self) -> Traced:
        return self.tape.number(-self.known) if self.known is not None else self.tape.note("negate", self.place)

    def __pow__(self, exponent: Any) -> Traced:
        return self.power(S(exponent))

    def power(self, exponent: Any) -> Traced:
        if not exponent.is_Rational:
            raise NotSupported(f"the power {exponent} in a page that computes")
        return self.tape.note("power", self.place, int(exponent.p), int(exponent.q))

    def applied(self, name: str, *others: int) -> Traced:
        return self.tape.note(name, self.place, *others)


class Tracing:
    """The number type of a walk that notes what it does."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape

    def scalar(self, value: Basic) -> Any:
        return value if value in (S.NegativeInfinity, S.Infinity) else self.tape.number(value)

    def exp(self, x: Traced) -> Traced:
        return self.tape.number(S.One) if x.known == 0 else x.applied("exp")

    def divide(self, x: Any, y: Any) -> Any:
        return x / y

    def apply(self, name: str, x: Traced) -> Traced:
        return x.applied(name)

    def sign(self, x: Traced) -> int | None:
        """Of a number that is known; of any other it is not decided, and its division by 0 is found where it happens."""
        known = x.known
        return None if known is None else (known > 0) - (known < 0)

    def relu(self, x: Traced) -> Traced:
        return x.applied("relu")

    def step(self, x: Traced) -> Traced:
        return x.applied("step")

    def shares(self, row: list[Traced]) -> list[Traced]:
        places = [x.place for x in row]
        return [self.tape.note("share", k, *places) for k in range(len(row))]

    def power(self, x: Traced, exponent: Expr) -> Traced:
        return x.power(exponent)

    def normal(self, x: Traced) -> Traced:
        return x.applied("normal")

    def half_tanh(self, x: Traced) -> Traced:
        one, two = self.tape.number(S.One), self.tape.number(S(2))
        return one / (one + self.exp(-(two * x)))

    def check(self, rows: list[list[Any]]) -> None:
        """Nothing: whether a number is one is seen when it is computed."""
