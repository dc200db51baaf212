"""Words that were true in the usual case only: they say when, or hold for every argument."""

import numpy as np
import pytest
from sympy import Rational

from symtransformer import derive, evaluate, matrix
from symtransformer.operations import (
    GELU,
    CausalMask,
    CrossEntropy,
    DecoderLayer,
    Dropout,
    Embedding,
    GELUTanh,
    Hardmax,
    Heaviside,
    LayerNorm,
    Mask,
    NormalDistribution,
    PaddingMask,
    PairTurn,
    ReLU,
    RMSNorm,
    RotaryEmbedding,
    Sigmoid,
    SiLU,
    SmoothedTargets,
    Tanh,
)

X = matrix("X", 2, 3)


@pytest.mark.parametrize("norm", [LayerNorm, RMSNorm])
def test_nothing_is_added_below_a_root_where_eps_is_0(norm):
    def words(eps):
        return derive(norm(X, eps=eps), stages=True)["sigma"].explanation

    assert "small number is added" in words(Rational(1, 100)).en
    assert "足して" in words(Rational(1, 100)).ja
    assert "added" not in words(0).en
    assert "足" not in words(0).ja
    assert "ε ≥ 0" in norm.explanation.en
    assert "0 以上" in norm.explanation.ja


def test_the_mean_is_divided_too():
    assert "no mean is subtracted" in RMSNorm.explanation.en
    row = [[3, 5, 10]]
    found = np.array(evaluate(RMSNorm(row, eps=0), backend="numpy"))
    assert np.isclose(found.mean(), 6 / np.sqrt((9 + 25 + 100) / 3))  # neither 0 nor 6


@pytest.mark.parametrize(("rows", "columns"), [(5, 2), (4, 3), (2, 5), (3, 3), (6, 1)])
def test_a_causal_mask_has_its_properties_at_every_size(rows, columns):
    mask = CausalMask.numpy(rows, columns)
    assert all(p.holds(mask, rows, columns) for p in CausalMask.properties)
    by_hand = [[0.0 if j - i <= columns - rows else -np.inf for j in range(columns)] for i in range(rows)]
    assert np.array_equal(mask, by_hand)
    assert sum(np.isneginf(row).all() for row in mask) == max(rows - columns, 0)
    wrong = np.vstack([mask[:-1], np.full((1, columns), -np.inf)])
    assert not all(p.holds(wrong, rows, columns) for p in CausalMask.properties)


def test_a_causal_mask_with_rows_that_see_nothing_says_so():
    assert "more rows than columns" in CausalMask.explanation.en
    assert "行のほうが多い" in CausalMask.explanation.ja
    assert "later positions only" in PaddingMask.source.en


def test_a_quarter_turn_is_told_as_it_is():
    assert evaluate(PairTurn([[2, 7]])).tolist() == [[-7, 2]]
    assert "new first is minus the old second" in PairTurn.explanation.en
    assert "元の 2 つ目の符号を反転" in PairTurn.explanation.ja
    for operation in (PairTurn, RotaryEmbedding):
        assert "interleaved, as in Meta's Llama code" in operation.source.en
        assert "Hugging Face's Llama" in operation.source.en


def test_words_of_layers_and_losses_say_when_they_hold():
    assert "where one is given" in DecoderLayer.explanation.en
    assert "マスクを与えたとき" in DecoderLayer.explanation.ja
    for operation in (CrossEntropy, SmoothedTargets, Embedding):
        assert "a single" in operation.explanation.en
        assert "if " in operation.explanation.en.lower()
    assert Dropout.explanation.en.startswith("The mask holds 1 where")
    assert "A number in the mask is added" in Mask.explanation.en


def test_a_smoothed_loss_is_the_sum_that_the_words_tell():
    """−Σ y ln p, and not −ln p of one candidate."""
    logits, targets = np.array([[1.0, 2.0, 0.5]]), np.array([[0.9, 0.05, 0.05]])
    shares = np.exp(logits) / np.exp(logits).sum()
    found = evaluate(
        CrossEntropy([[1, 2, Rational(1, 2)]], [[Rational(9, 10), *[Rational(1, 20)] * 2]]), backend="numpy"
    )
    assert np.isclose(found[0, 0], -(targets * np.log(shares)).sum())
    assert not np.isclose(found[0, 0], -np.log(shares[0, 0]))


@pytest.mark.parametrize(
    "operation",
    [GELU, GELUTanh, NormalDistribution, ReLU, Heaviside, Hardmax, Sigmoid, SiLU, Tanh],
    ids=lambda op: op.__name__,
)
def test_single_numbers_give_single_numbers(operation):
    row = np.array([[-1.5, 0.25, 2.0]])
    found = operation.numpy(row.astype(np.float32))
    assert found.dtype == np.float32
    assert operation.numpy(row).dtype == np.float64
    assert np.allclose(found, operation.numpy(row), rtol=1e-6)
