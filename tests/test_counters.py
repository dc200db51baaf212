"""Operations that count something, beside and inside each other: each number has a letter of its own."""

import pytest

from symtransformer import derive, differentiate, read_expression, verify
from symtransformer.usual_names import derive_named

SCORES = "AdditiveScores(AdditiveScores(Q, K, W, U, v), K, W, U, v)"
ATTENTION = "Z = AdditiveAttention(Q, K, V, W, U, v)\nAdditiveAttention(Z, K, V, W, U, v)"
MEMORIES = "KeyValueMemory(X, W_1, W_2) KeyValueMemory(Y, V_1, V_2)^T"


@pytest.mark.parametrize("text", [SCORES, ATTENTION, MEMORIES])
def test_what_two_of_one_kind_share_is_written_in_each(text):
    gradient = differentiate(derive_named(dict(read_expression(text).lines)))
    found = verify(gradient.derivation)
    assert {verdict.kind for verdict in found.verdicts.values()} == {"proved"}
    for step in gradient.derivation.steps:
        assert not {str(x) for x in step.expression._symbols - {x for x, _ in step.expression._families}} & set("jurt")


INSIDE = (
    "X: n d\nW_1: d a\nW_2: a c\nV_1: c b\nV_2: b d\nA = KeyValueMemory(X, W_1, W_2)\nB = KeyValueMemory(A, V_1, V_2)"
)
BESIDE = "X: n d\nW_1: d a\nW_2: a c\nV_1: d b\nV_2: b c\nA = KeyValueMemory(X, W_1, W_2)\nB = KeyValueMemory(X, V_1, V_2)\nY = A B^T"
CLAIMS = [  # the same in products, right and wrong
    (INSIDE, "dX = (dA W_2^T ⊙ step(X W_1)) W_1^T", "dX = 2 (dA W_2^T ⊙ step(X W_1)) W_1^T"),
    (INSIDE, "dA = (dB V_2^T ⊙ step(A V_1)) V_1^T", "dA = (dB V_2^T ⊙ A V_1) V_1^T"),
    (INSIDE, "dV_2 = ReLU(A V_1)^T dB", "dV_2 = (A V_1)^T dB"),
    (INSIDE, "B = ReLU(ReLU(X W_1) W_2 V_1) V_2", "B = ReLU(X W_1 W_2 V_1) V_2"),
    (BESIDE, "dA = dY B", "dA = dY A"),
    (BESIDE, "dV_2 = ReLU(X V_1)^T dY^T A", "dV_2 = ReLU(X V_1)^T dY A"),
    (BESIDE, "dX = (dY B W_2^T ⊙ step(X W_1)) W_1^T + (dY^T A V_2^T ⊙ step(X V_1)) V_1^T",
             "dX = (dY B W_2^T ⊙ step(X W_1)) W_1^T + (dY A V_2^T ⊙ step(X V_1)) V_1^T"),
]  # fmt: skip


@pytest.mark.parametrize(("of", "right", "wrong"), CLAIMS)
def test_claims_about_two_that_count_unlike_numbers(of, right, wrong):
    assert verify(right, of=of).kind == "proved"
    assert verify(wrong, of=of).kind in ("refuted", "shapes")


def test_the_letters_of_one_number_stay():
    steps = derive(read_expression("X: n d\nKeyValueMemory(KeyValueMemory(X, W, V), W, V)").expression).steps
    assert {str(letter) for step in steps for letter, _ in step.stands_for._families} == {"u"}
    steps = derive(read_expression(INSIDE).expression).steps
    assert {str(letter) for step in steps for letter, _ in step.stands_for._families} == {"u", "r"}
