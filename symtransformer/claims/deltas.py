"""Kronecker deltas in sums of a claimed formula, settled before numbers are put in: Σ_l δ_il u_l is u_i."""

from __future__ import annotations

from itertools import count
from typing import Any

from sympy import Add, Expr, KroneckerDelta, Mul, Pow, Sum, Symbol

from symtransformer.errors import NotSupported
from symtransformer.index_letters import index_letter, subformulas
from symtransformer.node import Node
from symtransformer.operations.entry_formula import EntryFormula
from symtransformer.rules.calculus import EntryRule
from symtransformer.rules.sums import INNER_SUM_OUT, MULTIPLY_OUT, SUM_TERM_BY_TERM, delta_picks, sizes_in
from symtransformer.symbols import Entry

ROUNDS_AT_MOST = 60


def without_deltas(node: Node) -> Node | None:
    """The same matrix, where it is given by a formula with deltas in sums; None where nothing is settled."""
    if not isinstance(node, EntryFormula) or not any(isinstance(p, KroneckerDelta) for p in subformulas(node.args[2])):
        return None
    numbers = count(1)
    row, column = index_letter("‹row›"), index_letter("‹column›")
    before = _flat(node.element(row, column, lambda: index_letter(f"‹s{next(numbers)}›")))
    try:
        after = _settled(before, {row: {node.shape[0]}, column: {node.shape[1]}})
    except NotSupported:
        return None
    return None if after == before else EntryFormula.of(*node.shape, row, column, after)


def _flat(formula: Any) -> Any:
    """Products of products as one, as the rules expect them."""
    if isinstance(formula, Entry) or not formula.args:
        return formula
    if isinstance(formula, Sum):
        return Sum(_flat(formula.function), *formula.limits)
    return formula.func(*map(_flat, formula.args)) if isinstance(formula, (Add, Mul, Pow)) else formula


def _settled(formula: Expr, own: dict[Symbol, Any]) -> Expr:
    for _ in range(ROUNDS_AT_MOST):
        sizes = sizes_in(formula)
        for letter, size in own.items():
            sizes[letter] = {*sizes.get(letter, ()), *size}
        for rule in (delta_picks(sizes), MULTIPLY_OUT, SUM_TERM_BY_TERM, INNER_SUM_OUT):
            new = _where_deltas_are(rule).everywhere(formula)
            if new is not None and new != formula:
                formula = new
                break
        else:
            return formula
    return formula


def _where_deltas_are(rule: EntryRule) -> EntryRule:
    def rewrite(formula: Any) -> Any:
        return rule.rewrite(formula) if isinstance(formula, Expr) and formula.atoms(KroneckerDelta) else None

    return EntryRule(rule.name, rule.statement, rule.explanation, rewrite)
