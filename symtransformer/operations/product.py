"""The product of two matrices."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sympy import Add, Expr, Mul, S, Sum
from sympy.matrices.expressions import MatMul

from symtransformer.arguments import Parameter
from symtransformer.exact import _nodes
from symtransformer.node import CONVERTERS, Node, as_node
from symtransformer.notation import PRODUCT, Infix, Words
from symtransformer.operation import Primitive, Property, entry_of, require_equal_sizes
from symtransformer.operations.infinity import all_finite
from symtransformer.operations.ones import Ones
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.transpose import Transpose


class Product(Primitive):
    """(A B)_ij = Σ_k A_ik B_kj, with A of size n x d and B of size d x m.

    >>> from symtransformer import dimension, matrix
    >>> n, d, m = dimension("n"), dimension("d"), dimension("m")
    >>> product = matrix("A", n, d) @ matrix("B", d, m)
    >>> product, product.shape
    (A B, (n, m))
    """

    __slots__ = ()
    parameters = (Parameter("left"), Parameter("right"))
    title = Words("Matrix product", "行列の積")
    explanation = Words(
        "Entry ({i}, {j}) is row {i} of the left matrix times column {j} of the right one, term by term, added up.",
        "({i}, {j}) 成分は、左の行列の第 {i} 行と右の行列の第 {j} 列を順に掛けて、すべて足した値です。",
    )
    gradient_words = (
        Words(
            "The gradient with respect to the left matrix of a product is the cotangent times the transposed "
            "right matrix.",
            "積の左の行列の勾配は、上流の勾配に、右の行列の転置を右から掛けたものです。",
        ),
        Words(
            "The gradient with respect to the right matrix of a product is the transposed left matrix times the "
            "cotangent.",
            "積の右の行列の勾配は、上流の勾配に、左の行列の転置を左から掛けたものです。",
        ),
    )
    source = Words(
        "Vaswani et al. 2017, section 3.2.1; rows are positions, so an input x is multiplied from the right",
        "Vaswani ほか 2017, 3.2.1 節。行が位置なので、入力 x には右から行列を掛ける",
    )
    notation = Infix("product", PRODUCT)
    follows = (("row", 0, "row"), ("column", 1, "column"), ("0.column", 1, "row"))
    python_operator: ClassVar[str] = "multiply"

    @classmethod
    def shortcut(cls, *arguments: Any) -> Any:
        left, right = arguments
        return right if type(left) is Ones and left.shape == (1, 1) == (1, right.shape[0]) else None

    def find_shape(self) -> Any:
        left, right = self.args[0].shape, self.args[1].shape
        require_equal_sizes(
            lambda: f"product {self.args[0]} times {self.args[1]}, {left[0]} x {left[1]} times {right[0]} x {right[1]}",
            "the columns of the left factor and the rows of the right factor",
            left[1],
            right[0],
        )
        return left[0], right[1]

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        left, right = self.args
        k = fresh()
        term = Mul(entry_of(left, i, k), entry_of(right, k, j), evaluate=False)
        return Sum(term, (k, 0, left.shape[1] - 1))

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        left, right = self.args
        return Product(cotangent, Transpose(right)), Product(Transpose(left), cotangent)

    @staticmethod
    def numpy(left: Any, right: Any) -> Any:
        with np.errstate(over="ignore", invalid="ignore"):
            return all_finite("Product", left @ right)

    def value(self, numbers: Any, left: Any, right: Any) -> Any:
        return [
            [_sum(_times(a, b) for a, b in zip(row, column, strict=True)) for column in zip(*right, strict=True)]
            for row in left
        ]

    properties = (
        Property(
            Words(
                "the transpose of a product is the product of the transposes, swapped",
                "積の転置は、転置を逆順に掛けた積に等しい",
            ),
            lambda result, left, right: np.allclose(np.swapaxes(result, -1, -2), right.T @ left.T),
        ),
    )


def _times(a: Any, b: Any) -> Any:
    """a b; of long factors SymPy asks for seconds whether they are finite or positive, and finds nothing simpler."""
    if a is S.Zero or b is S.Zero:
        return S.Zero
    if a is S.One or b is S.One:
        return b if a is S.One else a
    both = isinstance(a, Expr) and isinstance(b, Expr)
    return Mul(a, b, evaluate=False) if both and max(_nodes(a, 201), _nodes(b, 201)) > 200 else a * b


def _sum(terms: Any) -> Any:
    terms = list(terms)
    if all(isinstance(t, Expr) for t in terms):
        return Add(*terms)
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def _from_stock(product: MatMul) -> Node:
    factor, matrices = product.as_coeff_matrices()
    result = as_node(matrices[0])
    for matrix in matrices[1:]:
        result = Product(result, as_node(matrix))
    return result if factor == 1 else Scaling(result, factor, 1)


CONVERTERS.append((MatMul, _from_stock))
