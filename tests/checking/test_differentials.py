"""dY = dX W where Y = X W is the differential and no gradient; dX = dY W stays a claim of a gradient."""

import pytest

from symtransformer import check
from symtransformer.checking.equations import ACCEPTED, ACCUSING


def last(text):
    return check(text, name="a.md").equations[-1].verdict


@pytest.mark.parametrize(
    "text",
    [
        r"$y = x^2$ とすると $dy = 2x\,dx$。", "Substitute $u = x^2$, $du = 2x\\,dx$.", r"$Y = XW$ とする。全微分をとると $dY = dX\,W + X\,dW$", r"Let $a = \operatorname{softmax}(s)$. The differential is $da = (\mathrm{diag}(a) - aa^\top) ds$",
        r"$Y = XW$. 微小変化 $dX$ に対して $dY = dX W$", r"$S = Q K^\top$. A small step $dQ$ changes the scores by $dS = dQ K^\top$", r"$Y=X^\top X$. $dY = dX^\top X + X^\top dX$", r"$Y=XW+b$. $\Delta Y = \Delta X W$",
    ],
)  # fmt: skip
def test_a_differential_is_no_gradient(text):
    assert last(text) not in ACCUSING


@pytest.mark.parametrize(
    ("claim", "is_right"),
    [
        (r"dX = dY W^\top", True), ("dX = dY W", False), (r"dW = X^\top dY", True), (r"dW = dY X^\top", False), (r"\frac{\partial L}{\partial X} = \frac{\partial L}{\partial Y} W^\top", True), (r"\frac{\partial L}{\partial Y} = \frac{\partial L}{\partial X} W", False),
    ],
)  # fmt: skip
def test_a_gradient_is_judged(claim, is_right):
    found = last(f"$Y = X W$. ${claim}$")
    assert found in ACCEPTED if is_right else found not in ACCEPTED
    assert is_right or "partial" in claim or found in ACCUSING


@pytest.mark.parametrize(
    ("claim", "is_right"),
    [
        (r"dS = A \odot (dA - \operatorname{broadcast}(\operatorname{rowsum}(A \odot dA), m))", True), (r"dS = A \odot (dA + \operatorname{broadcast}(\operatorname{rowsum}(A \odot dA), m))", False), (r"dS = A \odot dA", False), ("dQ = dS K", True), ("dQ = dS^T K", False),
    ],
)  # fmt: skip
def test_a_gradient_that_has_a_formula_in_the_document_is_that_gradient(claim, is_right):
    given = r"$S = Q K^\top$, $A = \operatorname{softmax}(S)$, $Z = A V$, $D = Z - Y$. $dZ = D$, $dA = D V^\top$. "
    found = last(f"{given}${claim}$")
    assert found in ACCEPTED if is_right else found in ACCUSING
