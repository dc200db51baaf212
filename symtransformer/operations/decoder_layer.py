"""One layer of the decoder: self-attention, masked as a rule, cross-attention over the encoder's rows, feed-forward network."""

from __future__ import annotations

from collections.abc import Callable
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

_ATTENTION = ("weight_Q", "weight_K", "weight_V", "weight_O", "bias_Q", "bias_K", "bias_V", "bias_O")


class DecoderLayer(Composite):
    """One decoder layer on rows X (n x d) with the encoder's rows Y (m x d).

    After each sub-layer (`norm="post"`): N_1 = LayerNorm(X + O), N_2 = LayerNorm(N_1 + O_cross),
    H = LayerNorm(N_2 + G), with O the self-attention of X, O_cross the attention of N_1
    over Y, and G = FFN(N_2). Before each sub-layer (`norm="pre"`): R_1 = X + O, R_2 = R_1 + O_cross,
    H = R_2 + G, each sub-layer reading the normalized rows N_1, N_2, N_3.

    `mask` (n x n) belongs to the self-attention, `cross_mask` (n x m) to the cross-attention. The
    weights of the cross-attention are `cross_weight_Q` and so on; its steps are named Q_cross and so on.

    >>> from symtransformer import dimension, matrix
    >>> n, m, d, d_k, d_ff = map(dimension, ("n", "m", "d_model", "d_k", "d_ff"))
    >>> own, cross = ([matrix(f"{w}_{x}", d, d_k) for x in "QKV"] + [matrix(f"{w}_O", d_k, d)] for w in "WU")
    >>> network = matrix("W_1", d, d_ff), matrix("W_2", d_ff, d)
    >>> DecoderLayer(matrix("X", n, d), matrix("Y", m, d), *own, *cross, *network, mask=matrix("M", n, n)).shape
    (n, d_model)
    """

    __slots__ = ()
    parameters = (
        Parameter("input"), Parameter("memory"),
        *(Parameter(name) for name in _ATTENTION[:4]), *(Parameter(f"cross_{name}") for name in _ATTENTION[:4]),
        Parameter("weight_1"), Parameter("bias_1", optional=True),
        Parameter("weight_2"), Parameter("bias_2", optional=True),
        *(Parameter(f"{name}_{k}", optional=True) for k in (1, 2, 3) for name in ("gain", "shift")),
        Parameter("head", LETTER), Parameter("heads", SIZE), Parameter("eps", SCALAR, default=Rational(1, 100_000)),
        Parameter("activation", CHOICE, default="ReLU", choices=tuple(ACTIVATIONS)),
        Parameter("norm", CHOICE, default="post", choices=("post", "pre")),
        Parameter("mask", optional=True), Parameter("cross_mask", optional=True), Parameter("label", LABEL, optional=True),
        *(Parameter(name, optional=True) for name in _ATTENTION[4:]),
        *(Parameter(f"cross_{name}", optional=True) for name in _ATTENTION[4:]),
    )  # fmt: skip
    title = Words("Decoder layer", "デコーダー層")
    explanation = Words(
        "Self-attention (under a mask where one is given), attention over the rows of the encoder, and the feed-forward "
        "network, each with its own residual connection and normalization.",
        "セルフアテンション（マスクを与えたときはマスク付き）、エンコーダーの行に対するクロスアテンション、FFN の順に計算し、"
        "それぞれに残差接続と正規化があります。",
    )
    source = Words(
        "Vaswani et al. 2017, sections 3.1 and 3.2.3, figure 1, right half",
        "Vaswani ほか 2017, 3.1・3.2.3 節と図 1 の右半分",
    )
    notation = Call("DecoderLayer")
    letter = "H"
    of_each_head: ClassVar[tuple[str, ...]] = tuple(
        prefix + name for prefix in ("", "cross_") for name in MultiHeadAttention.of_each_head
    )

    @classmethod
    def _by_name(cls, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
        return with_heads(cls.__name__, super()._by_name(arguments, keywords), cls.of_each_head)

    def definition(self) -> Stages:
        sub_layers: tuple[tuple[str, Callable[[Node], Any]], ...] = (
            ("O", self._self_attention), ("O_cross", self._cross_attention), ("G", self._network),
        )  # fmt: skip
        post = self.argument("norm") == "post"
        rows, parts = self.argument("input"), []
        for number, (name, sub_layer) in enumerate(sub_layers, 1):
            read = rows if post else LayerNorm(rows, **self._norm(number))
            made = sub_layer(read)
            total = Addition(rows, made)
            rows = AddNorm(rows, made, **self._norm(number)) if post else total
            mark = "_cross" if name == "O_cross" else ""
            parts += [] if post else [(f"N_{number}", read)]
            parts += [(inner + mark, part) for inner, part in made.definition().parts]
            parts += [(name, made), (f"R_{number}", total)]
            parts += [(f"N_{number}", rows)] if post else []
        named = tuple((name, part) for name, part in parts if part is not rows)
        return Stages(named, rows, {**_WORDS, **(_POST_WORDS if post else _PRE_WORDS)})

    def _self_attention(self, rows: Node) -> Any:
        weights = {name: self.argument(name) for name in (*_ATTENTION, "head", "heads", "mask")}
        return MultiHeadAttention(queries=rows, **weights)

    def _cross_attention(self, rows: Node) -> Any:
        weights = {name: self.argument(f"cross_{name}") for name in (*_ATTENTION, "mask")}
        own = {name: self.argument(name) for name in ("head", "heads", "memory")}
        return MultiHeadAttention(queries=rows, **weights, **own)

    def _network(self, rows: Node) -> Any:
        names = ("weight_1", "bias_1", "weight_2", "bias_2", "activation")
        return FeedForward(input=rows, **{name: self.argument(name) for name in names})

    def _norm(self, number: int) -> dict[str, Any]:
        gain, shift = self.argument(f"gain_{number}"), self.argument(f"shift_{number}")
        return {"gain": gain, "shift": shift, "eps": self.argument("eps")}


def _residual(number: str, en: str, ja: str, en_output: str, ja_output: str) -> tuple[Words, Words]:
    return (
        Words(f"{number} residual: {en} is added", f"残差接続：{ja}を足す"),
        Words(
            f"To the output of {en_output}, {en} is added, entry by entry.",
            f"{ja_output}の出力に、{ja}を成分ごとに足します。",
        ),
    )


_WORDS = {
    "O": (
        Words("Output of the self-attention", "セルフアテンションの出力"),
        Words(
            "One matrix, the same for every row, mixes the components; under a causal mask no row has used a later one.",
            "全行に共通の 1 つの行列で成分を混ぜ合わせます。因果マスクを使うとき、どの行も自分より後ろの行は使っていません。",
        ),
    ),
    "Q_cross": (
        Words("Queries of the cross-attention", "クロスアテンションのクエリ"),
        Words(
            "The queries are made from the decoder's own rows.",
            "クエリはデコーダー側の行から作ります。",
        ),
    ),
    "K_cross": (
        Words("Keys of the cross-attention", "クロスアテンションのキー"),
        Words(
            "The keys are made from the rows of the encoder, one for each token of the source.",
            "キーはエンコーダーの行から、原文のトークンごとに 1 つずつ作ります。",
        ),
    ),
    "V_cross": (
        Words("Values of the cross-attention", "クロスアテンションのバリュー"),
        Words(
            "The values come from the same rows of the encoder as the keys.",
            "バリューも、キーと同じエンコーダーの行から作ります。",
        ),
    ),
    "S_cross": (
        Words("Scaled scores of the cross-attention", "クロスアテンションの点数（割った後）"),
        Words(
            "Row {i}, column {j} compares row {i} of the decoder with row {j} of the encoder.",
            "第 {i} 行・第 {j} 列は、デコーダーの第 {i} 行とエンコーダーの第 {j} 行を比べた点数です。",
        ),
    ),
    "A_cross": (
        Words("Weights of the cross-attention", "クロスアテンションの係数"),
        Words(
            "Softmax turns each row of scores into weights from 0 to 1 that add up to 1, one for each row of the encoder "
            "(exactly 0 where the score is −∞).",
            "Softmax で、点数の各行を、0 以上で合計が 1 の係数に変えます（点数が −∞ なら 0）。"
            "係数はエンコーダーの行ごとに 1 つあります。",
        ),
    ),
    "Z_cross": (
        Words("Output of the heads of the cross-attention", "クロスアテンションの各ヘッドの出力"),
        Words(
            "Each row is the sum of the encoder's values, each times its weight.",
            "各行は、エンコーダー側のバリューに係数を掛けて足したものです。",
        ),
    ),
    "Y_cross": (
        Words("Heads of the cross-attention side by side", "クロスアテンションのヘッドの連結（Concat）"),
        Words(
            "The rows of all heads for the same token are joined.",
            "同じトークンについての各ヘッドの行を横につなぎます。",
        ),
    ),
    "O_cross": (
        Words("Output of the cross-attention", "クロスアテンションの出力"),
        Words(
            "One matrix, the same for every row, mixes the components, which come from the rows of the encoder.",
            "全行に共通の 1 つの行列で、エンコーダーの行から集めた成分を混ぜ合わせます。",
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
_POST_WORDS = {
    "R_1": _residual("First", "the input of the layer", "層への入力", "the self-attention", "セルフアテンション"),
    "R_2": _residual("Second", "the input of the cross-attention", "クロスアテンションへの入力", "the cross-attention", "クロスアテンション"),
    "R_3": _residual("Third", "the input of the feed-forward network", "FFN への入力", "the feed-forward network", "FFN "),
    "N_1": (
        Words("First Add & Norm", "1 回目の Add & Norm"),
        Words(
            "Each row of the first sum is normalized; the queries of the cross-attention are made from the result.",
            "1 つ目の和を行ごとに正規化します。この結果からクロスアテンションのクエリを作ります。",
        ),
    ),
    "N_2": (
        Words("Second Add & Norm", "2 回目の Add & Norm"),
        Words(
            "Each row of the second sum is normalized; the result is the input of the feed-forward network.",
            "2 つ目の和を行ごとに正規化します。結果が FFN の入力になります。",
        ),
    ),
    "": (
        Words("Output of the layer: third Add & Norm", "層の出力：3 回目の Add & Norm"),
        Words(
            "Each row of the third sum is normalized; the result has the shape of the input of the layer.",
            "3 つ目の和を行ごとに正規化します。結果の形（行数・列数）は層への入力と同じです。",
        ),
    ),
}  # fmt: skip
_PRE_WORDS = {
    "N_1": (
        Words("Normalization before the self-attention", "セルフアテンションの前の正規化"),
        Words("The self-attention reads normalized rows.", "セルフアテンションには正規化した行を渡します。"),
    ),
    "N_2": (
        Words("Normalization before the cross-attention", "クロスアテンションの前の正規化"),
        Words(
            "The queries of the cross-attention are made from normalized rows; the rows of the encoder are taken as they are.",
            "クロスアテンションのクエリは正規化した行から作ります。エンコーダーの行はそのまま使います。",
        ),
    ),
    "N_3": (
        Words("Normalization before the feed-forward network", "FFN の前の正規化"),
        Words("The feed-forward network reads normalized rows.", "FFN には正規化した行を渡します。"),
    ),
    "R_1": _residual("First", "the input of the layer, not normalized,", "正規化する前の層への入力", "the self-attention", "セルフアテンション"),
    "R_2": _residual("Second", "the first sum, not normalized,", "正規化する前の 1 つ目の和", "the cross-attention", "クロスアテンション"),
    "": _residual("Third", "the second sum, not normalized,", "正規化する前の 2 つ目の和", "the feed-forward network", "FFN "),
}  # fmt: skip
