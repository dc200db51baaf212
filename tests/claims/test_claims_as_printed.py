"""What `gradient` prints is read as a claim: chain rules, heads, parts of a matrix; each with twins that are wrong."""

import pytest

from symtransformer import verify
from symtransformer.errors import SymtransformerError
from symtransformer.reading import ReadingError

LINEAR = "Y = X W + b"
ATTENTION = "softmax(Q K^T / sqrt(d_k)) V"
HEADS = "MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=h)"
TWO_HEADS = "MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=2)"
LOSS = "CrossEntropy(L, Y)"
NETWORK = "FeedForward(X, W_1, b_1, W_2, b_2, activation=GELU)"
OF_HEADS = r"{\mathit{dQ}^{(i)}} {W_{Q}^{(i)}}^{\mathsf T} + {\mathit{dK}^{(i)}} {W_{K}^{(i)}}^{\mathsf T}"

RIGHT = {
    LINEAR: [
        "∂L/∂x_ia = Σ_j Σ_c ∂L/∂y_jc ∂y_jc/∂x_ia",
        "∂L/∂x_ia = Σ_j Σ_c ∂L/∂y_jc ∂/∂x_ia (b_c + Σ_f x_jf w_fc)",
        "∂L/∂x_ia = Σ_j Σ_c ∂L/∂y_jc Σ_f w_fc ∂x_jf/∂x_ia",
        r"\frac{\partial L}{\partial w_{ac}} = \sum_{i=1}^{n} \sum_{f=1}^{d} \frac{\partial L}{\partial y_{if}} \frac{\partial y_{if}}{\partial w_{ac}}",
        r"\frac{\partial L}{\partial x_{ia}} = \sum_{j=1}^{n} \sum_{c=1}^{d} \frac{\partial L}{\partial y_{jc}} \frac{\partial}{\partial x_{ia}}\left(\sum_{f=1}^{d_{\mathrm{model}}} x_{jf} w_{fc}\right)",
        r"\frac{\partial L}{\partial x_{ia}} = \sum_{f=1}^{d_{\mathrm{model}}} \sum_{c=1}^{d} \frac{\partial L}{\partial y_{ic}} \delta_{af} w_{fc}",
        "∂L/∂x_ia = Σ_j Σ_c ∂L/∂y_jc ∂y_ic/∂x_ja", "∂L/∂b_c = Σ_i Σ_f ∂L/∂y_if ∂y_if/∂b_c",
        r"\mathit{db} = \mathit{dY}^{\mathsf T} \mathbf{1}",
    ],
    ATTENTION: [
        "ds_ij = Σ_l da_il ∂a_il/∂s_ij",
        "∂L/∂q_ic = Σ_j ∂L/∂s_ij ∂s_ij/∂q_ic",
        "∂L/∂q_ic = Σ_l Σ_j ∂L/∂s_lj ∂s_lj/∂q_ic",
        "∂L/∂s_ij = Σ_l ∂L/∂a_il a_il (δ_lj - a_ij)",
        "∂L/∂q_ic = Σ_j Σ_l ∂L/∂a_il ∂a_il/∂s_ij k_jc / sqrt(d_k)",
    ],
    "A = softmax(S + B)": [
        "∂L/∂b_il = Σ_p Σ_j ∂L/∂a_pj Σ_u a_pj (δ_ju - a_pu) ∂(S + B)_pu/∂b_il",
        r"\frac{\partial L}{\partial b_{il}} = \sum_{j=1}^{m} \frac{\partial L}{\partial a_{ij}} \sum_{u=1}^{m} a_{ij} \left(\delta_{ju} - a_{iu}\right) \frac{\partial \left(S + B\right)_{iu}}{\partial b_{il}}",
    ],
    HEADS: [
        "∂L/∂w^Q,(i)_bc = Σ_j ∂L/∂q^(i)_jc x_jb", "∂L/∂w^Q,(t)_bc = Σ_i ∂L/∂q^(t)_ic x_ib",
        "∂L/∂x_jc = Σ_(i=1..h) Σ_b ∂L/∂q^(i)_jb w^Q,(i)_cb + Σ_(i=1..h) Σ_b ∂L/∂k^(i)_jb w^K,(i)_cb + Σ_(i=1..h) Σ_b ∂L/∂v^(i)_jb w^V,(i)_cb",
        "∂L/∂x_jc = Σ_i Σ_l Σ_b ∂L/∂q^(i)_lb ∂q^(i)_lb/∂x_jc + Σ_i Σ_l Σ_b ∂L/∂k^(i)_lb ∂k^(i)_lb/∂x_jc + Σ_i Σ_l Σ_b ∂L/∂v^(i)_lb ∂v^(i)_lb/∂x_jc",
        "dX = Σ_i (dQ^(i) W_Q^(i)^T + dK^(i) W_K^(i)^T + dV^(i) W_V^(i)^T)",
        "dX = Σ_i dQ^(i) W_Q^(i)^T + Σ_j dK^(j) W_K^(j)^T + Σ_i dV^(i) W_V^(i)^T",
        "dX = Sum(dQ^(t) W_Q^(t)^T + dK^(t) W_K^(t)^T + dV^(t) W_V^(t)^T, t = 1..h)",
        rf"\mathit{{dX}} = \sum_{{i=1}}^{{h}} \left({OF_HEADS} + {{\mathit{{dV}}^{{(i)}}}} {{W_{{V}}^{{(i)}}}}^{{\mathsf T}}\right)",
        "dX = Σ_i (A^(i) ⊙ (dA^(i) - rowsum(A^(i) ⊙ dA^(i)))) K^(i) W_Q^(i)^T / sqrt(d_k) + Σ_i (dK^(i) W_K^(i)^T + dV^(i) W_V^(i)^T)",
        "dW_Q^(j) = X^T dQ^(j)", "dW_Q^(i) = X^T dQ^(i)", "∂L/∂W_Q^(j) = X^T (∂L/∂Q^(j))",
        r"\frac{\partial L}{\partial {W_{Q}^{(i)}}} = X^{\mathsf T} \frac{\partial L}{\partial {Q^{(i)}}}",
        "Y = Concat(Z^(t), t = 1..h)", r"Y = \operatorname*{Concat}_{i=1}^{h}\!\left({Z^{(i)}}\right)",
        "dZ^(t) = dY[:, (t - 1)*d_v + 1 : t*d_v]", "dZ^(i) = dY[:, i d_v:(i + 1) d_v]",
        r"{\mathit{dZ}^{(j)}} = \left(\mathit{dO} W_O^T\right)_{:,\,\left(j - 1\right) d_{v} + 1:j d_{v}}",
    ],
    TWO_HEADS: [
        "dX = Σ_(i=1..2) (dQ^(i) W_Q^(i)^T + dK^(i) W_K^(i)^T + dV^(i) W_V^(i)^T)",
        "∂L/∂w^Q,(1)_bc = Σ_j ∂L/∂q^(1)_jc x_jb", "Y = Concat(Z^(i), i = 1..2)", "dZ_2 = dY[:, d_v:]", "dZ_2 = dY[:, d_v:2 d_v]",
        r"\mathit{dZ}_{2} = \left(\mathit{dY}\right)_{:,\,d_{v} + 1:2 d_{v}}",
        r"\frac{\partial L}{\partial w^{O}_{bc}} = \sum_{i=1}^{n} \sum_{h=1}^{2 d_{v}} \frac{\partial L}{\partial o_{ic}} \delta_{bh} y_{ih}",
        "∂L/∂x_jc = Σ_(i=1..2) Σ_b (∂L/∂q^(i)_jb w^Q,(i)_cb + ∂L/∂k^(i)_jb w^K,(i)_cb) + Σ_i Σ_b ∂L/∂v^(i)_jb w^V,(i)_cb",
    ],
    LOSS: [
        r"J = \frac{\mathbf{1} J_{\mathrm{row}}}{n}", r"\mathit{dJ}_{\mathrm{row}} = \frac{\mathbf{1}}{n}",
        "∂J/∂y_ic = Σ_k (1/n) ∂j^row_k/∂y_ic",
    ],
    NETWORK: ["∂L/∂x_ia = Σ_c ∂L/∂p_ic w^(1)_ac", r"\frac{\partial L}{\partial x_{ia}} = \sum_{c=1}^{d_{\mathrm{ff}}} \frac{\partial L}{\partial p_{ic}} w^{(1)}_{ac}"],
    "GELU(X)": ["∂L/∂x_ic = ∂L/∂f_ic ((1/sqrt(2*pi)) x_ic exp(-x_ic^2 / 2) + (1 + erf(x_ic / sqrt(2))) / 2)"],
    "sin(X)": ["∂L/∂x_ij = ∂L/∂y_ij cos(x_ij)"],
    "ColumnSlice(X, 1, 3)": ["∂L/∂x_il = Σ_j ∂L/∂y_ij δ_(l,j + 1)", r"\frac{\partial L}{\partial x_{il}} = \sum_{j=1}^{3} \frac{\partial L}{\partial y_{ij}} \delta_{l,j + 1}"],
}  # fmt: skip
WRONG = {
    LINEAR: [
        "∂L/∂x_ia = 2 Σ_j Σ_c ∂L/∂y_jc ∂y_jc/∂x_ia",
        "∂L/∂x_ia = Σ_j Σ_c ∂L/∂y_jc ∂y_ic/∂x_ja ∂y_ic/∂x_ia", "∂L/∂x_ia = Σ_j Σ_c ∂L/∂y_jc ∂/∂x_ia (b_c - Σ_f x_jf w_fc)",
        r"\frac{\partial L}{\partial x_{ia}} = \sum_{f=1}^{d_{\mathrm{model}}} \sum_{c=1}^{d} \frac{\partial L}{\partial y_{ic}} w_{fc}",
        r"\frac{\partial L}{\partial x_{ia}} = \sum_{c=1}^{d_{\mathrm{model}}} \frac{\partial L}{\partial y_{ic}} w_{ac}",
        r"\mathit{db} = 2 \mathit{dY}^{\mathsf T} \mathbf{1}",
    ],
    ATTENTION: [
        "ds_ij = Σ_l da_il ∂a_ij/∂s_il + da_ij", "∂L/∂q_ic = Σ_j ∂L/∂s_ij ∂s_ij/∂q_ic / sqrt(d_k)",
        "∂L/∂q_ic = Σ_j Σ_l ∂L/∂a_il ∂a_ij/∂s_ij k_jc / sqrt(d_k)",
    ],
    "A = softmax(S + B)": ["∂L/∂b_il = Σ_p Σ_j ∂L/∂a_pj Σ_u a_pj (δ_ju - a_pu) ∂(S - B)_pu/∂b_il"],
    HEADS: [
        "∂L/∂w^Q,(i)_bc = Σ_j ∂L/∂k^(i)_jc x_jb",
        "∂L/∂x_jc = Σ_i Σ_b ∂L/∂q^(i)_jb w^K,(i)_cb + Σ_i Σ_b ∂L/∂k^(i)_jb w^Q,(i)_cb + Σ_i Σ_b ∂L/∂v^(i)_jb w^V,(i)_cb",
        "dX = Σ_i (dQ^(i) W_Q^(i)^T + dK^(i) W_K^(i)^T - dV^(i) W_V^(i)^T)",
        "dX = Sum(dQ^(t) W_Q^(t)^T + dK^(t) W_Q^(t)^T + dV^(t) W_V^(t)^T, t = 1..h)",
        rf"\mathit{{dX}} = \sum_{{i=1}}^{{h}} \left({OF_HEADS}\right)",
        "Y = Concat(2 Z^(t), t = 1..h)", "dW_Q^(j) = X^T dK^(j)",
        "dZ^(i) = dY[:, (i - 1) d_v:i d_v]", "dZ^(i) = 2 dY[:, i d_v:(i + 1) d_v]",
    ],
    TWO_HEADS: [
        "dX = Σ_i (dQ^(i) W_K^(i)^T + dK^(i) W_Q^(i)^T + dV^(i) W_V^(i)^T)", "∂L/∂w^Q,(1)_bc = Σ_j ∂L/∂q^(2)_jc x_jb",
        "dZ_1 = dY[:, d_v + 1 : 2 d_v]", "dZ_2 = dY[:, 1:d_v]", "dZ_2 = dY[:, :d_v]", "dZ_1 = 2 dY[:, 1:d_v]", "dZ_1 = dY[:, 2:d_v]",
        "Y = Concat(Z_2, Z_1)",
    ],
    LOSS: [r"J = \frac{2 \mathbf{1} J_{\mathrm{row}}}{n}", r"\mathit{dJ}_{\mathrm{row}} = \mathbf{1}", "∂J/∂y_ic = Σ_k (2/n) ∂j^row_k/∂y_ic"],
    NETWORK: ["∂L/∂x_ia = Σ_c ∂L/∂p_ic (w^(1)_ac + 1)", "∂L/∂x_ia = 2 Σ_c ∂L/∂p_ic w^(1)_ac"],
    "GELU(X)": ["∂L/∂x_ic = ∂L/∂f_ic ((1/sqrt(2*pi)) x_ic exp(-x_ic^2 / 2) + (1 + erf(x_ic / 2)) / 2)"],
    "sin(X)": ["∂L/∂x_ij = ∂L/∂y_ij sin(x_ij)"],
    "ColumnSlice(X, 1, 3)": ["∂L/∂x_il = Σ_j ∂L/∂y_ij δ_(l,j)", "∂L/∂x_il = Σ_j ∂L/∂y_ij δ_(l,j + 2)"],
}  # fmt: skip
REFUSED = {
    HEADS: [
        ("dW_Q^(j) = X^T dQ^(i)", "head", "^(i)", "i is a head on the right side"), ("dX = dQ^(i) W_Q^(i)^T", "head", "", "i is a head"),
        ("dX = Σ_i (dQ^(i) W_Q^(i)^T + dK^(i) W_K^(i)^T + dV W_V^(i)^T)", "head", "", "which head of dV is meant"),
        ("dW_Q^(i) = X^T dQ", "head", "", "which head of dQ is meant"), ("K^(i) = X W_K", "head", "", "which head of W_K"),
        ("∂L/∂w^Q,(i)_bc = Σ_j ∂L/∂q_jc x_jb", "head", "", "which head of dQ is meant"),
        ("dX = Σ_i (dQ^(i) W_Q^(j)^T)", "index", "", "j is neither"),
        ("∂L/∂x_ic = Σ_i Σ_b ∂L/∂q^(i)_ib w^Q,(i)_cb", "index", "", "i is free here, and the sum goes over it too"),
        ("∂L/∂x_jc = Σ_(i=1..h) Σ_b ∂L/∂q^(i)_jb w^Q,(i)_ci", "shapes", "", ""),
    ],
    TWO_HEADS: [
        ("dX = Σ_(i=1..3) dQ^(i) W_Q^(i)^T", "head", "", "does not count 2 heads"),
        ("∂L/∂w^Q,(i)_bc = Σ_i ∂L/∂q^(i)_ic x_ib", "head", "", "i counts heads and is an index"),
        ("Y = Concat(Z^(i), i = 1..3)", "part", "", "there are 2"),
    ],
    LINEAR: [
        ("∂L/∂x_ia = Σ_j Σ_c ∂/∂x_ia (∂L/∂y_jc y_jc)", "derivative", "", "held fixed"),
        ("∂L/∂x_ia = Σ_j Σ_c ∂L/∂y_jc ∂/∂x_ia (x_ja y_jc)", "derivative", "", "two things"),
        ("∂L/∂x_ia = Σ_c ∂L/∂y_ic ∂/∂x_ia y_ic", "derivative", "", "in brackets"),
        ("∂L/∂x_i = ∂L/∂y_i ∂y_i/∂x_i", "derivative", "", "of a number by one entry"),
        ("dX = dY ∂Y/∂X", "derivative", "", "alone on the left side"),
        ("∂L/∂x_ia = Σ_c ∂L/∂y_ic w_(a + B,c)", "index", "", "no indices"),
    ],
    "A = softmax(S + B)": [
        ("∂L/∂b_il = Σ_j ∂L/∂a_ij a_ij ∂(b_ij - Σ_u a_iu b_iu)/∂b_il", "derivative", "", "A depends on B, too"),
        ("∂L/∂b_il = Σ_j ∂L/∂a_ij ∂(B)/∂b_il", "derivative", "", "of a number by one entry"),
    ],
    "Y = X + tanh(X)\nZ = Y ⊙ X": [("∂L/∂x_ia = ∂L/∂z_ia ∂z_ia/∂x_ia", "derivative", "", "two things")],
}  # fmt: skip


def flat(table):
    return [
        (of, *(claim if isinstance(claim, tuple) else (claim,))) for of, claims in table.items() for claim in claims
    ]


@pytest.mark.parametrize(("of", "claim"), flat(RIGHT))
def test_what_is_printed_is_accepted_in_every_spelling(of, claim):
    found = verify(claim, of=of)
    assert found.kind == "proved", found


@pytest.mark.parametrize(("of", "claim"), flat(WRONG))
def test_what_is_wrong_is_refuted_in_the_same_spelling(of, claim):
    found = verify(claim, of=of)
    assert found.kind in ("refuted", "shapes"), found


@pytest.mark.parametrize(("of", "claim", "code", "place", "said"), flat(REFUSED))
def test_what_says_two_things_is_refused_with_its_reason(of, claim, code, place, said):
    if code == "shapes":
        assert verify(claim, of=of).kind == "shapes"
        return
    with pytest.raises(ReadingError, match=code) as refused:
        verify(claim, of=of)
    assert (refused.value.code, said in refused.value.message) == (code, True), refused.value


@pytest.mark.parametrize("claim", ["dX = dY[:, 1:2] W^T", "dX = dY[:, 2] W[2, :]"])
def test_parts_that_may_count_from_0_or_from_1_are_not_decided(claim):
    try:
        kind = verify(claim, of=LINEAR).kind
    except SymtransformerError as error:
        kind = getattr(error, "code", "")
    assert kind in ("ambiguous", "shapes", "refuted", "part")
