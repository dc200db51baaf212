"""The sum of matrices."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np
from sympy import Add, Expr
from sympy.matrices.expressions import MatAdd

from symtransformer.arguments import MATRICES, Parameter
from symtransformer.node import CONVERTERS, Node, as_node
from symtransformer.notation import ADDITION, Infix, Words
from symtransformer.operation import Primitive, Property, entry_of, require_same_shape
from symtransformer.operations.infinity import total


class Addition(Primitive):
    """(A + B + ...)_ij = A_ij + B_ij + ..., all of the same size, in the order written. −∞ stays −∞.

    >>> from symtransformer import dimension, matrix
    >>> n, d = dimension("n"), dimension("d")
    >>> X, Y = matrix("X", n, d), matrix("Y", n, d)
    >>> X + Y, X - Y
    (X + Y, X - Y)
    """

    __slots__ = ()
    parameters = (Parameter("terms", MATRICES),)
    title = Words("Sum", "和")
    explanation = Words(
        "Entries in the same place are added.",
        "同じ位置の成分どうしを足します。",
    )
    gradient_words = Words(
        "Through a sum, the cotangent goes to every term unchanged.",
        "和では、上流の勾配がそのまま各項に伝わります。",
    )
    source = Words(
        "standard; Vaswani et al. 2017, section 3.1, for residual connections",
        "標準的な定義。残差接続については Vaswani ほか 2017, 3.1 節",
    )
    notation = Infix("add", ADDITION)
    follows = (("row", -1, "row"), ("column", -1, "column"))
    accepts_infinity: ClassVar[bool] = True
    python_operator: ClassVar[str] = "add"

    @classmethod
    def shortcut(cls, *arguments: Any) -> Any:
        return arguments[0] if len(arguments) == 1 else None

    def find_shape(self) -> Any:
        first = self.args[0].shape
        for term in self.args[1:]:
            if term.shape != first:
                require_same_shape(partial("sum of {} and {}".format, self.args[0], term), first, term.shape)
        return first

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        return Add(*(entry_of(term, i, j) for term in self.args), evaluate=False)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        return tuple(cotangent for _ in self.args)

    @staticmethod
    def numpy(*terms: Any) -> Any:
        result = terms[0]
        for term in terms[1:]:
            result = result + term
        return result

    def value(self, numbers: Any, *terms: Any) -> Any:
        rows = zip(*terms, strict=True)
        return [[total("Addition", entries) for entries in zip(*row, strict=True)] for row in rows]

    properties = (
        Property(
            Words("the order of the terms does not matter", "足す順序を変えても結果は同じ"),
            lambda result, *terms: np.allclose(result, sum(reversed(terms))),
        ),
    )


CONVERTERS.append((MatAdd, lambda stock: Addition(*(as_node(term) for term in stock.args))))
