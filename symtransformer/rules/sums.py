"""Rules for sums over index letters and for Kronecker deltas in them; one that does not fit gives None."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from sympy import Add, Expr, KroneckerDelta, Mul, Pow, S, Sum, Symbol

from symtransformer.index_letters import bound_letters, free_letters, size_of, subformulas, with_letters
from symtransformer.notation import Words
from symtransformer.rules.calculus import EntryRule
from symtransformer.symbols import Entry


def sum_of(body: Any, limits: list[Any]) -> Expr:
    return Sum(body, *limits) if limits and body != 0 else body


Sizes = Mapping[Symbol, Collection[Any]]  # of index letters: how many values each has, wherever it counts


def sizes_in(formula: Any) -> dict[Symbol, set[Any]]:
    """How many values the letters have, by the sums over them and the entries in whose places they stand."""
    found: dict[Symbol, set[Any]] = {}
    for part in subformulas(formula):
        if isinstance(part, Sum):
            for limits in part.limits:
                found.setdefault(limits[0], set()).add(size_of(limits))
        elif isinstance(part, Entry):
            for place, size in zip((part.i, part.j), part.parent.shape, strict=True):
                if isinstance(place, Symbol):
                    found.setdefault(place, set()).add(size)
    return found


def _is_taken(value: Any, count: Any, sizes: Sizes) -> bool:
    """Whether a letter of a sum, which counts up to `count` from 0, surely takes the value."""
    if value.is_Integer:
        return bool(value >= 0 and (count - 1 - value).is_nonnegative)
    known = sizes.get(value, ())
    return bool(known) and all(size == count or (count - size).expand().is_nonnegative is True for size in known)


def _delta_in_a_sum(formula: Any, sizes: Sizes) -> Expr | None:
    """Σ_k δ_ki u_k = u_i, where i is one of the values that k takes; elsewhere the sum would be 0."""
    if not isinstance(formula, Sum):
        return None
    body, limits = formula.function, list(formula.limits)
    for delta in _factors(body):
        if not isinstance(delta, KroneckerDelta):
            continue
        for k, (letter, low, high) in enumerate(limits):
            if low == 0 and letter in delta.args:
                (value,) = [x for x in delta.args if x != letter] or [letter]
                if value == letter or not _is_taken(value, high + 1, sizes):
                    continue
                rest = Mul(*(f for f in _factors(body) if f is not delta))
                return sum_of(with_letters(rest, {letter: value}), limits[:k] + limits[k + 1 :])
    return None


def _every_delta(formula: Any, given: Sizes) -> Expr | None:
    """One delta after another in the same sum, so that a line of the derivation settles them all."""
    sizes = sizes_in(formula) if isinstance(formula, Sum) else {}
    sizes |= {x: {*sizes.get(x, ()), *counts} for x, counts in given.items()}
    new = _delta_in_a_sum(formula, sizes)
    while new is not None and (further := _delta_in_a_sum(new, sizes)) is not None:
        new = further
    return new


def delta_picks(sizes: Sizes) -> EntryRule:
    """The rule where more is known of the letters than the formula itself says."""
    return replace(DELTA_PICKS, rewrite=lambda formula: _every_delta(formula, sizes))


def _factors(body: Any) -> tuple[Any, ...]:
    return body.args if isinstance(body, Mul) else (body,)


def _sum_term_by_term(formula: Any) -> Expr | None:
    if isinstance(formula, Sum) and isinstance(formula.function, Add):
        return Add(*(sum_of(term, list(formula.limits)) for term in formula.function.args))
    return None


def _multiply_out(formula: Any) -> Expr | None:
    """A bracket with a delta in it is multiplied out, so that the sum can meet the delta."""
    if not isinstance(formula, Mul):
        return None
    for bracket in formula.args:
        if isinstance(bracket, Add) and bracket.atoms(KroneckerDelta):
            rest = Mul(*(f for f in formula.args if f is not bracket))
            return Add(*(Mul(rest, term) for term in bracket.args))
    return None


def _inner_sums_out(formula: Any) -> Expr | None:
    """u_k Σ_l v_l = Σ_l u_k v_l inside a sum over k, where a delta binds k and l."""
    if not isinstance(formula, Sum) or not isinstance(formula.function, Mul):
        return None
    for inner in formula.function.args:
        if isinstance(inner, Sum) and inner.atoms(KroneckerDelta):
            rest = Mul(*(f for f in formula.function.args if f is not inner))
            if (free_letters(rest) | set(bound_letters(rest))) & set(inner.variables):
                return None
            return Sum(rest * inner.function, *inner.limits, *formula.limits)
    return None


def _factor_out_of_sum(formula: Any) -> Expr | None:
    """A factor without the letter stands before the sum."""
    if not isinstance(formula, Sum):
        return None
    letters = set(formula.variables)
    factors = _factors(formula.function)
    fixed = [f for f in factors if not (free_letters(f) | f.free_symbols) & letters]
    if not fixed or len(fixed) == len(factors):
        return None
    return Mul(*fixed, Sum(Mul(*(f for f in factors if f not in fixed)), *formula.limits))


def _common_factor(formula: Any) -> Expr | None:
    """u v + u w = u (v + w)."""
    if not isinstance(formula, Add):
        return None
    powers = [Counter(dict(_power(f) for f in _factors(term) if not f.is_number)) for term in formula.args]
    common = {f: p for f in powers[0] if (p := _shared([table.get(f, 0) for table in powers])) != 0}
    if not common:
        return None
    front = Mul(*(f**p for f, p in common.items()))
    rest = Add(*(Mul(*(g for g in _factors(term / front))) for term in formula.args))
    return Mul(front, rest, evaluate=False) if front.is_number else front * rest


def _shared(exponents: list[Any]) -> Any:
    """What all terms have of one factor, above the line or below it."""
    return min(exponents) if min(exponents) > 0 else max(exponents) if max(exponents) < 0 else 0


def _power(factor: Any) -> tuple[Any, Any]:
    return (factor.base, factor.exp) if isinstance(factor, Pow) and factor.exp.is_Integer else (factor, S.One)


def renamed(formula: Any, new: dict[Symbol, Symbol]) -> Any:
    """The formula with letters of its sums renamed; the new ones must not occur in it, unless all change at once."""
    if isinstance(formula, Sum):
        own = {x: new[x] for x in formula.variables if x in new}
        body = renamed(formula.function, new)
        limits = [(own.get(x, x), low, high) for x, low, high in formula.limits]
        return Sum(with_letters(body, own), *limits)
    if not isinstance(formula, Expr) or not formula.args or not any(isinstance(p, Sum) for p in subformulas(formula)):
        return formula
    return formula.func(*(renamed(a, new) for a in formula.args))


def renaming(formula: Any, wanted: Any) -> dict[Symbol, Symbol]:
    """What to rename so that each bound letter is the first that `wanted` gives for it, and none is taken."""
    taken = {str(s) for s in free_letters(formula)}
    new: dict[Symbol, Symbol] = {}
    for letter in dict.fromkeys(bound_letters(formula)):
        new[letter] = wanted(letter, taken)
        taken.add(str(new[letter]))
    return {x: y for x, y in new.items() if x is not y and x != y}


DELTA_PICKS = EntryRule(
    Words("a delta in a sum picks one term", "δ を含む和は 1 項だけ残る"),
    "Σ_k δ_ki u_k = u_i",
    Words(
        "Only the term in which both indices of the delta are equal remains; in it the index of the sum becomes the "
        "other one.",
        "δ の 2 つの添字が等しい項だけが残り、和をとる添字はもう一方の添字に置き換わります。",
    ),
    lambda formula: _every_delta(formula, {}),
)
SUM_TERM_BY_TERM = EntryRule(
    Words("splitting a sum", "和を分ける"),
    "Σ (u + v) = Σ u + Σ v",
    Words("Each term is summed by itself.", "項ごとに別々に和をとります。"),
    _sum_term_by_term,
)
MULTIPLY_OUT = EntryRule(
    Words("multiplying out", "展開"),
    "u (v + w) = u v + u w",
    Words("Each term in the brackets is multiplied by the factor.", "括弧の各項に因子を掛けます。"),
    _multiply_out,
)
INNER_SUM_OUT = EntryRule(
    Words("merging sums", "和をまとめる"),
    "u Σ_l v_l = Σ_l u v_l",
    Words(
        "A factor without the index of a sum may stand inside the sum.",
        "和の添字を含まない因子は、和の中へ入れられます。",
    ),
    _inner_sums_out,
)
FACTOR_OUT = EntryRule(
    Words("taking a factor out of a sum", "因子を和の外へ出す"),
    "Σ_k c u_k = c Σ_k u_k",
    Words(
        "A factor without the index of the sum is the same in every term and may stand in front.",
        "和の添字を含まない因子はどの項にも共通なので、和の外へ出せます。",
    ),
    _factor_out_of_sum,
)
COMMON_FACTOR = EntryRule(
    Words("taking out a common factor", "共通因子でくくる"),
    "u v + u w = u (v + w)",
    Words(
        "What all terms share is written once, in front of brackets.", "すべての項に共通な因子を括弧の前へ出します。"
    ),
    _common_factor,
)
RENAMING_WORDS = (
    Words("renaming an index of a sum", "和の添字の付け替え"),
    Words(
        "The index of a sum may be any letter that does not occur elsewhere.",
        "和をとる添字は、ほかで使われていない文字なら何に替えても同じです。",
    ),
)
SUMS = (DELTA_PICKS, SUM_TERM_BY_TERM, MULTIPLY_OUT, INNER_SUM_OUT, FACTOR_OUT, COMMON_FACTOR)
