"""Explainer, chapter 7: two heads side by side, one encoder layer from end to end, and the layer after it.

The inputs are those of the chapter; every other number on the page is computed from them.
"""

from symtransformer import Counts, Fact, Follow, Section, Words, derive, dimension, matrix
from symtransformer.models import BASE, counts
from symtransformer.operations import EncoderLayer, Linear, Standardization

n, d_model, d_k, d_v, d_ff = (dimension(name) for name in ("n", "d_model", "d_k", "d_v", "d_ff"))

X = matrix("X", n, d_model)
W_Q, W_K = matrix("W_Q", d_model, d_k), matrix("W_K", d_model, d_k)
W_V = matrix("W_V", d_model, d_v)
W_O = matrix("W_O", 2 * d_v, d_model)
W_1, b_1 = matrix("W_1", d_model, d_ff), matrix("b_1", d_ff, 1)
W_2, b_2 = matrix("W_2", d_ff, d_model), matrix("b_2", d_model, 1)
NEXT_Q = matrix("next.W_Q", d_model, d_k)

layer = EncoderLayer(X, W_Q, W_K, W_V, W_O, W_1, b_1, W_2, b_2, heads=2)
parts = dict(layer.definition().parts)
paper = counts(BASE)

DOT_PRODUCTS = (
    Words("Scores before scaling", "割る前の点数"),
    Words("Each query times each key of the same head.", "同じヘッドのクエリとキーの内積です。"),
)


def dot_products(head):
    """The scores of one head before they are scaled."""
    queries, keys = (Linear(X, weight.of_head(head)) for weight in (W_Q, W_K))
    return queries @ keys.T


def parts_of_norm(total, mark):
    """The steps of one normalization, named after the sub-layer behind which it stands."""
    return {part: f"{name}_{mark}" for name, part in Standardization(total).stages().parts}


NORM = ("mu", "Delta", "Sq", "Var", "sigma")

derivation = derive(
    {"X_next": layer, "next.Q": Linear(layer, NEXT_Q)},
    names={
        Linear(layer, NEXT_Q): (
            "next.Q",
            Words("Queries of the next layer, head 1", "次の層のヘッド 1 のクエリ"),
            Words(
                "The output of this layer, times a weight of the next one.",
                "この層の出力に、次の層の重みを掛けます。",
            ),
        ),
        dot_products(0): ("D_1", *DOT_PRODUCTS),
        dot_products(1): ("D_2", *DOT_PRODUCTS),
        parts["R_1"]: "R_A",
        parts["N_1"]: "H",
        parts["R_2"]: "R_F",
        **parts_of_norm(parts["R_1"], "A"),
        **parts_of_norm(parts["R_2"], "F"),
    },
    stages=True,
    title=Words("Heads side by side, layers one after the other", "ヘッドは並べて、層は順番に"),
    labels={n: (Words("cat", "猫"), Words("sleeps", "眠る"))},
    follow=Follow("X_next", "row", 1),
    values={
        X: [[1, 0, 1, 0], [0, 1, 0, 1]],
        W_Q.of_head(0): [[1, 0], [0, 1], [0, 0], [0, 0]],
        W_K.of_head(0): [[1, 0], [0, 1], [0, 0], [0, 0]],
        W_V.of_head(0): [[2, 0], [0, 2], [0, 0], [0, 0]],
        W_Q.of_head(1): [[0, 0], [0, 0], [0, 1], [1, 0]],
        W_K.of_head(1): [[0, 0], [0, 0], [1, 0], [0, 1]],
        W_V.of_head(1): [[0, 0], [0, 0], [1, 0], [0, 3]],
        W_O: [[1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1]],
        W_1: [[1, -1, 0, 0, 1, 0], [0, 0, 1, -1, 0, 1], [0, 0, 0, 0, 1, 1], [1, 1, 1, 1, 0, 0]],
        b_1: [[0], [0], [0], [0], [1], [-1]],
        W_2: [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0.5, 0, 1], [0, 0, 1, 0]],
        b_2: [[0], [0], [1], [0]],
        NEXT_Q: [[0, 1], [1, 0], [0, 0], [0, 0]],
    },
    sections=[
        Section(
            Words("What is given", "与えられているもの"),
            Words(
                "Two tokens, cat and sleeps, each a row of {X}, to which the positions have already been added. One encoder "
                "layer with two heads is worked out from end to end, and then the first step of the layer after it. The "
                "numbers are chosen by hand and continue none of the earlier chapters. Row 2, sleeps, is followed.",
                "トークンは「猫」と「眠る」の 2 つで、それぞれが {X} の 1 行です（位置情報は足してあります）。2 ヘッドのエンコーダー層を "
                "1 つ最後まで計算し、次の層の最初の計算までを見ます。数値は手で決めたもので、前の章の続きではありません。"
                "追うのは 2 行目の「眠る」です。",
            ),
            inputs=("X",),
        ),
        Section(
            Words("Notation", "記法"),
            Words(
                "Concat writes matrices side by side; rowsum adds up each row, and divide divides each row of a matrix by the "
                "number of a column in that row. broadcast repeats a column side by side as often as its second argument says; "
                "⊙ multiplies entry by entry. norm is the "
                "whole normalization, with the small number under the root as its second argument. Letters with next belong to "
                "the layer after this one.",
                "Concat は行列を横に並べます。rowsum は各行の合計で、divide は行列の各行を、同じ行にある列の数で割ります。"
                "broadcast は列を 2 つ目の引数の回数だけ横に並べ、⊙ は成分ごとに掛けます。norm は正規化全体を表し、2 つ目の引数は根号の中の小さな数です。"
                "next の付く文字は次の層のものです。",
            ),
        ),
        Section(
            Words("Two heads, six weight matrices", "2 つのヘッド、6 つの重み行列"),
            Words(
                "Both heads receive the same {X} with both of its rows. There is no head for cat and another for sleeps, and "
                "head 2 takes nothing from head 1: the heads could be computed at the same time. They differ in their "
                "weights only. Here head 1 looks at components 1 and 2 of a row, head 2 at components 3 and 4; a real model "
                "may mix all of them.",
                "どちらのヘッドも、同じ {X} の 2 行を両方とも受け取ります。「猫用のヘッド」と「眠る用のヘッド」に分かれるのではなく、"
                "ヘッド 2 がヘッド 1 の結果を受け取ることもないので、同時に計算できます。違うのは重みだけです。"
                "この例のヘッド 1 は行の第 1・第 2 成分を、ヘッド 2 は第 3・第 4 成分を使います。実際のモデルでは全成分を混ぜられます。",
            ),
            inputs=("W_Q", "W_K", "W_V"),
            facts=(
                Fact(
                    Words(
                        "{0} heads with {1} matrices each: {0} × {1} = {2}. Every one has {3} rows and {4} columns.",
                        "{0} つのヘッドに {1} つずつで {0} × {1} = {2} 個です。どれも {3} 行 {4} 列です。",
                    ),
                    (2, 3, 6, d_model, d_k),
                ),
            ),
        ),
        Section(
            Words("Head 1: queries, keys and values", "ヘッド 1：クエリ・キー・バリュー"),
            steps=("Q_1", "K_1", "V_1"),
        ),
        Section(
            Words("Head 1: from scores to weights", "ヘッド 1：点数から係数まで"),
            Words(
                "The steps of chapter 4. In an encoder sleeps may use both tokens, so there is no mask.",
                "第 4 章と同じ手順です。エンコーダーでは、「眠る」の行からどちらのトークンも参照できるので、マスクはありません。",
            ),
            steps=("D_1", "S_1", "U_1", "c_1", "A_1", "Z_1"),
            rows_only=True,
            percent=("A_1",),
        ),
        Section(
            Words("Head 2: queries, keys and values", "ヘッド 2：クエリ・キー・バリュー"),
            steps=("Q_2", "K_2", "V_2"),
        ),
        Section(
            Words("Head 2: from scores to weights", "ヘッド 2：点数から係数まで"),
            Words(
                "The scores of sleeps are those of head 1 in reverse order, and so are its weights. In both heads the first "
                "weight belongs to cat, the second to sleeps. The two components of the output are no shares of tokens.",
                "「眠る」の点数はヘッド 1 と逆の順になり、係数も逆の順になります。どちらのヘッドでも、係数の 1 つ目が「猫」、"
                "2 つ目が「眠る」です。出力の 2 成分はトークンごとの割合ではありません。",
            ),
            steps=("D_2", "S_2", "U_2", "c_2", "A_2", "Z_2"),
            rows_only=True,
            percent=("A_2",),
        ),
        Section(
            Words("Concatenation and output projection", "連結と出力側の Linear"),
            Words(
                "The outputs of the heads for the same token are joined, head 1 on the left; nothing of cat gets into the row "
                "of sleeps here. {W_O} then mixes the heads: component 1 of {O} is the sum of components 1 and 3, component 2 "
                "that of 2 and 4, and components 3 and 4 pass unchanged. This ends the attention, not the layer.",
                "同じトークンについての各ヘッドの出力を、ヘッド 1 を左にして横につなぎます。ここで「猫」の値が「眠る」の行に入ることはありません。"
                "次に {W_O} がヘッドの成分を混ぜます。{O} の第 1 成分は第 1 と第 3 の和、第 2 成分は第 2 と第 4 の和で、"
                "第 3・第 4 成分はそのまま通ります。ここで終わるのはアテンションで、層の計算はまだ続きます。",
            ),
            inputs=("W_O",),
            steps=("Y", "O"),
            exact=False,
        ),
        Section(
            Words("First Add & Norm: the input of the layer is added", "1 回目の Add & Norm：層への入力を足す"),
            Words(
                "Mean and spread belong to each row alone; here are those of sleeps. As in chapter 5, {gamma} = 1, "
                "{beta} = 0, and there is no dropout.",
                "平均と広がりは行ごとに求めます。ここでは「眠る」の行を示します。第 5 章と同じく {gamma} = 1、{beta} = 0 で、"
                "Dropout はありません。",
            ),
            steps=("R_A", *(f"{name}_A" for name in NORM), "H"),
            rows_only=True,
        ),
        Section(
            Words("Feed-forward network: 4 → 6 → 4", "FFN：4 → 6 → 4 次元"),
            Words(
                "The weights are those of chapter 5, the input {H} is not. Each row goes through alone.",
                "重みは第 5 章と同じで、入力の {H} が違います。行ごとに別々に計算します。",
            ),
            inputs=("W_1", "b_1", "W_2", "b_2"),
            steps=("P", "F", "G"),
            rows_only=True,
            kept=("F",),
        ),
        Section(
            Words("Second Add & Norm: the input of the network is added", "2 回目の Add & Norm：FFN への入力を足す"),
            Words(
                "What is added is {H}, not {X}.",
                "足すのは {H} で、{X} ではありません。",
            ),
            steps=("R_F", *(f"{name}_F" for name in NORM)),
            rows_only=True,
        ),
        Section(
            Words("What the layer hands on", "次の層に渡すもの"),
            Words(
                "The row of cat has gone through the same steps with the same weights. The result has the size of {X}, so "
                "that the next layer can take it as it is.",
                "「猫」の行も、同じ重みで同じ手順を通っています。結果の行数・列数は {X} と同じなので、次の層にそのまま渡せます。",
            ),
            steps=("X_next",),
            exact=False,
        ),
        Section(
            Words("The next layer begins anew", "次の層は新しい入力から始まる"),
            Words(
                "Layer 2 reads {X_next}, neither {X} nor the outputs of single heads, and no positions are added again. Its "
                "weights are its own. Here the query weight of its head 1 takes components 2 and 1 of a row, in this order, so that "
                "sleeps starts with a query unlike the one of layer 1. Its keys and values are made anew as well; the numbers of this "
                "page end here.",
                "第 2 層の入力は {X_next} です。{X} や個々のヘッドの出力ではなく、位置情報をもう一度足すこともありません。重みも第 2 層のものです。"
                "ここではヘッド 1 のクエリ用の重みが行の第 2・第 1 成分をこの順に取り出すので、「眠る」のクエリは第 1 層とは違う値になります。"
                "キーとバリューも同じように作り直しますが、このページの計算はここまでです。",
            ),
            inputs=("next.W_Q",),
            steps=("next.Q",),
            exact=False,
        ),
        Section(
            Words("Sizes through the layer", "層の中での行数と列数"),
            tables=(
                Counts(
                    Words(
                        "Rows and columns of each result, and columns in the base model",
                        "各結果の行数・列数と、ベースモデルの列数",
                    ),
                    (
                        Words("result", "結果"),
                        Words("rows", "行"),
                        Words("columns", "列"),
                        Words("paper", "原論文の列"),
                    ),
                    (
                        (Words("input of the layer", "層への入力"), n, d_model, BASE.d_model),
                        (Words("queries, keys of a head", "1 ヘッドのクエリ・キー"), n, d_k, BASE.d_k),
                        (Words("weights of a head", "1 ヘッドの係数"), n, n, Words("tokens", "トークン数")),
                        (Words("output of a head", "1 ヘッドの出力"), n, d_v, BASE.d_v),
                        (Words("heads side by side", "連結した行"), n, 2 * d_v, BASE.heads * BASE.d_v),
                        (Words("output of the attention", "アテンションの出力"), n, d_model, BASE.d_model),
                        (Words("inside the network", "FFN の内側"), n, d_ff, BASE.d_ff),
                        (Words("output of the layer", "層の出力"), n, d_model, BASE.d_model),
                    ),
                ),
            ),
        ),
        Section(
            Words("Layers and heads of the base model", "原論文のベースモデルの層とヘッド"),
            Words(
                "{N} counts layers, one after the other, each with weights of its own; {h} counts heads, side by side in one "
                "attention. A decoder layer has two attentions; its cross-attention reads the final rows of the encoder, "
                "the same in every layer, through weights of that layer. Neither number depends on how many tokens there "
                "are. Heads are given no roles: they may learn different things, but nothing guarantees it.",
                "{N} は順番につなぐ層の数で、層ごとに別の重みを持ちます。{h} は 1 つのアテンションの中に並ぶヘッドの数です。"
                "デコーダーの 1 層にはアテンションが 2 つあり、クロスアテンションはどの層でも同じエンコーダーの最終出力を、その層の重みでキーとバリューに変えます。"
                "どちらの数もトークン数には左右されません。ヘッドに決まった役割はなく、違うことを学習する場合もありますが、その保証はありません。",
            ),
            facts=(
                Fact(
                    Words(
                        "{0} heads with {1} components each: {0} × {1} = {2}, the width of the model.",
                        "{1} 次元のヘッドが {0} 個で {0} × {1} = {2} 次元になり、モデルの次元と同じです。",
                    ),
                    (BASE.heads, BASE.d_v, BASE.d_model),
                ),
                Fact(
                    Words(
                        "Attentions of the encoder, one in each layer: {0} × {1} = {2}.",
                        "エンコーダーのアテンションは各層に 1 つで、{0} × {1} = {2} 個です。",
                    ),
                    (paper.encoder_layers, 1, paper.encoder_attentions),
                ),
                Fact(
                    Words(
                        "Attentions of the decoder, two in each layer: {0} × {1} = {2}.",
                        "デコーダーのアテンションは各層に 2 つで、{0} × {1} = {2} 個です。",
                    ),
                    (paper.decoder_layers, 2, paper.decoder_attentions),
                ),
                Fact(
                    Words("Together: {0} + {1} = {2} attentions.", "合わせて {0} + {1} = {2} 個です。"),
                    (paper.encoder_attentions, paper.decoder_attentions, paper.attentions),
                ),
                Fact(
                    Words(
                        "With {0} heads each: {1} × {0} = {2} heads. That is a number of heads, not of layers.",
                        "それぞれ {0} ヘッドなので、{1} × {0} = {2} ヘッドです。ヘッドの総数で、層の数ではありません。",
                    ),
                    (BASE.heads, paper.attentions, paper.heads),
                ),
            ),
        ),
    ],
)
