"""The structure of expressions without the names of their letters, and how what has the same structure is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sympy import Basic

from symtransformer.gradients.parts import Total, Use
from symtransformer.node import Node, postorder
from symtransformer.rules import Rule


class Structure:
    """The distinct nodes below some expressions in order, and where in that order the arguments of each stand."""

    def __init__(self, roots: Sequence[Node]) -> None:
        self.nodes = list(postorder(*roots))
        place = {node: k for k, node in enumerate(self.nodes)}
        self.roots = [place[root] for root in roots]
        self.rows: list[tuple[Any, ...]] = []
        for node in self.nodes:
            args = list(enumerate(node.args))[1 if node.is_letter else 0 :]  # all but the name
            inner = [(k, place[a]) for k, a in args if isinstance(a, Node)]
            scalars = [(k, a) for k, a in args if not isinstance(a, Node)]
            self.rows.append((type(node), node.shape, len(node.args), inner, scalars))

    def like(self, roots: Sequence[Node]) -> list[Node] | None:
        """The nodes of other expressions, each in the place of its like; None if more than names of letters differ."""
        found = list(postorder(*roots))
        if len(found) != len(self.nodes) or len(roots) != len(self.roots):
            return None
        for node, (kind, shape, count, inner, scalars) in zip(found, self.rows, strict=True):
            args = node._args
            if type(node) is not kind or node._shape != shape or len(args) != count:
                return None
            for k, place in inner:
                if args[k] is not found[place]:
                    return None
            for k, scalar in scalars:
                if args[k] is not scalar and args[k] != scalar:
                    return None
        return found if all(found[k] is root for k, root in zip(self.roots, roots, strict=True)) else None


def letter_by_letter(old: Sequence[Node], new: Sequence[Node]) -> dict[Node, Node] | None:
    """Each node of the old expressions with the one in its place in the new; None if more than letters differ."""
    structure = Structure(old)
    found = structure.like(new)
    return None if found is None else dict(zip(structure.nodes, found, strict=True))


class Found(NamedTuple):
    """What belongs to a letter, by places in a list of values; the rows are made and added to that list first."""

    rows: tuple[tuple[Node, tuple[int, ...]], ...]  # a node, and the places of its arguments; none where it is the same
    of: int
    results: tuple[int, ...]
    uses: tuple[tuple[int, int], ...]

    def make(self, values: list[Any], named: Mapping[Node, Node], alike: bool) -> bool:
        """The rows with other letters; what has a name by now is written with it, and is not alike from then on."""
        for node, places in self.rows:
            if not places:
                values.append(node)
                continue
            args = tuple([values[k] for k in places])
            new = node._with_letters(args) if alike else node._intern(args)  # no shortcut fits: none did before
            short = named.get(new)
            alike = alike and short is None
            values.append(new if short is None else short)
        return alike

    def total(self, values: list[Any], rules: tuple[Rule, ...]) -> Total:
        """The sum of all contributions to the letter, where nothing was assumed."""
        return Total(values[self.results[0]], tuple(self.uses_among(values)), rules, ())

    def uses_among(self, values: list[Any]) -> list[Use]:
        return [(values[k], values[cotangent]) for k, cotangent in self.uses]


class Places:
    """Where each value stands in a list of them all; what is not in it yet is put at its end, as a row."""

    def __init__(self, values: Iterable[Basic]) -> None:
        self.place: dict[Basic, int] = {value: k for k, value in enumerate(values)}
        self.rows: list[tuple[Any, tuple[int, ...]]] = []
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
        for node in postorder(root, stop=place.__contains__):
            if node in place:
                continue
            if node.is_letter:
                self.strangers.add(node)
            for argument in node.args if node._children else ():
                if argument not in place:  # a scalar
                    self._add_row(argument, ())
            self._add_row(node, tuple([place[a] for a in node.args]) if node._children else ())
        return place[root]

    def _add_row(self, value: Basic, places: tuple[int, ...]) -> None:
        self.rows.append((value, places))
        self.add(value)
