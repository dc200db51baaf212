"""The square root of every entry."""

from __future__ import annotations

from typing import Any

import numpy as np
from sympy import Add, Expr, Pow, S

from symtransformer.arguments import SCALAR, Parameter
from symtransformer.errors import NotSupported
from symtransformer.node import Node
from symtransformer.notation import Radical, Words
from symtransformer.operation import Primitive, Property, entry_of
from symtransformer.operations.entry_division import EntryDivision
from symtransformer.operations.infinity import float_type
from symtransformer.operations.scaling import Scaling


class SquareRoot(Primitive):
    """sqrt(A + c)_ij = √(A_ij + c), entry by entry, with a number c that is 0 unless given.

    No A_ij + c may be negative, or `NotSupported` is raised.

    >>> from sympy import Rational
    >>> from symtransformer import dimension, matrix
    >>> v = matrix("v", dimension("n"), 1)
    >>> SquareRoot(v), SquareRoot(v, Rational(1, 100000))
    (sqrt(v), sqrt(v + 0.00001))
    """

    __slots__ = ()
    parameters = (Parameter("argument"), Parameter("added", SCALAR, default=S.Zero))
    title = Words("Square root of each entry", "各成分の平方根")
    explanation = Words(
        "Each entry becomes its square root; a number may be added first.",
        "各成分を、その平方根に変えます。先に定数を足すこともあります。",
    )
    gradient_words = Words(
        "Each entry of the cotangent is divided by twice the root in the same place.",
        "上流の勾配の各成分を、同じ位置の平方根の 2 倍で割ります。",
    )
    source = Words(
        "standard deviation in Ba et al. 2016, eq. (3), there without the added number",
        "Ba ほか 2016, 式 (3) の標準偏差。そこでは小さい数を足さない",
    )
    notation = Radical()
    follows = (("row", 0, "row"), ("column", 0, "column"))

    def find_shape(self) -> Any:
        return self.args[0].shape

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        entry, added = entry_of(self.args[0], i, j), self.args[1]
        return Pow(entry if added == 0 else Add(entry, added, evaluate=False), S.Half)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return (Scaling(EntryDivision(cotangent, self), S.One, S(2)),)

    @staticmethod
    def numpy(argument: Any, added: Any) -> Any:
        below = argument + added
        if np.any(below < 0):
            row, column = np.argwhere(below < 0)[0][-2:]
            raise NotSupported(f"SquareRoot: entry ({row + 1}, {column + 1}) is negative")
        if np.any((below > 0) & (below < np.finfo(float_type(below)).tiny)):
            raise NotSupported("SquareRoot: an entry is so small that a double has lost digits of it")
        return np.sqrt(below)

    def value(self, numbers: Any, argument: Any, added: Any) -> Any:
        return [[numbers.apply("sqrt", x + added) for x in row] for row in argument]

    properties = (
        Property(
            Words("its square gives the sum below the root back", "2 乗すると根号の中の値に戻る"),
            lambda result, argument, added: np.allclose(result**2, argument + added),
        ),
    )
