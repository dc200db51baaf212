"""What an equation defines, and formulas of entries as formulas of matrices: s_ij = q_i · k_j is S = Q Kᵀ."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations
from typing import Any

from symtransformer.checking.formula_names import CAPITAL_GREEK
from symtransformer.checking.formula_syntax import Call, Named, Number, Part, Power, every_part, names_in
from symtransformer.checking.formula_writing import written
from symtransformer.claims import verify
from symtransformer.claims.time_limit import check_time
from symtransformer.errors import SymtransformerError
from symtransformer.scalars import GREEK

NAMED = "|".join(["[A-Za-z]", "Word[0-9]+", "Var", "Sq", *CAPITAL_GREEK, *GREEK])
GRADIENT = re.compile(rf"d({NAMED})(hat|tilde)?(prime)*(_[A-Za-z0-9]+)?")


@dataclass(frozen=True)
class Definition:
    """name, name_ij or name(x) = right; without a right side it could not be read."""

    name: str
    right: Part | None
    indices: tuple[str, ...] = ()
    arguments: tuple[str, ...] | None = None
    squared: bool = False  # sigma^2 = ...

    @cached_property
    def uses(self) -> tuple[str, ...]:
        return (
            tuple(n for n in names_in(self.right) if n not in (self.arguments or ())) if self.right is not None else ()
        )

    @property
    def is_alias(self) -> bool:
        return isinstance(self.right, Named) and not self.right.indices and not self.indices and not self.squared

    @cached_property
    def has_gradients(self) -> bool:
        return self.right is not None and any(is_gradient(p) for p in every_part(self.right))


def is_gradient(part: Any) -> bool:
    """dQ, ds_ij: what derivatives of a loss are written as once they are read."""
    return isinstance(part, Named) and GRADIENT.fullmatch(part.name) is not None


def definition_of(left: Part, right: Part | None) -> Definition | None:
    """What an equation with this left side defines; None where it is no name."""
    if isinstance(left, Named):
        if left.indices and (len(set(left.indices)) != len(left.indices) or any(x.isdigit() for x in left.indices)):
            return None
        return Definition(left.name, right, left.indices)
    if isinstance(left, Power) and isinstance(left.base, Named) and left.exponent == Number("2"):
        return Definition(left.base.name, right, left.base.indices, squared=True)
    if (
        isinstance(left, Call)
        and all(isinstance(a, Named) and not a.indices for a in left.arguments)
        and not left.words
    ):
        return Definition(left.function, right, arguments=tuple(a.name for a in left.arguments))  # type: ignore[attr-defined]
    return None


def capital(name: str) -> str:
    return name[0].upper() + name[1:] if name[:1].islower() else name


@lru_cache(maxsize=256)
def matrix_form(name: str, indices: tuple[str, ...], right: Part) -> tuple[str, str] | None:
    """s_ij = q_i · k_j as S = Q Kᵀ: the first usual form that has these entries."""
    letters = [
        capital(n) if any(p.indices for p in every_part(right) if isinstance(p, Named) and p.name == n) else n
        for n in names_in(right)
    ]
    below = ",".join(indices)
    own = capital(name)
    claim = f"{own}_{{{below}}} = {written(right)}" if len(indices) == 2 else f"{name}_{{{below}}} = {written(right)}"
    for text, target in _usual_forms(letters, own, name, len(indices)):
        check_time()
        try:
            if verify(claim, of=f"{target} = {text}").kind == "proved":
                return target, text
        except (SymtransformerError, ArithmeticError):
            continue
    return None


def _usual_forms(letters: list[str], own: str, name: str, count: int) -> Iterable[tuple[str, str]]:
    matrices = [x for x in letters if not x.startswith("d_")][:3]
    roots = [f" / sqrt({x})" for x in letters if x.startswith("d_")] or [""]
    if len(matrices) == 1:
        x = matrices[0]
        if count == 1:
            yield f"softmax({x.lower()})", name
        yield f"softmax({x})", own
        yield f"{x}^T", own
    for a, b in permutations(matrices[:3], 2):
        for root in roots:
            for form in (f"{a} {b}^T", f"{a} {b}", f"{a}^T {b}"):
                yield f"{form}{root}", own
