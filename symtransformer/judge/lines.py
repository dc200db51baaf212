"""The lines of a derivation in index notation: whether both sides are equal for all index letters, sizes and entries.

First by the normal form of both formulas, every letter of a result replaced by what it stands for.
Where the forms differ, by numbers: tiny unequal sizes, random rational entries, every value of the index
letters; a derivative is then that of the explicit entry, so that no rule of the derivation is used.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from itertools import product as every_choice
from typing import Any

import flint
from sympy import Add, Basic, Derivative, Dummy, Expr, Integer, KroneckerDelta, Mul, Pow, Rational, Sum, Symbol, exp

from symtransformer.derivation import Derivation, written_out
from symtransformer.enclosures import Balls, ball, precision
from symtransformer.errors import LimitExceeded, NotSupported, SymtransformerError
from symtransformer.exact import Exact, Rows
from symtransformer.formulas.algebra import minus
from symtransformer.formulas.derivatives import has_edges
from symtransformer.formulas.entries import Reader
from symtransformer.formulas.same_formula import STEPS_AT_MOST, place, settled
from symtransformer.formulas.terms import ZERO, Formula, limited
from symtransformer.index_letters import free_letters, require_clear_letters, subformulas
from symtransformer.judge.trials import BITS, CHECKED_DIGITS, apart_at_most, shown_apart
from symtransformer.judge.verdicts import PROVED, TESTED, UNDECIDABLE, Verdict, refuted
from symtransformer.node import Node
from symtransformer.operation import compute, unfolded
from symtransformer.sections import IndexLine
from symtransformer.symbols import Entry, Letter

POINTS, PLACES_AT_MOST, ENTRIES_AT_MOST = 4, 81, 200
TINY = (2, 3, 4)  # sizes at which the sides are compared


def judge_line(line: IndexLine, derivation: Derivation | None = None) -> Verdict:
    """Whether both sides of a line are equal; with a derivation also whether its letters mean what its steps say.

    >>> from symtransformer import dimension, matrix
    >>> from symtransformer.gradients import differentiate
    >>> from symtransformer.index_form import index_form
    >>> n, m, d = dimension("n"), dimension("m"), dimension("d")
    >>> lines = index_form(differentiate(matrix("Q", n, d) @ matrix("K", m, d).T), "Q").lines
    >>> [judge_line(line).kind for line in lines] == ["proved"] * len(lines)
    True
    """
    try:
        require_clear_letters(line.left, line.right)
        if derivation is not None and (foreign := _means_something_else(line, derivation)) is not None:
            reason = f"{foreign} does not stand for what its step says"
            return Verdict(UNDECIDABLE, reason, reason_ja=f"{foreign} の意味が、ステップの定義と異なる")
        left, right = (_put_in(side, line.where) for side in (line.left, line.right))
        sizes = _sizes_of_places(left, right)
    except (SymtransformerError, ArithmeticError, IndexError, RecursionError) as error:
        return Verdict(UNDECIDABLE, str(error), reason_ja=f"判定できませんでした（{error}）")
    if _have_same_form(left, right, sizes):
        scope = ", for all sizes" if any(not s.is_Integer for s in sizes.values()) else ""
        return Verdict(PROVED, f"both sides have the same entry formula{scope}", reason_ja="両辺の成分の式が同じ")
    try:
        return _at_points(left, right, sizes)
    except (SymtransformerError, ArithmeticError, IndexError, ValueError, RecursionError) as error:
        return Verdict(UNDECIDABLE, str(error), reason_ja=f"計算できませんでした（{error}）")


# -- what is meant -----------------------------------------------------------------------------------
def _means_something_else(line: IndexLine, derivation: Derivation) -> Letter | None:
    """The first letter that stands for another expression in the line than in the derivation."""
    steps = {step.letter: step for step in derivation.steps}
    inputs = set(derivation.inputs)
    behind: dict[Basic, Node] = {step.letter: step.stands_for for step in derivation.steps}
    for letter, node in line.where:
        if letter in inputs:
            return letter
        if letter in steps and unfolded(written_out(node, behind)) is not unfolded(steps[letter].stands_for):
            step, partly = steps[letter], dict(line.where)
            said = {unfolded(written_out(side, partly)) for side in (step.expression, step.definition)}
            if unfolded(node) not in said:
                return letter
    return None


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
    """How many values each free letter has, by the places in which it stands; the same everywhere."""
    free = {s for formula in formulas for s in free_letters(formula)}
    sizes: dict[Symbol, Any] = {}
    for formula in formulas:
        for part in subformulas(formula):
            if not isinstance(part, Entry):
                continue
            for where, size in zip((part.i, part.j), part.parent.shape, strict=True):
                if where in free and (sizes.setdefault(where, size) - size).expand() != 0:
                    raise NotSupported(f"the letter {where} counts {sizes[where]} in one place and {size} in another")
    if unknown := sorted(str(s) for s in free - sizes.keys()):
        raise NotSupported(f"nothing says how far the letter {unknown[0]} counts")
    return sizes


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
                places = {letter: place(str(letter), reader.formula(size, {})) for letter, size in sizes.items()}
                indices = [x for formula in places.values() for x in formula.free]
                forms = [settled(reader.line(side, places), indices) for side in (left, right)]
                if forms[0] == forms[1] or settled(minus(*forms), indices) == ZERO:
                    return True
        except (SymtransformerError, IndexError, RecursionError):
            continue
    return False


# -- by numbers ----------------------------------------------------------------------------------------
def _at_points(left: Any, right: Any, sizes: Mapping[Symbol, Any]) -> Verdict:
    """Refuted by one place at one point, tested by every place at all of them."""
    worst = flint.arb(0)
    for seed in range(POINTS):
        point = _Point(left, right, seed)
        for bits in BITS:
            with precision(bits):
                found = _compared(left, right, sizes, point)
            if isinstance(found, Verdict):
                return found
            if found < flint.arb(10) ** -CHECKED_DIGITS:
                worst = max(worst, found)
                break
        else:
            raise LimitExceeded(f"{CHECKED_DIGITS} digits are not decided with {BITS[-1]} bits")
    reason = f"equal at {POINTS} random points, for every value of the index letters"
    ja = f"{POINTS} 個のランダムな点で、添字のすべての値について一致"
    return Verdict(TESTED, reason, POINTS, reason_ja=ja)


def _compared(left: Any, right: Any, sizes: Mapping[Symbol, Any], point: _Point) -> Any:
    worst = flint.arb(0)
    for places in _places(sizes, point):
        a, b = point.value(left, places), point.value(right, places)
        apart = apart_at_most(a, b)
        if apart is None:
            shown = shown_apart(a, b)
            at = ", ".join([*(f"{x} = {k + 1}" for x, k in places.items()), *point.described])
            en = f"one side is {shown[0]} and the other {shown[1]} at a random point with {at}"
            ja = f"{at} のランダムな点で、一方の辺は {shown[0]}、他方は {shown[1]} になる"
            return refuted(en, ja)
        worst = max(worst, apart)
    return worst


def _places(sizes: Mapping[Symbol, Any], point: _Point) -> Iterator[dict[Any, int]]:
    ranges = [range(point.whole(size, {})) for size in sizes.values()]
    choices = list(every_choice(*ranges))
    if len(choices) > PLACES_AT_MOST:
        choices = random.Random(point.seed).sample(choices, PLACES_AT_MOST)
    for choice in choices:
        yield dict(zip(sizes, choice, strict=True))


class _Point:
    """Numbers for sizes and entries, and the value of a formula there."""

    def __init__(self, left: Any, right: Any, seed: int) -> None:
        self.seed, self.draw = seed, random.Random(seed)
        letters = sorted({s for side in (left, right) for s in _size_letters(side)}, key=str)
        start = self.draw.randrange(len(TINY))
        self.sizes: dict[Basic, Basic] = {s: Integer(TINY[(start + k) % len(TINY)]) for k, s in enumerate(letters)}
        self.letters: dict[tuple[Letter, int, int], tuple[Dummy, Rational]] = {}
        self.numbers: dict[Basic, Basic] = {}
        self.balls: dict[Any, Rows] = {}
        self.explicit: dict[Any, Rows] = {}
        self.bits = 0

    @property
    def described(self) -> list[str]:
        return [f"{s} = {k}" for s, k in self.sizes.items()]

    def of_entry(self, letter: Letter, i: int, j: int) -> tuple[Dummy, Rational]:
        key = (letter, i, j)
        if key not in self.letters:
            name, number = Dummy(f"x{len(self.letters)}", real=True), Rational(self.draw.randint(1, 40), 17)
            self.letters[key] = (name, number * self.draw.choice((1, 1, -1)))
            self.numbers[name] = self.letters[key][1]
        return self.letters[key]

    def whole(self, formula: Any, places: Mapping[Any, int]) -> int:
        value = formula.xreplace({**self.sizes, **{s: Integer(k) for s, k in places.items()}})
        if not value.is_Integer:
            raise NotSupported(f"{str(formula)[:40]} is no whole number")
        return int(value)

    def entry(self, x: Entry, places: Mapping[Any, int], symbolic: bool) -> Any:
        parent: Any = x.parent
        heads = {s: Integer(k) for s, k in places.items() if s in parent._mentions}
        node = parent.xreplace(heads) if heads else parent
        table = self.explicit if symbolic else self.balls
        if not symbolic and self.bits != flint.ctx.prec:
            self.balls.clear()
            self.bits = flint.ctx.prec
        numbers = Exact(entries_at_most=ENTRIES_AT_MOST) if symbolic else Balls()
        rows = compute(node, numbers, lambda letter: self.rows(letter, symbolic), self.sizes, table)
        i, j = self.whole(x.i, places), self.whole(x.j, places)
        if not (0 <= i < len(rows) and 0 <= j < len(rows[0])):
            raise NotSupported("an entry outside of its matrix")
        return rows[i][j]

    def rows(self, letter: Letter, symbolic: bool) -> Rows:
        if letter.is_permutation:
            raise NotSupported("a permutation has no random entries")
        rows, columns = (self.whole(size, {}) for size in letter.shape)
        if rows * columns > ENTRIES_AT_MOST:
            raise LimitExceeded(f"{letter} is too large to be tried")
        cells = [[self.of_entry(letter, i, j) for j in range(columns)] for i in range(rows)]
        return [[cell[0] if symbolic else ball(cell[1]) for cell in row] for row in cells]

    def value(self, x: Any, places: Mapping[Any, int]) -> Any:
        """The formula as a ball."""
        if isinstance(x, Entry):
            return self.entry(x, places, symbolic=False)
        if isinstance(x, Derivative):
            by = x.variables[0]
            name, _ = self.of_entry(by.parent, self.whole(by.i, places), self.whole(by.j, places))
            return ball(self.formula(x.expr, places).diff(name).xreplace(self.numbers))
        if isinstance(x, Sum):
            return sum((self.value(x.function, at) for at in self.ranges(x, places)), flint.arb(0))
        if isinstance(x, (Add, Mul)):
            parts = [self.value(a, places) for a in x.args]
            total = parts[0]
            for part in parts[1:]:
                total = total + part if isinstance(x, Add) else total * part
            return total
        if isinstance(x, Pow) and x.atoms(Entry):
            base = self.value(x.base, places)
            if x.exp.is_Integer:
                return base ** int(x.exp)
            return base ** ball(x.exp)
        if isinstance(x, KroneckerDelta):
            return flint.arb(int(self.whole(x.args[0], places) == self.whole(x.args[1], places)))
        if isinstance(x, exp):
            return self.value(x.args[0], places).exp()
        if x.atoms(Entry, Derivative, Sum, KroneckerDelta):
            return ball(self.formula(x, places).xreplace(self.numbers))
        return ball(x.xreplace({**self.sizes, **{s: Integer(k) for s, k in places.items()}}))

    def formula(self, x: Any, places: Mapping[Any, int]) -> Any:
        """The formula in letters for the entries, every sum written out."""
        if isinstance(x, Entry):
            return self.entry(x, places, symbolic=True)
        if isinstance(x, Derivative):
            by = x.variables[0]
            name, _ = self.of_entry(by.parent, self.whole(by.i, places), self.whole(by.j, places))
            return self.formula(x.expr, places).diff(name)
        if isinstance(x, Sum):
            return Add(*(self.formula(x.function, at) for at in self.ranges(x, places)))
        if isinstance(x, KroneckerDelta):
            return Integer(self.whole(x.args[0], places) == self.whole(x.args[1], places))
        if not x.args:
            return x.xreplace({**self.sizes, **{s: Integer(k) for s, k in places.items()}})
        return x.func(*(self.formula(a, places) for a in x.args))

    def ranges(self, x: Sum, places: Mapping[Any, int]) -> Iterator[dict[Any, int]]:
        letters = [limit[0] for limit in x.limits]
        spans = [range(self.whole(low, places), self.whole(high, places) + 1) for _, low, high in x.limits]
        for choice in every_choice(*spans):
            yield {**places, **dict(zip(letters, choice, strict=True))}


def _size_letters(formula: Any) -> set[Symbol]:
    """The letters of sizes: of matrices, and of the ranges of sums."""
    found: set[Symbol] = set()
    for part in subformulas(formula):
        if isinstance(part, Entry):
            found |= {s for s in part.parent._mentions if isinstance(s, Symbol) and s.is_positive}
        elif isinstance(part, Symbol) and part.is_integer and part.is_positive:
            found.add(part)
    return found


__all__ = ["judge_line"]
