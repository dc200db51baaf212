"""A formula of entries that is, on the document's own numbers, an operation of matrices that slips look for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from sympy import S, sqrt

from symtransformer.checking.slips.records import Known, ball_rows, put_in
from symtransformer.checking.slips.score_gradient import through_softmax
from symtransformer.checking.slips.softmax_gradient import jacobian
from symtransformer.enclosures import precision
from symtransformer.errors import SymtransformerError
from symtransformer.node import Node, postorder, substitute
from symtransformer.operations.entry_formula import EntryFormula
from symtransformer.operations.product import Product
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.transpose import Transpose


def recognized(view: Node, known: Known) -> Any:
    """The same with Σ_j A_ij B_jc written A B, A_ij (dA_ij − Σ_k A_ik dA_ik) by its matrices, and so on.

    That both are equal is seen on the document's numbers only, which is enough to ask what a slip would give there.
    """
    rule: dict[Node, Node] = {}
    for node in postorder(view):
        if isinstance(node, EntryFormula):
            for other in _meant(node):
                if other.shape == node.shape and _is_same(node, other, known):
                    rule[node] = other
                    break
    return substitute(view, rule) if rule else view


def _meant(node: Any) -> Iterator[Any]:
    parts = node._children
    if len(parts) == 1 and 1 in parts[0].shape:
        yield jacobian(parts[0] if parts[0].shape[1] == 1 else Transpose(parts[0]))
    for left, right in (parts, parts[::-1]) if len(parts) == 2 else ():
        if left.shape == right.shape == node.shape:
            yield through_softmax(left, right)
        for one in (left, Transpose(left)):
            for other in (right, Transpose(right)):
                if one.shape[1] == other.shape[0]:
                    product = Product(one, other)
                    yield product
                    for width in dict.fromkeys((left.shape[1], right.shape[1])):
                        yield Scaling(product, S.One, sqrt(width))


def _is_same(one: Node, other: Node, known: Known) -> bool:
    with suppress(SymtransformerError):
        pairs = zip(ball_rows(put_in(one, known)), ball_rows(put_in(other, known)), strict=True)
        with precision(64):
            return all(bool((x - y).contains(0)) for row, same in pairs for x, y in zip(row, same, strict=True))
    return False
