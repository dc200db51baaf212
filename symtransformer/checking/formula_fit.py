"""Whether an equation fits the sizes that the document's words give its letters: A B for two matrices of 2 × 3 does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from sympy import Integer

from symtransformer.checking.formula_claims import has_indices
from symtransformer.checking.formula_deciding import Decision, of_shapes, read_alone, read_together
from symtransformer.checking.formula_definitions import is_gradient
from symtransformer.checking.formula_document import Document
from symtransformer.checking.formula_syntax import Derivative, Named, Part, every_part, names_in
from symtransformer.checking.formula_verdicts import UNDECIDABLE
from symtransformer.checking.formula_writing import written
from symtransformer.errors import ShapeError, SymtransformerError
from symtransformer.reading import ReadingShapeError

VECTORS_AT_MOST = 3


@dataclass(frozen=True)
class _Misfit:
    """What does not fit in one way: of both sides, each of which has a size, or inside of one."""

    decision: Decision
    is_of_sides: bool = False


def unfit(document: Document, left: Part, right: Part, numbers: set[str]) -> Decision | None:
    """Sizes that fit in no way: of kind shapes, or undecidable where a letter may be the other; None where they do.

    `numbers` are letters that may be numbers. A vector of which only the length is told may be a row or a column.
    """
    parts = [p for side in (left, right) for p in every_part(side)]
    if has_indices(left, right) or any(is_gradient(p) or isinstance(p, Derivative) for p in parts):
        return None
    names = {*names_in(left), *names_in(right)}
    is_new = isinstance(left, Named) and document.find(left.name) is None
    lines = document.lines(names_in(right) if is_new else names)
    steps = {name for name, _ in lines}
    used = (names | {n for d in document.behind(names) for n in d.uses}) - steps
    told = {n: size for n, size in document.told.items() if n in used}
    if not told or not told.keys() & names:
        return None
    misfits: list[_Misfit] = []
    for shapes in _ways(document, told, used, numbers):
        try:
            misfit = _defined(document, lines, left, right, shapes) if is_new else _both(document, lines, left, right, shapes)  # fmt: skip
        except SymtransformerError:
            return None
        if misfit is None:
            return None
        misfits.append(misfit)
    found = next((m.decision for m in misfits if m.is_of_sides), misfits[0].decision if misfits else None)
    if found is None or found.sizes is None:
        return None
    if is_new and any(size.free_symbols for size in found.sizes):  # K = X W_K, for as many rows
        return None
    return found if _are_apart(document, found.sizes) else replace(found, kind=UNDECIDABLE)


def _ways(
    document: Document, told: dict[str, tuple[str, ...]], used: set[str], numbers: set[str]
) -> Iterator[dict[str, str]]:
    """Shapes for the reader: what has values as it is, vectors lying or standing, letters as matrices or as numbers."""
    known = {
        n: "number" if not isinstance(s, tuple) else f"{s[0]} {s[1]}" for n, s in document.known.items() if n in used
    }
    vectors = [n for n, size in told.items() if len(size) == 1 and n not in known]
    fixed = {**{n: " ".join(size) for n, size in told.items() if len(size) == 2}, **known}
    if len(vectors) > VECTORS_AT_MOST:
        return
    for lying in product((True, False), repeat=len(vectors)):
        turned = {n: f"1 {told[n][0]}" if lies else f"{told[n][0]} 1" for n, lies in zip(vectors, lying, strict=True)}
        for free in (set(), numbers - fixed.keys() - set(vectors)):
            yield {**fixed, **turned, **dict.fromkeys(free, "number")}


def _both(document: Document, lines: Any, left: Part, right: Part, shapes: dict[str, str]) -> _Misfit | None:
    one, other = (written(document.expanded(side)) for side in (left, right))
    try:
        read_together(lines, one, other, {*names_in(left), *names_in(right)}, shapes)
    except (ShapeError, ReadingShapeError) as error:
        return _Misfit(of_shapes(error), not isinstance(error, ReadingShapeError))
    return None


def _defined(document: Document, lines: Any, left: Part, right: Part, shapes: dict[str, str]) -> _Misfit | None:
    """The right side alone, and against the size told for the name on the left side."""
    own = {n: shape for n, shape in shapes.items() if not isinstance(left, Named) or n != left.name}
    if isinstance(right, Named) and right.name in own:  # C = A
        shape = tuple(own[right.name].split())
    else:
        try:
            node = read_alone(lines, written(document.expanded(right)), names_in(right), own)
        except (ShapeError, ReadingShapeError) as error:
            return _Misfit(of_shapes(error))
        shape = tuple(map(str, node.shape))
    size = document.told.get(left.name, ()) if isinstance(left, Named) else ()
    given = tuple(x for x in shape if x != "1") or ("1",) if len(size) == 1 and "1" in shape else shape
    apart = next(((a, b) for a, b in zip(given, size, strict=False) if a.isdigit() and b.isdigit() and a != b), None)
    if apart is None or len(given) != len(size):
        return None
    message = f"the right side is {' x '.join(shape)}, and it is told to be {' x '.join(size)}"
    return _Misfit(of_shapes(ShapeError(message, sides=_numbers(apart))), True)


def _numbers(pair: tuple[str, str]) -> tuple[Any, Any]:
    return Integer(int(pair[0])), Integer(int(pair[1]))


def _are_apart(document: Document, sizes: tuple[Any, Any]) -> bool:
    """Two numbers, or two letters of which the document says nothing more."""
    letters = {str(s) for size in sizes for s in size.free_symbols}
    is_of_letters = all(size.free_symbols for size in sizes)
    return not letters or (is_of_letters and not any(n in document.known or document.find(n) for n in letters))
