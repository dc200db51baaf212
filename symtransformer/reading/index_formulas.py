"""What an index formula means: each part a number, a row or a matrix, by the formula of its entries.

Two habits are known: q_i is a row (1 x d), or a column (d x 1). A formula is read by one of them
throughout; where only one fits, that is the one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import (
    Add,
    Expr,
    Integer,
    KroneckerDelta,
    Mul,
    Pow,
    Rational,
    S,
    Sum,
    Symbol,
)  # fmt: skip

from symtransformer.errors import NotSupported, ShapeError
from symtransformer.node import Node
from symtransformer.operation import Operation
from symtransformer.reading import numbers
from symtransformer.reading.index_functions import applied
from symtransformer.reading.index_heads import over_heads, require_head
from symtransformer.reading.index_places import is_simple, value_of
from symtransformer.reading.index_ranges import Ranges, symbol_of
from symtransformer.reading.index_syntax import (
    Applied,
    Delta,
    Factors,
    Indexed,
    Inner,
    Named,
    Number,
    Part,
    Power,
    Slope,
    Terms,
    Total,
    Transposed,
)
from symtransformer.reading.index_values import (
    Value,
    along,
    axes_of_shape,
    entry_of_value,
    length_of,
    repeated,
    restricted,
    scalar,
    times,
)
from symtransformer.reading.limits import POWER
from symtransformer.reading.problems import ReadingError, ReadingShapeError, quoted
from symtransformer.symbols import Entry, Letter

ROW, COLUMN = "row", "column"
HABITS = (ROW, COLUMN)
MIXED = "mixed"  # rows of matrices are rows, and letters of one column are columns


class IndexFormula:
    """One reading of one formula, for one habit."""

    def __init__(
        self, ranges: Ranges, habit: str, symbols: dict[str, Symbol], slope: Callable[[Any, Entry], Any] | None = None
    ) -> None:
        self.ranges, self.habit, self.symbols, self.slope = ranges, habit, symbols, slope
        self.text, self.nodes, self.numbers = ranges.text, ranges.nodes, ranges.numbers
        self.fresh = 0
        self.heads: dict[str, Symbol] = {}  # letters of heads as they are written, and those of the expression

    def refuse(self, part: Part, code: str, message: str) -> ReadingError:
        return ReadingError(self.text, part.span, code, message)

    def unfitting(self, part: Part, left: Any, right: Any, what: str) -> ReadingShapeError:
        message = f"{what}, {left} and {right} must be equal"
        error = ReadingShapeError(self.text, part.span, "shapes", message)
        error.__cause__ = ShapeError(message, sides=(S(left), S(right)))
        return error

    def index(self, index: str) -> Any:
        if not is_simple(index):
            return value_of(index, lambda x: self.numbers[x] if x in self.numbers else self.index(x) + 1) - 1
        return Integer(int(index) - 1) if index.isdigit() else symbol_of(index, self.symbols)

    def own_letter(self) -> Symbol:
        self.fresh += 1
        return symbol_of(f"‹{self.fresh}›", self.symbols)

    def value(self, part: Any) -> Value:
        return getattr(self, f"_{type(part).__name__.lower()}")(part)  # type: ignore[no-any-return]

    # -- leaves ------------------------------------------------------------------------------------------------
    def _number(self, part: Number) -> Value:
        return scalar(numbers.decimal(part.text))

    def _delta(self, part: Delta) -> Value:
        return scalar(KroneckerDelta(self.index(part.left), self.index(part.right)))

    def _named(self, part: Named) -> Value:
        if part.name in self.numbers:
            if part.indices:
                raise self.refuse(part, "index", f"{part.name} is a number and has no indices")
            return scalar(self.numbers[part.name])
        require_head(self, part)
        return self.indexed(part, self._whole(self.nodes[part.name]), self.nodes[part.name].shape, part.indices)

    def _whole(self, node: Node) -> Value:
        return Value(
            *node.shape, lambda i, j: Entry(node, i, j) if isinstance(node, (Letter, Operation)) else node.entry(i, j)
        )  # type: ignore[arg-type, return-value]

    def indexed(self, part: Part, whole: Value, shape: Any, indices: tuple[str, ...]) -> Value:
        rows, columns = shape
        is_vector = (rows == 1) != (columns == 1)
        if not indices:
            if is_vector and columns == 1 and self.habit == ROW and isinstance(part, Named):
                return Value(columns, rows, lambda i, j: whole.at(j, i))  # a bias, a gain: one of the vectors
            if is_vector and rows == 1 and self.habit == COLUMN and isinstance(part, Named):
                return Value(columns, rows, lambda i, j: whole.at(j, i))
            return whole
        if len(indices) > 2 or (len(indices) == 2 and is_vector) or (rows == 1 and columns == 1):
            raise self.refuse(
                part, "index", f"this has the size {rows} x {columns}; {len(indices)} indices do not fit it"
            )
        first = self.index(indices[0])
        if len(indices) == 2:
            second = self.index(indices[1])
            return scalar(whole.at(first, second))
        if is_vector:
            return scalar(whole.at(S.Zero, first) if rows == 1 else whole.at(first, S.Zero))
        return self.vector(columns, lambda k: whole.at(first, k))

    def vector(self, length: Any, at: Callable[[Any], Expr]) -> Value:
        return (
            Value(S.One, length, lambda i, j: at(j))
            if self.habit != COLUMN
            else Value(length, S.One, lambda i, j: at(i))
        )

    def _indexed(self, part: Indexed) -> Value:
        inner = self.value(part.inner)
        shape = (inner.rows, inner.columns)
        if inner.is_number:
            raise self.refuse(part, "index", "a number has no indices")
        for index, size in zip(part.indices, axes_of_shape(shape, len(part.indices)), strict=False):
            self.ranges.runs_over(index, size, part)
        return self.indexed(part, inner, shape, part.indices)

    # -- sums --------------------------------------------------------------------------------------------------
    def _total(self, part: Total) -> Value:
        body = self.value(part.body)
        if part.letter in self.heads:
            return over_heads(self, part, body)
        shown = part.letter.partition("‹")[0]
        if part.letter not in self.ranges.sizes:
            raise self.refuse(part, "index", f"the sum goes over {shown}, which stands nowhere in it")
        size = self.ranges.sizes[part.letter]
        if part.upper:
            self.check_upper(part, size)
        letter = self.index(part.letter)

        def at(i: Any, j: Any) -> Expr:
            inside = body.at(i, j)
            if part.condition is not None:
                inside = restricted(part.condition[0], letter, self.index(part.condition[1]), inside)
            return Sum(inside, (letter, S.Zero, size - 1))

        return Value(body.rows, body.columns, at)

    def check_upper(self, part: Total, size: Any) -> None:
        shown = part.letter.partition("‹")[0]
        try:
            upper: Any = value_of(part.upper, self.numbers.__getitem__)
        except (ValueError, KeyError):
            upper = None
        if upper is None or upper.is_integer is not True:
            known = ", ".join(n for n, s in self.numbers.items() if s.is_integer) or "none"
            raise self.refuse(part, "sum", f"{quoted(part.upper)} is no size that is known here; the sizes are {known}")
        end = size - int(part.from_zero)
        if (upper - end).expand() != 0 and part.from_zero:
            raise self.refuse(part, "sum", f"the sum over {shown} from 0 ends at {upper}, where {shown} has {size} values; it would end at {end}")  # fmt: skip
        if (upper - end).expand() != 0:
            raise self.unfitting(part, upper, end, f"the sum over {shown} ends at {upper}, and {shown} runs to {end}")

    def _terms(self, part: Terms) -> Value:
        values = [(sign, p, self.value(p)) for sign, p in part.terms]
        rows = [value for _, _, value in values if length_of(value) is not None]
        if rows:  # a number beside a row is added to each of its entries
            values = [(sign, p, repeated(value, rows[0])) for sign, p, value in values]
        _, _, first = values[0]
        for _, p, value in values[1:]:
            if first.is_number != value.is_number:
                raise self.refuse(p, "number_and_matrix", "a number and a matrix are not added")
            for a, b in ((first.rows, value.rows), (first.columns, value.columns)):
                if (a - b).expand() != 0:
                    raise self.unfitting(p, a, b, "in a sum")
        if len(values) == 1 and values[0][0] == "+":
            return first

        def at(i: Any, j: Any) -> Expr:
            each = (v.at(i, j) if sign == "+" else Mul(-1, v.at(i, j), evaluate=False) for sign, _, v in values)
            return Add(*each, evaluate=False)

        return Value(first.rows, first.columns, at)

    # -- products ----------------------------------------------------------------------------------------------
    def _factors(self, part: Factors) -> Value:
        result = self.value(part.factors[0][1])
        for sign, p in part.factors[1:]:
            result = self._combined(p, sign, result, self.value(p))
        return result

    def _combined(self, part: Part, sign: str, left: Value, right: Value) -> Value:
        if sign == "/":
            if not right.is_number:
                raise self.refuse(part, "matrix", "a division by a row or a matrix; divide by a number")
            if right.number.is_zero:
                raise self.refuse(part, "zero", "a division by 0")
            return Value(left.rows, left.columns, lambda i, j: times(left.at(i, j), Pow(right.number, -1)))
        if left.is_number or right.is_number:
            shape = right if left.is_number else left
            return Value(
                shape.rows, shape.columns, lambda i, j: times(entry_of_value(left, i, j), entry_of_value(right, i, j))
            )
        if sign == "hadamard":
            for a, b in ((left.rows, right.rows), (left.columns, right.columns)):
                if (a - b).expand() != 0:
                    raise self.unfitting(part, a, b, "in a product entry by entry")
            return Value(left.rows, left.columns, lambda i, j: times(left.at(i, j), right.at(i, j)))
        if sign == "." and length_of(left) is not None and length_of(right) is not None:
            return self._inner_product(part, left, right)
        if (left.columns - right.rows).expand() != 0:
            raise self.unfitting(part, left.columns, right.rows, "in a product")
        k = self.own_letter()
        size = left.columns

        def at(i: Any, j: Any) -> Expr:
            if size == 1:
                return times(left.at(i, S.Zero), right.at(S.Zero, j))
            return Sum(times(left.at(i, k), right.at(k, j)), (k, S.Zero, size - 1))

        return Value(left.rows, right.columns, at)

    def _inner_product(self, part: Part, left: Value, right: Value) -> Value:
        sizes = length_of(left), length_of(right)
        if sizes[0] is None or sizes[1] is None:
            raise self.refuse(part, "vectors", "an inner product is one of two rows")
        if (sizes[0] - sizes[1]).expand() != 0:
            raise self.unfitting(part, *sizes, "in an inner product")
        k = self.own_letter()
        return scalar(Sum(times(along(left, k), along(right, k)), (k, S.Zero, sizes[0] - 1)))

    def _slope(self, part: Slope) -> Value:
        """The derivative of one number by one entry."""
        body, by = self.value(part.body), self.value(part.by)
        entry: Any = by.number if by.is_number else None
        if not body.is_number or not isinstance(entry, Entry) or not isinstance(entry.parent, Letter):
            raise self.refuse(
                part, "derivative", "a derivative in a formula is one of a number by one entry, as in ∂y_jc/∂x_ia"
            )
        if self.slope is None:
            raise self.refuse(part, "derivative", "a derivative of something other than the loss stands alone on the left side, as in ∂a_ij/∂s_il = ...")  # fmt: skip
        try:
            return scalar(self.slope(body.number, entry))
        except NotSupported as error:
            raise self.refuse(part, "derivative", str(error)) from error

    def _inner(self, part: Inner) -> Value:
        return self._inner_product(part, self.value(part.left), self.value(part.right))

    def _transposed(self, part: Transposed) -> Value:
        inner = self.value(part.inner)
        return Value(inner.columns, inner.rows, lambda i, j: inner.at(j, i))

    # -- powers and functions ----------------------------------------------------------------------------------
    def _power(self, part: Power) -> Value:
        base, exponent = self.value(part.base), self.value(part.exponent)
        if not (base.is_number and exponent.is_number):
            raise self.refuse(part, "exponent", "only a number has a power in an index formula")
        power = exponent.number.doit() if exponent.number.is_number else None
        if not isinstance(power, Rational) or power.q not in (1, 2) or abs(power) > POWER:
            raise self.refuse(part, "exponent", f"an exponent is a whole or half number up to {POWER}")
        return scalar(Pow(base.number, power, evaluate=False))

    def _applied(self, part: Applied) -> Value:
        return applied(self, part, self.value(part.inner))


__all__ = ["COLUMN", "HABITS", "ROW", "IndexFormula", "Value"]
