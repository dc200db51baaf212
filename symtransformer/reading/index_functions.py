"""Functions in index formulas: exp and the like of each entry, softmax and diag of a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sympy import Add, Expr, KroneckerDelta, Max, Mul, Piecewise, Pow, S, Sum, cos, erf, exp, log, pi, sin, sqrt, tanh

from symtransformer.reading.index_syntax import Applied
from symtransformer.reading.index_values import Value, along, length_of, times

if TYPE_CHECKING:
    from symtransformer.reading.index_formulas import IndexFormula

FUNCTIONS: dict[str, Any] = {"exp": exp, "log": log, "tanh": tanh, "erf": erf, "sin": sin, "cos": cos}


def _sigmoid(x: Expr) -> Expr:
    return Pow(Add(1, exp(-x, evaluate=False), evaluate=False), -1, evaluate=False)


def _distribution(x: Expr) -> Expr:
    """Phi, of a standard normal number."""
    return Mul(Add(1, erf(x / sqrt(2)), evaluate=False), S.Half, evaluate=False)


MADE: dict[str, Callable[[Expr], Expr]] = {  # of functions that SymPy has
    "sigmoid": _sigmoid,
    "GELU": lambda x: Mul(x, _distribution(x)),
    "SiLU": lambda x: Mul(x, _sigmoid(x)),
    "ReLU": lambda x: Max(S.Zero, x),
    "step": lambda x: Piecewise((S.One, x > 0), (S.Zero, True)),
    "Phi": _distribution,
    "phi": lambda x: Mul(exp(-(x**2) / 2), Pow(sqrt(2 * pi), -1, evaluate=False), evaluate=False),
}


def applied(formula: IndexFormula, part: Applied, inner: Value) -> Value:
    if part.function in ("softmax", "diag"):
        size = length_of(inner)
        if size is None:
            example = f"{part.function}({'s' if part.function == 'softmax' else 'a'}_i)"
            raise formula.refuse(part, "vectors", f"{part.function} here is that of one row, as in {example}")
        if part.function == "diag":
            return Value(size, size, lambda i, j: times(KroneckerDelta(i, j), along(inner, i)))
        k = formula.own_letter()
        total = Sum(exp(along(inner, k), evaluate=False), (k, S.Zero, size - 1))
        return Value(inner.rows, inner.columns, lambda i, j: times(exp(inner.at(i, j), evaluate=False), Pow(total, -1)))
    if part.function == "sqrt":
        return Value(inner.rows, inner.columns, lambda i, j: Pow(inner.at(i, j), S.Half))
    if (made := MADE.get(part.function)) is not None:
        return Value(inner.rows, inner.columns, lambda i, j: made(inner.at(i, j)))
    function = FUNCTIONS[part.function]
    return Value(inner.rows, inner.columns, lambda i, j: function(inner.at(i, j), evaluate=False))
