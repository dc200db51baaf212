r"""Why two formulas are not compared by numbers for their letters: what may be a matrix, a function, or a derivative."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from symtransformer.checking.free_names import (
    NotEntries,
    entries_in,
    entry_of,
    is_derivative,
    multiplied,
    no_numbers,
    numbers_by_use,
    without_marks,
)  # fmt: skip
from symtransformer.checking.free_values import Formulas, range_of
from symtransformer.reading import free_syntax as kinds
from symtransformer.reading.free_syntax import Free, letter_of

FUNCTIONS = frozenset(("f", "g", "h", "F", "G", "H", "phi", "varphi", "psi", "Phi", "P", "p"))  # before brackets
DIFFERENTIALS = frozenset(("d", "Delta", "delta"))


def check_differentials(sides: tuple[Free, Free], used: Formulas) -> None:
    r"""dy/dx and \Delta y / \Delta x are no quotients in which a letter d or Δ could be cancelled."""
    for tree in (*sides, *(tree for _, tree, _ in used.values())):
        heads = {True: set[str](), False: set[str]()}
        for part in tree:
            pairs = [*zip(part.parts, (False, True), strict=False)] if part.kind == kinds.FRACTION else []
            if part.kind == kinds.PRODUCT and "/" in part.text:
                pairs = [(Free(kinds.PRODUCT, "", (p,)), False) for p in part.parts]
                pairs += [(Free(kinds.PRODUCT, "", (p,)), True) for p in part.parts]
            for side, is_below in pairs:
                first = side.parts[0] if side.kind == kinds.PRODUCT and side.parts else side
                heads[is_below].add(letter_of(first) if first.kind == kinds.SCRIPTED else first.text)
        if heads[True] & heads[False] & DIFFERENTIALS:
            raise NotEntries("a quotient of differentials")


def check_opaque(sides: tuple[Free, Free], plain: frozenset[str], used: Formulas, opaque: Collection[str]) -> None:
    """No derivative beside a letter whose formula is not known here, but for that by which it is taken."""
    derivatives = [p for side in sides for p in side if is_derivative(p) or p == Free(kinds.NAME, "nabla")]
    if not derivatives:
        return
    nablas = [p for side in sides for p in side if p.kind == kinds.SCRIPTED and p.parts[0] == Free(kinds.NAME, "nabla")]
    by = {e.key for p in (*derivatives, *nablas) if p.parts for e in entries_in(p.parts[1], plain)}
    trees = [*((side, plain) for side in sides), *((tree, own) for _, tree, own in used.values())]
    inside = {e.key for tree, own in trees for e in entries_in(tree, own)} - by - used.keys()
    others = {without_marks(key) for key in used}  # h_t has a formula, so h_{t-1} has it too
    if any(without_marks(key) in opaque or key in opaque or without_marks(key) in others for key in inside):
        raise NotEntries("a derivative beside a letter whose formula is not known")


def check_brackets(sides: tuple[Free, Free], plain: frozenset[str], used: Formulas) -> None:
    """f(x) is no product, and a(1 - a) is one: a has an index, a formula, or stands alone elsewhere."""
    called: set[str] = set()
    alone: set[str] = set()
    for tree, own in [*((side, plain) for side in sides), *((tree, own) for _, tree, own in used.values())]:
        brackets = {id(a): b for p in tree if p.kind == kinds.PRODUCT for a, b in _beside(p)}
        for part in tree:
            entry = entry_of(part, own)
            if entry is None or entry.indices or entry.key in used:
                continue
            behind = brackets.get(id(part))
            if behind is None:
                alone.add(entry.key)
            elif part.kind == kinds.WORD or entry.key in FUNCTIONS or behind.parts[0].kind != kinds.SUM:
                raise NotEntries("a letter before brackets may be a function")
            else:
                called.add(entry.key)
    if called - alone:
        raise NotEntries("a letter before brackets may be a function")


def _beside(part: Free) -> Iterator[tuple[Free, Free]]:
    for sign, one, other in zip(part.text, part.parts, part.parts[1:], strict=False):
        if sign == " " and other.kind == kinds.BRACKETS and other.text in ("()", "[]"):
            yield one, other


def check_numbers(sides: tuple[Free, Free], plain: frozenset[str], used: Formulas, loss: str, given: Formulas) -> None:
    """`given` are all formulas of the document: what is squared in one of them is a number in the others."""
    uses: dict[str, bool] = {}
    trees = [*((side, plain) for side in sides), *((tree, own) for _, tree, own in used.values())]
    for tree, own in (*trees, *((tree, own) for key, (_, tree, own) in given.items() if key not in used)):
        for key, is_below in numbers_by_use(tree, own):
            uses[key] = uses.get(key, False) or is_below
    for tree, _ in trees:
        for part in tree:
            if part.kind == kinds.BIG and part.parts:
                uses[range_of(part)[1]] = True
    uses[loss] = True
    entries = [e for tree, own in trees for e in entries_in(tree, own) if e.key not in ("e", "pi")]
    lists = {e.key for e in entries if e.indices} | {key for key, (letters, _, _) in used.items() if letters}
    counted = {x for e in entries for x in e.indices}
    counted |= {range_of(p)[0] for t, _ in trees for p in t if p.kind == kinds.BIG and p.parts}
    doubtful = no_numbers(
        [e for e in entries if e.key not in counted], uses, lists, {k: (t, own) for k, (_, t, own) in used.items()}
    )
    if doubtful & uses.keys() or any(multiplied(tree, own, doubtful) for tree, own in trees):
        raise NotEntries("a letter that may be a matrix")
