r"""Right lines that were refuted: variances of random variables, softmax of a column, ŷ as it is typed."""

from __future__ import annotations

import pytest

from symtransformer import check

SPEAKS = "Components are independent with mean 0 and variance 1. Then "
GIVEN = "Let $q = [1, 2]$, $k = [0, 1]$, $d_k = 2$. "
SOFTMAX = r"$p_i = \frac{e^{z_i}}{\sum_j e^{z_j}}$"
LOSS = r"$L = -\sum_i y_i \log p_i$, $\hat y = \mathrm{softmax}(z)$. "
ACCUSED = ("wrong", "last_place", "refuted", "shapes")
RIGHT = ("right", "proved", "tested", "by_convention")


def verdict(text: str) -> str:
    return check(text, name="a.md").equations[-1].verdict


@pytest.mark.parametrize("before", [r"$s_{ij} = q_i \cdot k_j$. ", r"$s_{ij} = q_i^T k_j / \sqrt{d_k}$. ", GIVEN, ""])
@pytest.mark.parametrize("claim", [
    r"$\operatorname{Var}(q\cdot k) = d_k$.", r"$\operatorname{Var}(q\cdot k / \sqrt{d_k}) = 1$.",
    r"$\mathbb{E}[q \cdot k] = 0$.", r"$\operatorname{Var}(q\cdot k) = 2 d_k$.", r"$\mathbb{E}[q \cdot k] = d_k$.",
])  # fmt: skip
def test_random_variables_are_open(before: str, claim: str) -> None:
    assert verdict(before + SPEAKS + claim) not in (*ACCUSED, *RIGHT)


def test_the_variance_of_one_number_is_no_number() -> None:
    assert verdict(GIVEN + r"$\operatorname{Var}(q\cdot k) = 2$") not in (*ACCUSED, *RIGHT)
    assert verdict(GIVEN + r"$\operatorname{Var}(q\cdot k) = 0$") not in (*ACCUSED, *RIGHT)


@pytest.mark.parametrize("before", ["", SPEAKS])
def test_the_variance_of_entries_is_computed(before: str) -> None:
    assert verdict(f"{before}$x = [1, 3]$. $\\operatorname{{Var}}(x) = 1$") in RIGHT
    assert verdict(f"{before}$x = [1, 3]$. $\\operatorname{{Var}}(x) = 3$") in ACCUSED


@pytest.mark.parametrize("z", ["$z = Wx + b$", "$z = W x$", "$z = xW + b$", "$z = x W$"])
def test_softmax_of_a_column_goes_over_its_entries(z: str) -> None:
    assert verdict(f"{z}, {SOFTMAX}. $\\sum_i p_i = 1$") not in ACCUSED
    assert verdict(f"{z}, {SOFTMAX}. $\\sum_i p_i = 2$") not in RIGHT


def test_softmax_of_a_column_is_decided() -> None:
    assert verdict(f"$z = Wx + b$, {SOFTMAX}. $\\sum_i p_i = 1$") in RIGHT
    assert verdict(f"$z = Wx + b$, {SOFTMAX}. $\\sum_i p_i = 2$") == "refuted"


def test_a_letter_with_a_hat_is_what_the_document_says() -> None:
    before = f"{SOFTMAX}, {LOSS}"
    assert verdict(before + r"$\frac{\partial L}{\partial z} = \hat y - y$") in RIGHT
    assert verdict(before + r"$\frac{\partial L}{\partial z} = ŷ - y$") in RIGHT
    assert verdict(before + r"$\frac{\partial L}{\partial z} = y - \hat y$") == "refuted"
    assert verdict(before + r"$\frac{\partial L}{\partial z} = \hat y + y$") == "refuted"
