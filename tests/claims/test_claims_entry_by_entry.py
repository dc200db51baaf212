"""Claims in the manner of NumPy: powers and quotients entry by entry, products by name, diagonals and traces."""

import pytest

from symtransformer import verify
from symtransformer.reading import ReadingError

PRODUCT, EXP, ROOT, GRAM = "Y = X W", "Y = exp(X)", "Y = sqrt(X)", "X: n d\nG = X X^T\nZ = G X"
NORM = "LayerNorm(X, g, b)"
RIGHT = {
    PRODUCT: ["Y = matmul(X, W)", "dX = matmul(dY, W^T)", "dW = dot(X^T, dY)", "diag(X X^T) = rowsum(X ⊙ X)", "trace(X^T X) = trace(X X^T)"],
    EXP: ["dX = dY * Y**2 * Y**-1", "dX = dY / Y * Y**2", "dX = dY / Y / Y * Y**3", "dX = dY * Y**1", "dX = dY * Y**-1 * Y**2"],
    ROOT: ["Y = X**0.5", "dX = dY / (2 * X**0.5)", "dX = dY / Y / (2 * Y) * Y", "dX = 0.5 * dY / Y"],
    GRAM: ["Z = G / 2 @ X * 2", "dX = dG @ X + dG^T @ X + G^T @ dZ", "trace(G) = rowsum(colsum(X ⊙ X)^T)", "diag(G) = rowsum(X**2)",
           "diag(rowsum(X)) X = rowsum(X) * X", "G + 1 - 1 = X @ X^T", "rowsum(X) + X - rowsum(X) = X"],
    NORM: ["dL = dN diag(g)", "N = L diag(g) + b", "N - b = L * g"],
}  # fmt: skip
WRONG = {
    PRODUCT: ["Y = matmul(X, 2 W)", "dX = dot(dY, -W^T)", "diag(X X^T) = rowsum(X)", "trace(X^T X) = 2 trace(X X^T)", "Y = matmul(W, X)"],
    EXP: ["dX = dY * Y**2 * Y**-2", "dX = dY / Y * Y", "dX = dY / Y / Y * Y**2", "dX = dY * Y**2", "dX = dY * Y**-1"],
    ROOT: ["Y = X**2", "dX = dY / X**0.5", "dX = dY / Y / (2 * Y)", "dX = 0.5 * dY * Y"],
    GRAM: ["Z = G / 2 @ X", "trace(G) = trace(2 G)", "diag(G) = rowsum(X)", "diag(G) = colsum(X**2)",
           "diag(rowsum(X)) X = X", "G + 1 - 2 = X @ X^T", "rowsum(X) + X = X"],
    NORM: ["dL = dN diag(2 g)", "dL = dN diag(b)", "N = L diag(g)", "N + b = L * g"],
}  # fmt: skip
REFUSED = {
    "Y = matmul(X)": "refused",
    "Y = dot(X, W, X)": "refused",
    "dX = dY * Y**65": "exponent",
    "Y = diag(X, W)": "refused",
}


@pytest.mark.parametrize(("of", "claim"), [(of, claim) for of, claims in RIGHT.items() for claim in claims])
def test_what_is_written_entry_by_entry_is_proved(of, claim):
    assert verify(claim, of=of).kind == "proved"


@pytest.mark.parametrize(("of", "claim"), [(of, claim) for of, claims in WRONG.items() for claim in claims])
def test_another_power_factor_or_place_is_not_accepted(of, claim):
    assert verify(claim, of=of).kind in ("refuted", "shapes")


@pytest.mark.parametrize("claim", REFUSED)
def test_what_a_function_does_not_take_is_refused(claim):
    with pytest.raises(ReadingError) as refused:
        verify(claim, of=PRODUCT)
    assert refused.value.code == REFUSED[claim]


@pytest.mark.parametrize(
    ("claim", "wrong", "of"),
    [
        ("∂L/∂x_ij = ∂L/∂y_ij step(x_ij)", "∂L/∂x_ij = ∂L/∂y_ij ReLU(x_ij)", "Y = ReLU(X)"),
        ("∂y_ij/∂x_kl = δ_ik δ_jl step(x_ij)", "∂y_ij/∂x_kl = δ_ik δ_jl (1 - step(x_ij))", "Y = ReLU(X)"),
        ("y_ij = relu(x_ij)", "y_ij = 2 relu(x_ij)", "Y = ReLU(X)"),
        ("y_ij = x_ij step(x_ij)", "y_ij = x_ij step(x_ij) + 1", "Y = ReLU(X)"),
        ("∂L/∂x_ij = ∂L/∂y_ij (Phi(x_ij) + x_ij phi(x_ij))", "∂L/∂x_ij = ∂L/∂y_ij (Phi(x_ij) - x_ij phi(x_ij))", "Y = GELU(X)"),
        (r"∂L/∂x_ij = ∂L/∂y_ij (\Phi(x_{ij}) + x_{ij} \phi(x_{ij}))", r"∂L/∂x_ij = ∂L/∂y_ij \Phi(x_{ij})", "Y = GELU(X)"),
        ("∂L/∂x_ij = ∂L/∂y_ij y_ij (1 - y_ij)", "∂L/∂x_ij = ∂L/∂y_ij y_ij (1 + y_ij)", "Y = sigmoid(X)"),
        ("y_ij = sigmoid(x_ij)", "y_ij = 1 - sigmoid(x_ij)", "Y = sigmoid(X)"),
        ("y_ij = GELU(x_ij)", "y_ij = x_ij GELU(x_ij)", "Y = GELU(X)"),
        (r"y_{ij} = \operatorname{GELU}(x_{ij})", r"y_{ij} = \operatorname{ReLU}(x_{ij})", "Y = GELU(X)"),
        ("y_ij = x_ij Phi(x_ij)", "y_ij = x_ij phi(x_ij)", "Y = GELU(X)"),
        ("y_ij = SiLU(x_ij)", "y_ij = sigmoid(x_ij)", "Y = SiLU(X)"),
        ("y_ij = x_ij sigmoid(x_ij)", "y_ij = x_ij sigmoid(x_ij)^2", "Y = SiLU(X)"),
    ],
)  # fmt: skip
def test_functions_of_entries_are_judged(claim, wrong, of):
    assert verify(claim, of=of).kind in ("proved", "tested")
    assert verify(wrong, of=of).kind == "refuted"
