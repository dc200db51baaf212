"""d/dx and ∇_x of something else than a loss: derivatives, whatever values d and x have, and never products."""

import pytest

from symtransformer import check
from symtransformer.checking.equations import ACCEPTED, ACCUSING


def last(text, name="a.md"):
    return check(text, name=name).equations[-1].verdict


@pytest.mark.parametrize("given", ["", "Let $d = 512$ and $x = 2$. ", "Let $x = (1, 2)$ and $d = 512$. "])
@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (r"\frac{d}{dx} x^2 = 2x", "proved"), (r"\frac{d}{dx} x^2 = 3x", "refuted"), (r"\frac{d}{dx} e^x = e^x", "proved"), (r"\frac{d}{dx} e^x = x e^x", "refuted"),
        (r"\frac{\mathrm{d}}{\mathrm{d}x} \sin x = \cos x", "proved"), (r"\frac{\mathrm{d}}{\mathrm{d}x} \sin x = -\cos x", "refuted"),
    ],
)  # fmt: skip
def test_a_derivative_by_a_letter_is_no_quotient(given, claim, expected):
    assert last(f"{given}${claim}$") == expected


def test_a_quotient_is_no_derivative():
    assert last(r"Let $d = 512$, $h = 8$. $\frac{d}{h} = 64$") == "right"
    assert last(r"Let $d = 512$, $d_x = 8$. $\frac{d}{d_x} = 64$") == "right"
    assert last(r"Let $d = 512$, $h = 8$. d / h = 65", "a.txt") == "last_place"
    assert last("d = 512\ndk = 64\nd/dk = 8", "a.txt") == "right"
    assert last("d = 512\ndk = 64\nd/dk = 9", "a.txt") == "last_place"


@pytest.mark.parametrize(
    "text",
    [
        r"Let $d = 64$, $x = 3$. $\frac{d}{dx} x^2 = 6$", r"Let $d = 64$, $x = 3$. $\frac{d}{dx} (x^2) = 3$", r"Let $d = 512$, $x = 2$. $\frac{d}{dx} = 0.5$",
    ],
)  # fmt: skip
def test_a_number_may_be_the_derivative_at_one_place(text):
    assert last(text) not in (*ACCEPTED, *ACCUSING)


@pytest.mark.parametrize(
    "text",
    [
        r"$y = w^\top x$. $\nabla_w y = xy$", r"$y = w^\top x$. $\nabla_w y = x$", r"$s = q^\top k$. $\nabla_q s = ks$", r"$s=\frac{q^\top k}{\sqrt d}$. $\nabla_q s=\frac{ks}{\sqrt d}$", r"$y = x^2$. $\nabla_x y = 2xy$",
        r"$u=a^\top b$. $\nabla_a u = bu$", r"$f = x^\top A x$. $\nabla_x f = (A+A^\top)x$", r"Let $Y = XW$. $\nabla_x \|x\|^2 = 2x$", r"$y = W x$. $\nabla_x y = W$", r"$z=w^\top x+b$, $p=\sigma(z)$, $\nabla_w z = x$",
    ],
)  # fmt: skip
def test_nabla_of_what_is_no_loss_is_no_product(text):
    assert last(text) not in (*ACCEPTED, *ACCUSING)
    assert last(text.replace("$", ""), "a.txt") not in (*ACCEPTED, *ACCUSING)


@pytest.mark.parametrize(
    ("claim", "is_right"),
    [
        (r"\nabla_X L = dY W^\top", True), (r"\nabla_X L = dY W", False), (r"\nabla_X = dY W^\top", True), (r"\nabla_X = dY W", False), (r"\nabla_{X} L = \nabla_{Y} L\, W^\top", True), (r"\nabla_W \mathcal{L} = X^\top \nabla_Y \mathcal{L}", True), (r"\nabla_W \mathcal{L} = X \nabla_Y \mathcal{L}", False),
    ],
)  # fmt: skip
def test_nabla_of_a_loss_is_judged(claim, is_right):
    assert last(f"$Y = X W$. ${claim}$") in (ACCEPTED if is_right else ACCUSING)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"$f = 0.816$, $x = 1$. The function is $f(x) = \frac{1}{1+e^{-x}}$", "undecidable"), (r"$\theta = 2$, $x = 1$. $\theta(x) = x^2 + 3$", "undecidable"),
        ("$w = 4$, $x = 2$. $w(x) = 8$", "right"), ("$w = 4$, $x = 2$. $w(x) = 9$", "last_place"), ("$w = 4$, $x = 2$. $w(x + 1) = 15$", "wrong"),
    ],
)  # fmt: skip
def test_a_letter_before_a_letter_in_brackets_may_be_a_function(text, expected):
    assert last(text) == expected
