"""Planted slips in feed-forward networks, layers and heads."""

from attention_slips import drawing
from mpmath import erf, exp, mpf, sqrt, tanh
from normalization_slips import EPS, normed, plus
from planted_numbers import add, each, mul, scale, softmax, t
from slip_cases import Case

from symtransformer import head_index, matrix
from symtransformer.operations import (
    Addition,
    AddNorm,
    ColumnSlice,
    Concatenation,
    FeedForward,
    LayerNorm,
    MultiHeadAttention,
    Ones,
    Product,
    ReLU,
    Transpose,
)

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

CASES = [*FEED_FORWARD, *BLOCK, *HEADS]
CONVENTIONS = [
    *net_case("tanh_gelu", ffn(gelu_tanh), network("GELU")),
    *net_case("tanh_gelu", ffn(gelu), network("GELUTanh")),
    *net_case("weights_stored_transposed", lambda W_1, W_2, **v: ffn()(W_1=t(W_1), W_2=t(W_2), **v), sizes=SQUARE),
    Case("weights_stored_transposed", lambda: Product(R, matrix("W", 4, 4)), drawing(7, X=(3, 4), W=(4, 4)),
         lambda X, W: mul(X, t(W))),
]  # fmt: skip
