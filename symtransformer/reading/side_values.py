"""Numbers, lists and matrices of one side: how they are multiplied, divided and added, with the sizes that must fit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from sympy import Expr, ImmutableDenseMatrix, Integer, S

from symtransformer.errors import LimitExceeded, NotSupported, ShapeError, UnreadableInput
from symtransformer.node import Node
from symtransformer.operations.addition import Addition
from symtransformer.operations.entry_division import EntryDivision
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.mask import Mask
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_sum import Broadcast
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.transpose import Transpose
from symtransformer.reading.numbers import NumberError
from symtransformer.reading.problems import ReadingError, ReadingShapeError, Span, quoted
from symtransformer.reading.side_numbers import product, quotient, total
from symtransformer.symbols import Literal


@dataclass(slots=True)
class Part:
    """factor times node, not yet put together; a number alone where there is no node.

    `listed`: a flat list, or made of one, which may be turned where it does not fit. `form` says how it was written.
    """

    factor: Any
    node: Any
    start: int
    end: int
    listed: bool = False
    form: str = ""
    name: str = ""
    is_mask: bool = False
    cells: Any = None  # where the entries of an explicit matrix stand
    open: str = ""  # ones whose size is not told yet
    other: Any = None  # what it is if it is no number but a matrix: p p^T for p^T p


class Values:
    """What the signs between parts mean; every refusal points at the part that does not fit."""

    text: str

    def refuse(self, part: Any, code: str, message: str) -> ReadingError:
        return ReadingError(self.text, Span(part.start, part.end), code, message)

    # -- one part ---------------------------------------------------------------------------------------------------
    def value(self, part: Part) -> Any:
        """Its node, or its number."""
        if part.open:
            raise self.unknown_ones(part)
        if part.node is None:
            return part.factor
        if part.factor is not S.One:
            if part.other is not None:
                part.other = self.scaled(part, part.other, part.factor, S.One)
            part.node, part.factor = self.scaled(part, part.node, part.factor, S.One), S.One
        return part.node

    def node(self, part: Part) -> Node:
        """Its node; a number as a matrix of one entry."""
        value = self.value(part)
        return value if isinstance(value, Node) else self.literal(part, [[value]])  # type: ignore[return-value]

    def number(self, part: Part, what: str = "a number is needed here") -> Expr:
        if part.node is not None or part.open:
            raise self.refuse(part, "matrix", what)
        self.finite(part)
        return part.factor  # type: ignore[no-any-return]

    def unknown_ones(self, part: Part) -> ReadingError:
        return self.refuse(part, "ones", "a bold 1 is of ones, and how many they are is not told")

    def finite(self, part: Part) -> None:
        if part.node is None and part.factor in (S.Infinity, S.NegativeInfinity):
            raise self.refuse(part, "infinity", "∞ can only be an entry of a matrix, or stand alone")

    def literal(self, part: Part, rows: list[list[Any]]) -> Node:
        flat = [x for row in rows for x in row]
        return self.made(part, lambda: Literal(ImmutableDenseMatrix(len(rows), len(rows[0]), flat)))

    def made(self, part: Any, make: Any) -> Any:
        try:
            return make()
        except NumberError as error:
            raise self.refuse(part, error.code, str(error)) from None
        except ShapeError as error:
            raise self.unfitting(part, str(error)) from None
        except (UnreadableInput, NotSupported, LimitExceeded) as error:
            raise self.refuse(part, "refused", str(error).partition("\n")[0]) from None

    def unfitting(self, part: Any, message: str) -> ReadingError:
        return ReadingShapeError(self.text, Span(part.start, part.end), "shapes", message)

    def sized(self, part: Part, node: Node) -> str:
        shown = quoted(self.text[part.start : part.end])[1:-1]
        return f"{shown} is {node.shape[0]} x {node.shape[1]}"

    def scaled(self, part: Part, node: Node, factor: Any, divisor: Any) -> Any:
        if factor is S.One and divisor is S.One:
            return node
        self.finite(Part(factor, None, part.start, part.end))
        return self.made(part, lambda: Scaling(node, factor, divisor))

    # -- products ---------------------------------------------------------------------------------------------------
    def times(self, sign: str, left: Part, right: Part) -> None:
        """left becomes left times right; numbers in front stay in front, as they are written."""
        if right.node is None:
            self.finite(right)
            self.finite(left)
            if left.node is None:
                left.factor = self.made(right, lambda: product(left.factor, right.factor))
            else:
                left.node, left.factor = self.scaled(left, self.value(left), right.factor, S.One), S.One
            return
        right_node = self.value(right)
        if left.node is None:
            self.finite(left)
            left.node, left.listed, left.other = right_node, right.listed, None
            return
        a = left.node
        both = left.listed and right.listed
        left.node, left.listed = self.product(sign, left, right, a, right_node)
        left.other = outer(a, right_node, left.node, both)
        left.form = "product"

    def product(self, sign: str, left: Part, right: Part, a: Node, b: Node) -> tuple[Node, bool]:
        """The product of two nodes, lists turned where they do not fit otherwise; and whether that is a list."""
        (n, m), (p, q) = shape(a), shape(b)
        if ((n, m) == (1, 1) or (p, q) == (1, 1)) and (sign != "@" or m == p):
            return self._times_one(a, b, right), (left.listed or right.listed)
        if 1 in (n, m) and 1 in (p, q):
            return self._vectors(sign, left, right, a, b), False
        if m != p and left.listed and n == p:
            return Product(Transpose(a), b), True
        if m != p and right.listed and m == q:
            return Product(a, Transpose(b)), True
        if m != p and sign == "*" and (n, m) == (p, q):
            return Hadamard(a, b), False  # as NumPy means it, where no other meaning fits
        if m != p:
            sizes = f"{self.sized(left, a)}, {self.sized(right, b)}; {m} and {p} must be equal"
            raise self.unfitting(Part(0, None, left.start, right.end), sizes)
        return Product(a, b), (left.listed and n == 1) or (right.listed and q == 1)

    def _times_one(self, a: Node, b: Node, place: Part) -> Node:
        """A matrix times a number that is a node."""
        (n, m), (p, q) = shape(a), shape(b)
        if m == p:
            return Product(a, b)
        if q == n:
            return Product(b, a)
        one, other = (a, b) if (n, m) == (1, 1) else (b, a)
        return Hadamard(spread(one, *shape(other)), other) if one is a else Hadamard(other, spread(one, *shape(other)))

    def _vectors(self, sign: str, left: Part, right: Part, a: Node, b: Node) -> Node:
        """A row or column times a row or column: the inner product for a dot, and where row meets column."""
        (n, m), (p, q) = shape(a), shape(b)
        at = Part(0, None, left.start, right.end)
        same_way = (n == 1) == (p == 1)
        both = left.listed and right.listed
        if n == 1 and q == 1 and m == p:
            return Product(a, b)
        if max(n, m) == max(p, q):
            inner = sign == "." or (sign == "@" and (both or n == 1))
            inner = inner or (left.form == "product" and right.listed and n == 1)  # x^T W x
            if same_way and inner:
                return Product(a, Transpose(b)) if n == 1 else Product(Transpose(a), b)
            if isinstance(a, Transpose) and both and n > 1 and not same_way:  # q^T k of two lists
                return Product(a.args[0], Transpose(b))  # type: ignore[arg-type]
            if same_way or left.listed or right.listed or sign == ".":
                message = "two vectors: an inner product is written with ·, another one with its name"
                raise self.refuse(at, "vectors", message)
        if m == p:  # a column times a row
            return Product(a, b)
        if both and isinstance(b, Transpose) and not isinstance(a, Transpose):  # u v^T of two lists
            return Product(Transpose(a), b.args[0])  # type: ignore[arg-type]
        raise self.unfitting(at, f"{self.sized(left, a)}, {self.sized(right, b)}; they do not fit together")

    def entrywise(self, sign: str, left: Part, right: Part) -> Part:
        """left ⊙ right, or left ⊘ right."""
        if left.node is None or right.node is None:
            raise self.refuse(left if left.node is None else right, "number", "a matrix is needed here, entry by entry")
        a, b = self.node(left), self.node(right)
        if shape(a)[0] == 1 != shape(b)[0]:  # a row of gains beside a matrix is for every row
            a = self._of_every_row(a, *shape(b))
        elif shape(b)[0] == 1 != shape(a)[0]:
            b = self._of_every_row(b, *shape(a))
        a, b = _repeated(a, b), _repeated(b, a)
        a, b, listed = self.alike(left, right, a, b)
        return Part(S.One, Hadamard(a, b) if sign == "o" else EntryDivision(a, b), left.start, right.end, listed)

    def divided(self, left: Part, right: Part) -> None:
        """left becomes left / right."""
        if right.node is None:
            self.finite(right)
            self.finite(left)
            if left.node is None:
                left.factor = self.made(right, lambda: quotient(left.factor, right.factor))
            else:
                if right.factor.is_zero:
                    raise self.refuse(right, "division_by_zero", "a division by 0")
                left.node = self.scaled(left, left.node, left.factor, right.factor)
                left.factor, left.other = S.One, None
            return
        below = self.value(right)
        above, left.other = self.node(left), None
        rows = shape(above)[0]
        if shape(below) == (1, 1) and rows > 1:
            below = Product(Ones(Integer(rows), S.One), below)
        if 1 in shape(below) and (shape(below) == shape(above) != (rows, 1) or shape(above) == (1, 1)):
            above = above if shape(above) == shape(below) else spread(above, *shape(below))
            left.node, left.factor, left.listed = EntryDivision(above, below), S.One, left.listed or right.listed
            return  # of two lists, entry by entry
        if shape(below) != (rows, 1):
            sizes = f"{self.sized(left, above)}, {self.sized(right, below)}"
            raise self.unfitting(Part(0, None, left.start, right.end), f"{sizes}; only a number divides")
        left.node, left.factor = RowDivision(above, below), S.One

    # -- sums -------------------------------------------------------------------------------------------------------
    def added(self, left: Part, right: Part, sign: str = "+") -> Part:
        if left.node is None and right.node is None:
            infinite = [part for part in (left, right) if part.factor in (S.Infinity, S.NegativeInfinity)]
            if len(infinite) == 1 and not left.factor.free_symbols and not right.factor.free_symbols:
                return Part(infinite[0].factor, None, left.start, right.end, form="sum")  # 1 - ∞
            self.finite(left)
            self.finite(right)
            factor = self.made(right, lambda: total(left.factor, right.factor))
            return Part(factor, None, left.start, right.end, form="sum")
        if right.node is not None and left.node is not None and _BIAS.fullmatch(right.name):
            right.node = self._of_every_row(right.node, *shape(left.node))
        a, b = self.node(left), self.node(right)
        if left.other is not None and shape(a) != shape(b) == shape(left.other) != (1, 1):
            a = left.other
        if right.other is not None and shape(b) != shape(a) == shape(right.other) != (1, 1):
            b = right.other
        a, b = self._both_as_wide(left, right, a, b)
        a, b = _repeated(a, b), _repeated(b, a)
        a, b, listed = self.alike(left, right, a, b)
        if sign == "+" and (right.is_mask or left.is_mask):
            node: Node = Mask(a, b) if right.is_mask else Mask(b, a)
        else:
            node = Addition(a, b)
        return Part(S.One, node, left.start, right.end, listed, "sum")

    def _both_as_wide(self, left: Part, right: Part, a: Node, b: Node) -> tuple[Node, Node]:
        """x - mean(x): a number beside a vector goes to each of its entries; beside a matrix it has no single reading."""
        for odd, one, other in ((left, a, b), (right, b, a)):
            rows, columns = shape(other)
            if shape(one) != (1, 1) or rows == columns == 1:
                continue
            if 1 not in (rows, columns):
                message = "a number and a matrix are not added"
                if (
                    odd is right and left.cells is not None
                ):  # 1 - A, and a name, may be meant entry by entry as in NumPy
                    raise self.unfitting(odd, f"{message}: {self.sized(left, other)}")
                raise self.refuse(odd, "number_and_matrix", message)
            odd.listed = (right if odd is left else left).listed
            return (spread(one, rows, columns), b) if odd is left else (a, spread(one, rows, columns))
        return a, b

    def _of_every_row(self, bias: Node, rows: int, columns: int) -> Node:
        """A bias beside a matrix of more than one row is added to each."""
        if rows > 1 and shape(bias) == (1, columns):
            return Product(Ones(Integer(rows), S.One), bias)
        if rows > 1 and columns > 1 and shape(bias) == (columns, 1) and rows != columns:
            return Product(Ones(Integer(rows), S.One), Transpose(bias))
        return bias

    def alike(self, left: Part, right: Part, a: Node, b: Node) -> tuple[Node, Node, bool]:
        """Both in one size, a list turned where that is needed."""
        (n, m), (p, q) = shape(a), shape(b)
        if (n, m) == (q, p) != (p, q) and 1 in (n, m):
            turn_left = left.listed and (not right.listed or m == 1)  # of two lists the one that lies as a column
            if turn_left:
                a = Transpose(a)
            elif right.listed:
                b = Transpose(b)
        if shape(a) != shape(b):
            sizes = f"{self.sized(left, a)}, {self.sized(right, b)}; both must be equal"
            raise self.unfitting(Part(0, None, left.start, right.end), sizes)
        return a, b, left.listed and right.listed


_BIAS = re.compile(r"b|b_[A-Za-z0-9]+|b[0-9]|beta")


def _repeated(column: Node, beside: Node) -> Node:
    """A column beside a matrix, once for each of its columns: X - mu."""
    (rows, columns), (n, m) = shape(column), shape(beside)
    return Broadcast(column, Integer(m)) if columns == 1 < m and rows == n > 1 else column


def outer(a: Node, b: Node, inner: Node, listed: bool) -> Node | None:
    """The matrix a b^T where it was read as the inner product of two lists, as a^T b is one of columns."""
    if shape(inner) != (1, 1):
        return None
    if shape(a)[1] == shape(b)[0] == 1 < shape(a)[0]:
        return Product(a, b)
    if listed and isinstance(b, Transpose) and shape(b)[1] == 1 < shape(b)[0] and not isinstance(a, Transpose):
        return Product(Transpose(a), Transpose(b))
    return None


def shape(node: Node) -> tuple[int, int]:
    rows, columns = node.shape
    return int(rows), int(columns)  # type: ignore[call-overload]


def spread(one: Node, rows: int, columns: int) -> Node:
    """A number as a matrix of equal entries."""
    if shape(one) == (1, columns):
        return Product(Ones(Integer(rows), S.One), one) if rows > 1 else one
    row = one if columns == 1 else Broadcast(one, Integer(columns))
    return row if rows == 1 else Product(Ones(Integer(rows), S.One), row)
