r"""Small documents of formulas, with the verdict, the reason and the remarks of each line.

What is true of them is schoolbook algebra; what stays open is what the document does not say.
"""

import pytest

from symtransformer import check


def told(document, name="a.md"):
    """Of each relation: its verdict, the code of a reason, its convention, and + before each remark."""
    found = []
    for e in check(document, name=name).equations:
        convention = [e.convention.name] if e.convention else []
        found.append(" ".join([e.verdict, *filter(None, [e.code]), *convention, *(f"+{n.name}" for n in e.remarks)]))
    return found


SCORES = r"$S = Q K^T / \sqrt{d_k}$. "
SOFTMAX = "$p = softmax(x)$. "
NORMS = r"$x \in R^{3}$, $W \in R^{4×3}$. "


@pytest.mark.parametrize(
    ("document", "wanted"),
    [
        # a name that has a formula already
        ("$A = X W$. $A = X W$.", ["definition", "proved"]),
        ("$A = X W$. $A = Y W$. $A = Y W$.", ["definition", "definition +redefined", "proved"]),
        ("$A = X W_1$. $B = A W_2$. $B = X W_1 W_2$.", ["definition", "definition", "proved"]),
        ("$A = X W_1$. $B = A W_2$. $B = X W_2 W_1$.", ["definition", "definition", "definition +redefined"]),
        # squares
        ("$s^2 = a^2$. $s^2 = a^2$.", ["definition", "proved"]),
        (r"$s^2 = a + b$. $s = \sqrt{a + b}$.", ["definition", "definition +redefined"]),
        ("$s^2 = a + b$. $s = a - b$.", ["definition", "undecidable square"]),
        ("$s^2 = a + b$. $s = a + b$.", ["definition", "undecidable square"]),
        ("$s = a + b$. $s^2 = a^2 + 2 a b + b^2$.", ["definition", "proved"]),
        ("$s = a + b$. $s^2 = a^2 + b^2$.", ["definition", "refuted"]),
        # entries
        (SCORES + r"$s_{ij} = q_i \cdot k_j / \sqrt{d_k}$.", ["definition", "proved"]),
        (SCORES + r"$s_{ij} = q_i \cdot k_j$.", ["definition", "definition +redefined"]),
        (SCORES + r"$s_{ij} = 2 q_i \cdot k_j$.", ["definition", "refuted"]),
        (SCORES + r"$s_{ij} = q_j \cdot k_i$.", ["definition", "shapes"]),
        (SOFTMAX + "$p_2 = e^{x_2} / Σ_j e^{x_j}$.", ["definition", "proved"]),
        (SOFTMAX + "$p_2 = e^{x_1} / Σ_j e^{x_j}$.", ["definition", "undecidable entry_or_name"]),
        (SOFTMAX + r"$\sum_{j \ne i} p_j = 1 - p_i$. $\sum_{j \ne i} p_j = 1$.", ["definition", "proved", "refuted"]),
        # functions
        ("$f(x) = x^2 + 1$. $f(y) = y^2 + 1$. $f(y) = y^2$.", ["definition", "proved", "refuted"]),
        ("$f(x) = x^2 + 1$. $f(x) = x^2$.", ["definition", "refuted"]),
        ("$CrossEntropy(x) = y$.", ["undecidable not_compared"]),
        ("$softmax(x) = 5$.", ["unparsed unknown_name"]),
        ("$PE(pos, 2i) = sin(pos/10000^{2i/d})$", ["proved"]),
        ("$PE(pos, 2i) = cos(pos/10000^{2i/d})$", ["refuted"]),
        # derivatives
        ("$f(x) = x^2$. $f'(x) = 2x$. $f'(x) = 3x$. $f'(y) = 2 y$.", ["definition", "proved", "refuted", "proved"]),
        ("$(x^2)' = 2x$. $(x^2)' = x$.", ["proved", "refuted"]),
        ("$(a x)' = a$.", ["undecidable derivative"]),  # by a, or by x
        (r"$(\sin x)' = \cos x$. $(\sin x)' = -\cos x$.", ["proved", "refuted"]),
        ("$tanh'(x) = 1 - tanh(x)^2$. $tanh'(x) = 1 + tanh(x)^2$.", ["proved", "refuted"]),
        ("$σ'(x) = σ(x)(1-σ(x))$. $σ'(x) = σ(x)(1+σ(x))$.", ["proved", "refuted"]),
        ("$g'(x) = g(x)(1-g(x))$.", ["undecidable new_name"]),
        ("$h' = h + 1$.", ["definition +not_used"]),
        # losses
        (r"$L = (w x - y)^2$. $\frac{\partial L}{\partial w} = 2 x (w x - y)$.", ["definition", "proved"]),
        (r"$L = (w x - y)^2$. $\frac{\partial L}{\partial w} = x (w x - y)$.", ["definition", "refuted"]),
        (r"$L = CrossEntropy(z, y)$. $\frac{\partial L}{\partial z} = softmax(z) - y$.", ["definition", "proved +adds_up"]),
        (r"$L = CrossEntropy(z, y)$. $\frac{\partial L}{\partial z} = softmax(z) + y$.", ["definition", "refuted"]),
        (r"$L = -\sum_i y_i \log p_i$. $\frac{\partial L}{\partial p_i} = -y_i/p_i$.", ["definition", "proved +domain"]),
        (r"$L = -\sum_i y_i \log p_i$. $\frac{\partial L}{\partial p_i} = y_i/p_i$.", ["definition", "refuted"]),
        (r"$Y = X W$. $\partial L/\partial W = X^T G$", ["definition", "undecidable unknown_name"]),
        # where they hold
        (r"$\sqrt{x^2} = x$. $\sqrt{x^2} = |x|$.", ["refuted", "tested"]),
        (r"$\frac{x^2-1}{x-1} = x + 1$. $\frac{x^2-1}{x-1} = x - 1$.", ["proved +domain", "refuted"]),
        ("$1/x = x^{-1}$. $1/x = x^{-2}$.", ["proved", "refuted"]),
        (r"$e^{a+b} = e^a e^b$. $e^{a-b} = e^a e^b$.", ["proved", "refuted"]),
        # sizes that are told
        (r"$A \in R^{2×3}$, $B \in R^{3×4}$. $C = A B$.", ["definition"]),
        (r"$A \in R^{2×3}$, $B \in R^{3×4}$. $A B = B A$.", ["shapes"]),
        (NORMS + "$y = W x$.", ["definition"]),
        (NORMS + r"$y \in R^{4}$. $y = W x$.", ["definition"]),
        (NORMS + r"$y \in R^{5}$. $y = W x$.", ["shapes"]),
        (NORMS + "$z = x W$.", ["shapes"]),
        (r"$x \in R^{d}$, $y \in R^{d}$, $W \in R^{d×n}$. $y = W x$.", ["definition"]),  # n may be d
        # values beside formulas
        ("$a = 2$. $y = a x$. $a x = 3 x$.", ["definition", "definition", "undecidable values"]),
        # what was not read
        (r"$Y = X W \hat{}{}_{a} + \oint$. $Y X = 2 X Y$", ["unparsed command", "undecidable unread_before"]),
        # masks that are subtracted
        (r"$M = [0, -\infty]$, $S = [1, 2]$. $S + M = [1, -\infty]$.", ["definition", "definition", "right"]),
        (r"$M = [0, -\infty]$, $S = [1, 2]$. $S - M = [1, -\infty]$.", ["definition", "definition", "wrong"]),
        (r"$M = [0, -\infty]$, $S = [1, 2]$, $T = [5, 1]$. $S + T - M = [6, -\infty]$.", ["definition"] * 3 + ["wrong"]),
        (r"$M = [0, -\infty]$, $S = [1, 2]$, $T = [5, 1]$. $S + T - M = [6, 3]$.", ["definition"] * 3 + ["undecidable mask_sign"]),
        (r"$M = [0, -\infty]$, $S = [1, 2]$, $T = [5, 1]$. $S + T - M = [1, -\infty]$.", ["definition"] * 3 + ["undecidable mask_sign"]),
        (r"$M = [0, -\infty]$, $S = [1, 2]$, $T = [5, 1]$. $S - M + T = [6, -\infty]$.", ["definition"] * 3 + ["wrong"]),
        (r"$M = [0, -\infty]$, $S = [1, 2]$. $2 S - 2 M = [2, -\infty]$.", ["definition"] * 2 + ["wrong"]),
        (r"$M = [0, -\infty]$, $S = [1, 2]$. $softmax(S - M) = [1, 0]$.", ["definition", "definition", "wrong"]),
    ],
)  # fmt: skip
def test_each_line_has_its_verdict_and_its_reason(document, wanted):
    assert told(document) == wanted


def test_a_subtracted_mask_is_the_slip_that_is_named():
    found = check(
        r"$M = [0, -\infty]$, $S = [1, 2]$, $T = [5, 1]$. $S + T - M = [6, -\infty]$.", name="a.md"
    ).equations[-1]
    assert ([slip.name for slip in found.slips], found.entries, found.right_value) == (["mask_subtracted"], (), None)
