"""Proof: where a softmax is nearly certain, almost no gradient passes through it."""

from dataclasses import replace

from sympy import Rational

from symtransformer import (
    Column,
    Derivation,
    Section,
    Step,
    Sweep,
    Words,
    derive,
    differentiate,
    dimension,
    matrix,
    parameter,
)
from symtransformer.index_notation import softmax_jacobian
from symtransformer.operations import Hadamard, Ones, Softmax

n, m = dimension("n"), dimension("m")
t = parameter("t")
S = matrix("S", n, m)
SCALED = t * S
FORWARD = derive(
    {"A": Softmax(SCALED)},
    names={
        SCALED: (
            "C",
            Words("Scores, all multiplied by the same number", "同じ数を掛けた点数"),
            Words("The differences between scores grow with {t}.", "点数の差は {t} に比例して広がります。"),
        )
    },
)
GRADIENT = differentiate(FORWARD, ["C", S])
PASSED = GRADIENT.derivation
A, C = PASSED["A"].letter, PASSED["C"].letter
ONES = Ones(n, m)
RULE = Words("Jacobian of softmax", "Softmax のヤコビ行列")
WHERE = Words(
    "The page on the Jacobian of softmax derives it line by line. A delta is 1 where its two indices are equal, else 0.",
    "Softmax のヤコビ行列のページで 1 行ずつ導いています。δ は、2 つの添字が等しければ 1、違えば 0 です。",
)
WEIGHTS = Softmax(SCALED)
B, F = matrix("B", n, m), matrix("F", n, m)

BOUNDS = (
    Step(
        B,
        Hadamard(A, ONES - A),
        Hadamard(WEIGHTS, ONES - WEIGHTS),
        Words("The largest slope of each weight", "各係数の最大の傾き"),
        Words(
            "With respect to its own score, the slope of a weight {a} is {a} times 1 − {a}. With respect to another score it is, "
            "up to the sign, {a} times the weight of that score, which is at most 1 − {a}. So no derivative of this weight is "
            "larger in size.",
            "係数 {a} の、自分の点数に対する傾きは {a} と 1 − {a} の積です。ほかの点数に対する傾きの大きさは、{a} とその点数の係数の積で、"
            "その係数は 1 − {a} 以下です。したがって、この係数をどの点数で微分しても、大きさはこの値を超えません。",
        ),
    ),
    Step(
        F,
        Hadamard(A - Rational(1, 2) * ONES, A - Rational(1, 2) * ONES),
        Rational(1, 4) * ONES - Hadamard(WEIGHTS, ONES - WEIGHTS),
        Words("How far it is below one quarter", "4 分の 1 との差"),
        Words(
            "A square, so never negative: the slope is at most one quarter, reached at a weight of one half, and goes to 0 as "
            "the weight goes to 0 or to 1.",
            "2 乗なので負になりません。傾きは最大でも 4 分の 1（係数が 2 分の 1 のとき）で、係数が 0 または 1 に近づくと 0 に近づきます。",
        ),
        coarse=Rational(1, 4) * ONES - B,
    ),
)

derivation = Derivation(
    steps=(*PASSED.steps, *BOUNDS),
    title=Words("The saturation of softmax", "Softmax の飽和"),
    sections=(
        Section(
            Words("Softmax of larger and larger scores", "点数を大きくしていく"),
            Words(
                "{n} rows of {m} scores, all multiplied by the same number {t}. If one score of a row is the highest, its weight "
                "goes to 1 as {t} grows, and all other weights of the row go to 0.",
                "点数が {m} 個ずつの行が {n} 個あり、すべてに同じ数 {t} を掛けます。行の中で最も高い点数が 1 つなら、{t} を大きくするとその係数は 1 に、"
                "同じ行のほかの係数は 0 に近づきます。",
            ),
            steps=("C", "A"),
        ),
        Section(
            Words("The gradient that passes", "通り抜ける勾配"),
            Words(
                "Every entry of it is a sum of cotangents, each multiplied by an entry of the Jacobian below, and for {S} by {t} as "
                "well. ⊙ multiplies entry by entry, rowsum adds up each row, broadcast repeats a column side by side.",
                "どの成分も、上流の勾配に下のヤコビ行列の成分を掛けて足したもので、{S} の勾配ではさらに {t} が掛かります。"
                "⊙ は成分ごとの積、rowsum は行ごとの合計で、broadcast は列を横に並べて繰り返します。",
            ),
            steps=("dC", "dS"),
            lines=(
                replace(softmax_jacobian(C, A, matrix("U", n, m), matrix("r", n, 1))[-1], rule=RULE, explanation=WHERE),
            ),
        ),
        Section(
            Words("Why it vanishes", "なぜ消えるのか"),
            Words(
                "The weights of a row add up to 1: all the others share what one of them leaves. Below, ones, a bold 1 where the "
                "page is typeset, is a matrix of ones.",
                "1 行の係数の合計は 1 なので、1 つの係数を除いた残りを、ほかのすべての係数で分け合っています。"
                "下の ones（組版したページでは太字の 1）は、すべての成分が 1 の行列です。",
            ),
            steps=("B", "F"),
        ),
        Section(
            Words("In numbers", "数値で確かめる"),
            Words(
                "One row of three scores, and a cotangent that asks for a larger second weight. The larger {t}, the smaller the "
                "gradient with respect to the multiplied scores {C}; the factor {t} of the chain rule makes up for that only at "
                "first. This is why attention divides the scores by the root of the number of components: otherwise they "
                "typically become larger with that number.",
                "点数が 3 個の行に、2 番目の係数を大きくするほうへ働く上流の勾配を与えます。{t} が大きいほど、{t} を掛けた点数 {C} に関する勾配は小さくなります。"
                "連鎖律で掛かる {t} がそれを補えるのは、初めのうちだけです。アテンションで点数を成分の数の平方根で割るのはこのためです。"
                "割らなければ、点数はふつう成分の数とともに大きくなります。",
            ),
            inputs=("S", "dA"),
            values={S: [[2, 1, 0]], GRADIENT.cotangent: [[0, -1, 0]], t: 1},
            sweep=Sweep(
                t,
                (Rational(1, 2), 1, 2, 4, 8, 16),
                (Column("A", 0, 0), Column("A", 0, 1), Column("B", 0, 0), Column("dC", 0, 1), Column("dS", 0, 1)),
            ),
            exact=False,
        ),
    ),
)
