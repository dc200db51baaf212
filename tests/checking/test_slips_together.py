"""What is said where several slips fit, two come together, digits are swapped, or the budget ends; and the list itself."""

import time
from fractions import Fraction

import pytest
from attention_slips import drawing
from mpmath import mpf, sqrt
from network_slips import relu
from normalization_slips import EPS, normed
from planted_numbers import add, each, literal, mul, real, scale, seeded, shown, softmax, t
from slip_cases import fits_of, literals, names
from sympy import Rational

from symtransformer import matrix
from symtransformer.checking import number, read_number
from symtransformer.checking.conventions import CONVENTIONS
from symtransformer.checking.slips import (
    SLIPS,
    Budget,
    Shown,
    diagnose,
    diagnose_pairs,
    rounded_between,
    swapped_digits,
    telling_entry,
)
from symtransformer.checking.values import Comparisons
from symtransformer.operations import (
    Concatenation,
    EncoderLayer,
    Exponential,
    Product,
    ScaledDotProductAttention,
    Scaling,
    Softmax,
)
from symtransformer.symbols import Literal

Q, K, V = matrix("Q", 3, 2), matrix("K", 4, 2), matrix("V", 4, 2)
ROWS = {
    Q: [[Fraction(x, 10) for x in row] for row in ([5, 12], [3, -7], [11, 4])],
    K: [[Fraction(x, 10) for x in row] for row in ([10, 2], [3, 9], [-5, 8], [6, -10])],
    V: [[Fraction(x, 10) for x in row] for row in ([10, 20], [0, 10], [30, -10], [5, 2])],
}
VALUES = {letter: literal(rows) for letter, rows in ROWS.items()}
QUERIES, KEYS, REST = (real(ROWS[x]) for x in (Q, K, V))
ATTENTION = ScaledDotProductAttention(Q, K, V)


def printed(rows, places=4):
    """As claims, digits after the point as they are printed."""
    return [[read_number(f"{float(x):.{places}f}") for x in row] for row in shown(rows, places)]


UNSCALED = mul(softmax(mul(QUERIES, t(KEYS))), REST)
RIGHT = mul(softmax(scale(mul(QUERIES, t(KEYS)), 1 / sqrt(mpf(2)))), REST)


def test_a_small_attention_is_explained_in_less_than_a_third_of_a_second():
    diagnose(ATTENTION, VALUES, Shown(printed(UNSCALED)))
    start = time.process_time()
    assert names(diagnose(ATTENTION, VALUES, Shown(printed(UNSCALED)))) == ["no_scale"]
    assert time.process_time() - start < 0.3


def test_digits_decide_and_no_more_than_those_that_are_shown():
    """With no decimals several ways look alike, and all of them are named; the right one is then no slip."""
    coarse = names(
        diagnose(ATTENTION, VALUES, Shown(printed(mul(softmax(scale(mul(QUERIES, t(KEYS)), mpf(1) / 2)), REST), 1)))
    )
    assert "scale_by_d" in coarse
    assert len(coarse) > 1
    assert diagnose(ATTENTION, VALUES, Shown(printed(RIGHT, 1))) == ()


def test_equal_keys_hide_every_slip_of_the_scores():
    """Where all keys are equal every weight is 1/4, scaled or not: nobody is accused."""
    equal = {**VALUES, K: literal([[Fraction(1, 2), Fraction(1, 3)]] * 4)}
    planted = mul([[mpf(1) / 4] * 4] * 3, REST)
    assert diagnose(ATTENTION, equal, fits_of(planted)) == ()


def test_all_that_fit_are_named():
    """d = 4: √d and d/2 are the same, and n = 4 too, so that √n says nothing against the right way."""
    q, k = matrix("Q", 2, 2), matrix("K", 4, 2)
    given = {q: literal(ROWS[Q][:2]), k: VALUES[K]}
    halved = scale(mul(real(ROWS[Q][:2]), t(KEYS)), mpf(1) / 2)
    found = names(diagnose(Scaling(Product(q, k.T), 1, 2 ** Rational(1, 2)), given, fits_of(halved)))
    assert found == ["scale_by_d", "scale_by_root_n"]


def test_a_slip_is_found_in_one_head_and_in_all_of_them():
    """Two heads with letters of their own; in the second the keys come the other way round."""
    first, second = (ScaledDotProductAttention(Q, matrix(f"K_{n}", 4, 2), V) for n in (1, 2))
    values = {**VALUES, matrix("K_1", 4, 2): VALUES[K], matrix("K_2", 4, 2): literal(ROWS[K][::-1])}

    def turned(scores):
        return mul(softmax(scores(scale(mul(QUERIES, t(KEYS[::-1])), 1 / sqrt(mpf(2))))), REST)

    wrong = turned(lambda S: scale(S, sqrt(mpf(2))))
    for parts in ((UNSCALED, turned(lambda S: S)), (RIGHT, wrong), (UNSCALED, wrong)):
        beside = [a + b for a, b in zip(*parts, strict=True)]
        assert names(diagnose(Concatenation(first, second), values, fits_of(beside))) == ["no_scale"]


def test_a_whole_layer_in_the_other_order():
    """EncoderLayer(norm="pre") where "post" was asked for; sub-layers by plain formulas."""
    sizes = {"X": (3, 4), "W_Q": (4, 4), "W_K": (4, 4), "W_V": (4, 4), "W_O": (4, 4), "W_1": (4, 5), "W_2": (5, 4)}
    drawn = drawing(13, **sizes)(seeded("layer"))
    v = {letter.name: real(rows) for letter, rows in drawn.items()}
    X, W_Q, W_K, W_V, W_O, W_1, W_2 = (matrix(name, *shape) for name, shape in sizes.items())
    layer = EncoderLayer(X, W_Q, W_K, W_V, W_O, weight_1=W_1, weight_2=W_2, eps=EPS)

    def attend(rows):
        queries, keys, rest = (mul(rows, v[name]) for name in ("W_Q", "W_K", "W_V"))
        return mul(mul(softmax(scale(mul(queries, t(keys)), mpf(1) / 2)), rest), v["W_O"])

    middle = add(v["X"], attend(normed(v["X"])))
    planted = add(middle, mul(each(relu, mul(normed(middle), v["W_1"])), v["W_2"]))
    assert names(diagnose(layer, literals(drawn), fits_of(planted))) == ["norm_in_other_place"]


def test_a_name_for_an_expression_is_understood():
    """A of A V is known as softmax(Q Kᵀ): its keys are those that may stand for V."""
    A = matrix("A", 3, 4)
    values = {**VALUES, A: Softmax(Q @ K.T)}
    planted = mul(softmax(mul(QUERIES, t(KEYS))), KEYS)
    assert names(diagnose(A @ V, values, fits_of(planted))) == ["keys_for_values"]


def test_two_slips_are_one_possibility_where_no_single_one_fits():
    planted = mul(softmax(scale(mul(QUERIES, t(KEYS)), -1)), REST)
    assert diagnose(ATTENTION, VALUES, fits_of(planted)) == ()
    found = diagnose_pairs(ATTENTION, VALUES, fits_of(planted))
    assert "no_scale+softmax_of_minus" in names(found)
    assert found[0].words.en.startswith("Possibly two slips at once.")
    assert found[0].words.ja.startswith("二つの誤りが重なった可能性がある。")


@pytest.mark.parametrize("rows", [RIGHT, UNSCALED], ids=["right", "one slip"])
def test_two_slips_are_not_looked_for_where_one_or_none_is_enough(rows):
    assert diagnose_pairs(ATTENTION, VALUES, fits_of(rows)) == ()


def test_no_slip_for_numbers_out_of_the_air():
    assert diagnose(ATTENTION, VALUES, fits_of([[mpf(k + j) for j in (0, 1)] for k in (7, 9, 11)])) == ()


def test_the_budget_of_the_caller_is_kept():
    budget, asked = Budget(5), []

    def never(expression):
        asked.append(expression)
        return False

    assert diagnose(ATTENTION, VALUES, never, budget=budget) == ()
    assert (len(asked), budget.is_over) == (5, True)
    late = Budget(expired=lambda: len(asked) >= 8)
    diagnose_pairs(ATTENTION, VALUES, never, budget=late)
    assert (len(asked), late.is_over) == (8, True)


def test_every_expression_is_asked_for_once():
    asked = []
    diagnose(ATTENTION, VALUES, lambda expression: asked.append(expression) or False)
    assert len(asked) == len(set(asked)) > 10


def test_what_tells_them_apart():
    """Divided by 2 where √2 is right: d_k and √n look alike as long as n is 4; a changed entry cannot help there."""
    scores = Scaling(Product(Q, K.T), 1, 2 ** Rational(1, 2))
    halved = scale(mul(QUERIES, t(KEYS)), mpf(1) / 2)
    fits = fits_of(halved)
    alike = diagnose(scores, VALUES, fits)
    assert telling_entry(scores, VALUES, fits, alike, 4) is None
    weights = Softmax(matrix("L", 1, 2))
    half = {matrix("L", 1, 2): Literal([[1, 1]])}
    wrong = fits_of([[mpf(1), mpf(1)]])
    found = diagnose(weights, half, wrong)
    assert {"softmax_left_out", "denominator_without_self"} <= set(names(found))
    entry = telling_entry(weights, half, wrong, found, 4)
    assert entry is not None
    assert (entry.letter, entry.row) == ("L", 1)
    assert f"l_1{entry.column} = {entry.number} instead of 1" in entry.words.en
    assert telling_entry(weights, half, wrong, found[:1], 4) is None


# -- arithmetic -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", ["0.6562", "0.6625", "6.052", "-0.6562", "66.25%"])
def test_swapped_digits(text):
    true = {"0.6562": 6652, "0.6625": 6652, "6.052": 65020, "-0.6562": -6652, "66.25%": 6652}[text]
    value = Comparisons(number(Fraction(true, 10_000)))
    if text == "6.052":
        value = Comparisons(number(Fraction(6502, 1000)))
    assert swapped_digits(read_number(text), value) is not None


@pytest.mark.parametrize("text", ["0.6652", "0.6653", "0.6622", "0.66...", "√2/2", "0.2665"])
def test_no_digits_are_swapped(text):
    assert swapped_digits(read_number(text), Comparisons(number(Fraction(6652, 10_000)))) is None


def test_rounded_too_early():
    """Scores rounded to one decimal before softmax."""
    one_decimal = [
        [mpf(x.numerator) / x.denominator for x in row]
        for row in shown(scale(mul(QUERIES, t(KEYS)), 1 / sqrt(mpf(2))), 1)
    ]
    planted = mul(softmax(one_decimal), REST)
    found = diagnose(ATTENTION, VALUES, fits_of(planted), (*SLIPS, rounded_between(1)))
    assert names(found) == ["rounded_between"]
    assert "1 decimal " in found[0].words.en
    assert rounded_between(2).altered(Exponential(Literal([[-1]])), {}) == [Literal([[Rational(37, 100)]])]


# -- the list -------------------------------------------------------------------------------------------------------------
SPECIFIED = {
    "scores": "no_scale scale_by_d scale_multiplied scale_by_root_n scale_by_root_d_model key_not_transposed "
              "query_transposed scores_other_order scores_entry_by_entry scale_after_softmax",
    "softmax": "softmax_over_columns softmax_over_table softmax_left_out scores_over_their_sum exponentials_not_divided "
               "softmax_base_2 softmax_base_10 softmax_of_minus maximum_above_only denominator_without_self argmax "
               "uniform_weights",
    "weighting": "weights_transposed values_times_transposed_weights values_times_weights keys_for_values "
                 "queries_for_values",
    "masks": "mask_left_out mask_transposed mask_hides_diagonal mask_zero mask_minus_one mask_plus_one "
             "mask_after_softmax",
    "temperature": "temperature_multiplied temperature_ignored",
    "loss": "log_base_10 log_base_2 no_minus log_of_logit one_minus_p log_of_one_minus_p neighboring_target "
            "squared_error sum_over_classes smoothing_spread",
    "LayerNorm": "sample_variance variance_for_root norm_for_root mean_absolute_deviation mean_not_subtracted "
                 "deviation_not_divided "
                 "eps_outside_root eps_of_frameworks eps_left_out root_eps_added normalized_over_tokens "
                 "median_for_mean gain_and_shift_swapped gain_or_shift_left_out shift_before_gain gain_misplaced",
    "RMSNorm": "rms_mean_subtracted rms_not_divided rms_root_left_out rms_sum_for_mean rms_one_less gain_left_out",
    "FFN": "activation_left_out activation_after_second activation_on_input activation_twice bias_1_left_out "
           "bias_2_left_out bias_1_after_activation weight_transposed weights_swapped absolute_for_relu gelu_for_relu "
           "sigmoid_for_relu leaky_for_relu tanh_for_erf",
    "block": "no_residual residual_from_normed norm_in_other_place residual_or_norm_twice second_residual_from_input "
             "norm_of_update_only no_norm heads_averaged heads_added heads_interleaved heads_in_other_order "
             "output_weight_left_out",
    "softmax Jacobian": "jacobian_diagonal_only jacobian_sign jacobian_p_on_diagonal jacobian_one_formula "
                        "jacobian_of_logits",
    "cross-entropy gradient": "p_minus_y_sign p_only one_subtracted_everywhere difference_times_p minus_one_over_p "
                              "divided_by_count",
    "dS": "dS_diagonal_only dS_unweighted_sum dS_sum_over_columns dS_scores_for_weights dS_sign dS_scaled_or_not",
    "dQ, dK, dV": "gradient_not_scaled gradient_scaled_twice dQ_and_dK_swapped gradient_not_transposed Q_for_K A_for_dA",
    "LayerNorm gradient": "norm_direct_term_only norm_mean_term_missing norm_along_term_missing norm_sums_for_means "
                          "norm_sigma_missing norm_sigma_squared gain_after_means gain_ignored norm_gradient_sign",
    "linear": "dW_transposed weight_not_transposed db_not_summed gradient_averaged relu_mask_missing "
              "relu_mask_from_input",
    "positions": "sine_and_cosine_swapped degrees positions_shifted exponent_without_two other_base all_sines "
                 "sines_then_cosines odd_exponent embedding_not_scaled turned_backwards",
    "entries": "index_swapped neighboring_entry",
    "products": "bias_left_out bias_subtracted factor_transposed factors_swapped factors_entry_by_entry",
    "conventions": "tanh_gelu rotary_pairs weights_stored_transposed cross_entropy_of_probabilities",
}  # fmt: skip


def test_every_slip_that_was_asked_for_has_a_record():
    listed = [name for group in SPECIFIED.values() for name in group.split()]
    records = [record.name for record in (*SLIPS, *CONVENTIONS)]
    assert sorted(listed) == sorted(records)
    assert len(set(records)) == len(records)


@pytest.mark.parametrize("record", [*SLIPS, *CONVENTIONS], ids=lambda record: record.name)
def test_words_are_whole_sentences_in_both_languages(record):
    assert record.words.en.endswith(".")
    assert record.words.ja.endswith("。")
    assert record.words.en.isascii() or not any("぀" <= x <= "鿿" for x in record.words.en)


def test_which_slips_give_way_come_alone_or_in_one_place_only():
    """Those that know nothing of the operation give way, or are one of two slips never; an entry is taken once."""
    assert {slip.name for slip in SLIPS if slip.gives_way} == {
        "bias_left_out", "factor_transposed", "factors_swapped", "factors_entry_by_entry",
    }  # fmt: skip
    assert {slip.name for slip in SLIPS if not slip.in_pairs} == {
        "factor_transposed", "factors_swapped", "factors_entry_by_entry", "index_swapped", "neighboring_entry",
    }  # fmt: skip
    assert {slip.name for slip in SLIPS if not slip.everywhere} == {"index_swapped", "neighboring_entry"}
