"""The standard deviation of each row, with a small number inside the root: the σ of layer normalization."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Add, Expr, Mul, Pow, Rational, S, Sum

from symtransformer.arguments import SCALAR, Parameter
from symtransformer.errors import UnreadableInput
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property, Stages, entry_of
from symtransformer.operations.addition import Addition
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.infinity import float_type
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_mean import mean_of, repeated_mean, row_mean
from symtransformer.operations.row_sum import Broadcast
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.square_root import SquareRoot


class StandardDeviation(Primitive):
    """std(A)_i = √(v_i + ε), with v_i the population variance of row i; ε is 1/100000 unless given.

    The variance is divided by the number of columns d, not by d - 1, and ε stands inside the root.

    >>> from symtransformer import evaluate, matrix
    >>> X = matrix("X", 1, 2)
    >>> evaluate(StandardDeviation(X, 0), {X: [[1, 5]]})
    Matrix([[2]])
    """

    __slots__ = ()
    parameters = (Parameter("argument"), Parameter("eps", SCALAR, default=Rational(1, 100_000)))
    title = Words("Standard deviation of each row", "行ごとの標準偏差")
    explanation = Words(
        "The square root of the variance of each row plus a small number ε ≥ 0; the variance is the mean of the squared "
        "deviations from the mean.",
        "行ごとに、分散に小さな数 ε（0 以上）を足して平方根をとります。分散は、平均からの偏差の 2 乗の平均です。",
    )
    gradient_words = Words(
        "Each deviation of an entry from the mean of its row is multiplied by the cotangent of the row, and "
        "divided by the number of columns and by the result.",
        "各成分の、行の平均からの偏差に、その行の上流の勾配を掛け、列の数と結果の値で割ります。",
    )
    source = Words(
        "Ba et al. 2016, eq. (3), with H our d; the small number inside the root as in common code",
        "Ba ほか 2016, 式 (3)。そこでの H がここでの d。小さい数は、広く使われるコードと同じく根号の中",
    )
    notation = Call("std")
    follows = (("row", 0, "row"),)

    @classmethod
    def shortcut(cls, *arguments: Any) -> Any:
        require_no_negative_eps(cls.__name__, arguments[1])
        return None

    def find_shape(self) -> Any:
        return self.args[0].shape[0], S.One

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        argument, eps = self.args
        count, k, other = argument.shape[1], fresh(), fresh()
        mean = mean_of(Sum(entry_of(argument, i, k), (k, 0, count - 1)), count)
        deviation = Add(entry_of(argument, i, other), Mul(-1, mean, evaluate=False), evaluate=False)
        variance = mean_of(Sum(Pow(deviation, 2, evaluate=False), (other, 0, count - 1)), count)
        return Pow(Add(variance, eps, evaluate=False), S.Half, evaluate=False)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        argument, columns = self._children[0], self.args[0].shape[1]
        deviations = Addition(argument, -repeated_mean(argument))
        return (Scaling(RowDivision(Hadamard(deviations, Broadcast(cotangent, columns)), self), S.One, columns),)

    @staticmethod
    def numpy(argument: Any, eps: Any) -> Any:
        size, rows, root_eps = in_reach(argument, eps)
        shifted = rows - rows[..., :1]  # exactly 0 where all are equal
        deviations = shifted - np.mean(shifted, axis=-1, keepdims=True)
        return size * np.sqrt(np.mean(deviations * deviations, axis=-1, keepdims=True) + root_eps**2)

    def value(self, numbers: Any, argument: Any, eps: Any) -> Any:
        rows = []
        for row in argument:
            count = numbers.scalar(S(len(row)))
            mean = sum(row[1:], row[0]) / count
            squares = [(x - mean) * (x - mean) for x in row]
            rows.append([numbers.apply("sqrt", sum(squares[1:], squares[0]) / count + eps)])
        return rows

    def stages(self) -> Stages:
        argument, eps = self._children[0], self.args[1]
        mean = row_mean(argument)
        deviations = Addition(argument, -Broadcast(mean, argument.shape[1]))
        squares = Hadamard(deviations, deviations)
        variance = row_mean(squares)
        parts = (("mu", mean), ("Delta", deviations), ("Sq", squares), ("Var", variance))
        return Stages(parts, SquareRoot(variance, eps), PLAIN if eps == 0 else WITH_EPS)

    properties = (
        Property(
            Words("its square is the variance plus ε", "2 乗すると、分散と ε の和になる"),
            lambda result, argument, eps: np.allclose(result[..., 0] ** 2, np.var(argument, axis=-1) + eps),
        ),
    )


def require_no_negative_eps(what: str, eps: Any) -> None:
    """The small number inside a root keeps a division possible; below 0 it would do the opposite."""
    if eps.is_negative:
        raise UnreadableInput(f"{what}: eps must not be negative, got {eps}")


def power_of_two(sizes: Any) -> Any:
    """A power of 2 near each number, by which a division is exact."""
    return np.ldexp(np.ones_like(sizes, dtype=float_type(sizes)), np.frexp(sizes)[1] - 1)


def in_reach(argument: Any, eps: Any) -> tuple[Any, Any, Any]:
    """A power of 2 for each row, the rows over it, and √ε over it: sums and squares then have room."""
    largest = np.maximum(np.max(np.abs(argument), axis=-1, keepdims=True), eps**0.5)
    size = np.where(largest == 0, 1, power_of_two(largest))
    return size, argument / size, eps**0.5 / size


WITH_EPS = {
    "mu": (
        Words("Mean of each row", "行ごとの平均"),
        Words(
            "The entries of each row are added up and divided by how many there are.",
            "行ごとに成分を合計し、成分の個数で割ります。",
        ),
    ),
    "Delta": (
        Words("Deviations from the mean", "平均からの偏差"),
        Words("From every entry the mean of its row is subtracted.", "各成分から、その行の平均を引きます。"),
    ),
    "Sq": (
        Words("Squares of the deviations", "偏差の 2 乗"),
        Words("Each deviation is multiplied by itself.", "各偏差を 2 乗します。"),
    ),
    "Var": (
        Words("Variance of each row", "行ごとの分散"),
        Words(
            "The variance is the mean of the squares: their sum is divided by the number of entries, not by one less.",
            "分散は 2 乗の平均です。合計を成分の個数で割ります（個数から 1 を引いた数ではありません）。",
        ),
    ),
    "sigma": (
        Words("Square root", "平方根"),
        Words(
            "The small number is added to the variance before the root is taken.",
            "分散に小さな数を足してから、平方根をとります。",
        ),
    ),
}
PLAIN = {
    **WITH_EPS,
    "sigma": (WITH_EPS["sigma"][0], Words("The square root of the variance is taken.", "分散の平方根をとります。")),
}
