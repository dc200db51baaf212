"""Planted slips in normalization, feed-forward networks, layers and heads, and in gradients of normalization."""

from attention_slips import drawing
from mpmath import erf, exp, mpf, sqrt, tanh
from planted_numbers import add, each, had, mul, scale, softmax, sub, t
from slip_cases import Case
from sympy import Rational

from symtransformer import head_index, matrix
from symtransformer.checking.slips.normalization import deviations
from symtransformer.gradients import differentiate
from symtransformer.operations import (
    Addition,
    AddNorm,
    ColumnSlice,
    Concatenation,
    FeedForward,
    Hadamard,
    LayerNorm,
    MultiHeadAttention,
    Ones,
    Product,
    ReLU,
    RMSNorm,
    StandardDeviation,
    Standardization,
    Transpose,
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


# -- feed-forward networks -------------------------------------------------------------------------------------------------
U, W_1, b_1, W_2, b_2 = (matrix(*x) for x in (("X", 3, 4), ("W_1", 4, 6), ("b_1", 6, 1), ("W_2", 6, 4), ("b_2", 4, 1)))
SIZES = {"X": (3, 4), "W_1": (4, 6), "b_1": (6, 1), "W_2": (6, 4), "b_2": (4, 1)}
SQUARE = {"X": (3, 4), "W_1": (4, 4), "b_1": (4, 1), "W_2": (4, 4), "b_2": (4, 1)}


def relu(x):
    return max(x, mpf(0))


def gelu(x):
    return x * (1 + erf(x / sqrt(mpf(2)))) / 2


def gelu_tanh(x):
    return (
        x
        * (
            1
            + tanh(
                sqrt(2 / mpf("3.14159265358979323846264338327950288419716939937510582")) * (x + mpf("0.044715") * x**3)
            )
        )
        / 2
    )


def sigmoid(x):
    return 1 / (1 + exp(-x))


def network(activation="ReLU", sizes=SIZES):
    def build():
        v = {name: matrix(name, *shape) for name, shape in sizes.items()}
        return FeedForward(v["X"], v["W_1"], v["b_1"], v["W_2"], v["b_2"], activation=activation)

    return build


def by_hand():
    """ReLU(X W_1 + 1 b_1ᵀ) W_2 + 1 b_2ᵀ, written out."""
    inner = Addition(Product(U, W_1), Product(Ones(3, 1), Transpose(b_1)))
    return Addition(Product(ReLU(inner), W_2), Product(Ones(3, 1), Transpose(b_2)))


def ffn(function=relu):
    return lambda X, W_1, b_1, W_2, b_2: plus(mul(each(function, plus(mul(X, W_1), b_1)), W_2), b_2)


def net_case(slip, planted, build=None, sizes=SIZES):
    return [Case(slip, build or network(sizes=sizes), drawing(7, **sizes), planted)]


def net_cases(slip, planted):
    return [*net_case(slip, planted), *net_case(slip, planted, by_hand)]


FEED_FORWARD = [
    *net_cases("activation_left_out", ffn(lambda x: x)),
    *net_cases("activation_after_second", lambda **v: each(relu, ffn(lambda x: x)(**v))),
    *net_cases("activation_on_input", lambda X, **v: ffn(lambda x: x)(each(relu, X), **v)),
    *net_cases("activation_twice", lambda **v: each(relu, ffn()(**v))),
    *net_cases("bias_1_left_out", lambda X, W_1, b_1, W_2, b_2: plus(mul(each(relu, mul(X, W_1)), W_2), b_2)),
    *net_cases("bias_2_left_out", lambda X, W_1, b_1, W_2, b_2: mul(each(relu, plus(mul(X, W_1), b_1)), W_2)),
    *net_cases(
        "bias_1_after_activation",
        lambda X, W_1, b_1, W_2, b_2: plus(mul(plus(each(relu, mul(X, W_1)), b_1), W_2), b_2),
    ),
    *net_case("weight_transposed", lambda W_1, **v: ffn()(W_1=t(W_1), **v), sizes=SQUARE),
    *net_case("weight_transposed", lambda W_2, **v: ffn()(W_2=t(W_2), **v), sizes=SQUARE),
    *net_case("weights_swapped", lambda W_1, W_2, **v: ffn()(W_1=W_2, W_2=W_1, **v), sizes=SQUARE),
    *net_case(
        "weights_swapped",
        lambda X, W_1, W_2, b_1, b_2: ffn()(X=X, W_1=W_2, W_2=W_1, b_1=b_2, b_2=b_1), sizes=SQUARE,
    ),
    *net_cases("absolute_for_relu", ffn(abs)),
    *net_cases("gelu_for_relu", ffn(gelu)),
    *net_cases("gelu_for_relu", ffn(gelu_tanh)),
    *net_cases("sigmoid_for_relu", ffn(sigmoid)),
    *net_cases("leaky_for_relu", ffn(lambda x: x if x > 0 else x / 100)),
    *net_cases("leaky_for_relu", ffn(lambda x: x if x > 0 else x / 10)),
    *net_case("tanh_for_erf", ffn(lambda x: x * (1 + tanh(x / sqrt(mpf(2)))) / 2), network("GELU")),
]  # fmt: skip


# -- a layer -----------------------------------------------------------------------------------------------------------------
R = matrix("X", 3, 4)
OF_BLOCK = {"X": (3, 4), "W_1": (4, 6), "W_2": (6, 4)}


def sub_layer(rows):
    return Product(ReLU(Product(rows, W_1)), W_2)


def post():
    return AddNorm(R, sub_layer(R), eps=EPS)


def post_written():
    return LayerNorm(Addition(sub_layer(R), R), eps=EPS)


def pre():
    return Addition(R, sub_layer(LayerNorm(R, eps=EPS)))


def twice_post():
    first = AddNorm(R, sub_layer(R), eps=EPS)
    return AddNorm(first, Product(first, matrix("W", 4, 4)), eps=EPS)


def twice_pre():
    first = pre()
    return Addition(first, Product(LayerNorm(first, eps=EPS), matrix("W", 4, 4)))


def f(X, W_1, W_2):
    return mul(each(relu, mul(X, W_1)), W_2)


def block_case(slip, planted, *builds):
    return [
        Case(slip, build, drawing(7, **OF_BLOCK), lambda X, W_1, W_2: planted(X, lambda rows: f(rows, W_1, W_2)))
        for build in builds
    ]


def second_case(slip, planted, build):
    shapes = {**OF_BLOCK, "W": (4, 4)}
    return Case(slip, build, drawing(7, **shapes), planted)


def add_norm(a, b):
    return normed(add(a, b))


BLOCK = [
    *block_case("no_residual", lambda x, f: normed(f(x)), post, post_written),
    *block_case("no_residual", lambda x, f: f(normed(x)), pre),
    *block_case("residual_from_normed", lambda x, f: add(normed(x), f(normed(x))), pre),
    *block_case("residual_from_normed", lambda x, f: add_norm(normed(x), f(x)), post, post_written),
    *block_case("norm_in_other_place", lambda x, f: add_norm(x, f(x)), pre),
    *block_case("norm_in_other_place", lambda x, f: add(x, f(normed(x))), post, post_written),
    *block_case("residual_or_norm_twice", lambda x, f: normed(add_norm(x, f(x))), post, post_written),
    *block_case("residual_or_norm_twice", lambda x, f: add_norm(x, add(x, f(x))), post, post_written),
    *block_case("residual_or_norm_twice", lambda x, f: add(x, add(x, f(normed(x)))), pre),
    *block_case("norm_of_update_only", lambda x, f: add(x, normed(f(x))), post, post_written, pre),
    *block_case("no_norm", lambda x, f: add(x, f(x)), post, post_written, pre),
    second_case(
        "second_residual_from_input",
        lambda X, W_1, W_2, W: add_norm(X, mul(add_norm(X, f(X, W_1, W_2)), W)), twice_post,
    ),
    second_case(
        "second_residual_from_input",
        lambda X, W_1, W_2, W: add(X, mul(normed(add(X, f(normed(X), W_1, W_2))), W)), twice_pre,
    ),
]  # fmt: skip


# -- heads -------------------------------------------------------------------------------------------------------------------
Z = {"Z_1": (3, 2), "Z_2": (3, 2), "Z_3": (3, 2)}
HEADS_OF_TWO = {"X": (3, 4), "W_Q": (4, 4), "W_K": (4, 4), "W_V": (4, 4), "W_O": (4, 4)}


def concatenated():
    return Concatenation(*(matrix(name, *shape) for name, shape in Z.items()))


def projected():
    return Product(concatenated(), matrix("W_O", 6, 6))


def two_heads():
    i = head_index("i")
    v = {name: matrix(name, *shape) for name, shape in HEADS_OF_TWO.items()}
    cut = [ColumnSlice(v[name], 2 * i, 2) for name in ("W_Q", "W_K", "W_V")]
    return MultiHeadAttention(v["X"], *cut, v["W_O"], head=i, heads=2)


def beside(*parts):
    return [[x for part in rows for x in part] for rows in zip(*parts, strict=True)]


def head_of(X, W_Q, W_K, W_V, number, scores=softmax):
    Q, K, V = ([row[2 * number : 2 * number + 2] for row in mul(X, W)] for W in (W_Q, W_K, W_V))
    return mul(scores(scale(mul(Q, t(K)), 1 / sqrt(mpf(2)))), V)


def both(scores):
    return lambda X, W_Q, W_K, W_V, W_O: mul(beside(*(head_of(X, W_Q, W_K, W_V, k, scores) for k in (0, 1))), W_O)


def in_first(X, W_Q, W_K, W_V, W_O):
    """No scale in head 1 only."""
    first = head_of(X, W_Q, W_K, W_V, 0, lambda S: softmax(scale(S, sqrt(mpf(2)))))
    return mul(beside(first, head_of(X, W_Q, W_K, W_V, 1)), W_O)


def alternating(Z_1, Z_2, Z_3):
    return [[part[column] for column in (0, 1) for part in rows] for rows in zip(Z_1, Z_2, Z_3, strict=True)]


HEADS = [
    Case("heads_averaged", concatenated, drawing(7, **Z), lambda Z_1, Z_2, Z_3: scale(add(Z_1, add(Z_2, Z_3)), mpf(1) / 3)),
    Case("heads_added", concatenated, drawing(7, **Z), lambda Z_1, Z_2, Z_3: add(Z_1, add(Z_2, Z_3))),
    Case("heads_interleaved", concatenated, drawing(7, **Z), alternating),
    Case("heads_in_other_order", concatenated, drawing(7, **Z), lambda Z_1, Z_2, Z_3: beside(Z_3, Z_2, Z_1)),
    Case("heads_in_other_order", concatenated, drawing(7, **Z), lambda Z_1, Z_2, Z_3: beside(Z_2, Z_1, Z_3)),
    Case("output_weight_left_out", projected, drawing(7, **Z, W_O=(6, 6)), lambda Z_1, Z_2, Z_3, W_O: beside(Z_1, Z_2, Z_3)),
    Case("output_weight_left_out", two_heads, drawing(41, **HEADS_OF_TWO),
         lambda X, W_Q, W_K, W_V, W_O: beside(*(head_of(X, W_Q, W_K, W_V, k) for k in (0, 1)))),
    Case("heads_in_other_order", two_heads, drawing(41, **HEADS_OF_TWO),
         lambda X, W_Q, W_K, W_V, W_O: mul(beside(*(head_of(X, W_Q, W_K, W_V, k) for k in (1, 0))), W_O)),
    Case("softmax_over_columns", two_heads, drawing(41, **HEADS_OF_TWO), both(lambda S: t(softmax(t(S))))),
    Case("no_scale", two_heads, drawing(41, **HEADS_OF_TWO), both(lambda S: softmax(scale(S, sqrt(mpf(2)))))),
    Case("no_scale", two_heads, drawing(41, **HEADS_OF_TWO), in_first),
    Case("scale_by_root_d_model", two_heads, drawing(41, **HEADS_OF_TWO), both(lambda S: softmax(scale(S, 1 / sqrt(mpf(2)))))),
]  # fmt: skip

CASES = [*LAYER_NORM, *RMS_NORM, *NORM_GRADIENT, *FEED_FORWARD, *BLOCK, *HEADS]


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
    *net_case("tanh_gelu", ffn(gelu_tanh), network("GELU")),
    *net_case("tanh_gelu", ffn(gelu), network("GELUTanh")),
    *net_case("weights_stored_transposed", lambda W_1, W_2, **v: ffn()(W_1=t(W_1), W_2=t(W_2), **v), sizes=SQUARE),
    Case("weights_stored_transposed", lambda: Product(R, matrix("W", 4, 4)), drawing(7, X=(3, 4), W=(4, 4)),
         lambda X, W: mul(X, t(W))),
]  # fmt: skip
