"""SymPy's formulas of one entry, read into normal form."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from sympy import (
    Abs,
    Add,
    And,
    Basic,
    Derivative,
    Dummy,
    Equality,
    Function,
    KroneckerDelta,
    Max,
    Min,
    Mod,
    Mul,
    Not,
    NumberSymbol,
    Or,
    Piecewise,
    Pow,
    Product,
    Rational,
    S,
    Sum,
    Symbol,
    Unequality,
    asinh,
    atan,
    cos,
    cosh,
    erf,
    exp,
    floor,
    log,
    sin,
    sinh,
    tanh,
)  # fmt: skip
from sympy.core.relational import GreaterThan, LessThan, Relational, StrictGreaterThan, StrictLessThan
from sympy.logic.boolalg import BooleanFalse, BooleanTrue

from symtransformer.errors import NotSupported
from symtransformer.formulas.algebra import added, by_cases, minus, power_of, product, product_of, times
from symtransformer.formulas.derivatives import Variable, derivative
from symtransformer.formulas.functions import condition_of, function_of, is_nonnegative
from symtransformer.formulas.sums import new_letter, summed
from symtransformer.formulas.terms import (
    ABOVE_0,
    AT_LEAST_0,
    IS_0,
    MINUS_INFINITY,
    ONE,
    ZERO,
    Formula,
    call_of,
    constant,
    number_in,
    single,
    spend,
)  # fmt: skip
from symtransformer.symbols import Entry

ENTRIES_AT_MOST = 64
Values = Mapping[Basic, Formula]

_FUNCTIONS: dict[Any, str] = {
    function: function.__name__
    for function in (sin, cos, log, floor, tanh, erf, sinh, cosh, atan, asinh, Abs, Max, Min)
}
_FACTS = ("integer", "positive", "nonnegative")


class ScalarReader:
    """Reads formulas of numbers, letters and entries; whose entries they are is said by those who inherit."""

    def of_entry(self, entry: Entry, values: Values) -> Formula:
        raise NotImplementedError

    def variable_of(self, entry: Any, values: Values) -> Variable:
        raise NotImplementedError

    def name(self, thing: Any, shown: str) -> str:
        raise NotImplementedError

    def formula(self, x: Any, values: Values) -> Formula:
        spend()
        if isinstance(x, Rational):
            return constant(Fraction(int(x.p), int(x.q)) if x.q != 1 else int(x.p))
        if isinstance(x, Symbol):
            return values[x] if x in values else self.of_symbol(x)
        if isinstance(x, Entry):
            return self.of_entry(x, values)
        if isinstance(x, (Add, Mul)):
            parts = [self.formula(a, values) for a in x.args]
            return added(*parts) if isinstance(x, Add) else product_of(parts)
        if isinstance(x, Pow):
            return self.of_power(x.base, x.exp, values)
        if isinstance(x, Sum):
            return self.of_sum(x, values)
        if isinstance(x, Derivative):
            return self.of_derivative(x, values)
        if isinstance(x, Product):
            return self.of_product(x, values)
        if isinstance(x, Piecewise):
            return self.of_pieces(x, values)
        if isinstance(x, KroneckerDelta):
            return condition_of(IS_0, minus(self.formula(x.args[0], values), self.formula(x.args[1], values)))
        if x is S.NegativeInfinity:
            return single(call_of(MINUS_INFINITY, ()))
        if isinstance(x, NumberSymbol):
            return function_of("exp", (ONE,)) if x is S.Exp1 else single(call_of(str(x), (), frozenset(("positive",))))
        if isinstance(x, (Function, Max, Min)):
            return self.of_function(x, values)
        raise NotSupported(f"no normal form of a {type(x).__name__}")

    def of_symbol(self, symbol: Symbol) -> Formula:
        if isinstance(symbol, Dummy):
            raise NotSupported("a counted letter outside of its sum")
        facts = frozenset(f for f in _FACTS if getattr(symbol, f"is_{f}"))
        return single(call_of(self.name(symbol, symbol.name), (), facts))

    def of_function(self, x: Any, values: Values) -> Formula:
        args = tuple(self.formula(a, values) for a in x.args)
        if isinstance(x, Mod):
            return minus(args[0], product(args[1], function_of("floor", (product(args[0], power_of(args[1], -1)),))))
        if isinstance(x, exp):
            return function_of("exp", args)
        return function_of(
            _FUNCTIONS[x.func] if x.func in _FUNCTIONS else self.name(x.func, f"function {x.func.__name__}"), args
        )

    def of_power(self, base: Any, exponent: Any, values: Values) -> Formula:
        below = self.formula(base, values)
        if isinstance(exponent, Rational):
            return power_of(below, Fraction(int(exponent.p), int(exponent.q)))
        above = self.formula(exponent, values)
        if base.is_positive is True:
            return function_of("exp", (product(above, function_of("log", (below,))),))
        return single(call_of("power", (below, above)))

    def of_sum(self, x: Sum, values: Values) -> Formula:
        return self.summed(x.function, list(x.limits), values)

    def summed(self, body: Any, limits: list[Any], values: Values) -> Formula:
        """A sum over several letters, the last of which is the outermost."""
        if not limits:
            return self.formula(body, values)
        *inner, (letter, low, high) = limits
        first = self.formula(low, values)
        size = added(minus(self.formula(high, values), first), ONE)
        count = number_in(size)
        if size.free or not is_nonnegative(size):
            raise NotSupported("a sum over a range that may end before it starts")
        if spend(0).written_out and isinstance(count, int) and count <= ENTRIES_AT_MOST:
            each = (added(first, constant(k)) for k in range(count))
            return added(*(self.summed(body, inner, {**values, letter: value}) for value in each))
        made, value = new_letter(size)
        return summed(made, self.summed(body, inner, {**values, letter: added(value, first)}))

    def of_derivative(self, x: Derivative, values: Values) -> Formula:
        """Unevaluated in SymPy, worked out here: by entries of letters, the first one first."""
        result = self.formula(x.expr, values)
        for entry, times_ in x.variable_count:
            by = self.variable_of(entry, values)
            for _ in range(int(times_)):
                result = derivative(result, by)
        return result

    def of_product(self, x: Product, values: Values) -> Formula:
        """A product of conditions: 1 where none of them fails."""
        body = x.function
        if not isinstance(body, Piecewise) or any(value not in (0, 1) for value, _ in body.args):
            raise NotSupported("no normal form of a product of many factors")
        return condition_of(IS_0, self.summed(1 - body, list(x.limits), values))

    def of_pieces(self, x: Piecewise, values: Values) -> Formula:
        """Each piece times the condition that it is the one; the last one is meant where no other is."""
        total, left = ZERO, ONE
        for k, (value, condition) in enumerate(x.args):
            holds = ONE if k == len(x.args) - 1 else self.condition(condition, values)
            here = product(left, holds)
            if here != ZERO:
                total = added(total, product(here, self.formula(value, values)))
            left = product(left, _negated(holds))
        return total

    def condition(self, x: Any, values: Values) -> Formula:
        if isinstance(x, (BooleanTrue, BooleanFalse)):
            return ONE if x == S.true else ZERO
        if isinstance(x, And):
            return product_of([self.condition(a, values) for a in x.args])
        if isinstance(x, Or):
            return _negated(product_of([_negated(self.condition(a, values)) for a in x.args]))
        if isinstance(x, Not):
            return _negated(self.condition(x.args[0], values))
        if isinstance(x, Relational):
            difference = minus(self.formula(x.lhs, values), self.formula(x.rhs, values))
            for kind, name, sign in _RELATIONS:
                if isinstance(x, kind):
                    return condition_of(name, times(difference, sign))
            if isinstance(x, Unequality):
                return _negated(condition_of(IS_0, difference))
        raise NotSupported(f"no normal form of the condition {type(x).__name__}")


_RELATIONS: tuple[tuple[Any, str, int], ...] = (
    (GreaterThan, AT_LEAST_0, 1), (LessThan, AT_LEAST_0, -1),
    (StrictGreaterThan, ABOVE_0, 1), (StrictLessThan, ABOVE_0, -1), (Equality, IS_0, 1),
)  # fmt: skip


def _negated(condition: Formula) -> Formula:
    return by_cases((condition,), lambda held: minus(ONE, held))
