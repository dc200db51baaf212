"""The transpose."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sympy import Expr
from sympy.matrices.expressions import Transpose as StockTranspose

from symtransformer.arguments import Parameter
from symtransformer.node import CONVERTERS, Node, as_node
from symtransformer.notation import Suffix, Words
from symtransformer.operation import Primitive, Property, entry_of


class Transpose(Primitive):
    """(Aᵀ)_ij = A_ji, with A of size n x m and the result of size m x n.

    >>> from symtransformer import dimension, matrix
    >>> K = matrix("K", dimension("m"), dimension("d_k"))
    >>> K.T, K.T.shape, K.T.T is K
    (K^T, (d_k, m), True)
    """

    __slots__ = ()
    parameters = (Parameter("argument"),)
    title = Words("Transpose", "転置")
    explanation = Words(
        "Rows and columns change places.",
        "行と列を入れ替えます。",
    )
    gradient_words = Words(
        "Through a transpose, the cotangent is transposed too.",
        "転置では、上流の勾配も転置します。",
    )
    source = Words(
        "standard; Vaswani et al. 2017, eq. (1), uses it for the keys",
        "標準的な定義。キーの転置は Vaswani ほか 2017, 式 (1)",
    )
    notation = Suffix("transpose")
    follows = (("row", 0, "column"), ("column", 0, "row"))
    accepts_infinity: ClassVar[bool] = True
    python_operator: ClassVar[str] = "transpose"

    @classmethod
    def shortcut(cls, *arguments: Any) -> Any:
        (argument,) = arguments
        return argument.args[0] if type(argument) is Transpose else None

    def find_shape(self) -> Any:
        rows, cols = self.args[0].shape
        return cols, rows

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return entry_of(self.args[0], j, i)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (Transpose(cotangent),)

    @staticmethod
    def numpy(argument: Any) -> Any:
        return np.swapaxes(argument, -1, -2)

    def value(self, numbers: Any, argument: Any) -> Any:
        return [list(column) for column in zip(*argument, strict=True)]

    properties = (
        Property(
            Words("transposing twice changes nothing", "2 回転置すると元に戻る"),
            lambda result, argument: np.array_equal(np.swapaxes(result, -1, -2), argument),
        ),
    )


CONVERTERS.append((StockTranspose, lambda stock: Transpose(as_node(stock.arg))))
