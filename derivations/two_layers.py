"""Two encoder layers on top of one another: what the second takes from the first, and what it has of its own.

The rows and the weights are chosen by hand; every other number on the page is computed from them.
"""

from symtransformer import Comparison, Counts, Fact, Section, Words, derive, dimension, matrix
from symtransformer.models import Configuration, encoder, weights_of

SIZES = Configuration(
    layers=2, d_model=4, d_ff=3, heads=1, d_k=2, d_v=2, norm_weights=False, feed_forward_biases=False
)  # fmt: skip
n = dimension("n")
X = matrix("X", n, SIZES.d_model)
second = encoder(SIZES, X)
first = second.argument("input")

LEARNED = weights_of(second)
OF_FIRST, OF_SECOND = LEARNED[:6], LEARNED[6:]
PER_LAYER = sum(letter.shape[0] * letter.shape[1] for letter in OF_FIRST)
SHARED = len({*weights_of(first)} & {*OF_SECOND})
PURPOSE = (
    Words("queries", "クエリの重み"),
    Words("keys", "キーの重み"),
    Words("values", "バリューの重み"),
    Words("output of the head", "出力の重み"),
    Words("into the network", "FFN の 1 つ目"),
    Words("out of the network", "FFN の 2 つ目"),
)
RESULTS = {
    "Q": Words("queries", "クエリ"),
    "A": Words("attention weights", "アテンションの係数"),
    "Z": Words("output of the head", "ヘッドの出力"),
    "F": Words("inside the network", "FFN の内側"),
    "H": Words("output of the layer", "層の出力"),
}
FIRST = (
    [[1, 0], [0, 1], [1, 0], [0, 1]],
    [[1, 0], [0, 1], [0, 1], [1, 0]],
    [[1, 0], [1, 0], [0, 1], [0, -1]],
    [[1, 0, 1, 0], [0, 1, 0, -1]],
    [[1, 0, -1], [0, 1, 1], [1, 0, 0], [0, -1, 1]],
    [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, -1]],
)
SECOND = (
    [[0, 1], [1, 0], [-1, 0], [0, 1]],
    [[1, 1], [0, -1], [0, 0], [1, 0]],
    [[0, 1], [1, 0], [1, 0], [0, -1]],
    [[0, 1, 0, 1], [1, 0, -1, 0]],
    [[0, 1, 1], [1, 0, 0], [0, 1, -1], [1, 0, 0]],
    [[0, 1, 0, -1], [1, 0, 0, 0], [0, 0, 1, 1]],
)


TOKENS = (Words("neko", "猫"), Words("nemuru", "眠る"))
LETTERS = ("W_Q", "W_K", "W_V", "W_O", "W_1", "W_2")
SHOWN = ("Q", "S", "A", "Z", "O", "N_1", "F", "G", "H")

bare = derive(second)
SHAPES = Counts(
    Words("Sizes of the results, equal in both layers", "結果の行数と列数（どちらの層でも同じ）"),
    (Words("result", "結果"), Words("rows", "行"), Words("columns", "列"), Words("of layer 2", "2 層目の列")),
    tuple(
        (words, *bare[f"enc1.{name}"].letter.shape, bare[f"enc2.{name}"].letter.shape[1])
        for name, words in RESULTS.items()
    ),
)
WEIGHTS = Counts(
    Words("Learned numbers of each layer", "各層が学習する数の個数"),
    (Words("weight", "重み"), Words("layer 1", "1 層目"), Words("layer 2", "2 層目")),
    tuple(
        (words, one.shape[0] * one.shape[1], two.shape[0] * two.shape[1])
        for words, one, two in zip(PURPOSE, OF_FIRST, OF_SECOND, strict=True)
    ),
    Words("together", "合計"),
)

SECTIONS = (
    Section(
        Words("What is given", "与えられているもの"),
        Words(
            "Two tokens, neko (cat) and nemuru (sleeps), enter a stack of two encoder layers as the rows of "
            "{X}. Each layer "
            "has one head of 2 components, an inner width of 3, and no biases. All numbers are chosen by hand "
            "and belong to "
            "no trained model.",
            "「猫」と「眠る」の 2 つのトークンが、{X} の行として 2 層のエンコーダーに入ります。どちらの層もヘッドは 2 成分のもの 1 つ、"
            "FFN の内側は 3 成分で、バイアスはありません。数値はすべて手で決めたもので、学習済みモデルの値ではありません。",
        ),
        inputs=("X",),
    ),
    Section(
        Words("Notation", "記法"),
        Words(
            "Letters with enc1 belong to the first layer, letters with enc2 to the second. norm is the whole "
            "normalization, "
            "with the small number under the root as its second argument; {gamma} is 1 and {beta} is 0. To keep "
            "the page short, keys, values, the sums of the two residual connections and the first product of the "
            "feed-forward network are no steps of their own: each stands beside the step that uses it.",
            "enc1 の付く文字は 1 層目、enc2 の付く文字は 2 層目のものです。norm は正規化全体を表し、2 つ目の引数は根号の中の小さな数です。"
            "{gamma} は 1、{beta} は 0 です。ページを短くするため、キー、バリュー、2 回の残差接続の和、FFN の 1 つ目の積には項目を設けず、"
            "それを使う計算のところに式を添えます。",
        ),
    ),
    Section(
        Words("The first layer", "1 層目"),
        Words(
            "Keys and values are made from {X} just like the queries, with weights of their own.",
            "キーとバリューも、クエリと同じように、それぞれの重みで {X} から作ります。",
        ),
        inputs=tuple(f"enc1.{name}" for name in LETTERS),
        steps=tuple(f"enc1.{name}" for name in SHOWN),
        exact=False,
    ),
    Section(
        Words("The second layer", "2 層目"),
        Words(
            "The input is no longer {X} but the output of the first layer, the last result above: it is "
            "multiplied by the "
            "weights of the second layer, and it is what the first residual adds. Position information is not "
            "added again. "
            "Apart from that every line is the line of the first layer with enc2 in place of enc1.",
            "入力は {X} ではなく、1 層目の出力、つまりすぐ上の最後の結果です。これに 2 層目の重みを掛け、1 回目の残差接続で足すのもこれです。"
            "位置情報を足し直すことはありません。そのほかは、1 層目の式の enc1 を enc2 に変えただけです。",
        ),
        inputs=tuple(f"enc2.{name}" for name in LETTERS),
        steps=tuple(f"enc2.{name}" for name in SHOWN),
        exact=False,
    ),
    Section(
        Words("What the layers share", "2 つの層が共有するもの"),
        Words(
            "The formulas and all sizes are the same. Since a layer gives back as many rows and columns as it "
            "was given, "
            "layers can be stacked as high as one likes. But the layers have no weight in common.",
            "式も、行数・列数もすべて同じです。層の出力の行数・列数は入力と同じなので、何層でも重ねられます。"
            "しかし、2 つの層に共通の重みは 1 つもありません。",
        ),
        tables=(SHAPES, WEIGHTS),
        facts=(
            Fact(
                Words(
                    "Weights that both layers use: {0}. Learned numbers of the stack: {1} + {1} − {0} = {2}.",
                    "両方の層が使う重みは {0} 個です。全体で学習する数は {1} + {1} − {0} = {2} 個です。",
                ),
                (SHARED, PER_LAYER, sum(rows * columns for rows, columns in (letter.shape for letter in LEARNED))),
            ),
        ),
    ),
    Section(
        Words("If the second layer had the weights of the first", "2 層目に 1 層目の重みを使ったら"),
        Words(
            "The same rows enter the second layer, but now it has the six weights of the first. The output "
            "differs: that "
            "every layer has weights of its own does make a difference.",
            "2 層目に入る行は同じですが、6 つの重みを 1 層目のものに取り替えます。すると出力は変わります。"
            "層ごとに別々の重みを持つことには意味があるのです。",
        ),
        values=dict(zip(OF_SECOND, FIRST, strict=True)),
        compare=(
            Comparison("enc2.H", Words("own weights", "2 層目の重み"), Words("weights of layer 1", "1 層目の重み")),
        ),
    ),
)

derivation = derive(
    second,
    title=Words("Two encoder layers", "2 層のエンコーダー"),
    labels={n: TOKENS},
    values={
        X: [[1, 0, 1, 0], [0, 2, 0, 1]],
        **dict(zip(OF_FIRST, FIRST, strict=True)),
        **dict(zip(OF_SECOND, SECOND, strict=True)),
    },
    sections=SECTIONS,
)
