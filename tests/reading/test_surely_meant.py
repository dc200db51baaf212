"""Text is read as its writer surely meant it, or refused: what was once read as something else."""

import contextlib

import pytest
from sympy import Rational, pi

from symtransformer import evaluate
from symtransformer.cli.derivations import load
from symtransformer.dialects import LATEX, TEXT
from symtransformer.operations import (
    Addition,
    FeedForward,
    Identity,
    LayerNorm,
    Logarithm,
    NormalDensity,
    NormalDistribution,
    RMSDivision,
    RMSNorm,
    RootMeanSquare,
    RowMean,
    Scaling,
    Standardization,
)
from symtransformer.reading import ReadingError, read_expression
from symtransformer.symbols import dimension, matrix, parameter
from symtransformer.writing import piece_of

n, m, d, d_model, d_k, d_ff = map(dimension, ("n", "m", "d", "d_model", "d_k", "d_ff"))
X, P, A = matrix("X", n, d_model), matrix("P", n, d), matrix("A", n, m)
W_Q, G = matrix("W_Q", d_model, d_k), matrix("G", n, d)
W_1, W_2 = matrix("W_1", d_model, d_ff), matrix("W_2", d_ff, d)
b_1, b_2 = matrix("b_1", d_ff, 1), matrix("b_2", d, 1)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("X W_Q^(2)", X @ W_Q.of_head(1)), (r"X {W_{Q}^{(2)}}", X @ W_Q.of_head(1)), ("X W_Q^{(1)}", X @ W_Q.of_head(0)),
        ("2^(3) A", Scaling(A, 8, 1)), ("ln(P)", Logarithm(P)), (r"\ln(P)", Logarithm(P)), ("LN(P)", LayerNorm(P)),
        ("Phi(X)", NormalDistribution(X)), ("phi(X)", NormalDensity(X)), ("mean(X)", RowMean(X)), ("rms(X, 0)", RootMeanSquare(X, 0)),
        ("norm(X, 0.00001)", Standardization(X)), ("norm(X, eps=1)", Standardization(X, 1)),
        ("rmsnorm(X, 0.00001)", RMSDivision(X)), ("RMSNorm(X)", RMSNorm(X)), ("d_k (A + A)", Scaling(A + A, d_k, 1)),
        ("FFN(X, W_1, b_1, W_2)", FeedForward(X, W_1, b_1, W_2)),
        ("FFN(X, W_1, W_2, bias_2=b_2)", FeedForward(X, W_1, W_2, bias_2=b_2)),
        ("LayerNorm(X, gamma, shift=beta)", LayerNorm(X, matrix("gamma", d_model, 1), matrix("beta", d_model, 1))),
        ("alpha X", Scaling(X, parameter("alpha"), 1)), ("α X", Scaling(X, parameter("alpha"), 1)),
        ("P - eta G", Addition(P, Scaling(G, -parameter("eta"), 1))), (r"\frac{\eta}{2} A", Scaling(A, parameter("eta") / 2, 1)),
        ("alpha: n m\nalpha A^T", matrix("alpha", n, m) @ matrix("A", dimension("n_1"), m).T),
        ("A A^T ⋅ A", A @ A.T @ A), ("A\u3000A^T", A @ A.T), (r"\mathbf{I} A", Identity(n) @ A), ("I: n n\nI A", matrix("I", n, n) @ A),
    ],
)  # fmt: skip
def test_what_is_meant_is_read(text, meant):
    assert read_expression(text).expression is meant


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("X W_Q^1", "index", 1, 7), ("X W_Q^2", "index", 1, 7), ("X W^1", "index", 1, 5), ("A^(i) B", "index", 1, 3),
        ("(A B)^(2)", "index", 1, 7), ("S = A B\nS^(2) A", "index", 2, 3), ("A^(0.5) B", "exponent", 1, 3),
        ("X W_Q^(2) + X W_Q", "index", 1, 3), ("((A^64)^64)^64", "exponent", 1, 9), ("A^{-T} B", "exponent", 1, 4),
        ("norm(X)", "unknown_function", 1, 1), ("std(X)", "unknown_function", 1, 1), (r"\operatorname{rms}(X)", "unknown_function", 1, 1),
        ("rms(X)", "unknown_function", 1, 1), ("sigma(X)", "unknown_function", 1, 1), (r"\sigma \left(X\right)", "unknown_function", 1, 1),
        ("softmax_row(S) V", "unknown_function", 1, 1), ("LayerNorm_1(X+Z)", "unknown_function", 1, 1),
        ("log_2(P)", "unknown_function", 1, 1), (r"\operatorname{softplus}(X)", "unknown_function", 1, 1),
        ("ELU(X W)", "unknown_function", 1, 1), ("MAX(X)", "unknown_function", 1, 1), (r"\alpha average(X)", "unknown_function", 1, 8),
        ("f(X)", "unknown_function", 1, 1),
        ("FFN(X, W_1, W_2, b_2)", "keyword", 1, 13), ("FFN(X, A, B, C)", "keyword", 1, 11), ("LayerNorm(X, beta)", "keyword", 1, 14),
        ("Linear(X, b)", "keyword", 1, 11), ("Attention(Q, K, causal(n))", "keyword", 1, 17),
        ("MultiHead(X, W_Q, W_K, W_V, W_O, 2, causal(n))", "matrix", 1, 37),
        ("LayerNorm(X, eps=1e-5, eps=1)", "twice", 1, 28), ("FFN(X, W_1, W_2, activation=GELU, activation=ReLU)", "twice", 1, 46),
        ("FFN(X, W_1, W_2, GELU, activation=ReLU)", "keyword", 1, 18), ("LayerNorm(X, gamma, gain=G)", "keyword", 1, 14),
        ("Attention(Q, V, keys=K)", "keyword", 1, 14), ("LayerNorm()", "refused", 1, 1),
        ("MultiHead(X, W_Q, W_K, W_V, W_O, heads=2.5)", "size", 1, 40), ("PE(2.5, 4)", "size", 1, 4),
        ("A = B C\n- D", "continuation", 2, 1), ("x y^T", "vectors", 1, 1),
        ("e^{S} V", "power", 1, 1), ("e^S V", "power", 1, 1), ("e^{-x} A", "power", 1, 1), ("W^{QT} A", "superscript", 1, 1),
        ("A^{t} B", "superscript", 1, 1), ("d^{k} A", "superscript", 1, 1), ("X^T_Q A", "subscript", 1, 2), ("X^{T}_Q A", "subscript", 1, 6),
        ("X + eps", "number_and_matrix", 1, 5), ("(Q P)(K P)^T / sqrt(d_k)", "size", 1, 21), ("Z: 2 3\nQ K", "unused", 1, 1),
    ],
)  # fmt: skip
def test_what_could_be_meant_otherwise_is_refused(text, code, line, column):
    with pytest.raises(ReadingError) as caught:
        read_expression(text)
    assert (caught.value.code, caught.value.line, caught.value.column) == (code, line, column)


@pytest.mark.parametrize(
    "node", [X @ W_Q.of_head(2), Standardization(X), RMSDivision(X), NormalDistribution(P), Identity(n) @ A]
)
def test_printed_forms_are_read_back(node):
    for dialect in (TEXT, LATEX):
        assert read_expression(piece_of(node, dialect).text).expression is node


def test_two_columns_make_a_matrix_where_their_sizes_are_given():
    x, y = matrix("x", n, 1), matrix("y", m, 1)
    assert read_expression("x: n 1\ny: m 1\nx y^T").expression is x @ y.T
    assert read_expression("x y^T", {"x": "row", "y": "row"}).expression.shape == (1, 1)
    assert read_expression("x y^T", {"x": "column", "y": "column"}).expression.shape[0] != 1


def test_a_mask_may_have_its_value_below_the_line_that_uses_it():
    below = read_expression("S = Q K^T\nA = softmax(S + M)\nM = [[0, -oo], [0, 0]]").names["A"]
    above = read_expression("M = [[0, -oo], [0, 0]]\nS = Q K^T\nA = softmax(S + M)").names["A"]
    assert below is above


def test_a_bias_is_repeated_or_not_but_not_both():
    reading = read_expression("Z = X W + b\nR = A / Z\nX = [[1], [2]]\nW = [[3]]\nb = [[1]]\nA = [[1, 2], [3, 4]]")
    assert evaluate(reading, reading.values).tolist() == [
        [Rational(1, 4), Rational(1, 2)],
        [Rational(3, 7), Rational(4, 7)],
    ]


@pytest.mark.parametrize("namespaced", [r"{H^{\mathrm{enc1}}} {W_{V}^{\mathrm{enc2}}}", r"X W^{\mathrm{out}}"])
def test_an_upright_mark_above_is_a_namespace_as_it_is_printed(namespaced):
    reading = read_expression(namespaced)
    assert any("." in name for name in reading.letters)
    assert read_expression(piece_of(reading.expression, LATEX).text).expression is reading.expression


def test_pi_is_the_number_and_a_bias_behind_a_matrix_is_a_column():
    assert read_expression(r"2 \pi X").expression is Scaling(X, 2 * pi, 1)
    assert read_expression("pi: number\npi X").expression is Scaling(X, parameter("pi"), 1)
    assert (
        read_expression("W_2^T b_1 + b_2").letters["b_2"].shape == read_expression("W_2^T b_1 + b_2").expression.shape
    )


@pytest.mark.parametrize("text", ["x_2 X^T", "X W + x_10 W", "softmax(q_1 K^T) + Q Q^T"])
def test_a_row_as_it_is_printed_is_no_letter_of_its_own(text):
    with pytest.raises(ReadingError, match=r"could be row [0-9]+ of [XQ].*\[row\]"):
        read_expression(text)
    assert read_expression(text, {"x_2": "row", "x_10": "1 d", "q_1": "row"}).expression


def test_sizes_and_biases_are_no_rows():
    assert read_expression("softmax(D / sqrt(d_1))").numbers
    assert read_expression("B W_1 + b_1").letters["b_1"].shape[1] == 1


@pytest.mark.parametrize("name", ["explainer_chapter_4", "explainer_chapter_8", "two_layers"])
def test_what_pages_show_is_read_as_what_it_says_or_refused(name):
    for step in load(name)[1].steps:
        for dialect in (TEXT, LATEX):
            text = piece_of(step.expression, dialect).text
            with contextlib.suppress(ReadingError):
                assert piece_of(read_expression(text).expression, dialect).text == text


def test_what_counts_as_a_number_is_shown():
    shown = read_expression("h W + x U\nalpha: number".replace("\nalpha: number", "")).shapes_text().splitlines()
    assert "h: size" in shown
    assert read_expression("P - eta G").shapes_text().splitlines() == [
        "P: n d  # inferred",
        "G: n d  # inferred",
        "eta: number",
        "# result: n d",
    ]


@pytest.mark.parametrize(
    ("text", "letters"),
    [("InfoNCE(S, P, tau)", {"S", "P"}), ("SmoothedTargets(Y, epsilon)", {"Y"}), ("norm(X, eps)", {"X"})],
)
def test_a_number_behind_the_matrices_may_be_a_letter(text, letters):
    assert set(read_expression(text).letters) == letters


@pytest.mark.parametrize(("text", "column"), [("InfoNCE(S, 3, tau)", 12), ("SmoothedTargets(0.1, Y)", 17)])
def test_a_number_in_the_place_of_a_matrix_is_refused(text, column):
    with pytest.raises(ReadingError) as caught:
        read_expression(text)
    assert (caught.value.code, caught.value.column) == ("matrix", column)
