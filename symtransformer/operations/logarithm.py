"""The natural logarithm of every entry."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Expr, log

from symtransformer.arguments import Parameter
from symtransformer.errors import NotSupported
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property, entry_of
from symtransformer.operations.entry_division import EntryDivision


class Logarithm(Primitive):
    """log(A)_ij = ln A_ij, entry by entry; every entry must be positive, or `NotSupported` is raised.

    >>> from symtransformer import dimension, matrix
    >>> Logarithm(matrix("P", dimension("n"), dimension("m")))[1, 0]
    log(P[1, 0])
    """

    __slots__ = ()
    parameters = (Parameter("argument"),)
    title = Words("Natural logarithm of each entry", "各成分の自然対数")
    explanation = Words(
        "Each entry becomes the power to which {e} must be raised to give it.",
        "各成分を、{e} を何乗するとその値になるかを表す数に変えます。",
    )
    gradient_words = Words(
        "The slope of the logarithm is 1 over the entry, so each entry of the cotangent is divided by the entry in "
        "the same place.",
        "対数の傾きは成分の逆数なので、上流の勾配の各成分を、同じ位置の成分で割ります。",
    )
    source = Words("standard; log-probabilities", "標準的な定義。対数確率に使う")
    notation = Call("log")
    follows = (("row", 0, "row"), ("column", 0, "column"))

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return log(entry_of(self.args[0], i, j))  # type: ignore[no-any-return]

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (EntryDivision(cotangent, self.args[0]),)

    @staticmethod
    def numpy(argument: Any) -> Any:
        if not np.all(argument > 0):
            row, column = np.argwhere(~(argument > 0))[0][-2:]
            raise NotSupported(f"Logarithm: entry ({row + 1}, {column + 1}) is not positive")
        return np.log(argument)

    def value(self, numbers: Any, argument: Any) -> Any:
        return [[numbers.apply("log", x) for x in row] for row in argument]

    properties = (
        Property(
            Words("the exponential gives the entries back", "指数関数で元の成分に戻る"),
            lambda result, argument: np.allclose(np.exp(result), argument),
        ),
    )
