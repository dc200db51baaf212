r"""Sums and rows of terms that are counted by a letter, every term written out: \sum_{j=1}^{3}, Concat(..., j = 1..m)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sympy import S

from symtransformer.node import Node
from symtransformer.operations.addition import Addition
from symtransformer.operations.concatenation import Concatenation
from symtransformer.reading.side_cursor import Position
from symtransformer.reading.side_names import Known
from symtransformer.reading.side_signs import CLOSING, OPENING
from symtransformer.reading.side_tokens import Token
from symtransformer.reading.side_values import Part
from symtransformer.symbols import MATRIX_ENTRIES_AT_MOST

_A_SIZE = re.compile(r"[nmdNMTL]|d_(?:[A-Za-z]|\{[^{}]*\})")  # letters for how many there are; i may be any
_COUNTED = re.compile(r"\s*([A-Za-z])\s*(?:=\s*([0-9]{1,4})\s*)?")


class Counted(Position):
    """What is written once and meant for every value of a letter."""

    scope: Mapping[str, Known]
    bound: dict[str, int]
    ranges: dict[str, set[int]]
    sum: Any
    product_parts: Any
    chained: Any

    def counted_sum(self) -> Part:
        r"""\sum_{j=1}^{3} a_{1j} v_j, Σ_j ...: every term written out; without bounds over all that j counts."""
        token = self.take("sum")
        low, _, high = token.text.partition("^")
        found = _COUNTED.fullmatch(low)
        if found is None:
            raise self.refuse(token, "sum", "a sum counts one letter here, as in \\sum_{j=1}^{3}")
        letter, first = found.group(1), int(found.group(2) or 1)
        if letter in self.bound:
            raise self.refuse(token, "sum", f"{letter} is counted twice")
        start = self.i
        kept = self.ranges.pop(letter, None)
        terms = [self._term(letter, first)]
        end = self.i
        last = self._last(token, letter, high.strip())
        if last < first or last - first >= MATRIX_ENTRIES_AT_MOST:
            raise self.refuse(token, "sum", "a sum of no terms, or of too many")
        for k in range(first + 1, last + 1):
            self.i = start
            terms.append(self._term(letter, k))
            if self.i != end:
                raise self.refuse(token, "sum", "the terms of a sum are not alike")
        self.ranges.pop(letter, None)
        if kept:
            self.ranges[letter] = kept
        total = terms[0]
        for term in terms[1:]:
            total = self.added(total, term)
        if total.node is not None:
            self.value(total)
        return Part(total.factor, total.node, token.start, total.end, total.listed, "sum over")

    def counted_call(self, token: Token) -> Part | None:
        r"""Concat(..., j = 1..m) and \operatorname*{Concat}_{j=1}^{m}(...): columns side by side; Sum likewise."""
        word, start = token.text, self.i
        if word not in ("Concat", "Sum"):
            return None
        found = self._counted_below() or self._counted_behind()
        if found is None:
            self.i = start
            return None
        letter, first, high, body, end = found
        terms: list[Part] = []
        last, k = first, first
        while k <= last:
            self.i = body
            terms.append(self._counted(letter, k))
            if self.i not in (end - 1, end - 7):
                raise self.unexpected()
            if k == first:
                last = self._last(token, letter, high)
            if last - first >= MATRIX_ENTRIES_AT_MOST:
                raise self.refuse(token, "sum", "too many terms")
            k += 1
        self.ranges.pop(letter, None)
        self.i = end
        whole = Part(S.One, None, token.start, self.tokens[end - 1].end, form="group")
        nodes = [self.node(term) for term in terms]
        whole.node = self.made(whole, lambda: Concatenation(*nodes) if word == "Concat" else self._added_up(nodes))
        return whole

    def _added_up(self, nodes: list[Node]) -> Node:
        total = nodes[0]
        for node in nodes[1:]:
            total = Addition(total, node)
        return total

    def _counted(self, letter: str, value: int) -> Part:
        self.bound[letter] = value
        try:
            return self.sum()  # type: ignore[no-any-return]
        finally:
            del self.bound[letter]

    def _counted_below(self) -> tuple[str, int, str, int, int] | None:
        """Concat_{j=1}^{m}(body): letter, first, last, where the body begins, and the token after the call."""
        tokens, i = self.tokens, self.i + 1
        found = _COUNTED.fullmatch(tokens[i].text) if i < len(tokens) and tokens[i].kind == "low" else None
        if found is None or not found.group(2) or i + 1 >= len(tokens) or tokens[i + 1].kind != "^":
            return None
        braced = i + 2 < len(tokens) and tokens[i + 2].kind == "{"
        opening = i + 5 if braced else i + 3
        if opening >= len(tokens):
            return None
        high = tokens[i + 3 if braced else i + 2].text
        closing = self._closing(opening)
        return None if closing is None else (found.group(1), int(found.group(2)), high, opening + 1, closing + 1)

    def _counted_behind(self) -> tuple[str, int, str, int, int] | None:
        """Concat(body, j = 1..m)."""
        opening = self.i + 1
        closing = self._closing(opening)
        if closing is None:
            return None
        kinds = [t.kind for t in self.tokens[closing - 6 : closing]]
        if kinds[:5] != [",", "word", "=", "number", "upto"] or kinds[5] not in ("number", "word"):
            return None
        _, letter, _, first, _, high = (t.text for t in self.tokens[closing - 6 : closing])
        return (letter, int(first), high, opening + 1, closing + 1) if first.isdigit() else None

    def _closing(self, opening: int) -> int | None:
        """The token that closes the bracket here."""
        depth = 0
        for k in range(opening, len(self.tokens)):
            kind = self.tokens[k].kind
            depth += (kind in OPENING) - (kind in CLOSING)
            if depth == 0:
                return k if k > opening and self.tokens[opening].kind == "(" else None
        return None

    def _term(self, letter: str, value: int) -> Part:
        self.bound[letter] = value
        try:
            return self.chained(self.product_parts(), 1)  # type: ignore[no-any-return]
        finally:
            del self.bound[letter]

    def _last(self, token: Token, letter: str, high: str) -> int:
        counted = self.ranges.get(letter, set())
        if re.fullmatch("[0-9]{1,4}", high):
            return int(high)
        if high in self.bound:
            return self.bound[high]
        known = self.scope.get(high)
        if known is not None and known.whole is not None:
            return known.whole
        if high and (known is not None or not _A_SIZE.fullmatch(high)):
            raise self.refuse(token, "sum", "the last number of a sum is a number here")
        if len(counted) != 1:
            raise self.refuse(token, "sum", f"how far {letter} goes is not told by what it counts")
        return counted.pop()
