"""How many matrices a letter stands for: one for each head where an operation counts heads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Basic

from symtransformer.node import postorder
from symtransformer.operation import Operation
from symtransformer.reading.result import Reading
from symtransformer.symbols import Letter


def families(reading: Reading) -> dict[str, Any]:
    """Of each letter with a matrix for each head, the number of heads, a number or a letter; W_Q^(2) needs at least 2."""
    found: dict[str, Any] = {}
    for _, line in reading.lines:
        for node in postorder(line):
            if isinstance(node, Letter) and node.head is not None and node.head.is_Integer:
                found.setdefault(node.name, None)
            if not isinstance(node, Operation) or not node.bound:
                continue
            head: Basic = node.args[node.bound[0]]
            count = node.argument("heads") or node.argument("count")
            for argument in node.args:
                for letter in argument.atoms(Letter) if isinstance(argument, Basic) else ():
                    if letter.head is not None and letter.head.has(head):
                        found[letter.name] = count
    return found


def misfit(name: str, count: Any, value: Any, levels: int, known: Mapping[Any, Any]) -> str:
    """What is wrong with the number of matrices of a letter; nothing where it is right."""
    heads = count.xreplace(known) if count is not None else None
    if levels == 3 and heads is not None and heads.is_Integer and heads != len(value):
        return f"{name}: expected {heads} matrices, one for each head, got {len(value)}"
    if levels == 2 and (heads is None or heads != 1):
        wanted = f"{heads} matrices" if heads is not None else "a matrix"
        return f"{name}: expected {wanted}, one for each head, as in [[[1, 0]], [[0, 1]]], got one matrix"
    return ""
