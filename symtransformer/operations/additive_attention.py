"""Additive attention: scores from a small network instead of a dot product."""

from __future__ import annotations

from typing import Any

from sympy import S

from symtransformer.arguments import Parameter
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages, require_equal_sizes
from symtransformer.operations.addition import Addition
from symtransformer.operations.heads import HeadConcatenation
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.rows import Row
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.tanh import Tanh
from symtransformer.symbols import head_index

_WEIGHTS = (Parameter("query_weight"), Parameter("key_weight"), Parameter("score_weight"))


class AdditiveScores(Composite):
    """AdditiveScores(Q, K, W, U, v)_ij = tanh(q_i W + k_j U) v, with Q: n x d_q, K: m x d_k, W: d_q x a, U: d_k x a, v: a x 1.

    Named part: B = Q W; column j of the scores is tanh(B + 1 k_j U) v.

    >>> from symtransformer import dimension, matrix
    >>> n, m, d_q, d_k, a = map(dimension, ("n", "m", "d_q", "d_k", "a"))
    >>> Q, K, v = matrix("Q", n, d_q), matrix("K", m, d_k), matrix("v", a, 1)
    >>> AdditiveScores(Q, K, matrix("W", d_q, a), matrix("U", d_k, a), v).shape
    (n, m)
    """

    __slots__ = ()
    parameters = (Parameter("queries"), Parameter("keys"), *_WEIGHTS)
    title = Words("Additive scores", "加法的な点数")
    explanation = Words(
        "Query and key are projected to the same width and added; tanh of the sum, times a weight vector, is the score. "
        "Query and key may have different numbers of components.",
        "クエリとキーをそれぞれ同じ次元に射影して足し、tanh をとってから重みベクトルとの内積を点数にします。"
        "クエリとキーの次元は違っていてもかまいません。",
    )
    source = Words(
        "Bahdanau et al. 2015, appendix A.1.2: a(s, h) = vᵀ tanh(W s + U h), there with column vectors",
        "Bahdanau ほか 2015, 付録 A.1.2：a(s, h) = vᵀ tanh(W s + U h)。原論文では列ベクトル",
    )
    notation = Call("AdditiveScores")
    letter = "S"

    def definition(self) -> Stages:
        queries, keys, query_weight, key_weight, score_weight = self.args
        require_equal_sizes(
            lambda: "additive scores", "the columns of both weights", query_weight.shape[1], key_weight.shape[1]
        )
        projected, key = Product(queries, query_weight), _unused_letter(*self.args)
        one_key = Product(Row(keys, key), key_weight)
        repeated = Product(Ones(queries.shape[0], S.One), one_key)
        column = Product(Tanh(Addition(projected, repeated)), score_weight)
        require_equal_sizes(lambda: "additive scores", "the columns of v and 1", score_weight.shape[1], S.One)
        return Stages((("B", projected),), HeadConcatenation(column, key, keys.shape[0]), _WORDS)


class AdditiveAttention(Composite):
    """AdditiveAttention(Q, K, V, W, U, v) = softmax(AdditiveScores(Q, K, W, U, v)) V, with V: m x d_v.

    Named parts: S (scores), A = softmax(S).

    >>> from symtransformer import dimension, matrix
    >>> n, m, d_q, d_k, d_v, a = map(dimension, ("n", "m", "d_q", "d_k", "d_v", "a"))
    >>> Q, K, V = matrix("Q", n, d_q), matrix("K", m, d_k), matrix("V", m, d_v)
    >>> AdditiveAttention(Q, K, V, matrix("W", d_q, a), matrix("U", d_k, a), matrix("v_a", a, 1)).shape
    (n, d_v)
    """

    __slots__ = ()
    parameters = (Parameter("queries"), Parameter("keys"), Parameter("values"), *_WEIGHTS)
    title = Words("Additive attention", "加法的アテンション")
    explanation = Words(
        "The scores come from a small network; softmax and the weighted sum of the values are those of every attention.",
        "点数を小さなネットワークで計算します。Softmax とバリューの加重和は、ほかのアテンションと同じです。",
    )
    source = Words("Bahdanau et al. 2015, section 3.1 and appendix A.1.2", "Bahdanau ほか 2015, 3.1 節と付録 A.1.2")
    notation = Call("AdditiveAttention")
    letter = "Z"

    def definition(self) -> Stages:
        queries, keys, values, *weights = self.args
        require_equal_sizes(lambda: "attention", "the rows of keys and values", keys.shape[0], values.shape[0])
        scores = AdditiveScores(queries, keys, *weights)
        weighted = Softmax(scores)
        return Stages((("S", scores), ("A", weighted)), Product(weighted, values), _WORDS)


def _unused_letter(*roots: Any) -> Any:
    """A letter that counts the keys, unlike any that is there."""
    taken = {str(s) for root in roots if isinstance(root, Node) for s in root._mentions}
    return next(head_index(name) for name in ("j", "u", "r", "t", *(f"j{k}" for k in range(99))) if name not in taken)


_WORDS = {
    "B": (
        Words("Projected queries", "射影したクエリ"),
        Words("Every query row times its weight.", "クエリの各行に、その重みを掛けます。"),
    ),
    "S": (
        Words("Additive scores", "加法的な点数"),
        Words(
            "Row {i}, column {j}: tanh of projected query {i} plus projected key {j}, times the weight vector.",
            "第 {i} 行・第 {j} 列は、射影したクエリ {i} とキー {j} の和の tanh に、重みベクトルを掛けた値です。",
        ),
    ),
    "A": (
        Words("Attention weights", "係数（アテンションの重み）"),
        Words(
            "Softmax turns each row of scores into weights from 0 to 1 that add up to 1 (exactly 0 where the score is −∞).",
            "Softmax で、点数の各行を、0 以上で合計が 1 の係数に変えます（点数が −∞ なら 0）。",
        ),
    ),
}
