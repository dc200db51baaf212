"""The flat form of an expression, a table of its distinct nodes: for pickling, `srepr` and digests."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from sympy import Basic, srepr
from sympy.core.sympify import _sympify

from symtransformer.node.interned import Interned
from symtransformer.node.walks import postorder

if TYPE_CHECKING:
    from symtransformer.node import Node


class Reference(Basic):
    """A row of the flat table."""

    def __new__(cls, index: Any) -> Reference:
        return Basic.__new__(cls, _sympify(index))  # type: ignore[return-value]

    @property
    def index(self) -> int:
        return int(self.args[0])


def flatten(root: Node) -> tuple[tuple[type[Node], tuple[Any, ...]], ...]:
    """The graph as a table: one row a node, arguments by row number."""
    index: dict[Node, int] = {}
    rows: list[tuple[type[Node], tuple[Any, ...]]] = []
    for node in postorder(root):
        args = tuple(Reference(index[a]) if isinstance(a, Interned) else a for a in node.args)
        index[node] = len(rows)
        rows.append((type(node), args))
    return tuple(rows)


def restore(rows: tuple[tuple[type[Node], tuple[Any, ...]], ...]) -> Node:
    """The node of a flat table (the inverse of `flatten`)."""
    made: list[Node] = []
    for kind, args in rows:
        made.append(kind(*(made[a.index] if isinstance(a, Reference) else a for a in args)))
    return made[-1]


def digest(root: Node) -> str:
    """A text that is the same in every run for the same expression; orders nodes."""
    for node in postorder(root):
        if not hasattr(node, "_digest"):
            parts = [type(node).__name__]
            parts += [a._digest if isinstance(a, Interned) else srepr(a) for a in node.args]
            node._digest = hashlib.blake2b("\x1f".join(parts).encode(), digest_size=12).hexdigest()
    return root._digest
