"""Writing an expression: each distinct node once, from the forms that operations declare."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from symtransformer.dialects import Dialect
from symtransformer.node import Node, postorder
from symtransformer.notation import Piece
from symtransformer.symbols import Letter


def written(root: Node, dialect: Dialect) -> str:
    """The expression in one line, or its named steps with a list of what each stands for."""
    pieces: dict[Node, Piece] = {}
    listed: list[str] = []
    names = _step_names(root)
    uses = _uses(root)
    for node in postorder(root):
        piece = _piece(node, dialect, pieces)
        shared = uses[node] > 1 and node.form() is not None
        if node is not root and node._children and (len(piece.text) > 240 or (shared and len(piece.text) > 12)):
            name = next(names)
            listed.append(f"{dialect.letter(name)} = {piece.text}")
            piece = Piece(dialect.letter(name))
        pieces[node] = piece
    text = pieces[root].text
    if not listed:
        return text
    comma = r",\quad " if dialect.name == "latex" else ", "
    where = r"\quad\text{where }" if dialect.name == "latex" else " where "
    return text + where + comma.join(listed)


def piece_of(root: Node, dialect: Dialect, leaf: Callable[[Node], Piece | None] | None = None) -> Piece:
    """One named step, written without any cut."""
    pieces: dict[Node, Piece] = {}
    for node in postorder(root):
        pieces[node] = (leaf(node) if leaf else None) or _piece(node, dialect, pieces)
    return pieces[root]


def _piece(node: Node, dialect: Dialect, pieces: dict[Node, Piece]) -> Piece:
    if isinstance(node, Letter):
        return Piece(node._written(dialect.name), of_letter=(node.name, node.head))
    if node.form() is None:
        return Piece(node._written(dialect.name))
    scalars = [a for a in node.args if not isinstance(a, Node)]
    return dialect.write(node.form(), [pieces[a] for a in node._children], scalars)


def _uses(root: Node) -> dict[Node, int]:
    uses: dict[Node, int] = {root: 0}
    for node in postorder(root):
        for child in node._children:
            uses[child] = uses.get(child, 0) + 1
    return uses


def _step_names(root: Node) -> Iterator[str]:
    taken = {node.name for node in postorder(root) if isinstance(node, Letter)}
    number = 1
    while True:
        if f"T_{number}" not in taken:
            yield f"T_{number}"
        number += 1
