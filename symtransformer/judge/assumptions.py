"""What letters assume, written as expressions without assumptions.

Rows that add up to 1 are exactly the rows W / rowsum(W) of any W, so an equation about a distribution is
decided as one about an ordinary letter.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from symtransformer.derivation import Derivative, Step
from symtransformer.errors import NotSupported
from symtransformer.node import Node, substitute
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_sum import RowSum
from symtransformer.symbols import DistributionLetter, Letter


class _Weights(Letter):
    """What a distribution is made from, unlike every letter that stands beside it."""

    __slots__ = ()


def without_assumptions(root: Any) -> Any:
    """The expression with W / rowsum(W) for every letter whose rows are assumed to add up to 1."""
    letters = [x for x in root._free if isinstance(x, DistributionLetter)]
    if not letters:
        return root
    weights = {x: _Weights(*x.args) for x in letters}
    return substitute(root, {x: RowDivision(w, RowSum(w)) for x, w in weights.items()})


def step_without_assumptions(step: Step) -> Step:
    """The same step about ordinary letters; the step itself where nothing is assumed."""
    sides: list[Node] = [without_assumptions(side) for side in (step.expression, step.definition, step.stands_for)]
    if all(a is b for a, b in zip(sides, (step.expression, step.definition, step.stands_for), strict=True)):
        claim = _claim(step.derivative)
        return step if claim is step.derivative else replace(step, derivative=claim)
    coarse = None if step.coarse is None else sides[1]
    return replace(step, expression=sides[0], coarse=coarse, stands_for=sides[2], derivative=_claim(step.derivative))


def _claim(claim: Derivative | None) -> Derivative | None:
    if claim is None:
        return None
    if isinstance(claim.letter, DistributionLetter):
        raise NotSupported(f"the entries of {claim.letter} are not independent: its rows add up to 1")
    uses = tuple((t, without_assumptions(definition), without_assumptions(dt)) for t, definition, dt in claim.uses)
    cotangent = None if claim.cotangent is None else without_assumptions(claim.cotangent)
    same = uses == claim.uses and cotangent == claim.cotangent
    return claim if same else replace(claim, uses=uses, cotangent=cotangent)
