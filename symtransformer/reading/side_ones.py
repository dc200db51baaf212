r"""\mathbf{1}: ones whose size is told by what they stand beside; where nothing tells it, they are refused.

1 b^T is the row b^T again and again, A 1 are the sums of the rows of A, 1^T A those of its columns, and in a sum or an
entrywise product 1 is as large as the other side.
"""

from __future__ import annotations

from typing import Any

from sympy import Integer, S

from symtransformer.node import Node
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.row_sum import Broadcast
from symtransformer.operations.transpose import Transpose
from symtransformer.reading.side_values import Part, Values, shape, spread

FILL, FILL_TURNED, ROWS, COLUMNS = "fill", "fill turned", "rows", "columns"  # what of it is not told yet
TURNED = {FILL: FILL_TURNED, FILL_TURNED: FILL, ROWS: COLUMNS, COLUMNS: ROWS}


class OfOnes(Values):
    """Products, sums and transposes with ones of a size that is not told yet."""

    def times(self, sign: str, left: Part, right: Part) -> None:
        if not left.open and not right.open:
            return super().times(sign, left, right)
        if left.node is None and not left.open:  # 2 · 1
            left.node, left.open = right.node, right.open
            left.factor = self.made(right, lambda: left.factor * right.factor)
        elif right.node is None and not right.open:
            left.factor = self.made(right, lambda: left.factor * right.factor)
        elif left.open in (FILL, FILL_TURNED) and left.node is None and not right.open:
            self._ones_before(left, right)
        elif right.open in (FILL, FILL_TURNED) and right.node is None and not left.open:
            self._ones_behind(left, right)
        elif left.open == ROWS and not right.open:
            left.node, left.listed = self.product(sign, left, right, left.node, self.value(right))
        else:
            raise self.unknown_ones(left if left.open else right)
        return None

    def _ones_before(self, ones: Part, right: Part) -> None:
        node = self.value(right)
        rows = shape(node)[0]
        if rows > 1:
            ones.node, ones.open = Product(Ones(S.One, Integer(rows)), node), ""
        elif ones.open == FILL:
            ones.node, ones.open = node, ROWS
        else:
            raise self.unknown_ones(ones)

    def _ones_behind(self, left: Part, ones: Part) -> None:
        columns = shape(left.node)[1]
        if columns > 1:
            left.node = Product(left.node, Ones(Integer(columns), S.One))
        elif ones.open == FILL_TURNED:
            left.open = COLUMNS
        else:
            raise self.unknown_ones(ones)
        left.factor = self.made(ones, lambda: left.factor * ones.factor)

    def divided(self, left: Part, right: Part) -> None:
        if right.open or (left.open and right.node is not None):
            raise self.unknown_ones(right if right.open else left)
        if not left.open:
            return super().divided(left, right)
        kept, left.open = left.open, ""
        super().divided(left, right)
        left.open = kept
        return None

    def added(self, left: Part, right: Part, sign: str = "+") -> Part:
        self.sized_alike(left, right)
        return super().added(left, right, sign)

    def entrywise(self, sign: str, left: Part, right: Part) -> Part:
        self.sized_alike(left, right)
        return super().entrywise(sign, left, right)

    def sized_alike(self, left: Part, right: Part) -> None:
        """Ones get the size of what stands on the other side."""
        if left.open and right.open:
            raise self.unknown_ones(left)
        for ones, other in ((left, right), (right, left)):
            if ones.open:
                if other.node is None:
                    raise self.unknown_ones(ones)
                self._filled(ones, *shape(self.value(other)))

    def _filled(self, ones: Part, rows: int, columns: int) -> None:
        kept, ones.open = ones.open, ""
        node = self.node(ones)
        n, m = shape(node)
        if kept in (FILL, FILL_TURNED):
            ones.node = spread(node, rows, columns)
        elif kept == ROWS and m == columns:
            ones.node = Product(Ones(Integer(rows), S.One), node)
        elif kept == COLUMNS and n == rows:
            ones.node = node if columns == 1 else Broadcast(node, Integer(columns))
        else:
            raise self.unfitting(ones, f"{self.sized(ones, node)}, beside {rows} x {columns}")
        ones.factor = S.One

    def turned_ones(self, ones: Part, end: int) -> Part:
        node: Any = None if ones.node is None else Transpose(ones.node)
        return Part(ones.factor, node, ones.start, end, open=TURNED[ones.open])

    def of_ones(self, ones: Part, operation: Any) -> Part:
        """A function of each entry."""
        kept, ones.open = ones.open, ""
        node: Node = self.node(ones)
        return Part(S.One, self.made(ones, lambda: operation(node)), ones.start, ones.end, open=kept)
