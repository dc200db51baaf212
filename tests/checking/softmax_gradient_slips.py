"""Planted slips in gradients through softmax: its Jacobian, p − y, dS."""

from attention_slips import drawing
from loss_slips import L, Y, logits
from mpmath import mpf, sqrt
from planted_numbers import add, draw, each, had, scale, softmax, sub
from slip_cases import Case
from sympy import KroneckerDelta, S, Sum, Symbol

from symtransformer import matrix
from symtransformer.operations import (
    Addition,
    Broadcast,
    Hadamard,
    Identity,
    Product,
    RowSum,
    Scaling,
    Softmax,
    Transpose,
)
from symtransformer.operations.entry_formula import EntryFormula

# -- the Jacobian of softmax ------------------------------------------------------------------------------------------
z, p = matrix("z", 1, 4), matrix("p", 1, 4)
i, j, k = (Symbol(name, integer=True, nonnegative=True) for name in "ijk")


def jacobian_of_names():
    """diag(p) − p pᵀ of the column pᵀ, as it is read."""
    column = matrix("p", 4, 1)
    diagonal = EntryFormula.of(4, 4, i, j, KroneckerDelta(i, j) * column[i, 0])
    return Addition(diagonal, -Product(column, Transpose(column)))


def jacobian_by_index():
    return EntryFormula.of(4, 4, i, j, p[0, i] * (KroneckerDelta(i, j) - p[0, j]))


def jacobian_of_softmax():
    column = Transpose(Softmax(z))
    return Addition(Hadamard(Identity(4), Broadcast(column, 4)), -Product(column, Transpose(column)))


def square(entry):
    """A table of 4 x 4 by a formula of two places, of softmax(z)."""

    def planted(z):
        q = softmax(z)[0]
        return [[entry(q, a, b) for b in range(4)] for a in range(4)]

    return planted


def table(entry):
    """The same of p as it is given."""

    def planted(p):
        q = p[0] if len(p) == 1 else [x[0] for x in p]
        return [[entry(q, a, b) for b in range(4)] for a in range(4)]

    return planted


def drawn_z(rng):
    return {z: draw(rng, 1, 4)}


def drawn_p(rng):
    return {p: draw(rng, 1, 4, 1, 10)}


def drawn_column(rng):
    return {matrix("p", 4, 1): draw(rng, 4, 1, 1, 10)}


WRONG_ENTRIES = [
    ("jacobian_diagonal_only", lambda q, a, b: q[a] * (1 - q[a]) * (a == b)),
    ("jacobian_sign", lambda q, a, b: q[a] * q[b] - q[a] * (a == b)),
    ("jacobian_sign", lambda q, a, b: q[a] * q[b] + q[a] * (a == b)),
    ("jacobian_sign", lambda q, a, b: q[a] * (1 - q[a]) if a == b else q[a] * q[b]),
    ("jacobian_p_on_diagonal", lambda q, a, b: q[a] if a == b else -q[a] * q[b]),
    ("jacobian_p_on_diagonal", lambda q, a, b: q[a] * (a == b)),
    ("jacobian_one_formula", lambda q, a, b: q[a] * (1 - q[b])),
    ("jacobian_one_formula", lambda q, a, b: q[b] * (1 - q[a])),
]
JACOBIAN = [
    *(Case(slip, jacobian_of_softmax, drawn_z, square(entry)) for slip, entry in WRONG_ENTRIES),
    *(Case(slip, jacobian_of_names, drawn_column, table(entry)) for slip, entry in WRONG_ENTRIES),
    *(Case(slip, jacobian_by_index, drawn_p, table(entry)) for slip, entry in WRONG_ENTRIES),
    Case(
        "jacobian_of_logits", jacobian_of_softmax, drawn_z,
        lambda z: [[z[0][a] * ((a == b) - z[0][b]) for b in range(4)] for a in range(4)],
    ),
    Case(
        "jacobian_of_logits", jacobian_by_index, lambda rng: {**drawn_p(rng), **drawn_z(rng)},
        lambda p, z: [[z[0][a] * ((a == b) - z[0][b]) for b in range(4)] for a in range(4)],
    ),
]  # fmt: skip


# -- p − y --------------------------------------------------------------------------------------------------------------
def difference():
    return Softmax(L) - Y


def of_p(planted, slip, build=difference):
    return Case(slip, build, logits, lambda L, Y: planted(softmax(L), Y))


DIFFERENCE = [
    of_p(lambda p, y: sub(y, p), "p_minus_y_sign"),
    of_p(lambda p, y: p, "p_only"),
    of_p(lambda p, y: each(lambda x: x - 1, p), "one_subtracted_everywhere"),
    of_p(lambda p, y: had(p, sub(p, y)), "difference_times_p"),
    of_p(lambda p, y: each(lambda x, w: x * (1 - x) * (x - w), p, y), "difference_times_p"),
    of_p(lambda p, y: each(lambda x, w: -w / x, p, y), "minus_one_over_p"),
    of_p(lambda p, y: each(lambda x: -1 / x, p), "minus_one_over_p"),
    of_p(lambda p, y: scale(sub(p, y), mpf(1) / 3), "divided_by_count"),
    of_p(lambda p, y: scale(sub(p, y), mpf(1) / 4), "divided_by_count"),
    of_p(sub, "divided_by_count", lambda: Scaling(Softmax(L) - Y, S.One, 3)),
]


# -- dS -------------------------------------------------------------------------------------------------------------------
A, dA, Q, K = matrix("A", 3, 4), matrix("dA", 3, 4), matrix("Q", 3, 2), matrix("K", 4, 2)


def dS():
    return Hadamard(A, Addition(dA, -Broadcast(RowSum(Hadamard(A, dA)), 4)))


def dS_by_index():
    return EntryFormula.of(3, 4, i, j, A[i, j] * (dA[i, j] - Sum(A[i, k] * dA[i, k], (k, 0, 3))))


def dS_of_softmax():
    weights = Softmax(matrix("S", 3, 4))
    return Hadamard(weights, Addition(dA, -Broadcast(RowSum(Hadamard(weights, dA)), 4)))


def row_sums(a):
    return [[sum(row)] * len(row) for row in a]


def through(A, dA):
    return had(A, sub(dA, row_sums(had(A, dA))))


def column_sums(a):
    return [[sum(column) for column in zip(*a, strict=True)] for _ in a]


def of_dS(slip, planted):
    shapes = {"A": (3, 4), "dA": (3, 4), "Q": (3, 2), "K": (4, 2), "S": (3, 4)}
    return [
        Case(slip, build, drawing(23, **shapes), lambda A, dA, Q, K, S: planted(A, dA, S))
        for build in (dS, dS_by_index)
    ]


DS = [
    *of_dS("dS_diagonal_only", lambda A, dA, S: each(lambda a, g: a * (1 - a) * g, A, dA)),
    *of_dS("dS_unweighted_sum", lambda A, dA, S: had(A, sub(dA, row_sums(dA)))),
    *of_dS("dS_unweighted_sum", lambda A, dA, S: had(A, sub(dA, scale(row_sums(dA), mpf(1) / 4)))),
    *of_dS("dS_sum_over_columns", lambda A, dA, S: had(A, sub(dA, column_sums(had(A, dA))))),
    *of_dS("dS_scores_for_weights", lambda A, dA, S: through(S, dA)),
    *of_dS("dS_scores_for_weights", lambda A, dA, S: had(S, sub(dA, row_sums(had(A, dA))))),
    *of_dS("dS_sign", lambda A, dA, S: scale(through(A, dA), -1)),
    *of_dS("dS_sign", lambda A, dA, S: had(A, add(dA, row_sums(had(A, dA))))),
    *of_dS("dS_scaled_or_not", lambda A, dA, S: scale(through(A, dA), 1 / sqrt(mpf(2)))),
    *of_dS("dS_scaled_or_not", lambda A, dA, S: scale(through(A, dA), sqrt(mpf(2)))),
    Case(
        "dS_scores_for_weights", dS_of_softmax, drawing(23, S=(3, 4), dA=(3, 4)), lambda **v: through(v["S"], v["dA"]),
    ),
    Case(
        "dS_scaled_or_not", lambda: Scaling(dS(), S.One, 2), drawing(23, A=(3, 4), dA=(3, 4)), through,
    ),
]  # fmt: skip

CASES = [*JACOBIAN, *DIFFERENCE, *DS]
