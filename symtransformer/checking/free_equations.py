r"""An equation in LaTeX that no reader of values or of formulas takes, and whose every sign has its place all the same.

It is then read: a new name on its left side gets a formula, and what is claimed of anything else is not decided. Nothing
is ever called true or false here, and no formula is kept from here to judge a later one by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symtransformer.checking import equation_words as words
from symtransformer.checking.equations import Equation
from symtransformer.checking.formula_verdicts import not_used
from symtransformer.checking.number_words import UNDECIDABLE, undecided_for
from symtransformer.documents import Relation
from symtransformer.notation import Words
from symtransformer.reading import free_syntax as kinds
from symtransformer.reading.free_formulas import read_free
from symtransformer.reading.free_syntax import Free, head_of
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.vocabulary import function_named, known_functions

# why the other readers refused, where that is no doubt about what is meant
OF_NOTATION = frozenset((
    "character", "command", "derivative", "dots", "environment", "index", "ones", "subscript", "sum", "unknown_function", "unknown_name",
))  # fmt: skip
OF_MEANING = ("unknown_name", "unknown_function")  # those whose message says what is missing
LATEX = ("latex", "mathml")
GIVES = ("=", ":=", "≡")
# what has a meaning of its own, so that nobody gives it one
KNOWN = frozenset((
    "nabla", "partial", "infty", "top", "E", "Var", "Cov", "Pr", "e", "pi", "max", "min", "tr", "diag", "det", "rank", "dim", "O",
))  # fmt: skip
NOT_COMPARED = Words("there is no rule by which this could be compared", "これを比べる方法がない")
NOTATION = {  # kind and sign -> why it is not compared
    (kinds.DOTS, "…"): Words("dots leave out a part of it", "省略の点があり、式の一部が書かれていない"),
    (kinds.BIG, "lim"): Words("limits are not compared", "極限は比べられない"),
    (kinds.BIG, "int"): Words("integrals are not compared", "積分は比べられない"),
    (kinds.BIG, "argmin"): Words("where something is smallest is not looked for", "最小となる点は求められない"),
    (kinds.FUNCTION, "arg"): Words("where something is smallest or largest is not looked for", "最小・最大となる点は求められない"),
    (kinds.NAME, "nabla"): Words("gradients inside of a formula are not compared", "式の中の勾配は比べられない"),
    (kinds.NAME, "partial"): Words("derivatives inside of a formula are not compared", "式の中の微分は比べられない"),
    (kinds.ROWS, "cases"): Words("what is said case by case is not compared", "場合分けの式は比べられない"),
    (kinds.BRACKETS, "{}"): Words("sets are not compared", "集合は比べられない"),
    (kinds.BIG, "‖"): Words("what is set side by side is not compared", "横に並べたものは比べられない"),
}  # fmt: skip


class FreeEquations:
    """Keeps what stood on left sides, so that a name is given a formula only once."""

    def __init__(self) -> None:
        self._left: list[str] = []  # not looked into until it is needed
        self._given: set[str] = set()

    def come_to(self, relation: Relation, language: str) -> None:
        """The left side of an equation that begins a chain."""
        if language in LATEX and relation.sign in GIVES:
            self._left.append(relation.left.text)

    def heard(self, equation: Equation, relation: Relation, language: str, begins: bool) -> Equation:
        """The equation, or, where it is read as formulas are written, what it is."""
        if equation.verdict != "unparsed" or equation.code not in OF_NOTATION or language not in LATEX:
            return equation
        try:
            left, right = read_free(relation.left.text), read_free(relation.right.text)
        except ReadingError:
            return equation
        reason = _reason(equation, (left, right))
        if begins and relation.sign in GIVES and self._is_new(left):
            remark = not_used(" ".join(relation.left.text.split()), reason.en)
            said = replace(remark, words=Words(remark.words.en, f"この式は後の式の判定には使わない：{reason.ja}"))
            return replace(
                equation, kind="formula", verdict="definition", words=words.DEFINED_FORMULA, code="", remarks=(said,)
            )
        return replace(equation, verdict=UNDECIDABLE, words=undecided_for(reason))

    def _is_new(self, left: Free) -> bool:
        """Whether it is a name, or a function of names, that has no meaning and no formula yet."""
        names = head_of(left)
        if not names or any(part.text in KNOWN for part in left if part.kind in (kinds.NAME, kinds.WORD)):
            return False
        library = known_functions()
        if any(function_named(part.text, library) is not None for part in left if part.kind == kinds.WORD):
            return False
        for text in self._left[:-1]:
            try:
                self._given |= {*head_of(read_free(text))}
            except ReadingError:
                continue
        self._left = self._left[-1:]
        return not self._given & {*names}


def _reason(equation: Equation, sides: Sequence[Free]) -> Words:
    """Why it is not judged, as a clause."""
    if equation.code in OF_MEANING:
        en, ja = equation.words.en.removeprefix("Not read: "), equation.words.ja.removeprefix("読めない。")
        return Words(en.removesuffix("."), ja.removesuffix("。"))
    for side in sides:
        for part in side:
            if (found := NOTATION.get((part.kind, part.text))) is not None:
                return found
    return NOT_COMPARED
