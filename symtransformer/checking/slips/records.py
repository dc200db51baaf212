"""A slip: what it is called, what the writer probably did, and what would then have been computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from symtransformer.checking.number_words import Note
from symtransformer.errors import SymtransformerError
from symtransformer.node import Node, substitute
from symtransformer.notation import Words

Known = Mapping[Any, Any]  # the document's named matrices, each with its value
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


def fitting(*made: Callable[[], Any]) -> Iterator[Any]:
    """Those that can be made: sizes may not fit in one and fit in another."""
    for make in made:
        with suppress(SymtransformerError):
            yield make()


def put_in(expression: Node, values: Known) -> Any:
    """The expression without the document's letters; a value may have letters of its own."""
    for _ in range(len(values) + 1):
        before, expression = expression, substitute(expression, values)
        if expression is before:
            break
    return expression
