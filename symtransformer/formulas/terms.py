"""Formulas as records: sums of numbers times terms, a term being a product of powers of factors.

Records are only compared by key, a text in which letters have their names and everything else its
order: equal keys are equal formulas. How they are added and multiplied is said in `algebra.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import gcd

from symtransformer.errors import LimitExceeded

Number = int | Fraction
AT_LEAST_0, ABOVE_0, IS_0 = "≥0", ">0", "=0"  # conditions: 1 where they hold, 0 elsewhere
NUMBER, BASE, MINUS_INFINITY = "number", "base", "∞"


class _Keyed:
    """Compared by key alone."""

    __slots__ = ()
    key: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, eq=False, slots=True)
class Index(_Keyed):
    """A letter that counts 0, ..., size - 1: the place of an entry, or bound by a sum."""

    key: str
    size: Formula

    @property
    def free(self) -> frozenset[Index]:
        return frozenset((self,))

    @property
    def level(self) -> int:
        return 0


@dataclass(frozen=True, eq=False, slots=True)
class Call(_Keyed):
    """A name with arguments: an entry of a letter, a symbol, or the value of a function.

    `facts` says what is known of its value: "integer", "positive", "nonnegative"; with a `size` it
    is one of 0, ..., size - 1.
    """

    key: str
    name: str
    args: tuple[Formula, ...]
    facts: frozenset[str]
    size: Formula | None
    free: frozenset[Index]
    level: int


@dataclass(frozen=True, eq=False, slots=True)
class Sum(_Keyed):
    """The sum of one term over all values of its letters, which hang together in it."""

    key: str
    letters: tuple[Index, ...]
    body: Term
    free: frozenset[Index]
    level: int


Factor = Index | Call | Sum


@dataclass(frozen=True, eq=False, slots=True)
class Term(_Keyed):
    """A product of powers of factors."""

    key: str
    factors: tuple[tuple[Factor, Number], ...]
    free: frozenset[Index]
    level: int


@dataclass(frozen=True, eq=False, slots=True)
class Formula(_Keyed):
    """A sum of numbers times terms."""

    key: str
    terms: tuple[tuple[Term, Number], ...]
    free: frozenset[Index] = field(default=frozenset())
    level: int = 0


# -- limits ---------------------------------------------------------------------------------------
@dataclass
class Work:
    """How much may still be done, the letters given out, and whether sums of known length are written out."""

    left: int
    written_out: bool = False
    letters: int = 0
    rooms: tuple[
        Formula, ...
    ] = ()  # at least 0 wherever what is compared is defined: d - 3, where columns 2 and 3 are taken


_work: ContextVar[Work] = ContextVar("work")


@contextmanager
def limited(steps: int, written_out: bool = False) -> Iterator[None]:
    """Inside, everything together takes at most so many steps; then `LimitExceeded` is raised."""
    token = _work.set(Work(steps, written_out))
    try:
        yield
    finally:
        _work.reset(token)


def _checked(key: str, at_most: int = 20_000) -> str:
    """Records share what is inside them, but texts do not: a long one ends the proof before it can double again."""
    if len(key) > at_most:
        raise LimitExceeded("the formula of an entry grows too long")
    if len(key) > 500:
        spend(len(key) // 500)
    return key


def spend(steps: int = 1) -> Work:
    work = _work.get()
    work.left -= steps
    if work.left < 0:
        raise LimitExceeded("the formula of an entry grows too long")
    return work


# -- making records -----------------------------------------------------------------------------------
def _together(parts: list[frozenset[Index]]) -> frozenset[Index]:
    return frozenset().union(*parts) if parts else frozenset()


def call_of(
    name: str, args: tuple[Formula, ...], facts: frozenset[str] = frozenset(), size: Formula | None = None
) -> Call:
    key = f"{name}({', '.join(a.key for a in args)})" if args else name
    return Call(
        _checked(key),
        name,
        args,
        facts,
        size,
        _together([a.free for a in args]),
        max((a.level for a in args), default=0),
    )


def term_of(factors: Mapping[Factor, Number]) -> Term:
    ordered = tuple(sorted(factors.items(), key=lambda pair: pair[0].key))
    key = "·".join(f.key if p == 1 else f"{f.key}^{p}" for f, p in ordered)
    return Term(
        _checked(key), ordered, _together([f.free for f, _ in ordered]), max((f.level for f, _ in ordered), default=0)
    )


def sum_of(letters: tuple[Index, ...], body: Term) -> Sum:
    head = ", ".join(f"{x.key}<{x.size.key}" for x in letters)
    return Sum(_checked(f"Σ{{{head}}}({body.key})"), letters, body, body.free - frozenset(letters), body.level + 1)


def formula_of(terms: Mapping[Term, Number]) -> Formula:
    ordered = tuple(sorted(((t, c) for t, c in terms.items() if c != 0), key=lambda pair: pair[0].key))
    key = " + ".join(f"{c}[{t.key}]" for t, c in ordered)
    return Formula(
        _checked(key, 200_000),
        ordered,
        _together([t.free for t, _ in ordered]),
        max((t.level for t, _ in ordered), default=0),
    )


UNIT = term_of({})
ZERO, ONE = formula_of({}), formula_of({UNIT: 1})


def constant(number: Number) -> Formula:
    return formula_of({UNIT: plain(number)})


def single(factor: Factor) -> Formula:
    return formula_of({term_of({factor: 1}): 1})


def number_in(formula: Formula) -> Number | None:
    """The rational number that the formula is, or None."""
    if not formula.terms:
        return 0
    (term, value), *more = formula.terms
    return value if not more and not term.factors else None


def plain(number: Number) -> Number:
    return number.numerator if number.denominator == 1 else number


def sign_of(formula: Formula) -> int:
    """The sign of the number before the leading term."""
    return 1 if leading(formula)[1] > 0 else -1


def leading(formula: Formula) -> tuple[Term, Number]:
    """The last term by degree, then alphabet: an order that products keep."""
    return formula.terms[_place_of_leading(formula)]


@lru_cache(maxsize=512)
def _place_of_leading(formula: Formula) -> int:
    return max(range(len(formula.terms)), key=lambda k: _order(formula.terms[k][0]))


def _order(term: Term) -> tuple[Number, list[tuple[str, Number]]]:
    degree = sum((p for _, p in term.factors), start=Fraction(0))
    return degree, sorted(((f.key, p) for f, p in term.factors), reverse=True)


# -- whole numbers ------------------------------------------------------------------------------------
def is_whole(formula: Formula) -> bool:
    """Whether the value is certainly a whole number."""
    return all(
        Fraction(c).denominator == 1 and all(isinstance(p, int) and p > 0 and _is_whole_factor(f) for f, p in t.factors)
        for t, c in formula.terms
    )


def _is_whole_factor(factor: Factor) -> bool:
    if isinstance(factor, Sum):
        return is_whole(formula_of({factor.body: 1}))
    return isinstance(factor, Index) or factor.size is not None or "integer" in factor.facts


def misses_0(x: Formula) -> bool:
    """Whether a whole number is not 0 because of its rest: 2 a + 2 b + 1 is odd."""
    numbers = {t: c for t, c in x.terms if t.factors}
    rest = next((c for t, c in x.terms if not t.factors), 0)
    return bool(numbers) and is_whole(x) and int(rest) % gcd(*map(int, numbers.values())) != 0
