"""The feed-forward network read as a memory of keys and values, one pair for each hidden unit."""

from __future__ import annotations

from typing import Any

from sympy import S

from symtransformer.arguments import CHOICE, Parameter
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages, require_equal_sizes
from symtransformer.operations.addition import Addition
from symtransformer.operations.concatenation import ColumnSlice
from symtransformer.operations.feed_forward import ACTIVATIONS
from symtransformer.operations.heads import HeadSum
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.rows import Row
from symtransformer.operations.transpose import Transpose
from symtransformer.symbols import head_index


class KeyValueMemory(Composite):
    """KeyValueMemory(X, W_1, b_1, W_2, b_2) = Σ_u φ(X k_u + b_1u) v_u + 1 b_2ᵀ, u over the d_ff hidden units.

    Since rows are multiplied from the right, the key k_u is *column* u of W_1 (d x d_ff) and the
    value v_u is *row* u of W_2 (d_ff x d). It equals FeedForward with the same arguments.

    >>> from symtransformer import dimension, matrix
    >>> n, d, d_ff = dimension("n"), dimension("d"), dimension("d_ff")
    >>> KeyValueMemory(matrix("X", n, d), matrix("W_1", d, d_ff), matrix("W_2", d_ff, d)).shape
    (n, d)
    """

    __slots__ = ()
    parameters = (
        Parameter("input"),
        Parameter("weight_1"), Parameter("bias_1", optional=True),
        Parameter("weight_2"), Parameter("bias_2", optional=True),
        Parameter("activation", CHOICE, default="ReLU", choices=tuple(ACTIVATIONS)),
    )  # fmt: skip
    title = Words("Feed-forward network as a key-value memory", "キーとバリューの記憶として見た FFN")
    explanation = Words(
        "Each hidden unit holds a key, its column of the first weight, and a value, its row of the second. The input is "
        "compared with every key, and the values are added, each times what the activation makes of the comparison.",
        "隠れユニットごとに、1 つ目の重みの列がキー、2 つ目の重みの行がバリューになります。"
        "入力をすべてのキーと比べ、その結果に活性化関数を適用した数をバリューに掛けて、足し合わせます。",
    )
    source = Words(
        "Geva et al. 2021, section 2, eq. (1), whose K holds keys as rows: it is the transpose of W_1 here",
        "Geva ほか 2021, 2 節, 式 (1)。そこでの K はキーを行に並べたもので、ここでの W_1 の転置",
    )
    notation = Call("KeyValueMemory")
    letter = "G"

    def definition(self) -> Stages:
        rows, keys, values = (self.argument(name) for name in ("input", "weight_1", "weight_2"))
        require_equal_sizes(lambda: "a memory", "the number of keys and of values", keys.shape[1], values.shape[0])
        unit = _unused_letter(*self.args)
        compared = Product(rows, ColumnSlice(keys, unit, S.One))
        bias_1, bias_2 = self.argument("bias_1"), self.argument("bias_2")
        if bias_1 is not None:
            require_equal_sizes(lambda: f"the bias {bias_1}", "its rows and the keys", bias_1.shape[0], keys.shape[1])
            compared = Addition(compared, Product(Ones(rows.shape[0], S.One), Row(bias_1, unit)))
        recalled: Any = Product(ACTIVATIONS[self.argument("activation")](compared), Row(values, unit))
        total = HeadSum(recalled, unit, keys.shape[1])
        if bias_2 is None:
            return Stages((), total)
        return Stages((), Addition(total, Product(Ones(rows.shape[0], S.One), Transpose(bias_2))))


def _unused_letter(*roots: Any) -> Any:
    """A letter that counts the hidden units, unlike any that is there."""
    taken = {str(s) for root in roots if isinstance(root, Node) for s in root._mentions}
    return next(head_index(name) for name in ("u", "r", "t", *(f"u{k}" for k in range(99))) if name not in taken)
