"""The geometry of attention: dot products, lengths and angles, scaling, saturation, masks, and what they connect.

The inputs are chosen by hand; every other number on the page is computed from them.
"""

from dataclasses import replace
from fractions import Fraction

from sympy import sqrt

from symtransformer import (
    Column,
    Counts,
    Fact,
    Section,
    Step,
    Sweep,
    Words,
    derive,
    dimension,
    matrix,
    parameter,
)
from symtransformer.operations import (
    AdditiveScores,
    CausalMask,
    CosineSimilarity,
    Hadamard,
    Mask,
    Ones,
    PaddingMask,
    RecurrentStep,
    RowSum,
    Softmax,
    SquareRoot,
)  # fmt: skip

m, d_k, n, u = (dimension(name) for name in ("m", "d_k", "n", "u"))
w = parameter("w")

# a query and three keys
Q, K = matrix("Q", 1, d_k), matrix("K", m, d_k)
R = Q @ K.T
COSINES = CosineSimilarity(Q, K)
LENGTHS = SquareRoot(RowSum(Hadamard(Q, Q))) @ SquareRoot(RowSum(Hadamard(K, K))).T
SCALED = R / sqrt(d_k)

# scores as they stand, and scores that are divided
H, L = matrix("H", 1, 4), matrix("L", 1, 3)
DIVIDED = L / sqrt(w)
WEIGHTS = Softmax(DIVIDED)
SLOPES = Hadamard(WEIGHTS, Ones(1, 3) - WEIGHTS)

# masks, for five positions with equal scores
G = matrix("G", n, n)
CAUSAL, PADDING = CausalMask(n), PaddingMask(n, n, 3)
MASKED = Softmax(Mask(G, CAUSAL))
BOTH = Softmax(Mask(Mask(G, CAUSAL), PADDING))

# a map of eight positions
X = matrix("X", u, 2)
MAP = Softmax(Mask((X @ X.T) / sqrt(2), CausalMask(u)))

# other ways to compare and to connect
W_a, U_a, v_a = matrix("W_a", d_k, 2), matrix("U_a", d_k, 2), matrix("v_a", 2, 1)
ADDITIVE = AdditiveScores(Q, K, W_a, U_a, v_a)
U_h, U_x = matrix("U_h", 1, 1), matrix("U_x", 1, 1)
T_0, I_1, I_2, I_3 = (matrix(name, 1, 1) for name in ("T_0", "I_1", "I_2", "I_3"))
T_1 = RecurrentStep(T_0, I_1, U_h, U_x)
T_2 = RecurrentStep(T_1, I_2, U_h, U_x)
T_3 = RecurrentStep(T_2, I_3, U_h, U_x)

KEYS = (Words("maki-e artist", "蒔絵師"), Words("carry", "運び"), Words("inkstone box", "硯箱"))


def usable(size):
    """Cells that a causal mask leaves."""
    return size * (size + 1) // 2


FIVE, EIGHT, LONG = 5, 8, 512
EXAMPLE = 20  # the factor between the two rows of scores

NAMES = {
    R: (
        "R",
        Words("Dot products", "内積"),
        Words(
            "The query times each key, component by component, added up.",
            "クエリと各キーについて、成分どうしを掛けて足します。",
        ),
    ),
    SCALED: (
        "S",
        Words("Scaled scores", "割った後の点数"),
        Words("Every score is divided by the square root of {d_k}.", "どの点数も {d_k} の平方根で割ります。"),
    ),
    Softmax(H): (
        "E",
        Words("Weights of the four scores", "4 つの点数の係数"),
        Words(
            "The largest score takes almost everything. Softmax accepts any numbers, also negative ones.",
            "最大の点数がほぼすべてを占めます。Softmax には負の数を含むどんな数でも入れられます。",
        ),
    ),
    DIVIDED: (
        "F",
        Words("Divided scores", "割った後の点数"),
        Words("Every score is divided by the square root of {w}.", "どの点数も {w} の平方根で割ります。"),
    ),
    WEIGHTS: (
        "P",
        Words("Their weights", "その係数"),
        Words("Softmax of the divided scores.", "割った後の点数の Softmax です。"),
    ),
    SLOPES: (
        "J",
        Words("How readily a weight responds to its own score", "自分の点数に対する係数の変わりやすさ"),
        Words(
            "The derivative of a weight {p} by its own score is {p} (1 − {p}). It is small where {p} is near 0, and where "
            "{p} is near 1.",
            "係数 {p} を自分の点数で微分すると {p} (1 − {p}) になります。これは {p} が 0 に近いときにも 1 に近いときにも小さく"
            "なります。",
        ),
    ),
    CAUSAL: (
        "M",
        Words("The causal mask", "因果マスク"),
        Words(
            "0 where a position may be used, −∞ where it lies in the future.",
            "使ってよい位置では 0、未来の位置では −∞ です。",
        ),
    ),
    Mask(G, CAUSAL): (
        "G_M",
        Words("Scores with the mask", "マスクを足した点数"),
        Words(
            "The mask is added after the division and before softmax.",
            "マスクは、割り算の後、Softmax の前に足します。",
        ),
    ),
    MASKED: (
        "Z",
        Words("Weights under the mask", "マスクをかけた係数"),
        Words(
            "Where the mask is −∞ the weight is exactly 0. Since all scores are equal here, row {i} shares its weight "
            "evenly among the {i} positions that it may use.",
            "マスクが −∞ の位置の係数はちょうど 0 です。ここでは点数がすべて等しいので、第 {i} 行の係数は、使える {i} 個の位置に"
            "均等に分かれます。",
        ),
    ),
    PADDING: (
        "M_p",
        Words("The padding mask", "パディングマスク"),
        Words(
            "The last two positions only fill up the row and may not be used by any query.",
            "最後の 2 つは長さをそろえるために埋めた位置で、どのクエリからも使えません。",
        ),
    ),
    BOTH: (
        "Z_p",
        Words("Weights under both masks", "両方のマスクをかけた係数"),
        Words(
            "Both masks are added. A position that either of them hides has the weight 0.",
            "2 つのマスクを両方とも足します。どちらか一方でも隠している位置の係数は 0 になります。",
        ),
    ),
    MAP: (
        "O",
        Words("A heat map of weights", "係数のヒートマップ"),
        Words("Row {i} holds the weights of query {i}.", "第 {i} 行はクエリ {i} の係数です。"),
    ),
    T_1: (
        "T_1",
        Words("State after the first token", "1 番目のトークンの後の状態"),
        Words("Made from the state before it and the first input.", "直前の状態と 1 番目の入力から作ります。"),
    ),
    T_2: (
        "T_2",
        Words("State after the second token", "2 番目のトークンの後の状態"),
        Words(
            "The first token is only there through the state before.",
            "1 番目のトークンは、直前の状態を通してしか残っていません。",
        ),
    ),
    T_3: (
        "T_3",
        Words("State after the third token", "3 番目のトークンの後の状態"),
        Words(
            "What is left of the first token has now passed through two steps.",
            "1 番目のトークンの影響は、ここまでに 2 段を通ってきました。",
        ),
    ),
}
SECTIONS = (
    Section(
        Words("A query and three keys", "1 つのクエリと 3 つのキー"),
        Words(
            "The query {Q} belongs to the word lacquerware; the rows of {K} are the keys of three other words. All "
            "vectors are set by hand, in three components; they are not those of a trained model.",
            "クエリ {Q} は「漆器」のもので、{K} の各行はほかの 3 つの語のキーです。ベクトルはどれも 3 成分で、手で決めた"
            "ものです。学習済みモデルの値ではありません。",
        ),
        inputs=("Q", "K"),
    ),
    Section(
        Words("Notation", "記法"),
        Words(
            "rowsum adds up each row. ⊙ multiplies two matrices entry by entry, ⊘ divides them so; roots and tanh act on every "
            "entry. causal and padding make masks of so many rows and columns; padding also takes the number of positions that "
            "are in use. Concat writes one column for each key side by side.",
            "rowsum は各行の合計です。⊙ は行列を成分ごとに掛け、⊘ は成分ごとに割ります。平方根と tanh も成分ごとに適用します。"
            "causal と padding はその行数・列数のマスクを作り、padding の 3 つ目の引数は使ってよい位置の数です。"
            "Concat はキーごとの列を横に並べます。",
        ),
    ),
    Section(
        Words("Dot products as scores", "内積を点数にする"),
        Words(
            "The score of a key is its dot product with the query. Here carry comes first and inkstone box last, "
            "although the text may well mean the inkstone box: vectors set by hand say nothing about meaning.",
            "キーの点数は、クエリとの内積です。ここでは「運び」が最も高く「硯箱」が最も低くなります。文章では「硯箱」を指す"
            "のかもしれませんが、手で決めたベクトルから意味はわかりません。",
        ),
        steps=("R",),
    ),
    Section(
        Words("Lengths and angles", "長さと角度"),
        Words(
            "A dot product is the product of both lengths and of the cosine of the angle between the vectors. So the "
            "size of a score grows with the length of a key, and a score is not a cosine; the division by the square root of {d_k} "
            "does not make it one, since it does not depend on the vectors.",
            "内積は、2 つのベクトルの長さと、間の角度の余弦を掛けたものです。そのため点数の絶対値はキーが長いほど大きくなり、点数は"
            "余弦とは異なります。{d_k} の平方根で割っても余弦にはなりません。割る数がベクトルによらないからです。",
        ),
        steps=("alpha", "beta", "N", "C", "D"),
    ),
    Section(
        Words("From scores to weights", "点数から係数へ"),
        Words(
            "Scores are divided by the square root of the number of components, and softmax makes weights of them. "
            "They add up to 1, and the largest score has the largest weight. They are shares in a sum of values, not "
            "probabilities that a word is meant.",
            "点数を次元の平方根で割り、Softmax で係数にします。係数の合計は 1 で、点数が最大のキーの係数が最大になります。"
            "係数はバリューを足すときの割合で、その語を指している確率ではありません。",
        ),
        steps=("S", "A"),
        percent=("A",),
    ),
    Section(
        Words("Scores far apart", "差の大きい点数"),
        Words(
            "Four scores that are not divided.",
            "割っていない 4 つの点数です。",
        ),
        inputs=("H",),
        steps=("E",),
    ),
    Section(
        Words("Saturation, and what the division does", "飽和と、割り算の効果"),
        Words(
            "The three scores {L} are too far apart. Taken as they are, the first weight is 1 in all digits shown, and "
            "the weights hardly react to their scores any more, that of the winner included. The table divides them by "
            "the square root of {w}: for fixed scores, the larger {w}, the closer they get, and the weights react again. "
            "The numbers above it are those for {w} equal to 400; 512 would divide by a little more. The width that "
            "counts is that of a head; with more than one head it is smaller than that of the model.",
            "3 つの点数 {L} は差が大きすぎます。そのままでは、最初の係数は表示した桁では 1 になり、1 位のものも含めて、どの係数も"
            "点数の変化にほとんど反応しません。表では {w} の平方根で割っています。点数を固定すると、{w} が大きいほど点数の差が縮まり、"
            "係数は再び反応するようになります。表の前に示した数値は {w} が 400 の場合です。512 なら、もう少し大きな数で割ることに"
            "なります。なお、割るのに使うのはヘッドの次元で、ヘッドが 2 つ以上ならモデル全体の次元より小さい数です。",
        ),
        inputs=("L",),
        steps=("F", "P", "J"),
        sweep=Sweep(
            w,
            (1, 64, 400, 512),
            (
                Column("F", 0, 0),
                Column("F", 0, 1),
                Column("F", 0, 2),
                Column("P", 0, 0),
                Column("P", 0, 1),
                Column("P", 0, 2),
                Column("J", 0, 0),
                Column("J", 0, 1),
                Column("J", 0, 2),
            ),
        ),
        facts=(
            Fact(
                Words(
                    "A model of {2} components with {0} heads has {1} components in each head: {0} × {1} = {2}.",
                    "{2} 次元のモデルでヘッドが {0} 個なら、各ヘッドは {1} 次元です。{0} × {1} = {2} となります。",
                ),
                (8, 64, 512),
            ),
            Fact(
                Words(
                    "Divided by {0}, the scores are {1}, {2} and {3}: {0} × {0} = {4}.",
                    "{0} で割ると、点数は {1}、{2}、{3} になります。{0} × {0} = {4} です。",
                ),
                (EXAMPLE, Fraction(100, EXAMPLE), Fraction(50, EXAMPLE), Fraction(40, EXAMPLE), EXAMPLE**2),
            ),
        ),
    ),
    Section(
        Words("The causal mask", "因果マスク"),
        Words(
            "Five positions. When text is generated, a position may only use itself and what stands before it. Row 5 "
            "of the weights belongs to the fifth input token: it uses positions 1 to 5, and what is made from it "
            "predicts the sixth token. While the fifth token is being predicted it is not yet an input, and the last "
            "row is the fourth.",
            "位置が 5 つあるとします。文章を生成するとき、各位置から使えるのは自分自身とそれより前だけです。係数の第 5 行は "
            "5 番目の入力トークンのもので、位置 1〜5 を使い、その結果から 6 番目のトークンを予測します。5 番目のトークンを"
            "予測している段階では、それはまだ入力になく、最後の行は第 4 行です。",
        ),
        inputs=("G",),
        steps=("M", "G_M", "Z"),
        usable=("M",),
    ),
    Section(
        Words("Padding", "パディング"),
        Words(
            "Rows of different lengths are filled up to a common one. The filled positions are hidden by a mask of "
            "their own.",
            "長さの異なる文は、そろえるために後ろを埋めます。埋めた位置は、別のマスクで隠します。",
        ),
        steps=("M_p", "Z_p"),
        usable=("M_p",),
    ),
    Section(
        Words("Who is connected with whom", "どの位置とどの位置がつながるか"),
        Words(
            "Without a mask every position is connected with every other; with the causal mask only with itself and "
            "earlier ones. The number of scores is the square of the number of positions.",
            "マスクがなければ、どの位置も全部の位置とつながります。因果マスクがあると、つながるのは自分自身と前の位置だけです。"
            "点数の個数は位置の数の 2 乗です。",
        ),
        tables=(
            Counts(
                Words("Cells of the score matrix", "点数の行列のマスの数"),
                (
                    Words("positions", "位置の数"),
                    Words("all cells", "全体"),
                    Words("usable", "使える"),
                    Words("hidden", "隠す"),
                ),
                tuple((k, k**2, usable(k), k**2 - usable(k)) for k in (FIVE, EIGHT, LONG)),
            ),
        ),
        facts=(
            Fact(
                Words(
                    "For {0} positions: {1} + {2} = {0} × {0} cells.",
                    "位置が {0} 個なら {1} + {2} = {0} × {0} マスです。",
                ),
                (FIVE, usable(FIVE), FIVE**2 - usable(FIVE)),
            ),
        ),
    ),
    Section(
        Words("A heat map of eight positions", "8 つの位置のヒートマップ"),
        Words(
            "Weights are often drawn as a heat map: rows are queries, columns are keys, and dark cells are large weights. "
            "Here the rows of {X} are queries and keys at once: {O} is softmax of {X} times its transpose, divided by the "
            "square root of 2, with the causal mask added. A dark diagonal means that positions attend to themselves. One map shows one head of one layer for one "
            "input; it does not explain why a model answered as it did.",
            "係数はよくヒートマップで表します。行がクエリ、列がキーで、濃いマスほど係数が大きいことを表します。ここでは {X} の行が"
            "クエリとキーを兼ねます。{X} とその転置の積を 2 の平方根で割り、因果マスクを足して Softmax を適用したものが {O} です。対角線が濃ければ、"
            "各位置が自分自身に注目しています。1 枚のヒートマップが示すのは、1 つの入力に対する 1 つの層の 1 つのヘッドだけで、モデルが"
            "なぜそう答えたかを説明するものではありません。",
        ),
        inputs=("X",),
        heat=("O",),
    ),
    Section(
        Words("Another way to compare: additive attention", "もう 1 つの比べ方：加法的なアテンション"),
        Words(
            "The dot product is a convenient choice, not the only one. Additive attention adds a query and a key, each "
            "multiplied by a weight of its own, and turns the result into one number with tanh and a vector. In theory "
            "it costs about the same; the dot product is faster in practice, since all scores are one product of "
            "matrices.",
            "内積は便利な方法ですが、これだけではありません。加法的なアテンションでは、クエリとキーにそれぞれの重みを掛けて足し、"
            "tanh とベクトルで 1 つの数にします。計算量は理論上ほぼ同じですが、内積ではすべての点数を 1 回の行列の積で求められる"
            "ので、実際には速くなります。",
        ),
        inputs=("W_a", "U_a", "v_a"),
        steps=("B", "Y"),
    ),
    Section(
        Words("How far apart two positions are", "2 つの位置の間の距離"),
        Words(
            "In a recurrent network what is known of the first token is handed on from state to state. Here one "
            "input of 1 is followed by two of 0, and every state passes on through the same weight. With attention, a "
            "query reaches every key that it may use in a single step.",
            "再帰型ネットワーク（RNN）では、最初のトークンの情報は状態から状態へ受け渡されます。ここでは 1 の入力の後に 0 が "
            "2 つ続き、どの状態も同じ重みを通って次へ渡されます。アテンションでは、クエリは使ってよいどのキーにも 1 段で届きます。",
        ),
        inputs=("T_0", "I_1", "I_2", "I_3", "U_h", "U_x"),
        steps=("T_1", "T_2", "T_3"),
        tables=(
            Counts(
                Words("Steps from the first position to the last", "最初の位置から最後の位置までの段数"),
                (Words("positions", "位置の数"), Words("recurrent", "RNN"), Words("attention", "アテンション")),
                tuple((k, k - 1, 1) for k in (FIVE, EIGHT, 100)),
            ),
        ),
    ),
)

unfolded = derive(
    {
        "R": R, "C": COSINES, "A": Softmax(SCALED), "E": Softmax(H), "P": WEIGHTS, "J": SLOPES, "M": CAUSAL, "Z": MASKED,
        "M_p": PADDING, "Z_p": BOTH, "O": MAP, "Y": ADDITIVE, "T_3": T_3,
    },
    names=NAMES,
    title=Words("The geometry of attention", "アテンションの幾何学"),
    labels={m: KEYS},
    values={
        Q: [[0.8, 0.2, 0.7]],
        K: [[0.2, 0.8, 0.3], [0.3, 0.7, 0.4], [0.1, 0.9, 0.2]],
        H: [[3.5, -2.1, 8.7, 0.3]],
        L: [[100, 50, 40]],
        w: EXAMPLE**2,
        G: [[1] * FIVE] * FIVE,
        X: [[1, 0], [0, 1], [1, 1], [2, 0], [0, 1], [1, 2], [2, 1], [0, 2]],
        W_a: [[1, 0], [0, 1], [1, 1]],
        U_a: [[0, 1], [1, 0], [0, 0]],
        v_a: [[1], [2]],
        T_0: [[0]],
        I_1: [[1]],
        I_2: [[0]],
        I_3: [[0]],
        U_h: [[0.5]],
        U_x: [[1]],
    },
    sections=SECTIONS,
)  # fmt: skip
back = Step(
    matrix("D", 1, m),
    R,
    Hadamard(COSINES, LENGTHS),
    Words("Lengths times cosine", "長さと余弦の積"),
    Words(
        "The cosines times the products of the lengths are the dot products again.",
        "余弦に長さの積を掛けると、内積に戻ります。",
    ),
    coarse=Hadamard(unfolded["C"].letter, unfolded["N"].letter),
)
derivation = replace(unfolded, steps=(*unfolded.steps, back))
