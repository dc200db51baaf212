"""Arithmetic of the numbers of a side: exact, and as it is written where letters are in it."""

from __future__ import annotations

from typing import Any

from sympy import Add, Expr, Integer, Mul, Pow, Rational, S

from symtransformer.reading import numbers
from symtransformer.reading.numbers import NumberError


def decimal(text: str) -> Expr:
    """The exact number of digits that the tokenizer let pass."""
    if "e" in text or "E" in text:
        return numbers.decimal(text)
    whole, _, fraction = text.partition(".")
    return Rational(int(whole + fraction), 10 ** len(fraction)) if fraction else Integer(int(whole))


def product(left: Expr, right: Expr) -> Expr:
    """Exact where both are numbers; as it is written where letters are in it, so that x/x does not hide x = 0."""
    if left.free_symbols or right.free_symbols:
        if left is S.One or right is S.One:
            return right if left is S.One else left
        return Mul(*_flat(Mul, left), right, evaluate=False)
    return numbers.product(left, right)


def _flat(operation: Any, left: Expr) -> tuple[Any, ...]:
    """a + b + c in one level: a long sum is not deep."""
    return left.args if isinstance(left, operation) and left.free_symbols else (left,)


def quotient(above: Expr, below: Expr) -> Expr:
    if below.free_symbols or above.free_symbols:
        if below.is_zero:
            raise NumberError("division_by_zero", "a division by 0")
        inverse = Pow(below, S.NegativeOne, evaluate=False)
        return inverse if above is S.One else Mul(*_flat(Mul, above), inverse, evaluate=False)
    return numbers.quotient(above, below)


def total(left: Expr, right: Expr) -> Expr:
    if left.free_symbols or right.free_symbols:
        return Add(*_flat(Add, left), right, evaluate=False)
    return numbers.total(left, right)
