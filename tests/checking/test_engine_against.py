"""A document beside a derivation: its numbers, letters and steps, those of each head, and the names that are given them."""

import numpy as np
import pytest

from symtransformer import check, derive, dimension, matrix
from symtransformer.checking.against import reference_of
from symtransformer.errors import UnreadableInput
from symtransformer.operations import MultiHeadAttention, Softmax

X = matrix("X", dimension("n"), dimension("d"))
W = matrix("W", dimension("d"), 2)
ONE_ROW = derive({"S": X @ W, "A": Softmax(X @ W)}, values={X: [[1, 0, 2], [0, 1, 1]], W: [[1, 0], [0, 1], [1, 1]]})
# S is [[3, 2], [1, 2]]; e/(1 + e) is 0.731

WEIGHTS = [matrix(f"W_{name}", 2, 1) for name in "QKV"]
INPUT, OUTPUT = matrix("X", 2, 2), matrix("W_O", 2, 2)
HEADS = derive(
    MultiHeadAttention(INPUT, *WEIGHTS, OUTPUT, heads=2),
    values={
        INPUT: [[1, 0], [0, 1]],
        OUTPUT: [[1, 0], [0, 1]],
        **{w: [[[1], [0]], [[4 + k], [9 + 3 * k]]] for k, w in enumerate(WEIGHTS)},
    },
)


def verdicts(text, against, **more):
    return [e.verdict for e in check(text, name="a.md", against=against, **more).equations]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("$S = [[3, 2], [1, 2]]$", "right"),
        ("$S = [[3, 2], [1, 4]]$", "wrong"),
        (r"$A \approx [[0.731, 0.269], [0.269, 0.731]]$", "right"),
        (r"$A \approx [[0.731, 0.269], [0.269, 0.751]]$", "wrong"),
        ("$S = X W$", "right"),
        ("$S = 2 X W$", "wrong"),
        ("$X W = S$", "right"),
        ("$W X = S$", "shapes"),
        ("$A = softmax(S)$", "right"),
        ("$A = softmax(2 S)$", "wrong"),
        ("$X = [[1, 0, 2], [0, 1, 1]]$", "right"),
        ("$X = [[1, 0, 2], [0, 1, 7]]$", "wrong"),
        ("$d = 3$", "right"),
        ("$n = 2$", "right"),
        (r"$\sqrt{d + 1} = n$", "right"),
    ],
)
def test_numbers_letters_and_steps_of_a_derivation(text, verdict):
    assert verdicts(text, ONE_ROW) == [verdict]


def test_a_step_is_computed_anew_from_what_the_document_shows():
    """With S shown as [[3, 2], [1, 3]] the weights of its second row are 0.119 and 0.881; those of S itself are not."""
    shown = "$S = [[3, 2], [1, 3]]$. "
    right = check(shown + r"$A \approx [[0.731, 0.269], [0.269, 0.731]]$", name="a.md", against=ONE_ROW).equations[-1]
    assert right.verdict == "right"
    assert "not_from_shown_operands" in {note.name for note in right.remarks}


def test_steps_of_each_head():
    second, keys = np.array([[4], [9]]), np.array([[5], [12]])  # as X is the identity, they are the weights
    assert verdicts(f"$Q_2 = {second.tolist()}$. $Q_1 = {second.tolist()}$.", HEADS) == ["right", "wrong"]
    scores = second @ keys.T
    assert verdicts(f"$S_2 = {scores.tolist()}$. $S_2 = {scores.T.tolist()}$", HEADS) == ["right", "wrong"]
    assert verdicts("$S_2 = Q_2 K_2^T$. $S_2 = Q_1 K_2^T$. $Z_1 = A_1 V_1$.", HEADS) == ["right", "wrong", "right"]
    assert verdicts("$W_V^{(2)} = [[6], [15]]$. $W_V^{(1)} = [[6], [15]]$.", HEADS) == ["right", "wrong"]


def test_a_step_of_a_head_goes_back_to_its_own_head():
    """With K_2 shown as [[5], [15]] its second row gives 9 · 15 = 135 for the last score, and not 9 · 12 = 108."""
    assert reference_of(HEADS, {})["Q_2"].side.names == ("X", "W_Q^(2)")
    shown = "$K_2 = [[5], [15]]$. "
    told = [
        check(f"{shown}$S_2 = [[20, {4 * k}], [45, {9 * k}]]$", name="a.md", against=HEADS).equations
        for k in (12, 15, 13)
    ]
    assert [[e.verdict for e in equations] for equations in told] == [
        ["wrong", "right"],
        ["wrong", "follows"],
        ["wrong", "wrong"],
    ]


def test_letters_of_any_head_are_none_of_a_document():
    """Where the number of heads is a letter, what belongs to head i has no value of its own."""
    count = dimension("h")
    output = matrix("W_O", count, 2)
    weights = {w: [[[1], [0]], [[4 + k], [9 + 3 * k]]] for k, w in enumerate(WEIGHTS)}
    subject = MultiHeadAttention(INPUT, *WEIGHTS, output, heads=count)
    given = {INPUT: [[1, 0], [0, 1]], output: [[1, 0], [0, 1]], **weights}
    assert [*reference_of(derive(subject, values=given), {})] == ["h", "X", "W_O", "Y", "O"]


def test_the_definitions_hold_the_names_of_a_document_and_what_they_are_made_from():
    found = reference_of(ONE_ROW, {"T": "S"})
    assert [*found] == ["n", "d", "X", "W", "S", "A", "T"]
    assert all(made.is_reference and not made.line for made in found.values())
    assert found["A"].side.names == ("S",)
    assert found["T"].side.names == ("X", "W")
    assert found["T"].name == "T"
    assert found["X"].side is None


def test_what_is_compared_with_nothing_is_refused():
    with pytest.raises(UnreadableInput, match=r"against: there is no 'T'; there are n, d, X, W, S, A"):
        check("$S = 1$", against=ONE_ROW, names={"S": "T"})
    with pytest.raises(UnreadableInput, match=r"against: expected a derivation or values by name, got list"):
        check("$S = 1$", against=[1])
    with pytest.raises(UnreadableInput, match=r"check: expected text, bytes or paths, got int"):
        check(1)
