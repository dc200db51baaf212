r"""Formulas behind a derivative that were not put in: of y = x / n with n = ‖x‖, n is no constant."""

from __future__ import annotations

from collections.abc import Iterable

from symtransformer.checking.formula_definitions import Definition, capital
from symtransformer.checking.formula_document import COUNTING, Document


def left_out(
    document: Document, start: Iterable[str], by: Iterable[str], lines: Iterable[tuple[str, str]]
) -> tuple[list[str], list[str]]:
    """The names behind `start` whose formulas are not among the lines: all, and those that rest on `by` or may do so."""
    taken = {name for name, _ in lines}
    taken |= {name[:1].lower() + name[1:] for name in taken}
    cut = {same for name in by for of in (name, _whole(name)) for same in (of, capital(of))}
    waiting, seen = [n for name in start for n in (name, _whole(name))], {*cut}
    found: dict[str, Definition] = {}
    while waiting:
        name = waiting.pop()
        definition = document.find(name)
        if name in seen or definition is None:
            continue
        seen |= {name, definition.name}
        if definition.name not in taken and not definition.is_alias:
            found[definition.name] = definition
        waiting += definition.uses
    return sorted(found), sorted(name for name, made in found.items() if _may_rest_on(document, made, cut))


def _whole(name: str) -> str:
    """h of h_j."""
    base, _, low = name.rpartition("_")
    return base if base and (low in COUNTING or low.isdigit()) else name


def _may_rest_on(document: Document, definition: Definition, names: set[str]) -> bool:
    """Whether one of the names stands behind the formula, or what stands there could not be read."""
    behind = [definition, *document.behind(definition.uses)]
    return any(d.right is None or names & {*d.uses, *map(capital, d.uses)} for d in behind)
