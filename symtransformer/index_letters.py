"""Index letters in formulas of entries: which are free, which are bound, and how one takes another's place.

A formula is a SymPy scalar of entries, sums over index letters, Kronecker deltas and derivatives by an
entry. No letter is both free and bound in it, and no sum stands inside another with the same letter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sympy import Basic, Derivative, Expr, Integer, KroneckerDelta, S, Sum, Symbol

from symtransformer.errors import NotSupported
from symtransformer.notation import counts_from_zero
from symtransformer.symbols import Entry, Letter


def index_letter(name: str) -> Symbol:
    """A letter that counts rows, columns or components, from 0."""
    return Symbol(name, integer=True, nonnegative=True)


def rebuilt(formula: Expr, args: list[Any]) -> Any:
    return formula if all(a is b for a, b in zip(args, formula.args, strict=True)) else formula.func(*args)


def with_letters(formula: Any, new: Mapping[Basic, Any]) -> Any:
    """The formula with free letters replaced; refused where a sum would catch what takes their place.

    >>> i, j, k = map(index_letter, "ijk")
    >>> with_letters(KroneckerDelta(i, j), {i: k})
    KroneckerDelta(j, k)
    """
    if not new:
        return formula
    if isinstance(formula, Symbol):
        return new.get(formula, formula)
    if isinstance(formula, Entry):
        return Entry(formula.parent, with_letters(formula.i, new), with_letters(formula.j, new))
    if isinstance(formula, Sum):
        inside = {x: y for x, y in new.items() if x not in formula.variables}
        if caught := set(formula.variables) & {s for y in inside.values() for s in y.free_symbols}:
            raise NotSupported(f"replacing a letter: the sum over {min(map(str, caught))} would catch it")
        return Sum(with_letters(formula.function, inside), *formula.limits)
    if isinstance(formula, Derivative):
        return derivative(with_letters(formula.expr, new), with_letters(formula.variables[0], new))
    if not formula.args:
        return formula
    return rebuilt(formula, [with_letters(a, new) for a in formula.args])


def derivative(formula: Any, by: Entry) -> Expr:
    """The derivative of a formula by an entry, not worked out; by the formula itself it is 1."""
    if not depends(formula, by):
        return S.Zero
    return Derivative(formula, by, evaluate=False)


def depends(formula: Any, by: Entry) -> bool:
    """Whether an entry of the same letter can occur in the formula, also inside what its entries are made of."""
    letter: Any = by.parent
    for entry in formula.atoms(Entry):
        if letter in _mentioned(entry):
            return True
        if letter.head is not None and any(_may_be(letter, x) for x in _mentioned(entry)):
            raise NotSupported(f"a derivative by {letter}, of which another head may be the same; write the heads out")
    return False


def _may_be(letter: Letter, other: Basic) -> bool:
    """Whether both are members of one family whose heads are not told apart by their numbers."""
    if not isinstance(other, Letter) or other.head is None or other.family is not letter.family:
        return False
    return not (other.head.is_Integer and letter.head is not None and letter.head.is_Integer)


def _mentioned(entry: Entry) -> Any:
    return getattr(entry.parent, "_mentions", ())


def bound_letters(formula: Any) -> Iterator[Symbol]:
    """The letter of each sum, as often as there are sums over it."""
    for part in subformulas(formula):
        if isinstance(part, Sum):
            yield from part.variables


def subformulas(formula: Any) -> Iterator[Any]:
    """The formula and everything inside, but not the matrices that entries are taken of."""
    stack = [formula]
    while stack:
        part = stack.pop()
        yield part
        stack.extend((part.i, part.j) if isinstance(part, Entry) else part.args)


def free_letters(formula: Any, bound: frozenset[Symbol] = frozenset()) -> set[Symbol]:
    """The letters in places of entries and deltas that no sum around them binds; sizes are none."""
    if isinstance(formula, Entry):
        return _letters_of(formula.i, formula.j) - bound
    if isinstance(formula, KroneckerDelta):
        return _letters_of(*formula.args) - bound
    if isinstance(formula, Sum):
        return free_letters(formula.function, bound | set(formula.variables))
    found: set[Symbol] = set()
    for part in formula.args:
        found |= free_letters(part, bound)
    return found


def _letters_of(*places: Any) -> set[Symbol]:
    symbols = {s for place in places for s in place.free_symbols if isinstance(s, Symbol)}
    return {s for s in symbols if s.is_positive is not True}  # i and k + 1, and no size, which is at least 1


def require_clear_letters(*formulas: Any) -> None:
    """`NotSupported` where a letter is free in one place and summed over in another, or bound twice.

    >>> i, n = index_letter("i"), Symbol("n", integer=True, positive=True)
    >>> require_clear_letters(KroneckerDelta(i, 0) * Sum(KroneckerDelta(i, 1), (i, 0, n - 1)))
    Traceback (most recent call last):
        ...
    symtransformer.errors.NotSupported: an index formula: i is free in one place and summed over in another
    """
    free = {s for formula in formulas for s in free_letters(formula) | _free_heads(formula, frozenset())}
    bound = {s for formula in formulas for s in bound_letters(formula)}
    if both := sorted(map(str, free & bound)):
        raise NotSupported(f"an index formula: {both[0]} is free in one place and summed over in another")
    for formula in formulas:
        _require_no_shadow(formula, frozenset())


def _free_heads(formula: Any, bound: frozenset[Symbol]) -> set[Symbol]:
    """The letters of heads that no sum binds."""
    if isinstance(formula, Entry):
        return {s for s in _mentioned(formula) if counts_from_zero(s)} - bound
    bound = bound | set(formula.variables) if isinstance(formula, Sum) else bound
    return {s for part in formula.args for s in _free_heads(part, bound)}


def _require_no_shadow(formula: Any, outer: frozenset[Symbol]) -> None:
    if isinstance(formula, Sum):
        if twice := sorted(str(x) for x in formula.variables if x in outer or formula.variables.count(x) > 1):
            raise NotSupported(f"an index formula: a sum over {twice[0]} stands inside another sum over {twice[0]}")
        outer = outer | set(formula.variables)
    for part in () if isinstance(formula, Entry) else formula.args:
        _require_no_shadow(part, outer)


def everywhere(rewrite: Callable[[Any], Any | None], formula: Any) -> Any | None:
    """The formula rewritten at each outermost place where the rule fits; None where it fits nowhere."""
    new = rewrite(formula)
    if new is not None:
        return new
    if isinstance(formula, Entry) or not formula.args:
        return None
    parts = [everywhere(rewrite, a) if isinstance(a, Expr) else None for a in formula.args]
    if all(part is None for part in parts):
        return None
    args = [a if part is None else part for a, part in zip(formula.args, parts, strict=True)]
    if isinstance(formula, Derivative):
        return derivative(args[0], formula.variables[0])
    return formula.func(*args)


def size_of(limits: Any) -> Any:
    """How many values a letter of a sum has."""
    return limits[2] - limits[1] + Integer(1)
