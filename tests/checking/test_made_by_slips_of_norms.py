"""What each slip of a normalization, and of gradients of products, makes of an operation, and nothing else; the numbers by NumPy."""

import math

import numpy as np
import pytest
from made_by_slips import NOTHING, Letters, assert_made, mean, softmax, total
from sympy import Integer, Rational, S, sqrt

from symtransformer.operations.addition import Addition
from symtransformer.operations.column_sum import ColumnSum
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.relu import Heaviside
from symtransformer.operations.rms_division import RMSDivision
from symtransformer.operations.root_mean_square import RootMeanSquare
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_mean import repeated_mean
from symtransformer.operations.row_sum import Broadcast, RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.standard_deviation import StandardDeviation
from symtransformer.operations.standardization import Standardization
from symtransformer.operations.transpose import Transpose

ROOT2 = math.sqrt(2)


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
