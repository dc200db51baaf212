"""The door: what may stand beside a node, and what Python's operators build; operations and letters enter themselves."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sympy import Basic, MatrixExpr
from sympy.core.symbol import Str
from sympy.core.sympify import SympifyError, _sympify

from symtransformer.errors import NotSupported, UnreadableInput
from symtransformer.node.interned import Interned

if TYPE_CHECKING:
    from symtransformer.node import Node

ABSENT = Str("")  # stands where an optional argument is left out before one that is given
# What `+`, `@`, `*`, `/`, `.T` build. Operations enter themselves here, because they are
# written in terms of nodes and not the other way round.
OPERATORS: dict[str, Callable[..., Node]] = {}
# How a foreign matrix becomes a node, by type; filled by `symbols` and by operations.
CONVERTERS: list[tuple[type, Callable[[Any], Node]]] = []


def operator_named(name: str) -> Callable[..., Node]:
    if name not in OPERATORS:
        importlib.import_module("symtransformer.operations")
    return OPERATORS[name]


def check_index(node: Node, i: Basic, j: Basic) -> None:
    """Entries are counted from 0, and only from the front."""
    for index, size, what in ((i, node.shape[0], "row"), (j, node.shape[1], "column")):
        if index.is_Integer and (index < 0 or (size.is_Integer and index >= size)):  # type: ignore[operator]
            raise IndexError(f"{what} {index} of a matrix with {size} {what}s (Python counts from 0)")


def as_node(value: Any) -> Node:
    """A node from a node, an explicit matrix, an array, or one of SymPy's matrix expressions."""
    if isinstance(value, Interned):
        return value  # type: ignore[return-value]
    for kind, convert in CONVERTERS:
        if isinstance(value, kind):
            return convert(value)
    if hasattr(value, "__array__") and getattr(value, "ndim", 0) == 2:
        return as_node(_from_array(value))
    if isinstance(value, MatrixExpr):
        raise NotSupported(
            f"no operation of this library stands for SymPy's {type(value).__name__}; "
            "build the expression from matrix letters and symtransformer.operations"
        )
    if isinstance(value, str):
        shown = f"{value[:37]}..." if len(value) > 40 else value
        raise UnreadableInput(
            f"expected a matrix, got the text {shown!r}; read it first: read_expression(text).expression"
        )
    raise UnreadableInput(f"expected a matrix, got {type(value).__name__}; pass a matrix letter or a SymPy Matrix")


def _from_array(value: Any) -> Any:
    from_rows = {k.__name__: f for k, f in CONVERTERS}["list"]
    return from_rows([list(row) for row in value])


def node_or_none(value: Any) -> Node | None:
    try:
        return as_node(value)
    except (UnreadableInput, NotSupported):
        return None


def scalar_or_none(value: Any) -> Any:
    if isinstance(value, (Interned, str)) or (hasattr(value, "shape") and getattr(value, "shape", ()) != ()):
        return None
    try:
        scalar = _sympify(value)
    except SympifyError:
        return None
    return None if getattr(scalar, "is_Matrix", False) else scalar
