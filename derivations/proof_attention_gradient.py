"""Proof: the gradients of attention with respect to queries, keys and values."""

from dataclasses import replace

from symtransformer import Section, Words, derive, differentiate, dimension, matrix
from symtransformer.index_notation import index_form
from symtransformer.operations import ScaledDotProductAttention

n, m, d_k, d_v = (dimension(name) for name in ("n", "m", "d_k", "d_v"))
Q, K, V = matrix("Q", n, d_k), matrix("K", m, d_k), matrix("V", m, d_v)
GRADIENT = differentiate(derive(ScaledDotProductAttention(Q, K, V)), [Q, K, V])


def lines(name):
    return index_form(GRADIENT, name).every_line


def ends(name):
    return index_form(GRADIENT, name).ends


derivation = replace(
    GRADIENT.derivation,
    title=Words(
        "The gradients of attention with respect to queries, keys and values",
        "アテンションのクエリ・キー・バリューに関する勾配",
    ),
    sections=(
        Section(
            Words("Forward", "順方向"),
            Words(
                "{n} queries and {m} keys, with {d_k} components each, and {m} values with {d_v} components. All these numbers "
                "are arbitrary.",
                "成分が {d_k} 個のクエリ {n} 個とキー {m} 個、成分が {d_v} 個のバリュー {m} 個があります。どの個数も任意です。",
            ),
            steps=("S", "A", "Z"),
        ),
        Section(
            Words("Backward", "逆方向"),
            Words(
                "{dZ} is the gradient of the loss with respect to the output; for the step that computes {Z} it is the "
                "cotangent. The way back leads to the two factors of {Z}, then through softmax, then to the two factors of "
                "the scores. ⊙ multiplies entry by entry, rowsum adds up each row, broadcast repeats a column side by side.",
                "{dZ} は、損失を出力 {Z} で微分した勾配で、{Z} を計算するステップにとっての「上流の勾配」です。まず {Z} の 2 つの因子、"
                "次に Softmax、最後に点数の 2 つの因子へとさかのぼります。⊙ は成分ごとの積、rowsum は行ごとの合計です。broadcast は列を横に並べて繰り返します。",
            ),
            steps=("dV", "dA", "dS", "dQ", "dK"),
        ),
        Section(
            Words("The same, entry by entry", "成分で書くと"),
            Words(
                "Line by line for a value, for a score and for a query; for the others, which go the same way, only the results. "
                "Where there is one, the equation for a whole row follows, and then the one for the matrix. The gradient of a "
                "query is a sum over the keys, those of a key and of a value are sums over the queries.",
                "バリュー、点数、クエリの勾配は 1 行ずつ導き、同じように計算できるほかの勾配は結果だけを示します。"
                "続けて、行全体の式（あるものだけ）と行列の式を示します。"
                "クエリの勾配はキーについての和で、キーとバリューの勾配はクエリについての和です。",
            ),
            lines=(*lines("V"), *ends("A"), *lines("S"), *lines("Q"), *ends("K")),
        ),
        Section(
            Words("In numbers", "数値で確かめる"),
            Words(
                "Two queries and three keys.",
                "クエリが 2 個、キーが 3 個の例です。",
            ),
            inputs=("Q", "K", "V", "dZ"),
            steps=("S", "A", "Z", "dV", "dA", "dS", "dQ", "dK"),
            values={
                Q: [[1, 0], [2, -1]],
                K: [[1, 1], [0, 2], [-1, 1]],
                V: [[1, 0, 2], [0, 1, 1], [2, 1, 0]],
                GRADIENT.cotangent: [[1, -1, 0], [0.5, 0, 2]],
            },
            exact=False,
        ),
    ),
)
