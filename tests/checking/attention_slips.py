"""Planted slips in attention: scores, softmax, weighting, masks, a temperature."""

from mpmath import exp, inf, mpf, sqrt
from planted_numbers import draw, each, had, mul, rows_of, scale, softmax, t, total
from slip_cases import Case
from sympy import Rational, S
from sympy import sqrt as root

from symtransformer import matrix
from symtransformer.operations import (
    CausalMask,
    Linear,
    PaddingMask,
    Product,
    ScaledDotProductAttention,
    Scaling,
    Softmax,
    TemperatureSoftmax,
    Transpose,
)


def letters(**shapes):
    return {name: matrix(name, *shape) for name, shape in shapes.items()}


def drawing(places=10, **shapes):
    def drawn(rng):
        return {matrix(name, *shape): draw(rng, *shape, places=places) for name, shape in shapes.items()}

    return drawn


SIZES = {"Q": (3, 2), "K": (4, 2), "V": (4, 3)}
SQUARE = {"Q": (2, 3), "K": (3, 3), "V": (3, 2)}  # where K fits as it is
SELF = {"Q": (4, 3), "K": (4, 3), "V": (4, 4)}  # as many queries as keys


def attention(sizes):
    return lambda: ScaledDotProductAttention(*letters(**sizes).values())


def scores_only(sizes):
    def build():
        Q, K, *_ = letters(**sizes).values()
        return Scaling(Product(Q, Transpose(K)), S.One, root(sizes["Q"][1]))

    return build


def attended(score):
    """Attention with other scores."""
    return lambda Q, K, V: mul(softmax(score(Q, K)), V)


def weighted(weigh, sizes=SIZES):
    """Attention with another softmax."""
    return lambda Q, K, V: mul(weigh(scale(mul(Q, t(K)), 1 / sqrt(mpf(len(Q[0]))))), V)


def case(slip, planted, sizes=SIZES, build=None):
    return Case(slip, build or attention(sizes), drawing(**sizes), planted)


def projected():
    v = letters(X=(4, 5), W_Q=(5, 2), W_K=(5, 2), W_V=(5, 3))
    X = v["X"]
    return ScaledDotProductAttention(Linear(X, v["W_Q"]), Linear(X, v["W_K"]), Linear(X, v["W_V"]))


PROJECTED = {"X": (4, 5), "W_Q": (5, 2), "W_K": (5, 2), "W_V": (5, 3)}
NAMED = {**SIZES, "X": (3, 7)}

SCORES = [
    case("no_scale", attended(lambda Q, K: mul(Q, t(K)))),
    case("scale_by_d", attended(lambda Q, K: scale(mul(Q, t(K)), mpf(1) / 2))),
    case("scale_multiplied", attended(lambda Q, K: scale(mul(Q, t(K)), sqrt(mpf(2))))),
    case("scale_by_root_n", attended(lambda Q, K: scale(mul(Q, t(K)), 1 / sqrt(mpf(3))))),
    case("scale_by_root_n", attended(lambda Q, K: scale(mul(Q, t(K)), 1 / sqrt(mpf(4))))),
    Case(
        "scale_by_root_d_model", projected, drawing(20, **PROJECTED),
        lambda X, W_Q, W_K, W_V: mul(
            softmax(scale(mul(mul(X, W_Q), t(mul(X, W_K))), 1 / sqrt(mpf(5)))), mul(X, W_V)
        ),
    ),
    Case(
        "scale_by_root_d_model", attention(SIZES), drawing(**NAMED),
        lambda Q, K, V, X: mul(softmax(scale(mul(Q, t(K)), 1 / sqrt(mpf(7)))), V),
    ),
    case("key_not_transposed", attended(lambda Q, K: scale(mul(Q, K), 1 / sqrt(mpf(3)))), SQUARE),
    case("scores_other_order", attended(lambda Q, K: scale(mul(K, t(Q)), 1 / sqrt(mpf(3)))), SELF),
    Case(
        "scores_entry_by_entry", scores_only({"Q": (3, 3), "K": (3, 3)}), drawing(Q=(3, 3), K=(3, 3)),
        lambda Q, K: scale(had(Q, K), 1 / sqrt(mpf(3))),
    ),
    case("scale_after_softmax", lambda Q, K, V: mul(scale(softmax(mul(Q, t(K))), 1 / sqrt(mpf(2))), V)),
]  # fmt: skip


def over_table(S):
    powers = each(exp, S)
    return scale(powers, 1 / total(powers))


def over_sum(row):
    return [x / sum(row) for x in row]


def maximum_above(row):
    return [exp(x - max(row)) / sum(exp(y) for y in row) for x in row]


def without_self(row):
    return [exp(x) / sum(exp(y) for k, y in enumerate(row) if k != j) for j, x in enumerate(row)]


def argmax(row):
    return [mpf(x == max(row)) for x in row]


SOFTMAX = [
    case("softmax_over_columns", weighted(lambda S: t(softmax(t(S))))),
    case("softmax_over_table", weighted(over_table)),
    case("softmax_left_out", weighted(lambda S: S)),
    case("scores_over_their_sum", weighted(lambda S: rows_of(over_sum, S))),
    case("exponentials_not_divided", weighted(lambda S: each(exp, S))),
    case("softmax_base_2", weighted(lambda S: softmax(S, 2))),
    case("softmax_base_10", weighted(lambda S: softmax(S, 10))),
    case("softmax_of_minus", weighted(lambda S: softmax(scale(S, -1)))),
    case("maximum_above_only", weighted(lambda S: rows_of(maximum_above, S))),
    case("denominator_without_self", weighted(lambda S: rows_of(without_self, S))),
    case("argmax", weighted(lambda S: rows_of(argmax, S))),
    case("uniform_weights", weighted(lambda S: [[mpf(1) / 4] * 4 for _ in S])),
]


WEIGHTING = [
    case("weights_transposed", lambda Q, K, V: mul(t(softmax(scale(mul(Q, t(K)), 1 / sqrt(mpf(3))))), V), SELF),
    case("values_times_transposed_weights", lambda Q, K, V: mul(V, t(softmax(scale(mul(Q, t(K)), 1 / sqrt(mpf(3)))))), SELF),
    case("values_times_weights", lambda Q, K, V: mul(V, softmax(scale(mul(Q, t(K)), 1 / sqrt(mpf(3))))), SELF),
    case("keys_for_values", lambda Q, K, V: mul(softmax(scale(mul(Q, t(K)), 1 / sqrt(mpf(2)))), K),
         {"Q": (3, 2), "K": (4, 2), "V": (4, 2)}),
    case("queries_for_values", lambda Q, K, V: mul(softmax(scale(mul(Q, t(K)), 1 / sqrt(mpf(2)))), Q),
         {"Q": (4, 2), "K": (4, 2), "V": (4, 2)}),
    Case("keys_for_values", lambda: Product(matrix("A", 3, 4), matrix("V", 4, 2)), drawing(A=(3, 4), V=(4, 2), K=(4, 2)),
         lambda A, V, K: mul(A, K)),
    Case("weights_transposed", lambda: Product(matrix("A", 3, 3), matrix("V", 3, 2)), drawing(A=(3, 3), V=(3, 2)),
         lambda A, V: mul(t(A), V)),
]  # fmt: skip


# -- masks ------------------------------------------------------------------------------------------------------
def causal():
    Q, K, V = letters(**SELF).values()
    return ScaledDotProductAttention(Q, K, V, CausalMask(4))


def padded():
    Q, K, V = letters(**SIZES).values()
    return ScaledDotProductAttention(Q, K, V, PaddingMask(3, 4, 3))


def by_letter():
    Q, K, V = letters(**SELF).values()
    return ScaledDotProductAttention(Q, K, V, matrix("M", 4, 4))


def masking(weigh):
    """Attention in which `weigh` makes weights of the scores; position j is hidden from row i where j > i."""
    return lambda Q, K, V: mul(weigh(scale(mul(Q, t(K)), 1 / sqrt(mpf(3)))), V)


def where_later(change):
    return lambda S: [[change(x) if j > i else x for j, x in enumerate(row)] for i, row in enumerate(S)]


def earlier_hidden(S):
    return softmax([[-inf if j < i else x for j, x in enumerate(row)] for i, row in enumerate(S)])


def own_hidden(S):
    hidden = [[-inf if j >= i else x for j, x in enumerate(row)] for i, row in enumerate(S)]
    return [[mpf(0)] * 4, *softmax(hidden[1:])]


def own_hidden_but_first(S):
    return [[mpf(1), mpf(0), mpf(0), mpf(0)], *own_hidden(S)[1:]]


def not_renormalized(S):
    return where_later(lambda x: mpf(0))(softmax(S))


def mask_case(slip, weigh, build=causal, sizes=SELF):
    return Case(slip, build, drawing(**sizes), masking(weigh))


LATER = [[float("-inf") if j > i else 0 for j in range(4)] for i in range(4)]

MASKS = [
    mask_case("mask_left_out", softmax),
    Case("mask_left_out", padded, drawing(**SIZES), lambda Q, K, V: mul(softmax(scale(mul(Q, t(K)), 1 / sqrt(mpf(2)))), V)),
    mask_case("mask_transposed", earlier_hidden),
    mask_case("mask_hides_diagonal", own_hidden),
    mask_case("mask_hides_diagonal", own_hidden_but_first),
    mask_case("mask_zero", lambda S: softmax(where_later(lambda x: mpf(0))(S))),
    mask_case("mask_minus_one", lambda S: softmax(where_later(lambda x: x - 1)(S))),
    mask_case("mask_minus_one", lambda S: softmax(where_later(lambda x: mpf(-1))(S))),
    mask_case("mask_plus_one", lambda S: softmax(where_later(lambda x: x + 1)(S))),
    mask_case("mask_plus_one", lambda S: softmax(where_later(lambda x: mpf(1))(S))),
    mask_case("mask_after_softmax", not_renormalized),
    Case(
        "mask_zero", by_letter, lambda rng: {**drawing(**SELF)(rng), matrix("M", 4, 4): LATER},
        lambda Q, K, V, M: masking(lambda S: softmax(where_later(lambda x: mpf(0))(S)))(Q, K, V),
    ),
    Case(
        "softmax_of_minus", causal, drawing(**SELF),
        masking(lambda S: softmax(where_later(lambda x: -inf)(scale(S, -1)))),
    ),
]  # fmt: skip


# -- a temperature ----------------------------------------------------------------------------------------------
HOT = Rational(7, 2)


def heated():
    return TemperatureSoftmax(matrix("L", 2, 3), HOT)


def softened(L):
    return softmax(L)


TEMPERATURE = [
    Case("temperature_multiplied", heated, drawing(L=(2, 3)), lambda L: softmax(scale(L, mpf("3.5")))),
    Case("temperature_ignored", heated, drawing(L=(2, 3)), softened),
    Case("temperature_ignored", lambda: Softmax(Scaling(matrix("L", 2, 3), S.One, HOT)), drawing(L=(2, 3)), softened),
]

CASES = [*SCORES, *SOFTMAX, *WEIGHTING, *MASKS, *TEMPERATURE]
