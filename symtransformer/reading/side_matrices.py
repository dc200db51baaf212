r"""Lists, rows, matrices, their entries and rows by index, and sums over a counted letter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sympy import Integer, S

from symtransformer.node import Node
from symtransformer.operations.concatenation import ColumnSlice, Concatenation
from symtransformer.operations.row_concatenation import RowConcatenation
from symtransformer.operations.rows import Row, RowSlice
from symtransformer.reading.side_cursor import Position
from symtransformer.reading.side_names import Known, Spelled
from symtransformer.reading.side_tokens import Token
from symtransformer.reading.side_values import Part, shape
from symtransformer.scalars import GREEK
from symtransformer.symbols import MATRIX_ENTRIES_AT_MOST

_SLICE = re.compile(r"\s*:\s*,\s*([^,:]+(?::[^,:]+)?)\s*|\s*([^,:]+:[^,:]+)\s*,\s*:\s*")
_END_OF_SLICE = re.compile(r"\s*([0-9]{1,4})?\s*([A-Za-z]+(?:_[A-Za-z0-9]+)?)?\s*(?:\+\s*([0-9]{1,4}))?\s*")


class Matrices(Position):
    """Explicit matrices and what is taken out of matrices."""

    scope: Mapping[str, Known]
    bound: dict[str, int]
    ranges: dict[str, set[int]]
    sum: Any
    known: Any
    product_parts: Any
    chained: Any

    # -- explicit ones ------------------------------------------------------------------------------------------------
    def listing(self) -> Part:
        start = self.take("[")
        is_fence = self.kind == "begin"
        first = self.sum()
        if is_fence and self.kind == "]" and first.cells is not None and not first.listed:
            first.start, first.end = start.start, self.take("]").end  # brackets around an array are its own
            return first
        return self.rest_of_list(first, start, "]", close=True)

    def rest_of_list(self, first: Part, start: Token, closing: str, close: bool = False) -> Part:
        """[a, b] or (a, b): a flat list; [[a, b], [c, d]]: a matrix."""
        items = [first]
        while self.kind == ",":
            comma = self.token()
            self.i += 1
            if self.kind == closing:  # (1,)
                break
            self._check_comma(comma, items, closing)
            items.append(self.sum())
        end = self.take(closing) if close else self.token()
        nested = [item for item in items if item.cells is not None and len(item.cells) == 1 and item.listed]
        if nested and len(nested) == len(items) and closing == "]":
            self._check_rows(items, [shape(item.node)[1] for item in items])
            part = self._stacked(items, [item.cells[0] for item in items])
        else:
            part = self._of_rows([items])
            part.listed = True
        part.start, part.end = start.start, end.end
        return part

    def _check_comma(self, comma: Token, items: list[Part], closing: str) -> None:
        following = self.token()
        if comma.tight and following.tight and items[-1].form == "number" and following.kind == "number":
            text = following.text
            padded = len(text) > 1 and text[0] == "0" and text[1] != "."
            thirds = len(text) == 3 and text.isdigit() and (closing == ")" or items[-1].factor == 0) and len(items) == 1
            if padded or thirds:
                message = "a comma inside a number has no single reading; put a space behind a comma that parts two"
                raise self.refuse(comma, "comma", message)

    def _check_rows(self, places: list[Part], lengths: list[int]) -> None:
        for place, length in zip(places, lengths, strict=True):
            if length != lengths[0]:
                raise self.unfitting(place, f"row 1 has {lengths[0]} entries, and this one has {length}")

    def environment(self) -> Part:
        start = self.take("begin")
        rows: list[list[Part]] = [[]]
        while True:
            rows[-1].append(self.sum())
            if self.kind == "&":
                self.i += 1
            elif self.kind == "rowend":
                self.i += 1
                if self.kind == "end":
                    break
                rows.append([])
            else:
                break
        end = self.token()
        if end.kind != "end" or not end.text:
            raise self.unexpected("; the end of the matrix is missing")
        self.i += 1
        part = self._of_rows(rows)
        part.start, part.end = start.start, end.end
        return part

    def _of_rows(self, rows: list[list[Part]]) -> Part:
        """A matrix of what stands in its cells: numbers, or nodes of one entry."""
        self._check_rows([row[0] for row in rows], [len(row) for row in rows])
        if len(rows) * len(rows[0]) > MATRIX_ENTRIES_AT_MOST:
            raise self.refuse(rows[-1][-1], "too_large", f"a matrix of more than {MATRIX_ENTRIES_AT_MOST} entries")
        cells = [[(item.start, item.end) for item in row] for row in rows]
        place = Part(0, None, rows[0][0].start, rows[-1][-1].end)
        is_mask = False
        if all(item.node is None for row in rows for item in row):
            node = self.literal(place, [[item.factor for item in row] for row in rows])
            is_mask = any(item.factor is S.NegativeInfinity for row in rows for item in row)
        else:
            made = [Concatenation(*(self._entry(item) for item in row)) for row in rows]
            node = made[0] if len(made) == 1 else RowConcatenation(*made)
        return Part(S.One, node, place.start, place.end, False, "group", "", is_mask, cells)

    def _entry(self, item: Part) -> Node:
        node = self.node(item)
        if shape(node) != (1, 1):
            raise self.refuse(item, "matrix", "an entry of a matrix is a number")
        return node

    def _stacked(self, rows: list[Part], cells: Any) -> Part:
        if sum(map(len, cells)) > MATRIX_ENTRIES_AT_MOST:
            raise self.refuse(rows[-1], "too_large", f"a matrix of more than {MATRIX_ENTRIES_AT_MOST} entries")
        nodes = [row.node for row in rows]
        place = Part(0, None, rows[0].start, rows[-1].end)
        if all(hasattr(node, "matrix") for node in nodes):
            made = [list(n.matrix) for n in nodes]
            node = self.literal(place, made)
            is_mask = any(S.NegativeInfinity in row for row in made)
        else:
            node, is_mask = RowConcatenation(*nodes), False
        return Part(S.One, node, 0, 0, False, "group", "", is_mask, cells)

    # -- rows and entries by index --------------------------------------------------------------------------------------
    def entry_of_name(self, token: Token, name: Spelled) -> Part | None:
        """q_2: row 2 of Q, or entry 2 of a list q; a_{21}: an entry of A. None where no such matrix is defined."""
        assert name.index is not None
        end = self.tokens[name.index_end - 1].end
        place = Part(0, None, token.start, end)
        if name.base == "delta" and "delta" not in self.scope:
            return self._kronecker(place, name)
        base = name.base
        found = [n for n in name.wholes() if n in self.scope and (self.scope[n].shape is not None or name.marks)]
        if not found:
            return None
        if len(found) > 1:
            message = f"an entry of {found[0]} or a row of {found[1]}? both are defined"
            raise self.refuse(place, "ambiguous", message)
        start = self.i
        whole = self.scope[found[0]]
        rows, columns = whole.shape or (1, 1)
        indices = self._indices(name.index, rows, columns, place, whole.listed)
        if indices is None or (
            found[0] == base
            and base[0].isupper()
            and base not in GREEK
            and len(indices) == 1
            and 1 not in (rows, columns)
        ):
            return None
        self.i = name.index_end
        part = self.known(found[0], token.start, end)
        assert start < self.i
        node = part.node or self.literal(place, [[part.factor]])  # t^(1)_1 of a T_1 that is one number
        return Part(S.One, self.taken(place, node, indices), token.start, end, form="group")

    def entry_of_value(self, part: Part) -> Part:
        """softmax(x)_1: an entry of a row."""
        token = self.token()
        if part.node is not None and (found := _SLICE.fullmatch(token.text.replace("\\,", ""))):
            return self._sliced(part, found.group(2), found.group(1))
        if part.node is None or part.name or not re.fullmatch("[0-9]{1,4}|[A-Za-z]", token.text):
            raise self.refuse(token, "subscript", "an index belongs to a name here, as in W_Q or b_1")
        node = self.value(part)
        rows, columns = shape(node)
        indices = self._indices((token.text,), rows, columns, token, part.listed)
        if indices is None:
            raise self.refuse(token, "subscript", "an index belongs to a name here, as in W_Q or b_1")
        self.i += 1
        return Part(S.One, self.taken(token, node, indices), part.start, token.end, form="group")

    def _sliced(self, whole: Part, rows: str | None, columns: str | None) -> Part:
        r"""Z_{:,1:2}, rows_{1:n,:}: from 1, with the last."""
        token = self.token()
        self.i += 1
        bounds = [self._bound(end, token) for end in (rows or columns or "").split(":")]
        first, last = bounds[0], bounds[-1]
        node, size = self.node(whole), shape(self.node(whole))[0 if rows else 1]
        if not 1 <= first <= last <= size:
            raise self.unfitting(token, f"{first} to {last} of {self.sized(whole, node)}")
        cut = RowSlice if rows else ColumnSlice
        made = self.made(token, lambda: cut(node, Integer(first - 1), Integer(last - first + 1)))
        return Part(S.One, made, whole.start, token.end, form="group")

    def _bound(self, text: str, token: Token) -> int:
        r"""d_v, 2 d_v, d_v + 1 or a number."""
        found = _END_OF_SLICE.fullmatch(text.replace("{", "").replace("}", "").replace("\\mathrm", ""))
        known = self.scope.get(found.group(2)) if found and found.group(2) else None
        if found is None or (found.group(2) and (known is None or known.whole is None)):
            raise self.refuse(token, "subscript", "numbers, or sizes that are known, belong on both sides of the colon")
        size = known.whole if known is not None and known.whole is not None else 1
        return int(found.group(1) or 1) * size + int(found.group(3) or 0)

    def row_of_mask(self, mask: Part) -> Part:
        """causal(3)[2], as it is printed: row 2."""
        start = self.take("[")
        token = self.token()
        kinds = [t.kind for t in self.tokens[self.i : self.i + 2]]
        if kinds != ["number", "]"] or not token.text.isdigit():
            raise self.refuse(start, "index", "a row of a mask has one number, from 1")
        self.i += 2
        node = self.taken(token, self.node(mask), [int(token.text)])
        return Part(S.One, node, mask.start, self.tokens[self.i - 1].end, form="group", is_mask=True)

    def taken(self, place: Any, node: Node, indices: list[int]) -> Node:
        rows, columns = shape(node)
        if len(indices) == 1 and rows == 1:
            indices = [1, *indices]
        elif len(indices) == 1 and columns == 1:
            indices = [*indices, 1]
        if not (1 <= indices[0] <= rows and (len(indices) == 1 or 1 <= indices[1] <= columns)):
            shown = ", ".join(map(str, indices))
            raise self.unfitting(place, f"index {shown} of a matrix of size {rows} x {columns}")
        row = Row(node, Integer(indices[0] - 1))
        return row if len(indices) == 1 else ColumnSlice(row, Integer(indices[1] - 1), S.One)

    def _indices(
        self, parts: tuple[str, ...], rows: int, columns: int, place: Any, is_listed: bool
    ) -> list[int] | None:
        """One or two numbers from 1; None where this is no index."""
        is_vector = 1 in (rows, columns)
        if len(parts) == 1 and is_vector and not is_listed and re.fullmatch("[1-9][1-9]", parts[0]):
            if int(parts[0][0]) <= rows and int(parts[0][1]) <= columns:
                if int(parts[0]) <= max(rows, columns):
                    raise self.refuse(place, "ambiguous", "one index or two? write both with a comma")
                parts = tuple(parts[0])
        if len(parts) == 1 and parts[0] not in self.bound and not (parts[0].isdigit() and (is_vector or len(parts[0]) == 1)):  # fmt: skip
            parts = tuple(parts[0])
            if len(parts) != 2 or is_vector:
                return None
            if all(p.isdigit() for p in parts) and int("".join(parts)) <= rows:
                raise self.refuse(place, "ambiguous", "one row or one entry? write both indices with a comma")
        if len(parts) > 2:
            return None
        made = []
        for k, part in enumerate(parts):
            if part in self.bound:
                size = max(rows, columns) if len(parts) == 1 and is_vector else (rows, columns)[k]
                self.ranges.setdefault(part, set()).add(size)
                made.append(self.bound[part])
            elif part.isascii() and part.isdigit() and len(part) < 5:
                made.append(int(part))
            else:
                return None
        return made

    def _kronecker(self, place: Part, name: Spelled) -> Part | None:
        parts = name.index if len(name.index or ()) == 2 else tuple((name.index or ("",))[0])
        values = [self.bound.get(p, int(p) if p.isascii() and p.isdigit() else None) for p in parts or ()]
        if len(values) != 2 or None in values:
            return None
        self.i = name.index_end
        return Part(Integer(int(values[0] == values[1])), None, place.start, place.end)
