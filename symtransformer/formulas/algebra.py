"""Sums, products and powers of formulas, always in normal form.

Products are multiplied out, equal terms are merged, powers of one factor are combined, sines and
cosines are made linear. What holds is meant for real numbers, wherever both sides have a value:
no step here brings in a division that was not there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from symtransformer.errors import LimitExceeded, NotSupported
from symtransformer.formulas.terms import (
    ABOVE_0,
    AT_LEAST_0,
    BASE,
    IS_0,
    MINUS_INFINITY,
    NUMBER,
    ONE,
    ZERO,
    Call,
    Factor,
    Formula,
    Number,
    Term,
    call_of,
    constant,
    formula_of,
    is_whole,
    leading,
    number_in,
    plain,
    sign_of,
    single,
    spend,
    term_of,
)  # fmt: skip

POWER_AT_MOST, BITS_AT_MOST = 12, 20_000


def added(*formulas: Formula) -> Formula:
    total: dict[Term, Number] = {}
    for formula in formulas:
        for term, number in formula.terms:
            total[term] = total.get(term, 0) + number
    spend(len(total) // 8)
    return collected(total)


def times(formula: Formula, number: Number) -> Formula:
    return formula if number == 1 else formula_of({t: plain(c * number) for t, c in formula.terms})


def minus(left: Formula, right: Formula) -> Formula:
    return added(left, times(right, -1))


def product(left: Formula, right: Formula) -> Formula:
    """Every term times every term."""
    if ONE in (left, right):
        return right if left == ONE else left
    total: dict[Term, Number] = {}
    for a, c in left.terms:
        for b, d in right.terms:
            spend()
            powers = dict(a.factors)
            for factor, power in b.factors:
                powers[factor] = powers.get(factor, 0) + power
            for term, number in multiplied(powers).terms:
                total[term] = plain(total.get(term, 0) + c * d * number)
    return collected(total)


def product_of(formulas: list[Formula]) -> Formula:
    result = ONE
    for formula in formulas:
        result = product(result, formula)
    return result


def multiplied(powers: Mapping[Factor, Number]) -> Formula:
    """One product in normal form: whole roots and powers of sums, sines, conditions and divisors worked out."""
    spend()
    powers = {f: plain(p) for f, p in powers.items() if p != 0}
    front: Number = 1
    for factor, power in list(powers.items()):
        if not isinstance(factor, Call):
            continue
        if factor.name in (AT_LEAST_0, ABOVE_0, IS_0) and power > 0:
            powers[factor] = 1
            if factor.name != IS_0 and powers.get(opposite(factor), 0) > 0:
                return ZERO
        elif factor.name in (NUMBER, BASE) and power // 1:
            whole = power // 1 if factor.name == NUMBER else max(0, power // 1)
            powers[factor] = plain(power - whole)
            if powers[factor] == 0:
                del powers[factor]
            if factor.name == NUMBER:
                front = plain(front * Fraction(number_in(factor.args[0]) or 0) ** int(whole))
            elif whole:
                return times(product(multiplied(powers), power_of(factor.args[0], whole)), front)
        elif factor.name == MINUS_INFINITY and power != 1:
            raise NotSupported("a power of −∞")
    rewritten = _linear_in_sines(powers) or _without_divisor(powers)
    return times(rewritten, front) if rewritten is not None else formula_of({term_of(powers): front})


def _linear_in_sines(powers: dict[Factor, Number]) -> Formula | None:
    """cos a cos b = (cos(a - b) + cos(a + b)) / 2, and so on: at most one sine or cosine in a term."""
    waves = sorted((f for f, p in powers.items() if isinstance(f, Call) and f.name in ("sin", "cos") and p >= 1), key=lambda f: (f.name, f.key))  # fmt: skip
    if not waves or (len(waves) == 1 and powers[waves[0]] < 2):
        return None
    first, second = (waves[0], waves[0]) if powers[waves[0]] >= 2 else waves[:2]
    rest = dict(powers)
    for wave in (first, second):
        rest[wave] -= 1
    (a,), (b,) = first.args, second.args  # type: ignore[union-attr]
    name = "cos" if first.name == second.name else "sin"  # type: ignore[union-attr]
    sign = -1 if first.name == second.name == "sin" else 1  # type: ignore[union-attr]
    turned = minus(a, b) if name == "cos" else minus(b, a)  # first is the cosine, second the sine
    pair = added(wave_of(name, turned), times(wave_of(name, added(a, b)), sign))
    return times(product(multiplied(rest), pair), Fraction(1, 2))


def wave_of(name: str, angle: Formula) -> Formula:
    """sin or cos, odd and even, of an angle whose first number is positive."""
    if not angle.terms:
        return ZERO if name == "sin" else ONE
    sign = sign_of(angle)
    return times(single(call_of(name, (times(angle, sign),))), sign if name == "sin" else 1)


def _without_divisor(powers: dict[Factor, Number]) -> Formula | None:
    """L / (L + R) = 1 - R / (L + R), L being the leading term of a divisor."""
    for divisor, power in powers.items():
        if not (isinstance(divisor, Call) and divisor.name == BASE and power < 0):
            continue
        if any(p < 0 for t, _ in divisor.args[0].terms for _, p in t.factors):
            continue  # the remainder could be divisible again, without an end
        term, number = leading(divisor.args[0])
        if not term.factors or any(powers.get(f, 0) < p for f, p in term.factors):
            continue
        rest = dict(powers)
        for factor, p in term.factors:
            rest[factor] -= p
        others = times(formula_of({t: c for t, c in divisor.args[0].terms if t != term}), -1)
        whole = multiplied({**rest, divisor: power + 1})
        return times(added(whole, product(others, multiplied(rest))), Fraction(1) / number)
    return None


# -- powers -------------------------------------------------------------------------------------------
def power_of(base: Formula, power: Number) -> Formula:
    """A rational power. Roots are taken apart only where every part is positive."""
    spend()
    power = plain(power)
    if isinstance(power, int) and power >= 0:
        if len(base.terms) == 1:
            ((term, number),) = base.terms
            return times(multiplied({f: p * power for f, p in term.factors}), _power(number, power))
        if power > POWER_AT_MOST:
            raise LimitExceeded(f"a power {power} of a sum")
        return product_of([base] * power)
    if not base.terms:
        if power > 0:
            return ZERO
        raise NotSupported("a division by 0")
    if MINUS_INFINITY in base.key:
        raise NotSupported("a power of −∞")
    if any(_conditions(term) for term, _ in base.terms):
        return by_cases((base,), lambda case: power_of(case, power))
    common = common_powers(base, (lambda _: True) if isinstance(power, int) else is_positive)
    inside = product(base, multiplied({f: -p for f, p in common.items()}))
    number = Fraction(leading(inside)[1])
    if not isinstance(power, int):
        number = abs(number)
    inside = times(inside, 1 / number)
    front = constant(_power(number, power)) if isinstance(power, int) else root_of(number, power)
    front = product(front, multiplied({f: p * power for f, p in common.items()}))
    return front if inside == ONE else product(front, multiplied({_base(inside): power}))


def _base(inside: Formula) -> Factor:
    (term, number), *more = inside.terms
    alone = not more and number == 1 and len(term.factors) == 1 and term.factors[0][1] == 1
    return term.factors[0][0] if alone else call_of(BASE, (inside,))


def common_powers(formula: Formula, may_be_taken_out: Callable[[Factor], bool]) -> dict[Factor, Number]:
    """The powers that every term has, none being the power 0."""
    tables = [dict(term.factors) for term, _ in formula.terms]
    factors = {f: None for table in tables for f in table if may_be_taken_out(f)}
    least = {f: min(table.get(f, 0) for table in tables) for f in factors}
    return {f: p for f, p in least.items() if p != 0}


def is_positive(factor: Factor) -> bool:
    return isinstance(factor, Call) and (factor.name == NUMBER or "positive" in factor.facts)


def _power(number: Number, power: int) -> Number:
    size = max(Fraction(number).numerator.bit_length(), Fraction(number).denominator.bit_length())
    if size * abs(power) > BITS_AT_MOST:
        raise LimitExceeded("a number of thousands of digits")
    return plain(Fraction(number) ** power)


def root_of(number: Fraction, power: Number) -> Formula:
    """A rational power of a positive number, as powers between 0 and 1 of primes."""
    from sympy import factorint

    if number <= 0 or max(number.numerator.bit_length(), number.denominator.bit_length()) > 1024:
        raise NotSupported("a root of a negative number, or of a number of hundreds of digits")
    powers: dict[Factor, Number] = {}
    for part, sign in ((number.numerator, 1), (number.denominator, -1)):
        for prime, times_ in factorint(part, limit=1000).items():
            if prime != 1:
                factor = call_of(NUMBER, (constant(int(prime)),))
                powers[factor] = powers.get(factor, 0) + sign * times_ * power
    return multiplied(powers)


# -- conditions ---------------------------------------------------------------------------------------
def opposite(condition: Call) -> Call:
    """not x ≥ 0 is -x - 1 ≥ 0 for whole x, and else -x > 0."""
    (x,) = condition.args
    negative = times(x, -1)
    if condition.name == ABOVE_0:
        return call_of(AT_LEAST_0, (negative,))
    return call_of(AT_LEAST_0, (minus(negative, ONE),)) if is_whole(x) else call_of(ABOVE_0, (negative,))


def otherwise(condition: Call) -> Formula:
    """1 where the condition does not hold."""
    return minus(ONE, single(condition)) if condition.name == IS_0 else single(opposite(condition))


def _conditions(term: Term) -> list[Call]:
    return [f for f, _ in term.factors if isinstance(f, Call) and f.name in (AT_LEAST_0, ABOVE_0, IS_0)]


def by_cases(formulas: tuple[Formula, ...], value: Callable[..., Formula]) -> Formula:
    """The value of a function of what holds conditions: one value where they hold, another elsewhere."""
    condition = next((c for x in formulas for term, _ in x.terms for c in _conditions(term)), None)
    if condition is None:
        return value(*formulas)
    spend(20)
    held = by_cases(tuple(_in_case(x, condition, True) for x in formulas), value)
    failed = by_cases(tuple(_in_case(x, condition, False) for x in formulas), value)
    return added(product(single(condition), held), product(otherwise(condition), failed))


def _in_case(formula: Formula, condition: Call, holds: bool) -> Formula:
    """The formula where the condition holds, or where it does not."""
    other = None if condition.name == IS_0 else opposite(condition)
    true, false = (condition, other) if holds else (other, condition)
    total: dict[Term, Number] = {}
    for term, number in formula.terms:
        powers = dict(term.factors)
        if false not in powers:
            without = term_of({f: p for f, p in powers.items() if f != true})
            total[without] = total.get(without, 0) + number
    return collected(total)


def collected(terms: dict[Term, Number]) -> Formula:
    """x where c holds and x where it does not is x; where one of them stands, x alone is split into the two."""
    terms = {t: c for t, c in terms.items() if c != 0}
    for term in sorted(terms, key=lambda t: t.key):
        for condition in _conditions(term):
            if term not in terms or condition.name == IS_0:
                continue
            rest = {f: p for f, p in term.factors if f != condition}
            plain, other = term_of(rest), term_of({**rest, opposite(condition): 1})
            extra = terms.pop(plain, 0)
            pair = {t: terms.pop(t, 0) + extra for t in (term, other)}
            pair = {plain: pair[term]} if pair[term] == pair[other] else pair
            terms.update({t: c for t, c in pair.items() if c != 0})
    return formula_of(terms)
