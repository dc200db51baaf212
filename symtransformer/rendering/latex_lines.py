"""Numbered lines in index notation as LaTeX: one aligned display, each line with its number and its rule."""

from __future__ import annotations

import re

from symtransformer.rendering.document import IndexEquations, NumberedLine
from symtransformer.rendering.index_formulas import IndexFormulas
from symtransformer.rendering.latex_text import escape, width_of
from symtransformer.rendering.printer import Printer

INDEX_LINE = 66  # characters of mathematics beside a number
SHRUNK_FROM = 70  # a single term that is wider is set smaller
_LIMITS = re.compile(r"(\\sum)_\{[^{}]*\}\^\{[^{}]*(?:\{[^{}]*\})?\}")


def numbered_lines(printer: Printer, block: IndexEquations) -> str:
    """One row for a short line; terms and the name of the rule on rows of their own where they do not fit."""
    written = [(item, IndexFormulas(item.line, printer.dialect, printer.heads)) for item in block.lines]
    indent = max(_width(formulas.left()) for _, formulas in written)
    rows = [_line(printer, block, item, formulas, indent) for item, formulas in written]
    return "\\nopagebreak\n\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}"


def _line(
    printer: Printer, block: IndexEquations, item: NumberedLine, formulas: IndexFormulas, indent: int
) -> str:  # fmt: skip
    parts = [r"\blank"] if block.blank else [_fitted(part, indent) for part in formulas.right()]
    broken = [parts[0]]
    for part in parts[1:]:
        if indent + _width(broken[-1]) + _width(part) <= INDEX_LINE:
            broken[-1] += f" {part}"
        else:
            broken.append(rf"\quad {part}")
    if block.rules:
        rule = rf"\quad\text{{\footnotesize {escape(printer.words(item.line.rule))}}}"
        if indent + _width(broken[-1]) + _width(rule) <= INDEX_LINE:
            broken[-1] += rule
        else:
            broken.append(rule)
    left = "" if item.goes_on else formulas.left()
    first = rf"{left} &= {broken[0]} \tag{{{item.number}}}"
    return " \\\\*\n".join([first, *(f"&{part}" for part in broken[1:])])


def _fitted(part: str, indent: int) -> str:
    if indent + _width(part) <= SHRUNK_FROM:
        return part
    return rf"\resizebox{{0.8\linewidth}}{{!}}{{$\displaystyle {part}$}}"


def _width(text: str) -> int:
    """As `width_of`, but what stands above and below a sum takes no more room than the sign."""
    return width_of(_LIMITS.sub(r"\1 x", text))
