"""Matrices below one another."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np
from sympy import Add, Expr, Piecewise, S

from symtransformer.arguments import MATRICES, Parameter
from symtransformer.node import Node
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, Property, entry_of, require_equal_sizes
from symtransformer.operations.rows import RowSlice


class RowConcatenation(Primitive):
    """Stack(A, B, ...): the rows of A, then those of B, ...; all with the same number of columns.

    >>> from symtransformer import dimension, matrix
    >>> n, d_k = dimension("n"), dimension("d_k")
    >>> cache = RowConcatenation(matrix("K", n, d_k), matrix("k", 1, d_k))
    >>> cache, cache.shape
    (Stack(K, k), (n + 1, d_k))
    """

    __slots__ = ()
    parameters = (Parameter("parts", MATRICES),)
    title = Words("Rows below one another", "行の追加（縦の連結）")
    explanation = Words(
        "The rows of the second matrix are written below those of the first, and so on.",
        "1 つ目の行列の行の下に、2 つ目以降の行列の行を順に並べます。",
    )
    gradient_words = Words(
        "Each part gets those rows of the cotangent in which it stands.",
        "並べた行列のそれぞれに、上流の勾配のうち、その行列が占める行が伝わります。",
    )
    source = Words(
        "standard; a cache of keys and values grows by such rows",
        "標準的な定義。キーとバリューのキャッシュはこのように行が増える",
    )
    notation = Call("Stack")
    follows = (("column", -1, "column"),)
    accepts_infinity: ClassVar[bool] = True

    @classmethod
    def shortcut(cls, *arguments: Any) -> Any:
        return arguments[0] if len(arguments) == 1 else None

    def find_shape(self) -> Any:
        columns = self.args[0].shape[1]
        for part in self.args[1:]:
            what = partial("{} above {}".format, self.args[0], part)
            require_equal_sizes(what, "the numbers of columns", columns, part.shape[1])
        return Add(*(part.shape[0] for part in self.args)), columns

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        cases, start = [], S.Zero
        for part in self.args:
            room = start + part.shape[0] - i  # positive where row i stands in this part or before it
            if not room.is_nonpositive:
                cases.append((entry_of(part, i - start, j), True if room.is_positive else i < start + part.shape[0]))
            if room.is_positive:
                break
            start += part.shape[0]
        return cases[0][0] if len(cases) == 1 and cases[0][1] is True else Piecewise(*cases)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        blocks, start = [], S.Zero
        for part in self.args:
            blocks.append(RowSlice(cotangent, start, part.shape[0]))
            start += part.shape[0]
        return tuple(blocks)

    @staticmethod
    def numpy(*parts: Any) -> Any:
        batch = np.broadcast_shapes(*(part.shape[:-2] for part in parts))
        return np.concatenate([np.broadcast_to(part, (*batch, *part.shape[-2:])) for part in parts], axis=-2)

    def value(self, numbers: Any, *parts: Any) -> Any:
        return [row for part in parts for row in part]

    properties = (
        Property(
            Words("each part can be cut out again", "各部分はそのまま切り出せる"),
            lambda result, *parts: np.array_equal(result[..., : parts[0].shape[-2], :], parts[0]),
        ),
    )
