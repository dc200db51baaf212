"""The demonstration model with 8 components, worked out for one step with weights drawn from a seed.

The weights are drawn, not learned; every other number on the page is computed from them.
"""

from dataclasses import replace

from symtransformer import Section, Step, Words, derive, dimension, matrix
from symtransformer.models import DEMO, decoder_only, random_weights
from symtransformer.operations import Hardmax, Linear, PositionedEmbedding, Row, SinusoidalEncoding, Softmax

VOCABULARY = (
    Words("start", "開始"),
    Words("neko", "猫"),
    Words("wa", "は"),
    Words("nemuru", "眠る"),
    Words(".", "。"),
    Words("end", "終了"),
)
config = replace(DEMO, vocabulary=len(VOCABULARY))

n, n_vocab = dimension("n"), len(VOCABULARY)
T, E = matrix("T", n, n_vocab), matrix("E", n_vocab, config.d_model)
X = PositionedEmbedding(T, E, SinusoidalEncoding(n, config.d_model))
logits = Linear(decoder_only(config, X), matrix("W_vocab", config.d_model, n_vocab))
probabilities = Softmax(logits)
LAST = 2  # the row that predicts the next token, counted from 0

steps = derive(
    {"X": X, "L": logits, "P": probabilities, "C": Hardmax(Row(probabilities, LAST))},
    title=Words("The model with 8 components, one step", "8 成分のモデルで 1 ステップ計算する"),
    labels={n: VOCABULARY[:3], n_vocab: VOCABULARY},
    values={
        T: [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]],
        **random_weights(logits, config, seed=8),
    },
    sections=[
        Section(
            Words("The model and its input", "モデルと入力"),
            Words(
                "One layer of a decoder-only model: rows of 8 components, two heads of 4, a feed-forward network of 16. The "
                "weights are eighths from −1 to 1, drawn at random from a fixed seed; nothing was trained, so the choice at the "
                "end says nothing about language. The input is start, neko (cat) and wa (a particle); with nemuru (sleeps), the "
                "full stop and end there are six words in all. Biases are 0, {gamma} is 1 and {beta} is 0.",
                "デコーダーだけのモデル 1 層です。行は 8 成分、ヘッドは 4 成分が 2 つ、FFN の内側は 16 成分です。"
                "重みは −1 から 1 までの 8 分の 1 刻みの数で、固定した種から乱数で作りました。学習はしていないので、最後の選択に言葉としての"
                "意味はありません。入力は「開始・猫・は」で、単語は全部で 6 つです。バイアスは 0、{gamma} は 1、{beta} は 0 です。",
            ),
            inputs=("T", "E"),
        ),
        Section(
            Words("Notation", "記法"),
            Words(
                "PE takes the number of rows and of columns, the position of the first row, and the base of the wavelengths. "
                "Concat writes matrices side by side; causal makes the mask of so many rows and columns; norm is the whole "
                "normalization, with the small number under the root as its second argument; hardmax puts a 1 at the largest "
                "entry of a row. Letters with dec1 belong to the first layer of the decoder.",
                "PE の引数は、行数、列数、最初の行の位置、波長の底です。Concat は行列を横に並べ、causal はその行数・列数のマスクを作ります。"
                "norm は正規化全体を表し、2 つ目の引数は根号の中の小さな数です。hardmax は行の最大の成分を 1 にします。"
                "dec1 の付く文字はデコーダーの 1 層目のものです。",
            ),
        ),
        Section(
            Words("Embedding and positions", "埋め込みと位置情報"),
            Words(
                "Each token picks its row of the table, and sines and cosines of its position are added. The first position "
                "is 0, so that every second component of row 1 gains 1.",
                "各トークンが表から自分の行を取り出し、位置の正弦と余弦を足します。最初の位置は 0 なので、"
                "1 行目では 1 つおきの成分に 1 が足されます。",
            ),
            steps=("E_tok", "X"),
            rows_only=True,
        ),
        Section(
            Words("Two heads under the causal mask", "因果マスク付きの 2 つのヘッド"),
            Words(
                "Row 1 can use itself only, so its weight is exactly 1.",
                "1 行目は自分しか参照できないので、その係数はちょうど 1 です。",
            ),
            inputs=(
                "dec1.W_Q",
                "dec1.W_K",
                "dec1.W_V",
            ),
            steps=(
                "dec1.Q_1",
                "dec1.K_1",
                "dec1.V_1",
                "dec1.S_1",
                "dec1.A_1",
                "dec1.Z_1",
                "dec1.Q_2",
                "dec1.K_2",
                "dec1.V_2",
                "dec1.S_2",
                "dec1.A_2",
                "dec1.Z_2",
            ),
            rows_only=True,
            heat=("dec1.A_1", "dec1.A_2"),
        ),
        Section(
            Words("Output projection and Add & Norm", "出力側の Linear と Add & Norm"),
            inputs=("dec1.W_O",),
            steps=("dec1.Y", "dec1.O", "dec1.R_1", "dec1.N_1"),
            rows_only=True,
        ),
        Section(
            Words("Feed-forward network and Add & Norm", "FFN と Add & Norm"),
            Words(
                "The first weight is 8 × 16, and so wide are the rows that it makes, {dec1.P}: the normalized rows above times this "
                "weight. To fit the page, both are shown transposed, as {B} and {D}.",
                "1 つ目の重みは 8 × 16 です。上の正規化した行にこの重みを掛けた結果 {dec1.P} も 16 列になります。"
                "ページに収まるように、どちらも転置して {B} と {D} で示します。",
            ),
            inputs=("dec1.W_2",),
            steps=("B", "D", "dec1.F", "dec1.G", "dec1.R_2", "dec1.H"),
            rows_only=True,
        ),
        Section(
            Words("From the last row to the next token", "最後の行から次のトークンへ"),
            Words(
                "Every row gives a score for each of the six words. Only the last row, wa, is about the token that is still to "
                "come; the choice marks the largest probability in it with a 1.",
                "どの行からも、6 つの単語それぞれの点数ができます。まだない次のトークンを予測するのは、最後の「は」の行だけです。"
                "その行で確率が最大の単語に 1 の印を付けて選びます。",
            ),
            inputs=("W_vocab",),
            steps=("L", "P", "C"),
            rows_only=True,
            percent=("P",),
        ),
    ],
)
W_1 = next(letter for letter in steps.inputs if letter.name == "dec1.W_1")
WEIGHT = Step(
    matrix("B", config.d_ff, config.d_model),
    W_1.T,
    W_1.T,
    Words("The first weight, transposed", "1 つ目の重みの転置"),
    Words("Only the way of writing changes.", "書き方を変えただけです。"),
)
INNER = Step(
    matrix("D", config.d_ff, n),
    steps["dec1.P"].letter.T,
    steps["dec1.P"].stands_for.T,
    Words("The result of the first Linear, transposed", "1 つ目の Linear の結果の転置"),
    Words("Only the way of writing changes.", "書き方を変えただけです。"),
)
derivation = replace(steps, steps=(*steps.steps, WEIGHT, INNER))
