"""Each slip on one operation: all that the writer may have computed, by formulas of NumPy, and nothing else."""

import math

import numpy as np
import pytest
from made_by_slips import Letters, assert_made
from sympy import Integer, Rational, S, sqrt

from symtransformer.operations.addition import Addition
from symtransformer.operations.column_sum import ColumnSum
from symtransformer.operations.concatenation import ColumnSlice, Concatenation
from symtransformer.operations.gelu import GELU
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.identity import Identity
from symtransformer.operations.logarithm import Logarithm
from symtransformer.operations.mask import Mask
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.relu import Heaviside, ReLU
from symtransformer.operations.rms_division import RMSDivision
from symtransformer.operations.root_mean_square import RootMeanSquare
from symtransformer.operations.rotary import HALVES, INTERLEAVED, RotaryAngles, RotaryEmbedding
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_mean import repeated_mean
from symtransformer.operations.row_sum import Broadcast, RowSum
from symtransformer.operations.rows import Row
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.sinusoidal_encoding import SinusoidalEncoding
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.standard_deviation import StandardDeviation
from symtransformer.operations.standardization import Standardization
from symtransformer.operations.temperature import TemperatureSoftmax
from symtransformer.operations.transpose import Transpose
from symtransformer.operations.trigonometric import Cosine, Sine

ROOT2 = math.sqrt(2)
NOTHING = ()


def softmax(rows):
    powers = np.exp(rows)
    return powers / powers.sum(axis=1, keepdims=True)


def total(rows):
    return rows.sum(axis=1, keepdims=True)


def mean(rows):
    return rows.mean(axis=1, keepdims=True)


# -- scores and weights ---------------------------------------------------------------------------------------------
def test_scores_over_a_root():
    letters = Letters(1)
    Q, K = letters("Q", 3, 2), letters("K", 4, 2)
    q, k = letters["Q"], letters["K"]
    node, s = Scaling(Product(Q, Transpose(K)), S.One, sqrt(2)), q @ k.T
    assert_made(
        node, letters.known,
        no_scale=[s], scale_by_d=[s / 2], scale_multiplied=[s * ROOT2], scale_by_root_n=[s / math.sqrt(3), s / 2],
        scale_by_root_d_model=NOTHING, scale_after_softmax=NOTHING,
    )  # fmt: skip
    assert_made(Softmax(node), letters.known, scale_after_softmax=[softmax(s) / ROOT2])
    M = letters("M", 3, 4)
    assert_made(Softmax(Mask(node, M)), letters.known, scale_after_softmax=[softmax(s + letters["M"]) / ROOT2])
    for other in (
        Scaling(Product(Q, Transpose(K)), S.One, S.One),  # no factor
        Scaling(Product(Q, Transpose(K)), sqrt(2), S.One),  # not divided
        Scaling(Product(letters("dS", 3, 2), Transpose(K)), S.One, sqrt(2)),  # of a gradient
        Scaling(Addition(Q, Q), S.One, sqrt(2)),  # of no scores
    ):
        assert_made(other, letters.known, no_scale=NOTHING, scale_multiplied=NOTHING, scale_by_root_n=NOTHING)
        assert_made(Softmax(other), letters.known, scale_after_softmax=NOTHING)


def test_scores_of_one_query_and_the_width_of_the_model():
    letters = Letters(2)
    Q, K, S1 = letters("Q", 1, 2), letters("K", 4, 2), letters("S", 3, 3)
    s = letters["Q"] @ letters["K"].T
    node = Scaling(Product(Q, Transpose(K)), S.One, sqrt(2))
    assert_made(node, letters.known, scale_by_root_n=[s / 2], scale_by_root_d_model=NOTHING)
    letters("X", 4, 5)
    letters("W_K", 7, 2)
    letters("W_O", 8, 2)
    assert_made(node, letters.known, scale_by_root_d_model=[s / math.sqrt(5), s / math.sqrt(7)])
    letters("X_2", 4, 2)  # what it is divided by anyway
    assert_made(node, letters.known, scale_by_root_d_model=[s / math.sqrt(5), s / math.sqrt(7)])
    by_name = Scaling(S1, S.One, sqrt(2))  # scores by their name
    assert_made(by_name, letters.known, no_scale=[letters["S"]])


def test_the_width_of_the_model_is_that_of_what_is_projected():
    letters = Letters(3)
    H, U, B = letters("H", 3, 6), letters("U", 6, 2), letters("B", 6, 11, -40, 40)
    Q, K = Letters(4)("Q", 3, 2), letters("K", 3, 2)
    node = Scaling(Product(Q, Transpose(K)), S.One, sqrt(2))
    known = {**letters.known, Q: Product(H, U)}
    s = letters["H"] @ letters["U"] @ letters["K"].T
    assert_made(node, known, scale_by_root_d_model=[s / math.sqrt(6)])
    known = {**letters.known, Q: Product(H, ColumnSlice(B, 1, 2))}  # one head of a wide matrix
    s = letters["H"] @ letters["B"][:, 1:3] @ letters["K"].T
    assert_made(node, known, scale_by_root_d_model=[s / math.sqrt(6), s / math.sqrt(11)])


def test_products_of_queries_and_keys():
    letters = Letters(5)
    Q, K = letters("Q", 3, 3), letters("K", 3, 3)
    q, k = letters["Q"], letters["K"]
    assert_made(
        Product(Q, Transpose(K)), letters.known,
        key_not_transposed=[q @ k], query_transposed=[q.T @ k], scores_other_order=[k @ q.T], scores_entry_by_entry=[q * k, (q * k).T],
    )  # fmt: skip
    for other in (Product(Q, K), Product(Transpose(Q), K), Product(letters("dS", 3, 3), Transpose(K))):
        assert_made(
            other, letters.known,
            key_not_transposed=NOTHING, query_transposed=NOTHING, scores_other_order=NOTHING, scores_entry_by_entry=NOTHING,
        )  # fmt: skip
    a, b = letters("a", 3, 1), letters("b", 3, 1)
    x, y = letters["a"], letters["b"]
    assert_made(
        Product(Transpose(a), b), letters.known,
        key_not_transposed=NOTHING, query_transposed=NOTHING, scores_other_order=[x @ y.T], scores_entry_by_entry=[x * y, (x * y).T],
    )  # fmt: skip


def test_weights_times_values():
    letters = Letters(6)
    A, V, K = (letters(name, 3, 3) for name in "AVK")
    letters("Q", 3, 3)
    a, v, q, k = (letters[name] for name in "AVQK")
    assert_made(
        Product(A, V), letters.known,
        weights_transposed=[a.T @ v], values_times_transposed_weights=[v @ a.T], values_times_weights=[v @ a],
        keys_for_values=[a @ k], queries_for_values=[a @ q],
    )  # fmt: skip
    for other in (Product(A, Transpose(V)), Product(A, letters("dZ", 3, 3)), Product(V, A)):
        assert_made(other, letters.known, weights_transposed=NOTHING, keys_for_values=NOTHING)
    B, C = letters("B", 3, 3), letters("C", 3, 3)
    weights = Softmax(Scaling(Product(B, Transpose(C)), S.One, sqrt(3)))
    w = softmax(letters["B"] @ letters["C"].T / math.sqrt(3))
    assert_made(
        Product(weights, V), letters.known,
        keys_for_values=[w @ k, w @ letters["C"]], queries_for_values=[w @ q, w @ letters["B"]],
    )  # fmt: skip
    assert_made(Product(A, K), letters.known, keys_for_values=NOTHING)


@pytest.mark.parametrize("rows", [[["1/4", "3/4"], ["1/2", "1/2"]], [["0.33", "0.68"], ["0", "1"]], [["2", "-1"], ["1", "0"]], [["0.3", "0.3"], ["1", "0"]]])  # fmt: skip
def test_rows_that_add_up_to_1_are_weights(rows):
    letters = Letters(7)
    table = letters.given("Tab", rows)
    V = letters("V", 2, 2)
    are = all(
        abs(sum(map(Rational, row)) - 1) <= Rational(1, 50) and all(Rational(x) >= 0 for x in row) for row in rows
    )
    expected = [letters["Tab"].T @ letters["V"]] if are else NOTHING
    assert_made(Product(table, V), letters.known, weights_transposed=expected)


# -- softmax ----------------------------------------------------------------------------------------------------------
def test_softmax():
    letters = Letters(8)
    Z = letters.given("Z", [["1.5", "-0.5", "0.7"], ["0.2", "1.1", "-1.4"]])
    z = letters["Z"]
    powers, top = np.exp(z), np.exp(z.max(axis=1, keepdims=True))
    hard = (z == z.max(axis=1, keepdims=True)).astype(float)
    assert_made(
        Softmax(Z), letters.known,
        softmax_over_columns=[softmax(z.T).T], softmax_over_table=[powers / powers.sum()], softmax_left_out=[z],
        scores_over_their_sum=[z / total(z)], exponentials_not_divided=[powers], softmax_base_2=[softmax(z * math.log(2))],
        softmax_base_10=[softmax(z * math.log(10))], softmax_of_minus=[softmax(-z)], maximum_above_only=[softmax(z) / top],
        denominator_without_self=[powers / (total(powers) - powers)], argmax=[hard], uniform_weights=[np.full((2, 3), 1 / 3)],
        temperature_multiplied=NOTHING, temperature_ignored=NOTHING, mask_left_out=NOTHING,
    )  # fmt: skip


def test_two_largest_scores():
    letters = Letters(9)
    Z = letters.given("Z", [["1", "2", "2"]])
    soft, top = softmax(letters["Z"]), math.exp(2)
    assert_made(Softmax(Z), letters.known, argmax=[[[0, 0.5, 0.5]], [[0, 1, 0]]], maximum_above_only=[soft / top])


def test_a_temperature():
    letters = Letters(10)
    Z, G = letters("Z", 2, 3), letters("S", 2, 3)
    z = letters["Z"]
    for node in (TemperatureSoftmax(Z, Integer(2)), Softmax(Scaling(Z, S.One, Integer(2)))):
        assert_made(node, letters.known, temperature_multiplied=[softmax(2 * z)], temperature_ignored=[softmax(z)])
    for node in (Softmax(Scaling(G, S.One, Integer(2))), Softmax(Z)):  # scores have a scale
        assert_made(node, letters.known, temperature_multiplied=NOTHING, temperature_ignored=NOTHING)


# -- a loss -----------------------------------------------------------------------------------------------------------
def test_a_loss_with_targets():
    letters = Letters(11)
    P = letters("P", 2, 3, 1, 10)
    Y = letters.given("Y", [[0, 1, 0], [1, 0, 0]])
    p, y = letters["P"], letters["Y"]
    picked, squares = total(p * y), total((p - y) ** 2)
    for hadamard in (Hadamard(Y, Logarithm(P)), Hadamard(Logarithm(P), Y)):
        assert_made(
            -RowSum(hadamard), letters.known,
            no_minus=[np.log(picked)], one_minus_p=[1 - picked], log_of_one_minus_p=[-np.log(1 - picked)],
            neighboring_target=[-np.log(total(p * np.roll(y, step, axis=1))) for step in (1, -1)],
            squared_error=[squares, squares / 2, squares / 3, (1 - picked) ** 2], sum_over_classes=[-total(np.log(p))],
            log_of_logit=NOTHING,
        )  # fmt: skip


def test_the_logarithm_of_a_logit():
    letters = Letters(12)
    Z, P = letters("Z", 2, 3, 1, 10), Letters(0)("P", 2, 3)
    Y = letters.given("Y", [[0, 1, 0], [1, 0, 0]])
    known = {**letters.known, P: Softmax(Z)}
    expected = [-np.log(total(letters["Z"] * letters["Y"]))]
    assert_made(-RowSum(Hadamard(Y, Logarithm(P))), known, log_of_logit=expected)
    assert_made(-Logarithm(Softmax(Z)), known, log_of_logit=[-np.log(letters["Z"])])
    assert_made(Logarithm(P), known, log_of_logit=NOTHING)


def test_a_loss_of_one_probability():
    letters = Letters(13)
    P = letters("P", 1, 3, 1, 10)
    p = letters["P"]
    squares = (p - 1) ** 2
    assert_made(
        -Logarithm(P), letters.known,
        no_minus=[np.log(p)], one_minus_p=[1 - p], log_of_one_minus_p=[-np.log(1 - p)], neighboring_target=NOTHING,
        squared_error=[squares, squares / 2, squares / 3], sum_over_classes=[-total(np.log(p))],
    )  # fmt: skip
    for at, beside in ((0, [1]), (1, [0, 2]), (2, [1])):
        node = -Logarithm(ColumnSlice(P, at, 1))
        assert_made(node, letters.known, neighboring_target=[[[-math.log(p[0, k])]] for k in beside])
    assert_made(-Logarithm(ColumnSlice(P, 0, 2)), letters.known, neighboring_target=NOTHING)


# -- normalization ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("columns", [3, 4])
def test_layer_normalization(columns):
    letters = Letters(14)
    X, eps = letters("X", 3, columns), Rational(3, 10)
    x, e = letters["X"], 0.3
    dev, var, mad = x - mean(x), mean((x - mean(x)) ** 2), mean(abs(x - mean(x)))
    root = np.sqrt(var + e)
    off = x - np.median(x, axis=1, keepdims=True)
    about, square = np.sqrt(mean(off**2) + e), mean(x**2)
    below = {
        "variance_for_root": [var + e, var],
        "mean_absolute_deviation": [mad + e, mad],
        "eps_left_out": [np.sqrt(var)],
        "root_eps_added": [np.sqrt(var) + math.sqrt(e)],
        "norm_for_root": [np.sqrt(total(of**2) + more) for of in (dev, x) for more in (0, e)],
    }
    assert_made(
        StandardDeviation(X, eps), letters.known,
        **below, mean_not_subtracted=[np.sqrt(square + e)], median_for_mean=[about], deviation_not_divided=NOTHING,
    )  # fmt: skip
    columns_first = (x - x.mean(axis=0)) / np.sqrt(x.var(axis=0) + e)
    assert_made(
        Standardization(X, eps), letters.known,
        **{name: [dev / column for column in columns] for name, columns in below.items()},
        mean_not_subtracted=[x / root, x / np.sqrt(square + e)], median_for_mean=[off / root, off / about], deviation_not_divided=[dev],
        normalized_over_tokens=[columns_first],
    )  # fmt: skip


def test_the_root_mean_square():
    letters = Letters(15)
    X, eps = letters("X", 3, 4), Rational(3, 10)
    x, e = letters["X"], 0.3
    square, var, dev = mean(x**2), mean((x - mean(x)) ** 2), x - mean(x)
    below = {
        "rms_root_left_out": [square + e, square],
        "rms_sum_for_mean": [np.sqrt(4 * square + e), np.sqrt(4 * square)],
        "rms_one_less": [np.sqrt(square * 4 / 3 + e)],
    }
    assert_made(RootMeanSquare(X, eps), letters.known, **below, rms_mean_subtracted=[np.sqrt(var + e)], rms_not_divided=NOTHING)  # fmt: skip
    assert_made(
        RMSDivision(X, eps), letters.known,
        **{name: [x / column for column in columns] for name, columns in below.items()},
        rms_mean_subtracted=[dev / np.sqrt(var + e), dev / np.sqrt(square + e)], rms_not_divided=[x],
    )  # fmt: skip


def test_gamma_and_beta():
    letters = Letters(16)
    X, g, b = letters("X", 3, 4), letters("gamma", 4, 1), letters("beta", 4, 1)
    x, gain, shift = letters["X"], letters["gamma"].T, letters["beta"].T
    norm, dev = Standardization(X, Rational(3, 10)), letters["X"] - mean(letters["X"])
    n = dev / np.sqrt(mean(dev**2) + 0.3)
    G, B = (Product(Ones(3, 1), Transpose(column)) for column in (g, b))
    for scaled in (Hadamard(norm, G), Hadamard(G, norm)):
        for node in (Addition(scaled, B), Addition(B, scaled)):
            assert_made(
                node, letters.known,
                gain_and_shift_swapped=[n * shift + gain], gain_or_shift_left_out=[n + shift, n * gain, n], shift_before_gain=[(n + shift) * gain],
            )  # fmt: skip
    scaled = x * gain
    apart = scaled - mean(scaled)
    assert_made(
        Hadamard(norm, G), letters.known,
        gain_misplaced=[n + gain, apart / np.sqrt(mean(apart**2) + 0.3)], gain_left_out=NOTHING,
    )  # fmt: skip
    assert_made(
        Hadamard(RMSDivision(X, S.Zero), G), letters.known,
        gain_left_out=[x / np.sqrt(mean(x**2))], gain_misplaced=[x / np.sqrt(mean(x**2)) + gain, scaled / np.sqrt(mean(scaled**2))],
    )  # fmt: skip
    assert_made(Hadamard(X, G), letters.known, gain_misplaced=[x + gain], gain_left_out=NOTHING)  # γ by its name
    assert_made(Hadamard(X, B), letters.known, gain_misplaced=NOTHING)


@pytest.mark.parametrize("is_gain_first", [False, True])
@pytest.mark.parametrize("is_mean_first", [False, True])
def test_the_gradient_of_a_normalization(is_gain_first, is_mean_first):
    letters = Letters(17)
    dY, N, sigma, gamma = letters("dY", 3, 4), letters("Xn", 3, 4), letters("sig", 3, 1, 1), letters("gamma", 4, 1)
    d, n, s, gain = letters["dY"], letters["Xn"], letters["sig"], letters["gamma"].T
    G = Product(Ones(3, 1), Transpose(gamma))

    def gradient(above):
        mean_of_both = repeated_mean(Hadamard(above, N))
        along = Hadamard(mean_of_both, N) if is_mean_first else Hadamard(N, mean_of_both)
        return RowDivision(Addition(above, -repeated_mean(above), -along), sigma)

    g = d * gain
    m, a = mean(g), n * mean(g * n)
    bare = (d - mean(d) - n * mean(d * n)) / s
    assert_made(
        gradient(Hadamard(G, dY) if is_gain_first else Hadamard(dY, G)), letters.known,
        norm_direct_term_only=[g / s], norm_mean_term_missing=[(g - a) / s], norm_along_term_missing=[(g - m) / s],
        norm_sums_for_means=[(g - 4 * m - 4 * a) / s, (g - 4 * m - a) / s, (g - m - 4 * a) / s], norm_sigma_missing=[g - m - a],
        norm_sigma_squared=[(g - m - a) / s**2], gain_after_means=[gain * bare], gain_ignored=[bare],
        norm_gradient_sign=[-(g - m - a) / s, (g + m - a) / s, (g - m + a) / s, (g + m + a) / s],
    )  # fmt: skip
    assert_made(
        gradient(dY), letters.known, norm_direct_term_only=[d / s], gain_ignored=NOTHING, gain_after_means=NOTHING
    )
    T = letters("T", 3, 4)  # neither a gradient by its name, nor γ: the first of the factors is what comes from above
    factors = Hadamard(T, dY) if is_gain_first else Hadamard(dY, T)
    assert_made(gradient(factors), letters.known, gain_after_means=[letters["T"] * bare])
    U = letters("U", 3, 4)
    u, t = letters["U"], letters["T"]
    inner = (t - mean(t) - n * mean(t * n)) / s
    assert_made(gradient(Hadamard(T, U)), letters.known, gain_ignored=[inner], gain_after_means=[u * inner])
    short = RowDivision(Addition(dY, -repeated_mean(dY)), sigma)
    twice = RowDivision(
        Addition(dY, -repeated_mean(dY), -Hadamard(N, repeated_mean(Hadamard(dY, N))), -Hadamard(N, N)), sigma
    )
    for other in (
        short,
        twice,
        RowDivision(Addition(dY, dY, -repeated_mean(dY), -Hadamard(N, N)), sigma),
        RowDivision(dY, sigma),
    ):
        assert_made(other, letters.known, norm_direct_term_only=NOTHING, norm_gradient_sign=NOTHING)


# -- gradients of products --------------------------------------------------------------------------------------------
def test_gradients_over_a_root():
    letters = Letters(18)
    dS, K, Q = letters("dS", 3, 4), letters("K", 4, 2), letters("Q", 3, 2)
    d, k, q = letters["dS"], letters["K"], letters["Q"]
    assert_made(
        Scaling(Product(dS, K), S.One, sqrt(2)), letters.known,
        gradient_not_scaled=[d @ k], gradient_scaled_twice=[d @ k / 2], no_scale=NOTHING,
    )  # fmt: skip
    for other in (
        -Product(dS, K),
        Scaling(Product(dS, K), Integer(3), S.One),
        Scaling(Product(Q, Transpose(K)), S.One, sqrt(2)),
    ):
        assert_made(other, letters.known, gradient_not_scaled=NOTHING, gradient_scaled_twice=NOTHING)
    assert_made(Product(dS, K), letters.known, dQ_and_dK_swapped=[d.T @ q], Q_for_K=NOTHING)
    assert_made(Product(Transpose(dS), Q), letters.known, dQ_and_dK_swapped=[d @ k], gradient_not_transposed=NOTHING)


def test_gradients_of_square_factors():
    letters = Letters(19)
    dS, K, Q, A, dA = (letters(name, 3, 3) for name in ("dS", "K", "Q", "A", "dA"))
    d, k, q, a, da = (letters[name] for name in ("dS", "K", "Q", "A", "dA"))
    assert_made(
        Product(Transpose(dS), Q), letters.known,
        gradient_not_transposed=[d @ q], Q_for_K=[d.T @ k], dW_transposed=[(d.T @ q).T], gradient_averaged=[d.T @ q / 3],
        A_for_dA=[a.T @ q, da.T @ q],
    )  # fmt: skip
    assert_made(Product(dS, K), letters.known, Q_for_K=[d @ q], A_for_dA=[a @ k, da @ k], gradient_averaged=NOTHING)
    assert_made(Hadamard(A, dA), letters.known, A_for_dA=[a * a, da * da])
    assert_made(Product(A, K), letters.known, A_for_dA=NOTHING, Q_for_K=NOTHING, dQ_and_dK_swapped=NOTHING)
    dP, P = letters("dP", 3, 3), letters("P", 3, 3)
    assert_made(Hadamard(P, dP), letters.known, A_for_dA=[letters["P"] ** 2, letters["dP"] ** 2])
    assert_made(Product(dS, Transpose(K)), letters.known, weight_not_transposed=[d @ k])
    assert_made(Product(K, Transpose(Q)), letters.known, weight_not_transposed=NOTHING)


def test_the_gradient_of_a_bias():
    letters = Letters(20)
    dY, X = letters("dY", 3, 2), letters("X", 3, 2)
    d = letters["dY"]
    added = d.sum(axis=0, keepdims=True)
    for node in (ColumnSum(dY), RowSum(Transpose(dY)), Product(Transpose(dY), Ones(3, 1))):
        assert_made(node, letters.known, db_not_summed=[d], gradient_averaged=[added.T / 3])
    assert_made(Product(Ones(1, 3), dY), letters.known, db_not_summed=[d], gradient_averaged=[added / 3])
    for node in (ColumnSum(X), RowSum(Transpose(X)), Product(Ones(1, 3), X), Product(Ones(2, 3), dY), RowSum(dY)):
        assert_made(node, letters.known, db_not_summed=NOTHING, gradient_averaged=NOTHING)


def test_the_mask_of_relu():
    letters = Letters(21)
    dH, X, W = letters("dH", 3, 3), letters("X", 3, 3), letters("W", 3, 3)
    d, x, w = letters["dH"], letters["X"], letters["W"]
    for node in (
        Hadamard(dH, Heaviside(Product(X, W))),
        Hadamard(Heaviside(Product(X, W)), dH),
    ):
        assert_made(
            node, letters.known,
            relu_mask_missing=[d], relu_mask_from_input=[d * (x > 0), d * (w > 0), d * (d > 0)],
        )  # fmt: skip
    Z = letters("Z", 3, 3)  # what is called X is an input, also where the formula does not show it
    assert_made(
        Hadamard(dH, Heaviside(Z)),
        letters.known,
        relu_mask_missing=[d],
        relu_mask_from_input=[d * (x > 0), d * (d > 0)],
    )
    assert_made(Hadamard(dH, X), letters.known, relu_mask_missing=NOTHING, relu_mask_from_input=NOTHING)


def test_the_gradient_by_the_scores():
    letters = Letters(22)
    A, dA, T = letters("A", 3, 3, 1), letters("dA", 3, 3), letters("S", 3, 3)
    a, d, s = letters["A"], letters["dA"], letters["S"]

    def through(weights, inner):
        return Hadamard(weights, Addition(inner, -Broadcast(RowSum(Hadamard(weights, inner)), 3)))

    node, right = through(A, dA), a * (d - total(a * d))
    assert_made(
        node, letters.known,
        dS_diagonal_only=[a * (1 - a) * d], dS_unweighted_sum=[a * (d - total(d)), a * (d - mean(d))],
        dS_sum_over_columns=[a * (d - (a * d).sum(axis=0, keepdims=True))],
        dS_scores_for_weights=[s * (d - total(s * d)), s * (d - total(a * d))], dS_sign=[-right, a * (d + total(a * d))],
        dS_scaled_or_not=NOTHING,
    )  # fmt: skip
    letters("Q", 3, 2)
    assert_made(node, letters.known, dS_scaled_or_not=[right / ROOT2, right * ROOT2])
    assert_made(Scaling(node, S.One, sqrt(2)), letters.known, dS_scaled_or_not=[right])
    assert_made(-node, letters.known, dS_scaled_or_not=NOTHING)
    P = Letters(0)("P", 3, 3)
    soft = softmax(s / math.sqrt(5))
    known = {**letters.known, P: Softmax(Scaling(T, S.One, sqrt(5)))}
    inner = soft * (d - total(soft * d))
    assert_made(
        through(P, dA), known,
        dS_scaled_or_not=[inner * c for r in (2, 5) for c in (math.sqrt(r), 1 / math.sqrt(r))],
        dS_scores_for_weights=[
            *(s * (d - total(w * d)) for w in (s, soft)),
            *(s / math.sqrt(5) * (d - total(w * d)) for w in (s / math.sqrt(5), soft)),
        ],
    )  # fmt: skip
    other = Hadamard(A, Addition(dA, -Broadcast(RowSum(Hadamard(T, dA)), 3)))
    assert_made(other, letters.known, dS_sign=NOTHING, dS_diagonal_only=NOTHING, dS_scaled_or_not=NOTHING)


# -- positions --------------------------------------------------------------------------------------------------------
def table(entry, rows=3, columns=4, start=0):
    return [[entry(start + p, j) for j in range(columns)] for p in range(rows)]


def wave(angle, j):
    return math.sin(angle) if j % 2 == 0 else math.cos(angle)


@pytest.mark.parametrize(("columns", "start"), [(4, 0), (4, 2), (5, 1)])
def test_sines_and_cosines(columns, start):
    def speed(exponent, base=100):
        return base ** -(exponent / columns)

    def shown(entry, at=start):
        return table(entry, 3, columns, at)

    node = SinusoidalEncoding(3, columns, start, Integer(100))
    first = (columns + 1) // 2
    steps = [step for step in (1, -1) if start + step >= 0]
    assert_made(
        node, {},
        sine_and_cosine_swapped=[shown(lambda p, j: wave(p * speed(j // 2 * 2), j + 1))],
        degrees=[shown(lambda p, j: wave(math.radians(p * speed(j // 2 * 2)), j))],
        positions_shifted=[shown(lambda p, j: wave(p * speed(j // 2 * 2), j), start + step) for step in steps],
        exponent_without_two=[shown(lambda p, j: wave(p * speed(j // 2), j)), shown(lambda p, j: wave(p * speed(2 * j), j))],
        other_base=[shown(lambda p, j, b=b: wave(p * speed(j // 2 * 2, b), j)) for b in (1000, 100_000)],
        all_sines=[shown(lambda p, j: math.sin(p * speed(j // 2 * 2))), shown(lambda p, j: math.sin(p * speed(j)))],
        sines_then_cosines=[
            shown(lambda p, j: math.sin(p * speed(2 * j)) if j < first else math.cos(p * speed(2 * (j - first))))
        ],
        odd_exponent=[shown(lambda p, j: wave(p * speed(j), j))],
    )  # fmt: skip


@pytest.mark.parametrize("pairing", [HALVES, INTERLEAVED])
def test_angles_and_rotations(pairing):
    letters = Letters(23)
    X = letters("X", 2, 4)
    x = letters["X"]
    pair = (lambda j: j // 2) if pairing == INTERLEAVED else (lambda j: j % 2)

    def angles(exponent, base=100, start=1, rows=2):
        return np.array(table(lambda p, j: p * base ** -(exponent(pair(j)) / 4), rows, 4, start))

    double = lambda k: 2 * k  # noqa: E731
    assert_made(
        RotaryAngles(2, 4, 1, Integer(100), pairing), {},
        degrees=[np.radians(angles(double))], exponent_without_two=[angles(lambda k: k)],
        positions_shifted=[angles(double, start=0), angles(double, start=2)], other_base=[angles(double, b) for b in (1000, 100_000)],
        sine_and_cosine_swapped=NOTHING,
    )  # fmt: skip
    partner = {INTERLEAVED: ([1, 0, 3, 2], [-1, 1, -1, 1]), HALVES: ([2, 3, 0, 1], [-1, -1, 1, 1])}[pairing]
    turned = x[:, partner[0]] * partner[1]
    angle = angles(double)
    assert_made(
        RotaryEmbedding(X, 1, Integer(100), pairing), letters.known,
        turned_backwards=[x * np.cos(angle) - turned * np.sin(angle)],
    )  # fmt: skip


def test_sines_of_numbers_and_a_scaled_embedding():
    letters = Letters(24)
    X, T = letters("X", 3, 4), letters("S", 3, 4)
    x = letters["X"]
    assert_made(Sine(X), letters.known, degrees=[np.sin(np.radians(x))], sine_and_cosine_swapped=[np.cos(x)])
    assert_made(Cosine(X), letters.known, degrees=[np.cos(np.radians(x))], sine_and_cosine_swapped=[np.sin(x)])
    assert_made(Scaling(X, Integer(2), S.One), letters.known, embedding_not_scaled=[x])
    for other in (Scaling(X, Integer(2), Integer(3)), Scaling(X, Integer(3), S.One), Scaling(T, Integer(2), S.One)):
        assert_made(other, letters.known, embedding_not_scaled=NOTHING)


# -- a network --------------------------------------------------------------------------------------------------------
def test_a_network():
    letters = Letters(25)
    X, U, W = letters("X", 3, 3), letters("W_1", 3, 3), letters("W_2", 3, 3)
    b, c = letters("b_1", 3, 1), letters("b_2", 3, 1)
    x, u, w, bias, shift = (letters[name] for name in ("X", "W_1", "W_2", "b_1", "b_2"))
    bias, shift = bias.T, shift.T
    B, C = (Product(Ones(3, 1), Transpose(column)) for column in (b, c))
    node = Addition(Product(ReLU(Addition(Product(X, U), B)), W), C)

    def relu(rows):
        return np.maximum(rows, 0)

    def net(rows=x, u=u, bias=bias, w=w, shift=shift, inner=relu):
        return inner(rows @ u + bias) @ w + shift

    linear = net(inner=lambda rows: rows)
    both = {
        "activation_left_out": [linear],
        "activation_after_second": [relu(linear)],
        "activation_on_input": [net(relu(x), inner=lambda rows: rows)],
        "activation_twice": [relu(net())],
        "bias_1_left_out": [net(bias=0)],
        "bias_2_left_out": [net(shift=0)],
        "bias_1_after_activation": [(relu(x @ u) + bias) @ w + shift],
        "weight_transposed": [net(u=u.T), net(w=w.T)],
        "weights_swapped": [net(u=w, w=u), net(u=w, w=u, bias=shift, shift=bias)],
    }
    assert_made(node, letters.known, **both)
    assert_made(Addition(C, Product(ReLU(Addition(B, Product(X, U))), W)), letters.known, **both)
    bare = Product(ReLU(Product(X, U)), W)
    assert_made(
        bare, letters.known,
        activation_left_out=[x @ u @ w], bias_1_left_out=NOTHING, bias_2_left_out=NOTHING, bias_1_after_activation=NOTHING,
        weights_swapped=[relu(x @ w) @ u], activation_twice=[relu(relu(x @ u) @ w)],
    )  # fmt: skip
    for other in (Product(X, W), Product(Ones(3, 3), W), Addition(Product(X, W), X)):
        assert_made(other, letters.known, activation_left_out=NOTHING, weights_swapped=NOTHING)


def test_other_functions_for_an_activation():
    letters = Letters(26)
    X = letters("X", 3, 4)
    x = letters["X"]
    phi = np.vectorize(lambda t: (1 + math.erf(t / ROOT2)) / 2)(x)
    near = (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2
    leaks = [np.where(x > 0, x, leak * x) for leak in (0.01, 0.1, 0.2)]
    assert_made(
        ReLU(X), letters.known,
        activation_left_out=[x], absolute_for_relu=[abs(x)], gelu_for_relu=[x * phi, x * near], sigmoid_for_relu=[1 / (1 + np.exp(-x))],
        leaky_for_relu=leaks, tanh_for_erf=NOTHING,
    )  # fmt: skip
    assert_made(GELU(X), letters.known, tanh_for_erf=[x * (1 + np.tanh(x / ROOT2)) / 2], activation_left_out=[x])


def test_heads_and_products():
    letters = Letters(27)
    P, R, X = letters("H_1", 3, 2), letters("H_2", 3, 2), letters("M", 3, 3)
    p, r, m = letters["H_1"], letters["H_2"], letters["M"]
    columns = np.stack([p[:, 0], r[:, 0], p[:, 1], r[:, 1]], axis=1)
    assert_made(
        Concatenation(P, R), letters.known,
        heads_averaged=[(p + r) / 2], heads_added=[p + r], heads_interleaved=[columns], heads_in_other_order=[np.hstack([r, p])],
    )  # fmt: skip
    assert_made(Concatenation(P, X), letters.known, heads_averaged=NOTHING, heads_in_other_order=NOTHING)
    W = letters("W_O", 4, 3)
    for node in (Product(Concatenation(P, R), W), Addition(X, Product(Concatenation(P, R), W))):
        assert_made(node, letters.known, output_weight_left_out=[np.hstack([p, r])])
    assert_made(Product(X, X), letters.known, output_weight_left_out=NOTHING)
    N = letters("N", 3, 3)
    n = letters["N"]
    assert_made(
        Product(X, N), letters.known,
        factor_transposed=[m.T @ n, m @ n.T], factors_swapped=[n @ m], factors_entry_by_entry=[m * n],
    )  # fmt: skip
    for other in (Product(X, Transpose(N)), Product(X, letters("dY", 3, 3)), Product(letters("A", 3, 3), N)):
        assert_made(other, letters.known, factor_transposed=NOTHING, factors_swapped=NOTHING)
    b = letters("b", 3, 1)
    node = Addition(Product(X, N), Product(Ones(3, 1), Transpose(b)))
    assert_made(node, letters.known, bias_left_out=[m @ n], bias_subtracted=[m @ n - letters["b"].T])
    assert_made(Addition(Product(X, N), N), letters.known, bias_left_out=NOTHING, bias_subtracted=NOTHING)


def test_entries_and_their_neighbors():
    letters = Letters(28)
    M = letters("M", 3, 4)
    m = letters["M"]
    assert_made(
        ColumnSlice(Row(M, 1), 2, 1), letters.known,
        index_swapped=[[[m[2, 1]]]], neighboring_entry=[[[m[1, 1]]], [[m[1, 3]]]],
    )  # fmt: skip
    assert_made(
        ColumnSlice(Row(M, 1), 0, 1), letters.known, neighboring_entry=[[[m[1, 1]]]], index_swapped=[[[m[0, 1]]]]
    )
    assert_made(ColumnSlice(Row(M, 1), 3, 1), letters.known, index_swapped=NOTHING, neighboring_entry=[[[m[1, 2]]]])
    assert_made(ColumnSlice(Row(M, 1), 0, 2), letters.known, index_swapped=NOTHING, neighboring_entry=NOTHING)
    assert_made(ColumnSlice(M, 1, 1), letters.known, index_swapped=NOTHING, neighboring_entry=[m[:, :1], m[:, 2:3]])
    assert_made(Row(M, 0), letters.known, neighboring_entry=[m[1:2]])
    assert_made(Row(M, 1), letters.known, neighboring_entry=[m[:1], m[2:]])


# -- gradients of softmax and cross-entropy ---------------------------------------------------------------------------
def test_p_minus_y():
    letters = Letters(29)
    P, Y = letters("P", 2, 3, 1, 10), letters.given("Y", [[0, 1, 0], [1, 0, 0]])
    p, y = letters["P"], letters["Y"]
    for node in (Addition(P, -Y), Addition(-Y, P)):
        assert_made(
            node, letters.known,
            p_minus_y_sign=[y - p], p_only=[p], one_subtracted_everywhere=[p - 1], difference_times_p=[p * (p - y), p * (1 - p) * (p - y)],
            minus_one_over_p=[-y / p, -1 / p], divided_by_count=[(p - y) / 2, (p - y) / 3],
        )  # fmt: skip
    assert_made(Scaling(Addition(P, -Y), S.One, Integer(2)), letters.known, divided_by_count=[p - y])
    assert_made(Scaling(Addition(P, -Y), Integer(2), S.One), letters.known, divided_by_count=NOTHING)
    X = letters("X", 2, 3)
    for other in (Addition(X, -Y), Addition(P, Y), Addition(P, -Y, X)):
        assert_made(other, letters.known, p_minus_y_sign=NOTHING, divided_by_count=NOTHING)


def test_the_jacobian_of_softmax():
    letters = Letters(30)
    p, z = letters("p", 3, 1, 1, 10), letters("z", 3, 1)
    v, logits = letters["p"], letters["z"]
    one = np.eye(3)
    diagonal = np.diag(v[:, 0])
    node = Addition(
        Hadamard(Identity(3), Broadcast(p, 3)), -Product(p, Transpose(p))
    )  # fmt: skip
    right = diagonal - v @ v.T
    assert_made(
        node, letters.known,
        jacobian_diagonal_only=[one * right], jacobian_sign=[-right, diagonal + v @ v.T, one * right + (1 - one) * (v @ v.T)],
        jacobian_p_on_diagonal=[diagonal + (1 - one) * right, diagonal], jacobian_one_formula=[v @ (1 - v).T, (1 - v) @ v.T],
        jacobian_of_logits=[np.diag(logits[:, 0]) - logits @ logits.T],
    )  # fmt: skip
    assert_made(Addition(Product(p, Transpose(p)), -Product(p, Transpose(z))), letters.known, jacobian_sign=NOTHING)
