"""Rules of calculus for formulas of entries: what a derivative by one entry is.

Each is an identity, left to right; one that does not fit gives None. Entries stand for independent
numbers, so the derivative of an entry by an entry of the same letter is two deltas.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sympy import Add, Derivative, Expr, Function, KroneckerDelta, Mul, Pow, Sum, exp

from symtransformer.index_letters import depends, derivative, everywhere
from symtransformer.notation import Words
from symtransformer.symbols import Entry, Letter


@dataclass(frozen=True)
class EntryRule:
    """An identity of formulas of entries: its name, what it says in signs and in words, and the rewriting."""

    name: Words
    statement: str
    explanation: Words
    rewrite: Callable[[Any], Any | None]

    def everywhere(self, formula: Any) -> Any | None:
        """The formula after the rule, at every place where it fits; None where it fits nowhere."""
        return everywhere(self.rewrite, formula)


def _parts(formula: Any) -> tuple[Any, Entry]:
    return formula.expr, formula.variables[0]


def _of_a_sum(formula: Any) -> Expr | None:
    if not isinstance(formula, Derivative):
        return None
    inner, by = _parts(formula)
    if isinstance(inner, Sum):
        return Sum(derivative(inner.function, by), *inner.limits)
    if isinstance(inner, Add):
        return Add(*(derivative(term, by) for term in inner.args))
    return None


def _of_a_multiple(formula: Any) -> Expr | None:
    if not isinstance(formula, Derivative) or not isinstance(formula.expr, Mul):
        return None
    inner, by = _parts(formula)
    fixed = [f for f in inner.args if not depends(f, by)]
    moving = [f for f in inner.args if depends(f, by)]
    return Mul(*fixed, derivative(Mul(*moving), by)) if fixed else None


def _of_a_product(formula: Any) -> Expr | None:
    if not isinstance(formula, Derivative) or not isinstance(formula.expr, Mul):
        return None
    inner, by = _parts(formula)
    factors = list(inner.args)
    if not all(depends(f, by) for f in factors):
        return None
    terms = [Mul(*factors[:k], derivative(f, by), *factors[k + 1 :]) for k, f in enumerate(factors)]
    return Add(*terms)


def _of_a_function(formula: Any) -> Expr | None:
    if not isinstance(formula, Derivative):
        return None
    inner, by = _parts(formula)
    if isinstance(inner, exp):
        return inner * derivative(inner.args[0], by)
    if isinstance(inner, Pow) and inner.exp.is_Rational:
        return inner.exp * inner.base ** (inner.exp - 1) * derivative(inner.base, by)
    if isinstance(inner, Function) and len(inner.args) == 1 and type(inner).__name__ in SMOOTH:
        return inner.fdiff(1) * derivative(inner.args[0], by)
    return None


SMOOTH = ("tanh", "sinh", "cosh", "sin", "cos", "log", "erf", "atan", "asinh")


def _of_an_entry(formula: Any) -> Expr | None:
    if not isinstance(formula, Derivative):
        return None
    inner, by = _parts(formula)
    if not isinstance(inner, Entry) or not isinstance(inner.parent, Letter) or inner.parent is not by.parent:
        return None
    return KroneckerDelta(inner.i, by.i) * KroneckerDelta(inner.j, by.j)


DERIVATIVE_OF_A_SUM = EntryRule(
    Words("derivative of a sum, term by term", "和の微分（項ごと）"),
    "∂(Σ u) = Σ ∂u",
    Words("The derivative of a sum is the sum of the derivatives.", "和の微分は、各項の微分の和です。"),
    _of_a_sum,
)
CONSTANT_FACTOR = EntryRule(
    Words("taking out a constant factor", "定数倍の微分"),
    "∂(c u) = c ∂u",
    Words(
        "A factor that does not depend on the entry may stand in front of the derivative.",
        "その成分によらない因子は、微分の外へ出せます。",
    ),
    _of_a_multiple,
)
PRODUCT_RULE = EntryRule(
    Words("product rule", "積の微分"),
    "∂(u v) = (∂u) v + u ∂v",
    Words(
        "Each factor is differentiated once, the others are kept, and the results are added.",
        "因子を 1 つずつ微分し、ほかの因子はそのままにして、すべて足します。",
    ),
    _of_a_product,
)
FUNCTION_RULE = EntryRule(
    Words("derivative of a function", "関数の微分"),
    "∂f(u) = f'(u) ∂u",
    Words(
        "The derivative of the function at its argument is multiplied by the derivative of the argument.",
        "関数の導関数に、中身の微分を掛けます。",
    ),
    _of_a_function,
)
ENTRY_BY_ENTRY = EntryRule(
    Words("derivative of an entry", "成分を成分で微分"),
    "∂x_kl / ∂x_ij = δ_ki δ_lj",
    Words(
        "The entries are independent: the derivative is 1 if it is the same entry, and 0 otherwise; two deltas say so.",
        "成分は互いに独立です。同じ成分なら 1、違う成分なら 0 で、これを 2 つの δ で表します。",
    ),
    _of_an_entry,
)
CALCULUS = (DERIVATIVE_OF_A_SUM, CONSTANT_FACTOR, PRODUCT_RULE, FUNCTION_RULE, ENTRY_BY_ENTRY)
