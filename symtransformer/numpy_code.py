"""NumPy functions of expressions: one Python function, each distinct node computed once.

Names that somebody chose never become code: every letter is renamed a0, a1, ... first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import Symbol, lambdify

from symtransformer.node import Node, postorder
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
    letters: dict[Letter, Letter] = {}
    families: dict[Letter, str] = {}
    for node in postorder(root):
        if isinstance(node, Letter):
            name = families.setdefault(node.family, f"a{len(families)}")
            letters[node] = Letter(name, *node.args[1:])
    root = root.xreplace(letters)
    function = lambdify([Symbol(name) for name in families.values()], root, modules="numpy")
    shown = {node.family: node for node in reversed(letters)}
    return function, tuple(shown[family] for family in families)
