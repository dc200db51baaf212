"""Nodes that are made again with other matrices of the same sizes, many at once: all that is known of them stays."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from sympy import Basic

from symtransformer.node.facts import Facts, FactsOfLetters
from symtransformer.node.interned import Interned, _forget, _Held, _numbers

if TYPE_CHECKING:
    from symtransformer.node import Node


def interned_letter(name: str, facts: FactsOfLetters) -> Any:
    """The letter of this name, which was checked, among those of one kind, size and head."""
    held = facts.named.get(name)
    if held is not None and (found := held()) is not None:
        return found
    letter: Any = object.__new__(facts.kind)
    letter._mhash = next(_numbers)
    letter.name, letter._facts = name, facts
    mine = _Held(letter, _forget)
    mine.key, mine.table = name, facts.named
    return letter if facts.named.setdefault(name, mine) is mine else letter._entered(facts.named, name)


# A node as it is made again: its kind, where those are found, how many matrices come first in it (None: there is nothing
# else), what is known of it, and its arguments out of a list of values.
Alike = tuple[type[Interned], dict[Any, _Held], int | None, Facts, Callable[[list[Any]], tuple[Any, ...]]]


def alike(node: Node, place: Mapping[int, int], place_of_scalar: Mapping[Basic, int]) -> Alike:
    """How a node is made again, where its arguments stand at these places, those that are nodes by their numbers."""
    places = [place[a._mhash] if isinstance(a, Interned) else place_of_scalar[a] for a in node._args]
    arguments = itemgetter(*places) if len(places) > 1 else _only(*places)
    count = node.matrices_first if len(node._children) < len(places) else None
    return type(node), node._table, count, node._facts, arguments


def _only(place: int) -> Callable[[list[Any]], tuple[Any, ...]]:
    return lambda values: (values[place],)


def add_alike(rows: Iterable[Alike], values: list[Any], known: Container[int]) -> bool:
    """Each row made of the values before it and put after them; False, and no further, at one that is known already."""
    new, numbers, held, forget, add = object.__new__, _numbers, _Held, _forget, values.append
    for kind, table, count, facts, arguments in rows:
        args = arguments(values)
        node: Any = new(kind)
        node._args = args
        node._mhash = next(numbers)
        node._known_letters = None
        if count is None:
            node._children = args
        else:
            node._children = args[:count] if count >= 0 else tuple([a for a in args if isinstance(a, Interned)])
        node._facts = facts
        mine = held(node, forget)
        mine.key, mine.table = args, table
        if table.setdefault(args, mine) is not mine:  # it was there before
            node = node._entered(table, args)
            if node.number in known:
                return False
        add(node)
    return True
