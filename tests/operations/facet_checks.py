"""The checks that every operation must pass. Each raises `Refused`, and planted errors prove that it can."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from facet_cases import Case
from facet_references import REFERENCES, as_mp
from mpmath import mp
from sympy import Add, Dummy, Expr, Integer, Rational, S, Sum

from symtransformer.enclosures import Balls, precision
from symtransformer.exact import Exact
from symtransformer.node import Node
from symtransformer.numpy_code import numpy_function
from symtransformer.operation import Composite, Primitive, compute, unfolded
from symtransformer.symbols import Entry, Letter, fresh_indices, head_index

DIGITS = 50


class Refused(AssertionError):
    """The operation is wrong; the message says which facet, and where."""


def require(condition: bool, what: str) -> None:
    if not condition:
        raise Refused(what)


def _close(got: Any, wanted: Any, tolerance: float, what: str) -> None:
    """Two nested lists of mpmath numbers."""
    require(len(got) == len(wanted) and len(got[0]) == len(wanted[0]), f"{what}: shape of the values")
    for i, (row, other) in enumerate(zip(got, wanted, strict=True)):
        for j, (x, y) in enumerate(zip(row, other, strict=True)):
            near = x == y if mp.isinf(y) else abs(x - y) <= tolerance * (1 + abs(y))
            if not near:  # numbers and formulas are printed only where they are wrong: that takes longer than the check
                raise Refused(f"{what}: entry ({i}, {j}) is {x}, not {y}")


def digits_of(value: Expr) -> Any:
    """A SymPy number without letters as an mpmath number of 50 digits, or −∞."""
    if value is S.NegativeInfinity:
        return mp.ninf
    number = S(value).evalf(DIGITS + 15) if not isinstance(value, Expr) else value.evalf(DIGITS + 15)
    if not (number.is_Float or number.is_Rational):
        raise Refused(f"{str(value)[:60]} is no number")
    return mp.mpf(number._mpf_) if number.is_Float else mp.mpf(int(number.p)) / int(number.q)


def reference(case: Case) -> Any:
    with mp.workdps(DIGITS + 15):
        return REFERENCES[case.name](*as_mp(case.arguments))


def as_arrays(case: Case) -> list[Any]:
    return [np.array(a, dtype=float) if isinstance(a, list) else float(a) if isinstance(a, Expr) else a
            for a in case.arguments]  # fmt: skip


def numpy_value(case: Case, arguments: list[Any] | None = None) -> Any:
    """The facet itself; of a composite, the compiled function of its letters."""
    arguments = as_arrays(case) if arguments is None else arguments
    if issubclass(case.operation, Primitive):
        return case.operation.numpy(*arguments)
    function, letters = numpy_function(case.node)
    by_family = {a.family: x for a, x in zip(case.order, arguments, strict=True) if isinstance(a, Letter)}
    return function(*(by_family[letter.family] for letter in letters))


# -- shape ------------------------------------------------------------------------------------
def check_shape(case: Case) -> None:
    shape = tuple(int(s) for s in case.node.shape)
    wanted = reference(case)
    require(shape == (len(wanted), len(wanted[0])), f"{case.name}: shape {shape}")
    require(numpy_value(case).shape == shape, f"{case.name}: shape {shape} against that of the array")


def check_letter_sizes(case: Case) -> None:
    """The shape from letters for sizes is the shape from numbers."""
    numbers = sorted({int(s) for a in case.letters for s in a.shape} - {1})
    letters: dict[int, Any] = {k: Dummy(f"size{k}", integer=True, positive=True) for k in numbers}
    of_all_heads = {k: k // case.heads for k in numbers if case.heads and k // case.heads * case.heads == k}
    letters |= {k: case.heads * letters[width] for k, width in of_all_heads.items() if width in letters}
    renamed = {a: Letter("B" + a.name, *(letters.get(int(s), s) for s in a.shape), *a.args[3:]) for a in case.letters}
    arguments = [renamed.get(a, a) if isinstance(a, Letter) else a for a in case.node.args]
    shape = case.operation(*arguments).shape
    back = tuple(s.xreplace({v: Integer(k) for k, v in letters.items() if v.is_Symbol}) for s in shape)
    require(back == case.node.shape, f"{case.name}: shape {back} from letters, {case.node.shape} from numbers")


# -- element, value, numpy against the reference ------------------------------------------------
def without_sums(formula: Any) -> Any:
    """Sums term by term; SymPy's own way looks for closed forms first, for seconds."""
    if not formula.has(Sum):
        return formula
    if not isinstance(formula, Sum):
        return formula.func(*map(without_sums, formula.args))
    body, *(*outer, (index, first, last)) = formula.args
    body = Sum(body, *outer) if outer else body
    return Add(*(without_sums(body.subs(index, k)) for k in range(int(first), int(last) + 1)))


def element(case: Case, i: int, j: int, through_letters: bool = False) -> Expr:
    """Entry (i, j) in entries of the letters, without sums; by way of index letters if so wanted."""
    row, column = (head_index("a"), head_index("b")) if through_letters else (Integer(i), Integer(j))
    if issubclass(case.operation, Composite):
        return without_sums(case.node.entry(Integer(i), Integer(j), full=True)).doit()  # type: ignore[no-any-return]
    fresh = fresh_indices(case.node._mentions | {row, column})
    formula = case.node.element(row, column, lambda: next(fresh))
    return without_sums(formula.subs({row: i, column: j}) if through_letters else formula).doit()  # type: ignore[no-any-return]


def _at_values(case: Case, formula: Expr) -> Expr:
    rule = {e: case.rows(e.parent)[int(e.i)][int(e.j)] for e in formula.atoms(Entry)}
    return formula.xreplace(rule)


def check_element(case: Case) -> None:
    wanted = reference(case)
    for through_letters in (False,) if issubclass(case.operation, Composite) else (False, True):
        with mp.workdps(DIGITS + 15):
            got = [
                [digits_of(_at_values(case, element(case, i, j, through_letters))) for j in range(len(wanted[0]))]
                for i in range(len(wanted))
            ]
            _close(got, wanted, 1e-45, f"{case.name}: element")


def exact_rows(case: Case) -> Any:
    return compute(case.node, Exact(), case.rows)


def check_exact_value(case: Case) -> None:
    with mp.workdps(DIGITS + 15):
        got = [[digits_of(x) for x in row] for row in exact_rows(case)]
        _close(got, reference(case), 1e-45, f"{case.name}: exact value")


def check_ball_value(case: Case) -> None:
    with precision(300), mp.workdps(DIGITS + 15):
        rows = compute(case.node, Balls(), lambda a: [[Balls().scalar(x) for x in row] for row in case.rows(a)])
        for row in rows:
            finite = [x for x in row if x is not S.NegativeInfinity]
            require(all(float(x.rad()) <= 1e-60 * (1 + abs(float(x.mid()))) for x in finite), f"{case.name}: wide ball")
        got = [[mp.ninf if x is S.NegativeInfinity else mp.mpf(x.str(70, radius=False)) for x in row] for row in rows]
        _close(got, reference(case), 1e-45, f"{case.name}: value over balls")


def check_numpy(case: Case) -> None:
    got = numpy_value(case)
    wanted = np.array([[float(x) for x in row] for row in reference(case)])
    require(got.shape == wanted.shape, f"{case.name}: numpy gives shape {got.shape}, not {wanted.shape}")
    require(got.dtype == np.float64, f"{case.name}: numpy gives {got.dtype}")
    require(np.allclose(got, wanted, rtol=1e-13, atol=1e-14), f"{case.name}: numpy")


def check_numpy_code(case: Case) -> None:
    """The compiled function, through which defaults, words and families of heads pass as code."""
    function, letters = numpy_function(case.node)
    given = [next(a for a in case.letters if a.family is letter.family) for letter in letters]
    compiled = function(*(np.array(case.values[letter], dtype=float) for letter in given))
    wanted = np.array([[float(x) for x in row] for row in reference(case)])
    require(np.allclose(compiled, wanted, rtol=1e-13, atol=1e-14), f"{case.name}: NumPy code")


# -- the rule of differentiation ------------------------------------------------------------------
def _cotangent(case: Case) -> tuple[Letter, Any]:
    letter = Letter("G", *case.node.shape)
    rows, cols = (int(s) for s in case.node.shape)
    if case.draw:  # a second direction
        return letter, [[Rational(3 * j - 5 * i - 2, 4 + 2 * i + j) for j in range(cols)] for i in range(rows)]
    return letter, [[Rational(2 * i - 3 * j + 7, 5 + i + 2 * j) for j in range(cols)] for i in range(rows)]


def _vjp_values(case: Case, letter: Letter, cotangent: Any) -> dict[tuple[int, tuple[int, ...]], Any]:
    """Exact entries of what the rule gives, by argument number and place."""
    rules = case.node.vjp(letter)
    require(len(rules) == len(case.letters), f"{case.name}: vjp gives {len(rules)} of {len(case.letters)}")
    found = {}
    for number, (rule, argument) in enumerate(zip(rules, case.letters, strict=True)):
        require(isinstance(rule, Node), f"{case.name}: vjp gives no expression")
        require(rule.shape == argument.shape, f"{case.name}: vjp of argument {number} has shape {rule.shape}")
        members = [((h,), rule.xreplace({argument.head: Integer(h)})) for h in range(case.heads)] or [((), rule)]
        for head, member in members:
            rows = compute(member, Exact(), lambda a: cotangent if a is letter else case.rows(a))
            found |= {(number, (*head, i, j)): x for i, row in enumerate(rows) for j, x in enumerate(row)}
    return found


def check_vjp_by_element(case: Case) -> None:
    """Σ_ij G_ij ∂element_ij/∂x, differentiated by SymPy entry by entry."""
    letter, cotangent = _cotangent(case)
    got = _vjp_values(case, letter, cotangent)
    rows, cols = (int(s) for s in case.node.shape)
    scalar = S.Zero
    for i in range(rows):
        for j in range(cols):
            scalar += cotangent[i][j] * element(case, i, j)
    names = {e: Dummy(real=True) for e in sorted(scalar.atoms(Entry), key=str)}
    values = {names[e]: case.rows(e.parent)[int(e.i)][int(e.j)] for e in names}
    plain = scalar.xreplace(names)
    for number, argument, place in case.variables():
        member = argument.of_head(place[0]) if case.heads else argument
        variable = names.get(member[place[-2:]])
        wanted = S.Zero if variable is None else plain.diff(variable).xreplace(values)
        with mp.workdps(DIGITS + 15):
            gap = abs(digits_of(got[number, place]) - digits_of(wanted))
        if not gap < 1e-45:
            raise Refused(f"{case.name}: vjp of argument {number} at {place} is off by {mp.nstr(gap, 3)}")


def check_vjp_by_differences(case: Case) -> None:
    """Central differences of the reference formula, in 80 digits."""
    letter, cotangent = _cotangent(case)
    got = _vjp_values(case, letter, cotangent)
    with mp.workdps(80):
        weights, step = as_mp(cotangent), mp.mpf(10) ** -18
        arguments = as_mp(case.arguments)
        positions = [k for k, a in enumerate(case.order) if isinstance(a, Letter)]

        def loss() -> Any:
            rows = REFERENCES[case.name](*arguments)
            return mp.fsum(w * x for ws, xs in zip(weights, rows, strict=True) for w, x in zip(ws, xs, strict=True))

        for number, _, place in case.variables():
            row = arguments[positions[number]]
            for k in place[:-1]:
                row = row[k]
            middle = row[place[-1]]
            row[place[-1]] = middle + step
            above = loss()
            row[place[-1]] = middle - step
            slope = (above - loss()) / (2 * step)
            row[place[-1]] = middle
            gap = abs(digits_of(got[number, place]) - slope)
            if not gap < 1e-25:
                raise Refused(f"{case.name}: vjp of argument {number} at {place} is off by {mp.nstr(gap, 3)}")


# -- composites ---------------------------------------------------------------------------------
def check_definition(case: Case) -> None:
    stages = case.node.definition()
    require(isinstance(stages.whole, Node), f"{case.name}: the definition has no whole")
    require(stages.whole.shape == case.node.shape, f"{case.name}: shape of the definition")
    whole = unfolded(case.node)
    used = whole.atoms(Node)
    for name, part in stages.parts:
        require(unfolded(part) in used, f"{case.name}: part {name} is not used")
    require(not whole.atoms(Composite), f"{case.name}: unfolded, it still holds a composite")
    require(whole.shape == case.node.shape, f"{case.name}: unfolding changes the shape")
    before, after = ({getattr(x, "family", x) for x in root.free_symbols} for root in (case.node, whole))
    require(before == after, f"{case.name}: unfolding changes the letters")


VALUE_CHECKS: tuple[Callable[[Case], None], ...] = (
    check_shape, check_letter_sizes, check_element, check_exact_value, check_ball_value, check_numpy,
)  # fmt: skip
PRIMITIVE_CHECKS = (*VALUE_CHECKS, check_vjp_by_element, check_vjp_by_differences)
COMPOSITE_CHECKS = (*VALUE_CHECKS, check_definition)
