"""SwiGLU, the feed-forward network with a gate that Llama and its relatives use."""

from __future__ import annotations

from symtransformer.arguments import Parameter
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.linear import Linear
from symtransformer.operations.sigmoid import SiLU


class SwiGLU(Composite):
    """SwiGLU(X, W_1, W_2, W_3) = (SiLU(X W_1) ⊙ (X W_3)) W_2, row by row.

    X: n x d, W_1 and W_3: d x d_ff, W_2: d_ff x d; the biases b_1, b_2, b_3 are columns and mostly
    left out. Named parts: P = X W_1 + 1 b_1ᵀ, F = SiLU(P) (the gate), U = X W_3 + 1 b_3ᵀ, H = F ⊙ U.

    >>> from symtransformer import dimension, matrix
    >>> n, d, d_ff = dimension("n"), dimension("d"), dimension("d_ff")
    >>> SwiGLU(matrix("X", n, d), matrix("W_1", d, d_ff), matrix("W_2", d_ff, d), matrix("W_3", d, d_ff))
    SwiGLU(X, W_1, W_2, W_3)
    """

    __slots__ = ()
    parameters = (
        Parameter("input"), Parameter("weight_1"), Parameter("weight_2"), Parameter("weight_3"),
        Parameter("bias_1", optional=True), Parameter("bias_2", optional=True), Parameter("bias_3", optional=True),
    )  # fmt: skip
    title = Words("Feed-forward network with a gate (SwiGLU)", "ゲート付きフィードフォワードネットワーク（SwiGLU）")
    explanation = Words(
        "Two linear maps take every row to the inner width; SiLU of the first is multiplied, entry by entry, by the "
        "second, and a third map leads back. Rows do not meet.",
        "各行を 2 つの線形変換で内側の次元に変え、1 つ目に SiLU を適用したものを 2 つ目に成分ごとに掛け、"
        "3 つ目の線形変換でもとの次元に戻します。ほかの行の値は使いません。",
    )
    source = Words(
        "Shazeer 2020, eq. (6): FFN_SwiGLU(x, W, V, W_2) = (Swish_1(xW) ⊗ xV) W_2; W_1 and W_3 for W and V as in the code of Llama, Touvron et al. 2023",
        "Shazeer 2020, 式 (6)：FFN_SwiGLU(x, W, V, W_2) = (Swish_1(xW) ⊗ xV) W_2。W と V は、Llama のコード（Touvron ほか 2023）ではここと同じく W_1 と W_3",
    )
    notation = Call("SwiGLU")
    letter = "G"

    def definition(self) -> Stages:
        rows = self.argument("input")
        first, third = (Linear(rows, self.argument(f"weight_{k}"), bias=self.argument(f"bias_{k}")) for k in (1, 3))
        gate = SiLU(first)
        gated = Hadamard(gate, third)
        whole = Linear(gated, self.argument("weight_2"), bias=self.argument("bias_2"))
        return Stages((("P", first), ("F", gate), ("U", third), ("H", gated)), whole, _WORDS)


_WORDS = {
    "P": (
        Words("Linear map for the gate", "ゲートのための線形変換"),
        Words("Each row is taken to the inner width of the network.", "各行を、FFN の内側の次元に変えます。"),
    ),
    "F": (
        Words("Gate: SiLU", "ゲート：SiLU"),
        Words(
            "SiLU turns each entry into the factor by which the entry of the other map is multiplied.",
            "SiLU で、もう一方の線形変換の各成分に掛ける値を作ります。",
        ),
    ),
    "U": (
        Words("Linear map for what is gated", "ゲートを掛けられる側の線形変換"),
        Words(
            "The same rows are taken to the inner width by another weight matrix.",
            "同じ行を、別の重みで内側の次元に変えます。",
        ),
    ),
    "H": (
        Words("Gate times what is gated", "ゲートとの積"),
        Words("Entries in the same place are multiplied.", "同じ位置の成分どうしを掛けます。"),
    ),
    "": (
        Words("Linear map back", "もとの次元に戻す線形変換"),
        Words("Each row is taken back to the width of the layer.", "各行を、もとの次元に戻します。"),
    ),
}
