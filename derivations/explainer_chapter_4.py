"""Explainer, chapter 4: one attention head on two tokens, worked out for both rows.

The inputs are those of the chapter; every other number on the page is computed from them.
"""

from fractions import Fraction

from symtransformer import Column, Follow, Section, Sweep, Words, derive, dimension, matrix, parameter
from symtransformer.operations import Concatenation, Linear, SingleHead

n, d_model, d_k, d_v = (dimension(name) for name in ("n", "d_model", "d_k", "d_v"))
d_out = dimension("d_out")
t = parameter("t")

X = matrix("X", n, d_model)
W_Q, W_K = matrix("W_Q", d_model, d_k), matrix("W_K", d_model, d_k)
W_V = matrix("W_V", d_model, d_v)
Z_1, Z_2 = matrix("Z_1", 1, 2), matrix("Z_2", 1, 2)
W_O = matrix("W_O", 4, d_out)

Q, K = Linear(X, W_Q), Linear(X, W_K)
Y = Concatenation(Z_1, Z_2)

TOKENS = (Words("cat", "猫"), Words("sleeps", "眠る"))

derivation = derive(
    {"Z": SingleHead(X, W_Q, W_K, W_V), "Y": Y, "O": Linear(Y, W_O)},
    names={
        Q @ K.T: (
            "R",
            Words("Scores before scaling", "割る前の点数"),
            Words(
                "Each query row times each key row, entry by entry, added up.",
                "クエリの各行とキーの各行について、対応する成分を掛けて足します。",
            ),
        )
    },
    stages=True,
    title=Words("One attention head, row by row", "1 ヘッドのアテンションを 1 行ずつ計算する"),
    labels={n: TOKENS},
    follow=Follow("Z", "row", 1),
    values={
        X: [[1, 0], [0, 1]],
        W_Q: [[0, 1], [1, 0]],
        W_K: [[1, 0], [0.5, 1]],
        W_V: [[2, 0], [0, 4]],
        Z_1: [[1, 2]],
        Z_2: [[3, 4]],
        W_O: [[1, 0], [0, 1], [1, 1], [1, -1]],
    },
    sections=[
        Section(
            Words("What is given", "与えられているもの"),
            Words(
                "Two tokens, cat and sleeps, each a row of {X}. The three weight matrices belong to this head, "
                "and the same three are used for both rows. All numbers are chosen by hand so that the "
                "calculation can be followed; they are not those of a trained model.",
                "トークンは「猫」と「眠る」の 2 つで、それぞれが {X} の 1 行です。3 つの重み行列はこのヘッドのもので、"
                "どちらの行にも同じ 3 つを使います。数値は計算を追いやすいように手で決めたもので、"
                "学習済みモデルの値ではありません。",
            ),
            inputs=("X", "W_Q", "W_K", "W_V"),
        ),
        Section(
            Words("Notation", "記法"),
            Words(
                "rowsum adds up each row. divide({U}, {c}) divides each row of {U} by the number of {c} in that row. "
                "Concat writes matrices side by side.",
                "rowsum は各行の合計です。divide({U}, {c}) は、{U} の各行を、同じ行にある {c} の数で割ります。"
                "Concat は行列を横に並べます。",
            ),
        ),
        Section(
            Words("Queries, keys and values", "クエリ・キー・バリューを作る"),
            Words(
                "Each row is multiplied from the right by a weight matrix. Rows of the weights belong to the "
                "components of the input, columns to those of the result.",
                "各行に重み行列を右から掛けます。重みの行は入力の成分に、列は結果の成分に対応します。",
            ),
            steps=("Q", "K", "V"),
        ),
        Section(
            Words("Scores", "点数を計算する"),
            Words(
                "Row {i} and column {j} of {R} hold the dot product of the query of token {i} and the key of token "
                "{j}. Row 2 compares the query of sleeps with both keys.",
                "{R} の第 {i} 行・第 {j} 列は、トークン {i} のクエリとトークン {j} のキーの内積です。"
                "第 2 行では、「眠る」のクエリを 2 つのキーと比べています。",
            ),
            steps=("R",),
        ),
        Section(
            Words("Scaling", "点数を割って大きさをそろえる"),
            Words(
                "Queries and keys have {d_k} components. Vectors with more components give dot products that vary more, "
                "and softmax then tends to favor one key almost completely; dividing by the square root of {d_k} "
                "before softmax keeps this in check.",
                "クエリとキーの次元は {d_k} です。次元が増えると内積のばらつきが大きくなり、Softmax の結果が "
                "1 つのキーに偏りやすくなります。そこで、Softmax の前に {d_k} の平方根で割ります。",
            ),
            steps=("S",),
        ),
        Section(
            Words("Softmax in three steps", "Softmax を 3 つの段階で計算する"),
            Words(
                "Exponentials, their sum in each row, division by that sum. The weights of a row add up to 1, and "
                "they decide how much of each value goes into the output of that row.",
                "指数関数、行ごとの合計、その合計での割り算、の順に計算します。1 行の係数の合計は 1 になり、"
                "その行の出力にそれぞれのバリューをどれだけ使うかを決めます。",
            ),
            steps=("U", "c", "A"),
            percent=("A",),
        ),
        Section(
            Words("Weighted sum of the values", "係数を掛けてバリューを足す"),
            Words(
                "Each output row is the sum of the value rows, each times its weight: there is one output row for "
                "each token, with as many components as a value has. It is the output of this head for a token that "
                "is already there, not a prediction of the next one.",
                "出力の各行は、バリューの各行に係数を掛けて足したものです。出力はトークンごとに 1 行で、次元はバリューと同じです。"
                "これは入力にあるトークンに対するこのヘッドの出力で、次の単語の予測ではありません。",
            ),
            steps=("Z",),
        ),
        Section(
            Words("All rows at once", "全部の行をまとめて計算する"),
            Words(
                "The same calculation as one matrix formula. No row of the result depends on the query of another row.",
                "同じ計算を 1 つの行列の式にまとめます。どの行も、ほかの行のクエリには左右されません。",
            ),
            behind=(("Z", ("Q", "K", "V")),),
        ),
        Section(
            Words("Moving the query: one parameter", "クエリを動かす：1 つのパラメーター"),
            Words(
                "Now the second row of {W_Q} becomes [{t}, 1 − {t}]; the input and the other weights stay. The query "
                "of sleeps is then [{t}, 1 − {t}] as well, and everything made from it is a function of {t}: at {t} = 0 "
                "it reads only the second component of each key, at {t} = 1 only the first.",
                "ここでは {W_Q} の 2 行目を [{t}, 1 − {t}] に変えます。入力とほかの重みはそのままです。"
                "すると「眠る」のクエリも [{t}, 1 − {t}] になり、そこから作る値はすべて {t} の関数になります。"
                "{t} = 0 では各キーの第 2 成分だけ、{t} = 1 では第 1 成分だけが点数になります。",
            ),
            inputs=("W_Q",),
            steps=("Q", "R", "S", "A", "Z"),
            rows_only=True,
            values={W_Q: [[0, 1], [t, 1 - t]]},
            sweep=Sweep(
                t,
                (0, Fraction(1, 4), Fraction(1, 2), Fraction(2, 3), Fraction(3, 4), 1),
                (
                    Column("Q", 1, 0),
                    Column("Q", 1, 1),
                    Column("R", 1, 0),
                    Column("R", 1, 1),
                    Column("A", 1, 0, percent=True, places=0),
                    Column("A", 1, 1, percent=True, places=0),
                    Column("Z", 1, 0),
                    Column("Z", 1, 1),
                ),
            ),
        ),
        Section(
            Words("Two heads side by side, and the output projection", "2 つのヘッドをつなぎ、出力側の Linear に渡す"),
            Words(
                "A separate small example: two heads have the outputs {Z_1} and {Z_2} for the same token. They are "
                "written side by side, and {W_O}, which all tokens share, makes the components of the output from them.",
                "ここまでの計算とは別の小さな例です。同じトークンについて、2 つのヘッドの出力が {Z_1} と {Z_2} だとします。"
                "これを横に並べ、全トークンに共通の {W_O} を掛けて、新しい成分を計算します。",
            ),
            inputs=("Z_1", "Z_2", "W_O"),
            steps=("Y", "O"),
        ),
    ],
)
