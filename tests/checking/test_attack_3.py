"""What documents say beside their formulas: whose letters, whose norm, which softmax; and functions without brackets.

The values are reckoned by hand: |3| + |4| = 7, softmax([1, 2] / 2) = [0.378, 0.622], log2 4 = 2, sin 4 = -0.757.
"""

import pytest

from symtransformer import check
from symtransformer.checking.equations import ACCUSING

ACCEPTED = {"right", "right_if_rounded", "by_convention", "proved", "tested"}


def last(text, name="notes.md"):
    return check(text, name=name).files[0].equations[-1]


FALSE = [
    r"Let $\|\cdot\|$ be the $\ell_1$ norm. $\|[3,4]\| = 5$.",
    r"We define $\|x\| = \sum_i |x_i|$. $\|[3,4]\| = 5$.",
    r"$|x|$ denotes the number of entries. $|[3,4]| = 5$.",
    r"We use softmax with temperature 2. $\operatorname{softmax}([1,2]) = [0.269,0.731]$.",
    r"In this note, softmax uses base 2. $\operatorname{softmax}([1,2]) = [0.269, 0.731]$.",
    r"softmax の温度は 2 とする。$\operatorname{softmax}([1,2]) = [0.269,0.731]$",
    r"We measure information in bits. $-\log 0.25 = 1.386$.",
    r"情報量はビットで測る。$-\log 0.25 = 1.386$",
    r"$\sin 2x = x\sin 2$",
    r"$\log 2x = x\log 2$",
    r"$5\text{ bytes} = 5\text{ bits}$",
    r"$-\log_2 0.25 = 2\text{ nats}$",
    r"$-\log_2 0.25 = 2$ nats",
    r"$-\ln 0.25 = 1.386\text{ bits}$",
    "-ln 0.25 = 1.386 bits",
    r"Let $y = [1, 1, 0]$, $p = \operatorname{softmax}(z)$ and $L = -\sum_i y_i \log p_i$. $\frac{\partial L}{\partial z} = p - y$",
]


@pytest.mark.parametrize("text", FALSE)
def test_what_is_not_so_by_the_words_of_the_document_is_not_accepted(text):
    assert last(text).verdict not in ACCEPTED


TRUE = [
    r"Let $\|\cdot\|$ be the $\ell_1$ norm. $\|[3,4]\| = 7$.",
    r"In this note, softmax uses base 2. $\operatorname{softmax}([1,2]) = [0.333, 0.667]$.",
    "Let $A$ be symmetric. Then $A^T = A$.",
    "Since $A$ is symmetric, $A^T = A$.",
    "Let $A$ and $B$ be diagonal matrices. Then $AB = BA$.",
    "If $A$ and $B$ commute, then $(A+B)^2 = A^2 + 2AB + B^2$.",
    r"Let $u$ and $v$ be orthogonal. Then $\|u+v\|^2 = \|u\|^2 + \|v\|^2$.",
    "Let $A$ be skew-symmetric. Then $A^T = -A$.",
    r"Let $x$ have zero mean and unit variance. Then $\operatorname{LayerNorm}(x) = x$.",
    r"When all entries of $x$ are nonnegative, $\operatorname{ReLU}(x) = x$.",
    "$A$を対称行列とする。このとき$A^T = A$である。",
    r"$\sin 2x = 2\sin x\cos x$",
    r"Let $\theta = 2$. $\sin 2\theta = -0.757$",
    r"$\operatorname{ReLU}(x) = \frac{x+|x|}{2}$",
    "$0.25 = 25$ percent.",
    "確率は $0.25=25$%である。",
    r"$12 \times 2 = 2$ dozen.",
    r"$4096 \text{ bytes} = 4\text{ KB}$",
    r"$3600 \text{ seconds} = 1 \text{ hour}$",
]


@pytest.mark.parametrize("text", TRUE)
def test_what_is_so_by_the_words_of_the_document_is_not_accused(text):
    assert last(text).verdict not in ACCUSING


STILL = [
    ("$A^T = A$", "refuted"),
    ("Nothing says that $A$ is not symmetric. $B^T = B$.", "refuted"),
    (r"Let $A$ be symmetric. $\|[3,4]\| = 6$.", "wrong"),
    (r"$\|[3,4]\| = 5$", "right"),
    (r"$\operatorname{softmax}([1,2]) = [0.269,0.731]$", "right"),
    (r"$\sin(a+b) = \sin a\cos b + \cos a\sin b$", "proved"),
    (r"$\tanh x = 2\sigma(2x)-1$", "proved"),
    ("$0.25 = 25$ times.", "wrong"),
    (r"$\|x-y\|^2 = \|x\|^2 - \|y\|^2$", "refuted"),
    (
        r"Let $y = [0, 1]$, $p = \operatorname{softmax}(z)$ and $L = -\sum_i y_i \log p_i$. $\frac{\partial L}{\partial z} = p - y$",
        "proved",
    ),
    (r"We use softmax with temperature 2. $\operatorname{softmax}([1, 2]/2) = [0.378, 0.622]$", "right"),
    (r"$5 \text{ tokens} + 3 \text{ tokens} = 8\text{ tokens}$", "right"),
    (r"$-\log_2 0.25 = 2\text{ bits}$", "right"),
    (r"$-\ln 0.25 = 1.386\text{ nats}$", "right"),
]


@pytest.mark.parametrize(("text", "verdict"), STILL)
def test_what_nothing_is_told_of_is_judged_as_before(text, verdict):
    found = last(text).verdict
    assert found == verdict or {found, verdict} <= {"wrong", "last_place"}
