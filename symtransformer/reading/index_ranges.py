"""Which axis every index runs over; an index that is both free and summed, or runs over two axes, is found here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from sympy import Expr, Integer, Symbol

from symtransformer.errors import ShapeError
from symtransformer.node import Node
from symtransformer.reading.index_marks import spellings
from symtransformer.reading.index_places import is_simple, renamed
from symtransformer.reading.index_syntax import (
    Applied,
    Delta,
    Factors,
    Indexed,
    Inner,
    Named,
    Part,
    Power,
    Slope,
    Terms,
    Total,
    Transposed,
)
from symtransformer.reading.problems import ReadingError, ReadingShapeError

Size = Any
UP_TO = re.compile(r"([a-z]|alpha|beta|kappa|mu|nu|rho|tau|xi|omega)\s*([-−]\s*1)?")


class Ranges:
    """Sizes of index letters, found from the places where they stand."""

    def __init__(
        self, text: str, nodes: Mapping[str, Node], numbers: Mapping[str, Expr],
        heads: Mapping[Any, Expr] | None = None, beginnings: dict[int, Part] | None = None,
    ) -> None:  # fmt: skip
        self.text, self.nodes, self.numbers = text, nodes, numbers
        self.beginnings = {} if beginnings is None else beginnings  # what counts from 0, and from 1, in all lines
        self.heads = heads or {}  # how many each letter of heads counts
        self.sizes: dict[str, Size] = {}
        self.counted: set[str] = set()  # indices of sums that end at a number, as in Σ_{i=1}^{2}
        self.equal: list[tuple[str, str, Part]] = []  # by a delta or a condition

    def refuse(self, part: Part, code: str, message: str) -> ReadingError:
        return ReadingError(self.text, part.span, code, message)

    # -- letters of their own for bound indices --------------------------------------------------------------
    def bound_apart(self, part: Any, free: Mapping[str, str], count: list[int]) -> Any:
        """The same formula with every summed index under a name that no other has; a free one keeps its name."""
        if isinstance(part, Total):
            if part.letter in free:
                which = "free" if free[part.letter] == part.letter else "already summed"
                raise self.refuse(
                    part, "index", f"{part.letter} is {which} here, and the sum goes over it too; rename it"
                )
            if part.letter in self.numbers:
                raise self.refuse(part, "index", f"{part.letter} is a size or a number, and no index")
            count[0] += 1
            inside = {**free, part.letter: f"{part.letter}‹{count[0]}›"}
            part = self._ending_at_an_index(part, free)
            condition = part.condition
            if condition is not None:
                condition = (condition[0], self._meant(condition[1], free, part))
            body = self.bound_apart(part.body, inside, count)
            return replace(part, letter=inside[part.letter], condition=condition, body=body)
        if isinstance(part, (Named, Indexed)):
            indices = tuple(self._meant(x, free, part) for x in part.indices)
            if isinstance(part, Indexed):
                return replace(part, inner=self.bound_apart(part.inner, free, count), indices=indices)
            head = self._meant(part.head, free, part) if part.head else ""
            return replace(part, indices=indices, head=head)
        if isinstance(part, Delta):
            return replace(part, left=self._meant(part.left, free, part), right=self._meant(part.right, free, part))
        return with_parts(part, lambda inner: self.bound_apart(inner, free, count))

    def _ending_at_an_index(self, part: Total, free: Mapping[str, str]) -> Total:
        """Σ_{j=1}^{i} and Σ_{j=1}^{i-1} as the sums over j ≤ i and j < i."""
        found = UP_TO.fullmatch(part.upper)
        if found is None or found.group(1) in self.numbers or found.group(1) not in free:
            return part
        if part.condition is not None:
            raise self.refuse(part, "sum", "a sum with an index at both ends; write two conditions, or two sums")
        self.beginnings.setdefault(0 if part.from_zero else 1, part)
        return replace(part, upper="", condition=("<" if found.group(2) else "<=", found.group(1)))

    def _meant(self, index: str, free: Mapping[str, str], part: Part) -> str:
        if index.isdigit():
            if int(index) < 1:
                raise self.refuse(part, "index", "indices are counted from 1")
            return index
        if not is_simple(index):
            return renamed(index, lambda x: x if x in self.numbers else self._meant(x, free, part))
        if index in self.numbers:
            raise self.refuse(part, "index", f"{index} is a size or a number here, and no index; choose another letter")
        if index not in free:
            raise self.refuse(part, "index", f"the index {index} is neither on the left side nor summed over")
        return free[index]

    # -- sizes -------------------------------------------------------------------------------------------------
    def find(self, *parts: Any) -> None:
        """Every index gets the size of its axis; one that stands on two unlike axes is refused."""
        for part in parts:
            self._look(part)
        self._require_one_beginning(parts)
        for _ in range(len(self.equal) + 1):
            for left, right, part in self.equal:
                for a, b in ((left, right), (right, left)):
                    only_here = isinstance(part, Delta) and b in self.sizes  # δ_ij, for i up to 2 and j up to n
                    if a in self.sizes and not b.isdigit() and is_simple(b) and not only_here:
                        self.runs_over(b, self.sizes[a], part)

    def _require_one_beginning(self, parts: tuple[Any, ...]) -> None:
        """A sum from 0 stands among places that all count from 0, in every line: x_1 and Σ_{i=1}^{n} do not."""
        for x in (x for part in parts for x in _within(part)):
            own = (*getattr(x, "indices", ()), *((x.left, x.right) if isinstance(x, Delta) else ()))
            own = (*own, x.condition[1]) if isinstance(x, Total) and x.condition else own
            if isinstance(x, Total) and x.from_zero:
                self.beginnings.setdefault(0, x)
            elif any(i.isdigit() or not is_simple(i) for i in own) or (isinstance(x, Total) and x.upper):
                self.beginnings.setdefault(1, x)
        zero = self.beginnings.get(0)
        if isinstance(zero, Total) and 1 in self.beginnings:
            shown = zero.letter.partition("‹")[0]
            message = (
                f"{shown} counts from 0, and other places here from 1; write Σ_{shown}, or let all of them count from 1"
            )
            raise self.refuse(zero, "sum", message)

    def runs_over(self, index: str, size: Size, part: Part) -> None:
        if index.isdigit():
            if size.is_Integer and int(index) > int(size):
                raise self.refuse(part, "index", f"there is no place {index} on an axis of {size}")
            return
        if not is_simple(index):
            return
        known = self.sizes.setdefault(index, size)
        if index in self.counted and not size.is_Integer:
            return  # the first 2 of n
        if known != size and (known - size).expand() != 0:
            shown = index.partition("‹")[0]
            message = f"{shown} runs over {known} in one place and over {size} here; {known} and {size} must be equal"
            error = ReadingShapeError(self.text, part.span, "shapes", message)
            raise error from ShapeError(message, sides=(known, size))

    def _look(self, part: Any) -> None:
        if isinstance(part, Named) and part.indices and part.name in self.nodes:
            self._refuse_capital_meant(part)
            for index, size in zip(part.indices, axes_of(self.nodes[part.name], len(part.indices)), strict=False):
                self.runs_over(index, size, part)
            self._look_at_head(part)
        elif isinstance(part, Named) and part.head:
            self._look_at_head(part)
        elif isinstance(part, Delta):
            self.equal.append((part.left, part.right, part))
        elif isinstance(part, Total):
            if part.condition is not None:
                self.equal.append((part.letter, part.condition[1], part))
            if part.upper.isdigit():
                self.sizes[part.letter] = Integer(int(part.upper) + int(part.from_zero))
                self.counted.add(part.letter)
            self._look(part.body)
        else:
            for inner in parts_of(part):
                self._look(inner)

    def _refuse_capital_meant(self, part: Named) -> None:
        """e_ic beside a column e and a matrix E: entries of both would be written with an e."""
        shape = self.nodes[part.name].shape
        along_one = [index for index, size in zip(part.indices, shape, strict=False) if size == 1]
        if len(part.indices) != 2 or not along_one or all(index.isdigit() for index in along_one):
            return
        for other in spellings(part.name)[1:]:
            if other in self.nodes and 1 not in self.nodes[other].shape:
                message = f"{part.name} has one axis only, and its neighbour {other} has two; write an entry of {other} with the capital letter, as in {other}_ij"
                raise self.refuse(part, "ambiguous", message)

    def _look_at_head(self, part: Named) -> None:
        symbol = getattr(self.nodes.get(part.name), "head", None)
        if part.head and symbol in self.heads:
            self.runs_over(part.head, self.heads[symbol], part)


def _within(part: Any) -> Iterator[Any]:
    """A part and all inside of it."""
    yield part
    for inner in parts_of(part):
        yield from _within(inner)


def axes_of(node: Node, count: int) -> tuple[Size, ...]:
    """The axes that so many indices stand for: of a row or a column the long one."""
    rows, columns = node.shape
    if count == 1:
        return (columns,) if rows == 1 and columns != 1 else (rows,)
    return rows, columns


def parts_of(part: Any) -> tuple[Part, ...]:
    if isinstance(part, Terms):
        return tuple(p for _, p in part.terms)
    if isinstance(part, Factors):
        return tuple(p for _, p in part.factors)
    if isinstance(part, Power):
        return part.base, part.exponent
    if isinstance(part, (Transposed, Applied, Indexed)):
        return (part.inner,)
    if isinstance(part, Inner):
        return part.left, part.right
    if isinstance(part, Slope):
        return part.body, part.by
    return (part.body,) if isinstance(part, Total) else ()


def with_parts(part: Any, new: Callable[[Any], Any]) -> Any:
    """The same formula with other parts."""
    if isinstance(part, Terms):
        return replace(part, terms=tuple((sign, new(p)) for sign, p in part.terms))
    if isinstance(part, Factors):
        return replace(part, factors=tuple((sign, new(p)) for sign, p in part.factors))
    if isinstance(part, Power):
        return replace(part, base=new(part.base), exponent=new(part.exponent))
    if isinstance(part, (Transposed, Applied, Indexed)):
        return replace(part, inner=new(part.inner))
    if isinstance(part, Total):
        return replace(part, body=new(part.body))
    if isinstance(part, Inner):
        return replace(part, left=new(part.left), right=new(part.right))
    if isinstance(part, Slope):
        return replace(part, body=new(part.body), by=new(part.by))
    return part


def symbol_of(index: str, symbols: dict[str, Symbol]) -> Symbol:
    """The letter of an index in SymPy's formulas, counted from 0."""
    return symbols.setdefault(index, Symbol(f"{index}′", integer=True, nonnegative=True))
