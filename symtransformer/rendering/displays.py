"""Equations of a page on paper: those directly behind each other are one display, and their signs stand below each other."""

from __future__ import annotations

from dataclasses import replace

from symtransformer.rendering.document import Block, Document, Equations, IndexEquations


def with_joined_displays(document: Document) -> Document:
    """The same page; formulas that a step uses, and its own, are one display, and so are numbered lines."""
    blocks: list[Block] = []
    for block in document.blocks:
        before = blocks[-1] if blocks else None
        joined = None if before is None else _joined(before, block)
        if joined is None:
            blocks.append(block)
        else:
            blocks[-1] = joined
    return replace(document, blocks=tuple(blocks))


def _joined(one: Block, other: Block) -> Block | None:
    if isinstance(one, Equations) and isinstance(other, Equations):
        beside = one.side_by_side or other.side_by_side
        return None if beside else Equations((*one.chains, *other.chains))
    if isinstance(one, IndexEquations) and isinstance(other, IndexEquations):
        alike = (one.rules, one.blank) == (other.rules, other.blank)
        return replace(one, lines=(*one.lines, *other.lines)) if alike else None
    return None
