"""An expression as a writer may have gone through it: as written, and with its operations written out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symtransformer.checking.slips.patterns import negated
from symtransformer.node import Node, postorder, rebuild, substitute
from symtransformer.operation import Composite, unfolded
from symtransformer.operations.addition import Addition
from symtransformer.operations.cross_entropy import CrossEntropy, reduced
from symtransformer.operations.exponential import Exponential
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.heads import heads_apart
from symtransformer.operations.log_sum_exp import LogSumExp
from symtransformer.operations.logarithm import Logarithm
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.rms_division import RMSDivision
from symtransformer.operations.root_mean_square import RootMeanSquare
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_mean import RowMean, row_mean
from symtransformer.operations.row_sum import Broadcast, RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.square_root import SquareRoot
from symtransformer.operations.standard_deviation import StandardDeviation
from symtransformer.operations.standardization import Standardization
from symtransformer.symbols import Literal


def views(expression: Node) -> Iterator[Node]:
    """The expression, then with every composite written out, level by level, then head by head.

    >>> from symtransformer import matrix
    >>> from symtransformer.operations.scaled_dot_product_attention import ScaledDotProductAttention
    >>> for view in views(ScaledDotProductAttention(matrix("Q", 3, 2), matrix("K", 4, 2), matrix("V", 4, 2))):
    ...     print(view)
    Attention(Q, K, V)
    softmax(Q K^T / sqrt(2)) V
    """
    view, seen = _folded(expression), set[Node]()
    while view not in seen:
        yield view
        seen.add(view)
        view = _opened(view)
    apart = heads_apart(view)
    if apart not in seen:
        yield apart


def _opened(view: Node) -> Any:
    """Every composite by its definition, those inside of it left; cross-entropy with the logarithm of softmax."""

    def visit(node: Node, args: list[Any]) -> Any:
        same = all(a is b for a, b in zip(args, node.args, strict=True))
        whole = node if same else node.func(*args)
        if isinstance(whole, CrossEntropy):
            logits, targets = whole.args[:2]
            return reduced(-RowSum(Hadamard(targets, Logarithm(Softmax(logits)))), whole.argument("reduction"))
        return whole.definition().whole if isinstance(whole, Composite) else whole

    return view if view._plain else rebuild(view, visit, lambda arg: arg)


def _plain(view: Node) -> Any:
    """−broadcast(r) for broadcast(−r), and √(v, ε) for a root of the column v + ε, as they are read."""

    def visit(node: Node, args: list[Any]) -> Any:
        same = all(a is b for a, b in zip(args, node.args, strict=True))
        whole = node if same else node.func(*args)
        if isinstance(whole, Broadcast) and (column := negated(whole.args[0])) is not None:
            return -Broadcast(column, whole.args[1])
        if isinstance(whole, RowMean):
            return row_mean(whole.args[0])
        if isinstance(whole, SquareRoot) and isinstance(whole.args[0], Addition) and len(whole.args[0].args) == 2:
            for column, added in (whole.args[0].args, whole.args[0].args[::-1]):
                if (number := _repeated_number(added)) is not None:
                    return SquareRoot(column, whole.args[1] + number)
        return whole

    return rebuild(view, visit, lambda arg: arg)


def _repeated_number(column: Any) -> Any:
    """c of a column c, c, c; else None."""
    if isinstance(column, Product) and isinstance(column.args[0], Ones) and isinstance(column.args[1], Literal):
        return column.args[1].matrix[0, 0] if column.args[1].shape == (1, 1) else None
    if isinstance(column, Scaling) and isinstance(column.args[0], Ones):
        return column.args[1] / column.args[2]
    return None


def _folded(view: Node) -> Any:
    """What is written out, as e^s over its row sum, is the operation that it stands for."""
    view = _plain(view)
    for _ in range(2):  # the deviation of a row first, then what is divided by it
        view = _folded_once(view)
    return view


def _folded_once(view: Any) -> Any:
    rule = {}
    for node in postorder(view):
        logits = _logits(node)
        if logits is not None:
            rule[node] = Logarithm(Softmax(logits))
        if isinstance(node, RowDivision):
            above, below = node.args
            for whole in _may_be(above, below):
                if unfolded(whole.stages().whole) is unfolded(node) or _is_divided(node, whole):
                    rule.setdefault(node, whole)
        if isinstance(node, SquareRoot):
            for whole in _deviation(*node.args):
                if whole.stages().whole is node:
                    rule.setdefault(node, whole)
    return substitute(view, rule) if rule else view


def _logits(node: Any) -> Any:
    """L of L − logsumexp(L)."""
    if isinstance(node, Addition) and len(node.args) == 2:
        minus = negated(node.args[1])
        if isinstance(minus, Broadcast) and minus.args[0] is LogSumExp(node.args[0]):
            return node.args[0]
    return None


def _may_be(above: Any, below: Any) -> Iterator[Any]:
    if isinstance(above, Exponential):
        yield Softmax(above.args[0])
    if isinstance(above, Addition) and isinstance(below, (SquareRoot, StandardDeviation)):
        yield Standardization(above.args[0], below.args[1])
    if isinstance(below, RootMeanSquare) and below.args[0] is above:
        yield RMSDivision(above, below.args[1])


def _is_divided(node: Any, whole: Any) -> bool:
    """The rows of `whole` over their deviation, which stands there by name."""
    return (
        node is RowDivision(whole.stages().whole.args[0], type(node.args[1])(*whole.args))
        if isinstance(node.args[1], (StandardDeviation, RootMeanSquare))
        else False
    )


def _deviation(inside: Any, eps: Any) -> Iterator[Any]:
    """The root of a mean of squares."""
    total = inside.args[0] if isinstance(inside, Scaling) else None
    if isinstance(total, RowSum) and isinstance(total.args[0], Hadamard):
        rows = total.args[0].args[0]
        if isinstance(rows, Addition):
            yield from (StandardDeviation(part, eps) for part in rows.args)
        yield RootMeanSquare(rows, eps)
