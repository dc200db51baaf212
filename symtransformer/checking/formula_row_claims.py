"""Equations about one vector: a gradient, or both sides, by the document's own formulas of its entries."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from sympy import Expr, S

from symtransformer.checking.formula_claims import EITHER, NUMBERS
from symtransformer.checking.formula_deciding import Decision, decide, of_verdict
from symtransformer.checking.formula_definitions import GRADIENT, Definition
from symtransformer.checking.formula_document import Document
from symtransformer.checking.formula_rows import LENGTHS, NoReading, RowFormula
from symtransformer.checking.formula_syntax import Call, Named, Part, Total, every_part, free_indices, names_in
from symtransformer.derivation import Derivative
from symtransformer.errors import SymtransformerError
from symtransformer.judge import judge_derivative
from symtransformer.node import Node
from symtransformer.symbols import Letter, dimension, parameter

AMBIGUOUS = Decision(
    "undecidable",
    "whether a letter is a number or a vector is not said, and the equation holds for one of them only",
    "文字が数かベクトルか書かれておらず、一方の場合しか成り立たない",
)


@dataclass
class Rows:
    """What the names stand for: rows as letters or formulas, numbers as formulas of entries."""

    document: Document
    length: Any
    letters: dict[str, Node] = field(default_factory=dict)
    formulas: dict[str, Expr] = field(default_factory=dict)
    lengths: set[str] = field(default_factory=set)

    def formula(self) -> RowFormula:
        return RowFormula(self.letters, self.formulas, self.length, lengths=self.lengths)

    def take(self, definition: Definition) -> None:
        """A definition in terms of what is known already."""
        if definition.right is None or len(definition.indices) > 1 or definition.arguments is not None:
            raise NoReading(f"{definition.name} has no formula of one vector")
        right = self.document.expanded(definition.right)
        if definition.squared:
            right = root_of(definition, right)
        if definition.indices:
            self.letters[definition.name] = self.formula().node(right, definition.indices[0])
            return
        value = self.formula().value(right)
        if not value.is_number:
            self.letters[definition.name] = self.formula().node(right)
        else:
            self.formulas[definition.name] = value.number


def root_of(definition: Definition, right: Part) -> Part:
    """σ = √(...) where σ² = ... is a variance; of another square nobody knows the sign of what is squared."""
    is_statistic = any(
        isinstance(p, Total) or (isinstance(p, Call) and p.function in ("mean", "var", "Var", "E", "sum"))
        for p in every_part(right)
    )
    if not is_statistic and definition.name != "sigma":
        raise NoReading(f"only the square of {definition.name} is known")
    return Call("sqrt", (right,))


def judge_rows(document: Document, left: Part, right: Part) -> Decision | None:
    """None where it has no reading as an equation of one vector."""
    try:
        if _by(left):
            return _gradient(document, left, right)
        unsaid = {n for side in (left, right) for n in names_in(side)} & EITHER - document.known.keys()
        ways = [NUMBERS | EITHER, NUMBERS] if any(document.find(n) is None for n in unsaid) else [NUMBERS]
        found = [_sides(document, left, right, numbers) for numbers in ways]
        return found[0] if len({decision.kind for decision in found}) == 1 else AMBIGUOUS
    except (NoReading, SymtransformerError, ArithmeticError):
        return None


def _by(left: Part) -> str:
    """x, where the left side is ∂L/∂x_i."""
    return left.name[1:] if isinstance(left, Named) and GRADIENT.fullmatch(left.name) else ""


def _inputs(rows: Rows, parts: list[Part], known: set[str]) -> None:
    """Letters for every name that stands for nothing else."""
    indexed = {p.name for part in parts for p in every_part(part) if isinstance(p, Named) and p.indices}
    lengths = {p.upper for part in parts for p in every_part(part) if isinstance(p, Total) and p.upper}
    for name in dict.fromkeys(n for part in parts for n in names_in(part)):
        if name in known or name in rows.letters or name in rows.formulas or name in lengths or name == "pi":
            continue
        if name[:1].isupper() and name not in indexed:
            raise NoReading(f"{name} is a matrix")
        if name in indexed:
            rows.letters[name] = Letter(name, S.One, rows.length)
        elif name in ("epsilon", "eps", "alpha", "tau", "lambda", "eta"):
            rows.formulas[name] = parameter(name)


def _sides(document: Document, left: Part, right: Part, numbers: frozenset[str]) -> Decision:
    """Both sides for every index; a letter such as c beside a vector is a number."""
    names = {*names_in(left), *names_in(right)}
    rows = Rows(document, dimension("d"))
    behind = document.behind(names)
    parts = [left, right, *(d.right for d in behind if d.right is not None)]
    _inputs(rows, parts, {d.name for d in behind})
    for name in (n for part in parts for n in names_in(part)):
        if name in rows.letters or name in rows.formulas or any(d.name == name for d in behind) or name in LENGTHS:
            continue
        if document.known.get(name, ()) is None or (name in numbers and name not in document.known):
            rows.formulas[name] = parameter(name)
        else:
            rows.letters[name] = Letter(name, S.One, rows.length)
    for definition in behind:
        rows.take(definition)
    free = free_indices(left) | free_indices(right)
    index = next(iter(free)) if len(free) == 1 else ""
    for inner in (False, True):  # · goes entry by entry, or is the inner product
        formulas = [replace(rows.formula(), inner=inner) for _ in range(2)]
        made = [formula.node(side, index) for formula, side in zip(formulas, (left, right), strict=True)]
        if made[0].shape == made[1].shape:
            break
    else:
        raise NoReading("a number on one side, and a vector on the other")
    decision = decide(*made)
    if decision.kind == "refuted" and any(formula.has_maximum for formula in formulas):
        raise NoReading("a largest entry")
    return decision


def _gradient(document: Document, left: Part, right: Part) -> Decision:
    """By the uses of x: every definition of which the right side has the gradient, and that x goes into."""
    by = _by(left)
    cuts = [n[1:] for n in names_in(right) if GRADIENT.fullmatch(n) and n[1:] != by]
    found = {c: document.find(c) for c in cuts}
    if not cuts or any(d is None for d in found.values()):
        raise NoReading("no formula of what the gradients are by")
    behind = document.behind({*cuts, *(n for n in names_in(right) if not GRADIENT.fullmatch(n))})
    if document.find(by) is not None and document.find(by) in behind and by in cuts:
        raise NoReading("a gradient by itself")
    d = dimension("d")
    parts = [Named(by, ("i",)), right, *(x.right for x in behind if x.right is not None)]
    uses = []
    lengths: set[str] = set()
    for cut in cuts:
        rows = Rows(document, d, lengths=lengths)
        x = rows.letters[by] = Letter(by, S.One, d)
        for other in cuts:
            if other != cut:
                rows.letters[other] = Letter(other, S.One, d)
        own = [b for b in document.behind([cut]) if b.name != by and b.name not in rows.letters]
        _inputs(rows, parts, {b.name for b in behind} | {n for n in names_in(right) if GRADIENT.fullmatch(n)})
        for definition in own:
            rows.take(definition)
        made = rows.letters.get(cut)
        if made is None:
            raise NoReading(f"{cut} is no vector")
        if x in made._free:
            uses.append((Letter(cut, S.One, d), made, Letter(f"d{cut}", S.One, d)))
    if not uses:
        raise NoReading(f"{by} goes into none of them")
    whole = Rows(document, d, lengths=lengths)
    x = whole.letters[by] = Letter(by, S.One, d)
    for _, _, cotangent in uses:
        whole.letters[cotangent.name] = cotangent
    _inputs(whole, parts, {b.name for b in behind} - {by})
    for definition in behind:
        if definition.name != by:
            whole.take(definition)
    index = left.indices[0] if isinstance(left, Named) and left.indices else ""
    expression = whole.formula().node(right, index)
    _require_all_uses(document, by, set(cuts))
    return of_verdict(judge_derivative(expression, Derivative(x, tuple(uses))))


def _require_all_uses(document: Document, by: str, cuts: set[str]) -> None:
    """Every formula that x goes into leads to one of those whose gradient is given."""
    reached = {by}
    used: set[str] = set()
    for definition in document.definitions.values():
        inside = reached & set(definition.uses)
        if inside and definition.name != by:
            used |= inside
            if definition.name not in cuts:
                reached.add(definition.name)
    if ends := sorted(reached - used - {by}):
        raise NoReading(f"{ends[0]} is made of it too")
