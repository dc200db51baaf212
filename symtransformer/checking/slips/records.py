"""A slip: what it is called, what the writer probably did, and what would then have been computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from symtransformer.checking.number_words import Note
from symtransformer.enclosures import Balls, precision
from symtransformer.errors import SymtransformerError, UnreadableInput
from symtransformer.node import Node, substitute
from symtransformer.notation import Words
from symtransformer.operation import compute

Known = Mapping[Any, Any]  # the document's named matrices, each with its value
BITS = 192  # for what has to be known in between: an order, a rounding
Alteration = Callable[[Any, Known], Iterable[Any]]


@dataclass(frozen=True)
class Slip:
    """`alter(node, known)` gives what stands in place of one operation `on`; nothing where the slip is impossible.

    `everywhere`: who does it in one place may do it in all of them.

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


def put_in(expression: Node, values: Known) -> Any:
    """The expression without the document's letters; a value may have letters of its own."""
    for _ in range(len(values) + 1):
        before, expression = expression, substitute(expression, values)
        if expression is before:
            break
    return expression


def ball_rows(expression: Node) -> Any:
    """The entries of an expression without letters, as balls of a fixed precision."""
    with precision(BITS):
        return compute(expression, Balls(), no_value)


def no_value(letter: Any) -> Any:
    raise UnreadableInput(f"{letter} has no value")
