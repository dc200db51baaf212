"""Proof: the gradient that a fast attention kernel computes is the plain one, with less kept in memory."""

from symtransformer import Derivation, Section, Step, Words, differentiate, dimension, matrix
from symtransformer.operations import Broadcast, Exponential, Hadamard, LogSumExp, RowSum, ScaledDotProductAttention

n, m, d_k, d_v = (dimension(name) for name in ("n", "m", "d_k", "d_v"))
Q, K, V = matrix("Q", n, d_k), matrix("K", m, d_k), matrix("V", m, d_v)

PLAIN = differentiate(ScaledDotProductAttention(Q, K, V)).derivation
S, A, Z, dA = (PLAIN[name].letter for name in ("S", "A", "Z", "dA"))
dZ = matrix("dZ", n, d_v)
SCORES, WEIGHTS, OUTPUT, BEHIND_dA = (PLAIN[name].stands_for for name in ("S", "A", "Z", "dA"))

D, D_1, D_2, D_3 = (matrix(name, n, 1) for name in ("D", "D_1", "D_2", "D_3"))
dS_2, P, ell = matrix("dS_2", n, m), matrix("P", n, m), matrix("lambda", n, 1)
PLAIN_SUM = RowSum(Hadamard(A, dA))
MEANT = RowSum(Hadamard(WEIGHTS, BEHIND_dA))

ROW_SUMS = (
    Step(
        D,
        PLAIN_SUM,
        MEANT,
        Words("The row sum that softmax asks for", "Softmax の勾配に必要な行の合計"),
        Words(
            "Definition. As it stands, each sum needs a row of {dA} and a row of {A}, with {m} entries each.",
            "定義です。このままでは、どの行の合計にも、成分が {m} 個ある {dA} の行と {A} の行が必要です。",
        ),
    ),
    Step(
        D_1,
        RowSum(Hadamard(A, dZ @ V.T)),
        MEANT,
        Words("Substituting {dA}", "{dA} を代入する"),
        Words(
            "Entry ({i}, {j}) of {dA} is the dot product of row {i} of {dZ} and row {j} of {V}.",
            "{dA} の ({i}, {j}) 成分は、{dZ} の第 {i} 行と {V} の第 {j} 行の内積です。",
        ),
        coarse=D,
    ),
    Step(
        D_2,
        RowSum(Hadamard(dZ, A @ V)),
        MEANT,
        Words("Exchanging the two sums", "2 つの和の順序を入れ替える"),
        Words(
            "A finite double sum may be added up in either order: first over the keys, then over the components.",
            "有限個の項の二重和は、どちらから足しても同じです。先にキーについて、次に成分について足します。",
        ),
        coarse=D_1,
    ),
    Step(
        D_3,
        RowSum(Hadamard(dZ, Z)),
        MEANT,
        Words("The sum over the keys is the output", "キーについての和は出力"),
        Words(
            "What is left needs only rows with {d_v} entries, and no row of the table of weights.",
            "残った式に必要なのは、成分が {d_v} 個の行だけです。係数の表の行は要りません。",
        ),
        coarse=D_2,
    ),
    Step(
        dS_2,
        Hadamard(A, dA - Broadcast(D_3, m)),
        PLAIN["dS"].stands_for,
        Words("Gradient with respect to the scores, kernel form", "点数に関する勾配（カーネルで使う形）"),
        Words(
            "This row sum is known before the first key is read, so a kernel can work through the keys block by block.",
            "この合計は最初のキーを読む前に分かるので、カーネルはキーをブロックごとに処理できます。",
        ),
        coarse=PLAIN["dS"].letter,
    ),
)
RECOMPUTED = (
    Step(
        ell,
        LogSumExp(S),
        LogSumExp(SCORES),
        Words("Log-sum-exp of each row", "行ごとの log-sum-exp"),
        Words(
            "Definition. One number for each query; it is all that the forward pass keeps of softmax.",
            "定義です。クエリごとに 1 つの数で、順方向の計算が Softmax について残すのはこれだけです。",
        ),
    ),
    Step(
        P,
        Exponential(S - Broadcast(ell, m)),
        WEIGHTS,
        Words("The weights, computed again", "係数をもう一度求める"),
        Words(
            "Dividing by the sum of the exponentials is the same as subtracting its logarithm in the exponent.",
            "指数関数の値の合計で割ることは、その対数を指数から引くことと同じです。",
        ),
        coarse=A,
    ),
)

derivation = Derivation(
    steps=(*PLAIN.steps, *ROW_SUMS, *RECOMPUTED),
    title=Words("The backward pass of an attention kernel", "アテンションのカーネルが行う逆伝播"),
    sections=(
        Section(
            Words("The plain gradient", "そのままの勾配"),
            Words(
                "Given is the cotangent {dZ}, the gradient of the loss with respect to the output {Z}. The sizes {n}, {m}, {d_k} "
                "and {d_v} are arbitrary. Notation: ⊙ multiplies entry by entry, rowsum adds up each row, broadcast repeats a "
                "column side by side.",
                "損失を出力 {Z} で微分した勾配 {dZ}（上流の勾配）が与えられているとします。{n}、{m}、{d_k}、{d_v} は何でもかまいません。"
                "記法：⊙ は成分ごとの積、rowsum は行ごとの合計です。broadcast は列を横に並べて繰り返します。",
            ),
            steps=("S", "A", "Z", "dA", "dS", "dQ", "dK", "dV"),
        ),
        Section(
            Words("The row sum without the table of weights", "係数の表を使わない行の合計"),
            Words(
                "In the gradient with respect to the scores, a weighted mean is subtracted from each row. It can be computed from "
                "the output and its cotangent alone.",
                "点数に関する勾配では、各行から加重平均を引きます。この平均は、出力とその勾配だけから求められます。",
            ),
            steps=("D", "D_1", "D_2", "D_3", "dS_2"),
        ),
        Section(
            Words("The weights, computed again from the scores", "点数から係数を計算し直す"),
            Words(
                "Instead of {n} times {m} weights, the forward pass keeps one number for each row.",
                "順方向の計算では、{n} × {m} 個の係数の代わりに、行ごとに数を 1 つだけ残します。",
            ),
            steps=("lambda", "P"),
        ),
        Section(
            Words("In numbers", "数値で確かめる"),
            Words(
                "Two queries and three keys. Both forms of the row sum agree, and so do both forms of the gradient with respect to "
                "the scores.",
                "クエリ 2 個、キー 3 個の例です。行の合計も、点数に関する勾配も、2 つの形で一致します。",
            ),
            inputs=("Q", "K", "V", "dZ"),
            steps=("S", "A", "Z", "dA", "D", "D_3", "dS", "dS_2", "dQ", "dK", "dV"),
            values={
                Q: [[1, 0], [2, -1]],
                K: [[1, 1], [0, 2], [-1, 1]],
                V: [[1, 0, 2], [0, 1, 1], [2, 1, 0]],
                dZ: [[1, -1, 0], [0.5, 0, 2]],
            },
            exact=False,
        ),
    ),
)
