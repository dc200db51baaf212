"""Reads the figures of tests/oracle, and compares numbers of any backend with them.

The figures were computed apart from this project. A table of tests/oracle_tables says, id by id,
how each comes out of the library; what it says is run by test_oracle_values.py,
test_oracle_formulas.py and test_oracle_coverage.py.
"""

import ast
import json
import operator
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from mpmath import mp, mpf
from sympy import Expr, Float, S, lambdify

from symtransformer import Derivation, derive, evaluate, verify
from symtransformer.evaluation import Evaluation
from symtransformer.generation import greedy, ranking
from symtransformer.judge import judge_equation
from symtransformer.operation import Operation, unfolded
from symtransformer.rendering.numbers import Style, show, show_exact

FOLDER = Path(__file__).with_name("oracle")
BACKENDS = ("exact", "digits", "numpy")
DOUBLE, NO_DOUBLE, PLACES, DIGITS = mpf("1e-13"), mpf("1e-15"), 15, 30
MINUS_INFINITY = "-oo"


@dataclass(frozen=True)
class Figure:
    """A place in a step, or in an input, of a derivation that bears its values: all of it, a row, or an entry."""

    derivation: Derivation
    step: str
    place: tuple[int, ...] = ()
    too_long_exactly: bool = False  # the exact form is refused for its length; balls give the digits

    @property
    def backends(self) -> tuple[str, ...]:
        return BACKENDS[1:] if self.too_long_exactly else BACKENDS

    def numbers(self, backend: str, digits: int = DIGITS) -> list[Any]:
        evaluation = _evaluation(self.derivation)
        if backend == "exact" or any(letter.name == self.step for letter in self.derivation.inputs):
            value = evaluation[self.step]
        elif backend == "digits":
            cells = evaluation.cells(self.step)
            rows = range(cells.shape[0]) if not self.place else self.place[:1]
            columns = range(cells.shape[1]) if len(self.place) < 2 else self.place[1:]
            return [cells.significant(i, j, digits) for i in rows for j in columns]
        else:
            value = evaluation.numpy(self.step)
        rows = value.tolist()
        for index in self.place:
            rows = rows[index]
        return flat(rows)

    def shown(self, style: Style, percent: bool) -> list[Any]:
        """As a page shows them: rounded once, from the exact value where it is short, else from balls."""
        evaluation = _evaluation(self.derivation)
        if any(letter.name == self.step for letter in self.derivation.inputs):
            return [
                show(x, None, style, percent) if x.is_infinite else _from_exact(x, style) for x in self.numbers("exact")
            ]
        exact = None if self.too_long_exactly else evaluation.true_value(self.step)
        cells = evaluation.cells(self.step)
        rows = [
            [show(None if exact is None else exact[i, j], cells.ball_at(i, j), style, percent) for j in range(cells.shape[1])]
            for i in range(cells.shape[0])
        ]  # fmt: skip
        for index in self.place:
            rows = rows[index]
        return flat(rows)


def of(expression: Operation, values: Mapping[Any, Any] | None = None, *place: int) -> Figure:
    """The value of one expression, or of one place in it; of the values given, those of its letters."""
    own = {s.name for s in unfolded(expression)._free}
    given = {key: value for key, value in (values or {}).items() if str(getattr(key, "name", key)) in own}
    inside = {s for value in given.values() for s in getattr(value, "free_symbols", ())}
    given |= {key: value for key, value in (values or {}).items() if key in inside}
    return Figure(derive({"Result": expression}, values=given), "Result", place)


def long(figure: Figure) -> Figure:
    """A figure whose exact form is refused for its length: the exact backend gives balls and no formula."""
    return replace(figure, too_long_exactly=True)


def _from_exact(number: Expr, style: Style) -> Any:
    return show_exact(number, style)


@cache
def page(name: str) -> Derivation:
    """A worked derivation of the repository, by the name of its file."""
    spec = spec_from_file_location(name, FOLDER.parents[1] / "derivations" / f"{name}.py")
    assert spec is not None
    module = module_from_spec(spec)
    assert spec.loader is not None
    spec.loader.exec_module(module)
    return module.derivation  # type: ignore[no-any-return]


_EVALUATIONS: dict[int, tuple[Derivation, Any]] = {}


def _evaluation(derivation: Derivation) -> Any:
    if id(derivation) not in _EVALUATIONS:
        _EVALUATIONS[id(derivation)] = (derivation, evaluate(derivation))
    return _EVALUATIONS[id(derivation)][1]


@dataclass(frozen=True)
class Document:
    """One file of the oracle."""

    name: str

    @cached_property
    def everything(self) -> Any:
        return json.loads(FOLDER.joinpath(f"{self.name}.json").read_text("utf-8"), parse_float=Fraction)

    @property
    def inputs(self) -> Any:
        return self.everything["inputs"]

    @property
    def claims(self) -> dict[str, Any]:
        return {claim["id"]: claim for claim in self.everything["claims"]}

    @property
    def derived(self) -> dict[str, Any]:
        return {item["id"]: item for item in self.everything["derived"]}

    def item(self, name: str) -> Any:
        return {**self.claims, **self.derived}[name]


@dataclass(frozen=True)
class Table:
    """How every id of one document comes out of the library.

    `values`: numbers, claimed or derived. `counts`: sizes and numbers of things. `checks`: a formula
    or statement that is shown to hold, and for one that is not right as it stands, the right one.
    `found`: other results, compared with the expected one as they are. `left`: nothing to compute, by reason. What is not left asks the library when it is run; a fact that the
    source states, with nothing to compute, stands here, and is counted as stated and not as covered.
    """

    document: Document
    values: Mapping[str, Figure | list[Figure]]
    counts: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    checks: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    found: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    left: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def listed(self) -> list[str]:
        tables = (self.values, self.counts, self.checks, self.found)
        return [*(name for table in tables for name in table), *(n for names in self.left.values() for n in names)]


# -- which checks ask the library ---------------------------------------------------------------------------
LIBRARY = frozenset(
    function.__code__
    for function in (
        evaluate, derive, verify, judge_equation, greedy, ranking, Operation.__new__, Evaluation.__getitem__,
        Evaluation.cells, Evaluation.numpy,
    )
)  # fmt: skip


def watched(call: Callable[[], Any]) -> tuple[Any, bool]:
    """What a check gives, and whether the library derived, evaluated, judged or built anything for it meanwhile."""
    asked = []

    def notice(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in LIBRARY:
            asked.append(frame.f_code)
            sys.setprofile(None)  # one is enough

    before = sys.getprofile()
    sys.setprofile(notice)
    try:
        return call(), bool(asked)
    finally:
        sys.setprofile(before)


# -- numbers ------------------------------------------------------------------------------------------
def flat(value: Any) -> list[Any]:
    """All numbers of a value, row by row."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return [x for part in value for x in flat(part)] if isinstance(value, (list, tuple)) else [value]


def as_mpf(number: Any) -> Any:
    """A number of any backend with 60 digits, by mpmath where it is a formula."""
    with mp.workdps(60):
        if isinstance(number, Fraction):
            return mpf(number.numerator) / number.denominator
        if number == MINUS_INFINITY or number is S.NegativeInfinity:
            return mpf("-inf")
        if isinstance(number, Float):  # proven digits, as many as are shown
            return mpf(str(number))
        return lambdify([], number, "mpmath", cse=True)() + mpf(0) if isinstance(number, Expr) else mpf(number)


def assert_close(numbers: list[Any], expected: list[Any], limit: Any = None) -> None:
    """All 15 digits, so that another last digit is refused; doubles lose some of them on the way."""
    assert len(numbers) == len(expected)
    for number, wanted in zip(numbers, expected, strict=True):
        a, b = as_mpf(number), as_mpf(wanted)
        assert a == b or abs(a - b) <= room_around(b, isinstance(number, float), limit), (number, wanted)


def room_around(wanted: Any, is_double: bool, limit: Any = None) -> Any:
    """Half a unit of the last of 15 digits, or what is said; for doubles a part of the number, as they are no decimals."""
    if wanted == 0 and is_double:
        return NO_DOUBLE  # a sum of doubles is seldom 0
    if limit is None and not is_double and wanted != 0:
        with mp.workdps(60):
            return mpf(10) ** (int(mp.floor(mp.log10(abs(wanted)))) - PLACES + 1) / 2
    return (limit or DOUBLE) * abs(wanted)


def rounds_to(numbers: list[Any], expected: list[Any], places: int) -> bool:
    """Whether the numbers are shown as expected, halves away from zero."""
    style = Style(places=places, zeros="trim")
    return [_from_exact(x, style).text for x in numbers] == [decimal_text(x) for x in flat(expected)]


def decimal_text(number: Any) -> str:
    """A printed number without trailing zeros, as the oracle gives it."""
    if number == MINUS_INFINITY:
        return "-∞"
    exact = Fraction(number)
    text = f"{Decimal(exact.numerator) / Decimal(exact.denominator):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def by_mpmath(text: str) -> Any:
    """The value of a closed form of the oracle: numbers, + - * / **, exp, log, sqrt and mpf."""
    binary = {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: operator.mul,
        ast.Div: operator.truediv,
        ast.Pow: operator.pow,
    }
    functions = {"exp": mp.exp, "sqrt": mp.sqrt, "log": mp.log, "mpf": mpf}

    def value(node: Any) -> Any:
        if isinstance(node, ast.Constant):
            return mpf(str(node.value))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if isinstance(node, ast.BinOp):
            return binary[type(node.op)](value(node.left), value(node.right))
        return functions[node.func.id](value(node.args[0]))

    return value(ast.parse(text, mode="eval").body)
