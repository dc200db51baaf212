"""R((m + n)θ) is a rotation by an angle and no product of R: neither its laws nor their opposites are judged as ones of matrices."""

import pytest

from symtransformer import check
from symtransformer.checking.equations import ACCEPTED, ACCUSING

ROTATION = r"$R(\theta) = \begin{pmatrix} \cos\theta & -\sin\theta \\ \sin\theta & \cos\theta \end{pmatrix}$. "


@pytest.mark.parametrize("given", ["", ROTATION, "回転行列 $R$ について、", "$y = R x$. "])
@pytest.mark.parametrize(
    "claim",
    [
        r"R((m + n)\theta) = R(m\theta) + R(n\theta)", r"R((m - n)\theta) = R(m\theta) - R(n\theta)", r"R(m\theta)^\top R(n\theta) = R((n - m)\theta)", r"R((m+n)\theta) = R(m\theta)R(n\theta)",
        r"\mathbf{R}(\theta + \phi) = \mathbf{R}(\theta) + \mathbf{R}(\phi)", r"U(2 \omega) = 2 U(\omega)",
    ],
)  # fmt: skip
def test_a_function_of_an_angle_is_no_product(given, claim):
    assert check(f"{given}${claim}$", name="a.md").equations[-1].verdict not in (*ACCEPTED, *ACCUSING)


def test_an_entropy_is_no_product():
    found = check("エントロピー $H$ について $H((p+q)X) = H(pX) + H(qX)$", name="a.md").equations[-1]
    assert found.verdict not in (*ACCEPTED, *ACCUSING)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("W(x + y) = W x + W y", "proved"), ("W(x + y) = W x + y W", "refuted"), (r"A(\alpha x + \beta y) = \alpha A x + \beta A y", "proved"), ("A(B + C) = AB + AC", "proved"), ("A(B + C) = AB + BC", "refuted"),
    ],
)  # fmt: skip
def test_products_stay(claim, expected):
    found = check(f"${claim}$", name="a.md").equations[-1].verdict
    assert found in (ACCEPTED if expected == "proved" else (*ACCUSING, "undecidable"))
