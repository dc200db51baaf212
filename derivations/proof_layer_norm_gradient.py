"""Proof: the gradient of LayerNorm, through its mean, deviations and root, and put together into one line."""

from symtransformer import Derivation, Section, Step, Words, derive, differentiate, dimension, matrix, parameter
from symtransformer.operations import (
    Broadcast,
    Hadamard,
    Ones,
    RowDivision,
    RowMean,
    RowSum,
    SquareRoot,
)

n, d = dimension("n"), dimension("d_model")
epsilon = parameter("epsilon")
X = matrix("X", n, d)


def repeated(column):
    return Broadcast(column, d)


MEAN = RowMean(X)
DEVIATIONS = X - repeated(MEAN)
SQUARES = Hadamard(DEVIATIONS, DEVIATIONS)
VARIANCE = RowMean(SQUARES)
ROOT = SquareRoot(VARIANCE + epsilon * Ones(n, 1))
NAMES = {
    MEAN: (
        "mu",
        Words("Mean of each row", "行ごとの平均"),
        Words("One number for each row.", "行ごとに 1 つの数です。"),
    ),
    DEVIATIONS: (
        "Delta",
        Words("Deviations", "偏差"),
        Words("The mean of the row is subtracted from every entry.", "行の各成分から、その行の平均を引きます。"),
    ),
    SQUARES: (
        "Sq",
        Words("Their squares", "偏差の 2 乗"),
        Words("Each deviation times itself.", "各偏差に、それ自身を掛けます。"),
    ),
    VARIANCE: (
        "Var",
        Words("Variance of each row", "行ごとの分散"),
        Words("The mean of the squared deviations.", "偏差の 2 乗の平均です。"),
    ),
    ROOT: (
        "sigma",
        Words("Root of the variance", "分散の平方根"),
        Words(
            "The small number {epsilon}, 0 or above, is added inside the root.",
            "0 以上の小さな数 {epsilon} を足してから、平方根をとります。",
        ),
    ),
}
GRADIENT = differentiate(derive({"H": RowDivision(DEVIATIONS, ROOT)}, names=NAMES), X)
PASSED = GRADIENT.derivation
H, sigma = PASSED["H"].letter, PASSED["sigma"].letter
dH = GRADIENT.cotangent
dDelta_2, nu, dX_2 = matrix("dDelta_2", n, d), matrix("nu", n, 1), matrix("dX_2", n, d)
alpha, beta = matrix("alpha", n, 1), matrix("beta", n, 1)

TOGETHER = (
    Step(
        alpha,
        RowMean(dH),
        RowMean(dH),
        Words("Mean of the cotangent", "上流の勾配の平均"),
        Words("Definition. The mean of each row of {dH}.", "定義です。{dH} の行ごとの平均です。"),
    ),
    Step(
        beta,
        RowMean(Hadamard(dH, H)),
        RowMean(Hadamard(dH, PASSED["H"].stands_for)),
        Words("Mean of the products", "積の平均"),
        Words(
            "Definition. {dH} times {H}, entry by entry, and the mean of each row.",
            "定義です。{dH} と {H} を成分ごとに掛け、行ごとに平均します。",
        ),
    ),
    Step(
        dDelta_2,
        RowDivision(dH - Hadamard(H, repeated(beta)), sigma),
        PASSED["dDelta"].stands_for,
        Words("Gradient with respect to the deviations, written with {H}", "偏差に関する勾配を {H} で表す"),
        Words(
            "A deviation divided by {sigma} is an entry of {H}. The sum of the products, divided by {d_model}, is their mean {beta}.",
            "偏差を {sigma} で割ると {H} の成分になります。積の合計を {d_model} で割ったものは、その平均 {beta} です。",
        ),
        coarse=PASSED["dDelta"].letter,
    ),
    Step(
        nu,
        -RowDivision(RowSum(dH), sigma),
        PASSED["dmu"].stands_for,
        Words("Gradient with respect to the mean, simplified", "平均に関する勾配を簡単にする"),
        Words(
            "The deviations of a row add up to 0, and so do the entries of a row of {H}: the term with {H} vanishes.",
            "どの行でも偏差の合計は 0 なので、{H} の行の合計も 0 です。そのため、{H} を含む項は消えます。",
        ),
        coarse=PASSED["dmu"].letter,
    ),
    Step(
        dX_2,
        RowDivision(dH - repeated(alpha) - Hadamard(H, repeated(beta)), sigma),
        PASSED["dX"].stands_for,
        Words("Gradient with respect to the input, in one line", "入力に関する勾配を 1 行にまとめる"),
        Words(
            "From each row of {dH} its mean {alpha} is subtracted, and {beta} times the row of {H}; what is left is divided by "
            "{sigma}. If {epsilon} is 0, shifting or stretching a row of the input does not change {H}, and "
            "what is subtracted is exactly the part of {dH} along these two directions.",
            "{dH} の各行から、その平均 {alpha} と、{H} の行の {beta} 倍を引き、残りを {sigma} で割ります。"
            "{epsilon} が 0 なら、入力の行全体をずらしたり引き伸ばしたりしても {H} は変わりません。引いているのは、{dH} のうちちょうどこの 2 つの方向の成分です。",
        ),
        coarse=PASSED["dX"].letter,
    ),
)

derivation = Derivation(
    steps=(*PASSED.steps, *TOGETHER),
    title=Words("The gradient of LayerNorm", "LayerNorm の勾配"),
    sections=(
        Section(
            Words("Forward", "順方向"),
            Words(
                "{n} rows of length {d_model}; both numbers are arbitrary. Gain and shift come afterwards: with a gain, {dH} below "
                "is the cotangent of the output with each column multiplied by its gain. mean and rowsum take the mean and the sum of each row, "
                "broadcast repeats a column side by side, ⊙ multiplies and ⊘ divides entry by entry, and divide divides each "
                "row by its own number; ones, a bold 1 where the page is typeset, is a column of ones.",
                "{n} 個の行があり、長さはどれも {d_model} です（どちらも任意）。ゲインとシフトはこの後に来ます。ゲインがあるときの {dH} は、"
                "上流の勾配（出力の勾配）の各列にゲインを掛けたものです。mean と rowsum は行ごとの平均と合計、broadcast は列の横への繰り返し、⊙ と ⊘ は成分ごとの積と商で、"
                "divide は各行を、行ごとに決まった数で割ります。ones（組版したページでは太字の 1）は、すべての成分が 1 の列です。",
            ),
            steps=("mu", "Delta", "Sq", "Var", "sigma", "H"),
        ),
        Section(
            Words("Backward, step by step", "逆方向に 1 ステップずつ"),
            Words(
                "The deviations are used twice, in {H} and in the squares; {X} is used twice as well, in the deviations "
                "and in the mean. What comes from each use is added up.",
                "偏差は {H} と偏差の 2 乗の 2 か所で使われ、{X} も偏差と平均の 2 か所で使われています。それぞれから来る勾配を足します。",
            ),
            steps=("dsigma", "dVar", "dSq", "dDelta", "dmu", "dX"),
        ),
        Section(
            Words("Put together", "まとめる"),
            Words(
                "All steps are substituted into one another and written with {H} and {sigma}, which the forward pass has "
                "computed.",
                "すべてのステップを順に代入し、順方向の計算で求めた {H} と {sigma} で表します。",
            ),
            steps=("alpha", "beta", "dDelta_2", "nu", "dX_2"),
        ),
        Section(
            Words("In numbers", "数値で確かめる"),
            Words(
                "Two rows of three entries; {epsilon} is 0. Each row of the gradient adds up to 0.",
                "成分が 3 個の行が 2 つあり、{epsilon} は 0 とします。勾配のどの行も、合計は 0 です。",
            ),
            inputs=("X", "dH"),
            steps=("mu", "Delta", "sigma", "H", "dDelta", "dmu", "dX", "alpha", "beta", "dX_2"),
            values={X: [[1, 2, 6], [0.5, -1, 2]], dH: [[1, 0, -1], [0.5, 2, 0]], epsilon: 0},
            exact=False,
        ),
    ),
)
