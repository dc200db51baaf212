"""Names for the parts of an expression that nobody named: S = Q K^T / sqrt(d_k), A = softmax(S), Z = A V.

A part is named where something that is not linear reads it or makes it, and where it is a factor of a
product; so every step is either linear, or one function.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from symtransformer.derivation import Derivation
from symtransformer.node import Node, as_node, postorder
from symtransformer.notation import Words
from symtransformer.operation import Composite, Operation
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.mask import Mask
from symtransformer.operations.product import Product
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.softmax import Softmax
from symtransformer.operations.transpose import Transpose
from symtransformer.scalars import another_name, other_letter
from symtransformer.symbols import Letter
from symtransformer.unfolding import derive

LINEAR = frozenset(
    ["Addition", "Broadcast", "ColumnPad", "ColumnSlice", "ColumnSum", "Concatenation", "HeadConcatenation", "HeadSum",
     "Mask", "PairTurn", "Row", "RowConcatenation", "RowMean", "RowPad", "RowSlice", "RowSum", "Scaling", "Transpose"]
)  # fmt: skip
READ, MADE = ("T", "T"), {
    "Softmax": ("S", "A"), "LogSumExp": ("L", "T"), "Standardization": ("R", "L"), "RMSDivision": ("R", "L"),
    "ReLU": ("P", "F"), "GELU": ("P", "F"), "GELUTanh": ("P", "F"), "SiLU": ("P", "F"), "Sigmoid": ("P", "F"),
    "Tanh": ("P", "F"),
}  # fmt: skip


def derive_named(
    targets: Mapping[str, Node],
    *,
    names: Mapping[Node, str] | None = None,
    title: Words | None = None,
    values: Mapping[Any, Any] | None = None,
    **further: Any,
) -> Derivation:
    """The steps of named expressions, the last one without a name if that is "", with usual names for the parts.

    `names` names parts by choice, as in `derive`, which takes what is given further.

    >>> from symtransformer.reading import read_expression
    >>> for step in derive_named(read_expression("softmax(Q K^T / sqrt(d_k)) V").names).steps:
    ...     print(step.letter, "=", step.expression)
    S = Q K^T / sqrt(d_k)
    A = softmax(S)
    Z = A V
    """
    targets, chosen = {name: as_node(node) for name, node in targets.items()}, dict(names or {})
    forward = derive(_subject(targets), names=chosen, title=title, values=values)
    known = {step.stands_for for step in forward.steps} | {*targets.values(), *chosen}
    taken = {str(thing.name) for step in forward.steps for thing in step.definition._mentions}  # type: ignore[attr-defined]
    taken |= {step.name for step in forward.steps} | set(targets)
    last, others = targets.get(""), taken
    if last is not None and not isinstance(last, Composite):
        taken = others = taken - {forward.steps[-1].name}
        targets = {
            (_free(_last_name(last, taken), taken) if node is last else name): node for name, node in targets.items()
        }
        taken = taken | set(targets)
    parts = {part: name for part, name in named_parts(targets, taken, others).items() if part not in known}
    return derive(_subject(targets), names=chosen | parts, title=title, values=values, **further)


def _subject(targets: Mapping[str, Node]) -> Any:
    return targets[""] if list(targets) == [""] else targets


def named_parts(targets: Mapping[str, Node], taken: set[str], others: set[str]) -> dict[Node, str]:
    """A name for each part that is worth one, unlike all that are taken; `others` are names of something else."""
    names: dict[Node, str] = {}
    used, instead = set(taken), dict[str, str]()
    for part, wanted in _parts(list(targets.values())):
        if part not in names and part not in targets.values():
            name = instead.setdefault(wanted, other_letter(wanted, used)) if wanted in others else wanted
            names[part] = _free(name, used)
            used.add(names[part])
    return names


def _parts(roots: list[Node]) -> Iterator[tuple[Node, str]]:
    for node in postorder(*roots):
        if not isinstance(node, Operation) or not node._children:
            continue
        linear = type(node).__name__ in LINEAR
        factors = isinstance(node, (Product, Hadamard))
        for child in node._children if not linear else ():
            inner = _without_views(child)
            if isinstance(inner, Operation) and inner._children and not isinstance(inner, Composite):
                yield inner, _name_of(inner, "T" if factors else MADE.get(type(node).__name__, READ)[0])
        if node not in roots and not linear and not factors:
            yield node, _name_of(node)


def _without_views(node: Node) -> Node:
    """What is transposed, scaled or masked: that has the name."""
    while isinstance(node, (Transpose, Mask)) or (
        isinstance(node, Scaling) and not isinstance(node._children[0], Product)
    ):
        node = node._children[0]
    return node


def _name_of(node: Node, otherwise: str = "Y") -> str:
    """Q for X W_Q, Z for softmax(...) V, J for a loss."""
    if isinstance(node, Composite):
        return node.letter
    if isinstance(node, Product):
        left, right = node._children
        if isinstance(left, Softmax):
            return "Z"
        low = right.name.rpartition("_")[2] if isinstance(right, Letter) and "_" in right.name else ""
        if otherwise != "Y" and len(low) == 1 and low.isalpha() and low.isupper():
            return low
    made = MADE.get(type(node).__name__)
    return made[1] if made else "J" if otherwise == "Y" and node.shape == (1, 1) else otherwise


def _last_name(node: Node, taken: set[str]) -> str:
    name = _name_of(node)
    return other_letter(name, taken) if name in taken else name


def _free(name: str, taken: set[str]) -> str:
    """The name, or one like it that nothing bears: P_2 beside P, Y2_ls beside Y_ls."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = another_name(name, number, taken) if "_" in name else f"{name}_{number}"
    return free
