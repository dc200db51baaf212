"""What a sweep finds, as plain records: a model has hundreds of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from symtransformer.node import Node
from symtransformer.rules import Rule
from symtransformer.symbols import Letter

Use = tuple[Letter, Node]  # a step that a letter goes into, and the cotangent of that step


class Part(NamedTuple):
    """A named part of a gradient: a cotangent, or what cotangents are made from."""

    letter: Letter
    expression: Node
    by: Letter | None = None  # what the cotangent belongs to; None for a part that an operation names
    uses: tuple[Use, ...] = ()
    rules: tuple[Rule, ...] = ()
    assumed: tuple[Letter, ...] = ()  # rows that were taken to add up to 1


class Total(NamedTuple):
    """The sum of all contributions to a letter, and how it came about."""

    expression: Node
    uses: tuple[Use, ...]
    rules: tuple[Rule, ...]
    assumed: tuple[Letter, ...]


# from all of its members in order: a model has so many that to pass each by its name takes its time
part_of: Callable[[Iterable[Any]], Part] = partial(tuple.__new__, Part)
total_of: Callable[[Iterable[Any]], Total] = partial(tuple.__new__, Total)
