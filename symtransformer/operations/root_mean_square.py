"""The root mean square of each row, with a small number inside the root: what RMSNorm divides by."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Add, Expr, Pow, Rational, S, Sum

from symtransformer.arguments import SCALAR, Parameter
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property, Stages, entry_of
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_mean import mean_of, row_mean
from symtransformer.operations.row_sum import Broadcast
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.square_root import SquareRoot
from symtransformer.operations.standard_deviation import in_reach, require_no_negative_eps


class RootMeanSquare(Primitive):
    """rms(A)_i = √(Σ_k A_ik² / d + ε), with d columns; ε is 1/100000 unless given.

    >>> from symtransformer import evaluate, matrix
    >>> X = matrix("X", 1, 2)
    >>> evaluate(RootMeanSquare(X, 0), {X: [[1, 7]]})
    Matrix([[5]])
    """

    __slots__ = ()
    parameters = (Parameter("argument"), Parameter("eps", SCALAR, default=Rational(1, 100_000)))
    title = Words("Root mean square of each row", "行ごとの二乗平均平方根（RMS）")
    explanation = Words(
        "The square root of the mean of the squares of each row plus a small number ε ≥ 0.",
        "行ごとに、2 乗の平均に小さな数 ε（0 以上）を足して平方根をとります。",
    )
    gradient_words = Words(
        "Each entry of a row is multiplied by the cotangent of the row, and divided by the number of columns and "
        "by the result.",
        "行の各成分に、その行の上流の勾配を掛け、列の数と結果の値で割ります。",
    )
    source = Words(
        "Zhang and Sennrich 2019, eq. (4), with n our d; the small number inside the root as in common code",
        "Zhang・Sennrich 2019, 式 (4)。そこでの n がここでの d。小さい数は、広く使われるコードと同じく根号の中",
    )
    notation = Call("rms")
    follows = (("row", 0, "row"),)

    @classmethod
    def shortcut(cls, *arguments: Any) -> Any:
        require_no_negative_eps(cls.__name__, arguments[1])
        return None

    def find_shape(self) -> Any:
        return self.args[0].shape[0], S.One

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        argument, eps = self.args
        count, k = argument.shape[1], fresh()
        squares = mean_of(Sum(entry_of(argument, i, k) ** 2, (k, 0, count - 1)), count)
        return Pow(Add(squares, eps, evaluate=False), S.Half)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        argument, columns = self._children[0], self.args[0].shape[1]
        return (Scaling(RowDivision(Hadamard(argument, Broadcast(cotangent, columns)), self), S.One, columns),)

    @staticmethod
    def numpy(argument: Any, eps: Any) -> Any:
        size, rows, root_eps = in_reach(argument, eps)
        return size * np.sqrt(np.mean(rows * rows, axis=-1, keepdims=True) + root_eps**2)

    def value(self, numbers: Any, argument: Any, eps: Any) -> Any:
        rows = []
        for row in argument:
            squares = [x * x for x in row]
            mean = sum(squares[1:], squares[0]) / numbers.scalar(S(len(row)))
            rows.append([numbers.apply("sqrt", mean + eps)])
        return rows

    def stages(self) -> Stages:
        argument, eps = self._children[0], self.args[1]
        squares = Hadamard(argument, argument)
        mean = row_mean(squares)
        return Stages((("Sq", squares), ("Mean", mean)), SquareRoot(mean, eps), PLAIN if eps == 0 else WITH_EPS)

    properties = (
        Property(
            Words("its square is the mean of the squares plus ε", "2 乗すると、2 乗の平均と ε の和になる"),
            lambda result, argument, eps: np.allclose(result[..., 0] ** 2, np.mean(argument**2, axis=-1) + eps),
        ),
    )


WITH_EPS = {
    "Sq": (
        Words("Squares of the entries", "成分の 2 乗"),
        Words("Each entry is multiplied by itself.", "各成分を 2 乗します。"),
    ),
    "Mean": (
        Words("Mean of the squares", "2 乗の平均"),
        Words(
            "The squares of each row are added up and divided by how many there are.",
            "行ごとに 2 乗を合計し、成分の個数で割ります。",
        ),
    ),
    "sigma": (
        Words("Root mean square", "二乗平均平方根（RMS）"),
        Words(
            "The small number is added before the root is taken.",
            "小さな数を足してから、平方根をとります。",
        ),
    ),
}
PLAIN = {
    **WITH_EPS,
    "sigma": (WITH_EPS["sigma"][0], Words("The square root of the mean is taken.", "2 乗の平均の平方根をとります。")),
}
