r"""What an equation that was compared may mean instead: R(mθ) a function, ΔX a change, dY = dX W a differential."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symtransformer.checking.formula_definitions import is_gradient
from symtransformer.checking.formula_document import Document
from symtransformer.checking.formula_syntax import (
    Factors,
    Named,
    Number,
    Part,
    Terms,
    Transposed,
    every_part,
    names_in,
    parts_of,
)  # fmt: skip
from symtransformer.checking.formula_verdicts import REFUTED, SHAPES, FormulaVerdict, undecidable
from symtransformer.scalars import GREEK

CHANGE = "Delta"
OF_A_LOSS = re.compile(r"∂|∇|\\partial(?![A-Za-z])|\\nabla(?![A-Za-z])")
BEFORE_BRACKET = re.compile(r"(?<![A-Za-z\\])([A-Za-z])(?:\s|\\[,!]|\\left(?![A-Za-z])|\\[bB]ig+l?(?![A-Za-z]))*[(\[]")


def doubted(document: Document, left: Part, right: Part, texts: str, verdict: FormulaVerdict) -> FormulaVerdict:
    """The verdict, but open where a letter before brackets may be a function, or Δ the change of what follows it."""
    is_against = verdict.kind in (REFUTED, SHAPES)
    if not verdict.is_accepted and not is_against:
        return verdict
    if functions := may_be_functions(document, left, right, texts):
        return _function_or_factor(", ".join(map(document.names.back, functions)))
    followers = [*_behind_change(document, left, right)]
    if followers and (is_against or not all(isinstance(part, Named) for part in followers)):
        return CHANGES
    return verdict


def may_be_functions(document: Document, left: Part, right: Part, texts: str) -> list[str]:
    """Letters that stand before brackets only, with something inside that is no sum of matrices: R((m + n)θ).

    W(x + y) = W x + W y has W alone too, so that it is a factor; and so is what has a formula, a value or a size.
    """
    behind = document.behind({*names_in(left), *names_in(right)})
    parts = [left, right, *(d.right for d in behind if d.right is not None)]
    before = set(BEFORE_BRACKET.findall(texts))
    found = {name for part in parts for name, inside in _before_brackets(part) if _may_be_argument(name, inside)}
    found = {n for n in found if n in before or n not in {*names_in(left), *names_in(right)}}
    every = [*parts, *(d.right for d in document.definitions.values() if d.right is not None)]
    said = {*document.known, *document.told, *document.definitions}
    return sorted(found - said - {name for part in every for name in _alone(part)})


def _before_brackets(part: Part) -> Iterator[tuple[str, Part]]:
    for p in every_part(part):
        for one, other in _pairs(p):
            bracket = other.inner if isinstance(other, Transposed) else getattr(other, "base", other)
            if isinstance(one, Named) and not one.indices and isinstance(bracket, Terms):
                yield one.name, bracket


def _pairs(part: Part) -> Iterator[tuple[Part, Part]]:
    """What stands side by side without a sign."""
    if isinstance(part, Factors):
        for (_, one), (sign, other) in zip(part.factors, part.factors[1:], strict=False):
            if sign == "":
                yield one, other


def _may_be_argument(name: str, inside: Part) -> bool:
    """Whether what is in the brackets is no sum of matrices; behind a small letter, no sum at all."""
    while isinstance(inside, Terms) and len(inside.terms) == 1:
        inside = inside.terms[0][1]
    if len(name) > 1:
        return False
    if not isinstance(inside, Terms):
        return not isinstance(inside, (Named, Number))
    terms = [term for _, term in inside.terms]
    return name.isupper() and not all(any(_is_matrix(n) for n in names_in(term)) for term in terms)


def _is_matrix(name: str) -> bool:
    return name[:1].isupper() and name.partition("_")[0] not in GREEK


def _alone(part: Part) -> set[str]:
    """Names that stand somewhere without brackets directly behind them."""
    called = {id(one) for p in every_part(part) for one, other in _pairs(p) if _is_bracket(other)}
    return {p.name for p in every_part(part) if isinstance(p, Named) and id(p) not in called}


def _is_bracket(part: Part) -> bool:
    return isinstance(part, Terms) or any(isinstance(inner, Terms) for inner in parts_of(part)[:1] if not isinstance(part, Factors))  # fmt: skip


def _behind_change(document: Document, *sides: Part) -> Iterator[Part]:
    r"""What stands behind Δ, of which nothing was said: \Delta X W."""
    if document.find(CHANGE) is not None or CHANGE in document.known or CHANGE in document.told:
        return
    for side in sides:
        for p in every_part(side):
            for one, other in _pairs(p):
                if isinstance(one, Named) and one.name == CHANGE:
                    yield other.inner if isinstance(other, Transposed) else other


def is_forward(document: Document, left: Part, right: Part, texts: str) -> bool:
    """Whether dY = dX W goes from what Y is made of to Y, as differentials do: gradients of a loss go the other way."""
    if not isinstance(left, Named) or not is_gradient(left) or OF_A_LOSS.search(texts):
        return False
    made = document.find(left.name[1:])
    cuts = {p.name[1:] for p in every_part(right) if isinstance(p, Named) and is_gradient(p)}
    if made is None or made.right is None or not cuts:
        return False
    inputs = {n for d in document.behind([made.name]) for n in d.uses}
    inputs |= {d.name for n in inputs if (d := document.find(n)) is not None}
    return cuts <= inputs - {made.name}


CHANGES = undecidable(
    "change",
    "Not decided: Δ before a name may stand for the change of it, and no change was computed.",
    "判定できない。文字の前の Δ はその変化量かもしれず、変化量は計算していない。",
)
DIFFERENTIAL = undecidable(
    "differential",
    "Not decided: read as gradients of a loss it does not hold, but as it goes from what this is made of to what comes "
    "out, it may be the differential, which was not computed.",
    "判定できない。損失の勾配としては成り立たないが、入力から出力へ向かう式なので、微分（全微分）かもしれない。全微分は計算していない。",
)


def _function_or_factor(shown: str) -> FormulaVerdict:
    en = (
        f"Not decided: before the brackets, {shown} may be a function or a factor, and the document does not say which."
    )
    return undecidable(
        "unknown_function",
        en,
        f"判定できない。括弧の前の {shown} が関数か因子かが文書に書かれていない。",
    )
