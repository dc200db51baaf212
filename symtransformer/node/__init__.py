"""The interned SymPy matrix expression that every letter and every operation is.

A Transformer is small as a graph and astronomically large as a tree, and SymPy walks
trees. So equal expressions are one object here (`==` is `is`), shape and free symbols are
computed once, and every SymPy method that would walk a tree is answered by one iterative
walk over the distinct nodes.

Outside that promise stay SymPy's own functions on a nested expression (`expand`,
`simplify`, `preorder_traversal`) and stock parents such as `MatAdd(X, e)`.
"""

from __future__ import annotations

from symtransformer.display import InNotebooks
from symtransformer.node.alike import Alike, add_alike, alike, interned_letter
from symtransformer.node.door import ABSENT, CONVERTERS, OPERATORS, as_node, check_index
from symtransformer.node.facts import Facts, FactsOfLetters, facts_of, symbols_of
from symtransformer.node.flat import Reference, digest, flatten, restore
from symtransformer.node.stock import AnsweringSymPy
from symtransformer.node.walks import in_order_of_reading, postorder, rebuild, substitute


class Node(InNotebooks, AnsweringSymPy):
    """A matrix expression of which there is one object for each distinct meaning."""

    __slots__ = ()


__all__ = [
    "ABSENT", "CONVERTERS", "OPERATORS", "Alike", "Facts", "FactsOfLetters", "Node", "Reference", "add_alike", "alike",
    "as_node", "check_index", "digest", "facts_of", "flatten", "in_order_of_reading", "interned_letter", "postorder",
    "rebuild", "restore", "substitute", "symbols_of",
]  # fmt: skip
