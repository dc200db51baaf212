"""One layer of an encoder, or of a decoder-only model: attention, then the feed-forward network."""

from __future__ import annotations

from typing import Any, ClassVar

from sympy import Rational

from symtransformer.arguments import CHOICE, LABEL, LETTER, SCALAR, SIZE, Parameter
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages
from symtransformer.operations.add_norm import AddNorm
from symtransformer.operations.addition import Addition
from symtransformer.operations.feed_forward import ACTIVATIONS, FeedForward
from symtransformer.operations.layer_norm import LayerNorm
from symtransformer.operations.multi_head_attention import MultiHeadAttention, with_heads


class EncoderLayer(Composite):
    """One encoder layer on rows X (n x d), with O = MultiHead(X) and G = FFN(N_1).

    After each sub-layer (`norm="post"`): N_1 = LayerNorm(X + O), H = LayerNorm(N_1 + G).
    Before each sub-layer (`norm="pre"`): N_1 = LayerNorm(X), R_1 = X + O with O made from N_1,
    N_2 = LayerNorm(R_1), H = R_1 + G with G made from N_2.

    Weights as in `MultiHeadAttention` and `FeedForward`; gains and shifts are columns of d
    entries. With a causal mask it is a layer of a decoder-only model. `label` is the name of the
    layer in a stack, which its steps then bear. Named parts: R_1, N_1, R_2 or N_2, O, G.

    >>> from symtransformer import dimension, matrix
    >>> n, d, d_k, d_ff = map(dimension, ("n", "d_model", "d_k", "d_ff"))
    >>> W_Q, W_K, W_V = (matrix(w, d, d_k) for w in ("W_Q", "W_K", "W_V"))
    >>> W_O, W_1, W_2 = matrix("W_O", 2 * d_k, d), matrix("W_1", d, d_ff), matrix("W_2", d_ff, d)
    >>> EncoderLayer(matrix("X", n, d), W_Q, W_K, W_V, W_O, W_1, W_2, heads=2, norm="pre").shape
    (n, d_model)
    """

    __slots__ = ()
    parameters = (
        Parameter("input"), Parameter("weight_Q"), Parameter("weight_K"), Parameter("weight_V"), Parameter("weight_O"),
        Parameter("weight_1"), Parameter("bias_1", optional=True),
        Parameter("weight_2"), Parameter("bias_2", optional=True),
        Parameter("gain_1", optional=True), Parameter("shift_1", optional=True),
        Parameter("gain_2", optional=True), Parameter("shift_2", optional=True),
        Parameter("head", LETTER), Parameter("heads", SIZE), Parameter("eps", SCALAR, default=Rational(1, 100_000)),
        Parameter("activation", CHOICE, default="ReLU", choices=tuple(ACTIVATIONS)),
        Parameter("norm", CHOICE, default="post", choices=("post", "pre")),
        Parameter("mask", optional=True), Parameter("label", LABEL, optional=True),
        Parameter("bias_Q", optional=True), Parameter("bias_K", optional=True), Parameter("bias_V", optional=True),
        Parameter("bias_O", optional=True),
    )  # fmt: skip
    title = Words("Encoder layer", "エンコーダー層")
    explanation = Words(
        "Attention lets the rows exchange information, the feed-forward network works on each row alone; around both, "
        "what went in is added again, and the rows are normalized.",
        "アテンションで行どうしが情報をやり取りし、FFN は各行を別々に変換します。"
        "どちらの処理でも、入力を残差として足し、行ごとに正規化します。",
    )
    source = Words(
        "Vaswani et al. 2017, section 3.1 and figure 1 (post); Radford et al. 2019, section 2.3 (pre)",
        "Vaswani ほか 2017, 3.1 節と図 1（post）。Radford ほか 2019, 2.3 節（pre）",
    )
    notation = Call("EncoderLayer")
    letter = "H"
    of_each_head: ClassVar[tuple[str, ...]] = MultiHeadAttention.of_each_head

    @classmethod
    def _by_name(cls, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
        return with_heads(cls.__name__, super()._by_name(arguments, keywords), cls.of_each_head)

    def definition(self) -> Stages:
        return self._post() if self.argument("norm") == "post" else self._pre()

    def _post(self) -> Stages:
        rows = self.argument("input")
        attended = self._attention(rows)
        first = AddNorm(rows, attended, **self._norm("1"))
        transformed = self._network(first)
        whole = AddNorm(first, transformed, **self._norm("2"))
        parts = (
            *attended.definition().parts, ("O", attended), ("R_1", Addition(rows, attended)), ("N_1", first),
            *transformed.definition().parts, ("G", transformed), ("R_2", Addition(first, transformed)),
        )  # fmt: skip
        return Stages(parts, whole, {**_WORDS, **POST_WORDS})

    def _pre(self) -> Stages:
        rows = self.argument("input")
        first = LayerNorm(rows, **self._norm("1"))
        attended = self._attention(first)
        total = Addition(rows, attended)
        second = LayerNorm(total, **self._norm("2"))
        transformed = self._network(second)
        parts = (
            ("N_1", first), *attended.definition().parts, ("O", attended), ("R_1", total),
            ("N_2", second), *transformed.definition().parts, ("G", transformed),
        )  # fmt: skip
        return Stages(parts, Addition(total, transformed), {**_WORDS, **_PRE_WORDS})

    def _attention(self, rows: Node) -> Composite:
        names = ("weight_Q", "weight_K", "weight_V", "weight_O", "head", "heads",
                 "mask", "bias_Q", "bias_K", "bias_V", "bias_O")  # fmt: skip
        return MultiHeadAttention(queries=rows, **{name: self.argument(name) for name in names})  # type: ignore[no-any-return]

    def _network(self, rows: Node) -> Composite:
        names = ("weight_1", "bias_1", "weight_2", "bias_2", "activation")
        return FeedForward(input=rows, **{name: self.argument(name) for name in names})  # type: ignore[no-any-return]

    def _norm(self, number: str) -> dict[str, Any]:
        gain, shift = self.argument(f"gain_{number}"), self.argument(f"shift_{number}")
        return {"gain": gain, "shift": shift, "eps": self.argument("eps")}


_WORDS = {
    "O": (
        Words("Output of the attention", "アテンションの出力"),
        Words(
            "One matrix, the same for every row, mixes the components into the output of the attention.",
            "全行に共通の 1 つの行列で成分を混ぜ合わせ、アテンションの出力を作ります。",
        ),
    ),
    "G": (
        Words("Output of the feed-forward network", "FFN の出力"),
        Words(
            "The second linear map takes each row back to the width of the layer.",
            "2 つ目の線形変換で、各行を層の次元に戻します。",
        ),
    ),
}
POST_WORDS = {
    "R_1": (
        Words("Residual: the input of the layer is added", "残差接続：層への入力を足す"),
        Words(
            "The rows that entered the layer are added to the output of the attention.",
            "アテンションの出力に、層に入ったときの行を足します。",
        ),
    ),
    "N_1": (
        Words("First Add & Norm", "1 回目の Add & Norm"),
        Words(
            "Each row of that sum is normalized; the result is the input of the feed-forward network.",
            "その和を行ごとに正規化します。結果が FFN の入力になります。",
        ),
    ),
    "R_2": (
        Words("Residual: the input of the feed-forward network is added", "残差接続：FFN への入力を足す"),
        Words(
            "What is added to the output of the feed-forward network is its own input, not the input of the layer.",
            "FFN の出力に足すのは FFN への入力で、層への入力ではありません。",
        ),
    ),
    "": (
        Words("Output of the layer: second Add & Norm", "層の出力：2 回目の Add & Norm"),
        Words(
            "Each row of the second sum is normalized; the result has the shape of the input of the layer.",
            "2 つ目の和を行ごとに正規化します。結果の形（行数・列数）は層への入力と同じです。",
        ),
    ),
}
_PRE_WORDS = {
    "N_1": (
        Words("Normalization before the attention", "アテンションの前の正規化"),
        Words(
            "The attention reads normalized rows; the rows themselves stay for the sum after it.",
            "アテンションには正規化した行を渡します。正規化する前の行は、あとの足し算のために残しておきます。",
        ),
    ),
    "R_1": (
        Words("Residual: the input of the layer is added", "残差接続：層への入力を足す"),
        Words(
            "The rows that entered the layer, not normalized, are added to the output of the attention.",
            "アテンションの出力に、層に入ったときの、正規化する前の行を足します。",
        ),
    ),
    "N_2": (
        Words("Normalization before the feed-forward network", "FFN の前の正規化"),
        Words(
            "The feed-forward network reads the sum normalized row by row.",
            "FFN には、その和を行ごとに正規化して渡します。",
        ),
    ),
    "": (
        Words("Output of the layer: the sum is added again", "層の出力：残差接続"),
        Words(
            "The first sum, not normalized, is added to the output of the feed-forward network; no normalization follows.",
            "FFN の出力に、正規化する前の 1 つ目の和を足します。そのあとの正規化はありません。",
        ),
    ),
}
