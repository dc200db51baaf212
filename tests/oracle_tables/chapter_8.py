"""Explainer, chapter 8: its formulas, counts and statements, from the logits of a vocabulary to generation."""

from dataclasses import replace

from mpmath import mp, mpf
from oracle_reading import Table, as_mpf, assert_close, of, rounds_to
from sympy import Sum, exp, sqrt

from oracle_tables.chapter_8_numbers import (
    CORRECT,
    DOCUMENT,
    END,
    FOUND,
    GIVEN,
    HEAD,
    LOGITS,
    LOSS,
    NUMBERS,
    NUMERIC,
    PROBABILITIES,
    START,
    TARGET,
    VALUES,
    VOCABULARY,
    H,
    W,
    after,
    five_vectors_give_the_target,
    logits_after,
    loss_of,
    number,
    run,
    shifted,
    tempered,
    usable,
    vectors,
)
from oracle_tables.layers import dec, is_equal, is_refuted, read
from oracle_tables.trees import shape_of
from symtransformer import derive, dimension, evaluate, matrix, parameter
from symtransformer.generation import beam_search, distribution, generate, greedy
from symtransformer.models import BASE, encoder_decoder, language_model
from symtransformer.operation import unfolded
from symtransformer.operations import (
    CachedAttention,
    CausalMask,
    CrossEntropy,
    DecoderLayer,
    Embedding,
    Exponential,
    Identity,
    Linear,
    Logarithm,
    Ones,
    Row,
    RowSlice,
    ScaledDotProductAttention,
    SmoothedTargets,
    Softmax,
    TemperatureSoftmax,
)  # fmt: skip
from symtransformer.symbols import Letter, Literal, one_hot

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
    """One vector is the document's; tokens do not fix the others: twice as long they give the same, more surely."""
    pairs = [(after(vector), after([2 * x for x in vector])) for vector in vectors()]
    alike = all(once[0] == twice[0] and max(once[1]) < max(twice[1]) for once, twice in pairs)
    third = [exact(number(LOGITS, 0)) == list(evaluate(step.logits)) for step in run().steps]
    return alike and third == [False, False, True, False, False]


def softmax_of_attention():
    """Attention whose keys are the candidates and whose values mark them has the probabilities as its output."""
    hidden, table, marks = matrix("H", n, d), matrix("W", d, 5), Identity(5)
    attended = ScaledDotProductAttention(sqrt(d) * hidden, table.T, marks)
    right = is_equal(attended, Softmax(Linear(hidden, table)))
    values = evaluate(ScaledDotProductAttention(sqrt(2) * H, W.T, marks), VALUES)
    assert_close(list(values), exact(number(PROBABILITIES, 0)), mpf("1e-40"))
    return right and is_refuted(attended, Softmax(Linear(hidden, table).T).T)  # over positions instead


def encoder_read_once():
    """For each length of the text so far: the same tree of the encoder's rows, and no row of the decoder in it."""
    made = []
    for length in (1, 2, 3, 4):
        rows, memory = matrix("Y", length, 6), matrix("E", 5, 6)
        weights = [matrix(f"{x}_{y}", 6, 6) for x in "WU" for y in ("Q", "K", "V", "O")]
        layer = DecoderLayer(rows, memory, *weights, matrix("W_1", 6, 7), matrix("W_2", 7, 6), mask=CausalMask(length))
        steps = derive(layer)
        made.append((steps.expanded("K_cross"), steps.expanded("V_cross")))
        queries = {s.name for s in steps.expanded("Q_cross")._free}
        if "Y" not in queries or Linear(Row(layer, length - 1), matrix("W_vocab", 6, 9)).shape != (1, 9):
            return False
    letters = [{s.name for s in part._free} for part in made[0]]
    grown = [len(step.tokens) for step in run().steps]
    return len(set(made)) == 1 and letters == [{"E", "U_K"}, {"E", "U_V"}] and grown == [1, 2, 3, 4, 5]


def rows_at_once():
    """Training: each row of the masked computation, and its loss, is what that row gives alone; generation needs the last."""
    q, key, value = matrix("Q", 4, d), matrix("K_all", 4, d), matrix("V", 4, v)
    whole = ScaledDotProductAttention(q, key, value, CausalMask(4))
    logits, targets = matrix("L", 4, k), matrix("Y", 4, k)
    losses = CrossEntropy(logits, targets, reduction="none")
    open_to_all = ScaledDotProductAttention(q, key, value)
    return all(
        is_equal(
            Row(whole, r), ScaledDotProductAttention(Row(q, r), RowSlice(key, 0, r + 1), RowSlice(value, 0, r + 1))
        )
        and is_equal(Row(losses, r), CrossEntropy(Row(logits, r), Row(targets, r)))
        for r in range(4)
    ) and is_refuted(
        Row(open_to_all, 0), ScaledDotProductAttention(Row(q, 0), RowSlice(key, 0, 1), RowSlice(value, 0, 1))
    )


def probability_not_choice():
    """Another choice at the same probability of the right one leaves the loss; the same choice at another changes it."""

    def seen(*shares):
        logs = Logarithm(Literal([[dec(x) for x in shares]]))
        loss = exact(of(CrossEntropy(logs, Literal([[1, 0, 0]])), {}, 0, 0))[0]
        return greedy(logs).index, as_mpf(loss)

    (first, a), (second, b), (third, c) = (
        seen("0.3", "0.5", "0.2"),
        seen("0.3", "0.2", "0.5"),
        seen("0.2", "0.5", "0.3"),
    )
    assert_close([a, c], [-mp.log(mpf("0.3")), -mp.log(mpf("0.2"))])
    return (first, second, third) == (1, 2, 1) and abs(a - b) < mpf("1e-40") and c > a


def smoothing_left_out():
    """The loss of the chapter is the one without smoothing; the paper's 0.1 gives another."""
    none, tenth = (exact(number(CrossEntropy(LOGITS, SmoothedTargets(TARGET, dec(x))), 0, 0)) for x in ("0", "0.1"))
    assert_close(tenth, [DOCUMENT.derived["ch8.d.loss_ls01"]["independently_computed"]])
    return is_equal(SmoothedTargets(ROWS, 0), ROWS) and none == exact(number(LOSS)) != tenth


def largest_probability():
    """In every step the index that is taken bears the largest probability."""
    shares = [[as_mpf(p) for p in evaluate(step.probabilities)] for step in run().steps]
    taken = [greedy(step.logits).index for step in run().steps]
    return taken == [0, 1, 2, 3, 4] == [row.index(max(row)) for row in shares]


def one_column_each():
    """A changed column of the output weight changes the logit of its own candidate alone."""
    before = evaluate(LOGITS, VALUES)
    for j in range(len(VOCABULARY)):
        other = [[x + (c == j) for c, x in enumerate(row)] for row in GIVEN["W_vocab"]]
        after_it = evaluate(LOGITS, {**VALUES, W: other})
        if [c for c in range(before.cols) if before[c] != after_it[c]] != [j]:
            return False
    return True


CHECKS = {
    "ch8.d.gen_h": five_vectors_give_the_target,
    "ch8.f.logits": lambda: exact(number(LOGITS, 0)) == [-1, 1, 2, 1, -2],
    "ch8.f.softmax": softmax_formula,
    "ch8.f.exp": lambda: Exponential(ROWS).entry(0, 1) == exp(ROWS[0, 1]),
    "ch8.f.loss": minus_log_of_the_right_one,
    "ch8.f.loss_num": lambda: rounds_to(exact(loss_of("0.5544")), ["0.5899"], 4),
    "ch8.f.temperature": lambda: is_equal(TemperatureSoftmax(ROWS, 3), Softmax(ROWS / 3)),
    "ch8.f.tying": tied,
    "ch8.s.start_excluded": lambda: START not in VOCABULARY and run().tokens[0] == START,
    "ch8.s.column_per_candidate": one_column_each,
    "ch8.s.logits_free": lambda: min(exact(number(LOGITS))) < 0 and sum(evaluate(run().steps[1].logits)) != 1,
    "ch8.s.max_subtraction": shift_changes_nothing,
    "ch8.s.temperature": cooler_is_sharper,
    "ch8.s.greedy": largest_probability,
    "ch8.s.append_id": lambda: all(
        later.tokens == (*earlier.tokens, earlier.chosen) for earlier, later in zip(run().steps, run().steps[1:], strict=False)
    ),
    "ch8.s.sampling_beam": sampling_and_beams,
    "ch8.s.gen_vectors_fixed": only_step_three_is_given,
    "ch8.s.stop": lambda: run().stopped_by == "end"
    and generate(logits_after, [START], VOCABULARY, END, 3).stopped_by == "length",
    "ch8.s.encoder_reused": encoder_read_once,
    "ch8.s.kv_cache": cache_changes_nothing,
    "ch8.s.right_shift": next_target_is_hidden,
    "ch8.s.shift_alone_leaks": lambda: shifted()[3] == "眠る",
    "ch8.s.parallel_training": rows_at_once,
    "ch8.s.loss_decreasing": losses_are_ordered,
    "ch8.s.loss_uses_prob": probability_not_choice,
    "ch8.s.label_smoothing": smoothing_left_out,
    "ch8.s.embedding_lookup": lambda: (
        evaluate(Embedding(one_hot([2], 3), Literal([[1, 2], [3, 4], [5, 6]]))).tolist() == [[5, 6]]
        and Linear(matrix("H", n, d), TABLE_E.T).shape == (n, k)
    ),
    "ch8.s.tying_paper": tied,
    "ch8.s.same_softmax": softmax_of_attention,
    "ch8.s.loss_aggregated": mean_or_sum,
    "ch8.s.vectors_not_text": lambda: (
        read(HEAD, "LP", "H W_vocab", "softmax(L)") and after(GIVEN["h"])[0] == VOCABULARY[CORRECT]
    ),
    "ch8.s.computed_as_shown": lambda: read(HEAD, "LP", "H W_vocab", "softmax(L)"),
}  # fmt: skip
COUNTS = {
    "ch8.c.candidates": lambda: shape_of(PROBABILITIES, VALUES)[1],
    "ch8.c.dims": lambda: shape_of(LOGITS, VALUES, "H")[1],
    "ch8.c.h_shape": lambda: shape_of(LOGITS, VALUES, "H"),
    "ch8.c.w_shape": lambda: shape_of(LOGITS, VALUES, "W_vocab"),
    "ch8.c.logit_shape": lambda: shape_of(LOGITS, VALUES),
    "ch8.c.paper_w_rows": lambda: encoder_decoder(BASE).argument("weight").shape[0],
    "ch8.c.gen_steps": lambda: len(run().steps),
    "ch8.c.gen_step_shown": lambda: (
        [step.logits.args[0].matrix.tolist()[0] for step in run().steps].index(GIVEN["h"]) + 1
    ),
    "ch8.c.positions": lambda: len(shifted()),
    "ch8.c.ha_kv": lambda: sum(exact(usable(2, 5))),
    "ch8.c.nemuru_pos": lambda: shifted().index("眠る") + 1,
}
LEFT = {
    "conventions and words": frozenset({
        "ch8.s.not_token_scores", "ch8.s.bias_zero", "ch8.s.weights_fixed", "ch8.s.sections", "ch8.s.pipeline",
        "ch8.s.unrounded",
    }),
}  # fmt: skip
TABLE = Table(DOCUMENT, NUMBERS, COUNTS, CHECKS, FOUND, LEFT)
