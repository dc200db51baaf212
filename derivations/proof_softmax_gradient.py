"""Proof: the Jacobian of softmax, and the gradient with respect to the scores that follows from it."""

from symtransformer import Derivation, Section, Words, derive, differentiate, dimension, matrix
from symtransformer.index_notation import index_form, softmax_jacobian
from symtransformer.operations import Softmax

n, m = dimension("n"), dimension("m")
S = matrix("S", n, m)
FORWARD = derive({"A": Softmax(S)})
GRADIENT = differentiate(FORWARD, S)
A = FORWARD["A"].letter
JACOBIAN = softmax_jacobian(S, A, matrix("U", n, m), matrix("c", n, 1))

derivation = Derivation(
    steps=GRADIENT.derivation.steps,
    title=Words(
        "The Jacobian of softmax, and the gradient with respect to the scores",
        "Softmax のヤコビ行列と点数に関する勾配",
    ),
    sections=(
        Section(
            Words("Softmax", "Softmax"),
            Words(
                "{n} rows of {m} scores each; both numbers are arbitrary. A weight depends on all scores of its own row, and "
                "on no others.",
                "点数が {m} 個ずつの行が {n} 個あります（どちらの数も任意）。係数は自分の行の点数すべてによって決まり、ほかの行の点数にはよりません。",
            ),
            steps=("A",),
        ),
        Section(
            Words("The Jacobian", "ヤコビ行列"),
            Words(
                "How does weight {j} of row {i} change with score {l} of the same row? With {u} for the exponentials and {c} "
                "for the sum of each row, a weight is {u} divided by {c}. A delta is 1 where its two indices are equal, and 0 "
                "elsewhere.",
                "第 {i} 行の {j} 番目の係数が、同じ行の {l} 番目の点数によってどう変わるかを求めます。指数関数を {u}、行の合計を {c} と書くと、"
                "係数は {u} を {c} で割ったものです。δ は、2 つの添字が等しければ 1、違えば 0 です。",
            ),
            lines=JACOBIAN,
        ),
        Section(
            Words("The gradient with respect to a score", "点数に関する勾配"),
            Words(
                "The gradient with respect to the weights, {dA}, is given: the cotangent. The chain rule adds up over all weights "
                "of the row. Of the part with the delta one term is left; in the other part stands the mean of the cotangents, "
                "weighted by the weights. In the matrix form ⊙ multiplies entry by entry, rowsum adds up each row, and "
                "broadcast repeats a column side by side.",
                "係数に関する勾配 {dA}（上流の勾配）が与えられているとします。連鎖律により、行のすべての係数について足します。"
                "δ のある部分からは 1 つの項だけが残り、もう一方の部分には、係数による上流の勾配の加重平均が現れます。"
                "行列の形では、⊙ は成分ごとの積、rowsum は行ごとの合計で、broadcast は列を横に並べて繰り返します。",
            ),
            lines=index_form(GRADIENT, "S").every_line,
            steps=("dS",),
        ),
        Section(
            Words("In numbers", "数値で確かめる"),
            Words(
                "Two rows of three scores. Each row of the gradient adds up to 0, because adding the same number to a whole row "
                "of scores changes no weight.",
                "点数が 3 個の行が 2 つある例です。勾配はどの行も合計が 0 です。行全体に同じ数を足しても、係数は変わらないからです。",
            ),
            inputs=("S", "dA"),
            steps=("A", "dS"),
            values={S: [[2, 1, 0], [0, 0, 3]], GRADIENT.cotangent: [[1, 0, -1], [0.5, 2, 0]]},
            exact=False,
        ),
    ),
)
