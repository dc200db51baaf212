"""Proof: two linear maps in a row, biases included, are one linear map."""

from symtransformer import Derivation, Section, Step, Words, dimension, matrix
from symtransformer.operations import Linear, Ones, ReLU

n, d, d_ff, d_out = (dimension(name) for name in ("n", "d", "d_ff", "d_out"))
X = matrix("X", n, d)
W_1, b_1 = matrix("W_1", d, d_ff), matrix("b_1", d_ff, 1)
W_2, b_2 = matrix("W_2", d_ff, d_out), matrix("b_2", d_out, 1)
ONES = Ones(n, 1)

H, Y = matrix("H", n, d_ff), matrix("Y", n, d_out)
Y_1, Y_2, Y_3 = (matrix(name, n, d_out) for name in ("Y_1", "Y_2", "Y_3"))
W, c = matrix("W", d, d_out), matrix("c", d_out, 1)
Z, R, E = matrix("Z", d_out, n), matrix("R", n, d_ff), matrix("E", n, d_out)

FIRST = Linear(X, W_1, b_1)
BOTH = Linear(FIRST, W_2, b_2)
BENT = Linear(ReLU(FIRST), W_2, b_2)

DEFINITIONS = (
    Step(
        H,
        X @ W_1 + ONES @ b_1.T,
        FIRST,
        Words("The first linear map", "1 つ目の Linear"),
        Words(
            "Definition. The column of ones repeats the bias in every row.",
            "定義です。1 を並べた列は、バイアスを各行に繰り返すためのものです。",
        ),
    ),
    Step(
        Y,
        H @ W_2 + ONES @ b_2.T,
        BOTH,
        Words("The second linear map", "2 つ目の Linear"),
        Words(
            "Definition. It takes the result of the first, with nothing in between.",
            "定義です。1 つ目の結果を、間に何もはさまずに受け取ります。",
        ),
    ),
)
PROOF = (
    Step(
        Y_1,
        (X @ W_1 + ONES @ b_1.T) @ W_2 + ONES @ b_2.T,
        BOTH,
        Words("The first map is put into the second", "1 つ目の式を 2 つ目に代入する"),
        Words("{H} is replaced by what it stands for.", "{H} を、その定義の式で置き換えます。"),
        coarse=Y,
    ),
    Step(
        Y_2,
        X @ W_1 @ W_2 + ONES @ b_1.T @ W_2 + ONES @ b_2.T,
        BOTH,
        Words("The product is multiplied out", "積を展開する"),
        Words(
            "A sum times a matrix is the sum of the products.",
            "和に行列を掛けたものは、それぞれの積の和になります。",
        ),
        coarse=Y_1,
    ),
    Step(
        W,
        W_1 @ W_2,
        W_1 @ W_2,
        Words("The weight of the single map", "まとめた重み"),
        Words("Definition. In row form the first weight stands on the left.", "定義です。行ベクトルの書き方では、1 つ目の重みが左に来ます。"),
    ),
    Step(
        c,
        W_2.T @ b_1 + b_2,
        W_2.T @ b_1 + b_2,
        Words("The bias of the single map", "まとめたバイアス"),
        Words(
            "Definition. The first bias passes through the second weight; the second bias is added as it is.",
            "定義です。1 つ目のバイアスは 2 つ目の重みを通り、2 つ目のバイアスはそのまま足されます。",
        ),
    ),
    Step(
        Y_3,
        X @ W + ONES @ c.T,
        BOTH,
        Words("One linear map", "1 つの Linear になる"),
        Words(
            "Brackets are set anew, and the two definitions are recognized. What was two maps is one.",
            "括弧を付け直すと、上の 2 つの定義が現れます。2 つの写像が 1 つになりました。",
        ),
        coarse=Y_2,
    ),
)  # fmt: skip
IN_COLUMNS = Step(
    Z,
    (W_2.T @ W_1.T) @ X.T + c @ ONES.T,
    BOTH.T,
    Words("The same in columns", "列ベクトルで書いた場合"),
    Words(
        "Transposed, every vector is a column, and the weights stand in the opposite order.",
        "転置するとどのベクトルも列になり、重みの並ぶ順序が逆になります。",
    ),
    coarse=Y.T,
)
WITH_RELU = (
    Step(
        R,
        ReLU(H),
        ReLU(FIRST),
        Words("With an activation in between", "間に活性化関数を入れる"),
        Words("Negative entries become 0, the others stay.", "負の成分を 0 にし、ほかはそのままにします。"),
    ),
    Step(
        E,
        R @ W_2 + ONES @ b_2.T,
        BENT,
        Words("The second map after the activation", "活性化関数の後の 2 つ目の Linear"),
        Words("The same second map, applied to {R}.", "同じ 2 つ目の Linear を {R} に適用します。"),
    ),
)

derivation = Derivation(
    steps=(*DEFINITIONS, *PROOF, IN_COLUMNS, *WITH_RELU),
    title=Words("Two linear maps in a row are one", "Linear を 2 つ重ねても 1 つの Linear と同じ"),
    sections=(
        Section(
            Words("The claim", "示すこと"),
            Words(
                "Whatever the weights and biases are, a linear map followed by another one equals a single linear map "
                "with the weight {W} and the bias {c} below. The sizes {n}, {d}, {d_ff} and {d_out} are arbitrary. "
                "Vectors are rows, so a weight is multiplied from the right. Notation: a column of ones (in print a bold 1) times a transposed bias "
                "repeats the bias in every row.",
                "重みとバイアスが何であっても、Linear の次にもう 1 つ Linear を置いたものは、下に示す重み {W} と"
                "バイアス {c} を持つ 1 つの Linear に等しくなります。行数・列数 {n}、{d}、{d_ff}、{d_out} は任意です。"
                "ベクトルは行なので、重みは右から掛けます。記法：1 を並べた列（印刷版では太字の 1）に、転置したバイアスを掛けると、バイアスが各行に繰り返されます。",
            ),
            steps=("H", "Y"),
        ),
        Section(
            Words("The proof", "証明"),
            Words(
                "Each line equals the line before it; nothing but the rules of matrix algebra is used. A line that is "
                "not proved for all sizes would be marked.",
                "どの行も前の行に等しく、使うのは行列の計算規則だけです。すべての行数・列数について証明できていない行があれば、"
                "その旨を示します。",
            ),
            steps=("Y_1", "Y_2", "W", "c", "Y_3"),
        ),
        Section(
            Words("Rows or columns", "行ベクトルと列ベクトル"),
            Words(
                "Texts that write vectors as columns multiply from the left. The collapsed weight then has the factors "
                "in the opposite order; it is the same map.",
                "ベクトルを列で書く本では、重みを左から掛けます。その場合、まとめた重みの因子は逆の順に並びますが、"
                "同じ写像です。",
            ),
            steps=("Z",),
        ),
        Section(
            Words("Why an activation is needed", "活性化関数が必要な理由"),
            Words(
                "A small case with one input component shows that ReLU in between prevents the collapse. The rows of "
                "{X} are 1, −1 and their mean 0. A single linear map always sends a mean to the mean of its results: "
                "in {Y} the third row is the mean of the first two. In {E} it is not, so no single linear map can "
                "give {E}.",
                "入力の成分が 1 つの小さな例で、間に ReLU を入れるとまとめられなくなることを確かめます。{X} の行は 1、−1、"
                "その平均の 0 です。1 つの Linear は、平均を必ず結果の平均に移します。実際、{Y} の第 3 行は第 1 行と"
                "第 2 行の平均です。{E} ではそうならないので、{E} はどんな 1 つの Linear でも表せません。",
            ),
            inputs=("X", "W_1", "b_1", "W_2", "b_2"),
            steps=("H", "Y", "R", "E"),
            values={X: [[1], [-1], [0]], W_1: [[1, -1]], b_1: [[0], [0]], W_2: [[1], [1]], b_2: [[0]]},
        ),
    ),
)
