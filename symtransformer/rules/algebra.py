"""Rules of matrix algebra that bring a cotangent into the form that a person writes.

A rule is an identity, left to right. One that does not fit gives None; the judge has proved each
on letters of any size (tests/rules).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sympy import S

from symtransformer.node import Node, rebuild
from symtransformer.notation import Words
from symtransformer.operations.addition import Addition
from symtransformer.operations.hadamard import Hadamard
from symtransformer.operations.ones import Ones
from symtransformer.operations.product import Product
from symtransformer.operations.row_sum import RowSum
from symtransformer.operations.scaling import Scaling
from symtransformer.operations.transpose import Transpose

REPEATS_AT_MOST = 200  # a chain of rewritings of one node; each rule makes it simpler


@dataclass(frozen=True)
class Rule:
    """One identity: its name, what it says, and the rewriting of the root of an expression."""

    name: Words
    statement: str
    rewrite: Callable[[Any], Node | None]


def _transpose_of_product(node: Node) -> Node | None:
    if isinstance(node, Transpose) and isinstance(inner := node.args[0], Product):
        left, right = inner.args
        return Product(Transpose(right), Transpose(left))
    return None


def _transpose_of_scaling(node: Node) -> Node | None:
    if isinstance(node, Transpose) and isinstance(inner := node.args[0], Scaling):
        body, factor, divisor = inner.args
        return Scaling(Transpose(body), factor, divisor)
    return None


def _transpose_of_sum(node: Node) -> Node | None:
    if isinstance(node, Transpose) and isinstance(inner := node.args[0], (Addition, Hadamard)):
        return inner.func(*(Transpose(term) for term in inner.args))
    return None


def _transpose_of_ones(node: Node) -> Node | None:
    if isinstance(node, Transpose) and isinstance(inner := node.args[0], Ones):
        return Ones(*reversed(inner.shape))
    return None


def _factor_out_of_product(node: Node) -> Node | None:
    if isinstance(node, Product):
        left, right = node.args
        if isinstance(left, Scaling):
            body, factor, divisor = left.args
            return Scaling(Product(body, right), factor, divisor)
        if isinstance(right, Scaling):
            body, factor, divisor = right.args
            return Scaling(Product(left, body), factor, divisor)
    return None


def _two_factors(node: Node) -> Node | None:
    if isinstance(node, Scaling) and isinstance(inner := node.args[0], Scaling):
        body, factor, divisor = inner.args
        return Scaling(body, factor * node.args[1], divisor * node.args[2])
    return None


def _sum_of_sums(node: Node) -> Node | None:
    if isinstance(node, Addition) and any(isinstance(term, Addition) for term in node.args):
        return Addition(*(t for term in node.args for t in (term.args if isinstance(term, Addition) else (term,))))
    return None


def _product_with_a_column_of_ones(node: Node) -> Node | None:
    if isinstance(node, Product) and isinstance(right := node.args[1], Ones) and right.shape[1] is S.One:
        return RowSum(node.args[0])
    return None


RULES = (
    Rule(Words("transpose of a product", "積の転置"), "(A B)^T = B^T A^T", _transpose_of_product),
    Rule(Words("transpose of a multiple", "定数倍の転置"), "(c A)^T = c A^T", _transpose_of_scaling),
    Rule(Words("transpose of a sum", "和の転置"), "(A + B)^T = A^T + B^T", _transpose_of_sum),
    Rule(Words("transpose of ones", "1 の行列の転置"), "1^T = 1", _transpose_of_ones),
    Rule(Words("a factor out of a product", "定数を積の外へ出す"), "(c A) B = c (A B)", _factor_out_of_product),
    Rule(Words("two factors in one", "定数をまとめる"), "c (d A) = (c d) A", _two_factors),
    Rule(Words("a sum of sums", "和の和"), "(A + B) + C = A + B + C", _sum_of_sums),
    Rule(Words("product with ones", "1 の列との積"), "A 1 = rowsum(A)", _product_with_a_column_of_ones),
)


def readable(root: Node) -> Node:
    """The expression with the rules applied until none fits; equal to it for all values."""
    done: dict[Node, Node] = {}

    def settled(node: Node) -> Node:
        if node in done:
            return done[node]
        result: Node = node
        for _ in range(REPEATS_AT_MOST):
            args = [settled(a) if isinstance(a, Node) else a for a in result.args] if result._children else []
            rebuilt = (
                result.func(*args)
                if args and any(a is not b for a, b in zip(args, result.args, strict=True))
                else result
            )
            new = next((n for rule in RULES if (n := rule.rewrite(rebuilt)) is not None), None)
            result = rebuilt if new is None else new
            if new is None:
                break
        done[node] = result
        return result

    return rebuild(
        root,
        lambda node, args: settled(
            node if all(a is b for a, b in zip(args, node.args, strict=True)) else node.func(*args)
        ),
        lambda s: s,
    )
