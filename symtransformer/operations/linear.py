"""The linear map, with or without a bias."""

from __future__ import annotations

from typing import Any

from sympy import S

from symtransformer.arguments import Parameter
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages, require_equal_sizes
from symtransformer.operations.addition import Addition
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.transpose import Transpose

_WITH_BIAS = (
    Words("Linear map with a bias", "バイアス付きの線形変換（Linear）"),
    Words(
        "Every row of the input is multiplied from the right by the same weight matrix, and the bias is added to "
        "every row of the result; the column of ones in the formula repeats it.",
        "入力のどの行にも同じ重み行列を右から掛け、結果のどの行にもバイアスを足します。"
        "式の中の 1 の列は、バイアスを各行に繰り返すためのものです。",
    ),
)


class Linear(Composite):
    """Linear(X, W, b) = X W + 1 bᵀ, with X of size n x d, W of size d x m, b a column of m entries.

    Every row is multiplied by the same W; without b nothing is added.

    >>> from symtransformer import dimension, matrix
    >>> n, d, m = dimension("n"), dimension("d"), dimension("m")
    >>> Linear(matrix("X", n, d), matrix("W", d, m), matrix("b", m, 1)).shape
    (n, m)
    """

    __slots__ = ()
    parameters = (Parameter("input"), Parameter("weight"), Parameter("bias", optional=True))
    title = Words("Linear map", "線形変換（Linear）")
    explanation = Words(
        "Every row of the input is multiplied from the right by the same weight matrix.",
        "入力のどの行にも、同じ重み行列を右から掛けます。",
    )
    source = Words(
        "Vaswani et al. 2017, section 3.2.2 (projections) and 3.3; there vectors are rows as well",
        "Vaswani ほか 2017, 3.2.2 節（射影）と 3.3 節。そこでもベクトルは行",
    )
    notation = Call("Linear")
    letter = "Y"

    def definition(self) -> Stages:
        product = Product(self.args[0], self.args[1])
        if len(self.args) == 2:
            return Stages((), product)
        bias: Any = self.args[2]
        require_equal_sizes(lambda: f"the bias {bias}", "its number of columns and 1", bias.shape[1], S.One)
        repeated = Product(Ones(product.shape[0], S.One), Transpose(bias))
        return Stages((), Addition(product, repeated), {"": _WITH_BIAS})
