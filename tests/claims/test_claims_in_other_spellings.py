r"""A gradient alone above a line, entries of (W_1)_{ac} below one, and Φ and φ as signs; each with a wrong twin."""

import pytest

from symtransformer import verify
from symtransformer.reading import ReadingError

LOSS, LOGARITHM, GELU = "J = InfoNCE(S, P, tau)", "A = softmax(X)\nY = log(A)", "F = GELU(X)"
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
    ],
)  # fmt: skip
def test_both_are_read(right, wrong, of):
    assert (verify(right, of=of).kind, verify(wrong, of=of).kind) == ("proved", "refuted")


def test_the_transpose_of_an_entry_stays_unclear():
    with pytest.raises(ReadingError):
        verify("∂L/∂(W)_{ab}^T = Σ_i x_ib ∂L/∂y_ia", of=SQUARE)
