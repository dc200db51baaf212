"""Cross-attention: one head whose queries come from one sequence, keys and values from another."""

from __future__ import annotations

from symtransformer.arguments import Parameter
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages
from symtransformer.operations.linear import Linear
from symtransformer.operations.scaled_dot_product_attention import ScaledDotProductAttention


class CrossAttention(Composite):
    """CrossAttention(X, Y, W_Q, W_K, W_V) = Attention(X W_Q, Y W_K, Y W_V), with X: n x d and Y: m x d.

    The scores are n x m: a row for each row of X, a column for each row of Y. Named parts: Q, K,
    V, then S and A of the attention. A sixth argument is a mask (n x m).

    >>> from symtransformer import dimension, matrix
    >>> n, m, d, d_k, d_v = map(dimension, ("n", "m", "d_model", "d_k", "d_v"))
    >>> W_Q, W_K, W_V = matrix("W_Q", d, d_k), matrix("W_K", d, d_k), matrix("W_V", d, d_v)
    >>> Z = CrossAttention(matrix("X", n, d), matrix("Y", m, d), W_Q, W_K, W_V)
    >>> dict(Z.definition().parts)["S"].shape, Z.shape
    ((n, m), (n, d_v))
    """

    __slots__ = ()
    parameters = (
        Parameter("input"), Parameter("memory"),
        Parameter("weight_Q"), Parameter("weight_K"), Parameter("weight_V"), Parameter("mask", optional=True),
    )  # fmt: skip
    title = Words("Cross-attention, one head", "クロスアテンション（1 ヘッド）")
    explanation = Words(
        "The queries are made from one sequence, the keys and values from another; each row of the one gathers what it "
        "needs from the rows of the other.",
        "クエリは一方の系列から、キーとバリューはもう一方の系列から作ります。一方の各行が、もう一方の行から必要な情報を集めます。",
    )
    source = Words(
        "Vaswani et al. 2017, section 3.2.3: encoder-decoder attention, one head without W^O",
        "Vaswani ほか 2017, 3.2.3 節：エンコーダー・デコーダー間のアテンション。1 ヘッドで W^O なし",
    )
    notation = Call("CrossAttention")
    letter = "Z"

    def definition(self) -> Stages:
        rows, memory, weight_q, weight_k, weight_v = self.args[:5]
        queries, keys, values = Linear(rows, weight_q), Linear(memory, weight_k), Linear(memory, weight_v)
        whole = ScaledDotProductAttention(queries, keys, values, *self.args[5:])
        inner = whole.definition()
        parts = (("Q", queries), ("K", keys), ("V", values), *inner.parts)
        return Stages(parts, whole, {**inner.words, **_WORDS})


_WORDS = {
    "Q": (
        Words("Queries", "クエリ"),
        Words(
            "The queries come from the first sequence, one for each of its rows.",
            "クエリは 1 つ目の系列の各行から作ります。",
        ),
    ),
    "K": (
        Words("Keys of the other sequence", "もう一方の系列のキー"),
        Words(
            "The keys come from the second sequence; the two sequences may differ in length.",
            "キーは 2 つ目の系列の各行から作ります。2 つの系列の長さは違っていてもかまいません。",
        ),
    ),
    "V": (
        Words("Values of the other sequence", "もう一方の系列のバリュー"),
        Words(
            "The values come from the same rows as the keys.",
            "バリューはキーと同じ行から作ります。",
        ),
    ),
}
