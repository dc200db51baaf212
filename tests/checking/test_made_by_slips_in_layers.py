"""Each slip around a sub-layer, and in a mask: all that the writer may have computed, by formulas of NumPy, and nothing else."""

import numpy as np
import pytest
from made_by_slips import Letters, assert_made
from sympy import Integer, Rational, S

from symtransformer.checking.slips import SLIPS
from symtransformer.operations.add_norm import AddNorm
from symtransformer.operations.addition import Addition
from symtransformer.operations.encoder_layer import EncoderLayer
from symtransformer.operations.layer_norm import LayerNorm
from symtransformer.operations.mask import Mask
from symtransformer.operations.product import Product
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax
from symtransformer.symbols import Literal

NOTHING = ()
EPS = Rational(3, 10)


def normed(rows):
    apart = rows - rows.mean(axis=1, keepdims=True)
    return apart / np.sqrt((apart**2).mean(axis=1, keepdims=True) + 0.3)


def softmax(rows):
    powers = np.exp(rows)
    return powers / powers.sum(axis=1, keepdims=True)


# -- a sub-layer --------------------------------------------------------------------------------------------------------
def test_normalized_behind_the_sum():
    letters = Letters(51)
    X, W = letters("X", 3, 4), letters("W", 4, 4)
    x, w = letters["X"], letters["W"]
    update = Product(X, W)
    f = x @ w
    for node in (
        AddNorm(X, update, eps=EPS),
        LayerNorm(Addition(X, update), eps=EPS),
        LayerNorm(Addition(update, X), eps=EPS),
    ):
        assert_made(
            node, letters.known,
            no_residual=[normed(f)], residual_from_normed=[normed(normed(x) + f)], norm_in_other_place=[x + normed(x) @ w],
            residual_or_norm_twice=[normed(x + x + f), normed(normed(x + f))], second_residual_from_input=NOTHING,
            norm_of_update_only=[x + normed(f)], no_norm=[x + f],
        )  # fmt: skip


def test_normalized_before_the_sub_layer():
    letters = Letters(52)
    X, W = letters("X", 3, 4), letters("W", 4, 4)
    x, w = letters["X"], letters["W"]
    update = Product(LayerNorm(X, eps=EPS), W)
    f = normed(x) @ w
    for node in (Addition(X, update), Addition(update, X)):
        assert_made(
            node, letters.known,
            no_residual=[f], residual_from_normed=[normed(x) + f], norm_in_other_place=[normed(x + x @ w)],
            residual_or_norm_twice=[x + x + f, normed(x + f)], second_residual_from_input=NOTHING,
            norm_of_update_only=[x + normed(x @ w)], no_norm=[x + x @ w],
        )  # fmt: skip


def test_a_second_half():
    letters = Letters(53)
    X, W, U = letters("X", 3, 4), letters("W", 4, 4), letters("U", 4, 4)
    x, w, u = letters["X"], letters["W"], letters["U"]
    first = AddNorm(X, Product(X, W), eps=EPS)
    node, half = AddNorm(first, Product(first, U), eps=EPS), normed(x + x @ w)
    assert_made(node, letters.known, second_residual_from_input=[normed(x + half @ u)], no_residual=[normed(half @ u)])
    first = Addition(X, Product(LayerNorm(X, eps=EPS), W))
    node, half = Addition(first, Product(LayerNorm(first, eps=EPS), U)), x + normed(x) @ w
    assert_made(node, letters.known, second_residual_from_input=[x + normed(half) @ u], no_residual=[normed(half) @ u])


def test_sums_that_are_no_layers():
    letters = Letters(54)
    X, Y, F, W = letters("X", 3, 4), letters("Y", 3, 4), letters("F", 3, 4), letters("W", 4, 4)
    slips = ("residual_from_normed", "norm_in_other_place", "residual_or_norm_twice", "norm_of_update_only", "no_norm")
    for node in (
        Addition(X, Product(X, W)),
        Addition(X, Product(LayerNorm(Y, eps=EPS), W)),
        Addition(X, X, Product(LayerNorm(X, eps=EPS), W)),
        LayerNorm(Addition(F, Product(Y, W)), eps=EPS),
        LayerNorm(X, eps=EPS),
    ):
        assert_made(node, letters.known, **dict.fromkeys(slips, NOTHING), no_residual=NOTHING)
    assert_made(Addition(X, F), letters.known, no_residual=[letters["F"]])  # X is what was read
    assert_made(Addition(F, X), letters.known, no_residual=[letters["F"]])
    assert_made(Addition(X, Y), letters.known, no_residual=[letters["Y"], letters["X"]])
    assert_made(Addition(F, letters("B", 3, 4)), letters.known, no_residual=NOTHING)
    assert_made(Addition(X, F, F), letters.known, no_residual=NOTHING)
    assert_made(Addition(X, -F), letters.known, no_residual=NOTHING)


# -- masks --------------------------------------------------------------------------------------------------------------
HIDDEN = S.NegativeInfinity


@pytest.mark.parametrize("is_added", [True, False])
def test_a_mask(is_added):
    letters = Letters(55)
    T = letters("T", 3, 3)
    t = letters["T"]
    rows = [[0, HIDDEN, HIDDEN], [0, 0, HIDDEN], [0, 0, 0]]
    M = letters("M", 3, 3)
    letters.known[M] = Literal(rows)
    usable = np.array([[float(x == 0) for x in row] for row in rows])
    hidden = 1 - usable
    masked = np.where(usable > 0, t, -np.inf)
    node = Softmax(Addition(T, M) if is_added else Mask(T, M))
    own = np.where((usable > 0) & ~np.eye(3, dtype=bool), t, -np.inf)
    own[0] = masked[0]  # a row that would see nothing is left as it is, or is written as zeros
    zeros = softmax(own)
    zeros[0] = 0
    assert_made(
        node, letters.known,
        mask_left_out=[softmax(t)], mask_transposed=[softmax(np.where(usable.T > 0, t, -np.inf))], mask_hides_diagonal=[softmax(own), zeros],
        mask_zero=[softmax(t * usable)], mask_minus_one=[softmax(t - hidden), softmax(t * usable - hidden)],
        mask_plus_one=[softmax(t + hidden), softmax(t * usable + hidden), softmax(t + usable)], mask_after_softmax=[softmax(t) * usable],
        uniform_weights=[np.full((3, 3), 1 / 3), usable / usable.sum(axis=1, keepdims=True)], softmax_of_minus=[softmax(np.where(usable > 0, -t, -np.inf))],
    )  # fmt: skip


def test_scores_among_which_infinity_stands():
    letters = Letters(56)
    Z = letters("Z", 1, 3)
    letters.known[Z] = Literal([[1, HIDDEN, 2]])

    def shown(number, by=1.0):
        return softmax(np.array([[1.0, number, 2.0]]) * by)

    assert_made(
        Softmax(Z), letters.known,
        mask_zero=[shown(0)], mask_minus_one=[shown(-1)], mask_plus_one=[shown(1)], mask_left_out=NOTHING,
    )  # fmt: skip
    assert_made(
        Softmax(Scaling(Z, S.One, Integer(2))), letters.known,
        mask_zero=[shown(0, 0.5), shown(0)], mask_minus_one=[shown(-1, 0.5), shown(-1)],
    )  # fmt: skip
    T = letters("T", 1, 3)
    assert_made(Softmax(T), letters.known, mask_zero=NOTHING, mask_minus_one=NOTHING, mask_hides_diagonal=NOTHING)


def test_the_own_place_of_later_queries():
    letters = Letters(57)
    T, M = letters("T", 2, 3), letters("M", 2, 3)
    letters.known[M] = Literal([[0, 0, HIDDEN], [0, 0, 0]])
    t = letters["T"]
    own = np.array([[t[0, 0], -np.inf, -np.inf], [t[1, 0], t[1, 1], -np.inf]])  # the last query is the last token
    assert_made(Softmax(Mask(T, M)), letters.known, mask_hides_diagonal=[softmax(own)])


def test_a_whole_layer_has_its_norms_in_the_other_place():
    letters = Letters(58)
    parts = [letters("X", 3, 4), *(letters(f"W_{name}", 4, 4) for name in "QKVO")]
    more = {"weight_1": letters("W_1", 4, 6), "weight_2": letters("W_2", 6, 4), "eps": EPS}
    post, pre = (EncoderLayer(*parts, **more, norm=norm) for norm in ("post", "pre"))
    slip = next(slip for slip in SLIPS if slip.name == "norm_in_other_place")
    assert slip.altered(post, {}) == [pre]
    assert slip.altered(pre, {}) == [post]
