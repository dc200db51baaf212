"""Choosing tokens: ties decided exactly, draws that can be repeated, beams against all sequences, a cache step by step."""

import itertools
import json
import random
from fractions import Fraction
from pathlib import Path

import pytest
from mpmath import mp, mpf
from sympy import Rational, S, exp, log, oo, pi, sqrt

from symtransformer import evaluate, matrix
from symtransformer.errors import LimitExceeded, NotSupported, ShapeError, UnreadableInput
from symtransformer.generation import beam_search, distribution, generate, greedy, ranking, sample
from symtransformer.operations import (
    Exponential,
    Linear,
)

CHAPTER = json.loads(
    Path(__file__).with_name("oracle").joinpath("explainer-ch8.json").read_text("utf-8"), parse_float=Fraction
)
VALUE = {item["id"]: item["independently_computed"] for item in [*CHAPTER["claims"], *CHAPTER["derived"]] if "independently_computed" in item}  # fmt: skip
GIVEN = CHAPTER["inputs"]
VOCABULARY, START, END = GIVEN["vocab"], GIVEN["start"], GIVEN["vocab"][-1]
LOGITS = VALUE["ch8.logits"]


def softmax(row):
    total = mp.fsum(mp.exp(x) for x in row)
    return [mp.exp(x) / total for x in row]


# -- one choice -----------------------------------------------------------------------------------------
def test_greedy_of_chapter_8():
    choice = greedy(Linear([GIVEN["h"]], GIVEN["W_vocab"]))
    assert (VOCABULARY[choice.index], choice.ties) == (VALUE["ch8.greedy"], ())
    assert ranking(LOGITS)[1] == tuple(VALUE["ch8.d.tie"])


def test_of_equal_candidates_the_first_is_taken_and_the_tie_is_told():
    assert greedy([1, 4, 4, 0, 4]).index == 1
    assert greedy([1, 4, 4, 0, 4]).ties == (1, 2, 4)
    assert greedy([sqrt(8), 2 * sqrt(2)]).ties == (0, 1)
    assert greedy(Exponential([[0, sqrt(2) - sqrt(2), -1]])).ties == (0, 1)


@pytest.mark.parametrize("digits", [15, 40, 300])
def test_nearly_equal_is_not_equal(digits):
    """A double, or 300 digits, would call these equal."""
    choice = greedy([sqrt(2), sqrt(2) + Rational(1, 10**digits), 0])
    assert (choice.index, choice.ties) == (1, ())


def test_a_tie_that_is_not_proved_is_not_told():
    with pytest.raises(LimitExceeded, match="tie is not decided"):
        greedy([log(2) + log(3), log(6) + log(pi) - log(pi)])


def test_what_may_not_be_used_is_never_chosen():
    assert greedy([-oo, -5, -oo]).index == 1
    assert ranking([-oo, -5, -oo]) == ((1,), (0, 2))
    with pytest.raises(NotSupported, match="nothing to choose"):
        greedy([-oo, -oo])


def test_a_logit_is_a_number_or_minus_infinity():
    """+∞ has no probability, and of nothing nothing is chosen: every way to choose says so."""
    for choose in (greedy, ranking, distribution, lambda row: beam_search(lambda tokens: row, [], "abc", "c", 2, 2)):
        with pytest.raises(UnreadableInput, match="∞"):
            choose([oo, 0, 1])
    for choose in (greedy, distribution, lambda row: beam_search(lambda tokens: row, [], "abc", "c", 2, 2)):
        with pytest.raises(NotSupported, match="every logit is −∞"):
            choose([-oo, -oo, -oo])
    with pytest.raises(NotSupported, match="every logit is −∞"):  # in the second step only
        beam_search(lambda tokens: [-oo] * 3 if tokens else [0, 1, -oo], [], "abc", "c", 3, 2)


def test_what_has_probability_0_is_not_kept():
    assert distribution([-oo, 1, -oo, 2]).kept == (1, 3)
    three = distribution([-oo, 1, -oo, 2], top_k=3)
    assert (three.kept, three.dropped_ties) == ((1, 3), ())
    assert distribution([1, 2, -oo, 1], top_k=2).dropped_ties == (3,)
    assert {sample(distribution([-oo, 0, 0, -oo]), random.Random(k)).index for k in range(30)} == {1, 2}


def test_rows_that_are_none_are_refused():
    with pytest.raises(UnreadableInput, match="L has no value"):
        greedy(matrix("L", 1, 3))
    with pytest.raises(ShapeError, match="2 x 3"):
        greedy([[1, 2, 3], [4, 5, 6]])
    with pytest.raises(UnreadableInput):
        greedy([0.5, float("nan")])


@pytest.mark.parametrize(
    ("temperature", "top_k"), [(1, None), (Rational(1, 2), None), (2, 3), (1, 1), (Rational(7, 10), 4)]
)
def test_distribution_against_mpmath(temperature, top_k):
    found = distribution(LOGITS, temperature, top_k)
    kept = sorted(range(5), key=lambda j: (-LOGITS[j], j))[: top_k or 5]
    assert found.kept == tuple(sorted(kept))
    with mp.workdps(40):
        heat = mpf(temperature.p) / temperature.q if isinstance(temperature, Rational) else mpf(temperature)
        total = mp.fsum(mp.exp(LOGITS[j] / heat) for j in kept)
        for j, x in enumerate(evaluate(found.expression, digits=30)):
            assert abs(mpf(str(x)) - (mp.exp(LOGITS[j] / heat) / total if j in kept else 0)) < mpf("1e-29")


def test_top_k_tells_what_it_dropped_by_the_tie_rule():
    two = distribution(LOGITS, top_k=2)
    assert (two.kept, two.dropped_ties) == ((1, 2), (3,))
    assert distribution(LOGITS, top_k=3).dropped_ties == ()
    assert evaluate(two.expression)[0, 3] == 0
    for wrong in (0, 6):
        with pytest.raises(UnreadableInput, match="1 to 5"):
            distribution(LOGITS, top_k=wrong)
    with pytest.raises(UnreadableInput, match="above 0"):
        distribution(LOGITS, 0)


def test_samples_follow_the_running_sums():
    with mp.workdps(40):
        shares = softmax([mpf(x) for x in LOGITS])
        source, same, again = random.Random(3), random.Random(3), random.Random(3)
        drawn = [sample(distribution(LOGITS), source).index for _ in range(200)]
        for index in drawn:
            number = mpf(same.getrandbits(53)) / 2**53
            below = mp.fsum(shares[:index])
            assert below <= number < below + shares[index]
        assert [sample(distribution(LOGITS), again).index for _ in range(200)] == drawn
        assert {1, 2, 3} <= set(drawn)
    only = [sample(distribution(LOGITS, top_k=2), source).index for _ in range(50)]
    assert set(only) == {1, 2}


# -- the loop ----------------------------------------------------------------------------------------------
def by_hand(tokens):
    """The logits of the chapter: one vector for each length of the input."""
    return Linear([VALUE["ch8.d.gen_h"][len(tokens) - 1]], GIVEN["W_vocab"])


def test_generation_of_chapter_8():
    run = generate(by_hand, [START], VOCABULARY, END, 20)
    assert run.stopped_by == "end"
    assert [step.chosen for step in run.steps] == VALUE["ch8.d.gen_tokens"]
    assert len(run.steps) == VALUE["ch8.c.gen_steps"]
    assert list(run.steps[2].tokens) == VALUE["ch8.before"]
    assert list(run.steps[3].tokens) == VALUE["ch8.after"]
    assert "".join(run.tokens[1:-1]) == VALUE["ch8.text"]
    assert list(run.tokens[:-1]) == VALUE["ch8.shift.in"]
    assert START not in VOCABULARY
    shares = evaluate(run.steps[2].probabilities, digits=20)
    assert abs(shares[0, run.steps[2].choice.index] - VALUE["ch8.p.nemuru"].numerator / VALUE["ch8.p.nemuru"].denominator) < 1e-14  # fmt: skip


def test_the_limit_on_the_length_stops_it():
    run = generate(by_hand, [START], VOCABULARY, END, 3)
    assert (run.stopped_by, len(run.steps), run.tokens[-1]) == ("length", 3, "眠る")
    with pytest.raises(UnreadableInput):
        generate(by_hand, [START], VOCABULARY, "!", 3)
    with pytest.raises(ShapeError, match="2 candidates, but 5 logits"):
        generate(by_hand, [START], ["a", "b"], "a", 3)


def test_sampling_in_the_loop_can_be_repeated():
    def run(seed):
        source = random.Random(seed)
        return generate(
            by_hand, [START], VOCABULARY, END, 5, lambda row: sample(distribution(row, 2, 3), source)
        ).tokens

    assert run(5) == run(5)
    assert len({run(seed) for seed in range(12)}) > 1


# -- beam search ---------------------------------------------------------------------------------------------
TABLE = [[-1, 1, 2, 1, -2], [0, 1, Rational(1, 2), 1, 1], [2, 0, 0, -1, 1]]


def by_table(tokens):
    """Logits that depend on the length and on the last token."""
    row = TABLE[len(tokens) % 3]
    turn = len(str(tokens[-1:])) + (VOCABULARY.index(tokens[-1]) if tokens else 0)
    return [*row[turn % 5 :], *row[: turn % 5]]


def every_sequence(length):
    """All sequences up to the end token, or as long as allowed, with the logarithms of their probabilities."""
    found = {}

    def walk(indices, total):
        if len(indices) == length or (indices and indices[-1] == 4):
            found[indices] = total
            return
        tokens = tuple(VOCABULARY[k] for k in indices)
        for j, share in enumerate(softmax([mpf(S(x).p) / S(x).q for x in by_table(tokens)])):
            walk((*indices, j), total + mp.log(share))

    walk((), mpf(0))
    return found


def test_a_wide_beam_finds_what_a_full_search_finds():
    with mp.workdps(40):
        found = every_sequence(3)
        beams = beam_search(by_table, [], VOCABULARY, END, 3, 10**6)
        assert {beam.indices for beam in beams} == set(found)
        for beam, after in itertools.pairwise(beams):
            gap = found[beam.indices] - found[after.indices]
            assert gap > mpf("1e-30") or (abs(gap) < mpf("1e-30") and beam.indices < after.indices)
        for beam in beams[:10]:
            assert abs(mpf(str(beam.log_probability.evalf(40))) - found[beam.indices]) < mpf("1e-35")
            assert abs(mpf(beam.ball(200).str(40, radius=False)) - found[beam.indices]) < mpf("1e-35")
            assert beam.finished == (beam.tokens[-1] == END)


@pytest.mark.parametrize("width", [1, 2, 3])
def test_a_narrow_beam_keeps_the_best_of_each_step(width):
    with mp.workdps(40):
        kept = {(): mpf(0)}
        for _ in range(3):
            longer = {}
            for indices, total in kept.items():
                if indices and indices[-1] == 4:
                    longer[indices] = total
                    continue
                row = by_table(tuple(VOCABULARY[k] for k in indices))
                for j, share in enumerate(softmax([mpf(S(x).p) / S(x).q for x in row])):
                    longer[(*indices, j)] = total + mp.log(share)
            order = sorted(longer, key=lambda k: (-round(longer[k] * mpf(10) ** 25), k))
            kept = {k: longer[k] for k in order[:width]}
        assert [beam.indices for beam in beam_search(by_table, [], VOCABULARY, END, 3, width)] == list(kept)


def test_equal_sequences_stand_in_the_order_of_their_tokens():
    """The second-best candidates of the chapter tie; so do a, b and b, a where rows do not change."""
    beams = beam_search(lambda tokens: LOGITS, [], VOCABULARY, END, 1, 3)
    assert [beam.indices for beam in beams] == [(2,), (1,), (3,)]
    twice = beam_search(lambda tokens: [1, 3, 2], [], "abc", "a", 2, 9)
    assert [beam.tokens for beam in twice][1:3] == [("b", "c"), ("c", "b")]
    assert twice[1].log_probability == twice[2].log_probability


def test_a_tie_over_unlike_rows_is_proved():
    """1/2 · e/(e + 1) and 1/2 · e⁵/(e⁵ + e⁴): the same number from rows that look different."""
    rows = {(): [0, 0, -oo], ("a",): [1, 0, -oo], ("b",): [5, 4, -oo]}
    beams = beam_search(lambda tokens: rows[tokens[:1]], [], ["a", "b", "end"], "end", 2, 4)
    assert [beam.indices for beam in beams] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    rows["b",] = [5, 4 - Rational(1, 10**60), -oo]  # not quite the same
    beams = beam_search(lambda tokens: rows[tokens[:1]], [], ["a", "b", "end"], "end", 2, 4)
    assert [beam.indices for beam in beams] == [(1, 0), (0, 0), (0, 1), (1, 1)]


def test_greedy_is_not_always_the_most_probable_sequence():
    rows = {(): [log(5), log(4), -oo], ("a",): [0, 0, 0], ("b",): [-oo, -oo, 0]}
    run = generate(lambda tokens: rows[tokens[:1]], [], ["a", "b", "end"], "end", 2)
    best = beam_search(lambda tokens: rows[tokens[:1]], [], ["a", "b", "end"], "end", 2, 2)[0]
    assert run.tokens[0] == "a"
    assert best.tokens == ("b", "end")
    assert exp(best.log_probability).simplify() == Rational(4, 9)
    with pytest.raises(UnreadableInput):
        beam_search(by_table, [], VOCABULARY, END, 3, 0)
