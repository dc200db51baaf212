"""Proof: the score of a rotated query and a rotated key depends on the difference of their positions only."""

from symtransformer import Derivation, Section, Step, Words, dimension, matrix, parameter
from symtransformer.operations import Cosine, Hadamard, Ones, RotaryEmbedding, Sine

r = dimension("r")  # pairs of components
m, n, p = parameter("m"), parameter("n"), parameter("p")
A, B = matrix("A", 1, r), matrix("B", 1, r)  # the query: first and second component of each pair
C, D = matrix("C", 1, r), matrix("D", 1, r)  # the key
theta = matrix("theta", 1, r)

ALL = Ones(r, 1)


def turned(first, second, position):
    """Each pair turned by its angle at this position."""
    angles = position * theta
    cosines, sines = Cosine(angles), Sine(angles)
    return (
        Hadamard(first, cosines) - Hadamard(second, sines),
        Hadamard(first, sines) + Hadamard(second, cosines),
    )


def score(query_at, key_at):
    """The dot product of the turned query and the turned key."""
    (a, b), (c, d) = turned(A, B, query_at), turned(C, D, key_at)
    return a @ c.T + b @ d.T


def turn(rows, position, pairing):
    return RotaryEmbedding(rows, start=position, pairing=pairing)


NEIGHBORS, HALVES = "interleaved", "halves"
X, Y = matrix("X", 1, 4), matrix("Y", 1, 4)
U, V = matrix("U", 1, 1), matrix("V", 1, 1)
ALPHA, BETA = matrix("alpha", 1, r), matrix("beta", 1, r)
A_m, B_m, C_n, D_n = (matrix(name, 1, r) for name in ("A_m", "B_m", "C_n", "D_n"))
S, S_1, S_2, S_3, T = (matrix(name, 1, 1) for name in ("S", "S_1", "S_2", "S_3", "T"))
G, H = matrix("G", 1, r), matrix("H", 1, r)

turned_query, turned_key = turned(A, B, m), turned(C, D, n)
same_pairs = Hadamard(A, C) + Hadamard(B, D)
crossed_pairs = Hadamard(A, D) - Hadamard(B, C)


def by_angles(first, second):
    """The score by the addition formulas, from the angles of the query and the key."""
    return Hadamard(G, Cosine(first - second)) @ ALL + Hadamard(H, Sine(first - second)) @ ALL


by_difference = Hadamard(G, Cosine((m - n) * theta)) @ ALL + Hadamard(H, Sine((m - n) * theta)) @ ALL

derivation = Derivation(
    steps=(
        Step(
            ALPHA,
            m * theta,
            m * theta,
            Words("Angles of the query", "クエリの回転角"),
            Words(
                "Definition. At position {m} each pair is turned by {m} times its own angle.",
                "定義です。位置 {m} では、各ペアを、そのペアの角度の {m} 倍だけ回します。",
            ),
        ),
        Step(
            BETA, n * theta, n * theta, Words("Angles of the key", "キーの回転角"), Words("Definition.", "定義です。")
        ),
        Step(
            A_m,
            Hadamard(A, Cosine(ALPHA)) - Hadamard(B, Sine(ALPHA)),
            turned_query[0],
            Words("Turned query, first components", "回転したクエリの第 1 成分"),
            Words(
                "Definition: the rotation of a plane, for all pairs at once.",
                "定義です。平面の回転を、すべてのペアについてまとめて書いたものです。",
            ),
        ),
        Step(
            B_m,
            Hadamard(A, Sine(ALPHA)) + Hadamard(B, Cosine(ALPHA)),
            turned_query[1],
            Words("Turned query, second components", "回転したクエリの第 2 成分"),
            Words("Definition.", "定義です。"),
        ),
        Step(
            C_n,
            Hadamard(C, Cosine(BETA)) - Hadamard(D, Sine(BETA)),
            turned_key[0],
            Words("Turned key, first components", "回転したキーの第 1 成分"),
            Words("Definition.", "定義です。"),
        ),
        Step(
            D_n,
            Hadamard(C, Sine(BETA)) + Hadamard(D, Cosine(BETA)),
            turned_key[1],
            Words("Turned key, second components", "回転したキーの第 2 成分"),
            Words("Definition.", "定義です。"),
        ),
        Step(
            S,
            A_m @ C_n.T + B_m @ D_n.T,
            score(m, n),
            Words("The score", "点数"),
            Words(
                "The dot product of the whole vectors, added up in two halves. The division by the square root of "
                "the width comes later and does not matter here.",
                "ベクトル全体の内積を、2 つの半分に分けて足したものです。次元の平方根で割るのはこの後で、"
                "ここでの議論には関係しません。",
            ),
        ),
        Step(
            G,
            same_pairs,
            same_pairs,
            Words("Products within the pairs", "ペアの同じ成分どうしの積"),
            Words("Definition. No position stands in it.", "定義です。位置は含まれません。"),
        ),
        Step(
            H,
            crossed_pairs,
            crossed_pairs,
            Words("Crossed products", "交差した積"),
            Words("Definition. No position stands in it either.", "定義です。こちらにも位置は含まれません。"),
        ),
        Step(
            S_1,
            Hadamard(G, Hadamard(Cosine(ALPHA), Cosine(BETA)) + Hadamard(Sine(ALPHA), Sine(BETA))) @ ALL
            + Hadamard(H, Hadamard(Sine(ALPHA), Cosine(BETA)) - Hadamard(Cosine(ALPHA), Sine(BETA))) @ ALL,
            score(m, n),
            Words("Multiplied out and sorted", "展開して整理する"),
            Words(
                "The products are sorted by {G} and {H}. The column of ones adds up the pairs.",
                "積を {G} と {H} についてまとめます。1 を並べた列を掛けると、全ペアの合計になります。",
            ),
            coarse=S,
        ),
        Step(
            S_2,
            Hadamard(G, Cosine(ALPHA - BETA)) @ ALL + Hadamard(H, Sine(ALPHA - BETA)) @ ALL,
            score(m, n),
            Words("Addition formulas", "加法定理"),
            Words(
                "The two brackets are the cosine and the sine of the difference of the angles.",
                "2 つの括弧は、それぞれ角度の差の余弦と正弦です。",
            ),
            coarse=S_1,
        ),
        Step(
            S_3,
            by_difference,
            score(m, n),
            Words("Only the difference remains", "位置の差だけが残る"),
            Words(
                "{m} and {n} occur only as {m} − {n}. With the opposite direction of rotation it would "
                "be {n} − {m}: the sign is a convention, the dependence on the difference is not.",
                "{m} と {n} は {m} − {n} の形でしか現れません。回転の向きを逆に決めれば {n} − {m} になります。符号は"
                "取り決めによりますが、差だけで決まることは変わりません。",
            ),
            coarse=S_2,
        ),
        Step(
            T,
            by_difference,
            score(m + p, n + p),
            Words("Both positions moved", "両方の位置をずらす"),
            Words(
                "{T} is the score at positions {m} + {p} and {n} + {p}. The addition formulas are used as before, with the "
                "angles of these positions, and {p} cancels: moving both tokens by {p} changes nothing.",
                "{T} は位置 {m} + {p} と {n} + {p} での点数です。これらの位置の角度で前と同じように加法定理を使うと、{p} が打ち消し合います。"
                "2 つのトークンを一緒に {p} だけずらしても、点数は変わりません。",
            ),
            coarse=by_angles((m + p) * theta, (n + p) * theta),
        ),
        Step(
            U,
            turn(X, m - n, NEIGHBORS) @ Y.T,
            turn(X, m, NEIGHBORS) @ turn(Y, n, NEIGHBORS).T,
            Words("Neighboring components as pairs", "隣どうしの成分を組にする場合"),
            Words(
                "Proved for four components and any positions {m} and {n}.",
                "成分が 4 個の場合に、どんな位置 {m}、{n} についても証明できます。",
            ),
            coarse=turn(X, m, NEIGHBORS) @ turn(Y, n, NEIGHBORS).T,
        ),
        Step(
            V,
            turn(X, m - n, HALVES) @ Y.T,
            turn(X, m, HALVES) @ turn(Y, n, HALVES).T,
            Words("Two halves as pairs", "前半と後半を組にする場合"),
            Words("The same for the other way of forming pairs.", "もう 1 つの組の作り方についても同じです。"),
            coarse=turn(X, m, HALVES) @ turn(Y, n, HALVES).T,
        ),
    ),
    title=Words(
        "Rotary positions: a score depends on the difference of positions only", "RoPE：点数は位置の差だけで決まる"
    ),
    sections=(
        Section(
            Words("The claim", "示すこと"),
            Words(
                "The components of a query are taken in {r} pairs; {A} holds the first and {B} the second component "
                "of each pair, {C} and {D} those of a key. A rotary embedding turns each pair by an angle that is "
                "proportional to the position: {m} for the query, {n} for the key. The row {theta} holds the angle of each "
                "pair for one position. Positions may be any numbers. Then the dot product depends on {m} − {n}, and not on {m} or {n} alone. The values are not turned. Notation: a bold 1 (in plain text ones) is a column of ones, ⊙ multiplies "
                "entry by entry, and sine and cosine act on every entry; rotate takes a row, its position, the base of the "
                "angles, and which components form a pair (interleaved: neighbors; halves: one from each half).",
                "クエリの成分を {r} 個のペアに分け、各ペアの第 1 成分を {A}、第 2 成分を {B} とします。キーについては "
                "{C} と {D} です。RoPE は、各ペアを位置に比例した角度だけ回します。{theta} は、位置 1 つ分の角度をペアごとに並べた行です。"
                "クエリの位置は {m}、キーの位置は {n} で、どんな数でもかまいません。このとき内積は {m} − {n} だけで決まり、{m} や {n} そのものにはよりません。"
                "バリューは回しません。記法：太字の 1（テキスト版では ones）は 1 を並べた列です。⊙ は成分ごとに掛け、正弦と余弦も成分ごとに適用します。rotate の引数は、行、位置、角度の底、"
                "ペアの作り方です（interleaved は隣どうし、halves は前半と後半のペア）。",
            ),
            steps=("alpha", "beta", "A_m", "B_m", "C_n", "D_n", "S"),
        ),
        Section(
            Words("The proof", "証明"),
            Words(
                "The score is multiplied out, and the addition formulas of sine and cosine do the rest. A line that is "
                "not proved for any number of pairs would be marked.",
                "点数を展開し、正弦と余弦の加法定理を使います。ペアの数によらず証明できていない行があれば、その旨を示します。",
            ),
            steps=("G", "H", "S_1", "S_2", "S_3"),
        ),
        Section(
            Words("What follows", "わかること"),
            Words(
                "Two tokens with a given difference of positions are scored in the same way at the end of a text as at its "
                "beginning.",
                "位置の差が同じ 2 つのトークンには、文章の先頭でも末尾でも同じように点数が付きます。",
            ),
            steps=("T",),
        ),
        Section(
            Words("The embedding as programs have it", "プログラムで使われる形"),
            Words(
                "Four components, with the angles that are in use. Two ways of forming pairs are common: neighbors "
                "belong together, or component {k} of the first half and component {k} of the second. Trained "
                "weights fit one of them only, but the claim holds for both. On the right-hand side the key is not "
                "turned at all, and the query only by the difference.",
                "成分を 4 個とし、実際に使われる角度で確かめます。ペアの作り方には 2 通りあります。隣どうしを組にする方法と、"
                "前半の第 {k} 成分と後半の第 {k} 成分を組にする方法です。学習した重みはどちらか一方の方法に合わせたものですが、"
                "示したことはどちらでも成り立ちます。右辺ではキーを回さず、クエリだけを位置の差の分だけ回しています。",
            ),
            steps=("U", "V"),
        ),
    ),
)
