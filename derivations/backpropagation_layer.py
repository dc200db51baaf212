"""Backpropagation by hand through one whole encoder layer, that of the explainer, chapter 7, and one step of descent.

The inputs are those of the chapter, with an output weight and targets chosen by hand; every other number on the page
is computed from them.
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
    Addition,
    CrossEntropy,
    EncoderLayer,
    GradientStep,
    Hadamard,
    Linear,
    Ones,
    RowMean,
    Scaling,
    Softmax,
)
from symtransformer.symbols import distribution

n, d_model, d_k, d_v, d_ff, K = (dimension(name) for name in ("n", "d_model", "d_k", "d_v", "d_ff", "K"))
eta = parameter("eta")

X, Y = matrix("X", n, d_model), distribution("Y", n, K)  # each row of Y adds up to 1
W_Q, W_K = matrix("W_Q", d_model, d_k), matrix("W_K", d_model, d_k)
W_V = matrix("W_V", d_model, d_v)
W_O = matrix("W_O", 2 * d_v, d_model)
W_1, b_1 = matrix("W_1", d_model, d_ff), matrix("b_1", d_ff, 1)
W_2, b_2 = matrix("W_2", d_ff, d_model), matrix("b_2", d_model, 1)
W_C = matrix("W_C", d_model, K)
OF_HEADS = tuple(weight.of_head(head) for head in (0, 1) for weight in (W_Q, W_K, W_V))
WEIGHTS = (*OF_HEADS, W_O, W_1, b_1, W_2, b_2, W_C)

RENAMED = {"Y": "Z", "N_1": "H", "R_1": "R_A", "R_2": "R_F"}
FORWARD = {
    "Z": (
        Words("The heads side by side", "ヘッドの連結"),
        Words("Head 1 on the left, head 2 on the right.", "左がヘッド 1、右がヘッド 2 です。"),
    ),
    "C": (
        Words("Logits of the parts of speech", "品詞のロジット"),
        Words("Each row of the layer's output times the output weight.", "層の出力の各行に、出力用の重みを掛けます。"),
    ),
    "P_C": (
        Words("Probabilities of the parts of speech", "品詞の確率"),
        Words("Softmax of each row of logits.", "ロジットの各行の Softmax です。"),
    ),
    "Lambda": (
        Words("Their logarithms", "確率の対数"),
        Words(
            "From each logit the log-sum-exp of its row is subtracted.",
            "各ロジットから、その行の log-sum-exp を引きます。",
        ),
    ),
    "J_row": (
        Words("Loss of each token", "トークンごとの損失"),
        Words("Minus the log-probability of the right part of speech.", "正しい品詞の対数確率に負号を付けた値です。"),
    ),
    "L": (
        Words("Loss", "損失"),
        Words("The mean over both tokens.", "2 つのトークンの平均です。"),
    ),
}


def forward(place=""):
    """The layer and the loss as named steps; those of the second pass bear its name."""
    layer = EncoderLayer(X, W_Q, W_K, W_V, W_O, W_1, b_1, W_2, b_2, heads=2, **({"label": place} if place else {}))
    start = f"{place}." if place else ""
    bare = derive({"X_next": layer})
    logits = Linear(layer, W_C)
    loss = CrossEntropy(logits, Y)
    parts = {"C": logits, "P_C": Softmax(logits), **dict(loss.definition().parts), "L": loss}
    parts["Z"] = bare[f"{start}Y"].stands_for
    named = {part: (start + name, *FORWARD[name]) for name, part in parts.items()}
    named |= {bare[start + old].stands_for: start + new for old, new in RENAMED.items() if new not in FORWARD}
    return derive(
        {f"{start}X_next": layer, f"{start}P_C": parts["P_C"], f"{start}L": loss},
        names=named,
    )


BACKWARD_WORDS = {
    "dJ_row": Words(
        "The loss is the mean over the tokens, so each token counts with the same share.",
        "損失はトークンについての平均なので、どのトークンも同じ割合で効きます。",
    ),
    "dLambda": Words(
        "Only the log-probability of the right part of speech goes into the loss, with a minus sign; the others get 0.",
        "損失に使うのは正しい品詞の対数確率だけです（符号は負）。ほかの品詞の勾配は 0 になります。",
    ),
    "dC": Words(
        "A logit stands in its own log-probability as it is, which gives minus the target. It also stands in the log-sum-exp "
        "that is subtracted from every logit of the row. There its slope is its probability, and since the targets of a row "
        "add up to 1, the probability is what it gives.",
        "ロジットは、自分の対数確率にそのまま入っていて、そこからは「− 正解」が来ます。"
        "また、行のすべてのロジットから引く log-sum-exp にも入っています。その傾きは確率で、行の正解の合計は 1 なので、そこからは確率が来ます。",
    ),
    "dX": Words(
        "The residual connection hands {dR_A} on as it is; the heads add {M_1} and {M_2}.",
        "残差接続からは {dR_A} がそのまま来ます。それに、2 つのヘッドから来る {M_1} と {M_2} を足します。",
    ),
    "dR_F": Words(
        "From each row of {dX_next} its mean {mu_F} is subtracted, and {nu_F} times the row of {X_next}. What remains is "
        "divided by {sigma_F}.",
        "{dX_next} の各行から、その平均 {mu_F} と、{X_next} の行の {nu_F} 倍とを引き、残りを {sigma_F} で割ります。",
    ),
    "dR_A": Words(
        "From each row of {dH} its mean {mu_A} is subtracted, and {nu_A} times the row of {H}. What remains is divided by "
        "{sigma_A}.",
        "{dH} の各行から、その平均 {mu_A} と、{H} の行の {nu_A} 倍とを引き、残りを {sigma_A} で割ります。",
    ),
    **{
        f"db_{k}": Words(
            "The same bias was added to every row, so what comes from all rows is added up.",
            "同じバイアスをすべての行に足したので、全部の行から来る分を足します。",
        )
        for k in (1, 2)
    },
    **{
        f"dK_{k}": Words(
            "Row {j} of the keys went into column {j} of the scores: each score's gradient times its query, added up, and "
            "divided as the scores were.",
            "キーの第 {j} 行は点数の第 {j} 列に使われました。その列の勾配に、それぞれのクエリを掛けて足し、点数と同じ数で割ります。",
        )
        for k in (1, 2)
    },
}


first = forward()
gradient = differentiate(first, (*WEIGHTS, X))
OF = {weight: gradient[weight] for weight in WEIGHTS}
BACKWARD = tuple(step.name for step in gradient.derivation.steps[len(first.steps) :])


def between(start, end):
    """The names of the backward steps after one of them and before another."""
    return BACKWARD[BACKWARD.index(start) + 1 : BACKWARD.index(end)]


def behind(derivation, known):
    """Its steps, with what they stand for written in the inputs of the page."""
    return tuple(replace(step, stands_for=step.stands_for.xreplace(known)) for step in derivation.steps)


def count(*weights):
    """How many numbers there are in all."""
    return sum(weight.shape[0] * weight.shape[1] for weight in weights)


def mark_of(weight):
    """W_Q1 for the weight of head 1."""
    return OF[weight].name.removeprefix("d")


def squares(step):
    """The squares of all entries, added up."""
    rows, columns = step.letter.shape
    return Ones(1, rows) @ Hadamard(step.letter, step.letter) @ Ones(columns, 1)


SQUARES = {weight: f"rho_{mark_of(weight).replace('_', '')}" for weight in WEIGHTS}
STEPPED = {weight: f"new.{mark_of(weight)}" for weight in WEIGHTS}


def in_parts(step):
    """What a long step is made from, by name, and the step itself, both written out."""
    named = {found.name: found.letter for found in gradient.derivation.steps}
    if step.name == "dX":
        from_heads = [
            Addition(*(named[f"d{name}_{head + 1}"] @ weight.of_head(head).T for name, weight in PROJECTIONS))
            for head in (0, 1)
        ]
        return dict(zip(("M_1", "M_2"), from_heads, strict=True)), Addition(named["dR_A"], *from_heads)
    (one, other), (cotangent, result) = MEANS[step.name]
    means = {one: RowMean(named[cotangent]), other: RowMean(Hadamard(named[cotangent], named[result]))}
    return means, step.expression


def told():
    """The steps forward and backward, some in words of this page, and long ones in parts."""
    known = {step.letter: step.stands_for for step in gradient.derivation.steps}
    for step in gradient.derivation.steps:
        in_words = replace(step, explanation=BACKWARD_WORDS.get(step.name, step.explanation))
        if step.name not in (*MEANS, "dX"):
            yield in_words
            continue
        parts, whole = in_parts(step)
        apart = behind(derive(parts, names={part: (name, *PART_WORDS[name[0]]) for name, part in parts.items()}), known)
        letters = dict(zip(parts.values(), (part.letter for part in apart), strict=True))
        yield from (*apart, replace(in_words, expression=whole.xreplace(letters)))


PROJECTIONS = (("Q", W_Q), ("K", W_K), ("V", W_V))
MEANS = {"dR_F": (("mu_F", "nu_F"), ("dX_next", "X_next")), "dR_A": (("mu_A", "nu_A"), ("dH", "H"))}
PART_WORDS = {
    "m": (
        Words("Mean of the cotangent", "上流の勾配の平均"),
        Words("The mean of each row.", "行ごとの平均です。"),
    ),
    "n": (
        Words("Mean of the products", "積の平均"),
        Words(
            "Cotangent times result, entry by entry, and the mean of each row.",
            "上流の勾配と正規化の結果を成分ごとに掛け、行ごとに平均します。",
        ),
    ),
    "M": (
        Words("What one head hands back", "1 つのヘッドが返すもの"),
        Words(
            "Its queries, keys and values were each {X} times a weight: three contributions.",
            "そのヘッドのクエリ・キー・バリューは、どれも {X} に重みを掛けたものなので、3 つの寄与があります。",
        ),
    ),
}


def descended():
    """One step of gradient descent, and the whole layer again with the new weights."""
    known = {step.letter: step.stands_for for step in gradient.derivation.steps}
    update = derive(
        {STEPPED[w]: GradientStep(w, OF[w].letter, eta) for w in WEIGHTS},
        names={
            GradientStep(w, OF[w].letter, eta): (
                STEPPED[w],
                Words("New weight", "新しい重み"),
                Words("The weight minus {eta} times its gradient.", "重みから、勾配の {eta} 倍を引きます。"),
            )
            for w in WEIGHTS
        },
    )
    new = behind(update, known)
    letters = {w: step.letter for w, step in zip(WEIGHTS, new, strict=True)}
    whole = {w: step.stands_for for w, step in zip(WEIGHTS, new, strict=True)}
    again = tuple(
        replace(step, expression=step.expression.xreplace(letters), stands_for=step.stands_for.xreplace(whole))
        for step in forward("new").steps
    )
    return (*new, *again)


def foretold(steps):
    """What the gradients foretell of the loss, and how it really falls for each unit of the learning rate."""
    known = {step.letter: step.stands_for for step in steps}
    each = derive(
        {SQUARES[w]: squares(OF[w]) for w in WEIGHTS},
        names={squares(OF[w]): (SQUARES[w], *OF_SQUARES) for w in WEIGHTS},
    )
    rho = each.steps[0].letter
    for step in each.steps[1:]:
        rho = rho + step.letter
    loss, later = (next(s.letter for s in steps if s.name == name) for name in ("L", "new.L"))
    fall = Scaling(loss - later, 1, eta)
    told = derive({"rho": rho, "U": fall}, names={rho: ("rho", *RHO), fall: ("U", *FALL)})
    parts = behind(each, known)
    return (*parts, *behind(told, {**known, **{step.letter: step.stands_for for step in parts}}))


OF_SQUARES = (
    Words("Squares of one gradient", "1 つの勾配の 2 乗の合計"),
    Words("Its entries are squared and added.", "成分を 2 乗して足します。"),
)
RHO = (
    Words("Squares of all gradients", "すべての勾配の 2 乗の合計"),
    Words("The sums of all weights, added.", "すべての重みについての合計を足します。"),
)
FALL = (
    Words("How fast the loss falls", "損失の減る速さ"),
    Words("Loss before minus loss after, divided by {eta}.", "前の損失から後の損失を引き、{eta} で割ります。"),
)


def of_head(number):
    """The forward and the backward steps of one head."""
    on = tuple(f"{name}_{number}" for name in ("Q", "K", "V", "S", "A", "Z"))
    back = tuple(f"d{name}_{number}" for name in ("Z", "A", "S", "V", "Q", "K"))
    return on, (*back, *(f"dW_{name}{number}" for name in "VQK"))


steps = (*told(), *descended())
steps += foretold(steps)
HEADS = {number: of_head(number) for number in (1, 2)}
NEW = tuple(step.name for step in steps if step.name.startswith("new."))
ADAPTED, AGAIN = NEW[: len(WEIGHTS)], NEW[len(WEIGHTS) :]

SECTIONS = (
    Section(
        Words("What this page is about", "このページについて"),
        Words(
            "The encoder layer of chapter 7 of the explainer gets a task: from its two output rows the part of speech of each token "
            "is to be predicted. The error of the answer is traced back by hand through the whole layer: second normalization, "
            "network, residual connections, first normalization, both heads, down to every weight and to the input. Then "
            "all weights take one step, the layer is worked out once more, and the losses are compared. The inputs are "
            "those of chapter 7; the output weight {W_C} and the targets {Y} are chosen by hand.",
            "解説の第 7 章のエンコーダー層に、1 つの課題を与えます。2 つの出力の行から、各トークンの品詞を当てる課題です。"
            "答えの間違いを、2 回目の正規化、FFN、残差接続、1 回目の正規化、2 つのヘッドと逆向きにたどり、すべての重みと入力の勾配を手で計算します。"
            "そのあと全部の重みを 1 ステップ動かし、層をもう一度計算して、損失を比べます。入力は第 7 章と同じで、出力用の重み {W_C} と正解 {Y} は手で決めました。",
        ),
    ),
    Section(
        Words("Notation", "記法"),
        Words(
            "A letter with a {d} in front of it is a gradient: {dH} has the size of {H}, and each of its entries says how fast the loss grows when "
            "that entry of {H} grows a little and everything computed from it is computed anew. For the operation that computed {H}, "
            "{dH} is the cotangent, from which it computes the gradients with respect to its arguments. ⊙ multiplies entry by entry; rowsum, "
            "mean and std take each row by itself, colsum each column, and the second argument of std and norm is the small number under the "
            "root. divide divides each row of a matrix by the number of a column in that row, broadcast repeats a column "
            "side by side, Concat writes matrices side by side, and {Z}[:, 1:{d_v}] are its first {d_v} columns. step is 1 "
            "where an entry is positive, else 0. ones, a bold 1 where the page is typeset, is a matrix of ones. Letters with "
            "new belong to the second pass.",
            "{d} の付く文字は勾配です。{dH} は {H} と同じ大きさで、{H} の各成分を少し大きくし、そこから作る値をすべて計算し直したときに、"
            "損失がどれだけの速さで増えるかを表します。{H} を作った演算にとっては {dH} が「上流の勾配」で、そこから引数の勾配を計算します。"
            "⊙ は成分ごとの掛け算です。rowsum、mean、std は行ごとの合計、平均、標準偏差、colsum は列ごとの合計で、std と norm の 2 つ目の引数は根号の中の小さな数です。"
            "divide は行列の各行を、同じ行にある列の数で割り、broadcast は列を横に繰り返し、Concat は行列を横に並べます。{Z}[:, 1:{d_v}] は {Z} の最初の {d_v} 列です。"
            "step は正の成分を 1、ほかを 0 にします。ones（組版したページでは太字の 1）は、すべての成分が 1 の行列です。new の付く文字は 2 回目の計算のものです。",
        ),
    ),
    Section(
        Words("Forward: head 1", "順方向：ヘッド 1"),
        Words(
            "Row 1 belongs to cat, row 2 to sleeps. These are the numbers of chapter 7.",
            "1 行目が「猫」、2 行目が「眠る」です。数は第 7 章と同じです。",
        ),
        inputs=("X", "W_Q", "W_K", "W_V"),
        steps=HEADS[1][0],
        percent=("A_1",),
    ),
    Section(Words("Forward: head 2", "順方向：ヘッド 2"), steps=HEADS[2][0], percent=("A_2",)),
    Section(
        Words("Forward: output of the attention, first Add & Norm", "順方向：アテンションの出力と 1 回目の Add & Norm"),
        inputs=("W_O",),
        steps=("Z", "O", "R_A", "H"),
        exact=False,
    ),
    Section(
        Words("Forward: network and second Add & Norm", "順方向：FFN と 2 回目の Add & Norm"),
        Words(
            "Keep in mind which entries ReLU sets to 0: on the way back nothing passes there.",
            "ReLU が 0 にした成分を覚えておきます。逆方向では、そこを勾配が通りません。",
        ),
        inputs=("W_1", "b_1", "W_2", "b_2"),
        steps=("P", "F", "G", "R_F", "X_next"),
        kept=("F",),
        exact=False,
    ),
    Section(
        Words("Forward: the answer and its loss", "順方向：答えと損失"),
        Words(
            "{Y} says that cat is a noun and sleeps a verb. The weights have not been trained: for cat, verb gets the highest "
            "probability.",
            "{Y} は、「猫」が名詞、「眠る」が動詞であることを表します。重みは学習したものではないので、「猫」では動詞の確率が最も高くなっています。",
        ),
        inputs=("W_C", "Y"),
        steps=("C", "P_C", "Lambda", "J_row", "L"),
        percent=("P_C",),
        exact=False,
    ),
    Section(
        Words("Backward: from the loss to the logits", "逆方向：損失からロジットまで"),
        Words(
            "The loss is differentiated with respect to the log-probabilities first, then to the logits. What remains is simple: "
            "probabilities minus targets, divided by the number of tokens. The right part of speech has a negative gradient, so its logit "
            "should grow; those of the others should fall.",
            "損失を、まず確率の対数について、次にロジットについて微分します。結果は簡単で、確率から正解を引き、トークン数で割ったものです。"
            "正しい品詞の勾配は負なので、そのロジットを大きくし、ほかのロジットを小さくすべきだとわかります。",
        ),
        steps=("dJ_row", *between("dJ_row", "dX_next")),
        exact=False,
    ),
    Section(
        Words("Backward: output weight and output of the layer", "逆方向：出力用の重みと層の出力"),
        Words(
            "A product gives two gradients: that of its left matrix leads on into the layer, that of its right matrix is the "
            "gradient of the weight.",
            "行列の積からは 2 つの勾配が出ます。左の行列の勾配は層の中へ続き、右の行列の勾配が重みの勾配です。",
        ),
        steps=("dX_next", "dW_C"),
        exact=False,
    ),
    Section(
        Words("Backward: second normalization", "逆方向：2 回目の正規化"),
        Words(
            "Apart from the effect of the small number under the root, normalization does not notice when a whole row is shifted or "
            "stretched. So the part of the gradient that would only shift or stretch the row is subtracted, and what is left is "
            "divided by the spread of the row.",
            "正規化すると、行全体をずらしたり伸び縮みさせたりしても結果は（根号の中の小さな数の影響を除いて）変わりません。"
            "そこで、勾配のうち行をずらすだけ、伸び縮みさせるだけの部分を引き、残りを行の広がりで割ります。",
        ),
        steps=(*between("dX_next", "dR_F"), "mu_F", "nu_F", "dR_F"),
        exact=False,
    ),
    Section(
        Words("Backward: the network", "逆方向：FFN"),
        Words(
            "Through a sum the gradient goes to both terms as it is, so {dG} equals {dR_F}. Where {P} is negative, {F} does not "
            "change with it, and {dP} is 0; no entry of {P} is 0 itself. A bias is added to every row, so its gradient is the "
            "sum over the rows.",
            "足し算では、勾配がそのまま両方の項に伝わるので、{dG} は {dR_F} と同じです。{P} が負の成分では、{P} を少し動かしても {F} は変わらないので、{dP} は 0 です"
            "（{P} がちょうど 0 の成分はありません）。バイアスはすべての行に足されるので、その勾配は行についての合計です。",
        ),
        steps=("dG", *between("dG", "dH"), "dW_2", "db_2", "dW_1", "db_1"),
        exact=False,
    ),
    Section(
        Words("Backward: two ways meet", "逆方向：2 つの道が合流する"),
        Words(
            "{H} was used twice: the residual connection added it, and the network read it. Both contributions add up. "
            "Thanks to the first one something arrives even where the network lets nothing through.",
            "{H} は、残差接続で足す側と FFN の入力の 2 か所で使いました。両方から来る勾配を足します。"
            "1 つ目があるおかげで、FFN が何も通さないところにも勾配が届きます。",
        ),
        steps=("dH",),
        exact=False,
    ),
    Section(
        Words(
            "Backward: first normalization and output of the attention", "逆方向：1 回目の正規化とアテンションの出力"
        ),
        Words(
            "The same formula as before, with the numbers of the first normalization. The gradient of {W_O} follows.",
            "前と同じ式に、1 回目の正規化の数を入れます。続いて {W_O} の勾配を求めます。",
        ),
        steps=(*between("dH", "dR_A"), "mu_A", "nu_A", "dR_A", "dO", "dW_O", "dZ"),
        exact=False,
    ),
    Section(
        Words("Backward: head 1", "逆方向：ヘッド 1"),
        Words(
            "Each head gets back the columns in which its output stood. From there the way is that of a single head: values and "
            "attention weights, scores, queries and keys, and the three weight matrices.",
            "各ヘッドには、その出力が並んでいた列の勾配が戻ります。そこから先は 1 ヘッドの場合と同じで、バリューと係数、点数、クエリとキー、3 つの重み行列とたどります。",
        ),
        steps=HEADS[1][1],
        exact=False,
    ),
    Section(
        Words("Backward: head 2", "逆方向：ヘッド 2"),
        Words(
            "Nothing from head 1 is needed here: both could be worked out at the same time.",
            "ここにヘッド 1 の値は入りません。2 つのヘッドは同時に計算できます。",
        ),
        steps=HEADS[2][1],
        exact=False,
    ),
    Section(
        Words("Backward: what the layer hands back", "逆方向：前の層に返すもの"),
        Words(
            "{X} was read by six projections and by the residual connection: seven contributions. In a stack of layers "
            "this is the cotangent of the layer below, where the same calculation begins anew.",
            "{X} は 6 つの射影と残差接続で使ったので、7 つの寄与を足します。層を積み重ねたモデルでは、これが前の層の出力の勾配になり、"
            "同じ計算を前の層で繰り返します。",
        ),
        steps=("M_1", "M_2", "dX"),
        exact=False,
    ),
    Section(
        Words("One step of gradient descent", "勾配降下の 1 ステップ"),
        Words(
            "All weights move at once, with the same learning rate {eta}.",
            "すべての重みを、同じ学習率 {eta} で同時に動かします。",
        ),
        steps=ADAPTED,
        exact=False,
        facts=(
            Fact(
                Words(
                    "The heads hold {0} numbers, {W_O} {1}, the network {2} and {W_C} {3}. All of them move: "
                    "{0} + {1} + {2} + {3} = {4}.",
                    "動かす数は、ヘッドに {0} 個、{W_O} に {1} 個、FFN に {2} 個、{W_C} に {3} 個あります。"
                    "合わせて {0} + {1} + {2} + {3} = {4} 個です。",
                ),
                (count(*OF_HEADS), count(W_O), count(W_1, b_1, W_2, b_2), count(W_C), count(*WEIGHTS)),
            ),
        ),
    ),
    Section(
        Words("Forward again, with the new weights", "新しい重みで、もう一度順方向に計算する"),
        Words("The same formulas with other weights.", "同じ式を、新しい重みで計算します。"),
        steps=AGAIN,
        percent=("new.P_C",),
        exact=False,
    ),
    Section(
        Words("The loss before and after", "ステップの前と後の損失"),
        Words(
            "For both tokens the right part of speech has become more probable.",
            "どちらのトークンでも、正しい品詞の確率が上がっています。",
        ),
        compare=(
            Comparison("L", Words("before the step", "ステップの前"), Words("after the step", "ステップの後"), "new.L"),
            Comparison(
                "P_C", Words("probabilities before", "前の確率"), Words("probabilities after", "後の確率"), "new.P_C"
            ),
        ),
        exact=False,
    ),
    Section(
        Words("All gradients put to the test", "すべての勾配を確かめる"),
        Words(
            "If every weight moves by {eta} times its gradient, then for a small {eta} the loss must fall by {eta} times "
            "the sum of the squares of all gradients. {rho_WQ1} is that sum for {dW_Q1} alone, and so on; the larger it is, "
            "the more this weight contributes to the fall. {U} is how fast the loss really falls, from two forward passes and without "
            "any formula of the backward pass. The smaller {eta}, the closer it comes to {rho}; a wrong sign or factor in one of "
            "the gradients would keep it away.",
            "どの重みも勾配の {eta} 倍だけ動かすと、{eta} が小さければ、損失は全勾配の 2 乗の合計の {eta} 倍だけ減るはずです。"
            "{rho_WQ1} は {dW_Q1} だけについての 2 乗の合計で、ほかも同じです。大きいほど、その重みが損失の減少によく効いています。"
            "{U} は実際に減る速さで、順方向の計算 2 回だけから求め、逆方向の式は使いません。{eta} を小さくすると {rho} に近づきます。"
            "勾配の 1 つで符号や係数を間違えていれば、近づきません。",
        ),
        steps=("rho", "U"),
        exact=False,
        sweep=Sweep(
            eta,
            (Fraction(1, 10), Fraction(1, 100), Fraction(1, 1000), Fraction(1, 10000)),
            tuple(Column(name, 0, 0, places=6) for name in ("L", "new.L", "U", "rho")),
        ),
    ),
)

derivation = with_values(
    replace(
        gradient.derivation,
        steps=steps,
        title=Words(
            "Backpropagation through one encoder layer, by hand", "1 つのエンコーダー層の誤差逆伝播を手で計算する"
        ),
        labels=(
            (str(n), (Words("cat", "猫"), Words("sleeps", "眠る"))),
            (str(K), (Words("noun", "名詞"), Words("verb", "動詞"), Words("adverb", "副詞"))),
        ),
        sections=SECTIONS,
    ),
    values={
        X: [[1, 0, 1, 0], [0, 1, 0, 1]],
        W_Q.of_head(0): [[1, 0], [0, 1], [0, 0], [0, 0]],
        W_K.of_head(0): [[1, 0], [0, 1], [0, 0], [0, 0]],
        W_V.of_head(0): [[2, 0], [0, 2], [0, 0], [0, 0]],
        W_Q.of_head(1): [[0, 0], [0, 0], [0, 1], [1, 0]],
        W_K.of_head(1): [[0, 0], [0, 0], [1, 0], [0, 1]],
        W_V.of_head(1): [[0, 0], [0, 0], [1, 0], [0, 3]],
        W_O: [[1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1]],
        W_1: [[1, -1, 0, 0, 1, 0], [0, 0, 1, -1, 0, 1], [0, 0, 0, 0, 1, 1], [1, 1, 1, 1, 0, 0]],
        b_1: [[0], [0], [0], [0], [1], [-1]],
        W_2: [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0.5, 0, 1], [0, 0, 1, 0]],
        b_2: [[0], [0], [1], [0]],
        W_C: [[1, 0, 0], [0, 1, 0], [0, -1, 1], [1, 0, 0]],
        Y: [[1, 0, 0], [0, 1, 0]],
        eta: Fraction(1, 10),
    },
)
