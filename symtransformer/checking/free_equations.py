r"""An equation in LaTeX that no reader of values or of formulas takes, and whose every sign has its place all the same.

It is then read: a new name on its left side gets a formula, and what is claimed of anything else is not decided, or
tested where both sides are formulas of numbers and entries. Nothing is ever called false here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from symtransformer.checking import equation_words as words
from symtransformer.checking.doubts import undecided
from symtransformer.checking.equations import ACCEPTED, Equation
from symtransformer.checking.formula_verdicts import BOTH_SIDES, OWN_FORMULAS, TESTED, not_used
from symtransformer.checking.free_judging import entries_equal, formula_of
from symtransformer.checking.free_names import base_of, entries_in, without_marks
from symtransformer.checking.number_words import UNDECIDABLE, undecided_for
from symtransformer.documents import Relation
from symtransformer.notation import Words
from symtransformer.reading import free_syntax as kinds
from symtransformer.reading.free_formulas import read_free
from symtransformer.reading.free_syntax import PRODUCT, Free, head_of, letter_of
from symtransformer.reading.problems import ReadingError
from symtransformer.reading.vocabulary import function_named, known_functions

# why the other readers refused, where that is no doubt about what is meant
OF_NOTATION = frozenset((
    "character", "command", "derivative", "dots", "environment", "index", "ones", "subscript", "sum", "unknown_function", "unknown_name",
))  # fmt: skip
OF_MEANING = ("unknown_name", "unknown_function")  # those whose message says what is missing
# why a claim is open, where values drawn for its letters can tell more
OF_ENTRIES = OF_NOTATION | {"derivative", "exponent", "loss", "new_name", "no_subject", "undecidable"}
LATEX = ("latex", "mathml")
GIVES = ("=", ":=", "≡")
# what has a meaning of its own, so that nobody gives it one
KNOWN = frozenset((
    "nabla", "partial", "infty", "top", "E", "Var", "Cov", "Pr", "e", "pi", "max", "min", "tr", "diag", "det", "rank", "dim", "O",
))  # fmt: skip
FUNCTIONS = ("sigma", "Phi")
GRADIENT = re.compile(r"\\partial\s*(\\?[A-Za-z]+)\s*\}\s*\{\s*\\partial\s*(\\?[A-Za-z]+)")
GOES_IN_TWICE = Words(
    "Not decided: the function is said to depend on both letters, on one of them perhaps directly too.",
    "判定できない。この関数は両方の文字によるとされており、一方には直接にもよる可能性がある。",
)
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
        self._formulas: dict[str, Any] = {}  # of numbers and entries, as they are given
        self._arguments: dict[str, frozenset[str]] = {}  # L of L(x, y) -> x, y
        self._opaque: set[str] = set()  # letters that have another formula, or values

    def come_to(self, relation: Relation, language: str) -> None:
        """The left side of an equation that begins a chain."""
        if language in LATEX and relation.sign in GIVES:
            self._left.append(relation.left.text)

    def heard(self, equation: Equation, relation: Relation, language: str, begins: bool) -> Equation:
        """The equation, or, where it is read as formulas are written, what it is."""
        if equation.verdict in ACCEPTED and self._goes_in_twice(relation):
            return undecided(equation, GOES_IN_TWICE, "own_function")
        if language not in LATEX or equation.verdict not in ("unparsed", "undecidable", "definition"):
            return equation
        try:
            left, right = read_free(relation.left.text), read_free(relation.right.text)
        except ReadingError:
            if equation.verdict == "definition":
                self._forget(relation.left.text)
            return equation
        found = self._as_written(equation, relation, left, right, begins)
        if found.verdict == "definition":
            self._keep(left, right)
        if (
            found.verdict == UNDECIDABLE
            and relation.sign == "="
            and not relation.condition
            and found.code in OF_ENTRIES
        ):
            return self._tested(found, left, right)
        return found

    def _goes_in_twice(self, relation: Relation) -> bool:
        """∂L/∂x by ∂L/∂y, where L(x, y) is a function of both."""
        found = GRADIENT.search(relation.left.text) if self._arguments else None
        if found is None:
            return False
        others = {by for of, by in GRADIENT.findall(relation.right.text) if of == found[1]} - {found[2]}
        given = self._arguments.get(found[1].lstrip("\\"), frozenset())
        return found[2].lstrip("\\") in given and any(by.lstrip("\\") in given for by in others)

    def _tested(self, equation: Equation, left: Free, right: Free) -> Equation:
        """Tested, if both sides have the same values, whatever numbers their letters are."""
        count = entries_equal(left, right, self._formulas, self._opaque)
        if not count:
            return equation
        said = Words(
            f"Equal wherever it was compared, with numbers drawn for the letters ({count} {'entry' if count == 1 else 'entries'}).",
            f"文字に乱数を入れて比べた {count} 個の成分で等しい。",
        )
        against = OWN_FORMULAS if self._formulas else BOTH_SIDES
        return replace(equation, kind="formula", verdict=TESTED, words=said, against=against, code="", remarks=())

    def _keep(self, left: Free, right: Free) -> None:
        if left.kind == PRODUCT and len(left.parts) == 2 and left.parts[1].kind == kinds.BRACKETS:
            self._arguments[base_of(left.parts[0])] = frozenset(p.text for p in left.parts[1] if p.kind == kinds.NAME)
        made = formula_of(left, right)
        base = base_of(left.parts[0] if left.kind == PRODUCT else left)
        if made is None or self._formulas.get(made[0]) != made[1]:
            self._drop({base, made[0] if made is not None else ""})
        if made is not None:
            self._formulas[made[0]] = made[1]
        if made is None or made[0] != base:
            self._opaque.add(base)
        else:
            self._opaque.discard(base)

    def _forget(self, text: str) -> None:
        """A formula that is not read: the one before does not hold any more."""
        try:
            base = base_of(read_free(text))
        except ReadingError:
            base = ""
        if not base:
            self._drop({*self._formulas})
        self._drop({base})
        self._opaque.add(base)

    def _drop(self, keys: set[str]) -> None:
        """The formulas do not hold any more; what was made of them has a formula that is not known now."""
        gone = keys & self._formulas.keys()
        while gone:
            for key in gone:
                del self._formulas[key]
            inside = {key: {e.key for e in entries_in(tree, own)} for key, (_, tree, own) in self._formulas.items()}
            gone = {key for key, letters in inside.items() if letters & keys}
            self._opaque |= {without_marks(key) for key in gone}
            keys = keys | gone

    def _as_written(self, equation: Equation, relation: Relation, left: Free, right: Free, begins: bool) -> Equation:
        if equation.verdict != "unparsed" or equation.code not in OF_NOTATION:
            return equation
        if not any(part.kind in (kinds.NAME, kinds.WORD) for part in right):
            return equation  # numbers, some of which are left out
        reason = _reason(equation, (left, right))
        if begins and relation.sign in GIVES and self._is_new(left, right):
            remark = not_used(" ".join(relation.left.text.split()), reason.en)
            said = replace(remark, words=Words(remark.words.en, f"この式は後の式の判定には使わない：{reason.ja}"))
            return replace(
                equation, kind="formula", verdict="definition", words=words.DEFINED_FORMULA, code="", remarks=(said,)
            )
        return replace(equation, verdict=UNDECIDABLE, words=undecided_for(reason))

    def _is_new(self, left: Free, right: Free) -> bool:
        """Whether it is a name, or a function of names, that has no meaning and no formula yet."""
        names = head_of(left)
        if _is_power(left, right) or _is_made_of_a_function(left):
            return False
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


def _is_power(left: Free, right: Free) -> bool:
    """a^{b+c} = a^b a^c and x^n = n x say something of powers; h^{l+1} = f(h^l) and W^{(2)} = W^{(1)} + G count names."""
    if left.kind != kinds.SCRIPTED or "^" not in left.text:
        return False
    base, mark = letter_of(left), left.parts[1 + left.text.index("^")]
    letters = {part.text for part in mark if part.kind == kinds.NAME}
    if mark.kind == kinds.BRACKETS or not letters or not any(part.text == base for part in right):
        return False
    beside = {part.text for part in _outside_of_marks(right)}
    return len(letters) > 1 or bool(letters & beside)


def _outside_of_marks(part: Free) -> Iterator[Free]:
    yield part
    for inner in part.parts[:1] if part.kind == kinds.SCRIPTED else part.parts:
        yield from _outside_of_marks(inner)


def _is_made_of_a_function(left: Free) -> bool:
    """σ²(x), and the dot above σ: of a function that has a meaning, and no name of its own."""
    head = left.parts[0] if left.kind == kinds.PRODUCT and left.parts else left
    return (
        head.kind in (kinds.SCRIPTED, kinds.DECORATED)
        and "_" not in head.text
        and letter_of(head) in FUNCTIONS
        and head is not left
    )


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
