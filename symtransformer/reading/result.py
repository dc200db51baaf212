"""What was read: expressions by name, letters with their sizes, numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sympy import Symbol

from symtransformer.node import CONVERTERS, Node
from symtransformer.reading.sizes import Shape
from symtransformer.symbols import Letter

SIZE = re.compile(r"[0-9]{1,6}|[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)?")


@dataclass(frozen=True)
class Reading:
    """What a text says: each line's expression by its name, the letters with their sizes, and the numbers."""

    text: str
    lines: tuple[tuple[str, Node], ...]
    letters: dict[str, Letter]
    numbers: dict[str, Symbol]
    values: dict[Any, Any] = field(default_factory=dict)  # of letters and numbers that a line gives
    given: frozenset[str] = frozenset()  # letters whose sizes were given, not inferred

    @property
    def expression(self) -> Node:
        """The last line."""
        return self.lines[-1][1]

    @property
    def names(self) -> dict[str, Node]:
        """The expressions by their names, in order; "" is the name of a last line without one."""
        return dict(self.lines)

    @property
    def shapes(self) -> dict[str, Shape]:
        """Rows and columns of every letter and of every named line."""
        return {n: e.shape for n, e in (*self.letters.items(), *self.lines) if n}

    def shapes_text(self, known: Mapping[Any, Any] | None = None) -> str:
        """The sizes, as lines that can be written into the text; inferred ones say so, and `known` ones are numbers."""
        rows = []
        for name, (n, m) in self.shapes.items():
            how = "" if name in self.given else "follows" if name in dict(self.lines) else "inferred"
            rows.append(_shape_line(f"{name}:", n, m, known or {}, how))
        in_shapes = {s for shape in self.shapes.values() for size in shape for s in size.free_symbols}
        for name, symbol in self.numbers.items():
            if symbol not in in_shapes:
                rows.append(f"{name}: {'size' if symbol.is_integer else 'number'}")
        if not self.lines[-1][0]:
            rows.append("# " + _shape_line("result:", *self.expression.shape, known or {}, ""))
        return "\n".join(rows)


def _shape_line(head: str, rows: Any, columns: Any, known: Mapping[Any, Any], how: str) -> str:
    """Q: 2 3  # n d_k, inferred."""
    letters = f"{_in_shape_line(rows)} {_in_shape_line(columns)}"
    numbers = f"{_in_shape_line(rows.xreplace(known))} {_in_shape_line(columns.xreplace(known))}"
    remarks = ", ".join(filter(None, [letters if numbers != letters else "", how]))
    return f"{head} {numbers}" + (f"  # {remarks}" if remarks else "")


def _in_shape_line(size: Any) -> str:
    text = str(size)
    return text if SIZE.fullmatch(text) else f"({text})"


CONVERTERS.append((Reading, lambda reading: reading.expression))  # so that evaluate(read_expression(...)) is understood
