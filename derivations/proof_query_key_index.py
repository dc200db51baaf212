"""Proof: gradients of queries and keys in index notation: a row of the table of scores for one, a column for the other."""

from dataclasses import replace

from sympy import sqrt

from symtransformer import Section, Words, derive, differentiate, dimension, matrix
from symtransformer.index_notation import index_form
from symtransformer.operations import Softmax

n, d, d_k, d_v = (dimension(name) for name in ("n", "d", "d_k", "d_v"))
X = matrix("X", n, d)
W_Q, W_K, W_V = matrix("W_Q", d, d_k), matrix("W_K", d, d_k), matrix("W_V", d, d_v)
G = matrix("G", n, n)

QUERIES, KEYS, VALUES = X @ W_Q, X @ W_K, X @ W_V
SCORES = QUERIES @ KEYS.T
SCALED = SCORES / sqrt(d_k)
WEIGHTS = Softmax(SCALED)
NAMES = {
    QUERIES: (
        "Q",
        Words("Queries", "クエリ"),
        Words(
            "One row for each position: what it looks for.", "位置ごとに 1 行で、その位置が何を探しているかを表します。"
        ),
    ),
    KEYS: (
        "K",
        Words("Keys", "キー"),
        Words(
            "One row for each position: what it offers.", "位置ごとに 1 行で、その位置が何を持っているかを表します。"
        ),
    ),
    VALUES: (
        "V",
        Words("Values", "バリュー"),
        Words("One row for each position: what it hands on.", "位置ごとに 1 行で、その位置が渡す内容です。"),
    ),
    SCORES: (
        "S",
        Words("Scores before scaling", "割る前の点数"),
        Words(
            "Entry ({i}, {j}) is the dot product of query {i} and key {j}.",
            "({i}, {j}) 成分は、クエリ {i} とキー {j} の内積です。",
        ),
    ),
    SCALED: (
        "T",
        Words("Scaled scores", "割った後の点数"),
        Words("Every score is divided by the root of {d_k}.", "すべての点数を {d_k} の平方根で割ります。"),
    ),
    WEIGHTS: (
        "A",
        Words("Attention weights", "係数（アテンションの重み）"),
        Words(
            "Softmax turns each row of scores into weights that add up to 1.",
            "Softmax で、点数の各行を、合計が 1 の係数に変えます。",
        ),
    ),
    WEIGHTS @ VALUES: (
        "Z",
        Words("Output of the head", "ヘッドの出力"),
        Words("The value rows, each times its weight, added up.", "バリューの各行に係数を掛けて足したものです。"),
    ),
}

forward = derive(WEIGHTS @ VALUES, names=NAMES)
gradient = differentiate(forward, "X,W_Q,W_K,W_V")
SHORT = {gradient.derivation["dS"].letter: G}


def lines(*names):
    """The derivations of these gradients, with g for the gradient with respect to a score."""
    return tuple(line for name in names for line in index_form(gradient, name, SHORT).every_line)


def results(*names):
    """Only where these derivations end: they go as the one before them."""
    return tuple(line for name in names for line in index_form(gradient, name, SHORT).ends)


derivation = replace(
    gradient.derivation,
    title=Words(
        "Queries and keys get different gradients",
        "クエリとキーで勾配が違う理由",
    ),
    sections=(
        Section(
            Words("The head", "ヘッドの計算"),
            Words(
                "One head of self-attention, and any loss {L} that is computed from its output. The scores {S} are those before "
                "the division by the root of {d_k}. Everything holds for all sizes {n}, {d}, {d_k} and {d_v}.",
                "自己アテンションの 1 つのヘッドを考えます。損失 {L} は、ヘッドの出力から計算される値なら何でもかまいません。"
                "点数 {S} は、{d_k} の平方根で割る前の値です。以下は {n}、{d}、{d_k}、{d_v} がいくつであっても成り立ちます。",
            ),
            steps=("Q", "K", "V", "S", "T", "A", "Z"),
        ),
        Section(
            Words("A name for the gradient with respect to a score", "点数に関する勾配に名前を付ける"),
            Words(
                "To go back from the scores, neither softmax nor the scaling has to be known: all that arrives there is one "
                "number for each pair of positions, the derivative of {L} with respect to the score of query {i} and key {j}. "
                "It is called {g} with the indices {i} and {j}. Since {S} is not yet scaled, the division by the root of {d_k} "
                "is contained in this number and does not appear in the sections below. A delta is 1 where its two indices are "
                "equal, and 0 elsewhere.",
                "点数から先へさかのぼるときには、Softmax も平方根による割り算も気にする必要がありません。後ろから伝わってくるのは、"
                "位置の組ごとに 1 つの数、つまりクエリ {i} とキー {j} の点数で {L} を微分した値だけです。これを、添字 {i}、{j} を付けて "
                "{g} と書きます。{S} は割る前の点数なので、{d_k} の平方根による割り算はこの数に含まれていて、この節より後の式には現れません。"
                "δ は、2 つの添字が等しければ 1、違えば 0 です。",
            ),
            lines=lines("S"),
        ),
        Section(
            Words("The gradient with respect to a query", "クエリに関する勾配"),
            Words(
                "Step by step for one component {c} of one query {i}, then for the whole query. The sum over {j} runs "
                "over all keys: the entries of row {i} of the table of {g}.",
                "クエリ {i} の 1 つの成分 {c} について 1 行ずつ導き、最後に行全体の式にします。和はキー {j} のすべてにわたり、"
                "{g} の表の第 {i} 行を使います。",
            ),
            lines=lines("Q"),
        ),
        Section(
            Words("The gradient with respect to a key", "キーに関する勾配"),
            Words(
                "The same rules, but this time the other sum stays: it runs over all queries {i}, along column {j} of the table "
                "of {g}.",
                "使う規則は同じですが、今度はもう一方の和が残ります。その和はクエリ {i} のすべてにわたり、{g} の表の第 {j} 列を使います。",
            ),
            lines=lines("K"),
        ),
        Section(
            Words("Why they differ", "なぜ違うのか"),
            Words(
                "A score is a product of a query and a key, and the derivative with respect to one factor is the other: the "
                "gradient of a query is made of keys, that of a key is made of queries. And the table of {g} is read in two "
                "directions. A query belongs to one row of it, in which one position looks at all positions. A key belongs "
                "to one column, in which all positions look at one. Softmax works along the rows, so rows and columns do not "
                "play the same part. That is why the two gradients differ in general, even where {Q} and {K} are equal; if the "
                "table is symmetric as well, they agree.",
                "点数はクエリとキーの積なので、一方で微分するともう一方が残ります。クエリの勾配はキーから、キーの勾配はクエリから作られます。"
                "さらに、{g} の表を読む向きが違います。1 つのクエリが関わるのは表の 1 つの行で、その行では 1 つの位置がすべての位置を見ています。"
                "1 つのキーが関わるのは 1 つの列で、その列ではすべての位置が 1 つの位置を見ています。Softmax は行ごとに働くので、行と列の役割は同じではありません。"
                "そのため、{Q} と {K} が等しくても、2 つの勾配は一般には異なります。さらに表が対称なら、2 つの勾配は一致します。",
            ),
        ),
        Section(
            Words("On to the values and the weight matrices", "バリューと重み行列に関する勾配"),
            Words(
                "Every position uses the same weight matrices, so the contributions of all positions {i} are added up. It is "
                "the same for the other two weight matrices, and only the results are shown. The gradient with respect to the "
                "values does not pass through the scores.",
                "重み行列はすべての位置で共有されるので、各位置 {i} からの寄与を足します。ほかの 2 つの重み行列も同じように計算できるので、"
                "結果だけを示します。バリューに関する勾配は点数を通りません。",
            ),
            lines=(*lines("W_Q"), *results("W_K"), *lines("V"), *results("W_V")),
        ),
        Section(
            Words("On to the input", "入力に関する勾配"),
            Words(
                "{X} is used three times, and the chain rule adds up what comes from each use.",
                "{X} は 3 か所で使われているので、連鎖律により、それぞれから来る勾配を足します。",
            ),
            lines=lines("X"),
        ),
        Section(
            Words("In numbers", "数値で確かめる"),
            Words(
                "Three positions with two components. A {d} in front of a letter stands for the gradient of the loss with respect "
                "to that letter. In each row of the gradient with respect to the scores the entries add up to 0, since "
                "softmax does not notice a number added to a whole row; in the columns they need not.",
                "位置が 3 つ、成分が 2 つの例です。文字の前の {d} は、損失のその文字に関する勾配を表します。点数に関する勾配は、どの行も合計が 0 になります。"
                "行全体に同じ数を足しても Softmax の値は変わらないからです。列の合計は 0 とは限りません。",
            ),
            inputs=("X", "W_Q", "W_K", "W_V", "dZ"),
            steps=("S", "A", "dS", "dQ", "dK"),
            values={
                X: [[1, 0], [0, 1], [1, 1]],
                W_Q: [[1, 0], [0, 2]],
                W_K: [[0, 1], [1, 0]],
                W_V: [[1], [-1]],
                gradient.cotangent: [[1], [0], [2]],
            },
            exact=False,
        ),
    ),
)
