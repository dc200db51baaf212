"""Explainer, chapter 6: the two attentions of a decoder layer, followed through the row of one token.

The inputs are those of the chapter; every other number on the page is computed from them.
"""

from symtransformer import Comparison, Counts, Fact, Follow, Section, Words, derive, dimension, matrix
from symtransformer.operations import (
    AddNorm,
    Broadcast,
    CausalMask,
    CrossAttention,
    Exponential,
    Hadamard,
    Linear,
    Mask,
    Row,
    SingleHead,
    Softmax,
    Standardization,
)  # fmt: skip

n, m, d_model, d_k, d_v = (dimension(name) for name in ("n", "m", "d_model", "d_k", "d_v"))
NEKO = 1  # the row that is followed, counted from 0

X, H_enc = matrix("X", n, d_model), matrix("H_enc", m, d_model)
W_Q, W_K, W_V = matrix("W_Q", d_model, d_k), matrix("W_K", d_model, d_k), matrix("W_V", d_model, d_v)
W_O = matrix("W_O", d_v, d_model)
CROSS_Q, CROSS_K = matrix("cross.W_Q", d_model, d_k), matrix("cross.W_K", d_model, d_k)
CROSS_V, CROSS_O = matrix("cross.W_V", d_model, d_v), matrix("cross.W_O", d_v, d_model)

M = CausalMask(n)
Z = SingleHead(X, W_Q, W_K, W_V, M)
attended = Linear(Z, W_O)
S_dec = AddNorm(X, attended)
Z_cross = CrossAttention(S_dec, H_enc, CROSS_Q, CROSS_K, CROSS_V)
O_cross = Linear(Z_cross, CROSS_O)

Q, K, V = (dict(Z.definition().parts)[name] for name in "QKV")
Q_cross, K_cross, V_cross = (dict(Z_cross.definition().parts)[name] for name in "QKV")
S, _ = (part for _, part in Z.definition().whole.definition().parts)
S_cross, A_cross = (part for _, part in Z_cross.definition().whole.definition().parts)

B = Exponential(M)
A_open, A_zero = Softmax(S), Softmax(Hadamard(S, B))
WEIGHTED_VALUES = Hadamard(Broadcast(Row(A_cross, NEKO).T, d_v), V_cross)

DOT_PRODUCTS = (
    Words("Dot products", "内積"),
    Words(
        "Row {i}, column {j}: query {i} times key {j}, component by component, added up.",
        "第 {i} 行・第 {j} 列は、クエリの第 {i} 行とキーの第 {j} 行の内積です。",
    ),
)
MASKED = (
    Words("Scores under the mask", "マスクをかけた点数"),
    Words(
        "Where {M} is 0 the score stays; where it is −∞ the score becomes −∞.",
        "{M} が 0 の場所の点数はそのままで、−∞ の場所の点数は −∞ になります。",
    ),
)
MARKS = (
    Words("Marks of 1 and 0", "1 と 0 の印"),
    Words(
        "1 where the mask leaves a score, 0 where it hides one.",
        "使える場所は 1、隠す場所は 0 です。",
    ),
)
SET_TO_ZERO = (
    Words("Scores with 0 in place of −∞", "−∞ の代わりに 0 にした点数"),
    Words(
        "Later tokens get the score 0; the other scores stay.",
        "後ろのトークンの点数を 0 にします。ほかの点数はそのままです。",
    ),
)
WEIGHTED = (
    Words("Each value times its weight", "各バリューに係数を掛ける"),
    Words(
        "Row 2 of the weights stands upright, so that each weight meets its value.",
        "係数の第 2 行を縦に並べ、それぞれのバリューの行に掛けます。",
    ),
)


def parts_of_norm(total, mark):
    """The steps of one normalization, named after the attention behind which it stands."""
    return {part: f"{name}_{mark}" for name, part in Standardization(total).stages().parts}


NORM = ("mu", "Delta", "Sq", "Var", "sigma")

derivation = derive(
    {
        "Z": Z,
        "A_open": A_open,
        "Z_open": A_open @ V,
        "A_zero": A_zero,
        "O": attended,
        "R_self": X + attended,
        "S_dec": S_dec,
        "Y": WEIGHTED_VALUES,
        "Z_cross": Z_cross,
        "O_cross": O_cross,
        "R_cross": S_dec + O_cross,
        "H_dec": AddNorm(S_dec, O_cross),
    },
    names={
        Q @ K.T: ("D", *DOT_PRODUCTS),
        M: "M",
        Mask(S, M): ("S_mask", *MASKED),
        B: ("B", *MARKS),
        Hadamard(S, B): ("S_zero", *SET_TO_ZERO),
        Q_cross: "Q_cross",
        K_cross: "K_cross",
        V_cross: "V_cross",
        Q_cross @ K_cross.T: ("D_cross", *DOT_PRODUCTS),
        S_cross: "S_cross",
        A_cross: "A_cross",
        **{part: f"{name}_cross" for name, part in A_cross.stages().parts},
        WEIGHTED_VALUES: ("Y", *WEIGHTED),
        **parts_of_norm(X + attended, "self"),
        **parts_of_norm(S_dec + O_cross, "cross"),
    },
    stages=True,
    title=Words("The two attentions of the decoder", "デコーダーの 2 つのアテンション"),
    labels={
        n: (Words("start", "開始"), Words("neko", "猫"), Words("wa", "は")),
        m: (Words("The", "The"), Words("cat", "cat"), Words("sleeps", "sleeps"), Words(".", ".")),
    },
    follow=Follow("Z", "row", NEKO),
    values={
        X: [[1, 0], [0, 1], [1, 1]],
        W_Q: [[0, 1], [1, 0]],
        W_K: [[1, 0], [0.5, 1]],
        W_V: [[2, 0], [0, 4]],
        W_O: [[1, 0], [0, 1]],
        H_enc: [[0, 0], [1, 0], [0, 1], [0, 0]],
        CROSS_Q: [[0, 1], [1, 1]],
        CROSS_K: [[1, 0], [0, 1]],
        CROSS_V: [[2, 0], [0, 4]],
        CROSS_O: [[1, 0], [0, 1]],
    },
    sections=[
        Section(
            Words("What is given", "与えられているもの"),
            Words(
                "The encoder has read the four tokens The, cat, sleeps and the full stop; their rows after its last "
                "layer, {H_enc}, are kept. On its own side the decoder has three tokens: start, neko (cat) and wa (a "
                "particle). {X} holds one row for each of them, positions already added. Row 2, neko, is followed. "
                "In training the whole target, shifted to the right by one place, is fed in at once; the row of neko "
                "has to predict wa, so it must not see it. In generation the input simply ends at neko while wa is "
                "being chosen. The numbers are chosen by hand; each attention has one head and no biases.",
                "エンコーダーは The・cat・sleeps・「.」の 4 トークンを読み終え、最後の層を出た行 {H_enc} を保存しています。"
                "デコーダー側には「開始」「猫」「は」の 3 トークンがあり、{X} はトークンごとの行を並べたものです（位置情報は足してあります）。"
                "ここでは 2 行目の「猫」を追います。学習のときは、1 つ右にずらした正解の系列をまとめて入力します。「猫」の行は"
                "次の「は」を予測するので、「は」を見てはいけません。生成のときは、「は」を選ぶ時点で入力が「猫」で終わっています。"
                "数値は手で決めたもので、どちらのアテンションも 1 ヘッド、バイアスはありません。",
            ),
            inputs=("X", "W_Q", "W_K", "W_V"),
        ),
        Section(
            Words("Notation", "記法"),
            Words(
                "causal makes the mask of so many rows and columns; rowsum adds up each row, and divide divides each row of a "
                "matrix by the number of a column in that row. ⊙ multiplies entry by entry; broadcast repeats a column side by "
                "side as often as its second argument says. norm is the whole normalization, with the small number under the "
                "root as its second argument. Letters with cross belong to the second attention.",
                "causal はその行数・列数のマスクを作ります。rowsum は各行の合計で、divide は行列の各行を、同じ行にある列の数で割ります。"
                "⊙ は成分ごとに掛け、broadcast は列を 2 つ目の引数の回数だけ横に並べます。norm は正規化全体を表し、"
                "2 つ目の引数は根号の中の小さな数です。cross の付く文字は 2 つ目のアテンションのものです。",
            ),
        ),
        Section(
            Words("Self-attention: queries, keys and values", "セルフアテンション：クエリ・キー・バリューを作る"),
            Words(
                "All three come from the same rows {X}, through three different matrices. Self means that the tokens "
                "look at their own sequence, not that {Q}, {K} and {V} are alike.",
                "3 つとも同じ {X} から、別々の行列を掛けて作ります。セルフは「自分たちの系列を参照する」という意味で、"
                "{Q}・{K}・{V} が同じ値になるという意味ではありません。",
            ),
            steps=("Q", "K", "V"),
        ),
        Section(
            Words("Scores in the row of neko", "「猫」の行の点数"),
            Words(
                "As in chapter 4: the query of neko times each key, divided by the square root of {d_k}. So far nothing is "
                "hidden: neko has a score for wa as well, and it is the highest of the three.",
                "第 4 章と同じ計算で、「猫」のクエリとそれぞれのキーの内積を {d_k} の平方根で割ります。ここではまだ何も隠していません。"
                "「は」の点数もあり、3 つの中で最も高くなっています。",
            ),
            steps=("D", "S"),
            rows_only=True,
        ),
        Section(
            Words("The causal mask", "因果マスクで未来を隠す"),
            Words(
                "A row says whose output is made, a column which token is looked at. Every token may use itself and "
                "the tokens before it. The mask is added before softmax; putting −∞ in place of the scores comes to "
                "the same, since the scores are finite.",
                "行は「どのトークンの出力を作るか」、列は「どのトークンを参照するか」です。どのトークンも、自分自身とそれより前を使えます。"
                "マスクは Softmax の前に足します。点数は有限なので、点数を −∞ に置き換えても同じことになります。",
            ),
            steps=("M", "S_mask"),
            usable=("M",),
            exact=False,
        ),
        Section(
            Words("Softmax: the weight of what is hidden is exactly 0", "Softmax：隠した場所の係数はちょうど 0"),
            Words(
                "Exponentials, and their sum. {e} to the power −∞ is 0, so wa is missing from the sum as well.",
                "指数関数の値を求め、合計します。{e} の −∞ 乗は 0 なので、「は」は合計にも入りません。",
            ),
            steps=("U", "c"),
            rows_only=True,
        ),
        Section(
            Words("The weights of all rows", "全部の行の係数"),
            Words(
                "The weight of a hidden token is not small but exactly 0, and the remaining weights of the row add up to 1 "
                "on their own.",
                "隠したトークンの係数は「小さい」のではなく、ちょうど 0 です。残りの係数だけで、行の合計が 1 になります。",
            ),
            steps=("A",),
            percent=("A",),
            exact=False,
        ),
        Section(
            Words("Weighted sum of the values", "係数を掛けてバリューを足す"),
            Words(
                "The value of wa meets the weight 0 in the row of neko, and leaves no trace there.",
                "「猫」の行では「は」のバリューに係数 0 が掛かるので、結果に何も残りません。",
            ),
            steps=("Z",),
            exact=False,
        ),
        Section(
            Words("For comparison: without the mask", "比較：マスクを外すと"),
            Words(
                "{A_open} = softmax({S}) and {Z_open} = {A_open} {V} are made from the scores as they were. Now wa, with the "
                "highest score, gets the largest weight in the row of neko, and the output of neko contains what it was "
                "to predict. The last row is the same in both: nothing comes after it.",
                "点数にマスクをかけずに {A_open} = softmax({S})、{Z_open} = {A_open} {V} を計算します。「猫」の行では点数の最も高い"
                "「は」の係数が最大になり、予測するはずのものが出力に混ざります。最後の行は、後ろに何もないので変わりません。",
            ),
            compare=(
                Comparison("A", Words("with the mask", "マスクあり"), Words("without", "マスクなし"), "A_open"),
                Comparison("Z", Words("with the mask", "マスクあり"), Words("without", "マスクなし"), "Z_open"),
            ),
        ),
        Section(
            Words("A score of 0 hides nothing", "点数を 0 にしても隠せない"),
            Words(
                "A tempting mistake is to set the scores of later tokens to 0. But {e} to the power 0 is 1: a score of 0 "
                "is a score like any other, and in {A_zero} = softmax({S_zero}) the hidden token keeps a good part of the "
                "weight.",
                "後ろのトークンの点数を 0 にすればよいと考えるのは、よくある間違いです。{e} の 0 乗は 1 なので、"
                "0 もほかと同じ 1 つの点数にすぎず、{A_zero} = softmax({S_zero}) では、隠したはずのトークンにもかなりの係数が残ります。",
            ),
            steps=("B", "S_zero"),
            exact=False,
            compare=(Comparison("A", Words("−∞", "−∞"), Words("score 0", "点数 0"), "A_zero"),),
        ),
        Section(
            Words("Output projection and Add & Norm, for the row of neko", "出力側の Linear と Add & Norm：「猫」の行"),
            Words(
                "With one head there is nothing to join, and {W_O} is chosen here so that it changes nothing. The input {X} "
                "of this attention is added. Then come the steps of chapter 5, with {gamma} = 1 and {beta} = 0.",
                "1 ヘッドなので連結するものはなく、{W_O} は値を変えない行列にしてあります。足すのは、このアテンションの入力 {X} です。"
                "そのあとは第 5 章と同じ手順です（{gamma} = 1、{beta} = 0）。",
            ),
            inputs=("W_O",),
            steps=("O", "R_self", *(f"{name}_self" for name in NORM)),
            rows_only=True,
        ),
        Section(
            Words("What goes on to the cross-attention", "クロスアテンションへ渡す行"),
            Words(
                "What is shown as −1 and 1 is not exactly that: the small number under the root makes both a little smaller "
                "in size, and the unrounded values go on. With two components the result is always close to −1 and 1, unless "
                "they are nearly equal.",
                "−1 や 1 と表示される値は、ちょうど −1 や 1 ではありません。根号の中の小さな数の分だけ、絶対値がわずかに小さくなります。"
                "後の計算には丸める前の値を使います。2 成分では、両者がほとんど等しい場合を除いて、結果はいつも −1 と 1 に近い値になります。",
            ),
            steps=("S_dec",),
            exact=False,
        ),
        Section(
            Words("Cross-attention: two sequences meet", "クロスアテンション：2 つの系列が出会う"),
            Words(
                "The queries come from {S_dec}, that is from what the self-attention has made of the tokens of the decoder; "
                "neither {X} nor {Q} is used again. Keys and values come from {H_enc}. They are made anew, by weights that "
                "belong to this attention of this decoder layer, and have nothing to do with the keys and values inside "
                "the encoder.",
                "クエリは {S_dec}、つまりセルフアテンションがデコーダー側のトークンから作った結果を材料にします。{X} や {Q} をもう一度使うのではありません。"
                "キーとバリューの材料は {H_enc} です。このデコーダー層のこのアテンションに属する重みで新しく作るもので、"
                "エンコーダーの中で使ったキーやバリューとは関係ありません。",
            ),
            inputs=("H_enc", "cross.W_Q", "cross.W_K", "cross.W_V"),
            steps=("Q_cross", "K_cross", "V_cross"),
            exact=False,
        ),
        Section(
            Words("Rectangular scores", "長方形の点数行列"),
            Words(
                "A row for each token of the decoder, a column for each token of the encoder. Only the number of "
                "components of queries and keys has to agree, not the lengths of the two sequences. No causal mask is "
                "needed: the source sentence is known as a whole from the start, and neko may well look at sleeps, "
                "although that is token 3 of its sentence. Here are dot products, scores, exponentials and their sum in the "
                "row of neko.",
                "行はデコーダー側のトークン、列はエンコーダー側のトークンです。クエリとキーの次元が同じなら、2 つの系列の長さは違っていてもかまいません。"
                "原文は最初から全部わかっているので、因果マスクは使いません。sleeps は原文の 3 番目ですが、"
                "「猫」の行から参照してよいのです。以下は「猫」の行の内積・点数・指数関数の値とその合計です。",
            ),
            steps=("D_cross", "S_cross", "U_cross", "c_cross"),
            rows_only=True,
            facts=(
                Fact(
                    Words(
                        "{0} queries and {1} keys of {2} components: {0} rows of {1} scores. The weighted sums are again {0} "
                        "rows, with the {3} components of a value.",
                        "{2} 成分のクエリが {0} 行、キーが {1} 行なので、点数は {0} 行 {1} 列です。加重和は再び {0} 行で、"
                        "次元はバリューと同じ {3} です。",
                    ),
                    (n, m, d_k, d_v),
                ),
            ),
            exact=False,
        ),
        Section(
            Words("Weights over the source sentence", "原文の 4 トークンへの係数"),
            Words(
                "In the row of neko, The, sleeps and the full stop have the score 0 and still get a weight; 0 is not −∞. A large "
                "weight for cat means that its value counts much here, not that a translation is right.",
                "「猫」の行では、The・sleeps・「.」の点数は 0 ですが、係数は 0 になりません。0 と −∞ は違います。cat の係数が大きいのは、"
                "cat のバリューを多く使うということで、翻訳が正しいという意味ではありません。",
            ),
            steps=("A_cross",),
            percent=("A_cross",),
            exact=False,
        ),
        Section(
            Words("Four values become one row", "4 つのバリューから 1 行を作る"),
            Words(
                "{Y} holds the four values of the source tokens, each times its weight for neko. Added up, they are the "
                "output of neko: four tokens were looked at, and one row comes out. Its components are no scores for "
                "words.",
                "{Y} は、原文の 4 トークンのバリューに「猫」の係数をそれぞれ掛けたものです。これを足すと「猫」の出力になります。"
                "4 つのトークンを参照しても、できるのは 1 行です。その成分は単語の点数ではありません。",
            ),
            steps=("Y", "Z_cross"),
            exact=False,
        ),
        Section(
            Words("Add & Norm after the cross-attention", "クロスアテンションの後の Add & Norm"),
            Words(
                "{W_O} of this attention changes nothing either. What is added is {S_dec}, the row that entered the cross-attention; "
                "the rows of the encoder are added nowhere. That this norm gives almost the same −1 and 1 as the first "
                "is due to the two components of the example. A real row does change when the source is looked at. Only the row "
                "of neko is shown; the other rows of {H_dec} are made in the same way.",
                "このアテンションの {W_O} も値を変えません。足すのは、クロスアテンションに入った行 {S_dec} です。エンコーダーの行を足すことはありません。"
                "結果が 1 回目とほとんど同じ −1 と 1 になるのは、2 成分の例だからです。実際のモデルでは、原文を参照すれば行の値は変わります。"
                "示すのは「猫」の行だけで、{H_dec} のほかの行も同じように計算します。",
            ),
            inputs=("cross.W_O",),
            steps=("O_cross", "R_cross", *(f"{name}_cross" for name in NORM), "H_dec"),
            rows_only=True,
        ),
        Section(
            Words("Three attentions side by side", "3 つのアテンションを並べる"),
            Words(
                "In the original paper each of them has several heads, with weights of its own for each head, and the "
                "weight behind the heads belongs to one attention alone. Tokens that only fill up a batch are hidden by "
                "a mask of their own, the padding mask, in all three; this example has none.",
                "原論文ではどのアテンションも複数のヘッドを持ち、重みはヘッドごとに別々です。連結した後の重みもアテンションごとに別です。"
                "長さをそろえるための詰め物（padding）は、3 つのどれでも、因果マスクとは別のパディングマスクで隠します。この例に詰め物はありません。",
            ),
            facts=(
                Fact(
                    Words(
                        "The base model of the paper has {0} heads in each attention; here there is {1}.",
                        "原論文のベースモデルは各アテンションに {0} ヘッドを持ちます。ここでは {1} ヘッドです。",
                    ),
                    (8, 1),
                ),
            ),
            tables=(
                Counts(
                    Words("Where things come from", "材料の出どころ"),
                    (
                        Words("attention", "アテンション"),
                        Words("queries", "クエリ"),
                        Words("keys and values", "キー・バリュー"),
                        Words("usable tokens", "参照できる範囲"),
                    ),
                    (
                        (
                            Words("encoder, self", "エンコーダーのセルフ"),
                            Words("encoder rows", "エンコーダーの行"),
                            Words("the same rows", "同じ行"),
                            Words("all of the source", "原文の全部"),
                        ),
                        (
                            Words("decoder, masked self", "デコーダーのマスク付きセルフ"),
                            Words("decoder rows", "デコーダーの行"),
                            Words("the same rows", "同じ行"),
                            Words("itself and earlier ones", "自分とそれより前"),
                        ),
                        (
                            Words("decoder, cross", "デコーダーのクロス"),
                            Words("rows after Add & Norm", "Add & Norm 後の行"),
                            Words("last encoder rows", "エンコーダーの最終出力"),
                            Words("all of the source", "原文の全部"),
                        ),
                    ),
                ),
            ),
        ),
        Section(
            Words("What follows", "この後の流れ"),
            Words(
                "{H_dec} goes through a feed-forward network and a third Add & Norm, as in chapter 5, and is then the input "
                "of the next decoder layer. That layer makes new queries, keys and values with its own weights; its "
                "cross-attention reads the same {H_enc}. After the last layer a Linear and a softmax over the vocabulary "
                "give the probabilities of the next token; that softmax is not one of those above. Dropout is left out.",
                "{H_dec} は、第 5 章と同じように FFN と 3 回目の Add & Norm を通り、次のデコーダー層の入力になります。"
                "次の層は自分の重みでクエリ・キー・バリューを作り直し、そのクロスアテンションも同じ {H_enc} を参照します。"
                "最後の層の後は、Linear と語彙に対する Softmax で次のトークンの確率を求めます。この Softmax は、上のアテンションの "
                "Softmax とは別の処理です。Dropout は省いています。",
            ),
        ),
    ],
)
