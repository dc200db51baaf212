r"""A known function, a derivative, e or ∞ on the left side is a claim: it gets a verdict, and gives nothing a definition.

What is true was reckoned by hand, and by finite differences where a derivative is claimed.
"""

import math

import pytest

from symtransformer import check


def verdicts(document):
    return [e.verdict for e in check(document, name="a.md").equations]


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def gelu(x):
    return x * (1 + math.erf(x / math.sqrt(2))) / 2


def slope(function, x=0.7, step=1e-6):
    return (function(x + step) - function(x - step)) / (2 * step)


X = 0.7
DERIVATIVES = [
    (r"\sigma'(x) = \sigma(x)(1 - \sigma(x))", sigmoid, sigmoid(X) * (1 - sigmoid(X))),
    (r"\sigma'(x) = \sigma(x)(1 + \sigma(x))", sigmoid, sigmoid(X) * (1 + sigmoid(X))),
    (r"\mathrm{sigmoid}'(x) = \mathrm{sigmoid}(x)", sigmoid, sigmoid(X)),
    (r"\tanh'(x) = 1 - \tanh(x)^2", math.tanh, 1 - math.tanh(X) ** 2),
    (r"\tanh'(x) = 1 + \tanh(x)^2", math.tanh, 1 + math.tanh(X) ** 2),
    (r"\exp'(x) = x \exp(x)", math.exp, X * math.exp(X)),
    (r"\log'(x) = 1/x", math.log, 1 / X),
    (r"(\log x)' = 1/x^2", math.log, 1 / X**2),
    (r"\sin'(x) = -\cos(x)", math.sin, -math.cos(X)),
    (r"\mathrm{GELU}'(x) = \Phi(x)", gelu, (1 + math.erf(X / math.sqrt(2))) / 2),
]


@pytest.mark.parametrize(("claim", "function", "claimed"), DERIVATIVES)
def test_a_primed_function_is_its_derivative(claim, function, claimed):
    (verdict,) = verdicts(f"${claim}$")
    assert verdict == ("proved" if abs(slope(function) - claimed) < 1e-6 else "refuted")


@pytest.mark.parametrize(
    ("document", "last"),
    [
        ("$f(x) = x^2$. $f'(x) = 2x$", "proved"),
        ("$f(x) = x^2$. $f'(x) = 3x$", "refuted"),
        ("関数 $f(x) = e^{2x}$ の微分は $f'(x) = 2e^{2x}$ である。", "proved"),
        ("関数 $f(x) = e^{2x}$ の微分は $f'(x) = e^{2x}$ である。", "refuted"),
        ("$f(x) = x^2$. $f''(x) = 2$", "undecidable"),
        ("$g'(z) = g(z)(1 + g(z))$", "undecidable"),  # an equation for a g that is not told
        ("$f'(x) = W'x + b'$", "definition"),  # a second function
        ("$x' = x + a$", "definition"),
        (r"$\sigma' = \sigma(1 + \sigma)$", "undecidable"),
        (r"$\sigma = \sqrt{v}$. $\sigma' = \sigma / 2$", "definition"),
        (r"$\sigma'(x) = 1 - \sigma(x)^2$", "undecidable"),  # right if σ is tanh
        (r"Here σ denotes tanh. $\sigma'(x) = \sigma(x)(1 + \sigma(x))$", "undecidable"),
    ],
)
def test_a_prime_may_be_a_derivative_or_another_name(document, last):
    assert verdicts(document)[-1] == last


@pytest.mark.parametrize(
    ("document", "last"),
    [
        (r"$y = \sigma(z)$. $\frac{dy}{dz} = y(1 - y)$", "proved"),
        (r"$y = \sigma(z)$. $\frac{dy}{dz} = y(1 + y)$", "refuted"),
        (r"$y = x^2 + 3x$ を微分すると $\frac{dy}{dx} = 2x + 3$ である。", "proved"),
        (r"$y = x^2 + 3x$ を微分すると $\frac{dy}{dx} = 2x$ である。", "refuted"),
        ("$f(x) = x^2$. $df/dx = 2x$", "proved"),
        (r"$L(w) = w^2$. $\frac{dL}{dw} = w$", "refuted"),
        (r"$z = w x$. $\frac{\partial z}{\partial w} = x$", "proved"),
        (r"$z = w x$. $\frac{\partial z}{\partial w} = w$", "undecidable"),  # w and x may be matrices
        (r"$y = w^T x$. $\frac{\partial y}{\partial x} = w$", "proved"),
        (
            r"$y = w^T x$. $\frac{\partial y}{\partial x} = w^T$",
            "undecidable",
        ),  # so it is written where rows are counted by y
        (r"$y = x^T A x$. $\frac{\partial y}{\partial x} = x^T (A + A^T)$", "undecidable"),
        (r"$y = x^T A x$. $\frac{\partial y}{\partial x} = (A + A^T) x$", "proved"),
        (r"$y = x^T A x$. $\frac{\partial y}{\partial x} = (A - A^T) x$", "undecidable"),
        (r"$p = \mathrm{softmax}(z)$. $\frac{dp}{dz} = p(1 - p)$", "undecidable"),  # of a vector by a vector
        (r"$y = f(x)$. $\frac{dy}{dx} = f'(x)$", "undecidable"),
        (r"$\Phi(1) = 0.841$", "right"),
        (r"$\Phi(1) = 0.814$", "wrong"),
    ],
)
def test_a_derivative_of_what_has_a_formula(document, last):
    assert verdicts(document)[-1] == last


@pytest.mark.parametrize(
    ("document", "last"),
    [
        ("$e^{ab} = e^a e^b$", ("refuted", "undecidable")),
        (r"$\mathrm{e}^{ab} = \mathrm{e}^a \mathrm{e}^b$", ("refuted",)),
        ("e^(ab) = e^a e^b", ("undecidable",)),
        ("$x^{ab} = x^a x^b$", ("undecidable",)),
        ("$a^{b+c} = a^b + a^c$", ("undecidable",)),
        ("$x^n = n x$", ("undecidable",)),
        (r"$\sigma^2(x) = 1$", ("undecidable", "unparsed")),
        ("$h^{l+1} = f(h^l)$", ("definition",)),
        ("$a = 2$, $b = 3$. $e^{ab} = 403.4$", ("right",)),
        ("$a = 2$, $b = 3$. $e^{ab} = 22.2$", ("wrong",)),  # e^a b
        ("$a = 2$, $b = 3$. $2^{ab} = 12$", ("undecidable", "unparsed")),
        ("$a = 2$, $b = 3$, $x = 2$. $x^{ab} = 64$", ("unparsed", "undecidable")),
        (r"$e^{\text{pos}} = [1, 2]$", ("definition",)),
        ("$W^{enc} = [[1, 2]]$", ("definition",)),
        ("$e^a = b$", ("undecidable",)),  # b may be defined by it
        (r"$e^\infty = 0$", ("wrong",)),
        (r"$e^{\infty} = \infty$", ("right",)),
        (r"$e^{-\infty} = 0$", ("right",)),
        (r"$\tanh(\infty) = 1$", ("right",)),
        (r"$\tanh(\infty) = 3$", ("wrong",)),
        (r"$e^\infty - e^\infty = 0$", ("undecidable",)),
        (r"$e^{i\theta} = \cos\theta + i\sin\theta$", ("undecidable",)),  # i may be the imaginary unit
        (r"$e^{\theta} = \cos\theta + \sin\theta$", ("refuted",)),
    ],
)
def test_powers_of_e_are_no_names(document, last):
    assert verdicts(document)[-1] in last


@pytest.mark.parametrize(
    ("document", "last"),
    [
        (r"$a = 2$, $b = 8$. $\sqrt{ab} = 4$", "right"),
        (r"$a = 2$, $b = 8$. $\sqrt{ab} = 11.31$", "wrong"),  # √a b
        (r"$a = 2$, $b = 8$. $\sqrt{a}b = 11.31$", "right"),
        (r"$a = 2$ と $b = 8$ について $y = \sqrt{ab} = 4$", "right"),
        (r"$a = 2$ と $b = 8$ について $y = \sqrt{ab} = 11.31$", "wrong"),
        (r"$dk = 4$. $\sqrt{dk} = 2$", "right"),
        (r"$d_k = 4$. $\sqrt{{d}_k} = 2$", "right"),
        ("$A = [[1, 2], [3, 4]]$, $B = [[1, 0], [0, 2]]$. $({AB})^T = [[1, 3], [4, 8]]$", "right"),
        ("$A = [[1, 2], [3, 4]]$, $B = [[1, 0], [0, 2]]$. ${AB}^T = [[1, 0], [3, 8]]$", "wrong"),
    ],
)
def test_braces_around_a_product_say_how_far_it_goes(document, last):
    assert verdicts(document)[-1] == last


@pytest.mark.parametrize(
    ("given", "claim", "verdict"),
    [
        (r"$p = \mathrm{softmax}(x)$", r"$p_2 = e^{x_2}/\sum_j e^{x_j}$", "proved"),
        (r"$p = \mathrm{softmax}(x)$", r"$p_2 = e^{x_1}/\sum_j e^{x_j}$", "undecidable"),
        ("$S = QK^T$", r"$S_{12} = q_1 \cdot k_2$", "proved"),
        ("$S = QK^T$", r"$S_{12} = q_2 \cdot k_1$", "undecidable"),
        ("$Z = AV$ とする。", r"$Z_{12} = \sum_j A_{1j} V_{j2}$", "proved"),
        ("$Z = AV$ とする。", r"$Z_{12} = \sum_j A_{1j} V_{2j}$", "undecidable"),
        (r"$h = \tanh(Wx + b)$", r"$h_1 = \tanh(W_1 x + b_1)$", "definition"),  # a first layer
        ("$x = e + p$", "$x_1 = x + f$", "definition"),
    ],
)
def test_a_numbered_name_may_be_an_entry_of_what_has_a_formula(given, claim, verdict):
    assert verdicts(f"{given}. {claim}")[-1] == verdict


@pytest.mark.parametrize("text", ["g(x, y) = x y\n\ng(2, 5) = 10", "g(x) = x^2\n\ng(3) = 9", "g(x) = x^2\n\ng(3) = 6"])
def test_a_number_that_becomes_a_function_is_no_factor(text):
    verdicts = [e.verdict for e in check(f"g = 2\n\n{text}", name="a.txt").equations]
    assert verdicts == ["definition", "definition", "unparsed"]


@pytest.mark.parametrize("claim", ["f(2) = 5", "f(2) = 10", "f(2) + 1 = 6", "1 + f(x) = 6"])
def test_a_function_that_gets_a_value_is_no_factor(claim):
    given = "$f(x) = x^2 + 1$.\n\nAt $x = 2$, $f = 5$.\n\n"
    assert [e.verdict for e in check(f"{given}So ${claim}$.", name="a.md").equations][-1] in ("undecidable", "unparsed")
    assert [e.verdict for e in check(f"{given}So $f + 1 = 6$.", name="a.md").equations][-1] == "right"
    assert [e.verdict for e in check(f"{given}So $f + 1 = 8$.", name="a.md").equations][-1] == "wrong"
