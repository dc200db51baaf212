"""The article on self-attention: its statements; of what it says wrongly, what is right."""

from mpmath import mp, mpf
from oracle_reading import Table, as_mpf, assert_close, of

from oracle_tables import layers
from oracle_tables.article_formulas import CONTENTS, COUNTS, FORMULAS, KEYS, QUERIES, TURNED, exact, shown, two_linears
from oracle_tables.article_numbers import (
    DOCUMENT,
    FOUND,
    GIVEN,
    NUMBERS,
    POINTS,
    SIMILARITIES,
    TENTH,
    WEIGHTS,
    S,
    d,
    d_k,
    d_v,
    gelu_minimum,
    gelu_slopes,
    n,
    number,
    order_of_magnitude,
    power_of_two,
    ratio_bounds,
    sign_patterns,
    slope,
)
from oracle_tables.geometry_numbers import saturation
from oracle_tables.layers import dec, is_equal, is_refuted
from symtransformer import evaluate, head_index, matrix, parameter
from symtransformer.operation import unfolded
from symtransformer.operations import (
    GELU,
    ColumnSlice,
    FeedForward,
    InfoNCE,
    KeyValueMemory,
    Linear,
    NormalDistribution,
    Ones,
    ReLU,
    RotaryEmbedding,
    Row,
    ScaledDotProductAttention,
    SingleHead,
    Softmax,
    TemperatureSoftmax,
)  # fmt: skip
from symtransformer.symbols import Literal, permutation
from symtransformer.zero import is_exactly_zero


# -- statements; of what is not right as it stands, what is right ---------------------------------------------
def longer_neighbor():
    """Only vectors of one length are always nearest to themselves."""
    x, y = Literal([[1, 0]]), Literal([[2, 0]])
    return exact(of(x @ y.T)) > exact(of(x @ x.T))


def phi_is_a_probability():
    """Phi(x) is the probability that a standard normal number is at most x, at positive and negative x."""
    phi = of(NormalDistribution(POINTS), {}, 0).numbers("digits")
    with mp.workdps(40):
        assert_close(phi, [mp.ncdf(x) for x in GIVEN["gelu_x"]])
    return phi == sorted(phi)


def no_pair():
    """No ratio of temperatures gives both rows; the pair below is one, and keeps the second row."""
    high, low = NUMBERS["art.d.consistent_pair"]
    return ratio_bounds() and shown(high, "0.32", "0.29", "0.23", "0.16") and shown(low, "0.7", "0.26", "0.03", "0")


def linear_in_the_values_only():
    q, k, v, w = matrix("Q", n, d_k), matrix("K", n, d_k), matrix("V", n, d_v), matrix("W", n, d_v)
    attention = ScaledDotProductAttention
    linear = is_equal(attention(q, k, v + w), attention(q, k, v) + attention(q, k, w))
    return linear and is_refuted(
        SingleHead(2 * layers.X, *layers.PROJECTIONS), 2 * SingleHead(layers.X, *layers.PROJECTIONS)
    )


def order_blind():
    order = permutation("P", n)
    moved = SingleHead(order @ layers.X, *layers.PROJECTIONS)
    return is_equal(moved, order @ SingleHead(layers.X, *layers.PROJECTIONS))


def position_enters_with_the_rotation():
    """Turned scores are not those of the turned rows in another order: the position counts."""
    order = permutation("P", 3)
    plain = is_equal((order @ QUERIES) @ (order @ KEYS).T, order @ (QUERIES @ KEYS.T) @ order.T)
    turned = RotaryEmbedding(order @ QUERIES) @ RotaryEmbedding(order @ KEYS).T
    return plain and is_refuted(turned, order @ (RotaryEmbedding(QUERIES) @ RotaryEmbedding(KEYS).T) @ order.T)


def split():
    """Head i of one wide projection is a projection with its columns."""
    i, h, wide = head_index(), layers.h, matrix("W", d, d_k * layers.h)
    return (
        is_equal(ColumnSlice(layers.X @ wide, i * d_k, d_k), layers.X @ ColumnSlice(wide, i * d_k, d_k))
        and h.is_integer
    )


def slopes_at(*points):
    return [as_mpf(x) for x in exact(slope(Literal([[dec(p) for p in points]])))]


def corner_of_relu():
    points = Literal([[dec("-0.001"), dec("0.001")]])
    relu = exact(of(ReLU(points).vjp(Ones(1, 2))[0]))
    left, right = slopes_at("-0.001", "0.001")
    return relu == [0, 1] and abs(left - right) < mpf("0.01")


def slope_changes_sign():
    return gelu_minimum() and slopes_at("-1")[0] < 0 < slopes_at("-0.5")[0]


def far_out():
    low, high = exact(of(GELU(Literal([[-10, 10]])), {}, 0))
    return abs(as_mpf(low)) < mpf("1e-20") and abs(as_mpf(high) - 10) < mpf("1e-20")


def threshold():
    """With a bias of 1 the unit is already active at -0.5, with -1 not yet at 0.5."""
    one = Literal([[1]])

    def active(x, b):
        return exact(of(ReLU(Linear(Literal([[dec(x)]]), one, Literal([[b]])))))[0] > 0

    return active("-0.5", 1) and not active("-0.5", 0) and active("0.5", 0) and not active("0.5", -1)


def loss(similarities, positive=0, temperature=1):
    marks = [int(k == positive) for k in range(len(similarities))]
    return as_mpf(exact(of(InfoNCE(Literal([similarities]), Literal([marks]), temperature)))[0])


def up_and_down():
    better = [SIMILARITIES[0] + TENTH, *SIMILARITIES[1:]]
    worse = [SIMILARITIES[0], SIMILARITIES[1] + TENTH, *SIMILARITIES[2:]]
    return loss(better) < loss(SIMILARITIES) < loss(worse)


def sharper():
    rows = [[as_mpf(x) for x in exact(of(TemperatureSoftmax(Literal([SIMILARITIES]), t)))] for t in (TENTH, 1, 10)]
    return rows[0][0] > rows[1][0] > rows[2][0] and rows[0][3] < rows[1][3] < rows[2][3]


def positive_must_be_named():
    """The loss depends on which entry is the positive; with the first it is the smallest."""
    losses = [loss(SIMILARITIES, k) for k in range(4)]
    return losses == sorted(losses) and len(set(losses)) == 4


def keys_and_values():
    """Each hidden unit adds its value, a row of W_2, as much as its key, a column of W_1, agrees with the input."""
    w_1, w_2 = matrix("W_1", d, 3), matrix("W_2", 3, d)
    units = [ReLU(layers.X @ Row(w_1.T, u).T) @ Row(w_2, u) for u in range(3)]
    memory = KeyValueMemory(layers.X, w_1, w_2)
    square = matrix("W", 3, 3)  # as many units as components, so that rows could be taken for keys
    row_keys, rows = [ReLU(layers.X @ w_2.T @ Row(square, u).T) @ Row(w_2, u) for u in range(3)], layers.X @ w_2.T
    return (
        is_refuted(KeyValueMemory(rows, square, w_2), row_keys[0] + row_keys[1] + row_keys[2])
        and is_equal(memory, units[0] + units[1] + units[2])
        and is_equal(memory, FeedForward(layers.X, w_1, w_2))
        and is_refuted(memory, units[0] + units[1])
    )


def rows_apart():
    """The network treats each row alone; attention mixes the rows."""
    rows = matrix("R", 2, 2)
    network = FeedForward(rows, Literal([[1, 2, -1], [0, 1, 3]]), Literal([[1, 0], [2, 1], [0, 1]]))
    head = SingleHead(rows, *(Literal([[1, 0], [0, 1]]) for _ in range(3)))

    def first_row(expression, second):
        return evaluate(Row(expression, 0), {rows: [[1, 2], second]})

    return first_row(network, [3, 4]) == first_row(network, [5, -6]) and first_row(head, [3, 4]) != first_row(
        head, [5, -6]
    )


STATEMENTS = {
    "art.d.gelu_deriv": gelu_slopes,
    "art.d.gelu_min": gelu_minimum,
    "art.d.two128": power_of_two,
    "art.d.tau_ratio_bounds": ratio_bounds,
    "art.s.atoms": lambda: 10**38 < sign_patterns() < 10**39 < 10**80 and order_of_magnitude() == 38,
    "art.s.temperature_rows": no_pair,
    "art.s.self_similarity": longer_neighbor,
    "art.s.key_value_rows": keys_and_values,
    "art.s.phi": phi_is_a_probability,
    "art.s.winner_gradient": lambda: all(x < dec("1e-20") for x in saturation([100, 50, 40]).numbers("digits")),
    "art.s.attention_linear": linear_in_the_values_only,
    "art.s.position_input": position_enters_with_the_rotation,
    "art.s.softmax_positive": lambda: (
        all(as_mpf(x) > 0 for x in exact(number(WEIGHTS))) and is_zero_difference(sum(exact(number(WEIGHTS))), 1)
    ),
    "art.s.larger_score": lambda: exact_order(number(WEIGHTS)) == exact_order(number(1 * S + 0 * S)),
    "art.s.v_not_rotated": lambda: layers.reads(TURNED, "Z", "A V"),
    "art.s.rope_qk": lambda: (
        TURNED["S"].stands_for is unfolded((RotaryEmbedding(QUERIES) @ RotaryEmbedding(KEYS).T) / 2)
        and is_equal(TURNED.expanded("Z"), Softmax(TURNED.expanded("S")) @ CONTENTS)
    ),
    "art.s.order_blind": order_blind,
    "art.s.linear_stack": two_linears,
    "art.s.gelu_limits": far_out,
    "art.s.gelu_smooth": corner_of_relu,
    "art.s.gelu_negative_gradient": slope_changes_sign,
    "art.s.bias_shift": threshold,
    "art.s.infonce_goal": up_and_down,
    "art.s.geva": keys_and_values,
    "art.s.infonce_tau": sharper,
    "art.s.infonce_first": positive_must_be_named,
    "art.s.head_split": split,
    "art.s.ffn_roles": rows_apart,
    "art.s.pre_scale_scores": lambda: (
        is_equal(Softmax(matrix("S", n, n)), Softmax(matrix("S", n, n) + parameter("c") * Ones(n, n)))
        and is_refuted(Softmax(matrix("S", n, n)), Softmax(matrix("S", n, n) / 2))
    ),
}


def is_zero_difference(a, b):
    return bool(is_exactly_zero(a - b))


def exact_order(figure):
    numbers = [as_mpf(x) for x in exact(figure)]
    return sorted(range(len(numbers)), key=numbers.__getitem__)


LEFT = {
    "inputs not given: similarities and temperatures are missing": frozenset({"art.tau.high", "art.tau.low"}),
    "facts given, nothing to compute": frozenset({"art.c.steps", "art.c.summary", "art.c.train_steps"}),
    "facts about the world": frozenset({"art.s.iterations", "art.s.references"}),
    "conventions and words": frozenset({"art.s.one_relation", "art.s.init", "art.s.params_learned", "art.s.roles_qk"}),
}
TABLE = Table(DOCUMENT, NUMBERS, COUNTS, {**FORMULAS, **STATEMENTS}, FOUND, left=LEFT)
