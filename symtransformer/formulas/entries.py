"""Entries of expressions in normal form, down to the entries of the letters.

Each operation gives the formula of one entry in SymPy's terms; here it is read into records.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from sympy import (
    Abs,
    Add,
    And,
    Basic,
    Dummy,
    Equality,
    Expr,
    Function,
    KroneckerDelta,
    Max,
    Min,
    Mod,
    Mul,
    Not,
    NumberSymbol,
    Or,
    Piecewise,
    Pow,
    Rational,
    S,
    Sum,
    Symbol,
    Unequality,
    asinh,
    atan,
    cos,
    cosh,
    erf,
    exp,
    floor,
    log,
    sin,
    sinh,
    tanh,
)  # fmt: skip
from sympy.core.relational import GreaterThan, LessThan, Relational, StrictGreaterThan, StrictLessThan
from sympy.logic.boolalg import BooleanFalse, BooleanTrue

from symtransformer.errors import LimitExceeded, NotSupported
from symtransformer.formulas.algebra import added, by_cases, minus, power_of, product, product_of, times
from symtransformer.formulas.functions import FORTH, condition_of, function_of, is_nonnegative, permuted
from symtransformer.formulas.sums import new_letter, summed
from symtransformer.formulas.terms import (
    ABOVE_0,
    AT_LEAST_0,
    IS_0,
    MINUS_INFINITY,
    ONE,
    ZERO,
    Formula,
    call_of,
    constant,
    number_in,
    single,
    spend,
)  # fmt: skip
from symtransformer.node import Node
from symtransformer.operation import Primitive
from symtransformer.symbols import Entry, Letter, Literal

DEPTH_AT_MOST, ENTRIES_AT_MOST = 40, 64
Values = Mapping[Basic, Formula]

_FUNCTIONS: dict[Any, str] = {
    function: function.__name__
    for function in (sin, cos, log, floor, tanh, erf, sinh, cosh, atan, asinh, Abs, Max, Min)
}
_FACTS = ("integer", "positive", "nonnegative")
_letters: list[Dummy] = []  # letters that no expression can mention: places of entries, and those bound by sums


class _Argument(Letter):
    """A letter for an argument, unlike every letter that an expression holds."""

    __slots__ = ()


class Reader:
    """Reads entries of expressions, and SymPy's formulas of them, into normal form."""

    def __init__(self) -> None:
        self.names: dict[Any, str] = {}
        self.elements: dict[Node, tuple[Expr, Symbol, Symbol]] = {}
        self.standing_for: dict[Node, tuple[Node, Symbol | None]] = {}
        self.letters: dict[tuple[Node, Symbol | None], Letter] = {}
        self.known: dict[Any, Formula] = {}
        self.count = self.depth = 0

    def entry_of(self, node: Node, i: Formula, j: Formula, values: Values) -> Formula:
        inside = {s: values[s] for s in node._mentions if s in values}
        if isinstance(node, Literal):
            return self.of_literal(node, i, j, inside)
        if isinstance(node, Letter):
            return self.of_letter(node, i, j, inside)
        key = (node, i, j, frozenset(inside.items()))
        if key not in self.known:
            self.depth += 1
            if self.depth > DEPTH_AT_MOST or not isinstance(node, Primitive):
                raise LimitExceeded(f"more than {DEPTH_AT_MOST} nested operations, or a composite")
            element, row, column = self.element_of(node)
            self.known[key] = self.formula(element, {**inside, row: i, column: j})
            self.depth -= 1
        return self.known[key]

    def element_of(self, node: Primitive) -> tuple[Expr, Symbol, Symbol]:
        """The operation's own formula, of letters in place of its arguments: SymPy would walk through them as trees."""
        if node not in self.elements:
            head: Any = node.args[node.bound[0]] if node.bound else None
            args = [self.letter_for(a, head) if isinstance(a, Node) else a for a in node.args]
            alone = node.func(*args)
            if type(alone) is not type(node):
                raise NotSupported(f"{type(node).__name__} of letters is another operation")
            row, column = self.letter(), self.letter()
            self.elements[node] = (alone.element(row, column, self.letter), row, column)
        return self.elements[node]

    def letter_for(self, argument: Node, head: Symbol | None) -> Letter:
        if (argument, head) not in self.letters:
            letter = _Argument(f"E{len(self.letters)}", *argument.shape)
            self.standing_for[letter] = (argument, head)
            self.letters[argument, head] = letter if head is None else letter.of_head(head)
        return self.letters[argument, head]

    def of_entry(self, entry: Entry, values: Values) -> Formula:
        """An entry of an argument, for the head that its letter got."""
        parent: Any = entry.parent
        head = parent.head if isinstance(parent, Letter) else None
        behind = self.standing_for.get(parent if head is None else parent.family)
        if behind is None:
            raise NotSupported(f"{parent} is no argument")
        argument, symbol = behind
        inside = values if symbol is None else {**values, symbol: self.formula(head, values)}
        return self.entry_of(argument, self.formula(entry.i, values), self.formula(entry.j, values), inside)

    def letter(self) -> Symbol:
        """A letter for SymPy's formulas that no expression mentions, nor any other formula of this proof."""
        spend(5)
        self.count += 1
        while len(_letters) < self.count:
            _letters.append(Dummy(f"b{len(_letters)}", integer=True, nonnegative=True))
        return _letters[self.count - 1]

    def name(self, thing: Any, shown: str) -> str:
        return self.names.setdefault(thing, f"{shown}#{len(self.names)}")

    def of_letter(self, letter: Letter, i: Formula, j: Formula, values: Values) -> Formula:
        if any(s in values for size in letter.shape for s in size.free_symbols):
            raise NotSupported(f"the size of {letter} depends on a letter that is counted")
        if letter.head is not None:
            head = self.formula(letter.head, values)
            return function_of(self.name(letter.family, letter.name), (head, i, j))
        name = self.name(letter, letter.name)
        if letter.is_permutation:
            return condition_of(IS_0, minus(j, permuted(FORTH + name, i, self.formula(letter.shape[0], values))))
        return function_of(name, (i, j))

    def of_literal(self, literal: Literal, i: Formula, j: Formula, values: Values) -> Formula:
        row, column = number_in(i), number_in(j)
        matrix = literal.matrix
        if matrix.has(S.Infinity):
            raise NotSupported("a literal with +∞")
        if isinstance(row, int) and isinstance(column, int):
            if row < 0 or column < 0:
                raise NotSupported("an entry before the first")
            return self.formula(matrix[row, column], values)
        entries = set(matrix.flat())
        if len(entries) == 1 and S.NegativeInfinity not in entries:
            return self.formula(matrix[0, 0], values)
        if not matrix.free_symbols:
            return function_of(self.name(literal, "literal"), (i, j))
        if len(matrix) > ENTRIES_AT_MOST or S.NegativeInfinity in entries:
            raise NotSupported("a large literal of letters")
        shown = f"literal of {matrix.rows} rows"
        return single(call_of(shown, (i, j, *(self.formula(x, values) for x in matrix.flat()))))

    # -- SymPy's formulas -----------------------------------------------------------------------------
    def formula(self, x: Any, values: Values) -> Formula:
        spend()
        if isinstance(x, Rational):
            return constant(Fraction(int(x.p), int(x.q)) if x.q != 1 else int(x.p))
        if isinstance(x, Symbol):
            return values[x] if x in values else self.of_symbol(x)
        if isinstance(x, Entry):
            return self.of_entry(x, values)
        if isinstance(x, (Add, Mul)):
            parts = [self.formula(a, values) for a in x.args]
            return added(*parts) if isinstance(x, Add) else product_of(parts)
        if isinstance(x, Pow):
            return self.of_power(x.base, x.exp, values)
        if isinstance(x, Sum):
            return self.of_sum(x, values)
        if isinstance(x, Piecewise):
            return self.of_pieces(x, values)
        if isinstance(x, KroneckerDelta):
            return condition_of(IS_0, minus(self.formula(x.args[0], values), self.formula(x.args[1], values)))
        if x is S.NegativeInfinity:
            return single(call_of(MINUS_INFINITY, ()))
        if isinstance(x, NumberSymbol):
            return function_of("exp", (ONE,)) if x is S.Exp1 else single(call_of(str(x), (), frozenset(("positive",))))
        if isinstance(x, (Function, Max, Min)):
            return self.of_function(x, values)
        raise NotSupported(f"no normal form of a {type(x).__name__}")

    def of_symbol(self, symbol: Symbol) -> Formula:
        if isinstance(symbol, Dummy):
            raise NotSupported("a counted letter outside of its sum")
        facts = frozenset(f for f in _FACTS if getattr(symbol, f"is_{f}"))
        return single(call_of(self.name(symbol, symbol.name), (), facts))

    def of_function(self, x: Any, values: Values) -> Formula:
        args = tuple(self.formula(a, values) for a in x.args)
        if isinstance(x, Mod):
            return minus(args[0], product(args[1], function_of("floor", (product(args[0], power_of(args[1], -1)),))))
        if isinstance(x, exp):
            return function_of("exp", args)
        return function_of(
            _FUNCTIONS[x.func] if x.func in _FUNCTIONS else self.name(x.func, f"function {x.func.__name__}"), args
        )

    def of_power(self, base: Any, exponent: Any, values: Values) -> Formula:
        below = self.formula(base, values)
        if isinstance(exponent, Rational):
            return power_of(below, Fraction(int(exponent.p), int(exponent.q)))
        above = self.formula(exponent, values)
        if base.is_positive is True:
            return function_of("exp", (product(above, function_of("log", (below,))),))
        return single(call_of("power", (below, above)))

    def of_sum(self, x: Sum, values: Values) -> Formula:
        return self.summed(x.function, list(x.limits), values)

    def summed(self, body: Any, limits: list[Any], values: Values) -> Formula:
        """A sum over several letters, the last of which is the outermost."""
        if not limits:
            return self.formula(body, values)
        *inner, (letter, low, high) = limits
        first = self.formula(low, values)
        size = added(minus(self.formula(high, values), first), ONE)
        count = number_in(size)
        if size.free or not is_nonnegative(size):
            raise NotSupported("a sum over a range that may end before it starts")
        if spend(0).written_out and isinstance(count, int) and count <= ENTRIES_AT_MOST:
            each = (added(first, constant(k)) for k in range(count))
            return added(*(self.summed(body, inner, {**values, letter: value}) for value in each))
        made, value = new_letter(size)
        return summed(made, self.summed(body, inner, {**values, letter: added(value, first)}))

    def of_pieces(self, x: Piecewise, values: Values) -> Formula:
        """Each piece times the condition that it is the one; the last one is meant where no other is."""
        total, left = ZERO, ONE
        for k, (value, condition) in enumerate(x.args):
            holds = ONE if k == len(x.args) - 1 else self.condition(condition, values)
            here = product(left, holds)
            if here != ZERO:
                total = added(total, product(here, self.formula(value, values)))
            left = product(left, _negated(holds))
        return total

    def condition(self, x: Any, values: Values) -> Formula:
        if isinstance(x, (BooleanTrue, BooleanFalse)):
            return ONE if x == S.true else ZERO
        if isinstance(x, And):
            return product_of([self.condition(a, values) for a in x.args])
        if isinstance(x, Or):
            return _negated(product_of([_negated(self.condition(a, values)) for a in x.args]))
        if isinstance(x, Not):
            return _negated(self.condition(x.args[0], values))
        if isinstance(x, Relational):
            difference = minus(self.formula(x.lhs, values), self.formula(x.rhs, values))
            for kind, name, sign in _RELATIONS:
                if isinstance(x, kind):
                    return condition_of(name, times(difference, sign))
            if isinstance(x, Unequality):
                return _negated(condition_of(IS_0, difference))
        raise NotSupported(f"no normal form of the condition {type(x).__name__}")


_RELATIONS: tuple[tuple[Any, str, int], ...] = (
    (GreaterThan, AT_LEAST_0, 1), (LessThan, AT_LEAST_0, -1),
    (StrictGreaterThan, ABOVE_0, 1), (StrictLessThan, ABOVE_0, -1), (Equality, IS_0, 1),
)  # fmt: skip


def _negated(condition: Formula) -> Formula:
    return by_cases((condition,), lambda held: minus(ONE, held))
