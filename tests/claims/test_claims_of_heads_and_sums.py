"""Marks, layers, heads, ends of sums and tags in further spellings: each is proved, and its wrong twins are not."""

from contextlib import suppress

import pytest

from symtransformer import verify
from symtransformer.reading import ReadingError

ATTENTION = "softmax(Q K^T / sqrt(d_k)) V"
CAUSAL = "S = Q K^T / sqrt(d_k)\nA = softmax(S + causal(n))\nZ = A V"
TWO_HEADS = "MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=2)"
HEADS = "MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=h)"
SISTERS = "T = X W\nT_2 = T ⊙ T\nY = T_2 B"
TWO_E = "E_1 = X W\nE_2 = tanh(E_1)\nY = E_2 B"
NORM, TWO_NORMS = "LayerNorm(X, g, b)", "N = LayerNorm(X, g, b)\nN_2 = LayerNorm(N, g_2, b_2)"
SMALL_SISTER = "E = LayerNorm(X, g, b)\nF = tanh(E W)\nN = LayerNorm(F, c, e)"  # e is a column, and E a matrix
OF_HEADS = "(dQ^(i) W_Q^(i)^T + dK^(i) W_K^(i)^T + dV^(i) W_V^(i)^T)"
HEAD_ROW = "(Σ_b ∂L/∂q^(i)_jb w^{Q,(i)}_cb + Σ_b ∂L/∂k^(i)_jb w^{K,(i)}_cb + Σ_b ∂L/∂v^(i)_jb w^{V,(i)}_cb)"
RESIDUAL = "F = tanh(X)\nY = X + F"
OF_NORM = "(∂L/∂l_ia - (1/d_model) Σ_b ∂L/∂l_ib - (1/d_model) l_ia Σ_b ∂L/∂l_ib l_ib)"
SIGMA = r"\left(\frac{\partial L}{\partial l_{ia}} - \frac{1}{d_{model}} \sum_b \frac{\partial L}{\partial l_{ib}} - \frac{1}{d_{model}} l_{ia} \sum_b \frac{\partial L}{\partial l_{ib}} l_{ib}\right)"

PAIRS = {  # right, and what is wrong in the same spelling
    ATTENTION: [
        ("dQ = d_k^{-1/2} dS K", ["dQ = d_k^{1/2} dS K", "dQ = d_v^{-1/2} dS K", "dQ = d_k^{-3/2} dS K", "dQ = d_k^{-1/2} dS^T K"]),
        ("dQ = (d_k)^{-0.5} dS K", ["dQ = (d_k)^{0.5} dS K", "dQ = (d_k)^{-1.5} dS K", "dQ = (2 d_k)^{-0.5} dS K"]),
        (r"dQ = d_{k}^{-\frac{1}{2}} dS K", [r"dQ = d_{k}^{\frac{1}{2}} dS K", r"dQ = -d_{k}^{-\frac{1}{2}} dS K"]),
        ("∂L/∂q_ia = d_k^{-1/2} Σ_j ds_ij k_ja", ["∂L/∂q_ia = d_k^{1/2} Σ_j ds_ij k_ja", "∂L/∂q_ia = d_k^{-1/2} Σ_j ds_ji k_ja", "∂L/∂q_ia = d_k^{-3/2} Σ_j ds_ij k_ja"]),
        ("∂L/∂q_ia = Σ_{j=0}^{m-1} ds_ij k_ja / sqrt(d_k)", ["∂L/∂q_ia = Σ_{j=0}^{m-1} ds_ij k_ja", "∂L/∂q_ia = Σ_{j=0}^{m-2} ds_ij k_ja / sqrt(d_k)", "∂L/∂q_ia = Σ_{j=0}^{m} ds_ij k_ja / sqrt(d_k)", "∂L/∂q_ia = Σ_{j=0}^{n-1} ds_ij k_ja / sqrt(d_k)"]),
        ("dQ = dS K / sqrt(d_k)  [proved]", ["dQ = dS K  [proved]", "dQ = dS K / d_k [proved]", "dQ = dS Q / sqrt(d_k)  [proved]"]),
        ("dQ = dS K / sqrt(d_k)  [tested, not proved: equal at 6 points, for n = 3]", ["dQ = dS K  [tested, not proved: equal at 6 points, for n = 3]"]),
        ("dQ = dS K / sqrt(d_k) [sum over j]", ["dQ = dS K / sqrt(d_k) [softmax s]", "dQ = dS K / sqrt(d_k) [rowsum da]", "dQ = dS K [sum over j]"]),
        ("dQ = dS K / sqrt(d_k)  [証明済み]", ["dQ = dS K  [証明済み]"]),
        ("  (1) ∂L/∂q_ic = Σ_j ∂L/∂s_ij k_jc / sqrt(d_k)  [a delta in a sum picks one term]", ["  (1) ∂L/∂q_ic = Σ_j ∂L/∂s_ij k_jc  [chain rule]", "  (1) ∂L/∂q_ic = Σ_j ∂L/∂s_ji k_jc / sqrt(d_k)  [連鎖律]"]),
    ],
    "A = softmax(2 S + B)": [
        ("∂L/∂s_ij = Σ_l ∂L/∂a_il ∂a_il/∂s_ij", ["∂L/∂s_ij = Σ_l ∂L/∂a_il ∂a_il/∂b_ij", "∂L/∂s_ij = ∂L/∂a_ij ∂a_ij/∂s_ij", "∂L/∂s_ij = Σ_l ∂L/∂a_il ∂a_il/∂s_il"]),
        ("∂L/∂b_ij = Σ_l ∂L/∂a_il ∂a_il/∂b_ij", ["∂L/∂b_ij = Σ_l ∂L/∂a_il ∂a_il/∂s_ij", "∂L/∂b_ij = 2 Σ_l ∂L/∂a_il ∂a_il/∂b_ij"]),
    ],
    "RMSNorm(X)": [("∂L/∂x_ia = Σ_b ∂L/∂n_ib ∂n_ib/∂x_ia", ["∂L/∂x_ia = ∂L/∂n_ia ∂n_ia/∂x_ia", "∂L/∂x_ia = -Σ_b ∂L/∂n_ib ∂n_ib/∂x_ia"])],
    CAUSAL: [
        ("z_ic = Σ_{j=1}^{i} a_ij v_jc", ["z_ic = Σ_{j=1}^{i-1} a_ij v_jc", "z_ic = Σ_{j=i}^{n} a_ij v_jc", "z_ic = Σ_{j=1}^{i} a_ji v_jc", "z_ic = Σ_{j=2}^{n} a_ij v_jc"]),
        (r"dv_{jc} = \sum_{i=j}^{n} a_{ij} dz_{ic}", [r"dv_{jc} = \sum_{i=j+1}^{n} a_{ij} dz_{ic}", r"dv_{jc} = \sum_{i=1}^{j} a_{ij} dz_{ic}", r"dv_{jc} = \sum_{i=j}^{n} a_{ji} dz_{ic}", r"dv_{jc} = \sum_{i=j}^{n-1} a_{ij} dz_{ic}"]),
        ("dv_jc = Σ_(i=j..n) a_ij dz_ic", ["dv_jc = Σ_(i=j + 1..n) a_ij dz_ic", "dv_jc = Σ_(i=1..j) a_ij dz_ic"]),
        ("z_ic = Σ_{j=0}^{i} a_ij v_jc", ["z_ic = Σ_{j=0}^{i-1} a_ij v_jc", "z_ic = Σ_{j=0}^{n-2} a_ij v_jc"]),
        ("z_ic = Σ_{l=0}^{n-1} Σ_{j=0}^{i} δ_jl a_ij v_lc", ["z_ic = Σ_{l=0}^{n-1} Σ_{j=1}^{i} δ_jl a_ij v_lc", "z_ic = Σ_{l=1}^{n} Σ_{j=0}^{i} δ_jl a_ij v_lc", "z_ic = Σ_{l=0}^{n-1} Σ_{j=0}^{i-1} δ_jl a_ij v_lc"]),
        ("ds_ij = a_ij (da_ij - r_i) where r_i = Σ_{l=0}^{n-1} a_il da_il", ["ds_ij = a_ij (da_ij - r_i) where r_i = Σ_{l=0}^{n-1} a_il da_lj", "ds_ij = a_ij (da_ij - r_i) where r_i = Σ_{l=0}^{n-2} a_il da_il"]),
        ("z_iν = Σ_μ a_iμ v_μν", ["z_iν = Σ_μ a_μi v_μν", "z_iν = Σ_μ a_iμ v_iν"]),
        (r"z_{i\nu} = \sum_\mu a_{i\mu} v_{\mu\nu}", [r"z_{i\nu} = \sum_\mu a_{\mu i} v_{\mu\nu}"]),
    ],
    TWO_HEADS: [
        ("dW_Q^(i) = X^T dQ^(i)", ["dW_Q^(i) = X^T dK^(i)", "dW_Q^(i) = X^T dQ^(1)", "dW_Q^(i) = X^T dQ^(2)", "dW_Q^(i) = 2 X^T dQ^(i)", "dW_Q^(i) = X dQ^(i)", "dW_Q^(i) = X^T dQ^(j)"]),
        (r"\frac{\partial L}{\partial W_Q^{(h)}} = X^\top \frac{\partial L}{\partial Q^{(h)}}", [r"\frac{\partial L}{\partial W_Q^{(h)}} = X^\top \frac{\partial L}{\partial V^{(h)}}"]),
        ("dQ^(i) = dS^(i) K^(i) / sqrt(d_k)", ["dQ^(i) = dS^(i) K^(i)", "dQ^(i) = dS^(i)^T K^(i) / sqrt(d_k)", "dQ^(i) = dS^(i) K^(2) / sqrt(d_k)"]),
        ("∂L/∂w^Q,(i)_bc = Σ_j ∂L/∂q^(i)_jc x_jb", ["∂L/∂w^Q,(i)_bc = Σ_j ∂L/∂k^(i)_jc x_jb", "∂L/∂w^Q,(i)_bc = Σ_j ∂L/∂q^(2)_jc x_jb", "∂L/∂w^Q,(i)_bc = Σ_j ∂L/∂q^(i)_jb x_jc"]),
        ("dS^(i) = A^(i) ⊙ (dA^(i) - rowsum(A^(i) ⊙ dA^(i)))", ["dS^(i) = A^(i) ⊙ (dA^(i) - rowsum(A^(1) ⊙ dA^(1)))", "dS^(i) = A^(i) ⊙ dA^(i)"]),
        (r"\frac{\partial L}{\partial q_{ic}^{(2)}} = \frac{1}{\sqrt{d_k}} \sum_{j=1}^{n} \frac{\partial L}{\partial s_{ij}^{(2)}} k_{jc}^{(2)}", [
            r"\frac{\partial L}{\partial q_{ic}^{(2)}} = \frac{1}{\sqrt{d_k}} \sum_{j=1}^{n} \frac{\partial L}{\partial s_{ij}^{(2)}} k_{jc}^{(1)}",
            r"\frac{\partial L}{\partial q_{ic}^{(2)}} = \frac{1}{\sqrt{d_k}} \sum_{j=1}^{n} \frac{\partial L}{\partial s_{ji}^{(2)}} k_{jc}^{(2)}",
            r"\frac{\partial L}{\partial q_{ic}^{(2)}} = \sum_{j=1}^{n} \frac{\partial L}{\partial s_{ij}^{(2)}} k_{jc}^{(2)}"]),
        ("∂L/∂q_ic^(2) = Σ_j ∂L/∂s_ij^(2) k_jc^(2) / sqrt(d_k)", ["∂L/∂q_ic^(1) = Σ_j ∂L/∂s_ij^(2) k_jc^(2) / sqrt(d_k)"]),
        (r"\frac{\partial L}{\partial w_{ab}^{Q,(1)}} = \sum_i x_{ia} \frac{\partial L}{\partial q_{ib}^{(1)}}", [r"\frac{\partial L}{\partial w_{ab}^{Q,(1)}} = \sum_i x_{ia} \frac{\partial L}{\partial q_{ib}^{(2)}}", r"\frac{\partial L}{\partial w_{ab}^{K,(1)}} = \sum_i x_{ia} \frac{\partial L}{\partial q_{ib}^{(1)}}"]),
        (f"dX = Σ_{{i=1}}^{{2}} {OF_HEADS}", [f"dX = Σ_{{i=0}}^{{2}} {OF_HEADS}", f"dX = Σ_(i=0..2) {OF_HEADS}", rf"dX = \sum_{{i=0}}^2 {OF_HEADS}", f"dX = Σ_{{i=1}}^{{1}} {OF_HEADS}", f"dX = Σ_{{i=1}}^{{3}} {OF_HEADS}"]),
        (f"∂L/∂x_jc = Σ_{{i=1}}^{{2}} {HEAD_ROW}", [f"∂L/∂x_jc = Σ_{{i=0}}^{{2}} {HEAD_ROW}", f"∂L/∂x_jc = Σ_{{i=0}}^{{1}} {HEAD_ROW} / 2", f"∂L/∂x_jc = Σ_{{i=2}}^{{2}} {HEAD_ROW}"]),
        ("∂q_ic^(2)/∂x_ja = δ_ij w_ac^{Q,(2)}", ["∂q_ic^(2)/∂x_ja = δ_ij w_ac^{Q,(1)}", "∂q_ic^(2)/∂x_ja = δ_ij w_ac^{K,(2)}"]),
    ],
    HEADS: [
        ("∂L/∂q_{jc}^{(i)} = Σ_l ∂L/∂s_{jl}^{(i)} k_{lc}^{(i)} / sqrt(d_k)", ["∂L/∂q_{jc}^{(i)} = Σ_l ∂L/∂s_{jl}^{(i)} k_{lc}^{(i)}", "∂L/∂q_{jc}^{(i)} = Σ_l ∂L/∂s_{lj}^{(i)} k_{lc}^{(i)} / sqrt(d_k)"]),
    ],
    SISTERS: [
        ("t^(2)_ij = t_ij^2", ["t^(2)_ij = t_ij", "t^(2)_ij = 2 t_ij^2", "t_ij = t^(2)_ij^2"]),
        ("t_2_ij = t_ij^2", ["t_2_ij = t_ij"]),
        (r"\frac{\partial L}{\partial t_{ij}} = 2 t_{ij} \frac{\partial L}{\partial t^{(2)}_{ij}}", [r"\frac{\partial L}{\partial t_{ij}} = t_{ij} \frac{\partial L}{\partial t^{(2)}_{ij}}", r"\frac{\partial L}{\partial t_{ij}} = 2 t^{(2)}_{ij} \frac{\partial L}{\partial t_{ij}}"]),
    ],
    TWO_E: [("∂L/∂e^(1)_ia = ∂L/∂e^(2)_ia (1 - e^(2)_ia^2)", ["∂L/∂e^(1)_ia = ∂L/∂e^(2)_ia (1 - e^(1)_ia^2)", "∂L/∂e^(2)_ia = ∂L/∂e^(1)_ia (1 - e^(2)_ia^2)"])],
    NORM: [
        ("∂n_ia/∂g_c = δ_ac l_ia", ["∂n_ia/∂g_c = l_ia", "∂n_ia/∂g_c = δ_ac n_ia", "∂n_ia/∂g_c = δ_ic l_ia", "∂n_ia/∂g_c = 2 δ_ac l_ia"]),
        ("∂L/∂x_ia = Σ_b ∂L/∂l_ib ∂l_ib/∂x_ia", ["∂L/∂x_ia = ∂L/∂l_ia ∂l_ia/∂x_ia", "∂L/∂x_ia = Σ_b ∂L/∂n_ib ∂l_ib/∂x_ia", "∂L/∂x_ia = 2 Σ_b ∂L/∂l_ib ∂l_ib/∂x_ia", "∂L/∂x_ia = Σ_b ∂L/∂l_ib ∂l_ib/∂x_ib"]),
        ("∂n_ia/∂b_c = δ_ac", ["∂n_ia/∂b_c = 1", "∂n_ia/∂b_c = -δ_ac"]),
    ],
    SMALL_SISTER: [
        ("∂L/∂g_c = Σ_i ∂L/∂E_ic l_ic", ["∂L/∂g_c = 2 Σ_i ∂L/∂E_ic l_ic", "∂L/∂g_c = Σ_i ∂L/∂E_ic L_2_ic"]),
        ("∂L/∂e_a = Σ_i ∂L/∂n_ia", ["∂L/∂e_a = Σ_i ∂L/∂E_ia", "∂L/∂e_a = -Σ_i ∂L/∂n_ia"]),
    ],
    TWO_NORMS: [
        (f"∂L/∂x_ia = (1/sigma'_i) {OF_NORM}", [f"∂L/∂x_ia = (1/sigma_i) {OF_NORM}", f"∂L/∂x_ia = (2/sigma'_i) {OF_NORM}"]),
        (rf"\frac{{\partial L}}{{\partial x_{{ia}}}} = \frac{{1}}{{\sigma_i^{{\prime}}}} {SIGMA}", [rf"\frac{{\partial L}}{{\partial x_{{ia}}}} = \frac{{1}}{{\sigma_i}} {SIGMA}"]),
    ],
    RESIDUAL: [("∂L/∂x_ij = Σ_k Σ_l ∂L/∂f_kl ∂f_kl/∂x_ij + Σ_k Σ_l ∂L/∂y_kl δ_ik δ_jl", ["∂L/∂x_ij = Σ_k Σ_l ∂L/∂f_kl ∂f_kl/∂x_ij", "∂L/∂x_ij = ∂L/∂f_ij + ∂L/∂y_ij", "∂L/∂x_ij = Σ_k Σ_l ∂L/∂y_kl δ_ik δ_jl"])],
}  # fmt: skip
EVERY = [(of, right, wrong) for of, pairs in PAIRS.items() for right, wrong in pairs]


@pytest.mark.parametrize(("of", "right"), [(of, right) for of, right, _ in EVERY])
def test_it_is_proved(of, right):
    assert verify(right, of=of).kind == "proved"


@pytest.mark.parametrize(("of", "claim"), [(of, claim) for of, _, wrong in EVERY for claim in wrong])
def test_its_wrong_twin_is_refuted_or_refused(of, claim):
    with suppress(ReadingError):
        assert verify(claim, of=of).kind in ("refuted", "shapes")


@pytest.mark.parametrize(
    ("of", "claim", "code", "said"),
    [
        (CAUSAL, "z_1c = Σ_{j=0}^{n-1} a_1j v_jc", "sum", "j counts from 0, and other places here from 1"),
        (CAUSAL, "z_ic = Σ_{j=0}^{n-1} a_ij Σ_{k=1}^{n} δ_jk v_kc", "sum", "j counts from 0"),
        (
            CAUSAL,
            "z_ic = Σ_{l=0}^{n-1} Σ_{j=1}^{i} δ_jl a_ij v_lc",
            "sum",
            "l counts from 0, and other places here from 1",
        ),
        (CAUSAL, "z_ic = Σ_{j=1}^{i} a_ij u_jc where u_jc = Σ_{l=0}^{n-1} δ_jl v_lc", "sum", "l counts from 0"),
        (CAUSAL, "z_ic = Σ_{j=0}^{i} a_ij u_jc where u_jc = Σ_{l=1}^{n} δ_jl v_lc", "sum", "j counts from 0"),
        (CAUSAL, "z_ic = Σ_{j=0}^{n} a_ij v_jc", "sum", "would end at n - 1"),
        (CAUSAL, "z_ic = Σ_{j=0} a_ij v_jc", "sum", "says where it ends"),
        (CAUSAL, "z_ic = Σ_{j=i}^{i} a_ij v_jc", "sum", "an index at both ends"),
        (TWO_HEADS, "dW_Q^(i) = Σ_i x_i^T dq^(i)_i", "head", "i counts heads and is an index"),
        (TWO_HEADS, "dX = dQ^(i) W_Q^(i)^T", "head", "i is a head on the right side"),
        (SMALL_SISTER, "∂L/∂g_c = Σ_i ∂L/∂e_ic l_ic", "ambiguous", "write an entry of dE with the capital letter"),
        (SMALL_SISTER, "f_ia = tanh(Σ_b e_ib w_ba)", "ambiguous", "as in E_ij"),
        (SISTERS, "t_2 = x_2 W", "index", "t_2 could be T_2, or row 2 of T"),
        (SISTERS, "∂L/∂t_ij^(2) = 2 t_ij", "", ""),
        (SISTERS, "t_ij^(2) = t_ij^2", "exponent", "a power has no brackets"),
        (RESIDUAL, "∂L/∂x_ij = Σ_k Σ_l ∂L/∂y_kl ∂y_kl/∂x_ij + ∂L/∂f_ij (1 - f_ij^2)", "derivative", "two things"),
        ("Y = X W", "dY = X' W", "", ""),
    ],
)
def test_what_is_not_clear_is_refused(of, claim, code, said):
    with pytest.raises(ReadingError) as refused:
        verify(claim, of=of)
    assert code in ("", refused.value.code)
    assert said in refused.value.message


def test_a_claim_for_every_head_says_which_of_them_fails():
    found = verify("dW_Q^(i) = X^T dQ^(1)", of=TWO_HEADS)
    assert (found.kind, found.claimed) == ("refuted", "dW_Q2 = X^T dQ_1")
    assert any("head 2" in words.plain("en") for words in found.notes)
    assert any(
        "each of the 2 heads" in words.plain("en") for words in verify("dW_Q^(i) = X^T dQ^(i)", of=TWO_HEADS).notes
    )


PARTS = {
    "ColumnSlice(X W, 1, 2)": [
        ("∂L/∂x_ic = Σ_j ∂L/∂y_ij w_(c,j + 1)", ["∂L/∂x_ic = Σ_j ∂L/∂y_ij w_(c,j)", "∂L/∂x_ic = Σ_j ∂L/∂y_ij w_(j + 1,c)", "∂L/∂x_ic = ∂L/∂y_i1 w_(c,2)"]),
        ("dX = pad[2 of d](dY) W^T", ["dX = pad[1 of d](dY) W^T", "dX = pad[2 of d](dY) W"]),
    ],
    "Y = RowSlice(X W, 1, 2)": [("∂L/∂w_ca = Σ_i ∂L/∂y_ia x_(i + 1,c)", ["∂L/∂w_ca = Σ_i ∂L/∂y_ia x_ic", "∂L/∂w_ca = Σ_i ∂L/∂y_ia x_(i + 2,c)"])],
}  # fmt: skip


@pytest.mark.parametrize(("of", "right", "wrong"), [(of, *pair) for of, pairs in PARTS.items() for pair in pairs])
def test_a_part_of_a_product_is_judged_by_forms_for_all_sizes_in_which_it_is_there(of, right, wrong):
    """Columns 2 and 3 are there if d ≥ 3; no point was needed, which took 40 seconds."""
    assert verify(right, of=of).kind == "proved"
    for claim in wrong:
        with suppress(ReadingError):
            assert verify(claim, of=of).kind in ("refuted", "shapes")
