r"""What an equation with letters is, by its left side and by what was given before: each branch, with its wrong twin beside it."""

import pytest

from symtransformer.checking.formulas import Formulas

AGAINST = {
    "own": "judged against the document's own formulas",
    "sides": "both sides were compared",
    "told": "judged by the sizes that the document gives the letters",
    "standard": "judged against scaled dot-product attention",
    "library": "judged against the library's",
}

# formulas before, left, right, what else is known, verdict, code or what it was judged against, remarks, what is right
BRANCHES = [
    ([], "2", "3", {}, "unparsed", "number", "", ""), ([], "2 + 2", "4", {}, "unparsed", "number", "", ""),
    ([], "pi", "3", {}, "unparsed", "number", "", ""), ([("S", "Q K^T")], "S", "Q K^T", {}, "proved", "own", "", ""),
    ([("S", "Q K^T")], "S", "K Q^T", {}, "definition", "", "redefined", ""), ([("S", "Q K^T")], "S", "X W", {}, "definition", "", "redefined", ""),
    ([("S", "Q K^T")], "S", "Q K", {}, "definition", "", "redefined", ""), ([("S", "Q K^T")], "s_ij", "q_i · k_j", {}, "proved", "own", "", ""),
    ([("S", "Q K^T")], "s_ij", "k_i · q_j", {}, "shapes", "own", "", ""),
    ([("S", "Q K^T / √d_k")], "s_ij", "q_i · k_j", {}, "definition", "", "redefined", ""),
    ([("S", "Q K^T / √d_k")], "s_ij", "2 q_i · k_j", {}, "refuted", "own", "", "S = Q K^T / sqrt(d_k)"),
    ([("S", "Q K^T / √d_k")], "s_ij", "a_i b_j", {}, "unparsed", "unknown_name", "", ""),
    ([("sigma^2", "var(x)")], "sigma", "std(x)", {}, "definition", "", "redefined", ""),
    ([("sigma^2", "var(x)")], "sigma^2", "var(x)", {}, "proved", "own", "", ""),
    ([("sigma", "std(x)")], "sigma^2", "var(x)", {}, "proved", "sides", "", ""),
    ([("s^2", "a + b")], "s", "a + b", {}, "undecidable", "square", "", ""),
    ([("s^2", "a + b")], "s", "√(a + b)", {}, "definition", "", "redefined", ""),
    ([("p", "softmax(x)")], "p_2", "exp(x_2) / Σ_j exp(x_j)", {}, "proved", "own", "", ""),
    ([("p", "softmax(x)")], "p_2", "exp(x_1) / Σ_j exp(x_j)", {}, "undecidable", "entry_or_name", "", ""),
    ([("p", "softmax(x)")], "p_2", "3 a", {}, "definition", "", "", ""), ([], "Q'", "R Q", {}, "definition", "", "", ""),
    ([("X'", "X W")], "X'", "X W", {}, "proved", "own", "", ""), ([], "f'(x)", "2 x", {}, "definition", "", "", ""),
    ([("f(x)", "x^2")], "f'(x)", "2 x", {}, "proved", "sides", "", ""), ([("f(x)", "x^2")], "f'(x)", "3 x", {}, "refuted", "sides", "", ""),
    ([("f(x)", "x^2")], "f(3 x)", "9 x^2", {}, "proved", "own", "", ""), ([("f(x)", "x^2")], "f(3 x)", "3 x^2", {}, "refuted", "own", "", ""),
    ([("f(x)", "x^2")], "f(x)", "x^2", {}, "proved", "own", "", ""), ([("f(x)", "x^2")], "f(x)", "x^3", {}, "refuted", "own", "", ""),
    ([], "g(x)", "x^2", {}, "definition", "", "", ""), ([], "softmax(x + c)", "softmax(x)", {}, "proved", "sides", "", ""),
    ([], "softmax(2 x)", "softmax(x)", {}, "refuted", "sides", "", ""),
    ([], "softmax(x)_i", "exp(x_i) / Σ_j exp(x_j)", {}, "proved", "library", "", ""),
    ([], "softmax(x)_i", "exp(x_i) / Σ_j exp(x_i)", {}, "refuted", "library", "", "softmax(x)"),
    ([], "sigmoid(x)", "1 / (1 + exp(-x))", {}, "proved", "library", "", ""),
    ([], "sigmoid(x)", "1 / (1 - exp(-x))", {}, "refuted", "library", "", "sigmoid(x)"),
    ([], "GELU(x)", "x Phi(x)", {}, "proved", "library", "", ""),
    ([], "GELU(x)", "0.5 x (1 + tanh(√(2/pi) (x + 0.044715 x^3)))", {}, "by_convention", "library", "tanh_gelu", ""),
    ([], "GELU(x)", "x sigmoid(1.702 x)", {}, "by_convention", "library", "sigmoid_gelu", ""),
    ([], "ReLU(x)", "max(0, x)", {}, "proved", "library", "", ""), ([], "LayerNorm(x)", "(x - mean(x)) / std(x)", {}, "proved", "library", "", ""),
    ([], "LayerNorm(x)", "(x - mean(x)) / √(var(x) + eps)", {}, "proved", "library", "", ""),
    ([], "RMSNorm(x)", "x / √(mean(x^2))", {}, "proved", "library", "", ""),
    ([], "Attention(Q, K, V)", "softmax(Q K^T / √d_k) V", {}, "proved", "library", "", ""),
    ([], "Attention(Q, K, V)", "softmax(Q K^T) V", {}, "refuted", "library", "", "ScaledDotProductAttention(Q, K, V)"),
    ([], "Attention(Q, K, V)", "softmax(Q K^T / √d_k) K", {}, "refuted", "library", "", "ScaledDotProductAttention(Q, K, V)"),
    ([], "(a + b) (a - b)", "a^2 - b^2", {}, "proved", "sides", "", ""), ([], "a b", "b a", {}, "proved", "sides", "", ""),
    ([], "A B", "B A", {}, "shapes", "sides", "", ""), ([], "Q K", "K Q", {}, "shapes", "sides", "", ""),
    ([], "W x + b", "b + W x", {}, "proved", "sides", "", ""),
    ([("Q", "X W_Q"), ("K", "X W_K")], "Q K^T", "X W_Q W_K^T X^T", {}, "proved", "own", "", ""),
    ([("Q", "X W_Q"), ("K", "X W_K")], "Q K^T", "X W_K W_Q^T X^T", {}, "refuted", "own", "", ""),
    ([("y", "f(x)")], "y", "2 x", {}, "definition", "", "redefined", ""), ([("x", "3 a")], "x", "3 a", {}, "proved", "own", "", ""),
    ([("y", "W x + b")], "z", "W x + b", {}, "definition", "", "", ""), ([("Y", "X")], "Y W", "X W", {}, "proved", "sides", "", ""),
    ([("Y", "X")], "Y W", "W X", {}, "shapes", "sides", "", ""),
    ([("S", "Q K^T"), ("A", "softmax(S)")], "A", "softmax(Q K^T)", {}, "proved", "own", "", ""),
    ([("S", "Q K^T"), ("A", "softmax(S)")], "A", "softmax(K Q^T)", {}, "shapes", "own", "", ""),
    ([("S", "Q K^T"), ("A", "softmax(S)"), ("Z", "A V")], "Z", "softmax(Q K^T) V", {}, "proved", "own", "", ""),
    ([("S", "Q K^T"), ("A", "softmax(S)"), ("Z", "A V")], "dQ", "dS K", {}, "proved", "own", "", ""),
    ([("S", "Q K^T"), ("A", "softmax(S)"), ("Z", "A V")], "dQ", "2 dS K", {}, "refuted", "own", "", "dQ = dS K"),
    ([("S", "Q K^T"), ("A", "softmax(S)"), ("Z", "A V")], "dQ", "dS Q", {}, "shapes", "own", "", ""),
    ([("S", "Q K^T"), ("A", "softmax(S)"), ("Z", "A V")], "dV", "A^T dZ", {}, "proved", "own", "", ""),
    ([("S", "Q K^T"), ("A", "softmax(S)"), ("Z", "A V")], "dV", "A dZ", {}, "shapes", "own", "", ""),
    ([("S", "Q K^T"), ("A", "softmax(S)"), ("Z", "A V")], r"\frac{\partial L}{\partial V}", r"A^T \frac{\partial L}{\partial Z}", {}, "proved", "own", "", ""),
    ([], "dQ", "dS K", {}, "refuted", "standard", "", "dQ = dS K / sqrt(d_k)"), ([], "dQ", "dS Q", {}, "shapes", "standard", "", ""),
    ([], "dS", "A ⊙ (dA - rowsum(A ⊙ dA))", {}, "proved", "standard", "", ""),
    ([("A", "softmax(S)")], r"\frac{\partial a_{ij}}{\partial s_{il}}", r"a_{ij} (\delta_{jl} - a_{il})", {}, "proved", "own", "", ""),
    ([("A", "softmax(S)")], r"\frac{\partial a_{ij}}{\partial s_{il}}", r"a_{ij} (\delta_{jl} + a_{il})", {}, "refuted", "own", "", "Σ_ij G_ij ∂A_ij/∂S = softmax(S) ⊙ (G - broadcast(rowsum(softmax(S) ⊙ G), m))"),
    ([("y", "W x")], r"\frac{\partial y}{\partial x}", "W", {}, "unparsed", "derivative", "", ""),
    ([("y", "W x")], r"\frac{\partial y}{\partial x}", "W^T", {}, "unparsed", "derivative", "", ""),
    ([("p", "softmax(z)"), ("L", "-Σ_i y_i log(p_i)")], "∂L/∂z_i", "p_i - y_i", {}, "proved", "own", "adds_up", ""),
    ([("p", "softmax(z)"), ("L", "-Σ_i y_i log(p_i)")], "∂L/∂z_i", "y_i - p_i", {}, "refuted", "own", "", ""),
    ([("p", "softmax(z)"), ("L", "-Σ_i y_i log(p_i)")], "∂L/∂z", "p - y", {}, "proved", "own", "adds_up", ""),
    ([("p", "softmax(z)"), ("L", "-Σ_i y_i log(p_i)")], "∂L/∂p_i", "-y_i / p_i", {}, "proved", "own", "domain", ""),
    ([("p", "softmax(z)"), ("L", "-Σ_i y_i log(p_i)")], "∂L/∂p_i", "y_i / p_i", {}, "refuted", "own", "", ""),
    ([("L", "(y - t)^2")], "∂L/∂y", "2 (y - t)", {}, "proved", "own", "", ""),
    ([("L", "(y - t)^2")], "∂L/∂y", "y - t", {}, "refuted", "own", "", ""),
    ([("L", r"\frac{1}{2} (y - t)^2")], r"\frac{dL}{dy}", "y - t", {}, "proved", "own", "", ""),
    ([], r"\frac{d}{dx} x^2", "2 x", {}, "proved", "sides", "", ""), ([], r"\frac{d}{dx} x^2", "3 x", {}, "refuted", "sides", "", ""),
    ([], r"\frac{d}{dx} tanh(x)", "1 - tanh(x)^2", {}, "proved", "sides", "", ""),
    ([], r"\frac{d}{dx} tanh(x)", "1 + tanh(x)^2", {}, "refuted", "sides", "", ""),
    ([], r"\frac{d}{dx} \sin(x)", r"\cos(x)", {}, "proved", "sides", "", ""),
    ([], r"\frac{d}{dx} \sin(x)", r"-\cos(x)", {}, "refuted", "sides", "", ""),
    ([("y", "x^2")], r"\frac{dy}{dx}", "2 x", {}, "proved", "own", "", ""), ([("y", "x^2")], r"\frac{dy}{dx}", "3 x", {}, "refuted", "own", "", ""),
    ([], "sigma'(x)", "sigma(x) (1 - sigma(x))", {}, "proved", "sides", "", ""),
    ([], "sigma'(x)", "sigma(x) (1 + sigma(x))", {}, "refuted", "sides", "", ""),
    ([], "sigma'(x)", "1 - sigma(x)^2", {}, "undecidable", "own_function", "", ""), ([], "tanh'(x)", "1 - tanh(x)^2", {}, "proved", "sides", "", ""),
    ([], "tanh'(x)", "1 + tanh(x)^2", {}, "refuted", "sides", "", ""), ([("Q", "X W_Q")], "Q", "X W_q", {}, "definition", "", "redefined", ""),
    ([("S", "Q K^T")], "S", "t Q K^T", {}, "definition", "", "redefined", ""), ([("A", "B C")], "A^T", "C^T B^T", {}, "proved", "own", "", ""),
    ([("A", "B C")], "A^T", "B^T C^T", {}, "shapes", "own", "", ""), ([], "Σ_j softmax(x)_j", "1", {}, "proved", "own", "", ""),
    ([], "Σ_j softmax(x)_j", "2", {}, "undecidable", "new_name", "", ""), ([], "var(x)", "mean(x^2) - mean(x)^2", {}, "proved", "sides", "", ""),
    ([], "var(x)", "mean(x^2) + mean(x)^2", {}, "refuted", "sides", "", ""), ([], "‖x‖^2", "Σ_i x_i^2", {}, "proved", "own", "", ""),
    ([], "‖x‖^2", "Σ_i x_i", {}, "undecidable", "new_name", "", ""), ([], "x · y", "Σ_i x_i y_i", {}, "proved", "own", "", ""),
    ([], "2 x", "3 x", {"known": {"x": None}}, "undecidable", "values", "", ""),
    ([], "2 x", "3 x", {"known": {"x": (2, 1)}}, "undecidable", "values", "", ""),
    ([], "A B", "B A", {"known": {"A": (2, 2), "B": (2, 2)}}, "undecidable", "values", "", ""),
    ([], "A B", "C", {"known": {"A": (2, 3), "B": (3, 4), "C": (2, 4)}}, "undecidable", "values", "", ""),
    ([], "A B", "B A", {"known": {"A": (2, 3), "B": (3, 2)}}, "shapes", "sides", "", ""),
    ([], "A + A", "2 A", {"known": {"A": (2, 3)}}, "proved", "sides", "", ""),
    ([], "A ones(3, 1)", "rowsum(A)", {"known": {"A": (2, 3)}}, "proved", "sides", "", ""),
    ([], "A A", "A^2", {"known": {"A": (2, 2)}}, "proved", "sides", "", ""),
    ([], "A B", "B A", {"told": {"A": ("n", "d"), "B": ("d", "n")}}, "shapes", "told", "", ""),
    ([], "X W", "Y", {"told": {"X": ("n", "d"), "W": ("k", "m")}}, "shapes", "told", "", ""),
    ([], "X W + X W", "2 X W", {"told": {"X": ("n", "d"), "W": ("d", "m")}}, "proved", "sides", "", ""),
    ([], "X W + W X", "2 X W", {"told": {"X": ("n", "d"), "W": ("d", "m")}}, "shapes", "told", "", ""),
    ([], "S", "q_i · k_j", {"relation": "≈"}, "definition", "", "", ""),
    ([], "2 x", "3 x", {"relation": "≈"}, "undecidable", "approximate sides", "", ""),
    ([], "2 x", "3 x", {"relation": "=", "condition": "i = j"}, "undecidable", "condition", "", ""),
    ([], "2 x", "x + x", {"condition": "i = j"}, "proved", "sides", "", ""),
    ([("A", "softmax(S)")], r"\frac{\partial a_{ij}}{\partial s_{il}}", "a_{ij} (1 - a_{ij})", {"condition": "j = l"}, "tested", "own", "", ""),
    ([("A", "softmax(S)")], r"\frac{\partial a_{ij}}{\partial s_{il}}", "-a_{ij} a_{il}", {"condition": "j ≠ l"}, "tested", "own", "", ""),
    ([("A", "softmax(S)")], r"\frac{\partial a_{ij}}{\partial s_{il}}", "a_{ij} a_{il}", {"condition": "j ≠ l"}, "refuted", "own", "", "Σ_ij G_ij ∂A_ij/∂S = softmax(S) ⊙ (G - broadcast(rowsum(softmax(S) ⊙ G), m))"),
    ([("A", "softmax(S)")], r"\frac{\partial a_{ij}}{\partial s_{il}}", "a_{ij}", {"condition": "x in X"}, "undecidable", "undecidable", "", ""),
    ([], "f(x) + f y", "f(x + y)", {}, "unparsed", "unknown_function", "", ""), ([], "f(x) + f", "2 f", {}, "unparsed", "unknown_function", "", ""),
    ([], "A(x) A", "1", {}, "unparsed", "unknown_function", "", ""), ([("S", "Q K^T")], "t S", "2 S", {}, "undecidable", "new_name", "", ""),
    ([], "t q", "q t", {}, "proved", "sides", "", ""), ([("S", "Q K^T")], "S_2", "Q K^T", {}, "definition", "", "", ""),
    ([("S", "Q K^T"), ("S", "Q W")], "dQ", "dS K", {}, "shapes", "own", "", ""),
    ([("Q", r"\foo X")], "Q", "X W", {}, "definition", "", "redefined", ""),
    ([("Q", "Σ_i x")], "2 Q", "3 Q", {}, "undecidable", "unread_before", "", ""),
    ([("Q", r"\foo X"), ("S", "3 Q")], "S", "2 Q", {}, "definition", "", "redefined", ""),
    ([("Q", "foo(X, Y, Z)")], "Q R", "R Q", {}, "undecidable", "unread_before", "", ""),
    ([], "Σ_{i=1}^{n} x_i", "Σ_i x_i", {}, "proved", "own", "", ""),
    ([], "Σ_{i=1}^{n} x_i", "Σ_{i=1}^{m} x_i", {}, "undecidable", "no_subject", "", ""),
    ([("S", "Q K^T"), ("A", "softmax(S)")], "dS_2", "dS", {}, "undecidable", "no_subject", "", ""),
    ([], "x_i", "2 x_i", {}, "definition", "", "", ""), ([], "x_i + x_i", "2 x_i", {}, "proved", "own", "", ""),
    ([], "x_i + x_i", "3 x_i", {}, "undecidable", "new_name", "", ""), ([("x", "2 y")], "x_i + x_i", "3 x_i", {}, "refuted", "own", "", "x_i + x_i"),
    ([("x", "2 y")], "x_i + x_i", "2 x_i", {}, "proved", "own", "", ""), ([("x", "2 y")], "x_i", "2 y_i", {}, "proved", "own", "", ""),
    ([("x", "2 y")], "x_i", "3 y_i", {}, "refuted", "own", "", "x = 2 y"),
    ([("Y", "X + Z"), ("Z", "X W")], "Y", "X + Z", {}, "proved", "own", "", ""),
    ([("Y", "X + Z"), ("Z", "X W")], "Y", "X + X W", {}, "proved", "own", "", ""),
    ([("Y", "X + Z"), ("Z", "X W")], "Y", "X + W X", {}, "definition", "", "redefined", ""),
    ([("Y", "X + Z"), ("Z", "X W")], "Y", "X - X W", {}, "definition", "", "redefined", ""),
    ([("S", "Q K^T")], "Q K^T", "S", {}, "proved", "own", "", ""), ([("S", "Q K^T")], "K Q^T", "S", {}, "shapes", "own", "", ""),
    ([("S", "Q K^T")], "K Q^T", "S^T", {}, "proved", "own", "", ""), ([("S", "Q K^T")], "Q^T K", "S", {}, "shapes", "own", "", ""),
    ([("A", "X W"), ("B", "X W")], "A", "B", {}, "proved", "own", "", ""),
    ([("A", "X W"), ("B", "2 X W")], "A", "B", {}, "definition", "", "redefined", ""),
    ([("A", "X W"), ("B", "A"), ("C", "A")], "B", "C", {}, "proved", "own", "", ""), ([], "h", "x + f(x)", {}, "definition", "", "not_used", ""),
    ([], "h_2", "h_1 + 1", {}, "definition", "", "not_used", ""), ([], "x^2", "4", {"known": {"x": None}}, "definition", "", "", ""),
    ([], "x", "2", {}, "definition", "", "", ""), ([], "O(n)", "n", {}, "unparsed", "big_o", "", ""),
    ([], "x^T y", "y^T x", {}, "proved", "sides", "", ""), ([], "x^T y", "x y^T", {}, "unparsed", "vectors", "", ""),
    ([("Q", "X W_Q")], "Q", "X W_Q", {"is_concluded": True}, "proved", "own", "", ""),
    ([("X", "Z"), ("W", "Z"), ("Q", "X W_Q"), ("W_Q", "Z^T")], "Q", "X W", {"is_concluded": True}, "refuted", "own", "", ""),
    ([("X", "Y + 1"), ("Q", "3 X")], "Q", "2 X", {"is_concluded": True}, "undecidable", "unread_before", "", ""),
    ([("X", "Y + 1"), ("Q", "3 X")], "Q", "2 X", {}, "definition", "", "redefined", ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "left", "right", "more", "kind", "said", "remarks", "is_right"),
    BRANCHES,
    ids=[f"{len(case[0])} {case[1]} = {case[2]} {case[3] or ''}"[:70] for case in BRANCHES],
)
def test_the_verdict_its_code_and_what_it_was_judged_against(before, left, right, more, kind, said, remarks, is_right):
    formulas = Formulas()
    for name, text in before:
        formulas.add(name, text)
    given = dict(more)
    found = formulas.judge(left, right, given.pop("known", None), told=given.pop("told", None), **given)
    codes = [word for word in said.split() if word not in AGAINST]
    against = [word for word in said.split() if word in AGAINST]
    assert found.kind == kind
    assert not codes or found.code == codes[0]
    assert (found.against.en if found.against else "").startswith(AGAINST[against[0]] if against else "")
    assert bool(found.against) is bool(against)
    assert " ".join(note.name for note in found.remarks) == remarks
    assert found.right == is_right
    assert bool(found.counterexample) is (kind == "refuted")
    assert not found.words.en.endswith("..")
    assert not found.words.ja.isascii()


VALUES = [  # b = 1: what holds for this b only, what holds for no b, what holds for all
    ("2 b c^2", "2 c^2", "undecidable"),
    ("2 b c^2", "3 c^2", "undecidable"),
    ("2 b c^2", "b c^2 + b c^2", "proved"),
    ("b (c + 1)", "b c + b", "proved"),
]


@pytest.mark.parametrize(("left", "right", "kind"), VALUES)
def test_what_may_hold_for_the_value_that_is_given_is_not_refuted(left, right, kind):
    formulas = Formulas()
    formulas.add("c", "y + z")
    assert formulas.judge(left, right, {"b": None}).kind == kind
    assert formulas.judge(left, right).kind == (kind if kind == "proved" else "refuted")
