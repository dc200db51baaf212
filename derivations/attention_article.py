"""What an article on self-attention works out by hand, with every number computed and what needs it set right.

The inputs are chosen by hand; every other number on the page is computed from them.
"""

from fractions import Fraction

from sympy import pi, sqrt

from symtransformer import (
    Column,
    Counts,
    Derivation,
    Fact,
    Section,
    Step,
    Sweep,
    Words,
    derive,
    dimension,
    matrix,
    parameter,
)  # fmt: skip
from symtransformer.operations import (
    GELU,
    CosineSimilarity,
    EntryDivision,
    Exponential,
    FeedForward,
    GELUTanh,
    Hadamard,
    InfoNCE,
    KeyValueMemory,
    Logarithm,
    NormalDistribution,
    Ones,
    ReLU,
    RotaryEmbedding,
    Softmax,
    TemperatureSoftmax,
)  # fmt: skip

m = dimension("m")
tau, p = parameter("tau"), parameter("p")

S, V = matrix("S", 1, m), matrix("V", m, 2)  # three scores, three values
X = matrix("X", 1, 5)  # places at which activations are compared
P_h, P_l, D_i = matrix("P_h", 1, 3), matrix("P_l", 1, 3), matrix("D_i", 3, 2)  # two printed rows of weights
N_h, N_l = matrix("N_h", 1, 2), matrix("N_l", 1, 2)  # ratios of neighbors that rounding just leaves open
B_s = matrix("B_s", 1, 4)  # similarities of a pair of rows that fits
E_s, Y_s = matrix("E_s", 1, 4), matrix("Y_s", 1, 4)  # similarities, and which of them is the positive
Q, K = matrix("Q", 1, 2), matrix("K", 1, 2)  # a query and a key that are turned
X_m, W_1, W_2 = matrix("X_m", 1, 2), matrix("W_1", 2, 3), matrix("W_2", 3, 2)  # a small memory
b_1, b_2 = matrix("b_1", 3, 1), matrix("b_2", 2, 1)
T = matrix("T", 2, 2)  # a vector and a longer one

HIGH = (Fraction(32, 100), Fraction(30, 100), Fraction(22, 100))
LOW = (Fraction(70, 100), Fraction(26, 100), Fraction(3, 100))
HALF = Fraction(5, 1000)  # half a unit of the last digit printed
MODEL, HEADS, INNER = 2048, 16, 8192
WIDTH = MODEL // HEADS


def defined(name, expression, title, explanation, coarse=None):
    """A step that only says what its letter is made from, in the words of this page."""
    return Step(matrix(name, *expression.shape), expression, expression, title, explanation, coarse)


def least(first, second):
    """The smallest ratio of two printed numbers that rounding allows."""
    return (first - HALF) / (second + HALF)


def largest(first, second):
    return (first + HALF) / (second - HALF)


SOFTMAX = derive({"Z": Softmax(S) @ V}, names={Softmax(S): "A"}, stages=True).steps
PHI, GELU_ROW = NormalDistribution(X), GELU(X)
MEMORY, NETWORK = KeyValueMemory(X_m, W_1, b_1, W_2, b_2), FeedForward(X_m, W_1, b_1, W_2, b_2)
L, G, phi = (matrix(name, 1, 5) for name in ("L", "G", "phi"))

ACTIVATIONS = (
    defined(
        "R",
        ReLU(X),
        Words("ReLU", "ReLU"),
        Words("Negative entries become 0, the others stay.", "負の成分を 0 にし、ほかはそのままにします。"),
    ),
    defined(
        "L",
        PHI,
        Words("The normal distribution", "標準正規分布"),
        Words(
            "For each entry {x}, {Phi} gives the probability that a standard normal number is at most {x}. It is not the "
            "probability that {x} is positive: {x} is given, and nothing about it is random.",
            "{Phi} は、各成分 {x} について、標準正規分布に従う数が {x} 以下になる確率です。{x} が正である確率ではありません。"
            "{x} は与えられた数で、ランダムではありません。",
        ),
    ),
    Step(
        G,
        Hadamard(X, L),
        GELU_ROW,
        Words("GELU", "GELU"),
        Words("Each number times its {Phi}.", "各数に、その {Phi} を掛けます。"),
        coarse=GELU_ROW,
    ),
    defined(
        "H",
        GELUTanh(X),
        Words("The form with tanh", "tanh を使う形"),
        Words(
            "A formula that many programs use. For these five numbers it agrees with GELU in two decimals, but it is a "
            "different function.",
            "多くのプログラムで使われる式です。この 5 つの数では小数第 2 位まで GELU と同じ値になりますが、別の関数です。",
        ),
    ),
    defined(
        "phi",
        Exponential(-1 * Hadamard(X, X) / 2) / sqrt(2 * pi),
        Words("The density of the normal distribution", "標準正規分布の密度"),
        Words("The derivative of {Phi}.", "{Phi} の導関数です。"),
    ),
    Step(
        matrix("D", 1, 5),
        L + Hadamard(X, phi),
        GELU_ROW.vjp(Ones(1, 5))[0],
        Words("The slope of GELU", "GELU の傾き"),
        Words(
            "The derivative of {x} times {Phi}, by the product rule.",
            "{x} と {Phi} の積を、積の微分法で微分したものです。",
        ),
    ),
)
TEMPERATURES = (
    defined(
        "K_i",
        EntryDivision(Logarithm(P_l) @ D_i, Logarithm(P_h) @ D_i),
        Words("Ratio of the temperatures, from each pair of neighbors", "隣り合う 2 項から求めた温度の比"),
        Words(
            "{D_i} takes the differences of neighboring logarithms. For two rows from the same similarities both "
            "numbers would be the same.",
            "{D_i} は、隣り合う対数の差をとるための行列です。同じ類似度から作った 2 つの行なら、2 つの数は等しくなるはずです。",
        ),
    ),
    defined(
        "K_b",
        EntryDivision(Logarithm(N_l), Logarithm(N_h)),
        Words("What rounding leaves open", "丸めを考えに入れた範囲"),
        Words(
            "The first number is the smallest ratio that the first pair allows, the second is the largest that the "
            "second pair allows, with every printed number moved by half a unit of its last digit.",
            "表示された数をそれぞれ最後の桁の半分だけ動かしたときに、1 つ目の組から許される比の最小値と、2 つ目の組から"
            "許される比の最大値です。",
        ),
    ),
    defined(
        "F",
        TemperatureSoftmax(B_s, tau),
        Words("A pair that fits", "つじつまの合う組"),
        Words(
            "Here {tau} is 1; the table adds a lower temperature, which sharpens the row.",
            "ここでは {tau} を 1 とします。表にはもっと低い温度の行も示しました。温度を下げると偏りが強くなります。",
        ),
    ),
)
LOSS = defined(
    "J",
    InfoNCE(E_s, Y_s, tau),
    Words("The loss", "損失"),
    Words(
        "Minus the logarithm of the probability that softmax gives to the positive, here for {tau} equal to 1.",
        "Softmax で求めた正例の確率の対数に負号を付けます。ここでは {tau} を 1 とします。",
    ),
)
TURNED = defined(
    "O",
    RotaryEmbedding(Q, start=p + 2) @ RotaryEmbedding(K, start=p).T,
    Words("The score of the turned vectors", "回転したベクトルの点数"),
    Words(
        "The query stands two positions behind the key, at {p} + 2 and {p}; here {p} is 3.",
        "クエリの位置は {p} + 2、キーの位置は {p} で、クエリが 2 つ後ろにあります。ここでは {p} は 3 です。",
    ),
)
REMEMBERED = (
    defined(
        "N",
        NETWORK,
        Words("The network", "ネットワーク"),
        Words("Two linear maps with ReLU in between.", "2 つの Linear の間に ReLU をはさんだものです。"),
    ),
    Step(
        matrix("M", 1, 2),
        MEMORY,
        NETWORK,
        Words("The same as a memory", "記憶として書いた同じもの"),
        Words(
            "Each hidden unit compares the input with its key and contributes its value, as far as ReLU lets it "
            "through.",
            "各隠れユニットは、入力を自分のキーと比べ、ReLU を通った分だけ自分のバリューを足します。",
        ),
        coarse=matrix("N", 1, 2),
    ),
)
COMPARED = (
    defined(
        "T_d",
        T @ T.T,
        Words("All dot products", "すべての内積"),
        Words(
            "Row 1 belongs to the short vector: its product with the longer one is larger than that with itself.",
            "第 1 行は短いベクトルのものです。自分自身との内積より、長いベクトルとの内積の方が大きくなっています。",
        ),
    ),
    defined(
        "T_c",
        CosineSimilarity(T, T),
        Words("All cosines", "すべての余弦"),
        Words("Both point in the same direction.", "2 つは同じ向きです。"),
    ),
)
NOTATION = Section(
    Words("Notation", "記法"),
    Words(
        "⊙ multiplies two matrices entry by entry, ⊘ divides them so; log and {Phi} act on every entry. rowsum adds up "
        "each row. FFN and KeyValueMemory take an input, a weight, a bias, a weight, a bias and the activation. "
        "TemperatureSoftmax is softmax of the scores divided by its last argument. InfoNCE takes similarities, "
        "targets and a temperature; mean says that losses are averaged over the rows. rotate takes rows, the "
        "position of the first one, the base of the angles, and which components form a pair (interleaved: "
        "neighbors). CosineSimilarity compares every row of its first argument with every row of its second.",
        "⊙ は行列を成分ごとに掛け、⊘ は成分ごとに割ります。log と {Phi} も成分ごとに適用します。rowsum は各行の合計です。"
        "FFN と KeyValueMemory の引数は、入力、重み、バイアス、重み、バイアス、活性化関数の順です。"
        "TemperatureSoftmax は、点数を最後の引数で割ってから Softmax を適用します。InfoNCE の引数は類似度、正例の印、温度で、"
        "mean は損失を行について平均することを表します。rotate の引数は、行、最初の行の位置、角度の底、ペアの作り方です"
        "（interleaved は隣どうしのペア）。CosineSimilarity は、1 つ目の各行を 2 つ目の各行と比べます。",
    ),
)
SECTIONS = (
    NOTATION,
    Section(
        Words("Weights by hand", "係数を手で計算する"),
        Words(
            "Three scores and the first two components of three values. The scores go into the exponential as they "
            "are, so the division by the square root of the width has already been done. Every token keeps some "
            "weight, since no exponential is 0; only a mask makes a weight exactly 0.",
            "3 つの点数と、3 つのバリューの先頭 2 成分です。点数はそのまま指数関数に入れるので、次元の平方根で割る計算は済んでいるもの"
            "とします。指数関数は 0 にならないので、どのトークンの係数も 0 より大きくなります。ちょうど 0 になるのはマスクを使った"
            "ときだけです。",
        ),
        inputs=("S", "V"),
        steps=("U", "c", "A", "Z"),
        percent=("A",),
    ),
    Section(
        Words("What is linear here", "どこが線形か"),
        Words(
            "For given weights the output is a linear combination of the values. It is not linear in the input "
            "vectors, because the weights are made from them by products and exponentials. Without information on "
            "positions, and without a mask, attention of the rows in another order gives the same rows in that order; "
            "the proof has a page of its own. So attention alone cannot tell who chased whom.",
            "係数を固定すれば、出力はバリューの線形結合です。しかし入力のベクトルについては線形ではありません。係数が入力から積と指数関数で"
            "作られるからです。また、位置の情報もマスクもなければ、行を並べ替えたときの出力は、もとの出力の行を同じように並べ替えた"
            "ものになります（証明は別のページにあります）。そのため、アテンションだけでは「だれがだれを追いかけたか」を区別できません。",
        ),
    ),
    Section(
        Words("Sizes", "行数と列数"),
        Words(
            "A model with one wide projection for the queries of all heads. Scores are divided by the square root of "
            "the width of a head, not of the model.",
            "全ヘッドのクエリを 1 つの幅の広い射影で作るモデルです。点数は、モデル全体の次元ではなくヘッドの次元の平方根で割ります。",
        ),
        facts=(
            Fact(
                Words(
                    "{0} heads with {1} components each make {0} × {1} = {2}.",
                    "{1} 次元のヘッドが {0} 個で {0} × {1} = {2} 次元です。",
                ),
                (HEADS, WIDTH, MODEL),
            ),
            Fact(
                Words(
                    "The inner width of the feed-forward network is {0} × {1} = {2}.",
                    "FFN の内側の次元は {0} × {1} = {2} です。",
                ),
                (INNER // MODEL, MODEL, INNER),
            ),
            Fact(
                Words(
                    "Each of its two weights has {0} × {1} = {2} entries; the biases have {1} and {0}.",
                    "FFN の 2 つの重みの成分は、それぞれ {0} × {1} = {2} 個です。バイアスの成分は {1} 個と {0} 個です。",
                ),
                (MODEL, INNER, MODEL * INNER),
            ),
            Fact(
                Words(
                    "Dividing by the square root of {2} instead of that of {1} would make scores {0} times smaller: "
                    "{0} × {0} × {1} = {2}.",
                    "{1} の平方根の代わりに {2} の平方根で割ると、点数は {0} 分の 1 になってしまいます。{0} × {0} × {1} = {2} です。",
                ),
                (sqrt(MODEL // WIDTH), WIDTH, MODEL),
            ),
        ),
        tables=(
            Counts(
                Words("Columns of the heads", "ヘッドに当たる列"),
                (
                    Words("head", "ヘッド"),
                    Words("first column", "最初の列"),
                    Words("last column", "最後の列"),
                    Words("first, counted from 0", "最初（0 から数えて）"),
                    Words("last, counted from 0", "最後（0 から数えて）"),
                ),
                tuple(
                    (head, (head - 1) * WIDTH + 1, head * WIDTH, (head - 1) * WIDTH, head * WIDTH - 1)
                    for head in (1, 2, HEADS)
                ),
            ),
        ),
    ),
    Section(
        Words("ReLU and GELU", "ReLU と GELU"),
        Words(
            "Both keep large positive numbers and bring negative ones near 0. ReLU has a corner at 0, GELU is smooth. "
            "Its slope is not positive everywhere: at −1 and −2 it is negative, since GELU, seen from the far left, "
            "first falls from near 0 to its lowest value and then rises.",
            "どちらも大きな正の数はほぼそのまま残し、負の数は 0 に近づけます。ReLU は 0 で折れ曲がり、GELU はなめらかです。GELU の"
            "傾きはいつも正とは限りません。左から見ると、0 の近くからいったん最小値まで下がり、そこから上がるので、−1 と −2 では"
            "傾きが負です。",
        ),
        inputs=("X",),
        steps=("R", "L", "G", "H", "phi", "D"),
        kept=("R",),
    ),
    Section(
        Words("A network as a memory", "記憶としての FFN"),
        Words(
            "With row vectors, {X_m} {W_1} compares the input with the columns of {W_1}: they are the keys. The result "
            "is multiplied by {W_2}, whose rows are added up: they are the values. (With column vectors it would be "
            "rows and columns.) A unit with a positive "
            "bias responds more readily, one with a negative bias less so.",
            "行ベクトルの書き方では、{X_m} {W_1} は入力を {W_1} の列と比べる計算なので、列がキーです。それに {W_2} を掛けると "
            "{W_2} の行が足されるので、行がバリューです（列ベクトルで書けば行と列が入れ替わります）。バイアスが正ならユニットは反応しやすく、"
            "負なら反応しにくくなります。",
        ),
        inputs=("X_m", "W_1", "b_1", "W_2", "b_2"),
        steps=("N", "M"),
    ),
    Section(
        Words("Two rows that do not fit together", "つじつまの合わない 2 つの行"),
        Words(
            "The rows {P_h} and {P_l} are meant to be the same similarities at a high and at a low temperature; only "
            "the first three entries are shown. The ratio of two weights at one temperature is a power of their ratio "
            "at another, with the ratio of the temperatures as exponent. So each pair of neighbors gives that "
            "exponent, and all must agree. They do not, even allowing for the rounding of every number.",
            "行 {P_h} と {P_l} は、同じ類似度から高い温度と低い温度で作ったものとされています（ここでは先頭の 3 項だけを使います）。"
            "2 つの係数の比は、別の温度では元の比の累乗になり、指数は温度の比です。したがって、隣り合う 2 項のどの組からも"
            "同じ指数が求まるはずです。ところが、数が丸められていることを考えに入れても一致しません。",
        ),
        inputs=("P_h", "P_l", "D_i"),
        steps=("K_i",),
    ),
    Section(
        Words("Not even with rounding", "丸めを考えに入れても"),
        Words(
            "{N_h} and {N_l} hold the ratios at the edge of what rounding allows. The temperatures would have to "
            "differ by at least the first number and by at most the second, which is smaller.",
            "{N_h} と {N_l} は、丸めを考えに入れて許される限界の比です。温度の比は 1 つ目の数以上、かつ 2 つ目の数以下でなければ"
            "なりませんが、2 つ目の数の方が小さくなっています。",
        ),
        inputs=("N_h", "N_l"),
        steps=("K_b",),
    ),
    Section(
        Words("A pair that fits", "つじつまの合う組"),
        Words(
            "The similarities {B_s} give, at a temperature of one tenth, the second row in two decimals; the table shows the "
            "row at a temperature of 1 that belongs to it. Rounded entries need not add up to 1 exactly.",
            "類似度 {B_s} からは、温度 1/10 で小数第 2 位まで 2 つ目の行と同じ値が得られます。表には、これに対応する温度 1 の行も"
            "示しました。丸めた値の合計は 1 になるとは限りません。",
        ),
        inputs=("B_s",),
        steps=("F",),
        sweep=Sweep(tau, (1, Fraction(1, 10)), tuple(Column("F", 0, j, places=2) for j in range(4))),
    ),
    Section(
        Words("InfoNCE", "InfoNCE"),
        Words(
            "A query is compared with four documents; {Y_s} marks the positive, which has to be said, since the loss "
            "depends on it. A lower temperature makes the largest similarities count more.",
            "クエリを 4 つの文書と比べます。{Y_s} は正例の印です。どれが正例かによって損失が変わるので、明示する必要があります。"
            "温度を下げると、類似度の大きい文書の影響が強くなります。",
        ),
        inputs=("E_s", "Y_s"),
        steps=("J",),
        sweep=Sweep(tau, (1, Fraction(1, 10)), (Column("J", 0, 0),)),
    ),
    Section(
        Words("Rotary positions", "RoPE"),
        Words(
            "A query and a key in two components are turned by their positions, in radians, before the dot product; "
            "the values are not turned. The position enters here and nowhere else. The score is the same wherever the "
            "two stand, as long as the query stands two positions behind the key.",
            "2 成分のクエリとキーを、内積をとる前にそれぞれの位置（ラジアン）だけ回します。バリューは回しません。位置の情報が入るのはここだけ"
            "です。クエリがキーより 2 つ後ろにあれば、どこにあっても点数は同じになります。",
        ),
        inputs=("Q", "K"),
        steps=("O",),
        sweep=Sweep(p, (0, 3, 10), (Column("O", 0, 0),)),
    ),
    Section(
        Words("Longer neighbors", "長いベクトル"),
        Words(
            "A dot product does not always make a vector most similar to itself. It does for vectors of equal length, and "
            "so does the cosine; other vectors may tie with it.",
            "内積では、自分自身との値がいつも最大になるとは限りません。長さの等しいベクトルどうしなら最大で、余弦ならいつも最大です"
            "（ほかのベクトルと同点になることはあります）。",
        ),
        inputs=("T",),
        steps=("T_d", "T_c"),
    ),
    Section(
        Words("How much fits into 128 components", "128 成分で区別できるもの"),
        Words(
            "There are many ways to choose the signs of 128 components. Real vectors are not limited to signs, so this "
            "is no count of directions; and the number is far below that of the atoms in the observable universe, "
            "which is put at about 10 to the power 80.",
            "128 個の成分の符号の選び方はたくさんあります。実数のベクトルは符号だけで決まるわけではないので、これは向きの数では"
            "ありません。また、この数は、観測可能な宇宙にある原子の数（およそ 10 の 80 乗とされます）よりはるかに小さな数です。",
        ),
        facts=(
            Fact(
                Words(
                    "2 to the power {0} is {1}, a number of {2} digits.",
                    "2 の {0} 乗は {1} で、{2} 桁の数です。",
                ),
                (WIDTH, 2**WIDTH, len(str(2**WIDTH))),
            ),
        ),
    ),
)

derivation = Derivation(
    steps=(*SOFTMAX, *ACTIVATIONS, *TEMPERATURES, LOSS, TURNED, *REMEMBERED, *COMPARED),
    title=Words("Self-attention by hand, and some remarks", "セルフアテンションの手計算と補足"),
    values=tuple(
        {
            S: [[2.1, 0.5, -0.3]],
            V: [[0.2, 0.8], [0.5, 0.3], [0.1, 0.6]],
            X: [[-2, -1, 0, 1, 2]],
            P_h: [HIGH],
            P_l: [LOW],
            D_i: [[1, 0], [-1, 1], [0, -1]],
            N_h: [[largest(HIGH[0], HIGH[1]), least(HIGH[1], HIGH[2])]],
            N_l: [[least(LOW[0], LOW[1]), largest(LOW[1], LOW[2])]],
            B_s: [[0.9, 0.8011, 0.5924, 0.2443]],
            E_s: [[0.9, 0.7, 0.4, 0.1]],
            Y_s: [[1, 0, 0, 0]],
            tau: 1,
            p: 3,
            Q: [[1, 2]],
            K: [[3, -1]],
            X_m: [[1, 2]],
            W_1: [[1, 0, -1], [0, 1, -1]],
            b_1: [[0], [-1], [1]],
            W_2: [[1, 2], [3, 0], [0, 5]],
            b_2: [[0], [1]],
            T: [[1, 0], [2, 0]],
        }.items()
    ),
    sections=SECTIONS,
)
