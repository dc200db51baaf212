"""Matrix letters, explicit matrices, sizes, index letters: everything with a name is made here.

A name is `[A-Za-z][A-Za-z0-9]{0,15}` with at most one part after an underscore, so that no
name can carry code, markup or a path into anything that is printed or compiled. A letter may
stand in a namespace, such as that of one layer: `enc1.W_Q`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from numbers import Integral, Real
from threading import RLock
from typing import Any, ClassVar
from weakref import WeakValueDictionary

from sympy import Basic, Expr, Float, ImmutableDenseMatrix, Integer, MatrixBase, MatrixSymbol, Mul, Rational, S, Symbol
from sympy.core.symbol import Str
from sympy.core.sympify import _sympify
from sympy.matrices.expressions.matexpr import MatrixElement

from symtransformer.dialects import LATEX, TEXT, Dialect
from symtransformer.errors import NotSupported, ShapeError, UnreadableInput
from symtransformer.node import CONVERTERS, Facts, FactsOfLetters, Node, check_index, facts_of, interned_letter
from symtransformer.notation import Infix, Quotient, Scaled, counts_from_zero, from_one
from symtransformer.scalars import index_code

NAME = re.compile(r"([a-z][a-z0-9]{0,7}\.)?[A-Za-z][A-Za-z0-9]{0,15}(_[A-Za-z0-9]{1,15})?")
MATRIX_ENTRIES_AT_MOST = 4096
INDEX_LETTERS = ("k", "l", "p", "q", "r", "s", "u", "v")


@lru_cache(maxsize=4096)
def is_name(text: str) -> bool:
    """Whether a letter may be called so; that of one layer is asked for in all others."""
    return NAME.fullmatch(text) is not None


def checked_name(name: Any) -> str:
    if isinstance(name, Str):
        name = name.name
    if not isinstance(name, str) or not NAME.fullmatch(name):
        shown = repr(name)[:40]
        raise UnreadableInput(
            f"naming a letter: {shown} is not a name; use letters and digits, "
            "at most one underscore, as in W_Q, Z_1 or gamma"
        )
    return name


def dimension(name: str) -> Symbol:
    """A size such as n or d_k: a positive integer.

    >>> dimension("d_k").is_positive
    True
    """
    return Symbol(checked_name(name), integer=True, positive=True)


def parameter(name: str) -> Symbol:
    """A real number that stays a letter, such as the t of a slider.

    >>> parameter("t").is_real
    True
    """
    return Symbol(checked_name(name), real=True)


def head_index(name: str = "i") -> Symbol:
    """The letter that counts the heads of an indexed family, from 0."""
    return Symbol(checked_name(name), integer=True, nonnegative=True)


def _size(value: Any, name: str) -> Expr:
    if isinstance(value, Symbol) and value in _known_sizes:
        return value
    what = f"matrix {name}"
    size = Integer(int(value)) if isinstance(value, Integral) else value
    if isinstance(size, Integer) and size.p > 0:
        return size
    if isinstance(size, Mul) and all(x.is_Atom and x.is_integer and x.is_positive for x in size.args):
        for factor in size.args:  # h d_k: asked of the whole, SymPy loads a third of itself to answer
            _size(factor, name)
        return size
    if not isinstance(size, Expr) or size.is_integer is not True or size.is_nonnegative is False:
        raise ShapeError(f"{what}: a size must be a whole number or a letter made by dimension(...), not {value}")
    real_and_named(size, what)
    if size.is_zero:
        raise ShapeError(f"{what}: a size must be at least 1")
    if isinstance(size, Symbol) and len(_known_sizes) < 1000:
        _known_sizes.add(size)
        known_numbers.add(size)
    return size


def _head(value: Any, name: str) -> Expr:
    if isinstance(value, Symbol) and value in _known_heads:
        return value
    head = real_and_named(_sympify(value), f"head of {name}")
    if isinstance(head, Symbol) and len(_known_heads) < 1000:
        _known_heads.add(head)
        known_numbers.add(head)
    return head


known_numbers: set[Expr] = set()  # finite, exact and with names that can be printed: a model says a few of them often
# letters that were found to be sizes or heads: a model has thousands of matrices of a few
_known_sizes: set[Symbol] = set()
_known_heads: set[Symbol] = set()


_facts_of_letters: WeakValueDictionary[tuple[Any, ...], FactsOfLetters] = WeakValueDictionary()
_finding = RLock()


def _facts_of(kind: type[Letter], sizes: tuple[Basic, ...]) -> FactsOfLetters:
    """What all letters of these sizes share: one object, as long as there is a letter that holds it."""
    with _finding:
        facts = _facts_of_letters.get((kind, *sizes))
        if facts is None:
            facts = _facts_of_letters[kind, *sizes] = FactsOfLetters(kind, sizes)
        return facts


class Letter(Node):
    """A matrix with a name and a size: the leaf of every expression.

    With a fourth argument it is one member of a family, such as the W_Q of head i.
    """

    __slots__ = ("_arguments", "_family", "name")
    name: str
    _facts: FactsOfLetters
    _arguments: tuple[Basic, ...]
    _family: Letter
    is_letter: ClassVar[bool] = True
    matrices_first: ClassVar[int] = 0
    _children: ClassVar[tuple[Node, ...]] = ()  # type: ignore[misc]  # of all letters the same: none keeps its own
    _known_letters: ClassVar[None] = None  # type: ignore[misc,assignment]
    is_permutation: ClassVar[bool] = False

    def __new__(cls, name: Any, rows: Any, cols: Any, head: Any = None) -> Letter:
        text = checked_name(name)
        sizes: tuple[Basic, ...] = (_size(rows, text), _size(cols, text))
        if head is not None:
            sizes += (_head(head, text),)
        return interned_letter(text, _facts_of(cls, sizes))  # type: ignore[no-any-return]

    @property
    def args(self) -> tuple[Basic, ...]:
        """Its name, size and head as SymPy holds them, made when first asked for: few of many letters are."""
        if not hasattr(self, "_arguments"):
            self._arguments = (Str(self.name), *self._facts.sizes)
        return self._arguments

    _args = args  # type: ignore[assignment]

    @property
    def head(self) -> Expr | None:
        sizes = self._facts.sizes
        return sizes[2] if len(sizes) > 2 else None  # type: ignore[return-value]

    @property
    def of_one_head(self) -> bool:
        """Whether it belongs to one head alone, as W_Q^(1) does, and W_Q^(i) does not."""
        return self._facts.of_one_head

    @property
    def family(self) -> Letter:
        """The letter without its head index."""
        if self.head is None:
            return self
        if not hasattr(self, "_family"):
            self._family = type(self)(self.name, *self.shape)
        return self._family

    def of_head(self, head: Any) -> Letter:
        """This letter for one head: `W_Q.of_head(i)`."""
        return type(self)(self.name, *self.shape, head)

    def _find_shape(self) -> tuple[Basic, Basic]:
        return self._facts.shape

    def _find_facts(self) -> Facts:
        return FactsOfLetters(type(self), self._facts.sizes)

    def entry(self, i: Any, j: Any, full: bool = False) -> Basic:
        i, j = _sympify(i), _sympify(j)
        check_index(self, i, j)
        return Entry(self, i, j)

    def _written(self, dialect: str, from_zero: bool = False) -> str:
        counted = set() if self.head is None or from_zero else set(filter(counts_from_zero, self.head.free_symbols))
        return (LATEX if dialect == "latex" else TEXT).letter(self.name, from_one(self.head, counted))

    def _numpy_call(self, arguments: list[str], code: Any) -> str:
        if "." in self.name:
            raise NotSupported(f"lambdify: {self.name} is no name in Python; use numpy_function of numpy_code")
        if self.head is None or self.head.is_Symbol:
            return self.name
        if self.head.is_Integer:
            return f"{self.name}[..., {self.head}, :, :]"
        code.module_imports[type(self).__module__].add("Letter")
        return f"Letter.of_heads({self.name}, {index_code(self.head, code)})"

    @staticmethod
    def of_heads(members: Any, heads: Any) -> Any:
        """The arrays of these heads, for code; NumPy would count from the end where a head is below 0."""
        for head in heads:
            if not 0 <= head < members.shape[-3]:
                raise ShapeError(f"head {head} (from 0) does not exist; there are {members.shape[-3]}")
        return members[..., heads, :, :]


class PermutationLetter(Letter):
    """A letter that stands for a permutation matrix: P X has the rows of X in another order."""

    __slots__ = ()
    is_permutation: ClassVar[bool] = True

    def __new__(cls, name: Any, rows: Any, cols: Any, head: Any = None) -> Letter:
        letter = super().__new__(cls, name, rows, cols, head)
        if (letter.shape[0] - letter.shape[1]).expand() != 0:  # type: ignore[operator]
            raise ShapeError(f"permutation {name}: it must be square, but its size is {rows} x {cols}")
        return letter


class DistributionLetter(Letter):
    """A letter whose rows are assumed to add up to 1, as those of targets do."""

    __slots__ = ()


class Literal(Node):
    """A matrix of given entries."""

    __slots__ = ()
    matrices_first: ClassVar[int] = 0

    def __new__(cls, matrix: Any) -> Literal:
        entries = tuple(matrix.flat()) if isinstance(matrix, ImmutableDenseMatrix) else ()
        exact = entries and (all(x.is_Rational for x in entries) or not matrix.has(Float, S.NaN, S.ComplexInfinity))
        if not exact:
            matrix = explicit_matrix(matrix)
            entries = tuple(matrix.flat())
        return cls._intern((matrix,), (matrix.shape, entries))  # type: ignore[return-value]

    @property
    def matrix(self) -> ImmutableDenseMatrix:
        return self.args[0]  # type: ignore[return-value]

    def _find_shape(self) -> tuple[Basic, Basic]:
        rows, cols = self.matrix.shape
        return Integer(rows), Integer(cols)

    def _find_facts(self) -> Facts:
        mentioned = frozenset(self.matrix.free_symbols)
        return facts_of(self._find_shape(), mentioned, mentioned, frozenset(), True, True)

    def _value(self) -> Basic:
        return self.matrix

    def entry(self, i: Any, j: Any, full: bool = False) -> Basic:
        i, j = _sympify(i), _sympify(j)
        check_index(self, i, j)
        return self.matrix[i, j] if i.is_Integer and j.is_Integer else Entry(self, i, j)

    def _written(self, dialect: str, from_zero: bool = False) -> str:
        rows = [list(row) for row in self.matrix.tolist()]
        return (LATEX if dialect == "latex" else TEXT).matrix(rows)

    def _numpy_call(self, arguments: list[str], code: Any) -> str:
        if any(map(counts_from_zero, self.matrix.free_symbols)):
            raise NotSupported("NumPy code: a literal whose entries depend on the head; scale it, or use a letter")
        array = code._module_format(code._module + ".array")
        rows = ", ".join("[" + ", ".join(code.doprint(x) for x in row) + "]" for row in self.matrix.tolist())
        return f"{array}([{rows}], dtype=float)"


class Entry(MatrixElement):
    """One entry of a letter: `Q[1, 0]` in Python (from 0), q_21 in print (from 1)."""

    def __new__(cls, parent: Any, i: Any, j: Any) -> Any:
        i, j = _sympify(i), _sympify(j)
        if isinstance(parent, Literal) and i.is_Integer and j.is_Integer:
            return parent.entry(i, j)  # the letter was replaced by numbers
        return super().__new__(cls, parent, i, j)

    @property
    def free_symbols(self) -> set[Basic]:
        """Also the sizes of what it is an entry of, so that sums over it take their numbers."""
        inner = self.parent._mentions if isinstance(self.parent, Node) else self.parent.free_symbols
        # heads of one family depend on each other's letter, or a derivative by one would be 0 unasked
        families = {x.family for x in inner if isinstance(x, Letter) and x.head is not None}
        return set(inner) | families | self.i.free_symbols | self.j.free_symbols

    def _sympystr(self, printer: Any) -> str:
        text = self.parent._written("text", from_zero=True)
        fenced = TEXT.parentheses.format(text) if isinstance(self.parent.form(), (Infix, Scaled, Quotient)) else text
        return f"{fenced}[{self.i}, {self.j}]"

    def _latex(self, printer: Any) -> str:
        return written_entry(self, getattr(printer, "dialect", None) or LATEX, lambda index: (index + 1).expand())

    def _eval_derivative(self, v: Any) -> Any:
        if isinstance(self.parent, Letter):
            other = getattr(v, "parent", None)
            if isinstance(other, Letter) and other is not self.parent and other.family is self.parent.family:
                heads = (self.parent.head, other.head)
                if not all(head is not None and head.is_Integer for head in heads):
                    raise NotSupported(
                        f"the derivative of an entry of {self.parent} by one of {other}: write the heads out"
                    )
            return super()._eval_derivative(v) if isinstance(v, MatrixElement) else S.Zero
        if isinstance(self.parent, Literal):
            return Entry(Literal(self.parent.matrix.diff(v)), self.i, self.j) if self.parent.has(v) else S.Zero
        return self.parent.entry(self.i, self.j).diff(v)  # an operation: of its own formula


def written_entry(entry: MatrixElement, dialect: Dialect, shown: Callable[[Any], Any]) -> str:
    """q_{21}; one index where the matrix is a row or a column. `shown` turns an index into what is printed."""
    parent = entry.parent
    rows, cols = parent.shape
    indices = [k for k, size in ((entry.i, rows), (entry.j, cols)) if size != 1] or [entry.i]
    parts = [dialect.scalar(shown(k)) for k in indices]
    if isinstance(parent, Letter):
        return dialect.entry_of(parent.name, parent.head, parts)
    return dialect.entry.format(
        dialect.parentheses.format(parent._written(dialect.name, from_zero=True)), "", ",".join(parts)
    )


def matrix(name: str, rows: Any, cols: Any) -> Letter:
    """A matrix letter with a size, which may be a number or a letter of its own.

    >>> n, d = dimension("n"), dimension("d")
    >>> matrix("X", n, d).shape
    (n, d)
    """
    return Letter(name, rows, cols)


def permutation(name: str, size: Any) -> PermutationLetter:
    """A letter for a permutation matrix: exactly one 1 in each row and column, 0 elsewhere.

    >>> P = permutation("P", dimension("n"))
    >>> P @ matrix("X", dimension("n"), 2)
    P X
    """
    return PermutationLetter(name, size, size)  # type: ignore[return-value]


def distribution(name: str, rows: Any, cols: Any) -> DistributionLetter:
    """A matrix letter whose rows are assumed to add up to 1: targets, one-hot or not.

    >>> Y = distribution("Y", dimension("n"), dimension("K"))
    >>> Y, Y.shape
    (Y, (n, K))
    """
    return DistributionLetter(name, rows, cols)  # type: ignore[return-value]


# -- explicit matrices ---------------------------------------------------------------------------
def one_hot(ids: Iterable[int], size: int) -> Literal:
    """A row for each token id (from 0), with a 1 in its place among `size` and 0 elsewhere.

    >>> one_hot([2, 0], 3)
    [[0, 0, 1], [1, 0, 0]]
    """
    places = list(ids)
    if any(isinstance(k, bool) or not isinstance(k, int) or not 0 <= k < size for k in places):
        raise UnreadableInput(f"one-hot rows: expected ids from 0 to {size - 1}, got {str(places)[:40]}")
    return Literal([[int(j == k) for j in range(size)] for k in places])


def exact_number(value: Any, where: str = "a value") -> Expr:
    """The exact number that was meant: 0.1 is 1/10. Text is never interpreted."""
    if isinstance(value, Decimal) and value.is_finite():
        value = Fraction(value)
    if isinstance(value, Fraction):
        return Rational(value.numerator, value.denominator)
    if isinstance(value, Integral):  # bool is refused below
        if isinstance(value, bool):
            raise UnreadableInput(f"{where}: expected a number, got {value}")
        return Integer(int(value))
    if hasattr(value, "_mpf_") and not isinstance(value, Expr):  # mpmath: the binary number that it is
        sign, digits, exponent, _ = value._mpf_
        if not digits and exponent:
            raise UnreadableInput(f"{where}: expected a finite number, got {value}")
        return Integer(-int(digits) if sign else int(digits)) * Integer(2) ** int(exponent)
    if isinstance(value, Expr):
        # str(f) of a double has 15 digits, repr(float) as many as tell it from its neighbours
        value = value.xreplace({f: _decimal(f) for f in value.atoms(Float) if f.is_finite})
        if value.is_commutative is False or value.has(S.NaN, S.ComplexInfinity):
            raise UnreadableInput(f"{where}: expected a number, got {str(value)[:40]}")
        return real_and_named(value, where)
    if isinstance(value, Real):
        # the shortest decimal that is this number in its own precision: 0.1, also in single precision
        if not isinstance(value, float) and getattr(getattr(value, "dtype", None), "itemsize", 9) > 8:
            if not hasattr(value, "as_integer_ratio") or math.isnan(value):
                raise UnreadableInput(f"{where}: expected a number, got {type(value).__name__}")
            return Rational(*map(int, value.as_integer_ratio()))  # more than a double: the binary number that it is
        text = str(value) if hasattr(value, "dtype") else repr(float(value))
        if text in ("inf", "-inf"):
            return S.Infinity if text == "inf" else S.NegativeInfinity
        if text == "nan":
            raise UnreadableInput(f"{where}: expected a number, got nan")
        return Rational(text)
    raise UnreadableInput(f"{where}: expected a number, got {type(value).__name__} {str(value)[:40]!r}")


def _decimal(number: Float) -> Rational:
    """A double as the shortest decimal that it is; other precisions, and what no double holds, as they stand."""
    double = float(number)
    if number._prec == 53 and math.isfinite(double) and Float(double) == number:
        return Rational(repr(double))
    return Rational(str(number))


def real_and_named(value: Expr, where: str) -> Expr:
    """Entries are real, and letters in them have names that can be printed and compiled without harm."""
    if value.has(S.ImaginaryUnit) or value.is_extended_real is False:
        raise UnreadableInput(f"{where}: expected a real number, got {str(value)[:40]}")
    for symbol in value.free_symbols:
        if checked_name(getattr(symbol, "name", "")) == "e":
            raise UnreadableInput(f"{where}: a letter e would be printed as Euler's number e; choose another name")
    return value


def explicit_matrix(rows: Any) -> ImmutableDenseMatrix:
    """A matrix of exact entries from rows of numbers, an array, or a SymPy matrix."""
    if isinstance(rows, MatrixBase):
        rows = rows.tolist()
    elif getattr(rows, "ndim", 0) == 2:
        rows = [list(row) for row in rows]  # not tolist: it turns single precision into doubles
    if not isinstance(rows, Sequence) or isinstance(rows, str) or not rows:
        raise UnreadableInput("reading a matrix: expected rows of numbers, as in [[1, 0], [0.5, 1]]")
    if not all(isinstance(row, Sequence) and not isinstance(row, str) and len(row) for row in rows):
        raise UnreadableInput("reading a matrix: every row must be a list of numbers, as in [[1, 0], [0.5, 1]]")
    widths = sorted({len(row) for row in rows})
    if len(widths) != 1:
        raise ShapeError(f"reading a matrix: rows of {widths[0]} and of {widths[-1]} entries; all must be equally long")
    if len(rows) * widths[0] > MATRIX_ENTRIES_AT_MOST:
        raise UnreadableInput(f"reading a matrix: more than {MATRIX_ENTRIES_AT_MOST} entries")
    cells = [exact_number(x, f"row {i + 1}, column {j + 1}") for i, row in enumerate(rows) for j, x in enumerate(row)]
    return ImmutableDenseMatrix(len(rows), widths[0], cells)


CONVERTERS += [
    (MatrixBase, Literal),
    (list, lambda rows: Literal(explicit_matrix(rows))),
    (MatrixSymbol, lambda symbol: Letter(str(symbol.name), *(_stock_size(s) for s in symbol.shape))),
]


def _stock_size(size: Any) -> Any:
    """SymPy lets a size be any letter; here it becomes a positive integer of that name."""
    if isinstance(size, Symbol) and not size.is_integer:
        return dimension(size.name)
    return size


# -- fresh names -----------------------------------------------------------------------------------
def fresh_indices(taken: Iterable[Basic]) -> Iterator[Symbol]:
    """Index letters k, l, p, ... whose names nothing in `taken` bears."""
    names = {str(s) for s in taken}
    round_number = 0
    while True:
        for letter in INDEX_LETTERS:
            name = letter + (str(round_number) if round_number else "")
            if name not in names:
                yield Symbol(name, integer=True, nonnegative=True)
        round_number += 1
