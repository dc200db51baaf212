"""Whether an expression is the gradient that it claims to be: by the derivatives of entry formulas alone.

The entry of the expression and the entry of Σ dt_pq ∂t_pq/∂X_ab, each in normal form; equal forms are
equal formulas, for all sizes. No product with a Jacobian that an operation declares is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product as every_choice
from math import prod
from typing import Any

from sympy import Basic, Expr

from symtransformer.errors import NotSupported, SymtransformerError
from symtransformer.formulas.algebra import added, minus, product, times
from symtransformer.formulas.derivatives import Variable, derivative, has_edges, with_entries
from symtransformer.formulas.entries import Reader, added_up
from symtransformer.formulas.rooms import remember_rooms
from symtransformer.formulas.same_formula import STEPS_AT_MOST, all_values, has_known_sizes, place, settled
from symtransformer.formulas.scalar_formulas import ENTRIES_AT_MOST, Values
from symtransformer.formulas.sums import new_letter, summed
from symtransformer.formulas.terms import ONE, ZERO, Formula, constant, is_whole, limited, number_in, spend
from symtransformer.node import Node, postorder
from symtransformer.operations.addition import Addition
from symtransformer.operations.scaling import Scaling
from symtransformer.symbols import Letter

NODES_AT_MOST, STEPS_A_NODE = 1_000, 60  # of formulas so long that every node may take no more
# a general place; every place where sizes are known; a general place as an even or an odd one
GENERAL, WRITTEN_OUT, IN_PAIRS = "general", "written out", "in pairs"


@dataclass(frozen=True)
class Use:
    """One matrix t that the variable goes into, and the cotangent of t; with a head letter, one for each head."""

    definition: Node
    cotangent: Node
    head: Basic | None = None
    count: Expr | None = None


@dataclass(frozen=True)
class Claim:
    """expression_ab = Σ over uses, and places p, q, of cotangent_pq ∂definition_pq/∂variable_ab, at variable = value."""

    expression: Node
    variable: Letter
    value: Node  # the variable itself, or what stands behind it
    uses: tuple[Use, ...]
    count: Expr | None = None  # how many heads the variable has

    @property
    def nodes(self) -> tuple[Node, ...]:
        return (self.expression, self.value, *(side for use in self.uses for side in (use.definition, use.cotangent)))


@dataclass(frozen=True)
class Finding:
    """Whether the normal forms are equal, and whether the definitions are in pieces that have no slope where they meet."""

    equal: bool
    edges: bool = False


def compare_with_derivative(claim: Claim) -> Finding:
    """Whether a general entry of both sides has the same normal form.

    >>> from symtransformer import dimension, matrix
    >>> n, m, d = dimension("n"), dimension("m"), dimension("d")
    >>> A, X, G = matrix("A", n, m), matrix("X", m, d), matrix("G", n, d)
    >>> compare_with_derivative(Claim(A.T @ G, X, X, (Use(A @ X, G),))).equal
    True
    >>> compare_with_derivative(Claim(1.001 * A.T @ G, X, X, (Use(A @ X, G),))).equal
    False
    """
    claim = replace(claim, uses=tuple(_moving(use, claim.variable) for use in claim.uses))
    nodes = len(list(postorder(*claim.nodes)))
    if nodes > NODES_AT_MOST:
        return Finding(False)
    for way in (GENERAL, WRITTEN_OUT, IN_PAIRS):
        if way == WRITTEN_OUT and not has_known_sizes(*claim.nodes):
            continue
        try:
            with limited(max(STEPS_AT_MOST, nodes * STEPS_A_NODE), way == WRITTEN_OUT):
                comparison = _Comparison(claim, way)
                if comparison.holds():
                    return Finding(True, comparison.edges)
        except (SymtransformerError, IndexError, RecursionError):
            continue
    return Finding(False)


def _moving(use: Use, letter: Letter) -> Use:
    """A use whose definition adds up those terms only that hold the letter: the others have the slope 0."""
    moving = [
        (term, number)
        for term, number in added_up(use.definition)
        if any(x.name == letter.name for x in term._letters)  # type: ignore[attr-defined]
    ]
    if not isinstance(use.definition, Addition) or not moving:
        return use
    return replace(use, definition=Addition(*(term if n == 1 else Scaling(term, n, 1) for term, n in moving)))


class _Comparison:
    def __init__(self, claim: Claim, way: str) -> None:
        self.claim, self.way, self.edges = claim, way, False
        self.reader = Reader()
        remember_rooms(self.reader, *claim.nodes)
        letter = claim.variable
        sizes = [claim.count, *letter.shape] if claim.count is not None else list(letter.shape)
        self.sizes = [self.reader.formula(size, {}) for size in sizes]
        self.name = self.reader.name(letter if letter.head is None else letter.family, letter.name)

    def holds(self) -> bool:
        if [self.reader.formula(size, {}) for size in self.claim.expression.shape] != self.sizes[-2:]:
            return False
        letters = [place(name, size) for name, size in zip("hij"[-len(self.sizes) :], self.sizes, strict=True)]
        if self.way == GENERAL:
            return self._is_zero_at(letters)
        values = all_values if self.way == WRITTEN_OUT else _in_pairs
        numbers = [values(size, letter) for size, letter in zip(self.sizes, letters, strict=True)]
        if self.way == IN_PAIRS and numbers == [[letter] for letter in letters]:
            return False
        if prod(map(len, numbers)) > ENTRIES_AT_MOST:
            return False
        return all(self._is_zero_at(list(places)) for places in every_choice(*numbers))

    def _is_zero_at(self, places: list[Formula]) -> bool:
        """Whether both sides have the same form, or their difference has the form 0."""
        heads: dict[Basic, Formula] = {}
        if self.claim.count is not None:
            assert self.claim.variable.head is not None
            heads = {self.claim.variable.head: places[0]}
        letters = [index for formula in reversed(places) for index in formula.free]
        left = settled(self.reader.entry_of(self.claim.expression, places[-2], places[-1], heads), letters)
        right = settled(added(*(self._contraction(use, places) for use in self.claim.uses)), letters)
        return left == right or settled(minus(left, right), letters) == ZERO

    def _contraction(self, use: Use, places: list[Formula]) -> Formula:
        by = Variable(self.name, tuple(places) if self.claim.variable.head is None else self._with_head(places))
        sizes = [self.reader.formula(size, {}) for size in use.definition.shape]
        if use.count is not None:
            sizes = [self.reader.formula(use.count, {}), *sizes]
        total = []
        for letters, values in self._ranges(sizes):
            heads: Values = {} if use.head is None else {use.head: values[0]}
            entry = self.reader.entry_of(use.definition, values[-2], values[-1], heads)
            self.edges |= has_edges(entry, by)
            slope = self._at_value(derivative(entry, by))
            if slope != ZERO:
                cotangent = self.reader.entry_of(use.cotangent, values[-2], values[-1], heads)
                total.append(summed(letters, product(cotangent, slope)))
        return added(*total)

    def _with_head(self, places: list[Formula]) -> tuple[Formula, ...]:
        """The places of an entry of a family: of a head by number, that number."""
        if self.claim.count is not None:
            return tuple(places)
        head: Any = self.claim.variable.head
        if not head.is_Integer:
            raise NotSupported("a head whose count is not known")
        return (self.reader.formula(head, {}), *places)

    def _ranges(self, sizes: list[Formula]) -> Iterator[tuple[list[Any], list[Formula]]]:
        """Letters for the places of t, or all the places one by one where sizes are written out."""
        choices: list[list[tuple[list[Any], Formula]]] = []
        for size in sizes:
            count = number_in(size)
            if self.way == WRITTEN_OUT and isinstance(count, int) and count <= ENTRIES_AT_MOST:
                choices.append([([], constant(k)) for k in range(count)])
            else:
                choices.append([new_letter(size)])
        for choice in every_choice(*choices):
            spend()
            yield [x for letters, _ in choice for x in letters], [value for _, value in choice]

    def _at_value(self, slope: Formula) -> Formula:
        """The slope at the value that the variable has."""
        letter, value = self.claim.variable, self.claim.value
        if value is letter:
            return slope

        def entry(args: tuple[Formula, ...]) -> Formula:
            if letter.head is None:
                return self.reader.entry_of(value, args[0], args[1], {})
            if not letter.head.is_Symbol:
                raise NotSupported("a value of one head by number")
            return self.reader.entry_of(value, args[1], args[2], {letter.head: args[0]})

        return with_entries(slope, self.name, entry)


def _in_pairs(size: Formula, letter: Formula) -> list[Formula]:
    """2 k and 2 k + 1 for a general place among 2 m; the place itself where the size is not plainly even."""
    half = times(size, Fraction(1, 2))
    if number_in(size) is not None or not is_whole(half):
        return [letter]
    (index,) = letter.free
    doubled = times(place(f"{index.key.strip('‹›')}2", half), 2)
    return [doubled, added(doubled, ONE)]
