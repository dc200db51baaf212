"""Derivatives of entry formulas against differences with 80 digits, of every operation; and what has none is refused."""

from __future__ import annotations

import itertools
import random
import sys
from pathlib import Path

import mpmath
import pytest
from sympy import Derivative, Function, S, Sum, exp, floor, symbols

sys.path.insert(0, str(Path(__file__).parent / "operations"))
from facet_cases import all_cases

from symtransformer import dimension, matrix
from symtransformer.errors import NotSupported
from symtransformer.formulas.algebra import added
from symtransformer.formulas.derivatives import Variable, derivative, has_edges, with_entries
from symtransformer.formulas.entries import Reader
from symtransformer.formulas.functions import function_of
from symtransformer.formulas.same_derivative import Claim, Use, compare_with_derivative
from symtransformer.formulas.terms import Index, constant, limited, number_in
from symtransformer.formulas.terms import Sum as Total
from symtransformer.judge import judge_equation
from symtransformer.operation import REGISTRY, Primitive
from symtransformer.operations import (
    Broadcast,
    Exponential,
    Hadamard,
    PairTurn,
    ReLU,
    RowSlice,
    RowSum,
    Softmax,
    Tanh,
)  # fmt: skip
from symtransformer.operations.entry_formula import EntryFormula
from symtransformer.symbols import permutation

n, m, d = dimension("n"), dimension("m"), dimension("d")
i, j, k, a, b = symbols("i j k a b", integer=True, nonnegative=True)
S_, G = matrix("S", n, m), matrix("G", n, m)
OPERATIONS = sorted(name for name, op in REGISTRY.items() if issubclass(op, Primitive))

FUNCTIONS = {
    "exp": mpmath.exp, "log": mpmath.log, "sin": mpmath.sin, "cos": mpmath.cos, "tanh": mpmath.tanh, "erf": mpmath.erf,
    "sinh": mpmath.sinh, "cosh": mpmath.cosh, "atan": mpmath.atan, "asinh": mpmath.asinh, "Abs": abs,
    "floor": mpmath.floor, "power": lambda x, y: x**y, "≥0": lambda x: int(x >= 0), ">0": lambda x: int(x > 0),
    "=0": lambda x: int(x == 0), "base": lambda x: x, "number": lambda x: x,
}  # fmt: skip


class Numbers:
    """Values of formulas, worked out from the records as they read: no rule of the normal form is used."""

    def __init__(self, entries):
        self.entries = entries  # by name: a function of the places

    def of(self, formula, letters):
        return mpmath.fsum(mpmath.mpf(c.numerator) / c.denominator * self.term(t, letters) for t, c in formula.terms)

    def term(self, term, letters):
        value = mpmath.mpf(1)
        for factor, power in term.factors:
            value *= self.factor(factor, letters) ** (mpmath.mpf(power.numerator) / power.denominator)
        return value

    def factor(self, factor, letters):
        if isinstance(factor, Index):
            return letters[factor.key]
        if isinstance(factor, Total):
            ranges = [range(int(self.of(x.size, letters))) for x in factor.letters]
            names = [x.key for x in factor.letters]
            return mpmath.fsum(
                self.term(factor.body, {**letters, **dict(zip(names, values, strict=True))})
                for values in itertools.product(*ranges)
            )
        args = [self.of(x, letters) for x in factor.args]
        if factor.name in self.entries:
            return self.entries[factor.name](*(int(x) for x in args))
        return mpmath.pi if factor.name == "pi" else FUNCTIONS[factor.name](*args)


def read(case):
    """The reader, and the formula of the entry at each place, of the operation applied to letters."""
    reader = Reader()
    rows, columns = (int(s) for s in case.node.shape)
    places = list(itertools.product(range(rows), range(columns)))
    random.Random(case.name).shuffle(places)
    return reader, {place: reader.entry_of(case.node, *map(constant, place), {}) for place in places[:3]}


def entries_of(reader, case, moved=None, by=0):
    """Functions from places to values; one entry moved by a small number."""

    def lookup(letter):
        def value(*place):
            rows = case.values[letter]
            for index in place:
                rows = rows[index] if 0 <= index < len(rows) else [0] * 9
            number = mpmath.mpf(rows.p) / rows.q if rows != [0] * 9 and not isinstance(rows, list) else mpmath.mpf(0)
            return number + (by if (letter, place) == moved else 0)

        return value

    names = {(x.family if x.head is not None else x): x for x in case.letters}
    return {reader.names[x]: lookup(letter) for x, letter in names.items() if x in reader.names}


@pytest.mark.parametrize("name", OPERATIONS)
def test_the_derivative_of_each_entry_agrees_with_differences(name):
    for case in all_cases(REGISTRY[name]):
        with mpmath.workdps(80), limited(200_000):
            reader, formulas = read(case)
            step = mpmath.mpf(10) ** -25
            for letter, place in random.Random(1).sample(
                [v[1:] for v in case.variables()], min(4, len(case.variables()))
            ):
                named = reader.names.get(letter if letter.head is None else letter.family)
                for formula in formulas.values() if named else ():
                    found = Numbers(entries_of(reader, case)).of(
                        derivative(formula, Variable(named, tuple(map(constant, place)))), {}
                    )
                    above, below = (
                        Numbers(entries_of(reader, case, (letter, place), side * step)).of(formula, {})
                        for side in (1, -1)
                    )
                    assert abs(found - (above - below) / (2 * step)) < mpmath.mpf(10) ** -30 * (1 + abs(found))


@pytest.mark.parametrize(
    "name", [f for f in FUNCTIONS if f not in ("floor", "power", "≥0", ">0", "=0", "base", "number")]
)
def test_slopes_of_functions_and_slopes_of_those(name):
    """f(x²/3 + y), differentiated by x, and then by y, at a point where all of them are smooth."""
    reader, X = Reader(), matrix("X", 1, 2)
    with mpmath.workdps(80), limited(20_000):
        x, y = (reader.entry_of(X, constant(0), constant(c), {}) for c in (0, 1))
        square = reader.entry_of(Hadamard(X, X) / 3, constant(0), constant(0), {})
        formula = function_of(name, (added(square, y),))
        by = [Variable(reader.names[X], (constant(0), constant(c))) for c in (0, 1)]
        first = derivative(formula, by[0])
        second = derivative(first, by[1])
        f, at = FUNCTIONS[name], (mpmath.mpf(7) / 5, mpmath.mpf(3) / 8)
        numbers = Numbers({reader.names[X]: lambda _, c: at[c]})
        exact = mpmath.diff(lambda u, v: f(u * u / 3 + v), at, (1, 0))
        assert abs(numbers.of(first, {}) - exact) < 1e-20
        exact = mpmath.diff(lambda u, v: f(u * u / 3 + v), at, (1, 1))
        assert abs(numbers.of(second, {}) - exact) < 1e-20
        assert has_edges(formula, by[0]) == (name == "Abs")
        assert x != y


# -- Derivative, unevaluated, in a formula of entries ---------------------------------------------------
def test_an_unevaluated_derivative_is_read_as_what_it_means():
    P = Softmax(S_)
    total = Sum(G[i, k] * Derivative(P[i, k], S_[i, j], evaluate=False), (k, 0, m - 1))
    by_formula = EntryFormula.of(n, m, i, j, total)
    right = Hadamard(P, G - Broadcast(RowSum(Hadamard(P, G)), m))
    assert judge_equation(by_formula, right).kind == "proved"
    for wrong in (Hadamard(P, G), right * S(1001) / 1000, Hadamard(P, G + Broadcast(RowSum(Hadamard(P, G)), m))):
        assert judge_equation(by_formula, wrong).kind != "proved"


def test_places_of_a_derivative_may_be_free_or_summed():
    """Σ_ab ∂(S^T S)_ij/∂S_ab S_ab is twice the product; nested derivatives of it are constants."""
    K = matrix("K", n, d)
    product = Sum(K[k, i] * K[k, j], (k, 0, n - 1))
    euler = Sum(K[a, b] * Derivative(product, K[a, b]), (a, 0, n - 1), (b, 0, d - 1))
    assert judge_equation(EntryFormula.of(d, d, i, j, euler), 2 * K.T @ K).kind == "proved"
    twice = Sum(Derivative(Sum(K[a, b] ** 2, (a, 0, n - 1), (b, 0, d - 1)), K[i, j], K[i, j]), (k, 0, 0))
    two = EntryFormula.of(n, d, i, j, S(2) + 0 * K[i, j])
    assert judge_equation(EntryFormula.of(n, d, i, j, twice), two).kind == "proved"


# -- claims -----------------------------------------------------------------------------------------------
def test_a_function_of_itself_at_a_value():
    """∂/∂X at X = exp(S): what stands behind the letter is put in after differentiating."""
    X = matrix("X", n, m)
    claim = Claim(Hadamard(G, 2 * Exponential(S_)), X, Exponential(S_), (Use(Hadamard(X, X), G),))
    assert compare_with_derivative(claim).equal
    early = Claim(Hadamard(G, 2 * Exponential(2 * S_)), X, Exponential(S_), (Use(Hadamard(X, X), G),))
    assert not compare_with_derivative(early).equal


@pytest.mark.parametrize("start", [1, dimension("s"), 2 * dimension("s")])
def test_places_that_a_sum_may_not_reach(start):
    """The rows from `start` on: what is before and behind them gets nothing."""
    rows = RowSlice(matrix("X", n, d), start, 3)
    X, cotangent = matrix("X", n, d), matrix("G", 3, d)
    part = rows.vjp(cotangent)[0]
    assert compare_with_derivative(Claim(part, X, X, (Use(rows, cotangent),))).equal
    assert not compare_with_derivative(Claim(2 * part, X, X, (Use(rows, cotangent),))).equal


@pytest.mark.parametrize("pairing", ["halves", "interleaved"])
def test_pairs_of_columns_for_every_even_width(pairing):
    X = matrix("X", n, 2 * d)
    cotangent = matrix("G", n, 2 * d)
    turned = PairTurn(X, pairing)
    assert compare_with_derivative(Claim(-PairTurn(cotangent, pairing), X, X, (Use(turned, cotangent),))).equal
    assert not compare_with_derivative(Claim(PairTurn(cotangent, pairing), X, X, (Use(turned, cotangent),))).equal
    other = "halves" if pairing == "interleaved" else "interleaved"
    assert not compare_with_derivative(Claim(-PairTurn(cotangent, other), X, X, (Use(turned, cotangent),))).equal


def test_entries_are_put_in_everywhere():
    reader, X = Reader(), matrix("X", n, m)
    with limited(20_000):
        place = (constant(0), constant(0))
        before = reader.entry_of(Hadamard(Tanh(X), Softmax(X)), *place, {})
        after = reader.entry_of(Hadamard(Tanh(Exponential(S_)), Softmax(Exponential(S_))), *place, {})
        put_in = with_entries(before, reader.names[X], lambda args: reader.entry_of(Exponential(S_), *args, {}))
        assert put_in == after != before


def test_what_has_no_derivative_is_refused():
    reader, X = Reader(), matrix("X", 1, 1)
    with limited(20_000):
        entry = reader.entry_of(X, constant(0), constant(0), {})
        by = Variable(reader.names[X], (constant(0), constant(0)))
        for name in ("floor", "function f#9"):
            with pytest.raises(NotSupported, match="no derivative"):
                derivative(function_of(name, (entry,)), by)
        assert number_in(derivative(function_of("floor", (constant(3),)), by)) == 0
        edge = reader.entry_of(ReLU(X), constant(0), constant(0), {})
        assert has_edges(edge, by)
    for formula in (
        Derivative(S_[i, j], n, evaluate=False),
        Derivative(permutation("P", n)[i, i] * S_[i, j], permutation("P", n)[i, i], evaluate=False),
        Derivative(floor(S_[i, j]), S_[i, j], evaluate=False),
        Derivative(Function("f")(S_[i, j]), S_[i, j], evaluate=False),
    ):
        node = EntryFormula.of(n, m, i, j, exp(formula))
        with limited(20_000), pytest.raises(NotSupported):
            Reader().entry_of(node, constant(0), constant(0), {})
