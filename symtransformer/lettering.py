r"""Letters, entries and numbers in a dialect: W_{Q}^{(2)}, q_{21}, 0.5, under the notation that was chosen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sympy import Expr, Rational, S
from sympy.core.symbol import Str

from symtransformer.chosen_notation import USUAL, Notation
from symtransformer.notation import counts_from_zero
from symtransformer.scalars import (
    LatexScalars,
    TextScalars,
    decimal_of,
    entry_name,
    latex_name,
    primed,
    upright,
    without_namespace,
)

_UPRIGHT = re.compile(r"\\mathrm\{([A-Za-z0-9]+)\}")
_POINT = re.compile(r"(?<=[0-9])\.(?=[0-9])")


@dataclass(frozen=True, kw_only=True)
class Lettering:
    """The templates of one target for what stands in a formula by itself."""

    name: str
    symbols: dict[str, str]
    parentheses: str
    family: str
    entry: str
    notation: Notation = USUAL
    bold: dict[str, str] = field(default_factory=dict)  # by the way of setting matrices that a notation names
    decimal_comma: str = ","

    def with_decimal_sign(self, text: str) -> str:
        """A number or formula, written with a point, with the sign of the notation."""
        return text if self.notation.decimal == "." else _POINT.sub(self.decimal_comma, text)

    def scalar(self, value: Any) -> str:
        if value is S.NegativeInfinity:
            return self.symbols["minus_infinity"]
        if isinstance(value, Str):
            return rf"\text{{{value.name}}}" if self.name == "latex" else value.name
        return self.with_decimal_sign(decimal_of(value) or str(self._scalars.doprint(value)))

    @cached_property
    def _scalars(self) -> Any:
        return (LatexScalars if self.name == "latex" else TextScalars)(self)

    def decimal(self, value: Any) -> str:
        """A small number such as 1/100000 as 0.00001; any other as it is."""
        digits = len(str(value.q)) - 1 if isinstance(value, Rational) else 0
        if not 0 < digits <= 30 or value.q != 10**digits:
            return self.scalar(value)
        whole, rest = divmod(abs(value.p), value.q)
        return self.with_decimal_sign(f"{'-' if value.p < 0 else ''}{whole}.{rest:0{digits}d}")

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
        namespace, bare = without_namespace(name := self.notation.renamed(name))
        if self.notation.matrices in self.bold or not self.notation.letters_are_usual:
            return self._placed_letter(namespace, bare, head)
        shown = latex_name(bare) if self.name == "latex" else name
        marks = [upright(namespace)] if namespace and self.name == "latex" else []
        if self.name == "latex" and (prime := primed(bare.partition("_")[0])[1]) and (marks or head is not None):
            marks, shown = [prime, *marks], shown.replace(f"^{{{prime}}}", "")
        if head is not None:
            marks.append(f"({self._head(head)})")
        return self.family.format(shown, ",".join(marks)) if marks else shown

    def _head(self, head: Expr) -> str:
        return self.scalar((head + 1).expand())

    def _placed_letter(self, namespace: str, bare: str, head: Expr | None) -> str:
        """The letter with its label, its namespace and its head where the notation wants them."""
        base, _, label = bare.rstrip("_").partition("_")
        base, prime = primed(base) if self.name == "latex" else (base, "")
        low: list[str] = []
        high = [prime] if prime else []
        if label:
            shown = label if len(label) == 1 or self.name != "latex" else upright(label)
            (high if self.notation.is_raised(label) else low).append(shown)
        if namespace and self.name == "latex":
            high.append(upright(namespace))
        if head is not None and self.notation.heads == "subscript":
            low.append(self._head(head))
        elif head is not None:
            high.append(f"({self._head(head)})")
        shown = self._bold(latex_name(base)) if self.name == "latex" else base
        if self.name != "latex":
            place = f"{namespace}." if namespace else ""
            return place + shown + _in_text("_", low) + _in_text("^", high)
        shown += f"_{{{','.join(low)}}}" if low else ""
        return self.family.format(shown, ",".join(high)) if high else shown

    def row_of(self, name: str, head: Any, index: str) -> str:
        """q_{2}: one row of a matrix, bold where matrices are."""
        return self.entry_of(name, head, [index], is_row=True)

    def _bold(self, base: str) -> str:
        """A letter as the notation sets matrices; Greek letters and differentials have no upright bold."""
        if self.notation.matrices == "bold" and (upright_word := _UPRIGHT.fullmatch(base)):
            return self.bold["bold"].format(upright_word[1])
        way = "bold-italic" if self.notation.matrices == "bold" and len(base) > 1 else self.notation.matrices
        return self.bold.get(way, "{}").format(base)

    def places(self, indices: Sequence[str]) -> str:
        """21, or 10,2: indices behind each other, already written."""
        return ("" if all(len(k) == 1 for k in indices) else ",").join(indices)

    def entry_of(self, name: str, head: Any, indices: list[str], is_row: bool = False) -> str:
        """q_{21}, z^{(1)}_{2}: a lower-case letter with its indices, already written."""
        base, mark = entry_name(self.notation.renamed(name), head)
        joined = self.places(indices)
        if self.name == "latex":
            return self.entry.format(self._bold(base) if is_row else base, f"^{{{mark}}}" if mark else "", joined)
        plain, base = (re.sub(r"\\(mathrm|mathit)?|[{}]", "", text.replace(r"\prime", "'")) for text in (mark, base))
        joined = joined if re.fullmatch(r"[\w,]+", joined) else f"({joined})"
        plain = f"{{{plain}}}" if re.search(r"[)'],", plain) else plain  # q^{(1),enc1}_ij, and w^Q,(1)_ij
        return self.entry.format(base, f"^{plain}" if plain else "", joined)


def _in_text(sign: str, marks: list[str]) -> str:
    """_Q, ^(2), _(Q,2): several marks in brackets."""
    if not marks:
        return ""
    alone = len(marks) == 1 and (marks[0].isalnum() or marks[0].startswith("("))
    return sign + (marks[0] if alone else f"({','.join(mark.strip('()') for mark in marks)})")
