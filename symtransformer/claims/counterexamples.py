"""Small numbers for which two sides differ: sizes 2 and 3, whole entries first, every other time positive, then halves."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from sympy import Basic, Expr, ImmutableDenseMatrix, Integer, Piecewise, Rational, Symbol

from symtransformer.claims.time_limit import check_time
from symtransformer.enclosures import Balls, precision
from symtransformer.errors import LimitExceeded, NotSupported, SymtransformerError
from symtransformer.exact import Exact, Rows
from symtransformer.judge.trials import apart_at_most, shown_apart
from symtransformer.node import Node, digest, postorder
from symtransformer.operation import compute
from symtransformer.operations.entry_formula import EntryFormula
from symtransformer.operations.relu import Heaviside
from symtransformer.random_points import size_letters
from symtransformer.symbols import DistributionLetter, Letter
from symtransformer.zero import is_exactly_zero

BITS = (128, 512)
LARGE, FEW = 25, 6  # nodes, and trials before the normal form
DIGITS_OF_A_WHOLE_NUMBER = 12
TRIES, ENTRIES_AT_MOST, TERMS_AT_MOST = 24, 400, 2000
ROOTS_AT_MOST = 3  # whose values may be rational all the same
EXACT_TERMS = 3_000  # of what may turn out to be rational
NO_VALUE = (SymtransformerError, ArithmeticError, IndexError, ValueError)


@dataclass(frozen=True)
class Counterexample:
    """The numbers, the first entry that differs (from 1), and its two values."""

    sizes: tuple[tuple[str, int], ...]
    numbers: tuple[tuple[str, str], ...]
    matrices: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]
    entry: str
    derived: str
    claimed: str

    @property
    def shown(self) -> str:
        rows = [f"{n} = [{', '.join('[' + ', '.join(r) + ']' for r in m)}]" for n, m in self.matrices]
        return ", ".join([*(f"{n} = {k}" for n, k in (*self.sizes, *self.numbers)), *rows])


class WithSlopes(Balls):
    """Numbers among which nothing jumps: at 0, ReLU has no slope, and what a derivative says there is a convention."""

    def step(self, x: Any) -> Any:
        if self.sign(x) == 0:
            raise NotSupported("the step at 0")
        return super().step(x)


class Trial:
    """Letters with small numbers; each letter gets its own when it is first asked for."""

    def __init__(
        self, sizes: Mapping[Any, Any], numbers: Mapping[Any, Any], halves: bool, positive: bool, source: random.Random
    ) -> None:
        self.sizes, self.numbers, self.source = dict(sizes), dict(numbers), source
        self.halves, self.positive = halves, positive
        self.matrices: dict[str, ImmutableDenseMatrix] = {}

    @property
    def known(self) -> dict[Basic, Basic]:
        return {**self.sizes, **self.numbers}

    def matrix(self, letter: Letter) -> ImmutableDenseMatrix:
        sized = letter.xreplace(self.known)
        name = str(sized)
        if name not in self.matrices:
            rows, columns = (int(s) for s in sized.shape)
            if rows * columns > ENTRIES_AT_MOST:
                raise ValueError("too large for a counterexample of small numbers")
            if letter.is_permutation:
                places = self.source.sample(range(columns), columns)
                self.matrices[name] = ImmutableDenseMatrix(rows, columns, lambda i, j: Integer(places[int(i)] == j))
            elif isinstance(letter, DistributionLetter):
                self.matrices[name] = ImmutableDenseMatrix([self._adding_up_to_1(columns) for _ in range(rows)])
            else:
                self.matrices[name] = ImmutableDenseMatrix(rows, columns, lambda i, j: self._entry())
        return self.matrices[name]

    def _entry(self) -> Expr:
        if self.halves:
            return Rational(self.source.randint(1 if self.positive else -3, 3), 2)
        return Integer(self.source.randint(1, 3) if self.positive else self.source.randint(-1, 2))

    def _adding_up_to_1(self, columns: int) -> list[Expr]:
        weights = [self.source.randint(1, 3) for _ in range(columns)]
        return [Rational(w, sum(weights)) for w in weights]

    def found(self, entry: str, derived: str, claimed: str) -> Counterexample:
        return Counterexample(
            tuple((str(s), int(k)) for s, k in self.sizes.items()),
            tuple((str(s), str(k + int(bool(s.is_integer) and not s.is_positive))) for s, k in self.numbers.items()),
            tuple((n, tuple(tuple(str(x) for x in row) for row in m.tolist())) for n, m in sorted(self.matrices.items())),
            entry, derived, claimed,
        )  # fmt: skip


def trials(*sides: Node) -> Iterator[Trial]:
    """Every choice of sizes 2 and 3, unequal ones first; the same numbers in every run."""
    source = random.Random("".join(map(digest, sides)))
    letters = size_letters(*sides)
    others = sorted({s for side in sides for s in side._mentions if isinstance(s, Symbol)} - set(letters), key=str)
    choices = sorted(product((2, 3), repeat=len(letters)), key=lambda c: (len(set(c)) < min(2, len(c)), c)) if len(letters) <= 5 else [tuple(2 + k % 2 for k in range(len(letters)))]  # fmt: skip
    for k in range(TRIES):
        check_time()
        sizes = {s: Integer(n) for s, n in zip(letters, choices[k % len(choices)], strict=True)}
        numbers = {s: _number(s, source, k) for s in others}
        yield Trial(sizes, numbers, k >= TRIES * 2 // 3, k % 2 == 1, source)


def _number(symbol: Symbol, source: random.Random, k: int) -> Expr:
    if symbol.is_integer:
        return Integer(source.randint(1, 2) if symbol.is_positive else source.randint(0, 1))
    return Rational(source.randint(1, 4), source.choice((1, 2)))


def find(left: Node, right: Node, first: int | None = None, slopes: Node | None = None) -> Counterexample | None:
    """The first entry that certainly differs; None where no trial, or none of the first few, shows one.

    Trials in which something jumps in `slopes`, the side that says what the slopes are, do not count.
    """
    for trial in islice(trials(left, right), first):
        try:
            found = _differing(left.xreplace(trial.numbers), right.xreplace(trial.numbers), trial, slopes)
        except NO_VALUE:
            continue
        if found is not None:
            i, j, shown = found
            return trial.found(f"({i + 1}, {j + 1})", *shown)
    return None


def find_soon(left: Node, right: Node, slopes: Node | None = None) -> Counterexample | None:
    """By a few trials where the sides are so large that their normal form takes longer."""
    return find(left, right, FEW, slopes) if len(list(postorder(left, right))) > LARGE else None


def jumps(*sides: Node) -> bool:
    """Whether a step from 0 to 1 stands in them."""
    return any(
        isinstance(node, Heaviside) or (isinstance(node, EntryFormula) and node.args[2].has(Piecewise))
        for node in postorder(*sides)
    )


def without_value(derived: Node, claimed: Node) -> Counterexample | None:
    """Numbers for which the derived side has a value and the claimed one has none."""
    for trial in trials(derived, claimed):
        try:
            _values(derived.xreplace(trial.numbers), trial)
        except NO_VALUE:
            continue
        if _has_no_value(claimed.xreplace(trial.numbers), trial):
            return trial.found("", "", "")
    return None


def _has_no_value(side: Node, trial: Trial) -> bool:
    """Whether it has none for certain: a ball around 0 may have no root or logarithm where the number has one."""
    try:
        _values(side, trial)
    except NO_VALUE:
        exact = Exact(terms_at_most=TERMS_AT_MOST)
        try:
            compute(side, exact, lambda letter: trial.matrix(letter).tolist(), trial.sizes)
        except LimitExceeded:
            return False
        except NO_VALUE:
            return True
    return False


def _values(side: Node, trial: Trial) -> Rows:
    with precision(BITS[0]):
        return compute(
            side, Balls(), lambda x: [[Balls().scalar(e) for e in r] for r in trial.matrix(x).tolist()], trial.sizes
        )


def _differing(left: Node, right: Node, trial: Trial, slopes: Node | None) -> tuple[int, int, tuple[str, str]] | None:
    def leaf(letter: Letter) -> Rows:
        return [[Balls().scalar(x) for x in row] for row in trial.matrix(letter).tolist()]

    for bits in BITS:
        memo: dict[Any, Rows] = {}
        with precision(bits):
            if slopes is not None:
                compute(slopes.xreplace(trial.numbers), WithSlopes(), leaf, trial.sizes, memo)
            sides = [compute(side, Balls(), leaf, trial.sizes, memo) for side in (left, right)]
            for i, rows in enumerate(zip(*sides, strict=True)):
                for j, (a, b) in enumerate(zip(*rows, strict=True)):
                    if apart_at_most(a, b) is None:
                        exact = _exact(left, right, trial, i, j)
                        return i, j, exact or _with_zero(shown_values(a, b), (left, right), trial, i, j)
    return None


def _with_zero(shown: tuple[str, str], sides: tuple[Node, Node], trial: Trial, i: int, j: int) -> tuple[str, str]:
    """0 for a value that is exactly 0; ≈ 0 stays where that is not decided."""

    def zero(side: Node) -> str:
        try:
            rows = compute(
                side, Exact(terms_at_most=TERMS_AT_MOST), lambda letter: trial.matrix(letter).tolist(), trial.sizes
            )
            return "0" if is_exactly_zero(rows[i][j]) else "≈ 0"
        except NO_VALUE:
            return "≈ 0"

    x, y = (zero(side) if text == "≈ 0" else text for text, side in zip(shown, sides, strict=True))
    return x, y


def shown_values(a: Any, b: Any) -> tuple[str, str]:
    """Both values, with as many digits as it takes to tell them apart; ≈ before what is rounded."""
    x, y = (_shown(v, text) for v, text in zip((a, b), shown_apart(a, b), strict=True))
    return x, y


def _shown(value: Any, text: str) -> str:
    if isinstance(value, Basic):
        return text
    if value.is_exact() and value.is_integer() and len(whole := str(value.unique_fmpz())) < DIGITS_OF_A_WHOLE_NUMBER:
        return whole
    return f"≈ {0 if value.contains(0) else text}"


def _exact(left: Node, right: Node, trial: Trial, i: int, j: int) -> tuple[str, str] | None:
    """Both values exactly, where they are rational numbers."""
    kinds = [type(node).__name__ for node in postorder(left, right)]
    if any(kind in _IRRATIONAL for kind in kinds) or kinds.count("Standardization") > ROOTS_AT_MOST:
        return None
    try:
        values = [
            compute(side, Exact(terms_at_most=EXACT_TERMS), lambda letter: trial.matrix(letter).tolist(), trial.sizes)[
                i
            ][j]
            for side in (left, right)
        ]
    except NO_VALUE:
        return None
    if not all(getattr(v, "is_Rational", False) for v in values) or values[0] == values[1]:
        return None
    return str(values[0]), str(values[1])


_IRRATIONAL = frozenset(
    ("Softmax", "Exponential", "GELU", "GELUTanh", "Tanh", "Sigmoid", "LogSumExp", "NormalDistribution")
)
