"""Planted slips in layer normalization, RMSNorm and gradients through them."""

from attention_slips import drawing
from mpmath import mpf, sqrt
from planted_numbers import add, had, scale, sub, t
from slip_cases import Case
from sympy import Rational

from symtransformer import matrix
from symtransformer.checking.slips.normalization import deviations
from symtransformer.gradients import differentiate
from symtransformer.operations import (
    Hadamard,
    LayerNorm,
    RMSDivision,
    RMSNorm,
    StandardDeviation,
    Standardization,
)
from symtransformer.operations.row_mean import row_mean

EPS = Rational(1, 8)
E = mpf(1) / 8


def mean(row):
    return sum(row) / len(row)


def around_mean(row):
    return [x - mean(row) for x in row]


def variance(row, less=0):
    return sum(x * x for x in around_mean(row)) / (len(row) - less)


def normed(X, below=lambda row: sqrt(variance(row) + E), above=around_mean):
    return [[x / below(row) for x in above(row)] for row in X]


def norm_of(X):
    return normed(X)


def length(row):
    return sqrt(sum(x * x for x in row))


def absolute_deviation(row):
    return mean([abs(x) for x in around_mean(row)])


def median(row):
    ordered, half = sorted(row), len(row) // 2
    return ordered[half] if len(row) % 2 else (ordered[half] + ordered[half - 1]) / 2


def around_median(row):
    return [x - median(row) for x in row]


def sigma(row):
    return sqrt(variance(row) + E)


def spread_around_median(row):
    return sqrt(mean([x * x for x in around_median(row)]) + E)


def column(vector):
    return [x[0] for x in vector]


def each_row(X, vector, function):
    return [[function(x, g) for x, g in zip(row, column(vector), strict=True)] for row in X]


def times(X, vector):
    return each_row(X, vector, lambda x, g: x * g)


def plus(X, vector):
    return each_row(X, vector, lambda x, b: x + b)


X, gamma, beta = matrix("X", 3, 5), matrix("gamma", 5, 1), matrix("beta", 5, 1)
WITH = drawing(7, X=(3, 5), gamma=(5, 1), beta=(5, 1))
EVEN = drawing(7, X=(3, 4))


def layer_norm():
    return LayerNorm(X, gamma, beta, eps=EPS)


def bare():
    return Standardization(X, EPS)


def deviation():
    return StandardDeviation(X, EPS)


def scaled(normal):
    return lambda X, gamma, beta: plus(times(normal(X), gamma), beta)


def norm_cases(slip, normal):
    return [
        Case(slip, layer_norm, WITH, scaled(normal)),
        Case(slip, bare, drawing(7, X=(3, 5)), normal),
    ]


def below(root):
    return lambda X: normed(X, root)


def only_root(slip, root):
    return Case(slip, deviation, drawing(7, X=(3, 5)), lambda X: [[root(row)] for row in X])


LAYER_NORM = [
    *norm_cases("variance_for_root", below(lambda row: variance(row) + E)),
    *norm_cases("variance_for_root", below(variance)),
    *norm_cases("norm_for_root", below(lambda row: length(around_mean(row)))),
    *norm_cases("norm_for_root", below(length)),
    *norm_cases("mean_absolute_deviation", below(absolute_deviation)),
    *norm_cases("mean_absolute_deviation", below(lambda row: absolute_deviation(row) + E)),
    *norm_cases("mean_not_subtracted", lambda X: normed(X, sigma, lambda row: row)),
    *norm_cases("mean_not_subtracted", lambda X: normed(X, lambda row: sqrt(mean([x * x for x in row]) + E), lambda row: row)),
    *norm_cases("eps_left_out", below(lambda row: sqrt(variance(row)))),
    *norm_cases("root_eps_added", below(lambda row: sqrt(variance(row)) + sqrt(E))),
    *norm_cases("normalized_over_tokens", lambda X: t(normed(t(X)))),
    *norm_cases("median_for_mean", lambda X: normed(X, sigma, around_median)),
    *norm_cases("median_for_mean", lambda X: normed(X, spread_around_median, around_median)),
    Case("median_for_mean", lambda: Standardization(matrix("X", 3, 4), EPS), EVEN, lambda X: normed(X, sigma, around_median)),
    only_root("variance_for_root", variance),
    only_root("norm_for_root", lambda row: length(around_mean(row))),
    only_root("mean_absolute_deviation", absolute_deviation),
    only_root("eps_left_out", lambda row: sqrt(variance(row))),
    Case("gain_and_shift_swapped", layer_norm, WITH, lambda X, gamma, beta: plus(times(normed(X), beta), gamma)),
    Case("gain_or_shift_left_out", layer_norm, WITH, lambda X, gamma, beta: plus(normed(X), beta)),
    Case("gain_or_shift_left_out", layer_norm, WITH, lambda X, gamma, beta: times(normed(X), gamma)),
    Case("gain_or_shift_left_out", layer_norm, WITH, lambda X, gamma, beta: normed(X)),
    Case("shift_before_gain", layer_norm, WITH, lambda X, gamma, beta: times(plus(normed(X), beta), gamma)),
    Case("gain_misplaced", layer_norm, WITH, lambda X, gamma, beta: plus(plus(normed(X), gamma), beta)),
    Case("gain_misplaced", layer_norm, WITH, lambda X, gamma, beta: plus(normed(times(X, gamma)), beta)),
]  # fmt: skip


# -- RMSNorm ------------------------------------------------------------------------------------------------------------
def rms_norm():
    return RMSNorm(X, gamma, eps=EPS)


def rms(row):
    return sqrt(mean([x * x for x in row]) + E)


def rms_case(slip, normal):
    return Case(slip, rms_norm, drawing(7, X=(3, 5), gamma=(5, 1)), lambda X, gamma: times(normal(X), gamma))


def over(root, above=list):
    return lambda X: normed(X, root, above)


RMS_NORM = [
    rms_case("rms_mean_subtracted", normed),
    rms_case("rms_mean_subtracted", over(rms, around_mean)),
    rms_case("rms_root_left_out", over(lambda row: mean([x * x for x in row]) + E)),
    rms_case("rms_sum_for_mean", over(lambda row: sqrt(sum(x * x for x in row) + E))),
    rms_case("rms_sum_for_mean", over(length)),
    rms_case("rms_one_less", over(lambda row: sqrt(sum(x * x for x in row) / 4 + E))),
    Case("gain_left_out", rms_norm, drawing(7, X=(3, 5), gamma=(5, 1)), lambda X, gamma: over(rms)(X)),
]


# -- the gradient of layer normalization ----------------------------------------------------------------------------------
G = matrix("G", 3, 5)


def layer_gradient():
    """As the library derives it, put together in one expression."""
    found = differentiate(LayerNorm(X, gamma, beta, eps=EPS), X, cotangent=G)
    return found.derivation.steps[-1].stands_for


def hat(X):
    return normed(X)


def means(a):
    return [[mean(row)] * len(row) for row in a]


def totals(a):
    return [[sum(row)] * len(row) for row in a]


def over_sigma(a, X, power=1):
    return [[x / sigma(row) ** power for x in top] for top, row in zip(a, X, strict=True)]


def terms(g, X):
    """The mean term and the one along x̂."""
    return means(g), had(hat(X), means(had(g, hat(X))))


def whole(g, X, sign_1=-1, sign_2=-1, power=1):
    first, second = terms(g, X)
    return over_sigma(add(add(g, scale(first, sign_1)), scale(second, sign_2)), X, power)


def sums(g, X):
    return over_sigma(sub(sub(g, totals(g)), had(hat(X), totals(had(g, hat(X))))), X)


def half_sums(g, X):
    return over_sigma(sub(sub(g, means(g)), had(hat(X), totals(had(g, hat(X))))), X)


def gradient_case(slip, planted):
    shapes = {"X": (3, 5), "G": (3, 5), "gamma": (5, 1)}
    return Case(slip, layer_gradient, drawing(7, **shapes), lambda X, G, gamma: planted(times(G, gamma), X))


def with_gain(slip, planted):
    shapes = {"X": (3, 5), "G": (3, 5), "gamma": (5, 1)}
    return Case(slip, layer_gradient, drawing(7, **shapes), planted)


NORM_GRADIENT = [
    gradient_case("norm_direct_term_only", over_sigma),
    gradient_case("norm_mean_term_missing", lambda g, X: whole(g, X, sign_1=0)),
    gradient_case("norm_along_term_missing", lambda g, X: whole(g, X, sign_2=0)),
    gradient_case("norm_sums_for_means", sums),
    gradient_case("norm_sums_for_means", half_sums),
    gradient_case("norm_sigma_missing", lambda g, X: whole(g, X, power=0)),
    gradient_case("norm_sigma_squared", lambda g, X: whole(g, X, power=2)),
    with_gain("gain_after_means", lambda X, G, gamma: times(whole(G, X), gamma)),
    with_gain("gain_ignored", lambda X, G, gamma: whole(G, X)),
    gradient_case("norm_gradient_sign", lambda g, X: scale(whole(g, X), -1)),
    gradient_case("norm_gradient_sign", lambda g, X: whole(g, X, sign_1=1)),
    gradient_case("norm_gradient_sign", lambda g, X: whole(g, X, sign_2=1)),
]


CASES = [*LAYER_NORM, *RMS_NORM, *NORM_GRADIENT]


# -- conventions ---------------------------------------------------------------------------------------------------------------
def sample(row):
    return sqrt(variance(row, 1) + E)


CONVENTIONS = [
    *norm_cases("sample_variance", below(sample)),
    *norm_cases("eps_outside_root", below(lambda row: sqrt(variance(row)) + E)),
    only_root("sample_variance", sample),
    Case(
        "sample_variance", lambda: row_mean(Hadamard(deviations(X), deviations(X))), drawing(7, X=(3, 5)),
        lambda X: [[variance(row, 1)] for row in X],
    ),
    *(
        Case(
            "eps_of_frameworks", lambda: Standardization(X, 0), drawing(7000, X=(3, 5)),
            lambda X, eps=eps: normed(X, lambda row: sqrt(variance(row) + eps)),
        )
        for eps in (mpf("1e-5"), mpf("1e-6"))
    ),
    Case(
        "eps_of_frameworks", lambda: RMSDivision(X, 0), drawing(7000, X=(3, 5)),
        lambda X: [[x / sqrt(mean([y * y for y in row]) + mpf("1e-6")) for x in row] for row in X],
    ),
]  # fmt: skip
