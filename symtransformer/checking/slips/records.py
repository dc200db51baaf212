"""A slip: what it is called, what the writer probably did, and what would then have been computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import flint
from sympy import Integer, Rational

from symtransformer.checking.number_words import Note
from symtransformer.enclosures import Balls, precision
from symtransformer.errors import NotSupported, SymtransformerError, UnreadableInput
from symtransformer.node import Node, postorder, substitute
from symtransformer.notation import Words
from symtransformer.operation import compute

Known = Mapping[Any, Any]  # the document's named matrices, each with its value
BITS = 192  # for what has to be known in between: an order, a rounding
Alteration = Callable[[Any, Known], Iterable[Any]]


@dataclass(frozen=True)
class Slip:
    """`alter(node, known)` gives what stands in place of one operation `on`; nothing where the slip is impossible.

    `everywhere`: who does it in one place may do it in all of them; `in_pairs`: it may come with another slip;
    `gives_way`: it is named only where no other slip fits, as one that knows the operation says it more closely.

    >>> from symtransformer import matrix
    >>> from symtransformer.operations.transpose import Transpose
    >>> slip = Slip("no_transpose", Words("It was not transposed.", "転置していない。"), (Transpose,), lambda t, _: t.args)
    >>> slip.altered(matrix("K", 4, 2).T, {})
    [K]
    """

    name: str
    words: Words
    on: tuple[type[Node], ...]
    alter: Alteration
    everywhere: bool = True
    in_pairs: bool = True
    gives_way: bool = False

    def altered(self, node: Node, known: Known) -> list[Node]:
        """All that it may have become here."""
        if not isinstance(node, self.on):
            return []
        found: dict[Node, None] = {}
        with suppress(SymtransformerError):
            for new in self.alter(node, known):
                if new is not node:
                    found.setdefault(new)
        return list(found)

    @property
    def note(self) -> Note:
        return Note(self.name, self.words)


def tried(makes: Iterable[Callable[..., Any]], *arguments: Any) -> Iterator[Any]:
    """What each of them makes, where that can be made: sizes may not fit in one and fit in another."""
    for make in makes:
        with suppress(SymtransformerError):
            yield make(*arguments)


def matching(match: Callable[[Any, Known], tuple[Any, ...] | None]) -> Callable[..., Alteration]:
    """Alterations of what matches: each takes the parts that were found."""

    def alteration(*makes: Callable[..., Any]) -> Alteration:
        def alter(node: Any, known: Known) -> Iterator[Any]:
            found = match(node, known)
            if found:
                yield from tried(makes, *found)

        return alter

    return alteration


def whole(size: Any) -> int:
    """A size as a number; a letter has none."""
    if not getattr(size, "is_Integer", False):
        raise NotSupported(f"the size {size} is no number")
    return int(size)


def replaced(expression: Node, rule: Known) -> Any:
    """The expression with other nodes in place of some; nothing else is looked at."""
    new: dict[Any, Any] = dict(rule)
    for node in postorder(expression, stop=rule.__contains__):
        if node not in new and any(child in new for child in node._children):
            new[node] = node.func(*(new.get(arg, arg) for arg in node.args))
    return new.get(expression, expression)


def put_in(expression: Node, values: Known) -> Any:
    """The expression without the document's letters; a value may have letters of its own."""
    letters = frozenset(values)
    numbers = {key: value for key, value in values.items() if not isinstance(key, Node)}
    for _ in range(len(values) + 1):
        if expression._mentions.isdisjoint(letters):
            break
        expression = replaced(expression, values)
        expression = substitute(expression, numbers) if numbers else expression
    return expression


def ball_rows(expression: Node) -> Any:
    """The entries of an expression without letters, as balls of a fixed precision."""
    with precision(BITS):
        return compute(expression, Balls(), no_value)


def nearest(x: Any, places: int) -> Any:
    """The ball as a number of so many decimals, halves away from 0."""
    if not isinstance(x, flint.arb):
        return x
    with precision(BITS):
        whole = (abs(x) * flint.arb(10) ** places + flint.arb(1) / 2).floor().unique_fmpz()
    if whole is None:
        raise NotSupported(f"a rounding that is not decided with {BITS} bits")
    return Rational(-int(whole) if x < 0 else int(whole)) / Integer(10) ** places


def no_value(letter: Any) -> Any:
    raise UnreadableInput(f"{letter} has no value")
