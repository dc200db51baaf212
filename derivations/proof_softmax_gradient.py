"""Proof: the Jacobian of softmax, and the gradient by the scores that follows from it."""

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
    title=Words("The Jacobian of softmax, and the gradient by the scores", "Softmax のヤコビ行列と点数による勾配"),
    sections=(
        Section(
            Words("Softmax", "Softmax"),
            Words(
                "{n} rows of {m} scores each; both numbers are any. A weight depends on all scores of its own row, and on no "
                "other.",
                "点数が {m} 個ずつの行が {n} 個あります（どちらの数も任意）。重みは自分の行の点数すべてによって決まり、ほかの行の点数にはよりません。",
            ),
            steps=("A",),
        ),
        Section(
            Words("The Jacobian", "ヤコビ行列"),
            Words(
                "How weight {j} of row {i} changes with score {l} of the same row. With {u} for the exponentials and {c} for "
                "the sum of each row, a weight is {u} over {c}.",
                "第 {i} 行の {j} 番目の重みが、同じ行の {l} 番目の点数によってどう変わるかを求めます。指数関数を {u}、行の合計を {c} と書くと、"
                "重みは {u} を {c} で割ったものです。",
            ),
            lines=JACOBIAN,
        ),
        Section(
            Words("The gradient by a score", "点数による勾配"),
            Words(
                "The chain rule adds up over all weights of the row. The delta leaves one term, and the other becomes the "
                "mean of the cotangents, weighted by the weights.",
                "連鎖律により、行のすべての重みについて足します。デルタのある項からは 1 つの項だけが残り、もう一方の項は、"
                "上流の勾配の重み付き平均になります。",
            ),
            lines=index_form(GRADIENT, "S").every_line,
            steps=("dS",),
        ),
        Section(
            Words("In numbers", "数値で確かめる"),
            Words(
                "Two rows of three scores. Each row of the gradient adds up to 0: a number added to a whole row of scores "
                "changes no weight.",
                "点数が 3 個の行が 2 つある例です。勾配はどの行も合計が 0 です。行全体に同じ数を足しても、重みは変わらないからです。",
            ),
            inputs=("S", "dA"),
            steps=("A", "dS"),
            values={S: [[2, 1, 0], [0, 0, 3]], GRADIENT.cotangent: [[1, 0, -1], [0.5, 2, 0]]},
            exact=False,
        ),
    ),
)
