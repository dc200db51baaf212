"""Lines about the derivative of an entry by an entry, or of a row by a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sympy import S, Symbol

from symtransformer.claims.definitions import Definitions
from symtransformer.claims.jacobians import Jacobian
from symtransformer.claims.lines import Line
from symtransformer.claims.sides import most_telling, shape_of
from symtransformer.errors import UnreadableInput
from symtransformer.reading import ReadingError
from symtransformer.reading.index_formulas import HABITS, IndexFormula
from symtransformer.reading.index_ranges import Ranges, symbol_of
from symtransformer.reading.index_syntax import Named, Part
from symtransformer.symbols import Letter


class JacobianLines(Definitions):
    """Reads such a line in every way that fits."""

    def jacobians(self, line: Line, above: Named, below: Named) -> list[Jacobian]:
        """Of one entry by another, or of a row by a row: then the right side is a matrix, above in its rows."""
        right = self.parsed(line.right)
        free = {x: x for x in (*above.indices, *below.indices) if not x.isdigit()}
        for name in (above, below):
            if not isinstance(self.nodes.get(name.name), Letter):
                raise self.whole.refuse(name.span, "unknown_name", f"{name.name} is neither a letter nor a step here")
        unused = iter(x for x in "abcdefgh" if x not in free and x not in self.numbers)
        whole = [self._with_all_indices(name, unused) for name in (above, below)]
        more = [x for name, old in zip(whole, (above, below), strict=True) for x in name.indices[len(old.indices) :]]
        made: list[Jacobian] = []
        errors: list[ReadingError] = []
        for habit in HABITS:
            try:
                made += self._jacobians_as(line, whole, more, right, free, habit)
            except ReadingError as error:
                errors.append(error)
        if not made:
            raise most_telling(errors)
        return [made[0], *(x for x in made[1:] if x.sides[1] is not made[0].sides[1])]

    def _with_all_indices(self, name: Named, unused: Iterator[str]) -> Named:
        rows, columns = self.nodes[name.name].shape
        is_row = len(name.indices) == 1 and rows != 1 and columns != 1
        return replace(name, indices=(*name.indices, next(unused))) if is_row else name

    def _jacobians_as(
        self, line: Line, names: list[Named], more: list[str], right: Part, free: dict[str, str], habit: str
    ) -> list[Jacobian]:
        ranges = Ranges(self.text, self.nodes, self.numbers, beginnings=self.beginnings)
        apart = ranges.bound_apart(right, free, [0])
        ranges.find(*names, apart)
        symbols: dict[str, Symbol] = {}
        value = IndexFormula(ranges, habit, symbols).value(apart)
        own = [symbol_of(x, symbols) for x in more]
        sizes = [ranges.sizes[x] for x in more]
        layouts = [""]
        formulas = [value.number] if value.is_number and not more else []
        if len(more) == 1 and not value.is_number and 1 in shape_of(value) and sizes[0] in shape_of(value):
            formulas = [value.at(S.Zero, own[0]) if value.rows == 1 else value.at(own[0], S.Zero)]
        if len(more) == 2:
            orders = [own] * (list(shape_of(value)) == sizes) + [own[::-1]] * (list(shape_of(value)) == sizes[::-1])
            formulas = [value.at(*order) for order in orders]
            layouts = ["rows" if order is own else "columns" for order in orders]
        if not formulas:
            wanted = " x ".join(map(str, sizes)) or "a number"
            message = f"the right side should be {wanted}, but is {' x '.join(map(str, shape_of(value)))}"
            raise self.whole.refuse(line.right, "index", message)
        try:
            upper, lower = (self.nodes[name.name] for name in names)
            made = [Jacobian.of(self.subject, upper, names[0].indices, lower, names[1].indices, x, symbols, ranges.sizes) for x in formulas]  # type: ignore[arg-type]  # fmt: skip
            return [replace(x, layout=layout) for x, layout in zip(made, layouts, strict=True)]
        except UnreadableInput as error:
            raise self.whole.refuse(line.left, "derivative", str(error)) from error
