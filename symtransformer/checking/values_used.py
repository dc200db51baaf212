r"""The values of the document that a counterexample uses: with σ² = 2 among its numbers a reader can redo it."""

from __future__ import annotations

from dataclasses import replace

from symtransformer.checking.formula_calls import NORMS
from symtransformer.checking.formula_document import Document
from symtransformer.checking.formula_examples import STATISTICS
from symtransformer.checking.formula_syntax import functions_in, names_in
from symtransformer.checking.formula_verdicts import REFUTED, FormulaVerdict
from symtransformer.checking.formula_writing import written
from symtransformer.errors import SymtransformerError


def with_values_used(found: FormulaVerdict, document: Document, left: str, right: str) -> FormulaVerdict:
    """The verdict with the numbers that were put in for names, behind those that were chosen."""
    if found.kind != REFUTED or not found.counterexample or not any(map(_is_number, document.definitions.values())):
        return found
    latex = "\\" in left + right
    try:
        sides = document.left(left, latex), document.read(right, latex)
    except SymtransformerError:
        return found
    names = {n for side in sides for n in names_in(side)}
    is_norm = bool({f.casefold() for f in functions_in(sides[0])} & {"ln", *(n.casefold() for n in NORMS)})
    used = [d for d in document.behind(names) if _is_number(d) and not (is_norm and d.name in STATISTICS)]
    shown = [f"{d.name}{'²' if d.squared else ''} = {written(d.right)}" for d in used if d.right is not None]
    return replace(found, counterexample=", ".join([found.counterexample, *shown]))


def _is_number(definition: object) -> bool:
    right = getattr(definition, "right", None)
    return right is not None and not names_in(right) and not getattr(definition, "indices", ())


__all__ = ["with_values_used"]
