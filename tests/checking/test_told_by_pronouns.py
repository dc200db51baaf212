"""What was named last is changed in words that do not name it: nothing is said of it from there on, neither by its old value nor by a new one."""

import pytest

from symtransformer import check


def last(text):
    found = check(text, name="a.md").equations[-1]
    return found.code or found.verdict


@pytest.mark.parametrize(
    "text",
    [
        "Let $w = 4$. Next we halve it. Then $w + 1 = 5$.", "Let $w = 4$. Next we halve it. Then $w + 1 = 3$.", "Let $w = 4$. Now triple it. $w + 1 = 5$", "Let $w = 4$. Negate it. $w + 1 = 5$",
        "Let $w = 4$. The optimizer subtracts $1$ from $w$. $w + 1 = 5$", "Let $w = 4$. The value of $w$ is then squared. $w + 1 = 5$", "Let $w = 4$. Divide it by two. $w + 1 = 5$",
        r"Let $\eta = 0.1$. After epoch 30 the scheduler divides $\eta$ by 10. $5\eta = 0.5$", r"Let $\eta = 0.1$. The learning rate is decayed by a factor of ten. $5\eta = 0.05$",
        r"Let $x = (3,4)$. Normalize $x$ to unit length. $\|x\| = 5$", r"Let $x = (3,4)$. We clip $x$ to norm 1. $\|x\| = 5$", r"Let $x = (3,4)$. Normalise it to unit sum. $\|x\| = 5$",
        "Let $a = (3,1,2)$. Sort $a$ in ascending order. Now $a_1 = 3$", "Let $a = (3,1,2)$. Reverse it. Now $a_1 = 3$", "Let $x = (3,1,2)$. After reversing $x$ we have $x_1 = 3$",
        r"Let $x = (1,2,3)$. Dropout zeroes $x_2$. $\sum_i x_i = 6$", r"Let $x = (1,2,3)$. Zero out the second entry. $\sum_i x_i = 6$", r"Let $x = (1,2,3)$. Append a 5. $\sum_i x_i = 6$", r"Let $x = (1,2,3)$. Apply ReLU in place. $\sum_i x_i = 6$",
        r"Let $M = \begin{pmatrix}1&2\\3&4\end{pmatrix}$. Transpose it. $M_{12} = 2$", r"Let $M = \begin{pmatrix}1&2\\3&4\end{pmatrix}$. Set its diagonal to zero. $M_{12} = 2$",
        "$w = 4$ とする。これを 2 倍にする。$w + 1 = 5$ である。", "$w = 4$ とする。$w$ を半分にする。$w + 1 = 5$ である。",
    ],
)  # fmt: skip
def test_what_is_changed_without_its_name_is_not_followed(text):
    assert last(text) == "assigned"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Let $w = 4$. Softmax normalizes scores. Then $w + 1 = 5$.", "right"), ("Let $w = 4$. Softmax normalizes scores. Then $w + 1 = 7$.", "wrong"), ("Let $w = 4$. Squaring it gives $w^2 = 16$.", "right"), ("Let $w = 4$. Squaring it gives $w^2 = 26$.", "wrong"),
        ("Let $w = 4$. If we halve it, we get 2. $w + 1 = 5$", "right"), ("Let $w = 4$. Next we halve it. Let $w = 2$. Then $w + 1 = 3$.", "right"), ("Let $w = 4$ and $v = 2$. We halve $w$. $v + 1 = 3$.", "right"), ("Next we halve it. Let $w = 4$. $w + 1 = 5$.", "right"),
    ],
)  # fmt: skip
def test_words_that_change_nothing_leave_it_as_it_is(text, expected):
    assert last(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [  # the square of [[2, 1], [1, 3]] is [[5, 5], [5, 10]]
        (r"Let $B = \begin{pmatrix}4&1\\1&9\end{pmatrix}$. The matrix square root is $\sqrt{B} = \begin{pmatrix}2&1\\1&3\end{pmatrix}$.", "told_in_words"),
        (r"Let $B = \begin{pmatrix}0&1\\-1&0\end{pmatrix}$. Its matrix exponential is $\exp(B) = \begin{pmatrix}0.540&0.841\\-0.841&0.540\end{pmatrix}$.", "told_in_words"),
        (r"Let $B = \begin{pmatrix}0&1\\1&0\end{pmatrix}$. 行列の指数関数は $\exp(B) = \begin{pmatrix}1&2.718\\2.718&1\end{pmatrix}$.", "told_in_words"),
        ("The matrix exponential is not needed. With $d = 64$, $\\sqrt{d} = 8$.", "right"), ("There is a matrix exponential. With $d = 64$, $\\sqrt{d} = 9$.", "last_place"),
        (r"$\cos(60) = 0.5$ because the angle is 60 degrees.", "told_in_words"), (r"$\cos 45 = 0.707$ (degrees)", "told_in_words"), (r"$\sin(90) = 1$ in degrees", "told_in_words"), (r"Some 30 degrees outside. $\cos(60) = 0.5$", "wrong"),
        ("Let $x=(1,2,3)$. Counting from zero, $x_2 = 3$.", "told_in_words"), ("Let $x=(1,2,3)$. Since Python is zero-indexed, $x_2 = 3$.", "told_in_words"), ("Let $x=(1,2,3)$. $x_2 = 3$.", "last_place"),
    ],
)  # fmt: skip
def test_meanings_that_are_told_in_words(text, expected):
    assert last(text) == expected
