"""The arithmetic of one entry as a small tree, in the order in which it is written.

SymPy sorts factors and merges equal ones; a worked solution must not. The tree is built from
the operation's own entry formula, and is printed, or computed again from the shown operands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sympy import Add, Basic, Expr, Max, Mul, Piecewise, Pow, Product, S, Sum, cos, erf, exp, log, sin, sqrt, tanh
from sympy.core.relational import Relational
from sympy.matrices.expressions.matexpr import MatrixElement

from symtransformer.errors import NotSupported
from symtransformer.node import Node
from symtransformer.operation import Operation, unfolded
from symtransformer.symbols import Letter, Literal, fresh_indices

LEAVES_AT_MOST = 400
FUNCTIONS = {Max: "max", cos: "cos", erf: "erf", log: "log", sin: "sin", tanh: "tanh"}


@dataclass(frozen=True)
class Arithmetic:
    """kind: entry, number, shown, sum, product, quotient, power, exp; or call: name, function, place in a row, operands."""

    kind: str
    parts: tuple[Any, ...]

    def leaves(self) -> list[Arithmetic]:
        if self.kind in ("entry", "number", "shown"):
            return [self]
        return [leaf for part in self.parts if isinstance(part, Arithmetic) for leaf in part.leaves()]


def entry_arithmetic(expression: Node, i: int, j: int) -> Arithmetic:
    """The arithmetic of entry (i, j), counted from 0, of an expression with numeric sizes."""
    tree = _of_entry(expression, S(i), S(j))
    if len(tree.leaves()) > LEAVES_AT_MOST:
        raise NotSupported(f"the arithmetic of one entry has more than {LEAVES_AT_MOST} terms; use --detail steps")
    return tree


def _of_entry(parent: Any, i: Any, j: Any) -> Arithmetic:
    if isinstance(parent, Letter):
        return Arithmetic("entry", (parent, int(i), int(j)))
    if isinstance(parent, Operation):
        parent = unfolded(parent)
        if isinstance(parent, Letter):
            return _of_entry(parent, i, j)
        fresh = fresh_indices(parent._mentions)
        formula = parent.element(i, j, lambda: next(fresh))  # type: ignore[attr-defined]
        return _by_name(parent, i, j, formula) or _of(formula, {})
    return Arithmetic("number", (parent.entry(i, j),))


def _by_name(parent: Operation, i: Any, j: Any, formula: Any) -> Arithmetic | None:
    """step(x_11), or entry 1 of hardmax(x_11, x_12), where the formula asks how large entries are."""
    if not any(condition.has(MatrixElement) for condition in formula.atoms(Relational)):
        return None
    name, argument = str(getattr(parent.notation, "name", "")), parent.args[0]
    if formula.has(Sum, Product):
        row = [_of_entry(argument, i, S(k)) for k in range(int(argument.shape[1]))]  # type: ignore[attr-defined]
        return Arithmetic("call", (name, type(parent), int(j), *row))
    return Arithmetic("call", (name, type(parent), None, _of_entry(argument, i, j)))


def _of(formula: Any, env: dict[Basic, Basic]) -> Arithmetic:
    if isinstance(formula, MatrixElement):
        parent = formula.parent.xreplace(env) if isinstance(formula.parent, Operation) and env else formula.parent
        return _of_entry(parent, formula.i.xreplace(env), formula.j.xreplace(env))
    if isinstance(formula, Sum):
        letter, low, high = formula.limits[0]
        span = range(int(low.xreplace(env)), int(high.xreplace(env)) + 1)
        return _joined("sum", [_of(formula.function, {**env, letter: S(k)}) for k in span])
    if isinstance(formula, Add):
        return _joined("sum", [_of(a, env) for a in formula.args])
    if isinstance(formula, Mul):
        return _of_product(formula, env)
    if isinstance(formula, exp):
        return Arithmetic("exp", (_of(formula.exp, env),))
    if type(formula) in FUNCTIONS and formula.has(MatrixElement, Sum):
        operands = sorted(formula.args, key=lambda a: a.has(MatrixElement, Sum))
        parts = [_of(a, env) for a in operands]
        return Arithmetic("call", (FUNCTIONS[type(formula)], type(formula), None, *parts))
    if isinstance(formula, Pow):
        if formula.exp == -1 or (formula.exp == -S.Half and formula.has(MatrixElement, Sum)):
            return Arithmetic("quotient", (Arithmetic("number", (S.One,)), _of(1 / formula, env)))
        if formula.exp == S.Half and formula.has(MatrixElement, Sum):
            return Arithmetic("call", ("sqrt", sqrt, None, _of(formula.base, env)))
        if formula.has(MatrixElement, Sum):
            return Arithmetic("power", (_of(formula.base, env), formula.exp))
    if isinstance(formula, Piecewise):
        for value, condition in formula.args:
            decided = condition.xreplace(env)
            if decided == S.true:
                return _of(value, env)
            if decided != S.false:
                break
        raise NotSupported("the entry depends on a size that has no number")
    return Arithmetic("number", (formula.xreplace(env),))


def _of_product(formula: Mul, env: dict[Basic, Basic]) -> Arithmetic:
    def is_below(f: Any) -> bool:
        return isinstance(f, Pow) and (f.exp == -1 or (f.exp == -S.Half and f.has(MatrixElement, Sum)))

    above = [f for f in formula.args if not is_below(f)]
    if len(above) > 1:  # a factor 1 of the matrix of ones is not worth writing
        above = [f for f in above if f is not S.One] or above[:1]
    below = [1 / f for f in formula.args if is_below(f)]
    top = _joined("product", [_of(f, env) for f in above]) if above else Arithmetic("number", (S.One,))
    if not below:
        return top
    return Arithmetic("quotient", (top, _joined("product", [_of(f, env) for f in below])))


def _joined(kind: str, parts: list[Arithmetic]) -> Arithmetic:
    return parts[0] if len(parts) == 1 else Arithmetic(kind, tuple(parts))


def value_of(tree: Arithmetic, entry: Callable[[Letter, int, int], Expr]) -> Expr:
    """The value of the tree for given operands: what a reader with a calculator gets."""
    if tree.kind == "entry":
        return entry(*tree.parts)
    if tree.kind == "number":
        return tree.parts[0]
    parts = [value_of(part, entry) if isinstance(part, Arithmetic) else part for part in tree.parts]
    if tree.kind == "sum":
        return Add(*parts)
    if tree.kind == "product":
        return Mul(*parts)
    if tree.kind == "quotient":
        return parts[0] / parts[1]
    if tree.kind == "power":
        return parts[0] ** parts[1]
    if tree.kind == "call":
        _, function, place, *operands = parts
        if isinstance(function, type) and issubclass(function, Operation):
            return function(Literal([operands]))._value()[0, place or 0]  # type: ignore[no-any-return]
        return function(*operands)  # type: ignore[no-any-return]
    return exp(parts[0])
