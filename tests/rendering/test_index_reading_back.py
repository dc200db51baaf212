"""Printed index formulas read back: the numbers that a person would compute from them are those of the formula."""

import random

import mpmath
import pytest
from reading_back import Reader, Unclear, computed, plain
from sympy import (
    Abs,
    Add,
    Integer,
    KroneckerDelta,
    Max,
    Mod,
    Mul,
    Pow,
    Rational,
    S,
    Sum,
    Symbol,
    exp,
    floor,
    sqrt,
    tanh,
)

from symtransformer import Words, dimension, matrix
from symtransformer.dialects import LATEX, TEXT
from symtransformer.gradients import differentiate
from symtransformer.index_letters import index_letter
from symtransformer.index_notation import index_form
from symtransformer.operations import ColumnSlice, Product, RowSlice
from symtransformer.rendering.index_formulas import IndexFormulas
from symtransformer.sections import IndexLine
from symtransformer.symbols import Entry

n, d, d_k, m = map(dimension, ("n", "d", "d_k", "m"))
i, j, k, l, p = map(index_letter, "ijklp")  # noqa: E741
X, Y, U, C = matrix("X", n, d), matrix("Y", n, d), matrix("U", n, n), matrix("C", n, 1)
SHAPES = {"x": ("n", "d"), "y": ("n", "d"), "u": ("n", "n"), "c": ("n",)}
SIZES = {n: 3, d: 4, d_k: 5, m: 2}
FREE = {i: 1, j: 2}  # counted from 0
x, y, WORDS = X[i, j], Y[i, j], Words("rule", "規則")


def written(formula, dialect=TEXT):
    return " ".join(IndexFormulas(IndexLine(x, formula, WORDS, WORDS), dialect, frozenset()).right())


def entry(base, *places):
    """A number for an entry, counted from 1, inside of the matrix or not."""
    return mpmath.mpf(random.Random(f"{base} {places}").randint(20, 90)) / 37


def read_back(text):
    names = {str(s): size for s, size in SIZES.items()} | {str(s): place + 1 for s, place in FREE.items()}
    return computed(Reader(text, SHAPES).whole(), names, entry)


def value(formula, at):
    """The value of a formula, counted from 0, by loops."""
    if isinstance(formula, Entry):
        places = [int(value(s, at)) + 1 for s in (formula.i, formula.j)]
        return entry(formula.parent.name.lower(), *places[: len(SHAPES[formula.parent.name.lower()])])
    if isinstance(formula, Sum):
        *inner, (letter, low, high) = formula.limits  # the last is the outermost
        body = Sum(formula.function, *inner) if inner else formula.function
        span = range(int(value(low, at)), int(value(high, at)) + 1)
        return mpmath.fsum(value(body, {**at, letter: s}) for s in span)
    if isinstance(formula, Symbol):
        return mpmath.mpf(at[formula])
    if isinstance(formula, Rational):
        return mpmath.mpf(formula.p) / formula.q
    parts = [value(a, at) for a in formula.args]
    if isinstance(formula, KroneckerDelta):
        return mpmath.mpf(parts[0] == parts[1])
    of = {
        Add: lambda *a: mpmath.fsum(a), Mul: lambda *a: mpmath.fprod(a), Pow: mpmath.power, exp: mpmath.exp,
        tanh: mpmath.tanh, Abs: abs, Max: max, floor: mpmath.floor, Mod: lambda a, b: a % b,
    }  # fmt: skip
    return of[formula.func](*parts)


def assert_read_back(formula):
    expected = value(formula, {**SIZES, **FREE})
    for dialect in (TEXT, LATEX):
        text = written(formula, dialect)
        found = read_back(plain(text) if dialect is LATEX else text)
        assert abs(found - expected) <= 1e-9 * max(1, abs(expected)), (formula, text, found, expected)


# -- by hand ---------------------------------------------------------------------------------------------------
BY_HAND = [
    (Sum(KroneckerDelta(1, l + 1) * X[l, j], (l, 0, n - 1)), "Σ_l δ_(2,l + 1) x_lj"),
    (Sum(Entry(X, 2 - k, j), (k, 0, 2)), "Σ_(k=1..3) x_(4 - k,j)"),
    (Sum(k * X[k, j], (k, 0, n - 1)), "Σ_k (k - 1) x_kj"),
    (Sum((k + 1) * X[k, j], (k, 0, n - 1)), "Σ_k k x_kj"),
    (Sum(x * X[k, j], (k, 0, i)), "Σ_(k=1..i) x_ij x_kj"),
    (Entry(X, i + 3, j), "x_(i + 3,j)"),
    (Entry(X, d_k * i + j, 0), "x_(j + (i - 1) d_k,1)"),
    (x * KroneckerDelta(n, m), "δ_mn x_ij"),
    (x ** (n - 1), "x_ij^(n - 1)"),
    (x ** Rational(1, 3), "x_ij^(1/3)"),
    (x ** Rational(-3, 2) * y, "y_ij / x_ij^(3/2)"),
    (x ** Entry(Y, i, j), "x_ij^y_ij"),
    (x * Mod(n, 7) * y, "Mod(n, 7) x_ij y_ij"),
    (x * Rational(22, 71), "(22/71) x_ij"),
    (x * Rational(1, 71) / n, "(1/(71*n)) x_ij"),
    (3 * 2**n * x, "3 × 2^n x_ij"),
    (n + i + x, "n + i - 1 + x_ij"),
]  # fmt: skip


@pytest.mark.parametrize(("formula", "text"), BY_HAND, ids=str)
def test_a_formula_by_hand(formula, text):
    if "Mod" not in text and text != "n + i - 1 + x_ij":
        assert written(formula) == text
    assert_read_back(formula)


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (x * Mod(n, 7), r"\left(n \bmod 7\right) x_{ij}"),
        (x + Rational(3, 200) * Mod(n, 7), r"\frac{3 \left(n \bmod 7\right)}{200} + x_{ij}"),
        (x ** Entry(Y, i, j), "{x_{ij}}^{y_{ij}}"),
        (Sum(k * X[k, j], (k, 0, n - 1)), r"\sum_{k=1}^{n} \left(k - 1\right) x_{kj}"),
        (Entry(X, i + 3, 2 * j), "x_{i + 3,2 j - 1}"),
    ],
    ids=str,
)
def test_latex_of_a_formula_by_hand(formula, text):
    assert written(formula, LATEX) == text


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        (ColumnSlice(matrix("U", n, 4), 1, 2), "δ_(l,j + 1)"),
        (RowSlice(matrix("U", 7, m), 3, 4), "δ_(l,i + 3)"),
        (Product(ColumnSlice(matrix("U", n, 2 * d_k), d_k, d_k), matrix("A", d_k, m)), "+ d_k)"),
    ],
)
def test_lines_about_a_part_of_a_matrix_count_from_1(expression, said):
    lines = index_form(differentiate(expression), "U").every_line
    pages = [" ".join(IndexFormulas(line, TEXT, frozenset()).right()) for line in lines]
    assert any(said in text for text in pages), pages


# -- at random -------------------------------------------------------------------------------------------------
class Formulas:
    """Random formulas: entries at shifted places, letters as numbers, sums in sums, powers of everything."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def place(self, letters):
        letter = self.rng.choice(letters)
        return self.rng.choice(
            [letter, letter, letter, letter + 1, 3 - letter, 2 * letter, Integer(1), n - 1, n - letter]
        )

    def entry(self, letters):
        parent = self.rng.choice([X, Y, U, C])
        return Entry(parent, self.place(letters), S.Zero if parent is C else self.place(letters))

    def number(self, letters):
        letter = self.rng.choice(letters)
        return self.rng.choice([
            n, d_k, n - 1, n - d, letter, letter + 1, letter - n, 2 * letter, Rational(2, 3), Rational(-3, 14),
            Rational(-22, 71), Rational(3, 200), Integer(-2), sqrt(d), 1 / (n + letter), floor(letter / 2), Mod(n + letter, 2),
            2**n, n**2, d / n, -letter * (n + 1), S.One / 3 ** (letter + 1),
        ])  # fmt: skip

    def formula(self, depth=3, letters=(i, j), fresh=(k, l, p)):
        if depth == 0:
            return self.entry(letters) if self.rng.random() < 0.6 else self.number(letters)
        kind = self.rng.choice(["add", "add", "mul", "mul", "mul", "pow", "sum", "function", "delta", "number"])
        parts = [self.formula(depth - 1, letters, fresh) for _ in range(self.rng.choice([2, 2, 3]))]
        if kind == "add":
            return Add(*(self.rng.choice([1, -1, Rational(1, 2)]) * a for a in parts))
        if kind == "pow":
            powers = [
                2,
                -1,
                -2,
                Rational(1, 2),
                Rational(-1, 2),
                Rational(2, 3),
                n - 1,
                -letters[0],
                self.number(letters),
            ]
            return Pow(Abs(parts[0]) + 1 if self.rng.random() < 0.5 else parts[0], self.rng.choice([*powers, parts[1]]))
        if kind == "sum" and fresh:
            letter, *rest = fresh
            low, high = self.rng.choice([(0, n - 1), (0, n - 1), (0, d - 1), (1, n), (0, letters[0]), (letters[-1], d)])
            return Sum(self.formula(depth - 1, (*letters, letter), tuple(rest)), (letter, low, high))
        if kind == "function":
            return self.rng.choice([tanh, lambda a: exp(-a / 9), lambda a: Max(a, parts[1]), Abs])(parts[0])
        if kind == "delta":
            return KroneckerDelta(self.place(letters), self.place(letters)) * parts[0]
        return self.number(letters) * parts[0] if kind == "number" else Mul(*parts)


def test_random_formulas_are_read_back():
    checked = 0
    for seed in range(1, 500):
        formula = Formulas(seed).formula()
        try:
            expected = value(formula, {**SIZES, **FREE})
        except (ZeroDivisionError, OverflowError, TypeError, KeyError):
            continue  # no number, or one that is complex inside of max
        if isinstance(expected, mpmath.mpf) and abs(expected) < 1e12:
            assert_read_back(formula)
            checked += 1
    assert checked > 400


@pytest.mark.parametrize("text", ["x_ij / c_i x_ij", "x_ij^2^3", "2 3 x_ij"])
def test_the_reader_refuses_what_can_be_read_in_two_ways(text):
    with pytest.raises(Unclear):
        Reader(text, SHAPES).whole()
