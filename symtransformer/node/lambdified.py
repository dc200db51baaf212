"""What SymPy's `lambdify` prints of a node, and the search that it makes before: each node once."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sympy import Symbol

from symtransformer.node.interned import Interned
from symtransformer.node.walks import postorder

if TYPE_CHECKING:
    from symtransformer.node import Node

_lambdify_module: Any = sys.modules["sympy.utilities.lambdify"]  # the name `lambdify` there is the function


def tuple_of_steps(root: Node, printer: Any) -> str:
    """One tuple of assignments whose last member is the value: each node is computed once."""
    lines: list[str] = []
    names: dict[Node, str] = {}
    taken = {str(s) for s in root._mentions} | {str(x.args[0]) for x in postorder(root) if x.is_letter}
    for size, source in _sizes_to_read(root).items():
        lines.append(f"{size} := {source}")
    heads = {node.args[k] for node in postorder(root) for k in node.bound}
    for node in postorder(root):
        for position in node.bound:
            arange = printer._module_format(printer._module + ".arange")
            lines.append(f"{node.args[position]} := {arange}({printer.doprint(node.args[-1])})")
    for node in postorder(root):
        if node.is_letter:
            names[node] = node._numpy_call([], printer)
            continue
        # inside a family the head axis stands before the rows; what all heads share gets one of length 1
        inside = bool(node.bound or node._symbols & heads)
        arguments = [
            names[c] if not inside or c._symbols & heads else f"{names[c]}[..., None, :, :]" for c in node._children
        ]
        code = node._numpy_call(arguments, printer)
        name = f"step{len(names)}"
        while name in taken:
            name += "_"
        names[node] = name
        lines.append(f"{name} := {code}")
    if not lines:
        return names[root]
    return f"({', '.join(f'({line})' for line in lines)}, {names[root]})[-1]"


def _sizes_to_read(root: Node) -> dict[str, str]:
    """Sizes such as d_k that appear in formulas, read from the arrays that have them."""
    wanted = {s for node in postorder(root) for a in node.args if not isinstance(a, Interned) for s in a.free_symbols}
    sources: dict[str, str] = {}
    for node in postorder(root):
        if not node.is_letter:
            continue
        for axis, size in ((-2, node.shape[0]), (-1, node.shape[1])):
            if size in wanted and isinstance(size, Symbol):
                sources.setdefault(str(size), f"{node.args[0]}.shape[{axis}]")
    return dict(sorted(sources.items()))


def _without_nodes(stock: Callable[..., Any]) -> Callable[..., Any]:
    """lambdify looks for functions with an implementation of their own, in every argument of every
    argument, before it prints; of a nested expression it would visit the whole tree. Nodes are
    visited once each here, and only their scalar arguments are searched.
    """

    def find(expression: Any, namespace: Any = None) -> Any:
        if not isinstance(expression, Interned):
            return stock(expression, namespace)
        found = {} if namespace is None else namespace
        for node in postorder(expression):
            for arg in node.args:
                if not isinstance(arg, Interned):
                    stock(arg, found)
        return found

    return find


# the one place where SymPy is changed: it offers no hook here
if hasattr(_lambdify_module, "_imp_namespace"):
    _lambdify_module._imp_namespace = _without_nodes(_lambdify_module._imp_namespace)
