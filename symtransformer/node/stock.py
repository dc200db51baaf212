"""What SymPy asks of an expression, answered by one walk over its distinct nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Basic, Integer, S, Symbol, Wild
from sympy.core.symbol import Str
from sympy.core.sympify import _sympify
from sympy.printing.pretty.stringpict import prettyForm

from symtransformer.errors import NotSupported
from symtransformer.node.arithmetic import Arithmetic
from symtransformer.node.door import as_node
from symtransformer.node.flat import Reference, digest, flatten, restore
from symtransformer.node.interned import Interned
from symtransformer.node.lambdified import tuple_of_steps
from symtransformer.node.walks import postorder, rebuild, rebuilt, substitute


class AnsweringSymPy(Arithmetic):
    """Every method of SymPy that would walk a tree; where there is no answer, what to use instead."""

    __slots__ = ()

    # -- walks over distinct nodes --------------------------------------------------------
    def atoms(self, *types: Any) -> set[Basic]:
        kinds = tuple(t if isinstance(t, type) else type(t) for t in types)
        found: set[Basic] = set()
        for node in postorder(self):
            if isinstance(node, kinds) if kinds else not node._children:
                found.add(node)
            for arg in node.args:
                if not isinstance(arg, Interned):
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
                if any(not isinstance(a, Interned) and a.has(pattern) for a in node.args):
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
        numbers = {old: _sympify(new) for old, new in rule.items() if not isinstance(old, Interned)}
        return substitute(self, rule, lambda arg: arg.subs(numbers, simultaneous=True))

    def _subs(self, old: Basic, new: Any, **hints: Any) -> Any:
        is_letter = isinstance(old, Interned) and old.is_letter
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

        def visit(node: Interned, args: list[Any]) -> Any:
            result = rebuilt(node, args)
            if isinstance(result, Interned) and matches(result):
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

    # -- order and pickling -----------------------------------------------------------------
    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return restore, (flatten(self),)

    def compare(self, other: Basic) -> int:
        if self is other:
            return 0
        if not isinstance(other, Interned):
            return Basic.compare(self, other)  # by class: the opposite of `other.compare(self)`
        return -1 if digest(self) < digest(other) else 1

    def sort_key(self, order: str | None = None) -> tuple[Any, ...]:
        return self.class_key(), (1, (digest(self),)), S.One.sort_key(), S.One

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
        return tuple_of_steps(self, printer)
