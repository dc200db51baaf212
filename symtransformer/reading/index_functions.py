"""Functions in index formulas: exp and the like of each entry, softmax and diag of a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sympy import KroneckerDelta, Pow, S, Sum, cos, erf, exp, log, sin, tanh

from symtransformer.reading.index_syntax import Applied
from symtransformer.reading.index_values import Value, along, length_of, times

if TYPE_CHECKING:
    from symtransformer.reading.index_formulas import IndexFormula

FUNCTIONS: dict[str, Any] = {"exp": exp, "log": log, "tanh": tanh, "erf": erf, "sin": sin, "cos": cos}


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
    function = FUNCTIONS[part.function]
    return Value(inner.rows, inner.columns, lambda i, j: function(inner.at(i, j), evaluate=False))
