r"""Claims about the derivative of one entry by another, without a cotangent: ∂a_ij/∂s_il = a_ij (δ_jl − a_il).

Such a claim holds for all indices exactly if it holds after multiplication with any G_ij and summation over
the indices of the upper entry that the lower one lacks; so both sides are compared as matrices of the size
of the lower letter, and what is derived is its gradient for the cotangent G.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from sympy import Basic, Expr, Integer, KroneckerDelta, Mod, Mul, S, Sum, Symbol, floor

from symtransformer.claims.subject import Subject
from symtransformer.derivation import written_out
from symtransformer.errors import UnreadableInput
from symtransformer.gradients import differentiate
from symtransformer.node import Node, substitute
from symtransformer.notation import Words
from symtransformer.operations.entry_formula import EntryFormula
from symtransformer.operations.heads import HeadSum
from symtransformer.reading.index_marks import PARTIAL
from symtransformer.reading.index_ranges import symbol_of
from symtransformer.reading.index_syntax import Named
from symtransformer.reading.index_tokens import IndexTokenizer
from symtransformer.reading.problems import ReadingError, Span
from symtransformer.symbols import Entry, Letter, head_index
from symtransformer.unfolding import derive

SLASHED = rf"\s*(?P<d>{PARTIAL})(?P<above>[^/∂]{{1,80}}?)\s*/\s*\(?\s*{PARTIAL}(?P<below>[^/∂()]{{1,80}}?)\s*\)?\s*"
FRACTION = (
    rf"\s*\\[dt]?frac\s*\{{\s*(?P<d>{PARTIAL})(?P<above>.{{1,80}}?)\}}\s*\{{\s*{PARTIAL}(?P<below>.{{1,80}}?)\}}\s*"
)


def jacobian_names(
    text: str, span: Span, known: Iterable[str], numbers: Iterable[str] = ()
) -> tuple[Named, Named] | None:
    """The upper and the lower entry of a derivative that is the left side of a claim; None where it is none."""
    left = text[span.start : span.end]
    for pattern in (FRACTION, SLASHED) if "/" in left or "frac" in left else ():
        found = re.fullmatch(pattern, left)
        if found is None:
            continue
        pair = []
        for group in ("above", "below"):
            start, end = span.start + found.start(group), span.start + found.end(group)
            tokens = IndexTokenizer(text, known, start, end, numbers).all()
            if len(tokens) != 1 or tokens[0].kind != "NAME" or not tokens[0].indices:
                return None
            if not all(x.isalnum() for x in tokens[0].indices):
                message = "an index of a derivative on the left side is a letter or a number; say with δ on the right side where it holds"
                raise ReadingError(text, tokens[0].span, "index", message)
            pair.append(Named(tokens[0].span, tokens[0].text, tokens[0].indices))
        return pair[0], pair[1]
    return None


@dataclass(frozen=True)
class Jacobian:
    """Both sides contracted with G, and what it takes to compare single entries."""

    sides: tuple[Node, Node]
    derived: Node  # the gradient by the lower letter, for the cotangent G
    cotangent: Letter
    above: tuple[Letter, tuple[Any, Any]]  # with the place of the entry, in index letters
    below: tuple[Letter, tuple[Any, Any]]
    claimed: Expr
    sizes: Mapping[Symbol, Any]
    layout: str = ""  # of a matrix: what of it belongs to the entries above, its rows or its columns

    @property
    def notes(self) -> tuple[Words, ...]:
        """How a matrix was read."""
        if not self.layout:
            return ()
        ja = {"rows": "行", "columns": "列"}[self.layout]
        return (Words(f"read with the {self.layout} of the right side for the entries of {self.above[0]}", f"右辺の{ja}を {self.above[0]} の成分に対応させて読みました。"),)  # fmt: skip

    @classmethod
    def of(
        cls, subject: Subject, upper: Letter, upper_indices: tuple[str, ...], lower: Letter, lower_indices: tuple[str, ...],
        claimed: Expr, symbols: dict[str, Symbol], ranges: Mapping[str, Any],
    ) -> Jacobian:  # fmt: skip
        output, behind = _between(subject, upper, lower)
        cotangent = Letter(_unused(subject), *upper.shape)
        gradient = differentiate(derive(output), lower.name, cotangent=cotangent)
        derived = gradient[lower.name].stands_for
        above, below = _place(upper, upper_indices, symbols), _place(lower, lower_indices, symbols)
        sizes = {symbol_of(x, symbols): ranges[x] for x in (*upper_indices, *lower_indices) if not x.isdigit()}
        claimed = _put_in(claimed, behind)
        left, right = _contracted(derived, cotangent, upper, above, lower, below, claimed, sizes)
        return cls((left, right), derived, cotangent, (upper, above), (lower, below), claimed, sizes)


def _unused(subject: Subject) -> str:
    taken = {*subject.nodes, *subject.numbers}
    return next(name for name in (f"G{k or ''}" for k in count()) if name not in taken)


def _between(subject: Subject, upper: Letter, lower: Letter) -> tuple[Node, dict[Basic, Node]]:
    """The upper step in terms of the lower letter, which stays a letter, and what each step between stands for."""
    forward = {step.letter for step in subject.forward.steps} | set(subject.forward.inputs)
    for letter in (upper, lower):
        if letter not in forward:
            raise UnreadableInput(f"{letter} is neither a forward step nor an input, so it has no derivative here")
    behind: dict[Basic, Node] = {}
    for step in subject.forward.steps:
        if step.letter is lower:
            behind = {}
        elif lower in written_out(step.definition, behind)._free:
            behind[step.letter] = written_out(step.definition, behind)
    if upper is lower or upper not in behind:
        raise UnreadableInput(
            f"{upper} is not computed from {lower}, so there is no formula of this derivative to check"
        )
    return behind[upper], behind


def _put_in(formula: Any, behind: Mapping[Basic, Node]) -> Any:
    """Entries of what stands behind the steps, in place of the steps' own."""
    rule = {
        e: Entry(written_out(e.parent, behind), e.i, e.j)
        for e in formula.atoms(Entry)
        if isinstance(e.parent, Node) and e.parent._free & behind.keys()
    }
    return formula.xreplace(rule) if rule else formula


def _place(letter: Letter, indices: tuple[str, ...], symbols: dict[str, Symbol]) -> tuple[Any, Any]:
    """Row and column of an entry, in index letters counted from 0."""
    rows, columns = letter.shape
    is_vector = (rows == 1) != (columns == 1)
    if len(indices) != (1 if is_vector else 2):
        raise UnreadableInput(f"an entry of {letter}, which is {rows} x {columns}, has {1 if is_vector else 2} indices; write the derivative of one entry by one entry")  # fmt: skip
    places = [Integer(int(x) - 1) if x.isdigit() else symbol_of(x, symbols) for x in indices]
    return (S.Zero, places[0]) if rows == 1 and is_vector else (places[0], places[1] if len(places) > 1 else S.Zero)


def _contracted(
    derived: Node, cotangent: Letter, upper: Letter, above: Any, lower: Letter, below: Any, claimed: Expr, sizes: Mapping[Symbol, Any]
) -> tuple[Node, Node]:  # fmt: skip
    """Both sides as matrices of the size of the lower letter."""
    every = [*above, *below]
    pinned = [s for s in sizes if every.count(s) > 1]
    r, c, p, q = (Symbol(f"‹{x}›′", integer=True, nonnegative=True) for x in "rcpq")
    head, at, total = _counter(pinned, sizes)
    pins_above, pins_below = _pins(above, (p, q), upper, at), _pins(below, (r, c), lower, at)
    chosen = EntryFormula.of(*upper.shape, p, q, Mul(Entry(cotangent, p, q), *pins_above, evaluate=False))
    inside = substitute(derived, {cotangent: chosen}) if pins_above else derived
    if not pinned and all(x.is_Integer for x in below):  # one entry is compared as itself
        right: Expr = Mul(Entry(cotangent, *above), claimed, evaluate=False)
        for symbol, size in sizes.items():
            right = Sum(right, (symbol, S.Zero, size - 1))
        return EntryFormula.of(1, 1, r, c, Entry(inside, *below)), EntryFormula.of(1, 1, r, c, right)
    body = EntryFormula.of(*lower.shape, r, c, Mul(Entry(inside, r, c), *pins_below, evaluate=False))
    left: Node = HeadSum(body, head, total) if pinned else body
    weighted: Expr = Mul(Entry(cotangent, *above), claimed, *_deltas(below, (r, c), lower), evaluate=False)
    for symbol, size in sizes.items():
        weighted = Sum(weighted, (symbol, S.Zero, size - 1))
    return left, EntryFormula.of(*lower.shape, r, c, weighted)


def _counter(pinned: list[Symbol], sizes: Mapping[Symbol, Any]) -> tuple[Any, dict[Symbol, Any], Any]:
    """One letter that counts all values of the indices that stand more than once."""
    head = head_index("t0")
    total: Any = S.One
    at: dict[Symbol, Any] = {}
    for k, symbol in enumerate(pinned):
        rest = head if k == 0 else floor(head / total)
        at[symbol] = rest if k == len(pinned) - 1 else Mod(rest, sizes[symbol])
        total = total * sizes[symbol]
    return head, at, total


def _pins(place: Any, own: tuple[Symbol, Symbol], letter: Letter, at: Mapping[Symbol, Any]) -> list[Expr]:
    """A number in the place of an index, or an index that stands elsewhere too, is fixed."""
    wanted = [(x, at.get(x, x)) for x in place]
    return [
        KroneckerDelta(mine, value)
        for mine, (index, value), size in zip(own, wanted, letter.shape, strict=True)
        if size != 1 and (index in at or value.is_Integer)
    ]


def _deltas(place: Any, own: tuple[Symbol, Symbol], letter: Letter) -> list[Expr]:
    return [
        KroneckerDelta(mine, index) for mine, index, size in zip(own, place, letter.shape, strict=True) if size != 1
    ]
