"""Entry formulas in a normal form: equal forms are equal formulas, for all sizes.

Sums stand with their constants outside and bound letters named by depth. The converse does
not hold: unlike forms decide nothing.
"""

from __future__ import annotations

from typing import Any

from sympy import Add, Basic, Dummy, Expr, Mul, Pow, Sum, exp

from symtransformer.errors import LimitExceeded, NotSupported
from symtransformer.node import Node, postorder

# Letters that no expression can mention: the place of a general entry, and bound letters by depth.
PLACE = tuple(Dummy(name, integer=True, nonnegative=True) for name in "ij")
BOUND = tuple(Dummy(f"b{depth}", integer=True, nonnegative=True) for depth in range(64))


def have_same_formula(left: Node, right: Node) -> bool:
    """Whether a general entry is the same sum of the same terms, up to the bound letters."""
    if any(len(list(postorder(side))) > 60 for side in (left, right)):
        return False
    try:
        formulas = [normal_form(side.entry(PLACE[0], PLACE[1], full=True)) for side in (left, right)]
    except (LimitExceeded, NotImplementedError, NotSupported, IndexError):
        return False
    return bool(formulas[0] == formulas[1])


def normal_form(formula: Any, depth: int = 0) -> Any:
    """Sums with constants outside and bound letters named by depth; products and powers in SymPy's order."""
    if isinstance(formula, Sum):
        return _normal_sum(formula.function, formula.limits, depth)
    if isinstance(formula, (Add, Mul, Pow, exp)):
        return formula.func(*(normal_form(a, depth) for a in formula.args))
    return formula


def _normal_sum(body: Any, limits: Any, depth: int) -> Any:
    """A sum over several letters, the last of which is the outermost (SymPy joins nested sums)."""
    if not limits:
        return normal_form(body, depth)
    *inner, (letter, low, high) = limits
    if depth >= len(BOUND) or any(letter == other[0] for other in inner):
        raise NotSupported(f"a sum nested more than {len(BOUND)} times, or twice over one letter")
    bound = BOUND[depth]
    body, *ends = (e.xreplace({letter: bound}) for e in (body, *(end for limit in inner for end in limit[1:])))
    inner = [(limit[0], ends[2 * k], ends[2 * k + 1]) for k, limit in enumerate(inner)]
    body = _normal_sum(body, inner, depth + 1)
    outside = [f for f in Mul.make_args(body) if bound not in f.free_symbols]
    inside = [f for f in Mul.make_args(body) if bound in f.free_symbols]
    one_sum = _OneSum(Mul(*inside), bound, normal_form(low, depth), normal_form(high, depth))
    return Mul(*outside, one_sum)


class _OneSum(Expr):
    """One normalized sum. Not SymPy's, which would join a sum of a sum into one again."""

    @property
    def free_symbols(self) -> set[Basic]:
        body, bound, low, high = self.args
        return (body.free_symbols - {bound}) | low.free_symbols | high.free_symbols
