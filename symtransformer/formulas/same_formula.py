"""Whether two expressions have the same formula: equal normal forms are equal formulas, for all sizes.

The converse does not hold: unlike forms decide nothing.
"""

from __future__ import annotations

from itertools import product as every_choice

from symtransformer.errors import SymtransformerError
from symtransformer.formulas.algebra import added, product
from symtransformer.formulas.entries import Reader
from symtransformer.formulas.rooms import remember_rooms
from symtransformer.formulas.scalar_formulas import ENTRIES_AT_MOST
from symtransformer.formulas.sums import solved, substituted
from symtransformer.formulas.terms import (
    IS_0,
    ONE,
    ZERO,
    Call,
    Formula,
    Index,
    constant,
    formula_of,
    limited,
    number_in,
    single,
    term_of,
)  # fmt: skip
from symtransformer.node import Node, postorder

NODES_AT_MOST, STEPS_AT_MOST = 400, 40_000


def have_same_formula(left: Node, right: Node, steps: int = STEPS_AT_MOST) -> bool:
    """Whether a general entry of both sides has the same normal form: then they are equal wherever both are defined.

    >>> from symtransformer import dimension, matrix
    >>> n, d = dimension("n"), dimension("d")
    >>> A, B, C = matrix("A", n, d), matrix("B", d, n), matrix("C", n, d)
    >>> have_same_formula((A @ B) @ (C - A), A @ (B @ C) - A @ B @ A)
    True
    >>> have_same_formula(A @ B, (A @ B).T)
    False
    """
    if len(list(postorder(left, right))) > NODES_AT_MOST:
        return False
    return any(_are_equal(left, right, written_out, steps) for written_out in (False, True))


def _are_equal(left: Node, right: Node, written_out: bool, steps: int) -> bool:
    """The entries compared one by one where sums of known length are written out, else a general entry."""
    try:
        with limited(steps, written_out):
            reader = Reader()
            remember_rooms(reader, left, right)
            (rows, columns), others = ([reader.formula(size, {}) for size in side.shape] for side in (left, right))
            if [rows, columns] != others:
                return False
            if not written_out:
                general = place("i", rows), place("j", columns)
                return _entry(reader, left, *general) == _entry(reader, right, *general)
            if not has_known_sizes(left, right):
                return False
            numbers = [all_values(size, place(k, size)) for k, size in (("i", rows), ("j", columns))]
            if len(numbers[0]) * len(numbers[1]) > ENTRIES_AT_MOST:
                return False
            return all(_entry(reader, left, i, j) == _entry(reader, right, i, j) for i, j in every_choice(*numbers))
    except (SymtransformerError, IndexError, RecursionError):
        return False


def place(name: str, size: Formula) -> Formula:
    """A general place among so many: 0 where it can be nothing else."""
    return ZERO if size == ONE else single(Index(f"‹{name}›", size))


def all_values(size: Formula, letter: Formula) -> list[Formula]:
    count = number_in(size)
    return [letter] if count is None else [constant(k) for k in range(int(min(count, ENTRIES_AT_MOST + 1)))]


def has_known_sizes(*roots: Node) -> bool:
    sizes = (s for node in postorder(*roots) for s in (*node.shape, *node.args))
    return any(s.is_Integer and 1 < s <= ENTRIES_AT_MOST for s in sizes)  # type: ignore[attr-defined, operator]


def _entry(reader: Reader, node: Node, i: Formula, j: Formula) -> Formula:
    """Entry (i, j) down to the letters, each condition between the two places put in."""
    return settled(reader.entry_of(node, i, j, {}), [f for where in (j, i) for f in where.free])


def settled(formula: Formula, places: list[Index]) -> Formula:
    """In a term with a condition x = e on a place, x is replaced by e everywhere else."""
    total = []
    for term, number in formula.terms:
        done = formula_of({term: number})
        for condition, _ in term.factors:
            if not (isinstance(condition, Call) and condition.name == IS_0):
                continue
            for index in places:
                value = solved(condition.args[0], index)
                if value is not None:
                    rest = formula_of({term_of({f: p for f, p in term.factors if f != condition}): number})
                    done = product(single(condition), substituted(rest, {index: value}))
                    break
            break
        total.append(done)
    return added(*total)
