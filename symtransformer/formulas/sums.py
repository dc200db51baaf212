"""Sums over letters in normal form.

A sum is one factor: letters that hang together in one product. What does not depend on them stands
outside, conditions and permutations that they meet are worked out, and the letters get names that
depend on nothing but their places.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from symtransformer.errors import LimitExceeded, NotSupported
from symtransformer.formulas.algebra import added, minus, multiplied, power_of, product, product_of, times
from symtransformer.formulas.functions import (
    BACK,
    EXP,
    FLOOR,
    FORTH,
    condition_of,
    function_of,
    inverse,
    is_nonnegative,
    permuted,
    value_of,
)
from symtransformer.formulas.places import calls_in, orders_of
from symtransformer.formulas.terms import (
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
    Number,
    Sum,
    Term,
    constant,
    formula_of,
    is_whole,
    number_in,
    single,
    spend,
    sum_of,
    term_of,
)

COPIES_AT_MOST, FEW = 4, 8
Powers = dict[Factor, Number]


def new_letter(size: Formula) -> tuple[list[Index], Formula]:
    """A letter that nothing bears yet, and its value: 0 where it can be nothing else."""
    if size == ONE:
        return [], ZERO
    work = spend()
    work.letters += 1
    letter = Index(f"‹{work.letters}›", size)
    return [letter], single(letter)


# -- replacing letters ----------------------------------------------------------------------------------
def substituted(formula: Formula, new: Mapping[Index, Formula]) -> Formula:
    """Letters replaced by formulas, all at once; everything is put into normal form again."""
    if not formula.free & new.keys():
        return formula
    return added(*(times(_substituted_term(term, new), number) for term, number in formula.terms))


def _substituted_term(term: Term, new: Mapping[Index, Formula]) -> Formula:
    result = multiplied({f: p for f, p in term.factors if not f.free & new.keys()})
    for factor, power in term.factors:
        if factor.free & new.keys():
            result = product(result, _substituted_power(factor, power, new))
    return result


def _substituted_power(factor: Factor, power: Number, new: Mapping[Index, Formula]) -> Formula:
    spend()
    if isinstance(factor, Index):
        return power_of(new[factor], power)
    if isinstance(factor, Sum):
        letters: list[Index] = []
        inner = {x: f for x, f in new.items() if x not in factor.letters}
        for letter in factor.letters:
            made, value = new_letter(letter.size)
            letters += made
            inner[letter] = value
        return power_of(summed(letters, _substituted_term(factor.body, inner)), power)
    args = tuple(substituted(a, new) for a in factor.args)
    if factor.name == EXP:
        return function_of(EXP, (times(args[0], power),))
    return power_of(args[0] if factor.name == BASE else value_of(factor, args), power)


# -- summing --------------------------------------------------------------------------------------------
def summed(letters: list[Index], formula: Formula) -> Formula:
    """The sum of a formula over all values of the letters."""
    return added(*(times(_summed_term(letters, dict(term.factors)), number) for term, number in formula.terms))


def _summed_term(letters: list[Index], powers: Powers) -> Formula:
    spend(2)
    if not letters:
        return multiplied(powers)
    meant = frozenset(letters)
    inside = {f: p for f, p in powers.items() if f.free & meant}
    used = [x for x in letters if any(x in f.free for f in inside)]
    if len(inside) < len(powers) or len(used) < len(letters):
        outside = multiplied({f: p for f, p in powers.items() if f not in inside})
        sizes = [x.size for x in letters if x not in used]
        return product(product_of([outside, *sizes]), _summed_term(used, inside))
    if any(MINUS_INFINITY in f.key for f in inside):
        raise NotSupported("a sum with −∞")
    for step in (_opened, _at_one_place, _in_part_of_its_range, _in_two_digits, _apart, _divided, _reordered):
        result = step(letters, inside)
        if result is not None:
            return result
    return _named(letters, term_of(inside))


def _opened(letters: list[Index], powers: Powers) -> Formula | None:
    """A sum of a sum is one sum over all their letters."""
    for factor, power in powers.items():
        if isinstance(factor, Sum) and power >= 1:
            if power > COPIES_AT_MOST or not isinstance(power, int):
                raise LimitExceeded("a high power of a sum inside a sum")
            bodies, more = [multiplied({f: p for f, p in powers.items() if f != factor})], list(letters)
            for _ in range(power):
                values = {x: new_letter(x.size) for x in factor.letters}
                more += [made for new, _ in values.values() for made in new]
                bodies.append(_substituted_term(factor.body, {x: value for x, (_, value) in values.items()}))
            return summed(more, product_of(bodies))
    return None


def _at_one_place(letters: list[Index], powers: Powers) -> Formula | None:
    """A condition x = e leaves one value of x; if e may be none of its values, a condition says so."""
    for certain in (True, False):
        for factor in [f for f in powers if isinstance(f, Call) and f.name == IS_0]:
            met = [x for x in letters if x in factor.free]
            for letter in met if certain or len(met) == 1 else ():
                value = solved(factor.args[0], letter)
                if value is None:
                    continue
                inside = [condition_of(AT_LEAST_0, x) for x in (value, minus(minus(letter.size, value), ONE))]
                if not certain or inside == [ONE, ONE]:
                    body = formula_of({term_of({f: p for f, p in powers.items() if f != factor}): 1})
                    there = product(product_of(inside), substituted(body, {letter: value}))
                    return summed([x for x in letters if x != letter], there)
    return None


def solved(x: Formula, letter: Index) -> Formula | None:
    """The whole number that the letter must be for x = 0, or None."""
    for term, number in x.terms:
        if letter not in term.free:
            continue
        rest = times(minus(formula_of({term: number}), x), Fraction(1) / number)
        if letter in rest.free or not is_whole(rest) or len(term.factors) != 1 or term.factors[0][1] != 1:
            return None
        factor = term.factors[0][0]
        if factor == letter:
            return rest
        if isinstance(factor, Call) and factor.name[0] in FORTH + BACK and factor.args[0] == single(letter):
            return permuted(inverse(factor.name), rest, letter.size) if factor.size == letter.size else None
        return None
    return None


def _in_part_of_its_range(letters: list[Index], powers: Powers) -> Formula | None:
    """A condition x ≥ a or x < a takes a part of the range, if a is certainly a number from 0 to the size."""
    for factor in powers:
        if not (isinstance(factor, Call) and factor.name == AT_LEAST_0 and len(factor.free) == 1 and is_whole(factor.args[0])):  # fmt: skip
            continue
        (letter,) = factor.free
        if letter not in letters:
            continue
        slope = dict(factor.args[0].terms).get(term_of({letter: 1}))
        rest = minus(factor.args[0], times(single(letter), slope or 0))
        if slope not in (1, -1) or letter in rest.free:
            continue
        edge = times(rest, -1) if slope == 1 else added(rest, ONE)
        if not (is_nonnegative(edge) and is_nonnegative(minus(letter.size, edge))):
            continue
        size, start = (minus(letter.size, edge), edge) if slope == 1 else (edge, ZERO)
        if size == ZERO:
            return ZERO
        made, value = new_letter(size)
        body = formula_of({term_of({f: p for f, p in powers.items() if f != factor}): 1})
        return summed([x for x in letters if x != letter] + made, substituted(body, {letter: added(value, start)}))
    return None


def _in_two_digits(letters: list[Index], powers: Powers) -> Formula | None:
    """Where the whole part of x / w is met, x = a w + r, and the sum runs over a and r."""
    for call in calls_in(term_of(powers)):
        if call.name != FLOOR:
            continue
        for term, number in call.args[0].terms:
            letter = next((f for f, p in term.factors if f in letters and p == 1), None)
            divisors = {f: -p for f, p in term.factors if f != letter}
            if letter is None or number <= 0 or any(f.free for f in divisors):
                continue
            assert isinstance(letter, Index)
            width = times(multiplied(divisors), Fraction(1) / number)
            count = product(letter.size, power_of(width, -1))
            if not (is_whole(width) and is_whole(count) and all(is_nonnegative(minus(x, ONE)) for x in (width, count))):
                continue
            rest, body = [x for x in letters if x != letter], formula_of({term_of(powers): 1})
            return added(*(
                summed(rest + high + low, substituted(body, {letter: added(product(above, width), below)}))
                for high, above in _digits(count)
                for low, below in _digits(width)
            ))  # fmt: skip
    return None


def _digits(size: Formula) -> list[tuple[list[Index], Formula]]:
    """All values, if they are few; else a letter for them."""
    count = number_in(size)
    return [([], constant(k)) for k in range(int(count))] if count and count <= FEW else [new_letter(size)]


def _apart(letters: list[Index], powers: Powers) -> Formula | None:
    """Letters that do not hang together have sums of their own."""
    together = {letters[0]}
    while True:
        more = {x for f in powers if f.free & together for x in f.free} & set(letters)
        if more <= together:
            break
        together |= more
    if len(together) == len(letters):
        return None
    first = {f: p for f, p in powers.items() if f.free & together}
    second = {f: p for f, p in powers.items() if f not in first}
    return product(
        _summed_term([x for x in letters if x in together], first),
        _summed_term([x for x in letters if x not in together], second),
    )


def _divided(letters: list[Index], powers: Powers) -> Formula | None:
    """A sum inside that is also a divisor cancels: the sum over l of a_kl / (the sum over l of a_kl) is 1."""
    divisors = [f for f, p in powers.items() if isinstance(f, Sum) and p < 0 and len(f.letters) == 1]
    for divisor in divisors:
        for letter in letters:
            if letter.size != divisor.letters[0].size or letter in divisor.free or len(letters) == 1:
                continue
            group = {f: p for f, p in powers.items() if letter in f.free}
            inner = _summed_term([letter], group)
            if len(inner.terms) == 1 and dict(inner.terms[0][0].factors).get(divisor, 0) >= 1:
                rest = multiplied({f: p for f, p in powers.items() if f not in group})
                return summed([x for x in letters if x != letter], product(rest, inner))
    return None


def _reordered(letters: list[Index], powers: Powers) -> Formula | None:
    """A letter goes through its values in the order of a permutation, if fewer permutations are left then."""
    body = formula_of({term_of(powers): 1})
    for letter in letters:
        met = {
            c.name: c for c in calls_in(term_of(powers)) if c.name[0] in FORTH + BACK and c.args[0] == single(letter)
        }
        for name in sorted(met):
            if met[name].size != letter.size:
                continue
            made, value = new_letter(letter.size)
            other = substituted(body, {letter: permuted(inverse(name), value, letter.size)})
            if _count(other) < _count(body):
                return summed([x for x in letters if x != letter] + made, other)
    return None


def _count(formula: Formula) -> tuple[int, int]:
    return formula.key.count(FORTH) + formula.key.count(BACK), formula.key.count(BACK)


# -- names of letters -----------------------------------------------------------------------------------
def _named(letters: list[Index], body: Term) -> Formula:
    """The sum, its letters named by level and place: the same names for the same sum, however it was reached."""
    level = body.level + 1
    best: tuple[str, Term, Number] | None = None
    names: list[Index] = []
    for order in orders_of(letters, body):
        names = [Index(f"‹{level}.{k}›", x.size) for k, x in enumerate(order)]
        renamed = _substituted_term(body, {x: single(name) for x, name in zip(order, names, strict=True)})
        if len(renamed.terms) != 1 or renamed.level != body.level or body.free & frozenset(names):
            raise LimitExceeded("a sum whose form depends on the names of its letters")
        ((term, number),) = renamed.terms
        head = ", ".join(x.size.key for x in names)
        if best is None or f"{head}: {term.key}" < best[0]:
            best = (f"{head}: {term.key}", term, number)
            chosen = names
    assert best is not None
    return formula_of({term_of({sum_of(tuple(chosen), best[1]): 1}): best[2]})
