r"""Whether an equation with letters is true: `judge_formula`.

A new name on the left side is given a formula; anything else is compared: with the document's own formulas so far,
with the library's operation of that name, or side with side.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from symtransformer.checking.formula_derivatives import JACOBIAN
from symtransformer.checking.formula_document import Document
from symtransformer.checking.formula_judging import Judge
from symtransformer.checking.formula_names import Names
from symtransformer.checking.formula_verdicts import (
    CONDITIONAL,
    DEADLINE,
    DEFINITION,
    REFUTED,
    SHAPES,
    UNSAID_SIZES,
    FormulaVerdict,
    in_names,
    undecidable,
    unparsed,
)  # fmt: skip
from symtransformer.checking.refusals import reason_of
from symtransformer.checking.values_used import with_values_used
from symtransformer.claims.time_limit import OutOfTime, limited_time
from symtransformer.errors import SymtransformerError
from symtransformer.reading import ReadingError

FAILURES = (SymtransformerError, ArithmeticError, RecursionError, LookupError, TypeError, ValueError, AttributeError)
NAME_ALONE = re.compile(r"\s*\\?[^\W\d_]\w*(?:_\{[^{}]*\})?\s*")
APPROXIMATE = ("≈", "≃", "\\approx")


def judge_formula(
    left: str,
    right: str,
    forward: Sequence[tuple[str, str]] = (),
    known: Mapping[str, Any] | None = None,
    *,
    relation: str = "=",
    condition: str = "",
) -> FormulaVerdict:
    """Whether `left = right` holds, for letters of any value.

    `forward` are the document's formulas so far, (name, right side) in order; `known` has shapes or numbers of names
    that have values; with ≈ as `relation` nothing is refuted. Only what was found equal is proved or tested; what
    cannot be read is unparsed, with the code.

    >>> judge_formula("QK^T", "X W_Q W_K^T X^T", [("Q", "X W_Q"), ("K", "X W_K")]).kind
    'proved'
    >>> judge_formula("QK^T", "X W_Q W_K X^T", [("Q", "X W_Q"), ("K", "X W_K")]).kind
    'refuted'
    """
    formulas = Formulas()
    for name, text in forward:
        formulas.add(name, text)
    return formulas.judge(left, right, known, relation=relation, condition=condition)


OF_ANY_SIZE = frozenset("DE")  # an embedding, an encoder, a matrix of degrees, ...
LETTERS = re.compile(r"(?<![A-Za-z\\])[A-Z](?![a-z])")
HEAD = re.compile(
    r"W_?\{?[a-z]\}?\s*\^\s*\{?[A-Z]\}?|W\^\{?[A-Z]\}?_\{?[a-z]\}?(?![A-Za-z])|W_\{[A-Z],\s?[a-z]\}"
)  # W_i^Q


class Formulas:
    """The formulas of one document so far, in order, each read once.

    >>> formulas = Formulas()
    >>> formulas.add("Q", "X W_Q")
    >>> formulas.add("K", "X W_K")
    >>> formulas.judge("QK^T", "X W_Q W_K^T X^T").kind
    'proved'
    """

    def __init__(self) -> None:
        self._document = Document(Names(), {})
        self._texts: list[tuple[str, str]] = []
        self._read = 0  # of the texts
        self._canonical: dict[str, str] = {}  # of names that have values
        self._has_unread = False  # a name has a formula that cannot be read

    def add(self, name: str, text: str) -> None:
        """A formula for a name; the former one holds for what was made from it. It is read when it is needed."""
        self._texts.append((name, text))

    def copy(self) -> Formulas:
        """The same, so that what is added from now on changes nothing here."""
        made = Formulas()
        made._document, made._read = self._document.copy(), self._read
        made._texts, made._canonical = [*self._texts], dict(self._canonical)
        made._has_unread = self._has_unread
        return made

    def judge(
        self,
        left: str,
        right: str,
        known: Mapping[str, Any] | None = None,
        *,
        relation: str = "=",
        condition: str = "",
        is_concluded: bool = False,
        told: Mapping[str, tuple[str, ...]] | None = None,
    ) -> FormulaVerdict:
        """As `judge_formula`, of the formulas that were added; what is concluded gives no name another formula.

        `told` are sizes that the document's words give names.
        """
        try:
            with limited_time():
                judge = Judge(self._now(known or {}, told or {}), condition, self._has_unread)
                found = judge.judge(left, right, is_concluded)
                found = with_values_used(found, judge.document, left, right)
            found = (
                UNSAID_SIZES if found.kind == SHAPES and self._has_assumed_sizes(left, right, known or {}) else found
            )
            found = _under(found, left) if condition else found
            found = _about(found) if found.kind == REFUTED and relation in APPROXIMATE else found
            found = replace(found, defines=left.strip()) if _defines(left, found) else found
            return in_names(found, self._document.names.back)
        except OutOfTime:
            return DEADLINE
        except ReadingError as error:
            if NAME_ALONE.fullmatch(left) is not None:  # what it stands for is not known from here on
                self._has_unread = True
                if self._document.find(self._document.canonical(left)) is None:
                    self.add(left, right)
            return unparsed(error.code, self._document.names.back(error.message))
        except FAILURES as error:
            said = reason_of(error)
            found = undecidable("failed", f"It could not be computed: {said.en}.", f"計算できなかった。{said.ja}。")
            return in_names(found, self._document.names.back)

    def _has_assumed_sizes(self, left: str, right: str, known: Mapping[str, Any]) -> bool:
        """Whether a matrix in it has a size only because letters like it often have one, or is one of several heads."""
        names = set(LETTERS.findall(f"{left} {right}")) & OF_ANY_SIZE
        said = {*known, *(text for text, _ in self._texts)}
        is_head = any(HEAD.search(text) for text in (left, right)) and not HEAD.search(left)
        return bool(names - said) or is_head

    def _now(self, known: Mapping[str, Any], told: Mapping[str, tuple[str, ...]]) -> Document:
        """What is known by now, to judge one equation by."""
        if not self._document.is_numpy and any("@" in text for _, text in self._texts[self._read :]):
            self._document, self._read, self._canonical = Document(Names(), {}, is_numpy=True), 0, {}
        for name in known:
            if name not in self._canonical:
                self._canonical[name] = self._document.remember(name)
        while self._read < len(self._texts):
            self._read += 1
            self._document.add(*self._texts[self._read - 1])
        document = self._document.copy()
        document.known = {self._canonical[name]: value for name, value in known.items() if self._canonical[name]}
        safe = {name: self._canonical.get(name) or document.canonical(name) for name in told}
        document.told = {safe[name]: size for name, size in told.items() if safe[name]}
        return document


def _defines(left: str, found: FormulaVerdict) -> bool:
    """A name that gets its formula, or a function for which one stands here: FFN(x) = ..."""
    is_call = re.search(r"[A-Za-z}]\s*\(\s*[\w, ]+\)\s*\Z", left) is not None
    return found.kind == DEFINITION or (is_call and found.is_accepted)


def _under(found: FormulaVerdict, left: str) -> FormulaVerdict:
    """A condition is put into derivatives of entries only; else it decides nothing against the equation."""
    return CONDITIONAL if found.kind in (REFUTED, SHAPES) and JACOBIAN.fullmatch(left) is None else found


def _about(found: FormulaVerdict) -> FormulaVerdict:
    """What is not equal may still be about equal, and nobody says how nearly."""
    en = "The two sides are not equal; whether they are near enough is not said."
    made = undecidable("approximate", en, "両辺は等しくない。どこまで近ければよいかは書かれていない。")
    return replace(made, against=found.against)
