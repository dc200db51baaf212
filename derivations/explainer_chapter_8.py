"""Explainer, chapter 8: from the last vector of the decoder to text, and what training does with the same numbers.

The inputs are those of the chapter; where it gives none (the vectors of steps 1, 2, 4 and 5, the cache) small ones
are chosen here. Every other number on the page is computed from them.
"""

from dataclasses import replace
from fractions import Fraction

from sympy import oo, sqrt

from symtransformer import (
    Column,
    Counts,
    Fact,
    Section,
    Step,
    Sweep,
    Words,
    derive,
    dimension,
    evaluate,
    matrix,
    parameter,
)  # fmt: skip
from symtransformer.generation import beam_search, distribution, generate, ranking
from symtransformer.operations import (
    CachedAttention,
    CausalMask,
    CrossEntropy,
    Embedding,
    Exponential,
    Hadamard,
    Linear,
    Logarithm,
    LogSumExp,
    Mask,
    RightShift,
    RowConcatenation,
    RowSum,
    SmoothedTargets,
    Softmax,
    TemperatureSoftmax,
)  # fmt: skip
from symtransformer.operations.temperature import temperature_limits
from symtransformer.symbols import one_hot

START, END = Words("start", "開始"), Words("end", "終了")
CANDIDATES = (Words("neko", "猫"), Words("wa", "は"), Words("nemuru", "眠る"), Words(".", "。"), END)
INPUTS = (START, *CANDIDATES[:-1])
POSITIONS = tuple(Words(f"pos. {k}", f"位置 {k}") for k in range(1, len(INPUTS) + 1))
SLEEPS = CANDIDATES[2]

n, d, v, w, t = (dimension(name) for name in ("n", "d_model", "n_vocab", "n_words", "t"))
d_k, d_v = dimension("d_k"), dimension("d_v")
tau, epsilon, p = parameter("tau"), parameter("epsilon"), parameter("p")

h, W, Y = matrix("h", 1, d), matrix("W_vocab", d, v), matrix("Y", 1, v)
G, Y_G = matrix("G", n, d), matrix("Y_G", n, v)
N, o = matrix("N", n, w), matrix("o", 1, w)
x = matrix("x", 1, v)
M_top = matrix("M_top", 1, v)
wanted = matrix("p_Y", 1, 1)  # the probability of the target, as a matrix
q, k, u = matrix("q_t", 1, d_k), matrix("k_t", 1, d_k), matrix("v_t", 1, d_v)
K, V = matrix("K", t, d_k), matrix("V", t, d_v)

LAST, TABLE = [-1, 2], [[1, 1, 0, -1, 0], [0, 1, 1, 0, -1]]
VECTORS = [[2, -1], [1, 1], LAST, [-2, 1], [-1, -2]]
LIMIT = 20

LOGITS, ALL = Linear(h, W), Linear(G, W)
LOSS, LOSSES = CrossEntropy(LOGITS, Y, reduction="none"), CrossEntropy(ALL, Y_G, reduction="none")
LOSS_OF_P = -Logarithm(wanted)
COLD, HOT = temperature_limits(LOGITS)


def stages_of(rows, mark):
    """Names for the stages of one softmax: exponentials and their sums."""
    return {Exponential(rows): f"U_{mark}", RowSum(Exponential(rows)): f"c_{mark}"}


# -- tables of tokens: which one is taken, decided exactly -------------------------------------------------
def model(tokens):
    """The last row of the decoder for so many tokens, times the output weight."""
    return Linear([VECTORS[len(tokens) - 1]], TABLE)


def sentence(tokens):
    """Tokens as they stand in a cell."""
    return Words(" ".join(token.en for token in tokens), " ".join(token.ja for token in tokens))


def listed(tokens):
    """Tokens that stand beside one another without an order."""
    if len(tokens) == 1:
        return tokens[0]
    return Words(", ".join(f"“{token.en}”" for token in tokens), "".join(f"「{token.ja}」" for token in tokens))


ROW = Linear([LAST], TABLE)
RUN, CUT = generate(model, [START], CANDIDATES, END, LIMIT), generate(model, [START], CANDIDATES, END, 3)
GROUPS, TWO = ranking(ROW), distribution(ROW, top_k=2)
NUMBERS = Words("place", "順位"), Words("candidates", "候補"), Words("logit", "ロジット")
RANKED = Counts(
    Words("Candidates from the largest logit down", "ロジットの大きい順に並べた候補"),
    NUMBERS,
    tuple(
        (1 + sum(map(len, GROUPS[:place])), listed([CANDIDATES[j] for j in group]), evaluate(ROW)[0, group[0]])
        for place, group in enumerate(GROUPS)
    ),
)
STEPS = Counts(
    Words("One token in each step", "1 ステップに 1 トークン"),
    (Words("step", "ステップ"), Words("input", "入力"), Words("taken", "選んだトークン"), Words("probability", "確率")),
    tuple(
        (k + 1, sentence(step.tokens), step.chosen, evaluate(step.probabilities)[0, step.choice.index])
        for k, step in enumerate(RUN.steps)
    ),
)


def beams(width, steps):
    """The sequences kept after so many steps, as rows of a table."""
    return [
        (steps, sentence(beam.tokens), beam.log_probability)
        for beam in beam_search(model, [START], CANDIDATES, END, steps, width)
    ]


BEAM_HEADS = Words("step", "ステップ"), Words("kept", "残した系列"), Words("log-probability", "対数確率")
TWO_BEAMS = Counts(
    Words("The two best sequences after each step", "各ステップの後に残る 2 つの系列"),
    BEAM_HEADS,
    tuple(row for steps in range(1, len(VECTORS) + 1) for row in beams(2, steps)),
)
THREE_BEAMS = Counts(
    Words("The three best sequences at the end", "系列を 3 つ残した場合の最後の結果"),
    BEAM_HEADS,
    tuple(beams(3, len(VECTORS))),
)
WORDS = (START, *CANDIDATES)
SHIFTED = evaluate(RightShift(one_hot(range(1, w_ := len(WORDS)), w_), one_hot([0], w_)))
SHIFT = Counts(
    Words("What goes in and what is wanted", "入力と正解"),
    (Words("position", "位置"), Words("input", "入力"), Words("target", "正解")),
    tuple((i + 1, WORDS[list(SHIFTED.row(i)).index(1)], candidate) for i, candidate in enumerate(CANDIDATES)),
)

CACHE = Counts(
    Words("Rows of keys and values to compute for each new token", "新しいトークンごとに計算するキーとバリューの行数"),
    (Words("step", "ステップ"), Words("without a cache", "キャッシュなし"), Words("with a cache", "キャッシュあり")),
    tuple((Words(str(i), str(i)), i, 1) for i in range(1, len(RUN.steps) + 1)),
    Words("in all", "合計"),
)
ONE_LOSS = Step(
    matrix("J_P", 1, 1),
    -RowSum(Hadamard(Y, Logarithm(matrix("P", 1, v)))),
    LOSS,
    Words("The same loss from the probability", "確率から計算した同じ損失"),
    Words(
        "Minus the logarithm of the probability of the target: the same number, by way of {P}.",
        "正解の確率の対数に負号を付けたものです。{P} を経由しても同じ値になります。",
    ),
)
TIED = Step(
    matrix("L_E", 1, v),
    h @ matrix("E", v, d).T,
    LOGITS,
    Words("Logits from the table", "埋め込み表から計算したロジット"),
    Words(
        "Each logit is the dot product of {h} with the row of that candidate in {E}.",
        "各ロジットは、{h} と、その候補の {E} の行との内積です。",
    ),
)

SECTIONS = (
    Section(
        Words("What is given", "与えられているもの"),
        Words(
            "The decoder has read start, neko (cat) and wa (the particle that marks the topic), and its last row is {h}. Two "
            "numbers are not scores of two words: they only become scores once the output weight {W_vocab} has been "
            "applied. It has one column for each of five candidates: neko, wa, nemuru (sleeps), the full stop and end, in "
            "this order. Start is an input only and no candidate. All numbers are chosen by hand.",
            "デコーダーは「開始」「猫」「は」を読み終え、その最後の行が {h} です。2 つの数は 2 つの単語の点数ではありません。"
            "出力用の重み {W_vocab} を掛けて、はじめて候補の点数になります。{W_vocab} には 5 つの候補「猫」「は」「眠る」「。」「終了」に、この順で対応する列があります。"
            "「開始」は入力だけに使い、候補には含めません。数値はすべて手で決めたものです。",
        ),
        inputs=("h", "W_vocab"),
    ),
    Section(
        Words("Notation", "記法"),
        Words(
            "rowsum adds up each row; logsumexp is the logarithm of the row sum of the exponentials; divide divides each "
            "row of a matrix by the number of a column in that row. broadcast repeats a column side by side as often as its "
            "second argument says; ⊙ multiplies entry by entry. hardmax gives each row all its weight at the largest entry. "
            "causal makes the mask of "
            "so many rows and columns. Stack puts the rows of its second argument below those of the first; of the result, "
            "[1:{n}, :] takes rows 1 to {n}, both included. A row of ones (in print a bold 1) times a column adds up its entries, and a row of "
            "ones over a number has equal entries.",
            "rowsum は各行の合計、logsumexp は指数関数の値の行ごとの合計の対数です。divide は行列の各行を、同じ行にある列の数で割ります。"
            "broadcast は列を 2 つ目の引数の回数だけ横に並べ、⊙ は成分ごとに掛けます。hardmax は各行の最大の成分にすべての重みを与えます。"
            "causal はその行数・列数のマスクを作ります。"
            "Stack は 1 つ目の引数の下に 2 つ目の行を置き、[1:{n}, :] は第 1 行から第 {n} 行までを両端を含めて取り出します。"
            "1 を並べた行（印刷版では太字の 1）に列を掛けると成分の合計になり、1 を並べた行を数で割ると、等しい成分が並びます。",
        ),
    ),
    Section(
        Words("Logits: one score for each candidate", "ロジット：候補ごとの点数"),
        Words(
            "Column {j} of {W_vocab} belongs to candidate {j}: its weights times the components of {h}, added up. There "
            "is no bias. Logits may be negative, and nothing makes them add up to 1. This weight is not the {W_O} inside "
            "of attention.",
            "{W_vocab} の第 {j} 列が候補 {j} に対応します。{h} の各成分にその列の重みを掛けて足します。バイアスはありません。"
            "ロジットは負になることもあり、合計が 1 になるとは限りません。この重みは、アテンションの中の {W_O} とは別のものです。",
        ),
        steps=("L",),
        entries=("L",),
    ),
    Section(
        Words("Probabilities", "確率に変える"),
        Words(
            "The same softmax as in attention, now over candidates instead of positions. A program first subtracts the "
            "largest logit from the whole row; this changes no probability, and keeps the exponentials small.",
            "アテンションと同じ Softmax を、位置ではなく候補に対して使います。プログラムでは、先に行のすべての成分から最大のロジットを引き算します。"
            "確率は変わらず、指数関数の値が大きくなりすぎるのを防げます。",
        ),
        steps=("U", "c", "P"),
        percent=("P",),
    ),
    Section(
        Words("Taking the best one, and what to do about ties", "最大の候補を選ぶ、同点の扱いを決める"),
        Words(
            "Greedy choice takes the candidate with the largest logit, which is also the one with the largest "
            "probability: here nemuru. Two candidates share the second place exactly. That does not matter for greedy choice, "
            "but whoever keeps the best two needs a rule. On this page the candidate that comes first in the vocabulary "
            "goes first.",
            "greedy 選択では、ロジットが最大の候補、つまり確率が最大の候補を選びます。ここでは「眠る」です。"
            "2 位には、まったく同点の候補が 2 つあります。greedy 選択には影響しませんが、上位 2 つを残す方法では順番を決める規則が必要です。"
            "このページでは、語彙の中で先に並んでいる候補を優先します。",
        ),
        tables=(RANKED,),
    ),
    Section(
        Words("Temperature", "温度"),
        Words(
            "Before softmax the logits may be divided by a temperature, written {tau} here because {T} stands for the "
            "transpose; {tau} = 1 gives {P}. The closer {tau} is to 0, the more of the probability goes to the largest logit, and in the limit all of it ({P_cold}; equal logits "
            "would share it). The larger {tau}, the flatter the distribution, and in the limit all candidates are "
            "equally likely ({P_hot}). The order of the candidates is the same at every temperature, so greedy choice "
            "does not change.",
            "Softmax の前に、ロジットを温度で割ることがあります。{T} は転置を表すので、ここでは温度を {tau} と書きます。{tau} = 1 なら {P} と同じです。"
            "{tau} を 0 に近づけるほど確率は最大のロジットに集中し、極限ではすべてそこに集まります（{P_cold}。同点なら等分します）。"
            "{tau} を大きくするほど平らになり、極限ではどの候補も同じ確率になります（{P_hot}）。"
            "候補の順位はどの温度でも同じなので、greedy 選択の結果は変わりません。",
        ),
        steps=("L_tau", "P_tau", "P_cold", "P_hot"),
        sweep=Sweep(
            tau,
            (Fraction(1, 10), Fraction(1, 2), 1, 2, 10, 100),
            tuple(Column("P_tau", 0, j, percent=True) for j in range(len(CANDIDATES))),
        ),
    ),
    Section(
        Words("Drawing instead of taking the best", "確率に従って選び出す"),
        Words(
            "Instead of taking the best one, a candidate may be drawn with its probability. Often only the best few may "
            "be drawn: the others are masked with −∞ before softmax, and the rest is shared among those that are kept. "
            "With two kept, the tie decides who is left out: wa stands before the full stop, so the full stop goes.",
            "最大の候補を選ぶ代わりに、確率に従って候補を 1 つ、くじのように選び出すこともできます。上位のいくつかだけから選び出す場合は、"
            "残りの候補を Softmax の前に −∞ で隠します。確率は、残した候補だけで分け合います。"
            "2 つ残すときは、同点の扱いで結果が変わります。「は」は「。」より前にあるので、「。」が外れます。",
        ),
        inputs=("M_top",),
        steps=("L_top", "P_top"),
        percent=("P_top",),
        exact=False,
    ),
    Section(
        Words("From start to end", "開始から終了まで"),
        Words(
            "The chosen token is appended to the input, and the decoder runs again: one row more, and again only the "
            "last row is used. The encoder's output and all weights stay as they are. Row {i} of {G} is the last vector "
            "in step {i}; row 3 is {h}, the others are chosen for this page so that a sentence comes out. The loop stops "
            "at the end token, or when a limit on the number of tokens is reached; special tokens are not shown to the reader.",
            "選んだトークンを入力の最後に加え、もう一度デコーダーに通します。行は 1 つ増え、使うのはやはり最後の行だけです。"
            "エンコーダーの出力と重みは変わりません。{G} の第 {i} 行が、ステップ {i} の最後のベクトルです。第 3 行は {h} で、"
            "ほかの行は文ができるようにこのページで決めました。終了トークンを選ぶか、トークン数の上限に達すると止まります。"
            "特別なトークンは読者には見せません。",
        ),
        inputs=("G",),
        steps=("L_G", "P_G"),
        percent=("P_G",),
        exact=False,
        tables=(STEPS,),
        facts=(
            Fact(
                Words(
                    "The end token came in step {0}. A limit of {1} tokens would have stopped the loop before it.",
                    "終了トークンはステップ {0} で選ばれました。上限を {1} トークンにしていたら、その前に止まっていました。",
                ),
                (len(RUN.steps), len(CUT.steps)),
            ),
        ),
    ),
    Section(
        Words("Several sequences at once: beam search", "複数の系列を残す：ビームサーチ"),
        Words(
            "Beam search continues each sequence it has kept by every candidate, and keeps the most probable ones. "
            "The probability of a sequence is the product of those of its steps; logarithms turn the product into a "
            "sum. With two sequences the cut is tied in every step; of equally probable sequences, the one that comes "
            "first in dictionary order (by vocabulary) is kept. In step 1 wa and end tie, and wa is kept. With three "
            "sequences end is kept as well, and at the last step the sequence that consists of end alone is the most probable one. Every "
            "further token multiplies by a number below 1, so without a correction for length short sequences are "
            "favored; the paper uses such a correction. In this example the vectors depend on the number of the step "
            "only.",
            "ビームサーチでは、残しておいた系列のそれぞれに全候補をつなぎ、確率の高い系列だけをまた残します。"
            "系列の確率は各ステップの確率の積で、対数をとれば和になります。2 つ残す場合は、どのステップでも境目が同点です。"
            "確率が等しい系列は、語彙の順で辞書式に先のものを残します。ステップ 1 では「は」と「終了」が同点で、「は」が残ります。3 つ残す場合は「終了」も残り、最後のステップでは「終了」だけの系列の確率が最大になります。"
            "トークンを 1 つ加えるたびに 1 より小さい数が掛かるので、長さの補正をしなければ短い系列が有利です。原論文では補正をしています。"
            "なお、この例のベクトルはステップの番号だけで決まります。",
        ),
        tables=(TWO_BEAMS, THREE_BEAMS),
    ),
    Section(
        Words("In training: the targets, shifted to the right", "学習時：正解を右に 1 つずらす"),
        Words(
            "In training the whole sentence is known, and all positions are computed at once. The input is the target "
            "sentence with start in front and its last token left out. Each row of {N} marks the target of its position, "
            "each row of {D} the input. The six columns stand for start, neko, wa, nemuru, the full stop and end, in this "
            "order; {o} is the row of start. The shift alone would not be enough: nemuru, the target of position 3, stands "
            "in the input at position 4. The causal mask hides it from position 3, and every later token as well.",
            "学習時には文全体が分かっているので、すべての位置を同時に計算します。入力は、正解の文の先頭に「開始」を置き、"
            "最後のトークンを除いたものです。{N} の各行はその位置の正解を、{D} の各行は入力を表します。"
            "6 つの列は、順に「開始」「猫」「は」「眠る」「。」「終了」に対応し、{o} は「開始」の行です。"
            "ずらすだけでは足りません。位置 3 の正解「眠る」は、入力の位置 4 にあるからです。"
            "因果マスクがそれを位置 3 から隠し、後ろのトークンも隠します。",
        ),
        inputs=("N", "o"),
        steps=("D", "M"),
        usable=("M",),
        tables=(SHIFT,),
    ),
    Section(
        Words("The loss at one position", "1 つの位置の損失"),
        Words(
            "The target {Y} marks nemuru. The loss uses the probability of the target, not the token that was chosen: "
            "the lower that probability, the larger the loss. Computed from the logits it is the log-sum-exp minus the "
            "logit of the target, which needs no probability at all and loses no digits where {P} is nearly 0.",
            "正解 {Y} は「眠る」の位置だけが 1 です。損失に使うのは正解の確率で、実際に選んだトークンではありません。"
            "正解の確率が低いほど損失は大きくなります。ロジットから計算すれば、log-sum-exp から正解のロジットを引き算するだけで済みます。"
            "確率を求める必要がなく、{P} がほとんど 0 のときも桁が失われません。",
        ),
        inputs=("Y",),
        steps=("lambda", "Lambda", "J", "J_P"),
    ),
    Section(
        Words("How the loss falls with the probability", "確率と損失の関係"),
        Words(
            "{F} is the loss as a function of the probability {p} of the target, the only entry of {p_Y}: minus its natural "
            "logarithm.",
            "正解の確率 {p}（{p_Y} のただ 1 つの成分）の関数として表した損失が {F} です。自然対数に負号を付けたものです。",
        ),
        steps=("F",),
        rows_only=True,
        sweep=Sweep(p, (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(9, 10), 1), (Column("F", 0, 0),)),
    ),
    Section(
        Words("All positions: mean or sum", "全部の位置：平均か合計か"),
        Words(
            "The five rows of the generation above serve as the five positions of one sentence. Their losses are "
            "combined into one number, and it has to be said how: the sum grows with the length of the text, the mean "
            "does not. Both have their minimum at the same weights, but their gradients differ by a factor equal to the "
            "number of positions. {Y_G} holds the targets, one row for each position.",
            "上の生成で使った 5 行を、1 つの文の 5 つの位置とみなします。それぞれの損失を 1 つの数にまとめるとき、"
            "まとめ方を決めておく必要があります。合計は文が長いほど大きくなり、平均はそうなりません。"
            "最小になる重みは同じですが、合計の勾配は平均の勾配の「位置の数」倍になります。{Y_G} は位置ごとの正解を並べたものです。",
        ),
        inputs=("Y_G",),
        steps=("lambda_G", "Lambda_G", "J_G", "J_sum", "J_mean"),
        exact=False,
    ),
    Section(
        Words("Label smoothing", "ラベル平滑化"),
        Words(
            "The paper does not train towards probability 1: a share {epsilon} of the target is spread evenly over "
            "all candidates, the right one included. Some texts spread it over the others only, which is another "
            "convention and gives other numbers for the same {epsilon}. Here {epsilon} is one tenth.",
            "原論文では、正解の確率を 1 に近づけることを目標にはしません。正解のうち {epsilon} だけを、正解も含む全候補に均等に配ります。"
            "正解以外だけに配る流儀もあり、同じ {epsilon} でも値が変わります。ここでは {epsilon} を 10 分の 1 とします。",
        ),
        steps=("Y_ls", "J_ls"),
        exact=False,
    ),
    Section(
        Words("One matrix for both ends: weight tying", "入口と出口で 1 つの行列：重みの共有"),
        Words(
            "The embedding table {E} has one row for each word, the output weight one column for each candidate. With "
            "weight tying they are one and the same matrix, once transposed. Looking up wa takes row 2 of {E}, which "
            "is column 2 of {W_vocab}; on the way in it is also multiplied by the square root of {d_model}. "
            "Start would need a row of its own in a full table, since it is looked up but never chosen.",
            "埋め込み表 {E} には語ごとに 1 行、出力用の重みには候補ごとに 1 列あります。重みを共有する場合、両者は転置すれば同じ行列です。"
            "「は」を表から取り出すと {E} の第 2 行、つまり {W_vocab} の第 2 列が得られます。入口ではさらに {d_model} の平方根を掛けます。"
            "「開始」は表から取り出すだけで、選ばれることのないトークンなので、完全な表にはそのための行も必要です。",
        ),
        inputs=("x",),
        steps=("E", "R", "R_s", "L_E"),
    ),
    Section(
        Words("Keeping keys and values: the KV cache", "キーとバリューを取っておく：KV キャッシュ"),
        Words(
            "With the causal mask a row never depends on what comes after it. So the keys and values of earlier tokens "
            "do not change when a token is appended, and can be kept. For the new token only its own {q_t}, {k_t} and "
            "{v_t} are computed; the latter two go below the rows from before, and the result is the last row that full recomputation "
            "would give. A proof for any number of tokens has a page of its own. The cache saves work; what depends on "
            "what stays the same.",
            "因果マスクがあれば、どの行も後ろのトークンには左右されません。そのため、トークンを追加しても前のトークンのキーとバリューは変わらず、"
            "取っておけます。新しいトークンについて計算するのは {q_t}、{k_t}、{v_t} だけです。{k_t} と {v_t} を前の行の下に加えると、"
            "全部を計算し直したときの最後の行と同じ結果になります。任意のトークン数での証明は別のページにあります。"
            "キャッシュは計算を省くだけで、何が何に依存するかは変わりません。",
        ),
        inputs=("q_t", "k_t", "v_t", "K", "V"),
        steps=("K_new", "V_new", "S_t", "A", "Z"),
        exact=False,
        tables=(CACHE,),
    ),
)

steps = derive(
    {
        "L": LOGITS,
        "P": Softmax(LOGITS),
        "P_tau": TemperatureSoftmax(LOGITS, tau),
        "P_top": Softmax(Mask(LOGITS, M_top)),
        "P_cold": COLD,
        "P_hot": HOT,
        "J": LOSS,
        "F": LOSS_OF_P,
        "Y_ls": SmoothedTargets(Y, epsilon),
        "J_ls": CrossEntropy(LOGITS, SmoothedTargets(Y, epsilon), reduction="none"),
        "L_G": ALL,
        "P_G": Softmax(ALL),
        "J_G": LOSSES,
        "J_mean": CrossEntropy(ALL, Y_G),
        "J_sum": CrossEntropy(ALL, Y_G, reduction="sum"),
        "D": RightShift(N, o),
        "M": CausalMask(n),
        "R": Embedding(x, W.T),
        "R_s": Embedding(x, W.T, scaled="yes"),
        "Z": CachedAttention(q, K, k, V, u),
    },
    names={
        W.T: (
            "E",
            Words("The embedding table", "埋め込み表"),
            Words(
                "One row for each candidate: column {j} of {W_vocab} is row {j} of {E}.",
                "候補ごとに 1 行あり、{W_vocab} の第 {j} 列が {E} の第 {j} 行です。",
            ),
        ),
        LogSumExp(LOGITS): (
            "lambda",
            Words("Log-sum-exp", "log-sum-exp"),
            Words(
                "The logarithm of the sum of the exponentials.",
                "指数関数の値の合計の、対数をとります。",
            ),
        ),
        Softmax(ALL): "P_G",
        **stages_of(ALL, "G"),
        LogSumExp(ALL): "lambda_G",
        dict(LOSSES.definition().parts)["Lambda"]: "Lambda_G",
        LOGITS / tau: (
            "L_tau",
            Words("Logits divided by the temperature", "温度で割ったロジット"),
            Words("Every logit is divided by the same positive number.", "どのロジットも同じ正の数で割ります。"),
        ),
        Mask(LOGITS, M_top): (
            "L_top",
            Words("Logits of those that are kept", "残した候補のロジット"),
            Words(
                "The logits of the others are replaced by −∞, so that their probability is exactly 0.",
                "ほかの候補のロジットを −∞ に置き換えます。その確率はちょうど 0 になります。",
            ),
        ),
        q @ RowConcatenation(K, k).T / sqrt(d_k): (
            "S_t",
            Words("Scores of the new token", "新しいトークンの点数"),
            Words(
                "The new query is compared with every key, the new one included.",
                "新しいクエリを、新しいキーも含むすべてのキーと比べます。",
            ),
        ),
        HOT: (
            "P_hot",
            Words("The limit for a large temperature", "温度を大きくした極限"),
            Words("Every candidate has the same probability.", "どの候補も同じ確率になります。"),
        ),
        COLD: (
            "P_cold",
            Words("The limit for a temperature near 0", "温度を 0 に近づけた極限"),
            Words(
                "The largest logit has all the probability; equal ones would share it.",
                "最大のロジットに確率がすべて集まります。同点なら等分します。",
            ),
        ),
        LOSS_OF_P: (
            "F",
            Words("The loss as a function", "関数としての損失"),
            Words("Minus the natural logarithm of the probability.", "確率の自然対数に負号を付けたものです。"),
        ),
        **stages_of(LOGITS / tau, "tau"),
        **stages_of(Mask(LOGITS, M_top), "top"),
        **stages_of(q @ RowConcatenation(K, k).T / sqrt(d_k), "A"),
    },
    stages=True,
    sections=SECTIONS,
    title=Words("From the last vector to the next token", "最後のベクトルから次のトークンへ"),
    labels={v: CANDIDATES, n: POSITIONS, w: WORDS},
    values={
        h: [LAST],
        W: TABLE,
        Y: one_hot([CANDIDATES.index(SLEEPS)], len(CANDIDATES)),
        epsilon: Fraction(1, 10),
        M_top: [[0 if j in TWO.kept else -oo for j in range(len(CANDIDATES))]],
        G: VECTORS,
        Y_G: one_hot(range(len(CANDIDATES)), len(CANDIDATES)),
        N: one_hot(range(1, len(WORDS)), len(WORDS)),
        o: one_hot([0], len(WORDS)),
        x: one_hot([1], len(CANDIDATES)),
        q: [[1, 0]],
        k: [[1, 1]],
        u: [[0, 2]],
        wanted: [[p]],
        K: [[1, 0], [0, 1]],
        V: [[2, 0], [0, 4]],
    },
)
derivation = replace(steps, steps=(*steps.steps, ONE_LOSS, TIED))
