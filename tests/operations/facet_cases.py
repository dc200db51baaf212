"""Arguments for any operation, at unequal sizes: a small table, and a search where the table is silent.

A new operation needs a line in `HINTS` only if no choice of the shapes below fits it.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field
from typing import Any

import references_layers
import references_positions
import references_training
from sympy import Integer, Rational, S

from symtransformer.arguments import CHOICE, LABEL, LETTER, MATRICES, MATRIX, SCALAR, SIZE, Parameter
from symtransformer.errors import ShapeError
from symtransformer.node import ABSENT, Node
from symtransformer.operation import Operation
from symtransformer.symbols import Letter, head_index

# Tried in this order; none is square, so that a missing transpose cannot pass.
SHAPES = [
    (2, 3), (3, 4), (4, 3), (2, 4), (3, 2), (4, 2), (4, 5), (3, 5), (5, 3), (2, 5), (5, 2), (5, 4),
    (2, 1), (3, 1), (4, 1), (5, 1), (1, 3), (1, 4), (1, 2), (1, 5),
]  # fmt: skip
SIZES = (3, 2, 4, 5, 1)
SCALARS = (Rational(3, 2), Rational(5, 7), Rational(7, 3))
# Operations whose result is square, with so many arguments, and those that take positive entries only.
SQUARE = {("Identity", 1), *references_positions.SQUARE, *references_training.SQUARE}
POSITIVE = {"Logarithm", "SquareRoot"}
# Sizes of arguments, by operation: matrices as (rows, columns), sizes as numbers, in order.
HINTS: dict[str, tuple[Any, ...]] = {
    **references_layers.HINTS,
    **references_positions.HINTS,
    **references_training.HINTS,
    "Addition": ((2, 3), (2, 3), (2, 3)),
    "Concatenation": ((2, 3), (2, 1), (2, 4)),
    "ColumnSlice": ((2, 5), 1, 3),
    "ColumnPad": ((2, 3), 1, 5),
    "Row": ((3, 4), 1),
    "HeadConcatenation": ((2, 3), None, 4),
    "HeadSum": ((2, 3), None, 4),
    "ScaledDotProductAttention": ((2, 3), (4, 3), (4, 5), (2, 4)),
    "SingleHead": ((2, 3), (3, 4), (3, 4), (3, 5), (2, 2)),
}


@dataclass
class Case:
    """An operation applied to letters, and what the letters stand for."""

    operation: type[Operation]
    node: Node
    letters: list[Letter]  # one for each matrix argument; of a family, the member with the bound letter
    values: dict[Letter, Any]  # rows of rationals; of a family, one such for each head
    others: list[Any]  # scalars and sizes, in order, the bound letter left out
    heads: int = 0
    order: list[Any] = field(default_factory=list)  # letters and others as the operation takes them
    draw: int = 0

    @property
    def name(self) -> str:
        return getattr(self.operation, "stands_in_for", self.operation.__name__)

    @property
    def arguments(self) -> list[Any]:
        """Rows, lists of rows, and numbers, as `value`, `numpy` and the references take them."""
        return [self.values[a] if isinstance(a, Letter) else a for a in self.order]

    def rows(self, letter: Letter) -> Any:
        """The rows of a letter, or of one member of a family."""
        if letter in self.values:
            return self.values[letter]
        member = next(a for a in self.letters if a.family is letter.family)
        return self.values[member][int(letter.head)]

    def variables(self) -> list[tuple[int, Letter, tuple[int, ...]]]:
        """Every entry of every matrix argument: argument number, letter, place in the nested rows."""
        found = []
        for number, letter in enumerate(self.letters):
            rows, cols = (int(s) for s in letter.shape)
            heads = [(h,) for h in range(self.heads)] if self.heads else [()]
            found += [(number, letter, (*h, i, j)) for h in heads for i in range(rows) for j in range(cols)]
        return found


def count_of_arguments(operation: type[Operation]) -> list[int]:
    """How many arguments the operation is tried with: without the optional ones, and with more and more of them."""
    if any(p.kind == MATRICES for p in operation.parameters):
        return [2, 3]
    needed = sum(p.needed for p in operation.parameters)
    return list(range(needed, len(operation.parameters) + 1))


def given_parameters(operation: type[Operation], count: int) -> list[tuple[int, Parameter]]:
    """The arguments that are given, with their places: the needed ones, and the first of the others."""
    if any(p.kind == MATRICES for p in operation.parameters):
        return [(k, Parameter("term")) for k in range(count)]
    places = list(enumerate(operation.parameters))
    needed = [place for place in places if place[1].needed]
    others = [place for place in places if not place[1].needed]
    return sorted(needed + others[: count - len(needed)], key=lambda place: place[0])


def kinds_of_arguments(node: Operation) -> list[str]:
    """The kinds of all arguments that a node has, those filled in as well."""
    if any(p.kind == MATRICES for p in node.parameters):
        return [MATRIX] * len(node.args)
    return [p.kind for p in node.parameters[: len(node.args)]]


def _applied(operation: type[Operation], given: Any, sizes: Any, prefix: str, draw: int) -> Node:
    """The operation on fresh letters of these sizes."""
    bound = head_index("i") if any(p.kind == LETTER for _, p in given) else None
    scalars = iter(SCALARS)
    arguments: list[Any] = []
    for (k, p), size in zip(given, sizes, strict=True):
        if p.kind == MATRIX:
            letter = Letter(f"{prefix}{k}", *size)
            of_head = bound is not None and p.name in getattr(operation, "of_each_head", {p.name})
            arguments.append(letter.of_head(bound) if of_head else letter)
        elif p.kind == SIZE:
            arguments.append(Integer(size))
        elif p.kind == CHOICE:
            words = [w for w in p.choices if w != p.default] if p.default else p.choices
            arguments.append(words[draw % len(words)])
        else:
            arguments.append(bound if p.kind == LETTER else "enc1" if p.kind == LABEL else size or next(scalars))
    if all(p.needed for p in operation.parameters):
        return operation(*arguments)
    return operation(**{p.name: a for (_, p), a in zip(given, arguments, strict=True)})


def _found(operation: type[Operation], given: Any, prefix: str, draw: int) -> Node:
    choices = [SHAPES if p.kind == MATRIX else SIZES if p.kind == SIZE else (None,) for _, p in given]
    for sizes in itertools.islice(itertools.product(*choices), 20_000):
        try:
            node = _applied(operation, given, sizes, prefix, draw)
        except ShapeError:
            continue
        square = (getattr(operation, "stands_in_for", operation.__name__), len(given)) in SQUARE
        if type(node) is operation and (square or node.shape[0] != node.shape[1]):
            return node
    raise LookupError(f"no sizes fit {operation.__name__}; add a line to HINTS in {__file__}")


def _number(rng: random.Random) -> Rational:
    return Rational(rng.choice([-1, 1]) * rng.randint(1, 19), rng.choice([7, 8, 9, 10, 11]))


def drawn(rng: random.Random, rows: int, cols: int, name: str = "", positive: bool = False) -> list[list[Any]]:
    """Rows of rationals, none of them 0, of both signs; a mask has a 0 and a number by turns."""
    cells = [[_number(rng) for _ in range(cols)] for _ in range(rows)]
    cells[-1][-1] = -abs(cells[-1][-1])
    cells[0][0] = abs(cells[0][0])
    if name == "mask":
        cells = [[S.Zero if (i + j) % 2 else x for j, x in enumerate(row)] for i, row in enumerate(cells)]
    return [[abs(x) for x in row] for row in cells] if positive else cells


def make_case(operation: type[Operation], count: int, draw: int = 0, prefix: str = "A") -> Case:
    """The operation with so many arguments, and random rational values."""
    known = getattr(operation, "stands_in_for", operation.__name__)
    given = given_parameters(operation, count)
    hint = HINTS.get(known)
    if hint is None:
        node = _found(operation, given, prefix, draw)
    else:
        node = _applied(operation, given, [hint[k] for k, _ in given], prefix, draw)
    rng = random.Random(f"{known}-{count}-{draw}")
    kinds = kinds_of_arguments(node)
    heads = int(node.args[kinds.index(LETTER) + 1]) if LETTER in kinds else 0
    groups = int(node.argument("groups") or 0) if heads else 0
    letters, values, order = [], {}, []
    for k, (argument, kind) in enumerate(zip(node.args, kinds, strict=True)):
        if kind == MATRIX and argument != ABSENT:
            rows, cols = (int(s) for s in argument.shape)
            name = operation.parameters[k].name if k < len(operation.parameters) else ""
            of_group = name in getattr(operation, "of_each_group", ())
            count = (groups if of_group else heads) if argument.head is not None else 0
            members = [drawn(rng, rows, cols, name, known in POSITIVE) for _ in range(count or 1)]
            letters.append(argument)
            values[argument] = members if count else members[0]
        if kind != LETTER:
            order.append(_plain(argument, kind))
    others = [a for a in order if not isinstance(a, Letter)]
    return Case(operation, node, letters, values, others, heads, order, draw)


def _plain(argument: Any, kind: str) -> Any:
    """An argument as `value`, `numpy` and the references take it; None where it is absent."""
    if argument == ABSENT:
        return None
    return int(argument) if kind == SIZE else argument.name if kind in (CHOICE, LABEL) else argument


def all_cases(operation: type[Operation], draws: int = 1) -> list[Case]:
    return [make_case(operation, c, d) for c in count_of_arguments(operation) for d in range(draws)]


__all__ = ["SCALAR", "Case", "all_cases", "count_of_arguments", "drawn", "make_case"]
