"""Numbers so small, so large or so near a limit that all bits could not show a difference between two sides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import flint
from sympy import Basic, Function, Pow, erf, erfc, exp, preorder_traversal, tanh

from symtransformer.enclosures import ball
from symtransformer.errors import LimitExceeded
from symtransformer.exact import Rows
from symtransformer.node import Node, postorder
from symtransformer.operations.gelu import GELU, GELUTanh, NormalDistribution
from symtransformer.operations.log_sum_exp import LogSumExp
from symtransformer.operations.sigmoid import Sigmoid, SiLU
from symtransformer.operations.tanh import Tanh
from symtransformer.symbols import Literal

POWER_OF_10 = 200
# 1 - tanh 200 and what e^-200 adds to 1 are still seen with 900 digits, and so is 1 - erf 20
FAR = {
    Tanh: 200,
    Sigmoid: 200,
    SiLU: 200,
    LogSumExp: 200,
    GELU: 20,
    GELUTanh: 20,
    NormalDistribution: 20,
    tanh: 200,
    erf: 20,
    erfc: 20,
    exp: 400,
}


def require_moderate(sides: Iterable[Node], sizes: Mapping[Basic, Basic], memo: Mapping[Any, Rows]) -> None:
    """`LimitExceeded` where a number met on the way is extreme; `memo` holds the value of every part."""
    for key, rows in memo.items():
        node, used = key if isinstance(key, tuple) else (key, ())
        require_within(rows)
        if type(node) in FAR:
            child = node._children[0]
            mentioned = set(map(str, child._mentions))
            of_child = tuple(pair for pair in used if pair[0] in mentioned)
            for row in memo[(child, of_child) if of_child else child]:
                for x in row:
                    if not isinstance(x, Basic) and not abs(x) < FAR[type(node)]:
                        raise LimitExceeded(f"{type(node).__name__} of a number too far from 0")
    for node in postorder(*sides):
        scalars = node.matrix.flat() if isinstance(node, Literal) else (a for a in node.args if not isinstance(a, Node))
        for scalar in scalars:
            _require_scalar(scalar.xreplace(dict(sizes)))


def require_within(rows: Rows) -> None:
    low, high = flint.arb(10) ** -POWER_OF_10, flint.arb(10) ** POWER_OF_10
    for row in rows:
        for x in row:
            if not isinstance(x, Basic) and not x.contains(0) and not low < abs(x) < high:
                raise LimitExceeded(f"a number on the way is not between 1e-{POWER_OF_10} and 1e{POWER_OF_10}")


def _require_scalar(scalar: Basic) -> None:
    for part in preorder_traversal(scalar):
        if part.is_number and (part.is_Rational or isinstance(part, (Pow, Function))):
            require_within([[ball(part)]])
        if type(part) in FAR and part.args[0].is_number and not abs(ball(part.args[0])) < FAR[type(part)]:
            raise LimitExceeded(f"{type(part).__name__} of a number too far from 0")
