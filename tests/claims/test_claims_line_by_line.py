"""Lines of a claim: what each of them defines, where it is refused and why, and names that are given from outside."""

import pytest

from symtransformer import verify
from symtransformer.errors import UnreadableInput
from symtransformer.reading import ReadingError

ATTENTION = "S = Q K^T / sqrt(d_k)\nA = softmax(S)\nZ = A V"


@pytest.mark.parametrize(
    ("claim", "kind", "claimed"),
    [
        ("c = 1/sqrt(d_k); dQ = c dS K", "proved", "dQ = (1/sqrt(d_k)) dS K"),
        ("c = 2; dQ = c dS K", "refuted", "dQ = 2 dS K"),
        ("g_ij = ds_ij/sqrt(d_k); dq_ia = Σ_j g_ij k_ja", "proved", "dQ_ia = Σ_j g_ij K_ja"),
        ("g_ij = 2 ds_ij/sqrt(d_k); dq_ia = Σ_j g_ij k_ja", "refuted", "dQ_ia = Σ_j g_ij K_ja"),
        ("dQ = G K/sqrt(d_k) where G = dS", "proved", "dQ = dS K / sqrt(d_k)"),
        ("dQ = G K/sqrt(d_k) where G = dA", "refuted", "dQ = dA K / sqrt(d_k)"),
        ("∂z_i/∂a_ij = v_j", "proved", "∂Z_i/∂A_ij = V_j"),
        ("∂z_i/∂a_ij = 2 v_j", "refuted", "∂Z_i/∂A_ij = 2 V_j"),
        ("∂z_i/∂a_ij = v_i", "shapes", "∂z_i/∂a_ij = v_i"),
        ("∂a_i/∂s_ij = a_i", "refuted", "∂A_i/∂S_ij = A_i"),
        ("∂L/∂q_i = Σ_j ∂L/∂s_ij k_j/sqrt(d_k)", "proved", "dQ_i = Σ_j dS_ij K_j / sqrt(d_k)"),
        ("∂L/∂q_i = Σ_j ∂L/∂s_ij k_j", "refuted", "dQ_i = Σ_j dS_ij K_j"),
        ("Σ_j a_ij = 1", "proved", "Σ_j A_ij = 1"),
        ("Σ_i a_ij = 1", "refuted", "Σ_i A_ij = 1"),
        ("Σ_j a_ij = 2", "refuted", "Σ_j A_ij = 2"),
    ],
)
def test_lines_together_are_one_claim(claim, kind, claimed):
    found = verify(claim, of=ATTENTION)
    assert (found.kind, found.claimed) == (kind, claimed)
    assert str(found) == str(found.verdict)


@pytest.mark.parametrize(
    ("claim", "code", "column", "message"),
    [
        ("S = dS; dQ = S K", "twice", 1, "S is the name of something else already"),
        ("Q = 2; dQ = dS K", "twice", 1, "Q is the name of something else already"),
        ("G = dS; G = 2; dQ = G K", "twice", 1, "G is the name of something else already"),
        ("g_ii = ds_ii; dQ = dS K", "index", 1, "an index appears twice on the left side"),
        ("g_ij = ds_i1; dQ = dS K", "index", 1, "the index j does not appear on the right side"),
        ("g_ij = 2; dQ = G K", "index", 1, "the index i does not appear on the right side"),
        ("g_ij = ds_ik; dQ = dS K", "index", 8, "the index k is neither on the left side nor summed over"),
        ("dQ = dS K / sqrt(d_k) where d_k = 2", "index", 29, "the index k does not appear"),
        ("∂b_ij/∂s_il = a_ij", "unknown_name", 2, "'b' is nothing that is known here"),
        ("∂M/∂Q = dS K", "unknown_name", 2, "'M' is nothing that is known here"),
        ("x = 1", "unknown_name", 1, "'x' is nothing that is known here"),
        ("dB = dS", "unknown_name", 1, "would be the gradient with respect to B"),
        ("∂a_i/∂s_ij = S", "index", 14, "the right side should be m, but is n x m"),
        ("∂a_ij/∂s_il = A", "index", 15, "the right side should be a number, but is n x m"),
        ("∂a_ij = 2", "derivative", 1, "something other than the loss stands alone on the left side"),
        ("dQ = ∂A/∂S K", "derivative", 6, "something other than the loss stands alone on the left side"),
        ("dQ = ∂a_ij/∂s_il K", "index", 7, "the index i is neither on the left side nor summed over"),
        ("dq_ib = Σ_j ds_ij k_ja/sqrt(d_k)", "index", 19, "the index a is neither on the left side nor summed over"),
        ("; ".join([*["c = 2"] * 20, "dQ = dS K"]), "too_long", 1, "a claim with more than 20 lines"),
        ("", "empty", 1, "there is no claim"),
        ("dQ dS", "no_equation", 1, "a claim is an equation"),
        ("dQ = dS = dA", "two_equations", 9, "two = in one line"),
        ("dQ ≈= dS K", None, None, "is no equality"),
    ],
)
def test_a_line_is_refused_at_its_place_with_its_reason(claim, code, column, message):
    with pytest.raises(ReadingError) as refused:
        verify(claim, of=ATTENTION)
    assert message in refused.value.message
    assert code is None or (refused.value.code, refused.value.line, refused.value.column) == (code, 1, column)


@pytest.mark.parametrize(
    ("claim", "names", "kind"),
    [
        ("dQ = G K/sqrt(d_k)", {"G": "dS"}, "proved"),
        ("dQ = G K/sqrt(d_k)", {"G": "dA"}, "refuted"),
        ("dQ = dP K/sqrt(d_k)", {"P": "S"}, "proved"),
        ("dQ = dP K/sqrt(d_k)", {"P": "A"}, "refuted"),
        ("dQ = dS K/sqrt(c)", {"c": "d_k"}, "proved"),
        ("dQ = dS K/c", {"c": "d_k"}, "refuted"),
        ("dQ = dP K/sqrt(d_k)", {"P": "A", "dP": "dS"}, "proved"),
    ],
)
def test_names_given_from_outside(claim, names, kind):
    assert verify(claim, of=ATTENTION, names=names).kind == kind


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"G": "dT"}, "names: G is to stand for 'dT', which is not known here; did you mean dZ?"),
        ({"Q": "dS"}, "names: Q stands for something else already"),
        ({"2": "dS"}, "names: '2' is not a name of a letter"),
    ],
)
def test_names_from_outside_that_cannot_be(names, message):
    with pytest.raises(UnreadableInput) as refused:
        verify("dQ = G K", of=ATTENTION, names=names)
    assert message in str(refused.value)


def test_what_is_no_expression_is_refused():
    with pytest.raises(UnreadableInput, match="expected an expression or a derivation, got int"):
        verify("dQ = dS K", of=3)
