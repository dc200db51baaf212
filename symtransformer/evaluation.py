"""Values of expressions: exact, to n proven digits, or with NumPy.

Exact values are SymPy numbers and formulas; rationals, roots and exponentials stay as they
are, and symbols without a value stay free. Digits come from balls (Arb, by python-flint): the
graph is walked again with more bits until the rounding is certain. Nothing is rounded twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sympy import (
    Basic,
    Expr,
    ImmutableDenseMatrix,
    S,
)

from symtransformer.derivation import Derivation
from symtransformer.display import InNotebooks
from symtransformer.enclosures import BITS, Balls, precision, require_printable, rounded, significant
from symtransformer.errors import LimitExceeded, NotSupported, SymtransformerError, UnreadableInput
from symtransformer.exact import Exact, Rows
from symtransformer.node import Node, as_node, substitute
from symtransformer.operation import compute, unfolded
from symtransformer.symbols import Letter
from symtransformer.values import Arrays, Values, floats, letters_in


def evaluate(
    subject: Any, values: Mapping[Any, Any] | None = None, *, digits: int | None = None, backend: str = "exact"
) -> Any:
    """The value of an expression, or an `Evaluation` of every step of a derivation.

    `backend="exact"` gives a SymPy matrix of exact entries, `digits=n` one of n proven
    digits, `backend="numpy"` an array. Letters are named by themselves or by their name.

    >>> from symtransformer import evaluate, matrix
    >>> from symtransformer.operations import Softmax
    >>> S = matrix("S", 1, 2)
    >>> evaluate(Softmax(S), {S: [[0, 1]]})
    Matrix([[1/(1 + E), E/(1 + E)]])
    >>> evaluate(Softmax(S), {S: [[0, 1]]}, digits=20)
    Matrix([[0.26894142136999512075, 0.73105857863000487925]])
    """
    if backend not in ("exact", "numpy"):
        raise UnreadableInput(f"evaluate: backend must be 'exact' or 'numpy', not {str(backend)[:40]!r}")
    if digits is not None and backend == "numpy":
        raise UnreadableInput("evaluate: digits belong to exact values; an array has those of a double")
    if isinstance(subject, Derivation):
        if digits is not None or backend != "exact":
            raise UnreadableInput(
                "evaluate: of a derivation, ask the evaluation itself: evaluate(derivation, values).digits('A', 30) "
                "or .numpy('A')"
            )
        return Evaluation(subject, values or {})
    root = as_node(subject)
    if backend == "numpy":
        return _numpy_value(root, Arrays(letters_in(root), values or {}, unfolded(root)._mentions))
    given = Values(letters_in(root), values or {}, unfolded(root)._mentions)
    root = root.xreplace(given.parameters)
    if digits is None:
        return _defined(compute(root, Exact(), given.rows, given.scalars))
    cells = _Cells(root, given)
    rows, cols = cells.shape
    return ImmutableDenseMatrix(rows, cols, lambda i, j: cells.significant(int(i), int(j), digits))


def cells_of(root: Node) -> _Cells:
    """The entries of an expression whose leaves are explicit, as balls and exact."""
    return _Cells(root, Values(letters_in(root), {}, unfolded(root)._mentions))


def _defined(rows: Rows) -> ImmutableDenseMatrix:
    matrix = ImmutableDenseMatrix(rows)
    if matrix.has(S.ComplexInfinity, S.NaN):
        raise NotSupported("an entry is undefined: a division by 0")
    return matrix


class _Cells:
    """The entries of one expression as balls of any precision, and exact where that is short."""

    def __init__(self, root: Node, given: Values) -> None:
        self.root, self.given = root, given
        self._found: dict[int | str, Rows | SymtransformerError] = {}  # each is computed once, also where there is none
        sizes = [size.xreplace(given.sizes) for size in root.shape]
        if not all(size.is_Integer for size in sizes):
            for letter in letters_in(root):
                given.rows(letter)  # says which one has no value
            raise UnreadableInput(f"the size {' x '.join(map(str, sizes))} is not a number; give every size a number")
        self.shape = tuple(map(int, sizes))

    def exact(self) -> Rows | None:
        try:
            return self._once("exact", self._exactly)
        except LimitExceeded:
            return None

    def _exactly(self) -> Rows:
        return compute(self.root, Exact(terms_at_most=20_000), self.given.rows, self.given.scalars)

    def _once(self, key: int | str, find: Callable[[], Rows]) -> Rows:
        if key not in self._found:
            try:
                self._found[key] = find()
            except (NotSupported, LimitExceeded) as error:
                self._found[key] = error
        found = self._found[key]
        if isinstance(found, SymtransformerError):
            raise found.with_traceback(None)
        return found

    def ball_at(self, i: int, j: int) -> Callable[[int], Any]:
        def at(bits: int) -> Any:
            try:
                return self._once(bits, lambda: self._enclosed(bits))[i][j]
            except UnreadableInput:  # a letter without a value, on which this entry need not depend
                return self._of_its_formula(i, j, bits)

        return at

    def _of_its_formula(self, i: int, j: int, bits: int) -> Any:
        exact = self.exact()
        if exact is None:
            raise UnreadableInput("digits of an entry: a letter has no value; give it one")
        with precision(bits):
            return Balls().scalar(exact[i][j])

    def _enclosed(self, bits: int) -> Rows:
        """Balls of so many bits, or of more: through many layers they may grow until a divisor could be 0."""
        for more in sorted({bits, *(b for b in BITS if b > bits)}):
            try:
                with precision(more):
                    return compute(self.root, Balls(), self._ball_rows, self.given.scalars)
            except NotSupported as error:
                obstacle = error
        raise obstacle

    def _ball_rows(self, letter: Letter) -> Rows:
        return [[Balls().scalar(x) for x in row] for row in self.given.rows(letter)]

    def significant(self, i: int, j: int, digits: int) -> Expr:
        at = self.ball_at(i, j)
        first = at(BITS[0])
        if isinstance(first, Basic):  # infinite
            return first
        require_printable(at, in_digits=True)
        try:
            return significant(at, None, digits)
        except LimitExceeded:  # 0, or on the boundary between two roundings: only the exact value decides
            exact = self.exact()
            if exact is None:
                raise
            return significant(at, exact[i][j], digits)

    def rounded(self, i: int, j: int, places: int, half_even: bool) -> tuple[int, bool]:
        exact = self.exact()
        return rounded(self.ball_at(i, j), None if exact is None else exact[i][j], places, half_even)


class Evaluation(InNotebooks):
    """The value of every step of a derivation, each computed from the unrounded ones before it.

    >>> from symtransformer import derive, evaluate, matrix
    >>> from symtransformer.operations import Softmax
    >>> S = matrix("S", 1, 2)
    >>> evaluate(derive(Softmax(S)), {S: [[0, 0]]})["Y"]
    Matrix([[1/2, 1/2]])
    """

    def __init__(self, derivation: Derivation, values: Mapping[Any, Any] | None = None) -> None:
        self.derivation = derivation
        inputs: dict[Letter, None] = {}
        own = dict(derivation.values)
        mentions = {s for value in own.values() for s in getattr(value, "free_symbols", ())}
        for step in derivation.steps:
            inputs |= letters_in(step.stands_for)
            mentions |= unfolded(step.stands_for)._mentions
        self.given = Values(inputs, {**own, **(values or {})}, frozenset(mentions | own.keys()))
        self._cells: dict[str, _Cells] = {}
        self._exact: dict[str, ImmutableDenseMatrix] = {}
        self._of_head: dict[Letter, Rows] = {}
        self._by_steps: dict[int, dict[Letter, Rows]] = {}

    def cells(self, name: str) -> _Cells:
        """The entries of a step as balls, computed from what the step stands for."""
        if name not in self._cells:
            step = self.derivation[name]
            self._cells[name] = _Cells(step.stands_for.xreplace(self.given.parameters), self.given)
        return self._cells[name]

    def __getitem__(self, name: str) -> ImmutableDenseMatrix:
        """The exact value of a step or an input."""
        if name not in self._exact:
            for letter in self.derivation.inputs:
                if letter.name == name:
                    return ImmutableDenseMatrix(self.given.rows(letter))
            step = self.derivation[name]
            expression = step.expression.xreplace(self.given.parameters)
            self._exact[name] = _defined(
                compute(expression, Exact(terms_at_most=20_000), self._rows, self.given.scalars)
            )
        return self._exact[name]

    def true_value(self, name: str) -> ImmutableDenseMatrix | None:
        """The exact value of what a step stands for, whatever its expression says; None where it is too long."""
        if not self._is_step(name):
            return self[name]
        rows = self.cells(name).exact()
        return None if rows is None else ImmutableDenseMatrix(rows)

    def balls_by_steps(self, name: str, bits: int) -> Rows:
        """The entries of a step as balls, each step computed from the balls of the steps before it."""
        memo = self._by_steps.setdefault(bits, {})

        def rows(letter: Letter) -> Rows:
            for step in self.derivation.steps:
                if step.letter is letter:
                    return memo[letter] if letter in memo else walked(letter, step.expression)
                if letter.head is not None and step.letter.family is letter.family and step.letter.head is not None:
                    member = substitute(step.expression, {step.letter.head: letter.head})
                    return memo[letter] if letter in memo else walked(letter, member)
            return [[Balls().scalar(x) for x in row] for row in self.given.rows(letter)]

        def walked(letter: Letter, expression: Node) -> Rows:
            expression = expression.xreplace(self.given.parameters)
            memo[letter] = compute(expression, Balls(), rows, self.given.scalars)
            return memo[letter]

        with precision(bits):
            return rows(self.derivation[name].letter)

    def _is_step(self, name: str) -> bool:
        return any(step.name == name for step in self.derivation.steps)

    def _rows(self, letter: Letter) -> Rows:
        for step in self.derivation.steps:
            if step.letter is letter:
                return self[step.name].tolist()  # type: ignore[no-any-return]
            if letter.head is not None and step.letter.family is letter.family:
                if letter not in self._of_head:
                    of_head = substitute(step.expression, {step.letter.head: letter.head, **self.given.parameters})
                    self._of_head[letter] = _defined(compute(of_head, Exact(), self._rows, self.given.scalars)).tolist()
                return self._of_head[letter]
        return self.given.rows(letter)

    def digits(self, name: str, digits: int) -> ImmutableDenseMatrix:
        """The value of a step to so many proven digits."""
        cells = self.cells(name)
        rows, cols = cells.shape
        return ImmutableDenseMatrix(rows, cols, lambda i, j: cells.significant(int(i), int(j), digits))

    def numpy(self, name: str) -> Any:
        """The value of a step as an array."""
        return _numpy_value(self.derivation[name].stands_for, self.given)


# -- NumPy ----------------------------------------------------------------------------------------------------
def _numpy_value(root: Node, given: Values) -> Any:
    import numpy as np

    from symtransformer.numpy_code import numpy_function

    letters_in_root = letters_in(root)
    read_off = {size for letter in letters_in_root for size in letter.shape}
    numbers = {size: n for size, n in given.sizes.items() if size not in read_off}  # such as the number of heads
    root = root.xreplace({**numbers, **given.parameters})
    original = {letter.xreplace(numbers): letter for letter in letters_in_root}
    function, letters = numpy_function(root)
    arrays = []
    for letter in (original.get(letter, letter) for letter in letters):
        one = letter.head is None
        arrays.append(np.array(floats(given.rows(letter)) if one else [floats(rows) for rows in given.heads(letter)]))
    with np.errstate(all="ignore"):
        result = function(*arrays)
    if np.isnan(result).any() or np.isposinf(result).any():
        raise NotSupported(
            "NumPy value: an entry is undefined or too large for a double (nan or inf); ask for exact values or digits"
        )
    return result
