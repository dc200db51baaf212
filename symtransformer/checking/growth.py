"""How large an expression of numbers becomes when values are put in: asked before it is built."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symtransformer.errors import LimitExceeded
from symtransformer.node import Node

BITS_AT_MOST = 12_000  # of a numerator or denominator, some 3,600 digits
NODES_AT_MOST = 4_000
BITS_BELOW_A_ROOT = 1_000  # SymPy looks for the prime factors of what stands there


def limit_growth(value: Any, rule: Mapping[Any, Any]) -> None:
    """Raise where an exact number would have too many digits or terms: x = x·x, sixty lines long.

    >>> from sympy import Integer, Symbol
    >>> x = Symbol("x")
    >>> limit_growth(x**64, {x: Integer(3)})
    >>> limit_growth(x**64, {x: Integer(3) ** 200})
    Traceback (most recent call last):
    symtransformer.errors.LimitExceeded: an exact number has more than 12000 bits
    """
    numbers = {symbol: known for symbol, known in rule.items() if not isinstance(known, Node)}
    if numbers and not isinstance(value, Node):
        _size(value, numbers, {})


def _size(part: Any, rule: Mapping[Any, Any], known: dict[Any, tuple[int, int]]) -> tuple[int, int]:
    """Upper bounds: bits of the number that it may be, and nodes of its tree."""
    if part in known:
        return known[part]
    if part in rule:
        bits, nodes = _size(rule[part], {}, known)
    elif part.is_Rational:
        bits, nodes = max(int(part.p).bit_length(), int(part.q).bit_length()), 1
    else:
        below = [_size(argument, rule, known) for argument in part.args]
        nodes = 1 + sum(n for _, n in below)
        power = int(part.exp) if part.is_Pow and part.exp.is_Integer else None
        if power is not None:
            bits = below[0][0] * abs(power)
        elif part.is_Add or part.is_Mul:
            bits = sum(b for b, _ in below)
        else:
            bits = max((b for b, _ in below), default=1)
        if part.is_Pow and power is None and below[0][0] > BITS_BELOW_A_ROOT:
            raise LimitExceeded(f"the root of a number of more than {BITS_BELOW_A_ROOT} bits")
    if bits > BITS_AT_MOST:
        raise LimitExceeded(f"an exact number has more than {BITS_AT_MOST} bits")
    if nodes > NODES_AT_MOST:
        raise LimitExceeded(f"an expression has more than {NODES_AT_MOST} nodes")
    known[part] = bits, nodes
    return known[part]
