r"""Formulas of numbers and entries, tested with numbers for their letters: what holds, and twins that do not.

What holds is known from calculus; gradients are compared with central differences of NumPy below.
"""

from __future__ import annotations

import numpy as np
import pytest

from symtransformer.checking.checks import check
from symtransformer.checking.free_judging import entries_equal, formula_of
from symtransformer.reading.free_formulas import read_free


def equal(left, right, given=(), opaque=()):
    made = [formula_of(read_free(a), read_free(b)) for a, b in given]
    return entries_equal(read_free(left), read_free(right), dict(m for m in made if m), opaque) > 0


NORM = [
    (r"\mu", r"\frac{1}{N} \sum_{i=1}^N x_i"), (r"\sigma^2", r"\frac{1}{N} \sum_{i=1}^N (x_i - \mu)^2"),
    (r"\hat{x}_i", r"\frac{x_i - \mu}{\sqrt{\sigma^2 + \epsilon}}"), ("y_i", r"\gamma_i \cdot \hat{x}_i + \beta_i"),
]  # fmt: skip
WHOLE = [
    (r"\mu", r"\frac{1}{n} \sum_{i=1}^n X_i"), (r"\sigma", r"\sqrt{\frac{1}{n} \sum_{i=1}^n (X_i - \mu)^2}"),
    (r"\hat{X}", r"\frac{X - \mu}{\sigma}"), ("Y", r"\gamma \odot \hat{X} + \beta"),
]  # fmt: skip
LOSS = [("a_j", r"\frac{e^{z_j}}{\sum_k e^{z_k}}"), ("L", r"-\sum_k y_k \log a_k")]
TO_INPUT = r"\frac{1}{N\sqrt{\sigma^2 + \epsilon}} [N \frac{\partial L}{\partial y_i} \gamma_i - \sum_{j=1}^N \frac{\partial L}{\partial y_j} \gamma_j - \hat{x}_i \sum_{j=1}^N \frac{\partial L}{\partial y_j} \gamma_j \hat{x}_j]"

TWINS = [  # left, what it is, what it is not, formulas before
    (r"\frac{1}{p_k} p_k p_j", "p_j", "p_k", ()),
    (r"\frac{1}{2^{\frac{8}{n}}}", r"2^{-\frac{8}{n}}", r"2^{\frac{8}{n}}", ()),
    (r"\frac{e^{S_{ij}}}{e^{l_i}}", r"2^{(\log_2 e) (S_{ij} - l_i)}", r"2^{(\log_2 e) S_{ij} - l_i}", ()),
    (r"\frac{\partial}{\partial o_k} \sum_i e^{o_i}", "e^{o_k}", r"\sum_i e^{o_i}", ()),
    (r"\frac{\partial}{o_k} \sum_i e^{o_i}", "e^{o_k}", "2 e^{o_k}", ()),
    (r"\cos m\theta \cos n\theta + \sin m\theta \sin n\theta", r"\cos (m\theta - n\theta)", r"\cos (m\theta + n\theta)", ()),
    (r"\sum_{j=1}^m \sum_{i=1}^n x_{ij}", r"\sum_{i=1}^n \sum_{j=1}^m x_{ij}", r"m \sum_{i=1}^n x_{ij}", ()),
    (r"\sum_{k \neq i} x_k^2", r"\sum_k x_k^2 - x_i^2", r"\sum_k x_k^2 + x_i^2", ()),
    (r"|x_i|^2", "x_i^2", "-x_i^2", ()),
    (r"\sqrt{x_i^2}", "|x_i|", "x_i", ()),
    (r"\sum_i |x_i|", r"\sum_j |x_j|", r"|\sum_i x_i|", ()),
    (r"\sqrt{(x - 7)^2}", "|x - 7|", "7 - x", ()), ("|x_i + y_i|^2", "(x_i + y_i)^2", "|x_i|^2 + |y_i|^2", ()),
    (r"\frac{\partial \mu}{\partial x_i}", r"\frac{1}{N}", r"\frac{2}{N}", NORM),
    (r"\sum_{j=1}^N (x_j - \mu)^2", r"\sum_{j=1}^N x_j^2 - N \mu^2", r"\sum_{j=1}^N x_j^2 - \mu^2", NORM),
    (r"\frac{\partial \sigma^2}{\partial x_i}", r"\frac{2}{N}(x_i - \mu)", r"\frac{1}{N}(x_i - \mu)", NORM),
    (r"\frac{\partial}{\partial x_i} \frac{1}{\sqrt{\sigma^2 + \epsilon}}", r"-\frac{1}{N} \frac{1}{\sqrt{\sigma^2 + \epsilon}^2} \hat{x}_i", r"-\frac{1}{N} \frac{1}{\sqrt{\sigma^2 + \epsilon}^3} \hat{x}_i", NORM),
    (r"\frac{\partial \hat{x}_i}{\partial x_j}", r"(1_{i = j} - \frac{1}{N} - \frac{1}{N} \hat{x}_i \hat{x}_j) \frac{1}{\sqrt{\sigma^2 + \epsilon}}", r"(1 - \frac{1}{N} - \frac{1}{N} \hat{x}_i \hat{x}_j) \frac{1}{\sqrt{\sigma^2 + \epsilon}}", NORM),
    (r"\frac{\partial L}{\partial x_i}", r"\sum_{j=1}^N \frac{\partial L}{\partial \hat{x}_j} \frac{\partial \hat{x}_j}{\partial x_i}", r"\frac{\partial L}{\partial \hat{x}_i} \frac{\partial \hat{x}_i}{\partial x_i}", NORM),
    (r"\frac{\partial L}{\partial x_i}", TO_INPUT, TO_INPUT.replace(r"\gamma_j \hat{x}_j", r"\hat{x}_j"), NORM),
    (r"\frac{\partial L}{\partial \gamma_i}", r"\frac{\partial L}{\partial y_i} \hat{x}_i", r"\frac{\partial L}{\partial y_i} x_i", NORM),
    (r"\frac{\partial L}{\partial \beta_i}", r"\frac{\partial L}{\partial y_i}", r"\frac{\partial L}{\partial \gamma_i}", NORM),
    (r"\frac{\partial \sigma}{\partial X_j}", r"\frac{1}{n\sigma}(X_j - \mu)", r"\frac{1}{n}(X_j - \mu)", WHOLE),
    (r"\frac{\partial \hat{X}_i}{\partial \sigma}", r"-\frac{\hat{X}_i}{\sigma}", r"\frac{\hat{X}_i}{\sigma}", WHOLE),
    (r"\nabla_{X_i}", r"\frac{1}{\sigma}\nabla_{\hat{X}_i} - \frac{1}{n\sigma}\sum_{j=1}^n \nabla_{\hat{X}_j} - \frac{\hat{X}_i}{n\sigma}\sum_{j=1}^n \nabla_{\hat{X}_j}\hat{X}_j", r"\frac{1}{\sigma}\nabla_{\hat{X}_i} - \frac{1}{n\sigma}\sum_{j=1}^n \nabla_{\hat{X}_j}", WHOLE),
    (r"\frac{\partial L}{\partial z_i}", r"a_i \sum_k y_k - y_i", "a_i - y_i", LOSS),
    (r"\frac{\partial L}{\partial z_i}", r"-\sum_k y_k \frac{1}{a_k} \frac{\partial a_k}{\partial z_i}", r"-\sum_k \frac{1}{a_k} \frac{\partial a_k}{\partial z_i}", LOSS),
]  # fmt: skip


@pytest.mark.parametrize(
    ("left", "right", "wrong", "given"), TWINS, ids=[f"{k} {t[0][:40]}" for k, t in enumerate(TWINS)]
)
def test_what_holds_is_tested_and_its_twin_is_not(left, right, wrong, given):
    assert equal(left, right, given)
    assert not equal(left, wrong, given)


OPEN = [  # true or not, it is not to be told here: letters that may be matrices or functions, what is not known
    (r"\log \frac{a}{b}", r"\log a - \log b", ()), ("u_i", "v_i + 1", (("u_i", "v_i + 1"), ("v_i", "u_i - 1"))), ("A B", "B A", ()), ("A B", "A B", ()), ("e^A e^B", "e^{A + B}", ()), ("q_i k_j v_j", "q_i v_j k_j", ()), ("x^T y_i", "y_i x^T", ()),
    (r"\mathbf{x}_i \mathbf{y}_j", r"\mathbf{y}_j \mathbf{x}_i", ()), ("f(x_i) y_i", "f(y_i) x_i", ()), ("f(x_i + y_i)", "f x_i + f y_i", ()),
    (r"\frac{\partial L}{\partial W}", r"\frac{\partial L}{\partial Y} X", (("Y", "W X"),)),
    (r"\frac{\partial L}{\partial Q}", r"\frac{\partial L}{\partial S} K", (("S", "Q K"),)),
    (r"\frac{\partial}{\partial o_k} \log(p_k)", r"5 \frac{\partial}{\partial o_k} (p_k)", ()),
    (r"\nabla_{\hat{X}}", r"5 \frac{\partial L}{\partial \hat{X}}", WHOLE), ("a / b c", "a / (b c)", ()), (r"\log a b", r"\log (a b)", ()),
    (r"\sin (a) b", r"\sin (a b)", ()), (r"\frac{1}{n}\sum_{i=1}^m x_i", r"\frac{1}{m}\sum_{i=1}^m x_i", ()), ("a \\otimes b", "a b", ()),
    (r"\sum_{j=1}^n x_{ij}", r"\sum_{i=1}^n x_{ij}", ()), (r"\int x dx", r"\int x dx", ()), ("x_i", "x_j", ()), (r"\lim_{n \to 0} n", "0", ()),
    ("|x_i + y_i|", "|x_i| + |y_i|", ()), ("|x + 3|", "x + 3", ()), ("|1000 - x|", "1000 - x", ()), ("|x + 10^6|", "x + 10^6", ()), ("|x^2 - 0.00001|", "x^2 - 0.00001", ()), ("|x_i - 5|", "5 - x_i", ()), ("||x| - |y||", "|x - y|", ()),
    (r"\frac{db}{dx}", r"\frac{b}{x}", ()), (r"\frac{\Delta y_i}{\Delta x_i}", r"\frac{y_i}{x_i}", ()), (r"\frac{d a}{d b}", r"\frac{a}{b}", (("a", "x^2"), ("b", "3 x"))),
    (r"\frac{\partial h_t}{\partial w}", "(1 - h_t^2) h_{t-1}", (("h_t", r"\tanh(w h_{t-1} + x_t)"),)),
    (r"\sum_{i=1}^n x_i", r"\sum_{i=1}^m x_i", ()), (r"\frac{\partial}{\partial x_i} x_i^2", "2 x_j", ()), ("x_i", "-x_i", ()),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "given"), OPEN, ids=[f"{k} {t[0][:40]}" for k, t in enumerate(OPEN)])
def test_what_may_mean_something_else_is_left_open(left, right, given):
    assert not equal(left, right, given)


def test_a_letter_with_an_unknown_formula_is_not_differentiated():
    claim = r"\frac{\partial}{\partial o_k} (p_k o_k)^2", "2 p_k^2 o_k"
    assert equal(*claim)
    assert not equal(*claim, opaque=("p",))


def test_the_gradients_above_are_those_of_central_differences():
    rng = np.random.default_rng(3)
    x, gamma, beta, w, eps, n = rng.normal(size=5), rng.normal(size=5), rng.normal(size=5), rng.normal(size=5), 0.3, 5

    def normed(x):
        return (x - x.mean()) / np.sqrt(((x - x.mean()) ** 2).mean() + eps)

    def loss(x):
        return float(w @ (gamma * normed(x) + beta))

    numeric = np.array([(loss(x + h) - loss(x - h)) / 2e-6 for h in np.eye(n) * 1e-6])
    g, root = w * gamma, np.sqrt(x.var() + eps)
    hat = normed(x)
    assert np.allclose(numeric, (n * g - g.sum() - hat * (g @ hat)) / (n * root), atol=1e-6)  # TO_INPUT
    assert not np.allclose(numeric, (n * g - g.sum() - hat * (w @ hat)) / (n * root), atol=1e-3)  # and its twin


def test_in_a_document():
    text = "\n\n".join(f"$${a} = {b}$$" for a, b in (*NORM, (r"\frac{\partial L}{\partial x_i}", TO_INPUT)))
    found = check(text, name="own.md").equations
    assert found[-1].verdict == "tested"
    assert "numbers drawn" in found[-1].words.en
    assert "乱数" in found[-1].words.ja
    wrong = check(text.replace(r"\gamma_j \hat{x}_j", r"\hat{x}_j"), name="own.md").equations
    assert wrong[-1].verdict == "undecidable"
    later = text.replace(r"$$\frac{\partial L}", "Now $$\\sigma^2 = \\Vert x \\Vert$$\n\n$$\\frac{\\partial L}", 1)
    assert check(later, name="own.md").equations[-1].verdict == "undecidable"  # σ is another one by then


def test_what_was_made_of_a_letter_that_gets_another_formula_is_not_differentiated():
    given = "$$u_i = x_i^2$$\n\n$$v_i = 2 u_i$$\n\n"
    claims = [rf"$$\frac{{\partial v_i}}{{\partial x_i}} = {right}$$" for right in ("4 x_i", "6 x_i^2")]
    assert check(given + claims[0], name="own.md").equations[-1].verdict in ("tested", "proved")
    for claim in claims:
        assert check(given + "$$u_i = x_i^3$$\n\n" + claim, name="own.md").equations[-1].verdict == "undecidable"


@pytest.mark.parametrize("right", ["6 a_i^2", "9 a_i^2"])
def test_a_derivative_of_a_power_beside_what_rests_on_the_letter_too_has_two_readings(right):
    assert not equal(r"\frac{\partial}{\partial a_i} a_i^2 b_i", right, (("b_i", "3 a_i"),))
    assert equal(r"\frac{\partial}{\partial a_i} a_i^2 b_i", "2 a_i b_i")
    assert equal(r"\frac{\partial}{\partial a_i} (a_i^2 b_i)", "9 a_i^2", (("b_i", "3 a_i"),))
