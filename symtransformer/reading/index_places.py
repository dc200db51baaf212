r"""Places that are worked out, and ends of sums: the j + 1 of x_(l,j + 1), the 2 d_v of \sum_{j=1}^{2 d_v}."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from sympy import Add, Expr, Integer, Mul, S

_TOKEN = re.compile(r"\s*(?:([0-9]{1,9})|([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)?(?:‹[0-9]+›)?)|([-−+*()]))")
_SET = re.compile(r"\\(?:mathrm|text|operatorname|textrm|mathsf)\s*\{\s*([A-Za-z0-9]+)\s*\}")
_SPACES = re.compile(r"\\(?:left|right|cdot)(?![A-Za-z])|\\[,;:! ]|~")


def is_simple(index: str) -> bool:
    """Whether it is one letter or one number."""
    return index.isdigit() or re.fullmatch(r"[A-Za-z]+(?:‹[0-9]+›)?", index) is not None


def plain(text: str) -> str:
    r"""2 d_v for 2 d_{\mathrm{v}}."""
    text = re.sub(r"_\s*\{\s*([A-Za-z0-9]+)\s*\}", r"_\1", _SET.sub(r"\1", text))
    return " ".join(_SPACES.sub(" ", text).replace("{", " ").replace("}", " ").split())


def renamed(place: str, meant: Callable[[str], str]) -> str:
    """The same place with other letters."""
    return re.sub(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)?(?:‹[0-9]+›)?", lambda m: meant(m.group()), place)


def names_in(place: str) -> list[str]:
    found: list[str] = []
    renamed(place, lambda name: found.append(name) or name)  # type: ignore[func-returns-value]
    return found


def value_of(place: str, meaning: Callable[[str], Any]) -> Expr:
    """The number that it is: sums, differences, products and brackets of numbers and names; `ValueError` for anything else.

    >>> from sympy import symbols
    >>> i, d = symbols("i d")
    >>> value_of("(i - 1) d + 2", {"i": i, "d": d}.__getitem__)
    d*(i - 1) + 2
    """
    reader = _Places(list(_tokens(place)), meaning)
    value = reader.sum()
    if reader.tokens:
        raise ValueError(place)
    return value


def _tokens(place: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(place.rstrip()):
        found = _TOKEN.match(place, at)
        if found is None:
            raise ValueError(place)
        kind = ("number", "name", "sign")[(found.lastindex or 1) - 1]
        yield kind, found.group(found.lastindex or 0).replace("−", "-")
        at = found.end()


class _Places:
    def __init__(self, tokens: list[tuple[str, str]], meaning: Callable[[str], Any]) -> None:
        self.tokens, self.meaning = tokens, meaning

    def _next(self) -> tuple[str, str]:
        return self.tokens[0] if self.tokens else ("", "")

    def _takes(self, *signs: str) -> str:
        kind, text = self._next()
        if kind != "sign" or text not in signs:
            return ""
        self.tokens.pop(0)
        return text

    def sum(self) -> Expr:
        total = Mul(-1 if self._takes("-") else 1, self.product())
        while sign := self._takes("+", "-"):
            total = Add(total, Mul(1 if sign == "+" else -1, self.product()))
        return total

    def product(self) -> Expr:
        value: Expr = S.One
        first = True
        while first or self._takes("*") or self._next()[0] in ("number", "name") or self._next()[1] == "(":
            value, first = Mul(value, self.factor()), False
        return value

    def factor(self) -> Expr:
        if self._takes("("):
            value = self.sum()
            if not self._takes(")"):
                raise ValueError("(")
            return value
        kind, text = self._next()
        if kind not in ("number", "name"):
            raise ValueError(text)
        self.tokens.pop(0)
        return Integer(int(text)) if kind == "number" else self.meaning(text)
