"""Whether a number is exactly 0, decided and never guessed."""

from __future__ import annotations

from functools import lru_cache
from math import comb, isqrt, prod

from sympy import Add, Basic, Dummy, E, Expr, I, Mul, Pow, Rational, S, cos, exp, sin, tanh

TERMS_AT_MOST = 5_000


@lru_cache(maxsize=4096)  # a page asks of the same numbers in each language and format
def is_exactly_zero(value: Expr) -> bool | None:
    """Whether a number is 0, for sums a·e^α over sums of the same kind, a and α in Q[√m], also by tanh, sin and cos.

    Such a sum is 0 only if the coefficients of equal exponents cancel (Lindemann-Weierstrass).
    None where the number is not of this kind.
    """
    value = _by_letters(value)
    if _terms(value) > TERMS_AT_MOST:
        return None
    above, _ = _by_exponentials(value).together().as_numer_denom()
    if _terms(above) > TERMS_AT_MOST:
        return None
    groups: list[tuple[Expr, Expr]] = []
    for term in Add.make_args(above.expand()):
        factors = Mul.make_args(term)
        exponent = Add(*(_exponent_of_e(f) for f in factors)).expand()
        rest = Mul(*(f for f in factors if not _is_power_of_e(f)))
        if not (_is_root_sum(rest) and _is_root_sum(exponent)):
            return None
        for k, (other, total) in enumerate(groups):
            if _root_sum_is_zero(exponent - other):
                groups[k] = other, total + rest
                break
        else:
            groups.append((exponent, rest))
    return all(_root_sum_is_zero(total) for _, total in groups)


def _terms(value: Basic) -> int:
    """How many terms there are at most when all is multiplied out."""
    if isinstance(value, Add):
        return sum(_terms(a) for a in value.args)
    if isinstance(value, Mul):
        return prod(_terms(a) for a in value.args)
    if isinstance(value, Pow) and value.exp.is_Integer:
        terms, count = _terms(value.base), abs(int(value.exp))  # type: ignore[call-overload]
        return comb(terms + count - 1, count) if terms > 1 else 1
    return 1


def _by_letters(value: Expr) -> Expr:
    """A letter for √x where x is not rational, and for e^x where e is in e in x: what cancels with the letter cancels with it."""
    letters: dict[tuple[Basic, Basic], Dummy] = {}
    rule: dict[Basic, Expr] = {}
    for power in value.atoms(Pow):
        if power.exp.is_Rational and not power.exp.is_Integer and not power.base.is_Rational:
            letter = letters.setdefault((power.base, S(power.exp.q)), Dummy())
            rule[power] = letter**power.exp.p
    for power in value.atoms(exp):
        if any(inner.exp.has(exp, E) for inner in power.exp.atoms(exp)):
            rule[power] = letters.setdefault((power, S.One), Dummy())
    return value.xreplace(rule)  # type: ignore[no-any-return]


def _by_exponentials(value: Expr) -> Expr:
    """tanh, sin and cos in terms of e, the last two with imaginary exponents."""
    rule: dict[Basic, Expr] = {}
    for f in value.atoms(tanh, sin, cos):
        x = f.args[0]
        if x.has(tanh, sin, cos):
            continue  # a function of a function is of no known kind
        if isinstance(f, tanh):
            rule[f] = 1 - 2 / (exp(2 * x) + 1)
        else:
            turned, back = exp(I * x), exp(-I * x)
            rule[f] = (turned + back) / 2 if isinstance(f, cos) else (turned - back) / (2 * I)
    return value.xreplace(rule)  # type: ignore[no-any-return]


def _is_power_of_e(value: Expr) -> bool:
    return value is E or isinstance(value, exp)


def _exponent_of_e(value: Expr) -> Expr:
    return S.One if value is E else value.exp if isinstance(value, exp) else S.Zero  # type: ignore[attr-defined]


def _is_root_sum(value: Expr) -> bool:
    if value.is_Rational or value is I:
        return True
    if isinstance(value, (Add, Mul)):
        return all(_is_root_sum(a) for a in value.args)
    return isinstance(value, Pow) and value.base.is_Rational and value.base.is_positive and (2 * value.exp).is_Integer


def _root_sum_is_zero(value: Expr) -> bool:
    """Whether a sum of ±√r, r rational, is 0: √r and √s depend on each other only where r s is a square.

    SymPy takes squares out of a root only as far as it factors the number, so they are compared here.
    """
    value = value.expand()
    if value.has(I):
        turned = [term for term in Add.make_args(value) if term.has(I)]
        return _root_sum_is_zero(value - Add(*turned)) and _root_sum_is_zero(Add(*turned) / I)
    sums: list[tuple[Expr, Expr]] = []
    for term in Add.make_args(value):
        square = (term**2).expand()
        if square == 0:
            continue
        sign = -1 if Mul(*(f for f in Mul.make_args(term) if f.is_Rational)) < 0 else 1
        for k, (first, total) in enumerate(sums):
            ratio = _rational_root(square / first)
            if ratio is not None:
                sums[k] = first, total + sign * ratio
                break
        else:
            sums.append((square, S(sign)))
    return all(total == 0 for _, total in sums)


def _rational_root(value: Expr) -> Expr | None:
    above, below = isqrt(int(value.p)), isqrt(int(value.q))
    return Rational(above, below) if above**2 == value.p and below**2 == value.q else None
