"""Numbered lines in index notation as LaTeX: one aligned display, each line with its number and its rule."""

from __future__ import annotations

import re
from collections.abc import Callable

from symtransformer.rendering.document import IndexEquations, NumberedLine
from symtransformer.rendering.index_formulas import IndexFormulas
from symtransformer.rendering.latex_text import escape, width_of
from symtransformer.rendering.numbers import BLANK
from symtransformer.rendering.printer import Printer

INDEX_LINE = 66  # characters of mathematics beside a number
NEAR = 3  # so many rows at the beginning and at the end of a display stand on one page
SHRUNK_FROM = 70  # a single term that is wider is set smaller
_LIMITS = re.compile(r"(\\sum)_\{[^{}]*\}\^\{[^{}]*(?:\{[^{}]*\})?\}")


def numbered_lines(printer: Printer, block: IndexEquations) -> str:
    """One row for a short line; terms and the name of the rule on rows of their own where they do not fit."""
    rows = numbered_rows(printer, block, _fitted, lambda rule: rf"\quad\text{{\footnotesize {escape(rule)}}}")
    starts = {k for k, item in enumerate(block.lines) if not item.goes_on}
    return f"\\nopagebreak\n\\begin{{align*}}\n{together(rows, starts)}\n\\end{{align*}}"


def together(rows: list[str], starts: set[int], near: int = NEAR) -> str:
    """Rows below each other; a page ends `near` neither end of them, and leaves no row of an equation alone.

    `starts` are the numbers of the rows that begin an equation.
    """
    text = rows[0]
    for k in range(1, len(rows)):
        alone = k not in starts and (k - 1 in starts or k + 1 in {*starts, len(rows)})
        kept = alone or k < near or k > len(rows) - near
        text += (" \\\\*\n" if kept else " \\\\\n") + rows[k]
    return text


def numbered_rows(
    printer: Printer, block: IndexEquations, shrunk: Callable[[str], str], named: Callable[[str], str],
    tagged: bool = True, room: int = INDEX_LINE,
) -> list[str]:  # fmt: skip
    """The rows; `shrunk` sets a term smaller that is too wide for any row, `named` writes the name of a rule.

    The number is a tag, or where a row stands in a box it is a text in front.
    """
    written = [(item, IndexFormulas(item.line, printer.dialect, printer.heads)) for item in block.lines]
    indent = max(_width(formulas.left()) for _, formulas in written)
    rows = []
    for item, formulas in written:
        parts = [printer.number(BLANK)] if block.blank else formulas.right()
        parts = [shrunk(part) if indent + _width(part) > SHRUNK_FROM else part for part in parts]
        rule = named(printer.words(item.line.rule)) if block.rules else ""
        rows.append(_line(item, formulas.left(), parts, rule, room - indent, tagged))
    return rows


def _line(item: NumberedLine, left: str, parts: list[str], rule: str, room: int, tagged: bool) -> str:
    broken = [parts[0]]
    for part in parts[1:]:
        if _width(broken[-1]) + _width(part) <= room:
            broken[-1] += f" {part}"
        else:
            broken.append(rf"\quad {part}")
    if rule and _width(broken[-1]) + _width(rule) <= room:
        broken[-1] += rule
    elif rule:
        broken.append(rule)
    shown = "" if item.goes_on else left
    first = (
        rf"{shown} &= {broken[0]} \tag{{{item.number}}}" if tagged else rf"({item.number})\quad {left} &= {broken[0]}"
    )
    return " \\\\*\n".join([first, *(f"&{part}" for part in broken[1:])])


def _fitted(part: str) -> str:
    return rf"\resizebox{{0.8\linewidth}}{{!}}{{$\displaystyle {part}$}}"


def _width(text: str) -> int:
    """As `width_of`, but what stands above and below a sum takes no more room than the sign."""
    return width_of(_LIMITS.sub(r"\1 x", text))
