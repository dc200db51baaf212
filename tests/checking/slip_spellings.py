"""How a person writes the calculations of the planted slips: several spellings each, in text, LaTeX, steps, one line.

`<y>` stands for the digits, `<y1>` for those of the first row, `<d>` for the columns of K, `<n>` for the rows.
"""

ATTENTION = [
    "Attention(Q, K, V) ≈ <y>",
    "Z = softmax(Q K^T / sqrt(d_k)) V ≈ <y>",
    "S = Q·Kᵀ/√<d>\nA = softmax(S)\nZ = A V ≈ <y>",
    "Z = softmax(Q @ K.T / sqrt(<d>)) @ V\nZ ≈ <y>",
    r"$$\operatorname{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V \approx <y>$$",
    r"\[ S = \frac{QK^T}{\sqrt{<d>}}, \quad A = \mathrm{softmax}(S) \]" "\n" r"\[ Z = AV \approx <y> \]",
]
ONE_QUERY = [
    "z_1 = softmax(q_1 K^T / √<d>) V ≈ <y1>",
    r"$$z_1 = \operatorname{softmax}(q_1 K^\top / \sqrt{d_k}) V \approx <y1>$$",
]
CAUSAL = [
    "softmax(Q K^T / sqrt(d_k) + causal(4)) V ≈ <y>",
    "M = [[0, -∞, -∞, -∞], [0, 0, -∞, -∞], [0, 0, 0, -∞], [0, 0, 0, 0]]\nZ = softmax(Q K^T / √<d> + M) V ≈ <y>",
    "M = [[0, -∞, -∞, -∞], [0, 0, -∞, -∞], [0, 0, 0, -∞], [0, 0, 0, 0]]\n"
    "S = Q K^T / √<d>\nA = softmax(S + M)\nZ = A V ≈ <y>",
    r"$$M = \begin{bmatrix} 0 & -\infty & -\infty & -\infty \\ 0 & 0 & -\infty & -\infty \\ 0 & 0 & 0 & -\infty \\"
    r" 0 & 0 & 0 & 0 \end{bmatrix}$$"
    "\n\n"
    r"$$\operatorname{softmax}\left(\frac{Q K^\top}{\sqrt{<d>}} + M\right) V \approx <y>$$",
]
FFN = [
    "FFN(X, W_1, b_1, W_2, b_2) ≈ <y>",
    "ReLU(X W_1 + b_1) W_2 + b_2 ≈ <y>",
    "U = X W_1 + b_1\nH = ReLU(U)\nF = H W_2 + b_2 ≈ <y>",
    "max(0, X W_1 + b_1) W_2 + b_2 ≈ <y>",
    r"\[ \operatorname{ReLU}(X W_1 + b_1) W_2 + b_2 \approx <y> \]",
]
NORMED = [
    "gamma ⊙ (X - mean(X)) / sqrt(var(X) + 0.125) + beta ≈ <y>",
    "eps = 0.125\nLayerNorm(X, gamma, beta) ≈ <y>",
    "LayerNorm(X, gamma, beta, eps=0.125) ≈ <y>",
    "X_hat = (X - mean(X)) / sqrt(var(X) + 0.125)\nY = gamma ⊙ X_hat + beta ≈ <y>",
]
STANDARD = [
    "(X - mean(X)) / sqrt(var(X) + 0.125) ≈ <y>",
    "D = X - mean(X)\nY = D / sqrt(mean(D ⊙ D) + 0.125) ≈ <y>",
    "eps = 0.125\nLayerNorm(X) ≈ <y>",
    r"$$\varepsilon = 0.125$$" "\n\n" r"$$\operatorname{LayerNorm}(X) \approx <y>$$",
]
RMS = [
    "eps = 0.125\nRMSNorm(X, gamma) ≈ <y>",
    "X / sqrt(mean(X ⊙ X) + 0.125) ⊙ gamma ≈ <y>",
]
BLOCK_POST = [
    "eps = 0.125\nLayerNorm(X + ReLU(X W_1) W_2) ≈ <y>",
    "eps = 0.125\nF = ReLU(X W_1) W_2\nY = LayerNorm(X + F) ≈ <y>",
    r"$$\varepsilon = 0.125$$" "\n\n" r"$$\operatorname{LayerNorm}(X + \operatorname{ReLU}(X W_1) W_2) \approx <y>$$",
]
BLOCK_PRE = [
    "eps = 0.125\nX + ReLU(LayerNorm(X) W_1) W_2 ≈ <y>",
    "eps = 0.125\nN = LayerNorm(X)\nF = ReLU(N W_1) W_2\nY = X + F ≈ <y>",
]
DS = [
    "A ⊙ (dA - rowsum(A ⊙ dA)) ≈ <y>",
    "dS = A ⊙ (dA - rowsum(A ⊙ dA)) ≈ <y>",
    r"$$dS = A \odot (dA - \operatorname{rowsum}(A \odot dA)) \approx <y>$$",
]
JACOBIAN = [
    "diag(p) - p^T p ≈ <y>",
    r"$$\operatorname{diag}(p) - p^\top p \approx <y>$$",
]

SPELLINGS = {
    "Attention(Q, K, V)": ATTENTION,
    "Attention(Linear(X, W_Q), Linear(X, W_K), Linear(X, W_V))": [
        "Q = X W_Q\nK = X W_K\nV = X W_V\nZ = softmax(Q K^T / √<d>) V ≈ <y>",
        "softmax((X W_Q) (X W_K)^T / √2) X W_V ≈ <y>",
        r"\[ Q = X W_Q, \quad K = X W_K, \quad V = X W_V \]"
        "\n"
        r"\[ \operatorname{softmax}\left(\frac{Q K^\top}{\sqrt{2}}\right) V \approx <y> \]",
    ],
    "Q K^T / sqrt(3)": ["Q K^T / √3 ≈ <y>", "S = Q K^T / √d_k\nS ≈ <y>", r"$$\frac{QK^\top}{\sqrt{3}} \approx <y>$$"],
    "A V": ["Z = A V ≈ <y>", r"$$A V \approx <y>$$", "A @ V ≈ <y>"],
    "Attention(Q, K, V, causal(4))": CAUSAL,
    "Attention(Q, K, V, padding(3, 4, 3))": [
        "M = [[0, 0, 0, -∞], [0, 0, 0, -∞], [0, 0, 0, -∞]]\nZ = softmax(Q K^T / √<d> + M) V ≈ <y>",
        "S = Q K^T / √<d> + padding(3, 4, 3)\nA = softmax(S)\nZ = A V ≈ <y>",
    ],
    "Attention(Q, K, V, M)": ["softmax(Q K^T / √<d> + M) V ≈ <y>", "S = Q K^T / √d_k + M\nA = softmax(S)\nA V ≈ <y>"],
    "TemperatureSoftmax(L, 3.5)": ["softmax(L / 3.5) ≈ <y>", r"$$\operatorname{softmax}(L / 3.5) \approx <y>$$"],
    "softmax(L / 3.5)": ["T = 3.5\nP = softmax(L / T) ≈ <y>"],
    "CrossEntropy(L, Y, mean)": [
        "CrossEntropy(L, Y) ≈ <y>",
        "J = CrossEntropy(L, Y)\nJ ≈ <y>",
    ],
    "-log(softmax(z)[:, 3])": [
        "-log(softmax(z)_3) ≈ <y>",
        "p = softmax(z)\nL = -ln p_3 ≈ <y>",
        r"$$p = \operatorname{softmax}(z)$$" "\n\n" r"$$-\log p_3 \approx <y>$$",
    ],
    "FFN(X, W_1, b_1, W_2, b_2, ReLU)": FFN,
    "FFN(X, W_1, b_1, W_2, b_2, GELU)": ["GELU(X W_1 + b_1) W_2 + b_2 ≈ <y>"],
    "ReLU(X W_1 + ones(3, 1) b_1^T) W_2 + ones(3, 1) b_2^T": FFN,
    "AddNorm(X, ReLU(X W_1) W_2, 0.125)": BLOCK_POST,
    "LayerNorm(ReLU(X W_1) W_2 + X, 0.125)": BLOCK_POST,
    "X + ReLU(LayerNorm(X, 0.125) W_1) W_2": BLOCK_PRE,
    "AddNorm(T_1, T_1 W, 0.125) where T_1 = AddNorm(X, ReLU(X W_1) W_2, 0.125)": [
        "eps = 0.125\nU = LayerNorm(X + ReLU(X W_1) W_2)\nY = LayerNorm(U + U W) ≈ <y>"
    ],
    "T_1 + LayerNorm(T_1, 0.125) W where T_1 = X + ReLU(LayerNorm(X, 0.125) W_1) W_2": [
        "eps = 0.125\nU = X + ReLU(LayerNorm(X) W_1) W_2\nY = U + LayerNorm(U) W ≈ <y>"
    ],
    "Concat(Z_1, Z_2, Z_3)": ["Concat(Z_1, Z_2, Z_3) ≈ <y>", r"$$\operatorname{Concat}(Z_1, Z_2, Z_3) \approx <y>$$"],
    "Concat(Z_1, Z_2, Z_3) W_O": [
        "Concat(Z_1, Z_2, Z_3) W_O ≈ <y>",
        "Z = Concat(Z_1, Z_2, Z_3)\nO = Z W_O ≈ <y>",
        r"$$\operatorname{Concat}(Z_1, Z_2, Z_3) W^O \approx <y>$$",
    ],
    "dS K / sqrt(2)": ["dQ = dS K / √2 ≈ <y>", r"$$\frac{dS \, K}{\sqrt{d_k}} \approx <y>$$"],
    "dS^T Q / sqrt(2)": ["dK = dS^T Q / √2 ≈ <y>", r"$$dK = \frac{dS^\top Q}{\sqrt{2}} \approx <y>$$"],
    "(dS / sqrt(2)) K": ["dQ = (dS / √2) K ≈ <y>"],
    "A^T dZ": ["dV = A^T dZ ≈ <y>", r"$$dV = A^\top dZ \approx <y>$$"],
    "A ⊙ (dA - broadcast(rowsum(A ⊙ dA), 4))": DS,
    "entries(A, dA, 3, 4, (-Sum(P1[‹row›, ‹1›]*P0[‹row›, ‹1›], (‹1›, 0, 3)) + P1[‹row›, ‹column›])*P0[‹row›, ‹column›])": DS,
    "softmax(S) ⊙ (dA - broadcast(rowsum(softmax(S) ⊙ dA), 4))": [
        "A = softmax(S)\ndS = A ⊙ (dA - rowsum(A ⊙ dA)) ≈ <y>"
    ],
    "(A ⊙ (dA - broadcast(rowsum(A ⊙ dA), 4))) / 2": ["(A ⊙ (dA - rowsum(A ⊙ dA))) / 2 ≈ <y>"],
    "X^T dY": ["dW = X^T dY ≈ <y>", r"$$dW = X^\top dY \approx <y>$$"],
    "dY W^T": ["dX = dY W^T ≈ <y>", r"$$dX = dY \, W^\top \approx <y>$$"],
    "colsum(dY)": ["db = colsum(dY) ≈ <y>"],
    "ones(1, 3) dY": ["db = ones(1, 3) dY ≈ <y>"],
    "dY ⊙ step(X W + ones(3, 1) b^T)": ["U = X W + b\ndU = dY ⊙ step(U) ≈ <y>", "dY ⊙ step(X W + b) ≈ <y>"],
    "PE(3, 6, 1, 10000)": ["PE(3, 6, 1) ≈ <y>"],
    "PE(3, 6, 0, 10000)": ["PE(3, 6) ≈ <y>"],
    "rotate(K, 1, 10000, interleaved)": ["rotate(K, 1) ≈ <y>"],
    "LayerNorm(X, gamma, beta, 0.125)": NORMED,
    "norm(X, 0.125)": STANDARD,
    "std(X, 0.125)": ["sqrt(var(X) + 0.125) ≈ <y>"],
    "RMSNorm(X, gamma, 0.125)": RMS,
    "divide(T_1 - broadcast(mean(T_1), 5) - (T_2 ⊙ broadcast(mean(T_1 ⊙ T_2), 5)), std(X, 0.125))"
    " where T_1 = G ⊙ (ones(3, 1) gamma^T), T_2 = norm(X, 0.125)": [
        "eps = 0.125\nN = LayerNorm(X)\nH = G ⊙ gamma\n"
        "dX = (H - mean(H) - N ⊙ broadcast(mean(H ⊙ N), 5)) / sqrt(var(X) + 0.125) ≈ <y>",
        "N = (X - mean(X)) / sqrt(var(X) + 0.125)\n"
        "dX = (G ⊙ gamma - mean(G ⊙ gamma) - N ⊙ broadcast(mean(G ⊙ gamma ⊙ N), 5)) / sqrt(var(X) + 0.125) ≈ <y>",
    ],
    "rotate(K, 1, 10000, halves)": ["rotate(K, 1, 10000, halves) ≈ <y>"],
    "Embedding(T, E, yes) + PE(3, 6, 0, 10000)": [
        "√6 T E + PE(3, 6) ≈ <y>",
        "E_s = T E * √6\nX = E_s + PE(3, 6) ≈ <y>",
    ],
    "I ⊙ broadcast(softmax(z)^T, 4) - softmax(z)^T softmax(z)": [
        "p = softmax(z)\ndiag(p) - p^T p ≈ <y>",
        "p = softmax(z)\nJ = diag(p) - p^T p ≈ <y>",
    ],
    "entries(p, 4, 4, KroneckerDelta(‹column›, ‹row›)*P0[‹row›, 0]) - p p^T": JACOBIAN,
    "entries(p, 4, 4, (-P0[0, ‹column›] + KroneckerDelta(‹column›, ‹row›))*P0[0, ‹row›])": JACOBIAN,
    "softmax(L) - Y": [
        "softmax(L) - Y ≈ <y>",
        "P = softmax(L)\ndL = P - Y ≈ <y>",
        r"$$\operatorname{softmax}(L) - Y \approx <y>$$",
    ],
    "m_2[:, 3]": ["M_23 ≈ <y>", r"$$M_{2,3} \approx <y>$$", "m_23 ≈ <y>"],
    "softmax(M)[2][:, 3]": [
        "A = softmax(M)\nA_23 ≈ <y>",
        r"$$A = \operatorname{softmax}(M)$$" "\n\n" r"$$a_{23} \approx <y>$$",
    ],
    "(X W)[1][:, 2]": ["Z = X W\nZ_12 ≈ <y>", "Z = X W\nz_12 ≈ <y>"],
    "m_3": ["m_3 ≈ <y>"],
    "X W + ones(3, 1) b^T": ["X W + b ≈ <y>", "U = X W\nY = U + b ≈ <y>", r"$$X W + b \approx <y>$$"],
    "X W": ["X W ≈ <y>", "Y = X @ W\nY ≈ <y>"],
    "ReLU(X)": ["ReLU(X) ≈ <y>", "H = max(0, X) ≈ <y>", r"$$\operatorname{ReLU}(X) \approx <y>$$"],
    "tanh(X W)": ["tanh(X W) ≈ <y>", "U = X W\nH = tanh(U) ≈ <y>"],
    "rmsnorm(X, 0.125) ⊙ (ones(3, 1) gamma^T)": RMS,
    "(softmax(L) - Y) / 3": ["(softmax(L) - Y) / 3 ≈ <y>", "P = softmax(L)\ndL = (P - Y) / 3 ≈ <y>"],
}

# what a single row of the result shows too
IN_ONE_ROW = (
    "no_scale", "scale_by_d", "scale_multiplied", "scale_after_softmax", "softmax_left_out", "exponentials_not_divided",
    "softmax_base_2", "softmax_base_10", "softmax_of_minus", "maximum_above_only", "denominator_without_self", "argmax",
    "uniform_weights",
)  # fmt: skip


def spellings(slip, formula):
    """All ways in which the formula of a case is written."""
    rows = ONE_QUERY if slip in IN_ONE_ROW and formula == "Attention(Q, K, V)" else []
    return [*SPELLINGS.get(formula, ()), *rows]
