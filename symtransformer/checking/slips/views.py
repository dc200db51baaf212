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
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_sum import Broadcast, RowSum
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.square_root import SquareRoot
from symtransformer.operations.standardization import Standardization


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


def _folded(view: Node) -> Any:
    """What is written out, as e^s over its row sum, is the operation that it stands for."""
    rule = {}
    for node in postorder(view):
        logits = _logits(node)
        if logits is not None:
            rule[node] = Logarithm(Softmax(logits))
        if isinstance(node, RowDivision):
            above, below = node.args
            for whole in _may_be(above, below):
                if unfolded(whole.stages().whole) is unfolded(node):
                    rule[node] = whole
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
    if isinstance(above, Addition) and isinstance(below, SquareRoot):
        yield Standardization(above.args[0], below.args[1])
