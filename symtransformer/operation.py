"""The contract of an operation, and the registry of all of them.

An operation is one class in one file that declares its facets; adding one touches nothing
else. A *primitive* declares every facet, a *composite* only a definition in terms of others.
A missing or doubled facet is an error at import that names the file.

| facet | gives |
| --- | --- |
| `parameters` | what stands in the brackets, in order |
| `title`, `explanation` | words in both languages |
| `source` | paper, section, equation; its letters against ours; in both languages |
| `find_shape()` | size from the sizes of the arguments; raises `ShapeError` |
| `element(i, j, fresh)` | formula of one entry, the arguments' entries left as they are |
| `vjp(cotangent)` | for each matrix argument the product of the cotangent with the Jacobian |
| `gradient_words` | how that comes about, in words: one for all arguments, or one for each |
| `notation` | how it is written, a record that every printer reads |
| `numpy(...)` | stable code on arrays, leading batch axes allowed |
| `value(numbers, ...)` | its value on rows of any number type: exact, balls |
| `follows` | which axis of which argument a followed row or column comes from |
| `properties` | identities with their conditions, checked numerically |
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import Any, ClassVar

from sympy import Basic, Expr, ImmutableDenseMatrix, Integer, S
from sympy.core.symbol import Str
from sympy.core.sympify import _sympify

from symtransformer.arguments import (
    CHOICE,
    LABEL,
    LETTER,
    MATRICES,
    MATRIX,
    SCALAR,
    SIZE,
    Parameter,
    are_in_place,
    by_name,
    in_order_of,
)
from symtransformer.dialects import LATEX, TEXT
from symtransformer.errors import LimitExceeded, NotSupported, ShapeError, UnreadableInput
from symtransformer.exact import Exact, Rows
from symtransformer.node import ABSENT, OPERATORS, Node, as_node, check_index, postorder, substitute
from symtransformer.notation import Form, Words, counts_from_zero
from symtransformer.scalars import index_code
from symtransformer.symbols import Entry, Letter, Literal, fresh_indices, head_index
from symtransformer.writing import written

COMMON_FACETS = frozenset({"title", "explanation", "source", "parameters", "notation"})
PRIMITIVE_FACETS = COMMON_FACETS | {
    "find_shape", "element", "vjp", "gradient_words", "numpy", "value", "follows", "properties",
}  # fmt: skip
COMPOSITE_FACETS = COMMON_FACETS | {"definition", "letter"}

REGISTRY: dict[str, type[Operation]] = {}


@dataclass(frozen=True)
class Property:
    """An identity that holds where its condition does; `holds` looks at arrays."""

    statement: Words
    holds: Callable[..., bool]


@dataclass(frozen=True)
class Stages:
    """A finer definition: named parts in order, then the whole in terms of them."""

    parts: tuple[tuple[str, Node], ...]
    whole: Node
    words: Mapping[str, tuple[Words, Words]] = field(default_factory=dict)  # title and explanation; "" is the whole


class _Facets(dict[str, Any]):
    """The body of a class, in which nothing may be declared twice."""

    def __setitem__(self, key: str, value: Any) -> None:
        if key in self and not key.startswith("__"):
            file = f"{str(self.get('__module__')).rpartition('.')[2]}.py"
            raise TypeError(f"{file}: facet {key!r} of {self.get('__qualname__')} is declared twice")
        super().__setitem__(key, value)


class _OperationMeta(type(Node)):  # type: ignore[misc]
    @classmethod
    def __prepare__(cls, name: str, bases: tuple[type, ...], **kwargs: Any) -> _Facets:
        return _Facets()

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any], **kwargs: Any) -> Any:
        return super().__new__(cls, name, bases, dict(body), **kwargs)


class Operation(Node, metaclass=_OperationMeta):
    """An expression made by an operation from its arguments."""

    __slots__ = ()
    parameters: ClassVar[tuple[Parameter, ...]]
    title: ClassVar[Words]
    explanation: ClassVar[Words]
    source: ClassVar[Words]
    notation: ClassVar[Form]
    python_operator: ClassVar[str] = ""
    places: ClassVar[tuple[bool, ...]] = ()  # which arguments are matrices, if all of them are matrices or numbers
    in_place: ClassVar[set[tuple[type, ...]]]  # kinds of arguments that are known to need no conversion
    many: ClassVar[bool] = False  # any number of matrices, and nothing else
    shortens: ClassVar[bool] = False  # whether it has shortcuts

    def __init_subclass__(cls, abstract: bool = False, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if abstract:
            return
        file = _file_of(cls)
        wanted = PRIMITIVE_FACETS if issubclass(cls, Primitive) else COMPOSITE_FACETS
        missing = sorted(f for f in wanted if f not in cls.__dict__)
        if missing:
            raise TypeError(f"{file}: operation {cls.__name__} lacks the facet {', '.join(missing)}")
        foreign = sorted(((PRIMITIVE_FACETS | COMPOSITE_FACETS) - wanted) & cls.__dict__.keys())
        if foreign:
            raise TypeError(f"{file}: operation {cls.__name__} also declares {', '.join(foreign)}, which follow")
        if cls.__name__ in REGISTRY and _file_of(REGISTRY[cls.__name__]) != file:
            raise TypeError(f"{file}: {cls.__name__} is already declared in {_file_of(REGISTRY[cls.__name__])}")
        cls.bound = tuple(k for k, p in enumerate(cls.parameters) if p.kind == LETTER)
        kinds = [p.kind for p in cls.parameters]
        cls.many = MATRICES in kinds
        cls.shortens = any("shortcut" in kind.__dict__ for kind in cls.__mro__ if kind is not Operation)
        own = any("_by_name" in kind.__dict__ for kind in cls.__mro__ if kind is not Operation)
        simple = not own and {CHOICE, LABEL, MATRICES}.isdisjoint(kinds)
        cls.places = (True,) if cls.many else tuple(kind == MATRIX for kind in kinds) if simple else ()
        cls.in_place = set()
        cls.matrices_first = _matrices_first(cls.parameters)
        cls._settle()
        REGISTRY[cls.__name__] = cls
        if cls.python_operator:
            OPERATORS[cls.python_operator] = cls

    def __new__(cls, *arguments: Any, **keywords: Any) -> Any:
        args: tuple[Basic, ...] = arguments
        kinds = tuple(map(type, arguments))
        if keywords or kinds not in cls.in_place:
            args = cls._in_order(arguments, keywords, kinds)
        if cls.shortens and (shortcut := cls.shortcut(*args)) is not None:
            return shortcut
        return cls._intern(args)

    def form(self) -> Form:
        """How this expression is written; mostly the notation of its operation."""
        return self.notation

    def argument(self, name: str) -> Any:
        """The argument of this name, a word as a plain str; None where it is left out."""
        for parameter, arg in zip(self.parameters, self.args, strict=False):
            if parameter.name == name:
                return None if arg == ABSENT else arg.name if isinstance(arg, Str) else arg
        return None

    def _named(self, position: int) -> str:
        matrices = [(p, a) for p, a in zip(self.parameters, self.args, strict=False) if p.kind == MATRIX]
        gap = ABSENT in self.args[:position]
        return self.parameters[position].name if gap and any(not p.needed and a != ABSENT for p, a in matrices) else ""

    @classmethod
    def shortcut(cls, *arguments: Any) -> Any:
        """A simpler equal expression, found in constant time (a double transpose); else None."""
        return None

    @classmethod
    def _in_order(
        cls, arguments: tuple[Any, ...], keywords: dict[str, Any], kinds: tuple[type, ...]
    ) -> tuple[Any, ...]:
        """All arguments, converted where they are not yet what they would be converted to."""
        if keywords or not arguments or not are_in_place(cls.places * (len(arguments) if cls.many else 1), arguments):
            return cls._checked(arguments, keywords)
        if len(arguments) < 10 and len(cls.in_place) < 1000:
            # numbers that are no integers are looked at one by one
            if False not in cls.places or not [a for a in arguments if not isinstance(a, (Node, Integer))]:
                cls.in_place.add(kinds)
        return arguments

    @classmethod
    def _checked(cls, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Basic, ...]:
        if cls.many:
            if len(arguments) < 1 or keywords:
                raise UnreadableInput(f"{cls.__name__}: at least one matrix is needed, and nothing else")
            return tuple([a if isinstance(a, Node) else as_node(a) for a in arguments])
        return in_order_of(cls.__name__, cls.parameters, cls._by_name(arguments, keywords))

    @classmethod
    def _by_name(cls, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
        """Which argument is meant by what was given."""
        return by_name(cls.__name__, cls.parameters, arguments, keywords)

    # -- SymPy's hooks ---------------------------------------------------------------------
    def entry(self, i: Any, j: Any, full: bool = False) -> Basic:
        """Formula of entry (i, j), counted from 0: of this operation alone, or down to the letters."""
        i, j = _sympify(i), _sympify(j)
        check_index(self, i, j)
        fresh = fresh_indices(self._mentions | i.free_symbols | j.free_symbols)
        if not full:
            return unfolded(self).element(i, j, lambda: next(fresh))
        return _full_entry(self, i, j, lambda: next(fresh))

    def as_explicit(self) -> ImmutableDenseMatrix:
        """Every entry in terms of the entries of the letters."""
        numbers = Exact(entries_at_most=4096, terms_at_most=20_000)
        return ImmutableDenseMatrix(compute(self, numbers, _letter_entries))

    def _value(self) -> Basic:
        return ImmutableDenseMatrix(compute(self, Exact(), _no_value))

    def _written(self, dialect: str, from_zero: bool = False) -> str:
        return written(self, LATEX if dialect == "latex" else TEXT, frozenset() if from_zero else None)

    def _numpycode(self, printer: Any) -> str:
        return Node._numpycode(unfolded(self), printer)  # composites may stand anywhere inside

    def _numpy_call(self, arguments: list[str], code: Any) -> str:
        raise NotImplementedError


class Primitive(Operation, abstract=True):
    """An operation with all facets of its own."""

    __slots__ = ()
    follows: ClassVar[tuple[tuple[str, int, str], ...]]
    gradient_words: ClassVar[Words | tuple[Words, ...]]
    properties: ClassVar[tuple[Property, ...]]
    accepts_infinity: ClassVar[bool] = False

    def find_shape(self) -> tuple[Basic, Basic]:
        raise NotImplementedError

    def element(self, i: Basic, j: Basic, fresh: Callable[[], Any]) -> Basic:
        raise NotImplementedError

    def vjp(self, cotangent: Node) -> tuple[Node, ...]:
        raise NotImplementedError

    def saved(self) -> tuple[tuple[str, Node], ...]:
        """Parts that `vjp` writes its result with and that become steps of their own there, by their usual names."""
        return ()

    def stages(self) -> Stages | None:
        """A finer definition for those who want every step; None where there is none."""
        return None

    def _find_shape(self) -> tuple[Basic, Basic]:
        return self.find_shape()

    def _numpy_call(self, arguments: list[str], code: Any) -> str:
        module, name = type(self).__module__, type(self).__name__
        code.module_imports[module].add(name)
        shown, rest = [], iter(arguments)
        for k, arg in enumerate(self.args):
            if k in self.bound:
                continue
            if isinstance(arg, Node):
                shown.append(next(rest))
                continue
            if isinstance(arg, Str):
                shown.append(repr(arg.name))
                continue
            if self.parameters[k].kind == SIZE:
                shown.append(index_code(arg, code))
                continue
            # a number of its own for each head stands before rows and columns
            one_each = self.parameters[k].kind == SCALAR and any(map(counts_from_zero, arg.free_symbols))
            shown.append(f"({code.doprint(arg)})[:, None, None]" if one_each else code.doprint(arg))
        return f"{name}.numpy({', '.join(shown)})"


class Composite(Operation, abstract=True):
    """An operation defined by named parts in terms of others; all else follows."""

    __slots__ = ("_stages",)
    has_definition: ClassVar[bool] = True
    letter: ClassVar[str]  # the usual name of its result
    _shapes: ClassVar[dict[Any, tuple[Basic, Basic]]] = {}  # by operation and the sizes of its arguments
    _stages: Stages

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.definition = _once(cls.definition)  # type: ignore[assignment, method-assign]

    def definition(self) -> Stages:
        raise NotImplementedError

    def _find_shape(self) -> tuple[Basic, Basic]:
        arguments = zip(self.args, _kinds(self), strict=True)
        sizes = (type(self), *(a.shape if isinstance(a, Node) else a for a, kind in arguments if kind != LABEL))
        if sizes not in self._shapes:
            self._shapes[sizes] = self.definition().whole.shape
        return self._shapes[sizes]

    def _numpy_call(self, arguments: list[str], code: Any) -> str:
        raise NotImplementedError  # never asked: code is written for the unfolded expression


def _once(definition: Callable[[Any], Stages]) -> Callable[[Any], Stages]:
    """A definition is built once for each expression."""

    @functools.wraps(definition)
    def built(self: Any) -> Stages:
        if not hasattr(self, "_stages"):
            self._stages = definition(self)
        return self._stages  # type: ignore[no-any-return]

    return built


def _matrices_first(parameters: tuple[Parameter, ...]) -> int:
    """How many matrices come before all else; -1 where one may be left out or stands elsewhere."""
    kinds = [p.kind for p in parameters]
    if kinds == [MATRICES]:
        return sys.maxsize
    count = kinds.count(MATRIX)
    safe = MATRICES not in kinds and set(kinds[:count]) <= {MATRIX} and all(p.needed for p in parameters[:count])
    return count if safe else -1


def _file_of(cls: type) -> str:
    try:
        return Path(inspect.getfile(cls)).name
    except (TypeError, OSError):
        return cls.__module__


# -- unfolding composites -------------------------------------------------------------------------
def unfolded(expression: Node, known: dict[Node, Node] | None = None) -> Any:
    """The same expression in primitives only, each distinct node once; `known` keeps what was unfolded before."""
    if expression._plain:
        return expression
    new: dict[Node, Node] = {} if known is None else known
    stack = [expression]
    while stack:
        node = stack[-1]
        if node._plain:
            new[node] = node
        if node in new:
            stack.pop()
            continue
        if isinstance(node, Composite):
            whole = node.definition().whole
            if whole in new:
                new[node] = new[whole]
            else:
                stack.append(whole)
            continue
        waiting = [c for c in node._children if c not in new]
        if waiting:
            stack.extend(waiting)
            continue
        args: list[Any] = [new[a] if isinstance(a, Node) else a for a in node.args]
        if node.bound and any(letter == args[1] and number != args[2] for letter, number in args[0]._families):
            args[:2] = with_another_letter(args[0], args[1])
        new[node] = node if all(a is b for a, b in zip(args, node.args, strict=True)) else node.func(*args)
        stack.pop()
    return new[expression]


COUNTERS = ("u", "r", "t")


def with_another_letter(body: Any, letter: Any, taken: Iterable[str] = ()) -> tuple[Any, Any]:
    """The body with another letter for what is counted, unlike every one in it and every name that is taken."""
    used = {*taken, *(str(thing) for thing in body._mentions), *(str(other) for other, _ in body._families)}
    names = chain(COUNTERS, (f"{letter.name}{k}" for k in count(2)))
    other = next(head_index(name) for name in names if name not in used)
    return substitute(body, {letter: other}), other


def _full_entry(root: Node, i: Basic, j: Basic, fresh: Callable[[], Any], depth: int = 0) -> Basic:
    if isinstance(root, (Letter, Literal)):
        return root.entry(i, j)
    if depth > 12:
        raise LimitExceeded("entry(full=True): more than 12 nested operations; ask the named steps one by one")
    formula = unfolded(root).element(i, j, fresh)
    inner = formula.atoms(Entry)
    rule = {e: _full_entry(e.parent, e.i, e.j, fresh, depth + 1) for e in inner if isinstance(e.parent, Operation)}
    return formula.xreplace(rule)


# -- values over any number type -------------------------------------------------------------------
def _letter_entries(letter: Letter) -> Rows:
    rows, cols = letter.shape
    if not (rows.is_Integer and cols.is_Integer):
        raise NotSupported(f"as_explicit: the size {rows} x {cols} of {letter} is not a number")
    return [[letter[i, j] for j in range(int(cols))] for i in range(int(rows))]  # type: ignore[call-overload]


def _no_value(letter: Letter) -> Rows:
    raise UnreadableInput(f"{letter} has no value")


def compute(
    root: Node,
    numbers: Any,
    leaf: Callable[[Letter], Rows],
    sizes: dict[Basic, Basic] | None = None,
    memo: dict[Any, Rows] | None = None,
) -> Rows:
    """The value of an expression: one walk over its distinct nodes, over the given number type."""
    root = unfolded(root)
    binders = {node.args[k] for node in postorder(root) for k in node.bound}
    if both := sorted(map(str, root._symbols & binders)):
        raise NotSupported(f"the letter {both[0]} counts heads in one place and is free in another; rename one")
    return _Walk(numbers, leaf, sizes or {}, binders, {} if memo is None else memo).value(root, {})


class _Walk:
    def __init__(self, numbers: Any, leaf: Any, sizes: Any, binders: set[Any], memo: dict[Any, Rows]) -> None:
        self.numbers, self.leaf, self.sizes = numbers, leaf, sizes
        self.binders, self.memo = binders, memo

    def value(self, root: Node, heads: dict[Basic, Basic]) -> Rows:
        for node in postorder(root):
            if node._symbols & self.binders - heads.keys():
                continue  # belongs to a body, and is computed there, once for each head
            key = self._key(node, heads)
            if key not in self.memo:
                rows = self._one(node, heads)
                self.numbers.check(rows)
                self.memo[key] = rows
        return self.memo[self._key(root, heads)]

    def _key(self, node: Node, heads: dict[Basic, Basic]) -> Any:
        used = [(str(k), v) for k, v in heads.items() if k in node._symbols]
        return (node, tuple(sorted(used))) if used else node

    def _one(self, node: Node, heads: dict[Basic, Basic]) -> Rows:
        if isinstance(node, Literal):
            known = {**self.sizes, **heads}
            return [[self.numbers.scalar(x.xreplace(known)) for x in row] for row in node.matrix.tolist()]
        if isinstance(node, Letter):
            return self.leaf(node.of_head(node.head.xreplace(heads)) if node.head is not None else node)
        assert isinstance(node, Primitive)
        if hasattr(node, "value_at"):  # a formula of entries needs the numbers of its letters
            rows = [self.memo[self._key(child, heads)] for child in node._children]
            return node.value_at(self.numbers, rows, {**self.sizes, **heads})  # type: ignore[no-any-return]
        arguments: list[Any] = []
        for k, (arg, kind) in enumerate(zip(node.args, _kinds(node), strict=True)):
            if k in node.bound:
                continue
            if kind == MATRIX and node.bound:
                count = int(self._size(node.args[-1], heads))
                arguments.append(
                    [self.value(arg, {**heads, node.args[node.bound[0]]: Integer(h)}) for h in range(count)]
                )  # type: ignore[arg-type]
            elif kind == MATRIX:
                arguments.append(self.memo[self._key(arg, heads)])  # type: ignore[arg-type]
            elif kind == SIZE:
                arguments.append(int(self._size(arg, heads)))
            elif isinstance(arg, Str):
                arguments.append(arg.name)
            else:
                arguments.append(self.numbers.scalar(arg.xreplace({**self.sizes, **heads})))
        if not node.accepts_infinity and any(_has_infinity(a) for a in arguments if isinstance(a, list)):
            raise NotSupported(
                f"{type(node).__name__}: an argument holds an infinite entry, for which the result is not defined"
            )
        return node.value(self.numbers, *arguments)  # type: ignore[attr-defined,no-any-return]

    def _size(self, arg: Basic, heads: dict[Basic, Basic]) -> Basic:
        size = arg.xreplace({**self.sizes, **heads})
        if not size.is_Integer:
            raise NotSupported(f"the size {arg} has no number; give every letter a value, or a numeric size")
        return size


def _kinds(node: Operation) -> list[str]:
    if any(p.kind == MATRICES for p in node.parameters):
        return [MATRIX] * len(node.args)
    return [p.kind for p in node.parameters[: len(node.args)]]


def _has_infinity(rows: Any) -> bool:
    """Whether rows, or the rows of any head of a family, hold an infinity."""
    if isinstance(rows, list):
        return any(_has_infinity(row) for row in rows)
    return rows is S.NegativeInfinity or rows is S.Infinity


# -- what operations need to say what they mean ---------------------------------------------------------
def require_equal_sizes(what: Callable[[], str], which: str, left: Any, right: Any) -> None:
    """Unlike letters count as unlike sizes: a missing transpose is found here, not in the numbers.

    `what` is only called for the message: writing an expression costs its whole graph.
    """
    if left is not right and left != right and (left - right).expand() != 0:
        raise ShapeError(f"{what()}: {which} must be equal, but they are {left} and {right}", sides=(left, right))


def require_same_shape(what: Callable[[], str], left: tuple[Any, Any], right: tuple[Any, Any]) -> None:
    """Rows and columns both equal."""
    if left == right:
        return
    for axis, name in enumerate(("rows", "columns")):
        require_equal_sizes(what, f"the numbers of {name}", left[axis], right[axis])


def entry_of(argument: Any, i: Any, j: Any) -> Expr:
    """Entry (i, j) of an argument, left as an entry where the argument is an operation itself."""
    return Entry(argument, i, j) if isinstance(argument, Operation) else argument.entry(i, j)
