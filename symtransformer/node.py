"""The interned SymPy matrix expression that every letter and every operation is.

A Transformer is small as a graph and astronomically large as a tree, and SymPy walks
trees. So equal expressions are one object here (`==` is `is`), shape and free symbols are
computed once, and every SymPy method that would walk a tree is answered by one iterative
walk over the distinct nodes.

Outside that promise stay SymPy's own functions on a nested expression (`expand`,
`simplify`, `preorder_traversal`) and stock parents such as `MatAdd(X, e)`.
"""

from __future__ import annotations

import hashlib
import importlib
import itertools
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar
from weakref import ref

from sympy import Basic, Integer, MatrixExpr, S, Symbol, Wild, srepr
from sympy.core.symbol import Str
from sympy.core.sympify import SympifyError, _sympify
from sympy.printing.pretty.stringpict import prettyForm

from symtransformer.display import InNotebooks
from symtransformer.errors import NotSupported, UnreadableInput

_lambdify_module: Any = sys.modules["sympy.utilities.lambdify"]  # the name `lambdify` there is the function
ABSENT = Str("")  # stands where an optional argument is left out before one that is given


class _Held(ref["Node"]):
    """A node for as long as somebody else holds it, and where it is found."""

    __slots__ = ("key", "table")
    key: tuple[Any, ...]
    table: dict[tuple[Any, ...], _Held]


_numbers = itertools.count(1)
_interning = threading.RLock()  # a node may vanish, and be forgotten, while another is entered


def _forget(held: _Held, interning: threading.RLock = _interning) -> None:
    with interning:  # as a default, it is still there when Python ends and empties the modules
        if held.table.get(held.key) is held:
            del held.table[held.key]


# What `+`, `@`, `*`, `/`, `.T` build. Operations enter themselves here, because they are
# written in terms of nodes and not the other way round.
OPERATORS: dict[str, Callable[..., Node]] = {}
# How a foreign matrix becomes a node, by type; filled by `symbols` and by operations.
CONVERTERS: list[tuple[type, Callable[[Any], Node]]] = []


def _operator(name: str) -> Callable[..., Node]:
    if name not in OPERATORS:
        importlib.import_module("symtransformer.operations")
    return OPERATORS[name]


class Facts:
    """What is known of an expression beside its arguments; those that differ in names of letters only share it."""

    __slots__ = ("explicit", "families", "open_symbols", "plain", "shape", "symbols")

    def __init__(
        self,
        shape: tuple[Basic, Basic],
        open_symbols: frozenset[Basic],
        symbols: frozenset[Basic],
        families: frozenset[tuple[Basic, Basic]],
        plain: bool,
        explicit: bool,
    ) -> None:
        self.shape = shape
        self.open_symbols = open_symbols  # of numbers and heads
        self.symbols = symbols  # the same and those of sizes
        self.families = families  # letters that are counted inside, and how far
        self.plain = plain  # no composite is inside
        self.explicit = explicit  # every leaf is an explicit matrix


class Node(InNotebooks, MatrixExpr):  # noqa: PLW1641 - `__hash__` is one of its slots
    """A matrix expression of which there is one object for each distinct meaning."""

    # The hash is that of `Basic`, a running number: by address, the order of sets would change from run to run.
    # The slot `__hash__` holds `int.__hash__` of it, so that looking a node up calls no Python.
    __slots__ = ("__hash__", "__weakref__", "_children", "_digest", "_facts", "_known_letters", "_lacks")
    _op_priority = 20
    __array_ufunc__ = None  # NumPy then leaves `array @ node` to us
    bound: ClassVar[tuple[int, ...]] = ()  # positions of arguments that are bound letters
    matrices_first: ClassVar[int] = -1  # so many matrices, and then none; -1 where that is not known beforehand
    has_definition: ClassVar[bool] = False
    is_letter: ClassVar[bool] = False

    _children: tuple[Node, ...]
    _facts: Facts
    _known_letters: frozenset[Node] | None
    _lacks: str  # no letter inside has this name
    _digest: str

    _table: ClassVar[dict[tuple[Any, ...], _Held]]  # the nodes of this class, by their arguments
    _constants: ClassVar[tuple[Any, int]]  # what SymPy assumes of all of them, and how many matrices come first

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._table = {}
        cls._constants = cls.default_assumptions, cls.matrices_first

    @classmethod
    def _intern(cls, args: tuple[Basic, ...], key: tuple[Any, ...] | None = None) -> Node:
        """The one node of this class with these arguments (already of the right types)."""
        if key is None:
            key = args
        held = cls._table.get(key)
        if held is not None and (found := held()) is not None:
            return found
        node = cls._of(args)
        node._facts = node._find_facts()
        return node._entered(key)

    def _with_letters(self, args: tuple[Basic, ...], key: tuple[Any, ...] | None = None) -> Node:
        """The node of these arguments, which differ from its own in names of letters only: all else is known of it."""
        kind = type(self)
        node = object.__new__(kind)
        node._args = args
        node._assumptions, count = kind._constants
        node._mhash = number = next(_numbers)
        node.__hash__ = number.__hash__  # type: ignore[method-assign]
        node._known_letters = None
        node._children = args[:count] if count >= 0 else tuple([a for a in args if isinstance(a, Node)])  # type: ignore[assignment]
        node._facts = self._facts
        if key is None:
            key = args
        mine, table = _Held(node, _forget), kind._table
        mine.key, mine.table = key, table
        return node if table.setdefault(key, mine) is mine else node._entered(key)

    @classmethod
    def _of(cls, args: tuple[Basic, ...]) -> Node:
        """A node of which nothing is known yet."""
        node = object.__new__(cls)
        node._args = args
        node._assumptions, count = cls._constants  # as SymPy does it
        node._mhash = number = next(_numbers)
        node.__hash__ = number.__hash__  # type: ignore[method-assign]
        node._known_letters = None
        node._children = args[:count] if count >= 0 else tuple([a for a in args if isinstance(a, Node)])  # type: ignore[assignment]
        return node

    def _entered(self, key: tuple[Any, ...]) -> Node:
        """This node, or the one with the same arguments that was there before."""
        mine = _Held(self, _forget)
        mine.key, mine.table = key, (table := self._table)
        if table.setdefault(key, mine) is mine:  # in one go
            return self
        with _interning:
            found = table.setdefault(key, mine)()
            if found is None:  # that was another, which has just vanished
                table[key], found = mine, self
        return found

    # -- what a subclass answers, once ------------------------------------------------
    def _find_shape(self) -> tuple[Basic, Basic]:
        raise NotImplementedError

    def _find_facts(self) -> Facts:
        """All that is known of it: mostly what is known of its matrices, taken together."""
        shape, children, args, bound = self._find_shape(), self._children, self._args, self.bound
        known = children[0]._facts if children else _OF_NOTHING
        free, all_, families = known.open_symbols, known.symbols, known.families
        plain, explicit = known.plain, known.explicit
        for child in children[1:]:
            facts = child._facts
            if facts is not known:
                free, all_ = _joined(free, facts.open_symbols), _joined(all_, facts.symbols)
                families = _joined(families, facts.families)
                plain, explicit = plain and facts.plain, explicit and facts.explicit
        if len(children) < len(args):
            for arg in args:
                if not isinstance(arg, Node) and not arg.is_Integer and (symbols := _symbols_of(arg)):
                    free, all_ = _joined(free, symbols), _joined(all_, symbols)
            if bound:
                hidden = {args[k] for k in bound}
                free, all_ = free - hidden, all_ - hidden
                families = _joined(families, frozenset([(args[k], args[k + 1]) for k in bound]))
        return Facts(shape, free, all_, families, plain and not self.has_definition, explicit)

    def _value(self) -> Basic:
        """The explicit matrix that this node is, all leaves being explicit."""
        raise NotImplementedError

    def form(self) -> Any:
        """How an operation is written; a leaf has no form and writes itself."""
        return None

    def _named(self, position: int) -> str:
        """The name that has to be written before this argument; mostly none."""
        return ""

    def _written(self, dialect: str, from_zero: bool = False) -> str:
        raise NotImplementedError

    def _numpy_call(self, arguments: list[str], code: Any) -> str:
        raise NotImplementedError

    def entry(self, i: Any, j: Any, full: bool = False) -> Basic:
        raise NotImplementedError

    # -- identity ---------------------------------------------------------------------
    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __copy__(self) -> Node:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        return self

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return restore, (flatten(self),)

    def compare(self, other: Basic) -> int:
        if self is other:
            return 0
        if not isinstance(other, Node):
            return Basic.compare(self, other)  # by class: the opposite of `other.compare(self)`
        return -1 if digest(self) < digest(other) else 1

    def sort_key(self, order: str | None = None) -> tuple[Any, ...]:
        return self.class_key(), (1, (digest(self),)), S.One.sort_key(), S.One

    # -- facts computed once ------------------------------------------------------------
    args = Basic._args  # type: ignore[assignment]  # the slot itself: SymPy reads it through a property

    @property
    def shape(self) -> tuple[Basic, Basic]:
        return self._facts.shape

    @property
    def _open_symbols(self) -> frozenset[Basic]:
        return self._facts.open_symbols

    @property
    def _symbols(self) -> frozenset[Basic]:
        return self._facts.symbols

    @property
    def _families(self) -> frozenset[tuple[Basic, Basic]]:
        return self._facts.families

    @property
    def _plain(self) -> bool:
        return self._facts.plain

    @property
    def free_symbols(self) -> set[Basic]:
        return set(self._free)

    @property
    def _letters(self) -> frozenset[Node]:
        """Every letter in it, found when first asked for: kept at every node of a deep model they would be its square."""
        if self.is_letter:
            return frozenset((self,))  # not kept: a letter that holds itself would never vanish
        if self._known_letters is None:
            found: set[Node] = set()
            seen: set[Node] = set()
            waiting: list[Node] = [self]
            while waiting:
                node = waiting.pop()
                if node._known_letters is not None:
                    found |= node._known_letters
                elif node.is_letter:
                    found.add(node)
                elif node not in seen:
                    seen.add(node)
                    waiting += node._children
            self._known_letters = frozenset(found)
        return self._known_letters

    def _names_a_letter(self, name: str) -> bool:
        """Whether a letter in it has this name; what has none is not walked again for the same name."""
        seen: set[Node] = set()
        waiting: list[Node] = [self]
        while waiting:
            node = waiting.pop()
            if node in seen or getattr(node, "_lacks", "") == name:
                continue
            if node.is_letter and node._args[0].name == name:  # type: ignore[attr-defined]
                return True
            seen.add(node)
            waiting += node._children
        for node in seen:
            node._lacks = name
        return False

    @property
    def _free(self) -> frozenset[Basic]:
        """Letters, and what numbers and heads mention."""
        return self._letters | self._open_symbols

    @property
    def _mentions(self) -> frozenset[Basic]:
        """The same, and what only sizes mention."""
        return self._letters | self._symbols

    # -- walks over distinct nodes --------------------------------------------------------
    def atoms(self, *types: Any) -> set[Basic]:
        kinds = tuple(t if isinstance(t, type) else type(t) for t in types)
        found: set[Basic] = set()
        for node in postorder(self):
            if isinstance(node, kinds) if kinds else not node._children:
                found.add(node)
            for arg in node.args:
                if not isinstance(arg, Node):
                    found |= arg.atoms(*types)
        return found

    def has(self, *patterns: Any) -> bool:
        wanted = [p if isinstance(p, type) else _sympify(p) for p in patterns]
        for pattern in wanted:
            if isinstance(pattern, Symbol) and not isinstance(pattern, Wild):
                if pattern in self._symbols:
                    return True
                continue
            for node in postorder(self):
                if isinstance(node, pattern) if isinstance(pattern, type) else node == pattern:
                    return True
                if any(not isinstance(a, Node) and a.has(pattern) for a in node.args):
                    return True
        return False

    def find(self, query: Any, group: bool = False) -> Any:
        raise NotSupported(
            "find walks expanded trees and has no form on a nested matrix expression; "
            "use atoms(type), or symtransformer.node.postorder(expression)"
        )

    def count_ops(self, visual: Any = None) -> Basic:
        """The number of distinct operations (not of the expanded tree)."""
        return Integer(sum(1 for node in postorder(self) if node._children))

    def _xreplace(self, rule: Mapping[Basic, Any]) -> tuple[Any, bool]:
        result = substitute(self, rule)
        return result, result is not self

    def subs(self, *args: Any, **kwargs: Any) -> Any:
        """SymPy's `subs`; all at once (`simultaneous=True`) without its scalar placeholders for matrices."""
        if not kwargs.get("simultaneous"):
            return super().subs(*args, **kwargs)
        pairs = [args] if len(args) == 2 else args[0].items() if isinstance(args[0], Mapping) else args[0]
        rule = {_sympify(old): new for old, new in pairs}
        numbers = {old: _sympify(new) for old, new in rule.items() if not isinstance(old, Node)}
        return substitute(self, rule, lambda arg: arg.subs(numbers, simultaneous=True))

    def _subs(self, old: Basic, new: Any, **hints: Any) -> Any:
        is_letter = isinstance(old, Node) and old.is_letter
        if (is_letter or isinstance(old, Symbol)) and old not in self._symbols and old not in self._letters:
            return self
        if old is self:
            return as_node(new)

        def scalar(arg: Basic) -> Basic:
            return arg._subs(old, new, **hints)

        return substitute(self, {old: new}, scalar)

    def replace(self, query: Any, value: Any, map: bool = False, *_: Any, **__: Any) -> Any:
        """SymPy's `replace` by type, by function, or of one exact subexpression."""
        if isinstance(query, type):

            def matches(e: Any) -> bool:
                return isinstance(e, query)

        elif isinstance(query, Basic) and not query.has(Wild):

            def matches(e: Any) -> bool:
                return bool(e == query)

        elif callable(query) and not isinstance(query, Basic):
            matches = query
        else:
            raise NotSupported("replace by a Wild pattern walks expanded trees; use a type or a function")
        if isinstance(value, type) or (callable(value) and not isinstance(value, Basic)):
            by_args = isinstance(query, type)

            def new(e: Any) -> Any:
                return value(*e.args) if by_args else value(e)

        else:

            def new(e: Any) -> Any:
                return value

        done: dict[Any, Any] = {}

        def visit(node: Node, args: list[Any]) -> Any:
            result = _rebuilt(node, args)
            if isinstance(result, Node) and matches(result):
                done[result] = result = as_node(new(result))
            return result

        def scalar(arg: Any) -> Any:
            return arg if isinstance(arg, Str) else arg.replace(query, value)  # a name is no subexpression

        result = rebuild(self, visit, scalar)
        return (result, done) if map else result

    def doit(self, **hints: Any) -> Any:
        """The explicit matrix, if every leaf is one; otherwise the expression itself."""
        return self._value() if self._facts.explicit else self

    def simplify(self, **kwargs: Any) -> Any:
        return self

    _eval_simplify = simplify

    def diff(self, *symbols: Any, **assumptions: Any) -> Any:
        raise NotSupported(
            "SymPy's derivative of a matrix expression is wrong or unfinished for row-wise functions "
            "and is refused here; symtransformer.gradients.differentiate gives gradients as formulas. "
            "A single evaluated entry can be differentiated: evaluate(...)[1, 0].diff(t)"
        )

    def _eval_derivative(self, x: Any) -> Any:
        return self.diff(x)

    # -- entries ------------------------------------------------------------------------
    def _entry(self, i: Any, j: Any, **kwargs: Any) -> Basic:
        return self.entry(i, j)

    # -- Python's operators ---------------------------------------------------------------
    def _with(self, name: str, other: Any, swapped: bool = False) -> Any:
        try:
            other = as_node(other)
        except (UnreadableInput, NotSupported):
            return NotImplemented
        return _operator(name)(*((other, self) if swapped else (self, other)))

    def __add__(self, other: Any) -> Any:
        return self._with("add", other)

    def __radd__(self, other: Any) -> Any:
        return self._with("add", other, swapped=True)

    def __neg__(self) -> Any:
        return _operator("scale")(self, S.NegativeOne, S.One)

    def __sub__(self, other: Any) -> Any:
        other = _node_or_none(other)
        return NotImplemented if other is None else self + (-other)

    def __rsub__(self, other: Any) -> Any:
        other = _node_or_none(other)
        return NotImplemented if other is None else other + (-self)

    def __matmul__(self, other: Any) -> Any:
        return self._with("multiply", other)

    def __rmatmul__(self, other: Any) -> Any:
        return self._with("multiply", other, swapped=True)

    def __mul__(self, other: Any) -> Any:
        factor = _scalar_or_none(other)
        return self._with("multiply", other) if factor is None else _operator("scale")(self, factor, S.One)

    def __rmul__(self, other: Any) -> Any:
        factor = _scalar_or_none(other)
        if factor is None:
            return self._with("multiply", other, swapped=True)
        return _operator("scale")(self, factor, S.One)

    def __truediv__(self, other: Any) -> Any:
        divisor = _scalar_or_none(other)
        return NotImplemented if divisor is None else _operator("scale")(self, S.One, divisor)

    def __pow__(self, other: Any) -> Any:
        count = _scalar_or_none(other)
        if count is None or not count.is_Integer or not 1 <= int(count) <= 64:
            raise NotSupported(f"power of a matrix: the exponent must be a whole number from 1 to 64, not {other}")
        result: Any = self
        for _ in range(int(count) - 1):
            result = result @ self
        return result

    def transpose(self) -> Any:
        return _operator("transpose")(self)

    _eval_transpose = transpose
    adjoint = transpose  # entries are real
    _eval_adjoint = transpose

    def conjugate(self) -> Any:
        return self

    def inverse(self) -> Any:
        raise NotSupported("the inverse of a matrix is no operation of this library")

    inv = inverse
    _eval_inverse = inverse

    @property
    def I(self) -> Any:  # noqa: E743 - SymPy's name
        return self.inverse()

    def __abs__(self) -> Any:
        raise NotSupported("the absolute value of a matrix is no operation of this library")

    def __rtruediv__(self, other: Any) -> Any:
        raise NotSupported("a division by a matrix is not defined; divide entry by entry or by a number")

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice) or (isinstance(key, tuple) and any(isinstance(k, slice) for k in key)):
            raise NotSupported("slices: use Row(A, i) or ColumnSlice(A, start, width) of symtransformer.operations")
        return super().__getitem__(key)

    @property
    def T(self) -> Any:
        return self.transpose()

    # -- SymPy's printers -----------------------------------------------------------------
    def _sympystr(self, printer: Any) -> str:
        return self._written("text")

    def _latex(self, printer: Any) -> str:
        return self._written("latex")

    def _pretty(self, printer: Any) -> prettyForm:
        return prettyForm(self._written("text"))

    def _sympyrepr(self, printer: Any) -> str:
        """`restore(...)` of the flat table, so that the text grows with the graph."""
        rows = []
        for kind, args in flatten(self):
            cells = [f"Reference({a.index})" if isinstance(a, Reference) else printer.doprint(a) for a in args]
            rows.append(f"({kind.__name__}, ({', '.join(cells)},))")
        return f"restore(({', '.join(rows)},))"

    def _numpycode(self, printer: Any) -> str:
        """One tuple of assignments whose last member is the value: each node is computed once."""
        lines: list[str] = []
        names: dict[Node, str] = {}
        taken = {str(s) for s in self._mentions} | {str(x.args[0]) for x in postorder(self) if x.is_letter}
        for size, source in _sizes_to_read(self).items():
            lines.append(f"{size} := {source}")
        heads = {node.args[k] for node in postorder(self) for k in node.bound}
        for node in postorder(self):
            for position in node.bound:
                arange = printer._module_format(printer._module + ".arange")
                lines.append(f"{node.args[position]} := {arange}({printer.doprint(node.args[-1])})")
        for node in postorder(self):
            if node.is_letter:
                names[node] = node._numpy_call([], printer)
                continue
            # inside a family the head axis stands before the rows; what all heads share gets one of length 1
            inside = bool(node.bound or node._symbols & heads)
            arguments = [
                names[c] if not inside or c._symbols & heads else f"{names[c]}[..., None, :, :]" for c in node._children
            ]
            code = node._numpy_call(arguments, printer)
            name = f"step{len(names)}"
            while name in taken:
                name += "_"
            names[node] = name
            lines.append(f"{name} := {code}")
        if not lines:
            return names[self]
        return f"({', '.join(f'({line})' for line in lines)}, {names[self]})[-1]"


def _sizes_to_read(root: Node) -> dict[str, str]:
    """Sizes such as d_k that appear in formulas, read from the arrays that have them."""
    wanted = {s for node in postorder(root) for a in node.args if not isinstance(a, Node) for s in a.free_symbols}
    sources: dict[str, str] = {}
    for node in postorder(root):
        if not node.is_letter:
            continue
        for axis, size in ((-2, node.shape[0]), (-1, node.shape[1])):
            if size in wanted and isinstance(size, Symbol):
                sources.setdefault(str(size), f"{node.args[0]}.shape[{axis}]")
    return dict(sorted(sources.items()))


def _without_nodes(stock: Callable[..., Any]) -> Callable[..., Any]:
    """lambdify looks for functions with an implementation of their own, in every argument of every
    argument, before it prints; of a nested expression it would visit the whole tree. Nodes are
    visited once each here, and only their scalar arguments are searched.
    """

    def find(expression: Any, namespace: Any = None) -> Any:
        if not isinstance(expression, Node):
            return stock(expression, namespace)
        found = {} if namespace is None else namespace
        for node in postorder(expression):
            for arg in node.args:
                if not isinstance(arg, Node):
                    stock(arg, found)
        return found

    return find


# the one place where SymPy is changed: it offers no hook here
if hasattr(_lambdify_module, "_imp_namespace"):
    _lambdify_module._imp_namespace = _without_nodes(_lambdify_module._imp_namespace)


_NOTHING: frozenset[Any] = frozenset()
_OF_NOTHING = Facts((S.Zero, S.Zero), _NOTHING, _NOTHING, _NOTHING, plain=True, explicit=False)


@lru_cache(maxsize=1024)
def _symbols_of(scalar: Basic) -> frozenset[Basic]:
    """The symbols of a size or a factor: a model has thousands of a few."""
    return frozenset(scalar.free_symbols)


@lru_cache(maxsize=4096)
def _joined(one: frozenset[Any], other: frozenset[Any]) -> frozenset[Any]:
    """Both together; equal ones are one object, since a model says few of them often."""
    return one if one >= other else one | other


# -- the walks -------------------------------------------------------------------------------
def postorder(*roots: Node, stop: Callable[[Node], bool] | None = None) -> Iterator[Node]:
    """Every distinct node below the roots once, arguments before the node that uses them; nothing below a stop."""
    seen: set[Node] = set()
    stack: list[Node | None] = list(reversed(roots))
    while stack:
        node = stack.pop()
        if node is None:  # all below the next one is done
            yield stack.pop()  # type: ignore[misc]
        elif node not in seen:
            seen.add(node)
            if node._children and not (stop is not None and stop(node)):
                stack += (node, None, *reversed(node._children))
            else:
                yield node


def _rebuilt(node: Node, args: list[Any]) -> Any:
    if all(a is b for a, b in zip(args, node.args, strict=True)):
        return node
    return node.func(*args)


def rebuild(
    root: Node,
    visit: Callable[[Node, list[Any]], Any],
    scalar: Callable[[Basic], Basic],
    stays: Callable[[Node], bool] | None = None,
) -> Any:
    """Rebuild bottom-up: `visit(node, new arguments)` for nodes, `scalar` for other arguments; some nodes stay."""
    new: dict[Node, Any] = {}
    for node in postorder(root, stop=stays):
        if stays is not None and stays(node):
            new[node] = node
            continue
        args = [new[a] if isinstance(a, Node) else a if k in node.bound else scalar(a) for k, a in enumerate(node.args)]
        new[node] = visit(node, args)
    return new[root]


def substitute(root: Node, rule: Mapping[Any, Any], scalar: Callable[[Basic], Basic] | None = None) -> Any:
    """Replace exact subexpressions, each distinct node once; bound letters are never captured."""
    if scalar is None:

        def scalar(arg: Basic) -> Basic:
            return arg.xreplace(rule)

    def visit(node: Node, args: list[Any]) -> Any:
        if node in rule:
            return as_node(rule[node])
        if node.bound and isinstance(rule, Mapping):
            renamed = _without_capture(node, rule)
            if renamed is not None:
                return renamed
        return _rebuilt(node, args)

    if isinstance(rule, Mapping) and all(isinstance(key, Symbol) for key in rule):  # what mentions none is not walked
        return rebuild(root, visit, scalar, lambda node: node._symbols.isdisjoint(rule))
    return rebuild(root, visit, scalar)


def _without_capture(node: Node, rule: Mapping[Any, Any]) -> Any:
    """The substituted binder where its letter meets the rule; None where it does not."""
    (position,) = node.bound
    letter = node.args[position]
    inner = {k: v for k, v in rule.items() if k != letter and node.has(k)}
    in_values = any(letter in getattr(v, "free_symbols", ()) for v in inner.values())
    if letter not in rule and not in_values:
        return None
    args = list(node.args)
    if in_values:
        taken = set().union(node._mentions, *(getattr(v, "free_symbols", set()) for v in inner.values()))
        fresh, number = letter, 0
        while fresh in taken or fresh == letter:
            number += 1
            fresh = Symbol(f"{letter.name}{number}", **letter.assumptions0)
        args = [substitute(a, {letter: fresh}) if isinstance(a, Node) else a for a in args]
        args[position] = fresh
    new = [
        substitute(a, inner) if isinstance(a, Node) else a if k == position else a.xreplace(inner)
        for k, a in enumerate(args)
    ]
    return node.func(*new)


# -- flat form: pickling, srepr, digests --------------------------------------------------------
class Reference(Basic):
    """A row of the flat table."""

    def __new__(cls, index: Any) -> Reference:
        return Basic.__new__(cls, _sympify(index))  # type: ignore[return-value]

    @property
    def index(self) -> int:
        return int(self.args[0])


def flatten(root: Node) -> tuple[tuple[type[Node], tuple[Any, ...]], ...]:
    """The graph as a table: one row a node, arguments by row number."""
    index: dict[Node, int] = {}
    rows: list[tuple[type[Node], tuple[Any, ...]]] = []
    for node in postorder(root):
        args = tuple(Reference(index[a]) if isinstance(a, Node) else a for a in node.args)
        index[node] = len(rows)
        rows.append((type(node), args))
    return tuple(rows)


def restore(rows: tuple[tuple[type[Node], tuple[Any, ...]], ...]) -> Node:
    """The node of a flat table (the inverse of `flatten`)."""
    made: list[Node] = []
    for kind, args in rows:
        made.append(kind(*(made[a.index] if isinstance(a, Reference) else a for a in args)))
    return made[-1]


def digest(root: Node) -> str:
    """A text that is the same in every run for the same expression; orders nodes."""
    for node in postorder(root):
        if not hasattr(node, "_digest"):
            parts = [type(node).__name__]
            parts += [a._digest if isinstance(a, Node) else srepr(a) for a in node.args]
            node._digest = hashlib.blake2b("\x1f".join(parts).encode(), digest_size=12).hexdigest()
    return root._digest


# -- the door: what may stand beside a node ---------------------------------------------------
def check_index(node: Node, i: Basic, j: Basic) -> None:
    """Entries are counted from 0, and only from the front."""
    for index, size, what in ((i, node.shape[0], "row"), (j, node.shape[1], "column")):
        if index.is_Integer and (index < 0 or (size.is_Integer and index >= size)):  # type: ignore[operator]
            raise IndexError(f"{what} {index} of a matrix with {size} {what}s (Python counts from 0)")


def as_node(value: Any) -> Node:
    """A node from a node, an explicit matrix, an array, or one of SymPy's matrix expressions."""
    if isinstance(value, Node):
        return value
    for kind, convert in CONVERTERS:
        if isinstance(value, kind):
            return convert(value)
    if hasattr(value, "__array__") and getattr(value, "ndim", 0) == 2:
        return as_node(_from_array(value))
    if isinstance(value, MatrixExpr):
        raise NotSupported(
            f"no operation of this library stands for SymPy's {type(value).__name__}; "
            "build the expression from matrix letters and symtransformer.operations"
        )
    raise UnreadableInput(f"expected a matrix, got {type(value).__name__}; pass a matrix letter or a SymPy Matrix")


def _from_array(value: Any) -> Any:
    from_rows = {k.__name__: f for k, f in CONVERTERS}["list"]
    return from_rows([list(row) for row in value])


def _node_or_none(value: Any) -> Node | None:
    try:
        return as_node(value)
    except (UnreadableInput, NotSupported):
        return None


def _scalar_or_none(value: Any) -> Any:
    if isinstance(value, (Node, str)) or (hasattr(value, "shape") and getattr(value, "shape", ()) != ()):
        return None
    try:
        scalar = _sympify(value)
    except SympifyError:
        return None
    return None if getattr(scalar, "is_Matrix", False) else scalar
