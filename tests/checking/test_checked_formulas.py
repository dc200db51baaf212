r"""Equations with letters: what is given, what is proved, what is refuted and against what.

Which of the formulas are true is known from the textbooks that they come from, and for those of matrices and of one
vector decided by NumPy in test_checked_formulas_planted.py.
"""

import random
import time

import pytest

from symtransformer import verify
from symtransformer.checking.formula_verdicts import FORMULA_KINDS
from symtransformer.checking.formulas import judge_formula

ATTENTION = [("S", r"\frac{QK^T}{\sqrt{d_k}}"), ("A", r"\operatorname{softmax}(S)"), ("Z", "AV")]
HEAD = [("Q", "X W_Q"), ("K", "X W_K"), ("V", "X W_V"), *ATTENTION]
MEAN = ("μ", r"\frac{1}{d}\sum_{i=1}^{d} x_i")
VARIANCE = ("σ^2", r"\frac{1}{d}\sum_{i=1}^{d} (x_i-\mu)^2")
SAMPLE = ("σ^2", r"\frac{1}{d-1}\sum_{i=1}^{d} (x_i-\mu)^2")
NORM = [
    (r"\mu", r"\frac{1}{n} \sum_{i=1}^{n} x_i"),
    (r"\sigma", r"\sqrt{\frac{1}{n} \sum_{i=1}^{n} (x_i - \mu)^2}"),
    ("y_i", r"\frac{x_i - \mu}{\sigma}"),
]
SCORES = [("s_{ij}", r"q_i\cdot k_j"), ("g_{ij}", r"\partial L/\partial s_{ij}")]
PRODUCTS = [("Q", "XW_Q"), ("K", "XW_K"), ("S", "QK^T")]
LAYERS = [("y", "W₁x"), ("z", "W₂y")]

DEFINED = [  # left, right, formulas before
    ("Q", "XW_Q", []), ("Q", "X × Wq", []), ("Q", "input @ W_Q", []), ("Q", "X W_K", PRODUCTS), ("s_{ij}", r"q_i\cdot k_j", []),
    ("g_{ij}", r"\partial L/\partial s_{ij}", SCORES[:1]), ("f(x)", "x^2 + 1", []), ("Q'", "RoPE(Q)", [("Q", "X Wq")]),
    ("Attention Weight", "softmax(Score)", [("Score", "Q' × K'ᵀ / √d")]), ("出力₁", "0.77×V₁ + 0.16×V₂", []), ("z_{self}", "AV", ATTENTION),
    ("p_j", r"\frac{\exp(\ell_j)}{\sum_k\exp(\ell_k)}", []), (r"\text{Score}", r"\frac{Q \times K^T}{\sqrt{d_k}}", [("Score", "Q' × K'ᵀ / √d")]),
]  # fmt: skip
PROVED = [
    # two sides
    ("QK^T", "X W_Q W_K^T X^T", PRODUCTS[:2]), ("S", "X W_Q W_K^T X^T", PRODUCTS), ("Q", "X W_Q", PRODUCTS), ("(AB)^T", "B^T A^T", []),
    ("W₂y", "W₂(W₁x)", LAYERS), ("W₂(W₁x)", "(W₂W₁)x", LAYERS), ("softmax(x + c)", "softmax(x)", []), ("f(y)", "y^2 + 1", [("f(x)", "x^2+1")]),
    ("softmax(x - max(x))", "softmax(x)", []), (r"\operatorname{softmax}(S) V", "A V", ATTENTION),
    # the library's operations
    (r"\operatorname{Attention}(Q,K,V)", r"\operatorname{softmax}\left(\frac{QK^{\mathsf T}}{\sqrt{d_k}}\right)V", []),
    ("Attention(Q, K, V)", "softmax(QK^T/√d_k + M) V", []), (r"\text{Attention}(Q, K, V)", r"\text{softmax}\left(\frac{QK^T}{\sqrt{d_k}} + M\right) V", []),
    ("FFN(x)", "ReLU(xW_1+b_1)W_2+b_2", []), ("FFN(x)", "max(0, xW_1+b_1)W_2+b_2", []), (r"\text{FFN}(x)", r"\text{GELU}(x W_1 + b_1) W_2 + b_2", []),
    (r"\operatorname{FFN}(h)", r"\operatorname{ReLU}(hW_1+b_1)W_2+b_2", []), ("FFN(x)", "ReLU(xW_1)W_2", []),
    ("LayerNorm(x)", "γ ⊙ (x-μ)/√(σ²+ε) + β", []), ("LayerNorm(x)", "γ(x-μ)/√(σ²+ε) + β", [MEAN, VARIANCE]),
    (r"\operatorname{LayerNorm}(x)", r"\gamma \odot \frac{x-\mu}{\sqrt{\sigma^2+\epsilon}} + \beta", []), (r"\operatorname{LayerNorm}(x)", r"\gamma \frac{x-\mu}{\sigma} + \beta", []),
    ("RMSNorm(x)", "γ x / √(mean(x^2) + ε)", []), ("softmax(x)_i", "e^{x_i}/Σ_j e^{x_j}", []), (r"\operatorname{softmax}(x)_i", r"\frac{e^{x_i}}{\sum_j e^{x_j}}", []),
    ("σ(x)", "1/(1+e^{-x})", []), (r"\sigma(x)", r"\frac{1}{1+e^{-x}}", []), ("GELU(x)", "x Φ(x)", []), (r"\text{GELU}(x)", r"x \times \Phi(x)", []),
    ("ReLU(x)", "max(0, x)", []), ("SmoothedTargets(y)", "(1 - ε) y + ε / K", []), ("SiLU(x)", "x σ(x)", []), ("PE(pos, 2i)", "sin(pos/10000^{2i/d})", []), (r"\text{PE}(pos, 2i+1)", r"\cos(pos/10000^{2i/d_{model}})", []),
    # gradients and indices
    ("dX", "dQ W_Q^T + dK W_K^T + dV W_V^T", HEAD), ("dX", "dQ W_Q^T + dK W_K^T + dV W_V^T", HEAD[:3]), ("dQ", "dS K / √d_k", []),
    (r"\frac{\partial L}{\partial Q}", r"\frac{1}{\sqrt{d_k}}\frac{\partial L}{\partial S} K", HEAD), ("dS", "A ⊙ (dA - rowsum(A ⊙ dA))", []),
    (r"\nabla_Q L", r"\nabla_S L K / \sqrt{d_k}", ATTENTION), ("grad_V", "A^T grad_Z", ATTENTION), ("dW_1", "X^T dY", [("Y", "X W_1 + b_1")]),
    (r"\frac{\partial L}{\partial q_i}", r"\sum_j g_{ij}k_j", SCORES), (r"\frac{\partial L}{\partial k_j}", r"\sum_i g_{ij}q_i", SCORES),
    ("∂p_i/∂z_j", "p_i(δ_ij − p_j)", [("p", "softmax(z)")]), ("∂p_i/∂z_j", "p_i(δ_ij − p_j)", [("p_i", "e^{z_i}/Σ_k e^{z_k}")]), ("∂p_i/∂z_j", "p_i(δ_ij − p_j)", []),
    (r"\frac{\partial a_{ij}}{\partial s_{il}}", r"a_{ij}(\delta_{jl} - a_{il})", ATTENTION), ("a_ij", "exp(s_ij)/Σ_l exp(s_il)", ATTENTION), ("z_i", "Σ_j a_ij v_j", ATTENTION),
    (r"\frac{\partial L}{\partial x_i}", r"\frac{1}{\sigma} \left( \frac{\partial L}{\partial y_i} - \frac{1}{n} \sum_{j} \frac{\partial L}{\partial y_j} - y_i \frac{1}{n} \sum_{j} \frac{\partial L}{\partial y_j} y_j \right)", NORM),
    (r"\frac{\partial L}{\partial x_i}", r"\frac{\partial L}{\partial y_i} - \frac{1}{n} \sum_j \frac{\partial L}{\partial y_j}", [NORM[0], ("y_i", r"x_i - \mu")]),
    (r"\sum_{i=1}^{n} y_i", "0", NORM),
    # sizes
    ("[seq_len, d_k] @ [d_k, seq_len]", "[seq_len, seq_len]", []), ("Q [n, d_k] @ K.T [d_k, m]", "スコア行列 [n, m]", []),
]  # fmt: skip
CONVENTIONS = [
    ("LayerNorm(x)", r"\gamma \odot \frac{x-\mu}{\sigma+\epsilon} + \beta", [], "eps_outside"),
    ("LayerNorm(x)", "γ (x-μ)/√(σ²+ε) + β", [MEAN, SAMPLE], "sample_variance"),
    ("RMSNorm(x)", "γ x / (√(mean(x^2)) + ε)", [], "eps_outside"),
    ("GELU(x)", "0.5 x (1 + tanh(√(2/π) (x + 0.044715 x^3)))", [], "tanh_gelu"),
    ("GELU(x)", "x σ(1.702 x)", [], "sigmoid_gelu"),
    ("SmoothedTargets(y)", "(1 - ε) y + (1 - y) ε / (K - 1)", [], "smoothing_others"),
]
FALSE = [  # the right side changed, so that it is wrong; each beside the true one
    ("QK^T", ["X W_Q W_K X^T", "X W_K W_Q^T X^T", "X W_Q W_K^T", "-X W_Q W_K^T X^T"], PRODUCTS[:2]),
    ("S", ["X W_Q W_K X^T", "X W_K W_Q^T X^T"], PRODUCTS), ("W₂y", ["W₁(W₂x)", "W₂W₁", "W₂(W₁y)"], LAYERS),
    ("Attention(Q, K, V)", ["softmax(QK^T/d_k) V", "softmax(QK^T) V", "softmax(KQ^T/√d_k) V", "softmax(QK^T/√d_k) K", "softmax(QK^T/√d_k - M) V",
                            "softmax(QK^T √d_k) V", "V softmax(QK^T/√d_k)", "softmax(QQ^T/√d_k) V", "QK^T/√d_k V", "softmax(QK/√d_k) V"], []),
    ("FFN(x)", ["ReLU(xW_1+b_1)W_2-b_2", "ReLU(xW_2+b_1)W_1+b_2", "(xW_1+b_1)W_2+b_2", "ReLU((xW_1+b_1)W_2+b_2)", "ReLU(xW_1-b_1)W_2+b_2", "W_2 ReLU(xW_1+b_1)+b_2"], []),
    ("softmax(x)_i", ["e^{x_i}/Σ_j e^{-x_j}", "e^{x_j}/Σ_i e^{x_i}", "x_i/Σ_j x_j", "e^{x_i}", "e^{-x_i}/Σ_j e^{-x_j}", "e^{x_i}/Σ_j e^{x_i}"], []),
    ("σ(x)", ["1/(1+e^{x})", "1/(1-e^{-x})", "1/(2+e^{-x})", "e^{-x}/(1+e^{-x})"], []),
    ("GELU(x)", ["x (1 - Φ(x))", "Φ(x)", "x Φ(-x)", "0.5 x (1 + tanh(√(2/π) (x + 0.44715 x^3)))", "0.5 x (1 - tanh(√(2/π) (x + 0.044715 x^3)))"], []),
    ("PE(pos, 2i)", ["cos(pos/10000^{2i/d})", "sin(pos/10000^{i/d})", "sin(pos/1000^{2i/d})", "sin(pos 10000^{2i/d})", "-sin(pos/10000^{2i/d})"], []),
    ("PE(pos, 2i+1)", ["sin(pos/10000^{2i/d})", "cos(pos/10000^{(2i+1)/d})"], []),
    ("LayerNorm(x)", ["γ ⊙ (x+μ)/√(σ²+ε) + β", "γ ⊙ (x-μ)/(σ²+ε) + β", "γ ⊙ (x-μ)/√(σ²-ε) + β", "β ⊙ (x-μ)/√(σ²+ε) + γ", "γ ⊙ (x-μ)/√(σ²+ε) - β", "γ ⊙ x/√(σ²+ε) + β"], []),
    ("dX", ["dQ W_Q^T", "dQ W_Q^T + dK W_K^T", "dQ W_Q^T + dK W_K^T - dV W_V^T", "dQ W_K^T + dK W_Q^T + dV W_V^T"], HEAD),
    ("dX", ["dQ W_Q^T", "dQ W_Q^T + dK W_K^T"], HEAD[:3]), ("dQ", ["dS K", "dS K / d_k", "dS^T K / √d_k", "dS Q / √d_k", "-dS K / √d_k"], []),
    ("dS", ["A ⊙ dA", "A ⊙ (dA + rowsum(A ⊙ dA))", "A ⊙ (dA - rowsum(dA))", "S ⊙ (dA - rowsum(A ⊙ dA))"], ATTENTION),
    (r"\frac{\partial L}{\partial q_i}", [r"\sum_j g_{ji}k_j", r"\sum_j g_{ij}q_j", r"-\sum_j g_{ij}k_j", r"\sum_j s_{ij}k_j", r"\sum_j g_{ij}k_i", r"2 \sum_j g_{ij}k_j"], SCORES),
    (r"\frac{\partial L}{\partial k_j}", [r"\sum_i g_{ji}q_i", r"\sum_i g_{ij}k_i", r"-\sum_i g_{ij}q_i", r"\sum_i g_{ij}q_j", r"\sum_i s_{ij}q_i"], SCORES),
    ("∂p_i/∂z_j", ["p_i(δ_ij + p_j)", "p_i(1 − p_j)", "p_i(p_j − δ_ij)", "p_i δ_ij", "p_j(δ_ij − p_j)", "z_i(δ_ij − z_j)"], [("p", "softmax(z)")]),
    ("a_ij", ["exp(s_ij)/Σ_l exp(s_lj)", "exp(s_ji)/Σ_l exp(s_il)", "s_ij/Σ_l s_il", "exp(-s_ij)/Σ_l exp(-s_il)"], ATTENTION),
    ("z_i", ["Σ_j a_ji v_j", "Σ_j a_ij v_i", "Σ_j s_ij v_j", "-Σ_j a_ij v_j"], ATTENTION),
    (r"\frac{\partial L}{\partial x_i}", [r"\frac{1}{\sigma} \frac{\partial L}{\partial y_i}", r"\frac{1}{\sigma} \left( \frac{\partial L}{\partial y_i} - \frac{1}{n} \sum_{j} \frac{\partial L}{\partial y_j} \right)",
        r"\frac{1}{\sigma} \left( \frac{\partial L}{\partial y_i} + \frac{1}{n} \sum_{j} \frac{\partial L}{\partial y_j} - y_i \frac{1}{n} \sum_{j} \frac{\partial L}{\partial y_j} y_j \right)",
        r"\frac{1}{\sigma} \left( \frac{\partial L}{\partial y_i} - \frac{1}{n} \sum_{j} \frac{\partial L}{\partial y_j} - x_i \frac{1}{n} \sum_{j} \frac{\partial L}{\partial y_j} y_j \right)",
        r"\sigma \left( \frac{\partial L}{\partial y_i} - \frac{1}{n} \sum_{j} \frac{\partial L}{\partial y_j} - y_i \frac{1}{n} \sum_{j} \frac{\partial L}{\partial y_j} y_j \right)"], NORM),
    (r"\frac{\partial L}{\partial x_i}", [r"\frac{\partial L}{\partial y_i}", r"\frac{\partial L}{\partial y_i} + \frac{1}{n} \sum_j \frac{\partial L}{\partial y_j}"], [NORM[0], ("y_i", r"x_i - \mu")]),
    (r"\sum_{i=1}^{n} y_i", ["1", r"\mu"], NORM), ("[n, d_k] @ [d_k, m]", ["[m, n]", "[n, d_k]"], []), ("[n, d_k] @ [n, d_k]", ["[n, n]"], []),
    ("softmax(x + c)", ["softmax(x) + c", "softmax(-x)", "c softmax(x)"], []), ("(AB)^T", ["A^T B^T", "AB", "B^T A"], []), ("f(y)", ["y^2 - 1", "y^3 + 1"], [("f(x)", "x^2+1")]),
]  # fmt: skip


def cases(table):
    return [pytest.param(*case, id=f"{case[0]} = {case[1]}"[:90]) for case in table]


@pytest.mark.parametrize(("left", "right", "forward"), cases(DEFINED))
def test_a_formula_is_given(left, right, forward):
    assert judge_formula(left, right, forward).kind == "definition"


@pytest.mark.parametrize(("left", "right", "forward"), cases(PROVED))
def test_what_is_true_is_proved(left, right, forward):
    found = judge_formula(left, right, forward)
    assert found.kind == "proved", found.words.en
    assert found.against is not None
    assert found.counterexample is None


@pytest.mark.parametrize(("left", "right", "forward", "name"), cases(CONVENTIONS))
def test_another_convention_is_named(left, right, forward, name):
    found = judge_formula(left, right, forward)
    assert (found.kind, [note.name for note in found.remarks]) == ("by_convention", [name])


@pytest.mark.parametrize(("left", "wrong", "forward"), cases(FALSE))
def test_what_is_false_is_not_accepted(left, wrong, forward):
    found = [judge_formula(left, right, forward) for right in wrong]
    assert not [(right, v.words.en) for right, v in zip(wrong, found, strict=True) if v.is_accepted]
    assert all(v.counterexample for v in found if v.kind == "refuted")
    assert sum(v.kind in ("refuted", "shapes") for v in found) >= 0.5 * len(found), [
        (r, v.kind, v.words.en) for r, v in zip(wrong, found, strict=True)
    ]


# -- the lines of the three chapters that have letters, in their order ------------------------------------------------
CHAPTERS = {
    "attention by hand": [
        ("Q", "XW_Q", "definition"), ("K", "XW_K", "definition"), ("V", "XW_V", "definition"), ("q_1", "x_1w_{11}+x_2w_{21}", "definition"),
        ("q_2", "x_1w_{12}+x_2w_{22}", "definition"), ("A", r"\operatorname{softmax}(\frac{QK^{\mathsf T}}{\sqrt{2}})", "definition"), ("Z", "AV", "definition"),
        ("O", r"\operatorname{Concat}(Z_1,Z_2)W_O", "definition"), (r"\text{点数}", r"1\times k_1+0\times k_2", "definition"),
        (r"\text{点数}", r"0\times k_1+1\times k_2", "definition"), ("q", "xW_Q", "definition"), ("s_{ij}", r"q_i\cdot k_j", "definition"),
        ("g_{ij}", r"\partial L/\partial s_{ij}", "definition"), (r"\frac{\partial L}{\partial q_i}", r"\sum_j g_{ij}k_j", "proved"),
        (r"\frac{\partial L}{\partial k_j}", r"\sum_i g_{ij}q_i", "proved"), ("Q", "XW_Q", "proved"), ("K", "XW_K", "proved"), ("V", "XW_V", "proved"),
        (r"\operatorname{Attention}(Q,K,V)", r"\operatorname{softmax}(\frac{QK^{\mathsf T}}{\sqrt{d_k}})V", "proved"),
        (r"\operatorname{FFN}(h)", r"\operatorname{ReLU}(hW_1+b_1)W_2+b_2", "proved"), ("O", r"\operatorname{Concat}(Z_1,\ldots,Z_8)W_O", "unparsed"),
        ("H", r"\operatorname{LayerNorm}(X+O)", "definition"), (r"X_{\mathrm{next}}", r"\operatorname{LayerNorm}(H+\operatorname{FFN}(H))", "definition"),
        ("Q", r"S_{\mathrm{dec}}W_Q", "definition"), ("K", r"H_{\mathrm{enc}}W_K", "definition"), ("V", r"H_{\mathrm{enc}}W_V", "definition"),
        ("A", r"\operatorname{softmax}(\frac{QK^{\mathsf T}}{\sqrt{d_k}})", "definition"), ("Z", "AV", "definition"),
        (r"A_{\mathrm{self}}", r"\operatorname{softmax}(\frac{QK^{\mathsf T}}{\sqrt{d_k}}+M)", "definition"),
        ("p_j", r"\frac{\exp(\ell_j)}{\sum_k\exp(\ell_k)}", "definition"), (r"W_{\mathrm{vocab}}", r"E^{\mathsf T}", "definition"),
    ],
    "queries and keys": [
        ("Q · K", "|Q| × |K| × cos(θ)", "undecidable"), ("Q [n, d_k] @ K.T [d_k, n]", "スコア行列 [n, n]", "proved"),
        (r"\text{Attention}(Q, K, V)", r"\text{softmax}(\frac{QK^T}{\sqrt{d_k}} + M) V", "proved"), ("[seq_len, d_k] @ [d_k, seq_len]", "[seq_len, seq_len]", "proved"),
        ("[seq_len, seq_len] @ [seq_len, d_v]", "[seq_len, d_v]", "proved"), ("attention_scores", "Q @ K.transpose(-2, -1)", "definition"),
        ("Q · K", "|Q||K|cos(θ)", "undecidable"), ("Q", "X @ W_Q", "definition"), ("K", "X @ W_K", "definition"), ("V", "X @ W_V", "definition"),
        ("Q", "input @ W_Q", "definition"), ("K", "input @ W_K", "definition"), ("V", "input @ W_V", "definition"), ("Q", "decoder_hidden @ W_Q", "definition"),
        ("K", "encoder_output @ W_K", "definition"), ("V", "encoder_output @ W_V", "definition"),
        (r"\text{Attention}(Q, K, V)", r"\text{softmax}(\frac{QK^T}{\sqrt{d_k}} + M) V", "proved"),
    ],
    "what is learned": [
        ("Q", "X × Wq", "definition"), ("K", "X × Wk", "definition"), ("V", "X × Wv", "definition"), ("Q'", "RoPE(Q)", "definition"), ("K'", "RoPE(K)", "definition"),
        ("Score", "Q' × K'ᵀ / √d", "definition"), ("Attention Weight", "softmax(Score)", "definition"), ("Output", "Attention Weight × V", "definition"),
        ("Q", "X × Wq", "proved"), (r"\text{Score}", r"\frac{Q \times K^T}{\sqrt{d_k}}", "definition"), ("出力₁", "0.77×V₁ + 0.16×V₂ + 0.07×V₃", "definition"),
        ("あるトークンの出力", "0.7×V₁ + 0.2×V₂ + 0.1×V₃", "definition"), ("y", "W₁x", "definition"), ("z", "W₂y", "definition"), ("W₂y", "W₂(W₁x)", "proved"),
        ("W₂(W₁x)", "(W₂W₁)x", "proved"), ("(W₂W₁)x", "Wx", "undecidable"), (r"\text{FFN}(x)", r"\text{GELU}(x W_1 + b_1) W_2 + b_2", "proved"),
        (r"\text{GELU}(x)", r"x \times \Phi(x)", "proved"), ("y", "Wx + b", "definition"), ("Q'", "RoPE(Q, position)", "definition"), ("K'", "RoPE(K, position)", "definition"),
        ("Score", "Q' × K'ᵀ / √d_k", "definition"), ("Output", "softmax(Score) × V", "definition"),
        ("L", r"-\log \frac{\exp(\text{sim}(q, d^+) / \tau)}{\exp(\text{sim}(q, d^+) / \tau) + \sum_i \exp(\text{sim}(q, d_i^-) / \tau)}", "definition"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_formula_of_the_chapters_has_its_verdict(chapter):
    forward = []
    for left, right, wanted in CHAPTERS[chapter]:
        found = judge_formula(left, right, forward)
        assert (left, right, found.kind) == (left, right, wanted), found.words.en
        if found.kind == "definition" or "(" in left:
            forward.append((left, right))


# -- what is said -----------------------------------------------------------------------------------------------------
def test_the_verdict_says_against_what():
    own = judge_formula("dQ", "dS K / d_k", [("S", "Q K^T / d_k"), ("A", "softmax(S)"), ("Z", "A V")])
    assert (own.kind, own.against.en) == ("proved", "judged against the document's own formulas")
    usual = judge_formula("dQ", "dS K / √d_k")
    assert usual.kind == "proved"
    assert "scaled dot-product attention" in usual.against.en
    assert (
        judge_formula("dQ", "dS K / √d_k", [("S", "Q K^T / d_k"), ("A", "softmax(S)"), ("Z", "A V")]).kind == "refuted"
    )
    variant = judge_formula("FFN(x)", "GELU(xW_1+b_1)W_2+b_2")
    assert "activation=GELU" in variant.against.en
    assert "mask=M" in judge_formula("Attention(Q,K,V)", "softmax(QK^T/√d_k + M)V").against.ja


def test_what_differs_is_shown_by_small_numbers_in_the_names_of_the_document():
    found = judge_formula("出力", "Q'ᵀ 漆器", [("出力", "漆器ᵀ Q'"), ("Z", "漆器 + 漆器")])
    assert found.kind == "definition"
    found = judge_formula("漆器ᵀ 漆器", "漆器 漆器ᵀ 2", [])
    assert found.kind == "unparsed"
    found = judge_formula("(漆器 Q')ᵀ", "2 Q'ᵀ 漆器ᵀ")
    assert found.kind == "refuted"
    assert "漆器 = [[" in found.counterexample
    assert "Q' = [[" in found.counterexample
    assert "Word" not in found.counterexample
    assert "prime" not in found.counterexample


def test_sizes_that_do_not_fit_are_named():
    found = judge_formula("QK^T", "KQ^T", [])
    assert found.kind == "shapes"
    assert "fit only if" in found.words.en
    assert "のときだけ合う" in found.words.ja


def test_a_name_that_is_given_anew_is_no_fault_and_is_remarked():
    found = judge_formula("Q", "X W_K", PRODUCTS)
    assert [note.name for note in found.remarks] == ["redefined"]
    assert (
        judge_formula("S", "X W_Q W_K^T X^T", [*PRODUCTS, ("Q", "X W_K")]).kind == "proved"
    )  # S was made of the old Q


def test_a_letter_that_goes_elsewhere_too_is_not_called_proved():
    found = judge_formula("dX", "dQ W_Q^T", [("Q", "X W_Q"), ("H", "X + ReLU(X)")])
    assert (found.kind, found.code) == ("undecidable", "other_uses")


def test_known_sizes_and_numbers_are_used():
    assert judge_formula("c A B", "A c B", [], {"c": None}).kind == "proved"
    found = judge_formula("A^T", "A", [("Y", "A W")], {"A": (1, 1), "W": (1, 1)})
    assert found.kind in ("proved", "shapes")


def test_about_equal_is_not_refuted():
    assert judge_formula("GELU(x)", "x σ(1.7 x)").kind == "refuted"
    found = judge_formula("GELU(x)", "x σ(1.7 x)", relation="≈")
    assert (found.kind, found.code) == ("undecidable", "approximate")


@pytest.mark.parametrize(
    ("left", "right", "code"),
    [("O", r"\operatorname{Concat}(Z_1,\ldots,Z_h)W_O", "dots"), ("x", "a / b c", "after_slash"), ("x", "", "incomplete"), ("x", r"\sqrt[3]{y}", "root"),
     ("x", r"\foo y", "command"), ("x", "a ; b", "character"), ("x", "(" * 50 + "y" + ")" * 50, "too_deep"), ("x", "y " * 3000, "too_long"), ("A", "B^T^T", "two_superscripts")],
)  # fmt: skip
def test_what_cannot_be_read_has_its_code(left, right, code):
    found = judge_formula(left, right)
    assert (found.kind, found.code) == ("unparsed", code)


def test_a_size_of_1_that_only_fits_by_chance_proves_nothing():
    assert not judge_formula("LayerNorm(x)", "γ ⊙ (x-x)/√(σ²+ε) + β").is_accepted
    assert not judge_formula("softmax(x)", "ones(n, 1)").is_accepted


HOSTILE = [
    ("__import__('os').system('id')", "x", []), ("x", "9^9^9^9", []), ("PE(pos, 2i)", "sin(exp(exp(exp(exp(exp(pos))))))", []), ("\x00", "\u202e", []), ("", "", []),
    ("f(x)", "f(f(x))", [("f(x)", "f(x) + f(x)")]), ("A", "2 B", [("A", "B"), ("B", "A")]), ("(A+B+C+D+E+F)" * 6, "A B", []), ("softmax(" * 38 + "X" + ")" * 38, "X", []),
    ("dX", "dB_199 C", [(f"B_{k}", f"B_{k - 1} + B_{k - 1}" if k else "X W") for k in range(200)]), ("x", "\\frac" * 900, []), ("x", "Σ_i " * 90 + "x_i", []),
    ("dX", "dZ X", [("Y", "X X"), *[(f"Z_{k}", f"softmax(Z_{k - 1}) X" if k else "Y X") for k in range(30)]]), ("x.__class__", "x", [("x.__class__", "y")]),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "forward"), HOSTILE, ids=range(len(HOSTILE)))
def test_anything_gets_a_verdict_in_time(left, right, forward):
    start = time.monotonic()
    found = judge_formula(left, right, forward)
    assert found.kind in FORMULA_KINDS
    assert not found.is_accepted
    assert time.monotonic() - start < 20  # far above what it takes on a busy machine


def test_random_text_raises_nothing():
    source = random.Random(5)
    pieces = [
        "Q",
        "K^T",
        "softmax(",
        ")",
        "+",
        "-",
        "/",
        "Σ_j",
        "a_ij",
        "dS",
        r"\frac{",
        "}{",
        "}",
        "√",
        "漆器",
        "'",
        "2",
        "^",
        "_",
        "=",
        "|",
        "∂L/∂q_i",
        "⊙",
        " ",
        ",",
        "x",
        r"\text{a b}",
    ]
    for _ in range(300):
        left, right = ("".join(source.choices(pieces, k=source.randint(1, 7))) for _ in range(2))
        assert judge_formula(left, right, [("S", "Q K^T"), ("A", "softmax(S)")]).kind in FORMULA_KINDS


# -- nothing is taken for granted -------------------------------------------------------------------------------------
LAYER_NORM = ("LayerNorm(x)", "γ (x-μ)/√(σ²+ε) + β")


@pytest.mark.parametrize(
    ("left", "right", "forward", "wanted"),
    [
        (*LAYER_NORM, [("μ", r"\foo x")], "undecidable"),  # not what μ usually means
        (*LAYER_NORM, [("μ", r"\frac{1}{m} \sum_{i=1}^{n} x_i"), ("σ^2", r"\frac{1}{n} \sum_i (x_i-μ)^2")], "undecidable"),  # m and n may differ
        ("LayerNorm(y)", "γ (y-μ)/√(σ²+ε) - β", [LAYER_NORM], "refuted"), ("LayerNorm(X+O)", "LayerNorm(O+X)", [LAYER_NORM], "proved"),
        ("dX", "dY", [("m", "pool(X)"), ("Y", "X + m")], "undecidable"),  # what X does to m is not known
        ("dX", "dY", [("Y", "X + C")], "proved"), ("dX", "dH", [LAYER_NORM, ("H", "LayerNorm(X) + X")], "refuted"),
        ("A B", "B", [("A", "pool(B)")], "undecidable"), ("‖x‖^2", "x · x", [], "proved"), ("‖x‖", "x · x", [], "refuted"),
        (r"\frac{\partial L}{\partial x_i}", r"\frac{\partial L}{\partial y_i}", [("y_i", r"x_i - \mu")], "undecidable"), ("dX", "dY W^T", [], "proved"), ("dX", "dY W", [], "undecidable"),
        ("dS", "A * (dA - rowsum(A * dA))", [("S", "Q @ K.T / sqrt(d_k)"), ("A", "softmax(S)"), ("Z", "A @ V")], "proved"),
        ("dS", "A * dA", [("S", "Q @ K.T / sqrt(d_k)"), ("A", "softmax(S)"), ("Z", "A @ V")], "refuted"),
        (r"\frac{\partial L}{\partial W}", r"\frac{\partial L}{\partial y} x^\top", [("y", "W x")], "proved"),
        (r"\frac{\partial L}{\partial u}", r"(1 - h^2) \odot \frac{\partial L}{\partial h}", [("h", r"\tanh(u)")], "proved"),
    ],
)  # fmt: skip
def test_only_what_is_known_is_used(left, right, forward, wanted):
    assert judge_formula(left, right, forward).kind == wanted


def test_a_formula_that_later_ones_may_use_says_so():
    assert judge_formula("s_{ij}", r"q_i\cdot k_j").defines == "s_{ij}"
    assert judge_formula("FFN(x)", "ReLU(xW_1+b_1)W_2+b_2").defines == "FFN(x)"
    assert judge_formula("Q K^T", "(K Q^T)^T").defines == ""


def test_a_number_of_unknown_kind_can_refute():
    assert verify("softmax(x - c) = softmax(x) - c", of="x: 1 d\nc: number\nc x").kind == "refuted"
