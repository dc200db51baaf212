"""A mask that is subtracted: −∞ taken away is +∞, which hides nothing."""

from __future__ import annotations

from dataclasses import replace

from sympy import S

from symtransformer.checking.definitions import Definitions
from symtransformer.checking.equations import Equation
from symtransformer.checking.number_words import UNDECIDABLE
from symtransformer.node import Node
from symtransformer.notation import Words
from symtransformer.operations.scaling import Scaling
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.sides import Side
from symtransformer.symbols import Letter, Literal

SUBTRACTED = Words(
    "Not decided: a mask is subtracted here, and −∞ taken away is +∞, which hides nothing; a mask is added.",
    "判定できない。マスクを引いている。−∞ を引くと +∞ になり、何も隠れない。マスクは足すものである。",
)


def without_subtracted_masks(
    equation: Equation, sides: tuple[Side | ReadingError, ...], known: Definitions
) -> Equation:
    """The equation, or that it is not decided where a side subtracts −∞ and no value can be told."""
    is_open = equation.verdict == "definition" or (equation.verdict == UNDECIDABLE and equation.code == "no_value")
    if not is_open or not any(isinstance(side, Side) and _subtracts(side, known) for side in sides):
        return equation
    return replace(
        equation, verdict=UNDECIDABLE, words=SUBTRACTED, code="mask_sign", entries=(), right_value=None, right_line=""
    )


def _subtracts(side: Side, known: Definitions) -> bool:
    letters = {letter: name for name, letter in known.letters(side).items()}
    waiting, seen = [side.value], set()
    while waiting:
        node = waiting.pop()
        if not isinstance(node, Node) or id(node) in seen:
            continue
        seen.add(id(node))
        if (
            isinstance(node, Scaling)
            and (node.args[1] / node.args[2]).is_negative
            and _is_mask(node.args[0], letters, known)
        ):
            return True
        waiting += node.args
    return False


def _is_mask(node: object, letters: dict[object, str], known: Definitions) -> bool:
    if isinstance(node, Letter):
        return node in letters and known[letters[node]].known.mask
    return isinstance(node, Literal) and S.NegativeInfinity in node.matrix.flat()


__all__ = ["without_subtracted_masks"]
