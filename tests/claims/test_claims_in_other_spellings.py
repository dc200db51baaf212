r"""A gradient alone above a line, entries of (W_1)_{ac} below one, and Φ and φ as signs; each with a wrong twin."""

import pytest

from symtransformer import verify
from symtransformer.reading import ReadingError

LOSS, LOGARITHM, GELU = "J = InfoNCE(S, P, tau)", "A = softmax(X)\nY = log(A)", "F = GELU(X)"
RELU, ATTENTION = "F = ReLU(P)", "softmax(Q K^T / sqrt(d_k)) V"
LAYER, SQUARE = "P = X W_1 + b_1\nF = ReLU(P)\nY = F W_2", "X: n d\nW: d d\nY = X W"


@pytest.mark.parametrize(
    ("right", "wrong", "of"),
    [
        (r"\frac{\partial J}{\partial S} = \frac{\frac{\partial J}{\partial L}}{\tau}", r"\frac{\partial J}{\partial S} = \frac{\frac{\partial J}{\partial L}}{2}", LOSS),
        (r"\frac{\partial L}{\partial a_{ij}} = \frac{\frac{\partial L}{\partial y_{ij}}}{a_{ij}}",
         r"\frac{\partial L}{\partial a_{ij}} = \frac{\frac{\partial L}{\partial y_{ij}}}{x_{ij}}", LOGARITHM),
        (r"\frac{\partial L}{\partial {X}} = {\frac{\partial L}{\partial Y}} W^\top", r"\frac{\partial L}{\partial {X}} = {\frac{\partial L}{\partial Y}} W", SQUARE),
        ("∂L/∂(W_1)_{ac} = Σ_i x_ia ∂L/∂p_ic", "∂L/∂(W_1)_{ac} = Σ_i x_ia ∂L/∂f_ic", LAYER),
        ("∂L/∂[W_1]_{ac} = Σ_i x_ia ∂L/∂p_ic", "∂L/∂[W_1]_{ac} = 2 Σ_i x_ia ∂L/∂p_ic", LAYER),
        ("∂L/∂(b_1)_j = Σ_i ∂L/∂p_ij", "∂L/∂(b_1)_j = Σ_i ∂L/∂f_ij", LAYER),
        ("∂L/∂(W)_ab = Σ_i x_ia ∂L/∂y_ib", "∂L/∂(W)_ab = Σ_i x_ib ∂L/∂y_ia", SQUARE),
        (r"\frac{\partial L}{\partial \left(W\right)_{ab}} = \sum_i x_{ia} \frac{\partial L}{\partial y_{ib}}",
         r"\frac{\partial L}{\partial \left(W\right)_{ab}} = \sum_i x_{ib} \frac{\partial L}{\partial y_{ia}}", SQUARE),
        ("dX = dF ⊙ (Φ(X) + X ⊙ φ(X))", "dX = dF ⊙ (φ(X) + X ⊙ Φ(X))", GELU),
        ("∂f_ij/∂x_ij = Φ(x_ij) + x_ij φ(x_ij)", "∂f_ij/∂x_ij = φ(x_ij) + x_ij Φ(x_ij)", GELU),
        ("dQ = d_k^{-1/2} dS K", "dQ = d_k^{1/2} dS K", ATTENTION),
        ("dQ = dS K d_k^(-0.5)", "dQ = dS K d_k^{-3/2}", ATTENTION),
        ("∂L/∂q_ic = d_k^{-1/2} Σ_j ∂L/∂s_ij k_jc", "∂L/∂q_ic = d_k^{1/2} Σ_j ∂L/∂s_ij k_jc", ATTENTION),
        ("dP = dF ⊙ 1[P > 0]", "dP = dF ⊙ 1[P < 0]", RELU),
        ("dP = dF * (P > 0)", "dP = dF * (dF > 0)", RELU),
        (r"dP = dF \odot \mathbb{1}_{P > 0}", r"dP = dF \odot \mathbb{1}_{P \leq 0}", RELU),
        (r"dP = dF \odot \mathbf{1}\{P > 0\}", r"dP = dF \odot \mathbf{1}\{P - 1 > 0\}", RELU),
        ("∂f_ij/∂p_ij = 1[p_ij > 0]", "∂f_ij/∂p_ij = 1[p_ij < 0]", RELU),
        (r"∂L/∂p_ij = ∂L/∂f_ij \mathbb{1}_{p_{ij} > 0}", r"∂L/∂p_ij = ∂L/∂f_ij \mathbb{1}_{p_{ij} < 0}", RELU),
    ],
)  # fmt: skip
def test_both_are_read(right, wrong, of):
    assert (verify(right, of=of).kind, verify(wrong, of=of).kind) == ("proved", "refuted")


def test_the_transpose_of_an_entry_stays_unclear():
    with pytest.raises(ReadingError):
        verify("∂L/∂(W)_{ab}^T = Σ_i x_ib ∂L/∂y_ia", of=SQUARE)


def test_one_at_0_is_another_slope_there_and_no_mistake():
    found = verify("dP = dF ⊙ 1[P ≥ 0]", of=RELU)
    assert (found.kind, "ReLU is taken of 0" in str(found)) == ("undecidable", True)


@pytest.mark.parametrize(
    "claim", ["∂f_ij/∂p_ij = 1[p_ij > 1]", "dP = dF ⊙ 1[P > 0.5]", "dP = dF ⊙ 1[P > 0)", "dP = dF ⊙ 1[P = 0]"]
)
def test_other_conditions_are_refused(claim):
    with pytest.raises(ReadingError):
        verify(claim, of=RELU)
