"""Other ways to do it: additive scores, a recurrent network, masks as connections, RMSNorm, normalization first.

The inputs are chosen by hand; every other number on the page is computed from them.
"""

from sympy import sqrt

from symtransformer import Comparison, Counts, Fact, Section, Words, derive, dimension, evaluate, matrix
from symtransformer.node import postorder
from symtransformer.operations import (
    AdditiveAttention,
    CausalMask,
    Exponential,
    LayerNorm,
    Mask,
    Ones,
    PaddingMask,
    RecurrentStep,
    RMSDivision,
    RMSNorm,
    Row,
    RowConcatenation,
    RowSum,
    Softmax,
    Standardization,
    Tanh,
)  # fmt: skip
from symtransformer.operations.recurrent import recurrent_chain

# additive attention: queries of 2 components, keys of 3
KEYS = 3
n_q, d_k, d = (dimension(name) for name in ("n_q", "d_k", "d"))
Q, K, V = matrix("Q", n_q, 2), matrix("K", KEYS, d_k), matrix("V", KEYS, 2)
W_a, U_a, v_a = matrix("W_a", 2, 2), matrix("U_a", d_k, 2), matrix("v_a", 2, 1)
ADDITIVE = AdditiveAttention(Q, K, V, W_a, U_a, v_a)
SCORES = dict(ADDITIVE.definition().parts)["S"]


def compared(key):
    """What tanh makes of both queries together with one key."""
    return Tanh(Q @ W_a + Ones(n_q, 1) @ (Row(K, key) @ U_a))


# four tokens, by a recurrent network and by attention
TOKENS = 4
X, T_0 = matrix("X", TOKENS, 2), matrix("T_0", 1, 2)
U_h, U_x = matrix("U_h", 2, 2), matrix("U_x", 2, 2)
STATES = recurrent_chain(T_0, X, U_h, U_x)
LAST = Row(X, TOKENS - 1)
CLOSE = LAST @ X.T / sqrt(2)
ATTENDED = Softmax(CLOSE) @ X


def joined(result, first, tokens):
    """How often the rows of further tokens join in, on the shortest way from the first token to a result."""
    inside, shortest = {}, {first: 0}
    for node in postorder(result):
        below = [part for part in node.args if part in inside]
        inside[node] = ({node} & tokens).union(*(inside[part] for part in below))
        ways = [shortest[part] + (inside[part] != inside[node]) for part in below if part in shortest]
        if ways:
            shortest[node] = min(ways)
    return shortest[result]


def path_lengths(count):
    """The way from the first of so many tokens to the result at the last: recurrent, then with attention."""
    tokens = [matrix(f"x_{k}", 1, 2) for k in range(1, count + 1)]
    state, rows = T_0, RowConcatenation(*tokens)
    for token in tokens:
        state = RecurrentStep(state, token, U_h, U_x)
    attended = Softmax(tokens[-1] @ rows.T / sqrt(2)) @ rows
    return tuple(joined(result, tokens[0], {*tokens}) for result in (state, attended))


# masks as connections
POSITIONS, REAL = 5, 3
n = dimension("n")
OPEN, CAUSAL, PADDING = matrix("M_all", n, n), CausalMask(n), PaddingMask(n, n, REAL)
BOTH = Mask(CAUSAL, PADDING)


def cells(mask):
    """Cells that a mask leaves, and cells that it hides."""
    connections = evaluate(Exponential(mask.xreplace({n: POSITIONS})))
    return sum(connections), len(connections) - sum(connections)


# normalizations of one row
LINES = [[1, 2, 3, 6], [2, -2, 1, -1]]
h, W = matrix("h", 2, d), matrix("W", d, d)
SUM = h + h @ W
AFTER, BEFORE = LayerNorm(SUM), h + LayerNorm(h) @ W


def stages_of(rows, mark):
    """Names for the stages of one softmax: exponentials and their sums."""
    return {Exponential(rows): f"U_{mark}", RowSum(Exponential(rows)): f"c_{mark}"}


NAMES = {
    **{
        compared(key): (
            f"F_{key + 1}",
            Words(f"Both queries with key {key + 1}", f"2 つのクエリとキー {key + 1}"),
            Words(
                "Row {i}: projected query {i} plus the projected key, and tanh of every component.",
                "第 {i} 行は、射影したクエリ {i} に射影したキーを足し、成分ごとに tanh をとったものです。",
            ),
        )
        for key in range(KEYS)
    },
    **stages_of(SCORES, "S"),
    **{
        state: (
            f"T_{k}",
            Words(f"State after token {k}", f"トークン {k} の後の状態"),
            Words(
                "Made from the state before and the row of this token.",
                "1 つ前の状態と、このトークンの行から作ります。",
            ),
        )
        for k, state in enumerate(STATES, 1)
    },
    LAST: (
        "x_last",
        Words("The query: the last row", "クエリ：最後の行"),
        Words(
            "The last token asks; without weights, its row is its query.",
            "最後のトークンの行を、重みを掛けずにクエリとします。",
        ),
    ),
    CLOSE: (
        "S_X",
        Words("Scores of all four tokens", "4 つのトークンの点数"),
        Words(
            "One product compares the last token with every token at once.",
            "1 回の積で、最後のトークンを全部のトークンと比べます。",
        ),
    ),
    Softmax(CLOSE): "A_X",
    ATTENDED: (
        "Z_X",
        Words("Output of attention at the last token", "最後のトークンでのアテンションの出力"),
        Words(
            "The rows of {X}, each times its weight, added up.",
            "{X} の各行に重みを掛けて足したものです。",
        ),
    ),
    **stages_of(CLOSE, "X"),
    **{part: f"{name}_h" for name, part in Standardization(h).stages().parts},
    **{part: f"{name}_post" for name, part in Standardization(SUM).stages().parts},
    **{part: f"{name}_r" for name, part in RMSDivision(h).stages().parts},
    LayerNorm(h): (
        "N_h",
        Words("The deviations over the spread", "偏差を広がりで割る"),
        Words("The result of LayerNorm, row by row.", "行ごとの LayerNorm の結果です。"),
    ),
    RMSNorm(h): (
        "G_h",
        Words("The row over its root mean square", "行を 2 乗平均の平方根で割る"),
        Words("The result of RMSNorm, row by row.", "行ごとの RMSNorm の結果です。"),
    ),
    AFTER: (
        "H_post",
        Words("Post-norm: add, then normalize", "post-norm：足してから正規化する"),
        Words(
            "LayerNorm of the sum of the row and the output of the sub-layer.",
            "行とサブレイヤーの出力の和の LayerNorm です。",
        ),
    ),
    BEFORE: (
        "H_pre",
        Words("Pre-norm: normalize, then add", "pre-norm：正規化してから足す"),
        Words(
            "The row itself plus the output of the sub-layer for the normalized row.",
            "正規化した行に対するサブレイヤーの出力を、元の行に足します。",
        ),
    ),
    SUM: (
        "R_h",
        Words("The row and its change", "行とその変化"),
        Words("The output of the sub-layer is added to its input.", "サブレイヤーの出力を、その入力に足します。"),
    ),
}
JAPANESE = (Words("neko", "猫"), Words("nemuru", "眠る"))
ENGLISH = (Words("the", "the"), Words("cat", "cat"), Words("sleeps", "sleeps"))
FOUR = (Words("neko", "猫"), Words("wa", "は"), Words("yoku", "よく"), Words("nemuru", "眠る"))
FIVE = (Words("neko", "猫"), Words("wa", "は"), Words("nemuru", "眠る"), *[Words("pad", "pad")] * (POSITIONS - REAL))
LENGTHS = Counts(
    Words("From the first token to the last result", "最初のトークンから最後の結果までの段数"),
    (Words("tokens", "トークン数"), Words("recurrent", "RNN"), Words("attention", "アテンション")),
    tuple((count, *path_lengths(count)) for count in (2, TOKENS, 10, 100)),
)
CELLS = Counts(
    Words("Cells of the four connection matrices", "4 つの接続行列のマスの数"),
    (Words("mask", "マスク"), Words("usable", "使える"), Words("hidden", "隠す")),
    (
        (Words("none: both directions", "なし（双方向）"), *cells(PaddingMask(n, n, n))),
        (Words("causal", "因果"), *cells(CAUSAL)),
        (Words("padding", "パディング"), *cells(PADDING)),
        (Words("causal and padding", "因果＋パディング"), *cells(BOTH)),
    ),
)
SECTIONS = (
    Section(
        Words("What this page is about", "このページについて"),
        Words(
            "A Transformer could have been built in other ways. This page puts four choices beside their "
            "alternatives: the "
            "way to score a key, the way information travels, the connections that a mask leaves, and the "
            "normalization. "
            "The parts do not build on one another; all numbers are chosen by hand.",
            "Transformer の部品には、ほかの選択肢もありました。このページでは、キーに点数を付ける方法、情報の伝わり方、マスクが残すつながり、"
            "正規化の 4 つについて、別の方法と比べます。それぞれは独立しています。数値はすべて手で決めたものです。",
        ),
    ),
    Section(
        Words("Notation", "記法"),
        Words(
            "ones, a bold 1 where the page is typeset, is a matrix of ones; a column of ones times a row "
            "repeats the row. tanh and exp work on each entry. "
            "Concat writes columns side by side; rowsum adds up each row; ⊙ multiplies entry by entry. "
            "broadcast repeats a "
            "column side by side as often as its second argument says, and divide divides each row of a matrix "
            "by the number "
            "of a column in that row. "
            "causal and padding make masks; norm is the normalization of LayerNorm, with the small number under "
            "the root as its second "
            "argument, and rmsnorm that of RMSNorm.",
            "ones（組版したページでは太字の 1）は、すべての成分が 1 の行列です。1 を並べた列に行を掛けると、その行が繰り返されます。tanh と exp は成分ごとに計算します。"
            "Concat は列を横に並べ、rowsum は各行を合計し、⊙ は成分ごとに掛けます。broadcast は列を 2 つ目の引数の回数だけ横に並べ、"
            "divide は行列の各行を、同じ行にある列の数で割ります。"
            "causal と padding はマスクを作ります。norm は LayerNorm の正規化で、2 つ目の引数は根号の中の小さな数です。rmsnorm は RMSNorm の正規化です。",
        ),
    ),
    Section(
        Words("Additive attention: the scores", "加法的アテンション：点数"),
        Words(
            "Before the Transformer, a decoder that translated compared its state with the words of the source "
            "in this way. "
            "Query and key are each multiplied by a weight of their own and added; tanh of the sum times {v_a} is the "
            "score. The queries {Q} have 2 components, the keys {K} have 3: no dot product of the two would be "
            "possible.",
            "Transformer より前の翻訳モデルでは、デコーダーの状態と原文の単語をこの方法で比べていました。"
            "クエリとキーにそれぞれ別の重みを掛けて足し、tanh をとってから {v_a} を掛けると点数になります。"
            "クエリ {Q} は 2 成分、キー {K} は 3 成分なので、そのままでは内積をとれません。",
        ),
        inputs=("Q", "K", "W_a", "U_a", "v_a"),
        steps=("B", *(f"F_{key + 1}" for key in range(KEYS)), "S"),
        exact=False,
    ),
    Section(
        Words("Additive attention: weights and output", "加法的アテンション：係数と出力"),
        Words(
            "From here on nothing is new: softmax of each row of scores, then the weighted sum of the values "
            "{V}. Only the "
            "scoring differs. There is also no division by a square root, since tanh lies between −1 and 1 and "
            "the scores cannot grow "
            "with the width of a key.",
            "ここから先は新しいことはありません。点数の各行を Softmax に通し、バリュー {V} の加重和をとります。違うのは点数の付け方だけです。"
            "平方根で割る必要もありません。tanh の値は −1 から 1 までなので、キーの次元が増えても点数は大きくならないからです。",
        ),
        inputs=("V",),
        steps=("A", "Z"),
        percent=("A",),
        exact=False,
    ),
    Section(
        Words("Four tokens in a recurrent network", "RNN で 4 つのトークンを読む"),
        Words(
            "A recurrent network reads the rows of {X} one after the other. Every state is made from the state "
            "before, beginning with {T_0}, and one new "
            "row, with the same weights {U_h} and {U_x} each time. No state can be computed before the one in "
            "front of it.",
            "RNN は {X} の行を 1 つずつ順に読みます。最初の状態は {T_0} です。どの状態も、1 つ前の状態と新しい 1 行から、毎回同じ重み {U_h} と {U_x} で作ります。"
            "前の状態が決まるまで、次の状態は計算できません。",
        ),
        inputs=("X", "T_0", "U_h", "U_x"),
        steps=("T_1", "T_2", "T_3", "T_4"),
        exact=False,
    ),
    Section(
        Words("The same four tokens with attention", "同じ 4 つのトークンをアテンションで読む"),
        Words(
            "For the comparison, attention without weights: the rows of {X} are keys and values, the last row "
            "is the query. All four "
            "rows are there at once.",
            "比べるために、重みのないアテンションを使います。{X} の行がそのままキーとバリューになり、最後の行がクエリになります。"
            "4 つの行を一度に使います。",
        ),
        steps=("x_last", "S_X", "A_X", "Z_X"),
        percent=("A_X",),
        exact=False,
    ),
    Section(
        Words("How long the way is", "経路の長さ"),
        Words(
            "The table was counted in the expressions themselves: follow the shortest way from the first token "
            "to the last "
            "result, and count how often rows of further tokens join in. In the recurrent network one more "
            "token joins at "
            "every state after the first; with attention all others join at once. The price is a score for "
            "every pair of tokens.",
            "表の数は、式そのものをたどって数えたものです。最初のトークンから最後の結果までの最短の経路で、ほかのトークンの行が何回加わるかを数えます。"
            "RNN では 2 番目以降の状態ごとに 1 つずつ加わり、アテンションでは残り全部が 1 回で加わります。"
            "その代わり、アテンションではトークンのすべての組に点数が必要です。",
        ),
        tables=(LENGTHS,),
    ),
    Section(
        Words("If the first token were another one", "最初のトークンが違っていたら"),
        Words(
            "The first row of {X} changes its sign, all others stay. In the last state little of that is left, "
            "since it has gone "
            "through the same weight and through tanh three times; in this example the output of attention "
            "changes by more. {T_4} is the state after the last token, {Z_X} the output of attention at it.",
            "{X} の第 1 行だけ符号を変えます。最後の状態にはその違いがわずかしか残りません。同じ重みと tanh を 3 回通っているからです。"
            "この例では、アテンションの出力の変化のほうが大きくなります。{T_4} は最後のトークンの後の状態、{Z_X} は最後のトークンでのアテンションの出力です。",
        ),
        values={X: [[-2, 0], [0, 1], [-1, 0], [1, 1]]},
        compare=(
            Comparison(
                "T_4", Words("as above", "元のまま"), Words("first row with the other sign", "第 1 行の符号が逆")
            ),
            Comparison(
                "Z_X", Words("as above", "元のまま"), Words("first row with the other sign", "第 1 行の符号が逆")
            ),
        ),
    ),
    Section(
        Words("Masks as connections: no mask", "マスクとつながり：マスクなし"),
        Words(
            "A mask holds 0 where a query (row) may use a key (column), and −∞ where not. exp turns this into 1 "
            "and 0: which "
            "position is connected with which. A bidirectional encoder such as BERT hides nothing that comes "
            "later: without padding that is a mask of zeros.",
            "マスクは、クエリ（行）がキー（列）を使ってよい場所では 0、いけない場所では −∞ です。exp をとると 1 と 0 に変わり、"
            "どの位置とどの位置がつながっているかを表します。BERT のような双方向のエンコーダーでは、後ろの位置も隠しません。パディングがなければ、すべて 0 のマスクと同じことです。",
        ),
        inputs=("M_all",),
        steps=("E_all",),
    ),
    Section(
        Words("Masks as connections: causal", "マスクとつながり：因果"),
        Words(
            "A decoder generates from left to right: row {i} keeps the first {i} columns.",
            "左から右へ生成するデコーダーでは、第 {i} 行に最初の {i} 列だけが残ります。",
        ),
        steps=("M_c", "E_c"),
    ),
    Section(
        Words("Masks as connections: padding", "マスクとつながり：パディング"),
        Words(
            "The last two positions only fill up the sentence. Their columns are hidden from every query; their "
            "rows stay, "
            "and are simply not used later on.",
            "最後の 2 つの位置は、長さをそろえるための詰め物です。その列はどのクエリからも隠します。行は残りますが、後で使わないだけです。",
        ),
        steps=("M_p", "E_p"),
    ),
    Section(
        Words("Masks as connections: both", "マスクとつながり：両方"),
        Words(
            "Both masks are added; hidden by one of them is hidden. Every row keeps at least one cell, as "
            "softmax needs.",
            "2 つのマスクを足します。どちらか一方でも隠していれば隠れます。どの行にも 1 つ以上のマスが残るので、Softmax を計算できます。",
        ),
        steps=("M_cp", "E_cp"),
        tables=(CELLS,),
        facts=(
            Fact(
                Words(
                    "The causal mask leaves 1 + 2 + 3 + 4 + 5 = {0} cells; in all there are {1} × {1} = {2}.",
                    "因果マスクが残すのは、{1} × {1} = {2} マスのうち 1 + 2 + 3 + 4 + 5 = {0} マスです。",
                ),
                (cells(CAUSAL)[0], POSITIONS, POSITIONS**2),
            ),
        ),
    ),
    Section(
        Words("LayerNorm, step by step", "LayerNorm：1 段階ずつ"),
        Words(
            "Each of the two rows of {h} is centered, then divided by its spread. {gamma} is 1 and {beta} is 0 "
            "here. The components "
            "of a result add up to 0.",
            "{h} の 2 つの行について、それぞれ中心を 0 に移してから、広がりで割ります。ここでは {gamma} は 1、{beta} は 0 です。"
            "結果の成分の合計は 0 になります。",
        ),
        inputs=("h",),
        steps=("mu_h", "Delta_h", "Sq_h", "Var_h", "sigma_h", "N_h"),
        exact=False,
    ),
    Section(
        Words("RMSNorm, step by step", "RMSNorm：1 段階ずつ"),
        Words(
            "RMSNorm leaves out the mean: it divides a row by the root of the mean of its squares. That is two "
            "steps less, "
            "and there is no shift {beta}. The components of a result need not add up to 0; the mean of their "
            "squares is just about 1. The "
            "mean of the second row is 0 already, so that there is nothing to subtract: in that row both norms agree.",
            "RMSNorm では平均を使わず、2 乗の平均の平方根で行を割るだけです。2 段階少なくなり、{beta} もありません。"
            "結果の合計は 0 とは限らず、2 乗の平均がほぼ 1 になります。2 行目の平均は初めから 0 で、引くものがありません。"
            "そのため、この行では 2 つの正規化が一致します。",
        ),
        steps=("Sq_r", "Mean_r", "sigma_r", "G_h"),
        exact=False,
        compare=(Comparison("N_h", Words("LayerNorm", "LayerNorm"), Words("RMSNorm", "RMSNorm"), "G_h"),),
    ),
    Section(
        Words("If every component grows by the same number", "すべての成分に同じ数を足したら"),
        Words(
            "10 is added to every component of {h}. LayerNorm subtracts it again with the mean, and its result "
            "does not change; "
            "that of RMSNorm does. Both would stay nearly the same if {h} were doubled. {N_h} is the result of LayerNorm, "
            "{G_h} that of RMSNorm.",
            "{h} のすべての成分に 10 を足します。LayerNorm では平均と一緒に引かれるので結果は変わりませんが、RMSNorm の結果は変わります。"
            "{h} を 2 倍した場合は、どちらの結果もほとんど変わりません。{N_h} は LayerNorm、{G_h} は RMSNorm の結果です。",
        ),
        values={h: [[x + 10 for x in row] for row in LINES]},
        compare=(
            Comparison("N_h", Words("as above", "元のまま"), Words("10 more", "10 を足す")),
            Comparison("G_h", Words("as above", "元のまま"), Words("10 more", "10 を足す")),
        ),
    ),
    Section(
        Words("Normalization after the sub-layer, or before it", "正規化はサブレイヤーの後か、前か"),
        Words(
            "The product with {W} stands for any sub-layer. After it (post-norm, the original paper): the sum "
            "{R_h} is normalized. "
            "Before it (pre-norm, GPT-2 and most models since): only what goes into the sub-layer is "
            "normalized, and the row itself is added "
            "unchanged. So a row tends to grow from layer to layer, and one more normalization follows the last layer.",
            "{W} との積がサブレイヤーの代わりです。後に置く場合（post-norm、原論文）は、和 {R_h} を正規化します。"
            "前に置く場合（pre-norm、GPT-2 やその後の多くのモデル）は、サブレイヤーへの入力だけを正規化し、行そのものはそのまま足します。"
            "そのため行は層を通るたびに大きくなりやすく、最後の層の後にもう 1 回正規化します。",
        ),
        inputs=("W",),
        steps=("R_h", "H_post", "H_pre"),
        exact=False,
    ),
)

derivation = derive(
    {
        "S": SCORES, "A": Softmax(SCORES), "Z": ADDITIVE, "T_4": STATES[-1], "Z_X": ATTENDED,
        "E_all": Exponential(OPEN), "M_c": CAUSAL, "E_c": Exponential(CAUSAL), "M_p": PADDING,
        "E_p": Exponential(PADDING), "M_cp": BOTH, "E_cp": Exponential(BOTH),
        "N_h": LayerNorm(h), "G_h": RMSNorm(h), "H_post": AFTER, "H_pre": BEFORE,
    },
    names=NAMES,
    title=Words("Other ways to do it", "ほかの方法"),
    labels={n_q: JAPANESE, KEYS: ENGLISH, TOKENS: FOUR, n: FIVE},
    sections=SECTIONS,
    stages=True,
    values={
        Q: [[1, 0], [0, 1]], K: [[1, 0, 1], [0, 1, 0], [-1, 1, 0]], V: [[1, 0], [0, 1], [2, 2]],
        W_a: [[1, 0], [1, -1]], U_a: [[0.5, 0], [0, 1], [0, 0.5]], v_a: [[2], [-1]],
        X: [[2, 0], [0, 1], [-1, 0], [1, 1]], T_0: [[0, 0]], U_h: [[0.5, 0], [0.5, 0.5]], U_x: [[1, 0], [0, 1]],
        OPEN: [[0] * POSITIONS] * POSITIONS,
        h: LINES, W: [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, -1], [0, 0, 0.5, 0]],
    },
)  # fmt: skip
