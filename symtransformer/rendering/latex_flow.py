r"""The drawing of how steps use one another, by TikZ, and the whole as one formula whose parts have names."""

from __future__ import annotations

import re
from typing import Any

from symtransformer.node import Node
from symtransformer.notation import PRODUCT, SUFFIX, Piece
from symtransformer.rendering.document import Flow, FlowNode
from symtransformer.rendering.latex_text import width_of
from symtransformer.rendering.printer import Printer
from symtransformer.symbols import Letter
from symtransformer.writing import piece_of, written

ACROSS, DOWN = 1.9, 1.25  # centimeters between layers, and between rows
BESIDE = 0.45  # so far to both sides of the middle of a layer, where boxes stand, a line goes straight on
CURVE = "to[out=0,in=180]"  # between layers only, so that no line runs across a box
HELD = SUFFIX - 1
BRACE, _OPEN = r"\underbrace{", re.compile(r"\\left\(")
SUMMARY_AT_MOST, PARTS_AT_LEAST = 58, 2  # characters of mathematics; parts below which nothing is gained


def drawing(printer: Printer, flow: Flow) -> str:
    """Given letters without a frame, steps in one, arrows from what is used to what uses it."""
    lines = [r"\begin{tikzpicture}[>=stealth, semithick, rounded corners=3pt]"]
    for k, node in enumerate(flow.nodes):
        style = (
            "draw, minimum size=7mm, inner sep=3pt" if node.is_step else "fill=black!7, minimum size=6mm, inner sep=2pt"
        )
        shown = written(node.letter, printer.dialect)
        lines.append(rf"\node[{style}] (n{k}) at {_place(node.x, node.y)} {{${shown}$}};")
        if node.aside:
            lines.append(
                rf"\node[anchor=north, inner sep=2pt, font=\footnotesize, text=black!70] at (n{k}.south) {{{_aside(printer, node)}}};"
            )
    for edge in flow.edges:
        through = "".join(f" {CURVE} {_place(x, y, -BESIDE)} -- {_place(x, y, BESIDE)}" for x, y in edge.through)
        lines.append(rf"\draw[->] (n{edge.start}.east){through} {CURVE} (n{edge.end}.west);")
    return "\n".join([*lines, r"\end{tikzpicture}"])


def _place(x: float, y: float, beside: float = 0) -> str:
    return f"({x * ACROSS + beside:g},{y * DOWN:g})"


def _aside(printer: Printer, node: FlowNode) -> str:
    letters = r",\, ".join(written(letter, printer.dialect) for letter in node.aside)
    return f"${letters}$"


def summary(printer: Printer, flow: Flow) -> str | None:
    """Z = softmax(Q K^T / √d) V with a brace below each part that has a name, as deep as a line can hold.

    Of several results it is the one with the most parts.
    """
    formulas = {(letter.name, letter.head): tree for letter, tree in flow.formulas}
    found: list[tuple[int, str]] = []
    for result in flow.results:
        tree = formulas[(result.name, result.head)]
        tried = (_nested(printer, formulas, tree, depth) for depth in (4, 3, 2, 1))
        fitting = next(((text, parts) for text, parts in tried if width_of(text) <= SUMMARY_AT_MOST), ("", 0))
        found.append((fitting[1], f"{written(result, printer.dialect)} = {fitting[0]}"))
    parts, text = max(reversed(found), key=lambda pair: pair[0])
    return tight(text) if parts >= PARTS_AT_LEAST else None


def tight(text: str) -> str:
    r"""Brackets as high as what stands in them, not as the names below that, for which there is room all the same.

    >>> tight(r"f\left(\underbrace{A}_{B}\right)")
    'f\\left(\\vphantom{A}\\smash{\\underbrace{A}_{B}}\\right)\\vphantom{\\underbrace{A}_{B}}'
    """
    if (found := _OPEN.search(text)) is None:
        return text
    end = _end_of(text, found.end(), r"\left", r"\right")
    inner, before, behind = text[found.end() : end], text[: found.start()], text[end + len(r"\right)") :]
    shown = tight(inner)
    if r"\underbrace" in inner:
        shown = rf"\left(\vphantom{{{_without_names(inner)}}}\smash{{{shown}}}\right)\vphantom{{{shown}}}"
    else:
        shown = rf"\left({shown}\right)"
    return f"{before}{shown}{tight(behind)}"


def _without_names(text: str) -> str:
    """A formula without its braces and what they say."""
    while (start := text.find(BRACE)) >= 0:
        end = _end_of(text, start + len(BRACE), "{", "}")
        last = _end_of(text, end + len("}_{"), "{", "}")
        text = text[:start] + text[start + len(BRACE) : end] + text[last + 1 :]
    return text


def _end_of(text: str, start: int, opening: str, closing: str) -> int:
    """Where what has been opened before the start is closed."""
    depth = 1
    while True:
        opened, closed = text.find(opening, start), text.find(closing, start)
        if 0 <= opened < closed:
            depth, start = depth + 1, opened + len(opening)
        elif depth == 1:
            return closed
        else:
            depth, start = depth - 1, closed + len(closing)


def _nested(printer: Printer, formulas: dict[Any, Node], tree: Node, depth: int) -> tuple[str, int]:
    """The formula with named parts in place of letters, and how many there are."""
    count = 0

    def leaf(node: Node, left: int) -> Piece | None:
        nonlocal count
        if not isinstance(node, Letter) or left == 0 or (node.name, node.head) not in formulas:
            return None
        inner = formulas[(node.name, node.head)]
        piece = piece_of(inner, printer.dialect, lambda part: leaf(part, left - 1), printer.heads)
        count += 1
        # a brace holds a product together, but not below the mark of a transpose
        level = HELD if piece.level >= PRODUCT - 1 else piece.level
        return Piece(rf"\underbrace{{{piece.text}}}_{{\textstyle {written(node, printer.dialect)}}}", level)

    return piece_of(tree, printer.dialect, lambda node: leaf(node, depth), printer.heads).text, count
