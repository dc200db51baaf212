"""Proof: where a softmax is nearly certain, almost no gradient passes through it."""

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
            Words("Scores, all larger by one factor", "同じ倍率を掛けた点数"),
            Words("The differences between scores grow with {t}.", "点数の差は {t} に比例して広がります。"),
        )
    },
)
GRADIENT = differentiate(FORWARD, ["C", S])
PASSED = GRADIENT.derivation
A, C = PASSED["A"].letter, PASSED["C"].letter
ONES = Ones(n, m)
WEIGHTS = Softmax(SCALED)
B, F = matrix("B", n, m), matrix("F", n, m)

BOUNDS = (
    Step(
        B,
        Hadamard(A, ONES - A),
        Hadamard(WEIGHTS, ONES - WEIGHTS),
        Words("The largest slope of each weight", "各重みの最大の傾き"),
        Words(
            "By its own score the slope is {a} times 1 − {a}. By another score it is, up to its sign, {a} times the other "
            "weight, which is at most 1 − {a}. So no entry of the Jacobian that belongs to this weight is larger.",
            "自分の点数に対する傾きは {a} と 1 − {a} の積です。ほかの点数に対する傾きの大きさは、{a} とその点数の重みの積で、"
            "その重みは 1 − {a} 以下です。したがって、この重みに関わるヤコビ行列の成分は、どれもこの値を超えません。",
        ),
    ),
    Step(
        F,
        Hadamard(A - Rational(1, 2) * ONES, A - Rational(1, 2) * ONES),
        Rational(1, 4) * ONES - Hadamard(WEIGHTS, ONES - WEIGHTS),
        Words("How far it is below one quarter", "4 分の 1 との差"),
        Words(
            "A square, so never negative: the slope is at most one quarter, at a weight of one half, and goes to 0 as the "
            "weight goes to 0 or to 1.",
            "2 乗なので負になりません。傾きは最大でも 4 分の 1（重みが 2 分の 1 のとき）で、重みが 0 または 1 に近づくと 0 に近づきます。",
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
                "{n} rows of {m} scores, all multiplied by the same {t}. The larger {t}, the more of a row goes to its highest "
                "score.",
                "点数が {m} 個ずつの行が {n} 個あり、すべてに同じ {t} を掛けます。{t} が大きいほど、行の重みは最も高い点数に集まります。",
            ),
            steps=("C", "A"),
        ),
        Section(
            Words("The gradient that passes", "通り抜ける勾配"),
            Words(
                "Every term of it carries a weight and a slope of the Jacobian below.",
                "どの項にも、次に示すヤコビ行列の傾きが掛かっています。",
            ),
            steps=("dC", "dS"),
            lines=softmax_jacobian(C, A, matrix("U", n, m), matrix("r", n, 1))[-1:],
        ),
        Section(
            Words("Why it vanishes", "なぜ消えるのか"),
            Words(
                "All other weights of a row share what the one weight leaves.",
                "1 つの重みを除いた残りを、その行のほかの重みすべてで分け合っています。",
            ),
            steps=("B", "F"),
        ),
        Section(
            Words("In numbers", "数値で確かめる"),
            Words(
                "One row of three scores, and a cotangent that asks for the second weight to grow. The larger {t}, the smaller "
                "the gradient by the scaled scores; the factor {t} of the chain rule makes up for that only at first. This is "
                "why scores are divided by the root of the number of components: otherwise they grow with that number.",
                "点数が 3 個の行で、2 番目の重みを増やすように求める勾配を与えます。{t} が大きいほど、倍率を掛けた点数による勾配は小さくなります。"
                "連鎖律で掛かる {t} がそれを補えるのは、初めのうちだけです。点数を成分の数の平方根で割るのはこのためです。"
                "割らなければ、点数は成分の数とともに大きくなります。",
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
