"""Proof: heads are slices of one wide projection; behind the output weight their contributions are added."""

from symtransformer import Derivation, Section, Step, Words, dimension, head_index, matrix
from symtransformer.operations import ColumnSlice, HeadConcatenation, HeadSum, RowSlice

n, d, d_k, d_v, h = (dimension(name) for name in ("n", "d", "d_k", "d_v", "h"))
i = head_index()
X, W, W_O = matrix("X", n, d), matrix("W", d, d_k * h), matrix("W_O", d_v * h, d)
Z, B = matrix("Z", n, d_v).of_head(i), matrix("B", n, d_v)

R, P = matrix("R", n, d_k * h), matrix("P", n, d_k * h)
W_Q, Q = matrix("W_Q", d, d_k).of_head(i), matrix("Q", n, d_k).of_head(i)
Y, OUT = matrix("Y", n, d_v * h), matrix("O", n, d)
V = matrix("V", d_v, d).of_head(i)
D, E, H = matrix("D", n, d_v * h), matrix("E", n, d_v).of_head(i), matrix("H", n, d)

OWN = ColumnSlice(W, i * d_k, d_k)
ROWS = RowSlice(W_O, i * d_v, d_v)
SAME = HeadConcatenation(B, i, h)

SLICES = (
    Step(
        R,
        X @ W,
        X @ W,
        Words("One wide projection", "1 つの幅の広い射影"),
        Words(
            "Definition: one weight with {h} times {d_k} columns for all heads together.",
            "定義です。重みは全ヘッド分の {h} × {d_k} 列を持ちます。",
        ),
    ),
    Step(
        W_Q,
        OWN,
        OWN,
        Words("The weight of one head", "1 つのヘッドの重み"),
        Words(
            "Definition: the columns of head {i}. Each head has {d_k} columns, and no column belongs to two heads.",
            "定義です。ヘッド {i} の列を取り出したものです。各ヘッドは {d_k} 列ずつで、重なりはありません。",
        ),
    ),
    Step(
        Q,
        X @ W_Q,
        ColumnSlice(X @ W, i * d_k, d_k),
        Words("The slice is a projection of its own", "切り出した部分は、それだけで 1 つの射影になる"),
        Words(
            "Column by column, a product only uses its own column of the weight. So to cut the wide result is the "
            "same as to multiply by the cut weight.",
            "積の各列に使われるのは、重みのうち同じ番号の列だけです。そのため、幅の広い結果を切り分けることと、切り分けた"
            "重みを掛けることは同じになります。",
        ),
        coarse=ColumnSlice(R, i * d_k, d_k),
    ),
    Step(
        P,
        HeadConcatenation(Q, i, h),
        X @ W,
        Words("And back again", "逆向きも成り立つ"),
        Words(
            "The queries of all heads, side by side, are the wide result. Nothing is lost and nothing is added.",
            "全ヘッドのクエリを横に並べると、幅の広い結果に戻ります。失われるものも、加わるものもありません。",
        ),
        coarse=R,
    ),
)
OUTPUT = (
    Step(
        Y,
        HeadConcatenation(Z, i, h),
        HeadConcatenation(Z, i, h),
        Words("Outputs side by side", "出力を横に並べる"),
        Words("Definition.", "定義です。"),
    ),
    Step(
        V,
        ROWS,
        ROWS,
        Words("The rows of one head", "1 つのヘッドに当たる行"),
        Words(
            "Definition: the {d_v} rows of {W_O} that meet the output of head {i}.",
            "定義です。{W_O} のうち、ヘッド {i} の出力に掛かる {d_v} 行です。",
        ),
    ),
    Step(
        OUT,
        HeadSum(Z @ V, i, h),
        HeadConcatenation(Z, i, h) @ W_O,
        Words("The contributions are added", "各ヘッドの寄与を足す"),
        Words(
            "The sum over all columns of {Y} is split into one sum for each head. So the output weight mixes the "
            "heads by adding, and a head whose rows are 0 has no effect.",
            "{Y} の全部の列についての和を、ヘッドごとの和に分けます。つまり出力側の重みは、各ヘッドの寄与を足し合わせて"
            "います。行がすべて 0 のヘッドは結果に影響しません。",
        ),
        coarse=Y @ W_O,
    ),
)
IDENTICAL = (
    Step(
        D,
        SAME,
        SAME,
        Words("All heads alike", "全ヘッドが同じ場合"),
        Words(
            "Definition: every head has the same weights, hence the same output {B}.",
            "定義です。全ヘッドの重みが同じで、出力もすべて {B} だとします。",
        ),
    ),
    Step(
        E,
        B,
        ColumnSlice(SAME, i * d_v, d_v),
        Words("The same output again and again", "同じ出力の繰り返し"),
        Words("Whichever head is cut out, it is {B}.", "どのヘッドの部分を取り出しても {B} です。"),
        coarse=ColumnSlice(D, i * d_v, d_v),
    ),
    Step(
        H,
        B @ HeadSum(V, i, h),
        SAME @ W_O,
        Words("No more than one head", "1 つのヘッドと変わらない"),
        Words(
            "Behind {W_O} the identical heads act as a single head whose output weight is the sum of their blocks {V}. "
            "More heads are of use only if they differ.",
            "{W_O} を掛けると、同じヘッドをいくつ並べても、ブロック {V} の和を出力側の重みに持つ 1 つのヘッドと同じ働きになります。"
            "ヘッドを増やす意味があるのは、互いに異なるときだけです。",
        ),
        coarse=D @ W_O,
    ),
)

derivation = Derivation(
    steps=(*SLICES, *OUTPUT, *IDENTICAL),
    title=Words("Heads: slices, sums, and repetition", "ヘッドの分割・和・繰り返し"),
    sections=(
        Section(
            Words("One wide weight or one weight for each head", "幅の広い 1 つの重みか、ヘッドごとの重みか"),
            Words(
                "Texts give every head its own weights; programs multiply once by a wide matrix and cut the result into {h} "
                "slices. Both are the same, for any {n}, {d}, {d_k} and {h}. It is shown for the queries; keys and values "
                "are treated alike. An equation that is not proved for all sizes would be marked. Notation: an upper "
                "{i} in brackets marks head {i}; square brackets hold the rows and columns that are taken, first and last "
                "included and counted from 1; Concat writes the heads side by side.",
                "解説ではヘッドごとに重みを書きますが、プログラムでは幅の広い行列を一度に掛け、結果を {h} 個に"
                "切り分けるのが普通です。{n}、{d}、{d_k}、{h} がいくつであっても両者は同じです。ここではクエリについて示します。"
                "キーとバリューも同じです。すべての行数・列数について証明できていない式があれば、その旨を示します。記法：右上の括弧の中の {i} は"
                "ヘッド {i} を表します。角括弧は、取り出す行と列の範囲です（1 から数え、両端を含む）。Concat はヘッドを横に並べます。",
            ),
            steps=("R", "W_Q", "Q", "P"),
        ),
        Section(
            Words("What the output weight does", "出力側の重みの働き"),
            Words(
                "The outputs of the heads are written side by side and multiplied by {W_O}.",
                "各ヘッドの出力を横に並べ、{W_O} を掛けます。",
            ),
            steps=("Y", "V", "O"),
        ),
        Section(
            Words("Identical heads", "同じヘッドを並べた場合"),
            Words(
                "What happens if the heads do not differ at all?",
                "ヘッドどうしにまったく違いがないと、どうなるでしょうか。",
            ),
            steps=("D", "E", "H"),
        ),
    ),
)
