"""A mask that is subtracted: −∞ taken away is +∞, which hides nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from sympy import S

from symtransformer.checking.definitions import Definitions
from symtransformer.checking.equations import Equation
from symtransformer.checking.number_words import UNDECIDABLE, WRONG, Note
from symtransformer.errors import SymtransformerError
from symtransformer.node import Node, postorder, substitute
from symtransformer.notation import Words
from symtransformer.operations.addition import Addition
from symtransformer.operations.mask import Mask
from symtransformer.operations.masks import CausalMask, PaddingMask
from symtransformer.operations.scaling import Scaling
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.sides import Side
from symtransformer.symbols import Letter, Literal

SUBTRACTED = Words(
    "Not decided: a mask is subtracted here, and −∞ taken away is +∞, which hides nothing; a mask is added.",
    "判定できない。マスクを引いている。−∞ を引くと +∞ になり、何も隠れない。マスクは足すものである。",
)
NOT_ADDED = Words(
    "Wrong: a mask is subtracted here, and −∞ taken away is +∞ or has no value; the other side is what comes out where "
    "the mask is added.",
    "誤り。マスクを引いている。−∞ を引くと +∞ になるか、値がなくなる。もう一方の辺は、マスクを足したときの値である。",
)
SLIP = Note("mask_subtracted", Words("The mask was subtracted, not added.", "マスクを足さずに引いている。"))
WITHOUT_VALUE = ("no_value", "precision")  # ∞ − ∞ is not told apart from 0


def without_subtracted_masks(
    equation: Equation,
    sides: tuple[Side | ReadingError, ...],
    known: Definitions,
    is_accepted: Callable[[Side, Side], bool],
) -> Equation:
    """The equation; where a side subtracts −∞, wrong if it is accepted with the mask added, and else not decided."""
    is_open = equation.verdict == UNDECIDABLE and equation.code in WITHOUT_VALUE
    if not is_open and equation.verdict != "definition":
        return equation
    added = tuple(_added(side, known) if isinstance(side, Side) else side for side in sides)
    if all(new is old for new, old in zip(added, sides, strict=True)):
        return equation
    left, right = added
    is_wrong = is_open and isinstance(left, Side) and isinstance(right, Side) and is_accepted(left, right)
    made = replace(equation, entries=(), right_value=None, right_line="", remarks=())
    if is_wrong:
        return replace(made, verdict=WRONG, words=NOT_ADDED, code="", local=None, slips=(SLIP,))
    return replace(made, verdict=UNDECIDABLE, words=SUBTRACTED, code="mask_sign")


def _added(side: Side, known: Definitions) -> Side:
    """The side with every mask added that is subtracted in it; itself where none is."""
    rule = dict(_subtracted(side, known))
    try:
        return replace(side, value=substitute(side.value, rule)) if rule else side
    except SymtransformerError:
        return side


def _subtracted(side: Side, known: Definitions) -> Iterator[tuple[Node, Node]]:
    """Each sum in which a mask is subtracted, and the same with it added."""
    letters = {letter: name for name, letter in known.letters(side).items()}
    for node in postorder(side.value) if isinstance(side.value, Node) else ():
        if not isinstance(node, Addition):
            continue
        masks = [x for x in node.args if _is_negative(x) and _is_mask(x.args[0], letters, known)]
        others = [x for x in node.args if x not in masks]
        if masks and others:
            added = Addition(*others)
            for mask in masks:
                added = Mask(added, Scaling(mask.args[0], -mask.args[1], mask.args[2]))
            yield node, added


def _is_negative(term: Node) -> bool:
    return isinstance(term, Scaling) and bool((term.args[1] / term.args[2]).is_negative)


def _is_mask(node: object, letters: dict[object, str], known: Definitions) -> bool:
    if isinstance(node, Letter):
        return node in letters and (known[letters[node]].known.mask or _is_mask(known[letters[node]].exact, {}, known))
    if isinstance(node, (CausalMask, PaddingMask)):
        return True
    return isinstance(node, Literal) and S.NegativeInfinity in node.matrix.flat()


__all__ = ["without_subtracted_masks"]
