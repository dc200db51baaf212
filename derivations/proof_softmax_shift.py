"""Proof: a number added to a whole row changes nothing about its softmax, at any temperature."""

from symtransformer import Derivation, Section, Step, Words, dimension, matrix, parameter
from symtransformer.operations import (
    Broadcast,
    Exponential,
    Hadamard,
    LogSumExp,
    RowDivision,
    RowSum,
    Softmax,
    TemperatureSoftmax,
)

n, m = dimension("n"), dimension("m")
tau = parameter("tau")
L, c = matrix("L", n, m), matrix("c", n, 1)
SHIFTED = L + Broadcast(c, m)

U, U_c, P, P_c, P_1, P_2 = (matrix(name, n, m) for name in ("U", "U_c", "P", "P_c", "P_1", "P_2"))
S, S_tau, P_tau = (matrix(name, n, m) for name in ("S", "S_tau", "P_tau"))
s, s_c, g, lam, lam_c = (matrix(name, n, 1) for name in ("r", "r_c", "g", "lambda", "lambda_c"))

BEFORE = (
    Step(
        U,
        Exponential(L),
        Exponential(L),
        Words("Exponentials", "指数関数"),
        Words("Definition: the first stage of softmax.", "定義です。Softmax の最初の段階です。"),
    ),
    Step(
        s,
        RowSum(U),
        RowSum(Exponential(L)),
        Words("Their sums", "行ごとの合計"),
        Words("Definition: one sum for each row.", "定義です。行ごとに合計が 1 つあります。"),
    ),
    Step(
        P,
        RowDivision(U, s),
        Softmax(L),
        Words("Softmax without the shift", "ずらさない Softmax"),
        Words("Definition: each exponential over the sum of its row.", "定義です。指数関数の値を行の合計で割ります。"),
    ),
)
AFTER = (
    Step(
        g,
        Exponential(c),
        Exponential(c),
        Words("Exponentials of the shifts", "ずらした分の指数関数"),
        Words("Definition. They are positive, whatever {c} is.", "定義です。{c} が何であっても正の数です。"),
    ),
    Step(
        S,
        SHIFTED,
        SHIFTED,
        Words("Shifted rows", "ずらした行"),
        Words(
            "Definition. Every entry of row {i} gets the same number {c_i} added; the numbers of two rows may differ.",
            "定義です。第 {i} 行のすべての成分に同じ数 {c_i} を足します。行ごとに違う数でもかまいません。",
        ),
    ),
    Step(
        U_c,
        Hadamard(U, Broadcast(g, m)),
        Exponential(SHIFTED),
        Words("Each exponential gets a factor", "指数関数の値に因子が掛かる"),
        Words(
            "The exponential of a sum is the product of the exponentials, and the factor is the same in a whole row.",
            "和の指数関数は指数関数の積です。因子は 1 つの行の中では同じです。",
        ),
        coarse=Exponential(S),
    ),
    Step(
        s_c,
        Hadamard(s, g),
        RowSum(Exponential(SHIFTED)),
        Words("So does the sum", "合計にも同じ因子が掛かる"),
        Words(
            "A factor that all terms of a sum have can be taken out of it.",
            "和のすべての項に共通する因子は、和の外に出せます。",
        ),
        coarse=RowSum(U_c),
    ),
    Step(
        P_c,
        RowDivision(U_c, s_c),
        Softmax(SHIFTED),
        Words("Softmax with the shift", "ずらした Softmax"),
        Words("Definition, for the shifted rows.", "定義です。ずらした行に対するものです。"),
    ),
    Step(
        P_1,
        RowDivision(Hadamard(U, Broadcast(g, m)), Hadamard(s, g)),
        Softmax(SHIFTED),
        Words("Both are put in", "2 つを代入する"),
        Words("The factor now stands above and below the line.", "因子が分子と分母の両方に現れます。"),
        coarse=P_c,
    ),
    Step(
        P_2,
        RowDivision(U, s),
        Softmax(SHIFTED),
        Words("The factor cancels", "因子が約分される"),
        Words(
            "It is not 0, so it can be canceled. What is left is {P}.",
            "因子は 0 ではないので約分できます。残るのは {P} です。",
        ),
        coarse=P_1,
    ),
)
FURTHER = (
    Step(
        S_tau,
        L / tau,
        L / tau,
        Words("Division by a temperature", "温度で割る"),
        Words("Definition, for {tau} above 0.", "定義です。{tau} は正の数です。"),
    ),
    Step(
        P_tau,
        Softmax(S_tau),
        TemperatureSoftmax(SHIFTED, tau),
        Words("The same at every temperature", "どの温度でも同じ"),
        Words(
            "Divided by {tau}, the shift is still one number for a whole row: {c_i} over {tau}. The proof above covers it.",
            "{tau} で割っても、ずらす量は行ごとに 1 つの数（{c_i} 割る {tau}）です。上の証明がそのまま使えます。",
        ),
        coarse=TemperatureSoftmax(S, tau),
    ),
    Step(
        lam,
        LogSumExp(L),
        LogSumExp(L),
        Words("Log-sum-exp", "log-sum-exp"),
        Words("Definition: the logarithm of {r}.", "定義です。{r} の対数です。"),
    ),
    Step(
        lam_c,
        lam + c,
        LogSumExp(SHIFTED),
        Words("Log-sum-exp moves along", "log-sum-exp は同じだけ動く"),
        Words(
            "The logarithm turns the factor of the sum into a summand. So {L} minus its log-sum-exp, the "
            "log-probability, does not change either.",
            "対数をとると、合計に掛かった因子は足し算になります。そのため、{L} から log-sum-exp を引いた対数確率も変わりません。",
        ),
        coarse=LogSumExp(S),
    ),
)

derivation = Derivation(
    steps=(*BEFORE, *AFTER, *FURTHER),
    title=Words("Softmax does not notice a shift of a whole row", "行全体をずらしても Softmax は変わらない"),
    sections=(
        Section(
            Words("The claim", "示すこと"),
            Words(
                "If the same number is added to all entries of a row, its softmax stays the same. This holds for "
                "any {n}, {m}, {L} and {c}, at any temperature. First, the three stages of softmax without a shift. "
                "Notation: rowsum adds up each row, divide divides each row of a matrix by the number of a column in that "
                "row, ⊙ multiplies entry by entry, and broadcast repeats a column side by side as often as its second "
                "argument says. logsumexp is the logarithm of the row sum of the exponentials; TemperatureSoftmax is softmax "
                "of the scores divided by its second argument.",
                "行のすべての成分に同じ数を足しても、その行の Softmax は変わりません。行数 {n}、列数 {m}、行列 {L}、{c} が何であっても、"
                "またどの温度でも成り立ちます。まず、ずらさない場合の Softmax の 3 つの段階を書いておきます。記法：rowsum は各行の合計、"
                "divide は行列の各行を同じ行にある列の数で割ったものです。⊙ は成分ごとに掛け、broadcast は列を 2 つ目の引数の回数だけ"
                "横に並べます。logsumexp は指数関数の値の行ごとの合計の対数です。TemperatureSoftmax は点数を 2 つ目の引数で割ってから Softmax を適用します。",
            ),
            steps=("U", "r", "P"),
        ),
        Section(
            Words("The proof", "証明"),
            Words(
                "The shift becomes a factor, and the factor cancels.",
                "ずらした分は因子に変わり、その因子は約分されます。",
            ),
            steps=("g", "S", "U_c", "r_c", "P_c", "P_1", "P_2"),
        ),
        Section(
            Words("Temperature and log-sum-exp", "温度と log-sum-exp"),
            Words(
                "Two consequences that training and generation use.",
                "学習と生成で使う 2 つの帰結です。",
            ),
            steps=("S_tau", "P_tau", "lambda", "lambda_c"),
        ),
        Section(
            Words("What it is good for", "何の役に立つか"),
            Words(
                "A program chooses {c} so that the largest entry of each row becomes 0: no exponential is then above 1, "
                "and none overflows. The logits of chapter 8 serve as an example, with {tau} equal to 2. The shift must be the same "
                "within a row; numbers that differ from column to column would change the softmax.",
                "プログラムでは、各行の最大の成分が 0 になるように {c} を選びます。すると指数関数の値は 1 を超えず、桁あふれが起きません。"
                "例は第 8 章のロジットで、{tau} は 2 とします。ずらす量は 1 つの行の中では同じでなければなりません。"
                "列ごとに違う数を足せば、Softmax は変わります。",
            ),
            inputs=("L", "c"),
            steps=("U", "P", "S", "U_c", "P_c", "P_tau", "lambda", "lambda_c"),
            values={L: [[-1, 1, 2, 1, -2]], c: [[-2]], tau: 2},
            exact=False,
        ),
    ),
)
