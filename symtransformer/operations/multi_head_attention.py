"""Multi-head attention: every head with weights of its own, side by side, and one linear map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from sympy import Basic, S

from symtransformer.arguments import LETTER, SIZE, Parameter
from symtransformer.errors import UnreadableInput
from symtransformer.node import Node, as_node, substitute
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages
from symtransformer.operations.heads import HeadConcatenation
from symtransformer.operations.linear import Linear
from symtransformer.operations.scaled_dot_product_attention import ScaledDotProductAttention
from symtransformer.symbols import Letter, head_index

HEAD = head_index("i")


class MultiHeadAttention(Composite):
    """MultiHead(X, W_Q, W_K, W_V, W_O) = Concat(Z⁽¹⁾, ..., Z⁽ʰ⁾) W_O, with Z⁽ⁱ⁾ = Attention(X W_Q⁽ⁱ⁾, Y W_K⁽ⁱ⁾, Y W_V⁽ⁱ⁾).

    X: n x d, Y: m x d (the memory; X unless given), W_Q⁽ⁱ⁾, W_K⁽ⁱ⁾: d x d_k, W_V⁽ⁱ⁾: d x d_v,
    W_O: h d_v x d, a mask n x m; the biases are columns. Named parts: Q, K, V, S, A, Z of each
    head, Y = Concat(...).

    The weights of the heads are expressions in the head letter: `W_Q.of_head(i)`, or columns
    `ColumnSlice(W_Q, i * d_k, d_k)` of one wide matrix. With `heads=h` and no head letter, plain
    letters become families: W_Q means W_Q⁽¹⁾, ..., W_Q⁽ʰ⁾.

    >>> from symtransformer import dimension, matrix
    >>> n, d, d_k, d_v, h = map(dimension, ("n", "d_model", "d_k", "d_v", "h"))
    >>> W_Q, W_K, W_V = matrix("W_Q", d, d_k), matrix("W_K", d, d_k), matrix("W_V", d, d_v)
    >>> X, W_O = matrix("X", n, d), matrix("W_O", h * d_v, d)
    >>> i = head_index("i")
    >>> O = MultiHeadAttention(X, W_Q.of_head(i), W_K.of_head(i), W_V.of_head(i), W_O, i, h)
    >>> O.shape, O is MultiHeadAttention(X, W_Q, W_K, W_V, W_O, heads=h)
    ((n, d_model), True)
    """

    __slots__ = ()
    parameters = (
        Parameter("queries"), Parameter("weight_Q"), Parameter("weight_K"), Parameter("weight_V"), Parameter("weight_O"),
        Parameter("head", LETTER), Parameter("heads", SIZE),
        Parameter("memory", optional=True), Parameter("mask", optional=True),
        Parameter("bias_Q", optional=True), Parameter("bias_K", optional=True), Parameter("bias_V", optional=True),
        Parameter("bias_O", optional=True),
    )  # fmt: skip
    title = Words("Multi-head attention", "マルチヘッドアテンション")
    explanation = Words(
        "Each head has weights of its own and computes its own attention from the same rows; the outputs of the heads "
        "are written side by side, and one matrix that all rows share mixes them.",
        "各ヘッドがそれぞれの重みを使って、同じ行から別々にアテンションを計算します。"
        "その出力を横に並べ、全行に共通の 1 つの行列を掛けて混ぜ合わせます。",
    )
    source = Words(
        "Vaswani et al. 2017, section 3.2.2, where head_i is our Z of head i and W_i^Q our W_Q of head i",
        "Vaswani ほか 2017, 3.2.2 節。そこでの head_i がここでのヘッド i の Z、W_i^Q がヘッド i の W_Q",
    )
    notation = Call("MultiHead")
    letter = "O"
    of_each_head: ClassVar[tuple[str, ...]] = ("weight_Q", "weight_K", "weight_V", "bias_Q", "bias_K", "bias_V")

    @classmethod
    def _by_name(cls, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
        return with_heads(cls.__name__, super()._by_name(arguments, keywords), cls.of_each_head)

    def definition(self) -> Stages:
        head, count, rows = self.argument("head"), self.argument("heads"), self.argument("queries")
        given = {name: self.argument(name) for name in self.of_each_head}
        memory = self.argument("memory")
        if count == 1:
            given = {name: w if w is None else substitute(w, {head: S.Zero}) for name, w in given.items()}
        queries, keys, values = (
            Linear(source, given[f"weight_{name}"], bias=given[f"bias_{name}"])
            for name, source in (("Q", rows), ("K", rows if memory is None else memory),
                                 ("V", rows if memory is None else memory))
        )  # fmt: skip
        attention = ScaledDotProductAttention(queries, keys, values, mask=self.argument("mask"))
        of_head = attention.definition()
        parts = [("Q", queries), ("K", keys), ("V", values), *of_head.parts, ("Z", attention)]
        combined = attention
        if count != 1:
            combined = HeadConcatenation(attention, head, count)
            parts.append(("Y", combined))
        whole = Linear(combined, self.argument("weight_O"), bias=self.argument("bias_O"))
        words = {**of_head.words, **HEAD_WORDS, **({"Z": of_head.words[""], **_ONE_HEAD} if count == 1 else {})}
        return Stages(tuple(parts), whole, words if memory is None else {**words, **_FROM_MEMORY})


def with_heads(what: str, given: dict[str, Any], of_each_head: Iterable[str]) -> dict[str, Any]:
    """The head letter and the number of heads filled in; plain letters of several heads become families."""
    if "heads" not in given:
        given["heads"] = given.pop("head", S.One)  # a single number is the number of heads
    for name, outside in given.items():
        if name.endswith("_O") and given.get("head") in as_node(outside)._mentions:
            raise UnreadableInput(f"{what}: {name} stands behind all heads and may not depend on {given['head']}")
    if "head" in given:
        return given
    bodies = {name: as_node(given[name]) for name in of_each_head if name in given}
    known = {head for body in bodies.values() for head in head_letters(body)}
    if len(known) > 1:
        raise UnreadableInput(f"{what}: its weights belong to the heads {', '.join(sorted(map(str, known)))} at once")
    given["head"] = head = known.pop() if known else HEAD
    if given["heads"] == 1:
        return given
    for name, body in bodies.items():
        if isinstance(body, Letter) and body.head is None:
            given[name] = body.of_head(head)
        elif head not in body._mentions:
            raise UnreadableInput(
                f"{what}: {name} is the same for all heads; give a letter, or an expression in the head letter"
            )
    return given


def head_letters(body: Node) -> set[Basic]:
    """The letters that count the members of families in it."""
    return {x.head for x in body._free if isinstance(x, Letter) and x.head is not None and x.head.is_Symbol}


HEAD_WORDS: Mapping[str, tuple[Words, Words]] = {
    "Q": (
        Words("Queries of each head", "各ヘッドのクエリ"),
        Words(
            "Every head makes its own query from each row.",
            "ヘッドごとに、各行からそのヘッドのクエリを作ります。",
        ),
    ),
    "K": (
        Words("Keys of each head", "各ヘッドのキー"),
        Words(
            "Every head makes its own key from each row.",
            "ヘッドごとに、各行からそのヘッドのキーを作ります。",
        ),
    ),
    "V": (
        Words("Values of each head", "各ヘッドのバリュー"),
        Words(
            "Every head makes its own value from each row.",
            "ヘッドごとに、各行からそのヘッドのバリューを作ります。",
        ),
    ),
    "Z": (
        Words("Output of each head", "各ヘッドの出力"),
        Words(
            "Each row is the sum of the values of that head, weighted by the row of its weights.",
            "各行は、そのヘッドのバリューの各行に係数を掛けて足したものです。",
        ),
    ),
    "Y": (
        Words("Heads side by side", "ヘッドの連結（Concat）"),
        Words(
            "The rows of all heads for the same token are joined, head 1 first; nothing is added yet.",
            "同じトークンについての各ヘッドの行を、ヘッド 1 から順に横につなぎます。ここではまだ何も足しません。",
        ),
    ),
    "": (
        Words("Output projection", "出力側の線形変換"),
        Words(
            "One matrix, the same for every row, makes the output from the components of all heads.",
            "全行に共通の 1 つの行列で、全ヘッドの成分から出力を作ります。",
        ),
    ),
}
_ONE_HEAD = {
    "Q": (
        Words("Queries", "クエリ"),
        Words(
            "The query of a row decides how that row weighs the values.",
            "ある行のクエリは、その行の出力でバリューに掛ける係数を決めます。",
        ),
    ),
    "K": (
        Words("Keys", "キー"),
        Words("Every query is compared with every key.", "どのクエリも、すべてのキーと比べます。"),
    ),
    "V": (
        Words("Values", "バリュー"),
        Words("The values are what is added up in the end.", "最後に足し合わせるのがバリューです。"),
    ),
    "": (
        Words("Output projection", "出力側の線形変換"),
        Words(
            "One matrix, the same for every row, makes the output from the components of the head.",
            "全行に共通の 1 つの行列で、ヘッドの成分から出力を作ります。",
        ),
    ),
}
_FROM_MEMORY = {
    "K": (
        Words("Keys from the other sequence", "もう一方の系列から作るキー"),
        Words(
            "The keys are made from the rows of the other sequence, one for each of its tokens.",
            "キーは、もう一方の系列の行から、トークンごとに 1 つずつ作ります。",
        ),
    ),
    "V": (
        Words("Values from the other sequence", "もう一方の系列から作るバリュー"),
        Words(
            "The values come from the same rows as the keys.",
            "バリューは、キーと同じ行から作ります。",
        ),
    ),
}
