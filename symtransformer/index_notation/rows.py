"""When a formula of entries is said of whole rows: ∂L/∂q_i = Σ_j g_ij k_j."""

from __future__ import annotations

from typing import Any

from sympy import Add, Mul, Sum, Symbol

from symtransformer.notation import Words
from symtransformer.symbols import Entry, Letter

ROW_WORDS = (
    Words("for whole rows", "行全体の式"),
    Words(
        "The line above holds for every component, so it is an equation between rows.",
        "上の式はどの成分についても成り立つので、行どうしの等式になります。",
    ),
)
MATRIX_WORDS = (
    Words("in matrix form", "行列の形"),
    Words(
        "The same equation, for all rows and columns at once.",
        "同じ式を、すべての行と列についてまとめて書いたものです。",
    ),
)


def says_rows(formula: Any, places: tuple[Any, Any], letter: Letter) -> Symbol | None:
    """The letter of the column, if every term has it once, as the column of one factor."""
    column = places[1]
    if not isinstance(column, Symbol) or not isinstance(places[0], Symbol):
        return None
    return column if all(_has_one_row(term, column) for term in Add.make_args(formula)) else None


def _has_one_row(term: Any, column: Symbol) -> bool:
    if isinstance(term, Sum):
        return _has_one_row(term.function, column)
    if isinstance(term, Entry):
        return isinstance(term.parent, Letter) and term.j == column and column not in term.i.free_symbols
    if isinstance(term, Add):
        return all(_has_one_row(t, column) for t in term.args)
    if not isinstance(term, Mul):
        return False
    meeting = [f for f in term.args if column in _letters(f)]
    return len(meeting) == 1 and _has_one_row(meeting[0], column)


def _letters(formula: Any) -> set[Any]:
    if isinstance(formula, Entry):
        return formula.i.free_symbols | formula.j.free_symbols
    if not formula.args:
        return formula.free_symbols  # type: ignore[no-any-return]
    return {s for part in formula.args for s in _letters(part)}
