"""Proof: cross-entropy from probabilities, from log-probabilities and from logits is the same number."""

from symtransformer import Derivation, Section, Step, Words, dimension, matrix, parameter
from symtransformer.operations import (
    Broadcast,
    CrossEntropy,
    Hadamard,
    InfoNCE,
    Logarithm,
    LogSumExp,
    Ones,
    RowSum,
    SmoothedTargets,
    Softmax,
)

n, m = dimension("n"), dimension("m")
epsilon, tau = parameter("epsilon"), parameter("tau")
L, Y, B = matrix("L", n, m), matrix("Y", n, m), matrix("B", n, m)

P, LAMBDA, Q, Y_ls = (matrix(name, n, m) for name in ("P", "Lambda", "Q", "Y_ls"))
lam, J, J_1, J_2, J_3, J_ls, K = (matrix(k, n, 1) for k in ("lambda", "J", "J_1", "J_2", "J_3", "J_ls", "K"))
J_sum, J_mean = matrix("J_sum", 1, 1), matrix("J_mean", 1, 1)
F = matrix("F", 1, 1)

FROM_P = -RowSum(Hadamard(Y, Logarithm(Softmax(L))))
SMOOTH = CrossEntropy(L, SmoothedTargets(Y, epsilon), reduction="none")

DEFINITIONS = (
    Step(
        P,
        Softmax(L),
        Softmax(L),
        Words("Probabilities", "確率"),
        Words("Definition.", "定義です。"),
    ),
    Step(
        J,
        -RowSum(Hadamard(Y, Logarithm(P))),
        FROM_P,
        Words("Cross-entropy of each row", "各行の交差エントロピー損失"),
        Words(
            "Definition. Where {Y} has a single 1 in a row, this is minus the logarithm of the probability of the target.",
            "定義です。{Y} の行に 1 が 1 つだけあるときは、正解の確率の対数に負号を付けたものです。",
        ),
    ),
)
PROOF = (
    Step(
        lam,
        LogSumExp(L),
        LogSumExp(L),
        Words("Log-sum-exp", "log-sum-exp"),
        Words(
            "Definition: the logarithm of what softmax divides by.",
            "定義です。Softmax で割る数の対数です。",
        ),
    ),
    Step(
        LAMBDA,
        L - Broadcast(lam, m),
        Logarithm(Softmax(L)),
        Words("Log-probabilities", "対数確率"),
        Words(
            "The logarithm of a quotient is a difference, and the logarithm of the exponential of a logit is the logit.",
            "商の対数は対数の差になり、ロジットの指数関数の対数はロジットそのものです。",
        ),
        coarse=Logarithm(P),
    ),
    Step(
        J_1,
        -RowSum(Hadamard(Y, LAMBDA)),
        FROM_P,
        Words("From log-probabilities", "対数確率から"),
        Words(
            "No probability has to be computed, none can vanish in rounding.",
            "確率を計算しないので、丸めで 0 になることもありません。",
        ),
        coarse=J,
    ),
    Step(
        J_2,
        Hadamard(lam, RowSum(Y)) - RowSum(Hadamard(Y, L)),
        FROM_P,
        Words("Multiplied out", "展開する"),
        Words(
            "The log-sum-exp is the same in a whole row and leaves the sum.",
            "log-sum-exp は 1 つの行の中では同じなので、和の外に出せます。",
        ),
        coarse=J_1,
    ),
)
SUMMING_TO_1 = (
    Step(
        Q,
        Softmax(B),
        Softmax(B),
        Words("Targets that add up to 1", "合計が 1 になる正解"),
        Words(
            "Any row of positive numbers that add up to 1 is the softmax of something; {B} is arbitrary.",
            "正の数からなる合計 1 の行は、必ず何かの Softmax として書けます。{B} は任意です。",
        ),
    ),
    Step(
        J_3,
        lam - RowSum(Hadamard(Q, L)),
        CrossEntropy(L, Softmax(B), reduction="none"),
        Words("From the logits", "ロジットから"),
        Words(
            "The sum of each target row is 1, so it disappears. With a single 1 in a row this is the log-sum-exp "
            "minus the logit of the target.",
            "正解の各行の合計は 1 なので、式から消えます。1 が 1 つだけの行では、log-sum-exp から正解のロジットを引いたものです。",
        ),
        coarse=CrossEntropy(L, Q, reduction="none"),
    ),
)
FURTHER = (
    Step(
        J_sum,
        Ones(1, n) @ J,
        CrossEntropy(L, Y, reduction="sum"),
        Words("Sum over the rows", "行についての合計"),
        Words("The row of ones adds all losses up.", "1 を並べた行を掛けると、すべての損失の合計になります。"),
    ),
    Step(
        J_mean,
        J_sum / n,
        CrossEntropy(L, Y),
        Words("Mean over the rows", "行についての平均"),
        Words(
            "The sum divided by the number of rows. A text has to say which of the two it means.",
            "合計を行の数で割ったものです。どちらを使うのかを、必ず書いておく必要があります。",
        ),
    ),
    Step(
        Y_ls,
        (1 - epsilon) * Y + epsilon * Ones(n, m) / m,
        SmoothedTargets(Y, epsilon),
        Words("Smoothed targets", "平滑化した正解"),
        Words(
            "Definition: a share {epsilon} is spread evenly over all {m} candidates.",
            "定義です。{epsilon} だけを {m} 個の候補すべてに均等に配ります。",
        ),
    ),
    Step(
        J_ls,
        (1 - epsilon) * J - epsilon * RowSum(LAMBDA) / m,
        SMOOTH,
        Words("The loss with smoothed targets", "平滑化した正解に対する損失"),
        Words(
            "It mixes the loss above with the mean of minus the log-probabilities of all candidates.",
            "上の損失と、全候補の対数確率に負号を付けたものの平均を、混ぜた値になります。",
        ),
        coarse=-RowSum(Hadamard(Y_ls, LAMBDA)),
    ),
    Step(
        F,
        Ones(1, n) @ (-RowSum(Hadamard(Y, Logarithm(Softmax(L / tau))))) / n,
        InfoNCE(L, Y, tau),
        Words("InfoNCE is the same loss", "InfoNCE も同じ損失"),
        Words(
            "With similarities in place of logits, divided by {tau}, and the positive as the target.",
            "ロジットの代わりに類似度を {tau} で割ったものを使い、正例を正解とします。",
        ),
    ),
)

derivation = Derivation(
    steps=(*DEFINITIONS, *PROOF, *SUMMING_TO_1, *FURTHER),
    title=Words("Forms of the cross-entropy", "交差エントロピー損失のいろいろな形"),
    sections=(
        Section(
            Words("The claim", "示すこと"),
            Words(
                "For any logits {L} and targets {Y} of any sizes {n} and {m}, the loss can be computed from the "
                "probabilities, from the log-probabilities, or from the logits alone. Notation: rowsum adds up each row, "
                "logsumexp is the logarithm of the row sum of the exponentials, ⊙ multiplies entry by entry, broadcast "
                "repeats a column side by side as often as its second argument says, a bold 1 (in plain text ones) is a row or matrix of ones, and CrossEntropy(…, none) is the loss of "
                "each row, neither added up nor averaged.",
                "ロジット {L} と正解 {Y} が何であっても、行数 {n} と列数 {m} がいくつでも、損失は確率からも、対数確率からも、"
                "ロジットだけからも計算できます。記法：rowsum は各行の合計、logsumexp は指数関数の値の行ごとの合計の対数です。"
                "⊙ は成分ごとに掛け、broadcast は列を 2 つ目の引数の回数だけ横に並べます。太字の 1（テキスト版では ones）は 1 を並べた行や行列です。CrossEntropy(…, none) は、"
                "合計も平均もしない各行の損失です。",
            ),
            steps=("P", "J"),
        ),
        Section(
            Words("The proof", "証明"),
            Words(
                "No property of {Y} is used here.",
                "この証明では {Y} の性質を何も使いません。",
            ),
            steps=("lambda", "Lambda", "J_1", "J_2"),
        ),
        Section(
            Words("Where the targets of a row add up to 1", "正解の各行の合計が 1 のとき"),
            Words(
                "This is the only assumption: one-hot and smoothed targets fulfill it. To use it in a proof, the "
                "targets are written as a softmax, whose rows add up to 1 for whatever {B}; a one-hot row is the limit of such "
                "rows, and both sides are continuous in the targets.",
                "仮定はこれだけで、one-hot の正解も平滑化した正解も満たします。証明で使えるように、正解を Softmax の形に書きます。"
                "{B} が何であっても各行の合計は 1 です。one-hot の行は、このような行の極限で、両辺は正解について連続です。",
            ),
            steps=("Q", "J_3"),
        ),
        Section(
            Words("Mean, sum, smoothing, InfoNCE", "平均・合計・平滑化・InfoNCE"),
            Words(
                "The other losses are made from the same pieces.",
                "ほかの損失も同じ部品からできています。",
            ),
            steps=("J_sum", "J_mean", "Y_ls", "J_ls", "F"),
        ),
        Section(
            Words("In numbers", "数値で確かめる"),
            Words(
                "The logits of chapter 8 and of one more position, with {epsilon} one tenth and {tau} one half.",
                "第 8 章のロジットに位置を 1 つ加えた例です。{epsilon} は 10 分の 1、{tau} は 2 分の 1 とします。",
            ),
            inputs=("L", "Y"),
            steps=("P", "J", "J_1", "J_2", "J_sum", "J_mean", "J_ls", "F"),
            values={
                L: [[-1, 1, 2, 1, -2], [1, 2, 1, -1, -1]],
                Y: [[0, 0, 1, 0, 0], [0, 1, 0, 0, 0]],
                B: [[0, 0, 0, 0, 0], [0, 1, 0, 0, 0]],
                epsilon: 0.1,
                tau: 0.5,
            },
            exact=False,
        ),
    ),
)
