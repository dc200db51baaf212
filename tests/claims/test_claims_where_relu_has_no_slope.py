"""At 0 ReLU has no slope: that the derived formula takes 0 there refutes nobody; a wrong slope elsewhere is refuted."""

import pytest

from symtransformer import verify

RELU, LAYER = "F = ReLU(P)", "P = X W\nF = ReLU(P)"
X_AGAIN, SIZE = "Y = ReLU(X) - ReLU(-X)", "Y = ReLU(X) + ReLU(-X)"


@pytest.mark.parametrize(
    ("claim", "of"),
    [
        ("dX = dY", X_AGAIN),
        ("dX = dY ⊙ (2 step(X) - 1)", SIZE),
        ("dP = dF ⊙ (1 - step(-P))", RELU),
        ("∂f_ij/∂p_ij = 1 - step(-p_ij)", RELU),
        ("dX = (dF ⊙ (1 - step(-P))) W^T", LAYER),
    ],
)
def test_another_slope_at_0_is_no_mistake(claim, of):
    found = verify(claim, of=of)
    assert (found.kind, "ReLU is taken of 0" in str(found)) == ("undecidable", True)


@pytest.mark.parametrize(
    ("claim", "of"),
    [
        ("dX = 2 dY", X_AGAIN),
        ("dX = dY ⊙ (1 - 2 step(X))", SIZE),
        ("dP = dF ⊙ (1 - step(P))", RELU),
        ("dP = dF ⊙ step(-P)", RELU),
        ("∂f_ij/∂p_ij = 1 - step(p_ij)", RELU),
        ("∂f_ij/∂p_ij = step(-p_ij)", RELU),
        ("∂f_ij/∂p_ij = step(1 - p_ij)", RELU),
        ("∂f_ij/∂p_ij = step(p_ij - 1)", RELU),
        ("∂f_ij/∂p_kl = δ_ik (1 - step(-p_ij))", RELU),
        ("dX = (dF ⊙ (1 - step(-F))) W^T", LAYER),
        ("F = 1 - step(-P)", "F = step(P)"),  # no slope is claimed: at 0 these values differ
        ("F = step(-P)", "F = step(P)"),
        ("∂L/∂p_ij = Σ_k ∂L/∂f_ik step(p_ik)", RELU),  # SymPy takes what is multiplied into the cases
        ("∂L/∂x_ia = Σ_j w_aj step(p_ij)", LAYER),
    ],
)
def test_a_wrong_slope_elsewhere_is_one(claim, of):
    assert verify(claim, of=of).kind == "refuted"


@pytest.mark.parametrize(
    ("claim", "of"),
    [
        ("dP = dF ⊙ step(P)", RELU),
        ("dP = dF ⊙ step(F)", RELU),
        ("∂f_ij/∂p_ij = step(2 p_ij)", RELU),
        ("dX = dY ⊙ (step(X) + step(-X))", X_AGAIN),
        ("Y = X", X_AGAIN),
    ],
)
def test_the_slope_0_at_0_is_proved(claim, of):
    assert verify(claim, of=of).kind == "proved"


@pytest.mark.parametrize("claim", ["∂L/∂p_ij = ∂L/∂f_ij step(p_ij - 1/1000)", "dP = dF ⊙ step(P) + step(P - 1000)"])
def test_a_step_between_the_numbers_that_are_tried_is_not_accepted(claim):
    assert verify(claim, of=RELU).kind == "undecidable"
