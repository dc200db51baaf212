"""Values of expressions: exact, to n proven digits, or with NumPy.

Exact values are SymPy numbers and formulas; rationals, roots and exponentials stay as they
are, and symbols without a value stay free. Digits come from balls (Arb, by python-flint): the
graph is walked again with more bits until the rounding is certain. Nothing is rounded twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isqrt
from typing import Any

import flint
from sympy import (
    Add,
    Basic,
    E,
    Expr,
    Float,
    ImmutableDenseMatrix,
    MatrixBase,
    MatrixExpr,
    Mul,
    Pow,
    Rational,
    S,
    exp,
    log,
    pi,
)

from symtransformer.derivation import Derivation
from symtransformer.errors import LimitExceeded, NotSupported, ShapeError, UnreadableInput
from symtransformer.node import Node, as_node, postorder, substitute
from symtransformer.operation import Exact, Rows, compute, unfolded
from symtransformer.symbols import Letter, Literal, exact_number

BITS = (64, 128, 256, 512, 1024, 2048, 4096)
DIGITS_AT_MOST = 1000


# -- balls --------------------------------------------------------------------------------------
@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Balls with so many bits inside the block."""
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def ball(value: Any) -> Any:
    """A ball that contains the number; a formula of +, *, powers, exp, log and π only."""
    if value.is_Rational:
        return flint.arb(flint.fmpq(int(value.p), int(value.q)))
    if isinstance(value, Add):
        return sum((ball(a) for a in value.args[1:]), ball(value.args[0]))
    if isinstance(value, Mul):
        product = ball(value.args[0])
        for a in value.args[1:]:
            product = product * ball(a)
        return product
    if isinstance(value, exp):
        return ball(value.exp).exp()
    if isinstance(value, Pow):
        if value.base is E:
            return ball(value.exp).exp()
        if value.exp == S.Half:
            return ball(value.base).sqrt()
        if value.exp == -S.Half:
            return 1 / ball(value.base).sqrt()
        if value.exp.is_Integer:
            return ball(value.base) ** int(value.exp)
        return ball(value.base) ** ball(value.exp)
    if isinstance(value, log):
        return ball(value.args[0]).log()
    if value is pi:
        return flint.arb.pi()
    if value is E:
        return flint.arb(1).exp()
    if value.free_symbols:
        names = ", ".join(sorted(str(s) for s in value.free_symbols))
        raise UnreadableInput(f"digits of {str(value)[:40]}: {names} has no value; give it one")
    raise NotSupported(f"digits of {str(value)[:40]}: no enclosure is known for {type(value).__name__}")


class Balls:
    """Arb balls as the number type of a walk; precision is that of the surrounding block."""

    def scalar(self, value: Basic) -> Any:
        return value if value in (S.NegativeInfinity, S.Infinity) else ball(value)

    def exp(self, x: Any) -> Any:
        return x.exp()

    def divide(self, x: Any, y: Any) -> Any:
        return x / y

    def check(self, rows: Rows) -> None:
        for row in rows:
            for x in row:
                if x is not S.NegativeInfinity and x is not S.Infinity and not x.is_finite():
                    raise NotSupported("a division by a number that may be 0")


# -- zero, sign and rounding, decided ---------------------------------------------------------------
def is_exactly_zero(value: Expr) -> bool | None:
    """Whether a number is 0, for sums a·e^α over sums of the same kind, a and α in Q[√m].

    Such a sum is 0 only if the coefficients of equal exponents cancel (Lindemann-Weierstrass).
    None where the number is not of this kind.
    """
    above, _ = value.together().as_numer_denom()
    groups: list[tuple[Expr, Expr]] = []
    for term in Add.make_args(above.expand()):
        factors = Mul.make_args(term)
        exponent = Add(*(_exponent_of_e(f) for f in factors)).expand()
        rest = Mul(*(f for f in factors if not _is_power_of_e(f)))
        if not (_is_root_sum(rest) and _is_root_sum(exponent)):
            return None
        for k, (other, total) in enumerate(groups):
            if _root_sum_is_zero(exponent - other):
                groups[k] = other, total + rest
                break
        else:
            groups.append((exponent, rest))
    return all(_root_sum_is_zero(total) for _, total in groups)


def _is_power_of_e(value: Expr) -> bool:
    return value is E or isinstance(value, exp)


def _exponent_of_e(value: Expr) -> Expr:
    return S.One if value is E else value.exp if isinstance(value, exp) else S.Zero  # type: ignore[attr-defined]


def _is_root_sum(value: Expr) -> bool:
    if value.is_Rational:
        return True
    if isinstance(value, (Add, Mul)):
        return all(_is_root_sum(a) for a in value.args)
    return isinstance(value, Pow) and value.base.is_Rational and value.base.is_positive and (2 * value.exp).is_Integer


def _root_sum_is_zero(value: Expr) -> bool:
    """Whether a sum of ±√r, r rational, is 0: √r and √s depend on each other only where r s is a square.

    SymPy takes squares out of a root only as far as it factors the number, so they are compared here.
    """
    sums: list[tuple[Expr, Expr]] = []
    for term in Add.make_args(value.expand()):
        square = (term**2).expand()
        if square == 0:
            continue
        sign = -1 if Mul(*(f for f in Mul.make_args(term) if f.is_Rational)) < 0 else 1
        for k, (first, total) in enumerate(sums):
            ratio = _rational_root(square / first)
            if ratio is not None:
                sums[k] = first, total + sign * ratio
                break
        else:
            sums.append((square, S(sign)))
    return all(total == 0 for _, total in sums)


def _rational_root(value: Expr) -> Expr | None:
    above, below = isqrt(int(value.p)), isqrt(int(value.q))
    return Rational(above, below) if above**2 == value.p and below**2 == value.q else None


def rounded(
    ball_at: Callable[[int], Any], exact: Expr | None, places: int, half_even: bool = False
) -> tuple[int, bool]:
    """The number in units of 10^-places, correctly rounded, and whether that is its exact value.

    Halves go away from zero, or to the even neighbour. Decided on the exact value: balls with
    more and more bits until the boundary is excluded, then the exact zero test.
    """
    scale = 10**places
    if exact is not None and exact.is_Rational:
        units, rest = divmod(abs(exact.p) * scale, exact.q)
        twice = 2 * rest
        up = twice > exact.q or (twice == exact.q and (not half_even or units % 2 == 1))
        units += up
        return int(units if exact.p >= 0 else -units), rest == 0
    for bits in BITS:
        with precision(bits):
            scaled = ball_at(bits) * scale
            size = abs(scaled)
            whole = (size + flint.arb(1) / 2).floor().unique_fmpz()
            if whole is not None and (int(whole) == 0 or scaled > 0 or scaled < 0):
                units = int(whole) if not scaled < 0 else -int(whole)
                whole_number = exact is not None and (scaled - units).contains(0)
                return units, whole_number and is_exactly_zero(exact * scale - units) is True
        if bits >= 128 and exact is not None:
            tie = _exact_tie(exact, size, scale)
            if tie is not None:
                return rounded(ball_at, tie, places, half_even)
    raise LimitExceeded(f"rounding to {places} places is not decided with {BITS[-1]} bits")


def _exact_tie(exact: Expr, size: Any, scale: int) -> Expr | None:
    """The half that the number is exactly equal to, if it is one."""
    doubled = (2 * size + flint.arb(1) / 2).floor().unique_fmpz()
    if doubled is None:
        return None
    for sign in (1, -1):
        half = S(int(doubled)) * sign / (2 * scale)
        if is_exactly_zero(exact - half):
            return half
    return None


def significant(ball_at: Callable[[int], Any], exact: Expr | None, digits: int) -> Float:
    """The number to so many significant digits, all of them proven."""
    if not 1 <= digits <= DIGITS_AT_MOST:
        raise UnreadableInput(f"digits: expected 1 to {DIGITS_AT_MOST}, got {digits}")
    if exact is not None and exact.is_zero:
        return Float("0", digits)
    for bits in (b for b in BITS if b > 3.33 * digits + 32):
        with precision(bits):
            value = ball_at(bits)
            size = abs(value)
            if not size > 0:
                if exact is not None and is_exactly_zero(exact):
                    return Float("0", digits)
                continue
            magnitude = (size.log() / flint.arb(10).log()).floor().unique_fmpz()
        if magnitude is None:
            with precision(bits):
                magnitude = _power_of_ten_at(size, digits)
        if magnitude is None:
            continue
        places = digits - 1 - int(magnitude)
        factor = S(10) ** places

        def shifted(bits: int, factor: Any = factor) -> Any:
            return ball_at(bits) * ball(factor)

        units, _ = rounded(shifted, None if exact is None else exact * factor, 0)
        return Float(f"{units}e{-places}", digits)
    raise LimitExceeded(f"{digits} digits are not decided with {BITS[-1]} bits")


def _power_of_ten_at(size: Any, digits: int) -> int | None:
    """The exponent, where the number is certain to be rounded to a power of ten."""
    guess = round(float((size.log() / flint.arb(10).log()).mid()))
    near = abs(size / flint.arb(10) ** guess - 1) < flint.arb(10) ** (-digits - 2)
    return guess if near else None


# -- what the letters stand for -------------------------------------------------------------------------
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
        known = mentions.union(*(m.free_symbols for m in matrices))
        for key in self.parameters:
            if key not in known:
                raise UnreadableInput(f"giving values: nothing here depends on {str(key)[:40]!r}")
        for letter, value in self.matrices.items():
            for member in value if isinstance(value, list) else [value]:
                self._fitted(letter, member)

    def _fitted(self, letter: Letter, value: Any) -> ImmutableDenseMatrix:
        literal = value if isinstance(value, Literal) else Literal(value)
        for size, number in zip(letter.shape, literal.shape, strict=True):
            known = size.xreplace(self.scalars)
            if known.is_Symbol:
                self.sizes[known] = number
            elif known != number and (known.is_Integer or not known.free_symbols):
                rows, cols = letter.shape
                here = f"{rows.xreplace(self.scalars)} x {cols.xreplace(self.scalars)}"
                raise ShapeError(
                    f"the value of {letter}: expected a matrix of size {here} ({rows} x {cols}), "
                    f"got {literal.shape[0]} x {literal.shape[1]}"
                )
        return literal.matrix

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


def _letters(root: Node) -> dict[Letter, None]:
    return {node: None for node in postorder(unfolded(root)) if isinstance(node, Letter)}


# -- evaluate ---------------------------------------------------------------------------------------------
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
    if isinstance(subject, Derivation):
        return Evaluation(subject, values or {})
    root = as_node(subject)
    given = Values(_letters(root), values or {}, unfolded(root)._mentions)
    if backend == "numpy":
        return _numpy_value(root, given)
    if backend != "exact":
        raise UnreadableInput(f"evaluate: backend must be 'exact' or 'numpy', not {str(backend)[:40]!r}")
    root = root.xreplace(given.parameters)
    if digits is None:
        return _defined(compute(root, Exact(), given.rows, given.scalars))
    cells = _Cells(root, given)
    rows, cols = cells.shape
    return ImmutableDenseMatrix(rows, cols, lambda i, j: cells.significant(int(i), int(j), digits))


def _defined(rows: Rows) -> ImmutableDenseMatrix:
    matrix = ImmutableDenseMatrix(rows)
    if matrix.has(S.ComplexInfinity, S.NaN):
        raise NotSupported("an entry is undefined: a division by 0")
    return matrix


class _Cells:
    """The entries of one expression as balls of any precision, and exact where that is short."""

    def __init__(self, root: Node, given: Values) -> None:
        self.root, self.given = root, given
        self._balls: dict[int, Rows] = {}
        self._exact: Rows | None = None
        self.shape = tuple(int(s) for s in (size.xreplace(given.sizes) for size in root.shape))

    def exact(self) -> Rows | None:
        if self._exact is None:
            try:
                self._exact = compute(self.root, Exact(terms_at_most=20_000), self.given.rows, self.given.scalars)
            except LimitExceeded:
                return None
        return self._exact

    def ball_at(self, i: int, j: int) -> Callable[[int], Any]:
        def at(bits: int) -> Any:
            if bits not in self._balls:
                with precision(bits):
                    rows = compute(self.root, Balls(), self._ball_rows, self.given.scalars)
                self._balls[bits] = rows
            return self._balls[bits][i][j]

        return at

    def _ball_rows(self, letter: Letter) -> Rows:
        return [[Balls().scalar(x) for x in row] for row in self.given.rows(letter)]

    def significant(self, i: int, j: int, digits: int) -> Expr:
        exact = self.exact()
        value = None if exact is None else exact[i][j]
        if value in (S.NegativeInfinity, S.Infinity):
            return value
        return significant(self.ball_at(i, j), value, digits)

    def rounded(self, i: int, j: int, places: int, half_even: bool) -> tuple[int, bool]:
        exact = self.exact()
        return rounded(self.ball_at(i, j), None if exact is None else exact[i][j], places, half_even)


class Evaluation:
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
            inputs |= _letters(step.stands_for)
            mentions |= unfolded(step.stands_for)._mentions
        self.given = Values(inputs, {**own, **(values or {})}, frozenset(mentions | own.keys()))
        self._cells: dict[str, _Cells] = {}
        self._exact: dict[str, ImmutableDenseMatrix] = {}
        self._of_head: dict[Letter, Rows] = {}

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
            self._exact[name] = _defined(compute(expression, Exact(), self._rows, self.given.scalars))
        return self._exact[name]

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

    function, letters = numpy_function(root.xreplace(given.parameters))
    arrays = []
    for letter in letters:
        if letter.head is not None:
            arrays.append(np.array([_floats(rows) for rows in given.heads(letter)]))
        else:
            arrays.append(np.array(_floats(given.rows(letter))))
    return function(*arrays)


def _floats(rows: Rows) -> list[list[float]]:
    for row in rows:
        for x in row:
            if x.free_symbols:
                raise UnreadableInput(f"NumPy value: {', '.join(sorted(map(str, x.free_symbols)))} has no value")
    return [[float(x) for x in row] for row in rows]
