"""Every row divided by a number of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Expr, Mul, Pow, S

from symtransformer.arguments import Parameter
from symtransformer.errors import NotSupported, UndefinedValue
from symtransformer.node import Node
from symtransformer.notation import Call, Form, Quotient, Words
from symtransformer.operation import Primitive, Property, entry_of, require_equal_sizes
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.infinity import all_finite
from symtransformer.operations.row_sum import RowSum


class RowDivision(Primitive):
    """divide(A, c)_ij = A_ij / c_i, with A of size n x m and c a column of n entries, none of them 0.

    >>> from symtransformer import dimension, matrix
    >>> n, m = dimension("n"), dimension("m")
    >>> RowDivision(matrix("U", n, m), matrix("c", n, 1))[1, 0]
    U[1, 0]/c[1, 0]
    """

    __slots__ = ()
    parameters = (Parameter("argument"), Parameter("divisors"))
    title = Words("Each row divided by its own number", "各行を、行ごとに決まった数で割る")
    explanation = Words(
        "Every entry of row {i} is divided by entry {i} of the column.",
        "第 {i} 行の各成分を、列ベクトルの第 {i} 成分で割ります。",
    )
    gradient_words = (
        Words(
            "The gradient with respect to the rows is the cotangent, each row divided by its own number.",
            "割られる行の勾配は、上流の勾配の各行を、その行の数で割ったものです。",
        ),
        Words(
            "The gradient with respect to the number of a row is minus the row sum of cotangent times result, "
            "divided by that number.",
            "行を割る数の勾配は、上流の勾配と結果の積を行ごとに合計し、その数で割って符号を反転したものです。",
        ),
    )
    source = Words(
        "third step of softmax, Vaswani et al. 2017, eq. (1)", "Softmax の第 3 段階。Vaswani ほか 2017, 式 (1)"
    )
    notation = Call("divide")
    follows = (("row", 0, "row"), ("row", 1, "row"), ("column", 0, "column"))

    def form(self) -> Form:
        """A single row over a single number is a plain fraction."""
        return Quotient() if self.args[0].shape[0] == 1 else self.notation

    def find_shape(self) -> Any:
        argument, divisors = self.args[0].shape, self.args[1].shape
        require_equal_sizes(
            lambda: f"dividing the rows of {self.args[0]}", "the numbers of rows", argument[0], divisors[0]
        )
        require_equal_sizes(lambda: f"dividing by {self.args[1]}", "its number of columns and 1", divisors[1], S.One)
        return argument

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        below = Pow(entry_of(self.args[1], i, S.Zero), S.NegativeOne)
        return Mul(entry_of(self.args[0], i, j), below, evaluate=False)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        divisors = self.args[1]
        return (
            RowDivision(cotangent, divisors),
            -RowDivision(RowSum(Hadamard(cotangent, self)), divisors),
        )

    @staticmethod
    def numpy(argument: Any, divisors: Any) -> Any:
        return quotient("RowDivision", argument, divisors)

    def value(self, numbers: Any, argument: Any, divisors: Any) -> Any:
        rows = []
        for k, (row, (divisor,)) in enumerate(zip(argument, divisors, strict=True)):
            if numbers.sign(divisor) == 0:
                raise UndefinedValue(
                    f"row {k + 1}: a division by 0, as by the sum of a row that a mask hides completely"
                )
            rows.append([numbers.divide(x, divisor) for x in row])
        return rows

    properties = (
        Property(
            Words(
                "multiplying each row by its number gives the matrix back", "各行に、割った数を掛けると元の行列に戻る"
            ),
            lambda result, argument, divisors: np.allclose(result * divisors, argument),
        ),
    )


def quotient(name: str, argument: Any, divisors: Any) -> Any:
    """The quotient of arrays; a divisor that is 0, or too large or too small for a double, is refused."""
    if not np.all(divisors):
        raise NotSupported(f"{name}: a division by 0, or by a number too small for a double")
    with np.errstate(over="ignore"):
        return all_finite(name, argument / all_finite(name, divisors))
