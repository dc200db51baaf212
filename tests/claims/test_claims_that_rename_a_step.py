"""a_ij are the entries of A: a claim that says what they are says it of A, too; and no size gets another meaning."""

import pytest

from symtransformer import verify
from symtransformer.errors import UnreadableInput

ATTENTION = "softmax(Q K^T / sqrt(d_k)) V"


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        ("dV = A^T dZ where a_ij = exp(s_ij) / Σ_l exp(s_il)", "proved"),
        ("dV = A^T dZ where a_ij = s_ij", "refuted"),
        ("dV = softmax(A)^T dZ where a_ij = s_ij", "proved"),
        ("∂L/∂v_jc = Σ_i a_ij ∂L/∂z_ic where A = softmax(S)", "proved"),
        ("∂L/∂v_jc = Σ_i a_ij ∂L/∂z_ic where A = S", "refuted"),
        ("∂L/∂v_jc = Σ_i A_ij ∂L/∂z_ic where a_ij = s_ij", "refuted"),
        ("dQ = dA K / sqrt(d_k) where a_ij = s_ij", "proved"),  # dA is the gradient by the scores then
        ("dA = dZ V^T where a_ij = s_ij", "refuted"),
        ("dA = dZ V^T where a_ij = exp(s_ij) / Σ_l exp(s_il)", "proved"),
    ],
)
def test_entries_and_matrix_are_renamed_together(claim, kind):
    assert verify(claim, of=ATTENTION).kind == kind


def test_no_size_stands_for_another():
    assert verify("dQ = dS K / sqrt(c)", of=ATTENTION, names={"c": "d_k"}).kind == "proved"
    assert verify("dQ = dS K / sqrt(c)", of=ATTENTION, names={"c": "n"}).kind == "refuted"
    with pytest.raises(UnreadableInput, match="n is a size"):
        verify("dQ = dS K / sqrt(n)", of=ATTENTION, names={"n": "d_k"})
