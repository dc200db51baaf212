"""Planted slips in a cross-entropy."""

from fractions import Fraction

from mpmath import log, mpf
from planted_numbers import draw, softmax
from slip_cases import Case
from sympy import Rational

from symtransformer import matrix
from symtransformer.operations import (
    ColumnSlice,
    CrossEntropy,
    Logarithm,
    SmoothedTargets,
    Softmax,
)

L, Y = matrix("L", 3, 4), matrix("Y", 3, 4)
TARGETS = [[0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1]]
PLACES = [2, 0, 3]


def logits(rng, low=-20, high=20):
    return {L: draw(rng, 3, 4, low, high), Y: [[Fraction(x) for x in row] for row in TARGETS]}


def positive_logits(rng):
    return logits(rng, 1, 30)


def entropy():
    return CrossEntropy(L, Y)


def written_out():
    """As somebody writes it for one row: −log p_3."""
    return -Logarithm(ColumnSlice(Softmax(matrix("z", 1, 4)), 2, 1))


def mean_of(loss):
    """The mean over rows of a loss of the probabilities, the place of the target and the logits."""

    def planted(L, Y):
        rows = [loss(p, k, z) for p, k, z in zip(softmax(L), PLACES, L, strict=True)]
        return [[sum(rows) / len(rows)]]

    return planted


def case(slip, loss, drawn=logits):
    return Case(slip, entropy, drawn, mean_of(loss))


def one(loss):
    """The same of one row, written with a logarithm of one entry."""
    return lambda z: [[loss(softmax(z)[0], 2, z[0])]]


def single(slip, loss, low=-20):
    return Case(slip, written_out, lambda rng: {matrix("z", 1, 4): draw(rng, 1, 4, low, 30)}, one(loss))


def squared(p, k, z):
    return sum((x - (j == k)) ** 2 for j, x in enumerate(p))


LOSS = [
    case("no_minus", lambda p, k, z: log(p[k])),
    case("log_of_logit", lambda p, k, z: -log(z[k]), positive_logits),
    case("one_minus_p", lambda p, k, z: 1 - p[k]),
    case("log_of_one_minus_p", lambda p, k, z: -log(1 - p[k])),
    case("neighboring_target", lambda p, k, z: -log(p[(k + 1) % 4])),
    case("neighboring_target", lambda p, k, z: -log(p[k - 1])),
    case("squared_error", squared),
    case("squared_error", lambda p, k, z: squared(p, k, z) / 2),
    case("squared_error", lambda p, k, z: squared(p, k, z) / 4),
    case("squared_error", lambda p, k, z: (1 - p[k]) ** 2),
    case("sum_over_classes", lambda p, k, z: -sum(log(x) for x in p)),
    single("no_minus", lambda p, k, z: log(p[k])),
    single("log_of_logit", lambda p, k, z: -log(z[k]), 1),
    single("one_minus_p", lambda p, k, z: 1 - p[k]),
    single("log_of_one_minus_p", lambda p, k, z: -log(1 - p[k])),
    single("neighboring_target", lambda p, k, z: -log(p[k - 1])),
    single("neighboring_target", lambda p, k, z: -log(p[k + 1])),
    single("squared_error", lambda p, k, z: (1 - p[k]) ** 2),
]

CASES = LOSS


# -- conventions ----------------------------------------------------------------------------------------------------------
def smoothed(shares):
    def planted(L, Y):
        rows = [
            -sum(shares[int(b == at)] * log(x) for b, x in enumerate(p))
            for p, at in zip(softmax(L), PLACES, strict=True)
        ]
        return [[sum(rows) / 3]]

    return planted


TENTH = Rational(1, 10)
given = matrix("P", 3, 4)


def drawn_probabilities(rng):
    rows = [rng.sample([1, 2, 3, 4, 5, 6, 7, 8, 9], 4) for _ in range(3)]
    return {
        given: [[Fraction(x, sum(row)) for x in row] for row in rows],
        Y: [[Fraction(x) for x in row] for row in TARGETS],
    }


def of_targets(rows):
    return [[-sum(log(row[at]) for row, at in zip(rows, PLACES, strict=True)) / 3]]


CONVENTIONS = [
    case("log_base_2", lambda p, k, z: -log(p[k]) / log(2)),
    case("log_base_10", lambda p, k, z: -log(p[k]) / log(10)),
    single("log_base_2", lambda p, k, z: -log(p[k]) / log(2)),
    Case(
        "smoothing_spread", lambda: CrossEntropy(L, SmoothedTargets(Y, TENTH)), logits,
        smoothed({0: mpf("0.1") / 3, 1: mpf("0.9")}),
    ),
    Case(
        "smoothing_spread", lambda: CrossEntropy(L, SmoothedTargets(Y, TENTH, "others")), logits,
        smoothed({0: mpf("0.1") / 4, 1: mpf("0.9") + mpf("0.1") / 4}),
    ),
    Case(
        "cross_entropy_of_probabilities", lambda: CrossEntropy(given, Y), drawn_probabilities,
        lambda P, Y: of_targets(P),
    ),
    Case(
        "cross_entropy_of_probabilities", lambda: CrossEntropy(Softmax(L), Y), logits,
        lambda L, Y: of_targets(softmax(L)),
    ),
]  # fmt: skip
