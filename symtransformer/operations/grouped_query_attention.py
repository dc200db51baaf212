"""Grouped-query attention: several query heads share the keys and values of one group."""

from __future__ import annotations

from typing import Any, ClassVar

from sympy import S, floor
from sympy.core.sympify import _sympify

from symtransformer.arguments import LETTER, SIZE, Parameter
from symtransformer.errors import UnreadableInput
from symtransformer.node import Node, as_node, substitute
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages
from symtransformer.operations.concatenation import ColumnSlice
from symtransformer.operations.heads import HeadConcatenation
from symtransformer.operations.linear import Linear
from symtransformer.operations.multi_head_attention import HEAD_WORDS, MultiHeadAttention, head_letters, with_heads
from symtransformer.operations.scaled_dot_product_attention import ScaledDotProductAttention
from symtransformer.symbols import head_index


class GroupedQueryAttention(Composite):
    """Concat(Z⁽¹⁾, ..., Z⁽ʰ⁾) W_O with Z⁽ⁱ⁾ = Attention(X W_Q⁽ⁱ⁾, K⁽ᵏ⁾, V⁽ᵏ⁾), K⁽ᵏ⁾ = Y W_K⁽ᵏ⁾, V⁽ᵏ⁾ = Y W_V⁽ᵏ⁾.

    There are h heads i and g groups k; counted from 0, head i belongs to group k = ⌊i / (h/g)⌋. X: n x d,
    Y: m x d (the memory; X unless given), W_Q⁽ⁱ⁾: d x d_k for each head, W_K⁽ᵏ⁾: d x d_k and W_V⁽ᵏ⁾: d x d_v for
    each group, W_O: h d_v x d, a mask n x m; the biases are columns. h must be a multiple of g; with letters, as
    in `heads=g * r`. g = h is multi-head attention, g = 1 is multi-query attention.

    Named parts: Q, K, V, S, A, Z, Y. Where h or g is a letter, K and V hold the columns of all groups.

    >>> from symtransformer import dimension, matrix
    >>> n, d, d_k, d_v = map(dimension, ("n", "d_model", "d_k", "d_v"))
    >>> W_Q, W_K, W_V = matrix("W_Q", d, d_k), matrix("W_K", d, d_k), matrix("W_V", d, d_v)
    >>> GroupedQueryAttention(matrix("X", n, d), W_Q, W_K, W_V, matrix("W_O", 8 * d_v, d), heads=8, groups=2).shape
    (n, d_model)
    """

    __slots__ = ()
    parameters = (
        Parameter("queries"), Parameter("weight_Q"), Parameter("weight_K"), Parameter("weight_V"), Parameter("weight_O"),
        Parameter("head", LETTER), Parameter("heads", SIZE), Parameter("groups", SIZE),
        Parameter("memory", optional=True), Parameter("mask", optional=True),
        Parameter("bias_Q", optional=True), Parameter("bias_K", optional=True), Parameter("bias_V", optional=True),
        Parameter("bias_O", optional=True),
    )  # fmt: skip
    title = Words("Grouped-query attention", "グループ化クエリアテンション（GQA）")
    explanation = Words(
        "Each head makes its own queries, but the heads of a group share one set of keys and values; so fewer of them "
        "have to be computed and kept.",
        "クエリはヘッドごとに作りますが、キーとバリューは同じグループのヘッドで共有します。"
        "そのぶん、計算して保持するキーとバリューが少なくなります。",
    )
    source = Words(
        "Ainslie et al. 2023, section 2.2 (GQA-G with G = g groups); multi-query attention: Shazeer 2019",
        "Ainslie ほか 2023, 2.2 節（GQA-G, G = g グループ）。マルチクエリーアテンションは Shazeer 2019",
    )
    notation = Call("GroupedQueryAttention")
    letter = "O"
    of_each_head: ClassVar[tuple[str, ...]] = MultiHeadAttention.of_each_head
    of_each_group: ClassVar[tuple[str, ...]] = ("weight_K", "weight_V", "bias_K", "bias_V")

    @classmethod
    def _by_name(cls, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
        given = super()._by_name(arguments, keywords)
        if "groups" not in given and "heads" in given and "head" in given:  # two numbers: of heads, and of groups
            given["groups"] = given["heads"]
            given["heads"] = given.pop("head")
        elif "heads" not in given and "head" in given:
            given["heads"] = given.pop("head")
        if missing := [name for name in ("heads", "groups") if name not in given]:
            raise UnreadableInput(
                f"{cls.__name__} needs numbers, as in heads=8, groups=2; missing: {', '.join(missing)}"
            )
        _require_equal_groups(cls.__name__, _sympify(given["heads"]), _sympify(given["groups"]))
        _count_groups_as_heads(given, cls.of_each_group)
        single = cls.of_each_group if given["groups"] == 1 else ()
        return with_heads(cls.__name__, given, [name for name in cls.of_each_head if name not in single])

    def definition(self) -> Stages:
        given = {p.name: self.argument(p.name) for p in self.parameters}
        head, count, groups, rows, memory = (given[x] for x in ("head", "heads", "groups", "queries", "memory"))
        if count == groups:
            return MultiHeadAttention(**{name: x for name, x in given.items() if name != "groups"}).definition()  # type: ignore[no-any-return]
        queries = Linear(rows, given["weight_Q"], bias=given["bias_Q"])
        source = rows if memory is None else memory
        (keys, key), (values, value) = (
            _shared(Linear(source, given[f"weight_{x}"], bias=given[f"bias_{x}"]), head, count, groups) for x in "KV"
        )
        attention = ScaledDotProductAttention(queries, key, value, mask=given["mask"])
        of_head = attention.definition()
        combined = HeadConcatenation(attention, head, count)
        parts = (("Q", queries), ("K", keys), ("V", values), *of_head.parts, ("Z", attention), ("Y", combined))
        whole = Linear(combined, given["weight_O"], bias=given["bias_O"])
        words = {**of_head.words, **HEAD_WORDS, **(_ONE_GROUP if groups == 1 else _GROUPS), "Z": _OUTPUT}
        return Stages(parts, whole, words)


def _require_equal_groups(what: str, heads: Any, groups: Any) -> None:
    whole = groups.is_integer and groups.is_positive
    if not (whole and (heads / groups).is_integer and (heads / groups).is_positive):
        raise UnreadableInput(
            f"{what}: {heads} heads cannot be put into {groups} groups of equal size; the number of heads must be a "
            "multiple of the number of groups, with letters as in heads=g * r, groups=g",
        )


def _count_groups_as_heads(given: dict[str, Any], of_each_group: tuple[str, ...]) -> None:
    """One letter counts the heads of W_Q and the groups of W_K, W_V: that of the heads."""
    own = [head_letters(as_node(given[name])) for name in ("weight_Q", "bias_Q") if name in given]
    heads = {given["head"]} if "head" in given else {letter for letters in own for letter in letters}
    shared = {name: as_node(given[name]) for name in of_each_group if name in given}
    letters = {letter for body in shared.values() for letter in head_letters(body)} - heads
    if len(heads) == len(letters) == 1:
        rule = {letters.pop(): next(iter(heads))}
        given.update({name: substitute(body, rule) for name, body in shared.items()})


def _shared(of_group: Node, head: Any, heads: Any, groups: Any) -> tuple[Node, Node]:
    """The keys or values as a part to be named, and those that head `head` reads."""
    if groups == 1:
        return (substitute(of_group, {head: S.Zero}),) * 2
    group = floor(head * groups / heads)
    if heads.is_Integer:
        return (substitute(of_group, {head: group}),) * 2
    letter = next(
        x for x in map(head_index, ("k", "l", "p", "q", *(f"k_{a}" for a in range(1, 99)))) if _is_new(x, of_group)
    )
    wide = HeadConcatenation(substitute(of_group, {head: letter}), letter, groups)
    width = of_group.shape[1]
    return wide, ColumnSlice(wide, group * width, width)


def _is_new(letter: Any, body: Node) -> bool:
    return all(letter.name != getattr(known, "name", "") for known in body._mentions)


_GROUPS = {
    "K": (
        Words("Keys of each group", "各グループのキー"),
        Words(
            "One key for each row and group; all heads of the group read it.",
            "行ごと、グループごとに 1 つのキーを作ります。同じグループのヘッドはすべてこのキーを使います。",
        ),
    ),
    "V": (
        Words("Values of each group", "各グループのバリュー"),
        Words(
            "One value for each row and group; all heads of the group read it.",
            "行ごと、グループごとに 1 つのバリューを作ります。同じグループのヘッドはすべてこのバリューを使います。",
        ),
    ),
}
_ONE_GROUP = {
    "K": (
        Words("Keys, shared by all heads", "全ヘッドで共有するキー"),
        Words("One key for each row; every head reads it.", "行ごとに 1 つのキーを作り、どのヘッドもそれを使います。"),
    ),
    "V": (
        Words("Values, shared by all heads", "全ヘッドで共有するバリュー"),
        Words(
            "One value for each row; every head reads it.",
            "行ごとに 1 つのバリューを作り、どのヘッドもそれを使います。",
        ),
    ),
}
_OUTPUT = (
    Words("Output of each head", "各ヘッドの出力"),
    Words(
        "Each row is the sum of the values of the group, weighted by the row of weights of this head.",
        "各行は、グループのバリューの各行に、このヘッドの係数を掛けて足したものです。",
    ),
)
