"""How wide a formula looks is counted in signs, and words are words."""

import pytest
from sympy import Rational, Symbol, exp, pi, sqrt

from symtransformer.rendering.latex_text import displayed, escape, readable, width_of
from symtransformer.scalars import LatexScalars

# what is seen, counted by hand: a matrix is as wide as its widest row with brackets, two for each gap
WIDTHS = {
    "": 0, "a": 1, "a + b": 3, "ab = cd": 6, "猫": 2, "a猫b": 4, r"\alpha": 1, r"\alpha\beta c": 3, r"d_{k}^{2}": 3,
    r"\frac{1}{200}": 3, r"\dfrac{1234}{5}": 4, r"\frac{a^{2}}{b}": 2, r"\mathbf{xyz}": 3, r"\left( x \right)": 3,
    r"\begin{bmatrix}1 & 23\\456 & 7\end{bmatrix}": 8, r"\begin{matrix}1\\[2ex]22\end{matrix}": 4,
    r"\begin{pmatrix}1 & 2 & 3\end{pmatrix} = 5": 12,
    r"\begin{bmatrix}\begin{bmatrix}1 & 2\end{bmatrix} & 3\end{bmatrix}": 11, r"\blank": 8,
    r"\begin{array}{l}\text{cat}\\[2ex]\text{sleeps}\end{array}": 8,
}  # fmt: skip


@pytest.mark.parametrize("text", WIDTHS)
def test_a_formula_is_as_wide_as_it_looks(text):
    assert width_of(text) == WIDTHS[text]


def test_a_fraction_in_a_fraction_is_as_large_as_one_alone():
    inner = r"\left(\frac{\partial L}{\partial S}\right)^{\mathsf T} Q"
    assert readable(rf"\frac{{{inner}}}{{\sqrt{{d_{{k}}}}}}") == (
        r"\frac{\left(\dfrac{\partial L}{\partial S}\right)^{\mathsf T} Q}{\sqrt{d_{k}}}"
    )
    for same in (
        r"\frac{a}{b} \frac{c}{d}",
        r"e^{\frac{a}{b}}",
        r"\frac{e^{\frac{a}{b}}}{\sqrt{\frac{1}{d}}}",
        r"\frac{a}{b}{\frac{c}{d}}",
    ):
        assert readable(same) == same
    assert readable(r"\frac{a}{\frac{b}{\frac{c}{d}}}") == r"\frac{a}{\dfrac{b}{\dfrac{c}{d}}}"
    assert (
        readable(r"\frac{1 - \tanh{\left(\frac{a}{2} \right)}}{2}")
        == r"\frac{1 - \tanh{\left(\dfrac{a}{2} \right)}}{2}"
    )


def test_every_fraction_in_an_entry_is_as_large_as_one_alone():
    assert displayed(r"\frac{1}{2} + \frac{t}{3}") == r"\dfrac{1}{2} + \dfrac{t}{3}"
    assert displayed(r"\followed \frac{\frac{a}{b}}{c}") == r"\followed \dfrac{\dfrac{a}{b}}{c}"
    assert displayed(r"e^{\frac{a}{b}} + \sqrt{\frac{a}{b}}") == r"e^{\frac{a}{b}} + \sqrt{\frac{a}{b}}"


t = Symbol("t")
EXPONENTS = {  # by hand
    exp(Rational(5, 2)): "e^{5/2}", exp(-Rational(5, 2)): "e^{-5/2}", exp(2 / t): "e^{2/t}", exp(-1 / t): "e^{-1/t}",
    exp(3 / (2 * t)): r"e^{3/\left(2 t\right)}", exp((1 + t) / t): r"e^{\left(1 + t\right)/t}", exp(-t): "e^{- t}",
    exp(t**2 / 2): "e^{t^{2}/2}", exp(1 / sqrt(pi)): r"e^{1/\sqrt{\pi}}", exp(3 * t / 10): "e^{0.3 t}", exp(7): "e^{7}",
}  # fmt: skip


@pytest.mark.parametrize("power", EXPONENTS, ids=str)
def test_a_fraction_in_an_exponent_has_a_slash(power):
    assert LatexScalars().doprint(power) == EXPONENTS[power]


def test_signs_that_would_join_stand_apart():
    assert escape("a---b") == "a-{}-{}-b"
    assert escape("''''") == "'{}'{}'{}'"
    assert escape("--a--") == "-{}-a-{}-"
    assert escape("α Ω ϕ") == r"$\alpha$ $\Omega$ ϕ"
    assert escape("\\{}$&#%`_^~<>") == (
        r"\textbackslash{}\{\}\$\&\#\%\textasciigrave{}\_\textasciicircum{}\textasciitilde{}\textless{}\textgreater{}"
    )
