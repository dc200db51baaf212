"""A line computed again from its operands as they are shown: what a reader with a calculator gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sympy import Expr, S

from symtransformer.errors import LimitExceeded, NotSupported
from symtransformer.exact import Exact, Rows
from symtransformer.node import Node
from symtransformer.operation import compute
from symtransformer.rendering.numbers import Shown, Style, show_exact
from symtransformer.symbols import Letter


class _Undefined(Exact):
    """Exact numbers in which 0.0000 / 0.0000 is undefined, and spoils no other entry."""

    def divide(self, x: Any, y: Any) -> Any:
        return S.NaN if y.is_zero else super().divide(x, y)

    def check(self, rows: Rows) -> None:
        super().check([[S.Zero if x is S.NaN else x for x in row] for row in rows])


def recomputed(tree: Node, shown: Callable[[Letter], Rows], scalars: Mapping[Any, Any]) -> Rows | None:
    """The value of an expression for shown operands; None where they give none, as 0.0000 / 0.0000."""
    try:
        return compute(tree, _Undefined(), shown, dict(scalars))
    except (NotSupported, LimitExceeded):
        return None


def as_shown(shown: Shown) -> Expr:
    """The number, or the formula, that stands on the page."""
    return shown.formula if shown.formula is not None else shown.value  # type: ignore[return-value]


def gives(again: Expr | None, shown: Shown, style: Style) -> bool:
    """Whether what was computed again is shown as the result is."""
    if again is None or again.has(S.NaN, S.ComplexInfinity):
        return False
    return show_exact(again, style).value == shown.value
