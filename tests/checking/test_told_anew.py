r"""What is given another meaning on the way, by an arrow, in words or by a formula, and what is only quoted: twins of each.

Expected: u = x², and u is x² + 1 behind `u \leftarrow u + 1`, so `u + 1 = x² + 1` does not hold there.
"""

from __future__ import annotations

import pytest

from symtransformer.checking.checks import check
from symtransformer.checking.equations import ACCEPTED, ACCUSING


def last(text):
    return check(text, name="a.md").equations[-1].verdict


U, CLAIM = "$$u = x^2$$\n\n", "$$u + 1 = x^2 + 1$$"
D_U = "$$u_i = x_i^2$$\n\n", r"$$\frac{\partial u_i}{\partial x_i} = 2 x_i$$"
FROM_Y = "\n\n$$y_i = x_i^2$$\n\n" + r"$$\frac{\partial J}{\partial x_i} = 2 x_i \frac{\partial J}{\partial y_i}$$"
NORM = r"$$\text{LayerNorm}(2x) = \text{LayerNorm}(x)$$"

DOUBTED = [  # what is accepted, and what makes it doubtful
    (U + CLAIM, U + "$$u \\leftarrow u + 1$$\n\n" + CLAIM),
    (U + CLAIM, U + "Now let $u$ be the sum of all entries.\n\n" + CLAIM),
    (U + "Here $u$ is the energy.\n\n" + CLAIM, U + "今度は u を和とする。\n\n" + CLAIM),
    ("".join(D_U), D_U[0] + "Now let $u_i$ be $x_i^3$.\n\n" + D_U[1]),
    (r"$$\log(e^x) = x$$", "$$e = y - t$$\n\n" + r"$$\log(e^x) = x$$"),
    (r"$\sin(\pi) = 0$", r"$$\pi = \frac{a}{b}$$" + "\n\n" + r"$\sin(\pi) = 0$"),
    (r"$$\sum_j \delta_{ij} y_j = y_i$$", r"$$\delta_{ij} = x_i - y_j$$" + "\n\n" + r"$$\sum_j \delta_{ij} y_j = y_i$$"),
    ("$$J(y) = g(y)$$" + FROM_Y, "$$J(x, y) = g(y, x)$$" + FROM_Y),
    (NORM, "We add a small constant $10^{-5}$ below the root.\n\n" + NORM),
    ("We ignore ε.\n\n" + NORM, "A large ε of 1 is added.\n\n" + NORM),
    ("$$(x^2)' = 2 x$$", "$$(f^2)' = 2 f$$"),
    ("Let x be 5.\n\n$x + 1 = 6$", "$x = 4$\n\n```\nLet x be 5.\n```\n\n$x + 1 = 6$"),
    ("Let x be 5.\n\n$x + 1 = 6$", "Let x be 4. In the old version we set x to 5.\n\n$x + 1 = 6$"),
    ("Let x be 4, as before.\n\n$x + 1 = 5$", "Let x be 4,000.\n\n$x + 1 = 5$"),
    ("$$37.5\\% - 12.5\\% = 25$$ percentage points", "$$37.5\\% - 12.5\\% = 20$$ percentage points"),
]  # fmt: skip


@pytest.mark.parametrize(("sure", "doubtful"), DOUBTED, ids=[str(k) for k in range(len(DOUBTED))])
def test_what_is_given_another_meaning_is_not_accepted(sure, doubtful):
    assert last(sure) in ACCEPTED
    assert last(doubtful) not in ACCEPTED


@pytest.mark.parametrize(
    "text",
    [
        "$x=3$\n\n$x \\leftarrow 4$\n\n$x + 1 = 5$",
        "x = 3\n\nx ← x + 1 = 4\n\n2x = 8",
        "$x=2$\n\n> Let x be 4.\n\n$x + 1 = 5$",
        "$x=4$\n\nIn another example let x be 5. $x + 1 = 6$",
        "$$(f^2)' = 2 f f'$$",
        "$$(uv)' = u'v + uv'$$",
        r"$$(\log f)' = \frac{f'}{f}$$",
    ],
)
def test_nobody_is_accused_who_follows_it(text):
    assert last(text) not in ACCUSING


def test_a_value_behind_the_arrow_holds_again():
    text = "$x = 3$\n\n$$x \\leftarrow x + 1$$\n\n$$x = 4$$\n\n$$2x = 8$$"
    assert last(text) in ACCEPTED
    assert last(text.replace("2x = 8", "2x = 6")) in ACCUSING
