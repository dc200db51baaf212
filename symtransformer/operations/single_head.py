"""One attention head, from the input rows and its three weight matrices."""

from __future__ import annotations

from symtransformer.arguments import Parameter
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages
from symtransformer.operations.linear import Linear
from symtransformer.operations.scaled_dot_product_attention import ScaledDotProductAttention


class SingleHead(Composite):
    """SingleHead(X, W_Q, W_K, W_V) = Attention(X W_Q, X W_K, X W_V), with X: n x d_model.

    Named parts: Q, K, V, then S and A of the attention. A fifth argument is a mask (n x n).

    >>> from symtransformer import dimension, matrix
    >>> n, d_model, d_k, d_v = map(dimension, ("n", "d_model", "d_k", "d_v"))
    >>> X = matrix("X", n, d_model)
    >>> W_Q, W_K, W_V = matrix("W_Q", d_model, d_k), matrix("W_K", d_model, d_k), matrix("W_V", d_model, d_v)
    >>> SingleHead(X, W_Q, W_K, W_V).shape
    (n, d_v)
    """

    __slots__ = ()
    parameters = (
        Parameter("input"), Parameter("query_weight"), Parameter("key_weight"), Parameter("value_weight"),
        Parameter("mask", optional=True),
    )  # fmt: skip
    title = Words("One attention head", "1 つのアテンションヘッド")
    explanation = Words(
        "Queries, keys and values are made from the same rows by three weight matrices; attention does the rest.",
        "同じ入力の行から 3 つの重み行列でクエリ・キー・バリューを作り、アテンションを計算します。",
    )
    source = Words(
        "Vaswani et al. 2017, section 3.2.2: head_i, whose W_i^Q, W_i^K, W_i^V are W_Q, W_K, W_V here",
        "Vaswani ほか 2017, 3.2.2 節の head_i。そこでの W_i^Q, W_i^K, W_i^V がここでの W_Q, W_K, W_V",
    )
    notation = Call("SingleHead")
    letter = "Z"

    def definition(self) -> Stages:
        rows, query_weight, key_weight, value_weight = self.args[:4]
        queries, keys, values = (Linear(rows, w) for w in (query_weight, key_weight, value_weight))
        whole = ScaledDotProductAttention(queries, keys, values, *self.args[4:])
        return Stages((("Q", queries), ("K", keys), ("V", values)), whole, _WORDS)


_WORDS = {
    "Q": (
        Words("Queries", "クエリ"),
        Words(
            "The query of a row decides how that row of the output weighs the values.",
            "ある行のクエリは、出力のその行でバリューに掛ける係数を決めます。",
        ),
    ),
    "K": (
        Words("Keys", "キー"),
        Words(
            "Every query is compared with the key of every token.",
            "どのクエリも、すべてのトークンのキーと比べます。",
        ),
    ),
    "V": (
        Words("Values", "バリュー"),
        Words(
            "The values are what is added up in the end.",
            "最後に足し合わせるのがバリューです。",
        ),
    ),
}
