"""The lines of a derivation in index notation: whether both sides are equal for all index letters, sizes and entries.

First by the normal form of both formulas, every letter of a result replaced by what it stands for.
Where the forms differ, by numbers: at the points that decide any equation, for every value of the index
letters; a derivative is then that of forward differentiation, so that no rule of the derivation is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sympy import Basic, Derivative, Expr, KroneckerDelta, Sum, Symbol

from symtransformer.derivation import Derivation, written_out
from symtransformer.errors import NotSupported, SymtransformerError
from symtransformer.formulas.algebra import minus
from symtransformer.formulas.derivatives import has_edges
from symtransformer.formulas.entries import Reader
from symtransformer.formulas.rooms import remember_rooms
from symtransformer.formulas.same_formula import STEPS_AT_MOST, place, settled
from symtransformer.formulas.terms import ZERO, Formula, limited
from symtransformer.index_letters import free_letters, require_clear_letters, subformulas
from symtransformer.judge.line_meaning import misleading
from symtransformer.judge.line_points import Line, what_points_leave_open
from symtransformer.judge.trials import at_points
from symtransformer.judge.verdicts import PROVED, TESTED, UNDECIDABLE, Verdict
from symtransformer.node import Node
from symtransformer.operation import unfolded
from symtransformer.sections import IndexLine
from symtransformer.symbols import Entry, Letter


def judge_line(line: IndexLine, derivation: Derivation | None = None) -> Verdict:
    """Whether both sides of a line are equal; with a derivation also whether its letters mean what its steps say.

    >>> from symtransformer import dimension, matrix
    >>> from symtransformer.gradients import differentiate
    >>> from symtransformer.index_notation import index_form
    >>> n, m, d = dimension("n"), dimension("m"), dimension("d")
    >>> lines = index_form(differentiate(matrix("Q", n, d) @ matrix("K", m, d).T), "Q").lines
    >>> [judge_line(line).kind for line in lines] == ["proved"] * len(lines)
    True
    """
    try:
        require_clear_letters(line.left, line.right)
        if (found := misleading(line, derivation)) is not None:
            return Verdict(UNDECIDABLE, found[0], reason_ja=found[1])
        left, right = (_put_in(side, line.where) for side in (line.left, line.right))
        sizes = _sizes_of_places(left, right)
    except (SymtransformerError, ArithmeticError, IndexError, RecursionError) as error:
        return Verdict(UNDECIDABLE, str(error), reason_ja=f"判定できなかった（{error}）")
    if _have_same_form(left, right, sizes):
        scope = ", for all sizes" if any(not s.is_Integer for s in sizes.values()) else ""
        return Verdict(PROVED, f"both sides have the same entry formula{scope}", reason_ja="両辺の成分の式が同じ")
    try:
        return _tested_or_not(Line(left, right, sizes))
    except (SymtransformerError, ArithmeticError, IndexError, ValueError, RecursionError) as error:
        return Verdict(UNDECIDABLE, str(error), reason_ja=f"計算できなかった（{error}）")


# -- what is meant -----------------------------------------------------------------------------------
def _put_in(formula: Any, where: Iterable[tuple[Letter, Node]]) -> Any:
    """The formula with entries of what the letters of results stand for, in primitive operations."""
    behind: dict[Basic, Node] = dict(where)

    def meant(part: Any) -> Any:
        if isinstance(part, Entry):
            return Entry(unfolded(written_out(part.parent, behind)), part.i, part.j)
        if isinstance(part, Derivative):
            by = part.variables[0]
            if len(part.variables) != 1 or not isinstance(by, Entry) or not isinstance(by.parent, Letter):
                raise NotSupported("a derivative by something that is no entry of a letter")
            if by.parent in behind:
                raise NotSupported(f"a derivative by {by.parent}, which stands for something else")
            inner = meant(part.expr)
            return Derivative(inner, by, evaluate=False)
        if not part.args:
            return part
        return part.func(*(meant(a) if isinstance(a, Expr) else a for a in part.args))

    return meant(formula)


def _sizes_of_places(*formulas: Any) -> dict[Symbol, Any]:
    """How many values each free letter has, by the places in which it stands; every letter fits where it stands."""
    free = {s for formula in formulas for s in free_letters(formula)}
    sizes: dict[Symbol, Any] = {}
    for formula in formulas:
        _fit(formula, sizes, {})
    for formula in formulas:
        _as_far_as_the_other_letter(formula, sizes, {})
    if unknown := sorted(str(s) for s in free - sizes.keys()):
        raise NotSupported(f"nothing says how far the letter {unknown[0]} counts")
    return {letter: size for letter, size in sizes.items() if letter in free}


def _fit(formula: Any, sizes: dict[Symbol, Any], ranges: Mapping[Symbol, Any]) -> None:
    """Each place of an entry against the range of the sum that binds it, or against the other places of a free letter."""
    if isinstance(formula, Entry):
        for where, size in zip((formula.i, formula.j), formula.parent.shape, strict=True):
            if where.is_Integer and size.is_Integer and not 0 <= where < size:
                raise NotSupported(f"there is no entry {int(where) + 1} among {size}")
            if not isinstance(where, Symbol):
                continue
            counted = ranges[where] if where in ranges else sizes.setdefault(where, size)
            if where in ranges and counted.is_Integer and not size.is_Integer:
                continue  # the first 2 of n: where n is 1 there is no such sum, and none in what it comes from
            if (counted - size).expand() != 0:
                raise NotSupported(f"the letter {where} counts {counted} in one place and {size} in another")
        return
    for part in formula.args:
        _fit(part, sizes, _inside(formula, ranges))


def _inside(formula: Any, ranges: Mapping[Symbol, Any]) -> Mapping[Symbol, Any]:
    if not isinstance(formula, Sum):
        return ranges
    return {**ranges, **{letter: high + 1 for letter, _, high in formula.limits}}


def _as_far_as_the_other_letter(formula: Any, sizes: dict[Symbol, Any], ranges: Mapping[Symbol, Any]) -> None:
    """A letter that stands in deltas only counts as far as the letter beside it."""
    if isinstance(formula, KroneckerDelta):
        for one, other in (formula.args[:2], formula.args[1::-1]):
            known = ranges.get(other, sizes.get(other))
            if isinstance(one, Symbol) and one not in ranges and known is not None:
                sizes.setdefault(one, known)
        return
    for part in () if isinstance(formula, Entry) else formula.args:
        _as_far_as_the_other_letter(part, sizes, _inside(formula, ranges))


# -- by normal forms -----------------------------------------------------------------------------------
class _LineReader(Reader):
    """Reads formulas whose entries are those of expressions."""

    def line(self, formula: Any, values: Mapping[Basic, Formula]) -> Formula:
        def of_letters(part: Any) -> Any:
            if isinstance(part, Entry):
                return Entry(self.letter_for(part.parent, None), part.i, part.j)
            if isinstance(part, Derivative):
                return Derivative(of_letters(part.expr), of_letters(part.variables[0]), evaluate=False)
            return part.func(*(of_letters(a) if isinstance(a, Expr) else a for a in part.args)) if part.args else part

        return self.formula(of_letters(formula), values)

    def of_derivative(self, x: Derivative, values: Any) -> Formula:
        if has_edges(self.formula(x.expr, values), self.variable_of(x.variables[0], values)):
            raise NotSupported("a derivative of something that is given in pieces")
        return super().of_derivative(x, values)


def _have_same_form(left: Any, right: Any, sizes: Mapping[Symbol, Any]) -> bool:
    for written_out_sums in (False, True):
        try:
            with limited(STEPS_AT_MOST, written_out_sums):
                reader = _LineReader()
                remember_rooms(reader, *_matrices_in(left, right))
                places = {letter: place(str(letter), reader.formula(size, {})) for letter, size in sizes.items()}
                indices = [x for formula in places.values() for x in formula.free]
                forms = [settled(reader.line(side, places), indices) for side in (left, right)]
                if forms[0] == forms[1] or settled(minus(*forms), indices) == ZERO:
                    return True
        except (SymtransformerError, IndexError, RecursionError):
            continue
    return False


def _matrices_in(*sides: Any) -> list[Node]:
    """The expressions of which entries are taken."""
    return list(dict.fromkeys(x.parent for side in sides for x in subformulas(side) if isinstance(x, Entry)))


# -- by numbers ----------------------------------------------------------------------------------------
def _tested_or_not(line: Line) -> Verdict:
    """What the points say that decide any equation, unless something in the line is not decided by points."""
    verdict = at_points(line)
    if verdict.kind != TESTED:
        return verdict
    if found := what_points_leave_open(line):
        reason = f"{verdict.reason}, but points decide nothing about {found}"
        return Verdict(UNDECIDABLE, reason, reason_ja=f"{verdict.reason_ja}。ただし {found} は点では判定できない")
    return verdict


__all__ = ["judge_line"]
