"""Whether the value of an expression is what somebody shows, in every entry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtransformer.checking.regions import is_right
from symtransformer.checking.slips.records import no_value
from symtransformer.checking.values import Comparisons, Value, entry
from symtransformer.enclosures import Balls, precision
from symtransformer.errors import LimitExceeded
from symtransformer.exact import Exact
from symtransformer.node import Node
from symtransformer.operation import compute
from symtransformer.reading.claimed_numbers import ClaimedNumber


class Shown:
    """`shown(expression)`: all entries of the expression, which has no letters, round to the digits shown.

    What several expressions have in common is computed once.

    >>> from symtransformer.checking import read_number
    >>> from symtransformer.operations.softmax import Softmax
    >>> from symtransformer.symbols import Literal
    >>> shown = Shown([[read_number("0.73"), read_number("0.27")]])
    >>> shown(Softmax(Literal([[1, 0]]))), shown(Softmax(Literal([[0, 1]])))
    (True, False)
    """

    def __init__(self, rows: Sequence[Sequence[ClaimedNumber]]) -> None:
        self.rows = rows
        self.memo: dict[int, dict[Any, Any]] = {}

    def __call__(self, expression: Node) -> bool:
        if expression.shape != (len(self.rows), len(self.rows[0])):
            return False
        cells = _Cells(expression, self.memo)
        return all(
            is_right(claim, Comparisons(self._value(cells, i, j)))
            for i, row in enumerate(self.rows)
            for j, claim in enumerate(row)
        )

    @staticmethod
    def _value(cells: _Cells, i: int, j: int) -> Value:
        return entry(cells, i, j)


class _Cells:
    """The entries of an expression as balls, and exact where that is short."""

    def __init__(self, root: Node, memo: dict[int, dict[Any, Any]]) -> None:
        self.root, self.memo = root, memo

    def ball_at(self, i: int, j: int) -> Any:
        return lambda bits: self._rows(bits)[i][j]

    def _rows(self, bits: int) -> Any:
        with precision(bits):
            return compute(self.root, Balls(), no_value, {}, self.memo.setdefault(bits, {}))

    def exact(self) -> Any:
        try:
            return compute(self.root, Exact(terms_at_most=20_000), no_value)
        except LimitExceeded:
            return None
