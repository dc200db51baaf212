r"""Formulas of one vector, entry by entry: x Φ(x), γ (x − μ)/√(σ² + ε) + β, e^{x_i}/Σ_j e^{x_j}.

Every letter is a number or a row of the one length d; a number beside a row stands in every entry, and a product or a
quotient of two rows goes entry by entry. A function is the library's operation of that name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from sympy import Add, Expr, Integer, KroneckerDelta, Mul, Pow, Rational, S, Sum, Symbol, erf, exp, log, pi, sqrt, tanh
from sympy import cos as cosine
from sympy import sin as sine

from symtransformer.checking.formula_syntax import (
    Call,
    Delta,
    Factors,
    Indexed,
    Named,
    Number,
    Part,
    Power,
    Terms,
    Total,
)  # fmt: skip
from symtransformer.errors import SymtransformerError, UnreadableInput
from symtransformer.node import Node
from symtransformer.operation import REGISTRY
from symtransformer.operations.entry_formula import EntryFormula
from symtransformer.reading import numbers
from symtransformer.reading.index_values import Value, restricted, scalar, times
from symtransformer.reading.limits import POWER
from symtransformer.symbols import Entry, parameter

ENTRYWISE: Mapping[str, Callable[[Any], Any]] = {
    "exp": lambda x: exp(x, evaluate=False), "log": lambda x: log(x, evaluate=False), "tanh": lambda x: tanh(x, evaluate=False),
    "erf": lambda x: erf(x, evaluate=False), "sin": lambda x: sine(x, evaluate=False), "cos": lambda x: cosine(x, evaluate=False),
    "sqrt": lambda x: Pow(x, S.Half, evaluate=False),
    "sigmoid": lambda x: Pow(Add(1, exp(-x, evaluate=False), evaluate=False), S.NegativeOne, evaluate=False),
    "Phi": lambda x: times(S.Half, Add(1, erf(times(x, 1 / sqrt(2))), evaluate=False)),
}  # fmt: skip
ONE_ARGUMENT = {"softmax": "Softmax", "relu": "ReLU", "gelu": "GELU", "silu": "SiLU", "swish": "SiLU"}
AVERAGES = ("mean", "E", "var", "Var", "sum", "norm2", "std")
LENGTHS = frozenset(("d", "n", "m", "N", "D", "H", "K", "C", "d_model", "d_k", "V", "L", "M"))


class NoReading(UnreadableInput):
    """What has no meaning as a formula of one vector."""


@dataclass
class RowFormula:
    """`letters` are rows (or numbers, 1 x 1) by name, `formulas` what other names stand for; `length` is d."""

    letters: Mapping[str, Node]
    formulas: Mapping[str, Expr]
    length: Any
    inner: bool = False  # · is the inner product
    places: dict[str, Any] = field(default_factory=dict)
    lengths: set[str] = field(default_factory=set)  # what the length is called: one name, or nothing is known
    count: int = 0
    has_maximum: bool = False  # max(x) is taken for any number

    def symbol(self) -> Symbol:
        self.count += 1
        return Symbol(f"‹k{self.count}›′", integer=True, nonnegative=True)

    def value(self, part: Part) -> Value:
        return getattr(self, f"_{type(part).__name__.lower()}")(part)  # type: ignore[no-any-return]

    def node(self, part: Part, index: str = "") -> Node:
        """The 1 x d (or 1 x 1) matrix of a formula; `index` is that of its entries."""
        i, j = self.symbol(), self.symbol()
        if index:
            self.places[index] = j
        value = self.value(part)
        if index:
            if not value.is_number:
                raise NoReading("an entry on the left side, and a vector on the right side")
            return EntryFormula.of(S.One, self.length, i, j, value.number)
        return EntryFormula.of(S.One, value.columns, i, j, value.at(S.Zero, j))

    # -- leaves -----------------------------------------------------------------------------------------------------
    def _number(self, part: Number) -> Value:
        return scalar(numbers.decimal(part.text))

    def _named(self, part: Named) -> Value:
        if part.name in self.letters:
            return self._at(row_of(self.letters[part.name]), part.indices)
        if part.name in self.formulas and not part.indices:
            return scalar(self.formulas[part.name])
        if part.name == "pi":
            return scalar(pi)
        if part.name in LENGTHS and not part.indices:
            return scalar(self._length(part.name))
        raise NoReading(f"{part.name} is nothing that is known here")

    def _length(self, name: str) -> Any:
        self.lengths |= {name} if name else set()
        if len(self.lengths) > 1:
            raise NoReading(f"{' and '.join(sorted(self.lengths))} could be two lengths")
        return self.length

    def _at(self, value: Value, indices: tuple[str, ...]) -> Value:
        if not indices:
            return value
        if len(indices) != 1 or value.is_number:
            raise NoReading("a vector has one index, and a number none")
        return scalar(value.at(S.Zero, self._place(indices[0])))

    def _place(self, index: str) -> Any:
        if index.isdigit():
            return Integer(int(index) - 1)
        if index not in self.places:
            raise NoReading(f"the index {index} is neither on the left side nor summed over")
        return self.places[index]

    def _delta(self, part: Delta) -> Value:
        return scalar(KroneckerDelta(self._place(part.left), self._place(part.right)))

    def _indexed(self, part: Indexed) -> Value:
        return self._at(self.value(part.inner), part.indices)

    def _transposed(self, part: Part) -> Value:
        raise NoReading("a transpose in a formula of one vector")

    # -- sums and products ------------------------------------------------------------------------------------------
    def _total(self, part: Total) -> Value:
        if part.upper and part.upper not in LENGTHS:
            raise NoReading(f"the sum ends at {part.upper}, which is no length here")
        self._length(part.upper)
        if part.letter in self.places:
            raise NoReading(f"{part.letter} is free here, and the sum goes over it too")
        k = self.places[part.letter] = self.symbol()
        body = self.value(part.body)
        if not body.is_number:
            raise NoReading("a sum of vectors")
        inside = (
            restricted(part.condition[0], k, self._place(part.condition[1]), body.number)
            if part.condition
            else body.number
        )
        del self.places[part.letter]
        return scalar(Sum(inside, (k, S.Zero, self.length - 1)))

    def _wide(self, *values: Value) -> Any:
        return next((v.columns for v in values if not v.is_number), S.One)

    def _together(self, values: list[Value], join: Callable[[list[Expr]], Expr]) -> Value:
        def at(i: Any, j: Any) -> Expr:
            return join([v.number if v.is_number else v.at(S.Zero, j) for v in values])

        return Value(S.One, self._wide(*values), at)

    def _terms(self, part: Terms) -> Value:
        values = [self.value(p) for _, p in part.terms]
        if len(values) == 1 and part.terms[0][0] == "+":
            return values[0]
        signs = [sign for sign, _ in part.terms]

        def join(terms: list[Expr]) -> Expr:
            signed = [t if s == "+" else Mul(-1, t, evaluate=False) for s, t in zip(signs, terms, strict=True)]
            return Add(*signed, evaluate=False)

        return self._together(values, join)

    def _factors(self, part: Factors) -> Value:
        result = self.value(part.factors[0][1])
        for sign, p in part.factors[1:]:
            right = self.value(p)
            if sign == "." and self.inner and not result.is_number and not right.is_number:
                k = self.symbol()
                result = scalar(Sum(times(result.at(S.Zero, k), right.at(S.Zero, k)), (k, S.Zero, self.length - 1)))
            elif sign == "/":
                if right.is_number and right.number.is_zero:
                    raise NoReading("a division by 0")
                result = self._together([result, right], lambda ab: times(ab[0], Pow(ab[1], -1, evaluate=False)))
            else:
                result = self._together([result, right], lambda ab: times(ab[0], ab[1]))
        return result

    def _power(self, part: Power) -> Value:
        base, exponent = self.value(part.base), self.value(part.exponent)
        power = (
            exponent.number.doit() if exponent.is_number and not exponent.number.free_symbols else None
        )  # −5 is −1 · 5
        if not isinstance(power, Rational) or power.q not in (1, 2) or abs(power) > POWER:
            raise NoReading(f"an exponent is a whole or half number up to {POWER}")
        return self._together([base], lambda a: Pow(a[0], power, evaluate=False))

    # -- functions --------------------------------------------------------------------------------------------------
    def _call(self, part: Call) -> Value:
        name = "sigmoid" if part.function == "sigma" else part.function
        if part.words:
            raise NoReading(f"{name} with keywords")
        if name in ("max", "Max") and len(part.arguments) == 2:
            return self._maximum(*part.arguments)
        if len(part.arguments) != 1:
            raise NoReading(f"{name} of {len(part.arguments)} arguments")
        inner = self.value(part.arguments[0])
        if name in ("max", "Max") and not inner.is_number:
            return scalar(self._largest(part, inner))
        if name in AVERAGES:
            return self._average(name, inner)
        function = ENTRYWISE.get(name) or ENTRYWISE.get(name.casefold())
        if function is not None:
            return self._together([inner], lambda a: function(a[0]))
        if (known := ONE_ARGUMENT.get(name.casefold())) is not None:
            return self._operation(known, inner)
        raise NoReading(f"{name} is no function of one vector that is known here")

    def _largest(self, part: Call, inner: Value) -> Expr:
        """Any number, the same for the same part; of two entries the larger one."""
        if self.length == 2:
            one, other = (inner.at(S.Zero, Integer(k)) for k in (0, 1))
            return Add(other, self._operation("ReLU", scalar(Add(one, Mul(-1, other)))).number, evaluate=False)
        self.has_maximum = True
        return parameter(f"largest{sha256(repr(part).encode()).hexdigest()[:8]}")

    def _operation(self, name: str, inner: Value) -> Value:
        i, j = self.symbol(), self.symbol()
        try:
            made = REGISTRY[name](EntryFormula.of(S.One, inner.columns, i, j, inner.at(S.Zero, j)))
        except SymtransformerError as error:
            raise NoReading(str(error)) from error
        return Value(S.One, inner.columns, lambda i, j: Entry(made, S.Zero, j if inner.columns != 1 else S.Zero))

    def _maximum(self, left: Part, right: Part) -> Value:
        """max(0, x)."""
        a, b = self.value(left), self.value(right)
        if b.is_number and b.number == 0:
            a, b = b, a
        if not (a.is_number and a.number == 0):
            raise NoReading("a maximum of two numbers of which none is 0")
        return self._operation("ReLU", b)

    def _average(self, name: str, inner: Value) -> Value:
        def total(term: Callable[[Any], Expr]) -> Expr:
            k = self.symbol()
            return Sum(term(k), (k, S.Zero, self.length - 1))

        if inner.is_number:
            raise NoReading(f"{name} of a number")
        if name == "sum":
            return scalar(total(lambda k: inner.at(S.Zero, k)))
        if name == "norm2":
            return scalar(Pow(total(lambda k: Pow(inner.at(S.Zero, k), 2, evaluate=False)), S.Half, evaluate=False))
        mean = times(total(lambda k: inner.at(S.Zero, k)), Pow(self.length, -1))
        if name in ("mean", "E"):
            return scalar(mean)
        deviation = total(
            lambda k: Pow(Add(inner.at(S.Zero, k), Mul(-1, mean, evaluate=False), evaluate=False), 2, evaluate=False)
        )
        variance = times(deviation, Pow(self.length, -1))
        return scalar(Pow(variance, S.Half, evaluate=False) if name == "std" else variance)


def row_of(node: Node) -> Value:
    """A row, a column or a 1 x 1 letter as a row of entries."""
    rows, columns = node.shape
    if columns != 1:
        return Value(S.One, columns, lambda i, j: Entry(node, S.Zero, j))
    return Value(S.One, rows, lambda i, j: Entry(node, j if rows != 1 else S.Zero, S.Zero))
