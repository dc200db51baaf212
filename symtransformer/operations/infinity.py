"""−∞ and +∞ as entries: what has a value there, the same in every number type, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from sympy import S

from symtransformer.errors import NotSupported


def entry_by_entry(name: str, rows: Any, limit: Any, function: Callable[[Any], Any]) -> Any:
    """A function of every entry, its limit where the entry is −∞; +∞ is refused."""
    if any(x is S.Infinity for row in rows for x in row):
        raise NotSupported(f"{name}: an entry is +∞")
    return [[limit if x is S.NegativeInfinity else function(x) for x in row] for row in rows]


def total(name: str, terms: Iterable[Any]) -> Any:
    """The sum of some numbers: −∞ if one of them is; +∞ is refused."""
    first, *others = terms
    infinite = {x for x in (first, *others) if x is S.NegativeInfinity or x is S.Infinity}
    if S.Infinity in infinite:
        raise NotSupported(f"{name}: an entry is +∞")
    return S.NegativeInfinity if infinite else sum(others, first)


def below_infinity(name: str, array: Any) -> Any:
    """The array, if no entry is +∞: a function that is bounded would hide it."""
    if np.isposinf(array).any():
        raise NotSupported(f"{name}: an entry is +∞, or too large for a double")
    return array


def all_finite(name: str, array: Any) -> Any:
    """The array, if every entry is a finite number."""
    if not np.isfinite(array).all():
        raise NotSupported(f"{name}: an entry is infinite, undefined or too large for a double")
    return array


def float_type(array: Any) -> Any:
    """The type of floating-point numbers of an array; that of double precision for whole numbers."""
    return np.result_type(array, np.float16)
