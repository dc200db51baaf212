"""What stands before and behind the layers: every figure of chapter 8, and those of the article and the geometry."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from mpmath import mp, mpf
from sympy import Rational, log

from symtransformer import dimension, evaluate, matrix, parameter
from symtransformer.judge import judge_equation
from symtransformer.operations import (
    GELU,
    CausalMask,
    CosineSimilarity,
    CrossEntropy,
    Exponential,
    Hadamard,
    InfoNCE,
    Linear,
    Ones,
    RightShift,
    RotaryEmbedding,
    Row,
    RowSum,
    SmoothedTargets,
    Softmax,
    SquareRoot,
    TemperatureSoftmax,
    Transpose,
)  # fmt: skip
from symtransformer.symbols import Literal, one_hot

FOLDER = Path(__file__).parents[1] / "oracle"


def read(name):
    found = json.loads(FOLDER.joinpath(f"{name}.json").read_text("utf-8"), parse_float=Fraction)
    items = {item["id"]: item for item in [*found["claims"], *found["derived"]]}
    return found["inputs"], {
        key: item["independently_computed"] for key, item in items.items() if "independently_computed" in item
    }


CHAPTER, VALUE = read("explainer-ch8")
ARTICLE, OF_ARTICLE = read("attention-article")
GEOMETRY, OF_GEOMETRY = read("geometry-ch9")
n, m, K, d, d_ff, d_k, d_v = (dimension(name) for name in ("n", "m", "K", "d", "d_ff", "d_k", "d_v"))
L, Y = matrix("L", n, K), matrix("Y", n, K)
H, W = Literal([CHAPTER["h"]]), Literal(CHAPTER["W_vocab"])
LOGITS = Linear(H, W)
RIGHT = CHAPTER["vocab"].index(CHAPTER["correct"])
TARGET = one_hot([RIGHT], 5)
tau, epsilon, eta, p = (parameter(name) for name in ("tau", "epsilon", "eta", "p"))


def flat(value):
    value = value.tolist() if hasattr(value, "tolist") else value
    return [x for part in value for x in flat(part)] if isinstance(value, list) else [value]


def assert_numbers(found, wanted, limit="1e-13"):
    """Relative to each number, of which none is 0 unless the other is."""
    numbers = [mpf(str(x)) for x in flat(found)]
    assert len(numbers) == len(wanted)
    assert all(abs(a - b) <= mpf(limit) * abs(b) for a, b in zip(numbers, wanted, strict=True)), numbers


def assert_values(expression, expected, backends=("digits", "numpy")):
    """The oracle's 15 digits, by balls and by NumPy."""
    with mp.workdps(40):
        wanted = [mpf(x.numerator) / x.denominator for x in map(Fraction, flat(expected))]
        if "digits" in backends:
            assert_numbers(evaluate(expression, digits=30), wanted)
        if "numpy" in backends:
            assert_numbers(evaluate(expression, backend="numpy"), wanted)


def test_a_wrong_digit_is_noticed():
    right = VALUE["ch8.loss"]
    with pytest.raises(AssertionError):
        assert_values(CrossEntropy(LOGITS, TARGET), right * (1 + Fraction(2, 10**13)))


def entry(expression, i, j):
    return Row(Transpose(Row(expression, i)), j)


# -- chapter 8 -----------------------------------------------------------------------------------------
CHAPTER_8 = {
    "ch8.h": H,
    "ch8.logits": LOGITS,
    "ch8.e": Exponential(Literal([[1]])),
    "ch8.exp": Exponential(LOGITS),
    "ch8.expsum": RowSum(Exponential(LOGITS)),
    "ch8.p": Softmax(LOGITS),
    "ch8.d.p_no_max_subtraction": TemperatureSoftmax(LOGITS, 1),
    "ch8.p.nemuru": entry(Softmax(LOGITS), 0, RIGHT),
    "ch8.p.pct": 100 * Softmax(LOGITS),
    "ch8.loss": CrossEntropy(LOGITS, TARGET),
    "ch8.loss.p09": CrossEntropy(Literal([[log(9), 0]]), one_hot([0], 2), reduction="sum"),
    "ch8.loss.p01": CrossEntropy(Literal([[log(9), 0]]), one_hot([1], 2), reduction="none"),
    "ch8.d.T_half": TemperatureSoftmax(LOGITS, Rational(1, 2)),
    "ch8.d.T_two": TemperatureSoftmax(LOGITS, 2),
    "ch8.d.loss_ls01": CrossEntropy(LOGITS, SmoothedTargets(TARGET, Rational(1, 10))),
    "ch8.d.perplexity": Exponential(CrossEntropy(LOGITS, TARGET)),
    "ch8.d.dloss_dlogits": Softmax(LOGITS) - TARGET,
    "ch8.d.dloss_dh": (Softmax(LOGITS) - TARGET) @ W.T,
    "ch8.d.dloss_dW": H.T @ (Softmax(LOGITS) - TARGET),
}  # fmt: skip


@pytest.mark.parametrize("name", CHAPTER_8)
def test_values_of_chapter_8(name):
    assert_values(CHAPTER_8[name], VALUE[name])


def test_losses_of_all_positions():
    """Five positions with the vectors of the five generation steps: mean and sum differ by the factor 5."""
    rows, targets = VALUE["ch8.d.gen_h"], one_hot(range(5), 5)
    logits = [
        [sum(h * w for h, w in zip(row, column, strict=True)) for column in zip(*CHAPTER["W_vocab"], strict=True)]
        for row in rows
    ]
    with mp.workdps(40):
        losses = [mp.log(mp.fsum(mp.exp(x) for x in row)) - row[k] for k, row in enumerate(logits)]
        for reduction, wanted in (("none", losses), ("sum", [mp.fsum(losses)]), ("mean", [mp.fsum(losses) / 5])):
            found = evaluate(CrossEntropy(Linear(rows, W), targets, reduction=reduction), digits=35)
            assert_numbers(found, wanted, "1e-33")
        assert abs(losses[2] - mpf(VALUE["ch8.loss"].numerator) / VALUE["ch8.loss"].denominator) < mpf("1e-14")


def test_right_shift_of_chapter_8():
    tokens = [CHAPTER["start"], *CHAPTER["vocab"]]
    ids = [tokens.index(word) for word in VALUE["ch8.shift.target"]]
    shifted = evaluate(RightShift(one_hot(ids, 6), one_hot([0], 6)))
    assert [tokens[flat(row).index(1)] for row in shifted.tolist()] == VALUE["ch8.shift.in"]
    usable = [int(x == 0) for x in flat(evaluate(Row(CausalMask(5), 2)))]
    assert usable == VALUE["ch8.mask.ha"]


def test_weight_tying():
    """The output weight is the table, transposed: the logits are dot products with the rows of the table."""
    E, h = matrix("E", K, d), matrix("h", 1, d)
    tied = Linear(h, E.T)
    assert judge_equation(tied, Transpose(E @ h.T)).kind == "proved"
    assert_values(Linear(H, Literal(W.matrix.T).T), VALUE["ch8.logits"])


# -- article and geometry --------------------------------------------------------------------------------
def test_temperature_rows_of_the_article():
    similarities = Literal([[Rational(x) for x in ("0.9", "0.8011", "0.5924", "0.2443")]])
    warm, cold = OF_ARTICLE["art.d.consistent_pair"]
    assert_values(TemperatureSoftmax(similarities, 1), warm)
    assert_values(TemperatureSoftmax(similarities, Rational(1, 10)), cold)
    for given, temperature, name in (
        (ARTICLE["softmax_high_tau"], Rational(1, 10), "art.d.low_from_high_k10"),
        ([*ARTICLE["softmax_low_tau"][:3], Fraction(2, 1000)], 10, "art.d.high_from_low_k10"),
    ):
        row = Literal([[log(Rational(x.numerator, x.denominator)) for x in map(Fraction, given)]])
        assert_values(TemperatureSoftmax(row, temperature), OF_ARTICLE[name])


def test_info_nce_of_the_article():
    row, first = Literal([[Rational(x) for x in ("0.9", "0.7", "0.4", "0.1")]]), one_hot([0], 4)
    for temperature, wanted in zip((1, Rational(1, 10)), OF_ARTICLE["art.d.infonce"], strict=True):
        assert_values(InfoNCE(row, first, temperature), wanted)


def test_gelu_and_rotation_of_the_article():
    assert_values(GELU(Literal([ARTICLE["gelu_x"]])), OF_ARTICLE["art.gelu"])
    q, k = Literal([[1, 2]]), Literal([[3, -1]])
    for (a, b), wanted in zip(((5, 3), (2, 0), (12, 10)), OF_ARTICLE["art.d.rope2"], strict=True):
        assert_values(RotaryEmbedding(q, start=a) @ RotaryEmbedding(k, start=b).T, wanted)


def test_cosines_lengths_and_saturation_of_the_geometry():
    words = list(GEOMETRY["vectors"].values())
    keys, query = Literal(words[:3]), Literal([words[3]])
    assert_values(CosineSimilarity(query, keys), OF_GEOMETRY["geo.d.cos"])
    every = Literal(words)
    assert_values(SquareRoot(RowSum(Hadamard(every, every))), OF_GEOMETRY["geo.d.norms"])
    for scores, name in (("scores_large", "geo.d.jac_large"), ("scores_small", "geo.d.jac_small")):
        weights = Softmax(Literal([GEOMETRY[scores]]))
        slopes = Hadamard(weights, Ones(1, 3) - weights)
        assert_values(slopes, OF_GEOMETRY[name], ("digits",))  # a double loses the winner's 1 - p
