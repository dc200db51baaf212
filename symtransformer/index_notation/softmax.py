"""The Jacobian of softmax, line by line: ∂a_ij/∂s_il = a_ij (δ_jl − a_il)."""

from __future__ import annotations

from typing import Any

from sympy import Add, Derivative, Expr, KroneckerDelta, Mul, Pow, S, Sum

from symtransformer.index_letters import derivative, everywhere, require_clear_letters
from symtransformer.index_notation.conventions import Letters
from symtransformer.notation import Words
from symtransformer.operations.exponential import Exponential
from symtransformer.operations.row_sum import RowSum
from symtransformer.operations.softmax import Softmax
from symtransformer.rules.calculus import DERIVATIVE_OF_A_SUM, FUNCTION_RULE
from symtransformer.rules.sums import COMMON_FACTOR, delta_picks
from symtransformer.sections import IndexLine
from symtransformer.symbols import Entry, Letter

QUOTIENT_RULE = (
    Words("quotient rule", "商の微分"),
    Words(
        "The derivative of the numerator, divided by the denominator, minus the quotient times the derivative of the "
        "denominator, divided by the denominator.",
        "分子の微分を分母で割ったものから、もとの商に分母の微分を掛けて分母で割ったものを引きます。",
    ),
)
PARTS_NAMED = (
    Words("substituting the definition", "定義を代入"),
    Words(
        "A weight is the exponential of its score, divided by the sum of all exponentials of the row.",
        "係数は、点数の指数関数を、その行の指数関数の合計で割ったものです。",
    ),
)
EXPONENTIALS = (
    FUNCTION_RULE.name,
    Words(
        "The exponential is its own derivative; what is left of it is the derivative of one score by another, a delta.",
        "指数関数は微分しても変わりません。中身の微分は、点数を点数で微分したもの、つまり δ です。",
    ),
)
WEIGHTS_AGAIN = (
    Words("definition of a weight, read backwards", "係数の定義を逆に使う"),
    Words(
        "An exponential divided by the sum of its row is a weight again.",
        "指数関数を行の合計で割ったものは、ふたたび係数になります。",
    ),
)


def softmax_jacobian(scores: Letter, weights: Letter, powers: Letter, total: Letter) -> tuple[IndexLine, ...]:
    """The lines from a_ij = u_ij / c_i with u = e^s and c the sum of a row, to a_ij (δ_jl − a_il).

    >>> from symtransformer import dimension, matrix
    >>> n, m = dimension("n"), dimension("m")
    >>> S, A, U, c = matrix("S", n, m), matrix("A", n, m), matrix("U", n, m), matrix("c", n, 1)
    >>> [line.rule.en for line in softmax_jacobian(S, A, U, c)][-2:]
    ['definition of a weight, read backwards', 'taking out a common factor']
    """
    whole, part = Softmax(scores), Exponential(scores)
    below = RowSum(part)
    letters = Letters([scores, weights, powers, total])
    i, j = letters.for_places(scores.shape)
    l = letters.of(scores.shape[1], {str(i), str(j)})  # noqa: E741
    p = letters.of(scores.shape[1], {str(i), str(j), str(l)})
    by = Entry(scores, i, l)
    left = derivative(Entry(whole, i, j), by)
    where = ((weights, whole), (powers, part), (total, below))
    u, c = Entry(part, i, j), Entry(below, i, S.Zero)
    lines: list[IndexLine] = []

    def line(right: Expr, rule: Words, explanation: Words) -> Expr:
        require_clear_letters(left, right)
        lines.append(IndexLine(left, right, rule, explanation, where))
        return right

    line(derivative(Mul(u, Pow(c, -1)), by), *PARTS_NAMED)
    slopes = derivative(u, by), derivative(c, by)
    quotient = Add(Mul(slopes[0], Pow(c, -1)), Mul(-1, u, Pow(c, -2), slopes[1]))
    formula: Any = line(quotient, *QUOTIENT_RULE)
    of_sum = Sum(derivative(Entry(part, i, p), by), (p, 0, scores.shape[1] - 1))
    formula = line(formula.xreplace({slopes[1]: of_sum}), DERIVATIVE_OF_A_SUM.name, DERIVATIVE_OF_A_SUM.explanation)
    formula = line(everywhere(_exponential, formula), *EXPONENTIALS)
    picking = delta_picks({x: {scores.shape[1]} for x in (j, l, p)})
    formula = line(picking.everywhere(formula), picking.name, picking.explanation)
    weight = {Entry(part, i, k): Mul(Entry(whole, i, k), c) for k in (j, l)}
    formula = line(Add(*(term.xreplace(weight) for term in formula.args)), *WEIGHTS_AGAIN)
    line(COMMON_FACTOR.everywhere(formula), COMMON_FACTOR.name, COMMON_FACTOR.explanation)
    return tuple(lines)


def _exponential(formula: Any) -> Expr | None:
    """∂u_ip/∂s_il = u_ip δ_pl: the exponential is its own slope."""
    if not isinstance(formula, Derivative) or not isinstance(formula.expr, Entry):
        return None
    entry, by = formula.expr, formula.variables[0]
    if not isinstance(entry.parent, Exponential):
        return None
    return Mul(entry, KroneckerDelta(entry.i, by.i), KroneckerDelta(entry.j, by.j))
