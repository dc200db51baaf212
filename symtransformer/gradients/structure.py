"""The structure of expressions without the names of their letters, and how what has the same structure is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from sympy import Basic

from symtransformer.gradients.parts import Use
from symtransformer.node import Node, postorder


class Structure:
    """The distinct nodes below some expressions in order, and where in that order the arguments of each stand."""

    def __init__(self, roots: Sequence[Node]) -> None:
        self.nodes = list(postorder(*roots))
        place = {node: k for k, node in enumerate(self.nodes)}
        self.roots = [place[root] for root in roots]
        self.rows: list[tuple[Any, ...]] = []
        for node in reversed(self.nodes):  # each before its arguments
            args = node._args
            inner = [(k, place[a]) for k, a in enumerate(args) if isinstance(a, Node)] if node._children else ()
            if node.is_letter:
                others: Any = itemgetter(slice(1, None))  # all but the name
            else:
                scalars = [k for k, a in enumerate(args) if not isinstance(a, Node)]
                others = itemgetter(*scalars) if scalars else None
            self.rows.append((place[node], type(node), len(args), inner, others, others and others(args)))

    def like(self, roots: Sequence[Node]) -> list[Node] | None:
        """The nodes of other expressions, each in the place of its like; None if more than names of letters differ."""
        if len(roots) != len(self.roots):
            return None
        found: list[Any] = [None] * len(self.nodes)
        for place, root in zip(self.roots, roots, strict=True):
            if found[place] is not root and found[place] is not None:
                return None
            found[place] = root
        for place, kind, count, inner, others, scalars in self.rows:
            node = found[place]
            args = node._args
            if type(node) is not kind or len(args) != count or (others is not None and others(args) != scalars):
                return None
            for k, below in inner:
                argument = args[k]
                if found[below] is not argument:
                    if found[below] is not None:
                        return None
                    found[below] = argument
        return found if len(set(found)) == len(found) else None


def letter_by_letter(old: Sequence[Node], new: Sequence[Node]) -> dict[Node, Node] | None:
    """Each node of the old expressions with the one in its place in the new; None if more than letters differ."""
    structure = Structure(old)
    found = structure.like(new)
    return None if found is None else dict(zip(structure.nodes, found, strict=True))


Row = tuple[Node, Callable[[list[Any]], tuple[Any, ...]] | None]


class Found(NamedTuple):
    """What belongs to a letter, by places in a list of values; the rows are made and added to that list first."""

    rows: tuple[Row, ...]  # a node, and its arguments out of the values; none where it is the same
    of: int
    results: tuple[int, ...]
    uses: tuple[tuple[int, int], ...]

    def make(self, values: list[Any], named: Mapping[Node, Node], alike: bool) -> bool:
        """The rows with other letters; what has a name by now is written with it, and is not alike from then on."""
        for node, arguments in self.rows:
            if arguments is None:
                values.append(node)
                continue
            args = arguments(values)
            new = node._with_letters(args) if alike else node._intern(args)  # no shortcut fits: none did before
            short = named.get(new)
            if short is not None:
                alike, new = False, short
            values.append(new)
        return alike

    def uses_among(self, values: list[Any]) -> tuple[Use, ...]:
        return tuple([(values[k], values[cotangent]) for k, cotangent in self.uses])


class Places:
    """Where each value stands in a list of them all; what is not in it yet is put at its end, as a row."""

    def __init__(self, values: Iterable[Basic]) -> None:
        self.place: dict[Basic, int] = {value: k for k, value in enumerate(values)}
        self.rows: list[Row] = []
        self.strangers: set[Node] = set()  # letters that should have been there

    def add(self, value: Basic) -> int:
        return self.place.setdefault(value, len(self.place))

    def found(self, of: Node, results: Iterable[Node], uses: Iterable[Use]) -> Found:
        """What belongs to a letter."""
        self.rows = []
        places = tuple(map(self._made, results))
        used = tuple((self._made(x), self._made(cotangent)) for x, cotangent in uses)
        return Found(tuple(self.rows), self._made(of), places, used)

    def _made(self, root: Node) -> int:
        """The place of an expression, made from those of its arguments; what has no matrices in it is the same."""
        place = self.place
        stack = [] if root in place else [root]
        while stack:
            node = stack[-1]
            if waiting := [child for child in node._children if child not in place]:
                stack += waiting
                continue
            stack.pop()
            if node in place:
                continue
            if node.is_letter:
                self.strangers.add(node)
            if not node._children:
                self._add_row(node, None)
                continue
            for argument in node._args:
                if argument not in place:  # a scalar
                    self._add_row(argument, None)
            first, *more = [place[argument] for argument in node._args]
            self._add_row(node, itemgetter(first, *more) if more else _only(first))
        return place[root]

    def _add_row(self, value: Any, arguments: Callable[[list[Any]], tuple[Any, ...]] | None) -> None:
        self.rows.append((value, arguments))
        self.add(value)


def _only(place: int) -> Callable[[list[Any]], tuple[Any, ...]]:
    return lambda values: (values[place],)
