"""Proof: with keys and values kept, the row of a new token is the last row of full recomputation."""

from sympy import sqrt

from symtransformer import Derivation, Section, Step, Words, dimension, matrix
from symtransformer.operations import (
    CachedAttention,
    CausalMask,
    Mask,
    Row,
    RowConcatenation,
    RowSlice,
    ScaledDotProductAttention,
    SingleHead,
    Softmax,
)

n, d, d_k, d_v = (dimension(name) for name in ("n", "d", "d_k", "d_v"))
X, x = matrix("X", n, d), matrix("x_t", 1, d)
W_Q, W_K, W_V = matrix("W_Q", d, d_k), matrix("W_K", d, d_k), matrix("W_V", d, d_v)

ROWS, MASK = RowConcatenation(X, x), CausalMask(n + 1)
KEPT = {"Q": X @ W_Q, "K": X @ W_K, "V": X @ W_V}
NEW = {"q_t": x @ W_Q, "k_t": x @ W_K, "v_t": x @ W_V}
QUERIES, KEYS, VALUES = ROWS @ W_Q, ROWS @ W_K, ROWS @ W_V
SCORES = QUERIES @ KEYS.T / sqrt(d_k)
WEIGHTS = Softmax(Mask(SCORES, MASK))
FULL = ScaledDotProductAttention(QUERIES, KEYS, VALUES, MASK)

Q, K, V = matrix("Q", n, d_k), matrix("K", n, d_k), matrix("V", n, d_v)
q, k, v = matrix("q_t", 1, d_k), matrix("k_t", 1, d_k), matrix("v_t", 1, d_v)
Q_all, K_all, V_all = matrix("Q_all", n + 1, d_k), matrix("K_all", n + 1, d_k), matrix("V_all", n + 1, d_v)
S, A, Z = matrix("S", n + 1, n + 1), matrix("A", n + 1, n + 1), matrix("Z", n + 1, d_v)
s, a, z = matrix("s_t", 1, n + 1), matrix("a_t", 1, n + 1), matrix("z_t", 1, d_v)
C, Y = matrix("C", 1, d_v), matrix("Y", n, d_v)

DEFINED = Words("Definition.", "定義です。")


def stacked(letter, kept, new, whole, words):
    """The rows of all tokens are those kept from before, and the new one below them."""
    return Step(
        letter,
        RowConcatenation(kept, new),
        whole,
        words,
        Words(
            "A row of the product depends on the same row of the input only, so the rows from before are what they were.",
            "積の各行は入力の同じ行だけで決まるので、前からある行は変わりません。",
        ),
        coarse=whole,
    )


PARTS = (
    Step(Q, KEPT["Q"], KEPT["Q"], Words("Queries of the earlier tokens", "前のトークンのクエリ"), DEFINED),
    Step(K, KEPT["K"], KEPT["K"], Words("Keys of the earlier tokens", "前のトークンのキー"), DEFINED),
    Step(V, KEPT["V"], KEPT["V"], Words("Values of the earlier tokens", "前のトークンのバリュー"), DEFINED),
    Step(q, NEW["q_t"], NEW["q_t"], Words("Query of the new token", "新しいトークンのクエリ"), DEFINED),
    Step(k, NEW["k_t"], NEW["k_t"], Words("Key of the new token", "新しいトークンのキー"), DEFINED),
    Step(v, NEW["v_t"], NEW["v_t"], Words("Value of the new token", "新しいトークンのバリュー"), DEFINED),
)
RECOMPUTED = (
    stacked(Q_all, Q, q, QUERIES, Words("All queries", "すべてのクエリ")),
    stacked(K_all, K, k, KEYS, Words("All keys", "すべてのキー")),
    stacked(V_all, V, v, VALUES, Words("All values", "すべてのバリュー")),
    Step(
        S,
        Q_all @ K_all.T / sqrt(d_k),
        SCORES,
        Words("All scores", "すべての点数"),
        Words("Definition, for all queries and keys.", "定義です。すべてのクエリとキーの組に対するものです。"),
    ),
    Step(
        A,
        Softmax(Mask(S, MASK)),
        WEIGHTS,
        Words("All weights", "すべての係数"),
        Words(
            "Definition: later tokens are hidden before softmax.",
            "定義です。後ろのトークンを Softmax の前に隠します。",
        ),
    ),
    Step(Z, A @ V_all, FULL, Words("Full recomputation", "全部を計算し直した結果"), DEFINED),
)
PROOF = (
    Step(
        s,
        q @ K_all.T / sqrt(d_k),
        Row(SCORES, n),
        Words("Last row of the scores", "点数の最後の行"),
        Words(
            "Only the last query takes part in the last row.",
            "最後の行に使うクエリは、最後のものだけです。",
        ),
        coarse=Row(S, n),
    ),
    Step(
        a,
        Softmax(s),
        Row(WEIGHTS, n),
        Words("Last row of the weights", "係数の最後の行"),
        Words(
            "The last row of the mask holds zeros only, since nothing comes after the last token; and softmax works row by row.",
            "最後のトークンの後ろには何もないので、マスクの最後の行は 0 だけです。Softmax は行ごとの計算です。",
        ),
        coarse=Row(A, n),
    ),
    Step(
        z,
        a @ V_all,
        Row(FULL, n),
        Words("Last row of the output", "出力の最後の行"),
        Words(
            "Row {n} + 1 of a product is made from row {n} + 1 of its left factor.",
            "積の第 {n} + 1 行は、左の行列の第 {n} + 1 行から決まります。",
        ),
        coarse=Row(Z, n),
    ),
    Step(
        C,
        CachedAttention(q, K, k, V, v),
        Row(FULL, n),
        Words("Attention with the cache is the same", "キャッシュを使うアテンションと同じ"),
        Words(
            "That is the attention of one query over the kept keys and values with the new ones below.",
            "これは、取っておいたキーとバリューの下に新しい行を加え、1 つのクエリに対して計算するアテンションです。",
        ),
        coarse=z,
    ),
)
EARLIER = Step(
    Y,
    SingleHead(X, W_Q, W_K, W_V, CausalMask(n)),
    RowSlice(FULL, 0, n),
    Words("The rows before stay what they were", "前の行はもとのまま"),
    Words(
        "The first {n} rows of full recomputation are the attention of the first {n} tokens alone: the new token is hidden from them.",
        "計算し直した結果の最初の {n} 行は、最初の {n} トークンだけのアテンションと同じです。新しいトークンは、そこからは隠れています。",
    ),
    coarse=RowSlice(Z, 0, n),
)

derivation = Derivation(
    steps=(*PARTS, *RECOMPUTED, *PROOF, EARLIER),
    title=Words("A KV cache changes no number", "KV キャッシュを使っても結果は変わらない"),
    sections=(
        Section(
            Words("The claim", "示すこと"),
            Words(
                "{n} tokens {X} have been read, and one more, {x_t}, is appended. The last row of masked attention over "
                "all {n} + 1 tokens can be computed from the new row and from keys and values that are already there. "
                "We assume the causal mask, and that the weights do not change; {n} and all sizes are arbitrary. Notation: Stack "
                "puts the rows of its second argument below those of the first; causal makes the mask of so many rows and "
                "columns; square brackets hold the rows that are taken, first and last included, counted from 1; "
                "SingleHead is the whole head, CachedAttention the attention of one query over keys and values with a new "
                "row below each.",
                "{n} 個のトークン {X} を読み終え、もう 1 つ {x_t} を加えます。{n} + 1 個のトークン全体に対するマスク付きアテンションの最後の行は、"
                "新しい行と、すでにあるキーとバリューだけから計算できます。仮定するのは、因果マスクを使うことと、重みが変わらないことです。"
                "{n} もほかの行数・列数も任意です。記法：Stack は 1 つ目の引数の下に 2 つ目の行を置き、causal はその行数・列数のマスクを作ります。"
                "角括弧は取り出す行の範囲です（両端を含み、1 から数えます）。SingleHead は 1 つのヘッド全体、CachedAttention は、"
                "キーとバリューの下に新しい行を 1 つずつ加え、1 つのクエリに対して計算するアテンションです。",
            ),
            steps=("Q", "K", "V", "q_t", "k_t", "v_t"),
        ),
        Section(
            Words("Everything computed anew", "全部を計算し直す"),
            Words(
                "Without a cache the whole input goes through the head again.",
                "キャッシュがなければ、入力全体をもう一度ヘッドに通します。",
            ),
            steps=("Q_all", "K_all", "V_all", "S", "A", "Z"),
        ),
        Section(
            Words("The proof: only the last row", "証明：最後の行だけを見る"),
            Words(
                "Each step of the head works row by row in its queries, so the last row can be followed by itself.",
                "ヘッドの計算はどの段階もクエリの行ごとに進むので、最後の行だけを追えます。",
            ),
            steps=("s_t", "a_t", "z_t", "C"),
        ),
        Section(
            Words("Why all layers may have a cache", "どの層でもキャッシュを使える理由"),
            Words(
                "The next layer needs its own keys and values of the earlier tokens. They are made from the rows below, which the "
                "new token does not change; the feed-forward network, residuals and norms of a layer work on each row alone. So the "
                "argument can be repeated layer by layer. Without the mask earlier rows would change, and nothing could "
                "be kept.",
                "次の層では、前のトークンについてその層のキーとバリューが必要です。それらのもとになる行は、次に示すとおり、新しいトークンを加えても変わりません。"
                "FFN・残差・正規化は、行ごとの計算です。そのため、同じ議論を層ごとに繰り返せます。"
                "マスクがなければ前の行も変わってしまい、何も取っておけません。",
            ),
            steps=("Y",),
        ),
        Section(
            Words("In numbers", "数値で確かめる"),
            Words(
                "Two tokens from before, one new.",
                "前のトークンが 2 つ、新しいトークンが 1 つの例です。",
            ),
            inputs=("X", "x_t", "W_Q", "W_K", "W_V"),
            steps=("K", "k_t", "K_all", "A", "Z", "a_t", "C", "Y"),
            values={
                X: [[1, 0], [0, 1]],
                x: [[1, 1]],
                W_Q: [[0, 1], [1, 0]],
                W_K: [[1, 0], [0.5, 1]],
                W_V: [[2, 0], [0, 4]],
            },
            exact=False,
        ),
    ),
)
