"""Calls of the operations of the library, their arguments checked as those of an expression are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Integer, S

from symtransformer.arguments import SIZE
from symtransformer.errors import ShapeError
from symtransformer.node import Node
from symtransformer.operations.concatenation import ColumnSlice
from symtransformer.operations.sinusoidal_encoding import SinusoidalEncoding
from symtransformer.operations.transpose import Transpose
from symtransformer.reading import syntax
from symtransformer.reading.calls import check_call
from symtransformer.reading.problems import ReadingError, Span
from symtransformer.reading.side_cursor import Position
from symtransformer.reading.side_names import Known, letter_name
from symtransformer.reading.side_values import Part, shape
from symtransformer.reading.vocabulary import MASKS
from symtransformer.symbols import parameter

COLUMNS = ("d_model", "d", "D", "d_emb")  # of an embedding
WITH_ROWS = frozenset(("Softmax", "LogSumExp", "Hardmax", "LayerNorm", "RMSNorm", "Standardization"))

OF_NUMBERS = frozenset(("Broadcast", "NormalDistribution", "NormalDensity"))  # also of one number: Φ(0)


class Operations(Position):
    """One operation of matrices, numbers and words."""

    scope: Mapping[str, Known]
    used: dict[str, None]

    def as_row(self, part: Part, what: str) -> Node:
        """What a function over rows is applied to; a column would be one number in each row."""
        node = self.node(part)
        rows, columns = shape(node)
        if columns == 1 and rows > 1:
            if not part.listed:
                message = f"{what[:20]} goes over rows, and this is a column of {rows}; transpose it"
                raise self.refuse(part, "column", message)
            return Transpose(node)
        return node

    def operation(self, word: str, operation: Any, place: Part, arguments: list[Part], keywords: Any) -> Part:
        """An operation of the library, its arguments checked as those of an expression are."""
        kinds = {p.name: p.kind for p in operation.parameters}
        self._check_d_k(operation, place, arguments)
        named = []
        for name, part in keywords.items():
            if name not in kinds:
                raise self.refuse(part, "keyword", f"{word[:20]} has no argument {name[:20]!r}")
            named.append((name, _written(part)))
        values = [self._argument(operation, k, part) for k, part in enumerate(arguments)]
        over_rows = operation.__name__ in WITH_ROWS
        if over_rows and values:
            values[0] = self.as_row(arguments[0], word)
        given = [(_written(part), value) for part, value in zip(arguments, values, strict=True)]
        call = syntax.Call(Span(place.start, place.end), word, tuple(p for p, _ in given), tuple(named))
        masks = {id(p): part.is_mask for (p, _), part in zip(given, arguments, strict=True)}

        def refuse(at: syntax.Syntax, code: str, message: str) -> ReadingError:
            return ReadingError(self.text, at.span, code, message)

        check_call(call, operation, given, lambda at: masks.get(id(at), False), refuse)
        of_name = {name: self._sized(part, kinds[name]) for name, part in keywords.items()}
        if operation.__name__ in ("LayerNorm", "RMSNorm") and not _eps_is_given(arguments, keywords):
            of_name["eps"] = self.usual_eps()
        flat = [k for k, part in enumerate(arguments) if k and part.listed and part.node is not None]
        turned = [Transpose(v) if k in flat else v for k, v in enumerate(values)]
        tries = (
            [values, turned] if flat else [values]
        )  # a list stands as a row, and as a column where a row does not fit

        def make() -> Any:
            for k, tried in enumerate(tries):
                try:
                    return operation(*tried, **of_name)
                except ShapeError:
                    if k == len(tries) - 1:
                        raise
            raise AssertionError

        node = self.made(place, make)
        if operation is SinusoidalEncoding and not keywords and (entry := self._entry_of_encoding(arguments, node)):
            return entry
        if not all(size.is_Integer for size in node.shape):
            raise self.refuse(place, "size", f"the size of {word[:20]} is a letter; write the number")
        is_mask = operation.__name__ in MASKS
        return Part(S.One, node, 0, 0, bool(arguments) and arguments[0].listed and over_rows, is_mask=is_mask)

    def _entry_of_encoding(self, arguments: list[Part], matrix: Node) -> Part | None:
        """PE(1, 0) is sin 1, the entry of position 1; or the encoding of so many rows and columns, where that fits.

        The first two entries are the same for any number of columns, the others need it.
        """
        if len(arguments) != 2 or any(a.node is not None or a.name or not a.factor.is_Integer for a in arguments):
            return None
        position, column = (int(a.factor) for a in arguments)
        sizes = [self.scope[name].whole for name in COLUMNS if name in self.scope]
        columns = next((size for size in sizes if size is not None and size > column), 2)
        if not 0 <= column < columns:
            return None
        row = SinusoidalEncoding(Integer(1), Integer(columns), Integer(position), Integer(10_000))
        is_matrix = position * column > 1
        return Part(S.One, ColumnSlice(row, Integer(column), Integer(1)), 0, 0, other=matrix if is_matrix else None)

    def _check_d_k(self, operation: Any, place: Part, arguments: list[Part]) -> None:
        """Attention(Q, K, V) beside a d_k that is no size of K speaks of any Q, K, V, not of those with values."""
        d_k = self.scope.get("d_k")
        if operation.__name__ != "ScaledDotProductAttention" or d_k is None or d_k.whole is None:
            return
        if len(arguments) > 1 and arguments[1].node is not None and shape(arguments[1].node)[1] != d_k.whole:
            raise self.refuse(place, "no_value", f"d_k is {d_k.whole} in this document, and K has other columns")

    def _argument(self, operation: Any, k: int, part: Part) -> Any:
        """One argument by its place: a number where a column is repeated, and a size with its value."""
        if operation.__name__ in OF_NUMBERS and k == 0:
            return self.node(part)
        return self._sized(part, SIZE if k < len(operation.parameters) and operation.parameters[k].kind == SIZE else "")

    def _sized(self, part: Part, kind: str) -> Any:
        """A size such as n with its value."""
        value = self.value(part)
        known = self.scope.get(part.name)
        return Integer(known.whole) if kind == SIZE and known is not None and known.whole is not None else value

    def usual_eps(self) -> Any:
        """The eps of the document where one is given, else none: frameworks add 0.00001, and by-hand work nothing."""
        for name in ("eps", "epsilon", "varepsilon"):
            if name in self.scope and self.scope[name].shape is None:
                self.used[name] = None
                return parameter(letter_name(name))
        return S.Zero


def _eps_is_given(arguments: list[Part], keywords: Any) -> bool:
    return "eps" in keywords or any(part.node is None and part.form != "choice" for part in arguments)


def _written(part: Part) -> syntax.Syntax:
    span = Span(part.start, part.end)
    if part.form == "choice":
        return syntax.Word(span, part.factor)
    return syntax.Name(span, part.name) if part.name else syntax.Syntax(span)
