"""Numbers of equations beside a claim are no factors, and signs that are read in two ways are refused, not guessed."""

import pytest

from symtransformer import check, verify
from symtransformer.reading import ReadingError

LINEAR = "Y = X W"
SQUARE = "X: n d\nW: d d\nY = X W"
ATTENTION = "softmax(Q K^T / sqrt(d_k)) V"


@pytest.mark.parametrize(
    "written",
    ["(2) {}", "(10.1) {}", "(3a) {}", "${}$ (2)", r"\({}\) (2)", r"\[{}\] (2)", r"(2) \[{}\]", "(2) ${}$", "(2)${}$", "${}$, (2)", "${}$. (2)"],
)  # fmt: skip
@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("dX = dY W^T", "proved"),
        ("dX = 2 dY W^T", "refuted"),
        ("2 dX = dY W^T", "refuted"),
        ("2 dX = 2 dY W^T", "proved"),
    ],
)
def test_the_number_of_an_equation_is_no_factor(written, claim, kind):
    assert verify(written.format(claim), of=LINEAR).kind == kind


@pytest.mark.parametrize(
    "claim",
    [
        "∂L/∂x_ia = Σ_b W_{ab}^T ∂L/∂y_ib", "∂L/∂x_ia = Σ_b w_ab^T ∂L/∂y_ib", r"∂L/∂x_ia = Σ_b W_{ab}^{\top} ∂L/∂y_ib",
        "∂L/∂x_ia = Σ_b W_{ba}^T ∂L/∂y_ib", "∂L/∂x_ia = Σ_b (W)_{ab}^T ∂L/∂y_ib", "∂L/∂x_ia = Σ_b [W]_{ab}^T ∂L/∂y_ib",
        "y_ij = Σ_a x_ia^(1) w_aj", "y_ij = Σ_a x_ia^{(1)} w_aj", "∂y_ij/∂x_{i,j+1} = w_jj", "∂y_{i,j-1}/∂x_ij = w_jj",
    ],
)  # fmt: skip
def test_what_has_two_readings_is_refused(claim):
    with pytest.raises(ReadingError):
        verify(claim, of=SQUARE)


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("∂L/∂x_ia = Σ_b (W^T)_{ba} ∂L/∂y_ib", "proved"),
        ("∂L/∂x_ia = Σ_b (W^T)_{ab} ∂L/∂y_ib", "refuted"),
        ("y_i = x_i W", "proved"),
        (r"\frac12 dX = \frac1{2} dY W^T", "proved"),
        (r"\frac12 dX = \frac1{3} dY W^T", "refuted"),
    ],
)
def test_what_has_one_is_judged(claim, kind):
    assert verify(claim, of=SQUARE).kind == kind


def test_an_entry_that_may_be_one_of_the_transposed_matrix_is_left_open():
    given = "A = [[1, 2], [3, 4]]\n\n"
    for claim in ("A_{12}^T = 3", "A_{12}^T = 2", "A_{12}^T = 7"):
        assert [e.verdict for e in check(f"{given}${claim}$", name="a.md").equations][-1] in ("undecidable", "unparsed")
    assert [e.verdict for e in check(f"{given}$(A^T)_{{12}} = 3$", name="a.md").equations][-1] == "right"


RESIDUAL = "P = X W\nF = ReLU(P)\nY = F + X"


@pytest.mark.parametrize(
    ("claim", "of"),
    [
        ("dX = dY ⊙ step(P) W^T", "P = X W\nY = ReLU(P)"),
        (r"dX = dY \odot step(P) W^\top", "P = X W\nY = ReLU(P)"),
        ("dX = dY + dF ⊙ step(P) W^T", RESIDUAL),
        ("dQ = A ⊙ (dA - rowsum(A ⊙ dA)) K / sqrt(d_k)", ATTENTION),
    ],
)
def test_a_grouping_that_would_be_right_is_asked_for(claim, of):
    with pytest.raises(ReadingError, match="write brackets"):
        verify(claim, of=of)


@pytest.mark.parametrize(
    ("claim", "of", "kind"),
    [
        ("dX = (dY ⊙ step(P)) W^T", "P = X W\nY = ReLU(P)", "proved"),
        ("dX = dY ⊙ (step(P) W^T)", "P = X W\nY = ReLU(P)", "shapes"),
        ("dX = dY ⊙ step(P) W", "P = X W\nY = ReLU(P)", "shapes"),
        ("dX = dY + (dF ⊙ step(P)) W^T", RESIDUAL, "proved"),
        ("dX = dY + dF ⊙ (step(P) W^T)", RESIDUAL, "refuted"),
        ("dX = dY + 2 dF ⊙ step(P) W^T", RESIDUAL, "refuted"),
        ("dP = dY W_2^T ⊙ step(P)", "P = X W_1\nF = ReLU(P)\nY = F W_2", "proved"),
        ("dS = A ⊙ dZ V^T - A ⊙ rowsum(A ⊙ dZ V^T)", ATTENTION, "proved"),
        ("dQ = A ⊙ (dA - rowsum(dA)) K / sqrt(d_k)", ATTENTION, "shapes"),
    ],
)
def test_brackets_and_what_no_grouping_makes_right_are_judged(claim, of, kind):
    assert verify(claim, of=of).kind == kind
