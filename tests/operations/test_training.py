"""What stands before and behind the layers: limits by balls, identities decided by the judge, refusals."""

import flint
import pytest
from sympy import Rational, sqrt

from symtransformer import derive, dimension, evaluate, matrix, parameter, verify
from symtransformer.enclosures import Balls, precision
from symtransformer.errors import NotSupported, ShapeError, UnreadableInput
from symtransformer.judge import REFUTED, judge_equation
from symtransformer.operation import compute, unfolded
from symtransformer.operations import (
    Addition,
    AdditiveAttention,
    AdditiveScores,
    CachedAttention,
    CausalMask,
    CosineSimilarity,
    CrossEntropy,
    Dropout,
    Embedding,
    FeedForward,
    GradientStep,
    Hadamard,
    InfoNCE,
    KeyValueMemory,
    Linear,
    Logarithm,
    Ones,
    PositionedEmbedding,
    RecurrentStep,
    RightShift,
    Row,
    RowConcatenation,
    RowSum,
    ScaledDotProductAttention,
    SinusoidalEncoding,
    SmoothedTargets,
    Softmax,
    TemperatureSoftmax,
)  # fmt: skip
from symtransformer.operations.recurrent import recurrent_chain
from symtransformer.operations.temperature import temperature_limits
from symtransformer.symbols import Literal, one_hot

n, m, K, d, d_ff, d_k, d_v = (dimension(name) for name in ("n", "m", "K", "d", "d_ff", "d_k", "d_v"))
L, Y = matrix("L", n, K), matrix("Y", n, K)
H, W = Literal([[-1, 2]]), Literal([[1, 1, 0, -1, 0], [0, 1, 1, 0, -1]])
LOGITS, TARGET = Linear(H, W), one_hot([2], 5)
tau, epsilon, eta, p = (parameter(name) for name in ("tau", "epsilon", "eta", "p"))


def flat(value):
    value = value.tolist() if hasattr(value, "tolist") else value
    return [x for part in value for x in flat(part)] if isinstance(value, list) else [value]


# -- both ends of the temperature -------------------------------------------------------------------------
ROWS = ([-1, 1, 2, 1, -2], [0, 3, 1, 3, -1], [2, 2, 2, 2], [Rational(1, 3), Rational(1, 3) - Rational(1, 10**6), 0])


def balls_of(expression):
    return compute(unfolded(expression), Balls(), lambda letter: pytest.fail(f"{letter} has no value"))[0]


def distance(expression, limit):
    """The largest difference of two rows, as a ball."""
    gaps = [abs(x - y) for x, y in zip(balls_of(expression), balls_of(limit), strict=True)]
    return max(gaps, key=lambda gap: gap.upper())


@pytest.mark.parametrize("row", ROWS, ids=str)
@pytest.mark.parametrize("power", [1, 3, 7])
def test_temperature_near_its_ends_is_within_the_proven_bounds(row, power):
    """T → 0: within K e^{-gap/T} of the limit; T → ∞: within e^{span/T} − 1 of 1/K."""
    logits, count = Literal([row]), len(row)
    cold_limit, hot_limit = temperature_limits(logits)
    gap = min([max(row) - x for x in row if x != max(row)], default=1)
    span = max(row) - min(row)
    cold, hot = Rational(1, 10**power), 10**power
    with precision(600):
        slack = flint.arb(2) ** -550
        near = count * (-Balls().scalar(Rational(gap) / cold)).exp() + slack
        far = Balls().scalar(Rational(span) / hot).exp() - 1 + slack
        assert distance(TemperatureSoftmax(logits, cold), cold_limit) <= near
        assert distance(TemperatureSoftmax(logits, hot), hot_limit) <= far
        if power == 7 and span > 1:  # the limits the other way around are refused
            assert distance(TemperatureSoftmax(logits, cold), hot_limit) > near
            assert distance(TemperatureSoftmax(logits, hot), cold_limit) > far
    shares = [Rational(int(x == max(row)), row.count(max(row))) for x in row]
    assert flat(evaluate(cold_limit)) == shares
    assert flat(evaluate(hot_limit)) == [Rational(1, count)] * count


def test_equal_logits_share_the_weight_at_every_temperature():
    for temperature in (Rational(1, 1000), 1, 1000):
        first, _, third, fourth = flat(evaluate(TemperatureSoftmax([[3, 1, 3, 0]], temperature)))
        assert first == third
        assert first != fourth


# -- identities -------------------------------------------------------------------------------------------
def test_a_dot_product_is_lengths_times_cosine():
    A, B = matrix("A", n, d), matrix("B", m, d)
    steps = derive(CosineSimilarity(A, B))
    assert [step.name for step in steps.steps] == ["R", "alpha", "beta", "N", "C"]
    lengths = steps["alpha"].stands_for @ steps["beta"].stands_for.T
    assert judge_equation(A @ B.T, Hadamard(lengths, CosineSimilarity(A, B))).kind in ("proved", "tested")
    assert judge_equation(A @ B.T, CosineSimilarity(A, B)).kind == REFUTED


def test_cross_entropy_is_minus_the_logarithm_of_softmax():
    probabilities = Softmax(L)
    from_probabilities = -RowSum(Hadamard(Y, Logarithm(probabilities)))
    assert judge_equation(CrossEntropy(L, Y, reduction="none"), from_probabilities).kind in ("proved", "tested")
    assert judge_equation(CrossEntropy(L, Y), CrossEntropy(L, Y, reduction="sum")).kind == REFUTED
    assert (
        judge_equation(CrossEntropy(L, Y, reduction="none"), RowSum(Hadamard(Y, Logarithm(probabilities)))).kind
        == REFUTED
    )


def test_smoothing_conventions_differ():
    both = [SmoothedTargets(TARGET, Rational(1, 10), spread=how) for how in ("all", "others")]
    assert flat(evaluate(both[0])) == [Rational(1, 50)] * 2 + [Rational(23, 25)] + [Rational(1, 50)] * 2
    assert flat(evaluate(both[1])) == [Rational(1, 40)] * 2 + [Rational(9, 10)] + [Rational(1, 40)] * 2
    assert judge_equation(SmoothedTargets(Y, epsilon), SmoothedTargets(Y, epsilon, spread="others")).kind == REFUTED
    scaled = SmoothedTargets(
        matrix("Y", 2, 5), epsilon * Rational(5, 4)
    )  # over the others by ε is over all by ε K/(K − 1)
    assert judge_equation(SmoothedTargets(matrix("Y", 2, 5), epsilon, spread="others"), scaled).kind in (
        "proved",
        "tested",
    )


def test_memory_is_the_feed_forward_network():
    X, W_1, b_1, W_2, b_2 = (matrix("X", n, d), matrix("W_1", d, d_ff), matrix("b_1", d_ff, 1), matrix("W_2", d_ff, d_v), matrix("b_2", d_v, 1))  # fmt: skip
    for activation in ("ReLU", "GELU"):
        memory = KeyValueMemory(X, W_1, b_1, W_2, b_2, activation=activation)
        network = FeedForward(X, W_1, b_1, W_2, b_2, activation=activation)
        assert judge_equation(memory, network).kind in ("proved", "tested")
        assert judge_equation(memory, FeedForward(X, W_1, weight_2=W_2, activation=activation)).kind == REFUTED
    other = KeyValueMemory(X, W_1, b_1, W_2, b_2, activation="GELU")
    assert judge_equation(other, KeyValueMemory(X, W_1, b_1, W_2, b_2)).kind == REFUTED
    with pytest.raises(ShapeError, match="the number of keys and of values"):
        KeyValueMemory(X, W_1, weight_2=matrix("V", d, d_v))


def test_the_cache_gives_the_last_row_of_full_recomputation():
    Q, keys, values = matrix("Q", n, d_k), matrix("K_c", n, d_k), matrix("V_c", n, d_v)
    q, k, v = matrix("q_t", 1, d_k), matrix("k_t", 1, d_k), matrix("v_t", 1, d_v)
    full = ScaledDotProductAttention(
        RowConcatenation(Q, q), RowConcatenation(keys, k), RowConcatenation(values, v), CausalMask(n + 1)
    )
    cached = CachedAttention(q, keys, k, values, v)
    assert judge_equation(cached, Row(full, n)).kind in ("proved", "tested")
    assert judge_equation(cached, Row(full, 0)).kind == REFUTED
    assert judge_equation(cached, ScaledDotProductAttention(q, keys, values)).kind == REFUTED
    assert (
        judge_equation(
            CachedAttention(q, keys, k, values, v), CachedAttention(q, keys, k, values, k @ matrix("B", d_k, d_v))
        ).kind
        == REFUTED
    )


def test_embedding_picks_rows_once_and_adds_positions_once():
    table = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]
    tokens = one_hot([2, 0, 2], 3)
    assert evaluate(Embedding(tokens, table)).tolist() == [table[2], table[0], table[2]]
    assert flat(evaluate(Embedding(tokens, table, scaled="yes"))) == [2 * x for x in table[2] + table[0] + table[2]]
    odd = Embedding(one_hot([1], 2), [[1, 1, 1], [2, 0, 1]], scaled="yes")
    assert flat(evaluate(odd)) == [2 * sqrt(3), 0, sqrt(3)]
    T, E = matrix("T", n, K), matrix("E", K, d)
    P = SinusoidalEncoding(n, d)
    whole = PositionedEmbedding(T, E, P, scaled="yes")
    assert judge_equation(whole, Addition(Embedding(T, E, scaled="yes"), P)).kind == "proved"
    assert judge_equation(whole, Addition(Addition(Embedding(T, E, scaled="yes"), P), P)).kind == REFUTED
    for wrong in ([3], [-1], [True], [0.0]):
        with pytest.raises(UnreadableInput, match="ids from 0 to 2"):
            one_hot(wrong, 3)


def test_dropout_keeps_the_mean():
    """Over all masks, each with its probability, the mean of the result is the input."""
    x, rate = [Rational(3), Rational(-5, 2)], Rational(1, 4)
    means = [Rational(0)] * 2
    for kept in ((0, 0), (0, 1), (1, 0), (1, 1)):
        chance = (1 - rate) ** sum(kept) * rate ** (2 - sum(kept))
        means = [a + chance * b for a, b in zip(means, flat(evaluate(Dropout([x], [list(kept)], rate))), strict=True)]
    assert means == x
    A = matrix("A", n, d)
    assert judge_equation(Dropout(A, Ones(n, d), 0), A).kind == "proved"
    for wrong in (1, Rational(3, 2), Rational(-1, 2)):
        with pytest.raises(UnreadableInput, match="below 1"):
            Dropout(A, Ones(n, d), wrong)


def test_gradient_step_lowers_the_loss():
    slope = H.T @ (Softmax(LOGITS) - TARGET)
    stepped = GradientStep(W, slope, Rational(1, 10))
    before, after = (evaluate(CrossEntropy(Linear(H, w), TARGET), digits=20)[0, 0] for w in (W, stepped))
    assert after < before
    assert str(GradientStep(matrix("W", 2, 3), matrix("G", 2, 3), eta).definition().whole) == "W - eta G"


def test_additive_scores_take_queries_and_keys_of_unlike_width():
    Q, keys, v = matrix("Q", n, 3), matrix("B_k", m, 2), matrix("v_a", 4, 1)
    W_q, U = matrix("W_q", 3, 4), matrix("U", 2, 4)
    scores = AdditiveScores(Q, keys, W_q, U, v)
    assert scores.shape == (n, m)
    V = matrix("V", m, d_v)
    assert judge_equation(AdditiveAttention(Q, keys, V, W_q, U, v), Softmax(scores) @ V).kind == "proved"
    assert judge_equation(AdditiveAttention(Q, keys, V, W_q, U, v), Softmax(-scores) @ V).kind == REFUTED


def test_a_chain_of_recurrent_steps():
    """The first input reaches state n by n − 1 further steps, and attention reads it in one."""
    h, X, W_h, W_x = matrix("h", 1, 2), matrix("X", 3, 4), matrix("W_h", 2, 2), matrix("W_x", 4, 2)
    states = recurrent_chain(h, X, W_h, W_x)
    assert states[0] is RecurrentStep(h, Row(X, 0), W_h, W_x)
    depth, node = 0, states[-1]
    while isinstance(node, RecurrentStep):
        node, depth = node.args[0], depth + 1
    assert (depth, node) == (3, h)
    with pytest.raises(UnreadableInput, match="must be a number"):
        recurrent_chain(h, matrix("X", n, 4), W_h, W_x)


# -- refusals -----------------------------------------------------------------------------------------------
def test_what_is_refused():
    with pytest.raises(UnreadableInput, match="above 0"):
        TemperatureSoftmax(L, 0)
    with pytest.raises(UnreadableInput, match="above 0"):
        InfoNCE(L, Y, -1)
    with pytest.raises(UnreadableInput, match="0 to 1"):
        SmoothedTargets(Y, 2)
    with pytest.raises(UnreadableInput, match="no other candidates"):
        SmoothedTargets(matrix("Y", n, 1), epsilon, spread="others")
    with pytest.raises(UnreadableInput, match="mean, sum, none"):
        CrossEntropy(L, Y, reduction="average")
    with pytest.raises(ShapeError, match="logits and targets"):
        CrossEntropy(L, matrix("Y", n, d))
    with pytest.raises(ShapeError, match="start rows"):
        RightShift(Y, matrix("s", 2, K))
    with pytest.raises(NotSupported):
        evaluate(CosineSimilarity([[0, 0]], [[1, 2]]))


def test_every_step_is_judged():
    for expression in (
        InfoNCE(L, Y, tau), CosineSimilarity(matrix("A", n, d), matrix("B", m, d)), TemperatureSoftmax(L, tau),
        CrossEntropy(L, SmoothedTargets(Y, epsilon)), Dropout(L, Y, p),
    ):  # fmt: skip
        assert verify(derive(expression, stages=True)).count(REFUTED) == 0
