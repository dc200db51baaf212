"""What each slip of positions, of a network and of the gradient of softmax makes of an operation, and nothing else; the numbers by NumPy."""

import math

import numpy as np
import pytest
from made_by_slips import NOTHING, Letters, assert_made
from sympy import Integer, S

from symtransformer.operations.addition import Addition
from symtransformer.operations.concatenation import ColumnSlice, Concatenation
from symtransformer.operations.gelu import GELU
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.identity import Identity
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.relu import ReLU
from symtransformer.operations.rotary import HALVES, INTERLEAVED, RotaryAngles, RotaryEmbedding
from symtransformer.operations.row_sum import Broadcast
from symtransformer.operations.rows import Row
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.sinusoidal_encoding import SinusoidalEncoding
from symtransformer.operations.transpose import Transpose
from symtransformer.operations.trigonometric import Cosine, Sine

ROOT2 = math.sqrt(2)


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
