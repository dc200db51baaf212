"""Powers, transposes, norms and inner products in angle brackets."""

from __future__ import annotations

from typing import Any

from sympy import Abs, Expr, Integer, Mul, Pow, Rational, S

from symtransformer.node import Node
from symtransformer.operations.concatenation import ColumnSlice
from symtransformer.operations.exponential import Exponential
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.product import Product
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.rows import Row
from symtransformer.operations.square_root import SquareRoot
from symtransformer.operations.transpose import Transpose
from symtransformer.reading import numbers
from symtransformer.reading.limits import POWER
from symtransformer.reading.numbers import NumberError
from symtransformer.reading.side_cursor import Position
from symtransformer.reading.side_values import Part, shape

HALF = Rational(1, 2)
ROOT_OF_A_POWER = 1000  # 10000^{-2/d} for models of so many components


def _is_entry(node: Node) -> bool:
    """Of a matrix, by two indices."""
    row = node.args[0] if isinstance(node, ColumnSlice) else None
    return isinstance(row, Row) and shape(node) == (1, 1) and min(shape(row.args[0])) > 1


class Powers(Position):
    """What stands above the line."""

    is_latex: bool
    bars: int
    sum: Any
    atom: Any

    def transposed(self, part: Part) -> Part:
        token = self.token()
        self.i += 1
        if part.open:
            return self.turned_ones(part, token.end)
        if part.node is None:
            raise self.refuse(token, "matrix", "a number has no transpose")
        if _is_entry(part.node):
            message = "T above an entry: is it one of the transposed matrix, (A^T)_ij, or this one? write the one that is meant"
            raise self.refuse(token, "ambiguous", message)
        node = Transpose(self.value(part))
        return Part(S.One, node, part.start, token.end, part.listed, "group")

    def power(self, base: Part) -> Part:
        """base to the power that follows."""
        sign = self.token()
        self.i += 1
        bare = False
        if sign.kind == "raised":
            digits = sign.text.lstrip("+-")
            if not digits.isdigit() or len(digits) > 3:
                raise self.refuse(sign, "exponent", "a whole exponent of at most three digits belongs here")
            exponent = Part(Integer(int(sign.text)), None, sign.start, sign.end)
        else:
            if self._is_degree():
                return self.degrees(base)
            exponent, bare = self._exponent(base.node is not None, bool(base.name))
        if exponent.node is None and exponent.form != "e" and base.form != "e":
            self.finite(exponent)
        made = self.raised(base, exponent)
        made.start, made.end = base.start, exponent.end
        made.form = "bare" if bare and (base.form in ("e", "number") or exponent.form != "number") else "group"
        return made

    def _is_degree(self) -> bool:
        """^\\circ or ^{\\circ}."""
        kinds = [t.kind for t in self.tokens[self.i : self.i + 3]]
        return kinds[:1] == ["o"] or kinds == ["{", "o", "}"]

    def degrees(self, angle: Part) -> Part:
        """30 degrees are π/6."""
        token = self.token()
        if angle.form != "number":
            raise self.refuse(token, "degrees", "degrees stand behind a number")
        self.i += 3 if token.kind == "{" else 1
        end = self.tokens[self.i - 1].end
        return Part(self.made(token, lambda: angle.factor * S.Pi / 180), None, angle.start, end, form="group")

    def _exponent(self, is_matrix: bool, is_name: bool) -> tuple[Part, bool]:
        token = self.token()
        if token.kind in ("{", "("):
            kinds = [t.kind for t in self.tokens[self.i : self.i + 5]]
            if (token.kind == "{" and (is_matrix or is_name) and kinds == ["{", "(", "number", ")", "}"]) or (is_matrix and kinds[:3] == ["(", "number", ")"]):  # fmt: skip
                message = "a number in brackets above is an index, of a head or a layer; a power has no brackets"
                raise self.refuse(token, "index", message)
            return self.atom(), False
        negative = token.kind == "-"
        if negative and self.is_latex:
            raise self.refuse(token, "braces", "in LaTeX an exponent of more than one sign belongs in braces")
        self.i += negative
        token = self.token()
        if token.kind not in ("number", "word", "greek", "upright", "infinity", "root"):
            raise self.refuse(token, "exponent", "an exponent belongs here, in brackets if it is more than one sign")
        if self.is_latex and token.kind in ("number", "word") and len(token.text) > 1:
            raise self.refuse(token, "braces", "in LaTeX an exponent of more than one sign belongs in braces")
        part = self.atom()
        if negative:
            if part.node is not None:
                part.factor = S.NegativeOne
                self.value(part)
            else:
                part.factor = self.negated(part.factor)
        return part, True

    def negated(self, number: Expr) -> Expr:
        return Mul(S.NegativeOne, number, evaluate=False) if number.free_symbols else -number

    def raised(self, base: Part, exponent: Part) -> Part:
        if base.form == "e":
            node = self.node(exponent)
            rows, columns = shape(node)
            if rows == columns != 1:
                raise self.refuse(
                    exponent, "exponent", "a power of e with a square matrix; write exp(...) entry by entry"
                )
            return Part(S.One, Exponential(node), 0, 0, exponent.listed)
        if exponent.node is not None:
            raise self.refuse(exponent, "exponent", "an exponent is a number here; for powers of e write e^{...}")
        count = exponent.factor
        if base.node is None:
            self.finite(base)
            return Part(self.made(exponent, lambda: number_power(base.factor, count)), None, 0, 0)
        return self._node_power(base, exponent, self.value(base), count)

    def _node_power(self, base: Part, exponent: Part, node: Node, count: Expr) -> Part:
        rows, columns = shape(node)
        if count in (HALF, -HALF) and (rows == columns == 1):
            root = SquareRoot(node)
            return Part(S.One, root if count == HALF else RowDivision(self.node(Part(S.One, None, 0, 0)), root), 0, 0)
        if count == -1 and rows == columns == 1:
            return Part(S.One, RowDivision(self.node(Part(S.One, None, 0, 0)), node), 0, 0)
        if not count.is_Integer or not 1 <= int(count) <= POWER:  # type: ignore[call-overload]
            what = (
                "the inverse of a matrix is no operation here" if count == -1 else f"a matrix has powers 1 to {POWER}"
            )
            raise self.refuse(exponent, "exponent", what)
        if "_" in base.name and not rows == columns == 1:
            raise self.refuse(exponent, "index", f"{count} above {base.name[:40]} could be an index; use brackets")
        entrywise = rows != columns and 1 in (rows, columns)
        if rows != columns and not entrywise:
            raise self.unfitting(base, f"{self.sized(base, node)}; only a square matrix has powers")
        made = node
        for _ in range(int(count) - 1):  # type: ignore[call-overload]
            made = Hadamard(made, node) if entrywise else Product(made, node)
        return Part(S.One, made, 0, 0, base.listed)

    def norm(self) -> Part:
        """|x|: the length of a vector, the absolute value of a number; ‖x‖ likewise."""
        start = self.take("|")
        doubled = self.kind == "|" and self.token().tight and self.token().text == start.text == "|"
        self.i += doubled
        self.bars += 1
        part = self.sum()
        end = self.take("|")
        if doubled:
            end = self.take("|")
        self.bars -= 1
        self._only_of_two()
        made = self.length(part)
        made.start, made.end, made.form = start.start, end.end, "group"
        return made

    def _only_of_two(self) -> None:
        if self.kind == "low":
            if self.token().text != "2":
                raise self.refuse(self.token(), "subscript", "only the Euclidean norm is read")
            self.i += 1

    def length(self, part: Part) -> Part:
        if part.node is None:
            self.finite(part)
            return Part(Abs(part.factor), None, part.start, part.end)
        node = self.value(part)
        rows, columns = shape(node)
        if 1 not in (rows, columns):
            message = "bars around a matrix could be a determinant or one of several norms"
            raise self.refuse(part, "matrix", message)
        squares = Product(node, Transpose(node)) if rows == 1 else Product(Transpose(node), node)
        return Part(S.One, SquareRoot(squares), part.start, part.end)

    def bracketed_pair(self) -> Part:
        """⟨q, k⟩: the inner product."""
        start = self.take("<")
        left = self.sum()
        self.take(",")
        right = self.sum()
        end = self.take(">")
        a, b = self.value(left), self.value(right)
        if not isinstance(a, Node) or not isinstance(b, Node):
            raise self.refuse(start, "matrix", "an inner product is of two vectors")
        node, _ = self.product(".", left, right, a, b)
        return Part(S.One, node, start.start, end.end, form="group")


def number_power(base: Expr, exponent: Expr) -> Expr:
    if exponent in (HALF, -HALF):
        value = numbers.root(base)
        return value if exponent == HALF else numbers.quotient(S.One, value)  # type: ignore[no-any-return]
    if base.free_symbols and exponent.is_Integer and abs(int(exponent)) <= POWER:  # type: ignore[call-overload]
        return Pow(base, exponent, evaluate=False)
    if exponent.is_Rational and not exponent.is_Integer and base.is_Rational and base.is_positive:
        above, below = int(exponent.p), int(exponent.q)  # type: ignore[attr-defined]
        if below > ROOT_OF_A_POWER:
            raise NumberError("exponent", f"an exponent is a fraction with at most {ROOT_OF_A_POWER} below the line")
        if abs(above) <= POWER:
            return Pow(numbers.power(base, Integer(above)), Rational(1, below))
        whole, rest = divmod(above, below)
        return Mul(numbers.power(base, Integer(whole)), Pow(base, Rational(rest, below)))
    if exponent.free_symbols:
        raise NumberError("exponent", "the exponent of a number must be a whole number that is written")
    return numbers.power(base, exponent)
