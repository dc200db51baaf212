"""How much work the values at points may take together: products of entries, counted before any is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import prod
from typing import Any

from sympy import Basic

from symtransformer.errors import LimitExceeded
from symtransformer.node import Node, postorder
from symtransformer.operation import unfolded
from symtransformer.operations.product import Product
from symtransformer.random_points import Point

PRODUCTS_AT_MOST, OF_A_NODE = 5_000_000, 200  # a node takes time, however small it is


class Work:
    """What is left for all the points at which these expressions are compared."""

    def __init__(self, roots: Iterable[Node], at_most: int = PRODUCTS_AT_MOST) -> None:
        self.left = self.at_most = at_most
        nodes = list(postorder(*map(unfolded, roots)))
        self.heads = {node.args[-1] for node in nodes if node.bound}
        self.sizes = Counter(
            (
                (*node.shape, *(node._children[0].shape[1:] if isinstance(node, Product) else ())),
                bool(node._open_symbols),
            )
            for node in nodes
        )

    def spend(self, point: Point) -> None:
        """`LimitExceeded` where the values at this point take more than what is left."""
        known = {**point.parameters, **point.sizes}
        heads = max((_number(count, known) for count in self.heads), default=1)
        products = sum(
            times * (heads if is_of_heads else 1) * (OF_A_NODE + prod(_number(size, known) for size in sizes))
            for (sizes, is_of_heads), times in self.sizes.items()
        )
        if products > self.left:
            raise LimitExceeded(
                f"the values at all points together would take more than {self.at_most} products of entries"
            )
        self.left -= products


def _number(size: Any, known: Mapping[Basic, Basic]) -> int:
    number = size.xreplace(known)
    return int(number) if number.is_Integer else 1
