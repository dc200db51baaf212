"""The whole Transformer in letters: encoder and decoder, sizes, counts, and the block of a decoder-only model.

Every count on the page comes from a configuration, every size from the expression itself.
"""

from dataclasses import replace

from symtransformer import Counts, Fact, Section, Words, derive, dimension, head_index, matrix
from symtransformer.models import BASE, DEMO, GPT2, counts, decoder, encoder
from symtransformer.operations import (
    CausalMask,
    EncoderLayer,
    LayerNorm,
    Linear,
    PositionedEmbedding,
    SinusoidalEncoding,
)  # fmt: skip

n, m, v, h, i = dimension("n"), dimension("m"), dimension("n_vocab"), dimension("h"), head_index("i")
d_model, d_k, d_v, d_ff = (dimension(name) for name in ("d_model", "d_k", "d_v", "d_ff"))

T_src, T_tgt, E = matrix("T_src", m, v), matrix("T_tgt", n, v), matrix("E", v, d_model)
X_src = PositionedEmbedding(T_src, E, SinusoidalEncoding(m, d_model), scaled="yes")
X_tgt = PositionedEmbedding(T_tgt, E, SinusoidalEncoding(n, d_model), scaled="yes")
one_layer = replace(BASE, layers=1, decoder_layers=1, norm_weights=False, feed_forward_biases=False)
encoded = encoder(one_layer, X_src, symbolic=True)
decoded = decoder(one_layer, X_tgt, encoded, symbolic=True)
logits = Linear(decoded, E.T)

X = matrix("X", n, d_model)
head_weights = [matrix(f"gpt.W_{x}", d_model, width).of_head(i) for x, width in (("Q", d_k), ("K", d_k), ("V", d_v))]
block = EncoderLayer(
    X, *head_weights, matrix("gpt.W_O", h * d_v, d_model),
    matrix("gpt.W_1", d_model, d_ff), matrix("gpt.W_2", d_ff, d_model),
    heads=h, norm="pre", activation="GELUTanh", mask=CausalMask(n), label="gpt",
)  # fmt: skip

part_of_encoder = dict(encoded.definition().parts)
part_of_decoder = dict(decoded.definition().parts)
paper, small = counts(BASE), counts(GPT2)
PER_ATTENTION = 4 * BASE.d_model**2
PER_NETWORK = counts(replace(BASE, layers=1, decoder_layers=0)).feed_forward_parameters


def sizes(words, node):
    """A line of the table of sizes: in letters, and the width in the base model."""
    rows, columns = node.shape
    return words, rows, columns, columns.xreplace(BASE.values())


derivation = derive(
    {"X_src": X_src, "X_tgt": X_tgt, "logits": logits, "gpt.N": LayerNorm(block)},
    names={dict(X_src.definition().parts)["E_tok"]: "E_src", dict(X_tgt.definition().parts)["E_tok"]: "E_tgt"},
    title=Words("The whole Transformer", "Transformer 全体"),
    sections=[
        Section(
            Words("What this page is about", "このページについて"),
            Words(
                "Two networks work together. The encoder reads the source sentence, {m} tokens; the decoder reads what there "
                "is of the target sentence, {n} tokens, looks at the rows of the encoder, and gives a score for every word "
                "that could come next. Everything is written in letters, with one layer on each side. Further layers repeat "
                "the same formulas with weights of their own. Biases, and the factors {gamma} and shifts {beta} of the "
                "normalizations, are left out of the formulas, but not of the counts below.",
                "2 つのネットワークが協力します。エンコーダーは原文の {m} トークンを読みます。デコーダーは訳文のここまでの {n} トークンを読み、"
                "エンコーダーの行を参照して、次に来るかもしれない単語のすべてに点数を付けます。このページでは数値を使わず、文字だけで、"
                "どちらの側も 1 層として書きます。層を増やすときは、別の重みで同じ式を繰り返します。"
                "バイアスと、正規化の倍率 {gamma}・シフト {beta} は式では省きますが、下の個数には数えます。",
            ),
        ),
        Section(
            Words("Notation", "記法"),
            Words(
                "Letters with enc1 belong to layer 1 of the encoder, those with dec1 to layer 1 of the decoder, those with gpt to "
                "the block of GPT-2; an upper {i} in brackets marks one head of {h}, and Concat writes the heads side by side. "
                "{U_Q}, {U_K}, {U_V} and {U_O} are the weights of the cross-attention, which chapter 6 marks with cross. PE takes the "
                "number of rows and of columns, "
                "the position of the first row and the base of the wavelengths; causal makes the mask of so many rows and columns; "
                "norm is the whole normalization, with the small number under the root as its second argument; GELUTanh is GELU "
                "by the formula with tanh.",
                "enc1 の付く文字はエンコーダーの第 1 層、dec1 の付く文字はデコーダーの第 1 層、gpt の付く文字は GPT-2 のブロックのものです。"
                "右上の括弧の中の {i} は {h} 個のうちの 1 つのヘッドを表し、Concat はヘッドを横に並べます。"
                "{U_Q}・{U_K}・{U_V}・{U_O} はクロスアテンションの重みです（第 6 章では cross を付けています）。PE の引数は、行数、列数、最初の行の位置、波長の底です。"
                "causal はその行数・列数のマスクを作ります。norm は正規化全体を表し、2 つ目の引数は根号の中の小さな数です。GELUTanh は tanh を使う式の GELU です。",
            ),
        ),
        Section(
            Words("From tokens to rows", "トークンから行へ"),
            Words(
                "A token is a row with a single 1. Times {E}, it picks the row of its word from the table. The paper "
                "multiplies by the square root of {d_model} and then adds the positions, once for each of the two stacks.",
                "トークンは、1 が 1 つだけある行で表します。これに {E} を掛けると、表からその単語の行が取り出されます。"
                "原論文では {d_model} の平方根を掛けてから位置情報を足します。足すのはエンコーダーとデコーダーのそれぞれで 1 回だけです。",
            ),
            steps=("E_src", "X_src", "E_tgt", "X_tgt"),
        ),
        Section(
            Words("A layer of the encoder", "エンコーダーの 1 層"),
            Words(
                "Attention, Add & Norm, feed-forward network, Add & Norm, as in chapters 5 and 7. The two additions take "
                "the input of the sub-layer before them.",
                "第 5 章・第 7 章と同じく、アテンション → Add & Norm → FFN → Add & Norm の順です。2 回の Add では、直前のサブレイヤーへの入力を足します。",
            ),
            steps=(
                "enc1.S",
                "enc1.A",
                "enc1.Z",
                "enc1.Y",
                "enc1.O",
                "enc1.R_1",
                "enc1.N_1",
                "enc1.P",
                "enc1.F",
                "enc1.G",
                "enc1.R_2",
                "enc1.H",
            ),
        ),
        Section(
            Words("A layer of the decoder", "デコーダーの 1 層"),
            Words(
                "What differs from the encoder: the mask in the self-attention, and a cross-attention whose keys and values "
                "come from the last rows of the encoder. Three additions have three different sources.",
                "エンコーダーとの違いは、セルフアテンションのマスクと、エンコーダーの最終出力からキーとバリューを作るクロスアテンションです。"
                "3 回の Add では、それぞれ別のものを足します。",
            ),
            steps=(
                "dec1.A",
                "dec1.R_1",
                "dec1.N_1",
                "dec1.Q_cross",
                "dec1.K_cross",
                "dec1.S_cross",
                "dec1.A_cross",
                "dec1.R_2",
                "dec1.N_2",
                "dec1.R_3",
                "dec1.H",
            ),
        ),
        Section(
            Words("Scores for the next word", "次の単語の点数"),
            Words(
                "The table {E} is used a second time, transposed: the score of a word is the dot product of the row and the "
                "embedding of that word. Softmax of each row makes probabilities of the scores. Training adjusts all "
                "weights at once, by the loss at the very end. The size of an attention weight alone neither shows what a row "
                "means nor why a word was predicted.",
                "表 {E} を転置してもう一度使います。単語の点数は、行とその単語の埋め込みの内積です。"
                "各行の Softmax で点数を確率に変えます。学習では、最後の損失をもとにすべての重みを一緒に調整します。"
                "アテンションの係数の大きさだけでは、行の意味も、その単語を予測した理由もわかりません。",
            ),
            steps=("logits",),
        ),
        Section(
            Words("Sizes", "行数と列数"),
            tables=(
                Counts(
                    Words("Rows, columns, and columns in the base model", "行数・列数と、ベースモデルの列数"),
                    (Words("result", "結果"), Words("rows", "行"), Words("columns", "列"), Words("paper", "原論文")),
                    (
                        sizes(Words("source rows", "原文の行"), X_src),
                        sizes(Words("encoder: one head", "エンコーダー：1 ヘッド"), part_of_encoder["Z"]),
                        sizes(Words("encoder: heads side by side", "エンコーダー：連結した行"), part_of_encoder["Y"]),
                        sizes(Words("encoder: inside the network", "エンコーダー：FFN の内側"), part_of_encoder["P"]),
                        sizes(Words("encoder: output", "エンコーダー：出力"), encoded),
                        sizes(Words("target rows", "訳文の行"), X_tgt),
                        (
                            Words("decoder: masked weights", "デコーダー：マスク付きの係数"),
                            *part_of_decoder["A"].shape,
                            n,
                        ),
                        (
                            Words("decoder: weights over the source", "デコーダー：原文への係数"),
                            *part_of_decoder["A_cross"].shape,
                            m,
                        ),
                        sizes(Words("decoder: output", "デコーダー：出力"), decoded),
                        sizes(Words("scores of words", "単語の点数"), logits),
                    ),
                ),
            ),
        ),
        Section(
            Words("Parameters of the base model", "ベースモデルのパラメーター数"),
            Words(
                "The paper shares one table of about 37000 entries among source, target and output. An attention has four "
                "weights of equal size, since its heads divide the width among them; a feed-forward network has two weights "
                "and two biases; a normalization has {gamma} and {beta}. The attentions of the base model are counted without "
                "biases, those of GPT-2 have them.",
                "原論文では、約 37000 語の 1 つの表を、原文・訳文・出力で共有します。ヘッドが成分を分け合うので、アテンションの 4 つの重みは"
                "どれも同じ行数・列数です。FFN には重みとバイアスが 2 つずつ、正規化には {gamma} と {beta} があります。"
                "ベースモデルのアテンションはバイアスなしで数えています。GPT-2 のアテンションにはバイアスがあります。",
            ),
            facts=(
                Fact(
                    Words(
                        "One attention: {0} × {1} × {1} = {2} weights.",
                        "アテンション 1 つの重みは {0} × {1} × {1} = {2} 個です。",
                    ),
                    (4, BASE.d_model, PER_ATTENTION),
                ),
                Fact(
                    Words(
                        "All attentions: {0} × {1} = {2}.",
                        "アテンション全部では {0} × {1} = {2} 個です。",
                    ),
                    (paper.attentions, PER_ATTENTION, paper.attention_parameters),
                ),
                Fact(
                    Words(
                        "One feed-forward network: 2 × {0} × {1} + {1} + {0} = {2}.",
                        "FFN 1 つでは 2 × {0} × {1} + {1} + {0} = {2} 個です。",
                    ),
                    (BASE.d_model, BASE.d_ff, PER_NETWORK),
                ),
                Fact(
                    Words("All networks: {0} × {1} = {2}.", "FFN 全部では {0} × {1} = {2} 個です。"),
                    (paper.feed_forwards, PER_NETWORK, paper.feed_forward_parameters),
                ),
            ),
            tables=(
                Counts(
                    Words("Learned numbers by part", "学習する数の個数（部分ごと）"),
                    (
                        Words("part", "部分"),
                        Words("base model", "ベースモデル"),
                        Words("GPT-2 (small)", "GPT-2（最小）"),
                    ),
                    (
                        (
                            Words("embedding table", "埋め込み表"),
                            paper.embedding_parameters,
                            small.embedding_parameters,
                        ),
                        (
                            Words("learned positions", "学習する位置情報"),
                            paper.position_parameters,
                            small.position_parameters,
                        ),
                        (Words("attentions", "アテンション"), paper.attention_parameters, small.attention_parameters),
                        (
                            Words("feed-forward networks", "FFN"),
                            paper.feed_forward_parameters,
                            small.feed_forward_parameters,
                        ),
                        (Words("normalizations", "正規化"), paper.norm_parameters, small.norm_parameters),
                        (
                            Words("output (shares the table)", "出力（表を共有）"),
                            paper.output_parameters,
                            small.output_parameters,
                        ),
                    ),
                    Words("together", "合計"),
                ),
            ),
        ),
        Section(
            Words("Decoder-only: the block of GPT-2", "デコーダーだけのモデル：GPT-2 のブロック"),
            Words(
                "A decoder-only model has no second sequence: its layer is self-attention under a causal mask and a "
                "feed-forward network, with no cross-attention. GPT-2 also moves the normalization in front of each "
                "sub-layer. The row itself is then only added to, never normalized on its way through the layers, and one "
                "more normalization is needed after the last layer.",
                "デコーダーだけのモデルにはもう 1 つの系列がありません。1 層は因果マスク付きのセルフアテンションと FFN で、クロスアテンションはありません。"
                "GPT-2 では、正規化の位置も各サブレイヤーの前に移します。すると層を通る行は足し算されるだけで正規化されないので、"
                "最後の層の後にもう 1 回正規化します。",
            ),
            steps=("gpt.N_1", "gpt.A", "gpt.R_1", "gpt.N_2", "gpt.F", "gpt.H", "gpt.N"),
        ),
        Section(
            Words("Models side by side", "モデルを並べる"),
            Words(
                "The demonstration model with 8 components is a decoder side made simple: it has no encoder and no "
                "cross-attention, no factor before the embeddings, no shared table and no dropout, its biases are 0, and "
                "its weights are random and not trained.",
                "8 成分の実験用モデルは、デコーダー側を簡単にしたものです。エンコーダーとクロスアテンション、埋め込みに掛ける倍率、表の共有、"
                "Dropout はなく、バイアスは 0 です。重みは乱数で、学習していません。",
            ),
            tables=(
                Counts(
                    Words("Three configurations", "3 つの構成"),
                    (
                        Words("number of", "個数"),
                        Words("base model", "ベースモデル"),
                        Words("GPT-2 (small)", "GPT-2（最小）"),
                        Words("8 components", "8 成分"),
                    ),
                    (
                        (Words("encoder layers", "エンコーダーの層"), BASE.layers, 0, 0),
                        (Words("decoder layers", "デコーダーの層"), BASE.decoder_layers, GPT2.layers, DEMO.layers),
                        (Words("components of a row", "行の成分"), BASE.d_model, GPT2.d_model, DEMO.d_model),
                        (Words("heads of an attention", "アテンションのヘッド"), BASE.heads, GPT2.heads, DEMO.heads),
                        (Words("components of a head", "ヘッドの成分"), BASE.d_k, GPT2.d_k, DEMO.d_k),
                        (Words("components inside the network", "FFN の内側の成分"), BASE.d_ff, GPT2.d_ff, DEMO.d_ff),
                        (
                            Words("attentions", "アテンション"),
                            paper.attentions,
                            small.attentions,
                            counts(DEMO).attentions,
                        ),
                        (Words("heads in all", "ヘッドの総数"), paper.heads, small.heads, counts(DEMO).heads),
                    ),
                ),
            ),
        ),
    ],
)
