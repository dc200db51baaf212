"""Explainer, chapter 8: logits of a vocabulary, softmax, the choice, temperature, the loss, right shift, generation."""

from dataclasses import replace

from mpmath import mpf
from oracle_reading import Document, Figure, Table, as_mpf, assert_close, of, rounds_to
from sympy import Sum, exp

from oracle_tables.layers import dec, is_equal
from symtransformer import derive, dimension, evaluate, matrix, parameter
from symtransformer.generation import beam_search, distribution, generate, greedy, ranking
from symtransformer.models import BASE, language_model
from symtransformer.operation import unfolded
from symtransformer.operations import (
    CachedAttention,
    CausalMask,
    CrossEntropy,
    Embedding,
    Exponential,
    Linear,
    Logarithm,
    Ones,
    RightShift,
    Row,
    RowSlice,
    RowSum,
    ScaledDotProductAttention,
    SmoothedTargets,
    Softmax,
    TemperatureSoftmax,
)  # fmt: skip
from symtransformer.symbols import Letter, Literal, one_hot

DOCUMENT = Document("explainer-ch8")
GIVEN = DOCUMENT.inputs
VOCABULARY, START, END = GIVEN["vocab"], GIVEN["start"], "終了"
CORRECT = VOCABULARY.index(GIVEN["correct"])
IDS = {token: k for k, token in enumerate([*VOCABULARY, START])}

H, W = matrix("H", 1, 2), matrix("W_vocab", 2, 5)
VALUES = {H: [GIVEN["h"]], W: GIVEN["W_vocab"]}
LOGITS = Linear(H, W)
PROBABILITIES = Softmax(LOGITS)
TARGET = one_hot([CORRECT], 5)
LOSS = CrossEntropy(LOGITS, TARGET)
NUMERIC = Literal(evaluate(LOGITS, VALUES))
HEAD = derive({"L": LOGITS, "P": PROBABILITIES}, values=VALUES)


def number(expression, *place):
    return of(expression, VALUES, *place)


def loss_of(probability):
    """The loss where the right candidate has this probability."""
    pair = Logarithm(Literal([[dec(probability), 1 - dec(probability)]]))
    return of(CrossEntropy(pair, Literal([[1, 0]])), {}, 0, 0)


def usable(position, positions):
    """1 where a position may be used, 0 where it is hidden, in the row of one position (from 0)."""
    return of(Exponential(CausalMask(positions)), {}, position)


def tempered(temperature):
    return number(TemperatureSoftmax(LOGITS, temperature), 0)


NUMBERS = {
    "ch8.h": Figure(HEAD, "H", (0,)),
    **{f"ch8.logit{j + 1}": number(LOGITS, 0, j) for j in range(5)},
    "ch8.logits": number(LOGITS, 0),
    "ch8.e": number(Exponential(Ones(1, 1)), 0, 0),
    "ch8.exp": number(Exponential(LOGITS), 0),
    "ch8.expsum": number(RowSum(Exponential(LOGITS)), 0, 0),
    "ch8.p.nemuru": number(PROBABILITIES, 0, CORRECT),
    "ch8.p": number(PROBABILITIES, 0),
    "ch8.p.pct": number(PROBABILITIES, 0),
    "ch8.p.max.pct": number(PROBABILITIES, 0, CORRECT),
    "ch8.mask.ha": usable(2, 5),
    "ch8.loss": number(LOSS, 0, 0),
    "ch8.loss.p09": loss_of("0.9"),
    "ch8.loss.p01": loss_of("0.1"),
    "ch8.d.logp": number(Logarithm(PROBABILITIES), 0),
    "ch8.d.p_no_max_subtraction": number(PROBABILITIES, 0),
    "ch8.d.T_half": tempered(dec("0.5")),
    "ch8.d.T_two": tempered(2),
    "ch8.d.loss_ls01": number(CrossEntropy(LOGITS, SmoothedTargets(TARGET, dec("0.1"))), 0, 0),
    "ch8.d.perplexity": number(Exponential(LOSS), 0, 0),
}


# -- tokens ---------------------------------------------------------------------------------------------
def vectors():
    """One vector for each step of the generation; only the third is the document's own."""
    return DOCUMENT.derived["ch8.d.gen_h"]["independently_computed"]


def logits_after(tokens):
    return Linear(Literal([vectors()[len(tokens) - 1]]), Literal(GIVEN["W_vocab"]))


def run():
    return generate(logits_after, [START], VOCABULARY, END, 9)


def before_the_choice():
    return list(run().steps[2].tokens)


def after_the_choice():
    return [*before_the_choice(), VOCABULARY[greedy(NUMERIC).index]]


def shifted():
    """The targets as one-hot rows, moved down by one row under the start token."""
    rows = one_hot([IDS[token] for token in GIVEN["target"]], 6)
    moved = evaluate(RightShift(rows, one_hot([IDS[START]], 6)))
    return [[*VOCABULARY, START][list(row).index(1)] for row in moved.tolist()]


FOUND = {
    "ch8.greedy": lambda: VOCABULARY[greedy(NUMERIC).index],
    "ch8.after": after_the_choice,
    "ch8.before": before_the_choice,
    "ch8.shift.in": shifted,
    "ch8.shift.target": lambda: [step.chosen for step in run().steps],
    "ch8.text": lambda: "".join(token for token in run().tokens if token not in (START, END)),
    "ch8.d.gen_h": lambda: [list(map(int, step.logits.args[0].matrix)) for step in run().steps],
    "ch8.d.gen_tokens": lambda: list(run().tokens[1:]),
    "ch8.d.tie": lambda: list(ranking(NUMERIC)[1]),
}

# -- formulas and statements ---------------------------------------------------------------------------
n, m, d, k, v, T = dimension("n"), dimension("m"), dimension("d"), dimension("K"), dimension("d_v"), parameter("T")
ROWS, TOKENS, TABLE_E = matrix("L", n, k), matrix("T_in", n, k), matrix("E", k, d)


def exact(figure):
    return figure.numbers("exact")


def softmax_formula():
    formula = Softmax(ROWS).entry(0, 1)
    bound = next(iter(formula.atoms(Sum))).limits[0][0]
    return formula.func(*formula.args) == exp(ROWS[0, 1]) / Sum(exp(ROWS[0, bound]), (bound, 0, k - 1))


def minus_log_of_the_right_one():
    """The loss is −log of the probability of the right candidate, for each candidate in turn."""
    for right in range(5):
        loss = exact(number(CrossEntropy(LOGITS, one_hot([right], 5)), 0, 0))
        assert_close(loss, exact(number(-Logarithm(PROBABILITIES), 0, right)), mpf("1e-40"))
    return True


def tied():
    """One letter serves both ends: the embedding table, and transposed the output weight."""
    model = unfolded(language_model(replace(BASE, vocabulary=50, tied=True)))
    shapes = [letter.shape for letter in model._free if isinstance(letter, Letter)]
    return shapes.count((50, 512)) == 1 and (512, 50) not in shapes


def shift_changes_nothing():
    """A number taken off every logit, such as the largest, leaves the weights as they are."""
    c = parameter("c")
    return is_equal(Softmax(ROWS + c * Ones(n, k)), Softmax(ROWS))


def cooler_is_sharper():
    shares = [as_mpf(exact(tempered(t))[CORRECT]) for t in (dec("0.5"), 1, 2)]
    return shares[0] > shares[1] > shares[2] > as_mpf(dec("0.2"))


def cache_changes_nothing():
    """One row at a time with earlier keys and values kept is the last row of the masked computation."""
    q, key, value = matrix("Q", 4, d), matrix("K_all", 4, d), matrix("V", 4, v)
    whole = ScaledDotProductAttention(q, key, value, CausalMask(4))
    cached = CachedAttention(Row(q, 3), RowSlice(key, 0, 3), Row(key, 3), RowSlice(value, 0, 3), Row(value, 3))
    return is_equal(Row(whole, 3), cached)


def next_target_is_hidden():
    """Shifted, the row of は sees 開始, 猫 and は; its target 眠る stands one row further, where the mask hides."""
    seen = [token for token, mark in zip(shifted(), exact(usable(2, 5)), strict=True) if mark]
    return seen == [START, "猫", "は"] and GIVEN["target"][2] == "眠る"


def losses_are_ordered():
    losses = [as_mpf(exact(loss_of(p))[0]) for p in ("0.9", "0.5", "0.1")]
    return losses == sorted(losses)


def sampling_and_beams():
    """Drawing can give any candidate; a search keeps several sequences, and one of them is the greedy one."""
    drawn_from = exact(of(distribution(NUMERIC).expression, {}, 0))
    beams = beam_search(logits_after, [START], VOCABULARY, END, 5, 2)
    return all(as_mpf(p) > 0 for p in drawn_from) and len(beams) == 2 and beams[0].tokens == run().tokens[1:]


def mean_or_sum():
    """Both are meant somewhere: they differ by the number of rows."""
    logits, targets = matrix("L", 3, k), matrix("Y", 3, k)
    mean, total = (CrossEntropy(logits, targets, reduction=how) for how in ("mean", "sum"))
    return is_equal(3 * mean, total)


def only_step_three_is_given():
    """Of the five vectors one is the document's; any others that give the same tokens would do as well."""
    return vectors()[2] == GIVEN["h"] and len(vectors()) == 5


CHECKS = {
    "ch8.f.logits": lambda: exact(number(LOGITS, 0)) == [-1, 1, 2, 1, -2],
    "ch8.f.softmax": softmax_formula,
    "ch8.f.exp": lambda: Exponential(ROWS).entry(0, 1) == exp(ROWS[0, 1]),
    "ch8.f.loss": minus_log_of_the_right_one,
    "ch8.f.loss_num": lambda: rounds_to(exact(loss_of("0.5544")), ["0.5899"], 4),
    "ch8.f.temperature": lambda: is_equal(TemperatureSoftmax(ROWS, 3), Softmax(ROWS / 3)),
    "ch8.f.tying": tied,
    "ch8.s.start_excluded": lambda: START not in VOCABULARY and run().tokens[0] == START,
    "ch8.s.column_per_candidate": lambda: W.shape[1] == len(VOCABULARY),
    "ch8.s.logits_free": lambda: min(exact(number(LOGITS))) < 0 and sum(evaluate(run().steps[1].logits)) != 1,
    "ch8.s.max_subtraction": shift_changes_nothing,
    "ch8.s.temperature": cooler_is_sharper,
    "ch8.s.greedy": lambda: [greedy(step.logits).index for step in run().steps] == [0, 1, 2, 3, 4],
    "ch8.s.append_id": lambda: all(
        later.tokens == (*earlier.tokens, earlier.chosen) for earlier, later in zip(run().steps, run().steps[1:], strict=False)
    ),
    "ch8.s.sampling_beam": sampling_and_beams,
    "ch8.s.gen_vectors_fixed": only_step_three_is_given,
    "ch8.s.stop": lambda: run().stopped_by == "end"
    and generate(logits_after, [START], VOCABULARY, END, 3).stopped_by == "length",
    "ch8.s.encoder_reused": lambda: [len(step.tokens) for step in run().steps] == [1, 2, 3, 4, 5],
    "ch8.s.kv_cache": cache_changes_nothing,
    "ch8.s.right_shift": next_target_is_hidden,
    "ch8.s.shift_alone_leaks": lambda: shifted()[3] == "眠る",
    "ch8.s.parallel_training": lambda: CrossEntropy(ROWS, ROWS, reduction="none").shape == (n, 1),
    "ch8.s.loss_decreasing": losses_are_ordered,
    "ch8.s.loss_uses_prob": lambda: as_mpf(exact(number(LOSS))[0]) > 0 and greedy(NUMERIC).index == CORRECT,
    "ch8.s.label_smoothing": lambda: is_equal(SmoothedTargets(ROWS, 0), ROWS),
    "ch8.s.embedding_lookup": lambda: (
        evaluate(Embedding(one_hot([2], 3), Literal([[1, 2], [3, 4], [5, 6]]))).tolist() == [[5, 6]]
        and Linear(matrix("H", n, d), TABLE_E.T).shape == (n, k)
    ),
    "ch8.s.tying_paper": tied,
    "ch8.s.same_softmax": lambda: type(PROBABILITIES) is Softmax,
    "ch8.s.loss_aggregated": mean_or_sum,
    "ch8.s.vectors_not_text": lambda: [step.name for step in HEAD.steps] == ["L", "P"],
    "ch8.s.computed_as_shown": lambda: [str(step.expression) for step in HEAD.steps] == ["H W_vocab", "softmax(L)"],
}  # fmt: skip
COUNTS = {
    "ch8.c.candidates": lambda: LOGITS.shape[1],
    "ch8.c.dims": lambda: H.shape[1],
    "ch8.c.h_shape": lambda: H.shape,
    "ch8.c.w_shape": lambda: W.shape,
    "ch8.c.logit_shape": lambda: LOGITS.shape,
    "ch8.c.paper_w_rows": lambda: BASE.d_model,
    "ch8.c.gen_steps": lambda: len(run().steps),
    "ch8.c.gen_step_shown": lambda: (
        [step.logits.args[0].matrix.tolist()[0] for step in run().steps].index(GIVEN["h"]) + 1
    ),
    "ch8.c.positions": lambda: len(shifted()),
    "ch8.c.ha_kv": lambda: sum(exact(usable(2, 5))),
    "ch8.c.nemuru_pos": lambda: shifted().index("眠る") + 1,
}
GRADIENTS = frozenset({"ch8.d.dloss_dlogits", "ch8.d.dloss_dh", "ch8.d.dloss_dW"})
LEFT = {
    "conventions and words": frozenset({
        "ch8.s.not_token_scores", "ch8.s.bias_zero", "ch8.s.weights_fixed", "ch8.s.sections", "ch8.s.pipeline",
        "ch8.s.unrounded",
    }),
}  # fmt: skip
TABLE = Table(DOCUMENT, NUMBERS, COUNTS, CHECKS, FOUND, GRADIENTS, LEFT)
