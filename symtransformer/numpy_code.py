"""NumPy functions of expressions: one Python function, each distinct node computed once.

Names that somebody chose never become code: every letter is renamed a0, a1, ... first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import Symbol, lambdify

from symtransformer.node import Node, postorder, rebuild
from symtransformer.operation import unfolded
from symtransformer.symbols import Letter


def numpy_function(expression: Node) -> tuple[Callable[..., Any], tuple[Letter, ...]]:
    """A function of arrays, and the letters that it takes, in order of first appearance.

    A family of letters takes one array with the head axis first.

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

    def renamed(node: Node, args: list[Any]) -> Any:
        if isinstance(node, Letter):
            return Letter(names[node.family], *node.args[1:])
        return node.func(*args)

    plain = rebuild(root, renamed, lambda scalar: scalar)
    function = lambdify([Symbol(name) for name in names.values()], plain, modules="numpy", docstring_limit=None)
    return function, tuple(shown[family] for family in names)
