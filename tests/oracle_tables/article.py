"""The article on self-attention: softmax by hand, GELU, rotary positions, InfoNCE; what it says wrongly, set right."""

from fractions import Fraction

from mpmath import findroot, mp, mpf
from oracle_reading import Document, Table, as_mpf, assert_close, of, rounds_to
from sympy import Rational, lambdify, log, sqrt, symbols

from oracle_tables import layers
from oracle_tables.geometry import saturation
from oracle_tables.layers import dec, is_equal, is_refuted
from oracle_tables.variance import SIGNS, independent_components, variance_of_dot_product
from symtransformer import derive, evaluate, head_index, matrix, parameter
from symtransformer.models import ARTICLE
from symtransformer.operation import unfolded
from symtransformer.operations import (
    GELU,
    ColumnSlice,
    Exponential,
    FeedForward,
    GELUTanh,
    GradientStep,
    Hadamard,
    InfoNCE,
    KeyValueMemory,
    Linear,
    Logarithm,
    NormalDistribution,
    Ones,
    ReLU,
    RotaryEmbedding,
    Row,
    RowSum,
    ScaledDotProductAttention,
    SingleHead,
    Softmax,
    Tanh,
    TemperatureSoftmax,
)  # fmt: skip
from symtransformer.symbols import Literal, permutation
from symtransformer.zero import is_exactly_zero

DOCUMENT = Document("attention-article")
GIVEN = DOCUMENT.inputs
n, d, d_k, d_v, d_ff = layers.n, layers.d, layers.d_k, layers.d_v, layers.d_ff

S, V = matrix("S", 1, 3), matrix("V", 3, 2)
VALUES = {S: [GIVEN["scores"]], V: GIVEN["V_first_components"]}
WEIGHTS = Softmax(S)
POINTS = Literal([GIVEN["gelu_x"]])


def number(expression, *place):
    return of(expression, VALUES, *place)


def sigmoid_form(x):
    """x sigmoid(1.702 x), a third form, which rounds differently; sigmoid(y) = (1 + tanh(y / 2)) / 2."""
    half = Tanh(dec("1.702") * x / 2) + Ones(*x.shape)
    return Hadamard(x, half) / 2


def mixed(weights):
    return of(Literal([weights]) @ V, VALUES, 0)


def turned_score(m, other):
    """The dot product of a turned query and a turned key in two components, at positions m and `other`."""
    q, k = Literal([[1, 2]]), Literal([[3, -1]])
    return of(RotaryEmbedding(q, start=m) @ RotaryEmbedding(k, start=other).T, {}, 0, 0)


SIMILARITIES = [dec(x) for x in ("0.9", "0.7", "0.4", "0.1")]
CONSISTENT = [dec(x) for x in ("0.9", "0.8011", "0.5924", "0.2443")]


def info_nce(temperature):
    return of(InfoNCE(Literal([SIMILARITIES]), Literal([[1, 0, 0, 0]]), temperature), {}, 0, 0)


def sharpened(row, power):
    """The row at another temperature: every weight to a power, divided by the sum."""
    return of(TemperatureSoftmax(Logarithm(Literal([row])), 1 / Rational(power)), {}, 0)


LOW = [dec("0.7"), dec("0.26"), dec("0.03"), dec("0.002")]  # 0.00 taken as 0.002, which rounds to it
TENTH = dec("0.1")
NUMBERS = {
    "art.exp": number(Exponential(S), 0),
    "art.expsum": number(RowSum(Exponential(S)), 0, 0),
    "art.softmax": number(WEIGHTS, 0),
    "art.softmax.sum": number(RowSum(WEIGHTS), 0, 0),
    "art.relu": of(ReLU(POINTS), {}, 0),
    "art.gelu": of(GELU(POINTS), {}, 0),
    "art.weights_used": number(WEIGHTS, 0),
    "art.d.softmax": number(WEIGHTS, 0),
    "art.d.sums": [
        of(RowSum(Literal([row])), {}, 0, 0)
        for row in (
            GIVEN["softmax_high_tau"], GIVEN["softmax_low_tau"], GIVEN["linear_mix_example"],
            [dec("0.77"), dec("0.16"), dec("0.07")],
        )
    ],
    "art.d.out12": number(WEIGHTS @ V, 0),
    "art.d.out12_rounded": mixed([dec("0.77"), dec("0.16"), dec("0.07")]),
    "art.d.gelu": of(GELU(POINTS), {}, 0),
    "art.d.gelu_tanh": of(GELUTanh(POINTS), {}, 0),
    "art.d.gelu_sigmoid": of(sigmoid_form(POINTS), {}, 0),
    "art.d.low_from_high_k10": sharpened(GIVEN["softmax_high_tau"], 10),
    "art.d.high_from_low_k10": sharpened(LOW, TENTH),
    "art.d.consistent_pair": [of(TemperatureSoftmax(Literal([CONSISTENT]), t), {}, 0) for t in (1, TENTH)],
    "art.d.rope2": [turned_score(5, 3), turned_score(2, 0), turned_score(12, 10)],
    "art.d.infonce": [info_nce(1), info_nce(TENTH)],
}  # fmt: skip


# -- other results -----------------------------------------------------------------------------------------
def slope(points):
    """GELU', as the vector-Jacobian product of GELU with a row of ones."""
    return of(GELU(points).vjp(Ones(*points.shape))[0], {}, 0)


def gelu_slopes():
    expected = DOCUMENT.derived["art.d.gelu_deriv"]["independently_computed"]
    for backend in ("exact", "digits", "numpy"):
        assert_close(slope(POINTS).numbers(backend), expected)
    return True


def gelu_minimum():
    """Where the slope is 0, found by mpmath from the library's formula of an entry."""
    x, entry = matrix("x", 1, 1), symbols("x", real=True)
    formula = GELU(x).entry(0, 0).xreplace({x[0, 0]: entry})
    with mp.workdps(40):
        place = findroot(lambdify([entry], formula.diff(entry), "mpmath"), mpf("-0.75"))
        found = [place, lambdify([entry], formula, "mpmath")(place)]
    assert_close(found, DOCUMENT.derived["art.d.gelu_min"]["independently_computed"])
    return True


def ratio_bounds():
    """From the first two entries at least this ratio of temperatures, from the next two at most that."""
    half = Fraction(5, 1000)
    (a, b, c, _), (p, q, r, _) = GIVEN["softmax_high_tau"], GIVEN["softmax_low_tau"]
    rows = Literal(
        [[(p - half) / (q + half), (a + half) / (b - half), (q + half) / (r - half), (b - half) / (c + half)]]
    )
    logs = of(Logarithm(rows)).numbers("exact")
    bounds = [logs[0] / logs[1], logs[2] / logs[3]]
    assert_close(bounds, DOCUMENT.derived["art.d.tau_ratio_bounds"]["independently_computed"])
    return as_mpf(bounds[0]) > as_mpf(bounds[1])


def power_of_two():
    value = of(Exponential(128 * Logarithm(Literal([[2]])))).numbers("exact")[0]
    assert_close([value, log(value, 10)], DOCUMENT.derived["art.d.two128"]["independently_computed"])
    return value == 2**128


def slices():
    """First and last column of heads 1, 2 and 16, counted from 0, as the slices of one wide projection."""
    wide, width = matrix("Q", n, ARTICLE.d_model), ARTICLE.d_k
    taken = [ColumnSlice(wide, head * width, width) for head in (0, 1, ARTICLE.heads - 1)]
    return [[int(part.args[1]), int(part.args[1] + part.shape[1] - 1)] for part in taken]


FOUND = {"art.two_pow_128": lambda: len(str(2**128)) - 1}

# -- formulas -------------------------------------------------------------------------------------------
HEAD = derive(SingleHead(layers.X, *layers.PROJECTIONS))
QUERIES, KEYS, CONTENTS = matrix("Q", 3, 4), matrix("K", 3, 4), matrix("V", 3, 5)
TURNED = derive(ScaledDotProductAttention(RotaryEmbedding(QUERIES), RotaryEmbedding(KEYS), CONTENTS))


def exact(figure):
    return figure.numbers("exact")


def shown(figure, *expected, places=2):
    return rounds_to(exact(figure), list(expected), places)


def rotation_of_a_row():
    """At position 0 nothing is turned; every turn keeps the length."""
    row, p = matrix("A", 1, 4), parameter("p")
    turned = RotaryEmbedding(row, start=p)
    return is_equal(RotaryEmbedding(row), row) and is_equal(turned @ turned.T, row @ row.T)


def only_the_difference():
    """The score of two turned rows stays when both positions move, and changes when one does; for both pairings."""
    row, other, m, p, q = matrix("A", 1, 4), matrix("B", 1, 4), parameter("m"), parameter("p"), parameter("q")

    def score(first, second, pairing):
        return (
            RotaryEmbedding(row, start=first, pairing=pairing) @ RotaryEmbedding(other, start=second, pairing=pairing).T
        )

    return all(
        is_equal(score(m + p, q + p, pairing), score(m, q, pairing))
        and is_refuted(score(m + p, q, pairing), score(m, q, pairing))
        for pairing in ("interleaved", "halves")
    )


def two_linears():
    """Row vectors: X W_1 W_2; columns: (W_2 W_1) x, with the transposed matrices."""
    w_1, w_2 = matrix("W_1", d, d_ff), matrix("W_2", d_ff, d)
    rows = is_equal(layers.X @ w_1 @ w_2, layers.X @ (w_1 @ w_2))
    return rows and is_equal((layers.X @ w_1 @ w_2).T, (w_2.T @ w_1.T) @ layers.X.T)


def info_nce_by_hand():
    """-log of the share of the positive among the positive and all negatives."""
    for temperature in (1, TENTH):
        powers = [mp.exp(as_mpf(s / temperature)) for s in SIMILARITIES]
        assert_close(exact(info_nce(temperature)), [-mp.log(powers[0] / sum(powers))])
    return True


def column_convention():
    w, b, x = matrix("W", d, d_ff), matrix("b", d_ff, 1), matrix("X", 1, d)
    return is_equal(Linear(x, w, b).T, w.T @ x.T + b)


def variance_needs_independence():
    """d_k for independent components; with all components equal it is d_k squared."""
    apart = independent_components(SIGNS, 3)
    together = {(x, x, x): Fraction(1, 2) for x in (1, -1)}
    return variance_of_dot_product(apart, apart) == 3 and variance_of_dot_product(together, together) == 9


FORMULAS = {
    "art.f.proj": lambda: [str(HEAD[name].expression) for name in "QKV"] == ["X W_Q", "X W_K", "X W_V"],
    "art.f.rope": rotation_of_a_row,
    "art.f.score_rope_d": lambda: sqrt(Rational(ARTICLE.d_model)) / sqrt(Rational(ARTICLE.d_k)) == 4
    and str(HEAD["S"].expression) == "Q K^T / sqrt(d_k)",
    "art.f.score_rope": lambda: str(TURNED["S"].expression).endswith("/ 2"),  # the root of 4 columns
    "art.f.score": lambda: str(HEAD["S"].expression) == "Q K^T / sqrt(d_k)",
    "art.f.weight": lambda: str(HEAD["A"].expression) == "softmax(S)",
    "art.f.out": lambda: str(HEAD["Z"].expression) == "A V",
    "art.f.weight_num": lambda: rounds_to(
        [dec(x) / dec("10.56") for x in ("8.17", "1.65", "0.74")], ["0.77", "0.16", "0.07"], 2
    ),
    "art.f.out1": lambda: exact(mixed([dec("0.77"), dec("0.16"), dec("0.07")])) == [
        sum(w * Rational(str(row[j])) for w, row in zip((dec("0.77"), dec("0.16"), dec("0.07")), GIVEN["V_first_components"], strict=True))
        for j in (0, 1)
    ],
    "art.f.mix": lambda: exact(mixed(GIVEN["linear_mix_example"])) == [dec("0.25"), dec("0.68")],
    "art.f.collapse": two_linears,
    "art.f.ffn": lambda: FeedForward(layers.X, *layers.NETWORK, activation="GELU").definition().whole
    is Linear(GELU(Linear(layers.X, *layers.NETWORK[:2])), *layers.NETWORK[2:]),
    "art.f.gelu": lambda: is_equal(GELU(layers.X), Hadamard(layers.X, NormalDistribution(layers.X))),
    "art.f.infonce": info_nce_by_hand,
    "art.f.update": lambda: str(evaluate(GradientStep(Literal([[1, 2]]), Literal([[3, 5]]), TENTH)))
    == str(evaluate(Literal([[1, 2]]) - TENTH * Literal([[3, 5]]))),
    "art.f.bias": column_convention,
    "art.f.relpos": only_the_difference,
    "art.f.sqrt_dk": lambda: str(HEAD["S"].expression).endswith("sqrt(d_k)"),
    "art.f.variance": variance_needs_independence,
    "art.f.exp_tau": lambda: is_equal(TemperatureSoftmax(layers.X, 3), Softmax(layers.X / 3)),
    "art.f.neglog": lambda: shown(of(-1 * Logarithm(Literal([[dec("0.5")]]))), "0.69"),
    "art.f.128dirs": lambda: power_of_two() and rounds_to([Rational(2**128, 10**38)], ["3.4"], 2),
}  # fmt: skip
COUNTS = {
    "art.c.d_model": lambda: ARTICLE.d_model,
    "art.c.heads": lambda: ARTICLE.heads,
    "art.c.head_dim": lambda: ARTICLE.d_k,
    "art.c.head_slices": slices,
    "art.c.d_ff": lambda: ARTICLE.d_ff,
    "art.c.ff_ratio": lambda: Rational(ARTICLE.d_ff, ARTICLE.d_model),
    "art.c.w1_shape": lambda: sized(layers.NETWORK[0]),
    "art.c.b1_size": lambda: sized(layers.NETWORK[1])[0],
    "art.c.w2_shape": lambda: sized(layers.NETWORK[2]),
    "art.c.b2_size": lambda: sized(layers.NETWORK[3])[0],
    "art.c.tokens": lambda: S.shape[1],
    "art.c.weights": lambda: len(HEAD.inputs) - 1,
    "art.c.concat": lambda: ARTICLE.heads * ARTICLE.d_v,
    "art.c.candidates": lambda: len(GIVEN["softmax_high_tau"]),
    "art.d.scale_ratio": lambda: sqrt(Rational(ARTICLE.d_model)) / sqrt(Rational(ARTICLE.d_k)),
}


def sized(letter):
    sizes = {d: Rational(ARTICLE.d_model), d_ff: Rational(ARTICLE.d_ff)}
    return [size.xreplace(sizes) for size in letter.shape]


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
    "art.s.atoms": lambda: 10**38 < 2**128 < 10**39 < 10**80,
    "art.s.temperature_rows": no_pair,
    "art.s.self_similarity": longer_neighbor,
    "art.s.key_value_rows": lambda: is_equal(
        KeyValueMemory(layers.X, *layers.NETWORK), FeedForward(layers.X, *layers.NETWORK)
    ),
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
    ),
    "art.s.order_blind": order_blind,
    "art.s.linear_stack": two_linears,
    "art.s.gelu_limits": far_out,
    "art.s.gelu_smooth": corner_of_relu,
    "art.s.gelu_negative_gradient": slope_changes_sign,
    "art.s.bias_shift": threshold,
    "art.s.infonce_goal": up_and_down,
    "art.s.geva": lambda: KeyValueMemory(layers.X, *layers.NETWORK).shape == (n, d),
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
