"""Identities of the Transformer that are proved for all sizes, and what a proof is worth."""

import random
import time

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from sympy import Integer, Rational, oo, sqrt

from symtransformer import dimension, head_index, matrix, parameter
from symtransformer.exact import Exact
from symtransformer.formulas import have_same_formula
from symtransformer.formulas.entries import Reader
from symtransformer.formulas.terms import ZERO, Index, limited, single
from symtransformer.operation import compute, unfolded
from symtransformer.operations import (
    GELU,
    Broadcast,
    CausalMask,
    ColumnPad,
    ColumnSlice,
    Concatenation,
    Cosine,
    EntryDivision,
    Exponential,
    GELUTanh,
    Hadamard,
    HeadConcatenation,
    HeadSum,
    Identity,
    LogSumExp,
    Mask,
    Ones,
    PaddingMask,
    ReLU,
    RMSDivision,
    RotaryEmbedding,
    Row,
    RowDivision,
    RowPad,
    RowSum,
    Scaling,
    Sigmoid,
    SiLU,
    Sine,
    SingleHead,
    Softmax,
    Standardization,
    Tanh,
)
from symtransformer.symbols import Literal, permutation

n, m, d, e, h, d_k, d_v, d_ff = (dimension(name) for name in ("n", "m", "d", "f", "h", "d_k", "d_v", "d_ff"))
i, s, t = head_index(), parameter("s"), parameter("t")
A, A2, B, C, D = (matrix(*x) for x in (("A", n, d), ("A2", n, d), ("B", d, m), ("C", m, e), ("D", e, n)))
S, c, r, x = matrix("S", n, m), matrix("c", n, 1), matrix("r", 1, m), matrix("x", 1, d)
W_1, b_1, W_2, b_2 = matrix("W_1", d, d_ff), matrix("b_1", d_ff, 1), matrix("W_2", d_ff, e), matrix("b_2", e, 1)
W_3, b_3, one = matrix("W_3", e, d_v), matrix("b_3", d_v, 1), Ones(n, 1)
W_Q, W_K, W_V = matrix("W_Q", d, d_k), matrix("W_K", d, d_k), matrix("W_V", d, d_v)
P, Z, W_O = permutation("P", n), matrix("Z", n, d_v).of_head(i), matrix("W_O", h * d_v, d)
U, V, WIDE = matrix("U", n, d_k), matrix("V", n, d_v), matrix("W", d, h * d_k)
theta, a, b, p, q = matrix("theta", 1, d), *(matrix(name, 1, d) for name in "abpq")
Q, K, turned = matrix("Q", n, 2 * d_k), matrix("K", m, 2 * d_k), {"pairing": "halves"}
F, X_2, D_2 = matrix("F", 2, 3), matrix("X", 2, 2), matrix("D2", d, n)


def rows_of(weight, start, count):
    return ColumnSlice(weight.T, start, count).T


def memory(function):
    """Each hidden unit finds a key in a column of W_1 and returns the value in a row of W_2."""
    key = A @ ColumnSlice(W_1, i, 1) + one @ Row(b_1, i)
    return HeadSum(function(key) @ Row(W_2, i), i, d_ff), function(A @ W_1 + one @ b_1.T) @ W_2


def rotated(first, second, angle):
    cosines, sines = Cosine(angle), Sine(angle)
    return Hadamard(first, cosines) - Hadamard(second, sines), Hadamard(first, sines) + Hadamard(second, cosines)


def rotary_score():
    (query, query_2), (key, key_2) = rotated(a, b, s * theta), rotated(p, q, t * theta)
    near, across = Hadamard(a, p) + Hadamard(b, q), Hadamard(a, q) - Hadamard(b, p)
    whole = Hadamard(near, Cosine((s - t) * theta)) + Hadamard(across, Sine((s - t) * theta))
    return query @ key.T + query_2 @ key_2.T, RowSum(whole)


TWO_MAPS = (A @ W_1 + one @ b_1.T) @ W_2 + one @ b_2.T
PROVED = {
    "any brackets": ((A @ B) @ (C @ D), A @ ((B @ C) @ D)),
    "multiplied out": ((A + A2) @ (B + B / 2), A @ B * Rational(3, 2) + A2 @ B + A2 @ B / 2),
    "transposed product": ((A @ B).T, B.T @ A.T),
    "power of one matrix": ((A @ A.T) @ (A @ A.T) @ (A @ A.T), A @ (A.T @ A) @ (A.T @ A) @ A.T),
    "traces in a circle": (Ones(1, n) @ Hadamard(A @ B, (C @ D).T) @ Ones(m, 1),) * 1 + (Ones(1, d) @ Hadamard(B @ C, (D @ A).T) @ Ones(e, 1),),
    "a sum squared": (Hadamard(RowSum(A), RowSum(A)), RowSum(Hadamard(A, Broadcast(RowSum(A), d)))),
    "two maps are one": (TWO_MAPS, A @ (W_1 @ W_2) + one @ (W_2.T @ b_1 + b_2).T),
    "three maps are one": (
        TWO_MAPS @ W_3 + one @ b_3.T,
        A @ (W_1 @ W_2 @ W_3) + one @ (W_3.T @ (W_2.T @ b_1 + b_2) + b_3).T,
    ),
    "softmax by exponentials": (Softmax(S), RowDivision(Exponential(S), RowSum(Exponential(S)))),
    "shifted softmax": (Softmax(S + Broadcast(c, m)), Softmax(S)),
    "shifted softmax, as a product": (Softmax(S + c @ Ones(1, m)), Softmax(S)),
    "masked softmax, shifted": (Softmax(Mask(S + Broadcast(c, m), matrix("M", n, m))), Softmax(Mask(S, matrix("M", n, m)))),
    "rows of softmax add up to 1": (RowSum(Softmax(S)), one),
    "all of softmax adds up to n": (Ones(1, n) @ Softmax(S) @ Ones(m, 1), Ones(1, 1) * n),
    "rows of a joint softmax": (RowSum(Softmax(Concatenation(A, S))), one),
    "shifted logarithm": (LogSumExp(S + Broadcast(c, m)), LogSumExp(S) + c),
    "softmax by its logarithm": (Exponential(S - Broadcast(LogSumExp(S), m)), Softmax(S)),
    "memory with exp": memory(Exponential),
    "memory with ReLU": memory(ReLU),
    "memory with GELU": memory(GELU),
    "memory with the tanh form": memory(GELUTanh),
    "order of tokens": (SingleHead(P @ A, W_Q, W_K, W_V), P @ SingleHead(A, W_Q, W_K, W_V)),
    "identical rows": (SingleHead(one @ x, W_Q, W_K, W_V), one @ (x @ W_V)),
    "a permutation and back": (P.T @ P, Identity(n)),
    "forth and back": (P @ P.T @ A, A),
    "identity": (A @ Identity(d) @ B, A @ B),
    "the diagonal": (Hadamard(Identity(n), A @ A2.T), Hadamard(Identity(n), A2 @ A.T)),
    "heads times W_O": (HeadConcatenation(Z, i, h) @ W_O, HeadSum(Z @ rows_of(W_O, i * d_v, d_v), i, h)),
    "one wide projection": (HeadConcatenation(A @ ColumnSlice(WIDE, i * d_k, d_k), i, h), A @ WIDE),
    "two blocks": (
        Concatenation(U, V) @ matrix("H", d_k + d_v, e),
        U @ rows_of(matrix("H", d_k + d_v, e), 0, d_k) + V @ rows_of(matrix("H", d_k + d_v, e), d_k, d_v),
    ),
    "columns put among zeros": (ColumnPad(A, 0, d + m) + ColumnPad(S, d, d + m), Concatenation(A, S)),
    "rows of two blocks": (RowSum(Concatenation(A, S)), RowSum(A) + RowSum(S)),
    "two heads": (HeadConcatenation(A.of_head(i), i, 2), Concatenation(A.of_head(0), A.of_head(1))),
    "rotary positions": rotary_score(),
    "rotary positions, halves": (
        RotaryEmbedding(Q, start=s + 1, **turned) @ RotaryEmbedding(K, start=t + 1, **turned).T,
        RotaryEmbedding(Q, start=s, **turned) @ RotaryEmbedding(K, start=t, **turned).T,
    ),
    "rotary positions, interleaved": (
        RotaryEmbedding(Q, start=s + 1) @ RotaryEmbedding(K, start=t + 1).T,
        RotaryEmbedding(Q, start=s) @ RotaryEmbedding(K, start=t).T,
    ),
    "sine and cosine": (Hadamard(Sine(A), Sine(A)) + Hadamard(Cosine(A), Cosine(A)), Ones(n, d)),
    "the sigmoid and its mirror": (Sigmoid(-A), Ones(n, d) - Sigmoid(A)),
    "tanh by the sigmoid": (Tanh(A), Sigmoid(A * 2) * 2 - Ones(n, d)),
    "the sigmoid by tanh": (Sigmoid(A), (Ones(n, d) + Tanh(A / 2)) / 2),
    "the sigmoid as a quotient": (EntryDivision(Exponential(A), Ones(n, d) + Exponential(A)), Sigmoid(A)),
    "the sigmoid as a softmax of two": (Softmax(Concatenation(c, c - c)), Concatenation(Sigmoid(c), Sigmoid(-c))),
    "SiLU by the sigmoid": (SiLU(A), Hadamard(Sigmoid(A), A)),
    "SiLU and its mirror": (SiLU(A) - SiLU(-A), A),
    "the slope of the sigmoid": (Hadamard(Sigmoid(A), Sigmoid(-A)), Hadamard(Sigmoid(A), Ones(n, d) - Sigmoid(A))),
    "the slope of SiLU": (SiLU(A).vjp(A2)[0], Hadamard(A2, Sigmoid(A) + Hadamard(SiLU(A), Sigmoid(-A)))),
    "memory with SiLU": memory(SiLU),
    "odd functions": (Hadamard(Tanh(A - A2), Sine(A2 - A)), Hadamard(Tanh(A2 - A), Sine(A - A2))),
    "standardized by steps": (Standardization(A), Standardization(A).stages().whole),
    "standardized after a shift": (Standardization(A + Broadcast(c, d)), Standardization(A)),
    "divided by the root mean square": (RMSDivision(A), RMSDivision(A).stages().whole),
    "roots of sizes": (A / sqrt(d) / sqrt(d), A / d),
    "causal softmax, shifted": (Softmax(Mask(A @ D_2 + Broadcast(c, n), CausalMask(n))), Softmax(Mask(A @ D_2, CausalMask(n)))),
    "a mask of numbers": (
        Softmax(Mask(X_2, Literal([[0, -oo], [0, 0]]))),
        Literal([[1, 0], [0, 0]]) + Hadamard(Literal([[0, 0], [1, 1]]), Softmax(X_2)),
    ),
    "padding takes columns out": (
        RowSum(Exponential(Mask(matrix("T", n, d + m), PaddingMask(n, d + m, d)))),
        RowSum(Exponential(ColumnSlice(matrix("T", n, d + m), 0, d))),
    ),
    "numbers": (F @ Literal([[1, 2], [3, 4], [5, 6]]), F @ Literal([[1, 0], [3, 0], [5, 0]]) + F @ Literal([[0, 2], [0, 4], [0, 6]])),
    "rows put among zeros": (RowPad(Row(F, 0), 0, 2) + RowPad(Row(F, 1), 1, 2), F),
    "softmax of numbers": (RowSum(Softmax(F)), Ones(2, 1)),
}  # fmt: skip


@pytest.mark.parametrize("name", PROVED)
def test_identities_are_proved(name):
    left, right = map(unfolded, PROVED[name])
    assert have_same_formula(left, right)
    assert have_same_formula(right, left)


def test_nothing_takes_long():
    """A graph that is deep, one whose formula is long, and one that cannot be written out end soon."""
    deep = A.T @ A
    for _ in range(30):
        deep = Softmax(deep @ deep + deep)
    wide = A
    for k in range(12):
        wide = Hadamard(wide, wide) + matrix(f"A{k}", n, d)
    large = Hadamard(matrix("L", 64, 64) @ matrix("L", 64, 64), matrix("L", 64, 64))
    start = time.process_time()
    for side in (deep, wide, large):
        assert not have_same_formula(side + side, side * 3)
    assert time.process_time() - start < 30


# -- values at random points ------------------------------------------------------------------------------
LETTERS = {
    (rows, columns): [matrix(f"{name}{k}{j}", rows, columns) for name in "GH"]
    for k, rows in enumerate((n, d, Integer(1)))
    for j, columns in enumerate((n, d, Integer(1)))
}
SIZES = ({n: 2, d: 3}, {n: 3, d: 2}, {n: 1, d: 1}, {n: 1, d: 2})


def expression(source, rows, columns, depth):
    """A random expression of this size."""

    def inner(k, j):
        return expression(source, k, j, depth - 1)

    kind = source.choice(("product", "product", "transpose", "sum", "hadamard", "broadcast", "scale", "leaf"))
    if depth == 0 or kind == "leaf":
        return source.choice([*LETTERS[rows, columns], Ones(rows, columns)])
    if kind == "product":
        middle = source.choice((n, d, Integer(1)))
        return inner(rows, middle) @ inner(middle, columns)
    if kind == "transpose":
        return inner(columns, rows).T
    if kind == "sum":
        return inner(rows, columns) + inner(rows, columns) * source.choice((1, -1, 2))
    if kind == "hadamard":
        return Hadamard(inner(rows, columns), inner(rows, columns))
    if kind == "scale":
        return Scaling(inner(rows, columns), source.choice((-1, n, d, t)), source.choice((1, 2, d)))
    return Broadcast(RowSum(inner(rows, source.choice((n, d)))), columns)


def values(side, sizes, seed):
    """The exact value at a random rational point."""
    numbers = {key: Integer(size) for key, size in sizes.items()} | {t: Rational(7, 5)}

    def entries(letter):
        source = random.Random(f"{letter} {seed}")
        rows, columns = (int(size.xreplace(numbers)) for size in letter.shape)
        return [[Rational(source.randint(-30, 30), source.randint(5, 9)) for _ in range(columns)] for _ in range(rows)]

    return compute(side, Exact(), entries, numbers)


def are_equal(left, right):
    return all(values(left, sizes, k) == values(right, sizes, k) for k, sizes in enumerate(SIZES))


def rewritten(source, side):
    """The same matrix in another way."""
    rows, columns = side.shape
    other = source.choice(LETTERS[rows, columns])
    ways = [(side + other) - other, (side * 3 + side) / 4, side @ Identity(columns), Identity(rows) @ side, Hadamard(side, Ones(rows, columns))]  # fmt: skip
    if type(side).__name__ == "Product":
        left, right = side.args
        ways += [(right.T @ left.T).T, (left + left) @ right - left @ right]
        if type(left).__name__ == "Product":
            ways.append(left.args[0] @ (left.args[1] @ right))
        if type(right).__name__ == "Addition":
            ways.append(sum((left @ term for term in right.args[1:]), left @ right.args[0]))
    if type(side).__name__ == "Broadcast":
        inner = side.args[0].args[0]
        ways += [inner @ Ones(inner.shape[1], columns), side.args[0] @ Ones(1, columns)]
    changed = source.choice(ways)
    if side._children and source.random() < 0.7:
        k = source.choice([k for k, arg in enumerate(side.args) if arg in side._children])
        changed = side.func(*(rewritten(source, arg) if at == k else arg for at, arg in enumerate(side.args)))
    return changed


@settings(max_examples=150, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 10**9))
def test_rewritten_expressions_are_proved(seed):
    source = random.Random(seed)
    side = expression(source, *source.choice(((n, d), (d, n), (n, Integer(1)))), 3)
    other = rewritten(source, side)
    assert are_equal(side, other)
    assert have_same_formula(side, other)


def test_equal_forms_have_equal_values_and_unequal_forms_unequal_values():
    """Among many random expressions of one size, those of one form are one matrix, and no others are."""
    source = random.Random(20)
    for shape in ((n, n), (n, d), (n, Integer(1))):
        by_form: dict = {}
        for side in {expression(source, *shape, 3) for _ in range(150)}:
            with limited(100_000):
                reader = Reader()
                for letter in [n, d, t, *(x for several in LETTERS.values() for x in several)]:
                    reader.name(letter, str(letter))
                by_form.setdefault(_general(reader, side), []).append(side)
        firsts = []
        for first, *others in by_form.values():
            assert all(are_equal(first, other) for other in others)
            firsts.append(str([values(first, sizes, k) for k, sizes in enumerate(SIZES)]))
        assert len(set(firsts)) == len(firsts) > 80


def _general(reader, side):
    i, j = (
        single(Index(f"‹{name}›", reader.formula(x, {}))) if x != 1 else ZERO
        for name, x in zip("ij", side.shape, strict=True)
    )
    return reader.entry_of(side, i, j, {})
