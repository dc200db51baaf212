"""Proof: the backward pass of an RMSNorm kernel, from the saved 1/σ, is the plain one."""

from dataclasses import replace

from symtransformer import Derivation, Section, Step, Words, derive, differentiate, dimension, matrix
from symtransformer.operations import (
    Broadcast,
    EntryDivision,
    Hadamard,
    Ones,
    RMSDivision,
    RootMeanSquare,
    RowDivision,
    RowMean,
)

n, d = dimension("n"), dimension("d_model")
X = matrix("X", n, d)

PLAIN = differentiate(derive({"H": RMSDivision(X)}), X).derivation
H, sigma, dX = (PLAIN[name].letter for name in ("H", "sigma", "dX"))
dH = matrix("dH", n, d)

rho, beta, tau = matrix("rho", n, 1), matrix("beta", n, 1), matrix("tau", n, 1)
H_2, dX_2 = matrix("H_2", n, d), matrix("dX_2", n, d)


def repeated(column):
    return Broadcast(column, d)


BEHIND_BETA = RowMean(Hadamard(dH, RMSDivision(X)))
IN_PARTS = (
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
        expression=RowDivision(dH - Hadamard(H, repeated(beta)), sigma),
        explanation=Words(
            "{X} is used in {H}. From each row of {dH}, {beta} times the row of {H} is subtracted; what is left is divided by "
            "{sigma}.",
            "{X} は {H} の計算で使われています。{dH} の各行から、{H} の行の {beta} 倍を引き、残りを {sigma} で割ります。",
        ),
    ),
)
KERNEL = (
    Step(
        rho,
        EntryDivision(Ones(n, 1), sigma),
        EntryDivision(Ones(n, 1), RootMeanSquare(X)),
        Words("One over the root mean square", "二乗平均平方根の逆数"),
        Words(
            "Definition. The one number that the forward pass keeps for each row.",
            "定義です。順方向の計算が行ごとに残すのは、この数 1 つだけです。",
        ),
    ),
    Step(
        H_2,
        Hadamard(X, repeated(rho)),
        RMSDivision(X),
        Words("Normalized rows, computed again", "正規化した行をもう一度求める"),
        Words("Each row is multiplied by its number.", "各行に、その行の数を掛けます。"),
        coarse=H,
    ),
    Step(
        tau,
        RowMean(Hadamard(dH, H_2)),
        BEHIND_BETA,
        Words("Mean of the products, from the rows computed again", "計算し直した行による積の平均"),
        Words("One number for each row, as before.", "前と同じく、行ごとに 1 つの数です。"),
        coarse=beta,
    ),
    Step(
        dX_2,
        Hadamard(dH - Hadamard(H_2, repeated(tau)), repeated(rho)),
        PLAIN["dX"].stands_for,
        Words("Gradient with respect to {X}, kernel form", "{X} に関する勾配（カーネルで使う形）"),
        Words(
            "One mean for each row is enough: RMSNorm does not subtract the mean of a row, so there is no mean of {dH} to subtract "
            "here.",
            "行ごとの平均は 1 つで足ります。RMSNorm は行の平均を引かないので、ここでも {dH} の平均を引く必要はありません。",
        ),
        coarse=dX,
    ),
)

derivation = Derivation(
    steps=(*(step for step in PLAIN.steps if step.name != "dX"), *IN_PARTS, *KERNEL),
    title=Words("The backward pass of an RMSNorm kernel", "RMSNorm のカーネルが行う逆伝播"),
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
            steps=("H", "sigma", "beta", "dX"),
        ),
        Section(
            Words("From one saved number for each row", "行ごとに残した 1 つの数から"),
            Words(
                "A kernel keeps one number for each row.",
                "カーネルが残すのは、行ごとに数 1 つです。",
            ),
            steps=("rho", "H_2", "tau", "dX_2"),
        ),
        Section(
            Words("In numbers", "数値で確かめる"),
            Words(
                "Two rows of three entries. Both forms of the gradient agree.",
                "成分が 3 個の行が 2 つある例です。勾配は 2 つの形で一致します。",
            ),
            inputs=("X", "dH"),
            steps=("H", "sigma", "beta", "dX", "rho", "H_2", "tau", "dX_2"),
            values={X: [[1, 2, 6], [0.5, -1, 2]], dH: [[1, 0, -1], [0.5, 2, 0]]},
            exact=False,
        ),
    ),
)
