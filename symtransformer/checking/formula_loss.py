r"""Gradients of a loss that the document has a formula for, and d/dx of an expression, by formulas of one vector.

L = −Σ_i y_i log p_i, p = softmax(z): ∂L/∂z = p − y, where y adds up to 1. A loss that is written for each entry, as
(Y − T)², is differentiated entry by entry.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sympy import S, Sum

from symtransformer.checking.derivative_examples import with_small_numbers
from symtransformer.checking.formula_claims import NUMBERS
from symtransformer.checking.formula_deciding import Decision, of_verdict
from symtransformer.checking.formula_definitions import Definition, is_gradient
from symtransformer.checking.formula_document import Document
from symtransformer.checking.formula_row_claims import Rows
from symtransformer.checking.formula_rows import AVERAGES, LENGTHS, NoReading
from symtransformer.checking.formula_signs import LOSS_ALONE
from symtransformer.checking.formula_syntax import (
    Call,
    Factors,
    Indexed,
    Named,
    Part,
    Power,
    Terms,
    Total,
    Transposed,
    changed,
    every_part,
    names_in,
)  # fmt: skip
from symtransformer.checking.number_words import Note
from symtransformer.derivation import Derivative
from symtransformer.errors import SymtransformerError
from symtransformer.judge import Verdict, judge_derivative
from symtransformer.node import Node, substitute
from symtransformer.notation import Words
from symtransformer.operations.entry_formula import EntryFormula
from symtransformer.reading.index_marks import PARTIAL
from symtransformer.symbols import DistributionLetter, Entry, Letter, dimension

LOSSES = ("L", "J", "loss", "Loss", "ell")
OUTPUTS = ("Output", "Loss")
OF_LOSS = re.compile(
    rf"(?:\\[dt]?frac\s*\{{\s*)?{PARTIAL}\s*(?P<name>[^/{{}}]{{1,20}}?(?:\{{[^{{}}]*\}})?)\s*(?:/|\}}\s*\{{)"
)
D = r"(?:∂|\\partial(?![A-Za-z])|d|\\(?:mathrm|text|operatorname)\s*\{\s*d\s*\})"
BY = r"(\\?[A-Za-z]+(?:_(?:[A-Za-z0-9]|\{[A-Za-z0-9]{1,9}\}))?)"
OPERATOR = re.compile(
    rf"\s*(?:\\[dt]?frac\s*\{{\s*{D}\s*\}}\s*\{{\s*{D}\s*{BY}\s*\}}|{D}\s*/\s*\(?\s*{D}\s*{BY}\s*\)?)(?P<of>.*)", re.S
)
OF_NAME = re.compile(
    rf"\s*(?:\\[dt]?frac\s*\{{\s*{D}\s*{BY}\s*\}}\s*\{{\s*{D}\s*{BY}\s*\}}|{D}\s*{BY}\s*/\s*{D}\s*{BY})\s*"
)
ANYWHERE = re.compile(
    rf"\\[dt]?frac\s*\{{\s*{D}(?:\s*\^\s*(?:\d|\{{[^{{}}]*\}}))?\s*\}}\s*\{{\s*{D}|(?<![A-Za-z0-9_\\]){D}\s*/\s*\(?\s*{D}\s*\\?[A-Za-z]"
)


@dataclass(frozen=True)
class Asked:
    """A derivative and what is claimed of it; `is_number`: it is of one number x, entry by entry."""

    claimed: Node
    derivative: Derivative
    letters: tuple[Letter, ...]
    is_number: bool
    has_logarithm: bool


@dataclass(frozen=True)
class ByLoss:
    """The decision, and the letter that has to add up to 1 for it."""

    decision: Decision
    remarks: tuple[Note, ...] = ()


def loss_of(document: Document, left_text: str) -> Definition | None:
    """The document's formula of the loss that the left side names; of dz, of the only loss that there is."""
    own = [d for name in LOSSES if (d := document.definitions.get(name)) is not None and not d.indices]
    found = OF_LOSS.match(left_text.strip())
    named = found.group("name") if found and LOSS_ALONE.fullmatch(found.group("name")) else ""
    name = document.canonical(named) if named else ""
    exact = [d for d in own if d.name == name]
    return next(iter(exact or own), None)


def adds_up(name: str) -> Note:
    return Note("adds_up", Words(f"It holds if {name} adds up to 1.", f"{name} の合計が 1 なら成り立つ。"))


def by_loss(document: Document, loss: Definition, left: Part, right: Part) -> ByLoss | None:
    """∂L/∂x = right; None where it has no reading as a formula of one vector."""
    if not isinstance(left, Named) or not is_gradient(left) or loss.right is None:
        return None
    if any(map(is_gradient, every_part(right))):
        return None
    document.names.inner.update(dict.fromkeys(OUTPUTS, document.names.back(loss.name)))
    return _derived(document, left.name[1:], loss.right, right, left.indices)


def by_operator(document: Document, by: str, of: Part, right: Part) -> Decision | None:
    """d/dx of = right, for every number x."""
    if isinstance(of, Terms) or any(getattr(p, "indices", ()) for side in (of, right) for p in every_part(side)):
        return None
    document.names.inner.update(dict.fromkeys(OUTPUTS, "f"))  # what the operator is applied to
    found = _derived(document, by, of, right, ())
    if found is None or found.remarks or not (found.decision.is_accepted or isinstance(of, (Call, Power, Named))):
        return None
    return found.decision


def by_own_formula(document: Document, by: str, of: Part, right: Part) -> Decision | None:
    """dy/dx = right, where the document's formula for y is `of`."""
    document.names.inner.update(dict.fromkeys(OUTPUTS, "f"))
    found = _derived(document, by, of, right, ())
    return None if found is None or found.remarks else found.decision


def _derived(document: Document, by: str, of: Part, right: Part, indices: tuple[str, ...]) -> ByLoss | None:
    try:
        decision, asked = _decision(document, by, of, right, indices, "")
        if decision.kind != "refuted":
            return ByLoss(decision)
        letters = _letters(document, by, of, right)
        for name in letters:
            try:
                again, _ = _decision(document, by, of, right, indices, name)
            except (NoReading, SymtransformerError, ArithmeticError):
                continue
            if again.is_accepted:
                return ByLoss(again, (adds_up(document.names.back(name)),))
        return ByLoss(_by_small_numbers(document, decision, asked, letters))
    except (NoReading, SymtransformerError, ArithmeticError, LookupError):
        return None


def _by_small_numbers(document: Document, decision: Decision, asked: Asked, letters: list[str]) -> Decision:
    """The refutation by small numbers; the targets of a logarithm add up to 1, as such a claim presupposes."""
    if asked.has_logarithm:
        rule: dict[Letter, Node] = {x: DistributionLetter(*x.args) for x in asked.letters if x.name in letters}
        use, made = asked.derivative.uses[0], asked.derivative.uses[0][1]
        other = Derivative(asked.derivative.letter, ((use[0], substitute(made, rule), use[2]),))
        asked = replace(asked, claimed=substitute(asked.claimed, rule), derivative=other)
    return with_small_numbers(decision, asked.claimed, asked.derivative, asked.is_number)


def _letters(document: Document, by: str, *sides: Part) -> list[str]:
    """Vectors that nothing is said of, and that may be distributions."""
    names = {n for side in sides for n in names_in(side)}
    names |= {n for d in document.behind(names) for n in d.uses}
    return sorted(n for n in names - {by} - NUMBERS - LENGTHS if document.definitions.get(n) is None)[:4]


def _decision(
    document: Document, by: str, of: Part, right: Part, indices: tuple[str, ...], adding: str
) -> tuple[Decision, Asked]:
    """By one vector x; `adding` is a letter whose entries add up to 1."""
    d = dimension("d")
    rows = Rows(document.exact(), d)
    of, right = (_plain(document.expanded(side, everything=True)) for side in (of, right))
    behind = [
        b
        for b in rows.document.behind({*names_in(of), *names_in(right)})
        if b.name != by and _is_behind(document, b, of, right, by)
    ]
    parts = [of, right, *(_plain(b.right) for b in behind if b.right is not None)]
    x = rows.letters[by] = Letter(by, S.One, d)
    taken = {b.name for b in behind} | {by}
    for name in dict.fromkeys(n for part in parts for n in names_in(part)):
        if name not in taken and name not in LENGTHS and name not in ("pi", "e"):
            _take_letter(rows, document, name, by, adding)
    is_matrix = by[:1].isupper()
    if is_matrix and not all(map(_is_entrywise, parts)):
        raise NoReading("a product of matrices")
    for definition in behind:
        rows.take(replace(definition, right=_plain(definition.right)) if definition.right is not None else definition)
    formula = rows.formula()
    value = formula.value(of)
    name = next(n for n in OUTPUTS if n not in rows.letters)
    columns = S.One if value.is_number else d
    made = formula.node(of)
    if x not in made._free or (not value.is_number and not all(map(_is_entrywise, parts))):
        raise NoReading("the loss is no number")
    above, cotangent = Letter(name, S.One, columns), Letter(f"d{name}", S.One, columns)
    derivative = Derivative(x, ((above, made, cotangent),))
    claimed = _claim(rows, right, indices, cotangent)
    is_number = not indices and not value.is_number and all(map(_is_entrywise, parts))
    letters = tuple(x for x in rows.letters.values() if isinstance(x, Letter))
    has_logarithm = any(isinstance(p, Call) and p.function == "log" for part in parts for p in every_part(part))
    asked = Asked(claimed, derivative, letters, is_number, has_logarithm and not is_number)
    return _in_words(judge_derivative(claimed, derivative)), asked


def _in_words(verdict: Verdict) -> Decision:
    """As it is said of a line that somebody wrote."""
    if verdict.kind != "proved":
        return of_verdict(verdict)
    where, ja = (", wherever it exists", "（微分が存在するところで）") if verdict.where_defined else ("", "")
    return Decision("proved", f"the derivative comes out as written{where}", f"微分すると、この式に一致する{ja}")


def _is_behind(document: Document, definition: Definition, of: Part, right: Part, by: str) -> bool:
    """Whether it is reached without going through x."""
    waiting, seen = [*names_in(of), *names_in(right)], {by}
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if name == definition.name:
            return True
        found = document.definitions.get(name)
        waiting += found.uses if found is not None else ()
    return False


def _take_letter(rows: Rows, document: Document, name: str, by: str, adding: str) -> None:
    shape = document.known.get(name, ())
    if name[:1].isupper() and not by[:1].isupper():
        raise NoReading(f"{name} is a matrix")
    if isinstance(shape, tuple) and len(shape) == 2 and 1 not in shape and not by[:1].isupper():
        raise NoReading(f"{name} has several rows")
    if shape is None or (name in NUMBERS and name not in document.known):
        raise NoReading(f"{name} is a number")
    letter = Letter(name, S.One, rows.length)
    rows.letters[name] = _adding_up(rows, letter) if name == adding else letter


def _adding_up(rows: Rows, letter: Letter) -> Node:
    """y / Σ_k y_k: everything whose entries add up to 1, and nothing else."""
    formula = rows.formula()
    i, j, k = formula.symbol(), formula.symbol(), formula.symbol()
    total = Sum(Entry(letter, S.Zero, k), (k, S.Zero, rows.length - 1))
    return EntryFormula.of(S.One, rows.length, i, j, Entry(letter, S.Zero, j) / total)


def _claim(rows: Rows, right: Part, indices: tuple[str, ...], cotangent: Letter) -> Node:
    """The claim times the gradient of the loss by itself."""
    formula = rows.formula()
    j = formula.symbol()
    if len(indices) > 1:
        raise NoReading("two indices")
    if indices:
        if indices[0].isdigit():
            raise NoReading("one entry")
        formula.places[indices[0]] = j
    value = formula.value(right)
    entry = value.number if value.is_number else value.at(S.Zero, j)
    factor = Entry(cotangent, S.Zero, S.Zero if cotangent.shape[1] == 1 else j)
    return EntryFormula.of(S.One, rows.length, formula.symbol(), j, factor * entry)


def _is_entrywise(part: Part) -> bool:
    """Whether every entry of it is made of the entries at the same place only."""
    for p in every_part(part):
        if isinstance(p, (Total, Transposed, Indexed)) or bool(getattr(p, "indices", ())):
            return False
        if isinstance(p, Call) and (
            p.function in AVERAGES or p.function.casefold() in ("softmax", "max", "min", "norm")
        ):
            return False
        if isinstance(p, Factors):
            large = [f for _, f in p.factors if any(n[:1].isupper() for n in names_in(f))]
            if len(large) > 1 and any(sign not in ("⊙", "/") for sign, _ in p.factors[1:]):
                return False
    return True


def _plain(part: Part) -> Part:
    """yᵀ x as the sum of y ⊙ x, and the cross-entropy of scores z and targets y written out."""
    part = changed(part, _plain)
    if isinstance(part, Factors) and len(part.factors) == 2 and isinstance(part.factors[0][1], Transposed):
        (_, first), (sign, second) = part.factors
        assert isinstance(first, Transposed)
        if sign in ("", ".", "*", "@") and all(n[:1].islower() for n in names_in(part)):
            return Call("sum", (Factors((("", first.inner), ("⊙", second))),))
    if isinstance(part, Call) and part.function == "CrossEntropy" and len(part.arguments) == 2 and not part.words:
        scores, targets = part.arguments
        if isinstance(scores, Named) and scores.name in ("z", "s", "o", "a", "l", "logits"):
            logs = Call("log", (Call("softmax", (scores,)),))
            return Terms((("-", Call("sum", (Factors((("", targets), ("⊙", logs))),))),))
    return part


__all__ = ["ANYWHERE", "OF_NAME", "OPERATOR", "ByLoss", "by_loss", "by_operator", "by_own_formula", "loss_of"]
