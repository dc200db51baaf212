"""How an operation is written: small records that every printer reads.

An operation declares one form (`Infix("product", 50)`, `Call("softmax")`); a dialect turns it into text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

ADDITION, PRODUCT, FRACTION, SUFFIX, ATOM = (
    10,
    50,
    60,
    80,
    100,
)  # a fraction may stand in a product, not below a transpose sign


@dataclass(frozen=True)
class Words:
    """One text in both languages, saying the same."""

    en: str
    ja: str

    def __post_init__(self) -> None:
        for language in ("en", "ja"):
            if not getattr(self, language).strip():
                raise TypeError(f"words without a text in {language!r}: {self}")

    def in_language(self, language: str) -> str:
        """The text; {Q}, {d_k} or {e^s} in it are letters, set as mathematics on a page."""
        return str(getattr(self, language))

    def plain(self, language: str) -> str:
        """The text for a terminal, letters as they are named."""
        return self.in_language(language).replace("{", "").replace("}", "")


# -- forms: what an operation declares -----------------------------------------------------------
@dataclass(frozen=True)
class Infix:
    """left OP right OP ...; `level` decides the brackets."""

    sign: str
    level: int


@dataclass(frozen=True)
class Suffix:
    """A mark after its argument, such as the transpose."""

    mark: str


@dataclass(frozen=True)
class Call:
    """name(argument, ...)."""

    name: str


@dataclass(frozen=True)
class Quotient:
    """above / below, both written in full."""


@dataclass(frozen=True)
class Radical:
    """The square root of every entry, a number added below the root or none."""


@dataclass(frozen=True)
class Scaled:
    """factor times matrix over divisor, kept as written."""


@dataclass(frozen=True)
class Subscripted:
    """A part of the first argument, named by the others: row i, columns from a to b."""

    template: str


@dataclass(frozen=True)
class Symbolic:
    """A constant matrix with a sign of its own, such as the matrix of ones."""

    name: str


@dataclass(frozen=True)
class Over:
    """A body taken over a counted letter: Concat for i from 1 to h."""

    name: str


Form = Infix | Suffix | Call | Quotient | Radical | Scaled | Subscripted | Symbolic | Over


def counts_from_zero(symbol: Any) -> bool:
    """A letter made by head_index: 0, 1, 2, ... in Python, 1, 2, 3, ... in print."""
    return bool(symbol.is_Symbol and symbol.is_integer and symbol.is_nonnegative and symbol.is_positive is None)


def from_one(scalar: Any, heads: Any) -> Any:
    """The same number written with head letters that count from 1."""
    shift = {s: s - 1 for s in getattr(scalar, "free_symbols", ()) if s in heads}
    return scalar.xreplace(shift) if shift else scalar


@dataclass(frozen=True)
class Piece:
    """A written part and how tightly it binds."""

    text: str
    level: int = ATOM
    of_letter: tuple[str, Any] | None = None  # name and head, where the piece is a letter
