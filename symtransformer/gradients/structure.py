"""The structure of expressions without the names of their letters, and how what has the same structure is made."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from operator import itemgetter
from typing import Any

from sympy import Basic

from symtransformer.node import Facts, Node, add_alike, alike, postorder


class Structure:
    """The distinct nodes below some expressions in order, and where in that order the arguments of each stand."""

    def __init__(self, roots: Sequence[Node]) -> None:
        self.nodes = list(postorder(*roots))
        place = {node.number: k for k, node in enumerate(self.nodes)}
        self.roots = [place[root.number] for root in roots]
        self.letters: list[tuple[int, Facts]] = []
        self.rows: list[tuple[Any, ...]] = []
        for here, node in reversed([*enumerate(self.nodes)]):  # each before its arguments
            if node.is_letter:
                self.letters.append((here, node._facts))
                continue
            args = node._args
            inner = [(k, place[a.number]) for k, a in enumerate(args) if isinstance(a, Node)]
            scalars = [k for k, a in enumerate(args) if not isinstance(a, Node)]
            others: Any = itemgetter(*scalars) if scalars else None
            self.rows.append((here, type(node), len(args), inner, others, others and others(args)))

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
        for place, facts in self.letters:  # letters of one kind, size and head share what is known of them
            if found[place]._facts is not facts:
                return None
        letters = {found[place] for place, _ in self.letters}  # where these differ, so do all made of them
        return found if len(letters) == len(self.letters) else None


def letter_by_letter(old: Sequence[Node], new: Sequence[Node]) -> dict[Node, Node] | None:
    """Each node of the old expressions with the one in its place in the new; None if more than letters differ."""
    structure = Structure(old)
    found = structure.like(new)
    return None if found is None else dict(zip(structure.nodes, found, strict=True))


class Tape:
    """What is made of the nodes of a structure and of new letters: constants, and then nodes in an order of making."""

    def __init__(self, given: Sequence[Node], made: Iterable[Node]) -> None:
        """Everything below `made` that is not given; `place` says where it stands in the list of values."""
        place: dict[Basic, int] = {node: k for k, node in enumerate(given)}
        nodes: list[Node] = []
        constants: dict[Basic, None] = {}
        self.strangers = False  # whether there are letters that were not given
        for node in postorder(*made, without=[node.number for node in given]):
            if node._children:
                nodes.append(node)
                if len(node._children) < len(node._args):
                    for argument in node._args:
                        if not isinstance(argument, Node):
                            constants[argument] = None
            else:
                constants[node] = None
                self.strangers = self.strangers or node.is_letter
        self.constants = list(constants)
        for value in (*constants, *nodes):
            place[value] = len(place)
        self.place = place
        self.rows = [alike(node, place) for node in nodes]

    def play(self, given: Iterable[Node], known: Container[int]) -> list[Any] | None:
        """The values with other nodes of the same structure given; None if a node that comes of it is known already."""
        values = [*given, *self.constants]
        return values if add_alike(self.rows, values, known) else None
