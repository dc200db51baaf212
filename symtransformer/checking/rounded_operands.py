"""Whether the numbers of a line, if each is a rounding, may give what is claimed: then nobody is accused."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint

from symtransformer.checking.computing import Computed
from symtransformer.checking.definitions import Cells
from symtransformer.checking.values import Comparisons, Undecided, Value
from symtransformer.errors import SymtransformerError

DECIMAL = re.compile(r"(?<![0-9.])[0-9]+\.([0-9]+)(?![0-9.])")
LITERALS_AT_MOST = 40
PRECISION = Fraction(1, 10**24)
DECIMALS_OF_A_ROUNDING = 3  # in a result; fewer are rather exact


def decimals_in(text: str, places: int = DECIMALS_OF_A_ROUNDING) -> list[re.Match[str]]:
    """The decimals of a line that may be roundings: of at least so many places."""
    return [m for m in DECIMAL.finditer(text) if len(m.group(1)) >= places]


@dataclass(frozen=True)
class Rounded:
    """A side as text, the decimals in which may be roundings; `value` is what it is with other numbers in it."""

    text: str
    value: Callable[[str], Computed | None]
    places: int = DECIMALS_OF_A_ROUNDING  # decimals with fewer are no roundings
    is_traced: bool = False  # none of its decimals is left, all are known unrounded
    is_of_roundings: bool = False  # what stands for one of them was worked out with roundings itself

    @property
    def has_too_many(self) -> bool:
        """More decimals than are moved one by one."""
        return len(decimals_in(self.text, self.places)) > LITERALS_AT_MOST

    def numbers(self, text: str | None = None) -> list[list[Fraction]] | None:
        """Its entries to 24 decimals, which is enough to compare roundings of a few."""
        try:
            value = self.value(self.text if text is None else text)
        except SymtransformerError:
            return None
        return None if value is None else _numbers(value)

    def spread(self) -> list[list[Fraction]] | None:
        """How far each entry moves if every decimal moves by half a unit of its last place, added up; None where unknown."""
        found, base = decimals_in(self.text, self.places), self.numbers()
        if base is None or len(found) > LITERALS_AT_MOST:
            return None
        total = [[Fraction(0) for _ in row] for row in base]
        for decimal in found:
            value = self.numbers(self.text[: decimal.end()] + "5" + self.text[decimal.end() :])
            if value is None or [len(r) for r in value] != [len(r) for r in base]:
                return None
            total = [
                [t + abs(x - y) for t, x, y in zip(*rows, strict=True)] for rows in zip(total, value, base, strict=True)
            ]
        return total

    def balls(self) -> Any:
        """For each entry a ball around all that it may be; None where that is not known."""
        wide, base = self.spread(), self.numbers()
        if wide is None or base is None:
            return None
        return [
            [_exactly(x) + flint.arb(0, _exactly(w).upper()) for x, w in zip(*rows, strict=True)]
            for rows in zip(base, wide, strict=True)
        ]

    def may_give(self, claims: Cells) -> bool:
        """Whether each claim can be a rounding of what the side gives for some numbers that round to those shown."""
        wide, base = self.spread(), self.numbers()
        if wide is None or base is None or [len(r) for r in wide] != [len(r) for r in claims]:
            return False
        return all(
            claim.place is not None and abs(claim.value - x) <= claim.place / 2 + w
            for row, values, widths in zip(claims, base, wide, strict=True)
            for claim, x, w in zip(row, values, widths, strict=True)
        )

    def may_equal(self, other: Rounded) -> bool:
        """Whether two expressions are equal for some numbers that round to the decimals in them."""
        sides = [self.numbers(), other.numbers(), self.spread(), other.spread()]
        if any(side is None or [len(r) for r in side] != [len(r) for r in sides[0] or ()] for side in sides):
            return False
        return all(
            abs(x - y) <= a + b
            for rows in zip(*sides, strict=True)  # type: ignore[arg-type]
            for x, y, a, b in zip(*rows, strict=True)
        )


def _exactly(x: Fraction) -> Any:
    return flint.arb(flint.fmpq(x.numerator, x.denominator))


def _numbers(value: Computed) -> list[list[Fraction]] | None:
    rows, columns = value.shape
    try:
        made = [[_number(value.at(i, j)) for j in range(columns)] for i in range(rows)]
    except (Undecided, SymtransformerError):
        return None
    return None if any(x is None for row in made for x in row) else made  # type: ignore[return-value]


def _number(value: Value) -> Fraction | None:
    known = Comparisons(value)
    return None if value.is_undefined or known.infinite_sign() else known.nearest(PRECISION)
