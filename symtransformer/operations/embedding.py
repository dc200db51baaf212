"""Token ids become vectors: rows of the embedding table."""

from __future__ import annotations

from typing import Any

from sympy import S, sqrt

from symtransformer.arguments import CHOICE, Parameter
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages, require_equal_sizes
from symtransformer.operations.product import Product
from symtransformer.operations.scaling import Scaling


class Embedding(Composite):
    """Embedding(T, E) = T E, with one-hot rows T (n x K) and the table E (K x d): row by row one row of E.

    With `scaled="yes"` the result is √d T E, exactly. `one_hot(ids, K)` makes T from ids.

    >>> from symtransformer import dimension, matrix
    >>> n, K, d = dimension("n"), dimension("K"), dimension("d_model")
    >>> Embedding(matrix("T", n, K), matrix("E", K, d)).shape
    (n, d_model)
    """

    __slots__ = ()
    parameters = (
        Parameter("tokens"), Parameter("table"), Parameter("scaled", CHOICE, default="no", choices=("no", "yes")),
    )  # fmt: skip
    title = Words("Embedding", "埋め込み")
    explanation = Words(
        "If the row of a token holds a single 1 and else 0, it picks one row of the table. As a formula that is a "
        "product: the 1 selects the row, and every other row is multiplied by 0.",
        "トークンの行が 1 つの 1 と残りの 0 からなるとき、埋め込み表から行を 1 つ取り出します。式では積になります。"
        "1 が表の 1 つの行を選び、ほかの行には 0 が掛かります。",
    )
    source = Words(
        "Vaswani et al. 2017, section 3.4, where the embeddings are multiplied by √d_model",
        "Vaswani ほか 2017, 3.4 節。そこでは埋め込みに √d_model を掛ける",
    )
    notation = Call("Embedding")
    letter = "X"

    def definition(self) -> Stages:
        tokens, table = self.args[:2]
        rows = Product(tokens, table)
        if self.argument("scaled") == "no":
            return Stages((), rows)
        return Stages((), scaled_by_width(rows), {"": _SCALED})


class PositionedEmbedding(Composite):
    """PositionedEmbedding(T, E, P) = Embedding(T, E) + P: the input of a stack, P (n x d) the rows of the positions.

    Positions are added here, once, and not again in every layer of the stack.

    >>> from symtransformer import dimension, matrix
    >>> n, K, d = dimension("n"), dimension("K"), dimension("d_model")
    >>> PositionedEmbedding(matrix("T", n, K), matrix("E", K, d), matrix("P", n, d)).shape
    (n, d_model)
    """

    __slots__ = ()
    parameters = (
        Parameter("tokens"), Parameter("table"), Parameter("positions"),
        Parameter("scaled", CHOICE, default="no", choices=("no", "yes")),
    )  # fmt: skip
    title = Words("Embedding with positions", "位置を加えた埋め込み")
    explanation = Words(
        "The vector of the position is added to the vector of the token, entry by entry. This happens once, before "
        "the first layer of a stack; the encoder and the decoder each do it for their own input.",
        "トークンのベクトルに、位置のベクトルを成分ごとに足します。足すのは最初の層に入る前の 1 回だけで、"
        "エンコーダーとデコーダーはそれぞれ自分の入力に対して行います。",
    )
    source = Words(
        "Vaswani et al. 2017, sections 3.4 and 3.5: positional encodings are added at the bottoms of both stacks",
        "Vaswani ほか 2017, 3.4・3.5 節：2 つのスタックの入口で位置エンコーディングを足す",
    )
    notation = Call("PositionedEmbedding")
    letter = "X"

    def definition(self) -> Stages:
        tokens, table, positions = self.args[:3]
        rows: Any = Embedding(tokens, table, scaled=self.argument("scaled"))
        require_equal_sizes(lambda: "positions", "the rows of tokens and positions", rows.shape[0], positions.shape[0])
        return Stages((("E_tok", rows),), rows + positions, _WORDS)


def scaled_by_width(rows: Node) -> Node:
    """√d times rows of d entries."""
    return Scaling(rows, sqrt(rows.shape[1]), S.One)


_SCALED = (
    Words("Embedding times the square root of its width", "次元の平方根を掛けた埋め込み"),
    Words(
        "Each one-hot row picks its row of the table, which is multiplied by the square root of the number of its "
        "entries.",
        "one-hot の行ごとに埋め込み表の行を 1 つ取り出し、次元（成分の個数）の平方根を掛けます。",
    ),
)
_WORDS = {
    "E_tok": (
        Words("Rows of the table", "埋め込み表の行"),
        Words("One row of the table for each one-hot row.", "one-hot の行ごとに、埋め込み表の 1 行を取り出します。"),
    ),
}
