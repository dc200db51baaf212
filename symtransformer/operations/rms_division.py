"""Every row divided by its root mean square: the part of RMSNorm without weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Add, Expr, Mul, Pow, Rational, S, Sum

from symtransformer.arguments import SCALAR, Parameter
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property, Stages, entry_of
from symtransformer.operations.addition import Addition
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.root_mean_square import RootMeanSquare
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_mean import mean_of, repeated_mean
from symtransformer.operations.standard_deviation import require_no_negative_eps
from symtransformer.operations.standardization import over_root_mean_square, require_above_0


class RMSDivision(Primitive):
    """rmsnorm(A)_ij = A_ij / √(Σ_k A_ik² / d + ε), with d columns; ε is 1/100000 unless given.

    With ε = 0 a row of zeros is refused by name.

    >>> from symtransformer import evaluate, matrix
    >>> X = matrix("X", 1, 2)
    >>> evaluate(RMSDivision(X, 0), {X: [[1, 7]]})
    Matrix([[1/5, 7/5]])
    """

    __slots__ = ()
    parameters = (Parameter("argument"), Parameter("eps", SCALAR, default=Rational(1, 100_000)))
    title = Words("Each row divided by its root mean square", "各行を二乗平均平方根（RMS）で割る")
    explanation = Words(
        "Each row is divided by the root of the mean of its squares plus a small number ε ≥ 0; no mean is subtracted.",
        "各行を、2 乗の平均に小さな数 ε（0 以上）を足した値の平方根で割ります。平均は引きません。",
    )
    gradient_words = Words(
        "Each row of the result is multiplied by the mean of its products with the row of the cotangent, entry "
        "by entry, and subtracted from the cotangent. What remains is divided by the same root as in the forward "
        "computation.",
        "上流の勾配の各行から、「上流の勾配と結果の成分ごとの積の平均」を結果の行に掛けたものを引き、"
        "もとの計算と同じ平方根で割ります。",
    )
    source = Words(
        "Zhang and Sennrich 2019, eq. (4), with n our d; the small number inside the root as in common code",
        "Zhang・Sennrich 2019, 式 (4)。そこでの n がここでの d。小さい数は、広く使われるコードと同じく根号の中",
    )
    notation = Call("rmsnorm")
    follows = (("row", 0, "row"), ("column", 0, "column"))

    @classmethod
    def shortcut(cls, *arguments: Any) -> Any:
        require_no_negative_eps(cls.__name__, arguments[1])
        return None

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        argument, eps = self.args
        count, k = argument.shape[1], fresh()
        squares = mean_of(Sum(entry_of(argument, i, k) ** 2, (k, 0, count - 1)), count)
        return Mul(entry_of(argument, i, j), Pow(Add(squares, eps, evaluate=False), -S.Half), evaluate=False)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        along = Hadamard(self, repeated_mean(Hadamard(cotangent, self)))
        return (RowDivision(Addition(cotangent, -along), RootMeanSquare(*self.args)),)

    def saved(self) -> tuple[tuple[str, Node], ...]:
        return (("sigma", RootMeanSquare(*self.args)),)

    @staticmethod
    def numpy(argument: Any, eps: Any) -> Any:
        return over_root_mean_square(argument, eps**0.5, _ZEROS)

    def value(self, numbers: Any, argument: Any, eps: Any) -> Any:
        return [_divided(numbers, row, eps, k) for k, row in enumerate(argument)]

    def stages(self) -> Stages:
        root = RootMeanSquare(*self.args).stages()
        return Stages((*root.parts, ("sigma", root.whole)), RowDivision(self.args[0], root.whole), root.words)

    properties = (
        Property(
            Words(
                "the mean square of a row is q / (q + ε), with q before",
                "各行の 2 乗の平均は、元の値 q に対して q / (q + ε)",
            ),
            lambda result, argument, eps: np.allclose(
                np.mean(result**2, axis=-1), np.mean(argument**2, axis=-1) / (np.mean(argument**2, axis=-1) + eps)
            ),
        ),
    )


_ZEROS = "RMSDivision: row {} holds zeros only and ε is 0, which is a division by 0"


def _divided(numbers: Any, row: list[Any], eps: Any, k: int) -> list[Any]:
    mean = sum((x * x for x in row[1:]), row[0] * row[0]) / numbers.scalar(S(len(row)))
    require_above_0(numbers, mean + eps, _ZEROS, k)
    root = numbers.apply("sqrt", mean + eps)
    return [numbers.divide(x, root) for x in row]
