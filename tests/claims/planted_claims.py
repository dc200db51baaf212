"""Wrong claims, drawn after the code was done: slips that people make, none of which may be accepted."""

from claim_spellings import ATTENTION, HEAD, LINEAR, RELU, SELF, SQUARE, TANH

NORM, LOSS = "LayerNorm(X)", "CrossEntropy(L, Y)"

WRONG = {
    ATTENTION: [
        # transposes and order
        "dV = A dZ", "dV = dZ^T A", "dV = dZ A", "dA = V dZ^T", "dA = dZ V", "dA = dZ^T V", "dA = Z dV^T", "dA = dZ K^T",
        "dQ = dS^T K / sqrt(d_k)", "dQ = K dS / sqrt(d_k)", "dQ = dS K^T / sqrt(d_k)", "dQ = dS Q / sqrt(d_k)", "dQ = dS V / sqrt(d_k)",
        "dQ = dA K / sqrt(d_k)", "dQ = A K / sqrt(d_k)", "dQ = S K / sqrt(d_k)", "dK = dS Q / sqrt(d_k)", "dK = Q^T dS / sqrt(d_k)",
        "dK = dS^T K / sqrt(d_k)", "dK = dA^T Q / sqrt(d_k)", "dK = Q dS^T / sqrt(d_k)", "∂L/∂K = ∂L/∂S Q / sqrt(d_k)",
        # factors
        "dQ = dS K", "dQ = dS K / d_k", "dQ = dS K * sqrt(d_k)", "dQ = dS K / sqrt(d_v)", "dQ = dS K / sqrt(n)", "dQ = dS K / sqrt(m)",
        "dQ = 2 dS K / sqrt(d_k)", "dQ = -dS K / sqrt(d_k)", "dQ = dS K / (2 sqrt(d_k))", "dK = dS^T Q", "dK = dS^T Q / d_k",
        "dK = dS^T Q / sqrt(n)", "dK = 1.001 dS^T Q / sqrt(d_k)", "dV = A^T dZ / sqrt(d_k)", "dV = A^T dZ / n", "dA = dZ V^T / sqrt(d_k)",
        r"\frac{\partial L}{\partial K} = \frac{1}{d_k} \left(\frac{\partial L}{\partial S}\right)^\top Q", r"\bar Q = \bar S K",
        "∇_Q L = ∇_S L K / d_k", "Q.grad = S.grad @ K",
        # the gradient of softmax
        "dS = A ⊙ dA", "dS = dA", "dS = A", "dS = dA - rowsum(A ⊙ dA)", "dS = A ⊙ (dA + rowsum(A ⊙ dA))", "dS = A ⊙ (dA - rowsum(dA))",
        "dS = A ⊙ (dA - colsum(A ⊙ dA))", "dS = A ⊙ (dA - rowsum(A))", "dS = A ⊙ dA - rowsum(A ⊙ dA)", "dS = S ⊙ (dA - rowsum(S ⊙ dA))",
        "dS = A ⊙ (1 - A) ⊙ dA", "dS = (A - A ⊙ A) ⊙ dA", "dS = -A ⊙ (dA - rowsum(A ⊙ dA))", "dS = A * (dA - sum(A * dA, axis=0))",
        "dS = A * (dA - sum(A, axis=1))", "dS = A * (dA - mean(A * dA))", "dS = A ⊙ (dA - rowsum(dZ ⊙ V))", "dS = A ⊙ (dA - rowsum(dZ))",
        "dS = dA ⊙ (dA - rowsum(A ⊙ dA))", "dS = A ⊙ (dA - A ⊙ rowsum(dA))", "dS = A ⊙ (dA - 2 rowsum(A ⊙ dA))", "dS = A ⊙ dA - A ⊙ A ⊙ dA",
        "dS = A (dA - rowsum(A ⊙ dA))", "dS = A ⊙ (dA - diag(A^T dA))", "dS = A ⊙ (dA - diag(Z Z^T))", "dS = dA - A ⊙ rowsum(A ⊙ dA)",
        "dS = A ⊙ (dA - (A ⊙ dA) ones(m, m) / m)", "rowsum(A ⊙ dA) = rowsum(dZ ⊙ A)", "rowsum(A ⊙ dA) = rowsum(dZ ⊙ dZ)", "rowsum(dS) = rowsum(A)",
        # forward steps
        "A = softmax(S^T)", "A = softmax(S / sqrt(d_k))", "A = exp(S)", "A = divide(S, rowsum(S))", "A = softmax(Q K^T)", "Z = A K", "Z = A^T V",
        "Z = V A", "S = Q K^T", "S = K Q^T / sqrt(d_k)", "S = Q K^T / d_k", "S = Q K / sqrt(d_k)",
        # indices
        "∂L/∂q_i = Σ_j ds_ij k_j", "∂L/∂q_i = Σ_j ds_ij k_j / d_k", "∂L/∂q_i = Σ_j ds_ji k_j / sqrt(d_k)", "∂L/∂q_i = Σ_j ds_ij q_j / sqrt(d_k)",
        "∂L/∂q_i = Σ_j a_ij k_j / sqrt(d_k)", "∂L/∂q_i = Σ_j da_ij k_j / sqrt(d_k)", "∂L/∂q_i = Σ_{j=1}^{n} ds_ij k_j / sqrt(d_k)",
        "∂L/∂q_i = Σ_{j=1}^{d_k} ds_ij k_j / sqrt(d_k)", "∂L/∂q_i = Σ_{j≠i} ds_ij k_j / sqrt(d_k)", "∂L/∂q_i = Σ_{j≤i} ds_ij k_j / sqrt(d_k)", "∂L/∂q_i = Σ_{j>1} ds_ij k_j / sqrt(d_k)",
        "∂L/∂q_i = ds_ii k_i / sqrt(d_k)", "∂L/∂k_j = Σ_i ds_ij k_i / sqrt(d_k)", "∂L/∂k_j = Σ_i ds_ji q_i / sqrt(d_k)", "∂L/∂k_j = Σ_i ds_ij q_i",
        "∂L/∂k_j = Σ_i ds_ij q_j / sqrt(d_k)", "∂L/∂k_i = Σ_j ds_ij q_j / sqrt(d_k)", "∂L/∂Q_ia = Σ_j ds_ij K_aj / sqrt(d_k)", "∂L/∂Q_ia = Σ_j ds_ij K_ja",
        "∂L/∂q_i = Σ_j g_ij k_j where g_ij = ∂L/∂s_ij", "∂L/∂q_i = Σ_j g_ij k_j where g_ij = ∂L/∂a_ij / sqrt(d_k)",
        "s0_ij = q_i · k_j; ∂L/∂q_i = Σ_j g_ij k_j / sqrt(d_k) where g_ij = ∂L/∂s0_ij", "dv_j = Σ_i a_ji dz_i", "dv_j = Σ_i a_ij dz_j", "dv_j = Σ_i da_ij z_i",
        "dV_jc = Σ_i A_ij dZ_ci", "da_ij = dz_j · v_i", "da_ij = dz_i · v_i", "da_ij = z_i · v_j", "da_ij = dz_i · k_j", "da_ij = Σ_c dz_ic v_ic",
        "ds_ij = a_ij (da_ij − Σ_l da_il)", "ds_ij = a_ij (da_ij − Σ_l a_il)", "ds_ij = a_ij (da_ij + Σ_l a_il da_il)", "ds_ij = a_ij da_ij",
        "ds_ij = a_ij (1 − a_ij) da_ij", "ds_ij = a_ij (da_ij − Σ_l a_lj da_lj)", "ds_ij = a_ij da_ij − Σ_l a_il da_il", "ds_ij = a_ij (da_ij − Σ_{l≠j} a_il da_il)",
        "ds_ij = a_ij (da_ij − Σ_{l≤j} a_il da_il)", "ds_ij = −a_ij (da_ij − Σ_l a_il da_il)", "ds_ij = s_ij (da_ij − Σ_l a_il da_il)",
        "ds_ij = a_ij (da_ij − Σ_l a_il da_ij)", "ds_ij = a_ij (da_ij − Σ_l a_ij da_il)", "ds_ij = Σ_l da_il a_il (δ_jl + a_ij)", "ds_ij = Σ_l da_il (δ_jl − a_ij)",
        "ds_ij = Σ_l da_il a_ij (1 − a_ij)", "ds_ij = Σ_l da_il a_il δ_jl",
        "∂a_ij/∂s_il = a_ij (1 − a_il)", "∂a_ij/∂s_il = a_ij (δ_jl + a_il)", "∂a_ij/∂s_il = δ_jl − a_il", "∂a_ij/∂s_il = a_il (δ_jl − a_il)",
        "∂a_ij/∂s_il = −a_ij (δ_jl − a_il)", "∂a_ij/∂s_il = a_ij δ_jl", "∂a_ij/∂s_il = a_ij (1 − a_ij)", "∂a_ij/∂s_il = s_ij (δ_jl − s_il)",
        "∂a_ij/∂s_il = −a_ij a_il", "∂a_ij/∂s_kl = a_ij (δ_jl − a_il)", "∂a_ij/∂s_kl = δ_ik a_ij (1 − a_il)", "∂a_ij/∂s_ij = a_ij", "∂a_ij/∂s_ij = 1 − a_ij",
        "∂a_ij/∂s_ij = a_ij^2", "∂a_i/∂s_i = diag(a_i)", "∂a_i/∂s_i = diag(a_i) + a_i^T a_i", "∂z_ia/∂v_jb = a_ij", "∂z_ia/∂v_ja = a_ij δ_ij", "∂z_ia/∂a_ij = v_ia",
        "∂s_ij/∂q_ia = k_ja", "∂s_ij/∂q_ia = q_ia / sqrt(d_k)", "∂s_ij/∂k_ja = q_ia",
        "a_ij = exp(s_ij) / Σ_l exp(s_lj)", "a_ij = s_ij / Σ_l s_il", "a_ij = exp(s_ij)", "a_ij = exp(s_ij) / Σ_{l≠j} exp(s_il)",
        "s_ij = Σ_a q_ia k_ja", "s_ij = Σ_a q_ia k_ja / d_k", "s_ij = q_j · k_i / sqrt(d_k)", "s_ij = q_i · q_j / sqrt(d_k)", "z_i = Σ_j a_ij k_j", "z_i = Σ_j a_ji v_j",
        "z_i = Σ_j s_ij v_j", "dK = Σ_i q_i^T ds_i / sqrt(d_k)", "dV = Σ_i dz_i^T a_i",
    ],
    SQUARE: [
        "dQ = dS^T K / sqrt(d)", "dK = dS Q / sqrt(d)", "dV = A dZ", "∂L/∂q_i = Σ_j ds_ji k_j / sqrt(d)", "∂L/∂k_j = Σ_i ds_ji q_i / sqrt(d)",
        "∂L/∂k_j = Σ_i ds_ij k_i / sqrt(d)", "dv_j = Σ_i a_ji dz_i", "da_ij = dz_j · v_i", "ds_ij = a_ij (da_ij − Σ_l a_lj da_lj)",
        "ds_ij = a_ij (da_ij − Σ_l a_il da_li)", "∂a_ij/∂s_il = a_ij (δ_il − a_il)", "dS = A ⊙ (dA - colsum(A ⊙ dA))", "dS = A^T ⊙ (dA - rowsum(A ⊙ dA))",
        "dS = A ⊙ (dA - rowsum(A ⊙ dA)^T)", "dS = A ⊙ (dA^T - rowsum(A ⊙ dA))", "dS = A (dA - A dA)", "a_ij = exp(s_ij) / Σ_l exp(s_lj)", "z_i = Σ_j a_ji v_j",
        "dS = A ⊙ (dA - trace(A dA^T))", "dS = A ⊙ (dA - A dA^T)",
    ],
    SELF: [
        "dW = X dS X^T", "dW = X^T dS^T X", "dW = X^T dS", "dX = dS X W^T + dS^T X W", "dX = dS X W^T + A^T dZ", "dX = dS X W + dS^T X W^T + A^T dZ",
        "dX = dS X W^T + dS^T X W + A dZ", "dX = 2 dS X W^T + A^T dZ", "dx_i = Σ_j ds_ij x_j W^T + Σ_j a_ji dz_j",
    ],
    HEAD: [
        "dW_Q = X^T dK", "dW_Q = dQ^T X", "dW_Q = X dQ", "dW_Q = X^T dQ / sqrt(d_k)", "dW_V = X^T dZ", "dX = dQ W_Q^T", "dX = dQ W_Q^T + dK W_K^T",
        "dX = dQ W_Q + dK W_K + dV W_V", "dX = dQ W_Q^T + dK W_Q^T + dV W_V^T", "dX = dQ W_Q^T + dK W_K^T - dV W_V^T", "dx_i = dq_i W_Q^T + dk_i W_K^T",
        "dW_Q = Σ_i dq_i^T x_i", "dW_Q = Σ_i x_i^T dk_i", "q_i = x_i W_K", "q_i = W_Q x_i", r"\frac{\partial L}{\partial W^Q_{ab}} = \sum_i x_{ib} \frac{\partial L}{\partial q_{ia}}",
    ],
    LINEAR: [
        "dW_1 = dY^T X", "dW_1 = X dY", "dX = dY W_1", "dX = W_1 dY", "db_1 = colsum(dY)^T / n", "db_1 = rowsum(dY)", "db_1 = dY ones(n, 1)", "db_1 = dY",
        "db_1 = n Σ_i dy_i", "dW_1 = X^T dY / n", "Y = X W_1", "Y = X W_1 - b_1",
    ],
    RELU: ["dX = dH W_1^T", "dW_1 = X^T dH", "dW_2 = dY^T H", "dH = dY W_2", "dH = dY", "db_1 = Σ_i dh_i"],
    TANH: [
        "dX = dY ⊙ (1 - Y)", "dX = dY ⊙ (1 + Y ⊙ Y)", "dX = dY ⊙ (1 - X ⊙ X)", "dX = 1 - Y ⊙ Y", "dX = dY ⊙ Y ⊙ (1 - Y)", "dX = dY * (1 - Y)^2", "dx_ij = dy_ij (1 - y_ji^2)",
        "dx_ij = dy_ij (1 - x_ij^2)",
    ],
    NORM: [
        "dX = dN / sigma", "dX = (dN - mean(dN)) / sigma", "dX = (dN - N ⊙ mean(dN ⊙ N)) / sigma", "dX = dN - mean(dN) - N ⊙ mean(dN ⊙ N)",
        "dX = (dN - rowsum(dN) - N ⊙ rowsum(dN ⊙ N)) / sigma", "dX = (dN - mean(dN) + N ⊙ mean(dN ⊙ N)) / sigma", "dX = (dN - mean(dN) - N ⊙ mean(dN ⊙ N)) / sigma^2",
        "dX = (dN - mean(dN) - X ⊙ mean(dN ⊙ X)) / sigma", "dX = (dN - mean(dN) - N ⊙ mean(dN)) / sigma",
        "∂L/∂x_ij = (1/σ_i) * (dN_ij − Σ_k dN_ik / d_model − N_ij Σ_k dN_ik / d_model)", "∂L/∂x_ij = (1/σ_i) * (dN_ij − Σ_k dN_ik / n − N_ij Σ_k dN_ik N_ik / n)",
    ],
    LOSS: [
        "dL = P - Y", "dL = (P - Y) / n", "dL = (Y - P) / n", "dL = P / n", "dL = (P ⊙ rowsum(Y) - Y) / d", "dL = (P ⊙ rowsum(Y) + Y) / n", "dL = P ⊙ (rowsum(Y) - Y) / n",
        "∂J/∂l_ij = p_ij Σ_k y_ik − y_ij", "∂J/∂l_ij = (p_ij Σ_k y_kj − y_ij) / n",
    ],
}  # fmt: skip

UNREADABLE = {  # code of the error
    "index": [
        "∂L/∂q_i = Σ_i ds_ij k_j", "∂L/∂q_i = ds_ij k_j", "∂L/∂q_i = Σ_j Σ_j ds_ij k_j", "∂L/∂q_i = Σ_l ds_ij k_j", "∂L/∂k_j = Σ_j ds_ij q_i", "∂L/∂k_j = ds_ij q_i",
        "ds_ij = a_ij (da_ij − Σ_j a_ij da_ij)", "ds_ij = a_ij (da_ij − Σ_i a_il da_il)", "ds_ij = a_ij (da_ij − a_il da_il)", "a_ij = exp(s_ij) / Σ_j exp(s_ij)",
        "a_ij = exp(s_ij) / Σ_i exp(s_ij)", "a_ij = exp(s_ij) / Σ_l exp(s_ij)", "z_i = Σ_n a_in v_n", "z_n = Σ_j a_nj v_j", "∂a_ij/∂s_il = a_ij (δ_jk − a_il)", "dQ = dS_ij k_j", "dQ_i = Σ_j ds_ij k_j + k_j",
        "ds_ijk = a_ij", "∂L/∂q_i = Σ_j d_k_ij k_j", "ds_i0 = a_i0",
    ],
    "circular": ["dS = dS", "dQ = dQ + dS K - dS K", "ds_ij = ds_ij", "A = A", "dS = G where G = dS"],
    "unknown_name": ["dW = X^T dQ", "dQ = dS W", "∂L/∂x_i = Σ_j ds_ij k_j", "dQ = dB K", "A = softmax(T)", "Q = 2 B"],
    "derivative": ["∂Z/∂Q = K", "dZ/dQ = K", "dS = ∂L/∂A ∂A/∂S", r"\frac{\partial Z}{\partial Q} = K", "ds_ij = Σ_l da_il ∂a_il/∂da_ij", "∂s_ij/∂s_ij = 1",
                   "∂s_ij/∂v_ja = 0", "∂q_ia/∂s_ij = 0", "∂a_ij/∂dz_ia = 0"],
    "two_equations": ["dQ = dS K = dS Q", "dQ == dS K"],
    "no_equation": ["dS K / sqrt(d_k)", "dQ", "where"[:0] + "dQ : dS K"],
    "incomplete": ["dQ =", "= dS K", "dQ = dS K /", "∂L/∂q_i = Σ_j", "dQ = (dS K"],
    "after_slash": ["dQ = 1/sqrt(d_k) dS K", "∂L/∂q_i = 1/d_k Σ_j ds_ij k_j"],
    "sum": ["∂L/∂q_i = Σ ds_ij k_j", r"\frac{\partial L}{\partial q_i} = \sum ds_{ij} k_j", "∂L/∂q_i = Σ_{j=0}^{m} ds_ij k_j", "∂L/∂q_i = Σ_{j=1}^{r} ds_ij k_j"],
    "twice": ["Q = dS; dK = Q", "dQ = G K where G = dS, G = dA"],
    "character": ["dQ = dS K ¿", "∂L/∂q_i = Σ_j ds_ij k_j |", "dQ = dS\u202e K"],
    "too_long": ["dQ = " + "A + " * 1000 + "A"],
    "too_deep": ["dQ = " + "(" * 41 + "dS K" + ")" * 41, "∂L/∂q_i = " + "Σ_j " * 41 + "k_j"],
    "keyword": ["dS = A * (dA - sum(A * dA))", "dS = A * (dA - sum(A * dA, axis=2))",
                "dS = A * (dA - sum(A * dA, axis=1, keepdims=Tru))", "dS = A * (dA - sum(A * dA, axis=1, keepdims=False))"],
}  # fmt: skip
