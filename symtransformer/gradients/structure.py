"""The structure of expressions without the names of their letters, and how what has the same structure is made."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from operator import itemgetter
from typing import Any

from symtransformer.node import Node, add_alike, alike, postorder


class Structure:
    """The distinct nodes below some expressions in order, and where in that order the arguments of each stand."""

    def __init__(self, roots: Sequence[Node]) -> None:
        self.nodes = list(postorder(*roots))
        place = {node.number: k for k, node in enumerate(self.nodes)}
        self.roots = [place[root.number] for root in roots]
        self.letters = [k for k, node in enumerate(self.nodes) if node.is_letter]
        self.facts = [self.nodes[k]._facts for k in self.letters]
        self.rows: list[tuple[Any, ...]] = []
        for node in reversed(self.nodes):  # each before its arguments
            if not node.is_letter:
                args, whole = node._args, len(node._children) == len(node._args)
                scalars = [] if whole else [k for k, a in enumerate(args) if not isinstance(a, Node)]
                inner = [(k, place[a.number]) for k, a in enumerate(args) if whole or k not in scalars]
                others: Any = itemgetter(*scalars) if scalars else None
                self.rows.append((place[node.number], type(node), len(args), inner, others, others and others(args)))

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
            if type(node) is not kind or len(args := node._args) != count:
                return None
            if others is not None and others(args) != scalars:
                return None
            for k, below in inner:
                argument, known = args[k], found[below]
                if known is None:
                    found[below] = argument
                elif known is not argument:
                    return None
        letters = [found[place] for place in self.letters]
        if [
            getattr(x, "_facts", None) for x in letters
        ] != self.facts:  # letters of one kind, size and head share what is known of them
            return None
        return found if len({x.number for x in letters}) == len(letters) else None  # then all made of them differ


def letter_by_letter(old: Sequence[Node], new: Sequence[Node]) -> dict[Node, Node] | None:
    """Each node of the old expressions with the one in its place in the new; None if more than letters differ."""
    structure = Structure(old)
    found = structure.like(new)
    return None if found is None else dict(zip(structure.nodes, found, strict=True))


class Tape:
    """What is made of the nodes of a structure and of new letters: constants, and then nodes in an order of making."""

    def __init__(self, given: Sequence[Node], made: Iterable[Node]) -> None:
        """Everything below `made` that is not given; `place` says where it stands in the list of values."""
        self.place = {node.number: k for k, node in enumerate(given)}
        below = list(postorder(*made, without=self.place))
        leaves, nodes = [node for node in below if not node._children], [node for node in below if node._children]
        self.strangers = any(leaf.is_letter for leaf in leaves)  # whether there are letters that were not given
        with_numbers = [node for node in nodes if len(node._children) < len(node._args)]
        scalars = dict.fromkeys([a for node in with_numbers for a in node._args if not isinstance(a, Node)])
        self.constants = [*scalars, *leaves]
        place_of_scalar = {scalar: k for k, scalar in enumerate(scalars, len(given))}
        self.place.update({node.number: k for k, node in enumerate([*leaves, *nodes], len(given) + len(scalars))})
        self.rows = [alike(node, self.place, place_of_scalar) for node in nodes]

    def play(self, given: Iterable[Node], known: Container[int]) -> list[Any] | None:
        """The values with other nodes of the same structure given; None if a node that comes of it is known already."""
        values = [*given, *self.constants]
        return values if add_alike(self.rows, values, known) else None
