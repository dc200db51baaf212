"""Where an expression has a value, and what points cannot decide about it."""

from __future__ import annotations

from sympy import Basic, Function, Max, Min, Mod, Mul, Piecewise, Pow, erf, erfc, exp, log
from sympy.functions.elementary.hyperbolic import HyperbolicFunction
from sympy.functions.elementary.trigonometric import TrigonometricFunction

from symtransformer.node import Node, postorder
from symtransformer.operations.addition import Addition
from symtransformer.operations.concatenation import ColumnPad, ColumnSlice, Concatenation
from symtransformer.operations.entry_division import EntryDivision
from symtransformer.operations.exponential import Exponential
from symtransformer.operations.gelu import GELU, GELUTanh, NormalDistribution
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.hardmax import Hardmax
from symtransformer.operations.heads import HeadConcatenation, HeadSum
from symtransformer.operations.logarithm import Logarithm
from symtransformer.operations.mask import Mask
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.relu import Heaviside, ReLU
from symtransformer.operations.rms_division import RMSDivision
from symtransformer.operations.rotary import PairTurn, RotaryAngles
from symtransformer.operations.row_concatenation import RowConcatenation
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_sum import Broadcast, RowSum
from symtransformer.operations.rows import Row, RowPad, RowSlice
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.sinusoidal_encoding import SinusoidalEncoding
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.square_root import SquareRoot
from symtransformer.operations.standardization import Standardization
from symtransformer.operations.tanh import Tanh
from symtransformer.operations.transpose import Transpose
from symtransformer.operations.trigonometric import Sine
from symtransformer.symbols import Letter, Literal

ANALYTIC = (exp, log, erf, erfc, TrigonometricFunction, HyperbolicFunction)
NEVER_NEGATIVE = (Exponential, Softmax, Hardmax, ReLU, Heaviside, NormalDistribution, SquareRoot, Ones)
# 0 where the first argument is 0, or where every argument is
FIRST_IS_0 = (
    Scaling, Transpose, RowSum, Broadcast, Row, RowSlice, RowPad, ColumnSlice, ColumnPad, HeadConcatenation, HeadSum,
    RowDivision, EntryDivision, PairTurn, ReLU, GELU, GELUTanh, Tanh, Sine, Standardization, RMSDivision, Mask,
)  # fmt: skip
ALL_ARE_0 = (Addition, Concatenation, RowConcatenation)


def conditions(root: Node) -> set[Basic]:
    """What must not be 0, or negative, or odd, or −∞, for the expression to have a value."""
    found: set[Basic] = set()
    for node in postorder(root):
        if isinstance(node, Scaling):
            _, factor, divisor = node.args
            if divisor.free_symbols and divisor.is_nonzero is not True:
                found.add(divisor)
            found |= {p for p in (factor / divisor).atoms(Pow, log) if p.free_symbols and not _is_always_defined(p)}
        if isinstance(node, (RowDivision, EntryDivision)) and not _is_positive(node._children[1]):
            found.add(node._children[1])
        if isinstance(node, (Standardization, RMSDivision)):
            root_below = node.stages().whole._children[1]
            found |= set() if _is_positive(root_below) else {root_below}
        if isinstance(node, Logarithm) and not _is_positive(node._children[0]):
            found.add(node._children[0])
        if isinstance(node, SquareRoot) and not (node.args[1].is_nonnegative and _is_never_negative(node._children[0])):
            found.add(node)
        if isinstance(node, (RotaryAngles, PairTurn)) and node.shape[1].is_even is not True:
            found.add(Mod(node.shape[1], 2))
        if isinstance(node, (RotaryAngles, SinusoidalEncoding)) and node.args[3].is_positive is not True:
            found.add(node.args[3])
        if isinstance(node, Mask):
            found.add(node)
    return found


def _is_always_defined(value: Basic) -> bool:
    if isinstance(value, log):
        return value.args[0].is_positive is True
    base, power = value.args
    return bool(base.is_positive or (power.is_integer and power.is_nonnegative))


def _is_positive(node: Node) -> bool:
    """Whether every entry is plainly above 0."""
    if isinstance(node, RowSum) and isinstance(node._children[0], Exponential):
        return True  # one exponential may be that of −∞, but not a whole row
    if isinstance(node, SquareRoot):
        return bool(node.args[1].is_positive) and _is_never_negative(node._children[0])
    if isinstance(node, Scaling):
        return bool((node.args[1] / node.args[2]).is_positive) and _is_positive(node._children[0])  # type: ignore[operator]
    if isinstance(node, (RowSum, Broadcast)):
        return _is_positive(node._children[0])
    if isinstance(node, Addition):
        return all(map(_is_never_negative, node._children)) and any(map(_is_positive, node._children))
    return isinstance(node, Ones)


def _is_never_negative(node: Node) -> bool:
    if isinstance(node, NEVER_NEGATIVE):
        return True
    if isinstance(node, Hadamard):
        return node.args[0] is node.args[1] or all(map(_is_never_negative, node._children))
    if isinstance(node, Scaling):
        return bool((node.args[1] / node.args[2]).is_nonnegative) and _is_never_negative(node._children[0])  # type: ignore[operator]
    return isinstance(node, (RowSum, Broadcast, Addition)) and all(map(_is_never_negative, node._children))


def functions_in_pieces(*roots: Node) -> str:
    """Functions that may be one thing at every point tried and another elsewhere.

    ReLU is not among them where its argument is 0 once all letters are: points of both signs then
    lie on both sides of its corner. Behind a constant, as in ReLU(A + 100), they may not.
    """
    scalars = [arg for node in postorder(*roots) for arg in node.args if not isinstance(arg, Node)]
    matrices = [x for node in postorder(*roots) if isinstance(node, Literal) for x in node.matrix.flat()]
    found = {f for value in [*scalars, *matrices] for f in value.atoms(Function, Max, Min, Mod, Piecewise)}
    names = {type(f).__name__ for f in found if not isinstance(f, ANALYTIC)}
    powers = {p for value in [*scalars, *matrices] for p in value.atoms(Pow) if p.free_symbols}
    names |= {str(p) for p in powers if not p.exp.is_integer and not _is_plainly_positive(p.base)}
    names |= {type(node).__name__ for node in postorder(*roots) if isinstance(node, (Heaviside, Hardmax))}
    vanishing = _vanishing(*roots)
    names |= {"ReLU" for node in postorder(*roots) if isinstance(node, ReLU) and node not in vanishing}
    return ", ".join(sorted(names))


def _vanishing(*roots: Node) -> set[Node]:
    """The parts that are 0 where all letters are."""
    found: set[Node] = set()
    for node in postorder(*roots):
        inside = [child in found for child in node._children]
        if (
            isinstance(node, Letter)
            or (isinstance(node, FIRST_IS_0) and inside[0])
            or (isinstance(node, ALL_ARE_0) and all(inside))
            or (isinstance(node, (Product, Hadamard)) and any(inside))
        ):
            found.add(node)
    return found


def _is_plainly_positive(base: Basic) -> bool:
    """A product of positive letters and numbers, of which a root is one smooth function."""
    return all(factor.is_positive and not factor.is_Add for factor in Mul.make_args(base))
