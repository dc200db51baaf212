"""Two sides of an equation with letters, compared: by matrices, by claims about gradients and indices, by one vector."""

from __future__ import annotations

from symtransformer.checking.formula_claims import EITHER, NUMBERS, Judged, has_indices, judge_claim
from symtransformer.checking.formula_deciding import Decision, compare
from symtransformer.checking.formula_definitions import GRADIENT, capital, is_gradient
from symtransformer.checking.formula_document import Document
from symtransformer.checking.formula_row_claims import judge_rows
from symtransformer.checking.formula_rows import LENGTHS
from symtransformer.checking.formula_syntax import Call, Named, Part, Total, every_part, names_in
from symtransformer.checking.formula_verdicts import (
    AT_SIZES,
    BOTH_SIDES,
    NO_SUBJECT,
    NOT_USUAL,
    OWN_FORMULAS,
    REFUTED,
    SHAPES,
    UNSAID_SIZES,
    FormulaVerdict,
    new_names,
    not_put_in,
    other_uses,
    undecidable,
    unparsed,
    unread_before,
    values_unused,
)  # fmt: skip
from symtransformer.checking.formula_writing import written
from symtransformer.checking.number_words import Note
from symtransformer.checking.refusals import in_japanese
from symtransformer.notation import Words
from symtransformer.reading import ReadingError
from symtransformer.reading.vocabulary import is_size_name

STATISTICS = frozenset(("mu", "sigma"))


class Sides:
    """Compares two sides by the formulas of one document."""

    def __init__(self, document: Document, condition: str = "", has_unread: bool = False) -> None:
        self.document, self.condition, self.has_unread = document, condition, has_unread

    def sides(self, left: Part, right: Part) -> FormulaVerdict:
        if any(GRADIENT.fullmatch(n) for part in (left, right) for n in names_in(part)):
            return self.claimed(left, right)
        given = left, right
        left, right = (self.document.expanded(side) for side in given)
        written_out = tuple(self.document.expanded(side, everything=True) for side in given)
        if written_out != (left, right):
            verdict = self._sides_as_given(*given, left, right)
            is_decided = verdict.is_accepted or (verdict.kind == REFUTED and self._has_statistics(*given))
            return verdict if is_decided else self._sides_as_given(*given, *written_out)
        return self._sides_as_given(*given, left, right)

    def _has_statistics(self, *sides: Part) -> bool:
        """LayerNorm(x) = (x - μ)/σ, written out for 2x, would keep the mean of x."""
        called = {p.function for side in sides for p in every_part(side) if isinstance(p, Call)}
        own = [f for name in called if (f := self.document.functions.get(name)) is not None]
        return any({*f.uses} & STATISTICS for f in own)

    def _sides_as_given(self, first: Part, second: Part, left: Part, right: Part) -> FormulaVerdict:
        given = first, second
        calls = [part for side in (left, right) for part in every_part(side) if isinstance(part, Call)]
        if (own := next((c.function for c in calls if len(c.function) == 1), None)) is not None:
            return unparsed("unknown_function", f"{own} is a function here, and nothing says which")
        against = OWN_FORMULAS if (left, right) != given else BOTH_SIDES
        if has_indices(left, right):
            verdict = self.claimed(left, right)
            unsaid = self.unsaid(left, right) if not isinstance(left, Named) else []
            return new_names(self._shown(unsaid)) if unsaid and verdict.kind in (REFUTED, SHAPES) else verdict
        names = {*names_in(left), *names_in(right)}
        exact = Sides(self.document.exact(), self.condition)
        return exact._without_indices(left, right, names, against)

    def _without_indices(self, left: Part, right: Part, names: set[str], against: Words) -> FormulaVerdict:
        new = self.numbers(names) & names | names - self.document.letters - self.document.names.known
        one_sided = sorted(
            n for n in new - {"pi"} if (n in names_in(left)) != (n in names_in(right)) and not n.startswith("d_")
        )
        is_vector = not set(one_sided) - NUMBERS - EITHER and all(n[:1].islower() or n in LENGTHS for n in names)
        vectors = judge_rows(self.document, left, right) if is_vector else None
        if vectors is not None and vectors.is_accepted:
            return self.said(vectors, against)
        try:
            verdict = self._compared(left, right, names, against)
        except ReadingError:
            if vectors is None and not one_sided:
                raise
            if vectors is not None and not set(one_sided) - self.document.letters:
                return self._for_all_values(self.said(vectors, against), names)
            return new_names(self._shown(one_sided))
        if verdict.kind not in (REFUTED, SHAPES):
            return verdict
        if one_sided:
            return new_names(self._shown(one_sided))
        return self._for_all_values(verdict, names)

    def _for_all_values(self, verdict: FormulaVerdict, names: set[str]) -> FormulaVerdict:
        """2 b c = 2 c may hold for the b that the document gives, if not for all."""
        with_values = sorted(n for n in names if n in self.document.known)
        return values_unused(self._shown(with_values)) if with_values and verdict.kind == REFUTED else verdict

    def unsaid(self, *sides: Part) -> list[str]:
        """Letters in it that nothing was said of; of sizes nothing need be said."""
        names = {n for side in sides for n in names_in(side)} - self.document.known.keys() - LENGTHS - {"pi", "e"}
        return sorted(n for n in names if self.document.find(n) is None and not is_size_name(n))

    def _shown(self, names: list[str]) -> str:
        return ", ".join(map(self.document.names.back, names))

    def _compared(self, left: Part, right: Part, names: set[str], against: Words) -> FormulaVerdict:
        """By matrices of all sizes, then of those that the document's values have."""
        lines = self.document.lines(names)
        against = OWN_FORMULAS if lines else against
        behind = self.document.behind(names)
        steps = {name for name, _ in lines}
        numbers, sizes = self._sizes((names | {n for d in behind for n in d.uses}) - steps)
        sides = written(left), written(right)
        decision = compare(lines, *sides, names, numbers)
        unsaid = self.numbers(names)
        if decision.kind == SHAPES and unsaid:  # t S: a letter may be a number
            again = compare(lines, *sides, names, {**numbers, **dict.fromkeys(unsaid, "number")})
            decision = decision if again.kind == SHAPES else again
        if is_unsaid(decision) and not sizes:
            return UNSAID_SIZES
        if not decision.is_accepted and sizes:
            try:
                at_sizes = compare(lines, *sides, names, {**numbers, **sizes})
            except ReadingError:
                at_sizes = decision
            if at_sizes.is_accepted:
                return self.said(at_sizes, against, remarks=(AT_SIZES,))
            decision = at_sizes if decision.kind == SHAPES and at_sizes.kind == REFUTED else decision
        unread = sorted(d.name for d in behind if d.name not in steps and not d.is_alias)
        if unread and decision.kind in (REFUTED, SHAPES):
            return unread_before(self._shown(unread))
        return self.said(decision, against)

    def numbers(self, names: set[str]) -> set[str]:
        """Letters such as t in t S, of which nothing was said: they may be numbers."""
        free = names | {n for d in self.document.behind(names) for n in d.uses}
        return {n for n in free & (NUMBERS | EITHER) - self.document.known.keys() if self.document.find(n) is None}

    def _sizes(self, names: set[str]) -> tuple[dict[str, str], dict[str, str]]:
        """Which of the names are numbers, and the sizes of those that have values."""
        known = {n: shape for n, shape in self.document.known.items() if n in names and not is_size_name(n)}
        numbers = {n: "number" for n, shape in known.items() if not isinstance(shape, tuple)}
        told = {n: " ".join(size) for n, size in self.document.told.items() if n in names and len(size) == 2}
        return numbers, told | {n: f"{shape[0]} {shape[1]}" for n, shape in known.items() if isinstance(shape, tuple)}

    # -- gradients and indices --------------------------------------------------------------------------------------
    def claimed(self, *sides: Part) -> FormulaVerdict:
        """By formulas of matrices where they are read, else by those of one vector."""
        judged = judge_claim(self.document, *sides, condition=self.condition)
        if len(sides) == 2 and (not isinstance(judged, Judged) or judged.claim.kind == "undecidable"):
            decision = judge_rows(self.document, *sides)
            if decision is not None:
                return self.said(decision, OWN_FORMULAS)
        if judged is None:
            return NO_SUBJECT
        if isinstance(judged, ReadingError):
            return unparsed(judged.code, self.document.names.back(judged.message))
        claim = judged.claim
        if judged.left_out and (claim.is_accepted or claim.kind in (REFUTED, SHAPES)):
            return not_put_in(self._shown([*judged.left_out]))
        if claim.kind in (REFUTED, SHAPES) and len(sides) == 2:
            is_open = self.has_unread and list(map(self._has_gradient, sides)) == [
                True,
                False,
            ]  # dE = E, the loss unread
            if is_open or self._is_of_former(*sides) or self._is_second_route(*sides):
                return NO_SUBJECT
        if claim.kind == SHAPES and len(sides) == 2 and self._ends_at_unsaid_size(*sides):
            return UNSAID_SIZES
        if judged.is_usual and not claim.is_accepted:
            return NOT_USUAL
        if claim.is_accepted and judged.is_partial:
            return other_uses(self.document.names.back(claim.text.partition("=")[0].strip()))
        example = claim.counterexample.shown if claim.counterexample else ""
        decision = Decision(claim.kind, claim.verdict.reason, claim.verdict.words.ja, counterexample=example)
        remarks = tuple(Note("assumption", words) for words in claim.notes if "inferred" not in words.en)
        return self.said(decision, judged.against, claim.derived, remarks)

    def _has_gradient(self, side: Part) -> bool:
        return any(map(is_gradient, every_part(side)))

    def _is_of_former(self, left: Part, right: Part) -> bool:
        """dQ = dS K where Q went into a former S only: the present S does not say what this is about."""
        by = {n[1:] for n in names_in(left) if GRADIENT.fullmatch(n)}
        cuts = {n[1:] for n in names_in(right) if GRADIENT.fullmatch(n)}
        present = {n for d in self.document.behind(cuts) for n in (d.name, *d.uses)}
        former = [d for d in self.document.definitions.values() if any(d.name.startswith(f"{c}old") for c in cuts)]
        behind = {n for d in self.document.behind([d.name for d in former]) for n in (d.name, *d.uses)}
        return bool(by) and not by & present and bool(by & behind)

    def _is_second_route(self, left: Part, right: Part) -> bool:
        """dS_2 = dS: the second formula for dS has the name dS_2, which may be no row of it."""
        name = left.name if isinstance(left, Named) else ""
        base, _, low = name.partition("_")
        has_row = {f"{base[1:]}_{low}", f"{base[1:2].lower()}{base[2:]}_{low}"} & {
            *names_in(right),
            *self.document.letters,
        }
        return low.isdigit() and GRADIENT.fullmatch(base) is not None and base in names_in(right) and not has_row

    def _ends_at_unsaid_size(self, *sides: Part) -> bool:
        """Whether a sum ends at a size, and the document's values give no sizes to compare it with."""
        every = [part for side in sides for part in every_part(side)]
        if any(map(is_gradient, every)) or not any(isinstance(part, Total) and part.upper for part in every):
            return False
        names = {m for side in sides for n in names_in(side) for m in (n, capital(n))}
        names |= {n for d in self.document.behind(names) for n in d.uses}
        return not any(isinstance(self.document.known.get(n), tuple) for n in names)

    # -- words ------------------------------------------------------------------------------------------------------
    def said(
        self, decision: Decision, against: Words, right: str = "", remarks: tuple[Note, ...] = ()
    ) -> FormulaVerdict:
        """The decision in the document's own names."""
        back = self.document.names.back
        japanese = decision.reason_ja or decision.reason
        if decision.kind == SHAPES:
            japanese = f"大きさが合わない。{in_japanese('shapes', decision.reason)}。"
        words = Words(back(_sentence(decision.reason)), back(japanese))
        if decision.kind == "undecidable":
            return undecidable("undecidable", words.en, words.ja, *remarks)
        is_wrong = decision.kind in (REFUTED, SHAPES)
        example = back(decision.counterexample) if decision.kind == REFUTED else ""
        return FormulaVerdict(
            decision.kind, words, against, example or None, "", remarks, back(right) if is_wrong else ""
        )


def is_unsaid(decision: Decision) -> bool:
    """Whether it fits for one size only, such as n = 1, and nobody said what n is."""
    return decision.sizes is not None and sorted(bool(size.is_Integer) for size in decision.sizes) == [False, True]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
