"""The line as it should stand: the formula with its own numbers put in, and its right value."""

from __future__ import annotations

import re

from symtransformer.checking.definitions import Cells, Definitions
from symtransformer.checking.number_equations import written_cells
from symtransformer.dialects import TEXT
from symtransformer.node import Node
from symtransformer.notation import ATOM, Piece
from symtransformer.operations.concatenation import ColumnSlice
from symtransformer.operations.rows import Row
from symtransformer.reading.sides import Side
from symtransformer.symbols import Letter, Literal
from symtransformer.writing import piece_of

CHARACTERS_AT_MOST = 400
SIMPLE = re.compile(r"\w+(?:\([^()]*\))?|\[[^\[\]]*\]")  # an index may stand behind it without brackets


def right_line(source: Side, definitions: Definitions, sign: str, right: str) -> str:
    """`[1, 2] [[1, 0], [0.5, 1]]^T = [1, 2.5]`; empty where there is nothing to put in, or it would be long."""
    if not isinstance(source.value, Node):
        text = " ".join(source.text.split())
    else:
        own = {letter: name for name, letter in definitions.letters(source).items()}
        text = piece_of(source.value, TEXT, lambda node: _leaf(node, own, definitions)).text
    line = f"{text} {sign} {right}"
    return line if len(line) <= CHARACTERS_AT_MOST else ""


def _place(node: Node) -> tuple[Node, str] | None:
    """p_2 and A_{12}: what an entry or a row is taken of, and its place from 1, as people write it."""
    if isinstance(node, ColumnSlice) and node.shape[1] == 1 and node.args[1].is_Integer:  # type: ignore[attr-defined]
        whole, column = node.args[0], str(int(node.args[1]) + 1)  # type: ignore[call-overload]
        row = _place(whole) if isinstance(whole, Row) else None  # type: ignore[arg-type]
        if row is not None:
            return row[0], f"{row[1]}{',' if len(row[1] + column) > 2 else ''}{column}"
        return (whole, column) if isinstance(whole, Node) and whole.shape[0] == 1 else None
    if isinstance(node, Row) and isinstance(node.args[0], Node) and node.args[1].is_Integer:  # type: ignore[attr-defined]
        return node.args[0], str(int(node.args[1]) + 1)  # type: ignore[call-overload]
    return None


def _leaf(node: Node, own: dict[object, str], definitions: Definitions) -> Piece | None:
    if (place := _place(node)) is not None:
        inside = piece_of(place[0], TEXT, lambda inner: _leaf(inner, own, definitions)).text
        low = place[1] if len(place[1]) == 1 else f"{{{place[1]}}}"
        return Piece(f"{inside if SIMPLE.fullmatch(inside) else f'({inside})'}_{low}", ATOM)
    if isinstance(node, Literal) and node.shape == (1, 1):
        return Piece(TEXT.scalar(node.matrix[0, 0]), ATOM)
    if not isinstance(node, Letter) or node not in own:
        return None
    definition = definitions[own[node]]
    if definition.shown is not None and definition.faulty is None:  # digits that are wrong give no right line
        return Piece(_cells(definition.shown, definition.listed), ATOM)
    if isinstance(definition.exact, Literal):
        text, is_list = str(definition.exact), definition.listed and definition.exact.shape[0] == 1
        return Piece(text[1:-1] if is_list else text, ATOM)
    return Piece(own[node], ATOM)


def _cells(cells: Cells, listed: bool) -> str:
    rows = [[claim.text.strip() for claim in row] for row in cells]
    return written_cells(rows, len(rows) == len(rows[0]) == 1 and not listed, listed)
