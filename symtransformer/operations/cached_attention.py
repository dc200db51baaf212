"""Attention of one new token, with the keys and values of the earlier ones kept from before."""

from __future__ import annotations

from symtransformer.arguments import Parameter
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages, require_equal_sizes
from symtransformer.operations.row_concatenation import RowConcatenation
from symtransformer.operations.scaled_dot_product_attention import ScaledDotProductAttention


class CachedAttention(Composite):
    """CachedAttention(q, K, k, V, v) = Attention(q, Stack(K, k), Stack(V, v)), with K: n x d_k and V: n x d_v from before.

    q, k and v are the rows of the new token. It is the last row of masked attention over all n + 1 tokens.

    Named parts: K_new = Stack(K, k), V_new = Stack(V, v), the cache for the next token.

    >>> from symtransformer import dimension, matrix
    >>> n, d_k, d_v = dimension("n"), dimension("d_k"), dimension("d_v")
    >>> q, K, k = matrix("q_t", 1, d_k), matrix("K", n, d_k), matrix("k_t", 1, d_k)
    >>> CachedAttention(q, K, k, matrix("V", n, d_v), matrix("v_t", 1, d_v)).shape
    (1, d_v)
    """

    __slots__ = ()
    parameters = (
        Parameter("query"), Parameter("cached_keys"), Parameter("key"), Parameter("cached_values"), Parameter("value"),
    )  # fmt: skip
    title = Words("Attention with cached keys and values", "KV キャッシュを使うアテンション")
    explanation = Words(
        "Only the rows of the new token are computed. Its key and value are added below those kept from before, and "
        "its query is compared with all of them.",
        "計算するのは新しいトークンの行だけです。そのキーとバリューを、保存してあるキーとバリューの下に追加し、"
        "新しいクエリをすべてのキーと比べます。",
    )
    source = Words(
        "Shazeer 2019, section 2.4; the formula is Vaswani et al. 2017, eq. (1), for one query",
        "Shazeer 2019, 2.4 節。式は Vaswani ほか 2017, 式 (1) でクエリが 1 つの場合",
    )
    notation = Call("CachedAttention")
    letter = "Z"

    def definition(self) -> Stages:
        query, keys, key, values, value = self.args
        require_equal_sizes(lambda: "a cache", "the rows of keys and values", keys.shape[0], values.shape[0])
        all_keys, all_values = RowConcatenation(keys, key), RowConcatenation(values, value)
        whole = ScaledDotProductAttention(query, all_keys, all_values)
        return Stages((("K_new", all_keys), ("V_new", all_values)), whole, _WORDS)


_WORDS = {
    "K_new": (
        Words("Keys, the new one last", "新しい行を加えたキー"),
        Words("The rows from before stay as they are.", "保存してある行はそのまま使います。"),
    ),
    "V_new": (
        Words("Values, the new one last", "新しい行を加えたバリュー"),
        Words("The rows from before stay as they are.", "保存してある行はそのまま使います。"),
    ),
}
