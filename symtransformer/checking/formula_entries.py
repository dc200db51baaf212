"""p_2 and A_{12} where p and A have formulas: an entry of them, or a name of its own, which nothing tells apart."""

from __future__ import annotations

import re
from dataclasses import replace

from symtransformer.checking.formula_definitions import capital
from symtransformer.checking.formula_document import Document
from symtransformer.checking.formula_syntax import Named, Part, changed, names_in

NUMBERED = re.compile(r"([A-Za-z]+)_([0-9][0-9i-n]?|[i-n][0-9])")
OF_LAYERS = frozenset(("W", "w", "U", "B", "b"))  # W_1 is the matrix of the first layer


def as_entries(document: Document, left: Part, right: Part) -> tuple[Part, Part] | None:
    """Both sides with places for the digits, where those of the right side are of what the left side's formula is made of."""
    found = NUMBERED.fullmatch(left.name) if isinstance(left, Named) and not left.indices else None
    whole = document.find(found[1]) if found else None
    if found is None or whole is None or whole.right is None or left.name in document.letters:  # type: ignore[attr-defined]
        return None
    bases = [numbered[1] for name in names_in(right) if (numbered := NUMBERED.fullmatch(name))]
    behind = {n for d in document.behind([whole.name]) for n in (d.name, *d.uses)} - {whole.name}
    if not bases or {*bases} & OF_LAYERS or not all({base, capital(base)} & behind for base in bases):
        return None
    return _entries(left), _entries(right)


def _entries(part: Part) -> Part:
    numbered = NUMBERED.fullmatch(part.name) if isinstance(part, Named) and not part.indices else None
    if numbered is not None:
        return replace(part, name=numbered[1], indices=tuple(numbered[2]))  # type: ignore[call-arg]
    return changed(part, _entries)  # type: ignore[no-any-return]
