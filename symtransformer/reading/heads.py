"""How many matrices a letter stands for: one for each head where an operation counts heads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sympy import Basic

from symtransformer.node import Node, postorder
from symtransformer.operation import Operation
from symtransformer.symbols import Letter

if TYPE_CHECKING:
    from symtransformer.reading.result import Reading


def families(reading: Reading) -> dict[str, tuple[Any, int, str]]:
    """Of each letter with a matrix for each head or group, their number (or None), how many at least, and of what."""
    found: dict[str, tuple[Any, int, str]] = {}
    for _, line in reading.lines:
        for node in postorder(line):
            if isinstance(node, Letter) and node.head is not None and node.head.is_Integer:
                count, least, of = found.get(node.name, (None, 1, "head"))
                found[node.name] = count, max(least, int(node.head) + 1), of
            if not isinstance(node, Operation) or not node.bound:
                continue
            head: Basic = node.args[node.bound[0]]
            count = node.argument("heads") or node.argument("count")
            in_groups = {node.argument(name) for name in getattr(node, "of_each_group", ())}
            for argument in node.args:
                members, of = (node.argument("groups"), "group") if argument in in_groups else (count, "head")
                for letter in argument.atoms(Letter) if isinstance(argument, Basic) else ():
                    if letter.head is not None and letter.head.has(head):
                        found[letter.name] = members, found.get(letter.name, (None, 1, ""))[1], of
    return found


def with_and_without_head(lines: Iterable[Node]) -> list[str]:
    """Letters that stand for a matrix of their own and for one of many in the same text."""
    letters = {x for line in lines for x in postorder(line) if isinstance(x, Letter)}
    return sorted({x.name for x in letters if x.head is None} & {x.name for x in letters if x.head is not None})


def misfit(name: str, wanted: tuple[Any, int, str], value: Any, levels: int, known: Mapping[Any, Any]) -> str:
    """What is wrong with the number of matrices of a letter; nothing where it is right."""
    count, least, of = wanted
    heads = count.xreplace(known) if count is not None else None
    if levels == 3 and len(value) < least:
        return f"{name}: expected at least {least} matrices, for {name}^({least}), got {len(value)}"
    if levels == 3 and heads is not None and heads.is_Integer and heads != len(value):
        return f"{name}: expected {heads} matrices, one for each {of}, got {len(value)}"
    if levels == 2 and (heads is None or heads != 1):
        expected = f"{heads} matrices" if heads is not None else f"{least} matrices or more"
        return f"{name}: expected {expected}, one for each {of}, as in [[[1, 0]], [[0, 1]]], got one matrix"
    return ""
