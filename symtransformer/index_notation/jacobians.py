"""Jacobians that have a name: softmax, and what layer normalization and RMSNorm divide by.

Of an operation that works row by row, the entry (k, j) of the result depends on row k of the argument
only, so the derivative by the entry (i, l) holds δ_ki.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import Add, Derivative, Expr, KroneckerDelta, Mul, Pow, S, Sum

from symtransformer.index_letters import depends, derivative
from symtransformer.node import Node
from symtransformer.notation import Words
from symtransformer.operations.rms_division import RMSDivision
from symtransformer.operations.root_mean_square import RootMeanSquare
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.standard_deviation import StandardDeviation
from symtransformer.operations.standardization import Standardization
from symtransformer.rules.calculus import EntryRule
from symtransformer.symbols import Entry, Letter


def _softmax(node: Node, k: Any, j: Any, l: Any) -> Expr:  # noqa: E741
    """a_kj (δ_jl − a_kl)."""
    return Mul(Entry(node, k, j), Add(KroneckerDelta(j, l), Mul(-1, Entry(node, k, l))))


def _standardization(node: Node, k: Any, j: Any, l: Any) -> Expr:  # noqa: E741
    """(δ_jl − 1/d − x̂_kj x̂_kl / d) / σ_k."""
    width, root = node.shape[1], StandardDeviation(*node.args)
    inside = Add(KroneckerDelta(j, l), -1 / width, -Entry(node, k, j) * Entry(node, k, l) / width)
    return Mul(Pow(Entry(root, k, S.Zero), -1), inside)


def _rms_division(node: Node, k: Any, j: Any, l: Any) -> Expr:  # noqa: E741
    """(δ_jl − x̂_kj x̂_kl / d) / σ_k."""
    width, root = node.shape[1], RootMeanSquare(*node.args)
    inside = Add(KroneckerDelta(j, l), -Entry(node, k, j) * Entry(node, k, l) / width)
    return Mul(Pow(Entry(root, k, S.Zero), -1), inside)


JACOBIANS: dict[type[Node], Callable[[Node, Any, Any, Any], Expr]] = {
    Softmax: _softmax,
    Standardization: _standardization,
    RMSDivision: _rms_division,
}
_WORDS = {
    Softmax: (
        Words("Jacobian of softmax", "Softmax のヤコビ行列"),
        "∂a_kj/∂s_il = δ_ki a_kj (δ_jl − a_kl)",
        Words(
            "Each weight depends on all scores of its row, and on no other row: on its own score through the "
            "exponential, on all of them through the sum in the denominator.",
            "各係数は、同じ行のすべての点数によって決まり、ほかの行にはよりません。分子の指数関数には自分の点数だけが、"
            "分母の和には行のすべての点数が入っているからです。",
        ),
    ),
    Standardization: (
        Words("Jacobian of the standardization", "標準化のヤコビ行列"),
        "∂x̂_kj/∂x_il = δ_ki (δ_jl − 1/d − x̂_kj x̂_kl / d) / σ_k",
        Words(
            "An entry acts on its own result, on the mean of its row, and on the standard deviation of its row.",
            "各成分は、自分の結果のほかに、行の平均と標準偏差を通しても影響します。",
        ),
    ),
    RMSDivision: (
        Words("Jacobian of the division by the RMS", "RMS による割り算のヤコビ行列"),
        "∂x̂_kj/∂x_il = δ_ki (δ_jl − x̂_kj x̂_kl / d) / σ_k",
        Words(
            "An entry acts on its own result, and on the root mean square of its row.",
            "各成分は、自分の結果のほかに、行の二乗平均平方根（RMS）を通しても影響します。",
        ),
    ),
}


def has_jacobian(node: Any) -> bool:
    return type(node) in JACOBIANS


def jacobian_rule(kind: type[Node], fresh: Callable[[], Callable[[Any], Any]]) -> EntryRule:
    """The rule of one of these operations; `fresh` gives a letter to sum over where the argument is no letter."""

    def rewrite(formula: Any) -> Expr | None:
        if not isinstance(formula, Derivative) or not isinstance(formula.expr, Entry):
            return None
        entry, by = formula.expr, formula.variables[0]
        if type(entry.parent) is not kind or not depends(entry, by):
            return None
        inner = entry.parent._children[0]
        jacobian = JACOBIANS[kind]
        if isinstance(inner, Letter):
            return KroneckerDelta(entry.i, by.i) * jacobian(entry.parent, entry.i, entry.j, by.j)
        letter = fresh()(inner.shape[1])
        body = jacobian(entry.parent, entry.i, entry.j, letter) * derivative(Entry(inner, entry.i, letter), by)
        return Sum(body, (letter, 0, inner.shape[1] - 1))

    name, statement, explanation = _WORDS[kind]
    return EntryRule(name, statement, explanation, rewrite)
