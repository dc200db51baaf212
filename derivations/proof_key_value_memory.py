"""Proof: a feed-forward network is a memory, with columns of the first weight as keys and rows of the second as values."""

from symtransformer import Derivation, Section, Step, Words, dimension, head_index, matrix
from symtransformer.operations import (
    ColumnSlice,
    FeedForward,
    HeadSum,
    KeyValueMemory,
    Linear,
    Ones,
    ReLU,
    Row,
)

n, d, d_ff, d_out = (dimension(name) for name in ("n", "d", "d_ff", "d_out"))
u = head_index("u")
X = matrix("X", n, d)
W_1, b_1 = matrix("W_1", d, d_ff), matrix("b_1", d_ff, 1)
W_2, b_2 = matrix("W_2", d_ff, d_out), matrix("b_2", d_out, 1)
ONES = Ones(n, 1)

INNER = Linear(X, W_1, b_1)
NETWORK = FeedForward(X, W_1, b_1, W_2, b_2)
SMOOTH = FeedForward(X, W_1, b_1, W_2, b_2, activation="GELU")

H, F = matrix("H", n, d_ff), matrix("F", n, d_ff)
G, G_1, G_2, M = (matrix(name, n, d_out) for name in ("G", "G_1", "G_2", "M"))
key, value = matrix("K", d, 1).of_head(u), matrix("V", 1, d_out).of_head(u)
match, share = matrix("S", n, 1).of_head(u), matrix("A", n, 1).of_head(u)

DEFINED = Words("Definition.", "定義です。")
NETWORK_STEPS = (
    Step(
        H,
        X @ W_1 + ONES @ b_1.T,
        INNER,
        Words("Into the network", "1 つ目の Linear"),
        Words(
            "Definition: one column for each of the {d_ff} hidden units.",
            "定義です。{d_ff} 個の隠れユニットに 1 列ずつ対応します。",
        ),
    ),
    Step(
        F,
        ReLU(H),
        ReLU(INNER),
        Words("Activation", "活性化関数"),
        Words("Definition, entry by entry.", "定義です。成分ごとに適用します。"),
    ),
    Step(
        G, F @ W_2 + ONES @ b_2.T, NETWORK, Words("Out of the network", "2 つ目の Linear"), DEFINED,
    ),
)  # fmt: skip
PROOF = (
    Step(
        key,
        ColumnSlice(W_1, u, 1),
        ColumnSlice(W_1, u, 1),
        Words("The key of a unit", "ユニットのキー"),
        Words(
            "Definition: column {u} of {W_1}, with as many entries as a row of {X}.",
            "定義です。{W_1} の第 {u} 列で、次元は {X} の行と同じです。",
        ),
    ),
    Step(
        value,
        Row(W_2, u),
        Row(W_2, u),
        Words("The value of a unit", "ユニットのバリュー"),
        Words(
            "Definition: row {u} of {W_2}, with as many entries as a row of the output.",
            "定義です。{W_2} の第 {u} 行で、次元は出力の行と同じです。",
        ),
    ),
    Step(
        match,
        X @ key + ONES @ Row(b_1, u),
        ColumnSlice(INNER, u, 1),
        Words("Each row is compared with the key", "各行をキーと比べる"),
        Words(
            "Column {u} of {H} holds the dot product of each row with key {u}, and the bias of this unit.",
            "{H} の第 {u} 列は、各行とキー {u} の内積に、このユニットのバイアスを足したものです。",
        ),
        coarse=ColumnSlice(H, u, 1),
    ),
    Step(
        share,
        ReLU(match),
        ColumnSlice(ReLU(INNER), u, 1),
        Words("How much of the value is taken", "バリューをどれだけ使うか"),
        Words(
            "The activation works entry by entry, so it may be applied column by column. Nothing else about it is used.",
            "活性化関数は成分ごとの計算なので、列ごとに適用しても同じです。使う性質はこれだけです。",
        ),
        coarse=ColumnSlice(F, u, 1),
    ),
    Step(
        G_1,
        HeadSum(share @ value, u, d_ff) + ONES @ b_2.T,
        NETWORK,
        Words("The values are added up", "バリューを足し合わせる"),
        Words(
            "A product of two matrices is the sum of column {u} of the first times row {u} of the second, over all {u}.",
            "2 つの行列の積は、1 つ目の第 {u} 列と 2 つ目の第 {u} 行の積を、すべての {u} で足したものです。",
        ),
        coarse=G,
    ),
    Step(
        M,
        KeyValueMemory(X, W_1, b_1, W_2, b_2),
        NETWORK,
        Words("The memory", "記憶として書いた形"),
        Words(
            "Written in one line: keys, activation, values, sum.",
            "キー、活性化関数、バリュー、和を 1 行にまとめて書いたものです。",
        ),
        coarse=G_1,
    ),
    Step(
        G_2,
        KeyValueMemory(X, W_1, b_1, W_2, b_2, activation="GELU"),
        SMOOTH,
        Words("The same with GELU", "GELU でも同じ"),
        Words(
            "Another activation, the same argument.",
            "活性化関数を変えても、同じ議論が成り立ちます。",
        ),
        coarse=SMOOTH,
    ),
)

derivation = Derivation(
    steps=(*NETWORK_STEPS, *PROOF),
    title=Words("The feed-forward network as a key-value memory", "FFN はキーとバリューの記憶とみなせる"),
    sections=(
        Section(
            Words("The claim", "示すこと"),
            Words(
                "For all sizes {n}, {d}, {d_ff} and {d_out} the feed-forward network is a sum over its hidden units. Each "
                "unit holds a key and a value; the input decides how much of each value is taken. It resembles "
                "attention, but the keys and values are learned weights and the shares need not add up to 1. Notation: a column "
                "of ones (in print a bold 1) times a transposed bias repeats the bias in every row; an upper {u} in brackets marks unit {u}; square "
                "brackets hold the rows and columns that are taken, first and last included; FFN and KeyValueMemory take an "
                "input, a weight, a bias, a weight, a bias and the activation.",
                "行数・列数 {n}、{d}、{d_ff}、{d_out} が何であっても、FFN は隠れユニットについての和として書けます。"
                "各ユニットはキーとバリューを 1 つずつ持ち、それぞれのバリューをどれだけ使うかは入力で決まります。"
                "アテンションに似ていますが、キーとバリューは学習済みの重みで、使う割合の合計が 1 になるとは限りません。"
                "記法：1 を並べた列（印刷版では太字の 1）に、転置したバイアスを掛けると、バイアスが各行に繰り返されます。右上の括弧の中の {u} はユニット {u} を表し、"
                "角括弧は取り出す行と列の範囲です（両端を含みます）。FFN と KeyValueMemory の引数は、"
                "入力、重み、バイアス、重み、バイアス、活性化関数の順です。",
            ),
            steps=("H", "F", "G"),
        ),
        Section(
            Words("The proof", "証明"),
            Words(
                "One hidden unit {u} at a time, for all of them alike.",
                "隠れユニット {u} を 1 つずつ見ます。どのユニットでも同じです。",
            ),
            steps=("K", "V", "S", "A", "G_1", "M", "G_2"),
        ),
        Section(
            Words("Rows or columns of the weights", "キーは重みの行か列か"),
            Words(
                "Here vectors are rows and weights stand on the right, so the keys are the columns of {W_1} and the values the "
                "rows of {W_2}. A text that writes vectors as columns and weights on the left has both matrices "
                "transposed: there the keys are rows of the first and the values columns of the second. It is the same "
                "memory. Taking rows of {W_1} for keys here would not even fit wherever {d_ff} differs from {d}: a key "
                "has {d} entries, a row of {W_1} has {d_ff}.",
                "このページではベクトルを行で書き、重みを右から掛けるので、キーは {W_1} の列、バリューは {W_2} の行です。"
                "ベクトルを列で書き、重みを左から掛ける本では、どちらの行列も転置されていて、キーは 1 つ目の行、バリューは 2 つ目の列になります。"
                "同じ記憶を別の書き方で表しただけです。"
                "このページの書き方で {W_1} の行をキーとみなすと、{d_ff} と {d} が違う限り、成分の数が合いません。"
                "キーの次元は {d} ですが、{W_1} の行の次元は {d_ff} だからです。",
            ),
        ),
        Section(
            Words("In numbers", "数値で確かめる"),
            Words(
                "Two input rows, three hidden units. A negative match takes nothing of a value.",
                "入力が 2 行、隠れユニットが 3 つの例です。結果が負なら、そのバリューは使いません。",
            ),
            inputs=("X", "W_1", "b_1", "W_2", "b_2"),
            steps=("H", "F", "G", "G_1", "M"),
            kept=("F",),
            values={
                X: [[1, 2], [0, -1]],
                W_1: [[1, -1, 0], [0, 1, 2]],
                b_1: [[0], [-2], [1]],
                W_2: [[1, 0], [0, 3], [2, -1]],
                b_2: [[0], [1]],
            },
            exact=False,
        ),
    ),
)
