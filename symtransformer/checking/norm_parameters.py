"""LayerNorm(x) where the document gives γ and β values: whether they belong to it is not said."""

from __future__ import annotations

from typing import Any

from symtransformer.checking import equation_words as words
from symtransformer.checking.definitions import Definitions
from symtransformer.checking.doubts import undecided
from symtransformer.checking.equations import ACCEPTED, ACCUSING, Equation
from symtransformer.operations.layer_norm import LayerNorm
from symtransformer.operations.rms_norm import RMSNorm
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.sides import Side
from symtransformer.symbols import Literal

NEUTRAL = {"gamma": 1, "beta": 0}  # with these values nothing is changed


def without_norm_parameters(equation: Equation, sides: tuple[Side | ReadingError, ...], known: Definitions) -> Equation:
    """The equation; not decided where a norm stands alone, without the gain or shift that would fit its rows."""
    if equation.verdict not in (*ACCEPTED, *ACCUSING):
        return equation
    norms = [side.value for side in sides if isinstance(side, Side) and isinstance(side.value, (LayerNorm, RMSNorm))]
    is_bare = any(norm.argument("gain") is None and any(_fits(known, name, norm) for name in NEUTRAL) for norm in norms)
    return undecided(equation, words.NORM_PARAMETERS, "norm_parameters") if is_bare else equation


def _fits(known: Definitions, name: str, norm: Any) -> bool:
    """Whether the name has a value that would change the rows: numbers, as many as these have entries."""
    own = known.get(name)
    if own is None or not isinstance(own.exact, Literal):
        return own is not None and own.exact != NEUTRAL[name]
    entries = list(own.exact.matrix.flat())
    return len(entries) == norm.shape[1] and any(entry != NEUTRAL[name] for entry in entries)
