"""Scaled dot-product attention from queries, keys and values."""

from __future__ import annotations

from sympy import S, sqrt

from symtransformer.arguments import Parameter
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages, require_equal_sizes
from symtransformer.operations.mask import Mask
from symtransformer.operations.product import Product
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.transpose import Transpose


class ScaledDotProductAttention(Composite):
    """Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V, with Q: n x d_k, K: m x d_k, V: m x d_v.

    Named parts: S = Q Kᵀ / √d_k (the scaled scores), A = softmax(S). A fourth argument M
    (n x m, entries 0 and −∞) is a mask: A = softmax(S + M).

    >>> from symtransformer import dimension, matrix
    >>> n, m, d_k, d_v = map(dimension, ("n", "m", "d_k", "d_v"))
    >>> Z = ScaledDotProductAttention(matrix("Q", n, d_k), matrix("K", m, d_k), matrix("V", m, d_v))
    >>> Z.shape
    (n, d_v)
    """

    __slots__ = ()
    parameters = (
        Parameter("queries"), Parameter("keys"), Parameter("values"), Parameter("mask", optional=True),
    )  # fmt: skip
    title = Words("Scaled dot-product attention", "スケーリング付き内積アテンション")
    explanation = Words(
        "Each query is compared with every key; the scores become weights, and the values are added with them.",
        "各クエリをすべてのキーと比べ、点数を係数に変え、その係数を掛けてバリューを足し合わせます。",
    )
    source = Words(
        "Vaswani et al. 2017, section 3.2.1, eq. (1), with the same letters",
        "Vaswani ほか 2017, 3.2.1 節, 式 (1)。文字も同じ",
    )
    notation = Call("Attention")
    letter = "Z"

    def definition(self) -> Stages:
        queries, keys, values = self.args[:3]
        require_equal_sizes(lambda: "attention", "the columns of queries and keys", queries.shape[1], keys.shape[1])
        require_equal_sizes(lambda: "attention", "the rows of keys and values", keys.shape[0], values.shape[0])
        scores = Scaling(Product(queries, Transpose(keys)), S.One, sqrt(queries.shape[1]))
        usable = Mask(scores, self.args[3]) if len(self.args) == 4 else scores
        weights = Softmax(usable)
        return Stages((("S", scores), ("A", weights)), Product(weights, values), _WORDS)


_WORDS = {
    "S": (
        Words("Scaled scores", "割った後の点数"),
        Words(
            "Row {i}, column {j} compares query {i} with key {j}: their dot product, divided by the square root of {d_k}.",
            "第 {i} 行・第 {j} 列は、クエリ {i} とキー {j} の内積を {d_k} の平方根で割った点数です。",
        ),
    ),
    "A": (
        Words("Attention weights", "係数（アテンションの重み）"),
        Words(
            "Softmax turns each row of scores into weights from 0 to 1 that add up to 1 (exactly 0 where the score is −∞).",
            "Softmax で、点数の各行を、0 以上で合計が 1 の係数に変えます（点数が −∞ なら 0）。",
        ),
    ),
    "": (
        Words("Weighted sum of the values", "バリューの加重和"),
        Words(
            "Row {i} of the output is the sum of all value rows, each times its weight in row {i}.",
            "出力の第 {i} 行は、バリューの各行に、係数の第 {i} 行の値をそれぞれ掛けて足したものです。",
        ),
    ),
}
