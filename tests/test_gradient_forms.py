"""Gradients as a person would write them, letter by letter; what they are called, and what they say."""

from __future__ import annotations

import pytest
from sympy import Integer, latex

from symtransformer import Derivation, Step, derive, differentiate, dimension, evaluate, matrix, parameter, verify
from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.judge import judge_equation
from symtransformer.node import postorder
from symtransformer.operations import (
    Addition,
    CrossEntropy,
    Dropout,
    Embedding,
    EncoderLayer,
    FeedForward,
    Hadamard,
    HeadSum,
    InfoNCE,
    LayerNorm,
    MultiHeadAttention,
    Product,
    ReLU,
    RMSNorm,
    RotaryEmbedding,
    ScaledDotProductAttention,
    SmoothedTargets,
    Softmax,
    Standardization,
    TemperatureSoftmax,
    Transpose,
)
from symtransformer.symbols import distribution, head_index, one_hot

n, m, d, d_k, d_v, d_ff, h, K_ = (dimension(x) for x in ("n", "m", "d_model", "d_k", "d_v", "d_ff", "h", "K"))
X, H = matrix("X", n, d), matrix("H", n, d_ff)
Q, K, V = matrix("Q", n, d_k), matrix("K", m, d_k), matrix("V", m, d_v)
W_Q, W_K, W_V, W_O = (matrix("W_" + x, d, w) for x, w in (("Q", d_k), ("K", d_k), ("V", d_v), ("O", d)))
FFN = [matrix("W_1", d, d_ff), matrix("b_1", d_ff, 1), matrix("W_2", d_ff, d), matrix("b_2", d, 1)]
gamma, beta = matrix("gamma", d, 1), matrix("beta", d, 1)
L, Y, Y_1 = matrix("L", n, K_), matrix("Y", n, K_), distribution("Y", n, K_)
E, T = matrix("E", K_, d), matrix("T", n, K_)
tau, epsilon = parameter("tau"), parameter("epsilon")

WRITTEN = {
    "LayerNorm": (LayerNorm(X, gamma, beta), {
        "dL": "dN ⊙ (ones(n, 1) gamma^T)",
        "sigma": "std(X, 0.00001)",
        "dX": "divide(dL - broadcast(mean(dL), d_model) - (L ⊙ broadcast(mean(dL ⊙ L), d_model)), sigma)",
        "dgamma": "colsum(dN ⊙ L)",
        "dbeta": "colsum(dN)",
    }),
    "RMSNorm": (RMSNorm(X, gamma), {
        "dL": "dN ⊙ (ones(n, 1) gamma^T)",
        "sigma": "rms(X, 0.00001)",
        "dX": "divide(dL - (L ⊙ broadcast(mean(dL ⊙ L), d_model)), sigma)",
        "dgamma": "colsum(dN ⊙ L)",
    }),
    "cross-entropy": (CrossEntropy(L, Y), {
        "dJ_row": "ones(n, 1) / n",
        "dLambda": "-Y / n",
        "P": "softmax(L)",
        "dL": "(P ⊙ broadcast(rowsum(Y), K) - Y) / n",
        "dY": "-Lambda / n",
    }),
    "cross-entropy, rows of targets add up to 1": (CrossEntropy(L, Y_1), {
        "dJ_row": "ones(n, 1) / n", "dLambda": "-Y / n", "P": "softmax(L)", "dL": "(P - Y) / n",
    }),
    "cross-entropy, rows not added": (CrossEntropy(L, Y_1, reduction="none"), {
        "dLambda": "-(broadcast(dJ, K) ⊙ Y)", "P": "softmax(L)", "dL": "dLambda - (P ⊙ broadcast(rowsum(dLambda), K))",
    }),
    "label smoothing": (CrossEntropy(L, SmoothedTargets(Y_1, epsilon, spread="others")), {
        "dJ_row": "ones(n, 1) / n", "dLambda": "-Y_ls / n", "P": "softmax(L)", "dL": "(P - Y_ls) / n",
    }),
    "InfoNCE": (InfoNCE(matrix("S", n, m), distribution("Y", n, m), tau), {
        "dJ_row": "ones(n, 1) / n", "dLambda": "-Y / n", "P": "softmax(L)", "dL": "(P - Y) / n", "dS": "dL / tau",
    }),
    "one-hot rows": (CrossEntropy(matrix("L", 2, 3), one_hot([2, 0], 3), reduction="sum"), {
        "dJ_row": "ones(2, 1)", "dLambda": "-[[0, 0, 1], [1, 0, 0]]", "P": "softmax(L)", "dL": "P - [[0, 0, 1], [1, 0, 0]]",
    }),
    "GELU": (FeedForward(X, *FFN, activation="GELU"), {
        "dF": "dG W_2^T", "dP": "dF ⊙ (Phi(P) + P ⊙ phi(P))", "dX": "dP W_1^T", "dW_1": "X^T dP", "db_1": "colsum(dP)",
        "dW_2": "F^T dG", "db_2": "colsum(dG)",
    }),
    "ReLU": (ReLU(H), {"dH": "dY ⊙ step(H)"}),
    "rotary": (RotaryEmbedding(matrix("R", n, 2 * d)), {
        "dT": "dB ⊙ D", "dR": "dB ⊙ C - turn(dT, interleaved)",
    }),
    "temperature": (TemperatureSoftmax(L, tau), {
        "dS": "P ⊙ (dP - broadcast(rowsum(P ⊙ dP), K))", "dL": "dS / tau",
    }),
    "heads": (MultiHeadAttention(X, W_Q, W_K, W_V, matrix("W_O", h * d_v, d), heads=h), {
        "dY": "dO W_O^T",
        "dZ": "dY[:, i d_v + 1 : (i + 1) d_v]",
        "dA": "dZ^(i) V^(i)^T",
        "dS": "A^(i) ⊙ (dA^(i) - broadcast(rowsum(A^(i) ⊙ dA^(i)), n))",
        "dV": "A^(i)^T dZ^(i)",
        "dK": "dS^(i)^T Q^(i) / sqrt(d_k)",
        "dQ": "dS^(i) K^(i) / sqrt(d_k)",
        "dX": "Sum(dQ^(i) W_Q^(i)^T + dK^(i) W_K^(i)^T + dV^(i) W_V^(i)^T, i = 1..h)",
        "dW_Q": "X^T dQ^(i)", "dW_K": "X^T dK^(i)", "dW_V": "X^T dV^(i)", "dW_O": "Y^T dO",
    }),
    "tied embedding": (CrossEntropy(Embedding(T, E) @ Transpose(E), Y, reduction="sum"), {
        "dJ_row": "ones(n, 1)", "dLambda": "-Y", "P": "softmax(B)", "dB": "P ⊙ broadcast(rowsum(Y), K) - Y",
        "dE": "dB^T (T E) + T^T (dB E)",
    }),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITTEN)
def test_a_gradient_reads_as_a_person_writes_it(name):
    expression, written = WRITTEN[name]
    gradient = differentiate(expression, "E" if name == "tied embedding" else None)
    steps = gradient.derivation.steps[len(gradient.forward.steps) :]
    assert {step.name: str(step.expression) for step in steps} == written
    verified = verify(gradient)
    assert {verified.verdicts[step.name].kind for step in steps} == {"proved"}


def test_dropout_hands_back_through_its_mask():
    expression = Dropout(X, matrix("M", n, d), parameter("p"))
    assert "⊙ M" in str(differentiate(expression, "X").formulas["X"])


def test_the_exact_value_of_a_step_used_twice():
    """y = h + h∘h with h = x∘x: 2x + 4x³, where 6x + 8x³ counts a use twice."""
    x = matrix("x", 1, 1)
    gradient = differentiate(
        derive({"h": Hadamard(x, x), "y": Hadamard(x, x) + Hadamard(Hadamard(x, x), Hadamard(x, x))})
    )
    t = parameter("t")
    assert (evaluate(gradient["x"].stands_for, {"x": [[t]]})[0, 0] - (2 * t + 4 * t**3)).expand() == 0


# -- sums and their rows ---------------------------------------------------------------------------
def test_what_is_assumed_is_said_and_counts_only_there():
    gradient = differentiate(CrossEntropy(L, Y), "L", distributions="Y")
    assert [words.plain("en") for words in gradient.assumptions] == ["Every row of Y is assumed to add up to 1."]
    step = gradient["L"]
    assert "Every row of {Y} is assumed to add up to 1." in step.explanation.en
    assert "known row sums" in step.explanation.en
    assert "assumed" not in gradient["Lambda"].explanation.en
    assert differentiate(CrossEntropy(L, Y), "L").assumptions == ()


def test_without_the_assumption_the_shorter_form_is_refuted():
    plain = differentiate(CrossEntropy(L, Y), "L")["L"].stands_for
    short = (Softmax(L) - Y) / n
    assert judge_equation(plain, short).kind == "refuted"
    rule = {Y: Y_1}
    assert judge_equation(plain.xreplace(rule), short.xreplace(rule)).kind == "proved"
    twice = (Softmax(L) - 2 * Y) / n
    assert judge_equation(plain.xreplace(rule), twice.xreplace(rule)).kind == "refuted"


def test_values_that_break_the_assumption_are_refused():
    gradient = differentiate(CrossEntropy(L, Y_1), "L")["L"].stands_for
    sized = gradient.xreplace({n: Integer(1), K_: Integer(2)})
    assert evaluate(sized, {"L": [[0, 0]], "Y": [[1, 0]]}).tolist() == [[-Integer(1) / 2, Integer(1) / 2]]
    with pytest.raises(UnreadableInput, match="rows that add up to 1"):
        evaluate(sized, {"L": [[0, 0]], "Y": [[1, 1]]})


def test_entries_that_depend_on_each_other_have_no_gradient():
    with pytest.raises(NotSupported, match="not free"):
        differentiate(CrossEntropy(L, Y_1), "Y")
    assert [x.name for x in differentiate(CrossEntropy(L, Y_1)).wrt] == ["L"]


# -- names -------------------------------------------------------------------------------------------
def test_no_letter_of_the_user_is_taken():
    dQ, sigma = matrix("dQ", n, d_k), matrix("sigma", n, 1)
    gradient = differentiate(Addition(Q, dQ), "Q")
    assert gradient["Q"].name == "dQ2"
    normed = differentiate(Standardization(X) + Product(sigma, matrix("w", 1, d)), "X")
    assert [step.name for step in normed.derivation.steps] == ["Y", "sigma2", "dX"]
    d_K = dimension("dK")
    sized = differentiate(Product(matrix("K", n, d_K), matrix("W", d_K, m)), "K")
    assert sized["K"].name == "dK2"
    given = differentiate(Softmax(X), "X", cotangent=matrix("dX", n, d))
    assert given["X"].name == "dX2"


def test_names_of_heads_and_layers():
    apart = differentiate(MultiHeadAttention(X, W_Q, W_K, W_V, matrix("W_O", 2 * d_v, d), heads=2))
    assert {"W_Q^(1)", "W_Q^(2)", "X", "W_O"} <= set(apart.formulas)
    assert apart["W_Q^(2)"].name == "dW_Q2"
    with pytest.raises(UnreadableInput, match="one for each head"):
        apart["W_Q"]
    labeled = differentiate(LayerNorm(X, gamma), "gamma").derivation
    assert latex(labeled["dgamma"].letter) == r"d\gamma"
    assert latex(matrix("enc1.dQ", 2, 3).of_head(head_index())) == r"{\mathit{dQ}^{\mathrm{enc1},(i)}}"
    assert latex(matrix("dW_Q", 2, 3)) == r"\mathit{dW}_{Q}"
    assert latex(matrix("dQ", 3, 2)[1, 0]) == r"\mathit{dq}_{21}"


def test_a_name_as_long_as_names_may_be_has_a_cotangent():
    long = matrix("ABCDEFGHIJKLMNOP", n, d)
    assert differentiate(Softmax(long)).derivation.steps[-1].name == "dABCDEFGHIJKLMNO"


# -- what a step says -----------------------------------------------------------------------------------
def test_steps_say_where_a_letter_is_used_and_by_which_rules():
    gradient = differentiate(ScaledDotProductAttention(Q, K, V))
    words = gradient["K"].explanation
    assert words.en.startswith("{K} is used in {S}.")
    assert words.en.endswith(
        "Rewritten by: taking a factor out of a product; transpose of a multiple; transpose of a product."
    )
    assert "積の転置" in words.ja
    names = ["taking a factor out of a product", "transpose of a multiple", "transpose of a product"]
    assert [rule.name.en for rule in gradient.rules["dK"]] == names
    assert gradient["S"].expression is gradient.derivation["dS"].expression
    shared = differentiate(FeedForward(X, *FFN) + X)["X"].explanation
    assert "what comes from each use is added up" in shared.en
    assert "それぞれから来る勾配を足し合わせます" in shared.ja
    assert "0" in differentiate(ReLU(H))["H"].explanation.en  # its value at 0 is told


def test_a_result_on_the_way_can_be_asked_for():
    gradient = differentiate(ScaledDotProductAttention(Q, K, V), "S")
    assert {k: str(v) for k, v in gradient.formulas.items()} == {"S": "A ⊙ (dA - broadcast(rowsum(A ⊙ dA), m))"}
    assert [step.name for step in gradient.derivation.steps] == ["S", "A", "Z", "dA", "dS"]
    with pytest.raises(UnreadableInput, match="the result itself"):
        differentiate(ScaledDotProductAttention(Q, K, V), "Z")
    with pytest.raises(UnreadableInput, match="did you mean gamma"):
        differentiate(LayerNorm(X, gamma, beta), "gama")
    with pytest.raises(UnreadableInput, match="no letter is named"):
        differentiate(LayerNorm(X, gamma, beta), " , ")


def test_stages_of_a_normalization_share_their_root():
    gradient = differentiate(derive(LayerNorm(X, gamma), stages=True), "X")
    assert [step.name for step in gradient.derivation.steps].count("sigma") == 1
    assert str(gradient.formulas["X"]).endswith(", sigma)")


# -- heads ---------------------------------------------------------------------------------------------
def test_a_letter_that_all_heads_share_collects_from_each():
    i = head_index()
    for body in (matrix("F", n, d).of_head(i) + X, X, Hadamard(X, matrix("F", n, d).of_head(i))):
        gradient = differentiate(derive(HeadSum(body, i, h)), "X")
        assert verify(gradient).verdicts["dX"].kind == "proved"


def test_a_family_and_one_of_its_heads_are_refused_together():
    i, F = head_index(), matrix("F", n, d)
    with pytest.raises(NotSupported, match="the family of all heads and for single heads at once"):
        differentiate(HeadSum(F.of_head(i), i, h) + F.of_head(0))


# -- how much -------------------------------------------------------------------------------------------
def distinct(derivation):
    return len(set(postorder(*(step.expression for step in derivation.steps))))


def test_a_layer_and_its_gradient_stay_small():
    layer = EncoderLayer(X, W_Q, W_K, W_V, matrix("W_O", h * d_v, d), *FFN, heads=h)
    gradient = differentiate(layer, "W_Q, W_K, W_V, W_O, W_1, b_1, W_2, b_2")
    assert distinct(gradient.derivation) <= 130
    assert distinct(gradient.derivation) <= 3 * distinct(gradient.forward)


def test_a_step_of_all_heads_used_for_one_is_refused():
    i, A = head_index(), matrix("A", n, d)
    Z, words = matrix("Z", n, d), derive(ReLU(X)).steps[0].title
    family = Step(Z.of_head(i), Hadamard(A, A), Hadamard(A, A), words, words)
    one = Step(matrix("R", n, d), Z.of_head(0) + A, Hadamard(A, A) + A, words, words)
    with pytest.raises(NotSupported, match="single heads"):
        differentiate(Derivation((family, one), words), "A")


def test_what_heads_have_in_common_counts_once_for_each():
    """Z of head i that does not depend on i: the gradient of the sum over h heads is h times that of one."""
    i, A = head_index(), matrix("A", n, d)
    Z, words = matrix("Z", n, d), derive(ReLU(X)).steps[0].title
    family = Step(Z.of_head(i), Hadamard(A, A), Hadamard(A, A), words, words)
    total = HeadSum(Z.of_head(i), i, h)
    whole = Step(matrix("R", n, d), total, HeadSum(Hadamard(A, A), i, h), words, words)
    gradient = differentiate(Derivation((family, whole), words), "A")
    sized = gradient["A"].stands_for.xreplace({n: Integer(1), d: Integer(1), h: Integer(3)})
    assert evaluate(sized, {"A": [[5]], "dR": [[1]]})[0, 0] == 3 * 2 * 5
