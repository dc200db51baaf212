"""What the parts that an expression takes of its matrices say of sizes: columns 2 and 3 of d are there only if d - 3 ≥ 0."""

from __future__ import annotations

from typing import Any

from sympy import Symbol

from symtransformer.errors import SymtransformerError
from symtransformer.formulas.entries import Reader
from symtransformer.formulas.terms import number_in, spend
from symtransformer.node import Node, postorder
from symtransformer.operations.concatenation import ColumnPad, ColumnSlice
from symtransformer.operations.rows import RowPad, RowSlice

AXES = {RowSlice: 0, RowPad: 0, ColumnSlice: 1, ColumnPad: 1}


def remember_rooms(reader: Reader, *roots: Node) -> None:
    """Further down in this proof what is left beside such a part is known to be no less than 0; equal is meant where both are defined."""
    rooms = {_room(node) for node in postorder(*roots) if type(node) in AXES}
    found = []
    for room in sorted(rooms, key=str):
        if not all(isinstance(s, Symbol) and s.is_positive for s in room.free_symbols):
            continue  # a head, or a place that is counted, is none of the sizes
        try:
            formula = reader.formula(room, {})
        except SymtransformerError:
            continue
        found += [formula] if number_in(formula) is None else []
    spend(0).rooms = tuple(found)


def _room(node: Any) -> Any:
    """How many rows or columns there are beyond the last of the part."""
    axis, (block, start, size) = AXES[type(node)], node.args
    if isinstance(node, (ColumnPad, RowPad)):
        return size - start - block.shape[axis]
    return block.shape[axis] - start - size
