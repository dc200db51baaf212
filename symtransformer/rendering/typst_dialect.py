"""The dialect of Typst: how forms, letters and numbers are written in its mathematics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from sympy import Expr, S
from sympy.core.symbol import Str

from symtransformer.dialects import Dialect
from symtransformer.notation import ATOM, Call, Form, Piece, Subscripted
from symtransformer.rendering.typst_scalars import TypstScalars, entry_with, letter_name
from symtransformer.rendering.typst_text import quoted
from symtransformer.scalars import decimal_of

_DECIMAL = re.compile(r"([0-9]+)\.([0-9]+)")


class TypstDialect(Dialect):
    """Templates alone do not tell names, scripts and commas of Typst."""

    def scalar(self, value: Any) -> str:
        if value is S.NegativeInfinity:
            return self.symbols["minus_infinity"]
        if isinstance(value, Str):
            return quoted(value.name)
        return self.with_decimal_sign(decimal_of(value) or str(self._scalars.doprint(value)))

    @cached_property
    def _scalars(self) -> Any:
        return TypstScalars(self)

    def with_decimal_sign(self, text: str) -> str:
        return text if self.notation.decimal == "." else _DECIMAL.sub(r'"\1,\2"', text)

    def letter(self, name: str, head: Expr | None = None) -> str:
        return letter_name(self.notation.renamed(name), self._head(head), self.notation)

    def _head(self, head: Expr | None) -> str:
        return "" if head is None else super()._head(head)

    def entry_of(self, name: str, head: Any, indices: list[str], is_row: bool = False) -> str:
        matrices = self.notation.matrices if is_row else "italic"
        return entry_with(self.notation.renamed(name), self._head(head), self.places(indices), matrices)

    def places(self, indices: Sequence[str]) -> str:
        return (" " if all(len(k) == 1 for k in indices) else r"\,").join(indices)

    def low(self, base: str, indices: Sequence[str]) -> str:
        return f"{base}_({self.places(indices)})"

    def raised(self, base: str, exponent: str) -> str:
        return f"attach({base}, t: {exponent})"

    def over_line(self, above: str, below: str) -> str:
        """What holds a fraction itself is set as large as what stands alone, or it would be too small to read."""
        shown = (f"display({part})" if "frac(" in part else part for part in (above, below))
        return super().over_line(*shown)

    def called(self, name: str, arguments: Sequence[str]) -> str:
        return self.call.format(
            self.functions.get(name) or f"op({quoted(name)})", f"\\{self.list_separator}".join(arguments)
        )

    def named(self, name: str, argument: str) -> str:
        return f"{quoted(name)} = {argument}"

    def sum_sign(self, letter: str, first: str, last: str) -> str:
        return f"sum_({letter}={first})^({last})"

    def matrix(self, rows: list[list[Any]]) -> str:
        cells = [[x if isinstance(x, str) else self.scalar(x) for x in row] for row in rows]
        return self.matrix_fence.format("; ".join(", ".join(row) for row in cells))

    def write(self, form: Form, arguments: list[Piece], scalars: list[Any]) -> Piece:
        if isinstance(form, Call):
            shown = [a.text for a in arguments] + [self.decimal(s) for s in scalars]
            return Piece(self.called(form.name, shown), ATOM)
        return super().write(form, arguments, scalars)

    def _subscripted(self, form: Subscripted, argument: Piece, scalars: list[Any]) -> Piece:
        first = self.index(scalars[0].factor() + 1)
        if form.template == "row" and argument.of_letter is not None:
            return Piece(self.row_of(*argument.of_letter, first), ATOM)
        if form.template in ("row", "columns", "rows"):
            return super()._subscripted(form, argument, scalars)
        return Piece(self.pad.format(form.template, argument.text, first, self.scalar(scalars[1])), ATOM)


TYPST = TypstDialect(
    name="typst",
    infix={"product": " ", "add": " + ", "subtract": " - ", "hadamard": " dot.o ", "divide": " slash.o "},
    suffix={"transpose": "attach({}, t: upright(sans(T)))"},
    symbols={
        "ones": "upright(bold(1))", "identity": "upright(bold(I))", "minus_infinity": "-infinity",
        "delta": "delta", "partial": "partial ",
    },
    call="{} ({})",
    over='limits(op("{0}"))_({2}=1)^({3}) ({1})',
    over_sum="sum_({1}=1)^({2}) {0}",
    parentheses="({})",
    fraction="frac({}, {})",
    radical="sqrt({})",
    row="attach({}, b: {})",
    columns=r"attach({}, b: larger(colon\, thin {}))",
    rows=r'attach({}, b: larger(""{}\, thin colon))',  # 1:n in front would be an argument with a name
    pad='op("{0}")_({2} \\/ {3}) ({1})',
    power_of_e="e^(larger({}))",
    times=" times ",
    cell_separator=", ",
    row_separator="; ",
    matrix_fence='mat(delim: "[", {})',
    round_fence='mat(delim: "(", {})',
    transposes={
        "ᵀ": "attach({}, t: upright(sans(T)))", "⊤": "attach({}, t: top)", "T": "attach({}, t: T)",
    },
    family="attach({}, t: {})",
    entry="{}{}_({})",
    functions={"Phi": "Phi", "phi": "phi"},
    long_name=r'(?:attach\()*(?:italic\()?"\w\w',
    apart=" thin ",
)  # fmt: skip
