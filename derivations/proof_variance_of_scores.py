"""Proof: the dot product of independent vectors with standard components has the variance d_k, so it is divided by √d_k."""

from collections import Counter
from itertools import product

from sympy import sqrt

from symtransformer import Counts, Derivation, Fact, Section, Step, Words, dimension, matrix, parameter
from symtransformer.operations import Hadamard, Identity, Ones
from symtransformer.symbols import Literal

d_k = dimension("d_k")
a, b = parameter("a"), parameter("b")
Q, K = matrix("Q", 1, d_k), matrix("K", 1, d_k)
C_q, C_k = matrix("C_q", d_k, d_k), matrix("C_k", d_k, d_k)
S, G, V, U, T, N, W, M = (matrix(name, 1, 1) for name in ("S", "G", "V", "U", "T", "N", "W", "M"))
UNIT, ALL = Identity(d_k), Ones(d_k, 1)
SCORE = Q @ K.T

WIDTHS = (1, 4, 16, 64, 256)
SMALL = 2  # components of the example that is written out
SIGNS = list(product((1, -1), repeat=SMALL))
DOTS = Counter(sum(x * y for x, y in zip(q, k, strict=True)) for q in SIGNS for k in SIGNS)
PAIRS = sum(DOTS.values())


def total(entries):
    """All entries of a matrix added up."""
    return ALL.T @ entries @ ALL


SQUARE = (
    Step(
        S,
        SCORE,
        SCORE,
        Words("The dot product", "内積"),
        Words("Definition: the score before it is divided.", "定義です。割る前の点数です。"),
    ),
    Step(
        G,
        total(Hadamard(Q.T @ Q, K.T @ K)),
        SCORE @ SCORE,
        Words("Its square", "内積の 2 乗"),
        Words(
            "Proved for every {Q} and {K}: the square of a sum is the sum over all pairs of its terms. The products "
            "of two components of {Q} stand in one matrix, those of {K} in the other; the columns of ones add up all "
            "entries.",
            "どんな {Q} と {K} についても証明できます。和の 2 乗は、項のすべての組についての和です。{Q} の 2 つの成分の"
            "積が一方の行列に、{K} の 2 つの成分の積がもう一方の行列に並びます。1 を並べた列は、成分をすべて合計するための"
            "ものです。",
        ),
        coarse=S @ S,
    ),
)
ASSUMED = Step(
    V,
    total(Hadamard(C_q, C_k)),
    total(Hadamard(C_q, C_k)),
    Words("Assumption: the variance is this sum", "仮定：分散はこの和になる"),
    Words(
        "That {V} is the variance is assumed, not proved here: as an equation this line only defines {V}, and as such it "
        "counts as proved. It is what the mean of the line above becomes. {C_q} holds the means "
        "of the products of two components of {Q}, {C_k} those of {K}. Since {Q} and {K} are independent of each "
        "other, the mean of a product of both is the product of the means. Since the components have the mean 0, the "
        "dot product has the mean 0 as well, and its variance is the mean of its square.",
        "{V} が分散であることは仮定で、ここでは証明しません。式としては {V} を定めているだけなので、その意味では証明済みに数えます。"
        "上の式の平均をとるとこうなります。{C_q} は {Q} の "
        "2 つの成分の積の平均、{C_k} は {K} の 2 つの成分の積の平均です。{Q} と {K} は互いに独立なので、両者の積の平均は"
        "平均の積になります。成分の平均が 0 なので内積の平均も 0 で、分散は 2 乗の平均に等しくなります。",
    ),
)
STANDARD = (
    Step(
        U,
        Literal([[d_k]]),
        total(Hadamard(UNIT, UNIT)),
        Words("Independent components of variance 1", "成分が独立で分散 1 の場合"),
        Words(
            "The product of two different components has the mean 0, the square of one has the mean 1: both matrices "
            "are the identity matrix. What is proved is the sum: it has {d_k} terms equal to 1.",
            "異なる 2 つの成分の積の平均は 0、1 つの成分の 2 乗の平均は 1 なので、2 つの行列はどちらも単位行列です。"
            "証明するのは合計の値で、1 が {d_k} 個あります。",
        ),
        coarse=total(Hadamard(UNIT, UNIT)),
    ),
    Step(
        T,
        (S @ S) / d_k,
        (SCORE / sqrt(d_k)) @ (SCORE / sqrt(d_k)),
        Words("The square of the divided score", "割った後の点数の 2 乗"),
        Words(
            "Proved: dividing the score by the square root of {d_k} divides its square by {d_k}.",
            "証明できます。点数を {d_k} の平方根で割ると、その 2 乗は {d_k} で割られます。",
        ),
        coarse=(S / sqrt(d_k)) @ (S / sqrt(d_k)),
    ),
    Step(
        N,
        Literal([[1]]),
        total(Hadamard(UNIT, UNIT)) / d_k,
        Words("Its variance", "その分散"),
        Words(
            "Under these assumptions, whatever the width, the divided scores have the variance 1. This is why softmax receives scores "
            "of the same size in narrow and in wide heads.",
            "この仮定のもとで、次元がいくつでも、割った後の点数の分散は 1 です。そのため、ヘッドの次元が小さくても大きくても、"
            "Softmax に入る点数の大きさはそろいます。",
        ),
        coarse=U / d_k,
    ),
)
OTHER = (
    Step(
        W,
        Literal([[a * b * d_k]]),
        total(Hadamard(a * UNIT, b * UNIT)),
        Words("Other variances", "分散が 1 でない場合"),
        Words(
            "Components of {Q} with the variance {a}, of {K} with the variance {b}: the factor of the two stays, "
            "whatever one divides by.",
            "{Q} の成分の分散が {a}、{K} の成分の分散が {b} なら、その積が因子として残ります。",
        ),
        coarse=total(Hadamard(a * UNIT, b * UNIT)),
    ),
    Step(
        M,
        Literal([[d_k**2]]),
        total(Hadamard(ALL @ ALL.T, ALL @ ALL.T)),
        Words("Components that are all equal", "成分がすべて等しい場合"),
        Words(
            "Here the components of a vector are not independent of one another, and all means of products are 1. "
            "The variance is the square of {d_k}, so independence cannot be left out.",
            "1 つのベクトルの成分どうしが独立でない例で、積の平均はすべて 1 になります。分散は {d_k} の 2 乗になるので、"
            "独立という仮定は省けません。",
        ),
        coarse=total(Hadamard(ALL @ ALL.T, ALL @ ALL.T)),
    ),
)

derivation = Derivation(
    steps=(*SQUARE, ASSUMED, *STANDARD, *OTHER),
    title=Words("Why scores are divided by the square root of the width", "点数を次元の平方根で割る理由"),
    sections=(
        Section(
            Words("Assumptions", "仮定"),
            Words(
                "{Q} is a query and {K} a key with {d_k} components each. Their components are random numbers with "
                "the mean 0 and the variance 1, and all of them are independent: those of {Q} of those of {K}, and "
                "the components of one vector of one another. Trained vectors need not be like that; it is a model "
                "of what happens at the start of training. Notation: ⊙ multiplies entry by entry; a row of ones (in print a bold 1), a matrix and "
                "a column of ones make the sum of all its entries.",
                "{Q} は 1 つのクエリ、{K} は 1 つのキーで、どちらも {d_k} 個の成分を持ちます。成分は平均 0、分散 1 の"
                "確率変数で、すべて独立だとします。つまり {Q} の成分と {K} の成分も、1 つのベクトルの成分どうしも独立です。"
                "学習後のベクトルがそうなるとは限りません。学習を始めた時点のようすを表すモデルです。記法：⊙ は成分ごとに掛けます。"
                "行列の左に 1 を並べた行（印刷版では太字の 1）、右に 1 を並べた列を掛けると、すべての成分の合計になります。",
            ),
            steps=("S",),
        ),
        Section(
            Words("The variance of a dot product", "内積の分散"),
            Words(
                "First the square of the dot product is written as a sum over pairs of components; then means are "
                "taken.",
                "まず内積の 2 乗を成分の組についての和に書き直し、次に平均をとります。",
            ),
            steps=("G", "V", "U"),
        ),
        Section(
            Words("After the division", "割った後"),
            Words(
                "The spread of the scores grows with the square root of {d_k}; dividing by it takes that away.",
                "点数の標準偏差は {d_k} の平方根に比例して大きくなります。その平方根で割れば、増えた分がなくなります。",
            ),
            steps=("T", "N"),
            tables=(
                Counts(
                    Words("Variance and standard deviation of a score", "点数の分散と標準偏差"),
                    (
                        Words("width", "次元"),
                        Words("variance", "分散"),
                        Words("standard deviation", "標準偏差"),
                        Words("variance after the division", "割った後の分散"),
                    ),
                    tuple((width, width, sqrt(width), width / sqrt(width) ** 2) for width in WIDTHS),
                ),
            ),
        ),
        Section(
            Words("A case that can be counted", "数え上げて確かめる"),
            Words(
                "Let every component be 1 or −1, each with probability one half, in two components. All pairs of a "
                "query and a key are equally likely, and can be counted.",
                "成分が 2 個で、どの成分も確率 1/2 ずつで 1 か −1 になるとします。クエリとキーの組はどれも同じ確率なので、"
                "すべて数え上げられます。",
            ),
            tables=(
                Counts(
                    Words("Dot products of all pairs", "すべての組の内積"),
                    (
                        Words("dot product", "内積"),
                        Words("pairs", "組の数"),
                        Words("its square, times the pairs", "2 乗 × 組の数"),
                    ),
                    tuple((dot, DOTS[dot], dot**2 * DOTS[dot]) for dot in sorted(DOTS)),
                ),
            ),
            facts=(
                Fact(
                    Words(
                        "The mean is {0} / {1} = {2}, and the mean of the squares, which is the variance, is "
                        "{3} / {1} = {4}: the number of components.",
                        "平均は {0} / {1} = {2} で、2 乗の平均、つまり分散は {3} / {1} = {4} です。成分の数に等しい値です。",
                    ),
                    (
                        sum(dot * times for dot, times in DOTS.items()),
                        PAIRS,
                        0,
                        sum(dot**2 * times for dot, times in DOTS.items()),
                        SMALL,
                    ),
                ),
            ),
        ),
        Section(
            Words("Where the assumptions matter", "仮定が効くところ"),
            Words(
                "The same sum for two other cases; in general neither gives {d_k}.",
                "ほかの 2 つの場合について同じ合計を求めます。どちらも一般には {d_k} になりません。",
            ),
            steps=("W", "M"),
        ),
    ),
)
