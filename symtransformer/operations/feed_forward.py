"""The feed-forward network of a layer: two linear maps with an activation between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtransformer.arguments import CHOICE, Parameter
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages
from symtransformer.operations.gelu import GELU, GELUTanh
from symtransformer.operations.linear import Linear
from symtransformer.operations.relu import ReLU
from symtransformer.operations.sigmoid import SiLU

ACTIVATIONS: dict[str, Callable[..., Any]] = {"ReLU": ReLU, "GELU": GELU, "GELUTanh": GELUTanh, "SiLU": SiLU}


class FeedForward(Composite):
    """FFN(X, W_1, b_1, W_2, b_2) = φ(X W_1 + 1 b_1ᵀ) W_2 + 1 b_2ᵀ, row by row, with φ = ReLU unless given.

    X: n x d, W_1: d x d_ff, b_1 a column of d_ff entries, W_2: d_ff x d, b_2 a column of d entries;
    the biases may be left out. `activation` is ReLU, GELU (exact, with erf), GELUTanh (its
    approximation) or SiLU. Named parts: P = X W_1 + 1 b_1ᵀ, F = φ(P).

    >>> from symtransformer import dimension, matrix
    >>> n, d, d_ff = dimension("n"), dimension("d"), dimension("d_ff")
    >>> FeedForward(matrix("X", n, d), matrix("W_1", d, d_ff), matrix("W_2", d_ff, d), activation="GELU")
    FFN(X, W_1, W_2, GELU)
    """

    __slots__ = ()
    parameters = (
        Parameter("input"),
        Parameter("weight_1"), Parameter("bias_1", optional=True),
        Parameter("weight_2"), Parameter("bias_2", optional=True),
        Parameter("activation", CHOICE, default="ReLU", choices=tuple(ACTIVATIONS)),
    )  # fmt: skip
    title = Words("Feed-forward network", "フィードフォワードネットワーク（FFN）")
    explanation = Words(
        "Every row goes through the same two linear maps, with an activation in between; rows do not meet.",
        "どの行も同じ 2 つの線形変換を通り、その間に活性化関数を適用します。ほかの行の値は使いません。",
    )
    source = Words(
        "Vaswani et al. 2017, section 3.3, eq. (2), with ReLU; GELU as in Radford et al. 2018",
        "Vaswani ほか 2017, 3.3 節, 式 (2)（ReLU）。GELU は Radford ほか 2018 による",
    )
    notation = Call("FFN")
    letter = "G"

    def definition(self) -> Stages:
        name = self.argument("activation")
        inner = Linear(self.argument("input"), self.argument("weight_1"), bias=self.argument("bias_1"))
        active = ACTIVATIONS[name](inner)
        whole = Linear(active, self.argument("weight_2"), bias=self.argument("bias_2"))
        return Stages((("P", inner), ("F", active)), whole, {**_WORDS, "F": _ACTIVATION_WORDS[name]})


_WORDS = {
    "P": (
        Words("First linear map of the FFN", "FFN の 1 つ目の線形変換"),
        Words(
            "Each row is taken to the inner width of the network.",
            "各行を、FFN の内側の次元に変えます。",
        ),
    ),
    "": (
        Words("Second linear map of the FFN", "FFN の 2 つ目の線形変換"),
        Words(
            "Each row is taken back to the width of the layer.",
            "各行を、もとの次元に戻します。",
        ),
    ),
}
_ACTIVATION_WORDS = {
    "ReLU": (
        Words("Activation: ReLU", "活性化関数：ReLU"),
        Words(
            "Negative entries become 0, the others stay.",
            "負の成分を 0 にし、ほかはそのままにします。",
        ),
    ),
    "GELU": (
        Words("Activation: GELU", "活性化関数：GELU"),
        Words(
            "Each entry is multiplied by the probability that a standard normal number is at most as large as it.",
            "各成分に、標準正規分布に従う数がその値以下になる確率を掛けます。",
        ),
    ),
    "GELUTanh": (
        Words("Activation: GELU by its tanh approximation", "活性化関数：tanh で近似した GELU"),
        Words(
            "A formula with tanh takes the place of the normal distribution; its values differ slightly from those of GELU.",
            "正規分布の代わりに tanh を使った式で計算します。値は GELU とわずかに異なります。",
        ),
    ),
    "SiLU": (
        Words("Activation: SiLU", "活性化関数：SiLU"),
        Words(
            "Each entry is multiplied by its own sigmoid, a number from 0 to 1.",
            "各成分に、その成分のシグモイド関数の値（0 から 1 までの数）を掛けます。",
        ),
    ),
}
