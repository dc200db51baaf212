r"""Dialects: tables of templates that turn forms, letters and numbers into text.

SymPy's own `str` and `latex` need two of them, so these two stand here; other targets add
their tables in `rendering/`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sympy import Add, Expr, S
from sympy.core.symbol import Str
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.str import StrPrinter

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
    Scaled,
    Subscripted,
    Suffix,
)

GREEK = frozenset(
    [
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "zeta",
        "eta",
        "theta",
        "iota",
        "kappa",
        "lambda",
        "mu",
        "nu",
        "xi",
        "pi",
        "rho",
        "sigma",
        "tau",
        "upsilon",
        "phi",
        "chi",
        "psi",
        "omega",
        "Gamma",
        "Delta",
        "Theta",
        "Lambda",
        "Xi",
        "Pi",
        "Sigma",
        "Upsilon",
        "Phi",
        "Psi",
        "Omega",
    ]
)


# -- scalars: SymPy's printers, with names as this field writes them -------------------------------
def _plain_terms_first(expr: Any) -> list[Any]:
    """1 + e^x and 1 - t/2: numbers first, then constants, then the rest, each as SymPy keeps them."""
    return sorted(expr.args, key=lambda a: 0 if a.is_Rational else 2 if a.free_symbols else 1)


class _Latex(LatexPrinter):
    def _as_ordered_terms(self, expr: Any, order: Any = None) -> list[Any]:
        return _plain_terms_first(expr)

    def _print_Symbol(self, expr: Any, style: str = "plain") -> str:
        return latex_name(expr.name)

    def _print_exp(self, expr: Any, exp: Any = None) -> str:
        text = f"e^{{{_slashed.doprint(expr.exp)}}}"  # e^{-\\sqrt{2} / 4}: a fraction would be too small to read
        return self._do_exponent(text, exp)


class _Text(StrPrinter):
    def _print_Exp1(self, expr: Any) -> str:
        return "e"

    def _as_ordered_terms(self, expr: Any, order: Any = None) -> list[Any]:
        return _plain_terms_first(expr)


class _Slashed(_Latex):
    """Fractions with a slash, for exponents."""

    def _print_Mul(self, expr: Any) -> str:
        above, below = expr.as_numer_denom()
        if below == 1 or not below.is_Rational:
            return super()._print_Mul(expr)
        sign, above = ("-", -above) if above.could_extract_minus_sign() else ("", above)
        shown = self._print(above) if above.is_Mul else self.parenthesize(above, PRECEDENCE["Mul"])
        return f"{sign}{shown}/{self._print(below)}"


_slashed = _Slashed()
_latex_scalars = _Latex()
_text_scalars = _Text()


def latex_name(name: str) -> str:
    """d_model is d_{\\mathrm{model}}, W_Q is W_{Q}, gamma is \\gamma."""
    base, _, low = name.rstrip("_").partition("_")
    base, prime = _primed(base)
    if prime:
        return f"\\{base}_{{{low}}}^{{{prime}}}" if low else f"\\{base}^{{{prime}}}"
    shown = "\\" + base if base in GREEK else base if len(base) == 1 else _upright(base)
    return f"{shown}_{{{low if len(low) == 1 else _upright(low)}}}" if low else shown


def _primed(base: str) -> tuple[str, str]:
    """The second sigma, named sigma2, is written with a prime."""
    letters = base.rstrip("0123456789")
    if letters == base or letters not in GREEK:
        return base, ""
    number = int(base[len(letters) :])
    return letters, r"\prime" * (number - 1) if 2 <= number <= 4 else f"[{number}]"


def without_namespace(name: str) -> tuple[str, str]:
    """enc1.W_Q is W_Q in the namespace enc1."""
    namespace, _, rest = name.rpartition(".")
    return namespace, rest


def _upright(text: str) -> str:
    return text if text.isdigit() else rf"\mathrm{{{text}}}"


def entry_name(name: str, head: Expr | None = None) -> tuple[str, str]:
    """Base and upper mark for entries: W_Q gives w and Q, Z_1 gives z and (1)."""
    namespace, name = without_namespace(name)
    base, _, low = name.partition("_")
    base, prime = _primed(base)
    base = base[0].lower() + base[1:] if base not in GREEK else base
    marks = [prime] if prime else []
    marks += [f"({low})" if low.isdigit() else low if len(low) == 1 else _upright(low)] if low else []
    if namespace:
        marks.append(_upright(namespace))
    if head is not None:
        marks.append(f"({LATEX.scalar((head + 1).expand())})")
    return latex_name(base), ",".join(marks)


# -- dialects: tables ---------------------------------------------------------------------------------
@dataclass(frozen=True)
class Dialect:
    """The templates of one target."""

    name: str
    infix: dict[str, str]
    suffix: dict[str, str]
    symbols: dict[str, str]
    call: str
    over: str
    parentheses: str
    fraction: str
    row: str
    columns: str
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
        return str((_latex_scalars if self.name == "latex" else _text_scalars).doprint(value))

    def letter(self, name: str, head: Expr | None = None) -> str:
        namespace, bare = without_namespace(name)
        shown = latex_name(bare) if self.name == "latex" else name
        marks = [_upright(namespace)] if namespace and self.name == "latex" else []
        if self.name == "latex" and (prime := _primed(bare.partition("_")[0])[1]) and (marks or head is not None):
            marks, shown = [prime, *marks], shown.replace(f"^{{{prime}}}", "")
        if head is not None:
            marks.append(f"({self.scalar((head + 1).expand())})")
        return self.family.format(shown, ",".join(marks)) if marks else shown

    def entry_of(self, name: str, head: Any, indices: list[str]) -> str:
        """q_{21}, z^{(1)}_{2}: a lower-case letter with its indices, already written."""
        base, mark = entry_name(name, head)
        joined = ("" if all(len(k) == 1 for k in indices) else ",").join(indices)
        if self.name == "latex":
            return self.entry.format(base, f"^{{{mark}}}" if mark else "", joined)
        plain, base = (re.sub(r"\\(mathrm)?|[{}]", "", text.replace(r"\prime", "'")) for text in (mark, base))
        joined = joined if re.fullmatch(r"[\w,]+", joined) else f"({joined})"
        return self.entry.format(base, f"^{plain}" if plain else "", joined)

    def matrix(self, rows: list[list[Any]]) -> str:
        cells = [self.cell_separator.join(x if isinstance(x, str) else self.scalar(x) for x in row) for row in rows]
        if self.name == "text":
            cells = [f"[{row}]" for row in cells]
        return self.matrix_fence.format(self.row_separator.join(cells))

    @cached_property
    def level_of_fraction(self) -> int:
        return ATOM if self.name == "latex" else PRODUCT

    def fenced(self, piece: Piece, at_least: int) -> str:
        return piece.text if piece.level >= at_least else self.parentheses.format(piece.text)

    def write(self, form: Form, arguments: list[Piece], scalars: list[Any]) -> Piece:
        """One operation, its arguments already written."""
        if isinstance(form, Infix):
            return self._infix(form, arguments)
        if isinstance(form, Suffix):
            return Piece(self.suffix[form.mark].format(self.fenced(arguments[0], SUFFIX)), SUFFIX)
        if isinstance(form, Call):
            name = self.functions.get(form.name, form.name)
            shown = [a.text for a in arguments] + [self.scalar(s) for s in scalars]
            return Piece(self.call.format(name, ", ".join(shown)), ATOM)
        if isinstance(form, Quotient):
            above, below = arguments
            if self.name == "latex":
                return Piece(self.fraction.format(above.text, below.text), ATOM)
            return Piece(self.fraction.format(self.fenced(above, PRODUCT), self.fenced(below, ATOM)), PRODUCT)
        if isinstance(form, Scaled):
            return self._scaled(arguments[0], *scalars)
        if isinstance(form, Subscripted):
            return self._subscripted(form, arguments[0], scalars)
        if isinstance(form, Over):
            letter, count = (self.scalar(s) for s in scalars)
            name = self.functions.get(form.name, form.name)
            return Piece(self.over.format(name, arguments[0].text, letter, count), ATOM)
        return Piece(self.symbols[form.name], ATOM)

    def _subscripted(self, form: Subscripted, argument: Piece, scalars: list[Any]) -> Piece:
        """Row i, columns a to b; or a block at such a place among zeros."""
        first = self.scalar((scalars[0] + 1).expand())
        if form.template == "row":
            if argument.of_letter is not None:
                return Piece(self.entry_of(*argument.of_letter, [first]), ATOM)
            return Piece(self.row.format(self.fenced(argument, ATOM), first), ATOM)
        if form.template == "columns":
            last = self.scalar((scalars[0] + scalars[1]).expand())
            return Piece(self.columns.format(self.fenced(argument, ATOM), first, last), ATOM)
        return Piece(self.pad.format(form.template, argument.text, first, self.scalar(scalars[1])), ATOM)

    def _infix(self, form: Infix, arguments: list[Piece]) -> Piece:
        # the right operand of an associative sign keeps its brackets: the order of work is meant
        parts = [self.fenced(a, form.level + (k > 0 and form.sign != "add")) for k, a in enumerate(arguments)]
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
            if isinstance(factor, Add):
                shown = self.parentheses.format(shown)
            sign = self.times if shown[-1].isdigit() and text[0].isdigit() else " "
            text, level = f"{shown}{sign}{text}", ADDITION if shown.startswith("-") else PRODUCT
        if divisor == 1:
            return Piece(text, level)
        below = self.scalar(divisor)
        plain = divisor.is_Symbol or (divisor.is_Integer and divisor > 0) or (divisor.is_Pow and divisor.exp == S.Half)
        if self.name == "text" and not plain:
            below = self.parentheses.format(below)
        if factor == 1 and self.name == "latex":
            text = body.text
        return Piece(self.fraction.format(text, below), min(level, self.level_of_fraction))


LATEX = Dialect(
    name="latex",
    infix={"product": " ", "add": " + ", "subtract": " - ", "hadamard": r" \odot "},
    suffix={"transpose": r"{}^{{\mathsf T}}"},
    symbols={"ones": r"\mathbf{1}", "minus_infinity": r"-\infty"},
    call=r"\operatorname{{{}}}\!\left({}\right)",
    over=r"\operatorname*{{{0}}}_{{{2}=1}}^{{{3}}}\!\left({1}\right)",
    parentheses=r"\left({}\right)",
    fraction=r"\frac{{{}}}{{{}}}",
    row=r"{}_{{{}}}",
    columns=r"{}_{{:,\,{}:{}}}",
    pad=r"\operatorname{{{0}}}_{{{2}\,/\,{3}}}\!\left({1}\right)",
    power_of_e="e^{{{}}}",
    times=r" \times ",
    cell_separator=" & ",
    row_separator=r" \\ ",
    matrix_fence=r"\begin{{bmatrix}}{}\end{{bmatrix}}",
    family=r"{{{}^{{{}}}}}",
    entry="{}{}_{{{}}}",
    functions={},
)
TEXT = Dialect(
    name="text",
    infix={"product": " ", "add": " + ", "subtract": " - ", "hadamard": " ⊙ "},
    suffix={"transpose": "{}^T"},
    symbols={"ones": "1", "minus_infinity": "-∞"},
    call="{}({})",
    over="{0}({1}, {2} = 1..{3})",
    parentheses="({})",
    fraction="{} / {}",
    row="{}[{}]",
    columns="{}[:, {}:{}]",
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
