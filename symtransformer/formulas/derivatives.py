"""Derivatives of formulas by one entry of a letter: again formulas in normal form, for all sizes.

The derivative of the entry (p, q) of X by its entry (a, b) is 1 where p = a and q = b, else 0; of a
family of heads, the heads must be equal too. Everything else follows by the rules for sums, products,
powers and functions. Conditions on numbers (x > 0, as in max(0, x)) have the derivative 0: so what
comes out is meant away from the points where one of them begins to hold; `has_edges` says whether
there are any.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from symtransformer.errors import NotSupported
from symtransformer.formulas.algebra import added, by_cases, minus, multiplied, power_of, product, product_of, times
from symtransformer.formulas.functions import (
    EXP,
    FLOOR,
    LOG,
    MAX,
    MIN,
    condition_of,
    function_of,
    value_of,
)
from symtransformer.formulas.places import calls_in
from symtransformer.formulas.sums import new_letter, substituted, summed
from symtransformer.formulas.terms import (
    ABOVE_0,
    AT_LEAST_0,
    BASE,
    IS_0,
    MINUS_INFINITY,
    ONE,
    ZERO,
    Call,
    Factor,
    Formula,
    Index,
    Sum,
    Term,
    call_of,
    formula_of,
    single,
    spend,
)

POWER = "power"  # x^y of formulas
_PI = single(call_of("pi", (), frozenset(("positive",))))


@dataclass(frozen=True)
class Variable:
    """The entry by which a formula is differentiated: the name of the letter, and the places (of a family: head first)."""

    name: str
    places: tuple[Formula, ...]

    def is_in(self, thing: Factor | Formula | Term) -> bool:
        """Whether the letter is met: names end with a number that no other name has."""
        return f"{self.name}(" in thing.key


def derivative(formula: Formula, by: Variable) -> Formula:
    """The derivative of a formula by one entry; where the formula is −∞ it is constant."""
    if not by.is_in(formula):
        return ZERO
    if MINUS_INFINITY in formula.key:
        return by_cases((formula,), lambda case: ZERO if MINUS_INFINITY in case.key else derivative(case, by))
    return added(*(times(_of_term(term, by), number) for term, number in formula.terms if by.is_in(term)))


def _of_term(term: Term, by: Variable) -> Formula:
    """The product rule: one factor after the other."""
    total = []
    for factor, power in term.factors:
        if by.is_in(factor):
            spend()
            inner = _of_factor(factor, by)
            if inner != ZERO:
                rest = multiplied({**dict(term.factors), factor: power - 1})
                total.append(times(product(rest, inner), power))
    return added(*total)


def _of_factor(factor: Factor, by: Variable) -> Formula:
    if isinstance(factor, Index):
        return ZERO
    if isinstance(factor, Sum):
        letters, body = opened(factor)
        return summed(letters, derivative(body, by))
    if factor.name == by.name:
        return _of_entry(factor, by)
    if factor.name in (AT_LEAST_0, ABOVE_0, IS_0):
        return ZERO
    if factor.name == BASE:
        return derivative(factor.args[0], by)
    if factor.name == POWER:
        return _of_power(factor, by)
    if factor.name not in _SLOPES:
        raise NotSupported(f"no derivative of {factor.name}")
    return product(_SLOPES[factor.name](factor), derivative(factor.args[0], by))


def _of_entry(entry: Call, by: Variable) -> Formula:
    if len(entry.args) != len(by.places):
        raise NotSupported("a letter with and without heads")
    if any(by.is_in(place) for place in (*entry.args, *by.places)):
        raise NotSupported("an entry whose place depends on the letter")
    return product_of([condition_of(IS_0, minus(p, a)) for p, a in zip(entry.args, by.places, strict=True)])


def _of_power(power: Call, by: Variable) -> Formula:
    """x^y has the slope y x^(y-1) by x and x^y log x by y."""
    below, above = power.args
    by_base = product_of([above, power_of(below, -1), derivative(below, by)])
    by_exponent = derivative(above, by)
    if by_exponent != ZERO:
        by_exponent = product(function_of(LOG, (below,)), by_exponent)
    return product(single(power), added(by_base, by_exponent))


def opened(factor: Sum) -> tuple[list[Index], Formula]:
    """The letters and the body of a sum, with letters that nothing else bears."""
    letters: list[Index] = []
    new: dict[Index, Formula] = {}
    for letter in factor.letters:
        made, value = new_letter(letter.size)
        letters += made
        new[letter] = value
    return letters, substituted(formula_of({factor.body: 1}), new)


def _square(call: Call) -> Formula:
    return product(call.args[0], call.args[0])


def _bell(call: Call) -> Formula:
    """2 e^(-x²) / √π."""
    return times(product(power_of(_PI, Fraction(-1, 2)), function_of(EXP, (times(_square(call), -1),))), 2)


_SLOPES: dict[str, Callable[[Call], Formula]] = {
    EXP: single,
    LOG: lambda f: power_of(f.args[0], -1),
    "sin": lambda f: function_of("cos", f.args),
    "cos": lambda f: times(function_of("sin", f.args), -1),
    "tanh": lambda f: minus(ONE, power_of(single(f), 2)),
    "erf": _bell,
    "sinh": lambda f: function_of("cosh", f.args),
    "cosh": lambda f: function_of("sinh", f.args),
    "atan": lambda f: power_of(added(ONE, _square(f)), -1),
    "asinh": lambda f: power_of(added(ONE, _square(f)), Fraction(-1, 2)),
    "Abs": lambda f: minus(condition_of(ABOVE_0, f.args[0]), condition_of(ABOVE_0, times(f.args[0], -1))),
}


def has_edges(formula: Formula, by: Variable) -> bool:
    """Whether the formula is in pieces that depend on the letter, so that it has no slope where they meet."""
    edges = (AT_LEAST_0, ABOVE_0, IS_0, "Abs", MAX, MIN, FLOOR)
    return any(by.is_in(call) and call.name in edges for term, _ in formula.terms for call in calls_in(term))


# -- entries put in -----------------------------------------------------------------------------------
def with_entries(formula: Formula, name: str, entry: Callable[[tuple[Formula, ...]], Formula]) -> Formula:
    """The formula with a formula in place of each entry of a letter."""
    if f"{name}(" not in formula.key:
        return formula
    return added(*(times(_term_with(term, name, entry), number) for term, number in formula.terms))


def _term_with(term: Term, name: str, entry: Callable[[tuple[Formula, ...]], Formula]) -> Formula:
    met = {f: p for f, p in term.factors if f"{name}(" in f.key}
    result = multiplied({f: p for f, p in term.factors if f not in met})
    for factor, power in met.items():
        spend()
        if isinstance(factor, Sum):
            letters, body = opened(factor)
            value = power_of(summed(letters, with_entries(body, name, entry)), power)
        elif isinstance(factor, Call):
            args = tuple(with_entries(a, name, entry) for a in factor.args)
            if factor.name == EXP:
                value = function_of(EXP, (times(args[0], power),))
            else:
                value = power_of(_value_with(factor, args, name, entry), power)
        result = product(result, value)
    return result


def _value_with(
    call: Call, args: tuple[Formula, ...], name: str, entry: Callable[[tuple[Formula, ...]], Formula]
) -> Formula:
    if call.name == name:
        return entry(args)
    return args[0] if call.name == BASE else value_of(call, args)
