"""Writing an expression: each distinct node once, from the forms that operations declare."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sympy import Basic

from symtransformer.dialects import Dialect
from symtransformer.node import ABSENT, Node, postorder
from symtransformer.notation import Piece, counts_from_zero, from_one
from symtransformer.symbols import Letter, Literal


def heads_of(*roots: Node) -> frozenset[Basic]:
    """The letters that count heads: bound ones, and those of a letter of one head."""
    bound = {node.args[k] for node in postorder(*roots) for k in node.bound}
    of_letters = {
        s for x in postorder(*roots) if isinstance(x, Letter) and x.head is not None for s in x.head.free_symbols
    }
    return frozenset(bound | {s for s in of_letters if counts_from_zero(s)})


def written(root: Node, dialect: Dialect, heads: frozenset[Basic] | None = None) -> str:
    """The expression in one line, or its named steps with a list of what each stands for.

    Letters that count heads count from 1 in print; those not among `heads` stay as they are.
    """
    heads = heads_of(root) if heads is None else heads
    pieces: dict[Node, Piece] = {}
    listed: list[str] = []
    names = _step_names(root)
    uses = _uses(root)
    for node in postorder(root):
        piece = _piece(node, dialect, pieces, heads)
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


def piece_of(
    root: Node,
    dialect: Dialect,
    leaf: Callable[[Node], Piece | None] | None = None,
    heads: frozenset[Basic] = frozenset(),
) -> Piece:
    """One named step, written without any cut."""
    pieces: dict[Node, Piece] = {}
    heads = heads | heads_of(root)
    for node in postorder(root):
        pieces[node] = (leaf(node) if leaf else None) or _piece(node, dialect, pieces, heads)
    return pieces[root]


def _piece(node: Node, dialect: Dialect, pieces: dict[Node, Piece], heads: frozenset[Basic]) -> Piece:
    if isinstance(node, Letter):
        head = from_one(node.head, heads)
        return Piece(dialect.letter(node.name, head), of_letter=(node.name, head))
    if isinstance(node, Literal):
        return Piece(dialect.matrix([[from_one(x, heads) for x in row] for row in node.matrix.tolist()]))
    scalars = [
        a if k in node.bound else from_one(a, heads)
        for k, a in enumerate(node.args)
        if not isinstance(a, Node) and a != ABSENT
    ]
    return dialect.write(node.form(), [_named(node, k, pieces[a], dialect) for k, a in _matrices(node)], scalars)


def _matrices(node: Node) -> list[tuple[int, Node]]:
    return [(k, a) for k, a in enumerate(node.args) if isinstance(a, Node)]


def _named(node: Node, k: int, piece: Piece, dialect: Dialect) -> Piece:
    """With its name in front, where an argument before it is left out and order alone would mislead."""
    name = node._named(k)
    return Piece(dialect.named(name, piece.text)) if name else piece


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
