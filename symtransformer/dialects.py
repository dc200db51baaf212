r"""Dialects: tables of templates that turn forms, letters and numbers into text.

SymPy's own `str` and `latex` need two of them, so these two stand here; other targets add
their tables in `rendering/`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sympy import Add, Expr, Rational, S
from sympy.core.symbol import Str

from symtransformer.errors import NotSupported
from symtransformer.notation import (
    ADDITION,
    ATOM,
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
    counts_from_zero,
)
from symtransformer.scalars import (
    LATEX_SCALARS,
    TEXT_SCALARS,
    decimal_of,
    entry_name,
    latex_name,
    primed,
    upright,
    without_namespace,
)

LOOSE = PRODUCT - 1  # 2 A and A / 2 stand in brackets where they are a factor: (2 A) B is not 2 (A B)


@dataclass(frozen=True)
class Dialect:
    """The templates of one target."""

    name: str
    infix: dict[str, str]
    suffix: dict[str, str]
    symbols: dict[str, str]
    call: str
    over: str
    over_sum: str
    parentheses: str
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
    family: str
    entry: str
    functions: dict[str, str]

    def scalar(self, value: Any) -> str:
        if value is S.NegativeInfinity:
            return self.symbols["minus_infinity"]
        if isinstance(value, Str):
            return rf"\text{{{value.name}}}" if self.name == "latex" else value.name
        printer = LATEX_SCALARS if self.name == "latex" else TEXT_SCALARS
        return decimal_of(value) or str(printer.doprint(value))

    def decimal(self, value: Any) -> str:
        """A small number such as 1/100000 as 0.00001; any other as it is."""
        digits = len(str(value.q)) - 1 if isinstance(value, Rational) else 0
        if not 0 < digits <= 30 or value.q != 10**digits:
            return self.scalar(value)
        whole, rest = divmod(abs(value.p), value.q)
        return f"{'-' if value.p < 0 else ''}{whole}.{rest:0{digits}d}"

    def index(self, value: Any) -> str:
        """(i - 1) d_k + 1: the place of a row or column, with the number last and the counted letter first."""
        if value.is_Add:
            first, *rest = sorted(value.args, key=lambda a: (a.is_number, a.could_extract_minus_sign()))
            signed = [(" - ", -a) if a.could_extract_minus_sign() else (" + ", a) for a in rest]
            return self.index(first) + "".join(sign + self.index(a) for sign, a in signed)
        if value.is_Mul and all(a.is_Symbol or a.is_Integer or a.is_Add for a in value.args) and value.args[0] != -1:
            factors = sorted(value.args, key=lambda a: (not a.is_number, not a.is_Add, not counts_from_zero(a)))
            return " ".join(self.parentheses.format(self.index(a)) if a.is_Add else self.scalar(a) for a in factors)
        return self.scalar(value)

    def letter(self, name: str, head: Expr | None = None) -> str:
        namespace, bare = without_namespace(name)
        shown = latex_name(bare) if self.name == "latex" else name
        marks = [upright(namespace)] if namespace and self.name == "latex" else []
        if self.name == "latex" and (prime := primed(bare.partition("_")[0])[1]) and (marks or head is not None):
            marks, shown = [prime, *marks], shown.replace(f"^{{{prime}}}", "")
        if head is not None:
            marks.append(f"({self.scalar((head + 1).expand())})")
        return self.family.format(shown, ",".join(marks)) if marks else shown

    def places(self, indices: Sequence[str]) -> str:
        """21, or 10,2: indices behind each other, already written."""
        return ("" if all(len(k) == 1 for k in indices) else ",").join(indices)

    def low(self, base: str, indices: Sequence[str]) -> str:
        """A written base with indices below."""
        joined = self.places(indices)
        plain = self.stacked or re.fullmatch(r"[\w,]+", joined)
        return self.entry.format(base, "", joined if plain else f"({joined})")

    def raised(self, base: str, exponent: str) -> str:
        """A written base, fenced where it has to be, with an exponent."""
        return f"{{{base}}}^{{{exponent}}}" if self.stacked else f"{base}^{exponent}"

    def called(self, name: str, arguments: Sequence[str]) -> str:
        """name(argument, ...)."""
        return self.call.format(self.functions.get(name, name), ", ".join(arguments))

    def named(self, name: str, argument: str) -> str:
        """An argument with its name in front."""
        return f"{name}={argument}"

    def sum_sign(self, letter: str, first: str, last: str) -> str:
        return rf"\sum_{{{letter}={first}}}^{{{last}}}" if self.stacked else f"Σ_({letter}={first}..{last})"

    def entry_of(self, name: str, head: Any, indices: list[str]) -> str:
        """q_{21}, z^{(1)}_{2}: a lower-case letter with its indices, already written."""
        base, mark = entry_name(name, head)
        joined = self.places(indices)
        if self.name == "latex":
            return self.entry.format(base, f"^{{{mark}}}" if mark else "", joined)
        plain, base = (re.sub(r"\\(mathrm|mathit)?|[{}]", "", text.replace(r"\prime", "'")) for text in (mark, base))
        joined = joined if re.fullmatch(r"[\w,]+", joined) else f"({joined})"
        return self.entry.format(base, f"^{plain}" if plain else "", joined)

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
            text = self.call.format(name, ", ".join(shown))
            if name.startswith("\\") and name[1:].islower():  # no font has small Greek letters that stand upright
                text = text.replace(rf"\operatorname{{{name}}}", name, 1)
            return Piece(text, ATOM)
        if isinstance(form, Quotient):
            above, below = arguments
            if self.stacked:
                return Piece(self.fraction.format(above.text, below.text), ATOM)
            return Piece(self.fraction.format(self.fenced(above, PRODUCT), self.fenced(below, ATOM)), LOOSE)
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
                return Piece(self.entry_of(*argument.of_letter, [first]), ATOM)
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
            self.fenced(a, SUFFIX if strict and a.level > form.level else form.level + (k > 0 and form.sign != "add"))
            for k, a in enumerate(arguments)
        ]
        text = parts[0]
        for part in parts[1:]:
            if form.sign == "add" and part.startswith("-"):
                text += self.infix["subtract"] + part[1:].lstrip()
            elif form.sign == "product" and text[-1].isdigit() and part[0].isdigit():
                text += self.times + part  # 2 3 would read as 23
            else:
                text += self.infix[form.sign] + part
        return Piece(text, form.level)

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
            sign = self.times if shown[-1].isdigit() and begins_with_digit else " "
            text, level = f"{shown}{sign}{text}", ADDITION if shown.startswith("-") else LOOSE
        if divisor == 1:
            return Piece(text, level)
        below = self.scalar(divisor)
        plain = divisor.is_Symbol or re.fullmatch(r"[\d.]+", below) or (divisor.is_Pow and divisor.exp == S.Half)
        if self.name == "text" and not plain:
            below = self.parentheses.format(below)
        if self.stacked:
            text = body.text if factor == 1 else text
            return Piece(self.fraction.format(text, below), ADDITION if level == ADDITION else ATOM)
        return Piece(self.fraction.format(text, below), min(level, LOOSE))


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
    family=r"{{{}^{{{}}}}}",
    entry="{}{}_{{{}}}",
    functions={"Phi": r"\Phi", "phi": r"\phi"},
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
    family="{}^{}",
    entry="{}{}_{}",
    functions={},
)
