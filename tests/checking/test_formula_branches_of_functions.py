r"""Functions, losses and derivatives on the left side: what each is judged against, with its wrong twin beside it."""

import pytest
from test_formula_branches import AGAINST

from symtransformer.checking.formulas import Formulas

# formulas before, left, right, what else is known, verdict, code or what it was judged against, remarks, what is right
FUNCTIONS = [
    ([("p", "softmax(z)"), ("L", "-Σ_i y_i log(p_i)")], "∂L/∂z_i", "p_i - y_i", {}, "proved", "own", "adds_up", ""),
    ([("p", "softmax(z)"), ("L", "-Σ_i y_i log(p_i)")], "∂L/∂y_i", "-log(p_i)", {}, "proved", "own", "domain", ""),
    ([("p", "softmax(z)"), ("L", "-Σ_i y_i log(p_i)")], "∂L/∂y_i", "log(p_i)", {}, "refuted", "own", "", ""),
    ([("L", "(w x - y)^2")], "∂L/∂w", "2 (w x - y) x", {}, "proved", "own", "", ""),
    ([("L", "(w x - y)^2")], "∂L/∂w", "2 (w x - y)", {}, "refuted", "own", "", ""),
    ([("L", "Σ_i x_i^2")], "∂L/∂x_i", "2 x_i", {}, "proved", "own", "", ""), ([("L", "Σ_i x_i^2")], "∂L/∂x", "2 x", {}, "proved", "own", "", ""),
    ([("L", "Σ_i x_i^2")], "∂L/∂x_i", "x_i", {}, "refuted", "own", "", ""), ([("J", "Σ_i x_i^2")], "∂J/∂x_i", "2 x_i", {}, "proved", "own", "", ""),
    ([("J", "Σ_i x_i^2")], "∂L/∂x_i", "2 x_i", {}, "proved", "own", "", ""), ([("L", "Σ_i x_i^2")], "dx", "2 x", {}, "proved", "own", "", ""),
    ([("L", "Σ_i x_i^2")], "dx", "3 x", {}, "refuted", "own", "", ""),
    ([("L", "Σ_i x_i^2"), ("J", "Σ_i x_i^3")], "dx", "2 x", {}, "proved", "own", "", ""),
    ([("L", "Σ_i x_i^2"), ("J", "Σ_i x_i^3")], "∂J/∂x_i", "3 x_i^2", {}, "proved", "own", "", ""),
    ([("L", "Σ_i x_i^2"), ("J", "Σ_i x_i^3")], "∂J/∂x_i", "2 x_i", {}, "refuted", "own", "", ""),
    ([("u", "x^2"), ("L", "sum(u)")], "∂L/∂x", "2 x", {}, "proved", "own", "", ""),
    ([("u", "x^2"), ("L", "sum(u)")], "∂L/∂u", "1", {}, "proved", "own", "", ""),
    ([("u", "x^2"), ("L", "sum(u)")], "∂L/∂x", "x", {}, "refuted", "own", "", ""), ([("L", "y^T x")], "∂L/∂x", "y", {}, "proved", "own", "", ""),
    ([("L", "y^T x")], "∂L/∂x", "2 y", {}, "refuted", "own", "", ""),
    ([("L", "CrossEntropy(z, y)")], "∂L/∂z", "softmax(z) - y", {}, "proved", "own", "adds_up", ""),
    ([("L", "CrossEntropy(z, y)")], "∂L/∂z", "y - softmax(z)", {}, "refuted", "own", "", ""),
    ([("L", "mean((x - t)^2)")], "∂L/∂x", "2 (x - t)/d", {}, "proved", "own", "", ""),
    ([("L", "mean((x - t)^2)")], "∂L/∂x", "2 (x - t)", {}, "refuted", "own", "", ""),
    ([("L", r"\frac{1}{n} Σ_i (x_i - t_i)^2")], "∂L/∂x_i", "2 (x_i - t_i)/n", {}, "proved", "own", "", ""),
    ([("L", r"\frac{1}{n} Σ_i (x_i - t_i)^2")], "∂L/∂x_i", "(x_i - t_i)/n", {}, "refuted", "own", "", ""),
    ([], r"\frac{d}{dx} e^x", "e^x", {}, "proved", "sides", "", ""), ([], r"\frac{d}{dx} e^x", "x e^x", {}, "refuted", "sides", "", ""),
    ([], r"\frac{d}{dx} \log(x)", r"\frac{1}{x}", {}, "proved", "sides", "", ""),
    ([], r"\frac{d}{dx} \log(x)", r"-\frac{1}{x}", {}, "refuted", "sides", "", ""),
    ([], r"\frac{d}{dx} sigma(x)", "sigma(x) (1 - sigma(x))", {}, "proved", "sides", "", ""),
    ([], r"\frac{d}{dx} x", "1", {}, "proved", "sides", "", ""), ([], r"\frac{d}{dx} x", "2", {}, "refuted", "sides", "", ""),
    ([], "d/dx x^3", "3 x^2", {}, "proved", "sides", "", ""), ([], "d/dx x^3", "2 x^2", {}, "refuted", "sides", "", ""),
    ([], r"\frac{d}{dx} ReLU(x)", "1", {}, "refuted", "sides", "", ""), ([], r"\frac{d}{dx} √x", r"\frac{1}{2 √x}", {}, "proved", "sides", "", ""),
    ([], r"\frac{d}{dx} √x", r"\frac{1}{√x}", {}, "refuted", "sides", "", ""),
    ([("y", "x^2 + 1")], r"\frac{dy}{dx}", "2 x", {}, "proved", "own", "", ""),
    ([("y", "x^2 + 1")], r"\frac{dy}{dx}", "x", {}, "refuted", "own", "", ""),
    ([("y", "x^2"), ("z", "y^2")], r"\frac{dz}{dx}", "4 x^3", {}, "proved", "own", "", ""),
    ([("y", "x^2"), ("z", "y^2")], r"\frac{dz}{dy}", "2 y", {}, "proved", "own", "", ""),
    ([("u", "x^2"), ("v", "3 u")], "∂L/∂x", "6 x ∂L/∂v", {}, "proved", "own", "", ""),
    ([("u", "x^2"), ("v", "3 u")], "∂L/∂x", "3 x ∂L/∂v", {}, "refuted", "own", "", "dx = 6 x^T"),
    ([("u", "x^2"), ("v", "3 u")], "∂L/∂x", "2 x ∂L/∂u + ∂L/∂v", {}, "refuted", "own", "", "dx = 6 x^T"),
    ([("u", "x^2"), ("v", "3 u"), ("w", "u^2")], "∂L/∂u", "3 ∂L/∂v + 2 u ∂L/∂w", {}, "proved", "own", "", ""),
    ([("u", "x^2"), ("v", "3 u"), ("w", "u^2")], "∂L/∂u", "3 ∂L/∂v", {}, "undecidable", "other_uses", "", ""),
    ([("u", "x^2"), ("v", "3 u"), ("w", "u^2")], "∂L/∂u", "3 ∂L/∂v + u ∂L/∂w", {}, "refuted", "own", "", "du = 3 dv + dw u^T + u^T dw"),
    ([("mu", "mean(x)"), ("sigma^2", "mean((x - mu)^2)"), ("z", "(x - mu)/sigma")], "∂L/∂x_i", r"\frac{1}{sigma} (∂L/∂z_i - \frac{1}{d} Σ_j ∂L/∂z_j - z_i \frac{1}{d} Σ_j z_j ∂L/∂z_j)", {}, "proved", "own", "", ""),
    ([("mu", "mean(x)"), ("sigma^2", "mean((x - mu)^2)"), ("z", "(x - mu)/sigma")], "∂L/∂x_i", r"\frac{1}{sigma} (∂L/∂z_i - \frac{1}{d} Σ_j ∂L/∂z_j)", {}, "refuted", "own", "", ""),
    ([("LayerNorm(x)", "(x - mu)/sigma")], "LayerNorm(2 x)", "LayerNorm(x)", {}, "by_convention", "sides", "eps_0", ""),
    ([], "LayerNorm(x + c)", "LayerNorm(x)", {}, "undecidable", "new_name", "", ""),
    ([], "LayerNorm(2 x)", "LayerNorm(x)", {}, "by_convention", "sides", "eps_0", ""),
    ([], "LayerNorm(2 x)", "2 LayerNorm(x)", {}, "refuted", "sides", "", ""),
    ([], "LayerNorm(x, eps)", "LayerNorm(2 x, eps)", {}, "refuted", "library", "", "LayerNorm(x, eps)"),
    ([], "softmax(x)", "softmax(x - max(x))", {}, "proved", "library", "", ""),
    ([], "softmax(x)", "softmax(x - 2 max(x))", {}, "proved", "library", "", ""),
    ([], "softmax(x)", "softmax(2 x - max(x))", {}, "refuted", "library", "", "softmax(x)"),
    ([], "log(softmax(x))", "x - log(Σ_j exp(x_j))", {}, "proved", "own", "", ""),
    ([], "log(softmax(x)_i)", "x_i - log(Σ_j exp(x_j))", {}, "proved", "own", "", ""),
    ([], "sigmoid(-x)", "1 - sigmoid(x)", {}, "proved", "sides", "", ""), ([], "sigmoid(-x)", "1 + sigmoid(x)", {}, "refuted", "sides", "", ""),
    ([], "tanh(x)", "2 sigmoid(2 x) - 1", {}, "proved", "library", "", ""),
    ([], "tanh(x)", "2 sigmoid(x) - 1", {}, "refuted", "library", "", "tanh(x)"), ([], "e^{a+b}", "e^a e^b", {}, "proved", "sides", "", ""),
    ([], "e^{a b}", "e^a e^b", {}, "refuted", "sides", "", ""), ([], "SiLU(x)", "x sigmoid(x)", {}, "proved", "library", "", ""),
    ([], "SiLU(x)", "sigmoid(x)", {}, "refuted", "library", "", "SiLU(x)"), ([], "softplus(x)", "log(1 + exp(x))", {}, "definition", "", "", ""),
    ([], "(x^2 - 1) / (x - 1)", "x + 1", {}, "proved", "sides", "domain", ""), ([], "(x^2 - 1) / (x - 1)", "x - 1", {}, "refuted", "sides", "", ""),
    ([], "√(x)^2", "x", {}, "proved", "sides", "domain", ""), ([], "a/b + c/b", "(a + c)/b", {}, "proved", "sides", "", ""),
    ([], "a/b + c/b", "(a + c)/(2 b)", {}, "refuted", "sides", "", ""), ([], "1/(1/a)", "a", {}, "proved", "sides", "domain", ""),
    ([("x", "2 y")], "x_3", "2 y_3", {}, "proved", "own", "", ""), ([("x", "2 y")], "x_3", "3 y_3", {}, "undecidable", "entry_or_name", "", ""),
    ([("Y", "X W")], "Y_1", "X_1 W", {}, "proved", "own", "", ""), ([("Y", "X W")], "y_i", "W x_i", {}, "shapes", "own", "", ""),
    ([("Y", "X W")], "y_i", "x_i W", {}, "proved", "own", "", ""), ([("Y", "X W")], "y_i", "2 x_i W", {}, "refuted", "own", "", "Y = X W"),
    ([("S", "Q K^T / √d_k")], "S", "Q K^T / √d_k + M", {}, "definition", "", "redefined", ""),
    ([("S", "Q K^T")], "s_{12}", "q_1 · k_2", {}, "proved", "own", "", ""), ([("S", "Q K^T")], "s_{1,2}", "q_1 · k_2", {}, "proved", "own", "", ""),
    ([("S", "Q K^T")], "s_{1,2}", "q_2 · k_1", {}, "refuted", "own", "", "S = Q K^T"),
    ([("σ", "X W")], "σ'(x)", "σ(x) (1 - σ(x))", {}, "proved", "sides", "", ""), ([("f", "X W")], "f'", "2 f", {}, "definition", "", "", ""),
    ([], "GELU'(x)", "Phi(x) + x exp(-x^2/2)/√(2 pi)", {}, "proved", "sides", "", ""), ([], "GELU'(x)", "Phi(x)", {}, "refuted", "sides", "", ""),
    ([("f(x)", "x^2")], "(f(x))'", "2 x", {}, "proved", "sides", "", ""), ([], "exp'(x)", "exp(x)", {}, "proved", "sides", "", ""),
    ([], "exp'(x)", "2 exp(x)", {}, "refuted", "sides", "", ""), ([], "ReLU'(x)", "1", {}, "refuted", "sides", "", ""),
    ([("f(x)", "x^2"), ("g(x)", "x x")], "f(x)", "g(x)", {}, "proved", "own", "", ""),
    ([("f(x)", "x^2"), ("g(x)", "x^3")], "f(x)", "g(x)", {}, "refuted", "own", "", ""),
    ([("f(x)", "x^2"), ("g(x)", "x x")], "f(g(x))", "x^4", {}, "proved", "own", "", ""),
    ([("f(x)", "x^2"), ("g(x)", "x x")], "f(g(x))", "x^3", {}, "refuted", "own", "", ""), ([], "f(x, y)", "x + y", {}, "definition", "", "", ""),
    ([("f(x, y)", "y + x")], "f(x, y)", "x + y", {}, "proved", "own", "", ""),
    ([("f(x, y)", "y + x")], "f(x, y)", "x - y", {}, "refuted", "own", "", ""),
    ([("f(x, y)", "y + x")], "f(2, y)", "2 + y", {}, "proved", "own", "", ""),
    ([], "FFN(x)", "max(0, x W_1 + b_1) W_2 + b_2", {}, "proved", "library", "", ""),
    ([], "FFN(x)", "max(0, x W_1) W_2", {}, "proved", "library", "", ""),
    ([], "FFN(x)", "x W_1 W_2", {}, "refuted", "library", "", "FeedForward(x, weight_1=W_1, weight_2=W_2)"),
    ([], "head_i", "Attention(Q W_i, K W_i, V W_i)", {}, "definition", "", "", ""),
    ([("P", "softmax(S)"), ("L", "log(softmax(S))")], "log(P)", "L", {}, "proved", "own", "", ""),
    ([("P", "softmax(S)")], "log(P)", "S", {}, "refuted", "own", "", ""), ([], "exp(x)", "e^x", {}, "proved", "library", "", ""),
    ([], "exp(x)", "e^{2x}", {}, "refuted", "library", "", "Exponential(x)"), ([], "exp(x)", "y", {}, "undecidable", "new_name", "", ""),
    ([], "softmax(x)", "2", {}, "refuted", "library", "", "softmax(x)"), ([], "sum(x)", "3", {}, "undecidable", "new_name", "", ""),
    ([], "softmax(x)", "p", {}, "undecidable", "new_name", "", ""), ([("A", "softmax(S)")], "softmax(S)", "A", {}, "proved", "library", "", ""),
    ([("A", "softmax(S)")], "softmax(S)", "S", {}, "refuted", "library", "", "softmax(S)"), ([], "x² + 1", "1 + x²", {}, "proved", "sides", "", ""),
    ([], "2 x² y", "y x² + x² y", {}, "proved", "sides", "", ""), ([], "2 x² y", "y x² - x² y", {}, "refuted", "sides", "", ""),
    ([], "a (b + c)", "a b + a c", {}, "proved", "sides", "", ""), ([], "a (b + c)", "a b + c", {}, "refuted", "sides", "", ""),
    ([], "A (B + C)", "A B + A C", {}, "proved", "sides", "", ""), ([], "(A + B)^T", "A^T + B^T", {}, "proved", "sides", "", ""),
    ([], "(A B)^T", "B^T A^T", {}, "proved", "sides", "", ""), ([], "(A B)^T", "A^T B^T", {}, "shapes", "sides", "", ""),
    ([], "A B C", "(A B) C", {}, "proved", "sides", "", ""), ([], "A + B", "B + A", {}, "proved", "sides", "", ""),
    ([], "A - B", "B - A", {}, "refuted", "sides", "", ""), ([], "Q", "Q", {}, "definition", "", "", ""),
    ([], "x", "x", {}, "definition", "", "", ""), ([], "2", "x", {}, "undecidable", "new_name", "", ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "left", "right", "more", "kind", "said", "remarks", "is_right"),
    FUNCTIONS,
    ids=[f"{len(case[0])} {case[1]} = {case[2]} {case[3] or ''}"[:70] for case in FUNCTIONS],
)
def test_the_verdict_and_what_it_was_judged_against(before, left, right, more, kind, said, remarks, is_right):
    formulas = Formulas()
    for name, text in before:
        formulas.add(name, text)
    found = formulas.judge(left, right, more.get("known"))
    against = [word for word in said.split() if word in AGAINST]
    assert found.kind == kind
    assert all(found.code == word for word in said.split() if word not in AGAINST)
    assert (found.against.en if found.against else "").startswith(AGAINST[against[0]] if against else "")
    assert " ".join(note.name for note in found.remarks) == remarks
    assert found.right == is_right
    assert bool(found.counterexample) is (kind == "refuted")


OPEN = [  # what is not decided, and why
    ([], "ReLU(x)", "max(1, x)", "not_compared"), ([], "MultiHead(Q, K, V)", "Concat(h_1, h_2) W_O", "not_compared"), ([], "softmax(x)", "p", "new_name"), ([], "softmax(x)", "2 p", "new_name"), ([("L", "(W - T)^2")], "∂L/∂W", "2 (W - T)", "loss"), ([], "x / √(x^2)", "1", "new_name"),
    ([], r"\frac{d}{dx} x_i^2", "2 x_i", "derivative"), ([], "σ'", "σ (1 - σ)", "derivative"), ([], "Σ_{i=1}^{n} x_i", "Σ_{i=1}^{m} x_i", "no_subject"), ([], "softmax(x + c) + y", "softmax(x)", "new_name"), ([], "x_{12}", "y", ""),
]  # fmt: skip


@pytest.mark.parametrize(("before", "left", "right", "code"), OPEN)
def test_what_is_not_decided_says_why(before, left, right, code):
    formulas = Formulas()
    for name, text in before:
        formulas.add(name, text)
    found = formulas.judge(left, right)
    assert found.kind == ("undecidable" if code else "definition")
    assert found.code == code
    assert found.against is None
    assert found.words.en.endswith(".")
    assert not found.words.ja.isascii()
