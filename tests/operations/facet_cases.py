"""Arguments for any operation, at unequal sizes: a small table, and a search where the table is silent.

A new operation needs a line in `HINTS` only if no choice of the shapes below fits it.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field
from typing import Any

from sympy import Integer, Rational, S

from symtransformer.errors import ShapeError
from symtransformer.node import Node
from symtransformer.operation import LETTER, MATRICES, MATRIX, SCALAR, SIZE, Operation
from symtransformer.symbols import Letter, head_index

# Tried in this order; none is square, so that a missing transpose cannot pass.
SHAPES = [
    (2, 3), (3, 4), (4, 3), (2, 4), (3, 2), (4, 2), (4, 5), (3, 5), (5, 3), (2, 5), (5, 2), (5, 4),
    (2, 1), (3, 1), (4, 1), (5, 1), (1, 3), (1, 4), (1, 2), (1, 5),
]  # fmt: skip
SIZES = (3, 2, 4, 5, 1)
SCALARS = (Rational(3, 2), Rational(5, 7), Rational(7, 3))
# Sizes of arguments, by operation: matrices as (rows, columns), sizes as numbers, in order.
HINTS: dict[str, tuple[Any, ...]] = {
    "Addition": ((2, 3), (2, 3), (2, 3)),
    "Concatenation": ((2, 3), (2, 1), (2, 4)),
    "ColumnSlice": ((2, 5), 1, 3),
    "ColumnPad": ((2, 3), 1, 5),
    "Row": ((3, 4), 1),
    "RowPad": ((1, 4), 1, 3),
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
    """How many arguments the operation is tried with: without and with the optional ones."""
    parameters = operation.parameters
    if any(p.kind == MATRICES for p in parameters):
        return [2, 3]
    needed = sum(not p.optional for p in parameters)
    return list(range(needed, len(parameters) + 1))


def kinds_of(operation: type[Operation], count: int) -> list[str]:
    if any(p.kind == MATRICES for p in operation.parameters):
        return [MATRIX] * count
    return [p.kind for p in operation.parameters[:count]]


def parameter_names(operation: type[Operation], count: int) -> list[str]:
    if any(p.kind == MATRICES for p in operation.parameters):
        return ["term"] * count
    return [p.name for p in operation.parameters[:count]]


def _applied(operation: type[Operation], kinds: list[str], sizes: Any, prefix: str) -> tuple[Node, list[Any]]:
    """The operation on fresh letters of these sizes, and its arguments."""
    bound = head_index("i") if LETTER in kinds else None
    scalars = iter(SCALARS)
    arguments: list[Any] = []
    for k, (kind, size) in enumerate(zip(kinds, sizes, strict=True)):
        if kind == MATRIX:
            letter = Letter(f"{prefix}{k}", *size)
            arguments.append(letter.of_head(bound) if bound is not None else letter)
        elif kind == SIZE:
            arguments.append(Integer(size))
        else:
            arguments.append(bound if kind == LETTER else next(scalars))
    return operation(*arguments), arguments


def _found(operation: type[Operation], kinds: list[str], prefix: str) -> tuple[Node, list[Any]]:
    choices = [SHAPES if k == MATRIX else SIZES if k == SIZE else (None,) for k in kinds]
    for sizes in itertools.islice(itertools.product(*choices), 20_000):
        try:
            node, arguments = _applied(operation, kinds, sizes, prefix)
        except ShapeError:
            continue
        if type(node) is operation and node.shape[0] != node.shape[1]:
            return node, arguments
    raise LookupError(f"no sizes fit {operation.__name__}; add a line to HINTS in {__file__}")


def _number(rng: random.Random) -> Rational:
    return Rational(rng.choice([-1, 1]) * rng.randint(1, 19), rng.choice([7, 8, 9, 10, 11]))


def drawn(rng: random.Random, rows: int, cols: int, name: str = "") -> list[list[Any]]:
    """Rows of rationals, none of them 0; a mask has a 0 and a number by turns."""
    cells = [[_number(rng) for _ in range(cols)] for _ in range(rows)]
    if name == "mask":
        cells = [[S.Zero if (i + j) % 2 else x for j, x in enumerate(row)] for i, row in enumerate(cells)]
    return cells


def make_case(operation: type[Operation], count: int, draw: int = 0, prefix: str = "A") -> Case:
    """The operation with so many arguments, and random rational values."""
    kinds = kinds_of(operation, count)
    hint = HINTS.get(getattr(operation, "stands_in_for", operation.__name__))
    if hint is None:
        node, arguments = _found(operation, kinds, prefix)
    else:
        node, arguments = _applied(operation, kinds, hint[:count], prefix)
    rng = random.Random(f"{operation.__name__}-{count}-{draw}")
    heads = int(arguments[-1]) if LETTER in kinds else 0
    letters, values, order = [], {}, []
    for argument, kind, name in zip(arguments, kinds, parameter_names(operation, count), strict=True):
        if kind == LETTER:
            continue
        order.append(argument)
        if kind == MATRIX:
            rows, cols = (int(s) for s in argument.shape)
            members = [drawn(rng, rows, cols, name) for _ in range(heads or 1)]
            letters.append(argument)
            values[argument] = members if heads else members[0]
    others = [a for a in order if not isinstance(a, Letter)]
    order = [int(a) if k == SIZE else a for a, k in zip(order, [k for k in kinds if k != LETTER], strict=True)]
    return Case(operation, node, letters, values, others, heads, order)


def all_cases(operation: type[Operation], draws: int = 1) -> list[Case]:
    return [make_case(operation, c, d) for c in count_of_arguments(operation) for d in range(draws)]


__all__ = ["SCALAR", "Case", "all_cases", "count_of_arguments", "drawn", "kinds_of", "make_case"]
