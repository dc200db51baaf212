"""How often a size can be multiplied with itself in an expression: a polynomial of degree k has at most k zeros.

Two sides that agree at more sizes than the degree of their difference do not agree by the choice of sizes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Add, Basic, Derivative, KroneckerDelta, Mul, Pow, Sum, ceiling

from symtransformer.arguments import SCALAR
from symtransformer.node import Node, postorder
from symtransformer.operation import Operation
from symtransformer.operations.addition import Addition
from symtransformer.operations.column_sum import ColumnSum
from symtransformer.operations.concatenation import Concatenation
from symtransformer.operations.product import Product
from symtransformer.operations.row_sum import RowSum
from symtransformer.symbols import Entry, Letter, Literal

Degrees = dict[Basic, int]


def larger(*degrees: Mapping[Basic, int]) -> Degrees:
    """Of a sum."""
    return {s: max(own.get(s, 0) for own in degrees) for s in set().union(*degrees)}


def together(*degrees: Mapping[Basic, int]) -> Degrees:
    """Of a product."""
    return {s: sum(own.get(s, 0) for own in degrees) for s in set().union(*degrees)}


def degrees_of(root: Any, known: dict[Node, Degrees] | None = None) -> Degrees:
    """The degree in each letter that counts something, at most; of an expression, or of a formula of entries.

    >>> from symtransformer import dimension, matrix
    >>> n, d = dimension("n"), dimension("d")
    >>> degrees_of((n - 1) * (n - 2) * matrix("X", n, d) + matrix("X", n, d) / n)[n]
    2
    """
    known = {} if known is None else known
    if not isinstance(root, Node):
        return _of_formula(root, known)
    for node in postorder(root):
        if node not in known:
            known[node] = _of_node(node, known)
    return known[root]


def _of_node(node: Node, known: dict[Node, Degrees]) -> Degrees:
    inside = [known[child] for child in node._children]
    if isinstance(node, Literal):
        return larger(*(_of_formula(x, known) for x in node.matrix.flat()))
    if isinstance(node, (Addition, Concatenation)):
        return larger(*inside)
    if not isinstance(node, Operation):
        return {}
    numbers = [
        _of_formula(arg, known)
        for arg, parameter in zip(node.args, node.parameters, strict=False)
        if parameter.kind == SCALAR and not isinstance(arg, Node)
    ]
    found = together(*inside, *numbers)
    for position in node.bound:  # a head counts as far as there are heads
        head, count = node.args[position : position + 2]
        found = together(
            {s: k for s, k in found.items() if s != head}, dict.fromkeys(count.free_symbols, found.get(head, 0))
        )
    return together(found, dict.fromkeys(_summed_over(node), 1))


def _summed_over(node: Any) -> set[Basic]:
    """The letters of a size over which numbers are added up that may be the same."""
    if isinstance(node, Product):
        constant = any(not any(isinstance(x, Letter) for x in factor._free) for factor in node._children)
        return node.args[0].shape[1].free_symbols if constant else set()  # type: ignore[no-any-return]
    if isinstance(node, (RowSum, ColumnSum)):
        return node.args[0].shape[isinstance(node, RowSum)].free_symbols  # type: ignore[no-any-return]
    return set().union(*(node.args[k + 1].free_symbols for k in node.bound))


def _of_formula(x: Any, known: dict[Node, Degrees]) -> Degrees:
    if isinstance(x, Entry):
        return degrees_of(x.parent, known) if isinstance(x.parent, Node) else {}
    if x.is_Symbol:
        return {x: 1} if x.is_integer else {}
    if isinstance(x, KroneckerDelta):
        return {}
    if isinstance(x, Add):
        return larger(*(_of_formula(a, known) for a in x.args))
    if isinstance(x, Pow) and x.exp.is_Rational:
        return {s: k * int(ceiling(abs(x.exp))) for s, k in _of_formula(x.base, known).items()}
    if isinstance(x, Pow):
        return together(_of_formula(x.base, known), _of_exponent(x.exp, known))
    if isinstance(x, Sum):
        ranges = [dict.fromkeys(high.free_symbols, 1) for _, _, high in x.limits]
        return together(_of_formula(x.function, known), *ranges)
    if isinstance(x, Derivative):
        return _of_formula(x.expr, known)
    return together(*(_of_formula(a, known) for a in x.args))


def _of_exponent(x: Any, known: dict[Node, Degrees]) -> Degrees:
    """Of 2**(3 n), which is a third power of 2**n."""
    terms = [together(_of_formula(a, known)) for a in Add.make_args(x)]
    factors = [int(ceiling(abs(Mul(*(f for f in Mul.make_args(a) if f.is_Rational))))) for a in Add.make_args(x)]
    return larger(*({s: k * factor for s, k in own.items()} for own, factor in zip(terms, factors, strict=True)))


__all__ = ["Degrees", "degrees_of", "larger", "together"]
