"""The judge: decides whether each equation of a derivation is true, and alone says so.

It imports no rule and no renderer. An equation between two expressions is decided in stages:

1. both unfold to the same expression, or to the same entry formula: *proved*;
2. with numeric sizes, every entry of the difference is exactly 0: *proved*, for these sizes;
3. balls at random rational points of unequal sizes: a ball that excludes 0 is a
   counterexample, *refuted*; otherwise *tested*, with the points and the residual;
4. what could not be decided is *undecidable*, with the reason.

Unknown is never shown as true.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import flint
from sympy import Add, Basic, Expr, ImmutableDenseMatrix, Integer, Mul, Pow, Rational, S, Sum, Symbol, exp

from symtransformer.derivation import Derivation, Step
from symtransformer.errors import LimitExceeded, NotSupported, Refuted, SymtransformerError
from symtransformer.evaluation import Balls, Evaluation, is_exactly_zero, precision
from symtransformer.node import Node, as_node, digest, postorder
from symtransformer.operation import Rows, compute, unfolded
from symtransformer.symbols import Letter

PROVED, TESTED, REFUTED, UNDECIDABLE = "proved", "tested", "refuted", "undecidable"
SIZES = (2, 3, 5, 7, 4, 6)
POINTS = 3
BITS = 192
CHECKED_DIGITS = 30


@dataclass(frozen=True)
class Verdict:
    """proved, tested, refuted or undecidable, and on what grounds."""

    kind: str
    reason: str
    points: int = 0
    residual: str = ""
    counterexample: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"


_SEAL = object()


class Verified:
    """A derivation with a verdict for every step. Only `verify` makes one."""

    def __init__(self, seal: object, derivation: Derivation, evaluation: Evaluation | None, verdicts: Mapping[str, Verdict]) -> None:
        if seal is not _SEAL:
            raise NotSupported("only verify(...) makes a verified derivation")
        self.derivation = derivation
        self.evaluation = evaluation
        self.verdicts = dict(verdicts)

    def count(self, kind: str) -> int:
        """How many steps got this verdict."""
        return sum(v.kind == kind for v in self.verdicts.values())

    def require_true(self) -> Verified:
        """Itself, unless a step is refuted: then `Refuted` names the first."""
        for name, verdict in self.verdicts.items():
            if verdict.kind == REFUTED:
                raise Refuted(f"step {name} is not true: {verdict.reason}")
        return self


def verify(derivation: Derivation, values: Mapping[Any, Any] | None = None) -> Verified:
    """Judge every step of a derivation, and with values also every number.

    >>> from symtransformer import derive, matrix, verify
    >>> from symtransformer.operations import Softmax
    >>> verified = verify(derive(Softmax(matrix("S", 2, 3)), stages=True))
    >>> {name: str(verdict) for name, verdict in verified.verdicts.items()}["Y"]
    'proved: both sides have the same entry formula, for the sizes named'
    """
    given = {**dict(derivation.values), **(values or {})}
    evaluation = Evaluation(derivation, given) if given else None
    behind: dict[Basic, Node] = {}
    verdicts: dict[str, Verdict] = {}
    for step in derivation.steps:
        whole = step.expression.xreplace(behind)
        verdict = _same_shape(step) or judge_equation(step.stands_for, whole)
        if evaluation is not None and verdict.kind != REFUTED:
            verdict = _judge_values(step, evaluation, verdict)
        verdicts[step.name] = verdict
        behind[step.letter] = step.stands_for
    return Verified(_SEAL, derivation, evaluation, verdicts)


def _same_shape(step: Step) -> Verdict | None:
    for side in (step.expression, step.stands_for):
        if side.shape != step.letter.shape:
            return Verdict(REFUTED, f"the sizes do not fit: {step.letter.shape} against {side.shape}")
    return None


# -- equations ------------------------------------------------------------------------------------
def judge_equation(left: Any, right: Any) -> Verdict:
    """Whether two expressions are equal.

    >>> from symtransformer import dimension, matrix
    >>> n, d = dimension("n"), dimension("d")
    >>> A, B = matrix("A", n, d), matrix("B", n, d)
    >>> print(judge_equation(A @ B.T, (B @ A.T).T))
    proved: both sides have the same entry formula, for all sizes
    >>> judge_equation(A @ B.T, B @ A.T).kind
    'refuted'
    """
    left, right = unfolded(as_node(left)), unfolded(as_node(right))
    scope = "for all sizes" if _size_letters(left) else "for the sizes named"
    if left is right:
        return Verdict(PROVED, f"both sides are the same expression, {scope}")
    if any((a - b).expand() != 0 for a, b in zip(left.shape, right.shape, strict=True)):
        return Verdict(REFUTED, f"the sizes do not fit: {left.shape} against {right.shape}")
    if _same_formula(left, right):
        return Verdict(PROVED, f"both sides have the same entry formula, {scope}")
    try:
        return _at_points(left, right)
    except SymtransformerError as error:
        return Verdict(UNDECIDABLE, str(error))


def _size_letters(*roots: Node) -> list[Symbol]:
    sizes = {s for node in postorder(*roots) for size in node.shape for s in size.free_symbols}
    return sorted(sizes, key=str)


def _same_formula(left: Node, right: Node) -> bool:
    """Whether a general entry is the same sum of the same terms, up to the bound letters."""
    i, j = Symbol("i", integer=True, nonnegative=True), Symbol("j", integer=True, nonnegative=True)
    if any(len(list(postorder(side))) > 60 for side in (left, right)):
        return False
    try:
        formulas = [normal_form(side.entry(i, j, full=True)) for side in (left, right)]
    except (LimitExceeded, NotImplementedError, NotSupported):
        return False
    return bool(formulas[0] == formulas[1])


def normal_form(formula: Any, depth: int = 0) -> Any:
    """Sums with constants outside and bound letters named by depth; products and powers in SymPy's order."""
    if isinstance(formula, Sum):
        body, (letter, low, high) = formula.function, formula.limits[0]
        bound = Symbol(f"_{depth}", integer=True, nonnegative=True)
        body = normal_form(body.xreplace({letter: bound}), depth + 1)
        outside = [f for f in Mul.make_args(body) if bound not in f.free_symbols]
        inside = [f for f in Mul.make_args(body) if bound in f.free_symbols]
        return Mul(*outside, Sum(Mul(*inside), (bound, normal_form(low, depth), normal_form(high, depth))))
    if isinstance(formula, (Add, Mul, Pow, exp)):
        return formula.func(*(normal_form(a, depth) for a in formula.args))
    return formula


# -- numbers at random points ----------------------------------------------------------------------
def _at_points(left: Node, right: Node) -> Verdict:
    worst = flint.arb(0)
    for point in _points(left, right):
        with precision(BITS):
            values = [compute(side, Balls(), point.rows, point.sizes) for side in (left, right)]
            for i, rows in enumerate(zip(*values, strict=True)):
                for j, (a, b) in enumerate(zip(*rows, strict=True)):
                    if a is b:
                        continue
                    if a is S.NegativeInfinity or b is S.NegativeInfinity or not (a - b).contains(0):
                        return Verdict(
                            REFUTED,
                            f"entry ({i + 1}, {j + 1}) is {_short(a)} on one side and {_short(b)} on the other "
                            f"for {point.described}",
                            counterexample=point.shown,
                        )
                    worst = max(worst, abs(a - b).upper())
    residual = f"1e{int((worst + flint.arb(10) ** -80).log().mid() / flint.arb(10).log().mid())}"
    return Verdict(TESTED, f"equal at {POINTS} random points within {residual}", points=POINTS, residual=residual)


def _short(value: Any) -> str:
    return "−∞" if value is S.NegativeInfinity else f"{float(value.mid()):.6g}"


@dataclass
class _Point:
    sizes: dict[Basic, Basic]
    matrices: dict[Letter, ImmutableDenseMatrix]
    small: bool
    source: random.Random

    def rows(self, letter: Letter) -> Rows:
        sized = letter.xreplace(self.sizes)
        if sized not in self.matrices:
            rows, cols = (int(s) for s in sized.shape)
            self.matrices[sized] = ImmutableDenseMatrix(rows, cols, lambda i, j: self._entry())
        return [[Balls().scalar(x) for x in row] for row in self.matrices[sized].tolist()]

    def _entry(self) -> Expr:
        if self.small:
            return Integer(self.source.randint(-2, 2))
        return Rational(self.source.randint(-2000, 2000), 997)

    @property
    def shown(self) -> tuple[tuple[str, Any], ...]:
        sizes = [(str(k), int(v)) for k, v in sorted(self.sizes.items(), key=lambda p: str(p[0])) if v.is_Integer and k.is_integer]
        return (*sizes, *((str(k), v.tolist()) for k, v in self.matrices.items()))

    @property
    def described(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self.shown)[:300]


def _points(left: Node, right: Node) -> Iterator[_Point]:
    source = random.Random(digest(left) + digest(right))
    sizes = _size_letters(left, right)
    free = {s for side in (left, right) for node in postorder(side) for s in node._mentions if isinstance(s, Symbol)}
    for k in range(POINTS):
        chosen: dict[Basic, Basic] = {s: Integer(SIZES[(a + k) % len(SIZES)]) for a, s in enumerate(sizes)}
        for parameter in sorted(free - set(sizes), key=str):
            chosen[parameter] = Rational(source.randint(1, 999), 997) if not parameter.is_integer else Integer(k)
        yield _Point(chosen, {}, k == 0, source)


# -- the numbers of a step ------------------------------------------------------------------------------
def _judge_values(step: Step, evaluation: Evaluation, verdict: Verdict) -> Verdict:
    """Each exact entry, reached step by step, against balls computed from the inputs alone."""
    try:
        value = evaluation[step.name]
    except LimitExceeded:
        return verdict
    cells = evaluation.cells(step.name)
    if (value.rows, value.cols) != cells.shape:
        return Verdict(REFUTED, f"the value has the size {value.shape}, but {step.letter} has {cells.shape}")
    if value.free_symbols:
        return verdict
    for i in range(value.rows):
        for j in range(value.cols):
            with precision(BITS):
                direct, shown = cells.ball_at(i, j)(BITS), Balls().scalar(value[i, j])
                if direct is shown:
                    continue
                if S.NegativeInfinity in (direct, shown) or not (direct - shown).contains(0):
                    return Verdict(
                        REFUTED,
                        f"entry ({i + 1}, {j + 1}) of {step.letter} is given as {_short(shown)}, but is {_short(direct)}",
                    )
    return Verdict(verdict.kind, f"{verdict.reason}; numbers agree to {CHECKED_DIGITS} digits", verdict.points, verdict.residual)


__all__ = ["Verdict", "Verified", "is_exactly_zero", "judge_equation", "verify"]
