"""Cosines of the angles between rows."""

from __future__ import annotations

from symtransformer.arguments import Parameter
from symtransformer.notation import Call, Words
from symtransformer.operation import Composite, Stages, require_equal_sizes
from symtransformer.operations.entry_division import EntryDivision
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.product import Product
from symtransformer.operations.row_sum import RowSum
from symtransformer.operations.square_root import SquareRoot
from symtransformer.operations.transpose import Transpose


class CosineSimilarity(Composite):
    """CosineSimilarity(A, B)_ij = (a_i · b_j) / (|a_i| |b_j|), for rows of A (n x d) and of B (m x d), none of them 0.

    In NumPy lengths must lie between about 1e-154 and 1e154, where their squares are doubles; others are refused.

    Named parts: R = A Bᵀ (dot products), alpha and beta (lengths of the rows), N = alpha betaᵀ.

    >>> from symtransformer import dimension, matrix
    >>> n, m, d = dimension("n"), dimension("m"), dimension("d")
    >>> CosineSimilarity(matrix("A", n, d), matrix("B", m, d)).shape
    (n, m)
    """

    __slots__ = ()
    parameters = (Parameter("left"), Parameter("right"))
    title = Words("Cosine similarity", "余弦類似度")
    explanation = Words(
        "The dot product of two rows, divided by both lengths: only the angle between them counts.",
        "2 つの行の内積を両方の長さで割ります。残るのは、なす角だけで決まる値です。",
    )
    source = Words("the Euclidean dot product: a · b = |a| |b| cos θ", "ユークリッド空間の内積：a · b = |a| |b| cos θ")
    notation = Call("CosineSimilarity")
    letter = "C"

    def definition(self) -> Stages:
        left, right = self.args
        require_equal_sizes(lambda: "cosine similarity", "the numbers of columns", left.shape[1], right.shape[1])
        products = Product(left, Transpose(right))
        lengths = [SquareRoot(RowSum(Hadamard(rows, rows))) for rows in (left, right)]
        both = Product(lengths[0], Transpose(lengths[1]))
        parts = (("R", products), ("alpha", lengths[0]), ("beta", lengths[1]), ("N", both))
        return Stages(parts, EntryDivision(products, both), _WORDS)


_WORDS = {
    "R": (
        Words("Dot products", "内積"),
        Words(
            "Each row of the first matrix times each row of the second.",
            "1 つ目の行列の各行と、2 つ目の行列の各行の内積です。",
        ),
    ),
    "alpha": (
        Words("Lengths of the rows of the first matrix", "1 つ目の行列の各行の長さ"),
        Words(
            "The square root of the sum of the squares of a row.",
            "行の成分の 2 乗を足し、その平方根をとります。",
        ),
    ),
    "beta": (
        Words("Lengths of the rows of the second matrix", "2 つ目の行列の各行の長さ"),
        Words(
            "The square root of the sum of the squares of a row.",
            "行の成分の 2 乗を足し、その平方根をとります。",
        ),
    ),
    "N": (
        Words("Products of the lengths", "長さの積"),
        Words(
            "The length of each row of the first matrix times that of each row of the second.",
            "長さどうしの積を、すべての組について並べます。",
        ),
    ),
}
