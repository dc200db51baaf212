"""Values of expressions: exact, to n proven digits, or with NumPy.

Exact values are SymPy numbers and formulas; rationals, roots and exponentials stay as they
are, and symbols without a value stay free. Digits come from balls (Arb, by python-flint): the
graph is walked again with more bits until the rounding is certain. Nothing is rounded twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import flint
from sympy import Add, Basic, E, Expr, Float, ImmutableDenseMatrix, Mul, Pow, S, exp, log, pi

from symtransformer.derivation import Derivation
from symtransformer.errors import LimitExceeded, NotSupported, ShapeError, UnreadableInput
from symtransformer.node import Node, as_node, postorder
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
    coefficients: dict[Expr, Expr] = {}
    for term in Add.make_args(above.expand()):
        factors = Mul.make_args(term)
        exponent = Add(*(f.exp for f in factors if isinstance(f, exp))).expand()
        rest = Mul(*(f for f in factors if not isinstance(f, exp)))
        if not (_is_root_sum(rest) and _is_root_sum(exponent)):
            return None
        coefficients[exponent] = coefficients.get(exponent, S.Zero) + rest
    return all(c.expand() == 0 for c in coefficients.values())


def _is_root_sum(value: Expr) -> bool:
    if value.is_Rational:
        return True
    if isinstance(value, (Add, Mul)):
        return all(_is_root_sum(a) for a in value.args)
    return isinstance(value, Pow) and value.base.is_Rational and value.base.is_positive and (2 * value.exp).is_Integer


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
                return int(whole) if not scaled < 0 else -int(whole), False
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
    for bits in [b for b in BITS if b > 3.33 * digits] or [4 * digits]:
        with precision(bits):
            value = ball_at(bits)
            size = abs(value)
            if not size > 0:
                if exact is not None and is_exactly_zero(exact):
                    return Float("0", digits)
                continue
            magnitude = (size.log() / flint.arb(10).log()).floor().unique_fmpz()
        if magnitude is None:
            magnitude = _power_of_ten_below(size)
        if magnitude is None:
            continue
        places = digits - 1 - int(magnitude)
        factor = S(10) ** places

        def shifted(bits: int, factor: Any = factor) -> Any:
            return ball_at(bits) * ball(factor)

        units, _ = rounded(shifted, None if exact is None else exact * factor, 0)
        return Float(f"{units}e{-places}", digits)
    raise LimitExceeded(f"{digits} digits are not decided with {BITS[-1]} bits")


def _power_of_ten_below(size: Any) -> int | None:
    """The exponent where the number is close to a power of ten."""
    guess = round(float((size.log() / flint.arb(10).log()).mid()))
    return guess if abs(float((size / flint.arb(10) ** guess).mid()) - 1) < 1e-9 else None


# -- what the letters stand for -------------------------------------------------------------------------
class Values:
    """Letters, parameters and sizes with what they stand for, checked against their shapes."""

    def __init__(self, letters: Mapping[Letter, Any], given: Mapping[Any, Any]) -> None:
        self.matrices: dict[Letter, Any] = {}
        self.parameters: dict[Basic, Expr] = {}
        self.sizes: dict[Basic, Basic] = {}
        by_name = {letter.name: letter for letter in letters}
        for key, value in given.items():
            if isinstance(key, Expr) and not isinstance(key, Node):
                self.parameters[key] = exact_number(value, f"the value of {key}")
                continue
            name = key.name if isinstance(key, Letter) else str(getattr(key, "name", key))
            letter = by_name.get(name)
            if letter is None:
                known = ", ".join(sorted(by_name)) or "none"
                raise UnreadableInput(f"giving values: {name[:40]!r} is not an input; the inputs are {known}")
            self._set(letter, value)

    def _set(self, letter: Letter, value: Any) -> None:
        if letter.head is not None and not letter.head.is_Integer:
            members = [self._fitted(letter, member) for member in value]
            self.matrices[letter.family] = members
            return
        self.matrices[letter] = self._fitted(letter, value)

    def _fitted(self, letter: Letter, value: Any) -> ImmutableDenseMatrix:
        literal = value if isinstance(value, Literal) else Literal(value)
        for size, number in zip(letter.shape, literal.shape, strict=True):
            known = size.xreplace(self.sizes)
            if known.is_Symbol:
                self.sizes[known] = number
            elif known != number and (known.is_Integer or not known.free_symbols):
                rows, cols = letter.shape
                here = f"{rows.xreplace(self.sizes)} x {cols.xreplace(self.sizes)}"
                raise ShapeError(
                    f"the value of {letter}: expected a matrix of size {here} ({rows} x {cols}), "
                    f"got {literal.shape[0]} x {literal.shape[1]}"
                )
        return literal.matrix

    def rows(self, letter: Letter) -> Rows:
        """Rows of exact entries; a letter without a value gives its own entries."""
        found = self.matrices.get(letter)
        if found is None and letter.head is not None and letter.head.is_Integer:
            family = self.matrices.get(letter.family)
            if isinstance(family, list):
                if int(letter.head) >= len(family):
                    raise ShapeError(f"{letter}: only {len(family)} heads have a value")
                found = family[int(letter.head)]
        if found is not None:
            return [[x.xreplace(self.parameters) for x in row] for row in found.tolist()]
        sized = letter.xreplace(self.sizes)
        if not (sized.shape[0].is_Integer and sized.shape[1].is_Integer):
            raise UnreadableInput(f"{letter} has no value, and its size {letter.shape} is not a number; give it a value")
        return [[sized[i, j] for j in range(int(sized.shape[1]))] for i in range(int(sized.shape[0]))]

    @property
    def scalars(self) -> dict[Basic, Basic]:
        return {**self.sizes, **self.parameters}


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
    given = Values(_letters(root), values or {})
    if backend == "numpy":
        return _numpy_value(root, given)
    if backend != "exact":
        raise UnreadableInput(f"evaluate: backend must be 'exact' or 'numpy', not {str(backend)[:40]!r}")
    root = root.xreplace(given.parameters)
    if digits is None:
        return ImmutableDenseMatrix(compute(root, Exact(), given.rows, given.scalars))
    cells = _Cells(root, given)
    rows, cols = cells.shape
    return ImmutableDenseMatrix(rows, cols, lambda i, j: cells.significant(int(i), int(j), digits))


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
        for step in derivation.steps:
            inputs |= _letters(step.stands_for)
        self.given = Values(inputs, {**dict(derivation.values), **(values or {})})
        self._cells: dict[str, _Cells] = {}
        self._exact: dict[str, ImmutableDenseMatrix] = {}

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
            rows = compute(step.expression, Exact(), self._rows, self.given.scalars)
            self._exact[name] = ImmutableDenseMatrix(rows)
        return self._exact[name]

    def _rows(self, letter: Letter) -> Rows:
        defined = {step.letter for step in self.derivation.steps}
        rows: Rows = self[letter.name].tolist() if letter in defined else self.given.rows(letter)
        return rows

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
        family = given.matrices.get(letter.family)
        if isinstance(family, list):
            arrays.append(np.array([_floats(m.xreplace(given.parameters).tolist()) for m in family]))
        else:
            arrays.append(np.array(_floats(given.rows(letter))))
    return function(*arrays)


def _floats(rows: Rows) -> list[list[float]]:
    for row in rows:
        for x in row:
            if x.free_symbols:
                raise UnreadableInput(f"NumPy value: {', '.join(sorted(map(str, x.free_symbols)))} has no value")
    return [[float(x) for x in row] for row in rows]

