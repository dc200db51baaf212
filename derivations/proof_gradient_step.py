"""Proof: what one step of gradient descent does to a squared loss, exactly."""

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
from symtransformer.operations import GradientStep, Hadamard, Ones, RowSum

n, d, K = dimension("n"), dimension("d"), dimension("K")
eta = parameter("eta")
X, W, T = matrix("X", n, d), matrix("W", d, K), matrix("T", n, K)


def total_of_squares(rows):
    """The squares of all entries, added up."""
    return Ones(1, rows.shape[0]) @ RowSum(Hadamard(rows, rows))


ERROR = X @ W - T
LOSS = total_of_squares(ERROR) / 2
GRADIENT = differentiate(
    derive(
        LOSS,
        names={
            LOSS: (
                "J",
                Words("Loss", "損失"),
                Words("Half the sum of the squared errors.", "誤差の 2 乗の合計の半分です。"),
            ),
            ERROR: (
                "E",
                Words("Error", "誤差"),
                Words("The output minus the target.", "出力から目標を引いたものです。"),
            ),
        },
    ),
    W,
)
PASSED = GRADIENT.derivation
E, J, dW = PASSED["E"].letter, PASSED["J"].letter, PASSED["dW"].letter
SLOPE = X.T @ ERROR
MOVED = GradientStep(W, SLOPE, eta)
MOVED_ERROR = X @ MOVED - T
W_2, E_2, F, M = matrix("W_2", d, K), matrix("E_2", n, K), matrix("F", 1, 1), matrix("M", n, K)

ONE_STEP = (
    Step(
        W_2,
        GradientStep(W, dW, eta),
        MOVED,
        Words("One step", "1 回の更新"),
        Words(
            "Definition. From {W}, {eta} times the gradient is subtracted; the learning rate {eta} is arbitrary.",
            "定義です。{W} から、勾配の {eta} 倍を引きます。学習率 {eta} は何でもかまいません。",
        ),
    ),
    Step(
        M,
        X @ dW,
        X @ SLOPE,
        Words("What the gradient does to the output", "勾配が出力に与える変化"),
        Words(
            "Definition. The step subtracts {eta} times {M} from the output.",
            "定義です。更新すると、出力から {M} の {eta} 倍が引かれます。",
        ),
    ),
    Step(
        E_2,
        E - eta * M,
        MOVED_ERROR,
        Words("The new error", "更新後の誤差"),
        Words(
            "The output is linear in {W}, so the error changes by just that.",
            "出力は {W} について線形なので、誤差もちょうどその分だけ変わります。",
        ),
        coarse=X @ W_2 - T,
    ),
    Step(
        F,
        J - eta * total_of_squares(dW) + (eta**2 / 2) * total_of_squares(M),
        total_of_squares(MOVED_ERROR) / 2,
        Words("The new loss", "更新後の損失"),
        Words(
            "The square is multiplied out. In the middle, {eta} times the sum of the squares of all entries of the gradient is "
            "subtracted. For a small {eta} above 0 this outweighs the last term, and the loss falls, unless the gradient is 0.",
            "2 乗を展開します。中央では、勾配の各成分の 2 乗の合計の {eta} 倍を引いています。正の {eta} が十分小さければ、これは最後の項より大きいので、"
            "勾配が 0 でない限り損失は減ります。",
        ),
        coarse=total_of_squares(E_2) / 2,
    ),
)

derivation = Derivation(
    steps=(*PASSED.steps, *ONE_STEP),
    title=Words("One step of gradient descent", "勾配降下法の 1 回の更新"),
    sections=(
        Section(
            Words("A loss and its gradient", "損失とその勾配"),
            Words(
                "A linear map of {n} rows with {d} components to {K} outputs, and half the sum of the squared errors. The sizes, "
                "{X}, {W} and the targets {T} are arbitrary. Any other smooth loss falls as well if {eta} is small enough: to "
                "first order in {eta}, it also falls by {eta} times the sum of the squares of its gradient. ⊙ multiplies entry "
                "by entry, rowsum adds up each row, and ones, a bold 1 where the page is typeset, is a matrix of ones.",
                "{d} 個の成分を持つ {n} 個の行を {K} 個の出力に移す線形変換と、誤差の 2 乗の合計の半分を考えます。大きさも、{X}、{W}、目標 {T} も任意です。"
                "ほかのなめらかな損失でも、{eta} が十分小さければ損失は減ります。{eta} の 1 次の項が、やはり「勾配の 2 乗の合計の {eta} 倍だけ減る」となるからです。"
                "⊙ は成分ごとの積、rowsum は行ごとの合計で、ones（組版したページでは太字の 1）は、すべての成分が 1 の行列です。",
            ),
            steps=("E", "J", "dE", "dW"),
        ),
        Section(
            Words("One step, exactly", "1 回の更新を正確に計算する"),
            Words(
                "The new loss is a polynomial in {eta}, of degree 2 at most.",
                "更新後の損失は、{eta} の高々 2 次の多項式です。",
            ),
            steps=("W_2", "M", "E_2", "F"),
        ),
        Section(
            Words("In numbers", "数値で確かめる"),
            Words(
                "For small {eta} the loss falls, further on it reaches its smallest value, and it rises when the step is too long.",
                "{eta} が小さいうちは損失が減り、途中で最小になり、大きすぎると増えます。",
            ),
            inputs=("X", "W", "T"),
            steps=("E", "J", "dW"),
            values={X: [[1, 0], [1, 1]], W: [[1, 0, 0], [0, 1, 0]], T: [[0, 1, 0], [1, 1, 1]], eta: 0.1},
            sweep=Sweep(eta, (0, Rational(1, 10), Rational(3, 10), Rational(1, 2), 1), (Column("F", 0, 0),)),
        ),
    ),
)
