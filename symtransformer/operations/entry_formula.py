"""A matrix given by the formula of its entries, as index notation gives it; internal, and not registered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, ClassVar

from sympy import (
    Abs,
    Add,
    Basic,
    Expr,
    Integer,
    KroneckerDelta,
    Max,
    Min,
    Mul,
    Piecewise,
    Pow,
    Rational,
    S,
    StrictGreaterThan,
    StrictLessThan,
    Sum,
    Symbol,
    cos,
    erf,
    exp,
    log,
    sin,
    tanh,
)  # fmt: skip

from symtransformer.arguments import SCALAR, SIZE, Parameter
from symtransformer.errors import LimitExceeded, NotSupported, UnreadableInput
from symtransformer.node import Facts, Node, check_index
from symtransformer.notation import Call, Words
from symtransformer.operation import Primitive, entry_of
from symtransformer.symbols import Entry, Letter

TERMS_AT_MOST, DEPTH_AT_MOST = 200_000, 60
_FUNCTIONS = {log: "log", tanh: "tanh", erf: "erf", sin: "sin", cos: "cos"}


class _Place(Letter):
    """Stands in the formula for one of the matrices."""

    __slots__ = ()


def _own(name: str) -> Symbol:
    """A letter that nobody can name."""
    return Symbol(f"‹{name}›", integer=True, nonnegative=True)


_ROW, _COLUMN = _own("row"), _own("column")


class EntryFormula(Primitive, abstract=True):
    """Y_ij = a formula of i, j and entries of matrices: sums, Kronecker deltas, powers, functions of numbers.

    Made by `EntryFormula.of`, which takes the formula as it is written, indices counted from 0;
    equal formulas under other names of summed letters are one expression.

    >>> from sympy import Sum, symbols
    >>> from symtransformer import dimension, matrix
    >>> n, m, d = dimension("n"), dimension("m"), dimension("d_k")
    >>> G, K = matrix("G", n, m), matrix("K", m, d)
    >>> i, j, c = symbols("i j c", integer=True, nonnegative=True)
    >>> dQ = EntryFormula.of(n, d, i, c, Sum(G[i, j] * K[j, c], (j, 0, m - 1)))
    >>> from symtransformer.judge import judge_equation
    >>> judge_equation(dQ, G @ K).kind, judge_equation(dQ, 2 * G @ K).kind
    ('proved', 'refuted')
    """

    __slots__ = ()
    title = Words("Entries by a formula", "成分の式で与える行列")
    explanation = Words("Every entry is given by a formula.", "各成分を式で与えます。")
    source = Words("index notation", "添字による表し方")
    parameters = (Parameter("rows", SIZE), Parameter("columns", SIZE), Parameter("formula", SCALAR))
    notation = Call("entries")
    follows = ()
    properties = ()
    accepts_infinity: ClassVar[bool] = True

    def __new__(cls, rows: Any, columns: Any, formula: Any, *matrices: Node) -> EntryFormula:
        return cls._intern((rows, columns, formula, *matrices))  # type: ignore[return-value]

    @classmethod
    def of(cls, rows: Any, columns: Any, i: Symbol, j: Symbol, formula: Expr) -> EntryFormula:
        """The matrix of this size with this formula for entry (i, j)."""
        matrices: dict[Node, _Place] = {}
        places: dict[Basic, Basic] = {}
        for entry in sorted((part for part in _outside_matrices(formula) if isinstance(part, Entry)), key=str):
            parent: Any = entry.parent
            if isinstance(parent, _Place) or not isinstance(parent, Node):
                raise UnreadableInput(f"a formula of entries: {entry} is no entry of a matrix of this library")
            place = matrices.setdefault(parent, _Place(f"P{len(matrices)}", *parent.shape))
            places[parent] = place
        numbers = count(1)
        standing = _renamed(formula, {i: _ROW, j: _COLUMN}, places, lambda: _own(str(next(numbers))))
        made = cls(S(rows), S(columns), standing, *matrices)
        if foreign := sorted(s.name for s in standing.free_symbols if isinstance(s, Symbol) and s in _counted(formula)):
            raise UnreadableInput(f"a formula of entries: {foreign[0]} is both summed over and free")
        return made

    def find_shape(self) -> Any:
        return self.args[:2]

    def _find_facts(self) -> Facts:
        of = super()._find_facts()
        own = {_ROW, _COLUMN} | {s for s in of.symbols if isinstance(s, _Place)}
        return Facts(of.shape, of.open_symbols - own, of.symbols - own, of.families, of.plain, of.explicit)

    def element(self, i: Any, j: Any, fresh: Any) -> Expr:
        formula: Any = self.args[2]
        matrices = self._children

        def at(place: _Place, row: Any, column: Any) -> Any:
            return entry_of(matrices[int(place.name[1:])], row, column)

        return _renamed(formula, {_ROW: i, _COLUMN: j}, {}, fresh, at)  # type: ignore[no-any-return]

    def entry(self, i: Any, j: Any, full: bool = False) -> Basic:
        check_index(self, S(i), S(j))
        return super().entry(i, j, full)

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        raise NotSupported("the gradient of a matrix given by a formula of its entries; write it as an expression")

    @staticmethod
    def numpy(*arguments: Any) -> Any:
        raise NotSupported("NumPy code of a matrix given by a formula of its entries; write it as an expression")

    def value(self, numbers: Any, *matrices: Any) -> Any:
        """Only for numbers as sizes; those of letters are put in by `value_at`."""
        return self.value_at(numbers, list(matrices), {})

    def value_at(self, numbers: Any, matrices: list[Any], known: Mapping[Basic, Basic]) -> Any:
        """The value over any number type, with the numbers of sizes and letters."""
        reading = FormulaValues(numbers, matrices, known)
        rows, columns = (int(reading.whole(s, {})) for s in self.args[:2])
        return [[reading.number(self.args[2], {_ROW: r, _COLUMN: c}) for c in range(columns)] for r in range(rows)]


def _counted(formula: Any) -> set[Basic]:
    return {limit[0] for total in _outside_matrices(formula) if isinstance(total, Sum) for limit in total.limits}


def _outside_matrices(formula: Any) -> set[Any]:
    """The parts of a formula, but not those of the matrices in it, which may be given by formulas themselves."""
    found: set[Any] = set()
    waiting = [formula]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Node) or part in found:
            continue
        found.add(part)
        waiting += part.args
    return found


def _renamed(
    formula: Any,
    letters: Mapping[Basic, Basic],
    parents: Mapping[Basic, Basic],
    fresh: Callable[[], Any],
    at: Callable[[Any, Any, Any], Any] | None = None,
    depth: int = 0,
) -> Any:
    """The formula with other letters and matrices, every sum with a letter of its own."""
    if depth > DEPTH_AT_MOST:
        raise LimitExceeded(f"a formula of entries: nested more than {DEPTH_AT_MOST} deep")

    def inner(part: Any, own: Mapping[Basic, Basic] = letters) -> Any:
        return _renamed(part, own, parents, fresh, at, depth + 1)

    if isinstance(formula, Entry):
        parent, i, j = formula.args[0], inner(formula.i), inner(formula.j)
        if isinstance(parent, _Place) and at is not None:
            return at(parent, i, j)
        if isinstance(parent, Node) and parent._mentions & _heads_in(letters):
            raise NotSupported(f"a formula of entries: a sum over the heads of {parent}; write HeadSum instead")
        return Entry(parents.get(parent, parent), i, j)
    if isinstance(formula, Sum):
        own, limits = dict(letters), []
        for letter, low, high in reversed(formula.limits):  # the last is the outermost
            bounds = inner(low, own), inner(high, own)
            own[letter] = fresh()
            limits.append((own[letter], *bounds))
        return Sum(inner(formula.function, own), *reversed(limits))
    if isinstance(formula, Symbol):
        return letters.get(formula, formula)
    if not formula.args:
        return formula
    args = [inner(a) for a in formula.args]
    return formula if all(a is b for a, b in zip(args, formula.args, strict=True)) else _like(formula, args)


def _heads_in(letters: Mapping[Basic, Basic]) -> set[Basic]:
    return {letter for letter in letters if letter not in (_ROW, _COLUMN)}


def _like(formula: Any, args: list[Any]) -> Any:
    if isinstance(formula, (Add, Mul, Pow)):  # as written: SymPy would move factors and terms
        return formula.func(*args, evaluate=False)
    return formula.func(*args)


def _above_0(condition: Any) -> Any:
    """The y of a condition y > 0, which SymPy may have as -y < 0 or 1 < y + 1; None where it is another."""
    if not isinstance(condition, (StrictGreaterThan, StrictLessThan)) or not condition.atoms(Entry):
        return None
    return Add(condition.gts, Mul(S.NegativeOne, condition.lts, evaluate=False), evaluate=False)


class FormulaValues:
    """Reads a formula over a number type, one entry after the other."""

    def __init__(self, numbers: Any, matrices: list[Any], known: Mapping[Basic, Basic]) -> None:
        self.numbers, self.matrices, self.known = numbers, matrices, known
        self.terms = 0

    def whole(self, formula: Any, letters: Mapping[Basic, int]) -> int:
        value = formula.xreplace({**self.known, **{s: Integer(k) for s, k in letters.items()}})
        if not value.is_Integer:
            raise NotSupported(f"a formula of entries: {str(formula)[:40]} is no whole number")
        return int(value)

    def number(self, x: Any, letters: Mapping[Basic, int]) -> Any:
        self.terms += 1
        if self.terms > TERMS_AT_MOST:
            raise LimitExceeded(f"a formula of entries: more than {TERMS_AT_MOST} terms")
        if isinstance(x, Entry):
            return self._entry(x, letters)
        if isinstance(x, (Add, Mul)):
            parts = [self.number(a, letters) for a in x.args]
            total = parts[0]
            for part in parts[1:]:
                total = total + part if isinstance(x, Add) else total * part
            return total
        if isinstance(x, Sum):
            return self._sum(x.function, list(x.limits), letters)
        if isinstance(x, KroneckerDelta):
            same = self.whole(x.args[0], letters) == self.whole(x.args[1], letters)
            return self.numbers.scalar(S(int(same)))
        if isinstance(x, Piecewise):
            return self._pieces(list(x.args), letters)
        if isinstance(x, Max) and len(x.args) == 2 and S.Zero in x.args:
            return self.numbers.relu(self.number(next(a for a in x.args if a is not S.Zero), letters))
        if isinstance(x, exp):
            return self.numbers.exp(self.number(x.args[0], letters))
        if isinstance(x, Pow):
            return self._power(x, letters)
        if type(x) in _FUNCTIONS:
            return self.numbers.apply(_FUNCTIONS[type(x)], self.number(x.args[0], letters))
        if isinstance(x, (Max, Min, Abs)) or x.atoms(Entry):
            raise NotSupported(f"a formula of entries: no value of {type(x).__name__}")
        return self.numbers.scalar(x.xreplace({**self.known, **{s: Integer(k) for s, k in letters.items()}}))

    def _entry(self, x: Entry, letters: Mapping[Basic, int]) -> Any:
        parent: Any = x.parent
        rows = self.matrices[int(parent.name[1:])]
        i, j = self.whole(x.i, letters), self.whole(x.j, letters)
        if not (0 <= i < len(rows) and 0 <= j < len(rows[0])):
            raise NotSupported("a formula of entries: an entry outside of its matrix")
        return rows[i][j]

    def _sum(self, body: Any, limits: list[Any], letters: Mapping[Basic, int]) -> Any:
        if not limits:
            return self.number(body, letters)
        *inner, (letter, low, high) = limits
        total = self.numbers.scalar(S.Zero)
        for k in range(self.whole(low, letters), self.whole(high, letters) + 1):
            total = total + self._sum(body, inner, {**letters, letter: k})
        return total

    def _pieces(self, pieces: list[Any], letters: Mapping[Basic, int]) -> Any:
        """The first piece whose condition holds; x where y > 0 and z elsewhere is s x + (1 - s) z, with s the step at y."""
        rule = {**self.known, **{s: Integer(k) for s, k in letters.items()}}
        for k, (value, condition) in enumerate(pieces):
            decided = condition.xreplace(rule)
            if decided is S.true:
                return self.number(value, letters)
            if decided is S.false:
                continue
            if (above := _above_0(condition)) is None or k + 1 == len(pieces):
                break
            step, one = self.numbers.step(self.number(above, letters)), self.numbers.scalar(S.One)
            return step * self.number(value, letters) + (one - step) * self._pieces(pieces[k + 1 :], letters)
        raise NotSupported("a formula of entries: a case that is not decided by indices alone")

    def _power(self, x: Pow, letters: Mapping[Basic, int]) -> Any:
        base, exponent = self.number(x.base, letters), x.exp
        if exponent == S.Half:
            return self.numbers.apply("sqrt", base)
        if isinstance(exponent, Integer) and exponent < 0:
            return self.numbers.divide(self.numbers.scalar(S.One), base ** int(-exponent))
        if isinstance(exponent, Integer):
            return base ** int(exponent)
        if isinstance(exponent, Rational):
            return self.numbers.power(base, exponent)
        raise NotSupported(f"a formula of entries: the power {str(exponent)[:40]}")
