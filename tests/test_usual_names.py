"""Usual names for the parts of an expression: each step is linear or one function, and no name means two things."""

import pytest

from symtransformer.errors import SymtransformerError
from symtransformer.judge import verify
from symtransformer.reading import read_expression
from symtransformer.usual_names import derive_named

STEPS = {
    "softmax(Q K^T / sqrt(d_k) + causal(n, m)) V": ["S = Q K^T / sqrt(d_k)", "A = softmax(S + causal(n, m))", "Z = A V"],
    "softmax(X W_Q (X W_K)^T / sqrt(d_k)) (X W_V)": [
        "Q = X W_Q", "K = X W_K", "S = Q K^T / sqrt(d_k)", "A = softmax(S)", "V = X W_V", "Z = A V",
    ],
    "ReLU(X W_1 + b_1) W_2": ["P = X W_1 + ones(n, 1) b_1^T", "F = ReLU(P)", "Y = F W_2"],
    "(A B) C": ["T = A B", "Y = T C"],
    "softmax(softmax(A) B) C": ["E = softmax(A)", "Z_2 = E B", "E_2 = softmax(Z_2)", "Z = E_2 C"],
    "a^T B c": ["T = a^T B", "J = T c"],
    "A = softmax(S)\nA V": ["A = softmax(S)", "Z = A V"],
    "A + B": ["Y = A + B"],
    "S = A B\nP = ReLU(S)\nP C": ["S = A B", "P = ReLU(S)", "Y = P C"],
    "MultiHead(X, W_Q, W_K, W_V, W_O, heads=h) + X": [
        "Q^(i) = X W_Q^(i)", "K^(i) = X W_K^(i)", "V^(i) = X W_V^(i)", "S^(i) = Q^(i) K^(i)^T / sqrt(d_k)",
        "A^(i) = softmax(S^(i))", "Z^(i) = A^(i) V^(i)", "Y = Concat(Z^(i), i = 1..h)", "O = Y W_O", "B = O + X",
    ],
}  # fmt: skip


@pytest.mark.parametrize("text", STEPS)
def test_parts_are_named_as_people_name_them(text):
    forward = derive_named(read_expression(text).names)
    assert [f"{step.letter} = {step.expression}" for step in forward.steps] == STEPS[text]
    assert forward.steps[-1].stands_for == read_expression(text).expression or "MultiHead" in text
    assert {verdict.kind for verdict in verify(forward).verdicts.values()} == {"proved"}


def test_names_that_somebody_chose_come_first():
    reading = read_expression("softmax(Q K^T) V")
    scores = reading.expression.args[0].args[0]
    forward = derive_named(reading.names, names={scores: "E"})
    assert [step.name for step in forward.steps] == ["E", "A", "Z"]
    with pytest.raises(SymtransformerError, match="has this name"):
        derive_named(reading.names, names={scores: "K"})
