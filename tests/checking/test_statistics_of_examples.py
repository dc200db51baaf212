r"""Layer normalization in general behind an example: the μ and σ of the example are not those of every x."""

from __future__ import annotations

import pytest

from symtransformer import check

ACCUSED = ("wrong", "last_place", "refuted", "shapes")
RIGHT = ("right", "proved", "tested", "by_convention")
VALUES = (r"$\sigma^2 = 2$, ", r"$\mu = 2.5$, $\sigma^2 = 1.25$, ", r"$\sigma = 2$, ")
ONE_SIZE = (
    r"$\mu = \frac{1}{4}\sum_i x_i = 2.5$. ",
    r"$\sigma^2 = \frac{1}{4}\sum_{i=1}^4 (x_i-\mu)^2$. ",
    r"$\mu = \frac{1}{4}\sum_{i=1}^4 x_i$, $\sigma^2 = \frac{1}{4}\sum_{i=1}^4 (x_i-\mu)^2$. ",
)
TWINS = (
    (r"\mathrm{LN}(x) = \gamma \odot \frac{x - \mu}{\sqrt{\sigma^2+\epsilon}} + \beta",
     r"\mathrm{LN}(x) = \gamma \odot \frac{x + \mu}{\sqrt{\sigma^2+\epsilon}} + \beta"),
    (r"\mathrm{LN}(x) = \gamma \odot \frac{x - \mu}{\sigma} + \beta",
     r"\mathrm{LN}(x) = \gamma \odot \frac{x - \mu}{\sigma^2} + \beta"),
    (r"\mathrm{LayerNorm}(x) = (x-\mu)/\sqrt{\sigma^2+\epsilon}", r"\mathrm{LayerNorm}(x) = (x+\mu)/\sqrt{\sigma^2+\epsilon}"),
    (r"\mathrm{LayerNorm}(x) = \frac{x - \mu}{\sigma}", r"\mathrm{LayerNorm}(x) = (x - \mu) \sigma"),
)  # fmt: skip


def verdict(text: str) -> str:
    return check(text, name="a.md").equations[-1].verdict


@pytest.mark.parametrize("before", VALUES)
@pytest.mark.parametrize(("right", "wrong"), TWINS)
def test_values_of_an_example(before: str, right: str, wrong: str) -> None:
    assert verdict(f"{before}${right}$") == "proved"
    assert verdict(f"{before}${wrong}$") == "refuted"


@pytest.mark.parametrize("before", ONE_SIZE)
@pytest.mark.parametrize(("right", "wrong"), TWINS)
def test_formulas_for_one_size(before: str, right: str, wrong: str) -> None:
    assert verdict(f"{before}${right}$") not in ACCUSED
    assert verdict(f"{before}${wrong}$") not in RIGHT


def test_a_wrong_formula_of_all_sizes_is_no_example() -> None:
    before = r"$\mu = \frac{1}{d}\sum_i x_i$, $\sigma^2 = \frac{1}{d}\sum_i (x_i+\mu)^2$. "
    assert verdict(before + r"$\mathrm{LayerNorm}(x) = \frac{x - \mu}{\sigma}$") not in RIGHT


def test_a_counterexample_shows_the_values_that_it_uses() -> None:
    used = check(r"$\sigma^2 = 2$. $3 x \sigma^2 = 5 x$", name="a.md").equations[-1].counterexample
    assert used is not None
    assert used.endswith("sigma² = 2")
    left = check(r"$\sigma^2 = 2$. $\mathrm{LN}(x) = (x + \mu)/\sqrt{\sigma^2}$", name="a.md").equations[-1]
    assert left.counterexample is not None
    assert "sigma" not in left.counterexample
