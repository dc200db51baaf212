"""Values of functions in normal form: exponentials, logarithms, whole parts, conditions, permutations.

exp(x + y) is exp(x) exp(y), one factor for each term of the exponent: so what does not depend on
the letter of a sum leaves the sum by itself. log takes such factors apart again.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor, gcd, lcm

from symtransformer.errors import NotSupported
from symtransformer.formulas.algebra import (
    added,
    by_cases,
    common_powers,
    is_positive,
    minus,
    multiplied,
    power_of,
    product,
    product_of,
    times,
    wave_of,
)
from symtransformer.formulas.terms import (
    ABOVE_0,
    AT_LEAST_0,
    IS_0,
    MINUS_INFINITY,
    NUMBER,
    ONE,
    ZERO,
    Call,
    Factor,
    Formula,
    Number,
    Sum,
    Term,
    call_of,
    constant,
    formula_of,
    is_whole,
    leading,
    misses_0,
    number_in,
    plain,
    sign_of,
    single,
    spend,
)

EXP, LOG, FLOOR, MAX, MIN = "exp", "log", "floor", "Max", "Min"
ODD, EVEN = frozenset(("erf", "sinh", "atan", "asinh")), frozenset(("cosh", "Abs"))
FORTH, BACK = "σ", "τ"  # a permutation and its inverse
WHOLE, DIGITS_AT_MOST = frozenset(("integer",)), 9


def value_of(call: Call, args: tuple[Formula, ...]) -> Formula:
    """The same call with these arguments, in normal form."""
    name = call.name
    if name in (AT_LEAST_0, ABOVE_0, IS_0):
        return condition_of(name, *args)
    if name[0] in FORTH + BACK:
        return permuted(name, args[0], call.size or ZERO)
    return function_of(name, args, call.facts)


def function_of(name: str, args: tuple[Formula, ...], facts: frozenset[str] = frozenset()) -> Formula:
    """A function of real numbers by name; of a condition, one value where it holds and another elsewhere."""
    if name != EXP and any(MINUS_INFINITY in x.key for x in args):
        raise NotSupported(f"{name} of −∞")
    if name in _FUNCTIONS:
        return by_cases(args, _FUNCTIONS[name])
    if name == "tanh":  # 1 - 2 / (e^(2x) + 1): so it meets the sigmoid
        return by_cases(args, lambda x: minus(ONE, times(power_of(added(_exponential(times(x, 2)), ONE), -1), 2)))
    if name in ("sin", "cos"):
        return by_cases(args, lambda x: wave_of(name, x))
    if name in ODD | EVEN:
        return by_cases(args, lambda x: _symmetric(name, x))
    if name in (MAX, MIN) and len(args) == 2:
        larger = by_cases(args, _larger)
        return larger if name == MAX else minus(added(*args), larger)
    if name in (MAX, MIN):
        args = tuple(sorted(args, key=lambda x: x.key))
    return by_cases(args, lambda *case: single(call_of(name, case, facts)))


def _larger(a: Formula, b: Formula) -> Formula:
    """max(a, b) = a + (b - a) where b > a; of a and b the one first whose difference has a positive leading number."""
    if a == b:
        return a
    first, second = (a, b) if sign_of(minus(b, a)) > 0 else (b, a)
    difference = minus(second, first)
    return added(first, product(difference, condition_of(ABOVE_0, difference)))


def _symmetric(name: str, x: Formula) -> Formula:
    if not x.terms:
        return ONE if name == "cosh" else ZERO
    sign = sign_of(x)
    return times(single(call_of(name, (times(x, sign),))), sign if name in ODD else 1)


def _exponential(x: Formula) -> Formula:
    parts = []
    for term, number in x.terms:
        if MINUS_INFINITY in term.key:
            names = [f.name if isinstance(f, Call) else "" for f, _ in term.factors]
            if number < 0 or not all(n == MINUS_INFINITY or is_positive(f) for n, (f, _) in zip(names, term.factors, strict=True)):  # fmt: skip
                raise NotSupported("exp of an unknown number times −∞")
            parts.append(ZERO)
        elif len(term.factors) == 1 and getattr(term.factors[0][0], "name", "") == LOG and term.factors[0][1] == 1:
            parts.append(power_of(term.factors[0][0].args[0], number))  # type: ignore[union-attr]
        else:
            parts.append(multiplied({call_of(EXP, (formula_of({term: 1}),)): number}))
    return product_of(parts)


def _logarithm(x: Formula) -> Formula:
    if not x.terms:
        raise NotSupported("log of 0")
    common = common_powers(x, _is_surely_positive)
    inside = product(x, multiplied({f: -p for f, p in common.items()}))
    number = abs(Fraction(leading(inside)[1]))
    inside = times(inside, 1 / number)
    parts = [times(_logarithm_of(f), p) for f, p in common.items()] + [_logarithm_of_number(number)]
    return added(*parts, ZERO if inside == ONE else single(call_of(LOG, (inside,))))


def _is_surely_positive(factor: Factor) -> bool:
    """A positive letter, an exponential, or a sum of products of these."""
    if isinstance(factor, Sum):
        return all(_is_surely_positive(inner) for inner, _ in factor.body.factors)
    return is_positive(factor) or (isinstance(factor, Call) and factor.name == EXP)


def _logarithm_of(factor: Factor) -> Formula:
    if isinstance(factor, Call) and factor.name == EXP:
        return factor.args[0]
    return single(
        call_of(LOG, (factor.args[0] if isinstance(factor, Call) and factor.name == NUMBER else single(factor),))
    )


def _logarithm_of_number(number: Fraction) -> Formula:
    from sympy import factorint

    if max(number.numerator.bit_length(), number.denominator.bit_length()) > 1024:
        raise NotSupported("log of a number of hundreds of digits")
    parts = [
        times(single(call_of(LOG, (constant(int(prime)),))), sign * count)
        for part, sign in ((number.numerator, 1), (number.denominator, -1))
        for prime, count in factorint(part, limit=1000).items()
        if prime != 1
    ]
    return added(*parts)


def _floor(x: Formula) -> Formula:
    whole: dict[Term, Number] = {}
    rest: dict[Term, Number] = {}
    for term, number in x.terms:
        below = floor(number) if is_whole(formula_of({term: 1})) else 0
        whole[term], rest[term] = below, plain(number - below)
    left = formula_of(rest)
    if not left.terms or _lies_below(left, 1):
        return formula_of(whole)
    known = (c for c in range(2, DIGITS_AT_MOST) if spend(0).written_out and _lies_below(left, c))
    bound = next(known, None)
    if bound is None:
        return added(formula_of(whole), single(call_of(FLOOR, (left,), WHOLE)))
    divisor = _denominator(left)
    reached = [condition_of(AT_LEAST_0, product(minus(left, constant(c)), divisor)) for c in range(1, bound)]
    return added(formula_of(whole), *reached)


def _lies_below(x: Formula, bound: int) -> bool:
    """Whether 0 ≤ x < bound is certain: all are multiplied by the denominators."""
    divisor = _denominator(x)
    above = product(x, divisor)
    return is_nonnegative(above) and is_nonnegative(minus(minus(times(divisor, bound), above), ONE))


def _denominator(x: Formula) -> Formula:
    """A positive formula whose product with x has no denominators."""
    below: dict[Factor, Number] = {}
    for term, _ in x.terms:
        for factor, power in term.factors:
            if power < 0:
                below[factor] = max(below.get(factor, 0), -power)
    if not all(map(is_positive, below)):
        raise NotSupported("the whole part of a quotient whose divisor may be negative")
    return times(multiplied(below), lcm(*(Fraction(c).denominator for _, c in x.terms)))


_FUNCTIONS = {EXP: _exponential, LOG: _logarithm, FLOOR: _floor}


# -- conditions ---------------------------------------------------------------------------------------
def condition_of(name: str, x: Formula) -> Formula:
    """1 where x ≥ 0, x > 0 or x = 0, and 0 elsewhere; decided where that is certain for all sizes."""
    if MINUS_INFINITY in x.key:
        raise NotSupported("a condition on −∞")
    return by_cases((x,), lambda case: _condition(name, case))


def _condition(name: str, x: Formula) -> Formula:
    if name == IS_0:
        return _equality(x)
    if name == ABOVE_0 and is_whole(x):
        name, x = AT_LEAST_0, minus(x, ONE)
    number = number_in(x)
    if number is not None:
        return ONE if number > 0 or (number == 0 and name == AT_LEAST_0) else ZERO
    if is_nonnegative(x if name == AT_LEAST_0 else minus(x, ONE)):
        return ONE
    if is_nonnegative(times(x, -1) if name == ABOVE_0 else minus(times(x, -1), ONE)):
        return ZERO
    if is_whole(x):
        x = times(x, Fraction(1, gcd(*(int(c) for _, c in x.terms))))
    else:
        x = times(x, 1 / abs(Fraction(leading(x)[1])))
    return single(call_of(name, (x,)))


def _equality(x: Formula) -> Formula:
    number = number_in(x)
    if number is not None:
        return ONE if number == 0 else ZERO
    if misses_0(x) or is_nonnegative(minus(x, ONE)) or is_nonnegative(minus(times(x, -1), ONE)):
        return ZERO
    for term, number in x.terms:
        moved = _alone(term)
        if moved is None or abs(number) != 1:
            continue
        other = times(minus(formula_of({term: number}), x), number)  # moved(argument) = other
        if moved.name[0] == BACK:
            return condition_of(IS_0, minus(moved.args[0], permuted(inverse(moved.name), other, moved.size or ZERO)))
        opposite = _alone(other.terms[0][0]) if len(other.terms) == 1 and other.terms[0][1] == 1 else None
        if opposite is not None and opposite.name == moved.name:
            return condition_of(IS_0, minus(moved.args[0], opposite.args[0]))
    return single(call_of(IS_0, (times(x, Fraction(1) / leading(x)[1]),)))


def _alone(term: Term) -> Call | None:
    """The permutation call that the term is, or None."""
    if len(term.factors) == 1 and term.factors[0][1] == 1:
        factor = term.factors[0][0]
        if isinstance(factor, Call) and factor.name[0] in FORTH + BACK:
            return factor
    return None


def inverse(name: str) -> str:
    return (BACK if name[0] == FORTH else FORTH) + name[1:]


def permuted(name: str, index: Formula, size: Formula) -> Formula:
    """The place to which a permutation sends an index; back and forth is nothing."""
    if len(index.terms) == 1 and index.terms[0][1] == 1:
        inner = _alone(index.terms[0][0])
        if inner is not None and inner.name == inverse(name):
            return inner.args[0]
    return single(call_of(name, (index,), WHOLE, size))


def is_nonnegative(x: Formula) -> bool:
    """Whether x ≥ 0 is certain for all sizes, and for all values of its letters."""
    for _ in range(6):
        ranged = next((f for t, _ in x.terms for f, _ in t.factors if getattr(f, "size", None) is not None), None)
        if ranged is None:
            break
        with_it = [(dict(t.factors), c) for t, c in x.terms if any(f == ranged for f, _ in t.factors)]
        signs = {c > 0 for _, c in with_it}
        if len(signs) > 1 or any(powers.pop(ranged) != 1 or not _is_product_of_sizes(powers) for powers, _ in with_it):
            return False
        worst = ZERO if signs == {True} else minus(ranged.size, ONE)  # type: ignore[union-attr, arg-type]
        others = formula_of({t: c for t, c in x.terms if all(f != ranged for f, _ in t.factors)})
        x = added(others, *(times(product(multiplied(powers), worst), c) for powers, c in with_it))
    return _is_nonnegative_in_sizes(x) or any(_is_nonnegative_in_sizes(minus(x, room)) for room in spend(0).rooms)


def _is_product_of_sizes(powers: dict[Factor, Number]) -> bool:
    return all(isinstance(p, int) and p > 0 and isinstance(f, Call) and f.facts & {"positive", "nonnegative"} for f, p in powers.items())  # fmt: skip


def _is_nonnegative_in_sizes(x: Formula) -> bool:
    """Every positive whole letter is written as 1 more than itself; then no number may be below 0."""
    total = [ZERO]
    for term, number in x.terms:
        if not _is_product_of_sizes(dict(term.factors)):
            return False
        spend(2)
        more = [
            power_of(added(single(f), ONE) if {"positive", "integer"} <= getattr(f, "facts", set()) else single(f), p)
            for f, p in term.factors
        ]
        total.append(times(product_of(more), number))
    return all(c >= 0 for _, c in added(*total).terms)
