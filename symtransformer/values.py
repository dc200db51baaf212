"""What the letters of an expression stand for: matrices, parameters and sizes, checked against their shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sympy import (
    Basic,
    Expr,
    ImmutableDenseMatrix,
    Integer,
    MatrixBase,
    MatrixExpr,
    S,
)

from symtransformer.errors import ShapeError, UnreadableInput
from symtransformer.exact import Rows
from symtransformer.node import Node, postorder
from symtransformer.operation import unfolded
from symtransformer.symbols import DistributionLetter, Letter, Literal, exact_number


class Values:
    """Letters, parameters and sizes with what they stand for, checked against their shapes.

    Of two keys with the same name, such as `X` and `"X"`, the later one counts.
    """

    def __init__(self, letters: Mapping[Letter, Any], given: Mapping[Any, Any], mentions: frozenset[Basic]) -> None:
        self.letters = tuple(letters)
        self.matrices: dict[Letter, Any] = {}
        self.parameters: dict[Basic, Expr] = {}
        self.sizes: dict[Basic, Basic] = {}
        of_shapes = {s for letter in letters for size in letter.shape for s in size.free_symbols}
        last = {
            (_is_scalar(key), str(getattr(key, "name", key)), str(key)): (key, value) for key, value in given.items()
        }
        for key, value in last.values():
            if _is_scalar(key):
                self._set_scalar(key, value, of_shapes)
        for key, value in last.values():
            if not _is_scalar(key):
                self._set(key, value)
        self._check(mentions)

    def _set_scalar(self, key: Any, value: Any, of_shapes: set[Basic]) -> None:
        number = exact_number(value, f"the value of {key}")
        if not key.is_Symbol or number.has(S.Infinity, S.NegativeInfinity):
            raise UnreadableInput(
                f"giving values: expected a letter and a finite number, got {str(key)[:40]} and {number}"
            )
        if key in of_shapes:
            if not (number.is_Integer and number.is_positive):
                raise ShapeError(f"the size {key}: expected a whole number of at least 1, got {str(number)[:40]}")
            self.sizes[key] = number
        else:
            self.parameters[key] = number

    def _set(self, key: Any, value: Any) -> None:
        name = key.name if isinstance(key, Letter) else str(getattr(key, "name", key))
        of_name = [letter for letter in self.letters if letter.name == name]
        if not of_name:
            known = ", ".join(sorted({letter.name for letter in self.letters})) or "none"
            raise UnreadableInput(f"giving values: {name[:40]!r} is not an input; the inputs are {known}")
        letter = key if key in of_name else of_name[0]
        of_one_head = isinstance(key, Letter) and key.head is not None and key.head.is_Integer
        if of_one_head and letter.head is not None:
            self.matrices[letter.of_head(key.head)] = self._fitted(letter.of_head(key.head), value)
        elif letter.head is not None and _is_family(value):
            self.matrices[letter.family] = [self._fitted(letter, member) for member in value]
        elif letter.head is not None and not (letter.head.is_Integer and len(of_name) == 1):
            raise UnreadableInput(f"the value of {name}: expected one matrix for each head, as in [[[1, 0]], [[0, 1]]]")
        else:
            self.matrices[letter] = self._fitted(letter, value)

    def _check(self, mentions: frozenset[Basic]) -> None:
        """Sizes that became known late, and letters that nothing mentions."""
        matrices = [m for value in self.matrices.values() for m in (value if isinstance(value, list) else [value])]
        known = mentions.union(*(getattr(m, "free_symbols", set()) for m in matrices))
        for key in self.parameters:
            if key not in known:
                raise UnreadableInput(f"giving values: nothing here depends on {str(key)[:40]!r}")
        for letter, value in self.matrices.items():
            for member in value if isinstance(value, list) else [value]:
                self._fitted(letter, member)

    def _read(self, value: Any) -> Any:
        """The value as a matrix of exact entries."""
        return (value if isinstance(value, Literal) else Literal(value)).matrix

    def _fitted(self, letter: Letter, value: Any) -> Any:
        matrix = self._read(value)
        for size, number in zip(letter.shape, map(Integer, matrix.shape), strict=True):
            known = size.xreplace(self.scalars)
            if known.is_Symbol:
                self.sizes[known] = number
            elif known != number and (known.is_Integer or not known.free_symbols):
                rows, cols = letter.shape
                here, meant = f"{rows.xreplace(self.scalars)} x {cols.xreplace(self.scalars)}", f"{rows} x {cols}"
                because = "" if here == meant else f" ({meant})"
                raise ShapeError(
                    f"the value of {letter}: expected a matrix of size {here}{because}, "
                    f"got {matrix.shape[0]} x {matrix.shape[1]}"
                )
        if letter.is_permutation and not _is_permutation(matrix):
            raise UnreadableInput(f"the value of {letter}: expected one 1 in each row and column, and 0 elsewhere")
        if isinstance(letter, DistributionLetter) and any(sum(row) != 1 for row in matrix.tolist()):
            raise UnreadableInput(f"the value of {letter}: expected rows that add up to 1, which is assumed of it")
        return matrix

    def rows(self, letter: Letter) -> Rows:
        """Rows of exact entries; a letter without a value gives its own entries."""
        found = self._found(letter)
        if found is not None:
            return [[x.xreplace(self.parameters) for x in row] for row in found.tolist()]
        sized = letter.xreplace(self.sizes)
        if not (sized.shape[0].is_Integer and sized.shape[1].is_Integer):
            raise UnreadableInput(
                f"{letter} has no value, and its size {letter.shape} is not a number; give it a value"
            )
        return [[sized[i, j] for j in range(int(sized.shape[1]))] for i in range(int(sized.shape[0]))]

    def written(self, letter: Letter) -> Rows:
        """Rows as they were given, the letters of parameters in them."""
        found = self._found(letter)
        return self.rows(letter) if found is None else found.tolist()

    def _found(self, letter: Letter) -> ImmutableDenseMatrix | None:
        matrix = self.matrices.get(letter)
        if matrix is None and letter.head is not None and letter.head.is_Integer:
            family = self.matrices.get(letter.family)
            if family is not None and int(letter.head) >= len(family):
                raise ShapeError(f"{letter}: only {len(family)} heads have a value")
            matrix = None if family is None else family[int(letter.head)]
        return matrix  # type: ignore[no-any-return]

    def heads(self, letter: Letter) -> list[Rows]:
        """The members of a family in order; zeros stand for a head that nothing reads."""
        family = self.matrices.get(letter.family)
        if isinstance(family, list):
            count = len(family)
        else:
            count = 1 + max(
                (int(m.head) for m in self.matrices if m.head is not None and m.family is letter.family), default=-1
            )
        read = {m.head for m in self.letters if m.family is letter.family}
        every = any(not head.is_Integer for head in read if head is not None)
        count = max([count, *(int(head) + 1 for head in read if head is not None and head.is_Integer)])
        members: list[Rows] = []
        for k in range(count):
            if every or S(k) in read:
                members.append(self.rows(letter.of_head(k)))
            else:
                rows, cols = (int(size.xreplace(self.scalars)) for size in letter.shape)
                members.append([[S.Zero] * cols for _ in range(rows)])
        return members

    @property
    def scalars(self) -> dict[Basic, Basic]:
        return {**self.sizes, **self.parameters}


class Arrays(Values):
    """Letters with arrays of doubles, of any length: nothing is made exact on the way."""

    def _read(self, value: Any) -> Any:
        import numpy as np

        if (
            isinstance(value, np.ndarray)
            and value.ndim == 2
            and value.size
            and (value.dtype == float or value.dtype.kind in "iu")
        ):
            if np.isnan(value).any():
                raise UnreadableInput("reading a matrix: expected numbers, got nan")
            return value.astype(float)
        return super()._read(value)

    def rows(self, letter: Letter) -> Any:
        """The value of a letter as an array."""
        import numpy as np

        found = self._found(letter)
        return found if isinstance(found, np.ndarray) else super().rows(letter)


def floats(rows: Any) -> Any:
    """Exact entries as doubles; an array stays as it is."""
    if not isinstance(rows, list):
        return rows
    for row in rows:
        for x in row:
            if x.free_symbols:
                raise UnreadableInput(f"NumPy value: {', '.join(sorted(map(str, x.free_symbols)))} has no value")
    return [[float(x) for x in row] for row in rows]


def _is_permutation(value: ImmutableDenseMatrix) -> bool:
    rows = [*value.tolist(), *value.T.tolist()]
    return all(x in (0, 1) for row in rows for x in row) and all(sum(row) == 1 for row in rows)


def _is_scalar(key: Any) -> bool:
    return isinstance(key, Expr) and not isinstance(key, (Node, MatrixExpr))


def _is_family(value: Any) -> bool:
    """Whether this is one matrix for each head: three levels of brackets."""
    if hasattr(value, "ndim"):
        return value.ndim == 3
    return isinstance(value, Sequence) and not isinstance(value, str) and all(_is_matrix(member) for member in value)


def _is_matrix(value: Any) -> bool:
    if isinstance(value, (MatrixBase, Literal)) or getattr(value, "ndim", 0) == 2:
        return True
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and any(isinstance(row, Sequence) and not isinstance(row, str) for row in value)
    )


def letters_in(root: Node) -> dict[Letter, None]:
    return {node: None for node in postorder(unfolded(root)) if isinstance(node, Letter)}
