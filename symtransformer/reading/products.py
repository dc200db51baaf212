"""Products and sums: what numbers in front scale, what a bias and a mask mean in a sum."""

from __future__ import annotations

from typing import Any

from sympy import Expr, S

from symtransformer.node import Node
from symtransformer.operation import REGISTRY
from symtransformer.reading import numbers, syntax
from symtransformer.reading.elaboration import Elaboration, Value
from symtransformer.reading.problems import Span
from symtransformer.reading.sizes import is_one
from symtransformer.reading.vocabulary import MASKS, is_bias_name, is_vector_name


class Calculation(Elaboration):
    """One pass over the lines of a text, with the rules of + - * @ / and ⊙."""

    # -- products ----------------------------------------------------------------------------------------------------
    def _chain(self, place: syntax.Chain) -> Value:
        return self.chained(place, place.factors, S.One)

    def _fraction(self, place: syntax.Fraction) -> Value:
        above, sign = place.above, S.One
        if isinstance(above, syntax.Sum) and len(above.terms) == 1:
            sign, above = S.NegativeOne, above.terms[0][1]
        inner = above.factors if isinstance(above, syntax.Chain) else (("", above),)
        return self.chained(place, (*inner, ("/", place.below)), sign)

    def chained(self, place: syntax.Syntax, factors: tuple[tuple[str, syntax.Syntax], ...], factor: Expr) -> Value:
        """From left to right; the numbers in front scale the whole product up to a division."""
        matrix: Any = None
        whole = place
        before = ""
        for k, (sign, part) in enumerate(factors):
            self._check_juxtaposed(factors, k, before)
            whole = syntax.Syntax(factors[0][1].span.to(part.span))
            value = self._ones_or(part, factors[k + 1 :])
            before = sign
            if value in (S.Infinity, S.NegativeInfinity):
                raise self.refuse(part, "infinity", "∞ can only be an entry of a matrix")
            if sign == "/":
                if matrix is None and not isinstance(value, Node):
                    factor = self._counted(whole, numbers.quotient, factor, value)
                elif matrix is None:
                    raise self.refuse(part, "matrix", "a number cannot be divided by a matrix")
                elif isinstance(value, Node):
                    matrix = self._scaled(whole, matrix, factor, S.One)
                    matrix, factor = self.apply(whole, REGISTRY["RowDivision"], (whole, matrix), (part, value)), S.One
                else:
                    matrix, factor = self._scaled(whole, matrix, factor, value), S.One
            elif isinstance(value, Node):
                matrix = value if matrix is None else self._times(whole, factors[k - 1][1], part, matrix, value)
            elif matrix is None:
                factor = self._counted(whole, numbers.product, factor, value)
            else:
                matrix, factor = self._scaled(whole, self._scaled(whole, matrix, factor, S.One), value, S.One), S.One
        return factor if matrix is None else self._scaled(whole, matrix, factor, S.One)

    def _check_juxtaposed(self, factors: Any, k: int, before: str) -> None:
        sign, part = factors[k]
        if k == 0 or sign:
            return
        if before == "/":
            raise self.refuse(part, "after_slash", "what stands below the / is not clear; use brackets, or * after it")
        previous = factors[k - 1][1]
        mixed = isinstance(previous, syntax.Number) and isinstance(part, syntax.Fraction)
        if isinstance(part, syntax.Number) or (mixed and isinstance(part.above, syntax.Number)):  # type: ignore[attr-defined]
            raise self.refuse(part, "number_after", "a number after something without a sign; write * between them")

    def _ones_or(self, part: syntax.Syntax, rest: Any) -> Value:
        """1 b^T: a column of ones, which repeats the row."""
        if isinstance(part, syntax.Number) and part.text == "1" and rest and not rest[0][0]:
            following = rest[0][1]
            of_matrix = isinstance(following, (syntax.Transposed, syntax.Call, syntax.OnesColumn))
            if of_matrix or (isinstance(following, syntax.Name) and following.name not in self.scalars):
                return self._onescolumn(syntax.OnesColumn(part.span))
        return self.value(part)

    def _scaled(self, place: syntax.Syntax, matrix: Node, factor: Expr, divisor: Expr) -> Node:
        if factor == 1 and divisor == 1:
            return matrix
        return self.apply(place, lambda m: REGISTRY["Scaling"](m, factor, divisor), (place, matrix))  # type: ignore[no-any-return]

    def _times(self, whole: Any, at_left: Any, at_right: Any, left: Node, right: Node) -> Node:
        if not self.final:
            outer = isinstance(at_right, syntax.Transposed) and at_right.times == 1 and isinstance(at_left, syntax.Name)
            if outer and self._is_free_vector(at_left) and self._is_free_vector(at_right):
                names = f"{at_left.name} and {at_right.argument.name}"  # type: ignore[union-attr]
                message = f"a number if {names} are rows, a matrix if they are columns; give their sizes, as in x: 1 d or x: n 1"
                raise self.refuse(whole, "vectors", message)
            is_bias = (
                isinstance(at_right, syntax.Name) and at_right.name not in self.given and self._is_bias(at_right.name)
            )
            if is_bias or self._is_free_vector(at_right):  # W x: a small letter on the right is a column
                self.sizes.make_equal(right.shape[1], S.One)
            if self._is_free_vector(at_left) and at_left.span.start == whole.span.start:  # x W: on the left, a row
                self.sizes.make_equal(left.shape[0], S.One)
        at = syntax.Syntax(Span(whole.span.start, at_left.span.end))
        return self.apply(whole, REGISTRY["Product"], (at, left), (at_right, right))  # type: ignore[no-any-return]

    def _is_free_vector(self, place: syntax.Syntax) -> bool:
        while isinstance(place, syntax.Transposed):
            place = place.argument
        own = isinstance(place, syntax.Name) and is_vector_name(place.name)
        return own and not any(place.name in known for known in (self.given, self.lines, self.plain))  # type: ignore[attr-defined]

    # -- sums ----------------------------------------------------------------------------------------------------------
    def _entrywise(self, place: syntax.Entrywise) -> Value:
        operation = REGISTRY["EntryDivision" if place.divided else "Hadamard"]
        result = self.matrix(place.factors[0])
        for k, part in enumerate(place.factors[1:]):
            at = syntax.Syntax(place.factors[0].span.to(place.factors[k].span))
            result = self.apply(place, operation, (at, result), (part, self.matrix(part)))
        return result

    def _sum(self, place: syntax.Sum) -> Value:
        parts = [(part, self._signed(sign, part), sign) for sign, part in place.terms]
        kinds = {isinstance(value, Node) for _, value, _ in parts}
        if len(kinds) > 1:
            odd = next(part for part, value, _ in parts if isinstance(value, Node) != isinstance(parts[0][1], Node))
            raise self.refuse(odd, "number_and_matrix", "a number and a matrix are not added")
        total = parts[0][1]
        if not kinds.pop():
            for _, value, _ in parts[1:]:
                total = self._counted(place, numbers.total, total, value)
            return total
        if len(parts) > 1:
            self._repeat_biases(place, parts)
            total = parts[0][1]
        for k, (part, value, sign) in enumerate(parts[1:]):
            at = syntax.Syntax(parts[0][0].span.to(parts[k][0].span))
            ordered = [(at, total), (part, value)]
            masked = [sign == "+" and self.is_mask(part), k == 0 and self.is_mask(parts[0][0])]
            if masked == [False, True]:
                ordered.reverse()
            total = self.apply(place, REGISTRY["Mask" if any(masked) else "Addition"], *ordered)
        return total

    def _signed(self, sign: str, part: syntax.Syntax) -> Value:
        """A minus goes to the number in front: -2 A is (-2) times A, and -A / 2 is -1 times A over 2."""
        if sign == "+":
            return self.value(part)
        if isinstance(part, syntax.Infinity):
            return S.NegativeInfinity
        if isinstance(part, syntax.Fraction) and not isinstance(part.above, syntax.Sum):
            return self.chained(part, (("", part),), S.NegativeOne)
        factors = part.factors if isinstance(part, syntax.Chain) else (("", part),)
        return self.chained(part, factors, S.NegativeOne)

    def is_mask(self, part: syntax.Syntax) -> bool:
        """Scores + mask: the mask is an operation that makes one, or a letter whose entries are 0 and −∞."""
        if isinstance(part, syntax.Grouped):
            return self.is_mask(part.inner)
        if isinstance(part, syntax.Name):
            return part.name in self.masks
        if isinstance(part, syntax.Given):
            return any(
                isinstance(s, syntax.Infinity)
                for row in part.rows
                for cell in getattr(row, "rows", ())
                for s in _inside(cell)
            )
        return isinstance(part, syntax.Call) and getattr(self._operation(part), "__name__", "") in MASKS

    def _repeat_biases(self, place: syntax.Sum, parts: list[Any]) -> None:
        """X W + b: a bias, whose name is b, is a column and is added to every row."""
        biases = [
            k for k, (part, _, _) in enumerate(parts) if isinstance(part, syntax.Name) and self._is_bias(part.name)
        ]
        if not biases or len(biases) == len(parts):
            return
        others = [value for k, (_, value, _) in enumerate(parts) if k not in biases]
        of_columns = any(is_one(self.sizes.resolved(value.shape[1])) for value in others)
        if self.added_as_columns.setdefault(place.span, of_columns):  # decided once, in the first pass
            return  # a sum of columns
        for k in biases:
            part, value, sign = parts[k]
            column = part.name not in self.given or is_one(self.given[part.name][1])
            letter = self.value(part)
            row = self.apply(part, REGISTRY["Transpose"], (part, letter)) if column else letter
            ones = self._onescolumn(syntax.OnesColumn(part.span))
            if column and not self.final:
                self.sizes.make_equal(letter.shape[1], S.One)
            value = self.apply(part, REGISTRY["Product"], (part, ones), (part, row))
            parts[k] = (part, value if sign == "+" else self._scaled(part, value, S.NegativeOne, S.One), sign)

    def _is_bias(self, name: str) -> bool:
        if not is_bias_name(name) or name in self.lines or name in self.plain:
            return False
        return name not in self.given or any(map(is_one, self.given[name]))


def _inside(cell: syntax.Syntax) -> list[syntax.Syntax]:
    return [part for _, part in cell.terms] if isinstance(cell, syntax.Sum) else [cell]
