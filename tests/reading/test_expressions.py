"""Accepted forms by the node they mean, and sizes that follow from them."""

import pytest
from sympy import Rational, oo, sqrt

from symtransformer.operation import REGISTRY
from symtransformer.operations import (
    GELU,
    Addition,
    CausalMask,
    Concatenation,
    EntryDivision,
    Exponential,
    FeedForward,
    Hadamard,
    LayerNorm,
    Mask,
    MultiHeadAttention,
    Ones,
    Product,
    RowDivision,
    ScaledDotProductAttention,
    Scaling,
    Sigmoid,
    SiLU,
    SingleHead,
    Softmax,
    SquareRoot,
    SwiGLU,
    Tanh,
)
from symtransformer.reading import read_expression
from symtransformer.symbols import Literal, dimension, matrix, parameter

n, m, d, d_k, d_v, d_model, d_ff = map(dimension, ("n", "m", "d", "d_k", "d_v", "d_model", "d_ff"))
Q, K, V, X = matrix("Q", n, d_k), matrix("K", m, d_k), matrix("V", m, d_v), matrix("X", n, d_model)
A, B, C = matrix("A", n, m), matrix("B", m, d), matrix("C", n, m)
S = matrix("S", n, m)
ATTENTION = Softmax(Scaling(Product(Q, K.T), 1, sqrt(d_k))) @ V
W_1, b_1, W_2 = matrix("W_1", d_model, d_ff), matrix("b_1", d_ff, 1), matrix("W_2", d_ff, d)
b_2, W_3 = matrix("b_2", d, 1), matrix("W_3", d_model, d_ff)
W_Q, W_K, W_V = matrix("W_Q", d_model, d_k), matrix("W_K", d_model, d_k), matrix("W_V", d_model, d_v)
HALF = Literal([[1, 0], [Rational(1, 2), 1]])
BIASED = Addition(X @ W_1, Product(Ones(n, 1), b_1.T))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("softmax(Q K^T / sqrt(d_k)) V", ATTENTION),
        ("softmax(QK^T / sqrt(d_k)) V", ATTENTION),
        ("softmax(Q @ K.T / sqrt(d_k)) @ V", ATTENTION),
        ("softmax(Q*Kᵀ/√(d_k))*V", ATTENTION),
        ("Softmax((Q K^T)/(sqrt(d_k))) V", ATTENTION),
        (r"\operatorname{softmax}\left(\frac{Q K^T}{\sqrt{d_k}}\right) V", ATTENTION),
        (r"\mathrm{softmax}\!\left( \dfrac{QK^\top}{\sqrt{d_{k}}} \right)V", ATTENTION),
        (r"\text{softmax}(QK^{\mathsf T} / \sqrt{d_k})\, V", ATTENTION),
        (r"softmax(\frac{Q \cdot K^{\mathsf{T}}}{\sqrt{d_k}}) \times V", ATTENTION),
        (r"\operatorname{softmax}\bigl(\frac{\mathbf{Q}\mathbf{K}^{\mathrm T}}{\sqrt{d_k}}\bigr)\mathbf{V}", ATTENTION),
        ("Attention(Q, K, V)", ScaledDotProductAttention(Q, K, V)),
        ("ScaledDotProductAttention(queries=Q, keys=K, values=V)", ScaledDotProductAttention(Q, K, V)),
        ("SingleHead(X, W^Q, W^K, W^V)", SingleHead(X, W_Q, W_K, W_V)),
        ("SingleHead(X, W_Q, W_{K}, W^{V})", SingleHead(X, W_Q, W_K, W_V)),
        ("X W_1 + b_1", BIASED),
        ("X W_1 + 1 b_1^T", BIASED),
        (r"X W_1 + \mathbf{1} b_1^{\top}", BIASED),
        ("X W_1 + ones(n, 1) b_1^T", BIASED),
        ("ones(2, 3) / 5 + 2 ones(2, 3)", Addition(Scaling(Ones(2, 3), 1, 5), Scaling(Ones(2, 3), 2, 1))),
        ("ones(n_vocab, r) ones(r, 1)", Ones(dimension("n_vocab"), dimension("r")) @ Ones(dimension("r"), 1)),
        ("X W_1 - b_1", Addition(X @ W_1, -Product(Ones(n, 1), b_1.T))),
        ("FFN(X, W_1, b_1, W_2, b_2)", FeedForward(X, W_1, b_1, W_2, b_2)),
        ("FeedForward(X, W_1, b_1, W_2, b_2, activation=GELU)", FeedForward(X, W_1, b_1, W_2, b_2, activation="GELU")),
        ("FFN(X, W_1, W_2, GELU)", FeedForward(X, W_1, W_2, activation="GELU")),
        ("LayerNorm(X)", LayerNorm(X)),
        ("layernorm(X, eps=1e-6)", LayerNorm(X, eps=Rational(1, 10**6))),
        ("LayerNorm(X, eps = 0.000001)", LayerNorm(X, eps=Rational(1, 10**6))),
        ("LayerNorm(X, eps=10^{-6})", LayerNorm(X, eps=Rational(1, 10**6))),
        ("-2 A", Scaling(A, -2, 1)), ("-A", Scaling(A, -1, 1)), ("A / 2", Scaling(A, 1, 2)),
        ("2 A / 3", Scaling(A, 2, 3)), ("0.5 A", Scaling(A, Rational(1, 2), 1)), ("A * 2", Scaling(A, 2, 1)),
        ("(1/sqrt(d_k)) A", Scaling(A, 1 / sqrt(d_k), 1)), (r"\frac{1}{2} A", Scaling(A, Rational(1, 2), 1)),
        ("sqrt(2) A", Scaling(A, sqrt(2), 1)), ("2 sqrt(2) A", Scaling(A, 2 * sqrt(2), 1)),
        ("A / 2 / 3", Scaling(Scaling(A, 1, 2), 1, 3)), ("tau: number\ntau A", Scaling(matrix("A", n, m), parameter("tau"), 1)),
        ("2 A B", Scaling(A @ B, 2, 1)), ("(2 A) B", Scaling(A, 2, 1) @ B), ("-A B", Scaling(A @ B, -1, 1)),
        ("A / 2 * B", Scaling(A, 1, 2) @ B), ("-(2 A)", Scaling(Scaling(A, 2, 1), -1, 1)),
        ("A.T.T B", A @ B), ("A / tau", Scaling(A, 1, parameter("tau"))), ("A.T.T.T A", A.T @ A),
        ("A: n n\nA^2", matrix("A", n, n) @ matrix("A", n, n)),
        ("A: n n\nA^3 B", matrix("A", n, n) @ matrix("A", n, n) @ matrix("A", n, n) @ matrix("B", n, d)),
        ("S - causal(n, m)", Addition(S, -CausalMask(n, m))),
        ("(A + C) B", (A + C) @ B), ("A + C - A", (A + C) - A), ("A - 2 C", Addition(A, Scaling(C, -2, 1))),
        ("A ⊙ C", Hadamard(A, C)), (r"A \odot C", Hadamard(A, C)), ("A ⊘ C", EntryDivision(A, C)),
        ("A + A ⊙ C", A + Hadamard(A, C)), ("A^T A", A.T @ A), ("A.T @ A", A.T @ A),
        ("A^{T} A", A.T @ A), ("(A^T)^T B", A @ B), ("exp(S)", Exponential(S)), ("tanh(S)", Tanh(S)),
        ("exp(S) / rowsum(exp(S))", RowDivision(Exponential(S), REGISTRY["RowSum"](Exponential(S)))),
        ("sqrt(S)", SquareRoot(S)), ("gelu(S)", GELU(S)), ("sigmoid(S)", Sigmoid(S)), (r"\operatorname{sigmoid}(S)", Sigmoid(S)),
        ("SiLU(S)", SiLU(S)), ("silu(S)", SiLU(S)), ("swish(S)", SiLU(S)), ("SwiGLU(X, W_1, W_2, W_3)", SwiGLU(X, W_1, W_2, W_3)),
        ("FFN(X, W_1, W_2, SiLU)", FeedForward(X, W_1, W_2, activation="SiLU")), ("GELU(S)", GELU(S)),
        ("[[1, 0], [0.5, 1]] [[1, 0], [0.50, 1]]", HALF @ HALF),
        (r"\begin{bmatrix}1 & 0\\0.5 & 1\end{bmatrix} [[1, 0], [1/2, 1]]", HALF @ HALF),
        (r"\begin{pmatrix} 1 & 0 \\ \frac{1}{2} & 1 \\ \end{pmatrix} [[1,0],[5e-1,1]]", HALF @ HALF),
        ("S + causal(n, m)", Mask(S, CausalMask(n, m))), ("causal(n, m) + S", Mask(S, CausalMask(n, m))),
        ("mask(S, M)", Mask(S, matrix("M", n, m))),
        ("A: n m\nC: n m\nConcat(A, C, exp(A))", Concatenation(A, C, Exponential(A))),
        ("softmax(# scores\n  S\n)", Softmax(S)),
    ],
)  # fmt: skip
def test_a_form_means_its_node(text, meant):
    assert read_expression(text).expression is meant


def test_letters_with_names_of_their_own_are_products_or_names():
    assert str(read_expression("ABC").expression) == "A B C"
    assert str(read_expression("memory: n d\nsoftmax(memory)").expression) == "softmax(memory)"
    assert str(read_expression("enc1.W_Q X").expression) == "enc1.W_Q X"
    assert str(read_expression("x.T W").expression) == "x^T W"
    assert read_expression("softmax(XY)", shapes={"XY": "2 3"}).expression is Softmax(matrix("XY", 2, 3))
    assert read_expression(r"\gamma \odot X").expression is Hadamard(matrix("gamma", n, d_model), X)


def test_an_infinite_entry_makes_a_sum_a_mask():
    meant = Mask(matrix("S", 2, 2), Literal([[0, -oo], [0, 0]]))
    for text in (
        "S + [[0, -oo], [0, 0]]",
        r"S + \begin{bmatrix} 0 & -\infty \\ 0 & 0 \end{bmatrix}",
        "S + [[0, -∞], [0, 0]]",
    ):
        assert read_expression(text).expression is meant
    assert read_expression("S + M", masks=["M"]).expression is Mask(S, matrix("M", n, m))
    assert read_expression("S + M").expression is Addition(S, matrix("M", n, m))


def test_a_step_named_as_a_mask_is_one():
    reading = read_expression("M = causal(n)\nA = softmax(Q K^T / sqrt(d_k) + M)")
    key = matrix("K", n, d_k)
    assert reading.names["A"] is Softmax(Mask(Scaling(Q @ key.T, 1, sqrt(d_k)), CausalMask(n)))


def test_columns_are_added_as_columns():
    W, x, b = matrix("W", n, d), matrix("x", d, 1), matrix("b", n, 1)
    assert read_expression("W x + b").expression is Addition(W @ x, b)
    v, U = matrix("v", n, 1), matrix("U", n, dimension("d_1"))
    reading = read_expression("v^T tanh(W q + U k)")
    assert reading.letters["v"].shape == (n, 1)
    assert reading.expression is v.T @ Tanh(W @ matrix("q", d, 1) + U @ matrix("k", dimension("d_1"), 1))


def test_lines_are_named_and_used():
    reading = read_expression("# attention\nS = Q K^T / sqrt(d_k)\n\nA = softmax(S)  # weights\nA V")
    assert [name for name, _ in reading.lines] == ["S", "A", ""]
    assert reading.expression is ATTENTION
    assert reading.names["S"] is Scaling(Q @ K.T, 1, sqrt(d_k))
    tex = read_expression("S &= \\frac{QK^T}{\\sqrt{d_k}} \\\\\nA &= \\operatorname{softmax}(S)")
    assert tex.names["A"] is reading.names["A"]


def test_lines_may_give_values():
    reading = read_expression("t = 0.5\nX = [[1, 2]]\nd_k = 3\nY = t X / sqrt(d_k)")
    X1 = matrix("X", n, d_model)
    assert reading.expression is Scaling(X1, parameter("t"), sqrt(d_k))
    assert reading.values == {parameter("t"): Rational(1, 2), X1: Literal([[1, 2]]), d_k: 3}


# -- sizes -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("softmax(Q K^T / sqrt(d_k)) V", {"Q": "n d_k", "K": "m d_k", "V": "m d_v"}),
        ("softmax(Q K^T / sqrt(d_k) + causal(n)) V", {"Q": "n d_k", "K": "n d_k", "V": "n d_v"}),
        ("LayerNorm(X + X W)", {"X": "n d_model", "W": "d_model d_model"}),
        ("softmax(A B^T / sqrt(d)) C", {"A": "n m", "B": "n_1 m", "C": "n_1 d_1"}),
        ("LayerNorm(X, gamma, beta)", {"X": "n d_model", "gamma": "d_model 1", "beta": "d_model 1"}),
        ("FFN(X, W_1, b_1, W_2, b_2) + X",
         {"X": "n d_model", "W_1": "d_model d_ff", "b_1": "d_ff 1", "W_2": "d_ff d_model", "b_2": "d_model 1"}),
        ("Concat(Z_1, Z_2) W_O", {"Z_1": "n d_v", "Z_2": "n d", "W_O": "d+d_v d_model"}),
        ("MultiHead(X, W_Q, W_K, W_V, W_O, heads=2) + X",
         {"X": "n d_model", "W_Q": "d_model d_k", "W_K": "d_model d_k", "W_V": "d_model d_v", "W_O": "2*d_v d_model"}),
        ("Q: n 3\nsoftmax(Q K^T)", {"Q": "n 3", "K": "m 3"}),
        ("Q: 2 3\nsoftmax(Q K^T) V", {"Q": "2 3", "K": "n 3", "V": "n d_v"}),
        ("Z: n d\nZ = softmax(A) B", {"A": "n m", "B": "m d", "Z": "n d"}),
        ("q K^T", {"q": "1 d_k", "K": "n d_k"}),
    ],
)  # fmt: skip
def test_sizes_follow(text, sizes):
    shapes = read_expression(text).shapes
    assert {k: " ".join(str(s).replace(" ", "") for s in v) for k, v in shapes.items()} == sizes


def test_sizes_say_whether_they_were_given():
    reading = read_expression("Q: n 3\nS = t Q K^T", shapes={"t": "number"})
    assert reading.shapes_text() == "Q: n 3\nK: m 3  # inferred\nS: n m  # follows\nt: number"


def test_the_d_k_of_a_root_is_the_number_of_columns_that_q_has():
    reading = read_expression("Q: 2 3\nK: 4 3\nsoftmax(Q K^T / sqrt(d_k))")
    assert reading.values == {d_k: 3}


def test_no_name_stands_for_two_sizes():
    reading = read_expression("DecoderLayer(X, Y, W_Q, W_K, W_V, W_O, U_Q, U_K, U_V, U_O, W_1, W_2, heads=2)")
    names = [s.name for shape in reading.shapes.values() for size in shape for s in size.free_symbols]
    assert not set(names) & reading.letters.keys()
    assert reading.letters["U_K"].shape[0] == reading.letters["Y"].shape[1] != reading.letters["X"].shape[1]


def test_every_weight_of_heads_is_a_family():
    O = MultiHeadAttention(X, W_Q, W_K, W_V, matrix("W_O", 2 * d_v, d), heads=2)  # noqa: E741
    assert read_expression("MHA(X, W_Q, W_K, W_V, W_O, heads=2)").expression is O


def test_a_size_that_two_letters_have_differently_is_left_open():
    reading = read_expression("Q_1: 2 3\nQ_2: 2 5\nConcat(Q_1, Q_2) / sqrt(d_k)")
    assert reading.values == {}
    assert reading.numbers == {"d_k": d_k}
