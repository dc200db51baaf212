r"""Dialects: tables of templates that turn forms, letters and numbers into text.

SymPy's own `str` and `latex` need two of them, so these two stand here; other targets add
their tables in `rendering/`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from sympy import Add, S

from symtransformer.chosen_notation import Notation
from symtransformer.errors import NotSupported
from symtransformer.lettering import Lettering
from symtransformer.notation import (
    ADDITION,
    ATOM,
    FRACTION,
    PRODUCT,
    SUFFIX,
    Call,
    Form,
    Infix,
    Over,
    Piece,
    Quotient,
    Radical,
    Scaled,
    Subscripted,
    Suffix,
    Symbolic,
)

LOOSE = PRODUCT - 1  # 2 A and A / 2 stand in brackets where they are a factor: (2 A) B is not 2 (A B)


@dataclass(frozen=True, kw_only=True)
class Dialect(Lettering):
    """The templates of one target."""

    infix: dict[str, str]
    suffix: dict[str, str]
    call: str
    over: str
    over_sum: str
    fraction: str
    radical: str
    row: str
    columns: str
    rows: str
    pad: str
    power_of_e: str
    times: str
    cell_separator: str
    row_separator: str
    matrix_fence: str
    functions: dict[str, str]
    long_name: str = "(?!)"  # how a name of several letters begins,
    apart: str = " "  # and what keeps it apart from a factor beside it: dR K is no product of d, R and K
    list_separator: str = ", "
    transposes: dict[str, str] = field(default_factory=dict)  # by the mark that a notation names
    round_fence: str = ""

    def chosen(self, notation: Notation) -> Self:
        """The same target in another notation; what a target has no template for stays as it is."""
        suffix = {**self.suffix, "transpose": self.transposes.get(notation.transpose, self.suffix["transpose"])}
        fence = self.round_fence if notation.brackets == "round" and self.round_fence else self.matrix_fence
        separators: dict[str, Any] = {"list_separator": f"{notation.separator} "}
        if self.row_separator == self.cell_separator == ", ":
            separators |= dict.fromkeys(("row_separator", "cell_separator"), f"{notation.separator} ")
        return replace(self, notation=notation, suffix=suffix, matrix_fence=fence, **separators)

    def low(self, base: str, indices: Sequence[str]) -> str:
        """A written base with indices below."""
        joined = self.places(indices)
        plain = self.stacked or re.fullmatch(r"[\w,]+", joined)
        return self.entry.format(base, "", joined if plain else f"({joined})")

    def raised(self, base: str, exponent: str) -> str:
        """A written base, fenced where it has to be, with an exponent."""
        return f"{{{base}}}^{{{exponent}}}" if self.stacked else f"{base}^{exponent}"

    def over_line(self, above: str, below: str) -> str:
        """A fraction, both of its parts already written."""
        return self.fraction.format(above, below)

    def called(self, name: str, arguments: Sequence[str]) -> str:
        """name(argument, ...)."""
        return self.call.format(self.functions.get(name, name), self.list_separator.join(arguments))

    def named(self, name: str, argument: str) -> str:
        """An argument with its name in front."""
        return f"{name}={argument}"

    def sum_sign(self, letter: str, first: str, last: str) -> str:
        return rf"\sum_{{{letter}={first}}}^{{{last}}}" if self.stacked else f"Σ_({letter}={first}..{last})"

    def matrix(self, rows: list[list[Any]]) -> str:
        cells = [self.cell_separator.join(x if isinstance(x, str) else self.scalar(x) for x in row) for row in rows]
        if self.name == "text":
            cells = [f"[{row}]" for row in cells]
        return self.matrix_fence.format(self.row_separator.join(cells))

    @property
    def stacked(self) -> bool:
        """Whether fractions have a line, and indices stand below."""
        return self.name != "text"

    @cached_property
    def level_of_fraction(self) -> int:
        return ATOM if self.stacked else PRODUCT

    def fenced(self, piece: Piece, at_least: int) -> str:
        return piece.text if piece.level >= at_least else self.parentheses.format(piece.text)

    def write(self, form: Form, arguments: list[Piece], scalars: list[Any]) -> Piece:
        """One operation, its arguments already written."""
        if isinstance(form, Infix):
            return self._infix(form, arguments)
        if isinstance(form, Suffix):
            body = self.fenced(arguments[0], SUFFIX)
            if self.name == "latex" and arguments[0].of_letter is None and re.search(r"^\\?\w+\^", body):
                body = f"{{{body}}}"  # a row of a marked letter: LaTeX refuses two superscripts in a row
            return Piece(self.suffix[form.mark].format(body), SUFFIX)
        if isinstance(form, Call):
            name = self.functions.get(form.name, form.name)
            shown = [a.text for a in arguments] + [self.decimal(s) for s in scalars]
            text = self.call.format(name, self.list_separator.join(shown))
            if name.startswith("\\") and name[1:].islower():  # no font has small Greek letters that stand upright
                text = text.replace(rf"\operatorname{{{name}}}", name, 1)
            return Piece(text, ATOM)
        if isinstance(form, Quotient):
            above, below = arguments
            if self.stacked:
                return Piece(self.over_line(above.text, below.text), ATOM)
            return Piece(self.over_line(self.fenced(above, PRODUCT), self.fenced(below, ATOM)), LOOSE)
        if isinstance(form, Radical):
            below = (
                arguments[0]
                if scalars[0] == 0
                else self._infix(Infix("add", ADDITION), [arguments[0], Piece(self.decimal(scalars[0]))])
            )
            return Piece(self.radical.format(below.text), ATOM)
        if isinstance(form, Scaled):
            return self._scaled(arguments[0], *scalars)
        if isinstance(form, Subscripted):
            return self._subscripted(form, arguments[0], scalars)
        if isinstance(form, Over):
            letter, count = (self.scalar(s) for s in scalars)
            name = self.functions.get(form.name, form.name)
            if (
                form.name == "Sum" and self.over_sum
            ):  # a product stands behind it, and it stands in a sum, without brackets
                body = self.fenced(arguments[0], PRODUCT)
                return Piece(self.over_sum.format(body, letter, count), ADDITION + 1)
            return Piece(self.over.format(name, arguments[0].text, letter, count), ATOM)
        if isinstance(form, Symbolic):
            return Piece(self.symbols[form.name].format(*map(self.scalar, scalars)), ATOM)
        raise NotSupported(f"the form {type(form).__name__} is not written yet")

    def _subscripted(self, form: Subscripted, argument: Piece, scalars: list[Any]) -> Piece:
        """Row i, columns a to b; or a block at such a place among zeros."""
        start = scalars[0].factor()
        first = self.index(start + 1)
        if form.template == "row":
            if argument.of_letter is not None:
                return Piece(self.row_of(*argument.of_letter, first), ATOM)
            shown = self.fenced(argument, ATOM)
            if self.name == "latex" and "_" in shown:
                shown = f"{{{shown}}}"
            return Piece(self.row.format(shown, first), ATOM)
        if form.template in ("columns", "rows"):
            last = self.index((scalars[0] + scalars[1]).expand().factor())
            shown = self.fenced(argument, ATOM)
            if self.stacked and argument.of_letter is not None and len(shown) > 1:
                shown = self.parentheses.format(shown)  # two subscripts in a row would run together
            elif self.name == "latex" and "_" in shown:
                shown = f"{{{shown}}}"  # LaTeX refuses two subscripts in a row
            template = self.columns if form.template == "columns" else self.rows
            colon = " : " if " " in first + last and self.name == "text" else ":"
            return Piece(template.format(shown, first if first == last else f"{first}{colon}{last}"), ATOM)
        return Piece(self.pad.format(form.template, argument.text, first, self.scalar(scalars[1])), ATOM)

    def _infix(self, form: Infix, arguments: list[Piece]) -> Piece:
        # the right operand of an associative sign keeps its brackets: the order of work is meant
        # and A B ⊘ C D would be read in two ways
        strict = form.sign in ("hadamard", "divide")
        parts = [
            self.fenced(a, FRACTION if strict and a.level > form.level else form.level + (k > 0 and form.sign != "add"))
            for k, a in enumerate(arguments)
        ]
        text = before = parts[0]
        for part in parts[1:]:
            if form.sign == "add" and part.startswith("-"):
                text += self.infix["subtract"] + part[1:].lstrip()
            elif form.sign == "product" and text[-1].isdigit() and part[0].isdigit():
                text += self.times + part  # 2 3 would read as 23
            elif form.sign == "product":
                text += self.between(before, part) + part
            else:
                text += self.infix[form.sign] + part
            before = part
        return Piece(text, form.level)

    def between(self, left: str, right: str) -> str:
        """What stands between two factors."""
        return self.apart if any(re.match(self.long_name, factor) for factor in (left, right)) else " "

    def _scaled(self, body: Piece, factor: Any, divisor: Any) -> Piece:
        text = self.fenced(body, PRODUCT)
        level = PRODUCT
        if factor == -1:
            text, level = "-" + text, ADDITION
        elif factor != 1:
            shown = self.scalar(factor)
            if isinstance(factor, Add) or "/" in shown:
                shown = self.parentheses.format(shown)
            ones = self.symbols["ones"].format() if self.stacked else "0"
            begins_with_digit = text[0].isdigit() or text.startswith(ones)  # 0.1 1 would read as 0.11
            sign = self.times if shown[-1].isdigit() and begins_with_digit else self.between(shown, text)
            text, level = f"{shown}{sign}{text}", ADDITION if shown.startswith("-") else LOOSE
        if divisor == 1:
            return Piece(text, level)
        below = self.scalar(divisor)
        plain = divisor.is_Symbol or re.fullmatch(r"[\d.]+", below) or (divisor.is_Pow and divisor.exp == S.Half)
        if self.name == "text" and not plain:
            below = self.parentheses.format(below)
        if self.stacked:
            text = body.text if factor == 1 else text
            return Piece(self.over_line(text, below), ADDITION if level == ADDITION else ATOM)
        return Piece(self.over_line(text, below), min(level, LOOSE))


LATEX = Dialect(
    name="latex",
    infix={"product": " ", "add": " + ", "subtract": " - ", "hadamard": r" \odot ", "divide": r" \oslash "},
    suffix={"transpose": r"{}^{{\mathsf T}}"},
    symbols={
        "ones": r"\mathbf{{1}}",
        "identity": r"\mathbf{{I}}",
        "minus_infinity": r"-\infty",
        "delta": r"\delta",
        "partial": r"\partial ",
    },
    call=r"\operatorname{{{}}}\!\left({}\right)",
    over=r"\operatorname*{{{0}}}_{{{2}=1}}^{{{3}}}\!\left({1}\right)",
    over_sum=r"\sum_{{{1}=1}}^{{{2}}} {0}",
    parentheses=r"\left({}\right)",
    fraction=r"\frac{{{}}}{{{}}}",
    radical=r"\sqrt{{{}}}",
    row=r"{}_{{{}}}",
    columns=r"{}_{{:,\,{}}}",
    rows=r"{}_{{{},\,:}}",
    pad=r"\operatorname{{{0}}}_{{{2}\,/\,{3}}}\!\left({1}\right)",
    power_of_e="e^{{{}}}",
    times=r" \times ",
    cell_separator=" & ",
    row_separator=r" \\ ",
    matrix_fence=r"\begin{{bmatrix}}{}\end{{bmatrix}}",
    round_fence=r"\begin{{pmatrix}}{}\end{{pmatrix}}",
    transposes={"ᵀ": r"{}^{{\mathsf T}}", "⊤": r"{}^{{\top}}", "T": "{}^{{T}}"},
    bold={"bold": r"\mathbf{{{}}}", "bold-italic": r"\boldsymbol{{{}}}"},
    decimal_comma="{,}",
    family=r"{{{}^{{{}}}}}",
    entry="{}{}_{{{}}}",
    functions={"Phi": r"\Phi", "phi": r"\phi"},
    long_name=r"\{*\\math(?:it|rm)\{\w\w",
    apart=r" \, ",
)
TEXT = Dialect(
    name="text",
    infix={"product": " ", "add": " + ", "subtract": " - ", "hadamard": " ⊙ ", "divide": " ⊘ "},
    suffix={"transpose": "{}^T"},
    symbols={"ones": "ones({}, {})", "identity": "I", "minus_infinity": "-∞", "delta": "δ", "partial": "∂"},
    call="{}({})",
    over="{0}({1}, {2} = 1..{3})",
    over_sum="",
    parentheses="({})",
    fraction="{} / {}",
    radical="sqrt({})",
    row="{}[{}]",
    columns="{}[:, {}]",
    rows="{}[{}, :]",
    pad="{0}[{2} of {3}]({1})",
    power_of_e="e^{}",
    times=" × ",
    cell_separator=", ",
    row_separator=", ",
    matrix_fence="[{}]",
    transposes={"ᵀ": "{}ᵀ", "⊤": "{}^⊤", "T": "{}^T"},
    family="{}^{}",
    entry="{}{}_{}",
    functions={},
)
