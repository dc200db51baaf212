"""Where an expression has a value, and what points cannot decide about it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sympy import (
    Abs,
    Basic,
    Dummy,
    Function,
    KroneckerDelta,
    Max,
    Min,
    Mod,
    Mul,
    Piecewise,
    Pow,
    S,
    asinh,
    atan,
    ceiling,
    cos,
    cosh,
    erf,
    erfc,
    exp,
    floor,
    log,
    preorder_traversal,
    sign,
    sin,
    sinh,
    tanh,
)  # fmt: skip
from sympy.functions.elementary.hyperbolic import HyperbolicFunction
from sympy.functions.elementary.trigonometric import TrigonometricFunction

from symtransformer.node import Node, postorder
from symtransformer.operations.addition import Addition
from symtransformer.operations.column_sum import ColumnSum
from symtransformer.operations.concatenation import ColumnPad, ColumnSlice
from symtransformer.operations.entry_division import EntryDivision
from symtransformer.operations.exponential import Exponential
from symtransformer.operations.gelu import GELU, GELUTanh, NormalDensity, NormalDistribution
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.hardmax import Hardmax
from symtransformer.operations.log_sum_exp import LogSumExp
from symtransformer.operations.logarithm import Logarithm
from symtransformer.operations.mask import Mask
from symtransformer.operations.masks import CausalMask, PaddingMask
from symtransformer.operations.ones import Ones
from symtransformer.operations.relu import Heaviside, ReLU
from symtransformer.operations.rms_division import RMSDivision
from symtransformer.operations.root_mean_square import RootMeanSquare
from symtransformer.operations.rotary import PairTurn, RotaryAngles
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_mean import RowMean
from symtransformer.operations.row_sum import Broadcast, RowSum
from symtransformer.operations.rows import Row, RowPad, RowSlice
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.sigmoid import Sigmoid, SiLU
from symtransformer.operations.sinusoidal_encoding import SinusoidalEncoding
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.square_root import SquareRoot
from symtransformer.operations.standard_deviation import StandardDeviation
from symtransformer.operations.standardization import Standardization
from symtransformer.operations.tanh import Tanh
from symtransformer.symbols import Literal

ANALYTIC = (exp, log, erf, erfc, TrigonometricFunction, HyperbolicFunction)
ROOTS = (StandardDeviation, RootMeanSquare)
SUMS = (RowSum, ColumnSum, RowMean, Broadcast)
NEVER_NEGATIVE = (
    Exponential, Softmax, Hardmax, ReLU, Heaviside, NormalDensity, NormalDistribution, Sigmoid, SquareRoot, Ones, *ROOTS,
)  # fmt: skip
# functions that have a value wherever their arguments have
WITH_A_VALUE = (
    exp, erf, erfc, sin, cos, tanh, sinh, cosh, atan, asinh, Abs, floor, ceiling, sign, KroneckerDelta, Max, Min,
)  # fmt: skip


Condition = tuple[str, Basic]


def conditions(root: Node) -> set[Condition]:
    """What must hold for the expression to have a value: that this is not 0, is positive, finite, even, in range, ..."""
    found: set[Condition] = set()
    infinite: set[Node] = set()
    counts = {n.args[k]: n.args[k + 1] for n in postorder(root) for k in n.bound}
    for node in postorder(root):
        found |= _of_infinities(node, infinite)
        scalars = node.matrix.flat() if isinstance(node, Literal) else (a for a in node.args if not isinstance(a, Node))
        for scalar in scalars:
            found |= {("value", part) for part in preorder_traversal(scalar) if not _has_a_value(part)}
        if isinstance(node, Scaling) and node.args[2].free_symbols and node.args[2].is_nonzero is not True:
            found.add(("not 0", node.args[2]))
        if isinstance(node, (RowDivision, EntryDivision)):
            found |= _if_not_positive("not 0", node._children[1], infinite)
        if isinstance(node, (Standardization, RMSDivision)):
            divisor = node.stages().whole._children[1]
            found |= _if_not_positive("not 0", divisor, infinite) | _if_no_root(divisor)
        if isinstance(node, Logarithm):
            found |= _if_not_positive("positive", node._children[0], infinite)
        if isinstance(node, (SquareRoot, *ROOTS)):
            found |= _if_no_root(node.stages().whole if isinstance(node, ROOTS) else node)
        if isinstance(node, (RotaryAngles, PairTurn)) and node.shape[1].is_even is not True:
            found.add(("even", node.shape[1]))
        if isinstance(node, (RotaryAngles, SinusoidalEncoding)) and node.args[3].is_positive is not True:
            found.add(("positive", node.args[3]))
        if isinstance(node, (Row, RowSlice, RowPad, ColumnSlice, ColumnPad)):
            found |= _if_out_of_range(node, counts)
    return found


def _of_infinities(node: Node, infinite: set[Node]) -> set[Condition]:
    """Where −∞ may stand, entered in `infinite`, and what must hold for it to mean something."""
    if isinstance(node, Literal):
        marks = [x for x in node.matrix.flat() if x in (S.Infinity, S.NegativeInfinity)]
        infinite |= {node} if marks else set()
        return {("finite", node)} if S.Infinity in marks else set()
    if isinstance(node, (CausalMask, PaddingMask, Mask)):
        infinite.add(node)
        return set()
    inside = [child for child in node._children if child in infinite]
    if not inside:
        return set()
    if isinstance(node, (Softmax, LogSumExp)):
        return {("some finite", child) for child in inside if not _leaves_some(child, infinite)}
    if isinstance(node, (*NEVER_NEGATIVE, Tanh, GELU, GELUTanh, SiLU)):
        return set()
    infinite.add(node)
    scaled = isinstance(node, Scaling) and not (node.args[1] / node.args[2]).is_positive  # type: ignore[operator]
    undefined = scaled or isinstance(node, Hadamard) or not getattr(node, "accepts_infinity", False)
    return {("finite", node)} if undefined else set()


def _leaves_some(masked: Node, infinite: set[Node]) -> bool:
    """Whether every row plainly keeps a finite entry."""
    if isinstance(masked, Mask):
        return masked._children[0] not in infinite and _leaves_some(masked._children[1], infinite)
    if isinstance(masked, CausalMask):
        return bool((masked.shape[1] - masked.shape[0]).is_nonnegative)  # type: ignore[operator]
    if isinstance(masked, PaddingMask):
        return bool(masked.args[2].is_positive)
    return isinstance(masked, Literal) and all(any(x.is_finite for x in row) for row in masked.matrix.tolist())


def _if_not_positive(kind: str, node: Node, infinite: set[Node]) -> set[Condition]:
    """The condition, unless every entry is plainly above 0; of a row of exponentials, that not all are those of −∞."""
    inside = node._children[0] if isinstance(node, RowSum) else node
    if isinstance(inside, Exponential) and inside is not node and inside._children[0] in infinite:
        masked = inside._children[0]
        return set() if _leaves_some(masked, infinite) else {("some finite", masked)}
    return set() if _is_positive(node, infinite) else {(kind, node)}


def _if_no_root(root: Node) -> set[Condition]:
    return set() if root.args[1].is_nonnegative and _is_never_negative(root._children[0]) else {("root", root)}


def _if_out_of_range(node: Node, counts: Mapping[Basic, Basic]) -> set[Condition]:
    """Where rows or columns may not exist, for some value of the letters that count heads: how many are before and after."""
    axis = 0 if isinstance(node, (Row, RowSlice, RowPad)) else 1
    part, whole = (
        (node, node._children[0]) if isinstance(node, (Row, RowSlice, ColumnSlice)) else (node._children[0], node)
    )
    start: Any = node.args[1]
    room: Any = whole.shape[axis] - start - part.shape[axis]  # type: ignore[operator]
    last = {head: count - 1 - Dummy(integer=True, nonnegative=True) for head, count in counts.items()}  # type: ignore[operator]
    if any(room.xreplace(rule).expand().is_nonnegative and start.is_nonnegative for rule in ({}, last)):
        return set()
    return {("not negative", x.expand()) for x in (start, room) if not x.expand().is_nonnegative}


def _has_a_value(part: Basic) -> bool:
    """Whether a part of a number plainly has a value wherever its own parts have."""
    if not part.free_symbols:
        return True
    if isinstance(part, log):
        return part.args[0].is_positive is True
    if isinstance(part, Pow):
        base, power = part.args
        return bool(
            base.is_positive
            or (power.is_integer and (power.is_nonnegative or base.is_nonzero))
            or (power.is_nonnegative and base.is_nonnegative)
        )
    if isinstance(part, Mod):
        return part.args[1].is_nonzero is True
    if isinstance(part, Piecewise):
        return part.args[-1][1] is S.true
    return not isinstance(part, Function) or isinstance(part, WITH_A_VALUE)


def _is_positive(node: Node, infinite: Collection[Node] = ()) -> bool:
    """Whether every entry is plainly above 0, letters being real: only where a mask is may exp, sigmoid and softmax give 0."""
    if isinstance(node, (Exponential, NormalDensity, Sigmoid, Softmax)):
        return node._children[0] not in infinite
    if isinstance(node, ROOTS):
        return bool(node.args[1].is_positive)
    if isinstance(node, Hadamard):
        return all(_is_positive(x, infinite) for x in node._children)
    if isinstance(node, SquareRoot):
        return bool(node.args[1].is_positive) and _is_never_negative(node._children[0])
    if isinstance(node, Scaling):
        return bool((node.args[1] / node.args[2]).is_positive) and _is_positive(node._children[0], infinite)  # type: ignore[operator]
    if isinstance(node, SUMS):
        return _is_positive(node._children[0], infinite)
    if isinstance(node, Addition):
        return all(map(_is_never_negative, node._children)) and any(_is_positive(x, infinite) for x in node._children)
    return isinstance(node, Ones)


def _is_never_negative(node: Node) -> bool:
    if isinstance(node, NEVER_NEGATIVE):
        return True
    if isinstance(node, Hadamard):
        return node.args[0] is node.args[1] or all(map(_is_never_negative, node._children))
    if isinstance(node, Scaling):
        return bool((node.args[1] / node.args[2]).is_nonnegative) and _is_never_negative(node._children[0])  # type: ignore[operator]
    return isinstance(node, (*SUMS, Addition)) and all(map(_is_never_negative, node._children))


def functions_in_pieces(*roots: Node) -> str:
    """Functions that may be one thing at every point tried and another elsewhere; a root is one where it may be of 0."""
    scalars = [arg for node in postorder(*roots) for arg in node.args if not isinstance(arg, Node)]
    matrices = [x for node in postorder(*roots) if isinstance(node, Literal) for x in node.matrix.flat()]
    found = {f for value in [*scalars, *matrices] for f in value.atoms(Function, Max, Min, Mod, Piecewise)}
    names = {type(f).__name__ for f in found if not isinstance(f, ANALYTIC)}
    powers = {p for value in [*scalars, *matrices] for p in value.atoms(Pow) if p.free_symbols}
    names |= {str(p) for p in powers if not p.exp.is_integer and not _is_plainly_positive(p.base)}
    names |= {str(p) for p in powers if p.exp.free_symbols and not p.base.is_positive and not p.base.free_symbols}
    names |= {type(node).__name__ for node in parts_in_pieces(*roots)}
    return ", ".join(sorted(names))


def is_in_pieces(x: Basic) -> bool:
    """Whether a function or a power in a formula of entries may be one thing at every point tried and another elsewhere."""
    if isinstance(x, Pow):
        rough_root = not x.exp.is_integer and not _is_plainly_positive(x.base)
        return rough_root or bool(x.exp.free_symbols and x.base.is_number and not x.base.is_positive)
    return isinstance(x, (Function, Max, Min, Mod, Piecewise)) and not isinstance(x, ANALYTIC)


def parts_in_pieces(*roots: Node) -> list[Node]:
    """The operations among them."""
    return [
        node
        for node in postorder(*roots)
        if isinstance(node, (Heaviside, Hardmax, ReLU))
        or (isinstance(node, SquareRoot) and not _is_positive(node))
        or (isinstance(node, (Standardization, RMSDivision, *ROOTS)) and not node.args[1].is_positive)
    ]


def _is_plainly_positive(base: Basic) -> bool:
    """A product of positive letters and numbers, of which a root is one smooth function."""
    return all(factor.is_positive and not factor.is_Add for factor in Mul.make_args(base))
