"""NumPy functions of expressions: one Python function, each distinct node computed once.

Names that somebody chose never become code: letters are renamed a0, a1, ...,
sizes and head letters b0, b1, ... first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from sympy import Symbol, lambdify, srepr

from symtransformer.errors import UnreadableInput
from symtransformer.node import Node, postorder, rebuild
from symtransformer.operation import Operation, unfolded
from symtransformer.symbols import Letter


@lru_cache(maxsize=64)  # compiling takes far longer than a call
def numpy_function(expression: Node) -> tuple[Callable[..., Any], tuple[Letter, ...]]:
    """A function of arrays, and the letters that it takes, in order of first appearance.

    A family of letters takes one array with the head axis first. The result has the type of the
    arrays, such as float32, also where constants are doubles; whole numbers are taken as doubles.

    >>> from symtransformer import dimension, matrix
    >>> X = matrix("X", dimension("n"), 2)
    >>> function, letters = numpy_function(X @ X.T)
    >>> import numpy as np
    >>> function(np.array([[1.0, 2.0]])), letters
    (array([[5.]]), (X,))
    """
    root = unfolded(expression)
    names: dict[Letter, str] = {}
    shown: dict[Letter, Letter] = {}
    for node in postorder(root):
        if isinstance(node, Letter):
            names.setdefault(node.family, f"a{len(names)}")
            shown.setdefault(node.family, node)
    plain = _with_plain_names(root, names)
    # an operation before a function of NumPy of the same name, such as Heaviside
    own = {type(node).__name__: type(node) for node in postorder(plain) if isinstance(node, Operation)}
    # no docstring: SymPy would measure the expression by a walk over its tree
    arguments = [Symbol(name) for name in names.values()]
    compiled = lambdify(arguments, plain, modules=[own, "numpy"], docstring_limit=None)

    def function(*arrays: Any) -> Any:
        found = [np.asarray(array).dtype for array in arrays]
        kind = np.result_type(*(d if d.kind == "f" else np.float64 for d in found)) if found else np.float64
        return compiled(*(np.asarray(array, kind) for array in arrays)).astype(kind, copy=False)

    return function, tuple(shown[family] for family in names)


def _with_plain_names(root: Node, names: dict[Letter, str]) -> Node:
    """Letters as named; sizes, parameters and head letters as b0, b1, ..., with the same assumptions."""
    counted = {node.args[k] for node in postorder(root) for k in node.bound}
    sizes = {s for node in postorder(root) if isinstance(node, Letter) for s in node.shape if s.is_Symbol}
    symbols = sorted((s for s in root._mentions if isinstance(s, Symbol)), key=srepr)
    unknown = [str(s) for s in symbols if s not in counted | sizes]
    if unknown:
        raise UnreadableInput(f"NumPy code: {', '.join(unknown)} has no value; put a number in first, as by subs")
    symbols += sorted(counted - set(symbols), key=srepr)
    rule = {s: Symbol(f"b{k}", **s.assumptions0) for k, s in enumerate(symbols)}

    def renamed(node: Node, args: list[Any]) -> Any:
        scalars = [a if isinstance(a, Node) else a.xreplace(rule) for a in args]
        if isinstance(node, Letter):
            return Letter(names[node.family], *scalars[1:])
        return node.func(*scalars)

    plain: Node = rebuild(root, renamed, lambda scalar: scalar)
    return plain
