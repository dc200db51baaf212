"""Proof: the gradients of attention by queries, keys and values."""

from dataclasses import replace

from symtransformer import Section, Words, derive, differentiate, dimension, matrix
from symtransformer.index_notation import index_form
from symtransformer.operations import ScaledDotProductAttention

n, m, d_k, d_v = (dimension(name) for name in ("n", "m", "d_k", "d_v"))
Q, K, V = matrix("Q", n, d_k), matrix("K", m, d_k), matrix("V", m, d_v)
GRADIENT = differentiate(derive(ScaledDotProductAttention(Q, K, V)), [Q, K, V])


def ends(*names):
    return tuple(line for name in names for line in index_form(GRADIENT, name).ends)


derivation = replace(
    GRADIENT.derivation,
    title=Words(
        "The gradients of attention by queries, keys and values", "アテンションのクエリ・キー・バリューによる勾配"
    ),
    sections=(
        Section(
            Words("Forward", "順方向"),
            Words(
                "{n} queries, {m} keys and values, with {d_k} and {d_v} components: any numbers.",
                "クエリが {n} 個、キーとバリューが {m} 個で、成分の数は {d_k} と {d_v} です（どれも任意）。",
            ),
            steps=("S", "A", "Z"),
        ),
        Section(
            Words("Backward", "逆方向"),
            Words(
                "{dZ} is the gradient of the loss by the output. First the two factors of {Z}, then through softmax, then the "
                "two factors of the scores.",
                "{dZ} は、損失を出力で微分した勾配です。まず {Z} の 2 つの因子、次に Softmax、最後に点数の 2 つの因子へとさかのぼります。",
            ),
            steps=("dV", "dA", "dS", "dQ", "dK"),
        ),
        Section(
            Words("The same, entry by entry", "成分で書くと"),
            Words(
                "Of each gradient the entry, the row and the matrix. The gradient of a query adds up over the keys, those of a "
                "key and of a value over the queries.",
                "それぞれの勾配を、成分・行・行列の順に示します。クエリの勾配はキーについての和で、キーとバリューの勾配はクエリについての和です。",
            ),
            lines=ends("V", "A", "S", "Q", "K"),
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
