r"""Whether an equation with letters is true: `judge_formula`.

A new name on the left side is given a formula; anything else is compared: with the document's own formulas so far,
with the library's operation of that name, or side with side.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from symtransformer.checking.formula_calls import Found, judge_call, operation_of
from symtransformer.checking.formula_claims import Judged, has_indices, judge_claim
from symtransformer.checking.formula_deciding import Decision, compare, read_alone
from symtransformer.checking.formula_document import GRADIENT, Definition, Document, definition_of
from symtransformer.checking.formula_names import Names
from symtransformer.checking.formula_positions import judge_positions
from symtransformer.checking.formula_row_claims import NUMBERS, judge_rows
from symtransformer.checking.formula_rows import LENGTHS
from symtransformer.checking.formula_sizes import judge_sizes
from symtransformer.checking.formula_syntax import Call, Factors, Indexed, Named, Part, names_in
from symtransformer.checking.formula_time import OutOfTime, limited_time
from symtransformer.checking.formula_tokens import PLAIN_FUNCTIONS
from symtransformer.checking.formula_verdicts import (
    BOTH_SIDES,
    BY_CONVENTION,
    DEADLINE,
    LIBRARY_FORM,
    OWN_FORMULAS,
    REFUTED,
    SHAPES,
    FormulaVerdict,
    by_library,
    given,
    not_used,
    redefined,
    undecidable,
    unparsed,
)  # fmt: skip
from symtransformer.checking.formula_writing import written
from symtransformer.checking.number_words import Note
from symtransformer.errors import ShapeError, SymtransformerError
from symtransformer.notation import Words
from symtransformer.reading import ReadingError, ReadingShapeError
from symtransformer.reading.index_marks import PARTIAL
from symtransformer.reading.vocabulary import is_size_name

JACOBIAN = re.compile(
    rf"\s*(?:{PARTIAL}(?P<a>[^/∂]{{1,60}}?)\s*/\s*{PARTIAL}(?P<b>[^/∂]{{1,60}}?)|\\[dt]?frac\s*\{{\s*{PARTIAL}(?P<c>[^∂]{{1,60}}?)\}}\s*\{{\s*{PARTIAL}(?P<d>[^∂]{{1,60}}?)\}})\s*"
)


def judge_formula(
    left: str,
    right: str,
    forward: Sequence[tuple[str, str]] = (),
    known: Mapping[str, Any] | None = None,
    *,
    conventions: Any = None,
    relation: str = "=",
) -> FormulaVerdict:
    """Whether `left = right` holds, for letters of any value.

    `forward` are the document's formulas so far, (name, right side) in order; `known` has shapes or numbers of names
    that have values; an ≈ as `relation` is not refuted. Only what was found equal is proved or tested; what cannot be read is unparsed, with the code.

    >>> judge_formula("QK^T", "X W_Q W_K^T X^T", [("Q", "X W_Q"), ("K", "X W_K")]).kind
    'proved'
    >>> judge_formula("QK^T", "X W_Q W_K X^T", [("Q", "X W_Q"), ("K", "X W_K")]).kind
    'refuted'
    """
    try:
        with limited_time():
            found = _Judge(forward, dict(known or {}), conventions).judge(left, right)
        return _about(found) if found.kind == REFUTED and relation in APPROXIMATE else found
    except OutOfTime:
        return DEADLINE
    except ReadingError as error:
        return unparsed(error.code, error.message)
    except FAILURES as error:
        return undecidable("failed", f"It could not be computed: {error}", f"計算できなかった：{error}")


CONSTANTS = {"e", "pi"}
RESERVED = PLAIN_FUNCTIONS | {"norm2", "mean", "var", "Var", "sum", "std", "E"}
FAILURES = (SymtransformerError, ArithmeticError, RecursionError, LookupError, TypeError, ValueError, AttributeError)
APPROXIMATE = ("≈", "≃", "\\approx")


class _Judge:
    def __init__(self, forward: Sequence[tuple[str, str]], known: Mapping[str, Any], conventions: Any) -> None:
        self.document = Document.of(forward, known)
        self.conventions = conventions

    def judge(self, left_text: str, right_text: str) -> FormulaVerdict:
        if (sizes := judge_sizes(left_text, right_text)) is not None:
            return sizes
        latex = "\\" in left_text + right_text
        jacobian = JACOBIAN.fullmatch(left_text)
        if (
            jacobian is not None
            and "L" not in (jacobian.group("a") or jacobian.group("c") or "").replace("\\mathcal", "").strip()[:1]
        ):
            return self._jacobian(jacobian, right_text, latex)
        left = self.document.left(left_text, latex)
        right = self.document.meant(self.document.read(right_text, latex))
        left = left if isinstance(left, Named) else self.document.meant(left)
        if not {*names_in(left), *names_in(right)} - CONSTANTS:
            return unparsed("number", "there are no letters in it")
        if any(GRADIENT.fullmatch(n) for n in names_in(left)):
            return self._gradient(left, right)
        made = definition_of(left, right)
        if made is not None and made.arguments is None:
            return self._named(made, left, right)
        call = left.inner if isinstance(left, Indexed) else left
        if isinstance(call, Call) and not (isinstance(left, Call) and made is None and operation_of(call) is None):
            return self._call(call, left, right, made)
        return self._sides(left, right)

    # -- one name on the left side ----------------------------------------------------------------------------------
    def _named(self, made: Definition, left: Part, right: Part) -> FormulaVerdict:
        shown = self.document.names.back(made.name)
        before = self.document.find(made.name)
        if before is not None and before.right is not None:
            if before.right == right and before.indices == made.indices:
                return self._said(Decision("proved", "the same formula as before", "前と同じ式"), OWN_FORMULAS)
            if made.indices and before.name != made.name and not before.indices:
                return self._sides(left, right)  # an entry or a row of what is known
            verdict = self._follows(before, made, left, right)
            if verdict is not None:
                return verdict
        remarks = [redefined(shown)] if before is not None else []
        if any(GRADIENT.fullmatch(n) for n in names_in(right)):
            return given(shown, *remarks)
        message = self._readable(made, right)
        if isinstance(message, FormulaVerdict):
            return message
        return given(shown, *remarks, *([not_used(shown, message)] if message else []))

    def _readable(self, made: Definition, right: Part) -> str | FormulaVerdict:
        """Empty where the right side can be read with its letters as free matrices; why not, where later ones cannot use it."""
        if has_indices(right) or made.indices or made.squared:
            return ""
        names = names_in(right)
        lines = self.document.lines(names)
        try:
            read_alone(lines, written(self.document.expanded(right)), names, {})
        except ReadingShapeError as error:
            from symtransformer.checking.formula_deciding import of_shapes

            return self._said(of_shapes(error), OWN_FORMULAS)
        except ReadingError as error:
            return "" if error.code == "nothing_to_do" else error.message
        except SymtransformerError as error:
            return str(error)
        return ""

    def _follows(self, before: Definition, made: Definition, left: Part, right: Part) -> FormulaVerdict | None:
        """Proved where the new formula says the same; refuted only where it is made of the very inputs behind the old one."""
        if before.has_gradients or before.squared or made.squared:
            return None
        try:
            verdict = self._sides(left, right)
        except SymtransformerError:
            return None
        if verdict.is_accepted:
            return verdict
        inputs = {n for d in self.document.behind([before.name]) for n in d.uses if self.document.find(n) is None}
        new = set(names_in(right))
        derived = new <= inputs and not new & {n for n in before.uses} and len(new) > 1
        return verdict if derived and verdict.kind in (REFUTED, SHAPES) else None

    # -- a function on the left side --------------------------------------------------------------------------------
    def _call(self, call: Call, left: Part, right: Part, made: Definition | None) -> FormulaVerdict:
        own = self.document.functions.get(call.function)
        shown = self.document.names.back(written(call))
        if own is not None and own.right is not None:
            verdict = self._sides(left, right)
            if verdict.is_accepted:
                return verdict
        operation = operation_of(call)
        if operation is not None and not _is_general(call):
            return self._sides(left, right)
        if (positions := judge_positions(self.document, call, right)) is not None:
            return positions
        found = judge_call(self.document, left, right) if operation is not None else []
        if found and operation is not None:
            return self._of_operation(found, operation)
        if own is not None and own.right is not None:
            return self._sides(left, right)
        if made is not None and operation is None and call.function not in RESERVED:
            return given(shown)
        if operation is not None and made is not None:
            title = operation.title
            en = f"It could not be compared with the library's {title.en.lower()}."
            return undecidable("not_compared", en, f"ライブラリの「{title.ja}」と比べられなかった。")
        return self._sides(left, right)

    def _of_operation(self, found: list[Found], operation: Any) -> FormulaVerdict:
        best = found[0]
        verdict = self._said(best.decision, by_library(operation.title, best.variant), right=best.right)
        if best.note is not None and verdict.is_accepted:
            return FormulaVerdict(BY_CONVENTION, best.note.words, verdict.against, remarks=(best.note,))
        return verdict

    # -- two sides --------------------------------------------------------------------------------------------------
    def _sides(self, left: Part, right: Part) -> FormulaVerdict:
        if any(GRADIENT.fullmatch(n) for part in (left, right) for n in names_in(part)):
            return self._gradient(left, right)
        given = left, right
        left, right = (self.document.expanded(side) for side in given)
        own = (left, right) != given
        names = {*names_in(left), *names_in(right)}
        if has_indices(left, right):
            return self._claimed(left, right)
        new = {n for n in names if n not in self.document.letters and n not in self.document.names.known}
        one_sided = {n for n in new if (n in names_in(left)) != (n in names_in(right)) and not n.startswith("d_")}
        given_letters = one_sided - NUMBERS
        vectors = (
            judge_rows(self.document, left, right)
            if not given_letters and all(n[:1].islower() or n in LENGTHS for n in names)
            else None
        )
        if vectors is not None and vectors.is_accepted:
            return self._said(vectors, OWN_FORMULAS if own else BOTH_SIDES)
        try:
            verdict = self._compared(left, right, names, own)
        except ReadingError:
            if vectors is not None:
                return self._said(vectors, OWN_FORMULAS if own else BOTH_SIDES)
            if one_sided:
                return self._defines(left, right, sorted(one_sided))
            raise
        if verdict.kind in (REFUTED, SHAPES) and one_sided:
            return self._defines(left, right, sorted(one_sided))
        return verdict

    def _compared(self, left: Part, right: Part, names: set[str], own: bool = False) -> FormulaVerdict:
        lines = self.document.lines(names)
        against = OWN_FORMULAS if lines or own else BOTH_SIDES
        free = names | {n for d in self.document.behind(names) for n in d.uses}
        numbers, sizes = self._sizes(free - {name for name, _ in lines})
        decision = compare(lines, written(left), written(right), names, numbers)
        if not decision.is_accepted and sizes:
            try:
                at_sizes = compare(lines, written(left), written(right), names, {**numbers, **sizes})
            except ReadingError:
                return self._said(decision, against)
            if at_sizes.is_accepted:
                return self._said(at_sizes, against, remarks=(LIBRARY_FORM["sizes"],))
        return self._said(decision, against)

    def _sizes(self, names: set[str]) -> tuple[dict[str, str], dict[str, str]]:
        """Which of the names are numbers, and the sizes of those that have values."""
        known = {n: shape for n, shape in self.document.known.items() if n in names and not is_size_name(n)}
        numbers = {n: "number" for n, shape in known.items() if not isinstance(shape, tuple)}
        return numbers, {n: f"{shape[0]} {shape[1]}" for n, shape in known.items() if isinstance(shape, tuple)}

    def _defines(self, left: Part, right: Part, new: list[str]) -> FormulaVerdict:
        shown = ", ".join(map(self.document.names.back, new))
        en = f"{shown} stands for nothing that was given before, so this cannot be checked; it may say what {shown} is."
        ja = f"{shown} はこれまでに与えられていないので検算できない。{shown} を定める式かもしれない。"
        return undecidable("new_name", en, ja, Note("new_name", Words(en, ja)))

    # -- gradients and indices --------------------------------------------------------------------------------------
    def _gradient(self, left: Part, right: Part) -> FormulaVerdict:
        return self._claimed(left, right)

    def _claimed(self, left: Part, right: Part) -> FormulaVerdict:
        """By formulas of matrices where they are read, else by those of one vector."""
        judged = judge_claim(self.document, left, right)
        if not isinstance(judged, Judged) or judged.claim.kind == "undecidable":
            decision = judge_rows(self.document, left, right)
            if decision is not None:
                return self._said(decision, OWN_FORMULAS)
        return self._of_claim(judged)

    def _jacobian(self, found: re.Match[str], right_text: str, latex: bool) -> FormulaVerdict:
        above, below = (
            self.document.read(found.group(a) or found.group(b), latex) for a, b in (("a", "c"), ("b", "d"))
        )
        right = self.document.read(right_text, latex)
        return self._of_claim(judge_claim(self.document, above, below, right))

    def _of_claim(self, judged: Judged | ReadingError | None) -> FormulaVerdict:
        if judged is None:
            return undecidable(
                "no_subject",
                "Nothing that was given before says what this is about.",
                "何についての式か、これまでの式からは分からない。",
            )
        if isinstance(judged, ReadingError):
            return unparsed(judged.code, self.document.names.back(judged.message))
        claim = judged.claim
        if judged.is_usual and not claim.is_accepted:
            en = "The document does not say what this is about, and it does not hold for what the letters usually mean."
            return undecidable(
                "no_subject", en, "何についての式か文書に書かれておらず、文字のふつうの意味では成り立たない。"
            )
        if claim.is_accepted and judged.is_partial:
            en = f"It holds as far as {claim.text.partition('=')[0].strip()} goes through these steps; the letter goes into other formulas too."
            return undecidable(
                "other_uses",
                self.document.names.back(en),
                "この経路については成り立つが、この文字はほかの式にも使われている。",
            )
        example = claim.counterexample
        decision = Decision(
            claim.kind, claim.verdict.reason, claim.verdict.words.ja, counterexample=example.shown if example else ""
        )
        remarks = tuple(Note("assumption", words) for words in claim.notes if "inferred" not in words.en)
        return self._said(decision, judged.against, claim.derived, remarks)

    # -- words ------------------------------------------------------------------------------------------------------
    def _said(
        self, decision: Decision, against: Words, right: str = "", remarks: tuple[Note, ...] = ()
    ) -> FormulaVerdict:
        back = self.document.names.back
        words = Words(back(_sentence(decision.reason)), back(decision.reason_ja or decision.reason))
        example = back(decision.counterexample) if decision.kind == REFUTED else None
        code = "undecidable" if decision.kind == "undecidable" else ""
        wrong = decision.kind in (REFUTED, SHAPES)
        return FormulaVerdict(
            decision.kind, words, against, example or None, code, remarks, back(right) if wrong else ""
        )


def _is_general(call: Call) -> bool:
    """Whether its arguments are names, as in a definition: Attention(Q, K, V), not softmax(x + c)."""
    return all(isinstance(a, (Named, Factors)) or call.function == "PE" for a in call.arguments)


def _about(found: FormulaVerdict) -> FormulaVerdict:
    """What is not equal may still be about equal, and nobody says how nearly."""
    en = "The two sides are not equal; whether they are near enough is not said."
    made = undecidable("approximate", en, "両辺は等しくない。どこまで近ければよいかは書かれていない。")
    return replace(made, against=found.against)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


__all__ = ["Factors", "FormulaVerdict", "Names", "ShapeError", "judge_formula"]
