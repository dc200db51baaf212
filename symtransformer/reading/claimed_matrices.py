r"""Matrix formulas of a claim: every letter is known, and what people write on top of the grammar is read as well.

A column is repeated over the columns where a matrix stands beside it, a row over the rows, a number over
all entries: `A ⊙ (dA - rowsum(A ⊙ dA))`. `*` and `^2` are products of matrices in one reading, and go entry by
entry in the other, as in NumPy; sums of columns are a column, as they are printed, or a row, as in NumPy.
Of two readings that fit, none is chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import Expr, KroneckerDelta, S, Sum, Symbol

from symtransformer.errors import ShapeError
from symtransformer.node import Node
from symtransformer.operation import REGISTRY, Operation
from symtransformer.operations.entry_formula import EntryFormula
from symtransformer.reading import syntax
from symtransformer.reading.products import Calculation
from symtransformer.symbols import Entry, Letter

BY_AXIS = frozenset(("sum", "mean", "rowsum", "colsum", "rowmean", "colmean"))
OWN_FUNCTIONS = BY_AXIS | {"diag", "trace", "tr", "matmul", "dot"}
ROWS, COLUMNS = "rows", "columns"


class ClaimedFormula(Calculation):
    """One reading of a formula.

    `entrywise` is that of NumPy; `repeating` repeats columns, rows and numbers as that does; `lying` sums of
    columns are a row; `wide` has ones of any size for a bold 1.
    """

    entrywise = repeating = lying = wide = False

    def apply(self, place: Any, make: Callable[..., Any], *arguments: Any) -> Any:
        if self.repeating and make in (REGISTRY["Addition"], REGISTRY["Hadamard"], REGISTRY["EntryDivision"]):
            arguments = self._repeated(arguments)
        return super().apply(place, make, *arguments)

    def _repeated(self, arguments: Any) -> Any:
        """Columns, rows and numbers repeated to the size of the other argument."""
        shapes = [self.sizes.shape(value.shape) for _, value in arguments]
        ordered = sorted(shapes, key=lambda shape: bool(self.sizes.open_in(shape[0] + shape[1])))  # known ones first
        rows, columns = (next((shape[k] for shape in ordered if shape[k] != 1), S.One) for k in (0, 1))
        if not any(shape == (rows, columns) for shape in shapes):
            return arguments  # a row and a column side by side are not meant as a table
        arguments, shapes = self._gains_lying(arguments, shapes, rows, columns)
        return tuple((place, self._repeat(place, value, shape, rows, columns)) for (place, value), shape in zip(arguments, shapes, strict=True))  # fmt: skip

    def _gains_lying(self, arguments: Any, shapes: Any, rows: Any, columns: Any) -> tuple[Any, Any]:
        """L ⊙ gamma: a letter with one column, as long as the rows are wide, is turned, as b in X W + b is."""
        made = []
        for (place, value), shape in zip(arguments, shapes, strict=True):
            turned = isinstance(place, syntax.Name) and shape == (columns, S.One) and rows not in (columns, S.One)
            made.append(
                (
                    place,
                    super().apply(place, REGISTRY["Transpose"], (place, value)) if turned else value,
                )
            )
        return tuple(made), [self.sizes.shape(value.shape) for _, value in made]

    def _repeat(self, place: Any, value: Node, shape: Any, rows: Any, columns: Any) -> Node:
        if shape == (rows, columns) or self.sizes.unknown.keys() & (rows.free_symbols | columns.free_symbols):
            return value
        result = value
        if shape[0] == 1 and rows != 1:
            ones = REGISTRY["Ones"](rows, S.One)
            result = super().apply(place, REGISTRY["Product"], (place, ones), (place, result))
        if shape[1] == 1 and columns != 1:
            result = super().apply(place, lambda column: REGISTRY["Broadcast"](column, columns), (place, result))
        return result

    # -- entry by entry --------------------------------------------------------------------------------------
    def _times(self, whole: Any, at_left: Any, at_right: Any, left: Node, right: Node) -> Node:
        if self.entrywise and self._sign_before(at_right) == "*":
            return self.apply(whole, REGISTRY["Hadamard"], (at_left, left), (at_right, right))  # type: ignore[no-any-return]
        return super()._times(whole, at_left, at_right, left, right)

    def chained(self, place: Any, factors: Any, factor: Expr) -> Any:
        for sign, part in factors:
            self._signs[part.span] = sign
        if self.repeating and any(sign == "/" for sign, _ in factors[1:]):
            return self._with_quotients(place, factors, factor)
        return super().chained(place, factors, factor)

    def _with_quotients(self, place: Any, factors: Any, factor: Expr) -> Any:
        """X / c, with a matrix, a column or a row below: entry by entry."""
        last = max(k for k, (sign, _) in enumerate(factors) if sign == "/" and k)
        below = self.value(factors[last][1])
        if not isinstance(below, Node):
            return super().chained(place, factors, factor)
        if last != len(factors) - 1:
            if not factors[last + 1][0]:
                raise self.refuse(
                    factors[last + 1][1], "after_slash", "what stands below the / is not clear; use brackets"
                )
        above = self.chained(place, factors[:last], factor)
        if not isinstance(above, Node):
            ones = self._one()
            above = ones if above == 1 else self._scaled(place, ones, above, S.One)
        quotient = self.apply(place, REGISTRY["EntryDivision"], (place, above), (factors[last][1], below))
        for sign, part in factors[last + 1 :]:
            value = self.value(part)
            if not isinstance(value, Node):
                quotient = self._scaled(place, quotient, value, S.One)
            elif sign == "*" and self.entrywise:
                quotient = self.apply(place, REGISTRY["Hadamard"], (place, quotient), (part, value))
            else:
                quotient = self.apply(place, REGISTRY["Product"], (place, quotient), (part, value))
        return quotient

    def _sign_before(self, part: Any) -> str:
        return self._signs.get(part.span, "")

    def _member(self, place: syntax.Power, base: Node) -> Any:
        shown = self.slice(place)
        raise self.refuse(place.exponent, "index", f"{shown} is no head that is known here; a power has no brackets")

    def _power(self, place: syntax.Power) -> Any:
        base = self.value(place.base) if self.entrywise else None
        grouped = isinstance(place.exponent, syntax.Grouped)
        if not isinstance(base, Node) or grouped:
            return super()._power(place)
        exponent = self.number(place.exponent)
        if exponent == S.Half:
            return self.apply(place, REGISTRY["SquareRoot"], (place.base, base))
        if not exponent.is_Integer or not 1 <= abs(int(exponent)) <= 64:  # type: ignore[call-overload]
            raise self.refuse(place.exponent, "exponent", "a matrix has powers 1 to 64 here")
        result = base
        for _ in range(abs(int(exponent)) - 1):  # type: ignore[call-overload]
            result = self.apply(place, REGISTRY["Hadamard"], (place.base, result), (place.base, base))
        if exponent < 0:
            ones = self._one()
            result = self.apply(place, REGISTRY["EntryDivision"], (place, ones), (place, result))
        return result

    def _sum(self, place: syntax.Sum) -> Any:
        if not self.repeating or len(place.terms) < 2:
            return super()._sum(place)
        values = [self._signed(sign, part) for sign, part in place.terms]
        if len({isinstance(v, Node) for v in values}) < 2 and not any(map(self.is_mask, (p for _, p in place.terms))):
            shapes = {self.sizes.shape(v.shape) for v in values if isinstance(v, Node)}
            if len(shapes) < 2:
                return super()._sum(place)
        total: Any = None
        for term, (_, part) in zip(values, place.terms, strict=True):
            value = term
            if not isinstance(term, Node):  # 1 - A: a number beside a matrix is added to every entry
                value = self._scaled(part, self._one(), term, S.One)
            total = value if total is None else self.apply(place, REGISTRY["Addition"], (place, total), (part, value))
        return total

    def _one(self) -> Node:
        """The number 1 as a matrix, to be repeated."""
        return REGISTRY["Ones"](1, 1) if self.final else Letter(self.sizes.fresh_name(), 1, 1)  # type: ignore[no-any-return]

    def _onescolumn(self, place: syntax.OnesColumn) -> Any:
        r"""A column of ones; \mathbf{1} is printed for ones of every size, so that its columns are what they have to be."""
        if not self.wide or "\\" not in self.slice(place):
            return super()._onescolumn(place)
        rows, columns = self._bold_ones.setdefault(place.span, (self.sizes.fresh(), self.sizes.fresh()))
        rows, columns = self.sizes.shape((rows, columns))
        return REGISTRY["Ones"](rows, columns) if self.final else Letter(self.sizes.fresh_name(), rows, columns)

    def settle_ones(self) -> None:
        """Ones of which nothing else is known are a column."""
        for _, columns in self._bold_ones.values():
            self.sizes.make_equal(columns, S.One)

    # -- functions -------------------------------------------------------------------------------------------
    def _call(self, place: syntax.Call) -> Any:
        if place.function not in OWN_FUNCTIONS or (place.function in ("rowsum",) and not place.keywords):
            return super()._call(place)
        if place.function in BY_AXIS:
            return self._by_axis(place)
        if place.function in ("matmul", "dot") and len(place.arguments) == 2 and not place.keywords:
            pair = [(part, self.matrix(part)) for part in place.arguments]
            return self.apply(place, REGISTRY["Product"], *pair)
        if len(place.arguments) != 1 or place.keywords or place.function in ("matmul", "dot"):
            raise self.refuse(place, "refused", f"{place.function} does not take this")
        argument = self.matrix(place.arguments[0])
        make = _diagonal if place.function == "diag" else _trace
        return self.apply(place, make, (place.arguments[0], argument))

    def _by_axis(self, place: syntax.Call) -> Any:
        axis = {"rowsum": COLUMNS, "rowmean": COLUMNS, "colsum": ROWS, "colmean": ROWS}.get(place.function, "")
        for name, part in place.keywords:
            if name in ("axis", "dim") and not axis:
                number = self.number(part)
                if number not in (0, 1, -1, -2):
                    raise self.refuse(part, "keyword", "a matrix has the axes 0 and 1")
                axis = ROWS if number in (0, -2) else COLUMNS
            elif name in ("keepdims", "keepdim"):  # a column stays a column in either case; False would make it none
                if getattr(part, "text", getattr(part, "name", "")) != "True":
                    raise self.refuse(
                        part, "keyword", f"{name} is True where sums stand beside a matrix; leave it out, or write True"
                    )
            else:
                raise self.refuse(part, "keyword", f"{place.function} has no argument {name!r:.20}; it has axis")
        if len(place.arguments) == 2 and not axis and not place.keywords:  # sum(X, 1)
            number = self.number(place.arguments[1])
            axis = {0: ROWS, 1: COLUMNS, -1: COLUMNS, -2: ROWS}.get(number, "")
        elif len(place.arguments) != 1:
            raise self.refuse(place, "refused", f"{place.function} takes one matrix and an axis")
        if not axis and place.function == "mean":
            axis = COLUMNS  # as it is printed
        if not axis:
            raise self.refuse(
                place, "keyword", "say which sum is meant: rowsum(X) and sum(X, axis=1), colsum(X) and sum(X, axis=0)"
            )
        at = place.arguments[0]
        argument = self.matrix(at)
        size = self.sizes.resolved(argument.shape[1 if axis == COLUMNS else 0])
        total = self.apply(place, REGISTRY["RowSum" if axis == COLUMNS else "ColumnSum"], (at, argument))
        if axis == ROWS and self.lying:
            total = self.apply(place, REGISTRY["Transpose"], (place, total))
        return total if "sum" in place.function else self._scaled(place, total, S.One, size)

    _signs: dict[Any, str]
    _bold_ones: dict[Any, tuple[Any, Any]]


def _diagonal(argument: Node) -> Node:
    """diag(c): a matrix with the column c on its diagonal; diag(A): the column of the diagonal entries of a square A."""
    rows, columns = argument.shape
    i, j = (Symbol(name, integer=True, nonnegative=True) for name in ("i′", "j′"))
    if columns == 1 or rows == 1:
        size = rows if columns == 1 else columns
        entry = _entry(argument, i, S.Zero) if columns == 1 else _entry(argument, S.Zero, i)
        return EntryFormula.of(size, size, i, j, KroneckerDelta(i, j) * entry)
    if (rows - columns).expand() != 0:  # type: ignore[operator]
        raise ShapeError("the diagonal of a matrix that is not square", sides=(rows, columns))
    return EntryFormula.of(rows, S.One, i, j, _entry(argument, i, i))


def _trace(argument: Node) -> Node:
    rows, columns = argument.shape
    if (rows - columns).expand() != 0:  # type: ignore[operator]
        raise ShapeError("the trace of a matrix that is not square", sides=(rows, columns))
    i, j, k = (Symbol(name, integer=True, nonnegative=True) for name in ("i′", "j′", "k′"))
    return EntryFormula.of(S.One, S.One, i, j, Sum(_entry(argument, k, k), (k, 0, rows - 1)))


def _entry(node: Node, i: Any, j: Any) -> Expr:
    return Entry(node, i, j) if isinstance(node, (Letter, Operation)) else node.entry(i, j)  # type: ignore[return-value]
