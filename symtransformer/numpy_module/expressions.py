"""Expressions as code: operators where Python has one, else the facet of the operation."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from sympy import Expr, S, Symbol
from sympy.core.symbol import Str
from sympy.printing.pycode import PythonCodePrinter

from symtransformer.arguments import SIZE
from symtransformer.errors import NotSupported
from symtransformer.node import ABSENT, Node
from symtransformer.notation import counts_from_zero
from symtransformer.numpy_module.functions import Functions, single_expression
from symtransformer.numpy_module.identifiers import Identifiers
from symtransformer.numpy_module.infinite import Infinite
from symtransformer.operation import Primitive
from symtransformer.operations.addition import Addition
from symtransformer.operations.entry_division import EntryDivision
from symtransformer.operations.entry_formula import EntryFormula
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.row_division import RowDivision
from symtransformer.operations.row_sum import Broadcast
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.transpose import Transpose
from symtransformer.symbols import Letter, Literal

ENTRY_BY_ENTRY = (Addition, Hadamard, EntryDivision)


class _Numbers(PythonCodePrinter):
    """Numbers of sizes and parameters; decimals as they were given."""

    def __init__(self, names: Callable[[Symbol], str]) -> None:
        super().__init__({"fully_qualified_modules": True})
        self.names = names

    def _print_Symbol(self, expr: Any) -> str:
        return self.names(expr)

    def _print_Rational(self, expr: Any) -> str:
        return repr(expr.p / expr.q) if expr.q % 5 == 0 else f"{expr.p}/{expr.q}"

    def _print_floor(self, expr: Any) -> str:
        """Of one number for each head, too; a quotient of whole numbers is never rounded first."""
        above, below = expr.args[0].as_numer_denom()
        if not (above.is_integer and below.is_integer):
            raise NotSupported(f"NumPy code: the whole part of {expr.args[0]}, which is no quotient of whole numbers")
        return f"(({self._print(above)}) // ({self._print(below)}))"


class Writer:
    """Code of expressions over named variables; arrays have the head axis before the rows, in front of it batch axes."""

    def __init__(self, functions: Functions, names: Identifiers, heads: Mapping[Any, Any], infinite: Infinite) -> None:
        self.functions, self.names, self.infinite = functions, names, infinite
        self.heads = heads  # how many there are, by the letter that counts them
        self.given: dict[Node, str] = {}  # what has a variable of its own
        self.used: dict[Symbol, None] = {}  # sizes, parameters and heads that the code mentions
        self.printer = _Numbers(self._symbol)

    def _symbol(self, symbol: Symbol) -> str:
        self.used.setdefault(symbol)
        return self.names.of(symbol, symbol.name)

    def scalar(self, number: Expr, whole: bool = False) -> ast.expr:
        """A number; one for each head stands before rows and columns."""
        above, below = number.as_numer_denom() if whole else (number, S.One)
        text = (
            self.printer.doprint(above)
            if below == 1
            else f"({self.printer.doprint(above)}) // ({self.printer.doprint(below)})"
        )
        if "math." in text:
            self.functions.imports.add("import math")
        if not whole and any(map(counts_from_zero, number.free_symbols)):
            text = f"({text})[:, None, None]"
        return _parsed(text)

    def written(self, node: Node) -> ast.expr:
        """The code of a node, of which the parts in `given` are variables."""
        if node in self.given:
            return ast.Name(self.given[node])
        if isinstance(node, Letter):
            return self._letter(node)
        if isinstance(node, Literal):
            return self._literal(node)
        assert isinstance(node, Primitive)
        shown = self._operator(node)
        return self._called(node) if shown is None else shown

    def _letter(self, letter: Letter) -> ast.expr:
        name = self.names.of(letter.family, letter.name)
        if letter.head is None or letter.head.is_Symbol:
            return ast.Name(name)
        if letter.head.is_Integer:
            return _parsed(f"{name}[..., {letter.head}, :, :]")
        return _call(
            self.functions.add(Letter.of_heads, "of_heads"), [ast.Name(name), self.scalar(letter.head, whole=True)]
        )

    def _literal(self, literal: Literal) -> ast.expr:
        infinite = {S.Infinity: "np.inf", S.NegativeInfinity: "-np.inf"}
        rows = [
            [_parsed(infinite[x]) if x in infinite else self.scalar(x) for x in row] for row in literal.matrix.tolist()
        ]
        return _call("np.array", [ast.List([ast.List(row) for row in rows])])

    def inside(self, node: Node) -> bool:
        """Whether the array of a node has a head axis."""
        return bool(node._symbols & self.heads.keys())

    def _child(self, node: Node, child: Any, bare: bool = False) -> ast.expr:
        """An argument; inside a family what all heads share gets a head axis of length 1."""
        code = self.written(child)
        if (node.bound or self.inside(node)) and not self.inside(child) and not isinstance(child, (Ones, Literal)):
            return _parsed("x[..., None, :, :]", x=code)
        return code

    # -- operators -------------------------------------------------------------------------------------------
    def _operator(self, node: Primitive) -> ast.expr | None:
        guarded = any(self.infinite.may_be(child) for child in node._children)
        if isinstance(node, Addition):
            return self._sum(node)
        if isinstance(node, Scaling):
            _, factor, divisor = node.args
            return None if guarded and not (factor / divisor).is_positive else self._multiple(node)
        if isinstance(node, Product) and not guarded:
            return self._infix(node, ast.MatMult())
        if isinstance(node, Hadamard) and not guarded:
            return self._infix(node, ast.Mult())
        if isinstance(node, (RowDivision, EntryDivision)) and not guarded and self.infinite.never_0(node._children[1]):
            return self._infix(node, ast.Div())
        return None

    def _infix(self, node: Primitive, operator: ast.operator) -> ast.expr:
        left, right = (self._operand(node, child) for child in node._children)
        return ast.BinOp(left, operator, right)

    def _operand(self, node: Primitive, child: Any) -> ast.expr:
        """An argument; NumPy itself repeats a number, a column or a row that stands beside a whole matrix."""
        whole = any(c is not child and not isinstance(c, Ones) and _repeated(c) is None for c in node._children)
        if isinstance(node, ENTRY_BY_ENTRY) and whole and child not in self.given:
            if isinstance(child, Ones):
                return ast.Constant(1)
            child = _repeated(child) or child
        return self._child(node, child)

    def _sum(self, node: Addition) -> ast.expr:
        total: ast.expr | None = None
        for child in node._children:
            minus = total is not None and is_negated(child) and child not in self.given
            term = self._operand(node, child.args[0] if minus else child)
            total = term if total is None else ast.BinOp(total, ast.Sub() if minus else ast.Add(), term)
        assert total is not None
        return total

    def _multiple(self, node: Scaling) -> ast.expr:
        body, factor, divisor = node.args
        shown = self._child(node, body)
        if factor is S.NegativeOne:
            shown = ast.UnaryOp(ast.USub(), shown)
        elif factor is not S.One:
            shown = ast.BinOp(self.scalar(factor), ast.Mult(), shown)
        return shown if divisor is S.One else ast.BinOp(shown, ast.Div(), self.scalar(divisor))

    # -- facets ----------------------------------------------------------------------------------------------
    def _called(self, node: Primitive) -> ast.expr:
        if isinstance(node, EntryFormula):
            raise NotSupported("NumPy code of a matrix given by a formula of its entries; write it as an expression")
        arguments = []
        for k, arg in enumerate(node.args):
            if k in node.bound:
                continue
            if isinstance(arg, Node):
                arguments.append(self._child(node, arg))
            elif isinstance(arg, Str):
                arguments.append(ast.Constant(None if arg == ABSENT else arg.name))
            else:
                arguments.append(self.scalar(arg, whole=node.parameters[k].kind == SIZE))
        alone = single_expression(type(node))
        if alone is not None:
            parameters, expression = alone
            return _filled(expression, dict(zip(parameters, arguments, strict=True)))
        return _call(self.functions.of_operation(type(node)), arguments)


def _repeated(node: Any) -> Node | None:
    """The column or the row that a matrix repeats; None for any other matrix."""
    if isinstance(node, Broadcast):
        return node._children[0]
    if isinstance(node, Product):
        left, right = node._children
        if isinstance(left, Ones) and left.shape[1] == 1:
            return right
        if isinstance(right, Ones) and right.shape[0] == 1:
            return left
    return None


def is_negated(node: Node) -> bool:
    return isinstance(node, Scaling) and node.args[1:] == (S.NegativeOne, S.One)


def is_view(node: Node) -> bool:
    """Whether computing it again costs nothing: what is inside has the variable, if any."""
    return isinstance(node, Transpose) or _repeated(node) is not None or is_negated(node)


def _call(name: str, arguments: list[ast.expr]) -> ast.expr:
    return ast.Call(_parsed(name), arguments, [])


def _parsed(text: str, **parts: ast.expr) -> ast.expr:
    return _filled(ast.parse(text, mode="eval").body, parts)


def _filled(expression: ast.expr, parts: Mapping[str, ast.expr]) -> ast.expr:
    """The expression with other expressions for some of its names."""

    class Filling(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return parts.get(node.id, node)

    return Filling().visit(expression)  # type: ignore[no-any-return]
