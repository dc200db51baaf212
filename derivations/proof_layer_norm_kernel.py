"""Proof: the backward pass of a LayerNorm kernel, from the saved mean and 1/σ, is the plain one."""

from dataclasses import replace

from symtransformer import Derivation, Section, Step, Words, derive, differentiate, dimension, matrix
from symtransformer.operations import (
    Broadcast,
    EntryDivision,
    Hadamard,
    Ones,
    RowDivision,
    RowMean,
    StandardDeviation,
    Standardization,
)

n, d = dimension("n"), dimension("d_model")
X = matrix("X", n, d)

PLAIN = differentiate(derive({"H": Standardization(X)}), X).derivation
H, sigma, dX = (PLAIN[name].letter for name in ("H", "sigma", "dX"))
dH = matrix("dH", n, d)

mu, rho = matrix("mu", n, 1), matrix("rho", n, 1)
alpha, beta, tau = matrix("alpha", n, 1), matrix("beta", n, 1), matrix("tau", n, 1)
H_2, dX_2 = matrix("H_2", n, d), matrix("dX_2", n, d)
RECIPROCAL = EntryDivision(Ones(n, 1), StandardDeviation(X))


def repeated(column):
    return Broadcast(column, d)


BEHIND_BETA = RowMean(Hadamard(dH, Standardization(X)))
MEANS = (
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
        BEHIND_BETA,
        Words("Mean of the products", "積の平均"),
        Words(
            "Definition. {dH} times {H}, entry by entry, and the mean of each row.",
            "定義です。{dH} と {H} を成分ごとに掛け、行ごとに平均します。",
        ),
    ),
    replace(
        PLAIN["dX"],
        expression=RowDivision(dH - repeated(alpha) - Hadamard(H, repeated(beta)), sigma),
        explanation=Words(
            "{X} is used in {H}. From each row of {dH} its mean {alpha} is subtracted, and {beta} times the row of {H}; what "
            "is left is divided by {sigma}.",
            "{X} は {H} の計算で使われています。{dH} の各行から、その平均 {alpha} と、{H} の行の {beta} 倍を引き、残りを {sigma} で割ります。",
        ),
    ),
)
KERNEL = (
    Step(
        mu,
        RowMean(X),
        RowMean(X),
        Words("Mean of each row", "行ごとの平均"),
        Words("Definition. Kept by the forward pass.", "定義です。順方向の計算で残しておきます。"),
    ),
    Step(
        rho,
        EntryDivision(Ones(n, 1), sigma),
        RECIPROCAL,
        Words("One over the standard deviation", "標準偏差の逆数"),
        Words(
            "Definition. Kept as well, so that the backward pass multiplies by it instead of dividing by {sigma}.",
            "定義です。これも残しておくと、逆伝播では {sigma} で割る代わりに、この数を掛けるだけで済みます。",
        ),
    ),
    Step(
        H_2,
        Hadamard(X - repeated(mu), repeated(rho)),
        Standardization(X),
        Words("Normalized rows, computed again", "正規化した行をもう一度求める"),
        Words(
            "The rows of {X} and two numbers for each of them are enough.",
            "{X} の行と、行ごとの 2 つの数があれば求められます。",
        ),
        coarse=H,
    ),
    Step(
        tau,
        RowMean(Hadamard(dH, H_2)),
        BEHIND_BETA,
        Words("Mean of the products, from the rows computed again", "計算し直した行による積の平均"),
        Words(
            "The first pass over a row takes {alpha} and this mean.",
            "行の 1 回目の走査で、{alpha} とこの平均を求めます。",
        ),
        coarse=beta,
    ),
    Step(
        dX_2,
        Hadamard(dH - repeated(alpha) - Hadamard(H_2, repeated(tau)), repeated(rho)),
        PLAIN["dX"].stands_for,
        Words("Gradient with respect to {X}, kernel form", "{X} に関する勾配（カーネルで使う形）"),
        Words(
            "The second pass writes the result, with a product in place of the division.",
            "2 回目の走査で結果を書き込みます。割り算の代わりに掛け算をします。",
        ),
        coarse=dX,
    ),
)

derivation = Derivation(
    steps=(*(step for step in PLAIN.steps if step.name != "dX"), *MEANS, *KERNEL),
    title=Words("The backward pass of a LayerNorm kernel", "LayerNorm のカーネルが行う逆伝播"),
    sections=(
        Section(
            Words("The plain gradient", "そのままの勾配"),
            Words(
                "{dH} is the gradient of the loss with respect to the normalized rows {H}. Where there is a gain, {dH} is the "
                "cotangent of the output with each column multiplied by its gain. The sizes {n} and {d_model} are arbitrary. "
                "mean takes the mean of each row, broadcast repeats a column side by side, ⊙ multiplies entry by entry, and "
                "divide divides each row by its own number; ones, a bold 1 where the page is typeset, is a column of ones.",
                "{dH} は、損失を正規化した行 {H} で微分した勾配です。ゲインがあるときの {dH} は、上流の勾配（出力の勾配）の各列にゲインを掛けたものです。"
                "{n} と {d_model} は何でもかまいません。mean は行ごとの平均、broadcast は列の横への繰り返し、⊙ は成分ごとの積で、"
                "divide は各行を、行ごとに決まった数で割ります。ones（組版したページでは太字の 1）は、すべての成分が 1 の列です。",
            ),
            steps=("H", "sigma", "alpha", "beta", "dX"),
        ),
        Section(
            Words("From two saved numbers for each row", "行ごとに残した 2 つの数から"),
            Words(
                "A kernel keeps two numbers for each row and computes the normalized rows again.",
                "カーネルは行ごとに 2 つの数だけを残し、正規化した行は計算し直します。",
            ),
            steps=("mu", "rho", "H_2", "tau", "dX_2"),
        ),
        Section(
            Words("In numbers", "数値で確かめる"),
            Words(
                "Two rows of three entries. Both forms of the gradient agree.",
                "成分が 3 個の行が 2 つある例です。勾配は 2 つの形で一致します。",
            ),
            inputs=("X", "dH"),
            steps=("H", "sigma", "alpha", "beta", "dX", "mu", "rho", "H_2", "tau", "dX_2"),
            values={X: [[1, 2, 6], [0.5, -1, 2]], dH: [[1, 0, -1], [0.5, 2, 0]]},
            exact=False,
        ),
    ),
)
