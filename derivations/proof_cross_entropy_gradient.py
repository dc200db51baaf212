"""Proof: the gradient of the cross-entropy with respect to the logits, p Σy − y, and p − y where targets add up to 1."""

from symtransformer import Derivation, Section, Step, Words, derive, differentiate, dimension, matrix
from symtransformer.index_notation import index_form
from symtransformer.operations import Broadcast, CrossEntropy, Hadamard, RowSum, Softmax

n, K, d = dimension("n"), dimension("K"), dimension("d_model")
H, W, Y = matrix("H", n, d), matrix("W", d, K), matrix("Y", n, K)
B = matrix("B", n, K)

LOGITS = H @ W
FORWARD = derive(
    CrossEntropy(LOGITS, Y, reduction="sum"),
    names={
        LOGITS: (
            "L",
            Words("Logits", "ロジット"),
            Words("One number for each position and each candidate.", "位置と候補の組ごとに 1 つの数です。"),
        )
    },
)
GRADIENT = differentiate(FORWARD, [H, W])
PASSED = GRADIENT.derivation
P = PASSED["P"].letter

# targets whose rows add up to 1, whatever B is
T, D = matrix("T", n, K), matrix("D", n, K)
TARGETS = Softmax(B)
SUMMING_TO_1 = (
    Step(
        T,
        TARGETS,
        TARGETS,
        Words("Targets that add up to 1", "合計が 1 の正解"),
        Words(
            "Definition, for any {B}. A one-hot row is the limit of such rows.",
            "定義です。{B} は何でもかまいません。one-hot の行は、このような行の極限です。",
        ),
    ),
    Step(
        D,
        P - T,
        Hadamard(Softmax(LOGITS), Broadcast(RowSum(TARGETS), K)) - TARGETS,
        Words("Probability minus target", "確率から正解を引く"),
        Words(
            "The targets of each row add up to 1, so the factor disappears.",
            "正解の各行の合計は 1 なので、因子が消えます。",
        ),
        coarse=Hadamard(P, Broadcast(RowSum(T), K)) - T,
    ),
)

derivation = Derivation(
    steps=(*PASSED.steps, *SUMMING_TO_1),
    title=Words("The gradient of the cross-entropy", "交差エントロピー損失の勾配"),
    sections=(
        Section(
            Words("The loss", "損失"),
            Words(
                "{n} positions, {K} candidates, and in {H} a hidden state of {d_model} components for each position. The losses of all "
                "positions are added up; for their mean, every gradient below is divided by {n}. ⊙ multiplies entry by entry, "
                "rowsum adds up each row, broadcast repeats a column side by side, and ones, a bold 1 where the page is typeset, is a "
                "matrix of ones.",
                "位置が {n} 個、候補が {K} 個あり、{H} の各行は、その位置の隠れ状態（成分は {d_model} 個）です。全位置の損失を合計します。"
                "平均をとる場合は、以下の勾配をすべて {n} で割ります。⊙ は成分ごとの積、rowsum は行ごとの合計、broadcast は列の横への繰り返しで、"
                "ones（組版したページでは太字の 1）は、すべての成分が 1 の行列です。",
            ),
            steps=("L", "Lambda", "J_row", "J"),
        ),
        Section(
            Words("Backward", "逆方向"),
            Words(
                "Nothing is assumed about the targets {Y} here.",
                "ここでは正解 {Y} について何も仮定しません。",
            ),
            steps=("dJ_row", "dLambda", "P", "dL", "dH", "dW"),
        ),
        Section(
            Words("The same, entry by entry", "成分で書くと"),
            Words(
                "The logarithm of the sum is differentiated like any function: its slope is 1 divided by the sum. In the last "
                "lines the exponential divided by the sum is a probability, an entry of {P}.",
                "和の対数も、ほかの関数と同じように微分します。対数の微分は、1 を和で割ったものです。最後の行で指数関数を和で割ったものは確率、"
                "つまり {P} の成分です。",
            ),
            lines=index_form(GRADIENT, "L").every_line,
        ),
        Section(
            Words("Where the targets of a row add up to 1", "正解の各行の合計が 1 のとき"),
            Words(
                "This is an assumption about the targets. One-hot targets satisfy it, and so do smoothed ones.",
                "これは正解についての仮定です。one-hot の正解も平滑化した正解も満たします。",
            ),
            steps=("T", "D"),
        ),
        Section(
            Words("In numbers", "数値で確かめる"),
            Words(
                "Two positions, three candidates. The first target is one-hot, the second adds up to 2: there the probabilities "
                "have to be doubled before the target is subtracted.",
                "位置が 2 つ、候補が 3 つの例です。1 つ目の正解は one-hot ですが、2 つ目は合計が 2 です。"
                "2 つ目の行では、正解を引く前に確率を 2 倍する必要があります。",
            ),
            inputs=("H", "W", "Y"),
            steps=("L", "P", "J_row", "J", "dL", "dH", "dW"),
            values={
                H: [[1, 0], [1, -1]],
                W: [[1, 2, 0], [0, 1, 1]],
                Y: [[0, 1, 0], [1, 0, 1]],
            },
            exact=False,
        ),
    ),
)
