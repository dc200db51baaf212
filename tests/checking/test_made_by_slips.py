"""What each slip around scores, softmax, weights and losses makes of an operation, and nothing else; the numbers by NumPy."""

import math

import numpy as np
import pytest
from made_by_slips import NOTHING, Letters, assert_made, softmax, total
from sympy import Integer, Rational, S, sqrt

from symtransformer.operations.addition import Addition
from symtransformer.operations.concatenation import ColumnSlice
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.logarithm import Logarithm
from symtransformer.operations.mask import Mask
from symtransformer.operations.product import Product
from symtransformer.operations.row_sum import RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.temperature import TemperatureSoftmax
from symtransformer.operations.transpose import Transpose

ROOT2 = math.sqrt(2)


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
