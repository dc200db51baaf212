r"""μ = 2.5 and σ² = 2 of an example: in LayerNorm(x) = (x − μ)/√(σ² + ε) the letters are the statistics of x."""

from __future__ import annotations

from symtransformer.checking.formula_definitions import Definition
from symtransformer.checking.formula_document import Document
from symtransformer.checking.formula_syntax import Number, Total, every_part, names_in

STATISTICS = frozenset(("mu", "m", "sigma", "s"))


def without_values(document: Document) -> Document:
    """The document without the numbers that it gives μ and σ: they belong to one vector."""
    return document.without({n for n, d in _statistics(document).items() if d.right and not names_in(d.right)})


def without_one_size(document: Document) -> Document | None:
    """Without formulas of μ and σ for one size, as (x_1 + ... + x_4)/4 as a sum; None where there are none."""
    found = {n for n, d in _statistics(document).items() if _is_of_one_size(d)}
    return document.without(found) if found else None


def _statistics(document: Document) -> dict[str, Definition]:
    return {n: d for n, d in document.definitions.items() if n in STATISTICS and not d.indices and d.right is not None}


def _is_of_one_size(definition: Definition) -> bool:
    """A sum that ends at a number, or beside a number other than those of the formulas for all sizes."""
    every = [*every_part(definition.right)] if definition.right is not None else []
    totals = [p for p in every if isinstance(p, Total)]
    numbers = {p.text for p in every if isinstance(p, Number)} - {"0", "1", "2"}
    return any(p.upper.isdigit() for p in totals) or bool(totals and numbers)


__all__ = ["without_one_size", "without_values"]
