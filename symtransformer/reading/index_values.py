"""Values of index formulas: a number, a row, a column or a matrix, by the formula of its entries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sympy import Add, Expr, KroneckerDelta, Mul, Piecewise, S


@dataclass(frozen=True)
class Value:
    """So many rows and columns, and the formula of an entry; a number is 1 x 1."""

    rows: Any
    columns: Any
    at: Callable[[Any, Any], Expr]

    @property
    def is_number(self) -> bool:
        return bool(self.rows == 1 and self.columns == 1)

    @property
    def number(self) -> Expr:
        return self.at(S.Zero, S.Zero)


def scalar(formula: Expr) -> Value:
    return Value(S.One, S.One, lambda i, j: formula)


def axes_of_shape(shape: tuple[Any, Any], count: int) -> tuple[Any, ...]:
    rows, columns = shape
    if count == 1:
        return (columns,) if rows == 1 and columns != 1 else (rows,)
    return rows, columns


def entry_of_value(value: Value, i: Any, j: Any) -> Expr:
    return value.number if value.is_number else value.at(i, j)


def length_of(value: Value) -> Any:
    """How long a row or a column is; None for a matrix and for a number."""
    if value.is_number or (value.rows != 1 and value.columns != 1):
        return None
    return value.columns if value.rows == 1 else value.rows


def repeated(value: Value, like: Value) -> Value:
    return Value(like.rows, like.columns, lambda i, j: value.number) if value.is_number else value


def along(value: Value, k: Any) -> Expr:
    return value.at(S.Zero, k) if value.rows == 1 else value.at(k, S.Zero)


def times(left: Expr, right: Expr) -> Expr:
    return Mul(left, right, evaluate=False)


def restricted(relation: str, letter: Any, other: Any, inside: Expr) -> Expr:
    """The formula where the letter is related to the other index, else 0."""
    if relation == "!=":
        return times(Add(S.One, Mul(-1, KroneckerDelta(letter, other)), evaluate=False), inside)
    holds = {"<=": letter <= other, "<": letter < other, ">=": letter >= other, ">": letter > other}[relation]
    return Piecewise((inside, holds), (S.Zero, True))
