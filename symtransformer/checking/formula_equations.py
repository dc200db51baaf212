"""The verdict on a formula as one on the equation of a document."""

from __future__ import annotations

from dataclasses import replace

from symtransformer.checking.definitions import Definitions
from symtransformer.checking.equations import Equation
from symtransformer.checking.formula_definitions import GRADIENT
from symtransformer.checking.formula_verdicts import OWN_FORMULAS, REFUTED, FormulaVerdict
from symtransformer.documents import Relation
from symtransformer.reading.sides import Side


def of_formula(made: Equation, found: FormulaVerdict) -> Equation:
    """The equation with all that is said of it as a formula."""
    return replace(
        made,
        kind="formula",
        verdict=found.kind,
        words=found.words,
        against=found.against,
        counterexample=found.counterexample,
        code=found.code,
        remarks=tuple(found.remarks),
        right_value=found.right or None,
    )


def refuted_gradient(
    definitions: Definitions, name: str | None, right: Side, relation: Relation, made: Equation
) -> Equation | None:
    """dz = y - p where z, y and p have values: no definition, if the document's own loss has another derivative."""
    if name is None or right.shown is not None or not GRADIENT.fullmatch(name):
        return None
    known = {key: definition.known.shape for key, definition in definitions.by_name.items()}
    found = definitions.judge.judge(relation.left.text, relation.right.text, known)
    return of_formula(made, found) if found.kind == REFUTED and found.against == OWN_FORMULAS else None


__all__ = ["of_formula", "refuted_gradient"]
