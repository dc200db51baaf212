"""Sums over heads in index formulas: Σ_(i=1..h) q^(i)_jb w^Q,(i)_cb."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sympy import Expr, S, Symbol

from symtransformer.index_letters import free_letters
from symtransformer.operations.entry_formula import EntryFormula
from symtransformer.operations.heads import HeadSum
from symtransformer.reading.index_places import is_simple, names_in
from symtransformer.reading.index_ranges import parts_of, with_parts
from symtransformer.reading.index_syntax import Delta, Indexed, Named, Part, Terms, Total
from symtransformer.reading.index_values import Value
from symtransformer.symbols import Entry

if TYPE_CHECKING:
    from symtransformer.reading.index_formulas import IndexFormula


def named_in(part: Any) -> Iterator[Named]:
    """Every name in a formula."""
    if isinstance(part, Named):
        yield part
    for inner in parts_of(part):
        yield from named_in(inner)


def indices_in(part: Any) -> Iterator[str]:
    """Every letter in the place of an index."""
    own: tuple[str, ...] = part.indices if isinstance(part, (Named, Indexed)) else ()
    own = (part.left, part.right) if isinstance(part, Delta) else own
    for index in own:
        yield from (index,) if is_simple(index) else names_in(index)
    for inner in parts_of(part):
        yield from indices_in(inner)


def heads_apart(
    part: Any, members: Mapping[tuple[str, str], str], refuse: Callable[[Part, str, str], Exception]
) -> Any:
    """The same formula with a sum over heads that have names of their own, Q_1 and Q_2, written out."""
    if isinstance(part, Total):
        named = {x.name for x in named_in(part.body) if x.head == part.letter}
        counts = {name: n for name in named if (n := sum(name == family for family, _ in members))}
        if counts:
            n = min(counts.values())
            if part.letter in indices_in(part.body):
                raise refuse(
                    part, "head", f"{part.letter} counts heads and is an index in the same formula; rename one"
                )
            if (
                {*counts.values()} != {n}
                or len(counts) < len(named)
                or part.upper not in ("", str(n))
                or part.condition
                or part.from_zero
            ):
                shown = part.letter
                raise refuse(
                    part, "head", f"a sum over heads goes over all of them here; {shown} does not count {n} heads"
                )
            each = (heads_apart(_of_head(part.body, part.letter, k, members), members, refuse) for k in range(1, n + 1))
            return Terms(part.span, tuple(("+", x) for x in each))
    if isinstance(part, Named) and part.head and (part.name, "1") in members:
        message = f"{part.name}^({part.head}): here each head has a name of its own; write {part.name}^(1), or a sum over {part.head}"
        raise refuse(part, "head", message)
    return with_parts(part, lambda inner: heads_apart(inner, members, refuse))


def _of_head(part: Any, letter: str, k: int, members: Mapping[tuple[str, str], str]) -> Any:
    if isinstance(part, Named) and part.head == letter:
        return replace(part, name=members[part.name, str(k)], head="")
    return with_parts(part, lambda inner: _of_head(inner, letter, k, members))


def require_head(formula: IndexFormula, part: Named) -> None:
    """A letter counts the heads of one kind."""
    symbol = getattr(formula.nodes[part.name], "head", None)
    if not part.head:
        return
    if not isinstance(symbol, Symbol) or formula.heads.get(part.head, symbol) != symbol:
        shown = part.head.partition("‹")[0]
        raise formula.refuse(part, "head", f"{shown} counts other heads elsewhere in this formula")
    formula.heads[part.head] = symbol


def over_heads(formula: IndexFormula, part: Total, body: Value) -> Value:
    """The sum over all heads, as the sum over the family of matrices whose entries the body gives."""
    symbol, letter = formula.heads[part.letter], part.letter
    shown = letter.partition("‹")[0]
    size = formula.ranges.heads.get(symbol)
    if size is None or part.condition is not None:
        raise formula.refuse(part, "head", f"a sum over heads goes over all of them here; {shown} does not")
    if part.upper:
        formula.check_upper(part, size)
    _require_one_meaning(formula, part, symbol, shown)
    one, other = formula.own_letter(), formula.own_letter()
    entry = body.at(one if body.rows != 1 else S.Zero, other if body.columns != 1 else S.Zero)
    sizes = {formula.index(x): s for x, s in formula.ranges.sizes.items() if is_simple(x) and not x.isdigit()}
    outer = [(s, sizes[s]) for s in sorted(free_letters(entry) & sizes.keys(), key=str)]
    own = [(s, n) for s, n in ((one, body.rows), (other, body.columns)) if n != 1]
    if len(own) + len(outer) > 2:
        raise formula.refuse(part, "head", "a sum over heads inside of other sums; write it in front of them")
    (row, rows), (column, columns) = [*own, *outer, (formula.own_letter(), S.One), (formula.own_letter(), S.One)][:2]
    family = HeadSum(EntryFormula.of(rows, columns, row, column, entry), symbol, size)

    def at(i: Any, j: Any) -> Expr:
        place = {one: i, other: j}
        first, second = (place.get(s, s) if n != 1 else S.Zero for s, n in ((row, rows), (column, columns)))
        return Entry(family, first, second)

    return Value(body.rows, body.columns, at)


def _require_one_meaning(formula: IndexFormula, part: Total, symbol: Symbol, shown: str) -> None:
    """Every member inside has this head, and the letter of the head is no index."""
    if part.letter in indices_in(part.body):
        raise formula.refuse(part, "head", f"{shown} counts heads and is an index in the same formula; rename one")
    for name in named_in(part.body):
        if getattr(formula.nodes.get(name.name), "head", None) == symbol and name.head != part.letter:
            message = f"which head of {name.name} is meant in the sum over {shown}? write it as {name.name}^({shown})"
            raise formula.refuse(name, "head", message)
