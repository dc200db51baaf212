"""Explainer, chapter 5: from the outputs of the heads to the output of an encoder layer, for one token.

The inputs are those of the chapter; every other number on the page is computed from them.
"""

from symtransformer import Comparison, Counts, Fact, Follow, Section, Words, derive, dimension, matrix
from symtransformer.operations import AddNorm, Concatenation, FeedForward, Linear, Standardization

n, d_model, d_ff = dimension("n"), dimension("d_model"), dimension("d_ff")

X = matrix("X", n, d_model)
Z_1, Z_2 = matrix("Z_1", n, 2), matrix("Z_2", n, 2)
W_O = matrix("W_O", 4, d_model)
W_1, b_1 = matrix("W_1", d_model, d_ff), matrix("b_1", d_ff, 1)
W_2, b_2 = matrix("W_2", d_ff, d_model), matrix("b_2", d_model, 1)

C = Concatenation(Z_1, Z_2)
attended = Linear(C, W_O)
H = AddNorm(X, attended)
G = FeedForward(H, W_1, b_1, W_2, b_2)
NORM = {"mu": "mu", "Delta": "D", "Sq": "Sq", "Var": "v", "sigma": "s"}


def parts_of_norm(total, mark):
    """The steps of one normalization, named after the sub-layer behind which it stands."""
    return {part: f"{name}_{mark}" for name, part in Standardization(total).stages().parts}


W, a = W_1 @ W_2, W_2.T @ b_1

FIRST_NORM = ("mu_A", "Delta_A", "Sq_A", "Var_A", "sigma_A", "H")
SECOND_NORM = ("mu_F", "Delta_F", "Sq_F", "Var_F", "sigma_F", "X_next")

derivation = derive(
    {
        "C": C,
        "O": attended,
        "R_A": X + attended,
        "H": H,
        "G": G,
        "R_F": H + G,
        "X_next": AddNorm(H, G),
        "L": Linear(Linear(H, W_1, b_1), W_2),
        "J": Linear(H, W, a),
    },
    names={
        **parts_of_norm(X + attended, "A"),
        **parts_of_norm(H + G, "F"),
        W: (
            "W",
            Words("One weight in place of two", "2 つの重みを 1 つにまとめる"),
            Words("The two weight matrices are multiplied.", "2 つの重み行列の積です。"),
        ),
        a: (
            "a",
            Words("One bias", "1 つにまとめたバイアス"),
            Words(
                "The first bias goes through the second weight matrix as well.",
                "1 つ目のバイアスにも 2 つ目の重み行列を掛けます。",
            ),
        ),
    },
    stages=True,
    title=Words("From the heads to the output of the layer", "ヘッドの出力からエンコーダー 1 層の出力まで"),
    labels={n: (Words("sleeps", "眠る"),)},
    follow=Follow("O", "column", 1),
    values={
        X: [[1, 0, 1, 0]],
        Z_1: [[1, 2]],
        Z_2: [[3, 4]],
        W_O: [[1, 0, 0, 0], [0, 1, 0, 1], [0, 0, 1, 0], [0, -0.5, 0, 0]],
        W_1: [[1, -1, 0, 0, 1, 0], [0, 0, 1, -1, 0, 1], [0, 0, 0, 0, 1, 1], [1, 1, 1, 1, 0, 0]],
        b_1: [[0], [0], [0], [0], [1], [-1]],
        W_2: [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0.5, 0, 1], [0, 0, 1, 0]],
        b_2: [[0], [0], [1], [0]],
    },
    sections=[
        Section(
            Words("What is given", "与えられているもの"),
            Words(
                "One token, sleeps, is followed through the rest of an encoder layer. Two heads have already worked "
                "out their outputs {Z_1} and {Z_2} for it, and {X} is the row with which it entered the layer. All "
                "numbers are chosen by hand for this page: they do not continue chapter 4, and they belong to no "
                "trained model.",
                "1 つのトークン「眠る」について、エンコーダー層の残りの計算を追います。2 つのヘッドの出力 {Z_1} と {Z_2} "
                "はすでに求まっていて、{X} は「眠る」が層に入ったときの行です。数値はこのページのために手で決めました。"
                "第 4 章の続きではなく、学習済みモデルの値でもありません。",
            ),
            inputs=("X", "Z_1", "Z_2"),
        ),
        Section(
            Words("Notation", "記法"),
            Words(
                "Concat writes matrices side by side; rowsum adds up each row; ⊙ multiplies entry by entry. "
                "broadcast repeats a column side by side as often as its second argument says, and divide divides each "
                "row of a matrix by the number of a column in that row. norm is the whole normalization, with the small "
                "number under the root as its second argument. A column of ones (in print a bold 1) times a transposed bias repeats the bias "
                "in every row. Component 2 of a row is followed: column 2 of {W_O} and {W_2}, row 2 of {W_1} and {W}.",
                "Concat は行列を横に並べ、rowsum は各行を合計し、⊙ は成分ごとに掛けます。broadcast は列を 2 つ目の引数の回数だけ横に並べ、"
                "divide は行列の各行を、同じ行にある列の数で割ります。norm は正規化全体を表し、2 つ目の引数は根号の中の小さな数です。"
                "1 を並べた列（印刷版では太字の 1）に、転置したバイアスを掛けると、バイアスが各行に繰り返されます。"
                "追うのは行の第 2 成分で、{W_O} と {W_2} では第 2 列、{W_1} と {W} では第 2 行に当たります。",
            ),
        ),
        Section(
            Words("Concatenation", "連結する"),
            Words(
                "The components of head 2 are placed behind those of head 1, so that the next product can use both.",
                "ヘッド 1 の成分の後ろにヘッド 2 の成分を置きます。これで、次の掛け算で両方を使えるようになります。",
            ),
            steps=("C",),
            facts=(
                Fact(
                    Words(
                        "{0} heads with {1} components each: {0} × {1} = {2} components.",
                        "{0} つのヘッドの成分が {1} 個ずつなので、{0} × {1} = {2} 成分になります。",
                    ),
                    (2, 2, 4),
                ),
            ),
        ),
        Section(
            Words("Output projection", "出力側の Linear"),
            Words(
                "Component {j} of {O} uses column {j} of {W_O} from top to bottom: every component of {C} is "
                "multiplied by the weight in its row, and the products are added up. All four components are made "
                "in this one way. Column 2 merely has two weights that are not 0, one for each head, so that "
                "component 2 of {O} mixes a number from either head. A real model learns these weights.",
                "{O} の第 {j} 成分には、{W_O} の第 {j} 列を上から順に使います。{C} の各成分に同じ番号の行の重みを掛け、"
                "全部足します。4 つの成分はどれもこの同じ手順で求めます。第 2 列には 0 でない重みがヘッドごとに 1 つずつあるので、"
                "{O} の第 2 成分では両方のヘッドの数が混ざります。実際のモデルでは、この重みを学習で決めます。",
            ),
            inputs=("W_O",),
            steps=("O",),
            entries=("O",),
        ),
        Section(
            Words("Add: the input of the layer comes back", "Add：層への入力を足す"),
            Words(
                "{X} went around the attention unchanged, and is now added to what the attention has made of it, "
                "component by component. This way around is called a residual connection: what the attention "
                "computes is a change to the row, not a replacement.",
                "{X} はアテンションを通らずに、そのまま取っておいたものです。これをアテンションの出力に、同じ番号の成分どうしで足します。"
                "この迂回路を残差接続と呼びます。アテンションが計算するのは行の置き換えではなく、行に加える変化だといえます。",
            ),
            steps=("R_A",),
        ),
        Section(
            Words("Norm: center and spread, in six steps", "Norm：中心と広がりを 6 段階でそろえる"),
            Words(
                "Only the components of this row take part, none of another token. Subtracting the mean centers the "
                "row at 0; dividing by its spread gives it a variance of just about 1. The small number under the "
                "root keeps the division possible for a row of equal components. Unlike softmax, normalization does "
                "not make the components add up to 1: their sum is 0. A learned factor {gamma} and a learned shift {beta} for "
                "each column usually follow. Every normalization has its own; they start at {gamma} = 1 and {beta} = 0, and on this page "
                "they stay there, so that they change nothing.",
                "使うのはこの行の成分だけで、ほかのトークンの数は使いません。平均を引くと行の中心が 0 になり、広がりで割ると分散が"
                "ほぼ 1 になります。根号の中の小さな数は、成分がすべて等しい行でも割り算ができるようにするためのものです。"
                "Softmax と違い、成分の合計は 1 ではなく 0 になります。このあと普通は、列ごとに学習した倍率 {gamma} を掛け、{beta} を足します。"
                "{gamma} と {beta} は正規化ごとに別々で、{gamma} = 1、{beta} = 0 から学習を始めます。"
                "このページではその値のままにしているので、結果は変わりません。",
            ),
            steps=FIRST_NORM,
            exact=False,
        ),
        Section(
            Words("Feed-forward network: the first Linear", "FFN：1 つ目の Linear"),
            Words(
                "From here on the attention is over, and {H} is what the feed-forward network reads. Its first weight "
                "matrix makes six numbers from the four, one for each column, and adds a bias to each. Six is a "
                "choice: a wider network can learn more, and costs more weights. The subscripts 1 and 2 number the "
                "two Linears of the network; they count neither heads nor layers.",
                "アテンションの計算はここまでで、{H} が FFN（フィードフォワードネットワーク）の入力になります。"
                "1 つ目の重み行列は、列ごとに 1 つの数を作るので、4 成分から 6 つの数ができます。それぞれにバイアスも足します。"
                "6 という次元は自由に選べます。次元を増やすほど複雑な変換を学習できますが、重みの数も増えます。"
                "添字の 1 と 2 は FFN の中の順番で、ヘッドや層の番号ではありません。",
            ),
            inputs=("W_1", "b_1"),
            steps=("P",),
            exact=False,
        ),
        Section(
            Words("ReLU: what is negative becomes 0", "ReLU：負の成分を 0 にする"),
            Words(
                "There are no weights in this step. Each component is looked at by itself.",
                "このステップに重みはなく、成分を 1 つずつ調べるだけです。",
            ),
            steps=("F",),
            exact=False,
            kept=("F",),
        ),
        Section(
            Words("Feed-forward network: the second Linear", "FFN：2 つ目の Linear"),
            Words(
                "All six numbers are used for each of the four components; it is not that four of the six are picked. "
                "The width has to be that of {H} again, since {H} is added next; the numbers themselves are new. "
                "The whole network has worked on one row only, and all tokens of a layer share it.",
                "4 つの成分のどれにも、6 つの数をすべて使います。6 つのうち 4 つを選ぶのではありません。次に {H} を足すので、"
                "次元は {H} と同じでなければなりませんが、数は新しい値です。"
                "FFN が使うのはこの 1 行だけで、同じ層のどのトークンにも同じ FFN を使います。",
            ),
            inputs=("W_2", "b_2"),
            steps=("G",),
            exact=False,
            tables=(
                Counts(
                    Words("Learned numbers of this feed-forward network", "この FFN が学習する数の個数"),
                    (Words("parameter", "パラメーター"), Words("numbers", "個数")),
                    (
                        (Words("weights of the first Linear", "1 つ目の Linear の重み"), d_model * d_ff),
                        (Words("bias of the first Linear", "1 つ目の Linear のバイアス"), d_ff),
                        (Words("weights of the second Linear", "2 つ目の Linear の重み"), d_ff * d_model),
                        (Words("bias of the second Linear", "2 つ目の Linear のバイアス"), d_model),
                    ),
                    Words("together", "合計"),
                ),
            ),
        ),
        Section(
            Words("Add: the input of the feed-forward network comes back", "Add：FFN への入力を足す"),
            Words(
                "What is added now is {H}, the input of the feed-forward network, not the input {X} of the layer.",
                "ここで足すのは FFN への入力 {H} です。層への入力 {X} ではありません。",
            ),
            steps=("R_F",),
            exact=False,
        ),
        Section(
            Words("Norm once more: the output of the layer", "もう一度 Norm：この層の出力"),
            Words(
                "The same six steps for the new row, with a mean and a spread of its own. The root is taken of the "
                "unrounded variance; the variance as it is shown can give a last digit that is off.",
                "新しい行に同じ 6 段階を行います。平均も広がりも、この行から計算し直します。"
                "平方根は丸める前の分散からとります。表示された分散からでは、最後の桁が合わないことがあります。",
            ),
            steps=SECOND_NORM,
            exact=False,
        ),
        Section(
            Words("Why ReLU stands between the two Linears", "2 つの Linear の間に ReLU を置く理由"),
            Words(
                "Without ReLU the second Linear would work on {P} itself; its bias {b_2} would then be added as before, "
                "and is left out here. The result is what one single Linear gives, with the weight {W} and the bias "
                "{a}: two Linears in a row, or a hundred, can do no more than one. ReLU is what prevents them "
                "from being merged.",
                "ReLU がなければ、2 つ目の Linear は {P} にそのまま掛かります（あとで足す {b_2} は同じなので、ここでは省きます）。"
                "その結果は、重み {W} とバイアス {a} を使う 1 つの Linear の結果と一致します。Linear だけなら、"
                "2 段でも 100 段でも、1 段でできること以上のことはできません。ReLU があるから、まとめられずに済みます。",
            ),
            steps=("L", "W", "a", "J"),
            exact=False,
            compare=(
                Comparison("L", Words("two Linears", "2 つの Linear"), Words("one Linear", "1 つの Linear"), "J"),
            ),
        ),
        Section(
            Words("The layer in three formulas", "この層を 3 つの式で書く"),
            Words(
                "With a row for each token: {O} = Concat({Z_1}, {Z_2}) {W_O}, {H} = LayerNorm({X} + {O}), and "
                "{X_next} = LayerNorm({H} + FFN({H})). Normalizing after each addition is the order of the original "
                "paper. Dropout is left out; it is used in training only, where it sets components to 0 at random, "
                "each with probability {p}, and divides the others by 1 − {p} to make up for it.",
                "全トークンを行に並べて書くと、{O} = Concat({Z_1}, {Z_2}) {W_O}、{H} = LayerNorm({X} + {O})、"
                "{X_next} = LayerNorm({H} + FFN({H})) です。足してから正規化するのは原論文の順序です。Dropout は省きました。"
                "学習のときだけ使い、各成分を確率 {p} でランダムに 0 にして、残った成分を 1 − {p} で割って埋め合わせる処理です。",
            ),
        ),
        Section(
            Words("Where the row goes next", "この行の行き先"),
            Words(
                "{X_next} is the row of sleeps in the next layer, which makes new queries, keys and values from it with "
                "weights of its own. Positions are not added again: they are added once for each stack, to the "
                "embeddings that enter the encoder, and likewise once to those that enter the decoder. The last "
                "encoder layer hands its rows to the decoder, where cross-attention makes keys and values from them.",
                "{X_next} は、次の層での「眠る」の行になります。次の層は自分の重みを使い、この行からクエリ・キー・バリューを作り直します。"
                "位置情報をもう一度足すことはありません。位置情報は、エンコーダーに入る埋め込みに 1 回、デコーダーに入る埋め込みにも "
                "1 回、それぞれ最初に足すだけです。最後のエンコーダー層の出力はデコーダーに渡され、クロスアテンションのキーとバリューの材料になります。",
            ),
            facts=(
                Fact(
                    Words(
                        "The base model of the paper stacks {0} encoder layers: after the first, {0} − 1 = {1} follow.",
                        "原論文のベースモデルはエンコーダーを {0} 層重ねます。1 層目の後は {0} − 1 = {1} 層です。",
                    ),
                    (6, 5),
                ),
            ),
            tables=(
                Counts(
                    Words("This page beside the base model of the paper", "このページと、原論文のベースモデル"),
                    (Words("components", "次元"), Words("here", "このページ"), Words("paper", "原論文")),
                    (
                        (Words("of a row", "1 行"), d_model, 512),
                        (Words("of one head (there are 2 and 8)", "1 ヘッド（ヘッド数は 2 と 8）"), 2, 64),
                        (Words("of all heads side by side", "全ヘッドを連結した行"), 2 * 2, 8 * 64),
                        (Words("inside the feed-forward network", "FFN の内側"), d_ff, 2048),
                    ),
                ),
            ),
        ),
    ],
)
