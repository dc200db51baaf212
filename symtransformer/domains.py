"""Where an expression has a value, and what points cannot decide about it."""

from __future__ import annotations

from sympy import Basic, Function, Max, Min, Mod, Mul, Piecewise, Pow, erf, exp, log
from sympy.functions.elementary.hyperbolic import HyperbolicFunction
from sympy.functions.elementary.trigonometric import TrigonometricFunction

from symtransformer.node import Node, postorder
from symtransformer.operations.exponential import Exponential
from symtransformer.operations.mask import Mask
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_sum import RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.symbols import Literal

ANALYTIC = (exp, log, erf, TrigonometricFunction, HyperbolicFunction)


def conditions(root: Node) -> set[Basic]:
    """What must not be 0, or negative, or −∞, for the expression to have a value."""
    found: set[Basic] = set()
    for node in postorder(root):
        if isinstance(node, Scaling):
            _, factor, divisor = node.args
            if divisor.free_symbols and divisor.is_nonzero is not True:
                found.add(divisor)
            found |= {p for p in (factor / divisor).atoms(Pow, log) if p.free_symbols and not _is_always_defined(p)}
        if isinstance(node, RowDivision):
            below = node._children[1]  # the sum of a row of exponentials is never 0
            if not (isinstance(below, RowSum) and isinstance(below._children[0], Exponential)):
                found.add(below)
        if isinstance(node, Mask):
            found.add(node)
    return found


def _is_always_defined(value: Basic) -> bool:
    if isinstance(value, log):
        return value.args[0].is_positive is True
    base, power = value.args
    return bool(base.is_positive or (power.is_integer and power.is_nonnegative))


def functions_in_pieces(*roots: Node) -> str:
    """Functions that may be one thing at every point tried and another elsewhere."""
    scalars = [arg for node in postorder(*roots) for arg in node.args if not isinstance(arg, Node)]
    matrices = [x for node in postorder(*roots) if isinstance(node, Literal) for x in node.matrix.flat()]
    found = {f for value in [*scalars, *matrices] for f in value.atoms(Function, Max, Min, Mod, Piecewise)}
    names = {type(f).__name__ for f in found if not isinstance(f, ANALYTIC)}
    powers = {p for value in [*scalars, *matrices] for p in value.atoms(Pow) if p.free_symbols}
    names |= {str(p) for p in powers if not p.exp.is_integer and not _is_plainly_positive(p.base)}
    return ", ".join(sorted(names))


def _is_plainly_positive(base: Basic) -> bool:
    """A product of positive letters and numbers, of which a root is one smooth function."""
    return all(factor.is_positive and not factor.is_Add for factor in Mul.make_args(base))
