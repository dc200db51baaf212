"""The judge: decides whether each equation of a derivation is true, and alone says so.

It imports no rule and no renderer. An equation between two expressions is decided in stages:

1. both unfold to the same expression, or to the same entry formula: *proved*;
2. balls at random rational points of unequal sizes: a ball that excludes 0 is a
   counterexample, *refuted*; balls around 0 smaller than 1e-30 at every point: *tested*;
3. what could not be decided is *undecidable*, with the reason.

Unknown is never shown as true.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from types import MappingProxyType
from typing import Any, NoReturn

import flint
from sympy import Basic, Expr, S

from symtransformer.derivation import Derivation, Step, written_out
from symtransformer.domains import conditions, functions_in_pieces
from symtransformer.enclosures import Balls, precision
from symtransformer.errors import LimitExceeded, NotSupported, Refuted, SymtransformerError, UnreadableInput
from symtransformer.evaluation import Evaluation
from symtransformer.exact import Rows
from symtransformer.formulas import have_same_formula
from symtransformer.node import Node, as_node, postorder, substitute
from symtransformer.notation import Words
from symtransformer.operation import compute, unfolded
from symtransformer.random_points import POINTS, TRIES, Point, points, size_letters
from symtransformer.symbols import Letter, exact_number
from symtransformer.zero import is_exactly_zero

PROVED, TESTED, REFUTED, UNDECIDABLE = "proved", "tested", "refuted", "undecidable"
BITS = (192, 768, 3072)
CHECKED_DIGITS = 30


@dataclass(frozen=True)
class Verdict:
    """proved, tested, refuted or undecidable, and on what grounds."""

    kind: str
    reason: str
    points: int = 0
    residual: str = ""
    counterexample: tuple[tuple[str, Any], ...] = ()
    reason_ja: str = ""

    @property
    def words(self) -> Words:
        """The reason in both languages."""
        return Words(self.reason, self.reason_ja or self.reason)

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"


_SEAL = object()


class Verified:
    """A derivation with a verdict for every step. Only `verify` makes one, and nothing changes it."""

    __slots__ = ("_evaluations", "derivation", "verdicts")
    derivation: Derivation
    verdicts: Mapping[str, Verdict]
    _evaluations: Mapping[Any, Evaluation]

    def __init__(
        self,
        seal: object,
        derivation: Derivation,
        evaluations: Mapping[Any, Evaluation],
        verdicts: Mapping[str, Verdict],
    ) -> None:
        if seal is not _SEAL:
            raise NotSupported("only verify(...) makes a verified derivation")
        object.__setattr__(self, "derivation", derivation)
        object.__setattr__(self, "verdicts", MappingProxyType(dict(verdicts)))
        object.__setattr__(self, "_evaluations", MappingProxyType(dict(evaluations)))

    def _refuse(self, *_: Any) -> NoReturn:
        raise NotSupported(
            "a verified derivation is neither changed nor copied; call verify(...) on the new derivation"
        )

    __setattr__ = __delattr__ = __reduce_ex__ = _refuse

    def __init_subclass__(cls) -> NoReturn:
        raise NotSupported("only verify(...) makes a verified derivation: Verified has no subclasses")

    @property
    def evaluation(self) -> Evaluation | None:
        """The values of the derivation itself, judged; None where it has none."""
        return self._evaluations.get(_case({}))

    def evaluation_of(self, values: Mapping[Any, Any]) -> Evaluation | None:
        """The judged values of a section that has values of its own."""
        case = _case(values)
        if case not in self._evaluations and values:
            raise NotSupported("these values were not judged; verify the derivation whose sections have them")
        return self._evaluations.get(case)

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
    """Judge every step of a derivation, and with values also every number, in every section.

    >>> from symtransformer import derive, matrix, verify
    >>> from symtransformer.operations import Softmax
    >>> verified = verify(derive(Softmax(matrix("S", 2, 3)), stages=True))
    >>> str(verified.verdicts["Y"])
    'proved: both sides have the same entry formula, for the sizes named'
    """
    if not isinstance(derivation, Derivation):
        raise UnreadableInput("verify: expected a derivation; derive(expression) makes one")
    evaluations = dict(_cases(derivation, values or {}))
    behind: dict[Basic, Node] = {}
    verdicts: dict[str, Verdict] = {}
    for step in derivation.steps:
        verdict = _same_shape(step) or _judge_step(step, behind)
        if evaluations and verdict.kind != REFUTED:
            verdict = _with_numbers(verdict, [_judge_values(step, e) for e in evaluations.values()])
        verdicts[step.name] = verdict
        behind[step.letter] = step.stands_for
    return Verified(_SEAL, derivation, evaluations, verdicts)


def _judge_step(step: Step, behind: Mapping[Basic, Node]) -> Verdict:
    """The step's equation, and where it shows a finer definition, the coarse one as well."""
    sides = dict.fromkeys((step.expression, step.definition))
    verdicts = [judge_equation(step.stands_for, written_out(side, behind)) for side in sides]
    return max(verdicts, key=lambda v: (PROVED, TESTED, UNDECIDABLE, REFUTED).index(v.kind))


def _cases(derivation: Derivation, values: Mapping[Any, Any]) -> Iterator[tuple[Any, Evaluation]]:
    """The values of the derivation, of each section with values of its own, and of each row of a table."""
    base = {**dict(derivation.values), **values}
    own: list[dict[Any, Any]] = [{}]
    for section in derivation.sections:
        own.append(dict(section.values))
        if section.sweep is not None:
            own += [{**section.values, section.sweep.parameter: value} for value in section.sweep.at]
    for given in own:
        if base or given:
            yield _case(given), Evaluation(derivation, {**base, **given})


def _case(values: Mapping[Any, Any]) -> Any:
    return tuple(sorted((str(key), _exactly(value)) for key, value in values.items()))


def _exactly(value: Any) -> str:
    """The value as exact numbers: 0.3 and 0.1 + 0.2 print alike, and are two values."""
    if isinstance(value, Expr) and not getattr(value, "is_Matrix", False):
        return str(exact_number(value))
    if hasattr(value, "shape") or isinstance(value, (list, tuple)):
        rows = value.tolist() if hasattr(value, "tolist") else list(getattr(value, "matrix", value))
        return "[" + ", ".join(map(_exactly, rows)) + "]"
    return str(exact_number(value))


def _same_shape(step: Step) -> Verdict | None:
    for side in (step.expression, step.definition, step.stands_for):
        if side.shape != step.letter.shape:
            return _refuted(*_sizes_do_not_fit(step.letter.shape, side.shape))
    return None


def _refuted(reason: str, ja: str, counterexample: tuple[tuple[str, Any], ...] = ()) -> Verdict:
    return Verdict(REFUTED, reason, counterexample=counterexample, reason_ja=ja)


def _sizes_do_not_fit(left: Any, right: Any) -> tuple[str, str]:
    return f"the sizes do not fit: {left} against {right}", f"大きさが合わない（{left} と {right}）"


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
    scope = "for all sizes" if size_letters(left) else "for the sizes named"
    if left is right:
        return Verdict(PROVED, f"both sides are the same expression, {scope}")
    if any((a - b).expand() != 0 for a, b in zip(left.shape, right.shape, strict=True)):
        return _refuted(*_sizes_do_not_fit(left.shape, right.shape))
    if have_same_formula(*_common_parts_as_letters(left, right)) or have_same_formula(left, right):
        where = "" if conditions(left) == conditions(right) else ", wherever both are defined"
        return Verdict(PROVED, f"both sides have the same entry formula, {scope}{where}")
    try:
        verdict = _at_points(left, right)
        if verdict.kind == TESTED and (pieces := functions_in_pieces(left, right)):
            reason = f"{verdict.reason}, but points decide nothing about {pieces}"
            return Verdict(UNDECIDABLE, reason, reason_ja=f"{verdict.reason_ja}。ただし {pieces} は点では判定できない")
        return verdict
    except SymtransformerError as error:
        return Verdict(UNDECIDABLE, str(error), reason_ja=f"計算できませんでした（{error}）")


def _common_parts_as_letters(left: Node, right: Node) -> tuple[Node, Node]:
    """Both sides with what they share replaced by letters: an identity in any matrix holds for this one.

    So the steps of a softmax are proved in a deep layer as they are in a shallow one.
    """
    bound = {node.args[k] for node in postorder(left, right) for k in node.bound}
    inside = set(postorder(right))
    common = [n for n in postorder(left) if n in inside and n._children and not n._mentions & bound]
    taken = {str(s) for side in (left, right) for s in side._mentions}
    names = (f"G{k}" for k in count() if f"G{k}" not in taken)
    rule = {node: Letter(next(names), *node.shape) for node in common}
    return substitute(left, rule), substitute(right, rule)


# -- numbers at random points ----------------------------------------------------------------------
def _at_points(left: Node, right: Node) -> Verdict:
    worst, decided, skipped, obstacle = flint.arb(0), 0, 0, ""
    tried_sizes: dict[str, list[Basic]] = {}
    for point in points(left, right):
        try:
            found = _at_point(left, right, point)
        except (SymtransformerError, ArithmeticError, IndexError, ValueError) as error:
            skipped += 1
            obstacle = str(error)  # outside of the domain, such as a division by 0: another point
            continue
        if isinstance(found, Verdict):
            return found
        worst = max(worst, found)
        decided += 1
        for size, number in point.counts.items():
            tried_sizes.setdefault(str(size), []).append(number)
        if decided == POINTS:
            residual = f"1e{_exponent(worst)}"
            tried = {s: sorted({int(n) for n in sizes}) for s, sizes in tried_sizes.items()}
            shown = "; ".join(f"{s} = {', '.join(map(str, numbers))}" for s, numbers in tried.items())
            sizes_en, sizes_ja = (f", for {shown}", f"（{shown}）") if shown else ("", "")
            left_out = f"; {skipped} points were left out, where a side has no value" if skipped else ""
            left_out_ja = f"。値を持たない辺のある {skipped} 点は除いた" if skipped else ""
            reason = f"equal at {decided} random points within {residual}{sizes_en}{left_out}"
            ja = f"{decided} 個のランダムな点で、誤差 {residual} 以内で一致{sizes_ja}{left_out_ja}"
            return Verdict(TESTED, reason, decided, residual, reason_ja=ja)
    reason = f"only {decided} of {TRIES} random points could be decided; at another: {obstacle}"
    ja = f"{TRIES} 個のランダムな点のうち判定できたのは {decided} 個だけ（ほかの点では {obstacle}）"
    return Verdict(UNDECIDABLE, reason, reason_ja=ja)


def _at_point(left: Node, right: Node, point: Point) -> Any:
    """A refutation, or how far apart the sides are at most: less than 1e-30."""
    sides = [side.xreplace(point.parameters) for side in (left, right)]
    for bits in BITS:
        worst = flint.arb(0)
        with precision(bits):
            for i, j, a, b in _pairs(*(compute(side, Balls(), point.rows, point.sizes) for side in sides)):
                apart = _apart(a, b)
                if apart is None:
                    place, sides_shown = f"({i + 1}, {j + 1})", (_short(a), _short(b))
                    return _refuted(
                        "entry {} is {} on one side and {} on the other for {}".format(
                            place, *sides_shown, point.described
                        ),
                        "{} 成分が、一方の辺では {}、他方では {} になる（{} のとき）".format(
                            place, *sides_shown, point.described
                        ),
                        point.shown,
                    )
                worst = max(worst, apart)
            if worst < flint.arb(10) ** -CHECKED_DIGITS:
                return worst
    raise LimitExceeded(f"{CHECKED_DIGITS} digits are not decided with {BITS[-1]} bits")


def _pairs(left: Rows, right: Rows) -> Iterator[tuple[int, int, Any, Any]]:
    for i, rows in enumerate(zip(left, right, strict=True)):
        for j, (a, b) in enumerate(zip(*rows, strict=True)):
            yield i, j, a, b


def _apart(a: Any, b: Any) -> Any:
    """An upper bound of |a - b|; None where they certainly differ."""
    if isinstance(a, Basic) or isinstance(b, Basic):  # infinite
        return flint.arb(0) if a is b else None
    return abs(a - b).upper() if (a - b).contains(0) else None


def _exponent(size: Any) -> int:
    return math.floor(float(((size + flint.arb(10) ** -99).log() / flint.arb(10).log()).mid()))


def _short(value: Any) -> str:
    if isinstance(value, Basic):
        return "−∞" if value is S.NegativeInfinity else "∞"
    return f"{float(value.mid()):.6g}"


# -- the numbers of a step ------------------------------------------------------------------------------
def _judge_values(step: Step, evaluation: Evaluation) -> Verdict:
    """Each exact entry, reached step by step, against balls computed from the inputs alone."""
    if step.letter.head is not None and step.letter.head.is_Symbol:  # of any head, which may count rows or columns
        return Verdict(UNDECIDABLE, "a letter has no value")
    try:
        value = evaluation[step.name]
    except LimitExceeded:  # too long to be written out exactly
        return _judge_balls(step, evaluation)
    cells = evaluation.cells(step.name)
    if (value.rows, value.cols) != cells.shape:
        return _refuted(
            f"the value has the size {value.shape}, but {step.letter} has {cells.shape}",
            f"値の大きさは {value.shape} だが、{step.letter} の大きさは {cells.shape}",
        )
    if value.free_symbols:
        return Verdict(UNDECIDABLE, "a letter has no value")
    verdicts = [
        _judge_number(f"entry ({i + 1}, {j + 1}) of {step.letter}", value[i, j], cells.ball_at(i, j))
        for i in range(value.rows)
        for j in range(value.cols)
    ]
    return max(verdicts, key=lambda v: (TESTED, UNDECIDABLE, REFUTED).index(v.kind))


def _judge_balls(step: Step, evaluation: Evaluation) -> Verdict:
    """Each entry as a ball, reached step by step, against the ball computed from the inputs alone."""
    for bits in BITS:
        by_steps = evaluation.balls_by_steps(step.name, bits)
        with precision(bits):
            worst = flint.arb(0)
            for i, row in enumerate(by_steps):
                for j, given in enumerate(row):
                    direct = evaluation.cells(step.name).ball_at(i, j)(bits)
                    apart = _apart(direct, given)
                    if apart is None:
                        what = f"entry ({i + 1}, {j + 1}) of {step.letter}"
                        return _refuted(
                            f"{what} is given as {_short(given)}, but is {_short(direct)}",
                            f"{what}: {_short(given)} とあるが、正しくは {_short(direct)}",
                        )
                    worst = max(worst, apart)
            if worst < flint.arb(10) ** -CHECKED_DIGITS:
                return Verdict(TESTED, f"numbers agree to {CHECKED_DIGITS} decimals")
    return Verdict(UNDECIDABLE, f"the numbers are not decided with {BITS[-1]} bits")


def _judge_number(what: str, number: Expr, ball_at: Callable[[int], Any]) -> Verdict:
    """Whether the number lies within 1e-30 of its own size from the one computed directly."""
    for bits in BITS:
        with precision(bits):
            direct, given = ball_at(bits), Balls().scalar(number)
            apart = _apart(direct, given)
            if apart is None:
                return _refuted(
                    f"{what} is given as {_short(given)}, but is {_short(direct)}",
                    f"{what}: {_short(given)} とあるが、正しくは {_short(direct)}",
                )
            if isinstance(given, Basic):
                return Verdict(TESTED, f"numbers agree to {CHECKED_DIGITS} digits")
            size = abs(given).lower()
            if not size > 0:
                size = flint.arb(1 if is_exactly_zero(number) else 0)
            if apart <= size * flint.arb(10) ** -CHECKED_DIGITS:
                return Verdict(TESTED, f"numbers agree to {CHECKED_DIGITS} digits")
    return Verdict(UNDECIDABLE, f"{what} is not decided with {BITS[-1]} bits")


def _with_numbers(verdict: Verdict, numbers: list[Verdict]) -> Verdict:
    """The verdict on the equation together with those on its numbers, one for each set of values."""
    for found in numbers:
        if found.kind == REFUTED:
            return found
    checked = [found for found in numbers if found.kind == TESTED]
    if not checked:
        return verdict
    everywhere = len(checked) == len(numbers)
    places = f"小数第 {CHECKED_DIGITS} 位まで" if "decimals" in checked[0].reason else f"{CHECKED_DIGITS} 桁まで"
    left, left_ja = ("", "") if everywhere else (" where every letter has a value", "すべての文字に値がある範囲で、")
    return replace(
        verdict,
        reason=f"{verdict.reason}; {checked[0].reason}{left}",
        reason_ja=f"{verdict.reason_ja}。{left_ja}数値は {places}一致" if verdict.reason_ja else "",
    )


__all__ = ["Verdict", "Verified", "is_exactly_zero", "judge_equation", "verify"]
