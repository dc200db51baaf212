"""Proof: without positions, attention of rows in another order gives the same rows in that order."""

from fractions import Fraction

from sympy import sqrt

from symtransformer import Derivation, Section, Step, Words, dimension, matrix
from symtransformer.operations import Identity, SingleHead, Softmax
from symtransformer.symbols import permutation

n, d, d_k, d_v = (dimension(name) for name in ("n", "d", "d_k", "d_v"))
X, P = matrix("X", n, d), permutation("P", n)
W_Q, W_K, W_V = matrix("W_Q", d, d_k), matrix("W_K", d, d_k), matrix("W_V", d, d_v)

Q, K, V = matrix("Q", n, d_k), matrix("K", n, d_k), matrix("V", n, d_v)
S, A, Z = matrix("S", n, n), matrix("A", n, n), matrix("Z", n, d_v)
Q_P, K_P, V_P = matrix("Q_P", n, d_k), matrix("K_P", n, d_k), matrix("V_P", n, d_v)
S_P, A_P, Z_P = matrix("S_P", n, n), matrix("A_P", n, n), matrix("Z_P", n, d_v)
U, C, Y = matrix("U", n, n), matrix("C", n, d_v), matrix("Y", n, d_v)

QUERIES, KEYS, VALUES = X @ W_Q, X @ W_K, X @ W_V
SCORES = (QUERIES @ KEYS.T) / sqrt(d_k)
OTHER = P @ X
OTHER_SCORES = ((OTHER @ W_Q) @ (OTHER @ W_K).T) / sqrt(d_k)


derivation = Derivation(
    steps=(
        Step(Q, X @ W_Q, X @ W_Q, Words("Queries", "クエリ"), Words("Definition.", "定義です。")),
        Step(K, X @ W_K, X @ W_K, Words("Keys", "キー"), Words("Definition.", "定義です。")),
        Step(V, X @ W_V, X @ W_V, Words("Values", "バリュー"), Words("Definition.", "定義です。")),
        Step(
            S,
            (Q @ K.T) / sqrt(d_k),
            SCORES,
            Words("Scaled scores", "割った後の点数"),
            Words("Definition.", "定義です。"),
        ),
        Step(A, Softmax(S), Softmax(SCORES), Words("Weights", "係数"), Words("Definition.", "定義です。")),
        Step(
            Z,
            A @ V,
            SingleHead(X, W_Q, W_K, W_V),
            Words("Output of the head", "ヘッドの出力"),
            Words("The output for the rows in their first order.", "もとの並びでの出力です。"),
        ),
        Step(
            U,
            Identity(n),
            P.T @ P,
            Words("An order and its reverse", "並べ替えとその逆"),
            Words(
                "Each row and each column of {P} has a single 1. Its transpose therefore puts the rows back: the "
                "product {U} is the identity matrix.",
                "{P} のどの行にもどの列にも 1 が 1 つだけあります。そのため転置を掛けると並びが元に戻り、"
                "積 {U} は単位行列になります。",
            ),
            coarse=P.T @ P,
        ),
        Step(
            Q_P,
            P @ Q,
            OTHER @ W_Q,
            Words("Queries of the reordered rows", "並べ替えた行のクエリ"),
            Words(
                "Brackets are set anew: every row has its own query, wherever it stands.",
                "括弧を付け直しただけです。どの行のクエリも、その行がどこにあっても同じです。",
            ),
            coarse=OTHER @ W_Q,
        ),
        Step(
            K_P,
            P @ K,
            OTHER @ W_K,
            Words("Keys of the reordered rows", "並べ替えた行のキー"),
            Words("The same for the keys.", "キーについても同じです。"),
            coarse=OTHER @ W_K,
        ),
        Step(
            V_P,
            P @ V,
            OTHER @ W_V,
            Words("Values of the reordered rows", "並べ替えた行のバリュー"),
            Words("The same for the values.", "バリューについても同じです。"),
            coarse=OTHER @ W_V,
        ),
        Step(
            S_P,
            P @ S @ P.T,
            OTHER_SCORES,
            Words("Scores of the reordered rows", "並べ替えた行の点数"),
            Words(
                "Queries are the rows of the scores and keys their columns, so both are put in the new order.",
                "点数の行はクエリ、列はキーに当たるので、行も列も新しい順になります。",
            ),
            coarse=(Q_P @ K_P.T) / sqrt(d_k),
        ),
        Step(
            A_P,
            P @ A @ P.T,
            Softmax(OTHER_SCORES),
            Words("Weights of the reordered rows", "並べ替えた行の係数"),
            Words(
                "The exponential works entry by entry, and the sum of a row does not depend on the order of its terms.",
                "指数関数は成分ごとに働き、1 行の合計は足す順序に左右されません。",
            ),
            coarse=Softmax(S_P),
        ),
        Step(
            C,
            P @ A @ P.T @ P @ V,
            SingleHead(OTHER, W_Q, W_K, W_V),
            Words("The weighted sum of the reordered values", "並べ替えたバリューの加重和"),
            Words(
                "The weights above times the values above. The transpose of {P} and {P} stand side by side, and "
                "cancel.",
                "上の係数に上のバリューを掛けます。{P} の転置と {P} が隣り合い、打ち消し合います。",
            ),
            coarse=A_P @ V_P,
        ),
        Step(
            Y,
            P @ Z,
            SingleHead(OTHER, W_Q, W_K, W_V),
            Words("The claim", "結論"),
            Words(
                "{Y} is the output of the head for {P} {X}. It has the rows of {Z} in the new order: attention of the "
                "reordered rows is the reordered attention.",
                "{Y} は {P} {X} に対するヘッドの出力です。これは {Z} の行を新しい順に並べたものです。つまり、並べ替えた行に"
                "対するアテンションは、アテンションの出力を並べ替えたものになります。",
            ),
            coarse=C,
        ),
    ),
    title=Words("Attention without positions does not see the order", "位置の情報がないアテンションは順序を区別しない"),
    sections=(
        Section(
            Words("The claim", "示すこと"),
            Words(
                "A head reads the rows of {X} without any information on position: no positional encoding, no mask. "
                "{P} is any permutation matrix; {P} {X} has the same rows in another order. Then the output for "
                "{P} {X} is {P} {Z}: the same output rows, in that order. Every row keeps its own result, in "
                "whatever order the other rows stand. So such a head cannot tell who chased whom.",
                "位置の情報を持たない（位置エンコーディングもマスクもない）ヘッドが {X} の行を読むとします。{P} は"
                "任意の置換行列で、{P} {X} は同じ行を別の順に並べたものです。このとき {P} {X} に対する出力は {P} {Z}、"
                "つまり同じ出力の行をその順に並べたものになります。ほかの行がどの順に並んでいても、どの行の結果も変わりません。"
                "したがって、このヘッドには「だれがだれを追いかけたか」の区別がつきません。",
            ),
            steps=("Q", "K", "V", "S", "A", "Z"),
        ),
        Section(
            Words("The proof", "証明"),
            Words(
                "Now every row is put into its new place, and the formulas of the head are followed once more. An "
                "equation that is not proved for all sizes would be marked.",
                "すべての行を新しい位置に置き、ヘッドの計算をもう一度たどります。すべての行数・列数について証明できていない式が"
                "あれば、その旨を示します。",
            ),
            steps=("U", "Q_P", "K_P", "V_P", "S_P", "A_P", "C", "Y"),
        ),
        Section(
            Words("A case with numbers", "数値で確かめる"),
            Words(
                "Three rows, for dog, cat and chased; the first two change places. The rows of {Y} are the rows of {Z}, and the first two "
                "have changed places as well. With positions added to {X}, or with a causal mask, this no longer "
                "holds, and the order counts.",
                "「犬」「猫」「追いかけた」の 3 行で、はじめの 2 行を入れ替えます。{Y} の行は {Z} の行と同じで、はじめの 2 行が"
                "入れ替わっています。{X} に位置の情報を加えたり、因果マスクを使ったりすると、これは成り立たなくなり、"
                "順序が結果に影響します。",
            ),
            inputs=("X", "P", "W_Q", "W_K", "W_V"),
            steps=("Z", "Y"),
            values={
                X: [[1, 0], [0, 1], [1, 1]],
                P: [[0, 1, 0], [1, 0, 0], [0, 0, 1]],
                W_Q: [[0, 1], [1, 0]],
                W_K: [[1, 0], [Fraction(1, 2), 1]],
                W_V: [[2, 0], [0, 4]],
            },
        ),
    ),
)
