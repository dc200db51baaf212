"""Gradients in index notation, derived line by line: ∂L/∂q_ic = Σ_j g_ij k_jc.

`index_form(gradient, "Q")` starts from the chain rule over the steps in which Q stands, puts their
definitions in, and applies named rules until no derivative is left. The last lines say the result for
whole rows, and as the matrix formula that `differentiate` gives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sympy import Add, Derivative, Expr, KroneckerDelta, Sum, Symbol

from symtransformer.errors import LimitExceeded, NotSupported
from symtransformer.gradients import Gradient
from symtransformer.index_letters import (
    bound_letters,
    derivative,
    free_letters,
    require_clear_letters,
    size_of,
    subformulas,
)
from symtransformer.index_notation.jacobians import JACOBIANS, has_jacobian, jacobian_rule
from symtransformer.index_notation.rows import MATRIX_WORDS, ROW_WORDS, says_rows
from symtransformer.index_notation.softmax import softmax_jacobian
from symtransformer.index_notation.uses import Setting, Use, down_to_letters, setting_of
from symtransformer.notation import Words
from symtransformer.rules.calculus import CALCULUS, EntryRule
from symtransformer.rules.sums import (
    COMMON_FACTOR,
    FACTOR_OUT,
    INNER_SUM_OUT,
    MULTIPLY_OUT,
    RENAMING_WORDS,
    SUM_TERM_BY_TERM,
    delta_picks,
    renamed,
    sizes_in,
    sum_of,
)
from symtransformer.sections import IndexLine
from symtransformer.symbols import Entry, Letter

LINES_AT_MOST = 60
CHAIN_RULE = (
    Words("chain rule", "連鎖律"),
    Words(
        "The entry acts on the loss only through the results that are computed from it: every entry of these results "
        "contributes, and the contributions are added.",
        "この成分は、それを使って計算した値を通してだけ損失に影響します。その値の各成分からの寄与を、すべて足します。",
    ),
)
CHAIN_RULE_DIRECT = (
    CHAIN_RULE[0],
    Words(
        f"{CHAIN_RULE[1].en} Where the entry goes into a result directly, and through another result as well, only the "
        "direct part counts there: its slope stands in the place of ∂, which would not say what is held fixed.",
        f"{CHAIN_RULE[1].ja}この成分が直接にも別の値を通しても入る値については、直接の分だけを数えます。∂ "
        "では何を固定するのかが決まらないので、その傾きを書きます。",
    ),
)
IN_THE_SAME_WAY = (
    Words("in the same way", "同様の計算"),
    Words(
        "The chain rule, followed by rules of the same kind as above, leads to this line.",
        "連鎖律から始めて、上と同じ種類の規則を順に使うと、この式になります。",
    ),
)
DEFINITION = EntryRule(
    Words("substituting the definition", "定義を代入"),
    "t_kl = its formula",
    Words("Each entry of a result is replaced by its formula.", "計算した値の成分を、その定義式で置き換えます。"),
    lambda formula: None,
)


@dataclass(frozen=True)
class IndexForm:
    """The derivation of the gradient by one letter in index notation."""

    letter: Letter
    lines: tuple[IndexLine, ...]  # of one entry, from the chain rule to the formula without a derivative
    rows: tuple[IndexLine, ...]  # the same for a whole row, where rows add up; none where they do not
    matrix: IndexLine  # the same as matrices

    @property
    def formula(self) -> Expr:
        """The entry of the gradient, without a derivative in it."""
        return self.lines[-1].right

    @property
    def ends(self) -> tuple[IndexLine, ...]:
        """The result only, where the way to it was shown for another letter: of an entry, of a row, as matrices."""
        rule, explanation = IN_THE_SAME_WAY
        return (replace(self.lines[-1], rule=rule, explanation=explanation), *self.rows, self.matrix)

    @property
    def every_line(self) -> tuple[IndexLine, ...]:
        return (*self.lines, *self.rows, self.matrix)


def index_form(gradient: Gradient, name: str, short: Mapping[Letter, Letter] | None = None) -> IndexForm:
    """The gradient by the letter of this name as a formula of its entries, derived line by line.

    `short` gives letters under which gradients are written: {dS: G} writes g_ij for ∂L/∂s_ij.
    `NotSupported` says why a step has no index form.

    >>> from symtransformer import dimension, matrix
    >>> from symtransformer.gradients import differentiate
    >>> n, m, d_k = map(dimension, ("n", "m", "d_k"))
    >>> Q, K, G = matrix("Q", n, d_k), matrix("K", m, d_k), matrix("G", n, m)
    >>> form = index_form(differentiate(Q @ K.T, cotangent=G), "Q")
    >>> form.lines[0].left, form.formula.limits, form.matrix.right
    (dQ[i, c], ((j, 0, m - 1),), (G K)[i, c])
    """
    setting = setting_of(gradient, name)
    shown = tuple((short or {}).items())
    left = Entry(setting.gradient, *setting.places)

    def line(right: Any, rule: Words, explanation: Words, whole: tuple[Any, ...] = ()) -> IndexLine:
        require_clear_letters(left, right)
        return IndexLine(left, right, rule, explanation, setting.where, setting.losses, shown, whole, setting.loss)

    formula = _chain(setting)
    rule = CHAIN_RULE_DIRECT if any(use.in_two_ways for use in setting.uses) else CHAIN_RULE
    lines = [line(formula, *rule)]
    lines += [line(*step) for step in _rewritten(formula, setting)]
    formula = lines[-1].right
    if derivatives := sorted(map(str, formula.atoms(Derivative))):
        raise NotSupported(f"an index form: no rule for {derivatives[0][:80]}")
    rows: tuple[IndexLine, ...] = ()
    if (column := says_rows(formula, setting.places, setting.letter)) is not None:
        rows = (line(formula, *ROW_WORDS, (column,)),)
    step = gradient.derivation[setting.gradient.name]
    letters = tuple(p for p in setting.places if p != 0)
    matrix = line(Entry(step.expression, *setting.places), *MATRIX_WORDS, letters)
    return IndexForm(setting.letter, tuple(lines), rows, matrix)


def _chain(setting: Setting) -> Expr:
    """Σ over the uses t of Σ_kl ∂L/∂t_kl ∂t_kl/∂x_ij."""
    return Add(*(_contribution(setting, use) for use in setting.uses))


def _contribution(setting: Setting, use: Use) -> Expr:
    places = setting.letters.for_places(use.letter.shape, {str(p) for p in setting.places})
    limits = [(p, 0, size - 1) for p, size in zip(places, use.letter.shape, strict=True) if size != 1]
    by = Entry(setting.letter, *setting.places)
    taken = {str(p) for p in (*setting.places, *places)}
    upstream = down_to_letters(Entry(use.cotangent, *places), lambda size: setting.letters.of(size, taken))
    slope: Any = derivative(Entry(use.definition, *places), by)
    body = upstream * (_without_sign(slope, setting, tuple(places)) if use.in_two_ways else slope)
    heads = [] if use.head is None else [(use.head, 0, use.heads - 1)]
    return sum_of(body, [*reversed(limits), *heads])


def _without_sign(slope: Any, setting: Setting, places: Sequence[Any]) -> Any:
    """The slope worked out, since ∂ would not say that what the letter also goes into is held fixed."""
    formulas = (formula for formula, *_ in _rewritten(slope, setting, places))
    worked_out = next((x for x in (slope, *formulas) if not x.atoms(Derivative)), None)
    if worked_out is None:
        raise NotSupported(f"an index form: no rule for {str(slope)[:80]}")
    return worked_out


# -- one rule after the other ------------------------------------------------------------------------
def _rewritten(formula: Any, setting: Setting, around: Sequence[Any] = ()) -> Any:
    """The formula after each rule, with the words of the rule, until none fits; `around` are letters that it stands among."""
    for _ in range(LINES_AT_MOST):
        for rule in _rules(formula, setting, around):
            new = rule.everywhere(formula)
            while new is not None and (further := rule.everywhere(new)) is not None and further != new:
                new = further
            if new is not None and new != formula:
                formula = new
                yield formula, rule.name, rule.explanation
                break
        else:
            clear = _with_conventional_letters(formula, setting)
            if clear != formula:
                yield clear, *RENAMING_WORDS
            return
    raise LimitExceeded(f"an index form: more than {LINES_AT_MOST} lines")


def _rules(formula: Any, setting: Setting, around: Sequence[Any] = ()) -> list[EntryRule]:
    """The rules in the order in which they are tried: derivatives first, then deltas, then what makes it short."""
    fresh = _fresh(formula, setting, around)
    definition = EntryRule(DEFINITION.name, DEFINITION.statement, DEFINITION.explanation, _put_in(fresh))
    jacobians = [jacobian_rule(kind, fresh) for kind in JACOBIANS]
    sizes = sizes_in(formula)
    for place, size in zip(setting.places, setting.letter.shape, strict=True):
        sizes[place] = {*sizes.get(place, ()), size}
    picking = [delta_picks(sizes), MULTIPLY_OUT, _with_delta(SUM_TERM_BY_TERM), INNER_SUM_OUT]
    return [definition, *CALCULUS, *jacobians, *picking, FACTOR_OUT, COMMON_FACTOR]


def _with_delta(rule: EntryRule) -> EntryRule:
    """The rule only where it frees a delta."""

    def rewrite(formula: Any) -> Any:
        return rule.rewrite(formula) if isinstance(formula, Sum) and formula.atoms(KroneckerDelta) else None

    return EntryRule(rule.name, rule.statement, rule.explanation, rewrite)


def _put_in(fresh: Callable[[], Callable[[Any], Symbol]]) -> Callable[[Any], Any]:
    def rewrite(formula: Any) -> Any:
        if not isinstance(formula, Derivative) or not isinstance(formula.expr, Entry):
            return None
        entry, by = formula.expr, formula.variables[0]
        if isinstance(entry.parent, Letter) or has_jacobian(entry.parent):
            return None
        return derivative(down_to_letters(entry, fresh()), by)

    return rewrite


def _fresh(formula: Any, setting: Setting, around: Sequence[Any] = ()) -> Callable[[], Callable[[Any], Symbol]]:
    """For each place where a rule fits, letters that the formula does not hold; places apart may get the same."""
    held = {str(s) for s in (*free_letters(formula), *bound_letters(formula), *setting.places, *around)}

    def one_place() -> Callable[[Any], Symbol]:
        taken = set(held)

        def give(size: Any) -> Symbol:
            letter = setting.letters.of(size, taken)
            taken.add(str(letter))
            return letter

        return give

    return one_place


def _with_conventional_letters(formula: Any, setting: Setting) -> Any:
    """Each letter of a sum renamed to the first one for its size that nothing in the formula bears."""
    letters, sizes = setting.letters, dict[Symbol, set[Any]]()
    for part in subformulas(formula):
        for limits in part.limits if isinstance(part, Sum) else ():
            sizes.setdefault(limits[0], set()).add(size_of(limits))
    for letter in sorted(sizes, key=str):
        if len(sizes[letter]) != 1 or not letters.gives(letter):
            continue
        held = (*free_letters(formula), *bound_letters(formula), *setting.places)
        others = {str(s) for s in held if s != letter}
        new = letters.of(next(iter(sizes[letter])), others)
        if new != letter:
            formula = renamed(formula, {letter: new})
    return formula


__all__ = ["IndexForm", "index_form", "softmax_jacobian"]
