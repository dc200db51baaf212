"""Entries of expressions in normal form, down to the entries of the letters.

Each operation gives the formula of one entry in SymPy's terms; `scalar_formulas` reads it into records.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from sympy import Dummy, Expr, S, Symbol

from symtransformer.errors import LimitExceeded, NotSupported
from symtransformer.formulas.algebra import added, minus, times
from symtransformer.formulas.derivatives import Variable
from symtransformer.formulas.functions import FORTH, condition_of, function_of, permuted
from symtransformer.formulas.scalar_formulas import ENTRIES_AT_MOST, ScalarReader, Values
from symtransformer.formulas.terms import IS_0, Formula, call_of, number_in, single, spend
from symtransformer.node import Node, postorder
from symtransformer.operation import Primitive
from symtransformer.operations.addition import Addition
from symtransformer.symbols import Entry, Letter, Literal

DEPTH_AT_MOST = 40
_letters: list[Dummy] = []  # letters that no expression can mention: places of entries, and those bound by sums


def added_up(node: Node) -> list[tuple[Node, int]]:
    """What a sum of sums adds up, and how often: however many there are, none is nested in another."""
    times_used = Counter({node: 1})
    order = list(postorder(node, stop=lambda part: not isinstance(part, Addition)))
    for part in reversed(order):
        if isinstance(part, Addition):
            for term in part._children:
                times_used[term] += times_used[part]
    return [(part, times_used[part]) for part in order if not isinstance(part, Addition)]


class _Argument(Letter):
    """A letter for an argument, unlike every letter that an expression holds."""

    __slots__ = ()


class Reader(ScalarReader):
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
            if isinstance(node, Addition):
                self.known[key] = added(*(times(self.entry_of(x, i, j, inside), n) for x, n in added_up(node)))
                return self.known[key]
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

    def variable_of(self, entry: Any, values: Values) -> Variable:
        """The entry of a letter by which a formula is differentiated."""
        parent: Any = entry.parent if isinstance(entry, Entry) else None
        head = parent.head if isinstance(parent, Letter) else None
        letter, symbol = self.standing_for.get(parent if head is None else parent.family, (None, None))
        if not isinstance(letter, Letter) or letter.is_permutation:
            raise NotSupported("a derivative by something that is no entry of a letter")
        inside = values if symbol is None else {**values, symbol: self.formula(head, values)}
        places = [self.formula(entry.i, values), self.formula(entry.j, values)]
        if letter.head is None:
            return Variable(self.name(letter, letter.name), tuple(places))
        return Variable(self.name(letter.family, letter.name), (self.formula(letter.head, inside), *places))

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
