"""Proof: a residual connection hands the gradient on unchanged, beside what comes through the block."""

from symtransformer import Derivation, Section, Step, Words, derive, differentiate, dimension, matrix
from symtransformer.operations import Tanh

n, d = dimension("n"), dimension("d")
X, W = matrix("X", n, d), matrix("W", d, d)
W_1, W_2 = matrix("W_1", d, d), matrix("W_2", d, d)

# one block, whatever it computes: here a layer with tanh
BLOCK = Tanh(X @ W)
ONE = differentiate(
    derive(
        {"Y": X + BLOCK},
        names={
            X @ W: ("U", Words("Inside the block", "ブロックの中"), Words("A linear map.", "線形変換です。")),
            BLOCK: (
                "F",
                Words("The block", "ブロック"),
                Words("The tanh of every entry.", "各成分の tanh をとります。"),
            ),
        },
    ),
    X,
).derivation

# two linear blocks, with the way around them and without
R_0, P_0 = matrix("R_0", n, d), matrix("P_0", n, d)
R_1 = R_0 + R_0 @ W_1
AROUND = differentiate(derive({"R_1": R_1, "R_2": R_1 + R_1 @ W_2}), R_0).derivation
THROUGH = differentiate(derive({"P_1": P_0 @ W_1, "P_2": P_0 @ W_1 @ W_2}), P_0).derivation
dR_2, dP_2 = matrix("dR_2", n, d), matrix("dP_2", n, d)
PATHS, ONLY = matrix("D", n, d), matrix("G", n, d)

MULTIPLIED_OUT = (
    Step(
        PATHS,
        dR_2 + dR_2 @ W_2.T + dR_2 @ W_1.T + dR_2 @ W_2.T @ W_1.T,
        AROUND["dR_0"].stands_for,
        Words("All paths", "すべての経路"),
        Words(
            "Multiplied out, there is one term for each way through the blocks or around them. The first goes around both.",
            "展開すると、各ブロックを通るか迂回するかの組み合わせごとに 1 つの項になります。最初の項は、両方を迂回する経路のものです。",
        ),
        coarse=AROUND["dR_0"].letter,
    ),
    Step(
        ONLY,
        dP_2 @ W_2.T @ W_1.T,
        THROUGH["dP_0"].stands_for,
        Words("The only path", "ただ 1 つの経路"),
        Words(
            "Without the connection, only the path through all blocks is left: every block with small weights makes the gradient "
            "smaller.",
            "接続がなければ、残るのはすべてのブロックを通る経路だけです。重みの小さいブロックを通るたびに、勾配は小さくなります。",
        ),
        coarse=THROUGH["dP_0"].letter,
    ),
)

derivation = Derivation(
    steps=(*ONE.steps, *AROUND.steps, *THROUGH.steps, *MULTIPLIED_OUT),
    title=Words("The gradient through a residual connection", "残差接続を通る勾配"),
    sections=(
        Section(
            Words("One block", "ブロックが 1 つのとき"),
            Words(
                "{n} rows of {d} components. The block may be any function of {X}; here it is a small layer. {X} is used twice, in "
                "the block and on the way around it, so two contributions are added up. The one from the way around is {dY} "
                "itself. ⊙ multiplies entry by entry; ones, a bold 1 where the page is typeset, is a matrix of ones.",
                "{d} 個の成分を持つ行が {n} 個あります。ブロックは {X} のどんな関数でもかまいません（ここでは小さな層です）。"
                "{X} はブロックの中と、ブロックを迂回する経路の 2 か所で使われるので、2 つの寄与を足します。迂回する経路から来るのは {dY} そのものです。"
                "⊙ は成分ごとの積で、ones（組版したページでは太字の 1）は、すべての成分が 1 の行列です。",
            ),
            steps=("U", "F", "Y", "dF", "dU", "dX"),
        ),
        Section(
            Words("Two blocks", "ブロックが 2 つのとき"),
            Words(
                "The blocks are linear, so that the paths can be told apart.",
                "経路を区別しやすいように、線形のブロックにします。",
            ),
            steps=("R_1", "R_2", "dR_1", "dR_0", "D"),
        ),
        Section(
            Words("The same blocks without the connection", "同じブロックで接続がないとき"),
            Words(
                "On the way back, each block receives only what the next one lets through.",
                "逆方向では、各ブロックが受け取るのは、次のブロックを通ってきたものだけです。",
            ),
            steps=("P_1", "P_2", "dP_1", "dP_0", "G"),
        ),
        Section(
            Words("In numbers", "数値で確かめる"),
            Words(
                "The cotangent and the small weights are the same for both. With the connection the gradient stays near the "
                "cotangent; without it, little is left.",
                "上流の勾配も、小さな重みも、両方で同じです。接続があると勾配は上流の勾配に近い値のままですが、ないとほとんど残りません。",
            ),
            inputs=("W_1", "W_2", "dR_2", "dP_2"),
            steps=("D", "G"),
            values={
                X: [[1, 0]],
                W: [[1, 0], [0, 1]],
                matrix("dY", n, d): [[1, 0]],
                R_0: [[1, 2]],
                P_0: [[1, 2]],
                W_1: [[0.1, 0], [0.2, 0.1]],
                W_2: [[0.1, 0.1], [0, 0.2]],
                dR_2: [[1, -1]],
                dP_2: [[1, -1]],
            },
        ),
    ),
)
