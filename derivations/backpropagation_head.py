"""Backpropagation by hand through the attention head of the explainer, chapter 4: every cotangent as numbers, one step.

The inputs are those of the chapter and a target chosen by hand; every other number on the page is computed from them.
"""

from dataclasses import replace
from fractions import Fraction

from symtransformer import (
    Column,
    Comparison,
    Fact,
    Section,
    Sweep,
    Words,
    derive,
    differentiate,
    dimension,
    matrix,
    parameter,
    with_values,
)
from symtransformer.operations import (
    GradientStep,
    Hadamard,
    Linear,
    Ones,
    RowSum,
    ScaledDotProductAttention,
    Scaling,
    SingleHead,
)  # fmt: skip

n, d_model, d_k, d_v = (dimension(name) for name in ("n", "d_model", "d_k", "d_v"))
eta, h = parameter("eta"), parameter("h")

X, Y = matrix("X", n, d_model), matrix("Y", n, d_v)
W_Q, W_K = matrix("W_Q", d_model, d_k), matrix("W_K", d_model, d_k)
W_V = matrix("W_V", d_model, d_v)
M = matrix("M", d_model, d_k)
WEIGHTS = (W_Q, W_K, W_V)


def forward(weights, place=""):
    """The head and its loss as named steps; those of another pass bear the name of that pass."""
    queries, keys, values = (Linear(X, weight) for weight in weights)
    head = SingleHead(X, *weights)
    off = head - Y
    of_rows = RowSum(Hadamard(off, off)) / 2
    loss = Ones(1, n) @ of_rows
    inside = dict(ScaledDotProductAttention(queries, keys, values).definition().parts)
    parts = {"Q": queries, "K": keys, "V": values, "R": queries @ keys.T, **inside}
    parts |= {"Z": head, "D": off, "J_row": of_rows, "L": loss}
    named = {part: (f"{place}.{name}" if place else name, *WORDS[name]) for name, part in parts.items()}
    return derive({named[head][0]: head, named[loss][0]: loss}, names=named)


def total(rows, columns, entries):
    """All entries of a matrix, added up."""
    return Ones(1, rows) @ entries @ Ones(columns, 1)


WORDS = {
    "Q": (
        Words("Queries", "クエリ"),
        Words("Each row of the input times the weight of the queries.", "入力の各行に、クエリ用の重みを掛けます。"),
    ),
    "K": (
        Words("Keys", "キー"),
        Words("Each row of the input times the weight of the keys.", "入力の各行に、キー用の重みを掛けます。"),
    ),
    "V": (
        Words("Values", "バリュー"),
        Words("Each row of the input times the weight of the values.", "入力の各行に、バリュー用の重みを掛けます。"),
    ),
    "R": (
        Words("Scores before scaling", "割る前の点数"),
        Words(
            "Row {i}, column {j} is the dot product of query {i} and key {j}.",
            "第 {i} 行・第 {j} 列は、クエリ {i} とキー {j} の内積です。",
        ),
    ),
    "S": (
        Words("Scores", "点数"),
        Words("They are divided by the square root of {d_k}.", "{d_k} の平方根で割ります。"),
    ),
    "A": (
        Words("Attention weights", "係数（アテンションの重み）"),
        Words("Softmax of each row of scores.", "点数の各行の Softmax です。"),
    ),
    "Z": (
        Words("Output of the head", "ヘッドの出力"),
        Words(
            "The value rows, each times its weight, added up.",
            "バリューの各行に係数を掛けて足します。",
        ),
    ),
    "D": (
        Words("Error of the output", "出力と目標の差"),
        Words("Output minus target.", "出力から目標を引きます。"),
    ),
    "J_row": (
        Words("Loss of each row", "行ごとの損失"),
        Words(
            "Half the sum of the squares of a row of {D}. The half is there so that the gradient becomes simple.",
            "{D} の各行の 2 乗の合計の半分です。半分にするのは、勾配の式を簡単にするためです。",
        ),
    ),
    "L": (
        Words("Loss", "損失"),
        Words("The losses of both rows, added.", "2 行の損失を足します。"),
    ),
}
FURTHER = {
    "new.W_Q": (
        Words("New weights of the queries", "クエリの新しい重み"),
        Words("{W_Q} minus {eta} times its gradient.", "{W_Q} から、勾配の {eta} 倍を引きます。"),
    ),
    "new.W_K": (
        Words("New weights of the keys", "キーの新しい重み"),
        Words("{W_K} minus {eta} times its gradient.", "{W_K} から、勾配の {eta} 倍を引きます。"),
    ),
    "new.W_V": (
        Words("New weights of the values", "バリューの新しい重み"),
        Words("{W_V} minus {eta} times its gradient.", "{W_V} から、勾配の {eta} 倍を引きます。"),
    ),
    "U": (
        Words("Difference quotient", "差分商"),
        Words(
            "The loss with the larger weight minus the loss with the smaller one, divided by the distance 2 {h} between them.",
            "重みを大きくしたときの損失から小さくしたときの損失を引き、2 つの重みの差 2 {h} で割ります。",
        ),
    ),
    "G_M": (
        Words("The gradient with respect to the same weight", "同じ重みに関する勾配"),
        Words(
            "{M} is 0 except at one place, so the sum is the entry of {dW_Q} at that place.",
            "{M} は 1 か所を除いて 0 なので、合計は {dW_Q} のその位置の成分になります。",
        ),
    ),
    "N": (
        Words("Difference of the two", "両者の差"),
        Words("Difference quotient minus gradient.", "差分商から勾配を引きます。"),
    ),
    "rho": (
        Words("Squares of all gradients", "すべての勾配の 2 乗の合計"),
        Words("The sums of the three gradients, added.", "3 つの勾配についての合計を足します。"),
    ),
    **{
        f"rho_{name}": (
            Words("Squares of one gradient", "1 つの勾配の 2 乗の合計"),
            Words("Its entries are squared and added.", "成分を 2 乗して足します。"),
        )
        for name in "QKV"
    },
    "F": (
        Words("The loss that the slopes predict", "傾きから予想される損失"),
        Words(
            "Each weight moves against its slope, by {eta} times that slope. If the slope stayed the same on the way, the loss "
            "would fall by slope times distance, that is, by {eta} times the square of the slope.",
            "どの重みも傾きと逆の向きに、傾きの {eta} 倍だけ動きます。途中で傾きが変わらなければ、損失は「傾き × 動いた量」、つまり傾きの 2 乗の {eta} 倍だけ減ります。",
        ),
    ),
}

BACKWARD_WORDS = {
    "dJ_row": Words(
        "The losses of the rows are added, so each has the gradient 1.",
        "行ごとの損失を足しているので、どれも勾配は 1 です。",
    ),
    "dD": Words(
        "In {D} ⊙ {D} every difference stands twice, as both factors, and each of the two gives half of the difference: together "
        "the difference itself.",
        "{D} ⊙ {D} では、どの差も因子として 2 回使われ、それぞれから差の半分が来ます。合わせると差そのものになります。",
    ),
    "dK": Words(
        "{K} is used in {R}, transposed, as the right matrix of a product. The gradient there is the transposed left matrix "
        "times the cotangent, and it is transposed back.",
        "{K} は {R} で、積の右の行列として転置して使われています。右の行列の勾配は、左の行列の転置を上流の勾配に左から掛けたものなので、"
        "それを転置して元の向きに戻します。",
    ),
}

first = forward(WEIGHTS)
gradient = differentiate(first, WEIGHTS)
BACK = {step.letter: step.stands_for for step in gradient.derivation.steps}


def behind(derivation, known):
    """Its steps, with what they stand for written in the inputs of the page."""
    return tuple(replace(step, stands_for=step.stands_for.xreplace(known)) for step in derivation.steps)


def made(expressions, known):
    """Further steps from earlier ones, named and told."""
    named = {expression: (name, *FURTHER[name]) for name, expression in expressions.items()}
    return behind(derive(expressions, names=named), known)


def quotient():
    """One weight larger and smaller by h: two more passes, and what their losses say about its gradient."""
    passes = {place: forward((W_Q + step * M, W_K, W_V), place) for place, step in (("plus", h), ("minus", -h))}
    plus, minus = (passes[place][f"{place}.L"] for place in passes)
    compared = Scaling(plus.letter - minus.letter, 1, 2 * h)
    known = {**BACK, plus.letter: plus.stands_for, minus.letter: minus.stands_for}
    slope = total(d_model, d_k, Hadamard(M, gradient["W_Q"].letter))
    steps = made({"U": compared, "G_M": slope, "N": compared - slope}, known)
    return (*passes["plus"].steps, *passes["minus"].steps, *steps)


def descended():
    """One step of gradient descent, the head again with the new weights, and what the slope alone foretells."""
    new = made({f"new.{w.name}": GradientStep(w, gradient[w.name].letter, eta) for w in WEIGHTS}, BACK)
    again = forward([step.letter for step in new], "new")
    slopes = {weight: gradient[weight.name].letter for weight in WEIGHTS}
    squares = made({f"rho_{w.name[-1]}": total(*w.shape, Hadamard(x, x)) for w, x in slopes.items()}, BACK)
    rho = squares[0].letter + squares[1].letter + squares[2].letter
    known = {**BACK, **{step.letter: step.stands_for for step in squares}}
    foretold = made({"rho": rho, "F": first["L"].letter - Scaling(rho, eta, 1)}, known)
    return (*new, *behind(again, {step.letter: step.stands_for for step in new}), *squares, *foretold)


steps = tuple(
    replace(step, explanation=BACKWARD_WORDS.get(step.name, step.explanation)) for step in gradient.derivation.steps
)
steps += (*quotient(), *descended())

SECTIONS = (
    Section(
        Words("What this page is about", "このページについて"),
        Words(
            "The attention head of chapter 4 of the explainer is worked out and its output compared with a target. From the error "
            "the gradients are calculated by hand, step by step, all the way back to the weights: this is backpropagation. "
            "Then every weight moves a little against its gradient, the head is worked out once more, and the loss shows "
            "whether that helped. The inputs are those of chapter 4; the target is chosen by hand so that the numbers stay short. "
            "In a real model no one gives a target for the output of a head. The loss comes from the probabilities at "
            "the very end, and {dZ} is what the later layers hand back; from there on the calculation is the same.",
            "解説の第 4 章のアテンションヘッドを計算し、出力を目標と比べ、そのずれから重みまで、1 ステップずつ逆向きに手で勾配を計算します。"
            "これが誤差逆伝播です。そのあと、どの重みも勾配と逆の向きに少し動かし、もう一度ヘッドを計算して、損失が減ったかどうかを確かめます。"
            "入力は第 4 章と同じで、目標は数が短くなるように手で決めました。実際のモデルでは、ヘッドの出力に目標が与えられることはありません。"
            "損失は最後の確率から計算し、後ろの層が {dZ} を返してきます。そこから先の計算は同じです。",
        ),
    ),
    Section(
        Words("Notation", "記法"),
        Words(
            "{dA} has the size of {A}. Its entry in row {i} and column {j} says how fast the loss grows when that entry of "
            "{A} grows a little and everything computed from it is computed anew; the same holds for every letter with a {d} in "
            "front of it. "
            "For an operation, the gradient with respect to its result is called the cotangent: from it the operation computes "
            "the gradients with respect to its arguments. ⊙ multiplies entry by entry, rowsum adds up each row, broadcast repeats a column "
            "side by side as often as its second argument says, and ones, a bold 1 where the page is typeset, is a matrix "
            "of ones with the given numbers of rows and columns. Letters with new belong to the second pass, with the new weights; plus "
            "and minus mark the passes in which a single weight is moved.",
            "{dA} は {A} と同じ大きさです。その第 {i} 行・第 {j} 列は、{A} の同じ成分を少し大きくし、そこから作る値をすべて計算し直したときに、"
            "損失がどれだけの速さで増えるかを表します。{d} の付くほかの文字も同じです。ある演算の結果の勾配を、その演算にとっての「上流の勾配」と呼びます。"
            "演算ごとに、上流の勾配から引数の勾配を計算します。⊙ は成分ごとの掛け算、rowsum は各行の合計です。broadcast は列を 2 つ目の引数の回数だけ横に並べます。"
            "ones（組版したページでは太字の 1）は、すべての成分が 1 の行列で、引数は行数と列数です。"
            "new の付く文字は新しい重みでの 2 回目の計算、plus と minus の付く文字は重みを 1 つだけ動かした計算のものです。",
        ),
    ),
    Section(
        Words("Forward: queries, keys and values", "順方向：クエリ・キー・バリュー"),
        Words(
            "Row 1 belongs to cat, row 2 to sleeps. {X} is the identity matrix, so the results have the same numbers as the weights.",
            "1 行目が「猫」、2 行目が「眠る」です。{X} が単位行列なので、結果は重みと同じ数になります。",
        ),
        inputs=("X", "W_Q", "W_K", "W_V"),
        steps=("Q", "K", "V"),
    ),
    Section(
        Words("Forward: scores, weights and output", "順方向：点数・係数・出力"),
        steps=("R", "S", "A", "Z"),
        percent=("A",),
    ),
    Section(
        Words("The loss", "損失"),
        Words(
            "{Y} is the output that is wanted. Every difference is squared, so that too much and too little both count.",
            "{Y} は目標とする出力です。差を 2 乗するので、大きすぎても小さすぎても損失になります。",
        ),
        inputs=("Y",),
        steps=("D", "J_row", "L"),
    ),
    Section(
        Words("Backward: the output", "逆方向：出力ベクトル"),
        Words(
            "The way back begins at the loss, whose gradient with respect to itself is 1, and takes the steps in reverse order. Because of the "
            "square, the gradient with respect to the output is just the difference from the target: {dZ} equals {D}, and in the formulas below "
            "{D} stands for both. Where the output is too small, the entry is negative, and the loss falls when the output grows.",
            "逆方向の計算は損失から始まり（損失自身の勾配は 1）、計算した順と逆にたどります。損失が 2 乗なので、出力の勾配 {dZ} は目標との差 {D} そのもので、この先の式では {D} と書きます。"
            "出力が目標より小さい成分では負になり、出力を大きくすれば損失が減ることを表します。",
        ),
        steps=("dJ_row", "dD", "dZ"),
    ),
    Section(
        Words("Backward: the weights of attention", "逆方向：係数"),
        Words(
            "Entry ({i}, {j}) of {dA} is the dot product of row {i} of {dZ} and value {j}. If it is positive, taking more of "
            "that value makes the loss larger.",
            "{dA} の ({i}, {j}) 成分は、{dZ} の第 {i} 行とバリュー {j} の内積です。正なら、そのバリューを多く使うほど損失が増えます。",
        ),
        steps=("dA",),
    ),
    Section(
        Words("Backward: the scores", "逆方向：点数"),
        Words(
            "The weights of a row add up to 1, so one of them can grow only at the expense of the others. What counts is therefore "
            "how far an entry of {dA} lies above the weighted mean of its row, and every row of {dS} adds up to 0. "
            "{dR} belongs to the scores before scaling; the page on the gradients of queries and keys calls it {g}.",
            "1 行の係数の合計は 1 なので、1 つが増えればほかが減ります。そこで、{dA} の成分がその行の加重平均をどれだけ上回るかで決まり、"
            "{dS} の各行の合計は 0 になります。{dR} は割る前の点数の勾配で、クエリとキーの勾配のページで {g} と書いているものです。",
        ),
        steps=("dS", "dR"),
    ),
    Section(
        Words("Backward: queries and keys", "逆方向：クエリとキー"),
        Words(
            "This is where queries and keys part. Row {i} of {dQ} is made from row {i} of {dR}, the gradients of all scores of one output "
            "row, each times its key. Row {j} of {dK} is made from column {j} of {dR}, the gradients of the scores of one "
            "key in all output rows, each times its query. That is why two products of the same form {X} {W} get different corrections.",
            "ここでクエリとキーが分かれます。{dQ} の第 {i} 行は {dR} の第 {i} 行、つまり 1 つの出力行で使ったすべての点数の勾配に、それぞれのキーを掛けて足したものです。"
            "{dK} の第 {j} 行は {dR} の第 {j} 列、つまりすべての出力行で 1 つのキーに付いた点数の勾配に、それぞれのクエリを掛けて足したものです。"
            "同じ {X} {W} の形の掛け算でも、2 つの側で修正の内容が違うのはこのためです。",
        ),
        steps=("dQ", "dK"),
    ),
    Section(
        Words("Backward: the values", "逆方向：バリュー"),
        Words(
            "A value goes into every output row, with the weights in its column of {A}, and from each of these rows a gradient "
            "comes back in the same proportion.",
            "1 つのバリューは {A} の同じ列にある係数で、すべての出力行に使われます。同じ割合で、それぞれの行から勾配が返ってきます。",
        ),
        steps=("dV",),
    ),
    Section(
        Words("Backward: the three weights", "逆方向：3 つの重み"),
        Words(
            "All tokens share the weights, so the contributions of all rows are added up: multiplying by the transposed input does "
            "that. Here the input is the identity matrix, and the numbers stay as they are.",
            "重みは全トークンに共通なので、各行から来る分を足します。転置した入力を掛けると、その足し算になります。"
            "この例では入力が単位行列なので、数は変わりません。",
        ),
        steps=("dW_Q", "dW_K", "dW_V"),
    ),
    Section(
        Words("One gradient put to the test", "勾配を 1 つ確かめる"),
        Words(
            "A gradient is a claim about what happens when a weight is moved, and that can be tried. {M} marks one weight, "
            "row 2, column 1 of {W_Q}. The whole head is worked out with this weight larger by {h} (plus) and smaller by "
            "{h} (minus), and nothing else changed. {U} uses no formula of the backward pass. With a smaller {h} it comes closer to "
            "the gradient: with a tenth of {h}, about a hundredth of the difference {N} is left.",
            "勾配は「重みを動かすと何が起こるか」を述べたものなので、実際に動かして確かめられます。{M} は 1 つの重み、{W_Q} の第 2 行・第 1 列を指します。"
            "ほかは変えずに、この重みを {h} だけ大きくした場合（plus）と小さくした場合（minus）のヘッドを計算します。{U} には逆方向の式を使いません。"
            "{h} を小さくすると {U} は勾配に近づき、{h} が 10 分の 1 になると、差 {N} はおよそ 100 分の 1 になります。",
        ),
        inputs=("M",),
        steps=("U", "G_M", "N"),
        exact=False,
        sweep=Sweep(
            h,
            (1, Fraction(1, 10), Fraction(1, 100), Fraction(1, 1000)),
            tuple(Column(name, 0, 0, places=9) for name in ("plus.L", "minus.L", "U", "G_M", "N")),
        ),
    ),
    Section(
        Words("One step of gradient descent", "勾配降下の 1 ステップ"),
        Words(
            "All three weights move at once, each entry against its own gradient. {eta} is the learning rate.",
            "3 つの重みを同時に動かします。どの成分も、自分の勾配と逆の向きに動きます。{eta} は学習率です。",
        ),
        steps=("new.W_Q", "new.W_K", "new.W_V"),
        exact=False,
        facts=(
            Fact(
                Words(
                    "Numbers that move: {0} + {1} + {2} = {3}.",
                    "動かす数の個数：{0} + {1} + {2} = {3}。",
                ),
                (*(w.shape[0] * w.shape[1] for w in WEIGHTS), sum(w.shape[0] * w.shape[1] for w in WEIGHTS)),
            ),
        ),
    ),
    Section(
        Words("Forward again, with the new weights", "新しい重みで、もう一度順方向に計算する"),
        Words(
            "The same formulas with other weights.",
            "同じ式を、新しい重みで計算します。",
        ),
        steps=("new.Q", "new.K", "new.V", "new.R", "new.S", "new.A", "new.Z", "new.D", "new.J_row", "new.L"),
        percent=("new.A",),
        exact=False,
    ),
    Section(
        Words("The loss before and after", "ステップの前と後の損失"),
        Words(
            "Every component of the output has come closer to its target.",
            "出力のどの成分も、目標に近づいています。",
        ),
        compare=(
            Comparison("L", Words("before the step", "ステップの前"), Words("after the step", "ステップの後"), "new.L"),
            Comparison("D", Words("error before", "前の差"), Words("error after", "後の差"), "new.D"),
        ),
        exact=False,
    ),
    Section(
        Words("How far the slope can be trusted", "傾きはどこまで信用できるか"),
        Words(
            "{F} is the loss that the gradients alone predict. For a small {eta} it agrees well with the new loss; the larger the "
            "step, the less it does, because the gradients change on the way.",
            "{F} は勾配だけから予想した損失です。{eta} が小さければ新しい損失とよく合います。大きく動かすほど、途中で勾配が変わるので合わなくなります。",
        ),
        steps=("rho_Q", "rho_K", "rho_V", "rho", "F"),
        exact=False,
        sweep=Sweep(
            eta,
            (0, Fraction(1, 1000), Fraction(1, 100), Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), 1),
            (Column("L", 0, 0), Column("new.L", 0, 0), Column("F", 0, 0)),
        ),
    ),
)

derivation = with_values(
    replace(
        gradient.derivation,
        steps=steps,
        title=Words(
            "Backpropagation through one attention head, by hand", "1 つのアテンションヘッドの誤差逆伝播を手で計算する"
        ),
        labels=((str(n), (Words("cat", "猫"), Words("sleeps", "眠る"))),),
        sections=SECTIONS,
    ),
    values={
        X: [[1, 0], [0, 1]],
        W_Q: [[0, 1], [1, 0]],
        W_K: [[1, 0], [0.5, 1]],
        W_V: [[2, 0], [0, 4]],
        Y: [[1, 2], [2, 1]],
        M: [[0, 0], [1, 0]],
        eta: Fraction(1, 10),
        h: Fraction(1, 100),
    },
)
