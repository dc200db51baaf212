"""The numbers and tokens of chapter 8 of the explainer: logits, softmax, temperature, the loss, generation."""

from mpmath import mp
from oracle_reading import Document, Figure, as_mpf, assert_close, of

from oracle_tables.layers import dec
from symtransformer import derive, differentiate, evaluate, matrix, with_values
from symtransformer.generation import generate, greedy, ranking
from symtransformer.operations import (
    CausalMask,
    CrossEntropy,
    Exponential,
    Linear,
    Logarithm,
    Ones,
    RightShift,
    RowSum,
    SmoothedTargets,
    Softmax,
    TemperatureSoftmax,
)  # fmt: skip
from symtransformer.symbols import Literal, one_hot

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
BACK = with_values(differentiate(derive({"C": LOGITS, "J": LOSS})).derivation, VALUES)
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
    "ch8.d.dloss_dlogits": Figure(BACK, "dC", (0,)),
    "ch8.d.dloss_dh": Figure(BACK, "dH", (0,)),
    "ch8.d.dloss_dW": Figure(BACK, "dW_vocab"),
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


def after(vector):
    """What one hidden row gives: the token taken, and the probabilities."""
    given = {H: [vector], W: GIVEN["W_vocab"]}
    token = VOCABULARY[greedy(Literal(evaluate(LOGITS, given))).index]
    return token, [as_mpf(x) for x in evaluate(PROBABILITIES, given)]


def by_hand(vector):
    """The same probabilities by mpmath, from the vector and the columns of W."""
    powers = [
        mp.exp(sum(as_mpf(x) * as_mpf(w) for x, w in zip(vector, column, strict=True)))
        for column in zip(*GIVEN["W_vocab"], strict=True)
    ]
    return [power / sum(powers) for power in powers]


def five_vectors_give_the_target():
    """Each vector gives its token, with the probabilities that mpmath finds; a vector turned round gives another."""
    for vector, token in zip(vectors(), GIVEN["target"], strict=True):
        chosen, shares = after(vector)
        assert_close(shares, by_hand(vector))
        if chosen != token or max(shares) != shares[VOCABULARY.index(token)] or after([-x for x in vector])[0] == token:
            return False
    return vectors()[2] == GIVEN["h"]


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
    "ch8.d.gen_tokens": lambda: [after(vector)[0] for vector in vectors()],
    "ch8.d.tie": lambda: list(ranking(NUMERIC)[1]),
}
