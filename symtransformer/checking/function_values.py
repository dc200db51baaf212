r"""`det(A) = 2`, `max(x) = 5`: values of functions that the library has no operation for, and never definitions of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sympy import Matrix, Rational

from symtransformer.checking.computing import Computed, Computing
from symtransformer.checking.equations import Equation
from symtransformer.checking.number_words import UNDECIDABLE
from symtransformer.errors import SymtransformerError
from symtransformer.notation import Words
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.sides import Side, read_side

ENTRIES_AT_MOST = 64
CALL = re.compile(
    r"\s*\\?(?:(?:operatorname|mathrm|text)\*?\s*\{\s*)?"
    r"(?P<name>arg\s*max|arg\s*min|determinant|det|trace|tr|rank|max|min)\s*\}?\s*(?:\\left)?\((?P<of>[^()]*(?:\([^()]*\)[^()]*)*?)(?:\\right)?\)\s*\Z"
)


def _determinant(matrix: Any) -> Any:
    return matrix.det() if matrix.rows == matrix.cols else None


def _trace(matrix: Any) -> Any:
    return matrix.trace() if matrix.rows == matrix.cols else None


VALUES: dict[str, Callable[[Any], Any]] = {
    "det": _determinant,
    "determinant": _determinant,
    "trace": _trace,
    "tr": _trace,
    "rank": lambda matrix: Rational(matrix.rank()),
    "max": max,
    "min": min,
}


class FunctionValues:
    """Reads a side that is one call of such a function of what has a value."""

    def __init__(self, computing: Computing) -> None:
        self.computing = computing

    def read(self, text: str, language: str) -> Side | None:
        """The side with its value; None where it is no such call, or what it is taken of has no value in fractions."""
        found = CALL.match(text)
        function = VALUES.get(found["name"]) if found else None
        if found is None or function is None:
            return None
        try:
            side = read_side(found["of"], self.computing.definitions.scope, language)
        except ReadingError:
            return None
        values = [
            self._of(function, value) for value in (self.computing.from_start(side), self.computing.by_shown(side))
        ]
        return None if values[0] is None or values[0] != values[1] else Side(text, values[0])

    def _of(self, function: Callable[[Any], Any], value: Computed | None) -> Any:
        if value is None or value.shape[0] * value.shape[1] > ENTRIES_AT_MOST or value.shape == (1, 1):
            return None
        rows, columns = value.shape
        try:
            entries = [[value.exact_entry(i, j) for j in range(columns)] for i in range(rows)]
        except SymtransformerError:
            return None
        if not all(entry is not None and entry.is_Rational for row in entries for entry in row):
            return None
        return function(Matrix(entries))


def defines_nothing(equation: Equation, left: str) -> Equation:
    """det(A) = 2 where A has no value gives det no meaning: it is not decided."""
    found = CALL.match(left)
    if equation.verdict != "definition" or found is None:
        return equation
    name = "".join(found["name"].split())
    said = Words(
        f"Not decided: {name} is a known function, and what it is taken of has no value here.",
        f"判定できない。{name} は決まった関数で、その引数の値がここでは分からない。",
    )
    if name.startswith("arg"):
        said = Words(
            f"Not decided: {name} counts from 0 or from 1, which is not told.",
            f"判定できない。{name} の番号が 0 からか 1 からか定まらない。",
        )
    return replace(equation, kind="number", verdict=UNDECIDABLE, words=said, code="unknown_function", remarks=())


__all__ = ["FunctionValues", "defines_nothing"]
