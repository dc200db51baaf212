r"""What an equation with letters is, by its left side: a name that gets a formula, a function, or something to compare."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from symtransformer.checking.formula_calls import Found, approximates, is_usual, judge_call, operation_of
from symtransformer.checking.formula_claims import has_indices
from symtransformer.checking.formula_deciding import Decision, of_shapes, read_alone
from symtransformer.checking.formula_definitions import GRADIENT, Definition, definition_of
from symtransformer.checking.formula_derivatives import JACOBIAN, RESERVED, Derivatives
from symtransformer.checking.formula_domains import domain_note, may_be_imaginary
from symtransformer.checking.formula_doubts import doubted
from symtransformer.checking.formula_entries import as_entries
from symtransformer.checking.formula_eps import EPS_0, with_eps_0
from symtransformer.checking.formula_fit import unfit
from symtransformer.checking.formula_positions import judge_positions
from symtransformer.checking.formula_sides import Sides, is_unsaid
from symtransformer.checking.formula_signs import LOSS_ALONE
from symtransformer.checking.formula_sizes import judge_sizes
from symtransformer.checking.formula_syntax import (
    Call,
    Derivative,
    Factors,
    Indexed,
    Named,
    Number,
    Part,
    Power,
    every_part,
    functions_in,
    names_in,
)
from symtransformer.checking.formula_verdicts import (
    BOTH_SIDES,
    BY_CONVENTION,
    DERIVATIVES,
    IMAGINARY,
    LAYOUT,
    LETTER_AND_FUNCTION,
    OPERATOR_UNREAD,
    OWN_FORMULAS,
    REFUTED,
    SHAPES,
    SIZES_TOLD,
    UNSAID_SIZES,
    FormulaVerdict,
    by_library,
    entry_or_name,
    given,
    new_names,
    not_compared,
    not_used,
    redefined,
    square_given,
    unparsed,
)  # fmt: skip
from symtransformer.checking.formula_writing import without_scale, written
from symtransformer.errors import SymtransformerError
from symtransformer.notation import Words
from symtransformer.reading import ReadingError, ReadingShapeError
from symtransformer.reading.vocabulary import is_size_name

CONSTANTS = {"e", "pi"}


class Judge(Derivatives):
    """Decides what an equation is by its left side."""

    is_concluded = False

    def judge(self, left_text: str, right_text: str, is_concluded: bool = False) -> FormulaVerdict:
        self.is_concluded = is_concluded
        if (written_sizes := judge_sizes(left_text, right_text)) is not None:
            return written_sizes
        latex = "\\" in left_text + right_text
        if (operator := self._operator(left_text, right_text, latex)) is not None:
            return operator
        if (own := self._of_own_name(left_text, right_text, latex)) is not None:
            return own
        self.left_text, self.right_text = left_text, right_text
        self.document.names.raise_powers((left_text, right_text), self.document.known)
        if (jacobian := JACOBIAN.fullmatch(left_text)) is not None:
            upper, lower = jacobian.group("a") or jacobian.group("c"), jacobian.group("b") or jacobian.group("d")
            if not LOSS_ALONE.fullmatch(upper):
                found = self.claimed(*(self.document.read(text, latex) for text in (upper, lower, right_text)))
                is_whole = "_" not in upper + lower  # ∂y/∂x = wᵀ and w are both written of y = wᵀx
                return LAYOUT if is_whole and found.kind in (REFUTED, SHAPES) else found
        left = self.document.left(left_text, latex)
        if self.document.is_whole_name(left, right_text, latex):
            left = self.document.left(left_text, latex)
        right = self.document.read(right_text, latex)
        is_operation = isinstance(left, Call) and operation_of(left) is not None and _is_general(left)
        bound = names_in(left) if is_operation else ()
        right = self.document.meant(right, bound)
        left = left if isinstance(left, Named) else self.document.meant(left, bound)
        sizes = (
            unfit(self.document, left, right, self.numbers(self._names(left, right))) if self.document.told else None
        )
        if sizes is not None and sizes.kind == SHAPES:
            return self.said(sizes, SIZES_TOLD)
        verdict = self._judged(left, right)
        if verdict.is_accepted and functions_in(left, right) & self._names(left, right):
            return LETTER_AND_FUNCTION
        verdict = doubted(self.document, left, right, f"{left_text} {right_text}", verdict)
        if verdict.kind in (REFUTED, SHAPES) and may_be_imaginary(self.document, left, right):
            return IMAGINARY
        if sizes is not None and (verdict.is_accepted or verdict.kind in (REFUTED, SHAPES)):
            return UNSAID_SIZES
        if verdict.kind == REFUTED and (at_0 := with_eps_0(self.document, left, right)) is not None:
            if Judge(at_0[0], self.condition, self.has_unread)._judged(*at_0[1]).is_accepted:
                return FormulaVerdict(BY_CONVENTION, EPS_0.words, BOTH_SIDES, remarks=(EPS_0,))
        if verdict.kind == REFUTED and (convention := approximates(self.document, left, right)) is not None:
            return FormulaVerdict(BY_CONVENTION, convention.words, BOTH_SIDES, remarks=(convention,))
        return verdict if is_operation or not verdict.is_accepted else self._with_domain(verdict, left, right)

    def _names(self, *sides: Part) -> set[str]:
        return {n for side in sides for n in names_in(side)}

    def _with_domain(self, verdict: FormulaVerdict, left: Part, right: Part) -> FormulaVerdict:
        """x/x = 1 is told with x ≠ 0."""
        note = domain_note(left, right)
        if note is None:
            return verdict
        back = self.document.names.back
        return replace(
            verdict, remarks=(*verdict.remarks, replace(note, words=Words(back(note.words.en), back(note.words.ja))))
        )

    def _judged(self, left: Part, right: Part) -> FormulaVerdict:
        if not {*names_in(left), *names_in(right)} - CONSTANTS:
            return unparsed("number", "there are no letters in it")
        if any(isinstance(part, Derivative) for side in (left, right) for part in every_part(side)):
            return DERIVATIVES
        if any(GRADIENT.fullmatch(n) for n in names_in(left)):
            return self._gradient(left, right)
        made = definition_of(left, right)
        if made is not None and made.arguments is None:
            return self._named(made, left, right)
        call = left.inner if isinstance(left, Indexed) else left
        if isinstance(call, Call) and not (isinstance(left, Call) and made is None and operation_of(call) is None):
            return self._call(call, left, right, made)
        return self.sides(left, right)

    # -- one name on the left side ----------------------------------------------------------------------------------
    def _named(self, made: Definition, left: Part, right: Part) -> FormulaVerdict:
        shown = self.document.names.back(made.name) + ("²" if made.squared else "")
        before = self.document.find(made.name)
        if before is not None and before.right is not None and before.squared != made.squared:
            return self._beside_square(before, made, left, right, shown)
        if before is not None and before.right is not None:
            if before.right == right and before.indices == made.indices:
                return self.said(Decision("proved", "the same formula as before", "前と同じ式"), OWN_FORMULAS)
            if made.indices and not before.indices and (before.name != made.name or self._is_of_same(before, right)):
                return self._entry(before, left, right, shown)
            verdict = self._follows(before, made, left, right)
            if verdict is not None:
                return verdict
        if before is None and self._is_primed_function(made.name, right):
            return OPERATOR_UNREAD
        if before is None and (entry := self._numbered_entry(left, right, shown)) is not None:
            return entry
        remarks = [redefined(shown)] if before is not None else []
        if any(GRADIENT.fullmatch(n) for n in names_in(right)):
            return given(shown, *remarks)
        message = self._readable(made, right)
        if isinstance(message, FormulaVerdict):
            return message
        return given(shown, *remarks, *([not_used(shown, message)] if message else []))

    def _beside_square(
        self, before: Definition, made: Definition, left: Part, right: Part, shown: str
    ) -> FormulaVerdict:
        """s² = v where s has a formula is a claim; s = v where s² has one is a formula for s, unless v² is not s²."""
        if made.squared:
            return self.sides(left, right)
        assert before.right is not None
        verdict = self.sides(Power(right, Number("2")), before.right)
        if before.right == right or verdict.kind in (REFUTED, SHAPES):
            return square_given(shown)
        return given(shown, redefined(shown))

    def _is_of_same(self, before: Definition, right: Part) -> bool:
        """Whether all letters of the new formula stand behind the one before, as entries or rows or as they are."""
        behind = {n for d in self.document.behind([before.name]) for n in d.uses}
        behind |= {x[:1].lower() + x[1:] for x in behind}
        return {n for n in names_in(right) if not is_size_name(n)} - CONSTANTS <= behind

    def _entry(self, before: Definition, left: Part, right: Part, shown: str) -> FormulaVerdict:
        """An entry or a row of what is known; s_ij = q_i · k_j without the scale of S = Q Kᵀ / √d_k is another s."""
        verdict = self.sides(left, right)
        bare = without_scale(before.right) if before.right is not None else None
        if verdict.kind != REFUTED or bare is None:
            return verdict
        other = self.document.copy()
        other.definitions[before.name] = replace(before, right=bare)
        return given(shown, redefined(shown)) if Sides(other).sides(left, right).is_accepted else verdict

    def _numbered_entry(self, left: Part, right: Part, shown: str) -> FormulaVerdict | None:
        """p_2 = e^{x_2} / Σ_j e^{x_j}, where p = softmax(x): right as an entry; else it may be a name of its own."""
        sides = as_entries(self.document, left, right)
        try:
            verdict = self.sides(*sides) if sides is not None else None
        except SymtransformerError:
            return None
        if verdict is None or verdict.is_accepted:
            return verdict
        return entry_or_name(shown) if verdict.kind in (REFUTED, SHAPES) else None

    def _readable(self, made: Definition, right: Part) -> str | FormulaVerdict:
        """Empty where the right side can be read with its letters as free matrices; why not, where later ones cannot use it."""
        if has_indices(right) or made.indices or made.squared:
            return ""
        names = names_in(right)
        lines = self.document.lines(names)
        try:
            read_alone(lines, written(self.document.expanded(right)), names, {})
        except ReadingShapeError as error:
            return self._with_shapes(lines, right, names, of_shapes(error))
        except ReadingError as error:
            return "" if error.code == "nothing_to_do" else error.message
        except SymtransformerError as error:
            return str(error)
        return ""

    def _with_shapes(
        self, lines: list[tuple[str, str]], right: Part, names: tuple[str, ...], found: Decision
    ) -> str | FormulaVerdict:
        """Sizes that do not fit, unless a letter may be a number, or one of the sizes is nowhere said."""
        numbers = self.numbers({*names})
        try:
            if numbers:
                read_alone(lines, written(self.document.expanded(right)), names, dict.fromkeys(numbers, "number"))
                return ""
        except SymtransformerError:
            pass
        return found.reason if is_unsaid(found) else self.said(found, OWN_FORMULAS)

    def _follows(self, before: Definition, made: Definition, left: Part, right: Part) -> FormulaVerdict | None:
        """Proved where the new formula says the same; refuted only where it is made of the very inputs behind the old one."""
        if before.has_gradients or before.squared or made.squared:
            return None
        try:
            verdict = self.sides(self.document.meant(left), right)
        except SymtransformerError:
            return None
        if verdict.is_accepted:
            return verdict
        inputs = {n for d in self.document.behind([before.name]) for n in d.uses if self.document.find(n) is None}
        new = set(names_in(right))
        if self.is_concluded and new and new <= self.document.letters:  # behind `therefore`
            return verdict
        derived = new <= inputs and not new & {*before.uses} and len(new) > 1
        return verdict if derived and verdict.kind in (REFUTED, SHAPES) else None

    # -- a function on the left side --------------------------------------------------------------------------------
    def _call(self, call: Call, left: Part, right: Part, made: Definition | None) -> FormulaVerdict:
        if (derivative := self._primed(call, right)) is not None:
            return derivative
        own = self.document.functions.get(call.function)
        shown = self.document.names.back(written(call))
        if own is not None and own.right is not None:
            verdict = self.sides(left, right)
            if verdict.is_accepted:
                return verdict
        operation = operation_of(call)
        if operation is not None and not _is_general(call):
            return self.sides(left, right)
        if (positions := judge_positions(self.document, call, right)) is not None:
            return positions
        found = judge_call(self.document, left, right) if operation is not None else []
        if found and operation is not None:
            verdict = self._of_operation(found, operation, call, right)
            is_known = any(self.document.find(n) is not None for n in names_in(call))
            if verdict.is_accepted or not (is_known or any(isinstance(a, Factors) for a in call.arguments)):
                return verdict
            return self.sides(left, right)  # log(P), where the document says what P is
        if own is not None and own.right is not None:
            return self.sides(left, right)
        if made is not None and operation is None and call.function not in RESERVED:
            return given(shown)
        if operation is not None and made is not None and not names_in(right) and names_in(call):
            return new_names(self._shown([*names_in(call)]))
        if operation is not None and made is not None:
            return not_compared(operation.title)
        return self.sides(left, right)

    def _of_operation(self, found: list[Found], operation: Any, call: Call, right: Part) -> FormulaVerdict:
        best = found[0]
        verdict = self.said(best.decision, by_library(operation.title, best.variant), right=best.right)
        unsaid = [n for n in self.unsaid(right) if n not in names_in(call) and not is_usual(n, operation)]
        if unsaid and verdict.kind in (REFUTED, SHAPES):
            return new_names(self._shown(unsaid))
        if best.note is not None and verdict.is_accepted:
            return FormulaVerdict(BY_CONVENTION, best.note.words, verdict.against, remarks=(best.note,))
        return verdict


def _is_general(call: Call) -> bool:
    """Whether its arguments are names, as in a definition: Attention(Q, K, V), not softmax(x + c)."""
    return all(isinstance(a, (Named, Factors)) or call.function == "PE" for a in call.arguments)
