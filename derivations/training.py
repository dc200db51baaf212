"""Training beside the loss: dropout, initial values, label smoothing, a step of gradient descent, InfoNCE.

The inputs are chosen by hand or drawn with a seed; every other number on the page is computed from them.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import product

from symtransformer import Column, Counts, Fact, Section, Sweep, Words, derive, dimension, evaluate, matrix, parameter
from symtransformer.models import Configuration, random_weights
from symtransformer.operations import (
    CosineSimilarity,
    CrossEntropy,
    Dropout,
    GradientStep,
    Hadamard,
    InfoNCE,
    LayerNorm,
    Linear,
    Logarithm,
    LogSumExp,
    Ones,
    RowSum,
    Scaling,
    SmoothedTargets,
    Softmax,
    SquareRoot,
)  # fmt: skip
from symtransformer.symbols import Literal

p, epsilon, eta, tau = (parameter(name) for name in ("p", "epsilon", "eta", "tau"))
n, d_model, K = dimension("n"), dimension("d_model"), dimension("K")

# dropout: one mask, then all of them
X, D = matrix("X", 1, 3), matrix("D", 1, 3)
MARKS = tuple(product((1, 0), repeat=3))
KEPT = [sum(marks) for marks in MARKS]
CHANCES = [(1 - p) ** kept * p ** (3 - kept) for kept in KEPT]
EACH, ROWS = Literal([list(marks) for marks in MARKS]), Ones(len(MARKS), 1) @ X
DROPPED, PLAIN = Dropout(ROWS, EACH, p), Hadamard(ROWS, EACH)
MEAN, MEAN_PLAIN = Literal([CHANCES]) @ DROPPED, Literal([CHANCES]) @ PLAIN
RATE, ROW = Fraction(1, 5), [2, -1, 4]


def after_mask(marks):
    """A row of the table of masks: the marks, their probability, the row that comes out."""
    chance = RATE ** (3 - sum(marks)) * (1 - RATE) ** sum(marks)
    result = evaluate(Dropout([ROW], [list(marks)], RATE))
    return Words(*[" ".join(map(str, marks))] * 2), chance, *(chance * x for x in result)


# initial values
h, gamma, beta = matrix("h", 1, d_model), matrix("gamma", d_model, 1), matrix("beta", d_model, 1)
W_vocab, b_vocab, Y = matrix("W_vocab", d_model, K), matrix("b_vocab", K, 1), matrix("Y", 1, K)
START = LayerNorm(h, gamma, beta)
LOGITS = Linear(START, W_vocab, b_vocab)
SMALL = Configuration(layers=1, d_model=4, d_ff=1, heads=1, vocabulary=5)
INITIAL = random_weights(LOGITS, SMALL, seed=2, initial=True)
SPREAD = SquareRoot((Ones(1, d_model) @ Hadamard(W_vocab, W_vocab) @ Ones(K, 1)) / (d_model * K))
EVEN = -RowSum(Hadamard(Y, Logarithm(Ones(1, K) / K)))

# label smoothing
S, Y_S = matrix("S", 1, 4), matrix("Y_S", 1, 4)
TO_ALL, TO_OTHERS = SmoothedTargets(Y_S, epsilon), SmoothedTargets(Y_S, epsilon, spread="others")
HARD, SOFT, SOFT_OTHERS = (CrossEntropy(S, wanted, reduction="none") for wanted in (Y_S, TO_ALL, TO_OTHERS))
SHARE = Fraction(1, 10)

# gradient descent
X_b, Y_b, W = matrix("X_b", n, 2), matrix("Y_b", n, 3), matrix("W", 2, 3)
BEFORE = X_b @ W
G = X_b.T @ (Softmax(BEFORE) - Y_b) / n
STEPPED = GradientStep(W, G, eta)
AFTER = X_b @ STEPPED
FORESEEN = CrossEntropy(BEFORE, Y_b) - Scaling(Ones(1, 2) @ Hadamard(G, G) @ Ones(3, 1), eta, 1)

# contrast
q, A = matrix("q", 1, 2), matrix("A", 4, 2)
Y_near, Y_far = matrix("Y_near", 1, 4), matrix("Y_far", 1, 4)
SIMILAR = CosineSimilarity(q, A)
WARM = SIMILAR / tau
NEAR, FAR = (InfoNCE(SIMILAR, wanted, tau, reduction="none") for wanted in (Y_near, Y_far))


def losses(logits, targets, mark):
    """Names for what lies inside of one cross-entropy."""
    letter = {"Lambda": "Lambda", "J_row": "R"}
    inside = {part: f"{letter[name]}_{mark}" for name, part in CrossEntropy(logits, targets).definition().parts}
    return {LogSumExp(logits): f"lambda_{mark}", **inside}


NAMES = {
    SquareRoot(RowSum(Hadamard(q, q))): "l_q",
    SquareRoot(RowSum(Hadamard(A, A))): "l_A",
    WARM: "L_tau",
    **losses(LOGITS, Y, "0"),
    **losses(S, Y_S, "S"),
    **losses(BEFORE, Y_b, "b"),
    **losses(AFTER, Y_b, "new"),
    **losses(WARM, Y_near, "tau"),
    PLAIN: (
        "B",
        Words("Every mask, without the factor", "すべてのマスク（倍率なし）"),
        Words(
            "Row {i} is {X} with what mask {i} drops set to 0.",
            "第 {i} 行は、{X} のうちマスク {i} が落とす成分を 0 にしたものです。",
        ),
    ),
    DROPPED: (
        "Y_all",
        Words("Dropout with every mask", "すべてのマスクでの Dropout"),
        Words("The same rows divided by 1 − {p}.", "同じ行を 1 − {p} で割ったものです。"),
    ),
    MEAN: (
        "E",
        Words("Mean over all masks", "すべてのマスクについての平均"),
        Words(
            "Every row times the probability of its mask, added up. The result is {X} itself, for any three "
            "components and every {p} below 1: the equation has been proved in letters, before any number was put in.",
            "各行にそのマスクの確率を掛けて足します。結果は {X} そのものです。"
            "数を入れる前の文字式のままで証明してあるので、この等式は 3 成分がどんな数でも、{p} が 1 より小さければ成り立ちます。",
        ),
    ),
    MEAN_PLAIN: (
        "E_B",
        Words("The mean without the factor", "倍率がない場合の平均"),
        Words(
            "Without the division the mean is only 1 − {p} times {X}: the next layer would see smaller numbers "
            "in training "
            "than later in use.",
            "割らなければ、平均は {X} の 1 − {p} 倍になります。次の層が受け取る数は、学習中のほうが使用時より小さくなってしまいます。",
        ),
    ),
    SPREAD: (
        "sigma",
        Words("How far the numbers spread", "乱数の広がり"),
        Words(
            "The root of the mean of the squares of all entries. Only twenty numbers are drawn, so it merely "
            "comes near the standard deviation of the distribution.",
            "全成分の 2 乗の平均の平方根です。乱数は 20 個しかないので、分布の標準偏差に近い値にはなりますが、一致はしません。",
        ),
    ),
    LayerNorm(h): (
        "N_h",
        Words("The normalized row", "正規化した行"),
        Words("Mean 0, and a variance of nearly 1.", "平均は 0、分散はほぼ 1 です。"),
    ),
    EVEN: (
        "J_even",
        Words("The loss of equal probabilities", "どの候補も同じ確率のときの損失"),
        Words(
            "With probability 1/{K} for every candidate the loss is the logarithm of {K}, whatever the target.",
            "どの候補の確率も 1/{K} なら、正解が何であっても損失は {K} の対数です。",
        ),
    ),
    G: (
        "G",
        Words("The gradient", "勾配"),
        Words(
            "Probabilities minus targets, multiplied from the left by the transposed input, over the number of "
            "rows. How "
            "such a formula is derived is not shown here.",
            "確率から正解を引き、転置した入力を左から掛け、行の数で割ります。このような式の導き方は、ここでは扱いません。",
        ),
    ),
    Scaling(Y_S, 1 - epsilon, 1): (
        "T_one",
        Words("What the right candidate keeps in any case", "正解に必ず残る値"),
        Words("The target times 1 − {epsilon}.", "正解を 1 − {epsilon} 倍します。"),
    ),
    HARD: (
        "J_S",
        Words("The loss of the hard target", "やわらげない正解での損失"),
        Words("Minus the log-probability of the first candidate.", "1 番目の候補の対数確率に負号を付けた値です。"),
    ),
    SOFT: (
        "J_all",
        Words("The loss, spread over all", "全候補に配った場合の損失"),
        Words(
            "The log-probabilities of all candidates count, each times its share.",
            "すべての候補の対数確率を、配った割合で重み付けして使います。",
        ),
    ),
    SOFT_OTHERS: (
        "J_others",
        Words("The loss, spread over the others", "ほかの候補だけに配った場合の損失"),
        Words(
            "The same with the shares of the second convention: a little more lies on the wrong candidates.",
            "2 つ目の流儀の割合で同じ計算をします。正解以外の割合が少し大きくなっています。",
        ),
    ),
    CrossEntropy(AFTER, Y_b): (
        "J_new",
        Words("The loss after the step", "ステップの後の損失"),
        Words("The mean of the new losses, computed from {W_new}.", "{W_new} から計算した新しい損失の平均です。"),
    ),
    NEAR: (
        "J_near",
        Words("The loss if the nearest candidate is right", "いちばん近い候補が正解のときの損失"),
        Words("Minus the log-probability of candidate 1.", "候補 1 の対数確率に負号を付けた値です。"),
    ),
    FAR: (
        "J_far",
        Words("The loss if another one is right", "別の候補が正解のときの損失"),
        Words("Minus the log-probability of candidate 2.", "候補 2 の対数確率に負号を付けた値です。"),
    ),
    FORESEEN: (
        "F",
        Words("The loss that the slope promises", "傾きから予想される損失"),
        Words(
            "The old loss minus {eta} times the sum of the squares of {G}: how far the loss would fall if it "
            "were a plane.",
            "元の損失から、{G} の全成分の 2 乗の和の {eta} 倍を引きます。損失が平面のように変化するとしたときの値です。",
        ),
    ),
}
CANDIDATES = tuple(Words(f"word {k}", f"単語 {k}") for k in range(1, SMALL.vocabulary + 1))
MASKS = Counts(
    Words("The eight masks, and what each adds to the mean", "8 通りのマスクと、平均への寄与"),
    (
        Words("mask", "マスク"),
        Words("probability", "確率"),
        *(Words(f"times component {k}", f"確率 × 第 {k} 成分") for k in (1, 2, 3)),
    ),
    tuple(after_mask(marks) for marks in MARKS),
    Words("in all", "合計"),
)
SECTIONS = (
    Section(
        Words("What this page is about", "このページについて"),
        Words(
            "A loss tells how wrong a model is. This page shows what else training needs: dropout, the numbers "
            "that the "
            "weights start from, softened targets, the step that changes a weight, and a loss for comparing texts. The "
            "parts do not build on one another; each has small numbers of its own, chosen by hand unless it is "
            "said that "
            "they are drawn.",
            "損失は、モデルがどれだけ間違っているかを表します。このページでは、学習に必要なそれ以外のものを見ます。Dropout、重みの初期値、"
            "やわらげた正解、重みを変える 1 ステップ、文どうしを比べるための損失です。それぞれは独立していて、別々の小さな数を使います。"
            "乱数と断ったもの以外は、手で決めた数です。",
        ),
    ),
    Section(
        Words("Notation", "記法"),
        Words(
            "⊙ multiplies and ⊘ divides entry by entry; ones, a bold 1 where the page is typeset, is a matrix "
            "of ones of so many rows and columns. A column of "
            "ones times a row repeats the row; a row of ones times a column adds up its entries. rowsum adds up "
            "each row, "
            "logsumexp is the logarithm of the row sum of the exponentials, and broadcast repeats a column side "
            "by side as "
            "often as its second argument says. norm shifts each row to mean 0 and divides it by its spread; "
            "its second "
            "argument is the small number under the root.",
            "⊙ は成分ごとの掛け算、⊘ は成分ごとの割り算です。ones（組版したページでは太字の 1）は、すべての成分が 1 の行列で、引数は行数と列数です。"
            "1 を並べた列に行を掛けると行が繰り返され、1 を並べた行に列を掛けると成分の合計になります。rowsum は各行の合計、"
            "logsumexp は指数関数の値の行ごとの合計の対数です。broadcast は列を 2 つ目の引数の回数だけ横に並べます。"
            "norm は各行の平均を 0 にして広がりで割ります。2 つ目の引数は根号の中の小さな数です。",
        ),
    ),
    Section(
        Words("Dropout: one mask", "Dropout：1 つのマスク"),
        Words(
            "In training some components are set to 0 at random, so that no part of the network can rely on a "
            "single one. "
            "Each component is dropped with probability {p}, on its own. {D} marks with 1 what is kept. Those "
            "that are kept "
            "are divided by 1 − {p}. When the trained model is used, nothing is dropped and nothing is divided.",
            "学習中は、一部の成分をランダムに 0 にします。ネットワークが特定の成分だけに頼らないようにするためです。"
            "どの成分も、互いに無関係に確率 {p} で落とします。{D} では、残す成分が 1 です。残した成分は 1 − {p} で割ります。"
            "学習が終わったモデルを使うときには、落とすことも割ることもしません。",
        ),
        inputs=("X", "D"),
        steps=("Y_D",),
    ),
    Section(
        Words("Dropout: the mean over all masks", "Dropout：すべてのマスクについての平均"),
        Words(
            "Why divide? With three components there are only eight masks, so the expected value can be worked "
            "out without "
            "drawing anything. The row of formulas in {p} holds the probability of each mask: a factor {p} for every "
            "component that is dropped, and 1 − {p} for every one that is kept. The last row of the table is "
            "the expected value.",
            "なぜ割るのでしょうか。3 成分ならマスクは 8 通りしかないので、乱数を使わずに期待値を計算できます。"
            "{p} の式を並べた行が各マスクの確率です。落とす成分ごとに {p} を、残す成分ごとに 1 − {p} を掛けます。"
            "表の最後の行が期待値です。",
        ),
        steps=("B", "Y_all", "E", "E_B"),
        exact=False,
        tables=(MASKS,),
        facts=(
            Fact(
                Words(
                    "Each component is kept or dropped: {0} × {0} × {0} = {1} masks.",
                    "成分ごとに「残す」か「落とす」かの {0} 通りなので、マスクは {0} × {0} × {0} = {1} 通りです。",
                ),
                (2, len(MARKS)),
            ),
        ),
    ),
    Section(
        Words("Initial values", "初期値"),
        Words(
            "Before the first step the weights have to be some numbers. If all weights around a hidden "
            "component were equal "
            "to those of its neighbors, all of these components would get the same gradient and stay alike. So "
            "weights are drawn "
            "at random, from a normal distribution around 0, and small. The factors {gamma} start at 1, the "
            "shifts {beta} "
            "and the biases at 0, so that a normalization begins as a plain one. Drawn again with the same "
            "seed, the numbers "
            "are the same.",
            "最初のステップの前にも、重みは何かの数でなければなりません。ところが全部を同じ値にすると、中間の成分どうしで勾配が等しくなり、"
            "いつまでも同じ値のままです。そこで、重みには 0 のまわりの正規分布から引いた小さな乱数を使います。"
            "{gamma} は 1 から、{beta} とバイアスは 0 から始めるので、最初は正規化だけを行うことになります。"
            "乱数のシードが同じなら、何度引いても同じ数になります。",
        ),
        inputs=("W_vocab", "b_vocab", "gamma", "beta"),
        steps=("sigma",),
        exact=False,
        facts=(
            Fact(
                Words(
                    "The numbers of the output weight are drawn with mean {0} and standard deviation {1}, as in "
                    "GPT-2, and rounded to {2} decimals.",
                    "出力用の重みは、GPT-2 と同じく平均 {0}、標準偏差 {1} で引き、小数第 {2} 位に丸めたものです。",
                ),
                (0, Fraction(1, 50), 6),
            ),
        ),
    ),
    Section(
        Words("What an untrained model says", "学習前のモデルの答え"),
        Words(
            "A row {h} goes through the last normalization and the output weight. Since {gamma} is 1 and {beta} "
            "is 0, {N_0} "
            "equals {N_h}. The logits are close to 0, the probabilities nearly equal, and the loss is close to the "
            "logarithm of the number of candidates. Whoever starts training and sees a much larger loss should "
            "look for a "
            "mistake.",
            "行 {h} を、最後の正規化と出力用の重みに通します。{gamma} が 1、{beta} が 0 なので、{N_0} は {N_h} と同じです。"
            "ロジットは 0 に近く、確率はほぼ均等で、損失は候補の数の対数に近い値になります。"
            "学習を始めたときの損失がこれよりずっと大きければ、どこかに間違いがあると考えられます。",
        ),
        inputs=("h", "Y"),
        steps=("N_h", "N_0", "L_0", "P_0", "J_0", "J_even"),
        percent=("P_0",),
        exact=False,
    ),
    Section(
        Words("Label smoothing, in two conventions", "ラベル平滑化の 2 つの流儀"),
        Words(
            "The target {Y_S} says that the first of four candidates is right, and {S} are the logits. With "
            "label smoothing a share "
            "{epsilon} of the 1 is given away: to all 4 candidates, the right one included ({T_all}), or to the "
            "others only "
            "({T_others}). For the same {epsilon} the right candidate keeps a little more in the first convention.",
            "{Y_S} は 4 つの候補のうち 1 番目が正解であることを表し、{S} はロジットです。ラベル平滑化では、正解の 1 のうち {epsilon} を配ります。"
            "正解も含む 4 つの候補すべてに配る流儀（{T_all}）と、正解以外だけに配る流儀（{T_others}）があります。"
            "{epsilon} が同じなら、正解に残る値は 1 つ目の流儀のほうが少し大きくなります。",
        ),
        inputs=("S", "Y_S"),
        steps=("T_one", "T_all", "T_others"),
        exact=False,
        facts=(
            Fact(
                Words(
                    "The right candidate keeps 1 − {0} + {0}/4 = {1} in the first convention and 1 − {0} = {2} "
                    "in the second.",
                    "正解に残る値は、1 つ目の流儀では 1 − {0} + {0}/4 = {1}、2 つ目の流儀では 1 − {0} = {2} です。",
                ),
                (SHARE, 1 - SHARE + SHARE / 4, 1 - SHARE),
            ),
        ),
    ),
    Section(
        Words("The losses with softened targets", "やわらげた正解での損失"),
        Words(
            "The same cross-entropy with three targets. {Lambda_S} holds the logarithms of the probabilities. "
            "The softened targets "
            "also ask for some probability elsewhere, so that very confident logits are punished, and the loss "
            "can no longer reach "
            "0. At {epsilon} = 0 the three are the same.",
            "同じ交差エントロピーを 3 種類の正解で計算します。{Lambda_S} は確率の対数です。やわらげた正解では、ほかの候補にもいくらかの確率が求められます。"
            "そのため極端に自信のあるロジットでは損失が増え、損失が 0 になることもありません。{epsilon} = 0 なら 3 つは一致します。",
        ),
        steps=("lambda_S", "Lambda_S", "J_S", "J_all", "J_others"),
        exact=False,
        sweep=Sweep(
            epsilon,
            (0, Fraction(1, 20), SHARE, Fraction(1, 5), Fraction(1, 2)),
            (Column("J_S", 0, 0), Column("J_all", 0, 0), Column("J_others", 0, 0)),
        ),
    ),
    Section(
        Words("Changing a weight: before the step", "重みを変える：ステップの前"),
        Words(
            "Two rows {X_b} go through one weight {W} and softmax; {Y_b} holds their targets. {J_b} is the mean "
            "of their losses. "
            "{G} has the shape of {W} and tells for each weight how the loss changes when that weight grows a "
            "little: it "
            "falls where {G} is negative.",
            "2 つの行 {X_b} に 1 つの重み {W} を掛け、Softmax に通します。{Y_b} はそれぞれの正解、{J_b} は 2 つの損失の平均です。"
            "{G} は {W} と同じ形で、重みを 1 つずつ少し大きくしたときの損失の変化を表します。{G} が負の重みを大きくすれば、損失は減ります。",
        ),
        inputs=("X_b", "Y_b", "W"),
        steps=("L_b", "P_b", "G", "R_b", "J_b"),
        exact=False,
    ),
    Section(
        Words("One step of gradient descent", "勾配降下の 1 ステップ"),
        Words(
            "Every weight moves against its slope, by {eta} times that slope; {eta} is called the learning "
            "rate. The loss is then "
            "computed again with {W_new}. {F} is what the slope alone promises. For a small {eta} both agree "
            "closely; a "
            "large step goes over the valley and up the other side, and the loss is worse than before. Programs "
            "mostly use "
            "refined rules such as Adam, which adapts the step to each weight.",
            "どの重みも、傾きと逆の向きに、傾きの {eta} 倍だけ動かします。{eta} を学習率と呼びます。そのあと {W_new} で損失を計算し直します。"
            "{F} は傾きだけから予想した損失です。{eta} が小さければ両者はよく合います。大きすぎると谷を飛び越えて反対側を登ってしまい、"
            "損失は元より大きくなります。実際のプログラムでは、重みごとに歩幅を調整する Adam などの方法をよく使います。",
        ),
        steps=("W_new", "L_new", "R_new", "J_new", "F"),
        exact=False,
        sweep=Sweep(
            eta,
            (0, Fraction(1, 100), Fraction(1, 10), Fraction(1, 2), 2, 10),
            (Column("J_b", 0, 0), Column("J_new", 0, 0), Column("F", 0, 0)),
        ),
    ),
    Section(
        Words("Comparing instead of predicting: InfoNCE", "予測ではなく比較の損失：InfoNCE"),
        Words(
            "Models that search for texts are trained to place a query near the text that answers it. {q} is "
            "such a query, the "
            "rows of {A} are four candidates. Only the angle counts, so that the similarities {C} lie between "
            "−1 and 1.",
            "文を検索するモデルでは、質問とその答えになる文が近くに来るように学習します。{q} が質問（クエリ）、{A} の各行が 4 つの候補です。"
            "角度だけを比べるので、類似度 {C} は −1 から 1 までの値になります。",
        ),
        inputs=("q", "A"),
        steps=("R", "l_q", "l_A", "N", "C"),
        exact=False,
    ),
    Section(
        Words("The temperature of InfoNCE", "InfoNCE の温度"),
        Words(
            "The similarities over the temperature {tau} take the place of logits: the loss is the "
            "cross-entropy of picking the right "
            "candidate. {J_near} is the loss if the first candidate is the right one, {J_far} if the second is. "
            "A small {tau} "
            "stretches the differences: then {J_near} goes to 0, and {J_far} grows without bound, since the "
            "wrong candidate is the "
            "nearest. A large {tau} makes all candidates equal, and both losses come near the logarithm of 4. In "
            "practice the candidates of one query are often the right answers of the other queries of the same batch.",
            "類似度を温度 {tau} で割ったものをロジットとして使い、正しい候補を選ぶ交差エントロピーを損失とします。{J_near} は 1 番目の候補が正解の場合、"
            "{J_far} は 2 番目の候補が正解の場合です。{tau} が小さいと差が引き伸ばされます。{J_near} は 0 に近づき、{J_far} は、いちばん近い候補が正解ではないので、"
            "どこまでも大きくなります。{tau} が大きいと候補の差がなくなり、どちらの損失も 4 の対数に近づきます。"
            "実際には、同じバッチにあるほかのクエリの正解を、候補として使うことがよくあります。",
        ),
        inputs=("Y_near", "Y_far"),
        steps=("L_tau", "P_tau", "J_near", "J_far"),
        percent=("P_tau",),
        exact=False,
        sweep=Sweep(
            tau,
            (Fraction(1, 50), Fraction(1, 10), Fraction(1, 2), 1, 10, 100),
            (
                *(Column("P_tau", 0, j, percent=True) for j in range(4)),
                Column("J_near", 0, 0),
                Column("J_far", 0, 0),
            ),
        ),
    ),
)

unfolded = derive(
    {
        "Y_D": Dropout(X, D, p), "B": PLAIN, "Y_all": DROPPED, "E": MEAN, "E_B": MEAN_PLAIN,
        "sigma": SPREAD, "N_0": START, "L_0": LOGITS, "P_0": Softmax(LOGITS), "J_0": CrossEntropy(LOGITS, Y, reduction="none"), "J_even": EVEN,
        "T_one": Scaling(Y_S, 1 - epsilon, 1), "T_all": TO_ALL, "T_others": TO_OTHERS, "J_S": HARD,
        "J_all": SOFT, "J_others": SOFT_OTHERS,
        "L_b": BEFORE, "P_b": Softmax(BEFORE), "G": G, "J_b": CrossEntropy(BEFORE, Y_b), "W_new": STEPPED,
        "L_new": AFTER, "J_new": CrossEntropy(AFTER, Y_b), "F": FORESEEN,
        "C": SIMILAR, "P_tau": Softmax(WARM), "J_near": NEAR, "J_far": FAR,
    },
    names=NAMES,
    title=Words("Training beside the loss", "損失関数のほかに学習で行うこと"),
    labels={K: CANDIDATES},
    sections=SECTIONS,
    values={
        p: RATE, X: [ROW], D: [[1, 0, 1]],
        h: [[3, -1, 0, 2]], Y: [[0, 0, 1, 0, 0]], **INITIAL,
        epsilon: SHARE, S: [[3, 0, 1, -1]], Y_S: [[1, 0, 0, 0]],
        X_b: [[1, 2], [2, 1]], Y_b: [[0, 0, 1], [1, 0, 0]], W: [[1, 0, -1], [0, 1, 0]], eta: 0.5,
        q: [[3, 4]], A: [[4, 3], [0, 1], [-4, 3], [-3, -4]], Y_near: [[1, 0, 0, 0]], Y_far: [[0, 1, 0, 0]], tau: 0.5,
    },
)  # fmt: skip
STANDS_FOR = {"E": X, "E_B": Scaling(X, 1 - p, 1)}
derivation = replace(
    unfolded,
    steps=tuple(replace(step, stands_for=STANDS_FOR.get(step.name, step.stands_for)) for step in unfolded.steps),
)
