"""Every row with mean 0 and variance 1: the part of layer normalization without weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Add, Expr, Mul, Pow, Rational, S, Sum

from symtransformer.arguments import SCALAR, Parameter
from symtransformer.errors import NotSupported, UndefinedValue
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property, Stages, entry_of
from symtransformer.operations.addition import Addition
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_mean import mean_of, repeated_mean
from symtransformer.operations.standard_deviation import (
    StandardDeviation,
    in_reach,
    power_of_two,
    require_no_negative_eps,
)


class Standardization(Primitive):
    """norm(A)_ij = (A_ij - μ_i) / √(v_i + ε), with μ_i the mean and v_i the population variance of row i.

    The variance is divided by the number of columns d, not by d - 1, and ε (1/100000 unless
    given) stands inside the root. With ε = 0 a row of equal entries is refused by name.

    >>> from symtransformer import evaluate, matrix
    >>> X = matrix("X", 1, 2)
    >>> evaluate(Standardization(X, 0), {X: [[1, 3]]})
    Matrix([[-1, 1]])
    """

    __slots__ = ()
    parameters = (Parameter("argument"), Parameter("eps", SCALAR, default=Rational(1, 100_000)))
    title = Words("Standardization of each row", "各行の標準化")
    explanation = Words(
        "Each row is shifted to mean 0 and divided by the root of its variance plus a small number ε ≥ 0; an ε above 0 "
        "keeps the division possible where all entries are equal.",
        "各行から平均を引き、分散に小さな数 ε（0 以上）を足した値の平方根で割ります。"
        "ε が正なら、成分がすべて等しい行でも 0 で割ることになりません。",
    )
    gradient_words = Words(
        "Two rows are subtracted from each row of the cotangent: its mean, repeated, and the row of the result "
        "times the mean of the products of both, entry by entry. What remains is divided by the same root as in "
        "the forward computation.",
        "上流の勾配の各行から、その平均と、「上流の勾配と結果の成分ごとの積の平均」を結果の行に掛けたものを引き、"
        "もとの計算と同じ平方根で割ります。",
    )
    source = Words(
        "Ba et al. 2016, eq. (3), with H our d; the small number inside the root as in common code",
        "Ba ほか 2016, 式 (3)。そこでの H がここでの d。小さい数は、広く使われるコードと同じく根号の中",
    )
    notation = Call("norm")
    follows = (("row", 0, "row"), ("column", 0, "column"))

    @classmethod
    def shortcut(cls, *arguments: Any) -> Any:
        require_no_negative_eps(cls.__name__, arguments[1])
        return None

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        argument, eps = self.args
        count, k, other = argument.shape[1], fresh(), fresh()
        mean = mean_of(Sum(entry_of(argument, i, k), (k, 0, count - 1)), count)
        deviation = [Add(entry_of(argument, i, m), Mul(-1, mean, evaluate=False), evaluate=False) for m in (j, other)]
        variance = mean_of(Sum(Pow(deviation[1], 2, evaluate=False), (other, 0, count - 1)), count)
        below = Pow(Add(variance, eps, evaluate=False), -S.Half, evaluate=False)
        return Mul(deviation[0], below, evaluate=False)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        along = Hadamard(self, repeated_mean(Hadamard(cotangent, self)))
        return (RowDivision(Addition(cotangent, -repeated_mean(cotangent), -along), StandardDeviation(*self.args)),)

    def saved(self) -> tuple[tuple[str, Node], ...]:
        return (("sigma", StandardDeviation(*self.args)),)

    @staticmethod
    def numpy(argument: Any, eps: Any) -> Any:
        _, argument, root_eps = in_reach(argument, eps)
        shifted = argument - argument[..., :1]  # exactly 0 where all are equal
        deviations = shifted - np.mean(shifted, axis=-1, keepdims=True)
        return over_root_mean_square(deviations, root_eps, _EQUAL)

    def value(self, numbers: Any, argument: Any, eps: Any) -> Any:
        return [_standardized(numbers, row, eps, k) for k, row in enumerate(argument)]

    def stages(self) -> Stages:
        deviation = StandardDeviation(*self.args).stages()
        parts = (*deviation.parts, ("sigma", deviation.whole))
        return Stages(parts, RowDivision(dict(parts)["Delta"], deviation.whole), deviation.words)

    properties = (
        Property(
            Words("every row has mean 0", "どの行も平均は 0"),
            lambda result, argument, eps: np.allclose(np.mean(result, axis=-1), 0),
        ),
        Property(
            Words("every row has variance v / (v + ε)", "どの行も分散は v / (v + ε)"),
            lambda result, argument, eps: np.allclose(
                np.var(result, axis=-1), np.var(argument, axis=-1) / (np.var(argument, axis=-1) + eps)
            ),
        ),
    )


def over_root_mean_square(rows: Any, root_eps: Any, refusal: str) -> Any:
    """rows / √(mean of their squares + ε), with √ε given: divided by a power of 2 first, no square is too large or small."""
    largest = np.maximum(np.max(np.abs(rows), axis=-1, keepdims=True), root_eps)
    if not np.all(largest):
        raise NotSupported(refusal.format(np.argwhere(largest == 0)[0][-2] + 1))
    size = power_of_two(largest)
    rows = rows / size
    return rows / np.sqrt(np.mean(rows * rows, axis=-1, keepdims=True) + (root_eps / size) ** 2)


def require_above_0(numbers: Any, below: Any, refusal: str, k: int) -> None:
    """What stands below the root must not be 0, or the row is refused by name."""
    if numbers.sign(below) == 0:
        raise UndefinedValue(refusal.format(k + 1))


_EQUAL = "Standardization: all entries of row {} are equal and ε is 0, which is a division by 0"


def _standardized(numbers: Any, row: list[Any], eps: Any, k: int) -> list[Any]:
    count = numbers.scalar(S(len(row)))
    mean = sum(row[1:], row[0]) / count
    deviations = [x - mean for x in row]
    variance = sum((x * x for x in deviations[1:]), deviations[0] * deviations[0]) / count
    require_above_0(numbers, variance + eps, _EQUAL, k)
    root = numbers.apply("sqrt", variance + eps)
    return [numbers.divide(x, root) for x in deviations]
