r"""What words, programs and the way of writing tell of letters: twins of which one is accepted, and the other has to stay open.

Expected by the words of each document: where x goes into the loss directly too, ∂L/∂x is more than 2x ∂L/∂y; behind
`u += x` u is x² + x, so u + 1 = x² + 1 does not hold; x x has no meaning, or several, where x is a vector.
"""

from __future__ import annotations

import pytest

from symtransformer.checking.checks import check
from symtransformer.checking.equations import ACCEPTED, ACCUSING


def last(text, name="a.md"):
    return check(text, name=name).equations[-1].verdict


U, CLAIM = "$u = x^2$\n\n", "$u + 1 = x^2 + 1$"
CHAIN = "\n\n$$y_i = x_i^2$$\n\n" + r"$$\frac{\partial L}{\partial x_i} = 2 x_i \frac{\partial L}{\partial y_i}$$"
LINEAR = "\n\n$Y = X W$\n\n$dX = dY W^T$"
CUBE = "$x^2 x = x^3$"

TWINS = [  # what is accepted, and what makes it doubtful
    ("The loss L depends on y." + CHAIN, "The loss L depends on y and also on x directly." + CHAIN),
    ("The loss depends on x only through y." + CHAIN, "Besides y, x is used by the loss." + CHAIN),
    ("損失 L は y だけに依存する。" + CHAIN, "損失 L は y だけでなく x にも直接依存する。" + CHAIN),
    ("$L$ is a function of $y$." + CHAIN, "$L$ is a function of $x$ and $y$." + CHAIN),
    ("The loss is $L(y)$." + CHAIN, "The loss is $L(y(x), x)$." + CHAIN),
    ("The loss sees $Y$." + LINEAR, "The loss sees $Y$, and $X$ also goes into it through a skip connection." + LINEAR),
    (U + "Here u denotes the squared input.\n\n" + CLAIM, U + "Here u denotes the embedding which depends on x.\n\n" + CLAIM),
    (U + "Here u denotes the energy.\n\n" + CLAIM, U + "# Next\n\nHere u denotes the energy.\n\n" + CLAIM),
    (U + "u はエネルギーを表す。" + CLAIM, U + "この節では u は学習される埋め込みを表す。" + CLAIM),
    (U + "In exercise 3, v is any vector. " + CLAIM, U + "In exercise 3, u is any vector. " + CLAIM),
    (U + "Then `v += x`.\n\n" + CLAIM, U + "Then `u += x`.\n\n" + CLAIM),
    (U + "```python\nu = x**2\nv = u + 1\n```\n\n" + CLAIM, U + "```python\nu = u + x\n```\n\n" + CLAIM),
    (U + "```python\nu = f(x)\n```\n\n" + CLAIM, U + "```python\nu = x**3\n```\n\n" + CLAIM),
    ("u = 3\n\n```python\nu = 3.0\n```\n\nu + 1 = 4", "u = 3\n\n```python\nu = 5\n```\n\nu + 1 = 4"),
    ("```python\nu += 5\n```\n\nu = 3\n\nu + 1 = 4", "u = 3\n\n```python\nu += 5\n```\n\nu + 1 = 4"),
    ("u ← 3\n\nu = 3\n\nu + 1 = 4", "u ← 3\n\nu = 3\n\nu ← 4\n\nu + 1 = 4"),
    (CUBE, "Let x be a vector. " + CUBE),
    ("Let x be a vector; products are element-wise. " + CUBE, "x をベクトルとする。" + CUBE),
    (r"Let $x \in \mathbb{R}^{n \times n}$. " + CUBE, r"Let $x \in \mathbb{R}^n$. " + CUBE),
    (r"$y + 1 = x\,x + 1$ and $y = x\,x$. $y_i = y_i$", "x is a vector.\n\n" + r"$y = x\,x$" + "\n\n$y + 1 = x^2 + 1$"),
    ("$$x_i x_i = x_i^2$$", "$$x^2_i = x_i + 1$$\n\n$$x_i x_i = x_i^2$$"),
    ("Here subscripts denote layers. $x x = x^2$", "Here superscripts denote layers. $x x = x^2$"),
    ("$x x = x^2$", "$x^2 = v + x^1$\n\n$x x = x^2$"),
    (r"$\log(e^x) = x$", "$e_i = y_i - t_i$\n\n" + r"$\log(e^x) = x$"),
    ("$e_1 = [1, 0, 0]$\n\n" + r"$\log(e^x) = x$", r"$e^{(2)} = y - t$" + "\n\n" + r"$\log(e^x) = x$"),
    ("a = 90. sin(a) = 0.894.", "a = 90 degrees. sin(a) = 0.894."),
]  # fmt: skip


@pytest.mark.parametrize(("sure", "doubtful"), TWINS, ids=[str(k) for k in range(len(TWINS))])
def test_what_is_told_otherwise_stays_open(sure, doubtful):
    assert last(sure) in ACCEPTED
    assert last(doubtful) not in (*ACCEPTED, *ACCUSING)


@pytest.mark.parametrize(
    ("name", "said", "not_said"),
    [
        ("a.html", "<p>Let x be 5.</p>", '<p style="display: none">Let x be 5.</p>'),
        ("a.html", "<p>Let x be 5.</p>", "<div hidden><div>Let x be 5.</div></div>"),
        ("a.html", "<p>Let x be 5.</p>", "<pre>Let x be 5.</pre>"),
        ("a.html", "<p>Let x be 5.</p>", "<p><code>Let x be 5.</code></p>"),
        ("a.html", "<p>Let x be 5.</p>", "<blockquote><p>So. Let x be 5.</p></blockquote>"),
        ("a.html", '<p style="color: red">x = 5</p>', '<p style="visibility:hidden">x = 5</p>'),
        ("a.md", "So.\n\n- item\n\n    Let x be 5.\n\n", "So.\n\n    Let x be 5.\n\n"),
        ("a.md", "Let x be 5.\n\n", "<p hidden>So. Let x be 5.</p>\n\n"),
        ("a.md", "So. Let x be 5.\n\n", "> So. Let x be 5.\n\n"),
        ("a.txt", "So.\n\n    Let x be 5.\n\n", "So.\n\n“Let x be 5.”\n\n"),
        ("a.tex", "So. Let x be 5.\n\n", "% So. Let x be 5.\n\n"),
        ("a.tex", "So. Let x be 5.\n\n", "\\begin{verbatim}\nSo. Let x be 5.\n\\end{verbatim}\n\n"),
    ],
)
def test_a_value_counts_where_the_author_says_it(name, said, not_said):
    claim = "<p>$x + 1 = 6$</p>" if name == "a.html" else "$x + 1 = 6$"
    assert last(said + claim, name) in ACCEPTED
    assert last(not_said + claim, name) == "unparsed"


def test_a_hidden_equation_is_told():
    report = check('<p>x = 4</p><p style="display:none">x = 5</p><p>x + 1 = 6</p>', name="a.html")
    assert [e.verdict for e in report.equations] == ["definition", "last_place"]
    assert [u.code for u in report.files[0].unread] == ["hidden"]


@pytest.mark.parametrize(
    ("name", "shown", "not_shown"),
    [
        ("a.html", '<p style="opacity: 0.9">x = 5</p>', '<p style="opacity: 0">x = 5</p>'),
        (
            "a.html",
            "<style>.g{color:red}</style><p class=g>x = 5</p>",
            "<style>.g{display:none}</style><p class=g>x = 5</p>",
        ),
        ("a.html", "<dialog open>x = 5</dialog>", "<dialog>x = 5</dialog>"),
        ("a.tex", r"\iftrue $x = 5$ \fi ", r"\iffalse $x = 5$ \fi "),
        ("a.tex", r"\mbox{$x = 5$} ", r"\phantom{$x = 5$} "),
        ("a.tex", r"$x = 5$ ", r"$x = 4$ \let\sin\cos $\sin(0) = 1$ "),
    ],
)
def test_what_is_not_shown_defines_nothing(name, shown, not_shown):
    claim = "<p>$x + 1 = 6$</p>" if name == "a.html" else "$x + 1 = 6$"
    assert last(shown + claim, name) in ACCEPTED
    assert last(not_shown + claim, name) not in ACCEPTED


@pytest.mark.parametrize(
    ("name", "whole", "part"),
    [
        ("a.tex", r"\[ \frac{\cancel{2} \cdot 3}{\cancel{2}} = 3 \]", r"\[ \cancel{2} + 2 = 4 \]"),
        ("a.tex", r"\cancel{x} \[ 2 + 2 = 4 \]", r"\[ \cancelto{0}{3} + 2 = 5 \]"),
        ("a.md", "~~x = 3~~ is wrong. 2 + 2 = 4", "~~2 +~~ 2 + 2 = 4"),
        ("a.html", "<p><s>2 + 2 = 5</s></p><p>2 + 2 = 4</p>", "<p><s>2 +</s> 2 + 2 = 4</p>"),
    ],
)
def test_an_equation_that_is_partly_struck_is_not_read(name, whole, part):
    assert last(whole, name) in ACCEPTED
    assert last(part, name) == "unparsed"


def test_degrees_are_read_among_prose():
    assert last("cos(60°) = 0.5") in ACCEPTED
    assert last("cos(60°) = -0.952") in ACCUSING
    assert last("T = 20°C, T + 5 = 25") in ACCEPTED
