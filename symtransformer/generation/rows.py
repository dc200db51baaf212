"""Rows of numbers, compared and never guessed: by balls with more and more bits, ties by the exact zero test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import flint
from sympy import Expr, S

from symtransformer.enclosures import BITS, Balls, precision
from symtransformer.errors import LimitExceeded, ShapeError, UnreadableInput
from symtransformer.exact import Exact, Rows
from symtransformer.node import Node, as_node
from symtransformer.operation import compute, unfolded
from symtransformer.symbols import Letter
from symtransformer.zero import is_exactly_zero


class Entries:
    """The entries of a row as balls of any precision, and exactly where that is short."""

    def __init__(self, row: Any) -> None:
        self.row = as_row(row)
        self._balls: dict[int, list[Any]] = {}
        self._log_totals: dict[int, Any] = {}

    def balls(self, bits: int) -> list[Any]:
        if bits not in self._balls:
            with precision(bits):
                found = compute(self.row, Balls(), _no_letter)[0]
            if any(x is S.Infinity for x in found):
                raise UnreadableInput("a row of logits: an entry is +∞; a logit is a number or −∞")
            self._balls[bits] = found
        return self._balls[bits]

    @cached_property
    def exact(self) -> list[Any] | None:
        try:
            return list(compute(self.row, Exact(terms_at_most=20_000), _no_letter)[0])
        except LimitExceeded:
            return None

    def __len__(self) -> int:
        return len(self.balls(BITS[0]))

    @cached_property
    def usable(self) -> frozenset[int]:
        """The candidates that can be chosen: those that are not −∞."""
        return frozenset(j for j, x in enumerate(self.balls(BITS[0])) if x is not S.NegativeInfinity)

    def compare(self, i: int, j: int) -> int:
        """The sign of entry i minus entry j."""
        first, second = self.balls(BITS[0])[i], self.balls(BITS[0])[j]
        if S.NegativeInfinity in (first, second):
            return int(second is S.NegativeInfinity) - int(first is S.NegativeInfinity)
        return sign_of_difference(
            lambda bits: self.balls(bits)[i] - self.balls(bits)[j],
            lambda: None if self.exact is None else self.exact[i] - self.exact[j],
            f"candidates {i} and {j}",
        )

    def log_total(self, bits: int) -> Any:
        """log Σ e^l as a ball."""
        if bits not in self._log_totals:
            with precision(bits):
                finite = [x for x in self.balls(bits) if x is not S.NegativeInfinity]
                self._log_totals[bits] = sum((x.exp() for x in finite), flint.arb(0)).log()
        return self._log_totals[bits]


def as_row(row: Any) -> Node:
    """A row of logits as an expression: one row, no letters, no +∞."""
    if hasattr(row, "dtype"):
        row = row.tolist()
    if isinstance(row, Sequence) and len(row) and not isinstance(row[0], Sequence):
        row = [list(row)]
    node = as_node(row)
    letters = sorted(str(s) for s in unfolded(node)._mentions)
    if letters:
        raise UnreadableInput(f"a row of logits: {', '.join(letters)[:60]} has no value; put numbers in first")
    if node.shape[0] != 1:
        raise ShapeError(f"a row of logits: expected one row, got {node.shape[0]} x {node.shape[1]}")
    return node


def _no_letter(letter: Letter) -> Rows:
    raise UnreadableInput(f"a row of logits: {letter} has no value")


def sign_of_difference(difference: Callable[[int], Any], exact: Callable[[], Expr | None], what: str) -> int:
    """The sign of a difference, from balls; 0 only where the exact difference is proved to be 0."""
    for bits in BITS:
        with precision(bits):
            found = difference(bits)
            if found > 0 or found < 0:
                return 1 if found > 0 else -1
        if bits == BITS[1]:
            number = exact()
            if number is not None and (number.is_zero or is_exactly_zero(number)):
                return 0
    raise LimitExceeded(f"whether {what} tie is not decided with {BITS[-1]} bits")
